/* SPDX-License-Identifier: MIT */
/* rates.h: the equations of motion at a point, for the families that see nothing but them (rkmk.c, commfree.c):
 *
 *     g' = g xi,   xi the velocity that has the momentum m at g,   m' = ad*_xi m + F(g, xi) + f(t, g, xi, u).
 *
 * For a quadratic Lagrangian xi = I^-1 (m - A(g)) with I^-1 computed once. Where nothing depends on g (a free body) the
 * stages of a step need no group element at all. Internal. */
#ifndef LIESTEP_LIB_RATES_H
#define LIESTEP_LIB_RATES_H

#include <stddef.h>

#include "groups/num/cholesky.h"
#include "lib/methods/stepping.h"

/* What there is beside the kinetic energy: nothing, a potential, anything. The first two are worth loops of their own:
 * functions that take a kind are meant to see a constant there. */
typedef enum rate_kind { RATES_FREE, RATES_POTENTIAL, RATES_ANY } rate_kind;

typedef struct rates {
    rate_kind kind;
    double *inverse; /* I^-1, n x n; null for a general Lagrangian */
    double *u;       /* the control at a stage */
} rates;

static inline int rates_doubles(const lie_stepper *st)
{
    int n = st->group->dim;
    return (st->system->inertia ? n * n : 0) + st->system->controls;
}

/* `next`: rates_doubles of memory */
static inline lie_status rates_prepare(rates *r, const lie_stepper *st, double *next)
{
    const lie_system *sys = st->system;
    double L[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = st->group->dim;
    int is_quadratic = !sys->lagrangian && !sys->gyro && !sys->external;
    *r = (rates){.kind = !is_quadratic ? RATES_ANY : sys->force ? RATES_POTENTIAL : RATES_FREE};
    if (sys->inertia) {
        r->inverse = next, next += n * n;
        if (!cholesky_factor(n, L, sys->inertia)) return LIE_ERR_INERTIA;
        for (int j = 0; j < n; j++) { /* column j = row j */
            for (int i = 0; i < n; i++) r->inverse[j * n + i] = i == j;
            cholesky_solve(n, L, r->inverse + j * n);
        }
    }
    r->u = next;
    return LIE_OK;
}

/* out = M a */
LIE_INLINE void times_n(int n, double *out, const double *M, const double *a)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) {
            double sum = M[i * n] * a[0];
            LIE_UNROLL
            for (int j = 1; j < n; j++) sum += M[i * n + j] * a[j];
            out[i] = sum;
        }
    } else {
        for (int i = 0; i < n; i++) {
            double sum = M[i * n] * a[0];
            for (int j = 1; j < n; j++) sum += M[i * n + j] * a[j];
            out[i] = sum;
        }
    }
}

/* a += b */
LIE_INLINE void add_n(int n, double *a, const double *b)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) a[i] += b[i];
    } else {
        for (int i = 0; i < n; i++) a[i] += b[i];
    }
}

/* xi and m' of any system at the fraction c of the substep from `at` */
LIE_INLINE lie_status rate_of_any(const lie_stepper *st, const lie_ops *G, const rates *r, double *xi, double *rate,
                                  const lie_place *at, double h, double c, const double *g, const double *m)
{
    const lie_system *sys = st->system;
    double term[LIE_DIM_MAX];
    int n = G->dim;
    if (r->inverse && sys->gyro) {
        sys->gyro(sys, term, g);
        for (int i = 0; i < n; i++) term[i] = m[i] - term[i];
    }
    lie_status status = LIE_OK;
    if (r->inverse)
        times_n(n, xi, r->inverse, sys->gyro ? term : m);
    else
        status = lie_system_velocity(sys, xi, g, m);
    if (status != LIE_OK) return status;
    G->adt(G, rate, xi, m);
    lie_system_force(sys, term, g, xi);
    add_n(n, rate, term);
    if (!sys->external) return LIE_OK;
    sys->external(sys, term, at->t + c * h, g, xi, control_in(st, at, r->u, c));
    add_n(n, rate, term);
    return LIE_OK;
}

/* The same for a system of this kind; g is not looked at for a free one. xi, rate and m do not leave this function
 * unless the kind is RATES_ANY, so that they can live in registers. */
LIE_INLINE lie_status rate_at(const lie_stepper *st, const lie_ops *G, rate_kind kind, const rates *r, double *xi,
                              double *rate, const lie_place *at, double h, double c, const double *g, const double *m)
{
    double F[LIE_DIM_MAX];
    if (kind == RATES_ANY) return rate_of_any(st, G, r, xi, rate, at, h, c, g, m);
    times_n(G->dim, xi, r->inverse, m);
    G->adt(G, rate, xi, m);
    if (kind == RATES_FREE) return LIE_OK;
    st->system->force(st->system, F, g);
    add_n(G->dim, rate, F);
    return LIE_OK;
}

/* weighted_sum where n is known when this is compiled */
LIE_INLINE void weighted_sum_fixed(int n, double *out, int count, double f, const double *a, int full, const double *K,
                                   int stride)
{
    double sum[2 * LIE_DIM_MAX] = {0.0}; /* its own, so that it can live in registers */
    if (count > 0 && (full || a[0] != 0.0)) {
        double weight = f * a[0];
        LIE_UNROLL
        for (int i = 0; i < n; i++) sum[i] = weight * K[i];
    }
    for (int j = 1; j < count; j++) {
        if (!full && a[j] == 0.0) continue;
        double weight = f * a[j];
        const double *at = K + (ptrdiff_t)j * stride;
        LIE_UNROLL
        for (int i = 0; i < n; i++) sum[i] += weight * at[i];
    }
    copy_n(n, out, sum);
}

/* out = sum_j (f a_j) K_j, `count` vectors of n numbers, `stride` apart; what has the weight 0 is not looked at, unless
 * there is none of that kind: `full` */
LIE_INLINE void weighted_sum(int n, double *out, int count, double f, const double *a, int full, const double *K,
                             int stride)
{
    if (LIE_IS_FIXED(n)) {
        weighted_sum_fixed(n, out, count, f, a, full, K, stride);
        return;
    }
    for (int i = 0; i < n; i++) {
        double sum = count > 0 && a[0] != 0.0 ? f * a[0] * K[i] : 0.0;
        for (int j = 1; j < count; j++)
            if (a[j] != 0.0) sum += f * a[j] * K[j * stride + i];
        out[i] = sum;
    }
}

/* out = m + sum; what m has lost to rounding is below what matters in a stage */
LIE_INLINE void stage_momentum(int n, double *out, const lie_place *at, const double *sum)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) out[i] = at->m[i] + sum[i];
    } else {
        for (int i = 0; i < n; i++) out[i] = at->m[i] + sum[i];
    }
}

/* g <- g tau(x) alone; null: through lie_ops */
typedef lie_status turn_fn(double *g, double *low_g, const double *x);

LIE_INLINE lie_status turn_element(const lie_ops *G, turn_fn *turn_by, double *g, double *low_g, const double *x)
{
    if (turn_by) return turn_by(g, low_g, x);
    double none[LIE_DIM_MAX], low[LIE_DIM_MAX], T[LIE_SIZE_MAX];
    if (G->move) {
        for (int i = 0; i < G->dim; i++) none[i] = low[i] = 0.0;
        return G->move(G, g, low_g, none, low, x);
    }
    lie_status status = G->tau(G, T, x);
    if (status == LIE_OK) G->mul(G, g, g, T);
    return status;
}

/* A run of `step` for a kind of rates, with the operations group##_fast known when it is compiled */
#define RATES_RUN(name, step, kind, group)                                                                             \
    LIE_INLINE lie_status name##_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)  \
    {                                                                                                                  \
        (void)info;                                                                                                    \
        return step(st, G, kind, group##_turn, at, h);                                                                 \
    }                                                                                                                  \
    static lie_status name(lie_stepper *st, lie_state *s, double h, long long n)                                       \
    {                                                                                                                  \
        return run_steps(st, &group##_fast, name##_substep, s, h, n);                                                  \
    }

#endif
