/* SPDX-License-Identifier: MIT */
/* A good status is true. Every step of every method on every group with every retraction that answers LIE_OK, from 1e-6
 * to ten natural periods, satisfies its equations, as they stand in docs/METHODS.md and are written once more in
 * step_equations.c; and it is the step of the branch of solutions that begins at h = 0, followed here in small steps
 * with a Jacobian of differences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "groups/num/newton.h"
#include "tests/methods/step_equations.h"
#include "tests/support/stepper_cases.h"
#include "unity.h"

enum { STEPS = 2 };

static double speed_of(const case_group *c)
{
    double sum = 0.0;
    for (int i = 0; i < c->group->dim; i++) sum += c->xi[0][i] * c->xi[0][i];
    return sqrt(sum);
}

typedef struct tally {
    int judged, refused;
    case_worst worst;
} tally;

static void judge(tally *sum, const case_method *m, const case_group *c, case_kind kind, double length)
{
    static double work[1 << 15];
    lie_options opt = {.method = m->method->name, .tableau = m->tableau};
    double h = length / speed_of(c);
    lie_stepper *st;
    lie_state s;
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(&st, &c->system[kind], &opt, work, sizeof work), m->name);
    case_start(&s, c, kind, 1);
    for (int k = 0; k < STEPS; k++) {
        lie_state before = s;
        char text[160];
        if (lie_step(st, &s, h) != LIE_OK) {
            sum->refused++;
            return;
        }
        double error = step_equations_error(st, &before, &s, h);
        if (error < 0.0) return;
        sum->judged++;
        case_note(&sum->worst, error, m, c);
        snprintf(text, sizeof text, "%s on %s, kind %d, h |xi| = %g, step %d: LIE_OK, and wrong by %.1e", m->name,
                 c->name, kind, length, k, error);
        TEST_ASSERT_TRUE_MESSAGE(error <= 0x1p-40, text);
    }
}

void test_stepper_solved_equations_hold(void)
{
    static const double lengths[] = {1e-6, 1e-3, 0.05, 0.3, 0.7, 1.2, 2.0, 3.5, 6.283, 20.0, 62.83};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    tally sum = {0};
    case_method m;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = 0; j < case_group_count(); j++) {
            const case_group *c = case_group_at(j);
            if (m.method->composition || case_has_own_name(&m) || !case_is_sampled(i, j)) continue;
            int stride = m.tableau ? 6 : 2; /* the tableaux of the options share the code of those with a name */
            for (int kind = 0; kind < CASE_KINDS; kind++)
                for (int k = (i + j + kind) % stride; k < LENGTHS; k += stride)
                    if (case_takes(&m, c, (case_kind)kind)) judge(&sum, &m, c, (case_kind)kind, lengths[k]);
        }
    printf("  %d steps satisfy their equations to %.1e (%s); %d refused\n", sum.judged, sum.worst.value, sum.worst.what,
           sum.refused);
    TEST_ASSERT_GREATER_THAN(3000, sum.judged);
}

/* The branch. x: the solution of the equations for h, from a solution for a shorter step; 0 where Newton's method with
 * central differences does not get there quickly, or the determinant is not of the sign of *sign (0: any, it is
 * set). */
static int settle(const step_equations *E, double *x, int *sign)
{
    static double J[EQUATIONS_MAX * EQUATIONS_MAX];
    double r[EQUATIONS_MAX], low[EQUATIONS_MAX], high[EQUATIONS_MAX], size, g[CASE_SIZE], m[CASE_DIM], last = HUGE_VAL;
    int pivots[EQUATIONS_MAX], n = E->count;
    for (int it = 0; it < 12; it++) {
        double most = 0.0, step = 0.0;
        for (int j = 0; j < n; j++) most = fmax(most, fabs(x[j]));
        for (int j = 0; j < n; j++) {
            double kept = x[j], d = most * 0x1p-17;
            x[j] = kept + d;
            if (E->residual(E, high, &size, g, m, x) != LIE_OK) return 0;
            x[j] = kept - d;
            if (E->residual(E, low, &size, g, m, x) != LIE_OK) return 0;
            x[j] = kept;
            for (int i = 0; i < n; i++) J[i * n + j] = (high[i] - low[i]) / (2.0 * d);
        }
        if (E->residual(E, r, &size, g, m, x) != LIE_OK) return 0;
        int here = lie__linear_plain.factor(n, J, pivots);
        if (*sign == 0) *sign = here;
        if (here == 0 || here != *sign) return 0;
        lie__linear_plain.solve(n, J, pivots, r);
        for (int i = 0; i < n; i++) x[i] -= r[i], step = fmax(step, fabs(r[i]));
        if (step <= 1e-11 * most) return 1;
        if (it > 2 && step > 0.5 * last) return 0;
        last = step;
    }
    return 0;
}

enum { PIECES = 40, HALVINGS = 8 };

/* x of the branch at the fraction `to` of the step, from x at `from`, in halves where it must be. */
static int go_on(step_equations *E, double whole, double *x, double *slope, double from, double to, int *sign)
{
    double at = from, step = to - from, least = step / (1 << HALVINGS), next[EQUATIONS_MAX];
    while (at < to && step >= least) {
        double here = fmin(step, to - at);
        for (int i = 0; i < E->count; i++) next[i] = x[i] + here * slope[i];
        E->h = (at + here) * whole;
        int found = settle(E, next, sign);
        if (found) {
            for (int i = 0; i < E->count; i++) slope[i] = (next[i] - x[i]) / here, x[i] = next[i];
            at += here;
        } else {
            step *= 0.5;
        }
    }
    return at >= to;
}

/* The steps h = 1/40, 2/40 ... of `whole` from one state: the library's against the branch's. Answers h |xi| of the
 * end of the branch, and of the first step that was refused. */
static void compare_branch(const case_method *m, const case_group *c, case_kind kind, double whole, double reach[2])
{
    static double work[1 << 15];
    lie_options opt = {.method = m->method->name, .tableau = m->tableau};
    double x[EQUATIONS_MAX], slope[EQUATIONS_MAX] = {0.0}, r[EQUATIONS_MAX], size, speed = speed_of(c);
    int exists = 1, sign = 0;
    lie_stepper *st;
    lie_state start;
    reach[0] = reach[1] = whole * speed;
    case_start(&start, c, kind, 2);
    for (int k = 1; k <= PIECES; k++) {
        lie_state s = start, expected = start;
        step_equations E;
        double h = whole * k / PIECES;
        char text[160];
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(&st, &c->system[kind], &opt, work, sizeof work), m->name);
        if (!step_equations_of(&E, st, &start, h)) return; /* in the embedding: test_embedded.c */
        for (int j = 0; k == 1 && j < E.count; j++) x[j] = c->xi[2][j % c->group->dim];
        if (exists && !go_on(&E, whole, x, slope, (k - 1.0) / PIECES, (double)k / PIECES, &sign))
            exists = 0, reach[0] = (k - 1) * whole * speed / PIECES;
        lie_status status = lie_step(st, &s, h);
        if (status != LIE_OK) reach[1] = fmin(reach[1], k * whole * speed / PIECES);
        snprintf(text, sizeof text, "%s on %s, kind %d, h |xi| = %.3f", m->name, c->name, kind, h * speed);
        if (status != LIE_OK) continue;
        TEST_ASSERT_TRUE_MESSAGE(exists, text);
        E.h = h;
        TEST_ASSERT_EQUAL(LIE_OK, E.residual(&E, r, &size, expected.g, expected.m, x));
        TEST_ASSERT_TRUE_MESSAGE(case_distance(c->group, &s, &expected) < 1e-6, text);
    }
}

/* A method whose equations are those of step_equations_of, in a list that has each once. */
static int is_implicit(const case_method *m)
{
    const lie_method *method = m->method;
    return method->symplectic && !method->composition && !method->explicit_ && !method->needs_free && !m->tableau;
}

void test_stepper_solved_by_the_branch_from_rest(void)
{
    case_method m;
    for (int i = 0; case_method_at(&m, i); i++) {
        double end = HUGE_VAL, share = 1.0, reach[2];
        if (!is_implicit(&m)) continue;
        for (int j = i % 3; j < case_group_count(); j += 3) {
            const case_group *c = case_group_at(j);
            case_kind kind = (case_kind)(1 + (i + j / 3) % (CASE_KINDS - 1));
            if (c->is_flat || !case_takes(&m, c, kind)) continue;
            compare_branch(&m, c, kind, 3.0 / speed_of(c), reach);
            end = fmin(end, reach[0]), share = fmin(share, reach[1] / reach[0]);
        }
        printf("  %-11s the branch goes on to h |xi| = %.2f at least, and the steps to %.0f %% of it\n", m.name, end,
               100.0 * share);
        TEST_ASSERT_TRUE_MESSAGE(share >= 0.98, m.name);
    }
}

/* Compositions take the steps of their base, which are judged above, one after the other. */
static int is_composed_of(const case_method *m, const char *base)
{
    return m->method->composition && strncmp(m->method->name, base, strlen(base)) == 0;
}

static void compare_substeps(const case_method *m, const char *base, const case_group *c, case_kind kind, double h)
{
    static double work[2][1 << 15];
    const lie_composition *composition;
    lie_stepper *whole, *part;
    lie_state s, t;
    TEST_ASSERT_EQUAL(LIE_OK, lie_composition_find(&composition, m->method->composition));
    lie_options opt = {.method = m->method->name}, base_opt = {.method = base};
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&whole, &c->system[kind], &opt, work[0], sizeof work[0]));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&part, &c->system[kind], &base_opt, work[1], sizeof work[1]));
    case_start(&s, c, kind, 3);
    t = s;
    if (lie_step(whole, &s, h) != LIE_OK) return;
    for (int i = 0; i < composition->stages; i++)
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(part, &t, composition->gamma[i] * h), m->name);
    TEST_ASSERT_TRUE_MESSAGE(case_distance(c->group, &s, &t) < 1e-11 * (1.0 + h), m->name);
}

void test_stepper_solved_compositions_are_steps_of_their_base(void)
{
    static const char *const base[2] = {"sv", "midpoint"};
    case_method m;
    int compared = 0;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = 0; j < case_group_count() * 2; j++) {
            const case_group *c = case_group_at(j / 2);
            case_kind kind = (case_kind)((i + j) % CASE_KINDS);
            if (!is_composed_of(&m, base[j % 2]) || !case_takes(&m, c, kind)) continue;
            for (int k = 0; k < 3; k++) compare_substeps(&m, base[j % 2], c, kind, 0.15 * (1 << k) / speed_of(c));
            compared++;
        }
    TEST_ASSERT_GREATER_THAN(100, compared);
}
