/* SPDX-License-Identifier: MIT */
/* matgroup.h: quadratic matrix groups of any size, G = { g in R^{n x n} : g^T J g = J }.
 *
 *   J          invertible, symmetric (SO(n): J = 1; SO(p,q): J = diag(+1.., -1..)) or antisymmetric (Sp(2m))
 *   element    double g[n*n], row-major. For symmetric J the group is the part with det g > 0
 *   algebra    { x : x^T J + J x = 0 } = { J^-1 K : K^T = -K if J is symmetric, K^T = K if J is antisymmetric }
 *   coordinates  double x[dim]: the entries of K = J x in and below the diagonal, row by row:
 *                J symmetric:     K_10, K_20, K_21, K_30, ...         dim = n(n-1)/2
 *                J antisymmetric: K_00, K_10, K_11, K_20, ...         dim = n(n+1)/2
 *              With J = 1 the entry K_ij is the rate at which axis j turns towards axis i; on SO(3), in terms of the
 *              w of so3.h, (K_10, K_20, K_21) = (w_z, -w_y, w_x).
 *   dual       double m[dim], <m, x> = sum m_k x_k; the suffix t is the plain transpose in these coordinates
 *
 * d<tau> is the RIGHT-trivialised tangent, D tau(x) d = (dtau_x d) tau(x) (Bou-Rabee & Marsden 2009, Def. 4.2).
 *
 * Every output may be one of the inputs. Void functions fill the output with NaN if an input holds a NaN or an
 * infinity. The others return LIE_ERR_NOT_FINITE for an input entry that is NaN or at least 2^511 in magnitude,
 * LIE_ERR_DOMAIN also where the result would overflow, and on any status but LIE_OK leave the output as it was.
 *
 * Memory: the object and all workspace live in the caller's memory; these functions allocate nothing. (OpenBLAS maps
 * buffers for its kernels, once per process.) The workspace is part of the object, so ONE OBJECT SERVES ONE THREAD AT
 * A TIME; make one per thread. A const object is const in what it describes, not in its workspace.
 *
 * Linear algebra is cblas and LAPACKE, so this header belongs to the library liestep, not to liestep-core, and it
 * stands outside the promise of the same bits everywhere: OpenBLAS picks its kernels by CPU.
 *
 * Accuracy, relative in the 2-norm, as measured: on SO(n) to |x| = pi all maps and tangents within 4 eps, log up to
 * 1e-13 from a half-turn; farther out the error of exp and dexp grows like |x|. Where a map is ill-conditioned it is
 * that many digits worse: log and caylog by |g| |g^-1|, dexpinv by the condition of dexp_x, cay and dcay of 1 - x/2.
 *
 * References: Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups I (2009), (4.22), (4.24), (4.25),
 * (4.27); Higham, SIAM J. Matrix Anal. Appl. 26 (2005) 1179 (exp); Higham, Functions of Matrices (2008), ch. 11 (log);
 * Higham, Mackey, Mackey & Tisseur, SIAM J. Matrix Anal. Appl. 26 (2005) 849 (project). docs/CONVENTIONS.md. */
#ifndef LIESTEP_MATGROUP_H
#define LIESTEP_MATGROUP_H

#include <liestep/group.h>

#include <stddef.h>

LIE_BEGIN_DECLS

/* Largest n. Speed and memory decide long before: dexpinv factors a dim x dim matrix. */
#define LIE_MATGROUP_N_MAX 100

/* Bytes an object with n x n matrices needs, as a constant expression for 2 <= n <= LIE_MATGROUP_N_MAX. It grows like
 * 24 n^4: 5 kB for n = 3, 0.3 MB for n = 10, 16 MB for n = 28.
 * Example: static double mem[LIE_MATGROUP_BYTES(3) / sizeof(double)]; */
#define LIE_MATGROUP_BYTES(n)                                                                                          \
    (256 + 8 * (12 * LIE_MATGROUP_SYM_(n) * LIE_MATGROUP_SYM_(n) + 8 * LIE_MATGROUP_SYM_(n) +                          \
                12 * (size_t)(n) * (size_t)(n)))
#define LIE_MATGROUP_SYM_(n) ((size_t)(n) * ((size_t)(n) + 1) / 2)

/* log and caylog take g for an element if no entry of g^T J g - J exceeds this times max|J| max(1, max|g|^2). */
#define LIE_MATGROUP_TOL 1e-6

/* exp and its tangents ask for |x|_1 and |x|_inf of the matrix x up to this: half of the digits are then right. */
#define LIE_MATGROUP_EXP_MAX 67108864.0

/* log asks for |g|_1 |g^-1|_1 up to this: beyond it, far along a boost, no more than a few digits would be right. */
#define LIE_MATGROUP_LOG_MAX 1e12

typedef struct lie_matgroup lie_matgroup;

/* LIE_MATGROUP_BYTES(n) as a function; 0 unless 2 <= n <= LIE_MATGROUP_N_MAX. */
LIE_API size_t lie_matgroup_memsize(int n);

/* *M = the group of J (n x n row-major, copied), living in `work` as long as it is used (aligned for double, at least
 * memsize bytes); nothing to release. After an error *M is as it was; what is in work counts for nothing, but for
 * LIE_ERR_MEMORY it is not touched.
 * Status: LIE_ERR_SIZE (n), LIE_ERR_MEMORY (a null pointer, misaligned, bytes < lie_matgroup_memsize(n)),
 * LIE_ERR_NOT_FINITE, LIE_ERR_DOMAIN (J is not exactly symmetric or antisymmetric, or |J| or |J^-1| is beyond 2^255),
 * LIE_ERR_SINGULAR. */
LIE_API lie_status lie_matgroup_init(lie_matgroup **M, int n, const double *J, void *work, size_t bytes);

/* SO(n): J = 1.  SO(p,q): J = diag(1 x p, -1 x q), n = p + q.  Sp(2m): J = [[0, 1], [-1, 0]], n = 2m.
 * Status as lie_matgroup_init; LIE_ERR_SIZE also for negative p or q. */
LIE_API lie_status lie_matgroup_init_so(lie_matgroup **M, int n, void *work, size_t bytes);
LIE_API lie_status lie_matgroup_init_sopq(lie_matgroup **M, int p, int q, void *work, size_t bytes);
LIE_API lie_status lie_matgroup_init_sp(lie_matgroup **M, int m, void *work, size_t bytes);

LIE_API int lie_matgroup_n(const lie_matgroup *M);   /* the matrices are n x n */
LIE_API int lie_matgroup_dim(const lie_matgroup *M); /* dimension of the algebra */

LIE_API void lie_matgroup_identity(const lie_matgroup *M, double *g);                                /* g = 1 */
LIE_API void lie_matgroup_mul(const lie_matgroup *M, double *out, const double *a, const double *b); /* a b */
LIE_API void lie_matgroup_inv(const lie_matgroup *M, double *out, const double *g);                  /* J^-1 g^T J */
LIE_API void lie_matgroup_act(const lie_matgroup *M, double *out, const double *g, const double *p); /* g p in R^n */
LIE_API void lie_matgroup_hat(const lie_matgroup *M, double *X, const double *x); /* X = J^-1 K, n x n */
LIE_API void lie_matgroup_vee(const lie_matgroup *M, double *x, const double *X); /* K = part of J X in the algebra */
LIE_API void lie_matgroup_Ad(const lie_matgroup *M, double *out, const double *g, const double *x);  /* g x g^-1 */
LIE_API void lie_matgroup_Adt(const lie_matgroup *M, double *out, const double *g, const double *m); /* (Ad_g)^T m */
LIE_API void lie_matgroup_ad(const lie_matgroup *M, double *out, const double *x, const double *y);  /* x y - y x */
LIE_API void lie_matgroup_adt(const lie_matgroup *M, double *out, const double *x, const double *m); /* (ad_x)^T m */

/* An element of the group near g: the limit of X <- (X + J^-1 X^-T J) / 2, X_0 = g. For J = 1 the nearest one in the
 * Frobenius norm (the orthogonal polar factor), for any g with det g > 0; for other J, g must be near the group.
 * Status: LIE_ERR_NOT_FINITE; LIE_ERR_SINGULAR if g or an iterate is singular to working precision, or J is symmetric
 * and det g <= 0; LIE_ERR_NO_CONVERGENCE. */
LIE_API lie_status lie_matgroup_project(const lie_matgroup *M, double *out, const double *g);

/* exp: the matrix exponential. Domain: |x| <= LIE_MATGROUP_EXP_MAX.
 * log: the principal logarithm, every eigenvalue with |imaginary part| < pi. LIE_ERR_DOMAIN if an eigenvalue of g is
 * on the closed negative real axis to working precision (within 16 n eps; a half-turn, for one), for then no or
 * several real logarithms exist, and beyond LIE_MATGROUP_LOG_MAX; LIE_ERR_NOT_FINITE; LIE_ERR_NOT_IN_GROUP;
 * LIE_ERR_NO_CONVERGENCE if LAPACK finds no Schur form.
 * dexp_x = phi_1(ad_x), phi_1(z) = (e^z - 1)/z. dexp and dexpt do not form the matrix; dexpinv and dexpinvt factor it,
 * and say LIE_ERR_DOMAIN where it is singular to working precision (two eigenvalues of x differ by 2 pi i k, k != 0).
 * _matrix: dim x dim, row-major. body_deriv: M_ij = d/dx_j (dexp_{-x} psi)_i. */
LIE_API lie_status lie_matgroup_exp(const lie_matgroup *M, double *g, const double *x);
LIE_API lie_status lie_matgroup_log(const lie_matgroup *M, double *x, const double *g);
LIE_API lie_status lie_matgroup_dexp(const lie_matgroup *M, double *out, const double *x, const double *v);
LIE_API lie_status lie_matgroup_dexpt(const lie_matgroup *M, double *out, const double *x, const double *m);
LIE_API lie_status lie_matgroup_dexpinv(const lie_matgroup *M, double *out, const double *x, const double *v);
LIE_API lie_status lie_matgroup_dexpinvt(const lie_matgroup *M, double *out, const double *x, const double *m);
LIE_API lie_status lie_matgroup_dexp_matrix(const lie_matgroup *M, double *out, const double *x);
LIE_API lie_status lie_matgroup_dexpinv_matrix(const lie_matgroup *M, double *out, const double *x);
LIE_API lie_status lie_matgroup_dexp_body_deriv(const lie_matgroup *M, double *out, const double *x, const double *psi);

/* cay: g = (1 - x/2)^-1 (1 + x/2). Domain: 1 - x/2 regular to working precision, else LIE_ERR_DOMAIN; on SO(n) that is
 * all |x| < 1e14 or so, on groups with boosts x must not have the eigenvalue 2 (and beyond it cay(x) is outside the
 * component of 1).
 * caylog: x = 2 (g - 1)(g + 1)^-1; LIE_ERR_DOMAIN if g + 1 is singular to working precision (a half-turn);
 * LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP.
 * dcay_x y = (1 - x/2)^-1 y (1 + x/2)^-1, domain as cay; dcayinv_x y = (1 - x/2) y (1 + x/2), everywhere. */
LIE_API lie_status lie_matgroup_cay(const lie_matgroup *M, double *g, const double *x);
LIE_API lie_status lie_matgroup_caylog(const lie_matgroup *M, double *x, const double *g);
LIE_API lie_status lie_matgroup_dcay(const lie_matgroup *M, double *out, const double *x, const double *v);
LIE_API lie_status lie_matgroup_dcayt(const lie_matgroup *M, double *out, const double *x, const double *m);
LIE_API lie_status lie_matgroup_dcayinv(const lie_matgroup *M, double *out, const double *x, const double *v);
LIE_API lie_status lie_matgroup_dcayinvt(const lie_matgroup *M, double *out, const double *x, const double *m);
LIE_API lie_status lie_matgroup_dcay_matrix(const lie_matgroup *M, double *out, const double *x);
LIE_API lie_status lie_matgroup_dcayinv_matrix(const lie_matgroup *M, double *out, const double *x);
LIE_API lie_status lie_matgroup_dcay_body_deriv(const lie_matgroup *M, double *out, const double *x, const double *psi);

/* skew: g = x + (1 + x^2)^(1/2), the principal root; with x = sinh y it is exp(y). Domain: no eigenvalue of x is i s or
 * -i s with s >= 1 to working precision, else LIE_ERR_DOMAIN; on SO(n) that is |x| < 1 in the 2-norm, turns by less
 * than pi/2. So on other groups boosts may be of any size. (Bou-Rabee & Marsden 2009, (4.27), has it for SO(n).)
 * skewlog: x = (g - g^-1)/2, for SO(n) the antisymmetric part of g. LIE_ERR_DOMAIN unless the eigenvalues of g + g^-1
 * have real parts > 0 to working precision; LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP, LIE_ERR_NO_CONVERGENCE if LAPACK
 * finds no Schur form. dskewinv_x y = (y g + g^-1 y)/2, g = skew(x), is regular in all of the domain of skew, which
 * all of the following share; dskew and dskewt solve with its matrix. Near the end of the domain errors grow like the
 * norm of (1 + x^2)^(-1/2), those of the tangents like its square. */
LIE_API lie_status lie_matgroup_skew(const lie_matgroup *M, double *g, const double *x);
LIE_API lie_status lie_matgroup_skewlog(const lie_matgroup *M, double *x, const double *g);
LIE_API lie_status lie_matgroup_dskew(const lie_matgroup *M, double *out, const double *x, const double *v);
LIE_API lie_status lie_matgroup_dskewt(const lie_matgroup *M, double *out, const double *x, const double *m);
LIE_API lie_status lie_matgroup_dskewinv(const lie_matgroup *M, double *out, const double *x, const double *v);
LIE_API lie_status lie_matgroup_dskewinvt(const lie_matgroup *M, double *out, const double *x, const double *m);
LIE_API lie_status lie_matgroup_dskew_matrix(const lie_matgroup *M, double *out, const double *x);
LIE_API lie_status lie_matgroup_dskewinv_matrix(const lie_matgroup *M, double *out, const double *x);
LIE_API lie_status lie_matgroup_dskew_body_deriv(const lie_matgroup *M, double *out, const double *x,
                                                 const double *psi);

/* The same, described at run time: *out, group "matgroup", retraction "exp", "cay" or "skew". *M is kept by reference and must
 * live as long as *out is used. Status: LIE_ERR_SIZE if dim > LIE_DIM_MAX; LIE_ERR_UNKNOWN_NAME, also for null. */
LIE_API lie_status lie_matgroup_ops(lie_ops *out, const lie_matgroup *M, const char *retraction);

LIE_END_DECLS

#endif
