/* SPDX-License-Identifier: MIT */
/* job_end.c: a job stops with a checkpoint, or completes its files and gives them their names; see job.h. */
#define _POSIX_C_SOURCE 200809L

#include <signal.h>

#include "cli/base/phase.h"
#include "cli/work/job.h"

cli_exit job_stop(job *j, int number)
{
    cli_exit code = number == SIGINT ? EXIT_INTERRUPTED : EXIT_TERMINATED;
    job_where where = job_where_of(j, &j->now.state, 1);
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
