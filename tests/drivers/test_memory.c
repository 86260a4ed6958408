/* SPDX-License-Identifier: MIT */
/* One idiom for memory: whatever takes it checks it. Null, misaligned or a byte too small: LIE_ERR_MEMORY, and nothing
 * is touched, neither the memory nor what would have been written. As many bytes as _memsize says are enough, and those
 * behind them stay as they are. */
#include <liestep/liestep.h>

#include <stdint.h>
#include <string.h>

#include "unity.h"

enum { ROOM = 1 << 20, GUARD = 64, FILLED = 0x5A, INTERVALS = 4, SPARE = 60000 };

static const double e_so3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, rate[3] = {0.3, -0.5, 0.7};
static const lie_heavy_top top = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.4, {0.1, 0.2, 0.5}, 9.81};
static double room[ROOM / sizeof(double)], before[ROOM / sizeof(double)];
static double step_work[2000], pair_work[2000], control_work[SPARE], path[SPARE], to_so3[9];
static lie_system sys;
static lie_stepper *st, *pair;
static lie_state start;
static lie_actuation inputs;
static lie_control_problem problem;
static lie_control *control;
static const lie_options sv = {.method = "sv"}, dopri = {.method = "rkmk_dopri5"};
static const lie_ensemble_options many = {.step = {.method = "sv"}, .h = 0.01, .threads = 1};

/* What a call would write; as it was after a refusal */
static struct outputs {
    void *object;
    lie_state state;
    lie_estimate estimate;
    lie_ensemble *ensemble;
    double T[36], V[12];
    lie_control_extremal extremal[2];
    int found, failed;
} out;

static double height(const void *ctx, const lie_system *of, double t, const double *g, const double *m)
{
    (void)ctx, (void)of, (void)t, (void)g;
    return m[0];
}

void setUp(void)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "SO3"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &start, 0.0, e_so3, rate));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &sv, step_work, sizeof step_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&pair, &sys, &dopri, pair_work, sizeof pair_work));
    inputs = (lie_actuation){.base = sys, .count = 3};
    for (int i = 0; i < 3; i++) inputs.actuator[i].wrench[i] = 1.0;
    lie_so3_exp(to_so3, (double[3]){0.6, -0.4, 0.5});
    problem = (lie_control_problem){.actuation = &inputs, .g0 = e_so3, .gT = to_so3, .T = 1.0, .N = INTERVALS};
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_init(&control, &problem, control_work, sizeof control_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_solve(control, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_save(control, path, sizeof path));
}

void tearDown(void)
{
}

static size_t stepper_needs(void)
{
    return lie_stepper_memsize(&sys, &sv);
}

static lie_status make_stepper(void *work, size_t bytes)
{
    return lie_stepper_init((lie_stepper **)&out.object, &sys, &sv, work, bytes);
}

static size_t adaptive_needs(void)
{
    return lie_adaptive_memsize(pair);
}

static lie_status make_adaptive(void *work, size_t bytes)
{
    return lie_adaptive_init((lie_adaptive **)&out.object, pair, &(lie_tolerance){.absolute = 1e-6}, work, bytes);
}

static size_t section_needs(void)
{
    return lie_section_memsize(st);
}

static lie_status make_section(void *work, size_t bytes)
{
    return lie_section_init((lie_section **)&out.object, st, &(lie_event){.value = height}, work, bytes);
}

static size_t estimate_needs(void)
{
    return lie_estimate_memsize(&sys, &sv);
}

static lie_status estimate(void *work, size_t bytes)
{
    return lie_estimate_error(&out.estimate, &sys, &sv, &start, 0.01, 4, NULL, NULL, work, bytes);
}

static size_t tangent_needs(void)
{
    return lie_tangent_memsize(st);
}

static lie_status tangent(void *work, size_t bytes)
{
    return lie_step_tangent(st, &out.state, 0.01, out.T, work, bytes);
}

static lie_status variations(void *work, size_t bytes)
{
    return lie_step_variations(st, &out.state, 0.01, 2, out.V, work, bytes);
}

static size_t chaos_needs(void)
{
    return lie_chaos_memsize(st, 3);
}

static lie_status make_chaos(void *work, size_t bytes)
{
    lie_status status = lie_chaos_init((lie_chaos **)&out.object, st, &start, 3, work, bytes);
    if (status == LIE_OK) status = lie_chaos_run((lie_chaos *)out.object, st, &out.state, 0.01, 2);
    return status;
}

static size_t control_needs(void)
{
    return lie_control_memsize(&problem);
}

static lie_status make_control(void *work, size_t bytes)
{
    lie_status status = lie_control_init((lie_control **)&out.object, &problem, work, bytes);
    return status == LIE_OK ? lie_control_solve((lie_control *)out.object, NULL) : status;
}

static size_t path_needs(void)
{
    return lie_control_path_memsize(control);
}

static lie_status save(void *work, size_t bytes)
{
    return lie_control_save(control, work, bytes);
}

static lie_status load(void *work, size_t bytes)
{
    return bytes == path_needs() && work == room ? lie_control_load(control, path, bytes)
                                                 : lie_control_load(control, work, bytes);
}

static lie_status continuation(void *work, size_t bytes)
{
    return lie_control_continue(control, NULL, 2, work, bytes);
}

static lie_status homotopy(void *work, size_t bytes)
{
    return lie_control_homotopy(control, NULL, 2, work, bytes);
}

static size_t search_needs(void)
{
    return lie_control_search_memsize(control, 2);
}

static lie_status search(void *work, size_t bytes)
{
    return lie_control_search(control, NULL, 3, out.extremal, 2, &out.found, &out.failed, work, bytes);
}

static size_t fly_needs(void)
{
    return lie_control_fly_memsize(control);
}

static lie_status fly(void *work, size_t bytes)
{
    return lie_control_fly(control, &out.state, work, bytes);
}

static size_t ensemble_needs(void)
{
    return lie_ensemble_memsize(&sys, 1, 5, &many);
}

static lie_status make_ensemble(void *work, size_t bytes)
{
    return lie_ensemble_init(&out.ensemble, &sys, 1, 5, &many, work, bytes);
}

static size_t matgroup_needs(void)
{
    return lie_matgroup_memsize(4);
}

static lie_status make_matgroup(void *work, size_t bytes)
{
    return lie_matgroup_init_so((lie_matgroup **)&out.object, 4, work, bytes);
}

static const struct taker {
    const char *name;
    size_t (*needs)(void);
    lie_status (*take)(void *work, size_t bytes);
} takers[] = {
    {"stepper", stepper_needs, make_stepper},
    {"adaptive", adaptive_needs, make_adaptive},
    {"section", section_needs, make_section},
    {"estimate", estimate_needs, estimate},
    {"tangent", tangent_needs, tangent},
    {"variations", tangent_needs, variations},
    {"chaos", chaos_needs, make_chaos},
    {"control", control_needs, make_control},
    {"save", path_needs, save},
    {"load", path_needs, load},
    {"continue", path_needs, continuation},
    {"homotopy", path_needs, homotopy},
    {"search", search_needs, search},
    {"fly", fly_needs, fly},
    {"ensemble", ensemble_needs, make_ensemble},
    {"matgroup", matgroup_needs, make_matgroup},
};

static void fill(void)
{
    memset(&out, FILLED, sizeof out);
    out.state = start;
    memset(room, FILLED, sizeof room);
    memcpy(before, room, sizeof room);
}

/* The answer of control, by which a refusal would show that it has worked */
static void look(double now[2])
{
    const lie_control_answer *a = lie_control_now(control);
    now[0] = a->cost, now[1] = a->u[3];
}

static void expect_refusal(const struct taker *t, void *work, size_t bytes)
{
    double first[2], then[2];
    fill();
    const struct outputs was = out;
    look(first);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("LIE_ERR_MEMORY", lie_status_name(t->take(work, bytes)), t->name);
    look(then);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&was, &out, sizeof was, t->name);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(before, room, sizeof room, t->name);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(first, then, sizeof first, t->name);
}

void test_memory_that_is_not_enough_is_refused_untouched(void)
{
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        size_t needed = takers[i].needs();
        TEST_ASSERT_TRUE_MESSAGE(needed > sizeof(double) && needed + GUARD <= sizeof room, takers[i].name);
        expect_refusal(&takers[i], NULL, needed);
        expect_refusal(&takers[i], NULL, 0);
        expect_refusal(&takers[i], room, 0);
        expect_refusal(&takers[i], room, needed - 1);
        for (size_t off = 1; off < sizeof(double); off++)
            expect_refusal(&takers[i], (void *)((char *)room + off), needed + sizeof(double));
    }
}

void test_memory_of_the_size_that_is_said_is_enough(void)
{
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        size_t needed = takers[i].needs();
        setUp();
        fill();
        TEST_ASSERT_EQUAL_STRING_MESSAGE("LIE_OK", lie_status_name(takers[i].take(room, needed)), takers[i].name);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE((char *)before + needed, (char *)room + needed, sizeof room - needed,
                                         takers[i].name);
    }
}

/* Where nothing can be made, no memory is said, and none is enough. */
void test_memory_of_what_cannot_be_made_is_0(void)
{
    lie_control_problem bad = problem;
    bad.N = 1;
    TEST_ASSERT_EQUAL_size_t(0, lie_stepper_memsize(&sys, &(lie_options){.method = "none"}));
    TEST_ASSERT_EQUAL_size_t(0, lie_estimate_memsize(&sys, &(lie_options){.method = "none"}));
    TEST_ASSERT_EQUAL_size_t(0, lie_chaos_memsize(st, 0));
    TEST_ASSERT_EQUAL_size_t(0, lie_chaos_memsize(st, 7));
    TEST_ASSERT_EQUAL_size_t(0, lie_control_memsize(&bad));
    TEST_ASSERT_EQUAL_size_t(0, lie_control_search_memsize(control, 0));
    TEST_ASSERT_EQUAL_size_t(0, lie_matgroup_memsize(1));
    TEST_ASSERT_EQUAL_size_t(0, lie_ensemble_memsize(&sys, 1, 0, &many));
}

/* The work memory of the indicators is that of the stepper they began with: another one may need more. */
void test_memory_of_chaos_is_checked_in_every_step(void)
{
    static double wide_work[4000];
    const lie_options gauss = {.method = "gauss2"};
    lie_stepper *wide;
    lie_chaos *c;
    fill();
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&wide, &sys, &gauss, wide_work, sizeof wide_work));
    TEST_ASSERT_TRUE(lie_tangent_memsize(wide) > lie_tangent_memsize(st));
    TEST_ASSERT_EQUAL(LIE_OK, lie_chaos_init(&c, st, &start, 2, room, chaos_needs()));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_chaos_run(c, wide, &out.state, 0.01, 1));
    TEST_ASSERT_EQUAL_MEMORY(&start, &out.state, sizeof start);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, lie_chaos_now(c)->time);
    TEST_ASSERT_EQUAL(LIE_OK, lie_chaos_run(c, st, &out.state, 0.01, 1));
}
