/* SPDX-License-Identifier: MIT */
/* external.h: the external force of a system during a substep, and its derivatives. Internal. */
#ifndef LIESTEP_LIB_EXTERNAL_H
#define LIESTEP_LIB_EXTERNAL_H

#include "lib/methods/stepping.h"

/* A substep of length h from `at`; u: room for the controls. */
typedef struct forcing {
    const lie_stepper *st;
    const lie_place *at;
    double h;
    double *u;
} forcing;

/* f at the fraction c of the substep */
LIE_INLINE void external_at(forcing W, double *f, double c, const double *g, const double *xi)
{
    const lie_system *sys = W.st->system;
    sys->external(sys, f, W.at->t + c * W.h, g, xi, control_in(W.st, W.at, W.u, c));
}

/* E_ij = d f_i/d xi_j */
void lie__external_deriv(forcing W, double *E, double c, const double *g, const double *xi);

/* D += its derivative along g exp(s e_j) */
void lie__external_along(forcing W, double *D, double c, const double *g, const double *xi);

#endif
