/* SPDX-License-Identifier: MIT */
/* run.c: liestep run SCENARIO.yaml: one trajectory, its files and its summary; checkpoints, resume, signals.
 *
 * The steps are taken in chunks: up to the next record, and about 0.05 s at most. Between chunks the run looks at the
 * clock (progress, checkpoints) and at signals, so that the steps themselves pay for neither. Where the chunks end does
 * not change a bit of the result: lie_run gives the bits of single steps, and a checkpoint holds all that a stepper
 * remembers. */
#define _GNU_SOURCE

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "outputs.h"
#include "progress.h"
#include "summary.h"

static const double look_seconds = 0.05;
static const long long many_records = 10000000;

typedef struct run_options {
    const char *path;
    int overrides;
    char **override;
    int resume, restart, no_plot, quiet, print_defaults, print_keys;
} run_options;

typedef struct run {
    const scenario *s;
    const run_options *options;
    folder in;
    table table;
    lie_stepper stepper;
    void *work;
    outputs out;
    progress progress;
    checkpoint now;         /* where the run stands; the counts of earlier sessions are in `before` */
    checkpoint before;      /* as it was read */
    double began;           /* clock */
    double looked;          /* clock, at the last look */
    double saved;           /* clock, at the last checkpoint */
    long long chunk, since; /* steps between looks, steps since the last one */
} run;

static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
    caught = number;
}

/* Ctrl-C, SIGTERM and SIGHUP end the run in order; a second one ends it at once. A limit on file sizes is an error like
 * others. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND}, old;
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    caught = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], 0, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(numbers[i], &action, 0);
    sigaction(SIGXFSZ, &ignore, 0);
}

static void note(const run *r, const char *text)
{
    if (!r->options->quiet) fprintf(stderr, "liestep: %s\n", text);
}

/* Stepper, columns, folder, names: everything that can be refused before anything is written. */
static cli_exit prepare(run *r)
{
    const scenario *s = r->s;
    size_t bytes = lie_stepper_memsize(&s->system, &s->options);
    r->work = calloc(1, bytes ? bytes : 1);
    lie_status status =
        r->work ? lie_stepper_init(&r->stepper, &s->system, &s->options, r->work, bytes) : LIE_ERR_MEMORY;
    if (status != LIE_OK) {
        cli_error("%s: the run cannot begin: %s", s->name, lie_status_text(status));
        return EXIT_SCENARIO;
    }
    lie_stepper_control(&r->stepper, s->u, s->u);
    table_init(&r->table, s, &r->stepper);
    summary_find_conserved(&r->table);
    r->now.fingerprint = s->fingerprint;
    r->now.state = s->start;
    r->now.size = r->table.group->size;
    r->now.dim = r->table.group->dim;
    r->now.memories = lie_stepper_memory_count(&r->stepper);
    r->now.watches = summary_watches(&r->table);
    if (s->checkpoint && r->now.memories > CHECKPOINT_MEMORY) {
        cli_error("%s: checkpoint: this method remembers more than a checkpoint can hold", s->name);
        return EXIT_SCENARIO;
    }
    cli_exit code = folder_open(&r->in, s->output.directory);
    return code == EXIT_FINE ? outputs_init(&r->out, &r->table, &r->in, r->options->no_plot) : code;
}

static void warn_of_size(const run *r)
{
    const scenario *s = r->s;
    double columns = r->table.columns,
           row = (r->out.rows[0] ? 8.0 * columns : 0.0) + (s->output.csv ? 20.0 * columns : 0.0);
    if (s->output.aem) row += 100.0;
    if (r->table.records <= many_records || row == 0.0) return;
    cli_warning("%s: output.every: %lld records will be written, about %.0f GB; a larger output.every writes fewer",
                s->name, r->table.records, row * (double)r->table.records / 1e9);
}

/* Write down the state as the next row. */
static cli_exit record(run *r)
{
    double row[COLUMNS_MAX];
    lie_status status = table_row(&r->table, row, &r->now.state);
    if (status != LIE_OK) {
        cli_error("the state at step %lld (t = %g s) has no velocity: %s", r->now.state.steps, r->now.state.t,
                  lie_status_text(status));
        return EXIT_FAILED;
    }
    summary_watch(&r->now, &r->table, row, &r->now.state);
    r->now.records++;
    r->now.last_record = row[0];
    return outputs_row(&r->out, row);
}

/* Counts of all sessions, this one included. */
static void count(run *r)
{
    const lie_stepper *st = &r->stepper;
    const checkpoint *b = &r->before;
    r->now.seconds = b->seconds + progress_clock() - r->began;
    r->now.iterations = b->iterations + st->iterations;
    r->now.iterations_max = b->iterations_max > st->iterations_max ? b->iterations_max : st->iterations_max;
    r->now.residual_max = b->residual_max > st->residual_max ? b->residual_max : st->residual_max;
}

static cli_exit save(run *r)
{
    cli_exit code = outputs_sync(&r->out, &r->now);
    if (code != EXIT_FINE) return code;
    count(r);
    lie_stepper_memory_get(&r->stepper, r->now.memory);
    code = checkpoint_write(&r->in, r->s->checkpoint, &r->now);
    r->saved = progress_clock();
    return code;
}

/* A checkpoint that could be resumed is not thrown away without being asked. */
static cli_exit begin_anew(run *r)
{
    const char *name = r->s->checkpoint, *why;
    for (int generation = 0; name && generation < 2 && !r->options->restart; generation++) {
        const char *end = generation == 0 ? "" : ".1";
        int found = checkpoint_read(&r->before, &r->in, name, generation, &r->now, &why);
        if (found < 0) cli_warning("checkpoint %s/%s%s %s; it is removed", r->in.path, name, end, why);
        if (found != 1) continue;
        cli_error(
            "%s/%s%s is a checkpoint of this scenario, at step %lld of %lld: go on from there with --resume, or begin "
            "anew with --restart",
            r->in.path, name, end, r->before.state.steps, r->s->steps);
        return EXIT_SCENARIO;
    }
    r->before = (checkpoint){0};
    cli_exit code = name ? checkpoint_remove(&r->in, name) : EXIT_FINE;
    if (code == EXIT_FINE) code = outputs_create(&r->out);
    return code == EXIT_FINE ? record(r) : code;
}

/* State and stepper as they were. */
static void restore(run *r)
{
    char text[200];
    r->now = r->before;
    lie_stepper_memory_set(&r->stepper, r->now.memory);
    snprintf(text, sizeof text, "going on from the checkpoint at step %lld of %lld (t = %g s)", r->now.state.steps,
             r->s->steps, r->now.state.t);
    note(r, text);
}

static cli_exit resume(run *r)
{
    const char *name = r->s->checkpoint, *why;
    int refused = 0;
    for (int generation = 0; generation < 2; generation++) {
        const char *end = generation == 0 ? "" : ".1";
        int found = checkpoint_read(&r->before, &r->in, name, generation, &r->now, &why);
        if (found == 0) continue;
        cli_exit code = EXIT_FAILED;
        if (found < 0)
            cli_warning("checkpoint %s/%s%s %s", r->in.path, name, end, why);
        else
            code = outputs_resume(&r->out, &r->before);
        if (code == EXIT_FINE) {
            if (generation == 1) note(r, "using the older generation of the checkpoint");
            restore(r);
            /* what was refused must not take the place of the older generation when the next one is written */
            return generation == 1 ? folder_remove(&r->in, name) : EXIT_FINE;
        }
        outputs_close(&r->out, 0);
        if (code != EXIT_FAILED) return code;
        refused++;
    }
    if (refused > 0) {
        cli_error("no checkpoint can be used; begin anew with --restart");
        return EXIT_SCENARIO;
    }
    note(r, "there is no checkpoint yet: beginning at the start");
    return begin_anew(r);
}

static cli_exit begin(run *r)
{
    if (r->options->resume && !r->s->checkpoint) {
        cli_error("%s: --resume needs a checkpoint: add  checkpoint: {file: run.checkpoint}  to the scenario",
                  r->s->name);
        return EXIT_SCENARIO;
    }
    warn_of_size(r);
    return r->options->resume ? resume(r) : begin_anew(r);
}

/* Clock, progress, checkpoint; and how many steps to take until the next look. */
static cli_exit look(run *r)
{
    double now = progress_clock(), every = r->s->checkpoint_seconds, want = look_seconds;
    cli_exit code = EXIT_FINE;
    if (r->s->checkpoint && every > 0.0 && every / 2.0 < want) want = every / 2.0;
    double factor = now > r->looked ? want / (now - r->looked) : 4.0;
    factor = factor > 4.0 ? 4.0 : factor < 0.1 ? 0.1 : factor;
    double chunk = (double)r->chunk * factor;
    r->chunk = chunk < 1.0 ? 1 : chunk > 1e15 ? 1000000000000000 : (long long)chunk;
    progress_show(&r->progress, r->now.state.steps, now);
    if (r->s->checkpoint && every > 0.0 && now - r->saved >= every) code = save(r);
    r->since = 0;
    r->looked = progress_clock();
    return code;
}

/* The step after the last good one failed. */
static cli_exit fail(run *r, lie_status status)
{
    const char *hint = status == LIE_ERR_NO_CONVERGENCE || status == LIE_ERR_DOMAIN || status == LIE_ERR_SINGULAR
                           ? "; a shorter step usually helps"
                           : "";
    progress_clear(&r->progress);
    cli_error("step %lld of %lld, from t = %.17g s, failed: %s%s", r->now.state.steps + 1, r->s->steps, r->now.state.t,
              lie_status_text(status), hint);
    if (outputs_tail(&r->out, r->now.records, r->now.last_record) == EXIT_FINE) outputs_print_parts(&r->out);
    return EXIT_FAILED;
}

static cli_exit stop(run *r, int number)
{
    cli_exit code = number == SIGINT ? EXIT_INTERRUPTED : EXIT_TERMINATED;
    progress_clear(&r->progress);
    if (r->s->checkpoint) {
        cli_exit saved = save(r);
        if (saved != EXIT_FINE) return saved;
        cli_error("stopped at step %lld of %lld (t = %g s); the checkpoint is %s/%s. To go on: the same command with "
                  "--resume",
                  r->now.state.steps, r->s->steps, r->now.state.t, r->in.path, r->s->checkpoint);
        return code;
    }
    cli_error(
        "stopped at step %lld of %lld (t = %g s); this run cannot be gone on with. To keep the work of the next one, "
        "add  checkpoint: {file: run.checkpoint}  to the scenario",
        r->now.state.steps, r->s->steps, r->now.state.t);
    if (outputs_tail(&r->out, r->now.records, r->now.last_record) == EXIT_FINE) outputs_print_parts(&r->out);
    return code;
}

static cli_exit advance(run *r)
{
    lie_state *s = &r->now.state;
    long long every = r->table.every, steps = r->s->steps;
    cli_exit code = EXIT_FINE;
    while (s->steps < steps && code == EXIT_FINE) {
        long long n = every - s->steps % every;
        if (n > steps - s->steps) n = steps - s->steps;
        if (n > r->chunk - r->since) n = r->chunk - r->since;
        lie_status status = lie_run(&r->stepper, s, r->s->step, n);
        if (status != LIE_OK) return fail(r, status);
        r->since += n;
        if (s->steps % every == 0 || s->steps == steps) code = record(r);
        if (code == EXIT_FINE && r->since >= r->chunk) code = look(r);
        if (code == EXIT_FINE && caught && s->steps < steps) return stop(r, caught);
    }
    return code;
}

/* All steps are taken: complete the files, then their names, then the checkpoint is of no use any more. */
static cli_exit finish(run *r)
{
    cli_exit code = EXIT_FINE;
    progress_clear(&r->progress);
    if (!r->now.complete) {
        code = outputs_tail(&r->out, r->now.records, r->now.last_record);
        r->now.complete = 1;
        count(r);
        if (code == EXIT_FINE && r->s->checkpoint) code = save(r);
    }
    if (code == EXIT_FINE) {
        code = outputs_commit(&r->out, r->now.records);
        if (code == EXIT_OUTPUT && r->s->checkpoint)
            cli_error("all steps are taken and kept: the same command with --resume completes the files");
    }
    if (code == EXIT_FINE && r->s->checkpoint) code = checkpoint_remove(&r->in, r->s->checkpoint);
    if (code == EXIT_FINE && !r->options->quiet) {
        summary_print(&r->now, &r->table, &r->stepper);
        outputs_print(&r->out);
    }
    return code;
}

static cli_exit run_scenario(const scenario *s, const run_options *options)
{
    run *r = (run *)calloc(1, sizeof *r);
    if (!r) {
        cli_error("there is not enough memory");
        return EXIT_FAILED;
    }
    r->s = s, r->options = options, r->in.fd = -1, r->chunk = 1;
    catch_signals();
    cli_exit code = prepare(r);
    r->began = r->looked = r->saved = progress_clock();
    if (code == EXIT_FINE) code = begin(r);
    if (code == EXIT_FINE) {
        progress_begin(&r->progress, r->now.state.steps, s->steps, options->quiet);
        code = advance(r);
        progress_clear(&r->progress);
    }
    if (code == EXIT_FINE) code = finish(r);
    outputs_close(&r->out, !s->checkpoint);
    folder_close(&r->in);
    free(r->work);
    free(r);
    return code;
}

static const cli_option options[] = {
    {"set", 's', "KEY=VALUE", "override a key of the scenario, as in -s step=0.01 -s output.csv=a.csv; repeat at will"},
    {"resume", 0, 0, "go on from the checkpoint of an interrupted run"},
    {"restart", 0, 0, "begin anew although there is a checkpoint"},
    {"no-plot", 0, 0, "make no picture"},
    {"quiet", 'q', 0, "no summary, no progress, only errors and warnings"},
    {"print-defaults", 0, 0, "write a commented scenario with all keys to stdout"},
    {"print-keys", 0, 0, "write all keys as the tables of docs/SCENARIOS.md"},
    {0, 0, 0, 0},
};
enum { SET, RESUME, RESTART, NO_PLOT, QUIET, PRINT_DEFAULTS, PRINT_KEYS };

static cli_exit parse(run_options *o, int argc, char **argv)
{
    cli_arguments a = {argc, argv, .at = 1, .options = options};
    int *const flag[] = {[RESUME] = &o->resume,
                         [RESTART] = &o->restart,
                         [NO_PLOT] = &o->no_plot,
                         [QUIET] = &o->quiet,
                         [PRINT_DEFAULTS] = &o->print_defaults,
                         [PRINT_KEYS] = &o->print_keys};
    for (int k; (k = cli_next(&a)) != CLI_END;) {
        if (k == CLI_WRONG) return EXIT_USAGE;
        if (k == SET) {
            o->override[o->overrides++] = (char *)a.value;
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
        "a scenario is expected: liestep run SCENARIO.yaml (liestep run --print-defaults writes one to start from)");
    return EXIT_USAGE;
}

static cli_exit run_command(int argc, char **argv)
{
    run_options o = {.override = (char **)calloc((size_t)argc + 1, sizeof(char *))};
    scenario s = {0};
    cli_exit code = o.override ? parse(&o, argc, argv) : EXIT_FAILED;
    if (code == EXIT_FINE && o.print_defaults) {
        scenario_print_defaults(stdout);
    } else if (code == EXIT_FINE && o.print_keys) {
        scenario_print_keys(stdout);
    } else if (code == EXIT_FINE) {
        code = scenario_read(&s, o.path, o.overrides, o.override);
        if (code == EXIT_FINE) code = run_scenario(&s, &o);
        scenario_free(&s);
    }
    free(o.override);
    return code;
}

const cli_command command_run = {
    .name = "run",
    .summary = "one trajectory: files, plot, what was conserved",
    .help =
        "usage: liestep run SCENARIO.yaml [-s KEY=VALUE]... [--resume | --restart] [--no-plot] [--quiet]\n"
        "       liestep run --print-defaults\n"
        "\n"
        "Takes the steps that the scenario asks for and writes the files it names, all in output.directory. A file\n"
        "NAME grows as NAME.part and gets its name when the run is complete: a run that fails leaves the result of\n"
        "an earlier one alone. Records are written every output.every steps, the first and the last included.\n"
        "\n"
        "With checkpoint: {file: run.checkpoint, seconds: 60} the run can be stopped with Ctrl-C, or die, and go on\n"
        "with --resume from the last checkpoint (an older generation, run.checkpoint.1, is kept too); its files\n"
        "are then the same to the byte as those of a run that was not interrupted. The checkpoint is removed when\n"
        "the run is complete.\n",
    .run = run_command,
    .options = options,
    .examples = "  liestep run --print-defaults >top.yaml\n"
                "  liestep run top.yaml\n"
                "  liestep run top.yaml -s method=gauss2 -s step=0.02 -s output.plot=top.svg\n"
                "  liestep run top.yaml -s checkpoint.file=top.checkpoint    (Ctrl-C)\n"
                "  liestep run top.yaml -s checkpoint.file=top.checkpoint --resume\n",
};
