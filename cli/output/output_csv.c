/* SPDX-License-Identifier: MIT */
/* output_csv.c: comma-separated values. Two comment lines say what was computed and the units, one names the columns,
 * then a line for each record, with 17 significant digits: reading them back gives the same doubles. */
#include "cli/output/output.h"

enum { NUMBER = 32 };

static cli_exit put_text(output *o, const char *text)
{
    size_t n = 0;
    while (text[n]) n++;
    return file_append(&o->file, text, n);
}

static cli_exit head(output *o)
{
    const table *t = o->table;
    char line[300];
    snprintf(line, sizeof line, "# liestep %s: %s\n# units: ", lie_version(), t->title);
    cli_exit code = put_text(o, line);
    for (int i = 0; i < t->columns && code == EXIT_FINE; i++) {
        snprintf(line, sizeof line, "%s%c", t->unit[i], i + 1 < t->columns ? ',' : '\n');
        code = put_text(o, line);
    }
    for (int i = 0; i < t->columns && code == EXIT_FINE; i++) {
        snprintf(line, sizeof line, "%s%c", t->name[i], i + 1 < t->columns ? ',' : '\n');
        code = put_text(o, line);
    }
    return code;
}

static cli_exit row(output *o, const double *values)
{
    char line[COLUMNS_MAX * NUMBER];
    int n = o->table->columns;
    size_t used = 0;
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(line + used, NUMBER, "%.17g%c", values[i], i + 1 < n ? ',' : '\n');
    return file_append(&o->file, line, used);
}

const output_kind output_csv = {"csv", 0, head, row, 0, 0};
