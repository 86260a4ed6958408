/* SPDX-License-Identifier: MIT */
/* Forces that depend on the velocity, beside a method: order 2 with methods of order 2, 4 and 6; against closed forms;
 * stable where the drag is stiff; self-adjoint; and against the forced method of the particle of Marsden & West. */
#include <liestep/systems.h>

#include <float.h>

#include "tests/support/stepper_fixture.h"

static fixture f;
static walker w;

/* The same without the forces. */
static lie_system without(const lie_system *sys)
{
    lie_system bare = *sys;
    bare.external = 0, bare.external_deriv = 0;
    return bare;
}

/* The error after 1 s in `steps` steps. */
static double error_of(const char *method, const lie_state *start, const lie_state *exact, int steps, const double *u)
{
    lie_system bare = without(&f.sys);
    lie_state s = *start;
    walker_init(&w, &bare, method, 0, 0);
    lie_stepper_control(w.st, u, u);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_damping_run(w.st, &f.sys, &s, 1.0 / steps, steps), method);
    return state_distance(f.sys.group, &s, exact);
}

/* Drag that grows with the speed, a push that depends on time and place, and controls. */
void test_damping_has_order_2_with_every_method(void)
{
    static const double u[FIXTURE_CONTROLS] = {0.8, -0.5};
    static const struct {
        const lie_ops *G;
        const char *method;
    } cases[] = {{&lie_s3_cay_ops, "sv"},
                 {&lie_so3_exp_ops, "gauss2"},
                 {&lie_s3_exp_ops, "split6"},
                 {&lie_se3_cay_ops, "sv"},
                 {&lie_se2_exp_ops, "gauss3"},
                 {0, "sv"},
                 {0, "split4"},
                 {&lie_so3_cay_ops, "engo_faltinsen"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lie_random rng = {91u};
        lie_ops flat;
        lie_state start, exact;
        TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&flat, 3, "exp"));
        fixture_make(&f, cases[i].G ? cases[i].G : &flat, POTENTIAL | EXTERNAL);
        state_random(&f.sys, &start, &rng, 0.5, 0.6);
        exact = start;
        walker_init(&w, &f.sys, "gauss4", 0, 0);
        lie_stepper_control(w.st, u, u);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &exact, 1.0 / 100, 100));
        double coarse = error_of(cases[i].method, &start, &exact, 80, u);
        double fine = error_of(cases[i].method, &start, &exact, 160, u), p = log2(coarse / fine);
        printf("%s on %s: order %.3f\n", cases[i].method, f.sys.group->group, p);
        TEST_ASSERT_TRUE_MESSAGE(fabs(p - 2.0) < 0.06, cases[i].method);
    }
}

/* f = -d I xi */
static double rate;
static void proportional(const lie_system *sys, double *out, double t, const double *g, const double *xi,
                         const double *u)
{
    (void)t, (void)g, (void)u;
    int n = sys->group->dim;
    for (int i = 0; i < n; i++) out[i] = -rate * fixture_dot(n, sys->inertia + i * n, xi);
}

static void proportional_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                               const double *u)
{
    (void)t, (void)g, (void)xi, (void)u;
    int n = sys->group->dim;
    for (int i = 0; i < n * n; i++) D[i] = -rate * sys->inertia[i];
}

/* Of a free body with f = -d I xi every step multiplies the momentum by ((1 - h d/4)/(1 + h d/4))^2, in the inertial
 * frame, and the energy by its square, if the method keeps both; the motion is that of the free body in another time:
 * m(t) = e^{-dt} m_free(s), s = (1 - e^{-dt})/d. */
void test_damping_of_a_free_body_against_the_exact_motion(void)
{
    enum { STEPS = 4000 };
    lie_random rng = {92u};
    lie_state s, start, other;
    double J[3], J0[3], E, E0, error[2];
    rate = 0.3;
    fixture_make(&f, &lie_s3_cay_ops, 0);
    f.sys.external = proportional, f.sys.external_deriv = proportional_deriv;
    lie_system bare = without(&f.sys);
    state_random(&f.sys, &start, &rng, 0.6, 1.2);
    lie_state_spatial_momentum(&f.sys, J0, &start);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &E0, &start));
    for (int k = 0; k < 2; k++) {
        int n = STEPS << k;
        double h = 10.0 / n, c = (1.0 - 0.25 * h * rate) / (1.0 + 0.25 * h * rate), factor = 1.0;
        double bound = 2.0 * n * DBL_EPSILON; /* the rounding of c, 2 n times */
        s = other = start;
        walker_init(&w, &bare, "split2", 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_damping_run(w.st, &f.sys, &s, h, n));
        for (int i = 0; i < 2 * n; i++) factor *= c;
        lie_state_spatial_momentum(&f.sys, J, &s);
        for (int i = 0; i < 3; i++)
            TEST_ASSERT_TRUE(fabs(J[i] - factor * J0[i]) <= bound * sqrt(fixture_dot(3, J0, J0)));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &E, &s));
        TEST_ASSERT_TRUE(fabs(E - factor * factor * E0) <= 2.0 * bound * E0);
        walker_init(&w, &bare, "split2", 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &other, (1.0 - exp(-rate * 10.0)) / rate));
        for (int i = 0; i < 3; i++) other.m[i] *= exp(-rate * 10.0);
        error[k] = state_distance(f.sys.group, &s, &other);
    }
    printf("free body with drag: errors %.1e, %.1e\n", error[0], error[1]);
    TEST_ASSERT_TRUE(error[0] < 1e-5 && fabs(error[0] / error[1] - 4.0) < 0.1);
}

/* Drag takes energy away whatever the step: here the body would stop within a hundredth of a step. */
void test_damping_is_stable_where_the_drag_is_stiff(void)
{
    lie_random rng = {93u};
    lie_state s;
    double last, E;
    rate = 100.0;
    fixture_make(&f, &lie_so3_cay_ops, 0);
    f.sys.external = proportional;
    lie_system bare = without(&f.sys);
    state_random(&f.sys, &s, &rng, 0.6, 0.5);
    walker_init(&w, &bare, "split2", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &last, &s));
    for (int k = 0; k < 60; k++, last = E) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_damping_run(w.st, &f.sys, &s, 1.0, 1));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &E, &s));
        TEST_ASSERT_TRUE(E > 0.0 && E < last);
    }
}

/* F_{-h} F_h = 1 with sv; and n steps are n times one. */
void test_damping_is_self_adjoint_and_one_step_after_another(void)
{
    static walker other;
    lie_random rng = {94u};
    lie_state start, s, one;
    fixture_make(&f, &lie_se3_cay_ops, POTENTIAL | EXTERNAL);
    lie_system bare = without(&f.sys);
    state_random(&f.sys, &start, &rng, 0.5, 0.6);
    walker_init(&w, &bare, "sv", 0, 0);
    s = start;
    TEST_ASSERT_EQUAL(LIE_OK, lie_damping_run(w.st, &f.sys, &s, 0.1, 1));
    TEST_ASSERT_EQUAL(LIE_OK, lie_damping_run(w.st, &f.sys, &s, -0.1, 1));
    TEST_ASSERT_TRUE(state_distance(f.sys.group, &s, &start) < 1e-14);
    walker_init(&w, &bare, "sv", 0, 0);
    walker_init(&other, &bare, "sv", 0, 0);
    s = one = start;
    TEST_ASSERT_EQUAL(LIE_OK, lie_damping_run(w.st, &f.sys, &s, 0.05, 50));
    for (int k = 0; k < 50; k++) TEST_ASSERT_EQUAL(LIE_OK, lie_damping_run(other.st, &f.sys, &one, 0.05, 1));
    states_same_bits(f.sys.group, &s, &one, "50 steps and 50 times one");
}

/* Unit mass, V = |q|^2 (|q|^2 - 1)^2, f = -1e-3 q' (Marsden & West 2001, example 3.2.3): the energy lost in 400 s with
 * steps of a tenth, beside the forced method, against gauss4. */
void test_damping_of_the_dissipative_particle(void)
{
    lie_particle particle = {.inertia = {1.0, 0.0, 0.0, 1.0}, .drag = 1e-3};
    const double q[2] = {0.0, 0.66}, v[2] = {0.5, 0.0};
    lie_system sys, bare;
    lie_state start, s;
    double E[4], E0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&sys, &particle, NULL));
    bare = without(&sys);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &start, 0.0, q, v));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E0, &start));
    for (int k = 0; k < 4; k++) {
        s = start;
        walker_init(&w, k == 2 || k == 3 ? &bare : &sys, k == 0 ? "gauss4" : k == 3 ? "split6" : "sv", 0, 0);
        lie_status status = k < 2 ? lie_run(w.st, &s, k == 0 ? 0.05 : 0.1, k == 0 ? 8000 : 4000)
                                  : lie_damping_run(w.st, &sys, &s, 0.1, 4000);
        TEST_ASSERT_EQUAL(LIE_OK, status);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E[k], &s));
    }
    printf("particle: energy lost %.6f of %.6f; wrong by %.1e (forced sv), %.1e (sv, damping beside), %.1e (split6)\n",
           E0 - E[0], E0, fabs(E[1] - E[0]), fabs(E[2] - E[0]), fabs(E[3] - E[0]));
    TEST_ASSERT_TRUE(fabs(E[2] - E[0]) < 0.1 * (E0 - E[0]) && fabs(E[3] - E[0]) < 1e-3 * (E0 - E[0]));
}

static void never(const lie_system *sys, double *out, double t, const double *g, const double *xi, const double *u)
{
    (void)t, (void)g, (void)xi, (void)u;
    for (int i = 0; i < sys->group->dim; i++) out[i] = (double)NAN;
}

void test_damping_refuses_and_leaves_the_state(void)
{
    lie_random rng = {95u};
    lie_state start, s;
    fixture_make(&f, &lie_s3_cay_ops, POTENTIAL | EXTERNAL);
    lie_system bare = without(&f.sys), wrong = f.sys;
    state_random(&f.sys, &start, &rng, 0.5, 0.6);
    walker_init(&w, &bare, "sv", 0, 0);
    s = start;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_damping_run(w.st, &bare, &s, 0.1, 1));
    TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_damping_run(w.st, &f.sys, &s, 0.0, 1));
    wrong.group = &lie_se3_cay_ops;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_damping_run(w.st, &wrong, &s, 0.1, 1));
    wrong = f.sys, wrong.external = never;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_damping_run(w.st, &wrong, &s, 0.1, 1));
    states_same_bits(f.sys.group, &s, &start, "after refusals");
    TEST_ASSERT_EQUAL(LIE_OK, lie_damping_run(w.st, &f.sys, &s, 0.1, 1));
}
