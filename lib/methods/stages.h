/* SPDX-License-Identifier: MIT */
/* stages.h: what the methods share that compute all stages of a step at once, in the lanes of a vector (pirk.c,
 * embedded.c): what of a system the lanes know by its form, and the width of their vectors. Internal. */
#ifndef LIESTEP_LIB_STAGES_H
#define LIESTEP_LIB_STAGES_H

#include <liestep/family.h>

/* What moves: a top or a free body; a satellite in its orbit frame; a vehicle with weight and buoyancy; the same with
 * drag and thrusters; a body of constant inertia under any potential, whose force is asked for; or anything, of which
 * all is asked for. */
typedef enum stage_kind {
    STAGE_TOP,
    STAGE_SATELLITE,
    STAGE_VEHICLE,
    STAGE_VESSEL,
    STAGE_PULLED_TURN,
    STAGE_PULLED_MOTION,
    STAGE_TURN,
    STAGE_MOTION,
    STAGE_KINDS
} stage_kind;

/* The numbers of the form; 0 where there is no such term. */
typedef struct stage_form {
    double pull[4];                /* k r of a top; arm and lift of a vehicle */
    double gradient[9];            /* 3 n^2 I of a satellite, */
    double rate, store[3];         /* n, and the momentum of its wheels */
    double drag[36], quadratic[6]; /* of a vessel */
} stage_form;

stage_kind lie__stage_kind(const lie_stepper *st);

/* The user may have changed the params of the system since they were read last. */
void lie__stage_form(stage_form *out, stage_kind kind, const lie_stepper *st);

/* Where the kernel for so many stages stands in {WIDTHS(prefix), &prefix_1}: no more lanes than stages help. */
int lie__stage_width(int stages);

#endif
