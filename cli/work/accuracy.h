/* SPDX-License-Identifier: MIT */
/* accuracy.h: how accurate a run was, and the step that makes it accurate enough. For `liestep run`. */
#ifndef LIESTEP_CLI_ACCURACY_H
#define LIESTEP_CLI_ACCURACY_H

#include "cli/work/job.h"

/* What is said of the error at the end: one line, or several with line breaks. */
enum { ACCURACY_TEXT = 400 };

/* Estimate the error of `end`, reached from the scenario's start in `seconds` of wall time, by further runs. Without
 * --estimate they are not made where they would take more than 10 s; the text then says so. Ctrl-C ends them. */
void accuracy_estimate(char text[ACCURACY_TEXT], const scenario *s, const job_options *o, const lie_state *end,
                       double seconds);

/* Divide the step of the scenario by the whole number that brings the estimated error at the end below o->accuracy: in
 * rad for turns, in m for places, or relative to the distance from the origin where that is above 1 m. Records stay
 * where they are. *divided is that number. EXIT_FAILED, and said, where no step does. */
cli_exit accuracy_choose(scenario *s, const job_options *o, long long *divided);

/* Say what is wrong with the step, where the motion at this state is too fast for it; 1 if there was something,
 * which then also stands in `text`. `where`: "at the start". */
int accuracy_warn(char text[ACCURACY_TEXT], const scenario *s, const lie_state *at, const char *where);

#endif
