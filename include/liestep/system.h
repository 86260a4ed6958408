/* SPDX-License-Identifier: MIT */
/* system.h: what moves: a group, a Lagrangian and forces.
 *
 *     l(g, xi) = 1/2 <I xi, xi> + <A(g), xi> - V(g),      mu = dl/dxi = I xi + A(g)
 *     g' = g xi,     mu' = ad*_xi mu + F(g, xi) + f(t, g, xi, u),     F = body gradient of l in g
 *
 * xi is the body velocity, mu the body momentum. Body derivatives are along g exp(s e_i):
 *     F_i = d/ds l(g exp(s e_i), xi) = -d/ds V + <d/ds A, xi>.
 * A system is data and callbacks; it owns nothing. Ready ones: systems.h. Conventions: docs/CONVENTIONS.md. Nothing
 * here allocates; groups up to LIE_DIM_MAX dimensions.
 *
 * Reference: Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups I, 2009, (3.1) to (3.5). */
#ifndef LIESTEP_SYSTEM_H
#define LIESTEP_SYSTEM_H

#include <liestep/group.h>

LIE_BEGIN_DECLS

typedef struct lie_system lie_system;

struct lie_system {
    const char *name;
    const lie_ops *group;  /* which of its retractions this is does not matter */
    const double *inertia; /* I, dim x dim, row-major, symmetric positive definite */
    const void *params;    /* for the callbacks */
    int controls;          /* length of u */

    /* V(g), null: 0; and F_i = -d/ds V(g exp(s e_i)), its derivative D_ij = d/ds F_i(g exp(s e_j)) (may be null) */
    double (*potential)(const lie_system *sys, const double *g);
    void (*force)(const lie_system *sys, double *F, const double *g);
    void (*force_deriv)(const lie_system *sys, double *D, const double *g);
    /* A(g), null: 0; and D_ij = d/ds A_i(g exp(s e_j)) */
    void (*gyro)(const lie_system *sys, double *A, const double *g);
    void (*gyro_deriv)(const lie_system *sys, double *D, const double *g);
    /* f(t, g, xi, u), null: 0; u has `controls` entries, null counts as 0 */
    void (*external)(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u);
};

/* Is this a system? Checked: a complete group of at most LIE_DIM_MAX dimensions; force and potential both or neither,
 * gyro_deriv with gyro; inertia finite, symmetric to 1e-12 and positive definite.
 * Status: LIE_ERR_INCOMPLETE, LIE_ERR_SIZE, LIE_ERR_NOT_FINITE, LIE_ERR_INERTIA. */
LIE_API lie_status lie_system_check(const lie_system *sys);

/* mu = I xi + A(g), and back: xi = I^-1 (mu - A(g)). Status of velocity: LIE_ERR_INERTIA, LIE_ERR_NOT_FINITE. */
LIE_API void lie_system_momentum(const lie_system *sys, double *mu, const double *g, const double *xi);
LIE_API lie_status lie_system_velocity(const lie_system *sys, double *xi, const double *g, const double *mu);

/* F(g, xi) = -dV + (dA)^T xi; and f(t, g, xi, u), zero where the system has none. */
LIE_API void lie_system_force(const lie_system *sys, double *F, const double *g, const double *xi);
LIE_API void lie_system_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                                 const double *u);

/* mu' = ad*_xi mu + F + f: the right-hand side of the momentum equation. */
LIE_API void lie_system_momentum_rate(const lie_system *sys, double *rate, double t, const double *g, const double *xi,
                                      const double *u);

/* E = 1/2 <I xi, xi> + V(g), conserved where there is no external force. */
LIE_API double lie_system_energy(const lie_system *sys, const double *g, const double *xi);

/* J = Ad*_{g^-1} mu, the momentum in the inertial frame: constant along every symmetry of the system. */
LIE_API void lie_system_spatial_momentum(const lie_system *sys, double *J, const double *g, const double *mu);

/* User-supplied derivatives against differences at (g, along the retraction of the group): the largest error of each,
 * relative to the largest entry (or 1). About 1e-9 for right ones; -1 where the system has no such callback. */
typedef struct lie_system_report {
    double force;       /* force against potential */
    double force_deriv; /* force_deriv against force */
    double gyro_deriv;  /* gyro_deriv against gyro */
    const char *worst;  /* name of the callback with the largest error; never null */
} lie_system_report;
LIE_API lie_status lie_system_compare_derivatives(const lie_system *sys, lie_system_report *report, const double *g);

LIE_END_DECLS

#endif
