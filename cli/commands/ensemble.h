/* SPDX-License-Identifier: MIT */
/* ensemble.h: what the parts of `liestep ensemble` share.
 *
 *     ensemble.c             the command: columns, files
 *     ensemble_group.c       trajectories, some at a time
 *     dispersion.c           the values that vary
 *     ensemble_statistics.c  mean, covariance, percentiles, histograms over time; tables
 *     ensemble_plot.c        the picture: bands of percentiles
 *
 * A record is a trajectory at one time: what is watched; one more, with a status, tells where one has failed. The unit
 * of work is a round of a group of trajectories, so that the records of long ones lie apart, round by round. Statistics
 * are made at the end from the records, round by round too, so that no more than those of one are in memory.
 * Trajectories that failed do not count. */
#ifndef LIESTEP_CLI_ENSEMBLE_H
#define LIESTEP_CLI_ENSEMBLE_H

#include "cli/work/job.h"
#include "cli/work/team.h"

enum { AT_TRAJECTORY, AT_ENSEMBLE_STATUS, AT_ENSEMBLE_TIME, AT_WATCHED };
enum { ENSEMBLE_SHOWN = 1000 }; /* times in the picture, about */
enum { STATUS_REFUSED = -1 };   /* the values of a trajectory make no scenario */

/* Of one expression at one time. */
typedef struct distribution {
    double mean, deviation, least, largest, percentile[ENSEMBLE_PERCENTILES];
} distribution;

/* The distributions at one time, of all expressions. */
typedef struct moment {
    double time;
    distribution of[ENSEMBLE_WATCHED];
} moment;

typedef struct ensemble {
    job job; /* first: a job is an ensemble */
    team team;
    long long trajectories;
    long long times; /* records of a trajectory */
    long long round; /* steps of a unit */
    long long counted, failed;
    unsigned char *lost; /* by trajectory: it failed */
    double *time;        /* times of one round */
    double *value;       /* of one round: times x watched x counted, sorted by size in the end */
    struct {
        double trajectory; /* of the last row that was filled in */
        long long column, time;
    } filling;
    moment *shown; /* some of the times for the picture, the last one included */
    int shows;
    double low[ENSEMBLE_WATCHED], high[ENSEMBLE_WATCHED]; /* of all values */
    long long not_finite[ENSEMBLE_WATCHED];               /* values that are no finite number */
} ensemble;

/* How many records a trajectory has in a round. */
long long ensemble_times(const ensemble *e, long long round);

/* Read the records, name what failed, make the statistics and write their tables. */
cli_exit ensemble_summarise(void *ctx, const output *rows, long long records);
void ensemble_print(const ensemble *e);
/* EXIT_FAILED after messages if trajectories have failed, or values are not finite. */
cli_exit ensemble_judge(const ensemble *e);
void ensemble_free(ensemble *e);

/* How many trajectories are a group, how many numbers it hands on to its next round, and a unit of work. */
long long ensemble_group_size(long long trajectories);
size_t ensemble_carry(const ensemble *e);
void ensemble_group(team *t, long long unit, const double *carried, team_result *out);

/* The scenario of trajectory k read from its text, for what is wrong with it: the overrides of the command line first,
 * then those of k; the scenario is the caller's to free. */
cli_exit ensemble_variant(const ensemble *e, long long k, scenario *out, char *problem);

plot_maker ensemble_plot;

#endif
