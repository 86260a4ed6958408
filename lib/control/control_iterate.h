/* SPDX-License-Identifier: MIT */
/* control_iterate.h: where the iteration of the optimal control solver stands. Internal.
 *
 * Iterates are the velocities xi_k and inputs u_k; poses follow from g_{k+1} = g_k tau(h xi_k), momenta from
 *     q(xi) = (dtau^-1_{h xi})^T I xi,    b_0 = nu_0,    b_k = -q(-xi_{k-1}) + (h/2) f0(g_k, xi_{k-1}),
 * (Ad*_{tau(h xi)} q(xi) = -q(-xi)), and what remains are the discrete Euler-Poincare equations at the nodes
 *     e_k = b_k + (h/2) f0(g_k, xi_k) + h c_k (F(g_k) + B(g_k) u_k) - q(xi_k) = 0,    c_k = 1, at the ends 1/2,
 * and the target. Multipliers: p_k of e_k, lambda of the conditions at the ends.
 * The start is g_0 = g0 line(x), b_0 = nu_0, where it is free.
 *
 *   thesis          here                        thesis         here
 *   xi_k, nu_k      xi, nu                      u-_k, u+_k     u_k, u_{k+1}
 *   mu_k            q(xi_k)                     lambda-+_k     the part of p_k, p_{k+1} that no input reaches
 *   Phi-+_sigma     <e_sigma, e_k>
 *
 * Owner: first guesses (control_guess.c), saved paths (control_search.c) and accepted steps (control_newton.c) change
 * it; who makes derivatives reads it. */
#ifndef LIESTEP_LIB_CONTROL_ITERATE_H
#define LIESTEP_LIB_CONTROL_ITERATE_H

#include "lib/control/control_problem.h"

/* A path and what follows from it. */
typedef struct control_path {
    double *xi, *u; /* N x n, (N+1) x m */
    double *x;      /* n: g_0 = g0 line(x) */
    double *g;      /* (N+1) x size */
    double *q;      /* N x n: q(xi_k) */
    double *b, *e;  /* (N+1) x n; e_N is unused */
    double *y;      /* conditions at the ends: rows numbers, 0 where they hold */
    double cost;
    double size_momentum, size_velocity; /* largest */
} control_path;

typedef struct control_iterate {
    control_path now, trial;
    double *p; /* (N+1) x n */
    double lambda[CONTROL_ROWS];
    int warm; /* multipliers are those of a neighbouring problem */
    lie_control_progress progress;
} control_iterate;

/* control_path.c: poses, momenta, defects and cost of the velocities, inputs and start of a path */
lie_status lie__control_evaluate(const control_problem *P, control_path *s);

/* control_ends.c. The start of the path: g_0 and b_0 as the problem says, or with x and b_0 shifted by the free
 * components v; the conditions y of the path, nu being the momentum of node N; that momentum. */
void lie__control_begin(const control_problem *P, control_path *s);
lie_status lie__control_shift_start(const control_problem *P, control_path *s, const control_path *from,
                                    const double *v, double step);
lie_status lie__control_conditions(const control_problem *P, control_path *s, const double *nu);
void lie__control_end_momentum(const control_problem *P, const control_path *s, double *nu);

/* control_cost.c: the user's cost of a path */
double lie__control_user_cost(const control_problem *P, const control_path *s);

#endif
