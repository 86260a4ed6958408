/* SPDX-License-Identifier: MIT */
/* Scenarios that are right: every system and every form of its start, overrides, families of methods, outputs. */
#define _POSIX_C_SOURCE 200809L
#include "cli/scenario/scenario.h"
#include "cli/scenario/scenario_keys.h"
#include "tests/support/capture.h"
#include "tests/support/near.h"

/* Short scenarios; every system there is is tested by test_cli_systems. */
static const char *const shortest[SYSTEMS] = {
    [system_free_body] = "system: free_body\nparameters: {inertia: [1, 2, 2.5]}\nstep: 0.01\nsteps: 100\n",
    [system_heavy_top] =
        "system: heavy_top\nparameters: {inertia: [1, 2, 2.5], mass: 1.5, centre: [0.3, -0.2, 1]}\nstep: 0.01\nsteps: "
        "100\n",
    [system_turntable] =
        "system: turntable\nparameters: {inertia: [1, 2, 2.5], mass: 1.5, centre: [0.3, -0.2, 1], rate: 0.5}\n"
        "step: 0.01\nsteps: 100\n",
    [system_satellite] =
        "system: satellite\nparameters: {inertia: [1, 2, 2.5], orbit_rate: 0.3}\nstep: 0.01\nsteps: 100\n",
    [system_orbiter] =
        "system: orbiter\nparameters: {inertia: [1, 2, 2.5], mass: 3, gm: 9}\nstart: {position: [7, 0, 0]}\n"
        "step: 0.01\nsteps: 100\n",
    [system_spacecraft] =
        "system: spacecraft\nparameters: {inertia: [1, 2, 2.5], mass: 3, gm: 9}\nstart: {position: [7, 0, 0]}\n"
        "step: 0.01\nsteps: 100\n",
    [system_vehicle] = "system: vehicle\nparameters: {inertia: [1, 2, 2.5, 7, 8, 9]}\nstep: 0.01\nsteps: 100\n",
    [system_particle] =
        "system: particle\nparameters: {inertia: [1, 1]}\nstart: {position: [1.1, 0]}\nstep: 0.01\nsteps: 100\n",
};

static scenario parsed(const char *text, int overrides, char **override)
{
    capture c;
    scenario s;
    capture_begin(&c);
    cli_exit code = scenario_parse(&s, "t.yaml", text, strlen(text), overrides, override);
    capture_end(&c);
    TEST_ASSERT_EQUAL_MESSAGE(EXIT_FINE, code, c.text);
    TEST_ASSERT_EQUAL_STRING("", c.text);
    return s;
}

/* With one override, written here. */
static scenario parsed_with(const char *text, const char *override)
{
    char room[300], *list[1] = {room};
    snprintf(room, sizeof room, "%s", override);
    return parsed(text, 1, list);
}

/* n steps; the last state */
static lie_state stepped(const scenario *s, long long n)
{
    lie_stepper *st;
    lie_state x = s->start;
    size_t bytes = lie_stepper_memsize(&s->system, &s->options);
    void *work = malloc(bytes);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &s->system, &s->options, work, bytes));
    if (s->u) lie_stepper_control(st, s->u, s->u);
    lie_status status = lie_run(st, &x, s->step, n);
    free(work);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, status, s->name);
    TEST_ASSERT_EQUAL_INT64(n, x.steps);
    return x;
}

void test_scenario_short_ones_build_and_step(void)
{
    for (int i = 0; i < SYSTEMS; i++) {
        if (!shortest[i]) continue;
        scenario s = parsed(shortest[i], 0, NULL);
        TEST_ASSERT_EQUAL_STRING(scenario_system_name(i), s.system.name);
        TEST_ASSERT_EQUAL_INT64(100, s.steps);
        stepped(&s, s.steps);
        scenario_free(&s);
    }
    TEST_ASSERT_NULL(scenario_system_name(SYSTEMS));
}

void test_scenario_attitude_systems_live_on_both_groups(void)
{
    for (int i = 0; i < 4; i++) {
        scenario a = parsed_with(shortest[i], "group=S3"), b = parsed_with(shortest[i], "group=SO3");
        TEST_ASSERT_EQUAL(4, a.system.group->size);
        TEST_ASSERT_EQUAL(9, b.system.group->size);
        double R[9];
        lie_state x = stepped(&a, 100), y = stepped(&b, 100);
        lie_quat_to_matrix(R, x.g);
        NEAR(9, y.g, R, 4000);
        scenario_free(&a);
        scenario_free(&b);
    }
}

void test_scenario_parameters_arrive_in_the_system(void)
{
    scenario s = parsed("system: turntable\nparameters:\n  inertia: [1.1, 0.1, -0.2, 2.3, 0.15, 2.9]\n  mass: 0.8\n"
                        "  centre: [0.3, -0.2, 1]\n  gravity: 3.7\n  rate: 1.7\nstep: 1e-2\nsteps: 1e3\n",
                        0, NULL);
    const lie_turntable *p = s.system.params;
    const double J[9] = {1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, centre[3] = {0.3, -0.2, 1};
    SAME(9, p->top.inertia, J);
    SAME(3, p->top.centre, centre);
    TEST_ASSERT_TRUE(p->top.mass == 0.8 && p->top.gravity == 3.7 && p->rate == 1.7);
    TEST_ASSERT_EQUAL_INT64(1000, s.steps);
    scenario_free(&s);
    s = parsed_with(shortest[system_satellite], "parameters.wheels=[0.1, 0.2, 0.3]");
    const lie_satellite *q = s.system.params;
    TEST_ASSERT_TRUE(q->wheels[0] == 0.1 && q->wheels[2] == 0.3 && q->orbit_rate == 0.3);
    scenario_free(&s);
    s = parsed_with(shortest[system_orbiter], "parameters.gm=");
    const lie_orbiter *o = s.system.params;
    TEST_ASSERT_TRUE(o->gm == 3.986004418e14 && o->inertia[14] == 2.5 && o->inertia[35] == 3.0 && o->inertia[3] == 0.0);
    scenario_free(&s);
    s = parsed_with(shortest[system_spacecraft], "start.velocity=[0.1, 1.2, 0.3]");
    const lie_orbiter *craft = s.system.params;
    TEST_ASSERT_TRUE(craft->gm == 9.0 && craft->inertia[7] == 2.0 && craft->inertia[28] == 3.0);
    TEST_ASSERT_TRUE(s.start.g[9] == 7.0 && fabs(s.start.m[4] - 3.6) < 1e-15);
    scenario_free(&s);
    s = parsed_with(shortest[system_particle], "parameters={inertia: [1, 0.5, 2], drag: 0.25}");
    const lie_particle *r = s.system.params;
    TEST_ASSERT_TRUE(r->inertia[1] == 0.5 && r->inertia[2] == 0.5 && r->inertia[3] == 2.0 && r->drag == 0.25);
    scenario_free(&s);
}

void test_scenario_vehicle_has_all_its_parameters(void)
{
    scenario s =
        parsed("system: vehicle\nparameters:\n  inertia: [1, 2, 2.5, 7, 8, 9]\n  weight: 11\n  buoyancy: 12.5\n"
               "  weight_at: [0.02, -0.01, -0.3]\n  buoyancy_at: [0, 0.03, 0.1]\n"
               "  linear_drag: [1, 2, 3, 4, 5, 6]\n  quadratic_drag: [6, 5, 4, 3, 2, 1]\n  thrusters:\n"
               "    - {at: [-1, 0.2, 0], along: [1, 0, 0]}\n    - along: [0.8, 0, 0.6]\n      at: [-1, -0.2, 0]\n"
               "control: [3, -4]\nstep: 0.01\nsteps: 50\n",
               0, NULL);
    const lie_vehicle *p = s.system.params;
    TEST_ASSERT_TRUE(p->inertia[35] == 9.0 && p->weight == 11.0 && p->buoyancy == 12.5 && p->weight_at[2] == -0.3);
    TEST_ASSERT_TRUE(p->buoyancy_at[1] == 0.03 && p->linear_drag[28] == 5.0 && p->quadratic_drag[0] == 6.0);
    TEST_ASSERT_EQUAL(2, s.system.controls);
    TEST_ASSERT_TRUE(p->thruster_at[1][1] == -0.2 && p->thruster_along[1][2] == 0.6 && s.u[1] == -4.0);
    lie_state with = stepped(&s, 50);
    s.u = NULL;
    lie_state without = stepped(&s, 50);
    TEST_ASSERT_TRUE(fabs(with.m[3] - without.m[3]) > 1e-3);
    scenario_free(&s);
}

/* text -> warning on this line, but no error */
static void warned(const char *text, const char *begins)
{
    capture c;
    scenario s;
    capture_begin(&c);
    cli_exit code = scenario_parse(&s, "t.yaml", text, strlen(text), 0, NULL);
    capture_end(&c);
    TEST_ASSERT_EQUAL_MESSAGE(EXIT_FINE, code, c.text);
    TEST_ASSERT_EQUAL_STRING_LEN_MESSAGE(begins, c.text, strlen(begins), c.text);
    scenario_free(&s);
}

void test_scenario_added_mass_may_break_the_triangle_inequality(void)
{
    warned("system: vehicle\nparameters:\n  inertia: [1, 2, 3.5, 7, 8, 9]\nstep: 0.01\nsteps: 9\n",
           "liestep: warning: t.yaml:3: parameters.inertia: principal moments 1, 2, 3.5: 3.5 > 1 + 2");
    warned("system: vehicle\nparameters:\n  inertia: [1, 2, 3, 7, 8, 9]\n  thrusters: [{at: [0,0,0], along: [2,0,0]}]\n"
           "step: 0.01\nsteps: 9\n",
           "liestep: warning: t.yaml:4: parameters.thrusters: entry 1: along has length 2");
}

void test_scenario_one_attitude_in_all_its_forms(void)
{
    static const char *const forms[] = {
        "start.euler_zyx=[0.5, -0.4, 0.3]",
        "start.euler_zyx_deg=[28.64788975654116, -22.91831180523293, 17.188733853924695]",
    };
    static const char *const keys[] = {"euler_zxz", "euler_zxz_deg", "mrp", "rotvec", "matrix", "quaternion"};
    double q[4], given[6][9], R[9];
    lie_euler_zyx_to_quat(q, (const double[3]){0.5, -0.4, 0.3});
    TEST_ASSERT_EQUAL(LIE_OK, lie_quat_to_euler_zxz(given[0], q));
    for (int i = 0; i < 3; i++) given[1][i] = given[0][i] * (180.0 / NEAR_PI);
    TEST_ASSERT_EQUAL(LIE_OK, lie_quat_to_mrp(given[2], q));
    TEST_ASSERT_EQUAL(LIE_OK, lie_quat_to_rotvec(given[3], q));
    lie_quat_to_matrix(R, q);
    lie_quat_to_matrix(given[4], q);
    memcpy(given[5], q, sizeof q);
    for (int k = 0; k < 8; k++) {
        char text[400];
        int n = k < 2 ? 0 : k < 6 ? 3 : k == 6 ? 9 : 4;
        if (k < 2)
            snprintf(text, sizeof text, "%s", forms[k]);
        else
            snprintf(text, sizeof text, "start.%s=[", keys[k - 2]);
        for (int i = 0; i < n; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%.17g%s", given[k - 2][i],
                     i + 1 < n ? "," : "]");
        scenario s = parsed_with(shortest[system_heavy_top], text), m = parsed_with(shortest[system_vehicle], text);
        NEAR(4, s.start.g, q, 8);
        NEAR(9, m.start.g, R, 8);
        scenario_free(&s);
        scenario_free(&m);
    }
}

void test_scenario_normalize_takes_the_nearest_rotation(void)
{
    const double half = 0.70710678118654752;
    scenario s = parsed_with(shortest[system_heavy_top], "start={quaternion: [3, 0, 3, 0], normalize: true}");
    NEAR(4, s.start.g, ((double[4]){half, 0, half, 0}), 2);
    scenario_free(&s);
    s = parsed_with(shortest[system_vehicle], "start={matrix: [0, -1.001, 0, 1, 0, 0, 0, 0, 0.999], normalize: true}");
    NEAR(9, s.start.g, ((double[9]){0, -1, 0, 1, 0, 0, 0, 0, 1}), 8);
    scenario_free(&s);
    s = parsed_with(shortest[system_heavy_top], "start.quaternion=[0.7071067812, 0, 0.7071067812, 0]");
    NEAR(4, s.start.g, ((double[4]){half, 0, half, 0}), 2);
    scenario_free(&s);
}

void test_scenario_velocities_and_momenta(void)
{
    double xi[6];
    scenario s = parsed_with(shortest[system_heavy_top], "start.angular_velocity_deg=[180, 90, -36]");
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(&s.system, xi, &s.start));
    NEAR(3, xi, ((double[3]){NEAR_PI, NEAR_PI / 2, -NEAR_PI / 5}), 2);
    scenario_free(&s);
    s = parsed_with(shortest[system_heavy_top], "start.momentum=[0.5, -3, 4]");
    SAME(3, s.start.m, ((double[3]){0.5, -3, 4}));
    scenario_free(&s);
    s = parsed_with(shortest[system_vehicle],
                    "start={position: [1, 2, 3], velocity: [4, 5, 6], angular_velocity: [7, 8, 9], time: -2}");
    SAME(6, s.start.m, ((double[6]){7, 16, 22.5, 28, 40, 54}));
    SAME(3, s.start.g + 9, ((double[3]){1, 2, 3}));
    TEST_ASSERT_TRUE(s.start.t == -2.0);
    scenario_free(&s);
    s = parsed_with(shortest[system_particle], "start={position: [1, 2], velocity: [4, 5]}");
    SAME(2, s.start.g, ((double[2]){1, 2}));
    SAME(2, s.start.m, ((double[2]){4, 5}));
    scenario_free(&s);
}

void test_scenario_order_picks_the_member_of_a_family(void)
{
    static const struct {
        const char *method, *order, *retraction, *expected;
    } cases[] = {
        {"sv", "2", "cay", "sv"},
        {"sv", "4", "cay", "sv_suzuki4"},
        {"sv", "6", "exp", "sv_kahanli6"},
        {"sv", "8", "cay", "sv_kahanli8"},
        {"gauss", "6", "cay", "gauss3"},
        {"gauss", "2", "skew", "gauss1"},
        {"midpoint", "4", "exp", "midpoint_suzuki4"},
        {"midpoint", "2", "cay", "midpoint"},
        {"lobatto3a", "4", "cay", "lobatto3a3"},
        {"lobatto3b", "6", "cay", "lobatto3b4"},
        {"sv_yoshida6", "6", "cay", "sv_yoshida6"},
        {"ve_bwd", "1", "cay", "ve_bwd"},
        {"stoermer_verlet", "6", "cay", "sv_kahanli6"},
        {"variational_gauss", "4", "cay", "gauss2"},

        {"variational_midpoint_triple4", "4", "exp", "midpoint_triple4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char method[60], order[60], retraction[60], *override[3] = {method, order, retraction};
        snprintf(method, sizeof method, "method=%s", cases[i].method);
        snprintf(order, sizeof order, "order=%s", cases[i].order);
        snprintf(retraction, sizeof retraction, "retraction=%s", cases[i].retraction);
        scenario s = parsed(shortest[system_heavy_top], 3, override);
        TEST_ASSERT_EQUAL_STRING(cases[i].expected, s.options.method);
        TEST_ASSERT_EQUAL_STRING(cases[i].retraction, s.options.retraction);
        stepped(&s, 2);
        scenario_free(&s);
    }
}

void test_scenario_every_method_and_retraction_can_be_named(void)
{
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *m = lie_method_builtin(i);
        char method[80], tableau[] = "tableau=radau2a2", *override[2] = {method, tableau};
        snprintf(method, sizeof method, "method=%s", m->name);
        int on_s3 = !m->groups || strstr(m->groups, "S3");
        scenario s = parsed(shortest[on_s3 ? system_free_body : system_vehicle], m->needs_tableau ? 2 : 1, override);
        TEST_ASSERT_EQUAL_STRING(m->name, s.options.method);
        stepped(&s, 2);
        scenario_free(&s);
    }
    scenario named = parsed_with(shortest[system_heavy_top], "method=stoermer_verlet");
    TEST_ASSERT_EQUAL_STRING("sv", named.options.method);
    scenario_free(&named);
    static const char *const retractions[] = {"retraction=exp", "retraction=cay", "retraction=skew"};
    for (int i = 0; i < 3; i++) {
        scenario s = parsed_with(shortest[system_particle], retractions[i]);
        stepped(&s, 2);
        scenario_free(&s);
    }
}

/* Both coefficients, one, none; and they count for the fingerprint. */
void test_scenario_newmark_coefficients(void)
{
    static const struct {
        char override[60];
        double beta, gamma; /* beta < 0: the scenario gives none */
    } cases[] = {{"newmark={beta: 0.1, gamma: 0.6}", 0.1, 0.6},
                 {"newmark.beta=0", 0.0, 0.5},
                 {"newmark.gamma=0.75", 0.25, 0.75},
                 {"steps=100", -1.0, 0.5}};
    unsigned long long fingerprint[4];
    double end[4];
    for (int i = 0; i < 4; i++) {
        char method[] = "method=newmark", override[60], *overrides[2] = {method, override};
        memcpy(override, cases[i].override, sizeof override);
        scenario s = parsed(shortest[system_particle], 2, overrides);
        TEST_ASSERT_EQUAL(cases[i].beta >= 0.0, s.options.newmark != NULL);
        if (s.options.newmark) TEST_ASSERT_TRUE(s.options.newmark[0] == cases[i].beta);
        if (s.options.newmark) TEST_ASSERT_TRUE(s.options.newmark[1] == cases[i].gamma);
        end[i] = stepped(&s, 20).m[0];
        fingerprint[i] = s.fingerprint;
        scenario_free(&s);
        for (int k = 0; k < i; k++) TEST_ASSERT_TRUE(fingerprint[k] != fingerprint[i] && end[k] != end[i]);
    }
}

void test_scenario_end_counts_the_steps(void)
{
    static const struct {
        const char *start, *step, *end;
        long long steps;
    } cases[] = {
        {"0", "0.01", "1", 100},
        {"0", "0.1", "0.3", 3},
        {"0", "1e-3", "1e6", 1000000000},
        {"5", "0.05", "4005", 80000},
        {"1", "-0.25", "-1", 8},
        {"0", "0.1", "831199684.9", 8311996849}, /* the quotient is off by 1e-6, by rounding */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char time[60], step[60], end[60], *override[3] = {time, step, end};
        snprintf(time, sizeof time, "start.time=%s", cases[i].start);
        snprintf(step, sizeof step, "step=%s", cases[i].step);
        snprintf(end, sizeof end, "end=%s", cases[i].end);
        scenario s = parsed(shortest[system_free_body], 3, override);
        TEST_ASSERT_EQUAL_INT64(cases[i].steps, s.steps);
        scenario_free(&s);
    }
}

void test_scenario_records_are_limited_unless_asked_for(void)
{
    static const struct {
        const char *steps;
        long long every;
    } cases[] = {{"steps=1", 1}, {"steps=10000", 1}, {"steps=10001", 2}, {"steps=1e8", 10000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scenario s = parsed_with(shortest[system_free_body], cases[i].steps);
        TEST_ASSERT_EQUAL_INT64(cases[i].every, s.output.every);
        scenario_free(&s);
    }
    scenario s = parsed_with(shortest[system_free_body], "output.every=7");
    TEST_ASSERT_EQUAL_INT64(7, s.output.every);
    scenario_free(&s);
}

void test_scenario_outputs_and_checkpoint(void)
{
    scenario s = parsed("system: free_body\nparameters: {inertia: [1, 2, 2.5]}\nstep: 0.01\nsteps: 100\noutput:\n"
                        "  directory: out/of/here\n  csv: a.csv\n  npy: a.npy\n  hdf5: a.h5\n  aem: a.aem\n"
                        "  object: SAT-1\n  epoch: 2024-02-29T23:59:59.5Z\n  plot: a.png\ncheckpoint: {file: a.c}\n",
                        0, NULL);
    TEST_ASSERT_EQUAL_STRING("out/of/here", s.output.directory);
    TEST_ASSERT_EQUAL_STRING("a.csv", s.output.csv);
    TEST_ASSERT_EQUAL_STRING("a.npy", s.output.npy);
    TEST_ASSERT_EQUAL_STRING("a.h5", s.output.hdf5);
    TEST_ASSERT_EQUAL_STRING("a.aem", s.output.aem);
    TEST_ASSERT_EQUAL_STRING("SAT-1", s.output.object);
    TEST_ASSERT_EQUAL_STRING("2024-02-29T23:59:59.5Z", s.output.epoch);
    TEST_ASSERT_EQUAL_STRING("a.png", s.output.plot);
    TEST_ASSERT_EQUAL_STRING("a.c", s.checkpoint);
    TEST_ASSERT_TRUE(s.checkpoint_seconds == 60.0);
    TEST_ASSERT_EQUAL_STRING("t.yaml", s.name);
    scenario_free(&s);
    s = parsed(shortest[system_free_body], 0, NULL);
    TEST_ASSERT_EQUAL_STRING(".", s.output.directory);
    TEST_ASSERT_NULL(s.output.csv);
    TEST_ASSERT_NULL(s.checkpoint);
    TEST_ASSERT_TRUE(s.checkpoint_seconds == 0.0);
    scenario_free(&s);
}

void test_scenario_overrides_replace_drop_and_follow_each_other(void)
{
    char a[] = "step=0.5", b[] = "step=0.25", c[] = "end=2", d[] = "start.mrp=[0,0,0.1]";
    char e[] = "start.quaternion=[1,0,0,0]", f[] = "output.csv=x.csv", g[] = "output=";
    char *override[] = {a, b, c, d, e, f, g};
    scenario s = parsed(shortest[system_heavy_top], 7, override);
    TEST_ASSERT_TRUE(s.step == 0.25);
    TEST_ASSERT_EQUAL_INT64(8, s.steps);
    SAME(4, s.start.g, ((double[4]){1, 0, 0, 0}));
    TEST_ASSERT_NULL(s.output.csv);
    scenario_free(&s);
    s = parsed("system: vehicle\nparameters: {inertia: [1, 2, 3, 4, 5, 6]}\nstart: {velocity: [1, 0, 0], "
               "angular_velocity: [1, 1, 1]}\nstep: 1e-3\nend: 1\n",
               1, (char *[]){(char[]){"start.momentum=[1,2,3,4,5,6]"}});
    SAME(6, s.start.m, ((double[6]){1, 2, 3, 4, 5, 6}));
    scenario_free(&s);
}
