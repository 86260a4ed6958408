/* SPDX-License-Identifier: MIT */
/* matgroup_internal.h: what the files of the quadratic matrix groups share. Internal.
 *
 * Everything is done on K = J x, which is symmetric or antisymmetric (K^T = sigma K): then the adjoint maps, dcay and
 * dcayinv are all congruences K -> P^T K P, and ad is K -> -(x^T K + K x); none of them leaves the algebra by
 * round-off. A dual vector m is the matrix S with S^T = sigma S and <m, x> = tr(S^T K); the dual of the congruence is
 * S -> P S P^T.
 *
 * Scratch: a function that needs workspace takes it from a pointer `ws` with lie__mg_take and hands what is left to
 * the functions it calls; nothing is given back explicitly. Matrices are row-major; LAPACK, which is column-major, is
 * shown them as their transposes, so nothing is ever transposed in memory. */
#ifndef LIESTEP_LIB_MATGROUP_INTERNAL_H
#define LIESTEP_LIB_MATGROUP_INTERNAL_H

#include <liestep/matgroup.h>

#include <cblas.h>
#include <float.h>
#include <lapacke.h>

struct lie_matgroup {
    int n;             /* matrices are n x n */
    int dim;           /* of the algebra */
    double sigma;      /* K^T = sigma K: -1 for symmetric J, +1 for antisymmetric J */
    double Jmax;       /* largest |J_ij| */
    double *J, *Jinv;  /* n x n */
    double *scratch;   /* workspace, see LIE_MATGROUP_BYTES */
    lapack_int *pivot; /* of an LU factorisation, up to n(n+1)/2 */
    lapack_int *iwork; /* same length */
    lie_quadratic form;
};

/* LAPACK's letters for the transpose, for matrices handed over row-major: PLAIN solves A X = B with the columns of X
 * and B stored one behind the other, TRANSPOSED solves A^T X = B. */
enum { LIE__MG_PLAIN = 'T', LIE__MG_TRANSPOSED = 'N' };

static inline double *lie__mg_take(double **ws, size_t count)
{
    double *p = *ws;
    *ws += count;
    return p;
}

static inline size_t lie__mg_nn(const lie_matgroup *M)
{
    return (size_t)M->n * (size_t)M->n;
}

static inline size_t lie__mg_dd(const lie_matgroup *M)
{
    return (size_t)M->dim * (size_t)M->dim;
}

/* matgroup_linalg.c: vectors and N x N matrices */

int lie__mg_in_range(size_t count, const double *v); /* all |v_i| < 2^511, no NaN */
int lie__mg_finite(size_t count, const double *v);   /* no NaN, no infinity */
void lie__mg_fill_nan(size_t count, double *v);
lie_status lie__mg_store(size_t count, double *out, const double *v); /* LIE_ERR_DOMAIN if not finite, out untouched */
void lie__mg_copy(size_t count, double *out, const double *v);
double lie__mg_max(size_t count, const double *v);                         /* largest magnitude */
void lie__mg_set_identity(int N, double *A, double scale);                 /* A = scale 1 */
void lie__mg_add_identity(int N, double *A, double scale);                 /* A <- A + scale 1 */
double lie__mg_norm1(int N, const double *A);                              /* largest column sum */
double lie__mg_norm_inf(int N, const double *A);                           /* largest row sum */
void lie__mg_mul(int N, double *out, const double *A, const double *B);    /* A B; out is neither */
void lie__mg_mul_tn(int N, double *out, const double *A, const double *B); /* A^T B */
void lie__mg_mul_nt(int N, double *out, const double *A, const double *B); /* A B^T */
void lie__mg_apply(int N, double *out, const double *A, const double *v);  /* A v */

/* A <- its LU factors, pivots in M->pivot. LIE_ERR_SINGULAR for a pivot that is zero. */
lie_status lie__mg_factor(const lie_matgroup *M, int N, double *A);
/* The same, but LIE_ERR_SINGULAR also if the reciprocal condition number is below N eps. ws: 4 N. */
lie_status lie__mg_factor_checked(const lie_matgroup *M, int N, double *A, double *ws);
/* Solve with the factors, in place; B holds `count` right-hand sides one behind the other. letter: see above. */
void lie__mg_solve(const lie_matgroup *M, int N, const double *LU, int letter, int count, double *B);
/* A <- A^-1, checked; A is lost if singular. ws: 4 N. */
lie_status lie__mg_invert(const lie_matgroup *M, int N, double *A, double *ws);
/* Sign of the determinant from the factors. */
int lie__mg_det_sign(const lie_matgroup *M, int N, const double *LU);

/* matgroup.c: coordinates */

/* The matrix of coordinates: off-diagonal entries times off. off = 1: K of x; off = 1/2: S of m. */
void lie__mg_unpack(const lie_matgroup *M, double *K, const double *v, double off);
/* Coordinates of T + sigma T^T, off-diagonal times off, diagonal times diag. (1/2, 1/2): K to x; (1, 1/2): S to m. */
void lie__mg_pack(const lie_matgroup *M, double *v, const double *T, double off, double diag);
void lie__mg_hat(const lie_matgroup *M, double *X, const double *x, double *ws);                           /* ws: n^2 */
void lie__mg_vee(const lie_matgroup *M, double *x, const double *X, double *ws);                           /* ws: n^2 */
void lie__mg_congruence(const lie_matgroup *M, double *out, const double *P, const double *x, double *ws); /* P^T K P */
void lie__mg_congruence_t(const lie_matgroup *M, double *out, const double *P, const double *m,
                          double *ws);                                                             /* P S P^T */
void lie__mg_ad(const lie_matgroup *M, double *out, const double *X, const double *y, double *ws); /* X n x n */
void lie__mg_adt(const lie_matgroup *M, double *out, const double *X, const double *m, double *ws);
void lie__mg_inv(const lie_matgroup *M, double *out, const double *g,
                 double *ws);                                              /* J^-1 g^T J; out is not g; ws: n^2 */
void lie__mg_ad_matrix(const lie_matgroup *M, double *A, const double *X); /* dim x dim */

/* T = R K C for K = e_i e_j^T + sigma e_j e_i^T, j < i, or K = e_i e_i^T, j = i. */
void lie__mg_basis_product(const lie_matgroup *M, double *T, const double *R, const double *C, int i, int j);
void lie__mg_put_column(const lie_matgroup *M, double *A, int k, const double *r); /* column k of A, dim x dim, = r */

/* matgroup_project.c */

/* LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP or LIE_OK. ws: 2 n^2. */
lie_status lie__mg_check_member(const lie_matgroup *M, const double *g, double *ws);

/* matgroup_cay.c */

/* x = caylog(g) without a look at membership. LIE_ERR_DOMAIN if g + 1 is singular. ws: 3 n^2 + 4 n. */
lie_status lie__mg_caylog(const lie_matgroup *M, double *x, const double *g, double *ws);
/* B <- B A^-1; A is lost. LIE_ERR_DOMAIN if A is singular. ws: 4 n. */
lie_status lie__mg_divide(const lie_matgroup *M, double *B, double *A, double *ws);

/* matgroup_exp.c */

/* E = exp(X) - 1. LIE_ERR_DOMAIN if |X| > LIE_MATGROUP_EXP_MAX. X, which is not E, is overwritten. ws: 6 n^2. */
lie_status lie__mg_expm1(const lie_matgroup *M, double *E, double *X, double *ws);
/* v <- dexp_x^-1 v or its transpose. ws: 8 dim^2 + 2 n^2 + 4 dim. */
lie_status lie__mg_dexpinv(const lie_matgroup *M, double *v, const double *x, int letter, double *ws);

#endif
