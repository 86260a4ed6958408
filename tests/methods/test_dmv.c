/* SPDX-License-Identifier: MIT */
/* Discrete Moser-Veselov: that it is what its authors wrote, that it equals the S3 method of Wendlandt & Marsden, what
 * it keeps, where it ends, and that units, frames and restarts do not matter. Order, momentum and the symplectic form
 * are measured with all other methods in test_stepper_order.c, test_stepper_momentum.c, test_stepper_structure.c. */
#include "tests/support/stepper_fixture.h"

static const double body[9] = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9}, spin[3] = {0.5, 0.7, -0.51};
static const char *const methods[5] = {"dmv", "dmv4", "dmv6", "dmv8", "dmv10"};

static lie_system free_body(const lie_ops *G, const double *inertia)
{
    return (lie_system){.name = "free body", .group = G, .inertia = inertia};
}

static void at_identity(const lie_system *sys, lie_state *s, const double *xi)
{
    double g[LIE_SIZE_MAX];
    sys->group->identity(sys->group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, g, xi));
}

static double dot3_of(const double *a, const double *b)
{
    return fixture_dot(3, a, b);
}

/* M_k = (W J - J W^T)/h, J = tr(I)/2 - I, W = R_k^T R_{k+1} (Moser & Veselov 1991, with their momentum divided by h) */
void test_dmv_steps_are_those_of_moser_and_veselov(void)
{
    const double h = 0.21, trace = body[0] + body[4] + body[8];
    lie_system sys = free_body(&lie_so3_cay_ops, body);
    lie_state s, next;
    double worst = 0.0;
    walker w;
    walker_init(&w, &sys, "dmv", 0, 0);
    at_identity(&sys, &s, spin);
    for (int k = 0; k < 40; k++, s = next) {
        double W[9], A[9] = {0.0};
        next = s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &next, h));
        lie_so3_inv(W, s.g);
        lie_so3_mul(W, W, next.g);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int l = 0; l < 3; l++)
                    A[3 * i + j] += W[3 * i + l] * ((l == j ? 0.5 * trace : 0.0) - body[3 * l + j]);
        const double M[3] = {(A[7] - A[5]) / h, (A[2] - A[6]) / h, (A[3] - A[1]) / h};
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(M[i] - s.m[i]));
    }
    printf("Moser & Veselov's equation: within %.1e\n", worst);
    TEST_ASSERT_TRUE(worst < 1e-14);
}

/* Wendlandt & Marsden's method on S3 is Euler-Poincare with the skew map of S3, and this one. */
void test_dmv_equals_euler_poincare_with_the_skew_map_of_s3(void)
{
    lie_system sys = free_body(&lie_s3_skew_ops, body);
    lie_state a, b;
    walker w;
    at_identity(&sys, &a, spin);
    b = a;
    walker_init(&w, &sys, "ep", "skew", 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &a, 0.17, 300));
    walker_init(&w, &sys, "dmv", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &b, 0.17, 300));
    printf("dmv and ep with the skew map of S3 after 300 steps: %.1e\n", state_distance(sys.group, &a, &b));
    TEST_ASSERT_TRUE(state_distance(sys.group, &a, &b) < 1e-13);
}

/* |m|, the energy and Moser & Veselov's own, c . m with the turn c of the step, over 10^5 steps */
void test_dmv_keeps_energy_and_discrete_energy(void)
{
    for (int k = 0; k < 5; k++) {
        lie_system sys = free_body(&lie_s3_cay_ops, body);
        lie_state s, from;
        double E0, E, worst = 0.0, discrete[2] = {HUGE_VAL, -HUGE_VAL};
        walker w;
        walker_init(&w, &sys, methods[k], 0, 0);
        at_identity(&sys, &s, spin);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E0, &s));
        for (int i = 0; i < 100; i++) {
            double q[4];
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.2, 999));
            from = s;
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, 0.2));
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E, &s));
            lie_s3_inv(q, from.g);
            lie_s3_mul(q, q, s.g);
            double along = dot3_of(q + 1, from.m) / q[0];
            discrete[0] = fmin(discrete[0], along), discrete[1] = fmax(discrete[1], along);
            worst = fmax(worst, fabs(E / E0 - 1.0));
        }
        printf("%-6s 10^5 steps: energy within %.1e, c . m within %.1e; %lld iterations\n", methods[k], worst,
               discrete[1] / discrete[0] - 1.0, lie_stepper_statistics(w.st)->iterations);
        TEST_ASSERT_TRUE_MESSAGE(worst < 2e-13, methods[k]);
        TEST_ASSERT_TRUE_MESSAGE(discrete[1] / discrete[0] - 1.0 < 2e-13, methods[k]);
        TEST_ASSERT_TRUE_MESSAGE(lie_stepper_statistics(w.st)->iterations < 100,
                                 methods[k]); /* explicit after the first step */
    }
}

/* A sphere turns by arcsin(h |w|) in a step of dmv, and by h |w| with the inertia of Hairer & Vilmart; beyond h |w| = 1
 * there is no step. */
void test_dmv_of_a_sphere_turns_by_the_arcsine(void)
{
    const double sphere[9] = {1.7, 0.0, 0.0, 0.0, 1.7, 0.0, 0.0, 0.0, 1.7}, w3[3] = {0.0, 0.0, 1.0};
    static const double angles[4] = {1e-9, 0.1, 0.6, 0.999};
    lie_system sys = free_body(&lie_s3_cay_ops, sphere);
    walker w;
    for (int k = 0; k < 4; k++) {
        lie_state s;
        walker_init(&w, &sys, "dmv", 0, 0);
        at_identity(&sys, &s, w3);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, angles[k]));
        double turned = 2.0 * atan2(s.g[3], s.g[0]), wanted = asin(angles[k]);
        TEST_ASSERT_TRUE(fabs(turned - wanted) <= (k == 3 ? 1e-13 : 4e-16 * wanted));
        walker_init(&w, &sys, "dmv10", 0, 0);
        at_identity(&sys, &s, w3);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, angles[k]));
        turned = 2.0 * atan2(s.g[3], s.g[0]);
        printf("sphere, h |w| = %g: dmv10 turns by %.1e too much\n", angles[k], turned - angles[k]);
        TEST_ASSERT_TRUE(fabs(turned - angles[k]) <= 4e-16 * angles[k] + 1e-4 * pow(angles[k], 11.0));
    }
}

void test_dmv_refuses_steps_that_do_not_exist(void)
{
    static const double lengths[4] = {1.4, -2.0, 30.0, 1e200};
    lie_system sys = free_body(&lie_so3_exp_ops, body);
    walker w;
    for (int k = 0; k < 4; k++) {
        static lie_state s, before;
        walker_init(&w, &sys, "dmv", 0, 0);
        at_identity(&sys, &s, spin);
        before = s;
        lie_status status = lie_step(w.st, &s, lengths[k]);
        TEST_ASSERT_EQUAL(k == 3 ? LIE_ERR_NOT_FINITE : LIE_ERR_DOMAIN, status);
        TEST_ASSERT_EQUAL_MEMORY(&before, &s, sizeof s);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, 0.1)); /* and goes on with shorter ones */
    }
}

/* Other units: momenta and inertia times a power of two give the same attitudes to the bit. */
void test_dmv_does_not_know_units(void)
{
    static const int powers[3] = {40, -200, 300};
    for (int k = 0; k < 5; k++)
        for (int p = 0; p < 3; p++) {
            double scaled[9];
            for (int i = 0; i < 9; i++) scaled[i] = ldexp(body[i], powers[p]);
            lie_system plain = free_body(&lie_s3_cay_ops, body), sys = free_body(&lie_s3_cay_ops, scaled);
            lie_state a, b;
            walker w;
            at_identity(&plain, &a, spin);
            at_identity(&sys, &b, spin);
            for (int i = 0; i < 3; i++) b.m[i] = ldexp(a.m[i], powers[p]);
            walker_init(&w, &plain, methods[k], 0, 0);
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &a, 0.13, 50));
            walker_init(&w, &sys, methods[k], 0, 0);
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &b, 0.13, 50));
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a.g, b.g, 4 * sizeof(double), methods[k]);
        }
}

/* A body frame turned by Q: inertia Q I Q^T, momenta Q m, attitudes R Q^T. */
void test_dmv_does_not_know_the_body_frame(void)
{
    const double diagonal[9] = {0.6, 0.0, 0.0, 0.0, 0.8, 0.0, 0.0, 0.0, 1.0}, turn[3] = {0.3, -1.1, 0.7};
    double Q[9], QT[9], full[9], M[9];
    lie_so3_exp(Q, turn);
    lie_so3_inv(QT, Q);
    lie_so3_mul(M, Q, diagonal);
    lie_so3_mul(full, M, QT);
    for (int k = 0; k < 5; k++) {
        lie_system sys = free_body(&lie_so3_cay_ops, diagonal), turned = free_body(&lie_so3_cay_ops, full);
        lie_state a, b;
        walker w;
        at_identity(&sys, &a, spin);
        at_identity(&turned, &b, spin);
        lie_so3_act(b.m, Q, a.m);
        walker_init(&w, &sys, methods[k], 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &a, 0.15, 40));
        walker_init(&w, &turned, methods[k], 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &b, 0.15, 40));
        lie_so3_act(M, QT, b.m);
        NEAR(3, M, a.m, 100.0);
        lie_so3_mul(M, QT, b.g); /* the initial attitude was 1 in both frames */
        lie_so3_mul(M, M, Q);
        NEAR(9, M, a.g, 100.0);
    }
}

/* What the stepper remembers belongs to the motion it was on: another momentum, another step length, or a body at rest
 * start anew; two motions in turns are each what they are alone. */
void test_dmv_remembers_only_its_own_motion(void)
{
    lie_system sys = free_body(&lie_s3_cay_ops, body);
    lie_state alone[2], turns[2], rest;
    walker w;
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 2; i++) {
            at_identity(&sys, &alone[i], spin);
            alone[i].m[1] += 0.4 * i;
            turns[i] = alone[i];
            walker_init(&w, &sys, methods[k], 0, 0);
            for (int j = 0; j < 60; j++) TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &alone[i], 0.1 + 0.05 * (j % 2)));
        }
        walker_init(&w, &sys, methods[k], 0, 0);
        for (int j = 0; j < 120; j++)
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &turns[j % 2], 0.1 + 0.05 * (j / 2 % 2)));
        for (int i = 0; i < 2; i++) states_same_bits(sys.group, &alone[i], &turns[i], methods[k]);
        at_identity(&sys, &rest, (double[3]){0.0, 0.0, 0.0});
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &rest, 0.1, 10));
        TEST_ASSERT_TRUE(rest.g[0] == 1.0 && dot3_of(rest.m, rest.m) == 0.0);
    }
}
