/* SPDX-License-Identifier: MIT */
/* loop.h: the loop over steps and the substeps of a composition, which all families share; it owns the state and undoes
 * a step that fails. Internal. */
#ifndef LIESTEP_LIB_LOOP_H
#define LIESTEP_LIB_LOOP_H

#include "groups/num/twofold.h"
#include "lib/methods/parts.h"
#include "lib/methods/place.h"

/* st->run of families that do not set it. */
lie_status lie__family_run(lie_stepper *st, lie_state *s, double h, long long n);

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

/* Looks at the substeps of a run, for their derivatives: takes it in place of run_blocks, with a substep of its own
 * around that of the family. */
struct follower {
    lie_status (*run)(lie_stepper *st, const lie_ops *G, lie_substep_fn *substep, lie_state *s, double h, long long n);
    double *T; /* where lie_family.tangent will put the derivative of this substep: to be filled on the way, too */
};

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

/* The same for families that have the tangent of their substeps: somebody may follow. */
LIE_INLINE lie_status run_or_follow(lie_stepper *st, const lie_ops *G, take_fn *take, lie_substep_fn *substep,
                                    lie_state *s, double h, long long n)
{
    if (!LIE_USUALLY(st->follower == 0)) return st->follower->run(st, G, substep, s, h, n);
    return run_blocks(st, G, take, substep, s, h, n);
}

#endif
