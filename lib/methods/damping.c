/* SPDX-License-Identifier: MIT */
/* damping.c: the push of the external forces at fixed g, with the velocity in the middle of it,
 *
 *     m <- m + k f(t, g, v, u),     dl/dxi(g, v) = m + (k/2) f(t, g, v, u)
 *     r(v) = dl/dxi(g, v) - m - (k/2) f(t, g, v, u),     J = d2l/dxi2 - (k/2) df/dv
 *
 * Of order 2 and symmetric, F_{-k} F_k = 1. The kinetic energy of a quadratic l changes by exactly the work k <f, v>,
 * which drag only takes away, and for f = -D v the push is Cayley's (1 + (k/2) D I^-1)^-1 (1 - (k/2) D I^-1) m.
 * Newton's method from the velocity before: one iteration for linear drag. */
#include <math.h>

#include "groups/num/finite.h"
#include "groups/num/newton.h"
#include "lib/methods/strang.h"

typedef struct half_step {
    const lie_system *sys;
    const double *g, *m, *u;
    double t, k;
} half_step;

static double larger_of(int n, const double *a, double so_far)
{
    for (int i = 0; i < n; i++) so_far = fabs(a[i]) > so_far ? fabs(a[i]) : so_far;
    return so_far;
}

static lie_status residual(const newton *N, double *r, double *size, const double *v)
{
    const half_step *q = (const half_step *)N->problem;
    double f[LIE_DIM_MAX];
    q->sys->external(q->sys, f, q->t, q->g, v, q->u);
    lie_system_momentum(q->sys, r, q->g, v);
    *size = larger_of(N->n, r, larger_of(N->n, q->m, 0.0));
    for (int i = 0; i < N->n; i++) {
        f[i] *= 0.5 * q->k;
        r[i] = (r[i] - q->m[i]) - f[i];
    }
    *size = larger_of(N->n, f, *size);
    return all_finite(N->n, r) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status jacobian(const newton *N, double *J, const double *v)
{
    const half_step *q = (const half_step *)N->problem;
    double D[LIE_DIM_MAX * LIE_DIM_MAX];
    lie_system_hessian(q->sys, J, q->g, v);
    lie_system_external_deriv(q->sys, D, q->t, q->g, v, q->u);
    for (int i = 0; i < N->n * N->n; i++) J[i] -= 0.5 * q->k * D[i];
    return all_finite(N->n * N->n, J) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status origin(const newton *N, double *v)
{
    const half_step *q = (const half_step *)N->problem;
    return lie_system_velocity(q->sys, v, q->g, q->m);
}

lie_status lie__damping_push(const lie_system *sys, lie_state *s, double k, const double *u, lie_solve *info)
{
    double m[LIE_DIM_MAX], v[LIE_DIM_MAX], f[LIE_DIM_MAX], work[NEWTON_DOUBLES(LIE_DIM_MAX)];
    const state_parts at = parts_of(s);
    int n = sys->group->dim;
    half_step q = {sys, at.g, m, u, s->t, k};
    newton N = {.n = n,
                .residual = residual,
                .jacobian = jacobian,
                .origin = origin,
                .inexact = 1,
                .problem = &q,
                .h = &q.k,
                .sign = 1,
                .step = 0x1p-7 / fabs(k),
                .linear = &lie__linear_plain,
                .work = work};
    for (int i = 0; i < n; i++) m[i] = at.m[i] + at.low_m[i];
    lie_status status = origin(&N, v);
    if (status == LIE_OK) status = lie__newton_solve(&N, v, info);
    if (status != LIE_OK) return status;
    sys->external(sys, f, s->t, at.g, v, u);
    kick(n, at.m, at.low_m, k, f);
    return all_finite(n, at.m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}
