/* SPDX-License-Identifier: MIT */
/* separable.h: what others may know of separable.c: the memory of its steppers, and what its steps are made of.
 * Internal. */
#ifndef LIESTEP_LIB_SEPARABLE_H
#define LIESTEP_LIB_SEPARABLE_H

#include "groups/num/ahead.h"
#include "lib/methods/variational/external.h"

/* The memory: h of the last step, 0 if there is none; how many velocities of such steps follow; the velocities, latest
 * first, or the memory of a free step (group.h); from separable_end on, g where the last step ended. */
enum { SEPARABLE_H, SEPARABLE_COUNT, SEPARABLE_PAST };

LIE_INLINE int separable_end(int dim)
{
    int velocities = HISTORY * dim;
    return SEPARABLE_PAST + (velocities > LIE_FREE_STEP_MEMORY ? velocities : LIE_FREE_STEP_MEMORY);
}

_Static_assert(SEPARABLE_PAST + HISTORY * LIE_DIM_MAX + LIE_SIZE_MAX <= LIE_MEMORY_MAX, "room for the memory");

/* Behind that g, of forced steps with three unknowns: is there a derivative of f that serves? df/dxi. */
enum { FORCED_KNOWN, FORCED_DERIV, FORCED_MEMORY = 10 };

/* In the work memory, followed by what the pointers point to. */
typedef struct separable {
    double *F;            /* the force, if known */
    double *data;         /* of the Legendre transform */
    double before, after; /* a, b */
    int known;            /* F is the force at the end of the last step of this run */
    int forced;           /* where in the work forced_parts are; 0: no external force */
} separable;

/* What a forced step has in the work, followed by what the pointers point to. */
typedef struct forced_parts {
    double *weight; /* 1/I_ii */
    double *vessel; /* drag of a form: D, q; null: the force is asked for */
    double *u;      /* controls */
    double *newton; /* lie__separable_newton_doubles */
} forced_parts;

enum { VESSEL_QUADRATIC = 36, VESSEL_DOUBLES = 42 };

LIE_INLINE separable *separable_of(const lie_stepper *st)
{
    return (separable *)st->work;
}

/* Are there three unknowns that separable_forced.h solves for by itself? */
LIE_INLINE int is_chord(const lie_stepper *st, const lie_ops *G)
{
    return G->dim == 3 && G->legendre && G->legendre->momentum && st->is.has_external && !st->is.positional;
}

LIE_INLINE forced_parts *forced_of(const lie_stepper *st)
{
    return (forced_parts *)(st->work + separable_of(st)->forced);
}

/* a and b: the weights of the kicks before and after the free step */
void lie__separable_weights(const lie_stepper *st, double *before, double *after);

/* What the Legendre transform knows of the inertia. */
const double *lie__separable_data(const lie_stepper *st);

/* The impulse a h F + (h/2) f at the start of a forced substep and the xi that belongs to it, from the guess xi.
 * Status: those of newton.h, of the retraction and of the system. */
lie_status lie__separable_newton(lie_stepper *st, const lie_place *at, double h, double *xi, double *impulse,
                                 lie_solve *info);
int lie__separable_newton_doubles(int n);

/* d/dxi (I xi - (dtau_{h xi})^T P), P with the external force at the start of the substep, if there is one; scratch:
 * 2 n x n. Status: that of the derivatives of the retraction. */
lie_status lie__separable_jacobian(const forcing *W, double *J, double *scratch, const double *xi, const double *P);

#endif
