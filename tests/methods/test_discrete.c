/* SPDX-License-Identifier: MIT */
/* A discrete Lagrangian of one's own as a method: sv and gauss2 rebuilt against those of the library, by slopes and by
 * the value alone; discrete forces; symplectic form, momentum, order; every status of a step. */
#include <liestep/tangent.h>

#include "tests/support/discrete_rebuilt.h"

void test_discrete_sv_rebuilt_is_sv(void)
{
    for (int k = 0; k < 5; k++) {
        fixture f;
        fixture_make(&f, group(names[k][0], names[k][1]), POTENTIAL);
        int steps = f.sys.group->dim == 3 ? 1000 : 300; /* what rounding leaves grows faster on SE(3) */
        rebuilt r = {&f.sys, f.sys.group, 0};
        lie_discrete L = {.params = &r, .slopes = sv_slopes};
        double plain = apart(&f, &L, "sv", 0.02, steps);
        int taken = r.slopes_taken;
        L.mixed = sv_mixed, r.slopes_taken = 0;
        double mixed = apart(&f, &L, "sv", -0.02, steps);
        printf("sv on %s with %s: %.1e and %.1e after %d steps, %.1f and %.1f slopes a step\n", names[k][0],
               names[k][1], plain, mixed, steps, (double)taken / steps, (double)r.slopes_taken / steps);
        TEST_ASSERT_TRUE(plain < 1e-12 && mixed < 1e-12);
        TEST_ASSERT_TRUE(r.slopes_taken < taken - 2 * steps);
    }
}

void test_discrete_gauss2_rebuilt_is_gauss2(void)
{
    for (int k = 0; k < 5; k++) {
        fixture f;
        fixture_make(&f, group(names[k][0], names[k][1]), POTENTIAL);
        int steps = f.sys.group->dim == 3 ? 400 : 120;
        rebuilt r = {&f.sys, f.sys.group, 0};
        lie_discrete L = {.params = &r, .slopes = gauss2_slopes};
        double off = apart(&f, &L, "gauss2", 0.05, steps);
        printf("gauss2 on %s with %s: %.1e after %d steps\n", names[k][0], names[k][1], off, steps);
        TEST_ASSERT_TRUE(off < 1e-12);
    }
}

/* A value alone: differences of order 6. */
void test_discrete_by_its_value_alone(void)
{
    for (int k = 0; k < 3; k++) {
        fixture f;
        fixture_make(&f, group(names[k][0], names[k][1]), POTENTIAL);
        rebuilt r = {&f.sys, f.sys.group, 0};
        lie_discrete sv = {.params = &r, .value = sv_value}, gauss = {.params = &r, .value = gauss2_value};
        double a = apart(&f, &sv, "sv", 0.1, 20), b = apart(&f, &gauss, "gauss2", 0.1, k < 2 ? 5 : 1);
        printf("by the value alone on %s: sv %.1e, gauss2 %.1e\n", names[k][0], a, b);
        TEST_ASSERT_TRUE(a < 1e-12 && b < 1e-12);
    }
}

/* Steps so long that the guess is far, and so short that a velocity between two configurations has few digits: each
 * from the same state as that of sv. */
void test_discrete_long_and_short_steps(void)
{
    static const double lengths[] = {0.2, 1e-3, -1e-5, 1e-7, 1e-9};
    for (int k = 0; k < 5; k++) {
        fixture f;
        lie_random rng = {72u};
        lie_state a, b;
        double worst = 0.0, h = lengths[k];
        fixture_make(&f, group("SE3", "cay"), POTENTIAL);
        rebuilt r = {&f.sys, f.sys.group, 0};
        lie_discrete L = {.params = &r, .slopes = sv_slopes};
        state_random(&f.sys, &b, &rng, 0.6, 0.7);
        own_init(&own, &f.sys, &L, "cay");
        walker_init(&builtin, &f.sys, "sv", "cay", NULL);
        for (int i = 0; i < 60; i++) {
            a = b;
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(own.st, &a, h));
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(builtin.st, &b, h));
            worst = fmax(worst, state_distance(f.sys.group, &a, &b));
        }
        printf("h = %g: a step is off by %.1e\n", h, worst);
        TEST_ASSERT_TRUE(worst < 1e-14);
    }
}

/* The chart in which the equation is solved does not change its solution. */
void test_discrete_any_retraction_of_the_solver(void)
{
    fixture f;
    lie_random rng = {72u};
    lie_state start, a, b;
    fixture_make(&f, group("SE3", "cay"), POTENTIAL);
    rebuilt r = {&f.sys, f.sys.group, 0};
    lie_discrete L = {.params = &r, .slopes = sv_slopes};
    state_random(&f.sys, &start, &rng, 0.6, 0.7);
    a = b = start;
    own_init(&own, &f.sys, &L, "cay");
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(own.st, &a, 0.1, 100));
    own_init(&own, &f.sys, &L, "exp");
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(own.st, &b, 0.1, 100));
    TEST_ASSERT_TRUE(state_distance(f.sys.group, &a, &b) < 1e-12);
}

/* Structure. */

/* The forced L_d of sv: its forces are impulses at both nodes. */
static lie_status sv_forces(const lie_discrete *L, double *f_minus, double *f_plus, double t, const double *g0,
                            const double *g1, double h, const double *u_minus, const double *u_plus)
{
    const rebuilt *r = (const rebuilt *)L->params;
    double x[LIE_DIM_MAX];
    between(r->G, x, g0, g1);
    for (int i = 0; i < r->G->dim; i++) x[i] /= h;
    fixture_external(r->sys, f_minus, t, g0, x, u_minus);
    fixture_external(r->sys, f_plus, t + h, g1, x, u_plus);
    for (int i = 0; i < r->G->dim; i++) f_minus[i] *= 0.5 * h, f_plus[i] *= 0.5 * h;
    return LIE_OK;
}

void test_discrete_forces_are_those_of_sv(void)
{
    static const double u[2][FIXTURE_CONTROLS] = {{0.3, -0.8}, {1.1, 0.4}};
    for (int k = 0; k < 6; k++) {
        lie_random rng = {76u};
        lie_state a, b;
        fixture f, plain;
        const lie_ops *G = group(names[k % 3][0], "cay");
        fixture_make(&f, G, POTENTIAL | EXTERNAL);
        fixture_make(&plain, G, POTENTIAL);
        rebuilt r = {&plain.sys, G, 0};
        lie_discrete L = {.params = &r, .slopes = sv_slopes, .mixed = k < 3 ? NULL : sv_mixed, .forces = sv_forces};
        own_init(&own, &f.sys, &L, "cay");
        walker_init(&builtin, &f.sys, "sv", "cay", NULL);
        lie_stepper_control(own.st, u[0], u[1]);
        lie_stepper_control(builtin.st, u[0], u[1]);
        state_random(&f.sys, &a, &rng, 0.6, 0.7);
        b = a;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(own.st, &a, 0.05, 200));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(builtin.st, &b, 0.05, 200));
        TEST_ASSERT_TRUE(state_distance(G, &a, &b) < 1e-12);
        L.forces = NULL;
        TEST_ASSERT_TRUE(lie_stepper_init(&own.st, &f.sys, &(lie_options){.discrete = &L}, own.work, sizeof own.work) ==
                         LIE_ERR_METHOD);
    }
}

/* The symplectic form, and the momentum of a free body in space. */
void test_discrete_structure(void)
{
    static double tangent[20000];
    for (int k = 0; k < 3; k++) {
        lie_random rng = {77u};
        lie_state s, end;
        double T[4 * FIXTURE_DIM * FIXTURE_DIM], J0[FIXTURE_DIM], J[FIXTURE_DIM];
        fixture f;
        fixture_make(&f, group(names[k][0], "cay"), POTENTIAL);
        rebuilt r = {&f.sys, f.sys.group, 0};
        lie_discrete L = {.params = &r, .slopes = sv_slopes};
        own_init(&own, &f.sys, &L, "cay");
        state_random(&f.sys, &s, &rng, 0.6, 0.7);
        end = s;
        TEST_ASSERT_TRUE(lie_tangent_memsize(own.st) <= sizeof tangent);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step_tangent(own.st, &end, 0.1, T, tangent, sizeof tangent));
        double defect = lie_tangent_defect(f.sys.group, T, s.m, end.m);
        printf("symplectic defect on %s: %.1e\n", names[k][0], defect);
        TEST_ASSERT_TRUE(defect < 2e-9);
        f.sys.potential = NULL, f.sys.force = NULL;
        fixture_numbers(&f, f.sys.group->dim, 31u);
        memset(f.c, 0, sizeof f.c), memset(f.d, 0, sizeof f.d);
        f.sys.potential = fixture_potential, f.sys.force = fixture_force; /* 0 */
        own_init(&own, &f.sys, &L, "cay");
        lie_state_spatial_momentum(&f.sys, J0, &s);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(own.st, &s, 1e-3, 10000));
        lie_state_spatial_momentum(&f.sys, J, &s);
        for (int i = 0; i < f.sys.group->dim; i++) J[i] -= J0[i];
        printf("spatial momentum after 10000 steps of 1e-3: %.1e\n", norm(f.sys.group->dim, J));
        TEST_ASSERT_TRUE(norm(f.sys.group->dim, J) < 1e-12);
    }
}

/* The order is that to which L_d is the action: 2 and 4. */
void test_discrete_order(void)
{
    for (int k = 0; k < 2; k++) {
        lie_random rng = {78u};
        lie_state start, truth, s;
        double error[2];
        fixture f;
        fixture_make(&f, group("SO3", "cay"), POTENTIAL);
        rebuilt r = {&f.sys, f.sys.group, 0};
        lie_discrete L = {.params = &r, .slopes = k ? gauss2_slopes : sv_slopes};
        state_random(&f.sys, &start, &rng, 0.6, 0.7);
        truth = start;
        walker_init(&builtin, &f.sys, "gauss4", NULL, NULL);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(builtin.st, &truth, 0.02, 50));
        own_init(&own, &f.sys, &L, "cay");
        for (int j = 0; j < 2; j++) {
            s = start;
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(own.st, &s, j ? 0.025 : 0.05, j ? 40 : 20));
            error[j] = state_distance(f.sys.group, &s, &truth);
        }
        double order = log2(error[0] / error[1]);
        printf("order %.3f\n", order);
        TEST_ASSERT_TRUE(fabs(order - (k ? 4.0 : 2.0)) < 0.08);
    }
}

/* Derivatives compared. */

static lie_status sv_energy(const lie_discrete *L, double *Ed, double t, const double *g0, const double *g1, double h)
{
    const rebuilt *r = (const rebuilt *)L->params;
    double x[LIE_DIM_MAX], mu[LIE_DIM_MAX];
    (void)t;
    between(r->G, x, g0, g1);
    apply(r->G->dim, mu, r->sys->inertia, x);
    double V = r->sys->potential(r->sys, g0) + r->sys->potential(r->sys, g1);
    *Ed = 0.5 * fixture_dot(r->G->dim, mu, x) / (h * h) + 0.5 * V;
    return LIE_OK;
}

static lie_status wrong_slopes(const lie_discrete *L, double *D1, double *D2, double t, const double *g0,
                               const double *g1, double h)
{
    lie_status status = sv_slopes(L, D1, D2, t, g0, g1, h);
    D2[2] *= 1.0 + 1e-6;
    return status;
}

void test_discrete_derivatives_compared(void)
{
    for (int k = 0; k < 5; k++) {
        fixture f;
        lie_random rng = {79u};
        lie_state a;
        lie_discrete_report report = {7.0, 7.0, 7.0};
        double x[6], g1[LIE_SIZE_MAX];
        const lie_ops *G = group(names[k][0], names[k][1]);
        fixture_make(&f, G, POTENTIAL);
        rebuilt r = {&f.sys, G, 0};
        lie_discrete L = {.params = &r};
        state_random(&f.sys, &a, &rng, 0.6, 0.7);
        random_vector(&rng, G->dim, x, 0.2);
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g1, x));
        G->mul(G, g1, a.g, g1);
        TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_discrete_compare_derivatives(&L, G, &report, 0.0, a.g, g1, 0.1));
        L.value = sv_value, L.slopes = sv_slopes, L.mixed = sv_mixed, L.energy = sv_energy;
        TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_discrete_compare_derivatives(&L, G, &report, 0.0, a.g, g1, 0.0));
        TEST_ASSERT_TRUE(report.slopes == 7.0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_discrete_compare_derivatives(&L, G, &report, 0.0, a.g, g1, 0.1));
        TEST_ASSERT_TRUE(report.slopes >= 0.0 && report.slopes < 1e-9);
        TEST_ASSERT_TRUE(report.mixed >= 0.0 && report.mixed < 1e-8); /* by differences itself */
        TEST_ASSERT_TRUE(report.energy >= 0.0 && report.energy < 1e-9);
        L.slopes = wrong_slopes, L.mixed = NULL, L.energy = NULL;
        TEST_ASSERT_EQUAL(LIE_OK, lie_discrete_compare_derivatives(&L, G, &report, 0.0, a.g, g1, 0.1));
        TEST_ASSERT_TRUE(report.slopes > 1e-9 && report.mixed == -1.0 && report.energy == -1.0);
    }
}

/* Statuses. */

static lie_status refusing(const lie_discrete *L, double *D1, double *D2, double t, const double *g0, const double *g1,
                           double h)
{
    return t < 0.25 ? sv_slopes(L, D1, D2, t, g0, g1, h) : LIE_ERR_DOMAIN;
}

static lie_status not_finite(const lie_discrete *L, double *D1, double *D2, double t, const double *g0,
                             const double *g1, double h)
{
    lie_status status = sv_slopes(L, D1, D2, t, g0, g1, h);
    if (t > 0.25) D2[1] = (double)NAN;
    return status;
}

/* D1 does not depend on g1 */
static lie_status degenerate(const lie_discrete *L, double *D1, double *D2, double t, const double *g0,
                             const double *g1, double h)
{
    (void)L, (void)t, (void)g0, (void)g1, (void)h;
    for (int i = 0; i < 3; i++) D1[i] = 1.0, D2[i] = -1.0;
    return LIE_OK;
}

/* |D1| stays below 1: no step for a larger momentum */
static lie_status bounded(const lie_discrete *L, double *D1, double *D2, double t, const double *g0, const double *g1,
                          double h)
{
    const rebuilt *r = (const rebuilt *)L->params;
    double x[LIE_DIM_MAX];
    (void)t;
    between(r->G, x, g0, g1);
    for (int i = 0; i < 3; i++) D2[i] = x[i] / h / sqrt(1.0 + fixture_dot(3, x, x) / (h * h)), D1[i] = -D2[i];
    return LIE_OK;
}

void test_discrete_statuses_of_steps(void)
{
    static const struct {
        lie_status (*slopes)(const lie_discrete *L, double *D1, double *D2, double t, const double *g0,
                             const double *g1, double h);
        lie_status status;
        int steps;
    } cases[] = {{refusing, LIE_ERR_DOMAIN, 3},
                 {not_finite, LIE_ERR_NOT_FINITE, 3},
                 {degenerate, LIE_ERR_SINGULAR, 0},
                 {bounded, LIE_ERR_NO_CONVERGENCE, 0}};
    fixture f;
    fixture_make(&f, group("SO3", "cay"), POTENTIAL);
    rebuilt r = {&f.sys, f.sys.group, 0};
    for (int k = 0; k < 4; k++) {
        lie_state s, before;
        double g[9] = {[0] = 1.0, [4] = 1.0, [8] = 1.0}, xi[3] = {1.5, -1.1, 0.7};
        lie_discrete L = {.params = &r, .slopes = cases[k].slopes};
        own_init(&own, &f.sys, &L, "cay");
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&f.sys, &s, 0.0, g, xi));
        TEST_ASSERT_EQUAL(cases[k].status, lie_run(own.st, &s, 0.1, 100));
        TEST_ASSERT_EQUAL(cases[k].steps, s.steps);
        before = s;
        TEST_ASSERT_EQUAL(cases[k].status, lie_step(own.st, &s, 0.1));
        TEST_ASSERT_EQUAL(0, memcmp(&before, &s, sizeof s));
        TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_step(own.st, &s, 0.0));
    }
}
