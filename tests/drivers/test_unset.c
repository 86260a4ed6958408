/* SPDX-License-Identifier: MIT */
/* What drivers answer does not depend on what their memory held before: step control, sections, surfaces, ensembles and
 * points, chaos, tangent, feedback, actuation, matrix groups. Optimal control: test_unset_control.c. */
#include <math.h>
#include <stdio.h>

#include "tests/support/unset.h"

static const lie_heavy_top top = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.4, {0.1, 0.2, 0.5}, 9.81};
static lie_vehicle body;
static lie_system s3, se3;
static double work[60000], more_work[60000];

void setUp(void)
{
    memset(&body, 0, sizeof body);
    lie_inertia_diagonal(6, body.inertia, (double[6]){1, 2, 3, 1, 2, 3});
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&s3, &top, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&se3, &body, NULL));
}

void tearDown(void)
{
}

/* A stepper and a state in filled memory */
static void start(unset_run *r, lie_stepper **st, lie_state *s, const lie_system *sys, const char *method)
{
    static const double xi[6] = {0.7, -0.4, 1.1, 0.3, 0.2, -0.5};
    double g[LIE_SIZE_MAX];
    UNSET_FILL(r, *s);
    UNSET_FILL(r, work);
    sys->group->identity(sys->group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(st, sys, &(lie_options){.method = method}, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, g, xi));
}

/* ---- step control ---- */

static int note_state(void *ctx, const lie_stepper *st, const lie_state *s)
{
    unset_state((unset_run *)ctx, "observed state", lie_stepper_group(st), s);
    return s->t > 1.7;
}

static void note_adaptive(unset_run *r, const lie_ops *G, const lie_adaptive *a, const lie_state *s, lie_status status)
{
    unset_status(r, "adaptive status", status);
    unset_state(r, "adaptive state", G, s);
    unset_double(r, "h", lie_adaptive_now(a)->h), unset_double(r, "before", lie_adaptive_now(a)->before),
        unset_double(r, "error", lie_adaptive_now(a)->error);
    unset_number(r, "accepted", lie_adaptive_now(a)->accepted),
        unset_number(r, "rejected", lie_adaptive_now(a)->rejected);
    unset_double(r, "taken", lie_adaptive_now(a)->taken), unset_double(r, "to", lie_adaptive_now(a)->to);
}

static void drive_adaptive(unset_run *r)
{
    static const char *const pairs[2] = {"rkmk_dopri5", "rkmk_dopri8"};
    static const double times[5] = {0.0, 0.5, 1.1, 1.8, 1.9};
    static const lie_tolerance tolerances[4] = {{.absolute = 1e-8, .relative = 1e-8},
                                                {.absolute = 1e-12, .h_min = 0.5},                   /* cannot be met */
                                                {.absolute = 1e-9, .max_steps = 3, .h_first = 10.0}, /* too few steps */
                                                {.relative = 1e-5, .absolute_momentum = 1e-3, .h_max = 0.2}};
    for (int k = 0; k < 16; k++) {
        lie_adaptive *a;
        lie_stepper *st;
        double room[400];
        lie_state s, there;
        start(r, &st, &s, k % 2 ? &s3 : &se3, pairs[k / 2 % 2]);
        UNSET_FILL(r, room);
        unset_status(r, "adaptive init", lie_adaptive_init(&a, st, &tolerances[k / 4], room, sizeof room));
        UNSET_FILL(r, there);
        unset_status(r, "adaptive state before", lie_adaptive_state(a, &there, 0.0));
        note_adaptive(r, lie_stepper_group(st), a, &s, lie_adaptive_step(a, &s, 2.0));
        note_adaptive(r, lie_stepper_group(st), a, &s, lie_adaptive_run(a, &s, 0.0));
        note_adaptive(r, lie_stepper_group(st), a, &s, lie_adaptive_run_observed(a, &s, 2.0, times, 5, note_state, r));
        lie_status status = lie_adaptive_state(a, &there, s.t - 0.4 * lie_adaptive_now(a)->taken);
        unset_status(r, "dense status", status);
        if (status == LIE_OK) unset_state(r, "dense state", lie_stepper_group(st), &there);
    }
}

void test_unset_adaptive(void)
{
    unset_compare(drive_adaptive);
}

/* ---- sections and surfaces ---- */

static double first_momentum(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    (void)sys, (void)g;
    return ctx && t > *(const double *)ctx ? (double)NAN : m[0];
}

static void note_memory(unset_run *r, const lie_section *sec)
{
    double kept[1000];
    int count = lie_section_memory_count(sec);
    TEST_ASSERT_TRUE(count <= 1000);
    lie_section_memory_get(sec, kept);
    unset_number(r, "section memory count", count);
    unset_doubles(r, "section memory", kept, count);
}

static void note_crossing(unset_run *r, const lie_ops *G, const lie_crossing *x)
{
    unset_number(r, "found", x->found);
    if (!x->found) return;
    unset_number(r, "direction", x->direction);
    unset_double(r, "crossing residual", x->residual);
    unset_state(r, "crossing", G, x->state);
}

/* Crossings as they come, the memory after each, and on from the memory in another section */
static void drive_one_section(unset_run *r, const lie_system *sys, const char *method, const lie_event *event, double h)
{
    lie_section *sec;
    lie_stepper *st;
    lie_state s;
    lie_crossing x;
    double kept[1000];
    long long budget = 400;
    start(r, &st, &s, sys, method);
    UNSET_FILL(r, more_work);
    unset_status(r, "section init", lie_section_init(&sec, st, event, more_work, sizeof more_work));
    note_memory(r, sec);
    lie_status status = LIE_OK;
    for (int k = 0; k < 6 && status == LIE_OK; k++) {
        UNSET_FILL(r, x);
        status = lie_section_next(sec, &s, h, &budget, &x);
        unset_status(r, "section status", status);
        unset_number(r, "budget", budget);
        if (status == LIE_OK) note_crossing(r, lie_stepper_group(st), &x);
        unset_state(r, "section state", lie_stepper_group(st), &s);
        note_memory(r, sec);
        if (k != 2) continue;
        lie_section_memory_get(sec, kept);
        UNSET_FILL(r, more_work);
        unset_status(r, "section init", lie_section_init(&sec, st, event, more_work, sizeof more_work));
        lie_section_memory_set(sec, kept);
    }
    unset_number(r, "evaluations", lie_section_evaluations(sec));
    lie_section_reset(sec);
    note_memory(r, sec);
}

static void drive_sections(unset_run *r)
{
    static const double blind = 1.5;
    static const char *const methods[5] = {"sv", "gauss2", "rk4_q", "rkmk4", "ve_fwd"};
    for (int k = 0; k < 20; k++) {
        lie_event event = {first_momentum, k >= 10 ? &blind : NULL, k % 2};
        const lie_system *sys = k % 2 ? &s3 : &se3;
        lie_stepper *st;
        const char *method = methods[k / 2 % 5];
        if (lie_stepper_init(&st, sys, &(lie_options){.method = method}, work, sizeof work) != LIE_OK) continue;
        drive_one_section(r, sys, method, &event, 0.02);
    }
}

void test_unset_section(void)
{
    unset_compare(drive_sections);
}

static void drive_surfaces(unset_run *r)
{
    lie_event event = {first_momentum, NULL, 0};
    double casimirs[2] = {2.0, 16.0}, C[2];
    for (int k = 0; k < 24; k++) {
        const lie_surface S = {&se3, 1, k < 16 ? 30.0 : -1.0, k % 4 ? casimirs : NULL, &event, NULL, 0};
        lie_stepper *st;
        lie_state s;
        double E;
        start(r, &st, &s, &se3, "sv");
        unset_status(r, "sample", lie_surface_sample(&S, &s, 7, (unsigned long long)k, 20));
        unset_state(r, "sampled", lie_stepper_group(st), &s);
        unset_status(r, "move", lie_surface_move(&S, &s));
        unset_state(r, "moved", lie_stepper_group(st), &s);
        unset_status(r, "energy", lie_state_energy(&se3, &E, &s));
        lie_state_casimirs(&se3, C, &s);
        unset_double(r, "energy", E), unset_doubles(r, "casimirs", C, 2);
    }
}

void test_unset_surface(void)
{
    unset_compare(drive_surfaces);
}

/* ---- tangent, chaos, feedback ---- */

/* Every method that takes the system, at a step that all of them can solve */
static void drive_tangents(unset_run *r)
{
    double T[144], V[12 * 3];
    for (int i = 0; i < lie_method_builtin_count(); i++)
        for (int k = 0; k < 2; k++) {
            const lie_system *sys = k ? &s3 : &se3;
            const lie_method *method = lie_method_builtin(i);
            lie_stepper *st;
            lie_state s, before;
            if (lie_method_takes(method, sys) != LIE_OK || method->needs_tableau) continue;
            start(r, &st, &s, sys, method->name);
            UNSET_FILL(r, more_work);
            TEST_ASSERT_TRUE(lie_tangent_memsize(st) <= sizeof more_work);
            for (int step = 0; step < 2; step++) {
                for (int j = 0; j < 144; j++) T[j] = 7.0;
                for (int j = 0; j < 36; j++) V[j] = 0.1 * j;
                before = s;
                unset_status(r, method->name, lie_step_tangent(st, &s, 0.01, T, more_work, sizeof more_work));
                unset_doubles(r, method->name, T, 144);
                unset_state(r, method->name, lie_stepper_group(st), &s);
                unset_double(r, method->name, lie_tangent_defect(lie_stepper_group(st), T, before.m, s.m));
                unset_status(r, method->name, lie_step_variations(st, &s, 0.01, 3, V, more_work, sizeof more_work));
                unset_doubles(r, method->name, V, 36);
            }
            unset_status(r, "nan", lie_step_tangent(st, &s, (double)NAN, T, more_work, sizeof more_work));
            unset_doubles(r, "nan", T, 144);
        }
}

void test_unset_tangent(void)
{
    unset_compare(drive_tangents);
}

static void drive_chaos(unset_run *r)
{
    static const char *const methods[3] = {"sv", "gauss2", "rkmk4"};
    double kept[200];
    for (int k = 0; k < 6; k++) {
        lie_chaos *c;
        lie_stepper *st;
        lie_state s;
        int vectors = 1 + 2 * k % 6;
        start(r, &st, &s, k % 2 ? &s3 : &se3, methods[k / 2]);
        UNSET_FILL(r, more_work);
        TEST_ASSERT_TRUE(lie_chaos_memsize(st, vectors) <= sizeof more_work);
        unset_status(r, "chaos init", lie_chaos_init(&c, st, &s, vectors, more_work, sizeof more_work));
        for (int part = 0; part < 3; part++) {
            int count = lie_chaos_memory_count(c);
            TEST_ASSERT_TRUE(count <= 200);
            lie_chaos_memory_get(c, kept);
            unset_doubles(r, "chaos memory", kept, count);
            unset_doubles(r, "exponents", lie_chaos_now(c)->exponents, vectors);
            unset_status(r, "chaos run", lie_chaos_run(c, st, &s, part < 2 ? 0.02 : (double)NAN, 20));
            const lie_chaos_numbers *now = lie_chaos_now(c);
            unset_double(r, "fli", now->fli), unset_double(r, "sali", now->sali), unset_double(r, "time", now->time);
            unset_state(r, "chaos state", lie_stepper_group(st), &s);
        }
    }
}

void test_unset_chaos(void)
{
    unset_compare(drive_chaos);
}

static lie_actuation thrusters;

static void make_thrusters(void)
{
    static const double wrench[5][6] = {{0, 0.05, -0.08, 1, 0, 0},
                                        {0, 0.05, 0.08, 1, 0, 0},
                                        {0, -0.1, 0, 1, 0, 0},
                                        {-0.1, 0, 0, 0, 0, 1},
                                        {0.1, 0, 0, 0, 0, 1}};
    memset(&thrusters, 0, sizeof thrusters);
    thrusters.base = se3, thrusters.count = 5;
    for (int i = 0; i < 5; i++) memcpy(thrusters.actuator[i].wrench, wrench[i], sizeof wrench[i]);
}

/* Brakes; with a gain that is too high the implicit loop does not converge, after 2 s it fails. */
static lie_status brake(void *ctx, double *u, const lie_system *sys, double t, const double *g, const double *xi)
{
    (void)g;
    for (int i = 0; i < sys->controls; i++) u[i] = -*(const double *)ctx * xi[i];
    return t > 2.0 ? LIE_ERR_DOMAIN : LIE_OK;
}

static void drive_feedback(unset_run *r)
{
    static double gains[3] = {0.1, 1.0, 1e4};
    make_thrusters();
    for (int k = 0; k < 12; k++) {
        lie_system sys;
        lie_stepper *st;
        lie_state s;
        lie_actuation act = thrusters;
        lie_feedback_kind kind = k % 2 ? LIE_FEEDBACK_HOLD : LIE_FEEDBACK_IMPLICIT;
        UNSET_FILL(r, sys);
        TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &act));
        start(r, &st, &s, &sys, k < 6 ? "sv" : "gauss2");
        unset_status(r, "feedback", lie_feedback_run(st, &s, 0.03, 100, kind, brake, &gains[k / 2 % 3]));
        unset_state(r, "feedback state", lie_stepper_group(st), &s);
    }
}

void test_unset_feedback(void)
{
    unset_compare(drive_feedback);
}

static void drive_actuation(unset_run *r)
{
    double B[30], E[36], g[12];
    make_thrusters();
    for (int count = 1; count <= 5; count++) {
        lie_actuation act = thrusters;
        lie_dependence d;
        lie_controllability c;
        act.count = count;
        UNSET_FILL(r, d);
        UNSET_FILL(r, c);
        UNSET_FILL(r, B);
        UNSET_FILL(r, E);
        lie_se3_identity(g);
        lie_actuation_matrix(&act, B, g);
        unset_doubles(r, "inputs", B, 6 * count);
        int left = lie_actuation_annihilator(6, count, B, E);
        unset_number(r, "annihilator", left);
        unset_doubles(r, "annihilator", E, 6 * left);
        lie_actuation_dependence(&act, &d, g);
        unset_number(r, "rank", d.rank), unset_number(r, "input", d.input);
        unset_doubles(r, "of", d.of, d.input >= 0 ? count : 0);
        unset_status(r, "report", lie_actuation_report(&act, &c, g));
        unset_number(r, "dim", c.dim), unset_number(r, "actuated", c.actuated);
        unset_number(r, "reachable", c.reachable), unset_number(r, "accessible", c.accessible);
        unset_number(r, "depth", c.symmetric_depth), unset_number(r, "depth", c.lie_depth);
    }
}

void test_unset_actuation(void)
{
    unset_compare(drive_actuation);
}

/* ---- ensembles and points ---- */

enum { MEMBERS = 11 };

static lie_heavy_top tops[MEMBERS];
static lie_system top_systems[MEMBERS];

static void measure_momentum(const void *ctx, double *values, const lie_sample *s)
{
    (void)ctx;
    memcpy(values, s->m, 3 * sizeof *values);
}

static void measure_first(const void *ctx, double *values, const lie_sample *s)
{
    (void)ctx;
    values[0] = s->m[0];
}

static int note_point(void *ctx, long long trajectory, const lie_crossing *x)
{
    unset_run *r = (unset_run *)ctx;
    unset_number(r, "trajectory", trajectory);
    note_crossing(r, s3.group, x);
    return 0;
}

typedef struct watch {
    lie_stepper *st[MEMBERS];
    lie_section *sec[MEMBERS];
    double step_work[MEMBERS][2000], work[MEMBERS][2000];
    lie_section *sections[MEMBERS];
    lie_status statuses[MEMBERS];
} watch;

static watch guards;
static double memory[200000], sums[20000];

/* Sections for all members: what is found comes out in the order of the trajectories, because there is one thread. */
static lie_points guard(unset_run *r, const lie_ensemble *e, const lie_event *event, const lie_options *step)
{
    UNSET_FILL(r, guards);
    for (int i = 0; i < MEMBERS; i++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&guards.st[i], &top_systems[i], step, guards.step_work[i],
                                                   sizeof guards.step_work[i]));
        TEST_ASSERT_EQUAL(LIE_OK,
                          lie_section_init(&guards.sec[i], guards.st[i], event, guards.work[i], sizeof guards.work[i]));
        guards.sections[i] = guards.sec[i], guards.statuses[i] = LIE_OK;
    }
    return (lie_points){e, guards.sections, guards.statuses, 0, note_point, r};
}

static void note_ensemble(unset_run *r, const lie_ensemble *e)
{
    for (int i = 0; i < MEMBERS; i++) {
        lie_state s;
        UNSET_FILL(r, s);
        unset_status(r, "member", lie_ensemble_status(e, i));
        unset_status(r, "get", lie_ensemble_get(e, i, &s));
        unset_state(r, "member", lie_ensemble_group(e), &s);
        unset_put(r, "record", lie_ensemble_record(e, i), lie_ensemble_record_bytes(e));
    }
    long long first = -1;
    unset_number(r, "failed", lie_ensemble_failed(e, &first)), unset_number(r, "first", first);
}

static void drive_one_ensemble(unset_run *r, const char *method, int lanes, int every)
{
    const lie_options step = {.method = method};
    const lie_ensemble_options opt = {.step = step, .h = 0.03, .lanes = lanes, .threads = 1};
    lie_event event = {first_momentum, NULL, 0};
    lie_moments moments = {3, measure_momentum, NULL};
    lie_histogram histogram = {5, -1.0, 1.0, measure_first, NULL};
    lie_reducer reducers[3];
    lie_ensemble *e;
    UNSET_FILL(r, memory);
    UNSET_FILL(r, sums);
    UNSET_FILL(r, reducers);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_init(&e, top_systems, MEMBERS, MEMBERS, &opt, memory, sizeof memory));
    lie_points points = guard(r, e, &event, &step);
    TEST_ASSERT_EQUAL(LIE_OK, lie_moments_reducer(&reducers[0], &moments));
    TEST_ASSERT_EQUAL(LIE_OK, lie_histogram_reducer(&reducers[1], &histogram));
    TEST_ASSERT_EQUAL(LIE_OK, lie_points_reducer(&reducers[2], &points));
    for (int i = 0; i < MEMBERS; i++) {
        lie_state s;
        UNSET_FILL(r, s);
        unset_status(r, "unset member", lie_ensemble_status(e, i));
        double g[4], xi[3] = {0.5 + 0.1 * i, -0.4, 1.0};
        lie_s3_identity(g);
        if (i == 5) continue; /* one is never set */
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&top_systems[i], &s, 0.0, g, xi));
        if (i == 7) s.m[1] = 1e300; /* one fails */
        unset_status(r, "set", lie_ensemble_set(e, i, &s));
    }
    lie_observation obs = {every, 3, reducers, sums, sizeof sums};
    for (int part = 0; part < 2; part++) {
        unset_status(r, "ensemble run", lie_ensemble_run(e, 40, &obs));
        note_ensemble(r, e);
        for (long long k = 0; k < lie_ensemble_observations(40, &obs); k++) {
            double mean[3], covariance[9];
            long long counts[8];
            const void *sum = lie_ensemble_sum(&obs, k, 0);
            unset_number(r, "moments", lie_moments_count(sum));
            lie_moments_mean(&moments, mean, sum), lie_moments_covariance(&moments, covariance, sum);
            unset_doubles(r, "mean", mean, 3), unset_doubles(r, "covariance", covariance, 9);
            lie_histogram_counts(&histogram, counts, lie_ensemble_sum(&obs, k, 1));
            unset_put(r, "counts", counts, sizeof counts);
        }
        for (int i = 0; i < MEMBERS; i++) {
            unset_status(r, "points", guards.statuses[i]);
            note_memory(r, guards.sec[i]);
        }
    }
}

static void drive_ensembles(unset_run *r)
{
    static const char *const methods[4] = {"sv", "rkmk4", "gauss2", "rk4_q"};
    for (int i = 0; i < MEMBERS; i++) {
        tops[i] = top;
        tops[i].mass *= 1.0 + 0.05 * i;
        TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&top_systems[i], &tops[i], "S3"));
    }
    for (int k = 0; k < 12; k++) drive_one_ensemble(r, methods[k % 4], k / 4 == 1 ? 1 : 0, k < 8 ? 1 : 7);
}

void test_unset_ensemble(void)
{
    unset_compare(drive_ensembles);
    printf("  %d notes, %zu bytes\n", unset_runs[0].count, unset_runs[0].used);
}
