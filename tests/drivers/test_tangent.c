/* SPDX-License-Identifier: MIT */
/* The tangent of a step: against differences of the step for every method, group and kind of system; symplectic to
 * round-off where the system gives its derivatives; beside a step that is that of lie_step to the bit. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liestep/core.h>

#include "tests/support/stepper_cases.h"
#include "unity.h"

enum { N_MAX = 2 * CASE_DIM, WORK = 20000 };

static double tangent_work[WORK];

void setUp(void)
{
}

void tearDown(void)
{
}

static const double u[CASE_DIM] = {0.3, -0.2, 0.1, 0.25, 0.15, -0.3};

/* one step of a fresh stepper from s moved by d along direction j */
static void moved_step(lie_state *out, const case_method *m, const case_group *c, case_kind kind, const lie_state *s,
                       int j, double d)
{
    const lie_ops *G = c->group;
    double x[CASE_DIM] = {0.0}, g[CASE_SIZE];
    lie_stepper *st;
    *out = *s;
    if (j < G->dim) {
        x[j] = d;
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
        G->mul(G, out->g, s->g, g);
    } else {
        out->m[j - G->dim] += d;
    }
    case_stepper(&st, m, c, kind);
    lie_stepper_control(st, u, u);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(st, out, 0.13), m->name);
}

/* the worst entry of T against central differences over 1e-5: of g as numbers, d g+ = g+ tau(d T e_j) */
static double tangent_error(const case_method *m, const case_group *c, case_kind kind)
{
    const lie_ops *G = c->group;
    const double d = 1e-4;
    double T[N_MAX * N_MAX], worst = 0.0;
    int n = G->dim, N = 2 * n;
    lie_stepper *st;
    lie_state s, end, plus, minus;
    case_start(&s, c, kind, 1);
    end = s;
    case_stepper(&st, m, c, kind);
    lie_stepper_control(st, u, u);
    TEST_ASSERT_TRUE(lie_tangent_memsize(st) <= sizeof tangent_work);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step_tangent(st, &end, 0.13, T, tangent_work, sizeof tangent_work), m->name);
    for (int j = 0; j < N; j++) {
        double x[CASE_DIM], there[CASE_SIZE], back[CASE_SIZE];
        moved_step(&plus, m, c, kind, &s, j, d);
        moved_step(&minus, m, c, kind, &s, j, -d);
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs((plus.m[i] - minus.m[i]) / (2.0 * d) - T[(n + i) * N + j]));
        if (m->method->leaves_group) continue; /* g has a part across the group, too */
        for (int i = 0; i < n; i++) x[i] = d * T[i * N + j];
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, there, x));
        for (int i = 0; i < n; i++) x[i] = -x[i];
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, back, x));
        G->mul(G, there, end.g, there);
        G->mul(G, back, end.g, back);
        for (int i = 0; i < G->size; i++)
            worst = fmax(worst, fabs((plus.g[i] - minus.g[i]) - (there[i] - back[i])) / (2.0 * d));
    }
    return worst;
}

void test_tangent_agrees_with_differences(void)
{
    case_method m;
    case_worst all = {0.0, "none"};
    int tried = 0;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = 0; j < case_group_count(); j++)
            for (int kind = 0; kind < CASE_KINDS; kind++) {
                const case_group *c = case_group_at(j);
                if (!case_takes(&m, c, (case_kind)kind) || case_has_own_name(&m) || (i + j + kind) % 5) continue;
                if (!case_is_sampled(i, j)) continue;
                case_note(&all, tangent_error(&m, c, (case_kind)kind), &m, c);
                tried++;
            }
    printf("  %d tangents, farthest from differences: %s\n", tried, all.what);
    TEST_ASSERT_TRUE(tried > 20);
    TEST_ASSERT_TRUE_MESSAGE(all.value <= 1e-8, all.what);
}

/* Systems of the catalogue with all derivatives: the form is kept to 1e-12, over many steps. Lobatto's tableaux in the
 * chart, whose tangent is by formula. */
static double worst_defect(const lie_system *sys, const char *method, const double *g, const double *xi)
{
    static double work[WORK];
    double T[N_MAX * N_MAX], worst = 0.0;
    lie_stepper *st;
    lie_state s, before;
    lie_options opt = {.method = method};
    if (strncmp(method, "lobatto", 7) == 0) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&opt.tableau, method));
        opt.method = "vprk";
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, sys, &opt, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, &s, 0.0, g, xi));
    for (int k = 0; k < 50; k++) {
        before = s;
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step_tangent(st, &s, 0.05, T, tangent_work, sizeof tangent_work), method);
        worst = fmax(worst, lie_tangent_defect(sys->group, T, before.m, s.m));
    }
    return worst;
}

void test_tangent_is_symplectic_to_round_off(void)
{
    static const char *const methods[] = {"ve_fwd",     "ve_bwd",     "sv",         "midpoint",   "lobatto3a2",
                                          "lobatto3a3", "lobatto3a4", "lobatto3b3", "sv_suzuki4", "gauss1",
                                          "gauss2",     "gauss3",     "gauss4",     "gauss6",     "gauss8",
                                          "split2",     "split4",     "split6",     "turns2",     "turns4"};
    static const lie_heavy_top top = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.8, {0.3, -0.2, 1.0}, 9.81};
    static lie_vehicle vehicle = {.weight = 11.0, .buoyancy = 12.5, .weight_at = {0.02, -0.01, -0.3}};
    const double q[4] = {0.5, 0.5, -0.5, 0.5}, w[3] = {0.7, 0.9, -0.6}, v[6] = {0.7, 0.9, -0.6, 0.4, -0.3, 0.8};
    double g[12], worst = 0.0;
    lie_system on_s3, on_se3;
    lie_inertia_diagonal(6, vehicle.inertia, (double[6]){1.0, 2.0, 3.0, 1.5, 2.5, 3.5});
    vehicle.inertia[4] = vehicle.inertia[24] = 0.3;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&on_s3, &top, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&on_se3, &vehicle, NULL));
    on_se3.group->identity(on_se3.group, g);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        double a = worst_defect(&on_s3, methods[i], q, w), b = worst_defect(&on_se3, methods[i], g, v);
        printf("  %-11s T^T Omega T - Omega: heavy top %.1e, vehicle %.1e\n", methods[i], a, b);
        worst = fmax(worst, fmax(a, b));
    }
    TEST_ASSERT_TRUE(worst <= 1e-12);
}

/* Gyroscopic terms of a known frame, too, need no differences. */
void test_tangent_is_symplectic_in_a_frame(void)
{
    static const char *const methods[] = {"gauss1", "gauss2", "gauss4", "split2", "split4", "turns4"};
    static const lie_satellite satellite = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.8, {0.3, -0.2, 0.5}};
    const double q[4] = {0.5, 0.5, -0.5, 0.5}, w[3] = {0.7, 0.9, -0.6};
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&sys, &satellite, "S3"));
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        double defect = worst_defect(&sys, methods[i], q, w);
        printf("  %-11s T^T Omega T - Omega: satellite %.1e\n", methods[i], defect);
        TEST_ASSERT_TRUE_MESSAGE(defect <= 1e-13, methods[i]);
    }
}

/* The step beside the tangent is that of lie_step, and leaves the stepper as lie_step does. */
void test_tangent_does_not_disturb_the_trajectory(void)
{
    case_method m;
    static double work[2][WORK];
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = i % 3; j < case_group_count(); j += 3) {
            const case_group *c = case_group_at(j);
            case_kind kind = case_main(m.method);
            double T[N_MAX * N_MAX];
            lie_options opt = {.method = m.method->name, .tableau = m.tableau};
            lie_stepper *plain, *with;
            lie_state a, b;
            if (!case_takes(&m, c, kind) || case_has_own_name(&m)) continue;
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&plain, &c->system[kind], &opt, work[0], sizeof work[0]));
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&with, &c->system[kind], &opt, work[1], sizeof work[1]));
            case_start(&a, c, kind, 0);
            b = a;
            for (int k = 0; k < 6; k++) {
                TEST_ASSERT_EQUAL(LIE_OK, lie_step(plain, &a, 0.05));
                TEST_ASSERT_EQUAL(LIE_OK, lie_step_tangent(with, &b, 0.05, T, tangent_work, sizeof tangent_work));
            }
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&a, &b, sizeof a, m.name);
            TEST_ASSERT_EQUAL_MESSAGE(lie_stepper_statistics(plain)->iterations,
                                      lie_stepper_statistics(with)->iterations, m.name);
        }
}

/* Variations carried along are T V. */
void test_tangent_carries_variations(void)
{
    const case_group *c = case_group_at(0);
    double T[N_MAX * N_MAX], V[N_MAX * 2], expected[N_MAX * 2] = {0.0};
    int N = 2 * c->group->dim;
    case_method m = {.method = NULL};
    lie_stepper *st;
    lie_state s, again;
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&m.method, "sv"));
    case_stepper(&st, &m, c, CASE_POTENTIAL);
    case_start(&s, c, CASE_POTENTIAL, 0);
    again = s;
    for (int i = 0; i < 2 * N; i++) V[i] = sin(1.0 + i);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step_tangent(st, &s, 0.1, T, tangent_work, sizeof tangent_work));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < N; k++) expected[2 * i + j] += T[i * N + k] * V[2 * k + j];
    lie_stepper_reset(st);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step_variations(st, &again, 0.1, 2, V, tangent_work, sizeof tangent_work));
    for (int i = 0; i < 2 * N; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-14, expected[i], V[i]);
}

void test_tangent_failure_leaves_everything(void)
{
    const case_group *c = case_group_at(0);
    double T[N_MAX * N_MAX];
    case_method m = {.method = NULL};
    lie_stepper *st;
    lie_state s, before;
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&m.method, "gauss2"));
    case_stepper(&st, &m, c, CASE_POTENTIAL);
    case_start(&s, c, CASE_POTENTIAL, 0);
    before = s;
    for (int i = 0; i < N_MAX * N_MAX; i++) T[i] = 0.777;
    TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_step_tangent(st, &s, 0.0, T, tangent_work, sizeof tangent_work));
    TEST_ASSERT_TRUE(lie_step_tangent(st, &s, 50.0, T, tangent_work, sizeof tangent_work) != LIE_OK);
    TEST_ASSERT_EQUAL_MEMORY(&before, &s, sizeof s);
    for (int i = 0; i < N_MAX * N_MAX; i++) TEST_ASSERT_TRUE(T[i] == 0.777);
}
