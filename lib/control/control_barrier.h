/* SPDX-License-Identifier: MIT */
/* control_barrier.h: bounds on the inputs by a primal-dual barrier: minus a parameter times the logarithms of the gaps
 * is added to the cost, and falls with the residual. Internal.
 *
 * Owner: control_barrier.c, on behalf of control_newton.c.
 *
 * Reference: Waechter & Biegler, Math. Program. 106 (2006), (13) to (16). */
#ifndef LIESTEP_LIB_CONTROL_BARRIER_H
#define LIESTEP_LIB_CONTROL_BARRIER_H

#include "lib/control/control_problem.h"

#define LAST_BARRIER 0x1p-40

typedef struct control_barrier {
    double parameter;
    double *low_z, *up_z, *low_z_next, *up_z_next; /* (N+1) x m: multipliers of the bounds, and after a full step */
} control_barrier;

/* A scale of the barrier of input i, of which the parameter is a part. Where the input costs nothing but what the
 * user's cost says, that of a weight of 1. */
LIE_INLINE double barrier_scale(const control_problem *P, int i)
{
    const control_inputs *in = &P->inputs;
    double price = in->weight[i] * in->range[i] + in->fuel[i];
    return (price > 0.0 ? price : in->range[i]) * in->range[i];
}

LIE_INLINE double barrier_of(const control_problem *P, const control_barrier *b, int i)
{
    return b->parameter * barrier_scale(P, i);
}

/* What damping adds to the weight of input i */
LIE_INLINE double damping_of(const control_problem *P, double damping, int i)
{
    return damping * barrier_scale(P, i) / (P->inputs.range[i] * P->inputs.range[i]);
}

/* Is the parameter above the last one, so that the problem is not yet the one that was asked? */
LIE_INLINE int lie__barrier_is_high(const control_problem *P, const control_barrier *b)
{
    return P->inputs.bounded && b->parameter > LAST_BARRIER;
}

/* control_barrier.c: parameter and multipliers of a new solution, smaller where it is near that of a neighbour
 * (`warm`), with u ((N+1) x m) brought inside its bounds */
void lie__barrier_begin(const control_problem *P, control_barrier *b, double *u, int warm);

/* What the barrier costs at node k */
double lie__barrier_cost(const control_problem *P, const control_barrier *b, int k, const double *u);

/* Multipliers of the bounds after a full step du, and the longest steps, at most 1, that keep u and them inside */
void lie__barrier_steps(const control_problem *P, const control_barrier *b, const double *u, const double *du,
                        double *most_u, double *most_z);

/* The multipliers after this part of the step, u being the inputs after it */
void lie__barrier_update(const control_problem *P, control_barrier *b, const double *u, double step);

/* A lower parameter where the problem with the present one is solved well enough; 1: lowered */
int lie__barrier_lower(const control_problem *P, control_barrier *b, double residual);

#endif
