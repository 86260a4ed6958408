/* SPDX-License-Identifier: MIT */
/* lapack.c: dgetrf and dgetrs as a lie_linear. A row-major matrix is the transpose of a column-major one, so the
 * factors are those of A^T and the system is solved transposed: nothing is copied, nothing allocated.
 * Reference: Anderson et al., LAPACK Users' Guide, 1999. */
#include <liestep/lapack.h>

#include <lapacke.h>

static int factor(int n, double *A, int *pivots)
{
    int sign = 1;
    for (int i = 0; i < n * n; i++)
        if (!(A[i] - A[i] == 0.0)) return 0;
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivots) != 0) return 0;
    for (int i = 0; i < n; i++) {
        if (pivots[i] != i + 1) sign = -sign;
        if (A[i * n + i] < 0.0) sign = -sign;
    }
    return sign;
}

static void solve(int n, const double *A, const int *pivots, double *b)
{
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, A, n, pivots, b, n);
}

const lie_linear lie_linear_lapack = {factor, solve};
