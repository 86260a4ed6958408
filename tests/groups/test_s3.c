/* SPDX-License-Identifier: MIT */
/* S3: what is particular to it, and its agreement with SO(3). Axioms, lemmas, derivatives: test_groups.c. */
#include <liestep/convert.h>
#include <liestep/s3.h>
#include <liestep/so3.h>

#include "tests/support/near.h"
#include "tests/support/random.h"

void test_s3_exp_and_cay_cover_those_of_so3(void)
{
    lie_random rng = {21u};
    for (int k = 0; k < 300; k++) {
        double w[3], q[4], R[9], S[9], v[3], a[3], b[3];
        random_vector(&rng, 3, w, 2.5);
        random_vector(&rng, 3, v, 1.0);
        lie_s3_exp(q, w);
        lie_quat_to_matrix(R, q);
        lie_so3_exp(S, w);
        NEAR(9, R, S, 8);
        lie_s3_cay(q, w);
        lie_quat_to_matrix(R, q);
        lie_so3_cay(S, w);
        NEAR(9, R, S, 8);
        lie_s3_act(a, q, v);
        lie_so3_act(b, S, v);
        NEAR(3, a, b, 8);
        lie_s3_dcay(a, w, v);
        lie_so3_dcay(b, w, v);
        SAME(3, a, b);
    }
}

/* (1 - x/2) q = 1 + x/2 in the quaternions, x = w/2 */
void test_s3_cayq_satisfies_its_equation(void)
{
    lie_random rng = {22u};
    for (int k = 0; k < 100; k++) {
        double w[3], q[4], left[4];
        random_vector(&rng, 3, w, 5.0);
        lie_s3_cayq(q, w);
        double minus[4] = {1, -w[0] / 4, -w[1] / 4, -w[2] / 4}, plus[4] = {1, w[0] / 4, w[1] / 4, w[2] / 4};
        lie_s3_mul(left, minus, q);
        NEAR(4, left, plus, 8);
    }
}

void test_s3_two_cayley_maps_differ(void)
{
    double w[3] = {0.4, -0.3, 1.2}, a[4], b[4];
    lie_s3_cay(a, w);
    lie_s3_cayq(b, w);
    TEST_ASSERT_TRUE(fabs(a[0] - b[0]) > 1e-3);
}

void test_s3_log_reaches_two_pi(void)
{
    lie_random rng = {23u};
    for (int k = 0; k < 400; k++) {
        double w[3], q[4], back[3], s = 0.0, size = 2 * NEAR_PI * (k + 0.5) / 400.5;
        random_vector(&rng, 3, w, 1.0);
        for (int i = 0; i < 3; i++) s += w[i] * w[i];
        for (int i = 0; i < 3; i++) w[i] *= size / sqrt(s);
        lie_s3_exp(q, w);
        TEST_ASSERT_EQUAL(LIE_OK, lie_s3_log(back, q));
        /* near a full turn the direction is read from a short vector part */
        NEAR(3, back, w, 6 + 6 / (2 * NEAR_PI - size));
    }
}

void test_s3_log_at_minus_one(void)
{
    double w[3];
    TEST_ASSERT_EQUAL(LIE_OK, lie_s3_log(w, (double[4]){-1, 0, 0, 0}));
    NEAR(3, w, ((double[3]){2 * NEAR_PI, 0, 0}), 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_s3_log(w, (double[4]){-1, 0, -1e-310, 0}));
    NEAR(3, w, ((double[3]){0, -2 * NEAR_PI, 0}), 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_s3_log(w, (double[4]){1, 0, 3e-310, 0}));
    SAME(3, w, ((double[3]){0, 6e-310, 0}));
}

void test_s3_domains(void)
{
    double out[9], v[3] = {1, 2, 3}, beyond[3] = {0, 2.0000001, 0};
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_s3_caylog(out, (double[4]){0, 1, 0, 0}));
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_s3_caylog(out, (double[4]){-0.6, 0.8, 0, 0}));
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_s3_cayqlog(out, (double[4]){-1, 0, 0, 0}));
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_s3_skewlog(out, (double[4]){-0.6, 0.8, 0, 0}));
    REFUSED(LIE_ERR_DOMAIN, 4, out, lie_s3_skew(out, beyond));
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_s3_dskew(out, (double[3]){0, 2, 0}, v));
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_s3_dexpinv(out, (double[3]){0, 0, 6.3}, v));
    TEST_ASSERT_EQUAL(LIE_OK, lie_s3_skew(out, (double[3]){0, 2, 0}));
    SAME(4, out, ((double[4]){0, 0, 1, 0}));
    REFUSED(LIE_ERR_NOT_IN_GROUP, 3, out, lie_s3_log(out, (double[4]){1.00001, 0, 0, 0}));
    REFUSED(LIE_ERR_NOT_IN_GROUP, 3, out, lie_s3_log(out, (double[4]){0, 0, 0, 0}));
}

void test_s3_cayqlog_keeps_its_digits_near_minus_one(void)
{
    double w[3] = {3e7, -4e7, 1e7}, q[4], back[3];
    lie_s3_cayq(q, w);
    TEST_ASSERT_EQUAL(LIE_OK, lie_s3_cayqlog(back, q));
    NEAR(3, back, w, 8);
}

void test_s3_project(void)
{
    double out[4];
    TEST_ASSERT_EQUAL(LIE_OK, lie_s3_project(out, (double[4]){3e200, -4e200, 0, 0}));
    NEAR(4, out, ((double[4]){0.6, -0.8, 0, 0}), 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_s3_project(out, (double[4]){3e-310, 0, 0, -4e-310}));
    NEAR(4, out, ((double[4]){0.6, 0, 0, -0.8}), 1);
    REFUSED(LIE_ERR_SINGULAR, 4, out, lie_s3_project(out, (double[4]){0, 0, -0.0, 0}));
    REFUSED(LIE_ERR_NOT_FINITE, 4, out, lie_s3_project(out, (double[4]){0, 0, HUGE_VAL, 0}));
}

void test_s3_hat_is_half_the_rotation_vector(void)
{
    double x[4], w[3];
    lie_s3_hat(x, (double[3]){1, 2, -3});
    SAME(4, x, ((double[4]){0, 0.5, 1, -1.5}));
    lie_s3_vee(w, x);
    SAME(3, w, ((double[3]){1, 2, -3}));
}
