/* SPDX-License-Identifier: MIT */
/* SO(3): what is particular to it. Axioms, lemmas and derivatives: test_groups.c; accuracy: test_accuracy.c. */
#include <liestep/so3.h>

#include "tests/support/near.h"
#include "tests/support/random.h"

static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

void test_so3_exp_known_turns(void)
{
    const double quarter_z[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, third[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    double R[9], a = 2 * NEAR_PI / 3 / sqrt(3.0);
    lie_so3_exp(R, (double[3]){0, 0, NEAR_PI / 2});
    NEAR(9, R, quarter_z, 1);
    lie_so3_exp(R, (double[3]){a, a, a}); /* a third of a turn about (1,1,1) permutes the axes */
    NEAR(9, R, third, 2);
    lie_so3_exp(R, (double[3]){0, 0, 0});
    SAME(9, R, one);
    lie_so3_exp(R, (double[3]){0, 2 * NEAR_PI, 0});
    NEAR(9, R, one, 4);
}

void test_so3_exp_far_beyond_a_turn(void)
{
    double R[9], S[9], n[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, w[3], v[3];
    for (int k = 1; k < 2000; k += 37) {
        double t = 0.385 + 2 * NEAR_PI * k;
        for (int i = 0; i < 3; i++) w[i] = t * n[i], v[i] = 0.385 * n[i];
        lie_so3_exp(R, w);
        lie_so3_exp(S, v);
        NEAR(9, R, S, 4.0 + 2.0 * t);
    }
    lie_so3_exp(R, (double[3]){1e150, -3e149, 2e150});
    lie_so3_inv(S, R);
    lie_so3_mul(S, S, R);
    NEAR(9, S, one, 8);
}

void test_so3_exp_keeps_tiny_angles(void)
{
    double R[9], w[3] = {1e-300, -2e-300, 3e-300}, back[3];
    lie_so3_exp(R, w);
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_log(back, R));
    SAME(3, back, w);
}

void test_so3_log_sign_at_a_half_turn(void)
{
    double w[3], R[9], n[3] = {-2.0 / 7, -6.0 / 7, 3.0 / 7};
    const double x_half[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1}, z_half[9] = {-1, 0, 0, 0, -1, 0, 0, 0, 1};
    const double diagonal[9] = {0, -1, 0, -1, 0,
                                0, 0,  0, -1}; /* about (1,-1,0): equal components, the first is positive */
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_log(w, x_half));
    NEAR(3, w, ((double[3]){NEAR_PI, 0, 0}), 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_log(w, z_half));
    NEAR(3, w, ((double[3]){0, 0, NEAR_PI}), 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_log(w, diagonal));
    NEAR(3, w, ((double[3]){NEAR_PI / sqrt(2.0), -NEAR_PI / sqrt(2.0), 0}), 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[3 * i + j] = 2 * n[i] * n[j] - (i == j);
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_log(w, R));
    NEAR(3, w, ((double[3]){NEAR_PI * 2 / 7, NEAR_PI * 6 / 7, -NEAR_PI * 3 / 7}), 2); /* largest component positive */
}

void test_so3_log_inverts_exp_near_pi_on_both_sides(void)
{
    lie_random rng = {3u};
    for (int k = 0; k < 400; k++) {
        double w[3], R[9], back[3], s = 0.0, gap = 1e-3 * pow(10.0, -k / 40.0);
        random_vector(&rng, 3, w, 1.0);
        for (int i = 0; i < 3; i++) s += w[i] * w[i];
        for (int i = 0; i < 3; i++) w[i] *= (NEAR_PI - gap) / sqrt(s);
        lie_so3_exp(R, w);
        TEST_ASSERT_EQUAL(LIE_OK, lie_so3_log(back, R));
        NEAR(3, back, w, 4);
        for (int i = 0; i < 3; i++) w[i] *= (NEAR_PI + gap) / (NEAR_PI - gap); /* beyond pi: comes back the short way */
        lie_so3_exp(R, w);
        TEST_ASSERT_EQUAL(LIE_OK, lie_so3_log(back, R));
        for (int i = 0; i < 3; i++) w[i] *= -(NEAR_PI - gap) / (NEAR_PI + gap);
        NEAR(3, back, w, 6);
    }
}

void test_so3_what_is_no_rotation_is_refused(void)
{
    const double zero[9] = {0}, mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1}, minus[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1};
    const double large[9] = {1.00001, 0, 0, 0, 1, 0, 0, 0, 1}, shear[9] = {1, 1e-5, 0, 0, 1, 0, 0, 0, 1};
    const double *const bad[] = {zero, mirror, minus, large, shear};
    double w[3];
    for (int k = 0; k < 5; k++) {
        REFUSED(LIE_ERR_NOT_IN_GROUP, 3, w, lie_so3_log(w, bad[k]));
        REFUSED(LIE_ERR_NOT_IN_GROUP, 3, w, lie_so3_caylog(w, bad[k]));
        REFUSED(LIE_ERR_NOT_IN_GROUP, 3, w, lie_so3_skewlog(w, bad[k]));
    }
}

void test_so3_domains(void)
{
    const double x_half[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1}, v[3] = {1, 2, 3};
    double out[9], R[9], beyond[3] = {0.6, 0.8000001, 0}, turn[3] = {0, 2 * NEAR_PI + 1e-9, 0};
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_so3_caylog(out, x_half));
    REFUSED(LIE_ERR_DOMAIN, 9, out, lie_so3_skew(out, beyond));
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_so3_dskew(out, beyond, v));
    REFUSED(LIE_ERR_DOMAIN, 9, out, lie_so3_dskewinv_matrix(out, beyond));
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_so3_dexpinv(out, turn, v));
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_so3_dexpinvt(out, turn, v));
    REFUSED(LIE_ERR_DOMAIN, 9, out, lie_so3_dexpinv_matrix(out, turn));
    REFUSED(LIE_ERR_DOMAIN, 3, out,
            lie_so3_dskew(out, (double[3]){1, 0, 0}, v));                      /* the tangent is singular on the edge */
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_dskewinv(out, (double[3]){0, 1, 0}, v)); /* its inverse is not */
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_skew(R, (double[3]){1, 0, 0}));
    NEAR(9, R, ((double[9]){1, 0, 0, 0, 0, -1, 0, 1, 0}), 0);
    lie_so3_exp(R, (double[3]){0, 0, 1.6}); /* more than a quarter turn */
    REFUSED(LIE_ERR_DOMAIN, 3, out, lie_so3_skewlog(out, R));
}

void test_so3_dexp_is_singular_at_two_pi(void)
{
    double M[9], w[3] = {2 * NEAR_PI, 0, 0};
    lie_so3_dexp_matrix(M, w);
    NEAR(9, M, ((double[9]){1, 0, 0, 0, 0, 0, 0, 0, 0}), 4);
}

void test_so3_cay_satisfies_its_equation(void)
{
    lie_random rng = {11u};
    for (int k = 0; k < 100; k++) {
        double w[3], R[9], left[9], right[9], W[9];
        random_vector(&rng, 3, w, 3.0);
        lie_so3_cay(R, w);
        lie_so3_hat(W, w);
        for (int i = 0; i < 9; i++) left[i] = one[i] - 0.5 * W[i], right[i] = one[i] + 0.5 * W[i];
        lie_so3_mul(left, left, R);
        NEAR(9, left, right, 8);
    }
}

void test_so3_skew_is_its_antisymmetric_part(void)
{
    lie_random rng = {12u};
    for (int k = 0; k < 100; k++) {
        double w[3], R[9], v[3];
        random_vector(&rng, 3, w, 0.57);
        TEST_ASSERT_EQUAL(LIE_OK, lie_so3_skew(R, w));
        lie_so3_vee(v, R);
        NEAR(3, v, w, 1);
        TEST_ASSERT_EQUAL(LIE_OK, lie_so3_skewlog(v, R));
        NEAR(3, v, w, 1);
    }
}

void test_so3_project_finds_the_polar_factor(void)
{
    lie_random rng = {13u};
    for (int k = 0; k < 200; k++) {
        double w[3], a[3], R[9], Q[9], S[9], M[9], P[9];
        random_vector(&rng, 3, w, 2.0);
        random_vector(&rng, 3, a, 2.0);
        lie_so3_exp(R, w);
        lie_so3_exp(Q, a);
        /* M = R S with S = Q diag Q^T symmetric positive: the nearest rotation is R */
        const double d[9] = {2.3, 0, 0, 0, 0.7, 0, 0, 0, 1.1};
        lie_so3_mul(S, Q, d);
        lie_so3_inv(Q, Q);
        lie_so3_mul(S, S, Q);
        lie_so3_mul(M, R, S);
        for (int i = 0; i < 9; i++) M[i] *= k % 3 ? 1.0 : 1e120;
        TEST_ASSERT_EQUAL(LIE_OK, lie_so3_project(P, M));
        NEAR(9, P, R, 12);
    }
}

void test_so3_project_refuses_what_has_no_nearest_rotation(void)
{
    const double zero[9] = {0}, mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1}, rank1[9] = {1, 2, 3, 2, 4, 6, 3, 6, 9};
    double out[9], nan[9] = {1, 0, 0, 0, (double)NAN, 0, 0, 0, 1};
    REFUSED(LIE_ERR_SINGULAR, 9, out, lie_so3_project(out, zero));
    REFUSED(LIE_ERR_SINGULAR, 9, out, lie_so3_project(out, mirror));
    REFUSED(LIE_ERR_SINGULAR, 9, out, lie_so3_project(out, rank1));
    REFUSED(LIE_ERR_NOT_FINITE, 9, out, lie_so3_project(out, nan));
}

void test_so3_hat_and_vee(void)
{
    double M[9], w[3] = {1.5, -2.25, 0.375}, v[3], p[3] = {4, 5, 6}, a[3], b[3];
    lie_so3_hat(M, w);
    lie_so3_vee(v, M);
    SAME(3, v, w);
    lie_so3_act(a, M, p);
    lie_so3_ad(b, w, p);
    NEAR(3, a, b, 1);
}
