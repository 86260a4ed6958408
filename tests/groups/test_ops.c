/* SPDX-License-Identifier: MIT */
/* Groups described at run time: the list, the search by name, a group from outside the library, and defaults that
 * cannot be derived. That the group from outside obeys all lemmas is shown in test_groups.c. */
#include <liestep/so3.h>

#include "tests/support/heisenberg.h"
#include "tests/support/near.h"

void test_ops_every_builtin_is_complete_and_found_by_name(void)
{
    TEST_ASSERT_GREATER_OR_EQUAL_INT(13, lie_ops_builtin_count());
    for (int i = 0; i < lie_ops_builtin_count(); i++) {
        const lie_ops *G = lie_ops_builtin(i), *found = NULL;
        TEST_ASSERT_TRUE(G->identity && G->mul && G->inv && G->Ad && G->Adt && G->ad && G->adt && G->project);
        TEST_ASSERT_TRUE(G->tau && G->tauinv && G->dtau && G->dtaut && G->dtauinv && G->dtauinvt && G->dtau_body_deriv);
        TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&found, G->group, G->retraction));
        TEST_ASSERT_EQUAL_PTR(G, found);
    }
    TEST_ASSERT_NULL(lie_ops_builtin(-1));
    TEST_ASSERT_NULL(lie_ops_builtin(lie_ops_builtin_count()));
}

void test_ops_unknown_names(void)
{
    const lie_ops *G = &lie_so3_exp_ops;
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_ops_find(&G, "SO4", "exp"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_ops_find(&G, "SE3", "skew"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_ops_find(&G, NULL, "exp"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_ops_find(&G, "SO3", NULL));
    TEST_ASSERT_EQUAL_PTR(&lie_so3_exp_ops, G);
}

void test_ops_group_from_outside_gets_exact_defaults(void)
{
    lie_ops G;
    double u[3] = {0.3, -0.7, 0.2}, v[3] = {1, 2, 3}, a[3], M[9];
    TEST_ASSERT_EQUAL(LIE_OK, heisenberg_ops(&G));
    double z = u[0] * v[1] - u[1] * v[0];
    TEST_ASSERT_EQUAL(LIE_OK, G.dtau(&G, a, u, v));
    NEAR(3, a, ((double[3]){1, 2, 3 + 0.5 * z}), 1);
    TEST_ASSERT_EQUAL(LIE_OK, G.dtauinv(&G, a, u, v));
    NEAR(3, a, ((double[3]){1, 2, 3 - 0.5 * z}), 2);
    TEST_ASSERT_EQUAL(LIE_OK, G.dtauinvt(&G, a, u, v));
    NEAR(3, a, ((double[3]){1 + 0.5 * u[1] * 3, 2 - 0.5 * u[0] * 3, 3}), 2);
    /* dtau_{-u} v = v - [u, v]/2: its derivative in u is v -> -[., v]/2 */
    TEST_ASSERT_EQUAL(LIE_OK, G.dtau_body_deriv(&G, M, u, v));
    NEAR(9, M, ((double[9]){0, 0, 0, 0, 0, 0, -0.5 * v[1], 0.5 * v[0], 0}), 0);
    G.adt(&G, a, u, v);
    NEAR(3, a, ((double[3]){-u[1] * 3, u[0] * 3, 0}), 0);
}

void test_ops_complete_says_what_it_cannot_derive(void)
{
    lie_ops G = lie_so3_exp_ops;
    G.Ad = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_ops_complete(&G));
    G = lie_so3_cay_ops;
    G.tau = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_ops_complete(&G));
    G = lie_so3_exp_ops;
    G.dim = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ops_complete(&G));
    G.dim = LIE_DIM_MAX + 1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ops_complete(&G));
    G.dim = 3, G.size = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ops_complete(&G));
}

/* A tangent without an inverse: the solve says so. */
static lie_status flat_tangent(const lie_ops *G, double *out, const double *x, const double *v)
{
    (void)G, (void)x;
    out[0] = v[0], out[1] = v[1], out[2] = v[0] + v[1];
    return LIE_OK;
}

void test_ops_default_inverse_of_a_singular_tangent(void)
{
    lie_ops G = lie_so3_exp_ops;
    double x[3] = {0.1, 0.2, 0.3}, out[3];
    G.dtau = flat_tangent;
    G.dtaut = G.dtauinv = G.dtauinvt = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_complete(&G));
    REFUSED(LIE_ERR_SINGULAR, 3, out, G.dtauinv(&G, out, x, x));
    REFUSED(LIE_ERR_SINGULAR, 3, out, G.dtauinvt(&G, out, x, x));
}

void test_ops_matrices(void)
{
    double M[9], N[9], w[3] = {0.4, -0.6, 1.3}, R[9], big[LIE_DIM_MAX];
    lie_ops wide = lie_so3_exp_ops;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_tangent_matrix(&lie_so3_exp_ops, lie_so3_exp_ops.dtauinv, M, w));
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_dexpinv_matrix(N, w));
    NEAR(9, M, N, 2);
    lie_so3_exp(R, w);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_linear_matrix(&lie_so3_exp_ops, lie_so3_exp_ops.Adt, M, R));
    lie_so3_inv(N, R);
    NEAR(9, M, N, 0);
    REFUSED(LIE_ERR_DOMAIN, 9, M,
            lie_ops_tangent_matrix(&lie_so3_exp_ops, lie_so3_exp_ops.dtauinv, M, ((double[3]){7, 0, 0})));
    wide.dim = LIE_DIM_MAX + 1;
    REFUSED(LIE_ERR_SIZE, 9, M, lie_ops_tangent_matrix(&wide, wide.dtau, M, big));
    REFUSED(LIE_ERR_SIZE, 9, M, lie_ops_linear_matrix(&wide, wide.Ad, M, big));
}
