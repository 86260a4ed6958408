/* SPDX-License-Identifier: MIT */
/* job_options.h: what may be said on the command line of a job, and the command around it. */
#ifndef LIESTEP_CLI_JOB_OPTIONS_H
#define LIESTEP_CLI_JOB_OPTIONS_H

#include "cli/scenario/scenario.h"

typedef struct job_options {
    const char *path;
    int overrides;
    char **override;
    int resume, restart, no_plot, quiet, print_defaults, print_keys, verbose, json;
    int threads;       /* 0: not given */
    int estimate;      /* of the error, however long it takes */
    double accuracy;   /* wanted at the end; 0: not given */
    const char *guess; /* a file; null: not given */
} job_options;

/* What several lists of options have. */
#define JOB_SET(example)                                                                                               \
    {                                                                                                                  \
        "set", 's', "KEY=VALUE", "override a key of the scenario, as in -s " example "; repeat at will"                \
    }
#define JOB_NO_PLOT                                                                                                    \
    {                                                                                                                  \
        "no-plot", 0, 0, "make no picture"                                                                             \
    }
#define JOB_QUIET                                                                                                      \
    {                                                                                                                  \
        "quiet", 'q', 0, "no summary, no progress, only errors and warnings"                                           \
    }

/* Options of a job: those of `run`, and those of commands that take many trajectories. */
extern const cli_option job_options_of_one[], job_options_of_many[];

/* The whole command: read the command line and the scenario, then `work`, or print what was asked for. An option means
 * the same in every list: it goes to the member of its name. */
cli_exit job_command(int argc, char **argv, const cli_option *options,
                     cli_exit (*work)(scenario *s, const job_options *o));

#endif
