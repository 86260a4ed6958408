/* SPDX-License-Identifier: MIT */
/* Gauss and Lobatto methods in the embedding beyond what the tests of all methods ask: steps against the same equations
 * solved in long double, invariants over long runs, the same bits for any number of lanes and after a restart,
 * steps that are too long, rest. */
#include <liestep/s3.h>
#include <liestep/systems.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/methods/embedded/embedded.h"
#include "tests/methods/step_equations.h"
#include "tests/support/stepper_cases.h"
#include "unity.h"

enum { METHODS = 10, WORK = 1 << 14 };
static const char *const methods[METHODS] = {"gauss1", "gauss2",     "gauss3",     "gauss4",     "gauss6",
                                             "gauss8", "lobatto3a3", "lobatto3a4", "lobatto3b3", "lobatto3b4"};
static const lie_heavy_top top = {{1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}, 1.0, {0.3, -0.2, 1.0}, 9.81};
static const double start_w[3] = {0.7, 0.9, -0.6};
static double work[2][WORK];

static void begin(lie_stepper **st, lie_state *s, lie_system *sys, const char *method, const char *group, int k)
{
    const double q[4] = {1.0, 0.0, 0.0, 0.0}, R[9] = {1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0};
    lie_options opt = {.method = method};
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(sys, &top, group));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, sys->group->size == 4 ? q : R, start_w));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(st, sys, &opt, work[k], sizeof work[k]));
}

/* Long double */

typedef long double real;

/* out = a (0, w) */
static void times(real out[4], const real a[4], const real w[3])
{
    out[0] = -(a[1] * w[0] + a[2] * w[1] + a[3] * w[2]);
    out[1] = a[0] * w[0] + a[2] * w[2] - a[3] * w[1];
    out[2] = a[0] * w[1] + a[3] * w[0] - a[1] * w[2];
    out[3] = a[0] * w[2] + a[1] * w[1] - a[2] * w[0];
}

/* vec(conj(a) b) */
static void between(real out[3], const real a[4], const real b[4])
{
    out[0] = a[0] * b[1] - a[1] * b[0] - (a[2] * b[3] - a[3] * b[2]);
    out[1] = a[0] * b[2] - a[2] * b[0] - (a[3] * b[1] - a[1] * b[3]);
    out[2] = a[0] * b[3] - a[3] * b[0] - (a[1] * b[2] - a[2] * b[1]);
}

/* q' = q w/2, p' = p w/2 + q F/|q|^2 of the top */
static void top_rate(real k[8], const real y[8])
{
    real n = y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3], mu[3], w[3], up[3], F[3], pulled[4];
    between(mu, y, y + 4);
    for (int i = 0; i < 3; i++) w[i] = mu[i] / (2.0L * (real)top.inertia[4 * i]);
    up[0] = 2.0L * (y[1] * y[3] - y[0] * y[2]), up[1] = 2.0L * (y[2] * y[3] + y[0] * y[1]);
    up[2] = y[0] * y[0] - y[1] * y[1] - y[2] * y[2] + y[3] * y[3];
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        real weight = (real)top.mass * (real)top.gravity;
        F[i] = weight * (up[a] * (real)top.centre[b] - up[b] * (real)top.centre[a]) / (n * n);
    }
    times(k, y, w);
    times(k + 4, y + 4, w);
    times(pulled, y, F);
    for (int i = 0; i < 4; i++) k[4 + i] += pulled[i];
}

/* a_ij of coordinate c; of p that of the partner, which for Gauss is the same */
static real weight(const lie_tableau *tab, int c, int i, int j)
{
    int s = tab->stages;
    real a = (real)tab->A[i * s + j], back = (real)tab->A[j * s + i];
    return c < 4 || tab->c[0] > 0.0 ? a : (real)tab->b[j] * (1.0L - back / (real)tab->b[i]);
}

/* One step from q, m, by passes in long double; q of Lobatto's is brought back to S3 */
static void exact_step(real q[4], real m[3], const lie_tableau *tab, double h)
{
    real y[8], Y[8][8], K[8][8];
    int s = tab->stages;
    memcpy(y, q, 4 * sizeof *y);
    times(y + 4, q, m);
    for (int i = 0; i < s; i++) memcpy(Y[i], y, sizeof y);
    for (int pass = 0; pass < 200; pass++) {
        for (int i = 0; i < s; i++) top_rate(K[i], Y[i]);
        for (int i = 0; i < s; i++)
            for (int c = 0; c < 8; c++) {
                Y[i][c] = y[c];
                for (int j = 0; j < s; j++) Y[i][c] += (real)h * weight(tab, c, i, j) * K[j][c];
            }
    }
    for (int c = 0; c < 8; c++)
        for (int j = 0; j < s; j++) y[c] += (real)h * (real)tab->b[j] * K[j][c];
    between(m, y, y + 4);
    real length = sqrtl(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    for (int c = 0; c < 4; c++) q[c] = y[c] / length;
}

/* The largest error of a step of `count`, in units of 2^-53 of q and of |m| */
static double worst_step(const char *method, double h, int count)
{
    const lie_tableau *tab;
    lie_stepper *st;
    lie_system sys;
    lie_state s;
    real worst = 0.0L;
    begin(&st, &s, &sys, method, "S3", 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, method));
    for (int k = 0; k < count; k++) {
        real q[4], m[3], size = 0.0L;
        for (int i = 0; i < 4; i++) q[i] = (real)s.g[i] + (real)s.low_g[i];
        for (int i = 0; i < 3; i++) m[i] = (real)s.m[i] + (real)s.low_m[i];
        exact_step(q, m, tab, h);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(st, &s, h), method);
        for (int i = 0; i < 3; i++) size += m[i] * m[i];
        for (int i = 0; i < 4; i++) worst = fmaxl(worst, fabsl(q[i] - ((real)s.g[i] + (real)s.low_g[i])));
        for (int i = 0; i < 3; i++) worst = fmaxl(worst, fabsl(m[i] - ((real)s.m[i] + (real)s.low_m[i])) / sqrtl(size));
    }
    return (double)(worst * 0x1p53L);
}

void test_embedded_steps_are_those_of_long_double(void)
{
    for (int k = 0; k < METHODS; k++) {
        double fine = worst_step(methods[k], 0.01, 300), coarse = worst_step(methods[k], 0.1, 300);
        printf("  %s: the worst of 300 steps is off by %.1f (h = 0.01), %.1f (h = 0.1) units of 2^-53\n", methods[k],
               fine, coarse);
        TEST_ASSERT_TRUE_MESSAGE(fine <= 4.0 && coarse <= 6.0, methods[k]);
    }
}

/* Long runs */

/* e3 . J, J the spatial momentum */
static double upright(const lie_system *sys, const lie_state *s)
{
    double J[3];
    lie_state_spatial_momentum(sys, J, s);
    return J[2];
}

/* 1e5 steps of 0.05: what the order leaves of the energy of six and eight stages is rounding. */
void test_embedded_invariants_over_long_runs(void)
{
    static const double bound[METHODS] = {0.5, 5e-4, 1e-6, 1e-9, 4e-12, 4e-12, 2e-4, 5e-7, 1e-3, 8e-7};
    static const char *const groups[2] = {"S3", "SO3"};
    for (int k = 0; k < METHODS; k++)
        for (int g = 0; g < 2; g++) {
            lie_stepper *st;
            lie_system sys;
            lie_state s;
            double E0, E, most = 0.0, vertical = 0.0;
            begin(&st, &s, &sys, methods[k], groups[g], 0);
            double J0 = upright(&sys, &s);
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E0, &s));
            for (int i = 0; i < 200; i++) {
                TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, 0.05, 500));
                TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E, &s));
                most = fmax(most, fabs(E - E0)), vertical = fmax(vertical, fabs(upright(&sys, &s) - J0));
            }
            printf("  %s on %-3s: energy within %.1e, vertical momentum within %.1e\n", methods[k], groups[g], most,
                   vertical);
            TEST_ASSERT_TRUE_MESSAGE(most <= bound[k], methods[k]);
            TEST_ASSERT_TRUE_MESSAGE(vertical <= 2e-13, methods[k]);
        }
}

/* Lanes */

extern const embedded_kernel lie__embedded_1;
#if defined(__x86_64__) && defined(__GNUC__)
extern const embedded_kernel lie__embedded_2, lie__embedded_4, lie__embedded_8;
#endif

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 4294967296.0 - 0.5;
}

static int answer(void *context, embedded_per_stage *xi, embedded_per_stage *F, const embedded_per_stage *Y)
{
    int stages = *(int *)context;
    for (int c = 0; c < 6; c++)
        for (int i = 0; i < stages; i++) {
            F[c][i] = 0.3 * Y[c][i] * Y[(c + 1) % 8][i];
            xi[c][i] = 0.5 * Y[(c + 4) % 8][i] + 0.1 * i;
        }
    return 1;
}

/* A task with small weights that means nothing. */
static void fill(embedded_task *task, unsigned seed, int *stages, double *slopes, double *older)
{
    int s = *stages, stride = embedded_stride(s), is_power = (s & (s - 1)) == 0;
    memset(task, 0, sizeof *task);
    memset(slopes, 0, EMBEDDED_LONGEST * EMBEDDED_STAGES_MAX * sizeof *slopes);
    memset(older, 0, EMBEDDED_LONGEST * EMBEDDED_STAGES_MAX * sizeof *older);
    for (int i = 0; i < s; i++) {
        for (int j = 0; j < s; j++) {
            int row = is_power ? i ^ j : j;
            task->hA[row][i] = 0.1 * number(&seed), task->guess[row][i] = 0.1 * number(&seed);
            if (s <= 2) task->guess_older[row][i] = 0.1 * number(&seed);
        }
        task->hc[i] = 0.1 * number(&seed), task->hb[i] = 0.2 * number(&seed), task->hb_low[i] = 1e-17 * number(&seed);
        for (int c = 0; c < EMBEDDED_LONGEST; c++)
            slopes[c * stride + i] = number(&seed), older[c * stride + i] = number(&seed);
        for (int c = 0; c < 6; c++) task->thrust[c * EMBEDDED_STAGES_MAX + i] = number(&seed);
    }
    for (int i = 0; i < s && (s == 3 || s == 4); i++)
        for (int row = 0; row < s; row++) {
            task->hA_p[row][i] = 0.1 * number(&seed), task->guess_p[row][i] = 0.1 * number(&seed);
        }
    for (int i = 0; i < EMBEDDED_X; i++) task->y[i] = 0.5 + number(&seed);
    for (int i = 0; i < 36; i++) task->inverse[i] = 0.3 * number(&seed), task->form.drag[i] = 0.2 * number(&seed);
    for (int i = 0; i < 9; i++) task->form.gradient[i] = number(&seed);
    for (int i = 0; i < 4; i++) task->form.pull[i] = number(&seed);
    for (int i = 0; i < 3; i++) task->form.store[i] = number(&seed), task->size[i] = 1.0 + number(&seed);
    for (int i = 0; i < 6; i++) task->form.quadratic[i] = 0.2 * number(&seed);
    task->form.rate = number(&seed), task->cap = 60, task->history = (int)(seed % 3);
    task->trend = (contraction_trend){0.0625, seed % 2 ? 5.0 : 0.0};
    task->slopes = slopes, task->older = older, task->ask = answer, task->context = stages;
}

static void compare(const embedded_kernel *kernel, int lanes)
{
    static const int counts[EMBEDDED_COUNTS] = {1, 2, 3, 4, 6, 8, 3, 4};
    static double slopes[EMBEDDED_LONGEST * EMBEDDED_STAGES_MAX], older[EMBEDDED_LONGEST * EMBEDDED_STAGES_MAX];
    int solved = 0;
    for (int s = lanes == 8 ? 4 : lanes == 4 ? 2 : 0; s < EMBEDDED_COUNTS && kernel->run[s][0]; s++)
        for (int kind = 0; kind < STAGE_KINDS; kind++)
            for (unsigned seed = 1; seed < 30; seed++) {
                static embedded_task a, b;
                double out[2][EMBEDDED_LONGEST * EMBEDDED_STAGES_MAX] = {{0.0}};
                int stages = counts[s];
                char text[80];
                fill(&a, seed, &stages, slopes, older);
                b = a;
                a.out = out[0], b.out = out[1];
                snprintf(text, sizeof text, "%d lanes, %d stages, kind %d", lanes, stages, kind);
                lie_status status = lie__embedded_1.run[s][kind](&a);
                TEST_ASSERT_EQUAL_MESSAGE(status, kernel->run[s][kind](&b), text);
                TEST_ASSERT_EQUAL_MESSAGE(a.passes, b.passes, text);
                if (status != LIE_OK) continue;
                solved++;
                TEST_ASSERT_TRUE_MESSAGE(out[0][0] != 0.0, text);
                TEST_ASSERT_EQUAL_MEMORY_MESSAGE(out[0], out[1], sizeof out[0], text);
                TEST_ASSERT_TRUE_MESSAGE(a.change.q[0] != 0.0 && a.change.impulse[0] != 0.0, text);
                TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&a.change, &b.change, sizeof a.change, text);
                TEST_ASSERT_TRUE_MESSAGE(a.left == b.left && a.trend.contraction2 == b.trend.contraction2, text);
            }
    TEST_ASSERT_GREATER_THAN(100, solved);
}

void test_embedded_bits_do_not_depend_on_the_number_of_lanes(void)
{
    int compared = 0;
#if defined(LIE_WITH_LANES_2)
    compare(&lie__embedded_2, 2), compared++;
#endif
#if defined(LIE_WITH_LANES_4)
    if (__builtin_cpu_supports("avx2")) compare(&lie__embedded_4, 4), compared++;
#endif
#if defined(LIE_WITH_LANES_8)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        compare(&lie__embedded_8, 8), compared++;
#endif
    printf("%d kernels have the bits of plain doubles\n", compared);
    if (compared == 0) TEST_IGNORE_MESSAGE("built without lanes");
}

/* Restart, length, rest */

/* A stepper with the memory of another one goes on to the bit, with steps of changing length and sign. */
void test_embedded_memory_is_all_that_a_restart_needs(void)
{
    static const double lengths[5] = {0.05, 0.05, 0.03, -0.02, 0.2};
    for (int k = 0; k < METHODS; k++) {
        static double memory[512];
        lie_stepper *a, *b;
        lie_system sys, same;
        lie_state s, t;
        begin(&a, &s, &sys, methods[k], "SO3", 0);
        begin(&b, &t, &same, methods[k], "SO3", 1);
        TEST_ASSERT_TRUE(lie_stepper_memory_count(a) <= 512);
        for (int i = 0; i < 40; i++) {
            t = s;
            lie_stepper_memory_get(a, memory);
            lie_stepper_memory_set(b, memory);
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(a, &s, lengths[i / 2 % 5]));
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(b, &t, lengths[i / 2 % 5]));
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&s, &t, sizeof s, methods[k]);
        }
    }
}

/* Steps up to ten times beyond what the passes take: each one is right or refused, and many are right, by Newton's
 * method. */
void test_embedded_long_steps_are_right_or_refused(void)
{
    int right = 0, refused = 0;
    double worst = 0.0;
    for (int k = 0; k < METHODS; k++)
        for (double h = 0.1; h < 5.0; h *= 1.1) {
            lie_stepper *st;
            lie_system sys;
            lie_state s, before;
            begin(&st, &s, &sys, methods[k], "S3", 0);
            for (int i = 0; i < 12; i++) {
                before = s;
                lie_status status = lie_step(st, &s, h);
                if (status != LIE_OK) {
                    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&before, &s, sizeof s, methods[k]);
                    TEST_ASSERT_TRUE(status == LIE_ERR_NO_CONVERGENCE || status == LIE_ERR_SINGULAR);
                    refused++;
                    break;
                }
                right++;
                worst = fmax(worst, step_equations_error(st, &before, &s, h));
            }
        }
    printf("  %d steps satisfy their equations to %.1e, %d are refused\n", right, worst, refused);
    TEST_ASSERT_TRUE(worst <= 1e-13);
    TEST_ASSERT_GREATER_THAN(1000, right);
    TEST_ASSERT_GREATER_THAN(10, refused);
}

/* Evaluations per step of 0.05 with one stage: a wrong entry of the derivative costs more of them. */
static double evaluations(const lie_system *sys, double h)
{
    const double q[4] = {0.8, 0.2, -0.4, 0.4}, R[9] = {1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0};
    lie_stepper *st;
    lie_state s;
    lie_options opt = {.method = "gauss1"};
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, &s, 0.0, sys->group->size == 4 ? q : R, start_w));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, sys, &opt, work[0], sizeof work[0]));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, h, 2000));
    return (double)lie_stepper_statistics(st)->iterations / 2000.0;
}

/* The chord between where `method` is after 12 s in steps of h and where short steps end. */
static double chord_after_12_s(const char *method, double h)
{
    lie_system sys, same;
    lie_stepper *st, *right;
    lie_state s, end;
    double worst = 0.0;
    begin(&st, &s, &sys, method, "S3", 0);
    begin(&right, &end, &same, "gauss8", "S3", 1);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(st, &s, h, (long long)(12.0 / h + 0.5)), method);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(right, &end, 0.01, 1200));
    for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(s.g[i] - end.g[i]));
    return worst;
}

/* What `liestep methods` says of long steps: RK4 is lost there, gauss8 is not. */
void test_embedded_gauss8_is_right_where_rk4_is_lost(void)
{
    for (double h = 0.2; h < 0.45; h += 0.1) {
        double lost = chord_after_12_s("rk4_q", h), right = chord_after_12_s("gauss8", h);
        printf("  h = %.1f s, 12 s: rk4_q is off by %.1e, gauss8 by %.1e\n", h, lost, right);
        TEST_ASSERT_TRUE(lost > 0.3);
        TEST_ASSERT_TRUE(right < 3e-8);
    }
}

void test_embedded_one_stage_takes_few_evaluations(void)
{
    static const char *const groups[2] = {"S3", "SO3"};
    const double momentum[3] = {0.2, -0.1, 0.3};
    lie_satellite satellite = {.inertia = {1.0, 0.05, 0, 0.05, 2.0, 0.1, 0, 0.1, 2.6}, .orbit_rate = 0.9};
    memcpy(satellite.wheels, momentum, sizeof momentum);
    for (int g = 0; g < 2; g++) {
        lie_system sys;
        TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, groups[g]));
        double built_in = evaluations(&sys, 0.05);
        sys.form = 0;
        double own = evaluations(&sys, 0.05);
        sys.force_deriv = 0;
        double without = evaluations(&sys, 0.05);
        TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&sys, &satellite, groups[g]));
        double turning = evaluations(&sys, 0.05);
        printf("  %s: top %.2f, by callbacks %.2f, without a derivative %.2f, satellite %.2f evaluations\n", groups[g],
               built_in, own, without, turning);
        TEST_ASSERT_TRUE(built_in <= 2.5 && own <= 2.5 && without <= 5.5 && turning <= 2.1);
    }
}

static double push[3];

static void pushed(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    (void)sys, (void)t, (void)g, (void)xi, (void)u;
    memcpy(f, push, sizeof push);
}

/* At rest without weight nothing moves and nothing fails; then a push is felt in the very next step. */
void test_embedded_rest(void)
{
    static const double inertia[9] = {1.0, 0, 0, 0, 1.7, 0, 0, 0, 2.4}, none[3] = {0.0};
    const double q[4] = {0.5, 0.5, -0.5, 0.5};
    lie_system sys = {.name = "rest", .group = &lie_s3_cay_ops, .inertia = inertia, .external = pushed};
    for (int k = 0; k < METHODS; k++) {
        lie_stepper *st;
        lie_state s;
        lie_options opt = {.method = methods[k]};
        memset(push, 0, sizeof push);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, q, none));
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &opt, work[0], sizeof work[0]));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, 0.1, 20));
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(q, s.g, sizeof q, methods[k]);
        push[1] = 0.5;
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, 0.1));
        TEST_ASSERT_TRUE_MESSAGE(fabs(s.m[1] - 0.05) <= 1e-16 && s.m[0] == 0.0, methods[k]);
        TEST_ASSERT_TRUE_MESSAGE(fabs(s.g[2] + 0.5 - 0.25 * 0.5 * 0.05 / 1.7 * 0.1) <= 2e-7, methods[k]);
    }
}
