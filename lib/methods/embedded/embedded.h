/* SPDX-License-Identifier: MIT */
/* embedded.h: the stages of a Gauss method in the embedding (embedded.c), one in each lane of a vector. Internal.
 *
 * The unknowns of a stage are flat: y = (q, p) on S3 and SO3, y = (q, p, px, x - x0) on SE3: the quaternion of the
 * attitude, p = q m at the node, the linear momentum and the place in the inertial frame. embedded_stages.c finds them;
 * it is compiled for plain doubles and once for every instruction set (lib/meson.build), with the same bits. */
#ifndef LIESTEP_LIB_EMBEDDED_H
#define LIESTEP_LIB_EMBEDDED_H

#include <liestep/group.h>

#include "lib/methods/contraction.h"
#include "lib/methods/stages.h"

enum {
    EMBEDDED_STAGES_MAX = 8,
    EMBEDDED_PAIR_MAX = 4, /* stages of partitioned methods */
    EMBEDDED_COUNTS = 8,   /* 1, 2, 3, 4, 6, 8 stages; 3 and 4 with two tableaux */
    EMBEDDED_LONGEST = 14, /* of y */
    EMBEDDED_P = 4,
    EMBEDDED_PX = 8,
    EMBEDDED_X = 11
};

typedef double embedded_per_stage[EMBEDDED_STAGES_MAX];

/* What a step adds to q, px and x of its start, and its spatial impulse about that place:
 * h sum_i b_i (R_i F_w,i + (x_i - x) x R_i F_v,i) */
typedef struct embedded_change {
    double q[4], px[3], x[3], impulse[3];
} embedded_change;

/* F (and xi of what is not pulled alone), component k of stage i at F[k][i], at the stage values Y; false where there
 * is none */
typedef int embedded_ask(void *context, embedded_per_stage *xi, embedded_per_stage *F, const embedded_per_stage *Y);

typedef struct embedded_task {
    const embedded_per_stage *given; /* stage values of which y' is wanted, nothing else; null: find them */
    /* h a_ij, and the weights of the last slopes, and of those before them, in the first guess. Of 1, 2, 4 and 8 stages
     * row k has entry (i, i xor k) at i, of 3 and 6 entry (i, k); 0 beyond the last stage. */
    embedded_per_stage hA[EMBEDDED_STAGES_MAX], guess[EMBEDDED_STAGES_MAX], guess_older[2];
    embedded_per_stage hA_p[EMBEDDED_PAIR_MAX], guess_p[EMBEDDED_PAIR_MAX]; /* of p and px in partitioned methods */
    embedded_per_stage hc, hb, hb_low;                                      /* h b_i, and what its double has lost */
    double y[EMBEDDED_LONGEST];                                             /* at the start of the step, x = 0 */
    /* y' of the stages of the last step, and of 1 and 2 stages of the step before: rows of embedded_stride numbers, 0
     * beyond the last stage. out: of this step, may be `slopes` */
    const double *slopes, *older;
    double *out;
    int history;            /* how many of them there are */
    embedded_change change; /* out */
    contraction_trend trend;
    int cap, passes;    /* at most, and taken */
    double left;        /* what the last two passes differ by, relative */
    double size[3];     /* weights of |dp|^2, |dpx|^2 and |dx|^2 in that difference: those of an energy */
    double inverse[36]; /* of the inertia, with half the velocity w */
    stage_form form;
    double thrust[6 * EMBEDDED_STAGES_MAX]; /* a vessel's thrusters' wrench at [8 k + i] in stage i */
    embedded_ask *ask;
    void *context;
} embedded_task;

/* LIE_ERR_NO_CONVERGENCE: not with these passes from this guess; LIE_ERR_NOT_FINITE: an answer was refused. */
typedef lie_status embedded_fn(embedded_task *task);

typedef struct embedded_kernel {
    embedded_fn *run[EMBEDDED_COUNTS][STAGE_KINDS];
} embedded_kernel;

/* The rows of y that the passes work on. A vehicle's px is known, and its place does not matter; a vessel's place does
 * not. */
static inline int embedded_length(stage_kind kind)
{
    int is_turn = kind == STAGE_TOP || kind == STAGE_SATELLITE || kind == STAGE_PULLED_TURN || kind == STAGE_TURN;
    return is_turn || kind == STAGE_VEHICLE ? EMBEDDED_PX : kind == STAGE_VESSEL ? EMBEDDED_X : EMBEDDED_LONGEST;
}

/* Numbers in a row of slopes that are kept: as many as there are lanes for them on the widest machine. */
static inline int embedded_stride(int stages)
{
    return stages <= 2 ? 2 : stages <= 4 ? 4 : 8;
}

/* Where a kernel has the instances for this many stages, of a partitioned method 3 or 4. */
static inline int embedded_index(int stages, int is_pair)
{
    return is_pair ? stages + 3 : stages <= 4 ? stages - 1 : stages / 2 + 1;
}

/* Is this group, or every factor of this product, one around which a flat space is known? (embedded_general.c) */
int lie__embedded_takes(const lie_ops *G);

#endif
