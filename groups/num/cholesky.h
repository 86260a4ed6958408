/* SPDX-License-Identifier: MIT */
/* cholesky.h: small symmetric positive definite systems on the stack, A = L L^T. Internal.
 * Reference: Golub & Van Loan, Matrix Computations, 2013, section 4.2. */
#ifndef LIESTEP_LIB_CHOLESKY_H
#define LIESTEP_LIB_CHOLESKY_H

#include <math.h>

/* L (lower triangle, row-major n x n) of A; 0 if A is not positive definite to working precision or not finite. */
static inline int cholesky_factor(int n, double *L, const double *A)
{
    for (int j = 0; j < n; j++) {
        double d = A[j * n + j];
        for (int k = 0; k < j; k++) d -= L[j * n + k] * L[j * n + k];
        if (!(d > 0x1p-50 * fabs(A[j * n + j])) || !(d < HUGE_VAL)) return 0;
        L[j * n + j] = sqrt(d);
        for (int i = j + 1; i < n; i++) {
            double s = A[i * n + j];
            for (int k = 0; k < j; k++) s -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = s / L[j * n + j];
        }
    }
    return 1;
}

/* x <- A^-1 x */
static inline void cholesky_solve(int n, const double *L, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i]; // NOLINT(clang-analyzer-core.*): the factor has filled the lower triangle
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i]; // NOLINT(clang-analyzer-core.*)
    }
}

/* A^-1, row by row; 0 as above */
static inline int cholesky_inverse(int n, double *inverse, double *L, const double *A)
{
    if (!cholesky_factor(n, L, A)) return 0;
    for (int j = 0; j < n; j++) { /* column j = row j */
        for (int i = 0; i < n; i++) inverse[j * n + i] = i == j;
        cholesky_solve(n, L, inverse + j * n);
    }
    return 1;
}

#endif
