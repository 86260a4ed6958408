/* SPDX-License-Identifier: MIT */
/* What was refused is named: argument, entry, name; and programs compiled with other headers are refused. */
#include <liestep/discrete.h>

#include "tests/support/stepper_fixture.h"

static fixture f;
static walker w;
static lie_report report;

void setUp(void)
{
    fixture_make(&f, &lie_so3_cay_ops, POTENTIAL);
    memset(&report, 0x5a, sizeof report);
}

void tearDown(void)
{
}

static void blames(lie_status status, const char *what, long long index)
{
    TEST_ASSERT_EQUAL(status, report.status);
    TEST_ASSERT_EQUAL_STRING(what, report.what);
    TEST_ASSERT_EQUAL_INT64(index, report.index);
    TEST_ASSERT_TRUE(report.expected && strlen(report.expected) < 100);
}

/* Check and explanation agree, and so does init. */
static void system_blamed(lie_status status, const char *what, long long index, const lie_system *sys)
{
    lie_stepper *st = 0;
    const lie_options opt = {.method = "sv"};
    TEST_ASSERT_EQUAL(status, lie_system_check(sys));
    TEST_ASSERT_EQUAL(status, lie_system_explain(0, sys));
    TEST_ASSERT_EQUAL(status, lie_system_explain(&report, sys));
    blames(status, what, index);
    TEST_ASSERT_EQUAL(status, lie_stepper_init(&st, sys, &opt, w.work, sizeof w.work));
    memset(&report, 0x5a, sizeof report);
    TEST_ASSERT_EQUAL(status, lie_stepper_explain(&report, sys, &opt, w.work, sizeof w.work));
    blames(status, what, index);
}

static void options_blamed(lie_status status, const char *what, long long index, const lie_options *opt)
{
    lie_stepper *st = 0;
    TEST_ASSERT_EQUAL(status, lie_stepper_init(&st, &f.sys, opt, w.work, sizeof w.work));
    TEST_ASSERT_EQUAL(status, lie_stepper_explain(0, &f.sys, opt, w.work, sizeof w.work));
    TEST_ASSERT_EQUAL(status, lie_stepper_explain(&report, &f.sys, opt, w.work, sizeof w.work));
    blames(status, what, index);
}

static void is_sentence(const char *expected)
{
    char text[200], cut[12];
    size_t length = lie_report_text(text, sizeof text, &report);
    TEST_ASSERT_EQUAL_STRING(expected, text);
    TEST_ASSERT_EQUAL(strlen(expected), length);
    TEST_ASSERT_EQUAL(length, lie_report_text(0, 0, &report));
    memset(cut, 'x', sizeof cut);
    TEST_ASSERT_EQUAL(length, lie_report_text(cut, 8, &report));
    TEST_ASSERT_EQUAL(strlen(cut), length < 7 ? length : 7);
    TEST_ASSERT_EQUAL_INT('x', cut[8]);
}

void test_explain_what_is_good(void)
{
    const lie_options opt = {.method = "sv"};
    system_blamed(LIE_OK, "", -1, &f.sys);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_explain(&report, &f.sys, &opt, w.work, sizeof w.work));
    is_sentence("nothing is wrong");
}

void test_explain_entry_of_the_inertia(void)
{
    double inertia[9];
    lie_system sys = f.sys;
    sys.inertia = inertia;
    for (int i = 0; i < 9; i++) {
        memcpy(inertia, f.inertia, sizeof inertia);
        inertia[i] = (double)NAN;
        system_blamed(LIE_ERR_NOT_FINITE, "system.inertia", i, &sys);
    }
    memcpy(inertia, f.inertia, sizeof inertia);
    inertia[5] += 0.25;
    system_blamed(LIE_ERR_INERTIA, "system.inertia", 7, &sys);
    TEST_ASSERT_TRUE(report.limit == report.found + 0.25);
    is_sentence("system.inertia[7]: must equal the entry across the diagonal");
    memcpy(inertia, f.inertia, sizeof inertia);
    inertia[4] = -inertia[4];
    system_blamed(LIE_ERR_INERTIA, "system.inertia", 4, &sys);
    TEST_ASSERT_TRUE(report.found == inertia[4]);
    memcpy(inertia, f.inertia, sizeof inertia);
    inertia[1] = inertia[3] = 2.0 * sqrt(inertia[0] * inertia[4]);
    system_blamed(LIE_ERR_INERTIA, "system.inertia", -1, &sys);
    is_sentence("system.inertia: must be positive definite");
}

void test_explain_null_pointers(void)
{
    lie_ops torn = lie_so3_cay_ops;
    lie_system sys = f.sys;
    system_blamed(LIE_ERR_INCOMPLETE, "system", -1, 0);
    sys.group = 0;
    system_blamed(LIE_ERR_INCOMPLETE, "system.group", -1, &sys);
    sys.group = &torn;
#define TEAR(op)                                                                                                       \
    torn = lie_so3_cay_ops, torn.op = 0;                                                                               \
    system_blamed(LIE_ERR_INCOMPLETE, "system.group." #op, -1, &sys)
    TEAR(identity);
    TEAR(mul);
    TEAR(inv);
    TEAR(Ad);
    TEAR(Adt);
    TEAR(ad);
    TEAR(adt);
    TEAR(tau);
    TEAR(dtau);
    TEAR(dtaut);
    TEAR(dtauinv);
    TEAR(dtauinvt);
    TEAR(dtau_body_deriv);
    TEAR(project);
#undef TEAR
    torn = lie_so3_cay_ops, torn.dim = LIE_DIM_MAX + 1;
    system_blamed(LIE_ERR_SIZE, "system.group.dim", -1, &sys);
    torn = lie_so3_cay_ops, torn.size = 0;
    system_blamed(LIE_ERR_SIZE, "system.group.size", -1, &sys);
    sys = f.sys, sys.controls = -1;
    system_blamed(LIE_ERR_SIZE, "system.controls", -1, &sys);
}

/* lie_ops_complete refuses what the report blames, and fills in nothing. */
static void group_blamed(lie_status status, const char *what, lie_ops *G)
{
    const lie_ops before = *G;
    TEST_ASSERT_EQUAL(status, lie_ops_explain(&report, G));
    blames(status, what, -1);
    TEST_ASSERT_EQUAL(status, lie_ops_complete(G));
    TEST_ASSERT_EQUAL_MEMORY(&before, G, sizeof before);
}

void test_explain_a_group_of_ones_own(void)
{
    lie_ops own = lie_so3_cay_ops;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_ops_explain(&report, 0));
    blames(LIE_ERR_INCOMPLETE, "group", -1);
#define TEAR(op)                                                                                                       \
    own = lie_so3_cay_ops, own.op = 0;                                                                                 \
    group_blamed(LIE_ERR_INCOMPLETE, "group." #op, &own)
    TEAR(group);
    TEAR(retraction);
    TEAR(identity);
    TEAR(mul);
    TEAR(inv);
    TEAR(Ad);
    TEAR(ad);
    TEAR(tau);
#undef TEAR
    own = lie_so3_cay_ops, own.dim = LIE_DIM_MAX + 1;
    group_blamed(LIE_ERR_SIZE, "group.dim", &own);
    own = lie_so3_cay_ops, own.size = LIE_SIZE_MAX + 1, own.dtau = 0;
    group_blamed(LIE_ERR_SIZE, "group.size", &own);
    TEST_ASSERT_TRUE(report.limit == LIE_SIZE_MAX);
    own = lie_so3_cay_ops;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_explain(&report, &own));
    blames(LIE_OK, "", -1);
}

void test_explain_callbacks_that_belong_together(void)
{
    lie_system sys = f.sys;
    sys.force = 0;
    system_blamed(LIE_ERR_INCOMPLETE, "system.force", -1, &sys);
    sys = f.sys, sys.potential = 0;
    system_blamed(LIE_ERR_INCOMPLETE, "system.potential", -1, &sys);
    sys = f.sys, sys.inertia = 0;
    system_blamed(LIE_ERR_INCOMPLETE, "system.inertia", -1, &sys);
    fixture_make(&f, &lie_so3_cay_ops, GYRO);
    sys = f.sys, sys.gyro_deriv = 0;
    system_blamed(LIE_ERR_INCOMPLETE, "system.gyro_deriv", -1, &sys);
    fixture general;
    fixture_make(&general, &lie_so3_cay_ops, GENERAL);
    sys = general.sys, sys.gradient = 0;
    system_blamed(LIE_ERR_INCOMPLETE, "system.gradient", -1, &sys);
    sys = general.sys, sys.lagrangian = 0;
    system_blamed(LIE_ERR_INCOMPLETE, "system.lagrangian", -1, &sys);
    sys = general.sys, sys.gyro = f.sys.gyro;
    system_blamed(LIE_ERR_INCOMPLETE, "system.gyro", -1, &sys);
    is_sentence("system.gyro: must be null with a general Lagrangian");
}

void test_explain_options(void)
{
    static const double A[4] = {0.25, 0.1, 0.3, 0.25}, b[2] = {0.4, 0.0}, c[2] = {0.35, 0.55},
                        inf[2] = {0.4, (double)INFINITY};
    lie_tableau tab = {.name = "own", .stages = 2, .order = 1, .A = A, .b = b, .c = c, .source = ""};
    lie_options opt = {.method = "vprk", .tableau = &tab};
    const lie_tableau *good = NULL;
    options_blamed(LIE_ERR_UNKNOWN_NAME, "options", -1, 0);
    options_blamed(LIE_ERR_UNKNOWN_NAME, "options.method", -1, &(lie_options){.method = "svv"});
    is_sentence("options.method \"svv\": must be a name of a method");
    options_blamed(LIE_ERR_UNKNOWN_NAME, "options.retraction", -1,
                   &(lie_options){.method = "sv", .retraction = "a name that is longer than any retraction has"});
    TEST_ASSERT_EQUAL(LIE_REPORT_KEY - 1, strlen(report.key));
    options_blamed(LIE_ERR_METHOD, "options.method", -1, &(lie_options){.method = "ep"});
    options_blamed(LIE_ERR_METHOD, "options.terms", -1, &(lie_options){.method = "sv", .terms = 2});
    options_blamed(LIE_ERR_SIZE, "options.terms", -1,
                   &(lie_options){.method = "rkmk4", .retraction = "exp", .terms = -2});
    options_blamed(LIE_ERR_METHOD, "options.anchor", -1,
                   &(lie_options){.method = "midpoint", .anchor = LIE_ANCHOR_MIDDLE});
    options_blamed(LIE_ERR_METHOD, "options.anchor", -1,
                   &(lie_options){.method = "gauss2", .anchor = LIE_ANCHOR_START});
    TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&good, "gauss2"));
    options_blamed(LIE_ERR_SIZE, "options.anchor", -1,
                   &(lie_options){.method = "vprk", .tableau = good, .anchor = (lie_anchor)3});
    TEST_ASSERT_TRUE(report.found == 3.0 && report.limit == (double)LIE_ANCHOR_MIDDLE);
    options_blamed(LIE_ERR_TABLEAU, "options.tableau.b", 1, &opt);
    tab.b = inf;
    options_blamed(LIE_ERR_TABLEAU, "options.tableau.b", 1, &opt);
    TEST_ASSERT_TRUE(report.found == (double)INFINITY);
    tab.A = 0;
    options_blamed(LIE_ERR_TABLEAU, "options.tableau", -1, &opt);
    tab.stages = LIE_STAGES_MAX + 1;
    options_blamed(LIE_ERR_TABLEAU, "options.tableau.stages", -1, &opt);
}

static lie_status no_slopes(const lie_discrete *L, double *D1, double *D2, double t, const double *g0, const double *g1,
                            double h)
{
    (void)L, (void)D1, (void)D2, (void)t, (void)g0, (void)g1, (void)h;
    return LIE_ERR_DOMAIN;
}

/* What a family asks beyond the fields of lie_method. */
void test_explain_what_a_family_asks(void)
{
    static const double newmark[2] = {0.25, 0.0};
    static lie_discrete L;
    lie_options opt = {.discrete = &L};
    L = (lie_discrete){0};
    options_blamed(LIE_ERR_INCOMPLETE, "options.discrete.slopes", -1, &opt);
    L.slopes = no_slopes;
    options_blamed(LIE_OK, "", -1, &opt);
    opt = (lie_options){.method = "newmark", .newmark = newmark};
    options_blamed(LIE_ERR_TABLEAU, "options.newmark", 1, &opt);
    fixture_make(&f, &lie_so3_cay_ops, POTENTIAL | EXTERNAL);
    opt.damping = 1;
    options_blamed(LIE_ERR_TABLEAU, "options.newmark", 1, &opt);
    options_blamed(LIE_ERR_METHOD, "options.discrete.forces", -1, &(lie_options){.discrete = &L});
    options_blamed(LIE_OK, "", -1, &(lie_options){.discrete = &L, .damping = 1});
}

void test_explain_memory(void)
{
    const lie_options opt = {.method = "sv"};
    size_t bytes = lie_stepper_memsize(&f.sys, &opt);
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_stepper_explain(&report, &f.sys, &opt, 0, bytes));
    blames(LIE_ERR_MEMORY, "work", -1);
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_stepper_explain(&report, &f.sys, &opt, (char *)w.work + 4, bytes));
    blames(LIE_ERR_MEMORY, "work", -1);
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_stepper_explain(&report, &f.sys, &opt, w.work, bytes - 1));
    blames(LIE_ERR_MEMORY, "bytes", -1);
    TEST_ASSERT_TRUE(report.found == (double)(bytes - 1) && report.limit == (double)bytes);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_explain(&report, &f.sys, &opt, w.work, bytes));
}

void test_explain_states(void)
{
    double g[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, x[3] = {0.3, -0.4, 0.5};
    lie_state s, before;
    memset((void *)&s, 0x5a, sizeof s);
    before = s;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_explain(&report, &f.sys, &s, 0.0, g, x));
    blames(LIE_OK, "", -1);
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_state_explain(&report, &f.sys, &s, (double)NAN, g, x));
    blames(LIE_ERR_NOT_FINITE, "t", -1);
    g[5] = (double)NAN;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_state_explain(&report, &f.sys, &s, 0.0, g, x));
    blames(LIE_ERR_NOT_FINITE, "g", 5);
    g[5] = 0.0, g[8] = 1.01;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_IN_GROUP, lie_state_explain(&report, &f.sys, &s, 0.0, g, x));
    blames(LIE_ERR_NOT_IN_GROUP, "g", 8);
    g[8] = 1.0, x[2] = -(double)INFINITY;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_state_explain(&report, &f.sys, &s, 0.0, g, x));
    blames(LIE_ERR_NOT_FINITE, "xi", 2);
    struct {
        LIE_STATE_FIELDS(8, 3)
    } small;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_state_explain(&report, &f.sys, &small, 0.0, g, x));
    blames(LIE_ERR_SIZE, "state.g", -1);
    TEST_ASSERT_EQUAL_MEMORY(&before, &s, sizeof s);
}

/* Another version, or another size of any struct that is read. */
void test_explain_headers_of_another_version(void)
{
    const lie_options opt = {.method = "sv"};
    const unsigned long long own = LIE_COMPILED(lie_options);
    lie_stepper *st = 0;
    for (int bit = 0; bit < 64; bit++)
        TEST_ASSERT_EQUAL(LIE_ERR_VERSION,
                          lie_stepper_init_as(own ^ 1ull << bit, &st, &f.sys, &opt, w.work, sizeof w.work));
    TEST_ASSERT_NULL(st);
    TEST_ASSERT_TRUE(own != LIE_COMPILED(lie_system));
    TEST_ASSERT_TRUE(own >> 36 == LIE_VERSION_NUMBER);
    TEST_ASSERT_TRUE((own >> 24 & 4095) * 4 == sizeof(lie_ops) && (own >> 12 & 4095) * 4 == sizeof(lie_system));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init_as(own, &st, &f.sys, &opt, w.work, sizeof w.work));
}
