/* SPDX-License-Identifier: MIT */
/* group.h: a Lie group with one retraction, described at run time.
 *
 * Everything above the groups (series, steppers, drivers) reaches a group only through a lie_ops. Built-in groups,
 * products and groups defined by the user all go through it alike.
 *
 *   G          elements are plain arrays of `size` doubles
 *   g          its Lie algebra, vectors of `dim` doubles in a fixed basis; g* in the dual basis, <m, x> = sum m_i x_i
 *   tau        the retraction g -> G, tau(0) = e, tau(x) tau(-x) = e
 *   dtau       its RIGHT-trivialised tangent: D tau(x) d = (dtau_x d) tau(x)
 *   t suffix   the plain transpose, i.e. the dual map on g*
 *
 * Every operation allows `out` to be one of its inputs. Operations that can leave their domain return a status and then
 * do not touch their output. No operation allocates. Conventions: docs/CONVENTIONS.md.
 *
 * References: Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups I (2009), Definitions 4.2 and 4.4;
 * Jimenez, thesis (2012), Definition 5.2.2. */
#ifndef LIESTEP_GROUP_H
#define LIESTEP_GROUP_H

#include <stddef.h>

#include <liestep/report.h>
#include <liestep/solve.h>
#include <liestep/status.h>

LIE_BEGIN_DECLS

/* The largest algebra dimension of what works on the stack: products, series, the defaults of lie_ops_complete and the
 * matrix helpers (about 10 kB of it per level of nesting). R^n and the matrix groups have no such limit. */
#define LIE_DIM_MAX 32

/* The largest group element, in doubles, that a system and its steppers work with. */
#define LIE_SIZE_MAX 128

typedef struct lie_ops lie_ops;

/* The inverse discrete Legendre transform of a group with a retraction, for a constant inertia I:
 *     given p and h, the velocity xi with  (dtau^-1_{h xi})^T I xi = p,   equivalently  I xi = (dtau_{h xi})^T p,
 * on the branch that starts at xi = I^-1 p for h = 0. It is the only implicit equation of the Euler-Poincare,
 * variational Euler and Stoermer-Verlet methods. A group that has a short cut for it says so here; without one,
 * Newton's method is used. `data` is prepared once per inertia: doubles(G) numbers, written by prepare, read by solve,
 * which may keep scratch there too. solve: if wants_guess, xi holds a first guess on entry (never more than that); it
 * is not touched unless LIE_OK is returned.
 * Status of solve: LIE_ERR_NO_CONVERGENCE, LIE_ERR_NOT_FINITE, LIE_ERR_DOMAIN, LIE_ERR_SINGULAR. */
enum { LIE_FREE_STEP_MEMORY = 4 };
typedef struct lie_legendre {
    int wants_guess;
    int (*doubles)(const lie_ops *G);
    lie_status (*prepare)(const lie_ops *G, double *data, const double *inertia);
    lie_status (*solve)(const lie_ops *G, double *xi, double h, double *data, const double *p, lie_solve *info);
    /* May be null: solve for p = m and move by h xi in one go. `memory`: LIE_FREE_STEP_MEMORY doubles that it keeps
     * from step to step, zeros at the start and after h has changed; they decide about speed and last bits only. */
    lie_status (*free_step)(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, double h,
                            double *data, double *memory, lie_solve *info);
    /* May be null: xi = I^-1 p, the solution for h = 0, for those who want a guess. */
    void (*guess)(const lie_ops *G, double *xi, const double *data, const double *p);
    /* May be null: p = (dtau^-1_{h xi})^T I xi and, if J is not null, J = dp/dxi (dim x dim), for equations in which p
     * depends on xi. Status: LIE_ERR_DOMAIN where dtau^-1 does not exist. */
    lie_status (*momentum)(const lie_ops *G, double *p, double *J, const double *xi, double h, const double *data);
} lie_legendre;

/* A group of matrices, elements n x n and row-major, { g : g^T J g = J }, J symmetric (sign 1) or antisymmetric (-1),
 * in the coordinates of matgroup.h: x = J^-1 K, entries of K in and below the diagonal. */
typedef struct lie_quadratic {
    int n;
    double sign;
    const double *J, *J_inverse;
} lie_quadratic;

struct lie_ops {
    const char *group;      /* "SO3", "S3", "H", "SE3", "SE2", "R", "product", or the user's name */
    const char *retraction; /* "exp", "cay", "cayq", "skew", or the user's name */
    int dim;                /* dimension of the algebra */
    int size;               /* doubles in a group element */
    const void *ctx;        /* what the operations need beyond their arguments; owned by the caller */

    void (*identity)(const lie_ops *G, double *g);                                /* g = e */
    void (*mul)(const lie_ops *G, double *out, const double *a, const double *b); /* a b */
    void (*inv)(const lie_ops *G, double *out, const double *a);                  /* a^-1 */
    void (*Ad)(const lie_ops *G, double *out, const double *g, const double *x);  /* Ad_g x = g x g^-1 */
    void (*Adt)(const lie_ops *G, double *out, const double *g, const double *m); /* <Ad*_g m, x> = <m, Ad_g x> */
    void (*ad)(const lie_ops *G, double *out, const double *x, const double *y);  /* ad_x y = [x, y] */
    void (*adt)(const lie_ops *G, double *out, const double *x, const double *m); /* <ad*_x m, y> = <m, ad_x y> */

    lie_status (*tau)(const lie_ops *G, double *g, const double *x);                         /* g = tau(x) */
    lie_status (*tauinv)(const lie_ops *G, double *x, const double *g);                      /* x = tau^-1(g) */
    lie_status (*dtau)(const lie_ops *G, double *out, const double *x, const double *v);     /* dtau_x v */
    lie_status (*dtaut)(const lie_ops *G, double *out, const double *x, const double *m);    /* (dtau_x)^T m */
    lie_status (*dtauinv)(const lie_ops *G, double *out, const double *x, const double *v);  /* dtau_x^-1 v */
    lie_status (*dtauinvt)(const lie_ops *G, double *out, const double *x, const double *m); /* (dtau_x^-1)^T m */
    /* M (dim x dim, row-major): M_ij = d/dx_j (dtau_{-x} psi)_i, the derivative of the body tangent in the chart */
    lie_status (*dtau_body_deriv)(const lie_ops *G, double *M, const double *x, const double *psi);

    lie_status (*project)(const lie_ops *G, double *out, const double *g); /* nearest element of G */

    /* What follows may stay null. */
    /* g <- g tau(x) and m <- Ad*_{tau(x)} m, in place. low_g (size) and low_m (dim) carry what rounding lost, zero at
     * the start: g + low_g and m + low_m are the better values. On failure nothing is touched. Null: tau, mul, Adt. */
    lie_status (*move)(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, const double *x);
    const lie_legendre *legendre;
    /* Functions of m that are constant along every Ad*: Casimirs of the Lie-Poisson bracket. C has `casimirs`
     * entries. */
    int casimirs;
    void (*casimir)(const lie_ops *G, double *C, const double *m);
    /* May be null: *out = this group with its retraction of that name, for groups that are not built in and have
     * several. Status: LIE_ERR_UNKNOWN_NAME. */
    lie_status (*choose)(const lie_ops *G, lie_ops *out, const char *retraction);
    /* What is by differences: LIE_EXACT (0), or what lie_ops_complete has put here. Of a product the largest. */
    int differences;
    /* Of a group of matrices that is one; gauss1 .. gauss8 then take it without a retraction. Null: it is none, or
     * nothing is known of it. */
    const lie_quadratic *quadratic;
};

/* The tangents are closed forms or series; dtau is, and dtau_body_deriv is differences of it; both are differences. */
enum { LIE_EXACT = 0, LIE_DIFFERENCES_OF_DTAU = 1, LIE_DIFFERENCES_OF_TAU = 2 };

/* Number of built-in group x retraction pairs of fixed dimension, and the i-th of them (null outside 0 .. count-1).
 * R^n and products have a run-time dimension: see rn.h and product.h. */
LIE_API int lie_ops_builtin_count(void);
LIE_API const lie_ops *lie_ops_builtin(int i);

/* The groups of the library in words, R^n and products among them; the i-th, null beyond the last. */
typedef struct lie_group_words {
    const char *name;   /* lie_ops.group */
    const char *header; /* "so3.h" */
    const char *title;  /* "SO(3)" */
    const char *what, *element, *velocity;
} lie_group_words;
LIE_API const lie_group_words *lie_group_words_at(int i);

/* The built-in pair of that name, *out = pointer to static storage.
 * Status: LIE_ERR_UNKNOWN_NAME (also for a null name). */
LIE_API lie_status lie_ops_find(const lie_ops **out, const char *group, const char *retraction);

/* *out = G with the retractions of these names: G itself, a built-in pair, or what is made in `work`: that has
 * lie_ops_choose_memsize bytes, aligned for double, and stays with the caller as long as *out is used.
 *   names   "cay": the retraction of G, or of every factor of a product; "exp,cay": of the factors from left to right,
 *           those of a product within the product in its place; an empty name leaves its factor as it is; null: G as
 *           it is
 * R^n, of which all retractions are one map, stays as it is.
 * Status: LIE_ERR_UNKNOWN_NAME (a factor has none of that name; more or fewer names than factors), LIE_ERR_MEMORY,
 * LIE_ERR_SIZE (products within 8 products). *out is not touched then. */
LIE_API size_t lie_ops_choose_memsize(const lie_ops *G, const char *names); /* 0 where none is needed, or on failure */
LIE_API lie_status lie_ops_choose(const lie_ops **out, const lie_ops *G, const char *names, void *work, size_t bytes);

/* Fill the operations a user left null, in place.
 * Required: group, retraction, dim, size, identity, mul, inv, Ad, ad, tau.
 * Derived exactly: Adt and adt by transposing; dtau and dtau_body_deriv from the series of dexp in ad if `retraction`
 * is "exp"; dtaut by transposing; dtauinv, dtauinvt by solving with the matrix of dtau; project copies. tauinv may
 * stay null: it is then reported as missing by what needs it.
 * Else by differences, and G->differences says so: dtau from tau, relative error up to 1e-13 where tau is analytic
 * within a distance of 1, more near the end of its domain; dtau_body_deriv from dtau, 1e-11, or 1e-13 of a given dtau.
 * This takes a tau with dtau_0 = 1 (LIE_ERR_SINGULAR if it is degenerate) and elements that depend smoothly on x around
 * x = 0: no angle that wraps at e. A variational step then keeps the spatial momentum to round-off as ever, and the
 * symplectic form to the error of the differences, measured: 3e-13 with sv, 5e-11 with gauss2, which needs the second
 * derivative. An iteration of its solver takes some 100 dim^2 retractions. Near the end of the domain of tau a step may
 * end with LIE_ERR_DOMAIN or LIE_ERR_NO_CONVERGENCE earlier than with exact tangents.
 * Status: LIE_ERR_INCOMPLETE, LIE_ERR_SIZE (dim outside 1 .. LIE_DIM_MAX, size < 1, or size > LIE_SIZE_MAX where dtau
 * is by differences). */
LIE_API lie_status lie_ops_complete(lie_ops *G);

/* The same checks, and which field was refused. Nothing is filled in; the report may be null. */
LIE_API lie_status lie_ops_explain(lie_report *report, const lie_ops *G);

/* M (dim x dim, row-major) = matrix of one of the four tangent operations, or of Ad / Adt / ad / adt.
 * Example: lie_ops_tangent_matrix(G, G->dtauinv, M, x). Status: that of the operation; LIE_ERR_SIZE. */
typedef lie_status lie_tangent_fn(const lie_ops *G, double *out, const double *x, const double *v);
typedef void lie_linear_fn(const lie_ops *G, double *out, const double *g, const double *v);
LIE_API lie_status lie_ops_tangent_matrix(const lie_ops *G, lie_tangent_fn *op, double *M, const double *x);
LIE_API lie_status lie_ops_linear_matrix(const lie_ops *G, lie_linear_fn *op, double *M, const double *g);

LIE_END_DECLS

#endif
