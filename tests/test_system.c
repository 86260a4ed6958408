/* SPDX-License-Identifier: MIT */
/* Systems: the ready ones obey their own equations. Derivatives against differences; energy and spatial momentum along
 * the motion, integrated by RKMK of order 4 (Munthe-Kaas 1999) written here from the operations of the group. */
#include <liestep/rn.h>
#include <liestep/so3.h>
#include <liestep/systems.h>

#include "near.h"
#include "random.h"

enum { CASES = 12 };

static const lie_free_body free_body = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}};
static const lie_heavy_top top = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.8, {0.3, -0.2, 1.0}, 9.81};
static const lie_turntable turntable = {
    {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.8, {0.3, -0.2, 1.0}, 9.81}, 1.7};
static const lie_satellite satellite = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.7, {0.4, -0.3, 0.9}};
static lie_orbiter orbiter = {.gm = 3.2};
static lie_vehicle vehicle = {.weight = 11.0,
                              .buoyancy = 12.5,
                              .weight_at = {0.02, -0.01, -0.3},
                              .buoyancy_at = {0.0, 0.03, 0.1},
                              .thrusters = 2,
                              .thruster_at = {{-1, 0.2, 0}, {-1, -0.2, 0}},
                              .thruster_along = {{1, 0, 0}, {0.8, 0, 0.6}}};
static lie_particle particle = {.drag = 0.0};
static lie_system systems[CASES];
static int count;

/* A dense inertia: L L^T + diagonal. */
static void dense_inertia(double *A)
{
    lie_random rng = {77u};
    double L[36];
    random_vector(&rng, 36, L, 0.4);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            A[6 * i + j] = i == j ? 1.0 + 0.3 * i : 0.0;
            for (int k = 0; k < 6; k++) A[6 * i + j] += L[6 * i + k] * L[6 * j + k];
        }
}

void setUp(void)
{
    const char *const groups[2] = {"SO3", "S3"};
    const double orbiter_diagonal[6] = {0.02, 0.03, 0.04, 1.5, 1.5, 1.5}, unit[2] = {1.0, 1.0};
    lie_inertia_diagonal(6, orbiter.inertia, orbiter_diagonal);
    lie_inertia_diagonal(2, particle.inertia, unit);
    dense_inertia(vehicle.inertia);
    count = 0;
    for (int k = 0; k < 2; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&systems[count++], &free_body, groups[k]));
        TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&systems[count++], &top, groups[k]));
        TEST_ASSERT_EQUAL(LIE_OK, lie_turntable_system(&systems[count++], &turntable, groups[k]));
        TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&systems[count++], &satellite, groups[k]));
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_orbiter_system(&systems[count++], &orbiter));
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&systems[count++], &vehicle));
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&systems[count++], &particle));
}

void tearDown(void)
{
}

/* A generic state; on SE3 at a distance of about 3 from the origin. */
static void state_at(const lie_system *sys, double *g, double *mu, lie_random *rng)
{
    double x[6], xi[6];
    random_vector(rng, sys->group->dim, x, 0.8);
    if (sys->group->dim == 6) x[3] += 3.0;
    random_vector(rng, sys->group->dim, xi, 0.7);
    TEST_ASSERT_EQUAL(LIE_OK, sys->group->tau(sys->group, g, x));
    lie_system_momentum(sys, mu, g, xi);
}

void test_system_derivatives_agree_with_differences(void)
{
    lie_random rng = {5u};
    for (int k = 0; k < count; k++)
        for (int t = 0; t < 20; t++) {
            double g[12], mu[6];
            lie_system_report report;
            state_at(&systems[k], g, mu, &rng);
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&systems[k], &report, g));
            TEST_ASSERT_TRUE_MESSAGE(report.force < 1e-9, systems[k].name);
            TEST_ASSERT_TRUE_MESSAGE(report.force_deriv < 1e-9, systems[k].name);
            TEST_ASSERT_TRUE_MESSAGE(report.gyro_deriv < 1e-9, systems[k].name);
        }
}

static double wrong_potential(const lie_system *sys, const double *g)
{
    return 1.001 * systems[1].potential(sys, g);
}

static void wrong_deriv(const lie_system *sys, double *D, const double *g)
{
    systems[1].force_deriv(sys, D, g);
    D[5] = -D[5];
}

void test_system_report_names_the_wrong_callback(void)
{
    lie_system sys = systems[1];
    lie_system_report report;
    lie_random rng = {6u};
    double g[12], mu[6];
    state_at(&sys, g, mu, &rng);
    sys.potential = wrong_potential;
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&sys, &report, g));
    TEST_ASSERT_EQUAL_STRING("force", report.worst);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1e-3, report.force);
    sys = systems[1];
    sys.force_deriv = wrong_deriv;
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&sys, &report, g));
    TEST_ASSERT_EQUAL_STRING("force_deriv", report.worst);
    TEST_ASSERT_TRUE(report.force < 1e-9);
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&systems[0], &report, g));
    TEST_ASSERT_EQUAL_STRING("none", report.worst);
}

/* theta' = dtauinv_{-theta} xi, mu' = rate, at g tau(theta) */
static void rate_of(const lie_system *sys, double *theta_dot, double *mu_dot, const double *g, const double *theta,
                    const double *mu)
{
    const lie_ops *G = sys->group;
    double h[12], xi[6], minus[6];
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, h, theta));
    G->mul(G, h, g, h);
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, xi, h, mu));
    lie_system_momentum_rate(sys, mu_dot, 0.0, h, xi, NULL);
    for (int i = 0; i < G->dim; i++) minus[i] = -theta[i];
    TEST_ASSERT_EQUAL(LIE_OK, G->dtauinv(G, theta_dot, minus, xi));
}

static void rkmk4_step(const lie_system *sys, double *g, double *mu, double h)
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    int n = sys->group->dim;
    double theta[6], momentum[6], a[6] = {0}, b[6] = {0}, sum_a[6] = {0}, sum_b[6] = {0}, dg[12];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) theta[i] = h * node[s] * a[i], momentum[i] = mu[i] + h * node[s] * b[i];
        rate_of(sys, a, b, g, theta, momentum);
        for (int i = 0; i < n; i++) sum_a[i] += h * weight[s] * a[i], sum_b[i] += h * weight[s] * b[i];
    }
    TEST_ASSERT_EQUAL(LIE_OK, sys->group->tau(sys->group, dg, sum_a));
    sys->group->mul(sys->group, g, g, dg);
    for (int i = 0; i < n; i++) mu[i] += sum_b[i];
}

static double energy_of(const lie_system *sys, const double *g, const double *mu)
{
    double xi[6];
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, xi, g, mu));
    return lie_system_energy(sys, g, xi);
}

void test_system_energy_is_conserved_along_the_motion(void)
{
    lie_random rng = {8u};
    for (int k = 0; k < count; k++) {
        double g[12], mu[6];
        lie_system sys = systems[k];
        sys.external = NULL;
        state_at(&sys, g, mu, &rng);
        double before = energy_of(&sys, g, mu);
        for (int s = 0; s < 1000; s++) rkmk4_step(&sys, g, mu, 2e-3);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-8 * (1 + fabs(before)), before, energy_of(&sys, g, mu), sys.name);
    }
}

/* The momentum along a symmetry: all of it for the free body, about e3 for the tops, all angular momentum in orbit, the
 * horizontal linear momentum and the angular momentum about the vertical of the vehicle. */
void test_system_spatial_momentum_is_conserved_along_symmetries(void)
{
    static const struct {
        const char *name;
        int component[6], count;
    } kept[] = {{"free_body", {0, 1, 2}, 3},
                {"heavy_top", {2}, 1},
                {"turntable", {2}, 1},
                {"orbiter", {0, 1, 2}, 3},
                {"vehicle", {2, 3, 4}, 3}};
    lie_random rng = {9u};
    for (int k = 0; k < count; k++)
        for (int r = 0; r < 5; r++) {
            if (strcmp(kept[r].name, systems[k].name) != 0) continue;
            double g[12], mu[6], J[6], later[6];
            lie_system sys = systems[k];
            sys.external = NULL;
            state_at(&sys, g, mu, &rng);
            lie_system_spatial_momentum(&sys, J, g, mu);
            for (int s = 0; s < 1000; s++) rkmk4_step(&sys, g, mu, 2e-3);
            lie_system_spatial_momentum(&sys, later, g, mu);
            for (int i = 0; i < kept[r].count; i++)
                TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-8, J[kept[r].component[i]], later[kept[r].component[i]], sys.name);
        }
}

/* In the rotating frame of the table the motion is that of the same top seen from rest: energies differ by rate x
 * J3. */
void test_system_turntable_is_the_top_seen_from_the_table(void)
{
    lie_system inertial = systems[1], rotating = systems[2];
    double g[9], h[9], w[3] = {0.4, -0.9, 0.6}, xi[3], mu[3], nu[3], turn[9], t = 1.0, step = 1e-3;
    lie_so3_exp(g, (double[3]){0.3, 0.5, -0.2});
    memcpy(h, g, sizeof h);
    for (int i = 0; i < 3; i++) xi[i] = w[i] - turntable.rate * g[6 + i]; /* rate relative to the table */
    lie_system_momentum(&inertial, mu, g, w);
    lie_system_momentum(&rotating, nu, h, xi);
    NEAR(3, nu, mu, 4); /* the body momentum is that in space */
    for (int s = 0; s < 1000; s++) rkmk4_step(&inertial, g, mu, step), rkmk4_step(&rotating, h, nu, step);
    lie_so3_exp(turn, (double[3]){0, 0, turntable.rate * t});
    lie_so3_mul(h, turn, h);
    for (int i = 0; i < 9; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, g[i], h[i]);
}

void test_system_satellite_equilibrium(void)
{
    /* principal axes along the orbit frame, no wheels: at rest in the orbit frame without torque */
    lie_satellite sat = {{1, 0, 0, 0, 2, 0, 0, 0, 2.5}, 0.7, {0, 0, 0}};
    lie_system sys;
    double R[9], rest[3] = {0, 0, 0}, rate[3];
    TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&sys, &sat, "SO3"));
    lie_so3_identity(R);
    lie_system_momentum_rate(&sys, rate, 0.0, R, rest, NULL);
    NEAR(3, rate, rest, 1);
    lie_so3_exp(R, (double[3]){0, 0, 0.1}); /* pitched: the gradient turns it back, torque 3 n^2 (I2 - I1) sin cos */
    lie_system_force(&sys, rate, R, rest);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -3 * 0.49 * 1.0 * sin(0.1) * cos(0.1), rate[2]);
}

void test_system_drag_and_thrusters(void)
{
    lie_system sys = systems[count - 2];
    double xi[6] = {0.5, -0.4, 0.3, 1.0, -2.0, 0.7}, f[6], g[12], u[2] = {3.0, -1.0}, power = 0.0;
    sys.group->identity(sys.group, g);
    vehicle.quadratic_drag[4] = 0.5;
    vehicle.linear_drag[21] = 2.0;
    lie_system_external(&sys, f, 0.0, g, xi, NULL);
    NEAR(6, f, ((double[6]){0, 0, 0, -2.0, 2.0, 0}), 1);
    for (int i = 0; i < 6; i++) power += f[i] * xi[i];
    TEST_ASSERT_TRUE(power < 0.0);
    lie_system_external(&sys, f, 0.0, g, (double[6]){0}, u);
    /* 3 (p x d, d) at (-1, .2, 0) along e1 minus one at (-1, -.2, 0) along (.8, 0, .6) */
    NEAR(6, f, ((double[6]){0.12, -0.6, -0.76, 2.2, 0, -0.6}), 4);
    vehicle.quadratic_drag[4] = vehicle.linear_drag[21] = 0.0;
}

/* Marsden & West 2001, Example 3.2.3: E' = -c |v|^2 */
void test_system_particle_loses_energy_at_the_rate_of_its_drag(void)
{
    const lie_system *sys = &systems[count - 1];
    double q[2] = {0.9, 0.4}, mu[2] = {-0.3, 0.7}, work = 0.0, step = 1e-3;
    particle.drag = 1e-3;
    double before = energy_of(sys, q, mu), speed2 = mu[0] * mu[0] + mu[1] * mu[1];
    for (int s = 0; s < 5000; s++) {
        work += 0.5 * step * particle.drag * speed2;
        rkmk4_step(sys, q, mu, step);
        speed2 = mu[0] * mu[0] + mu[1] * mu[1];
        work += 0.5 * step * particle.drag * speed2;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, before - work, energy_of(sys, q, mu));
    TEST_ASSERT_TRUE(work > 1e-4);
    particle.drag = 0.0;
}

void test_system_what_is_no_system_is_refused(void)
{
    lie_system out = {.name = "kept"}, sys = systems[0];
    lie_free_body bad = free_body;
    lie_orbiter massless = orbiter;
    lie_vehicle crowded = vehicle;
    bad.inertia[1] = 0.3;
    TEST_ASSERT_EQUAL(LIE_ERR_INERTIA, lie_free_body_system(&out, &bad, "SO3"));
    bad = free_body, bad.inertia[8] = -1.0;
    TEST_ASSERT_EQUAL(LIE_ERR_INERTIA, lie_free_body_system(&out, &bad, "SO3"));
    bad = free_body, bad.inertia[0] = 0.0;
    TEST_ASSERT_EQUAL(LIE_ERR_INERTIA, lie_free_body_system(&out, &bad, "S3"));
    bad = free_body, bad.inertia[4] = (double)NAN;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_free_body_system(&out, &bad, "S3"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_free_body_system(&out, &free_body, "SE3"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_free_body_system(&out, &free_body, NULL));
    massless.gm = 0.0;
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_orbiter_system(&out, &massless));
    crowded.thrusters = LIE_THRUSTERS_MAX + 1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_vehicle_system(&out, &crowded));
    TEST_ASSERT_EQUAL_STRING("kept", out.name);
    sys.potential = systems[1].potential;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[2], sys.gyro_deriv = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[0], sys.controls = -1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_system_check(&sys));
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(NULL));
}
