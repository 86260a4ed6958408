/* SPDX-License-Identifier: MIT */
/* lanes.h: several trajectories stepped at once, one in each lane of a vector. Internal.
 *
 * A tile holds what a block of steps needs of `width` trajectories: rows of `width` numbers, the same quantity of every
 * trajectory side by side. lib/methods/lanes/lanes_block.c takes the steps; it is compiled once for every instruction set
 * (lib/meson.build), and lanes.c says which of them this processor has. The bits are those of lie_run. A trajectory
 * that needs what the kernels do not have (a branch of solutions to follow, a status) is lost for the block: its lane
 * is put to rest, the others go on, and whoever owns the tile takes its steps again with lie_run from where the block
 * began. */
#ifndef LIESTEP_LIB_LANES_H
#define LIESTEP_LIB_LANES_H

#include <liestep/stepper.h>

#include "groups/maps/se3_cay.h"
#include "groups/step/so3_dmv_kernel.h"
#include "lib/methods/gyrostat.h"

/* How a step moves, and what acts on it. */
typedef enum lanes_drift {
    LANES_S3_CAY,
    LANES_SO3_CAY,
    LANES_SE3_CAY,
    LANES_S3_DMV,
    LANES_SO3_DMV,
    LANES_S3_RK4, /* lanes_flat.c */
    LANES_SE3_RK4,
    LANES_S3_GYROSTAT,
    LANES_SO3_GYROSTAT,
    LANES_DRIFTS
} lanes_drift;
typedef enum lanes_force { LANES_FREE, LANES_WEIGHT, LANES_CALLBACK, LANES_FORCES } lanes_force;

enum { LANES_MOTION = sizeof(so3_dmv_motion) / sizeof(lie_real), LANES_FLAT_MEMORY = 18 };

LIE_INLINE int lanes_is_dmv(lanes_drift drift)
{
    return drift == LANES_S3_DMV || drift == LANES_SO3_DMV;
}

LIE_INLINE int lanes_is_flat(lanes_drift drift)
{
    return drift == LANES_S3_RK4 || drift == LANES_SE3_RK4;
}

/* All that acts on it is in the drift, and its stepper learns nothing (gyrostat.h). */
LIE_INLINE int lanes_is_gyrostat(lanes_drift drift)
{
    return drift == LANES_S3_GYROSTAT || drift == LANES_SO3_GYROSTAT;
}

/* Numbers of one trajectory; its memory is what a stepper has learnt (separable.c) without h and count, or the
 * coordinates (flat_rk.c). */
typedef struct lanes_shape {
    int size, dim; /* of g and m */
    int memory;
    int data;   /* of the Legendre transform, of the motion (so3_dmv_kernel.h), the body (gyrostat.h), or I^-1 */
    int params; /* of the weight: k r for a top, arm and lift for a vehicle */
} lanes_shape;

LIE_INLINE lanes_shape lanes_shape_of(lanes_drift drift)
{
    if (drift == LANES_SE3_CAY) return (lanes_shape){12, 6, 6 * HISTORY, SE3_DOUBLES, 4};
    if (drift == LANES_SE3_RK4) return (lanes_shape){12, 6, LANES_FLAT_MEMORY, 36, 4};
    if (drift == LANES_S3_RK4) return (lanes_shape){4, 3, LANES_FLAT_MEMORY, 9, 3};
    if (lanes_is_gyrostat(drift)) return (lanes_shape){drift == LANES_S3_GYROSTAT ? 4 : 9, 3, 0, GYROSTAT_DOUBLES, 0};
    if (lanes_is_dmv(drift)) return (lanes_shape){drift == LANES_S3_DMV ? 4 : 9, 3, 0, LANES_MOTION, 0};
    return (lanes_shape){drift == LANES_S3_CAY ? 4 : 9, 3, 4, SO3_DOUBLES, 3};
}

/* Rows of a tile: t, its low part and h; g, low_g, m, low_m, memory; then what stays the same: data, params. */
enum { LANES_T = 0, LANES_LOW_T = 1, LANES_H = 2, LANES_STATE = 3 };
enum { LANES_WIDTH_MAX = 24, LANES_ROWS_MAX = LANES_STATE + 2 * (12 + 6) + 6 * HISTORY + SE3_DOUBLES + 4 };

LIE_INLINE int lanes_changing(lanes_shape S)
{
    return LANES_STATE + 2 * (S.size + S.dim) + S.memory;
}

LIE_INLINE int lanes_rows(lanes_shape S)
{
    return lanes_changing(S) + S.data + S.params;
}

typedef struct lanes_job {
    double *tile;                     /* on 64 bytes; the changing rows are replaced */
    const lie_system *const *systems; /* of every lane, for forces that are called */
    double before, after;             /* weights of the kicks before and after the move */
    int steps, cap;                   /* cap of the iterations of a solve */
    int same_time;                    /* t and h are the same in all lanes */
    int is_diagonal;                  /* the inertias, of the flat methods and on SE3 */
    int taken, check;                 /* discrete Moser-Veselov: look where taken + k is a multiple of check, 2^n */
    double
        *trail; /* null, or room for t, g and m of every lane after each step: 1 + size + dim rows each, on 64 bytes */
} lanes_job;

/* Answers which lanes were lost: bit l for lane l. Their columns of the tile and the trail are of no use. */
typedef unsigned lanes_fn(const lanes_job *job);

typedef struct lanes_kernel {
    int lanes;               /* of a vector */
    int width[LANES_DRIFTS]; /* of a tile */
    lanes_fn *run[LANES_DRIFTS][LANES_FORCES];
} lanes_kernel;

/* How the trajectories of a stepper's kind are stepped in lanes. */
typedef struct lanes_plan {
    lanes_drift drift;
    lanes_force force;
    lanes_shape shape;
    int lanes, width;
    int cap;
    int is_diagonal;
    double before, after;
    lanes_fn *run;
} lanes_plan;

/* Are there lanes for the method of the stepper and all the systems? At most `lanes` in a vector, 0: as many as there
 * are. */
int lie__lanes_plan(lanes_plan *out, const lie_stepper *st, const lie_system *systems, long long count, int lanes);

/* What the last rows of a tile have: data and params. For the system of the stepper; of discrete Moser-Veselov for the
 * trajectory that it has just stepped. */
void lie__lanes_constants(const lanes_plan *plan, double *out, const lie_stepper *st);

/* The same with what the parameters of the system are now; what follows from the inertia stays. */
void lie__lanes_params(const lanes_plan *plan, double *out, const lie_system *sys);

#ifndef LIE_LANES
/* What the steps have in common from where the memory of the stepper says. */
lie_status lie__dmv_motion(const lie_stepper *st, so3_dmv_motion *out);
/* The principal axes. */
const struct dmv_frame *lie__dmv_frame(const lie_stepper *st);
#endif

/* The widest kernel of at most `lanes` lanes that this processor can run; 0 lanes: the widest of all. Null if there is
 * none. */
const lanes_kernel *lie__lanes_kernel(int lanes);

#ifndef LIE_LANES
/* The body of a stepper that goes the short way (vprk.c), or null. */
const gyrostat *lie__vprk_gyrostat(const lie_stepper *st);
#endif

#endif
