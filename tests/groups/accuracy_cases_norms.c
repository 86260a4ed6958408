/* SPDX-License-Identifier: MIT */
/* accuracy_cases_norms.c: how an error is counted: norm-wise relative, block by block, in eps. */
#include "tests/groups/accuracy_cases.h"

#include <math.h>

/* |out - exact| / denominator, in eps; infinite if out is not finite or the denominator is 0 and out is not exact. */
double acc_block_error(const double *out, mpfr_srcptr exact, int n, mpfr_srcptr denominator)
{
    int mark = ref_mark();
    mpfr_ptr d = ref_new(n);
    mpfr_ptr norm = ref_new(1);
    double error = 0.0;
    for (int i = 0; i < n; i++) mpfr_sub_d(d + i, exact + i, out[i], MPFR_RNDN);
    ref_norm(norm, d, n);
    if (!mpfr_zero_p(norm)) {
        mpfr_div(norm, norm, denominator, MPFR_RNDN);
        error = mpfr_get_d(norm, MPFR_RNDN) / ACC_EPS;
    }
    ref_release(mark);
    return isfinite(error) ? error : (double)INFINITY;
}

/* The same with the denominator kappa |exact|. */
double acc_relative_error(const double *out, mpfr_srcptr exact, int n, double kappa)
{
    int mark = ref_mark();
    mpfr_ptr den = ref_new(1);
    ref_norm(den, exact, n);
    mpfr_mul_d(den, den, kappa, MPFR_RNDN);
    double error = acc_block_error(out, exact, n, den);
    ref_release(mark);
    return error;
}

/* The blocks of an algebra vector: w and the rest. The Cayley map of H mixes scale and turn like any two components of
 * a quaternion: there the blocks are one. */
typedef struct acc_blocks {
    int count, offset[2], length[2];
} acc_blocks;

static acc_blocks blocks_of(const ref_group *G, ref_kind kind)
{
    if (G == &ref_quat && kind == REF_CAY) return (acc_blocks){1, {0, 0}, {G->dim, 0}};
    return (acc_blocks){G->lin_len > 0 ? 2 : 1, {G->rot, G->lin}, {G->rot_len, G->lin_len}};
}

/* out = M v, block by block: the denominator of block b is sum_c |M_bc| |v_c| (spectral norms). */
double acc_applied_error(const double *out, const ref_group *G, ref_kind kind, ref_mat M, const double *v, double kappa)
{
    int mark = ref_mark();
    acc_blocks k = blocks_of(G, kind);
    ref_mat vec = {G->dim, 1, ref_from_double(v, G->dim)};
    ref_mat exact = ref_mat_new(G->dim, 1);
    mpfr_ptr s = ref_new(3);
    double worst = 0.0;
    ref_mul(exact, M, vec);
    for (int b = 0; b < k.count; b++) {
        mpfr_set_zero(s + 2, 1);
        for (int c = 0; c < k.count; c++) {
            ref_norm2(s, M, k.offset[b], k.offset[c], k.length[b], k.length[c]);
            ref_norm(s + 1, vec.a + k.offset[c], k.length[c]);
            mpfr_fma(s + 2, s, s + 1, s + 2, MPFR_RNDN);
        }
        mpfr_mul_d(s + 2, s + 2, kappa, MPFR_RNDN);
        worst = fmax(worst, acc_block_error(out + k.offset[b], exact.a + k.offset[b], k.length[b], s + 2));
    }
    ref_release(mark);
    return worst;
}

/* norm = Frobenius norm of a block of the dim x dim matrix that starts at row `top` of M */
static void block_norm(mpfr_ptr norm, ref_mat M, int top, const int at[2], const int size[2])
{
    int mark = ref_mark();
    mpfr_ptr rows = ref_new(size[0]);
    for (int i = 0; i < size[0]; i++) ref_norm(rows + i, ref_at(M, top + at[0] + i, at[1]), size[1]);
    ref_norm(norm, rows, size[0]);
    ref_release(mark);
}

static double one_block_error(const double *out, ref_mat exact, mpfr_srcptr denominator, const int at[2],
                              const int size[2])
{
    int mark = ref_mark();
    int n = size[0] * size[1];
    double block[REF_DIM_MAX * REF_DIM_MAX];
    mpfr_ptr e = ref_new(n);
    for (int i = 0; i < n; i++) {
        int row = at[0] + i / size[1];
        int col = at[1] + i % size[1];
        block[i] = out[row * exact.cols + col];
        mpfr_set(e + i, ref_at(exact, row, col), MPFR_RNDN);
    }
    double error = acc_block_error(block, e, n, denominator);
    ref_release(mark);
    return error;
}

/* Every block of out by its own denominator. Differences leave noise in a block that is 0: where the denominator is
 * below 2^-200 of the largest, or of `scale`, out must be below that too (it then counts as at most one eps). */
static double blocks_error(const double *out, const acc_blocks *b, ref_mat exact, mpfr_ptr denominator,
                           mpfr_srcptr scale, double kappa)
{
    int mark = ref_mark();
    mpfr_ptr floor = ref_new(1);
    ref_mat zero = ref_mat_new(exact.rows, exact.cols);
    double worst = 0.0;
    mpfr_set(floor, scale, MPFR_RNDN);
    for (int k = 0; k < b->count * b->count; k++) mpfr_max(floor, floor, denominator + k, MPFR_RNDN);
    mpfr_mul_2si(floor, floor, -200, MPFR_RNDN);
    for (int k = 0; k < b->count * b->count; k++) {
        int at[2] = {b->offset[k / b->count], b->offset[k % b->count]};
        int size[2] = {b->length[k / b->count], b->length[k % b->count]};
        int noise = mpfr_cmp(denominator + k, floor) < 0;
        if (noise) mpfr_mul_d(denominator + k, floor, 1.0 / ACC_EPS, MPFR_RNDN);
        mpfr_mul_d(denominator + k, denominator + k, kappa, MPFR_RNDN);
        worst = fmax(worst, one_block_error(out, noise ? zero : exact, denominator + k, at, size));
    }
    ref_release(mark);
    return worst;
}

double acc_matrix_error(const double *out, const ref_group *G, ref_kind kind, ref_mat M, double kappa)
{
    int mark = ref_mark();
    acc_blocks b = blocks_of(G, kind);
    mpfr_ptr denominator = ref_new(4);
    for (int k = 0; k < b.count * b.count; k++) {
        int at[2] = {b.offset[k / b.count], b.offset[k % b.count]};
        int size[2] = {b.length[k / b.count], b.length[k % b.count]};
        block_norm(denominator + k, M, 0, at, size);
    }
    double error = blocks_error(out, &b, M, denominator, denominator, kappa);
    ref_release(mark);
    return error;
}

/* norm = sum over the blocks c of psi of |psi_c| times the largest norm of the block that a unit vector of c gives */
static void deriv_norm(mpfr_ptr norm, const acc_blocks *b, ref_mat M, const double *psi, const int at[2],
                       const int size[2])
{
    int mark = ref_mark();
    mpfr_ptr s = ref_new(2);
    mpfr_ptr size_psi = ref_new(1);
    for (int c = 0; c < b->count; c++) {
        mpfr_set_zero(s, 1);
        for (int k = b->offset[c]; k < b->offset[c] + b->length[c]; k++) {
            block_norm(s + 1, M, k * M.cols, at, size);
            mpfr_max(s, s, s + 1, MPFR_RNDN);
        }
        ref_norm(size_psi, ref_from_double(psi + b->offset[c], b->length[c]), b->length[c]);
        mpfr_fma(norm, s, size_psi, norm, MPFR_RNDN);
    }
    ref_release(mark);
}

double acc_deriv_error(const double *out, const ref_group *G, ref_kind kind, ref_mat M, const double *psi, double kappa)
{
    int mark = ref_mark();
    acc_blocks b = blocks_of(G, kind);
    mpfr_ptr p = ref_from_double(psi, G->dim);
    mpfr_ptr denominator = ref_new(4);
    mpfr_ptr scale = ref_new(1);
    ref_mat exact = ref_mat_new(G->dim, G->dim);
    for (int k = 0; k < G->dim; k++) ref_axpy(exact.a, p + k, ref_at(M, k * G->dim, 0), exact.a, G->dim * G->dim);
    for (int k = 0; k < b.count * b.count; k++) {
        int at[2] = {b.offset[k / b.count], b.offset[k % b.count]};
        int size[2] = {b.length[k / b.count], b.length[k % b.count]};
        deriv_norm(denominator + k, &b, M, psi, at, size);
    }
    ref_norm(scale, p, G->dim);
    double error = blocks_error(out, &b, exact, denominator, scale, kappa);
    ref_release(mark);
    return error;
}
