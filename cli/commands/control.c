/* SPDX-License-Identifier: MIT */
/* control.c: liestep control SCENARIO.yaml: the cheapest inputs that bring the system from `start` to `target` in
 * `steps` steps; table, picture, summary. Ctrl-C ends the iteration in order: the files then hold the last iterate,
 * from which --guess goes on. */
#define _GNU_SOURCE

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/base/json.h"
#include "cli/base/progress.h"
#include "cli/commands/control_files.h"
#include "cli/work/job_options.h"

enum { EXTREMALS = 16 };

typedef struct job {
    const scenario *s;
    const job_options *options;
    lie_control *control;
    const lie_control_answer *answer; /* of it */
    lie_control_extremal extremal[EXTREMALS];
    int found, failed;
    int iterations; /* of all starts */
    double seconds, missed;
    lie_status status, flown;
    void *work;
    void *paths;
    size_t path_bytes;
    folder in;
    file *file[2]; /* csv, plot; or null */
    const char *wrote[2];
} job;

static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
    caught = number;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    caught = 0;
    sigaction(SIGINT, &action, 0);
    sigaction(SIGTERM, &action, 0);
}

/* One line per iteration: with --verbose, or on a terminal in place. */
static int monitor(void *ctx, const lie_control_progress *now)
{
    job *j = (job *)ctx;
    j->iterations += now->iteration > 0;
    int in_place = !j->options->verbose && !j->options->quiet && isatty(STDERR_FILENO);
    if (j->options->verbose || in_place)
        fprintf(stderr, "%siteration %3d   cost %.9g   residual %.1e   step %.3g%s", in_place ? "\r" : "",
                now->iteration, now->cost, now->residual, now->step, in_place ? "  " : "\n");
    return caught != 0;
}

static lie_control_problem problem_of(const scenario *s, const double *xi0)
{
    return (lie_control_problem){.actuation = &s->target.inputs,
                                 .retraction = s->options.retraction,
                                 .g0 = s->start.g,
                                 .xi0 = xi0,
                                 .gT = s->target.g,
                                 .xiT = s->target.xi,
                                 .free_pose = s->target.free_pose,
                                 .free_velocity = s->target.free_velocity,
                                 .free_start_pose = s->target.free_start_pose,
                                 .free_start_velocity = s->target.free_start_velocity,
                                 .wheels0 = s->target.stored,
                                 .wheelsT = s->target.empties ? s->target.left : 0,
                                 .T = s->step * (double)s->steps,
                                 .N = s->steps < 10000000 ? (int)s->steps : 0,
                                 .weight = s->target.has_weight ? s->target.weight : 0,
                                 .fuel = s->target.has_fuel ? s->target.fuel : 0,
                                 .time_weight = s->target.time_weight};
}

/* The inputs that input `d->input` does the same as, "1, 2"; empty: it does nothing */
static void name_inputs(const lie_dependence *d, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < d->input && used < size; i++)
        if (fabs(d->of[i]) > 1e-12)
            used += (size_t)snprintf(out + used, size - used, "%s%d", used > 0 ? ", " : "", i + 1);
}

static cli_exit refuse(const scenario *s, lie_status status)
{
    const lie_actuation *a = &s->target.inputs;
    lie_dependence d = {.input = -1};
    char names[80] = "";
    cli_error("%s: the manoeuvre cannot begin: %s", s->name, lie_status_text(status));
    if (status != LIE_ERR_INPUTS || a->count < 1) return EXIT_SCENARIO;
    lie_actuation_dependence(a, &d, s->start.g);
    if (d.input >= 0) name_inputs(&d, names, sizeof names);
    if (d.input >= 0 && !names[0]) cli_error("input %d does nothing: its wrench is 0", d.input + 1);
    return EXIT_SCENARIO;
}

static cli_exit prepare(job *j, const double *xi0)
{
    lie_control_problem p = problem_of(j->s, xi0);
    size_t bytes = lie_control_memsize(&p);
    j->work = calloc(1, bytes ? bytes : 1);
    lie_status status = j->work ? lie_control_init(&j->control, &p, j->work, bytes) : LIE_ERR_MEMORY;
    if (status != LIE_OK) return refuse(j->s, status);
    j->answer = lie_control_now(j->control);
    j->path_bytes = lie_control_search_memsize(j->control, EXTREMALS);
    j->paths = malloc(j->path_bytes);
    if (!j->paths) return refuse(j->s, LIE_ERR_MEMORY);
    return j->options->guess ? control_read_guess(j->control, j->options->guess) : EXIT_FINE;
}

/* Is the target a half-turn away, so that there are two shortest ways? */
static int is_half_turn(const scenario *s)
{
    const double *a = s->start.g, *b = s->target.g;
    int size = s->system.group->size, count = size >= 9 ? 9 : 4;
    double dot = 0.0; /* of quaternions: cos of half the angle; of matrices: the trace of R0^T RT */
    if (size < 4) return 0;
    for (int i = 0; i < count; i++) dot += a[i] * b[i];
    return count == 4 ? fabs(dot) < 1e-6 : dot < -1.0 + 1e-12;
}

/* Search; where the straight line is unreachable, bent ones follow by themselves. A half-turn is tried both ways. */
static void search(job *j)
{
    lie_control_options opt = {.monitor = monitor, .ctx = j};
    double shortest = j->s->target.shortest, longest = j->s->target.longest;
    double began = progress_clock();
    int starts = j->s->target.starts;
    if (starts < 3 && !j->options->guess && is_half_turn(j->s)) starts = 3;
    j->status = lie_control_search(j->control, &opt, starts, j->extremal, EXTREMALS, &j->found, &j->failed, j->paths,
                                   j->path_bytes);
    if (j->status == LIE_ERR_UNREACHABLE && starts < 8 && !j->options->guess)
        j->status = lie_control_search(j->control, &opt, 8, j->extremal, EXTREMALS, &j->found, &j->failed, j->paths,
                                       j->path_bytes);
    if (shortest > 0.0 && j->status != LIE_STOPPED)
        j->status = lie_control_best_time(j->control, &opt, shortest, longest);
    j->seconds = progress_clock() - began;
    if (!j->options->verbose && !j->options->quiet && isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
}

/* Fly what was found through the steps of sv. */
static void fly(job *j)
{
    size_t bytes = lie_control_fly_memsize(j->control);
    void *work = malloc(bytes);
    lie_large_state end;
    const lie_control_answer *a = j->answer;
    const double *aim = a->g + a->N * a->group->size;
    double worst = 0.0;
    j->flown = work ? lie_control_fly(j->control, &end, work, bytes) : LIE_ERR_MEMORY;
    free(work);
    if (j->flown != LIE_OK) return;
    for (int i = 0; i < a->group->size; i++) worst = fmax(worst, fabs(end.g[i] - aim[i]));
    for (int i = 0; i < a->n; i++) worst = fmax(worst, fabs(end.m[i] - a->nu[a->N * a->n + i]));
    j->missed = fmax(worst, a->last.target);
}

/* Inputs that do what others do */
static void print_dependence(const job *j)
{
    lie_dependence d;
    char names[80];
    lie_actuation inputs = j->s->target.inputs;
    inputs.count -= j->s->target.wheels; /* which store momentum, as no other input does */
    lie_actuation_dependence(&inputs, &d, j->s->start.g);
    if (d.input < 0) return;
    name_inputs(&d, names, sizeof names);
    printf("inputs         rank %d of %d: input %d does what %s can; the cheapest combination is taken\n", d.rank,
           inputs.count, d.input + 1, names);
}

static void print_summary(const job *j)
{
    const lie_control_answer *a = j->answer;
    printf("manoeuvre      %s, %d inputs, %d steps of %g s\n", j->s->system.name, a->m, a->N, a->h);
    print_dependence(j);
    printf("cost           %.9g\n", a->cost);
    if (j->s->target.shortest > 0.0) printf("duration       %.9g s, the cheapest\n", a->problem->T);
    printf("residual       %.1e   (dynamics %.0e, target %.0e, gradient %.0e)\n", a->last.residual, a->last.dynamics,
           a->last.target, a->last.gradient);
    printf("unactuated     %.1e\n", lie_control_unactuated(j->control));
    if (j->flown == LIE_OK) printf("flown by sv    misses the target by %.1e\n", j->missed);
    printf("iterations     %d in %.3g s\n", j->iterations, j->seconds);
    printf("extremals      %d found, %d starts failed\n", j->found, j->failed);
    for (int i = 0; i < j->found; i++)
        printf("  cost %.9g   from start %d in %d iterations, %d starts in all\n", j->extremal[i].cost,
               j->extremal[i].start, j->extremal[i].iterations, j->extremal[i].hits);
    for (int i = 0; i < 2; i++)
        if (j->wrote[i]) printf("wrote          %s/%s\n", j->s->output.directory, j->wrote[i]);
}

static void print_json(const job *j)
{
    const lie_control_answer *a = j->answer;
    json out = {.out = stdout};
    json_open(&out, NULL, '{');
    json_text(&out, "system", j->s->system.name);
    json_integer(&out, "inputs", a->m);
    json_integer(&out, "steps", a->N);
    json_number(&out, "step", a->h);
    json_number(&out, "duration", a->problem->T);
    json_number(&out, "cost", a->cost);
    json_number(&out, "cost_by_time", a->cost_by_time);
    json_number(&out, "residual", a->last.residual);
    json_number(&out, "unactuated", lie_control_unactuated(j->control));
    json_number(&out, "missed", j->flown == LIE_OK ? j->missed : HUGE_VAL);
    json_integer(&out, "iterations", j->iterations);
    json_integer(&out, "failed_starts", j->failed);
    json_open(&out, "extremals", '[');
    for (int i = 0; i < j->found; i++) {
        json_open(&out, NULL, '{');
        json_number(&out, "cost", j->extremal[i].cost);
        json_integer(&out, "start", j->extremal[i].start);
        json_integer(&out, "iterations", j->extremal[i].iterations);
        json_integer(&out, "hits", j->extremal[i].hits);
        json_close(&out);
    }
    json_close(&out);
    json_close(&out);
}

/* Take the files for this manoeuvre before the search: nobody else writes them meanwhile. */
static cli_exit claim_files(job *j)
{
    const scenario *s = j->s;
    const char *const names[2] = {s->output.csv, j->options->no_plot ? 0 : s->output.plot};
    cli_exit code = names[0] || names[1] ? folder_open(&j->in, s->output.directory) : EXIT_FINE;
    for (int i = 0; i < 2 && code == EXIT_FINE; i++) {
        if (!names[i]) continue;
        j->file[i] = (file *)calloc(1, sizeof *j->file[i]);
        if (!j->file[i]) {
            cli_error("there is not enough memory to write %s/%s", j->in.path, names[i]);
            return EXIT_OUTPUT;
        }
        code = file_claim(j->file[i], &j->in, names[i]);
    }
    return code;
}

static cli_exit write_files(job *j)
{
    int made = 0;
    cli_exit code = j->file[0] ? control_write_csv(j->answer, j->file[0]) : EXIT_FINE;
    if (code == EXIT_FINE) j->wrote[0] = j->s->output.csv;
    if (code == EXIT_FINE && j->file[1]) code = control_plot(j->answer, j->file[1], &made);
    if (made) j->wrote[1] = j->s->output.plot;
    return code;
}

static void release_files(job *j)
{
    for (int i = 0; i < 2; i++) {
        if (j->file[i]) file_release(j->file[i]);
        free(j->file[i]);
    }
    folder_close(&j->in);
}

/* Why a target is out of reach, as far as the inputs tell */
static void explain(const job *j)
{
    const lie_actuation *a = &j->s->target.inputs;
    lie_controllability r;
    int bounded = 0;
    for (int i = 0; i < a->count; i++) bounded |= a->actuator[i].min != 0.0 || a->actuator[i].max != 0.0;
    cli_error("the last iterate is %.1e from the target, its steps are off by %.1e", j->answer->last.target,
              j->answer->last.dynamics);
    if (j->s->target.wheels == 0 && lie_actuation_report(a, &r, j->s->start.g) == LIE_OK) {
        cli_error("from rest the inputs act on %d of %d directions; with their brackets %d velocities and %d of %d "
                  "directions of the configuration are in reach",
                  r.actuated, r.dim, r.reachable, r.accessible, r.dim);
        if (r.accessible == r.dim && !bounded)
            cli_error("so the target is in reach, but not along this path: try target.starts=8, or another --guess");
    }
    if (bounded) cli_error("inputs are bounded by target.limit: widen it, or take more time (steps)");
}

static cli_exit finish(job *j)
{
    cli_exit code = EXIT_FINE;
    if (j->status == LIE_OK || j->status == LIE_STOPPED) {
        fly(j);
        code = write_files(j);
    }
    if (code == EXIT_FINE && j->status == LIE_STOPPED) {
        cli_error("stopped at residual %.1e%s%s", j->answer->last.residual,
                  j->wrote[0] ? "; to go on: the same command with --guess " : "", j->wrote[0] ? j->wrote[0] : "");
        return caught == SIGTERM ? EXIT_TERMINATED : EXIT_INTERRUPTED;
    }
    if (j->status != LIE_OK) {
        cli_error("%s: no extremal was found: %s", j->s->name, lie_status_text(j->status));
        if (j->status == LIE_ERR_UNREACHABLE) explain(j);
        return EXIT_FAILED;
    }
    if (code == EXIT_FINE && j->options->json)
        print_json(j);
    else if (code == EXIT_FINE && !j->options->quiet)
        print_summary(j);
    return code;
}

static cli_exit control_scenario(scenario *s, const job_options *options)
{
    if (scenario_refuse_tolerance(s, "control") != EXIT_FINE) return EXIT_SCENARIO;
    job *j = (job *)calloc(1, sizeof *j);
    double xi0[LIE_DIM_MAX];
    if (!j) {
        cli_error("there is not enough memory");
        return EXIT_FAILED;
    }
    j->s = s, j->options = options, j->in.fd = -1;
    cli_exit code = EXIT_SCENARIO;
    if (!s->target.given) {
        cli_error("%s: target: is missing; say where the manoeuvre ends, for example  target: {rotvec: [0, 0, 1.5]}",
                  s->name);
    } else if (s->target.wants_wheels && s->target.wheels == 0) {
        cli_error("%s: target: momenta of wheels are given, but there are no wheels: give target.wheels", s->name);
    } else {
        lie_status status = lie_state_velocity(&s->system, xi0, &s->start);
        code = status == LIE_OK ? prepare(j, xi0) : refuse(s, status);
    }
    if (code == EXIT_FINE) code = claim_files(j);
    if (code == EXIT_FINE) {
        catch_signals();
        search(j);
        code = finish(j);
    }
    release_files(j);
    free(j->paths);
    free(j->work);
    free(j);
    return code;
}

static const cli_option options[] = {
    JOB_SET("target.starts=8"),
    {"guess", 0, "FILE", "first guess: the csv of an earlier manoeuvre with the same inputs and steps"},
    {"verbose", 'v', 0, "a line for every iteration"},
    {"json", 0, 0, "the summary as JSON"},
    JOB_NO_PLOT,
    JOB_QUIET,
    {0, 0, 0, 0},
};

static cli_exit control_command(int argc, char **argv)
{
    return job_command(argc, argv, options, control_scenario);
}

const cli_command command_control = {
    .name = "control",
    .summary = "optimal control: the cheapest inputs from one state to another",
    .help =
        "usage: liestep control SCENARIO.yaml [-s KEY=VALUE]... [--guess FILE] [--json] [--no-plot] [--quiet]\n"
        "\n"
        "Finds the inputs that bring the system from `start` to `target` in `steps` steps of length `step` with the\n"
        "least cost, the sum of 1/2 weight u^2 + fuel |u|, within |u| <= limit. The steps of the method sv are the\n"
        "constraints: what is found can be flown. With target.starts above 1 several first guesses are tried, and\n"
        "the extremals they lead to are listed, cheapest first; a half-turn is tried both ways. Parts of both ends\n"
        "may be free (target.free_pose and its like), wheels store momentum (target.wheels), and target.time leaves\n"
        "the duration free. output.csv gets t, g, xi, nu, u and the multipliers p of every node: u is u+ of the step\n"
        "before and u- of the one after it. output.plot is a picture.\n"
        "\n"
        "Ctrl-C ends the iteration in order; output.csv then holds the last iterate, from which --guess goes on.\n",
    .run = control_command,
    .options = options,
    .examples = "  liestep control scenarios/control_vehicle.yaml\n"
                "  liestep control scenarios/control_vehicle.yaml -s target.starts=8 -s output.plot=path.svg\n"
                "  liestep control scenarios/control_vehicle.yaml -s steps=64 -s step=0.15625 --json\n",
};
