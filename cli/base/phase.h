/* SPDX-License-Identifier: MIT */
/* phase.h: a part of a job that takes long and counts no steps: looking for starts, statistics, pictures, checking what
 * was written. It shows how far it is on a terminal, and ends when a signal has come. There is one at a time; it may be
 * worked on by many threads. */
#ifndef LIESTEP_CLI_PHASE_H
#define LIESTEP_CLI_PHASE_H

#include "cli/base/cli.h"

/* `what` is shown: "statistics"; of: how much there is to do, in units of its own; 0: nobody knows. */
void phase_begin(const char *what, double of, int quiet);
/* So much more is done. EXIT_FINE, or the exit code of a signal that has come: give up then. Without a phase always
 * EXIT_FINE. */
cli_exit phase_add(double more);
void phase_end(void);
/* What was being done when phase_add first answered that a signal has come. */
const char *phase_stopped(void);

#endif
