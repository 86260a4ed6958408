/* SPDX-License-Identifier: MIT */
/* Moves against tau, mul and Ad*, and what a million of them leave of the spatial momentum and the group; settling;
 * Casimirs against Ad*. */
#include <liestep/product.h>
#include <liestep/rn.h>
#include <liestep/s3.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

#include "groups/step/se3_step.h"
#include "tests/support/near.h"
#include "tests/support/random.h"

enum { NMAX = 6, GMAX = 12 };

static const lie_ops *all(int i)
{
    return lie_ops_builtin(i);
}

static double norm(int n, const double *a)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) s += a[i] * a[i];
    return sqrt(s);
}

static void check_move(const lie_ops *G, double size, lie_random *rng)
{
    double x[NMAX], y[NMAX], g[GMAX], m[NMAX], low_g[GMAX] = {0.0}, low_m[NMAX] = {0.0}, T[GMAX], want_g[GMAX];
    double want_m[NMAX];
    random_vector(rng, G->dim, y, 1.0);
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, y));
    random_vector(rng, G->dim, m, 2.0);
    random_vector(rng, G->dim, x, size);
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, T, x));
    G->mul(G, want_g, g, T);
    G->Adt(G, want_m, T, m);
    TEST_ASSERT_EQUAL(LIE_OK, G->move(G, g, low_g, m, low_m, x));
    NEAR(G->size, g, want_g, 8.0 * (1.0 + size * size));
    NEAR(G->dim, m, want_m, 8.0 * (1.0 + size * size));
    for (int i = 0; i < G->dim; i++) TEST_ASSERT_TRUE(fabs(low_m[i]) <= DBL_EPSILON * (fabs(m[i]) + size + 1.0));
    for (int i = 0; i < G->size; i++) TEST_ASSERT_TRUE(fabs(low_g[i]) <= DBL_EPSILON * (fabs(g[i]) + size + 1.0));
}

void test_move_is_tau_and_coadjoint(void)
{
    static const double lengths[] = {0.0, 1e-300, 1e-9, 1e-3, 0.05, 0.7, 3.0, 5.0, 40.0};
    lie_random rng = {808u};
    int count = 0;
    for (int k = 0; all(k); k++) {
        if (!all(k)->move) continue;
        count++;
        for (int s = 0; s < (int)(sizeof lengths / sizeof lengths[0]); s++)
            for (int t = 0; t < 50; t++) check_move(all(k), lengths[s], &rng);
    }
    TEST_ASSERT_EQUAL_INT(6, count);
}

void test_move_refuses_what_is_not_finite(void)
{
    for (int k = 0; all(k); k++) {
        const lie_ops *G = all(k);
        if (!G->move) continue;
        for (int i = 0; i < G->dim; i++) {
            double x[NMAX] = {0.1, 0.2, 0.3}, g[GMAX], low_g[GMAX], m[NMAX], low_m[NMAX];
            x[i] = i % 2 ? (double)NAN : 1e200;
            if (i >= 3 && i % 2 == 0) x[i] = (double)INFINITY;
            keep_fill(G->size, g), keep_fill(G->size, low_g), keep_fill(G->dim, m), keep_fill(G->dim, low_m);
            TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, G->move(G, g, low_g, m, low_m, x), G->group);
            kept_at(__LINE__, G->size, g), kept_at(__LINE__, G->size, low_g);
            kept_at(__LINE__, G->dim, m), kept_at(__LINE__, G->dim, low_m);
        }
    }
}

/* What settles g + low_g, where the group has something for it: not an operation of lie_ops. */
typedef void settle_fn(const lie_ops *G, double *g, double *low_g);

static settle_fn *settle_of(const lie_ops *G)
{
    return G->size == 4 ? s3_settle : G->size == 9 ? so3_settle : se3_settle;
}

/* After a million small turns the spatial momentum is where it was, to far below the rounding of a million products,
 * and so are the Casimirs and the group element. */
void test_move_carries_its_rounding(void)
{
    enum { STEPS = 1000000 };
    lie_random rng = {123u};
    for (int k = 0; all(k); k++) {
        const lie_ops *G = all(k);
        if (!G->move) continue;
        double x[NMAX], g[GMAX], m[NMAX], low_g[GMAX] = {0.0}, low_m[NMAX] = {0.0}, inv[GMAX], J0[NMAX], J1[NMAX];
        double C0[NMAX], C1[NMAX], near[GMAX];
        G->identity(G, g);
        random_vector(&rng, G->dim, m, 1.0);
        memcpy(J0, m, sizeof m);
        G->casimir(G, C0, m);
        random_vector(&rng, G->dim, x, 0.01);
        for (int s = 0; s < STEPS; s++) {
            x[s % 3] = random_double(&rng, 0.01); /* turns at random; translations go back and forth */
            for (int i = 3; i < G->dim; i++) x[i] = -x[i];
            TEST_ASSERT_EQUAL(LIE_OK, G->move(G, g, low_g, m, low_m, x));
            if (s % 32 == 31) settle_of(G)(G, g, low_g);
        }
        G->inv(G, inv, g);
        G->Adt(G, J1, inv, m);
        G->casimir(G, C1, m);
        TEST_ASSERT_EQUAL(LIE_OK, G->project(G, near, g));
        NEAR(G->size, near, g, 3);
        double off = 0.0, casimir = fabs(C1[G->casimirs - 1] / C0[G->casimirs - 1] - 1.0);
        for (int i = 0; i < G->dim; i++) off = fmax(off, fabs(J1[i] - J0[i]));
        printf("%s %s: spatial momentum off by %.2g, Casimir by %.2g\n", G->group, G->retraction, off, casimir);
        TEST_ASSERT_TRUE(off <= (G->dim == 3 ? 4e-15 : 4e-14));
        TEST_ASSERT_TRUE(casimir <= 4e-15);
    }
}

/* A turn that is the same at every step: its rounding must not add up. */
void test_move_has_no_bias_of_the_length(void)
{
    enum { STEPS = 1000000 };
    for (int k = 0; all(k); k++) {
        const lie_ops *G = all(k);
        if (!G->move || G->dim != 3) continue;
        double x[3] = {0.061, -0.043, 0.052}, g[GMAX], low_g[GMAX] = {0.0}, m[3] = {0.3, 0.9, -0.4}, low_m[3] = {0.0};
        double C0, C1;
        G->identity(G, g);
        G->casimir(G, &C0, m);
        for (int s = 0; s < STEPS; s++) G->move(G, g, low_g, m, low_m, x);
        G->casimir(G, &C1, m);
        printf("%s %s: |m|^2 off by %.2g\n", G->group, G->retraction, C1 / C0 - 1.0);
        TEST_ASSERT_TRUE(fabs(C1 / C0 - 1.0) <= 2e-14);
    }
}

/* An element that is off by 1e-9 comes back to within 1e-17, and what is settled already stays. */
void test_settle_brings_back(void)
{
    lie_random rng = {64u};
    for (int k = 0; all(k); k++) {
        const lie_ops *G = all(k);
        if (!G->move) continue;
        for (int t = 0; t < 50; t++) {
            double x[NMAX], g[GMAX], off[GMAX], low[GMAX] = {0.0}, near[GMAX];
            random_vector(&rng, G->dim, x, 1.0);
            TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
            for (int i = 0; i < G->size; i++) off[i] = g[i] + random_double(&rng, 1e-9);
            settle_of(G)(G, off, low);
            TEST_ASSERT_EQUAL(LIE_OK, G->project(G, near, off));
            NEAR(G->size, near, off, 3);
            NEAR(G->size, off, g, 1e-9 * 4 / DBL_EPSILON);
            memset(low, 0, sizeof low);
            memcpy(off, g, sizeof g);
            settle_of(G)(G, off, low);
            NEAR(G->size, off, g, 3);
        }
    }
}

/* Casimirs */

static void check_casimirs(const lie_ops *G, lie_random *rng)
{
    enum { N = 16, SIZE = 40 };
    double x[N], g[SIZE], m[N], moved[N], C0[N], C1[N];
    TEST_ASSERT_TRUE(G->casimirs >= 1 && G->casimirs <= G->dim && G->casimir);
    random_vector(rng, G->dim, x, 0.5);
    random_vector(rng, G->dim, m, 1.0);
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
    G->Adt(G, moved, g, m);
    G->casimir(G, C0, m);
    G->casimir(G, C1, moved);
    NEAR(G->casimirs, C1, C0, 16);
    double size = norm(G->casimirs, C0);
    TEST_ASSERT_TRUE(size > 0.0);
    G->casimir(G, m, m); /* in place */
    SAME(G->casimirs, m, C0);
}

void test_casimirs_are_constant_along_the_coadjoint_action(void)
{
    static const int expected[][2] = {{3, 1}, {4, 2}, {6, 2}};
    lie_random rng = {2026u};
    lie_ops line, pair, mixed;
    const lie_ops *pair_factors[2] = {&lie_so3_cay_ops, &line};
    const lie_ops *mixed_factors[3] = {&lie_se3_exp_ops, &pair, &lie_s3_exp_ops};
    lie_product pair_product = {2, pair_factors}, mixed_product = {3, mixed_factors};
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&line, 2, "cay"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&pair, &pair_product));
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&mixed, &mixed_product));
    TEST_ASSERT_EQUAL_INT(2, line.casimirs);
    TEST_ASSERT_EQUAL_INT(3, pair.casimirs);
    TEST_ASSERT_EQUAL_INT(2 + 3 + 1, mixed.casimirs);
    for (int t = 0; t < 100; t++) {
        for (int k = 0; all(k); k++) check_casimirs(all(k), &rng);
        check_casimirs(&line, &rng);
        check_casimirs(&pair, &rng);
        check_casimirs(&mixed, &rng);
    }
    for (int k = 0; all(k); k++)
        for (int i = 0; i < 3; i++)
            if (all(k)->dim == expected[i][0]) TEST_ASSERT_EQUAL_INT(expected[i][1], all(k)->casimirs);
}

void test_casimirs_of_a_product_skip_factors_without(void)
{
    lie_ops plain = lie_so3_exp_ops, G;
    const lie_ops *factors[3] = {&plain, &lie_s3_cay_ops, &plain};
    double m[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, C[9];
    plain.casimir = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&G, &(lie_product){3, factors}));
    TEST_ASSERT_EQUAL_INT(1, G.casimirs);
    keep_fill(9, C);
    G.casimir(&G, C, m);
    TEST_ASSERT_TRUE(C[0] == 16.0 + 25.0 + 36.0 && C[1] == KEEP);
    factors[1] = &plain;
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&G, &(lie_product){3, factors}));
    TEST_ASSERT_TRUE(G.casimirs == 0 && !G.casimir);
}
