/* SPDX-License-Identifier: MIT */
/* Satellite and turntable with sv and cay: the short way (lib/methods/gyrostat.h) is the long one (lib/methods/variational/vprk.c), which a system
 * takes whose force is another function with the same values. */
#include <math.h>
#include <stdio.h>

#include "tests/ensemble/ensemble_fixture.h"

static crew c;

void setUp(void)
{
}

void tearDown(void)
{
}

static const lie_system *original;

static void same_force(const lie_system *sys, double *F, const double *g)
{
    (void)sys;
    original->force(original, F, g);
}

static double distance(const lie_ops *G, const lie_state *a, const lie_state *b)
{
    double most = 0.0, size = 0.0;
    for (int i = 0; i < G->size; i++) most = fmax(most, fabs(a->g[i] - b->g[i]));
    for (int i = 0; i < G->dim; i++) size = fmax(size, fabs(a->m[i]));
    for (int i = 0; i < G->dim; i++) most = fmax(most, fabs(a->m[i] - b->m[i]) / size);
    return most;
}

/* From h |w| about 0.003 to where Newton's method from the guess gives up and the branch is followed. */
void test_gyrostat_short_way_is_the_long_way(void)
{
    static const struct {
        crew_kind kind;
        const char *group;
    } kinds[] = {{CREW_SATELLITE, "S3"}, {CREW_SATELLITE, "SO3"}, {CREW_TURNTABLE, "S3"}, {CREW_TURNTABLE, "SO3"}};
    static const double lengths[] = {0.004, 0.05, 0.3, 1.5};
    static double work[2][CREW_WORK];
    static const lie_options opt = {.method = "sv", .retraction = "cay"};
    for (int k = 0; k < 16; k++) {
        double worst = 0.0;
        long long passes = 0, iterations = 0;
        crew_make(&c, 10, kinds[k % 4].kind, kinds[k % 4].group, lengths[k / 4], 0.7);
        for (int i = 0; i < c.count; i++) {
            lie_system other = c.systems[i];
            lie_stepper *st[2];
            lie_state a = c.start[i], b = a;
            original = &c.systems[i];
            other.force = same_force;
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st[0], &c.systems[i], &opt, work[0], sizeof work[0]));
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st[1], &other, &opt, work[1], sizeof work[1]));
            for (int n = 0; n < 40; n++) {
                lie_status mine = lie_step(st[0], &a, c.h[i]), wanted = lie_step(st[1], &b, c.h[i]);
                TEST_ASSERT_EQUAL(wanted, mine);
                worst = fmax(worst, distance(other.group, &a, &b));
                a = b; /* what grows in a chaotic motion is not asked for */
                if (mine != LIE_OK) break;
            }
            passes += lie_stepper_statistics(st[0])->iterations,
                iterations += lie_stepper_statistics(st[1])->iterations;
        }
        printf("%-10s %-3s h %-5g: within %.1e, %.1f passes for %.1f iterations\n", c.systems[0].name,
               kinds[k % 4].group, lengths[k / 4], worst, (double)passes / 400.0, (double)iterations / 400.0);
        TEST_ASSERT_TRUE(worst < (lengths[k / 4] < 1.0 ? 4e-15 : 4e-14));
    }
}

/* At rest in the orbit frame, and without orbit, wheels and motion. */
void test_gyrostat_at_rest_stays(void)
{
    static double work[CREW_WORK];
    static const lie_options opt = {.method = "sv", .retraction = "cay"};
    static const double one[4] = {1.0, 0.0, 0.0, 0.0}, none[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        lie_satellite p = {.inertia = {1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.5}, .orbit_rate = k == 0 ? 0.1 : 0.0};
        lie_system sys;
        lie_stepper *st;
        lie_state s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&sys, &p, "S3"));
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &opt, work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &s, 0.0, one, none));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, 0.1, 1000));
        TEST_ASSERT_TRUE(fabs(s.g[0] - 1.0) + fabs(s.g[1]) + fabs(s.g[2]) + fabs(s.g[3]) < 1e-15);
    }
}

/* Energy of a gyrostat over 10^5 steps: no drift. */
void test_gyrostat_keeps_the_energy_in_bounds(void)
{
    static double work[CREW_WORK];
    static const lie_options opt = {.method = "sv", .retraction = "cay"};
    crew_make(&c, 3, CREW_SATELLITE, "S3", 0.05, 0.3);
    for (int i = 0; i < c.count; i++) {
        lie_stepper *st;
        lie_state s = c.start[i];
        double E0, E, first = 0.0, last = 0.0;
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &c.systems[i], &opt, work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&c.systems[i], &E0, &s));
        for (int n = 0; n < 1000; n++) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, c.h[i], 100));
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&c.systems[i], &E, &s));
            *(n < 500 ? &first : &last) = fmax(n < 500 ? first : last, fabs(E - E0));
        }
        printf("energy within %.1e, then %.1e, of %.2g\n", first, last, E0);
        TEST_ASSERT_TRUE(last < 1.3 * first && first < 1e-3);
    }
}
