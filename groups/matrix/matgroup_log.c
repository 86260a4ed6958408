/* SPDX-License-Identifier: MIT */
/* matgroup_log.c: the principal logarithm of the quadratic matrix groups, by inverse scaling and squaring.
 *
 *   g = Q T Q^H                       complex Schur form
 *   R = T^(1/2^s), |R - 1| <= 1/4     square roots of triangular matrices (Bjorck & Hammarling 1983)
 *   log R = sum_j w_j Z (1 + t_j Z)^-1, Z = R - 1
 *                                     the diagonal Pade approximant of degree 8, as the Gauss-Legendre rule for
 *                                     log(1 + Z) = int_0^1 Z (1 + t Z)^-1 dt; its error here is below 2^-60
 *   x = vee Re(Q (2^s log R) Q^H)     with the diagonal replaced by the logarithms of the eigenvalues
 * followed by a Newton step x <- x + dexpinv_x vee(g exp(-x) - 1), which takes the round-off of the rest away and
 * finds out if exp(x) is not g. Near 1 the same rule is applied to the Cayley coordinates of g instead (log_near_one).
 *
 * The Schur form, rather than a square root iteration on g, is what keeps half-turns accurate. Let an eigenvalue be at
 * the angle pi - delta. log commutes with g -> J^-1 g^-T J, so errors off the group become errors off the algebra,
 * which vee removes: of an error e of g, only e along the group and (e/delta)^2 remain; more Newton steps remove the
 * latter.
 *
 * References: Higham, Functions of Matrices (2008), ch. 6 and Algorithm 11.9; Cheng, Higham, Kenney & Laub,
 * Approximating the logarithm of a matrix to specified accuracy, SIAM J. Matrix Anal. Appl. 22 (2001) 1112. */
#include "groups/matrix/matgroup_schur.h"

#include <math.h>

enum { MAX_ROOTS = 100, MAX_NEWTON = 8 };

/* Angles from the negative real axis: below the first, times n, there is no logarithm; below the second one Newton step
 * may not be enough. */
static const double cut_angle = 16 * DBL_EPSILON;
static const double near_angle = 1e-3;

/* The Gauss-Legendre rule with 8 nodes on [0, 1]: these nodes and weights, and 1 - node with the same weights. */
static const double node[4] = {0.019855071751231884158, 0.1016667612931866302, 0.23723379504183550709,
                               0.40828267875217509753};
static const double weight[4] = {0.050614268145188129576, 0.11119051722668723527, 0.15685332293894364367,
                                 0.18134189168918099148};

/* The least angle between an eigenvalue of T and the negative real axis. */
static double angle_from_cut(int n, const cplx *T)
{
    double least = 4;
    for (int i = 0; i < n; i++) {
        cplx z = T[i * (n + 1)];
        least = fmin(least, atan2(fabs(cimag(z)), -creal(z)));
    }
    return least;
}

/* |R - 1|_1 for upper triangular R. */
static double distance_from_one(int n, const cplx *R)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = cabs(R[j + j * n] - 1);
        for (int i = 0; i < j; i++) sum += cabs(R[i + j * n]);
        norm = fmax(norm, sum);
    }
    return norm;
}

/* L = sum_j w_j (1 + t_j Z)^-1 Z for upper triangular Z. ws: 4 n^2. */
static void pade_log(int n, cplx *L, const cplx *Z, double *ws)
{
    int nn = n * n;
    const cplx one = 1;
    cplx *D = lie__mg_take_complex(&ws, (size_t)nn);
    cplx *Y = lie__mg_take_complex(&ws, (size_t)nn);
    for (int i = 0; i < nn; i++) L[i] = 0;
    for (int k = 0; k < 8; k++) {
        double t = k < 4 ? node[k] : 1 - node[7 - k];
        double w = k < 4 ? weight[k] : weight[7 - k];
        for (int i = 0; i < nn; i++) D[i] = t * Z[i];
        for (int i = 0; i < n; i++) D[i * (n + 1)] += 1;
        for (int i = 0; i < nn; i++) Y[i] = w * Z[i];
        cblas_ztrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, n, n, &one, D, n, Y, n);
        for (int i = 0; i < nn; i++) L[i] += Y[i];
    }
}

/* L = log T, upper triangular. T is lost. ws: 4 n^2 + 2 n. */
static lie_status triangular_log(int n, cplx *L, cplx *T, double *ws)
{
    cplx *eigenlog = lie__mg_take_complex(&ws, (size_t)n);
    int s = 0;
    for (int i = 0; i < n; i++) eigenlog[i] = clog(T[i * (n + 1)]);
    for (; !(distance_from_one(n, T) <= 0.25); s++) {
        if (s == MAX_ROOTS) return LIE_ERR_DOMAIN;
        lie__mg_triangular_sqrt(n, T);
    }
    for (int i = 0; i < n; i++) T[i * (n + 1)] -= 1;
    pade_log(n, L, T, ws);
    for (int i = 0; i < n * n; i++) L[i] = ldexp(1, s) * L[i];
    for (int i = 0; i < n; i++) L[i * (n + 1)] = eigenlog[i];
    return LIE_OK;
}

/* x = vee Re(Q L Q^H). T is workspace; ws: 3 n^2. */
static void back_to_algebra(const lie_matgroup *M, double *x, const cplx *Q, const cplx *L, cplx *T, double *ws)
{
    double *X = lie__mg_take(&ws, lie__mg_nn(M));
    lie__mg_schur_back(M, X, Q, L, T, ws);
    lie__mg_vee(M, x, X, ws);
}

/* A Newton step for g = exp(x), *step = its size. LIE_ERR_DOMAIN if exp(x) is not near g. If g is large, the step would
 * cost more digits than it brings and is left out, unless forced. */
static lie_status newton_step(const lie_matgroup *M, double *x, const double *g, int forced, double *step, double *ws)
{
    size_t nn = lie__mg_nn(M);
    double *X = lie__mg_take(&ws, nn);
    double *P = lie__mg_take(&ws, nn);
    double *r = lie__mg_take(&ws, (size_t)M->dim);
    lie__mg_hat(M, X, x, ws);
    cblas_dscal((int)nn, -1, X, 1);
    lie_status status = lie__mg_expm1(M, P, X, ws);
    if (status != LIE_OK) return status;
    lie__mg_add_identity(M->n, P, 1); /* exp(-x) */
    double condition = lie__mg_norm1(M->n, g) * lie__mg_norm1(M->n, P);
    lie__mg_mul(M->n, X, g, P);
    lie__mg_add_identity(M->n, X, -1);
    if (!(lie__mg_norm1(M->n, X) <= 1e-3 * condition)) return LIE_ERR_DOMAIN;
    if (!forced && condition > 1e3) return LIE_OK;
    lie__mg_vee(M, r, X, ws);
    status = lie__mg_dexpinv(M, r, x, LIE__MG_PLAIN, ws);
    if (status == LIE_OK) cblas_daxpy(M->dim, 1, r, 1, x, 1);
    *step = lie__mg_max((size_t)M->dim, r);
    return status;
}

/* One Newton step, or near the cut as many as it takes until the next would change nothing. */
static lie_status polish(const lie_matgroup *M, double *x, const double *g, int near_cut, double *ws)
{
    double step = 0;
    lie_status status = newton_step(M, x, g, near_cut, &step, ws);
    for (int k = 1; near_cut && status == LIE_OK && step > 1e-9 * lie__mg_max((size_t)M->dim, x); k++) {
        if (k == MAX_NEWTON) return LIE_ERR_DOMAIN;
        status = newton_step(M, x, g, 1, &step, ws);
    }
    return status;
}

/* x = log g = 2 artanh(Y), Y = caylog(g)/2, for g near 1. The same rule, on [-1, 1]: log g = int Y (1 + t Y)^-1 dt.
 * Keeps the relative accuracy of g - 1. ws: 5 n^2 + 4 n. */
static lie_status log_near_one(const lie_matgroup *M, double *x, const double *g, double *ws)
{
    size_t nn = lie__mg_nn(M);
    double *Y = lie__mg_take(&ws, nn);
    double *Y2 = lie__mg_take(&ws, nn);
    double *sum = lie__mg_take(&ws, nn);
    double *B = lie__mg_take(&ws, nn);
    double *A = lie__mg_take(&ws, nn);
    lie_status status = lie__mg_caylog(M, x, g, Y);
    if (status != LIE_OK) return status;
    lie__mg_hat(M, Y, x, Y2);
    cblas_dscal((int)nn, 0.5, Y, 1);
    lie__mg_mul(M->n, Y2, Y, Y);
    lie__mg_set_identity(M->n, sum, 0);
    for (int k = 0; k < 4; k++) { /* the nodes t and -t together: 2 Y (1 - t^2 Y^2)^-1 */
        double t = 1 - 2 * node[k];
        for (size_t i = 0; i < nn; i++) A[i] = -t * t * Y2[i];
        lie__mg_add_identity(M->n, A, 1);
        lie__mg_copy(nn, B, Y);
        status = lie__mg_divide(M, B, A, ws);
        if (status != LIE_OK) return status;
        cblas_daxpy((int)nn, 4 * weight[k], B, 1, sum, 1);
    }
    lie__mg_vee(M, x, sum, ws);
    return LIE_OK;
}

/* x = log g by the Schur form. */
static lie_status log_schur(const lie_matgroup *M, double *x, const double *g, double *ws)
{
    size_t nn = lie__mg_nn(M);
    double *all = ws;
    cplx *T = lie__mg_take_complex(&ws, nn);
    cplx *Q = lie__mg_take_complex(&ws, nn);
    cplx *L = lie__mg_take_complex(&ws, nn);
    lie__mg_inv(M, all + nn, g, all);
    if (!(lie__mg_norm1(M->n, g) * lie__mg_norm1(M->n, all + nn) <= LIE_MATGROUP_LOG_MAX)) return LIE_ERR_DOMAIN;
    lie_status status = lie__mg_schur(M, T, Q, g, ws);
    if (status != LIE_OK) return status;
    double angle = angle_from_cut(M->n, T);
    if (!(angle > cut_angle * M->n)) return LIE_ERR_DOMAIN;
    status = triangular_log(M->n, L, T, ws);
    if (status != LIE_OK) return status;
    back_to_algebra(M, x, Q, L, T, ws);
    return polish(M, x, g, angle < near_angle, all);
}

lie_status lie_matgroup_log(const lie_matgroup *M, double *x, const double *g)
{
    double *ws = M->scratch;
    double *r = lie__mg_take(&ws, (size_t)M->dim);
    lie_status status = lie__mg_check_member(M, g, ws);
    if (status != LIE_OK) return status;
    lie__mg_copy(lie__mg_nn(M), ws, g);
    lie__mg_add_identity(M->n, ws, -1);
    status = lie__mg_norm1(M->n, ws) <= 0.25 ? log_near_one(M, r, g, ws) : log_schur(M, r, g, ws);
    return status == LIE_OK ? lie__mg_store((size_t)M->dim, x, r) : status;
}
