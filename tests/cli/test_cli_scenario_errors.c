/* SPDX-License-Identifier: MIT */
/* Scenarios that are wrong: every complaint with its line, its key and what it says; hostile ones refused at once. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <time.h>

#include "cli/scenario/scenario.h"
#include "tests/support/capture.h"

/* A heavy top; cases replace one of its lines. */
static const char *const top[] = {
    "system: heavy_top",                    /* 1 */
    "parameters:",                          /* 2 */
    "  inertia: [1, 2, 2.5]",               /* 3 */
    "  mass: 1.5",                          /* 4 */
    "  centre: [0.3, -0.2, 1]",             /* 5 */
    "start:",                               /* 6 */
    "  angular_velocity: [0.7, 0.9, -0.6]", /* 7 */
    "step: 0.01",                           /* 8 */
    "steps: 100",                           /* 9 */
    "output:",                              /* 10 */
    "  csv: a.csv",                         /* 11 */
};
enum { LINES = sizeof top / sizeof top[0] };

static void write_top(char *out, size_t room, int line, const char *with)
{
    size_t n = 0;
    for (int i = 1; i <= LINES; i++) n += (size_t)snprintf(out + n, room - n, "%s\n", i == line ? with : top[i - 1]);
}

/* Read, and see that it is refused with exactly one message that begins and goes on like this. */
static void refused(const char *text, size_t bytes, char *override, const char *begins, const char *says)
{
    capture c;
    scenario s;
    char expected[300], shown[1200];
    capture_begin(&c);
    cli_exit code = scenario_parse(&s, "t.yaml", text, bytes, override ? 1 : 0, &override);
    capture_end(&c);
    snprintf(expected, sizeof expected, "liestep: %s", begins);
    snprintf(shown, sizeof shown, "expected '%s ... %s', got '%.700s'", expected, says, c.text);
    TEST_ASSERT_EQUAL_MESSAGE(EXIT_SCENARIO, code, shown);
    TEST_ASSERT_TRUE_MESSAGE(strncmp(c.text, expected, strlen(expected)) == 0, shown);
    TEST_ASSERT_TRUE_MESSAGE(strstr(c.text, says) != NULL, shown);
    const char *end = strchr(c.text, '\n');
    TEST_ASSERT_TRUE_MESSAGE(end && end[1] == '\0', shown);
    TEST_ASSERT_NULL(s.store);
}

typedef struct wrong {
    int line;
    const char *with, *begins, *says;
} wrong;

static void all_refused(int n, const wrong *cases)
{
    for (int i = 0; i < n; i++) {
        char text[4096];
        write_top(text, sizeof text, cases[i].line, cases[i].with);
        refused(text, strlen(text), NULL, cases[i].begins, cases[i].says);
    }
}

#define ALL_REFUSED(cases) all_refused((int)(sizeof(cases) / sizeof(cases)[0]), cases)

void test_scenario_the_top_itself_is_fine(void)
{
    char text[4096];
    scenario s;
    write_top(text, sizeof text, 0, "");
    TEST_ASSERT_EQUAL(EXIT_FINE, scenario_parse(&s, "t.yaml", text, strlen(text), 0, NULL));
    scenario_free(&s);
}

void test_scenario_keys_that_are_unknown_twice_or_missing(void)
{
    static const wrong cases[] = {
        {9, "step_s: 100\nsteps: 5", "t.yaml:9: step_s: unknown key", "did you mean 'step"},
        {5, "  center: [0.3, -0.2, 1]\n  centre: [0, 0, 1]", "t.yaml:5: parameters.center: unknown key",
         "did you mean 'centre'?"},
        {11, "  cvs: a.csv", "t.yaml:11: output.cvs: unknown key", "did you mean 'csv'?"},
        {8, "step: 0.01\nquaternion: [1, 0, 0, 0]", "t.yaml:9: quaternion: unknown key",
         "did you mean 'start.quaternion'?"},
        {11, "  zzzzzzzzz: 3", "t.yaml:11: output.zzzzzzzzz: unknown key; there are: directory, every, csv", "plot"},
        {8, "step: 0.01\nstep: 0.02", "t.yaml:9: step: is given twice", "first on line 8"},
        {5, "  centre: [0, 0, 1]\n  mass: 2", "t.yaml:6: parameters.mass: is given twice", "line 4"},
        {1, "group: S3", "t.yaml:1: system: is missing", "free_body, heavy_top"},
        {3, "", "t.yaml:2: parameters.inertia: is missing", "heavy_top needs it"},
        {4, "", "t.yaml:2: parameters.mass: is missing", "mass: 1.5"},
        {8, "", "t.yaml:1: step: is missing", "step: 0.01"},
        {9, "", "t.yaml:1: steps: is missing", "end: 100"},
        {11, "  aem: a.aem\n  epoch: 2026-01-01T00:00:00", "t.yaml:10: output.object: is missing", "SAT"},
        {11, "  aem: a.aem\n  object: SAT", "t.yaml:10: output.epoch: is missing", "2026"},
        {11, "  csv: a.csv\ncheckpoint: {seconds: 5}", "t.yaml:12: checkpoint.file: is missing", "run.checkpoint"},
        {8, "step: 0.01\nmethod: vprk", "t.yaml:1: tableau: is missing", "gauss2"},
    };
    ALL_REFUSED(cases);
}

void test_scenario_values_of_the_wrong_type(void)
{
    static const wrong cases[] = {
        {4, "  mass: heavy", "t.yaml:4: parameters.mass: expected a number", "found 'heavy'"},
        {4, "  mass: 1.5kg", "t.yaml:4: parameters.mass: expected a number", "'1.5kg'"},
        {4, "  mass: \"1.5\"", "t.yaml:4: parameters.mass: expected a number", "remove the quotes"},
        {4, "  mass: 1,5", "t.yaml:4: parameters.mass: expected a number", "'1,5'"},
        {4, "  mass: 0x10", "t.yaml:4: parameters.mass: expected a number", "'0x10'"},
        {4, "  mass: 1_000", "t.yaml:4: parameters.mass: expected a number", "'1_000'"},
        {4, "  mass: [1.5]", "t.yaml:4: parameters.mass: expected a number", "a list"},
        {4, "  mass: {a: 1}", "t.yaml:4: parameters.mass: expected a number", "a mapping"},
        {4, "  mass:", "t.yaml:4: parameters.mass: has no value", "remove the key"},
        {4, "  mass: null", "t.yaml:4: parameters.mass: has no value", ""},
        {3, "  inertia: 3", "t.yaml:3: parameters.inertia: expected a list of numbers", "found '3'"},
        {3, "  inertia:\n    - 1\n    - two\n    - 3", "t.yaml:5: parameters.inertia: entry 2: expected a number",
         "two"},
        {3, "  inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "t.yaml:3: parameters.inertia: entry 1 is a list",
         "row by row"},
        {3, "  inertia: []", "t.yaml:3: parameters.inertia: has 0 numbers", ""},
        {7, "  normalize: yes", "t.yaml:7: start.normalize: expected true or false", "'yes'"},
        {7, "  normalize: 1", "t.yaml:7: start.normalize: expected true or false", "'1'"},
        {1, "system: [heavy_top]", "t.yaml:1: system: expected a name", "a list"},
        {11, "  csv: \"\"", "t.yaml:11: output.csv: has 0 characters", "1 to 200"},
        {11, "  csv: \"a\\tb\"", "t.yaml:11: output.csv: has a control character", "a?b"},
    };
    ALL_REFUSED(cases);
    refused("system: heavy_top\nstart: fast\n", 30, NULL, "t.yaml:2: start: expected keys of its own", "'fast'");
    refused("start:\n  - quaternion: [1]\n", 27, NULL, "t.yaml:1: start: expected keys of its own", "a list");
}

void test_scenario_numbers_out_of_range(void)
{
    static const wrong cases[] = {
        {8, "step: 1e999", "t.yaml:8: step: 1e999 is too large", "1.8e308"},
        {8, "step: -1e999", "t.yaml:8: step: -1e999 is too large", ""},
        {8, "step: nan", "t.yaml:8: step: expected a finite number", "'nan'"},
        {8, "step: .inf", "t.yaml:8: step: expected a finite number", "'.inf'"},
        {8, "step: -Infinity", "t.yaml:8: step: expected a finite number", ""},
        {8, "step: 0", "t.yaml:8: step: is 0", "back in time"},
        {8, "step: 1e-999", "t.yaml:8: step: is 0", ""},
        {9, "steps: 9223372036854775808", "t.yaml:9: steps: expected a whole number from 1 to 9007199254740991",
         "9223372036854775808"},
        {9, "steps: 18446744073709551617", "t.yaml:9: steps: expected a whole number", ""},
        {9, "steps: 0", "t.yaml:9: steps: expected a whole number", "'0'"},
        {9, "steps: -5", "t.yaml:9: steps: expected a whole number", "'-5'"},
        {9, "steps: 2.5", "t.yaml:9: steps: expected a whole number", "'2.5'"},
        {7, "  time: 1e20", "t.yaml:8: step: is too small for times up to 1e+20 s", ""},
        {4, "  mass: 0", "t.yaml:4: parameters.mass: is 0; it must be above 0", ""},
        {4, "  mass: -2", "t.yaml:4: parameters.mass: is -2; it must be above 0", ""},
        {11, "  every: 0", "t.yaml:11: output.every: expected a whole number", ""},
        {11, "  csv: a\ncheckpoint: {file: b, seconds: -1}", "t.yaml:12: checkpoint.seconds: is -1", "below 0"},
        {8, "step: 0.01\nmax_iterations: 10001", "t.yaml:9: max_iterations: is 10001", "10000 at most"},
        {8, "step: 0.01\nmethod: rkmk4\nretraction: exp\nterms: 42", "t.yaml:11: terms: is 42", "41 at most"},
        {8, "step: 0.01\nmethod: vprk\ntableau: gauss2\nanchor: end", "t.yaml:11: anchor: is 'end'", "start or middle"},
        {8, "step: 0.01\nmethod: sv\nanchor: start", "t.yaml:10: anchor: is for vprk", "sv has none"},
        {8, "step: 0.01\nmethod: rkmk4\nterms: 3", "t.yaml:10: terms: is for rkmk methods with the retraction exp",
         "cay"},
        {8, "step: 0.01\nmethod: sv\nnewmark: {beta: 0.1}", "t.yaml:10: newmark.beta: is for the method newmark",
         "sv has no such"},
        {8, "step: 0.01\nmethod: rkmk4\nnewmark:\n  gamma: 0.5", "t.yaml:11: newmark.gamma: is for the method newmark",
         "rkmk4 has no such"},
        {8, "step: 0.01\nmethod: newmark\nnewmark: {beta: -0.1}", "t.yaml:10: newmark.beta: is -0.1", "below 0"},
        {8, "step: 0.01\nmethod: newmark\nnewmark:\n  beta: 0.25\n  gamma: 0",
         "t.yaml:12: newmark.gamma: is 0; it must be above 0", ""},
        {8, "step: 0.01\nmethod: newmark\nnewmark: {delta: 1}", "t.yaml:10: newmark", "delta"},
        {8, "step: 0.01\nmethod: rkmk_dopri5\ntolerance: 0", "t.yaml:10: tolerance: is 0; it must be above 0", ""},
        {8, "step: 0.01\nmethod: rkmk4\ntolerance: 1e-9", "t.yaml:10: tolerance: is for embedded pairs", "rkmk4 takes"},
    };
    char text[4096], steps[] = "steps=1e15";
    ALL_REFUSED(cases);
    write_top(text, sizeof text, 8, "step: 1e300");
    refused(text, strlen(text), steps, "t.yaml:8: step: is too large for times up to inf", "");
}

void test_scenario_lists_of_the_wrong_length(void)
{
    static const wrong cases[] = {
        {3, "  inertia: [1, 2]", "t.yaml:3: parameters.inertia: has 2 numbers",
         "3 (diagonal), 6 (upper triangle) or 9"},
        {3, "  inertia: [1]", "t.yaml:3: parameters.inertia: has 1 number;", ""},
        {5, "  centre: [0, 1]", "t.yaml:5: parameters.centre: has 2 numbers; expected 3", ""},
        {7, "  quaternion: [1, 0, 0]", "t.yaml:7: start.quaternion: has 3 numbers; expected 4", ""},
        {7, "  matrix: [1, 0, 0, 0]", "t.yaml:7: start.matrix: has 4 numbers; expected 9", ""},
        {7, "  momentum: [1, 0, 0, 0, 0, 0]", "t.yaml:7: start.momentum: has 6 numbers; expected 3", ""},
    };
    ALL_REFUSED(cases);
}

void test_scenario_keys_the_system_does_not_have(void)
{
    static const wrong cases[] = {
        {5, "  centre: [0, 0, 1]\n  wheels: [0, 0, 1]",
         "t.yaml:6: parameters.wheels: the system heavy_top has no such key",
         "parameters has inertia, mass, centre, gravity"},
        {7, "  position: [0, 0, 1]", "t.yaml:7: start.position: the system heavy_top has no such key", "quaternion"},
        {8, "step: 0.01\ncontrol: [1]", "t.yaml:9: control: the system heavy_top has no controls", ""},
        {1, "system: heavytop", "t.yaml:1: system: there is no system 'heavytop'", "did you mean 'heavy_top'?"},
        {1, "system: xxxxxxxxxxx", "t.yaml:1: system: there is no system 'xxxxxxxxxxx'", "there are free_body"},
        {1, "system: heavy_top\ngroup: SE3", "t.yaml:2: group: the system heavy_top moves on one of: S3 SO3", "'SE3'"},
    };
    ALL_REFUSED(cases);
}

void test_scenario_keys_that_exclude_each_other(void)
{
    static const wrong cases[] = {
        {7, "  quaternion: [1, 0, 0, 0]\n  mrp: [0, 0, 0]", "t.yaml:8: start.mrp: excludes start.quaternion (line 7)",
         ""},
        {7, "  mrp: [0, 0, 0]\n  quaternion: [1, 0, 0, 0]", "t.yaml:8: start.quaternion: excludes start.mrp (line 7)",
         ""},
        {7, "  angular_velocity: [1, 0, 0]\n  momentum: [1, 0, 0]",
         "t.yaml:8: start.momentum: excludes start.angular_velocity (line 7)", ""},
        {7, "  angular_velocity: [1, 0, 0]\n  angular_velocity_deg: [1, 0, 0]",
         "t.yaml:8: start.angular_velocity_deg: excludes start.angular_velocity", "give one of them"},
        {9, "steps: 100\nend: 1", "t.yaml:10: end: excludes steps (line 9)", ""},
    };
    ALL_REFUSED(cases);
}

void test_scenario_inertia_of_no_body(void)
{
    static const wrong cases[] = {
        {3, "  inertia: [1, 0.1, 0, 0.2, 2, 0, 0, 0, 2.5]", "t.yaml:3: parameters.inertia: is not symmetric",
         "entry (1,2) is 0.1, entry (2,1) is 0.2"},
        {3, "  inertia: [1, -2, 2.5]", "t.yaml:3: parameters.inertia: is not positive definite",
         "diagonal entry 2 is -2"},
        {3, "  inertia: [1, 0, 2.5]", "t.yaml:3: parameters.inertia: is not positive definite",
         "diagonal entry 2 is 0"},
        {3, "  inertia: [1, 3, 0, 2, 0, 2.5]", "t.yaml:3: parameters.inertia: is not positive definite",
         "eigenvalue -1.54138 "},
        {3, "  inertia: [1, 2, 3.5]", "t.yaml:3: parameters.inertia: principal moments 1, 2, 3.5", "3.5 > 1 + 2"},
        {3, "  inertia: [2.25, 1.25, 0, 2.25, 0, 1]", "t.yaml:3: parameters.inertia: principal moments 1, 1, 3.5",
         "no body"},
    };
    ALL_REFUSED(cases);
}

void test_scenario_attitudes_that_are_none(void)
{
    static const wrong cases[] = {
        {7, "  quaternion: [0.7071, 0, 0.7071, 0]", "t.yaml:7: start.quaternion: has norm 0.999990", "normalize: true"},
        {7, "  quaternion: [0, 0, 0, 0]\n  normalize: true", "t.yaml:7: start.quaternion: is no attitude", "it is 0"},
        {7, "  matrix: [1, 0, 0, 0, 1, 0, 0, 0, -1]", "t.yaml:7: start.matrix: is no rotation: its determinant is -1",
         "reflection"},
        {7, "  matrix: [1, 0.001, 0, 0, 1, 0, 0, 0, 1]",
         "t.yaml:7: start.matrix: is no rotation: R^T R differs from 1 by 0.001", "normalize"},
        {7, "  matrix: [0, 0, 0, 0, 0, 0, 0, 0, 0]\n  normalize: true", "t.yaml:7: start.matrix: is no rotation", ""},
        {7, "  rotvec: [1e200, 0, 0]", "t.yaml:7: start.rotvec: is too large", ""},
        {7, "  angular_velocity: [1e200, 1e200, 0]", "t.yaml:7: start.angular_velocity: the system cannot start",
         "energy"},
    };
    ALL_REFUSED(cases);
}

void test_scenario_methods_that_are_none(void)
{
    static const wrong cases[] = {
        {8, "step: 0.01\nmethod: svv", "t.yaml:9: method: there is no method 'svv'; did you mean 'sv'?",
         "liestep methods"},
        {8, "step: 0.01\nmethod: gauss", "t.yaml:9: method: gauss is a family of methods", "one of 2, 4, 6, 8"},
        {8, "step: 0.01\norder: 6", "t.yaml:9: order: needs the name of a family", "method: sv"},
        {8, "step: 0.01\nmethod: auto\norder: 6", "t.yaml:10: order: needs the name of a family", ""},
        {8, "step: 0.01\nmethod: sv\norder: 5", "t.yaml:10: order: no method of the family sv has order 5",
         "there are 2, 4, 6, 8"},
        {8, "step: 0.01\nmethod: sv_kahanli6\norder: 4", "t.yaml:10: order: no method of the family sv_kahanli6",
         "there are 6"},
        {8, "step: 0.01\nmethod: midpoint\norder: 4",
         "t.yaml:10: order: no method of the family midpoint has order 4 with "
         "the retraction cay",
         "there are 2, 3"},
        {8, "step: 0.01\nmethod: vprk\ntableau: gauss2\norder: 4", "t.yaml:11: order: the order of vprk is that of",
         ""},
        {8, "step: 0.01\nmethod: vprk\ntableau: gaus2", "t.yaml:10: tableau: there is no tableau 'gaus2'", "'gauss2'"},
        {8, "step: 0.01\ntableau: gauss2", "t.yaml:9: tableau: is for vprk, vprk0 and rkmk; split6 has its own", ""},
        {8, "step: 0.01\nretraction: cayley", "t.yaml:9: retraction: there is no retraction 'cayley' of S3",
         "there are exp, cay, cayq, skew"},
        {8, "step: 0.01\nmethod: ep", "t.yaml:9: method: ep cannot step the system heavy_top", "does not depend on g"},
        {9, "end: 0.333", "t.yaml:9: end: is 33.3 steps away, not a whole number",
         "step: 0.01009090909 (33 steps) or 0.009794117647 (34) fits"},
        {9, "end: 1.0000001", "t.yaml:9: end: is 100.00001 steps away, not a whole number",
         "step: 0.010000001 (100 steps)"},
        {9, "end: -1", "t.yaml:9: end: -1 is not ahead of the start", ""},
        {9, "end: 1e300", "t.yaml:9: end: is 1e+302 steps away", ""},
    };
    ALL_REFUSED(cases);
}

void test_scenario_names_of_files(void)
{
    static const wrong cases[] = {
        {11, "  csv: ../a.csv", "t.yaml:11: output.csv: '../a.csv' must be a plain file name", "without '/' and '..'"},
        {11, "  csv: /tmp/a.csv", "t.yaml:11: output.csv: '/tmp/a.csv' must be a plain file name", ""},
        {11, "  npy: ..", "t.yaml:11: output.npy: '..' must be a plain file name", ""},
        {11, "  npy: .", "t.yaml:11: output.npy: '.' must be a plain file name", ""},
        {11, "  hdf5: -rf", "t.yaml:11: output.hdf5: '-rf' begins with '-'", "option"},
        {11, "  csv: a\n  npy: a", "t.yaml:12: output.npy: 'a' is already the name of output.csv", ""},
        {11, "  csv: a\ncheckpoint: {file: a}", "t.yaml:12: checkpoint.file: 'a' is already the name of output.csv",
         ""},
        {11, "  csv: \"a\\0b\"", "t.yaml:11: output.csv: contains a NUL", ""},
        {11, "  plot: a.pdf", "t.yaml:11: output.plot: 'a.pdf' must end in .svg or .png", ""},
        {11, "  plot: .svg", "t.yaml:11: output.plot: '.svg' must end in .svg or .png", ""},
        {11, "  aem: a\n  object: S\n  epoch: 2026-02-29T00:00:00", "t.yaml:13: output.epoch: expected a date",
         "2026-02-29"},
        {11, "  aem: a\n  object: S\n  epoch: yesterday", "t.yaml:13: output.epoch: expected a date", "'yesterday'"},
    };
    ALL_REFUSED(cases);
}

void test_scenario_yaml_that_no_scenario_has(void)
{
    static const wrong cases[] = {
        {4, "  mass: &m 1.5", "t.yaml:4: parameters.mass: anchors, aliases and tags", ""},
        {4, "  mass: *m", "t.yaml:4: parameters.mass: anchors, aliases and tags", ""},
        {4, "  mass: !!float 1.5", "t.yaml:4: parameters.mass: anchors, aliases and tags", ""},
        {4, "\tmass: 1.5", "t.yaml:4: this is not YAML", "spaces"},
        {4, "  mass: 'oops", "t.yaml:", "this is not YAML"},
        {4, "  mass: \xff\xfe", "t.yaml:4: this is not YAML", "UTF-8"},
        {4, "  ? [1, 2]\n  : 3", "t.yaml:4: parameters: a list or mapping stands where a key should be", ""},
        {8, "step: 0.01\n---\nstep: 0.02", "t.yaml:9: a second document", ""},
        {5, "  centre: [[[[[[1]]]]]]", "t.yaml:5: parameters.centre: lists and mappings are nested deeper", ""},
        {4, "  '': 3", "t.yaml:4: parameters: a key here is empty", ""},
    };
    ALL_REFUSED(cases);
    refused("", 0, NULL, "t.yaml:1: the scenario is empty", "--print-defaults");
    refused("# nothing\n", 10, NULL, "t.yaml:1: the scenario is empty", "");
    refused("- 3\n", 4, NULL, "t.yaml:1: a scenario is a mapping", "key: value");
    refused("a: 1\nb: \0 2\n", 11, NULL, "t.yaml:2: there is a NUL byte", "");
}

void test_scenario_override_errors_name_the_override(void)
{
    static const struct {
        char override[60];
        const char *begins, *says;
    } cases[] = {
        {"step", "-s step: expected key=value", "step=0.02"},
        {"=3", "-s =3: expected key=value", ""},
        {"stepp=3", "-s stepp=3: stepp: unknown key; did you mean 'step'?", ""},
        {"start.quat=[1,0,0,0]", "-s start.quat=[1,0,0,0]: start.quat: unknown key", "'start.quaternion'"},
        {"stat.mrp=[1,0,0]", "-s stat.mrp=[1,0,0]: stat.mrp: unknown key", "--print-defaults"},
        {"step=fast", "-s step=fast: step: expected a number, found 'fast'", ""},
        {"step=0", "-s step=0: step: is 0", ""},
        {"step=0.1, steps: 3", "-s step=0.1, steps: 3: this is not YAML", ""},
        {"steps=2\nstep: 3", "-s steps=2?step: 3: steps: a value has no line breaks", ""},
        {"parameters.inertia=[1,2]", "-s parameters.inertia=[1,2]: parameters.inertia: has 2 numbers", "3 (diagonal)"},
        {"parameters.mass=", "t.yaml:2: parameters.mass: is missing", ""},
        {"parameters={mas: 3}", "-s parameters={mas: 3}: parameters.mas: unknown key", "'mass'"},
        {"start={mrp: [0,0,0], rotvec: [0,0,0]}", "-s start={mrp: [0,0,0], rotvec: [0,0,0]}: start.rotvec: excludes",
         ""},
        {"output.csv=../b", "-s output.csv=../b: output.csv: '../b' must be a plain file name", ""},
        {"system=free_body", "t.yaml:4: parameters.mass: the system free_body has no such key", "inertia"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[4096], override[60];
        write_top(text, sizeof text, 0, "");
        if (strncmp(cases[i].override, "system", 6) == 0) write_top(text, sizeof text, 5, "");
        memcpy(override, cases[i].override, sizeof override);
        refused(text, strlen(text), override, cases[i].begins, cases[i].says);
    }
}

void test_scenario_all_errors_are_shown_up_to_ten(void)
{
    char text[4096], many[2000] = "";
    capture c;
    scenario s;
    for (int i = 0; i < 30; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%sk%d: 1", i ? "\n" : "", i);
    write_top(text, sizeof text, 8, many);
    capture_begin(&c);
    TEST_ASSERT_EQUAL(EXIT_SCENARIO, scenario_parse(&s, "t.yaml", text, strlen(text), 0, NULL));
    capture_end(&c);
    int lines = 0;
    for (const char *p = c.text; *p; p++) lines += *p == '\n';
    TEST_ASSERT_EQUAL(11, lines);
    TEST_ASSERT_NOT_NULL(strstr(c.text, "t.yaml:17: k9: unknown key"));
    TEST_ASSERT_NOT_NULL(strstr(c.text, "there are more errors"));
}

/* What refusing a megabyte may take, s; sanitizers and valgrind are slower. */
static double refusal_seconds(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
#if defined(__SANITIZE_ADDRESS__)
    (void)preloaded;
    return 2.0;
#else
    return preloaded && strstr(preloaded, "vgpreload") ? 5.0 : 0.1;
#endif
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 10^6 bytes of this word, behind a beginning. One of ten tries in time is enough: others use the machine, too. */
static void refused_at_once(const char *begin, const char *word, const char *says)
{
    size_t n = strlen(begin), m = strlen(word), bytes = n + 1000000 / m * m;
    char *text = malloc(bytes);
    TEST_ASSERT_NOT_NULL(text);
    for (size_t i = 0; i < bytes; i++) text[i] = *(i < n ? begin + i : word + (i - n) % m);
    double taken = HUGE_VAL;
    for (int k = 0; k < 10 && taken >= refusal_seconds(); k++) {
        double before = seconds_now();
        refused(text, bytes, NULL, "t.yaml:", says);
        taken = seconds_now() - before;
    }
    free(text);
    char shown[100];
    snprintf(shown, sizeof shown, "10^6 bytes of '%s' took %g s", word, taken);
    TEST_ASSERT_TRUE_MESSAGE(taken < refusal_seconds(), shown);
}

void test_scenario_hostile_texts_are_refused_at_once(void)
{
    static const struct {
        const char *begin, *word, *says;
    } cases[] = {
        {"", "[", "nested deeper"},
        {"", "{", "where a key should be"},
        {"a: ", "[", "nested deeper"},
        {"", "- ", "nested deeper"},
        {"", "? ", ""},
        {"", "a: ", "not YAML"},
        {"a: [", "1, ", "more values"},
        {"a: [", "x: ", ""},
        {"a: ", "a", ""},
        {"a: \"", "\\x41", ""},
        {"a: '", "''", ""},
        {"a: |\n", " x\n", ""},
        {"", "\n", "empty"},
        {"", "#", "empty"},
        {"", "!", ""},
        {"", "&a ", ""},
        {"a: &", "b", ""},
        {"", "---\n", ""},
        {"", "%", ""},
        {"", "\xc3\xa9", ""},
        {"step: ", "9", "too large"},
        {"step: 0.", "0", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refused_at_once(cases[i].begin, cases[i].word, cases[i].says);
}

void test_scenario_of_more_than_a_megabyte_is_refused(void)
{
    static char text[(1 << 20) + 1];
    memset(text, '#', sizeof text);
    refused(text, sizeof text, NULL, "t.yaml: has 1048577 bytes", "1048576");
    refused(text, sizeof text - 1, NULL, "t.yaml:1: the scenario is empty", "");
}

void test_scenario_files_that_cannot_be_read(void)
{
    capture c;
    scenario s;
    capture_begin(&c);
    TEST_ASSERT_EQUAL(EXIT_SCENARIO, scenario_read(&s, "/nowhere/to/be/found.yaml", 0, NULL));
    TEST_ASSERT_EQUAL(EXIT_SCENARIO, scenario_read(&s, "/", 0, NULL));
    TEST_ASSERT_EQUAL(EXIT_SCENARIO, scenario_read(&s, "/dev/zero", 0, NULL));
    capture_end(&c);
    TEST_ASSERT_NOT_NULL(strstr(c.text, "/nowhere/to/be/found.yaml: cannot be opened: No such file"));
    TEST_ASSERT_NOT_NULL(strstr(c.text, "/: is a directory"));
    TEST_ASSERT_NOT_NULL(strstr(c.text, "/dev/zero: has more than 1048576 bytes"));
    scenario_free(&s);
}
