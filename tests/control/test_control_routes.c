/* SPDX-License-Identifier: MIT */
/* The optimal control problem by other ways: Pontryagin's principle and shooting for the continuous one, Ipopt for the
 * discrete one. */
#include "tests/control/control_fixture.h"

void setUp(void)
{
    make_problems();
}

void tearDown(void)
{
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
                TEST_ASSERT_TRUE(flown_miss(&p) < 1e-10);
                error[i] = answer->cost, start[i] = answer->u[1];
                if (pass == 0 && r == 0 && i == 3) {
                    double w[3], rate[3]; /* pi(0) = -I p'(0) at rest */
                    for (int j = 0; j < 3; j++) x[j] = answer->p[j], rate[j] = (answer->p[3 + j] - x[j]) / answer->h;
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

/* The direct problem through Ipopt, with u- and u+ apart, has the same solution: inputs to 1e-8, cost to 1e-10. */
static void compare_with_ipopt(const char *name, const lie_control_problem *p, double T_min, double T_max)
{
    static double u[1000];
    lie_control_ipopt opt = {.T_min = T_min, .T_max = T_max};
    double worst = 0.0, size = 0.0, multiplier = 0.0, p_3;
    if (T_min > 0.0) {
        begin(p);
        TEST_ASSERT_EQUAL(LIE_OK, lie_control_best_time(control, NULL, T_min, T_max));
    } else {
        solve(p);
    }
    double cost = answer->cost, T = answer->problem->T;
    memcpy(u, answer->u, (size_t)((p->N + 1) * answer->m) * sizeof *u);
    p_3 = answer->p[3 * answer->n];
    begin(p);
    lie_status status = lie_control_solve_ipopt(control, &opt);
    if (status == LIE_ERR_OPTIONAL) TEST_IGNORE_MESSAGE("no Ipopt on this machine");
    TEST_ASSERT_EQUAL_STRING("LIE_OK", lie_status_name(status));
    for (int i = 0; i < (p->N + 1) * answer->m; i++) {
        worst = fmax(worst, fabs(answer->u[i] - u[i]));
        size = fmax(size, fabs(u[i]));
    }
    multiplier = fabs(p_3 - answer->p[3 * answer->n]);
    printf("  %s: inputs differ by %.1e of %.2g, cost by %.1e, u- and u+ by %.1e, p by %.1e, T %.6f, %d gradients\n",
           name, worst, size, fabs(answer->cost - cost), opt.jump, multiplier, T, opt.iterations);
    TEST_ASSERT_TRUE(worst <= 1e-8 * fmax(1.0, size) && opt.jump < 1e-8 && multiplier < 1e-7);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, cost, answer->cost);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, T, answer->problem->T);
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
    double cost = answer->cost;
    lie_control_ipopt opt = {0};
    begin(&p);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_solve_ipopt(control, &opt));
    printf("  bounded: costs %.10f and %.10f\n", cost, answer->cost);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, cost, answer->cost);
    opt = (lie_control_ipopt){.T_min = 2.0, .T_max = 1.0};
    TEST_ASSERT_EQUAL(LIE_ERR_HORIZON, lie_control_solve_ipopt(control, &opt));
}
