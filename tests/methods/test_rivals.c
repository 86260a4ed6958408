/* SPDX-License-Identifier: MIT */
/* Energy-momentum and coadjoint methods against their formulas, written here independently, and what they keep and do
 * not keep over long runs. Their order, and each claim on every group, are measured by the tests that run over the list
 * of methods. */
#include "tests/support/stepper_fixture.h"

#include <liestep/systems.h>
#include <liestep/tangent.h>

#include <float.h>

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

static void start(lie_state *s)
{
    lie_random rng = {81u};
    state_random(&f.sys, s, &rng, 0.6, 0.9);
}

static void cross(double *out, const double *a, const double *b)
{
    double r[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, r, sizeof r);
}

/* Pi+ = Pi + h Pi' x I^-1 Pi', Pi' = (Pi + Pi+)/2, by fixed point iteration; then R+ = R cay(h I^-1 Pi') */
static void akw_by_fixed_point(const lie_system *sys, lie_state *s, double h)
{
    double next[3], mean[3], x[3] = {0.0}, turn[3], T[4 * FIXTURE_DIM];
    const lie_ops *cay;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&cay, sys->group->group, "cay"));
    memcpy(next, s->m, sizeof next);
    for (int k = 0; k < 80; k++) {
        for (int i = 0; i < 3; i++) mean[i] = 0.5 * (s->m[i] + next[i]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, x, s->g, mean));
        cross(turn, mean, x);
        for (int i = 0; i < 3; i++) next[i] = s->m[i] + h * turn[i];
    }
    for (int i = 0; i < 3; i++) x[i] *= h;
    TEST_ASSERT_EQUAL(LIE_OK, cay->tau(cay, T, x));
    cay->mul(cay, s->g, s->g, T);
    memcpy(s->m, next, sizeof next);
}

void test_rivals_akw_is_simo_wong_with_cay(void)
{
    const lie_ops *const groups[3] = {&lie_so3_exp_ops, &lie_so3_cay_ops, &lie_s3_exp_ops};
    double worst = 0.0, with_exp = 0.0;
    for (int k = 0; k < 3; k++) {
        lie_state a, b, c, d;
        fixture_make(&f, groups[k], 0);
        start(&a);
        b = c = d = a;
        walker_init(&w[0], &f.sys, "akw", 0, 0);
        walker_init(&w[1], &f.sys, "simo_wong", "cay", 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &a, 0.11, 40));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &b, 0.11, 40));
        for (int i = 0; i < 40; i++) akw_by_fixed_point(&f.sys, &c, 0.11);
        walker_init(&w[1], &f.sys, "simo_wong", "exp", 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &d, 0.11, 40));
        worst = fmax(worst, fmax(state_distance(groups[k], &a, &b), state_distance(groups[k], &a, &c)));
        with_exp = fmax(with_exp, state_distance(groups[k], &a, &d));
    }
    printf("  akw, simo_wong with cay, and the formula: apart by %.1e; simo_wong with exp: %.1e\n", worst, with_exp);
    TEST_ASSERT_TRUE(worst <= 2e-14);
    TEST_ASSERT_TRUE(with_exp > 1e-4);
}

/* Moser & Veselov: m, m+ = (S -+ hat(s)) J - J (S +- hat(s)), tau = S + hat(s): the mean is I s, as simo_wong asks. */
void test_rivals_simo_wong_with_the_skew_map_of_so3_is_dmv(void)
{
    const char *const retractions[3] = {"skew", "cay", "exp"};
    double apart[3];
    fixture_make(&f, &lie_so3_exp_ops, 0);
    for (int k = 0; k < 3; k++) {
        lie_state a, b;
        walker_init(&w[0], &f.sys, "simo_wong", retractions[k], 0);
        walker_init(&w[1], &f.sys, "dmv", 0, 0);
        start(&a);
        b = a;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &a, 0.1, 50));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &b, 0.1, 50));
        apart[k] = state_distance(lie_stepper_group(w[0].st), &a, &b);
    }
    printf("  simo_wong with skew and dmv: apart by %.1e; with cay %.1e, with exp %.1e\n", apart[0], apart[1],
           apart[2]);
    TEST_ASSERT_TRUE(apart[0] < 1e-13 && apart[1] > 1e-5 && apart[2] > 1e-5);
}

/* Pi+ = Ad*_{tau(h x)} Pi, x = I^-1 (Pi + Pi+)/2, by fixed point iteration, on any group */
static void simo_wong_by_fixed_point(const lie_system *sys, lie_state *s, double h)
{
    const lie_ops *G = sys->group;
    double next[FIXTURE_DIM], mean[FIXTURE_DIM], x[FIXTURE_DIM], T[4 * FIXTURE_DIM];
    memcpy(next, s->m, (size_t)G->dim * sizeof *next);
    for (int k = 0; k < 80; k++) {
        for (int i = 0; i < G->dim; i++) mean[i] = 0.5 * (s->m[i] + next[i]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, x, s->g, mean));
        for (int i = 0; i < G->dim; i++) x[i] *= h;
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, T, x));
        G->Adt(G, next, T, s->m);
    }
    G->mul(G, s->g, s->g, T);
    memcpy(s->m, next, (size_t)G->dim * sizeof *next);
}

/* For a quadratic energy the discrete gradient is the velocity of the mean momentum. */
void test_rivals_engo_faltinsen_is_simo_wong_without_potential(void)
{
    double worst = 0.0;
    for (int k = 0; k < all.count; k++) {
        lie_state a, b, c;
        fixture_make(&f, all.G[k], 0);
        start(&a);
        b = c = a;
        walker_init(&w[0], &f.sys, "engo_faltinsen", 0, 0);
        walker_init(&w[1], &f.sys, "simo_wong", 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &a, 0.07, 20));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &b, 0.07, 20));
        for (int i = 0; i < 20; i++) simo_wong_by_fixed_point(&f.sys, &c, 0.07);
        states_same_bits(all.G[k], &a, &b, all.G[k]->group);
        worst = fmax(worst, state_distance(all.G[k], &a, &c));
        TEST_ASSERT_TRUE_MESSAGE(worst <= 5e-14, all.G[k]->group);
    }
    printf("  engo_faltinsen and simo_wong without potential: the formula to %.1e\n", worst);
}

/* A fast heavy top without any symmetry but that about the vertical. */
static void make_top(lie_system *sys, lie_state *s)
{
    static const lie_heavy_top top = {{1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9}, 1.4, {0.3, -0.2, 1.0}, 9.81};
    const double x[3] = {0.5, -0.3, 0.2}, xi[3] = {0.7, 0.9, 4.6};
    double g[9];
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(sys, &top, "SO3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_exp_ops.tau(&lie_so3_exp_ops, g, x));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, g, xi));
}

/* The largest change of energy and of the momentum about the vertical in a run, relative. */
typedef struct drift {
    double energy, vertical;
} drift;

static drift drift_of(const char *method, const char *retraction, double h, int steps)
{
    lie_system sys;
    lie_state s;
    drift d = {0.0, 0.0};
    double E0, E, J0[3], J[3];
    make_top(&sys, &s);
    walker_init(&w[0], &sys, method, retraction, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E0, &s));
    lie_state_spatial_momentum(&sys, J0, &s);
    for (int k = 0; k < steps; k += 10) {
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(w[0].st, &s, h, 10), method);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E, &s));
        lie_state_spatial_momentum(&sys, J, &s);
        d.energy = fmax(d.energy, fabs(E / E0 - 1.0));
        d.vertical = fmax(d.vertical, fabs(J[2] / J0[2] - 1.0));
    }
    return d;
}

void test_rivals_energy_and_momentum_of_a_heavy_top(void)
{
    static const char *const retractions[3] = {"exp", "cay", "skew"};
    for (int k = 0; k < 3; k++) {
        drift ef = drift_of("engo_faltinsen", retractions[k], 0.02, 50000);
        drift sv = drift_of("sv", retractions[k], 0.02, 50000);
        drift newmark = drift_of("newmark", retractions[k], 0.02, 50000);
        printf("  5e4 steps, %-4s energy and vertical momentum: engo_faltinsen %.0e %.0e, sv %.0e %.0e, newmark %.0e "
               "%.0e\n",
               retractions[k], ef.energy, ef.vertical, sv.energy, sv.vertical, newmark.energy, newmark.vertical);
        TEST_ASSERT_TRUE(ef.energy < 1e-12 && ef.vertical < 1e-12);
        TEST_ASSERT_TRUE(sv.energy > 1e-4 && sv.vertical < 1e-12);
        TEST_ASSERT_TRUE(newmark.energy > 1e-4 && newmark.vertical > 1e-4);
    }
}

/* The vehicle of scenarios/bench/vehicle_dense.yaml, where a step leaves less than an eps of the energy, mostly of the
 * same sign: over 10^5 steps that is not to add up to more than a random walk of roundings. */
void test_rivals_engo_faltinsen_leaves_no_energy_behind(void)
{
    enum { STEPS = 100000 };
    static const double upper[21] = {1.31, 0.04, -0.02, 0.03, 0.25, -0.08, 1.62,  0.05, -0.31, 0.02, 0.11,
                                     1.94, 0.09, -0.14, 0.01, 4.10, 0.12,  -0.05, 5.20, 0.07,  5.90};
    lie_vehicle body = {.weight = 2.0, .buoyancy = 2.0, .weight_at = {0.0, 0.0, -0.1}};
    const double xi[6] = {0.1, 0.2, 0.95, 0.1, 0.05, 0.1};
    lie_system sys;
    lie_state s;
    double g[12], E0, E;
    for (int i = 0, k = 0; i < 6; i++)
        for (int j = i; j < 6; j++, k++) body.inertia[6 * i + j] = body.inertia[6 * j + i] = upper[k];
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&sys, &body, NULL));
    sys.group->identity(sys.group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, g, xi));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E0, &s));
    walker_init(&w[0], &sys, "engo_faltinsen", "cay", 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, 0.05, STEPS));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E, &s));
    printf("  energy after 1e5 steps: %.1e\n", E / E0 - 1.0);
    TEST_ASSERT_TRUE(fabs(E / E0 - 1.0) < 4.0 * DBL_EPSILON * sqrt(STEPS));
}

/* The free body: the largest relative change of energy, spatial momentum and |m|. */
static void free_drift(const char *method, double *energy, double *momentum, double *norm)
{
    lie_state s;
    double E0, E, J0[3], J[3];
    fixture_make(&f, &lie_so3_exp_ops, 0);
    start(&s);
    walker_init(&w[0], &f.sys, method, 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &E0, &s));
    lie_state_spatial_momentum(&f.sys, J0, &s);
    double m0 = sqrt(fixture_dot(3, s.m, s.m));
    *energy = *momentum = *norm = 0.0;
    for (int k = 0; k < 500; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w[0].st, &s, 0.1));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &E, &s));
        lie_state_spatial_momentum(&f.sys, J, &s);
        *energy = fmax(*energy, fabs(E / E0 - 1.0));
        *norm = fmax(*norm, fabs(sqrt(fixture_dot(3, s.m, s.m)) / m0 - 1.0));
        for (int i = 0; i < 3; i++) *momentum = fmax(*momentum, fabs(J[i] - J0[i]) / m0);
    }
}

/* On SO3 newmark keeps neither energy nor momentum nor |m|, which the other three keep. */
void test_rivals_newmark_keeps_nothing_on_so3(void)
{
    static const char *const names[4] = {"newmark", "akw", "simo_wong", "engo_faltinsen"};
    for (int k = 0; k < 4; k++) {
        double E, J, norm;
        free_drift(names[k], &E, &J, &norm);
        printf("  free body, h = 0.1, 500 steps, %-14s energy %.0e, momentum %.0e, |m| %.0e\n", names[k], E, J, norm);
        if (k == 0)
            TEST_ASSERT_TRUE(E > 1e-5 && J > 1e-4 && norm > 1e-5);
        else
            TEST_ASSERT_TRUE(E < 1e-14 && J < 1e-14 && norm < 1e-14);
    }
}

/* The end of a run of newmark with these coefficients, and back again with -h where asked for. */
static lie_state newmark_end(const double *coefficients, int steps, int and_back)
{
    static double work[FIXTURE_WORK];
    lie_options opt = {.method = "newmark", .newmark = coefficients};
    lie_stepper *st;
    lie_state s;
    start(&s);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &f.sys, &opt, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, 1.0 / steps, steps));
    if (and_back) TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, -1.0 / steps, steps));
    return s;
}

/* Order 2 and self-adjoint if and only if gamma = 1/2, whatever beta; the default is beta = 1/4. */
void test_rivals_newmark_coefficients(void)
{
    static const double pairs[5][2] = {{0.25, 0.5}, {1.0 / 12.0, 0.5}, {0.0, 0.5}, {0.3, 0.6}, {0.25, 0.4}};
    fixture_make(&f, &lie_se3_exp_ops, POTENTIAL);
    lie_state first, exact, by_default = newmark_end(0, 40, 0);
    start(&first);
    exact = first;
    walker_init(&w[0], &f.sys, "gauss4", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &exact, 0.01, 100));
    for (int k = 0; k < 5; k++) {
        lie_state coarse = newmark_end(pairs[k], 160, 0), fine = newmark_end(pairs[k], 320, 0);
        lie_state back = newmark_end(pairs[k], 40, 1);
        double order = log2(state_distance(f.sys.group, &coarse, &exact) / state_distance(f.sys.group, &fine, &exact));
        double returned = state_distance(f.sys.group, &back, &first);
        int is_half = pairs[k][1] == 0.5;
        printf("  newmark beta %.3f gamma %.1f: order %.3f, forth and back %.0e\n", pairs[k][0], pairs[k][1], order,
               returned);
        TEST_ASSERT_TRUE(fabs(order - (is_half ? 2.0 : 1.0)) < 0.05);
        TEST_ASSERT_TRUE(is_half ? returned < 1e-13 : returned > 1e-4);
    }
    lie_state same = newmark_end(pairs[0], 40, 0);
    states_same_bits(f.sys.group, &same, &by_default, "default");
}

/* B = 1 + sign beta h^2 M^-1 V''(q), for the particle in the plane */
static void newmark_metric(double B[4], const lie_system *sys, const double *q, double sign_beta_h2)
{
    double dF[4], column[2], rest[2] = {0.0, 0.0};
    lie_system_force_deriv(sys, dF, q, rest);
    for (int j = 0; j < 2; j++) {
        column[0] = dF[j], column[1] = dF[2 + j];
        TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, column, q, column));
        for (int i = 0; i < 2; i++) B[2 * i + j] = (i == j) - sign_beta_h2 * column[i];
    }
}

/* <nu_b, B eta_a> - <nu_a, B eta_b> of columns a, b of T (4 x 4, rows eta then nu) */
static double newmark_form(const double B[4], const double *T, int a, int b)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            sum += B[2 * i + k] * (T[4 * (2 + i) + b] * T[4 * k + a] - T[4 * (2 + i) + a] * T[4 * k + b]);
    return sum;
}

/* The largest change in a step of the form pulled back by q + sign beta h^2 M^-1 grad V. */
static double newmark_form_change(const lie_system *sys, const double coefficients[2], double h, double sign)
{
    static double work[FIXTURE_WORK], room[FIXTURE_WORK];
    static const double unit[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, q[2] = {0.7, 0.4},
                        v[2] = {-0.3, 0.9};
    double T[16], before[4], after[4], worst = 0.0;
    lie_stepper *st;
    lie_state s;
    lie_options opt = {.method = "newmark", .newmark = coefficients};
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, sys, &opt, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, &s, 0.0, q, v));
    newmark_metric(before, sys, s.g, sign * coefficients[0] * h * h);
    TEST_ASSERT_TRUE(lie_tangent_memsize(st) <= sizeof room);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step_tangent(st, &s, h, T, room, sizeof room));
    newmark_metric(after, sys, s.g, sign * coefficients[0] * h * h);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            worst = fmax(worst, fabs(newmark_form(after, T, a, b) - newmark_form(before, unit, a, b)));
    return worst;
}

/* Marsden & West 2001, section 2.6.3, with the sign of their map mended: with gamma = 1/2 newmark on R^n keeps the
 * symplectic form pulled back by q + beta h^2 M^-1 grad V. It is sv for beta = 0. */
void test_rivals_newmark_keeps_another_form_on_rn(void)
{
    static const double beta[5] = {0.0, 1.0 / 12.0, 0.25, 0.4, 0.5}, h = 0.1;
    lie_particle particle = {.inertia = {1.2, 0.0, 0.0, 0.8}};
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&sys, &particle, NULL));
    for (int k = 0; k < 5; k++) {
        const double half[2] = {beta[k], 0.5}, more[2] = {beta[k], 0.6};
        double kept = newmark_form_change(&sys, half, h, 1.0), printed = newmark_form_change(&sys, half, h, -1.0);
        double plain = newmark_form_change(&sys, half, h, 0.0), lossy = newmark_form_change(&sys, more, h, 1.0);
        printf("  newmark on R^2, beta %.3f: its form changes by %.1e, with the sign as printed %.1e, the plain form "
               "%.1e; "
               "gamma = 0.6: %.1e\n",
               beta[k], kept, printed, plain, lossy);
        TEST_ASSERT_TRUE(kept < 1e-11 && lossy > 1e-4);
        TEST_ASSERT_TRUE(k == 0 ? plain < 1e-11 : printed > 1e-4 && plain > 1e-4);
    }
}

void test_rivals_newmark_without_beta_is_sv_on_rn(void)
{
    static const double coefficients[2] = {0.0, 0.5};
    static double memory[2][FIXTURE_WORK];
    lie_particle particle = {.inertia = {1.2, 0.0, 0.0, 0.8}};
    lie_options opt[2] = {{.method = "newmark", .newmark = coefficients}, {.method = "sv"}};
    lie_system sys;
    lie_state s[2];
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&sys, &particle, NULL));
    for (int k = 0; k < 2; k++) {
        lie_stepper *st;
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &opt[k], memory[k], sizeof memory[k]));
        TEST_ASSERT_EQUAL(LIE_OK,
                          lie_state_set(&sys, &s[k], 0.0, (const double[2]){0.7, 0.4}, (const double[2]){-0.3, 0.9}));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s[k], 0.1, 20));
    }
    printf("  newmark with beta = 0 and sv on R^2, 20 steps: apart by %.1e\n", state_distance(sys.group, &s[0], &s[1]));
    TEST_ASSERT_TRUE(state_distance(sys.group, &s[0], &s[1]) < 1e-14);
}

void test_rivals_newmark_refuses_bad_coefficients(void)
{
    static const double bad[3][2] = {{0.25, 0.0}, {(double)NAN, 0.5}, {0.25, (double)INFINITY}};
    static double work[FIXTURE_WORK];
    lie_stepper *st;
    fixture_make(&f, &lie_so3_exp_ops, POTENTIAL);
    for (int k = 0; k < 3; k++) {
        lie_options opt = {.method = "newmark", .newmark = bad[k]};
        TEST_ASSERT_EQUAL(LIE_ERR_TABLEAU, lie_stepper_init(&st, &f.sys, &opt, work, sizeof work));
    }
}

/* What each is not for. */
void test_rivals_what_they_refuse(void)
{
    static const struct {
        const char *method;
        int terms;
        lie_status status;
    } cases[] = {{"simo_wong", POTENTIAL, LIE_ERR_METHOD},
                 {"simo_wong", EXTERNAL, LIE_OK},
                 {"akw", EXTERNAL, LIE_ERR_METHOD},
                 {"akw", 0, LIE_OK},
                 {"engo_faltinsen", GYRO, LIE_ERR_METHOD},
                 {"engo_faltinsen", POTENTIAL, LIE_OK},
                 {"engo_faltinsen", EXTERNAL, LIE_ERR_METHOD},
                 {"newmark", GENERAL, LIE_ERR_METHOD},
                 {"newmark", POTENTIAL | EXTERNAL, LIE_OK}};
    static double work[FIXTURE_WORK];
    lie_stepper *st;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        lie_options opt = {.method = cases[k].method};
        fixture_make(&f, &lie_so3_exp_ops, cases[k].terms);
        TEST_ASSERT_EQUAL_MESSAGE(cases[k].status, lie_stepper_init(&st, &f.sys, &opt, work, sizeof work),
                                  cases[k].method);
    }
}

/* On a turntable the body moves as the heavy top does that is seen from the ground: g = exp(-t eta) G, m the same. Its
 * energy there and its momentum about e3 stay to round-off with engo_faltinsen; the momentum with every one but
 * newmark, which keeps nothing. */
void test_rivals_on_a_turntable(void)
{
    static const char *const methods[4] = {"engo_faltinsen", "newmark", "simo_wong", "akw"};
    const lie_turntable table = {.top = {.inertia = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9},
                                         .mass = 1.2,
                                         .centre = {0.1, -0.2, 0.4},
                                         .gravity = 3.0},
                                 .rate = 0.7};
    enum { STEPS = 1000 };
    for (int k = 0; k < 4; k++)
        for (int exp_or_cay = 0; exp_or_cay < 2; exp_or_cay++) {
            const char *group = exp_or_cay ? "S3/cay" : "SO3/exp";
            lie_random rng = {83u};
            lie_system turning, still;
            lie_state s, top;
            double h = 0.02, E0, E, J0[3], J[3], x[3] = {0.0, 0.0, STEPS * h * table.rate}, T[9];
            const lie_ops *G;
            TEST_ASSERT_EQUAL(LIE_OK, lie_turntable_system(&turning, &table, group));
            TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&still, &table.top, group));
            state_random(&turning, &s, &rng, 0.8, 0.6);
            top = s;
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&turning, &E0, &s));
            lie_state_spatial_momentum(&turning, J0, &s);
            walker_init(&w[0], &turning, methods[k], 0, 0);
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(w[0].st, &s, h, STEPS), methods[k]);
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&turning, &E, &s));
            lie_state_spatial_momentum(&turning, J, &s);
            printf("  turntable, %s on %s: energy %.1e, momentum about e3 %.1e", methods[k], group, fabs(E - E0),
                   fabs(J[2] - J0[2]));
            if (k == 0) TEST_ASSERT_TRUE(fabs(E - E0) < 1e-13);
            if (k != 1) TEST_ASSERT_TRUE(fabs(J[2] - J0[2]) < 1e-13);
            TEST_ASSERT_TRUE(fabs(E - E0) < 1e-3);
            puts("");
            if (k > 1) continue;
            walker_init(&w[1], &still, methods[k], 0, 0);
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &top, h, STEPS));
            TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&G, still.group->group, "exp"));
            TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, T, x));
            G->mul(G, s.g, T, s.g);
            memset(s.low_g, 0, sizeof s.low_g), memset(top.low_g, 0, sizeof top.low_g);
            double apart = state_distance(G, &s, &top);
            printf("  seen from the ground: %.1e from the heavy top\n", apart);
            TEST_ASSERT_TRUE(apart < 1e-11);
        }
}

/* A body at rest where nothing pulls stays there: no direction to mend the quadrature along. */
void test_rivals_equilibrium(void)
{
    static const lie_heavy_top top = {{1.3, 0, 0, 0, 2.1, 0, 0, 0, 2.9}, 1.4, {0.0, 0.0, 1.0}, 9.81};
    static const char *const names[2] = {"engo_faltinsen", "newmark"};
    const double g[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, rest[3] = {0.0, 0.0, 0.0};
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "SO3"));
    for (int k = 0; k < 2; k++) {
        lie_state s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, g, rest));
        walker_init(&w[0], &sys, names[k], 0, 0);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(w[0].st, &s, 0.1, 100), names[k]);
        for (int i = 0; i < 9; i++) TEST_ASSERT_TRUE(s.g[i] == g[i]);
    }
}
