/* SPDX-License-Identifier: MIT */
/* tableau.h: Runge-Kutta tableaux and symmetric compositions, as data with their sources.
 *
 *   tableau        A (stages x stages, row-major), weights b, not 0 for a variational method, abscissae c = A 1;
 *                  an embedded pair has second weights of a lower order, whose difference from b estimates the error,
 *                  and may have an interpolant: weights b_i(s) = D_i1 s + ... + D_ik s^k at the fraction s of the step
 *   composition    coefficients c_1 ... c_k, c_i = c_{k+1-i}, sum 1: the method Phi_{c_k h} o ... o Phi_{c_1 h} of a
 *                  self-adjoint Phi_h of order 2 has the order named
 *   splitting      kicks b_1 h, ..., b_{s+1} h, free steps a_1 h, ..., a_s h between them, both palindromes
 *
 * The numbers stand in lib/methods/tables/tableaux.def, lib/methods/tables/compositions.def and splittings.def. */
#ifndef LIESTEP_TABLEAU_H
#define LIESTEP_TABLEAU_H

#include <liestep/status.h>

LIE_BEGIN_DECLS

enum { LIE_STAGES_MAX = 16 };

typedef struct lie_tableau {
    const char *name;   /* "gauss2" */
    int stages;         /* 1 .. LIE_STAGES_MAX */
    int order;          /* of the Runge-Kutta method on a flat space */
    const double *A;    /* stages x stages, row-major */
    const double *b;    /* weights */
    const double *c;    /* abscissae */
    const char *source; /* author, year, equation or table */
    /* What follows may stay null: an embedded pair */
    const double *embedded; /* weights of the estimate */
    int embedded_order;     /* of these */
    const double *dense;    /* D, stages x degree, row-major; b_i(1) = b_i */
    int degree;             /* k */
    int dense_order;        /* uniformly in s */
} lie_tableau;

LIE_API int lie_tableau_builtin_count(void);
LIE_API const lie_tableau *lie_tableau_builtin(int i); /* null outside 0 .. count-1 */
LIE_API lie_status lie_tableau_find(const lie_tableau **out, const char *name);

/* 1 if every stage follows from those before it: a_ij = 0 for j >= i */
LIE_API int lie_tableau_is_explicit(const lie_tableau *tab);
/* 1 if it is its own mirror image, to rounding: a_ij + a_{s+1-i,s+1-j} = b_j and c_i + c_{s+1-i} = 1 (Hairer, Lubich &
 * Wanner 2006, theorem V.2.3) */
LIE_API int lie_tableau_is_symmetric(const lie_tableau *tab);

typedef struct lie_composition {
    const char *name;    /* "suzuki4" */
    int order;           /* with a self-adjoint method of order 2 */
    int stages;          /* number of substeps */
    const double *gamma; /* their lengths in units of h */
    const char *source;
} lie_composition;

LIE_API int lie_composition_builtin_count(void);
LIE_API const lie_composition *lie_composition_builtin(int i);
LIE_API lie_status lie_composition_find(const lie_composition **out, const char *name);

typedef struct lie_splitting {
    const char *name; /* "bm4" */
    int order;
    int nystroem; /* needs a kinetic energy that is quadratic in the momenta and free steps that are its exact flow */
    int stages;   /* number of free steps: a_i = a_{s+1-i}, b_i = b_{s+2-i} */
    const double *b; /* the first (stages + 2)/2 kicks */
    const double *a; /* the first (stages + 1)/2 free steps */
    const double *g; /* null, or gradients: the kicks are b_i h F + g_i h^3 D^T I^-1 F, D the derivative of F */
    const char *source;
} lie_splitting;

LIE_API int lie_splitting_builtin_count(void);
LIE_API const lie_splitting *lie_splitting_builtin(int i);
LIE_API lie_status lie_splitting_find(const lie_splitting **out, const char *name);

LIE_END_DECLS

#endif
