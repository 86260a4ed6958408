/* SPDX-License-Identifier: MIT */
/* matgroup_cay.c: the Cayley map of the quadratic matrix groups.
 *
 *   cay(x) = (1 - x/2)^-1 (1 + x/2) = 1 + x (1 - x/2)^-1        x = caylog(g) = 2 (g - 1)(g + 1)^-1
 *   dcay_x y = (1 - x/2)^-1 y (1 + x/2)^-1                       dcayinv_x y = (1 - x/2) y (1 + x/2)
 * On K = J y, with J (1 - x/2) J^-1 = (1 + x/2)^T, both tangents are congruences K -> P^T K P:
 *   dcay: P = (1 + x/2)^-1         dcayinv: P = 1 + x/2
 *
 * Reference: Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups I (2009), (4.24), (4.25). */
#include "groups/matrix/matgroup_internal.h"

lie_status lie__mg_divide(const lie_matgroup *M, double *B, double *A, double *ws)
{
    if (lie__mg_factor_checked(M, M->n, A, ws) != LIE_OK) return LIE_ERR_DOMAIN;
    lie__mg_solve(M, M->n, A, LIE__MG_TRANSPOSED, M->n, B); /* LAPACK sees A^T X^T = B^T */
    return LIE_OK;
}

/* P = 1 + scale X. */
static void shifted(const lie_matgroup *M, double *P, const double *X, double scale)
{
    lie__mg_set_identity(M->n, P, 1);
    cblas_daxpy((int)lie__mg_nn(M), scale, X, 1, P, 1);
}

lie_status lie_matgroup_cay(const lie_matgroup *M, double *g, const double *x)
{
    size_t nn = lie__mg_nn(M);
    double *ws = M->scratch;
    double *X = lie__mg_take(&ws, nn);
    double *A = lie__mg_take(&ws, nn);
    if (!lie__mg_in_range((size_t)M->dim, x)) return LIE_ERR_NOT_FINITE;
    lie__mg_hat(M, X, x, ws);
    shifted(M, A, X, -0.5);
    lie_status status = lie__mg_divide(M, X, A, ws);
    if (status != LIE_OK) return status;
    lie__mg_add_identity(M->n, X, 1);
    return lie__mg_store(nn, g, X);
}

lie_status lie__mg_caylog(const lie_matgroup *M, double *x, const double *g, double *ws)
{
    size_t nn = lie__mg_nn(M);
    double *A = lie__mg_take(&ws, nn);
    double *B = lie__mg_take(&ws, nn);
    lie__mg_copy(nn, A, g);
    lie__mg_add_identity(M->n, A, 1);
    lie__mg_copy(nn, B, g);
    lie__mg_add_identity(M->n, B, -1);
    cblas_dscal((int)nn, 2, B, 1);
    lie_status status = lie__mg_divide(M, B, A, ws);
    if (status == LIE_OK) lie__mg_vee(M, x, B, ws);
    return status;
}

lie_status lie_matgroup_caylog(const lie_matgroup *M, double *x, const double *g)
{
    double *ws = M->scratch;
    double *r = lie__mg_take(&ws, (size_t)M->dim);
    lie_status status = lie__mg_check_member(M, g, ws);
    if (status == LIE_OK) status = lie__mg_caylog(M, r, g, ws);
    return status == LIE_OK ? lie__mg_store((size_t)M->dim, x, r) : status;
}

/* P = 1 + x/2 or, if inverted, (1 + x/2)^-1. ws: n^2 + 4 n. */
static lie_status tangent_factor(const lie_matgroup *M, double *P, const double *x, int inverted, double *ws)
{
    double *X = lie__mg_take(&ws, lie__mg_nn(M));
    lie__mg_hat(M, X, x, P);
    shifted(M, P, X, 0.5);
    return inverted && lie__mg_invert(M, M->n, P, ws) != LIE_OK ? LIE_ERR_DOMAIN : LIE_OK;
}

static lie_status tangent(const lie_matgroup *M, double *out, const double *x, const double *v, int inverted, int dual)
{
    size_t dim = (size_t)M->dim;
    double *ws = M->scratch;
    double *P = lie__mg_take(&ws, lie__mg_nn(M));
    double *r = lie__mg_take(&ws, dim);
    if (!lie__mg_in_range(dim, x) || !lie__mg_in_range(dim, v)) return LIE_ERR_NOT_FINITE;
    lie_status status = tangent_factor(M, P, x, inverted, ws);
    if (status != LIE_OK) return status;
    (dual ? lie__mg_congruence_t : lie__mg_congruence)(M, r, P, v, ws);
    return lie__mg_store(dim, out, r);
}

lie_status lie_matgroup_dcay(const lie_matgroup *M, double *out, const double *x, const double *v)
{
    return tangent(M, out, x, v, 1, 0);
}

lie_status lie_matgroup_dcayt(const lie_matgroup *M, double *out, const double *x, const double *m)
{
    return tangent(M, out, x, m, 1, 1);
}

lie_status lie_matgroup_dcayinv(const lie_matgroup *M, double *out, const double *x, const double *v)
{
    return tangent(M, out, x, v, 0, 0);
}

lie_status lie_matgroup_dcayinvt(const lie_matgroup *M, double *out, const double *x, const double *m)
{
    return tangent(M, out, x, m, 0, 1);
}

static lie_status tangent_matrix(const lie_matgroup *M, double *out, const double *x, int inverted)
{
    size_t dim = (size_t)M->dim;
    double *ws = M->scratch;
    double *A = lie__mg_take(&ws, lie__mg_dd(M));
    double *P = lie__mg_take(&ws, lie__mg_nn(M));
    double *e = lie__mg_take(&ws, dim);
    double *r = lie__mg_take(&ws, dim);
    if (!lie__mg_in_range(dim, x)) return LIE_ERR_NOT_FINITE;
    lie_status status = tangent_factor(M, P, x, inverted, ws);
    if (status != LIE_OK) return status;
    for (size_t i = 0; i < dim; i++) e[i] = 0;
    for (int k = 0; k < M->dim; k++) {
        e[k] = 1;
        lie__mg_congruence(M, r, P, e, ws);
        e[k] = 0;
        lie__mg_put_column(M, A, k, r);
    }
    return lie__mg_store(lie__mg_dd(M), out, A);
}

lie_status lie_matgroup_dcay_matrix(const lie_matgroup *M, double *out, const double *x)
{
    return tangent_matrix(M, out, x, 1);
}

lie_status lie_matgroup_dcayinv_matrix(const lie_matgroup *M, double *out, const double *x)
{
    return tangent_matrix(M, out, x, 0);
}

/* dcay_{-x} psi is F = C^T K_psi C with C = (1 - x/2)^-1, dC = C (dx/2) C, so dF = (T + sigma T^T)/2 with
 * T = F dx C = (F J^-1) dK C. */
lie_status lie_matgroup_dcay_body_deriv(const lie_matgroup *M, double *out, const double *x, const double *psi)
{
    size_t dim = (size_t)M->dim;
    size_t nn = lie__mg_nn(M);
    double *ws = M->scratch;
    double *A = lie__mg_take(&ws, lie__mg_dd(M));
    double *C = lie__mg_take(&ws, nn);
    double *R = lie__mg_take(&ws, nn);
    double *T = lie__mg_take(&ws, nn);
    double *r = lie__mg_take(&ws, dim);
    if (!lie__mg_in_range(dim, x) || !lie__mg_in_range(dim, psi)) return LIE_ERR_NOT_FINITE;
    for (size_t i = 0; i < dim; i++) r[i] = -x[i];
    lie_status status = tangent_factor(M, C, r, 1, ws);
    if (status != LIE_OK) return status;
    lie__mg_congruence(M, r, C, psi, ws);
    lie__mg_unpack(M, T, r, 1);
    lie__mg_mul(M->n, R, T, M->Jinv);
    int k = 0;
    for (int i = 0; i < M->n; i++)
        for (int j = 0; j < (M->sigma > 0 ? i + 1 : i); j++, k++) {
            lie__mg_basis_product(M, T, R, C, i, j);
            lie__mg_pack(M, r, T, 0.5, 0.5);
            lie__mg_put_column(M, A, k, r);
        }
    return lie__mg_store(lie__mg_dd(M), out, A);
}
