/* SPDX-License-Identifier: MIT */
/* control.h: the control within a step. Internal. */
#ifndef LIESTEP_LIB_CONTROL_H
#define LIESTEP_LIB_CONTROL_H

#include <liestep/stepper.h>

/* The control at the fraction `at` of the step, linear from u- to u+, in u; null if there is none. */
static inline const double *control_at(const lie_stepper *st, double *u, double at)
{
    const double *a = st->u_minus, *b = st->u_plus;
    if (!a && !b) return 0;
    for (int i = 0; i < st->system->controls; i++) u[i] = (a ? (1.0 - at) * a[i] : 0.0) + (b ? at * b[i] : 0.0);
    return u;
}

#endif
