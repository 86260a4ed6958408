/* SPDX-License-Identifier: MIT */
/* What an ensemble was refused for is named: argument, option, entry of which system. */
#include <liestep/ensemble.h>

#include "tests/support/stepper_fixture.h"

static fixture f;
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
}

void test_ensemble_explain_what_was_refused(void)
{
    static double work[1 << 17];
    lie_system systems[12];
    char text[160];
    double wrong[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    lie_ensemble_options opt = {.step = {.method = "sv"}, .h = 0.1};
    for (int i = 0; i < 12; i++) systems[i] = f.sys;
    size_t bytes = lie_ensemble_memsize(systems, 12, 12, &opt);
    TEST_ASSERT_TRUE(bytes > 0 && bytes <= sizeof work);
#define BLAMED(status, what, index, ...)                                                                               \
    TEST_ASSERT_EQUAL(status, lie_ensemble_explain(&report, __VA_ARGS__));                                             \
    TEST_ASSERT_EQUAL(status, lie_ensemble_explain(0, __VA_ARGS__));                                                   \
    blames(status, what, index);
    BLAMED(LIE_OK, "", -1, systems, 12, 12, &opt, work, bytes)
    BLAMED(LIE_ERR_MEMORY, "bytes", -1, systems, 12, 12, &opt, work, bytes - 1)
    BLAMED(LIE_ERR_MEMORY, "work", -1, systems, 12, 12, &opt, 0, bytes)
    BLAMED(LIE_ERR_INCOMPLETE, "systems", -1, 0, 12, 12, &opt, work, bytes)
    BLAMED(LIE_ERR_INCOMPLETE, "options", -1, systems, 12, 12, 0, work, bytes)
    BLAMED(LIE_ERR_SIZE, "count", -1, systems, 1, 0, &opt, work, bytes)
    BLAMED(LIE_ERR_SIZE, "system_count", -1, systems, 11, 12, &opt, work, bytes)
    systems[10].inertia = wrong;
    BLAMED(LIE_ERR_INERTIA, "system.inertia", 8, systems, 12, 12, &opt, work, bytes)
    lie_report_text(text, sizeof text, &report);
    TEST_ASSERT_EQUAL_STRING("system.inertia[8] \"systems[10]\": must be positive on the diagonal", text);
    systems[3].group = &lie_s3_cay_ops;
    BLAMED(LIE_ERR_SIZE, "systems", 3, systems, 12, 12, &opt, work, bytes)
    opt.step.method = "svv";
    systems[3].group = f.sys.group;
    BLAMED(LIE_ERR_UNKNOWN_NAME, "options.method", -1, systems, 12, 12, &opt, work, bytes)
    opt.threads = -1;
    BLAMED(LIE_ERR_SIZE, "options.threads", -1, systems, 12, 12, &opt, work, bytes)
    opt.threads = 0, opt.lanes = -2;
    BLAMED(LIE_ERR_SIZE, "options.lanes", -1, systems, 12, 12, &opt, work, bytes)
#undef BLAMED
}
