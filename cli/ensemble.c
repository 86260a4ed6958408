/* SPDX-License-Identifier: MIT */
/* ensemble.c: liestep ensemble SCENARIO.yaml: many trajectories whose values vary, and their statistics over time.
 *
 * Every trajectory is the scenario with overrides of its own: whatever a scenario can say may vary. They are computed
 * one by one by whichever thread or process is free, and written in order. */
#include "ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dispersion.h"
#include "json.h"
#include "many.h"
#include "ranks.h"

enum { BETWEEN_LOOKS = 4096 };

cli_exit ensemble_variant(const ensemble *e, long long k, scenario *out, char *problem)
{
    const job_options *o = e->job.options;
    char(*text)[DISPERSION_TEXT] = (char(*)[DISPERSION_TEXT])malloc(ENSEMBLE_DISPERSED * sizeof *text);
    char **all = (char **)calloc((size_t)o->overrides + ENSEMBLE_DISPERSED, sizeof *all);
    cli_exit code = EXIT_FAILED;
    *out = (scenario){0};
    if (text && all) {
        int n = dispersion_overrides(e->job.s, k, text);
        for (int i = 0; i < o->overrides; i++) all[i] = o->override[i];
        for (int i = 0; i < n; i++) all[o->overrides + i] = text[i];
        code = scenario_variant(out, e->job.s, o->overrides + n, all, problem);
    }
    free(all);
    free(text);
    return code;
}

static void put_row(const ensemble *e, double *row, long long k, const lie_state *at)
{
    const ensemble_plan *p = e->job.s->ensemble;
    row[AT_TRAJECTORY] = (double)k + 1.0;
    row[AT_ENSEMBLE_TIME] = at->t;
    for (int i = 0; i < p->watched; i++) row[AT_WATCHED + i] = (double)NAN;
}

/* One trajectory. Answers how many rows it has; all of them if it did not fail. */
static long long follow(team *t, const scenario *s, long long k, double *rows, lie_status *status)
{
    ensemble *e = (ensemble *)t->ctx;
    const ensemble_plan *plan = s->ensemble; /* its expressions know this trajectory's system */
    size_t bytes = lie_stepper_memsize(&s->system, &s->options), columns = (size_t)e->job.table.columns;
    void *work = malloc(bytes);
    lie_stepper st;
    lie_state at = s->start;
    long long made = 0;
    *status = work ? lie_stepper_init(&st, &s->system, &s->options, work, bytes) : LIE_ERR_MEMORY;
    if (*status == LIE_OK) lie_stepper_control(&st, s->u, s->u);
    while (*status == LIE_OK && made < e->times && !team_is_stopped(t)) {
        double *row = rows + columns * (size_t)made++;
        put_row(e, row, k, &at);
        for (int i = 0; i < plan->watched; i++)
            row[AT_WATCHED + i] = expression_value(&plan->watch[i], at.t, at.g, at.m);
        long long n = made == e->times ? 0 : s->output.every;
        if (n > s->steps - at.steps) n = s->steps - at.steps;
        atomic_fetch_add(&t->steps, n);
        while (n > 0 && *status == LIE_OK && !team_is_stopped(t)) {
            long long some = n < BETWEEN_LOOKS ? n : BETWEEN_LOOKS;
            *status = lie_run(&st, &at, s->step, some);
            n -= some;
        }
    }
    free(work);
    return made;
}

static void trajectory(team *t, long long unit, team_result *out)
{
    ensemble *e = (ensemble *)t->ctx;
    size_t columns = (size_t)e->job.table.columns;
    double *rows = (double *)malloc((size_t)e->times * columns * sizeof *rows);
    char problem[SCENARIO_PROBLEM];
    scenario own;
    lie_status status = LIE_OK;
    long long made = 1;
    *out = (team_result){0, 1};
    if (!rows) return;
    int fine = ensemble_variant(e, unit, &own, problem) == EXIT_FINE;
    if (fine)
        made = follow(t, &own, unit, rows, &status);
    else
        put_row(e, rows, unit, &e->job.s->start);
    scenario_free(&own);
    if (made == 0) put_row(e, rows, unit, &e->job.s->start), made = 1;
    for (long long i = 0; i < made; i++)
        rows[(size_t)i * columns + AT_ENSEMBLE_STATUS] = fine ? (double)status : (double)STATUS_REFUSED;
    *out = (team_result){rows, (size_t)made * columns};
}

static void make_table(ensemble *e)
{
    const scenario *s = e->job.s;
    table *t = &e->job.table;
    char h[JSON_NUMBER], name[COLUMN_NAME];
    *t = (table){.from = s, .group = s->system.group, .method = s->options.method, .every = s->output.every};
    snprintf(t->title, sizeof t->title, "%s on %s, %lld trajectories, method %s, retraction %s, h = %s s",
             s->system.name, s->group, e->job.total, s->options.method, s->retraction, json_shortest(h, s->step));
    table_add_block(t, "trajectory", 0);
    table_add_column(t, "trajectory", "1");
    table_add_block(t, "status", 0);
    table_add_column(t, "status", "1");
    table_add_block(t, "t", 0);
    table_add_column(t, "t", "s");
    table_add_block(t, "watched", 1);
    for (int i = 0; i < s->ensemble->watched; i++) {
        snprintf(name, sizeof name, "watched%d", (i + 1) % 100);
        table_add_column(t, name, "");
    }
    e->times = 1 + s->steps / t->every + (s->steps % t->every != 0);
}

static cli_exit prepare(ensemble *e)
{
    job *j = &e->job;
    if (j->s->output.aem) {
        cli_error("%s: output.aem: is for liestep run; an ensemble has no attitude file", j->s->name);
        return EXIT_SCENARIO;
    }
    j->now.fingerprint = (j->s->fingerprint ^ 0xe25e) * 0x100000001b3u;
    j->now.state = j->s->start;
    j->now.size = j->table.group->size;
    j->now.dim = j->table.group->dim;
    cli_exit code = folder_open(&j->in, j->s->output.directory);
    if (code == EXIT_FINE) code = outputs_init(&j->out, &j->table, &j->in, j->options->no_plot, 1);
    j->out.read = ensemble_summarise, j->out.draw = ensemble_plot, j->out.ctx = e;
    return code;
}

static long long steps_of(const team *t, long long units)
{
    double steps = (double)units * (double)t->job->s->steps;
    return steps < 9e18 ? (long long)steps : 9000000000000000000;
}

static cli_exit lead(ensemble *e, int *completed)
{
    job *j = &e->job;
    job_catch_signals();
    cli_exit code = prepare(e);
    if (code == EXIT_FINE) code = many_run(&e->team, steps_of);
    *completed = code == EXIT_FINE;
    if (code == EXIT_FINE) code = job_finish(j);
    if (code == EXIT_FINE && !j->options->quiet) {
        if (e->distribution) ensemble_print(e);
        outputs_print(&j->out);
    }
    if (code == EXIT_FINE && e->failed > 0) code = EXIT_FAILED;
    job_close(j);
    return code;
}

static cli_exit ensemble_scenario(scenario *s, const job_options *options)
{
    ensemble *e = (ensemble *)calloc(1, sizeof *e);
    int completed = 1;
    cli_exit code = EXIT_SCENARIO;
    if (!e) return EXIT_FAILED;
    if (scenario_refuse_tolerance(s, "ensemble") != EXIT_FINE) {
        free(e);
        return EXIT_SCENARIO;
    }
    if (!s->ensemble || s->ensemble->watched == 0 || s->ensemble->dispersed == 0) {
        cli_error("%s: ensemble%s: is missing; 'liestep run --print-defaults' shows its keys", s->name,
                  !s->ensemble                ? ""
                  : s->ensemble->watched == 0 ? ".watch"
                                              : ".disperse");
    } else {
        many_prepare(&e->job, s, options, "trajectory");
        e->job.total = s->ensemble->trajectories;
        make_table(e);
        e->team = (team){.units = e->job.total, .threads = options->threads, .ctx = e, .job = &e->job};
        e->team.compute = trajectory, e->team.deliver = many_deliver, e->team.look = many_look;
        if (ranks_mine() == 0)
            code = lead(e, &completed);
        else
            completed = (code = team_run(&e->team)) == EXIT_FINE;
    }
    ranks_end(completed, (int)code);
    ensemble_free(e);
    free(e);
    return code;
}

static cli_exit ensemble_command(int argc, char **argv)
{
    return many_command(argc, argv, ensemble_scenario);
}

const cli_command command_ensemble = {
    .name = "ensemble",
    .summary = "many trajectories with dispersed values: statistics, bands of percentiles",
    .help =
        "usage: liestep ensemble SCENARIO.yaml [-s KEY=VALUE]... [-j THREADS] [--resume | --restart] [--quiet]\n"
        "       mpirun -n N liestep ensemble SCENARIO.yaml ...\n"
        "\n"
        "Runs the scenario many times with values that vary: inertia, rates, any number of parameters, start and\n"
        "control, normally or uniformly distributed or from a list (ensemble.disperse). Of expressions of the state\n"
        "(ensemble.watch) it makes mean, covariance, percentiles and histograms over time, and a picture of the "
        "bands.\n"
        "\n"
        "Threads and processes share the trajectories; the files are the same to the byte for any number of them. A\n"
        "trajectory that fails is named and does not count; the exit code is 1 then.\n",
    .run = ensemble_command,
    .options = job_options_of_many,
    .examples = "  liestep ensemble scenarios/satellite_dispersed.yaml\n"
                "  liestep ensemble scenarios/satellite_dispersed.yaml -s ensemble.trajectories=1000 -j 2\n",
};
