/* SPDX-License-Identifier: MIT */
/* The branch of solutions that starts at h = 0, on an equation whose branches are known: u - u^2 = h has the solutions
 * (1 -+ sqrt(1 - 4 h))/2, which meet in a fold at h = 1/4. Only the lower one starts at u = 0; the determinant is
 * negative on the other. */
#include "groups/num/branch.h"
#include "tests/support/near.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static double fold(const void *problem, double r[3], double D[9], double h, const double u[3])
{
    (void)problem;
    r[0] = (u[0] - u[0] * u[0]) - h, r[1] = u[1], r[2] = 2.0 * u[2];
    for (int i = 0; i < 9; i++) D[i] = 0.0;
    D[0] = 1.0 - 2.0 * u[0], D[4] = 1.0, D[8] = 2.0;
    return fabs(u[0]) + u[0] * u[0] + fabs(h);
}

static lie__branch branch(void)
{
    return (lie__branch){.equation = fold, .scale = 1.0, .end = 10.0, .cap = 50};
}

void test_branch_newton_finds_the_branch_and_refuses_the_other(void)
{
    lie__branch B = branch();
    for (double h = 0.02; h < 0.24; h += 0.02) {
        double root = sqrt(1.0 - 4.0 * h), lower[3] = {0.9 * h, 0.0, 0.0}, upper[3] = {0.5 + 0.45 * root, 0.0, 0.0};
        TEST_ASSERT_EQUAL(LIE_OK, lie__branch_newton(&B, lower, h));
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5 - 0.5 * root, lower[0]);
        TEST_ASSERT_TRUE(B.residual <= 1e-14);
        TEST_ASSERT_EQUAL(LIE_ERR_NO_CONVERGENCE, lie__branch_newton(&B, upper, h));
    }
}

void test_branch_follow_ends_at_the_fold(void)
{
    lie__branch B = branch();
    double u[3] = {0.0, 0.0, 0.0};
    TEST_ASSERT_EQUAL(LIE_OK, lie__branch_follow(&B, u, 0.2499));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5 - 0.5 * sqrt(1.0 - 4.0 * 0.2499), u[0]);
    for (double h = 0.2501; h < 2.0; h *= 1.7) {
        double lost[3] = {0.0, 0.0, 0.0};
        TEST_ASSERT_EQUAL(LIE_ERR_NO_CONVERGENCE, lie__branch_follow(&B, lost, h));
    }
    B.end = 0.02;
    u[0] = 0.0;
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie__branch_follow(&B, u, 0.2));
}
