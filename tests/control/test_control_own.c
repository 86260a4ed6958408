/* SPDX-License-Identifier: MIT */
/* Optimal control with what the user brings: a cost of his own, ends that are free or lie on sets; both routes, and the
 * checker that tells wrong derivatives. */
#include "tests/control/control_compare.h"

void setUp(void)
{
    make_problems();
}

void tearDown(void)
{
}

/* A cost on SO3 with every second derivative that there may be:
 *     a (3 - tr(A R)) + b/2 |w|^2 + c w . R^T d + (1 + sin(t)/3) e u . R^T d + q/2 |u|^2
 * its terminal one the first three. */
typedef struct attitude_cost {
    double a, b, c, e, q, wrong; /* wrong: added to an entry of the second derivatives */
    double A[9], d[3];
} attitude_cost;

static void cross(double out[3], const double x[3], const double y[3])
{
    for (int i = 0; i < 3; i++) out[i] = x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3];
}

/* of f v . R^T d: value; gradient in pose and v, second derivatives in (pose, v) of a matrix with rows of `row` */
static double add_along(double f, const double *v, const double d[3], const double *R, double *grad, double *H, int row,
                        int at)
{
    double s[3], turned[3], sum = 0.0;
    for (int i = 0; i < 3; i++) s[i] = R[i] * d[0] + R[3 + i] * d[1] + R[6 + i] * d[2];
    for (int i = 0; i < 3; i++) sum += v[i] * s[i];
    cross(turned, v, s);
    for (int i = 0; i < 3 && grad; i++) grad[i] += f * turned[i], grad[at + i] += f * s[i];
    for (int i = 0; i < 9 && H; i++) {
        int r = i / 3, c = i % 3, k = 3 - r - c;
        double hat = r == c ? 0.0 : (c == (r + 1) % 3 ? -1.0 : 1.0) * s[k];
        H[r * row + c] += f * (0.5 * (v[r] * s[c] + v[c] * s[r]) - (r == c ? sum : 0.0));
        H[(at + r) * row + c] += f * hat;
        H[c * row + at + r] += f * hat;
    }
    return f * sum;
}

static double cost_of_attitude(void *ctx, double *grad, double *H, double t, const double *R, const double *w,
                               const double *u)
{
    const attitude_cost *p = (const attitude_cost *)ctx;
    int m = u ? 3 : 0, row = 6 + m;
    double M[9], trace = 0.0, sum, swing = 1.0 + sin(t) / 3.0;
    for (int i = 0; i < 9; i++) {
        M[i] = 0.0;
        for (int k = 0; k < 3; k++) M[i] += p->A[i / 3 * 3 + k] * R[3 * k + i % 3];
        trace += i % 4 == 0 ? M[i] : 0.0;
    }
    sum = p->a * (3.0 - trace);
    if (grad) memset(grad, 0, (size_t)(row + 1) * sizeof *grad);
    if (H) memset(H, 0, (size_t)(row * row) * sizeof *H);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (grad) grad[i] += p->a * (M[3 * k + j] - M[3 * j + k]), grad[3 + i] += p->b * w[i];
        sum += 0.5 * p->b * w[i] * w[i];
        if (H) H[(3 + i) * (row + 1)] += p->b;
        for (int c = 0; c < 3 && H; c++)
            H[i * row + c] += p->a * ((i == c ? trace : 0.0) - 0.5 * (M[3 * i + c] + M[3 * c + i]));
    }
    sum += add_along(p->c, w, p->d, R, grad, H, row, 3);
    if (H) H[1] += p->wrong, H[row] += p->wrong;
    if (!u) return sum;
    double along = add_along(p->e * swing, u, p->d, R, grad, H, row, 6);
    if (grad) grad[row] = along / swing * cos(t) / 3.0;
    for (int i = 0; i < 3; i++) {
        sum += 0.5 * p->q * u[i] * u[i];
        if (grad) grad[6 + i] += p->q * u[i];
        if (H) H[(6 + i) * (row + 1)] += p->q;
    }
    return sum + along;
}

static attitude_cost weights = {0.8, 0.3, 0.2, 0.15, 1.5, 0.0, {0}, {0.36, 0.48, 0.8}};

static lie_control_cost make_cost(lie_control_cost_fn *running, lie_control_cost_fn *terminal)
{
    lie_so3_exp(weights.A, (double[3]){0.4, 0.9, -0.3});
    return (lie_control_cost){running, terminal, &weights};
}

/* Every derivative of the cost is right, and a wrong one is found. */
void test_control_own_cost_derivatives_are_checked(void)
{
    lie_control_cost cost = make_cost(cost_of_attitude, cost_of_attitude);
    lie_control_problem p = so3_problem(16);
    lie_control_report r;
    static double xi[48], u[51];
    p.cost = &cost;
    begin(&p);
    for (int i = 0; i < 51; i++) u[i] = sin(1.0 + i), xi[i % 48] = cos(2.0 * i);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_set(control, xi, u));
    for (int k = 0; k < 16; k += 5) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_control_compare_derivatives(control, &r, k));
        printf("  node %d: running %.0e %.0e, terminal %.0e %.0e, worst %s\n", k, r.running_gradient, r.running_hessian,
               r.terminal_gradient, r.terminal_hessian, r.worst);
        TEST_ASSERT_TRUE(r.error < 1e-8 && r.running_hessian >= 0.0 && r.terminal_gradient >= 0.0);
        TEST_ASSERT_TRUE(r.target_set == -1.0 && r.start_set == -1.0);
    }
    weights.wrong = 1e-4;
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_compare_derivatives(control, &r, 3));
    weights.wrong = 0.0;
    TEST_ASSERT_TRUE(strstr(r.worst, "hessian") && r.error > 1e-6 && fabs(r.given - r.expected) > 5e-5);
    TEST_ASSERT_TRUE(r.row + r.column == 1);
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_control_compare_derivatives(control, &r, 16));
}

/* A weighted u with penalties on attitude and rate: Newton's method, the target reached, both routes, d cost/d xi0. */
void test_control_own_cost(void)
{
    static const double shift[4] = {1, -1, 2, -2}, factor[4] = {8, -8, -1, 1}, zero[3] = {0, 0, 0};
    static const int all[3] = {1, 1, 1};
    lie_control_cost cost = make_cost(cost_of_attitude, NULL);
    lie_control_problem p = so3_problem(24);
    double xi0[3] = {0.2, -0.1, 0.3}, worst = 0.0, given[3], d = 2e-3, by_time, sum = 0.0;
    p.xi0 = xi0, p.cost = &cost;
    compare_routes("added", &p, 0.0, 0.0);
    p.weight = zero;
    compare_routes("alone", &p, 0.0, 0.0);
    p.time_weight = 0.5;
    compare_routes("free T", &p, 1.0, 9.0);
    p.time_weight = 0.0;
    cost.terminal = cost_of_attitude;
    p.free_pose = p.free_velocity = all, p.gT = to_so3;
    compare_routes("all free", &p, 0.0, 0.0);
    p.free_pose = NULL;
    compare_routes("terminal", &p, 0.0, 0.0);
    solve(&p);
    TEST_ASSERT_TRUE(answer->last.iteration <= 10);
    memcpy(given, answer->p, sizeof given);
    by_time = answer->cost_by_time;
    for (int i = 0; i < 3; i++) {
        double held = xi0[i], found = 0.0, mu = 0.0;
        for (int k = 0; k < 4; k++) {
            xi0[i] = held + d * shift[k];
            solve(&p);
            found += factor[k] * answer->cost / (12.0 * d);
        }
        xi0[i] = held;
        for (int j = 0; j < 3; j++) mu -= body.inertia[3 * i + j] * given[j];
        worst = fmax(worst, fabs(found - mu));
    }
    for (int k = 0; k < 4; k++) {
        p.T = 3.0 + 0.004 * shift[k];
        solve(&p);
        sum += factor[k] * answer->cost / (12.0 * 0.004);
    }
    printf("  d cost/d xi0 off by %.1e, d cost/d T by %.1e\n", worst, fabs(sum - by_time));
    TEST_ASSERT_TRUE(worst < 1e-8);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, sum, by_time);
}

/* A hill to be gone around: second derivatives that are not positive. */
static double hill(void *ctx, double *grad, double *H, double t, const double *x, const double *v, const double *u)
{
    const double *peak = (const double *)ctx;
    double a[3], r2 = 0.0;
    (void)t, (void)v, (void)u;
    for (int i = 0; i < 3; i++) a[i] = x[i] - peak[i], r2 += a[i] * a[i];
    double V = 20.0 * exp(-4.0 * r2);
    if (grad) memset(grad, 0, 10 * sizeof *grad);
    if (H) memset(H, 0, 81 * sizeof *H);
    for (int i = 0; i < 3 && grad; i++) grad[i] = -8.0 * a[i] * V;
    for (int i = 0; i < 9 && H; i++) H[i / 3 * 9 + i % 3] = (64.0 * a[i / 3] * a[i % 3] - (i % 4 == 0 ? 8.0 : 0.0)) * V;
    return V;
}

void test_control_own_cost_that_is_not_convex(void)
{
    static double peak[3] = {0.5, 0.03, 0.02};
    static const double from[3] = {0, 0, 0}, to[3] = {1, 0, 0};
    lie_control_cost cost = {hill, NULL, peak};
    lie_control_problem p = {.actuation = &plane_inputs, .g0 = from, .gT = to, .T = 2.0, .N = 40, .cost = &cost};
    double least = HUGE_VAL;
    compare_routes("hill", &p, 0.0, 0.0);
    for (int k = 0; k <= 40; k++) {
        double r2 = 0.0;
        for (int i = 0; i < 3; i++) r2 += pow(answer->g[3 * k + i] - peak[i], 2.0);
        least = fmin(least, sqrt(r2));
    }
    printf("  passes the top at %.3f\n", least);
    TEST_ASSERT_TRUE(least > 0.3);
    cost.running = NULL;
    solve(&p);
}

/* Homotopy in the cost leads to the same place as the direct way, and to fuel from effort. */
void test_control_homotopy_in_the_cost(void)
{
    static double path[20000];
    static const double fuel[3] = {1, 1, 1};
    lie_control_cost cost = make_cost(cost_of_attitude, cost_of_attitude);
    lie_control_problem p = so3_problem(32);
    p.cost = &cost;
    for (int k = 0; k < 2; k++) {
        solve(&p);
        double direct = answer->cost;
        begin(&p);
        TEST_ASSERT_TRUE(lie_control_path_memsize(control) <= sizeof path);
        TEST_ASSERT_EQUAL(LIE_OK, lie_control_homotopy(control, NULL, 3, path, sizeof path));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9 * direct, direct, answer->cost);
        TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
        TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_control_homotopy(control, NULL, 0, path, sizeof path));
        p.cost = NULL, p.fuel = fuel, p.T = 4.0;
        for (int i = 0; i < 3; i++) body_inputs.actuator[i].min = -1.0, body_inputs.actuator[i].max = 1.0;
    }
}

/* Velocity and inputs mixed: only the speed of convergence suffers. */
static double power(void *ctx, double *grad, double *H, double t, const double *R, const double *w, const double *u)
{
    double sum = 0.0;
    (void)ctx, (void)t, (void)R;
    if (grad) memset(grad, 0, 10 * sizeof *grad);
    if (H) memset(H, 0, 81 * sizeof *H);
    for (int i = 0; i < 3; i++) {
        sum += 0.2 * u[i] * w[i];
        if (grad) grad[3 + i] = 0.2 * u[i], grad[6 + i] = 0.2 * w[i];
        if (H) H[(3 + i) * 9 + 6 + i] = H[(6 + i) * 9 + 3 + i] = 0.2;
    }
    return sum;
}

void test_control_own_cost_of_power(void)
{
    lie_control_cost cost = {power, NULL, NULL};
    lie_control_problem p = so3_problem(24);
    static const double xi0[3] = {0.4, 0.2, -0.3};
    p.cost = &cost, p.xi0 = xi0;
    compare_routes("power", &p, 0.0, 0.0);
}

/* Bounds and |u| beside a cost of the user's */
void test_control_own_cost_with_bounds(void)
{
    static const double fuel[3] = {0.3, 0.3, 0.3};
    lie_control_cost cost = make_cost(cost_of_attitude, NULL);
    lie_control_problem p = so3_problem(32);
    lie_control_ipopt opt = {0};
    p.cost = &cost, p.T = 4.0;
    for (int i = 0; i < 3; i++) body_inputs.actuator[i].min = -1.1, body_inputs.actuator[i].max = 1.0;
    for (int k = 0; k < 2; k++) {
        p.fuel = k ? fuel : NULL;
        solve(&p);
        double value = answer->cost;
        TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
        begin(&p);
        lie_status status = lie_control_solve_ipopt(control, &opt);
        if (status == LIE_ERR_OPTIONAL) return;
        TEST_ASSERT_EQUAL(LIE_OK, status);
        printf("  %s: costs %.10f and %.10f\n", k ? "fuel" : "bounds", value, answer->cost);
        TEST_ASSERT_DOUBLE_WITHIN(1e-7, value, answer->cost);
    }
}

/* Axis 3 of the body shall point along d: R e3 . b = R e3 . c = 0 with b, c across d; the roll about it is free. */
static void pointing(void *ctx, double *c, double *D, const double *R, const double *w)
{
    const double *across = (const double *)ctx;
    (void)w;
    for (int i = 0; i < 2; i++) {
        const double *b = across + 3 * i;
        double s[3];
        for (int j = 0; j < 3; j++) s[j] = R[j] * b[0] + R[3 + j] * b[1] + R[6 + j] * b[2];
        c[i] = s[2];
        if (!D) continue;
        memset(D + 6 * i, 0, 6 * sizeof *D);
        D[6 * i] = -s[1], D[6 * i + 1] = s[0]; /* b . R (e_j x e3) */
    }
}

/* Rest, and axis 3 pointing: five conditions */
static void pointing_at_rest(void *ctx, double *c, double *D, const double *R, const double *w)
{
    pointing(ctx, c, D, R, w);
    for (int i = 0; i < 3; i++) {
        c[2 + i] = w[i];
        for (int j = 0; D && j < 6; j++) D[6 * (2 + i) + j] = j == 3 + i ? 1.0 : 0.0;
    }
}

void test_control_target_on_a_set(void)
{
    static double across[6] = {0, 0.8, -0.6, 1, 0, 0}; /* d = (0, 0.6, 0.8) */
    lie_control_states set = {5, pointing_at_rest, across};
    lie_control_problem p = so3_problem(24);
    lie_control_report report;
    double end[9], near[9];
    lie_so3_exp(near, (double[3]){-0.6, 0.1, 0.4}); /* axis 3 about along d: -d is on the set too */
    p.target_set = &set, p.gT = near;
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_bend(control, 0.5, 3));
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_compare_derivatives(control, &report, 7));
    TEST_ASSERT_TRUE(report.target_set >= 0.0 && report.error < 1e-9);
    compare_routes("pointing", &p, 0.0, 0.0);
    solve(&p);
    double cost = answer->cost;
    memcpy(end, answer->g + 9 * p.N, sizeof end);
    TEST_ASSERT_TRUE(fabs(end[2]) < 1e-10 && fabs(end[5] - 0.6) < 1e-10 && fabs(end[8] - 0.8) < 1e-10);
    p.target_set = NULL, p.gT = end; /* to that attitude it costs the same, to its neighbours more */
    solve(&p);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, cost, answer->cost);
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
    for (int side = -1; side <= 1; side += 2) {
        double roll[9], to[9];
        lie_so3_exp(roll, (double[3]){0.0, 0.0, 0.05 * side});
        lie_so3_mul(to, end, roll);
        p.gT = to;
        solve(&p);
        TEST_ASSERT_TRUE(answer->cost > cost + 1e-5);
    }
    p.gT = near, p.target_set = &set, p.time_weight = 1.0; /* and in free time */
    compare_routes("pointing in free T", &p, 1.0, 20.0);
    p.time_weight = 0.0;
    static const int none[3] = {0, 0, 0}, any[3] = {1, 1, 1}; /* a set beside components */
    set = (lie_control_states){2, pointing, across};
    p.free_pose = any, p.free_velocity = none;
    compare_routes("set and components", &p, 0.0, 0.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, cost, answer->cost);
    p.free_pose = none;
    TEST_ASSERT_EQUAL(LIE_ERR_BOUNDARY, lie_control_init(&control, &p, work, sizeof work)); /* 8 of 6 */
    set.value = NULL, p.free_pose = any;
    TEST_ASSERT_EQUAL(LIE_ERR_BOUNDARY, lie_control_init(&control, &p, work, sizeof work));
}

/* A start that is free in part: the best one, cheaper than its neighbours, by both routes. */
void test_control_free_start(void)
{
    static const int roll[3] = {0, 0, 1}, two[3] = {1, 1, 0}, all[3] = {1, 1, 1};
    static const double xiT[3] = {0.3, -0.2, 0.4};
    lie_control_problem p = so3_problem(24);
    double start[9];
    solve(&p);
    double fixed = answer->cost;
    p.free_start_pose = roll;
    compare_routes("roll of the start", &p, 0.0, 0.0);
    solve(&p);
    double cost = answer->cost;
    memcpy(start, answer->g, sizeof start);
    printf("  cost %.6f from the given attitude, %.6f from the best roll\n", fixed, cost);
    TEST_ASSERT_TRUE(cost < 0.9 * fixed && flown_miss(&p) < 1e-10);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1.0, start[8]); /* turned about axis 3 only */
    p.free_start_pose = NULL, p.g0 = start;
    solve(&p);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, cost, answer->cost);
    for (int side = -1; side <= 1; side += 2) {
        double turn[9], from[9];
        lie_so3_exp(turn, (double[3]){0.0, 0.0, 0.05 * side});
        lie_so3_mul(from, start, turn);
        p.g0 = from;
        solve(&p);
        TEST_ASSERT_TRUE(answer->cost > cost + 1e-5);
    }
    p = so3_problem(24), p.free_start_pose = two, p.xiT = xiT;
    compare_routes("two angles of the start", &p, 0.0, 0.0);
    p.free_start_pose = NULL, p.free_start_velocity = roll;
    compare_routes("one rate of the start", &p, 0.0, 0.0);
    p.free_start_velocity = all;
    compare_routes("all rates of the start", &p, 0.0, 0.0);
    for (int i = 0; i < 3; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, answer->p[i]);
    lie_control_problem v = vehicle_problem(24);
    static const int course[6] = {0, 0, 1, 0, 0, 0}, ahead[6] = {0, 0, 0, 1, 0, 0};
    v.free_start_pose = course, v.free_start_velocity = ahead;
    compare_routes("vehicle", &v, 0.0, 0.0);
    v.time_weight = 0.02;
    compare_routes("vehicle in free T", &v, 3.0, 40.0);
}

/* A point that starts anywhere on a circle and ends on a plane: straight on, from the nearest point of the circle. */
static void circle(void *ctx, double *c, double *D, const double *x, const double *v)
{
    (void)ctx;
    c[0] = x[0] * x[0] + x[1] * x[1] - 1.0, c[1] = x[2];
    for (int i = 0; i < 3; i++) c[2 + i] = v[i];
    if (!D) return;
    memset(D, 0, 30 * sizeof *D);
    D[0] = 2.0 * x[0], D[1] = 2.0 * x[1], D[6 + 2] = 1.0;
    for (int i = 0; i < 3; i++) D[6 * (2 + i) + 3 + i] = 1.0;
}

static void plane(void *ctx, double *c, double *D, const double *x, const double *v)
{
    (void)ctx;
    c[0] = x[0] + x[1] - 3.0;
    for (int i = 0; i < 3; i++) c[1 + i] = v[i];
    if (!D) return;
    memset(D, 0, 24 * sizeof *D);
    D[0] = D[1] = 1.0;
    for (int i = 0; i < 3; i++) D[6 * (1 + i) + 3 + i] = 1.0;
}

void test_control_from_set_to_set(void)
{
    static const double from[3] = {0.9, 0.1, 0.2}, to[3] = {1.4, 1.0, 0.3}, near[3] = {0.75, 0.65, 0.1};
    lie_control_states start = {5, circle, NULL}, target = {4, plane, NULL};
    lie_control_problem p = {.actuation = &plane_inputs, .g0 = from, .gT = to, .T = 2.0, .N = 24};
    double d = 3.0 / sqrt(2.0) - 1.0, s = sqrt(0.5), direct[3] = {s, s, 0}, ahead[3] = {1.5, 1.5, 0};
    p.start_set = &start, p.target_set = &target;
    p.g0 = near;
    compare_routes("circle to plane", &p, 0.0, 0.0);
    p.g0 = from;
    solve(&p);
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, direct[i], answer->g[i]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, ahead[i], answer->g[3 * p.N + i]);
    }
    double cost = answer->cost;
    lie_control_problem q = {.actuation = &plane_inputs, .g0 = direct, .gT = ahead, .T = 2.0, .N = 24};
    solve(&q);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, answer->cost, cost);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * cost, 6.0 * d * d / 8.0, cost);
}
