/* SPDX-License-Identifier: MIT */
/* ensemble_statistics.c: statistics of an ensemble over time. Covariances have the divisor n - 1; a percentile
 * between two values is interpolated linearly (Hyndman & Fan 1996, definition 7). */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "ensemble.h"

enum { NAMED = 10, LINE = 200 };

/* The values of expression i at time k, of all that count. */
static double *values_of(const ensemble *e, long long k, int i)
{
    long long row = k * e->job.s->ensemble->watched + i;
    return e->value + (size_t)row * (size_t)e->job.total;
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

/* Rows into e->value; a trajectory counts if it has all its rows and they are finite. */
static cli_exit gather_values(ensemble *e, const output *rows, long long records)
{
    int columns = e->job.table.columns, count = e->job.s->ensemble->watched;
    double *row = (double *)malloc((size_t)e->times * (size_t)columns * sizeof *row);
    cli_exit code = row ? EXIT_FINE : EXIT_OUTPUT;
    for (long long at = 0; at < records && code == EXIT_FINE;) {
        long long n = records - at < e->times ? records - at : e->times;
        code = output_npy_rows(rows, at, (int)n, row);
        if (code != EXIT_FINE) break;
        long long mine = 0;
        while (mine < n && row[mine * columns] == row[0]) mine++;
        at += mine;
        if (row[AT_ENSEMBLE_STATUS] != LIE_OK || mine < e->times) {
            name_failure(e, row);
            continue;
        }
        for (long long k = 0; k < mine; k++) {
            e->time[k] = row[k * columns + AT_ENSEMBLE_TIME];
            for (int i = 0; i < count; i++) values_of(e, k, i)[e->counted] = row[k * columns + AT_WATCHED + i];
        }
        e->counted++;
    }
    free(row);
    return code;
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

/* Means and covariances first, then the values may be sorted. */
static void reduce_time(ensemble *e, long long k)
{
    int n = e->job.s->ensemble->watched;
    distribution *d = e->distribution + k * n;
    double *C = e->covariance + k * n * n;
    for (int i = 0; i < n; i++) {
        const double *x = values_of(e, k, i);
        d[i].mean = 0.0;
        for (long long j = 0; j < e->counted; j++) d[i].mean += (x[j] - d[i].mean) / (double)(j + 1);
    }
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            const double *x = values_of(e, k, a), *y = values_of(e, k, b);
            double sum = 0.0;
            for (long long j = 0; j < e->counted; j++) sum += (x[j] - d[a].mean) * (y[j] - d[b].mean);
            C[a * n + b] = C[b * n + a] = e->counted > 1 ? sum / (double)(e->counted - 1) : 0.0;
        }
    for (int i = 0; i < n; i++) {
        double *x = values_of(e, k, i);
        d[i].deviation = sqrt(C[i * n + i]);
        qsort(x, (size_t)e->counted, sizeof *x, by_size);
        d[i].least = x[0], d[i].largest = x[e->counted - 1];
        for (int p = 0; p < ENSEMBLE_PERCENTILES; p++)
            d[i].percentile[p] = percentile(x, e->counted, e->job.s->ensemble->percentile[p]);
    }
}

/* A table that is written at once. */
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
    if (s->code == EXIT_FINE) s->code = file_append(s->file, line, (size_t)n);
}

static void put_head(sheet *s, const ensemble *e)
{
    const ensemble_plan *p = e->job.s->ensemble;
    put(s, "# liestep %s: %s\n", lie_version(), e->job.table.title);
    for (int i = 0; i < p->watched; i++) put(s, "# %d: %s\n", i + 1, p->watch_text[i]);
}

static void put_statistics(sheet *s, const ensemble *e)
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
    for (long long k = 0; k < e->times; k++) {
        put(s, "%.17g,%lld", e->time[k], e->counted);
        for (int i = 0; i < n; i++) {
            const distribution *d = &e->distribution[k * n + i];
            put(s, ",%.17g,%.17g,%.17g,%.17g", d->mean, d->deviation, d->least, d->largest);
            for (int q = 0; q < ENSEMBLE_PERCENTILES; q++) put(s, ",%.17g", d->percentile[q]);
        }
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) put(s, ",%.17g", e->covariance[(k * n + a) * n + b]);
        put(s, "\n");
    }
}

/* Bins from the least to the largest value of all times, so that the rows can be compared. */
static void put_histogram_of(sheet *s, const ensemble *e, int i, long long *counts)
{
    int bins = e->job.s->ensemble->bins, n = e->job.s->ensemble->watched;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (long long k = 0; k < e->times; k++) {
        low = fmin(low, e->distribution[k * n + i].least);
        high = fmax(high, e->distribution[k * n + i].largest);
    }
    for (long long k = 0; k < e->times; k++) {
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
}

static void put_histogram(sheet *s, const ensemble *e)
{
    const ensemble_plan *p = e->job.s->ensemble;
    long long *counts = (long long *)calloc((size_t)p->bins, sizeof *counts);
    put_head(s, e);
    put(s, "expression,t,low,high");
    for (int b = 1; b <= p->bins; b++) put(s, ",bin%d", b);
    put(s, "\n");
    for (int i = 0; i < p->watched && counts; i++) put_histogram_of(s, e, i, counts);
    if (!counts) s->code = EXIT_OUTPUT;
    free(counts);
}

static cli_exit write_sheet(const ensemble *e, const char *name, void (*fill)(sheet *s, const ensemble *e))
{
    sheet s = {(file *)malloc(sizeof(file)), EXIT_OUTPUT};
    if (!name) {
        free(s.file);
        return EXIT_FINE;
    }
    if (!s.file) return EXIT_OUTPUT;
    s.code = file_create(s.file, &e->job.in, name);
    if (s.code == EXIT_FINE) fill(&s, e);
    if (s.code == EXIT_FINE) s.code = file_commit(s.file);
    file_close(s.file);
    free(s.file);
    return s.code;
}

cli_exit ensemble_summarise(void *ctx, const output *rows, long long records)
{
    ensemble *e = (ensemble *)ctx;
    size_t times = (size_t)e->times, n = (size_t)e->job.s->ensemble->watched;
    e->time = (double *)calloc(times, sizeof *e->time);
    e->value = (double *)calloc(times * n * (size_t)e->job.total, sizeof *e->value);
    e->distribution = (distribution *)calloc(times * n, sizeof *e->distribution);
    e->covariance = (double *)calloc(times * n * n, sizeof *e->covariance);
    if (!e->time || !e->value || !e->distribution || !e->covariance) {
        cli_error("there is not enough memory for the statistics");
        return EXIT_OUTPUT;
    }
    cli_exit code = gather_values(e, rows, records);
    for (long long k = 0; k < e->times && code == EXIT_FINE && e->counted > 0; k++) reduce_time(e, k);
    if (code != EXIT_FINE || e->counted == 0) return code;
    code = write_sheet(e, e->job.s->ensemble->statistics, put_statistics);
    return code == EXIT_FINE ? write_sheet(e, e->job.s->ensemble->histogram, put_histogram) : code;
}

void ensemble_print(const ensemble *e)
{
    const ensemble_plan *p = e->job.s->ensemble;
    const distribution *last = e->distribution + (e->times - 1) * p->watched;
    printf("%s\n  %lld count, %lld failed; %lld times, t = %g to %g s; %.1f s\n", e->job.table.title, e->counted,
           e->failed, e->times, e->time[0], e->time[e->times - 1], e->job.now.seconds);
    if (e->counted == 0) return;
    printf("  %-20s %13s %13s", "at the end", "mean", "deviation");
    for (int k = 0; k < ENSEMBLE_PERCENTILES; k++) printf(" %11g %%", p->percentile[k]);
    putchar('\n');
    for (int i = 0; i < p->watched; i++) {
        printf("  %-20.20s %13.6g %13.6g", p->watch_text[i], last[i].mean, last[i].deviation);
        for (int k = 0; k < ENSEMBLE_PERCENTILES; k++) printf(" %13.6g", last[i].percentile[k]);
        putchar('\n');
    }
    if (p->statistics) printf("  wrote    %s/%s\n", e->job.in.path, p->statistics);
    if (p->histogram) printf("  wrote    %s/%s\n", e->job.in.path, p->histogram);
}

void ensemble_free(ensemble *e)
{
    free(e->time);
    free(e->value);
    free(e->distribution);
    free(e->covariance);
}
