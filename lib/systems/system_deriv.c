/* SPDX-License-Identifier: MIT */
/* system_deriv.c: the derivatives of momentum and forces that Newton's method asks for: the system's own where it has
 * them, central differences where it has not (two calls of the function per column). With a step of 2^-17 = eps^(1/3)
 * truncation and rounding balance for functions that vary over lengths about 1, and the result is still good to three
 * digits for lengths from 1e-4 to 1e8; the iteration converges with such a Jacobian, and what it converges to does not
 * depend on it. */
#include "lib/systems/system_field.h"

#include <math.h>
#include <string.h>

/* D_ij = d/ds field_i along e_j, dim x dim */
static void differences(const place *at, field_fn *field, direction along, double *D)
{
    int n = at->sys->group->dim;
    double plus[LIE_DIM_MAX], minus[LIE_DIM_MAX], size = 1.0;
    for (int i = 0; along == ALONG_VELOCITY && i < n; i++) size = fabs(at->xi[i]) > size ? fabs(at->xi[i]) : size;
    double s = 0x1p-17 * size;
    for (int j = 0; j < n; j++) {
        int inside = field_beside(at, field, along, j, s, plus) == LIE_OK &&
                     field_beside(at, field, along, j, -s, minus) == LIE_OK;
        for (int i = 0; i < n; i++) D[i * n + j] = inside ? (plus[i] - minus[i]) / (2.0 * s) : (double)NAN;
    }
}

static void zero(const lie_system *sys, double *D)
{
    memset(D, 0, (size_t)(sys->group->dim * sys->group->dim) * sizeof *D);
}

static void momentum_field(const place *at, double *out)
{
    lie_system_momentum(at->sys, out, at->g, at->xi);
}

static void force_field(const place *at, double *out)
{
    lie_system_force(at->sys, out, at->g, at->xi);
}

static void external_field(const place *at, double *out)
{
    at->sys->external(at->sys, out, at->t, at->g, at->xi, at->u);
}

void lie_system_hessian(const lie_system *sys, double *H, const double *g, const double *xi)
{
    place at = {.sys = sys, .g = g, .xi = xi};
    if (sys->inertia)
        memcpy(H, sys->inertia, (size_t)(sys->group->dim * sys->group->dim) * sizeof *H);
    else if (sys->hessian)
        sys->hessian(sys, H, g, xi);
    else
        differences(&at, momentum_field, ALONG_VELOCITY, H);
}

void lie_system_mixed(const lie_system *sys, double *D, const double *g, const double *xi)
{
    place at = {.sys = sys, .g = g, .xi = xi};
    if (sys->gyro)
        sys->gyro_deriv(sys, D, g);
    else if (sys->inertia)
        zero(sys, D);
    else if (sys->mixed)
        sys->mixed(sys, D, g, xi);
    else
        differences(&at, momentum_field, ALONG_GROUP, D);
}

void lie_system_force_deriv(const lie_system *sys, double *D, const double *g, const double *xi)
{
    place at = {.sys = sys, .g = g, .xi = xi};
    if (sys->gradient_deriv)
        sys->gradient_deriv(sys, D, g, xi);
    else if (sys->force && sys->force_deriv && !sys->gyro)
        sys->force_deriv(sys, D, g);
    else if (sys->gradient || sys->force || sys->gyro)
        differences(&at, force_field, ALONG_GROUP, D);
    else
        zero(sys, D);
}

void lie_system_external_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                               const double *u)
{
    place at = {sys, t, g, xi, u};
    if (!sys->external)
        zero(sys, D);
    else if (sys->external_deriv)
        sys->external_deriv(sys, D, t, g, xi, u);
    else
        differences(&at, external_field, ALONG_VELOCITY, D);
}

void lie__system_external_along(const lie_system *sys, const lie_ops *G, double *D, double t, const double *g,
                                const double *xi, const double *u)
{
    static const double shift[4] = {0x1p-10, -0x1p-10, 0x1p-9, -0x1p-9}, weight[4] = {8.0, -8.0, -1.0, 1.0};
    double x[LIE_DIM_MAX] = {0.0}, at[LIE_SIZE_MAX], f[LIE_DIM_MAX];
    int n = G->dim;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < 4; k++) {
            x[j] = shift[k];
            int inside = G->tau(G, at, x) == LIE_OK;
            G->mul(G, at, g, at);
            sys->external(sys, f, t, at, xi, u);
            for (int i = 0; i < n; i++) D[i * n + j] += inside ? weight[k] * f[i] / (12.0 * 0x1p-10) : (double)NAN;
        }
        x[j] = 0.0;
    }
}
