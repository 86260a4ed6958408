/* SPDX-License-Identifier: MIT */
/* traits.h: what kind of system this is, found once where a stepper is made: which parts there are, and which of them a
 * closed form states (form.h). They follow from the callbacks alone, not from what params point to. Internal. */
#ifndef LIESTEP_LIB_TRAITS_H
#define LIESTEP_LIB_TRAITS_H

#include <liestep/system.h>

typedef struct traits {
    unsigned quadratic : 1; /* l = 1/2 <I xi, xi> - V(g): constant inertia, no gyroscopic term */
    unsigned separable : 1; /* and no external force */
    unsigned free : 1;      /* and no potential */
    unsigned constant : 1;  /* the inertia is a matrix, whatever else there is */
    unsigned has_force : 1; /* V */
    unsigned has_gyro : 1;  /* A */
    unsigned has_frame : 1; /* of which the frame is known */
    unsigned has_external : 1;
    unsigned positional : 1;   /* the external force, if there is one, does not depend on the velocity */
    unsigned is_weight : 1;    /* the form states the force: a weight, or weight and buoyancy, and nothing else */
    unsigned is_gyrostat : 1;  /* the form states force and gyroscopic term; nothing else acts */
    unsigned is_satellite : 1; /* and there is no weight */
    unsigned is_vessel : 1; /* the form states the external force, and the force, if there is one; no gyroscopic term */
} traits;

traits lie__traits_of(const lie_system *sys);

#endif
