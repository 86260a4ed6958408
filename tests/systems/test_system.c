/* SPDX-License-Identifier: MIT */
/* Systems: the ready ones obey their own equations. Derivatives against differences; energy and spatial momentum along
 * the motion, integrated by RKMK of order 4. */
#include <liestep/rn.h>
#include <liestep/so3.h>
#include <liestep/systems.h>

#include "tests/support/near.h"
#include "tests/support/random.h"
#include "tests/support/rkmk4.h"

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
    TEST_ASSERT_EQUAL(LIE_OK, lie_orbiter_system(&systems[count++], &orbiter, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&systems[count++], &vehicle, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&systems[count++], &particle, NULL));
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
            double g[12], mu[6], xi[6];
            lie_system_report report;
            state_at(&systems[k], g, mu, &rng);
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&systems[k], xi, g, mu));
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&systems[k], &report, 0.0, g, xi, NULL));
            TEST_ASSERT_TRUE_MESSAGE(report.error < 1e-9, systems[k].name);
            TEST_ASSERT_EQUAL(!systems[k].force, report.force < 0.0);
            TEST_ASSERT_EQUAL(!systems[k].force_deriv, report.force_deriv < 0.0);
            TEST_ASSERT_EQUAL(!systems[k].gyro, report.gyro_deriv < 0.0);
            TEST_ASSERT_EQUAL(!systems[k].external, report.external_deriv < 0.0);
            TEST_ASSERT_TRUE(report.momentum == -1.0 && report.gradient == -1.0 && report.hessian == -1.0);
            TEST_ASSERT_TRUE(report.mixed == -1.0 && report.gradient_deriv == -1.0);
        }
}

/* SI units: a satellite of a ton around the Earth. A wrong sign in the small torque shows; what is right does not. */
static void wrong_torque_deriv(const lie_system *sys, double *D, const double *g)
{
    systems[count - 3].force_deriv(sys, D, g);
    for (int j = 0; j < 6; j++) D[6 + j] = -D[6 + j];
}

void test_system_comparison_works_in_any_units(void)
{
    lie_orbiter earth = {.gm = 3.986004418e14};
    lie_system sys;
    lie_system_report report;
    double g[12], x[6] = {0.3, -0.5, 0.8, 4.1e6, -3.9e6, 3.5e6}, xi[6] = {0.01, 0.02, -0.01, 3e3, 5e3, -4e3};
    lie_inertia_diagonal(6, earth.inertia, (double[6]){900.0, 1300.0, 700.0, 1000.0, 1000.0, 1000.0});
    TEST_ASSERT_EQUAL(LIE_OK, lie_orbiter_system(&sys, &earth, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, sys.group->tau(sys.group, g, x));
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&sys, &report, 0.0, g, xi, NULL));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, report.error);
    sys.force_deriv = wrong_torque_deriv;
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&sys, &report, 0.0, g, xi, NULL));
    TEST_ASSERT_EQUAL_STRING("force_deriv", report.worst);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 2.0, report.error);
    TEST_ASSERT_EQUAL(1, report.row);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * fabs(report.given), -report.given, report.expected);
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

static void wrong_force(const lie_system *sys, double *F, const double *g)
{
    systems[1].force(sys, F, g);
    F[1] = -0.1 * F[1];
}

static void broken_deriv(const lie_system *sys, double *D, const double *g)
{
    systems[1].force_deriv(sys, D, g);
    D[7] = (double)NAN;
}

static double broken_potential(const lie_system *sys, const double *g)
{
    (void)sys;
    (void)g;
    return (double)NAN;
}

static lie_system_report report_of(const lie_system *sys)
{
    lie_random rng = {6u};
    lie_system_report report;
    double g[12], mu[6];
    state_at(sys, g, mu, &rng);
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(sys, &report, 0.0, g, mu, NULL));
    return report;
}

void test_system_report_names_the_wrong_callback(void)
{
    lie_system sys = systems[1];
    sys.potential = wrong_potential;
    lie_system_report report = report_of(&sys);
    TEST_ASSERT_EQUAL_STRING("force", report.worst);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1e-3, report.force);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, 1.001 * report.given, report.expected);
    sys = systems[1], sys.force_deriv = wrong_deriv;
    report = report_of(&sys);
    TEST_ASSERT_EQUAL_STRING("force_deriv", report.worst);
    TEST_ASSERT_TRUE(report.force < 1e-9 && report.error == report.force_deriv);
    TEST_ASSERT_TRUE(report.row == 1 && report.column == 2);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, -report.given, report.expected);
    /* the derivative of a wrong force is not blamed for being right */
    sys = systems[1], sys.force = wrong_force;
    report = report_of(&sys);
    TEST_ASSERT_EQUAL_STRING("force", report.worst);
    TEST_ASSERT_TRUE(report.column == 1 && report.force_deriv > report.force);
    report = report_of(&systems[0]);
    TEST_ASSERT_EQUAL_STRING("none", report.worst);
    TEST_ASSERT_TRUE(report.error == 0.0);
}

void test_system_report_shows_what_is_not_finite(void)
{
    lie_system sys = systems[1];
    sys.force_deriv = broken_deriv;
    lie_system_report report = report_of(&sys);
    TEST_ASSERT_EQUAL_STRING("force_deriv", report.worst);
    TEST_ASSERT_TRUE(report.error == HUGE_VAL && report.row == 2 && report.column == 1);
    sys = systems[1], sys.potential = broken_potential;
    report = report_of(&sys);
    TEST_ASSERT_EQUAL_STRING("force", report.worst);
    TEST_ASSERT_TRUE(report.force == HUGE_VAL && report.force_deriv < 1e-9);
}

void test_system_derivatives_of_a_free_body(void)
{
    double R[9], w[3] = {0.3, 0.4, 0.5}, D[9], none[9] = {0};
    lie_so3_identity(R);
    lie_system_force_deriv(&systems[0], D, R, w);
    SAME(9, D, none);
    lie_system_mixed(&systems[0], D, R, w);
    SAME(9, D, none);
    lie_system_force(&systems[0], D, R, w);
    SAME(3, D, none);
    lie_system_hessian(&systems[0], D, R, w);
    SAME(9, D, free_body.inertia);
}

/* The same attitude as a matrix and as a quaternion. */
void test_system_attitude_systems_are_the_same_on_both_groups(void)
{
    lie_random rng = {14u};
    for (int k = 1; k < 4; k++)
        for (int t = 0; t < 20; t++) {
            const lie_system *on_so3 = &systems[k], *on_s3 = &systems[4 + k];
            double q[4], R[9], x[3], a[9], b[9];
            random_vector(&rng, 3, x, 2.0);
            TEST_ASSERT_EQUAL(LIE_OK, on_s3->group->tau(on_s3->group, q, x));
            TEST_ASSERT_EQUAL(LIE_OK, on_so3->group->tau(on_so3->group, R, x));
            double V = on_so3->potential(on_so3, R);
            TEST_ASSERT_DOUBLE_WITHIN(1e-14 * (1 + fabs(V)), V, on_s3->potential(on_s3, q));
            lie_system_force(on_so3, a, R, x);
            lie_system_force(on_s3, b, q, x);
            NEAR(3, b, a, 20);
            on_so3->force_deriv(on_so3, a, R);
            on_s3->force_deriv(on_s3, b, q);
            NEAR(9, b, a, 20);
            lie_system_momentum(on_so3, a, R, x);
            lie_system_momentum(on_s3, b, q, x);
            NEAR(3, b, a, 20);
        }
}

void test_system_energy_is_conserved_along_the_motion(void)
{
    lie_random rng = {8u};
    for (int k = 0; k < count; k++) {
        double g[12], mu[6];
        lie_system sys = systems[k];
        sys.external = NULL;
        state_at(&sys, g, mu, &rng);
        double before = rkmk4_energy(&sys, g, mu);
        for (int s = 0; s < 1000; s++) rkmk4_step(&sys, g, mu, 2e-3);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-8 * (1 + fabs(before)), before, rkmk4_energy(&sys, g, mu), sys.name);
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

/* In the inertial frame only the gradient acts: mu' = mu x (w + n b) + 3 n^2 c x I c, mu = I (w + n b) + h. */
void test_system_satellite_is_a_gyrostat(void)
{
    lie_random rng = {17u};
    const lie_system *sys = &systems[3];
    for (int t = 0; t < 20; t++) {
        double n = satellite.orbit_rate, R[9], x[3], w[3], rate[3], mu[3], in_space[3], expected[3], Ic[3], torque[3];
        random_vector(&rng, 3, x, 2.0);
        random_vector(&rng, 3, w, 1.0);
        lie_so3_cay(R, x);
        for (int i = 0; i < 3; i++) in_space[i] = w[i] + n * R[6 + i];
        lie_so3_act(expected, satellite.inertia, in_space);
        for (int i = 0; i < 3; i++) expected[i] += satellite.wheels[i];
        lie_system_momentum(sys, mu, R, w);
        NEAR(3, mu, expected, 8);
        lie_so3_act(Ic, satellite.inertia, R);
        lie_so3_ad(torque, R, Ic);
        lie_so3_ad(expected, mu, in_space);
        for (int i = 0; i < 3; i++) expected[i] += 3.0 * n * n * torque[i];
        lie_system_momentum_rate(sys, rate, 0.0, R, w, NULL);
        NEAR(3, rate, expected, 20);
    }
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

/* Weight alone acts, and so does buoyancy; without both there is nothing that could. */
void test_system_vehicle_has_a_potential_if_it_has_weight_or_buoyancy(void)
{
    static const double up[12] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    lie_vehicle p = vehicle;
    lie_system sys;
    double F[6], zero[6] = {0.0};
    for (int k = 0; k < 4; k++) {
        p.weight = k & 1 ? 3.0 : 0.0, p.buoyancy = k & 2 ? 2.0 : 0.0;
        TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&sys, &p, NULL));
        TEST_ASSERT_EQUAL(k != 0, sys.potential && sys.force && sys.force_deriv);
        lie_system_force(&sys, F, up, zero);
        TEST_ASSERT_TRUE(F[5] == p.buoyancy - p.weight);
    }
}

void test_system_derivative_of_the_drag(void)
{
    lie_random rng = {15u};
    lie_vehicle dragged = vehicle;
    lie_system sys;
    lie_system_report report;
    double g[12], xi[6], u[2] = {3.0, -1.0}, D[36], E[36];
    random_vector(&rng, 36, dragged.linear_drag, 1.0);
    random_vector(&rng, 6, dragged.quadratic_drag, 2.0);
    random_vector(&rng, 6, xi, 1.5);
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&sys, &dragged, NULL));
    sys.group->identity(sys.group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&sys, &report, 0.0, g, xi, u));
    TEST_ASSERT_TRUE(report.external_deriv >= 0.0 && report.external_deriv < 1e-9);
    lie_system_external_deriv(&sys, D, 0.0, g, xi, u);
    sys.external_deriv = NULL;
    lie_system_external_deriv(&sys, E, 0.0, g, xi, u);
    for (int i = 0; i < 36; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, D[i], E[i]);
    sys.external = NULL;
    lie_system_external_deriv(&sys, E, 0.0, g, xi, u);
    NEAR(36, E, ((double[36]){0}), 0);
    lie_system_external(&sys, E, 0.0, g, xi, u);
    NEAR(6, E, ((double[6]){0}), 0);
    particle.drag = 0.3;
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&sys, &particle, NULL));
    lie_system_external_deriv(&sys, D, 0.0, g, xi, NULL);
    particle.drag = 0.0;
    NEAR(4, D, ((double[4]){-0.3, 0, 0, -0.3}), 0);
}

/* Marsden & West 2001, Example 3.2.3: E' = -c |v|^2 */
void test_system_particle_loses_energy_at_the_rate_of_its_drag(void)
{
    lie_system with_drag, *sys = &with_drag;
    double q[2] = {0.9, 0.4}, mu[2] = {-0.3, 0.7}, work = 0.0, step = 1e-3;
    particle.drag = 1e-3;
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&with_drag, &particle, NULL));
    double before = rkmk4_energy(sys, q, mu), speed2 = mu[0] * mu[0] + mu[1] * mu[1];
    for (int s = 0; s < 5000; s++) {
        work += 0.5 * step * particle.drag * speed2;
        rkmk4_step(sys, q, mu, step);
        speed2 = mu[0] * mu[0] + mu[1] * mu[1];
        work += 0.5 * step * particle.drag * speed2;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, before - work, rkmk4_energy(sys, q, mu));
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
    massless.gm = 0.0;
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_orbiter_system(&out, &massless, NULL));
    crowded.thrusters = LIE_THRUSTERS_MAX + 1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_vehicle_system(&out, &crowded, NULL));
    TEST_ASSERT_EQUAL_STRING("kept", out.name);
    sys.potential = systems[1].potential;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[2], sys.gyro_deriv = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[0], sys.controls = -1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_system_check(&sys));
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(NULL));
    lie_system_report report;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_compare_derivatives(NULL, &report, 0.0, NULL, NULL, NULL));
}

void test_system_group_must_fit(void)
{
    static double inertia[(LIE_DIM_MAX + 1) * (LIE_DIM_MAX + 1)];
    lie_ops G;
    lie_system sys = {.name = "flat", .group = &G, .inertia = inertia};
    for (int n = 1; n <= LIE_DIM_MAX + 1; n++) {
        for (int i = 0; i < n * n; i++) inertia[i] = i % (n + 1) == 0 ? 1.5 : 0.0;
        TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&G, n, "exp"));
        TEST_ASSERT_EQUAL(n <= LIE_DIM_MAX ? LIE_OK : LIE_ERR_SIZE, lie_system_check(&sys));
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&G, 3, "exp"));
    lie_inertia_diagonal(3, inertia, (double[3]){1.5, 1.5, 1.5});
    G.size = LIE_SIZE_MAX;
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_check(&sys));
    G.size = LIE_SIZE_MAX + 1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_system_check(&sys));
    G.size = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_system_check(&sys));
    G.size = 3, G.project = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
}

/* velocity undoes momentum, in place too; what it cannot do it says */
void test_system_velocity_undoes_momentum(void)
{
    lie_random rng = {16u};
    for (int k = 0; k < count; k++) {
        double g[12], x[6], xi[6], mu[6], back[6];
        random_vector(&rng, systems[k].group->dim, x, 0.8);
        random_vector(&rng, systems[k].group->dim, xi, 3.0);
        TEST_ASSERT_EQUAL(LIE_OK, systems[k].group->tau(systems[k].group, g, x));
        lie_system_momentum(&systems[k], mu, g, xi);
        TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&systems[k], back, g, mu));
        NEAR(systems[k].group->dim, back, xi, 200);
        TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&systems[k], mu, g, mu));
        SAME(systems[k].group->dim, mu, back);
        mu[0] = (double)NAN;
        REFUSED(LIE_ERR_NOT_FINITE, 6, back, lie_system_velocity(&systems[k], back, g, mu));
    }
    lie_system flat = systems[0];
    double flat_inertia[9] = {1, 0, 0, 0, 0, 0, 0, 0, 1}, g[9], mu[3] = {1, 2, 3}, back[3];
    flat.inertia = flat_inertia;
    flat.group->identity(flat.group, g);
    REFUSED(LIE_ERR_INERTIA, 3, back, lie_system_velocity(&flat, back, g, mu));
}
