/* SPDX-License-Identifier: MIT */
/* vprk_gyrostat.h: the short way of vprk.c for a gyrostat. Internal. */
#ifndef LIESTEP_LIB_VPRK_GYROSTAT_H
#define LIESTEP_LIB_VPRK_GYROSTAT_H

#include "lib/methods/gyrostat.h"
#include "lib/methods/stepping.h"

/* Has the stepper of vprk0, which is prepared, a short way? Then it takes it from now on. */
void lie__vprk_gyrostat_prepare(lie_stepper *st);

/* The only step of its run, the short way first. */
lie_substep_fn lie__vprk_gyrostat_substep;

/* The body of a stepper of vprk0 that goes the short way, or null. */
const gyrostat *lie__vprk_gyrostat(const lie_stepper *st);

#endif
