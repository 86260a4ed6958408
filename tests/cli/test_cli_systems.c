/* SPDX-License-Identifier: MIT */
/* Every system of systems.def, by its ready scenario scenarios/<name>.yaml: it is built on each of its groups and
 * stepped, its derivatives are right, and each of its parameters changes its motion. SOURCE_ROOT is the top of the
 * source tree. */
#define _POSIX_C_SOURCE 200809L
#include "cli/scenario/scenario_reading.h"
#include "tests/support/capture.h"
#include "tests/support/near.h"
#include "tests/support/random.h"

enum { CHANGES = 24, LENGTH = 600 };
typedef struct changes {
    char text[CHANGES][LENGTH];
    int count;
} changes;

static scenario ready(int system, changes *with)
{
    char path[500], *list[CHANGES];
    capture c;
    scenario s;
    for (int i = 0; i < with->count; i++) list[i] = with->text[i];
    snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_ROOT, scenario_system_name(system));
    capture_begin(&c);
    cli_exit code = scenario_read(&s, path, with->count, list);
    capture_end(&c);
    TEST_ASSERT_EQUAL_MESSAGE(EXIT_FINE, code, c.text);
    return s;
}

/* A generic state near the start. */
static void state_near(const scenario *s, lie_random *rng, double *g, double *xi)
{
    const lie_ops *G = s->system.group;
    double x[LIE_DIM_MAX], near[LIE_SIZE_MAX], more[LIE_DIM_MAX];
    random_vector(rng, G->dim, x, 0.5);
    random_vector(rng, G->dim, more, 0.7);
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, near, x));
    G->mul(G, g, s->start.g, near);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(&s->system, xi, &s->start));
    for (int i = 0; i < G->dim; i++) xi[i] += more[i];
}

void test_systems_step_on_each_of_their_groups(void)
{
    for (int i = 0; i < SYSTEMS; i++)
        for (const char *at = scenario_system_at(i)->groups; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL) {
            changes group = {.count = 1};
            snprintf(group.text[0], LENGTH, "group=%.*s", (int)strcspn(at, " "), at);
            scenario s = ready(i, &group);
            TEST_ASSERT_EQUAL_STRING(scenario_system_name(i), s.system.name);
            TEST_ASSERT_EQUAL(scenario_system_at(i)->dim, s.system.group->dim);
            lie_stepper *st;
            lie_state x = s.start;
            size_t bytes = lie_stepper_memsize(&s.system, &s.options);
            void *work = malloc(bytes);
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &s.system, &s.options, work, bytes));
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(st, &x, s.step, 20), s.name);
            free(work);
            scenario_free(&s);
        }
}

void test_systems_have_the_derivatives_of_their_functions(void)
{
    lie_random rng = {31u};
    for (int i = 0; i < SYSTEMS; i++) {
        changes none = {.count = 0};
        scenario s = ready(i, &none);
        for (int k = 0; k < 10; k++) {
            double g[LIE_SIZE_MAX], xi[LIE_DIM_MAX];
            lie_system_report report;
            state_near(&s, &rng, g, xi);
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&s.system, &report, 0.0, g, xi, NULL));
            TEST_ASSERT_TRUE_MESSAGE(report.error < 1e-9, s.name);
        }
        scenario_free(&s);
    }
}

/* What moves the system at a state: its energy, its momentum, and how that changes. */
enum { EFFECTS = 1 + 2 * LIE_DIM_MAX };
static void effects(const scenario *s, const double *g, const double *xi, double out[EFFECTS])
{
    memset(out, 0, EFFECTS * sizeof *out);
    out[0] = lie_system_energy(&s->system, g, xi);
    lie_system_momentum(&s->system, out + 1, g, xi);
    lie_system_momentum_rate(&s->system, out + 1 + s->system.group->dim, 0.0, g, xi, NULL);
}

/* "parameters.centre=[0.375, -0.25, 1.25]": what the scenario has, larger by a quarter; a quarter where the last is 0 */
static void change(changes *out, const scenario *s, key_id key)
{
    const key_value *v = &s->store->values.of[key];
    bool is_number = scenario_keys[key].kind == NUMBER;
    int size = scenario_keys[key].size, count = is_number ? 1 : v->any ? (int)v->count : size > 0 ? size : 6;
    char *text = out->text[out->count++];
    size_t n = (size_t)snprintf(text, LENGTH, "%s=%s", scenario_keys[key].path, is_number ? "" : "[");
    for (int i = 0; i < count; i++) {
        double x = v->any ? v->number[i] : 0.0;
        x = i == count - 1 && x == 0.0 ? 0.25 : 1.25 * x;
        n += (size_t)snprintf(text + n, LENGTH - n, "%s%.17g", i == 0 ? "" : ", ", x);
    }
    snprintf(text + n, LENGTH - n, "%s", is_number ? "" : "]");
}

/* The parameters of a system that a test can change: thrusters need a control to act. */
static int parameters_of(int system, key_id *keys)
{
    int n = 0;
    for (const scenario_parameter *p = scenario_system_at(system)->parameters; p->key != NO_KEY; p++)
        if (scenario_keys[p->key].kind != PLACES) keys[n++] = p->key;
    return n;
}

/* All that the scenario does not give is given, so that a place where no weight acts is not asked for its effect. */
void test_systems_move_by_each_of_their_parameters(void)
{
    for (int i = 0; i < SYSTEMS; i++) {
        key_id keys[CHANGES];
        int count = parameters_of(i, keys);
        changes all = {.count = 0};
        scenario s = ready(i, &all);
        for (int k = 0; k < count; k++)
            if (!s.store->values.of[keys[k]].any) change(&all, &s, keys[k]);
        scenario_free(&s);
        s = ready(i, &all);
        for (int k = 0; k < count; k++) {
            lie_random rng = {59u};
            double g[LIE_SIZE_MAX], xi[LIE_DIM_MAX], before[EFFECTS], after[EFFECTS];
            changes with = all;
            change(&with, &s, keys[k]);
            scenario other = ready(i, &with);
            state_near(&s, &rng, g, xi);
            effects(&s, g, xi, before);
            effects(&other, g, xi, after);
            TEST_ASSERT_TRUE_MESSAGE(memcmp(before, after, sizeof before) != 0, scenario_keys[keys[k]].path);
            scenario_free(&other);
        }
        scenario_free(&s);
    }
}
