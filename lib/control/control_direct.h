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

#include "lib/control/control_problem.h"

enum { DIRECT_ROWS = 3 * CONTROL_DIM, DIRECT_COLUMNS = 5 * CONTROL_DIM + 2 * CONTROL_INPUTS + 1 };

/* Variables of one interval: node k, xi, u-, u+, node k+1, T */
LIE_INLINE int direct_columns(const control_problem *P)
{
    return 5 * P->n + 2 * P->m + 1;
}

LIE_INLINE int direct_tied(const control_problem *P)
{
    return P->cost && P->cost->running;
}

/* Where the variables of the interval after node k begin in the vector of all */
LIE_INLINE int direct_node(const control_problem *P, int k)
{
    return k * (3 * P->n + (direct_tied(P) ? 1 : 2) * P->m);
}

/* Where variable `column` of the interval after node k stands; not for T */
LIE_INLINE int direct_index(const control_problem *P, int k, int column)
{
    int inputs = 3 * P->n + P->m, late = inputs + P->m;
    if (column < inputs || !direct_tied(P)) return direct_node(P, k) + column;
    if (column >= late) return direct_node(P, k + 1) + column - late;
    return direct_node(P, k + 1) + (k < P->N - 1 ? 3 * P->n : 2 * P->n) + column - inputs;
}

LIE_INLINE int direct_variables(const control_problem *P)
{
    return direct_node(P, P->N) + 2 * P->n + (direct_tied(P) ? P->m : 0) + 1;
}

/* The equations r (3 n) of the interval after node k at v (columns), and their derivatives J (3 n x columns) unless J
 * is null. reference: (N+1) x size. Sets P->h. */
lie_status lie__control_direct(control_problem *P, int k, const double *reference, const double *v, double *r,
                               double *J);

/* control_direct_ends.c. The cost of an interval at v, terminal cost and weight of T with the last one, and its
 * gradient (columns; may be null); NaN where it is not defined. */
double lie__control_direct_cost(const control_problem *P, int k, const double *reference, const double *v,
                                double *gradient);

/* Equations at an end, its node (eta, nu) given: velocities that are asked for, then the set. J (rows x 2n; may be
 * null). Returns how many there are. */
int lie__control_direct_end(const control_problem *P, int late, const double *reference, const double *node, double *r,
                            double *J);

/* Is the start's velocity given by bounds, none of it being free? */
LIE_INLINE int direct_start_is_fixed(const control_problem *P)
{
    for (int i = 0; i < P->ends.starts; i++)
        if (P->ends.start[i] >= P->n) return 0;
    return 1;
}

#endif
