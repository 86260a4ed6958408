/* SPDX-License-Identifier: MIT */
/* solve.h: how implicit equations are solved: what an iteration reports, and who solves its linear systems. */
#ifndef LIESTEP_SOLVE_H
#define LIESTEP_SOLVE_H

#include <liestep/status.h>

LIE_BEGIN_DECLS

/* How an implicit equation is solved: at most `cap` iterations (set by the caller), how many it took, and the residual
 * relative to the size of its terms. */
typedef struct lie_solve {
    int cap;
    int iterations;
    double residual;
} lie_solve;

/* Linear systems of Newton's method: A (n x n, row-major) is overwritten with its factors, pivots has n entries; factor
 * answers the sign of the determinant, 0 for a singular matrix. lie_linear_lapack (lapack.h, in liestep but not in
 * liestep-core) is faster from some tens of unknowns on; its bits depend on the processor. */
typedef struct lie_linear {
    int (*factor)(int n, double *A, int *pivots);
    void (*solve)(int n, const double *A, const int *pivots, double *b); /* b <- A^-1 b */
} lie_linear;

LIE_END_DECLS

#endif
