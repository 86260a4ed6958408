/* SPDX-License-Identifier: MIT */
/* The retraction of a stepper on a product: chosen by name at init, in the work memory of the stepper. A chosen one
 * is the product that was made with it, to the bit. */
#include <liestep/product.h>
#include <liestep/rn.h>
#include <liestep/se2.h>
#include <liestep/so3.h>
#include <liestep/stepper.h>
#include <liestep/systems.h>

#include <stdlib.h>
#include <string.h>

#include "unity.h"

static const char *const methods[] = {"sv", "lobatto3a2", "rkmk4", "sv_triple4"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* SO3 x R^3 x SE2 as a product within a product. */
static lie_ops line, pair, all;
static const lie_ops *of_pair[2], *of_all[2];
static const lie_product pair_product = {2, of_pair}, all_product = {2, of_all};

static void make(const lie_ops *attitude, const lie_ops *plane)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&line, 3, "exp"));
    of_pair[0] = attitude, of_pair[1] = &line;
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&pair, &pair_product));
    of_all[0] = &pair, of_all[1] = plane;
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&all, &all_product));
}

static double potential(const lie_system *sys, const double *g)
{
    (void)sys;
    return g[9];
}

/* g = (R, x, cos, sin, position); any force will do, also one of another potential */
static void force(const lie_system *sys, double *F, const double *g)
{
    (void)sys;
    for (int i = 0; i < 3; i++) F[i] = 0.4 * g[2 + 3 * i];
    for (int i = 0; i < 3; i++) F[3 + i] = g[i] - g[9 + i];
    F[6] = -0.8 * g[13], F[7] = -g[14], F[8] = 0.2 - g[15];
}

static double inertia[81];

static lie_system on(const lie_ops *G)
{
    for (int i = 0; i < 9; i++) inertia[10 * i] = 1.0 + 0.3 * i;
    return (lie_system){.name = "three bodies", .group = G, .inertia = inertia, .potential = potential, .force = force};
}

static lie_large_state run(const lie_ops *G, const char *method, const char *retraction)
{
    static const double xi[9] = {0.3, -0.7, 0.2, 0.5, 0.1, -0.4, 0.9, 0.6, -0.2};
    lie_system sys = on(G);
    lie_options options = {.method = method, .retraction = retraction};
    lie_large_state s;
    lie_stepper *st;
    double g[16];
    size_t bytes = lie_stepper_memsize(&sys, &options);
    void *work = malloc(bytes);
    G->identity(G, g);
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_stepper_init(&st, &sys, &options, work, bytes - 1));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &options, work, bytes));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, g, xi));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, LIE_STATE(&s), 0.07, 20));
    if (retraction && !strchr(retraction, ',')) TEST_ASSERT_EQUAL_STRING(retraction, lie_stepper_group(st)->retraction);
    free(work);
    return s;
}

static int is_same(const lie_large_state *a, const lie_large_state *b)
{
    return memcmp(a->g, b->g, 16 * sizeof(double)) == 0 && memcmp(a->m, b->m, 9 * sizeof(double)) == 0;
}

static void expect_the_same(const char *chosen, const lie_ops *attitude, const lie_ops *plane)
{
    for (int k = 0; k < METHODS; k++) {
        make(attitude, plane);
        lie_large_state wanted = run(&all, methods[k], NULL);
        make(&lie_so3_skew_ops, &lie_se2_exp_ops);
        lie_large_state other = run(&all, methods[k], NULL), got = run(&all, methods[k], chosen);
        TEST_ASSERT_TRUE_MESSAGE(is_same(&got, &wanted), methods[k]);
        TEST_ASSERT_FALSE_MESSAGE(is_same(&got, &other), methods[k]);
    }
}

void test_product_retraction_of_all_factors(void)
{
    expect_the_same("cay", &lie_so3_cay_ops, &lie_se2_cay_ops);
    expect_the_same("exp", &lie_so3_exp_ops, &lie_se2_exp_ops);
}

void test_product_retraction_of_each_factor(void)
{
    expect_the_same("cay,exp,exp", &lie_so3_cay_ops, &lie_se2_exp_ops);
    expect_the_same(",,cay", &lie_so3_skew_ops, &lie_se2_cay_ops);
}

void test_product_retraction_that_is_not_there(void)
{
    double work[2048];
    lie_stepper *st;
    make(&lie_so3_cay_ops, &lie_se2_exp_ops);
    lie_system sys = on(&all);
    lie_options options = {.method = "sv", .retraction = "skew"}; /* SE2 has none */
    TEST_ASSERT_EQUAL(0, lie_stepper_memsize(&sys, &options));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_stepper_init(&st, &sys, &options, work, sizeof work));
    options.retraction = "skew,exp,cay";
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &options, work, sizeof work));
}

/* The method auto leaves a product as it is. */
void test_product_retraction_of_auto(void)
{
    static double work[1 << 14];
    lie_stepper *st;
    make(&lie_so3_skew_ops, &lie_se2_cay_ops);
    lie_system sys = on(&all);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "auto"}, work, sizeof work));
    TEST_ASSERT_EQUAL_PTR(&all, lie_stepper_group(st));
}

/* The spacecraft, made with cay. */
void test_product_retraction_of_the_spacecraft(void)
{
    lie_spacecraft craft[2] = {{.body = {.gm = 1.7}}, {.body = {.gm = 1.7}}};
    double work[2][2048], g[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 9.0, 0.5, -0.2}, xi[6] = {0.1, 0.3, -0.2, 0.0, 0.4, 0.1};
    lie_large_state s[2];
    for (int k = 0; k < 2; k++) {
        lie_system sys;
        lie_stepper *st;
        for (int i = 0; i < 6; i++) craft[k].body.inertia[7 * i] = i < 3 ? 1.0 + 0.2 * i : 2.5;
        TEST_ASSERT_EQUAL(LIE_OK, lie_spacecraft_system(&sys, &craft[k], k == 0 ? "SO3/exp" : "SO3/cay"));
        lie_options options = {.method = "sv", .retraction = "exp"};
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &options, work[k], sizeof work[k]));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s[k], 0.0, g, xi));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, LIE_STATE(&s[k]), 0.1, 50));
    }
    TEST_ASSERT_TRUE(is_same(&s[0], &s[1]));
}
