/* SPDX-License-Identifier: MIT */
/* Inputs as data: their wrenches, limits and wheels; momentum balances; and what sets of inputs can do, on cases that
 * the literature has solved. */
#include <liestep/core.h>

#include "tests/support/near.h"
#include "tests/support/random.h"

enum { WORK = 4000 };

static double work[WORK];
static lie_vehicle vehicle;
static lie_system on_se3, on_s3;
static const lie_free_body body = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}};

void setUp(void)
{
    lie_inertia_diagonal(6, vehicle.inertia, (double[6]){1, 2, 3, 1.5, 2.5, 3.5});
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&on_se3, &vehicle, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&on_s3, &body, "S3"));
}

void tearDown(void)
{
}

/* A thruster and the wrench it makes are the same input; a spatial one is turned into the body. */
void test_actuation_wrenches(void)
{
    lie_actuation p = {.base = on_se3,
                       .count = 3,
                       .actuator = {{.kind = LIE_THRUSTER, .at = {0.3, -0.2, 0.5}, .along = {0, 0.6, 0.8}},
                                    {.kind = LIE_BODY_WRENCH, .wrench = {-0.46, -0.24, 0.18, 0, 0.6, 0.8}},
                                    {.kind = LIE_SPATIAL_WRENCH, .wrench = {0, 0, 0, 0, 0, 1}}}};
    lie_system sys;
    double g[12], x[6] = {0.4, -0.3, 0.7, 1, 2, 3}, B[18], J[6], column[6], f[6],
                  xi[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &p));
    TEST_ASSERT_EQUAL(3, sys.controls);
    TEST_ASSERT_EQUAL(LIE_OK, sys.group->tau(sys.group, g, x));
    lie_actuation_matrix(&p, B, g);
    for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-15, B[3 * i + 1], B[3 * i]);
    for (int i = 0; i < 6; i++) column[i] = B[3 * i + 2];
    lie_system_spatial_momentum(&sys, J, g, column); /* back in space it is what it was */
    NEAR(6, J, p.actuator[2].wrench, 20);
    sys.external(&sys, f, 0.0, g, xi, (double[3]){2.0, -1.0, 0.5});
    for (int i = 0; i < 6; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 2.0 * B[3 * i] - B[3 * i + 1] + 0.5 * B[3 * i + 2], f[i]);
    sys.external(&sys, f, 0.0, g, xi, NULL);
    for (int i = 0; i < 6; i++) TEST_ASSERT_TRUE(f[i] == 0.0);
}

/* What the vehicle's own thrusters do, and drag of the base, stay. */
void test_actuation_keeps_what_the_base_has(void)
{
    lie_vehicle own = vehicle;
    lie_system base, sys;
    lie_actuation p = {.count = 1, .actuator = {{.kind = LIE_THRUSTER, .at = {0, 1, 0}, .along = {1, 0, 0}}}};
    double g[12], xi[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, with[6], without[6], u[2] = {0.7, -1.3};
    own.thrusters = 1, own.thruster_at[0][0] = 1.0, own.thruster_along[0][1] = 1.0, own.linear_drag[0] = 0.3;
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&base, &own, NULL));
    p.base = base;
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &p));
    TEST_ASSERT_EQUAL(2, sys.controls);
    sys.group->identity(sys.group, g);
    base.external(&base, without, 0.0, g, xi, u);
    sys.external(&sys, with, 0.0, g, xi, u);
    const double added[6] = {0, 0, 1.3, -1.3, 0, 0}; /* -1.3 (at x along, along) */
    for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-15, without[i] + added[i], with[i]);
    lie_system_report report;
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&sys, &report, 0.0, g, xi, u));
    TEST_ASSERT_TRUE(report.error < 1e-9);
}

void test_actuation_limits(void)
{
    lie_actuation p = {.base = on_s3,
                       .count = 1,
                       .actuator = {{.kind = LIE_BODY_WRENCH, .wrench = {1, 0, 0}, .min = -0.5, .max = 2.0}}};
    lie_system sys;
    double g[4] = {1, 0, 0, 0}, xi[3] = {0}, f[3];
    static const double in[4] = {-7, -0.25, 1.5, 9}, out[4] = {-0.5, -0.25, 1.5, 2.0};
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &p));
    for (int k = 0; k < 4; k++) {
        sys.external(&sys, f, 0.0, g, xi, &in[k]);
        TEST_ASSERT_TRUE(f[0] == out[k]);
    }
}

/* Wheels: the momentum of body and wheels together is constant in space, to the order of the method; and with a method
 * of high order to its error, for any torques. */
void test_actuation_wheels_keep_the_total_momentum(void)
{
    lie_actuation p = {
        .base = on_s3,
        .count = 2,
        .actuator = {{.kind = LIE_WHEEL, .along = {1, 0, 0}}, {.kind = LIE_WHEEL, .along = {0, 0.6, 0.8}}}};
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    const double q[4] = {1, 0, 0, 0}, w[3] = {0.4, -0.2, 0.3};
    double change[2];
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &p));
    TEST_ASSERT_EQUAL(4, sys.controls);
    for (int run = 0; run < 2; run++) {
        int steps = run == 0 ? 200 : 400;
        double h = 10.0 / steps, u[4] = {0.05, -0.03, 0.3, -0.2}, next[4], total[3], J0[3], J[3];
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "gauss2"}, work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, q, w));
        for (int i = 0; i < 3; i++) total[i] = s.m[i] + u[2] * (i == 0) + u[3] * p.actuator[1].along[i];
        lie_system_spatial_momentum(&sys, J0, s.g, total);
        for (int k = 0; k < steps; k++) {
            memcpy(next, u, sizeof next);
            lie_actuation_store(&p, next, h, u, u);
            lie_stepper_control(st, u, next);
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, h));
            memcpy(u, next, sizeof u);
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.3 + 0.5, u[2]);
        for (int i = 0; i < 3; i++) total[i] = s.m[i] + u[2] * (i == 0) + u[3] * p.actuator[1].along[i];
        lie_system_spatial_momentum(&sys, J, s.g, total);
        change[run] = 0.0;
        for (int i = 0; i < 3; i++) change[run] = fmax(change[run], fabs(J[i] - J0[i]));
    }
    printf("  total momentum of body and wheels: off by %.1e, %.1e with half the step\n", change[0], change[1]);
    TEST_ASSERT_TRUE(change[1] < 1e-9 && change[1] < change[0] / 10.0);
}

/* With controls that jump, the spatial momentum changes by the sum of the spatial impulses at the nodes. */
void test_actuation_momentum_balance(void)
{
    lie_actuation p = {.base = on_se3,
                       .count = 2,
                       .actuator = {{.kind = LIE_THRUSTER, .at = {-1, 0.2, 0}, .along = {1, 0, 0}},
                                    {.kind = LIE_SPATIAL_WRENCH, .wrench = {0, 0, 0.1, 0, 0.3, 0.2}}}};
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    lie_random rng = {5u};
    double g[12], xi[6] = {0.3, -0.2, 0.4, 0.5, 0.1, -0.6}, J[6], expected[6], worst = 0.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &p));
    sys.group->identity(sys.group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, g, xi));
    lie_state_spatial_momentum(&sys, expected, &s);
    for (int k = 0; k < 100; k++) {
        double u[2][2], B[12], f[6], impulse[6], h = 0.05;
        random_vector(&rng, 2, u[0], 1.0);
        random_vector(&rng, 2, u[1], 1.0);
        lie_stepper_control(st, u[0], u[1]);
        for (int end = 0; end < 2; end++) {
            if (end == 1) TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, h));
            lie_actuation_matrix(&p, B, s.g);
            for (int i = 0; i < 6; i++) f[i] = 0.5 * h * (B[2 * i] * u[end][0] + B[2 * i + 1] * u[end][1]);
            lie_system_spatial_momentum(&sys, impulse, s.g, f);
            for (int i = 0; i < 6; i++) expected[i] += impulse[i];
        }
        lie_state_spatial_momentum(&sys, J, &s);
        for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(J[i] - expected[i]));
    }
    printf("  momentum balance after 100 steps: %.1f eps\n", worst / DBL_EPSILON);
    TEST_ASSERT_TRUE(worst <= 5000 * DBL_EPSILON);
}

static lie_controllability report_of(const lie_system *base, int count, const double (*wrench)[6])
{
    lie_actuation p = {.base = *base, .count = count};
    lie_system sys;
    lie_controllability c;
    double g[12];
    for (int i = 0; i < count; i++) memcpy(p.actuator[i].wrench, wrench[i], sizeof p.actuator[i].wrench);
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &p));
    base->group->identity(base->group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuation_report(&p, &c, g));
    return c;
}

/* Two torques about principal axes of an asymmetric body reach everything, one of them alone only its own axis (Crouch
 * 1984); of a body with two equal moments, two torques about those two axes do not reach the third velocity, but the
 * third rotation by a Lie bracket. One body-fixed force at the centre of a vehicle goes along a line. */
void test_actuation_controllability(void)
{
    static const lie_free_body asymmetric = {{1, 0, 0, 0, 2, 0, 0, 0, 3}}, symmetric = {{2, 0, 0, 0, 2, 0, 0, 0, 3}};
    static const double torques[3][6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, force[1][6] = {{0, 0, 0, 1, 0, 0}};
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &asymmetric, "SO3"));
    lie_controllability c = report_of(&sys, 3, torques);
    TEST_ASSERT_TRUE(c.actuated == 3 && c.reachable == 3 && c.accessible == 3 && c.dim == 3);
    c = report_of(&sys, 2, torques);
    TEST_ASSERT_TRUE(c.actuated == 2 && c.reachable == 3 && c.accessible == 3 && c.symmetric_depth == 1);
    c = report_of(&sys, 1, torques);
    TEST_ASSERT_TRUE(c.actuated == 1 && c.reachable == 1 && c.accessible == 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &symmetric, "SO3"));
    c = report_of(&sys, 2, torques);
    TEST_ASSERT_TRUE(c.actuated == 2 && c.reachable == 2 && c.accessible == 3 && c.lie_depth == 1);
    c = report_of(&on_se3, 1, force);
    TEST_ASSERT_TRUE(c.actuated == 1 && c.reachable == 1 && c.accessible == 1);
    c = report_of(&on_se3, 0, force);
    TEST_ASSERT_TRUE(c.actuated == 0 && c.accessible == 0);
}

void test_actuation_annihilator(void)
{
    lie_random rng = {9u};
    for (int count = 0; count <= 6; count++) {
        double B[36], E[36];
        random_vector(&rng, 36, B, 1.0);
        int rows = lie_actuation_annihilator(6, count, B, E);
        TEST_ASSERT_EQUAL(6 - count, rows);
        for (int r = 0; r < rows; r++) {
            for (int j = 0; j < count; j++) {
                double sum = 0.0;
                for (int i = 0; i < 6; i++) sum += E[6 * r + i] * B[i * count + j];
                TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, sum);
            }
            for (int k = 0; k <= r; k++) {
                double sum = 0.0;
                for (int i = 0; i < 6; i++) sum += E[6 * r + i] * E[6 * k + i];
                TEST_ASSERT_DOUBLE_WITHIN(1e-14, k == r, sum);
            }
        }
    }
}

void test_actuation_refuses_what_makes_no_sense(void)
{
    lie_system out = {.name = "kept"};
    lie_ops plane;
    const double unit[4] = {1, 0, 0, 1};
    lie_actuation p = {.base = on_s3, .count = 17};
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_actuated_system(&out, &p));
    p.count = 1, p.actuator[0] = (lie_actuator){.kind = LIE_THRUSTER, .along = {1, 1, 0}};
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_actuated_system(&out, &p));
    p.actuator[0] = (lie_actuator){.kind = LIE_BODY_WRENCH, .min = 2, .max = 1};
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_actuated_system(&out, &p));
    p.actuator[0] = (lie_actuator){.kind = LIE_BODY_WRENCH, .wrench = {(double)NAN}};
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_actuated_system(&out, &p));
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&plane, 2, "exp"));
    p.base = (lie_system){.name = "plane", .group = &plane, .inertia = unit};
    p.actuator[0] = (lie_actuator){.kind = LIE_WHEEL, .along = {1, 0, 0}};
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_actuated_system(&out, &p));
    TEST_ASSERT_EQUAL_STRING("kept", out.name);
}
