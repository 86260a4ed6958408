/* SPDX-License-Identifier: MIT */
/* The maps of the quadratic matrix groups: exp, log, cay, caylog, their tangents, and the lemmas that tie them
 * together, on every group of matgroup_fixture.h.
 *
 * A3 .. A7 are Bou-Rabee & Marsden 2009, Lemmas 4.3 and 4.5, and Jimenez 2012, Lemmas 6.6.1, 6.6.2 and (5.33). Bounds
 * are in eps times the slack of the group; differences are of fourth order with step 2^-9, good to about 1e-10. exp
 * and dexp are also held against Taylor sums in long double, SO(3) against so3.h. */
#include <liestep/series.h>
#include <liestep/so3.h>

#include "tests/groups/matgroup_fixture.h"

#define DIFFERENCE 1e-10

void tearDown(void)
{
    close_group();
}

static double slack(void)
{
    return G.is->slack;
}

/* Fourth-order central difference of f(t) at t = 0; f fills count numbers. */
typedef void path_fn(void *data, double t, double *out);

static void difference(int count, double *out, path_fn *f, void *data)
{
    const double h = 0x1p-9;
    double a[DMAX * DMAX], b[DMAX * DMAX];
    f(data, h, out);
    f(data, -h, a);
    for (int i = 0; i < count; i++) out[i] = 8 * (out[i] - a[i]);
    f(data, 2 * h, a);
    f(data, -2 * h, b);
    for (int i = 0; i < count; i++) out[i] = (out[i] - (a[i] - b[i])) / (12 * h);
}

/* What the paths below start from and where they go. */
typedef struct path {
    const retraction *r;
    const double *x, *direction, *lambda, *other;
} path;

static void point_on(const path *p, double t, double *x)
{
    for (int i = 0; i < G.dim; i++) x[i] = p->x[i] + t * p->direction[i];
}

/* Not where x is lost in its difference, nor near the end of the domain of skew. */
static int size_is_for_differences(const retraction *r, const double *x)
{
    double X[NNMAX];
    lie_matgroup_hat(G.M, X, x);
    if (r == &retractions[SKEW] && norm2(G.n * G.n, X) > 0.5) return 0;
    return norm2(G.dim, x) == 0 || norm2(G.dim, x) > 1e-3;
}

/* round trips and the group constraint */

static void check_group(const retraction *r, const double *x)
{
    double g[NNMAX], h[NNMAX], gh[NNMAX], e[NNMAX], minus[DMAX];
    ok(r->tau(G.M, g, x));
    expect("g^T J g = J", defect_eps(g), 12 * slack());
    negate(minus, x);
    ok(r->tau(G.M, h, minus));
    lie_matgroup_mul(G.M, gh, g, h);
    lie_matgroup_identity(G.M, e);
    expect("tau(x) tau(-x) = e", error_eps(G.n * G.n, gh, e), 12 * slack());
}

void test_matgroup_tau_stays_on_the_group(void)
{
    for_all_points(check_group);
}

static void check_round_trip(const retraction *r, const double *x)
{
    double g[NNMAX], y[DMAX];
    double size = norm2(G.dim, x);
    ok(r->tau(G.M, g, x));
    ok(r->tauinv(G.M, y, g));
    /* where J x has diagonal entries or J is no diagonal matrix, g - 1 knows x only to eps, not to eps |x| */
    double lost = G.is->kind == SP || G.is->kind == GIVEN ? 1 / fmin(1, size) : 1;
    if (size > 0x1p-52 || lost <= 1)
        expect(r->name, error_eps(G.dim, y, x), 8 * slack() * fmin(lost, 0x1p60));
    else
        expect(r->name, norm2(G.dim, y), 8 * slack() * DBL_EPSILON);
}

void test_matgroup_tauinv_inverts_tau(void)
{
    for_all_points(check_round_trip);
}

/* A rotation by pi - delta in one plane, by 1.3 in another if there is one. */
static void near_half_turn(double *x, double delta)
{
    double g[NNMAX], y[DMAX] = {0};
    y[0] = 3.14159265358979324 - delta;
    if (G.n > 3) y[5] = 1.3;
    random_element(g);
    lie_matgroup_Ad(G.M, x, g, y);
}

void test_matgroup_log_is_accurate_up_to_half_turns(void)
{
    for (int k = SO3_CASE; k <= 4; k++) {
        open_group(k);
        for (double delta = 0.1; delta > 5e-14; delta *= 0.1)
            for (int t = 0; t < POINTS; t++) {
                double x[DMAX], y[DMAX], g[NNMAX];
                near_half_turn(x, delta);
                ok(lie_matgroup_exp(G.M, g, x));
                ok(lie_matgroup_log(G.M, y, g));
                expect("log near a half-turn", error_eps(G.dim, y, x), 8);
            }
    }
}

void test_matgroup_half_turns_have_no_log_and_no_caylog(void)
{
    for (int k = SO3_CASE; k <= 4; k++) {
        open_group(k);
        for (int t = 0; t < POINTS; t++) {
            double x[DMAX], y[DMAX] = {2.385}, g[NNMAX];
            near_half_turn(x, 0);
            ok(lie_matgroup_exp(G.M, g, x));
            expect_status(LIE_ERR_DOMAIN, lie_matgroup_log(G.M, y, g));
            expect_status(LIE_ERR_DOMAIN, lie_matgroup_caylog(G.M, y, g));
            TEST_ASSERT_EQUAL_DOUBLE(2.385, y[0]);
        }
    }
}

void test_matgroup_lorentz_log_near_a_half_turn(void)
{
    open_group(SO31_CASE);
    for (double delta = 0.1; delta > 5e-11; delta *= 0.1) {
        double x[DMAX], y[DMAX], g[NNMAX], h[NNMAX], boost[DMAX] = {0, 0, 0, 0.7, -0.4, 0.2};
        double turn[DMAX] = {(3.14159265358979324 - delta) * 0.6, 0, (3.14159265358979324 - delta) * 0.8, 0, 0, 0};
        ok(lie_matgroup_exp(G.M, h, boost));
        lie_matgroup_Ad(G.M, x, h, turn);
        ok(lie_matgroup_exp(G.M, g, x));
        ok(lie_matgroup_log(G.M, y, g));
        expect("log of a boosted turn", error_eps(G.dim, y, x), 12);
    }
}

/* On groups with boosts the logarithm is as sensitive as |g| |g^-1| says. */
void test_matgroup_log_of_boosts(void)
{
    for (int k = SP2_CASE; k < GROUPS; k++) {
        open_group(k);
        for (double size = 1.5; size < 7; size += 0.5)
            for (int t = 0; t < POINTS; t++) {
                double x[DMAX], y[DMAX], g[NNMAX], inverse[NNMAX], h[NNMAX];
                random_algebra(x, size);
                ok(lie_matgroup_exp(G.M, g, x));
                if (lie_matgroup_log(G.M, y, g) != LIE_OK) continue; /* turned too far for a logarithm */
                lie_matgroup_inv(G.M, inverse, g);
                double condition = norm2(G.n * G.n, g) * norm2(G.n * G.n, inverse);
                ok(lie_matgroup_exp(G.M, h, y));
                expect("exp log", error_eps(G.n * G.n, h, g), 4 * slack() * condition);
            }
    }
}

/* exp and cay against their definitions */

typedef long double real;
enum { WIDE = 2 * NMAX };

static void long_product(int n, real *out, const real *a, const real *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 0;
            for (int k = 0; k < n; k++) out[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

/* E = e^A - 1: a Taylor sum of A/2^8, then E <- 2E + E^2 */
static void long_expm1(int n, real *E, const real *A)
{
    real term[WIDE * WIDE] = {0}, next[WIDE * WIDE], small[WIDE * WIDE];
    for (int i = 0; i < n * n; i++) small[i] = A[i] / 256;
    for (int i = 0; i < n * n; i++) E[i] = 0;
    for (int i = 0; i < n; i++) term[i * (n + 1)] = 1;
    for (int k = 1; k < 20; k++) {
        long_product(n, next, term, small);
        for (int i = 0; i < n * n; i++) term[i] = next[i] / k;
        for (int i = 0; i < n * n; i++) E[i] += term[i];
    }
    for (int s = 0; s < 8; s++) {
        long_product(n, next, E, E);
        for (int i = 0; i < n * n; i++) E[i] = 2 * E[i] + next[i];
    }
}

/* want_g = exp(x), want_v = dexp_x v: [[X, V], [0, X]] has the exponential [[e^X, (dexp_X V) e^X], [0, e^X]]. */
static void long_exp_and_dexp(double *want_g, double *want_v, const double *x, const double *v)
{
    int n = G.n;
    real A[WIDE * WIDE] = {0}, E[WIDE * WIDE], L[NNMAX] = {0}, inverse[NNMAX], left[NNMAX];
    double X[NNMAX], V[NNMAX], D[NNMAX];
    lie_matgroup_hat(G.M, X, x);
    lie_matgroup_hat(G.M, V, v);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * 2 * n + j] = A[(n + i) * 2 * n + n + j] = (real)X[i * n + j];
            A[i * 2 * n + n + j] = (real)V[i * n + j];
        }
    long_expm1(2 * n, E, A);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            want_g[i * n + j] = (double)(E[i * 2 * n + j] + (i == j));
            L[i * n + j] = E[i * 2 * n + n + j];
        }
    for (int i = 0; i < n * n; i++) A[i] = -(real)X[i];
    long_expm1(n, inverse, A);
    for (int i = 0; i < n; i++) inverse[i * (n + 1)] += 1;
    long_product(n, left, L, inverse);
    for (int i = 0; i < n * n; i++) D[i] = (double)left[i];
    lie_matgroup_vee(G.M, want_v, D);
}

static void compare_with_sums(const double *x, double bound)
{
    double v[DMAX], want_g[NNMAX], g[NNMAX], want_v[DMAX], got[DMAX], A[DMAX * DMAX], product_v[DMAX];
    random_algebra(v, 1.31);
    long_exp_and_dexp(want_g, want_v, x, v);
    ok(lie_matgroup_exp(G.M, g, x));
    expect("exp", error_eps(G.n * G.n, g, want_g), bound);
    ok(lie_matgroup_dexp(G.M, got, x, v));
    expect("dexp", error_eps(G.dim, got, want_v), bound);
    ok(lie_matgroup_dexp_matrix(G.M, A, x));
    for (int i = 0; i < G.dim; i++) product_v[i] = dot(G.dim, A + i * G.dim, v);
    expect("dexp_matrix", error_eps(G.dim, product_v, want_v), bound);
}

static void check_exp(const retraction *r, const double *x)
{
    if (r == &retractions[0]) compare_with_sums(x, 8 * slack());
}

void test_matgroup_exp_and_dexp_equal_taylor_sums(void)
{
    for_all_points(check_exp);
}

/* Several turns: the argument is scaled and the result squared back. Round-off grows with the angle. */
void test_matgroup_exp_and_dexp_of_several_turns(void)
{
    static const double sizes[] = {4.4, 5.6, 7.1, 9.3, 14.2, 31};
    for (int k = 0; k <= 4; k++) {
        open_group(k);
        for (int s = 0; s < 6; s++)
            for (int t = 0; t < POINTS; t++) {
                double x[DMAX];
                random_algebra(x, sizes[s]);
                compare_with_sums(x, 8 * sizes[s]);
            }
    }
}

/* (1 - x/2) g = 1 + x/2 and (1 - x/2) (dcay_x v) (1 + x/2) = v */
static void check_cay(const retraction *r, const double *x)
{
    double v[DMAX], d[DMAX], X[NNMAX], V[NNMAX], D[NNMAX], minus[NNMAX], plus[NNMAX], g[NNMAX], left[NNMAX],
        both[NNMAX];
    if (r != &retractions[1]) return;
    random_algebra(v, 1.31);
    lie_matgroup_hat(G.M, X, x);
    lie_matgroup_hat(G.M, V, v);
    for (int i = 0; i < G.n * G.n; i++) {
        plus[i] = (i % (G.n + 1) == 0) + 0.5 * X[i];
        minus[i] = (i % (G.n + 1) == 0) - 0.5 * X[i];
    }
    ok(lie_matgroup_cay(G.M, g, x));
    product(left, minus, g);
    expect("cay", error_eps(G.n * G.n, left, plus), 6 * slack());
    ok(lie_matgroup_dcay(G.M, d, x, v));
    lie_matgroup_hat(G.M, D, d);
    product(left, minus, D);
    product(both, left, plus);
    expect("dcay", error_eps(G.n * G.n, both, V), 8 * slack());
}

void test_matgroup_cay_and_dcay_solve_their_equations(void)
{
    for_all_points(check_cay);
}

/* tangents */

static void tau_along(void *data, double t, double *g)
{
    const path *p = data;
    double x[DMAX];
    point_on(p, t, x);
    ok(p->r->tau(G.M, g, x));
}

/* A2: D tau(x) d = (dtau_x d) tau(x) */
static void check_tangent(const retraction *r, const double *x)
{
    double d[DMAX], g[NNMAX], inverse[NNMAX], Dg[NNMAX], body[NNMAX], want[DMAX], got[DMAX];
    path p = {.r = r, .x = x, .direction = d};
    if (!size_is_for_differences(r, x)) return;
    random_algebra(d, 1);
    difference(G.n * G.n, Dg, tau_along, &p);
    ok(r->tau(G.M, g, x));
    lie_matgroup_inv(G.M, inverse, g);
    product(body, Dg, inverse);
    lie_matgroup_vee(G.M, want, body);
    ok(r->dtau(G.M, got, x, d));
    expect("dtau", error_eps(G.dim, got, want), slack() * DIFFERENCE / DBL_EPSILON);
}

void test_matgroup_dtau_is_the_right_trivialised_tangent(void)
{
    for_all_points(check_tangent);
}

static void check_matrices(const retraction *r, const double *x)
{
    double A[DMAX * DMAX], v[DMAX], want[DMAX], got[DMAX];
    tangent_fn *const plain[] = {r->dtau, r->dtauinv};
    tangent_fn *const dual[] = {r->dtaut, r->dtauinvt};
    map_fn *const matrix[] = {r->dtau_matrix, r->dtauinv_matrix};
    for (int k = 0; k < 2; k++) {
        random_vector(&G.rng, G.dim, v, 1);
        ok(matrix[k](G.M, A, x));
        for (int i = 0; i < G.dim; i++) want[i] = dot(G.dim, A + i * G.dim, v);
        ok(plain[k](G.M, got, x, v));
        expect("matrix times vector", error_eps(G.dim, got, want), 12 * slack());
        for (int i = 0; i < G.dim; i++) want[i] = 0;
        for (int i = 0; i < G.dim * G.dim; i++) want[i % G.dim] += A[i] * v[i / G.dim];
        ok(dual[k](G.M, got, x, v));
        expect("transpose times vector", error_eps(G.dim, got, want), 12 * slack());
    }
    ok(r->dtau(G.M, got, x, v));
    ok(r->dtauinv(G.M, got, x, got));
    expect("dtauinv dtau = 1", error_eps(G.dim, got, v), 12 * slack());
}

void test_matgroup_tangents_agree_with_their_matrices(void)
{
    for_all_points(check_matrices);
}

/* A3: dtau_x = Ad_tau(x) dtau_-x; A4: dtauinv_x = dtauinv_-x Ad_tau(-x); dual: dtauinvt_-x = Adt_tau(x) dtauinvt_x */
static void check_lemmas(const retraction *r, const double *x)
{
    double v[DMAX], minus[DMAX], a[DMAX], b[DMAX], g[NNMAX], inverse[NNMAX];
    random_algebra(v, 1);
    negate(minus, x);
    ok(r->tau(G.M, g, x));
    ok(r->tau(G.M, inverse, minus));
    ok(r->dtau(G.M, a, x, v));
    ok(r->dtau(G.M, b, minus, v));
    lie_matgroup_Ad(G.M, b, g, b);
    expect("A3", error_eps(G.dim, b, a), 12 * slack());
    ok(r->dtauinv(G.M, a, x, v));
    lie_matgroup_Ad(G.M, b, inverse, v);
    ok(r->dtauinv(G.M, b, minus, b));
    expect("A4", error_eps(G.dim, b, a), 12 * slack());
    ok(r->dtauinvt(G.M, a, minus, v));
    ok(r->dtauinvt(G.M, b, x, v));
    lie_matgroup_Adt(G.M, b, g, b);
    expect("A4, dual", error_eps(G.dim, b, a), 12 * slack());
}

void test_matgroup_lemmas_of_the_tangents(void)
{
    for_all_points(check_lemmas);
}

static void Ad_along(void *data, double t, double *out)
{
    const path *p = data;
    double g[NNMAX];
    tau_along(data, t, g);
    lie_matgroup_Ad(G.M, out, g, p->lambda);
}

/* tau^-1(tau(-t other) tau(x) tau(t direction)) */
static void inverse_along(void *data, double t, double *out)
{
    const path *p = data;
    double a[DMAX], b[DMAX], left[NNMAX], g[NNMAX], right[NNMAX];
    for (int i = 0; i < G.dim; i++) a[i] = -t * p->other[i];
    for (int i = 0; i < G.dim; i++) b[i] = t * p->direction[i];
    ok(p->r->tau(G.M, left, a));
    ok(p->r->tau(G.M, g, p->x));
    ok(p->r->tau(G.M, right, b));
    lie_matgroup_mul(G.M, g, left, g);
    lie_matgroup_mul(G.M, g, g, right);
    ok(p->r->tauinv(G.M, out, g));
}

/* A5 and A6: d(Ad_tau(x) l) = -Ad_g [l, g^-1 dg] = -[Ad_tau(x) l, dtau_x d].
 * A7: d tauinv = dtauinv_x(-other + Ad_g d). */
static void check_variations(const retraction *r, const double *x)
{
    double d[DMAX], l[DMAX], o[DMAX], minus[DMAX], a[DMAX], b[DMAX], want[DMAX], g[NNMAX];
    path p = {.r = r, .x = x, .direction = d, .lambda = l, .other = o};
    double bound = slack() * DIFFERENCE / DBL_EPSILON;
    if (!size_is_for_differences(r, x) || G.dim == 1) return; /* on SO(2), Ad is constant */
    random_algebra(d, 0.7);
    random_algebra(l, 1);
    random_algebra(o, 0.6);
    difference(G.dim, want, Ad_along, &p);
    negate(minus, x);
    ok(r->tau(G.M, g, x));
    ok(r->dtau(G.M, a, minus, d)); /* g^-1 dg */
    lie_matgroup_ad(G.M, b, l, a);
    lie_matgroup_Ad(G.M, b, g, b);
    negate(b, b);
    expect("A5", error_eps(G.dim, b, want), bound);
    lie_matgroup_Ad(G.M, a, g, l);
    ok(r->dtau(G.M, b, x, d));
    lie_matgroup_ad(G.M, b, b, a);
    expect("A6", error_eps(G.dim, b, want), bound);
    difference(G.dim, want, inverse_along, &p);
    lie_matgroup_Ad(G.M, a, g, d);
    for (int i = 0; i < G.dim; i++) a[i] -= o[i];
    ok(r->dtauinv(G.M, b, x, a));
    expect("A7", error_eps(G.dim, b, want), bound);
}

void test_matgroup_lemmas_of_the_variations(void)
{
    for_all_points(check_variations);
}

static void body_along(void *data, double t, double *out)
{
    const path *p = data;
    double x[DMAX];
    point_on(p, t, x);
    negate(x, x);
    ok(p->r->dtau(G.M, out, x, p->lambda));
}

static void check_body_deriv(const retraction *r, const double *x)
{
    double psi[DMAX], e[DMAX] = {0}, A[DMAX * DMAX], want[DMAX * DMAX];
    path p = {.r = r, .x = x, .direction = e, .lambda = psi};
    double column[DMAX];
    if (!size_is_for_differences(r, x)) return;
    random_algebra(psi, 1);
    ok(r->body_deriv(G.M, A, x, psi));
    for (int k = 0; k < G.dim; k++) {
        e[k] = 1;
        difference(G.dim, column, body_along, &p);
        e[k] = 0;
        for (int i = 0; i < G.dim; i++) want[i * G.dim + k] = column[i];
    }
    if (G.dim > 1) /* on SO(2) it is zero for exp */
        expect("body_deriv", error_eps(G.dim * G.dim, A, want), slack() * DIFFERENCE / DBL_EPSILON);
}

void test_matgroup_body_deriv_is_the_derivative_of_the_body_tangent(void)
{
    for_all_points(check_body_deriv);
}

/* against the series in ad alone */
static void check_series(const retraction *r, const double *x)
{
    lie_ops ops;
    double v[DMAX], a[DMAX], b[DMAX], A[DMAX * DMAX], B[DMAX * DMAX];
    if (r != &retractions[0]) return;
    ok(lie_matgroup_ops(&ops, G.M, "exp"));
    random_algebra(v, 1);
    ok(ops.dtau(&ops, a, x, v));
    ok(lie_series_dexp(&ops, LIE_SERIES_MAX, b, x, v));
    expect("dexp by series", error_eps(G.dim, b, a), 12 * slack());
    ok(ops.dtau_body_deriv(&ops, A, x, v));
    ok(lie_series_dexp_body_deriv(&ops, LIE_SERIES_MAX, B, x, v));
    expect("body_deriv by series", error_eps(G.dim * G.dim, B, A), 12 * slack());
}

void test_matgroup_dexp_equals_its_series(void)
{
    for_all_points(check_series);
}
