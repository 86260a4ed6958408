/* SPDX-License-Identifier: MIT */
/* flat_rk.h: what others may know of flat_rk.c: the memory of its steppers. Internal. */
#ifndef LIESTEP_LIB_FLAT_RK_H
#define LIESTEP_LIB_FLAT_RK_H

#include "lib/methods/rivals/flat_step.h"
#include "lib/methods/stepping.h"

/* The memory: 1 if y is known; y, the coordinates and the momentum; g and m where the last run ended. */
enum {
    FLAT_KNOWN,
    FLAT_Y,
    FLAT_END_G = FLAT_Y + FLAT_LONGEST,
    FLAT_END_M = FLAT_END_G + FLAT_SIZE,
    FLAT_MEMORY = FLAT_END_M + FLAT_DIM
};

/* The inverse of the inertia, of a system that has a constant one. */
const double *lie__flat_inverse(const lie_stepper *st);

#endif
