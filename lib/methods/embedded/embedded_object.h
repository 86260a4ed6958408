/* SPDX-License-Identifier: MIT */
/* embedded_object.h: what a stepper of the family in the embedding has in its memory and in its work. Internal. */
#ifndef LIESTEP_LIB_EMBEDDED_OBJECT_H
#define LIESTEP_LIB_EMBEDDED_OBJECT_H

#include "lib/methods/embedded/embedded_midpoint.h"
#include "lib/methods/embedded/embedded_tangent.h"
#include "lib/methods/stepping.h"

/* What is remembered: doubles, in front of the slopes. */
typedef struct embedded_memory {
    double history;                /* steps whose slopes are known: 0, 1, 2 */
    double h;                      /* of the last one, */
    double from;                   /* where it began: 1, a step before the node; 0, at the node (again) */
    double end[4];                 /* the quaternion that it led to, about */
    double contraction2, expected; /* of contraction_trend */
} embedded_memory;

/* In the work, followed by that of Newton's method and a control. */
typedef struct embedded {
    embedded_task task;
    stage_kind kind;
    embedded_fn *run;
    double next[EMBEDDED_STAGES_MAX * EMBEDDED_STAGES_MAX],
        next_older[4]; /* weights of the guess where the length stays, per h */
    int is_pair;       /* p and px have the tableau A_p; and their guess */
    double A_p[EMBEDDED_PAIR_MAX * EMBEDDED_PAIR_MAX], next_p[EMBEDDED_PAIR_MAX * EMBEDDED_PAIR_MAX];
    double h, ratio, from; /* of what is in the task */
    int both;              /* of its guess: from two steps */
    const double *inverse; /* I^-1; null for a general Lagrangian */
    double *u;             /* the control at a stage */
    embedded_memory *memory;
    double *newest, *older;           /* slopes, behind the memory */
    double out[2 * EMBEDDED_LONGEST]; /* of 1 and 2 stages, until they are found */
    double *newton;
    midpoint_memory *midpoint; /* behind the slopes */
    lie_substep_fn *substep, *by_passes;
    embedded_halves halves; /* for tangents */
} embedded;

enum {
    EMBEDDED_HEAD = (sizeof(embedded) + sizeof(double) - 1) / sizeof(double),
    EMBEDDED_MEMORY = sizeof(embedded_memory) / sizeof(double)
};
_Static_assert(EMBEDDED_MEMORY + EMBEDDED_LONGEST * EMBEDDED_STAGES_MAX <= LIE_MEMORY_MAX, "the memory of a family");

static inline embedded *embedded_of(const lie_stepper *st)
{
    return (embedded *)st->work;
}

#endif
