/* SPDX-License-Identifier: MIT */
/* Optimal control of systems with wheels, gyroscopic terms, forces that change with time, and inputs that depend on
 * each other: optimal, flown, both routes, and the momentum in space kept. */
#include "tests/control/control_compare.h"

void setUp(void)
{
    make_problems();
}

void tearDown(void)
{
}

/* Four wheels, their axes on a cone; torquers behind them if wanted */
static void pyramid(lie_actuation *a, int torquers)
{
    const double c = sqrt(1.0 / 3.0), s = sqrt(2.0 / 3.0);
    const double axis[4][3] = {{s, 0, c}, {0, s, c}, {-s, 0, c}, {0, -s, c}};
    memset(a->actuator, 0, sizeof a->actuator);
    a->count = 4 + (torquers ? 3 : 0);
    for (int i = 0; i < 4; i++) {
        a->actuator[i].kind = LIE_WHEEL;
        memcpy(a->actuator[i].along, axis[i], sizeof axis[i]);
    }
    for (int i = 0; i < 3 && torquers; i++) a->actuator[4 + i].wrench[i] = 1.0;
}

/* The total momentum in space of body and wheels at node k */
static void total(double out[3], int k)
{
    lie_so3_act(out, answer->g + answer->group->size * k, answer->nu + answer->n * k);
}

/* The state at the end when the inputs are flown through the actuated system, whose stored momenta are inputs too */
static double flown_with_stored(const lie_control_problem *p, const lie_actuation *a)
{
    static const double rest[3] = {0, 0, 0};
    double u[2][24] = {{0.0}}, worst = 0.0;
    lie_actuation act = *a;
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &act));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "sv", .retraction = p->retraction},
                                               step_work, sizeof step_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, p->g0, p->xi0 ? p->xi0 : rest));
    lie_stepper_control(st, u[0], u[1]);
    for (int i = 0; i < act.wheels; i++) u[0][a->count + i] = p->wheels0 ? p->wheels0[i] : 0.0;
    for (int k = 0; k < answer->N; k++) {
        for (int side = 0; side < 2; side++)
            memcpy(u[side], answer->u + (k + side) * answer->m, (size_t)answer->m * sizeof **u);
        lie_actuation_store(&act, u[1], answer->h, u[0], u[1]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, answer->h));
        memcpy(u[0] + a->count, u[1] + a->count, (size_t)act.wheels * sizeof **u);
    }
    for (int i = 0; i < 9; i++) worst = fmax(worst, fabs(s.g[i] - p->gT[i]));
    for (int i = 0; i < act.wheels; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, answer->nu[answer->n * answer->N + 3 + i], u[0][a->count + i]);
    return worst;
}

/* Wheels alone turn the body and keep the momentum in space; what they store is the state of the manoeuvre. */
void test_control_wheels_exchange_momentum(void)
{
    static const double stored[4] = {0.3, -0.2, 0.1, 0.25};
    double missed[2], before[3], after[3], to[9];
    lie_control_problem p = so3_problem(32);
    pyramid(&body_inputs, 0);
    p.wheels0 = stored, p.gT = to; /* they carry their momentum along, so that the body cannot rest but at the end */
    lie_so3_exp(to, (double[3]){0.4, -0.2, 0.5});
    compare_routes("four wheels", &p, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        p.N = 32 << i;
        solve(&p);
        TEST_ASSERT_EQUAL_INT(7, answer->n);
        lie_large_state end;
        TEST_ASSERT_EQUAL(LIE_OK, lie_control_fly(control, &end, step_work, sizeof step_work));
        for (int k = 0; k < 9; k++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, to[k], end.g[k]);
        total(before, 0);
        for (int k = 1; k <= p.N; k++) {
            total(after, k);
            for (int j = 0; j < 3; j++) TEST_ASSERT_DOUBLE_WITHIN(50 * 2.2e-16, before[j], after[j]);
        }
        for (int j = 0; j < 3; j++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, end.m[j] - answer->nu[7 * p.N + j]);
        missed[i] = flown_with_stored(&p, &body_inputs);
    }
    printf("  the actuated system with stored momenta as inputs ends %.1e and %.1e away: ratio %.2f\n", missed[0],
           missed[1], missed[0] / missed[1]);
    TEST_ASSERT_TRUE(missed[0] < 0.02);
    TEST_ASSERT_DOUBLE_WITHIN(0.4, 4.0, missed[0] / missed[1]);
}

/* Momentum dumping: wheels that saturate, torquers that are dear; at the end the wheels stand. */
void test_control_wheels_are_emptied(void)
{
    static const double stored[4] = {0.5, -0.3, 0.2, 0.4}, none[4] = {0, 0, 0, 0};
    static const double weight[7] = {1, 1, 1, 1, 20, 20, 20};
    static const int any[3] = {1, 1, 1};
    double given[3] = {0.0}, first[3], spatial[3], most = 0.0;
    int held = 0;
    lie_control_problem p = so3_problem(48);
    pyramid(&body_inputs, 1);
    p.wheels0 = stored, p.wheelsT = none, p.weight = weight, p.T = 6.0;
    compare_routes("wheels and torquers", &p, 0.0, 0.0);
    solve(&p);
    double cost = answer->cost;
    for (int i = 0; i < 49 * 7; i++) most = fmax(most, i % 7 < 4 ? fabs(answer->u[i]) : 0.0);
    for (int i = 0; i < 4; i++) body_inputs.actuator[i].max = 0.8 * most, body_inputs.actuator[i].min = -0.8 * most;
    solve(&p);
    TEST_ASSERT_TRUE(answer->cost > cost);
    for (int i = 0; i < 4; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, answer->nu[7 * p.N + 3 + i]);
    for (int k = 0; k <= p.N; k++) {
        double c = answer->h * (k == 0 || k == p.N ? 0.5 : 1.0);
        for (int i = 0; i < 4; i++) {
            TEST_ASSERT_TRUE(fabs(answer->u[7 * k + i]) <= 0.8 * most);
            held += fabs(answer->u[7 * k + i]) > 0.8 * most - 1e-7;
        }
        lie_so3_act(spatial, answer->g + answer->group->size * k, answer->u + 7 * k + 4);
        for (int i = 0; i < 3; i++) given[i] += c * spatial[i];
    }
    total(first, 0);
    printf("  cost %.6f, saturated %.6f with %d inputs at their bounds; torquers gave (%.4f, %.4f, %.4f)\n", cost,
           answer->cost, held, given[0], given[1], given[2]);
    for (int i = 0; i < 3; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, -first[i], given[i]); /* the balance of Noether */
    TEST_ASSERT_TRUE(held >= 3);
    p.free_velocity = any; /* the wheels stand, the body may turn */
    solve(&p);
    for (int i = 0; i < 4; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.0, answer->nu[7 * p.N + 3 + i]);
    static const int axis[3] = {0, 0, 1};
    for (int i = 0; i < 4; i++) body_inputs.actuator[i].min = body_inputs.actuator[i].max = 0.0;
    p.free_velocity = NULL, p.free_start_velocity = axis; /* a free start keeps what the wheels have */
    compare_routes("wheels from a free rate", &p, 0.0, 0.0);
    for (int i = 0; i < 4; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-14, stored[i], answer->nu[3 + i]);
}

static const double with_nan[4] = {0, (double)NAN, 0, 0};

void test_control_wheels_that_are_wrong(void)
{
    lie_control_problem p = so3_problem(16);
    pyramid(&body_inputs, 0);
    p.wheels0 = with_nan;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_control_init(&control, &p, work, sizeof work));
    p.wheels0 = NULL;
    body_inputs.actuator[4] = body_inputs.actuator[0], body_inputs.count = 5;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_control_init(&control, &p, work, sizeof work));
    body_inputs.count = 4, body_inputs.actuator[1].along[0] = 2.0;
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_control_init(&control, &p, work, sizeof work));
}

/* Where the inputs lead through the sv of the system itself, with its gyroscopic term in the momentum */
static double flown_as_it_is(const lie_control_problem *p)
{
    static const double rest[3] = {0, 0, 0};
    lie_actuation act = *p->actuation;
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    double worst = 0.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_actuated_system(&sys, &act));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "sv", .retraction = p->retraction},
                                               step_work, sizeof step_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, p->g0, p->xi0 ? p->xi0 : rest));
    for (int k = 0; k < answer->N; k++) {
        lie_stepper_control(st, answer->u + k * answer->m, answer->u + (k + 1) * answer->m);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, answer->h));
    }
    for (int i = 0; i < answer->group->size; i++) worst = fmax(worst, fabs(s.g[i] - p->gT[i]));
    return worst;
}

/* A satellite in its orbit and a top on a turntable: A(g) */
void test_control_gyroscopic_terms(void)
{
    static const lie_satellite satellite = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.6, {0.3, -0.2, 0.4}};
    static const lie_turntable table = {{{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.4, {0.1, 0.2, 0.5}, 9.81},
                                        0.8};
    static const double xi0[3] = {0.2, -0.1, 0.3}, xiT[3] = {0.1, 0.2, -0.1};
    for (int kind = 0; kind < 2; kind++) {
        const char *name = kind ? "turntable" : "satellite";
        double missed[2], by_itself[2];
        lie_control_problem p = so3_problem(24);
        p.xi0 = xi0, p.xiT = xiT;
        TEST_ASSERT_EQUAL(LIE_OK, kind ? lie_turntable_system(&body_inputs.base, &table, "SO3")
                                       : lie_satellite_system(&body_inputs.base, &satellite, "SO3"));
        compare_routes(name, &p, 0.0, 0.0);
        for (int i = 0; i < 2; i++) {
            lie_state end;
            double mu[3];
            p.N = 48 << i;
            solve(&p);
            TEST_ASSERT_TRUE(answer->last.iteration <= 8);
            TEST_ASSERT_EQUAL(LIE_OK, lie_control_fly(control, &end, step_work, sizeof step_work));
            missed[i] = 0.0;
            for (int k = 0; k < 9; k++) missed[i] = fmax(missed[i], fabs(end.g[k] - p.gT[k]));
            for (int k = 0; k < 3; k++) { /* the kinetic momentum */
                mu[k] = 0.0;
                for (int j = 0; j < 3; j++) mu[k] += body.inertia[3 * k + j] * xiT[j];
                missed[i] = fmax(missed[i], fabs(end.m[k] - mu[k]));
            }
            by_itself[i] = flown_as_it_is(&p);
        }
        printf("  %s: missed by %.0e; through its own sv by %.1e and %.1e, ratio %.2f\n", name, missed[1], by_itself[0],
               by_itself[1], by_itself[0] / by_itself[1]);
        TEST_ASSERT_TRUE(missed[0] < 1e-10 && missed[1] < 1e-10 && by_itself[0] < 0.05);
        TEST_ASSERT_DOUBLE_WITHIN(0.4, 4.0, by_itself[0] / by_itself[1]);
    }
}

/* Wheels on a satellite in its orbit: both at once */
void test_control_wheels_in_orbit(void)
{
    static const lie_satellite satellite = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.3, {0, 0, 0}};
    static const double stored[4] = {0.1, -0.2, 0.1, 0.2};
    lie_control_problem p = so3_problem(24);
    lie_large_state end;
    pyramid(&body_inputs, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&body_inputs.base, &satellite, "SO3"));
    p.wheels0 = stored;
    compare_routes("wheels in orbit", &p, 0.0, 0.0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_fly(control, &end, step_work, sizeof step_work));
    for (int k = 0; k < 9; k++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, p.gT[k], end.g[k]);
}

/* A force that changes with time: T is found by both routes */
static void gusts(const lie_system *sys, double *f, double t, const double *R, const double *w, const double *u)
{
    (void)sys, (void)u;
    f[0] = 0.5 * sin(1.7 * t) - 0.1 * w[0], f[1] = 0.4 * cos(0.9 * t) * R[4], f[2] = 0.2 * t * t * R[1] - 0.1 * w[2];
}

void test_control_force_that_changes_with_time(void)
{
    lie_control_problem p = so3_problem(24);
    p.time_weight = 1.0;
    body_inputs.base.external = gusts;
    compare_routes("gusts", &p, 0.0, 0.0);
    compare_routes("gusts in free T", &p, 2.0, 6.0);
}

static double lagrangian(const lie_system *sys, const double *g, const double *xi)
{
    (void)sys, (void)g;
    return 0.5 * (xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]);
}

static void momentum(const lie_system *sys, double *mu, const double *g, const double *xi)
{
    (void)sys, (void)g;
    memcpy(mu, xi, 3 * sizeof *mu);
}

static void gradient(const lie_system *sys, double *F, const double *g, const double *xi)
{
    (void)sys, (void)g, (void)xi;
    memset(F, 0, 3 * sizeof *F);
}

/* A general Lagrangian is refused, with a sentence that says what to give. */
void test_control_general_lagrangian_is_refused(void)
{
    lie_control_problem p = so3_problem(16);
    body_inputs.base = (lie_system){.name = "general",
                                    .group = &lie_so3_cay_ops,
                                    .lagrangian = lagrangian,
                                    .momentum = momentum,
                                    .gradient = gradient};
    TEST_ASSERT_EQUAL(LIE_ERR_LAGRANGIAN, lie_control_init(&control, &p, work, sizeof work));
    TEST_ASSERT_NOT_NULL(strstr(lie_status_text(LIE_ERR_LAGRANGIAN), "inertia"));
}

/* More inputs than directions: the least weighted norm of those that do the same, here shared equally. */
void test_control_inputs_that_depend_on_each_other(void)
{
    static const double fuel[6] = {1, 1, 1, 1, 1, 1};
    lie_control_problem p = so3_problem(24);
    lie_actuation six = body_inputs;
    lie_dependence d;
    solve(&p);
    double cost = answer->cost, first[3];
    memcpy(first, answer->u, sizeof first);
    six.count = 6;
    for (int i = 0; i < 3; i++) six.actuator[3 + i] = six.actuator[i];
    p.actuation = &six;
    lie_actuation_dependence(&six, &d, e_so3);
    TEST_ASSERT_EQUAL_INT(3, d.rank);
    TEST_ASSERT_EQUAL_INT(3, d.input); /* the first that is a sum of those before */
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1.0, d.of[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, d.of[1]);
    solve(&p);
    for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.5 * first[i % 3], answer->u[i]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.5 * cost, answer->cost);
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
    for (int i = 0; i < 6; i++) six.actuator[i].min = -1.0, six.actuator[i].max = 1.0;
    p.fuel = fuel, p.T = 5.0, p.N = 40; /* least fuel does not say how they share: a weight of 1e-6 of it does */
    solve(&p);
    double shared = answer->cost;
    TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
    for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-6, answer->u[i % 3], answer->u[i]);
    p.actuation = &body_inputs;
    for (int i = 0; i < 3; i++) body_inputs.actuator[i].min = -2.0, body_inputs.actuator[i].max = 2.0;
    solve(&p);
    printf("  fuel %.8f, shared %.8f\n", answer->cost, shared);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, answer->cost, shared);
    lie_control_problem v = vehicle_problem(24);
    lie_actuation_dependence(v.actuation, &d, v.g0);
    TEST_ASSERT_TRUE(d.rank == 5 && d.input == -1);
    lie_actuation zero = vehicle_inputs;
    memset(&zero.actuator[2], 0, sizeof zero.actuator[2]);
    lie_actuation_dependence(&zero, &d, v.g0);
    TEST_ASSERT_TRUE(d.rank == 4 && d.input == 2); /* it does nothing */
    for (int i = 0; i < 2; i++) TEST_ASSERT_DOUBLE_WITHIN(0.0, 0.0, d.of[i]);
}
