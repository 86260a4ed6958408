/* SPDX-License-Identifier: MIT */
/* Step control and dense output of the embedded pairs: errors follow the tolerance, the reference is gauss4 with short
 * steps; dense output has its order; forwards, backwards and in pieces; the same bits; every status. */
#include <liestep/adaptive.h>

#include "tests/support/stepper_fixture.h"

enum { PAIRS = 2 };
static const char *const pairs[PAIRS] = {"rkmk_dopri5", "rkmk_dopri8"};

static fixture f;
static walker w, exact;
static double rooms[2][400]; /* of two runs at a time */
static int next_room;

#define ROOM rooms[next_room++ % 2], sizeof rooms[0]

/* The motion of the tests: from `start` at t = 0 to `end` at t = 3. */
static lie_state start, end;

static void make_motion(const lie_ops *G, int terms, double duration)
{
    lie_random rng = {37u};
    fixture_make(&f, G, terms);
    state_random(&f.sys, &start, &rng, 0.8, 0.6);
    walker_init(&exact, &f.sys, "gauss4", 0, 0);
    end = start;
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(exact.st, &end, duration / 200, 200));
    end.t = duration;
}

static void begin(lie_adaptive **a, const char *method, double tolerance)
{
    const lie_tolerance both = {.absolute = tolerance, .relative = tolerance};
    walker_init(&w, &f.sys, method, 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_init(a, w.st, &both, ROOM));
}

/* Error proportional to tolerance: over five decades the exponent of the law error = c tol^e is near 1, and c is of the
 * size of the motion. Long steps of dopri8 are better than their estimate, hence the smaller exponents. */
void test_adaptive_errors_follow_the_tolerance(void)
{
    static fixture_groups all;
    double lowest = 10.0, highest = 0.0, largest = 0.0;
    fixture_groups_make(&all);
    for (int g = 0; g < all.count; g++)
        for (int k = 0; k < PAIRS; k++) {
            double error[2];
            make_motion(all.G[g], POTENTIAL | GYRO | EXTERNAL, 3.0);
            for (int i = 0; i < 2; i++) {
                lie_adaptive *a;
                lie_state s = start;
                begin(&a, pairs[k], i ? 1e-10 : 1e-5);
                TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run(a, &s, 3.0));
                error[i] = state_distance(all.G[g], &s, &end);
                largest = fmax(largest, error[i] / (i ? 1e-10 : 1e-5));
            }
            double exponent = log10(error[0] / error[1]) / 5.0;
            lowest = fmin(lowest, exponent), highest = fmax(highest, exponent);
            printf("  %-10s %-4s %-12s error %.1e at 1e-5, %.1e at 1e-10: exponent %.2f\n", all.G[g]->group,
                   all.G[g]->retraction, pairs[k], error[0], error[1], exponent);
        }
    printf("  error = c tol^e: e from %.2f to %.2f, c up to %.1f\n", lowest, highest, largest);
    TEST_ASSERT_TRUE(lowest > 0.7 && highest < 1.25 && largest < 3.0);
}

/* The higher order pays off at the tighter tolerance, and the cost is that of the order: steps grow like tol^(-1/k). */
void test_adaptive_steps_grow_with_the_order(void)
{
    double steps[PAIRS][2];
    make_motion(&lie_so3_exp_ops, POTENTIAL, 20.0);
    for (int k = 0; k < PAIRS; k++)
        for (int i = 0; i < 2; i++) {
            lie_adaptive *a;
            lie_state s = start;
            begin(&a, pairs[k], i ? 1e-11 : 1e-7);
            TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run(a, &s, 20.0));
            steps[k][i] = (double)lie_adaptive_now(a)->accepted;
            TEST_ASSERT_EQUAL(lie_adaptive_now(a)->accepted, s.steps);
            TEST_ASSERT_TRUE(lie_adaptive_now(a)->rejected < lie_adaptive_now(a)->accepted / 4 &&
                             lie_adaptive_now(a)->accepted > 10);
        }
    for (int k = 0; k < PAIRS; k++) {
        double expected = pow(1e4, 1.0 / (lie_stepper_tableau(w.st)->embedded_order + 1.0 - 3.0 * (1 - k)));
        printf("  %s: %.0f steps at 1e-7, %.0f at 1e-11, %.2f times as many, %.2f expected\n", pairs[k], steps[k][0],
               steps[k][1], steps[k][1] / steps[k][0], expected);
        TEST_ASSERT_DOUBLE_WITHIN(0.25 * expected, expected, steps[k][1] / steps[k][0]);
    }
    TEST_ASSERT_TRUE(steps[1][1] < 0.3 * steps[0][1]);
}

/* There and back again, to the tolerance; a run in pieces hits every end to the bit. */
void test_adaptive_runs_backwards_and_in_pieces(void)
{
    for (int k = 0; k < PAIRS; k++) {
        lie_adaptive *a;
        lie_state s;
        make_motion(&lie_se3_cay_ops, POTENTIAL | GYRO, 3.0);
        begin(&a, pairs[k], 1e-10);
        s = start;
        for (int i = 1; i <= 10; i++) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run(a, &s, 0.3 * i));
            TEST_ASSERT_TRUE(s.t == 0.3 * i && s.low_t == 0.0);
        }
        require(state_distance(&lie_se3_cay_ops, &s, &end) < 3e-9, pairs[k]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run(a, &s, 0.0));
        TEST_ASSERT_TRUE(s.t == 0.0 && lie_adaptive_now(a)->taken < 0.0);
        require(state_distance(&lie_se3_cay_ops, &s, &start) < 1e-8, pairs[k]);
        long long before = lie_adaptive_now(a)->accepted;
        TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run(a, &s, 0.0));
        TEST_ASSERT_EQUAL(before, lie_adaptive_now(a)->accepted);
    }
}

/* The end is hit to the bit, and the state says so, wherever on the clock a run begins and ends: the difference of the
 * two times is rounded, and the sum of start and last step is then off by some of it. */
void test_adaptive_ends_are_hit_from_anywhere(void)
{
    lie_random rng = {41u};
    int rounded = 0;
    make_motion(&lie_s3_cay_ops, POTENTIAL, 0.5);
    for (int i = 0; i < 200; i++) {
        lie_adaptive *a;
        lie_state s = start;
        begin(&a, pairs[i % PAIRS], 1e-3);
        s.t = pow(10.0, random_double(&rng, 6.0));
        s.low_t = random_double(&rng, 0x1p-60 * s.t);
        double t_end = s.t + 0.01 + fabs(random_double(&rng, 0.5)), rest = (t_end - s.t) - s.low_t;
        rounded += (s.t + rest) + s.low_t != t_end || t_end - rest - s.low_t != s.t;
        TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run(a, &s, t_end));
        TEST_ASSERT_TRUE(s.t == t_end && s.low_t == 0.0 && lie_adaptive_now(a)->to == t_end);
    }
    printf("  200 ends, the difference of the times rounded for %d\n", rounded);
    TEST_ASSERT_TRUE(rounded > 0);
}

/* Steps are those of lie_step, and the same run gives the same bits. */
void test_adaptive_bits(void)
{
    for (int k = 0; k < PAIRS; k++) {
        static walker other;
        lie_adaptive *a, *b;
        lie_state s, r, plain;
        make_motion(&lie_s3_exp_ops, POTENTIAL, 3.0);
        walker_init(&other, &f.sys, pairs[k], 0, 0);
        s = r = plain = start;
        begin(&a, pairs[k], 1e-8);
        while (s.t != 3.0) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_step(a, &s, 3.0));
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(other.st, &plain, lie_adaptive_now(a)->taken));
            TEST_ASSERT_EQUAL_MEMORY(plain.g, s.g, 4 * sizeof *s.g);
            TEST_ASSERT_EQUAL_MEMORY(plain.m, s.m, 3 * sizeof *s.m);
        }
        begin(&b, pairs[k], 1e-8);
        TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run(b, &r, 3.0));
        states_same_bits(&lie_s3_exp_ops, &s, &r, pairs[k]);
        TEST_ASSERT_TRUE(lie_adaptive_now(a)->accepted == lie_adaptive_now(b)->accepted &&
                         lie_adaptive_now(a)->rejected == lie_adaptive_now(b)->rejected &&
                         lie_adaptive_now(a)->h == lie_adaptive_now(b)->h &&
                         lie_adaptive_now(a)->before == lie_adaptive_now(b)->before);
    }
}

/* The largest error of the dense output inside one step of length h from `start`. */
static double dense_error(lie_adaptive *a, double h)
{
    static const double parts[] = {0.13, 0.37, 0.62, 0.88};
    double worst = 0.0;
    lie_state s = start, there, expected;
    TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_go_on(a, h, 1.0));
    TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_step(a, &s, 100.0));
    TEST_ASSERT_TRUE(lie_adaptive_now(a)->taken == h);
    for (int i = 0; i < 4; i++) {
        expected = start;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(exact.st, &expected, parts[i] * h / 8, 8));
        TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_state(a, &there, parts[i] * h));
        TEST_ASSERT_TRUE(there.t == parts[i] * h);
        worst = fmax(worst, state_distance(lie_stepper_group(w.st), &there, &expected));
    }
    return worst;
}

/* The error inside a step is O(h^(p+1)): p = 4 for dopri5, 8 for dopri8. */
void test_adaptive_dense_output_has_its_order(void)
{
    static const lie_ops *const groups[] = {&lie_so3_exp_ops, &lie_s3_cay_ops, &lie_se3_exp_ops};
    static const double h[PAIRS] = {0.1, 0.5};
    for (int g = 0; g < 3; g++)
        for (int k = 0; k < PAIRS; k++) {
            lie_adaptive *a;
            make_motion(groups[g], POTENTIAL | GYRO, 1.0);
            begin(&a, pairs[k], 1.0);
            double order = log2(dense_error(a, h[k]) / dense_error(a, h[k] / 2)) - 1.0, claimed = k ? 8.0 : 4.0;
            printf("  %s on %s with %s: dense output of order %.2f\n", pairs[k], groups[g]->group,
                   groups[g]->retraction, order);
            TEST_ASSERT_DOUBLE_WITHIN(0.4, claimed, order);
        }
}

/* At its ends the interpolant is the solution. */
void test_adaptive_dense_output_meets_the_ends(void)
{
    for (int k = 0; k < PAIRS; k++) {
        lie_adaptive *a;
        lie_state s, there;
        make_motion(&lie_so3_exp_ops, POTENTIAL, 3.0);
        begin(&a, pairs[k], 1e-6);
        s = start;
        for (int i = 0; i < 4; i++) {
            lie_state from = s;
            TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_step(a, &s, 3.0));
            TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_state(a, &there, from.t));
            require(state_distance(&lie_so3_exp_ops, &there, &from) == 0.0, pairs[k]);
            TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_state(a, &there, s.t));
            require(state_distance(&lie_so3_exp_ops, &there, &s) <= 4e-16, pairs[k]);
        }
    }
}

typedef struct seen {
    int count, stop_at;
    double t[16], worst;
} seen;

static int look(void *ctx, const lie_stepper *st, const lie_state *s)
{
    seen *all = (seen *)ctx;
    lie_state expected = start;
    TEST_ASSERT_TRUE(all->count < 16);
    if (s->t != 0.0) TEST_ASSERT_EQUAL(LIE_OK, lie_run(exact.st, &expected, s->t / 50, 50));
    all->worst = fmax(all->worst, state_distance(lie_stepper_group(st), s, &expected));
    all->t[all->count++] = s->t;
    return all->count == all->stop_at;
}

void test_adaptive_observer_sees_the_times_asked_for(void)
{
    static const double times[] = {0.0, 0.0, 0.1, 0.11, 0.7, 1.9, 1.9, 3.0}, back[] = {0.0, -0.2, -1.5};
    for (int k = 0; k < PAIRS; k++) {
        lie_adaptive *a;
        lie_state s, plain;
        seen all = {0};
        make_motion(&lie_so3_exp_ops, POTENTIAL, 3.0);
        begin(&a, pairs[k], 1e-9);
        plain = start;
        TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run(a, &plain, 3.0));
        begin(&a, pairs[k], 1e-9);
        s = start;
        TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run_observed(a, &s, 3.0, times, 8, look, &all));
        TEST_ASSERT_EQUAL(8, all.count);
        for (int i = 0; i < 8; i++) TEST_ASSERT_TRUE(all.t[i] == times[i]);
        printf("  %s at 1e-9: states at the times asked for within %.1e\n", pairs[k], all.worst);
        TEST_ASSERT_TRUE(all.worst < 2e-8);
        states_same_bits(&lie_so3_exp_ops, &s, &plain, "the times change no step");
        all = (seen){.stop_at = 4};
        s = start;
        TEST_ASSERT_EQUAL(LIE_STOPPED, lie_adaptive_run_observed(a, &s, 3.0, times, 8, look, &all));
        TEST_ASSERT_TRUE(all.count == 4 && s.t >= 0.11 && s.t < 3.0);
        all = (seen){0};
        s = start;
        TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run_observed(a, &s, -2.0, back, 3, look, &all));
        TEST_ASSERT_TRUE(all.count == 3 && all.t[2] == -1.5 && all.worst < 2e-8 && s.t == -2.0);
    }
}

void test_adaptive_lengths_stay_in_their_bounds(void)
{
    lie_adaptive *a;
    lie_state s;
    make_motion(&lie_so3_exp_ops, POTENTIAL, 3.0);
    walker_init(&w, &f.sys, "rkmk_dopri5", 0, 0);
    s = start;
    const lie_tolerance tol = {.absolute = 1e-3, .h_first = 0.01, .h_max = 0.04};
    TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_init(&a, w.st, &tol, ROOM));
    while (s.t != 3.0) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_step(a, &s, 3.0));
        TEST_ASSERT_TRUE(lie_adaptive_now(a)->taken <= 0.04 * 1.01 &&
                         (lie_adaptive_now(a)->accepted > 1 || lie_adaptive_now(a)->taken == 0.01));
    }
    TEST_ASSERT_TRUE(lie_adaptive_now(a)->accepted >= 75 && lie_adaptive_now(a)->accepted < 80);
}

static void init_refused(lie_status expected, const lie_tolerance *tol)
{
    lie_adaptive *a = NULL;
    TEST_ASSERT_EQUAL(expected, lie_adaptive_init(&a, w.st, tol, ROOM));
    TEST_ASSERT_NULL(a);
}

void test_adaptive_status_of_init(void)
{
    static const char *const others[] = {"sv", "gauss2", "rkmk4", "cf4", "rkmk_gauss2"};
    const double nan = (double)NAN, inf = (double)INFINITY;
    make_motion(&lie_so3_exp_ops, POTENTIAL, 0.1);
    for (int k = 0; k < 5; k++) {
        walker_init(&w, &f.sys, others[k], 0, 0);
        init_refused(LIE_ERR_METHOD, &(lie_tolerance){.absolute = 1e-6});
    }
    walker_init(&w, &f.sys, "rkmk_dopri5", 0, 0);
    init_refused(LIE_ERR_TOLERANCE, &(lie_tolerance){0});
    init_refused(LIE_ERR_TOLERANCE, &(lie_tolerance){.absolute = -1e-6, .relative = 1e-3});
    init_refused(LIE_ERR_TOLERANCE, &(lie_tolerance){.absolute = 1e-6, .relative = -1e-3});
    init_refused(LIE_ERR_TOLERANCE, &(lie_tolerance){.absolute = nan});
    init_refused(LIE_ERR_TOLERANCE, &(lie_tolerance){.relative = inf});
    init_refused(LIE_ERR_TOLERANCE, &(lie_tolerance){.absolute = 1e-6, .absolute_momentum = -1.0});
    init_refused(LIE_ERR_STEP_SIZE, &(lie_tolerance){.absolute = 1e-6, .h_first = -0.1});
    init_refused(LIE_ERR_STEP_SIZE, &(lie_tolerance){.absolute = 1e-6, .h_max = inf});
    init_refused(LIE_ERR_STEP_SIZE, &(lie_tolerance){.absolute = 1e-6, .h_min = nan});
    init_refused(LIE_ERR_STEP_SIZE, &(lie_tolerance){.absolute = 1e-6, .h_min = 0.2, .h_max = 0.1});
}

void test_adaptive_status_of_runs(void)
{
    static const double wrong[2][2] = {{0.5, 0.4}, {0.5, 4.0}};
    lie_adaptive *a;
    lie_state s, there;
    seen all = {0};
    make_motion(&lie_so3_exp_ops, POTENTIAL, 3.0);
    begin(&a, "rkmk_dopri5", 1e-8);
    s = start;
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_adaptive_state(a, &there, 0.0));
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_adaptive_run(a, &s, (double)NAN));
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_adaptive_step(a, &s, (double)INFINITY));
    for (int k = 0; k < 2; k++)
        TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_adaptive_run_observed(a, &s, 3.0, wrong[k], 2, look, &all));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_adaptive_run_observed(a, &s, 3.0, wrong[0], -1, look, &all));
    states_same_bits(&lie_so3_exp_ops, &s, &start, "nothing was done");
    TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_step(a, &s, 3.0));
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_adaptive_state(a, &there, -0.01));
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_adaptive_state(a, &there, s.t + 0.01));
    /* too many steps: s stays where it came to, and a second call goes on */
    const lie_adaptive_numbers now = *lie_adaptive_now(a);
    const lie_tolerance few = {.absolute = 1e-8, .relative = 1e-8, .max_steps = 7};
    TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_init(&a, w.st, &few, ROOM));
    TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_go_on(a, now.h, now.before));
    TEST_ASSERT_EQUAL(LIE_ERR_TOO_MANY_STEPS, lie_adaptive_run(a, &s, 3.0));
    TEST_ASSERT_TRUE(s.t > 0.0 && s.t < 3.0 && s.steps <= 8);
    begin(&a, "rkmk_dopri5", 1e-8);
    TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_run(a, &s, 3.0));
    require(state_distance(&lie_so3_exp_ops, &s, &end) < 1e-6, "goes on");
    /* a tolerance that cannot be met with steps of this length, or of any */
    const lie_tolerance tight = {.absolute = 1e-12, .h_min = 0.2};
    TEST_ASSERT_EQUAL(LIE_OK, lie_adaptive_init(&a, w.st, &tight, ROOM));
    s = start;
    TEST_ASSERT_EQUAL(LIE_ERR_STEP_UNDERFLOW, lie_adaptive_run(a, &s, 3.0));
    states_same_bits(&lie_so3_exp_ops, &s, &start, "an underflow at the first step");
    s.m[1] = (double)NAN;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_adaptive_run(a, &s, 3.0));
}

/* A force that grows beyond all bounds at t = 1: steps shrink until they cannot. */
static void blow_up(const lie_system *sys, double *out, double t, const double *g, const double *xi, const double *u)
{
    (void)g, (void)xi, (void)u;
    for (int i = 0; i < sys->group->dim; i++) out[i] = 1.0 / ((1.0 - t) * (1.0 - t));
}

void test_adaptive_status_at_a_singularity(void)
{
    for (int k = 0; k < PAIRS; k++) {
        lie_adaptive *a;
        lie_state s;
        make_motion(&lie_so3_exp_ops, POTENTIAL, 0.1);
        f.sys.external = blow_up;
        begin(&a, pairs[k], 1e-8);
        s = start;
        lie_status status = lie_adaptive_run(a, &s, 2.0);
        printf("  %s stops at 1 - t = %.1e: %s\n", pairs[k], 1.0 - s.t, lie_status_name(status));
        TEST_ASSERT_TRUE(status != LIE_OK && status != LIE_ERR_TOO_MANY_STEPS);
        TEST_ASSERT_TRUE(s.t > 0.9 && s.t < 1.0);
    }
}
