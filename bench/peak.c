/* SPDX-License-Identifier: MIT */
/* peak.c: see peak.h. Six chains of sums and six of products that do not depend on each other; compiled once for every
 * width, PEAK_LANES, with the instruction set of the library's kernel of that width. */
#include "peak.h"

#include <string.h>

typedef double vector __attribute__((vector_size(8 * PEAK_LANES)));

#define JOINED(a, b) a##b
#define NAMED(lanes) JOINED(peak_, lanes)

void NAMED(PEAK_LANES)(double *out, long count)
{
    const vector zero = {0.0}, step = zero + 0x1p-40, factor = zero + (1.0 + 0x1p-50);
    vector s0 = zero, s1 = step, s2 = s1 + step, s3 = s2 + step, s4 = s3 + step, s5 = s4 + step;
    vector p0 = zero + 1.0, p1 = p0 + step, p2 = p1 + step, p3 = p2 + step, p4 = p3 + step, p5 = p4 + step;
    for (long i = 0; i < count; i++) {
        s0 += step, p0 *= factor, s1 += step, p1 *= factor;
        s2 += step, p2 *= factor, s3 += step, p3 *= factor;
        s4 += step, p4 *= factor, s5 += step, p5 *= factor;
    }
    vector all = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (p0 + p1)) + ((p2 + p3) + (p4 + p5));
    memcpy(out, &all, sizeof all);
}
