/* SPDX-License-Identifier: MIT */
/* section_records.c: the records of a section, read back: those of a panel group by group, so that an orbit is seen
 * from its start to its end, and panels can be read side by side. */
#include "cli/commands/section.h"

/* Records that are no records of the panel are left out: the file may have been written into. Whoever puts results in
 * place will notice (outputs_seal). */
typedef struct filter {
    many_see *see;
    void *ctx;
    double panel, orbits;
} filter;

static void see_record(void *ctx, const double *row)
{
    const filter *a = (const filter *)ctx;
    if (row[AT_PANEL] == a->panel && row[AT_ORBIT] >= 1.0 && row[AT_ORBIT] <= a->orbits && row[AT_POINT] >= -1.0 &&
        row[AT_POINT] < 1e15)
        a->see(a->ctx, row);
}

cli_exit section_read(const section *s, const output *rows, int panel, many_see *see, void *ctx)
{
    const team *t = &s->team;
    long long units = s->job.now.state.steps;
    long long end = panel + 1 < s->panels ? s->panel[panel + 1].first : t->groups;
    filter records = {see, ctx, panel + 1.0, (double)s->panel[panel].plan->orbits};
    cli_exit code = EXIT_FINE;
    for (long long group = s->panel[panel].first; group < end; group++)
        for (long long unit = group; unit < units && code == EXIT_FINE; unit += t->groups)
            code = many_read(t, rows, t->begins[unit], t->begins[unit + 1], see_record, &records);
    return code;
}
