/* SPDX-License-Identifier: MIT */
/* matgroup_skew.c: the skew map of the quadratic matrix groups,
 *
 *   x = skewlog(g) = (g - g^-1)/2          g = skew(x) = x + r,   r = (1 + x^2)^(1/2), the principal root.
 *
 * r commutes with x and r^2 - x^2 = 1, so g^-1 = r - x = J^-1 g^T J: g is in the group. With x = sinh y it is exp(y):
 * skew is exp after the principal arsinh. For J = 1, g^-1 = g^T, and x is the antisymmetric part of g.
 *   r comes from the Schur form x = Q T Q^H, r = Q (1 + T^2)^(1/2) Q^H, and then once more through
 *   r - 1 = x^2 (1 + r)^-1, which keeps the relative accuracy of g - 1 near 1.
 * Tangent: D skewlog(g) (y g) = (y g + g^-1 y)/2 = dskewinv_x y, on K = J y
 *   K -> (K g + g^T K)/2,   the formula of ad_x, K -> -(K x + x^T K), with g for x, times -1/2; likewise the dual.
 * It is regular wherever the principal root exists: in eigenvectors of g its values are (e^a + e^b)/2 with
 * |Im a|, |Im b| < pi/2. dskew_x solves with its matrix. From dskewinv_{-x} w = psi,
 *   d(dskew_{-x} psi) = D C D dx,   D = dskew_{-x},   C: v -> the algebra's part of K_w J^-1 K_v skew(-x).
 *
 * Cost: n^3 for skew and dskewinv, the others factor a matrix of dim x dim.
 *
 * References: Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups I (2009), (4.27), Theorem 4.10, there
 * for SO(n); Higham, Functions of Matrices (2008), ch. 6. */
#include "groups/matrix/matgroup_schur.h"

#include <math.h>

/* Distance of z from the closed negative real axis. */
static double distance_from_cut(cplx z)
{
    return creal(z) > 0 ? cabs(z) : fabs(cimag(z));
}

/* r = (1 + X^2)^(1/2). LIE_ERR_DOMAIN if there is no principal root to working precision. ws: 8 n^2 + 7 n. */
static lie_status principal_root(const lie_matgroup *M, double *r, const double *X, double *ws)
{
    int n = M->n;
    const cplx one = 1;
    size_t nn = lie__mg_nn(M);
    cplx *T = lie__mg_take_complex(&ws, nn);
    cplx *Q = lie__mg_take_complex(&ws, nn);
    cplx *R = lie__mg_take_complex(&ws, nn);
    double size = fmax(1, lie__mg_norm1(n, X));
    lie_status status = lie__mg_schur(M, T, Q, X, ws);
    if (status != LIE_OK) return status;
    for (size_t i = 0; i < nn; i++) R[i] = T[i];
    cblas_ztrmm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, n, n, &one, T, n, R, n);
    for (int i = 0; i < n; i++) {
        R[i * (n + 1)] += 1;
        if (!(distance_from_cut(R[i * (n + 1)]) > 16 * n * DBL_EPSILON * size * size)) return LIE_ERR_DOMAIN;
    }
    lie__mg_triangular_sqrt(n, R);
    lie__mg_schur_back(M, r, Q, R, T, ws);
    return LIE_OK;
}

/* q = (1 + X^2)^(1/2) - 1, with q = J^-1 q^T J. ws: 9 n^2 + 7 n. */
static lie_status root_less_one(const lie_matgroup *M, double *q, const double *X, double *ws)
{
    size_t nn = lie__mg_nn(M);
    double *r = lie__mg_take(&ws, nn);
    lie_status status = principal_root(M, r, X, ws);
    if (status != LIE_OK) return status;
    lie__mg_add_identity(M->n, r, 1);
    lie__mg_mul(M->n, q, X, X);
    status = lie__mg_divide(M, q, r, ws);
    if (status != LIE_OK) return status;
    lie__mg_inv(M, r, q, ws);
    for (size_t i = 0; i < nn; i++) q[i] = 0.5 * (q[i] + r[i]);
    return LIE_OK;
}

/* g = skew(sign x). ws: 10 n^2 + 7 n. */
static lie_status skew(const lie_matgroup *M, double *g, const double *x, double sign, double *ws)
{
    double *X = lie__mg_take(&ws, lie__mg_nn(M));
    if (!lie__mg_in_range((size_t)M->dim, x)) return LIE_ERR_NOT_FINITE;
    lie__mg_hat(M, X, x, ws);
    lie_status status = root_less_one(M, g, X, ws);
    if (status != LIE_OK) return status;
    cblas_daxpy((int)lie__mg_nn(M), sign, X, 1, g, 1);
    lie__mg_add_identity(M->n, g, 1);
    return LIE_OK;
}

lie_status lie_matgroup_skew(const lie_matgroup *M, double *g, const double *x)
{
    double *ws = M->scratch;
    double *r = lie__mg_take(&ws, lie__mg_nn(M));
    lie_status status = skew(M, r, x, 1, ws);
    return status == LIE_OK ? lie__mg_store(lie__mg_nn(M), g, r) : status;
}

/* Are the eigenvalues of (g + g^-1)/2, of which skew takes the principal root, in the right half-plane?
 * ws: 5 n^2 + 7 n. */
static lie_status check_reach(const lie_matgroup *M, const double *g, double *ws)
{
    size_t nn = lie__mg_nn(M);
    double *C = lie__mg_take(&ws, nn);
    cplx *T = lie__mg_take_complex(&ws, nn);
    cplx *Q = lie__mg_take_complex(&ws, nn);
    lie__mg_inv(M, C, g, ws);
    for (size_t i = 0; i < nn; i++) C[i] = 0.5 * (C[i] + g[i]);
    lie_status status = lie__mg_schur(M, T, Q, C, ws);
    if (status != LIE_OK) return status;
    double least = 16 * M->n * DBL_EPSILON * fmax(1, lie__mg_norm1(M->n, C));
    for (int i = 0; i < M->n; i++)
        if (!(creal(T[i * (M->n + 1)]) > least)) return LIE_ERR_DOMAIN;
    return LIE_OK;
}

lie_status lie_matgroup_skewlog(const lie_matgroup *M, double *x, const double *g)
{
    double *ws = M->scratch;
    double *r = lie__mg_take(&ws, (size_t)M->dim);
    lie_status status = lie__mg_check_member(M, g, ws);
    if (status == LIE_OK) status = check_reach(M, g, ws);
    if (status != LIE_OK) return status;
    lie__mg_vee(M, r, g, ws);
    return lie__mg_store((size_t)M->dim, x, r);
}

/* dskewinv_x v or its transpose: ad with g for x, times -1/2. */
static lie_status dskewinv(const lie_matgroup *M, double *out, const double *x, const double *v, int dual)
{
    size_t dim = (size_t)M->dim;
    double *ws = M->scratch;
    double *g = lie__mg_take(&ws, lie__mg_nn(M));
    double *r = lie__mg_take(&ws, dim);
    if (!lie__mg_in_range(dim, v)) return LIE_ERR_NOT_FINITE;
    lie_status status = skew(M, g, x, 1, ws);
    if (status != LIE_OK) return status;
    (dual ? lie__mg_adt : lie__mg_ad)(M, r, g, v, ws);
    cblas_dscal(M->dim, -0.5, r, 1);
    return lie__mg_store(dim, out, r);
}

lie_status lie_matgroup_dskewinv(const lie_matgroup *M, double *out, const double *x, const double *v)
{
    return dskewinv(M, out, x, v, 0);
}

lie_status lie_matgroup_dskewinvt(const lie_matgroup *M, double *out, const double *x, const double *m)
{
    return dskewinv(M, out, x, m, 1);
}

/* A = the matrix of dskewinv at sign x, g = skew(sign x). ws: 10 n^2 + 7 n. */
static lie_status inverse_matrix(const lie_matgroup *M, double *A, double *g, const double *x, double sign, double *ws)
{
    lie_status status = skew(M, g, x, sign, ws);
    if (status != LIE_OK) return status;
    lie__mg_ad_matrix(M, A, g);
    cblas_dscal((int)lie__mg_dd(M), -0.5, A, 1);
    return LIE_OK;
}

static lie_status dskew(const lie_matgroup *M, double *out, const double *x, const double *v, int letter)
{
    size_t dim = (size_t)M->dim;
    double *ws = M->scratch;
    double *A = lie__mg_take(&ws, lie__mg_dd(M));
    double *r = lie__mg_take(&ws, dim);
    if (!lie__mg_in_range(dim, v)) return LIE_ERR_NOT_FINITE;
    lie__mg_copy(dim, r, v);
    double *g = lie__mg_take(&ws, lie__mg_nn(M));
    lie_status status = inverse_matrix(M, A, g, x, 1, ws);
    if (status != LIE_OK) return status;
    if (lie__mg_factor_checked(M, M->dim, A, ws) != LIE_OK) return LIE_ERR_DOMAIN;
    lie__mg_solve(M, M->dim, A, letter, 1, r);
    return lie__mg_store(dim, out, r);
}

lie_status lie_matgroup_dskew(const lie_matgroup *M, double *out, const double *x, const double *v)
{
    return dskew(M, out, x, v, LIE__MG_PLAIN);
}

lie_status lie_matgroup_dskewt(const lie_matgroup *M, double *out, const double *x, const double *m)
{
    return dskew(M, out, x, m, LIE__MG_TRANSPOSED);
}

static lie_status tangent_matrix(const lie_matgroup *M, double *out, const double *x, int inverted)
{
    double *ws = M->scratch;
    double *A = lie__mg_take(&ws, lie__mg_dd(M));
    double *g = lie__mg_take(&ws, lie__mg_nn(M));
    lie_status status = inverse_matrix(M, A, g, x, 1, ws);
    if (status == LIE_OK && inverted && lie__mg_invert(M, M->dim, A, ws) != LIE_OK) status = LIE_ERR_DOMAIN;
    return status == LIE_OK ? lie__mg_store(lie__mg_dd(M), out, A) : status;
}

lie_status lie_matgroup_dskew_matrix(const lie_matgroup *M, double *out, const double *x)
{
    return tangent_matrix(M, out, x, 1);
}

lie_status lie_matgroup_dskewinv_matrix(const lie_matgroup *M, double *out, const double *x)
{
    return tangent_matrix(M, out, x, 0);
}

/* C: column k is the algebra's part of R K_k P, R = K_w J^-1. ws: 3 n^2 + dim. */
static void product_matrix(const lie_matgroup *M, double *C, const double *w, const double *P, double *ws)
{
    double *R = lie__mg_take(&ws, lie__mg_nn(M));
    double *T = lie__mg_take(&ws, lie__mg_nn(M));
    double *r = lie__mg_take(&ws, (size_t)M->dim);
    lie__mg_unpack(M, T, w, 1);
    lie__mg_mul(M->n, R, T, M->Jinv);
    int k = 0;
    for (int i = 0; i < M->n; i++)
        for (int j = 0; j < (M->sigma > 0 ? i + 1 : i); j++, k++) {
            lie__mg_basis_product(M, T, R, P, i, j);
            lie__mg_pack(M, r, T, 0.5, 0.5);
            lie__mg_put_column(M, C, k, r);
        }
}

lie_status lie_matgroup_dskew_body_deriv(const lie_matgroup *M, double *out, const double *x, const double *psi)
{
    size_t dim = (size_t)M->dim;
    double *ws = M->scratch;
    double *D = lie__mg_take(&ws, lie__mg_dd(M));
    double *C = lie__mg_take(&ws, lie__mg_dd(M));
    double *CD = lie__mg_take(&ws, lie__mg_dd(M));
    double *P = lie__mg_take(&ws, lie__mg_nn(M));
    double *w = lie__mg_take(&ws, dim);
    if (!lie__mg_in_range(dim, psi)) return LIE_ERR_NOT_FINITE;
    lie_status status = inverse_matrix(M, D, P, x, -1, ws);
    if (status != LIE_OK) return status;
    if (lie__mg_invert(M, M->dim, D, ws) != LIE_OK) return LIE_ERR_DOMAIN;
    lie__mg_apply(M->dim, w, D, psi);
    product_matrix(M, C, w, P, ws);
    lie__mg_mul(M->dim, CD, C, D);
    lie__mg_mul(M->dim, C, D, CD);
    return lie__mg_store(lie__mg_dd(M), out, C);
}
