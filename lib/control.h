/* SPDX-License-Identifier: MIT */
/* control.h: what the parts of the optimal control solver share. Internal.
 *
 * Iterates are the velocities xi_k and inputs u_k; poses follow from g_{k+1} = g_k tau(h xi_k), momenta from
 *     q(xi) = (dtau^-1_{h xi})^T I xi,    b_0 = nu_0,    b_k = -q(-xi_{k-1}) + (h/2) f0(g_k, xi_{k-1}),
 * (Ad*_{tau(h xi)} q(xi) = -q(-xi)), and what remains are the discrete Euler-Poincare equations at the nodes
 *     e_k = b_k + (h/2) f0(g_k, xi_k) + h c_k (F(g_k) + B(g_k) u_k) - q(xi_k) = 0,    c_k = 1, at the ends 1/2,
 * and the target. Multipliers: p_k of e_k, lambda of the target; pi_k, of the poses, follow from them.
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

#include "../groups/vec3.h"

enum {
    CONTROL_DIM = 6,
    CONTROL_INPUTS = 2 * LIE_ACTUATORS_MAX,               /* where |u| costs, u = a - b */
    CONTROL_STATE = 2 * CONTROL_DIM,                      /* of z */
    CONTROL_COLUMNS = CONTROL_STATE + CONTROL_INPUTS + 1, /* z, u, 1 */
    CONTROL_SQUARE = CONTROL_DIM * CONTROL_DIM
};

/* An iterate and what follows from it. */
typedef struct control_path {
    double *xi, *u; /* N x n, (N+1) x m */
    double *g;      /* (N+1) x size */
    double *q;      /* N x n: q(xi_k) */
    double *b, *e;  /* (N+1) x n; e_N is unused */
    double *y;      /* target: rows numbers, 0 where it is reached */
    double cost;
    double size_momentum, size_velocity; /* largest */
} control_path;

/* The linearised step of node k, z_{k+1} = step (z, u, 1), and the second derivatives of the Lagrange function. */
typedef struct control_linear {
    double step[CONTROL_STATE * CONTROL_COLUMNS];                       /* 2n x columns; at node N: the target, rows */
    double hessian[(CONTROL_STATE + CONTROL_INPUTS) * CONTROL_COLUMNS]; /* (2n + m) x columns, last one the gradient */
    double dxi[CONTROL_DIM * CONTROL_COLUMNS];                          /* variation of xi_k */
    double gradient_xi, size_xi; /* largest entries of the gradient in xi_k, and of its terms */
} control_linear;

typedef struct lie_control_work {
    const lie_control *c;
    const lie_ops *G, *line; /* line: with exp where there is one, for distances */
    const lie_system *base;
    const lie_actuation *actuation;
    int n, m, N, size, rows;
    double h;
    int split;           /* u = a - b, m is twice the number of actuators */
    int spatial, varies; /* inputs fixed in space; the base's external force depends on the pose */
    int bounded;
    int idle[CONTROL_INPUTS]; /* the half of a split input that its bounds leave no room for: it does nothing */
    double inertia_inverse[CONTROL_SQUARE];
    double B[CONTROL_DIM * CONTROL_INPUTS]; /* of inputs fixed in the body */
    double weight[CONTROL_INPUTS], fuel[CONTROL_INPUTS], lower[CONTROL_INPUTS], upper[CONTROL_INPUTS];
    double range[CONTROL_INPUTS]; /* a size of u that matters */
    double nu0[CONTROL_DIM], gT[LIE_SIZE_MAX];
    int row[CONTROL_STATE]; /* of the target: i < n a pose, n + i a velocity */
    control_path now, trial;
    double *p, *p_next, *pi; /* (N+1) x n */
    double lambda[CONTROL_STATE], lambda_next[CONTROL_STATE];
    double *low_z, *up_z, *low_z_next, *up_z_next; /* (N+1) x m: multipliers of the bounds */
    double barrier;
    double *z, *du, *dxi;                         /* (N+1) x 2n, (N+1) x m, N x n: the Newton step */
    double *kept;                                 /* (N+1) x kept_doubles: what the sweep keeps of every node */
    double anchor[CONTROL_STATE * CONTROL_STATE]; /* weight of the target in the sweep, rows x rows */
    int anchored;
    double curvature; /* 0 .. 1: part of the second derivatives of the constraints */
    struct {
        double u, size_u, xi, size_xi, gap; /* largest gradients in u and xi, their terms, and of the bounds */
    } worst;
    double price_e, price_y; /* penalties of the line search */
    int warm;                /* multipliers are those of a neighbouring problem */
    lie_control_progress progress;
} lie_control_work;

LIE_INLINE double node_weight(const lie_control_work *w, int k)
{
    return w->h * (k == 0 || k == w->N ? 0.5 : 1.0);
}

/* control_path.c */
void lie__control_inputs(const lie_control_work *w, double *B, const double *g);
lie_status lie__control_evaluate(const lie_control_work *w, control_path *s);
void lie__control_drag(const lie_control_work *w, double *f, int k, const double *g, const double *xi);

/* D += weight d f0/dg of node k */
void lie__control_drag_along(const lie_control_work *w, double *D, double weight, int k, const double *g,
                             const double *xi);

/* control_linear.c: of the interval after node k < N, or of the target at k = N; pi_k from pi_{k+1} on the way */
lie_status lie__control_linearise(lie_control_work *w, int k, control_linear *out);

/* Q_aj = d q_a/d xi_j at x = h xi, q = q(xi); D += d(B u)/dg of inputs fixed in space */
lie_status lie__control_legendre_slope(const lie_control_work *w, double *Q, const double *x, const double *q);
void lie__control_wrench_along(const lie_control_work *w, double *D, const double *g, const double *u);

/* control_sweep.c: the Newton step: z, du, p_next, lambda_next. LIE_ERR_SINGULAR: not convex with this curvature;
 * LIE_ERR_UNREACHABLE. lie__control_sweep_back fills worst first. */
int lie__control_kept_doubles(const lie_control_work *w);
lie_status lie__control_sweep_back(lie_control_work *w);
lie_status lie__control_sweep_forward(lie_control_work *w);

/* A scale of the barrier of input i, of which the parameter is a part. */
LIE_INLINE double barrier_of(const lie_control_work *w, int i)
{
    return w->barrier * (w->weight[i] * w->range[i] + w->fuel[i]) * w->range[i];
}

/* control.c: the answer from the present iterate */
void lie__control_publish(lie_control *c);

#endif
