/* SPDX-License-Identifier: MIT */
/* bench.c: interleaved rounds, medians and a clock; see bench.h.
 *
 * Method: one untimed pass warms caches and branch predictors; one timed pass per contender sets how many passes fill a
 * round; then the rounds, each starting with another contender so that no place in the row is favoured. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <stdlib.h>
#include <time.h>

double bench_now_ns(bench_clock clock)
{
    struct timespec t;
    clock_gettime(clock == BENCH_CPU ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(double *x, int n, double q)
{
    qsort(x, (size_t)n, sizeof *x, compare_doubles);
    double rank = q * (double)(n - 1);
    int below = (int)rank;
    int above = below + 1 < n ? below + 1 : below;
    return x[below] + (rank - (double)below) * (x[above] - x[below]);
}

uint64_t bench_random_bits(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double bench_random_uniform(uint64_t *state, double low, double high)
{
    double unit = (double)(bench_random_bits(state) >> 11) * 0x1p-53;
    return low + (high - low) * unit;
}

static double time_passes(const bench_contender *c, long passes, bench_clock clock)
{
    double start = bench_now_ns(clock);
    c->run(c->ctx, passes);
    return bench_now_ns(clock) - start;
}

/* Passes that fill about round_ns, from the faster of two single passes. */
static long calibrate(const bench_contender *c, const bench_plan *plan)
{
    c->run(c->ctx, 1);
    double first = time_passes(c, 1, plan->clock), second = time_passes(c, 1, plan->clock);
    double one = first < second ? first : second;
    double passes = one > 0.0 ? plan->round_ns / one : 1.0;
    return passes < 1.0 ? 1 : passes > 1e9 ? 1000000000L : (long)passes;
}

static bench_result summarise(const double *ns, const double *reference, int rounds)
{
    double work[BENCH_ROUNDS_MAX];
    bench_result r;
    for (int k = 0; k < rounds; k++) {
        work[k] = ns[k] / reference[k];
    }
    r.ratio = bench_quantile(work, rounds, 0.5);
    for (int k = 0; k < rounds; k++) {
        work[k] = ns[k];
    }
    r.ns = bench_quantile(work, rounds, 0.5);
    r.lower = bench_quantile(work, rounds, 0.25);
    r.upper = bench_quantile(work, rounds, 0.75);
    return r;
}

static void play_rounds(const bench_contender *c, int n, const bench_plan *plan, long *passes, double *ns,
                        bench_result *result)
{
    for (int i = 0; i < n; i++) {
        passes[i] = calibrate(&c[i], plan);
    }
    double end = bench_now_ns(BENCH_WALL) + plan->limit_ns;
    int done = 0;
    while (done < plan->rounds && (done < BENCH_ROUNDS_MIN || bench_now_ns(BENCH_WALL) < end)) {
        for (int turn = 0; turn < n; turn++) {
            int i = (turn + done) % n;
            double spent = time_passes(&c[i], passes[i], plan->clock);
            ns[i * plan->rounds + done] = spent / ((double)passes[i] * (double)c[i].items);
        }
        done++;
    }
    for (int i = 0; i < n; i++) {
        result[i] = summarise(ns + (size_t)i * (size_t)plan->rounds, ns, done);
    }
}

int bench_compare(const bench_contender *c, int n, const bench_plan *plan, bench_result *result)
{
    if (n < 1 || plan->rounds < 1 || plan->rounds > BENCH_ROUNDS_MAX) {
        return -1;
    }
    double *ns = (double *)calloc((size_t)n * (size_t)plan->rounds, sizeof *ns);
    long *passes = (long *)calloc((size_t)n, sizeof *passes);
    int answer = ns && passes ? 0 : -1;
    if (answer == 0) {
        play_rounds(c, n, plan, passes, ns, result);
    }
    free(ns);
    free(passes);
    return answer;
}
