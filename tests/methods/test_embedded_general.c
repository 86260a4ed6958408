/* SPDX-License-Identifier: MIT */
/* Gauss methods in the embedding where there are no lanes, beyond what the tests of all methods ask: groups that
 * contain each other, R^n against collocation written plainly in long double, restarts, steps that are too long, rest.
 * Matrix groups: test_matgroup_gauss.c. */
#include <liestep/product.h>
#include <liestep/rn.h>
#include <liestep/s3.h>
#include <liestep/se2.h>
#include <liestep/se3.h>
#include <liestep/systems.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/methods/families.h"
#include "lib/methods/stepper_object.h"
#include "unity.h"

enum { METHODS = 6, EVERYWHERE = 4, WORK = 1 << 19 }; /* gauss6 and gauss8 are not offered on R^n and products */
static const char *const methods[METHODS] = {"gauss1", "gauss2", "gauss3", "gauss4", "gauss6", "gauss8"};
static double work[2][WORK];

static lie_stepper *stepper_on(const lie_system *sys, const char *method, int k)
{
    lie_stepper *st = 0;
    lie_options opt = {.method = method};
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(&st, sys, &opt, work[k], sizeof work[k]), method);
    return st;
}

static double far(int n, const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* S3, and a product of S3 alone, which has no lanes */
void test_embedded_general_s3_has_the_steps_of_the_lanes(void)
{
    static const lie_heavy_top top = {{1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}, 1.0, {0.3, -0.2, 1.0}, 9.81};
    static const lie_ops *const factor[1] = {&lie_s3_exp_ops};
    static const lie_product alone = {1, factor};
    const double q[4] = {0.5, 0.5, -0.5, 0.5}, w[3] = {0.7, 0.9, -0.6};
    for (int k = 0; k < EVERYWHERE; k++)
        for (double h = 0.01; h < 0.3; h *= 5.0) {
            lie_system sys, product;
            lie_ops G;
            lie_state a, b;
            TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
            TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&G, &alone));
            product = sys;
            product.group = &G;
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &a, 0.0, q, w));
            lie_stepper *one = stepper_on(&sys, methods[k], 0), *two = stepper_on(&product, methods[k], 1);
            TEST_ASSERT_EQUAL_PTR(&lie__embedded, one->family);
            TEST_ASSERT_EQUAL_PTR(&lie__embedded_general, two->family);
            b = a;
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(one, &a, h, 5), methods[k]);
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(two, &b, h, 5), methods[k]);
            double error = fmax(far(4, a.g, b.g), far(3, a.m, b.m));
            printf("  %s, h = %.2f: 5 steps apart by %.1e\n", methods[k], h, error);
            TEST_ASSERT_TRUE_MESSAGE(error <= 1e-14, methods[k]);
        }
}

/* A body in the plane, and the same one in space. A spring from a point of the body to the origin of another stiffness
 * in each direction. */

static void spring(double F[3], double c, double s, double x, double y)
{
    const double a = 0.4, b = -0.3; /* the point */
    double px = x + c * a - s * b, py = y + s * a + c * b, fx = -1.1 * px, fy = -2.3 * py;
    F[1] = c * fx + s * fy, F[2] = c * fy - s * fx;
    F[0] = a * F[2] - b * F[1];
}

static double spring_energy(double c, double s, double x, double y)
{
    const double a = 0.4, b = -0.3;
    double px = x + c * a - s * b, py = y + s * a + c * b;
    return 0.5 * (1.1 * px * px + 2.3 * py * py);
}

static void plane_force(const lie_system *sys, double *F, const double *g)
{
    (void)sys;
    spring(F, g[0], g[1], g[2], g[3]);
}

static double plane_potential(const lie_system *sys, const double *g)
{
    (void)sys;
    return spring_energy(g[0], g[1], g[2], g[3]);
}

static void space_force(const lie_system *sys, double *F, const double *g)
{
    double f[3];
    (void)sys;
    spring(f, g[0], g[3], g[9], g[10]);
    memset(F, 0, 6 * sizeof *F);
    F[2] = f[0], F[3] = f[1], F[4] = f[2];
}

static double space_potential(const lie_system *sys, const double *g)
{
    (void)sys;
    return spring_energy(g[0], g[3], g[9], g[10]);
}

void test_embedded_general_se2_is_se3_in_the_plane(void)
{
    static const double I2[9] = {0.7, 0.1, -0.2, 0.1, 1.3, 0.25, -0.2, 0.25, 2.1};
    static const int in_space[3] = {2, 3, 4};
    double I3[36] = {0.0};
    for (int i = 0; i < 6; i++) I3[7 * i] = 1.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) I3[6 * in_space[i] + in_space[j]] = I2[3 * i + j];
    const lie_system flat = {
        .name = "sled", .group = &lie_se2_cay_ops, .inertia = I2, .potential = plane_potential, .force = plane_force};
    const lie_system space = {.name = "sled in space",
                              .group = &lie_se3_cay_ops,
                              .inertia = I3,
                              .potential = space_potential,
                              .force = space_force};
    const double g2[4] = {-0.6, 0.8, 0.3, -0.2}, xi2[3] = {1.4, 0.5, -0.7};
    const double g3[12] = {-0.6, -0.8, 0, 0.8, -0.6, 0, 0, 0, 1.0, 0.3, -0.2, 0.0}, xi3[6] = {0, 0, 1.4, 0.5, -0.7, 0};
    for (int k = 0; k < METHODS; k++)
        for (double h = 0.02; h < 0.6; h *= 5.0) {
            lie_state a, b;
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&flat, &a, 0.0, g2, xi2));
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&space, &b, 0.0, g3, xi3));
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(stepper_on(&flat, methods[k], 0), &a, h, 30), methods[k]);
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(stepper_on(&space, methods[k], 1), &b, h, 30), methods[k]);
            const double seen_g[4] = {b.g[0], b.g[3], b.g[9], b.g[10]}, seen_m[3] = {b.m[2], b.m[3], b.m[4]};
            double error = fmax(far(4, a.g, seen_g), far(3, a.m, seen_m));
            printf("  %s, h = %.2f: 30 steps apart by %.1e\n", methods[k], h, error);
            TEST_ASSERT_TRUE_MESSAGE(error <= 4e-14, methods[k]);
        }
}

/* R^3: x'' = -M^-1 dV/dx */

static void cubic_force(const lie_system *sys, double *F, const double *x)
{
    (void)sys;
    double r2 = x[0] * x[0] + 2.0 * x[1] * x[1] + 0.5 * x[2] * x[2];
    F[0] = -x[0] * r2 - 0.2 * x[1], F[1] = -2.0 * x[1] * r2 - 0.2 * x[0], F[2] = -0.5 * x[2] * r2;
}

static double quartic_potential(const lie_system *sys, const double *x)
{
    (void)sys;
    double r2 = x[0] * x[0] + 2.0 * x[1] * x[1] + 0.5 * x[2] * x[2];
    return 0.25 * r2 * r2 + 0.2 * x[0] * x[1];
}

typedef long double real;

/* One step of collocation in long double; the inverse of the masses is known */
static void plain_step(const lie_tableau *tab, double h, const double inverse[9], real x[3], real p[3])
{
    real X[8][3], P[8][3], V[8][3], F[8][3];
    int s = tab->stages;
    for (int i = 0; i < s; i++) memcpy(X[i], x, sizeof X[i]), memcpy(P[i], p, sizeof P[i]);
    for (int pass = 0; pass < 150; pass++) {
        for (int i = 0; i < s; i++) {
            real r2 = X[i][0] * X[i][0] + 2.0L * X[i][1] * X[i][1] + 0.5L * X[i][2] * X[i][2];
            F[i][0] = -X[i][0] * r2 - (real)0.2 * X[i][1], F[i][1] = -2.0L * X[i][1] * r2 - (real)0.2 * X[i][0];
            F[i][2] = -0.5L * X[i][2] * r2;
            for (int c = 0; c < 3; c++) {
                V[i][c] = 0.0L;
                for (int d = 0; d < 3; d++) V[i][c] += (real)inverse[3 * c + d] * P[i][d];
            }
        }
        for (int i = 0; i < s; i++)
            for (int c = 0; c < 3; c++) {
                X[i][c] = x[c], P[i][c] = p[c];
                for (int j = 0; j < s; j++) {
                    X[i][c] += (real)h * (real)tab->A[i * s + j] * V[j][c];
                    P[i][c] += (real)h * (real)tab->A[i * s + j] * F[j][c];
                }
            }
    }
    for (int c = 0; c < 3; c++)
        for (int j = 0; j < s; j++) {
            x[c] += (real)h * (real)tab->b[j] * V[j][c];
            p[c] += (real)h * (real)tab->b[j] * F[j][c];
        }
}

void test_embedded_general_rn_is_collocation(void)
{
    static const double mass[9] = {2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5},
                        inverse[9] = {0.5, 0, 0, 0, 1.0, 0, 0, 0, 2.0};
    const double x0[3] = {0.6, -0.3, 0.8}, v0[3] = {0.4, 0.7, -0.9};
    lie_ops G;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&G, 3, "exp"));
    const lie_system sys = {
        .name = "particle", .group = &G, .inertia = mass, .potential = quartic_potential, .force = cubic_force};
    for (int k = 0; k < EVERYWHERE; k++)
        for (double h = 0.02; h < 0.6; h *= 5.0) {
            const lie_tableau *tab;
            lie_state s;
            real worst = 0.0L;
            TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, methods[k]));
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, x0, v0));
            lie_stepper *st = stepper_on(&sys, methods[k], 0);
            for (int step = 0; step < 40; step++) {
                real x[3], p[3];
                for (int c = 0; c < 3; c++)
                    x[c] = (real)s.g[c] + (real)s.low_g[c], p[c] = (real)s.m[c] + (real)s.low_m[c];
                plain_step(tab, h, inverse, x, p);
                TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(st, &s, h), methods[k]);
                for (int c = 0; c < 3; c++) {
                    worst = fmaxl(worst, fabsl(x[c] - ((real)s.g[c] + (real)s.low_g[c])));
                    worst = fmaxl(worst, fabsl(p[c] - ((real)s.m[c] + (real)s.low_m[c])));
                }
            }
            printf("  %s, h = %.2f: off by %.1f units of 2^-53\n", methods[k], h, (double)(worst * 0x1p53L));
            TEST_ASSERT_TRUE_MESSAGE(worst <= 8.0L * 0x1p-53L, methods[k]);
        }
}

/* Restart, length, rest: a rotor on S3 and a mass on a spring to it, coupled by the inertia */

static void coupled_force(const lie_system *sys, double *F, const double *g)
{
    double up[3], inverse[4];
    (void)sys;
    lie_s3_inv(inverse, g);
    lie_s3_act(up, inverse, (double[3]){0.0, 0.0, 1.0});
    F[0] = -1.4 * up[1], F[1] = 1.4 * up[0], F[2] = 0.0;
    for (int i = 0; i < 3; i++) F[3 + i] = -2.0 * g[4 + i];
}

static double coupled_potential(const lie_system *sys, const double *g)
{
    double up[3], inverse[4];
    (void)sys;
    lie_s3_inv(inverse, g);
    lie_s3_act(up, inverse, (double[3]){0.0, 0.0, 1.0});
    return 1.4 * up[2] + (g[4] * g[4] + g[5] * g[5] + g[6] * g[6]);
}

static lie_system coupled(void)
{
    static lie_ops space, both;
    static const lie_ops *factor[2] = {&lie_s3_exp_ops, &space};
    static const lie_product product = {2, factor};
    static double inertia[36];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) inertia[6 * i + j] = i == j ? 1.0 + 0.3 * i : i == (j + 3) % 6 ? 0.2 : 0.05;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&space, 3, "exp"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&both, &product));
    return (lie_system){.name = "rotor and mass",
                        .group = &both,
                        .inertia = inertia,
                        .potential = coupled_potential,
                        .force = coupled_force};
}

static void begin_coupled(const lie_system *sys, lie_state *s)
{
    const double g[7] = {0.5, 0.5, -0.5, 0.5, 0.2, -0.1, 0.3}, xi[6] = {0.7, 0.9, -0.6, 0.1, -0.4, 0.5};
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, g, xi));
}

void test_embedded_general_memory_is_all_that_a_restart_needs(void)
{
    static const double lengths[5] = {0.05, 0.05, 0.03, -0.02, 0.2};
    const lie_system sys = coupled();
    for (int k = 0; k < EVERYWHERE; k++) {
        static double memory[LIE_MEMORY_MAX];
        lie_stepper *a = stepper_on(&sys, methods[k], 0), *b = stepper_on(&sys, methods[k], 1);
        lie_state s, t;
        begin_coupled(&sys, &s);
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

/* R^32: the memory has room for four slopes of a step alone. */
void test_embedded_general_large_groups_remember_less(void)
{
    static double mass[32 * 32], x0[32], v0[32];
    lie_ops G;
    lie_large_state s, back;
    for (int i = 0; i < 32; i++) mass[33 * i] = 1.0 + i, x0[i] = 0.1 * i, v0[i] = 1.0 - 0.1 * i;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&G, 32, "exp"));
    const lie_system sys = {.name = "many", .group = &G, .inertia = mass};
    for (int k = 0; k < EVERYWHERE; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, x0, v0));
        lie_stepper *st = stepper_on(&sys, methods[k], 0);
        TEST_ASSERT_TRUE(lie_stepper_memory_count(st) <= LIE_MEMORY_MAX);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, LIE_STATE(&s), 0.1, 10));
        for (int i = 0; i < 32; i++)
            TEST_ASSERT_TRUE_MESSAGE(fabs(lie_state_g(LIE_STATE(&s))[i] - (x0[i] + v0[i])) <= 1e-15, methods[k]);
        back = s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, LIE_STATE(&back), -0.1, 10));
        TEST_ASSERT_TRUE_MESSAGE(far(32, lie_state_g(LIE_STATE(&back)), x0) <= 1e-15, methods[k]);
    }
}

/* y = (q, p, p_1, x_1, p_2, x_2, p_3, x_3): the equations of motion of the rotor and the mass, p = q m at the node */
enum { ROWS = 14 };

static void coupled_rate(const lie_system *sys, double *k, const double *y, const double *x0)
{
    double g[7], m[6], xi[6], F[6], n2 = 0.0, product[4];
    for (int i = 0; i < 4; i++) n2 += y[i] * y[i];
    const double back[4] = {y[0], -y[1], -y[2], -y[3]};
    lie_s3_mul(product, back, y + 4);
    for (int i = 0; i < 4; i++) g[i] = y[i] / sqrt(n2);
    for (int i = 0; i < 3; i++) m[i] = product[1 + i], m[3 + i] = y[8 + 2 * i], g[4 + i] = x0[i] + y[9 + 2 * i];
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, xi, g, m));
    sys->force(sys, F, g);
    const double turn[4] = {0.0, 0.5 * xi[0], 0.5 * xi[1], 0.5 * xi[2]};
    const double pull[4] = {0.0, F[0] / n2, F[1] / n2, F[2] / n2};
    lie_s3_mul(k, y, turn);
    lie_s3_mul(k + 4, y + 4, turn);
    lie_s3_mul(product, y, pull);
    for (int i = 0; i < 4; i++) k[4 + i] += product[i];
    for (int i = 0; i < 3; i++) k[8 + 2 * i] = F[3 + i], k[9 + 2 * i] = xi[3 + i];
}

/* How far the slopes that the stepper remembers are from the rates at its stages, and the end of the step from that
 * which they lead to. */
static double coupled_error(const lie_stepper *st, const lie_state *from, const lie_state *to, double h)
{
    enum { HEAD = 5 + 4 };
    const lie_tableau *tab = lie_stepper_tableau(st);
    double memory[LIE_MEMORY_MAX], y0[ROWS], y[ROWS], k[ROWS], error = 0.0, size = 0.0;
    const double m[4] = {0.0, from->m[0], from->m[1], from->m[2]};
    int s = tab->stages;
    lie_stepper_memory_get(st, memory);
    memcpy(y0, from->g, 4 * sizeof *y0);
    lie_s3_mul(y0 + 4, from->g, m);
    for (int i = 0; i < 3; i++) y0[8 + 2 * i] = from->m[3 + i], y0[9 + 2 * i] = 0.0;
    for (int i = 0; i <= s; i++) { /* the last row is the step */
        const double *row = i < s ? tab->A + i * s : tab->b;
        memcpy(y, y0, sizeof y);
        for (int j = 0; j < s; j++)
            for (int c = 0; c < ROWS; c++) y[c] += h * row[j] * memory[HEAD + j * ROWS + c];
        if (i == s) break;
        coupled_rate(lie_stepper_system(st), k, y, from->g + 4);
        error = fmax(error, far(ROWS, k, memory + HEAD + i * ROWS));
        for (int c = 0; c < ROWS; c++) size = fmax(size, fabs(k[c]));
    }
    double sign = y[0] * to->g[0] + y[1] * to->g[1] + y[2] * to->g[2] + y[3] * to->g[3] < 0.0 ? -1.0 : 1.0, off = 0.0;
    for (int i = 0; i < 4; i++) off = fmax(off, fabs(sign * y[i] - to->g[i]));
    for (int i = 0; i < 3; i++) off = fmax(off, fmax(fabs(from->g[4 + i] + y[9 + 2 * i] - to->g[4 + i]), 0.0));
    for (int i = 0; i < 3; i++) off = fmax(off, fabs(y[8 + 2 * i] - to->m[3 + i]));
    return fmax(error / size, off / (1.0 + h * size)) / (1.0 + h * size);
}

/* Each step is right or refused without a trace, and many are right, by Newton's method. */
void test_embedded_general_long_steps_are_right_or_refused(void)
{
    const lie_system sys = coupled();
    int right = 0, refused = 0;
    double worst = 0.0;
    for (int k = 0; k < EVERYWHERE; k++)
        for (double h = 0.1; h < 6.0; h *= 1.1) {
            lie_stepper *st = stepper_on(&sys, methods[k], 0);
            lie_state s, before;
            begin_coupled(&sys, &s);
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
                worst = fmax(worst, coupled_error(st, &before, &s, h));
            }
        }
    printf("  %d steps satisfy their equations to %.1e, %d are refused\n", right, worst, refused);
    TEST_ASSERT_TRUE(worst <= 1e-13);
    TEST_ASSERT_GREATER_THAN(1000, right);
}

/* At rest nothing moves and nothing fails. */
void test_embedded_general_rest(void)
{
    lie_system sys = coupled();
    const double g[7] = {0.5, 0.5, -0.5, 0.5, 0.2, -0.1, 0.3}, none[6] = {0.0};
    sys.force = 0, sys.potential = 0;
    for (int k = 0; k < EVERYWHERE; k++) {
        lie_state s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, g, none));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(stepper_on(&sys, methods[k], 0), &s, 0.1, 20));
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(g, s.g, sizeof g, methods[k]);
    }
}
