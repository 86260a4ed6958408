/* SPDX-License-Identifier: MIT */
/* test_lapack.c: LAPACK as the linear solver of a stepper: the same solutions, the same sign of the determinant, the
 * same trajectory to round-off. */
#include <liestep/liestep.h>

#include "tests/support/near.h"
#include "tests/support/random.h"

enum { N = 40 };

void test_lapack_solves_with_the_sign_of_the_determinant(void)
{
    static double A[N * N], F[N * N], b[N], x[N];
    int pivots[N];
    lie_random random = {385};
    for (int n = 1; n <= N; n++) {
        random_vector(&random, n * n, A, 1.0);
        random_vector(&random, n, x, 1.0);
        for (int i = 0; i < n; i++) {
            b[i] = 0.0;
            for (int j = 0; j < n; j++) b[i] += A[i * n + j] * x[j];
        }
        memcpy(F, A, sizeof F);
        int sign = lie_linear_lapack.factor(n, F, pivots);
        lie_linear_lapack.solve(n, F, pivots, b);
        NEAR(n, b, x, 1e6);
        /* the sign of the determinant: two rows exchanged turn it, a row negated too */
        for (int j = 0; j < n; j++) A[j] = -A[j];
        memcpy(F, A, sizeof F);
        TEST_ASSERT_EQUAL(-sign, lie_linear_lapack.factor(n, F, pivots));
        if (n == 1) TEST_ASSERT_EQUAL(A[0] < 0.0 ? 1 : -1, sign);
    }
}

void test_lapack_refuses_singular_and_not_finite(void)
{
    double A[4] = {1.0, 2.0, 2.0, 4.0}, B[4] = {1.0, (double)NAN, 2.0, 4.0};
    int pivots[2];
    TEST_ASSERT_EQUAL(0, lie_linear_lapack.factor(2, A, pivots));
    TEST_ASSERT_EQUAL(0, lie_linear_lapack.factor(2, B, pivots));
}

static void run_with(lie_state *s, const lie_linear *linear)
{
    static double work[4096];
    static const lie_heavy_top top = {.inertia = {1.0, 0.1, 0.2, 0.1, 2.0, 0.05, 0.2, 0.05, 2.7},
                                      .mass = 1.3,
                                      .centre = {0.3, -0.2, 0.5},
                                      .gravity = 2.0};
    const double q[4] = {1.0, 0.0, 0.0, 0.0}, w[3] = {0.7, 0.9, -0.6};
    lie_options options = {.method = "gauss3", .retraction = "exp", .linear = linear};
    lie_system sys;
    lie_stepper *st;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &options, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, s, 0.0, q, w));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, s, 0.05, 100));
}

void test_lapack_gives_the_same_trajectory(void)
{
    lie_state plain, lapack;
    run_with(&plain, 0);
    run_with(&lapack, &lie_linear_lapack);
    NEAR(4, lapack.g, plain.g, 1e3);
    NEAR(3, lapack.m, plain.m, 1e3);
}
