/* SPDX-License-Identifier: MIT */
/* Ensembles: sums over the trajectories are what they should be and do not depend on threads, lanes and who runs which
 * chunk; what fails is named; bad input is refused. */
#include <math.h>
#include <stdio.h>

#include "tests/ensemble/ensemble_fixture.h"

static crew c;

void setUp(void)
{
}

void tearDown(void)
{
    crew_dismiss(&c);
}

/* reducers of the tests */

/* All of m, and g[0]. */
static void measure_state(const void *ctx, double *values, const lie_sample *s)
{
    (void)ctx;
    for (int i = 0; i < 3; i++) values[i] = s->m[i];
    values[3] = s->g[0];
}

static void measure_first(const void *ctx, double *value, const lie_sample *s)
{
    (void)ctx;
    *value = s->m[0];
}

static const lie_moments moments = {.values = 4, .measure = measure_state};
static const lie_histogram histogram = {.bins = 10, .low = -2.0, .high = 2.5, .measure = measure_first};

/* Every sample as it comes: count, then trajectory, t, g and m of each. A sum has room for a whole ensemble. */
enum { SAMPLE = 2 + 12 + 6, RECORDS = CREW_MAX };

static void record_clear(const lie_reducer *r, void *sum)
{
    memset(sum, 0, r->bytes);
}

static void record_add(const lie_reducer *r, void *sum, const lie_sample *s)
{
    double *count = (double *)sum, *to = count + 1 + SAMPLE * (int)*count;
    (void)r;
    to[0] = (double)s->trajectory, to[1] = s->t;
    memcpy(to + 2, s->g, (size_t)s->system->group->size * sizeof *to);
    memcpy(to + 14, s->m, (size_t)s->system->group->dim * sizeof *to);
    *count += 1.0;
}

static void record_merge(const lie_reducer *r, void *sum, const void *next)
{
    double *count = (double *)sum;
    const double *more = (const double *)next;
    (void)r;
    memcpy(count + 1 + SAMPLE * (int)*count, more + 1, (size_t)(SAMPLE * (int)*more) * sizeof *more);
    *count += *more;
}

static const lie_reducer recorder = {
    (1 + SAMPLE * RECORDS) * sizeof(double), 0, record_clear, record_add, record_merge, 0};

static lie_reducer reducers[3];

static lie_observation observation_of(long long n, long long every)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_moments_reducer(&reducers[0], &moments));
    TEST_ASSERT_EQUAL(LIE_OK, lie_histogram_reducer(&reducers[1], &histogram));
    reducers[2] = recorder;
    lie_observation obs = {.every = every, .reducers = 3, .reducer = reducers};
    obs.bytes = lie_ensemble_sums_bytes(c.e, n, &obs);
    obs.sums = malloc(obs.bytes);
    TEST_ASSERT_NOT_NULL(obs.sums);
    return obs;
}

/* what is observed */

typedef struct watcher {
    const lie_observation *obs;
    long long seen;
    int trajectory, ok;
} watcher;

/* Is what lie_run_observed sees of a trajectory what the recorder has of it? */
static int watch(void *ctx, const lie_stepper *st, const lie_state *s)
{
    watcher *w = (watcher *)ctx;
    const double *sum = (const double *)lie_ensemble_sum(w->obs, w->seen++, 2), *at = sum + 1 + SAMPLE * w->trajectory;
    w->ok &= sum[0] == c.count && at[0] == w->trajectory && at[1] == s->t;
    w->ok &= same_numbers(lie_stepper_group(st)->size, at + 2, s->g) &&
             same_numbers(lie_stepper_group(st)->dim, at + 14, s->m);
    return 0;
}

static void expect_observed(const char *method, const char *retraction, int lanes, long long n, long long every)
{
    static double work[CREW_WORK];
    crew_enlist(&c, method, retraction, lanes, 1);
    lie_observation obs = observation_of(n, every);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, n, &obs));
    for (int i = 0; i < c.count; i++) {
        lie_stepper *st;
        lie_state s = c.start[i];
        watcher w = {&obs, 0, i, 1};
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &c.systems[i], &c.options.step, work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run_observed(st, &s, c.h[i], n, every, watch, &w));
        TEST_ASSERT_TRUE_MESSAGE(w.ok, method);
        TEST_ASSERT_EQUAL(lie_ensemble_observations(n, &obs), w.seen);
    }
    free(obs.sums);
    crew_dismiss(&c);
}

void test_ensemble_observes_what_lie_run_observed_does(void)
{
    static const long long every[] = {1, 7, 31, 32, 100, 1024, 5000};
    for (int k = 0; k < 7; k++)
        for (int lanes = 1; lanes <= 8; lanes *= 2) {
            crew_make(&c, 15, CREW_TOP, k % 2 ? "S3" : "SO3", 0.03, 0.8);
            expect_observed("sv", "cay", lanes, 1100, every[k]);
            crew_make(&c, 5, CREW_VEHICLE, "SE3", 0.03, 0.3);
            expect_observed("sv", "cay", lanes, 1100, every[k]);
        }
    crew_make(&c, 5, CREW_SATELLITE, "S3", 0.03, 0.3);
    expect_observed("sv", "cay", 0, 50, 7);
}

/* sums */

/* Mean and covariance from the recorded samples, in two passes. */
static void direct_moments(double mean[4], double covariance[16], const double *record)
{
    int n = (int)record[0];
    memset(mean, 0, 4 * sizeof *mean);
    memset(covariance, 0, 16 * sizeof *covariance);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < n; k++) {
            const double *at = record + 1 + SAMPLE * k, x[4] = {at[14], at[15], at[16], at[2]};
            for (int i = 0; i < 4 && pass == 0; i++) mean[i] += x[i] / n;
            for (int i = 0; i < 16 && pass == 1; i++)
                covariance[i] += (x[i / 4] - mean[i / 4]) * (x[i % 4] - mean[i % 4]) / (n - 1);
        }
}

static void direct_counts(long long counts[13], const double *record)
{
    memset(counts, 0, 13 * sizeof *counts);
    for (int k = 0; k < (int)record[0]; k++) {
        double x = record[1 + SAMPLE * k + 14];
        int bin = x < -2.0 ? 10 : x >= 2.5 ? 11 : (int)floor((x + 2.0) / 0.45);
        counts[bin]++;
    }
}

void test_ensemble_sums_are_those_of_the_samples(void)
{
    enum { STEPS = 500, EVERY = 90 };
    double worst = 0.0;
    crew_make(&c, CREW_MAX, CREW_TOP, "S3", 0.03, 0.8);
    crew_enlist(&c, "sv", "cay", 0, 2);
    lie_observation obs = observation_of(STEPS, EVERY);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, STEPS, &obs));
    TEST_ASSERT_EQUAL(7, lie_ensemble_observations(STEPS, &obs));
    for (long long k = 0; k < 7; k++) {
        double mean[4], covariance[16], mean_ref[4], covariance_ref[16];
        long long counts[13], counts_ref[13];
        const double *record = (const double *)lie_ensemble_sum(&obs, k, 2);
        direct_moments(mean_ref, covariance_ref, record);
        direct_counts(counts_ref, record);
        TEST_ASSERT_EQUAL(CREW_MAX, lie_moments_count(lie_ensemble_sum(&obs, k, 0)));
        lie_moments_mean(&moments, mean, lie_ensemble_sum(&obs, k, 0));
        lie_moments_covariance(&moments, covariance, lie_ensemble_sum(&obs, k, 0));
        lie_histogram_counts(&histogram, counts, lie_ensemble_sum(&obs, k, 1));
        for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(mean[i] - mean_ref[i]));
        for (int i = 0; i < 16; i++) worst = fmax(worst, fabs(covariance[i] - covariance_ref[i]));
        TEST_ASSERT_EQUAL_MEMORY(counts_ref, counts, sizeof counts);
    }
    printf("means and covariances off by %.1e\n", worst);
    TEST_ASSERT_TRUE(worst < 1e-14);
    free(obs.sums);
}

/* A mean far from 0 beside a small deviation: sums of squares would lose everything. */
static void measure_offset(const void *ctx, double *value, const lie_sample *s)
{
    *value = *(const double *)ctx + s->m[0];
}

void test_ensemble_covariance_does_not_cancel(void)
{
    static const double far = 1e9, near = 0.0;
    const lie_moments p[2] = {{1, measure_offset, &near}, {1, measure_offset, &far}};
    double covariance[2], mean[2];
    lie_reducer r[2];
    crew_make(&c, CREW_MAX, CREW_FREE, "S3", 0.03, 0.8);
    crew_enlist(&c, "ep", "cay", 0, 1);
    for (int i = 0; i < 2; i++) TEST_ASSERT_EQUAL(LIE_OK, lie_moments_reducer(&r[i], &p[i]));
    lie_observation obs = {.every = 1, .reducers = 2, .reducer = r};
    obs.bytes = lie_ensemble_sums_bytes(c.e, 0, &obs);
    obs.sums = malloc(obs.bytes);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, 0, &obs));
    for (int i = 0; i < 2; i++) {
        lie_moments_mean(&p[i], &mean[i], lie_ensemble_sum(&obs, 0, i));
        lie_moments_covariance(&p[i], &covariance[i], lie_ensemble_sum(&obs, 0, i));
    }
    printf("variance %.9f, far from 0 %.9f\n", covariance[0], covariance[1]);
    TEST_ASSERT_TRUE(fabs(mean[1] - mean[0] - far) < 1e-6);
    TEST_ASSERT_TRUE(fabs(covariance[1] / covariance[0] - 1.0) < 1e-6);
    free(obs.sums);
}

/* the same bits */

static const lie_observation *run_with(int lanes, int threads, long long n, lie_observation *obs)
{
    crew_enlist(&c, "sv", "cay", lanes, threads);
    *obs = observation_of(n, 20);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, n, obs));
    return obs;
}

void test_ensemble_does_not_depend_on_threads_and_lanes(void)
{
    static const int ways[][2] = {{1, 1}, {0, 1}, {2, 2}, {0, 2}, {4, 3}, {8, 5}};
    enum { STEPS = 250 };
    lie_observation first, obs;
    lie_state state[CREW_MAX], s;
    for (int k = 0; k < 6; k++) {
        crew_make(&c, 61, CREW_TOP, "S3", 0.03, 0.8);
        run_with(ways[k][0], ways[k][1], STEPS, k == 0 ? &first : &obs);
        for (int i = 0; i < c.count; i++) {
            lie_ensemble_get(c.e, i, k == 0 ? &state[i] : &s);
            TEST_ASSERT_TRUE(k == 0 || same_state(lie_ensemble_group(c.e), &state[i], &s));
        }
        if (k > 0) {
            size_t merged = lie_ensemble_chunk_bytes(STEPS, &obs);
            TEST_ASSERT_EQUAL_MEMORY(first.sums, obs.sums, merged);
            free(obs.sums);
        }
        crew_dismiss(&c);
    }
    free(first.sums);
}

/* Chunks by hand, the last first, on workers that take turns: as a program does that shares them among processes. */
void test_ensemble_chunks_in_any_order(void)
{
    enum { STEPS = 250 };
    lie_observation first, obs;
    crew_make(&c, 61, CREW_TOP, "S3", 0.03, 0.8);
    run_with(0, 1, STEPS, &first);
    crew_dismiss(&c);
    crew_enlist(&c, "sv", "cay", 0, 2);
    obs = observation_of(STEPS, 20);
    TEST_ASSERT_EQUAL(6, lie_ensemble_chunks(c.e));
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_clear(c.e, STEPS, &obs));
    for (long long k = 5; k >= 0; k--)
        lie_ensemble_run_chunk(c.e, k, (int)(k % lie_ensemble_threads(c.e)), STEPS, &obs);
    lie_ensemble_merge(c.e, STEPS, &obs);
    TEST_ASSERT_EQUAL_MEMORY(first.sums, obs.sums, lie_ensemble_chunk_bytes(STEPS, &obs));
    free(first.sums);
    free(obs.sums);
}

/* A record moved to another ensemble goes on there. */
static void move_records(crew_kind kind, const char *group, const char *method)
{
    static crew other;
    lie_state a, b;
    crew_make(&c, 9, kind, group, 0.03, 0.3);
    crew_enlist(&c, method, 0, 0, 1);
    crew_make(&other, 9, kind, group, 0.03, 0.3);
    crew_enlist(&other, method, 0, 0, 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(other.e, 10, 0));
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, 100, 0));
    for (int i = 0; i < 9; i++)
        memcpy(lie_ensemble_record(other.e, i), lie_ensemble_record(c.e, i), lie_ensemble_record_bytes(c.e));
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, 100, 0));
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(other.e, 100, 0));
    for (int i = 0; i < 9; i++) {
        lie_ensemble_get(c.e, i, &a);
        lie_ensemble_get(other.e, i, &b);
        TEST_ASSERT_TRUE(same_state(lie_ensemble_group(c.e), &a, &b));
    }
    crew_dismiss(&other);
    crew_dismiss(&c);
}

void test_ensemble_records_can_be_moved(void)
{
    move_records(CREW_VEHICLE, "SE3", "sv");
    move_records(CREW_FREE, "S3", "ep");
    move_records(CREW_FREE, "SO3", "dmv4");
    move_records(CREW_TOP, "S3", "gauss2");
}

/* failures */

void test_ensemble_names_what_fails(void)
{
    enum { STEPS = 300 };
    long long first = -1;
    crew_make(&c, 30, CREW_TOP, "S3", 0.03, 0.8);
    c.start[17].m[1] = (double)NAN;
    c.start[23].t = 0x1p60;
    crew_enlist(&c, "sv", "cay", 0, 2);
    lie_observation obs = observation_of(STEPS, 100);
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_ensemble_run(c.e, STEPS, &obs));
    TEST_ASSERT_EQUAL(2, lie_ensemble_failed(c.e, &first));
    TEST_ASSERT_EQUAL(17, first);
    TEST_ASSERT_EQUAL(LIE_ERR_TIME, lie_ensemble_status(c.e, 23));
    TEST_ASSERT_EQUAL(30, lie_moments_count(lie_ensemble_sum(&obs, 0, 0)));
    TEST_ASSERT_EQUAL(28, lie_moments_count(lie_ensemble_sum(&obs, 3, 0)));
    long long counts[13];
    lie_histogram_counts(&histogram, counts, lie_ensemble_sum(&obs, 0, 1));
    TEST_ASSERT_EQUAL(0, counts[12]); /* m[0] is finite */
    /* what has failed stays where it is until it is set again */
    lie_state s = c.start[0];
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_set(c.e, 17, &s));
    TEST_ASSERT_EQUAL(LIE_ERR_TIME, lie_ensemble_run(c.e, 10, 0));
    lie_ensemble_get(c.e, 17, &s);
    TEST_ASSERT_EQUAL(10, s.steps);
    lie_ensemble_get(c.e, 23, &s);
    TEST_ASSERT_EQUAL(0, s.steps);
    free(obs.sums);
}

void test_ensemble_that_is_not_set_does_not_run(void)
{
    lie_ensemble_options opt = {.step = {.method = "ep", .retraction = "cay"}, .h = 0.1, .threads = 1};
    lie_ensemble *e;
    lie_state s;
    crew_make(&c, 1, CREW_FREE, "S3", 0.1, 0.5);
    size_t bytes = lie_ensemble_memsize(c.systems, 1, 3, &opt);
    c.memory = malloc(bytes);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_init(&e, c.systems, 1, 3, &opt, c.memory, bytes));
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_set(e, 1, &c.start[0]));
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_ensemble_run(e, 10, 0));
    lie_ensemble_get(e, 1, &s);
    TEST_ASSERT_EQUAL(10, s.steps);
    TEST_ASSERT_EQUAL(2, lie_ensemble_failed(e, 0));
}

void test_ensemble_step_that_is_no_step(void)
{
    static const double bad[] = {0.0, (double)NAN, HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        crew_make(&c, 6, CREW_FREE, "S3", 0.1, 0.5);
        crew_enlist(&c, "ep", "cay", 0, 1);
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, 10, 0));
        c.h[2] = bad[k];
        TEST_ASSERT_EQUAL(LIE_ERR_STEP_SIZE, lie_ensemble_run(c.e, 10, 0));
        TEST_ASSERT_EQUAL(1, lie_ensemble_failed(c.e, 0));
        crew_dismiss(&c);
    }
}

/* bad input */

static lie_status init_with(long long systems, long long count, lie_ensemble_options opt, size_t less)
{
    lie_ensemble *e;
    size_t bytes = lie_ensemble_memsize(c.systems, systems, count, &opt);
    void *memory = malloc(bytes + 1);
    lie_status status = lie_ensemble_init(&e, c.systems, systems, count, &opt, memory, bytes - (bytes > 0 ? less : 0));
    free(memory);
    return status;
}

void test_ensemble_refuses_bad_input(void)
{
    lie_ensemble_options opt = {.step = {.method = "sv", .retraction = "cay"}, .h = 0.1, .threads = 1}, bad;
    crew_make(&c, 4, CREW_TOP, "S3", 0.1, 0.5);
    TEST_ASSERT_EQUAL(LIE_OK, init_with(4, 4, opt, 0));
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, init_with(4, 4, opt, 1));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, init_with(1, 0, opt, 0));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, init_with(3, 4, opt, 0));
    bad = opt, bad.lanes = -1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, init_with(1, 4, bad, 0));
    bad = opt, bad.threads = -1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, init_with(1, 4, bad, 0));
    bad = opt, bad.step.method = "none";
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, init_with(1, 4, bad, 0));
    bad = opt, bad.step.method = "ep";
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, init_with(1, 4, bad, 0));
    c.params[2].top.inertia[0] = -1.0;
    TEST_ASSERT_EQUAL(LIE_ERR_INERTIA, init_with(4, 4, opt, 0));
    /* more than there is memory for: 10^15 trajectories, 10^15 observations */
    TEST_ASSERT_TRUE(lie_ensemble_memsize(c.systems, 1, 1000000000000000, &opt) > (size_t)1 << 50);
    TEST_ASSERT_EQUAL(0, lie_ensemble_memsize(c.systems, 1, (long long)1 << 62, &opt));
    lie_system mixed[2] = {c.systems[0], c.systems[1]};
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&mixed[1].group, "SO3", "cay"));
    TEST_ASSERT_EQUAL(0, lie_ensemble_memsize(mixed, 2, 2, &opt));
}

void test_ensemble_refuses_bad_observations(void)
{
    lie_state s;
    double few[8];
    crew_make(&c, 4, CREW_TOP, "S3", 0.1, 0.5);
    crew_enlist(&c, "sv", "cay", 0, 1);
    lie_observation obs = observation_of(100, 10), bad = obs;
    bad.every = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ensemble_run(c.e, 100, &bad));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ensemble_run(c.e, -1, &obs));
    bad = obs, bad.bytes--;
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_ensemble_run(c.e, 100, &bad));
    bad = obs, bad.every = 1;
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_ensemble_run(c.e, 1000000000000000, &bad));
    bad.sums = few, bad.bytes = sizeof few;
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_ensemble_run(c.e, (long long)1 << 62, &bad));
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_get(c.e, 0, &s));
    TEST_ASSERT_EQUAL(0, s.steps);
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ensemble_get(c.e, 4, &s));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ensemble_set(c.e, -1, &s));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ensemble_status(c.e, 4));
    TEST_ASSERT_NULL(lie_ensemble_record(c.e, 4));
    free(obs.sums);
}

void test_ensemble_reducers_refuse_bad_input(void)
{
    lie_reducer r;
    lie_moments m = moments;
    lie_histogram hist = histogram;
    m.values = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_moments_reducer(&r, &m));
    m.values = LIE_MOMENTS_MAX + 1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_moments_reducer(&r, &m));
    m = moments, m.measure = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_moments_reducer(&r, &m));
    hist.bins = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_histogram_reducer(&r, &hist));
    hist = histogram, hist.low = hist.high;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_histogram_reducer(&r, &hist));
    hist.low = (double)NAN;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_histogram_reducer(&r, &hist));
    hist = histogram, hist.measure = 0;
    TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_histogram_reducer(&r, &hist));
}

/* Ends of the intervals: the lower one belongs to a bin, the upper one does not; just below the upper end is in the
 * last bin. */
static void measure_ctx(const void *ctx, double *value, const lie_sample *s)
{
    *value = ((const double *)ctx)[s->trajectory];
}

void test_ensemble_histogram_at_the_ends(void)
{
    static const double x[] = {-0.3, 0.7, 0x1.6666666666665p-1, -0.30000001, HUGE_VAL, (double)NAN, -HUGE_VAL, 0.2};
    const lie_histogram p = {3, -0.3, 0.7, measure_ctx, x};
    static const long long expected[6] = {1, 1, 1, 1, 1, 3};
    long long counts[6];
    double sum[6];
    lie_reducer r;
    TEST_ASSERT_EQUAL(LIE_OK, lie_histogram_reducer(&r, &p));
    TEST_ASSERT_EQUAL(sizeof sum, r.bytes);
    r.clear(&r, sum);
    for (int i = 0; i < 8; i++) r.add(&r, sum, &(lie_sample){.trajectory = i});
    lie_histogram_counts(&p, counts, sum);
    TEST_ASSERT_EQUAL_MEMORY(expected, counts, sizeof counts);
}
