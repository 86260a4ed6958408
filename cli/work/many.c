/* SPDX-License-Identifier: MIT */
/* many.c: see many.h. */
#define _POSIX_C_SOURCE 200809L

#include "cli/work/many.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/phase.h"
#include "cli/work/ranks.h"

/* Results come and go by the megabyte: their memory is kept for the next ones rather than given back each time. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

cli_exit many_command(int argc, char **argv, cli_exit (*work)(scenario *s, const job_options *o))
{
    keep_memory();
    ranks_begin();
    /* every process reads the scenario; one of them tells what is wrong with it */
    if (ranks_mine() > 0 && !freopen("/dev/null", "w", stderr)) return EXIT_OUTPUT;
    if (ranks_mine() > 0) interrupt_catch();
    cli_exit code = job_command(argc, argv, job_options_of_many, work);
    ranks_end(1, (int)code);
    return code;
}

/* What a checkpoint keeps: what the groups hand on, and how many records each unit had. */
static cli_exit gather(job *j)
{
    const team *t = j->team;
    size_t units = (size_t)j->now.state.steps, carried = (size_t)t->groups * t->carry, all = carried + units;
    j->now.seconds = j->before.seconds + progress_clock() - j->began;
    if (!j->s->checkpoint) return EXIT_FINE;
    double *extra = (double *)realloc(j->now.extra, (all + 1) * sizeof *extra);
    if (!extra) return many_no_memory();
    if (carried > 0) memcpy(extra, t->carried, carried * sizeof *extra);
    if (units > 0) memcpy(extra + carried, t->made, units * sizeof *extra);
    j->now.extra = extra, j->now.extras = (long long)all;
    return EXIT_FINE;
}

static int has_room(team *t, size_t units)
{
    if (units <= t->made_room) return 1;
    size_t room = 2 * units + 64;
    double *made = (double *)realloc(t->made, room * sizeof *made);
    if (made) t->made = made, t->made_room = room;
    return made != 0;
}

static int is_mine(const job *j)
{
    team *t = j->team;
    long long carried = t->groups * (long long)t->carry, units = j->before.state.steps;
    double records = 0.0;
    if (units > t->groups * t->rounds || j->before.extras != carried + units || !has_room(t, (size_t)units)) return 0;
    for (long long u = 0; u < units && records >= 0.0; u++) {
        double made = j->before.extra[carried + u];
        records = made >= 0.0 && made == floor(made) ? records + made : -1.0;
    }
    return records == (double)j->before.records;
}

static void restored(job *j)
{
    team *t = j->team;
    size_t carried = (size_t)t->groups * t->carry, units = (size_t)j->now.state.steps;
    if (carried > 0) memcpy(t->carried, j->now.extra, carried * sizeof *t->carried);
    if (units > 0) memcpy(t->made, j->now.extra + carried, units * sizeof *t->made);
}

cli_exit many_no_memory(void)
{
    cli_error("there is not enough memory");
    return EXIT_OUTPUT;
}

void many_prepare(job *j, team *t, const scenario *s, const job_options *o, const char *unit)
{
    j->s = s, j->options = o, j->unit = unit, j->in.fd = -1, j->team = t;
    j->gather = gather, j->is_mine = is_mine, j->restored = restored;
    t->job = j, t->threads = o->threads;
}

cli_exit many_deliver(team *t, long long unit, const double *values, size_t count)
{
    job *j = t->job;
    size_t columns = (size_t)j->table.columns;
    long long before = j->now.records;
    cli_exit code = has_room(t, (size_t)unit + 1) ? EXIT_FINE : many_no_memory();
    for (size_t i = 0; i < count && code == EXIT_FINE; i += columns) {
        code = outputs_row(&j->out, values + i);
        j->now.records++;
    }
    if (code == EXIT_FINE) t->made[unit] = (double)(j->now.records - before);
    j->now.state.steps = unit + 1;
    return code;
}

cli_exit many_look(team *t)
{
    job *j = t->job;
    double now = progress_clock();
    progress_show(&j->progress, atomic_load(&t->steps), now);
    if (interrupt_caught()) return job_stop(j, interrupt_caught());
    return job_is_due(j, now) && j->now.records > 0 ? job_save(j) : EXIT_FINE;
}

cli_exit many_run(team *t, long long (*steps)(const team *t, long long units))
{
    job *j = t->job;
    size_t carried = (size_t)t->groups * t->carry;
    j->began = j->saved = progress_clock();
    j->total = t->groups * t->rounds;
    t->carried = carried > 0 ? (double *)calloc(carried, sizeof *t->carried) : 0;
    if (carried > 0 && !t->carried) return many_no_memory();
    cli_exit code = job_begin(j);
    if (code != EXIT_FINE) return code;
    if (ranks_count() > t->groups)
        cli_warning("there are %d processes for %lld units of work (%s): some have nothing to do", ranks_count(),
                    t->groups, j->unit);
    t->first = j->now.state.steps;
    atomic_store(&t->steps, steps(t, t->first));
    progress_begin(&j->progress, steps(t, t->first), steps(t, j->total), j->options->quiet);
    code = team_run(t);
    progress_clear(&j->progress);
    return code;
}

cli_exit many_index(team *t)
{
    long long units = t->job->now.state.steps;
    t->begins = (long long *)calloc((size_t)units + 1, sizeof *t->begins);
    if (!t->begins) return many_no_memory();
    for (long long u = 0; u < units; u++) t->begins[u + 1] = t->begins[u] + (long long)t->made[u];
    return EXIT_FINE;
}

cli_exit many_read(const team *t, const output *rows, long long first, long long last, many_see *see, void *ctx)
{
    enum { ROWS = 1024 };
    size_t columns = (size_t)t->job->table.columns;
    double *values = (double *)malloc(ROWS * columns * sizeof *values);
    cli_exit code = EXIT_FINE;
    if (!values) return many_no_memory();
    while (first < last && code == EXIT_FINE) {
        int n = last - first < ROWS ? (int)(last - first) : ROWS;
        code = output_npy_rows(rows, first, n, values);
        if (code == EXIT_FINE) code = phase_add(n);
        for (int i = 0; i < n && code == EXIT_FINE; i++) see(ctx, values + (size_t)i * columns);
        first += n;
    }
    free(values);
    return code;
}

void many_end(team *t)
{
    free(t->begins);
    free(t->carried);
    free(t->made);
    checkpoint_free(&t->job->now);
}
