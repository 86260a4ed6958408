/* SPDX-License-Identifier: MIT */
/* section_records.c: the records of a section, read back: those of a panel group by group, so that an orbit is seen
 * from its start to its end, and panels can be read side by side. */
#include "section.h"

cli_exit section_read(const section *s, const output *rows, int panel, many_see *see, void *ctx)
{
    const team *t = &s->team;
    long long units = s->job.now.state.steps;
    long long end = panel + 1 < s->panels ? s->panel[panel + 1].first : t->groups;
    cli_exit code = EXIT_FINE;
    for (long long group = s->panel[panel].first; group < end; group++)
        for (long long unit = group; unit < units && code == EXIT_FINE; unit += t->groups)
            code = many_read(t, rows, t->begins[unit], t->begins[unit + 1], see, ctx);
    return code;
}
