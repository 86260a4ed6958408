/* SPDX-License-Identifier: MIT */
/* SE(3): what is particular to it, and its agreement with SO(3). Axioms, lemmas, derivatives: test_groups.c. */
#include <liestep/se3.h>
#include <liestep/so3.h>

#include "tests/support/near.h"
#include "tests/support/random.h"

void test_se3_exp_is_a_screw(void)
{
    /* a quarter turn about z while moving: the path is an arc of radius 2 v/pi */
    double g[12];
    lie_se3_exp(g, (double[6]){0, 0, NEAR_PI / 2, 1, 0, 0.5});
    NEAR(12, g, ((double[12]){0, -1, 0, 1, 0, 0, 0, 0, 1, 2 / NEAR_PI, 2 / NEAR_PI, 0.5}), 2);
    lie_se3_exp(g, (double[6]){0, 0, 0, 1, 2, 3});
    SAME(12, g, ((double[12]){1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3}));
}

/* The Cayley map of 4x4 matrices: (1 - X/2) g = 1 + X/2. The translation printed in Jimenez 2012, App. B.C, dcay_w v,
 * does not satisfy it. */
void test_se3_cay_satisfies_its_equation_and_the_printed_one_does_not(void)
{
    lie_random rng = {41u};
    for (int k = 0; k < 100; k++) {
        double X[6], g[12], w[3], half[3], x[3], printed[3];
        random_vector(&rng, 6, X, 1.5);
        lie_se3_cay(g, X);
        /* lower rows: x - w x x / 2 = v */
        lie_so3_ad(w, X, g + 9);
        for (int i = 0; i < 3; i++) half[i] = g[9 + i] - 0.5 * w[i];
        NEAR(3, half, X + 3, 8);
        lie_so3_dcay(printed, X, X + 3);
        lie_so3_ad(w, X, printed);
        for (int i = 0; i < 3; i++) x[i] = printed[i] - 0.5 * w[i] - X[3 + i];
        TEST_ASSERT_TRUE(fabs(x[0]) + fabs(x[1]) + fabs(x[2]) > 1e-4);
    }
}

void test_se3_matrices_equal_applied_forms(void)
{
    lie_random rng = {42u};
    for (int k = 0; k < 100; k++) {
        double X[6], Y[6], a[6], b[6] = {0}, M[36];
        random_vector(&rng, 6, X, 1.5);
        random_vector(&rng, 6, Y, 1.0);
        for (int which = 0; which < 4; which++) {
            if (which == 0) lie_se3_dexp_matrix(M, X), lie_se3_dexp(a, X, Y);
            if (which == 1) lie_se3_dexpinv_matrix(M, X), lie_se3_dexpinv(a, X, Y);
            if (which == 2) lie_se3_dcay_matrix(M, X), lie_se3_dcay(a, X, Y);
            if (which == 3) lie_se3_dcayinv_matrix(M, X), lie_se3_dcayinv(a, X, Y);
            for (int i = 0; i < 6; i++) {
                b[i] = 0.0;
                for (int j = 0; j < 6; j++) b[i] += M[6 * i + j] * Y[j];
            }
            NEAR(6, a, b, 16);
        }
    }
}

void test_se3_translations_over_twenty_decades(void)
{
    double X[6] = {1.1, -0.7, 2.3, 0.6, -0.5, 0.4}, g[12], back[6], scaled[6];
    for (int e = -10; e <= 10; e++) {
        for (int i = 0; i < 6; i++) scaled[i] = i < 3 ? X[i] : X[i] * pow(10.0, e);
        lie_se3_exp(g, scaled);
        TEST_ASSERT_EQUAL(LIE_OK, lie_se3_log(back, g));
        NEAR(3, back, scaled, 4);
        for (int i = 3; i < 6; i++) back[i] /= pow(10.0, e);
        NEAR(3, back + 3, X + 3, 12);
    }
}

void test_se3_coadjoint_action_moves_momentum(void)
{
    /* a momentum P along y at the point x = e_x: about the origin it has the angular momentum x x P = e_z */
    double g[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0}, m[6] = {0, 0, 0, 0, 1, 0}, inv[12], J[6];
    lie_se3_inv(inv, g);
    lie_se3_Adt(J, inv, m);
    SAME(6, J, ((double[6]){0, 0, 1, 0, 1, 0}));
}

void test_se3_hat_vee_and_statuses(void)
{
    double M[16], X[6] = {1, 2, 3, 4, 5, 6}, Y[6], out[12], v[6] = {1, 1, 1, 1, 1, 1};
    double half[12] = {1, 0, 0, 0, -1, 0, 0, 0, -1, 1, 2, 3}, mirror[12] = {1, 0, 0, 0, 1, 0, 0, 0, -1, 1, 2, 3};
    lie_se3_hat(M, X);
    SAME(16, M, ((double[16]){0, -3, 2, 4, 3, 0, -1, 5, -2, 1, 0, 6, 0, 0, 0, 0}));
    lie_se3_vee(Y, M);
    SAME(6, Y, X);
    REFUSED(LIE_ERR_DOMAIN, 6, out, lie_se3_caylog(out, half));
    REFUSED(LIE_ERR_NOT_IN_GROUP, 6, out, lie_se3_log(out, mirror));
    REFUSED(LIE_ERR_NOT_IN_GROUP, 6, out, lie_se3_caylog(out, mirror));
    REFUSED(LIE_ERR_SINGULAR, 12, out, lie_se3_project(out, mirror));
    REFUSED(LIE_ERR_DOMAIN, 6, out, lie_se3_dexpinv(out, (double[6]){7, 0, 0, 0, 0, 0}, v));
    REFUSED(LIE_ERR_DOMAIN, 6, out, lie_se3_dexpinvt(out, (double[6]){7, 0, 0, 0, 0, 0}, v));
}
