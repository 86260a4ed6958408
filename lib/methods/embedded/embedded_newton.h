/* SPDX-License-Identifier: MIT */
/* embedded_newton.h: the equations of the stages where passes do not contract, by Newton's method. Internal. */
#ifndef LIESTEP_LIB_EMBEDDED_NEWTON_H
#define LIESTEP_LIB_EMBEDDED_NEWTON_H

#include <liestep/solve.h>
#include <liestep/tableau.h>

#include "lib/methods/embedded/embedded.h"

/* K_i = f(y + h sum_j a_ij K_j), A by coordinate. Coordinate c of stage i of the values and of the slopes is at c row +
 * i stage. */
typedef struct embedded_equations {
    int length; /* coordinates of a stage that are unknown */
    const lie_tableau *tab;
    const double *A_p; /* that of p and px, where they have their own; null: as the others */
    const lie_linear *linear;
    double *h;       /* the length of the step, which the callbacks read */
    const double *y; /* at the start of the step */
    double *Y;
    const double *K;
    int value_row, value_stage, slope_row, slope_stage;
    lie_status (*evaluate)(void *context); /* K at Y */
    /* Where what is not unknown moves, beside Y; may be null. Units of the coordinates, K being the slopes at y. */
    void (*set_known)(void *context);
    void (*set_units)(void *context, double *unit);
    void *context;
} embedded_equations;

/* Doubles of work for so many unknowns: stages times length. */
int lie__embedded_newton_doubles(int unknowns);

/* The last call of evaluate before LIE_OK is returned was at the solution. Status: that of lie__newton_solve. */
lie_status lie__embedded_newton_solve(const embedded_equations *E, double *work, lie_solve *info);

/* Those of the stages in lanes: slopes in task->out, what they add up to in task->change. */
lie_status lie__embedded_newton(embedded_task *task, embedded_fn *run, stage_kind kind, const lie_tableau *tab,
                                const double *A_p, double *h, const lie_linear *linear, double *work, lie_solve *info);

#endif
