/* SPDX-License-Identifier: MIT */
/* separable.h: what others may know of separable.c: the memory of its steppers, and what its steps are made of.
 * Internal. */
#ifndef LIESTEP_LIB_SEPARABLE_H
#define LIESTEP_LIB_SEPARABLE_H

#include "groups/num/ahead.h"
#include "lib/methods/stepping.h"

/* The memory: h of the last step, 0 if there is none; how many velocities of such steps follow; the velocities, latest
 * first, or the memory of a free step (group.h); from separable_end on, g where the last step ended. */
enum { SEPARABLE_H, SEPARABLE_COUNT, SEPARABLE_PAST };

LIE_INLINE int separable_end(int dim)
{
    int velocities = HISTORY * dim;
    return SEPARABLE_PAST + (velocities > LIE_FREE_STEP_MEMORY ? velocities : LIE_FREE_STEP_MEMORY);
}

_Static_assert(SEPARABLE_PAST + HISTORY * LIE_DIM_MAX + LIE_SIZE_MAX <= LIE_MEMORY_MAX, "room for the memory");

/* a and b: the weights of the kicks before and after the free step */
void lie__separable_weights(const lie_stepper *st, double *before, double *after);

/* What the Legendre transform knows of the inertia. */
const double *lie__separable_data(const lie_stepper *st);

#endif
