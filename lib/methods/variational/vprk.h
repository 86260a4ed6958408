/* SPDX-License-Identifier: MIT */
/* vprk.h: what vprk.c and vprk_jacobian.c share: the equations being solved. Internal. */
#ifndef LIESTEP_LIB_VPRK_H
#define LIESTEP_LIB_VPRK_H

#include "groups/num/newton.h"
#include "lib/methods/gyrostat.h"
#include "lib/methods/stepping.h"
#include "lib/methods/variational/external.h"

enum { MATRICES = 18 };

/* In the work memory, followed by what the pointers point to. */
typedef struct vprk {
    const lie_stepper *st;
    int full; /* untruncated */
    int s, n;
    double *psi;   /* s x n: the unknowns */
    double *Q, *D; /* s x n */
    double *theta; /* n: the whole step, of the last evaluation */
    double *P;     /* n */
    double *M;     /* n x n scratch */
    double *u;     /* controls */
    double *newton_work;
    int is_short; /* vprk_gyrostat.c */
    gyrostat body;
    /* the step being solved */
    const lie_place *at;
    double h;
    int fine; /* derivatives to round-off, not only good enough for Newton's method */
} vprk;

/* The derivatives of one stage, and scratch: MATRICES of n x n. */
typedef struct vprk_slopes {
    double *Q_psi, *Q_theta, *D_psi, *D_theta, *P_psi, *P_theta;
    double *B, *M, *H, *X, *F_g, *N, *mu_psi, *mu_theta, *F_psi, *F_theta, *scratch;
    double *L; /* (dtau_theta)^T of the whole step */
} vprk_slopes;

/* One substep, the long way. */
lie_substep_fn lie__vprk_substep;

vprk_slopes lie__vprk_split(const vprk *w);
/* Q_psi to P_theta, B, M, X of stage i */
lie_status lie__vprk_stage_slopes(const vprk *w, const vprk_slopes *K, int i, const double *psi);

/* The substep being solved */
LIE_INLINE forcing forcing_of(const vprk *w)
{
    return (forcing){w->st, w->at, w->h, w->u};
}

/* theta, P, Q and D of the solution psi, which was found before */
lie_status lie__vprk_evaluate(vprk *w);

/* theta_i = h sum_j a_ij psi_j */
LIE_INLINE void stage_coordinate(const vprk *w, double *theta, int i, const double *psi)
{
    const lie_tableau *tab = w->st->tableau;
    for (int k = 0; k < w->n; k++) theta[k] = 0.0;
    for (int j = 0; j < w->s; j++)
        for (int k = 0; k < w->n; k++) theta[k] += w->h * tab->A[i * w->s + j] * psi[j * w->n + k];
}

newton_jacobian lie__vprk_jacobian;

#endif
