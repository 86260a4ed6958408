/* SPDX-License-Identifier: MIT */
/* matgroup_exp.c: the exponential of the quadratic matrix groups and its tangent dexp_x = phi_1(ad_x).
 *
 * phi_1(A) = (e^A - 1) A^-1 carries everything: e^A = 1 + A phi_1(A). The diagonal Pade approximant of degree m is
 * r = (V - U)^-1 (V + U) with U = A W and V, W even polynomials, so that phi_1(A) = 2 (V - U)^-1 W without
 * cancellation (Higham 2005, section 2, for V and W; m = 3, 5, 7, 13). Doubling, with E = e^A - 1:
 *   E(2A) = 2 E + E^2        phi_1(2A) = phi_1(A) + phi_1(A) E / 2
 *
 * dexp_x v without a matrix: a Taylor sum of phi_1 in ad_{x/2^s}, then s times v <- (v + Ad_g v)/2 and g <- g^2, from
 * g = exp(x/2^s). All factors are functions of ad_x and commute, so the transpose is the same with adt and Adt.
 *
 * d/dx (phi_1(ad_x) psi) goes the same way: from d(ad_x p) = ad_x dp - ad_p dx for the Taylor terms and
 * d(Ad_g w) = Ad_g dw - ad_{Ad_g w} dexp_x dx (Jimenez 2012, Lemma 6.6.2) for the doubling. No differences are taken.
 *
 * References: Higham, The scaling and squaring method for the matrix exponential revisited, SIAM J. Matrix Anal. Appl.
 * 26 (2005) 1179; Higham, Functions of Matrices (2008), ch. 10; Bou-Rabee & Marsden (2009), (4.22). */
#include "groups/matrix/matgroup_internal.h"

#include <math.h>

enum { MAX_TERMS = 25 }; /* of a Taylor sum with |A| <= 1: the last is below 1e-25 */

/* Scale A to |A| <= 1; the power of two it was divided by. */
static int scale_to_one(size_t count, double *A, double norm)
{
    int s = 0;
    frexp(norm, &s);
    if (s <= 0) return 0;
    cblas_dscal((int)count, ldexp(1, -s), A, 1);
    return s;
}

/* Degree m and scaling A/2^s for |A| = norm. Up to these norms the approximant has a backward error below 2^-53
 * (theta_m of Higham 2008, Table 10.2: 1.5e-2, 2.5e-1, 9.5e-1, 5.4), with a margin that keeps phi_1 as accurate. */
static int pade_degree(double norm, int *s)
{
    const double theta13 = 4.7;
    *s = 0;
    if (norm <= 1.0e-2) return 3;
    if (norm <= 2.0e-1) return 5;
    if (norm <= 7.8e-1) return 7;
    if (norm > theta13) frexp(norm / theta13, s);
    return 13;
}

/* b_j = (2m - j)! m! / ((2m)! j! (m - j)!), j = 0 .. 13, zero beyond m (Higham 2005, section 2, scaled to b_0 = 1). */
static void pade_coefficients(double b[14], int m)
{
    b[0] = 1;
    for (int j = 1; j < 14; j++) b[j] = j > m ? 0 : b[j - 1] * (m - j + 1) / (j * (2 * m - j + 1));
}

/* out = c0 1 + c2 A2 + c4 A4 + c6 A6; powers whose coefficient is zero are not read. */
static void even_polynomial(int N, double *out, const double c[4], const double *const power[3])
{
    lie__mg_set_identity(N, out, c[0]);
    for (int i = 0; i < 3; i++)
        if (c[i + 1] != 0) cblas_daxpy(N * N, c[i + 1], power[i], 1, out, 1);
}

/* out = the even polynomial sum c_i A^2i, i = 0 .. 6, of which i > 3 only with m = 13. T: N^2. */
static void split_polynomial(int N, double *out, const double c[7], const double *const power[3], double *T)
{
    even_polynomial(N, out, c, power);
    if (c[6] == 0) return;
    const double high[4] = {0, c[4], c[5], c[6]};
    even_polynomial(N, T, high, power);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, power[2], N, T, N, 1, out, N);
}

/* For A <- A/2^s, s chosen here: Phi = phi_1(A), E = e^A - 1. ws: 5 N^2. */
static lie_status phi1_scaled(const lie_matgroup *M, int N, double *Phi, double *E, double *A, int *s, double *ws)
{
    size_t NN = (size_t)N * (size_t)N;
    double b[14];
    double *A2 = lie__mg_take(&ws, NN);
    double *A4 = lie__mg_take(&ws, NN);
    double *A6 = lie__mg_take(&ws, NN);
    double *V = lie__mg_take(&ws, NN);
    double *T = lie__mg_take(&ws, NN);
    const double *const power[3] = {A2, A4, A6};
    int m = pade_degree(lie__mg_norm1(N, A), s);
    pade_coefficients(b, m);
    if (*s > 0) cblas_dscal((int)NN, ldexp(1, -*s), A, 1);
    lie__mg_mul(N, A2, A, A);
    if (m > 3) lie__mg_mul(N, A4, A2, A2);
    if (m > 5) lie__mg_mul(N, A6, A4, A2);
    const double even[7] = {b[0], b[2], b[4], b[6], b[8], b[10], b[12]};
    const double odd[7] = {b[1], b[3], b[5], b[7], b[9], b[11], b[13]};
    split_polynomial(N, V, even, power, T);
    split_polynomial(N, Phi, odd, power, T); /* W */
    lie__mg_mul(N, T, A, Phi);
    cblas_daxpy((int)NN, -1, T, 1, V, 1); /* V - U */
    cblas_dscal((int)NN, 2, Phi, 1);
    /* all of these commute, so LAPACK's transposed view solves the same equation */
    if (lie__mg_factor(M, N, V) != LIE_OK) return LIE_ERR_DOMAIN;
    lie__mg_solve(M, N, V, LIE__MG_TRANSPOSED, N, Phi);
    lie__mg_mul(N, E, A, Phi);
    return LIE_OK;
}

/* E <- 2 E + E^2. T: N^2. */
static void double_E(int N, double *E, double *T)
{
    lie__mg_mul(N, T, E, E);
    cblas_dscal(N * N, 2, E, 1);
    cblas_daxpy(N * N, 1, T, 1, E, 1);
}

/* Phi <- Phi + Phi E / 2. T: N^2. */
static void double_phi(int N, double *Phi, const double *E, double *T)
{
    lie__mg_mul(N, T, Phi, E);
    cblas_daxpy(N * N, 0.5, T, 1, Phi, 1);
}

static lie_status check_norm(int N, const double *A)
{
    return fmax(lie__mg_norm1(N, A), lie__mg_norm_inf(N, A)) <= LIE_MATGROUP_EXP_MAX ? LIE_OK : LIE_ERR_DOMAIN;
}

lie_status lie__mg_expm1(const lie_matgroup *M, double *E, double *X, double *ws)
{
    int s = 0;
    double *Phi = lie__mg_take(&ws, lie__mg_nn(M));
    lie_status status = check_norm(M->n, X);
    if (status == LIE_OK) status = phi1_scaled(M, M->n, Phi, E, X, &s, ws);
    if (status != LIE_OK) return status;
    while (s-- > 0) double_E(M->n, E, Phi);
    return LIE_OK;
}

lie_status lie_matgroup_exp(const lie_matgroup *M, double *g, const double *x)
{
    double *ws = M->scratch;
    double *X = lie__mg_take(&ws, lie__mg_nn(M));
    double *r = lie__mg_take(&ws, lie__mg_nn(M));
    if (!lie__mg_in_range((size_t)M->dim, x)) return LIE_ERR_NOT_FINITE;
    lie__mg_hat(M, X, x, ws);
    lie_status status = lie__mg_expm1(M, r, X, ws);
    if (status != LIE_OK) return status;
    lie__mg_add_identity(M->n, r, 1);
    return lie__mg_store(lie__mg_nn(M), g, r);
}

/* w <- sum_k A^k w / (k+1)!, A = ad_X or its transpose, |A| <= 1. ws: 2 n^2 + dim. */
static void taylor_apply(const lie_matgroup *M, double *w, const double *X, int dual, double *ws)
{
    size_t dim = (size_t)M->dim;
    double *term = lie__mg_take(&ws, dim);
    lie__mg_copy(dim, term, w);
    for (int k = 1; k < MAX_TERMS; k++) {
        (dual ? lie__mg_adt : lie__mg_ad)(M, term, X, term, ws);
        cblas_dscal(M->dim, 1.0 / (k + 1), term, 1);
        cblas_daxpy(M->dim, 1, term, 1, w, 1);
        if (lie__mg_max(dim, term) <= DBL_EPSILON / 16 * lie__mg_max(dim, w)) return;
    }
}

/* s times w <- (w + Ad_g w)/2, g <- g^2, or the transpose, from g = exp(X). X is lost. ws: 8 n^2 + dim. */
static lie_status average_apply(const lie_matgroup *M, double *w, double *X, int s, int dual, double *ws)
{
    size_t nn = lie__mg_nn(M);
    double *E = lie__mg_take(&ws, nn);
    double *P = lie__mg_take(&ws, nn);
    double *Adw = lie__mg_take(&ws, (size_t)M->dim);
    cblas_dscal((int)nn, -1, X, 1); /* Ad_g is the congruence with P = g^-1 */
    lie_status status = lie__mg_expm1(M, E, X, ws);
    if (status != LIE_OK) return status;
    for (; s > 0; s--) {
        lie__mg_copy(nn, P, E);
        lie__mg_add_identity(M->n, P, 1);
        (dual ? lie__mg_congruence_t : lie__mg_congruence)(M, Adw, P, w, ws);
        for (int i = 0; i < M->dim; i++) w[i] = 0.5 * (w[i] + Adw[i]);
        double_E(M->n, E, P);
    }
    return LIE_OK;
}

static lie_status dexp_apply(const lie_matgroup *M, double *out, const double *x, const double *v, int dual)
{
    size_t dim = (size_t)M->dim;
    double *ws = M->scratch;
    double *X = lie__mg_take(&ws, lie__mg_nn(M));
    double *w = lie__mg_take(&ws, dim);
    if (!lie__mg_in_range(dim, x) || !lie__mg_in_range(dim, v)) return LIE_ERR_NOT_FINITE;
    lie__mg_hat(M, X, x, ws);
    lie_status status = check_norm(M->n, X);
    if (status != LIE_OK) return status;
    /* the sum of the norms bounds |ad_x| */
    int s = scale_to_one(lie__mg_nn(M), X, lie__mg_norm1(M->n, X) + lie__mg_norm_inf(M->n, X));
    lie__mg_copy(dim, w, v);
    taylor_apply(M, w, X, dual, ws);
    if (s > 0) status = average_apply(M, w, X, s, dual, ws);
    return status == LIE_OK ? lie__mg_store(dim, out, w) : status;
}

lie_status lie_matgroup_dexp(const lie_matgroup *M, double *out, const double *x, const double *v)
{
    return dexp_apply(M, out, x, v, 0);
}

lie_status lie_matgroup_dexpt(const lie_matgroup *M, double *out, const double *x, const double *m)
{
    return dexp_apply(M, out, x, m, 1);
}

/* Phi = phi_1(ad_x), dim x dim. ws: 7 dim^2 + 2 n^2. */
static lie_status dexp_matrix(const lie_matgroup *M, double *Phi, const double *x, double *ws)
{
    int s = 0;
    double *A = lie__mg_take(&ws, lie__mg_dd(M));
    double *E = lie__mg_take(&ws, lie__mg_dd(M));
    double *X = lie__mg_take(&ws, lie__mg_nn(M));
    lie__mg_hat(M, X, x, ws);
    lie_status status = check_norm(M->n, X);
    if (status != LIE_OK) return status;
    lie__mg_ad_matrix(M, A, X);
    status = phi1_scaled(M, M->dim, Phi, E, A, &s, ws);
    if (status != LIE_OK) return status;
    for (; s > 0; s--) {
        double_phi(M->dim, Phi, E, A);
        double_E(M->dim, E, A);
    }
    return LIE_OK;
}

lie_status lie_matgroup_dexp_matrix(const lie_matgroup *M, double *out, const double *x)
{
    double *ws = M->scratch;
    double *Phi = lie__mg_take(&ws, lie__mg_dd(M));
    if (!lie__mg_in_range((size_t)M->dim, x)) return LIE_ERR_NOT_FINITE;
    lie_status status = dexp_matrix(M, Phi, x, ws);
    return status == LIE_OK ? lie__mg_store(lie__mg_dd(M), out, Phi) : status;
}

lie_status lie_matgroup_dexpinv_matrix(const lie_matgroup *M, double *out, const double *x)
{
    double *ws = M->scratch;
    double *Phi = lie__mg_take(&ws, lie__mg_dd(M));
    if (!lie__mg_in_range((size_t)M->dim, x)) return LIE_ERR_NOT_FINITE;
    lie_status status = dexp_matrix(M, Phi, x, ws);
    if (status == LIE_OK && lie__mg_invert(M, M->dim, Phi, ws) != LIE_OK) status = LIE_ERR_DOMAIN;
    return status == LIE_OK ? lie__mg_store(lie__mg_dd(M), out, Phi) : status;
}

lie_status lie__mg_dexpinv(const lie_matgroup *M, double *v, const double *x, int letter, double *ws)
{
    double *Phi = lie__mg_take(&ws, lie__mg_dd(M));
    lie_status status = dexp_matrix(M, Phi, x, ws);
    if (status != LIE_OK) return status;
    if (lie__mg_factor_checked(M, M->dim, Phi, ws) != LIE_OK) return LIE_ERR_DOMAIN;
    lie__mg_solve(M, M->dim, Phi, letter, 1, v);
    return LIE_OK;
}

static lie_status dexpinv_apply(const lie_matgroup *M, double *out, const double *x, const double *v, int letter)
{
    size_t dim = (size_t)M->dim;
    double *ws = M->scratch;
    double *r = lie__mg_take(&ws, dim);
    if (!lie__mg_in_range(dim, x) || !lie__mg_in_range(dim, v)) return LIE_ERR_NOT_FINITE;
    lie__mg_copy(dim, r, v);
    lie_status status = lie__mg_dexpinv(M, r, x, letter, ws);
    return status == LIE_OK ? lie__mg_store(dim, out, r) : status;
}

lie_status lie_matgroup_dexpinv(const lie_matgroup *M, double *out, const double *x, const double *v)
{
    return dexpinv_apply(M, out, x, v, LIE__MG_PLAIN);
}

lie_status lie_matgroup_dexpinvt(const lie_matgroup *M, double *out, const double *x, const double *m)
{
    return dexpinv_apply(M, out, x, m, LIE__MG_TRANSPOSED);
}

/* What the derivative of w(z) = phi_1(ad_z) psi in z needs; matrices are dim x dim. */
typedef struct derivative {
    double *A, *E, *Phi; /* ad_z, e^A - 1 = Ad_exp(z) - 1, phi_1(A) = dexp_z */
    double *D, *w;       /* Dw, w */
    double *p, *Q, *B;   /* a Taylor term and its derivative; ad of a vector */
    double *T, *X;       /* dim x dim, n x n */
} derivative;

/* B = ad_v. */
static void ad_of_vector(const lie_matgroup *M, derivative *d, const double *v, double *ws)
{
    lie__mg_hat(M, d->X, v, ws);
    lie__mg_ad_matrix(M, d->B, d->X);
}

/* w = sum p_k, p_k = A^k psi / (k+1)!; D = sum Q_k, Q_k+1 = (A Q_k - ad_{p_k}) / (k+2). */
static void taylor_derivative(const lie_matgroup *M, derivative *d, const double *psi, double *ws)
{
    int N = M->dim;
    size_t dd = lie__mg_dd(M);
    size_t dim = (size_t)N;
    lie__mg_copy(dim, d->p, psi);
    lie__mg_copy(dim, d->w, psi);
    lie__mg_set_identity(N, d->Q, 0);
    lie__mg_set_identity(N, d->D, 0);
    for (int k = 0; k < MAX_TERMS; k++) {
        ad_of_vector(M, d, d->p, ws);
        lie__mg_mul(N, d->T, d->A, d->Q);
        for (size_t i = 0; i < dd; i++) d->Q[i] = (d->T[i] - d->B[i]) / (k + 2);
        lie__mg_apply(N, d->T, d->A, d->p);
        for (size_t i = 0; i < dim; i++) d->p[i] = d->T[i] / (k + 2);
        cblas_daxpy(N, 1, d->p, 1, d->w, 1);
        cblas_daxpy((int)dd, 1, d->Q, 1, d->D, 1);
        if (lie__mg_max(dd, d->Q) <= DBL_EPSILON / 16 * lie__mg_max(dd, d->D) &&
            lie__mg_max(dim, d->p) <= DBL_EPSILON / 16 * lie__mg_max(dim, d->w))
            return;
    }
}

/* z <- 2 z: w <- (w + Ad w)/2, D <- (D + Ad D - ad_{Ad w} dexp)/4, with Ad = 1 + E, dexp = Phi. */
static void double_derivative(const lie_matgroup *M, derivative *d, double *ws)
{
    int N = M->dim;
    size_t dd = lie__mg_dd(M);
    lie__mg_apply(N, d->p, d->E, d->w);
    cblas_daxpy(N, 1, d->w, 1, d->p, 1); /* Ad w */
    ad_of_vector(M, d, d->p, ws);
    lie__mg_mul(N, d->T, d->E, d->D);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, -1, d->B, N, d->Phi, N, 1, d->T, N);
    for (size_t i = 0; i < dd; i++) d->D[i] = 0.25 * (2 * d->D[i] + d->T[i]);
    for (int i = 0; i < N; i++) d->w[i] = 0.5 * (d->w[i] + d->p[i]);
    double_phi(N, d->Phi, d->E, d->T);
    double_E(N, d->E, d->T);
}

lie_status lie_matgroup_dexp_body_deriv(const lie_matgroup *M, double *out, const double *x, const double *psi)
{
    size_t dd = lie__mg_dd(M);
    size_t dim = (size_t)M->dim;
    int none = 0;
    double *ws = M->scratch;
    derivative d = {0};
    double **const matrix[] = {&d.A, &d.E, &d.Phi, &d.D, &d.Q, &d.B, &d.T};
    for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++) *matrix[i] = lie__mg_take(&ws, dd);
    d.X = lie__mg_take(&ws, lie__mg_nn(M));
    d.w = lie__mg_take(&ws, dim);
    d.p = lie__mg_take(&ws, dim);
    if (!lie__mg_in_range(dim, x) || !lie__mg_in_range(dim, psi)) return LIE_ERR_NOT_FINITE;
    for (size_t i = 0; i < dim; i++) d.p[i] = -x[i];
    lie__mg_hat(M, d.X, d.p, ws);
    lie_status status = check_norm(M->n, d.X);
    if (status != LIE_OK) return status;
    lie__mg_ad_matrix(M, d.A, d.X);
    int s = scale_to_one(dd, d.A, lie__mg_norm1(M->dim, d.A));
    status = phi1_scaled(M, M->dim, d.Phi, d.E, d.A, &none, ws);
    if (status != LIE_OK) return status;
    taylor_derivative(M, &d, psi, ws);
    for (; s > 0; s--) double_derivative(M, &d, ws);
    cblas_dscal((int)dd, -1, d.D, 1); /* z = -x */
    return lie__mg_store(dd, out, d.D);
}
