/* SPDX-License-Identifier: MIT */
/* One harness for ALL groups x retractions: the built-in ones, R^n, a product and a group defined outside the library.
 * Every property is checked at every point of a common list of points. A group is tested by its lines in groups.def.
 *
 * Names A1 .. A7: the lemmas on retractions in Bou-Rabee & Marsden 2009 (4.2 to 4.5) and Jimenez 2012 (6.6.1 to 6.6.4).
 * Bounds are in eps = 2^-52 times the size of what is compared; differences are of fourth order with step 2^-9, whose
 * error is about 1e-10 for maps with derivatives of order one. */
#include <liestep/product.h>
#include <liestep/rn.h>
#include <liestep/se2.h>
#include <liestep/se3.h>
#include <liestep/series.h>
#include <liestep/so3.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/heisenberg.h"
#include "tests/support/random.h"
#include "unity.h"

enum { NMAX = 16, GMAX = 40, EXTRA = 5 };

static lie_ops extra[EXTRA];
static const lie_ops *const factors[] = {&lie_so3_exp_ops, &extra[0], &lie_se2_cay_ops, &lie_se3_exp_ops};
static const lie_product product = {4, factors};

static const lie_ops *group_at(int i)
{
    int n = lie_ops_builtin_count();
    return i < n ? lie_ops_builtin(i) : i < n + EXTRA ? &extra[i - n] : NULL;
}

void setUp(void)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&extra[0], 3, "cay"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&extra[1], 1, "exp"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&extra[2], &product));
    TEST_ASSERT_EQUAL(LIE_OK, heisenberg_ops(&extra[3]));
    /* the defaults of lie_ops_complete must agree with closed forms: SO(3) with nothing but the required operations */
    extra[4] = lie_so3_exp_ops;
    extra[4].group = "SO3 by defaults";
    extra[4].Adt = extra[4].adt = NULL;
    extra[4].dtau = extra[4].dtaut = extra[4].dtauinv = extra[4].dtauinvt = extra[4].dtau_body_deriv = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_complete(&extra[4]));
}

void tearDown(void)
{
}

/* Sizes of the points tried. Points outside the domain of a retraction or its tangent are skipped by it. */
static const double sizes[] = {0.0, 1e-300, 1e-160, 1e-8, 3e-4, 0.0291, 0.385, 0.93, 1.7, 2.9, 3.14159265358};
enum { SIZES = sizeof sizes / sizeof sizes[0], TRIES = 6 };

typedef void check_fn(const lie_ops *G, const double *x, lie_random *rng);

/* Run a check on every group at every size, several random directions each; at least one point of each must count. */
static void for_all(check_fn *check)
{
    lie_random rng = {20010907u};
    for (int k = 0; group_at(k); k++) {
        const lie_ops *G = group_at(k);
        int count = 0;
        for (int s = 0; s < SIZES; s++)
            for (int t = 0; t < TRIES; t++) {
                double x[NMAX], probe[NMAX], len = 0.0;
                random_vector(&rng, G->dim, x, 1.0);
                for (int i = 0; i < G->dim; i++) len += x[i] * x[i];
                for (int i = 0; i < G->dim; i++) x[i] *= sizes[s] / sqrt(len);
                if (G->dtau(G, probe, x, x) != LIE_OK || G->dtauinv(G, probe, x, x) != LIE_OK) continue;
                check(G, x, &rng);
                count++;
            }
        TEST_ASSERT_GREATER_THAN_MESSAGE(5 * TRIES, count, G->group);
    }
}

static double norm(int n, const double *a)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) s += a[i] * a[i];
    return sqrt(s);
}

/* |a - b| <= bound (1 + scale), with a message that says where */
static void near(const lie_ops *G, const char *what, int n, const double *a, const double *b, double bound,
                 const double *x)
{
    double diff[GMAX * GMAX], scale = 1.0 + norm(n, b);
    for (int i = 0; i < n; i++) diff[i] = a[i] - b[i];
    double error = norm(n, diff);
    if (error <= bound * scale) return;
    char text[200];
    snprintf(text, sizeof text, "%s %s: %s off by %.3g, bound %.3g, at |x| = %.17g", G->group, G->retraction, what,
             error, bound * scale, norm(G->dim, x));
    TEST_FAIL_MESSAGE(text);
}

static void element(const lie_ops *G, double *g, const double *x)
{
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, G->tau(G, g, x), G->group);
}

static void negative(const lie_ops *G, double *out, const double *x)
{
    for (int i = 0; i < G->dim; i++) out[i] = -x[i];
}

static double pair(int n, const double *m, const double *x)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) s += m[i] * x[i];
    return s;
}

#define EPS DBL_EPSILON

static void check_axioms(const lie_ops *G, const double *x, lie_random *rng)
{
    double a[GMAX], b[GMAX], c[GMAX], e[GMAX], p[GMAX], q[GMAX], y[NMAX];
    element(G, a, x);
    random_vector(rng, G->dim, y, 0.4);
    element(G, b, y);
    random_vector(rng, G->dim, y, 0.3);
    element(G, c, y);
    G->identity(G, e);
    G->mul(G, p, a, e);
    near(G, "a e = a", G->size, p, a, 0.0, x);
    G->mul(G, p, e, a);
    near(G, "e a = a", G->size, p, a, 0.0, x);
    G->inv(G, p, a);
    G->mul(G, q, p, a);
    near(G, "a^-1 a = e", G->size, q, e, 8 * EPS, x);
    G->mul(G, p, a, b);
    G->mul(G, p, p, c);
    G->mul(G, q, b, c);
    G->mul(G, q, a, q);
    near(G, "(a b) c = a (b c)", G->size, p, q, 8 * EPS, x);
}

void test_groups_axioms(void)
{
    for_all(check_axioms);
}

static void check_adjoint(const lie_ops *G, const double *x, lie_random *rng)
{
    double a[GMAX], b[GMAX], ab[GMAX], u[NMAX], v[NMAX], p[NMAX], q[NMAX], r[NMAX], m[NMAX];
    int n = G->dim;
    element(G, a, x);
    random_vector(rng, n, u, 0.4);
    element(G, b, u);
    random_vector(rng, n, u, 1.0);
    random_vector(rng, n, v, 1.0);
    random_vector(rng, n, m, 1.0);
    G->mul(G, ab, a, b);
    G->Ad(G, p, ab, u);
    G->Ad(G, q, b, u);
    G->Ad(G, q, a, q);
    near(G, "Ad_ab = Ad_a Ad_b", n, p, q, 40 * EPS, x);
    G->ad(G, p, u, v);
    G->Ad(G, p, a, p);
    G->Ad(G, q, a, u);
    G->Ad(G, r, a, v);
    G->ad(G, q, q, r);
    near(G, "Ad [u, v] = [Ad u, Ad v]", n, p, q, 100 * EPS, x);
    G->Ad(G, p, a, u);
    G->Adt(G, q, a, m);
    double left = pair(n, m, p), right = pair(n, q, u);
    near(G, "<m, Ad u> = <Adt m, u>", 1, &left, &right, 40 * EPS, x);
    G->ad(G, p, u, v);
    G->adt(G, q, u, m);
    left = pair(n, m, p), right = pair(n, q, v);
    near(G, "<m, ad_u v> = <adt_u m, v>", 1, &left, &right, 20 * EPS, x);
    G->ad(G, q, v, u);
    for (int i = 0; i < n; i++) q[i] = -q[i];
    near(G, "[u, v] = -[v, u]", n, p, q, 0.0, x);
}

void test_groups_adjoint_action(void)
{
    for_all(check_adjoint);
}

static void check_retraction(const lie_ops *G, const double *x, lie_random *rng)
{
    double g[GMAX], h[GMAX], e[GMAX], back[NMAX], y[NMAX];
    (void)rng;
    element(G, g, x);
    negative(G, y, x);
    element(G, h, y);
    G->identity(G, e);
    G->mul(G, g, g, h);
    near(G, "A1: tau(x) tau(-x) = e", G->size, g, e, 8 * EPS, x);
    element(G, g, x);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, G->tauinv(G, back, g), G->group);
    double size = norm(G->dim, x), diff[NMAX];
    for (int i = 0; i < G->dim; i++) diff[i] = back[i] - x[i];
    char text[200];
    /* in H* the length e^s forgets an s below eps */
    double resolution = strcmp(G->group, "H") != 0 ? size : 1.0 + size;
    double error = norm(G->dim, diff),
           bound = 16 * EPS * resolution * (strcmp(G->retraction, "skew") != 0 ? 1.0 : 10.0);
    snprintf(text, sizeof text, "%s %s: tauinv(tau(x)) off by %.3g, |x| = %.17g", G->group, G->retraction, error, size);
    TEST_ASSERT_TRUE_MESSAGE(error <= bound || sizes[SIZES - 1] - size < 1e-6, text);
}

void test_groups_retraction_and_inverse(void)
{
    for_all(check_retraction);
}

static void check_lemmas(const lie_ops *G, const double *x, lie_random *rng)
{
    double g[GMAX], u[NMAX], m[NMAX], p[NMAX], q[NMAX], r[NMAX], minus[NMAX];
    int n = G->dim;
    element(G, g, x);
    negative(G, minus, x);
    random_vector(rng, n, u, 1.0);
    random_vector(rng, n, m, 1.0);
    G->dtau(G, p, x, u);
    G->dtau(G, q, minus, u);
    G->Ad(G, q, g, q);
    near(G, "A3: dtau_x = Ad dtau_-x", n, p, q, 60 * EPS, x);
    G->dtauinv(G, r, x, p);
    double condition = 1.0 + norm(n, p);
    G->dtauinv(G, q, x, u);
    condition *= 1.0 + norm(n, q);
    near(G, "dtauinv dtau = 1", n, r, u, 20 * EPS * condition, x);
    G->dtauinvt(G, p, minus, m);
    G->dtauinvt(G, q, x, m);
    G->Adt(G, q, g, q);
    near(G, "A4: dtauinvt_-x = Adt dtauinvt_x", n, p, q, 60 * EPS * condition, x);
    G->dtau(G, p, x, u);
    G->dtaut(G, q, x, m);
    double left = pair(n, m, p), right = pair(n, q, u);
    near(G, "<m, dtau u> = <dtaut m, u>", 1, &left, &right, 20 * EPS * condition, x);
    G->dtauinv(G, p, x, u);
    G->dtauinvt(G, q, x, m);
    left = pair(n, m, p), right = pair(n, q, u);
    near(G, "<m, dtauinv u> = <dtauinvt m, u>", 1, &left, &right, 20 * EPS * condition, x);
}

void test_groups_lemmas_A3_A4_and_transposes(void)
{
    for_all(check_lemmas);
}

/* Fourth-order central difference of a curve f(s) in R^n at s = 0. */
typedef void curve_fn(const lie_ops *G, double *out, double s, const double *const *data);

static void difference(const lie_ops *G, int n, curve_fn *f, double *out, const double *const *data)
{
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0};
    double h = 0x1p-9, value[GMAX];
    for (int i = 0; i < n; i++) out[i] = 0.0;
    for (int k = 0; k < 4; k++) {
        f(G, value, at[k] * h, data);
        for (int i = 0; i < n; i++) out[i] += weight[k] * value[i] / h;
    }
}

/* The points at which a difference quotient stays inside the domain. */
static int inside(const lie_ops *G, const double *x)
{
    double y[NMAX], probe[NMAX];
    for (int i = 0; i < G->dim; i++) y[i] = 1.3 * x[i];
    return G->dtau(G, probe, y, y) == LIE_OK && norm(G->dim, x) < 3.0;
}

/* tau^-1( tau(x + s u) tau(x)^-1 ), whose derivative is dtau_x u */
static void tau_curve(const lie_ops *G, double *out, double s, const double *const *data)
{
    double y[NMAX], g[GMAX], h[GMAX];
    for (int i = 0; i < G->dim; i++) y[i] = data[0][i] + s * data[1][i];
    element(G, g, y);
    element(G, h, data[0]);
    G->inv(G, h, h);
    G->mul(G, g, g, h);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, G->tauinv(G, out, g), G->group);
}

/* Ad_tau(x + s u) v: A6 */
static void Ad_curve(const lie_ops *G, double *out, double s, const double *const *data)
{
    double y[NMAX], g[GMAX];
    for (int i = 0; i < G->dim; i++) y[i] = data[0][i] + s * data[1][i];
    element(G, g, y);
    G->Ad(G, out, g, data[2]);
}

/* Ad_(g tau(s u)) v: A5 */
static void Ad_left_curve(const lie_ops *G, double *out, double s, const double *const *data)
{
    double y[NMAX], g[GMAX], h[GMAX];
    for (int i = 0; i < G->dim; i++) y[i] = s * data[1][i];
    element(G, g, data[0]);
    element(G, h, y);
    G->mul(G, g, g, h);
    G->Ad(G, out, g, data[2]);
}

/* tau^-1( (tau(s u))^-1 tau(x) tau(s v) ): A7 */
static void step_curve(const lie_ops *G, double *out, double s, const double *const *data)
{
    double y[NMAX], g[GMAX], h[GMAX];
    element(G, g, data[0]);
    for (int i = 0; i < G->dim; i++) y[i] = -s * data[1][i];
    element(G, h, y);
    G->mul(G, g, h, g);
    for (int i = 0; i < G->dim; i++) y[i] = s * data[2][i];
    element(G, h, y);
    G->mul(G, g, g, h);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, G->tauinv(G, out, g), G->group);
}

/* dtau_{-(x + s u)} v: the derivative of the body tangent */
static void body_curve(const lie_ops *G, double *out, double s, const double *const *data)
{
    double y[NMAX];
    for (int i = 0; i < G->dim; i++) y[i] = -(data[0][i] + s * data[1][i]);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, G->dtau(G, out, y, data[2]), G->group);
}

static void check_derivatives(const lie_ops *G, const double *x, lie_random *rng)
{
    double u[NMAX], v[NMAX], p[NMAX], q[NMAX], r[NMAX], g[GMAX], M[NMAX * NMAX], minus[NMAX];
    const double *data[3] = {x, u, v}, bound = 1e-9;
    int n = G->dim;
    if (!inside(G, x)) return;
    random_vector(rng, n, u, 0.5);
    random_vector(rng, n, v, 0.5);
    difference(G, n, tau_curve, p, data);
    G->dtau(G, q, x, u);
    near(G, "A2: dtau against differences of tau", n, p, q, bound, x);
    difference(G, n, Ad_curve, p, data);
    element(G, g, x);
    G->Ad(G, r, g, v);
    G->ad(G, q, q, r);
    near(G, "A6: d Ad_tau(x) v = [dtau_x u, Ad v]", n, p, q, bound, x);
    difference(G, n, Ad_left_curve, p, data);
    G->ad(G, q, u, v);
    G->Ad(G, q, g, q);
    near(G, "A5: d Ad_g v = Ad_g [g^-1 dg, v]", n, p, q, bound, x);
    difference(G, n, step_curve, p, data);
    negative(G, minus, x);
    G->dtauinv(G, q, x, u);
    G->dtauinv(G, r, minus, v);
    for (int i = 0; i < n; i++) q[i] = r[i] - q[i];
    near(G, "A7: variation of the step", n, p, q, bound, x);
    difference(G, n, body_curve, p, data);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, G->dtau_body_deriv(G, M, x, v), G->group);
    for (int i = 0; i < n; i++) q[i] = pair(n, M + i * n, u);
    near(G, "dtau_body_deriv against differences", n, p, q, bound, x);
}

void test_groups_derivatives_A2_A5_A6_A7(void)
{
    for_all(check_derivatives);
}

/* The result of an operation does not change when the output is one of the inputs. */
static void check_aliasing(const lie_ops *G, const double *x, lie_random *rng)
{
    lie_linear_fn *const linear[] = {G->ad, G->adt};
    lie_tangent_fn *const tangents[] = {G->dtau, G->dtaut, G->dtauinv, G->dtauinvt};
    double u[GMAX], p[GMAX], q[GMAX], a[GMAX], b[GMAX];
    int n = G->dim;
    random_vector(rng, n, u, 1.0);
    for (int k = 0; k < 6; k++)
        for (int which = 0; which < 2; which++) {
            memcpy(q, which ? u : x, sizeof(double) * (size_t)n);
            if (k < 2) {
                linear[k](G, p, x, u);
                linear[k](G, q, which ? x : q, which ? q : u);
            } else {
                TEST_ASSERT_EQUAL(LIE_OK, tangents[k - 2](G, p, x, u));
                TEST_ASSERT_EQUAL(LIE_OK, tangents[k - 2](G, q, which ? x : q, which ? q : u));
            }
            near(G, "aliased operation", n, q, p, 0.0, x);
        }
    element(G, a, x);
    element(G, b, x);
    G->mul(G, p, a, b);
    G->mul(G, a, a, b);
    near(G, "aliased mul", G->size, a, p, 0.0, x);
    G->inv(G, p, b);
    G->inv(G, b, b);
    near(G, "aliased inv", G->size, b, p, 0.0, x);
}

void test_groups_outputs_may_alias_inputs(void)
{
    for_all(check_aliasing);
}

/* NaN in: a status, and the output as it was. */
static void check_nan(const lie_ops *G, const double *x, lie_random *rng)
{
    double y[GMAX], g[GMAX], M[GMAX * GMAX], keep = 0.777;
    random_vector(rng, G->dim, y, 0.3);
    y[G->dim - 1] = (double)NAN;
    for (int i = 0; i < GMAX; i++) g[i] = keep;
    for (int i = 0; i < GMAX * GMAX; i++) M[i] = keep;
    TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, G->tau(G, g, y), G->group);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, G->dtau(G, g, x, y), G->group);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, G->dtaut(G, g, x, y), G->group);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, G->dtauinv(G, g, x, y), G->group);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, G->dtauinvt(G, g, x, y), G->group);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, G->dtau_body_deriv(G, M, y, y), G->group);
    for (int i = 0; i < GMAX; i++) TEST_ASSERT_EQUAL_DOUBLE(keep, g[i]);
    for (int i = 0; i < GMAX * GMAX; i++) TEST_ASSERT_EQUAL_DOUBLE(keep, M[i]);
}

void test_groups_nan_is_a_status_and_leaves_outputs(void)
{
    for_all(check_nan);
}

/* The truncated series agree with the closed forms of exp, with an error of the first omitted term. */
static void check_series(const lie_ops *G, const double *x, lie_random *rng)
{
    double u[NMAX], p[NMAX], q[NMAX], M[NMAX * NMAX], N[NMAX * NMAX];
    int n = G->dim;
    if (strcmp(G->retraction, "exp") != 0 || norm(n, x) > 1.0) return;
    random_vector(rng, n, u, 1.0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexp(G, 24, p, x, u));
    G->dtau(G, q, x, u);
    near(G, "series of dexp", n, p, q, 10 * EPS, x);
    TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexpt(G, 24, p, x, u));
    G->dtaut(G, q, x, u);
    near(G, "series of dexpt", n, p, q, 10 * EPS, x);
    TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexpinv(G, 40, p, x, u));
    G->dtauinv(G, q, x, u);
    near(G, "series of dexpinv", n, p, q, 10 * EPS, x);
    TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexpinvt(G, 40, p, x, u));
    G->dtauinvt(G, q, x, u);
    near(G, "series of dexpinvt", n, p, q, 10 * EPS, x);
    TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexp_body_deriv(G, 24, M, x, u));
    G->dtau_body_deriv(G, N, x, u);
    near(G, "series of the body derivative", n * n, M, N, 10 * EPS, x);
}

void test_groups_series_equal_closed_forms(void)
{
    for_all(check_series);
}

static void check_projection(const lie_ops *G, const double *x, lie_random *rng)
{
    double g[GMAX], h[GMAX], noise[GMAX], r[GMAX];
    element(G, g, x);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, G->project(G, h, g), G->group);
    near(G, "project leaves the group alone", G->size, h, g, 4 * EPS, x);
    random_vector(rng, G->size, noise, 1e-4);
    for (int i = 0; i < G->size; i++) h[i] = g[i] + noise[i];
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, G->project(G, h, h), G->group);
    near(G, "project moves no further than the noise", G->size, h, g, 1e-3, x);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, G->project(G, r, h), G->group);
    near(G, "project is idempotent", G->size, r, h, 4 * EPS, x);
}

void test_groups_projection(void)
{
    for_all(check_projection);
}
