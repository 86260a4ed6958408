/* SPDX-License-Identifier: MIT */
/* separable.c: Euler-Poincare, variational Euler and Stoermer-Verlet for l = 1/2 <I xi, xi> - V(g).
 *
 *     P = m + a h F(g)                       a, b: ep 0, 0;  ve_fwd 1, 0;  ve_bwd 0, 1;  sv 1/2, 1/2
 *     (dtau^-1_{h xi})^T I xi = P            the one implicit equation: lie_legendre of the group
 *     g+ = g tau(h xi)
 *     m+ = Ad*_{tau(h xi)} P + b h F(g+)
 *
 * Symplectic; the spatial momentum changes by the spatial impulses to round-off; sv and ep are self-adjoint for every
 * retraction. One force and one solve per step: sv keeps F(g+) for the next step of the same run, but no longer, as
 * the parameters of the system may change between runs. External forces: separable_forced.h.
 * Systems with a gyroscopic term or a general Lagrangian are carried out by vprk.c with the tableau of the same method.
 *
 * The step is written once. For the built-in groups that have a short cut for the implicit equation it is compiled
 * again with their operations as constants; all others call through lie_ops. The results are the same to the bit.
 *
 * References: Bou-Rabee & Marsden 2009, (4.14) to (4.21), in the node variables of docs/METHODS.md. */
#include <liestep/s3.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

#include "groups/step/se3_step.h"
#include "groups/step/so3_step.h"
#include "lib/methods/families.h"
#include "lib/methods/variational/discrete.h"
#include "lib/methods/variational/separable_forced.h"
#include "lib/methods/variational/tangent.h"

enum { HEAD = (sizeof(separable) + sizeof(double) - 1) / sizeof(double) };

static int memory(const lie_stepper *st)
{
    return separable_end(st->group->dim) + st->group->size + (is_chord(st, st->group) ? FORCED_MEMORY : 0);
}

/* Where the last step ended. */
static double *end_of(const lie_stepper *st)
{
    return st->memory + separable_end(st->group->dim);
}

enum { FORCED_HEAD = (sizeof(forced_parts) + sizeof(double) - 1) / sizeof(double) };

static int forced_doubles(const lie_stepper *st)
{
    int n = st->group->dim;
    if (!st->is.has_external) return 0;
    return FORCED_HEAD + n + st->system->controls + lie__separable_newton_doubles(n) +
           (st->is.is_vessel ? VESSEL_DOUBLES : 0);
}

static int doubles(const lie_stepper *st)
{
    const lie_ops *G = st->group;
    return HEAD + G->dim + lie_legendre_of(G)->doubles(G) + forced_doubles(st);
}

/* g <- g tau(h xi), P <- Ad*_{tau(h xi)} P with the xi that belongs to P */
LIE_INLINE lie_status free_step(lie_stepper *st, const lie_ops *G, double *g, double *low_g, double *P, double *low_P,
                                double h, lie_solve *info)
{
    separable *w = separable_of(st);
    const lie_legendre *L = G->legendre ? G->legendre : &lie__legendre_newton;
    double xi[LIE_DIM_MAX], x[LIE_DIM_MAX];
    lie_status status = LIE_OK;
    if (L->free_step) {
        if (st->memory[SEPARABLE_H] != h) zero_n(LIE_FREE_STEP_MEMORY, st->memory + SEPARABLE_PAST);
        st->memory[SEPARABLE_H] = h;
        return L->free_step(G, g, low_g, P, low_P, h, w->data, st->memory + SEPARABLE_PAST, info);
    }
    if (L->wants_guess) status = first_guess(st, G, w, xi, h, g, P);
    if (status == LIE_OK) status = L->solve(G, xi, h, w->data, P, info);
    if (status != LIE_OK) return status;
    for (int i = 0; i < G->dim; i++) x[i] = h * xi[i];
    status = move(G, g, low_g, P, low_P, x);
    if (status == LIE_OK && L->wants_guess) remember(G->dim, st->memory, h, xi);
    return status;
}

LIE_INLINE lie_status separable_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    separable *w = separable_of(st);
    if (w->before != 0.0) {
        if (!w->known) own_force(st, G, at->g);
        kick(G->dim, at->m, at->low_m, w->before * h, w->F);
    }
    w->known = 0;
    lie_status status = free_step(st, G, at->g, at->low_g, at->m, at->low_m, h, info);
    if (status != LIE_OK || w->after == 0.0) return status;
    own_force(st, G, at->g);
    w->known = 1;
    kick(G->dim, at->m, at->low_m, w->after * h, w->F);
    return all_finite(G->dim, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* take_steps for a free body whose group has a free step, without composition: nothing but that and the time, all in
 * locals. */
enum { FREE_DIM = 6, FREE_SIZE = 12 };
LIE_INLINE int take_free_steps(lie_stepper *st, const lie_ops *G, lie_substep_fn *substep, lie_place *at, track *run,
                               double h, int count, lie_status *status)
{
    separable *w = separable_of(st);
    double memory[LIE_FREE_STEP_MEMORY], g[FREE_SIZE], low_g[FREE_SIZE], m[FREE_DIM], low_m[FREE_DIM];
    double t = run->t, low_t = run->low_t;
    lie_solve info = {st->options.max_iterations, 0, 0.0};
    int k, most = run->most, last = run->last.iterations;
    (void)substep;
    if (st->memory[SEPARABLE_H] != h) zero_n(LIE_FREE_STEP_MEMORY, st->memory + SEPARABLE_PAST);
    st->memory[SEPARABLE_H] = h;
    copy_n(LIE_FREE_STEP_MEMORY, memory, st->memory + SEPARABLE_PAST);
    place_copy(G, g, low_g, m, low_m, at->g, at->low_g, at->m, at->low_m);
    *status = LIE_OK;
    for (k = 0; k < count; k++) {
        twofold next = sum_exact(t, h + low_t);
        int before = info.iterations;
        *status =
            next.hi == t ? LIE_ERR_TIME : G->legendre->free_step(G, g, low_g, m, low_m, h, w->data, memory, &info);
        if (*status != LIE_OK) break;
        t = next.hi, low_t = next.lo;
        last = info.iterations - before;
        most = last > most ? last : most;
    }
    copy_n(LIE_FREE_STEP_MEMORY, st->memory + SEPARABLE_PAST, memory);
    place_copy(G, at->g, at->low_g, at->m, at->low_m, g, low_g, m, low_m);
    run->t = t, run->low_t = low_t, run->most = most;
    run->worst = info.residual > run->worst ? info.residual : run->worst;
    run->iterations += info.iterations;
    run->last = (lie_solve){info.cap, last, info.residual};
    return k;
}

static void moved(lie_stepper *st)
{
    separable_of(st)->known = 0;
}

static void again(lie_stepper *st, const lie_state *s)
{
    moved(st);
    copy_n(st->group->size, end_of(st), lie_state_g(s));
}

/* forced: with the substep of separable_forced.h */
LIE_INLINE lie_status separable_run(const lie_ops *G, int forced, lie_stepper *st, lie_state *s, double h, long long n)
{
    separable *w = separable_of(st);
    const double *g = lie_state_g(s);
    w->known = 0;
    if (memcmp(end_of(st), g, (size_t)G->size * sizeof(double)) != 0)
        st->memory[SEPARABLE_H] = st->memory[SEPARABLE_COUNT] = 0.0;
    int is_free = w->before == 0.0 && w->after == 0.0 && !st->composition;
    if (forced) vessel_now(st);
    int has_free_step = G->legendre && G->legendre->free_step && G->dim <= FREE_DIM && G->size <= FREE_SIZE;
    lie_status status = forced                     ? run_or_follow(st, G, take_steps, forced_substep, s, h, n)
                        : is_free && has_free_step ? run_or_follow(st, G, take_free_steps, separable_substep, s, h, n)
                                                   : run_or_follow(st, G, take_steps, separable_substep, s, h, n);
    copy_n(G->size, end_of(st), g);
    return status;
}

typedef lie_status run_fn(lie_stepper *st, lie_state *s, double h, long long n);
typedef struct instance {
    const lie_ops *G;
    run_fn *free, *forced; /* without and with an external force */
} instance;

static lie_status run_any(lie_stepper *st, lie_state *s, double h, long long n)
{
    return separable_run(st->group, 0, st, s, h, n);
}

static lie_status run_any_forced(lie_stepper *st, lie_state *s, double h, long long n)
{
    return separable_run(st->group, 1, st, s, h, n);
}

/* The only substep of its run. */
static lie_status substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    if (!st->is.has_external) return separable_substep(st, G, at, h, info);
    vessel_now(st);
    return forced_substep(st, G, at, h, info);
}

/* The same with operations that are known when this is compiled. A compiler that puts checks into all of it would take
 * minutes: under the address sanitizer all groups go through their pointers. */
#ifndef __SANITIZE_ADDRESS__
#define FAST(name, n, elements)                                                                                        \
    static const lie_ops name##_fast = {                                                                               \
        .dim = n, .size = elements, .move = name##_move, .legendre = &name##_legendre};                                \
    static lie_status run_##name(lie_stepper *st, lie_state *s, double h, long long steps)                             \
    {                                                                                                                  \
        return separable_run(&name##_fast, 0, st, s, h, steps);                                                        \
    }                                                                                                                  \
    static lie_status run_##name##_forced(lie_stepper *st, lie_state *s, double h, long long steps)                    \
    {                                                                                                                  \
        return separable_run(&name##_fast, 1, st, s, h, steps);                                                        \
    }
FAST(s3_cay, 3, 4)
FAST(s3_exp, 3, 4)
FAST(so3_cay, 3, 9)
FAST(so3_exp, 3, 9)
FAST(se3_cay, 6, 12)

#define INSTANCE(name)                                                                                                 \
    {                                                                                                                  \
        &lie_##name##_ops, run_##name, run_##name##_forced                                                             \
    }
static const instance instances[] = {INSTANCE(s3_cay), INSTANCE(s3_exp), INSTANCE(so3_cay), INSTANCE(so3_exp),
                                     INSTANCE(se3_cay)};
enum { INSTANCES = sizeof instances / sizeof instances[0] };
#else
static const instance instances[] = {{0, 0, 0}};
enum { INSTANCES = 0 };
#endif

static void prepare_forced(lie_stepper *st, int forced)
{
    int n = st->group->dim;
    forced_parts *p = (forced_parts *)(st->work + forced);
    double *next = st->work + forced + FORCED_HEAD;
    separable_of(st)->forced = forced;
    p->weight = next, next += n;
    p->u = next, next += st->system->controls;
    p->newton = next, next += lie__separable_newton_doubles(n);
    p->vessel = st->is.is_vessel ? next : 0;
    for (int i = 0; i < n; i++) p->weight[i] = 1.0 / st->system->inertia[i * n + i];
}

static lie_status prepare(lie_stepper *st)
{
    const lie_ops *G = st->group;
    const lie_tableau *tab = st->tableau;
    separable *w = separable_of(st);
    *w = (separable){.F = st->work + HEAD};
    w->data = w->F + G->dim;
    memset(w->F, 0, (size_t)(doubles(st) - HEAD) * sizeof(double));
    if (st->system->force) {
        /* the kick before is the weight of stage g, that after the weight of stage g+ */
        for (int i = 0; i < tab->stages; i++) *(tab->c[i] == 0.0 ? &w->before : &w->after) += tab->b[i];
    }
    const int forced = st->is.has_external;
    if (forced) prepare_forced(st, HEAD + G->dim + lie_legendre_of(G)->doubles(G));
    st->run = forced ? run_any_forced : run_any;
    for (int i = 0; i < INSTANCES; i++)
        if (G == instances[i].G) st->run = forced ? instances[i].forced : instances[i].free;
    return lie_legendre_of(G)->prepare(G, w->data, st->system->inertia);
}

void lie__separable_weights(const lie_stepper *st, double *before, double *after)
{
    *before = separable_of(st)->before;
    *after = separable_of(st)->after;
}

const double *lie__separable_data(const lie_stepper *st)
{
    return separable_of(st)->data;
}

/* A gyroscopic term or a general Lagrangian makes the force of the Lagrangian itself implicit. */
static const lie_family *instead(const lie_stepper *st)
{
    return st->is.quadratic ? &lie__separable : &lie__vprk0;
}

const lie_family lie__separable = {.instead = instead,
                                   .doubles = doubles,
                                   .prepare = prepare,
                                   .memory = memory,
                                   .moved = moved,
                                   .again = again,
                                   .substep = substep,
                                   .tangent = lie__separable_tangent,
                                   .tangent_doubles = lie__separable_tangent_doubles,
                                   .values = lie__separable_values};
