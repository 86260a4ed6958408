/* SPDX-License-Identifier: MIT */
/* What the program writes about scenarios, and the ready ones: defaults that run, examples of keys that are valid, the
 * reference in docs/, scenarios/. Then the fingerprint, and locales. SOURCE_ROOT is the top of the source tree. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <locale.h>

#include "cli/scenario/scenario.h"
#include "cli/scenario/scenario_keys.h"
#include "tests/support/capture.h"
#include "tests/support/near.h"

static lie_state stepped(const scenario *s, long long n)
{
    lie_stepper *st;
    lie_state x = s->start;
    size_t bytes = lie_stepper_memsize(&s->system, &s->options);
    void *work = malloc(bytes);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &s->system, &s->options, work, bytes));
    lie_status status = lie_run(st, &x, s->step, n);
    free(work);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, status, s->name);
    return x;
}

static scenario read_ready(const char *name, int overrides, char **override)
{
    char path[500];
    capture c;
    scenario s;
    snprintf(path, sizeof path, "%s/scenarios/%s", SOURCE_ROOT, name);
    capture_begin(&c);
    cli_exit code = scenario_read(&s, path, overrides, override);
    capture_end(&c);
    TEST_ASSERT_EQUAL_MESSAGE(EXIT_FINE, code, c.text);
    TEST_ASSERT_EQUAL_STRING("", c.text);
    return s;
}

static scenario ready_with(const char *name, const char *override)
{
    char room[300], *list[1] = {room};
    snprintf(room, sizeof room, "%s", override);
    return read_ready(name, 1, list);
}

static char *printed(void (*print)(FILE *), size_t *bytes)
{
    FILE *file = tmpfile();
    TEST_ASSERT_NOT_NULL(file);
    print(file);
    char *text = read_whole(file, bytes);
    fclose(file);
    return text;
}

void test_scenario_defaults_are_a_scenario_that_runs(void)
{
    size_t bytes;
    char *text = printed(scenario_print_defaults, &bytes);
    scenario s;
    TEST_ASSERT_EQUAL(EXIT_FINE, scenario_parse(&s, "defaults", text, bytes, 0, NULL));
    TEST_ASSERT_EQUAL_STRING("heavy_top", s.system.name);
    stepped(&s, 100);
    scenario_free(&s);
    free(text);
}

/* Every key stands in the defaults, with or without a # before it, and every line is of readable length. */
void test_scenario_defaults_have_every_key(void)
{
    size_t bytes;
    char *text = printed(scenario_print_defaults, &bytes);
    for (int k = 0; k < KEYS; k++) {
        char live[80], hidden[80];
        const char *indent = scenario_keys[k].parent == NO_KEY ? "" : "  ";
        snprintf(live, sizeof live, "\n%s%s: ", indent, scenario_keys[k].name);
        snprintf(hidden, sizeof hidden, "\n# %s%s: ", indent, scenario_keys[k].name);
        TEST_ASSERT_TRUE_MESSAGE(strstr(text, live) || strstr(text, hidden), scenario_keys[k].path);
    }
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        TEST_ASSERT_TRUE_MESSAGE(strlen(line) <= 120, line);
    free(text);
}

/* The example of a key, as an override of the ready scenario of a system that has the key. */
static void check_example(key_id k, int system)
{
    static const struct {
        key_id key;
        const char *with;
    } needs[] = {
        {key_tableau, "order="},
        {key_tableau, "method=vprk"},
        {key_order, "method=sv"},
        {key_anchor, "order="},
        {key_anchor, "method=vprk"},
        {key_anchor, "tableau=gauss2"},
        {key_terms, "order="},
        {key_terms, "method=rkmk4"},
        {key_terms, "retraction=exp"},
        {newmark_beta, "order="},
        {newmark_beta, "method=newmark"},
        {newmark_gamma, "order="},
        {newmark_gamma, "method=newmark"},
        {key_tolerance, "order="},
        {key_tolerance, "method=rkmk_dopri5"},
        {key_control, "parameters.thrusters=[{at: [0, 0, 0], along: [1, 0, 0]}]"},
        {output_aem, "output={object: A, epoch: 2026-01-01T00:00:00}"},
        {checkpoint_seconds, "checkpoint.file=x"},
        {key_end, "step=0.1"},
        {key_method, "order="},
        {target_weight, "target.inputs=[1, 0, 0, 0, 1, 0]"},
        {target_fuel, "target.inputs=[1, 0, 0, 0, 1, 0]"},
        {target_limit, "target.inputs=[1, 0, 0, 0, 1, 0]"},
    };
    char file[40], example[200], with[3][100], *override[4] = {example};
    int count = 1;
    snprintf(file, sizeof file, "%s.yaml", scenario_system_name(system));
    snprintf(example, sizeof example, "%s=%s", scenario_keys[k].path, scenario_keys[k].example);
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (needs[i].key == k) {
            snprintf(with[count - 1], sizeof with[0], "%s", needs[i].with);
            override[count] = with[count - 1];
            count++;
        }
    scenario s = read_ready(file, count, override);
    scenario_free(&s);
}

/* Of keys whose length depends on the system the example is for one of them. */
static bool example_is_for(key_id k, int system)
{
    const char *name = scenario_system_name(system);
    if (scenario_keys[k].kind == MAPPING || k == key_system || !system_has(system, k)) return false;
    if (k == key_terms || scenario_keys[k].parent == key_newmark) return strcmp(name, "free_body") == 0;
    if (k == key_group) return strcmp(scenario_system_at(system)->groups, "S3 SO3") == 0;
    if (k == parameters_inertia || k == start_momentum) return strcmp(name, "free_body") == 0;
    if (scenario_keys[k].parent == key_target && scenario_keys[k].size <= 0 && scenario_keys[k].kind == NUMBERS &&
        k != target_position && k != target_velocity)
        return strcmp(name, "free_body") == 0; /* of inputs */
    return (k != start_position && k != start_velocity && k != target_position && k != target_velocity) ||
           strcmp(name, "orbiter") == 0;
}

void test_scenario_examples_of_keys_are_valid(void)
{
    for (int k = 0; k < KEYS; k++)
        for (int i = 0; scenario_system_name(i); i++)
            if (example_is_for((key_id)k, i)) check_example((key_id)k, i);
}

void test_scenario_ready_ones_run(void)
{
    DIR *folder = opendir(SOURCE_ROOT "/scenarios");
    int count = 0;
    TEST_ASSERT_NOT_NULL(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (!strstr(entry->d_name, ".yaml")) continue;
        scenario s = read_ready(entry->d_name, 0, NULL);
        stepped(&s, 10);
        scenario_free(&s);
        count++;
    }
    closedir(folder);
    TEST_ASSERT_TRUE(count >= 7);
}

/* Bruels, Cardona & Arnold 2012: the rate in space about the second axis at t = 2 */
void test_scenario_ready_heavy_top_meets_the_published_value(void)
{
    double w[3], R[9];
    scenario s = read_ready("heavy_top.yaml", 0, NULL);
    lie_state x = stepped(&s, s.steps);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(&s.system, w, &x));
    lie_quat_to_matrix(R, x.g);
    double rate = R[3] * w[0] + R[4] * w[1] + R[5] * w[2];
    TEST_ASSERT_TRUE(fabs(rate - -106.16380414306643) < 2e-8);
    scenario_free(&s);
}

/* What the head of scenarios/vehicle.yaml says of its orbit */
void test_scenario_ready_vehicle_has_its_invariants(void)
{
    double energy;
    scenario s = read_ready("vehicle.yaml", 0, NULL);
    const double *m = s.start.m;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&s.system, &energy, &s.start));
    NEAR(1, &energy, ((double[1]){30}), 4);
    NEAR(1, ((double[1]){m[0] * m[3] + m[1] * m[4] + m[2] * m[5]}), ((double[1]){2}), 16);
    NEAR(1, ((double[1]){sqrt(m[3] * m[3] + m[4] * m[4] + m[5] * m[5])}), ((double[1]){4}), 4);
    scenario_free(&s);
}

static unsigned long long fingerprint(const char *override)
{
    scenario s = ready_with("heavy_top.yaml", override);
    unsigned long long f = s.fingerprint;
    scenario_free(&s);
    return f;
}

void test_scenario_fingerprint_is_that_of_what_happens(void)
{
    static const char *const same[] = {
        "output.directory=/tmp",
        "checkpoint={file: a.c, seconds: 3}",
        "parameters.gravity=",
        "parameters.inertia=[15.234375, 0, 0, 0.46875, 0, 15.234375]",
        "steps=2000",
        "method=auto",
        "max_iterations=50",
        "start.mrp=[0, 0, 0]",
    };
    static const char *const other[] = {
        "group=SO3",
        "parameters.inertia=[15.234375, 0.46876, 15.234375]",
        "parameters.mass=15.1",
        "parameters.centre=[0, 1, 1e-300]",
        "parameters.gravity=9.80665",
        "start.time=1",
        "start.mrp=[0, 0, 1e-9]",
        "start.momentum=[0, 0, 1]",
        "method=split4",
        "retraction=cay",
        "step=0.002",
        "end=4",
        "max_iterations=49",
        "output.every=11",
        "output.csv=b.csv",
        "output.csv=",
        "output.npy=b.npy",
        "output.plot=b.svg",
        "output={aem: a, object: A, epoch: 2026-01-01T00:00:00}",
        "output={aem: a, object: B, epoch: 2026-01-01T00:00:00}",
        "output={aem: a, object: A, epoch: 2026-01-01T00:00:01}",
    };
    enum { OTHERS = sizeof other / sizeof other[0] };
    unsigned long long f = fingerprint("output.directory=."), seen[OTHERS];
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        TEST_ASSERT_TRUE_MESSAGE(fingerprint(same[i]) == f, same[i]);
    for (int i = 0; i < OTHERS; i++) {
        seen[i] = fingerprint(other[i]);
        TEST_ASSERT_TRUE_MESSAGE(seen[i] != f, other[i]);
        for (int j = 0; j < i; j++) TEST_ASSERT_TRUE_MESSAGE(seen[i] != seen[j], other[i]);
    }
}

/* It is kept in checkpoints: the number itself must not change from machine to machine. */
void test_scenario_fingerprint_is_the_same_everywhere(void)
{
    static const char text[] =
        "system: free_body\nparameters: {inertia: [1, 2, 2.5]}\nmethod: sv\nstep: 0.5\nsteps: 7\n";
    scenario s;
    TEST_ASSERT_EQUAL(EXIT_FINE, scenario_parse(&s, "t", text, sizeof text - 1, 0, NULL));
    TEST_ASSERT_EQUAL_HEX64(0x29984DBEB4C4719Fu, s.fingerprint);
    scenario_free(&s);
}

/* With a decimal comma all around, numbers are still read with a point; and the locale is as before afterwards. */
void test_scenario_decimal_comma_does_not_matter(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR", "nl_NL.UTF-8"};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof names / sizeof names[0]; i++)
        found = setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',';
    if (!found) {
        setlocale(LC_ALL, "C");
        TEST_IGNORE_MESSAGE("no locale with a decimal comma is installed here");
    }
    scenario s = ready_with("heavy_top.yaml", "step=0.0005");
    bool comma = localeconv()->decimal_point[0] == ',';
    setlocale(LC_ALL, "C");
    TEST_ASSERT_TRUE(comma && s.step == 0.0005 && s.steps == 4000);
    TEST_ASSERT_TRUE(((const lie_heavy_top *)s.system.params)->inertia[4] == 0.46875);
    scenario_free(&s);
}
