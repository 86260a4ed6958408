/* SPDX-License-Identifier: MIT */
/* contender.h: one way to integrate a problem: a method of liestep with a retraction, or a peer; and a run with it.
 *
 * A contender has a knob, the step or the tolerance. A run begins at the start of the problem and is advanced from time
 * to time; with a fixed step, times are whole multiples of it. */
#ifndef LIESTEP_BENCH_CONTENDER_H
#define LIESTEP_BENCH_CONTENDER_H

#include <liestep/adaptive.h>

#include "../peers/peer.h"

/* What is integrated. Everything it points to stays with the caller. */
typedef struct problem {
    lie_system sys; /* without callbacks that are zero everywhere: see problem_init */
    const double *u;
    lie_state start;
    rate_problem rates; /* for peers */
    int has_rates;
} problem;

/* `out` must not be moved afterwards. A potential, gyroscopic term or external force that is exactly zero in states
 * around the start is left out, so that nobody calls it and methods for free bodies take the system. */
void problem_init(problem *out, const lie_system *sys, const double *u, const lie_state *start);

enum { CONTENDER_NAME = 48, CONTENDERS_MAX = 256 };

typedef struct contender {
    char name[CONTENDER_NAME]; /* "gauss2/exp", "gsl_rk8pd" */
    const char *library;       /* "liestep", "plain C", "GSL 2.7.1" */
    const char *doc;
    int order;
    int rival;                /* stands on the other side of the comparison: peers, and methods named rk4... */
    int adaptive;             /* the knob is a tolerance */
    const lie_method *method; /* with this retraction; null: a peer */
    char retraction[16];
    const peer *other;
} contender;

/* RK4 in plain C, ends with a null. */
extern const peer *const peers_plain[];

/* One method with a retraction (null: the quicker one that has the full order); a peer. The status of
 * lie_method_takes, or LIE_ERR_UNKNOWN_NAME for a retraction that the group does not have. */
lie_status contender_of_method(contender *out, const problem *p, const lie_method *m, const char *retraction);
/* The same method with steps whose lengths a tolerance decides (adaptive.h), or LIE_ERR_METHOD. Its name is then
 * "rkmk_dopri5_adaptive/cay". */
lie_status contender_with_control(contender *out, const contender *fixed);
lie_status contender_of_peer(contender *out, const problem *p, const peer *other);

/* How often the system was asked during a run. */
typedef struct counts {
    long long forces;      /* of V, A and f together once per state; right-hand sides for a peer */
    long long derivatives; /* of forces, for Newton's method */
} counts;

/* A run. `count`, if not null, counts, and slows the run down. Null if it cannot begin: *why then. */
typedef struct trial trial;
trial *trial_open(const contender *c, const problem *p, double knob, counts *count, lie_status *why);
lie_status trial_advance(trial *r, double t);     /* LIE_ERR_NO_CONVERGENCE for a peer that gave up */
void trial_state(const trial *r, lie_state *out); /* t, g and m */
double trial_time(const trial *r);
lie_status trial_restart(trial *r); /* begin again */
void trial_close(trial *r);

/* What a method of liestep did: iterations of its solver. Null for a peer. */
const lie_stepper *trial_stepper(const trial *r);

#endif
