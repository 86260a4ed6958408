/* SPDX-License-Identifier: MIT */
/* job_options.c: the command line of the commands that work for long; see job_options.h. */
#include "cli/work/job_options.h"

#include <stdlib.h>

const cli_option job_options_of_one[] = {
    {"set", 's', "KEY=VALUE", "override a key of the scenario, as in -s step=0.01 -s output.csv=a.csv; repeat at will"},
    {"resume", 0, 0, "go on from the checkpoint of an interrupted run"},
    {"restart", 0, 0, "begin anew although there is a checkpoint"},
    {"no-plot", 0, 0, "make no picture"},
    {"quiet", 'q', 0, "no summary, no progress, only errors and warnings"},
    {"print-defaults", 0, 0, "write a commented scenario with all keys to stdout"},
    {"print-keys", 0, 0, "write all keys as the tables of docs/SCENARIOS.md"},
    {"estimate", 0, 0, "estimate the error at the end also where that takes more than 10 s"},
    {"accuracy", 0, "ERROR",
     "divide the step until the error at the end is below this, in rad and m (relative beyond 1 m)"},
    {0, 0, 0, 0},
};

const cli_option job_options_of_many[] = {
    {"set", 's', "KEY=VALUE", "override a key of the scenario, as in -s step=0.01 -s output.csv=a.csv; repeat at will"},
    {"resume", 0, 0, "go on from the checkpoint of an interrupted run"},
    {"restart", 0, 0, "begin anew although there is a checkpoint"},
    {"no-plot", 0, 0, "make no picture"},
    {"quiet", 'q', 0, "no summary, no progress, only errors and warnings"},
    {"print-defaults", 0, 0, "write a commented scenario with all keys to stdout"},
    {"print-keys", 0, 0, "write all keys as the tables of docs/SCENARIOS.md"},
    {"threads", 'j', "N", "threads to work with; as many as there are processors if it is not given"},
    {0, 0, 0, 0},
};
enum { SET, RESUME, RESTART, NO_PLOT, QUIET, PRINT_DEFAULTS, PRINT_KEYS, THREADS, ESTIMATE = THREADS, ACCURACY };

static int read_threads(job_options *o, const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (*text && !*end && n >= 1 && n <= 1024) {
        o->threads = (int)n;
        return 1;
    }
    cli_error("--threads: expected a number from 1 to 1024, found '%s'", text);
    return 0;
}

static int read_accuracy(job_options *o, const char *text)
{
    char *end;
    o->accuracy = strtod(text, &end);
    if (end != text && !*end && o->accuracy > 0.0 && o->accuracy < 1e300) return 1;
    cli_error("--accuracy: expected a number above 0, like 1e-6, found '%s'", text);
    return 0;
}

static cli_exit parse(job_options *o, int argc, char **argv, const cli_option *options)
{
    cli_arguments a = {argc, argv, .at = 1, .options = options};
    int *const flag[] = {[RESUME] = &o->resume,
                         [RESTART] = &o->restart,
                         [NO_PLOT] = &o->no_plot,
                         [QUIET] = &o->quiet,
                         [PRINT_DEFAULTS] = &o->print_defaults,
                         [PRINT_KEYS] = &o->print_keys};
    int is_one = options == job_options_of_one;
    for (int k; (k = cli_next(&a)) != CLI_END;) {
        if (k == CLI_WRONG) return EXIT_USAGE;
        if (is_one && k == ESTIMATE) {
            o->estimate = 1;
        } else if (is_one && k == ACCURACY) {
            if (!read_accuracy(o, a.value)) return EXIT_USAGE;
        } else if (k == SET) {
            o->override[o->overrides++] = (char *)a.value;
        } else if (k == THREADS) {
            if (!read_threads(o, a.value)) return EXIT_USAGE;
        } else if (k != CLI_OPERAND) {
            *flag[k] = 1;
        } else if (o->path) {
            cli_error("one scenario is expected, but there are '%s' and '%s'", o->path, a.value);
            return EXIT_USAGE;
        } else {
            o->path = a.value;
        }
    }
    if (o->resume && o->restart) {
        cli_error("--resume and --restart exclude each other");
        return EXIT_USAGE;
    }
    if (o->path || o->print_defaults || o->print_keys) return EXIT_FINE;
    cli_error(
        "a scenario is expected: liestep %s SCENARIO.yaml (liestep run --print-defaults writes one to start from)",
        argv[0]);
    return EXIT_USAGE;
}

cli_exit job_command(int argc, char **argv, const cli_option *options,
                     cli_exit (*work)(scenario *s, const job_options *o))
{
    job_options o = {.override = (char **)calloc((size_t)argc + 1, sizeof(char *))};
    scenario s = {0};
    cli_exit code = o.override ? parse(&o, argc, argv, options) : EXIT_FAILED;
    if (code == EXIT_FINE && o.print_defaults) {
        scenario_print_defaults(stdout);
    } else if (code == EXIT_FINE && o.print_keys) {
        scenario_print_keys(stdout);
    } else if (code == EXIT_FINE) {
        code = scenario_read(&s, o.path, o.overrides, o.override);
        if (code == EXIT_FINE) code = work(&s, &o);
        scenario_free(&s);
    }
    free(o.override);
    return code;
}
