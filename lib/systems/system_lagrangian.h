/* SPDX-License-Identifier: MIT */
/* system_lagrangian.h: what is particular to a general Lagrangian. Internal. */
#ifndef LIESTEP_LIB_SYSTEM_LAGRANGIAN_H
#define LIESTEP_LIB_SYSTEM_LAGRANGIAN_H

#include <liestep/system.h>

/* lie_system_velocity of a system with `lagrangian`. */
lie_status lie__lagrangian_velocity(const lie_system *sys, double *xi, const double *g, const double *mu);

#endif
