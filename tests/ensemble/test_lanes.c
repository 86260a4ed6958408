/* SPDX-License-Identifier: MIT */
/* Lanes: a trajectory stepped beside others in a vector has the bits that it has alone, whatever the width of the
 * vector and whatever happens in the other lanes. */
#include <stdio.h>

#include "tests/ensemble/ensemble_fixture.h"

static crew c;
static lone alone[CREW_MAX];

void setUp(void)
{
    spring_calls = spring_lane_calls = 0;
}

void tearDown(void)
{
    crew_dismiss(&c);
}

static int has_lanes(int lanes)
{
    return lanes == 1 || lanes <= lie_ensemble_lanes_max();
}

static void run_all_alone(const lie_options *opt, long long n)
{
    for (int i = 0; i < c.count; i++) lone_run(&alone[i], &c.systems[i], opt, &c.start[i], c.h[i], n);
}

/* All widths against the trajectories alone. `in_lanes`: are there lanes for these? */
static void compare_widths(const char *text, const char *method, const char *retraction, long long n, int in_lanes)
{
    run_all_alone(&(lie_options){.method = method, .retraction = retraction}, n);
    for (int lanes = 1; lanes <= 8; lanes *= 2) {
        if (!has_lanes(lanes)) continue;
        crew_enlist(&c, method, retraction, lanes, 1);
        TEST_ASSERT_EQUAL(in_lanes ? lanes : 1, lie_ensemble_lanes(c.e));
        lie_ensemble_run(c.e, n, 0);
        for (int i = 0; i < c.count; i++) crew_expect(&c, i, &alone[i], text);
        crew_dismiss(&c);
    }
}

typedef struct lane_case {
    crew_kind kind;
    int in_lanes;
    const char *group, *method, *retraction;
    double speed;
} lane_case;

static const lane_case cases[] = {
    {CREW_FREE, 1, "S3", "ep", "cay", 0.8},
    {CREW_FREE, 1, "SO3", "ep", "cay", 0.8},
    {CREW_FREE, 1, "S3", "sv", "cay", 0.8},
    {CREW_TOP, 1, "S3", "sv", "cay", 0.8},
    {CREW_TOP, 1, "SO3", "sv", "cay", 0.8},
    {CREW_TOP, 1, "S3", "ve_fwd", "cay", 0.8},
    {CREW_TOP, 1, "SO3", "ve_bwd", "cay", 0.8},
    {CREW_VEHICLE, 1, "SE3", "sv", "cay", 0.3},
    {CREW_VEHICLE, 1, "SE3", "ve_fwd", "cay", 0.3},
    {CREW_VEHICLE, 1, "SE3", "ve_bwd", "cay", 0.3},
    {CREW_CALLBACK, 1, "S3", "sv", "cay", 0.8},
    {CREW_CALLBACK, 1, "SO3", "ve_fwd", "cay", 0.8},
    {CREW_CALLBACK_LANES, 1, "S3", "sv", "cay", 0.8},
    {CREW_CALLBACK_LANES, 1, "SO3", "sv", "cay", 0.8},
    {CREW_TOP, 0, "S3", "sv", "exp", 0.8},
    {CREW_SATELLITE, 1, "S3", "sv", "cay", 0.3},
    {CREW_SATELLITE, 1, "SO3", "sv", "cay", 0.8},
    {CREW_TURNTABLE, 1, "S3", "sv", "cay", 0.8},
    {CREW_SATELLITE, 0, "S3", "ve_fwd", "cay", 0.3},
    {CREW_SATELLITE, 0, "S3", "sv", "exp", 0.3},
    {CREW_TOP, 0, "S3", "gauss2", "cay", 0.8},
    {CREW_TOP, 0, "SO3", "sv_suzuki4", "cay", 0.8},
    {CREW_VEHICLE, 0, "SE3", "sv", "exp", 0.3},
    {CREW_FREE, 1, "S3", "dmv", 0, 0.8},
    {CREW_FREE, 1, "SO3", "dmv", "exp", 0.8},
    {CREW_FREE, 1, "S3", "dmv4", 0, 0.8},
    {CREW_FREE, 1, "SO3", "dmv10", 0, 0.8},
    {CREW_FREE, 1, "S3", "auto", 0, 0.8},
    {CREW_FREE, 1, "S3", "rk4_q", 0, 0.8},
    {CREW_TOP, 1, "S3", "rk4_q", 0, 0.8},
    {CREW_VEHICLE, 1, "SE3", "rk4_q", 0, 0.3},
    {CREW_CALLBACK, 0, "S3", "rk4_q", 0, 0.8},
    {CREW_SATELLITE, 0, "S3", "rk4_q", 0, 0.3},
    {CREW_TOP, 0, "SO3", "rk4_R", 0, 0.8},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* From steps that need no correction to such that need several, follow a branch, or fail. 21 trajectories fill no tile
 * of any width. */
void test_lanes_give_the_bits_of_lie_run(void)
{
    static const double lengths[] = {0.004, 0.05, 0.3, 1.1};
    for (int k = 0; k < CASES; k++)
        for (int j = 0; j < 4; j++) {
            const lane_case *T = &cases[k];
            char text[80];
            snprintf(text, sizeof text, "%s %s %s h %g", T->group, T->method, T->retraction ? T->retraction : "",
                     lengths[j]);
            if (!T->in_lanes && j != 1) continue;
            crew_make(&c, 21, T->kind, T->group, lengths[j], T->speed);
            compare_widths(text, T->method, T->retraction, !T->in_lanes ? 150 : j < 2 ? 1500 : 300, T->in_lanes);
        }
}

/* A hundred projections, and whatever is rare. */
void test_lanes_give_the_bits_of_lie_run_in_long_runs(void)
{
    static const lane_case longs[] = {
        {CREW_FREE, 1, "S3", "ep", "cay", 0.8},     {CREW_TOP, 1, "S3", "sv", "cay", 0.8},
        {CREW_TOP, 1, "SO3", "sv", "cay", 0.8},     {CREW_VEHICLE, 1, "SE3", "sv", "cay", 0.3},
        {CREW_FREE, 1, "S3", "dmv", 0, 0.8},        {CREW_FREE, 1, "SO3", "dmv6", 0, 0.8},
        {CREW_TOP, 1, "S3", "rk4_q", 0, 0.8},       {CREW_VEHICLE, 1, "SE3", "rk4_q", 0, 0.3},
        {CREW_SATELLITE, 1, "S3", "sv", "cay", 0.3}};
    for (int k = 0; k < 9; k++) {
        crew_make(&c, 5, longs[k].kind, longs[k].group, 0.02, longs[k].speed);
        compare_widths("long run", longs[k].method, longs[k].retraction, 100000, 1);
    }
}

/* Trajectories that have not taken equally many steps: discrete Moser-Veselov looks at its constant, and all are
 * brought back to the group, at steps of their own. */
void test_lanes_that_began_at_different_steps(void)
{
    static const lane_case kinds[] = {{CREW_FREE, 1, "S3", "dmv4", 0, 0.8},
                                      {CREW_SATELLITE, 1, "SO3", "sv", "cay", 0.3}};
    for (int k = 0; k < 2; k++) {
        crew_make(&c, 21, kinds[k].kind, kinds[k].group, 0.05, kinds[k].speed);
        for (int i = 0; i < c.count; i++) c.start[i].steps = 37 * i;
        compare_widths("different steps", kinds[k].method, kinds[k].retraction, 3000, 1);
    }
}

static void no_force(const lie_system *sys, double *F, const double *g)
{
    (void)sys, (void)g;
    memset(F, 0, 3 * sizeof *F);
}

/* Satellites in lanes of which some are not finite, too fast, or have a force of their own. */
void test_lanes_of_satellites_that_fail(void)
{
    crew_make(&c, 29, CREW_SATELLITE, "S3", 0.05, 0.3);
    for (int i = 0; i < c.count; i++) {
        if (i % 7 == 1) c.start[i].m[0] = (double)NAN;
        if (i % 7 == 2) c.start[i].m[1] = 1e200;
        if (i % 7 == 3) c.start[i].t = 0x1p49 - 3.0, c.h[i] = 0x1p-4;
        if (i % 7 == 4) c.start[i].m[2] *= 90.0;
        if (i % 7 == 5) c.start[i].g[1] = HUGE_VAL;
    }
    compare_widths("failing satellites", "sv", "cay", 600, 1);
    int fine = 0;
    for (int i = 0; i < c.count; i++) fine += alone[i].status == LIE_OK;
    printf("%d of %d succeed\n", fine, c.count);
    TEST_ASSERT_TRUE(fine >= 8 && fine < c.count - 8);
    crew_make(&c, 9, CREW_SATELLITE, "S3", 0.05, 0.3);
    for (int i = 0; i < c.count; i++) c.systems[i].force_deriv = 0;
    compare_widths("without derivative", "sv", "cay", 100, 1);
    c.systems[4].force = no_force;
    compare_widths("one of another kind", "sv", "cay", 100, 0);
}

/* Without buoyancy: no force at all, and the weight and buoyancy that are 0. */
void test_lanes_vehicle_without_buoyancy(void)
{
    for (int zero = 0; zero < 2; zero++) {
        crew_make(&c, 13, CREW_VEHICLE, "SE3", 0.03, 0.3);
        for (int i = 0; i < c.count; i++) {
            c.params[i].vehicle.weight = c.params[i].vehicle.buoyancy = 0.0;
            if (!zero) c.systems[i].force = 0, c.systems[i].potential = 0, c.systems[i].force_deriv = 0;
        }
        compare_widths("no buoyancy", zero ? "sv" : "ep", "cay", 1500, 1);
        compare_widths("no buoyancy", "rk4_q", 0, 1500, 1);
    }
}

/* A diagonal inertia has a right-hand side of its own; among diagonal ones one that is not makes all of them dense. */
void test_lanes_of_rk4_with_diagonal_inertias(void)
{
    for (int one_is_dense = 0; one_is_dense < 2; one_is_dense++) {
        crew_make(&c, 13, CREW_VEHICLE, "SE3", 0.03, 0.3);
        for (int i = 0; i < c.count - one_is_dense; i++) {
            for (int k = 0; k < 36; k++)
                if (k % 7 != 0) c.params[i].vehicle.inertia[k] = 0.0;
            TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&c.systems[i], &c.params[i].vehicle, NULL));
            c.start[i].m[i % 6] = i % 2 ? 0.0 : -0.0;
        }
        compare_widths("diagonal", "rk4_q", 0, 1500, 1);
    }
}

/* A vehicle with drag has an external force: no lanes, the same bits. */
void test_lanes_vehicle_with_drag_runs_alone(void)
{
    crew_make(&c, 5, CREW_VEHICLE, "SE3", 0.03, 0.3);
    for (int i = 0; i < c.count; i++) {
        for (int k = 0; k < 6; k++) c.params[i].vehicle.linear_drag[7 * k] = 0.1;
        TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&c.systems[i], &c.params[i].vehicle, NULL));
    }
    compare_widths("drag", "sv", "cay", 100, 0);
}

/* Steps with drag learn nothing, those without learn velocities: there is room for either, whichever comes last. */
void test_lanes_that_learn_more_or_less(void)
{
    for (int last = 0; last < 2; last++) {
        crew_make(&c, 6, CREW_VEHICLE, "SE3", 0.03, 0.3);
        for (int i = last; i < c.count; i += 2) {
            for (int k = 0; k < 6; k++) c.params[i].vehicle.linear_drag[7 * k] = 0.1;
            TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&c.systems[i], &c.params[i].vehicle, NULL));
        }
        compare_widths("some with drag", "sv", "cay", 100, 0);
    }
}

/* Number of trajectories from one to more than two tiles. */
void test_lanes_any_number_of_trajectories(void)
{
    for (int count = 1; count <= 34; count++) {
        crew_make(&c, count, CREW_TOP, "S3", 0.03, 0.8);
        compare_widths("count", "sv", "cay", 40, count > 0);
    }
}

/* Lanes that fail: a momentum without a solution, a force that turns into NaN on the way, a time that does not advance,
 * a state that is not finite. Their neighbours do not notice. */
static void sabotage(int i)
{
    switch (i % 7) {
    case 1:
        c.start[i].m[0] = (double)NAN;
        break;
    case 2:
        for (int k = 0; k < 3; k++) c.start[i].m[k] = 1e200;
        break;
    case 3:
        c.start[i].t = 0x1p49 - 3.0, c.h[i] = 0x1p-4; /* beyond 2^49 half of the last bit */
        break;
    case 4:
        c.params[i].top.gravity = 0.2;
        break; /* the force is NaN for g[0] < 0.2 */
    case 5:
        c.start[i].g[1] = HUGE_VAL;
        break;
    case 6:
        c.params[i].top.mass = 1e9;
        break;
    default:
        break;
    }
}

static int count_failures(void)
{
    int kinds[32] = {0}, different = 0;
    for (int i = 0; i < c.count; i++) kinds[alone[i].status]++;
    for (int k = 1; k < 32; k++) different += kinds[k] > 0;
    return different;
}

void test_lanes_that_fail_do_not_touch_the_others(void)
{
    static const crew_kind kinds[] = {CREW_CALLBACK, CREW_CALLBACK_LANES};
    for (int k = 0; k < 2; k++) {
        crew_make(&c, 40, kinds[k], "S3", 0.05, 1.5);
        for (int i = 0; i < c.count; i++) sabotage(i);
        compare_widths("failing lanes", "sv", "cay", 3000, 1);
        int late = 0, fine = 0;
        for (int i = 0; i < c.count; i++) {
            late += alone[i].status != LIE_OK && alone[i].state.steps > 4;
            fine += alone[i].status == LIE_OK;
        }
        printf("%d kinds of failure, %d after more than 4 steps, %d of %d succeed\n", count_failures(), late, fine,
               c.count);
        TEST_ASSERT_TRUE(count_failures() >= 2 && late >= 3 && fine >= 6);
    }
}

/* The same with RK4: overflows on the way, a time that does not advance, states that are not finite. */
void test_lanes_of_rk4_that_fail_do_not_touch_the_others(void)
{
    crew_make(&c, 40, CREW_TOP, "S3", 0.05, 1.5);
    for (int i = 0; i < c.count; i++) {
        if (i % 7 == 3) c.start[i].t = 0x1p49 - 3.0, c.h[i] = 0x1p-4;
        if (i % 7 == 1) c.start[i].m[0] = (double)NAN;
        if (i % 7 == 4) c.start[i].m[1] = 400.0 * i; /* unstable: it grows beyond all bounds */
    }
    compare_widths("failing lanes", "rk4_q", 0, 3000, 1);
    int late = 0;
    for (int i = 0; i < c.count; i++) late += alone[i].status != LIE_OK && alone[i].state.steps > 4;
    printf("%d kinds of failure, %d after more than 4 steps\n", count_failures(), late);
    TEST_ASSERT_TRUE(count_failures() >= 2 && late >= 3);
}

/* A free body that is too fast for a step, in one lane: the branch is followed, for it alone. */
void test_lanes_that_need_the_branch_do_not_touch_the_others(void)
{
    static const char *const group[] = {"S3", "SO3", "SE3"};
    for (int k = 0; k < 3; k++) {
        crew_make(&c, 17, k == 2 ? CREW_VEHICLE : CREW_FREE, group[k], 0.02, 0.3);
        for (int i = 1; i < c.count; i += 5)
            for (int j = 0; j < c.systems[i].group->dim; j++) c.start[i].m[j] *= 60.0;
        compare_widths("branch", "sv", "cay", 600, 1);
    }
}

/* Vehicles with their axes along those of the frame, whose steps take fewer products, alone and among others; with and
 * without weight. */
void test_lanes_with_diagonal_inertias(void)
{
    for (int each = 1; each < 4; each += 2)
        for (int is_free = 0; is_free < 2; is_free++) {
            crew_make(&c, 17, CREW_VEHICLE, "SE3", 0.02, 0.3);
            for (int i = 0; i < c.count; i += each)
                for (int k = 0; k < 36; k++)
                    if (k % 7 != 0) c.params[i].vehicle.inertia[k] = 0.0;
            for (int i = 0; i < c.count && is_free; i++) {
                c.params[i].vehicle.weight = c.params[i].vehicle.buoyancy = 0.0;
                TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&c.systems[i], &c.params[i].vehicle, NULL));
            }
            compare_widths("diagonal", "sv", "cay", 600, 1);
            compare_widths("diagonal", "rk4_q", 0, 300, 1);
        }
}

/* At rest: a vehicle without momentum has no scale, and its solve takes the rare way every time. */
void test_lanes_at_rest(void)
{
    crew_make(&c, 9, CREW_VEHICLE, "SE3", 0.02, 0.3);
    for (int i = 0; i < c.count; i += 2) {
        memset(c.start[i].m, 0, sizeof c.start[i].m);
        c.params[i].vehicle.weight = c.params[i].vehicle.buoyancy = 0.0;
    }
    compare_widths("rest", "sv", "cay", 300, 1);
    crew_make(&c, 9, CREW_FREE, "S3", 0.02, 0.0);
    compare_widths("rest", "ep", "cay", 300, 1);
}

/* The force is called for whole vectors, not for every trajectory, but in the first steps. */
void test_lanes_call_forces_for_vectors(void)
{
    enum { STEPS = 1000 };
    if (!has_lanes(2)) TEST_IGNORE_MESSAGE("this processor has no lanes");
    crew_make(&c, 16, CREW_CALLBACK_LANES, "S3", 0.01, 0.5);
    crew_enlist(&c, "sv", "cay", 2, 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, STEPS, 0));
    printf("%ld calls alone, %ld for vectors\n", spring_calls, spring_lane_calls);
    TEST_ASSERT_TRUE(spring_calls <= 16 * 10);
    TEST_ASSERT_TRUE(spring_lane_calls >= 8 * (STEPS - 4) && spring_lane_calls <= 8 * (STEPS + 100));
}

/* A run in pieces, with another h in between. */
void test_lanes_runs_in_pieces(void)
{
    static double work[CREW_WORK];
    static const int pieces[] = {1, 3, 500, 2, 0, 77, 1024};
    for (int lanes = 2; lanes <= 8 && has_lanes(lanes); lanes *= 2) {
        crew_make(&c, 7, CREW_VEHICLE, "SE3", 0.02, 0.3);
        crew_enlist(&c, "sv", "cay", lanes, 1);
        for (int p = 0; p < 7; p++) {
            for (int i = 0; i < c.count && p == 5; i++) c.h[i] *= 0.5;
            TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, pieces[p], 0));
        }
        for (int i = 0; i < c.count; i++) {
            lie_stepper *st;
            lie_state s = c.start[i], r;
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &c.systems[i], &c.options.step, work, sizeof work));
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, 2.0 * c.h[i], 506));
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, c.h[i], 77 + 1024));
            lie_ensemble_get(c.e, i, &r);
            TEST_ASSERT_TRUE(same_state(c.systems[i].group, &s, &r));
        }
        crew_dismiss(&c);
    }
}

/* A user who takes a system of the catalogue and changes its force gets the changed force. */
void test_lanes_changed_force_of_a_top(void)
{
    crew_make(&c, 9, CREW_TOP, "S3", 0.02, 0.5);
    for (int i = 0; i < c.count; i += 2) c.systems[i].force = spring;
    compare_widths("changed", "sv", "cay", 300, 1);
}

/* Systems of different kinds side by side: with a force and without, with a function for lanes and without. */
void test_lanes_of_different_kinds(void)
{
    crew_make(&c, 13, CREW_CALLBACK, "S3", 0.02, 0.5);
    for (int i = 1; i < c.count; i += 3) c.systems[i].force_lanes = spring_lanes;
    compare_widths("some for lanes", "sv", "cay", 300, 1);
    for (int i = 1; i < c.count; i += 3) {
        c.systems[i].force_lanes = 0;
        c.systems[i].force = 0, c.systems[i].potential = 0;
    }
    compare_widths("some free", "sv", "cay", 300, 0);
    crew_make(&c, 13, CREW_TOP, "SO3", 0.02, 0.5);
    for (int i = 0; i < c.count; i++) c.params[i].top.gravity = -2.0; /* for springs: never NaN */
    for (int i = 1; i < c.count; i += 3) c.systems[i].force_lanes = spring_lanes, c.systems[i].force = spring;
    compare_widths("weights and springs", "sv", "cay", 300, 1);
}
