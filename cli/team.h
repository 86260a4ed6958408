/* SPDX-License-Identifier: MIT */
/* team.h: independent pieces of work, shared out among threads (OpenMP) and processes (MPI).
 *
 * Units are taken in order, one at a time, by whoever is free, so that one that takes long keeps nobody waiting; what
 * they give is delivered in order, to one thread of the first process. So nothing that is written depends on who did
 * what. One more thread looks after the others: files, progress, checkpoints, signals. */
#ifndef LIESTEP_CLI_TEAM_H
#define LIESTEP_CLI_TEAM_H

#include <stdatomic.h>

#include "cli.h"

/* Plain numbers, allocated by who computes them, freed after delivery. A null pointer with count > 0: no memory. */
typedef struct team_result {
    double *values;
    size_t count;
} team_result;

typedef struct team team;
struct team {
    long long first, units; /* what is to be done: first, first + 1, ... units - 1 */
    long long each;         /* of the job's units in one of these; 0: one */
    int threads;            /* 0: as many as there are processors; with several processes each has one */
    void *ctx;
    struct job *job;                                                         /* for many.c */
    void (*compute)(team *t, long long unit, team_result *out);              /* in any thread */
    cli_exit (*deliver)(team *t, long long unit, const team_result *result); /* in order */
    cli_exit (*look)(team *t);                                               /* every 0.05 s or so */
    atomic_llong next, delivered, steps; /* the last one is for `compute` to tell how far it is */
    atomic_int stop;                     /* 1: what is being computed is not wanted any more */
    struct team_slot *slot;
};

/* Do it all. A signal, or an answer of deliver or look that is not EXIT_FINE, ends it; what `look` answered is
 * answered. In processes other than the first: work for the first one until it has no more; EXIT_FINE. */
cli_exit team_run(team *t);

/* Should `compute` give up? Ask every few milliseconds. */
int team_is_stopped(team *t);

/* Parts 0 to n - 1 of something short, side by side on the threads of the team, once its units are done. EXIT_FINE, or
 * what one of them answered. */
cli_exit team_each(const team *t, int n, cli_exit (*part)(void *ctx, int i), void *ctx);

#endif
