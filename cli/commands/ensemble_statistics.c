/* SPDX-License-Identifier: MIT */
/* ensemble_statistics.c: statistics of an ensemble over time. Covariances have the divisor n - 1; a percentile
 * between two values is interpolated linearly (Hyndman & Fan 1996, definition 7). */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "cli/base/phase.h"
#include "cli/commands/ensemble.h"
#include "cli/work/many.h"

enum { NAMED = 10, LINE = 200 };

/* The values of expression i at time k of the round, of all that count. */
static double *values_of(const ensemble *e, long long k, int i)
{
    long long row = k * e->job.s->ensemble->watched + i;
    return e->value + (size_t)row * (size_t)e->counted;
}

static void name_failure(ensemble *e, const double *row)
{
    char problem[SCENARIO_PROBLEM] = "";
    scenario s;
    if (e->failed++ >= NAMED) {
        if (e->failed == NAMED + 1) cli_error("and more trajectories");
        return;
    }
    if (row[AT_ENSEMBLE_STATUS] == STATUS_REFUSED) {
        ensemble_variant(e, (long long)row[AT_TRAJECTORY] - 1, &s, problem);
        scenario_free(&s);
    }
    cli_error("trajectory %.0f failed: %s", row[AT_TRAJECTORY],
              problem[0] ? problem : lie_status_text((lie_status)(int)row[AT_ENSEMBLE_STATUS]));
}

/* The records of a round: all trajectories in order, each in the order of time. */
static cli_exit read_round(ensemble *e, const output *rows, long long round, many_see *see)
{
    const team *t = &e->team;
    long long units = e->job.now.state.steps, first = round * t->groups, end = first + t->groups;
    return many_read(t, rows, t->begins[first], t->begins[end < units ? end : units], see, e);
}

static long long rounds_of(const ensemble *e)
{
    return (e->job.now.state.steps - 1) / e->team.groups + 1;
}

/* Is this a record? The file may have been written into; whoever puts results in place will notice (outputs_seal). */
static int is_record(const ensemble *e, const double *row)
{
    return row[AT_TRAJECTORY] >= 1.0 && row[AT_TRAJECTORY] <= (double)e->trajectories &&
           fabs(row[AT_ENSEMBLE_STATUS]) < 1e6;
}

static void mark_failure(void *ctx, const double *row)
{
    ensemble *e = (ensemble *)ctx;
    if (!is_record(e, row) || row[AT_ENSEMBLE_STATUS] == LIE_OK || e->lost[(long long)row[AT_TRAJECTORY] - 1]) return;
    e->lost[(long long)row[AT_TRAJECTORY] - 1] = 1;
    name_failure(e, row);
}

/* Times of a round, at most: the start and the end may come on top. */
static long long most_times(const ensemble *e)
{
    return e->round / e->job.s->output.every + 2;
}

static void fill_value(void *ctx, const double *row)
{
    ensemble *e = (ensemble *)ctx;
    const double *last = &e->filling.trajectory;
    if (!is_record(e, row) || e->lost[(long long)row[AT_TRAJECTORY] - 1]) return;
    e->filling.time = row[AT_TRAJECTORY] == *last ? e->filling.time + 1 : 0;
    e->filling.column += row[AT_TRAJECTORY] != *last;
    e->filling.trajectory = row[AT_TRAJECTORY];
    if (e->filling.column >= e->counted || e->filling.time >= most_times(e)) return;
    e->time[e->filling.time] = row[AT_ENSEMBLE_TIME];
    for (int i = 0; i < e->job.s->ensemble->watched; i++)
        values_of(e, e->filling.time, i)[e->filling.column] = row[AT_WATCHED + i];
}

/* The values of a round, of those that count. */
static cli_exit gather_values(ensemble *e, const output *rows, long long round)
{
    e->filling.column = -1, e->filling.trajectory = 0.0;
    return read_round(e, rows, round, fill_value);
}

static int by_size(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return isnan(p) || isnan(q) ? (isnan(p) != 0) - (isnan(q) != 0) : (p > q) - (p < q);
}

static double percentile(const double *sorted, long long n, double percent)
{
    double place = percent / 100.0 * (double)(n - 1), low = floor(place);
    long long k = (long long)low, next = k + 1 < n ? k + 1 : k;
    return sorted[k] + (place - low) * (sorted[next] - sorted[k]);
}

/* Of time k of the round: means and covariances first, then the values may be sorted. */
static cli_exit reduce_time(ensemble *e, long long k, moment *out, double *C)
{
    int n = e->job.s->ensemble->watched;
    cli_exit code = EXIT_FINE;
    distribution *d = out->of;
    out->time = e->time[k];
    for (int i = 0; i < n; i++) {
        const double *x = values_of(e, k, i);
        d[i].mean = 0.0;
        for (long long j = 0; j < e->counted; j++) {
            d[i].mean += (x[j] - d[i].mean) / (double)(j + 1);
            e->not_finite[i] += !isfinite(x[j]);
        }
    }
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            const double *x = values_of(e, k, a), *y = values_of(e, k, b);
            double sum = 0.0;
            for (long long j = 0; j < e->counted; j++) sum += (x[j] - d[a].mean) * (y[j] - d[b].mean);
            C[a * n + b] = C[b * n + a] = e->counted > 1 ? sum / (double)(e->counted - 1) : 0.0;
        }
    for (int i = 0; i < n && code == EXIT_FINE; i++) {
        double *x = values_of(e, k, i);
        d[i].deviation = sqrt(C[i * n + i]);
        qsort(x, (size_t)e->counted, sizeof *x, by_size);
        d[i].least = x[0], d[i].largest = x[e->counted - 1];
        for (int p = 0; p < ENSEMBLE_PERCENTILES; p++)
            d[i].percentile[p] = percentile(x, e->counted, e->job.s->ensemble->percentile[p]);
        e->low[i] = fmin(e->low[i], d[i].least);
        e->high[i] = fmax(e->high[i], d[i].largest);
        code = phase_add(0.0);
    }
    return code;
}

/* A table that is written at once; without a file nothing is. */
typedef struct sheet {
    file *file;
    cli_exit code;
} sheet;

static void put(sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(sheet *s, const char *format, ...)
{
    char line[LINE + TITLE];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (n > (int)sizeof line - 1) n = (int)sizeof line - 1;
    if (s->code == EXIT_FINE && s->file) s->code = file_append(s->file, line, (size_t)n);
}

static void put_head(sheet *s, const ensemble *e)
{
    const ensemble_plan *p = e->job.s->ensemble;
    put(s, "# liestep %s: %s\n", lie_version(), e->job.table.title);
    for (int i = 0; i < p->watched; i++) put(s, "# %d: %s\n", i + 1, p->watch_text[i]);
}

static void put_statistics_head(sheet *s, const ensemble *e)
{
    const ensemble_plan *p = e->job.s->ensemble;
    int n = p->watched;
    put_head(s, e);
    put(s, "t,count");
    for (int i = 1; i <= n; i++) {
        put(s, ",mean%d,deviation%d,least%d,largest%d", i, i, i, i);
        for (int k = 0; k < ENSEMBLE_PERCENTILES; k++) put(s, ",p%g_%d", p->percentile[k], i);
    }
    for (int a = 1; a <= n; a++)
        for (int b = a + 1; b <= n; b++) put(s, ",covariance%d_%d", a, b);
    put(s, "\n");
}

static void put_statistics(sheet *s, const ensemble *e, const moment *m, const double *C)
{
    int n = e->job.s->ensemble->watched;
    put(s, "%.17g,%lld", m->time, e->counted);
    for (int i = 0; i < n; i++) {
        const distribution *d = &m->of[i];
        put(s, ",%.17g,%.17g,%.17g,%.17g", d->mean, d->deviation, d->least, d->largest);
        for (int q = 0; q < ENSEMBLE_PERCENTILES; q++) put(s, ",%.17g", d->percentile[q]);
    }
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) put(s, ",%.17g", C[a * n + b]);
    put(s, "\n");
}

/* Some of the times are kept for the picture, and the last one. */
static void keep_moment(ensemble *e, long long k, const moment *m)
{
    long long stride = 1 + (e->times - 1) / ENSEMBLE_SHOWN;
    if (k % stride == 0 || k == e->times - 1) e->shown[e->shows++] = *m;
}

static void make_statistics(sheet *s, ensemble *e, const output *rows)
{
    double C[ENSEMBLE_WATCHED * ENSEMBLE_WATCHED];
    moment m;
    long long done = 0;
    put_statistics_head(s, e);
    for (long long r = 0; r < rounds_of(e) && s->code == EXIT_FINE; r++) {
        s->code = gather_values(e, rows, r);
        for (long long k = 0, n = ensemble_times(e, r); k < n && s->code == EXIT_FINE; k++) {
            s->code = reduce_time(e, k, &m, C);
            if (s->code != EXIT_FINE) return;
            put_statistics(s, e, &m, C);
            keep_moment(e, done++, &m);
        }
    }
}

/* Bins from the least to the largest value of all times, so that the rows can be compared. */
static void put_histogram(sheet *s, const ensemble *e, int i, long long k, long long *counts)
{
    int bins = e->job.s->ensemble->bins;
    double low = e->low[i], high = e->high[i];
    const double *x = values_of(e, k, i);
    for (int b = 0; b < bins; b++) counts[b] = 0;
    for (long long j = 0; j < e->counted; j++) {
        double share = high > low ? (x[j] - low) / (high - low) : 0.0;
        if (share >= 0.0 && share <= 1.0) counts[share < 1.0 ? (int)(share * bins) : bins - 1]++;
    }
    put(s, "%d,%.17g,%.17g,%.17g", i + 1, e->time[k], low, high);
    for (int b = 0; b < bins; b++) put(s, ",%lld", counts[b]);
    put(s, "\n");
}

/* Expression by expression, each time in a row: the records are read once for each. */
static void make_histogram(sheet *s, ensemble *e, const output *rows)
{
    const ensemble_plan *p = e->job.s->ensemble;
    long long *counts = (long long *)calloc((size_t)p->bins, sizeof *counts);
    if (!counts) s->code = many_no_memory();
    put_head(s, e);
    put(s, "expression,t,low,high");
    for (int b = 1; b <= p->bins; b++) put(s, ",bin%d", b);
    put(s, "\n");
    for (int i = 0; i < p->watched; i++)
        for (long long r = 0; r < rounds_of(e) && s->code == EXIT_FINE; r++) {
            s->code = gather_values(e, rows, r);
            for (long long k = 0, n = ensemble_times(e, r); k < n && s->code == EXIT_FINE; k++) {
                put_histogram(s, e, i, k, counts);
                if (s->code == EXIT_FINE) s->code = phase_add(0.0);
            }
        }
    free(counts);
}

/* Without a file only the numbers are made. */
static cli_exit write_sheet(ensemble *e, file *f, const output *rows,
                            void (*make)(sheet *s, ensemble *e, const output *rows))
{
    sheet s = {f, f ? file_begin(f) : EXIT_FINE};
    if (s.code == EXIT_FINE) make(&s, e, rows);
    return s.code;
}

/* Room for the longest round. */
static int make_room(ensemble *e)
{
    size_t times = (size_t)most_times(e), n = (size_t)e->job.s->ensemble->watched;
    e->time = (double *)calloc(times, sizeof *e->time);
    e->value = (double *)calloc(times * n * (size_t)e->counted, sizeof *e->value);
    e->shown = (moment *)calloc(ENSEMBLE_SHOWN + 2, sizeof *e->shown);
    for (size_t i = 0; i < n; i++) e->low[i] = HUGE_VAL, e->high[i] = -HUGE_VAL;
    return e->time && e->value && e->shown;
}

static cli_exit make_sheets(ensemble *e, const output *rows)
{
    const ensemble_plan *p = e->job.s->ensemble;
    cli_exit code = write_sheet(e, outputs_file(&e->job.out, MADE_STATISTICS), rows, make_statistics);
    if (code != EXIT_FINE || !p->histogram) return code;
    return write_sheet(e, outputs_file(&e->job.out, MADE_HISTOGRAM), rows, make_histogram);
}

cli_exit ensemble_summarise(void *ctx, const output *rows, long long records)
{
    ensemble *e = (ensemble *)ctx;
    cli_exit code = many_index(&e->team);
    (void)records;
    e->lost = (unsigned char *)calloc((size_t)e->trajectories, 1);
    if (code == EXIT_FINE && !e->lost) code = many_no_memory();
    for (long long r = 0; code == EXIT_FINE && r < rounds_of(e); r++) code = read_round(e, rows, r, mark_failure);
    e->counted = e->trajectories - e->failed;
    if (code == EXIT_FINE && e->counted > 0) {
        if (make_room(e)) {
            code = make_sheets(e, rows);
        } else {
            cli_error("there is not enough memory for the statistics");
            code = EXIT_OUTPUT;
        }
    }
    e->job.now.not_finite = e->failed;
    for (int i = 0; i < e->job.s->ensemble->watched; i++) e->job.now.not_finite += e->not_finite[i];
    return code;
}

void ensemble_print(const ensemble *e)
{
    const ensemble_plan *p = e->job.s->ensemble;
    printf("%s\n  %lld count, %lld failed", e->job.table.title, e->counted, e->failed);
    if (e->shows == 0) {
        putchar('\n');
        return;
    }
    const distribution *last = e->shown[e->shows - 1].of;
    printf("; %lld times, t = %g to %g s; %.1f s\n", e->times, e->shown[0].time, e->shown[e->shows - 1].time,
           e->job.now.seconds);
    printf("  %-20s %13s %13s", "at the end", "mean", "deviation");
    for (int k = 0; k < ENSEMBLE_PERCENTILES; k++) printf(" %11g %%", p->percentile[k]);
    putchar('\n');
    for (int i = 0; i < p->watched; i++) {
        printf("  %-20.20s %13.6g %13.6g", expression_label(p->watch_text[i]).text, last[i].mean, last[i].deviation);
        for (int k = 0; k < ENSEMBLE_PERCENTILES; k++) printf(" %13.6g", last[i].percentile[k]);
        putchar('\n');
    }
}

cli_exit ensemble_judge(const ensemble *e)
{
    const ensemble_plan *p = e->job.s->ensemble;
    cli_exit code = e->failed > 0 ? EXIT_FAILED : EXIT_FINE;
    for (int i = 0; i < p->watched; i++) {
        if (e->not_finite[i] == 0) continue;
        cli_error("%s: ensemble.watch: '%s': %lld of %lld values are not finite: look for nan and inf", e->job.s->name,
                  expression_label(p->watch_text[i]).text, e->not_finite[i], e->times * e->counted);
        code = EXIT_FAILED;
    }
    return code;
}

void ensemble_free(ensemble *e)
{
    many_end(&e->team);
    free(e->lost);
    free(e->time);
    free(e->value);
    free(e->shown);
}
