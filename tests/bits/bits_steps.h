/* SPDX-License-Identifier: MIT */
/* bits_steps.h: a hash of steps: every method on every subject, a system on a group with a retraction. Equal hashes
 * mean equal bits of every state, of what the steppers have learnt, of crossings, tangents and sums over ensembles.
 *
 * The two programs that use it are tests/bits/bits_hash.c, for every compiler and level (tools/bits.sh), and
 * tests/bits/test_bits.c. */
#ifndef LIESTEP_TESTS_BITS_STEPS_H
#define LIESTEP_TESTS_BITS_STEPS_H

#include <liestep/core.h>

#include <stdint.h>

enum { SUBJECT_TEXT = 48, SUBJECT_INPUTS = 6 };

typedef struct bits_subject {
    char name[SUBJECT_TEXT]; /* "heavy top S3/cay" */
    lie_system sys;
    lie_state start;
    int is_case;  /* not a ready system: one without symmetry of stepper_cases.h, made by callbacks */
    int has_crew; /* to be tried in ensembles, too: ready systems, and those with a force that lanes call for */
    double h;
    double u_minus[SUBJECT_INPUTS], u_plus[SUBJECT_INPUTS]; /* its controls, if it has any */
} bits_subject;

/* All ready systems of systems.h on every group and retraction that they take, then the systems of stepper_cases.h on
 * all groups. Null: there is none, or the systems could not be made. */
const bits_subject *bits_subject_at(int i);

/* Where a combination is looked at, one after the other; 0 beyond the last. Methods that need a tableau go through all
 * that they take, a different one for every subject. */
typedef struct bits_pair {
    const bits_subject *subject;
    const lie_method *method;
    const lie_tableau *tableau;
    char name[SUBJECT_TEXT + 64];
} bits_pair;
int bits_pair_next(bits_pair *out, int *subject, int *method);

/* How many steps the pair takes of the n that are wanted: all on ready systems, a tenth of them, ten at least, on the
 * others, whose callbacks are dear. */
long long bits_pair_steps(const bits_pair *p, long long n);

/* The hash of n steps of a pair: a run in one piece, the same run through a section and a restart from saved memory,
 * tangents of some steps, and steps of chosen length. `complaint` is what was not as promised, or null. */
uint64_t bits_hash_pair(const bits_pair *p, long long n, const char **complaint);

/* The hash of an ensemble of n steps of a pair: states and moments of trajectories dispersed about its start. Lanes of
 * every width that the processor has, and two threads, must give the bits of one trajectory after the other. *lanes:
 * the widest that was tried. */
uint64_t bits_hash_crew(const bits_pair *p, long long n, int *lanes, const char **complaint);

#endif
