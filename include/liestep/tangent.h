/* SPDX-License-Identifier: MIT */
/* tangent.h: the derivative of a step, the state transition matrix of the discrete flow.
 *
 * A variation of the state is (eta, nu), 2 n numbers: g moves along g exp(s eta), m along m + s nu, both in the body
 * frame. The tangent T of a step (2 n x 2 n, row-major) takes it to the variation at the end,
 *
 *     (eta+, nu+) = T (eta, nu),        T^T Omega(m+) T = Omega(m) for a symplectic method,
 *     Omega(m) = [[K, 1], [-1, 0]],     K_ab = <m, [e_a, e_b]>.
 *
 * Methods from a discrete action (ep, ve, sv, midpoint, vprk, gauss in the chart and in the embedding, lobatto in the
 * chart, split, turns, and their compositions) are differentiated analytically, through their implicit equations; what
 * the system gives no derivative of comes from differences of that one function (system.h: 1e-10). Other methods:
 * differences of the whole step of order 4, to about 1e-11; of one that leaves the group, the part along it.
 * Nothing allocates; work is the caller's. */
#ifndef LIESTEP_TANGENT_H
#define LIESTEP_TANGENT_H

#include <liestep/stepper.h>

LIE_BEGIN_DECLS

/* Bytes of work memory for the tangent of this stepper. */
LIE_API size_t lie_tangent_memsize(const lie_stepper *st);

/* One step, as lie_step takes it to the bit, and its tangent. T: (2 n)^2 doubles. On failure state and T are as they
 * were. `work` (aligned for double, memsize bytes) is scratch: nothing in it counts from one call to the next. Status:
 * that of lie_step; LIE_ERR_MEMORY; LIE_ERR_INCOMPLETE (the method needs tauinv of the group for its differences). */
LIE_API lie_status lie_step_tangent(lie_stepper *st, lie_state *s, double h, double *T, void *work, size_t bytes);

/* `count` variations carried along for one step: V (2 n x count, row-major) <- T V. Status as before. */
LIE_API lie_status lie_step_variations(lie_stepper *st, lie_state *s, double h, int count, double *V, void *work,
                                       size_t bytes);

/* The largest entry of T^T Omega(m_after) T - Omega(m_before): 0 but for rounding if T is symplectic. */
LIE_API double lie_tangent_defect(const lie_ops *G, const double *T, const double *m_before, const double *m_after);

LIE_END_DECLS

#endif
