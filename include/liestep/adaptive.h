/* SPDX-License-Identifier: MIT */
/* adaptive.h: steps whose length a tolerance decides, for the embedded pairs (rkmk_dopri5, rkmk_dopri8, or rkmk with an
 * explicit tableau that has embedded weights), and the state at any time inside the last step.
 *
 *     lie_adaptive a;
 *     lie_stepper_init(&st, &sys, &(lie_options){.method = "rkmk_dopri5"}, work, sizeof work);
 *     lie_adaptive_init(&a, &st, &(lie_tolerance){.absolute = 1e-9, .relative = 1e-9});
 *     lie_adaptive_run(&a, &s, t_end);
 *
 * With the weights b and e of the pair and K_i the rates at the stages in the chart at g, the local error is estimated
 * by
 *     E = h sum_i (b_i - e_i) K_i = (E_g, E_m),   E_g in the algebra, E_m in its dual, and
 *     error = max(|E_g| / (absolute + relative |g|), |E_m| / (absolute_momentum + relative |m|))
 * in maximum norms, |g| of the numbers of the element: 1 or less for rotations. A step is taken if error <= 1. The next
 * length is that of a PI controller, h 0.9 error^(-0.7/k) before^(0.4/k), k - 1 the order of the estimate, between 1/5
 * and 5 times h, and no longer after a rejection. Steps are those of lie_step: the same bits with the same lengths.
 *
 * Nothing here is symplectic: a variational method loses what it keeps when its step follows the state.
 *
 * References: Dormand & Prince 1980; Gustafsson, Control theoretic techniques for stepsize selection in explicit Runge-
 * Kutta methods, ACM TOMS 17 (1991) 533, doi 10.1145/210232.210242; Hairer & Wanner, Solving Ordinary Differential
 * Equations II, 1996, section IV.2; Hairer, Norsett & Wanner, I, 1993, sections II.4 and II.6. */
#ifndef LIESTEP_ADAPTIVE_H
#define LIESTEP_ADAPTIVE_H

#include <liestep/stepper.h>

LIE_BEGIN_DECLS

/* What is wanted. Zero: the default. */
typedef struct lie_tolerance {
    double absolute;          /* of the element, in the units of the algebra */
    double relative;          /* of the element and of the momentum; one of the two must be positive */
    double absolute_momentum; /* default: absolute */
    double h_first;           /* length of the first step; default: estimated */
    double h_min, h_max; /* lengths, whatever the direction; default: none. The last step of a run may be shorter. */
    long long max_steps; /* of one run, rejected ones too; default 10^6 */
} lie_tolerance;

/* A run with step control; lies wholly in its work memory. */
typedef struct lie_adaptive lie_adaptive;

typedef struct lie_adaptive_numbers {
    double h;                     /* length of the next step, 0: not known yet */
    double before;                /* error of the last step, not below 1e-4 */
    double error;                 /* of the last step that was tried */
    long long accepted, rejected; /* steps since init */
    double taken;                 /* length of the last step with its sign; 0: there is none */
    double to;                    /* the time when it ended */
} lie_adaptive_numbers;

/* Bytes of work memory. */
LIE_API size_t lie_adaptive_memsize(const lie_stepper *st);

/* *a is a run in `work` (aligned for double), which stays with the caller. `st` must outlive the run; steps taken with
 * it by others end what lie_adaptive_state knows of the last step. Status: LIE_ERR_METHOD (no explicit embedded pair),
 * LIE_ERR_TOLERANCE, LIE_ERR_STEP_SIZE (a length that is negative or not finite, h_min above h_max), LIE_ERR_MEMORY. */
LIE_API lie_status lie_adaptive_init(lie_adaptive **a, lie_stepper *st, const lie_tolerance *tolerance, void *work,
                                     size_t bytes);

LIE_API const lie_adaptive_numbers *lie_adaptive_now(const lie_adaptive *a);

/* What a checkpoint must keep for the same bits: the length of the next step and the error before it. The state, and
 * the memory of the stepper, are the caller's to keep. Status: LIE_ERR_STEP_SIZE (h), LIE_ERR_TOLERANCE (before). */
LIE_API lie_status lie_adaptive_go_on(lie_adaptive *a, double h, double before);

/* One step towards t_end, forwards or backwards in time, and not beyond it; none where s is there already. On failure s
 * is as it was. Status: LIE_ERR_NOT_FINITE; LIE_ERR_STEP_UNDERFLOW, or the status of the step where even the shortest
 * one failed: the tolerance cannot be met. */
LIE_API lie_status lie_adaptive_step(lie_adaptive *a, lie_state *s, double t_end);

/* Steps up to t_end, which is hit to the bit. On failure s is where the last good step ended.
 * Status: that of lie_adaptive_step; LIE_ERR_TOO_MANY_STEPS. */
LIE_API lie_status lie_adaptive_run(lie_adaptive *a, lie_state *s, double t_end);

/* *out = the state at a time within the last step: theta(x) and m(x) by the interpolant of the pair in the chart where
 * the step began, of its dense_order, or without one by a step of the pair to there, of its order. Status:
 * LIE_ERR_DOMAIN (no step, or t outside it); LIE_ERR_SIZE (no room for the body); that of the retraction. */
#define lie_adaptive_state(a, out, t) lie_adaptive_state_in(a, LIE_STATE_IN(out), t)
LIE_API lie_status lie_adaptive_state_in(lie_adaptive *a, lie_state *out, int room_g, int room_m, double t);

/* lie_adaptive_run; the observer sees the states at `count` times from s->t to t_end in the direction of the run. Steps
 * do not depend on the times. A non-zero answer ends the run with LIE_STOPPED, s at the end of that step.
 * Status: also LIE_ERR_DOMAIN (times not in order or not within the run: nothing is done), LIE_ERR_SIZE. */
LIE_API lie_status lie_adaptive_run_observed(lie_adaptive *a, lie_state *s, double t_end, const double *times,
                                             int count, lie_observer *observer, void *ctx);

LIE_END_DECLS

#endif
