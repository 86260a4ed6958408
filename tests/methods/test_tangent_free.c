/* SPDX-License-Identifier: MIT */
/* The tangents of splittings and of Gauss methods in the embedding, where test_tangent has no place: the derivative of
 * the free body where formulas by its invariants would be singular and over many periods; the same bits for every
 * number of lanes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liestep/core.h>

#include "groups/num/vec3.h"
#include "lib/methods/embedded/embedded_tangent.h"
#include "lib/methods/free_body/free_flow.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* The derivative of a free body's turn */

/* r as a quaternion, from m moved by d along e_j */
static void turn_beside(double r[4], const lie_free_flow *flow, const double m[3], int j, double d, double h)
{
    lie_free_turn turn;
    double at[3] = {m[0], m[1], m[2]};
    at[j] += d;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_turn(flow, &turn, at, h));
    r[0] = 1.0 + turn.a;
    for (int i = 0; i < 3; i++) r[1 + i] = turn.v[i];
}

/* 2 vec(conj(r) d) */
static void body_rate(double w[3], const double r[4], const double d[4])
{
    double x[3];
    cross3(x, r + 1, d + 1);
    for (int i = 0; i < 3; i++) w[i] = 2.0 * ((r[0] * d[1 + i] - d[0] * r[1 + i]) - x[i]);
}

/* W against differences of order 4, relative to its largest entry */
static double slope_error(const lie_free_flow *flow, const double m[3], double h)
{
    double R[9], W[9], r[4], worst = 0.0, size = 0.0, length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    const double d = 1e-3 * (length > 0.0 ? length : 1.0) / (1.0 + fabs(h) * length);
    TEST_ASSERT_EQUAL(LIE_OK, lie__free_flow_slope(flow, R, W, m, h));
    turn_beside(r, flow, m, 0, 0.0, h);
    for (int j = 0; j < 3; j++) {
        double f[4][4], rate[3], change[4];
        static const double at[4] = {1.0, -1.0, 2.0, -2.0};
        for (int k = 0; k < 4; k++) {
            turn_beside(f[k], flow, m, j, at[k] * d, h);
            double same = r[0] * f[k][0] + r[1] * f[k][1] + r[2] * f[k][2] + r[3] * f[k][3];
            for (int i = 0; i < 4 && same < 0.0; i++) f[k][i] = -f[k][i];
        }
        for (int i = 0; i < 4; i++) change[i] = (8.0 * (f[0][i] - f[1][i]) - (f[2][i] - f[3][i])) / (12.0 * d);
        body_rate(rate, r, change);
        for (int i = 0; i < 3; i++) {
            worst = fmax(worst, fabs(rate[i] - W[3 * i + j]));
            size = fmax(size, fabs(W[3 * i + j]));
        }
    }
    return worst / size;
}

/* Generic motions; axes, among them the unstable one; the separatrix; a sphere, both kinds of symmetric tops; at rest;
 * backwards; and steps of many pieces. */
void test_tangent_free_agrees_with_differences_everywhere(void)
{
    static const double moments[5][3] = {
        {1.0, 2.0, 3.0}, {2.0, 2.0, 2.0}, {1.0, 1.0, 3.0}, {1.0, 3.0, 3.0}, {1.0, 1.0 + 1e-9, 1.5}};
    double separatrix[3] = {sqrt(0.25), 0.9, sqrt(0.75)}; /* m.m/I2 = m.I^-1 m for 1, 2, 3 */
    const double starts[8][3] = {
        {0.7, -0.4, 1.1}, {1.3, 0.0, 0.0},   {0.0, 1.3, 0.0},  {0.0, 0.0, -1.3},
        {0.0, 0.0, 0.0},  {1e-9, 1.0, 1e-9}, {5.0, -9.0, 4.0}, {separatrix[0], separatrix[1], separatrix[2]}};
    static const double steps[5] = {1e-3, 0.1, -0.7, 2.0, 30.0};
    double worst = 0.0;
    for (int b = 0; b < 5; b++)
        for (int k = 0; k < 8; k++)
            for (int i = 0; i < 5; i++) {
                double A[9] = {0.0};
                lie_free_flow flow;
                char text[80];
                for (int l = 0; l < 3; l++) A[4 * l] = moments[b][l];
                TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_init(&flow, A));
                if (steps[i] > 1.0 && (k == 2 || k == 5 || k == 7)) continue; /* these leave their neighbours fast */
                double error = slope_error(&flow, starts[k], steps[i]);
                snprintf(text, sizeof text, "body %d, start %d, h = %g: %.1e", b, k, steps[i], error);
                worst = fmax(worst, error);
                TEST_ASSERT_TRUE_MESSAGE(error <= 2e-9, text);
            }
    printf("  derivative of a free body's turn against differences: %.1e\n", worst);
}

/* T of a free step is symplectic: W^-1 has the antisymmetric part that the bracket asks for. Of one step and of one in
 * thousands of pieces, with a dense inertia. */
void test_tangent_free_is_symplectic(void)
{
    static const double dense[9] = {1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9};
    static const double steps[4] = {0.01, 0.3, 5.0, 300.0}, bound[4] = {1e-15, 4e-15, 1e-13, 1e-8};
    const double m[3] = {0.7, -1.4, 1.1};
    lie_free_flow flow;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_init(&flow, dense));
    for (int k = 0; k < 4; k++) {
        double R[9], W[9], T[36] = {0.0}, end[3] = {m[0], m[1], m[2]}, q[4] = {1.0, 0.0, 0.0, 0.0}, hat[9], C[9];
        TEST_ASSERT_EQUAL(LIE_OK, lie__free_flow_slope(&flow, R, W, m, steps[k]));
        TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_s3(&flow, q, 0, end, 0, steps[k]));
        hat3(hat, end);
        mat3_mul(C, hat, W);
        for (int i = 0; i < 9; i++) {
            int r = i / 3, c = i % 3;
            T[6 * r + c] = R[3 * c + r], T[6 * r + 3 + c] = W[i], T[6 * (3 + r) + 3 + c] = R[3 * c + r] + C[i];
        }
        double defect = lie_tangent_defect(&lie_so3_exp_ops, T, m, end);
        printf("  free step of %g s: T^T Omega T - Omega = %.1e\n", steps[k], defect);
        TEST_ASSERT_TRUE(defect <= bound[k]);
    }
}

void test_tangent_free_refuses_what_is_not_finite(void)
{
    static const double I[9] = {1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0};
    double R[9] = {0.777}, W[9] = {0.777};
    lie_free_flow flow;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_init(&flow, I));
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie__free_flow_slope(&flow, R, W, (double[3]){(double)NAN, 1.0, 0.0}, 0.1));
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie__free_flow_slope(&flow, R, W, (double[3]){1.0, 2.0, 1.0}, 1e9));
    TEST_ASSERT_TRUE(R[0] == 0.777 && W[0] == 0.777);
}

/* Lanes */

extern const embedded_along_kernel lie__embedded_along_1;
#if defined(__x86_64__) && defined(__GNUC__)
extern const embedded_along_kernel lie__embedded_along_2, lie__embedded_along_4, lie__embedded_along_8;
#endif

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 4294967296.0 - 0.5;
}

enum { ALONG_WORK = 20000 };

/* Equations that mean nothing. */
static void fill(embedded_along *a, embedded_halves *halves, const lie_tableau *tab, int length, unsigned seed)
{
    memset(a, 0, sizeof *a);
    TEST_ASSERT_EQUAL(LIE_OK, lie__embedded_halve(halves, tab));
    a->stages = tab->stages, a->length = length, a->h = 0.1, a->tab = tab, a->halves = halves;
    a->is_coupled = (int)(seed % 2);
    for (int i = 0; i < EMBEDDED_STAGES_MAX; i++) {
        for (int c = 0; c < EMBEDDED_LONGEST; c++) a->Y[c][i] = 0.7 + number(&seed);
        for (int c = 0; c < 6; c++) a->xi[c][i] = number(&seed), a->F[c][i] = number(&seed);
        for (int c = 0; c < 36; c++) {
            a->xi_m[c][i] = number(&seed), a->F_g[c][i] = number(&seed);
            a->xi_g[c][i] = number(&seed), a->F_m[c][i] = number(&seed);
        }
    }
    for (int c = 0; c < EMBEDDED_LONGEST * EMBEDDED_ROOM; c++) a->start[c] = number(&seed);
}

static void compare(const embedded_along_kernel *kernel, int lanes)
{
    static const char *const names[6] = {"gauss1", "gauss2", "gauss3", "gauss4", "gauss6", "gauss8"};
    static const int lengths[4] = {EMBEDDED_PX, EMBEDDED_PX, EMBEDDED_X, EMBEDDED_LONGEST};
    static double work[2][ALONG_WORK];
    static embedded_along a, b;
    for (int k = 0; k < 6; k++)
        for (int kind = 0; kind < 4; kind++)
            for (unsigned seed = 1; seed < 10; seed++) {
                const lie_tableau *tab;
                embedded_halves halves;
                char text[80];
                snprintf(text, sizeof text, "%d lanes, %s, kind %d", lanes, names[k], kind);
                TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, names[k]));
                fill(&a, &halves, tab, lengths[kind], seed);
                b = a;
                a.work = work[0], b.work = work[1];
                lie_status plain = kind ? lie__embedded_along_1.motion(&a) : lie__embedded_along_1.turn(&a);
                lie_status wide = kind ? kernel->motion(&b) : kernel->turn(&b);
                TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, plain, text);
                TEST_ASSERT_EQUAL_MESSAGE(plain, wide, text);
                TEST_ASSERT_TRUE_MESSAGE(a.end[0] != 0.0, text);
                TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a.end, b.end, sizeof a.end, text);
            }
}

void test_tangent_free_bits_do_not_depend_on_the_number_of_lanes(void)
{
    int compared = 0;
#if defined(LIE_WITH_LANES_2)
    compare(&lie__embedded_along_2, 2), compared++;
#endif
#if defined(LIE_WITH_LANES_4)
    if (__builtin_cpu_supports("avx2")) compare(&lie__embedded_along_4, 4), compared++;
#endif
#if defined(LIE_WITH_LANES_8)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        compare(&lie__embedded_along_8, 8), compared++;
#endif
    printf("  %d kernels have the bits of plain doubles\n", compared);
    if (compared == 0) TEST_IGNORE_MESSAGE("built without lanes");
}
