/* SPDX-License-Identifier: MIT */
/* many.h: jobs of many trajectories: what sections and ensembles share. A unit of work gives whole records of the job's
 * table; they are written in the order of the units. */
#ifndef LIESTEP_CLI_MANY_H
#define LIESTEP_CLI_MANY_H

#include "cli/work/job.h"
#include "cli/work/team.h"

/* The command: read the command line and the scenario in every process, then `work`. */
cli_exit many_command(int argc, char **argv, cli_exit (*work)(scenario *s, const job_options *o));

/* A job that counts units of this name, and the team that does them. */
void many_prepare(job *j, team *t, const scenario *s, const job_options *o, const char *unit);

/* Begin or resume, and let the team do the units that are left. steps: how many steps the first `units` have. */
cli_exit many_run(team *t, long long (*steps)(const team *t, long long units));
/* All is done: find out where the records of every unit begin. */
cli_exit many_index(team *t);
/* Records from `first` on, `last` not included. */
typedef void many_see(void *ctx, const double *row);
cli_exit many_read(const team *t, const output *rows, long long first, long long last, many_see *see, void *ctx);
/* Free what is kept of the units; in every process. */
void many_end(team *t);

/* For the team: records to the outputs; progress, checkpoints, signals. */
cli_exit many_deliver(team *t, long long unit, const double *values, size_t count);
cli_exit many_look(team *t);

cli_exit many_no_memory(void);

#endif
