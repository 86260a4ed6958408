/* SPDX-License-Identifier: MIT */
/* embedded_newton.h: the equations of the stages where passes do not contract, by Newton's method. Internal. */
#ifndef LIESTEP_LIB_EMBEDDED_NEWTON_H
#define LIESTEP_LIB_EMBEDDED_NEWTON_H

#include <liestep/solve.h>
#include <liestep/tableau.h>

#include "lib/methods/embedded/embedded.h"

/* Doubles of work for so many unknowns: stages times embedded_length. */
int lie__embedded_newton_doubles(int unknowns);

/* Slopes and torques of the stages in job->out and job->torque; *h, the length of the step, is what the callbacks read.
 * Status: that of lie__newton_solve. */
lie_status lie__embedded_newton(embedded_job *job, embedded_fn *run, embedded_kind kind, const lie_tableau *tab,
                                double *h, const lie_linear *linear, double *work, lie_solve *info);

#endif
