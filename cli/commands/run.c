/* SPDX-License-Identifier: MIT */
/* run.c: liestep run SCENARIO.yaml: one trajectory, its files and its summary; checkpoints, resume, signals.
 *
 * The steps are taken in chunks: up to the next record, and about 0.05 s at most. Between chunks the run looks at the
 * clock (progress, checkpoints) and at signals, so that the steps themselves pay for neither. Where the chunks end does
 * not change a bit of the result: lie_run gives the bits of single steps, and a checkpoint holds all that a stepper
 * and step control have in memory. */
#include <stdlib.h>
#include <string.h>

#include "cli/work/accuracy.h"
#include "cli/work/summary.h"

static const double look_seconds = 0.05;
static const long long many_records = 10000000;

typedef struct run {
    job job; /* first: a job is a run */
    lie_stepper *stepper;
    void *work;
    double looked;          /* clock, at the last look */
    long long chunk, since; /* steps between looks, steps since the last one */
    lie_adaptive *control;  /* with a tolerance: the steps between the states; */
    void *control_work;
    long long inner;           /* how many so far, */
    long long rejected;        /* and how many were taken back, in the sessions before this one */
    char doubt[ACCURACY_TEXT]; /* about the step; "": none */
} run;

/* The memory of step control in a checkpoint, behind that of the stepper. */
enum { CONTROL_MEMORY = 4 };

static int open_control(run *r, const lie_tolerance *tolerance)
{
    size_t bytes = lie_adaptive_memsize(r->stepper);
    r->control_work = malloc(bytes);
    return lie_adaptive_init(&r->control, r->stepper, tolerance, r->control_work, bytes) == LIE_OK;
}

/* Stepper, columns, folder, names: everything that can be refused before anything is written. */
static cli_exit prepare(run *r)
{
    const scenario *s = r->job.s;
    size_t bytes = lie_stepper_memsize(&s->system, &s->options);
    r->work = calloc(1, bytes ? bytes : 1);
    lie_status status =
        r->work ? lie_stepper_init(&r->stepper, &s->system, &s->options, r->work, bytes) : LIE_ERR_MEMORY;
    if (status != LIE_OK) {
        cli_error("%s: the run cannot begin: %s", s->name, lie_status_text(status));
        return EXIT_SCENARIO;
    }
    lie_stepper_control(r->stepper, s->u, s->u);
    if (s->tolerance > 0.0 && !open_control(r, &(lie_tolerance){.absolute = s->tolerance, .relative = s->tolerance}))
        return EXIT_FAILED;
    table_init(&r->job.table, s, r->stepper);
    summary_find_conserved(&r->job.table);
    r->job.now.fingerprint = s->fingerprint;
    r->job.now.state = s->start;
    r->job.now.size = r->job.table.group->size;
    r->job.now.dim = r->job.table.group->dim;
    r->job.now.memories = lie_stepper_memory_count(r->stepper) + (s->tolerance > 0.0 ? CONTROL_MEMORY : 0);
    r->job.now.watches = summary_watches(&r->job.table);
    if (s->checkpoint && r->job.now.memories > CHECKPOINT_MEMORY) {
        cli_error("%s: checkpoint: this method remembers more than a checkpoint can hold", s->name);
        return EXIT_SCENARIO;
    }
    cli_exit code = folder_open(&r->job.in, s->output.directory);
    return code == EXIT_FINE ? outputs_init(&r->job.out, &r->job.table, &r->job.in, r->job.options->no_plot, 0) : code;
}

static void warn_of_size(const run *r)
{
    const scenario *s = r->job.s;
    double columns = r->job.table.columns,
           row = (r->job.out.rows[0] ? 8.0 * columns : 0.0) + (s->output.csv ? 20.0 * columns : 0.0);
    if (s->output.aem) row += 100.0;
    if (r->job.table.records <= many_records || row == 0.0) return;
    cli_warning("%s: output.every: %lld records will be written, about %.0f GB; a larger output.every writes fewer",
                s->name, r->job.table.records, row * (double)r->job.table.records / 1e9);
}

/* Write down the state as the next row. */
static cli_exit record(run *r)
{
    double row[COLUMNS_MAX];
    lie_status status = table_row(&r->job.table, row, &r->job.now.state);
    if (status != LIE_OK) {
        cli_error("the state at step %lld (t = %g s) has no velocity: %s", r->job.now.state.steps, r->job.now.state.t,
                  lie_status_text(status));
        return EXIT_FAILED;
    }
    summary_watch(&r->job.now, &r->job.table, row, &r->job.now.state);
    job_see_row(&r->job, row);
    r->job.now.records++;
    r->job.now.last_record = row[0];
    return outputs_row(&r->job.out, row);
}

/* Counts of all sessions, this one included. */
static cli_exit gather(job *j)
{
    run *r = (run *)j;
    const lie_stepper *st = r->stepper;
    const checkpoint *b = &j->before;
    j->now.seconds = b->seconds + progress_clock() - j->began;
    j->now.iterations = b->iterations + lie_stepper_statistics(st)->iterations;
    j->now.iterations_max = b->iterations_max > lie_stepper_statistics(st)->iterations_max
                                ? b->iterations_max
                                : lie_stepper_statistics(st)->iterations_max;
    j->now.residual_max = b->residual_max > lie_stepper_statistics(st)->residual_max
                              ? b->residual_max
                              : lie_stepper_statistics(st)->residual_max;
    if (j->now.memories > CHECKPOINT_MEMORY) return EXIT_FINE;
    lie_stepper_memory_get(r->stepper, j->now.memory);
    if (j->s->tolerance == 0.0) return EXIT_FINE;
    const double memory[CONTROL_MEMORY] = {lie_adaptive_now(r->control)->h, lie_adaptive_now(r->control)->before,
                                           (double)r->inner,
                                           (double)(r->rejected + lie_adaptive_now(r->control)->rejected)};
    memcpy(j->now.memory + j->now.memories - CONTROL_MEMORY, memory, sizeof memory);
    return EXIT_FINE;
}

static void restored(job *j)
{
    run *r = (run *)j;
    lie_stepper_memory_set(r->stepper, j->now.memory);
    if (j->s->tolerance == 0.0) return;
    const double *memory = j->now.memory + j->now.memories - CONTROL_MEMORY;
    (void)lie_adaptive_go_on(r->control, memory[0], memory[1]);
    r->inner = (long long)memory[2];
    r->rejected = (long long)memory[3];
}

/* n steps; with step control: to n further states, the times of which do not depend on where a run was interrupted */
static lie_status take_steps(run *r, lie_state *s, long long n)
{
    const scenario *from = r->job.s;
    if (from->tolerance == 0.0) return lie_run(r->stepper, s, from->step, n);
    for (long long i = 0; i < n; i++) {
        lie_state next = *s;
        next.steps = r->inner;
        lie_status status = lie_adaptive_run(r->control, &next, from->start.t + from->step * (double)(s->steps + 1));
        if (status != LIE_OK) return status;
        r->inner = next.steps;
        next.steps = s->steps + 1;
        *s = next;
    }
    return LIE_OK;
}

static cli_exit record_first(job *j)
{
    return record((run *)j);
}

/* Clock, progress, checkpoint; and how many steps to take until the next look. */
static cli_exit look(run *r)
{
    double now = progress_clock(), every = r->job.s->checkpoint_seconds, want = look_seconds;
    cli_exit code = EXIT_FINE;
    if (r->job.s->checkpoint && every > 0.0 && every / 2.0 < want) want = every / 2.0;
    double factor = now > r->looked ? want / (now - r->looked) : 4.0;
    factor = factor > 4.0 ? 4.0 : factor < 0.1 ? 0.1 : factor;
    double chunk = (double)r->chunk * factor;
    r->chunk = chunk < 1.0 ? 1 : chunk > 1e15 ? 1000000000000000 : (long long)chunk;
    progress_show(&r->job.progress, r->job.now.state.steps, now);
    if (job_is_due(&r->job, now)) code = job_save(&r->job);
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
    if (status == LIE_ERR_DOMAIN && lie_stepper_method(r->stepper)->needs_free &&
        lie_stepper_method(r->stepper)->no_retraction)
        hint = "; a shorter step helps, and split2 moves a free body exactly in steps of any length";
    progress_clear(&r->job.progress);
    cli_error("step %lld of %lld, from t = %.17g s, failed: %s%s", r->job.now.state.steps + 1, r->job.s->steps,
              r->job.now.state.t, lie_status_text(status), hint);
    job_leave_parts(&r->job);
    return EXIT_FAILED;
}

static cli_exit advance(run *r)
{
    lie_state *s = &r->job.now.state;
    long long every = r->job.table.every, steps = r->job.s->steps;
    cli_exit code = EXIT_FINE;
    while (s->steps < steps && code == EXIT_FINE) {
        long long n = every - s->steps % every;
        if (n > steps - s->steps) n = steps - s->steps;
        if (n > r->chunk - r->since) n = r->chunk - r->since;
        lie_status status = take_steps(r, s, n);
        if (status != LIE_OK) return fail(r, status);
        r->since += n;
        if (s->steps % every == 0 || s->steps == steps) code = record(r);
        if (code == EXIT_FINE && r->since >= r->chunk) code = look(r);
        if (code == EXIT_FINE && interrupt_caught() && s->steps < steps) return job_stop(&r->job, interrupt_caught());
    }
    return code;
}

/* The summary: what was computed, how well, and where it is. */
static void tell(run *r, long long divided)
{
    const scenario *s = r->job.s;
    char error[ACCURACY_TEXT];
    summary_print(&r->job.now, &r->job.table, r->stepper);
    if (s->tolerance > 0.0)
        printf("  control  %lld steps between the states, %lld more were taken back; tolerance %g\n", r->inner,
               r->rejected + lie_adaptive_now(r->control)->rejected, s->tolerance);
    if (r->job.options->accuracy > 0.0)
        printf("  accuracy %g asked for: the step of the scenario divided by %lld\n", r->job.options->accuracy,
               divided);
    if (*r->doubt) printf("  doubt    %s\n", r->doubt);
    fflush(stdout);
    accuracy_estimate(error, s, r->job.options, &r->job.now.state, r->job.now.seconds);
    printf("  error    %s\n", error);
    outputs_print(&r->job.out);
}

static cli_exit run_scenario(scenario *s, const job_options *options)
{
    long long divided = 1;
    run *r = (run *)calloc(1, sizeof *r);
    if (!r) {
        cli_error("there is not enough memory");
        return EXIT_FAILED;
    }
    job *j = &r->job;
    *j = (job){.s = s, .options = options, .unit = "step", .total = s->steps, .in = {.fd = -1}};
    j->first = record_first, j->gather = gather, j->restored = restored;
    r->chunk = 1;
    interrupt_catch();
    cli_exit code = options->accuracy > 0.0 ? accuracy_choose(s, options, &divided) : EXIT_FINE;
    j->total = s->steps;
    if (code == EXIT_FINE) code = prepare(r);
    if (code == EXIT_FINE) accuracy_warn(r->doubt, s, &s->start, "at the start");
    j->began = r->looked = j->saved = progress_clock();
    if (code == EXIT_FINE) warn_of_size(r);
    if (code == EXIT_FINE) code = job_begin(j);
    if (code == EXIT_FINE) {
        progress_begin(&j->progress, j->now.state.steps, s->steps, options->quiet);
        code = advance(r);
        progress_clear(&j->progress);
    }
    if (code == EXIT_FINE) code = job_finish(j);
    if (code == EXIT_FINE && !*r->doubt) accuracy_warn(r->doubt, s, &j->now.state, "at the end");
    if (code == EXIT_FINE && !options->quiet) tell(r, divided);
    if (code == EXIT_FINE) code = job_judge_rows(j);
    code = job_close(j, code);
    free(r->control_work);
    free(r->work);
    free(r);
    return code;
}

static cli_exit run_command(int argc, char **argv)
{
    return job_command(argc, argv, job_options_of_one, run_scenario);
}

const cli_command command_run = {
    .name = "run",
    .summary = "one trajectory: files, plot, what was conserved",
    .help =
        "usage: liestep run SCENARIO.yaml [-s KEY=VALUE]... [--resume | --restart] [--accuracy ERROR]\n"
        "                   [--estimate] [--no-plot] [--quiet]\n"
        "       liestep run --print-defaults\n"
        "\n"
        "Takes the steps that the scenario asks for and writes the files it names, all in output.directory. A file\n"
        "NAME grows as NAME.part and gets its name when the run is complete: a run that fails leaves the result of\n"
        "an earlier one alone. Records are written every output.every steps, the first and the last included.\n"
        "\n"
        "A scenario that names no method takes the one its system asks for: 'liestep methods auto'. The summary tells\n"
        "the error of the last state, by runs with half and twice the step, as long as they take no more than 10 s\n"
        "(--estimate: however long), and what that estimate rests on. --accuracy 1e-6 divides the step until the "
        "error\n"
        "is below 1e-6, in rad and in m, relative to the distance from the origin where that is above 1 m.\n"
        "\n"
        "With checkpoint: {file: run.checkpoint, seconds: 60} the run can be stopped with Ctrl-C, or die, and go on\n"
        "with --resume from the last checkpoint (an older generation, run.checkpoint.1, is kept too); its files\n"
        "are then the same to the byte as those of a run that was not interrupted. The checkpoint is removed when\n"
        "the run is complete. A second run on the same files is refused while the first goes on; before files get\n"
        "their names they are read back.\n",
    .run = run_command,
    .options = job_options_of_one,
    .examples = "  liestep run --print-defaults >top.yaml\n"
                "  liestep run top.yaml\n"
                "  liestep run top.yaml -s method=gauss2 -s step=0.02 -s output.plot=top.svg\n"
                "  liestep run top.yaml --accuracy 1e-6\n"
                "  liestep run top.yaml -s checkpoint.file=top.checkpoint    (Ctrl-C)\n"
                "  liestep run top.yaml -s checkpoint.file=top.checkpoint --resume\n",
};
