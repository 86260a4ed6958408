/* SPDX-License-Identifier: MIT */
/* Trails: what reducers that take stretches of steps whole (lie_trail) are shown is every step of every trajectory
 * once, with the numbers of the samples that others get, whatever the width of the vectors. */
#include "ensemble_fixture.h"

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

static void clear_nothing(const lie_reducer *r, void *sum)
{
    (void)r, (void)sum;
}

static void merge_nothing(const lie_reducer *r, void *sum, const void *next)
{
    (void)r, (void)sum, (void)next;
}

static void log_run(trail_log *log, const char *method, int lanes, int by_trail)
{
    static double sums[2 * (TRAIL_STEPS + 1)];
    trail_log *const to = log;
    const lie_reducer r = {sizeof(double), &to, clear_nothing, log_sample, merge_nothing, by_trail ? log_trail : 0};
    lie_observation obs = {.every = 1, .reducers = 1, .reducer = &r, .sums = sums, .bytes = sizeof sums};
    memset(log, 0, sizeof *log);
    crew_enlist(&c, method, strcmp(method, "rk4_q") == 0 ? 0 : "cay", lanes, 1);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(&c.e, TRAIL_STEPS, &obs));
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
        for (int lanes = 1; lanes <= 8 && (lanes == 1 || lanes <= lie_ensemble_lanes()); lanes *= 2) {
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
