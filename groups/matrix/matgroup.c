/* SPDX-License-Identifier: MIT */
/* matgroup.c: quadratic matrix groups g^T J g = J: the object, its coordinates, operations of group and algebra.
 *
 * With K = J x, K^T = sigma K, and P = g^-1 = J^-1 g^T J (all from g^T J g = J, x^T J = -J x):
 *   Ad_g x = g x g^-1      K -> P^T K P             dual   S -> P S P^T
 *   ad_x y = x y - y x     K -> -(x^T K + K x)      dual   S -> -(x S + S x^T)
 * x^T K = sigma (K x)^T, so ad costs one product of matrices, Ad four. The other maps are in matgroup_exp.c,
 * matgroup_log.c, matgroup_cay.c, matgroup_skew.c and matgroup_project.c, the lie_ops in matgroup_ops.c.
 *
 * Reference: Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups I (2009), section 4. */
#include "groups/matrix/matgroup_internal.h"

#include <math.h>
#include <stdint.h>

/* The object */

static int sym_dim(int n)
{
    return n * (n + 1) / 2;
}

size_t lie_matgroup_memsize(int n)
{
    return n < 2 || n > LIE_MATGROUP_N_MAX ? 0 : LIE_MATGROUP_BYTES(n);
}

/* Lay the object out in work: the struct, the pivots, J, J^-1, and the rest as scratch. */
static lie_status lay_out(lie_matgroup **M, int n, void *work, size_t bytes)
{
    size_t need = lie_matgroup_memsize(n);
    if (need == 0) return LIE_ERR_SIZE;
    if (!M || !work || bytes < need || (uintptr_t)work % _Alignof(lie_matgroup) != 0) return LIE_ERR_MEMORY;
    _Static_assert(sizeof(lie_matgroup) <= 256 && sizeof(lie_matgroup) % sizeof(double) == 0,
                   "room in LIE_MATGROUP_BYTES");
    _Static_assert(sizeof(lapack_int) <= sizeof(double), "pivots are counted as doubles");
    lie_matgroup *self = work;
    size_t N = (size_t)sym_dim(n);
    double *rest = (double *)(void *)(self + 1);
    self->n = n;
    self->pivot = (lapack_int *)(void *)lie__mg_take(&rest, N);
    self->iwork = (lapack_int *)(void *)lie__mg_take(&rest, N);
    self->J = lie__mg_take(&rest, (size_t)n * (size_t)n);
    self->Jinv = lie__mg_take(&rest, (size_t)n * (size_t)n);
    self->scratch = rest;
    return LIE_OK;
}

/* +1 if J^T = J, -1 if J^T = -J, 0 otherwise. */
static int symmetry_of(int n, const double *J)
{
    int symmetric = 1;
    int antisymmetric = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            symmetric &= J[i * n + j] == J[j * n + i];
            antisymmetric &= J[i * n + j] == -J[j * n + i];
        }
    return symmetric ? 1 : antisymmetric ? -1 : 0;
}

/* All that follows from J. */
static lie_status complete(lie_matgroup *M)
{
    int n = M->n;
    int symmetry = symmetry_of(n, M->J);
    if (!lie__mg_finite(lie__mg_nn(M), M->J)) return LIE_ERR_NOT_FINITE;
    if (symmetry == 0) return LIE_ERR_DOMAIN;
    M->sigma = -symmetry;
    M->form = (lie_quadratic){n, symmetry, M->J, M->Jinv};
    M->dim = symmetry > 0 ? sym_dim(n - 1) : sym_dim(n);
    M->Jmax = lie__mg_max(lie__mg_nn(M), M->J);
    if (M->Jmax > 0x1p255) return LIE_ERR_DOMAIN;
    lie__mg_copy(lie__mg_nn(M), M->Jinv, M->J);
    if (lie__mg_invert(M, n, M->Jinv, M->scratch) != LIE_OK) return LIE_ERR_SINGULAR;
    for (int i = 0; i < n; i++) /* J^-1 has the symmetry of J */
        for (int j = 0; j <= i; j++) {
            double mean = 0.5 * (M->Jinv[i * n + j] + symmetry * M->Jinv[j * n + i]);
            M->Jinv[i * n + j] = mean;
            M->Jinv[j * n + i] = symmetry * mean;
        }
    return lie__mg_max(lie__mg_nn(M), M->Jinv) <= 0x1p255 ? LIE_OK : LIE_ERR_DOMAIN;
}

static lie_status finish(lie_matgroup **M, void *work)
{
    lie_status status = complete(work);
    if (status == LIE_OK) *M = work;
    return status;
}

lie_status lie_matgroup_init(lie_matgroup **M, int n, const double *J, void *work, size_t bytes)
{
    lie_status status = lay_out(M, n, work, bytes);
    if (status != LIE_OK) return status;
    if (!J) return LIE_ERR_MEMORY;
    lie_matgroup *self = work;
    lie__mg_copy(lie__mg_nn(self), self->J, J);
    return finish(M, work);
}

lie_status lie_matgroup_init_sopq(lie_matgroup **M, int p, int q, void *work, size_t bytes)
{
    if (p < 0 || q < 0 || p > LIE_MATGROUP_N_MAX || q > LIE_MATGROUP_N_MAX) return LIE_ERR_SIZE;
    lie_status status = lay_out(M, p + q, work, bytes);
    if (status != LIE_OK) return status;
    lie_matgroup *self = work;
    lie__mg_set_identity(p + q, self->J, 1);
    for (int i = p; i < p + q; i++) self->J[i * (p + q + 1)] = -1;
    return finish(M, work);
}

lie_status lie_matgroup_init_so(lie_matgroup **M, int n, void *work, size_t bytes)
{
    return lie_matgroup_init_sopq(M, n, 0, work, bytes);
}

lie_status lie_matgroup_init_sp(lie_matgroup **M, int m, void *work, size_t bytes)
{
    if (m < 1 || m > LIE_MATGROUP_N_MAX / 2) return LIE_ERR_SIZE;
    int n = 2 * m;
    lie_status status = lay_out(M, n, work, bytes);
    if (status != LIE_OK) return status;
    lie_matgroup *self = work;
    lie__mg_set_identity(n, self->J, 0);
    for (int i = 0; i < m; i++) {
        self->J[i * n + m + i] = 1;
        self->J[(m + i) * n + i] = -1;
    }
    return finish(M, work);
}

int lie_matgroup_n(const lie_matgroup *M)
{
    return M->n;
}

int lie_matgroup_dim(const lie_matgroup *M)
{
    return M->dim;
}

/* Coordinates */

void lie__mg_unpack(const lie_matgroup *M, double *K, const double *v, double off)
{
    int n = M->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            K[i * n + j] = off * *v;
            K[j * n + i] = M->sigma * off * *v++;
        }
        K[i * n + i] = M->sigma > 0 ? *v++ : 0;
    }
}

void lie__mg_pack(const lie_matgroup *M, double *v, const double *T, double off, double diag)
{
    int n = M->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) *v++ = off * (T[i * n + j] + M->sigma * T[j * n + i]);
        if (M->sigma > 0) *v++ = diag * 2 * T[i * n + i];
    }
}

void lie__mg_hat(const lie_matgroup *M, double *X, const double *x, double *ws)
{
    lie__mg_unpack(M, ws, x, 1);
    lie__mg_mul(M->n, X, M->Jinv, ws);
}

void lie__mg_vee(const lie_matgroup *M, double *x, const double *X, double *ws)
{
    lie__mg_mul(M->n, ws, M->J, X);
    lie__mg_pack(M, x, ws, 0.5, 0.5);
}

void lie__mg_congruence(const lie_matgroup *M, double *out, const double *P, const double *x, double *ws)
{
    double *K = lie__mg_take(&ws, lie__mg_nn(M));
    double *KP = lie__mg_take(&ws, lie__mg_nn(M));
    lie__mg_unpack(M, K, x, 1);
    lie__mg_mul(M->n, KP, K, P);
    lie__mg_mul_tn(M->n, K, P, KP);
    lie__mg_pack(M, out, K, 0.5, 0.5);
}

void lie__mg_congruence_t(const lie_matgroup *M, double *out, const double *P, const double *m, double *ws)
{
    double *S = lie__mg_take(&ws, lie__mg_nn(M));
    double *SPt = lie__mg_take(&ws, lie__mg_nn(M));
    lie__mg_unpack(M, S, m, 0.5);
    lie__mg_mul_nt(M->n, SPt, S, P);
    lie__mg_mul(M->n, S, P, SPt);
    lie__mg_pack(M, out, S, 1, 0.5);
}

void lie__mg_ad(const lie_matgroup *M, double *out, const double *X, const double *y, double *ws)
{
    double *K = lie__mg_take(&ws, lie__mg_nn(M));
    lie__mg_unpack(M, K, y, 1);
    lie__mg_mul(M->n, ws, K, X);
    lie__mg_pack(M, out, ws, -1, -1);
}

void lie__mg_adt(const lie_matgroup *M, double *out, const double *X, const double *m, double *ws)
{
    double *S = lie__mg_take(&ws, lie__mg_nn(M));
    lie__mg_unpack(M, S, m, 0.5);
    lie__mg_mul(M->n, ws, X, S);
    lie__mg_pack(M, out, ws, -2, -1);
}

/* Subtract `value` at entry (r, b) of T from column k of the matrix of K' = -(T + sigma T^T). */
static void put(const lie_matgroup *M, double *A, int k, int r, int b, double value)
{
    int i = r > b ? r : b;
    int j = r > b ? b : r;
    if (i == j && M->sigma < 0) return;
    int row = (M->sigma > 0 ? sym_dim(i) : sym_dim(i - 1)) + j;
    A[(size_t)row * (size_t)M->dim + (size_t)k] -= i == j ? 2 * value : r > b ? value : M->sigma * value;
}

/* Column k belongs to K = e_i e_j^T + sigma e_j e_i^T, so T = K X is zero but for row i (row j of X) and row j (sigma
 * times row i). */
void lie__mg_ad_matrix(const lie_matgroup *M, double *A, const double *X)
{
    int n = M->n;
    int k = 0;
    lie__mg_set_identity(M->dim, A, 0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < (M->sigma > 0 ? i + 1 : i); j++, k++)
            for (int b = 0; b < n; b++) {
                put(M, A, k, i, b, X[j * n + b]);
                if (i != j) put(M, A, k, j, b, M->sigma * X[i * n + b]);
            }
}

void lie__mg_basis_product(const lie_matgroup *M, double *T, const double *R, const double *C, int i, int j)
{
    int n = M->n;
    lie__mg_set_identity(n, T, 0);
    cblas_dger(CblasRowMajor, n, n, 1, R + i, n, C + (size_t)j * (size_t)n, 1, T, n);
    if (i != j) cblas_dger(CblasRowMajor, n, n, M->sigma, R + j, n, C + (size_t)i * (size_t)n, 1, T, n);
}

void lie__mg_put_column(const lie_matgroup *M, double *A, int k, const double *r)
{
    cblas_dcopy(M->dim, r, 1, A + k, M->dim);
}

/* The operations */

void lie_matgroup_identity(const lie_matgroup *M, double *g)
{
    lie__mg_set_identity(M->n, g, 1);
}

void lie_matgroup_mul(const lie_matgroup *M, double *out, const double *a, const double *b)
{
    size_t nn = lie__mg_nn(M);
    if (!lie__mg_finite(nn, a) || !lie__mg_finite(nn, b)) {
        lie__mg_fill_nan(nn, out);
        return;
    }
    lie__mg_mul(M->n, M->scratch, a, b);
    lie__mg_copy(nn, out, M->scratch);
}

void lie__mg_inv(const lie_matgroup *M, double *out, const double *g, double *ws)
{
    lie__mg_mul_tn(M->n, ws, g, M->J);
    lie__mg_mul(M->n, out, M->Jinv, ws);
}

void lie_matgroup_inv(const lie_matgroup *M, double *out, const double *g)
{
    size_t nn = lie__mg_nn(M);
    if (!lie__mg_finite(nn, g)) {
        lie__mg_fill_nan(nn, out);
        return;
    }
    lie__mg_inv(M, M->scratch, g, M->scratch + nn);
    lie__mg_copy(nn, out, M->scratch);
}

void lie_matgroup_act(const lie_matgroup *M, double *out, const double *g, const double *p)
{
    size_t n = (size_t)M->n;
    if (!lie__mg_finite(lie__mg_nn(M), g) || !lie__mg_finite(n, p)) {
        lie__mg_fill_nan(n, out);
        return;
    }
    lie__mg_apply(M->n, M->scratch, g, p);
    lie__mg_copy(n, out, M->scratch);
}

void lie_matgroup_hat(const lie_matgroup *M, double *X, const double *x)
{
    size_t nn = lie__mg_nn(M);
    if (!lie__mg_finite((size_t)M->dim, x)) {
        lie__mg_fill_nan(nn, X);
        return;
    }
    lie__mg_hat(M, M->scratch, x, M->scratch + nn);
    lie__mg_copy(nn, X, M->scratch);
}

void lie_matgroup_vee(const lie_matgroup *M, double *x, const double *X)
{
    if (!lie__mg_finite(lie__mg_nn(M), X))
        lie__mg_fill_nan((size_t)M->dim, x);
    else
        lie__mg_vee(M, x, X, M->scratch);
}

static void adjoint(const lie_matgroup *M, double *out, const double *g, const double *v, int dual)
{
    double *ws = M->scratch;
    if (!lie__mg_finite(lie__mg_nn(M), g) || !lie__mg_finite((size_t)M->dim, v)) {
        lie__mg_fill_nan((size_t)M->dim, out);
        return;
    }
    double *P = lie__mg_take(&ws, lie__mg_nn(M));
    lie__mg_inv(M, P, g, ws);
    (dual ? lie__mg_congruence_t : lie__mg_congruence)(M, out, P, v, ws);
}

void lie_matgroup_Ad(const lie_matgroup *M, double *out, const double *g, const double *x)
{
    adjoint(M, out, g, x, 0);
}

void lie_matgroup_Adt(const lie_matgroup *M, double *out, const double *g, const double *m)
{
    adjoint(M, out, g, m, 1);
}

static void bracket(const lie_matgroup *M, double *out, const double *x, const double *v, int dual)
{
    double *ws = M->scratch;
    if (!lie__mg_finite((size_t)M->dim, x) || !lie__mg_finite((size_t)M->dim, v)) {
        lie__mg_fill_nan((size_t)M->dim, out);
        return;
    }
    double *X = lie__mg_take(&ws, lie__mg_nn(M));
    lie__mg_hat(M, X, x, ws);
    (dual ? lie__mg_adt : lie__mg_ad)(M, out, X, v, ws);
}

void lie_matgroup_ad(const lie_matgroup *M, double *out, const double *x, const double *y)
{
    bracket(M, out, x, y, 0);
}

void lie_matgroup_adt(const lie_matgroup *M, double *out, const double *x, const double *m)
{
    bracket(M, out, x, m, 1);
}
