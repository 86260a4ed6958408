/* SPDX-License-Identifier: MIT */
/* control_problem.h: the optimal control problem as its solver sees it: what is asked, and what follows from it before
 * anything is solved. Internal.
 *
 * Owner: lie_control_init makes it (control.c, control_system.c, control_ends.c). Later h and the aim change with the
 * duration and on the way of a continuation, weights and `part` on the way of a homotopy, ranges with the first guess.
 * Whoever solves only reads it.
 *
 *     q(xi) = (dtau^-1_{h xi})^T I xi,    f0 = forces without inputs,    B = inputs,    F = body gradient of -V
 */
#ifndef LIESTEP_LIB_CONTROL_PROBLEM_H
#define LIESTEP_LIB_CONTROL_PROBLEM_H

#include <liestep/control.h>
#include <liestep/product.h>

#include "groups/num/vec3.h"

enum {
    CONTROL_DIM = 6 + LIE_CONTROL_WHEELS,
    CONTROL_INPUTS = 2 * LIE_ACTUATORS_MAX,               /* where |u| costs, u = a - b */
    CONTROL_STATE = 2 * CONTROL_DIM,                      /* of z */
    CONTROL_COLUMNS = CONTROL_STATE + CONTROL_INPUTS + 1, /* z, u, 1 */
    CONTROL_SQUARE = CONTROL_DIM * CONTROL_DIM,
    CONTROL_ROWS = 2 * CONTROL_STATE,             /* conditions at the target and at the start */
    CONTROL_USER = CONTROL_STATE + CONTROL_INPUTS /* what a cost of the user's depends on, without t */
};

/* The inputs of the solver: those of the actuators, or two for each, u = a - b with a, b >= 0, where |u| costs */
typedef struct control_inputs {
    int split;                /* u = a - b, m is twice the number of actuators */
    int spatial;              /* some are fixed in space */
    int bounded;              /* some have bounds */
    int redundant;            /* they depend on each other */
    int idle[CONTROL_INPUTS]; /* the half of a split input that its bounds leave no room for: it does nothing */
    double B[CONTROL_DIM * CONTROL_INPUTS]; /* of those fixed in the body */
    double weight[CONTROL_INPUTS], fuel[CONTROL_INPUTS], lower[CONTROL_INPUTS], upper[CONTROL_INPUTS];
    double range[CONTROL_INPUTS]; /* a size of u that matters */
} control_inputs;

/* What is asked of the two ends */
typedef struct control_ends {
    int rows, fixed, on_target;       /* conditions: components of the target, its set, then the set of the start */
    int row[CONTROL_STATE];           /* of the target: i < n a pose, n + i a velocity */
    int start[CONTROL_STATE], starts; /* components of the start that are free: i < n a pose, n + i a velocity */
    double g0[LIE_SIZE_MAX], nu0[CONTROL_DIM];
    double xiT[CONTROL_DIM];                        /* with the momenta of the wheels */
    double target[LIE_SIZE_MAX], aim[LIE_SIZE_MAX]; /* what is asked, and what is aimed at now */
} control_ends;

/* The user's system with wheels, and without its gyroscopic term; control_system.c */
typedef struct control_own {
    lie_system system;
    lie_ops space, group, line;
    lie_product product, line_product;
    const lie_ops *factor[2], *line_factor[2];
    double inertia[CONTROL_SQUARE];
} control_own;

typedef struct control_problem {
    const lie_control_problem *asked;
    const lie_actuation *actuation;
    const lie_control_cost *cost;
    const lie_ops *G, *line; /* line: with exp where there is one, for distances */
    const lie_system *base;  /* what the solver sees: the user's system, or that of `own` */
    int n, m, N, size;       /* m of the solver */
    int wheels;
    int varies; /* the base's external force depends on the pose */
    double h;
    double part; /* of the cost of the user that counts: 1, but on the way of lie_control_homotopy */
    double inertia_inverse[CONTROL_SQUARE];
    control_inputs inputs;
    control_ends ends;
    control_own own;
} control_problem;

/* u of the actuators from that of the solver */
LIE_INLINE void physical_inputs(const control_problem *P, double *out, const double *u)
{
    const control_inputs *in = &P->inputs;
    int count = P->actuation->count;
    for (int i = 0; i < count; i++)
        out[i] = (in->idle[i] ? 0.0 : u[i]) - (in->split && !in->idle[count + i] ? u[count + i] : 0.0);
}

LIE_INLINE double node_weight(const control_problem *P, int k)
{
    return P->h * (k == 0 || k == P->N ? 0.5 : 1.0);
}

/* control.c: weights of the inputs, of which the part s is what is asked and the rest least effort */
void lie__control_weigh(control_problem *P, double s);

/* control_system.c: own.system of the user's, where it has wheels or a gyroscopic term */
lie_status lie__control_extend(control_problem *P, const char *retraction);

/* control_ends.c: which components are asked for and which are free */
void lie__control_list_ends(control_problem *P);
/* row (n): derivative in nu of component i of the velocity, or of the momentum of a wheel */
void lie__control_velocity_row(const control_problem *P, double *row, int i);
/* conditions of the target and their derivatives D (rows x 2n) in (eta, nu_N) at a state */
lie_status lie__control_target_slope(const control_problem *P, double *D, const double *g, const double *nu);

/* control_path.c: inputs at g, all or from what is known of them; f0 of node k; D += weight d f0/dg */
void lie__control_fill_inputs(const control_problem *P, double *B, const double *g);
void lie__control_inputs(const control_problem *P, double *B, const double *g);
void lie__control_drag(const control_problem *P, double *f, int k, const double *g, const double *xi);
void lie__control_drag_along(const control_problem *P, double *D, double weight, int k, const double *g,
                             const double *xi);
/* H (2n x 2n): second derivatives of <p, f0> in pose and velocity, without those in the velocity alone */
void lie__control_drag_curvature(const control_problem *P, double *H, int k, const double *g, const double *xi,
                                 const double *p);

/* control_linear.c: Q_aj = d q_a/d xi_j at x = h xi, q = q(xi); D += d(B u)/dg of inputs fixed in space */
lie_status lie__control_legendre_slope(const control_problem *P, double *Q, const double *x, const double *q);
void lie__control_wrench_along(const control_problem *P, double *D, const double *g, const double *u);

/* control_cost.c: the user's cost at the end of interval j at node k, gradient (2n + m + 1) and second derivatives
 * (2n + m)^2 with the inputs of the solver; the terminal cost in (eta, nu_N). Both may be null. */
double lie__control_end_cost(const control_problem *P, double *gradient, double *hessian, double t, const double *g,
                             const double *xi, const double *u);
double lie__control_terminal_cost(const control_problem *P, double *gradient, double *hessian, double t,
                                  const double *g, const double *nu);

#endif
