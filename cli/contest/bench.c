/* SPDX-License-Identifier: MIT */
/* bench.c: liestep bench [SCENARIO.yaml]: methods against RK4, the libraries of others and each other: what an error
 * costs, and what drifts. The measuring is done by bench/precision; here are the command line and its course. */
#define _GNU_SOURCE

#include "cli/contest/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/progress.h"

/* Without a scenario: Hairer & Vilmart's first free body, slowed down to about 1 rad/s. */
static const char default_scenario[] = "system: free_body\n"
                                       "parameters:\n"
                                       "  inertia: [0.6, 0.8, 1]\n"
                                       "start:\n"
                                       "  momentum: [0.5625, 0.125, -0.28125]\n"
                                       "method: ep\n"
                                       "step: 0.05\n"
                                       "end: 30\n";

typedef struct request {
    const char *path, *methods, *at, *steps, *tolerances, *drift, *limit, *drift_limit, *out, *peers;
    int overrides;
    char **override;
    int quick, csv, json, points;
} request;

typedef struct session {
    scenario scenario;
    contest contest;
    drift *drift;
    double drift_limit;       /* s: longest of the long runs */
    const peer *const *peers; /* or null */
    bench_report report;
    progress progress;
} session;

/* Numbers separated by commas, all positive; how many, or -1. */
static int read_numbers(const char *option, const char *text, int most, double *out)
{
    int n = 0;
    const char *at = text;
    for (char *end; *at; at = *end == ',' ? end + 1 : end) {
        double x = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(x > 0.0) || !isfinite(x)) {
            cli_error("--%s %s: expected positive numbers separated by commas", option, text);
            return -1;
        }
        if (n == most) {
            cli_error("--%s: at most %d numbers", option, most);
            return -1;
        }
        out[n++] = x;
    }
    if (n == 0) cli_error("--%s: no number is given; expected some, as in --%s 0.1,0.05", option, option);
    return n > 0 ? n : -1;
}

/* Times of the comparison: whole multiples of the first, so that the same steps lead to all. */
static int read_times(const request *r, const scenario *s, double *t)
{
    t[0] = s->step * (double)s->steps;
    if (!r->at) {
        if (t[0] > 0.0) return 1;
        cli_error("%s: step: a bench goes forward in time", s->name);
        return -1;
    }
    int n = read_numbers("at", r->at, TIMES_MAX, t);
    for (int i = 1; i < n; i++) {
        double multiple = t[i] / t[0];
        if (t[i] > t[i - 1] && fabs(multiple - round(multiple)) < 1e-9 * multiple) continue;
        cli_error("--at %s: expected increasing times, each a whole multiple of the first", r->at);
        return -1;
    }
    return n;
}

static cli_exit plan_contest(const request *r, session *s)
{
    contest_plan *p = &s->contest.plan;
    *p = (contest_plan){.step = fabs(s->scenario.step), .limit = 0.1, .rounds = 11, .round_ns = 1e6};
    if (r->quick) *p = (contest_plan){.step = p->step, .limit = 0.01, .points = 6, .rounds = 5, .round_ns = 5e4};
    if (r->steps && (p->steps = read_numbers("steps", r->steps, KNOBS_MAX, p->step_list)) < 0) return EXIT_USAGE;
    if (r->tolerances && (p->tolerances = read_numbers("tolerances", r->tolerances, KNOBS_MAX, p->tolerance_list)) < 0)
        return EXIT_USAGE;
    s->report.drift_steps = r->quick ? 10000 : 1000000;
    if (r->drift) {
        char *end;
        double n = strtod(r->drift, &end);
        if (end == r->drift || *end || !(n >= 0.0 && n <= 1e12)) {
            cli_error("--drift %s: expected a number of steps, 0 for none", r->drift);
            return EXIT_USAGE;
        }
        s->report.drift_steps = (long long)n;
    }
    if (r->limit && read_numbers("limit", r->limit, 1, &p->limit) < 0) return EXIT_USAGE;
    s->drift_limit = 10.0 * p->limit;
    if (r->drift_limit && read_numbers("drift-limit", r->drift_limit, 1, &s->drift_limit) < 0) return EXIT_USAGE;
    return EXIT_FINE;
}

/* "model name : X" */
static void read_cpu(char *out, size_t size)
{
    char line[256];
    FILE *in = fopen("/proc/cpuinfo", "r");
    snprintf(out, size, "unknown processor");
    while (in && fgets(line, sizeof line, in)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    if (in) fclose(in);
}

/* The long runs: nothing is timed there, so they may share the machine. */
static void run_long(session *s)
{
    const contest *c = &s->contest;
    int done = 0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < c->curves; i++) {
        contest_drift(c, i, s->report.drift_steps, s->drift_limit, &s->drift[i]);
#pragma omp critical
        progress_show(&s->progress, 2 * c->curves + ++done, progress_clock());
    }
}

/* Errors of all, then times of all, then long runs. */
static cli_exit measure(session *s)
{
    contest *c = &s->contest;
    int work = c->curves * (s->report.drift_steps > 0 ? 3 : 2);
    progress_begin(&s->progress, 0, work, 0);
    for (int i = 0; i < c->curves; i++) {
        contest_sweep(c, i);
        progress_show(&s->progress, i + 1, progress_clock());
    }
    if (contest_time(c) != 0) {
        cli_error("there is not enough memory");
        return EXIT_FAILED;
    }
    s->drift = s->report.drift_steps > 0 ? (drift *)calloc((size_t)c->curves, sizeof *s->drift) : NULL;
    if (s->drift) run_long(s);
    progress_clear(&s->progress);
    s->report.drift = s->drift;
    return EXIT_FINE;
}

static cli_exit prepare(const request *r, session *s)
{
    double t[TIMES_MAX];
    scenario *from = &s->scenario;
    contest *c = &s->contest;
    cli_exit code = r->path ? scenario_read(from, r->path, r->overrides, r->override)
                            : scenario_parse(from, "free body (built in)", default_scenario,
                                             sizeof default_scenario - 1, r->overrides, r->override);
    if (code != EXIT_FINE) return code;
    code = bench_peers_load(r->peers, &s->peers, &s->report.peers);
    if (code == EXIT_FINE) code = plan_contest(r, s);
    if (code != EXIT_FINE) return code;
    int times = read_times(r, from, t);
    if (times < 0) return EXIT_USAGE;
    problem_init(&c->problem, &from->system, from->u, &from->start);
    code = bench_contenders(c, r->methods, s->peers);
    if (code != EXIT_FINE) return code;
    if (reference_make(&c->reference, &from->system, from->u, &from->start, times, t) == 0) return EXIT_FINE;
    cli_error("%s: system: there is no independent reference for %s, so nothing to measure errors against", from->name,
              from->system.name);
    return EXIT_SCENARIO;
}

static cli_exit bench(const request *r)
{
    session *s = (session *)calloc(1, sizeof *s);
    if (!s) {
        cli_error("there is not enough memory");
        return EXIT_FAILED;
    }
    s->report.from = &s->scenario, s->report.contest = &s->contest;
    s->report.points = r->points || r->methods;
    read_cpu(s->report.cpu, sizeof s->report.cpu);
    cli_exit code = prepare(r, s);
    if (code == EXIT_FINE) code = measure(s);
    if (code == EXIT_FINE) {
        if (r->json)
            bench_json(stdout, &s->report);
        else if (r->csv)
            bench_csv(stdout, &s->report);
        else
            bench_show(&s->report);
        if (r->out) code = bench_files(&s->report, r->out);
    }
    free(s->drift);
    free(s->contest.curve);
    scenario_free(&s->scenario);
    free(s);
    return code;
}

enum { SET, METHODS, AT, STEPS, TOLERANCES, DRIFT, LIMIT, DRIFT_LIMIT, POINTS, QUICK, CSV, JSON, OUT, PEERS };
static const cli_option options[] = {
    [SET] = {"set", 's', "KEY=VALUE", "override a key of the scenario, as in -s step=0.01; repeat at will"},
    [METHODS] = {"methods", 'm', "LIST", "who takes part: METHOD, METHOD/RETRACTION, a peer, all; default all"},
    [AT] = {"at", 0, "LIST", "times (s) at which errors are compared, as in 30,3000; default: the scenario's end"},
    [STEPS] = {"steps", 0, "LIST", "step sizes (s) instead of the ladder"},
    [TOLERANCES] = {"tolerances", 0, "LIST", "tolerances of adaptive methods and peers instead of the ladder"},
    [DRIFT] = {"drift", 0, "N", "length of the long run in steps; default 1000000, 0 for none"},
    [LIMIT] = {"limit", 0, "S", "longest run, in seconds of the processor; default 0.1"},
    [DRIFT_LIMIT] = {"drift-limit", 0, "S",
                     "the same of a long run, which then has fewer steps, a tenth at least; default 10 x --limit"},
    [POINTS] = {"points", 0, NULL, "show every step size, not only what an error costs (default with --methods)"},
    [QUICK] = {"quick", 0, NULL, "a few seconds: short ladders, coarse times, 10000 steps of drift"},
    [CSV] = {"csv", 0, NULL, "write every point as CSV instead of tables"},
    [JSON] = {"json", 0, NULL, "write everything as JSON instead of tables"},
    [OUT] = {"out", 'o', "PREFIX", "also write PREFIX.json, PREFIX-precision and -drift as .csv, .svg and .png"},
    [PEERS] = {"peers", 0, "FILE", "the module liestep-peers.so with GSL, SUNDIALS and odeint; 'none' does without"},
    {0},
};

static cli_exit parse(request *r, int argc, char **argv)
{
    cli_arguments a = {argc, argv, .at = 1, .options = options};
    const char **text[] = {[METHODS] = &r->methods,         [AT] = &r->at,       [STEPS] = &r->steps,
                           [TOLERANCES] = &r->tolerances,   [DRIFT] = &r->drift, [LIMIT] = &r->limit,
                           [DRIFT_LIMIT] = &r->drift_limit, [OUT] = &r->out,     [PEERS] = &r->peers};
    int *flag[] = {[POINTS] = &r->points, [QUICK] = &r->quick, [CSV] = &r->csv, [JSON] = &r->json};
    for (int k; (k = cli_next(&a)) != CLI_END;) {
        if (k == CLI_WRONG) return EXIT_USAGE;
        if (k == CLI_OPERAND && r->path) {
            cli_error("one scenario is expected, but there are '%s' and '%s'", r->path, a.value);
            return EXIT_USAGE;
        }
        if (k == CLI_OPERAND)
            r->path = a.value;
        else if (k == SET)
            r->override[r->overrides++] = (char *)a.value;
        else if (options[k].value)
            *text[k] = a.value;
        else
            *flag[k] = 1;
    }
    if (!r->csv || !r->json) return EXIT_FINE;
    cli_error("--csv and --json both want standard output; -o PREFIX writes both to files");
    return EXIT_USAGE;
}

static cli_exit run(int argc, char **argv)
{
    request r = {.override = (char **)calloc((size_t)argc + 1, sizeof *r.override)};
    cli_exit code = r.override ? parse(&r, argc, argv) : EXIT_FAILED;
    if (code == EXIT_FINE) code = bench(&r);
    free(r.override);
    return code;
}

const cli_command command_bench = {
    .name = "bench",
    .summary = "methods against RK4, other libraries and each other: error, cost, drift",
    .help =
        "usage: liestep bench [SCENARIO.yaml] [OPTIONS]\n"
        "\n"
        "Which method is the cheapest for the error I can live with? All that take the system of the scenario are\n"
        "run with shorter and shorter steps, beside RK4 in plain C and, where they were built, GSL, SUNDIALS and\n"
        "Boost.odeint with the same callbacks. The system and its start come from the scenario; its method does\n"
        "not matter, its step is that of the long run, and 256 times as long is the first of the ladder.\n"
        "\n"
        "  error    angle of g_ref^-1 g, position, spatial momentum and energy, against a reference of order 16\n"
        "           in long double, written apart from the library and checked at two settings (printed)\n"
        "  cost     processor time per simulated second: all take turns in one run, medians; and force evaluations\n"
        "  ratio    best of liestep over best of the others at equal error, beside the project's targets\n"
        "  price    the same for the best that is symplectic and keeps momentum, against the best of all others\n"
        "  drift    over a million steps: rise of a line through means of the energy, with its error; momentum\n"
        "\n"
        "Errors at a late time mean nothing on a chaotic orbit: whether the orbit is regular is measured first,\n"
        "and where it is not, only invariants are compared. Peers: rk4, rk4_normalised, rk4_velocity; gsl_rk4,\n"
        "gsl_rk8pd, gsl_rk8pd_fixed, gsl_msadams; cvode_adams, arkode_erk4, arkode_erk5, arkode_erk8; odeint_rk4,\n"
        "odeint_dopri5, odeint_rkf78, odeint_rkf78_fixed. rkmk_dopri5_adaptive and rkmk_dopri8_adaptive are the pairs\n"
        "with step control. Without a scenario: a free body.\n",
    .run = run,
    .options = options,
    .examples = "  liestep bench --quick\n"
                "  liestep bench top.yaml --at 30,3000 -o top           tables, CSV, JSON and pictures\n"
                "  liestep bench top.yaml -m sv,gauss2/exp,rk4 --steps 0.1,0.05,0.025 --drift 0\n"
                "  liestep bench top.yaml --json >top.json\n",
};
