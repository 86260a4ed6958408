/* SPDX-License-Identifier: MIT */
/* control_step.h: the Newton step: the solution of the linear-quadratic problem at an iterate. Internal.
 *
 * Owner: control_sweep.c and control_sweep_ends.c; control_newton.c sets the damping. */
#ifndef LIESTEP_LIB_CONTROL_STEP_H
#define LIESTEP_LIB_CONTROL_STEP_H

#include "lib/control/control_problem.h"

typedef struct control_step {
    double *z, *du, *dxi; /* (N+1) x 2n, (N+1) x m, N x n */
    double *p_next;       /* (N+1) x n: multipliers after a full step */
    double lambda_next[CONTROL_ROWS];
    double dstart[CONTROL_STATE];               /* in the free components of the start */
    double *records;                            /* (N+1) x record_doubles: what the sweep knows of every node */
    double anchor[CONTROL_ROWS * CONTROL_ROWS]; /* weight of the conditions in the sweep, rows x rows */
    int anchored;                               /* 1: the anchor is made, more: and raised so often */
    int negative;                               /* eigenvalues of what the sweep has divided by */
    double damping, last_damping; /* added to the cost of a step in the inputs, in parts of their own; last above 0 */
    struct {
        double u, size_u, xi, size_xi, gap;
    } worst; /* largest gradients in u and xi, their terms, and of the bounds */
} control_step;

/* control_sweep.c: z, du, p_next, lambda_next. LIE_ERR_SINGULAR: not convex on the conditions with this curvature and
 * damping; LIE_ERR_UNREACHABLE. lie__control_sweep_back fills worst first. */
int lie__control_record_doubles(const control_problem *P);
lie_status lie__control_sweep_back(lie_control *c);
lie_status lie__control_sweep_forward(lie_control *c);

#endif
