/* SPDX-License-Identifier: MIT */
/* What runs methods of the library runs a discrete Lagrangian of one's own: ensembles, with the bits of single runs, and
 * sections, with the crossings of the method that it rebuilds. */
#include <liestep/ensemble.h>
#include <liestep/section.h>

#include "tests/support/discrete_rebuilt.h"

enum { CREW = 6, STEPS = 200 };

void test_discrete_drivers_ensemble(void)
{
    static double memory[100000];
    fixture f;
    lie_random rng = {81u};
    lie_state start[CREW], s;
    lie_ensemble *e;
    fixture_make(&f, group("SO3", "cay"), POTENTIAL);
    rebuilt r = {&f.sys, f.sys.group, 0};
    lie_discrete L = {.params = &r, .slopes = sv_slopes};
    const lie_ensemble_options opt = {.step = {.discrete = &L}, .h = 0.05, .threads = 1};
    TEST_ASSERT_TRUE(lie_ensemble_memsize(&f.sys, 1, CREW, &opt) <= sizeof memory);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_init(&e, &f.sys, 1, CREW, &opt, memory, sizeof memory));
    for (int i = 0; i < CREW; i++) {
        state_random(&f.sys, &start[i], &rng, 0.6, 0.7);
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_set(e, i, &start[i]));
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_run(e, STEPS, NULL));
    own_init(&own, &f.sys, &L, NULL);
    for (int i = 0; i < CREW; i++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(own.st, &start[i], 0.05, STEPS));
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_get(e, i, &s));
        states_same_bits(f.sys.group, &s, &start[i], "an ensemble and single runs");
    }
}

static double first_momentum(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    (void)ctx, (void)sys, (void)t, (void)g;
    return m[0];
}

void test_discrete_drivers_section(void)
{
    static double memory[2][4000];
    const lie_event event = {.value = first_momentum};
    fixture f;
    lie_random rng = {82u};
    lie_state s[2];
    lie_section *section[2];
    fixture_make(&f, group("S3", "cay"), POTENTIAL);
    rebuilt r = {&f.sys, f.sys.group, 0};
    lie_discrete L = {.params = &r, .slopes = sv_slopes};
    own_init(&own, &f.sys, &L, NULL);
    walker_init(&builtin, &f.sys, "sv", "cay", NULL);
    state_random(&f.sys, &s[0], &rng, 0.6, 0.7);
    s[1] = s[0];
    for (int k = 0; k < 2; k++)
        TEST_ASSERT_EQUAL(LIE_OK,
                          lie_section_init(&section[k], k ? builtin.st : own.st, &event, memory[k], sizeof memory[k]));
    for (int i = 0; i < 5; i++) {
        lie_crossing found[2];
        for (int k = 0; k < 2; k++) {
            long long budget = 10000;
            TEST_ASSERT_EQUAL(LIE_OK, lie_section_next(section[k], &s[k], 0.05, &budget, &found[k]));
            TEST_ASSERT_TRUE(found[k].found && fabs(found[k].state->m[0]) < 1e-12);
        }
        TEST_ASSERT_TRUE(state_distance(f.sys.group, found[0].state, found[1].state) < 1e-11);
        TEST_ASSERT_TRUE(fabs(found[0].state->t - found[1].state->t) < 1e-11);
    }
}
