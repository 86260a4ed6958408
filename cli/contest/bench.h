/* SPDX-License-Identifier: MIT */
/* bench.h: what the parts of `liestep bench` share: a contest (bench/precision) and what is made of it. */
#ifndef LIESTEP_CLI_BENCH_H
#define LIESTEP_CLI_BENCH_H

#include "bench/precision/contest.h"
#include "cli/base/file.h"
#include "cli/scenario/scenario.h"

typedef struct bench_report {
    const scenario *from;
    const contest *contest;
    const drift *drift;    /* one per curve; null: no long run */
    long long drift_steps; /* wanted */
    int points;            /* show every point */
    char cpu[128];         /* model of the processor */
    const char *peers;     /* what is missing, or null */
} bench_report;

/* Tables on the terminal; CSV of all points, and of the long runs; everything as JSON. */
void bench_show(const bench_report *r);
void bench_csv(FILE *out, const bench_report *r);
void bench_drift_csv(FILE *out, const bench_report *r);
void bench_json(FILE *out, const bench_report *r);

/* PREFIX-precision.csv, PREFIX-drift.csv, PREFIX.json, and pictures PREFIX-precision and PREFIX-drift as SVG and PNG;
 * PREFIX may begin with a directory that exists. */
cli_exit bench_files(const bench_report *r, const char *prefix);
/* The pictures, as far as gnuplot can. */
cli_exit bench_plots(const bench_report *r, const folder *d, const char *prefix);

/* The curves worth drawing: up to `most` of one side, best first: the cheapest at some error and time. */
int bench_choose(const contest *c, int rival, int most, int *list);

/* The curves of a contest, as --methods names them ("sv,gauss2/exp,rk4", "all"; null: all): of the library, of the plain
 * peers, and of those that were loaded (a list that ends with a null, or null). */
cli_exit bench_contenders(contest *c, const char *methods, const peer *const *peers);

/* The peers of the module liestep-peers: from this file, or (null) from beside the program in its build directory.
 * A list that ends with a null. If there is none: null, and *why says so; a file that was named and does not do is an
 * error (EXIT_USAGE). */
cli_exit bench_peers_load(const char *path, const peer *const **list, const char **why);

#endif
