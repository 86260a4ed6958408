/* SPDX-License-Identifier: MIT */
/* team.h: work in independent groups, shared out among threads (OpenMP) and processes (MPI).
 *
 * A group is worked on in rounds, each of which goes on where the one before ended, so that what is computed can be
 * written and kept in a checkpoint on the way, however long a group takes. Unit u is round u / groups of group
 * u % groups. Units are taken in order, one at a time, by whoever is free, so that one that takes long keeps nobody
 * waiting; what they give is delivered in order, to one thread of the first process. So nothing that is written depends
 * on who did what. One more thread looks after the others: files, progress, checkpoints, signals. */
#ifndef LIESTEP_CLI_TEAM_H
#define LIESTEP_CLI_TEAM_H

#include <stdatomic.h>

#include "cli/base/cli.h"

/* Plain numbers, allocated by who computes them, freed after delivery. A null pointer with count > 0: no memory. */
typedef struct team_result {
    double *values;
    size_t count;
} team_result;

typedef struct team team;
struct team {
    long long groups, rounds;
    long long first; /* the unit to begin with: those before it were delivered by an earlier session */
    size_t carry;    /* how many numbers a unit hands on, the first of its result; 0 where there is one round */
    double *carried; /* groups x carry: what the units that were delivered have handed on. The first number of each */
                     /* tells whether the group has come to its end; if all have, there are no more rounds */
    double *made;    /* records of each unit that was delivered; for many.c, as are the next two */
    size_t made_room;
    long long *begins; /* the first record of each unit, and behind them how many there are */
    int threads;       /* 0: as many as there are processors; with several processes each has one */
    void *ctx;
    struct job *job; /* for many.c */
    /* in any thread; carried: what the round before has handed on, null in the first */
    void (*compute)(team *t, long long unit, const double *carried, team_result *out);
    cli_exit (*deliver)(team *t, long long unit, const double *values, size_t count); /* in order */
    cli_exit (*look)(team *t);                                                        /* every 0.05 s or so */
    atomic_llong units;                                                               /* how many there are */
    atomic_llong next, delivered;
    atomic_llong steps; /* for `compute` to tell how far it is */
    atomic_llong held;  /* numbers of results that wait */
    atomic_int stop;    /* 1: what is being computed is not wanted any more */
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
