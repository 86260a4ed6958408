/* SPDX-License-Identifier: MIT */
/* control_compare.h: the two routes to an optimal manoeuvre, side by side. */
#ifndef LIESTEP_TESTS_CONTROL_COMPARE_H
#define LIESTEP_TESTS_CONTROL_COMPARE_H

#include "tests/control/control_fixture.h"

/* The same inputs, poses and cost by both routes */
static void compare_routes(const char *name, const lie_control_problem *p, double T_min, double T_max)
{
    static double u[2000], g[2000];
    lie_control_ipopt opt = {.T_min = T_min, .T_max = T_max};
    double worst = 0.0, size = 1.0, pose = 0.0;
    begin(p);
    lie_status status =
        T_min > 0.0 ? lie_control_best_time(control, NULL, T_min, T_max) : lie_control_solve(control, NULL);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("LIE_OK", lie_status_name(status), name);
    TEST_ASSERT_TRUE_MESSAGE(answer->last.residual <= 1e-10, name);
    double cost = answer->cost, T = answer->problem->T;
    int inputs = (answer->N + 1) * answer->m, elements = (answer->N + 1) * answer->group->size;
    TEST_ASSERT_TRUE(inputs <= 2000 && elements <= 2000);
    memcpy(u, answer->u, (size_t)inputs * sizeof *u);
    memcpy(g, answer->g, (size_t)elements * sizeof *g);
    int iterations = answer->last.iteration;
    begin(p);
    status = lie_control_solve_ipopt(control, &opt);
    if (status == LIE_ERR_OPTIONAL) return;
    TEST_ASSERT_EQUAL_STRING_MESSAGE("LIE_OK", lie_status_name(status), name);
    for (int i = 0; i < inputs; i++) worst = fmax(worst, fabs(answer->u[i] - u[i])), size = fmax(size, fabs(u[i]));
    for (int i = 0; i < elements; i++) pose = fmax(pose, fabs(answer->g[i] - g[i]));
    printf(
        "  %s: %d iterations; routes differ by %.1e in the inputs (of %.2g), %.1e in the poses, %.1e in the cost %.6f, "
        "%.1e in T\n",
        name, iterations, worst, size, pose, fabs(answer->cost - cost), cost, fabs(answer->problem->T - T));
    TEST_ASSERT_TRUE_MESSAGE(worst <= 1e-8 * size && pose <= 1e-8, name);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9 * fmax(1.0, fabs(cost)), cost, answer->cost, name);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6, T, answer->problem->T, name);
}

#endif
