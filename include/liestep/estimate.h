/* SPDX-License-Identifier: MIT */
/* estimate.h: how accurate a run was, and whether a step can mean anything.
 *
 *     lie_estimate e;
 *     size_t bytes = lie_estimate_memsize(&sys, &opt);
 *     lie_estimate_error(&e, &sys, &opt, &start, h, n, &end, work, bytes);    end: the state after n steps of h
 *
 * The run is repeated with steps of h/2 and, where n is even, of 2 h. With d1 the difference of the two finer ends and
 * d2 that of the two coarser ones, the order seen is q = log2(d2 / d1), and Richardson's estimate of the error is
 *     error = d1 2^q / (2^q - 1),    q at most the order p of the method.
 * It costs two and a half times the run. How good it is, over nine ready systems and eight methods
 * (tests/drivers/test_estimate.c): where q is about p, all of 210 estimates are 0.9 to 1.4 times the true error. Where
 * it is not, 20 of 21 are within a factor of three. Where q is below 1 the steps are too long or the motion is chaotic,
 * and no more is known than that the error is large. Where the runs agree to round-off, the error is that of round-off,
 * which `rounding` bounds roughly.
 *
 * Reference: Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 1993, section II.4. */
#ifndef LIESTEP_ESTIMATE_H
#define LIESTEP_ESTIMATE_H

#include <liestep/stepper.h>

LIE_BEGIN_DECLS

/* How far a is from b: place, tau^-1(g_b^-1 g_a) with tau = exp where the group has it, in the units of the algebra,
 * and velocity, xi_a - xi_b; dim numbers each. Unit quaternions q and -q are the same attitude.
 * Status: LIE_ERR_INCOMPLETE (the group has no tauinv), that of tauinv or of lie_system_velocity. */
LIE_API lie_status lie_state_difference(const lie_system *sys, double *place, double *velocity, const lie_state *a,
                                        const lie_state *b);

/* What the estimate rests on. */
typedef enum lie_trust {
    LIE_TRUST_ORDER,     /* errors fall as the order of the method says */
    LIE_TRUST_ROUNDING,  /* the runs agree to round-off */
    LIE_TRUST_SLOW,      /* errors fall, but not as the order says: within a factor of three in all likelihood */
    LIE_TRUST_NONE,      /* errors do not fall with the step: too long a step, or chaotic motion */
    LIE_TRUST_UNCHECKED, /* there was no run with 2 h to compare with: n is odd, or it failed */
} lie_trust;

typedef struct lie_estimate {
    double place[LIE_DIM_MAX];    /* error of g at the end, as in lie_state_difference */
    double velocity[LIE_DIM_MAX]; /* of the body velocity */
    double rounding;              /* of the place, roughly: 2^-49 of its numbers, times the path in radians */
    double order;                 /* q; 0 where it is not known */
    lie_trust trust;
} lie_estimate;

/* Work memory in bytes; 0 where a stepper with these options cannot be made. */
LIE_API size_t lie_estimate_memsize(const lie_system *sys, const lie_options *opt);

/* The error of `end`, the state after n steps of h from `start`; `end` null: computed here. `opt` as for the run; the
 * control of the run is u_minus and u_plus, constant (null for none). `work` is aligned for double.
 * Status: LIE_ERR_SIZE (n below 1), LIE_ERR_MEMORY, that of lie_stepper_init, lie_run or lie_state_difference. */
LIE_API lie_status lie_estimate_error(lie_estimate *out, const lie_system *sys, const lie_options *opt,
                                      const lie_state *start, double h, long long n, const lie_state *end,
                                      const double *u, void *work, size_t bytes);

/* The same from runs that the caller has made with st: `end` after n steps of h, `fine` after 2 n of h/2, `coarse`
 * after n/2 of 2 h, null if there is none. Status: that of lie_state_difference. */
LIE_API lie_status lie_estimate_from(lie_estimate *out, const lie_stepper *st, double h, long long n,
                                     const lie_state *end, const lie_state *fine, const lie_state *coarse);

/* What a step of length h means for the motion at s. rho is the spectral radius.
 *   turn    |h| rho(ad_xi): for a body |omega| |h|, the angle of the step in rad
 *   rate    of the fastest motion, 1/s: the largest of rho(ad_xi), sqrt rho(I^-1 dF/dg), the small oscillations (or the
 *           growth) that the potential makes, and rho of dm'/dm: precession, and drag
 *   steps   2 pi / (rate |h|): how many steps the period of that motion has; infinite where nothing moves */
enum { LIE_DOUBT_TURN = 1, LIE_DOUBT_COARSE = 2, LIE_DOUBT_LOST = 4 };
typedef struct lie_step_report {
    double turn, rate, steps;
    /* LIE_DOUBT_TURN: turn is above pi. LIE_DOUBT_COARSE: steps is below LIE_STEPS_FEW. LIE_DOUBT_LOST: the numbers are
     * not finite, or t + h is t. */
    int doubts;
} lie_step_report;
#define LIE_STEPS_FEW 6.0

/* A step of such a length is taken all the same, and its status is LIE_OK where its equations are solved: whether it
 * means anything is for the caller to ask. u: control, or null for 0. Status: that of lie_system_velocity. */
LIE_API lie_status lie_step_advice(lie_step_report *out, const lie_system *sys, const lie_state *s, const double *u,
                                   double h);

LIE_END_DECLS

#endif
