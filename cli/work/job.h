/* SPDX-License-Identifier: MIT */
/* job.h: what the commands that work for long share: signals, output files, checkpoints and resume.
 *
 * A job does `total` things in order (steps, orbits); now.state.steps of them are done and in the output files. What it
 * knows of itself is a checkpoint, which is written from time to time and when it is interrupted. */
#ifndef LIESTEP_CLI_JOB_H
#define LIESTEP_CLI_JOB_H

#include "cli/base/interrupt.h"
#include "cli/base/progress.h"
#include "cli/output/outputs.h"
#include "cli/work/job_options.h"

typedef struct job job;
struct job {
    const scenario *s;
    const job_options *options;
    const char *unit; /* what is counted: "step", "orbit" */
    long long total;  /* how many */
    folder in;
    table table;
    outputs out;
    guard guard;
    progress progress;
    checkpoint now;               /* where the job stands; the counts of earlier sessions are in `before` */
    checkpoint before;            /* as it was read */
    int placed;                   /* all files have their names */
    const char *odd;              /* the column of the first number that was not finite; null: none in this session */
    double began;                 /* clock */
    double saved;                 /* clock, at the last checkpoint */
    struct team *team;            /* who does it; for many.c */
    cli_exit (*first)(job *j);    /* the first records of a job that begins; null: none */
    cli_exit (*gather)(job *j);   /* bring `now` up to date before it is written; null: it is */
    int (*is_mine)(const job *j); /* do the numbers of `before`, as it was read, fit? null: they do */
    void (*restored)(job *j);     /* `now` was read from a checkpoint; null: that is all */
};

/* "liestep: TEXT" on stderr, unless --quiet. */
void job_note(const job *j, const char *text);
/* "step 5 of 10 (t = 0.5 s)", "orbit 3 of 24": where a state stands in its job. */
typedef struct job_where {
    char text[100];
} job_where;
job_where job_where_of(const job *j, const lie_state *s, int with_time);
/* From the start, or from a checkpoint. */
cli_exit job_begin(job *j);
/* Sync the outputs and write a checkpoint. */
cli_exit job_save(job *j);
/* Is it time for a checkpoint? */
int job_is_due(const job *j, double now);
/* End because of a signal, with a checkpoint if the scenario has one. */
cli_exit job_stop(job *j, int number);
/* All is done: complete the files, give them their names, remove the checkpoint. */
cli_exit job_finish(job *j);
/* A row that will be recorded: is everything in it finite? Rows that are not are counted in `now`. */
void job_see_row(job *j, const double *row);
/* EXIT_FAILED after a message if there were any; of many trajectories, where the records are gone: if something had
 * failed when there were. */
cli_exit job_judge_rows(const job *j);
/* Say where the records of a job that failed are. */
void job_leave_parts(job *j);
/* Close everything. The exit code: that one, unless the files that were put in place are there no more. */
cli_exit job_close(job *j, cli_exit code);

#endif
