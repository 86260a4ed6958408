/* SPDX-License-Identifier: MIT */
/* control.h: what a lie_control is: the head of its work memory. Internal.
 *
 *   problem     what is asked, as the solver sees it          control_problem.h
 *   iterate     where the iteration stands                    control_iterate.h
 *   linear      the linear-quadratic problem at the iterate   control_linear.h
 *   step        its solution, the Newton step                 control_step.h
 *   barrier     bounds on the inputs                          control_barrier.h
 *
 * What needs less than all of it takes the part: a path is a matter of the problem alone. */
#ifndef LIESTEP_LIB_CONTROL_H
#define LIESTEP_LIB_CONTROL_H

#include "lib/control/control_barrier.h"
#include "lib/control/control_iterate.h"
#include "lib/control/control_linear.h"
#include "lib/control/control_step.h"

struct lie_control {
    lie_control_answer answer;
    lie_control_problem asked;
    control_problem problem;
    control_iterate iterate;
    control_linearisation linear;
    control_step step;
    control_barrier barrier;
    struct {
        double price_e, price_y;
    } search; /* penalties of the line search */
    struct {
        double *xi, *u, *p, *g, *nu;
    } shown; /* what the answer points to */
};

/* control.c: the answer from the present iterate */
void lie__control_publish(lie_control *c);

#endif
