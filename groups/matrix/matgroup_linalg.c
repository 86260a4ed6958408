/* SPDX-License-Identifier: MIT */
/* matgroup_linalg.c: the dense linear algebra of the quadratic matrix groups, as thin covers of cblas and LAPACKE.
 *
 * Only LAPACKE's _work functions in column-major order are used: they allocate nothing. A row-major A is the
 * column-major A^T; its LU factors serve A and A^T alike, and (A^T)^-1 stored column-major is A^-1 stored row-major. */
#include "groups/matrix/matgroup_internal.h"

#include <math.h>
#include <string.h>

int lie__mg_in_range(size_t count, const double *v)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(v[i]) < 0x1p511)) return 0;
    return 1;
}

int lie__mg_finite(size_t count, const double *v)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(v[i])) return 0;
    return 1;
}

void lie__mg_fill_nan(size_t count, double *v)
{
    for (size_t i = 0; i < count; i++) v[i] = (double)NAN;
}

void lie__mg_copy(size_t count, double *out, const double *v)
{
    memmove(out, v, count * sizeof *out);
}

lie_status lie__mg_store(size_t count, double *out, const double *v)
{
    if (!lie__mg_finite(count, v)) return LIE_ERR_DOMAIN;
    lie__mg_copy(count, out, v);
    return LIE_OK;
}

double lie__mg_max(size_t count, const double *v)
{
    double m = 0;
    for (size_t i = 0; i < count; i++) m = fmax(m, fabs(v[i]));
    return m;
}

void lie__mg_set_identity(int N, double *A, double scale)
{
    memset(A, 0, (size_t)N * (size_t)N * sizeof *A);
    for (int i = 0; i < N; i++) A[i * (N + 1)] = scale;
}

void lie__mg_add_identity(int N, double *A, double scale)
{
    for (int i = 0; i < N; i++) A[i * (N + 1)] += scale;
}

double lie__mg_norm1(int N, const double *A)
{
    double m = 0;
    for (int j = 0; j < N; j++) m = fmax(m, cblas_dasum(N, A + j, N));
    return m;
}

double lie__mg_norm_inf(int N, const double *A)
{
    double m = 0;
    for (int i = 0; i < N; i++) m = fmax(m, cblas_dasum(N, A + (size_t)i * (size_t)N, 1));
    return m;
}

void lie__mg_mul(int N, double *out, const double *A, const double *B)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, A, N, B, N, 0, out, N);
}

void lie__mg_mul_tn(int N, double *out, const double *A, const double *B)
{
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, N, N, N, 1, A, N, B, N, 0, out, N);
}

void lie__mg_mul_nt(int N, double *out, const double *A, const double *B)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, N, N, N, 1, A, N, B, N, 0, out, N);
}

void lie__mg_apply(int N, double *out, const double *A, const double *v)
{
    cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1, A, N, v, 1, 0, out, 1);
}

lie_status lie__mg_factor(const lie_matgroup *M, int N, double *A)
{
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, N, N, A, N, M->pivot) == 0 ? LIE_OK : LIE_ERR_SINGULAR;
}

lie_status lie__mg_factor_checked(const lie_matgroup *M, int N, double *A, double *ws)
{
    double rcond = 0;
    double norm = lie__mg_norm_inf(N, A); /* the 1-norm of what LAPACK sees */
    if (!isfinite(norm) || lie__mg_factor(M, N, A) != LIE_OK) return LIE_ERR_SINGULAR;
    LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', N, A, N, norm, &rcond, ws, M->iwork);
    return rcond > N * DBL_EPSILON ? LIE_OK : LIE_ERR_SINGULAR;
}

void lie__mg_solve(const lie_matgroup *M, int N, const double *LU, int letter, int count, double *B)
{
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, (char)letter, N, count, LU, N, M->pivot, B, N);
}

lie_status lie__mg_invert(const lie_matgroup *M, int N, double *A, double *ws)
{
    lie_status status = lie__mg_factor_checked(M, N, A, ws);
    if (status == LIE_OK) LAPACKE_dgetri_work(LAPACK_COL_MAJOR, N, A, N, M->pivot, ws, 4 * N);
    return status;
}

int lie__mg_det_sign(const lie_matgroup *M, int N, const double *LU)
{
    int sign = 1;
    for (int i = 0; i < N; i++) {
        if (M->pivot[i] != i + 1) sign = -sign;
        if (LU[i * (N + 1)] < 0) sign = -sign;
    }
    return sign;
}
