/* SPDX-License-Identifier: MIT */
/* Truncated series of dexp and dexpinv: coefficients, order of the truncation error, limits. Agreement with the closed
 * forms of all groups: test_groups.c. */
#include <liestep/se3.h>
#include <liestep/series.h>
#include <liestep/so3.h>

#include "tests/support/near.h"

void test_series_q0_is_the_identity_and_q1_half_a_bracket(void)
{
    double x[3] = {0.3, -0.5, 0.7}, v[3] = {1, 2, 3}, a[3], b[3], bracket[3];
    const lie_ops *G = &lie_so3_exp_ops;
    lie_so3_ad(bracket, x, v);
    TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexp(G, 0, a, x, v));
    SAME(3, a, v);
    TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexp(G, 1, a, x, v));
    TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexpinv(G, 1, b, x, v)); /* B_1 = -1/2 */
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, v[i] + 0.5 * bracket[i], a[i]);
        TEST_ASSERT_DOUBLE_WITHIN(DBL_EPSILON, v[i] - 0.5 * bracket[i], b[i]);
    }
}

/* The error of truncation at q falls like |x|^(q+1) (q + 2 where the next Bernoulli number vanishes). */
static double slope(int q, int inverse)
{
    double error[2], v[6] = {0.3, 1.1, -0.4, 0.9, -0.2, 0.5};
    for (int k = 0; k < 2; k++) {
        double x[6] = {0.4, -0.3, 0.5, 0.2, 0.6, -0.1}, a[6], b[6], s = 0.0;
        for (int i = 0; i < 6; i++) x[i] *= k ? 0.25 : 0.5;
        if (inverse) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexpinv(&lie_se3_exp_ops, q, a, x, v));
            TEST_ASSERT_EQUAL(LIE_OK, lie_se3_dexpinv(b, x, v));
        } else {
            TEST_ASSERT_EQUAL(LIE_OK, lie_series_dexp(&lie_se3_exp_ops, q, a, x, v));
            lie_se3_dexp(b, x, v);
        }
        for (int i = 0; i < 6; i++) s += (a[i] - b[i]) * (a[i] - b[i]);
        error[k] = sqrt(s);
    }
    return log2(error[0] / error[1]);
}

void test_series_truncation_order(void)
{
    for (int q = 0; q <= 6; q++) TEST_ASSERT_DOUBLE_WITHIN(0.15, q + 1, slope(q, 0));
    for (int q = 0; q <= 6; q++) TEST_ASSERT_DOUBLE_WITHIN(0.15, q < 1 ? 1 : q % 2 ? q + 1 : q + 2, slope(q, 1));
}

void test_series_limits(void)
{
    double x[3] = {0.1, 0.2, 0.3}, out[9], nan[3] = {0, (double)NAN, 0};
    const lie_ops *G = &lie_so3_exp_ops;
    lie_ops wide = *G;
    wide.dim = LIE_DIM_MAX + 1;
    REFUSED(LIE_ERR_SIZE, 3, out, lie_series_dexp(G, -1, out, x, x));
    REFUSED(LIE_ERR_SIZE, 3, out, lie_series_dexpinv(G, LIE_SERIES_MAX + 1, out, x, x));
    REFUSED(LIE_ERR_SIZE, 3, out, lie_series_dexpt(&wide, 2, out, x, x));
    REFUSED(LIE_ERR_SIZE, 9, out, lie_series_dexp_body_deriv(G, -2, out, x, x));
    REFUSED(LIE_ERR_NOT_FINITE, 3, out, lie_series_dexpinvt(G, 4, out, nan, x));
    REFUSED(LIE_ERR_NOT_FINITE, 9, out, lie_series_dexp_body_deriv(G, 4, out, x, nan));
}
