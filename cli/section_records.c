/* SPDX-License-Identifier: MIT */
/* section_records.c: the records of a section, read back: those of a panel group by group, so that an orbit is seen
 * from its start to its end, and panels can be read side by side. */
#include <stdlib.h>

#include "many.h"
#include "section.h"

enum { ROWS = 1024 };

static cli_exit read_unit(const section *s, const output *rows, long long unit, double *values, section_see *see,
                          void *ctx)
{
    size_t columns = (size_t)s->job.table.columns;
    cli_exit code = EXIT_FINE;
    for (long long first = s->team.begins[unit], last = s->team.begins[unit + 1]; first < last && code == EXIT_FINE;) {
        int n = last - first < ROWS ? (int)(last - first) : ROWS;
        code = output_npy_rows(rows, first, n, values);
        for (int i = 0; i < n && code == EXIT_FINE; i++) see(ctx, values + (size_t)i * columns);
        first += n;
    }
    return code;
}

cli_exit section_read(const section *s, const output *rows, int panel, section_see *see, void *ctx)
{
    const team *t = &s->team;
    long long units = s->job.now.state.steps;
    long long end = panel + 1 < s->panels ? s->panel[panel + 1].first : t->groups;
    double *values = (double *)malloc(ROWS * (size_t)s->job.table.columns * sizeof *values);
    cli_exit code = values ? EXIT_FINE : many_no_memory();
    for (long long group = s->panel[panel].first; group < end; group++)
        for (long long unit = group; unit < units && code == EXIT_FINE; unit += t->groups)
            code = read_unit(s, rows, unit, values, see, ctx);
    free(values);
    return code;
}
