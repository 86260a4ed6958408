/* SPDX-License-Identifier: MIT */
/* test_bench_precision.c: the judge of `liestep bench` judged: its reference against the library's equations and a
 * published value, its error measures and its curves where the answer is known. */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/precision/contest.h"
#include "unity.h"

static lie_free_body body;
static lie_heavy_top top;
static lie_turntable table;
static lie_satellite satellite;
static lie_orbiter orbiter;
static lie_vehicle vehicle;
static lie_particle particle;
static lie_spacecraft craft;

static const double dense3[9] = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9};
static const double dense6[36] = {1.31,  0.04, -0.02, 0.03, 0.25,  -0.08, 0.04,  1.62,  0.05, -0.31, 0.02, 0.11,
                                  -0.02, 0.05, 1.94,  0.09, -0.14, 0.01,  0.03,  -0.31, 0.09, 4.10,  0.12, -0.05,
                                  0.25,  0.02, -0.14, 0.12, 5.20,  0.07,  -0.08, 0.11,  0.01, -0.05, 0.07, 5.90};

/* Every built-in system with nothing zero. */
enum { SYSTEMS = 10 };

static void make_attitude_systems(lie_system *out)
{
    memcpy(body.inertia, dense3, sizeof dense3);
    top = (lie_heavy_top){.mass = 0.7, .centre = {0.3, -0.2, 0.9}, .gravity = 2.3};
    memcpy(top.inertia, dense3, sizeof dense3);
    table = (lie_turntable){.top = top, .rate = 0.6};
    satellite = (lie_satellite){.orbit_rate = 0.8, .wheels = {0.2, -0.3, 0.4}};
    memcpy(satellite.inertia, dense3, sizeof dense3);
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&out[0], &body, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&out[1], &top, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&out[2], &top, "SO3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_turntable_system(&out[3], &table, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&out[4], &satellite, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&out[5], &satellite, "SO3"));
}

static void make_systems(lie_system *out)
{
    make_attitude_systems(out);
    orbiter = (lie_orbiter){.gm = 40.0};
    lie_inertia_diagonal(6, orbiter.inertia, (double[]){1.1, 1.7, 2.3, 3.1, 3.1, 3.1});
    vehicle =
        (lie_vehicle){.weight = 2.0, .buoyancy = 2.4, .weight_at = {0.1, 0.0, -0.2}, .buoyancy_at = {0, 0.1, 0.3}};
    memcpy(vehicle.inertia, dense6, sizeof dense6);
    for (int i = 0; i < 6; i++) vehicle.linear_drag[7 * i] = 0.1 * (i + 1), vehicle.quadratic_drag[i] = 0.05 * (i + 1);
    vehicle.thrusters = 1;
    memcpy(vehicle.thruster_at[0], (double[]){0.4, 0.2, -0.1}, 3 * sizeof(double));
    memcpy(vehicle.thruster_along[0], (double[]){0.6, 0.0, 0.8}, 3 * sizeof(double));
    particle = (lie_particle){.inertia = {1.2, 0.0, 0.0, 0.8}, .drag = 0.3};
    TEST_ASSERT_EQUAL(LIE_OK, lie_orbiter_system(&out[6], &orbiter, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&out[7], &vehicle, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&out[8], &particle, NULL));
    craft = (lie_spacecraft){.body = orbiter};
    TEST_ASSERT_EQUAL(LIE_OK, lie_spacecraft_system(&out[9], &craft, "SO3/cay"));
}

static const double thrust[1] = {0.7};

static lie_state generic_state(const lie_system *sys)
{
    static const double x[6] = {0.7, -0.4, 0.9, 2.1, -1.3, 1.7}, xi[6] = {0.5, -0.8, 0.6, 0.4, -0.3, 0.2};
    lie_state s;
    double g[LIE_SIZE_MAX];
    TEST_ASSERT_EQUAL(LIE_OK, sys->group->tau(sys->group, g, x));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, &s, 0.0, g, xi));
    return s;
}

/* Two texts of the equations: the judge's, and the one peers are given, beside the library's. */
void test_bench_equations_agree_with_the_library(void)
{
    lie_system systems[SYSTEMS];
    make_systems(systems);
    for (int k = 0; k < SYSTEMS; k++) {
        const lie_system *sys = &systems[k];
        const double *u = sys->controls ? thrust : NULL;
        lie_state s = generic_state(sys);
        double xi[LIE_DIM_MAX], rate[LIE_DIM_MAX], y[RATE_SIZE], dy[RATE_SIZE], worst[2] = {0.0, 0.0};
        reference_model model;
        reference_state at;
        long double exact[REFERENCE_SIZE];
        rate_problem p;
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(sys, xi, &s));
        lie_system_momentum_rate(sys, rate, 0.0, s.g, xi, u);
        TEST_ASSERT_EQUAL(0, reference_model_init(&model, sys, u));
        reference_start(&model, &at, &s);
        model.rate(&model, exact, at.y);
        TEST_ASSERT_EQUAL(0, rate_problem_init(&p, sys, u));
        rate_pack(&p, y, s.g, s.m);
        p.rate(dy, y, &p);
        TEST_ASSERT_EQUAL(p.length, model.length);
        for (int i = 0; i < p.length; i++) worst[0] = fmax(worst[0], fabs((double)(exact[i] - (long double)dy[i])));
        for (int i = 0; i < p.dim; i++) worst[1] = fmax(worst[1], fabs((double)exact[p.length - p.dim + i] - rate[i]));
        printf("%-10s %-3s judge against peers %.1e, against the library %.1e\n", sys->name, sys->group->group,
               worst[0], worst[1]);
        TEST_ASSERT_TRUE(worst[0] < 2e-14 && worst[1] < 2e-14);
    }
}

static void set_bruels(lie_system *sys, lie_state *s)
{
    top = (lie_heavy_top){.mass = 15.0, .centre = {0.0, 1.0, 0.0}, .gravity = 9.81};
    lie_inertia_diagonal(3, top.inertia, (double[]){15.234375, 0.46875, 15.234375});
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(sys, &top, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK,
                      lie_state_set(sys, s, 0.0, (double[]){1.0, 0.0, 0.0, 0.0}, (double[]){0.0, 150.0, -4.61538}));
}

/* Bruels, Cardona & Arnold 2012: spatial rate about the second axis at t = 2 */
void test_bench_reference_gives_the_published_top(void)
{
    lie_system sys;
    lie_state s, end;
    reference r;
    double w[3], spatial[3];
    set_bruels(&sys, &s);
    TEST_ASSERT_EQUAL(0, reference_make(&r, &sys, NULL, &s, 1, (double[]){2.0}));
    reference_round(&r.model, &end, &r.at[0]);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(&sys, w, &end));
    lie_s3_act(spatial, end.g, w);
    printf("omega_y(2) = %.14f, published -106.16380414306643; two settings differ by %.1e\n", spatial[1], r.check[0]);
    TEST_ASSERT_TRUE(r.check[0] < 1e-13 && r.pointwise[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, -106.16380414306643, spatial[1]);
    TEST_ASSERT_TRUE(r.conserves_energy && r.conserves_momentum[2]);
    TEST_ASSERT_FALSE(r.conserves_momentum[0] || r.conserves_momentum[1]);
}

/* The error of big steps of a second and of half a second, against an eighth */
void test_bench_reference_has_order_16(void)
{
    lie_system systems[SYSTEMS];
    make_systems(systems);
    lie_state s = generic_state(&systems[4]);
    reference_model model;
    reference_state run[3];
    static const long pieces[3] = {6, 12, 48};
    TEST_ASSERT_EQUAL(0, reference_model_init(&model, &systems[4], NULL));
    for (int k = 0; k < 3; k++) {
        reference_start(&model, &run[k], &s);
        reference_advance(&model, &run[k], 6.0L, pieces[k]);
    }
    double coarse = reference_compare(&model, &run[2], &run[0]).attitude;
    double fine = reference_compare(&model, &run[2], &run[1]).attitude, order = log2(coarse / fine);
    printf("errors %.1e and %.1e: order %.1f\n", coarse, fine, order);
    TEST_ASSERT_TRUE(order > 14.5 && order < 17.5);
}

/* The vehicle of scenarios/vehicle.yaml: chaotic; slow, about its stiffest axis: regular. */
static reference vehicle_reference(int slow)
{
    static const double wild[6] = {
        0, 10.253226909190998, 0.72970473640639189, 1.6841492255000285, 0.45126642490623337, -3.6};
    static lie_system sys;
    static const double tame[6] = {0.1, 0.3, 2.85, 0.2, 0.2, 0.9};
    lie_state s;
    double g[12];
    reference r;
    vehicle = (lie_vehicle){.weight = 0.0};
    lie_inertia_diagonal(6, vehicle.inertia, (double[]){1, 2, 3, 1, 2, 3});
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&sys, &vehicle, NULL));
    sys.group->identity(sys.group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s, 0.0, g, slow ? tame : wild));
    TEST_ASSERT_EQUAL(0, reference_make(&r, &sys, NULL, &s, 2, (double[]){2.0, 400.0}));
    return r;
}

void test_bench_reference_tells_chaos_from_order(void)
{
    reference wild = vehicle_reference(0), tame = vehicle_reference(1);
    printf("grown %.2g times on the chaotic orbit, %.2g times like t^%.2f on the regular one\n", wild.growth[1],
           tame.growth[1], tame.exponent);
    TEST_ASSERT_TRUE(wild.pointwise[0]);
    TEST_ASSERT_FALSE(wild.pointwise[1]);
    TEST_ASSERT_TRUE(tame.pointwise[0] && tame.pointwise[1]);
    for (int i = 0; i < 6; i++) TEST_ASSERT_TRUE(wild.conserves_momentum[i]);
}

void test_bench_unknown_system_has_no_reference(void)
{
    lie_system sys;
    lie_state s;
    reference r;
    set_bruels(&sys, &s);
    sys.name = "my own";
    TEST_ASSERT_EQUAL(-1, reference_make(&r, &sys, NULL, &s, 1, (double[]){2.0}));
}

/* A state turned by 1e-3 rad about some axis, moved, with another momentum: the answers are known. */
void test_bench_errors_are_what_they_are_called(void)
{
    lie_system systems[SYSTEMS];
    make_systems(systems);
    static const int chosen[] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        const lie_system *sys = &systems[chosen[k]];
        const lie_ops *G = sys->group;
        problem p;
        reference r = {.times = 1};
        lie_state s = generic_state(sys), off = s;
        double twist[6] = {6e-4, 0.0, 8e-4, 0.0, 0.0, 0.0}, turn[LIE_SIZE_MAX];
        problem_init(&p, sys, thrust, &s);
        TEST_ASSERT_EQUAL(0, reference_model_init(&r.model, sys, thrust));
        reference_start(&r.model, &r.at[0], &s);
        TEST_ASSERT_TRUE(errors_of(&p, &r, 0, &s).attitude < 1e-15);
        lie_so3_exp(turn, twist);
        if (G->size == 4) lie_s3_exp(turn, twist);
        if (G->size == 12) lie_se3_exp(turn, twist);
        G->mul(G, off.g, s.g, turn);
        if (G->size == 4)
            for (int i = 0; i < 4; i++) off.g[i] = -off.g[i]; /* the same attitude */
        if (G->size == 12) off.g[9] += 3e-3, off.g[11] -= 4e-3;
        errors e = errors_of(&p, &r, 0, &off);
        printf("%s: angle %.17g, position %g\n", G->group, e.attitude, e.position);
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1e-3, e.attitude);
        if (G->size == 12)
            TEST_ASSERT_DOUBLE_WITHIN(1e-15, 5e-3, e.position);
        else
            TEST_ASSERT_TRUE(isnan(e.position));
        off = s;
        for (int i = 0; i < G->dim; i++) off.m[i] *= 1.0 + 1e-6;
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 1e-6, errors_of(&p, &r, 0, &off).momentum);
        TEST_ASSERT_TRUE(errors_of(&p, &r, 0, &off).energy > 1e-7);
    }
}

/* error = 10 h^4, ns = 5/h: cost at an error is 5 (10/error)^(1/4), whatever the steps were */
void test_bench_cost_is_read_off_the_curve(void)
{
    static curve curves[2];
    contest c = {.curves = 2, .curve = curves};
    c.reference.model.attitude = 1;
    c.reference.times = 1;
    c.reference.pointwise[0] = c.reference.conserves_energy = 1;
    c.reference.t[0] = 30.0;
    c.problem.sys.name = "heavy_top";
    for (int i = 0; i < 2; i++) {
        curves[i].points = 12;
        curves[i].by = (contender){.order = 4, .rival = i};
        for (int k = 0; k < 12; k++) {
            double h = 0.3 * pow(1.7, -k);
            curves[i].point[k] = (point){.knob = h, .ns = (i ? 5.0 : 2.0) / h};
            curves[i].point[k].at[0].attitude = 10.0 * pow(h, 4.0);
        }
    }
    for (int l = 0; l < LEVELS - 1; l++) {
        double wanted = 5.0 * pow(10.0 / contest_levels[l], 0.25);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9 * wanted, wanted, contest_cost(&c, 1, 0, contest_levels[l]));
        verdict v = contest_verdict(&c, 0, contest_levels[l]);
        TEST_ASSERT_EQUAL(0, v.ours);
        TEST_ASSERT_EQUAL(1, v.theirs);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.4, v.ratio);
        TEST_ASSERT_EQUAL_DOUBLE(1.0, v.target);
    }
    TEST_ASSERT_TRUE(isnan(contest_cost(&c, 1, 0, 1e-12)));           /* nobody extrapolates */
    TEST_ASSERT_EQUAL_DOUBLE(5.0 / 0.3, contest_cost(&c, 1, 0, 1.0)); /* the cheapest that is better */
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 4.0, contest_order(&c, 1, 0));
    c.reference.pointwise[0] = 0;
    TEST_ASSERT_EQUAL(-1, contest_verdict(&c, 0, 1e-4).ours);
}

/* Who keeps structure, and who did so before, by what the descriptors claim: prices 6, 3, 2 and 1 of split6, gauss8,
 * pirk16 and a peer. */
void test_bench_structure_has_its_price(void)
{
    static const char *const names[] = {"split6", "gauss8", "pirk16", NULL};
    static const double price[] = {6.0, 3.0, 2.0, 1.0};
    static curve curves[4];
    contest c = {.curves = 4, .curve = curves};
    c.reference.model.attitude = 1;
    c.reference.times = 1;
    c.reference.pointwise[0] = c.reference.conserves_energy = 1;
    c.reference.t[0] = 3000.0;
    c.problem.sys.name = "heavy_top";
    for (int i = 0; i < 4; i++) {
        curves[i].points = 1;
        if (names[i]) TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&curves[i].by.method, names[i]));
        curves[i].by.rival = !names[i];
        curves[i].point[0] = (point){.ns = price[i]};
        curves[i].point[0].at[0].attitude = 1e-11;
    }
    keeping v = contest_keeping(&c, 0, 1e-10);
    TEST_ASSERT_EQUAL(1, v.best);
    TEST_ASSERT_EQUAL(3, v.other); /* the best of all others, theirs and ours */
    TEST_ASSERT_EQUAL(0, v.former);
    TEST_ASSERT_EQUAL_DOUBLE(3.0, v.ratio);
    TEST_ASSERT_EQUAL_DOUBLE(2.0, v.target);
    TEST_ASSERT_EQUAL_DOUBLE(0.5, v.ratio_former);
    TEST_ASSERT_EQUAL_DOUBLE(0.25, v.target_former);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, contest_keeping(&c, 0, 1e-6).target); /* wanted of small errors alone */
    c.reference.t[0] = 30.0;
    TEST_ASSERT_EQUAL_DOUBLE(3.0, contest_keeping(&c, 0, 1e-8).target);
    c.reference.conserves_energy = 0;
    TEST_ASSERT_EQUAL_DOUBLE(0.0, contest_keeping(&c, 0, 1e-8).target);
    c.curves = 1;
    TEST_ASSERT_TRUE(isnan(contest_keeping(&c, 0, 1e-8).ratio));
    TEST_ASSERT_EQUAL(-1, contest_keeping(&c, 0, 1e-12).best);
}

/* A million steps, energy errors of the size 1e-6 and means that `shape` gives for the block at 0 < t < 1 */
static drift long_run(double (*shape)(double t), double round_off)
{
    drift d = {.measured = 1, .steps = 1000000, .samples = DRIFT_SAMPLES, .energy_max = 1e-6, .energy_range = 1e-6};
    d.energy_round_off = d.momentum_round_off = round_off;
    for (int k = 0; k < DRIFT_SAMPLES; k++) d.energy_mean[k] = shape((k + 0.5) / DRIFT_SAMPLES);
    d.energy_trend = drift_trend_of(d.energy_mean, DRIFT_SAMPLES);
    return d;
}

/* Numbers in (-1, 1) without a pattern */
static double noise(double t)
{
    double a = 1e4 * sin(1e3 * t);
    return 2.0 * (a - floor(a)) - 1.0;
}

static double steady(double t)
{
    return 1e-7 * noise(t);
}

static double beating(double t) /* four and a half slow beats: its ends differ by twice its amplitude */
{
    return 1e-7 * noise(t) + 4e-7 * cos(28.3 * t);
}

static double falling(double t) /* by less than the noise of a single mean */
{
    return 1e-7 * noise(t) - 1e-7 * t;
}

static double falling_far(double t) /* and bent, so that no straight line is near */
{
    return -1e-5 * (1.0 - exp(-5.0 * t));
}

void test_bench_drift_is_told_from_oscillation(void)
{
    drift d = long_run(steady, 1e-12);
    TEST_ASSERT_FALSE(drift_found(&d));
    d = long_run(beating, 1e-12);
    printf("a beat: %.1e +- %.1e\n", d.energy_trend.rise, d.energy_trend.error);
    TEST_ASSERT_FALSE(drift_found(&d));
    d = long_run(falling, 1e-12);
    printf("a fall by 1e-7 below noise of 1e-7: %.1e +- %.1e\n", d.energy_trend.rise, d.energy_trend.error);
    TEST_ASSERT_DOUBLE_WITHIN(4.0 * d.energy_trend.error, -1e-7, d.energy_trend.rise);
    TEST_ASSERT_TRUE(drift_found(&d));
    d = long_run(falling, 2e-7); /* the same would be round-off there */
    TEST_ASSERT_FALSE(drift_found(&d));
    d = long_run(falling_far, 1e-12);
    TEST_ASSERT_TRUE(fabs(d.energy_trend.rise) < 4.0 * d.energy_trend.error);
    TEST_ASSERT_TRUE(drift_found(&d));
}

/* A chaotic orbit may stay where the mean of the error is another for as long as the run: what is less than the
 * oscillation has to go on. */
void test_bench_drift_that_does_not_go_on_is_none(void)
{
    drift d = long_run(falling, 1e-12), again = long_run(steady, 1e-12);
    d.is_doubtful = 1, d.energy_again = again.energy_trend;
    TEST_ASSERT_FALSE(drift_found(&d));
    d.energy_again = d.energy_trend;
    TEST_ASSERT_TRUE(drift_found(&d));
    d.energy_again.rise = -d.energy_again.rise;
    TEST_ASSERT_FALSE(drift_found(&d));
    d.energy_range = 1e-8; /* beyond the oscillation there is no doubt */
    TEST_ASSERT_TRUE(drift_found(&d));
}

void test_bench_drift_claims_are_judged(void)
{
    lie_method m = {.name = "m", .symplectic = 1, .momentum = 1};
    contender by = {.method = &m};
    contest c = {.reference = {.conserves_energy = 1}};
    drift good = long_run(beating, 1e-12), bad = long_run(falling, 1e-12);
    good.momentum_max = 1e-13, bad.momentum_max = 1e-11;
    TEST_ASSERT_EQUAL(DRIFT_HELD, drift_judge(&c, &by, &good).energy);
    TEST_ASSERT_EQUAL(DRIFT_HELD, drift_judge(&c, &by, &good).momentum);
    TEST_ASSERT_EQUAL(DRIFT_BROKEN, drift_judge(&c, &by, &bad).energy);
    TEST_ASSERT_EQUAL(DRIFT_BROKEN, drift_judge(&c, &by, &bad).momentum);
    m.energy = 1; /* exact: no oscillation either */
    TEST_ASSERT_EQUAL(DRIFT_BROKEN, drift_judge(&c, &by, &good).energy);
    good.energy_max = 1e-13;
    TEST_ASSERT_EQUAL(DRIFT_HELD, drift_judge(&c, &by, &good).energy);
    m = (lie_method){.name = "none"};
    TEST_ASSERT_EQUAL(DRIFT_NO_CLAIM, drift_judge(&c, &by, &bad).energy);
    TEST_ASSERT_EQUAL(DRIFT_NO_CLAIM, drift_judge(&c, &by, &bad).momentum);
    m.symplectic = 1;
    bad.samples = 7; /* a run that failed is judged by its status */
    TEST_ASSERT_EQUAL(DRIFT_NO_CLAIM, drift_judge(&c, &by, &bad).energy);
}

/* The whole of it on a heavy top: sv and split4 hold, RK4 is found out in energy and momentum. */
void test_bench_drift_finds_rk4(void)
{
    static const char *const names[] = {"sv", "split4", "rkmk4"};
    static curve curves[3];
    lie_system systems[SYSTEMS];
    make_systems(systems);
    lie_state s = generic_state(&systems[1]);
    contest c = {.curves = 3, .curve = curves, .plan = {.step = 0.02}};
    problem_init(&c.problem, &systems[1], NULL, &s);
    c.reference.conserves_energy = c.reference.conserves_momentum[2] = 1;
    for (int i = 0; i < 3; i++) {
        const lie_method *m;
        drift d;
        TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&m, names[i]));
        TEST_ASSERT_EQUAL(LIE_OK, contender_of_method(&curves[i].by, &c.problem, m, NULL));
        contest_drift(&c, i, 50000, 100.0, &d);
        printf("%-10s rise %.1e +- %.1e, largest %.1e; momentum %.1e\n", curves[i].by.name, d.energy_trend.rise,
               d.energy_trend.error, d.energy_max, d.momentum_max);
        TEST_ASSERT_EQUAL(LIE_OK, d.status);
        TEST_ASSERT_EQUAL(50000, d.steps);
        TEST_ASSERT_EQUAL(i == 2, drift_found(&d));
        TEST_ASSERT_EQUAL(i == 2, d.momentum_max > d.momentum_round_off);
        TEST_ASSERT_FALSE(d.is_doubtful);
        if (i < 2) TEST_ASSERT_EQUAL(DRIFT_HELD, drift_judge(&c, &curves[i].by, &d).energy);
        contest_drift(&c, i, 50000, 1e-9, &d); /* no time: a tenth of the steps, in as many blocks */
        TEST_ASSERT_EQUAL(5000, d.steps);
        TEST_ASSERT_EQUAL(DRIFT_SAMPLES, d.samples);
    }
    /* so short that RK4 has not yet lost what the oscillation is: found, and found again */
    drift d;
    contest_drift(&c, 2, 4000, 100.0, &d);
    printf("again      rise %.1e +- %.1e, then %.1e +- %.1e; range %.1e\n", d.energy_trend.rise, d.energy_trend.error,
           d.energy_again.rise, d.energy_again.error, d.energy_range);
    TEST_ASSERT_TRUE(d.is_doubtful && drift_found(&d));
    TEST_ASSERT_EQUAL(4000, d.steps);
}

/* What is zero everywhere is left out; what is counted is the number of stages. */
void test_bench_counts_forces(void)
{
    lie_system systems[SYSTEMS];
    make_systems(systems);
    lie_state s = generic_state(&systems[1]);
    problem p;
    contender by;
    const lie_method *sv;
    counts found;
    lie_status why;
    problem_init(&p, &systems[1], NULL, &s);
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&sv, "sv"));
    TEST_ASSERT_EQUAL(LIE_OK, contender_of_method(&by, &p, sv, NULL));
    TEST_ASSERT_EQUAL_STRING("sv/cay", by.name);
    trial *r = trial_open(&by, &p, 0.01, &found, &why);
    TEST_ASSERT_NOT_NULL(r);
    TEST_ASSERT_EQUAL(LIE_OK, trial_advance(r, 1.0));
    trial_close(r);
    printf("sv: %lld forces in 100 steps\n", found.forces);
    TEST_ASSERT_TRUE(found.forces >= 100 && found.forces <= 200);
    TEST_ASSERT_EQUAL(LIE_OK, contender_of_peer(&by, &p, peers_plain[0]));
    r = trial_open(&by, &p, 0.01, &found, &why);
    TEST_ASSERT_EQUAL(LIE_OK, trial_advance(r, 1.0));
    trial_close(r);
    TEST_ASSERT_EQUAL(400, found.forces);
    vehicle = (lie_vehicle){.weight = 0.0};
    memcpy(vehicle.inertia, dense6, sizeof dense6);
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&systems[7], &vehicle, NULL));
    s = generic_state(&systems[7]);
    problem_init(&p, &systems[7], NULL, &s);
    TEST_ASSERT_TRUE(!p.sys.force && !p.sys.potential && !p.sys.external && p.has_rates);
}
