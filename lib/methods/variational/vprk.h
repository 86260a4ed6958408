/* SPDX-License-Identifier: MIT */
/* vprk.h: what vprk.c and vprk_jacobian.c share: the equations being solved. Internal. */
#ifndef LIESTEP_LIB_VPRK_H
#define LIESTEP_LIB_VPRK_H

#include "groups/num/newton.h"
#include "lib/methods/gyrostat.h"
#include "lib/methods/stepping.h"
#include "lib/methods/variational/external.h"

/* n x n matrices of a Jacobian; the truncated form has the chart at the start and does without the last of them */
enum { MATRICES = 23, MATRICES_TRUNCATED = 20 };

/* In the work memory, followed by what the pointers point to. */
typedef struct vprk {
    const lie_stepper *st;
    int full;      /* untruncated */
    double anchor; /* of the chart: 0 at the start of the step, 1/2 in its middle */
    int s, n;
    double *psi;   /* s x n: the unknowns */
    double *Q, *D; /* s x n */
    /* of the last evaluation, n each: the whole step h sum_j b_j psi_j; its end in the chart, (1 - anchor)
     * theta; m; the impulses, where the anchor is not the start; and P, what there is of both at the anchor */
    double *theta, *v, *m, *impulses, *P;
    double *a; /* the element at the anchor */
    double *M; /* n x n scratch */
    double *W; /* s of n x n, where the anchor is not the start */
    double *u; /* controls */
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
    double *L;               /* (dtau_v)^T of the end of the step */
    double *A, *F_a;         /* Ad_{tau(-theta)}; F_g A */
    double *Q_a, *D_a, *P_a; /* along the anchor, in its body frame: in the places of X, F_g, H */
    double *S, *Z;           /* how the anchor moves with theta; P along the anchor */
    double *N_F;
} vprk_slopes;

/* One substep, the long way. */
lie_substep_fn lie__vprk_substep;

vprk_slopes lie__vprk_split(const vprk *w);
/* Q_psi to P_theta, B, M of stage i, and Q_a, D_a, P_a if the anchor moves with psi or `fine` is set */
lie_status lie__vprk_stage_slopes(const vprk *w, const vprk_slopes *K, int i, const double *psi);
/* S: the anchor moves by S dtheta in its body frame. Z: eta -> ad*_eta n of the momentum n that has come there. */
lie_status lie__vprk_anchor_slopes(const vprk *w, const vprk_slopes *K);

/* The substep being solved */
LIE_INLINE forcing forcing_of(const vprk *w)
{
    return (forcing){w->st, w->at, w->h, w->u};
}

/* theta to P, a, Q and D of the solution psi, which was found before */
lie_status lie__vprk_evaluate(vprk *w);

/* a_ij - anchor b_j: the tableau as seen from the anchor */
LIE_INLINE double stage_weight(const vprk *w, int i, int j)
{
    const lie_tableau *tab = w->st->tableau;
    return tab->A[i * w->s + j] - w->anchor * tab->b[j];
}

/* p = anchor m + (1 - anchor) P, of which lambda = (dtau_v)^T p */
LIE_INLINE void mean_momentum(const vprk *w, double *p)
{
    for (int k = 0; k < w->n; k++)
        p[k] = w->anchor == 0.0 ? w->P[k] : w->anchor * w->m[k] + (1.0 - w->anchor) * w->P[k];
}

/* theta_i = h sum_j (a_ij - anchor b_j) psi_j */
LIE_INLINE void stage_coordinate(const vprk *w, double *theta, int i, const double *psi)
{
    for (int k = 0; k < w->n; k++) theta[k] = 0.0;
    for (int j = 0; j < w->s; j++)
        for (int k = 0; k < w->n; k++) theta[k] += w->h * stage_weight(w, i, j) * psi[j * w->n + k];
}

newton_jacobian lie__vprk_jacobian;

#endif
