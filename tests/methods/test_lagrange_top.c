/* SPDX-License-Identifier: MIT */
/* The discrete Lagrange top: its integrals over a million steps, its Poisson bracket, its order towards the true top
 * (gauss4 on a body with two equal moments of inertia), and what it has in common with variational Euler in the body
 * frame. */
#include <liestep/core.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* A top that leans and nutates. */
static const lie_lagrange_top top = {1.7, {0.3, -0.4, 2.1}};
static const double axis[3] = {0.48, 0.6, 0.64}, spun[3] = {1.9, 0.7, 2.3};

static void cross(double *out, const double *a, const double *b)
{
    double r[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, r, sizeof r);
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static lie_lagrange_state started(double h)
{
    lie_lagrange_state s;
    TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_start(&top, &s, h, spun, axis));
    return s;
}

void test_lagrange_top_integrals_over_a_million_steps(void)
{
    static const double lengths[3] = {0.01, 0.1, 0.9};
    for (int k = 0; k < 3; k++) {
        lie_lagrange_state s = started(lengths[k]);
        double before[4], after[4], worst = 0.0, E[2], least = HUGE_VAL, most = -HUGE_VAL;
        lie_lagrange_top_integrals(&top, before, &s, lengths[k]);
        for (int i = 0; i < 1000; i++) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_run(&top, &s, lengths[k], 1000));
            lie_lagrange_top_integrals(&top, after, &s, lengths[k]);
            for (int j = 0; j < 4; j++) worst = fmax(worst, fabs(after[j] - before[j]) / (1.0 + fabs(before[j])));
            E[0] = dot(s.m, s.m) / (2.0 * top.inertia) + dot(top.p, s.a);
            least = fmin(least, E[0]), most = fmax(most, E[0]);
        }
        printf("  h = %g: integrals to %.1f eps over 1e6 steps; the energy of m and a spans %.1e\n", lengths[k],
               worst / DBL_EPSILON, most - least);
        TEST_ASSERT_TRUE(worst <= 500.0 * DBL_EPSILON);
        TEST_ASSERT_TRUE(most - least > 0.1 * lengths[k]); /* it is the fourth integral that is constant, not this */
    }
}

/* The bracket of e(3)* in the rest frame: {m_i, m_j} = -m_k, {m_i, a_j} = -a_k, {a_i, a_j} = 0 */
static void bracket(double B[6][6], const double *z)
{
    for (int i = 0; i < 36; i++) B[i / 6][i % 6] = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        B[i][j] = -z[k], B[j][i] = z[k];
        B[i][3 + j] = B[3 + i][j] = -z[3 + k];
        B[j][3 + i] = B[3 + j][i] = z[3 + k];
    }
}

static void mapped(double *out, const double *z, double h)
{
    lie_lagrange_state s = {.m = {z[0], z[1], z[2]}, .a = {z[3], z[4], z[5]}};
    TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_run(&top, &s, h, 1));
    memcpy(out, s.m, sizeof s.m);
    memcpy(out + 3, s.a, sizeof s.a);
}

void test_lagrange_top_is_a_poisson_map(void)
{
    double z[6] = {1.9, 0.7, 2.3, 0.48, 0.6, 0.64}, end[6], D[6][6], B[6][6], C[6][6], worst = 0.0;
    const double h = 0.3, d = 0x1p-9;
    mapped(end, z, h);
    for (int j = 0; j < 6; j++) { /* central differences of order 4 */
        double p[4][6], kept = z[j];
        for (int k = 0; k < 4; k++) {
            z[j] = kept + (k < 2 ? k - 2 : k - 1) * d;
            mapped(p[k], z, h);
        }
        z[j] = kept;
        for (int i = 0; i < 6; i++) D[i][j] = (p[0][i] - 8.0 * p[1][i] + 8.0 * p[2][i] - p[3][i]) / (12.0 * d);
    }
    bracket(B, z);
    bracket(C, end);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++)
                for (int l = 0; l < 6; l++) sum += D[i][k] * B[k][l] * D[j][l];
            worst = fmax(worst, fabs(sum - C[i][j]));
        }
    printf("  bracket preserved to %.1e\n", worst);
    TEST_ASSERT_TRUE(worst < 1e-9);
}

/* A matrix whose third column is `axis`. */
static void lean(double R[9])
{
    double e[3] = {1.0, 0.0, 0.0}, c[3][3];
    memcpy(c[2], axis, sizeof axis);
    cross(c[0], e, axis);
    double n = sqrt(dot(c[0], c[0]));
    for (int i = 0; i < 3; i++) c[0][i] /= n;
    cross(c[1], c[2], c[0]);
    for (int i = 0; i < 9; i++) R[i] = c[i % 3][i / 3];
}

/* The top as a body: moments of inertia (J, J, J3), weight along -p, the inertial frame turned so that p is e3. */
typedef struct body {
    lie_heavy_top params;
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    double work[4096], up[9];
} body;

static void make_body(body *b, double J3, const char *method, const char *retraction, const double *M)
{
    double R[9], m[3], length = sqrt(dot(top.p, top.p)), e[3] = {1.0, 0.0, 0.0}, c[3][3];
    memset(b, 0, sizeof *b);
    for (int i = 0; i < 3; i++) c[2][i] = top.p[i] / length;
    cross(c[0], e, c[2]);
    double n = sqrt(dot(c[0], c[0]));
    for (int i = 0; i < 3; i++) c[0][i] /= n;
    cross(c[1], c[2], c[0]);
    memcpy(b->up, c, sizeof c);
    b->params = (lie_heavy_top){.mass = length, .centre = {0.0, 0.0, 1.0}, .gravity = 1.0};
    b->params.inertia[0] = b->params.inertia[4] = top.inertia, b->params.inertia[8] = J3;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&b->sys, &b->params, "SO3"));
    lean(R);
    lie_so3_mul(R, b->up, R);
    lie_so3_act(m, b->up, M);
    double inverse[9], body_m[3];
    lie_so3_inv(inverse, R);
    lie_so3_act(body_m, inverse, m);
    lie_options opt = {.method = method, .retraction = retraction};
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&b->st, &b->sys, &opt, b->work, sizeof b->work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&b->sys, &b->s, 0.0, R, body_m));
}

/* Momentum and axis of the body in the frame of the top. */
static void look(const body *b, double *M, double *a)
{
    double J[3], inverse[9], e3[3] = {0.0, 0.0, 1.0};
    lie_state_spatial_momentum(&b->sys, J, &b->s);
    lie_so3_act(a, b->s.g, e3);
    lie_so3_inv(inverse, b->up);
    lie_so3_act(M, inverse, J);
    lie_so3_act(a, inverse, a);
}

void test_lagrange_top_converges_to_the_true_top(void)
{
    static body b;
    double M[3], a[3], error[3][6], T = 2.0;
    make_body(&b, 0.6, "gauss4", "exp", spun);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(b.st, &b.s, T / 200, 200));
    look(&b, M, a);
    for (int k = 0; k < 6; k++) {
        int n = 40 << k;
        double h = T / n, M_h[3];
        lie_lagrange_state s = started(h), shifted = {.m = {spun[0], spun[1], spun[2]}};
        memcpy(shifted.a, axis, sizeof axis);
        TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_run(&top, &s, h, n));
        TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_run(&top, &shifted, h, n));
        lie_lagrange_top_momentum(&top, M_h, &s, h);
        error[0][k] = distance(M_h, M), error[1][k] = distance(s.a, a), error[2][k] = distance(shifted.a, a);
    }
    for (int i = 0; i < 3; i++) {
        double order = log2(error[i][3] / error[i][5]) / 2.0;
        printf("  %s: order %.3f\n", i == 0 ? "M" : i == 1 ? "a" : "a, started with m = M", order);
        TEST_ASSERT_TRUE(fabs(order - (i < 2 ? 2.0 : 1.0)) < 0.02);
    }
}

/* In the body frame of a round body (J3 = J) ve_fwd kicks alike, and then turns by tau(h xi) about the same axis: the
 * momentum. With exp the angle is h |m+|/J; with cay 2 atan(h |xi|/2), xi (1 + |h xi|^2/4) = m+/J. Here it is
 * 2 atan(h |m+|/(2 J)), which is what the step of ve_fwd would be with the retraction whose angle phi(x) has
 * x^2 = -8 log cos(phi/2). So they differ from each other in the third power of h, and nowhere else. */
void test_lagrange_top_is_variational_euler_but_for_the_angle(void)
{
    static body b;
    static const char *const names[2] = {"exp", "cay"};
    const double h = 0.2;
    for (int k = 0; k < 2; k++) {
        lie_lagrange_state s = {.m = {spun[0], spun[1], spun[2]}};
        double M[3], a[3], in[3], out[3], theirs[3], along[3], J = top.inertia;
        memcpy(s.a, axis, sizeof axis);
        make_body(&b, J, "ve_fwd", names[k], spun);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(b.st, &b.s, h));
        look(&b, M, a);
        TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_run(&top, &s, h, 1));
        TEST_ASSERT_TRUE(distance(M, s.m) < 4e-15);
        /* angles about m+, from the parts of a across it */
        double length = sqrt(dot(M, M));
        for (int i = 0; i < 3; i++) along[i] = M[i] / length * dot(axis, M) / length;
        for (int i = 0; i < 3; i++) in[i] = axis[i] - along[i], out[i] = s.a[i] - along[i], theirs[i] = a[i] - along[i];
        TEST_ASSERT_TRUE(fabs(dot(theirs, M)) < 1e-14 && fabs(dot(out, M)) < 1e-14);
        double ours = acos(dot(in, out) / dot(in, in)), angle = acos(dot(in, theirs) / dot(in, in));
        double x = 2.0 * tan(angle / 2.0), expected = k == 0 ? angle : x * (1.0 + x * x / 4.0);
        TEST_ASSERT_TRUE(fabs(ours - 2.0 * atan(h * length / (2.0 * J))) < 1e-13);
        TEST_ASSERT_TRUE(fabs(expected - h * length / J) < 1e-13);
        TEST_ASSERT_TRUE(fabs(angle - ours) > 1e-4);
    }
}

void test_lagrange_top_steps_and_ways_back(void)
{
    const double h = 0.07;
    lie_lagrange_state by_run = started(h), by_step = by_run, back;
    double M[3], a[3];
    TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_run(&top, &by_run, h, 1000));
    for (int k = 0; k < 1000; k++) TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_run(&top, &by_step, h, 1));
    TEST_ASSERT_EQUAL_MEMORY(&by_run, &by_step, sizeof by_run);
    lie_lagrange_top_momentum(&top, M, &by_run, h);
    TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_start(&top, &back, -h, M, by_run.a));
    TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_run(&top, &back, -h, 1000));
    lie_lagrange_top_momentum(&top, a, &back, -h);
    TEST_ASSERT_TRUE(distance(a, spun) < 1e-11 && distance(back.a, axis) < 1e-11);
}

void test_lagrange_top_statuses(void)
{
    lie_lagrange_state s = started(0.1), kept = s;
    lie_lagrange_top flat = top, wild = top;
    double nan[3] = {1.0, (double)NAN, 0.0}, huge[3] = {1e200, 1e300, 1e300};
    flat.inertia = 0.0, wild.p[1] = (double)INFINITY;
    TEST_ASSERT_EQUAL(LIE_ERR_INERTIA, lie_lagrange_top_start(&flat, &s, 0.1, spun, axis));
    TEST_ASSERT_EQUAL(LIE_ERR_INERTIA, lie_lagrange_top_run(&flat, &s, 0.1, 1));
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_lagrange_top_run(&wild, &s, 0.1, 1));
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_lagrange_top_start(&top, &s, 0.1, nan, axis));
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_lagrange_top_start(&top, &s, 0.1, spun, nan));
    TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_lagrange_top_run(&top, &s, 0.0, 1));
    TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_lagrange_top_run(&top, &s, (double)NAN, 1));
    TEST_ASSERT_EQUAL_MEMORY(&kept, &s, sizeof s);
    TEST_ASSERT_EQUAL(LIE_OK, lie_lagrange_top_start(&top, &s, 0.1, huge, axis));
    kept = s;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_lagrange_top_run(&top, &s, 0.1, 3));
    TEST_ASSERT_EQUAL_MEMORY(&kept, &s, sizeof s);
}
