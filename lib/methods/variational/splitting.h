/* SPDX-License-Identifier: MIT */
/* splitting.h: what a stepper of splitting.c has, and the derivative of its kicks. Internal. */
#ifndef LIESTEP_LIB_SPLITTING_H
#define LIESTEP_LIB_SPLITTING_H

#include "lib/methods/moving_frame.h"
#include "lib/methods/variational/free_parts.h"

/* In the work memory, followed by what the pointers point to. */
typedef struct splitting {
    const lie_ops *G; /* with exp, where it is no product */
    const lie_splitting *set;
    free_parts T;
    int parts; /* the last one is that of the wheels, if there are any */
    moving_frame frame;
    double *F, *f, *u; /* force, external force or gradient, controls */
    int known, steep;  /* F is the force where the last step of this run ended; f the gradient */
} splitting;

/* The kick force F + gradient D^T I^-1 F + external f(t, g, u) at g; F is in the work. */
typedef struct splitting_kick {
    double force, gradient, external, t;
    const double *g, *u;
} splitting_kick;

/* nu += what the kick makes of eta; V: n rows of eta, n of nu, 2 n columns. Status: LIE_ERR_NOT_FINITE; of exp. */
lie_status lie__splitting_kick_along(const lie_stepper *st, const splitting *w, const splitting_kick *kick, double *V);

#endif
