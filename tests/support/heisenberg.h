/* SPDX-License-Identifier: MIT */
/* heisenberg.h: a group that the library does not know, as a user would define it: the Heisenberg group of upper
 * triangular 3x3 matrices [[1, x, z], [0, 1, y], [0, 0, 1]], elements (x, y, z). Only what lie_ops_complete requires is
 * given, and log; all other operations are derived. The bracket is nilpotent, [u, v] = (0, 0, u0 v1 - u1 v0), so that
 *     exp(u) = (u0, u1, u2 + u0 u1 / 2),   dexp_u v = v + [u, v]/2,   dexp_u^-1 v = v - [u, v]/2    exactly. */
#ifndef LIESTEP_TESTS_HEISENBERG_H
#define LIESTEP_TESTS_HEISENBERG_H

#include <liestep/group.h>

static void heisenberg_identity(const lie_ops *G, double *g)
{
    (void)G;
    g[0] = g[1] = g[2] = 0.0;
}

static void heisenberg_mul(const lie_ops *G, double *out, const double *a, const double *b)
{
    double z = a[2] + b[2] + a[0] * b[1];
    (void)G;
    out[0] = a[0] + b[0];
    out[1] = a[1] + b[1];
    out[2] = z;
}

static void heisenberg_inv(const lie_ops *G, double *out, const double *a)
{
    double z = a[0] * a[1] - a[2];
    (void)G;
    out[0] = -a[0];
    out[1] = -a[1];
    out[2] = z;
}

static void heisenberg_Ad(const lie_ops *G, double *out, const double *g, const double *u)
{
    double z = u[2] + g[0] * u[1] - g[1] * u[0];
    (void)G;
    out[0] = u[0];
    out[1] = u[1];
    out[2] = z;
}

static void heisenberg_ad(const lie_ops *G, double *out, const double *u, const double *v)
{
    double z = u[0] * v[1] - u[1] * v[0];
    (void)G;
    out[0] = out[1] = 0.0;
    out[2] = z;
}

static lie_status heisenberg_exp(const lie_ops *G, double *g, const double *u)
{
    double z = u[2] + 0.5 * u[0] * u[1];
    (void)G;
    if (!(z - z == 0.0)) return LIE_ERR_NOT_FINITE;
    g[0] = u[0];
    g[1] = u[1];
    g[2] = z;
    return LIE_OK;
}

static lie_status heisenberg_log(const lie_ops *G, double *u, const double *g)
{
    double z = g[2] - 0.5 * g[0] * g[1];
    (void)G;
    u[0] = g[0];
    u[1] = g[1];
    u[2] = z;
    return LIE_OK;
}

static inline lie_status heisenberg_ops(lie_ops *G)
{
    *G = (lie_ops){.group = "Heisenberg",
                   .retraction = "exp",
                   .dim = 3,
                   .size = 3,
                   .identity = heisenberg_identity,
                   .mul = heisenberg_mul,
                   .inv = heisenberg_inv,
                   .Ad = heisenberg_Ad,
                   .ad = heisenberg_ad,
                   .tau = heisenberg_exp,
                   .tauinv = heisenberg_log};
    return lie_ops_complete(G);
}

#endif
