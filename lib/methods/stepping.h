/* SPDX-License-Identifier: MIT */
/* stepping.h: what the families of methods share: the node of a run, the loop over steps and substeps, sums that carry
 * their rounding. Internal. */
#ifndef LIESTEP_LIB_STEPPING_H
#define LIESTEP_LIB_STEPPING_H

#include "lib/methods/kick.h"
#include "lib/methods/parts.h"
#include "lib/methods/stepper_object.h"

/* Where a step stands. Pointers into the state of the run, or into a copy of it. */
typedef struct node {
    double t;
    double from, to; /* the part of the step that the substep covers, in units of h: 0 and 1 without composition */
    double *g, *low_g, *m, *low_m;
} node;

/* One substep of length h from `at`, in place. On failure anything may be left there. */
typedef lie_status substep_fn(lie_stepper *st, const lie_ops *G, node *at, double h, lie_solve *info);

/* The discrete Lagrangian of the method between two configurations (liestep/discrete.h): all of *out, in which
 * solve.cap is set. On failure anything may be left there. */
struct lie_discrete_values;
typedef lie_status values_fn(lie_stepper *st, struct lie_discrete_values *out, double t, const double *g0,
                             const double *g1, double h);

/* How a family of methods is carried out. */
struct lie_family {
    /* doubles of work memory; 0 where they would overflow an int */
    int (*doubles)(const lie_stepper *st);
    /* once, at init: fills the work memory, sets st->run */
    lie_status (*prepare)(lie_stepper *st);
    /* what was learnt, see lie_stepper_memory_get: at most MEMORY_MAX doubles */
    double *(*memory)(const lie_stepper *st, int *count);
    /* forget what belongs to the bits of g: they have changed */
    void (*moved)(lie_stepper *st);
    /* May be null: the next step begins where the last one did, at s, with another length; what was learnt is a
     * guess */
    void (*again)(lie_stepper *st, const lie_state *s);
    /* The derivative of the substep that has just led from `from` to `to`: T (2 n x 2 n), with work of tangent_doubles.
     * May be null, the three together: differences then. */
    substep_fn *substep;
    lie_status (*tangent)(lie_stepper *st, const node *from, const node *to, double h, double *T, double *work);
    int (*tangent_doubles)(const lie_stepper *st);
    values_fn *values; /* may be null: not offered */
};

/* Is this one of the groups that lie__embedded is for? */
int lie__embedded_takes(const lie_ops *G);

/* lie_stepper_memsize and lie_stepper_memory_count of a stepper with these options, before there is one. Status: that
 * of lie_stepper_init. */
lie_status lie__stepper_needs(const lie_system *sys, const lie_options *opt, size_t *bytes, int *learns);

/* lie_method_takes, and why not. The report may be null. */
lie_status lie__method_explain(lie_report *r, const lie_method *m, const lie_system *sys);

/* The next step begins once more at s, where the last one began: like lie_stepper_reset, but what helps is kept. */
void lie__stepper_again(lie_stepper *st, const lie_state *s);

/* The default of lie_ops.legendre: Newton's method with the analytic Jacobian. */
extern const lie_legendre lie__legendre_newton;

/* a and b of separable.c: the weights of the kicks before and after the free step */
void lie__separable_weights(const lie_stepper *st, double *before, double *after);

/* what its Legendre transform knows of the inertia */
const double *lie__separable_data(const lie_stepper *st);

/* The inverse of the inertia that the flat methods (flat_rk.c) work with, of a system that has a constant one. */
const double *lie__flat_inverse(const lie_stepper *st, int *is_diagonal_too);

extern const struct lie_family lie__separable, lie__vprk0, lie__vprk, lie__dmv, lie__split, lie__turns;
extern const struct lie_family lie__rk4_q, lie__rk4_q_raw, lie__rk4_R, lie__rk4_mrp, lie__rk4_fossen;
extern const struct lie_family lie__coadjoint, lie__akw, lie__newmark;
extern const struct lie_family lie__discrete;
extern const lie_method lie__method_discrete; /* that of lie_options.discrete; it is in no list */
extern const struct lie_family lie__rkmk, lie__commfree, lie__pirk, lie__embedded;

/* The group is projected back to itself every so many steps: a power of two. Its elements are then never further from
 * it than the rounding of that many products. Where the group's own move carries the rounding there is less to mend,
 * and the rounding of the projection itself, which has a bias, should come less often. */
enum { PROJECT_EVERY = 32, PROJECT_CARRIED_EVERY = 1024, MEMORY_MAX = 9 + 14 * 8 + HISTORY * LIE_DIM_MAX + LIE_SIZE_MAX };

/* The control at the fraction `at` of the step, linear from u- to u+, in u; null if there is none. */
static inline const double *control_at(const lie_stepper *st, double *u, double at)
{
    const double *a = st->u_minus, *b = st->u_plus;
    if (!a && !b) return 0;
    for (int i = 0; i < st->system->controls; i++) u[i] = (a ? (1.0 - at) * a[i] : 0.0) + (b ? at * b[i] : 0.0);
    return u;
}

/* The same at the fraction c of the substep. */
static inline const double *control_in(const lie_stepper *st, const node *at, double *u, double c)
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
LIE_INLINE void node_copy(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, const double *from_g,
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

/* What a run keeps in registers: the state and its statistics. */
typedef struct track {
    double t, low_t;
    long long steps, iterations;
    lie_solve last;
    int most;
    double worst;
} track;

/* `count` steps, each of the substeps of the method's composition. Returns how many were taken. */
LIE_INLINE int take_steps(lie_stepper *st, const lie_ops *G, substep_fn *substep, node *at, track *run, double h,
                          int count, lie_status *status)
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
typedef int take_fn(lie_stepper *st, const lie_ops *G, substep_fn *substep, node *at, track *run, double h, int count,
                    lie_status *status);

/* n steps, in blocks from projection to projection. A step that fails leaves no trace: the block is taken again up to
 * there, which gives the same bits and costs nothing where nothing fails. */
LIE_INLINE lie_status run_blocks(lie_stepper *st, const lie_ops *G, take_fn *take, substep_fn *substep, lie_state *s,
                                 double h, long long n)
{
    double g[LIE_SIZE_MAX], low_g[LIE_SIZE_MAX], m[LIE_DIM_MAX], low_m[LIE_DIM_MAX], kept[MEMORY_MAX];
    const state_parts to = parts_of(s);
    lie_statistics *counted = &st->statistics;
    track run = {
        s->t, s->low_t, s->steps, counted->iterations, counted->last, counted->iterations_max, counted->residual_max};
    node at = {s->t, 0.0, 1.0, g, low_g, m, low_m};
    lie_status status = LIE_OK;
    int memory_count;
    double *memory = st->family->memory(st, &memory_count);
    node_copy(G, g, low_g, m, low_m, to.g, to.low_g, to.m, to.low_m);
    while (n > 0 && status == LIE_OK) {
        int every = G->move ? PROJECT_CARRIED_EVERY : PROJECT_EVERY;
        int to_projection = every - (int)(run.steps % every);
        int count = n < to_projection ? (int)n : to_projection;
        track start = run;
        memcpy(kept, memory, (size_t)memory_count * sizeof *kept);
        int taken = take(st, G, substep, &at, &run, h, count, &status);
        if (status == LIE_OK && count == to_projection && !st->unprojected) {
            status = project(st, G, g);
            taken -= status != LIE_OK;
            st->family->moved(st);
        }
        if (status != LIE_OK) {
            lie_status again;
            node_copy(G, g, low_g, m, low_m, to.g, to.low_g, to.m, to.low_m);
            memcpy(memory, kept, (size_t)memory_count * sizeof *kept);
            st->family->moved(st);
            run = start;
            take(st, G, substep, &at, &run, h, taken, &again);
        }
        run.steps += taken;
        n -= taken;
        node_copy(G, to.g, to.low_g, to.m, to.low_m, g, low_g, m, low_m);
    }
    s->t = run.t, s->low_t = run.low_t, s->steps = run.steps;
    *counted = (lie_statistics){run.last, run.iterations, run.most, run.worst};
    return status;
}

LIE_INLINE lie_status run_steps(lie_stepper *st, const lie_ops *G, substep_fn *substep, lie_state *s, double h,
                                long long n)
{
    return run_blocks(st, G, take_steps, substep, s, h, n);
}

#endif
