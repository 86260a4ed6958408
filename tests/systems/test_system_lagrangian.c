/* SPDX-License-Identifier: MIT */
/* General Lagrangians and flat systems: derivatives against differences, the velocity of a momentum, energy along the
 * motion (RKMK of order 4), and agreement with the quadratic kind where both can say the same. */
#include <liestep/s3.h>
#include <liestep/systems.h>

#include "tests/support/flat_systems.h"
#include "tests/support/general_systems.h"
#include "tests/support/near.h"
#include "tests/support/rkmk4.h"

enum { CASES = 8, FLAT_QUADRATIC = 3 };

static lie_ops spaces[CASES];
static wall_vehicle wall;
static lie_system systems[CASES];

/* The quadratic ones first. */
void setUp(void)
{
    int k = 0;
    systems[k] = flat_oscillator(&spaces[k]), k++;
    systems[k] = henon_heiles(&spaces[k]), k++;
    systems[k] = charge_in_field(&spaces[k]), k++;
    systems[k] = double_pendulum(&spaces[k]), k++;
    systems[k] = fast_particle(&spaces[k]), k++;
    systems[k++] = quartic_body_system(&quartic_example, &lie_so3_cay_ops);
    systems[k++] = quartic_body_system(&quartic_example, &lie_s3_exp_ops);
    systems[k++] = wall_vehicle_system(&wall);
    TEST_ASSERT_EQUAL(CASES, k);
}

void tearDown(void)
{
}

/* A generic state with velocities up to `speed`. */
static void state_at(const lie_system *sys, double *g, double *xi, double speed, lie_random *rng)
{
    double x[LIE_DIM_MAX];
    random_vector(rng, sys->group->dim, x, 0.5);
    random_vector(rng, sys->group->dim, xi, speed);
    TEST_ASSERT_EQUAL(LIE_OK, sys->group->tau(sys->group, g, x));
}

void test_system_lagrangian_derivatives_agree_with_differences(void)
{
    lie_random rng = {25u};
    for (int k = 0; k < CASES; k++)
        for (int t = 0; t < 20; t++) {
            double g[12], xi[6];
            lie_system_report r;
            state_at(&systems[k], g, xi, 1.0, &rng);
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_check(&systems[k]));
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&systems[k], &r, 0.0, g, xi, NULL));
            TEST_ASSERT_TRUE_MESSAGE(r.error < 1e-9, systems[k].name);
            if (k < FLAT_QUADRATIC)
                TEST_ASSERT_TRUE(r.force >= 0.0 && r.force_deriv >= 0.0 && r.momentum == -1.0);
            else
                TEST_ASSERT_TRUE(r.momentum >= 0.0 && r.gradient >= 0.0 && r.hessian >= 0.0 && r.mixed >= 0.0 &&
                                 r.gradient_deriv >= 0.0 && r.force == -1.0);
        }
}

/* Callbacks of the double pendulum with one entry wrong, each to be found. */
static void wrong_momentum(const lie_system *sys, double *mu, const double *q, const double *v)
{
    double_pendulum_momentum(sys, mu, q, v);
    mu[1] *= 1.001;
}

static void wrong_gradient(const lie_system *sys, double *F, const double *q, const double *v)
{
    double_pendulum_gradient(sys, F, q, v);
    F[0] += 0.02 * v[0] * v[1];
}

static void wrong_hessian(const lie_system *sys, double *H, const double *q, const double *v)
{
    double_pendulum_hessian(sys, H, q, v);
    H[2] = -H[2];
}

static void wrong_mixed(const lie_system *sys, double *D, const double *q, const double *v)
{
    double_pendulum_mixed(sys, D, q, v);
    D[1] = -D[1];
}

static void wrong_gradient_deriv(const lie_system *sys, double *D, const double *q, const double *v)
{
    double_pendulum_gradient_deriv(sys, D, q, v);
    D[3] *= 0.999;
}

static void external(const lie_system *sys, double *f, double t, const double *q, const double *v, const double *u)
{
    (void)sys;
    f[0] = -0.3 * v[0] * v[1] + t * v[1];
    f[1] = sin(q[0]) * v[0] * u[0];
}

static void external_deriv(const lie_system *sys, double *D, double t, const double *q, const double *v,
                           const double *u)
{
    (void)sys;
    D[0] = -0.3 * v[1];
    D[1] = -0.3 * v[0] + t;
    D[2] = sin(q[0]) * u[0];
    D[3] = 0.0;
}

static void wrong_external_deriv(const lie_system *sys, double *D, double t, const double *q, const double *v,
                                 const double *u)
{
    external_deriv(sys, D, t, q, v, u);
    D[1] -= t;
}

/* The report at a point where nothing is symmetric. */
static lie_system_report report_of(lie_system sys)
{
    lie_system_report r;
    double q[2] = {0.7, -0.4}, v[2] = {0.9, 1.3}, u[1] = {0.6};
    sys.controls = 1;
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&sys, &r, 1.7, q, v, u));
    return r;
}

static void check_worst(lie_system sys, const char *name, double least, int row, int column)
{
    lie_system_report r = report_of(sys);
    TEST_ASSERT_EQUAL_STRING(name, r.worst);
    TEST_ASSERT_TRUE_MESSAGE(r.error > least, name);
    TEST_ASSERT_EQUAL(row, r.row);
    TEST_ASSERT_EQUAL(column, r.column);
}

void test_system_lagrangian_report_names_the_wrong_callback(void)
{
    lie_system right = systems[3], sys;
    right.external = external, right.external_deriv = external_deriv;
    TEST_ASSERT_TRUE(report_of(right).error < 1e-9 && report_of(right).external_deriv >= 0.0);
    sys = right, sys.momentum = wrong_momentum, check_worst(sys, "momentum", 1e-4, 0, 1);
    sys = right, sys.gradient = wrong_gradient, check_worst(sys, "gradient", 1e-4, 0, 0);
    sys = right, sys.hessian = wrong_hessian, check_worst(sys, "hessian", 0.5, 1, 0);
    sys = right, sys.mixed = wrong_mixed, check_worst(sys, "mixed", 0.5, 0, 1);
    sys = right, sys.gradient_deriv = wrong_gradient_deriv, check_worst(sys, "gradient_deriv", 1e-4, 1, 1);
    sys = right, sys.external_deriv = wrong_external_deriv, check_worst(sys, "external_deriv", 0.5, 0, 1);
}

/* What the system does not give comes from differences. */
void test_system_lagrangian_missing_derivatives_are_differences(void)
{
    lie_random rng = {26u};
    for (int k = 0; k < CASES; k++) {
        int n = systems[k].group->dim;
        lie_system bare = systems[k];
        double g[12], xi[6], full[36], less[36];
        bare.force_deriv = NULL, bare.hessian = NULL, bare.mixed = NULL, bare.gradient_deriv = NULL;
        state_at(&systems[k], g, xi, 1.2, &rng);
        lie_system_hessian(&systems[k], full, g, xi);
        lie_system_hessian(&bare, less, g, xi);
        for (int i = 0; i < n * n; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-8, full[i], less[i]);
        lie_system_mixed(&systems[k], full, g, xi);
        lie_system_mixed(&bare, less, g, xi);
        for (int i = 0; i < n * n; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-8, full[i], less[i]);
        lie_system_force_deriv(&systems[k], full, g, xi);
        lie_system_force_deriv(&bare, less, g, xi);
        for (int i = 0; i < n * n; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-8, full[i], less[i]);
    }
}

/* With a magnetic field d/dq (dA^T v) adds to the derivative of the electric force: entries of d2A written out. */
void test_system_lagrangian_force_derivative_of_a_gyroscopic_system(void)
{
    double q[3] = {0.4, -0.7, 0.5}, v[3] = {0.8, 1.1, -0.6}, D[9], E[9];
    charge_force_deriv(&systems[2], E, q);
    E[2] += -0.5 * v[0];
    E[6] += -0.5 * v[0];                                           /* A_0: -x z/2 */
    E[8] += q[1] * v[1], E[5] += q[2] * v[1], E[7] += q[2] * v[1]; /* A_1: y z^2/2 */
    E[1] += 0.5 * v[2], E[3] += 0.5 * v[2];                        /* A_2: x y/2 */
    lie_system_force_deriv(&systems[2], D, q, v);
    for (int i = 0; i < 9; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, E[i], D[i]);
    lie_system_mixed(&systems[2], D, q, v);
    charge_gyro_deriv(&systems[2], E, q);
    SAME(9, D, E);
}

static lie_status no_retraction(const lie_ops *G, double *g, const double *x)
{
    (void)G;
    (void)g;
    (void)x;
    return LIE_ERR_DOMAIN;
}

/* A retraction of radius 2^-9, as skew has 1. */
static lie_status short_retraction(const lie_ops *G, double *g, const double *x)
{
    for (int i = 0; i < G->dim; i++)
        if (fabs(x[i]) > 0x1p-9) return LIE_ERR_DOMAIN;
    lie_rn_exp(G->dim, g, x);
    return LIE_OK;
}

void test_system_lagrangian_differences_stay_in_the_domain(void)
{
    lie_system sys = systems[3];
    lie_system_report r = {.worst = "kept"};
    double q[2] = {0.7, -0.4}, v[2] = {0.9, 1.3}, D[4];
    spaces[3].tau = no_retraction;
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_system_compare_derivatives(&sys, &r, 0.0, q, v, NULL));
    TEST_ASSERT_EQUAL_STRING("kept", r.worst);
    sys.mixed = NULL;
    lie_system_mixed(&sys, D, q, v);
    for (int i = 0; i < 4; i++) TEST_ASSERT_TRUE(isnan(D[i]));
    spaces[3].tau = short_retraction;
    sys = systems[2];
    sys.group = &spaces[3], spaces[3].dim = 3; /* A is linear along some axes: the step grows until the domain ends */
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&sys, &r, 0.0, (double[3]){0.4, -0.7, 0.5},
                                                             (double[3]){0.8, 1.1, -0.6}, NULL));
    TEST_ASSERT_TRUE(r.error < 1e-9 && r.gyro_deriv >= 0.0);
}

void test_system_lagrangian_velocity_undoes_momentum(void)
{
    lie_random rng = {27u};
    for (int k = 0; k < CASES; k++)
        for (int t = 0; t < 50; t++) {
            int n = systems[k].group->dim;
            lie_system bare = systems[k];
            double g[12], xi[6], mu[6], back[6], again[6];
            state_at(&systems[k], g, xi, t == 0 ? 0.0 : t % 2 ? 1.6 : 1e-6, &rng);
            lie_system_momentum(&systems[k], mu, g, xi);
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&systems[k], back, g, mu));
            NEAR(n, back, xi, 300);
            bare.hessian = NULL;
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&bare, again, g, mu));
            NEAR(n, again, xi, 300);
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&systems[k], mu, g, mu));
            SAME(n, mu, back);
        }
}

/* v = p / sqrt(m^2 + |p|^2/c^2) whatever the momentum; Newton's first step alone would leave the domain. */
void test_system_lagrangian_velocity_of_the_fast_particle(void)
{
    double q[3] = {0.1, 0.2, 0.3}, m = fast_particle_is.m, c = fast_particle_is.c;
    for (double size = 1e-12; size < 2e4; size *= 10.0) {
        double p[3] = {0.7 * size, -1.1 * size, 0.4 * size}, v[3], exact[3], ratio[3];
        TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&systems[4], v, q, p));
        for (int i = 0; i < 3; i++) {
            exact[i] = p[i] / sqrt(m * m + (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / (c * c));
            ratio[i] = v[i] / exact[i];
        }
        NEAR(3, ratio, ((double[3]){1, 1, 1}), 10);
    }
}

/* The quartic body at high momentum: the first Newton step is far too long. */
void test_system_lagrangian_velocity_of_a_large_momentum(void)
{
    double R[9], w[3], mu[3] = {1e9, -2e9, 0.5e9}, back[3];
    lie_so3_identity(R);
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&systems[5], w, R, mu));
    lie_system_momentum(&systems[5], back, R, w);
    NEAR(3, back, mu, 20);
}

/* Components in units 1e18 apart: both are resolved, the small one too where the large one has come to round-off. */
static const double units[2] = {1e9, 1e-9};

static double units_lagrangian(const lie_system *sys, const double *q, const double *v)
{
    double l = 0.0;
    (void)q;
    for (int i = 0; i < sys->group->dim; i++)
        l += units[i] * (0.5 * v[i] * v[i] + (1.0 + i) * v[i] * v[i] * v[i] * v[i]);
    return l;
}

static void units_momentum(const lie_system *sys, double *mu, const double *q, const double *v)
{
    (void)q;
    for (int i = 0; i < sys->group->dim; i++) mu[i] = units[i] * (v[i] + 4.0 * (1.0 + i) * v[i] * v[i] * v[i]);
}

static void no_gradient(const lie_system *sys, double *F, const double *q, const double *v)
{
    (void)q;
    (void)v;
    for (int i = 0; i < sys->group->dim; i++) F[i] = 0.0;
}

void test_system_lagrangian_velocity_in_mixed_units(void)
{
    lie_system sys = {.name = "units",
                      .group = &spaces[0],
                      .lagrangian = units_lagrangian,
                      .momentum = units_momentum,
                      .gradient = no_gradient};
    double q[2] = {0, 0}, v[2], back[2] = {0, 0};
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_check(&sys));
    for (int k = 1; k < 30; k++) {
        double mu[2] = {(0.731 + 0.137 * k) * units[0], 0.917 * k * units[1]};
        TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&sys, v, q, mu));
        units_momentum(&sys, back, q, v);
        TEST_ASSERT_DOUBLE_WITHIN(4e-15, 1.0, back[0] / mu[0]);
        TEST_ASSERT_DOUBLE_WITHIN(4e-15, 1.0, back[1] / mu[1]);
    }
}

/* mu = v/sqrt(1 + v^2) never reaches 2, and its Hessian fades on the way; mu = v^3 has a singular Hessian at 0;
 * mu = v - v^3 reaches 2 only where it is not defined. */
static void bounded_momentum(const lie_system *sys, double *mu, const double *q, const double *v)
{
    (void)sys;
    (void)q;
    mu[0] = v[0] / sqrt(1.0 + v[0] * v[0]);
}

static void cubic_momentum(const lie_system *sys, double *mu, const double *q, const double *v)
{
    (void)sys;
    (void)q;
    mu[0] = v[0] * v[0] * v[0];
}

static void folded_momentum(const lie_system *sys, double *mu, const double *q, const double *v)
{
    (void)sys;
    (void)q;
    mu[0] = v[0] - v[0] * v[0] * v[0];
    if (v[0] < -0.9) mu[0] = (double)NAN;
}

static void cubic_hessian(const lie_system *sys, double *H, const double *q, const double *v)
{
    (void)sys;
    (void)q;
    H[0] = 3.0 * v[0] * v[0];
}

void test_system_lagrangian_velocity_says_no(void)
{
    lie_ops line;
    lie_system sys = {.name = "line", .group = &line, .lagrangian = units_lagrangian, .gradient = no_gradient};
    double q[1] = {0}, v[1], mu[1] = {2.0};
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&line, 1, "exp"));
    sys.momentum = bounded_momentum;
    REFUSED(LIE_ERR_SINGULAR, 1, v, lie_system_velocity(&sys, v, q, mu));
    sys.momentum = folded_momentum;
    REFUSED(LIE_ERR_NO_CONVERGENCE, 1, v, lie_system_velocity(&sys, v, q, mu));
    sys.momentum = cubic_momentum, sys.hessian = cubic_hessian;
    REFUSED(LIE_ERR_SINGULAR, 1, v, lie_system_velocity(&sys, v, q, mu));
    mu[0] = (double)INFINITY;
    REFUSED(LIE_ERR_NOT_FINITE, 1, v, lie_system_velocity(&sys, v, q, mu));
    mu[0] = 0.5, sys.momentum = bounded_momentum, sys.hessian = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&sys, v, q, mu));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.5 / sqrt(0.75), v[0]);
}

/* Nothing but eps, K and the kind of Lagrangian distinguishes the heavy top from the quartic body. */
void test_system_lagrangian_says_the_same_as_the_quadratic_kind(void)
{
    const lie_heavy_top top = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.8, {0.3, -0.2, 1.0}, 9.81};
    quartic_body plain = {.eps = 0.0};
    lie_system quadratic, general = quartic_body_system(&plain, &lie_so3_cay_ops);
    lie_random rng = {28u};
    memcpy(plain.inertia, top.inertia, sizeof top.inertia);
    for (int i = 0; i < 3; i++) plain.k[i] = top.mass * top.gravity * top.centre[i];
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&quadratic, &top, "SO3"));
    for (int t = 0; t < 20; t++) {
        double R[9], w[3], a[9], b[9];
        state_at(&quadratic, R, w, 2.0, &rng);
        lie_system_momentum(&quadratic, a, R, w);
        lie_system_momentum(&general, b, R, w);
        NEAR(3, b, a, 4);
        lie_system_force(&quadratic, a, R, w);
        lie_system_force(&general, b, R, w);
        NEAR(3, b, a, 4);
        lie_system_force_deriv(&quadratic, a, R, w);
        lie_system_force_deriv(&general, b, R, w);
        NEAR(9, b, a, 8);
        lie_system_momentum_rate(&quadratic, a, 0.0, R, w, NULL);
        lie_system_momentum_rate(&general, b, 0.0, R, w, NULL);
        NEAR(3, b, a, 8);
        double E = lie_system_energy(&quadratic, R, w);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14 * (1 + fabs(E)), E, lie_system_energy(&general, R, w));
    }
}

void test_system_lagrangian_energy_is_conserved_along_the_motion(void)
{
    lie_random rng = {29u};
    for (int k = 0; k < CASES; k++) {
        double g[12], xi[6], mu[6];
        state_at(&systems[k], g, xi, 0.4, &rng);
        lie_system_momentum(&systems[k], mu, g, xi);
        double before = rkmk4_energy(&systems[k], g, mu), rate[6], force = 0.0;
        lie_system_momentum_rate(&systems[k], rate, 0.0, g, xi, NULL);
        for (int i = 0; i < systems[k].group->dim; i++) force += fabs(rate[i]);
        TEST_ASSERT_TRUE(force > 0.1); /* something happens */
        for (int s = 0; s < 1000; s++) rkmk4_step(&systems[k], g, mu, 2e-3);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9 * (1 + fabs(before)), before, rkmk4_energy(&systems[k], g, mu),
                                          systems[k].name);
    }
}

/* About the vertical nothing acts on the quartic body; along the wall and about its normal nothing on the vehicle. */
void test_system_lagrangian_spatial_momentum_along_symmetries(void)
{
    static const int kept[CASES][6] = {[5] = {0, 0, 1}, [6] = {0, 0, 1}, [7] = {0, 0, 1, 1, 1, 0}};
    lie_random rng = {30u};
    for (int k = 5; k < CASES; k++) {
        double g[12], xi[6], mu[6], J[6], later[6];
        state_at(&systems[k], g, xi, 0.9, &rng);
        lie_system_momentum(&systems[k], mu, g, xi);
        lie_system_spatial_momentum(&systems[k], J, g, mu);
        for (int s = 0; s < 1000; s++) rkmk4_step(&systems[k], g, mu, 2e-3);
        lie_system_spatial_momentum(&systems[k], later, g, mu);
        for (int i = 0; i < systems[k].group->dim; i++) {
            if (kept[k][i])
                TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, J[i], later[i], systems[k].name);
            else
                TEST_ASSERT_TRUE_MESSAGE(fabs(J[i] - later[i]) > 1e-3, systems[k].name);
        }
    }
}

void test_system_lagrangian_oscillator_follows_its_solution(void)
{
    double q[2] = {0.7, -0.4}, v[2] = {0.3, 1.1}, mu[2], exact_q[2] = {0.7, -0.4}, exact_v[2] = {0.3, 1.1};
    lie_system_momentum(&systems[0], mu, q, v);
    for (int s = 0; s < 2000; s++) rkmk4_step(&systems[0], q, mu, 2e-3);
    flat_oscillator_at(4.0, exact_q, exact_v);
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(&systems[0], v, q, mu));
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, exact_q[i], q[i]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, exact_v[i], v[i]);
    }
}

/* v' = E + v x B: mu' less the change of A along the path */
void test_system_lagrangian_charge_feels_the_lorentz_force(void)
{
    lie_random rng = {31u};
    for (int t = 0; t < 20; t++) {
        double q[3], v[3], rate[3], dA[9], E[3], B[3], lorentz[3];
        state_at(&systems[2], q, v, 2.0, &rng);
        lie_system_momentum_rate(&systems[2], rate, 0.0, q, v, NULL);
        charge_gyro_deriv(&systems[2], dA, q);
        for (int i = 0; i < 3; i++) rate[i] -= general_dot(3, dA + 3 * i, v);
        charge_force(&systems[2], E, q);
        charge_field(B, q);
        lie_so3_ad(lorentz, v, B);
        for (int i = 0; i < 3; i++) lorentz[i] += E[i];
        NEAR(3, rate, lorentz, 10);
    }
}

void test_system_lagrangian_two_kinds_do_not_mix(void)
{
    static const double unit[4] = {1, 0, 0, 1};
    lie_system sys = systems[3];
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_check(&sys));
    sys.hessian = NULL, sys.mixed = NULL, sys.gradient_deriv = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_check(&sys));
    sys = systems[3], sys.inertia = unit;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[3], sys.momentum = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[3], sys.gradient = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[3], sys.lagrangian = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[3], sys.potential = henon_heiles_potential, sys.force = henon_heiles_force;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[3], sys.gyro = charge_gyro, sys.gyro_deriv = charge_gyro_deriv;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[1], sys.gradient = double_pendulum_gradient;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[1], sys.hessian = double_pendulum_hessian;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[1], sys.inertia = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_system_check(&sys));
    sys = systems[3], sys.controls = -1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_system_check(&sys));
}
