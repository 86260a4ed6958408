/* SPDX-License-Identifier: MIT */
/* Retractions given without their tangent, which lie_ops_complete then takes by differences: every retraction of the
 * library given that way against its own tangent; one that the library does not know against the chain rule; lemmas;
 * what is said about it, and where it ends. A1 .. A4: Bou-Rabee & Marsden 2009, 4.2 to 4.5. Bounds are absolute, for points
 * and vectors of size one; what is known from exact tangents is far below. */
#include <liestep/product.h>
#include <liestep/rn.h>
#include <liestep/so3.h>

#include "tests/support/heisenberg.h"
#include "tests/support/near.h"
#include "tests/support/random.h"

enum { NMAX = 6 };

/* G with identity, mul, inv, Ad, ad, tau and no more. */
static lie_ops bare(const lie_ops *G)
{
    lie_ops own = {.group = G->group,
                   .retraction = "own",
                   .dim = G->dim,
                   .size = G->size,
                   .ctx = G->ctx,
                   .identity = G->identity,
                   .mul = G->mul,
                   .inv = G->inv,
                   .Ad = G->Ad,
                   .ad = G->ad,
                   .tau = G->tau};
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_complete(&own));
    TEST_ASSERT_EQUAL(LIE_DIFFERENCES_OF_TAU, own.differences);
    TEST_ASSERT_NULL(own.tauinv);
    return own;
}

/* max |a - b| / max |b| */
static double relative(int n, const double *a, const double *b)
{
    double d = 0.0, s = 0.0;
    for (int i = 0; i < n; i++) d = fmax(d, fabs(a[i] - b[i])), s = fmax(s, fabs(b[i]));
    return d / s;
}

static void below(double bound, double error, const lie_ops *G, const char *what)
{
    char text[120];
    snprintf(text, sizeof text, "%s on %s with %s: %.2e, bound %.1e", what, G->group, G->retraction, error, bound);
    TEST_ASSERT_TRUE_MESSAGE(error <= bound, text);
}

typedef lie_status operation(const lie_ops *G, double *out, const double *x, const double *v);

static void compare(const lie_ops *G, const lie_ops *own, const double *x, const double *v)
{
    operation *const exact[4] = {G->dtau, G->dtaut, G->dtauinv, G->dtauinvt};
    operation *const found[4] = {own->dtau, own->dtaut, own->dtauinv, own->dtauinvt};
    static const char *const name[4] = {"dtau", "dtaut", "dtauinv", "dtauinvt"};
    double a[NMAX * NMAX], b[NMAX * NMAX];
    for (int k = 0; k < 4; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, exact[k](G, a, x, v));
        TEST_ASSERT_EQUAL(LIE_OK, found[k](own, b, x, v));
        below(2e-13, relative(G->dim, b, a), G, name[k]);
    }
    TEST_ASSERT_EQUAL(LIE_OK, G->dtau_body_deriv(G, a, x, v));
    TEST_ASSERT_EQUAL(LIE_OK, own->dtau_body_deriv(own, b, x, v));
    below(2e-11, relative(G->dim * G->dim, b, a), G, "dtau_body_deriv");
}

void test_differences_agree_with_every_tangent_of_the_library(void)
{
    static const double sizes[] = {1e-8, 0.1, 0.5, 0.9};
    lie_random rng = {4096u};
    for (int k = 0; k < lie_ops_builtin_count(); k++) {
        const lie_ops *G = lie_ops_builtin(k);
        lie_ops own = bare(G);
        for (int s = 0; s < 4; s++)
            for (int t = 0; t < 3; t++) {
                double x[NMAX], v[NMAX], length = 0.0;
                random_vector(&rng, G->dim, x, 1.0);
                random_vector(&rng, G->dim, v, 1.0);
                for (int i = 0; i < G->dim; i++) length += x[i] * x[i];
                for (int i = 0; i < G->dim; i++) x[i] *= sizes[s] / sqrt(length);
                compare(G, &own, x, v);
            }
    }
}

/* Metres beside radians: translations of hundreds do not spoil the rotations. */
void test_differences_of_motions_over_long_distances(void)
{
    static const double x[6] = {0.3, -0.5, 0.2, 310.0, -127.0, 64.0}, v[6] = {0.7, 0.2, -0.9, 12.0, 31.0, -7.0};
    const lie_ops *G;
    double a[6], b[6];
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&G, "SE3", "cay"));
    lie_ops own = bare(G);
    TEST_ASSERT_EQUAL(LIE_OK, G->dtau(G, a, x, v));
    TEST_ASSERT_EQUAL(LIE_OK, own.dtau(&own, b, x, v));
    below(1e-12, relative(3, b, a), G, "dtau, rotation");
    below(1e-12, relative(3, b + 3, a + 3), G, "dtau, translation");
}

/* The polar factor of 1 + hat(w), a turn by arctan |w|: with f(w) = arctan(t)/t w, t = |w|, tau = exp o f and
 * dtau_w v = dexp_f(w) Df(w) v,  Df v = arctan(t)/t v + (1/(1 + t^2) - arctan(t)/t) (n . v) n. */
static lie_status polar(const lie_ops *G, double *R, const double *w)
{
    const double M[9] = {1, -w[2], w[1], w[2], 1, -w[0], -w[1], w[0], 1};
    (void)G;
    return lie_so3_project(R, M);
}

static void polar_tangent(double *out, const double *w, const double *v)
{
    double t = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), slope = atan(t) / t, f[3], Df[3];
    double along = (1.0 / (1.0 + t * t) - slope) * (w[0] * v[0] + w[1] * v[1] + w[2] * v[2]) / (t * t);
    for (int i = 0; i < 3; i++) f[i] = slope * w[i], Df[i] = slope * v[i] + along * w[i];
    lie_so3_dexp(out, f, Df);
}

static lie_ops polar_ops(void)
{
    lie_ops like = lie_so3_exp_ops;
    like.tau = polar;
    return bare(&like);
}

void test_differences_of_a_retraction_from_outside(void)
{
    lie_ops G = polar_ops();
    lie_random rng = {8128u};
    for (int t = 0; t < 20; t++) {
        double x[3], v[3], a[3], b[3];
        random_vector(&rng, 3, x, 0.9);
        random_vector(&rng, 3, v, 1.0);
        polar_tangent(a, x, v);
        TEST_ASSERT_EQUAL(LIE_OK, G.dtau(&G, b, x, v));
        below(2e-13, relative(3, b, a), &G, "dtau");
    }
}

/* A1: tau(x) tau(-x) = e; A3: dtau_x = Ad_tau(x) dtau_-x; A4: dtauinv_x = dtauinv_-x Ad_tau(-x), and its dual */
void test_differences_obey_the_lemmas(void)
{
    lie_ops G = polar_ops();
    lie_random rng = {496u};
    for (int t = 0; t < 20; t++) {
        double x[3], minus[3], v[3], a[3], b[3], g[9], h[9], e[9];
        random_vector(&rng, 3, x, 0.8);
        random_vector(&rng, 3, v, 1.0);
        for (int i = 0; i < 3; i++) minus[i] = -x[i];
        TEST_ASSERT_EQUAL(LIE_OK, G.tau(&G, g, x));
        TEST_ASSERT_EQUAL(LIE_OK, G.tau(&G, h, minus));
        G.mul(&G, e, g, h);
        below(1e-15, relative(9, e, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}), &G, "A1");
        TEST_ASSERT_EQUAL(LIE_OK, G.dtau(&G, a, x, v));
        TEST_ASSERT_EQUAL(LIE_OK, G.dtauinv(&G, b, x, a));
        below(1e-13, relative(3, b, v), &G, "A2");
        TEST_ASSERT_EQUAL(LIE_OK, G.dtau(&G, b, minus, v));
        G.Ad(&G, b, g, b);
        below(1e-13, relative(3, b, a), &G, "A3");
        TEST_ASSERT_EQUAL(LIE_OK, G.dtauinv(&G, a, x, v));
        G.Ad(&G, b, h, v);
        TEST_ASSERT_EQUAL(LIE_OK, G.dtauinv(&G, b, minus, b));
        below(1e-13, relative(3, b, a), &G, "A4");
        TEST_ASSERT_EQUAL(LIE_OK, G.dtauinvt(&G, a, minus, v));
        TEST_ASSERT_EQUAL(LIE_OK, G.dtauinvt(&G, b, x, v));
        G.Adt(&G, b, g, b);
        below(1e-13, relative(3, b, a), &G, "A4, dual");
    }
}

/* Only the derivative of a tangent that is given. */
void test_differences_of_a_given_tangent(void)
{
    static const double x[3] = {0.4, -0.6, 0.3}, psi[3] = {0.2, 0.9, -0.7};
    lie_ops G = lie_so3_cay_ops;
    double a[9], b[9];
    G.retraction = "own";
    G.dtau_body_deriv = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_complete(&G));
    TEST_ASSERT_EQUAL(LIE_DIFFERENCES_OF_DTAU, G.differences);
    TEST_ASSERT_EQUAL_PTR(lie_so3_cay_ops.dtauinvt, G.dtauinvt);
    lie_so3_dcay_body_deriv(a, x, psi);
    TEST_ASSERT_EQUAL(LIE_OK, G.dtau_body_deriv(&G, b, x, psi));
    below(1e-13, relative(9, b, a), &G, "dtau_body_deriv");
}

void test_differences_are_told(void)
{
    lie_ops heisenberg, line, both, own = polar_ops();
    const lie_ops *const factors[2] = {&line, &own};
    const lie_product pair = {2, factors}, exact = {1, factors};
    TEST_ASSERT_EQUAL(LIE_OK, heisenberg_ops(&heisenberg)); /* exp: by its series */
    TEST_ASSERT_EQUAL(LIE_EXACT, heisenberg.differences);
    for (int k = 0; k < lie_ops_builtin_count(); k++) TEST_ASSERT_EQUAL(LIE_EXACT, lie_ops_builtin(k)->differences);
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&line, 2, "exp"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&both, &pair));
    TEST_ASSERT_EQUAL(LIE_DIFFERENCES_OF_TAU, both.differences);
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&both, &exact));
    TEST_ASSERT_EQUAL(LIE_EXACT, both.differences);
}

/* Near the end of the domain the step shrinks and the accuracy with it; at the end there is nothing. */
void test_differences_near_the_end_of_the_domain(void)
{
    static const double v[3] = {0.3, -0.8, 0.5}, n[3] = {0.48, 0.6, -0.64};
    lie_ops own = bare(&lie_so3_skew_ops);
    double x[3], a[3], b[3];
    for (double gap = 0.1; gap > 2e-3; gap *= 0.25) {
        for (int i = 0; i < 3; i++) x[i] = (1.0 - gap) * n[i];
        TEST_ASSERT_EQUAL(LIE_OK, lie_so3_dskew(a, x, v));
        TEST_ASSERT_EQUAL(LIE_OK, own.dtau(&own, b, x, v));
        below(1e-13 / gap, relative(3, b, a), &lie_so3_skew_ops, "dtau");
    }
    for (int i = 0; i < 3; i++) x[i] = (1.0 - 1e-9) * n[i];
    REFUSED(LIE_ERR_DOMAIN, 3, b, own.dtau(&own, b, x, v));
    for (int i = 0; i < 3; i++) x[i] = 1.1 * n[i];
    REFUSED(LIE_ERR_DOMAIN, 3, b, own.dtau(&own, b, x, v));
    REFUSED(LIE_ERR_DOMAIN, 3, b, own.dtaut(&own, b, x, v));
    REFUSED(LIE_ERR_DOMAIN, 3, b, own.dtauinv(&own, b, x, v));
    REFUSED(LIE_ERR_DOMAIN, 3, b, own.dtauinvt(&own, b, x, v));
}

/* A map whose derivative at 0 does not reach all of the algebra is no retraction. */
static lie_status flat(const lie_ops *G, double *R, const double *w)
{
    const double turned[3] = {w[0], w[1], w[0] - w[1]};
    return polar(G, R, turned);
}

void test_differences_statuses(void)
{
    static const double x[3] = {0.1, 0.2, 0.3}, bad[3] = {0.1, (double)NAN, 0.3};
    lie_ops G = polar_ops(), degenerate, wide;
    double out[9];
    REFUSED(LIE_ERR_NOT_FINITE, 3, out, G.dtau(&G, out, bad, x));
    REFUSED(LIE_ERR_NOT_FINITE, 3, out, G.dtau(&G, out, x, bad));
    REFUSED(LIE_ERR_NOT_FINITE, 3, out, G.dtaut(&G, out, x, bad));
    REFUSED(LIE_ERR_NOT_FINITE, 9, out, G.dtau_body_deriv(&G, out, bad, x));
    REFUSED(LIE_ERR_NOT_FINITE, 9, out, G.dtau_body_deriv(&G, out, x, bad));
    TEST_ASSERT_EQUAL(LIE_OK, G.dtau(&G, out, x, (double[3]){0, 0, 0}));
    TEST_ASSERT_EQUAL_DOUBLE_ARRAY(((double[3]){0, 0, 0}), out, 3);
    degenerate = lie_so3_exp_ops;
    degenerate.tau = flat;
    degenerate = bare(&degenerate);
    REFUSED(LIE_ERR_SINGULAR, 3, out, degenerate.dtau(&degenerate, out, x, x));
    REFUSED(LIE_ERR_SINGULAR, 3, out, degenerate.dtauinv(&degenerate, out, x, x));
    REFUSED(LIE_ERR_SINGULAR, 9, out, degenerate.dtau_body_deriv(&degenerate, out, x, x));
    wide = lie_so3_cay_ops;
    wide.retraction = "own";
    wide.dtau = NULL;
    wide.size = LIE_SIZE_MAX + 1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ops_complete(&wide));
}
