/* SPDX-License-Identifier: MIT */
/* SE(2): what is particular to it, and its agreement with SE(3) in the plane. Axioms, lemmas, derivatives:
 * test_groups.c. */
#include <liestep/se2.h>
#include <liestep/se3.h>

#include "tests/support/near.h"
#include "tests/support/random.h"

/* (w, vx, vy) in the plane is the twist (0, 0, w, vx, vy, 0) in space */
static void lift(double Y[6], const double X[3])
{
    const double r[6] = {0, 0, X[0], X[1], X[2], 0};
    memcpy(Y, r, sizeof r);
}

static void plane_of(double out[3], const double Y[6])
{
    out[0] = Y[2], out[1] = Y[3], out[2] = Y[4];
}

void test_se2_is_se3_in_the_plane(void)
{
    lie_random rng = {51u};
    for (int k = 0; k < 200; k++) {
        double X[3], V[3], Y[6], U[6], g[4], h[12], a[3], b[3], c[6];
        random_vector(&rng, 3, X, 2.5);
        random_vector(&rng, 3, V, 1.0);
        lift(Y, X);
        lift(U, V);
        lie_se2_exp(g, X);
        lie_se3_exp(h, Y);
        NEAR(4, g, ((double[4]){h[0], h[3], h[9], h[10]}), 8);
        lie_se2_cay(g, X);
        lie_se3_cay(h, Y);
        NEAR(4, g, ((double[4]){h[0], h[3], h[9], h[10]}), 8);
        lie_se2_Ad(a, g, V);
        lie_se3_Ad(c, h, U);
        plane_of(b, c);
        NEAR(3, a, b, 12);
        lie_se2_dexp(a, X, V);
        lie_se3_dexp(c, Y, U);
        plane_of(b, c);
        NEAR(3, a, b, 12);
        lie_se2_dcayinv(a, X, V);
        lie_se3_dcayinv(c, Y, U);
        plane_of(b, c);
        NEAR(3, a, b, 12);
    }
}

/* Jimenez 2012, App. B.B: dcayinv = 1 - ad/2 + (w X, 0, 0)/4 as a matrix */
void test_se2_dcayinv_as_printed(void)
{
    double X[3] = {0.7, -1.3, 0.4}, M[9], e[3], column[3];
    lie_se2_dcayinv_matrix(M, X);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) e[i] = i == j;
        lie_se2_ad(column, X, e);
        for (int i = 0; i < 3; i++) {
            double expected = (i == j) - 0.5 * column[i] + (j == 0 ? 0.25 * X[0] * X[i] : 0.0);
            TEST_ASSERT_DOUBLE_WITHIN(2 * DBL_EPSILON, expected, M[3 * i + j]);
        }
    }
}

void test_se2_log_at_and_near_a_half_turn(void)
{
    double X[3], g[4];
    TEST_ASSERT_EQUAL(LIE_OK, lie_se2_log(X, (double[4]){-1, 0, 0, 0}));
    TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, NEAR_PI, X[0]);
    TEST_ASSERT_EQUAL(LIE_OK, lie_se2_log(X, (double[4]){-1, -0.0, 0, 0}));
    TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, NEAR_PI, X[0]);
    for (int k = 1; k < 60; k++) {
        double w[3] = {NEAR_PI - pow(2.0, -k), 2.0, -3.0};
        lie_se2_exp(g, w);
        TEST_ASSERT_EQUAL(LIE_OK, lie_se2_log(X, g));
        NEAR(3, X, w, 8);
        w[0] = -w[0];
        lie_se2_exp(g, w);
        TEST_ASSERT_EQUAL(LIE_OK, lie_se2_log(X, g));
        if (k < 51) NEAR(3, X, w, 8);
    }
}

void test_se2_domains(void)
{
    double out[4], v[3] = {1, 2, 3};
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_se2_caylog(out, (double[4]){-1, 0, 1, 2}));
    REFUSED(LIE_ERR_NOT_IN_GROUP, 3, out, lie_se2_log(out, (double[4]){1, 0.01, 1, 2}));
    REFUSED(LIE_ERR_NOT_IN_GROUP, 3, out, lie_se2_caylog(out, (double[4]){0.5, 0.5, 1, 2}));
    REFUSED(LIE_ERR_SINGULAR, 4, out, lie_se2_project(out, (double[4]){0, 0, 1, 2}));
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_se2_dexpinv(out, (double[3]){-6.3, 0, 0}, v));
    TEST_ASSERT_EQUAL(LIE_OK, lie_se2_project(out, (double[4]){3e-200, 4e-200, 1, 2}));
    NEAR(4, out, ((double[4]){0.6, 0.8, 1, 2}), 1);
}

void test_se2_act_hat_vee(void)
{
    double p[2], M[9], X[3];
    lie_se2_act(p, (double[4]){0, 1, 10, 20}, (double[2]){1, 2});
    SAME(2, p, ((double[2]){8, 21}));
    lie_se2_hat(M, (double[3]){3, 4, 5});
    SAME(9, M, ((double[9]){0, -3, 4, 3, 0, 5, 0, 0, 0}));
    lie_se2_vee(X, M);
    SAME(3, X, ((double[3]){3, 4, 5}));
}
