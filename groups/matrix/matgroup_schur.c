/* SPDX-License-Identifier: MIT */
/* matgroup_schur.c: the complex Schur form A = Q T Q^H of a real matrix and the square root of a triangular one,
 *   R_jj = T_jj^(1/2),   R_ij = (T_ij - sum_{i<k<j} R_ik R_kj) / (R_ii + R_jj).
 *
 * Reference: Bjorck & Hammarling, A Schur method for the square root of a matrix, Linear Algebra Appl. 52/53 (1983)
 * 127. */
#include "groups/matrix/matgroup_schur.h"

lie_status lie__mg_schur(const lie_matgroup *M, cplx *T, cplx *Q, const double *A, double *ws)
{
    int n = M->n;
    lapack_int none = 0;
    cplx *w = lie__mg_take_complex(&ws, (size_t)n);
    cplx *work = lie__mg_take_complex(&ws, 2 * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) T[i + j * n] = A[i * n + j];
    int info = LAPACKE_zgees_work(LAPACK_COL_MAJOR, 'V', 'N', NULL, n, T, n, &none, w, Q, n, work, 2 * n, ws, NULL);
    return info == 0 ? LIE_OK : LIE_ERR_NO_CONVERGENCE;
}

void lie__mg_triangular_sqrt(int n, cplx *T)
{
    for (int j = 0; j < n; j++) {
        T[j + j * n] = csqrt(T[j + j * n]);
        for (int i = j - 1; i >= 0; i--) {
            cplx sum = T[i + j * n];
            for (int k = i + 1; k < j; k++) sum -= T[i + k * n] * T[k + j * n];
            T[i + j * n] = sum / (T[i + i * n] + T[j + j * n]);
        }
    }
}

void lie__mg_schur_back(const lie_matgroup *M, double *X, const cplx *Q, const cplx *L, cplx *T, double *ws)
{
    int n = M->n;
    const cplx one = 1;
    const cplx zero = 0;
    cplx *LQ = lie__mg_take_complex(&ws, (size_t)n * (size_t)n);
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasConjTrans, n, n, n, &one, L, n, Q, n, &zero, LQ, n);
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, &one, Q, n, LQ, n, &zero, T, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) X[i * n + j] = creal(T[i + j * n]);
}
