/* SPDX-License-Identifier: MIT */
/* Parallel iterated Runge-Kutta methods, and the Gauss tableaux of order 12 and 16: what the tests over the whole list
 * do not see.
 *
 *   order      8, 12, 16 on long motions, with potential, gyroscopic term, external forces, general Lagrangian
 *   lanes      every kernel that this processor can run has the bits of plain doubles
 *   kinds      systems whose rates are in the lanes move as the same ones through their callbacks do
 *   vprk       with gauss8, which has nothing in common with pirk16, leads to the same place, and keeps the momentum
 *   failure    has a status and leaves the state alone */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liestep/systems.h>

#include "lib/methods/runge_kutta/pirk.h"
#include "tests/support/stepper_cases.h"
#include "unity.h"

enum { WORK = 1 << 16, LADDER = 50, STARTS = 16 };

static double work[2][WORK];

static void stepper(lie_stepper **st, const lie_system *sys, const char *method, const char *tableau, int k)
{
    lie_options opt = {.method = method};
    if (tableau) TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&opt.tableau, tableau));
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(st, sys, &opt, work[k], sizeof work[k]), method);
}

/* Order */

static const double control[CASE_DIM] = {0.3, -0.2, 0.1, 0.25, 0.15, -0.3};

/* Places along two motions. */
static void places(lie_state *at, lie_stepper *reference, const case_group *c, case_kind kind)
{
    for (int s = 0; s < STARTS; s++) {
        int along = s % (STARTS / 2);
        if (along == 0) case_start(&at[s], c, kind, s / (STARTS / 2));
        if (along > 0) at[s] = at[s - 1];
        if (along > 0) TEST_ASSERT_EQUAL(LIE_OK, lie_run(reference, &at[s], 0.1, 4));
    }
}

/* Geometric mean over the places of the errors of one step, there and back; infinite where a step fails. */
static double error_of_step(lie_stepper *st, lie_stepper *reference, const lie_state *at, double h)
{
    enum { PARTS = 4 };
    double sum = 0.0;
    for (int s = 0; s < 2 * STARTS; s++) {
        lie_state there = at[s / 2], to = there;
        double signed_h = s % 2 ? -h : h;
        lie_stepper_reset(st), lie_stepper_reset(reference);
        if (lie_step(st, &there, signed_h) != LIE_OK) return HUGE_VAL;
        if (lie_run(reference, &to, signed_h / PARTS, PARTS) != LIE_OK) return HUGE_VAL;
        sum += log(case_distance(lie_stepper_group(st), &there, &to));
    }
    return exp(sum / (2 * STARTS));
}

/* Slope, less 1, of the line through the errors of one step, from the smallest above round-off to steps 1.75 times as
 * long. The error of a whole motion swings with the length of step where it can be seen at all. */
static double observed(const char *method, const case_group *c, case_kind kind)
{
    lie_stepper *st, *reference;
    lie_state at[STARTS];
    double h[LADDER], error[LADDER], x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, n = 0.0;
    int last = 0;
    stepper(&reference, &c->system[kind], "gauss8", NULL, 1);
    stepper(&st, &c->system[kind], method, NULL, 0);
    lie_stepper_control(reference, control, control);
    lie_stepper_control(st, control, control);
    places(at, reference, c, kind);
    for (int k = 0; k < LADDER; k++) {
        h[k] = 2.4 * pow(0.9, k);
        error[k] = error_of_step(st, reference, at, h[k]);
        if (error[k] < 5e-14) break;
        last = k;
    }
    for (int k = last; k >= 0 && h[k] < 1.76 * h[last] && error[k] < 1e-2; k--, n += 1.0) {
        double log_h = log(h[k] / h[last]), value = log(error[k]);
        x += log_h, y += value, xx += log_h * log_h, xy += log_h * value;
    }
    return (n * xy - x * y) / (n * xx - x * x) - 1.0;
}

/* Each motion to 8 %, which is less than what an order of one or two less would be off, and their median to 5 %. */
void test_pirk_order_is_the_one_claimed(void)
{
    static const char *const methods[] = {"pirk8", "pirk12", "pirk16"};
    static const case_kind kinds[] = {CASE_POTENTIAL, CASE_GYRO, CASE_FORCED, CASE_LAGRANGIAN};
    for (int k = 0; k < 3; k++) {
        const lie_method *m;
        double sorted[16];
        int count = 0;
        TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&m, methods[k]));
        for (int j = 0; j < case_group_count(); j++) {
            const case_group *c = case_group_at(j);
            if (strcmp(c->retraction, "cay") != 0 || lie_method_takes(m, &c->system[CASE_FREE]) != LIE_OK) continue;
            printf("%-7s on %-7s order", m->name, c->name);
            for (int i = 0; i < 4; i++, count++) {
                double p = observed(m->name, c, kinds[i]);
                int at = count;
                printf(" %6.2f", p);
                TEST_ASSERT_TRUE_MESSAGE(fabs(p - m->order) <= 0.08 * m->order, m->name);
                for (; at > 0 && p < sorted[at - 1]; at--) sorted[at] = sorted[at - 1];
                sorted[at] = p;
            }
            printf("\n");
        }
        TEST_ASSERT_EQUAL(12, count);
        printf("%-7s median: %.2f\n", m->name, 0.5 * (sorted[5] + sorted[6]));
        TEST_ASSERT_TRUE_MESSAGE(fabs(0.5 * (sorted[5] + sorted[6]) - m->order) <= 0.05 * m->order, m->name);
    }
}

/* Lanes */

extern const pirk_kernel lie__pirk_1;
#if defined(__x86_64__) && defined(__GNUC__)
extern const pirk_kernel lie__pirk_2, lie__pirk_4, lie__pirk_8;
#endif

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 4294967296.0 - 0.5;
}

/* y' = something smooth that depends on the stage */
static int callback(void *context, int i, double *k, const double *y)
{
    int length = *(int *)context;
    for (int c = 0; c < length; c++) k[c] = 0.3 * y[(c + 1) % length] * y[(c + 2) % length] - 0.1 * i;
    return 1;
}

static void force(void *context, int stages, pirk_per_stage *F, const pirk_per_stage *Y)
{
    int length = *(int *)context;
    for (int c = 0; c < (length == 13 ? 6 : 3); c++)
        for (int i = 0; i < PIRK_STAGES_MAX; i++) F[c][i] = i < stages ? 0.3 * Y[c][i] * Y[c + 1][i] : 0.0;
}

/* A task with `stages` stages that means nothing. */
static void fill(pirk_task *task, unsigned seed, int stages, int *length)
{
    memset(task, 0, sizeof *task);
    task->passes = 2 * stages - 1;
    for (int j = 0; j < stages; j++) {
        for (int i = 0; i < stages; i++) task->hA[PIRK_STAGES_MAX * j + i] = 0.3 * number(&seed);
        task->hb[j] = 0.3 * number(&seed), task->hc[j] = 0.3 * number(&seed);
    }
    for (int i = 0; i < PIRK_LONGEST; i++) task->y[i] = number(&seed);
    for (int i = 0; i < 36; i++) task->inverse[i] = number(&seed);
    for (int i = 0; i < 9; i++) task->form.gradient[i] = number(&seed);
    for (int i = 0; i < 4; i++) task->form.pull[i] = number(&seed);
    for (int i = 0; i < 3; i++) task->form.store[i] = number(&seed);
    for (int i = 0; i < 36; i++) task->form.drag[i] = number(&seed);
    for (int i = 0; i < 6; i++) task->form.quadratic[i] = number(&seed), task->first_thrust[i] = number(&seed);
    for (int i = 0; i < 6 * PIRK_STAGES_MAX; i++) task->thrust[i] = number(&seed);
    task->form.rate = number(&seed);
    task->call = callback, task->force = force, task->context = length;
}

static void compare(const pirk_kernel *kernel, int lanes)
{
    for (int s = 0; s < 3; s++)
        for (int kind = 0; kind < STAGE_KINDS; kind++)
            for (unsigned seed = 1; seed < 40; seed++) {
                pirk_task a, b;
                int is_motion = kind == STAGE_VEHICLE || kind == STAGE_VESSEL || kind == STAGE_PULLED_MOTION ||
                                kind == STAGE_MOTION,
                    length = is_motion ? 13 : 7;
                char text[80];
                fill(&a, seed, 4 + 2 * s, &length);
                b = a;
                TEST_ASSERT_TRUE(lie__pirk_1.run[s][kind](&a) && kernel->run[s][kind](&b));
                snprintf(text, sizeof text, "%d lanes, %d stages, kind %d", lanes, 4 + 2 * s, kind);
                TEST_ASSERT_TRUE_MESSAGE(a.dy[4] != 0.0, text);
                TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a.dy, b.dy, (size_t)length * sizeof(double), text);
            }
}

void test_pirk_bits_do_not_depend_on_the_number_of_lanes(void)
{
    int compared = 0;
#if defined(LIE_WITH_LANES_2)
    compare(&lie__pirk_2, 2), compared++;
#endif
#if defined(LIE_WITH_LANES_4)
    if (__builtin_cpu_supports("avx2")) compare(&lie__pirk_4, 4), compared++;
#endif
#if defined(LIE_WITH_LANES_8)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) compare(&lie__pirk_8, 8), compared++;
#endif
    printf("%d kernels have the bits of plain doubles\n", compared);
    if (compared == 0) TEST_IGNORE_MESSAGE("built without lanes");
}

/* Kinds */

/* Forces nobody knows: those of the system that params points to. */
static void hidden_force(const lie_system *sys, double *F, const double *g)
{
    const lie_system *other = (const lie_system *)sys->params;
    other->force(other, F, g);
}

static void hidden_gyro(const lie_system *sys, double *A, const double *g)
{
    const lie_system *other = (const lie_system *)sys->params;
    other->gyro(other, A, g);
}

static void hidden_gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    const lie_system *other = (const lie_system *)sys->params;
    other->gyro_deriv(other, D, g);
}

static void hidden_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                            const double *u)
{
    const lie_system *other = (const lie_system *)sys->params;
    other->external(other, f, t, g, xi, u);
}

static double no_potential(const lie_system *sys, const double *g)
{
    (void)sys, (void)g;
    return 0.0;
}

/* How far the two ways are apart after 20 steps. */
static double apart(const lie_system *sys, const double *g, const double *xi, const char *method)
{
    lie_system hidden = {.name = "hidden",
                         .group = sys->group,
                         .inertia = sys->inertia,
                         .params = sys,
                         .potential = no_potential,
                         .force = hidden_force,
                         .gyro = sys->gyro ? hidden_gyro : NULL,
                         .gyro_deriv = sys->gyro ? hidden_gyro_deriv : NULL,
                         .controls = sys->controls,
                         .external = sys->external ? hidden_external : NULL};
    const double u_minus[2] = {0.3, -0.2}, u_plus[2] = {-0.1, 0.4};
    lie_stepper *a, *b;
    lie_state s, t;
    stepper(&a, sys, method, NULL, 0);
    stepper(&b, &hidden, method, NULL, 1);
    lie_stepper_control(a, u_minus, u_plus);
    lie_stepper_control(b, u_minus, u_plus);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, &s, 0.0, g, xi));
    t = s;
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(a, &s, 0.05, 20));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(b, &t, 0.05, 20));
    return case_distance(sys->group, &s, &t);
}

static const double inertia[9] = {1.0, 0.05, -0.1, 0.05, 1.7, 0.15, -0.1, 0.15, 2.4};
static const double q[4] = {0.8, 0.2, -0.4, 0.4}, w[6] = {0.2, 0.15, 0.95, 0.3, -0.2, 0.1};

void test_pirk_known_rates_are_those_of_the_callbacks(void)
{
    const char *const methods[] = {"pirk8", "pirk12", "pirk16"};
    const double R[9] = {0.0, -1.0, 0.0, 0.6, 0.0, -0.8, 0.8, 0.0, 0.6};
    const double place[12] = {0.0, -1.0, 0.0, 0.6, 0.0, -0.8, 0.8, 0.0, 0.6, 0.3, -0.2, 0.5};
    lie_heavy_top top = {.mass = 1.3, .centre = {0.05, -0.04, 0.12}, .gravity = 2.0};
    lie_satellite satellite = {.orbit_rate = 0.7, .wheels = {0.1, -0.2, 0.3}};
    lie_vehicle vehicle = {
        .weight = 2.0, .buoyancy = 2.3, .weight_at = {0.01, 0.0, -0.1}, .buoyancy_at = {0.0, 0.02, 0.0}};
    lie_vehicle vessel;
    lie_system sys[6];
    memcpy(top.inertia, inertia, sizeof inertia);
    memcpy(satellite.inertia, inertia, sizeof inertia);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) vehicle.inertia[6 * i + j] = (i == j ? 2.0 + i : 0.0) + 0.02 * i * j;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys[0], &top, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys[1], &top, "SO3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&sys[2], &satellite, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&sys[3], &satellite, "SO3"));
    vessel = vehicle;
    vessel.thrusters = 2;
    for (int i = 0; i < 36; i++) vessel.linear_drag[i] = i % 7 == 0 ? 0.3 : 0.01 * (i % 6);
    for (int i = 0; i < 6; i++) {
        vessel.quadratic_drag[i] = 0.2 + 0.1 * i;
        vessel.thruster_at[i % 2][i / 2] = 0.1 * i, vessel.thruster_along[i % 2][i / 2] = 1.0 - 0.3 * i;
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&sys[4], &vehicle, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&sys[5], &vessel, NULL));
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) {
            double d = apart(&sys[i], i >= 4 ? place : i % 2 ? R : q, w, methods[k]);
            TEST_ASSERT_TRUE_MESSAGE(d <= 1e-13, sys[i].name);
        }
}

/* Where the params of the system change between runs, the stepper goes on as a new one would; also sv, which has a
 * short way for satellites. */
void test_pirk_params_may_change_between_runs(void)
{
    const char *const methods[] = {"pirk8", "sv"};
    lie_satellite satellite = {.orbit_rate = 0.7};
    lie_system sys;
    memcpy(satellite.inertia, inertia, sizeof inertia);
    TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&sys, &satellite, "S3"));
    for (int k = 0; k < 2; k++) {
        lie_stepper *a, *b;
        lie_state s, t;
        satellite.wheels[0] = 0.0;
        stepper(&a, &sys, methods[k], NULL, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, q, w));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(a, &s, 0.1, 3));
        t = s;
        satellite.wheels[0] = 0.5;
        stepper(&b, &sys, methods[k], NULL, 1);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(a, &s, 0.1, 3));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(b, &t, 0.1, 3));
        TEST_ASSERT_TRUE_MESSAGE(case_distance(sys.group, &s, &t) <= 1e-15, methods[k]);
    }
}

/* vprk with Gauss of order 12 and 16 */

void test_pirk_variational_gauss_of_the_same_order_leads_to_the_same_place(void)
{
    const char *const tableau[] = {"gauss6", "gauss8"}, *const method[] = {"pirk12", "pirk16"};
    lie_heavy_top top = {.mass = 1.0, .centre = {0.05, -0.04, 0.12}, .gravity = 1.0};
    lie_system sys;
    memcpy(top.inertia, inertia, sizeof inertia);
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
    for (int k = 0; k < 2; k++) {
        lie_stepper *a, *b;
        lie_state s, t;
        double J[3], K[3];
        stepper(&a, &sys, "vprk", tableau[k], 0);
        stepper(&b, &sys, method[k], NULL, 1);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, q, w));
        lie_state_spatial_momentum(&sys, J, &s);
        t = s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(a, &s, 0.25, 40));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(b, &t, 0.25, 40));
        lie_state_spatial_momentum(&sys, K, &s);
        printf("%s and vprk with %s: %.1e apart at t = 10, momentum about the vertical %.1e\n", method[k], tableau[k],
               case_distance(sys.group, &s, &t), fabs(K[2] - J[2]));
        TEST_ASSERT_TRUE(case_distance(sys.group, &s, &t) <= 1e-13);
        TEST_ASSERT_TRUE(fabs(K[2] - J[2]) <= 40 * DBL_EPSILON);
    }
}

/* Failure */

void test_pirk_failure_leaves_the_state_alone(void)
{
    lie_heavy_top top = {.mass = 1.0, .centre = {0.05, -0.04, 0.12}, .gravity = 1.0};
    lie_system sys;
    lie_stepper *st;
    lie_state s, before;
    memcpy(top.inertia, inertia, sizeof inertia);
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "SO3"));
    stepper(&st, &sys, "pirk16", NULL, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, w));
    before = s;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_step(st, &s, 1e60));
    TEST_ASSERT_EQUAL_MEMORY(&before, &s, sizeof s);
}
