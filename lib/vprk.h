/* SPDX-License-Identifier: MIT */
/* vprk.h: what vprk.c and vprk_jacobian.c share: the equations being solved. Internal. */
#ifndef LIESTEP_LIB_VPRK_H
#define LIESTEP_LIB_VPRK_H

#include "newton.h"
#include "stepping.h"

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
    /* the step being solved */
    const node *at;
    double h;
} vprk;

/* f of the system at the fraction c of the substep, and its derivative in xi */
void lie__vprk_external(const vprk *w, double *f, double c, const double *g, const double *xi);
void lie__vprk_external_deriv(const vprk *w, double *E, double c, const double *g, const double *xi);

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
