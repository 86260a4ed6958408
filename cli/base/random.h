/* SPDX-License-Identifier: MIT */
/* random.h: random numbers that are the same for the same seed and index, whoever asks and in whatever order. */
#ifndef LIESTEP_CLI_RANDOM_H
#define LIESTEP_CLI_RANDOM_H

/* The state of a sequence: the index-th with this seed. */
typedef struct random_numbers {
    unsigned long long counter;
} random_numbers;
random_numbers random_begin(unsigned long long seed, unsigned long long index);

/* In [0, 1); and of the normal distribution (Box & Muller 1958). */
double random_uniform(random_numbers *r);
double random_normal(random_numbers *r);

/* A unit quaternion, all rotations alike. */
void random_quaternion(random_numbers *r, double q[4]);

#endif
