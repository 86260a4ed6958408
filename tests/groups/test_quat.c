/* SPDX-License-Identifier: MIT */
/* H*: what is particular to it, and its agreement with S3. Axioms, lemmas, derivatives: test_groups.c. */
#include <liestep/quat.h>
#include <liestep/s3.h>

#include "tests/support/near.h"
#include "tests/support/random.h"

void test_quat_exp_is_length_times_s3(void)
{
    double q[4], s[4];
    lie_quat_exp(q, (double[4]){0.693147180559945309, 0.3, -0.4, 1.1});
    lie_s3_exp(s, (double[3]){0.3, -0.4, 1.1});
    for (int i = 0; i < 4; i++) s[i] *= 2.0;
    NEAR(4, q, s, 2);
    lie_quat_exp(q, (double[4]){0, 0.3, -0.4, 1.1});
    for (int i = 0; i < 4; i++) s[i] *= 0.5;
    SAME(4, q, s);
}

void test_quat_scalar_exp_and_log(void)
{
    double q[4], x[4];
    for (int k = -700; k <= 709; k += 7) {
        lie_quat_exp(q, (double[4]){k, 0, 0, 0});
        double expected = exp((double)k); /* libm as the independent value */
        TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON * expected, expected, q[0]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_quat_log(x, q));
        TEST_ASSERT_DOUBLE_WITHIN(2 * DBL_EPSILON * (1 + fabs((double)k)), (double)k, x[0]);
    }
    lie_quat_exp(q, (double[4]){-1000, 0, 0, 0});
    TEST_ASSERT_EQUAL_DOUBLE(0.0, q[0]);
}

void test_quat_log_near_the_unit_sphere(void)
{
    double x[4];
    /* log(1 + d) = d - d^2/2 + ..., which a sum of rounded squares would lose */
    TEST_ASSERT_EQUAL(LIE_OK, lie_quat_log(x, (double[4]){1 + 0x1p-40, 0, 0, 0}));
    TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON * 0x1p-40, 0x1p-40 - 0x1p-81, x[0]);
    TEST_ASSERT_EQUAL(LIE_OK, lie_quat_log(x, (double[4]){0.6, 0.8, 0, 0}));
    TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, 0.0, x[0]);
    TEST_ASSERT_EQUAL(LIE_OK, lie_quat_log(x, (double[4]){3e-320, 0, 0, 0}));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, log(3e-320), x[0]);
    TEST_ASSERT_EQUAL(LIE_OK, lie_quat_log(x, (double[4]){0, 1e300, 0, 0}));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, log(1e300), x[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, NEAR_PI, x[1]);
}

void test_quat_inverse_and_norm_do_not_overflow(void)
{
    double q[4] = {3e200, 0, -4e200, 0}, r[4], p[4];
    TEST_ASSERT_DOUBLE_WITHIN(1e186, 5e200, lie_quat_norm(q));
    lie_quat_inv(r, q);
    lie_quat_mul(p, q, r);
    NEAR(4, p, ((double[4]){1, 0, 0, 0}), 4);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, lie_quat_norm((double[4]){0, 0, 0, 0}));
    TEST_ASSERT_TRUE(isnan(lie_quat_norm((double[4]){0, (double)NAN, 0, 0})));
}

void test_quat_cay_on_pure_quaternions_is_cayq(void)
{
    lie_random rng = {31u};
    for (int k = 0; k < 100; k++) {
        double x[4] = {0}, q[4], s[4], v[4], a[4], b[3];
        random_vector(&rng, 3, x + 1, 3.0);
        random_vector(&rng, 4, v, 1.0);
        v[0] = 0.0;
        TEST_ASSERT_EQUAL(LIE_OK, lie_quat_cay(q, x));
        lie_s3_cayq(s, x + 1);
        NEAR(4, q, s, 4);
        TEST_ASSERT_EQUAL(LIE_OK, lie_quat_dcay(a, x, v));
        lie_s3_dcayq(b, x + 1, v + 1);
        NEAR(3, a + 1, b, 8);
        TEST_ASSERT_DOUBLE_WITHIN(8 * DBL_EPSILON, 0.0, a[0]);
    }
}

void test_quat_domains(void)
{
    double out[16], v[4] = {1, 2, 3, 4};
    REFUSED(LIE_ERR_DOMAIN, 4, out, lie_quat_cay(out, (double[4]){2, 0, 0, 0}));
    REFUSED(LIE_ERR_DOMAIN, 4, out, lie_quat_cay(out, (double[4]){-2, 0, 0, 0}));
    REFUSED(LIE_ERR_DOMAIN, 4, out, lie_quat_dcay(out, (double[4]){2, 0, 0, 0}, v));
    REFUSED(LIE_ERR_DOMAIN, 4, out, lie_quat_dcayt(out, (double[4]){-2, 0, 0, 0}, v));
    REFUSED(LIE_ERR_DOMAIN, 16, out, lie_quat_dcay_matrix(out, (double[4]){2, 0, 0, 0}));
    REFUSED(LIE_ERR_DOMAIN, 4, out, lie_quat_caylog(out, (double[4]){-1, 0, 0, 0}));
    REFUSED(LIE_ERR_SINGULAR, 4, out, lie_quat_log(out, (double[4]){0, 0, 0, 0}));
    REFUSED(LIE_ERR_SINGULAR, 4, out, lie_quat_project(out, (double[4]){0, 0, 0, 0}));
    REFUSED(LIE_ERR_DOMAIN, 4, out, lie_quat_dexpinv(out, (double[4]){0, 7, 0, 0}, v));
}
