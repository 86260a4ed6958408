/* SPDX-License-Identifier: MIT */
/* rkmk_passes.h: the stages of an implicit RKMK step by passes
 *
 *     K_i <- (dtau^-1_{-theta_i} xi_i, m'_i) at theta_i = h sum_j a_ij theta'_j,  m + h sum_j a_ij m'_j
 *
 * over the stages one after the other, each with what those before it have just become. The first guess continues the
 * polynomial of the last step (of the last two with three stages or less) through xi and m', which do not depend on the
 * chart. The passes end by the measured contraction (contraction.h) in the norm of an energy, sum I_kk theta'_k^2 + (h
 * m'_k)^2/I_kk. Where they do not contract by half, Newton's method takes over (rkmk_implicit.c). A stiffly accurate
 * tableau, whose last stage is the end of the step, is there for stiff forces, a general Lagrangian has no I: both go
 * there at once. Internal. */
#ifndef LIESTEP_LIB_RKMK_PASSES_H
#define LIESTEP_LIB_RKMK_PASSES_H

#include "lib/methods/contraction.h"
#include "lib/methods/runge_kutta/rkmk.h"

enum { RKMK_PASSES = 24 };

/* The memory: h of the last step, 0 if there is none; how many such steps follow; xi and m' of their stages, the latest
 * step first. */
enum { RKMK_H, RKMK_COUNT, RKMK_PAST };

/* xi and m' of the stages from those of the steps before, as theta' and m' in the chart of this step */
LIE_INLINE lie_status rkmk_continue(const lie_stepper *st, const lie_ops *G, double *K, double h)
{
    const rkmk *w = rkmk_of(st);
    double *xi = w->x, minus[LIE_DIM_MAX];
    int n = G->dim, s = w->s, known = w->blocks * s;
    for (int i = 0; i < s; i++) {
        double sum[2 * LIE_DIM_MAX];
        weighted_sum(2 * n, sum, known, 1.0, w->next + i * known, 1, st->memory + RKMK_PAST, 2 * n);
        copy_n(n, xi + i * n, sum);
        copy_n(n, K + 2 * i * n + n, sum + n);
    }
    for (int i = 0; i < s; i++) {
        weighted_sum(n, minus, s, -h, st->tableau->A + i * s, 0, xi, n);
        lie_status status = G->dtauinv(G, K + 2 * i * n, minus, xi + i * n);
        if (status != LIE_OK) return status;
    }
    return LIE_OK;
}

LIE_INLINE lie_status rkmk_guess(const lie_stepper *st, const lie_ops *G, rate_kind kind, double *K,
                                 const lie_place *at, double h)
{
    static const double origin[LIE_DIM_MAX];
    const rkmk *w = rkmk_of(st);
    double xi[LIE_DIM_MAX] = {0.0};
    if (st->memory[RKMK_H] == h && st->memory[RKMK_COUNT] == w->blocks) return rkmk_continue(st, G, K, h);
    lie_status status = chart_rate(st, G, kind, 0, K, xi, at, h, 0.0, origin, at->m, 1);
    for (int i = 1; i < w->s && status == LIE_OK; i++) copy_n(2 * G->dim, K + 2 * i * G->dim, K);
    return status;
}

LIE_INLINE void rkmk_remember(const lie_stepper *st, int n, double h, const double *xi, const double *K)
{
    const rkmk *w = rkmk_of(st);
    double *memory = st->memory, *newest = memory + RKMK_PAST;
    int block = 2 * w->s * n;
    if (memory[RKMK_H] != h) memory[RKMK_H] = h, memory[RKMK_COUNT] = 0.0;
    if (memory[RKMK_COUNT] < w->blocks) memory[RKMK_COUNT] += 1.0;
    if (w->blocks == 2) copy_n(block, newest + block, newest);
    for (int i = 0; i < w->s; i++) {
        copy_n(n, newest + 2 * i * n, xi + i * n);
        copy_n(n, newest + 2 * i * n + n, K + 2 * i * n + n);
    }
}

/* One pass; the square of its change, relative to the size of what changes; NaN where there is no rate. xi: of the
 * stages. */
LIE_INLINE double rkmk_pass(lie_stepper *st, const lie_ops *G, rate_kind kind, int length, double *K, double *xi,
                            const lie_place *at, double h)
{
    const rkmk *w = rkmk_of(st);
    const lie_tableau *tab = st->tableau;
    const double *weight = w->weight, *over = weight + G->dim;
    double moved = 0.0, size = 0.0;
    int n = G->dim, s = w->s;
    for (int i = 0; i < s; i++) {
        double sum[2 * LIE_DIM_MAX], m[LIE_DIM_MAX], k[2 * LIE_DIM_MAX], v[LIE_DIM_MAX] = {0.0};
        weighted_sum(2 * n, sum, s, h, tab->A + i * s, 0, K, 2 * n);
        stage_momentum(n, m, at, sum + n);
        if (chart_rate(st, G, kind, length, k, v, at, h, tab->c[i], sum, m, 0) != LIE_OK) return (double)NAN;
        copy_n(n, xi + i * n, v);
        double *old = K + 2 * i * n;
        LIE_UNROLL
        for (int j = 0; j < n; j++) {
            double d = k[j] - old[j], e = h * (k[n + j] - old[n + j]);
            moved += weight[j] * (d * d) + over[j] * (e * e);
            size += weight[j] * (k[j] * k[j]) + over[j] * (m[j] * m[j]);
        }
        copy_n(2 * n, old, k);
    }
    return moved == 0.0 ? 0.0 : moved / size;
}

/* K of the step; false where passes do not find it */
LIE_INLINE int rkmk_passes(lie_stepper *st, const lie_ops *G, rate_kind kind, int length, const lie_place *at, double h,
                           lie_solve *info)
{
    const rkmk *w = rkmk_of(st);
    double *xi = w->x, *K = w->K;
    contraction_trend trend = {1.0, 0.0};
    contraction_course now = CONTRACTION_START;
    if (rkmk_guess(st, G, kind, K, at, h) != LIE_OK) return 0;
    for (int k = 0; k < RKMK_PASSES && k < info->cap; k++) {
        double before = now.before, d2 = rkmk_pass(st, G, kind, length, K, xi, at, h);
        info->iterations++;
        if (contraction_settles(&trend, &now, d2)) {
            double left = sqrt(d2 * trend.contraction2);
            if (left > info->residual) info->residual = left;
            rkmk_remember(st, G->dim, h, xi, K);
            return 1;
        }
        if (!(d2 < 1e6) || (k > 2 && d2 > 0x1p-88 && d2 > 0.25 * before)) return 0;
    }
    return 0;
}

#endif
