/* SPDX-License-Identifier: MIT */
/* system.h: what moves: a group, a Lagrangian and forces.
 *
 *     l(g, xi) = 1/2 <I xi, xi> + <A(g), xi> - V(g),      mu = dl/dxi = I xi + A(g)
 *     g' = g xi,     mu' = ad*_xi mu + F(g, xi) + f(t, g, xi, u),     F = body gradient of l in g
 *
 * or the same with a general Lagrangian l(g, xi) through callbacks. xi is the body velocity, mu the body momentum. Body
 * derivatives are along g exp(s e_i), e_i the basis of the algebra:
 *     F_i = d/ds l(g exp(s e_i), xi) = -d/ds V + <d/ds A, xi>.
 * A system is data and callbacks; it owns nothing. What its callbacks read, such as a gravity in the object that params
 * points to, may change between two calls of lie_step, lie_run or lie_ensemble_run: the next call uses it as it is
 * then, from its first force on. Not so within a call; and the inertia, the group, the form and which callbacks there
 * are belong to lie_stepper_init and lie_ensemble_init: call them again after changing one.
 *
 * Threads: callbacks are called by the thread that asked for what needs them. The threads of an ensemble call those of
 * a system, and the operations of its group, at the same time, for one lie_system too (ensemble.h); two steppers of one
 * system in two threads do so as well. So the answer of a callback depends on nothing but its arguments and what sys
 * points to, and it writes nothing but its output. How often it is called is not promised, nor where: iterations and
 * differences look beside the trajectory.
 *
 * Ready systems: systems.h. Units are the user's, one set for all of a system; matrices row-major. Nothing here
 * allocates; groups of up to LIE_DIM_MAX dimensions with elements of up to LIE_SIZE_MAX doubles. Outputs may not
 * overlap inputs unless stated. Conventions: docs/CONVENTIONS.md.
 *
 * Reference: Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups I, 2009, (3.1) to (3.5). */
#ifndef LIESTEP_SYSTEM_H
#define LIESTEP_SYSTEM_H

#include <liestep/group.h>
#include <liestep/report.h>
#include <liestep/version.h>

LIE_BEGIN_DECLS

typedef struct lie_system lie_system;
typedef struct lie_form lie_form;

struct lie_system {
    const char *name;
    const lie_ops *group;  /* which of its retractions this is does not matter */
    const double *inertia; /* I, dim x dim, row-major, symmetric positive definite; null for a general Lagrangian */
    const void *params;    /* for the callbacks; what they point to may change: see below */
    const void *inputs;    /* another one for external and external_deriv: actuation.h */
    const lie_form *form;  /* form.h: the callbacks in numbers, for steppers that need not call then; null: none */
    int controls;          /* length of u */
    int external_is_positional; /* 1: f does not depend on xi; methods made of kicks then take it */

    /* V(g), null: 0; and F_i = -d/ds V(g exp(s e_i)), its derivative D_ij = d/ds F_i(g exp(s e_j)) (may be null) */
    double (*potential)(const lie_system *sys, const double *g);
    void (*force)(const lie_system *sys, double *F, const double *g);
    void (*force_deriv)(const lie_system *sys, double *D, const double *g);
    /* The same forces, to the bit, on several trajectories at once (ensemble.h): F[i * lanes + l] at g[i * lanes + l]
     * for the system sys[l]. Null: force is called for each. */
    void (*force_lanes)(const lie_system *const *sys, int lanes, double *F, const double *g);
    /* A(g), null: 0; and D_ij = d/ds A_i(g exp(s e_j)) */
    void (*gyro)(const lie_system *sys, double *A, const double *g);
    void (*gyro_deriv)(const lie_system *sys, double *D, const double *g);
    /* Where A(g) = I Ad_{g^-1} eta + a: eta, the velocity in the inertial frame of the frame from which g is measured,
     * and a, momentum stored in the body, as of wheels; dim numbers each. Null: A is not of this form. With it,
     * splittings and the methods of lib/methods/rivals take the gyroscopic term. */
    void (*frame)(const lie_system *sys, double *eta, double *a);
    /* f(t, g, xi, u), null: 0; u has `controls` entries, null counts as 0; D_ij = d f_i / d xi_j (may be null) */
    void (*external)(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u);
    void (*external_deriv)(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                           const double *u);

    /* Or a general Lagrangian l(g, xi). With `lagrangian` set, momentum and gradient must be, and inertia, potential,
     * force, gyro and their derivatives must be null. The second derivatives may be null: differences then. */
    double (*lagrangian)(const lie_system *sys, const double *g, const double *xi);
    void (*momentum)(const lie_system *sys, double *mu, const double *g, const double *xi); /* mu = dl/dxi */
    void (*gradient)(const lie_system *sys, double *F, const double *g, const double *xi);  /* F_i, along e_i */
    void (*hessian)(const lie_system *sys, double *H, const double *g, const double *xi);   /* d mu_i / d xi_j */
    void (*mixed)(const lie_system *sys, double *D, const double *g, const double *xi);     /* d/ds mu_i along e_j */
    void (*gradient_deriv)(const lie_system *sys, double *D, const double *g,
                           const double *xi); /* d/ds F_i along e_j */
};

/* Is this a system? Checked: a complete group (tauinv, move, legendre and casimir may be null) of 1 .. LIE_DIM_MAX
 * dimensions and 1 .. LIE_SIZE_MAX doubles; one of the two kinds of Lagrangian and nothing of the other; force and
 * potential both or neither, gyro_deriv with gyro, momentum and gradient with lagrangian; the ready callbacks of a form
 * that names none (lie_form_complete); inertia finite, symmetric to 1e-12 and positive definite. Status:
 * LIE_ERR_INCOMPLETE, LIE_ERR_SIZE, LIE_ERR_NOT_FINITE, LIE_ERR_INERTIA. */
LIE_API lie_status lie_system_check(const lie_system *sys);

/* The same, and which callback or entry was refused. The report may be null. */
LIE_API lie_status lie_system_explain(lie_report *report, const lie_system *sys);

/* What a program was compiled with: the version of the headers, and the sizes of the structs that an init reads. Each
 * init that reads structs gets this number through its macro, lie_stepper_init through LIE_COMPILED(lie_options), and
 * answers LIE_ERR_VERSION where the library was compiled with another one. Those who call the function itself, as from
 * another language, compute the number in the same way. */
#define LIE_COMPILED(options)                                                                                          \
    ((((unsigned long long)LIE_VERSION_NUMBER << 12 | sizeof(lie_ops) / 4) << 12 | sizeof(lie_system) / 4) << 12 |     \
     sizeof(options) / 4)

/* mu = dl/dxi(g, xi) = I xi + A(g). mu may be xi. */
LIE_API void lie_system_momentum(const lie_system *sys, double *mu, const double *g, const double *xi);

/* The velocity that has this momentum: xi = I^-1 (mu - A(g)), or dl/dxi(g, xi) = mu solved by damped Newton iteration
 * from xi = 0 to round-off. xi may be mu.
 * Status: LIE_ERR_NOT_FINITE; LIE_ERR_INERTIA (quadratic); LIE_ERR_SINGULAR (Hessian of l singular or not finite where
 * the iteration came), LIE_ERR_NO_CONVERGENCE (no velocity with this momentum was found). */
LIE_API lie_status lie_system_velocity(const lie_system *sys, double *xi, const double *g, const double *mu);

/* F(g, xi) = -dV + (dA)^T xi, the body gradient of l in g; and f(t, g, xi, u), zero where the system has none. */
LIE_API void lie_system_force(const lie_system *sys, double *F, const double *g, const double *xi);
LIE_API void lie_system_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                                 const double *u);

/* mu' = ad*_xi mu + F + f: the right-hand side of the momentum equation. */
LIE_API void lie_system_momentum_rate(const lie_system *sys, double *rate, double t, const double *g, const double *xi,
                                      const double *u);

/* E = <mu, xi> - l = 1/2 <I xi, xi> + V(g), conserved where there is no external force. */
LIE_API double lie_system_energy(const lie_system *sys, const double *g, const double *xi);

/* J = Ad*_{g^-1} mu, the momentum in the inertial frame: constant along every symmetry of the system. J may be mu. */
LIE_API void lie_system_spatial_momentum(const lie_system *sys, double *J, const double *g, const double *mu);

/* Derivatives, each dim x dim. Where the system has no callback for one: central differences over 2^-17 (times the
 * velocity, where that is above 1), good to about 1e-10; NaN where they leave the domain of the system.
 *   hessian         H_ij = d mu_i / d xi_j        the inertia
 *   mixed           D_ij = d/ds mu_i along e_j    of A; also d F_j / d xi_i
 *   force_deriv     D_ij = d/ds F_i along e_j     of F(g, xi), gyroscopic part included
 *   external_deriv  D_ij = d f_i / d xi_j */
LIE_API void lie_system_hessian(const lie_system *sys, double *H, const double *g, const double *xi);
LIE_API void lie_system_mixed(const lie_system *sys, double *D, const double *g, const double *xi);
LIE_API void lie_system_force_deriv(const lie_system *sys, double *D, const double *g, const double *xi);
LIE_API void lie_system_external_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                                       const double *u);

/* What lie_system_compare_derivatives found. Of each callback that is a derivative of another one: its largest error,
 * relative to the largest entry of its row, as far as it exceeds what the differences leave open. Below 1e-9, mostly 0,
 * for right ones; infinite where a value is not finite; -1 where the system has no such callback. */
typedef struct lie_system_report {
    double force;           /* against potential */
    double force_deriv;     /* against force */
    double gyro_deriv;      /* against gyro */
    double momentum;        /* against lagrangian */
    double gradient;        /* against lagrangian */
    double hessian;         /* against momentum */
    double mixed;           /* against momentum */
    double gradient_deriv;  /* against gradient */
    double external_deriv;  /* against external */
    double form;            /* against force, gyro and external, as far as it states them (lie_form_states) */
    const char *worst;      /* the callback with the largest error, "none" if all are 0 or -1; what is compared with a
                               wrong callback (error above 1e-6) is not blamed */
    double error;           /* of the worst; 0 for "none" */
    int row, column;        /* of its largest error, from 0 */
    double given, expected; /* there: what the callback says and what the differences say */
} lie_system_report;

/* User-supplied derivatives against differences at (t, g, xi, u), along the retraction of the group. The step of the
 * differences is found for every entry, so any units will do. Take a generic point: at a symmetric one, or at xi = 0,
 * a wrong derivative may be right. Status: that of lie_system_check, or of the retraction. */
LIE_API lie_status lie_system_compare_derivatives(const lie_system *sys, lie_system_report *report, double t,
                                                  const double *g, const double *xi, const double *u);

LIE_END_DECLS

#endif
