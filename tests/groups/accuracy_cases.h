/* SPDX-License-Identifier: MIT */
/* accuracy_cases.h: how far every map of every group is from the truth, in units of eps = 2^-52.
 *
 * Shared by the program accuracy (the whole table) and by test_accuracy (a small fixed-seed sample of it).
 * What is measured, against what, and every condition number: docs/ACCURACY.md. */
#ifndef LIESTEP_TESTS_ACCURACY_CASES_H
#define LIESTEP_TESTS_ACCURACY_CASES_H

#include <stddef.h>
#include <stdint.h>

#include <liestep/group.h>

#include "tests/support/random.h"
#include "tests/support/ref_mpfr.h"

/* Decades of the angle t, one column each. T is the largest angle of the chart: pi, or pi/2 for skew on SO(3). */
enum {
    ACC_TINY,    /* 0, and 1e-300 .. 1e-16 */
    ACC_1E_8,    /* 1e-16 .. 1e-8 */
    ACC_1E_5,    /* 1e-8 .. 1e-5 */
    ACC_1E_2,    /* 1e-5 .. 1e-2 */
    ACC_ONE,     /* 1e-2 .. 1 */
    ACC_GENERIC, /* 1 .. T - 1e-3 */
    ACC_NEAR_T,  /* T - 1e-3 .. T - 1e-15 */
    ACC_AT_T,    /* the double nearest to T, and exact half-turns */
    ACC_BEYOND,  /* pi .. 2 pi */
    ACC_FAR,     /* |w| from 1e1 to 1e8 */
    ACC_DECADES
};
extern const char *const acc_decade_name[ACC_DECADES];

/* A public function of any of the shapes the groups have. */
typedef enum acc_shape { ACC_V1, ACC_V2, ACC_S1, ACC_S2, ACC_N1, ACC_N2, ACC_P1 } acc_shape;

typedef struct acc_fn {
    acc_shape shape;
    union {
        void (*v1)(double *, const double *);
        void (*v2)(double *, const double *, const double *);
        lie_status (*s1)(double *, const double *);
        lie_status (*s2)(double *, const double *, const double *);
        void (*n1)(int, double *, const double *);
        void (*n2)(int, double *, const double *, const double *);
        lie_status (*p1)(int, double *, const double *);
    } u;
} acc_fn;

lie_status acc_call(const acc_fn *f, double *out, const double *a, const double *b);

/* The maps of group x retraction, then the two round trips. */
enum {
    ACC_TAU,
    ACC_TAUINV,
    ACC_DTAU,
    ACC_DTAUT,
    ACC_DTAUINV,
    ACC_DTAUINVT,
    ACC_DTAU_MATRIX,
    ACC_DTAUINV_MATRIX,
    ACC_BODY_DERIV,
    ACC_TRIP_ALGEBRA, /* tauinv(tau(x)) against x */
    ACC_TRIP_GROUP,   /* tau(tauinv(g)) against g */
    ACC_MAPS
};

typedef struct acc_pair {
    const ref_group *G;
    const char *tau, *inverse;      /* "cay", "caylog" */
    const char *ops_group;          /* name in lie_ops_find; null for R^n */
    double (*radius)(double angle); /* |w| of a turn by the angle */
    double limit;                   /* T */
    ref_kind kind;
    unsigned decades;         /* bit d: tau is measured in decade d */
    unsigned inverse_decades; /* the same for tauinv and the round trips */
    unsigned dinv_decades;    /* and for dtauinv */
    acc_fn fn[ACC_BODY_DERIV + 1];
} acc_pair;

extern const acc_pair acc_pairs[];
extern const int acc_pair_count;

/* The operations of a group that no retraction enters. */
enum { ACC_MUL, ACC_INV, ACC_ACT, ACC_AD_GROUP, ACC_ADT_GROUP, ACC_AD, ACC_ADT, ACC_PROJECT, ACC_OPS };
extern const char *const acc_op_name[ACC_OPS];

typedef struct acc_group {
    const ref_group *G;
    acc_fn fn[ACC_OPS];
} acc_group;

extern const acc_group acc_groups[];
extern const int acc_group_count;

/* Random input; a seed means the same everywhere. */
typedef struct acc_input {
    double x[REF_DIM_MAX]; /* chart point */
    double y[REF_DIM_MAX]; /* another */
    double v[REF_DIM_MAX]; /* algebra vector */
    double m[REF_DIM_MAX]; /* momentum */
    double p[REF_DIM_MAX]; /* a point of space, or psi */
    double radius;         /* |w| of x */
    int exact_half_turn;   /* +1, -1: measure log at one, R = 2 n n^T - 1 or (-1, +-0) */
    lie_random rng;        /* for what else is needed */
} acc_input;

double acc_uniform(lie_random *rng); /* [0, 1) */
void acc_draw(acc_input *in, const ref_group *G, ref_kind kind, double (*radius)(double), double limit, int decade,
              uint64_t seed, int index);
double acc_radius_angle(double angle); /* |w| = t */

/* One line of the table. */
#define ACC_NAME 48

typedef struct acc_row {
    char name[ACC_NAME];
    double bound;
    long samples;
    double worst[ACC_DECADES]; /* in eps; negative: not measured */
    double worst_all;
    int worst_decade;
    acc_input worst_input;
} acc_row;

typedef struct acc_config {
    int samples; /* per decade */
    uint64_t seed;
    const char *filter; /* only rows whose name contains it; null: all */
    int strict;         /* 1: no condition numbers */
} acc_config;

#define ACC_ROWS_MAX 256

/* Fills rows (at most ACC_ROWS_MAX) and returns how many; those the filter leaves out have no samples. */
int acc_measure(acc_row *rows, const acc_config *config);
int acc_measure_pair(acc_row *rows, const acc_pair *pair, const acc_config *config);
int acc_measure_group(acc_row *rows, const acc_group *group, const acc_config *config);
int acc_within_bound(const acc_row *row);

double acc_pair_bound(const acc_pair *pair, int map);
double acc_op_bound(const acc_group *group, int op);
int acc_wanted(const char *name, const acc_config *config);
void acc_row_start(acc_row *row, const char *name, double bound);
void acc_row_add(acc_row *row, double error, int decade, const acc_input *in); /* error < 0: not measured */
void acc_pair_name(char *name, size_t size, const acc_pair *pair, int map);

/* Errors in eps = 2^-52; infinite if out is not finite, or not exact where the denominator is 0. */
#define ACC_EPS 0x1p-52
double acc_block_error(const double *out, mpfr_srcptr exact, int n, mpfr_srcptr denominator);
double acc_relative_error(const double *out, mpfr_srcptr exact, int n, double kappa); /* denominator kappa |exact| */
double acc_applied_error(const double *out, const ref_group *G, ref_kind kind, ref_mat M, const double *v,
                         double kappa);
/* A dim x dim matrix, each block relative to its Frobenius norm. */
double acc_matrix_error(const double *out, const ref_group *G, ref_kind kind, ref_mat M, double kappa);

/* The body derivative at psi, M as ref_body_derivs gives it: each block relative to the norm of that linear map of psi
 * times |psi|. */
double acc_deriv_error(const double *out, const ref_group *G, ref_kind kind, ref_mat M, const double *psi,
                       double kappa);

#endif
