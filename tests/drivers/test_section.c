/* SPDX-License-Identifier: MIT */
/* Crossings of surfaces: as many as there are, once each, at round-off, and the trajectory does not notice. A symmetric
 * free body has known ones: m1 = a cos(w t + p) in the body, w = (1/I1 - 1/I3) m3. */
#include <stdlib.h>

#include <liestep/core.h>

#include "tests/drivers/section_events.h"
#include "tests/support/near.h"

enum { WORK = 4000 };

static const lie_free_body body = {{2.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}};
static const double amplitude = 1.25, spin = 3.0; /* of m1, m2; m3 */
static lie_system sys;
static lie_stepper *st;
static lie_section *sec;
static double work[WORK], section_work[WORK];

/* A crossing with a state of its own. */
typedef struct kept_crossing {
    int direction;
    lie_state state;
} kept_crossing;

static kept_crossing found_of(const lie_crossing *c)
{
    kept_crossing out = {.direction = c->direction};
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_clear(&out.state));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_copy(&out.state, c->state));
    return out;
}

void setUp(void)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, "S3"));
}

void tearDown(void)
{
}

/* The rate at which m turns about the body's axis. */
static double rate(void)
{
    return (1.0 / 2.0 - 1.0 / 3.0) * spin;
}

static void start(lie_state *s, const char *method, double phase, const lie_event *event)
{
    double q[4] = {1, 0, 0, 0}, m[3] = {amplitude * cos(phase), amplitude * sin(phase), spin};
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = method}, work, sizeof work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_section_init(&sec, st, event, section_work, sizeof section_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, s, 0.0, q, m));
}

/* the number of crossings until the trajectory ends, and the worst residual */
static int count_all(lie_state *s, double h, long long budget, double *residual)
{
    lie_crossing c;
    int found = 0;
    *residual = 0.0;
    for (;;) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, s, h, &budget, &c));
        if (!c.found) break;
        found++;
        *residual = fmax(*residual, fabs(c.residual));
    }
    TEST_ASSERT_EQUAL(0, budget);
    return found;
}

/* The times are those of cos(w t + p) = level/a, with the rate of the method itself: gauss4 is exact to 1e-12 here. */
void test_section_times_are_the_true_ones(void)
{
    double level = 0.4, w = rate(), worst = 0.0, residual = 0.0, phase = 0.3;
    const lie_event event = {above, &level, 0};
    lie_state s;
    lie_crossing c;
    long long budget = 2000;
    start(&s, "gauss4", phase, &event);
    double first = acos(level / amplitude);
    for (int k = 0; k < 12; k++) { /* w t + p = first, 2 pi - first, 2 pi + first, ... */
        int turns = (k + 1) / 2;
        double expected = ((k % 2 ? 2 * NEAR_PI * turns - first : 2 * NEAR_PI * turns + first) - phase) / w;
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, &s, 0.05, &budget, &c));
        TEST_ASSERT_EQUAL(1, c.found);
        TEST_ASSERT_EQUAL(k % 2 ? 1 : -1, c.direction);
        worst = fmax(worst, fabs(c.state->t - expected));
        residual = fmax(residual, fabs(c.residual));
        NEAR(1, &lie_state_m(c.state)[0], &level, 8);
    }
    printf("  crossing times within %.1e, residual %.1e, %lld shortened steps for 12\n", worst, residual,
           lie_section_evaluations(sec));
    TEST_ASSERT_TRUE(worst <= 1e-11);
    TEST_ASSERT_TRUE(residual <= 1e-14);
    TEST_ASSERT_TRUE(lie_section_evaluations(sec) <= 12 * 10);
}

/* A crossing is a point of the trajectory to the accuracy of the method: its error falls like h^2 with sv, and not
 * like a straight line between steps would have it (whose error in t does too, but leaves m off the orbit). */
void test_section_points_lie_on_the_orbit(void)
{
    double level = 0.4;
    const lie_event event = {above, &level, 1};
    const char *const methods[] = {"ep", "sv", "midpoint", "gauss2", "sv_suzuki4"};
    for (int i = 0; i < 5; i++) {
        lie_state s;
        lie_crossing c;
        long long budget = 100000;
        double E0, E, J0[3], J[3];
        start(&s, methods[i], 0.3, &event);
        lie_state_energy(&sys, &E0, &s);
        lie_state_spatial_momentum(&sys, J0, &s);
        for (int k = 0; k < 20; k++) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, &s, 0.15, &budget, &c));
            TEST_ASSERT_EQUAL(1, c.found);
            lie_state_spatial_momentum(&sys, J, c.state);
            lie_state_energy(&sys, &E, c.state);
            NEAR(3, J, J0, 50);
            TEST_ASSERT_DOUBLE_WITHIN(2e-3 * E0, E0, E);
            double norm = 0.0;
            for (int n = 0; n < 4; n++) norm += c.state->g[n] * c.state->g[n];
            TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1.0, norm);
        }
    }
}

/* The trajectory is that of lie_run to the bit, whatever is looked for. */
void test_section_does_not_disturb_the_trajectory(void)
{
    double level = 0.4, residual;
    const lie_event event = {above, &level, 0};
    lie_state s, plain;
    start(&s, "ep", 0.3, &event);
    plain = s;
    TEST_ASSERT_TRUE(count_all(&s, 0.07, 5000, &residual) > 20);
    start(&plain, "ep", 0.3, &event);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &plain, 0.07, 5000));
    SAME(4, s.g, plain.g);
    SAME(3, s.m, plain.m);
    TEST_ASSERT_TRUE(s.t == plain.t);
}

/* Each crossing is found once, also where steps end on the surface: values chosen so, by a level that m1 takes at a
 * node to the bit. */
void test_section_on_step_crossings_are_found_once(void)
{
    double level = 0.0, residual;
    const lie_event event = {above, &level, 0};
    lie_state s, at;
    for (int k = 3; k < 40; k++) {
        start(&at, "ep", 0.3, &event);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &at, 0.1, k));
        level = at.m[0];
        start(&s, "ep", 0.3, &event);
        /* m1 turns 0.05 rad a step: in 700 steps it passes any level but its extremes 11 times */
        int found = count_all(&s, 0.1, 700, &residual);
        TEST_ASSERT_TRUE(found == 11 || found == 12 || found == 10);
        double nudged = nextafter(level, 1.0);
        const lie_event beside = {above, &nudged, 0};
        start(&s, "ep", 0.3, &beside);
        TEST_ASSERT_EQUAL(found, count_all(&s, 0.1, 700, &residual));
    }
}

/* A state that starts on the surface, or beside it by rounding, is no crossing; it comes back to it. */
void test_section_start_on_the_surface(void)
{
    for (int beside = -2; beside <= 2; beside++) {
        double level = amplitude * cos(0.3);
        const lie_event event = {above, &level, 0};
        lie_state s;
        lie_crossing c;
        long long budget = 1000;
        start(&s, "gauss4", 0.3, &event);
        level = s.m[0] * (1.0 + beside * 0x1p-52);
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, &s, 0.05, &budget, &c));
        TEST_ASSERT_EQUAL(1, c.found);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, (2 * NEAR_PI - 0.6) / rate(), c.state->t);
    }
}

/* Where f touches 0 it is found once, as precisely as a double root can be. */
void test_section_touches_are_found_once(void)
{
    double level = 0.4, residual, worst = 0.0, w = rate(), first = acos(level / amplitude);
    const lie_event event = {above_squared, &level, 0};
    lie_state s;
    lie_crossing c;
    for (int k = 0; k < 50; k++) {
        double phase = 0.3 + 0.001 * k, expected = (first - phase) / w;
        long long budget = 200;
        start(&s, "gauss4", phase, &event);
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, &s, 0.05, &budget, &c));
        TEST_ASSERT_EQUAL(1, c.found);
        TEST_ASSERT_EQUAL(0, c.direction);
        worst = fmax(worst, fabs(c.state->t - expected));
        start(&s, "gauss4", phase, &event);
        TEST_ASSERT_EQUAL(8, count_all(&s, 0.05, 1000, &residual)); /* 50 units of time: 25 rad, 4 turns */
        TEST_ASSERT_TRUE(residual <= 1e-12);
    }
    printf("  touches within %.1e in time\n", worst);
    TEST_ASSERT_TRUE(worst <= 1e-6);
}

/* Close to an extreme of m1 both crossings fall into one step, and beyond it there is none. */
void test_section_dips_have_two_crossings(void)
{
    double level, residual;
    const lie_event event = {above, &level, 0};
    for (int k = 0; k < 40; k++) {
        lie_state s;
        double depth = 1e-3 * pow(0.55, k);
        level = amplitude * (1.0 - depth); /* m1 is above it for 2 acos(level/a)/w: from 0.18 down to 1e-6 */
        start(&s, "gauss4", -1.0, &event);
        int found = count_all(&s, 0.25, 20, &residual);
        if (depth > 1e-12) TEST_ASSERT_EQUAL(2, found);
        if (depth <= 1e-12) TEST_ASSERT_TRUE(found == 2 || found == 1);
        level = amplitude * (1.0 + depth);
        start(&s, "gauss4", -1.0, &event);
        found = count_all(&s, 0.25, 20, &residual);
        if (depth > 1e-12) TEST_ASSERT_EQUAL(0, found);
    }
}

void test_section_directions(void)
{
    double level = 0.4, residual;
    int found[3];
    for (int d = -1; d <= 1; d++) {
        const lie_event event = {above, &level, d};
        lie_state s;
        start(&s, "sv", 0.3, &event);
        found[d + 1] = count_all(&s, 0.1, 2000, &residual);
    }
    TEST_ASSERT_EQUAL(found[1], found[0] + found[2]);
    TEST_ASSERT_TRUE(found[0] > 10 && abs(found[0] - found[2]) <= 1);
}

void test_section_backwards_finds_the_same_points(void)
{
    double level = 0.4;
    const lie_event event = {above, &level, 0};
    lie_state s, end;
    lie_crossing there[12], back;
    double when[12];
    long long budget = 2000;
    start(&s, "sv", 0.3, &event);
    for (int k = 0; k < 12; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, &s, 0.1, &budget, &there[k]));
        when[k] = there[k].state->t;
    }
    end = s;
    lie_stepper_reset(st);
    lie_section_reset(sec);
    for (int k = 11; k >= 0; k--) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, &end, -0.1, &budget, &back));
        TEST_ASSERT_DOUBLE_WITHIN(2e-3, when[k], back.state->t); /* the shortened steps differ */
        TEST_ASSERT_EQUAL(-there[k].direction, back.direction);
    }
}

/* Cut into many calls with small budgets: the same crossings to the bit. */
void test_section_does_not_depend_on_the_budget(void)
{
    double level = 0.4;
    const lie_event event = {above, &level, 0};
    lie_state s, whole[8];
    lie_crossing c;
    long long budget = 10000;
    start(&s, "ep", 0.3, &event);
    for (int k = 0; k < 8; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, &s, 0.1, &budget, &c));
        whole[k] = found_of(&c).state;
    }
    start(&s, "ep", 0.3, &event);
    for (int k = 0; k < 8;) {
        budget = 3;
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, &s, 0.1, &budget, &c));
        if (!c.found) continue;
        SAME(4, c.state->g, whole[k].g);
        SAME(3, lie_state_m(c.state), whole[k].m);
        TEST_ASSERT_TRUE(c.state->t == whole[k++].t);
    }
}

static double blind(const void *ctx, const lie_system *s, double t, const double *g, const double *m)
{
    return t > 1.0 ? (double)NAN : above(ctx, s, t, g, m);
}

void test_section_refuses_what_it_cannot_do(void)
{
    double level = 0.4;
    const lie_event event = {above, &level, 0}, none = {NULL, NULL, 0}, unseeing = {blind, &level, 0};
    lie_state s;
    lie_crossing c = {.found = 7};
    long long budget = 1000;
    start(&s, "sv", 0.3, &event);
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_section_init(&sec, st, &none, section_work, sizeof section_work));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_section_init(&sec, st, &event, section_work, lie_section_memsize(st) - 1));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_section_init(&sec, st, &event, NULL, sizeof section_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_section_init(&sec, st, &event, section_work, lie_section_memsize(st)));
    TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_section_next(sec, &s, 0.0, &budget, &c));
    TEST_ASSERT_EQUAL(0, c.found);
    start(&s, "sv", 0.3, &unseeing);
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_section_next(sec, &s, 0.05, &budget, &c));
    TEST_ASSERT_TRUE(s.t >= 1.0 && s.t < 1.1);
}

/* Shown the states of a trajectory that others step, a section finds the same crossings to the bit. */
void test_section_sees_what_it_would_have_stepped(void)
{
    enum { STEPS = 3000, ROOM = 100 };
    static kept_crossing found[ROOM];
    const double level = 0.4, h = 0.05;
    const lie_event event = {.value = above, .ctx = &level};
    long long budget = STEPS;
    lie_crossing c;
    lie_state s;
    int count = 0, seen = 0;
    start(&s, "sv", 0.3, &event);
    while (lie_section_next(sec, &s, h, &budget, &c) == LIE_OK && c.found && count < ROOM)
        found[count++] = found_of(&c);
    start(&s, "sv", 0.3, &event);
    TEST_ASSERT_EQUAL(LIE_OK, lie_section_see(sec, &s, h));
    for (int k = 0; k < STEPS; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, h));
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_see(sec, &s, h));
        while (lie_section_take(sec, &c)) {
            TEST_ASSERT_TRUE(seen < count && c.direction == found[seen].direction && c.state->t == found[seen].state.t);
            TEST_ASSERT_EQUAL_MEMORY(found[seen++].state.m, lie_state_m(c.state), 3 * sizeof(double));
        }
    }
    TEST_ASSERT_TRUE(count > 20);
    TEST_ASSERT_EQUAL(count, seen);
}

/* States that were stepped before, and how often one was asked for. */
enum { ROW = 3001 };
static lie_state row_of_states[ROW];
static int asked;

static void state_of_row(void *ctx, int k, lie_state *s)
{
    asked++;
    *s = row_of_states[*(const int *)ctx + k];
}

/* `see` for one after the other and `watch` for pieces of `piece` find the same; the surface is that of the event. */
static void watch_in_pieces(const lie_event *event, double phase, int piece, int *count)
{
    const double h = 0.05;
    static double f[ROW];
    static kept_crossing found[300];
    lie_crossing c;
    lie_state s;
    int first = 0, again = 0;
    *count = asked = 0;
    start(&s, "sv", phase, event);
    for (int k = 0; k < ROW; k++) {
        row_of_states[k] = s;
        f[k] = event->value(event->ctx, &sys, s.t, s.g, s.m);
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_see(sec, &s, h));
        while (lie_section_take(sec, &c) && *count < 300) found[(*count)++] = found_of(&c);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, h));
    }
    long long evaluations = lie_section_evaluations(sec);
    start(&s, "sv", phase, event);
    for (; first < ROW; first += piece) {
        int n = ROW - first < piece ? ROW - first : piece;
        for (int seen = 0; seen < n;) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_section_watch(sec, f + first, 1, n, h, state_of_row, &first, &seen));
            for (; lie_section_take(sec, &c); again++) {
                TEST_ASSERT_TRUE(again < *count && c.direction == found[again].direction);
                TEST_ASSERT_EQUAL_MEMORY(&found[again].state.t, &c.state->t, sizeof(double));
                TEST_ASSERT_EQUAL_MEMORY(found[again].state.m, lie_state_m(c.state), 3 * sizeof(double));
                TEST_ASSERT_EQUAL_MEMORY(found[again].state.g, c.state->g, 4 * sizeof(double));
            }
        }
    }
    TEST_ASSERT_EQUAL(*count, again);
    TEST_ASSERT_EQUAL(evaluations, lie_section_evaluations(sec));
}

/* Crossings, crossings on a step, touches, in pieces of any length. */
void test_section_watches_what_it_would_have_seen(void)
{
    static const int pieces[] = {1, 2, 3, 7, 32, ROW};
    const double level = 0.4, none = 0.0, top = amplitude;
    for (int k = 0; k < 6; k++) {
        int count;
        watch_in_pieces(&(lie_event){.value = above, .ctx = &level}, 0.3, pieces[k], &count);
        TEST_ASSERT_TRUE(count > 20);
        if (pieces[k] > 7) TEST_ASSERT_TRUE(asked < ROW / 2);
        watch_in_pieces(&(lie_event){.value = above, .ctx = &none, .direction = 1}, 0.5 * 3.141592653589793, pieces[k],
                        &count);
        TEST_ASSERT_TRUE(count > 10);
        watch_in_pieces(&(lie_event){.value = above_squared, .ctx = &level}, 0.3, pieces[k], &count);
        TEST_ASSERT_TRUE(count > 20);
        watch_in_pieces(&(lie_event){.value = above, .ctx = &top}, 0.3, pieces[k], &count);
    }
}

static void rough_state_of_row(void *ctx, int k, lie_state *s)
{
    const lie_state *from = &row_of_states[*(const int *)ctx + k];
    s->t = from->t;
    memcpy(s->g, from->g, 4 * sizeof *s->g);
    memcpy(s->m, from->m, 3 * sizeof *s->m);
}

/* What was in the section's memory before does not get into steps and low parts of a state that has none. */
void test_section_watch_takes_states_without_low_parts(void)
{
    const double level = 0.4, h = 0.05;
    const lie_event event = {.value = above, .ctx = &level};
    static double f[ROW], seen_m[300][3];
    int count = 0, again = 0, seen = 0, first = 0;
    lie_crossing c;
    lie_state s;
    start(&s, "sv", 0.3, &event);
    for (int k = 0; k < ROW; k++) {
        lie_state *rough = &row_of_states[k];
        lie_state_clear(rough);
        rough->t = s.t;
        memcpy(rough->g, s.g, 4 * sizeof *s.g);
        memcpy(rough->m, s.m, 3 * sizeof *s.m);
        f[k] = above(&level, &sys, s.t, s.g, s.m);
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_see(sec, rough, h));
        for (; lie_section_take(sec, &c) && count < 300; count++)
            memcpy(seen_m[count], lie_state_m(c.state), sizeof *seen_m);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, h));
    }
    memset(section_work, 0x7F, sizeof section_work);
    start(&s, "sv", 0.3, &event);
    while (seen < ROW) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_watch(sec, f, 1, ROW, h, rough_state_of_row, &first, &seen));
        for (; lie_section_take(sec, &c); again++) {
            TEST_ASSERT_EQUAL_MEMORY(seen_m[again], lie_state_m(c.state), sizeof *seen_m);
            TEST_ASSERT_EQUAL(1, c.state->steps);
        }
    }
    TEST_ASSERT_TRUE(again == count && count > 20);
}

static double infinite_later(const void *ctx, const lie_system *s, double t, const double *g, const double *m)
{
    (void)ctx, (void)s, (void)g, (void)m;
    return t < 1.0 ? 1.0 + t : HUGE_VAL;
}

void test_section_watch_tells_where_a_value_is_missing(void)
{
    double f[40];
    int seen = 0, first = 0;
    lie_state s;
    start(&s, "sv", 0.3, &(lie_event){.value = infinite_later});
    for (int k = 0; k < 40; k++) f[k] = infinite_later(0, &sys, 0.05 * k, s.g, s.m);
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_section_watch(sec, f, 1, 40, 0.05, state_of_row, &first, &seen));
    TEST_ASSERT_TRUE(seen >= 19 && seen <= 21);
}
