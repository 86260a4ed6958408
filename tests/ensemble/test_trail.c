/* SPDX-License-Identifier: MIT */
/* Reducers that watch: what those that take stretches of steps whole (lie_trail) are shown is every step of every
 * trajectory once, with the numbers of the samples that others get, whatever the width of the vectors; those that add
 * nothing up take no memory and do not disturb those that do. */
#include "tests/ensemble/ensemble_fixture.h"

static crew c;

void setUp(void)
{
}

void tearDown(void)
{
    crew_dismiss(&c);
}

enum { TRAIL_STEPS = 1100, TRAIL_CREW = 13 };
typedef struct trail_log {
    double first[TRAIL_CREW][TRAIL_STEPS + 1][2]; /* t and a sum of g and m */
    int times[TRAIL_CREW][TRAIL_STEPS + 1], whole;
} trail_log;

static void log_one(trail_log *log, long long i, long long k, double t, double sum)
{
    log->first[i][k][0] = t, log->first[i][k][1] = sum;
    log->times[i][k]++;
}

static void log_sample(const lie_reducer *r, void *sum, const lie_sample *s)
{
    double all = 0.0;
    (void)sum;
    for (int i = 0; i < s->system->group->size; i++) all += s->g[i];
    for (int i = 0; i < s->system->group->dim; i++) all += s->m[i];
    log_one(*(trail_log *const *)r->ctx, s->trajectory, s->observation, s->t, all);
}

static void log_trail(const lie_reducer *r, const lie_trail *t)
{
    trail_log *log = *(trail_log *const *)r->ctx;
    for (int l = 0; l < t->columns; l++)
        for (int k = 0; k < t->steps && t->trajectory[l] >= 0; k++) {
            const double *at = t->rows + (size_t)k * (size_t)(t->numbers * t->width) + l;
            double all = 0.0;
            for (int j = 1; j < t->numbers; j++) all += at[j * t->width];
            log_one(log, t->trajectory[l], t->observation + k, at[0], all);
            log->whole++;
        }
}

static void log_run(trail_log *log, const char *method, int lanes, int by_trail)
{
    trail_log *const to = log;
    const lie_reducer r = {.ctx = &to, .add = log_sample, .trail = by_trail ? log_trail : 0};
    lie_observation obs = {.every = 1, .reducers = 1, .reducer = &r};
    memset(log, 0, sizeof *log);
    crew_enlist(&c, method, strcmp(method, "rk4_q") == 0 ? 0 : "cay", lanes, 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, TRAIL_STEPS, &obs));
    crew_dismiss(&c);
}

void test_ensemble_trails_show_every_step_once(void)
{
    static trail_log alone, by_trail;
    static const struct {
        crew_kind kind;
        const char *group, *method;
    } cases[] = {{CREW_TOP, "S3", "sv"},   {CREW_VEHICLE, "SE3", "sv"}, {CREW_VEHICLE, "SE3", "rk4_q"},
                 {CREW_FREE, "S3", "dmv"}, {CREW_FREE, "SO3", "dmv4"},  {CREW_SATELLITE, "S3", "sv"}};
    for (int k = 0; k < 6; k++)
        for (int lanes = 1; lanes <= 8 && (lanes == 1 || lanes <= lie_ensemble_lanes_max()); lanes *= 2) {
            crew_make(&c, TRAIL_CREW, cases[k].kind, cases[k].group, 0.03, 0.3);
            memset(c.start[2].m, 0, sizeof c.start[2].m); /* of a free body: at rest */
            log_run(&alone, cases[k].method, 1, 0);
            log_run(&by_trail, cases[k].method, lanes, 1);
            for (int i = 0; i < TRAIL_CREW; i++)
                for (int j = 0; j <= TRAIL_STEPS; j++) TEST_ASSERT_EQUAL(1, by_trail.times[i][j]);
            TEST_ASSERT_EQUAL_MEMORY(alone.first, by_trail.first, sizeof alone.first);
            if (lanes > 1) TEST_ASSERT_TRUE(by_trail.whole > TRAIL_CREW * TRAIL_STEPS / 2);
        }
}

/* without bytes */

static void measure_momentum(const void *ctx, double *value, const lie_sample *s)
{
    (void)ctx;
    *value = s->m[0];
}

/* Counts samples, and those that come with a sum. */
static void count_sample(const lie_reducer *r, void *sum, const lie_sample *s)
{
    long *const *counts = (long *const *)r->ctx;
    (void)s;
    counts[0][0]++;
    counts[0][1] += sum != 0;
}

static const lie_moments moments = {.values = 1, .measure = measure_momentum};
static const lie_histogram histogram = {.bins = 5, .low = -1.0, .high = 1.0, .measure = measure_momentum};

enum { MIXED_STEPS = 200, MIXED_CREW = 30 }; /* three chunks */

/* The sums of moments and histogram, alone or with reducers without bytes before, between and behind them. */
static void sums_beside(int others, lie_observation *obs, lie_reducer r[5], const lie_reducer *counter)
{
    int n = 0;
    if (others) r[n++] = *counter;
    TEST_ASSERT_EQUAL(LIE_OK, lie_moments_reducer(&r[n++], &moments));
    if (others) r[n++] = *counter;
    TEST_ASSERT_EQUAL(LIE_OK, lie_histogram_reducer(&r[n++], &histogram));
    if (others) r[n++] = *counter;
    crew_make(&c, MIXED_CREW, CREW_TOP, "S3", 0.03, 0.8);
    crew_enlist(&c, "sv", "cay", 0, 1);
    *obs = (lie_observation){.every = 7, .reducers = n, .reducer = r};
    obs->bytes = lie_ensemble_sums_bytes(c.e, MIXED_STEPS, obs);
    obs->sums = malloc(obs->bytes);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(c.e, MIXED_STEPS, obs));
    crew_dismiss(&c);
}

void test_ensemble_reducers_without_bytes_leave_the_sums_alone(void)
{
    long counts[2] = {0, 0}, *const to = counts;
    const lie_reducer counter = {.ctx = &to, .add = count_sample};
    lie_reducer r[2][5];
    lie_observation obs[2];
    for (int k = 0; k < 2; k++) sums_beside(k, &obs[k], r[k], &counter);
    TEST_ASSERT_EQUAL(obs[0].bytes, obs[1].bytes);
    TEST_ASSERT_EQUAL_MEMORY(obs[0].sums, obs[1].sums, obs[0].bytes);
    long long times = lie_ensemble_observations(MIXED_STEPS, &obs[1]);
    for (long long k = 0; k < times; k++)
        for (int j = 0; j < 5; j++) {
            const void *expected = j % 2 ? lie_ensemble_sum(&obs[0], k, j / 2) : 0,
                       *sum = lie_ensemble_sum(&obs[1], k, j);
            if (j % 2) TEST_ASSERT_EQUAL_MEMORY(expected, sum, r[1][j].bytes);
            if (j % 2 == 0) TEST_ASSERT_NULL(sum);
        }
    TEST_ASSERT_EQUAL(3 * times * MIXED_CREW, counts[0]);
    TEST_ASSERT_EQUAL(0, counts[1]);
    for (int k = 0; k < 2; k++) free(obs[k].sums);
}

/* No memory at all, however many observations there would be; who has sums needs it as before. */
void test_ensemble_reducers_without_bytes_need_no_memory(void)
{
    long counts[2] = {0, 0}, *const to = counts;
    lie_reducer r[2] = {{.ctx = &to, .add = count_sample}};
    lie_observation obs = {.every = 1, .reducers = 1, .reducer = r};
    crew_make(&c, MIXED_CREW, CREW_TOP, "S3", 0.03, 0.8);
    crew_enlist(&c, "sv", "cay", 0, 2);
    TEST_ASSERT_EQUAL(0, lie_ensemble_sums_bytes(c.e, MIXED_STEPS, &obs));
    TEST_ASSERT_EQUAL(0, lie_ensemble_chunk_bytes(MIXED_STEPS, &obs));
    TEST_ASSERT_NULL(lie_ensemble_chunk_sums(2, MIXED_STEPS, &obs));
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_clear(c.e, (long long)1 << 62, &obs));
    lie_ensemble_merge(c.e, (long long)1 << 62, &obs);
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_ensemble_run(c.e, -1, &obs));
    TEST_ASSERT_EQUAL(LIE_OK, lie_moments_reducer(&r[1], &moments));
    obs.reducers = 2;
    TEST_ASSERT_EQUAL(LIE_ERR_MEMORY, lie_ensemble_run(c.e, MIXED_STEPS, &obs));
    TEST_ASSERT_EQUAL(0, counts[0]);
    obs.reducers = 1;
    for (long long k = 0; k < lie_ensemble_chunks(c.e); k++) lie_ensemble_run_chunk(c.e, k, 0, MIXED_STEPS, &obs);
    TEST_ASSERT_EQUAL(MIXED_CREW * (MIXED_STEPS + 1), counts[0]);
    TEST_ASSERT_EQUAL(0, counts[1]);
}
