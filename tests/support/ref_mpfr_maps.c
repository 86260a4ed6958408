/* SPDX-License-Identifier: MIT */
/* ref_mpfr_maps.c: retractions, their inverses and tangents in MPFR, for any group of ref_mpfr_groups.c.
 *
 * Tangents come from tau alone, by central differences with steps so small that they are exact for our purpose: at
 * p bits and step 2^-(5p/16) the truncation error is 2^-(5p/8) and the rounding error 2^-(11p/16), relative to the
 * derivatives of tau. Second differences use 2^-(p/4): both errors are 2^-(p/2).
 * References for tau: Bou-Rabee & Marsden 2009, (4.24), (4.27); SEEDS A20, A21 for the maps of S3. */
#include "tests/support/ref_mpfr.h"

/* X + (1 + X^2)^(1/2) on SO(3); the root is s 1 + w w^T/(1 + s), s^2 = 1 - |w|^2: its square is 1 + hat(w)^2. */
static void skew_so3(ref_mat g, mpfr_srcptr w)
{
    int mark = ref_mark();
    mpfr_ptr s = ref_new(1);
    mpfr_ptr t = ref_new(1);
    ref_norm(s, w, 3);
    mpfr_sqr(s, s, MPFR_RNDN);
    mpfr_ui_sub(s, 1, s, MPFR_RNDN);
    mpfr_sqrt(s, s, MPFR_RNDN);
    ref_hat(&ref_so3, g, w);
    for (int i = 0; i < 3; i++) {
        mpfr_add(ref_at(g, i, i), ref_at(g, i, i), s, MPFR_RNDN);
    }
    mpfr_add_ui(s, s, 1, MPFR_RNDN);
    for (int i = 0; i < 9; i++) {
        mpfr_mul(t, w + i / 3, w + i % 3, MPFR_RNDN);
        mpfr_div(t, t, s, MPFR_RNDN);
        mpfr_add(g.a + i, g.a + i, t, MPFR_RNDN);
    }
    ref_release(mark);
}

/* (2, w) / |(2, w)| */
static void cay_lift(ref_mat g, mpfr_srcptr w)
{
    int mark = ref_mark();
    mpfr_ptr q = ref_new(4);
    mpfr_set_ui(q, 2, MPFR_RNDN);
    ref_copy(q + 1, w, 3);
    ref_s3.project(q);
    ref_embed(&ref_s3, g, q);
    ref_release(mark);
}

/* (sqrt(1 - |w|^2/4), w/2) */
static void skew_lift(ref_mat g, mpfr_srcptr w)
{
    int mark = ref_mark();
    mpfr_ptr q = ref_new(4);
    for (int i = 0; i < 3; i++) {
        mpfr_div_2ui(q + 1 + i, w + i, 1, MPFR_RNDN);
    }
    ref_norm(q, q + 1, 3);
    mpfr_sqr(q, q, MPFR_RNDN);
    mpfr_ui_sub(q, 1, q, MPFR_RNDN);
    mpfr_sqrt(q, q, MPFR_RNDN);
    ref_embed(&ref_s3, g, q);
    ref_release(mark);
}

/* (1 - X/2)^-1 (1 + X/2) */
static void cay(ref_mat g, ref_mat X)
{
    int mark = ref_mark();
    ref_mat minus = ref_mat_new(X.rows, X.cols);
    ref_mat plus = ref_mat_new(X.rows, X.cols);
    ref_identity(minus);
    ref_add_scaled(plus, minus, X, 0.5);
    ref_add_scaled(minus, minus, X, -0.5);
    ref_solve(g, minus, plus);
    ref_release(mark);
}

void ref_tau(const ref_group *G, ref_kind kind, ref_mat g, mpfr_srcptr x)
{
    int mark = ref_mark();
    ref_mat X = ref_group_mat(G);
    switch (kind) {
    case REF_EXP:
        ref_hat(G, X, x);
        ref_expm(g, X);
        break;
    case REF_CAY:
        ref_hat(G, X, x);
        cay(g, X);
        break;
    case REF_CAY_LIFT:
        cay_lift(g, x);
        break;
    case REF_SKEW:
        skew_so3(g, x);
        break;
    case REF_SKEW_LIFT:
        skew_lift(g, x);
        break;
    }
    ref_release(mark);
}

/* A with translation of exp(w, v) = A v; A is read off exp itself, one column per unit vector. */
static void translation_map(const ref_group *G, ref_mat A, mpfr_srcptr x)
{
    int mark = ref_mark();
    mpfr_ptr y = ref_new(G->dim);
    ref_mat g = ref_group_mat(G);
    for (int j = 0; j < G->lin_len; j++) {
        ref_copy(y, x, G->lin);
        for (int i = 0; i < G->lin_len; i++) {
            mpfr_set_ui(y + G->lin + i, i == j, MPFR_RNDN);
        }
        ref_tau(G, REF_EXP, g, y);
        for (int i = 0; i < G->lin_len; i++) {
            mpfr_set(ref_at(A, i, j), ref_at(g, i, G->order - 1), MPFR_RNDN);
        }
    }
    ref_release(mark);
}

/* x_v = A(x_w)^-1 translation */
static void solve_translation(const ref_group *G, mpfr_ptr x, mpfr_srcptr translation)
{
    int mark = ref_mark();
    ref_mat A = ref_mat_new(G->lin_len, G->lin_len);
    ref_mat b = ref_mat_new(G->lin_len, 1);
    translation_map(G, A, x);
    ref_copy(b.a, translation, G->lin_len);
    ref_solve(b, A, b);
    ref_copy(x + G->lin, b.a, G->lin_len);
    ref_release(mark);
}

static void log_any(const ref_group *G, mpfr_ptr x, mpfr_srcptr g)
{
    if (G == &ref_rn) {
        ref_copy(x, g, G->dim);
        return;
    }
    G->log(x + G->rot, g);
    if (G == &ref_quat) {
        ref_norm(x, g, 4);
        mpfr_log(x, x, MPFR_RNDN);
    } else if (G->lin_len > 0) {
        solve_translation(G, x, g + G->size - G->lin_len);
    }
}

/* vee of 2 (g + 1)^-1 (g - 1) */
static void caylog_any(const ref_group *G, mpfr_ptr x, mpfr_srcptr g)
{
    int mark = ref_mark();
    ref_mat one = ref_group_mat(G);
    ref_mat M = ref_group_mat(G);
    ref_mat P = ref_group_mat(G);
    ref_identity(one);
    ref_embed(G, M, g);
    ref_add_scaled(P, M, one, 1.0);
    ref_add_scaled(M, M, one, -1.0);
    ref_add_scaled(M, M, M, 1.0);
    ref_solve(M, P, M);
    ref_vee(G, x, M);
    ref_release(mark);
}

/* vee of (R - R^T)/2 */
static void skewlog_so3(mpfr_ptr w, mpfr_srcptr g)
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        mpfr_sub(w + i, g + 3 * k + j, g + 3 * j + k, MPFR_RNDN);
        mpfr_div_2ui(w + i, w + i, 1, MPFR_RNDN);
    }
}

void ref_tauinv(const ref_group *G, ref_kind kind, mpfr_ptr x, mpfr_srcptr g)
{
    switch (kind) {
    case REF_EXP:
        log_any(G, x, g);
        break;
    case REF_CAY:
        caylog_any(G, x, g);
        break;
    case REF_SKEW:
        skewlog_so3(x, g);
        break;
    case REF_CAY_LIFT:
    case REF_SKEW_LIFT: /* 2 v/q0, 2 v */
        for (int i = 0; i < 3; i++) {
            mpfr_mul_2ui(x + i, g + 1 + i, 1, MPFR_RNDN);
            if (kind == REF_CAY_LIFT) {
                mpfr_div(x + i, x + i, g, MPFR_RNDN);
            }
        }
        break;
    }
}

static void set_column(ref_mat M, int row, int j, mpfr_srcptr v, int n)
{
    for (int i = 0; i < n; i++) {
        mpfr_set(ref_at(M, row + i, j), v + i, MPFR_RNDN);
    }
}

/* out = tau(x + 2^-bits (sj e_j + sk e_k)) */
static void tau_beside(const ref_group *G, ref_kind kind, ref_mat out, mpfr_srcptr x, long bits, int sj, int j, int sk,
                       int k)
{
    int mark = ref_mark();
    mpfr_ptr y = ref_new(G->dim);
    mpfr_ptr step = ref_new(1);
    ref_copy(y, x, G->dim);
    mpfr_set_si_2exp(step, sj, -bits, MPFR_RNDN);
    mpfr_add(y + j, y + j, step, MPFR_RNDN);
    mpfr_set_si_2exp(step, sk, -bits, MPFR_RNDN);
    mpfr_add(y + k, y + k, step, MPFR_RNDN);
    ref_tau(G, kind, out, y);
    ref_release(mark);
}

static void shift(ref_mat M, long bits)
{
    for (int i = 0; i < M.rows * M.cols; i++) {
        mpfr_mul_2si(M.a + i, M.a + i, bits, MPFR_RNDN);
    }
}

/* out = D tau(x) e_j tau(x)^-1 by one central difference of step 2^-bits; inv = tau(x)^-1 */
static void first_difference(const ref_group *G, ref_kind kind, ref_mat out, mpfr_srcptr x, int j, long bits,
                             ref_mat inv)
{
    int mark = ref_mark();
    ref_mat minus = ref_group_mat(G);
    tau_beside(G, kind, out, x, bits, 1, j, 0, j);
    tau_beside(G, kind, minus, x, bits, -1, j, 0, j);
    ref_add_scaled(out, out, minus, -1.0);
    shift(out, bits - 1);
    ref_mul(out, out, inv);
    ref_release(mark);
}

/* out = D^2 tau(x) (e_j, e_k) tau(x)^-1 */
static void second_difference(const ref_group *G, ref_kind kind, ref_mat out, mpfr_srcptr x, int j, int k, long bits,
                              ref_mat inv)
{
    int mark = ref_mark();
    ref_mat corner = ref_group_mat(G);
    tau_beside(G, kind, out, x, bits, 1, j, 1, k);
    tau_beside(G, kind, corner, x, bits, -1, j, -1, k);
    ref_add_scaled(out, out, corner, 1.0);
    tau_beside(G, kind, corner, x, bits, 1, j, -1, k);
    ref_add_scaled(out, out, corner, -1.0);
    tau_beside(G, kind, corner, x, bits, -1, j, 1, k);
    ref_add_scaled(out, out, corner, -1.0);
    shift(out, 2 * bits - 2);
    ref_mul(out, out, inv);
    ref_release(mark);
}

static ref_mat tau_inverse_at(const ref_group *G, ref_kind kind, mpfr_srcptr x)
{
    ref_mat inv = ref_group_mat(G);
    ref_tau(G, kind, inv, x);
    ref_inverse(inv, inv);
    return inv;
}

void ref_dtau(const ref_group *G, ref_kind kind, ref_mat D, mpfr_srcptr x)
{
    int mark = ref_mark();
    ref_mat inv = tau_inverse_at(G, kind, x);
    ref_mat A = ref_group_mat(G);
    mpfr_ptr e = ref_new(G->dim);
    for (int j = 0; j < G->dim; j++) {
        first_difference(G, kind, A, x, j, (long)ref_prec() * 5 / 16, inv);
        ref_vee(G, e, A);
        set_column(D, 0, j, e, G->dim);
    }
    ref_release(mark);
}

/* With y = -x, A_k = D tau(y) e_k tau(y)^-1 and S_jk = D^2 tau(y)(e_j, e_k) tau(y)^-1:
 * d/dx_j (dtau_{-x} e_k) = vee(A_k A_j - S_jk). */
void ref_body_derivs(const ref_group *G, ref_kind kind, ref_mat M, mpfr_srcptr x)
{
    int mark = ref_mark();
    long bits = (long)ref_prec() / 4;
    mpfr_ptr y = ref_new(G->dim);
    mpfr_ptr e = ref_new(G->dim);
    ref_mat A[REF_DIM_MAX];
    ref_mat S = ref_group_mat(G);
    ref_mat P = ref_group_mat(G);
    for (int i = 0; i < G->dim; i++) mpfr_neg(y + i, x + i, MPFR_RNDN);
    ref_mat inv = tau_inverse_at(G, kind, y);
    for (int j = 0; j < G->dim; j++) {
        A[j] = ref_group_mat(G);
        first_difference(G, kind, A[j], y, j, bits, inv);
    }
    for (int j = 0; j < G->dim; j++) {
        for (int k = 0; k <= j; k++) {
            second_difference(G, kind, S, y, j, k, bits, inv);
            ref_mul(P, A[k], A[j]);
            ref_add_scaled(P, P, S, -1.0);
            ref_vee(G, e, P);
            set_column(M, k * G->dim, j, e, G->dim);
            ref_mul(P, A[j], A[k]);
            ref_add_scaled(P, P, S, -1.0);
            ref_vee(G, e, P);
            set_column(M, j * G->dim, k, e, G->dim);
        }
    }
    ref_release(mark);
}

void ref_log_other(const ref_group *G, mpfr_ptr out, mpfr_srcptr x)
{
    int mark = ref_mark();
    mpfr_ptr t = ref_new(2);
    ref_mat A = ref_mat_new(G->lin_len, G->lin_len);
    ref_mat b = ref_mat_new(G->lin_len, 1);
    if (G->lin_len > 0) {
        translation_map(G, A, x);
        ref_copy(b.a, x + G->lin, G->lin_len);
        ref_mul(b, A, b);
    }
    ref_norm(t, x + G->rot, G->rot_len);
    mpfr_const_pi(t + 1, MPFR_RNDN);
    mpfr_mul_2ui(t + 1, t + 1, 1, MPFR_RNDN);
    mpfr_div(t, t + 1, t, MPFR_RNDN);
    mpfr_ui_sub(t, 1, t, MPFR_RNDN);
    ref_copy(out, x, G->dim);
    ref_scale(out + G->rot, x + G->rot, t, G->rot_len);
    if (G->lin_len > 0) {
        solve_translation(G, out, b.a);
    }
    ref_release(mark);
}
