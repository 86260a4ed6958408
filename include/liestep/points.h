/* SPDX-License-Identifier: MIT */
/* points.h: where the trajectories of an ensemble cross a surface, found while they are stepped: Poincare sections of
 * many initial conditions.
 *
 *     lie_points p = {.ensemble = &e, .sections = sections, .statuses = statuses, .found = keep, .ctx = &table};
 *     lie_reducer r;
 *     lie_points_reducer(&r, &p);
 *     lie_ensemble_run(&e, 100000, &(lie_observation){.every = 1, .reducers = 1, .reducer = &r});
 *
 * An observer of every step: `every` is 1. It adds nothing up, so that a run takes no memory for it, however long. Each
 * trajectory has a section of its own, which sees t, g and m as the ensemble shows them, without low parts, so that
 * neither lanes nor threads nor the cutting of a run into several change a bit of any crossing.
 *
 * The first state of a run is the last one of the run before and is not seen twice; where it is another one, because
 * the trajectory was set anew or has gone on unseen, the section forgets what it knew and starts there. So a checkpoint
 * keeps the ensemble's records and the memory of the sections (lie_section_memory_get).
 *
 * In liestep, not in liestep-core. */
#ifndef LIESTEP_POINTS_H
#define LIESTEP_POINTS_H

#include <liestep/ensemble.h>
#include <liestep/section.h>

LIE_BEGIN_DECLS

typedef struct lie_points {
    const lie_ensemble *ensemble; /* whose trajectories these are: their steps and their group */
    /* Of every trajectory, by lie_section_init with a stepper of its system, with the method and the controls of the
     * ensemble. The stepper is read, not stepped: sections of one system may share one. Null: not looked at. */
    lie_section *const *sections;
    /* Of every trajectory, LIE_OK to begin with; else why it is not looked at any more: the status of lie_section_see,
     * or LIE_STOPPED because `found` said so. */
    lie_status *statuses;
    /* 0: the event's value is called for every state. k >= 1: value answers the k-th number behind t in (t, g, m),
     * which is looked at where the vector unit leaves it. */
    int component;
    /* Called for every crossing, those of a trajectory in the order of time, in the thread that steps it: for several
     * trajectories at the same time, as is the event's value, unless the ensemble has one thread. Answers 0 to
     * go on; otherwise this trajectory is not looked at any more. */
    int (*found)(void *ctx, long long trajectory, const lie_crossing *c);
    void *ctx;
} lie_points;

/* The reducer of these points; p and all it names must outlive it. Status: LIE_ERR_INCOMPLETE (a pointer other than ctx
 * is null), LIE_ERR_SIZE (component; a section of another group). */
LIE_API lie_status lie_points_reducer(lie_reducer *out, const lie_points *p);

LIE_END_DECLS

#endif
