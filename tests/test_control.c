/* SPDX-License-Identifier: MIT */
/* Optimal control: optimality conditions at round-off, inputs that can be flown, multipliers that are derivatives of the
 * cost, the continuous optimum at order 2, and every bad problem with its own answer. */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "near.h"

enum { WORK = 6000000, STEP_WORK = 4000 };

static double work[WORK], step_work[STEP_WORK], paths[400000];
static lie_control control;
static lie_actuation body_inputs, vehicle_inputs, plane_inputs;
static const lie_free_body body = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}};
static const lie_heavy_top top = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.4, {0.1, 0.2, 0.5}, 9.81};
static lie_vehicle vehicle;
static lie_ops space;
static double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, e_so3[9], to_so3[9], e_se3[12], to_se3[12];

/* unit wrenches about the first `count` axes of the algebra */
static void unit_inputs(lie_actuation *a, int count)
{
    memset(a->actuator, 0, sizeof a->actuator);
    a->count = count;
    for (int i = 0; i < count; i++) a->actuator[i].wrench[i] = 1.0;
}

/* Five thrusters of Jimenez 2012, section 5.2.9: all but the force along y; the author's numbers are not given */
static void five_thrusters(lie_actuation *a)
{
    const double c = 0.1, d = 0.15, s = 0.1 * 0.86602540378443865;
    const double wrench[5][6] = {
        {0, c / 2, -s, 1, 0, 0}, {0, c / 2, s, 1, 0, 0}, {0, -c, 0, 1, 0, 0}, {-d, 0, 0, 0, 0, 1}, {d, 0, 0, 0, 0, 1}};
    memset(a->actuator, 0, sizeof a->actuator);
    a->count = 5;
    for (int i = 0; i < 5; i++) memcpy(a->actuator[i].wrench, wrench[i], sizeof wrench[i]);
}

void setUp(void)
{
    static const double inertia[6] = {0.015, 0.0975, 0.0975, 3, 3, 3}, drag[6] = {0.01, 0.02, 0.02, 0.3, 0.6, 0.6};
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&body_inputs.base, &body, "SO3"));
    unit_inputs(&body_inputs, 3);
    memset(&vehicle, 0, sizeof vehicle);
    lie_inertia_diagonal(6, vehicle.inertia, inertia);
    lie_inertia_diagonal(6, vehicle.linear_drag, drag);
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&vehicle_inputs.base, &vehicle));
    five_thrusters(&vehicle_inputs);
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&space, 3, "exp"));
    plane_inputs.base = (lie_system){.name = "point", .group = &space, .inertia = mass};
    unit_inputs(&plane_inputs, 3);
    lie_so3_identity(e_so3);
    lie_so3_exp(to_so3, (double[3]){1.2, -0.7, 1.5});
    lie_se3_identity(e_se3);
    lie_se3_exp(to_se3, (double[6]){0.5, 0.3, -0.8, 2, 1, 0.5});
}

void tearDown(void)
{
}

static lie_control_problem so3_problem(int N)
{
    return (lie_control_problem){
        .actuation = &body_inputs, .retraction = "cay", .g0 = e_so3, .gT = to_so3, .T = 3.0, .N = N};
}

static lie_control_problem vehicle_problem(int N)
{
    return (lie_control_problem){
        .actuation = &vehicle_inputs, .retraction = "cay", .g0 = e_se3, .gT = to_se3, .T = 10.0, .N = N};
}

static void begin(const lie_control_problem *p)
{
    TEST_ASSERT_TRUE(lie_control_memsize(p) <= sizeof work);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_init(&control, p, work, sizeof work));
}

static void solve(const lie_control_problem *p)
{
    begin(p);
    TEST_ASSERT_EQUAL_STRING("LIE_OK", lie_status_name(lie_control_solve(&control, NULL)));
    TEST_ASSERT_TRUE(control.last.residual <= 1e-10);
}

/* How far from the target the computed inputs lead through the stepper */
static double flown_miss(const lie_control_problem *p)
{
    lie_state end;
    double worst = 0.0, m[6] = {0.0};
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_fly(&control, &end, step_work, sizeof step_work));
    for (int i = 0; i < control.group->size; i++) worst = fmax(worst, fabs(end.g[i] - p->gT[i]));
    if (p->xiT) lie_system_momentum(&p->actuation->base, m, p->gT, p->xiT);
    for (int i = 0; i < control.n; i++) worst = fmax(worst, fabs(end.m[i] - m[i]));
    return worst;
}

/* The free point: a cubic spline. Inner fourth differences vanish, inputs are linear in time, and the cost is that of
 * the cubic, 6 d^2/T^3, up to the error of the trapezoidal rule (Jimenez 2012, Example 5.1.6 corrected). */
void test_control_point_is_a_cubic_spline(void)
{
    static const double from[3] = {0, 0, 0}, to[3] = {1.0, -2.0, 0.5}, v0[3] = {0.3, 0.1, -0.4},
                        vT[3] = {-0.2, 0.5, 0.7};
    lie_control_problem p = {.actuation = &plane_inputs, .g0 = from, .gT = to, .xi0 = v0, .xiT = vT, .T = 2.0, .N = 40};
    double worst = 0.0, bend = 0.0, error[2], d2 = 5.25;
    solve(&p);
    TEST_ASSERT_TRUE(control.last.iteration <= 1);
    for (int k = 2; k <= p.N - 2; k++)
        for (int i = 0; i < 3; i++) {
            const double *x = control.g + 3 * k + i, *u = control.u + 3 * k + i;
            worst = fmax(worst, fabs(x[-6] - 4.0 * x[-3] + 6.0 * x[0] - 4.0 * x[3] + x[6]));
            bend = fmax(bend, fabs(u[-3] - 2.0 * u[0] + u[3]));
        }
    printf("  fourth difference %.1e, bend of the inputs %.1e\n", worst, bend);
    TEST_ASSERT_TRUE(worst < 1e-13 && bend < 1e-12 && flown_miss(&p) < 1e-13);
    p.xi0 = p.xiT = NULL;
    for (int i = 0; i < 2; i++) {
        p.N = 20 << i;
        solve(&p);
        error[i] = control.cost - 6.0 * d2 / 8.0;
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 4.0, error[0] / error[1]);
}

/* The optimality conditions of the continuous problem: Pi' = Pi x w + p, p' = -w x p - I^-1 (p x Pi + pi),
 * pi' = pi x w, R' = R w; with the cost 1/2 int p^2 */
typedef struct extremal {
    double R[9], Pi[3], p[3], pi[3], cost;
} extremal;

static void slope(extremal *d, const extremal *s, const double Iinv[9])
{
    double w[3], a[3], b[3];
    for (int i = 0; i < 3; i++) w[i] = Iinv[3 * i] * s->Pi[0] + Iinv[3 * i + 1] * s->Pi[1] + Iinv[3 * i + 2] * s->Pi[2];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        d->Pi[i] = s->Pi[j] * w[k] - s->Pi[k] * w[j] + s->p[i];
        d->pi[i] = s->pi[j] * w[k] - s->pi[k] * w[j];
        a[i] = s->p[j] * s->Pi[k] - s->p[k] * s->Pi[j] + s->pi[i];
        b[i] = w[j] * s->p[k] - w[k] * s->p[j];
        for (int r = 0; r < 3; r++) d->R[3 * r + i] = s->R[3 * r + j] * w[k] - s->R[3 * r + k] * w[j];
    }
    for (int i = 0; i < 3; i++)
        d->p[i] = -b[i] - (Iinv[3 * i] * a[0] + Iinv[3 * i + 1] * a[1] + Iinv[3 * i + 2] * a[2]);
    d->cost = 0.5 * (s->p[0] * s->p[0] + s->p[1] * s->p[1] + s->p[2] * s->p[2]);
}

static void add(extremal *out, const extremal *a, double h, const extremal *b)
{
    const double *x = (const double *)a, *y = (const double *)b;
    for (size_t i = 0; i < sizeof *out / sizeof(double); i++) ((double *)out)[i] = x[i] + h * y[i];
}

/* miss (6): body rotation from the target, and momentum, after shooting with p(0), pi(0) = x by RK4 */
static double shoot(double miss[6], const double x[6], const double Iinv[9], double T)
{
    enum { STEPS = 2000 };
    extremal s = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, k[4], at;
    double h = T / STEPS, D[9];
    memcpy(s.p, x, sizeof s.p);
    memcpy(s.pi, x + 3, sizeof s.pi);
    for (int i = 0; i < STEPS; i++) {
        static const double c[4] = {0.0, 0.5, 0.5, 1.0}, b[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        for (int j = 0; j < 4; j++) {
            at = s;
            if (j > 0) add(&at, &s, h * c[j], &k[j - 1]);
            slope(&k[j], &at, Iinv);
        }
        for (int j = 0; j < 4; j++) add(&s, &s, h * b[j], &k[j]);
    }
    for (int i = 0; i < 9; i++) {
        D[i] = 0.0;
        for (int r = 0; r < 3; r++) D[i] += to_so3[3 * r + i / 3] * s.R[3 * r + i % 3];
    }
    miss[0] = D[7] - D[5], miss[1] = D[2] - D[6], miss[2] = D[3] - D[1];
    memcpy(miss + 3, s.Pi, sizeof s.Pi);
    return s.cost;
}

/* Newton on the shooting equations */
static double shooting_cost(double x[6], const double Iinv[9], double T)
{
    double r[6], J[36], plus[6], cost = 0.0;
    int pivots[6];
    for (int it = 0; it < 12; it++) {
        cost = shoot(r, x, Iinv, T);
        for (int j = 0; j < 6; j++) {
            double held = x[j];
            x[j] += 1e-6;
            shoot(plus, x, Iinv, T);
            x[j] = held;
            for (int i = 0; i < 6; i++) J[6 * i + j] = (plus[i] - r[i]) / 1e-6;
        }
        TEST_ASSERT_TRUE(lie_linear_lapack.factor(6, J, pivots) != 0);
        lie_linear_lapack.solve(6, J, pivots, r);
        for (int i = 0; i < 6; i++) x[i] -= r[i];
    }
    shoot(r, x, Iinv, T);
    for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, r[i]);
    return cost;
}

static void invert3(double out[9], const double A[9])
{
    double det = 0.0;
    for (int i = 0; i < 9; i++) {
        int r = i / 3, c = i % 3, r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
        out[i] = A[3 * r1 + c1] * A[3 * r2 + c2] - A[3 * r1 + c2] * A[3 * r2 + c1];
    }
    for (int i = 0; i < 3; i++) det += A[i] * out[3 * i];
    for (int i = 0; i < 9; i++) out[i] /= det;
}

/* Rest to rest on SO(3): the discrete optimum tends to the continuous one of Pontryagin's principle, with order 2, cost
 * and inputs. */
void test_control_so3_converges_to_pontryagin(void)
{
    static const char *const retractions[3] = {"cay", "exp", "skew"};
    double Iinv[9], x[6] = {0.0};
    invert3(Iinv, body.inertia);
    for (int r = 0; r < 3; r++) {
        double error[4], start[4], exact;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < 4; i++) {
                lie_control_problem p = so3_problem(32 << i);
                p.retraction = retractions[r];
                solve(&p);
                error[i] = control.cost, start[i] = control.u[1];
                if (pass == 0 && r == 0 && i == 3) {
                    double w[3], rate[3]; /* pi(0) = -I p'(0) at rest */
                    for (int j = 0; j < 3; j++) x[j] = control.p[j], rate[j] = (control.p[3 + j] - x[j]) / control.h;
                    for (int j = 0; j < 3; j++) {
                        w[j] = 0.0;
                        for (int k = 0; k < 3; k++) w[j] -= body.inertia[3 * j + k] * rate[k];
                        x[3 + j] = w[j];
                    }
                }
            }
        exact = shooting_cost(x, Iinv, 3.0);
        for (int i = 0; i < 4; i++) error[i] = fabs(error[i] - exact), start[i] = fabs(start[i] - x[1]);
        printf("  %s: cost %.9f, off by %.2e .. %.2e, orders %.3f %.3f; input %.3f\n", retractions[r], exact, error[0],
               error[3], log2(error[1] / error[2]), log2(error[2] / error[3]), log2(start[2] / start[3]));
        TEST_ASSERT_DOUBLE_WITHIN(0.02, 2.0, log2(error[1] / error[2]));
        TEST_ASSERT_DOUBLE_WITHIN(0.02, 2.0, log2(error[2] / error[3]));
        TEST_ASSERT_DOUBLE_WITHIN(0.1, 2.0, log2(start[2] / start[3]));
    }
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
        if (kind >= 4) TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&a.base, &heavy));
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
                   p.retraction, control.last.iteration, control.cost, control.last.residual, miss);
            worst = fmax(worst, miss);
            TEST_ASSERT_TRUE(control.last.iteration <= 25);
        }
    }
    TEST_ASSERT_TRUE(worst < 1e-10);
}

/* The y force of the vehicle has no thruster: it is exactly unforced. */
void test_control_unactuated_direction_is_unforced(void)
{
    lie_control_problem p = vehicle_problem(32);
    solve(&p);
    double left = lie_control_unactuated(&control);
    printf("  five thrusters: %d iterations, unactuated part %.1e, missed by %.1e\n", control.last.iteration, left,
           flown_miss(&p));
    TEST_ASSERT_TRUE(left <= 1e-12 && flown_miss(&p) < 1e-10);
    TEST_ASSERT_TRUE(control.last.iteration >= 5 && control.last.iteration <= 20);
    for (int k = 0; k <= p.N; k++) { /* w u = B^T p */
        double B[30];
        lie_actuation_matrix(&vehicle_inputs, B, control.g + 12 * k);
        for (int j = 0; j < 5; j++) {
            double sum = 0.0;
            for (int i = 0; i < 6; i++) sum += B[5 * i + j] * control.p[6 * k + i];
            TEST_ASSERT_DOUBLE_WITHIN(1e-10, control.u[5 * k + j], sum);
        }
    }
}

/* Multipliers are derivatives of the optimal cost: d cost/d nu_0 = -p_0, and d cost/d T; central differences of order 4 of
 * whole solutions. */
void test_control_multipliers_are_derivatives_of_the_cost(void)
{
    static const double shift[4] = {1, -1, 2, -2}, factor[4] = {8, -8, -1, 1};
    double xi0[6] = {0.1, -0.2, 0.1, 0.3, 0.1, -0.1}, d = 1e-3, given[6], by_time, worst = 0.0, sum = 0.0, size = 0.0;
    lie_control_problem p = vehicle_problem(24);
    p.xi0 = xi0;
    solve(&p);
    memcpy(given, control.p, sizeof given);
    by_time = control.cost_by_time;
    for (int i = 0; i < 6; i++) {
        double held = xi0[i], found = 0.0;
        for (int k = 0; k < 4; k++) {
            xi0[i] = held + d * shift[k] / (i < 3 ? 1.0 : 3.0);
            solve(&p);
            found += factor[k] * control.cost / (12.0 * d / (i < 3 ? 1.0 : 3.0));
        }
        xi0[i] = held;
        found /= -vehicle.inertia[7 * i];
        size = fmax(size, fabs(given[i]));
        worst = fmax(worst, fabs(found - given[i]));
    }
    for (int k = 0; k < 4; k++) {
        p.T = 10.0 + 0.02 * shift[k];
        solve(&p);
        sum += factor[k] * control.cost / (12.0 * 0.02);
    }
    printf("  p_0 off by %.1e of %.2g; by time %.10f, differences %.10f\n", worst, size, by_time, sum);
    TEST_ASSERT_TRUE(worst < 1e-8 * fmax(size, 1.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, sum, by_time);
}

/* The same extremal from bent and foreign starts; several extremals are told apart. */
void test_control_starts(void)
{
    lie_control_problem p = so3_problem(32);
    lie_control_extremal list[8];
    int found, failed, bent = 0;
    solve(&p);
    double cost = control.cost, u = control.u[40];
    for (int seed = 1; seed <= 6; seed++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_control_line(&control, 0));
        TEST_ASSERT_EQUAL(LIE_OK, lie_control_bend(&control, 0.2, seed));
        if (lie_control_solve(&control, NULL) != LIE_OK) continue;
        bent += fabs(control.cost - cost) < 1e-9 && fabs(control.u[40] - u) < 1e-9;
    }
    TEST_ASSERT_EQUAL_INT(6, bent);
    TEST_ASSERT_TRUE(8 * lie_control_path_doubles(&control) <= sizeof paths / sizeof *paths);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_search(&control, NULL, 8, list, 8, &found, &failed, paths));
    printf("  SO3: %d extremals, %d starts failed:", found, failed);
    for (int i = 0; i < found; i++) printf(" %.6f (%d starts)", list[i].cost, list[i].hits);
    printf("\n");
    TEST_ASSERT_TRUE(found >= 2 && fabs(list[0].cost - cost) < 1e-9 && list[1].cost > 2.0 * cost);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, cost, control.cost); /* the cheapest is left behind */
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
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_search(&control, NULL, 3, list, 8, &found, NULL, paths));
    TEST_ASSERT_EQUAL_INT(2, found);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, list[0].cost, list[1].cost);
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_load(&control, paths + lie_control_path_doubles(&control)));
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_solve(&control, NULL));
    TEST_ASSERT_EQUAL_INT(0, control.last.iteration); /* it knows its multipliers */
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
}

/* Parts of the end state that are free: their multipliers vanish, and the cost is lower. */
void test_control_free_ends(void)
{
    static const int all[6] = {1, 1, 1, 1, 1, 1}, roll[6] = {1, 0, 0, 0, 0, 0};
    lie_control_problem p = vehicle_problem(32);
    solve(&p);
    double fixed = control.cost;
    p.free_velocity = all;
    solve(&p);
    double moving = control.cost;
    for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, control.p[6 * p.N + i]);
    TEST_ASSERT_TRUE(moving < 0.9 * fixed);
    p.free_pose = roll;
    solve(&p);
    printf("  cost %.6f at rest, %.6f with any velocity, %.6f and any roll, %d iterations\n", fixed, moving,
           control.cost, control.last.iteration);
    TEST_ASSERT_TRUE(control.cost < moving);
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
    double cost = control.cost;
    for (int i = 0; i < 3; i++) body_inputs.actuator[i].min = -1.0, body_inputs.actuator[i].max = 1.0;
    for (int i = 0; i < 65 * 3; i++) {
        double c = control.h * (i / 3 == 0 || i / 3 == 64 ? 0.5 : 1.0);
        most = fmax(most, fabs(control.u[i])), effort_fuel += c * fabs(control.u[i]);
    }
    TEST_ASSERT_TRUE(most > 1.05);
    solve(&p);
    for (int i = 0; i < 65 * 3; i++) {
        TEST_ASSERT_TRUE(fabs(control.u[i]) <= 1.0);
        held += fabs(control.u[i]) > 1.0 - 1e-7;
    }
    printf("  least effort %.6f with inputs to %.3f; bounded by 1: %.6f, %d held, %d iterations\n", cost, most,
           control.cost, held, control.last.iteration);
    TEST_ASSERT_TRUE(held >= 3 && control.cost > cost && flown_miss(&p) < 1e-10);
    p.fuel = fuel;
    solve(&p);
    for (int i = 0; i < 65 * 3; i++) {
        double u = fabs(control.u[i]);
        between += u > 1e-6 && u < 1.0 - 1e-6;
        off += u <= 1e-6;
    }
    printf("  fuel %.6f (least effort burns %.6f): %d off, %d between, %d iterations\n", control.cost, effort_fuel, off,
           between, control.last.iteration);
    TEST_ASSERT_TRUE(control.cost < effort_fuel && off > 60 && between <= 9 && flown_miss(&p) < 1e-10);
}

/* The best duration: where the slope of the cost in T vanishes, below its neighbours. */
void test_control_best_time(void)
{
    lie_control_problem p = so3_problem(32);
    p.time_weight = 1.0;
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_best_time(&control, NULL, 0.5, 50.0));
    double T = control.problem.T, cost = control.cost;
    printf("  best T %.8f, cost %.8f, slope %.1e\n", T, cost, control.cost_by_time);
    for (int i = -1; i <= 1; i += 2) {
        p.T = T * (1.0 + 0.01 * i);
        solve(&p);
        TEST_ASSERT_TRUE(control.cost > cost);
    }
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, lie_control_best_time(&control, NULL, 2.0, 1.0));
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, lie_control_set_time(&control, 0.0));
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
               control.last.iteration, control.last.residual, miss, per_interval[i]);
        TEST_ASSERT_TRUE(miss < 1e-10 && control.last.iteration <= 6);
    }
    TEST_ASSERT_TRUE(per_interval[2] < 1.02 * per_interval[1]);
}

void test_control_continuation(void)
{
    lie_control_problem p = vehicle_problem(32);
    solve(&p);
    double cost = control.cost;
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_continue(&control, NULL, 4, paths));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, cost, control.cost);
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_control_continue(&control, NULL, 0, paths));
}

/* The direct problem through Ipopt, with u- and u+ apart, has the same solution: inputs to 1e-8, cost to 1e-10. */
static void compare_with_ipopt(const char *name, const lie_control_problem *p, double T_min, double T_max)
{
    static double u[1000];
    lie_control_ipopt opt = {.T_min = T_min, .T_max = T_max};
    double worst = 0.0, size = 0.0, multiplier = 0.0, p_3;
    if (T_min > 0.0) {
        begin(p);
        TEST_ASSERT_EQUAL(LIE_OK, lie_control_best_time(&control, NULL, T_min, T_max));
    } else {
        solve(p);
    }
    double cost = control.cost, T = control.problem.T;
    memcpy(u, control.u, (size_t)((p->N + 1) * control.m) * sizeof *u);
    p_3 = control.p[3 * control.n];
    begin(p);
    lie_status status = lie_control_solve_ipopt(&control, &opt);
    if (status == LIE_ERR_OPTIONAL) TEST_IGNORE_MESSAGE("no Ipopt on this machine");
    TEST_ASSERT_EQUAL_STRING("LIE_OK", lie_status_name(status));
    for (int i = 0; i < (p->N + 1) * control.m; i++) {
        worst = fmax(worst, fabs(control.u[i] - u[i]));
        size = fmax(size, fabs(u[i]));
    }
    multiplier = fabs(p_3 - control.p[3 * control.n]);
    printf("  %s: inputs differ by %.1e of %.2g, cost by %.1e, u- and u+ by %.1e, p by %.1e, T %.6f, %d gradients\n",
           name, worst, size, fabs(control.cost - cost), opt.jump, multiplier, T, opt.iterations);
    TEST_ASSERT_TRUE(worst <= 1e-8 * fmax(1.0, size) && opt.jump < 1e-8 && multiplier < 1e-7);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, cost, control.cost);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, T, control.problem.T);
}

void test_control_agrees_with_ipopt(void)
{
    static const int speed[6] = {0, 1, 0, 0, 1, 0};
    lie_control_problem p = so3_problem(24);
    compare_with_ipopt("SO3", &p, 0.0, 0.0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&body_inputs.base, &top, "SO3"));
    p.retraction = "exp";
    compare_with_ipopt("top", &p, 0.0, 0.0);
    lie_control_problem v = vehicle_problem(24);
    v.free_velocity = speed;
    compare_with_ipopt("vehicle", &v, 0.0, 0.0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&body_inputs.base, &body, "SO3"));
    p.time_weight = 1.0;
    compare_with_ipopt("free T", &p, 1.0, 20.0);
    for (int i = 0; i < 3; i++) body_inputs.actuator[i].min = -1.2, body_inputs.actuator[i].max = 1.2;
    p.T = 4.0;
    solve(&p);
    double cost = control.cost;
    lie_control_ipopt opt = {0};
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_solve_ipopt(&control, &opt));
    printf("  bounded: costs %.10f and %.10f\n", cost, control.cost);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, cost, control.cost);
    opt = (lie_control_ipopt){.T_min = 2.0, .T_max = 1.0};
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, lie_control_solve_ipopt(&control, &opt));
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
    static const double nan_to[9] = {NAN, 0, 0, 0, 1, 0, 0, 0, 1}, bad_to[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double negative[3] = {1, -1, 1}, nothing[3] = {1, 0, 1};
    lie_actuation a = body_inputs;
    int calls = 0;
    p.T = 0.0;
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, init_status(&p));
    p.T = -1.0;
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, init_status(&p));
    p.T = NAN;
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
    a = body_inputs, a.actuator[0].kind = LIE_WHEEL, a.actuator[0].along[0] = 1.0;
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, init_status(&p));
    a = body_inputs, a.count = 1; /* one torque about a principal axis cannot turn about another */
    static const lie_free_body plain = {{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&a.base, &plain, "SO3"));
    TEST_ASSERT_EQUAL(LIE_OK, init_status(&p));
    TEST_ASSERT_EQUAL(LIE_ERR_UNREACHABLE, lie_control_solve(&control, NULL));
    a = body_inputs; /* bounds too tight for the time */
    for (int i = 0; i < 3; i++) a.actuator[i].min = -0.01, a.actuator[i].max = 0.01;
    TEST_ASSERT_EQUAL(LIE_OK, init_status(&p));
    TEST_ASSERT_EQUAL(LIE_ERR_UNREACHABLE, lie_control_solve(&control, NULL));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_control_init(&control, &good, work, lie_control_memsize(&good) - 8));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_control_init(&control, &good, NULL, sizeof work));
    begin(&good);
    static double guess[48];
    guess[7] = NAN;
    TEST_ASSERT_EQUAL(LIE_ERR_GUESS, lie_control_set(&control, guess, NULL));
    guess[7] = 1e300;
    TEST_ASSERT_EQUAL(LIE_ERR_GUESS, lie_control_set(&control, guess, NULL));
    lie_control_options opt = {.monitor = stop_at_two, .ctx = &calls};
    TEST_ASSERT_EQUAL(LIE_STOPPED, lie_control_solve(&control, &opt));
    TEST_ASSERT_EQUAL_INT(3, calls);
    opt = (lie_control_options){.max_iterations = 1};
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_line(&control, 0));
    TEST_ASSERT_EQUAL(LIE_ERR_NO_CONVERGENCE, lie_control_solve(&control, &opt));
    p = (lie_control_problem){.actuation = &plane_inputs, .g0 = mass, .gT = mass + 3, .T = 1.0, .N = 4};
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_control_line(&control, 1)); /* nothing turns */
}
