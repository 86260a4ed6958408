/* SPDX-License-Identifier: MIT */
/* rkmk.c: Runge-Kutta-Munthe-Kaas methods, for any system, any tableau and any retraction.
 *
 * In the chart theta -> g tau(theta) at the start of the step the equations of motion are
 *
 *     theta' = dtau^-1_{-theta} xi,     m' = ad*_xi m + F + f          xi = velocity of m at g tau(theta)
 *
 * and the Runge-Kutta method is applied to them: with K_j = (theta', m') at stage j
 *
 *     theta_i = h sum_j a_ij K_j,    M_i = m + h sum_j a_ij K_j
 *     g+ = g tau(h sum_j b_j K_j),   m+ = m + h sum_j b_j K_j.
 *
 * g stays on the group, m is a flat vector: this is what people mean by RKMK for bodies. It has the order of the
 * tableau for every retraction, as dtau^-1 is exact; neither the symplectic form nor energy nor momentum is kept. With
 * exp the series of dexp^-1 may be cut after `terms` terms instead: order 2, 3, 5 at best for 1, 2, 3 terms, since B_3
 * = 0. Controls are interpolated linearly over the step, times are t + c_i h.
 *
 * Cost: explicit tableaux take one rate and one dtau^-1 per stage, and no tau where nothing depends on g; implicit ones
 * are solved by Newton's method (rkmk_implicit.c). For SO(3), S3 and SE(3) with exp and cay the explicit step is
 * compiled again with their operations as constants; all others call through lie_ops, with the same bits.
 *
 * References: Munthe-Kaas, High order Runge-Kutta methods on manifolds, Appl. Numer. Math. 29 (1999); Bou-Rabee &
 * Marsden 2009, (4.1) to (4.6), where (4.3) to (4.5) have h twice. */
#include "lib/methods/runge_kutta/rkmk_passes.h"

#include "groups/num/finite.h"

#include <liestep/s3.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

#include "groups/step/se3_step.h"

enum { HEAD = (sizeof(rkmk) + sizeof(double) - 1) / sizeof(double) };

static int doubles(const lie_stepper *st)
{
    int n = st->group->dim, s = st->tableau->stages;
    int solve = lie_tableau_is_explicit(st->tableau) ? 0 : lie__rkmk_solve_doubles(s, n);
    return HEAD + rates_doubles(st) + 2 * s * n + solve + lie__rkmk_passes_doubles(st);
}

static int memory(const lie_stepper *st)
{
    int blocks = lie__rkmk_blocks(st);
    return blocks > 0 ? RKMK_PAST + 2 * st->group->dim * st->tableau->stages * blocks : 0;
}

/* K at the first `used` stages of an explicit tableau with s; chain: each needs the one before, and no other */
LIE_INLINE lie_status explicit_stages(lie_stepper *st, const lie_ops *G, rate_kind kind, int length, int s, int used,
                                      int chain, double *K, const lie_place *at, double h)
{
    const lie_tableau *tab = st->tableau;
    double sum[2 * LIE_DIM_MAX], m[LIE_DIM_MAX], xi[LIE_DIM_MAX] = {0.0};
    int n = G->dim;
    LIE_UNROLL
    for (int i = 0; i < used; i++) {
        int from = chain && i > 0 ? i - 1 : 0;
        weighted_sum(2 * n, sum, i - from, h, tab->A + i * s + from, chain, K + 2 * from * n, 2 * n);
        stage_momentum(n, m, at, sum + n);
        lie_status status = chart_rate(st, G, kind, length, K + 2 * i * n, xi, at, h, tab->c[i], sum, m, i == 0);
        if (status != LIE_OK) return status;
    }
    return LIE_OK;
}

/* g+ and m+ from K with the weights b; full: none of them is 0 */
LIE_INLINE lie_status finish(const lie_ops *G, turn_fn *turn_by, int used, const double *b, int full, const double *K,
                             lie_place *at, double h)
{
    double sum[2 * LIE_DIM_MAX], theta[LIE_DIM_MAX] = {0.0};
    int n = G->dim;
    weighted_sum(2 * n, sum, used, 1.0, b, full, K, 2 * n);
    for (int k = 0; k < n; k++) theta[k] = h * sum[k];
    lie_status status = turn_element(G, turn_by, at->g, at->low_g, theta);
    if (status != LIE_OK) return status;
    kick(n, at->m, at->low_m, h, sum + n);
    return all_finite(n, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status finish_any(const lie_stepper *st, const double *b, lie_place *at, double h)
{
    const rkmk *w = rkmk_of(st);
    return finish(st->group, 0, w->used, b, 0, w->K, at, h);
}

static lie_status explicit_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    const rkmk *w = rkmk_of(st);
    (void)info;
    lie_status status = explicit_stages(st, G, w->r.kind, w->length, w->s, w->used, 0, w->K, at, h);
    return status == LIE_OK ? finish_any(st, st->tableau->b, at, h) : status;
}

static lie_status implicit_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    const rkmk *w = rkmk_of(st);
    lie_status status = LIE_OK;
    if (w->blocks == 0 || !rkmk_passes(st, G, w->r.kind, w->length, at, h, info))
        status = lie__rkmk_solve(st, G, at, h, info);
    return status == LIE_OK ? finish_any(st, st->tableau->b, at, h) : status;
}

lie_status lie__rkmk_part(lie_stepper *st, lie_state *s, double h, double x)
{
    const lie_tableau *tab = st->tableau;
    double b[LIE_STAGES_MAX] = {0.0};
    const state_parts to = parts_of(s);
    lie_place at = {s->t, 0.0, x, to.g, to.low_g, to.m, to.low_m};
    lie_solve info = {0, 0, 0.0};
    if (x == 0.0) return LIE_OK;
    if (!tab->dense) return explicit_substep(st, st->group, &at, x * h, &info);
    for (int i = 0; i < tab->stages; i++)
        for (int k = tab->degree - 1; k >= 0; k--) b[i] = x * (tab->dense[i * tab->degree + k] + b[i]);
    return finish_any(st, x == 1.0 ? tab->b : b, &at, h);
}

static lie_status run_implicit(lie_stepper *st, lie_state *s, double h, long long n)
{
    return run_steps(st, st->group, implicit_substep, s, h, n);
}

static lie_status run_any(lie_stepper *st, lie_state *s, double h, long long n)
{
    return run_steps(st, st->group, explicit_substep, s, h, n);
}

/* The same with operations that are known when this is compiled, dtau^-1 in closed form; and, of a free body or one in
 * a potential, for rk4 with all of it in registers. Not under the address sanitizer, see separable.c. */
typedef lie_status run_fn(lie_stepper *st, lie_state *s, double h, long long n);
typedef struct instance {
    const lie_ops *G;
    run_fn *run[3], *run_rk4[3], *run_passes[3]; /* by rate_kind */
} instance;

#ifndef __SANITIZE_ADDRESS__
LIE_INLINE lie_status fast_step(lie_stepper *st, const lie_ops *G, rate_kind kind, turn_fn *turn_by, lie_place *at,
                                double h, lie_solve *info)
{
    (void)info;
    const rkmk *w = rkmk_of(st);
    lie_status status = explicit_stages(st, G, kind, 0, w->s, w->used, 0, w->K, at, h);
    return status == LIE_OK ? finish(G, turn_by, w->used, st->tableau->b, 0, w->K, at, h) : status;
}

LIE_INLINE lie_status fast_step_rk4(lie_stepper *st, const lie_ops *G, rate_kind kind, turn_fn *turn_by, lie_place *at,
                                    double h, lie_solve *info)
{
    (void)info;
    double K[4 * 2 * LIE_DIM_MAX];
    lie_status status = explicit_stages(st, G, kind, 0, 4, 4, 1, K, at, h);
    return status == LIE_OK ? finish(G, turn_by, 4, st->tableau->b, 1, K, at, h) : status;
}

LIE_INLINE lie_status fast_passes(lie_stepper *st, const lie_ops *G, rate_kind kind, turn_fn *turn_by, lie_place *at,
                                  double h, lie_solve *info)
{
    const rkmk *w = rkmk_of(st);
    lie_status status = LIE_OK;
    if (!rkmk_passes(st, G, kind, 0, at, h, info)) status = lie__rkmk_solve(st, G, at, h, info);
    return status == LIE_OK ? finish(G, turn_by, w->used, st->tableau->b, 0, w->K, at, h) : status;
}

#define FAST(group, n, elements, product, coadjoint, inverse)                                                          \
    static const lie_ops group##_fast = {.dim = n,                                                                     \
                                         .size = elements,                                                             \
                                         .mul = product,                                                               \
                                         .adt = coadjoint,                                                             \
                                         .tau = group##_tau,                                                           \
                                         .dtauinv = inverse,                                                           \
                                         .move = group##_move};                                                        \
    RATES_RUN(group##_free, fast_step, RATES_FREE, group)                                                              \
    RATES_RUN(group##_potential, fast_step, RATES_POTENTIAL, group)                                                    \
    RATES_RUN(group##_any, fast_step, RATES_ANY, group)                                                                \
    RATES_RUN(group##_free_rk4, fast_step_rk4, RATES_FREE, group)                                                      \
    RATES_RUN(group##_potential_rk4, fast_step_rk4, RATES_POTENTIAL, group)                                            \
    RATES_RUN(group##_free_passes, fast_passes, RATES_FREE, group)                                                     \
    RATES_RUN(group##_potential_passes, fast_passes, RATES_POTENTIAL, group)                                           \
    RATES_RUN(group##_any_passes, fast_passes, RATES_ANY, group)
FAST(s3_exp, 3, 4, s3_mul, so3_adt, so3_exp_dtauinv)
FAST(s3_cay, 3, 4, s3_mul, so3_adt, so3_cay_dtauinv)
FAST(so3_exp, 3, 9, so3_mul, so3_adt, so3_exp_dtauinv)
FAST(so3_cay, 3, 9, so3_mul, so3_adt, so3_cay_dtauinv)
FAST(se3_exp, 6, 12, se3_mul, se3_adt, se3_exp_dtauinv)
FAST(se3_cay, 6, 12, se3_mul, se3_adt, se3_cay_dtauinv)

#define INSTANCE(group)                                                                                                \
    {                                                                                                                  \
        &lie_##group##_ops, {group##_free, group##_potential, group##_any},                                            \
            {group##_free_rk4, group##_potential_rk4, group##_any},                                                    \
        {                                                                                                              \
            group##_free_passes, group##_potential_passes, group##_any_passes                                          \
        }                                                                                                              \
    }
static const instance instances[] = {INSTANCE(s3_exp),  INSTANCE(s3_cay),  INSTANCE(so3_exp),
                                     INSTANCE(so3_cay), INSTANCE(se3_exp), INSTANCE(se3_cay)};
enum { INSTANCES = sizeof instances / sizeof instances[0] };
#else
static const instance instances[] = {{0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
enum { INSTANCES = 0 };
#endif

/* Is this shaped like rk4: 4 stages, each from the one before, and all of them count? */
static int is_like_rk4(const lie_tableau *tab)
{
    if (tab->stages != 4) return 0;
    for (int i = 0; i < 4; i++) {
        if (tab->b[i] == 0.0) return 0;
        for (int j = 0; j < i; j++)
            if ((tab->A[4 * i + j] != 0.0) != (j == i - 1)) return 0;
    }
    return 1;
}

static run_fn *run_of(const lie_stepper *st)
{
    const rkmk *w = rkmk_of(st);
    int is_explicit = lie_tableau_is_explicit(st->tableau);
    for (int i = 0; i < INSTANCES && w->length == 0 && (is_explicit || w->blocks > 0); i++)
        if (st->group == instances[i].G) {
            const instance *I = &instances[i];
            run_fn *const *runs = !is_explicit ? I->run_passes : is_like_rk4(st->tableau) ? I->run_rk4 : I->run;
            return runs[w->r.kind];
        }
    return is_explicit ? run_any : run_implicit;
}

static lie_status prepare(lie_stepper *st)
{
    const lie_tableau *tab = st->tableau;
    rkmk *w = rkmk_of(st);
    int n = st->group->dim, s = tab->stages;
    double *next = st->work + HEAD;
    *w = (rkmk){.s = s, .n = n, .used = s, .length = st->options.terms};
    rates_prepare(&w->r, st, next);
    next += rates_doubles(st);
    w->K = next, next += 2 * s * n;
    w->x = next;
    w->D = w->x + 2 * s * n;
    w->newton_work = w->D + 4 * n * n;
    w->blocks = lie__rkmk_blocks(st);
    if (w->blocks > 0) {
        w->weight = w->x + lie__rkmk_solve_doubles(s, n), w->next = w->weight + 2 * n;
        lie__rkmk_prepare_passes(w, st);
    }
    while (lie_tableau_is_explicit(tab) && w->used > 1 && tab->b[w->used - 1] == 0.0) w->used--;
    st->run = run_of(st);
    return LIE_OK;
}

const lie_family lie__rkmk = {.doubles = doubles, .prepare = prepare, .memory = memory, .takes_terms = 1, .inverse = 1};
