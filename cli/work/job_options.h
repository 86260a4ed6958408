/* SPDX-License-Identifier: MIT */
/* job_options.h: what may be said on the command line of a job, and the command around it. */
#ifndef LIESTEP_CLI_JOB_OPTIONS_H
#define LIESTEP_CLI_JOB_OPTIONS_H

#include "cli/scenario/scenario.h"

typedef struct job_options {
    const char *path;
    int overrides;
    char **override;
    int resume, restart, no_plot, quiet, print_defaults, print_keys;
    int threads;     /* 0: not given */
    int estimate;    /* of the error, however long it takes */
    double accuracy; /* wanted at the end; 0: not given */
} job_options;

/* Options of a job: those of `run`, and those of commands that take many trajectories. */
extern const cli_option job_options_of_one[], job_options_of_many[];

/* The whole command: read the command line and the scenario, then `work`, or print what was asked for. */
cli_exit job_command(int argc, char **argv, const cli_option *options,
                     cli_exit (*work)(scenario *s, const job_options *o));

#endif
