/* SPDX-License-Identifier: MIT */
/* strang.h: what a stepper puts around the steps of a method that sees less than the whole system. Internal. */
#ifndef LIESTEP_LIB_STRANG_H
#define LIESTEP_LIB_STRANG_H

#include "lib/methods/stepping.h"

/* The system as the method is to take it: without the external force, where lie_options.damping sees to that. */
void lie__strang_damped(lie_system *out, const lie_system *sys, const lie_options *opt);

/* Is there anything to put around the steps of this family? Then lie__strang takes them. */
int lie__strang_wanted(const lie_stepper *st, const lie_family *family);
extern const lie_family lie__strang;

/* m <- m + k f(t, g, v, u), v the velocity of the mean of both momenta; info: as in lie_substep_fn. Status:
 * LIE_ERR_NOT_FINITE, LIE_ERR_SINGULAR, LIE_ERR_NO_CONVERGENCE. */
lie_status lie__damping_push(const lie_system *sys, lie_state *s, double k, const double *u, lie_solve *info);

#endif
