/* SPDX-License-Identifier: MIT */
/* control_linear.h: the linear-quadratic problem at an iterate: first and second derivatives, node by node. Internal.
 *
 * A variation of the state at node k is z = (eta, b): g_k moves along g_k exp(s eta), b_k along b. Multipliers pi_k of
 * the poses follow from those of the iterate.
 *
 * Owner: lie__control_linearise and what it calls (control_linear.c, control_target.c, control_cost.c), from the last
 * node to the first; control_newton.c says how much of the curvature counts. */
#ifndef LIESTEP_LIB_CONTROL_LINEAR_H
#define LIESTEP_LIB_CONTROL_LINEAR_H

#include "lib/control/control_problem.h"

/* The linearised step of node k, z_{k+1} = step (z, u, 1), and the second derivatives of the Lagrange function. */
typedef struct control_linear {
    double step[CONTROL_ROWS * CONTROL_COLUMNS]; /* 2n x columns; at node N: the conditions, rows */
    double hessian[(CONTROL_STATE + CONTROL_INPUTS) * CONTROL_COLUMNS]; /* (2n + m) x columns, last one the gradient */
    double dxi[CONTROL_DIM * CONTROL_COLUMNS];                          /* variation of xi_k */
    /* the same step from it, n x n each: eta_{k+1} = Ad eta + tangent dxi, b_{k+1} = slope dxi + along eta_{k+1} */
    double Ad[CONTROL_SQUARE], tangent[CONTROL_SQUARE], slope[CONTROL_SQUARE], along[CONTROL_SQUARE];
    double gradient_xi, size_xi; /* largest entries of the gradient in xi_k, and of its terms */
} control_linear;

/* The user's cost at both ends of an interval. */
typedef struct control_user {
    double gradient[2][CONTROL_USER + 1], W[2][CONTROL_USER * CONTROL_USER];
} control_user;

/* What is known of all nodes */
typedef struct control_linearisation {
    double curvature;                  /* 0 .. 1: part of the second derivatives of the constraints */
    double *pi;                        /* (N+1) x n */
    control_user *user;                /* scratch; null: no cost of the user's */
    double *cost_z, *cost_xi, *cost_u; /* (N+1) x 2n, N x n, (N+1) x m: gradient of that cost; null: none */
    double end_slope[CONTROL_DIM], end_u[CONTROL_INPUTS]; /* of the terminal cost in nu_N, and by it in u_N */
} control_linearisation;

/* control_linear.c: of the interval after node k < N, or of the target at k = N; pi_k from pi_{k+1} on the way */
lie_status lie__control_linearise(lie_control *c, int k, control_linear *out);
lie_status lie__control_linearise_target(lie_control *c, control_linear *out);
/* at a node: inputs B, slope of the impulse in the pose, curvatures in the pose and between pose and u */
int lie__control_node_slopes(const lie_control *c, int k, double *B, double *pose, double *ee, double *eu);
void lie__control_pose_multiplier(const lie_control *c, int k, const double *pose);

/* control_ends.c: the second derivative H (2n x 2n, added to) of <lambda, target> in (eta, nu_N); of the start's set in
 * (eta, nu_0) the derivatives D (rows x 2n) and H; E (2n x starts): variation of (eta_0, nu_0) with the free
 * components */
lie_status lie__control_target_curvature(const lie_control *c, double *H, const double *g, const double *nu);
void lie__control_start_slope(const lie_control *c, double *D);
lie_status lie__control_start_curvature(const lie_control *c, double *H);
lie_status lie__control_start_columns(const lie_control *c, double *E);

/* control_cost.c, the user's cost: both ends of the interval after node k, first, for pi_{k+1}; then all of the
 * interval and of the inputs of node k from it, with pi_k; of the inputs of node k from the interval before; at node N
 * the terminal cost, V (2n x columns) being (eta, nu_N) in (z, u, 1). 0: LAPACK failed. */
int lie__control_user_ends(lie_control *c, int k);
void lie__control_add_user(lie_control *c, int k, control_linear *out);
int lie__control_add_user_inputs(lie_control *c, int k, control_linear *out);
int lie__control_add_terminal(lie_control *c, control_linear *out, const double *V);
/* V (2n x columns): eta and xi of the interval after node k at its start or end, in (z, u, 1) */
void lie__control_end_variation(const control_problem *P, double *V, const control_linear *at, int late);
/* H += V^T W V with V (r x columns), W (r x r), and with V^T v (may be null) in the last column */
void lie__control_add_form(const control_problem *P, control_linear *out, int r, const double *V, const double *W,
                           const double *v);

#endif
