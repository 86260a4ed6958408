/* SPDX-License-Identifier: MIT */
/* Closed forms of one's own (form.h): bodies that are none of the catalogue's, with callbacks of their own, have the
 * bits and the lanes of the ready ones; and what the comparison says of a form that is wrong. */
#include <liestep/liestep.h>

#include <math.h>

#include "tests/support/inertia.h"
#include "tests/support/stepper_fixture.h"

enum { COUNT = 21, WORK = 1 << 13, KINDS = 8 };

void setUp(void)
{
}

void tearDown(void)
{
}

/* Parameters of the user. */
typedef struct numbers {
    double inertia[36];
    double pull[4]; /* l, or arm and lift */
    double rate, wheel[3], gradient;
    double linear[36], quadratic[6], at[3], along[3];
} numbers;

static long calls;

static void own_weight(const lie_system *sys, double *w)
{
    memcpy(w, ((const numbers *)sys->params)->pull, (sys->group->dim == 6 ? 4 : 3) * sizeof *w);
}

static void own_frame(const lie_system *sys, lie_form_frame_terms *out)
{
    const numbers *p = (const numbers *)sys->params;
    *out = (lie_form_frame_terms){p->rate, {p->wheel[0], p->wheel[1], p->wheel[2]}, p->gradient};
}

static void own_drag(const lie_system *sys, double *linear, double *quadratic)
{
    const numbers *p = (const numbers *)sys->params;
    memcpy(linear, p->linear, sizeof p->linear);
    memcpy(quadratic, p->quadratic, sizeof p->quadratic);
}

static void own_thrust(const lie_system *sys, double *wrench, const double *u)
{
    const numbers *p = (const numbers *)sys->params;
    lie_so3_ad(wrench, p->at, p->along);
    for (int i = 0; i < 3; i++) {
        wrench[i] = (u ? u[0] : 0.0) * wrench[i];
        wrench[3 + i] = (u ? u[0] : 0.0) * p->along[i];
    }
}

/* Callbacks with the same values but for rounding: a sum in another order. They are counted. */
static void other_force(const lie_system *sys, double *F, const double *g)
{
    double part[6];
    calls++;
    lie_form_force(sys, F, g);
    for (int i = 0; i < sys->group->dim; i++) part[i] = F[i] / 3.0, F[i] = part[i] + 2.0 * part[i];
}

static void other_gyro(const lie_system *sys, double *A, const double *g)
{
    calls++;
    lie_form_gyro(sys, A, g);
    for (int i = 0; i < 3; i++) A[i] = A[i] / 3.0 * 3.0;
}

static void other_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                           const double *u)
{
    calls++;
    lie_form_external(sys, f, t, g, xi, u);
}

static const lie_form heavy = {.weight = own_weight}, turning = {.frame = own_frame},
                      both = {.weight = own_weight, .frame = own_frame},
                      vessel = {.weight = own_weight, .drag = own_drag, .thrust = own_thrust};
static const lie_form other_heavy = {.force = other_force, .weight = own_weight},
                      other_turning = {.force = other_force, .gyro = other_gyro, .frame = own_frame},
                      other_both = {.force = other_force, .gyro = other_gyro, .weight = own_weight, .frame = own_frame},
                      other_vessel = {.force = other_force,
                                      .external = other_external,
                                      .weight = own_weight,
                                      .drag = own_drag,
                                      .thrust = own_thrust};

/* A system of the catalogue and two of one's own: with ready callbacks, and with others that round otherwise. */
typedef struct twins {
    union {
        lie_heavy_top top;
        lie_satellite satellite;
        lie_turntable table;
        lie_vehicle vehicle;
    } ready;
    numbers own;
    lie_system catalogue, mine, rough;
} twins;

static const char *const titles[KINDS] = {"top S3",       "top SO3",       "satellite S3", "satellite SO3",
                                          "turntable S3", "turntable SO3", "vehicle",      "vessel"};

static void fill_numbers(numbers *p, int kind, lie_random *rng)
{
    *p = (numbers){.pull = {1.3, -0.7, 2.1, 0.4}, .gradient = kind == 2 || kind == 3 ? 3.0 : 0.0};
    random_inertia(rng, kind < 6 ? 3 : 6, p->inertia, 1.0);
    p->rate = 0.4 + random_double(rng, 0.1);
    for (int i = 0; i < 3; i++) {
        p->pull[i] += random_double(rng, 0.2);
        if (kind == 2 || kind == 3) p->wheel[i] = random_double(rng, 0.3);
        p->at[i] = random_double(rng, 0.3);
    }
    for (int i = 0; i < 36; i++) p->linear[i] = i % 7 == 0 ? 0.3 : 0.01;
    for (int i = 0; i < 6; i++) p->quadratic[i] = 0.1 + 0.02 * i;
    p->along[0] = 0.6, p->along[2] = -0.8;
}

/* The same numbers in the words of the catalogue, with mass, gravity and buoyancy 1 or weight 0 so that products add no
 * rounding. */
static lie_status make_ready(twins *T, int kind)
{
    const char *group = kind % 2 == 0 ? "S3" : "SO3";
    const numbers *p = &T->own;
    lie_vehicle *v = &T->ready.vehicle;
    if (kind < 2) {
        T->ready.top = (lie_heavy_top){.mass = 1.0, .centre = {p->pull[0], p->pull[1], p->pull[2]}, .gravity = 1.0};
        memcpy(T->ready.top.inertia, p->inertia, 9 * sizeof(double));
        return lie_heavy_top_system(&T->catalogue, &T->ready.top, group);
    }
    if (kind < 4) {
        T->ready.satellite = (lie_satellite){.orbit_rate = p->rate, .wheels = {p->wheel[0], p->wheel[1], p->wheel[2]}};
        memcpy(T->ready.satellite.inertia, p->inertia, 9 * sizeof(double));
        return lie_satellite_system(&T->catalogue, &T->ready.satellite, group);
    }
    if (kind < 6) {
        T->ready.table.top =
            (lie_heavy_top){.mass = 1.0, .centre = {p->pull[0], p->pull[1], p->pull[2]}, .gravity = 1.0};
        T->ready.table.rate = p->rate;
        memcpy(T->ready.table.top.inertia, p->inertia, 9 * sizeof(double));
        return lie_turntable_system(&T->catalogue, &T->ready.table, group);
    }
    *v = (lie_vehicle){.buoyancy = p->pull[3]};
    for (int i = 0; i < 3; i++) v->buoyancy_at[i] = p->pull[i] / p->pull[3];
    for (int i = 0; i < 3; i++) T->own.pull[i] = v->buoyancy * v->buoyancy_at[i];
    memcpy(v->inertia, p->inertia, sizeof p->inertia);
    if (kind == 7) {
        memcpy(v->linear_drag, p->linear, sizeof p->linear);
        memcpy(v->quadratic_drag, p->quadratic, sizeof p->quadratic);
        v->thrusters = 1;
        memcpy(v->thruster_at[0], p->at, sizeof p->at);
        memcpy(v->thruster_along[0], p->along, sizeof p->along);
    }
    return lie_vehicle_system(&T->catalogue, v, NULL);
}

static void make_twins(twins *T, int kind, lie_random *rng)
{
    const lie_form *form = kind < 2 || kind == 6 ? &heavy : kind < 4 ? &turning : kind < 6 ? &both : &vessel;
    const lie_form *other = kind < 2 || kind == 6 ? &other_heavy
                            : kind < 4            ? &other_turning
                            : kind < 6            ? &other_both
                                                  : &other_vessel;
    fill_numbers(&T->own, kind, rng);
    TEST_ASSERT_EQUAL(LIE_OK, make_ready(T, kind));
    T->mine = (lie_system){.name = "own",
                           .group = T->catalogue.group,
                           .inertia = T->own.inertia,
                           .params = &T->own,
                           .form = form,
                           .controls = T->catalogue.controls};
    TEST_ASSERT_EQUAL(LIE_OK, lie_form_complete(&T->mine));
    T->rough = T->mine;
    T->rough.form = other, T->rough.force = other_force;
    if (T->rough.gyro) T->rough.gyro = other_gyro;
    if (T->rough.external) T->rough.external = other_external;
}

static void start_of(lie_state *s, const lie_system *sys, lie_random *rng)
{
    double g[LIE_SIZE_MAX], x[LIE_DIM_MAX], xi[LIE_DIM_MAX];
    random_vector(rng, sys->group->dim, x, 0.5);
    random_vector(rng, sys->group->dim, xi, 0.6);
    TEST_ASSERT_EQUAL(LIE_OK, sys->group->tau(sys->group, g, x));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, g, xi));
}

/* Which of the methods takes the form of this kind whole? Those then call for nothing. */
static const char *const methods[] = {"sv", "ve_fwd", "ve_bwd", "sv_suzuki4", "rk4_q", "pirk8", "pirk12", "pirk16"};
enum { METHODS = sizeof methods / sizeof *methods };

static int takes_form(int kind, int method)
{
    if (kind == 7) return method >= 5;
    if (kind >= 4 && kind < 6) return method == 0;
    if (kind >= 2 && kind < 4) return method == 0 || method >= 5;
    return 1;
}

static const double thrust[1] = {0.37}, thrust_after[1] = {-0.2};

static void run_twin(const lie_system *sys, const char *method, lie_state *s, int steps, const char *text)
{
    static double work[WORK];
    lie_stepper *st;
    lie_options opt = {.method = method, .retraction = "cay"};
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(&st, sys, &opt, work, sizeof work), text);
    if (sys->controls > 0) lie_stepper_control(st, thrust, thrust_after);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(st, s, 0.03, steps), text);
}

void test_form_own_bodies_have_the_bits_of_the_ready_ones(void)
{
    static twins T;
    lie_random rng = {2011u};
    int compared = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < METHODS; i++) {
            const lie_method *m;
            lie_state start, a, b, c;
            make_twins(&T, kind, &rng);
            start_of(&start, &T.catalogue, &rng);
            a = b = c = start;
            TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&m, methods[i]));
            TEST_ASSERT_EQUAL(lie_method_takes(m, &T.catalogue), lie_method_takes(m, &T.mine));
            if (lie_method_takes(m, &T.mine) != LIE_OK || !takes_form(kind, i)) continue;
            run_twin(&T.catalogue, methods[i], &a, 300, titles[kind]);
            run_twin(&T.mine, methods[i], &b, 300, titles[kind]);
            calls = 0;
            run_twin(&T.rough, methods[i], &c, 300, titles[kind]);
            states_same_bits(T.mine.group, &a, &b, titles[kind]);
            states_same_bits(T.mine.group, &a, &c, titles[kind]);
            TEST_ASSERT_EQUAL_MESSAGE(0, calls, titles[kind]);
            TEST_ASSERT_TRUE(state_distance(T.mine.group, &a, &start) > 0.1);
            compared++;
        }
    printf("  %d pairs of method and body\n", compared);
    TEST_ASSERT_TRUE(compared >= 30);
}

/* An ensemble of one kind, every body with numbers of its own. which: 0 catalogue, 1 own, 2 rounded otherwise. Answers
 * its lanes. */
static int ensemble_of(lie_state *end, twins *T, int which, const char *method, int lanes)
{
    static double memory[1 << 17];
    static numbers before[COUNT];
    lie_system systems[COUNT];
    lie_random rng = {99u};
    lie_ensemble *e;
    const lie_ensemble_options opt = {
        .step = {.method = method, .retraction = "cay"}, .h = 0.03, .lanes = lanes, .threads = 1};
    for (int i = 0; i < COUNT; i++) systems[i] = which == 0 ? T[i].catalogue : which == 1 ? T[i].mine : T[i].rough;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_init(&e, systems, COUNT, COUNT, &opt, memory, sizeof memory));
    for (int i = 0; i < COUNT; i++) {
        lie_state s;
        start_of(&s, &T[i].mine, &rng);
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_set(e, i, &s));
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(e, 70, 0));
    for (int i = 0; i < COUNT; i++) before[i] = T[i].own, T[i].own.pull[0] += 0.25, T[i].own.rate += 0.125;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(e, 70, 0));
    for (int i = 0; i < COUNT; i++) {
        T[i].own = before[i];
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_get(e, i, &end[i]));
    }
    return lie_ensemble_lanes(e);
}

static void check_ensembles(int kind, const char *method)
{
    static const int widths[5] = {1, 2, 4, 8, 0};
    static lie_state alone[COUNT], end[COUNT];
    static twins T[COUNT];
    lie_random rng = {4242u + (uint64_t)kind};
    for (int i = 0; i < COUNT; i++) make_twins(&T[i], kind, &rng);
    TEST_ASSERT_EQUAL(1, ensemble_of(alone, T, 1, method, 1));
    for (int w = 0; w < 5; w++) {
        int ready = ensemble_of(end, T, 0, method, widths[w]);
        TEST_ASSERT_EQUAL_MESSAGE(ready, ensemble_of(end, T, 1, method, widths[w]), titles[kind]);
        for (int i = 0; i < COUNT; i++) states_same_bits(T[i].mine.group, &alone[i], &end[i], titles[kind]);
        calls = 0;
        TEST_ASSERT_EQUAL(ready, ensemble_of(end, T, 2, method, widths[w]));
        for (int i = 0; i < COUNT; i++) states_same_bits(T[i].mine.group, &alone[i], &end[i], titles[kind]);
        TEST_ASSERT_EQUAL_MESSAGE(0, calls, titles[kind]);
    }
}

/* Also where parameters change between two runs, and where callbacks of one's own round otherwise. */
void test_form_own_ensembles_have_the_lanes_and_bits_of_the_ready_ones(void)
{
    static const char *const attitude[3] = {"sv", "ve_bwd", "rk4_q"};
    for (int kind = 0; kind < KINDS - 1; kind++)
        for (int i = 0; i < (kind >= 2 && kind < 6 ? 1 : 3); i++)
            if (kind != 1 || i < 2) check_ensembles(kind, attitude[i]);
}

/* As check_change of test_params, for a body of one's own. */
void test_form_numbers_may_change_between_two_steps(void)
{
    static double work[2][WORK];
    lie_random rng = {7u};
    static twins T;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < METHODS; i++) {
            lie_state a, b, old;
            lie_stepper *went_on, *fresh;
            lie_options opt = {.method = methods[i], .retraction = "cay"};
            if (!takes_form(kind, i) || (kind == 1 && strcmp(methods[i], "rk4_q") == 0)) continue;
            make_twins(&T, kind, &rng);
            start_of(&a, &T.mine, &rng);
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&went_on, &T.rough, &opt, work[0], sizeof work[0]));
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(went_on, &a, 0.03, 5));
            old = b = a;
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(went_on, &old, 0.03, 1));
            T.own.pull[0] += 0.5, T.own.rate += 0.3, T.own.quadratic[1] += 0.2;
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&fresh, &T.rough, &opt, work[1], sizeof work[1]));
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(went_on, &a, 0.03, 1));
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(fresh, &b, 0.03, 1));
            TEST_ASSERT_TRUE_MESSAGE(state_distance(T.mine.group, &a, &b) < 1e-13, titles[kind]);
            TEST_ASSERT_TRUE_MESSAGE(state_distance(T.mine.group, &a, &old) > 1e-5, titles[kind]);
        }
}

static lie_system_report compare(const lie_system *sys)
{
    lie_random rng = {31u};
    lie_system_report report;
    double g[LIE_SIZE_MAX], x[LIE_DIM_MAX], xi[LIE_DIM_MAX];
    random_vector(&rng, sys->group->dim, x, 0.8);
    random_vector(&rng, sys->group->dim, xi, 0.9);
    TEST_ASSERT_EQUAL(LIE_OK, sys->group->tau(sys->group, g, x));
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(sys, &report, 0.0, g, xi, thrust));
    return report;
}

void test_form_the_comparison_finds_right_forms_right(void)
{
    static twins T;
    lie_random rng = {12u};
    for (int kind = 0; kind < KINDS; kind++) {
        make_twins(&T, kind, &rng);
        const int has_frame = kind >= 2 && kind < 6;
        const int states = LIE_FORM_FORCE | (has_frame ? LIE_FORM_GYRO : 0) | (kind == 7 ? LIE_FORM_EXTERNAL : 0);
        const lie_system *right[3] = {&T.catalogue, &T.mine, &T.rough};
        for (int k = 0; k < 3; k++) {
            lie_system_report r = compare(right[k]);
            TEST_ASSERT_EQUAL_MESSAGE(states, lie_form_states(right[k]), titles[kind]);
            TEST_ASSERT_TRUE_MESSAGE(r.form >= 0.0 && r.form < 1e-12 && r.error < 1e-9, titles[kind]);
        }
    }
}

/* One number after the other is other than what the callbacks say. */
static const numbers *told;

static void told_weight(const lie_system *sys, double *w)
{
    memcpy(w, told->pull, (sys->group->dim == 6 ? 4 : 3) * sizeof *w);
}

static void told_frame(const lie_system *sys, lie_form_frame_terms *out)
{
    lie_system other = *sys;
    other.params = told;
    own_frame(&other, out);
}

static void told_drag(const lie_system *sys, double *linear, double *quadratic)
{
    lie_system other = *sys;
    other.params = told;
    own_drag(&other, linear, quadratic);
}

static void told_thrust(const lie_system *sys, double *wrench, const double *u)
{
    lie_system other = *sys;
    other.params = told;
    own_thrust(&other, wrench, u);
}

/* How wrong the form of the catalogue's system is then; found to be the worst. */
static double wrongness(twins *T, int kind, size_t member)
{
    static numbers altered;
    lie_system sys = T->catalogue;
    lie_form form = {.force = sys.force,
                     .gyro = sys.gyro,
                     .external = sys.external,
                     .weight = kind < 2 || kind >= 4 ? told_weight : 0,
                     .frame = kind >= 2 && kind < 6 ? told_frame : 0,
                     .drag = kind == 7 ? told_drag : 0,
                     .thrust = kind == 7 ? told_thrust : 0};
    altered = T->own;
    told = &altered;
    sys.form = &form;
    TEST_ASSERT_TRUE(compare(&sys).form < 1e-12);
    *(double *)(void *)((char *)&altered + member) += 0.3;
    lie_system_report r = compare(&sys);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("form", r.worst, titles[kind]);
    TEST_ASSERT_TRUE(r.error == r.form && r.given != r.expected && r.row == 0 && r.column < sys.group->dim);
    return r.form;
}

void test_form_the_comparison_names_a_wrong_number(void)
{
    static const struct {
        int kind;
        size_t member;
    } cases[] = {{0, offsetof(numbers, pull)},       {1, offsetof(numbers, pull) + 2 * sizeof(double)},
                 {2, offsetof(numbers, rate)},       {3, offsetof(numbers, gradient)},
                 {2, offsetof(numbers, wheel)},      {4, offsetof(numbers, rate)},
                 {5, offsetof(numbers, pull)},       {4, offsetof(numbers, wheel) + sizeof(double)},
                 {6, offsetof(numbers, pull)},       {6, offsetof(numbers, pull) + 3 * sizeof(double)},
                 {7, offsetof(numbers, linear) + 8}, {7, offsetof(numbers, quadratic) + 5 * sizeof(double)},
                 {7, offsetof(numbers, at)},         {7, offsetof(numbers, along) + sizeof(double)}};
    static twins T;
    lie_random rng = {5u};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make_twins(&T, cases[i].kind, &rng);
        TEST_ASSERT_TRUE_MESSAGE(wrongness(&T, cases[i].kind, cases[i].member) > 1e-3, titles[cases[i].kind]);
    }
}

static double no_potential(const lie_system *sys, const double *g)
{
    (void)sys, (void)g;
    return 0.0;
}

static void no_force(const lie_system *sys, double *F, const double *g)
{
    (void)g;
    for (int i = 0; i < sys->group->dim; i++) F[i] = 0.0;
}

/* Whoever replaces a force has replaced it, whatever the form said of the one before. */
void test_form_speaks_for_no_other_callback(void)
{
    static twins T;
    lie_random rng = {8u};
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < METHODS; i++) {
            const lie_method *m;
            lie_state a, b;
            make_twins(&T, kind, &rng);
            lie_system with = T.catalogue;
            with.force = no_force, with.potential = no_potential, with.force_deriv = 0;
            lie_system without = with;
            without.form = 0;
            TEST_ASSERT_EQUAL(0, lie_form_states(&with) & LIE_FORM_FORCE);
            TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&m, methods[i]));
            if (lie_method_takes(m, &with) != LIE_OK) continue;
            start_of(&a, &with, &rng);
            b = a;
            run_twin(&with, methods[i], &a, 20, titles[kind]);
            if (kind == 7) continue;
            run_twin(&without, methods[i], &b, 20, titles[kind]);
            states_same_bits(with.group, &a, &b, titles[kind]);
        }
}

void test_form_statuses(void)
{
    static twins T;
    lie_random rng = {3u};
    lie_form named = heavy;
    lie_report report;
    make_twins(&T, 0, &rng);
    lie_system sys = {.name = "own", .group = T.mine.group, .inertia = T.own.inertia, .params = &T.own};
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_form_complete(&sys));
    sys.form = &heavy;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_explain(&report, &sys)); /* the ready callbacks are not there */
    TEST_ASSERT_EQUAL_STRING("system.force", report.what);
    named.force = other_force, sys.form = &named;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_form_complete(&sys));
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_check(&sys)); /* a free body: the form speaks for another force */
    sys.form = &vessel;
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_form_complete(&sys));
    sys.form = &turning, sys.group = &lie_se3_cay_ops;
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_form_complete(&sys));
    sys.form = &heavy, sys.group = T.mine.group, sys.force = other_force;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_form_complete(&sys));
    sys.force = 0, sys.inertia = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_form_complete(&sys));
    TEST_ASSERT_NULL(sys.force);
    sys.inertia = T.own.inertia;
    TEST_ASSERT_EQUAL(LIE_OK, lie_form_complete(&sys));
    TEST_ASSERT_TRUE(sys.force == lie_form_force && sys.potential == lie_form_potential && !sys.gyro && !sys.external);
}
