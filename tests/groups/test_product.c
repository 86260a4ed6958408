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
