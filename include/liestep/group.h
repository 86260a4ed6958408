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

#include <liestep/status.h>

LIE_BEGIN_DECLS

/* The largest algebra dimension of what works on the stack: products, series, the defaults of lie_ops_complete and the
 * matrix helpers (about 10 kB of it per level of nesting). R^n and the matrix groups have no such limit. */
#define LIE_DIM_MAX 32

typedef struct lie_ops lie_ops;

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
};

/* Number of built-in group x retraction pairs of fixed dimension, and the i-th of them (null outside 0 .. count-1).
 * R^n and products have a run-time dimension: see rn.h and product.h. */
LIE_API int lie_ops_builtin_count(void);
LIE_API const lie_ops *lie_ops_builtin(int i);

/* The built-in pair of that name, *out = pointer to static storage.
 * Status: LIE_ERR_UNKNOWN_NAME (also for a null name). */
LIE_API lie_status lie_ops_find(const lie_ops **out, const char *group, const char *retraction);

/* Fill the operations a user left null with exact defaults, in place.
 * Required: group, retraction, dim, size, identity, mul, inv, Ad, ad, tau.
 * Derived: Adt and adt by transposing; dtau, dtaut, dtau_body_deriv from the series of dexp in ad if `retraction` is
 * "exp" (required otherwise: dtau, dtau_body_deriv); dtauinv, dtauinvt by solving with the matrix of dtau; project
 * copies. tauinv may stay null: it is then reported as missing by what needs it.
 * Status: LIE_ERR_INCOMPLETE, LIE_ERR_SIZE (dim outside 1 .. LIE_DIM_MAX, or size < 1). */
LIE_API lie_status lie_ops_complete(lie_ops *G);

/* M (dim x dim, row-major) = matrix of one of the four tangent operations, or of Ad / Adt / ad / adt.
 * Example: lie_ops_tangent_matrix(G, G->dtauinv, M, x). Status: that of the operation; LIE_ERR_SIZE. */
typedef lie_status lie_tangent_fn(const lie_ops *G, double *out, const double *x, const double *v);
typedef void lie_linear_fn(const lie_ops *G, double *out, const double *g, const double *v);
LIE_API lie_status lie_ops_tangent_matrix(const lie_ops *G, lie_tangent_fn *op, double *M, const double *x);
LIE_API lie_status lie_ops_linear_matrix(const lie_ops *G, lie_linear_fn *op, double *M, const double *g);

LIE_END_DECLS

#endif
