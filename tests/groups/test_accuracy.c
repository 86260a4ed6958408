/* SPDX-License-Identifier: MIT */
/* The maps of all groups against MPFR: a small fixed-seed sample of what `make accuracy` measures, with its bounds.
 *
 * The reference is held against itself too, because the rest is worth no more than that: the lemmas on retractions
 * (Bou-Rabee & Marsden 2009, Lemmas 4.3 and 4.5; Jimenez 2012, Lemmas 6.6.1 and 6.6.2), textbook closed forms evaluated
 * in MPFR, and its own inverses, all to 2^-300. LIE_ACCURACY_SAMPLES in the environment sets the points per decade. */
#include <liestep/rn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/groups/accuracy_cases.h"
#include "unity.h"

#define SEED 20 /* any; other seeds: `accuracy --seed` */
#define EXACT_BITS (-300)

void setUp(void)
{
    ref_set_prec(REF_PREC);
}

void tearDown(void)
{
    ref_end();
}

/* Sampled bounds. */

static int sample_size(void)
{
    const char *text = getenv("LIE_ACCURACY_SAMPLES");
    int n = text ? (int)strtol(text, NULL, 10) : 0;
    return n > 0 ? n : 4;
}

static void check_rows(const acc_row *rows, int count)
{
    char message[160];
    for (int i = 0; i < count; i++) {
        snprintf(message, sizeof message, "%.60s: %.3g eps in decade %.20s, bound %g, %ld samples", rows[i].name,
                 rows[i].worst_all, acc_decade_name[rows[i].worst_decade], rows[i].bound, rows[i].samples);
        TEST_ASSERT_TRUE_MESSAGE(rows[i].samples > 0, message);
        TEST_ASSERT_TRUE_MESSAGE(acc_within_bound(&rows[i]), message);
    }
}

static void check_group(const ref_group *G)
{
    static acc_row rows[ACC_MAPS];
    acc_config config = {.samples = sample_size(), .seed = SEED};
    int pairs = 0;
    for (int i = 0; i < acc_pair_count; i++) {
        if (acc_pairs[i].G == G) {
            check_rows(rows, acc_measure_pair(rows, &acc_pairs[i], &config));
            pairs++;
        }
    }
    TEST_ASSERT_TRUE(pairs > 0);
}

void test_accuracy_so3_keeps_its_bounds(void)
{
    check_group(&ref_so3);
}

void test_accuracy_s3_keeps_its_bounds(void)
{
    check_group(&ref_s3);
}

void test_accuracy_quat_keeps_its_bounds(void)
{
    check_group(&ref_quat);
}

void test_accuracy_se3_keeps_its_bounds(void)
{
    check_group(&ref_se3);
}

void test_accuracy_se2_keeps_its_bounds(void)
{
    check_group(&ref_se2);
}

void test_accuracy_rn_keeps_its_bounds(void)
{
    check_group(&ref_rn);
}

void test_accuracy_group_operations_keep_their_bounds(void)
{
    static acc_row rows[ACC_OPS];
    acc_config config = {.samples = sample_size(), .seed = SEED};
    for (int i = 0; i < acc_group_count; i++) {
        check_rows(rows, acc_measure_group(rows, &acc_groups[i], &config));
    }
}

/* The run-time description of a group gives the bits of the typed functions. */

static void check_same_bits(const acc_pair *pair, const lie_ops *G, const acc_input *in)
{
    lie_tangent_fn *const tangents[] = {G->dtau, G->dtaut, G->dtauinv, G->dtauinvt, G->dtau_body_deriv};
    static const int maps[] = {ACC_DTAU, ACC_DTAUT, ACC_DTAUINV, ACC_DTAUINVT, ACC_BODY_DERIV};
    double a[REF_DIM_MAX * REF_DIM_MAX] = {0.0};
    double b[REF_DIM_MAX * REF_DIM_MAX] = {0.0};
    for (int k = 0; k < 5; k++) {
        lie_status status = acc_call(&pair->fn[maps[k]], a, in->x, in->v);
        TEST_ASSERT_EQUAL_MESSAGE(status, tangents[k](G, b, in->x, in->v), pair->G->name);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a, b, sizeof a, pair->G->name);
    }
    lie_status status = acc_call(&pair->fn[ACC_TAU], a, in->x, NULL);
    TEST_ASSERT_EQUAL_MESSAGE(status, G->tau(G, b, in->x), pair->G->name);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a, b, sizeof a, pair->G->name);
    if (status != LIE_OK) return;
    double g[REF_SIZE_MAX] = {0.0};
    memcpy(g, a, sizeof g);
    TEST_ASSERT_EQUAL(acc_call(&pair->fn[ACC_TAUINV], a, g, NULL), G->tauinv(G, b, g));
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a, b, sizeof a, pair->G->name);
}

void test_accuracy_ops_are_the_typed_functions(void)
{
    for (int i = 0; i < acc_pair_count; i++) {
        const acc_pair *pair = &acc_pairs[i];
        lie_ops rn;
        const lie_ops *G = &rn;
        lie_status found =
            pair->ops_group ? lie_ops_find(&G, pair->ops_group, pair->tau) : lie_rn_ops(&rn, REF_RN_DIM, pair->tau);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, found, pair->G->name);
        TEST_ASSERT_EQUAL(pair->G->dim, G->dim);
        TEST_ASSERT_EQUAL(pair->G->size, G->size);
        for (int decade = 0; decade < ACC_DECADES; decade++) {
            acc_input in;
            acc_draw(&in, pair->G, pair->kind, pair->radius, pair->limit, decade, SEED, 2);
            check_same_bits(pair, G, &in);
        }
    }
}

/* The measure itself: an error put in on purpose is found at its size. */

void test_accuracy_measure_sees_a_planted_error(void)
{
    double out[3] = {3.0, 4.0 + 8.0 * ACC_EPS, 12.0};
    double exact[3] = {3.0, 4.0, 12.0};
    mpfr_ptr e = ref_from_double(exact, 3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 8.0 / 13.0, acc_relative_error(out, e, 3, 1.0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 4.0 / 13.0, acc_relative_error(out, e, 3, 2.0));
    out[0] = (double)NAN;
    TEST_ASSERT_TRUE(isinf(acc_relative_error(out, e, 3, 1.0)));
}

void test_accuracy_measure_looks_at_each_block(void)
{
    double M[36] = {0.0};
    ref_mat exact = ref_mat_new(6, 6);
    for (int i = 0; i < 6; i++) mpfr_set_d(ref_at(exact, i, i), 1.0, MPFR_RNDN);
    mpfr_set_d(ref_at(exact, 4, 1), 1e-10, MPFR_RNDN); /* a small block beside the identity */
    for (int i = 0; i < 36; i++) M[i] = mpfr_get_d(exact.a + i, MPFR_RNDN);
    double before = acc_matrix_error(M, &ref_se3, REF_EXP, exact, 1.0);
    M[25] *= 1.0 + 16.0 * ACC_EPS;
    TEST_ASSERT_TRUE(before < 1.0);
    TEST_ASSERT_DOUBLE_WITHIN(1.0, 16.0, acc_matrix_error(M, &ref_se3, REF_EXP, exact, 1.0));
    M[3] = 1e-40; /* a block that must be zero */
    TEST_ASSERT_TRUE(acc_matrix_error(M, &ref_se3, REF_EXP, exact, 1.0) > 1e9);
}

/* The reference against itself. */

static void assert_same(ref_mat a, ref_mat b, const char *what)
{
    TEST_ASSERT_TRUE_MESSAGE(ref_disagreement(a, b) < EXACT_BITS, what);
}

/* What a lemma is stated about: x, tau(x) as matrix and coordinates, dtau_x. */
typedef struct place {
    const ref_group *G;
    ref_kind kind;
    const char *name;
    acc_input in;
    mpfr_ptr x, minus, g;
    ref_mat tau, D;
} place;

static void place_at(place *p, const acc_pair *pair, int index)
{
    *p = (place){.G = pair->G, .kind = pair->kind, .name = pair->G->name};
    acc_draw(&p->in, pair->G, pair->kind, pair->radius, pair->limit, ACC_GENERIC, SEED, index);
    p->x = ref_from_double(p->in.x, p->G->dim);
    p->minus = ref_new(p->G->dim);
    for (int i = 0; i < p->G->dim; i++) mpfr_neg(p->minus + i, p->x + i, MPFR_RNDN);
    p->tau = ref_group_mat(p->G);
    p->D = ref_mat_new(p->G->dim, p->G->dim);
    p->g = ref_new(p->G->size);
    ref_tau(p->G, p->kind, p->tau, p->x);
    ref_coords(p->G, p->g, p->tau);
    ref_dtau(p->G, p->kind, p->D, p->x);
}

static void at_every_pair(void (*check)(const place *p))
{
    for (int i = 0; i < acc_pair_count; i++) {
        for (int index = 0; index < 3; index++) {
            int mark = ref_mark();
            place p;
            place_at(&p, &acc_pairs[i], index);
            check(&p);
            ref_release(mark);
        }
    }
}

static ref_mat square(const place *p)
{
    return ref_mat_new(p->G->dim, p->G->dim);
}

/* tau(x) tau(-x) = e, and the coordinates give the matrix back */
static void check_inverse_element(const place *p)
{
    ref_mat a = ref_group_mat(p->G);
    ref_mat one = ref_group_mat(p->G);
    ref_identity(one);
    ref_tau(p->G, p->kind, a, p->minus);
    ref_mul(a, p->tau, a);
    assert_same(a, one, p->name);
    ref_embed(p->G, a, p->g);
    assert_same(a, p->tau, p->name);
}

void test_reference_tau_of_minus_x_is_the_inverse(void)
{
    at_every_pair(check_inverse_element);
}

static void check_tauinv(const place *p)
{
    ref_mat back = ref_mat_new(p->G->dim, 1);
    ref_mat x = {p->G->dim, 1, p->x};
    p->G->project(p->g);
    ref_tauinv(p->G, p->kind, back.a, p->g);
    assert_same(back, x, p->name);
}

void test_reference_tauinv_inverts_tau(void)
{
    at_every_pair(check_tauinv);
}

/* dtau_x = Ad_{tau(x)} dtau_{-x} and dtau_x^-1 = dtau_{-x}^-1 Ad_{tau(-x)} */
static void check_lemma_a3_a4(const place *p)
{
    ref_mat D = square(p);
    ref_mat Ad = square(p);
    ref_mat inverse = square(p);
    ref_dtau(p->G, p->kind, D, p->minus);
    ref_Ad(p->G, Ad, p->g);
    ref_mul(inverse, Ad, D);
    assert_same(inverse, p->D, p->name);
    ref_inverse(D, D);
    ref_inverse(Ad, Ad);
    ref_mul(D, D, Ad);
    ref_inverse(inverse, p->D);
    assert_same(D, inverse, p->name);
}

void test_reference_lemmas_a3_a4(void)
{
    at_every_pair(check_lemma_a3_a4);
}

/* y = x + s d, s = 2^-200 with a sign; and (plus - minus)/2s of what is found on the two sides */
static mpfr_ptr beside(const place *p, mpfr_srcptr x, mpfr_srcptr d, int sign)
{
    mpfr_ptr s = ref_new(1);
    mpfr_ptr y = ref_new(p->G->dim);
    mpfr_set_si_2exp(s, sign, -200, MPFR_RNDN);
    ref_axpy(y, s, d, x, p->G->dim);
    return y;
}

static void divide_difference(ref_mat plus, ref_mat minus)
{
    ref_add_scaled(plus, plus, minus, -1.0);
    for (int i = 0; i < plus.rows * plus.cols; i++) mpfr_mul_2si(plus.a + i, plus.a + i, 199, MPFR_RNDN);
}

/* out = Ad_{tau(x + s d)} */
static void Ad_beside(const place *p, ref_mat out, mpfr_srcptr d, int sign)
{
    int mark = ref_mark();
    mpfr_ptr g = ref_new(p->G->size);
    ref_mat M = ref_group_mat(p->G);
    ref_tau(p->G, p->kind, M, beside(p, p->x, d, sign));
    ref_coords(p->G, g, M);
    ref_Ad(p->G, out, g);
    ref_release(mark);
}

/* d/dx (Ad_{tau(x)}) . d = ad_{dtau_x d} Ad_{tau(x)}: Lemma 6.6.2, and 6.6.1 with g^-1 dg = Ad^-1 dtau_x d */
static void check_lemma_a5_a6(const place *p)
{
    ref_mat d = {p->G->dim, 1, ref_from_double(p->in.v, p->G->dim)};
    ref_mat plus = square(p);
    ref_mat minus = square(p);
    ref_mat ad = square(p);
    ref_mat Ad = square(p);
    if (p->G == &ref_rn) return; /* 0 = 0 */
    Ad_beside(p, plus, d.a, 1);
    Ad_beside(p, minus, d.a, -1);
    divide_difference(plus, minus);
    ref_mul(d, p->D, d);
    ref_ad(p->G, ad, d.a);
    ref_Ad(p->G, Ad, p->g);
    ref_mul(ad, ad, Ad);
    assert_same(plus, ad, p->name);
}

void test_reference_lemmas_a5_a6(void)
{
    at_every_pair(check_lemma_a5_a6);
}

/* W = tau(x), dW = -y W + W z  <=>  dx = dtau_x^-1 (-y + Ad_W z): Jimenez 2012, (5.30), (5.33) */
static void check_variation_a7(const place *p)
{
    ref_mat y = {p->G->dim, 1, ref_from_double(p->in.v, p->G->dim)};
    ref_mat z = {p->G->dim, 1, ref_from_double(p->in.y, p->G->dim)};
    ref_mat d = ref_mat_new(p->G->dim, 1);
    ref_mat Ad = square(p);
    ref_mat plus = ref_group_mat(p->G);
    ref_mat minus = ref_group_mat(p->G);
    ref_mat expected = ref_group_mat(p->G);
    ref_Ad(p->G, Ad, p->g);
    ref_mul(d, Ad, z);
    ref_add_scaled(d, d, y, -1.0);
    ref_solve(d, p->D, d);
    ref_tau(p->G, p->kind, plus, beside(p, p->x, d.a, 1));
    ref_tau(p->G, p->kind, minus, beside(p, p->x, d.a, -1));
    divide_difference(plus, minus);
    ref_hat(p->G, minus, y.a);
    ref_mul(minus, minus, p->tau);
    ref_hat(p->G, expected, z.a);
    ref_mul(expected, p->tau, expected);
    ref_add_scaled(expected, expected, minus, -1.0);
    assert_same(plus, expected, p->name);
}

void test_reference_variation_a7(void)
{
    at_every_pair(check_variation_a7);
}

/* dexp_x = sum_j ad_x^j / (j+1)!, Bou-Rabee & Marsden 2009, (4.22) */
static void check_dexp_series(const place *p)
{
    if (p->kind != REF_EXP) return;
    ref_mat ad = square(p);
    ref_mat term = square(p);
    ref_mat sum = square(p);
    ref_ad(p->G, ad, p->x);
    ref_identity(term);
    ref_identity(sum);
    for (unsigned long j = 1; j < 250; j++) {
        ref_mul(term, term, ad);
        for (int i = 0; i < term.rows * term.cols; i++) mpfr_div_ui(term.a + i, term.a + i, j + 1, MPFR_RNDN);
        ref_add_scaled(sum, sum, term, 1.0);
    }
    assert_same(p->D, sum, p->name);
}

void test_reference_dexp_is_its_series(void)
{
    at_every_pair(check_dexp_series);
}

/* dcay_x^-1 y = (1 - x/2) y (1 + x/2), Bou-Rabee & Marsden 2009, (4.25) */
static void check_dcayinv(const place *p)
{
    if (p->kind != REF_CAY) return;
    ref_mat X = ref_group_mat(p->G);
    ref_mat plus = ref_group_mat(p->G);
    ref_mat minus = ref_group_mat(p->G);
    ref_mat inverse = square(p);
    ref_mat y = {p->G->dim, 1, ref_from_double(p->in.v, p->G->dim)};
    ref_mat z = ref_mat_new(p->G->dim, 1);
    ref_hat(p->G, X, p->x);
    ref_identity(plus);
    ref_add_scaled(minus, plus, X, -0.5);
    ref_add_scaled(plus, plus, X, 0.5);
    ref_hat(p->G, X, y.a);
    ref_mul(X, minus, X);
    ref_mul(X, X, plus);
    ref_vee(p->G, z.a, X);
    ref_inverse(inverse, p->D);
    ref_mul(y, inverse, y);
    assert_same(y, z, p->name);
}

void test_reference_dcayinv_is_its_polynomial(void)
{
    at_every_pair(check_dcayinv);
}

/* d/dx_j (dtau_{-x} psi) against differences of the whole matrix of dtau_{-x}, taken along another vector d:
 * M d = d/ds dtau_{-(x + s d)} psi */
static void check_body_deriv(const place *p)
{
    ref_mat d = {p->G->dim, 1, ref_from_double(p->in.v, p->G->dim)};
    ref_mat psi = {p->G->dim, 1, ref_from_double(p->in.p, p->G->dim)};
    ref_mat all = ref_mat_new(p->G->dim * p->G->dim, p->G->dim);
    ref_mat M = square(p);
    ref_mat plus = square(p);
    ref_mat minus = square(p);
    if (p->G == &ref_rn) return; /* 0 = 0 */
    ref_body_derivs(p->G, p->kind, all, p->x);
    for (int k = 0; k < p->G->dim; k++) {
        ref_axpy(M.a, psi.a + k, ref_at(all, k * p->G->dim, 0), M.a, p->G->dim * p->G->dim);
    }
    ref_mul(M, M, d);
    ref_set_prec(2 * REF_PREC);
    ref_dtau(p->G, p->kind, plus, beside(p, p->minus, d.a, -1));
    ref_dtau(p->G, p->kind, minus, beside(p, p->minus, d.a, 1));
    ref_set_prec(REF_PREC);
    divide_difference(plus, minus);
    ref_mul(psi, plus, psi);
    ref_mat Md = {p->G->dim, 1, M.a};
    TEST_ASSERT_TRUE_MESSAGE(ref_disagreement(Md, psi) < -200, p->name);
}

void test_reference_body_derivative(void)
{
    at_every_pair(check_body_deriv);
}

/* Rodrigues' formula with MPFR's own sine and cosine */
void test_reference_exp_is_rodrigues(void)
{
    double w[3] = {2.385, -0.731, 1.094};
    mpfr_ptr x = ref_from_double(w, 3);
    mpfr_ptr s = ref_new(3); /* t, sin t / t, (1 - cos t)/t^2 */
    ref_mat X = ref_mat_new(3, 3), XX = ref_mat_new(3, 3), R = ref_mat_new(3, 3), E = ref_mat_new(3, 3);
    ref_norm(s, x, 3);
    mpfr_sin_cos(s + 1, s + 2, s, MPFR_RNDN);
    mpfr_div(s + 1, s + 1, s, MPFR_RNDN);
    mpfr_ui_sub(s + 2, 1, s + 2, MPFR_RNDN);
    mpfr_div(s + 2, s + 2, s, MPFR_RNDN);
    mpfr_div(s + 2, s + 2, s, MPFR_RNDN);
    ref_hat(&ref_so3, X, x);
    ref_mul(XX, X, X);
    ref_identity(R);
    ref_axpy(R.a, s + 1, X.a, R.a, 9);
    ref_axpy(R.a, s + 2, XX.a, R.a, 9);
    ref_tau(&ref_so3, REF_EXP, E, x);
    assert_same(E, R, "exp");
}

/* (tau(x) - x)^2 = 1 + x^2 for skew on SO(3) */
void test_reference_skew_is_a_square_root(void)
{
    double w[3] = {0.385, -0.731, 0.294};
    mpfr_ptr x = ref_from_double(w, 3);
    ref_mat X = ref_mat_new(3, 3), S = ref_mat_new(3, 3), one = ref_mat_new(3, 3);
    ref_identity(one);
    ref_hat(&ref_so3, X, x);
    ref_tau(&ref_so3, REF_SKEW, S, x);
    ref_add_scaled(S, S, X, -1.0);
    ref_mul(S, S, S);
    ref_mul(X, X, X);
    ref_add_scaled(X, one, X, 1.0);
    assert_same(S, X, "skew");
}

/* Ad of S3's lifted Cayley map is SO(3)'s Cayley map; Ad of exp(w) is exp(w) */
void test_reference_s3_covers_so3(void)
{
    double w[3] = {2.385, -0.731, 1.094};
    static const ref_kind lift[2] = {REF_EXP, REF_CAY_LIFT};
    static const ref_kind base[2] = {REF_EXP, REF_CAY};
    mpfr_ptr x = ref_from_double(w, 3);
    mpfr_ptr q = ref_new(4);
    ref_mat Q = ref_mat_new(4, 4), R = ref_mat_new(3, 3), S = ref_mat_new(3, 3);
    for (int k = 0; k < 2; k++) {
        ref_tau(&ref_s3, lift[k], Q, x);
        ref_coords(&ref_s3, q, Q);
        ref_Ad(&ref_s3, S, q);
        ref_tau(&ref_so3, base[k], R, x);
        assert_same(S, R, "cover");
    }
}
