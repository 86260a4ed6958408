/* SPDX-License-Identifier: MIT */
/* R^n: every map is the flat one, in any dimension. */
#include <liestep/rn.h>

#include "tests/support/near.h"

enum { N = 70 };

void test_rn_is_flat(void)
{
    double a[N], b[N], c[N], M[N * N];
    for (int i = 0; i < N; i++) a[i] = 0.37 * i - 3, b[i] = 1.0 / (i + 1);
    lie_rn_mul(N, c, a, b);
    TEST_ASSERT_EQUAL_DOUBLE(a[41] + b[41], c[41]);
    lie_rn_inv(N, c, a);
    lie_rn_mul(N, c, c, a);
    lie_rn_identity(N, a);
    SAME(N, c, a);
    lie_rn_dexp(N, c, a, b);
    SAME(N, c, b);
    lie_rn_ad(N, c, b, b);
    SAME(N, c, a);
    lie_rn_cay(N, c, b);
    SAME(N, c, b);
    lie_rn_dcayinvt(N, c, a, b);
    SAME(N, c, b);
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_project(N, c, b));
    SAME(N, c, b);
    lie_rn_dexpinv_matrix(N, M, a);
    for (int i = 0; i < N * N; i++) TEST_ASSERT_EQUAL_DOUBLE(i % (N + 1) == 0, M[i]);
    lie_rn_dexp_body_deriv(N, M, a, b);
    for (int i = 0; i < N * N; i++) TEST_ASSERT_EQUAL_DOUBLE(0.0, M[i]);
}

void test_rn_ops_of_any_dimension(void)
{
    lie_ops G;
    double a[N], b[N], M[N * N];
    for (int i = 0; i < N; i++) a[i] = 0.37 * i - 3;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&G, N, "skew"));
    TEST_ASSERT_EQUAL_INT(N, G.dim);
    TEST_ASSERT_EQUAL_STRING("skew", G.retraction);
    TEST_ASSERT_EQUAL(LIE_OK, G.tau(&G, b, a));
    SAME(N, b, a);
    TEST_ASSERT_EQUAL(LIE_OK, G.dtau_body_deriv(&G, M, a, b));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, M[N * N - 1]);
}

void test_rn_ops_refuses_bad_requests(void)
{
    lie_ops G = {.dim = 7};
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_rn_ops(&G, 0, "exp"));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_rn_ops(&G, -3, "exp"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_rn_ops(&G, 3, "logarithm"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_rn_ops(&G, 3, NULL));
    TEST_ASSERT_EQUAL_INT(7, G.dim);
}
