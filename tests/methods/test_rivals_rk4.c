/* SPDX-License-Identifier: MIT */
/* RK4 as people write it: each row of the list against the same method written here from textbooks, on the velocity
 * instead of the momentum and with libm's sine and cosine, over more steps than lie between two projections of the
 * library; what it loses, measured; shadow sets, gimbal lock, and coordinates that are kept from step to step. */
#include "tests/support/stepper_fixture.h"

#include <liestep/systems.h>

/* A number of steps after which the library projects other methods back to the group. */
enum { LONGEST = 18, STEPS = 2048 };

static walker w[2];

void setUp(void)
{
}

void tearDown(void)
{
}

/* dy = rate(y) and what is done after a step, in the coordinates of one row */
typedef void rate_fn(const lie_system *sys, double *dy, const double *y);
typedef void tidy_fn(double *y);

static void textbook_rk4(const lie_system *sys, rate_fn *rate, tidy_fn *tidy, int n, double *y, double h)
{
    double k[4][LONGEST], z[LONGEST];
    rate(sys, k[0], y);
    for (int i = 0; i < n; i++) z[i] = y[i] + h / 2 * k[0][i];
    rate(sys, k[1], z);
    for (int i = 0; i < n; i++) z[i] = y[i] + h / 2 * k[1][i];
    rate(sys, k[2], z);
    for (int i = 0; i < n; i++) z[i] = y[i] + h * k[2][i];
    rate(sys, k[3], z);
    for (int i = 0; i < n; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    if (tidy) tidy(y);
}

/* I xi' = ad*_xi I xi + F(g) */
static void acceleration(const lie_system *sys, double *a, const double *g, const double *xi)
{
    double rate[6];
    lie_system_momentum_rate(sys, rate, 0.0, g, xi, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, a, g, rate));
}

/* (q, w): q' = q w / 2 */
static void quaternion_rate(const lie_system *sys, double *dy, const double *y)
{
    const double pure[4] = {0.0, 0.5 * y[4], 0.5 * y[5], 0.5 * y[6]};
    acceleration(sys, dy + 4, y, y + 4);
    lie_quat_mul(dy, y, pure);
}

static void normalise(double *y)
{
    double n = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    for (int i = 0; i < 4; i++) y[i] /= n;
}

/* (R, w): R' = R hat(w); (R, x, w, v): x' = R v */
static void matrix_rate(const lie_system *sys, double *dy, const double *y)
{
    double hat[9];
    int moves = sys->group->dim == 6;
    const double *xi = y + (moves ? 12 : 9);
    lie_so3_hat(hat, xi);
    lie_so3_mul(dy, y, hat);
    if (moves) lie_so3_act(dy + 9, y, xi + 3);
    acceleration(sys, dy + (moves ? 12 : 9), y, xi);
}

/* (sigma, w): sigma' = B(sigma) w/4, B = (1 - s^2) + 2 hat(sigma) + 2 sigma sigma^T (Schaub & Junkins) */
static void mrp_rate_of(const lie_system *sys, double *dy, const double *y)
{
    double s2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2], g[9];
    const double *s = y, *v = y + 3;
    const double B[9] = {1 - s2 + 2 * s[0] * s[0], 2 * (s[0] * s[1] - s[2]), 2 * (s[0] * s[2] + s[1]),
                         2 * (s[1] * s[0] + s[2]), 1 - s2 + 2 * s[1] * s[1], 2 * (s[1] * s[2] - s[0]),
                         2 * (s[2] * s[0] - s[1]), 2 * (s[2] * s[1] + s[0]), 1 - s2 + 2 * s[2] * s[2]};
    for (int i = 0; i < 3; i++) dy[i] = (B[3 * i] * v[0] + B[3 * i + 1] * v[1] + B[3 * i + 2] * v[2]) / 4;
    lie_mrp_to_matrix(g, s);
    acceleration(sys, dy + 3, g, v);
}

static void switch_to_shadow(double *y)
{
    double s2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    for (int i = 0; s2 > 1.0 && i < 3; i++) y[i] = -y[i] / s2;
}

/* (eta, w, v), eta' = J(eta) (v, w): Fossen's equations with sine, cosine and tangent */
static void fossen_rate(const lie_system *sys, double *dy, const double *y)
{
    double g[12];
    const double *v = y + 9, *r = y + 6;
    double c = cos(y[3]), s = sin(y[3]), t = tan(y[4]), ct = cos(y[4]);
    lie_se3_from_fossen(g, y);
    lie_so3_act(dy, g, v);
    dy[3] = r[0] + s * t * r[1] + c * t * r[2];
    dy[4] = c * r[1] - s * r[2];
    dy[5] = s / ct * r[1] + c / ct * r[2];
    acceleration(sys, dy + 6, g, r);
}

static const lie_heavy_top heavy = {{1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9}, 0.02, {0.3, -0.2, 1.0}, 9.81};
static const double tilt[3] = {0.5, -0.3, 0.2}, spin[3] = {0.7, 0.9, -0.6};

static void make_top(lie_system *sys, lie_state *s, const char *group)
{
    double g[9];
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(sys, &heavy, group));
    TEST_ASSERT_EQUAL(LIE_OK, sys->group->tau(sys->group, g, tilt));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, g, spin));
}

/* A run of the library, and of the textbook from y; answers how far xi is apart, and leaves both ends behind. */
static double compare(const lie_system *sys, lie_state *s, const char *method, rate_fn *rate, tidy_fn *tidy, int n,
                      double *y, double h, int steps)
{
    double xi[6], d = 0.0;
    walker_init(&w[0], sys, method, 0, 0);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(w[0].st, s, h, steps), method);
    for (int k = 0; k < steps; k++) textbook_rk4(sys, rate, tidy, n, y, h);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(sys, xi, s));
    int dim = sys->group->dim;
    for (int i = 0; i < dim; i++) d = fmax(d, fabs(xi[i] - y[n - dim + i]));
    return d;
}

void test_rivals_rk4_on_quaternions(void)
{
    static const char *const names[2] = {"rk4_q", "rk4_q_raw"};
    for (int k = 0; k < 2; k++) {
        lie_system sys;
        lie_state s;
        double y[7], apart;
        make_top(&sys, &s, "S3");
        memcpy(y, s.g, 4 * sizeof *y);
        memcpy(y + 4, spin, sizeof spin);
        apart = compare(&sys, &s, names[k], quaternion_rate, k ? NULL : normalise, 7, y, 0.05, STEPS);
        for (int i = 0; i < 4; i++) apart = fmax(apart, fabs(s.g[i] - y[i]));
        double norm = sqrt(fixture_dot(4, s.g, s.g));
        printf("  %-9s to %.0e of the textbook after %d steps; |q| = 1 %+.1e\n", names[k], apart, STEPS, norm - 1.0);
        TEST_ASSERT_TRUE(apart < 1e-9);
        TEST_ASSERT_TRUE(k ? fabs(norm - 1.0) > 1e-8 : fabs(norm - 1.0) < 4e-16);
    }
}

void test_rivals_rk4_on_matrices(void)
{
    lie_system sys;
    lie_state s;
    double y[12], near[9], off = 0.0, apart;
    make_top(&sys, &s, "SO3");
    memcpy(y, s.g, 9 * sizeof *y);
    memcpy(y + 9, spin, sizeof spin);
    apart = compare(&sys, &s, "rk4_R", matrix_rate, NULL, 12, y, 0.05, STEPS);
    for (int i = 0; i < 9; i++) apart = fmax(apart, fabs(s.g[i] - y[i]));
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_project(near, s.g));
    for (int i = 0; i < 9; i++) off = fmax(off, fabs(near[i] - s.g[i]));
    printf("  rk4_R     to %.0e of the textbook after %d steps; off the group by %.1e\n", apart, STEPS, off);
    TEST_ASSERT_TRUE(apart < 1e-9);
    TEST_ASSERT_TRUE(off > 1e-6);
}

void test_rivals_rk4_on_rodrigues_parameters(void)
{
    static const char *const groups[2] = {"SO3", "S3"};
    for (int k = 0; k < 2; k++) {
        lie_system sys, matrices;
        lie_state s, unused;
        double y[6], R[9], q[9], expected[9], apart;
        make_top(&matrices, &unused, "SO3");
        make_top(&sys, &s, groups[k]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_matrix_to_mrp(y, unused.g));
        memcpy(y + 3, spin, sizeof spin);
        apart = compare(&matrices, &unused, "rk4_mrp", mrp_rate_of, switch_to_shadow, 6, y, 0.05, STEPS);
        walker_init(&w[1], &sys, "rk4_mrp", 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &s, 0.05, STEPS));
        memcpy(q, s.g, sizeof q);
        if (k == 0)
            memcpy(R, q, sizeof R);
        else
            lie_quat_to_matrix(R, q);
        lie_mrp_to_matrix(expected, y);
        for (int i = 0; i < 9; i++) apart = fmax(apart, fabs(R[i] - expected[i]));
        printf("  rk4_mrp   on %-3s to %.0e of the textbook after %d steps\n", groups[k], apart, STEPS);
        TEST_ASSERT_TRUE(apart < 1e-9);
    }
}

/* Through many half-turns the quaternion of rk4_mrp goes on where others jump to -q. */
void test_rivals_rk4_shadow_switch_keeps_the_sheet(void)
{
    lie_system sys;
    lie_state a, b;
    double before[4];
    int turned = 0;
    make_top(&sys, &a, "S3");
    b = a;
    walker_init(&w[0], &sys, "rk4_mrp", 0, 0);
    walker_init(&w[1], &sys, "gauss3", 0, 0);
    for (int k = 0; k < 1200; k++) {
        memcpy(before, a.g, sizeof before);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &a, 0.01, 5));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &b, 0.05, 1));
        for (int i = 0; i < 4; i++) TEST_ASSERT_TRUE(fabs(a.g[i] - b.g[i]) < 1e-5);
        turned += before[0] * a.g[0] < 0.0;
    }
    TEST_ASSERT_TRUE(turned > 4);
}

/* A vehicle with a dense inertia, heavy and hung below its centre of buoyancy. */
static void make_vehicle(lie_system *sys, lie_state *s, double pitch)
{
    static lie_vehicle vehicle = {.weight = 3.0, .buoyancy = 3.0, .weight_at = {0.02, 0.01, -0.3}};
    static const double I[36] = {1.31,  0.04, -0.02, 0.03, 0.25,  -0.08, 0.04,  1.62,  0.05, -0.31, 0.02, 0.11,
                                 -0.02, 0.05, 1.94,  0.09, -0.14, 0.01,  0.03,  -0.31, 0.09, 4.10,  0.12, -0.05,
                                 0.25,  0.02, -0.14, 0.12, 5.20,  0.07,  -0.08, 0.11,  0.01, -0.05, 0.07, 5.90};
    const double eta[6] = {0.3, -0.2, 0.5, 0.2, pitch, -0.4}, twist[6] = {0.1, 0.2, 0.9, 0.1, 0.05, -0.05};
    double g[12];
    memcpy(vehicle.inertia, I, sizeof I);
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(sys, &vehicle, NULL));
    lie_se3_from_fossen(g, eta);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, g, twist));
}

void test_rivals_rk4_of_a_vehicle(void)
{
    static const double twist[6] = {0.1, 0.2, 0.9, 0.1, 0.05, -0.05};
    lie_system sys;
    lie_state start, s;
    double y[18], eta[12], g[12], apart, far = 0.0;
    make_vehicle(&sys, &start, 0.1);
    s = start;
    TEST_ASSERT_EQUAL(LIE_OK, lie_se3_to_fossen(eta, s.g));
    memcpy(eta + 6, twist, sizeof twist);
    apart = compare(&sys, &s, "rk4_fossen", fossen_rate, NULL, 12, eta, 0.05, STEPS);
    lie_se3_from_fossen(g, eta);
    for (int i = 0; i < 12; i++) apart = fmax(apart, fabs(s.g[i] - g[i])), far = fmax(far, fabs(g[i]));
    printf("  rk4_fossen to %.0e of the textbook after %d steps, %.0f from where it was\n", apart, STEPS, far);
    TEST_ASSERT_TRUE(apart < 1e-10);
    TEST_ASSERT_TRUE(fabs(eta[5]) > 7.0); /* more than a turn in yaw, which the library takes off */
    s = start;
    memcpy(y, s.g, 12 * sizeof *y);
    memcpy(y + 12, twist, sizeof twist);
    apart = compare(&sys, &s, "rk4_R", matrix_rate, NULL, 18, y, 0.05, STEPS);
    for (int i = 0; i < 12; i++) apart = fmax(apart, fabs(s.g[i] - y[i]));
    TEST_ASSERT_TRUE(apart < 1e-10);
}

/* Euler angles at and near the lock: a status, and nothing has happened. Away from it, and for shorter steps nearer to
 * it, steps are taken. */
void test_rivals_rk4_gimbal_lock(void)
{
    static const double pitches[3] = {1.5707963267948966, -1.5707963267948966, 1.56};
    lie_system sys;
    static lie_state s, before;
    for (int k = 0; k < 3; k++) {
        make_vehicle(&sys, &s, pitches[k]);
        memcpy(&before, &s, sizeof s);
        walker_init(&w[0], &sys, "rk4_fossen", 0, 0);
        TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_run(w[0].st, &s, 0.05, 5));
        TEST_ASSERT_EQUAL_MEMORY(&before, &s, sizeof s);
        lie_status status = lie_run(w[0].st, &s, 1e-4, 5);
        TEST_ASSERT_EQUAL(k < 2 ? LIE_ERR_DOMAIN : LIE_OK, status);
    }
    make_vehicle(&sys, &s, 1.0);
    walker_init(&w[0], &sys, "rk4_fossen", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, 0.05, 5));
}

/* In the middle of a run: the steps before the lock count, and are those of a shorter run. */
void test_rivals_rk4_gimbal_lock_in_the_middle(void)
{
    lie_system sys;
    lie_state s, same;
    const double upright[6] = {0.0, 0.0, 0.0, 0.0, 0.9, 0.0}, twist[6] = {0.0, 1.5, 0.0, 0.0, 0.0, 0.0};
    double g[12];
    make_vehicle(&sys, &s, 0.0);
    lie_se3_from_fossen(g, upright);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, g, twist));
    same = s;
    walker_init(&w[0], &sys, "rk4_fossen", 0, 0);
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_run(w[0].st, &s, 0.04, 1000));
    TEST_ASSERT_TRUE(s.steps > 3 && s.steps < 50);
    walker_init(&w[1], &sys, "rk4_fossen", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &same, 0.04, s.steps));
    states_same_bits(sys.group, &s, &same, "rk4_fossen");
    walker_init(&w[1], &sys, "rk4_q", 0, 0); /* has no lock */
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &same, 0.04, 1000));
}

/* What is lost: energy of a free body that always goes down, and momentum. The figures are those of this body: h = 0.1,
 * 500 steps, order 4 from both sides. */
void test_rivals_rk4_drifts(void)
{
    static const double I[9] = {1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const char *const names[4] = {"rk4_q", "rk4_q_raw", "rk4_R", "rk4_mrp"};
    lie_system sys = {.name = "free body", .inertia = I};
    double E0, E, J0[3], J[3], lost[4][2], moved[4][2];
    for (int k = 0; k < 8; k++) {
        int i = k / 2, steps = k % 2 ? 1000 : 500;
        const double quaternion[4] = {1.0, 0.0, 0.0, 0.0}, xi[3] = {1.2, 0.9, 0.8};
        lie_state s;
        sys.group = i < 2 ? &lie_s3_exp_ops : &lie_so3_exp_ops;
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, i < 2 ? quaternion : one, xi));
        walker_init(&w[0], &sys, names[i], 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E0, &s));
        lie_state_spatial_momentum(&sys, J0, &s);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &s, 50.0 / steps, steps));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&sys, &E, &s));
        lie_state_spatial_momentum(&sys, J, &s);
        lost[i][k % 2] = E / E0 - 1.0;
        moved[i][k % 2] = 0.0;
        for (int j = 0; j < 3; j++) moved[i][k % 2] = fmax(moved[i][k % 2], fabs(J[j] - J0[j]));
    }
    for (int i = 0; i < 4; i++) {
        printf(
            "  %-9s free body, h = 0.1, 500 steps: energy %.1e, momentum %.1e; with h = 0.05 1/%.1f and 1/%.1f of it\n",
            names[i], lost[i][0], moved[i][0], lost[i][0] / lost[i][1], moved[i][0] / moved[i][1]);
        TEST_ASSERT_TRUE(lost[i][0] < -1e-7 && lost[i][0] > -1e-5);
        TEST_ASSERT_TRUE(moved[i][0] > 1e-7 && moved[i][0] < 1e-4);
        TEST_ASSERT_TRUE(lost[i][0] / lost[i][1] > 28.0 && moved[i][0] / moved[i][1] > 12.0);
    }
}

/* Coordinates that are not g itself go on from step to step, through a checkpoint and after another body. */
void test_rivals_rk4_coordinates_go_on(void)
{
    static const char *const names[2] = {"rk4_fossen", "rk4_q"};
    double learnt[200];
    for (int k = 0; k < 2; k++) {
        lie_system sys;
        lie_state whole, parts, other;
        make_vehicle(&sys, &whole, 0.1);
        make_vehicle(&sys, &other, 0.4);
        parts = whole;
        for (int i = 0; i < 2; i++) walker_init(&w[i], &sys, names[k], 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[0].st, &whole, 0.05, STEPS));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &parts, 0.05, 1000));
        lie_stepper_memory_get(w[1].st, learnt);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[1].st, &other, 0.05, 3));
        lie_stepper_memory_set(w[1].st, learnt);
        for (int i = 1000; i < STEPS; i++) TEST_ASSERT_EQUAL(LIE_OK, lie_step(w[1].st, &parts, 0.05));
        states_same_bits(sys.group, &whole, &parts, names[k]);
    }
}
