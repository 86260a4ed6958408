/* SPDX-License-Identifier: MIT */
/* rkmk.h: what rkmk.c, rkmk_implicit.c and adaptive.c share: a step as stages in the chart. Internal. */
#ifndef LIESTEP_LIB_RKMK_H
#define LIESTEP_LIB_RKMK_H

#include <liestep/series.h>

#include "groups/num/newton.h"
#include "lib/methods/runge_kutta/stages.h"

/* In the work memory, followed by what the pointers point to. */
typedef struct rkmk {
    rates r;
    int s, n;
    int used;   /* stages that the step needs: an explicit tableau may end with some of weight 0 */
    int length; /* of the series of dtau^-1, 0: the closed form */
    double *K;  /* s x 2n: theta', m' at the stages of the last step */
    /* an implicit step by passes; blocks: steps that the guess comes from, 0: Newton's method at once */
    int blocks;
    double *weight; /* I_kk and 1/I_kk */
    double *next;   /* s x (blocks s): weights of xi and m' of the last steps in those of this one */
    /* an implicit step being solved */
    const lie_stepper *st;
    const lie_place *at;
    double h, unit;
    double terms; /* |R'| |m|, in the units of x: what the rate is the small sum of where forces are stiff */
    double *x, *D, *newton_work;
} rkmk;

LIE_INLINE rkmk *rkmk_of(const lie_stepper *st)
{
    return (rkmk *)st->work;
}

/* out = g tau(theta), through copies */
LIE_INLINE lie_status chart_point(const lie_ops *G, double *out, const double *g, const double *theta)
{
    double x[LIE_DIM_MAX], T[LIE_SIZE_MAX], at[LIE_SIZE_MAX];
    copy_n(G->dim, x, theta);
    copy_n(G->size, at, g);
    lie_status status = G->tau(G, T, x);
    if (status == LIE_OK) G->mul(G, out, at, T);
    return status;
}

/* (theta', m') and xi at (theta, m), theta' = dtau^-1_{-theta} xi, at the fraction c of the step; first: theta is 0.
 * With a `length` dtau^-1 is a series. */
LIE_INLINE lie_status chart_rate(const lie_stepper *st, const lie_ops *G, rate_kind kind, int length, double *out,
                                 double *xi, const lie_place *at, double h, double c, const double *theta,
                                 const double *m, int first)
{
    double minus[LIE_DIM_MAX], place[LIE_SIZE_MAX];
    lie_status status = LIE_OK;
    if (kind != RATES_FREE && first) copy_n(G->size, place, at->g);
    if (kind != RATES_FREE && !first) status = chart_point(G, place, at->g, theta);
    if (status != LIE_OK) return status;
    status = rate_at(st, G, kind, &rkmk_of(st)->r, xi, out + G->dim, at, h, c, place, m);
    if (status != LIE_OK) return status;
    if (first) {
        copy_n(G->dim, out, xi);
        return LIE_OK;
    }
    for (int i = 0; i < G->dim; i++) minus[i] = -theta[i];
    if (length > 0) return lie_series_dexpinv(st->group, length - 1, out, minus, xi);
    return G->dtauinv(G, out, minus, xi);
}

/* K of an implicit step, by Newton's method */
lie_status lie__rkmk_solve(lie_stepper *st, const lie_ops *G, const lie_place *at, double h, lie_solve *info);

int lie__rkmk_solve_doubles(int s, int n);

/* The weights of the first guess of passes; how many steps it needs, 0 where there are no passes (rkmk_passes.h). */
int lie__rkmk_blocks(const lie_stepper *st);
void lie__rkmk_prepare_passes(rkmk *w, const lie_stepper *st);
int lie__rkmk_passes_doubles(const lie_stepper *st);

/* s <- the state at the fraction x of the explicit step h that was taken from s: by the interpolant of the tableau and
 * the K that the step has left, or by a step to there, which overwrites K. The time of s stays. */
lie_status lie__rkmk_part(lie_stepper *st, lie_state *s, double h, double x);

#endif
