/* SPDX-License-Identifier: MIT */
/* feedback.h: a controller in the loop: it sees the state and answers the inputs of the system.
 *
 *   LIE_FEEDBACK_HOLD       once per step, at its start; the inputs are held (zero-order hold), as a computer on board
 *                           does. They lag by half a step, so that the motion is of order 1 in h.
 *   LIE_FEEDBACK_IMPLICIT   u- from the state at the start of the step and u+ from that at its end, by iteration,
 *                           as an analogue controller does. The motion is of the order of the method, at most 2. */
#ifndef LIESTEP_FEEDBACK_H
#define LIESTEP_FEEDBACK_H

#include <liestep/stepper.h>

LIE_BEGIN_DECLS

enum { LIE_FEEDBACK_INPUTS = 64 };

typedef enum lie_feedback_kind { LIE_FEEDBACK_HOLD, LIE_FEEDBACK_IMPLICIT } lie_feedback_kind;

/* u (sys->controls numbers) at time t from the state; xi is the body velocity. Called by the thread that runs the loop,
 * with LIE_FEEDBACK_IMPLICIT several times for one step. Any status but LIE_OK ends the run. */
typedef lie_status lie_controller(void *ctx, double *u, const lie_system *sys, double t, const double *g,
                                  const double *xi);

/* n steps in the loop. On failure the state is that of the last step that succeeded. The controls of the stepper are
 * unset afterwards. Status: that of lie_step or of the controller; LIE_ERR_SIZE (more than LIE_FEEDBACK_INPUTS inputs,
 * or none); LIE_ERR_NOT_FINITE (inputs); LIE_ERR_NO_CONVERGENCE (implicit: the gain is too high for the step). */
LIE_API lie_status lie_feedback_run(lie_stepper *st, lie_state *s, double h, long long n, lie_feedback_kind kind,
                                    lie_controller *controller, void *ctx);

LIE_END_DECLS

#endif
