/* SPDX-License-Identifier: MIT */
/* What a section has learnt can be kept: a section that is given the numbers of another one finds, from there on, what
 * that one would have found, to the bit, wherever the other one was stopped. The trajectory is that of a symmetric free
 * body, m1 = a cos(w t + p). */
#include <liestep/core.h>

#include "tests/drivers/section_events.h"
#include "tests/support/near.h"

enum { WORK = 4000, STEPS = 160, ROOM = 64, MEMORY = 400 };

static const lie_free_body body = {{2.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}};
static const double amplitude = 1.25, spin = 3.0; /* of m1, m2; m3 */
static lie_system sys;

/* A section with all that it needs. */
typedef struct watcher {
    lie_stepper *st;
    lie_section *sec;
    double work[WORK], section_work[WORK];
} watcher;

static watcher first, second;

/* The trajectory, and what a section that is not stopped finds. */
static lie_state at[STEPS + 1];
static double values[STEPS + 1];
/* A crossing with a state of its own. */
typedef struct kept {
    lie_crossing c;
    lie_state state;
} kept;

static kept expected[ROOM];
static int expected_count;
static long long evaluations;

void setUp(void)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, "S3"));
}

void tearDown(void)
{
}

/* A section that knows nothing, in memory that was used for something else. */
static void prepare(watcher *w, const char *method, const lie_event *event)
{
    const lie_options opt = {.method = method};
    memset(w, 0x7F, sizeof *w);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&w->st, &sys, &opt, w->work, sizeof w->work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_section_init(&w->sec, w->st, event, w->section_work, sizeof w->section_work));
}

static void hand_over(lie_section *to, const lie_section *from)
{
    double numbers[MEMORY], again[MEMORY];
    int count = lie_section_memory_count(from);
    TEST_ASSERT_TRUE(count <= MEMORY && count == lie_section_memory_count(to));
    numbers[count - 1] = (double)NAN;
    lie_section_memory_get(from, numbers);
    lie_section_memory_set(to, numbers);
    lie_section_memory_get(to, again);
    TEST_ASSERT_EQUAL_MEMORY(numbers, again, (size_t)count * sizeof *numbers);
}

static void expect_crossing(const lie_crossing *c, int number)
{
    TEST_ASSERT_TRUE(number < expected_count);
    const kept *e = &expected[number];
    TEST_ASSERT_EQUAL(1, c->found);
    TEST_ASSERT_EQUAL(e->c.direction, c->direction);
    TEST_ASSERT_EQUAL(e->state.steps, c->state->steps);
    TEST_ASSERT_EQUAL_MEMORY(&e->c.residual, &c->residual, sizeof(double));
    TEST_ASSERT_EQUAL_MEMORY(&e->state.t, &c->state->t, sizeof(double));
    TEST_ASSERT_EQUAL_MEMORY(&e->state.low_t, &c->state->low_t, sizeof(double));
    TEST_ASSERT_EQUAL_MEMORY(e->state.g, c->state->g, 4 * sizeof(double));
    TEST_ASSERT_EQUAL_MEMORY(e->state.low_g, lie_state_low_g(c->state), 4 * sizeof(double));
    TEST_ASSERT_EQUAL_MEMORY(e->state.m, lie_state_m(c->state), 3 * sizeof(double));
    TEST_ASSERT_EQUAL_MEMORY(e->state.low_m, lie_state_low_m(c->state), 3 * sizeof(double));
}

static void state_of_row(void *ctx, int k, lie_state *s)
{
    *s = at[*(const int *)ctx + k];
}

/* Where a section is on its way: states seen, crossings taken. */
typedef struct progress {
    int seen, taken;
} progress;

/* One thing after the other: take a crossing if there is one, else see the next state, or `piece` > 1 of them; 0 at the
 * end. */
static int go_on(lie_section *sec, progress *p, int piece, double h)
{
    lie_crossing c;
    if (lie_section_take(sec, &c)) {
        expect_crossing(&c, p->taken++);
        return 1;
    }
    if (p->seen > STEPS) return 0;
    if (piece > 1) {
        int left = STEPS + 1 - p->seen, n = left < piece ? left : piece, seen = 0, from = p->seen;
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_watch(sec, values + from, 1, n, h, state_of_row, &from, &seen));
        p->seen += seen;
    } else {
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_see(sec, &at[p->seen++], h));
    }
    return 1;
}

/* The trajectory from the phase on, and its crossings. */
static void follow(const char *method, const lie_event *event, double phase, double h)
{
    double q[4] = {1, 0, 0, 0}, m[3] = {amplitude * cos(phase), amplitude * sin(phase), spin};
    prepare(&first, method, event);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &at[0], 0.0, q, m));
    expected_count = 0;
    for (int k = 0; k <= STEPS; k++) {
        if (k > 0) {
            at[k] = at[k - 1];
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(first.st, &at[k], h));
        }
        values[k] = event->value(event->ctx, &sys, at[k].t, at[k].g, at[k].m);
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_see(first.sec, &at[k], h));
        for (kept *e = &expected[expected_count]; expected_count < ROOM && lie_section_take(first.sec, &e->c); e++) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_clear(&e->state));
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_copy(&e->state, e->c.state));
            expected_count++;
        }
    }
    evaluations = lie_section_evaluations(first.sec);
}

/* Which stops there have been. */
static struct {
    int waiting, queued[3], known[4];
} stops;

static void count_stop(const lie_section *sec)
{
    double numbers[MEMORY];
    lie_section_memory_get(sec, numbers);
    stops.known[(int)numbers[0]]++;
    stops.waiting += (int)numbers[2];
    stops.queued[(int)numbers[3]]++;
}

/* One section goes its way, by pieces; wherever it is, another one takes over and comes to the same end. */
static void expect_handed_over(const char *method, const lie_event *event, int piece, double h)
{
    progress p = {0, 0};
    prepare(&first, method, event);
    do {
        progress rest = p;
        prepare(&second, method, event);
        hand_over(second.sec, first.sec);
        count_stop(second.sec);
        while (go_on(second.sec, &rest, 1, h)) continue;
        TEST_ASSERT_EQUAL(expected_count, rest.taken);
        TEST_ASSERT_EQUAL(evaluations, lie_section_evaluations(second.sec));
    } while (go_on(first.sec, &p, piece, h));
    TEST_ASSERT_EQUAL(expected_count, p.taken);
}

static void expect_kept(const char *method, const lie_event *event, double phase, double h, int least)
{
    follow(method, event, phase, h);
    TEST_ASSERT_TRUE(expected_count >= least);
    expect_handed_over(method, event, 1, h);
    expect_handed_over(method, event, 5, h);
}

void test_section_memory_at_every_step(void)
{
    static const char *const methods[] = {"sv", "ep", "gauss4", "rk4_q"};
    static const double level = 0.4;
    for (int k = 0; k < 4; k++)
        for (int d = -1; d <= 1; d++) expect_kept(methods[k], &(lie_event){above, &level, d}, 0.3, 0.2, d == 0 ? 4 : 2);
    expect_kept("sv", &(lie_event){above_squared, &level, 0}, 0.3, 0.2, 4);
    TEST_ASSERT_TRUE(stops.known[0] > 0 && stops.known[1] > 0 && stops.known[2] > 0 && stops.known[3] > 1000);
    TEST_ASSERT_TRUE(stops.queued[1] > 0);
}

/* A level that m1 takes at a node to the bit: the node waits for the next one. */
void test_section_memory_of_a_node_on_the_surface(void)
{
    double level = 0.0;
    const lie_event event = {above, &level, 0};
    int before = stops.waiting;
    for (int k = 3; k < 12; k++) {
        follow("ep", &event, 0.3, 0.2);
        level = at[k].m[0];
        expect_kept("ep", &event, 0.3, 0.2, 4);
    }
    TEST_ASSERT_TRUE(stops.waiting >= before + 9);
}

/* Close to an extreme of m1 both crossings fall into one step: one is taken, the other one waits. */
void test_section_memory_of_a_dip(void)
{
    const double level = amplitude * (1.0 - 1e-4);
    int both = stops.queued[2], one = stops.queued[1];
    expect_kept("gauss4", &(lie_event){above, &level, 0}, -1.0, 0.25, 2);
    TEST_ASSERT_TRUE(stops.queued[2] > both && stops.queued[1] > one);
}

/* A run that is cut: state, stepper and section are kept, and others go on. */
void test_section_memory_of_a_run_in_pieces(void)
{
    static const double level = 0.4, h = 0.2;
    const lie_event event = {above, &level, 0};
    watcher *now = &first, *next = &second;
    double learnt[200];
    follow("sv", &event, 0.3, h);
    lie_state s = at[0];
    lie_crossing c;
    int taken = 0;
    prepare(now, "sv", &event);
    while (s.steps < STEPS) {
        long long budget = 3 < STEPS - s.steps ? 3 : STEPS - s.steps;
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(now->sec, &s, h, &budget, &c));
        if (c.found) expect_crossing(&c, taken++);
        prepare(next, "sv", &event);
        TEST_ASSERT_TRUE(lie_stepper_memory_count(now->st) <= 200);
        lie_stepper_memory_get(now->st, learnt);
        lie_stepper_memory_set(next->st, learnt);
        hand_over(next->sec, now->sec);
        watcher *last = now;
        now = next, next = last;
    }
    SAME(4, at[STEPS].g, s.g);
    TEST_ASSERT_EQUAL(expected_count, taken);
}

/* Numbers that no section has given do not lead out of its memory. */
void test_section_memory_that_is_nonsense(void)
{
    static const double level = 0.4, bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e300, 77.0, -5.0};
    double numbers[MEMORY];
    lie_crossing c;
    for (int k = 0; k < 6; k++) {
        prepare(&first, "sv", &(lie_event){above, &level, 0});
        for (int i = 0; i < MEMORY; i++) numbers[i] = bad[k];
        lie_section_memory_set(first.sec, numbers);
        lie_section_memory_get(first.sec, numbers);
        for (int i = 0; i < 4; i++) TEST_ASSERT_EQUAL_DOUBLE(0.0, numbers[i]); /* known, side, waiting, queued */
        TEST_ASSERT_EQUAL(0, lie_section_take(first.sec, &c));
    }
}
