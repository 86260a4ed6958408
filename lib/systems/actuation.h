/* SPDX-License-Identifier: MIT */
/* actuation.h: what the users of actuators share. Internal. */
#ifndef LIESTEP_LIB_ACTUATION_H
#define LIESTEP_LIB_ACTUATION_H

#include <liestep/actuation.h>

LIE_INLINE int is_limited(const lie_actuator *a)
{
    return a->min != 0.0 || a->max != 0.0;
}

/* u within the limits */
LIE_INLINE double limited_input(const lie_actuator *a, double u)
{
    if (!is_limited(a)) return u;
    return u < a->min ? a->min : u > a->max ? a->max : u;
}

#endif
