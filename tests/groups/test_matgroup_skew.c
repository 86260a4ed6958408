/* SPDX-License-Identifier: MIT */
/* The skew map of the quadratic matrix groups: against exp of the arsinh on every group, against the closed forms of
 * SO(3) and Sp(2), and where it ends. What it shares with exp and cay is tested in test_matgroup_maps.c. */
#include <liestep/so3.h>

#include "tests/groups/matgroup_fixture.h"

void tearDown(void)
{
    close_group();
}

/* With x = sinh y, y turning by less than pi/2: skew(x) = exp(y) = g and dskewinv_x v = (v g + g^-1 v)/2. */
static void check_definition(double size)
{
    double y[DMAX], v[DMAX], x[DMAX], g[NNMAX], got[NNMAX], inverse[NNMAX], V[NNMAX], a[NNMAX], b[NNMAX];
    random_algebra(y, size);
    random_algebra(v, 1.31);
    ok(lie_matgroup_exp(G.M, g, y));
    negate(y, y);
    ok(lie_matgroup_exp(G.M, inverse, y));
    for (int i = 0; i < G.n * G.n; i++) a[i] = 0.5 * (g[i] - inverse[i]);
    lie_matgroup_vee(G.M, x, a);
    ok(lie_matgroup_skew(G.M, got, x));
    expect("skew(sinh y)", error_eps(G.n * G.n, got, g), 12 * G.is->slack / cos(size));
    lie_matgroup_hat(G.M, V, v);
    product(a, V, g);
    product(b, inverse, V);
    for (int i = 0; i < G.n * G.n; i++) a[i] = 0.5 * (a[i] + b[i]);
    lie_matgroup_vee(G.M, b, a);
    ok(lie_matgroup_dskewinv(G.M, got, x, v));
    expect("dskewinv", error_eps(G.dim, got, b), 12 * G.is->slack / cos(size));
}

void test_matgroup_skew_is_exp_after_arsinh(void)
{
    static const double sizes[] = {1e-8, 0.0291, 0.31, 0.97, 1.4};
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        for (int s = 0; s < 5; s++)
            for (int t = 0; t < POINTS; t++) check_definition(sizes[s]);
    }
}

/* Of SO(3) as here and as in so3.h: (x_0, x_1, x_2) = (w_z, -w_y, w_x), and matrices of linear maps likewise. */
static void reorder(double *out, const double *in)
{
    double r[3] = {in[2], -in[1], in[0]};
    memcpy(out, r, sizeof r);
}

static void reorder_matrix(double *out, const double *A)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = ((i + j) % 2 ? -1 : 1) * A[3 * (2 - i) + 2 - j];
}

/* The condition of skew is 1/root, that of its tangents 1/root^2. */
static void check_against_so3(const double *w, const double *v)
{
    double x[3], y[3], r[3], s[3], g[9], R[9], A[9], B[9], root = sqrt(1 - dot(3, w, w));
    reorder(x, w);
    reorder(y, v);
    ok(lie_matgroup_skew(G.M, g, x));
    ok(lie_so3_skew(R, w));
    expect("skew", error_eps(9, g, R), 4 / root);
    ok(lie_matgroup_skewlog(G.M, r, R));
    reorder(r, r);
    expect("skewlog", error_eps(3, r, w), 2);
    ok(lie_matgroup_dskew(G.M, r, x, y));
    reorder(r, r);
    ok(lie_so3_dskew(s, w, v));
    expect("dskew", error_eps(3, r, s), 8 / (root * root));
    ok(lie_matgroup_dskewinv_matrix(G.M, A, x));
    reorder_matrix(B, A);
    ok(lie_so3_dskewinv_matrix(A, w));
    expect("dskewinv", error_eps(9, B, A), 4 / root);
    ok(lie_matgroup_dskew_body_deriv(G.M, A, x, y));
    reorder_matrix(B, A);
    ok(lie_so3_dskew_body_deriv(A, w, v));
    expect("dskew_body_deriv", error_eps(9, B, A), 16 / (root * root));
}

void test_matgroup_skew_of_so3_is_the_closed_form(void)
{
    static const double sizes[] = {1e-300, 1e-8, 0.0291, 0.31, 0.97, 0.9999, 1 - 1e-9};
    open_group(SO3_CASE);
    for (int s = 0; s < 7; s++)
        for (int t = 0; t < POINTS; t++) {
            double w[3], v[3];
            random_algebra(w, sizes[s]);
            random_algebra(v, 1.2);
            check_against_so3(w, v);
        }
}

/* On Sp(2), x^2 = -det x, so skew(x) = x + (1 - det x)^(1/2); of boosts det x is negative and of any size. */
void test_matgroup_skew_of_sp2_is_the_closed_form(void)
{
    static const double K[][3] = {{0.6, -0.9, 1.7},  {0.83, 0.21, 0.94},   {1, 0, 1 - 0x1p-30},
                                  {0.3, -41.7, 0.2}, {2.4e3, 1.9, -3.1e4}, {1e-9, 3e-9, -2e-9}};
    open_group(SP2_CASE);
    for (int k = 0; k < 6; k++) {
        double X[4], g[4], x[3], root = sqrt(1 - (K[k][0] * K[k][2] - K[k][1] * K[k][1]));
        lie_matgroup_hat(G.M, X, K[k]);
        X[0] += root;
        X[3] += root;
        ok(lie_matgroup_skew(G.M, g, K[k]));
        expect("skew", error_eps(4, g, X), 4 / fmin(1, root));
        ok(lie_matgroup_skewlog(G.M, x, g));
        for (int i = 0; i < 3; i++) x[i] -= K[k][i];
        expect("skewlog", norm2(3, x), 4 * DBL_EPSILON * norm2(4, g));
    }
}

static void refused(lie_status got, double *out)
{
    expect_status(LIE_ERR_DOMAIN, got);
    TEST_ASSERT_EQUAL_DOUBLE(2.385, out[0]);
}

static void refused_by_all(const double *x)
{
    double out[DMAX * DMAX] = {2.385}, v[DMAX];
    random_algebra(v, 1);
    refused(lie_matgroup_skew(G.M, out, x), out);
    refused(lie_matgroup_dskew(G.M, out, x, v), out);
    refused(lie_matgroup_dskewt(G.M, out, x, v), out);
    refused(lie_matgroup_dskewinv(G.M, out, x, v), out);
    refused(lie_matgroup_dskewinvt(G.M, out, x, v), out);
    refused(lie_matgroup_dskew_matrix(G.M, out, x), out);
    refused(lie_matgroup_dskewinv_matrix(G.M, out, x), out);
    refused(lie_matgroup_dskew_body_deriv(G.M, out, x, v), out);
}

/* A turn at the rate 1 in one plane, seen from another frame: the eigenvalues of x are i, -i and 0. */
static void unit_turn(double *x)
{
    double g[NNMAX], X[NNMAX] = {0}, J[NNMAX];
    int b = G.is->kind == SP ? G.n / 2 : 1; /* the plane of axes 0 and b, in which J is 1, or [[0, 1], [-1, 0]] */
    X[b] = -1;
    X[b * G.n] = 1;
    lie_matgroup_vee(G.M, x, X);
    lie_matgroup_hat(G.M, J, x);
    TEST_ASSERT_EQUAL_DOUBLE_ARRAY(X, J, G.n * G.n);
    random_element(g);
    lie_matgroup_Ad(G.M, x, g, x);
}

void test_matgroup_skew_ends_at_a_quarter_turn(void)
{
    static const double beyond[] = {1, 1 + 1e-12, 1.02, 30};
    static const double angle[] = {1.5707963267948966, 1.58, 2.9, 3.3};
    for (int k = 0; k < GROUPS; k++) {
        double turn[DMAX], x[DMAX], y[DMAX] = {2.385}, g[NNMAX];
        open_group(k);
        if (G.is->kind == GIVEN) continue; /* no plane of its own */
        unit_turn(turn);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < G.dim; j++) x[j] = beyond[i] * turn[j];
            refused_by_all(x);
            for (int j = 0; j < G.dim; j++) x[j] = angle[i] * turn[j];
            ok(lie_matgroup_exp(G.M, g, x));
            refused(lie_matgroup_skewlog(G.M, y, g), y);
        }
        for (int j = 0; j < G.dim; j++) x[j] = (1 - 1e-9) * turn[j];
        ok(lie_matgroup_skew(G.M, g, x));
        ok(lie_matgroup_skewlog(G.M, y, g));
        expect("skewlog near the end", error_eps(G.dim, y, x), 1e6);
    }
}
