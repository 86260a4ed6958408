/* SPDX-License-Identifier: MIT */
/* Points: what an ensemble finds on the way is, trajectory by trajectory and to the bit, what a section finds that is
 * shown the same states without low parts, whatever the lanes, the threads and the pieces of the run. */
#include <math.h>
#include <stdio.h>

#include "tests/ensemble/ensemble_fixture.h"

enum { COUNT = 29, STEPS = 1200, ROOM = 200 };

static crew c;

void setUp(void)
{
}

void tearDown(void)
{
    crew_dismiss(&c);
}

/* surfaces */

static long calls; /* of a value, where there is one thread */

/* The number behind t that ctx tells. */
static double number_value(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    int number = *(const int *)ctx;
    (void)t;
    calls++;
    return number <= sys->group->size ? g[number - 1] : m[number - 1 - sys->group->size];
}

static double mixed_value(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    (void)ctx, (void)sys, (void)t;
    return m[1] + 0.3 * g[1] - 0.05;
}

/* Nothing to be seen beyond |t - 7| = 6. */
static double blind_value(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    return fabs(t - 7.0) > 6.0 ? (double)NAN : mixed_value(ctx, sys, t, g, m);
}

static const int on_s3[] = {5, 2}, on_se3[] = {13, 2}; /* m1, and a number of g */

/* what is found */

typedef struct mark {
    double t, residual, g[12], m[6];
    long long steps;
    int direction;
} mark;

typedef struct marks {
    int count;
    mark at[ROOM];
} marks;

static marks expected[COUNT], found[COUNT];
static int most[COUNT]; /* after so many, stop; 0: none */

static void note(marks *to, const lie_crossing *x)
{
    TEST_ASSERT_TRUE(x->found && to->count < ROOM);
    mark *at = &to->at[to->count++];
    memset(at, 0, sizeof *at);
    at->t = x->state->t, at->residual = x->residual, at->direction = x->direction, at->steps = x->state->steps;
    memcpy(at->g, lie_state_g(x->state), (size_t)c.systems[0].group->size * sizeof *at->g);
    memcpy(at->m, lie_state_m(x->state), (size_t)c.systems[0].group->dim * sizeof *at->m);
}

static int keep(void *ctx, long long trajectory, const lie_crossing *x)
{
    marks *to = (marks *)ctx + trajectory;
    note(to, x);
    return to->count == most[trajectory];
}

/* sections */

typedef struct post {
    lie_stepper *st;
    lie_section *sec;
    double work[CREW_WORK], section_work[CREW_WORK];
} post;

static post posts[COUNT], alone;
static lie_section *sections[COUNT];
static lie_status statuses[COUNT];

/* A section of trajectory i, in memory that was used for something else. */
static void station(post *p, int i, const lie_event *event)
{
    memset(p, 0x7F, sizeof *p);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&p->st, &c.systems[i], &c.options.step, p->work, sizeof p->work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_section_init(&p->sec, p->st, event, p->section_work, sizeof p->section_work));
}

static void station_all(const lie_event *event)
{
    memset(found, 0, sizeof found);
    memset(most, 0, sizeof most);
    for (int i = 0; i < COUNT; i++) {
        station(&posts[i], i, event);
        sections[i] = posts[i].sec;
        statuses[i] = LIE_OK;
    }
}

/* What there is on trajectory i in the steps after `from`: stepped, and shown without low parts. */
static void look_alone(marks *to, int i, const lie_event *event, int from, int steps)
{
    const lie_ops *G = c.systems[i].group;
    lie_state s = c.start[i], rough;
    lie_crossing x;
    to->count = 0;
    lie_state_clear(&rough);
    station(&alone, i, event);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(alone.st, &s, c.h[i], from));
    for (int k = 0; k <= steps; k++) {
        if (k > 0) TEST_ASSERT_EQUAL(LIE_OK, lie_step(alone.st, &s, c.h[i]));
        rough.t = s.t;
        memcpy(rough.g, s.g, (size_t)G->size * sizeof *s.g);
        memcpy(rough.m, s.m, (size_t)G->dim * sizeof *s.m);
        TEST_ASSERT_EQUAL(LIE_OK, lie_section_see(alone.sec, &rough, c.h[i]));
        while (lie_section_take(alone.sec, &x)) note(to, &x);
    }
}

static int expect_of_all(const lie_event *event)
{
    int all = 0;
    for (int i = 0; i < COUNT; i++) {
        look_alone(&expected[i], i, event, 0, STEPS);
        all += expected[i].count;
    }
    return all;
}

static void expect_marks(int i, const marks *wanted, const char *text)
{
    char message[120];
    snprintf(message, sizeof message, "%s: lanes %d, threads %d, trajectory %d", text, lie_ensemble_lanes(c.e),
             lie_ensemble_threads(c.e), i);
    TEST_ASSERT_EQUAL_MESSAGE(wanted->count, found[i].count, message);
    if (wanted->count > 0)
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(wanted->at, found[i].at, (size_t)wanted->count * sizeof *wanted->at, message);
}

/* the observer */

static lie_points points_of(int component)
{
    return (lie_points){.ensemble = c.e,
                        .sections = sections,
                        .statuses = statuses,
                        .component = component,
                        .found = keep,
                        .ctx = found};
}

static void run(const lie_points *p, long long n)
{
    lie_reducer r;
    TEST_ASSERT_EQUAL(LIE_OK, lie_points_reducer(&r, p));
    TEST_ASSERT_EQUAL(0, r.bytes);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, n, &(lie_observation){.every = 1, .reducers = 1, .reducer = &r}));
}

static void run_with(const lie_event *event, const char *method, int lanes, int threads, int component)
{
    lie_points p = points_of(component);
    crew_dismiss(&c);
    crew_enlist(&c, method, c.options.step.retraction, lanes, threads);
    p.ensemble = c.e;
    station_all(event);
    calls = 0;
    run(&p, STEPS);
    for (int i = 0; i < COUNT; i++) {
        TEST_ASSERT_EQUAL(LIE_OK, statuses[i]);
        expect_marks(i, &expected[i], method);
    }
}

static int widest(void)
{
    return lie_ensemble_lanes_max();
}

static void muster(crew_kind kind, const char *group, const char *method, const char *retraction, int lanes)
{
    crew_make(&c, COUNT, kind, group, 0.03, 0.8);
    crew_enlist(&c, method, retraction, lanes, 1);
}

/* With all lanes and threads the same; answers how many there are. */
static int expect_points(const lie_event *event, const char *method, int component, int has_lanes)
{
    int all = expect_of_all(event);
    for (int lanes = 1; lanes <= widest(); lanes *= has_lanes ? 2 : 8)
        for (int threads = 1; threads <= 3; threads++) {
            run_with(event, method, lanes, threads, 0);
            TEST_ASSERT_EQUAL(has_lanes ? lanes : 1, lie_ensemble_lanes(c.e));
            if (component == 0) continue;
            run_with(event, method, lanes, threads, component);
            /* the trail is read: only what is near a crossing, and the first steps, are called for */
            if (threads == 1 && lie_ensemble_lanes(c.e) > 1) TEST_ASSERT_TRUE(calls < (long)COUNT * STEPS / 4);
        }
    return all;
}

void test_points_are_those_of_each_trajectory(void)
{
    static const struct {
        crew_kind kind;
        int has_lanes;
        const char *group, *method, *retraction;
        const int *numbers;
    } cases[] = {{CREW_TOP, 1, "S3", "sv", "cay", on_s3},
                 {CREW_VEHICLE, 1, "SE3", "sv", "cay", on_se3},
                 {CREW_VEHICLE, 1, "SE3", "rk4_q", 0, on_se3},
                 {CREW_CALLBACK_LANES, 1, "S3", "sv", "cay", on_s3},
                 {CREW_TOP, 0, "S3", "gauss2", "cay", on_s3}};
    for (int k = 0; k < 5; k++) {
        int all = 0, lanes = cases[k].has_lanes && widest() > 1;
        muster(cases[k].kind, cases[k].group, cases[k].method, cases[k].retraction, 0);
        for (int j = 0; j < 2; j++) {
            const lie_event event = {.value = number_value, .ctx = &cases[k].numbers[j]};
            all += expect_points(&event, cases[k].method, cases[k].numbers[j], lanes);
        }
        all += expect_points(&(lie_event){.value = mixed_value, .direction = -1}, cases[k].method, 0, lanes);
        printf("  %s on %s: %d points\n", cases[k].method, cases[k].group, all);
        TEST_ASSERT_TRUE(all > 3 * COUNT);
        crew_dismiss(&c);
    }
}

/* They are also what lie_section_next finds, but for what the low parts change. */
void test_points_are_those_of_lie_section_next(void)
{
    const lie_event event = {.value = mixed_value};
    lie_points p = points_of(0);
    muster(CREW_TOP, "S3", "sv", "cay", 0);
    p.ensemble = c.e;
    station_all(&event);
    run(&p, STEPS);
    for (int i = 0; i < COUNT; i++) {
        lie_state s = c.start[i];
        lie_crossing x;
        long long budget = STEPS;
        int count = 0;
        station(&alone, i, &event);
        while (lie_section_next(alone.sec, &s, c.h[i], &budget, &x) == LIE_OK && x.found) {
            TEST_ASSERT_TRUE(count < found[i].count);
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, x.state->t, found[i].at[count].t);
            TEST_ASSERT_EQUAL(x.direction, found[i].at[count++].direction);
        }
        TEST_ASSERT_EQUAL(0, budget);
        TEST_ASSERT_EQUAL(found[i].count, count);
    }
}

/* A run in pieces, with other sections after every one, which are given what those before have learnt. */
static void expect_points_in_pieces(int component, int replace)
{
    static const long long pieces[] = {0, 1, 1, 2, 3, 64, 65, 100, 257, 0, 700, 7};
    static double numbers[400];
    const lie_event event = {.value = number_value, .ctx = &on_s3[0]};
    lie_points p = points_of(component);
    station_all(&event);
    for (int k = 0; k < 12; k++) {
        run(&p, pieces[k]);
        for (int i = 0; i < COUNT && replace; i++) {
            TEST_ASSERT_TRUE(lie_section_memory_count(sections[i]) <= 400);
            lie_section_memory_get(sections[i], numbers);
            station(&posts[i], i, &event);
            lie_section_memory_set(sections[i], numbers);
        }
    }
    for (int i = 0; i < COUNT; i++) expect_marks(i, &expected[i], "pieces");
}

void test_points_of_a_run_in_pieces(void)
{
    muster(CREW_TOP, "S3", "sv", "cay", 0);
    TEST_ASSERT_TRUE(expect_of_all(&(lie_event){.value = number_value, .ctx = &on_s3[0]}) > COUNT);
    for (int k = 0; k < 4; k++) {
        crew_dismiss(&c);
        crew_enlist(&c, "sv", "cay", 0, 2);
        expect_points_in_pieces(k % 2 ? on_s3[0] : 0, k / 2);
    }
}

/* Where a trajectory has gone on unseen, or was set anew, its section starts where it is seen again. */
void test_points_begin_where_a_trajectory_is_seen_again(void)
{
    const lie_event event = {.value = number_value, .ctx = &on_s3[0]};
    lie_points p = points_of(on_s3[0]);
    muster(CREW_TOP, "S3", "sv", "cay", 0);
    p.ensemble = c.e;
    station_all(&event);
    run(&p, 333);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, 67, 0));
    memset(found, 0, sizeof found);
    run(&p, 500);
    for (int i = 0; i < COUNT; i++) {
        look_alone(&expected[i], i, &event, 400, 500);
        expect_marks(i, &expected[i], "unseen");
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_set(c.e, i, &c.start[i]));
        look_alone(&expected[i], i, &event, 0, 500);
    }
    memset(found, 0, sizeof found);
    run(&p, 500);
    for (int i = 0; i < COUNT; i++) expect_marks(i, &expected[i], "set anew");
}

/* stops and failures */

/* Every third has enough after some; the others go on. */
void test_points_stop_when_they_are_enough(void)
{
    const lie_event event = {.value = number_value, .ctx = &on_s3[0]};
    muster(CREW_TOP, "S3", "sv", "cay", 0);
    expect_of_all(&event);
    for (int by_trail = 0; by_trail < 2; by_trail++) {
        lie_points p = points_of(by_trail ? on_s3[0] : 0);
        int stopped = 0;
        crew_dismiss(&c);
        crew_enlist(&c, "sv", "cay", by_trail ? 0 : 1, 2);
        p.ensemble = c.e;
        station_all(&event);
        for (int i = 0; i < COUNT; i += 3) most[i] = 1 + i % 2;
        run(&p, 700);
        run(&p, STEPS - 700);
        for (int i = 0; i < COUNT; i++) {
            int has_enough = most[i] > 0 && expected[i].count >= most[i];
            TEST_ASSERT_EQUAL(has_enough ? LIE_STOPPED : LIE_OK, statuses[i]);
            TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_status(c.e, i));
            marks wanted = expected[i];
            if (has_enough) wanted.count = most[i];
            expect_marks(i, &wanted, "enough");
            stopped += has_enough;
        }
        TEST_ASSERT_TRUE(stopped > 3);
    }
}

/* A crossing that was not taken when `found` had enough comes first when that one is looked at again. */
void test_points_that_are_queued_come_first(void)
{
    const lie_event event = {.value = number_value, .ctx = &on_s3[0]};
    lie_points p = points_of(0);
    muster(CREW_TOP, "S3", "sv", "cay", 0);
    p.ensemble = c.e;
    station_all(&event);
    run(&p, 10);
    memset(found, 0, sizeof found);
    lie_section *sec = sections[4];
    /* its numbers: queued; two crossings at the end, each direction, residual and a state (section_memory.c) */
    double numbers[200];
    const int count = lie_section_memory_count(sec), state = 3 + 2 * (4 + 3);
    TEST_ASSERT_TRUE(count <= 200);
    lie_section_memory_get(sec, numbers);
    numbers[3] = 2.0;
    for (int k = 0; k < 2; k++) {
        double *crossing = numbers + count - (2 - k) * (2 + state);
        crossing[0] = 1.0 - 2.0 * k, crossing[1] = 0.125, crossing[2] = c.start[k].t;
        memcpy(crossing + 5, c.start[k].g, 4 * sizeof(double));
        memcpy(crossing + 5 + 2 * 4, c.start[k].m, 3 * sizeof(double));
    }
    lie_section_memory_set(sec, numbers);
    most[4] = 1;
    run(&p, 0);
    TEST_ASSERT_EQUAL(LIE_STOPPED, statuses[4]);
    TEST_ASSERT_EQUAL(1, found[4].count);
    run(&p, 0);
    TEST_ASSERT_EQUAL(1, found[4].count);
    statuses[4] = LIE_OK;
    run(&p, 0);
    TEST_ASSERT_EQUAL(2, found[4].count);
    TEST_ASSERT_EQUAL(1, found[4].at[0].direction);
    TEST_ASSERT_EQUAL(-1, found[4].at[1].direction);
    TEST_ASSERT_EQUAL(LIE_OK, statuses[4]);
}

/* A value that is not finite ends the look at its trajectory; null: there is none at all. */
static void expect_points_beside_the_blind(int lanes)
{
    const lie_event event = {.value = mixed_value}, blind = {.value = blind_value};
    lie_points p = points_of(0);
    crew_dismiss(&c);
    crew_enlist(&c, "sv", "cay", lanes, 1);
    p.ensemble = c.e;
    station_all(&event);
    station(&posts[9], 9, &blind);
    station(&posts[10], 10, &blind);
    sections[0] = sections[20] = 0;
    run(&p, STEPS);
    for (int i = 0; i < COUNT; i++) {
        marks wanted = expected[i];
        for (int k = wanted.count; k > 0 && (i == 9 || i == 10); k--)
            if (fabs(wanted.at[k - 1].t - 7.0) > 6.0) wanted.count = k - 1;
        if (!sections[i]) wanted.count = 0;
        TEST_ASSERT_EQUAL(i == 9 || i == 10 ? LIE_ERR_NOT_FINITE : LIE_OK, statuses[i]);
        expect_marks(i, &wanted, "blind");
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_status(c.e, i));
    }
    TEST_ASSERT_TRUE(found[9].count + found[10].count > 0 && found[9].count < expected[9].count);
}

void test_points_beside_those_that_are_not_seen(void)
{
    muster(CREW_TOP, "S3", "sv", "cay", 0);
    expect_of_all(&(lie_event){.value = mixed_value});
    expect_points_beside_the_blind(1);
    expect_points_beside_the_blind(0);
}

/* Where a trajectory fails, what was found before stays and the others go on. */
void test_points_of_trajectories_that_fail(void)
{
    const lie_event event = {.value = number_value, .ctx = &on_s3[0]};
    lie_points p = points_of(on_s3[0]);
    lie_reducer r;
    muster(CREW_CALLBACK, "S3", "sv", "cay", 0);
    p.ensemble = c.e;
    expect_of_all(&event);
    c.params[9].top.gravity = 0.76; /* a force that is not a number where q0 falls below it */
    station_all(&event);
    TEST_ASSERT_EQUAL(LIE_OK, lie_points_reducer(&r, &p));
    const lie_observation obs = {.every = 1, .reducers = 1, .reducer = &r};
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_ensemble_run(c.e, STEPS, &obs));
    TEST_ASSERT_EQUAL(1, lie_ensemble_failed(c.e, 0));
    TEST_ASSERT_TRUE(found[9].count > 0 && found[9].count < expected[9].count);
    expected[9].count = found[9].count;
    for (int i = 0; i < COUNT; i++) expect_marks(i, &expected[i], "fails");
}

void test_points_refuse_bad_input(void)
{
    static const lie_free_body body = {{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    const lie_event event = {.value = number_value, .ctx = &on_s3[0]};
    lie_system other;
    lie_reducer r = {.bytes = 77};
    muster(CREW_TOP, "S3", "sv", "cay", 0);
    station_all(&event);
    lie_points p = points_of(0), bad;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_points_reducer(&r, 0));
    bad = p, bad.ensemble = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_points_reducer(&r, &bad));
    bad = p, bad.sections = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_points_reducer(&r, &bad));
    bad = p, bad.statuses = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_points_reducer(&r, &bad));
    bad = p, bad.found = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_points_reducer(&r, &bad));
    bad = p, bad.component = -1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_points_reducer(&r, &bad));
    bad = p, bad.component = 4 + 3 + 1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_points_reducer(&r, &bad));
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&other, &body, "SO3"));
    const lie_options opt = {.method = "sv"};
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&posts[3].st, &other, &opt, posts[3].work, sizeof posts[3].work));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_points_reducer(&r, &p));
    TEST_ASSERT_EQUAL(77, r.bytes);
    sections[3] = 0;
    p.component = 4 + 3;
    TEST_ASSERT_EQUAL(LIE_OK, lie_points_reducer(&r, &p));
}
