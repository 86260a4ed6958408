/* SPDX-License-Identifier: MIT */
/* job.c: what a job does on the way: notes, checkpoints, rows that are not finite; see job.h. */
#include "cli/work/job.h"

#include <string.h>

void job_note(const job *j, const char *text)
{
    if (!j->options->quiet) fprintf(stderr, "liestep: %s\n", text);
}

job_where job_where_of(const job *j, const lie_state *s, int with_time)
{
    job_where p;
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
