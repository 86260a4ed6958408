/* SPDX-License-Identifier: MIT */
/* stepping.h: what the families of methods share: the node of a run, the loop over steps and substeps, sums that carry
 * their rounding. Internal. */
#ifndef LIESTEP_LIB_STEPPING_H
#define LIESTEP_LIB_STEPPING_H

#include <liestep/stepper.h>

#include "../groups/vec3.h"

/* How a family of methods is carried out. */
struct lie_family {
    /* doubles of work memory; 0 where they would overflow an int */
    int (*doubles)(const lie_stepper *st);
    /* once, at init: fills the work memory, sets st->run */
    lie_status (*prepare)(lie_stepper *st);
    /* what was learnt, see lie_stepper_memory_get; forget it */
    double *(*memory)(const lie_stepper *st, int *count);
};

/* The default of lie_ops.legendre: Newton's method with the analytic Jacobian. */
extern const lie_legendre lie__legendre_newton;

extern const struct lie_family lie__separable, lie__vprk0, lie__vprk;

/* The group is projected back to itself every so many steps: a power of two. Its elements are then never further from
 * it than the rounding of that many products. */
enum { PROJECT_EVERY = 32 };

/* Where a step stands. Pointers into the state of the run, or into a copy of it. */
typedef struct node {
    double t;
    double from, to; /* the part of the step that the substep covers, in units of h: 0 and 1 without composition */
    double *g, *low_g, *m, *low_m;
    int project; /* bring g back to the group after this substep */
} node;

/* hi + low += d, exactly but for the rounding of low: |d| may exceed |hi| (Knuth's two-sum) */
LIE_INLINE void carry_add(double *hi, double *low, double d)
{
    twofold s = sum_exact(*hi, d + *low);
    *hi = s.hi, *low = s.lo;
}

/* m += f F */
LIE_INLINE void kick(int n, double *m, double *low_m, double f, const double *F)
{
    LIE_UNROLL
    for (int i = 0; i < n; i++) carry_add(m + i, low_m + i, f * F[i]);
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
    return LIE_OK;
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

/* One substep of length h from `at`, which is not touched on failure. */
typedef lie_status substep_fn(lie_stepper *st, const lie_ops *G, node *at, double h, lie_solve *info);

/* n steps, each of the substeps of the method's composition. A step that fails leaves no trace. */
LIE_INLINE lie_status run_steps(lie_stepper *st, const lie_ops *G, substep_fn *substep, lie_state *s, double h,
                                long long n)
{
    static const double whole[1] = {1.0};
    const lie_composition *parts = st->composition;
    const double *gamma = parts ? parts->gamma : whole;
    int stages = parts ? parts->stages : 1;
    double g[LIE_SIZE_MAX], low_g[LIE_SIZE_MAX], m[LIE_DIM_MAX], low_m[LIE_DIM_MAX], t = s->t, low_t = s->low_t;
    lie_status status = LIE_OK;
    long long steps = s->steps, iterations = st->iterations;
    node_copy(G, g, low_g, m, low_m, s->g, s->low_g, s->m, s->low_m);
    node at = {t, 0.0, 1.0, g, low_g, m, low_m, 0};
    for (long long k = 0; k < n; k++) {
        twofold next = sum_exact(t, h + low_t);
        lie_solve info = {st->options.max_iterations, 0, 0.0};
        if (next.hi == t) status = LIE_ERR_TIME;
        at.from = 0.0;
        for (int i = 0; i < stages && status == LIE_OK; i++) {
            at.to = i == stages - 1 ? 1.0 : at.from + gamma[i];
            at.t = t + at.from * h;
            at.project = i == stages - 1 && (steps + 1) % PROJECT_EVERY == 0;
            status = substep(st, G, &at, gamma[i] * h, &info);
            at.from = at.to;
        }
        if (status != LIE_OK) break;
        t = next.hi, low_t = next.lo;
        steps++;
        iterations += info.iterations;
        st->last = info;
        if (info.iterations > st->iterations_max) st->iterations_max = info.iterations;
        if (info.residual > st->residual_max) st->residual_max = info.residual;
        if (stages > 1) node_copy(G, s->g, s->low_g, s->m, s->low_m, g, low_g, m, low_m);
    }
    if (stages == 1) node_copy(G, s->g, s->low_g, s->m, s->low_m, g, low_g, m, low_m);
    s->t = t, s->low_t = low_t, s->steps = steps;
    st->iterations = iterations;
    return status;
}

#endif
