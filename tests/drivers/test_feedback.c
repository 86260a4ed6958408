/* SPDX-License-Identifier: MIT */
/* A controller in the loop: a linear one against the exact solution, with its order; the geometric attitude controller,
 * which must not unwind; what fails, and that a failed step leaves the state. */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/near.h"

enum { WORK = 4000 };

static double work[WORK];

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct gains {
    double stiffness, damping;
    int calls;
} gains;

static lie_status spring(void *ctx, double *u, const lie_system *sys, double t, const double *x, const double *v)
{
    gains *k = (gains *)ctx;
    (void)sys, (void)t;
    k->calls++;
    u[0] = -k->stiffness * x[0] - k->damping * v[0];
    return LIE_OK;
}

/* x'' = -k x - c v on R1: the exact solution, order 1 by holding, order 2 implicitly */
void test_feedback_order(void)
{
    static const double unit[1] = {1.0}, x0[1] = {1.0}, v0[1] = {0.3};
    lie_ops line;
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&line, 1, "exp"));
    lie_actuation a = {.base = {.name = "cart", .group = &line, .inertia = unit}, .count = 1};
    a.actuator[0].wrench[0] = 1.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &a));
    double rate = sqrt(4.0 - 0.25), T = 3.0; /* k = 4, c = 1 */
    double exact = exp(-0.5 * T) * (cos(rate * T) + (0.3 + 0.5) / rate * sin(rate * T));
    for (int kind = 0; kind < 2; kind++) {
        double error[3];
        for (int i = 0; i < 3; i++) {
            lie_stepper *st;
            lie_state s;
            int n = 100 << i;
            gains k = {4.0, 1.0, 0};
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, work, sizeof work));
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, x0, v0));
            TEST_ASSERT_EQUAL(LIE_OK, lie_feedback_run(st, &s, T / n, n, (lie_feedback_kind)kind, spring, &k));
            if (kind == LIE_FEEDBACK_HOLD) TEST_ASSERT_EQUAL_INT(n, k.calls);
            error[i] = fabs(s.g[0] - exact);
        }
        printf("  %s: orders %.3f %.3f\n", kind ? "implicit" : "hold", log2(error[0] / error[1]),
               log2(error[1] / error[2]));
        TEST_ASSERT_DOUBLE_WITHIN(0.05, kind ? 2.0 : 1.0, log2(error[1] / error[2]));
    }
}

static const double inertia[9] = {1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9};

/* Lee, Leok & McClamroch 2010, (15) to (17), at rest: M = -k e_R - c w + w x I w */
static lie_status attitude(void *ctx, double *u, const lie_system *sys, double t, const double *R, const double *w)
{
    double m[3];
    (void)ctx, (void)t;
    lie_system_momentum(sys, m, R, w);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        u[i] = -4.0 * 0.5 * (R[3 * k + j] - R[3 * j + k]) - 3.0 * w[i] + w[j] * m[k] - w[k] * m[j];
    }
    return LIE_OK;
}

/* From nearly half a turn, turning: to the identity by the direct way, momentum of the step kept to the impulses. */
void test_feedback_geometric_attitude(void)
{
    lie_free_body body;
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    double R[9], axis[3] = {2.9 * 0.36, 2.9 * 0.48, -2.9 * 0.8}, e[9];
    memcpy(body.inertia, inertia, sizeof inertia);
    lie_actuation a = {.count = 3};
    for (int i = 0; i < 3; i++) a.actuator[i].wrench[i] = 1.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&a.base, &body, "SO3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &a));
    lie_so3_exp(R, axis);
    lie_so3_identity(e);
    for (int kind = 0; kind < 2; kind++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, R, (double[3]){1.0, -0.5, 0.7}));
        TEST_ASSERT_EQUAL(LIE_OK, lie_feedback_run(st, &s, 0.02, 3000, (lie_feedback_kind)kind, attitude, NULL));
        for (int i = 0; i < 9; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, e[i], s.g[i]);
        for (int i = 0; i < 3; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, s.m[i]);
    }
}

/* A vehicle with drag held by thrusters against a pull: at rest what is left of the forces is their rounding, which
 * changes with the last bits of the velocity. */
static lie_status braced(void *ctx, double *u, const lie_system *sys, double t, const double *g, const double *xi)
{
    double x[6];
    lie_status status = lie_se3_log(x, g);
    (void)ctx, (void)sys, (void)t;
    for (int i = 0; i < 6; i++) u[i] = -20.0 * x[i] - 30.0 * xi[i];
    u[6] = 15.0;
    return status;
}

void test_feedback_rests_between_forces_that_cancel(void)
{
    static const double moments[6] = {2.2, 6.1, 6.4, 33, 61, 64}, drag[6] = {2, 8, 8, 3, 20, 20};
    static const double twist[6] = {0.3, -0.2, 0.8, 2.0, -2.0, 1.0}, xi[6] = {0.1, 0.0, -0.1, 0.2, 0.1, 0.0};
    lie_vehicle v = {.weight = 0.0};
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    double g[12];
    lie_actuation a = {.count = 7};
    lie_inertia_diagonal(6, v.inertia, moments);
    lie_inertia_diagonal(6, v.linear_drag, drag);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) a.actuator[i].wrench[j] = i == j ? 0.7 : 0.1 / (1.0 + i + j);
    a.actuator[6] = (lie_actuator){.kind = LIE_SPATIAL_WRENCH, .wrench = {0, 0, 0, 0.48, 0.6, 0.64}};
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&a.base, &v, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &a));
    lie_se3_exp(g, twist);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, g, xi));
    TEST_ASSERT_EQUAL_STRING("LIE_OK",
                             lie_status_name(lie_feedback_run(st, &s, 0.05, 20000, LIE_FEEDBACK_HOLD, braced, NULL)));
    for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, s.m[i]);
}

static lie_status refuses(void *ctx, double *u, const lie_system *sys, double t, const double *x, const double *v)
{
    (void)sys, (void)x, (void)v;
    u[0] = *(int *)ctx == 1 && t > 0.25 ? (double)NAN : 0.1;
    return *(int *)ctx == 2 && t > 0.25 ? LIE_ERR_DOMAIN : LIE_OK;
}

void test_feedback_failures(void)
{
    static const double unit[1] = {1.0}, x0[1] = {1.0}, v0[1] = {0.3};
    lie_ops line;
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    gains stiff = {1e8, 1e5, 0};
    int how = 1;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&line, 1, "exp"));
    lie_actuation a = {.base = {.name = "cart", .group = &line, .inertia = unit}, .count = 1};
    a.actuator[0].wrench[0] = 1.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &a));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, x0, v0));
    TEST_ASSERT_EQUAL(LIE_ERR_NO_CONVERGENCE, lie_feedback_run(st, &s, 0.1, 10, LIE_FEEDBACK_IMPLICIT, spring, &stiff));
    TEST_ASSERT_TRUE(s.t == 0.0 && s.g[0] == 1.0);
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_feedback_run(st, &s, 0.1, 10, LIE_FEEDBACK_HOLD, refuses, &how));
    TEST_ASSERT_TRUE(s.steps == 3);
    how = 2;
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_feedback_run(st, &s, 0.1, 10, LIE_FEEDBACK_HOLD, refuses, &how));
    TEST_ASSERT_TRUE(s.steps == 3);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &a.base, &(lie_options){.method = "sv"}, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_feedback_run(st, &s, 0.1, 10, LIE_FEEDBACK_HOLD, refuses, &how));
}
