/* SPDX-License-Identifier: MIT */
/* What a step gives is a function of system, options, state and h alone: every method on every group with every
 * retraction, steps from 1e-6 to ten natural periods, work memory, stepper and state as they come and with two
 * fillings. Statuses and bytes must be equal, after failures too. `make msan` runs the same and finds what is read
 * unset. */
#include <liestep/systems.h>

#include "tests/support/stepper_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unity.h"

enum { WORK = 1 << 15, STEPS = 2, AS_IT_IS = -1 };

/* What two steps answer, and what they leave. */
typedef struct outcome {
    lie_status init, status[STEPS];
    lie_state state;
    lie_solve last;
    long long iterations;
    int most;
    double residual;
    double memory[512];
} outcome;

static int made, failed;

/* All of `to` that has a meaning; the rest is zero. */
static void copy_state(lie_state *to, const lie_state *from, const lie_ops *G)
{
    memset(to, 0, sizeof *to);
    to->t = from->t, to->low_t = from->low_t, to->steps = from->steps;
    memcpy(to->g, from->g, (size_t)G->size * sizeof(double));
    memcpy(to->low_g, from->low_g, (size_t)G->size * sizeof(double));
    memcpy(to->m, from->m, (size_t)G->dim * sizeof(double));
    memcpy(to->low_m, from->low_m, (size_t)G->dim * sizeof(double));
}

static void take(outcome *out, int filling, const case_method *m, const case_group *c, case_kind kind, double h)
{
    const lie_system *sys = &c->system[kind];
    lie_options opt = {.method = m->method->name, .tableau = m->tableau};
    size_t bytes = lie_stepper_memsize(sys, &opt);
    lie_stepper *st;
    lie_state s;
    double *work = (double *)malloc(bytes);
    TEST_ASSERT_NOT_NULL(work);
    memset(out, 0, sizeof *out);
    if (filling != AS_IT_IS) {
        memset(work, filling, bytes);
        memset(&s, filling, sizeof s);
    }
    out->init = lie_stepper_init(&st, sys, &opt, work, bytes);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, out->init, m->name);
    case_start(&s, c, kind, 0);
    for (int k = 0; k < STEPS && (k == 0 || out->status[k - 1] == LIE_OK); k++) out->status[k] = lie_step(st, &s, h);
    copy_state(&out->state, &s, c->group);
    out->last.cap = lie_stepper_statistics(st)->last.cap,
    out->last.iterations = lie_stepper_statistics(st)->last.iterations,
    out->last.residual = lie_stepper_statistics(st)->last.residual;
    out->iterations = lie_stepper_statistics(st)->iterations, out->most = lie_stepper_statistics(st)->iterations_max,
    out->residual = lie_stepper_statistics(st)->residual_max;
    TEST_ASSERT_TRUE(lie_stepper_memory_count(st) <= (int)(sizeof out->memory / sizeof out->memory[0]));
    lie_stepper_memory_get(st, out->memory);
    free(work);
}

static void compare(const case_method *m, const case_group *c, case_kind kind, double h)
{
    static const int fillings[3] = {AS_IT_IS, 0xff, 0x3f};
    static outcome first, other;
    char text[160];
    for (int k = 0; k < 3; k++) {
        take(k == 0 ? &first : &other, fillings[k], m, c, kind, h);
        if (k == 0) continue;
        snprintf(text, sizeof text, "%s on %s, kind %d, h = %g: what fills the memory changes the result", m->name,
                 c->name, kind, h);
        TEST_ASSERT_TRUE_MESSAGE(memcmp(&first, &other, sizeof first) == 0, text);
    }
    made++;
    failed += first.status[0] != LIE_OK;
}

/* The kinds of system take turns: each method meets every kind that it takes on some group at every length. */
static case_kind kind_of(const case_method *m, const case_group *c, int turn)
{
    for (int k = 0; k < CASE_KINDS; k++) {
        case_kind kind = (case_kind)((turn + k) % CASE_KINDS);
        if (case_takes(m, c, kind)) return kind;
    }
    return CASE_KINDS;
}

static double speed_of(const case_group *c)
{
    double sum = 0.0;
    for (int i = 0; i < c->group->dim; i++) sum += c->xi[0][i] * c->xi[0][i];
    return sqrt(sum);
}

/* A natural period is a turn, h |xi| = 2 pi. */
static void sweep(int from, int to)
{
    static const double lengths[] = {1e-6, 1e-3, 0.05, 0.4, 1.0, 2.0, 4.5, 6.283, 62.83};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    case_method m;
    made = failed = 0;
    for (int i = from; i < to && case_method_at(&m, i); i++)
        for (int j = 0; j < case_group_count(); j++) {
            const case_group *c = case_group_at(j);
            if (case_has_own_name(&m) || !case_is_sampled(i, j)) continue;
            int stride = m.tableau ? 3 : 1; /* the tableaux of the options share the code of those with a name */
            for (int k = (i + j) % stride; k < LENGTHS; k += stride) {
                case_kind kind = kind_of(&m, c, i + j + k);
                if (kind < CASE_KINDS) compare(&m, c, kind, lengths[k] / speed_of(c));
            }
        }
    printf("  %d combinations of method, group, retraction, system and h; %d of them refused\n", made, failed);
}

static int halfway(void)
{
    case_method m;
    int count = 0;
    while (case_method_at(&m, count)) count++;
    return count / 2;
}

void test_stepper_unset_memory_changes_nothing(void)
{
    sweep(0, halfway());
    TEST_ASSERT_GREATER_THAN(1000, made);
}

void test_stepper_unset_memory_changes_nothing_either(void)
{
    sweep(halfway(), 1 << 20);
    TEST_ASSERT_GREATER_THAN(1000, made);
}

/* The heavy top on which long steps answered LIE_OK without a residual, depending on the memory. */
void test_stepper_unset_memory_on_a_stiff_top(void)
{
    static const char *const methods[] = {"gauss2", "gauss3", "gauss4", "lobatto3a3", "sv", "midpoint"};
    static const int fillings[3] = {0x00, 0xff, 0x3f};
    lie_heavy_top top = {
        .inertia = {1.0, 0, 0, 0, 2.0, 0, 0, 0, 2.5}, .mass = 1.0, .centre = {0.0, 0.0, 1.0}, .gravity = 9.81};
    static double work[WORK];
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
    for (int i = 0; i < 6 * 11; i++) {
        lie_status status[3];
        lie_state s[3];
        lie_stepper *st;
        for (int k = 0; k < 3; k++) {
            memset(work, fillings[k], sizeof work);
            lie_options opt = {.method = methods[i / 11], .retraction = "cay"};
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &opt, work, sizeof work));
            TEST_ASSERT_EQUAL(
                LIE_OK, lie_state_set(&sys, &s[k], 0.0, (double[4]){1.0, 0.0, 0.0, 0.0}, (double[3]){3.0, 2.0, -1.0}));
            status[k] = lie_step(st, &s[k], 0.5 + 0.25 * (i % 11));
            TEST_ASSERT_EQUAL_MESSAGE(status[0], status[k], methods[i / 11]);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(s[0].m, s[k].m, 3 * sizeof(double), methods[i / 11]);
            TEST_ASSERT_TRUE_MESSAGE(status[k] != LIE_OK || lie_stepper_statistics(st)->last.iterations > 0,
                                     methods[i / 11]);
        }
    }
}
