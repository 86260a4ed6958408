/* SPDX-License-Identifier: MIT */
/* control_files.h: what an optimal manoeuvre is written to and read from. */
#ifndef LIESTEP_CLI_CONTROL_FILES_H
#define LIESTEP_CLI_CONTROL_FILES_H

#include "cli/base/file.h"

/* One line per node: t, the element g, xi of the interval that follows, nu, u, p. 17 digits. */
cli_exit control_write_csv(const lie_control_answer *a, file *f);

/* The columns xi and u of such a file as a first guess. EXIT_SCENARIO: it is not one of N intervals of this problem. */
cli_exit control_read_guess(lie_control *c, const char *path);

/* Inputs, velocities, multipliers, the path and the poses along it. */
cli_exit control_plot(const lie_control_answer *a, file *f, int *made);

#endif
