/* SPDX-License-Identifier: MIT */
/* Families of one's own (family.h), with public headers alone: sv written again has the bits of the built-in one in
 * runs, compositions, sections, ensembles and restarts; what a family gets wrong is refused or undone. */
#include <liestep/liestep.h>

#include <string.h>

#include "tests/support/near.h"

enum { WORK = 1024 };

static const lie_heavy_top top = {
    .inertia = {2.0, 0.1, 0, 0.1, 1.5, 0.2, 0, 0.2, 1.0}, .mass = 1.0, .centre = {0.1, -0.2, 0.3}, .gravity = 9.81};
static lie_system sys;
static int begun, ended;

/* Stoermer-Verlet where the group has a free step (cay on S3 and SO3). Memory: h of the last step, the memory of the
 * free step, where the last run ended. */

enum { H, FREE, END = FREE + LIE_FREE_STEP_MEMORY };

static int sv_doubles(const lie_stepper *st)
{
    return lie_legendre_of(lie_stepper_group(st))->doubles(lie_stepper_group(st));
}

static int sv_memory(const lie_stepper *st)
{
    return END + lie_stepper_group(st)->size;
}

static lie_status sv_prepare(lie_stepper *st)
{
    const lie_ops *G = lie_stepper_group(st);
    return lie_legendre_of(G)->prepare(G, lie_stepper_work(st), lie_stepper_system(st)->inertia);
}

static lie_status sv_begin(lie_stepper *st, const lie_state *s, double h)
{
    double *memory = lie_stepper_memory(st);
    size_t bytes = (size_t)lie_stepper_group(st)->size * sizeof(double);
    (void)h;
    begun++;
    if (memcmp(memory + END, lie_state_g(s), bytes) != 0) memory[H] = 0.0;
    return LIE_OK;
}

static void sv_end(lie_stepper *st, const lie_state *s)
{
    ended++;
    memcpy(lie_stepper_memory(st) + END, lie_state_g(s), (size_t)lie_stepper_group(st)->size * sizeof(double));
}

static lie_status sv_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    const lie_system *of = lie_stepper_system(st);
    double F[3], *memory = lie_stepper_memory(st), *data = lie_stepper_work(st);
    of->force(of, F, at->g);
    lie_place_kick(G, at, 0.5 * h, F);
    if (memory[H] != h) memset(memory + FREE, 0, LIE_FREE_STEP_MEMORY * sizeof(double));
    memory[H] = h;
    lie_status status =
        lie_legendre_of(G)->free_step(G, at->g, at->low_g, at->m, at->low_m, h, data, memory + FREE, info);
    if (status != LIE_OK) return status;
    of->force(of, F, at->g);
    lie_place_kick(G, at, 0.5 * h, F);
    return LIE_OK;
}

static const lie_family sv_family = {.substep = sv_substep,
                                     .doubles = sv_doubles,
                                     .memory = sv_memory,
                                     .prepare = sv_prepare,
                                     .begin = sv_begin,
                                     .end = sv_end};
static const lie_method own_sv = {.name = "own_sv", .family = &sv_family, .order = 2, .order_exp = 2, .symplectic = 1};
static const lie_method own_suzuki4 = {
    .name = "own_suzuki4", .family = &sv_family, .order = 4, .order_exp = 4, .composition = "suzuki4"};

/* One stepper with its state. */
typedef struct runner {
    lie_stepper *st;
    lie_state s;
    double work[WORK];
} runner;

static void start(runner *r, const lie_options *opt, double spin)
{
    double g[9];
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&r->st, &sys, opt, r->work, sizeof r->work));
    sys.group->identity(sys.group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &r->s, 0.0, g, (double[]){0.7, 0.9, spin}));
}

static void expect_same(const runner *a, const runner *b, const char *text)
{
    const lie_statistics *x = lie_stepper_statistics(a->st), *y = lie_stepper_statistics(b->st);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&a->s, &b->s, sizeof a->s, text);
    TEST_ASSERT_TRUE_MESSAGE(x->iterations == y->iterations && x->iterations_max == y->iterations_max, text);
}

void setUp(void)
{
    begun = ended = 0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
}

void tearDown(void)
{
}

/* From one projection to beyond the next, steps of several lengths, back, from another place, and one by one. */
static void compare_runs(const char *name, const lie_method *own)
{
    static const double lengths[] = {0.01, 0.05, -0.02};
    runner a, b;
    start(&a, &(lie_options){.method = name, .retraction = "cay"}, 4.0);
    start(&b, &(lie_options){.own = own, .retraction = "cay"}, 4.0);
    for (int k = 0; k < 3; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(a.st, &a.s, lengths[k], 1500));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(b.st, &b.s, lengths[k], 1500));
        expect_same(&a, &b, name);
    }
    a.s.g[0] = -a.s.g[0], b.s.g[0] = -b.s.g[0];
    for (int k = 0; k < 40; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(a.st, &a.s, 0.01, 1));
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(b.st, &b.s, 0.01));
    }
    expect_same(&a, &b, name);
    TEST_ASSERT_TRUE(lie_stepper_method(b.st) == own && lie_stepper_options(b.st)->own == own);
}

void test_family_sv_again_has_the_bits_of_sv(void)
{
    compare_runs("sv", &own_sv);
    TEST_ASSERT_EQUAL(43, begun);
    TEST_ASSERT_EQUAL(43, ended);
    compare_runs("sv_suzuki4", &own_suzuki4);
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "SO3"));
    compare_runs("sv", &own_sv);
}

void test_family_restarts_with_the_same_bits(void)
{
    runner a, b;
    double memory[LIE_MEMORY_MAX];
    const lie_options opt = {.own = &own_sv, .retraction = "cay"};
    start(&a, &opt, 4.0);
    TEST_ASSERT_EQUAL(END + 4, lie_stepper_memory_count(a.st));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(a.st, &a.s, 0.05, 700));
    start(&b, &opt, 4.0);
    b.s = a.s;
    lie_stepper_memory_get(a.st, memory);
    TEST_ASSERT_TRUE(memory[H] == 0.05 && memory[FREE] != 0.0);
    lie_stepper_memory_set(b.st, memory);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(a.st, &a.s, 0.05, 700));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(b.st, &b.s, 0.05, 700));
    TEST_ASSERT_EQUAL_MEMORY(&a.s, &b.s, sizeof a.s);
    lie_stepper_reset(b.st);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, lie_stepper_memory(b.st)[H]);
}

static double height(const void *ctx, const lie_system *of, double t, const double *g, const double *m)
{
    (void)ctx, (void)of, (void)t, (void)m;
    return g[1];
}

void test_family_in_sections(void)
{
    static double room[2][4096];
    const lie_event event = {.value = height, .direction = 1};
    const lie_options options[2] = {{.method = "sv", .retraction = "cay"}, {.own = &own_sv, .retraction = "cay"}};
    runner r[2];
    lie_section *sec[2];
    int found = 0;
    for (int k = 0; k < 2; k++) {
        start(&r[k], &options[k], 4.0);
        TEST_ASSERT_TRUE(lie_section_memsize(r[k].st) <= sizeof room[k]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_init(&sec[k], r[k].st, &event, room[k], sizeof room[k]));
    }
    for (long long left[2] = {2000, 2000}; left[0] > 0; found++) {
        lie_crossing c[2];
        for (int k = 0; k < 2; k++) TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec[k], &r[k].s, 0.01, &left[k], &c[k]));
        TEST_ASSERT_EQUAL(c[0].found, c[1].found);
        if (!c[0].found) break;
        NEAR(1, &c[0].state->t, &c[1].state->t, 64.0);
        NEAR(4, c[0].state->g, c[1].state->g, 512.0);
    }
    TEST_ASSERT_TRUE(found > 3);
}

static void ensemble_of(lie_state *out, const lie_options *step, int lanes)
{
    static double room[65536];
    lie_ensemble *e;
    const lie_ensemble_options opt = {.step = *step, .h = 0.02, .threads = 1};
    TEST_ASSERT_TRUE(lie_ensemble_memsize(&sys, 1, 5, &opt) <= sizeof room);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_init(&e, &sys, 1, 5, &opt, room, sizeof room));
    if (lanes > 0) TEST_ASSERT_EQUAL(lanes, lie_ensemble_lanes(e));
    for (int i = 0; i < 5; i++) {
        runner r;
        start(&r, step, 3.0 + 0.5 * i);
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_set(e, i, &r.s));
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(e, 1200, 0));
    for (int i = 0; i < 5; i++) TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_get(e, i, &out[i]));
}

void test_family_in_ensembles(void)
{
    lie_state built_in[5], own[5];
    ensemble_of(built_in, &(lie_options){.method = "sv", .retraction = "cay"}, 0);
    ensemble_of(own, &(lie_options){.own = &own_sv, .retraction = "cay"}, 1);
    TEST_ASSERT_EQUAL_MEMORY(built_in, own, sizeof own);
}

/* By differences against the analytic one. */
void test_family_has_a_tangent(void)
{
    static double room[4096];
    double T[2][36];
    const lie_options options[2] = {{.method = "sv", .retraction = "cay"}, {.own = &own_sv, .retraction = "cay"}};
    for (int k = 0; k < 2; k++) {
        runner r;
        start(&r, &options[k], 4.0);
        TEST_ASSERT_TRUE(lie_tangent_memsize(r.st) <= sizeof room);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step_tangent(r.st, &r.s, 0.05, T[k], room, sizeof room));
    }
    NEAR(36, T[1], T[0], 1e-9 / DBL_EPSILON);
}

/* A family that does nothing but kick, and from t = 1 on fails after it has spoilt all it can reach. */

static int one(const lie_stepper *st)
{
    (void)st;
    return 1;
}

static lie_status failing(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    const double F[3] = {1.0, 2.0, 3.0};
    lie_place_kick(G, at, h, F);
    info->iterations++;
    lie_stepper_memory(st)[0] += 1.0;
    if (at->t < 1.0) return LIE_OK;
    at->g[0] = at->m[0] = lie_stepper_memory(st)[0] = -1e9;
    return LIE_ERR_DOMAIN;
}

void test_family_that_fails_is_undone(void)
{
    static const lie_family family = {.substep = failing, .memory = one};
    static const lie_method method = {.name = "failing", .family = &family};
    runner r;
    start(&r, &(lie_options){.own = &method}, 4.0);
    const lie_state before = r.s;
    TEST_ASSERT_NULL(lie_stepper_tableau(r.st));
    TEST_ASSERT_EQUAL(LIE_ERR_DOMAIN, lie_run(r.st, &r.s, 0.5, 10));
    TEST_ASSERT_EQUAL(2, r.s.steps);
    TEST_ASSERT_EQUAL_DOUBLE(1.0, r.s.t);
    TEST_ASSERT_EQUAL_MEMORY(before.g, r.s.g, sizeof before.g);
    TEST_ASSERT_EQUAL_DOUBLE(before.m[0] + 1.0, r.s.m[0]);
    TEST_ASSERT_EQUAL_DOUBLE(2.0, lie_stepper_memory(r.st)[0]);
}

static int too_much(const lie_stepper *st)
{
    (void)st;
    return LIE_MEMORY_MAX + 1;
}

static int negative(const lie_stepper *st)
{
    (void)st;
    return -1;
}

static lie_status nothing(lie_stepper *st)
{
    (void)st;
    return LIE_OK;
}

static lie_status init_with(const lie_method *own)
{
    double work[WORK];
    lie_stepper *st;
    return lie_stepper_init(&st, &sys, &(lie_options){.own = own}, work, sizeof work);
}

void test_family_that_is_not_complete(void)
{
    const lie_family empty = {.doubles = one}, only_prepare = {.prepare = nothing};
    const lie_family large = {.substep = failing, .memory = too_much},
                     wrong = {.substep = failing, .doubles = negative};
    const lie_family plain = {.substep = failing, .memory = one};
    TEST_ASSERT_EQUAL(LIE_OK, init_with(&(lie_method){.name = "plain", .family = &plain}));
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, init_with(&(lie_method){.name = "none"}));
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, init_with(&(lie_method){.family = &plain}));
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, init_with(&(lie_method){.name = "empty", .family = &empty}));
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, init_with(&(lie_method){.name = "prepare", .family = &only_prepare}));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, init_with(&(lie_method){.name = "large", .family = &large}));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, init_with(&(lie_method){.name = "wrong", .family = &wrong}));
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, init_with(&(lie_method){.name = "free", .family = &plain, .needs_free = 1}));
    TEST_ASSERT_EQUAL(LIE_ERR_TABLEAU, init_with(&(lie_method){.name = "tab", .family = &plain, .needs_tableau = 1}));
}

/* A built-in family under a name of one's own, with coefficients that no built-in method has. */
void test_family_of_the_library_with_other_coefficients(void)
{
    const lie_method *sv;
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&sv, "sv"));
    lie_method mine = *sv, other = *sv;
    mine.name = "mine", mine.composition = "yoshida6";
    other.name = "other", other.tableau = "euler_fwd";
    const lie_options options[2][2] = {
        {{.method = "sv_yoshida6", .retraction = "exp"}, {.own = &mine, .retraction = "exp"}},
        {{.method = "ve_fwd", .retraction = "exp"}, {.own = &other, .retraction = "exp"}}};
    for (int k = 0; k < 2; k++) {
        runner a, b;
        start(&a, &options[k][0], 4.0);
        start(&b, &options[k][1], 4.0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(a.st, &a.s, 0.02, 50));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(b.st, &b.s, 0.02, 50));
        expect_same(&a, &b, mine.name);
    }
}
