/* SPDX-License-Identifier: MIT */
/* peak.h: how many sums and products of doubles a core does where nothing holds it up and none are fused: the measure for
 * code that is compiled without contraction. Internal to the benchmarks. */
#ifndef LIESTEP_BENCH_PEAK_H
#define LIESTEP_BENCH_PEAK_H

/* `count` rounds of PEAK_FLOPS operations in each lane of vectors of 2, 4 or 8 doubles; out has room for 8. */
enum { PEAK_FLOPS = 12 };
void peak_2(double *out, long count);
void peak_4(double *out, long count);
void peak_8(double *out, long count);

#endif
