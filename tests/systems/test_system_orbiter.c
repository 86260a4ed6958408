/* SPDX-License-Identifier: MIT */
/* A satellite around a point mass, on SE3 (orbiter) and on SO3 x R3 (spacecraft): one motion in two groups; and a
 * spacecraft in low Earth orbit in SI units, for which SE3's retractions are no good. */
#include <liestep/core.h>

#include "tests/support/near.h"
#include "tests/support/random.h"
#include "tests/support/rkmk4.h"

enum { WORK = 3000 };

static lie_spacecraft craft;
static lie_system on_product, on_se3;

void setUp(void)
{
    lie_inertia_diagonal(6, craft.body.inertia, (double[6]){0.02, 0.03, 0.04, 1.5, 1.5, 1.5});
    craft.body.inertia[1] = craft.body.inertia[6] = 0.003;
    craft.body.gm = 3.2;
    TEST_ASSERT_EQUAL(LIE_OK, lie_spacecraft_system(&on_product, &craft, "SO3/cay"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_orbiter_system(&on_se3, &craft.body, NULL));
}

void tearDown(void)
{
}

void test_spacecraft_derivatives_agree_with_differences(void)
{
    lie_random rng = {15u};
    for (int k = 0; k < 20; k++) {
        double g[12], x[6], xi[6];
        lie_system_report report;
        random_vector(&rng, 6, x, 0.8);
        random_vector(&rng, 6, xi, 0.7);
        x[3] += 3.0;
        TEST_ASSERT_EQUAL(LIE_OK, on_product.group->tau(on_product.group, g, x));
        TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&on_product, &report, 0.0, g, xi, NULL));
        TEST_ASSERT_TRUE(report.error < 1e-9);
    }
}

void test_spacecraft_moves_like_the_orbiter(void)
{
    double a[12], b[12], x[6] = {0.3, -0.5, 0.8, 1.6, -0.7, 0.4}, mu[6], nu[6], v[3];
    TEST_ASSERT_EQUAL(LIE_OK, on_product.group->tau(on_product.group, a, x));
    memcpy(b, a, sizeof b);
    lie_system_momentum(&on_se3, mu, a, (double[6]){0.7, -0.4, 0.9, 0.3, 1.1, -0.2});
    memcpy(nu, mu, sizeof nu);
    lie_so3_act(nu + 3, a, mu + 3); /* the linear momentum in the inertial frame */
    for (int s = 0; s < 8000; s++) rkmk4_step(&on_se3, a, mu, 2.5e-4), rkmk4_step(&on_product, b, nu, 2.5e-4);
    for (int i = 0; i < 12; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, a[i], b[i]);
    lie_so3_act(v, a, mu + 3);
    for (int i = 0; i < 3; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, v[i], nu[3 + i]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, mu[1], nu[1]);
}

/* R Pi + x x p */
static void angular_momentum(double L[3], const lie_state *s)
{
    const double *x = s->g + 9, *p = s->m + 3;
    lie_so3_act(L, s->g, s->m);
    L[0] += x[1] * p[2] - x[2] * p[1];
    L[1] += x[2] * p[0] - x[0] * p[2];
    L[2] += x[0] * p[1] - x[1] * p[0];
}

static const double gm = 3.986004418e14, radius = 7e6; /* m^3/s^2, m */

/* A satellite of a ton on a circular orbit, nose along the radius, turning with the orbit and a little more. */
static void low_orbit(lie_spacecraft *earth, lie_system *sys, lie_state *s, const char *retraction)
{
    double rate = sqrt(gm / (radius * radius * radius)), g[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 7e6, 0, 0};
    double xi[6] = {1e-4, -2e-4, rate, 0, rate * radius, 0};
    earth->body.gm = gm;
    lie_inertia_diagonal(6, earth->body.inertia, (double[6]){700, 900, 1300, 1000, 1000, 1000});
    char attitude[32];
    snprintf(attitude, sizeof attitude, "SO3/%s", retraction);
    TEST_ASSERT_EQUAL(LIE_OK, lie_spacecraft_system(sys, earth, attitude));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, g, xi));
}

/* Energy in a band, angular momentum to round-off, the nose along the radius: ten orbits of a hundred steps. */
void test_spacecraft_in_low_earth_orbit(void)
{
    static const char *const methods[] = {"sv", "midpoint", "gauss2", "sv_suzuki4"};
    static double work[WORK];
    for (int i = 0; i < 8; i++) {
        lie_spacecraft earth = {.body.gm = 0.0};
        lie_system sys;
        lie_stepper *st;
        lie_state s;
        double E0, E, L0[3], L[3], period = 2.0 * NEAR_PI * sqrt(radius * radius * radius / gm);
        low_orbit(&earth, &sys, &s, i % 2 ? "exp" : "cay");
        lie_options opt = {.method = methods[i / 2]};
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &opt, work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E0, &s));
        angular_momentum(L0, &s);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(st, &s, period / 100, 1000), methods[i / 2]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E, &s));
        angular_momentum(L, &s);
        double cosine = (s.g[0] * s.g[9] + s.g[3] * s.g[10] + s.g[6] * s.g[11]) / radius, size = 0.0, change = 0.0;
        for (int k = 0; k < 3; k++) size += L0[k] * L0[k], change += (L[k] - L0[k]) * (L[k] - L0[k]);
        printf("  %-10s %s: energy %.1e, angular momentum %.1e, nose within %.1f degrees\n", methods[i / 2],
               i % 2 ? "exp" : "cay", E / E0 - 1.0, sqrt(change / size), acos(cosine) * 180.0 / NEAR_PI);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.0, E / E0);
        TEST_ASSERT_TRUE(sqrt(change / size) <= 1e-13);
        TEST_ASSERT_TRUE(cosine > 0.8);
    }
}

/* The attitude is solved for as well as if the orbit were not there: turned off its equations, a change would show. */
void test_spacecraft_attitude_is_resolved_beside_the_orbit(void)
{
    static double work[WORK], work_alone[WORK];
    lie_spacecraft earth = {.body.gm = 0.0};
    lie_free_body body = {{700, 0, 0, 0, 900, 0, 0, 0, 1300}};
    lie_system sys, alone;
    lie_stepper *st, *st_alone;
    lie_state s, s_alone;
    double worst = 0.0;
    lie_options chart = {.method = "vprk"}; /* which is what gauss2 is on a product, but not on SO3 alone */
    TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&chart.tableau, "gauss2"));
    low_orbit(&earth, &sys, &s, "cay");
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&alone, &body, "SO3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &chart, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st_alone, &alone, &chart, work_alone, sizeof work_alone));
    sys.potential = NULL, sys.force = NULL, sys.force_deriv = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&alone, &s_alone, 0.0, s.g, s.m));
    for (int k = 0; k < 200; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, 60.0));
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(st_alone, &s_alone, 60.0));
        for (int i = 0; i < 9; i++) worst = fmax(worst, fabs(s.g[i] - s_alone.g[i]));
    }
    printf("  attitude beside an orbit and alone differ by %.1e\n", worst);
    TEST_ASSERT_TRUE(worst <= 1e-13);
}

void test_spacecraft_refuses_what_it_cannot_be(void)
{
    lie_spacecraft bad = craft;
    lie_system out = {.name = "kept"};
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_spacecraft_system(&out, &bad, "SO3/cayley"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_spacecraft_system(&out, &bad, "S3"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_spacecraft_system(&out, &bad, "cay"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_spacecraft_system(&(lie_system){.name = "other"}, &bad, NULL));
    TEST_ASSERT_EQUAL_STRING("cay", bad.factor[0]->retraction);
    bad.body.gm = -1.0;
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_spacecraft_system(&out, &bad, "SO3/exp"));
    bad.body.gm = 1.0, bad.body.inertia[0] = -1.0;
    TEST_ASSERT_EQUAL(LIE_ERR_INERTIA, lie_spacecraft_system(&out, &bad, "SO3/exp"));
    TEST_ASSERT_EQUAL_STRING("kept", out.name);
}
