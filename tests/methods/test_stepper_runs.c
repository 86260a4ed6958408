/* SPDX-License-Identifier: MIT */
/* Runs: one call or many, watched or not, interrupted, copied, interleaved: the same bits. Steps of changing length,
 * back in time, started from velocity or momentum. Every method on one group of every kind. */
#include "tests/support/stepper_fixture.h"

static fixture_groups all;
static fixture f;
static walker w[2];

void setUp(void)
{
    fixture_groups_make(&all);
}

void tearDown(void)
{
}

static const double h_run = 0.03;

/* Calls check for every method (with a tableau where it wants one) on six groups, compositions on two; the system is
 * f. */
static void every_pair(int terms, void (*check)(const char *method, const lie_tableau *tab))
{
    const lie_ops *const groups[6] = {&lie_so3_cay_ops, &lie_s3_exp_ops, &lie_se3_cay_ops,
                                      &all.product[2],  &all.flat[0],    &all.heisenberg};
    const lie_tableau *tab;
    TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, "radau2a2"));
    for (int i = 0; i < lie_method_builtin_count(); i++)
        for (int k = 0; k < (lie_method_builtin(i)->composition ? 2 : 6); k++) {
            const lie_method *method = lie_method_builtin(i);
            if (fixture_make_for(&f, method, groups[k], terms)) check(method->name, method->needs_tableau ? tab : 0);
        }
}

static void start(lie_state *s)
{
    lie_random rng = {41u};
    state_random(&f.sys, s, &rng, 0.6, 0.7);
}

static int seen;

static int count_calls(void *ctx, const lie_stepper *st, const lie_state *s)
{
    (void)ctx;
    (void)st;
    (void)s;
    seen++;
    return 0;
}

static void run_is_steps(const char *method, const lie_tableau *tab)
{
    lie_state by_run, by_step, watched;
    start(&by_run);
    by_step = watched = by_run;
    walker_init(&w[0], &f.sys, method, 0, tab);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &by_run, h_run, 35));
    walker_init(&w[0], &f.sys, method, 0, tab);
    for (int k = 0; k < 35; k++) TEST_ASSERT_EQUAL(LIE_OK, lie_step(w[0].st, &by_step, h_run));
    walker_init(&w[0], &f.sys, method, 0, tab);
    seen = 0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_run_observed(w[0].st, &watched, h_run, 35, 9, count_calls, 0));
    TEST_ASSERT_EQUAL(5, seen);
    TEST_ASSERT_TRUE(by_run.steps == 35);
    states_same_bits(f.sys.group, &by_run, &by_step, method);
    states_same_bits(f.sys.group, &by_run, &watched, method);
}

void test_stepper_runs_have_the_bits_of_single_steps(void)
{
    every_pair(POTENTIAL, run_is_steps);
    every_pair(POTENTIAL | GYRO | EXTERNAL, run_is_steps);
}

/* A checkpoint: what the stepper has learnt and the state go on in another stepper. */
static void checkpoint_goes_on(const char *method, const lie_tableau *tab)
{
    double learnt[200];
    lie_state s, copy;
    start(&s);
    walker_init(&w[0], &f.sys, method, 0, tab);
    walker_init(&w[1], &f.sys, method, 0, tab);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, h_run, 27));
    copy = s;
    TEST_ASSERT_TRUE(lie_stepper_memory_count(w[0].st) <= 200);
    lie_stepper_memory_get(w[0].st, learnt);
    lie_stepper_memory_set(w[1].st, learnt);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, h_run, 9));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &copy, h_run, 9));
    states_same_bits(f.sys.group, &s, &copy, method);
    TEST_ASSERT_EQUAL(lie_stepper_statistics(w[0].st)->last.iterations,
                      lie_stepper_statistics(w[1].st)->last.iterations);
}

void test_stepper_runs_go_on_from_a_checkpoint(void)
{
    every_pair(POTENTIAL, checkpoint_goes_on);
    every_pair(POTENTIAL | GYRO | EXTERNAL, checkpoint_goes_on);
}

/* After a reset a stepper is as new. */
static void reset_forgets(const char *method, const lie_tableau *tab)
{
    lie_state first, other, again;
    start(&first);
    other = again = first;
    walker_init(&w[0], &f.sys, method, 0, tab);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &first, h_run, 20));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &other, -0.7 * h_run, 5));
    lie_stepper_reset(w[0].st);
    TEST_ASSERT_TRUE(lie_stepper_statistics(w[0].st)->iterations == 0 &&
                     lie_stepper_statistics(w[0].st)->iterations_max == 0 &&
                     lie_stepper_statistics(w[0].st)->residual_max == 0.0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &again, h_run, 20));
    states_same_bits(f.sys.group, &first, &again, method);
}

void test_stepper_runs_reset_forgets(void)
{
    every_pair(POTENTIAL, reset_forgets);
    every_pair(GENERAL, reset_forgets);
}

/* Another potential in the same place: parameters of a system may change after a reset. */
void test_stepper_runs_reset_forgets_the_force(void)
{
    lie_state changed, fresh;
    fixture_make(&f, &lie_so3_cay_ops, POTENTIAL);
    start(&changed);
    walker_init(&w[0], &f.sys, "sv", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &changed, h_run, 3));
    fresh = changed;
    f.c[1] += 2.0;
    lie_stepper_reset(w[0].st);
    walker_init(&w[1], &f.sys, "sv", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w[0].st, &changed, h_run));
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w[1].st, &fresh, h_run));
    states_same_bits(f.sys.group, &changed, &fresh, "sv");
}

/* Two steppers in turn, with states far apart, as if each were alone. */
static void steppers_do_not_interact(const char *method, const lie_tableau *tab)
{
    lie_random rng = {42u};
    lie_state a, b, alone_a, alone_b;
    start(&a);
    state_random(&f.sys, &b, &rng, 0.6, 1.0);
    alone_a = a, alone_b = b;
    for (int k = 0; k < 2; k++) walker_init(&w[k], &f.sys, method, 0, tab);
    for (int k = 0; k < 12; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w[0].st, &a, h_run));
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w[1].st, &b, -0.5 * h_run));
    }
    walker_init(&w[0], &f.sys, method, 0, tab);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &alone_a, h_run, 12));
    walker_init(&w[0], &f.sys, method, 0, tab);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &alone_b, -0.5 * h_run, 12));
    states_same_bits(f.sys.group, &a, &alone_a, method);
    states_same_bits(f.sys.group, &b, &alone_b, method);
}

void test_stepper_runs_of_two_steppers_do_not_interact(void)
{
    every_pair(POTENTIAL, steppers_do_not_interact);
    every_pair(POTENTIAL | EXTERNAL, steppers_do_not_interact);
}

/* One stepper for two bodies in turn: each step is right, whatever the stepper remembers of the other body; and a
 * sequence of lengths, forth and back. Against a stepper that is new for every step. */
static void memory_is_only_a_guess(const char *method, const lie_tableau *tab)
{
    static const double lengths[6] = {0.03, 0.03, -0.01, 0.05, 0.05, 0.021};
    lie_random rng = {43u};
    lie_state s[2], fresh[2];
    walker_init(&w[0], &f.sys, method, 0, tab);
    for (int i = 0; i < 2; i++) state_random(&f.sys, &s[i], &rng, 0.6, 1.0), fresh[i] = s[i];
    for (int k = 0; k < 12; k++) {
        int i = k % 4 > 1;
        walker_init(&w[1], &f.sys, method, 0, tab);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(w[0].st, &s[i], lengths[k % 6]), method);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w[1].st, &fresh[i], lengths[k % 6]));
    }
    for (int i = 0; i < 2; i++)
        TEST_ASSERT_TRUE_MESSAGE(state_distance(f.sys.group, &s[i], &fresh[i]) <= 1e-14, method);
}

void test_stepper_runs_do_not_depend_on_what_was_learnt(void)
{
    every_pair(POTENTIAL, memory_is_only_a_guess);
    every_pair(GENERAL, memory_is_only_a_guess);
}

/* The method and its adjoint: ve_fwd and ve_bwd; a self-adjoint one is its own. Others are skipped. */
static void goes_back(const char *method, const lie_tableau *tab)
{
    const char *adjoint = strcmp(method, "ve_fwd") == 0 ? "ve_bwd" : strcmp(method, "ve_bwd") == 0 ? "ve_fwd" : method;
    const lie_method *made;
    lie_state s, first;
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&made, method));
    int exp_only = made->self_adjoint == LIE_WITH_EXP && strcmp(f.sys.group->retraction, "exp") == 0;
    if (adjoint == method && made->self_adjoint != LIE_ALWAYS && !exp_only) return;
    start(&first);
    s = first;
    walker_init(&w[0], &f.sys, method, 0, tab);
    walker_init(&w[1], &f.sys, adjoint, 0, tab);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, h_run, 100));
    TEST_ASSERT_TRUE(fabs(s.t - 100 * h_run) < 1e-15);
    TEST_ASSERT_TRUE(state_distance_g(f.sys.group, &s, &first) > 0.1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &s, -h_run, 100));
    TEST_ASSERT_TRUE(fabs(s.t) < 1e-15);
    TEST_ASSERT_TRUE_MESSAGE(state_distance(f.sys.group, &s, &first) <= 1e-12, method);
}

void test_stepper_runs_return_with_negative_steps(void)
{
    every_pair(POTENTIAL, goes_back);
}

/* From (g, xi) or from (g, m): the same state; and velocity, energy and momentum are read back as they were. */
void test_stepper_runs_start_from_velocity_or_momentum(void)
{
    static const int terms[3] = {POTENTIAL, POTENTIAL | GYRO, GENERAL};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < all.count; k++) {
            const lie_ops *G = all.G[k];
            lie_random rng = {44u};
            lie_state by_velocity, by_momentum;
            double x[FIXTURE_DIM], xi[FIXTURE_DIM], g[FIXTURE_DIM * 4], m[FIXTURE_DIM], out[FIXTURE_DIM], E;
            fixture_make(&f, G, terms[i]);
            random_vector(&rng, G->dim, x, 0.6);
            random_vector(&rng, G->dim, xi, 0.9);
            TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
            lie_system_momentum(&f.sys, m, g, xi);
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&f.sys, &by_velocity, 1.5, g, xi));
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&f.sys, &by_momentum, 1.5, g, m));
            states_same_bits(G, &by_velocity, &by_momentum, G->group);
            TEST_ASSERT_TRUE(by_velocity.t == 1.5 && by_velocity.steps == 0);
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(&f.sys, out, &by_momentum));
            NEAR(G->dim, out, xi, 20.0);
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &E, &by_momentum));
            TEST_ASSERT_TRUE(fabs(E - lie_system_energy(&f.sys, g, xi)) <= 1e-14 * (1.0 + fabs(E)));
            lie_state_spatial_momentum(&f.sys, out, &by_momentum);
            G->Adt(G, out, g, out);
            NEAR(G->dim, out, m, 20.0);
        }
}

/* The residual that the solver reports, over steps of all lengths: round-off of the terms. */
static double worst_residual;
static int worst_iterations;

static void solves_to_round_off(const char *method, const lie_tableau *tab)
{
    static const double lengths[4] = {0.004, 0.03, 0.1, 0.25};
    for (int k = 0; k < 4; k++) {
        lie_state s;
        start(&s);
        walker_init(&w[0], &f.sys, method, 0, tab);
        lie_status status = lie_run(w[0].st, &s, lengths[k], 12);
        TEST_ASSERT_TRUE_MESSAGE(status == LIE_OK || lengths[k] > 0.2, method);
        if (lie_stepper_statistics(w[0].st)->residual_max > worst_residual)
            worst_residual = lie_stepper_statistics(w[0].st)->residual_max;
        TEST_ASSERT_TRUE_MESSAGE(lie_stepper_statistics(w[0].st)->residual_max <= 0x1p-48, method);
        if (lie_stepper_statistics(w[0].st)->iterations_max > worst_iterations)
            worst_iterations = lie_stepper_statistics(w[0].st)->iterations_max;
    }
}

void test_stepper_runs_solve_to_round_off(void)
{
    worst_residual = 0.0, worst_iterations = 0;
    every_pair(POTENTIAL, solves_to_round_off);
    every_pair(POTENTIAL | GYRO | EXTERNAL, solves_to_round_off);
    every_pair(GENERAL, solves_to_round_off);
    printf("  residuals up to %.1f eps, up to %d iterations in a step\n", worst_residual / DBL_EPSILON,
           worst_iterations);
}

/* The same for Newton's method of any group, from many states and up to long steps. A step may be refused. */
void test_stepper_runs_solve_to_round_off_on_every_group(void)
{
    static const double lengths[3] = {0.1, 0.2, 0.45};
    lie_random rng = {45u};
    double worst = 0.0;
    for (int i = 0; i < 60 * all.count; i++) {
        lie_state s;
        fixture_make(&f, all.G[i / 60], i % 2 ? POTENTIAL : 0);
        walker_init(&w[0], &f.sys, i % 2 ? "sv" : "ep", 0, 0);
        state_random(&f.sys, &s, &rng, 0.6, 1.0);
        lie_status status = lie_run(w[0].st, &s, lengths[i % 3], 60);
        TEST_ASSERT_TRUE_MESSAGE(status == LIE_OK || i % 3 == 2 || f.sys.force, f.sys.group->group);
        if (lie_stepper_statistics(w[0].st)->residual_max > worst)
            worst = lie_stepper_statistics(w[0].st)->residual_max;
        TEST_ASSERT_TRUE_MESSAGE(worst <= 0x1p-47, f.sys.group->group);
    }
    printf("  residuals on every group up to %.1f eps\n", worst / DBL_EPSILON);
}
