/* SPDX-License-Identifier: MIT */
/* control_direct.h: the optimal control problem as a nonlinear program, interval by interval. Internal.
 *
 * Variables, one behind the other: of node k the pose eta_k, g_k = r_k line(eta_k) around a reference path r, and the
 * momentum nu_k; of the interval after it xi_k, u-_k, u+_k; ...; of node N; T. Equations of an interval, 3 n:
 *     nu_k + (h/2)(F_k + f0(g_k, xi_k) + B_k u-_k) - q(xi_k) = 0
 *     -q(-xi_k) + (h/2)(F_{k+1} + f0(g_{k+1}, xi_k) + B_{k+1} u+_k) - nu_{k+1} = 0
 *     tau^-1(g_k^-1 g_{k+1}) - h xi_k = 0 */
#ifndef LIESTEP_LIB_CONTROL_DIRECT_H
#define LIESTEP_LIB_CONTROL_DIRECT_H

#include "control.h"

enum { DIRECT_ROWS = 3 * CONTROL_DIM, DIRECT_COLUMNS = 5 * CONTROL_DIM + 2 * CONTROL_INPUTS + 1 };

/* Variables of one interval: node k, xi, u-, u+, node k+1, T */
LIE_INLINE int direct_columns(const lie_control_work *w)
{
    return 5 * w->n + 2 * w->m + 1;
}

/* Where the variables of the interval after node k begin in the vector of all */
LIE_INLINE int direct_node(const lie_control_work *w, int k)
{
    return k * (3 * w->n + 2 * w->m);
}

/* The equations r (3 n) of the interval after node k at v (columns), and their derivatives J (3 n x columns) unless J
 * is null. reference: (N+1) x size. Sets w->h. */
lie_status lie__control_direct(lie_control_work *w, int k, const double *reference, const double *v, double *r,
                               double *J);

#endif
