/* SPDX-License-Identifier: MIT */
/* ensemble_internal.h: what ensemble.c and ensemble_chunk.c share: where the numbers of a trajectory lie, and what a
 * thread works with. Internal. */
#ifndef LIESTEP_LIB_ENSEMBLE_INTERNAL_H
#define LIESTEP_LIB_ENSEMBLE_INTERNAL_H

#include <liestep/ensemble.h>

#include "lib/methods/lanes/lanes.h"
#include "lib/methods/stepping.h"

/* Steps of a block: the state is read from memory and written back once for so many. After a lane was lost, and its
 * block taken again alone, the next blocks are short; with a trail all are, so that the trail stays in the cache. */
enum { BLOCK = 1024, BLOCK_AFTER_LOSS = 64, TRAIL_BLOCK = 64 };

/* Multiples of 64 */
enum {
    TILE_BYTES = LANES_ROWS_MAX * LANES_WIDTH_MAX * sizeof(double),
    TRAIL_BYTES = TRAIL_BLOCK * (1 + LANES_SIZE_MAX + LANES_DIM_MAX) * LANES_WIDTH_MAX * sizeof(double)
};

/* At the head of the work memory. */
struct lie_ensemble {
    const lie_system *systems;
    int own_systems;  /* 1: systems[i] is that of trajectory i, 0: all have systems[0] */
    long long count;  /* trajectories */
    long long chunk;  /* trajectories in a chunk */
    int lanes, width; /* trajectories in a vector, and in vectors side by side; 1: no lanes for the method */
    int threads;
    lie_ensemble_options options;
    const lie_ops *group;
    struct lie_ensemble_plan *plan; /* how they are stepped; what follows is in the work memory, too */
    double *records;                /* of each trajectory: state, memory of its stepper */
    int *statuses;
    void *scratch; /* of each thread */
    size_t record, scratch_bytes;
};

/* Of all trajectories. */
typedef struct lie_ensemble_plan plan;
struct lie_ensemble_plan {
    int has_lanes;
    lanes_plan lanes;
    int memory;        /* numbers in the memory of a stepper */
    int constants;     /* rows of a tile that stay the same, at most */
    int own_constants; /* every trajectory has its own of these, at the end of its record */
    double *common;    /* or all have the same */
    size_t work_bytes; /* of a stepper */
};

/* A record: t, low_t, steps, g, low_g, m, low_m, the memory of the stepper, constants. The first numbers are in the
 * order of a tile, with the number of steps for h. */
enum { RECORD_T = LANES_T, RECORD_LOW_T = LANES_LOW_T, RECORD_STEPS = LANES_H, RECORD_STATE = LANES_STATE };

LIE_INLINE double *record_of(const lie_ensemble *e, long long i)
{
    return e->records + (size_t)i * e->record;
}

LIE_INLINE int state_doubles(const lie_ensemble *e)
{
    return RECORD_STATE + 2 * (e->group->size + e->group->dim);
}

LIE_INLINE double *memory_of(const lie_ensemble *e, long long i)
{
    return record_of(e, i) + state_doubles(e);
}

LIE_INLINE double *constants_of(const lie_ensemble *e, long long i)
{
    return e->plan->own_constants ? memory_of(e, i) + e->plan->memory : e->plan->common;
}

/* The record as lanes see it. */
LIE_INLINE lanes_record parts_of_record(const lie_ensemble *e, long long i)
{
    return (lanes_record){record_of(e, i), memory_of(e, i), constants_of(e, i)};
}

LIE_INLINE const lie_system *system_of(const lie_ensemble *e, long long i)
{
    return &e->systems[e->own_systems ? i : 0];
}

LIE_INLINE double step_of(const lie_ensemble *e, long long i)
{
    return e->options.h_of ? e->options.h_of[i] : e->options.h;
}

/* What a thread works with; followed by the work memory of the stepper and, from `tile` on, on 64 bytes, tile and
 * trail. */
typedef struct worker {
    lie_stepper *st;
    const lie_system *ready; /* the system that st is prepared for, if any */
    lie_large_state state;
    double *work, *tile, *trail;
} worker;

void lie__ensemble_state(const lie_ensemble *e, long long i, lie_state *s);
void lie__ensemble_store(const lie_ensemble *e, long long i, const lie_state *s);

#endif
