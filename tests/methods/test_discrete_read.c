/* SPDX-License-Identifier: MIT */
/* What the library tells of its own discrete Lagrangians, against its steps and against differences; starts from two
 * configurations; the numbers of Wendlandt & Marsden 1997; every status. */
#include "tests/support/discrete_rebuilt.h"

/* L_d, D1 and D2 of a stepper by differences of what lie_discrete_read says L_d is, E_d in the same way. */
static void by_differences(lie_stepper *st, double *D1, double *D2, double *Ed, double t, const double *g0,
                           const double *g1, double h)
{
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0}, d = 0x1p-8;
    const lie_ops *G = lie_stepper_group(st);
    lie_discrete_values v;
    double x[LIE_DIM_MAX] = {0.0}, g[LIE_SIZE_MAX];
    *Ed = 0.0;
    for (int i = 0; i < 2 * G->dim + 1; i++) {
        double sum = 0.0;
        for (int k = -3; k <= 3; k++) {
            if (k == 0) continue;
            int at = i % G->dim, last = i == 2 * G->dim;
            x[at] = last ? 0.0 : k * d;
            TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
            x[at] = 0.0;
            G->mul(G, g, i < G->dim ? g0 : g1, g);
            double longer = last ? h * (1.0 + k * d) : h;
            TEST_ASSERT_EQUAL(LIE_OK, lie_discrete_read(st, &v, t, i < G->dim ? g : g0, i < G->dim ? g1 : g, longer));
            sum += (k < 0 ? -weight[-k - 1] : weight[k - 1]) * v.lagrangian / d;
        }
        *(i < G->dim ? &D1[i] : i < 2 * G->dim ? &D2[i - G->dim] : Ed) = i < 2 * G->dim ? sum : -sum / h;
    }
}

typedef struct worst {
    double step, slopes, energy;
} worst;

/* p0 and p1 are the momenta of a step; D1, D2 and E_d the derivatives of L_d. */
static void check_reading(worst *w, walker *walk, const lie_system *sys, int conservative)
{
    lie_random rng = {73u};
    lie_state a, b;
    lie_discrete_values v;
    double D1[LIE_DIM_MAX], D2[LIE_DIM_MAX], Ed, size = 1.0, h = 0.13;
    int n = sys->group->dim;
    static const double u[2][FIXTURE_CONTROLS] = {{0.3, -0.8}, {1.1, 0.4}};
    lie_stepper_control(walk->st, u[0], u[1]);
    state_random(sys, &a, &rng, 0.6, 0.7);
    a.t = 0.4;
    b = a;
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(walk->st, &b, h));
    TEST_ASSERT_EQUAL(LIE_OK, lie_discrete_read(walk->st, &v, a.t, a.g, b.g, h));
    for (int i = 0; i < n; i++) size = fmax(size, fabs(a.m[i]));
    for (int i = 0; i < n; i++) w->step = fmax(w->step, fmax(fabs(v.p0[i] - a.m[i]), fabs(v.p1[i] - b.m[i])) / size);
    if (!conservative) return;
    by_differences(walk->st, D1, D2, &Ed, a.t, a.g, b.g, h);
    for (int i = 0; i < n; i++) w->slopes = fmax(w->slopes, fmax(fabs(v.p0[i] + D1[i]), fabs(v.p1[i] - D2[i])) / size);
    w->energy = fmax(w->energy, fabs(v.energy - Ed) / (1.0 + fabs(Ed)));
}

void test_discrete_reading_agrees_with_steps_and_differences(void)
{
    static const char *const methods[] = {"ep",     "ve_fwd", "ve_bwd",     "sv",         "midpoint",  "gauss1",
                                          "gauss2", "gauss3", "lobatto3a3", "lobatto3b3", "lobatto3a2"};
    static const int terms[] = {POTENTIAL, POTENTIAL | GYRO, GENERAL, POTENTIAL | EXTERNAL,
                                POTENTIAL | GYRO | EXTERNAL};
    static walker walk;
    fixture_groups all;
    fixture f;
    fixture_groups_make(&all);
    for (int k = 0; k < (int)(sizeof methods / sizeof methods[0]); k++) {
        worst w = {0.0, 0.0, 0.0};
        const lie_method *m = NULL;
        TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&m, methods[k]));
        for (int j = 0; j < all.count; j++) {
            int t = (j + k) % 5;
            if (!all.G[j]->tauinv || !fixture_make_for(&f, m, all.G[j], terms[t])) continue;
            chart_init(&walk, &f.sys, methods[k], NULL);
            check_reading(&w, &walk, &f.sys, !f.sys.external);
        }
        printf("%-10s momenta %.1e, slopes %.1e, energy %.1e\n", methods[k], w.step, w.slopes, w.energy);
        TEST_ASSERT_TRUE(w.step > 0.0 && w.step < 1e-13 && w.slopes < 1e-11 && w.energy < 1e-11);
    }
}

/* A discrete Lagrangian of one's own that reads that of another stepper runs like it. */
static lie_status read_slopes(const lie_discrete *L, double *D1, double *D2, double t, const double *g0,
                              const double *g1, double h)
{
    lie_stepper *st = *(lie_stepper *const *)L->params;
    lie_discrete_values v;
    lie_status status = lie_discrete_read(st, &v, t, g0, g1, h);
    for (int i = 0; status == LIE_OK && i < lie_stepper_group(st)->dim; i++) D1[i] = -v.p0[i], D2[i] = v.p1[i];
    return status;
}

void test_discrete_steps_by_what_was_read(void)
{
    static const char *const methods[] = {"ve_bwd", "midpoint", "gauss3", "lobatto3b3"};
    static walker read;
    for (int k = 0; k < 4; k++) {
        fixture f;
        fixture_make(&f, group("SO3", "cay"), k == 1 ? POTENTIAL | GYRO : k == 2 ? GENERAL : POTENTIAL);
        chart_init(&read, &f.sys, methods[k], NULL);
        lie_discrete L = {.params = &read.st, .slopes = read_slopes};
        double off = apart(&f, &L, methods[k], 0.05, 100);
        printf("%s, read and stepped: %.1e after 100 steps\n", methods[k], off);
        TEST_ASSERT_TRUE(off < 1e-12);
    }
}

/* Own: value, slopes, E_d. */
void test_discrete_reading_of_an_own_one(void)
{
    fixture f;
    lie_random rng = {74u};
    lie_state a, b;
    lie_discrete_values v, w;
    fixture_make(&f, group("SE3", "cay"), POTENTIAL);
    rebuilt r = {&f.sys, f.sys.group, 0};
    lie_discrete L = {.params = &r, .value = sv_value, .slopes = sv_slopes};
    state_random(&f.sys, &a, &rng, 0.6, 0.7);
    b = a;
    own_init(&own, &f.sys, &L, "cay");
    walker_init(&builtin, &f.sys, "sv", "cay", NULL);
    TEST_ASSERT_EQUAL_STRING("discrete", lie_stepper_method(own.st)->name);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(own.st, &b, 0.1));
    TEST_ASSERT_EQUAL(LIE_OK, lie_discrete_read(own.st, &v, 0.0, a.g, b.g, 0.1));
    TEST_ASSERT_EQUAL(LIE_OK, lie_discrete_read(builtin.st, &w, 0.0, a.g, b.g, 0.1));
    NEAR(6, v.p0, w.p0, 20.0);
    NEAR(6, v.p1, w.p1, 20.0);
    NEAR(6, v.p0, a.m, 100.0);
    NEAR(6, v.p1, b.m, 100.0);
    NEAR(1, &v.lagrangian, &w.lagrangian, 20.0);
    NEAR(1, &v.energy, &w.energy, 5000.0);
    L.value = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_discrete_read(own.st, &v, 0.0, a.g, b.g, 0.1));
    TEST_ASSERT_TRUE(isnan(v.lagrangian) && isnan(v.energy));
    NEAR(6, v.p1, w.p1, 20.0);
}

/* From two configurations: the momenta at both, and the step that joins them. */
void test_discrete_start_from_two_configurations(void)
{
    static const char *const methods[] = {"sv", "gauss2", "midpoint", "own"};
    fixture f;
    fixture_make(&f, group("SE3", "cay"), POTENTIAL);
    rebuilt r = {&f.sys, f.sys.group, 0};
    lie_discrete L = {.params = &r, .slopes = sv_slopes};
    for (int k = 0; k < 4; k++) {
        lie_random rng = {75u};
        lie_state far, s, end;
        lie_large_state wide;
        double x[6], g1[LIE_SIZE_MAX];
        if (k < 3)
            chart_init(&own, &f.sys, methods[k], NULL);
        else
            own_init(&own, &f.sys, &L, "cay");
        state_random(&f.sys, &far, &rng, 0.6, 0.7);
        random_vector(&rng, 6, x, 0.1);
        TEST_ASSERT_EQUAL(LIE_OK, f.sys.group->tau(f.sys.group, g1, x));
        f.sys.group->mul(f.sys.group, g1, far.g, g1);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_from_pair(own.st, &s, 0, 2.0, far.g, g1, 0.1));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_from_pair(own.st, &end, 1, 2.0, far.g, g1, 0.1));
        TEST_ASSERT_TRUE(s.t == 2.0 && end.t == 2.0 + 0.1);
        SAME(12, s.g, far.g);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(own.st, &s, 0.1));
        NEAR(12, s.g, end.g, 50.0);
        NEAR(6, s.m, end.m, 500.0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_from_pair(own.st, &wide, 1, 2.0, far.g, g1, 0.1));
        SAME(6, lie_state_m(LIE_STATE(&wide)), end.m);
        s = far;
        TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_state_from_pair(own.st, &s, 2, 2.0, far.g, g1, 0.1));
        TEST_ASSERT_EQUAL(0, memcmp(&s, &far, sizeof s));
    }
}

/* Wendlandt & Marsden 1997: the free body on S3, I = diag(1, 2, 3), w = (0, 3, 4). Their discrete Lagrangian is that of
 * ep with the skew map. They start with an Euler step of 1e-5, go on to t = h and take what is there for the second
 * configuration of steps of length h. E_d at four lengths. */
void test_discrete_energies_of_wendlandt_and_marsden(void)
{
    static const double h[4] = {1e-4, 1e-3, 1e-2, 1e-1}, fine = 1e-5;
    static const double published[4] = {32.999999358, 32.999937236, 32.993725573, 32.378320384};
    lie_free_body body = {.inertia = {[0] = 1.0, [4] = 2.0, [8] = 3.0}};
    lie_system sys;
    lie_state s;
    static const double one[4] = {1.0, 0.0, 0.0, 0.0};
    double second[4] = {1.0, 0.0, 0.5 * 3.0 * fine, 0.5 * 4.0 * fine};
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, "S3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_s3_project(second, second));
    for (int k = 0; k < 4; k++) {
        lie_discrete_values v;
        double next[4];
        walker_init(&own, &sys, "ep", "skew", NULL);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_from_pair(own.st, &s, 1, 0.0, one, second, fine));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(own.st, &s, fine, lround(h[k] / fine) - 1));
        memcpy(next, s.g, sizeof next);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_from_pair(own.st, &s, 1, 0.0, one, next, h[k]));
        for (int i = 0; i < 200; i++) {
            double before[4];
            memcpy(before, s.g, sizeof before);
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(own.st, &s, h[k]));
            TEST_ASSERT_EQUAL(LIE_OK, lie_discrete_read(own.st, &v, 0.0, before, s.g, h[k]));
            TEST_ASSERT_TRUE(fabs(v.energy - published[k]) < (k == 0 ? 1e-9 : 6e-10));
        }
        printf("h = %g: E_d = %.9f, published %.9f\n", h[k], v.energy, published[k]);
    }
}

void test_discrete_statuses_of_init_and_reading(void)
{
    static const char *const not_offered[] = {"sv_triple4", "rkmk4", "dmv", "split2", "pirk8", "gauss2", "lobatto3a3"};
    double one[9] = {[0] = 1.0, [4] = 1.0, [8] = 1.0}, half[9] = {[0] = -1.0, [4] = -1.0, [8] = 1.0};
    double bad[9] = {[0] = (double)NAN, [4] = 1.0, [8] = 1.0};
    lie_discrete_values v;
    fixture f;
    fixture_make(&f, group("SO3", "cay"), 0);
    lie_discrete L = {.name = "nothing"};
    lie_options opt = {.discrete = &L};
    lie_stepper *st = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_stepper_init(&st, &f.sys, &opt, own.work, sizeof own.work));
    opt.method = "sv";
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_stepper_init(&st, &f.sys, &opt, own.work, sizeof own.work));
    lie_report report;
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_stepper_explain(&report, &f.sys, &opt, own.work, sizeof own.work));
    TEST_ASSERT_EQUAL_STRING("options.method", report.what);
    opt.method = "discrete", opt.discrete = NULL;
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_stepper_init(&st, &f.sys, &opt, own.work, sizeof own.work));
    TEST_ASSERT_TRUE(st == NULL);
    for (int k = 0; k < 6; k++) {
        walker_init(&builtin, &f.sys, not_offered[k], NULL, NULL);
        TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_discrete_read(builtin.st, &v, 0.0, one, one, 0.1));
    }
    for (int k = 0; k < 2; k++) {
        chart_init(&builtin, &f.sys, k ? "gauss2" : "ep", NULL);
        memset(&v, 0x5a, sizeof v);
        lie_discrete_values before = v;
        TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_discrete_read(builtin.st, &v, 0.0, one, one, 0.0));
        TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_discrete_read(builtin.st, &v, 0.0, one, one, (double)NAN));
        TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_discrete_read(builtin.st, &v, (double)INFINITY, one, one, 0.1));
        TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_discrete_read(builtin.st, &v, 0.0, bad, one, 0.1));
        TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_discrete_read(builtin.st, &v, 0.0, one, bad, 0.1));
        TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_discrete_read(builtin.st, &v, 0.0, one, half, 0.1));
        TEST_ASSERT_EQUAL(0, memcmp(&before, &v, sizeof v));
        TEST_ASSERT_EQUAL(LIE_OK, lie_discrete_read(builtin.st, &v, 0.0, one, one, 0.1));
        TEST_ASSERT_TRUE(v.lagrangian == 0.0 && v.energy == 0.0 && v.p0[0] == 0.0 && v.p1[2] == 0.0);
    }
}
