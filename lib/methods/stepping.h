/* SPDX-License-Identifier: MIT */
/* stepping.h: what the families of methods share: the loop over steps and substeps, the move of a step. Internal. */
#ifndef LIESTEP_LIB_STEPPING_H
#define LIESTEP_LIB_STEPPING_H

#include <liestep/family.h>

#include "lib/methods/kick.h"
#include "lib/methods/parts.h"
#include "lib/methods/stepper_object.h"

/* What a stepper with these options would need, before there is one. Status: that of lie_stepper_init. */
typedef struct stepper_needs {
    size_t bytes; /* lie_stepper_memsize */
    int memory;   /* lie_stepper_memory_count */
    const lie_family *family;
} stepper_needs;
lie_status lie__stepper_needs(stepper_needs *out, const lie_system *sys, const lie_options *opt);

/* lie_method_takes, and why not. The report may be null. */
lie_status lie__method_explain(lie_report *r, const lie_method *m, const lie_system *sys);

/* The next step begins once more at s, where the last one began: like lie_stepper_reset, but what helps is kept. */
void lie__stepper_again(lie_stepper *st, const lie_state *s);

/* The default of lie_ops.legendre: Newton's method with the analytic Jacobian. */
extern const lie_legendre lie__legendre_newton;

/* st->run of families that do not set it. */
lie_status lie__family_run(lie_stepper *st, lie_state *s, double h, long long n);

extern const lie_family lie__separable, lie__vprk0, lie__vprk, lie__dmv, lie__split, lie__turns;
extern const lie_family lie__rk4_q, lie__rk4_q_raw, lie__rk4_R, lie__rk4_mrp, lie__rk4_fossen;
extern const lie_family lie__coadjoint, lie__akw, lie__newmark;
extern const lie_family lie__discrete;
extern const lie_method lie__method_discrete; /* that of lie_options.discrete; it is in no list */
extern const lie_family lie__rkmk, lie__commfree, lie__pirk, lie__embedded;

/* The group is projected back to itself every so many steps: a power of two. Its elements are then never further from
 * it than the rounding of that many products. Where the group's own move carries the rounding there is less to mend,
 * and the rounding of the projection itself, which has a bias, should come less often. */
enum { PROJECT_EVERY = 32, PROJECT_CARRIED_EVERY = 1024 };

/* The control at the fraction `at` of the step, linear from u- to u+, in u; null if there is none. */
static inline const double *control_at(const lie_stepper *st, double *u, double at)
{
    const double *a = st->u_minus, *b = st->u_plus;
    if (!a && !b) return 0;
    for (int i = 0; i < st->system->controls; i++) u[i] = (a ? (1.0 - at) * a[i] : 0.0) + (b ? at * b[i] : 0.0);
    return u;
}

/* The same at the fraction c of the substep. */
static inline const double *control_in(const lie_stepper *st, const lie_place *at, double *u, double c)
{
    return control_at(st, u, at->from + c * (at->to - at->from));
}

/* g <- g tau(x), m <- Ad*_{tau(x)} m through the group's own move or from its parts */
LIE_INLINE lie_status move(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, const double *x)
{
    if (G->move) return G->move(G, g, low_g, m, low_m, x);
    double T[LIE_SIZE_MAX];
    lie_status status = G->tau(G, T, x);
    if (status != LIE_OK) return status;
    G->mul(G, g, g, T);
    for (int i = 0; i < G->dim; i++) m[i] += low_m[i], low_m[i] = 0.0;
    G->Adt(G, m, T, m);
    return all_finite(G->dim, m) && all_finite(G->size, g) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* The numbers that make up a state. */
LIE_INLINE void place_copy(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, const double *from_g,
                           const double *from_low_g, const double *from_m, const double *from_low_m)
{
    copy_n(G->size, g, from_g);
    copy_n(G->size, low_g, from_low_g);
    copy_n(G->dim, m, from_m);
    copy_n(G->dim, low_m, from_low_m);
}

/* How much coarser than rounding a residual is that holds the tangent of G, and its derivative, where these are
 * differences (lie_ops.differences; accuracy: groups/differences.c) */
static inline double tangent_grain(const lie_ops *G, int with_derivative)
{
    return G->differences == LIE_EXACT                                   ? 1.0
           : G->differences == LIE_DIFFERENCES_OF_TAU && with_derivative ? 256.0
                                                                         : 8.0;
}

/* Bring g back to the group, and the force there. Both work on copies, so that the address of g stays known here and g
 * can live in registers. */
LIE_INLINE lie_status project(const lie_stepper *st, const lie_ops *G, double *g)
{
    double near[LIE_SIZE_MAX];
    copy_n(G->size, near, g);
    lie_status status = st->group->project(st->group, near, near);
    if (status == LIE_OK) copy_n(G->size, g, near);
    return status;
}

LIE_INLINE void force_at(const lie_stepper *st, const lie_ops *G, double *F, const double *g)
{
    double at[LIE_SIZE_MAX];
    copy_n(G->size, at, g);
    st->system->force(st->system, F, at);
}

/* The bits of g have changed. */
LIE_INLINE void tell_moved(lie_stepper *st)
{
    if (st->family->moved) st->family->moved(st);
}

/* What a run keeps in registers: the state and its statistics. */
typedef struct track {
    double t, low_t;
    long long steps, iterations;
    lie_solve last;
    int most;
    double worst;
} track;

/* `count` steps, each of the substeps of the method's composition. Returns how many were taken. */
LIE_INLINE int take_steps(lie_stepper *st, const lie_ops *G, lie_substep_fn *substep, lie_place *at, track *run,
                          double h, int count, lie_status *status)
{
    static const double whole[1] = {1.0};
    const double *gamma = st->composition ? st->composition->gamma : whole;
    int stages = st->composition ? st->composition->stages : 1;
    for (int k = 0; k < count; k++) {
        twofold next = sum_exact(run->t, h + run->low_t);
        lie_solve info = {st->options.max_iterations, 0, 0.0};
        *status = next.hi == run->t ? LIE_ERR_TIME : LIE_OK;
        at->from = 0.0;
        for (int i = 0; i < stages && *status == LIE_OK; i++) {
            at->to = i == stages - 1 ? 1.0 : at->from + gamma[i];
            at->t = run->t + at->from * h;
            *status = substep(st, G, at, gamma[i] * h, &info);
            at->from = at->to;
        }
        if (*status != LIE_OK) return k;
        run->t = next.hi, run->low_t = next.lo;
        run->iterations += info.iterations;
        run->most = info.iterations > run->most ? info.iterations : run->most;
        run->worst = info.residual > run->worst ? info.residual : run->worst;
        run->last = info;
    }
    return count;
}

/* take_steps, or something faster with the same bits */
typedef int take_fn(lie_stepper *st, const lie_ops *G, lie_substep_fn *substep, lie_place *at, track *run, double h,
                    int count, lie_status *status);

/* n steps, in blocks from projection to projection. A step that fails leaves no trace: the block is taken again up to
 * there, which gives the same bits and costs nothing where nothing fails. */
LIE_INLINE lie_status run_blocks(lie_stepper *st, const lie_ops *G, take_fn *take, lie_substep_fn *substep,
                                 lie_state *s, double h, long long n)
{
    double g[LIE_SIZE_MAX], low_g[LIE_SIZE_MAX], m[LIE_DIM_MAX], low_m[LIE_DIM_MAX], kept[LIE_MEMORY_MAX];
    const state_parts to = parts_of(s);
    lie_statistics *counted = &st->statistics;
    track run = {
        s->t, s->low_t, s->steps, counted->iterations, counted->last, counted->iterations_max, counted->residual_max};
    lie_place at = {s->t, 0.0, 1.0, g, low_g, m, low_m};
    lie_status status = LIE_OK;
    double *memory = st->memory;
    const size_t memory_bytes = (size_t)st->memory_count * sizeof(double);
    place_copy(G, g, low_g, m, low_m, to.g, to.low_g, to.m, to.low_m);
    while (n > 0 && status == LIE_OK) {
        int every = G->move ? PROJECT_CARRIED_EVERY : PROJECT_EVERY;
        int to_projection = every - (int)(run.steps % every);
        int count = n < to_projection ? (int)n : to_projection;
        track start = run;
        memcpy(kept, memory, memory_bytes);
        int taken = take(st, G, substep, &at, &run, h, count, &status);
        if (status == LIE_OK && count == to_projection && !st->unprojected) {
            status = project(st, G, g);
            taken -= status != LIE_OK;
            tell_moved(st);
        }
        if (status != LIE_OK) {
            lie_status again;
            place_copy(G, g, low_g, m, low_m, to.g, to.low_g, to.m, to.low_m);
            memcpy(memory, kept, memory_bytes);
            tell_moved(st);
            run = start;
            take(st, G, substep, &at, &run, h, taken, &again);
        }
        run.steps += taken;
        n -= taken;
        place_copy(G, to.g, to.low_g, to.m, to.low_m, g, low_g, m, low_m);
    }
    s->t = run.t, s->low_t = run.low_t, s->steps = run.steps;
    *counted = (lie_statistics){run.last, run.iterations, run.most, run.worst};
    return status;
}

LIE_INLINE lie_status run_steps(lie_stepper *st, const lie_ops *G, lie_substep_fn *substep, lie_state *s, double h,
                                long long n)
{
    return run_blocks(st, G, take_steps, substep, s, h, n);
}

#endif
