/* SPDX-License-Identifier: MIT */
/* Optimal control: optimality conditions at round-off, inputs that can be flown, multipliers that are derivatives of
 * the cost, starts, ends, bounds, and every bad problem with its own answer. */
#include "tests/control/control_fixture.h"

void setUp(void)
{
    make_problems();
}

void tearDown(void)
{
}

static double paths[400000];

/* The free point: a cubic spline. Inner fourth differences vanish, inputs are linear in time, and the cost is that of
 * the cubic, 6 d^2/T^3, up to the error of the trapezoidal rule (Jimenez 2012, Example 5.1.6 corrected). */
void test_control_point_is_a_cubic_spline(void)
{
    static const double from[3] = {0, 0, 0}, to[3] = {1.0, -2.0, 0.5}, v0[3] = {0.3, 0.1, -0.4},
                        vT[3] = {-0.2, 0.5, 0.7};
    lie_control_problem p = {.actuation = &plane_inputs, .g0 = from, .gT = to, .xi0 = v0, .xiT = vT, .T = 2.0, .N = 40};
    double worst = 0.0, bend = 0.0, error[2], d2 = 5.25;
    solve(&p);
    TEST_ASSERT_TRUE(answer->last.iteration <= 1);
    for (int k = 2; k <= p.N - 2; k++)
        for (int i = 0; i < 3; i++) {
            const double *x = answer->g + 3 * k + i, *u = answer->u + 3 * k + i;
            worst = fmax(worst, fabs(x[-6] - 4.0 * x[-3] + 6.0 * x[0] - 4.0 * x[3] + x[6]));
            bend = fmax(bend, fabs(u[-3] - 2.0 * u[0] + u[3]));
        }
    printf("  fourth difference %.1e, bend of the inputs %.1e\n", worst, bend);
    TEST_ASSERT_TRUE(worst < 1e-13 && bend < 1e-12 && flown_miss(&p) < 1e-13);
    p.xi0 = p.xiT = NULL;
    for (int i = 0; i < 2; i++) {
        p.N = 20 << i;
        solve(&p);
        error[i] = answer->cost - 6.0 * d2 / 8.0;
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 4.0, error[0] / error[1]);
}

/* Groups, potentials, drag, inputs fixed in space: optimal to 1e-10, and flown to the target to 1e-10. */
void test_control_flies_to_the_target_on_every_system(void)
{
    static const double xi0[6] = {0.2, -0.1, 0.3, 0.4, 0.1, -0.2}, xiT[6] = {-0.1, 0.3, 0.1, 0.2, -0.3, 0.1};
    lie_vehicle heavy;
    lie_actuation a;
    double worst = 0.0;
    for (int kind = 0; kind < 6; kind++) {
        a = kind < 3 ? body_inputs : vehicle_inputs;
        double to[12], x[6] = {0.7, -0.9, 0.4, 0.6, 0.3, -0.5}, e[12];
        if (kind == 1) TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&a.base, &top, "SO3"));
        if (kind == 2) TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&a.base, &top, "S3"));
        heavy = vehicle;
        heavy.quadratic_drag[0] = 0.02, heavy.quadratic_drag[3] = 0.7, heavy.quadratic_drag[4] = 0.9;
        heavy.weight = heavy.buoyancy = 5.0, heavy.weight_at[2] = -0.05;
        if (kind == 5) lie_inertia_diagonal(6, heavy.inertia, (double[6]){1.5, 2, 2.5, 3, 3, 3});
        if (kind >= 4) TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&a.base, &heavy, NULL));
        if (kind == 5) { /* tugs: pulls along fixed directions of space at the origin, and torques of the body */
            unit_inputs(&a, 6);
            for (int i = 3; i < 6; i++) a.actuator[i].kind = LIE_SPATIAL_WRENCH;
        }
        const lie_ops *G = a.base.group;
        G->identity(G, e);
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, to, x));
        for (int r = 0; r < 2; r++) {
            lie_control_problem p = {.actuation = &a,
                                     .retraction = r ? "exp" : "cay",
                                     .g0 = e,
                                     .gT = to,
                                     .xi0 = xi0,
                                     .xiT = xiT,
                                     .T = 4.0,
                                     .N = 40};
            solve(&p);
            double miss = flown_miss(&p);
            printf("  %d %s %s: %d iterations, cost %.6f, residual %.0e, missed by %.0e\n", kind, G->group,
                   p.retraction, answer->last.iteration, answer->cost, answer->last.residual, miss);
            worst = fmax(worst, miss);
            TEST_ASSERT_TRUE(answer->last.iteration <= 25);
        }
    }
    TEST_ASSERT_TRUE(worst < 1e-10);
}

/* The y force of the vehicle has no thruster: it is exactly unforced. */
void test_control_unactuated_direction_is_unforced(void)
{
    lie_control_problem p = vehicle_problem(32);
    solve(&p);
    double left = lie_control_unactuated(control);
    printf("  five thrusters: %d iterations, unactuated part %.1e, missed by %.1e\n", answer->last.iteration, left,
           flown_miss(&p));
    TEST_ASSERT_TRUE(left <= 1e-12 && flown_miss(&p) < 1e-10);
    TEST_ASSERT_TRUE(answer->last.iteration >= 5 && answer->last.iteration <= 20);
    for (int k = 0; k <= p.N; k++) { /* w u = B^T p */
        double B[30];
        lie_actuation_matrix(&vehicle_inputs, B, answer->g + 12 * k);
        for (int j = 0; j < 5; j++) {
            double sum = 0.0;
            for (int i = 0; i < 6; i++) sum += B[5 * i + j] * answer->p[6 * k + i];
            TEST_ASSERT_DOUBLE_WITHIN(1e-10, answer->u[5 * k + j], sum);
        }
    }
}

/* Multipliers are derivatives of the optimal cost: d cost/d nu_0 = -p_0, and d cost/d T; central differences of order 4
 * of whole solutions. */
void test_control_multipliers_are_derivatives_of_the_cost(void)
{
    static const double shift[4] = {1, -1, 2, -2}, factor[4] = {8, -8, -1, 1};
    double xi0[6] = {0.1, -0.2, 0.1, 0.3, 0.1, -0.1}, d = 1e-3, given[6], by_time, worst = 0.0, sum = 0.0, size = 0.0;
    lie_control_problem p = vehicle_problem(24);
    p.xi0 = xi0;
    solve(&p);
    memcpy(given, answer->p, sizeof given);
    by_time = answer->cost_by_time;
    for (int i = 0; i < 6; i++) {
        double held = xi0[i], found = 0.0;
        for (int k = 0; k < 4; k++) {
            xi0[i] = held + d * shift[k] / (i < 3 ? 1.0 : 3.0);
            solve(&p);
            found += factor[k] * answer->cost / (12.0 * d / (i < 3 ? 1.0 : 3.0));
        }
        xi0[i] = held;
        found /= -vehicle.inertia[7 * i];
        size = fmax(size, fabs(given[i]));
        worst = fmax(worst, fabs(found - given[i]));
    }
    for (int k = 0; k < 4; k++) {
        p.T = 10.0 + 0.02 * shift[k];
        solve(&p);
        sum += factor[k] * answer->cost / (12.0 * 0.02);
    }
    printf("  p_0 off by %.1e of %.2g; by time %.10f, differences %.10f\n", worst, size, by_time, sum);
    TEST_ASSERT_TRUE(worst < 1e-8 * fmax(size, 1.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, sum, by_time);
}

/* An external force of the system that depends on the pose, without a derivative. */
static void wind(const lie_system *sys, double *f, double t, const double *R, const double *w, const double *u)
{
    (void)sys, (void)t, (void)u;
    f[0] = 0.8 * R[1] - 0.3 * w[0], f[1] = 0.6 * R[5] * R[0] - 0.2 * w[1], f[2] = -0.7 * R[6];
}

void test_control_force_that_changes_with_the_pose(void)
{
    static const double shift[4] = {1, -1, 2, -2}, factor[4] = {8, -8, -1, 1};
    double xi0[3] = {0.2, -0.1, 0.3}, given[3], mu[3], d = 2e-3, worst = 0.0;
    lie_control_problem p = so3_problem(24);
    p.xi0 = xi0;
    body_inputs.base.external = wind;
    solve(&p);
    printf("  %d iterations, residual %.0e, missed by %.0e", answer->last.iteration, answer->last.residual,
           flown_miss(&p));
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10 && answer->last.iteration <= 40);
    memcpy(given, answer->p, sizeof given);
    for (int i = 0; i < 3; i++) { /* d cost/d xi0 = -I p_0 */
        double held = xi0[i], found = 0.0;
        for (int k = 0; k < 4; k++) {
            xi0[i] = held + d * shift[k];
            solve(&p);
            found += factor[k] * answer->cost / (12.0 * d);
        }
        xi0[i] = held;
        mu[i] = 0.0;
        for (int j = 0; j < 3; j++) mu[i] -= body.inertia[3 * i + j] * given[j];
        worst = fmax(worst, fabs(found - mu[i]));
    }
    printf(", d cost/d xi0 off by %.1e\n", worst);
    TEST_ASSERT_TRUE(worst < 1e-8);
}

/* The same extremal from bent and foreign starts; several extremals are told apart. */
void test_control_starts(void)
{
    lie_control_problem p = so3_problem(32);
    lie_control_extremal list[8];
    int found, failed, bent = 0;
    solve(&p);
    double cost = answer->cost, u = answer->u[40];
    for (int seed = 1; seed <= 6; seed++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_control_line(control, 0));
        TEST_ASSERT_EQUAL(LIE_OK, lie_control_bend(control, 0.2, seed));
        if (lie_control_solve(control, NULL) != LIE_OK) continue;
        bent += fabs(answer->cost - cost) < 1e-9 && fabs(answer->u[40] - u) < 1e-9;
    }
    TEST_ASSERT_EQUAL_INT(6, bent);
    TEST_ASSERT_TRUE(lie_control_search_memsize(control, 8) <= sizeof paths);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_search(control, NULL, 8, list, 8, &found, &failed, paths, sizeof paths));
    printf("  SO3: %d extremals, %d starts failed:", found, failed);
    for (int i = 0; i < found; i++) printf(" %.6f (%d starts)", list[i].cost, list[i].hits);
    printf("\n");
    TEST_ASSERT_TRUE(found >= 2 && fabs(list[0].cost - cost) < 1e-9 && list[1].cost > 2.0 * cost);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, cost, answer->cost); /* the cheapest is left behind */
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
}

/* A half-turn has two ways of the same cost: both are reported. */
void test_control_half_turn_goes_both_ways(void)
{
    static const lie_free_body plain = {{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    lie_control_problem p = so3_problem(32);
    lie_control_extremal list[8];
    double to[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1};
    int found;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&body_inputs.base, &plain, "SO3"));
    p.gT = to;
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_search(control, NULL, 3, list, 8, &found, NULL, paths, sizeof paths));
    TEST_ASSERT_EQUAL_INT(2, found);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, list[0].cost, list[1].cost);
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
    size_t bytes = lie_control_path_memsize(control);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_load(control, (char *)paths + bytes, bytes));
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_solve(control, NULL));
    TEST_ASSERT_EQUAL_INT(0, answer->last.iteration); /* it knows its multipliers */
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
}

/* Parts of the end state that are free: their multipliers vanish, and the cost is lower. */
void test_control_free_ends(void)
{
    static const int all[6] = {1, 1, 1, 1, 1, 1}, roll[6] = {1, 0, 0, 0, 0, 0};
    lie_control_problem p = vehicle_problem(32);
    solve(&p);
    double fixed = answer->cost;
    p.free_velocity = all;
    solve(&p);
    double moving = answer->cost;
    for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, answer->p[6 * p.N + i]);
    TEST_ASSERT_TRUE(moving < 0.9 * fixed);
    p.free_pose = roll;
    solve(&p);
    printf("  cost %.6f at rest, %.6f with any velocity, %.6f and any roll, %d iterations\n", fixed, moving,
           answer->cost, answer->last.iteration);
    TEST_ASSERT_TRUE(answer->cost < moving);
}

/* Saturation: bounds are kept and some hold; fuel: bang, coast, bang, and cheaper in fuel than least effort. */
void test_control_bounds_and_fuel(void)
{
    static const double fuel[3] = {1, 1, 1};
    lie_control_problem p = so3_problem(64);
    double most = 0.0, effort_fuel = 0.0;
    int held = 0, between = 0, off = 0;
    p.T = 4.0;
    solve(&p);
    double cost = answer->cost;
    for (int i = 0; i < 3; i++) body_inputs.actuator[i].min = -1.0, body_inputs.actuator[i].max = 1.0;
    for (int i = 0; i < 65 * 3; i++) {
        double c = answer->h * (i / 3 == 0 || i / 3 == 64 ? 0.5 : 1.0);
        most = fmax(most, fabs(answer->u[i])), effort_fuel += c * fabs(answer->u[i]);
    }
    TEST_ASSERT_TRUE(most > 1.05);
    solve(&p);
    for (int i = 0; i < 65 * 3; i++) {
        TEST_ASSERT_TRUE(fabs(answer->u[i]) <= 1.0);
        held += fabs(answer->u[i]) > 1.0 - 1e-7;
    }
    printf("  least effort %.6f with inputs to %.3f; bounded by 1: %.6f, %d held, %d iterations\n", cost, most,
           answer->cost, held, answer->last.iteration);
    TEST_ASSERT_TRUE(held >= 3 && answer->cost > cost && flown_miss(&p) < 1e-10);
    p.fuel = fuel;
    solve(&p);
    for (int i = 0; i < 65 * 3; i++) {
        double u = fabs(answer->u[i]);
        between += u > 1e-6 && u < 1.0 - 1e-6;
        off += u <= 1e-6;
    }
    printf("  fuel %.6f (least effort burns %.6f): %d off, %d between, %d iterations\n", answer->cost, effort_fuel, off,
           between, answer->last.iteration);
    TEST_ASSERT_TRUE(answer->cost < effort_fuel && off > 60 && between <= 9 && flown_miss(&p) < 1e-10);
}

/* The best duration: where the slope of the cost in T vanishes, below its neighbours. */
void test_control_best_time(void)
{
    lie_control_problem p = so3_problem(32);
    p.time_weight = 1.0;
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_best_time(control, NULL, 0.5, 50.0));
    double T = answer->problem->T, cost = answer->cost;
    printf("  best T %.8f, cost %.8f, slope %.1e\n", T, cost, answer->cost_by_time);
    for (int i = -1; i <= 1; i += 2) {
        p.T = T * (1.0 + 0.01 * i);
        solve(&p);
        TEST_ASSERT_TRUE(answer->cost > cost);
    }
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, lie_control_best_time(control, NULL, 2.0, 1.0));
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, lie_control_set_time(control, 0.0));
}

/* From 32 to 10 000 intervals: memory in proportion, optimal and flown all the same. */
void test_control_many_intervals(void)
{
    static const int N[3] = {32, 1000, 10000};
    double per_interval[3];
    for (int i = 0; i < 3; i++) {
        lie_control_problem p = so3_problem(N[i]);
        size_t bytes = lie_control_memsize(&p);
        per_interval[i] = (double)bytes / N[i];
        solve(&p);
        double miss = flown_miss(&p);
        printf("  N = %5d: %d iterations, residual %.0e, missed by %.0e, %.0f bytes per interval\n", N[i],
               answer->last.iteration, answer->last.residual, miss, per_interval[i]);
        TEST_ASSERT_TRUE(miss < 1e-10 && answer->last.iteration <= 6);
    }
    TEST_ASSERT_TRUE(per_interval[2] < 1.02 * per_interval[1]);
}

void test_control_continuation(void)
{
    lie_control_problem p = vehicle_problem(32);
    solve(&p);
    double cost = answer->cost;
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_continue(control, NULL, 4, paths, sizeof paths));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, cost, answer->cost);
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_control_continue(control, NULL, 0, paths, sizeof paths));
}

static int stop_at_two(void *ctx, const lie_control_progress *now)
{
    ++*(int *)ctx;
    return now->iteration == 2;
}

static lie_status init_status(const lie_control_problem *p)
{
    lie_status status = lie_control_init(&control, p, work, sizeof work);
    TEST_ASSERT_TRUE((lie_control_memsize(p) == 0) == (status != LIE_OK && status != LIE_ERR_GUESS));
    return status;
}

/* Each bad problem has its own answer. */
void test_control_bad_problems(void)
{
    lie_control_problem good = so3_problem(16), p = good;
    static const double nan_to[9] = {(double)NAN, 0, 0, 0, 1, 0, 0, 0, 1}, bad_to[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double negative[3] = {1, -1, 1}, nothing[3] = {1, 0, 1};
    lie_actuation a = body_inputs;
    int calls = 0;
    p.T = 0.0;
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, init_status(&p));
    p.T = -1.0;
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, init_status(&p));
    p.T = (double)NAN;
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, init_status(&p));
    p = good, p.N = 1;
    TEST_ASSERT_EQUAL(LIE_ERR_INTERVALS, init_status(&p));
    p = good, p.gT = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, init_status(&p));
    p = good, p.gT = nan_to;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, init_status(&p));
    p = good, p.gT = bad_to;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_IN_GROUP, init_status(&p));
    p = good, p.retraction = "none";
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, init_status(&p));
    p = good, p.weight = negative;
    TEST_ASSERT_EQUAL(LIE_ERR_COST, init_status(&p));
    p = good, p.weight = nothing;
    TEST_ASSERT_EQUAL(LIE_ERR_COST, init_status(&p));
    p = good, p.actuation = &a;
    a.actuator[1].min = 2.0, a.actuator[1].max = -1.0;
    TEST_ASSERT_EQUAL(LIE_ERR_BOUNDS, init_status(&p));
    a = body_inputs, a.count = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_INPUTS, init_status(&p));
    a = body_inputs, memset(a.actuator, 0, sizeof a.actuator);
    TEST_ASSERT_EQUAL(LIE_ERR_INPUTS, init_status(&p));
    a = body_inputs, memset(&a.actuator[1], 0, sizeof a.actuator[1]); /* one of three does nothing */
    TEST_ASSERT_EQUAL(LIE_ERR_INPUTS, init_status(&p));
    a = body_inputs, a.count = 1; /* one torque about a principal axis cannot turn about another */
    static const lie_free_body plain = {{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&a.base, &plain, "SO3"));
    TEST_ASSERT_EQUAL(LIE_OK, init_status(&p));
    TEST_ASSERT_EQUAL(LIE_ERR_UNREACHABLE, lie_control_solve(control, NULL));
    a = body_inputs; /* bounds too tight for the time */
    for (int i = 0; i < 3; i++) a.actuator[i].min = -0.01, a.actuator[i].max = 0.01;
    TEST_ASSERT_EQUAL(LIE_OK, init_status(&p));
    TEST_ASSERT_EQUAL(LIE_ERR_UNREACHABLE, lie_control_solve(control, NULL));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_control_init(&control, &good, work, lie_control_memsize(&good) - 8));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_control_init(&control, &good, NULL, sizeof work));
    TEST_ASSERT_EQUAL(LIE_ERR_VERSION,
                      lie_control_init_as(LIE_COMPILED(lie_control_problem) ^ 1u, &control, &good, work, sizeof work));
    begin(&good);
    static double guess[48];
    guess[7] = (double)NAN;
    TEST_ASSERT_EQUAL(LIE_ERR_GUESS, lie_control_set(control, guess, NULL));
    guess[7] = 1e300;
    TEST_ASSERT_EQUAL(LIE_ERR_GUESS, lie_control_set(control, guess, NULL));
    lie_control_options opt = {.monitor = stop_at_two, .ctx = &calls};
    TEST_ASSERT_EQUAL(LIE_STOPPED, lie_control_solve(control, &opt));
    TEST_ASSERT_EQUAL_INT(3, calls);
    opt = (lie_control_options){.max_iterations = 1};
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_line(control, 0));
    TEST_ASSERT_EQUAL(LIE_ERR_NO_CONVERGENCE, lie_control_solve(control, &opt));
    p = (lie_control_problem){.actuation = &plane_inputs, .g0 = mass, .gT = mass + 3, .T = 1.0, .N = 4};
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_control_line(control, 1)); /* nothing turns */
}
