/* SPDX-License-Identifier: MIT */
/* control_fixture.h: the problems that the tests of optimal control share: a body, a vehicle with five thrusters, a
 * point; how they are solved and flown. */
#ifndef LIESTEP_TESTS_CONTROL_FIXTURE_H
#define LIESTEP_TESTS_CONTROL_FIXTURE_H

#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/near.h"

enum { WORK = 6000000, STEP_WORK = 4000 };

static double work[WORK], step_work[STEP_WORK];
static lie_control *control;
static const lie_control_answer *answer; /* of it */
static lie_actuation body_inputs, vehicle_inputs, plane_inputs;
static const lie_free_body body = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}};
static const lie_heavy_top top = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.4, {0.1, 0.2, 0.5}, 9.81};
static lie_vehicle vehicle;
static lie_ops space;
static double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, e_so3[9], to_so3[9], e_se3[12], to_se3[12];

/* unit wrenches about the first `count` axes of the algebra */
static void unit_inputs(lie_actuation *a, int count)
{
    memset(a->actuator, 0, sizeof a->actuator);
    a->count = count;
    for (int i = 0; i < count; i++) a->actuator[i].wrench[i] = 1.0;
}

/* Five thrusters of Jimenez 2012, section 5.2.9: all but the force along y; the author's numbers are not given */
static void five_thrusters(lie_actuation *a)
{
    const double c = 0.1, d = 0.15, s = 0.1 * 0.86602540378443865;
    const double wrench[5][6] = {
        {0, c / 2, -s, 1, 0, 0}, {0, c / 2, s, 1, 0, 0}, {0, -c, 0, 1, 0, 0}, {-d, 0, 0, 0, 0, 1}, {d, 0, 0, 0, 0, 1}};
    memset(a->actuator, 0, sizeof a->actuator);
    a->count = 5;
    for (int i = 0; i < 5; i++) memcpy(a->actuator[i].wrench, wrench[i], sizeof wrench[i]);
}

static void make_problems(void)
{
    static const double inertia[6] = {0.015, 0.0975, 0.0975, 3, 3, 3}, drag[6] = {0.01, 0.02, 0.02, 0.3, 0.6, 0.6};
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&body_inputs.base, &body, "SO3"));
    unit_inputs(&body_inputs, 3);
    memset(&vehicle, 0, sizeof vehicle);
    lie_inertia_diagonal(6, vehicle.inertia, inertia);
    lie_inertia_diagonal(6, vehicle.linear_drag, drag);
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&vehicle_inputs.base, &vehicle, NULL));
    five_thrusters(&vehicle_inputs);
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&space, 3, "exp"));
    plane_inputs.base = (lie_system){.name = "point", .group = &space, .inertia = mass};
    unit_inputs(&plane_inputs, 3);
    lie_so3_identity(e_so3);
    lie_so3_exp(to_so3, (double[3]){1.2, -0.7, 1.5});
    lie_se3_identity(e_se3);
    lie_se3_exp(to_se3, (double[6]){0.5, 0.3, -0.8, 2, 1, 0.5});
}

static inline lie_control_problem so3_problem(int N)
{
    return (lie_control_problem){
        .actuation = &body_inputs, .retraction = "cay", .g0 = e_so3, .gT = to_so3, .T = 3.0, .N = N};
}

static inline lie_control_problem vehicle_problem(int N)
{
    return (lie_control_problem){
        .actuation = &vehicle_inputs, .retraction = "cay", .g0 = e_se3, .gT = to_se3, .T = 10.0, .N = N};
}

static inline void begin(const lie_control_problem *p)
{
    TEST_ASSERT_TRUE(lie_control_memsize(p) <= sizeof work);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_init(&control, p, work, sizeof work));
    answer = lie_control_now(control);
}

static inline void solve(const lie_control_problem *p)
{
    begin(p);
    TEST_ASSERT_EQUAL_STRING("LIE_OK", lie_status_name(lie_control_solve(control, NULL)));
    TEST_ASSERT_TRUE(answer->last.residual <= 1e-10);
}

/* How far from the target the computed inputs lead through the stepper */
static inline double flown_miss(const lie_control_problem *p)
{
    lie_state end;
    double worst = 0.0, m[6] = {0.0};
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_fly(control, &end, step_work, sizeof step_work));
    for (int i = 0; i < answer->group->size; i++) worst = fmax(worst, fabs(end.g[i] - p->gT[i]));
    if (p->xiT) lie_system_momentum(&p->actuation->base, m, p->gT, p->xiT);
    for (int i = 0; i < answer->n; i++) worst = fmax(worst, fabs(end.m[i] - m[i]));
    return worst;
}

#endif
