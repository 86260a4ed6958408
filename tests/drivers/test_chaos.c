/* SPDX-License-Identifier: MIT */
/* Indicators of chaos on orbits whose nature is known: the free body and the Lagrange top are integrable; Kirchhoff's
 * vehicle of docs/BENCHMARKS.md and the heavy asymmetric top are not; and a linear system whose exponents are exact. */
#include <liestep/liestep.h>

#include "tests/support/near.h"

enum { WORK = 20000 };

static double work[WORK], chaos_work[WORK];

void setUp(void)
{
}

void tearDown(void)
{
}

static void indicators(lie_chaos **c, const lie_system *sys, const char *method, int k, const double *g,
                       const double *m, double h, long long n)
{
    lie_stepper *st;
    lie_state s;
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, sys, &(lie_options){.method = method}, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(sys, &s, 0.0, g, m));
    TEST_ASSERT_TRUE(lie_chaos_memsize(st, k) <= sizeof chaos_work);
    TEST_ASSERT_EQUAL(LIE_OK, lie_chaos_init(c, st, &s, k, chaos_work, sizeof chaos_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_chaos_run(*c, st, &s, h, n));
}

static const double q[4] = {1, 0, 0, 0};

/* V = -x^2/2 + y^2: the exponents are 1, 0, 0, -1, found by gauss4 as by the flow */
static double saddle(const lie_system *sys, const double *x)
{
    (void)sys;
    return -0.5 * x[0] * x[0] + x[1] * x[1];
}

static void saddle_force(const lie_system *sys, double *F, const double *x)
{
    (void)sys;
    F[0] = x[0], F[1] = -2.0 * x[1];
}

static void saddle_deriv(const lie_system *sys, double *D, const double *x)
{
    (void)sys, (void)x;
    D[0] = 1.0, D[1] = D[2] = 0.0, D[3] = -2.0;
}

void test_chaos_exponents_of_a_saddle(void)
{
    static const double unit[4] = {1, 0, 0, 1}, start[2] = {0, 0}, p[2] = {0, 1};
    lie_ops plane;
    lie_chaos *c;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&plane, 2, "exp"));
    lie_system sys = {.name = "saddle",
                      .group = &plane,
                      .inertia = unit,
                      .potential = saddle,
                      .force = saddle_force,
                      .force_deriv = saddle_deriv};
    indicators(&c, &sys, "gauss4", 4, start, p, 0.1, 4000);
    printf("  saddle: %.4f %.4f %.4f %.4f, SALI %.1e\n", lie_chaos_now(c)->exponents[0], lie_chaos_now(c)->exponents[1],
           lie_chaos_now(c)->exponents[2], lie_chaos_now(c)->exponents[3], lie_chaos_now(c)->sali);
    TEST_ASSERT_DOUBLE_WITHIN(5e-3, 1.0, lie_chaos_now(c)->exponents[0]);
    TEST_ASSERT_DOUBLE_WITHIN(5e-3, 0.0, lie_chaos_now(c)->exponents[1]);
    TEST_ASSERT_DOUBLE_WITHIN(5e-3, 0.0, lie_chaos_now(c)->exponents[2]);
    TEST_ASSERT_DOUBLE_WITHIN(5e-3, -1.0, lie_chaos_now(c)->exponents[3]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0,
                              lie_chaos_now(c)->exponents[0] + lie_chaos_now(c)->exponents[1] +
                                  lie_chaos_now(c)->exponents[2] + lie_chaos_now(c)->exponents[3]);
    TEST_ASSERT_TRUE(lie_chaos_now(c)->sali < 1e-14 && lie_chaos_now(c)->fli > 390.0);
}

void test_chaos_integrable_bodies_are_regular(void)
{
    static const lie_free_body body = {{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    static const lie_heavy_top lagrange = {{1, 0, 0, 0, 1, 0, 0, 0, 0.6}, 1.0, {0, 0, 0.5}, 9.81};
    lie_system sys;
    lie_chaos *c;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, "S3"));
    indicators(&c, &sys, "ep", 1, q, (double[3]){0.9, 0.4, 3.0}, 0.05, 20000);
    printf("  free body: exponent %.1e, FLI %.1f, SALI %.1e\n", lie_chaos_now(c)->exponents[0], lie_chaos_now(c)->fli,
           lie_chaos_now(c)->sali);
    TEST_ASSERT_TRUE(lie_chaos_now(c)->exponents[0] < 0.02 && lie_chaos_now(c)->fli < 12.0 &&
                     lie_chaos_now(c)->sali > 1e-8);
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &lagrange, "S3"));
    indicators(&c, &sys, "sv", 1, (double[4]){0.95, 0.3122498999, 0, 0}, (double[3]){0.2, 0.1, 3.0}, 0.02, 50000);
    printf("  Lagrange top: exponent %.1e, FLI %.1f, SALI %.1e\n", lie_chaos_now(c)->exponents[0],
           lie_chaos_now(c)->fli, lie_chaos_now(c)->sali);
    TEST_ASSERT_TRUE(lie_chaos_now(c)->exponents[0] < 0.02 && lie_chaos_now(c)->fli < 12.0 &&
                     lie_chaos_now(c)->sali > 1e-8);
}

void test_chaos_of_an_asymmetric_top(void)
{
    static const lie_heavy_top top = {{1, 0, 0, 0, 2, 0, 0, 0, 3}, 1.0, {0.3, -0.2, 1.0}, 9.81};
    lie_system sys;
    lie_chaos *c;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
    indicators(&c, &sys, "sv", 6, q, (double[3]){0.7, 1.8, -1.8}, 0.02, 50000);
    printf("  asymmetric top: exponents %.3f %.3f %.3f %.3f %.3f %.3f, FLI %.0f, SALI %.1e\n",
           lie_chaos_now(c)->exponents[0], lie_chaos_now(c)->exponents[1], lie_chaos_now(c)->exponents[2],
           lie_chaos_now(c)->exponents[3], lie_chaos_now(c)->exponents[4], lie_chaos_now(c)->exponents[5],
           lie_chaos_now(c)->fli, lie_chaos_now(c)->sali);
    TEST_ASSERT_TRUE(lie_chaos_now(c)->exponents[0] > 0.1 && lie_chaos_now(c)->fli > 100.0 &&
                     lie_chaos_now(c)->sali < 1e-12);
    for (int i = 0; i < 3; i++) /* pairs of a symplectic map */
        TEST_ASSERT_DOUBLE_WITHIN(0.02, 0.0, lie_chaos_now(c)->exponents[i] + lie_chaos_now(c)->exponents[5 - i]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0,
                              lie_chaos_now(c)->exponents[0] + lie_chaos_now(c)->exponents[1] +
                                  lie_chaos_now(c)->exponents[2] + lie_chaos_now(c)->exponents[3] +
                                  lie_chaos_now(c)->exponents[4] + lie_chaos_now(c)->exponents[5]);
}

void test_chaos_refuses_sizes(void)
{
    static const lie_free_body body = {{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    lie_chaos *c = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "ep"}, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s, 0.0, q, (double[3]){1, 1, 1}));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_chaos_init(&c, st, &s, 0, chaos_work, sizeof chaos_work));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_chaos_init(&c, st, &s, 7, chaos_work, sizeof chaos_work));
    TEST_ASSERT_NULL(c);
}

/* A run that is cut, with others that go on: indicators, state and what the stepper has learnt are kept. */
static void expect_chaos_kept(const lie_system *sys, const char *method, int k, const double *g, const double *m)
{
    static double numbers[WORK], learnt[WORK];
    lie_chaos *whole, *piece;
    lie_stepper *st;
    lie_state s;
    const double h = 0.02;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(sys, &s, 0.0, g, m));
    lie_state other = s;
    other.m[0] += 1.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, sys, &(lie_options){.method = method}, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_chaos_init(&piece, st, &s, k, chaos_work, sizeof chaos_work));
    for (int n = 0; n < 60; n++) { /* 0, 1, 2, 0, ... steps at a time: 60 of them */
        int count = lie_chaos_memory_count(piece);
        TEST_ASSERT_TRUE((size_t)count * sizeof *numbers < lie_chaos_memsize(st, k));
        TEST_ASSERT_EQUAL(LIE_OK, lie_chaos_run(piece, st, &s, h, n % 3));
        numbers[count] = KEEP;
        lie_chaos_memory_get(piece, numbers);
        TEST_ASSERT_TRUE(numbers[count] == KEEP);
        lie_stepper_memory_get(st, learnt);
        memset(chaos_work, 0x7F, sizeof chaos_work);
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, sys, &(lie_options){.method = method}, work, sizeof work));
        lie_stepper_memory_set(st, learnt);
        TEST_ASSERT_EQUAL(LIE_OK, lie_chaos_init(&piece, st, &other, k, chaos_work, sizeof chaos_work));
        lie_chaos_memory_set(piece, numbers);
    }
    int count = lie_chaos_memory_count(piece);
    lie_chaos_memory_get(piece, numbers);
    indicators(&whole, sys, method, k, g, m, h, 60);
    TEST_ASSERT_EQUAL(count, lie_chaos_memory_count(whole));
    lie_chaos_memory_get(whole, learnt);
    TEST_ASSERT_EQUAL_MEMORY(learnt, numbers, (size_t)count * sizeof *numbers);
}

void test_chaos_can_be_kept(void)
{
    static const lie_heavy_top top = {{1, 0, 0, 0, 2, 0, 0, 0, 3}, 1.0, {0.3, -0.2, 1.0}, 9.81};
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
    for (int k = 1; k <= 6; k++) {
        expect_chaos_kept(&sys, "sv", k, q, (double[3]){0.7, 1.8, -1.8});
        expect_chaos_kept(&sys, "gauss2", k, q, (double[3]){0.7, 1.8, -1.8});
    }
}
