/* SPDX-License-Identifier: MIT */
/* test_attitude.c: the table of attitude errors in docs/ACCURACY.md: what stands there for 1 and 10 steps a second, and
 * that a scenario or an option without a method gets what is right. */
#include "bench/attitude_bodies.h"

#include "tests/support/near.h"

static double work[8000];
static attitude_body body[ATTITUDE_BODIES];
static lie_state exact[ATTITUDE_BODIES];

/* The reference, once: order 8 at 40 steps a second; pirk16 at 10 is another one. */
static void prepare(void)
{
    lie_state other;
    if (body[0].name) return;
    for (int i = 0; i < ATTITUDE_BODIES; i++) {
        TEST_ASSERT_EQUAL(LIE_OK, attitude_body_make(&body[i], i));
        TEST_ASSERT_EQUAL(LIE_OK, attitude_run(&exact[i], &body[i], "rkmk_dopri8", "exp", 40.0, work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, attitude_run(&other, &body[i], "pirk16", "exp", 10.0, work, sizeof work));
        TEST_ASSERT_TRUE(attitude_error(&body[i], &other, &exact[i]) < 1e-12);
    }
}

static double error_of(int i, const char *method, const char *retraction, double rate)
{
    lie_state s;
    TEST_ASSERT_EQUAL(LIE_OK, attitude_run(&s, &body[i], method, retraction, rate, work, sizeof work));
    return attitude_error(&body[i], &s, &exact[i]);
}

/* Errors within a factor of two of those in the table. */
void test_attitude_errors_are_those_of_the_table(void)
{
    static const struct {
        int body;
        const char *method, *retraction;
        double slow, fast; /* at 1 and at 10 Hz */
    } rows[] = {
        {0, "ep", "cay", 2.0, 0.8},        {0, "ep", "exp", 0.6, 0.02},      {0, "rk4_q", "exp", 0.4, 9e-6},
        {0, "dmv10", "exp", 1e-7, 0.0},    {1, "sv", "cay", 2.0, 0.8},       {1, "sv", "exp", 0.5, 0.02},
        {1, "rk4_q", "exp", 0.3, 7e-6},    {1, "split4", "exp", 3e-8, 0.0},  {1, "split6", "exp", 1e-9, 0.0},
        {2, "sv", "cay", 2.0, 0.6},        {2, "sv", "exp", 0.4, 0.03},      {2, "rk4_q", "exp", 0.2, 3e-6},
        {2, "gauss3", "exp", 1e-4, 1e-10}, {2, "gauss2", "exp", 6e-2, 6e-6},
    };
    char text[100];
    prepare();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int fast = 0; fast < 2; fast++) {
            double told = fast ? rows[k].fast : rows[k].slow;
            double found = error_of(rows[k].body, rows[k].method, rows[k].retraction, fast ? 10.0 : 1.0);
            snprintf(text, sizeof text, "%s with %s on %s: %.2e, not %.0e", rows[k].method, rows[k].retraction,
                     body[rows[k].body].name, found, told);
            int is_near = told > 0.0 ? found > 0.5 * told && found < 2.0 * told : found < 2e-12;
            TEST_ASSERT_TRUE_MESSAGE(is_near, text);
        }
}

void test_attitude_without_a_method_is_right(void)
{
    static const double bound[ATTITUDE_BODIES] = {1e-12, 1e-12, 3e-10};
    prepare();
    for (int i = 0; i < ATTITUDE_BODIES; i++) {
        TEST_ASSERT_TRUE(error_of(i, NULL, NULL, 10.0) < bound[i]);
        TEST_ASSERT_TRUE(error_of(i, "auto", NULL, 1.0) < 1e-3 * error_of(i, "rk4_q", NULL, 1.0));
    }
}
