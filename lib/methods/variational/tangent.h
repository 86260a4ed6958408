/* SPDX-License-Identifier: MIT */
/* tangent.h: what the tangents of the families share. Internal.
 *
 * Every step from a discrete action ends with g+ = g tau(x), m+ = Ad*_{tau(x)} P + kick. With the variations dx and dP
 * known as linear functions of (eta, nu), and zeta = dtau_{-x} dx,
 *
 *     eta+ = Ad_{tau(-x)} eta + zeta,      nu+ = Ad*_{tau(x)} dP + ad*_zeta (Ad*_{tau(x)} P) + d kick. */
#ifndef LIESTEP_LIB_TANGENT_H
#define LIESTEP_LIB_TANGENT_H

#include "lib/methods/stepping.h"

/* T (2 n x 2 n) from dx and dP (n x 2 n each), without a kick at the end; scratch: 3 n^2 doubles. from (n x 2 n): the
 * variation of the element that x is the way from, where that is not the start of the step; else null. */
lie_status lie__tangent_end(const lie_ops *G, double *T, const double *x, const double *P, const double *from,
                            const double *dx, const double *dP, double *scratch);

/* nu+ += A eta+ for a kick at the end, A = d kick/dg (n x n) times `factor` */
void lie__tangent_kick(int n, double *T, double factor, const double *A);

int lie__separable_tangent_doubles(const lie_stepper *st);
lie_status lie__separable_tangent(lie_stepper *st, const lie_place *from, const lie_place *to, double h, double *T,
                                  double *work);
int lie__vprk_tangent_doubles(const lie_stepper *st);
lie_status lie__vprk_tangent(lie_stepper *st, const lie_place *from, const lie_place *to, double h, double *T,
                             double *work);

#endif
