/* SPDX-License-Identifier: MIT */
/* How forced steps of ep, ve and sv are solved: they are those of the papers' truncated VPRK with the same tableau, to
 * round-off, on every group; passes end where the force says so, stiff drag and long steps go to Newton's method and
 * are right; a step that fails leaves state and stepper alone; a checkpoint goes on to the bit.
 *
 * References: Bou-Rabee & Marsden 2009, (4.9) to (4.13); Marsden & West 2001, section 3.2. */
#include "tests/support/stepper_fixture.h"

static fixture_groups all;
static fixture f;
static walker w[2];
enum { LEARNT_MAX = 200 };

void setUp(void)
{
    fixture_groups_make(&all);
}

void tearDown(void)
{
}

static const struct {
    const char *method, *tableau;
    int terms;
} methods[] = {{"ep", "euler_fwd", EXTERNAL},
               {"ve_fwd", "euler_fwd", POTENTIAL | EXTERNAL},
               {"ve_bwd", "euler_bwd", POTENTIAL | EXTERNAL},
               {"sv", "trapezoid", POTENTIAL | EXTERNAL}};
enum { METHODS = sizeof methods / sizeof methods[0] };

static void both_init(int i, const lie_ops *G, double drag)
{
    const lie_tableau *tab;
    TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, methods[i].tableau));
    fixture_make(&f, G, methods[i].terms);
    f.drag = drag;
    walker_init(&w[0], &f.sys, methods[i].method, 0, 0);
    walker_init(&w[1], &f.sys, "vprk0", 0, tab);
}

/* `steps` steps one by one, with a control that jumps at every node; returns the largest difference */
static double both_run(double h, int steps, lie_random *rng, double fast)
{
    const lie_ops *G = f.sys.group;
    lie_state s[2];
    double worst = 0.0;
    state_random(&f.sys, &s[0], rng, 0.6, fast);
    for (int k = 0; k < steps; k++) {
        double minus[FIXTURE_CONTROLS], plus[FIXTURE_CONTROLS];
        random_vector(rng, FIXTURE_CONTROLS, minus, 1.0);
        random_vector(rng, FIXTURE_CONTROLS, plus, 1.0);
        s[1] = s[0];
        for (int i = 0; i < 2; i++) {
            lie_stepper_control(w[i].st, minus, plus);
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(w[i].st, &s[i], h), G->group);
        }
        worst = fmax(worst, state_distance(G, &s[0], &s[1]));
    }
    return worst;
}

/* The same step as before, whatever solves it. Newton's method of vprk0 leaves some eps, more where its tangent is one
 * of differences. */
void test_forced_solver_takes_the_step_of_truncated_vprk(void)
{
    double worst = 0.0;
    for (int j = 0; j < all.count; j++)
        for (int i = 0; i < METHODS; i++) {
            lie_random rng = {81u};
            both_init(i, all.G[j], 0.3);
            double exact = all.G[j]->differences == LIE_EXACT ? 4e-15 : 4e-13, apart = both_run(0.05, 12, &rng, 0.7);
            TEST_ASSERT_TRUE_MESSAGE(apart <= exact, all.G[j]->group);
            if (exact < 1e-14) worst = fmax(worst, apart);
        }
    printf("  against truncated VPRK: %.1e\n", worst);
}

/* h drag / (2 I) from 1/20 to 10^3: beyond 1/4 Newton's method takes over. */
void test_forced_solver_stiff_drag_is_right(void)
{
    static const lie_ops *const groups[] = {&lie_s3_cay_ops, &lie_s3_exp_ops, &lie_so3_skew_ops, &lie_se3_cay_ops,
                                            &lie_se3_exp_ops};
    double worst = 0.0;
    for (int j = 0; j < 5; j++)
        for (double drag = 1.0; drag < 2e4; drag *= 3.0) {
            lie_random rng = {82u};
            both_init(3, groups[j], drag);
            worst = fmax(worst, both_run(0.1, 6, &rng, 0.5));
        }
    printf("  stiff drag: %.1e\n", worst);
    TEST_ASSERT_TRUE(worst <= 1e-14);
}

/* Long steps agree where both find one; a status is never good for one alone with another answer. */
void test_forced_solver_long_steps_work_or_fail(void)
{
    int good = 0;
    for (int k = 0; k < 300; k++) {
        lie_random rng = {100u + (unsigned)k};
        lie_state s[2];
        both_init(3, k % 3 == 0 ? &lie_s3_cay_ops : k % 3 == 1 ? &lie_so3_exp_ops : &lie_se3_cay_ops, 0.3);
        state_random(&f.sys, &s[0], &rng, 0.6, 2.0);
        lie_state before = s[1] = s[0];
        double h = 0.1 + 0.01 * k;
        lie_status mine = lie_step(w[0].st, &s[0], h), theirs = lie_step(w[1].st, &s[1], h);
        if (mine != LIE_OK) states_same_bits(f.sys.group, &s[0], &before, "failed");
        if (mine != LIE_OK || theirs != LIE_OK) continue;
        good++;
        TEST_ASSERT_TRUE(state_distance(f.sys.group, &s[0], &s[1]) <= 1e-13);
    }
    printf("  %d long steps agree\n", good);
    TEST_ASSERT_TRUE(good > 100);
}

static int calls;

static void counted(const lie_system *sys, double *out, double t, const double *g, const double *xi, const double *u)
{
    calls++;
    fixture_external(sys, out, t, g, xi, u);
}

/* A drive without drag, and told so. */
static void drive(const lie_system *sys, double *out, double t, const double *g, const double *xi, const double *u)
{
    static const double none[FIXTURE_DIM];
    (void)xi;
    calls++;
    fixture_external(sys, out, t, g, none, u);
}

/* A force at each end, and as many in between as passes need. */
static double calls_per_step(const lie_ops *G,
                             void (*external)(const lie_system *, double *, double, const double *, const double *,
                                              const double *),
                             int positional)
{
    enum { STEPS = 200 };
    lie_random rng = {83u};
    lie_state s;
    fixture_make(&f, G, POTENTIAL | EXTERNAL);
    f.sys.external = external, f.sys.external_is_positional = positional;
    walker_init(&w[0], &f.sys, "sv", 0, 0);
    state_random(&f.sys, &s, &rng, 0.6, 0.5);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, 0.02, STEPS));
    calls = 0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, 0.02, STEPS));
    printf("  %.2f forces per step\n", (double)calls / STEPS);
    return (double)calls / STEPS;
}

void test_forced_solver_asks_for_few_forces(void)
{
    TEST_ASSERT_TRUE(calls_per_step(&lie_s3_cay_ops, drive, 1) == 2.0);
    TEST_ASSERT_TRUE(calls_per_step(&lie_se3_cay_ops, drive, 1) == 2.0);
    TEST_ASSERT_TRUE(calls_per_step(&lie_s3_cay_ops, drive, 0) == 3.0);
    TEST_ASSERT_TRUE(calls_per_step(&lie_s3_cay_ops, counted, 0) <= 4.0);
    TEST_ASSERT_TRUE(calls_per_step(&lie_se3_cay_ops, counted, 0) <= 6.5);
}

void test_forced_solver_checkpoint_goes_on(void)
{
    for (int j = 0; j < all.count; j++)
        for (int i = 0; i < METHODS; i++) {
            double learnt[LEARNT_MAX];
            lie_random rng = {84u};
            lie_state s, copy;
            both_init(i, all.G[j], 0.3);
            walker_init(&w[1], &f.sys, methods[i].method, 0, 0);
            state_random(&f.sys, &s, &rng, 0.6, 0.7);
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, 0.04, 17));
            copy = s;
            TEST_ASSERT_TRUE(lie_stepper_memory_count(w[0].st) <= LEARNT_MAX);
            lie_stepper_memory_get(w[0].st, learnt);
            lie_stepper_memory_set(w[1].st, learnt);
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, 0.04, 9));
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &copy, 0.04, 9));
            states_same_bits(f.sys.group, &s, &copy, methods[i].method);
        }
}
