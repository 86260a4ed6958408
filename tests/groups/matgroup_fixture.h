/* SPDX-License-Identifier: MIT */
/* matgroup_fixture.h: the quadratic matrix groups on which the tests of matgroup.h run, and how they compare numbers.
 *
 * A new group is tested by one line in the table. Errors are relative, in the 2-norm, in units of eps = 2^-52. */
#ifndef LIESTEP_TESTS_MATGROUP_FIXTURE_H
#define LIESTEP_TESTS_MATGROUP_FIXTURE_H

#include <liestep/matgroup.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"
#include "unity.h"

enum { NMAX = 8, NNMAX = NMAX * NMAX, DMAX = NMAX * (NMAX + 1) / 2 };

enum kind { SO, SOPQ, SP, GIVEN };

/* slack: how much larger than on SO(n) round-off may be, for the condition of J */
typedef struct group_case {
    const char *name;
    enum kind kind;
    int n, p; /* p: positive entries of J for SOPQ */
    double slack;
    double J[16]; /* for GIVEN, 4 x 4 */
} group_case;

static const group_case group_cases[] = {
    {.name = "SO(2)", .kind = SO, .n = 2, .slack = 1},
    {.name = "SO(3)", .kind = SO, .n = 3, .slack = 1},
    {.name = "SO(4)", .kind = SO, .n = 4, .slack = 1},
    {.name = "SO(5)", .kind = SO, .n = 5, .slack = 1},
    {.name = "SO(8)", .kind = SO, .n = 8, .slack = 1},
    {.name = "Sp(2)", .kind = SP, .n = 2, .slack = 2},
    {.name = "Sp(4)", .kind = SP, .n = 4, .slack = 2},
    {.name = "SO(3,1)", .kind = SOPQ, .n = 4, .p = 3, .slack = 2},
    {.name = "symmetric indefinite J",
     .kind = GIVEN,
     .n = 4,
     .slack = 6,
     .J = {1.37, -0.42, 0.81, 0.26, -0.42, -1.93, 0.35, 0.57, 0.81, 0.35, 0.64, -1.21, 0.26, 0.57, -1.21, 2.05}},
    {.name = "antisymmetric J",
     .kind = GIVEN,
     .n = 4,
     .slack = 6,
     .J = {0, 1.13, -0.47, 0.29, -1.13, 0, 0.83, -0.61, 0.47, -0.83, 0, 1.71, -0.29, 0.61, -1.71, 0}},
};
enum { GROUPS = sizeof group_cases / sizeof group_cases[0], SO3_CASE = 1, SP2_CASE = 5, SO31_CASE = 7 };

/* The group under test; opened by open_group, closed by tearDown or the next open_group. */
typedef struct fixture {
    const group_case *is;
    lie_matgroup *M;
    int n, dim;
    double J[NNMAX];
    void *memory;
    lie_random rng;
} fixture;

static fixture G;

static inline void close_group(void)
{
    free(G.memory);
    G.memory = NULL;
}

/* The form of a case, written down once more: it does not come from the library. */
static inline void form_of(const group_case *c, double *J)
{
    int n = c->n;
    memset(J, 0, NNMAX * sizeof *J);
    if (c->kind == GIVEN) memcpy(J, c->J, sizeof c->J);
    for (int i = 0; i < n; i++) {
        if (c->kind == SO) J[i * n + i] = 1;
        if (c->kind == SOPQ) J[i * n + i] = i < c->p ? 1 : -1;
        if (c->kind == SP) J[i * n + (i + n / 2) % n] = i < n / 2 ? 1 : -1;
    }
}

/* Memory is exactly as large as the library asks for: what goes beyond is seen by valgrind and the sanitizers. */
static inline void open_group(int k)
{
    const group_case *c = &group_cases[k];
    size_t bytes = lie_matgroup_memsize(c->n);
    lie_status status = LIE_ERR_SIZE;
    close_group();
    G.is = c;
    G.n = c->n;
    G.rng.state = 4071u + (unsigned)k;
    form_of(c, G.J);
    G.memory = malloc(bytes);
    if (c->kind == SO) status = lie_matgroup_init_so(&G.M, c->n, G.memory, bytes);
    if (c->kind == SOPQ) status = lie_matgroup_init_sopq(&G.M, c->p, c->n - c->p, G.memory, bytes);
    if (c->kind == SP) status = lie_matgroup_init_sp(&G.M, c->n / 2, G.memory, bytes);
    if (c->kind == GIVEN) status = lie_matgroup_init(&G.M, c->n, G.J, G.memory, bytes);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, status, c->name);
    G.dim = lie_matgroup_dim(G.M);
}

static inline int is_compact(void)
{
    return G.is->kind == SO;
}

static inline int is_antisymmetric(void)
{
    return G.is->kind == SP || (G.is->kind == GIVEN && G.J[0] == 0);
}

static inline double norm2(int count, const double *a)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

static inline double dot(int count, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* |a - b| / |b| in units of eps; differences are taken of numbers scaled to order one, so that nothing underflows. */
static inline double error_eps(int count, const double *a, const double *b)
{
    double top = 0, sum = 0, size = 0;
    for (int i = 0; i < count; i++) top = fmax(top, fabs(b[i]));
    if (top == 0) top = 1;
    for (int i = 0; i < count; i++) {
        sum += (a[i] - b[i]) / top * ((a[i] - b[i]) / top);
        size += b[i] / top * (b[i] / top);
    }
    return sqrt(sum / (size > 0 ? size : 1)) / DBL_EPSILON;
}

/* Fail with the names of group and property unless error <= bound. */
static inline void expect(const char *what, double error, double bound)
{
    char text[160];
    snprintf(text, sizeof text, "%s on %s: error %.3g, bound %.3g", what, G.is->name, error, bound);
    TEST_ASSERT_TRUE_MESSAGE(error <= bound, text);
}

static inline void expect_status(lie_status wanted, lie_status got)
{
    TEST_ASSERT_EQUAL_STRING_MESSAGE(lie_status_name(wanted), lie_status_name(got), G.is->name);
}

static inline void ok(lie_status got)
{
    expect_status(LIE_OK, got);
}

/* A random algebra vector whose matrix has Frobenius norm sqrt(2) size: on SO(3) a rotation vector of length size. */
static inline void random_algebra(double *x, double size)
{
    double X[NNMAX];
    random_vector(&G.rng, G.dim, x, 1);
    lie_matgroup_hat(G.M, X, x);
    double scale = sqrt(0.5) * norm2(G.n * G.n, X);
    for (int i = 0; i < G.dim; i++) x[i] = x[i] / scale * size;
}

static inline void random_element(double *g)
{
    double x[DMAX];
    random_algebra(x, 0.83);
    ok(lie_matgroup_exp(G.M, g, x));
}

static inline void negate(double *out, const double *x)
{
    for (int i = 0; i < G.dim; i++) out[i] = -x[i];
}

/* out = A B, A^T B; not through the library */
static inline void product(double *out, const double *A, const double *B)
{
    int n = G.n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 0;
            for (int k = 0; k < n; k++) out[i * n + j] += A[i * n + k] * B[k * n + j];
        }
}

static inline void transpose(double *out, const double *A)
{
    for (int i = 0; i < G.n; i++)
        for (int j = 0; j < G.n; j++) out[i * G.n + j] = A[j * G.n + i];
}

/* |g^T J g - J| relative to |J| |g|^2 / n, in eps */
static inline double defect_eps(const double *g)
{
    double gt[NNMAX], Jg[NNMAX], gJg[NNMAX];
    int nn = G.n * G.n;
    transpose(gt, g);
    product(Jg, G.J, g);
    product(gJg, gt, Jg);
    for (int i = 0; i < nn; i++) gJg[i] -= G.J[i];
    return norm2(nn, gJg) / (norm2(nn, G.J) * norm2(nn, g) * norm2(nn, g) / G.n) / DBL_EPSILON;
}

/* The retractions, as functions of the same shape. reach: sizes of x (random_algebra) they are tried up to on SO(n) */
typedef lie_status map_fn(const lie_matgroup *M, double *out, const double *x);
typedef lie_status tangent_fn(const lie_matgroup *M, double *out, const double *x, const double *v);

typedef struct retraction {
    const char *name;
    double reach;
    map_fn *tau, *tauinv, *dtau_matrix, *dtauinv_matrix;
    tangent_fn *dtau, *dtaut, *dtauinv, *dtauinvt, *body_deriv;
} retraction;

#define RETRACTION(name, inverse, reach)                                                                               \
    {                                                                                                                  \
#name, reach, lie_matgroup_##name, lie_matgroup_##inverse, lie_matgroup_d##name##_matrix,                      \
            lie_matgroup_d##name##inv_matrix, lie_matgroup_d##name, lie_matgroup_d##name##t,                           \
            lie_matgroup_d##name##inv, lie_matgroup_d##name##invt, lie_matgroup_d##name##_body_deriv                   \
    }
static const retraction retractions[] = {RETRACTION(exp, log, 3), RETRACTION(cay, caylog, 3),
                                         RETRACTION(skew, skewlog, 1)};
enum { RETRACTIONS = 3, SKEW = 2, POINTS = 4 };

/* Run a check on every group, all retractions, several sizes and random directions. Noncompact groups stay below size
 * 1: there 1 - x/2 is regular. */
typedef void point_fn(const retraction *r, const double *x);

static inline void for_all_points(point_fn *check)
{
    static const double sizes[] = {0, 1e-300, 1e-8, 0.0291, 0.31, 0.97, 2.9};
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        for (int r = 0; r < RETRACTIONS; r++)
            for (int s = 0; s < (is_compact() ? 7 : 6); s++)
                for (int t = 0; t < POINTS; t++) {
                    double x[DMAX];
                    if (sizes[s] > retractions[r].reach) continue;
                    random_algebra(x, sizes[s]);
                    check(&retractions[r], x);
                }
    }
}

#endif
