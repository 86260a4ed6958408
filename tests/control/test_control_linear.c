/* SPDX-License-Identifier: MIT */
/* The Newton step of optimal control by elimination from node to node, against LAPACK's banded solver on the same
 * system: the steps agree to rounding. Which is faster is a matter for bench_control. */
#include "tests/control/control_fixture.h"

#include "tests/control/control_band.h"

void setUp(void)
{
    make_problems();
}

void tearDown(void)
{
}

/* Largest difference of the steps in (z, u), relative to the inputs, and in the multipliers of the conditions */
static double compare(const lie_control_problem *p, int iterations)
{
    control_band b;
    lie_control_options opt = {.max_iterations = iterations};
    double apart = 0.0, size = 0.0, apart_lambda = 0.0, size_lambda = 0.0;
    begin(p);
    TEST_ASSERT_EQUAL(LIE_ERR_NO_CONVERGENCE, lie_control_solve(control, &opt));
    lie_control *c = control;
    int s = 2 * c->problem.n, block = 2 * s + c->problem.m;
    TEST_ASSERT_TRUE(band_make(&b, c));
    TEST_ASSERT_EQUAL(LIE_OK, lie__control_sweep_back(c));
    TEST_ASSERT_EQUAL(LIE_OK, lie__control_sweep_forward(c));
    TEST_ASSERT_EQUAL(LIE_OK, band_fill(&b, c));
    TEST_ASSERT_EQUAL_INT(0, band_solve(&b));
    for (int k = 0; k <= c->problem.N; k++)
        for (int i = 0; i < s + c->problem.m; i++) {
            double ours = i < s ? c->step.z[k * s + i] : c->step.du[k * c->problem.m + i - s],
                   theirs = b.right[k * block + s + i];
            apart = fmax(apart, fabs(ours - theirs));
            size = fmax(size, fmax(fabs(theirs), i < s ? 0.0 : fabs(c->iterate.now.u[k * c->problem.m + i - s])));
        }
    for (int i = 0; i < c->problem.ends.rows; i++) {
        double theirs = b.right[(c->problem.N + 1) * block + i];
        apart_lambda = fmax(apart_lambda, fabs(c->step.lambda_next[i] - theirs));
        size_lambda = fmax(size_lambda, fabs(theirs));
    }
    printf("  %s, N = %d, iteration %d: %d unknowns, %d + %d diagonals; step differs by %.0e, lambda by %.0e\n",
           answer->group->group, p->N, iterations, b.count, b.below, b.above, apart / size, apart_lambda / size_lambda);
    band_free(&b);
    solve(p);
    TEST_ASSERT_TRUE(flown_miss(p) < 1e-10);
    return fmax(apart / size, apart_lambda / size_lambda);
}

void test_control_sweep_is_the_banded_solution(void)
{
    double worst = 0.0;
    for (int i = 1; i <= 3; i++) {
        lie_control_problem p = so3_problem(64), v = vehicle_problem(32 * i);
        worst = fmax(worst, fmax(compare(&p, i), compare(&v, 2 * i)));
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&body_inputs.base, &top, "SO3"));
    lie_control_problem p = so3_problem(200);
    worst = fmax(worst, compare(&p, 2));
    TEST_ASSERT_TRUE(worst < 1e-9);
}
