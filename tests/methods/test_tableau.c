/* SPDX-License-Identifier: MIT */
/* Tableaux: every claim of the table, from both sides. Order: the conditions of ALL rooted trees up to it hold and one
 * of the next order does not (Butcher 1963; Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I,
 * section II.2); above 8, Butcher's simplifying assumptions. All sums in long double, so that what is seen is the
 * rounding of the table to double. */
#include "tests/methods/tableau_numbers.h"

enum { TREES_MAX = 500, ORDER_MAX = 9 };

static int starts_with(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* The lists */

void test_tableau_each_is_found_by_its_name(void)
{
    const char *const names[] = {"euler_fwd",  "euler_bwd",  "midpoint",   "trapezoid",  "gauss1",     "gauss2",
                                 "gauss3",     "gauss4",     "lobatto3a2", "lobatto3a3", "lobatto3a4", "lobatto3b2",
                                 "lobatto3b3", "lobatto3b4", "radau2a2",   "radau2a3",   "rk4",        "dopri5",
                                 "dopri8",     "gauss6",     "gauss8"};
    int count = (int)(sizeof names / sizeof names[0]);
    TEST_ASSERT_TRUE(count <= lie_tableau_builtin_count());
    for (int i = 0; i < count; i++) tableau_named(names[i]);
    for (int i = 0; i < lie_tableau_builtin_count(); i++) {
        const lie_tableau *t = lie_tableau_builtin(i);
        TEST_ASSERT_EQUAL_PTR_MESSAGE(t, tableau_named(t->name), "two of one name");
        TEST_ASSERT_TRUE_MESSAGE(strlen(t->source) > 8, t->name);
        TEST_ASSERT_TRUE_MESSAGE(t->stages >= 1 && t->stages <= LIE_STAGES_MAX, t->name);
    }
}

void test_tableau_unknown_names_and_numbers_are_refused(void)
{
    const lie_tableau *t = lie_tableau_builtin(0);
    const char *const names[] = {NULL, "", "gauss", "Gauss2", "gauss22"};
    for (int i = 0; i < 5; i++) {
        TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_tableau_find(&t, names[i]));
    }
    TEST_ASSERT_EQUAL_PTR(lie_tableau_builtin(0), t);
    TEST_ASSERT_NULL(lie_tableau_builtin(-1));
    TEST_ASSERT_NULL(lie_tableau_builtin(lie_tableau_builtin_count()));
}

/* Rooted trees. A tree with more than one vertex is u o v: v hung to the root of u. To have each tree once, v is the
 * last of the branches at the root: not before the last branch of u. */

typedef struct tree {
    int u, v;            /* u o v; -1 for the single vertex */
    int order;           /* number of vertices */
    long double density; /* gamma(t): the product of the orders of all subtrees */
} tree;

static tree trees[TREES_MAX];
static int tree_count, tree_first[ORDER_MAX + 2]; /* trees of order n: tree_first[n] .. tree_first[n + 1] - 1 */

static void grow_trees(int order)
{
    for (int u = 0; u < tree_first[order]; u++)
        for (int v = 0; v < tree_first[order]; v++) {
            const tree *s = &trees[u], *t = &trees[v];
            if (s->order + t->order != order || s->v > v) continue;
            TEST_ASSERT_TRUE(tree_count < TREES_MAX);
            trees[tree_count++] =
                (tree){u, v, order, (long double)order * s->density / (long double)s->order * t->density};
        }
    tree_first[order + 1] = tree_count;
}

static void plant(void)
{
    trees[0] = (tree){-1, -1, 1, 1.0L};
    tree_first[1] = 0;
    tree_count = tree_first[2] = 1;
    for (int n = 2; n <= ORDER_MAX; n++) grow_trees(n);
}

/* phi_i(u o v) = phi_i(u) sum_j a_ij phi_j(v); the condition is sum_i b_i phi_i(t) = 1 / gamma(t). Largest defect among
 * the trees of the orders first .. last with these weights. */
static double weights_defect(const lie_tableau *t, const double *b, int first, int last)
{
    static long double phi[TREES_MAX][LIE_STAGES_MAX];
    long double worst = 0.0L;
    for (int k = 0; k < tree_first[last + 1]; k++) {
        const tree *tau = &trees[k];
        long double sum = 0.0L;
        for (int i = 0; i < t->stages; i++) {
            long double branch = 0.0L;
            for (int j = 0; j < t->stages && k > 0; j++) branch += a_of(t, i, j) * phi[tau->v][j];
            phi[k][i] = k == 0 ? 1.0L : phi[tau->u][i] * branch;
            sum += (long double)b[i] * phi[k][i];
        }
        long double d = fabsl(sum - 1.0L / tau->density);
        if (tau->order >= first && d > worst) worst = d;
    }
    return (double)worst;
}

static double tree_defect(const lie_tableau *t, int first, int last)
{
    return weights_defect(t, t->b, first, last);
}

/* What the rounding of its numbers to double may leave: entries of 16 leave 16 times what those of 1 leave. */
static double rounding(const lie_tableau *t)
{
    double size = 1.0;
    for (int i = 0; i < t->stages * t->stages; i++) size = fmax(size, fabs(t->A[i]));
    return 0.5 * DBL_EPSILON * size;
}

/* 1, 1, 2, 4, 9, ... trees (Cayley 1857); gamma is least for the bush, n, and largest for the tall tree, n!. */
void test_tableau_trees_are_all_there(void)
{
    const int number[ORDER_MAX + 1] = {0, 1, 1, 2, 4, 9, 20, 48, 115, 286};
    long double factorial = 1.0L;
    plant();
    for (int n = 1; n <= ORDER_MAX; n++) {
        long double smallest = 1e30L, largest = 0.0L;
        factorial *= n;
        TEST_ASSERT_EQUAL(number[n], tree_first[n + 1] - tree_first[n]);
        for (int k = tree_first[n]; k < tree_first[n + 1]; k++) {
            if (trees[k].density < smallest) smallest = trees[k].density;
            if (trees[k].density > largest) largest = trees[k].density;
        }
        TEST_ASSERT_TRUE(smallest == (long double)n && largest == factorial);
    }
}

/* Butcher's simplifying assumptions B(p), C(s) and D(s) of collocation methods, from which the order p = 2 s follows
 * (Hairer & Wanner II, theorem IV.5.1): there are too many trees of 16 vertices. The largest that does not hold among
 * the first `powers` of B and s of the others. */
static double collocation_defect(const lie_tableau *t, int powers)
{
    int s = t->stages;
    long double worst = 0.0L;
    for (int k = 1; k <= powers; k++) {
        long double B = -1.0L / k;
        for (int i = 0; i < s; i++) B += b_of(t, i) * powl(c_of(t, i), k - 1);
        worst = fmaxl(worst, fabsl(B));
        for (int i = 0; i < s && k <= s; i++) {
            long double C = -powl(c_of(t, i), k) / k, D = -b_of(t, i) * (1.0L - powl(c_of(t, i), k)) / k;
            for (int j = 0; j < s; j++) {
                C += a_of(t, i, j) * powl(c_of(t, j), k - 1);
                D += b_of(t, j) * powl(c_of(t, j), k - 1) * a_of(t, j, i);
            }
            worst = fmaxl(worst, fmaxl(fabsl(C), fabsl(D)));
        }
    }
    return (double)worst;
}

void test_tableau_gauss_of_high_order_by_the_simplifying_assumptions(void)
{
    const char *const names[] = {"gauss2", "gauss3", "gauss4", "gauss6", "gauss8"};
    for (int i = 0; i < 5; i++) {
        const lie_tableau *t = tableau_named(names[i]);
        double holds = collocation_defect(t, t->order), fails = collocation_defect(t, t->order + 1);
        printf("%-11s order %d: assumptions within %.2f eps, the next off by %.1e\n", t->name, t->order,
               holds / DBL_EPSILON, fails);
        TEST_ASSERT_EQUAL_MESSAGE(2 * t->stages, t->order, t->name);
        TEST_ASSERT_TRUE_MESSAGE(holds <= rounding(t), t->name);
        TEST_ASSERT_TRUE_MESSAGE(fails >= 1e-11, t->name);
    }
}

void test_tableau_order_is_the_one_claimed(void)
{
    plant();
    for (int i = 0; i < lie_tableau_builtin_count(); i++) {
        const lie_tableau *t = lie_tableau_builtin(i);
        if (t->order >= ORDER_MAX) continue; /* above */
        double holds = tree_defect(t, 1, t->order), fails = tree_defect(t, t->order + 1, t->order + 1);
        printf("%-11s order %d: conditions within %.2f eps, next order off by %.1e\n", t->name, t->order,
               holds / DBL_EPSILON, fails);
        TEST_ASSERT_TRUE_MESSAGE(holds <= rounding(t), t->name);
        TEST_ASSERT_TRUE_MESSAGE(fails >= 5e-6, t->name);
    }
}

/* Embedded weights have the order claimed and no more; the difference of the two estimates an error. */
void test_tableau_pairs_have_the_orders_claimed(void)
{
    int pairs = 0;
    plant();
    for (int k = 0; k < lie_tableau_builtin_count(); k++) {
        const lie_tableau *t = lie_tableau_builtin(k);
        if (!t->embedded) continue;
        double holds = weights_defect(t, t->embedded, 1, t->embedded_order);
        double fails = weights_defect(t, t->embedded, t->embedded_order + 1, t->embedded_order + 1);
        printf("%-11s embedded order %d: conditions within %.2f eps, next order off by %.1e\n", t->name,
               t->embedded_order, holds / DBL_EPSILON, fails);
        TEST_ASSERT_TRUE_MESSAGE(holds <= rounding(t), t->name);
        TEST_ASSERT_TRUE_MESSAGE(fails >= 5e-5, t->name);
        TEST_ASSERT_TRUE_MESSAGE(lie_tableau_is_explicit(t) && t->embedded_order == t->order - 1, t->name);
        pairs++;
    }
    TEST_ASSERT_EQUAL(2, pairs);
}

/* b_i(s) */
static void dense_weights(double *b, const lie_tableau *t, double s)
{
    for (int i = 0; i < t->stages; i++) {
        b[i] = 0.0;
        for (int k = t->degree - 1; k >= 0; k--) b[i] = s * (t->dense[i * t->degree + k] + b[i]);
    }
}

/* The step scaled by s is a method with the tableau A/s, b(s)/s: its conditions are those of s^order / gamma. */
static double dense_defect(const lie_tableau *t, double s, int first, int last)
{
    double b[LIE_STAGES_MAX], A[LIE_STAGES_MAX * LIE_STAGES_MAX];
    lie_tableau shorter = *t;
    dense_weights(b, t, s);
    for (int i = 0; i < t->stages; i++) b[i] /= s;
    for (int i = 0; i < t->stages * t->stages; i++) A[i] = t->A[i] / s;
    shorter.A = A;
    return weights_defect(&shorter, b, first, last);
}

void test_tableau_interpolants_have_the_order_claimed(void)
{
    int interpolants = 0;
    plant();
    for (int k = 0; k < lie_tableau_builtin_count(); k++) {
        const lie_tableau *t = lie_tableau_builtin(k);
        double b[LIE_STAGES_MAX], holds = 0.0, fails = 0.0;
        if (!t->dense) continue;
        dense_weights(b, t, 1.0);
        for (int i = 0; i < t->stages; i++) TEST_ASSERT_DOUBLE_WITHIN(4 * DBL_EPSILON, t->b[i], b[i]);
        for (double s = 0.25; s < 1.3; s += 0.25) {
            holds = fmax(holds, dense_defect(t, s, 1, t->dense_order));
            if (s != 1.0) fails = fmax(fails, dense_defect(t, s, t->dense_order + 1, t->dense_order + 1));
        }
        printf("%-11s interpolant of order %d: conditions within %.0f eps, next order off by %.1e\n", t->name,
               t->dense_order, holds / DBL_EPSILON, fails);
        TEST_ASSERT_TRUE_MESSAGE(holds <= 200 * DBL_EPSILON, t->name);
        TEST_ASSERT_TRUE_MESSAGE(fails >= 1e-4, t->name);
        interpolants++;
    }
    TEST_ASSERT_EQUAL(1, interpolants);
}

/* Only the pairs have weights that are 0. */
void test_tableau_nodes_are_row_sums_and_weights_are_not_zero(void)
{
    for (int k = 0; k < lie_tableau_builtin_count(); k++) {
        const lie_tableau *t = lie_tableau_builtin(k);
        for (int i = 0; i < t->stages; i++) {
            long double sum = 0.0L;
            for (int j = 0; j < t->stages; j++) sum += a_of(t, i, j);
            TEST_ASSERT_TRUE_MESSAGE(fabsl(sum - (long double)t->c[i]) <= 1.5L * (long double)rounding(t), t->name);
            TEST_ASSERT_TRUE_MESSAGE(fabs(t->b[i]) > 0.04 || (t->embedded && t->b[i] == 0.0), t->name);
        }
    }
}

void test_tableau_explicit_are_the_strictly_lower_ones(void)
{
    for (int k = 0; k < lie_tableau_builtin_count(); k++) {
        const lie_tableau *t = lie_tableau_builtin(k);
        long double on_or_above = 0.0L;
        for (int i = 0; i < t->stages; i++)
            for (int j = i; j < t->stages; j++) on_or_above += fabsl(a_of(t, i, j));
        TEST_ASSERT_EQUAL_MESSAGE(on_or_above == 0.0L, lie_tableau_is_explicit(t), t->name);
    }
    TEST_ASSERT_TRUE(lie_tableau_is_explicit(tableau_named("dopri8")));
    TEST_ASSERT_FALSE(lie_tableau_is_explicit(tableau_named("trapezoid")));
}

/* Largest |b_i ahat_ij + b_j a_ji - b_i b_j|: 0 for a symplectic pair (Sanz-Serna 1988, Suris 1990) */
static double symplectic_defect(const lie_tableau *t, const lie_tableau *hat)
{
    long double worst = 0.0L;
    int s = t->stages;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            long double bi = b_of(t, i), bj = b_of(t, j);
            long double d = fabsl(bi * a_of(hat, i, j) + bj * a_of(t, j, i) - bi * bj);
            worst = d > worst ? d : worst;
        }
    return (double)worst;
}

void test_tableau_symplectic_are_gauss_and_midpoint_alone(void)
{
    for (int k = 0; k < lie_tableau_builtin_count(); k++) {
        const lie_tableau *t = lie_tableau_builtin(k);
        double defect = symplectic_defect(t, t);
        if (starts_with(t->name, "gauss") || starts_with(t->name, "midpoint"))
            TEST_ASSERT_TRUE_MESSAGE(defect <= 0.25 * DBL_EPSILON, t->name);
        else
            TEST_ASSERT_TRUE_MESSAGE(defect > 1e-3, t->name);
    }
}

void test_tableau_lobatto_pairs_are_symplectic(void)
{
    for (int s = 2; s <= 4; s++) {
        char a[16], b[16];
        snprintf(a, sizeof a, "lobatto3a%d", s);
        snprintf(b, sizeof b, "lobatto3b%d", s);
        const lie_tableau *A = tableau_named(a), *B = tableau_named(b);
        TEST_ASSERT_EQUAL(s, A->stages);
        TEST_ASSERT_EQUAL(s, B->stages);
        SAME(s, A->b, B->b);
        TEST_ASSERT_TRUE_MESSAGE(symplectic_defect(A, B) <= 0.25 * DBL_EPSILON, a);
    }
}

/* Largest |a_{s+1-i,s+1-j} + a_ij - b_j|: 0 for a symmetric method (Hairer, Lubich & Wanner 2006, theorem V.2.3) */
static double symmetry_defect(const lie_tableau *t)
{
    long double worst = 0.0L;
    int s = t->stages;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            long double d = fabsl(a_of(t, s - 1 - i, s - 1 - j) + a_of(t, i, j) - b_of(t, j));
            worst = d > worst ? d : worst;
        }
    return (double)worst;
}

void test_tableau_symmetric_are_gauss_and_lobatto_alone(void)
{
    for (int k = 0; k < lie_tableau_builtin_count(); k++) {
        const lie_tableau *t = lie_tableau_builtin(k);
        double defect = symmetry_defect(t);
        if (lie_tableau_is_explicit(t) || starts_with(t->name, "euler") || starts_with(t->name, "radau"))
            TEST_ASSERT_TRUE_MESSAGE(defect > 1e-2, t->name);
        else
            TEST_ASSERT_TRUE_MESSAGE(defect <= 0.5 * DBL_EPSILON, t->name);
    }
}
