/* SPDX-License-Identifier: MIT */
/* team.c: see team.h. Results wait in a ring of slots until those before them have been delivered; nobody works further
 * ahead than the ring is long, nor while a quarter of a gigabyte waits, so that memory is bounded. */
#define _POSIX_C_SOURCE 200809L

#include "cli/work/team.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "cli/work/job.h"
#include "cli/work/ranks.h"

enum { SLOTS = 256, RANKS_MAX = 4096, HELD_MAX = 1 << 25 };

struct team_slot {
    atomic_llong done; /* 1 + the unit whose result is here */
    team_result result;
};

/* Ranks that wait for a unit, because the ring is full. */
typedef struct waiting {
    int rank[RANKS_MAX], count, busy;
} waiting;

static void nap(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, 0);
}

/* Who looks after the others sleeps longer while nothing happens: a worker has the processor then. Other processes wait
 * to be served: for them a nap is a 32nd of the time since something happened, which is what they may lose. */
enum { NAP = 250000, LONGEST_NAP = 4000000 };

static long next_nap(long last)
{
    long next = ranks_count() > 1 ? last + last / 32 : 2 * last;
    return next < LONGEST_NAP ? next : last;
}

int team_is_stopped(team *t)
{
    return atomic_load_explicit(&t->stop, memory_order_relaxed) || interrupt_caught();
}

/* How many units may be under way: the next round of a group begins when this one was delivered. */
static long long window(const team *t)
{
    return t->rounds > 1 && t->groups < SLOTS ? t->groups : SLOTS;
}

/* The next unit that may be begun; -1: none is left, -2: not yet */
static long long take(team *t)
{
    long long unit = atomic_load(&t->next);
    do {
        if (unit >= atomic_load(&t->units)) return -1;
        if (unit >= atomic_load(&t->delivered) + window(t) || atomic_load(&t->held) > HELD_MAX) return -2;
    } while (!atomic_compare_exchange_weak(&t->next, &unit, unit + 1));
    return unit;
}

/* What the round before has handed on to this unit, or null. */
static const double *carried_to(const team *t, long long unit)
{
    return unit < t->groups ? 0 : t->carried + (size_t)(unit % t->groups) * t->carry;
}

static void keep(team *t, long long unit, const team_result *result)
{
    struct team_slot *slot = &t->slot[unit % SLOTS];
    slot->result = *result;
    atomic_fetch_add(&t->held, (long long)result->count);
    atomic_store(&slot->done, unit + 1);
}

/* Compute one unit. 0: there was none to begin now, -1: there is none any more. */
static int work_once(team *t)
{
    team_result result = {0, 0};
    long long unit = take(t);
    if (unit < 0) return unit == -1 ? -1 : 0;
    t->compute(t, unit, carried_to(t, unit), &result);
    if (team_is_stopped(t))
        free(result.values);
    else
        keep(t, unit, &result);
    return 1;
}

static void work(team *t)
{
    for (int done = 1; done >= 0 && !team_is_stopped(t);) {
        done = work_once(t);
        if (done == 0) nap(NAP);
    }
}

/* Results of other processes, and units for those who wait. Answers whether anything happened. */
static int serve(team *t, waiting *w)
{
    int rank, any = 0;
    long long unit;
    team_result result;
    while (ranks_receive(&rank, &unit, &result)) {
        any = 1;
        if (unit >= 0) keep(t, unit, &result);
        if (w->count < RANKS_MAX) w->rank[w->count++] = rank;
    }
    while (w->count > 0 && (unit = take(t)) != -2) {
        any = 1;
        const double *carried = unit < 0 ? 0 : carried_to(t, unit);
        ranks_assign(w->rank[--w->count], unit, carried, carried ? t->carry : 0);
        w->busy -= unit == -1;
    }
    return any;
}

/* Have all groups come to their ends? */
static int is_over(const team *t)
{
    for (long long k = 0; k < t->groups && t->carry > 0; k++)
        if (t->carried[(size_t)k * t->carry] == 0.0) return 0;
    return t->carry > 0;
}

/* A result that is complete: what it hands on, and the rest of it. */
static cli_exit hand_over(team *t, long long unit, const team_result *r)
{
    if (r->count < t->carry || (r->count > 0 && !r->values)) return EXIT_FAILED;
    if (t->carry > 0)
        memcpy(t->carried + (size_t)(unit % t->groups) * t->carry, r->values, t->carry * sizeof *t->carried);
    return t->deliver(t, unit, r->values + t->carry, r->count - t->carry);
}

/* The next unit, if it is complete. Answers whether it was, or -1 with *code. One at a time: between them somebody may
 * want to look. */
static int deliver(team *t, cli_exit *code)
{
    long long unit = atomic_load(&t->delivered);
    struct team_slot *slot = &t->slot[unit % SLOTS];
    if (unit >= atomic_load(&t->units) || atomic_load(&slot->done) != unit + 1) return 0;
    *code = hand_over(t, unit, &slot->result);
    atomic_fetch_sub(&t->held, (long long)slot->result.count);
    free(slot->result.values);
    slot->result.values = 0;
    if (*code != EXIT_FINE) return -1;
    if (unit % t->groups == t->groups - 1 && is_over(t)) atomic_store(&t->units, unit + 1);
    atomic_store(&t->delivered, unit + 1);
    return 1;
}

/* Until all is delivered and every other process knows that there is no more. */
static cli_exit coordinate(team *t, int alone)
{
    waiting *w = (waiting *)calloc(1, sizeof *w);
    cli_exit code = w ? EXIT_FINE : EXIT_FAILED;
    double looked = 0.0;
    long pause = NAP;
    if (w) w->busy = ranks_count() - 1;
    while (code == EXIT_FINE && (atomic_load(&t->delivered) < atomic_load(&t->units) || w->busy > 0)) {
        int any = serve(t, w);
        if (alone) any |= work_once(t) > 0;
        any |= deliver(t, &code) > 0;
        double now = progress_clock();
        if (code == EXIT_FINE && (now - looked > 0.05 || interrupt_caught())) {
            code = t->look(t);
            looked = now;
        }
        if (!any) nap(pause);
        pause = any ? NAP : next_nap(pause);
    }
    atomic_store(&t->stop, 1);
    free(w);
    return code;
}

#ifdef _OPENMP
/* Not more than there is to do. */
static int workers(const team *t, long long parts)
{
    int wanted = t->threads > 0 ? t->threads : ranks_count() > 1 ? 1 : omp_get_num_procs();
    return parts < wanted ? (int)(parts > 1 ? parts : 1) : wanted;
}
#endif

static cli_exit lead(team *t)
{
    cli_exit code = EXIT_FINE;
#ifdef _OPENMP
    omp_set_dynamic(0);
#pragma omp parallel num_threads(workers(t, t->groups) + 1)
    {
        if (omp_get_thread_num() == 0)
            code = coordinate(t, omp_get_num_threads() == 1);
        else
            work(t);
    }
#else
    code = coordinate(t, 1);
#endif
    return code;
}

static cli_exit follow(team *t)
{
    team_result result = {0, 0}, carried = {0, 0};
    long long unit = -1;
    while ((unit = ranks_next(unit, &result, &carried)) >= 0) {
        free(result.values);
        result = (team_result){0, 0};
        if (carried.count == 0 || carried.values)
            t->compute(t, unit, carried.values, &result);
        else
            result.count = 1;
        if (team_is_stopped(t)) break;
    }
    free(result.values);
    free(carried.values);
    return unit >= 0 ? EXIT_TERMINATED : EXIT_FINE;
}

cli_exit team_run(team *t)
{
    if (ranks_mine() > 0) return follow(t);
    t->slot = (struct team_slot *)calloc(SLOTS, sizeof *t->slot);
    atomic_store(&t->units, is_over(t) ? t->first : t->groups * t->rounds);
    if (!t->slot) {
        cli_error("there is not enough memory");
        return EXIT_FAILED;
    }
    atomic_store(&t->next, t->first);
    atomic_store(&t->delivered, t->first);
    cli_exit code = lead(t);
    for (int i = 0; i < SLOTS; i++) free(t->slot[i].result.values);
    free(t->slot);
    return code;
}

cli_exit team_each(const team *t, int n, cli_exit (*part)(void *ctx, int i), void *ctx)
{
    atomic_int code = EXIT_FINE;
    (void)t;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(workers(t, n))
#endif
    for (int i = 0; i < n; i++) {
        cli_exit mine = part(ctx, i);
        if (mine != EXIT_FINE) atomic_store(&code, (int)mine);
    }
    return (cli_exit)atomic_load(&code);
}
