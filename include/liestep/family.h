/* SPDX-License-Identifier: MIT */
/* family.h: how a family of methods is carried out, and how to add one of your own.
 *
 *     static lie_status substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
 *     {
 *         ... kick (lie_place_kick), solve, move (lie_place_move) ...
 *     }
 *     static const lie_family family = {.substep = substep};
 *     static const lie_method mine = {.name = "mine", .family = &family, .order = 2, .order_exp = 2};
 *     lie_stepper_init(&st, &sys, &(lie_options){.own = &mine}, work, bytes);
 *
 * A family is data and functions; a method is a family with a tableau or a composition and with what it claims. Such a
 * method goes wherever a name goes: runs, sections, tangents (by differences), estimates, ensembles (one trajectory at
 * a time), restarts. Composed methods come for free: a method with .composition = "suzuki4" has the substep called five
 * times a step. The substep sees to nothing but the motion: the loop over steps keeps time, statistics and rounding,
 * brings g back to the group from time to time, and undoes a step that fails.
 *
 * What a stepper must remember from step to step so that a restart gives the same bits (first guesses, a history) goes
 * to its memory, lie_stepper_memory: the library stores, restores and clears it, and puts it back where a step is
 * undone. Everything else, prepared constants and scratch, goes to its work, lie_stepper_work.
 * examples/own_method.c. */
#ifndef LIESTEP_FAMILY_H
#define LIESTEP_FAMILY_H

#include <liestep/stepper.h>

LIE_BEGIN_DECLS

/* Where a step stands. g, m: as in lie_state, with what their rounding has lost. from, to: the part of the step that
 * the substep covers, in units of the step: 0 and 1 without composition; t: the time at its start. */
typedef struct lie_place {
    double t;
    double from, to;
    double *g, *low_g, *m, *low_m;
} lie_place;

/* One substep of length h from `at`, in place. G is the group of the stepper with its retraction. info: add the
 * iterations, raise the residual; cap: the most iterations of one solve. h may be negative. On failure anything may be
 * left at `at` and in the memory: the step is undone. Status: any but LIE_OK ends the run with it. */
typedef lie_status lie_substep_fn(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info);

/* The most doubles of memory that a family may have. */
enum { LIE_MEMORY_MAX = 2 + 6 * LIE_DIM_MAX + LIE_SIZE_MAX };

typedef struct lie_family lie_family;
struct lie_discrete_values;
struct lie_family {
    lie_substep_fn *substep; /* required */

    /* What follows may stay null. instead: the family that takes the steps where this one is not for the system or the
     * group of the stepper, or this one. Asked first; of the stepper it reads system, group, options, method and
     * coefficients. */
    const lie_family *(*instead)(const lie_stepper *st);
    /* More that it asks of them than lie_method says, and what was refused (the report may be null). Status: that of
     * lie_stepper_init; the answer of lie_stepper_explain. */
    lie_status (*check)(lie_report *r, const lie_stepper *st);
    /* doubles: of work; negative: more than there can be. memory: doubles of
     * memory, 0 .. LIE_MEMORY_MAX. Both depend on system, group, options, method and coefficients of the
     * stepper alone, which has no work yet. */
    int (*doubles)(const lie_stepper *st);
    int (*memory)(const lie_stepper *st);
    /* Once, at init: fills the work, which is zero as the memory is. Status: that of lie_stepper_init. */
    lie_status (*prepare)(lie_stepper *st);
    /* A run of steps of length h begins at s, and has ended there. The parameters of the system may have changed since
     * the last run, and s may be elsewhere than where that ended: what the memory has of it is to be looked at. Status
     * of begin: any but LIE_OK ends the run with it. */
    lie_status (*begin)(lie_stepper *st, const lie_state *s, double h);
    void (*end)(lie_stepper *st, const lie_state *s);
    /* Forget what belongs to the bits of g: they have changed. Called after a projection, after a step that was undone,
     * and when the memory was set. */
    void (*moved)(lie_stepper *st);
    /* The next run begins once more where the last one did, at s, with another h: the memory is a guess. Null: it is
     * cleared. */
    void (*again)(lie_stepper *st, const lie_state *s);
    /* The derivative of the substep that has just led from `from` to `to`: T (2 n x 2 n, row-major) in left-trivialised
     * variations (eta, dm), with work of tangent_doubles. Null, both: differences (tangent.h). */
    lie_status (*tangent)(lie_stepper *st, const lie_place *from, const lie_place *to, double h, double *T,
                          double *work);
    int (*tangent_doubles)(const lie_stepper *st);
    /* The discrete Lagrangian between two configurations (discrete.h): all of *out, in which solve.cap is set. On
     * failure anything may be left there. Null: not offered. */
    lie_status (*values)(lie_stepper *st, struct lie_discrete_values *out, double t, const double *g0, const double *g1,
                         double h);
    int takes_terms;  /* lie_options.terms means something, with exp */
    int takes_anchor; /* lie_options.anchor means something */
    int inverse;      /* wants lie_stepper_inverse */
    /* Steps the body at rest: with a method that takes_frames, where the system has a frame, the stepper turns it by
     * half a step before and after each step of the method, which sees the body without gyroscopic term, with the
     * potential V + 1/2 <A, I^-1 A>. A method that needs_free sees no potential: its kicks are then half steps, too. */
    int absolute;
};

/* The family's own numbers: those of doubles(st), null if there are none; those of memory(st). */
LIE_API double *lie_stepper_work(const lie_stepper *st);
LIE_API double *lie_stepper_memory(const lie_stepper *st);

/* I^-1, dim x dim, found once at init for families that want it; null for a general Lagrangian. */
LIE_API const double *lie_stepper_inverse(const lie_stepper *st);

/* m += f F, rounding carried. */
LIE_API void lie_place_kick(const lie_ops *G, lie_place *at, double f, const double *F);

/* g <- g tau(x), m <- Ad*_{tau(x)} m, rounding carried where the group can; the spatial momentum stays to round-off.
 * Status: LIE_ERR_DOMAIN (of tau), LIE_ERR_NOT_FINITE. */
LIE_API lie_status lie_place_move(const lie_ops *G, lie_place *at, const double *x);

/* The control at the fraction c of the substep, in u (sys->controls values); null if there is none. */
LIE_API const double *lie_place_control(const lie_stepper *st, const lie_place *at, double *u, double c);

/* The discrete Legendre transform of the group (group.h), or Newton's method where it has none. */
LIE_API const lie_legendre *lie_legendre_of(const lie_ops *G);

LIE_END_DECLS

#endif
