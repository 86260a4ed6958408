/* SPDX-License-Identifier: MIT */
/* Forces that depend on the velocity, beside a method: order 2 with methods of order 2, 4 and 6; against closed forms;
 * stable where the drag is stiff; self-adjoint; against the forced method of the particle of Marsden & West; and
 * wherever a stepper goes: ensembles, tangents, restarts. */
#include <liestep/ensemble.h>
#include <liestep/systems.h>
#include <liestep/tangent.h>

#include <float.h>

#include "tests/support/stepper_fixture.h"

static fixture f;
static walker w;

static void damped_init(walker *to, const lie_system *sys, const char *method)
{
    const lie_options opt = {.method = method, .damping = 1};
    TEST_ASSERT_TRUE(lie_stepper_memsize(sys, &opt) <= sizeof to->work);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(&to->st, sys, &opt, to->work, sizeof to->work), method);
}

/* The error after 1 s in `steps` steps. */
static double error_of(const char *method, const lie_state *start, const lie_state *exact, int steps, const double *u)
{
    lie_state s = *start;
    damped_init(&w, &f.sys, method);
    lie_stepper_control(w.st, u, u);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(w.st, &s, 1.0 / steps, steps), method);
    return state_distance(f.sys.group, &s, exact);
}

/* Drag that grows with the speed, a push that depends on time and place, and controls. */
void test_damping_has_order_2_with_every_method(void)
{
    static const double u[FIXTURE_CONTROLS] = {0.8, -0.5};
    static const struct {
        const lie_ops *G;
        const char *method;
        int terms;
    } cases[] = {{&lie_s3_cay_ops, "sv", POTENTIAL},
                 {&lie_so3_exp_ops, "gauss2", POTENTIAL},
                 {&lie_s3_exp_ops, "split6", POTENTIAL},
                 {&lie_se3_cay_ops, "sv", POTENTIAL},
                 {&lie_se2_exp_ops, "gauss3", POTENTIAL},
                 {0, "sv", POTENTIAL},
                 {0, "split4", POTENTIAL},
                 {&lie_so3_cay_ops, "engo_faltinsen", POTENTIAL},
                 {&lie_s3_cay_ops, "dmv6", 0},
                 {&lie_s3_cay_ops, "rk4_q", POTENTIAL},
                 {&lie_so3_exp_ops, "sv_suzuki4", POTENTIAL},
                 {&lie_so3_exp_ops, "gauss2", GENERAL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lie_random rng = {91u};
        lie_ops flat;
        lie_state start, exact;
        TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&flat, 3, "exp"));
        fixture_make(&f, cases[i].G ? cases[i].G : &flat, cases[i].terms | EXTERNAL);
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
    const lie_system bare = f.sys;
    f.sys.external = proportional, f.sys.external_deriv = proportional_deriv;
    state_random(&f.sys, &start, &rng, 0.6, 1.2);
    lie_state_spatial_momentum(&f.sys, J0, &start);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &E0, &start));
    for (int k = 0; k < 2; k++) {
        int n = STEPS << k;
        double h = 10.0 / n, c = (1.0 - 0.25 * h * rate) / (1.0 + 0.25 * h * rate), factor = 1.0;
        double bound = 2.0 * n * DBL_EPSILON; /* the rounding of c, 2 n times */
        s = other = start;
        damped_init(&w, &f.sys, "split2");
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, h, n));
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
    state_random(&f.sys, &s, &rng, 0.6, 0.5);
    damped_init(&w, &f.sys, "split2");
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &last, &s));
    for (int k = 0; k < 60; k++, last = E) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, 1.0));
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
    state_random(&f.sys, &start, &rng, 0.5, 0.6);
    damped_init(&w, &f.sys, "sv");
    s = start;
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, 0.1));
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, -0.1));
    TEST_ASSERT_TRUE(state_distance(f.sys.group, &s, &start) < 1e-14);
    damped_init(&w, &f.sys, "sv");
    damped_init(&other, &f.sys, "sv");
    s = one = start;
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 50));
    for (int k = 0; k < 50; k++) TEST_ASSERT_EQUAL(LIE_OK, lie_step(other.st, &one, 0.05));
    states_same_bits(f.sys.group, &s, &one, "50 steps and 50 times one");
}

/* Unit mass, V = |q|^2 (|q|^2 - 1)^2, f = -1e-3 q' (Marsden & West 2001, example 3.2.3): the energy lost in 400 s with
 * steps of a tenth, beside the forced method, against gauss4. */
void test_damping_of_the_dissipative_particle(void)
{
    lie_particle particle = {.inertia = {1.0, 0.0, 0.0, 1.0}, .drag = 1e-3};
    const double q[2] = {0.0, 0.66}, v[2] = {0.5, 0.0};
    lie_system sys;
    lie_state start, s;
    double E[4], E0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&sys, &particle, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &start, 0.0, q, v));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E0, &start));
    for (int k = 0; k < 4; k++) {
        s = start;
        if (k < 2)
            walker_init(&w, &sys, k == 0 ? "gauss4" : "sv", 0, 0);
        else
            damped_init(&w, &sys, k == 2 ? "sv" : "split6");
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, k == 0 ? 0.05 : 0.1, k == 0 ? 8000 : 4000));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E[k], &s));
    }
    printf("particle: energy lost %.6f of %.6f; wrong by %.1e (forced sv), %.1e (sv, damping beside), %.1e (split6)\n",
           E0 - E[0], E0, fabs(E[1] - E[0]), fabs(E[2] - E[0]), fabs(E[3] - E[0]));
    TEST_ASSERT_TRUE(fabs(E[2] - E[0]) < 0.1 * (E0 - E[0]) && fabs(E[3] - E[0]) < 1e-3 * (E0 - E[0]));
}

static int calls_left;
static void at_last_never(const lie_system *sys, double *out, double t, const double *g, const double *xi,
                          const double *u)
{
    fixture_external(sys, out, t, g, xi, u);
    if (calls_left-- <= 0) out[0] = (double)NAN;
}

/* A step that fails in its second half leaves state, memory and statistics as they were, and can be taken again. */
void test_damping_fails_without_a_trace(void)
{
    static walker other;
    lie_random rng = {95u};
    lie_state s, twin;
    fixture_make(&f, &lie_s3_cay_ops, POTENTIAL | EXTERNAL);
    state_random(&f.sys, &s, &rng, 0.5, 0.6);
    f.sys.external = at_last_never, calls_left = 1 << 20;
    damped_init(&other, &f.sys, "sv");
    damped_init(&w, &f.sys, "sv");
    twin = s;
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.1, 5));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(other.st, &twin, 0.1, 5));
    for (int after = 0; after < 40; after += 7) {
        calls_left = after;
        lie_status status = lie_step(w.st, &s, 0.1);
        TEST_ASSERT_TRUE(status == LIE_ERR_NOT_FINITE || status == LIE_ERR_NO_CONVERGENCE || status == LIE_OK);
        calls_left = 1 << 20;
        if (status == LIE_OK) TEST_ASSERT_EQUAL(LIE_OK, lie_step(other.st, &twin, 0.1));
        states_same_bits(f.sys.group, &s, &twin, "after a failure");
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.1, 5));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(other.st, &twin, 0.1, 5));
    states_same_bits(f.sys.group, &s, &twin, "beyond the failures");
    TEST_ASSERT_EQUAL_MEMORY(lie_stepper_statistics(w.st), lie_stepper_statistics(other.st), sizeof(lie_statistics));
}

/* Restarted from the state and the memory of the stepper, a run has the bits of one that went on; so has a trajectory
 * of an ensemble. */
void test_damping_restarts_and_ensembles_have_the_same_bits(void)
{
    static const char *const methods[4] = {"sv", "dmv6", "gauss2", "engo_faltinsen"};
    static walker other;
    static double work[1 << 18], kept[LIE_MEMORY_MAX];
    for (int k = 0; k < 4; k++) {
        const lie_ensemble_options opt = {.step = {.method = methods[k], .damping = 1}, .h = 0.05};
        lie_random rng = {96u};
        lie_state s, half, got;
        lie_ensemble *e;
        fixture_make(&f, &lie_s3_cay_ops, (k == 1 ? 0 : POTENTIAL) | EXTERNAL);
        state_random(&f.sys, &s, &rng, 0.5, 0.6);
        TEST_ASSERT_TRUE(lie_ensemble_memsize(&f.sys, 1, 3, &opt) <= sizeof work);
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_init(&e, &f.sys, 1, 3, &opt, work, sizeof work));
        for (int i = 0; i < 3; i++) TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_set(e, i, &s));
        damped_init(&w, &f.sys, methods[k]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 37));
        lie_stepper_memory_get(w.st, kept);
        half = s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 40));
        damped_init(&other, &f.sys, methods[k]);
        lie_stepper_memory_set(other.st, kept);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(other.st, &half, 0.05, 40));
        states_same_bits(f.sys.group, &half, &s, methods[k]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(e, 77, NULL));
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_get(e, 2, &got));
        states_same_bits(f.sys.group, &got, &s, methods[k]);
    }
}

/* With f = -d I xi a symplectic method multiplies the form by the factor of the momentum. */
void test_damping_has_a_tangent(void)
{
    static double work[1 << 12];
    lie_random rng = {97u};
    lie_state s, start;
    double T[36], scaled[3], h = 0.1, c;
    rate = 0.4;
    fixture_make(&f, &lie_so3_exp_ops, POTENTIAL);
    f.sys.external = proportional, f.sys.external_deriv = proportional_deriv;
    state_random(&f.sys, &start, &rng, 0.6, 0.8);
    s = start;
    damped_init(&w, &f.sys, "split4");
    TEST_ASSERT_EQUAL(LIE_OK, lie_step_tangent(w.st, &s, h, T, work, sizeof work));
    c = (1.0 - 0.25 * h * rate) / (1.0 + 0.25 * h * rate);
    for (int i = 0; i < 3; i++) {
        scaled[i] = s.m[i] / (c * c);
        for (int j = 0; j < 6; j++) T[6 * (3 + i) + j] /= c * c;
    }
    double defect = lie_tangent_defect(f.sys.group, T, start.m, scaled);
    printf("tangent with damping: defect %.1e\n", defect);
    TEST_ASSERT_TRUE(defect < 1e-9);
}

/* Without external force there is nothing to put beside; with it, what the method refuses is refused without it. */
void test_damping_is_for_what_the_method_takes_without_it(void)
{
    static const lie_options beside = {.method = "split4", .damping = 1};
    static walker plain;
    lie_random rng = {98u};
    lie_state s, same;
    lie_report report;
    fixture_make(&f, &lie_s3_cay_ops, POTENTIAL);
    state_random(&f.sys, &s, &rng, 0.5, 0.6);
    same = s;
    damped_init(&w, &f.sys, "split4");
    walker_init(&plain, &f.sys, "split4", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 20));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(plain.st, &same, 0.05, 20));
    states_same_bits(f.sys.group, &s, &same, "no external force");
    fixture_make(&f, &lie_s3_cay_ops, POTENTIAL | GYRO | EXTERNAL);
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_stepper_explain(&report, &f.sys, &beside, w.work, sizeof w.work));
    TEST_ASSERT_EQUAL_STRING("options.method", report.what);
    fixture_make(&f, &lie_s3_cay_ops, EXTERNAL);
    damped_init(&w, &f.sys, "auto");
    TEST_ASSERT_EQUAL_STRING("dmv10", lie_stepper_method(w.st)->name);
    TEST_ASSERT_TRUE(lie_stepper_system(w.st) == &f.sys && lie_stepper_options(w.st)->damping == 1);
}
