/* SPDX-License-Identifier: MIT */
/* test_estimate.c: the error that lie_estimate_error tells beside the true one, over systems, methods and steps; what
 * it says of round-off and chaos; and what lie_step_advice says of a step. */
#include "tests/support/auto_cases.h"
#include "tests/support/heisenberg.h"
#include "tests/support/near.h"

#include <stdlib.h>

static double work[AUTO_WORK];

static lie_status end_of(lie_state *s, const auto_case *c, const lie_options *opt, const lie_state *start, double h,
                         long long n)
{
    lie_stepper *st;
    lie_status status = lie_stepper_init(&st, &c->sys, opt, work, sizeof work);
    if (status != LIE_OK) return status;
    lie_stepper_control(st, c->u, c->u);
    *s = *start;
    return lie_run(st, s, h, n);
}

/* How often the estimate holds within what factor. */
typedef struct tally {
    int count, near, far; /* ratio in [1/2, 3/2]; outside [1/3, 3] */
    double least, most;
} tally;

static void note(tally *t, double ratio)
{
    if (t->count++ == 0) t->least = t->most = ratio;
    t->near += ratio >= 0.5 && ratio <= 1.5;
    t->far += !(ratio >= 1.0 / 3.0 && ratio <= 3.0);
    t->least = fmin(t->least, ratio);
    t->most = fmax(t->most, ratio);
}

static void say(const char *what, const tally *t)
{
    printf("%-10s %4d, within [0.5, 1.5] %4d, outside [0.33, 3] %3d; %.3g to %.3g\n", what, t->count, t->near, t->far,
           t->least, t->most);
}

static void compare(tally all[5], const auto_case *c, const lie_options *opt, const lie_state *start, double T,
                    long long n, const lie_state *exact)
{
    lie_estimate e;
    lie_state end;
    double place[LIE_DIM_MAX], velocity[LIE_DIM_MAX], u[3];
    memcpy(u, c->u, sizeof u);
    if (end_of(&end, c, opt, start, T / (double)n, n) != LIE_OK) return;
    if (lie_estimate_error(&e, &c->sys, opt, start, T / (double)n, n, &end, u, work, sizeof work) != LIE_OK) return;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_difference(&c->sys, place, velocity, &end, exact));
    double truth = auto_size(c, place), told = auto_size(c, e.place);
    if (getenv("ESTIMATE_VERBOSE"))
        printf("%-22s %-12s n %5lld true %.2e told %.2e order %.2f trust %d\n", c->name, opt->method, n, truth, told,
               e.order, e.trust);
    if (e.trust == LIE_TRUST_ROUNDING) { /* then it is a bound that is told */
        double size = c->radius > 1.0 ? c->radius : 1.0;
        told = fmax(told, e.rounding / size);
        TEST_ASSERT_TRUE_MESSAGE(truth < 3.0 * told + 1e-12 && told < 1e-11, c->name); /* 1e-12: the reference */
    }
    note(&all[e.trust], told / truth);
}

void test_estimate_beside_the_true_error(void)
{
    static const lie_options how[] = {
        {.method = "sv", .retraction = "cay"},
        {.method = "sv", .retraction = "exp"},
        {.method = "sv_suzuki4", .retraction = "exp"},
        {.method = "gauss2", .retraction = "exp"},
        {.method = "split4"},
        {.method = "rk4_q"},
        {.method = "rkmk4", .retraction = "cay"},
        {.method = "auto"},
    };
    static const int cases[] = {0, 2, 5, 6, 8, 11, 13, 15, 16};
    tally all[5] = {{0}};
    auto_case c;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, cases[i]));
        for (int start = 0; start < 2; start++) {
            lie_state from, exact;
            lie_step_report r;
            TEST_ASSERT_EQUAL(LIE_OK, auto_start(&c, &from, start));
            TEST_ASSERT_EQUAL(LIE_OK, lie_step_advice(&r, &c.sys, &from, c.u, 1.0));
            double T = 6.0 * r.steps;
            TEST_ASSERT_EQUAL(LIE_OK,
                              end_of(&exact, &c, &(lie_options){.method = "rkmk_dopri8"}, &from, T / 6000, 6000));
            for (size_t k = 0; k < sizeof how / sizeof *how; k++)
                for (long long n = 120; n <= 1200; n *= 10) compare(all, &c, &how[k], &from, T, n, &exact);
        }
    }
    say("order", &all[LIE_TRUST_ORDER]);
    say("rounding", &all[LIE_TRUST_ROUNDING]);
    say("slow", &all[LIE_TRUST_SLOW]);
    say("none", &all[LIE_TRUST_NONE]);
    say("unchecked", &all[LIE_TRUST_UNCHECKED]);
    const tally *t = all;
    TEST_ASSERT_TRUE(t[LIE_TRUST_ORDER].count > 200);
    TEST_ASSERT_TRUE(t[LIE_TRUST_ORDER].near >= 0.95 * t[LIE_TRUST_ORDER].count);
    TEST_ASSERT_TRUE(t[LIE_TRUST_ORDER].far == 0);
    TEST_ASSERT_TRUE(t[LIE_TRUST_SLOW].count > 10);
    TEST_ASSERT_TRUE(t[LIE_TRUST_SLOW].far <= 0.1 * t[LIE_TRUST_SLOW].count);
    TEST_ASSERT_TRUE(t[LIE_TRUST_ROUNDING].count > 10);
    TEST_ASSERT_TRUE(t[LIE_TRUST_NONE].count > 5);
}

/* Two runs that share nothing but their end: the estimate needs no state of its own. */
void test_estimate_computes_the_end_itself_or_takes_it(void)
{
    auto_case c;
    lie_state from, end;
    lie_estimate a, b;
    lie_options opt = {.method = "sv", .retraction = "cay"};
    TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, 2));
    TEST_ASSERT_EQUAL(LIE_OK, auto_start(&c, &from, 0));
    TEST_ASSERT_EQUAL(LIE_OK, end_of(&end, &c, &opt, &from, 0.01, 101));
    TEST_ASSERT_EQUAL(LIE_OK, lie_estimate_error(&a, &c.sys, &opt, &from, 0.01, 101, &end, 0, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_estimate_error(&b, &c.sys, &opt, &from, 0.01, 101, 0, 0, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_TRUST_UNCHECKED, a.trust); /* an odd number has no half */
    TEST_ASSERT_EQUAL_MEMORY(a.place, b.place, sizeof a.place);
    TEST_ASSERT_EQUAL_MEMORY(a.velocity, b.velocity, sizeof a.velocity);
}

void test_estimate_refuses(void)
{
    auto_case c;
    lie_state from;
    lie_estimate e = {.order = -7.0};
    lie_options opt = {.method = "sv", .retraction = "cay"}, none = {.method = "no_such"};
    TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, 2));
    TEST_ASSERT_EQUAL(LIE_OK, auto_start(&c, &from, 0));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_estimate_error(&e, &c.sys, &opt, &from, 0.01, 0, 0, 0, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_estimate_error(&e, &c.sys, &opt, &from, 0.0, 2, 0, 0, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_estimate_error(&e, &c.sys, &opt, &from, 0.01, 2, 0, 0, work, 8));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME,
                      lie_estimate_error(&e, &c.sys, &none, &from, 0.01, 2, 0, 0, work, sizeof work));
    TEST_ASSERT_TRUE(e.order == -7.0);
    TEST_ASSERT_EQUAL_UINT(0, lie_estimate_memsize(&c.sys, &none));
    TEST_ASSERT_EQUAL_UINT(lie_stepper_memsize(&c.sys, &opt), lie_estimate_memsize(&c.sys, &opt));
}

/* Turns about e3 by 0.4 and 0.1 rad, q and -q the same; a product; a group without tauinv. */
void test_estimate_difference_of_states(void)
{
    auto_case c;
    lie_state a = {0}, b = {0};
    double x[LIE_DIM_MAX], v[LIE_DIM_MAX], w[3] = {0.0, 0.0, 1.0};
    TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, 0));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&c.sys, &a, 0.0, (double[4]){-cos(0.2), 0.0, 0.0, -sin(0.2)}, w));
    w[2] = 0.25;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&c.sys, &b, 0.0, (double[4]){cos(0.05), 0.0, 0.0, sin(0.05)}, w));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_difference(&c.sys, x, v, &a, &b));
    NEAR(3, x, ((double[3]){0.0, 0.0, 0.3}), 8.0);
    NEAR(3, v, ((double[3]){0.0, 0.0, 0.75}), 8.0);
    for (int i = 0; i < AUTO_CASES; i++)
        if (strcmp(auto_rows[i].name, "spacecraft") == 0) TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, i));
    TEST_ASSERT_EQUAL(LIE_OK, auto_start(&c, &a, 1));
    b = a;
    b.g[10] -= 3.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_difference(&c.sys, x, v, &a, &b));
    NEAR(6, x, ((double[6]){0.0, 0.0, 0.0, 0.0, 3.0, 0.0}), 8.0);
    static const double body[9] = {1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0};
    lie_ops own;
    TEST_ASSERT_EQUAL(LIE_OK, heisenberg_ops(&own));
    own.tauinv = 0;
    lie_system sys = {.name = "own", .group = &own, .inertia = body};
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_state_difference(&sys, x, v, &a, &b));
}

static lie_step_report advice(const lie_system *sys, const double *g, const double *xi, double h)
{
    lie_state s;
    lie_step_report r;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, &s, 0.0, g, xi));
    TEST_ASSERT_EQUAL(LIE_OK, lie_step_advice(&r, sys, &s, 0, h));
    return r;
}

static void expect_close(double expected, double found)
{
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * fabs(expected), expected, found);
}

/* Against formulas: |omega| h, the small oscillations of a pendulum, a particle on a spring with drag, rest. */
void test_estimate_advice_on_steps(void)
{
    auto_case c;
    const double q[4] = {1.0, 0.0, 0.0, 0.0}, still[3] = {0.0, 0.0, 0.0};
    TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, 0));
    lie_step_report r = advice(&c.sys, q, (double[3]){0.6, 0.0, -0.8}, -0.5);
    expect_close(0.5, r.turn);
    TEST_ASSERT_EQUAL_INT(0, r.doubts);
    r = advice(&c.sys, q, (double[3]){0.6, 0.0, -0.8}, 3.2);
    TEST_ASSERT_EQUAL_INT(LIE_DOUBT_TURN | LIE_DOUBT_COARSE, r.doubts);
    r = advice(&c.sys, q, still, 1e9);
    TEST_ASSERT_TRUE(r.turn == 0.0 && r.steps == HUGE_VAL && r.doubts == 0);
    lie_heavy_top hanging = {.inertia = {2.0, 0, 0, 0, 3.0, 0, 0, 0, 1.0}, .mass = 1.5, .gravity = 9.81};
    hanging.centre[2] = -0.4;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&c.sys, &hanging, "S3"));
    double rate = sqrt(1.5 * 9.81 * 0.4 / 2.0);
    r = advice(&c.sys, q, still, 0.01);
    expect_close(rate, r.rate);
    expect_close(2.0 * NEAR_PI / (0.01 * rate), r.steps);
    TEST_ASSERT_EQUAL_INT(LIE_DOUBT_COARSE, advice(&c.sys, q, still, 2.0 * NEAR_PI / rate / 5.5).doubts);
    TEST_ASSERT_EQUAL_INT(0, advice(&c.sys, q, still, 2.0 * NEAR_PI / rate / 6.5).doubts);
    lie_particle p = {.inertia = {2.0, 0, 0, 2.0}, .drag = 60.0}; /* rate of the drag 30/s */
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&c.sys, &p, NULL));
    expect_close(30.0, advice(&c.sys, (double[2]){0.5, 0.0}, still, 0.01).rate);
    lie_state s;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&c.sys, &s, 1e20, (double[2]){0.5, 0.0}, still));
    TEST_ASSERT_EQUAL(LIE_OK, lie_step_advice(&r, &c.sys, &s, 0, 0.01));
    TEST_ASSERT_EQUAL_INT(LIE_DOUBT_LOST, r.doubts);
}
