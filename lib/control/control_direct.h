/* SPDX-License-Identifier: MIT */
/* control_direct.h: the optimal control problem as a nonlinear program, interval by interval. Internal.
 *
 * Variables, one behind the other: of node k the pose eta_k, g_k = r_k line(eta_k) around a reference path r, and the
 * momentum nu_k; of the interval after it xi_k, u-_k, u+_k; ...; of node N; T. Equations of an interval, 3 n:
 *     nu_k + (h/2)(F_k + f0(g_k, xi_k) + B_k u-_k) - q(xi_k) = 0
 *     -q(-xi_k) + (h/2)(F_{k+1} + f0(g_{k+1}, xi_k) + B_{k+1} u+_k) - nu_{k+1} = 0
 *     tau^-1(g_k^-1 g_{k+1}) - h xi_k = 0
 * With a running cost of the user's, u+_k and u-_{k+1} are one variable, as in lie_control_solve; u+_{N-1} is then
 * behind node N. Behind the equations of the intervals come those of the ends: velocities, sets. */
#ifndef LIESTEP_LIB_CONTROL_DIRECT_H
#define LIESTEP_LIB_CONTROL_DIRECT_H

#include "lib/control/control.h"

enum { DIRECT_ROWS = 3 * CONTROL_DIM, DIRECT_COLUMNS = 5 * CONTROL_DIM + 2 * CONTROL_INPUTS + 1 };

/* Variables of one interval: node k, xi, u-, u+, node k+1, T */
LIE_INLINE int direct_columns(const lie_control_work *w)
{
    return 5 * w->n + 2 * w->m + 1;
}

LIE_INLINE int direct_tied(const lie_control_work *w)
{
    return w->cost && w->cost->running;
}

/* Where the variables of the interval after node k begin in the vector of all */
LIE_INLINE int direct_node(const lie_control_work *w, int k)
{
    return k * (3 * w->n + (direct_tied(w) ? 1 : 2) * w->m);
}

/* Where variable `column` of the interval after node k stands; not for T */
LIE_INLINE int direct_index(const lie_control_work *w, int k, int column)
{
    int inputs = 3 * w->n + w->m, late = inputs + w->m;
    if (column < inputs || !direct_tied(w)) return direct_node(w, k) + column;
    if (column >= late) return direct_node(w, k + 1) + column - late;
    return direct_node(w, k + 1) + (k < w->N - 1 ? 3 * w->n : 2 * w->n) + column - inputs;
}

LIE_INLINE int direct_variables(const lie_control_work *w)
{
    return direct_node(w, w->N) + 2 * w->n + (direct_tied(w) ? w->m : 0) + 1;
}

/* The equations r (3 n) of the interval after node k at v (columns), and their derivatives J (3 n x columns) unless J
 * is null. reference: (N+1) x size. Sets w->h. */
lie_status lie__control_direct(lie_control_work *w, int k, const double *reference, const double *v, double *r,
                               double *J);

/* control_direct_ends.c. The cost of an interval at v, terminal cost and weight of T with the last one, and its
 * gradient (columns; may be null); NaN where it is not defined. */
double lie__control_direct_cost(const lie_control_work *w, int k, const double *reference, const double *v,
                                double *gradient);

/* Equations at an end, its node (eta, nu) given: velocities that are asked for, then the set. J (rows x 2n; may be
 * null). Returns how many there are. */
int lie__control_direct_end(const lie_control_work *w, int late, const double *reference, const double *node, double *r,
                            double *J);

/* Is the start's velocity given by bounds, none of it being free? */
LIE_INLINE int direct_start_is_fixed(const lie_control_work *w)
{
    for (int i = 0; i < w->starts; i++)
        if (w->start[i] >= w->n) return 0;
    return 1;
}

#endif
