/* SPDX-License-Identifier: MIT */
/* lanes.h: several trajectories stepped at once, one in each lane of a vector. Internal.
 *
 * A tile holds what a block of steps needs of `width` trajectories: rows of `width` numbers, the same quantity of every
 * trajectory side by side. A kernel takes the steps: the bits are those of lie_run. A trajectory that needs what the
 * kernel does not have (a branch of solutions to follow, a status) is lost for the block: its lane is put to rest, the
 * others go on, and whoever owns the tile takes its steps again with lie_run from where the block began.
 *
 * A family of methods that has lanes has one file here, lanes_<name>.c, and one line in lanes.def. The file is compiled
 * for every instruction set (lib/meson.build), with LIE_LANES for the number of lanes: then it defines the kernel
 * lie__lanes_<name>_<lanes>. It is compiled once more without, and then defines the struct lie_lanes of the family,
 * lie__<name>_lanes: what goes between the tile and the memory of a stepper, which only the family knows. lanes.c and
 * lib/ensemble know neither families nor methods. liestep-core has no lanes: so a family does not point here, but the
 * lanes point to their family. */
#ifndef LIESTEP_LIB_LANES_H
#define LIESTEP_LIB_LANES_H

#include <liestep/system.h>

#include "groups/num/real.h"

/* Where the bodies move, and what acts on them. */
typedef enum lanes_group { LANES_S3, LANES_SO3, LANES_SE3, LANES_GROUPS } lanes_group;
typedef enum lanes_force { LANES_FREE, LANES_WEIGHT, LANES_CALLBACK, LANES_FORCES } lanes_force;

/* Numbers of one trajectory. */
typedef struct lanes_shape {
    int size, dim; /* of g and m */
    int memory;    /* of the memory of a stepper, as many as steps change */
    int data;      /* what the family needs of the body or the motion */
    int params;    /* of the weight: k r for a top, arm and lift for a vehicle */
} lanes_shape;

/* Rows of a tile: t, its low part and h; g, low_g, m, low_m, memory; then what stays the same: data, params. */
enum { LANES_T = 0, LANES_LOW_T = 1, LANES_H = 2, LANES_STATE = 3 };
enum {
    LANES_WIDTH_MAX = 24,
    LANES_SIZE_MAX = 12,
    LANES_DIM_MAX = 6,
    LANES_MEMORY_MAX = 36,
    LANES_DATA_MAX = 40,
    LANES_PARAMS_MAX = 4,
    LANES_CONSTANTS_MAX = 48, /* of a record */
    LANES_ROWS_MAX =
        LANES_STATE + 2 * (LANES_SIZE_MAX + LANES_DIM_MAX) + LANES_MEMORY_MAX + LANES_DATA_MAX + LANES_PARAMS_MAX
};

/* The first of these rows */
LIE_INLINE int lanes_memory_row(lanes_shape S)
{
    return LANES_STATE + 2 * (S.size + S.dim);
}

LIE_INLINE int lanes_data_row(lanes_shape S)
{
    return lanes_memory_row(S) + S.memory;
}

/* What a kernel is to do. */
typedef struct lanes_block {
    double *tile;                     /* on 64 bytes; all rows but data and params are replaced */
    const lie_system *const *systems; /* of every lane, for forces that are called */
    double before, after;             /* weights of the kicks before and after the free step */
    int steps, cap;                   /* cap of the iterations of a solve */
    int same_time;                    /* t and h are the same in all lanes */
    int is_diagonal;                  /* the inertias are */
    int taken, period;                /* after k steps of the block taken + k is a multiple of the period, 2^n, where
                                         what comes every so many steps is due */
    double
        *trail; /* null, or room for t, g and m of every lane after each step: 1 + size + dim rows each, on 64 bytes */
} lanes_block;

/* Answers which lanes were lost: bit l for lane l. Their columns of the tile and the trail are of no use. */
typedef unsigned lanes_fn(const lanes_block *block);

typedef struct lanes_kernel {
    int lanes;               /* of a vector */
    int width[LANES_GROUPS]; /* of a tile */
    lanes_fn *run[LANES_GROUPS][LANES_FORCES];
} lanes_kernel;

#ifdef LIE_LANES
#define LANES_JOINED(a, b) a##b
#define LANES_NAMED(name, lanes) LANES_JOINED(lie__lanes_##name##_, lanes)
/* The head of the definition of the kernel of this file. */
#define LANES_KERNEL(name)                                                                                             \
    extern const lanes_kernel LANES_NAMED(name, LIE_LANES);                                                            \
    const lanes_kernel LANES_NAMED(name, LIE_LANES)
#else

#include <liestep/family.h>

#include "lib/methods/widths.h"

/* How the trajectories of a stepper's kind are stepped in lanes. */
typedef struct lanes_plan {
    const struct lie_lanes *by;
    lanes_group group;
    lanes_force force;
    lanes_shape shape;
    int lanes, width;
    int cap;
    int is_diagonal;
    int unprojected; /* g is not brought back to the group from time to time */
    double before, after;
    int start;  /* so many steps are taken alone before the first in lanes */
    int period; /* of what comes every so many steps, counted from the first of a trajectory: 2^n */
    lanes_fn *run;
} lanes_plan;

/* The numbers of one trajectory, as its owner keeps them. */
typedef struct lanes_record {
    double *state;     /* the first rows of a tile, with the number of steps for h */
    double *memory;    /* of its stepper */
    double *constants; /* data and params; behind them what the family wants, all in all LANES_CONSTANTS_MAX */
} lanes_record;

/* What a family of methods has for lanes. */
typedef struct lie_lanes {
    const lie_family *family;
    const lanes_kernel *kernels[3]; /* of 8, 4 and 2 lanes, or null; null where the processor has none */
    int own_constants;              /* of every trajectory: they come from its state, too */
    /* Are there lanes for the stepper and all the systems? Of the plan there is the cap, force FREE, start and period
     * 1, the rest is 0: group and shape are to be set, the others if they differ. */
    int (*plan)(lanes_plan *plan, const lie_stepper *st, const lie_system *systems, long long count);
    /* The constants: data, params and what follows. For the system of the stepper; own ones for the trajectory whose
     * memory the stepper has. */
    void (*constants)(const lanes_plan *plan, double *out, const lie_stepper *st);
    /* The same with what the parameters of the system are now; what follows from the inertia stays. Null: nothing of
     * it depends on them. */
    void (*params)(const lanes_plan *plan, double *out, const lie_system *sys);
    /* Are the constants of the record those of its memory? For own ones. */
    int (*known)(const lanes_record *r);
    /* Can the next step, of length h, be taken in lanes? Null: yes, always. */
    int (*ready)(const lanes_plan *plan, const lanes_record *r, double h);
    /* From a record to its column of a tile: the memory. State and constants are there already, the state may be
     * changed. Null: there is no memory. */
    void (*load)(const lanes_plan *plan, double *column, int width, const lanes_record *r);
    /* And back; the state is in the record already and may be changed. Null: there is no memory. */
    void (*store)(const lanes_plan *plan, const lanes_record *r, const double *column, int width);
    /* The column of a trail, from its first row on, before `store`: as the user sees it. Null: as it is. */
    void (*show)(const lanes_plan *plan, const lanes_record *r, double *column, int width, int steps);
} lie_lanes;

/* The lanes of a family, null if it has none. */
const lie_lanes *lie__lanes_of(const lie_family *family);

/* Are there lanes for the method of the stepper and all the systems? At most `lanes` in a vector, 0: as many as there
 * are. */
int lie__lanes_plan(lanes_plan *out, const lie_stepper *st, const lie_system *systems, long long count, int lanes);

/* What the processor at hand runs: the lanes of its widest vector with at most `lanes`, 0: of all; 1 if there is
 * none. */
int lie__lanes_count(int lanes);

/* For the plans of families. */

/* Which group this is, whatever its retraction; LANES_GROUPS: none of the kernels'. */
lanes_group lie__lanes_group(const lie_ops *G);

/* What acts on the systems: the same kind on all of them, or there are no lanes. */
int lie__lanes_force(lanes_force *out, const lie_system *systems, long long count);

/* Are all inertias diagonal? */
int lie__lanes_are_diagonal(const lie_system *systems, long long count);

/* The parameters of a weight, behind the data. */
void lie__lanes_weight(const lanes_plan *plan, double *out, const lie_system *sys);

/* Kernels by name, the widest first. */
/* clang-format off */
#define LANES_KERNELS(name) {WIDTHS(lie__lanes_##name)}
/* clang-format on */

#endif

/* lie__<name>_lanes and the kernels */
#define LANES(name) extern const lanes_kernel lie__lanes_##name##_2, lie__lanes_##name##_4, lie__lanes_##name##_8;
#include "lib/methods/lanes/lanes.def"
#undef LANES

#endif
