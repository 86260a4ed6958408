/* SPDX-License-Identifier: MIT */
/* random.c: see random.h. splitmix64 (Steele, Lea & Flood, OOPSLA 2014), a counter that is mixed well. */
#include "cli/base/random.h"

#include <math.h>

static unsigned long long mixed(unsigned long long z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

random_numbers random_begin(unsigned long long seed, unsigned long long index)
{
    return (random_numbers){mixed(mixed(seed) + index)};
}

double random_uniform(random_numbers *r)
{
    return (double)(mixed(r->counter += 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

double random_normal(random_numbers *r)
{
    double u = 1.0 - random_uniform(r), v = random_uniform(r);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586477 * v);
}

void random_quaternion(random_numbers *r, double q[4])
{
    double size = 0.0;
    while (!(size > 1e-3)) {
        size = 0.0;
        for (int i = 0; i < 4; i++) {
            q[i] = random_normal(r);
            size += q[i] * q[i];
        }
        size = sqrt(size);
    }
    for (int i = 0; i < 4; i++) q[i] /= size;
}
