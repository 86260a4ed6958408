/* SPDX-License-Identifier: MIT */
/* summary.h: what a system conserves, and what a run kept of it. */
#ifndef LIESTEP_CLI_SUMMARY_H
#define LIESTEP_CLI_SUMMARY_H

#include "cli/output/checkpoint.h"
#include "cli/output/output.h"

/* Mark the columns of energy and spatial momentum that the system conserves, by looking at its forces at some points:
 * E' = <f, xi>, J' = Ad*_{g^-1}(F + f). */
void summary_find_conserved(table *t);

/* How many values a run of this system follows: energy, spatial momentum, Casimirs. */
int summary_watches(const table *t);

/* Follow them: row `c->records` (from 0) of the run, from this state. */
void summary_watch(checkpoint *c, const table *t, const double *row, const lie_state *s);

/* The table at the end of a run, to stdout. */
void summary_print(const checkpoint *c, const table *t, const lie_stepper *st);

#endif
