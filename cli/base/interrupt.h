/* SPDX-License-Identifier: MIT */
/* interrupt.h: Ctrl-C, SIGTERM and SIGHUP end a job in order; a second one ends it at once. */
#ifndef LIESTEP_CLI_INTERRUPT_H
#define LIESTEP_CLI_INTERRUPT_H

#include "cli/base/cli.h"

/* From now on. A limit on file sizes is an error like others, too. */
void interrupt_catch(void);
/* The number of the signal that came, or 0. */
int interrupt_caught(void);
/* EXIT_FINE, or the exit code of the signal that came. */
cli_exit interrupt_code(void);

#endif
