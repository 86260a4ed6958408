/* SPDX-License-Identifier: MIT */
/* section_records.c: the records of a section, read back. Those of a panel follow one another, so that the panels can
 * be read side by side. */
#include <stdlib.h>

#include "section.h"

cli_exit section_read(const section *s, const output *rows, long long first, long long last, section_see *see,
                      void *ctx)
{
    enum { ROWS = 1024 };
    size_t columns = (size_t)s->job.table.columns;
    double *values = (double *)malloc((ROWS + 1) * columns * sizeof *values);
    cli_exit code = values ? EXIT_FINE : EXIT_OUTPUT;
    if (!values) cli_error("there is not enough memory");
    for (; first < last && code == EXIT_FINE; first += ROWS) {
        int n = last - first < ROWS + 1 ? (int)(last - first) : ROWS + 1;
        code = output_npy_rows(rows, first, n, values);
        for (int i = 0; i < (n < ROWS ? n : ROWS) && code == EXIT_FINE; i++)
            see(ctx, values + (size_t)i * columns, i + 1 == n || values[(size_t)(i + 1) * columns + AT_POINT] == 0.0);
    }
    free(values);
    return code;
}

/* The first record that is not of a panel before k. */
static cli_exit find_panel(const output *rows, int k, long long *low, long long high)
{
    double row[COLUMNS_MAX];
    cli_exit code = EXIT_FINE;
    while (*low < high) {
        long long middle = *low + (high - *low) / 2;
        code = output_npy_rows(rows, middle, 1, row);
        if (code != EXIT_FINE) break;
        if (row[AT_PANEL] < k + 1.0)
            *low = middle + 1;
        else
            high = middle;
    }
    return code;
}

cli_exit section_bounds(const section *s, const output *rows, long long records, long long *first)
{
    cli_exit code = EXIT_FINE;
    first[0] = 0;
    for (int k = 1; k < s->panels && code == EXIT_FINE; k++) {
        first[k] = first[k - 1];
        code = find_panel(rows, k, &first[k], records);
    }
    first[s->panels] = records;
    return code;
}
