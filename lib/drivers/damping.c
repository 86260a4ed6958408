/* SPDX-License-Identifier: MIT */
/* damping.c: half steps of the forces around every step of a method; see damping.h. The unknown is the middle velocity:
 *
 *     r(v) = I v + A(g) - m - (k/2) f(t, g, v, u),     J = I - (k/2) df/dv,     k = h/2
 *
 * Newton's method from the velocity before: one iteration for linear drag. Cost: two solves with n unknowns a step. */
#include <liestep/damping.h>

#include <math.h>

#include "groups/num/finite.h"
#include "groups/num/newton.h"
#include "lib/methods/stepping.h"

enum { ITERATIONS = 50 };

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
    lie_system_external_deriv(q->sys, J, q->t, q->g, v, q->u);
    for (int i = 0; i < N->n * N->n; i++) J[i] = q->sys->inertia[i] - 0.5 * q->k * J[i];
    return all_finite(N->n * N->n, J) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status origin(const newton *N, double *v)
{
    const half_step *q = (const half_step *)N->problem;
    return lie_system_velocity(q->sys, v, q->g, q->m);
}

/* m <- m + k f(t, g, v, u) */
static lie_status push(const lie_system *sys, lie_state *s, double k, const double *u)
{
    double m[LIE_DIM_MAX], v[LIE_DIM_MAX], f[LIE_DIM_MAX], work[NEWTON_DOUBLES(LIE_DIM_MAX)];
    const state_parts at = parts_of(s);
    int n = sys->group->dim;
    lie_solve info = {ITERATIONS, 0, 0.0};
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
    if (status == LIE_OK) status = lie__newton_solve(&N, v, &info);
    if (status != LIE_OK) return status;
    sys->external(sys, f, s->t, at.g, v, u);
    kick(n, at.m, at.low_m, k, f);
    return all_finite(n, at.m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status step(lie_stepper *st, const lie_system *forces, lie_state *s, double h)
{
    lie_status status = push(forces, s, 0.5 * h, st->u_minus);
    if (status == LIE_OK) status = lie_step(st, s, h);
    return status == LIE_OK ? push(forces, s, 0.5 * h, st->u_plus) : status;
}

/* Is there anything wrong with the call, but for what lie_step finds? */
static lie_status check(const lie_stepper *st, const lie_system *forces, const lie_state *s, double h)
{
    const lie_ops *G = st->group;
    if (!forces->external) return LIE_ERR_INCOMPLETE;
    if (forces->lagrangian) return LIE_ERR_METHOD;
    if (forces->group->dim != G->dim || forces->group->size != G->size || !state_fits(G, s)) return LIE_ERR_SIZE;
    if (!(h - h == 0.0) || h == 0.0) return LIE_ERR_STEP_SIZE;
    return all_finite(G->size, lie_state_g(s)) && all_finite(G->dim, lie_state_m(s)) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

lie_status lie_damping_run(lie_stepper *st, const lie_system *forces, lie_state *s, double h, long long n)
{
    lie_status status = check(st, forces, s, h);
    for (long long i = 0; i < n && status == LIE_OK; i++) {
        lie_large_state room;
        const lie_state *start = state_in(st->group, &room, s);
        status = step(st, forces, s, h);
        if (status == LIE_OK) continue;
        state_copy_body(st->group, s, start);
        lie_stepper_reset(st);
    }
    return status;
}
