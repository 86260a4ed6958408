/* SPDX-License-Identifier: MIT */
/* pairs.h: two ways to compute a motion, to be timed beside each other: which method, on which body, one trajectory at
 * a time or several in lanes, with or without the tangent or a section. Internal to bench_pairs. */
#ifndef LIESTEP_BENCH_PAIRS_H
#define LIESTEP_BENCH_PAIRS_H

#include <liestep/liestep.h>

#include "bench.h"

/* A body, made anew by `make`; what it points to is shared and does not change. */
typedef struct pair_body {
    const char *name;  /* "dense" */
    const char *group; /* "SE3" */
    lie_status (*make)(lie_system *sys, const char *group);
    int is_forced; /* every pass then begins anew, so that drag does not bring the motion to rest */
} pair_body;

/* By name/group, as in "top/S3"; null: there is none. */
const pair_body *pair_body_find(const char *name, size_t length);

/* Where all of them start: at the identity with this velocity, the first three for attitudes. */
extern const double pair_velocity[6];
/* rad/s */
double pair_rate(void);
/* Of systems with inputs. */
extern const double pair_controls[LIE_ACTUATORS_MAX + 3];

typedef enum pair_way {
    PAIR_STEP,     /* lie_run */
    PAIR_BUILT_IN, /* the same, on the body of which an "own" one is the copy that is called for */
    PAIR_ALONE,    /* an ensemble, one trajectory after the other */
    PAIR_LANES,    /* an ensemble, four at once */
    PAIR_TANGENT,  /* a step and its tangent */
    PAIR_SECTION,  /* the crossings of a surface */
    PAIR_INDICATED /* and an indicator of chaos beside it */
} pair_way;

enum { PAIR_STEPS = 128, PAIR_MEMBERS = 96, PAIR_LANE_COUNT = 4, PAIR_MEMORIES = 4 };

/* One side of a pair. */
typedef struct pair_side {
    lie_system sys;
    lie_options how;
    char method[40];
    lie_stepper *st, *follower; /* the second for the indicator */
    lie_ensemble *e;
    lie_section *sec;
    lie_chaos *chaos;
    lie_state start, s, beside;
    double h, T[4 * LIE_DIM_MAX * LIE_DIM_MAX];
    int restarts;
    void *memory[PAIR_MEMORIES];
    size_t tangent_bytes;
    void (*run)(struct pair_side *side);
    long items;
    lie_status status; /* of the first thing that went wrong */
} pair_side;

/* method: "gauss4", or with a retraction "sv/exp", else cay; with a tableau "vprk gauss4". The status is in the side;
 * close it in any case. */
void pair_open(pair_side *side, pair_way way, const char *method, const pair_body *body, double h);
void pair_close(pair_side *side);

/* For bench_compare. */
bench_contender pair_contender(pair_side *side);

/* Iterations or passes per step since the start; 0 where nobody counts them. */
double pair_passes(const pair_side *side);

#endif
