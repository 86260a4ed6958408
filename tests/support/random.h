/* SPDX-License-Identifier: MIT */
/* random.h: the tests' own random numbers (splitmix64; Steele, Lea & Flood 2014), the same on every machine. */
#ifndef LIESTEP_TESTS_RANDOM_H
#define LIESTEP_TESTS_RANDOM_H

#include <stdint.h>

typedef struct lie_random {
    uint64_t state;
} lie_random;

static inline uint64_t random_bits(lie_random *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* uniform in [-size, size) */
static inline double random_double(lie_random *r, double size)
{
    return size * ((double)(random_bits(r) >> 11) * 0x1p-52 - 1.0);
}

static inline void random_vector(lie_random *r, int n, double *out, double size)
{
    for (int i = 0; i < n; i++) out[i] = random_double(r, size);
}

#endif
