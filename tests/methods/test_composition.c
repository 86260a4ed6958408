/* SPDX-License-Identifier: MIT */
/* Compositions: every claim of the table, from both sides. Order: the conditions of all words in the operators of a
 * self-adjoint method hold up to it and one of the next order does not; and measured, with Verlet on the Henon-Heiles
 * problem against a solution by Gauss collocation. All sums in long double, so that what is seen is the rounding of the
 * table to double. */
#include "tests/methods/tableau_numbers.h"

enum { LETTERS_MAX = 9 };

static long double gamma_of(const lie_composition *c, int i)
{
    return (long double)c->gamma[i];
}

static const long double eps = (long double)DBL_EPSILON;

void test_composition_each_is_found_by_its_name(void)
{
    const char *const names[] = {"triple4",  "suzuki4",      "mclachlan4", "yoshida6",
                                 "kahanli6", "suzukiumeno8", "kahanli8"};
    const int stages[] = {3, 5, 5, 7, 9, 15, 17};
    int count = (int)(sizeof names / sizeof names[0]);
    const lie_composition *found = NULL;
    TEST_ASSERT_TRUE(count <= lie_composition_builtin_count());
    for (int i = 0; i < count; i++) {
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_composition_find(&found, names[i]), names[i]);
        TEST_ASSERT_EQUAL_MESSAGE(stages[i], found->stages, names[i]);
    }
    for (int i = 0; i < lie_composition_builtin_count(); i++) {
        const lie_composition *c = lie_composition_builtin(i);
        TEST_ASSERT_EQUAL(LIE_OK, lie_composition_find(&found, c->name));
        TEST_ASSERT_EQUAL_PTR_MESSAGE(c, found, "two of one name");
        TEST_ASSERT_TRUE_MESSAGE(strlen(c->source) > 8, c->name);
    }
}

void test_composition_unknown_names_and_numbers_are_refused(void)
{
    const lie_composition *c = lie_composition_builtin(0);
    const char *const names[] = {NULL, "", "suzuki", "Suzuki4", "suzuki44"};
    for (int i = 0; i < 5; i++) TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_composition_find(&c, names[i]));
    TEST_ASSERT_EQUAL_PTR(lie_composition_builtin(0), c);
    TEST_ASSERT_NULL(lie_composition_builtin(-1));
    TEST_ASSERT_NULL(lie_composition_builtin(lie_composition_builtin_count()));
}

/* The sum is that of the doubles, without rounding: all are multiples of 2^-57 below 2. */
void test_composition_is_symmetric_and_sums_to_one(void)
{
    for (int k = 0; k < lie_composition_builtin_count(); k++) {
        const lie_composition *c = lie_composition_builtin(k);
        long double sum = 0.0L;
        for (int i = 0; i < c->stages; i++) {
            TEST_ASSERT_TRUE_MESSAGE(c->gamma[i] == c->gamma[c->stages - 1 - i], c->name);
            sum += gamma_of(c, i);
        }
        TEST_ASSERT_TRUE_MESSAGE(fabsl(sum - 1.0L) <= 0.5L * eps, c->name);
    }
}

/* A self-adjoint method is exp(h Y1 + h^3 Y3 + h^5 Y5 + ...). The coefficient of the word in the composition of such,
 * less that in exp(h Y1): 1 / n! for n letters 1, else 0. */
static long double word_defect(const lie_composition *c, int n, const int *letter)
{
    long double prefix[LETTERS_MAX + 1] = {1.0L}, target = 1.0L;
    for (int s = 0; s < c->stages; s++)
        for (int k = n; k > 0; k--) { /* prefix k gets prefix j times the letters j .. k-1 from exp of this substep */
            long double power = 1.0L;
            for (int j = k - 1; j >= 0; j--) {
                for (int e = 0; e < letter[j]; e++) power *= gamma_of(c, s);
                power /= (long double)(k - j);
                prefix[k] += prefix[j] * power;
            }
        }
    for (int i = 0; i < n; i++) target = letter[i] == 1 ? target / (long double)(i + 1) : 0.0L;
    return fabsl(prefix[n] - target);
}

/* Cut `weight` units in pieces, after unit k where bit k of `cuts` is set: how many, or 0 if one of them is even. */
static int letters_of(int *letter, int weight, unsigned cuts)
{
    int n = 0, size = 0;
    for (int k = 0; k < weight; k++) {
        size++;
        if (k < weight - 1 && !(cuts >> k & 1u)) continue;
        if (size % 2 == 0) return 0;
        letter[n++] = size;
        size = 0;
    }
    return n;
}

/* The largest defect of all words of a weight (the sum of their letters) */
static double worst_word(const lie_composition *c, int weight)
{
    long double worst = 0.0L;
    for (unsigned cuts = 0; cuts < 1u << (weight - 1); cuts++) {
        int letter[LETTERS_MAX], n = letters_of(letter, weight, cuts);
        long double d = n > 0 ? word_defect(c, n, letter) : 0.0L;
        worst = d > worst ? d : worst;
    }
    return (double)worst;
}

void test_composition_order_is_the_one_claimed(void)
{
    for (int k = 0; k < lie_composition_builtin_count(); k++) {
        const lie_composition *c = lie_composition_builtin(k);
        double holds = 0.0, fails = worst_word(c, c->order + 1);
        for (int weight = 1; weight <= c->order; weight++) {
            double d = worst_word(c, weight);
            holds = d > holds ? d : holds;
        }
        printf("%-12s order %d: conditions within %.2f eps, next order off by %.1e\n", c->name, c->order,
               holds / DBL_EPSILON, fails);
        TEST_ASSERT_TRUE_MESSAGE(holds <= 4.0 * DBL_EPSILON, c->name);
        TEST_ASSERT_TRUE_MESSAGE(fails >= 1e-4, c->name);
    }
}

/* q1' = p1, q2' = p2, p1' = -q1 - 2 q1 q2, p2' = -q2 - q1^2 + q2^2 (Henon & Heiles 1964) */
static void henon_heiles(long double f[4], const long double y[4])
{
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -y[0] - 2.0L * y[0] * y[1];
    f[3] = -y[1] - y[0] * y[0] + y[1] * y[1];
}

static void verlet_step(long double y[4], long double h)
{
    long double f[4];
    henon_heiles(f, y);
    for (int i = 2; i < 4; i++) y[i] += 0.5L * h * f[i];
    for (int i = 0; i < 2; i++) y[i] += h * y[i + 2];
    henon_heiles(f, y);
    for (int i = 2; i < 4; i++) y[i] += 0.5L * h * f[i];
}

/* One step of a tableau, its stages by fixed-point iteration */
static void tableau_step(const lie_tableau *t, long double y[4], long double h)
{
    long double k[LIE_STAGES_MAX][4] = {{0.0L}}, stage[4];
    for (int sweep = 0; sweep < 40; sweep++)
        for (int s = 0; s < t->stages; s++) {
            memcpy(stage, y, sizeof stage);
            for (int j = 0; j < t->stages; j++)
                for (int i = 0; i < 4; i++) stage[i] += h * a_of(t, s, j) * k[j][i];
            henon_heiles(k[s], stage);
        }
    for (int s = 0; s < t->stages; s++)
        for (int i = 0; i < 4; i++) y[i] += h * b_of(t, s) * k[s][i];
}

static const long double start[4] = {0.31L, -0.24L, 0.27L, 0.35L};
static const long double end_time = 12.0L;

/* Distance at the end time from the solution `exact`, with n steps of the composition */
static long double composition_error(const lie_composition *c, const long double exact[4], int n)
{
    long double y[4], sum = 0.0L;
    memcpy(y, start, sizeof y);
    for (int k = 0; k < n; k++)
        for (int s = 0; s < c->stages; s++) verlet_step(y, gamma_of(c, s) * end_time / (long double)n);
    for (int i = 0; i < 4; i++) sum += (y[i] - exact[i]) * (y[i] - exact[i]);
    return sqrtl(sum);
}

/* Slope of log error over log h by least squares; 5 numbers of steps, each sqrt 2 times the one before */
static double slope_of(const lie_composition *c, const long double exact[4], int coarsest)
{
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int k = 0; k < 5; k++) {
        int n = (int)(coarsest * pow(2.0, 0.5 * k) + 0.5);
        double x = -log((double)n), y = log((double)composition_error(c, exact, n));
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (5.0 * sxy - sx * sy) / (5.0 * sxx - sx * sx);
}

void test_composition_converges_at_the_order_claimed(void)
{
    const lie_tableau *gauss = tableau_named("gauss4");
    long double exact[4];
    memcpy(exact, start, sizeof exact);
    for (int k = 0; k < 600; k++) tableau_step(gauss, exact, end_time / 600.0L);
    for (int k = 0; k < lie_composition_builtin_count(); k++) {
        const lie_composition *c = lie_composition_builtin(k);
        double slope = slope_of(c, exact, 360 / c->order);
        printf("%-12s slope %.3f\n", c->name, slope);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.05, c->order, slope, c->name);
    }
}
