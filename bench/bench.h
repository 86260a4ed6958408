/* SPDX-License-Identifier: MIT */
/* bench.h: fair timing of several ways to compute one thing.
 *
 * Contenders are run in turn in many short rounds, so that a change of clock speed or a busy neighbour meets all of
 * them alike. A figure is the median over the rounds; a ratio is the median over the rounds of the ratio WITHIN a
 * round, which is steadier than the ratio of two medians. The harness knows nothing of what it times: a contender is a
 * function that does `passes` passes of `items` items each. */
#ifndef LIESTEP_BENCH_H
#define LIESTEP_BENCH_H

#include <stdint.h>

#define BENCH_ROUNDS_MIN 5
#define BENCH_ROUNDS_MAX 256

/* One contender: run(ctx, passes) does passes * items items of work. */
typedef struct bench_contender {
    const char *name;
    void (*run)(void *ctx, long passes);
    void *ctx;
    long items;
} bench_contender;

/* What a round measures: time of the wall clock, or of the processor in this thread, which leaves out the time that
 * other programs took (and must not be used for contenders that start threads). */
typedef enum bench_clock { BENCH_WALL, BENCH_CPU } bench_clock;

/* rounds: 1 .. BENCH_ROUNDS_MAX; round_ns: how long one contender's turn should last; limit_ns: on a busy machine, no
 * more rounds after this much wall time, but at least BENCH_ROUNDS_MIN of them. */
typedef struct bench_plan {
    bench_clock clock;
    int rounds;
    double round_ns;
    double limit_ns;
} bench_plan;

/* Per item: median and quartiles in ns; ratio = median over rounds of (this contender / contender 0). */
typedef struct bench_result {
    double ns;
    double lower;
    double upper;
    double ratio;
} bench_result;

/* Time contenders c[0 .. n-1] in turn; contender 0 is the reference of the ratios.
 * Returns 0, or -1 if n or plan->rounds is out of range or there is no memory. */
int bench_compare(const bench_contender *c, int n, const bench_plan *plan, bench_result *result);

/* Time in ns since some fixed moment. */
double bench_now_ns(bench_clock clock);

/* The q-quantile (0 <= q <= 1) of x[0 .. n-1], linear between ranks; sorts x. n >= 1. */
double bench_quantile(double *x, int n, double q);

/* Reproducible random numbers (splitmix64, Steele, Lea & Flood 2014): the state is one word, any value. */
uint64_t bench_random_bits(uint64_t *state);
double bench_random_uniform(uint64_t *state, double low, double high);

#endif
