/* SPDX-License-Identifier: MIT */
/* Kicks beside the exact free rigid body: a host that has its own forces, against the method split2. */
#include <liestep/free_flow.h>
#include <liestep/s3.h>
#include <liestep/so3.h>
#include <liestep/stepper.h>

#include "groups/num/vec3.h"
#include "lib/methods/kick.h"
#include "tests/support/near.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* A host that kicks before and after the flow takes the steps of split2, to the bit. */
static void torque_of(const lie_system *sys, double *F, const double *g)
{
    double up[3] = {0.3, -0.2, 0.9}, at[3], back[9];
    if (sys->group->size == 4)
        lie_s3_inv(back, g), lie_s3_act(at, back, up);
    else
        lie_so3_inv(back, g), lie_so3_act(at, back, up);
    F[0] = -0.7 * at[1], F[1] = 0.7 * at[0], F[2] = 0.0; /* of V = -0.7 e3 . at */
}

static double height_of(const lie_system *sys, const double *g)
{
    double F[3], up[3] = {0.3, -0.2, 0.9}, out[3], e3[3] = {0.0, 0.0, 1.0};
    torque_of(sys, F, g);
    if (sys->group->size == 4)
        lie_s3_act(out, g, e3);
    else
        lie_so3_act(out, g, e3);
    return -0.7 * dot3(out, up);
}

void test_free_flow_between_kicks_is_split2(void)
{
    static const double inertia[9] = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9}, h = 0.1;
    static double work[1024];
    for (int k = 0; k < 2; k++) {
        const lie_ops *G = k ? &lie_so3_exp_ops : &lie_s3_exp_ops;
        lie_system sys = {.group = G, .inertia = inertia, .potential = height_of, .force = torque_of};
        lie_system_report report;
        double e[LIE_SIZE_MAX], F[3], xi[3] = {0.5, 0.4, -0.8};
        lie_free_flow flow;
        lie_stepper *st;
        lie_state by_method, s;
        G->identity(G, e);
        TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&sys, &report, 0.0, e, xi, NULL));
        TEST_ASSERT_TRUE(report.force < 1e-9);
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "split2"}, work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &by_method, 0.0, e, xi));
        s = by_method;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &by_method, h, 1000));
        TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_init(&flow, inertia));
        for (int i = 0; i < 1000; i++) {
            for (int half = 0; half < 2; half++) {
                torque_of(&sys, F, s.g);
                kick(3, s.m, s.low_m, 0.5 * h, F);
                if (half == 1) continue;
                TEST_ASSERT_EQUAL(LIE_OK, k ? lie_free_flow_so3(&flow, s.g, s.low_g, s.m, s.low_m, h)
                                            : lie_free_flow_s3(&flow, s.g, s.low_g, s.m, s.low_m, h));
            }
        }
        SAME(3, s.m, by_method.m);
        SAME(G->size, s.g, by_method.g);
    }
}
