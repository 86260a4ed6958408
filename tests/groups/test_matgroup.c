/* SPDX-License-Identifier: MIT */
/* The quadratic matrix groups: the object, group and algebra operations, SO(3) against so3.h, projection, domains.
 * The maps are tested in test_matgroup_maps.c, what all functions have in common in test_matgroup_calls.c. */
#include <liestep/so3.h>

#include "tests/groups/matgroup_fixture.h"

void tearDown(void)
{
    close_group();
}

/* the object */

void test_matgroup_init_statuses(void)
{
    static double memory[LIE_MATGROUP_BYTES(3) / sizeof(double) + 1];
    const double unsymmetric[9] = {1, 0.5, 0, 0, 1, 0, 0, 0, 1};
    const double singular[9] = {1, 2, 0, 2, 4, 0, 0, 0, 1};
    const double nan_in_it[9] = {1, 0, 0, 0, 1, 0, 0, 0, (double)NAN};
    const double huge[9] = {1e80, 0, 0, 0, 1e80, 0, 0, 0, 1e80};
    const double tiny[9] = {1e-80, 0, 0, 0, 1e-80, 0, 0, 0, 1e-80};
    const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    size_t bytes = lie_matgroup_memsize(3);
    lie_matgroup *M = NULL;
    G.is = &group_cases[SO3_CASE];
    expect_status(LIE_ERR_SIZE, lie_matgroup_init(&M, 1, one, memory, bytes));
    expect_status(LIE_ERR_SIZE, lie_matgroup_init(&M, LIE_MATGROUP_N_MAX + 1, one, memory, bytes));
    expect_status(LIE_ERR_SIZE, lie_matgroup_init_sopq(&M, 4, -1, memory, bytes));
    expect_status(LIE_ERR_SIZE, lie_matgroup_init_sp(&M, 0, memory, bytes));
    expect_status(LIE_ERR_MEMORY, lie_matgroup_init(&M, 3, one, memory, bytes - 1));
    expect_status(LIE_ERR_MEMORY, lie_matgroup_init(&M, 3, one, NULL, bytes));
    expect_status(LIE_ERR_MEMORY, lie_matgroup_init(&M, 3, one, (char *)memory + 1, bytes));
    expect_status(LIE_ERR_MEMORY, lie_matgroup_init(&M, 3, NULL, memory, bytes));
    expect_status(LIE_ERR_MEMORY, lie_matgroup_init(NULL, 3, one, memory, bytes));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_init(&M, 3, unsymmetric, memory, bytes));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_init(&M, 3, huge, memory, bytes));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_init(&M, 3, tiny, memory, bytes));
    expect_status(LIE_ERR_SINGULAR, lie_matgroup_init(&M, 3, singular, memory, bytes));
    expect_status(LIE_ERR_NOT_FINITE, lie_matgroup_init(&M, 3, nan_in_it, memory, bytes));
    TEST_ASSERT_NULL(M);
    expect_status(LIE_OK, lie_matgroup_init(&M, 3, one, memory, bytes));
    TEST_ASSERT_EQUAL(3, lie_matgroup_n(M));
    TEST_ASSERT_EQUAL(3, lie_matgroup_dim(M));
}

void test_matgroup_memsize_and_dimensions(void)
{
    TEST_ASSERT_EQUAL(0, lie_matgroup_memsize(1));
    TEST_ASSERT_EQUAL(0, lie_matgroup_memsize(-3));
    TEST_ASSERT_EQUAL(0, lie_matgroup_memsize(LIE_MATGROUP_N_MAX + 1));
    TEST_ASSERT_EQUAL(LIE_MATGROUP_BYTES(7), lie_matgroup_memsize(7));
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        TEST_ASSERT_EQUAL(G.n, lie_matgroup_n(G.M));
        TEST_ASSERT_EQUAL(is_antisymmetric() ? G.n * (G.n + 1) / 2 : G.n * (G.n - 1) / 2, G.dim);
    }
}

/* coordinates */

void test_matgroup_coordinates_are_as_documented(void)
{
    double X[9], x[3];
    const double w[3] = {0.71, -1.32, 2.05}, so3[3] = {2.05, 1.32, 0.71}, K[3] = {0.6, -0.9, 1.7};
    const double want[4] = {0.9, -1.7, 0.6, -0.9}; /* [[0,-1],[1,0]] [[0.6,-0.9],[-0.9,1.7]] */
    double W[9];
    open_group(SO3_CASE);
    lie_matgroup_hat(G.M, X, so3);
    lie_so3_hat(W, w);
    TEST_ASSERT_EQUAL_DOUBLE_ARRAY(W, X, 9);
    open_group(SP2_CASE);
    lie_matgroup_hat(G.M, X, K);
    TEST_ASSERT_EQUAL_DOUBLE_ARRAY(want, X, 4);
    lie_matgroup_vee(G.M, x, X);
    TEST_ASSERT_EQUAL_DOUBLE_ARRAY(K, x, 3);
}

void test_matgroup_hat_and_vee(void)
{
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        double x[DMAX], y[DMAX], X[NNMAX], K[NNMAX], Kt[NNMAX];
        random_algebra(x, 1);
        lie_matgroup_hat(G.M, X, x);
        product(K, G.J, X); /* x^T J + J x = 0 */
        transpose(Kt, K);
        double sign = is_antisymmetric() ? 1 : -1;
        for (int i = 0; i < G.n * G.n; i++) Kt[i] *= sign;
        expect("(J x)^T = +-J x", error_eps(G.n * G.n, Kt, K), 4 * G.is->slack);
        for (int i = 0; i < G.n; i++)
            X[i * (G.n + 1)] += sign < 0 && is_compact() ? 0.7 : 0; /* vee drops what is outside */
        lie_matgroup_vee(G.M, y, X);
        expect("vee hat = 1", error_eps(G.dim, y, x), 2 * G.is->slack);
    }
}

/* group and algebra */

void test_matgroup_group_axioms(void)
{
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        int nn = G.n * G.n;
        double a[NNMAX], b[NNMAX], c[NNMAX], u[NNMAX], v[NNMAX], e[NNMAX], p[NMAX], q[NMAX], r[NMAX];
        random_element(a);
        random_element(b);
        random_element(c);
        lie_matgroup_identity(G.M, e);
        lie_matgroup_mul(G.M, u, a, b);
        product(v, a, b);
        expect("a b", error_eps(nn, u, v), 4);
        expect("a b in the group", defect_eps(u), 8 * G.is->slack);
        lie_matgroup_mul(G.M, u, u, c);
        lie_matgroup_mul(G.M, v, b, c);
        lie_matgroup_mul(G.M, v, a, v);
        expect("(a b) c = a (b c)", error_eps(nn, u, v), 8 * G.is->slack);
        lie_matgroup_mul(G.M, u, e, a);
        TEST_ASSERT_EQUAL_DOUBLE_ARRAY(a, u, nn);
        lie_matgroup_inv(G.M, v, a);
        lie_matgroup_mul(G.M, u, a, v);
        expect("a a^-1 = e", error_eps(nn, u, e), 8 * G.is->slack);
        random_vector(&G.rng, G.n, p, 1);
        lie_matgroup_act(G.M, q, b, p);
        lie_matgroup_act(G.M, q, a, q);
        lie_matgroup_mul(G.M, u, a, b);
        lie_matgroup_act(G.M, r, u, p);
        expect("(a b) p = a (b p)", error_eps(G.n, q, r), 8 * G.is->slack);
    }
}

void test_matgroup_Ad_and_ad_are_conjugation_and_bracket(void)
{
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        int nn = G.n * G.n;
        double x[DMAX], y[DMAX], r[DMAX], g[NNMAX], X[NNMAX], Y[NNMAX], U[NNMAX], V[NNMAX], inverse[NNMAX];
        random_algebra(x, 1);
        random_algebra(y, 1);
        random_element(g);
        lie_matgroup_hat(G.M, X, x);
        lie_matgroup_hat(G.M, Y, y);
        lie_matgroup_inv(G.M, inverse, g);
        product(U, g, X);
        product(V, U, inverse);
        lie_matgroup_Ad(G.M, r, g, x);
        lie_matgroup_hat(G.M, U, r);
        expect("Ad", error_eps(nn, U, V), 10 * G.is->slack);
        product(U, X, Y);
        product(V, Y, X);
        for (int i = 0; i < nn; i++) V[i] = U[i] - V[i];
        lie_matgroup_ad(G.M, r, x, y);
        lie_matgroup_hat(G.M, U, r);
        if (G.dim > 1) expect("ad", error_eps(nn, U, V), 10 * G.is->slack);
    }
}

void test_matgroup_duals_are_transposes(void)
{
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        double x[DMAX], y[DMAX], m[DMAX], a[DMAX], b[DMAX], g[NNMAX];
        random_algebra(x, 1);
        random_algebra(y, 1);
        random_vector(&G.rng, G.dim, m, 1);
        random_element(g);
        double scale = norm2(G.dim, m) * norm2(G.dim, x) * fmax(1, norm2(G.dim, y)) * DBL_EPSILON;
        lie_matgroup_Ad(G.M, a, g, x);
        lie_matgroup_Adt(G.M, b, g, m);
        expect("<Adt m, x> = <m, Ad x>", fabs(dot(G.dim, m, a) - dot(G.dim, b, x)) / scale, 4 * G.is->slack);
        lie_matgroup_ad(G.M, a, y, x);
        lie_matgroup_adt(G.M, b, y, m);
        expect("<adt m, x> = <m, ad x>", fabs(dot(G.dim, m, a) - dot(G.dim, b, x)) / scale, 4 * G.is->slack);
    }
}

/* SO(3) against so3.h */

static void to_so3(double *w, const double *x)
{
    w[0] = x[2];
    w[1] = -x[1];
    w[2] = x[0];
}

static void from_so3(double *x, const double *w)
{
    x[0] = w[2];
    x[1] = -w[1];
    x[2] = w[0];
}

/* The matrix Q A Q^T of a linear map in the coordinates of so3.h. */
static void matrix_to_so3(double *out, const double *A)
{
    static const int index[3] = {2, 1, 0};
    static const double sign[3] = {1, -1, 1};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = sign[i] * sign[j] * A[3 * index[i] + index[j]];
}

static void check_against_so3(const double *w, const double *v)
{
    double x[3], y[3], r[3], s[3], g[9], R[9], A[9], B[9];
    from_so3(x, w);
    from_so3(y, v);
    ok(lie_matgroup_exp(G.M, g, x));
    lie_so3_exp(R, w);
    expect("exp", error_eps(9, g, R), 6);
    lie_matgroup_Ad(G.M, r, R, y);
    to_so3(r, (double[]){r[0], r[1], r[2]});
    lie_so3_Ad(s, R, v);
    expect("Ad", error_eps(3, r, s), 10);
    ok(lie_matgroup_dexp(G.M, r, x, y));
    to_so3(r, (double[]){r[0], r[1], r[2]});
    lie_so3_dexp(s, w, v);
    expect("dexp", error_eps(3, r, s), 6);
    ok(lie_matgroup_dexpinv(G.M, r, x, y));
    to_so3(r, (double[]){r[0], r[1], r[2]});
    ok(lie_so3_dexpinv(s, w, v));
    expect("dexpinv", error_eps(3, r, s), 10);
    ok(lie_matgroup_dexp_body_deriv(G.M, A, x, y));
    matrix_to_so3(B, A);
    lie_so3_dexp_body_deriv(A, w, v);
    expect("dexp_body_deriv", error_eps(9, B, A), 10);
    ok(lie_matgroup_cay(G.M, g, x));
    lie_so3_cay(R, w);
    expect("cay", error_eps(9, g, R), 6);
    ok(lie_matgroup_dcayinv_matrix(G.M, A, x));
    matrix_to_so3(B, A);
    lie_so3_dcayinv_matrix(A, w);
    expect("dcayinv", error_eps(9, B, A), 6);
    ok(lie_matgroup_dcay_body_deriv(G.M, A, x, y));
    matrix_to_so3(B, A);
    lie_so3_dcay_body_deriv(A, w, v);
    expect("dcay_body_deriv", error_eps(9, B, A), 10);
}

void test_matgroup_so3_agrees_with_the_closed_forms(void)
{
    static const double sizes[] = {1e-300, 1e-8, 0.0291, 0.31, 0.97, 2.9, 3.14159};
    open_group(SO3_CASE);
    for (int s = 0; s < 7; s++)
        for (int t = 0; t < POINTS; t++) {
            double w[3], v[3];
            random_algebra(w, sizes[s]);
            random_algebra(v, 1.2);
            check_against_so3(w, v);
        }
}

/* projection */

void test_matgroup_project_returns_to_the_group(void)
{
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        double g[NNMAX], noise[NNMAX], out[NNMAX], again[NNMAX];
        int nn = G.n * G.n;
        random_element(g);
        random_vector(&G.rng, nn, noise, 1e-4);
        for (int i = 0; i < nn; i++) noise[i] += g[i];
        ok(lie_matgroup_project(G.M, out, noise));
        expect("projected", defect_eps(out), 8 * G.is->slack);
        expect("projected is near", error_eps(nn, out, g), 3e-4 * G.n / DBL_EPSILON);
        ok(lie_matgroup_project(G.M, again, out));
        expect("twice is once", error_eps(nn, again, out), 8 * G.is->slack);
    }
}

/* For J = 1 it is the orthogonal polar factor Q of any matrix with det > 0: Q^T A is symmetric and positive. */
void test_matgroup_project_gives_the_nearest_rotation(void)
{
    for (int k = 0; k <= 4; k++) {
        open_group(k);
        for (int t = 0; t < 10; t++) {
            double A[NNMAX], Q[NNMAX], Qt[NNMAX], S[NNMAX], St[NNMAX], p[NMAX], Sp[NMAX];
            random_vector(&G.rng, G.n * G.n, A, 40);
            for (int i = 0; i < G.n; i++) A[i * (G.n + 1)] += 45;
            if (lie_matgroup_project(G.M, Q, A) != LIE_OK) continue; /* det < 0 */
            transpose(Qt, Q);
            product(S, Qt, A);
            transpose(St, S);
            expect("orthogonal", defect_eps(Q), 8);
            expect("Q^T A symmetric", error_eps(G.n * G.n, S, St), 12);
            random_vector(&G.rng, G.n, p, 1);
            for (int i = 0; i < G.n; i++) Sp[i] = dot(G.n, S + i * G.n, p);
            TEST_ASSERT_TRUE_MESSAGE(dot(G.n, p, Sp) > 0, "Q^T A positive");
        }
    }
}

void test_matgroup_project_ignores_the_scale(void)
{
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        double g[NNMAX], scaled[NNMAX], out[NNMAX];
        random_element(g);
        for (double scale = 1e-60; scale < 1e61; scale *= 1e20) {
            for (int i = 0; i < G.n * G.n; i++) scaled[i] = scale * g[i];
            ok(lie_matgroup_project(G.M, out, scaled));
            expect("project(c g) = g", error_eps(G.n * G.n, out, g), 12 * G.is->slack);
        }
    }
}

void test_matgroup_project_statuses(void)
{
    double out[16] = {2.385};
    const double singular[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1};
    const double mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    const double swap[16] = {0, 0,   2, 0.3, 0,   0, -0.2, 5,
                             3, 0.1, 0, 0,   0.4, 7, 0,    0}; /* g^* g has negative eigenvalues */
    lie_matgroup *M;
    open_group(SO3_CASE);
    expect_status(LIE_ERR_SINGULAR, lie_matgroup_project(G.M, out, singular));
    expect_status(LIE_ERR_SINGULAR, lie_matgroup_project(G.M, out, mirror));
    open_group(SO31_CASE);
    ok(lie_matgroup_init_sopq(&M, 2, 2, G.memory, lie_matgroup_memsize(4)));
    expect_status(LIE_ERR_NO_CONVERGENCE, lie_matgroup_project(M, out, swap));
    TEST_ASSERT_EQUAL_DOUBLE(2.385, out[0]);
}

/* where maps end */

void test_matgroup_inverse_retractions_want_an_element(void)
{
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        double x[DMAX] = {2.385}, y[DMAX], g[NNMAX], scaled[NNMAX];
        random_element(g);
        for (int i = 0; i < G.n * G.n; i++) scaled[i] = g[i] * (1 + 1e-5);
        g[0] += 1e-9; /* what a file with nine digits does to an element is forgiven */
        for (int r = 0; r < RETRACTIONS; r++) {
            expect_status(LIE_ERR_NOT_IN_GROUP, retractions[r].tauinv(G.M, x, scaled));
            ok(retractions[r].tauinv(G.M, y, g));
        }
        TEST_ASSERT_EQUAL_DOUBLE(2.385, x[0]);
    }
}

void test_matgroup_reflections_are_not_in_the_group(void)
{
    for (int k = 0; k < GROUPS; k++) {
        open_group(k);
        if (G.is->kind != SO && G.is->kind != SOPQ) continue;
        double x[DMAX], g[NNMAX];
        random_element(g);
        for (int i = 0; i < G.n; i++) g[i] = -g[i]; /* the first row: a reflection after g */
        expect_status(LIE_ERR_NOT_IN_GROUP, lie_matgroup_log(G.M, x, g));
        expect_status(LIE_ERR_NOT_IN_GROUP, lie_matgroup_caylog(G.M, x, g));
        expect_status(LIE_ERR_NOT_IN_GROUP, lie_matgroup_skewlog(G.M, x, g));
        expect_status(LIE_ERR_SINGULAR, lie_matgroup_project(G.M, g, g));
    }
}

void test_matgroup_domains_of_noncompact_groups(void)
{
    const double minus[4] = {-2, 0, 0, -0.5}; /* in Sp(2), in no one-parameter subgroup */
    const double two[3] = {0, -2, 0};         /* x = diag(2, -2) */
    const double far[3] = {0, -800, 0}, v[3] = {0.3, 0.1, 0.7};
    double out[9] = {2.385}, g[4], x[3];
    open_group(SP2_CASE);
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_log(G.M, out, minus));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_cay(G.M, out, two));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dcay(G.M, out, two, v));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dcayt(G.M, out, two, v));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dcay_matrix(G.M, out, two));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dcay_body_deriv(G.M, out, two, v));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_exp(G.M, out, far)); /* e^800 is no double */
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dexp(G.M, out, far, v));
    TEST_ASSERT_EQUAL_DOUBLE(2.385, out[0]);
    ok(lie_matgroup_exp(G.M, g, (double[]){0, -15, 0}));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_log(G.M, out, g)); /* beyond LIE_MATGROUP_LOG_MAX */
    ok(lie_matgroup_cay(G.M, g, (double[]){0, -3, 0}));           /* beyond the pole: diag(-5, -1/5) */
    ok(lie_matgroup_caylog(G.M, x, g));
    expect("caylog beyond the pole", error_eps(3, x, (double[]){0, -3, 0}), 4);
}

void test_matgroup_domains_of_rotations(void)
{
    const double whole[3] = {2 * 3.14159265358979324 * 0.6, 0, 2 * 3.14159265358979324 * 0.8};
    const double far[3] = {1e9, 0, 0}, v[3] = {0.3, 0.1, 0.7};
    double out[9] = {2.385};
    open_group(SO3_CASE);
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dexpinv(G.M, out, whole, v));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dexpinvt(G.M, out, whole, v));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dexpinv_matrix(G.M, out, whole));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_exp(G.M, out, far));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dexp(G.M, out, far, v));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dexpt(G.M, out, far, v));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dexpinv(G.M, out, far, v));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dexp_matrix(G.M, out, far));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_dexp_body_deriv(G.M, out, far, v));
    expect_status(LIE_ERR_DOMAIN, lie_matgroup_cay(G.M, out, (double[]){1e17, 0, 0}));
    TEST_ASSERT_EQUAL_DOUBLE(2.385, out[0]);
}
