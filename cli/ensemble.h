/* SPDX-License-Identifier: MIT */
/* ensemble.h: what the parts of `liestep ensemble` share.
 *
 *     ensemble.c             the command: columns, files
 *     ensemble_group.c       trajectories, some at a time
 *     dispersion.c           the values that vary
 *     ensemble_statistics.c  mean, covariance, percentiles, histograms over time; tables
 *     ensemble_plot.c        the picture: bands of percentiles
 *
 * A record is a trajectory at one time: what is watched. Statistics are made at the end, of all records, in the order
 * of the trajectories; trajectories that failed do not count. */
#ifndef LIESTEP_CLI_ENSEMBLE_H
#define LIESTEP_CLI_ENSEMBLE_H

#include "job.h"
#include "team.h"

enum { AT_TRAJECTORY, AT_ENSEMBLE_STATUS, AT_ENSEMBLE_TIME, AT_WATCHED };
enum { STATUS_REFUSED = -1 }; /* the values of a trajectory make no scenario */

/* Of one expression at one time. */
typedef struct distribution {
    double mean, deviation, least, largest, percentile[ENSEMBLE_PERCENTILES];
} distribution;

typedef struct ensemble {
    job job; /* first: a job is an ensemble */
    team team;
    long long times; /* records of a trajectory */
    long long counted, failed;
    double *time;               /* times */
    double *value;              /* times x watched x counted, sorted by size in the end */
    distribution *distribution; /* times x watched */
    double *covariance;         /* times x watched x watched */
} ensemble;

/* Read the records, name what failed, make the statistics and write their tables. */
cli_exit ensemble_summarise(void *ctx, const output *rows, long long records);
void ensemble_print(const ensemble *e);
void ensemble_free(ensemble *e);

/* How many trajectories are a unit of work, and the computing of one, for the team. */
long long ensemble_group_size(long long trajectories);
void ensemble_group(team *t, long long unit, team_result *out);

/* The scenario of trajectory k read from its text, for what is wrong with it: the overrides of the command line first,
 * then those of k; the scenario is the caller's to free. */
cli_exit ensemble_variant(const ensemble *e, long long k, scenario *out, char *problem);

plot_maker ensemble_plot;

#endif
