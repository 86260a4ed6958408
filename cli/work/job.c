/* SPDX-License-Identifier: MIT */
/* job.c: see job.h. */
#define _GNU_SOURCE

#include "cli/work/job.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/phase.h"

void job_note(const job *j, const char *text)
{
    if (!j->options->quiet) fprintf(stderr, "liestep: %s\n", text);
}

/* "step 5 of 10 (t = 0.5 s)", "orbit 3 of 24" */
typedef struct place {
    char text[100];
} place;
static place place_of(const job *j, const lie_state *s, int with_time)
{
    place p;
    int n = snprintf(p.text, sizeof p.text, "%s %lld of %lld", j->unit, s->steps, j->total);
    if (with_time && strcmp(j->unit, "step") == 0) snprintf(p.text + n, sizeof p.text - (size_t)n, " (t = %g s)", s->t);
    return p;
}

cli_exit job_save(job *j)
{
    cli_exit code = outputs_sync(&j->out, &j->now);
    if (code != EXIT_FINE) return code;
    if (j->gather) code = j->gather(j);
    if (code == EXIT_FINE) code = checkpoint_write(&j->in, j->s->checkpoint, &j->now, &j->guard);
    j->saved = progress_clock();
    return code;
}

int job_is_due(const job *j, double now)
{
    double every = j->s->checkpoint_seconds;
    return j->s->checkpoint && every > 0.0 && now - j->saved >= every;
}

/* What is there of a checkpoint is not thrown away without being asked. */
static cli_exit refuse_checkpoint(job *j)
{
    const char *name = j->s->checkpoint, *why;
    for (int generation = 0; name && generation < 2; generation++) {
        const char *end = generation == 0 ? "" : ".1";
        int found = checkpoint_read(&j->before, &j->in, name, generation, &j->now, &why);
        if (found == 0) continue;
        if (found < 0) {
            cli_error("%s/%s%s %s: it is not replaced; begin anew with --restart, or choose another checkpoint.file",
                      j->in.path, name, end, why);
            return EXIT_SCENARIO;
        }
        checkpoint_free(&j->before);
        cli_error("%s/%s%s is a checkpoint of this scenario, at %s: go on from there with --resume, or begin "
                  "anew with --restart",
                  j->in.path, name, end, place_of(j, &j->before.state, 0).text);
        return EXIT_SCENARIO;
    }
    return EXIT_FINE;
}

static cli_exit begin_anew(job *j)
{
    const char *name = j->s->checkpoint;
    cli_exit code = j->options->restart ? EXIT_FINE : refuse_checkpoint(j);
    if (code != EXIT_FINE) return code;
    j->before = (checkpoint){0};
    j->guard.made = 1;
    if (name) code = checkpoint_remove(&j->in, name);
    if (code == EXIT_FINE) code = outputs_create(&j->out);
    return code == EXIT_FINE && j->first ? j->first(j) : code;
}

static void restore(job *j)
{
    char text[200];
    j->now = j->before;
    if (j->restored) j->restored(j);
    j->now.extra = 0, j->now.extras = 0;
    checkpoint_free(&j->before);
    snprintf(text, sizeof text, "going on from the checkpoint at %s", place_of(j, &j->now.state, 1).text);
    job_note(j, text);
}

/* One generation of the checkpoint, and the files as it tells; nothing is changed. 1: it will do. 0: there is none. -1:
 * it was refused, with a message. -2: *code is why nothing more can be done. */
static int examine(job *j, int generation, cli_exit *code)
{
    const char *name = j->s->checkpoint, *end = generation == 0 ? "" : ".1", *why;
    double bytes = 0.0;
    int found = checkpoint_read(&j->before, &j->in, name, generation, &j->now, &why);
    if (found > 0 && j->is_mine && !j->is_mine(j)) {
        checkpoint_free(&j->before);
        found = -1, why = "holds other numbers than this scenario needs";
    }
    if (found < 0) cli_warning("checkpoint %s/%s%s %s", j->in.path, name, end, why);
    if (found <= 0) return found;
    for (int i = 0; i < CHECKPOINT_FILES; i++) bytes += (double)j->before.file[i].bytes;
    phase_begin("the files are compared with the checkpoint", bytes, j->options->quiet);
    *code = outputs_check(&j->out, &j->before);
    phase_end();
    if (*code == EXIT_FINE) return 1;
    checkpoint_free(&j->before);
    return *code == EXIT_FAILED ? -1 : -2;
}

static cli_exit resume_from(job *j, int generation)
{
    j->guard.made = 1;
    cli_exit code = outputs_go_on(&j->out);
    if (code != EXIT_FINE) return code;
    if (generation == 1) job_note(j, "using the older generation of the checkpoint");
    restore(j);
    if (generation == 0) return EXIT_FINE;
    /* what was refused must not take the place of the older generation when the next one is written */
    guard_drop(&j->guard);
    return folder_remove(&j->in, j->s->checkpoint);
}

static cli_exit resume(job *j)
{
    int refused = 0;
    cli_exit code = EXIT_FINE;
    for (int generation = 0; generation < 2; generation++) {
        int found = examine(j, generation, &code);
        if (found == 1) return resume_from(j, generation);
        if (found == -2) return code;
        refused += found == -1;
    }
    const char *trace = outputs_trace(&j->out);
    if (refused > 0)
        cli_error("no checkpoint can be used; begin anew with --restart");
    else if (trace)
        cli_error("%s/%s is there, so there was a run, but no checkpoint %s to go on from; begin anew with --restart",
                  j->in.path, trace, j->s->checkpoint);
    if (refused > 0 || trace) return EXIT_SCENARIO;
    job_note(j, "there is no checkpoint yet: beginning at the start");
    return begin_anew(j);
}

cli_exit job_begin(job *j)
{
    if (j->options->resume && !j->s->checkpoint) {
        cli_error("%s: --resume needs a checkpoint: add  checkpoint: {file: run.checkpoint}  to the scenario",
                  j->s->name);
        return EXIT_SCENARIO;
    }
    cli_exit code = outputs_claim(&j->out);
    if (code == EXIT_FINE && j->s->checkpoint) code = guard_take(&j->guard, &j->in, j->s->checkpoint);
    if (code != EXIT_FINE) return code;
    return j->options->resume ? resume(j) : begin_anew(j);
}

void job_see_row(job *j, const double *row)
{
    for (int i = 0; i < j->table.columns; i++)
        if (!(row[i] - row[i] == 0.0)) {
            j->now.not_finite++;
            if (!j->odd) j->odd = j->table.name[i];
            return;
        }
}

cli_exit job_judge_rows(const job *j)
{
    if (j->now.not_finite == 0) return EXIT_FINE;
    if (j->team) {
        cli_error("%lld things have failed or are not finite, as was told when the files were made", j->now.not_finite);
        return EXIT_FAILED;
    }
    cli_error("%lld of %lld records hold numbers that are not finite: look for inf and nan in them%s%s",
              j->now.not_finite, j->now.records, j->odd ? ", first in " : "", j->odd ? j->odd : "");
    return EXIT_FAILED;
}

void job_leave_parts(job *j)
{
    if (outputs_tail(&j->out) == EXIT_FINE && outputs_patch(&j->out, j->now.records, j->now.last_record) == EXIT_FINE)
        outputs_print_parts(&j->out);
}

cli_exit job_stop(job *j, int number)
{
    cli_exit code = number == SIGINT ? EXIT_INTERRUPTED : EXIT_TERMINATED;
    place where = place_of(j, &j->now.state, 1);
    progress_clear(&j->progress);
    if (j->s->checkpoint && j->now.records > 0) {
        cli_exit saved = job_save(j);
        if (saved != EXIT_FINE) return saved;
        cli_error("stopped at %s; the checkpoint is %s/%s. To go on: the same command with --resume", where.text,
                  j->in.path, j->s->checkpoint);
        return code;
    }
    if (j->s->checkpoint) {
        outputs_discard(&j->out);
        cli_error("stopped before anything was recorded: there is nothing to go on from");
        return code;
    }
    cli_error("stopped at %s; this run cannot be gone on with. To keep the work of the next one, "
              "add  checkpoint: {file: run.checkpoint}  to the scenario",
              where.text);
    job_leave_parts(j);
    return code;
}

/* The last bytes of the files, and the last checkpoint. */
static cli_exit end_files(job *j)
{
    if (j->now.complete) return outputs_patch(&j->out, j->now.records, j->now.last_record);
    cli_exit code = outputs_tail(&j->out);
    if (code == EXIT_FINE) code = outputs_patch(&j->out, j->now.records, j->now.last_record);
    j->now.complete = 1;
    if (code == EXIT_FINE && j->gather) code = j->gather(j);
    return code == EXIT_FINE && j->s->checkpoint ? job_save(j) : code;
}

/* Make what is made of the rows, read everything back, give every file its name. */
static cli_exit place_files(job *j)
{
    phase_begin("the last files are made", (double)j->now.records * j->out.passes, j->options->quiet);
    cli_exit code = outputs_derive(&j->out, j->now.records);
    phase_end();
    phase_begin("the files are read back", outputs_bytes(&j->out), j->options->quiet);
    if (code == EXIT_FINE) code = outputs_seal(&j->out);
    phase_end();
    int any = 0;
    for (int i = 0; i < DERIVED; i++) any |= j->out.made[i];
    /* the checkpoint knows them, too, before the rows are gone */
    if (code == EXIT_FINE && j->s->checkpoint && (any || j->out.hidden) && !j->out.gone) {
        j->now.complete = 2;
        code = job_save(j);
    }
    return code == EXIT_FINE ? outputs_put(&j->out) : code;
}

/* What can be done about it: only what was looked at is promised. */
static void explain(const job *j, cli_exit code)
{
    int is_kept = guard_is_in_place(&j->guard) && outputs_are_kept(&j->out);
    if (code == EXIT_INTERRUPTED || code == EXIT_TERMINATED)
        cli_error("stopped while %s", phase_stopped());
    else if (code != EXIT_OUTPUT)
        return;
    if (is_kept)
        cli_error("all is computed and kept: the same command with --resume completes the files");
    else if (j->s->checkpoint)
        cli_error("this run cannot be gone on with; begin anew with --restart");
}

cli_exit job_finish(job *j)
{
    progress_clear(&j->progress);
    cli_exit code = end_files(j);
    if (code == EXIT_FINE) {
        code = place_files(j);
        if (code != EXIT_FINE) explain(j, code);
    }
    if (code == EXIT_FINE && j->s->checkpoint) code = checkpoint_remove(&j->in, j->s->checkpoint);
    if (code == EXIT_FINE) code = outputs_check_placed(&j->out);
    j->placed = code == EXIT_FINE;
    return code;
}

cli_exit job_close(job *j, cli_exit code)
{
    /* the last moment at which something can be told */
    if (code == EXIT_FINE || code == EXIT_FAILED) {
        cli_exit placed = j->placed ? outputs_check_placed(&j->out) : EXIT_FINE;
        if (placed != EXIT_FINE) code = placed;
    }
    guard_release(&j->guard);
    outputs_close(&j->out, !j->s->checkpoint);
    folder_close(&j->in);
    return code;
}

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
