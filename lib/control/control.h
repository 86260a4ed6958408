/* SPDX-License-Identifier: MIT */
/* control.h: what the parts of the optimal control solver share. Internal.
 *
 * Iterates are the velocities xi_k and inputs u_k; poses follow from g_{k+1} = g_k tau(h xi_k), momenta from
 *     q(xi) = (dtau^-1_{h xi})^T I xi,    b_0 = nu_0,    b_k = -q(-xi_{k-1}) + (h/2) f0(g_k, xi_{k-1}),
 * (Ad*_{tau(h xi)} q(xi) = -q(-xi)), and what remains are the discrete Euler-Poincare equations at the nodes
 *     e_k = b_k + (h/2) f0(g_k, xi_k) + h c_k (F(g_k) + B(g_k) u_k) - q(xi_k) = 0,    c_k = 1, at the ends 1/2,
 * and the target. Multipliers: p_k of e_k, lambda of the conditions at the ends; pi_k, of the poses, follow from them.
 * The start is g_0 = g0 line(x), b_0 = nu_0, where it is free.
 * A variation of the state at node k is z = (eta, b): g_k moves along g_k exp(s eta), b_k along b.
 *
 *   thesis          here                        thesis         here
 *   xi_k, nu_k      xi, nu                      u-_k, u+_k     u_k, u_{k+1}
 *   mu_k            q(xi_k)                     lambda-+_k     the part of p_k, p_{k+1} that no input reaches
 *   Phi-+_sigma     <e_sigma, e_k> */
#ifndef LIESTEP_LIB_CONTROL_H
#define LIESTEP_LIB_CONTROL_H

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

/* An iterate and what follows from it. */
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

typedef struct lie_control_work {
    const lie_control *c;
    const lie_ops *G, *line; /* line: with exp where there is one, for distances */
    const lie_system *base;  /* what the solver sees: the user's system, or `own` */
    const lie_actuation *actuation;
    int n, m, N, size;
    int rows, fixed, on_target; /* conditions: components of the target, its set, then the set of the start */
    int wheels;
    struct { /* the user's system with wheels, and without its gyroscopic term; control_system.c */
        lie_system system;
        lie_ops space, group, line;
        lie_product product, line_product;
        const lie_ops *factor[2], *line_factor[2];
        double inertia[CONTROL_SQUARE];
    } own;
    double h;
    int split;           /* u = a - b, m is twice the number of actuators */
    int spatial, varies; /* inputs fixed in space; the base's external force depends on the pose */
    int bounded;
    int redundant;            /* inputs depend on each other */
    int idle[CONTROL_INPUTS]; /* the half of a split input that its bounds leave no room for: it does nothing */
    double inertia_inverse[CONTROL_SQUARE];
    double B[CONTROL_DIM * CONTROL_INPUTS]; /* of inputs fixed in the body */
    double weight[CONTROL_INPUTS], fuel[CONTROL_INPUTS], lower[CONTROL_INPUTS], upper[CONTROL_INPUTS];
    double range[CONTROL_INPUTS]; /* a size of u that matters */
    double g0[LIE_SIZE_MAX], nu0[CONTROL_DIM];
    double xiT[CONTROL_DIM];                      /* with the momenta of the wheels */
    double asked[LIE_SIZE_MAX], gT[LIE_SIZE_MAX]; /* the target, and the one that is aimed at now */
    int row[CONTROL_STATE];                       /* of the target: i < n a pose, n + i a velocity */
    int start[CONTROL_STATE], starts; /* components of the start that are free: i < n a pose, n + i a velocity */
    control_path now, trial;
    double *p, *p_next, *pi; /* (N+1) x n */
    double lambda[CONTROL_ROWS], lambda_next[CONTROL_ROWS];
    const lie_control_cost *cost;
    control_user *user; /* scratch */
    double part;        /* of the cost of the user that counts: 1, but on the way of lie_control_homotopy */
    double *cost_z, *cost_xi, *cost_u; /* (N+1) x 2n, N x n, (N+1) x m: gradient of the user's cost; null: none */
    double end_slope[CONTROL_DIM], end_u[CONTROL_INPUTS]; /* of the terminal cost in nu_N, and by it in u_N */
    double dstart[CONTROL_STATE];                         /* step in the free components of the start */
    double *low_z, *up_z, *low_z_next, *up_z_next;        /* (N+1) x m: multipliers of the bounds */
    double barrier;
    double *z, *du, *dxi;                       /* (N+1) x 2n, (N+1) x m, N x n: the Newton step */
    double *records;                            /* (N+1) x record_doubles: what the sweep knows of every node */
    double anchor[CONTROL_ROWS * CONTROL_ROWS]; /* weight of the conditions in the sweep, rows x rows */
    int anchored;                               /* 1: the anchor is made, more: and raised so often */
    int negative;                               /* eigenvalues of what the sweep has divided by */
    double curvature;                           /* 0 .. 1: part of the second derivatives of the constraints */
    double damping,
        last_damping; /* added to the cost of a step in the inputs, in parts of their own; the last above 0 */
    struct {
        double u, size_u, xi, size_xi, gap; /* largest gradients in u and xi, their terms, and of the bounds */
    } worst;
    double price_e, price_y; /* penalties of the line search */
    int warm;                /* multipliers are those of a neighbouring problem */
    lie_control_progress progress;
    struct {
        double *xi, *u, *p, *g, *nu;
    } shown; /* what the answer points to */
} lie_control_work;

struct lie_control {
    lie_control_answer answer;
    lie_control_problem problem;
    lie_control_work work;
};

/* u of the actuators from that of the solver */
LIE_INLINE void physical_inputs(const lie_control_work *w, double *out, const double *u)
{
    int count = w->actuation->count;
    for (int i = 0; i < count; i++)
        out[i] = (w->idle[i] ? 0.0 : u[i]) - (w->split && !w->idle[count + i] ? u[count + i] : 0.0);
}

LIE_INLINE double node_weight(const lie_control_work *w, int k)
{
    return w->h * (k == 0 || k == w->N ? 0.5 : 1.0);
}

/* control_system.c: own.system of the user's, where it has wheels or a gyroscopic term */
lie_status lie__control_extend(lie_control_work *w, const char *retraction);

/* control_ends.c. The start of the path: g_0 and b_0 as the problem says, or with x and b_0 shifted by the free
 * components v; the conditions y of the path; their derivatives D (rows x 2n) in (eta, nu_N), of the start's set in
 * (eta, nu_0); the second derivative H (2n x 2n, added to) of <lambda, target> in (eta, nu_N). */
void lie__control_begin(const lie_control_work *w, control_path *s);
lie_status lie__control_shift_start(const lie_control_work *w, control_path *s, const control_path *from,
                                    const double *v, double step);
void lie__control_list_ends(lie_control_work *w);
/* row (n): derivative in nu of component i of the velocity, or of the momentum of a wheel */
void lie__control_velocity_row(const lie_control_work *w, double *row, int i);
lie_status lie__control_conditions(const lie_control_work *w, control_path *s, const double *nu);
lie_status lie__control_target_slope(const lie_control_work *w, double *D, const double *g, const double *nu);
lie_status lie__control_target_curvature(const lie_control_work *w, double *H, const double *g, const double *nu);
void lie__control_start_slope(const lie_control_work *w, double *D);
lie_status lie__control_start_curvature(const lie_control_work *w, double *H);
/* E (2n x starts): variation of (eta_0, nu_0) with the free components */
lie_status lie__control_start_columns(const lie_control_work *w, double *E);
/* the momentum of node N */
void lie__control_end_momentum(const lie_control_work *w, const control_path *s, double *nu);

/* control_cost.c: the user's cost. All of it on a path; of the end of interval j at node k, gradient (2n + m + 1) and
 * second derivatives (2n + m)^2 with the inputs of the solver; the same of the terminal cost in (eta, nu_N). */
double lie__control_user_cost(const lie_control_work *w, const control_path *s);
double lie__control_end_cost(const lie_control_work *w, double *gradient, double *hessian, double t, const double *g,
                             const double *xi, const double *u);
double lie__control_terminal_cost(const lie_control_work *w, double *gradient, double *hessian, double t,
                                  const double *g, const double *nu);
/* In the linearisation: both ends of the interval after node k, first, for pi_{k+1}; then all of the interval and of
 * the inputs of node k from it, with pi_k; of the inputs of node k from the interval before; at node N the terminal
 * cost, V (2n x columns) being (eta, nu_N) in (z, u, 1). 0: LAPACK failed. */
int lie__control_user_ends(lie_control_work *w, int k);
void lie__control_add_user(lie_control_work *w, int k, control_linear *out);
int lie__control_add_user_inputs(lie_control_work *w, int k, control_linear *out);
int lie__control_add_terminal(lie_control_work *w, control_linear *out, const double *V);
/* V (2n x columns): eta and xi of the interval after node k at its start or end, in (z, u, 1) */
void lie__control_end_variation(const lie_control_work *w, double *V, const control_linear *at, int late);
/* H += V^T W V with V (r x columns), W (r x r), and with V^T v (may be null) in the last column */
void lie__control_add_form(const lie_control_work *w, control_linear *out, int r, const double *V, const double *W,
                           const double *v);

/* control_path.c */
void lie__control_inputs(const lie_control_work *w, double *B, const double *g);
lie_status lie__control_evaluate(const lie_control_work *w, control_path *s);
void lie__control_drag(const lie_control_work *w, double *f, int k, const double *g, const double *xi);

void lie__control_fill_inputs(const lie_control_work *w, double *B, const double *g);
/* H (2n x 2n): second derivatives of <p, f0> in pose and velocity, without those in the velocity alone */
void lie__control_drag_curvature(const lie_control_work *w, double *H, int k, const double *g, const double *xi,
                                 const double *p);

/* D += weight d f0/dg of node k */
void lie__control_drag_along(const lie_control_work *w, double *D, double weight, int k, const double *g,
                             const double *xi);

/* control_linear.c: of the interval after node k < N, or of the target at k = N; pi_k from pi_{k+1} on the way */
lie_status lie__control_linearise(lie_control_work *w, int k, control_linear *out);
lie_status lie__control_linearise_target(lie_control_work *w, control_linear *out);
/* at a node: inputs B, slope of the impulse in the pose, curvatures in the pose and between pose and u */
int lie__control_node_slopes(const lie_control_work *w, int k, double *B, double *pose, double *ee, double *eu);
void lie__control_pose_multiplier(const lie_control_work *w, int k, const double *pose);

/* Q_aj = d q_a/d xi_j at x = h xi, q = q(xi); D += d(B u)/dg of inputs fixed in space */
lie_status lie__control_legendre_slope(const lie_control_work *w, double *Q, const double *x, const double *q);
void lie__control_wrench_along(const lie_control_work *w, double *D, const double *g, const double *u);

/* control_sweep.c: the Newton step: z, du, p_next, lambda_next. LIE_ERR_SINGULAR: not convex on the conditions with
 * this curvature and damping; LIE_ERR_UNREACHABLE. lie__control_sweep_back fills worst first. */
int lie__control_record_doubles(const lie_control_work *w);
lie_status lie__control_sweep_back(lie_control_work *w);
lie_status lie__control_sweep_forward(lie_control_work *w);

/* A scale of the barrier of input i, of which the parameter is a part. Where the input costs nothing but what the
 * user's cost says, that of a weight of 1. */
LIE_INLINE double barrier_scale(const lie_control_work *w, int i)
{
    double price = w->weight[i] * w->range[i] + w->fuel[i];
    return (price > 0.0 ? price : w->range[i]) * w->range[i];
}

LIE_INLINE double barrier_of(const lie_control_work *w, int i)
{
    return w->barrier * barrier_scale(w, i);
}

/* What damping adds to the weight of input i */
LIE_INLINE double damping_of(const lie_control_work *w, int i)
{
    return w->damping * barrier_scale(w, i) / (w->range[i] * w->range[i]);
}

/* control.c: weights of the inputs, of which the part s is what is asked and the rest least effort; the answer from the
 * present iterate */
void lie__control_weigh(lie_control_work *w, double s);
void lie__control_publish(lie_control *c);

#endif
