/* SPDX-License-Identifier: MIT */
/* The order of every method on every group with every retraction, from both sides.
 *
 * The error of a run is that of its end, |(g, m) - (g*, m*)|. Every motion is run there with steps h and back with
 * steps
 * -h, from the end of the true motion to its start, and the geometric mean of the two errors taken: odd powers of h in
 * the ratio of error and leading term have opposite signs there and back. Then the mean square over several motions. To
 * six, eight and ten step sizes in a row of a ladder with ratio 1.1,
 *     log e = c + p log h + a h^2
 * is fitted. What is still open about p: three standard errors, and half of what the last term makes of it. The ladder
 * is climbed from long to short steps until little is open or round-off is near; the fit that leaves the least open
 * counts. Where that is still much, the same is done with longer and shorter motions, and p is the mean.
 * The claim is |p - order| <= 0.05. Pairs with error estimate have their leading error made small on purpose: it leads
 * only where steps are short, for order 8 hardly before round-off. For them the median over all motions counts, within
 * 0.025 order; that their coefficients are right is shown by test_tableau.c. pirk8, which has two leading errors, of
 * its tableau and of its passes, is given as much.
 *
 * The true motion is that of gauss4 with 100 steps, which is within a few 1e-15 of itself with other numbers of steps,
 * and checked here against an extrapolation method that has nothing in common with it. LIE_ACCURACY_SAMPLES in the
 * environment, as it is set for slow builds, takes every fourth pair of method and group. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/order_fit.h"
#include "tests/support/stepper_cases.h"
#include "unity.h"

enum {
    POINTS = 6,
    POINTS_MAX = FIT_POINTS_MAX,
    METHODS_MAX = 120,
    GROUPS_MAX = 40,
    STEPS_MAX = 16000,
    REFERENCE_STEPS = 100
};

static const double control[CASE_DIM] = {0.3, -0.2, 0.1, 0.25, 0.15, -0.3};

/* Numbers of steps; where the search begins for each order, and for the pairs. */
static const int ladder[] = {6,   7,   8,   9,   10,  11,  12,  13,  14,  16,  18,  20,  22,  24,  26,
                             29,  32,  35,  39,  43,  47,  52,  57,  63,  69,  76,  84,  92,  101, 111,
                             122, 134, 147, 162, 178, 196, 216, 237, 261, 287, 316, 347, 382, 420};
enum { LADDER = sizeof ladder / sizeof ladder[0] };
static const int first_rung[9] = {0, 12, 11, 13, 10, 8, 6, 3, 2};
static const int first_rung_of_pair[9] = {[5] = 24, [8] = 4};

/* How long a motion lasts: the first, and others where that leaves too much open. */
static const double durations[] = {2.5, 3.2, 2.1, 2.8, 1.7};
enum { DURATIONS = sizeof durations / sizeof durations[0] };

/* The starts of one system and where they arrive. */
typedef struct motion {
    double duration; /* 0: not found yet */
    lie_state from[CASE_STARTS], to[CASE_STARTS];
} motion;

static const case_method *reference_method(void)
{
    static case_method m;
    for (int i = 0; case_method_at(&m, i); i++)
        if (strcmp(m.name, "gauss4") == 0) return &m;
    TEST_FAIL_MESSAGE("no gauss4");
    return NULL;
}

static void find_motion(motion *M, const case_group *c, case_kind kind, double duration, int starts)
{
    lie_stepper *st;
    M->duration = duration;
    case_stepper(&st, reference_method(), c, kind);
    lie_stepper_control(st, control, control);
    for (int s = 0; s < starts; s++) {
        case_start(&M->from[s], c, kind, s);
        M->to[s] = M->from[s];
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &M->to[s], duration / REFERENCE_STEPS, REFERENCE_STEPS));
    }
}

/* The error with this many steps, there and back from several starts. */
static double error_with(lie_stepper *st, const motion *M, int starts, int steps)
{
    double sum = 0.0, h = M->duration / steps;
    for (int s = 0; s < starts; s++) {
        lie_state there = M->from[s], back = M->to[s];
        if (lie_run(st, &there, h, steps) != LIE_OK || lie_run(st, &back, -h, steps) != LIE_OK) return HUGE_VAL;
        sum += case_distance(lie_stepper_group(st), &there, &M->to[s]) *
               case_distance(lie_stepper_group(st), &back, &M->from[s]);
    }
    return sqrt(sum / starts);
}

/* Is it one of a pair with error estimate? */
static int is_pair(const case_method *m)
{
    const lie_tableau *tab = m->tableau;
    if (m->method->tableau) TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, m->method->tableau));
    return tab && tab->embedded;
}

static double allowed(const case_method *m, const case_group *c)
{
    return is_pair(m) || strcmp(m->name, "pirk8") == 0 ? 0.025 * case_order(m, c) : 0.05;
}

/* The best fit along the ladder. A method of high order begins with long steps. */
static fit measure(lie_stepper *st, const motion *M, int order, int of_pair)
{
    fit best = {(double)NAN, HUGE_VAL};
    double error[LADDER];
    int most = order > lie_stepper_method(st)->order_exp ? order : lie_stepper_method(st)->order_exp;
    int first = of_pair ? first_rung_of_pair[order] : first_rung[most < 8 ? most : 8], taken = 0,
        starts = order < 7                     ? 2
                 : lie_stepper_composition(st) ? 3
                                               : CASE_STARTS;
    for (int k = first; k < LADDER && taken < STEPS_MAX && best.open > 0.015; k++) {
        error[k] = error_with(st, M, starts, ladder[k]);
        taken += 2 * starts * ladder[k];
        if (error[k] < (of_pair ? 6e-14 : 1.5e-13)) break;
        for (int n = POINTS; n <= POINTS_MAX && k - n + 1 >= first && error[k - n + 1] < 0.3; n += 2) {
            fit now = fit_law(n, ladder + k - n + 1, error + k - n + 1);
            if (now.open < best.open) best = now;
        }
    }
    return best;
}

/* The observed order, from as many motions as it takes to leave little open; NaN where none was found. */
static double observed(const case_method *m, const case_group *c, case_kind kind, motion *M)
{
    lie_stepper *st;
    double sum = 0.0, weights = 0.0;
    for (int k = 0; k < DURATIONS && weights < 1.0 / (0.03 * 0.03); k++) {
        if (M[k].duration == 0.0) find_motion(&M[k], c, kind, durations[k], CASE_STARTS);
        case_stepper(&st, m, c, kind);
        lie_stepper_control(st, control, control);
        fit now = measure(st, &M[k], case_order(m, c), 0);
        if (!(now.open < 0.1)) continue;
        sum += now.slope / (now.open * now.open);
        weights += 1.0 / (now.open * now.open);
    }
    return sum / weights;
}

/* The same for a pair: the median. */
static double observed_of_pair(const case_method *m, const case_group *c, case_kind kind, motion *M)
{
    lie_stepper *st;
    double slope[DURATIONS];
    int found = 0;
    for (int k = 0; k < DURATIONS; k++) {
        if (M[k].duration == 0.0) find_motion(&M[k], c, kind, durations[k], CASE_STARTS);
        case_stepper(&st, m, c, kind);
        lie_stepper_control(st, control, control);
        fit now = measure(st, &M[k], case_order(m, c), 1);
        if (!(now.open < HUGE_VAL)) continue;
        int at = found++;
        for (; at > 0 && now.slope < slope[at - 1]; at--) slope[at] = slope[at - 1];
        slope[at] = now.slope;
    }
    return found > DURATIONS / 2 ? slope[found / 2] : (double)NAN;
}

/* Observed orders by method and group; 0 where none was measured, NaN where none was found. */
static double table[METHODS_MAX][GROUPS_MAX];

/* Methods that take their tableau from the options: on the built-in groups and R3, with a potential. */
static int is_asked_for(const case_method *m, const case_group *c, case_kind kind)
{
    const lie_ops *G;
    if (m->method->order > 8) return 0; /* test_pirk.c: longer motions show it */
    if (!m->tableau) return 1;
    if (case_has_own_name(m) || kind != CASE_POTENTIAL) return 0;
    return c->is_flat || lie_ops_find(&G, c->label, c->retraction) == LIE_OK;
}

static void measure_group(const case_group *c, int column, case_kind kind)
{
    static motion M[2][DURATIONS];
    case_method m;
    memset(M, 0, sizeof M);
    for (int i = 0; case_method_at(&m, i); i++) {
        int is_free = !case_takes(&m, c, kind);
        TEST_ASSERT_TRUE(i < METHODS_MAX);
        table[i][column] = 0.0;
        if (!is_asked_for(&m, c, kind) || !case_is_sampled(i, column)) continue;
        if (is_free && (c->is_flat || !case_takes(&m, c, CASE_FREE))) continue; /* exact, or not for this group */
        if (is_free && !m.method->needs_free) continue; /* measured with a potential; may be exact without */
        table[i][column] = (is_pair(&m) ? observed_of_pair : observed)(&m, c, is_free ? CASE_FREE : kind, M[is_free]);
    }
}

static void print_head(int columns, const case_group *const *group)
{
    printf("%-24s", "observed order");
    for (int j = 0; j < columns; j++) printf("%7s", group[j]->label);
    printf("\n%-24s", "");
    for (int j = 0; j < columns; j++) printf("%7s", group[j]->retraction);
    printf("\n");
}

/* The table, and the worst of it. */
static void judge(int columns, const case_group *const *group)
{
    case_method m;
    char text[120] = "";
    double worst = 0.0;
    int measured = 0;
    print_head(columns, group);
    for (int i = 0; case_method_at(&m, i); i++) {
        char line[GROUPS_MAX * 8 + 32];
        int used = snprintf(line, sizeof line, "%-24s", m.name), some = 0;
        for (int j = 0; j < columns; j++) {
            double slope = table[i][j], off = fabs(slope - case_order(&m, group[j])) / allowed(&m, group[j]);
            used += snprintf(line + used, sizeof line - (size_t)used, slope == 0.0 ? "      -" : "%7.3f", slope);
            if (slope == 0.0) continue;
            some = 1, measured++;
            if (off <= worst) continue;
            worst = off > 0.0 ? off : HUGE_VAL;
            snprintf(text, sizeof text, "%s on %s: order %d claimed, %.3f observed", m.name, group[j]->name,
                     case_order(&m, group[j]), slope);
        }
        if (some) puts(line);
    }
    printf("%d orders, the farthest from its claim: %s\n", measured, text);
    TEST_ASSERT_TRUE(measured > 0);
    TEST_ASSERT_TRUE_MESSAGE(worst <= 1.0, text);
}

/* One table for the groups named, all of them for null. */
static void check_orders(case_kind kind, const char *const *names)
{
    const case_group *group[GROUPS_MAX];
    int columns = 0;
    for (int j = 0; j < case_group_count(); j++) {
        const case_group *c = case_group_at(j);
        int wanted = names == NULL;
        for (int k = 0; names && names[k]; k++) wanted |= strcmp(names[k], c->name) == 0;
        if (!wanted) continue;
        TEST_ASSERT_TRUE(columns < GROUPS_MAX);
        measure_group(c, columns, kind);
        group[columns++] = c;
    }
    judge(columns, group);
}

/* A potential that is not linear, a dense and asymmetric inertia; on SE3 Kirchhoff's vehicle. */
void test_stepper_order_is_the_claimed_one_on_every_group(void)
{
    check_orders(CASE_POTENTIAL, NULL);
}

/* Not reversible: the kinetic energy has a part linear in the velocity. */
void test_stepper_order_with_a_gyroscopic_term(void)
{
    check_orders(CASE_GYRO, (const char *const[]){"SO3/exp", "S3/skew", NULL});
}

/* Drag, a push that depends on place and time, constant controls. */
void test_stepper_order_with_external_forces(void)
{
    check_orders(CASE_FORCED, (const char *const[]){"S3/exp", "SE2/cay", NULL});
}

void test_stepper_order_with_a_general_lagrangian(void)
{
    check_orders(CASE_LAGRANGIAN, (const char *const[]){"SO3/exp", NULL});
}

void test_stepper_order_reference_agrees_with_extrapolation(void)
{
    static const case_kind kinds[] = {CASE_FREE, CASE_POTENTIAL, CASE_GYRO, CASE_FORCED, CASE_LAGRANGIAN};
    static motion M;
    double worst = 0.0;
    for (int j = 0; j < case_group_count(); j++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            const case_group *c = case_group_at(j);
            find_motion(&M, c, kinds[k], durations[1], 1);
            lie_state end = M.from[0];
            case_reference(&end, &c->system[kinds[k]], durations[1], 16, control);
            double d = case_distance(c->group, &end, &M.to[0]);
            TEST_ASSERT_TRUE_MESSAGE(d <= 1e-12, c->name);
            worst = fmax(worst, d);
        }
    printf("reference against extrapolation: %.1e\n", worst);
}

void test_stepper_order_cases_have_right_derivatives(void)
{
    for (int j = 0; j < case_group_count(); j++)
        for (int kind = 0; kind < CASE_KINDS; kind++) {
            const case_group *c = case_group_at(j);
            lie_system_report report;
            TEST_ASSERT_EQUAL(
                LIE_OK, lie_system_compare_derivatives(&c->system[kind], &report, 0.3, c->g[1], c->xi[1], control));
            TEST_ASSERT_TRUE_MESSAGE(report.error < 1e-9, c->name);
        }
}
