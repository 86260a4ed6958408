/* SPDX-License-Identifier: MIT */
/* Products: blocks side by side, failures as a whole. Axioms and lemmas of a product: test_groups.c. */
#include <liestep/product.h>
#include <liestep/rn.h>
#include <liestep/se2.h>
#include <liestep/so3.h>

#include "tests/support/near.h"

static lie_ops line, inner, outer;
static const lie_ops *inner_factors[2], *outer_factors[3];
static lie_product inner_product = {2, inner_factors}, outer_product = {3, outer_factors};

void setUp(void)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&line, 3, "cay"));
    inner_factors[0] = &line, inner_factors[1] = &lie_so3_cay_ops;
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&inner, &inner_product));
    outer_factors[0] = &inner, outer_factors[1] = &lie_so3_skew_ops, outer_factors[2] = &lie_se2_exp_ops;
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&outer, &outer_product));
}

void test_product_is_its_factors_side_by_side(void)
{
    double x[12], g[25], R[9], P[4], u[12], a[12], b[3];
    TEST_ASSERT_EQUAL_INT(3 + 3 + 3 + 3, outer.dim);
    TEST_ASSERT_EQUAL_INT(3 + 9 + 9 + 4, outer.size);
    for (int i = 0; i < 12; i++) x[i] = 0.05 * (i + 1), u[i] = 0.3 - 0.07 * i;
    TEST_ASSERT_EQUAL(LIE_OK, outer.tau(&outer, g, x));
    SAME(3, g, x);
    lie_so3_cay(R, x + 3);
    SAME(9, g + 3, R);
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_skew(R, x + 6));
    SAME(9, g + 12, R);
    lie_se2_exp(P, x + 9);
    SAME(4, g + 21, P);
    outer.Ad(&outer, a, g, u);
    lie_so3_Ad(b, g + 12, u + 6);
    SAME(3, a + 6, b);
    TEST_ASSERT_EQUAL(LIE_OK, outer.dtauinvt(&outer, a, x, u));
    lie_so3_dcayinvt(b, x + 3, u + 3);
    SAME(3, a + 3, b);
}

void test_product_failure_of_one_factor_leaves_all_outputs(void)
{
    double x[12] = {0}, g[25], out[25], M[144];
    x[0] = 1.0, x[6] = 1.2; /* outside the ball of skew */
    REFUSED(LIE_ERR_DOMAIN, 25, g, outer.tau(&outer, g, x));
    REFUSED(LIE_ERR_DOMAIN, 12, out, outer.dtau(&outer, out, x, x));
    REFUSED(LIE_ERR_DOMAIN, 144, M, outer.dtau_body_deriv(&outer, M, x, x));
    outer.identity(&outer, g);
    g[12] = g[16] = -1.0; /* a half-turn: beyond the reach of skewlog */
    REFUSED(LIE_ERR_DOMAIN, 12, out, outer.tauinv(&outer, out, g));
    g[20] = -1.0;
    REFUSED(LIE_ERR_SINGULAR, 25, out, outer.project(&outer, out, g));
}

void test_product_refuses_bad_requests(void)
{
    lie_ops G;
    const lie_ops *missing[2] = {&lie_so3_exp_ops, NULL}, *many[12];
    lie_ops hollow = lie_so3_exp_ops;
    lie_ops wide;
    hollow.dtau = NULL;
    for (int i = 0; i < 12; i++) many[i] = &lie_so3_exp_ops;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&wide, 1000, "exp"));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_product_ops(&G, NULL));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_product_ops(&G, &(lie_product){0, missing}));
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_product_ops(&G, &(lie_product){2, missing}));
    missing[1] = &hollow;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_product_ops(&G, &(lie_product){2, missing}));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_product_ops(&G, &(lie_product){12, many}));
    missing[1] = &wide;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_product_ops(&G, &(lie_product){2, missing}));
}

void test_product_with_a_factor_without_inverse_retraction(void)
{
    lie_ops no_log = lie_so3_exp_ops, G;
    const lie_ops *factors[1] = {&no_log};
    double g[9], x[3];
    no_log.tauinv = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&G, &(lie_product){1, factors}));
    lie_so3_identity(g);
    REFUSED(LIE_ERR_INCOMPLETE, 3, x, G.tauinv(&G, x, g));
}

/* The factors of `outer` are R^3, SO3 with cay, SO3 with skew, SE2 with exp; a choice is flat. */
static void chosen(const char *names, const lie_ops *a, const lie_ops *b, const lie_ops *c, const char *shared)
{
    double work[200];
    const lie_ops *G = NULL;
    size_t bytes = lie_ops_choose_memsize(&outer, names);
    TEST_ASSERT_GREATER_THAN_size_t(0, bytes);
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_ops_choose(&G, &outer, names, work, bytes - 1));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_ops_choose(&G, &outer, names, NULL, bytes));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_ops_choose(&G, &outer, names, (char *)work + 4, bytes));
    TEST_ASSERT_NULL(G);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_choose(&G, &outer, names, work, bytes));
    const lie_product *product = G->ctx;
    TEST_ASSERT_EQUAL_STRING("product", G->group);
    TEST_ASSERT_EQUAL_STRING(shared, G->retraction);
    TEST_ASSERT_EQUAL_INT(outer.dim, G->dim);
    TEST_ASSERT_EQUAL_INT(outer.size, G->size);
    TEST_ASSERT_EQUAL_INT(4, product->count);
    TEST_ASSERT_EQUAL_PTR(&line, product->factor[0]);
    TEST_ASSERT_EQUAL_PTR(a, product->factor[1]);
    TEST_ASSERT_EQUAL_PTR(b, product->factor[2]);
    TEST_ASSERT_EQUAL_PTR(c, product->factor[3]);
    TEST_ASSERT_TRUE((const char *)(product->factor + 4) <= (char *)work + bytes);
}

void test_product_retractions_are_chosen_by_name(void)
{
    chosen("exp", &lie_so3_exp_ops, &lie_so3_exp_ops, &lie_se2_exp_ops, "exp");
    chosen("cay", &lie_so3_cay_ops, &lie_so3_cay_ops, &lie_se2_cay_ops, "cay");
    chosen("exp,skew,cay,cay", &lie_so3_skew_ops, &lie_so3_cay_ops, &lie_se2_cay_ops, "mixed");
    chosen(",exp,,", &lie_so3_exp_ops, &lie_so3_skew_ops, &lie_se2_exp_ops, "mixed");
}

void test_product_retractions_that_are_there_need_no_memory(void)
{
    const lie_ops *G = NULL;
    TEST_ASSERT_EQUAL_STRING("mixed", outer.retraction);
    TEST_ASSERT_EQUAL_STRING("cay", inner.retraction);
    TEST_ASSERT_EQUAL(0, lie_ops_choose_memsize(&outer, ",cay,skew,exp"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_choose(&G, &outer, ",cay,skew,exp", NULL, 0));
    TEST_ASSERT_EQUAL_PTR(&outer, G);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_choose(&G, &inner, NULL, NULL, 0));
    TEST_ASSERT_EQUAL_PTR(&inner, G);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_choose(&G, &inner, "cay", NULL, 0));
    TEST_ASSERT_EQUAL_PTR(&inner, G);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_choose(&G, &lie_so3_cay_ops, "exp", NULL, 0));
    TEST_ASSERT_EQUAL_PTR(&lie_so3_exp_ops, G);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_choose(&G, &line, "skew", NULL, 0)); /* of R^n all are one map */
    TEST_ASSERT_EQUAL_PTR(&line, G);
}

void test_product_retractions_that_are_not_there(void)
{
    static const char *const wrong[] = {"skew",
                                        "cayq",
                                        "exp,exp",
                                        "exp,exp,exp,exp,exp",
                                        "exp,exp,exp,own",
                                        "own,exp,exp,exp",
                                        "a name that is longer than any name of a retraction"};
    const lie_ops *G = NULL;
    double work[200];
    for (int k = 0; k < 7; k++) {
        TEST_ASSERT_EQUAL(0, lie_ops_choose_memsize(&outer, wrong[k]));
        TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_UNKNOWN_NAME, lie_ops_choose(&G, &outer, wrong[k], work, sizeof work),
                                  wrong[k]);
    }
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_ops_choose(&G, &lie_so3_cay_ops, "exp,exp", work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_ops_choose(&G, &line, "own,", work, sizeof work));
    TEST_ASSERT_NULL(G);
}

void test_product_within_too_many_products(void)
{
    lie_ops nest[10] = {lie_so3_cay_ops};
    const lie_ops *within[10], *G = NULL;
    lie_product products[10];
    double work[200];
    for (int k = 1; k < 10; k++) {
        within[k] = &nest[k - 1];
        products[k] = (lie_product){1, &within[k]};
        TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&nest[k], &products[k]));
        lie_status wanted = k < 8 ? LIE_OK : LIE_ERR_SIZE;
        TEST_ASSERT_EQUAL(wanted, lie_ops_choose(&G, &nest[k], "exp", work, sizeof work));
    }
}

/* A group that describes its own retractions: here by the first letter of the name. */
static lie_status describe(const lie_ops *G, lie_ops *out, const char *retraction)
{
    if (*retraction != 'c' && *retraction != 's') return LIE_ERR_UNKNOWN_NAME;
    *out = *retraction == 'c' ? lie_so3_cay_ops : lie_so3_skew_ops;
    out->group = G->group;
    out->choose = describe;
    return LIE_OK;
}

void test_product_of_groups_that_describe_themselves(void)
{
    lie_ops own, pair;
    const lie_ops *const factors[2] = {&own, &own};
    const lie_product product = {2, factors};
    const lie_ops *G = NULL;
    double work[200], x[6] = {0.1, 0.2, 0.3, 0.4, -0.5, 0.6}, g[18], R[9];
    TEST_ASSERT_EQUAL(LIE_OK, describe(&(lie_ops){.group = "mine"}, &own, "cay"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&pair, &product));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_ops_choose(&G, &pair, "exp", work, sizeof work));
    size_t bytes = lie_ops_choose_memsize(&pair, "skew,");
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_choose(&G, &pair, "skew,", work, bytes));
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_skew(R, x));
    SAME(9, g, R);
    lie_so3_cay(R, x + 3);
    SAME(9, g + 9, R);
    bytes = lie_ops_choose_memsize(&own, "skew");
    TEST_ASSERT_EQUAL(sizeof(lie_ops), bytes);
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_ops_choose(&G, &own, "skew", work, bytes - 1));
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_choose(&G, &own, "skew", work, bytes));
    TEST_ASSERT_EQUAL_STRING("skew", G->retraction);
}
