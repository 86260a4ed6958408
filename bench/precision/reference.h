/* SPDX-License-Identifier: MIT */
/* reference.h: the true motion, computed apart from everything that is measured: other equations (written again from
 * the parameters of the system, not its callbacks), other arithmetic (long double), another method (extrapolation).
 *
 * Method: Gragg's explicit midpoint rule with 2, 4, ..., 16 steps in a big step H, extrapolated in (H/n)^2 to order 16
 * (Gragg 1965; Bulirsch & Stoer 1966; Hairer, Norsett & Wanner, Solving ODEs I, II.9). H is halved until two runs, H
 * and H/2, agree at the end or halving does not help any more; the difference is reported, and the run with H/2 is the
 * reference. */
#ifndef LIESTEP_BENCH_REFERENCE_H
#define LIESTEP_BENCH_REFERENCE_H

#include <liestep/stepper.h>

enum { REFERENCE_SIZE = 13, REFERENCE_TIMES_MAX = 8 };

/* (q, m), (q, x, m) or (x, m), as in rates.h; q of any length. low: what the sums have lost so far. */
typedef struct reference_state {
    long double y[REFERENCE_SIZE], low[REFERENCE_SIZE];
} reference_state;

typedef struct reference_model {
    const lie_system *sys;
    const double *u;
    int length, dim;
    int position;                                           /* where in y the position begins; -1: none */
    int attitude;                                           /* y begins with a quaternion */
    long double inertia[36], inverse[36];                   /* I, I^-1 */
    long double well_s, well_l[3], well_c, spin, wheels[3]; /* attitude systems: see reference_rates.c */
    void (*rate)(const struct reference_model *r, long double *dy, const long double *y);
} reference_model;

/* The equations of a built-in system (by sys->name). -1: there are none for it. */
int reference_model_init(reference_model *r, const lie_system *sys, const double *u);

/* From a state of a run, with the quaternion brought to length 1; and to the nearest doubles. */
void reference_start(const reference_model *r, reference_state *out, const lie_state *s);
void reference_round(const reference_model *r, lie_state *out, const reference_state *s);

/* Over `time` by `pieces` big steps. */
void reference_advance(const reference_model *r, reference_state *s, long double time, long pieces);

/* What was found out about the true motion. */
typedef struct reference {
    reference_model model;
    int times;
    double t[REFERENCE_TIMES_MAX];           /* increasing, after the start */
    reference_state at[REFERENCE_TIMES_MAX]; /* the state then */
    double H;                                /* big step of the reference; the run it is checked by had 2 H */
    double check[REFERENCE_TIMES_MAX];  /* difference of the two runs: angle in rad, or relative where there is none */
    double growth[REFERENCE_TIMES_MAX]; /* how much a small error of the start has grown by then, at the most */
    int pointwise[REFERENCE_TIMES_MAX]; /* the state then is known, and a small error has not grown like e^t */
    double exponent;                    /* growth ~ t^exponent over the second half of the trial */
    int conserves_energy;
    int conserves_momentum[6]; /* components of the spatial momentum */
} reference;

/* Times: increasing, 1 to REFERENCE_TIMES_MAX. -1: there are no equations for the system. */
int reference_make(reference *r, const lie_system *sys, const double *u, const lie_state *start, int times,
                   const double *t);

/* Difference of two states as an error of the attitude (angle of a^-1 b, rad), of the position (norm), and of the
 * momentum (norm, relative to that of a). What there is not is 0. */
typedef struct reference_distance {
    double attitude, position, momentum;
} reference_distance;
reference_distance reference_compare(const reference_model *r, const reference_state *a, const reference_state *b);

#endif
