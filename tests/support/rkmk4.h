/* SPDX-License-Identifier: MIT */
/* rkmk4.h: the motion of a system by the Runge-Kutta-Munthe-Kaas method of order 4 (Munthe-Kaas 1999), written from the
 * operations of the group alone: a judge that shares nothing with the steppers of the library. State (g, mu); the
 * external force is asked at t = 0 and without control. */
#ifndef LIESTEP_TESTS_RKMK4_H
#define LIESTEP_TESTS_RKMK4_H

#include <liestep/system.h>

#include "unity.h"

/* theta' = dtauinv_{-theta} xi, mu' = rate, at g tau(theta) */
static inline void rkmk4_rate(const lie_system *sys, double *theta_dot, double *mu_dot, const double *g,
                              const double *theta, const double *mu)
{
    const lie_ops *G = sys->group;
    double h[LIE_SIZE_MAX], xi[LIE_DIM_MAX], minus[LIE_DIM_MAX];
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, h, theta));
    G->mul(G, h, g, h);
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, xi, h, mu));
    lie_system_momentum_rate(sys, mu_dot, 0.0, h, xi, 0);
    for (int i = 0; i < G->dim; i++) minus[i] = -theta[i];
    TEST_ASSERT_EQUAL(LIE_OK, G->dtauinv(G, theta_dot, minus, xi));
}

static inline void rkmk4_step(const lie_system *sys, double *g, double *mu, double h)
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    int n = sys->group->dim;
    double theta[LIE_DIM_MAX], momentum[LIE_DIM_MAX], a[LIE_DIM_MAX] = {0}, b[LIE_DIM_MAX] = {0};
    double sum_a[LIE_DIM_MAX] = {0}, sum_b[LIE_DIM_MAX] = {0}, dg[LIE_SIZE_MAX];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) theta[i] = h * node[s] * a[i], momentum[i] = mu[i] + h * node[s] * b[i];
        rkmk4_rate(sys, a, b, g, theta, momentum);
        for (int i = 0; i < n; i++) sum_a[i] += h * weight[s] * a[i], sum_b[i] += h * weight[s] * b[i];
    }
    TEST_ASSERT_EQUAL(LIE_OK, sys->group->tau(sys->group, dg, sum_a));
    sys->group->mul(sys->group, g, g, dg);
    for (int i = 0; i < n; i++) mu[i] += sum_b[i];
}

static inline double rkmk4_energy(const lie_system *sys, const double *g, const double *mu)
{
    double xi[LIE_DIM_MAX];
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, xi, g, mu));
    return lie_system_energy(sys, g, xi);
}

#endif
