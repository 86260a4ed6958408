/* SPDX-License-Identifier: MIT */
/* Published figures, and the long-time behaviour that the papers show: discrete energies of Wendlandt & Marsden 1997,
 * the heavy top of Bruels, Cardona & Arnold 2012, the free body of Hairer & Vilmart 2006, damping after Marsden & West
 * 2001, Figure 2, and energies without trend beside those of the classical Runge-Kutta method. */
#include "tests/support/stepper_fixture.h"

static walker w;

/* The classical Runge-Kutta method for comparison: y = (g, m) of a system on R^n or S3. */
static void rate_of(const lie_system *sys, double *rate, const double *y)
{
    int size = sys->group->size, n = sys->group->dim;
    double xi[LIE_DIM_MAX], half[4] = {0.0};
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, xi, y, y + size));
    lie_system_momentum_rate(sys, rate + size, 0.0, y, xi, 0);
    for (int i = 0; i < n; i++) rate[i] = xi[i];
    if (size == n) return;
    for (int i = 0; i < 3; i++) half[1 + i] = 0.5 * xi[i];
    lie_s3_mul(rate, y, half);
}

static void classical_step(const lie_system *sys, double *y, double h)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[5][LIE_DIM_MAX] = {{0.0}}, x[LIE_DIM_MAX];
    int n = sys->group->size + sys->group->dim;
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) x[i] = y[i] + at[s] * h * k[s][i];
        rate_of(sys, k[s + 1], x);
    }
    for (int i = 0; i < n; i++)
        for (int s = 0; s < 4; s++) y[i] += h * weight[s] * k[s + 1][i];
    if (sys->group->size == 4) TEST_ASSERT_EQUAL(LIE_OK, lie_s3_project(y, y));
}

static double classical_energy(const lie_system *sys, const double *y)
{
    double xi[LIE_DIM_MAX];
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, xi, y, y + sys->group->size));
    return lie_system_energy(sys, y, xi);
}

static double energy_of(const lie_system *sys, const lie_state *s)
{
    double E;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(sys, &E, s));
    return E;
}

/* Wendlandt & Marsden's body on S3 with the map q = (sqrt(1 - |x|^2/4), x/2), x = 2 w for q0^-1 q1 = (c, w):
 * the momentum that starts the step from q0 to q1, (2/h)(c I w + w x I w), and the energy E_d = (2/h^2) w . I w. */
static const lie_free_body wm_body = {{1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}};

static double wm_energy(double *m, const double *q0, const double *q1, double h)
{
    double W[4], inverse[4], I[3], cross[3];
    lie_s3_inv(inverse, q0);
    lie_s3_mul(W, inverse, q1);
    for (int i = 0; i < 3; i++) I[i] = wm_body.inertia[4 * i] * W[1 + i];
    lie_s3_ad(cross, W + 1, I);
    for (int i = 0; m && i < 3; i++) m[i] = 2.0 / h * (W[0] * I[i] + cross[i]);
    return 2.0 / (h * h) * fixture_dot(3, W + 1, I);
}

/* Their start: one normalised Euler step of 1e-5, then their method with that step up to h gives the first pair of
 * positions. */
static void wm_start(const lie_system *sys, lie_state *s, double h)
{
    const double tiny = 1e-5, omega[3] = {0.0, 3.0, 4.0}, one[4] = {1.0, 0.0, 0.0, 0.0};
    double q1[4] = {1.0, 0.5 * tiny * omega[0], 0.5 * tiny * omega[1], 0.5 * tiny * omega[2]}, m[3];
    TEST_ASSERT_EQUAL(LIE_OK, lie_s3_project(q1, q1));
    wm_energy(m, one, q1, tiny);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(sys, s, 0.0, one, m));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, s, tiny, (long long)(h / tiny + 0.5)));
    wm_energy(m, one, s->g, h);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(sys, s, 0.0, one, m));
}

void test_stepper_published_wendlandt_marsden_energies(void)
{
    static const double h[4] = {1e-4, 1e-3, 1e-2, 1e-1};
    static const char *const energies[4] = {"32.999999358", "32.999937236", "32.993725573", "32.378320384"};
    static const char *const momenta[4] = {"13.416407356", "13.416357327", "13.411355004", "12.917550418"};
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &wm_body, "S3"));
    for (int k = 0; k < 4; k++) {
        lie_state s, before;
        double lowest = HUGE_VAL, highest = 0.0;
        char text[40];
        walker_init(&w, &sys, "ep", "skew", 0);
        wm_start(&sys, &s, h[k]);
        snprintf(text, sizeof text, "%.9f", sqrt(fixture_dot(3, s.m, s.m)));
        TEST_ASSERT_EQUAL_STRING(momenta[k], text);
        for (int i = 0; i < 300; i++) { /* 30 s, looked at 300 times */
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, h[k], (long long)(0.1 / h[k] + 0.5) - 1));
            before = s;
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, h[k]));
            double E = wm_energy(0, before.g, s.g, h[k]);
            lowest = fmin(lowest, E), highest = fmax(highest, E);
        }
        printf("  h = %g: E_d from %.11f to %.11f, |m| = %.9f\n", h[k], lowest, highest,
               sqrt(fixture_dot(3, s.m, s.m)));
        snprintf(text, sizeof text, "%.9f", lowest);
        TEST_ASSERT_EQUAL_STRING(energies[k], text);
        snprintf(text, sizeof text, "%.9f", highest);
        TEST_ASSERT_EQUAL_STRING(energies[k], text);
        snprintf(text, sizeof text, "%.9f", sqrt(fixture_dot(3, s.m, s.m)));
        TEST_ASSERT_EQUAL_STRING(momenta[k], text);
    }
}

/* The same steps are those of Moser & Veselov 1991: with W = R(q0^-1 q1), J = tr(I)/2 - I,
 * W J - J W^T = h hat(m) and m+ = W^T m. */
void test_stepper_published_skew_map_is_moser_veselov(void)
{
    static const lie_free_body body = {{0.345, 0, 0, 0, 0.653, 0, 0, 0, 1.0}};
    const double one[4] = {1.0, 0.0, 0.0, 0.0}, m0[3] = {1.8, 0.4, -0.9}, h = 0.1;
    lie_system sys;
    lie_state s, before;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, "S3"));
    walker_init(&w, &sys, "ep", "skew", 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s, 0.0, one, m0));
    for (int step = 0; step < 100; step++) {
        double W[9], q[4], J[9] = {0.0}, M[9], hat[9], expected[3], trace = 0.345 + 0.653 + 1.0;
        before = s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, h));
        lie_s3_inv(q, before.g);
        lie_s3_mul(q, q, s.g);
        lie_quat_to_matrix(W, q);
        for (int i = 0; i < 3; i++) J[4 * i] = 0.5 * trace - body.inertia[4 * i];
        for (int i = 0; i < 9; i++) M[i] = (W[i] * J[4 * (i % 3)] - J[4 * (i / 3)] * W[3 * (i % 3) + i / 3]) / h;
        lie_so3_hat(hat, before.m);
        lie_so3_Adt(expected, W, before.m);
        NEAR(9, M, hat, 100.0);
        NEAR(3, s.m, expected, 10.0);
    }
}

/* The free body of Hairer & Vilmart 2006 from m0 = (1.8, 0.4, -0.9), [0, 10] in 200 steps: spatial momentum and |m| are
 * exact. Answers the largest relative error of the energy. */
static double vilmart_energy_error(const char *method, const char *retraction, const double *diagonal)
{
    static const double m0[3] = {1.8, 0.4, -0.9}, one[4] = {1.0, 0.0, 0.0, 0.0};
    lie_free_body body;
    lie_system sys;
    lie_state s;
    double J[3], worst = 0.0;
    lie_inertia_diagonal(3, body.inertia, diagonal);
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, "S3"));
    walker_init(&w, &sys, method, retraction, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s, 0.0, one, m0));
    double E0 = energy_of(&sys, &s);
    for (int i = 0; i < 200; i++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, 0.05));
        worst = fmax(worst, fabs(energy_of(&sys, &s) / E0 - 1.0));
    }
    lie_state_spatial_momentum(&sys, J, &s);
    NEAR(3, J, m0, 40.0);
    TEST_ASSERT_TRUE(fabs(fixture_dot(3, s.m, s.m) / fixture_dot(3, m0, m0) - 1.0) < 1e-14);
    return worst;
}

/* The energy is exact with the skew map, which makes ep and sv the discrete Moser-Veselov algorithm; otherwise it is
 * within O(h^p). */
void test_stepper_published_hairer_vilmart_invariants(void)
{
    static const double inertia[2][3] = {{0.6, 0.8, 1.0}, {0.345, 0.653, 1.0}};
    static const char *const names[5] = {"ep", "sv", "sv_kahanli6", "gauss2", "lobatto3b3"};
    static const double allowed[5] = {1e-3, 1e-3, 1e-7, 4e-7, 2e-6};
    for (int k = 0; k < 10; k++) {
        const char *name = names[k / 2];
        double with_exp = vilmart_energy_error(name, "exp", inertia[k % 2]);
        double with_cay = vilmart_energy_error(name, "cay", inertia[k % 2]);
        double with_skew = vilmart_energy_error(name, "skew", inertia[k % 2]);
        require(with_exp < allowed[k / 2] && with_exp > 1e-13, name);
        require(with_cay < allowed[k / 2] && with_cay > 1e-13, name);
        require(with_skew < (k < 6 ? 2e-14 : allowed[k / 2]), name);
        require(k < 6 || with_skew > 1e-13, name);
    }
}

/* Spatial angular velocity about y at t = 2 of the heavy top, from n steps. */
static double top_omega_y(const char *method, const char *retraction, int n)
{
    /* m = 15, J about the centre of mass diag(0.234375, 0.46875, 0.234375), centre at (0, 1, 0) */
    static const lie_heavy_top top = {{15.234375, 0, 0, 0, 0.46875, 0, 0, 0, 15.234375}, 15.0, {0, 1, 0}, 9.81};
    const double R0[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, omega[3] = {0.0, 150.0, -4.61538};
    double xi[3];
    lie_system sys;
    lie_state s;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "SO3"));
    walker_init(&w, &sys, method, retraction, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, R0, omega));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 2.0 / n, n));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(&sys, xi, &s));
    return fixture_dot(3, s.g + 3, xi);
}

/* Every method and retraction tends to -106.16380414312 (to 1e-11); the published value is 6e-11 from it, so its last
 * five digits are its own error. */
void test_stepper_published_heavy_top(void)
{
    static const double published = -106.16380414306643;
    static const struct {
        const char *method;
        int order, steps;
        double error[3]; /* with exp, cay, skew: at 2 x steps */
    } cases[] = {{"sv", 2, 4000, {0.1, 0.3, 0.3}},
                 {"midpoint", 2, 4000, {0.1, 0.3, 0.5}},
                 {"gauss2", 4, 2000, {2e-5, 2e-5, 2e-5}},
                 {"lobatto3a3", 4, 2000, {1e-4, 1e-4, 1e-3}},
                 {"gauss3", 6, 2000, {2e-10, 5e-9, 1e-9}},
                 {"gauss4", 8, 1000, {1e-10, 1e-10, 2e-10}},
                 {"sv_suzuki4", 4, 4000, {1e-4, 1e-2, 1e-2}},
                 {"sv_kahanli6", 6, 2000, {1e-9, 2e-6, 1e-5}},
                 {"sv_kahanli8", 8, 2000, {1e-10, 2e-10, 3e-9}}};
    static const char *const maps[3] = {"exp", "cay", "skew"};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int i = 0; i < 3; i++) {
            double coarse = top_omega_y(cases[k].method, maps[i], cases[k].steps) - published;
            double fine = top_omega_y(cases[k].method, maps[i], 2 * cases[k].steps) - published;
            printf("  %-12s %-4s %5d steps: %9.2e, twice as many: %9.2e, order %.2f\n", cases[k].method, maps[i],
                   cases[k].steps, coarse, fine, log2(fabs(coarse / fine)));
            require(fabs(fine) <= cases[k].error[i], cases[k].method);
            if (fabs(fine) > 1e-8) require(fabs(log2(fabs(coarse / fine)) - cases[k].order) < 0.25, cases[k].method);
        }
}

/* Marsden & West 2001, Figure 2: the particle with weak drag, h = 0.2 up to t = 1000. Start and step are not published;
 * here E(0) = 0.17. The worst |log(E / E_continuous)| at ten times. */
static double damping_error(const lie_system *sys, const char *method)
{
    const double q[2] = {1.0, 0.2}, v[2] = {0.3, 0.5}, h = 0.2;
    static walker fine;
    lie_state s, exact;
    double y[4] = {q[0], q[1], v[0], v[1]}, worst = 0.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, &s, 0.0, q, v));
    exact = s;
    walker_init(&fine, sys, "gauss4", 0, 0);
    if (method) walker_init(&w, sys, method, 0, 0);
    for (int k = 0; k < 10; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(fine.st, &exact, 0.1, 1000));
        if (method) TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, h, 500));
        for (int i = 0; !method && i < 500; i++) classical_step(sys, y, h);
        double E = method ? energy_of(sys, &s) : classical_energy(sys, y);
        worst = fmax(worst, fabs(log(E / energy_of(sys, &exact))));
    }
    return worst;
}

void test_stepper_published_damping_follows_the_continuous_energy(void)
{
    static lie_particle particle = {.drag = 1e-3};
    static const char *const names[4] = {"sv", "midpoint", "gauss2", "sv_suzuki4"};
    static const double allowed[4] = {0.1, 0.1, 1e-3, 1e-2}, unit[2] = {1.0, 1.0};
    lie_system sys;
    lie_inertia_diagonal(2, particle.inertia, unit);
    TEST_ASSERT_EQUAL(LIE_OK, lie_particle_system(&sys, &particle, NULL));
    double rk4 = damping_error(&sys, 0);
    printf("  damping, |log(E/E_continuous)| up to t = 1000 at h = 0.2: RK4 %.3f", rk4);
    TEST_ASSERT_TRUE(rk4 > 0.9);
    for (int k = 0; k < 4; k++) {
        double error = damping_error(&sys, names[k]);
        printf(", %s %.1e", names[k], error);
        require(error < allowed[k], names[k]);
    }
    printf("\n");
}

/* Energy errors of a long run in 50 blocks: their straight line. */
typedef struct trend {
    double mean, slope, sigma, widest; /* slope per block and its standard deviation; largest |E - E0| */
} trend;

static trend fit(const double *block, double widest)
{
    trend t = {0.0, 0.0, 0.0, widest};
    double square = 0.0;
    for (int k = 0; k < 50; k++) t.mean += block[k] / 50.0;
    for (int k = 0; k < 50; k++) t.slope += (k - 24.5) * (block[k] - t.mean), square += (k - 24.5) * (k - 24.5);
    t.slope /= square;
    for (int k = 0; k < 50; k++) {
        double r = block[k] - t.mean - t.slope * (k - 24.5);
        t.sigma += r * r;
    }
    t.sigma = sqrt(t.sigma / (48.0 * square));
    return t;
}

/* `method` null: the classical Runge-Kutta method; the energy is looked at every ten steps. */
static trend energy_trend(const char *method, const char *retraction, int steps)
{
    static const lie_heavy_top top = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.8, {0.3, -0.2, 1.0}, 0.3};
    const double one[4] = {1.0, 0.0, 0.0, 0.0}, omega[3] = {1.4, 0.3, 0.2}, h = 0.2;
    double block[50] = {0.0}, y[7], widest = 0.0;
    lie_system sys;
    lie_state s;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, one, omega));
    memcpy(y, s.g, 4 * sizeof *y);
    memcpy(y + 4, s.m, 3 * sizeof *y);
    if (method) walker_init(&w, &sys, method, retraction, 0);
    double E0 = energy_of(&sys, &s);
    int block_size = steps / 500;
    for (int k = 0; k < steps / 10; k++) {
        if (method) TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, h, 10));
        for (int i = 0; !method && i < 10; i++) classical_step(&sys, y, h);
        double error = (method ? energy_of(&sys, &s) : classical_energy(&sys, y)) / E0 - 1.0;
        block[k / block_size] += error / block_size;
        widest = fmax(widest, fabs(error));
    }
    return fit(block, widest);
}

/* A heavy top without symmetry, in a regular motion (block averages of a chaotic one are not independent), with a step
 * at which RK4 loses 8 % of the energy. */
void test_stepper_published_energy_has_no_trend(void)
{
    static const struct {
        const char *method, *retraction;
        int steps;
        double widest;
    } cases[] = {{"sv", "cay", 1000000, 0.015},
                 {"sv", "exp", 1000000, 0.005},
                 {"midpoint", "exp", 200000, 0.004},
                 {"gauss2", "cay", 200000, 3e-5}};
    trend rk4 = energy_trend(0, 0, 1000000);
    printf("  energy, relative, of a heavy top over 1e6 steps: RK4 changes by %.3f\n", 50.0 * rk4.slope);
    TEST_ASSERT_TRUE(50.0 * rk4.slope < -0.01);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        trend t = energy_trend(cases[k].method, cases[k].retraction, cases[k].steps);
        printf("  %-9s %s, %7d steps: within %.1e, trend %.1e +- %.1e\n", cases[k].method, cases[k].retraction,
               cases[k].steps, t.widest, 50.0 * t.slope, 50.0 * t.sigma);
        require(fabs(t.slope) <= 3.0 * t.sigma, cases[k].method);
        require(t.widest <= cases[k].widest, cases[k].method);
        require(50.0 * (fabs(t.slope) + t.sigma) <= 0.5 * t.widest, cases[k].method);
    }
}

/* How far g is from the group, in units of eps. */
static double element_error(const lie_ops *G, const double *g)
{
    double inverse[LIE_SIZE_MAX], one[LIE_SIZE_MAX], e[LIE_SIZE_MAX], worst = 0.0;
    G->inv(G, inverse, g);
    G->mul(G, one, inverse, g);
    G->identity(G, e);
    for (int i = 0; i < G->size; i++) worst = fmax(worst, fabs(one[i] - e[i]));
    return worst / DBL_EPSILON;
}

/* Rounding does not add up: after 1e5 steps of the free body J is where it was and g in the group. */
void test_stepper_published_rounding_does_not_add_up(void)
{
    static const lie_free_body body = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}};
    static const char *const groups[4] = {"S3", "SO3", "S3", "SO3"}, *const maps[4] = {"cay", "cay", "exp", "exp"};
    const double omega[3] = {0.7, 0.9, -0.6};
    for (int k = 0; k < 4; k++) {
        lie_system sys;
        lie_state s;
        double g[9], J0[3], J[3], element = 0.0, momentum = 0.0;
        TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, groups[k]));
        sys.group->identity(sys.group, g);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, g, omega));
        walker_init(&w, &sys, "ep", maps[k], 0);
        lie_state_spatial_momentum(&sys, J0, &s);
        for (int i = 0; i < 1000; i++) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.01, 103));
            lie_state_spatial_momentum(&sys, J, &s);
            for (int j = 0; j < 3; j++) momentum = fmax(momentum, fabs(J[j] - J0[j]) / DBL_EPSILON);
            element = fmax(element, element_error(sys.group, s.g));
        }
        printf("  %s %s, 1e5 steps of the free body: J to %.0f eps, g in the group to %.1f eps\n", groups[k], maps[k],
               momentum, element);
        require(element <= 10.0 && momentum <= 100.0, groups[k]);
    }
}
