/* SPDX-License-Identifier: MIT */
/* ref_mpfr.h: the groups and their retractions once more, in MPFR, to measure the library against.
 *
 * Nothing here shares a formula with groups/. A group is only a table that says how its coordinates sit in a square
 * matrix; everything else is matrix algebra at several hundred bits:
 *
 *   tau          exp by its power series, cay by a matrix solve, skew by a matrix square root
 *   dtau         central differences of tau, (tau(x + s d) - tau(x - s d)) / 2s tau(x)^-1, s = 2^-200 at 640 bits
 *   dtauinv      the inverse of the matrix of dtau
 *   body_deriv   second central differences of tau
 *   tauinv       matrix algebra and atan2 at the group element nearest to the doubles given
 *
 * Embeddings: SO3 3x3; SE3 4x4 and SE2 3x3 homogeneous; S3 and H as 4x4 matrices of left multiplication; R^n as
 * (n+1)x(n+1) translations.
 *
 * Numbers live in a pool. ref_new and ref_mat_new take from it at the current precision; ref_release gives back all
 * that was taken since ref_mark. A vector is a pointer to consecutive numbers. Not thread safe. */
#ifndef LIESTEP_TESTS_REF_MPFR_H
#define LIESTEP_TESTS_REF_MPFR_H

#include <mpfr.h>

#define REF_RN_DIM 5    /* the n of the R^n measured */
#define REF_DIM_MAX 6   /* largest algebra */
#define REF_SIZE_MAX 12 /* largest element */
#define REF_PREC 640    /* bits */

typedef struct ref_mat {
    int rows, cols;
    mpfr_ptr a; /* row-major */
} ref_mat;

/* Pool. */
void ref_set_prec(mpfr_prec_t bits); /* of everything taken from now on */
mpfr_prec_t ref_prec(void);
int ref_mark(void);
void ref_release(int mark);
void ref_end(void);                      /* frees the pool */
mpfr_ptr ref_new(int n);                 /* n zeros */
ref_mat ref_mat_new(int rows, int cols); /* zeros */
mpfr_ptr ref_from_double(const double *x, int n);

/* Vectors of n numbers. */
void ref_copy(mpfr_ptr out, mpfr_srcptr x, int n);
void ref_norm(mpfr_ptr out, mpfr_srcptr x, int n); /* Euclidean */
void ref_scale(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr factor, int n);
void ref_axpy(mpfr_ptr out, mpfr_srcptr factor, mpfr_srcptr x, mpfr_srcptr y, int n); /* factor x + y */

/* Matrices. Outputs may alias inputs. */
mpfr_ptr ref_at(ref_mat m, int row, int col);
void ref_identity(ref_mat out);
void ref_add_scaled(ref_mat out, ref_mat a, ref_mat b, double factor); /* a + factor b */
void ref_mul(ref_mat out, ref_mat a, ref_mat b);
void ref_transpose(ref_mat out, ref_mat a);
void ref_solve(ref_mat out, ref_mat a, ref_mat b); /* a^-1 b; NaN if a is singular */
void ref_inverse(ref_mat out, ref_mat a);
void ref_expm(ref_mat out, ref_mat x);
void ref_polar(ref_mat out, ref_mat a); /* orthogonal polar factor: the nearest orthogonal matrix */

/* Spectral norm of the rows x cols block at (row, col), to about 1e-6 and never above: it is only a denominator. */
void ref_norm2(mpfr_ptr out, ref_mat a, int row, int col, int rows, int cols);

/* Binary exponent of |a - b| / |b|; at most -precision if they are equal, 1 if not a number. */
long ref_disagreement(ref_mat a, ref_mat b);

/* A group: coordinate k of an algebra vector (element) adds value * x_k at (row, col) of the matrix. */
typedef struct ref_entry {
    int k, row, col;
    double value;
} ref_entry;

typedef struct ref_group {
    const char *name;
    int dim, size, order;                   /* of the algebra, of an element, of the matrices */
    int homogeneous;                        /* 1: the last diagonal entry of an element is 1 */
    const ref_entry *algebra, *element;     /* ended by k = -1; the first entry of k is where vee and coords read it */
    int rot, rot_len;                       /* where the rotation vector (w) stands in an algebra vector */
    int lin, lin_len;                       /* and the rest (v, or the s of H); lin_len = 0: none */
    void (*project)(mpfr_ptr g);            /* to the nearest element, in place */
    void (*log)(mpfr_ptr w, mpfr_srcptr g); /* rotation part of log of a projected element */
} ref_group;

extern const ref_group ref_so3, ref_s3, ref_quat, ref_se3, ref_se2, ref_rn;

void ref_hat(const ref_group *G, ref_mat X, mpfr_srcptr x);
void ref_vee(const ref_group *G, mpfr_ptr x, ref_mat X);
void ref_embed(const ref_group *G, ref_mat M, mpfr_srcptr g);
void ref_coords(const ref_group *G, mpfr_ptr g, ref_mat M);
ref_mat ref_group_mat(const ref_group *G);                   /* a new order x order matrix */
void ref_Ad(const ref_group *G, ref_mat out, mpfr_srcptr g); /* dim x dim */
void ref_ad(const ref_group *G, ref_mat out, mpfr_srcptr x); /* dim x dim */

/* Retractions. REF_CAY_LIFT and REF_SKEW_LIFT are S3's lifts of the maps of SO(3) and of (4.27) on H. */
typedef enum ref_kind { REF_EXP, REF_CAY, REF_CAY_LIFT, REF_SKEW, REF_SKEW_LIFT } ref_kind;

void ref_tau(const ref_group *G, ref_kind kind, ref_mat g, mpfr_srcptr x);
void ref_tauinv(const ref_group *G, ref_kind kind, mpfr_ptr x, mpfr_srcptr g); /* g: projected coordinates */
void ref_dtau(const ref_group *G, ref_kind kind, ref_mat D, mpfr_srcptr x);
/* M (dim dim x dim): rows k dim .. (k+1) dim - 1 are the matrix d/dx_j (dtau_{-x} e_k)_i. Linear in e_k. */
void ref_body_derivs(const ref_group *G, ref_kind kind, ref_mat M, mpfr_srcptr x);

/* The other logarithm of a turn by nearly pi: w -> w (1 - 2 pi/|w|), and v such that exp is the same. x, out: dim. */
void ref_log_other(const ref_group *G, mpfr_ptr out, mpfr_srcptr x);

#endif
