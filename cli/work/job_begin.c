/* SPDX-License-Identifier: MIT */
/* job_begin.c: a job begins anew, or goes on from one of the two generations of its checkpoint; see job.h. A checkpoint
 * that was refused is said so and left alone; nothing is changed before all was compared. */
#include "cli/base/phase.h"
#include "cli/work/job.h"

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
                  j->in.path, name, end, job_where_of(j, &j->before.state, 0).text);
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
    snprintf(text, sizeof text, "going on from the checkpoint at %s", job_where_of(j, &j->now.state, 1).text);
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
