/* SPDX-License-Identifier: MIT */
/* test_auto.c: method "auto": what it takes for which system, and that it is at least as accurate as RK4 at the same
 * step and keeps momentum, over the ready systems, ten starts each, at 20 to 500 steps a turn. With AUTO_ALL in the
 * environment all starts take all lengths of steps also where a step solves equations. */
#include "tests/support/auto_cases.h"
#include "tests/support/general_systems.h"
#include "tests/support/heisenberg.h"
#include "tests/support/near.h"

#include <stdlib.h>

enum { TURNS = 20, FINEST = 500 };
static double work[AUTO_WORK];

/* A stepper on this system, with the same memory for all. */
static lie_status begin(lie_stepper **st, const lie_system *sys, const char *method, const char *retraction)
{
    lie_options opt = {.method = method, .retraction = retraction};
    return lie_stepper_init(st, sys, &opt, work, sizeof work);
}

static void expect_taken(const char *method, const char *retraction, const lie_system *sys)
{
    const lie_method *m = 0;
    const char *why = 0;
    lie_stepper *st;
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_auto(&m, &why, sys));
    TEST_ASSERT_EQUAL_STRING(method, m->name);
    TEST_ASSERT_NOT_NULL(why);
    TEST_ASSERT_EQUAL(LIE_OK, begin(&st, sys, "auto", 0));
    TEST_ASSERT_EQUAL_STRING(method, lie_stepper_method(st)->name);
    TEST_ASSERT_EQUAL_STRING(retraction, lie_stepper_group(st)->retraction);
    TEST_ASSERT_EQUAL(LIE_OK, begin(&st, sys, 0, 0));
    TEST_ASSERT_EQUAL_PTR(m, lie_stepper_method(st));
}

void test_auto_goes_by_what_the_system_has(void)
{
    static const struct {
        const char *name, *method, *retraction;
    } expected[] = {{"free body S3", "dmv10", "exp"},       {"free body SO3", "dmv10", "exp"},
                    {"heavy top S3", "split6", "exp"},      {"turntable SO3", "split6", "exp"},
                    {"satellite S3", "split6", "exp"},      {"orbiter", "split6", "exp"},
                    {"vehicle, dense", "split6", "exp"},    {"vehicle, dense, weight", "split6", "exp"},
                    {"vehicle, thrusters", "gauss3", "exp"}};
    auto_case c;
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        int found = 0;
        for (int i = 0; i < AUTO_CASES; i++) {
            TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, i));
            if (strcmp(c.name, expected[k].name) != 0) continue;
            c.sys.name = "something else";
            expect_taken(expected[k].method, expected[k].retraction, &c.sys);
            found++;
        }
        TEST_ASSERT_EQUAL_INT(1, found);
    }
}

static void push(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    (void)sys, (void)t, (void)g, (void)xi, (void)u;
    f[0] = 0.1, f[1] = 0.0, f[2] = -0.2;
}

void test_auto_forces_couplings_and_other_groups(void)
{
    auto_case c;
    TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, 0));
    lie_system sys = c.sys;
    sys.external = push;
    expect_taken("gauss3", "exp", &sys);
    sys.external_is_positional = 1;
    expect_taken("split6", "exp", &sys);
    TEST_ASSERT_EQUAL(LIE_OK, auto_table(&c, "S3"));
    sys = c.sys;
    sys.frame = 0; /* a gyroscopic term of which nothing is known */
    expect_taken("gauss3", "exp", &sys);
    static const double mass[4] = {1.0, 0.0, 0.0, 2.0}, body[9] = {1.0, 0.1, 0.0, 0.1, 2.0, 0.0, 0.0, 0.0, 3.0};
    lie_ops plane, own;
    TEST_ASSERT_EQUAL(LIE_OK, heisenberg_ops(&own));
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&plane, 2, "cay"));
    expect_taken("split6", "cay", &(lie_system){.name = "free", .group = &plane, .inertia = mass});
    static const double coupled[25] = {1.0, 0, 0,   0.1, 0, 0,   2.0, 0, 0, 0, 0, 0,  3.0,
                                       0,   0, 0.1, 0,   0, 1.0, 0,   0, 0, 0, 0, 1.0};
    const lie_ops *factors[2] = {&lie_s3_exp_ops, &plane};
    const lie_product product = {2, factors};
    double uncoupled[25];
    lie_ops both;
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&both, &product));
    for (int i = 0; i < 25; i++) uncoupled[i] = i % 6 == 0 ? coupled[i] : 0.0;
    expect_taken("split6", "each its own", &(lie_system){.name = "cart", .group = &both, .inertia = uncoupled});
    expect_taken("gauss3", "each its own", &(lie_system){.name = "cart", .group = &both, .inertia = coupled});
    expect_taken("gauss3", "exp", &(lie_system){.name = "own", .group = &own, .inertia = body});
    expect_taken("gauss3", "exp", &(lie_system){.name = "sled", .group = &lie_se2_cay_ops, .inertia = body});
}

void test_auto_general_lagrangian(void)
{
    quartic_body p = {.inertia = {1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}, .eps = 0.3, .k = {0.1, 0.2, 0.3}};
    lie_system sys = {.name = "quartic",
                      .group = &lie_so3_cay_ops,
                      .params = &p,
                      .lagrangian = quartic_lagrangian,
                      .momentum = quartic_momentum,
                      .gradient = quartic_gradient};
    expect_taken("gauss3", "exp", &sys);
}

void test_auto_respects_a_retraction_and_refuses_what_is_none(void)
{
    auto_case c = {0};
    lie_stepper *st;
    const lie_method *m = 0;
    TEST_ASSERT_EQUAL(LIE_OK, auto_vehicle(&c, "dwf"));
    TEST_ASSERT_EQUAL(LIE_OK, begin(&st, &c.sys, "auto", "cay"));
    TEST_ASSERT_EQUAL_STRING("cay", lie_stepper_group(st)->retraction);
    TEST_ASSERT_EQUAL_STRING("gauss3", lie_stepper_method(st)->name);
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, begin(&st, &c.sys, "auto", "skew"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, begin(&st, &c.sys, "Auto", 0));
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_method_auto(&m, 0, &(lie_system){.name = "empty"}));
    TEST_ASSERT_NULL(m);
    TEST_ASSERT_EQUAL_UINT(lie_stepper_memsize(&c.sys, &(lie_options){.method = "gauss3", .retraction = "exp"}),
                           lie_stepper_memsize(&c.sys, &(lie_options){.method = 0}));
}

void test_auto_has_the_bits_of_the_method_it_takes(void)
{
    auto_case c;
    lie_state a, b;
    lie_stepper *st;
    for (int i = 0; i < AUTO_CASES; i++) {
        TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, i));
        TEST_ASSERT_EQUAL(LIE_OK, auto_start(&c, &a, 0));
        b = a;
        TEST_ASSERT_EQUAL(LIE_OK, begin(&st, &c.sys, "auto", 0));
        const char *method = lie_stepper_method(st)->name, *retraction = lie_stepper_options(st)->retraction;
        double h = c.radius > 1e6 ? 1.0 : 0.02;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &a, h, 20));
        TEST_ASSERT_EQUAL(LIE_OK, begin(&st, &c.sys, method, retraction));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &b, h, 20));
        TEST_ASSERT_EQUAL_MEMORY(&a, &b, sizeof a);
    }
}

/* The end after the time T in n steps. */
static lie_status end_of(lie_state *s, const auto_case *c, const char *method, const lie_state *start, double T,
                         long long n)
{
    lie_stepper *st;
    lie_status status = begin(&st, &c->sys, method, 0);
    if (status != LIE_OK) return status;
    lie_stepper_control(st, c->u, c->u);
    *s = *start;
    return lie_run(st, s, T / (double)n, n);
}

static double error_of(const auto_case *c, const lie_state *a, const lie_state *b)
{
    double place[LIE_DIM_MAX], velocity[LIE_DIM_MAX];
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_difference(&c->sys, place, velocity, a, b));
    return auto_size(c, place);
}

/* What the momentum in space has changed along the symmetries of the system, relative to its size: all of it for a free
 * body, the vertical part under gravity, the angular part around a point mass, about the origin. */
static double momentum_error(const auto_case *c, const lie_state *a, const lie_state *b)
{
    double J[LIE_DIM_MAX], K[LIE_DIM_MAX], off = 0.0, size = 0.0;
    const lie_system *sys = &c->sys;
    const lie_state *state[2] = {a, b};
    int n = sys->group->dim, orbits = c->radius > 0.0;
    int is_free = !sys->force && !sys->gyro && !sys->external;
    int is_heavy = !sys->external && (strstr(c->name, "top") || strstr(c->name, "weight"));
    for (int k = 0; k < 2; k++) {
        double *at = k ? K : J;
        const double *x = state[k]->g + 9, *p = state[k]->m + 3;
        lie_state_spatial_momentum(sys, at, state[k]);
        if (orbits && strcmp(sys->group->group, "product") == 0)
            for (int i = 0; i < 3; i++) at[i] += x[(i + 1) % 3] * p[(i + 2) % 3] - x[(i + 2) % 3] * p[(i + 1) % 3];
    }
    for (int i = 0; i < n; i++) {
        if (!orbits || i < 3) size = fmax(size, fmax(fabs(J[i]), fabs(K[i])));
        if (is_free || (is_heavy && (i == 2 || i == 3 || i == 4)) || (orbits && i < 3))
            off = fmax(off, fabs(J[i] - K[i]));
    }
    return size > 0.0 ? off / size : 0.0;
}

/* The end by step control: forces with |xi| xi have kinks, at which steps of one length lose their order */
static lie_status end_by_tolerance(lie_state *s, const auto_case *c, const char *method, const lie_state *start,
                                   double T)
{
    lie_stepper *st;
    lie_adaptive *a;
    double room[400];
    const lie_tolerance tolerance = {.absolute = 1e-14, .relative = 1e-14};
    lie_status status = begin(&st, &c->sys, method, 0);
    if (status == LIE_OK) status = lie_adaptive_init(&a, st, &tolerance, room, sizeof room);
    if (status != LIE_OK) return status;
    lie_stepper_control(st, c->u, c->u);
    *s = *start;
    return lie_adaptive_run(a, s, T);
}

/* The state after T by a method of high order with short steps; one start is checked by another method. */
static double reference(lie_state *exact, const auto_case *c, const lie_state *from, double T, int start)
{
    lie_state checked;
    const lie_method *pirk;
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&pirk, "pirk16"));
    if (c->sys.external) {
        TEST_ASSERT_EQUAL(LIE_OK, end_by_tolerance(exact, c, "rkmk_dopri8", from, T));
        if (start == 0) TEST_ASSERT_EQUAL(LIE_OK, end_by_tolerance(&checked, c, "rkmk_dopri5", from, T));
    } else {
        int has_lanes = lie_method_takes(pirk, &c->sys) == LIE_OK;
        long long n = TURNS * (has_lanes ? 100 : 400);
        TEST_ASSERT_EQUAL(LIE_OK, end_of(exact, c, has_lanes ? "pirk16" : "rkmk_dopri8", from, T, n));
        const char *other = has_lanes ? "rkmk_dopri8" : "rkmk_gauss3";
        if (start == 0) TEST_ASSERT_EQUAL(LIE_OK, end_of(&checked, c, other, from, T, TURNS * 900));
    }
    return start == 0 ? error_of(c, exact, &checked) : 0.0;
}

static int is_implicit(const auto_case *c)
{
    const lie_method *m = 0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_auto(&m, 0, &c->sys));
    return !m->explicit_ && !m->needs_free;
}

/* One start at all lengths of steps; what auto has lost beside RK4 at worst. */
static void sweep(const auto_case *c, int start, const char *rk4, double worst[5], double *momentum)
{
    static const int steps[5] = {20, 50, 100, 200, FINEST};
    lie_state from, exact, a, b;
    lie_step_report r;
    char text[200];
    TEST_ASSERT_EQUAL(LIE_OK, auto_start(c, &from, start));
    TEST_ASSERT_EQUAL(LIE_OK, lie_step_advice(&r, &c->sys, &from, c->u, 1.0));
    double T = TURNS * r.steps;
    double doubt = reference(&exact, c, &from, T, start);
    /* steps that solve equations are slow */
    int lengths = is_implicit(c) && start > 0 && !getenv("AUTO_ALL") ? 3 : 5;
    for (int k = 0; k < lengths; k++) {
        lie_status status = end_of(&a, c, "auto", &from, T, TURNS * steps[k]);
        snprintf(text, sizeof text, "%s, start %d, %d steps a turn: %s", c->name, start, steps[k],
                 lie_status_text(status));
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, status, text);
        *momentum = fmax(*momentum, momentum_error(c, &from, &a));
        if (end_of(&b, c, rk4, &from, T, TURNS * steps[k]) != LIE_OK) continue; /* too long a step for RK4 */
        double mine = error_of(c, &a, &exact), its = error_of(c, &b, &exact), ratio = mine / fmax(its, 1e-10);
        snprintf(text, sizeof text, "%s, start %d, %d steps a turn: auto %.2e, %s %.2e", c->name, start, steps[k], mine,
                 rk4, its);
        TEST_ASSERT_TRUE_MESSAGE(doubt <= 0.1 * its || doubt < 1e-10, text);
        worst[k] = fmax(worst[k], ratio);
        TEST_ASSERT_TRUE_MESSAGE(ratio <= 1.0, text);
    }
}

void test_auto_is_at_least_as_accurate_as_rk4_and_keeps_momentum(void)
{
    auto_case c;
    for (int i = 0; i < AUTO_CASES; i++) {
        double worst[5] = {0.0}, momentum = 0.0;
        TEST_ASSERT_EQUAL(LIE_OK, auto_make(&c, i));
        const lie_method *q;
        TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&q, "rk4_q"));
        const char *rk4 = lie_method_takes(q, &c.sys) == LIE_OK ? "rk4_q" : "rkmk4";
        int starts = getenv("LIE_ACCURACY_SAMPLES") ? 1 : AUTO_STARTS; /* set for slow builds */
        for (int start = 0; start < starts; start++) sweep(&c, start, rk4, worst, &momentum);
        printf("%-24s", c.name);
        for (int k = 0; k < 5; k++) printf(" %8.1e", worst[k]);
        printf("   momentum %.1e\n", momentum);
        TEST_ASSERT_TRUE_MESSAGE(momentum < 1e-11, c.name);
    }
}
