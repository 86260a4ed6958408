/* SPDX-License-Identifier: MIT */
/* matgroup_schur.h: the complex Schur form, in which log and skew take roots. Internal. */
#ifndef LIESTEP_MATGROUP_SCHUR_H
#define LIESTEP_MATGROUP_SCHUR_H

#include "groups/matrix/matgroup_internal.h"

#include <complex.h>

typedef lapack_complex_double cplx;

static inline cplx *lie__mg_take_complex(double **ws, size_t count)
{
    return (cplx *)(void *)lie__mg_take(ws, 2 * count);
}

/* A = Q T Q^H, T upper triangular, both column-major. LIE_ERR_NO_CONVERGENCE. ws: 7 n. */
lie_status lie__mg_schur(const lie_matgroup *M, cplx *T, cplx *Q, const double *A, double *ws);
/* T <- its principal square root, for upper triangular T. */
void lie__mg_triangular_sqrt(int n, cplx *T);
/* X = Re(Q L Q^H), n x n. T is workspace, L too if it is T; ws: 2 n^2. */
void lie__mg_schur_back(const lie_matgroup *M, double *X, const cplx *Q, const cplx *L, cplx *T, double *ws);

#endif
