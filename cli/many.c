/* SPDX-License-Identifier: MIT */
/* many.c: see many.h. */
#define _POSIX_C_SOURCE 200809L

#include "many.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "ranks.h"

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
    if (ranks_mine() > 0) job_catch_signals();
    cli_exit code = job_command(argc, argv, job_options_of_many, work);
    ranks_end(1, (int)code);
    return code;
}

static void gather(job *j)
{
    j->now.seconds = j->before.seconds + progress_clock() - j->began;
}

void many_prepare(job *j, const scenario *s, const job_options *o, const char *unit)
{
    j->s = s, j->options = o, j->unit = unit, j->in.fd = -1, j->gather = gather;
}

cli_exit many_deliver(team *t, long long unit, const team_result *result)
{
    job *j = t->job;
    size_t columns = (size_t)j->table.columns;
    cli_exit code = EXIT_FINE;
    for (size_t i = 0; i < result->count && code == EXIT_FINE; i += columns) {
        code = outputs_row(&j->out, result->values + i);
        j->now.records++;
    }
    long long done = t->each > 0 ? (unit + 1) * t->each : unit + 1;
    j->now.state.steps = done < j->total ? done : j->total;
    return code;
}

cli_exit many_look(team *t)
{
    job *j = t->job;
    double now = progress_clock();
    progress_show(&j->progress, atomic_load(&t->steps), now);
    if (job_caught()) return job_stop(j, job_caught());
    return job_is_due(j, now) && j->now.records > 0 ? job_save(j) : EXIT_FINE;
}

cli_exit many_run(team *t, long long (*steps)(const team *t, long long units))
{
    job *j = t->job;
    j->began = j->saved = progress_clock();
    cli_exit code = job_begin(j);
    if (code != EXIT_FINE) return code;
    if (ranks_count() > t->units)
        cli_warning("there are %d processes for %lld units of work (%s): some have nothing to do", ranks_count(),
                    t->units, j->unit);
    long long done = j->now.state.steps;
    t->first = t->each > 0 ? (done + t->each - 1) / t->each : done;
    atomic_store(&t->steps, steps(t, done));
    progress_begin(&j->progress, steps(t, done), steps(t, j->total), j->options->quiet);
    code = team_run(t);
    progress_clear(&j->progress);
    return code;
}
