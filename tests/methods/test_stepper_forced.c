/* SPDX-License-Identifier: MIT */
/* Forced systems (Lagrange-d'Alembert): drag, drive in time and control that jumps at a node. The order of the methods
 * is kept, also that of compositions and of several stages; the spatial momentum changes by the spatial impulses to
 * round-off; a vehicle comes to its terminal velocity.
 *
 * References: Marsden & West 2001, (3.2.1) to (3.2.6); Jimenez 2012, (5.36), (5.37), (5.48), (5.49). */
#include "tests/support/middle.h"
#include "tests/support/stepper_fixture.h"

static fixture_groups all;
static fixture f;
static walker w;

void setUp(void)
{
    fixture_groups_make(&all);
}

void tearDown(void)
{
}

/* Control for t = 0 to 1 with a jump at 1/2: a straight line in each half, as the steppers interpolate it. `left` asks
 * for the limit from the left. */
static void control_at(double *u, double t, int left)
{
    int late = t > 0.5 || (t == 0.5 && !left);
    u[0] = late ? -0.9 + 1.3 * t : 0.8 + 0.6 * t;
    u[1] = late ? 0.5 - 0.7 * t : -0.4 * t;
}

/* (g, m)' of a forced system, g as it stands in memory: matrices of SO3 and SE3, quaternions, vectors */
static void rate_of(const lie_system *sys, double *rate, double t, const double *y, const double *u)
{
    const lie_ops *G = sys->group;
    double xi[FIXTURE_DIM], x[4] = {0.0}, W[9];
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, xi, y, y + G->size));
    lie_system_momentum_rate(sys, rate + G->size, t, y, xi, u);
    if (G->size == 4) {
        for (int i = 0; i < 3; i++) x[1 + i] = 0.5 * xi[i];
        lie_s3_mul(rate, y, x);
    } else if (G->size >= 9) {
        lie_so3_hat(W, xi);
        lie_so3_mul(rate, y, W);
        if (G->size == 12) lie_so3_act(rate + 9, y, xi + 3);
    } else {
        memcpy(rate, xi, (size_t)G->dim * sizeof *xi);
    }
}

/* The state at t = 1 by the classical Runge-Kutta method with steps so short that only rounding is left. */
static lie_state reference(const lie_system *sys, const lie_state *start)
{
    enum { STEPS = 4096, N = 32 };
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const double h = 1.0 / STEPS;
    int size = sys->group->size, n = size + sys->group->dim;
    double y[N], low[N] = {0.0};
    lie_state end = *start;
    memcpy(y, start->g, (size_t)size * sizeof *y);
    memcpy(y + size, start->m, (size_t)(n - size) * sizeof *y);
    for (int step = 0; step < STEPS; step++) {
        double k[5][N] = {{0.0}}, x[N], u[FIXTURE_CONTROLS];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < n; i++) x[i] = y[i] + at[s] * h * k[s][i];
            control_at(u, (step + at[s]) * h, s == 3);
            rate_of(sys, k[s + 1], (step + at[s]) * h, x, u);
        }
        for (int i = 0; i < n; i++) { /* sums with their rounding carried along */
            double d = low[i], before = y[i];
            for (int s = 0; s < 4; s++) d += h * weight[s] * k[s + 1][i];
            y[i] += d;
            low[i] = d - (y[i] - before);
        }
    }
    memcpy(end.g, y, (size_t)size * sizeof *y);
    memcpy(end.m, y + size, (size_t)(n - size) * sizeof *y);
    return end;
}

static lie_state forced_run(const lie_system *sys, const char *method, const lie_state *start, int n)
{
    lie_state s = *start;
    walker_init(&w, sys, method, 0, 0);
    for (int k = 0; k < n; k++) {
        double minus[FIXTURE_CONTROLS], plus[FIXTURE_CONTROLS];
        control_at(minus, (double)k / n, 0);
        control_at(plus, (double)(k + 1) / n, 1);
        lie_stepper_control(w.st, minus, plus);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(w.st, &s, 1.0 / n), method);
    }
    return s;
}

/* Least-squares slope of log(error) over the last three of five step sizes whose error is above rounding. */
static double measured_order(const char *method, const lie_state *start, const lie_state *end, int n)
{
    double y[5];
    int count = 0;
    for (int k = 0; k < 5; k++) {
        lie_state s = forced_run(&f.sys, method, start, n << k);
        double error = state_distance(f.sys.group, &s, end);
        if (error > 5e-13) y[count++] = -log2(error);
    }
    TEST_ASSERT_TRUE_MESSAGE(count >= 2, method);
    return count == 2 ? y[1] - y[0] : 0.5 * (y[count - 1] - y[count - 3]);
}

void test_stepper_forced_order(void)
{
    static const struct {
        const char *method;
        int exp, other, steps; /* order with exp and otherwise; the first number of steps */
    } cases[] = {{"ve_fwd", 1, 1, 64},     {"ve_bwd", 1, 1, 64},           {"sv", 2, 2, 32},
                 {"midpoint", 2, 2, 32},   {"gauss1", 2, 2, 32},           {"gauss2", 4, 4, 8},
                 {"gauss3", 6, 6, 2},      {"lobatto3a2", 2, 2, 32},       {"lobatto3a3", 4, 4, 8},
                 {"lobatto3a4", 6, 6, 4},  {"lobatto3b2", 2, 2, 32},       {"lobatto3b3", 4, 4, 8},
                 {"lobatto3b4", 6, 6, 4},  {"sv_triple4", 4, 4, 32},       {"sv_suzuki4", 4, 4, 16},
                 {"sv_kahanli6", 6, 6, 4}, {"midpoint_suzuki4", 4, 3, 32}, {"sv_suzukiumeno8", 8, 8, 4}};
    const lie_ops *const groups[6] = {&lie_so3_exp_ops, &lie_s3_cay_ops,  &lie_so3_skew_ops,
                                      &lie_se3_cay_ops, &lie_se3_exp_ops, &all.flat[0]};
    for (int k = 0; k < 6; k++) {
        lie_random rng = {71u};
        lie_state start;
        fixture_make(&f, groups[k], POTENTIAL | GYRO | EXTERNAL);
        state_random(&f.sys, &start, &rng, 0.6, 0.9);
        lie_state end = reference(&f.sys, &start);
        printf("  %s %s:", groups[k]->group, groups[k]->retraction);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            int is_exp = strcmp(groups[k]->retraction, "exp") == 0, order = is_exp ? cases[i].exp : cases[i].other;
            double measured = measured_order(cases[i].method, &start, &end, cases[i].steps);
            printf(" %s %.2f", cases[i].method, measured);
            TEST_ASSERT_TRUE_MESSAGE(fabs(measured - order) < (order < 6 ? 0.07 : 0.6), cases[i].method);
        }
        printf("\n");
    }
}

void test_stepper_forced_euler_poincare_has_order_2(void)
{
    const lie_ops *const groups[5] = {&lie_so3_exp_ops, &lie_s3_cay_ops, &lie_so3_skew_ops, &lie_se3_cay_ops,
                                      &all.flat[0]};
    for (int k = 0; k < 5; k++) {
        lie_random rng = {72u};
        lie_state start;
        fixture_make(&f, groups[k], EXTERNAL);
        state_random(&f.sys, &start, &rng, 0.6, 0.9);
        lie_state end = reference(&f.sys, &start);
        TEST_ASSERT_TRUE(fabs(measured_order("ep", &start, &end, 32) - 2.0) < 0.07);
    }
}

/* J += c Ad*_{g^-1} F */
static void add_impulse(const lie_ops *G, double *J, double c, const double *g, const double *F)
{
    double inverse[LIE_SIZE_MAX], spatial[FIXTURE_DIM];
    G->inv(G, inverse, g);
    G->Adt(G, spatial, inverse, F);
    for (int i = 0; i < G->dim; i++) J[i] += c * spatial[i];
}

/* Where a method lets the potential act: at the start, in the middle (of the chart; at its anchor, if that is
 * there), at the end of the step; and the external force, which has the weights 1/2, 0, 1/2 unless it acts at
 * the stage. */
typedef struct impulses {
    const char *method;
    double start, middle, end;
    int at_stage;
} impulses;

/* The spatial momentum after a step: that before it and the spatial impulses. */
static void expected_momentum(const impulses *p, double *J, double h, const lie_state *a, const lie_state *b,
                              const double *minus, const double *plus)
{
    const lie_ops *G = f.sys.group;
    const lie_system *sys = &f.sys;
    double theta[FIXTURE_DIM], half[FIXTURE_DIM], xi[FIXTURE_DIM], F[FIXTURE_DIM], u[FIXTURE_CONTROLS];
    double middle[LIE_SIZE_MAX], T[LIE_SIZE_MAX];
    int n = G->dim;
    lie_system_spatial_momentum(sys, J, a->g, a->m);
    G->inv(G, T, a->g);
    G->mul(G, T, T, b->g);
    if (p->at_stage)
        middle_find(G, half, T);
    else
        TEST_ASSERT_EQUAL(LIE_OK, G->tauinv(G, theta, T));
    for (int i = 0; i < n && p->at_stage; i++) theta[i] = 2.0 * half[i];
    for (int i = 0; i < n; i++) half[i] = 0.5 * theta[i], xi[i] = theta[i] / h;
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, middle, half));
    G->mul(G, middle, a->g, middle);
    sys->force(sys, F, a->g);
    add_impulse(G, J, p->start * h, a->g, F);
    sys->force(sys, F, middle);
    add_impulse(G, J, p->middle * h, middle, F);
    sys->force(sys, F, b->g);
    add_impulse(G, J, p->end * h, b->g, F);
    if (p->at_stage) {
        for (int i = 0; i < FIXTURE_CONTROLS; i++) u[i] = 0.5 * (minus[i] + plus[i]);
        sys->external(sys, F, a->t + 0.5 * h, middle, xi, u);
        add_impulse(G, J, h, middle, F);
        return;
    }
    sys->external(sys, F, a->t, a->g, xi, minus);
    add_impulse(G, J, 0.5 * h, a->g, F);
    sys->external(sys, F, b->t, b->g, xi, plus);
    add_impulse(G, J, 0.5 * h, b->g, F);
}

/* Forced Noether theorem (Marsden & West 2001, Theorem 3.2.1), with a control that jumps at every node. */
void test_stepper_forced_momentum_changes_by_the_impulses(void)
{
    static const impulses methods[] = {{"ve_fwd", 1.0, 0.0, 0.0, 0},
                                       {"ve_bwd", 0.0, 0.0, 1.0, 0},
                                       {"sv", 0.5, 0.0, 0.5, 0},
                                       {"midpoint", 0.0, 1.0, 0.0, 0},
                                       {"vprk", 0.0, 1.0, 0.0, 1}};
    const lie_tableau *gauss;
    double worst = 0.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&gauss, "gauss1"));
    for (int k = 0; k < 5 * all.count; k++) {
        lie_random rng = {73u};
        lie_state s, before;
        const impulses *p = &methods[k % 5];
        const lie_ops *G = all.G[k / 5];
        fixture_make(&f, G, POTENTIAL | EXTERNAL);
        walker_init(&w, &f.sys, p->method, 0, p->at_stage ? gauss : 0);
        state_random(&f.sys, &s, &rng, 0.6, 0.7);
        for (int step = 0; step < 20; step++) {
            double minus[FIXTURE_CONTROLS], plus[FIXTURE_CONTROLS], J[FIXTURE_DIM], expected[FIXTURE_DIM], size = 1.0;
            random_vector(&rng, FIXTURE_CONTROLS, minus, 3.0);
            random_vector(&rng, FIXTURE_CONTROLS, plus, 3.0);
            lie_stepper_control(w.st, minus, plus);
            before = s;
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, step % 3 ? 0.06 : -0.04));
            expected_momentum(p, expected, step % 3 ? 0.06 : -0.04, &before, &s, minus, plus);
            lie_state_spatial_momentum(&f.sys, J, &s);
            for (int i = 0; i < G->dim; i++) size = fmax(size, fmax(fabs(J[i]), fabs(s.m[i])));
            for (int i = 0; i < G->dim; i++) worst = fmax(worst, fabs(J[i] - expected[i]) / (size * DBL_EPSILON));
            TEST_ASSERT_TRUE_MESSAGE(worst <= 50.0, p->method);
        }
    }
    printf("  spatial momentum against spatial impulses, forced: %.1f eps per step\n", worst);
}

/* Thrust against quadratic drag along x: v = sqrt(u / q), whatever the step and method. */
void test_stepper_forced_vehicle_reaches_its_terminal_velocity(void)
{
    static const char *const names[6] = {"sv", "midpoint", "gauss2", "lobatto3a3", "ve_bwd", "sv_suzuki4"};
    static const double diagonal[6] = {0.4, 0.6, 0.7, 5.0, 4.0, 4.5}, u[2] = {3.0, 3.0};
    static lie_vehicle vehicle = {.weight = 11.0,
                                  .buoyancy = 11.0,
                                  .weight_at = {0.0, 0.0, -0.1},
                                  .quadratic_drag = {0.9, 0.9, 0.9, 2.4, 6.0, 6.0},
                                  .thrusters = 2,
                                  .thruster_at = {{-1, 0.2, 0}, {-1, -0.2, 0}},
                                  .thruster_along = {{1, 0, 0}, {1, 0, 0}}};
    lie_system sys;
    lie_inertia_diagonal(6, vehicle.inertia, diagonal);
    for (int i = 0; i < 6; i++) vehicle.linear_drag[7 * i] = i == 3 ? 0.0 : 0.8;
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&sys, &vehicle, NULL));
    for (int k = 0; k < 12; k++) {
        const double tilt[6] = {0.0, 0.3, 0.0, 0.0, 0.0, 0.0}, rest[6] = {0.0, 0.1, 0.0, 0.2, 0.0, 0.0};
        double g[12], xi[6], terminal[6] = {0.0, 0.0, 0.0, sqrt(6.0 / 2.4), 0.0, 0.0};
        lie_state s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_se3_exp_ops.tau(&lie_se3_exp_ops, g, tilt));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, g, rest));
        walker_init(&w, &sys, names[k / 2], k % 2 ? "exp" : "cay", 0);
        lie_stepper_control(w.st, u, u);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(w.st, &s, 0.1, 4000), names[k / 2]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(&sys, xi, &s));
        for (int i = 0; i < 6; i++) TEST_ASSERT_TRUE_MESSAGE(fabs(xi[i] - terminal[i]) < 1e-13, names[k / 2]);
    }
}
