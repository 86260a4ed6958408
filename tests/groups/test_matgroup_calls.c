/* SPDX-License-Identifier: MIT */
/* What all functions of matgroup.h have in common, tried on a table of all of them: outputs may be inputs, bad numbers
 * are reported, nothing is allocated; and the same functions reached through lie_ops. */
#include <liestep/product.h>
#include <liestep/so3.h>

#include "tests/groups/matgroup_fixture.h"

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define HAS_MALLINFO2 1
#else
#define HAS_MALLINFO2 0
#endif

void tearDown(void)
{
    close_group();
}

typedef void void_fn(const lie_matgroup *M, double *out, const double *a);
typedef void void_fn_2(const lie_matgroup *M, double *out, const double *a, const double *b);

enum { BIG = DMAX * DMAX };

/* Arguments and results: element or other n x n matrix, algebra or dual vector, point of R^n, dim x dim matrix. */
enum kind_of_array { NONE, ELEMENT, VECTOR, POINT, SQUARE };

typedef struct call {
    const char *name;
    enum kind_of_array out, a, b;
    void_fn *v1;
    void_fn_2 *v2;
    map_fn *s1;
    tangent_fn *s2;
} call;

#define CALL(field, name, out, a, b)                                                                                   \
    {                                                                                                                  \
#name, out, a, b, .field = lie_matgroup_##name                                                                 \
    }

static const call calls[] = {
    CALL(v2, mul, ELEMENT, ELEMENT, ELEMENT),
    CALL(v1, inv, ELEMENT, ELEMENT, NONE),
    CALL(v2, act, POINT, ELEMENT, POINT),
    CALL(v1, hat, ELEMENT, VECTOR, NONE),
    CALL(v1, vee, VECTOR, ELEMENT, NONE),
    CALL(v2, Ad, VECTOR, ELEMENT, VECTOR),
    CALL(v2, Adt, VECTOR, ELEMENT, VECTOR),
    CALL(v2, ad, VECTOR, VECTOR, VECTOR),
    CALL(v2, adt, VECTOR, VECTOR, VECTOR),
    CALL(s1, project, ELEMENT, ELEMENT, NONE),
    CALL(s1, exp, ELEMENT, VECTOR, NONE),
    CALL(s1, log, VECTOR, ELEMENT, NONE),
    CALL(s2, dexp, VECTOR, VECTOR, VECTOR),
    CALL(s2, dexpt, VECTOR, VECTOR, VECTOR),
    CALL(s2, dexpinv, VECTOR, VECTOR, VECTOR),
    CALL(s2, dexpinvt, VECTOR, VECTOR, VECTOR),
    CALL(s1, dexp_matrix, SQUARE, VECTOR, NONE),
    CALL(s1, dexpinv_matrix, SQUARE, VECTOR, NONE),
    CALL(s2, dexp_body_deriv, SQUARE, VECTOR, VECTOR),
    CALL(s1, cay, ELEMENT, VECTOR, NONE),
    CALL(s1, caylog, VECTOR, ELEMENT, NONE),
    CALL(s2, dcay, VECTOR, VECTOR, VECTOR),
    CALL(s2, dcayt, VECTOR, VECTOR, VECTOR),
    CALL(s2, dcayinv, VECTOR, VECTOR, VECTOR),
    CALL(s2, dcayinvt, VECTOR, VECTOR, VECTOR),
    CALL(s1, dcay_matrix, SQUARE, VECTOR, NONE),
    CALL(s1, dcayinv_matrix, SQUARE, VECTOR, NONE),
    CALL(s2, dcay_body_deriv, SQUARE, VECTOR, VECTOR),
    CALL(s1, skew, ELEMENT, VECTOR, NONE),
    CALL(s1, skewlog, VECTOR, ELEMENT, NONE),
    CALL(s2, dskew, VECTOR, VECTOR, VECTOR),
    CALL(s2, dskewt, VECTOR, VECTOR, VECTOR),
    CALL(s2, dskewinv, VECTOR, VECTOR, VECTOR),
    CALL(s2, dskewinvt, VECTOR, VECTOR, VECTOR),
    CALL(s1, dskew_matrix, SQUARE, VECTOR, NONE),
    CALL(s1, dskewinv_matrix, SQUARE, VECTOR, NONE),
    CALL(s2, dskew_body_deriv, SQUARE, VECTOR, VECTOR),
};
enum { CALLS = sizeof calls / sizeof calls[0] };

static int length(enum kind_of_array kind)
{
    return kind == ELEMENT  ? G.n * G.n
           : kind == VECTOR ? G.dim
           : kind == POINT  ? G.n
           : kind == SQUARE ? G.dim * G.dim
                            : 0;
}

static int returns_status(const call *c)
{
    return c->s1 || c->s2;
}

static lie_status run(const call *c, double *out, const double *a, const double *b)
{
    if (c->s1) return c->s1(G.M, out, a);
    if (c->s2) return c->s2(G.M, out, a, b);
    if (c->v1) c->v1(G.M, out, a);
    if (c->v2) c->v2(G.M, out, a, b);
    return LIE_OK;
}

static void random_argument(enum kind_of_array kind, double *a)
{
    if (kind == ELEMENT) random_element(a);
    if (kind == VECTOR) random_algebra(a, 0.81);
    if (kind == POINT) random_vector(&G.rng, G.n, a, 1);
}

void test_matgroup_outputs_may_be_inputs(void)
{
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        for (int i = 0; i < CALLS; i++) {
            const call *c = &calls[i];
            static double a[BIG], b[BIG], out[BIG], alias[BIG];
            random_argument(c->a, a);
            random_argument(c->b, b);
            size_t bytes = (size_t)length(c->out) * sizeof(double);
            ok(run(c, out, a, b));
            memcpy(alias, a, sizeof alias);
            ok(run(c, alias, alias, b));
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(out, alias, bytes, c->name);
            memcpy(alias, b, sizeof alias);
            ok(run(c, alias, a, alias));
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(out, alias, bytes, c->name);
        }
    }
}

/* One bad number at one place of one argument. */
static void try_bad(const call *c, const double *a, const double *b, double bad)
{
    static double out[BIG], before[BIG];
    int count = length(c->out);
    for (int i = 0; i < BIG; i++) before[i] = 2.385 + i;
    memcpy(out, before, sizeof out);
    lie_status status = run(c, out, a, b);
    if (status != LIE_OK) TEST_ASSERT_EQUAL_MEMORY_MESSAGE(before, out, sizeof out, c->name);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(before + count, out + count, sizeof out - (size_t)count * sizeof *out, c->name);
    if (returns_status(c) && !(fabs(bad) < DBL_MAX)) TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, status, c->name);
    for (int i = 0; i < count && status == LIE_OK; i++) {
        if (!isfinite(bad)) TEST_ASSERT_TRUE_MESSAGE(isnan(out[i]), c->name);
        if (fabs(bad) < 1) TEST_ASSERT_TRUE_MESSAGE(isfinite(out[i]), c->name);
    }
}

void test_matgroup_bad_numbers_are_reported(void)
{
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, DBL_MAX, -DBL_MAX, 0x1p511, 0x1p-1074, -0.0};
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        for (int i = 0; i < CALLS; i++)
            for (int j = 0; j < 8; j++) {
                const call *c = &calls[i];
                static double a[BIG], b[BIG];
                random_argument(c->a, a);
                random_argument(c->b, b);
                int place = (int)(random_bits(&G.rng) % (uint64_t)length(c->a));
                double good = a[place];
                a[place] = bad[j];
                try_bad(c, a, b, bad[j]);
                a[place] = good;
                if (c->b == NONE) continue;
                b[random_bits(&G.rng) % (uint64_t)length(c->b)] = bad[j];
                try_bad(c, a, b, bad[j]);
            }
    }
}

static void run_all(void)
{
    static double a[BIG], b[BIG], out[BIG];
    for (int i = 0; i < CALLS; i++) {
        random_argument(calls[i].a, a);
        random_argument(calls[i].b, b);
        ok(run(&calls[i], out, a, b));
    }
}

/* A block that is allocated and freed stays in a cache of malloc and counts as in use, unless it came from there: so
 * all caches (8 blocks of each size up to 1032 bytes are more than they hold) are emptied first. On SO(5) the largest
 * matrix is 800 bytes. OpenBLAS prepares itself at the first call. */
void test_matgroup_calls_do_not_allocate(void)
{
#if HAS_MALLINFO2
    static void *held[64 * 8];
    open_group(SO3_CASE + 2);
    run_all();
    for (size_t i = 0; i < 64 * 8; i++) held[i] = malloc(24 + 16 * (i / 8));
    size_t before = mallinfo2().uordblks;
    run_all();
    size_t after = mallinfo2().uordblks;
    for (size_t i = 0; i < 64 * 8; i++) free(held[i]);
    TEST_ASSERT_EQUAL(before, after);
#else
    TEST_IGNORE_MESSAGE("needs mallinfo2 of glibc");
#endif
}

/* run-time description */

void test_matgroup_ops_are_the_same_functions(void)
{
    for (int k = 0; k < GROUPS; k++)
        for (int r = 0; r < RETRACTIONS; r++) {
            open_group(k);
            const retraction *t = &retractions[r];
            double x[DMAX], v[DMAX], g[NNMAX], a[BIG], b[BIG];
            lie_ops ops;
            ok(lie_matgroup_ops(&ops, G.M, t->name));
            TEST_ASSERT_EQUAL(G.dim, ops.dim);
            TEST_ASSERT_EQUAL(G.n * G.n, ops.size);
            TEST_ASSERT_EQUAL_STRING("matgroup", ops.group);
            TEST_ASSERT_EQUAL_STRING(t->name, ops.retraction);
            random_algebra(x, 0.7);
            random_algebra(v, 0.7);
            ok(t->tau(G.M, g, x));
            ok(ops.tau(&ops, a, x));
            TEST_ASSERT_EQUAL_DOUBLE_ARRAY(g, a, G.n * G.n);
            ok(ops.tauinv(&ops, a, g));
            expect("tauinv tau", error_eps(G.dim, a, x), 12 * G.is->slack);
            ok(ops.project(&ops, a, g));
            expect("project", error_eps(G.n * G.n, a, g), 12 * G.is->slack);
            tangent_fn *const mine[] = {t->dtau, t->dtaut, t->dtauinv, t->dtauinvt, t->body_deriv};
            lie_tangent_fn *const theirs[] = {ops.dtau, ops.dtaut, ops.dtauinv, ops.dtauinvt, ops.dtau_body_deriv};
            for (int i = 0; i < 5; i++) {
                ok(mine[i](G.M, a, x, v));
                ok(theirs[i](&ops, b, x, v));
                TEST_ASSERT_EQUAL_DOUBLE_ARRAY(a, b, i < 4 ? G.dim : G.dim * G.dim);
            }
            void_fn_2 *const linear[] = {lie_matgroup_Ad, lie_matgroup_Adt, lie_matgroup_ad, lie_matgroup_adt};
            lie_linear_fn *const same[] = {ops.Ad, ops.Adt, ops.ad, ops.adt};
            for (int i = 0; i < 4; i++) {
                linear[i](G.M, a, i < 2 ? g : x, v);
                same[i](&ops, b, i < 2 ? g : x, v);
                TEST_ASSERT_EQUAL_DOUBLE_ARRAY(a, b, G.dim);
            }
        }
}

void test_matgroup_ops_in_a_product(void)
{
    lie_ops so4, both;
    const lie_ops *const factors[2] = {&so4, &lie_so3_cay_ops};
    const lie_product pair = {2, factors};
    double x[9], y[9], g[25], h[25], e[25];
    open_group(SO3_CASE + 1);
    ok(lie_matgroup_ops(&so4, G.M, "exp"));
    ok(lie_product_ops(&both, &pair));
    TEST_ASSERT_EQUAL(9, both.dim);
    random_vector(&G.rng, 9, x, 0.6);
    ok(both.tau(&both, g, x));
    ok(both.tauinv(&both, y, g));
    expect("tauinv tau", error_eps(9, y, x), 8);
    both.inv(&both, h, g);
    both.mul(&both, h, h, g);
    both.identity(&both, e);
    expect("g^-1 g = e", error_eps(25, h, e), 8);
}

void test_matgroup_ops_statuses(void)
{
    lie_ops ops, room[1];
    const lie_ops *chosen;
    lie_matgroup *M;
    open_group(SO3_CASE);
    expect_status(LIE_ERR_UNKNOWN_NAME, lie_matgroup_ops(&ops, G.M, "cayq"));
    expect_status(LIE_ERR_UNKNOWN_NAME, lie_matgroup_ops(&ops, G.M, NULL));
    ok(lie_matgroup_ops(&ops, G.M, "exp"));
    ok(lie_ops_choose(&chosen, &ops, "skew", room, sizeof room));
    TEST_ASSERT_EQUAL_STRING("skew", chosen->retraction);
    TEST_ASSERT_EQUAL_PTR(G.M, chosen->ctx);
    expect_status(LIE_ERR_UNKNOWN_NAME, lie_ops_choose(&chosen, &ops, "cayq", room, sizeof room));
    close_group();
    G.memory = malloc(lie_matgroup_memsize(12));
    ok(lie_matgroup_init_so(&M, 12, G.memory, lie_matgroup_memsize(12))); /* dim = 66 */
    expect_status(LIE_ERR_SIZE, lie_matgroup_ops(&ops, M, "exp"));
}
