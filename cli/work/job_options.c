/* SPDX-License-Identifier: MIT */
/* job_options.c: the command line of the commands that work for long; see job_options.h. */
#include "cli/work/job_options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OF_ALL                                                                                                         \
    JOB_SET("step=0.01 -s output.csv=a.csv"), {"resume", 0, 0, "go on from the checkpoint of an interrupted run"},     \
        {"restart", 0, 0, "begin anew although there is a checkpoint"}, JOB_NO_PLOT, JOB_QUIET,                        \
        {"print-defaults", 0, 0, "write a commented scenario with all keys to stdout"},                                \
    {                                                                                                                  \
        "print-keys", 0, 0, "write all keys as the tables of docs/SCENARIOS.md"                                        \
    }

const cli_option job_options_of_one[] = {
    OF_ALL,
    {"estimate", 0, 0, "estimate the error at the end also where that takes more than 10 s"},
    {"accuracy", 0, "ERROR",
     "divide the step until the error at the end is below this, in rad and m (relative beyond 1 m)"},
    {0, 0, 0, 0},
};

const cli_option job_options_of_many[] = {
    OF_ALL,
    {"threads", 'j', "N", "threads to work with; as many as there are processors if it is not given"},
    {0, 0, 0, 0},
};

static int read_override(job_options *o, const char *text)
{
    o->override[o->overrides++] = (char *)text;
    return 1;
}

static int read_guess(job_options *o, const char *text)
{
    o->guess = text;
    return 1;
}

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

/* Where an option goes: the flag that it sets, or who reads its value. */
typedef struct meaning {
    const char *name;
    size_t flag;
    int (*read)(job_options *o, const char *text);
} meaning;
#define FLAG(name, member)                                                                                             \
    {                                                                                                                  \
        name, offsetof(job_options, member), 0                                                                         \
    }
static const meaning meanings[] = {{"set", 0, read_override},      {"threads", 0, read_threads},
                                   {"accuracy", 0, read_accuracy}, {"guess", 0, read_guess},
                                   FLAG("resume", resume),         FLAG("restart", restart),
                                   FLAG("no-plot", no_plot),       FLAG("quiet", quiet),
                                   FLAG("verbose", verbose),       FLAG("json", json),
                                   FLAG("estimate", estimate),     FLAG("print-defaults", print_defaults),
                                   FLAG("print-keys", print_keys)};

static int take_option(job_options *o, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        const meaning *m = &meanings[i];
        if (strcmp(m->name, name) != 0) continue;
        if (m->read) return m->read(o, value);
        *(int *)(void *)((char *)o + m->flag) = 1;
    }
    return 1;
}

static cli_exit parse(job_options *o, int argc, char **argv, const cli_option *options)
{
    cli_arguments a = {argc, argv, .at = 1, .options = options};
    for (int k; (k = cli_next(&a)) != CLI_END;) {
        if (k == CLI_WRONG || (k != CLI_OPERAND && !take_option(o, options[k].name, a.value))) return EXIT_USAGE;
        if (k == CLI_OPERAND && o->path) {
            cli_error("one scenario is expected, but there are '%s' and '%s'", o->path, a.value);
            return EXIT_USAGE;
        }
        if (k == CLI_OPERAND) o->path = a.value;
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
