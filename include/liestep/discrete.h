/* SPDX-License-Identifier: MIT */
/* discrete.h: discrete Lagrangians: one of your own as a method, and those of the library's methods to be read.
 *
 *     0 = d sum_k L_d(t_k, g_k, g_{k+1}; h)       for all variations of the nodes between the ends, that is
 *     D2 L_d(g_{k-1}, g_k) + D1 L_d(g_k, g_{k+1}) = 0
 *
 *     p0 = -D1 L_d - f-,    p1 = D2 L_d + f+       the two discrete Legendre transforms, momenta at the nodes
 *     E_d = -d/dh L_d(g0, g1; h)                   the discrete energy
 *
 * D1 and D2 are body derivatives, (D1 L_d)_i = d/ds L_d(g0 exp(s e_i), g1), (D2 L_d)_i = d/ds L_d(g0, g1 exp(s e_i)),
 * so that p0 and p1 are the momenta m of a lie_state. f- and f+ are discrete forces, impulses on the two nodes.
 *
 *     static lie_status slopes(const lie_discrete *L, double *D1, double *D2, double t, const double *g0,
 *                              const double *g1, double h);
 *     lie_discrete mine = {.slopes = slopes};
 *     lie_stepper_init(&st, &sys, &(lie_options){.discrete = &mine}, work, sizeof work);
 *
 * The stepper then goes from (t, g0, p0) to (t + h, g1, p1): it solves p0 = -D1 L_d - f- for g1 = g0 tau(h xi), tau the
 * retraction of the options, which changes the way of the solver, not its answer. Runs, observers, sections, tangents
 * and ensembles take it like any other. The map is symplectic (f = 0) whatever L_d is; it keeps the spatial momentum of
 * every symmetry that L_d has, and has the order to which L_d is the action of the true motion (Marsden & West 2001,
 * theorem 2.3.1). From the system come the group, what lie_state_energy and the like say, and the first guess of xi:
 * its velocity should be about that of L_d. Its potential counts for nothing else, and a system with an external force
 * is for an L_d with forces: LIE_ERR_METHOD without them. Without value and slopes: LIE_ERR_INCOMPLETE.
 *
 * References: Marsden & West, Discrete mechanics and variational integrators, 2001, sections 1.3 to 1.5, 2.1, 3.2;
 * Wendlandt & Marsden, Mechanical integrators derived from a discrete variational principle, Physica D 106 (1997);
 * Bobenko & Suris, Commun. Math. Phys. 204 (1999); Marsden, Pekarsky & Shkoller, Nonlinearity 12 (1999). */
#ifndef LIESTEP_DISCRETE_H
#define LIESTEP_DISCRETE_H

#include <liestep/stepper.h>

LIE_BEGIN_DECLS

/* Owned by the caller; must outlive the stepper. Give value, or slopes, or both; everything else may be null. The
 * functions are called with g0 and g1 on the group and h of any sign, also shorter than that of the step (the solver
 * may follow the solution from h = 0). A status other than LIE_OK says that L_d is not defined there: the solver avoids
 * it. They may be called from several threads at once, by ensembles. */
typedef struct lie_discrete lie_discrete;
struct lie_discrete {
    const char *name;
    const void *params; /* for the functions */
    /* L_d. Without slopes D1 and D2 are differences of it, of order 6 over 2^-8 of the units of the algebra: good to
     * about 1e-13 of L_d in units in which it varies over lengths of 1, at 12 dim values for a momentum. */
    lie_status (*value)(const lie_discrete *L, double *Ld, double t, const double *g0, const double *g1, double h);
    /* D1 and D2, dim numbers each */
    lie_status (*slopes)(const lie_discrete *L, double *D1, double *D2, double t, const double *g0, const double *g1,
                         double h);
    /* M (dim x dim, row-major), M_ij = d/ds (D1 L_d)_i (g0, g1 exp(s e_j)), for Newton's method. Null: differences. */
    lie_status (*mixed)(const lie_discrete *L, double *M, double t, const double *g0, const double *g1, double h);
    /* E_d. Null: differences of value. Steps do not need it. */
    lie_status (*energy)(const lie_discrete *L, double *Ed, double t, const double *g0, const double *g1, double h);
    /* f- and f+, dim numbers each: impulses, of size h. u: as lie_stepper_control has set it; null counts as 0. */
    lie_status (*forces)(const lie_discrete *L, double *f_minus, double *f_plus, double t, const double *g0,
                         const double *g1, double h, const double *u_minus, const double *u_plus);
};

/* What lie_discrete_compare_derivatives found: the largest error, relative to the largest number of its kind, as far as
 * it exceeds what the differences leave open. Below 1e-9, mostly 0, for right ones; infinite where a value is not
 * finite;
 * -1 where one of the two functions is null. */
typedef struct lie_discrete_report {
    double slopes; /* against value */
    double mixed;  /* against slopes */
    double energy; /* against value */
} lie_discrete_report;

/* The derivatives that L gives against differences at (t, g0, g1; h) along the retraction of G, whose step is found for
 * every entry. Take a generic point. The report is only touched on LIE_OK. Status: LIE_ERR_INCOMPLETE (neither value
 * nor slopes), LIE_ERR_STEP_SIZE, that of L and of the retraction. */
LIE_API lie_status lie_discrete_compare_derivatives(const lie_discrete *L, const lie_ops *G,
                                                    lie_discrete_report *report, double t, const double *g0,
                                                    const double *g1, double h);

/* What there is to read between two configurations. */
typedef struct lie_discrete_values {
    double lagrangian;      /* L_d(g0, g1; h); NaN where an L_d of your own has no value */
    double energy;          /* E_d; NaN where it has neither energy nor value */
    double p0[LIE_DIM_MAX]; /* -D1 L_d - f- */
    double p1[LIE_DIM_MAX]; /* D2 L_d + f+ */
    lie_solve solve;        /* of the stages between */
} lie_discrete_values;

/* L_d and what comes from it for the method of this stepper, at any g0 and g1 that a step could join; nothing of the
 * stepper changes. Offered for an L_d of your own, and for
 *     ep, ve_fwd, ve_bwd, sv     L_d = h (1/2 <I xi, xi> - a V(g0) - b V(g1)),  xi = tau^-1(g0^-1 g1)/h
 *     midpoint, vprk0, vprk, gauss*, lobatto*, and all of these with gyroscopic terms and general Lagrangians:
 *                                L_d = h sum_i b_i l(G_i, xi_i), stationary in the stages, for which it solves.
 * E_d is then sum_i b_i E(G_i, xi_i). With external forces p0 and p1 have them, as the steps do; the stages of
 * untruncated methods feel them, so that lagrangian and energy are sums over stages of which nothing is a derivative.
 * Not offered: compositions, whose nodes between are stages of another kind (read a substep with its own method), dmv
 * (ep with the skew map of S3 is the same), splittings, Gauss and Lobatto in the embedding (vprk with the tableau is in
 * a chart)
 * and all that is not variational: LIE_ERR_METHOD.
 * Status also: LIE_ERR_STEP_SIZE, LIE_ERR_NOT_FINITE, LIE_ERR_DOMAIN (g0^-1 g1 is not a tau(x)), LIE_ERR_INCOMPLETE (no
 * tauinv), LIE_ERR_NO_CONVERGENCE, LIE_ERR_SINGULAR; that of your functions. */
LIE_API lie_status lie_discrete_read(lie_stepper *st, lie_discrete_values *out, double t, const double *g0,
                                     const double *g1, double h);

/* Start a run from two configurations, g0 at t and g1 at t + h. end 0: the state (t, g0, p0), from which a step h goes
 * to g1; end 1: (t + h, g1, p1). Status: that of lie_discrete_read and lie_state_set_momentum;
 * LIE_ERR_SIZE for another end. Reference: Marsden & West 2001, section 1.5; Wendlandt & Marsden 1997. */
#define lie_state_from_pair(st, s, ...) lie_state_from_pair_in(st, LIE_STATE_IN(s), __VA_ARGS__)
LIE_API lie_status lie_state_from_pair_in(lie_stepper *st, lie_state *s, int room_g, int room_m, int end, double t,
                                          const double *g0, const double *g1, double h);

LIE_END_DECLS

#endif
