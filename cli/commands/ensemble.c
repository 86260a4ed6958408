/* SPDX-License-Identifier: MIT */
/* ensemble.c: liestep ensemble SCENARIO.yaml: many trajectories whose values vary, and their statistics over time.
 *
 * Every trajectory is the scenario with numbers of its own: any of parameters, start and control may vary. The
 * scenario is read once. Groups of trajectories are computed by whichever thread or process is free
 * (ensemble_group.c), a round of steps at a time, and written in order. */
#include "cli/commands/ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/expression_names.h"
#include "cli/base/json.h"
#include "cli/scenario/dispersion.h"
#include "cli/work/accuracy.h"
#include "cli/work/many.h"
#include "cli/work/ranks.h"

cli_exit ensemble_variant(const ensemble *e, long long k, scenario *out, char *problem)
{
    const job_options *o = e->job.options;
    dispersion_change change[ENSEMBLE_DISPERSED];
    char(*text)[DISPERSION_TEXT] = (char(*)[DISPERSION_TEXT])malloc(ENSEMBLE_DISPERSED * sizeof *text);
    char **all = (char **)calloc((size_t)o->overrides + ENSEMBLE_DISPERSED, sizeof *all);
    cli_exit code = EXIT_FAILED;
    *out = (scenario){0};
    if (text && all) {
        int n = dispersion_changes(e->job.s, k, change);
        for (int i = 0; i < o->overrides; i++) all[i] = o->override[i];
        for (int i = 0; i < n; i++) dispersion_print(all[o->overrides + i] = text[i], &change[i]);
        code = scenario_variant(out, e->job.s, o->overrides + n, all, problem);
    }
    free(all);
    free(text);
    return code;
}

static void make_table(ensemble *e)
{
    const scenario *s = e->job.s;
    table *t = &e->job.table;
    char h[JSON_NUMBER], name[COLUMN_NAME];
    *t = (table){.from = s, .group = s->system.group, .method = s->options.method, .every = s->output.every};
    snprintf(t->title, sizeof t->title, "%s on %s, %lld trajectories, method %s, retraction %s, h = %s s",
             s->system.name, s->group, e->trajectories, s->options.method, s->retraction, json_shortest(h, s->step));
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
}

/* Steps and records of a round at most, and numbers of all trajectories in it. */
enum { ROUND = 1 << 18, RECORDS = 1024, NUMBERS = 1 << 24 };

static void choose_rounds(ensemble *e)
{
    const scenario *s = e->job.s;
    long long every = s->output.every, records = NUMBERS / (e->trajectories * s->ensemble->watched);
    if (records > RECORDS) records = RECORDS;
    if (records > ROUND / every) records = ROUND / every;
    e->round = every > ROUND ? ROUND : (records > 1 ? records : 1) * every;
    e->times = 1 + s->steps / every + (s->steps % every != 0);
    e->team.rounds = s->steps > 0 ? (s->steps - 1) / e->round + 1 : 1;
    e->team.groups = (e->trajectories - 1) / ensemble_group_size(e->trajectories) + 1;
    e->team.carry = e->team.rounds > 1 ? ensemble_carry(e) : 0;
}

long long ensemble_times(const ensemble *e, long long round)
{
    long long every = e->job.s->output.every, steps = e->job.s->steps, begin = round * e->round;
    long long end = steps - begin < e->round ? steps : begin + e->round;
    return end / every - begin / every + (end == steps && steps % every != 0) + (round == 0);
}

static cli_exit prepare(ensemble *e)
{
    job *j = &e->job;
    if (j->s->output.aem) {
        cli_error("%s: output.aem: is for liestep run; an ensemble has no attitude file", j->s->name);
        return EXIT_SCENARIO;
    }
    j->now.fingerprint = (j->s->fingerprint ^ 0xe25f) * 0x100000001b3u;
    j->now.state = j->s->start;
    j->now.size = j->table.group->size;
    j->now.dim = j->table.group->dim;
    cli_exit code = folder_open(&j->in, j->s->output.directory);
    if (code == EXIT_FINE) code = outputs_init(&j->out, &j->table, &j->in, j->options->no_plot, 1);
    j->out.read = ensemble_summarise, j->out.draw = ensemble_plot, j->out.ctx = e;
    j->out.derive[MADE_STATISTICS] = j->s->ensemble->statistics;
    j->out.derive[MADE_HISTOGRAM] = j->s->ensemble->histogram;
    j->out.passes = 3 + (j->s->ensemble->histogram ? j->s->ensemble->watched : 0);
    return code;
}

/* Steps of the trajectories of the first `units`. */
static long long steps_of(const team *t, long long units)
{
    const ensemble *e = (const ensemble *)t->ctx;
    double all = (double)e->trajectories, steps = (double)e->job.s->steps;
    const long long rounds = units / t->groups;
    double before = fmin((double)rounds * (double)e->round, steps), after = before + (double)e->round;
    double more = fmin((double)(units % t->groups * ensemble_group_size(e->trajectories)), all);
    double sum = all * before + more * (fmin(after, steps) - before);
    return sum < 9e18 ? (long long)sum : 9000000000000000000;
}

static cli_exit lead(ensemble *e, int *completed)
{
    job *j = &e->job;
    interrupt_catch();
    cli_exit code = prepare(e);
    char doubt[ACCURACY_TEXT];
    if (code == EXIT_FINE) accuracy_warn(doubt, j->s, &j->s->start, "at the start that is not dispersed");
    if (code == EXIT_FINE) code = many_run(&e->team, steps_of);
    *completed = code == EXIT_FINE;
    if (code == EXIT_FINE) code = job_finish(j);
    if (code == EXIT_FINE && !j->options->quiet) {
        if (e->shows > 0 || e->failed > 0) ensemble_print(e);
        outputs_print(&j->out);
    }
    if (code == EXIT_FINE) code = j->out.gone ? job_judge_rows(j) : ensemble_judge(e);
    code = job_close(j, code);
    return code;
}

static cli_exit ensemble_scenario(scenario *s, const job_options *options)
{
    ensemble *e = (ensemble *)calloc(1, sizeof *e);
    int completed = 1;
    cli_exit code = EXIT_SCENARIO;
    if (!e) return EXIT_FAILED;
    many_prepare(&e->job, &e->team, s, options, "group of trajectories");
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
        e->trajectories = s->ensemble->trajectories;
        make_table(e);
        choose_rounds(e);
        if (e->team.rounds > 1) e->job.unit = "stretch of trajectories";
        e->team.ctx = e;
        e->team.compute = ensemble_group, e->team.deliver = many_deliver, e->team.look = many_look;
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
        "\n" EXPRESSION_HELP "\n"
        "Threads and processes share the trajectories; the files are the same to the byte for any number of them. A\n"
        "trajectory that fails is named and does not count; the exit code is 1 then.\n",
    .run = ensemble_command,
    .options = job_options_of_many,
    .examples = "  liestep ensemble scenarios/satellite_dispersed.yaml\n"
                "  liestep ensemble scenarios/satellite_dispersed.yaml -s ensemble.trajectories=1000 -j 2\n",
};
