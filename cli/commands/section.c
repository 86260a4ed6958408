/* SPDX-License-Identifier: MIT */
/* section.c: liestep section SCENARIO.yaml: a Poincare section of many orbits, once or, in panels, several times.
 *
 * Groups of orbits are computed by whichever thread or process is free, a round of steps at a time, and written when
 * the units before them are: what comes out does not depend on how many there are. A checkpoint keeps where every
 * orbit stands. */
#define _POSIX_C_SOURCE 200809L

#include "cli/commands/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/expression_names.h"
#include "cli/base/json.h"
#include "cli/base/phase.h"
#include "cli/work/accuracy.h"
#include "cli/work/ranks.h"

/* Steps of a round: seconds at most; with an indicator they take longer. */
enum { ROUND = 1 << 18, ROUND_CHAOS = 1 << 15 };

const section_panel *section_panel_of(const section *s, long long group)
{
    int k = s->panels - 1;
    while (k > 0 && group < s->panel[k].first) k--;
    return &s->panel[k];
}

/* Split "a=1 b=2" in place behind the overrides of the command line. Answers how many there are then. */
static int add_overrides(char **to, const job_options *o, char *words)
{
    int n = o->overrides;
    char *rest = 0;
    memcpy(to, o->override, (size_t)n * sizeof *to);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(0, " ", &rest)) to[n++] = word;
    return n;
}

static cli_exit read_panel(section_panel *p, const scenario *s, const job_options *o, const char *text)
{
    char *words = strdup(expression_behind_label(text)),
         **all = (char **)calloc((size_t)o->overrides + strlen(text) + 1, sizeof *all);
    cli_exit code = EXIT_FAILED;
    if (words && all) code = scenario_variant(&p->own, s, add_overrides(all, o, words), all, 0);
    if (code == EXIT_FINE &&
        (strcmp(p->own.group, s->group) != 0 || p->own.section->fixed != s->section->fixed ||
         (p->own.section->indicator == INDICATOR_NONE) != (s->section->indicator == INDICATOR_NONE))) {
        cli_error("%s: section.panels: '%s': all panels need the same group, number of fixed quantities and indicator",
                  s->name, text);
        code = EXIT_SCENARIO;
    }
    p->s = &p->own;
    free(all);
    free(words);
    return code;
}

static cli_exit check_plan(const scenario *s)
{
    const char *missing = !s->section                 ? "section"
                          : !s->section->surface_text ? "section.surface"
                          : !s->section->x_text       ? "section.x"
                          : !s->section->y_text       ? "section.y"
                                                      : 0;
    if (!missing) return scenario_refuse_tolerance(s, "section");
    cli_error("%s: %s: is missing; 'liestep run --print-defaults' shows its keys", s->name, missing);
    return EXIT_SCENARIO;
}

static cli_exit read_panels(section *s, const scenario *sc, const job_options *o)
{
    cli_exit code = EXIT_FINE;
    s->panels = sc->section->panels > 0 ? sc->section->panels : 1;
    for (int k = 0; k < s->panels && code == EXIT_FINE; k++) {
        section_panel *p = &s->panel[k];
        p->s = sc;
        if (sc->section->panels > 0) code = read_panel(p, sc, o, sc->section->panel[k]);
        if (code != EXIT_FINE) break;
        p->plan = p->s->section;
        p->event = (lie_event){expression_event, &p->plan->surface, p->plan->direction};
        for (int i = 0; i < p->plan->fixed; i++) p->fixed[i] = (lie_event){equation_event, &p->plan->equation[i], 0};
        p->before = s->orbits;
        s->orbits += p->plan->orbits;
    }
    /* many are stepped together, as many as fill the lanes; few are rather shared out among threads */
    s->group = code == EXIT_FINE && s->panel[0].s->system.group->dim == 6 ? 8 : GROUP_MAX;
    if (s->orbits < 2 * s->group) s->group = (int)((s->orbits + 7) / 8);
    s->round = sc->section->indicator == INDICATOR_NONE ? ROUND : ROUND_CHAOS;
    s->team.rounds = 1;
    for (int k = 0; k < s->panels && code == EXIT_FINE; k++) {
        long long rounds = (s->panel[k].s->steps - 1) / s->round + 1;
        s->panel[k].first = s->team.groups;
        s->team.groups += (s->panel[k].plan->orbits + s->group - 1) / s->group;
        if (rounds > s->team.rounds) s->team.rounds = rounds;
    }
    return code;
}

static const lie_ops *group_with_retraction(const scenario *sc)
{
    const lie_ops *G = sc->system.group;
    if (sc->options.retraction && lie_ops_find(&G, sc->group, sc->retraction) != LIE_OK) G = sc->system.group;
    return G;
}

static void name_columns(section *s)
{
    static const char *const names[AT_CHAOS] = {"panel", "orbit",  "point",  "status",  "direction",
                                                "t",     "x_axis", "y_axis", "residual"};
    const scenario *sc = s->panel[0].s;
    table *t = &s->job.table;
    for (int i = 0; i < AT_CHAOS; i++) {
        table_add_block(t, names[i], 0);
        table_add_column(t, names[i], i == AT_TIME ? "s" : i < AT_X ? "1" : "");
    }
    if (sc->section->indicator != INDICATOR_NONE) {
        table_add_block(t, "chaos", 1);
        table_add_column(t, "fli", "1");
        table_add_column(t, "sali", "1");
        table_add_column(t, "lyapunov", "1/s");
    }
    s->at_element = t->columns;
    table_add_block(t, "g", 1);
    table_add_element(t);
    s->at_momentum = t->columns;
    table_add_block(t, "momentum", 1);
    table_add_momentum(t);
    s->at_energy = t->columns;
    table_add_block(t, "energy", 0);
    table_add_column(t, "energy", "J");
    s->at_fixed = t->columns;
    s->fixed = sc->section->fixed;
    if (s->fixed > 0) table_add_block(t, "fixed", 1);
    for (int i = 0; i < s->fixed; i++) {
        char name[COLUMN_NAME];
        snprintf(name, sizeof name, "fixed%d", i + 1);
        table_add_column(t, name, "");
    }
}

static void make_table(section *s)
{
    const scenario *sc = s->panel[0].s;
    char h[JSON_NUMBER];
    table *t = &s->job.table;
    *t = (table){.from = s->job.s, .group = group_with_retraction(sc), .method = sc->options.method, .every = 1};
    if (s->panels > 1)
        snprintf(t->title, sizeof t->title, "%s on %s, section %.80s = 0", sc->system.name, sc->group,
                 sc->section->surface_text);
    else
        snprintf(t->title, sizeof t->title, "%s on %s, section %.80s = 0, method %s, retraction %s, h = %s s",
                 sc->system.name, sc->group, sc->section->surface_text, sc->options.method, sc->retraction,
                 json_shortest(h, sc->step));
    name_columns(s);
}

/* FNV-1a over the fingerprints of the panels; that of a run differs. */
static unsigned long long fingerprint(const section *s)
{
    unsigned long long hash = 0xcbf29ce484222325u ^ 0x5ec7;
    for (int k = 0; k < s->panels; k++) hash = (hash ^ s->panel[k].s->fingerprint) * 0x100000001b3u;
    return hash;
}

static cli_exit read_rows(void *ctx, const output *rows, long long records)
{
    section *s = (section *)ctx;
    cli_exit code = many_index(&s->team);
    (void)records;
    if (code == EXIT_FINE) code = section_summarise(s, rows, s->summary);
    s->job.now.not_finite = 0;
    for (int k = 0; k < s->panels; k++)
        s->job.now.not_finite +=
            s->summary[k].failed + s->summary[k].not_finite + (s->summary[k].orbits > 0 && s->summary[k].points == 0);
    return code;
}

/* Everything that can be refused before anything is written. */
static cli_exit prepare(section *s)
{
    job *j = &s->job;
    char problem[200];
    for (int k = 0; k < s->panels; k++) {
        cli_exit stopped = section_start_problem(s, &s->panel[k], problem, sizeof problem);
        if (stopped != EXIT_FINE) {
            cli_error("stopped while %s", phase_stopped());
            return stopped;
        }
        if (!problem[0]) continue;
        if (s->panels > 1)
            cli_error("%s: panel '%s': %s", j->s->name, j->s->section->panel[k], problem);
        else
            cli_error("%s: %s", j->s->name, problem);
        return EXIT_SCENARIO;
    }
    if (j->s->output.aem) {
        cli_error("%s: output.aem: is for liestep run; a section has no attitude file", j->s->name);
        return EXIT_SCENARIO;
    }
    j->now.fingerprint = fingerprint(s);
    j->now.state = j->s->start;
    j->now.size = j->table.group->size;
    j->now.dim = j->table.group->dim;
    cli_exit code = folder_open(&j->in, j->s->output.directory);
    if (code == EXIT_FINE) code = outputs_init(&j->out, &j->table, &j->in, j->options->no_plot, 1);
    j->out.read = read_rows, j->out.draw = section_plot, j->out.ctx = s;
    j->out.passes = 3;
    return code;
}

/* Steps of the orbits of the first `units`: whole rounds of all groups, and one more of the first ones. */
static long long steps_of(const team *t, long long units)
{
    const section *s = (const section *)t->ctx;
    const long long whole = units / t->groups;
    double sum = 0.0, rounds = (double)whole;
    for (int k = 0; k < s->panels; k++) {
        const section_panel *p = &s->panel[k];
        long long n = (units % t->groups - p->first) * s->group;
        double orbits = (double)p->plan->orbits, more = n < 0 ? 0.0 : fmin((double)n, orbits);
        double steps = (double)p->s->steps, before = fmin(rounds * (double)s->round, steps);
        sum += orbits * before + more * (fmin((rounds + 1.0) * (double)s->round, steps) - before);
    }
    return sum < 9e18 ? (long long)sum : 9000000000000000000;
}

/* Orbits that failed, or none that crossed: all files are complete, but it must be told. */
static cli_exit verdict(const section *s)
{
    cli_exit code = EXIT_FINE;
    for (int k = 0; k < s->panels; k++) {
        const section_summary *a = &s->summary[k];
        if (a->failed > 0) code = EXIT_FAILED;
        if (a->not_finite > 0) {
            cli_error("%s: section: x, y or a fixed quantity of %lld of %lld points is no finite number: look for nan "
                      "and inf",
                      s->job.s->name, a->not_finite, a->points);
            code = EXIT_FAILED;
        }
        if (a->orbits == 0 || a->points > 0) continue;
        cli_error("%s: section.surface: '%s' never passed 0%s in %lld steps of any orbit: check it, the direction, or "
                  "go on for longer",
                  s->job.s->name, s->panel[k].plan->surface_text,
                  s->panel[k].plan->direction > 0   ? " upward"
                  : s->panel[k].plan->direction < 0 ? " downward"
                                                    : "",
                  s->panel[k].s->steps);
        code = EXIT_FAILED;
    }
    return code;
}

/* Steps too long for the motion of the first orbit of a panel: all have the same energy. */
static void warn_of_steps(const section *s)
{
    for (int k = 0; k < s->panels; k++) {
        char where[64] = "at the start of the first orbit", doubt[ACCURACY_TEXT];
        lie_state start;
        if (s->panels > 1) snprintf(where, sizeof where, "at the start of the first orbit of panel %d", k + 1);
        if (section_start(&s->panel[k], 0, &start) == LIE_OK) accuracy_warn(doubt, s->panel[k].s, &start, where);
    }
}

/* Of rank 0; *completed: the other processes know that there is no more to do. */
static cli_exit lead(section *s, int *completed)
{
    job *j = &s->job;
    interrupt_catch();
    cli_exit code = prepare(s);
    if (code == EXIT_FINE) warn_of_steps(s);
    if (code == EXIT_FINE && j->out.derive[MADE_PLOT]) section_plot_begin(s, j->out.derive[MADE_PLOT]);
    if (code == EXIT_FINE) code = many_run(&s->team, steps_of);
    *completed = code == EXIT_FINE;
    if (code == EXIT_FINE) code = job_finish(j);
    if (code == EXIT_FINE && s->summary[0].orbits > 0) {
        if (!j->options->quiet) section_print(s, s->summary);
        code = verdict(s);
    } else if (code == EXIT_FINE) {
        code = job_judge_rows(j);
    }
    if (*completed && !j->options->quiet && (code == EXIT_FINE || code == EXIT_FAILED)) outputs_print(&j->out);
    gnuplot_abandon(&s->gnuplot);
    canvas_end(&s->canvas);
    code = job_close(j, code);
    return code;
}

static void section_free(section *s)
{
    many_end(&s->team);
    for (int k = 0; k < SECTION_PANELS; k++) scenario_free(&s->panel[k].own);
    free(s->final);
    free(s->regular);
    free(s);
}

static cli_exit section_scenario(scenario *sc, const job_options *options)
{
    section *s = (section *)calloc(1, sizeof *s);
    section_summary summary[SECTION_PANELS] = {{0}};
    int completed = 0;
    cli_exit code = check_plan(sc);
    if (!s) return EXIT_FAILED;
    s->summary = summary;
    if (code == EXIT_FINE) code = read_panels(s, sc, options);
    completed = code != EXIT_FINE; /* all processes have found the same to be wrong */
    many_prepare(&s->job, &s->team, sc, options, s->team.rounds > 1 ? "stretch of orbits" : "group of orbits");
    if (code == EXIT_FINE) {
        make_table(s);
        s->team.ctx = s, s->team.compute = section_orbits, s->team.deliver = many_deliver, s->team.look = many_look;
        s->team.carry = s->team.rounds > 1 ? section_carry(s) : 0;
        if (ranks_mine() == 0)
            code = lead(s, &completed);
        else
            completed = (code = team_run(&s->team)) == EXIT_FINE;
    }
    ranks_end(completed, (int)code);
    section_free(s);
    return code;
}

static cli_exit section_command(int argc, char **argv)
{
    return many_command(argc, argv, section_scenario);
}

const cli_command command_section = {
    .name = "section",
    .summary = "Poincare section of many orbits: points, picture, what was conserved",
    .help =
        "usage: liestep section SCENARIO.yaml [-s KEY=VALUE]... [-j THREADS] [--resume | --restart] [--quiet]\n"
        "       mpirun -n N liestep section SCENARIO.yaml ...\n"
        "\n"
        "Follows many orbits of one energy and records each where it crosses a surface, section.surface = 0. The\n"
        "crossings are found by shortened steps, to the accuracy of the method. Surface and axes of the picture are\n"
        "expressions of the state, like Pi1, atan2(P2, P1) or P3/|P|. With section.panels the same is done several\n"
        "times with other keys, method or step for example, and the panels are compared.\n"
        "\n" EXPRESSION_HELP "\n"
        "Threads and processes share the orbits; the files are the same to the byte for any number of them. Files,\n"
        "checkpoints and --resume are as in liestep run. An orbit that fails is named and the others go on; the exit\n"
        "code is 1 then.\n",
    .run = section_command,
    .options = job_options_of_many,
    .examples = "  liestep section scenarios/vehicle_section.yaml\n"
                "  liestep section scenarios/top_section.yaml -s section.orbits=60 -s section.indicator=fli\n"
                "  mpirun -n 4 liestep section scenarios/vehicle_section.yaml\n",
};
