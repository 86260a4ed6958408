/* SPDX-License-Identifier: MIT */
/* stages.h: what Runge-Kutta steps on a group do with the rates at their stages (rates.h): weighted sums, the momentum
 * of a stage, the move of the group element by what they sum to, and the loop over steps for a kind of system and a
 * group. Internal. */
#ifndef LIESTEP_LIB_STAGES_H
#define LIESTEP_LIB_STAGES_H

#include <stddef.h>

#include "lib/methods/runge_kutta/rates.h"

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
        return step(st, G, kind, group##_turn, at, h, info);                                                           \
    }                                                                                                                  \
    static lie_status name(lie_stepper *st, lie_state *s, double h, long long n)                                       \
    {                                                                                                                  \
        return run_steps(st, &group##_fast, name##_substep, s, h, n);                                                  \
    }

#endif
