/* SPDX-License-Identifier: MIT */
/* control_at.h: the control in the middle of a step. Internal. */
#ifndef LIESTEP_LIB_CONTROL_AT_H
#define LIESTEP_LIB_CONTROL_AT_H

#include "lib/methods/stepper_object.h"

/* The control at the fraction `at` of the step, linear from u- to u+, in u; null if there is none. */
static inline const double *control_at(const lie_stepper *st, double *u, double at)
{
    const double *a = st->u_minus, *b = st->u_plus;
    if ((!a && !b) || !u) return 0;
    for (int i = 0; i < st->system->controls; i++) u[i] = (a ? (1.0 - at) * a[i] : 0.0) + (b ? at * b[i] : 0.0);
    return u;
}

/* The same at the fraction c of the substep. */
static inline const double *control_in(const lie_stepper *st, const lie_place *at, double *u, double c)
{
    return control_at(st, u, at->from + c * (at->to - at->from));
}

#endif
