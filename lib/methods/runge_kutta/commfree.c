/* SPDX-License-Identifier: MIT */
/* commfree.c: commutator-free and Crouch-Grossman methods, for any system: products of exponentials, no dtau^-1.
 *
 *     G_i = g exp(h sum_j a_j xi_j) exp(...) ...,     xi_i = velocity of M_i at G_i
 *     M_i = m + h sum_j A_ij m'_j,                    m'_i = ad*_xi M + F + f there
 *     g+  = g exp(h sum_j b_j xi_j) exp(...) ...,     m+ = m + h sum_j B_j m'_j
 *
 * with the moves of commfree.def and A, B their sums: on the flat m all exponentials are sums. Nothing is kept but the
 * group. With a retraction that is not exp the products are those of its steps, and tau(x) = exp(x + O(x^3)) leaves
 * order 2. Controls are interpolated linearly, times are t + c_i h.
 *
 * Cost: one rate per stage, one tau per move, and no tau before the last moves where nothing depends on g. For SO(3),
 * S3 and SE(3) with exp the step is compiled again with their operations as constants, with the same bits.
 *
 * References: in commfree.def. */
#include <liestep/s3.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

#include "groups/num/finite.h"
#include "groups/step/se3_step.h"
#include "lib/methods/runge_kutta/stages.h"

enum { STAGES = 5 };

/* element `to` = element `from` times tau(h sum_j a_j xi_j) */
typedef struct scheme_move {
    int from, to;
    double a[STAGES];
} scheme_move;

typedef struct scheme {
    const char *name;
    int stages, moves;
    const scheme_move *move;
} scheme;

#define LIST(...) __VA_ARGS__
#define SCHEME(name, stages, order, moves, source) static const scheme_move name##_moves[] = {moves};
#include "lib/methods/tables/commfree.def"
#undef SCHEME
#define SCHEME(name, stages, order, moves, source)                                                                     \
    {#name, stages, sizeof name##_moves / sizeof name##_moves[0], name##_moves},
static const scheme schemes[] = {
#include "lib/methods/tables/commfree.def"
};
#undef SCHEME

/* In the work memory, followed by what the pointers point to. */
typedef struct commfree {
    rates r;
    const scheme *plan;
    int last;                                   /* the first of the moves to g+ */
    double A[(STAGES + 1) * STAGES], c[STAGES]; /* the tableau of the momentum, its weights in the last row */
    double *K;                                  /* stages x 2n: xi, m' */
    double *elements;                           /* stages x size, if anything depends on g */
} commfree;

enum { HEAD = (sizeof(commfree) + sizeof(double) - 1) / sizeof(double) };

static commfree *of(const lie_stepper *st)
{
    return (commfree *)st->work;
}

static const scheme *scheme_of(const lie_stepper *st)
{
    const scheme *plan = schemes;
    while (strcmp(plan->name, st->method->name) != 0) plan++; /* every row of this family in methods.def has one */
    return plan;
}

static int doubles(const lie_stepper *st)
{
    return HEAD + rates_doubles(st) + scheme_of(st)->stages * (2 * st->group->dim + st->group->size);
}

/* x = h sum_j a_j xi_j */
LIE_INLINE void move_vector(const lie_ops *G, const double *K, int s, double *x, double h, const scheme_move *by)
{
    weighted_sum(G->dim, x, s, h, by->a, 0, K, 2 * G->dim);
}

/* Take the moves to stage i, beginning with `by`; answers the first move after them. */
LIE_INLINE const scheme_move *place_stage(const lie_ops *G, double *elements, const double *K, const scheme_move *by,
                                          int i, double h, lie_status *status)
{
    double x[LIE_DIM_MAX], T[LIE_SIZE_MAX];
    for (; by->to == i; by++) {
        if (*status != LIE_OK) continue;
        move_vector(G, K, i, x, h, by);
        *status = G->tau(G, T, x);
        if (*status == LIE_OK) G->mul(G, elements + i * G->size, elements + by->from * G->size, T);
    }
    return by;
}

/* K at all stages */
LIE_INLINE lie_status take_stages(lie_stepper *st, const lie_ops *G, rate_kind kind, const lie_place *at, double h)
{
    commfree *w = of(st);
    const scheme_move *by = w->plan->move;
    double sum[LIE_DIM_MAX], m[LIE_DIM_MAX], xi[LIE_DIM_MAX], rate[LIE_DIM_MAX];
    int n = G->dim;
    lie_status status = LIE_OK;
    if (kind != RATES_FREE) copy_n(G->size, w->elements, at->g);
    for (int i = 0; i < w->plan->stages; i++) {
        if (kind != RATES_FREE) by = place_stage(G, w->elements, w->K, by, i, h, &status);
        if (status != LIE_OK) return status;
        weighted_sum(n, sum, i, h, w->A + i * STAGES, 0, w->K + n, 2 * n);
        stage_momentum(n, m, at, sum);
        status = rate_at(st, G, kind, &w->r, xi, rate, at, h, w->c[i], w->elements + i * G->size, m);
        if (status != LIE_OK) return status;
        copy_n(n, w->K + 2 * i * n, xi);
        copy_n(n, w->K + 2 * i * n + n, rate);
    }
    return LIE_OK;
}

LIE_INLINE lie_status step(lie_stepper *st, const lie_ops *G, rate_kind kind, turn_fn *turn_by, lie_place *at, double h,
                           lie_solve *info)
{
    (void)info;
    const commfree *w = of(st);
    double sum[LIE_DIM_MAX], x[LIE_DIM_MAX];
    int n = G->dim, s = w->plan->stages;
    lie_status status = take_stages(st, G, kind, at, h);
    for (int k = w->last; k < w->plan->moves && status == LIE_OK; k++) {
        move_vector(G, w->K, s, x, h, &w->plan->move[k]);
        status = turn_element(G, turn_by, at->g, at->low_g, x);
    }
    if (status != LIE_OK) return status;
    weighted_sum(n, sum, s, h, w->A + s * STAGES, 0, w->K + n, 2 * n);
    kick(n, at->m, at->low_m, 1.0, sum);
    return all_finite(n, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

typedef lie_status run_fn(lie_stepper *st, lie_state *s, double h, long long n);

static lie_status any_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    (void)info;
    return step(st, G, of(st)->r.kind, 0, at, h, info);
}

static lie_status run_any(lie_stepper *st, lie_state *s, double h, long long n)
{
    return run_steps(st, st->group, any_substep, s, h, n);
}

#ifndef __SANITIZE_ADDRESS__
#define FAST(group, n, elements, product, coadjoint)                                                                   \
    static const lie_ops group##_fast = {                                                                              \
        .dim = n, .size = elements, .mul = product, .adt = coadjoint, .tau = group##_tau, .move = group##_move};       \
    RATES_RUN(group##_free, step, RATES_FREE, group)                                                                   \
    RATES_RUN(group##_potential, step, RATES_POTENTIAL, group)                                                         \
    RATES_RUN(group##_any, step, RATES_ANY, group)                                                                     \
    static run_fn *const group##_runs[] = {group##_free, group##_potential, group##_any}; /* by rate_kind */
FAST(s3_exp, 3, 4, s3_mul, so3_adt)
FAST(so3_exp, 3, 9, so3_mul, so3_adt)
FAST(se3_exp, 6, 12, se3_mul, se3_adt)

static run_fn *run_of(const lie_ops *G, rate_kind kind)
{
    if (G == &lie_s3_exp_ops) return s3_exp_runs[kind];
    if (G == &lie_so3_exp_ops) return so3_exp_runs[kind];
    return G == &lie_se3_exp_ops ? se3_exp_runs[kind] : run_any;
}
#else
static run_fn *run_of(const lie_ops *G, rate_kind kind)
{
    (void)G, (void)kind;
    return run_any;
}
#endif

/* A, B and c from the moves */
static void sum_moves(commfree *w)
{
    const scheme *plan = w->plan;
    for (int k = 0; k < plan->moves; k++) {
        const scheme_move *by = &plan->move[k];
        w->last += by->to < plan->stages;
        for (int j = 0; j < plan->stages; j++) w->A[by->to * STAGES + j] = w->A[by->from * STAGES + j] + by->a[j];
    }
    for (int i = 0; i < plan->stages; i++)
        for (int j = 0; j < i; j++) w->c[i] += w->A[i * STAGES + j];
}

static lie_status prepare(lie_stepper *st)
{
    commfree *w = of(st);
    double *next = st->work + HEAD;
    *w = (commfree){.plan = scheme_of(st)};
    sum_moves(w);
    rates_prepare(&w->r, st, next);
    w->K = next + rates_doubles(st);
    w->elements = w->K + 2 * w->plan->stages * st->group->dim;
    st->run = run_of(st->group, w->r.kind);
    return LIE_OK;
}

const lie_family lie__commfree = {.doubles = doubles, .prepare = prepare, .inverse = 1};
