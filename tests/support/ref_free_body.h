/* SPDX-License-Identifier: MIT */
/* ref_free_body.h: the free rigid body in MPFR, to measure lib/methods/free_body/free_flow.c against.
 *
 *     q' = q (0, w)/2,   m' = m x w,   I w = m
 *
 * by the Taylor series of the differential equations: nothing is known here of elliptic functions, but for very long
 * times, where the period is taken from the arithmetic-geometric mean and the turn of one period, again by Taylor
 * series, is raised to a power. Numbers live in the pool of ref_mpfr.h. */
#ifndef LIESTEP_TESTS_REF_FREE_BODY_H
#define LIESTEP_TESTS_REF_FREE_BODY_H

#include "tests/support/ref_mpfr.h"

#define REF_FREE_PREC 190 /* bits; the series leave 1e-24 or less per step */

/* All numbers of a motion: where it starts and how long it lasts. */
typedef struct ref_motion {
    mpfr_ptr inertia; /* 9, symmetric */
    mpfr_ptr m;       /* 3 */
    mpfr_ptr h;       /* 1 */
} ref_motion;

ref_motion ref_motion_of(const double inertia[9], const double m[3], double h);

/* out: q(h) from q(0) = 1, and m(h): seven numbers. Time goes with the angle. */
void ref_free_flow(mpfr_ptr out, const ref_motion *c);

/* The same for a diagonal inertia with different moments, off the separatrix, any h. */
void ref_free_flow_long(mpfr_ptr out, const ref_motion *c);

/* How much the relative errors of the data weigh: sum over m, h and the inertia of |change of q| and of |change of
 * m|/|m| per relative change, plus one. */
double ref_free_condition(const ref_motion *c);

/* |a - b| for a of doubles, from n numbers */
double ref_distance(int n, const double *a, mpfr_srcptr b);

#endif
