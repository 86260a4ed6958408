/* SPDX-License-Identifier: MIT */
/* Momenta on a surface of energy and Casimirs and on a section: they are there, they are many, and where there are none
 * that is said. */
#include <liestep/core.h>

#include "tests/support/near.h"

static lie_vehicle vehicle;
static lie_system sys;

/* The Kirchhoff vehicle of the sections: I = diag(1, 2, 3, 1, 2, 3), H = 30, Pi . P = 2, |P| = 4, Pi_1 = 0 */
void setUp(void)
{
    lie_inertia_diagonal(6, vehicle.inertia, (double[6]){1, 2, 3, 1, 2, 3});
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&sys, &vehicle, NULL));
}

void tearDown(void)
{
}

static double first(const void *ctx, const lie_system *s, double t, const double *g, const double *m)
{
    (void)ctx, (void)s, (void)t, (void)g;
    return m[0];
}

static const lie_event event = {first, NULL, 1};

/* |P|^2 and Pi . P of a momentum, in the order of the group's Casimirs */
static void casimirs_of(double C[2], double P2, double PiP)
{
    lie_state s = {.m = {0, 0, 1, 0, 2, 3}};
    lie_state_casimirs(&sys, C, &s);
    int first_is_square = fabs(C[0] - 13.0) < 1e-9;
    C[first_is_square ? 0 : 1] = P2;
    C[first_is_square ? 1 : 0] = PiP;
}

void test_surface_samples_lie_on_it_and_differ(void)
{
    double C[2], least = HUGE_VAL, worst = 0.0, g[12], rest[6] = {0};
    lie_state s[40];
    casimirs_of(C, 16.0, 2.0);
    const lie_surface S = {&sys, 1, 30.0, C, &event, NULL, 0};
    sys.group->identity(sys.group, g);
    for (int k = 0; k < 40; k++) {
        double E, found[2];
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s[k], 0.0, g, rest));
        TEST_ASSERT_EQUAL(LIE_OK, lie_surface_sample(&S, &s[k], 7, (unsigned long long)k, 50));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E, &s[k]));
        lie_state_casimirs(&sys, found, &s[k]);
        worst = fmax(worst, fmax(fabs(E - 30.0), fabs(s[k].m[0])));
        worst = fmax(worst, fmax(fabs(found[0] - C[0]), fabs(found[1] - C[1])));
        for (int j = 0; j < k; j++) {
            double d = 0.0;
            for (int i = 0; i < 6; i++) d += (s[k].m[i] - s[j].m[i]) * (s[k].m[i] - s[j].m[i]);
            least = fmin(least, sqrt(d));
        }
    }
    printf("  40 momenta, off the surface by %.1e, at least %.2f apart\n", worst, least);
    TEST_ASSERT_TRUE(worst <= 1e-11);
    TEST_ASSERT_TRUE(least > 1e-3);
}

void test_surface_same_seed_same_bits(void)
{
    double C[2], g[12], rest[6] = {0};
    lie_state a, b, c;
    casimirs_of(C, 16.0, 2.0);
    const lie_surface S = {&sys, 1, 30.0, C, &event, NULL, 0};
    sys.group->identity(sys.group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &a, 0.0, g, rest));
    b = c = a;
    TEST_ASSERT_EQUAL(LIE_OK, lie_surface_sample(&S, &a, 7, 3, 50));
    TEST_ASSERT_EQUAL(LIE_OK, lie_surface_sample(&S, &b, 7, 3, 50));
    TEST_ASSERT_EQUAL(LIE_OK, lie_surface_sample(&S, &c, 8, 3, 50));
    SAME(6, a.m, b.m);
    TEST_ASSERT_TRUE(fabs(a.m[1] - c.m[1]) > 1e-6);
}

/* From a momentum near the surface: not far from there. */
void test_surface_move_is_short(void)
{
    double C[2], g[12], start[6] = {0.01, 5.0, 6.0, 0.5, 1.0, 3.8}, moved = 0.0;
    lie_state s;
    casimirs_of(C, (double)NAN, (double)NAN);
    const lie_surface S = {&sys, 1, 20.0, C, &event, NULL, 0};
    sys.group->identity(sys.group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s, 0.0, g, start));
    TEST_ASSERT_EQUAL(LIE_OK, lie_surface_move(&S, &s));
    for (int i = 0; i < 6; i++) moved += (s.m[i] - start[i]) * (s.m[i] - start[i]);
    TEST_ASSERT_TRUE(sqrt(moved) < 1.5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, s.m[0]);
}

/* |P| = 4 takes at least P^2/(2 * 3) = 8/3 of energy: below that there is nothing. */
void test_surface_empty_is_said(void)
{
    double C[2], g[12], rest[6] = {0};
    lie_state s, before;
    casimirs_of(C, 16.0, 2.0);
    const lie_surface S = {&sys, 1, 2.6, C, NULL, NULL, 0};
    sys.group->identity(sys.group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s, 0.0, g, rest));
    before = s;
    TEST_ASSERT_EQUAL(LIE_ERR_NO_CONVERGENCE, lie_surface_sample(&S, &s, 1, 1, 50));
    TEST_ASSERT_EQUAL_MEMORY(&before, &s, sizeof s);
    const lie_surface below = {&sys, 1, -1.0, NULL, NULL, NULL, 0};
    TEST_ASSERT_EQUAL(LIE_ERR_NO_CONVERGENCE, lie_surface_sample(&below, &s, 1, 1, 50));
}

/* With a potential: the energy includes it. */
void test_surface_of_a_top(void)
{
    static const lie_heavy_top top = {{1, 0, 0, 0, 2, 0, 0, 0, 3}, 1.0, {0.3, -0.2, 1.0}, 9.81};
    static const double q[4] = {0.8, 0.6, 0, 0}, rest[3] = {0};
    lie_state s;
    double E;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
    const lie_surface S = {&sys, 1, 12.0, NULL, NULL, NULL, 0};
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s, 0.0, q, rest));
    TEST_ASSERT_EQUAL(LIE_OK, lie_surface_sample(&S, &s, 5, 0, 10));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E, &s));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 12.0, E);
}

/* m[index] - value, both in ctx */
static double component(const void *ctx, const lie_system *s, double t, const double *g, const double *m)
{
    const double *wanted = (const double *)ctx;
    (void)s, (void)t, (void)g;
    return m[(int)wanted[0]] - wanted[1];
}

void test_surface_takes_further_equations_up_to_the_number_of_unknowns(void)
{
    static const double wanted[7][2] = {{1, 2.5}, {2, -0.7}, {3, 0.3}, {4, 1.1}, {5, 0.9}, {0, 1.3}, {0, 1.4}};
    lie_event more[7];
    double g[12], rest[6] = {0}, E;
    lie_state s;
    for (int i = 0; i < 7; i++) more[i] = (lie_event){component, wanted[i], 0};
    sys.group->identity(sys.group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s, 0.0, g, rest));
    lie_surface S = {&sys, 1, 30.0, NULL, NULL, more, 5};
    TEST_ASSERT_EQUAL(LIE_OK, lie_surface_sample(&S, &s, 3, 1, 50));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E, &s));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 30.0, E);
    for (int i = 0; i < 5; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-12, wanted[i][1], s.m[(int)wanted[i][0]]);
    S.count = 7;
    TEST_ASSERT_EQUAL(LIE_ERR_NO_CONVERGENCE, lie_surface_sample(&S, &s, 3, 1, 50));
}
