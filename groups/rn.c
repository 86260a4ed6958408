/* SPDX-License-Identifier: MIT */
/* rn.c: the translations of R^n. Formulas: rn.h. */
#include <liestep/rn.h>

#include <string.h>

#include "groups/num/finite.h"
#include "groups/step/rn_step.h"

void lie_rn_identity(int n, double *g)
{
    zero_n(n, g);
}

void lie_rn_mul(int n, double *out, const double *a, const double *b)
{
    for (int i = 0; i < n; i++) out[i] = a[i] + b[i];
}

void lie_rn_inv(int n, double *out, const double *a)
{
    for (int i = 0; i < n; i++) out[i] = -a[i];
}

void lie_rn_act(int n, double *out, const double *g, const double *p)
{
    lie_rn_mul(n, out, g, p);
}

void lie_rn_hat(int n, double *out, const double *x)
{
    copy_n(n, out, x);
}

void lie_rn_vee(int n, double *out, const double *x)
{
    copy_n(n, out, x);
}

/* The second argument, whatever the first: Ad and the tangents of an abelian group. */
static void second(int n, double *out, const double *x, const double *v)
{
    (void)x;
    copy_n(n, out, v);
}

/* The bracket of an abelian group is zero, and NaN where an argument is not finite. */
static void bracket(int n, double *out, const double *x, const double *y)
{
    for (int i = 0; i < n; i++) out[i] = (x[i] - x[i]) + (y[i] - y[i]);
}

void lie_rn_Ad(int n, double *out, const double *g, const double *x)
{
    second(n, out, g, x);
}

void lie_rn_Adt(int n, double *out, const double *g, const double *m)
{
    second(n, out, g, m);
}

void lie_rn_ad(int n, double *out, const double *x, const double *y)
{
    bracket(n, out, x, y);
}

void lie_rn_adt(int n, double *out, const double *x, const double *m)
{
    bracket(n, out, x, m);
}

void lie_rn_exp(int n, double *g, const double *x)
{
    copy_n(n, g, x);
}

void lie_rn_log(int n, double *x, const double *g)
{
    copy_n(n, x, g);
}

void lie_rn_dexp(int n, double *out, const double *x, const double *v)
{
    second(n, out, x, v);
}

void lie_rn_dexpt(int n, double *out, const double *x, const double *m)
{
    second(n, out, x, m);
}

void lie_rn_dexpinv(int n, double *out, const double *x, const double *v)
{
    second(n, out, x, v);
}

void lie_rn_dexpinvt(int n, double *out, const double *x, const double *m)
{
    second(n, out, x, m);
}

void lie_rn_dexp_matrix(int n, double *M, const double *x)
{
    (void)x;
    zero_n(n * n, M);
    for (int i = 0; i < n; i++) M[i * n + i] = 1.0;
}

void lie_rn_dexpinv_matrix(int n, double *M, const double *x)
{
    lie_rn_dexp_matrix(n, M, x);
}

void lie_rn_dexp_body_deriv(int n, double *M, const double *x, const double *psi)
{
    (void)x;
    (void)psi;
    zero_n(n * n, M);
}

/* The Cayley map is the same identity. */

void lie_rn_cay(int n, double *g, const double *x)
{
    lie_rn_exp(n, g, x);
}

void lie_rn_caylog(int n, double *x, const double *g)
{
    lie_rn_log(n, x, g);
}

void lie_rn_dcay(int n, double *out, const double *x, const double *v)
{
    second(n, out, x, v);
}

void lie_rn_dcayt(int n, double *out, const double *x, const double *m)
{
    second(n, out, x, m);
}

void lie_rn_dcayinv(int n, double *out, const double *x, const double *v)
{
    second(n, out, x, v);
}

void lie_rn_dcayinvt(int n, double *out, const double *x, const double *m)
{
    second(n, out, x, m);
}

void lie_rn_dcay_matrix(int n, double *M, const double *x)
{
    lie_rn_dexp_matrix(n, M, x);
}

void lie_rn_dcayinv_matrix(int n, double *M, const double *x)
{
    lie_rn_dexp_matrix(n, M, x);
}

void lie_rn_dcay_body_deriv(int n, double *M, const double *x, const double *psi)
{
    lie_rn_dexp_body_deriv(n, M, x, psi);
}

lie_status lie_rn_project(int n, double *out, const double *g)
{
    return store(n, out, g);
}

/* As operations: the dimension comes from the description. */

static void op_identity(const lie_ops *G, double *g)
{
    zero_n(G->dim, g);
}

static void op_mul(const lie_ops *G, double *out, const double *a, const double *b)
{
    lie_rn_mul(G->dim, out, a, b);
}

static void op_inv(const lie_ops *G, double *out, const double *a)
{
    lie_rn_inv(G->dim, out, a);
}

static void op_second(const lie_ops *G, double *out, const double *g, const double *x)
{
    second(G->dim, out, g, x);
}

static void op_bracket(const lie_ops *G, double *out, const double *x, const double *y)
{
    bracket(G->dim, out, x, y);
}

static lie_status op_copy(const lie_ops *G, double *out, const double *x)
{
    return store(G->dim, out, x);
}

static lie_status op_tangent(const lie_ops *G, double *out, const double *x, const double *v)
{
    return all_finite(G->dim, x) ? store(G->dim, out, v) : LIE_ERR_NOT_FINITE;
}

static lie_status op_body_deriv(const lie_ops *G, double *M, const double *x, const double *psi)
{
    if (!all_finite(G->dim, x) || !all_finite(G->dim, psi)) return LIE_ERR_NOT_FINITE;
    zero_n(G->dim * G->dim, M);
    return LIE_OK;
}

/* every linear function of m is one */
static void op_casimir(const lie_ops *G, double *C, const double *m)
{
    copy_n(G->dim, C, m);
}

lie_status lie_rn_ops(lie_ops *out, int n, const char *retraction)
{
    static const char *const names[] = {"exp", "cay", "skew"};
    if (n < 1) return LIE_ERR_SIZE;
    for (int i = 0; retraction && i < 3; i++)
        if (strcmp(retraction, names[i]) == 0) {
            *out = (lie_ops){.group = "R",
                             .retraction = names[i],
                             .dim = n,
                             .size = n,
                             .identity = op_identity,
                             .mul = op_mul,
                             .inv = op_inv,
                             .Ad = op_second,
                             .Adt = op_second,
                             .ad = op_bracket,
                             .adt = op_bracket,
                             .tau = op_copy,
                             .tauinv = op_copy,
                             .dtau = op_tangent,
                             .dtaut = op_tangent,
                             .dtauinv = op_tangent,
                             .dtauinvt = op_tangent,
                             .dtau_body_deriv = op_body_deriv,
                             .project = op_copy,
                             .legendre = &lie__rn_legendre,
                             .casimirs = n,
                             .casimir = op_casimir};
            return LIE_OK;
        }
    return LIE_ERR_UNKNOWN_NAME;
}
