/* SPDX-License-Identifier: MIT */
/* In which threads callbacks are called, as the headers say: those of a stepper, a section and a manoeuvre in the thread
 * that calls, one at a time; those of an ensemble in several at once, but for what belongs to one chunk. */
#define _POSIX_C_SOURCE 200809L

#include <liestep/liestep.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "unity.h"

enum { COUNT = 64, STEPS = 5, WORK = 60000 };

static const double q[4] = {1, 0, 0, 0}, w[3] = {0.3, -0.2, 0.5};
static const lie_free_body body = {{1.1, 0, 0, 0, 2.3, 0, 0, 0, 2.9}};
static double step_work[2000], section_work[4000], control_work[WORK];
static lie_system sys;
static pthread_t caller;
static atomic_int inside, most, strangers, calls;

/* Two in here at once? The first ones wait for each other, up to five seconds in all. */
static void visit(int waits)
{
    struct timespec start, now;
    int here = atomic_fetch_add(&inside, 1) + 1, seen = atomic_load(&most);
    while (here > seen && !atomic_compare_exchange_weak(&most, &seen, here)) {
    }
    atomic_fetch_add(&calls, 1);
    if (!pthread_equal(pthread_self(), caller)) atomic_fetch_add(&strangers, 1);
    clock_gettime(CLOCK_MONOTONIC, &start);
    now = start;
    while (waits && atomic_load(&most) < 2 && now.tv_sec - start.tv_sec < 5) {
        sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    atomic_fetch_sub(&inside, 1);
}

static void drag(const lie_system *of, double *f, double t, const double *g, const double *xi, const double *u)
{
    (void)t, (void)g;
    visit(*(const int *)of->params);
    for (int i = 0; i < 3; i++) f[i] = -0.1 * xi[i] + (u ? u[i] : 0.0);
}

static double value(const void *ctx, const lie_system *of, double t, const double *g, const double *m)
{
    (void)ctx, (void)of, (void)t, (void)g;
    visit(0);
    return m[0] - 0.3;
}

static void begin(const int *waits)
{
    caller = pthread_self();
    atomic_store(&inside, 0), atomic_store(&most, 0), atomic_store(&strangers, 0), atomic_store(&calls, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, "S3"));
    sys.external = drag, sys.params = waits, sys.controls = 3;
}

void setUp(void)
{
}

void tearDown(void)
{
}

static int observe(void *ctx, const lie_stepper *st, const lie_state *s)
{
    (void)ctx, (void)st, (void)s;
    visit(0);
    return 0;
}

static lie_status damp(void *ctx, double *u, const lie_system *of, double t, const double *g, const double *xi)
{
    (void)ctx, (void)of, (void)t, (void)g;
    visit(0);
    for (int i = 0; i < 3; i++) u[i] = -0.1 * xi[i];
    return LIE_OK;
}

static int monitor(void *ctx, const lie_control_progress *now)
{
    (void)ctx, (void)now;
    visit(0);
    return 0;
}

static void upright(void *ctx, double *c, double *D, const double *g, const double *xi)
{
    (void)ctx, (void)g;
    visit(0);
    c[0] = xi[0];
    if (D) memset(D, 0, 6 * sizeof *D), D[3] = 1.0;
}

void test_threads_of_a_stepper_a_section_and_a_manoeuvre(void)
{
    static const int no = 0;
    const lie_control_states set = {1, upright, NULL};
    const lie_control_options opt = {.monitor = monitor};
    double to[4];
    lie_stepper *st;
    lie_section *sec;
    lie_control *c;
    lie_state s;
    lie_crossing crossing;
    long long budget = 20;
    begin(&no);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, step_work, sizeof step_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, q, w));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run_observed(st, &s, 0.05, 10, 1, observe, NULL));
    TEST_ASSERT_EQUAL(LIE_OK, lie_feedback_run(st, &s, 0.05, 5, LIE_FEEDBACK_IMPLICIT, damp, NULL));
    TEST_ASSERT_TRUE(sizeof section_work >= lie_section_memsize(st));
    TEST_ASSERT_EQUAL(LIE_OK,
                      lie_section_init(&sec, st, &(lie_event){.value = value}, section_work, sizeof section_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(sec, &s, 0.05, &budget, &crossing));
    lie_s3_exp(to, (double[3]){0.4, -0.3, 0.2});
    lie_actuation inputs = {.base = sys, .count = 3};
    inputs.base.controls = 0;
    for (int i = 0; i < 3; i++) inputs.actuator[i].wrench[i] = 1.0;
    const lie_control_problem p = {
        .actuation = &inputs, .g0 = q, .gT = to, .T = 1.0, .N = 8, .target_set = &set, .free_pose = (int[3]){0, 0, 0}};
    TEST_ASSERT_TRUE(lie_control_memsize(&p) <= sizeof control_work);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_init(&c, &p, control_work, sizeof control_work));
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_solve(c, &opt));
    TEST_ASSERT_TRUE(atomic_load(&calls) > 100);
    TEST_ASSERT_EQUAL_INT(1, atomic_load(&most));
    TEST_ASSERT_EQUAL_INT(0, atomic_load(&strangers));
}

/* A sum that knows whether two threads were at it, and in which order the trajectories came */
typedef struct tally {
    long long busy, wrong, last, count;
} tally;

static atomic_int foreign; /* calls of clear or merge by another thread */

static void clear(const lie_reducer *r, void *sum)
{
    (void)r;
    if (!pthread_equal(pthread_self(), caller)) atomic_fetch_add(&foreign, 1);
    *(tally *)sum = (tally){.last = -1};
}

static void add(const lie_reducer *r, void *sum, const lie_sample *sample)
{
    tally *t = (tally *)sum;
    (void)r;
    visit(0);
    if (t->busy++ != 0) t->wrong++;
    if (sample->trajectory <= t->last) t->wrong++;
    t->last = sample->trajectory, t->count++;
    sched_yield();
    if (--t->busy != 0) t->wrong++;
}

static void merge(const lie_reducer *r, void *sum, const void *next)
{
    tally *t = (tally *)sum;
    const tally *n = (const tally *)next;
    (void)r;
    if (!pthread_equal(pthread_self(), caller)) atomic_fetch_add(&foreign, 1);
    t->count += n->count, t->wrong += n->wrong + (n->last <= t->last);
    t->last = n->last;
}

/* With two threads a force that waits for another one to be there sees it; with one it does not. */
void test_threads_of_an_ensemble(void)
{
    static int waits;
    const lie_reducer r = {sizeof(tally), NULL, clear, add, merge, NULL};
    for (int threads = 1; threads <= 2; threads++) {
        const lie_ensemble_options opt = {.step = {.method = "sv"}, .h = 0.05, .threads = threads};
        lie_ensemble *e;
        lie_state s;
        lie_observation obs = {.every = 1, .reducers = 1, .reducer = &r};
        waits = threads > 1;
        begin(&waits);
        atomic_store(&foreign, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, q, w));
        size_t bytes = lie_ensemble_memsize(&sys, 1, COUNT, &opt);
        void *memory = malloc(bytes);
        TEST_ASSERT_NOT_NULL(memory);
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_init(&e, &sys, 1, COUNT, &opt, memory, bytes));
        for (int i = 0; i < COUNT; i++) TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_set(e, i, &s));
        obs.bytes = lie_ensemble_sums_bytes(e, STEPS, &obs);
        obs.sums = malloc(obs.bytes);
        TEST_ASSERT_NOT_NULL(obs.sums);
        waits = lie_ensemble_threads(e) > 1; /* without OpenMP there is one thread, which must not wait */
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(e, STEPS, &obs));
        TEST_ASSERT_EQUAL_INT(waits ? 2 : 1, atomic_load(&most));
        TEST_ASSERT_EQUAL_INT(waits, atomic_load(&strangers) > 0);
        TEST_ASSERT_EQUAL_INT(0, atomic_load(&foreign));
        for (int k = 0; k <= STEPS; k++) {
            const tally *t = (const tally *)lie_ensemble_sum(&obs, k, 0);
            TEST_ASSERT_EQUAL_INT64(0, t->wrong);
            TEST_ASSERT_EQUAL_INT64(COUNT, t->count);
        }
        free(obs.sums);
        free(memory);
    }
}
