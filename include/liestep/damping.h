/* SPDX-License-Identifier: MIT */
/* damping.h: forces that depend on the velocity, beside any method that need not know of them.
 *
 * A step is half a step of the forces at fixed g, a step of the method without them, half a step of the forces (Strang
 * 1968; Armero & Simo 1996):
 *
 *     m <- m + (h/2) f(t, g, v, u-),            v the velocity of the mean of both momenta, I v + A(g)
 *     (t, g, m) <- one step of the method
 *     m <- m + (h/2) f(t + h, g, v, u+),        likewise
 *
 * The middle velocity makes the half steps implicit in v, of order 2 and symmetric, and stable for every drag and
 * step: the kinetic energy changes by exactly the work (h/2) <f, v>, which drag only takes away, and for f = -D v the
 * half step is Cayley's (1 + (h/4) D I^-1)^-1 (1 - (h/4) D I^-1) m. The whole is of order 2 with every method of order
 * 2 or more, no better, whatever the method; self-adjoint if the method is; and the spatial momentum changes by the
 * spatial impulses to round-off if the method keeps it. With dmv, which goes by what it has learnt of the momentum, to
 * 1e-13 a step. */
#ifndef LIESTEP_DAMPING_H
#define LIESTEP_DAMPING_H

#include <liestep/stepper.h>

LIE_BEGIN_DECLS

/* n steps of length h of the stepper, with the half steps of forces->external around each. st: a stepper of the system
 * without these forces, any method that takes it. forces: the system with them, on the same group, which has external;
 * quadratic. Its controls are those set for the stepper. On failure the state is that of the last step that succeeded,
 * and the stepper has forgotten what it had learnt. A run of n steps and n runs of one step give the same bits.
 * Status: that of lie_step; LIE_ERR_INCOMPLETE (no external), LIE_ERR_SIZE (another group), LIE_ERR_METHOD (a general
 * Lagrangian); of the half steps LIE_ERR_NOT_FINITE, LIE_ERR_SINGULAR, LIE_ERR_NO_CONVERGENCE. */
LIE_API lie_status lie_damping_run(lie_stepper *st, const lie_system *forces, lie_state *s, double h, long long n);

LIE_END_DECLS

#endif
