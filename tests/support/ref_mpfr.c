/* SPDX-License-Identifier: MIT */
/* ref_mpfr.c: pool, vectors and matrices in MPFR.
 *
 * Plain textbook algorithms: at several hundred bits a lost digit does not matter. Gauss-Jordan elimination with
 * partial pivoting; exp by scaling, power series and squaring (Moler & Van Loan 2003, method 3); polar factor by
 * Newton's iteration X <- (X + X^-T)/2 (Higham 1986). */
#include "tests/support/ref_mpfr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define POOL_MAX 8192

static __mpfr_struct pool[POOL_MAX];
static int pool_ready; /* numbers that have memory */
static int pool_used;
static mpfr_prec_t precision = REF_PREC;

void ref_set_prec(mpfr_prec_t bits)
{
    precision = bits;
}

mpfr_prec_t ref_prec(void)
{
    return precision;
}

int ref_mark(void)
{
    return pool_used;
}

void ref_release(int mark)
{
    pool_used = mark;
}

void ref_end(void)
{
    for (int i = 0; i < pool_ready; i++) {
        mpfr_clear(&pool[i]);
    }
    pool_ready = 0;
    pool_used = 0;
    mpfr_free_cache();
}

mpfr_ptr ref_new(int n)
{
    mpfr_ptr first = pool + pool_used;
    if (pool_used + n > POOL_MAX) {
        fputs("ref_mpfr: the pool is too small\n", stderr);
        exit(2);
    }
    for (int i = pool_used; i < pool_used + n; i++) {
        if (i >= pool_ready) {
            mpfr_init2(&pool[i], precision);
            pool_ready = i + 1;
        } else if (mpfr_get_prec(&pool[i]) != precision) {
            mpfr_set_prec(&pool[i], precision);
        }
        mpfr_set_zero(&pool[i], 1);
    }
    pool_used += n;
    return first;
}

ref_mat ref_mat_new(int rows, int cols)
{
    ref_mat m = {rows, cols, ref_new(rows * cols)};
    return m;
}

mpfr_ptr ref_from_double(const double *x, int n)
{
    mpfr_ptr v = ref_new(n);
    for (int i = 0; i < n; i++) {
        mpfr_set_d(v + i, x[i], MPFR_RNDN);
    }
    return v;
}

void ref_copy(mpfr_ptr out, mpfr_srcptr x, int n)
{
    for (int i = 0; i < n; i++) {
        mpfr_set(out + i, x + i, MPFR_RNDN);
    }
}

void ref_norm(mpfr_ptr out, mpfr_srcptr x, int n)
{
    int mark = ref_mark();
    mpfr_ptr sum = ref_new(2);
    for (int i = 0; i < n; i++) {
        mpfr_sqr(sum + 1, x + i, MPFR_RNDN);
        mpfr_add(sum, sum, sum + 1, MPFR_RNDN);
    }
    mpfr_sqrt(out, sum, MPFR_RNDN);
    ref_release(mark);
}

void ref_scale(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr factor, int n)
{
    for (int i = 0; i < n; i++) {
        mpfr_mul(out + i, x + i, factor, MPFR_RNDN);
    }
}

void ref_axpy(mpfr_ptr out, mpfr_srcptr factor, mpfr_srcptr x, mpfr_srcptr y, int n)
{
    for (int i = 0; i < n; i++) {
        mpfr_fma(out + i, factor, x + i, y + i, MPFR_RNDN);
    }
}

mpfr_ptr ref_at(ref_mat m, int row, int col)
{
    return m.a + row * m.cols + col;
}

void ref_identity(ref_mat out)
{
    for (int i = 0; i < out.rows * out.cols; i++) {
        mpfr_set_si(out.a + i, i % (out.cols + 1) == 0, MPFR_RNDN);
    }
}

void ref_add_scaled(ref_mat out, ref_mat a, ref_mat b, double factor)
{
    int mark = ref_mark();
    mpfr_ptr t = ref_new(1);
    for (int i = 0; i < a.rows * a.cols; i++) {
        mpfr_mul_d(t, b.a + i, factor, MPFR_RNDN);
        mpfr_add(out.a + i, a.a + i, t, MPFR_RNDN);
    }
    ref_release(mark);
}

void ref_mul(ref_mat out, ref_mat a, ref_mat b)
{
    int mark = ref_mark();
    ref_mat c = ref_mat_new(a.rows, b.cols);
    mpfr_ptr t = ref_new(1);
    for (int i = 0; i < a.rows; i++) {
        for (int k = 0; k < a.cols; k++) {
            for (int j = 0; j < b.cols && !mpfr_zero_p(ref_at(a, i, k)); j++) {
                mpfr_mul(t, ref_at(a, i, k), ref_at(b, k, j), MPFR_RNDN);
                mpfr_add(ref_at(c, i, j), ref_at(c, i, j), t, MPFR_RNDN);
            }
        }
    }
    ref_copy(out.a, c.a, c.rows * c.cols);
    ref_release(mark);
}

void ref_transpose(ref_mat out, ref_mat a)
{
    int mark = ref_mark();
    ref_mat c = ref_mat_new(a.cols, a.rows);
    for (int i = 0; i < a.rows; i++) {
        for (int j = 0; j < a.cols; j++) {
            mpfr_set(ref_at(c, j, i), ref_at(a, i, j), MPFR_RNDN);
        }
    }
    ref_copy(out.a, c.a, c.rows * c.cols);
    ref_release(mark);
}

static void row_add(ref_mat m, int to, mpfr_srcptr factor, int from)
{
    ref_axpy(ref_at(m, to, 0), factor, ref_at(m, from, 0), ref_at(m, to, 0), m.cols);
}

static void row_swap(ref_mat m, int i, int j)
{
    for (int c = 0; c < m.cols; c++) {
        mpfr_swap(ref_at(m, i, c), ref_at(m, j, c));
    }
}

static int pivot_row(ref_mat m, int col)
{
    int best = col;
    for (int i = col + 1; i < m.rows; i++) {
        if (mpfr_cmpabs(ref_at(m, i, col), ref_at(m, best, col)) > 0) {
            best = i;
        }
    }
    return best;
}

void ref_solve(ref_mat out, ref_mat a, ref_mat b)
{
    int mark = ref_mark();
    ref_mat m = ref_mat_new(a.rows, a.cols + b.cols); /* [a | b] */
    mpfr_ptr t = ref_new(1);
    for (int i = 0; i < a.rows; i++) {
        ref_copy(ref_at(m, i, 0), ref_at(a, i, 0), a.cols);
        ref_copy(ref_at(m, i, a.cols), ref_at(b, i, 0), b.cols);
    }
    for (int k = 0; k < a.cols; k++) {
        row_swap(m, k, pivot_row(m, k));
        mpfr_ui_div(t, 1, ref_at(m, k, k), MPFR_RNDN);
        ref_scale(ref_at(m, k, 0), ref_at(m, k, 0), t, m.cols);
        for (int i = 0; i < m.rows; i++) {
            if (i != k && !mpfr_zero_p(ref_at(m, i, k))) {
                mpfr_neg(t, ref_at(m, i, k), MPFR_RNDN);
                row_add(m, i, t, k);
            }
        }
    }
    for (int i = 0; i < a.rows; i++) {
        ref_copy(ref_at(out, i, 0), ref_at(m, i, a.cols), b.cols);
    }
    ref_release(mark);
}

void ref_inverse(ref_mat out, ref_mat a)
{
    int mark = ref_mark();
    ref_mat one = ref_mat_new(a.rows, a.cols);
    ref_identity(one);
    ref_solve(out, a, one);
    ref_release(mark);
}

/* The largest binary exponent of the entries; very negative for a zero matrix. */
static long exponent_max(ref_mat a)
{
    long e = -1000000;
    for (int i = 0; i < a.rows * a.cols; i++) {
        if (mpfr_regular_p(a.a + i) && mpfr_get_exp(a.a + i) > e) {
            e = mpfr_get_exp(a.a + i);
        }
    }
    return e;
}

/* Halvings that bring x below 2^-16, judged by x^4: a large translation beside a small turn needs few. */
static long halvings(ref_mat x)
{
    int mark = ref_mark();
    ref_mat p = ref_mat_new(x.rows, x.cols);
    ref_mul(p, x, x);
    ref_mul(p, p, p);
    long k = 18 + (exponent_max(p) + 3) / 4;
    ref_release(mark);
    return k > 0 ? k : 0;
}

void ref_expm(ref_mat out, ref_mat x)
{
    int mark = ref_mark();
    long k = halvings(x);
    ref_mat y = ref_mat_new(x.rows, x.cols);
    ref_mat term = ref_mat_new(x.rows, x.cols);
    ref_mat sum = ref_mat_new(x.rows, x.cols);
    for (int i = 0; i < x.rows * x.cols; i++) {
        mpfr_mul_2si(y.a + i, x.a + i, -k, MPFR_RNDN);
    }
    ref_identity(term);
    ref_identity(sum);
    for (unsigned long j = 1; exponent_max(term) > -(long)precision - 64; j++) {
        ref_mul(term, term, y);
        for (int i = 0; i < x.rows * x.cols; i++) {
            mpfr_div_ui(term.a + i, term.a + i, j, MPFR_RNDN);
        }
        ref_add_scaled(sum, sum, term, 1.0);
    }
    for (long j = 0; j < k; j++) {
        ref_mul(sum, sum, sum);
    }
    ref_copy(out.a, sum.a, x.rows * x.cols);
    ref_release(mark);
}

void ref_polar(ref_mat out, ref_mat a)
{
    int mark = ref_mark();
    ref_mat x = ref_mat_new(a.rows, a.cols);
    ref_mat y = ref_mat_new(a.rows, a.cols);
    ref_copy(x.a, a.a, a.rows * a.cols);
    long change = 0;
    for (int it = 0; it < 200 && change > -(long)precision / 2 - 8; it++) {
        ref_inverse(y, x);
        ref_transpose(y, y);
        ref_add_scaled(y, y, x, -1.0);
        change = exponent_max(y);
        ref_add_scaled(x, x, y, 0.5);
    }
    ref_copy(out.a, x.a, a.rows * a.cols);
    ref_release(mark);
}

/* Largest singular value of the m x n matrix b (m, n <= 6) by the power method on b^T b. */
static double power_method(const double *b, int m, int n)
{
    double v[REF_DIM_MAX];
    double sigma = 0.0;
    for (int j = 0; j < n; j++) {
        v[j] = 1.0 + 0.1 * j;
    }
    for (int it = 0; it < 100; it++) {
        double u[REF_DIM_MAX] = {0.0};
        double vv = 0.0;
        double uu = 0.0;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                u[i] += b[i * n + j] * v[j];
            }
            uu += u[i] * u[i];
        }
        for (int j = 0; j < n; j++) {
            vv += v[j] * v[j];
        }
        sigma = vv > 0.0 ? sqrt(uu / vv) : 0.0;
        for (int j = 0; j < n; j++) {
            v[j] = 0.0;
            for (int i = 0; i < m; i++) {
                v[j] += b[i * n + j] * u[i] / sqrt(uu > 0.0 ? uu : 1.0);
            }
        }
    }
    return sigma;
}

void ref_norm2(mpfr_ptr out, ref_mat a, int row, int col, int rows, int cols)
{
    int mark = ref_mark();
    ref_mat b = ref_mat_new(rows, cols);
    double d[REF_DIM_MAX * REF_DIM_MAX];
    for (int i = 0; i < rows; i++) {
        ref_copy(ref_at(b, i, 0), ref_at(a, row + i, col), cols);
    }
    long e = exponent_max(b);
    for (int i = 0; i < rows * cols; i++) {
        mpfr_mul_2si(b.a + i, b.a + i, -e, MPFR_RNDN);
        d[i] = mpfr_get_d(b.a + i, MPFR_RNDN);
    }
    mpfr_set_d(out, power_method(d, rows, cols), MPFR_RNDN);
    mpfr_mul_2si(out, out, e, MPFR_RNDN);
    ref_release(mark);
}

long ref_disagreement(ref_mat a, ref_mat b)
{
    int mark = ref_mark();
    mpfr_ptr s = ref_new(2);
    ref_mat d = ref_mat_new(a.rows, a.cols);
    ref_add_scaled(d, a, b, -1.0);
    ref_norm(s, d.a, d.rows * d.cols);
    ref_norm(s + 1, b.a, b.rows * b.cols);
    if (!mpfr_zero_p(s)) mpfr_div(s, s, s + 1, MPFR_RNDN);
    long e = mpfr_regular_p(s) ? (long)mpfr_get_exp(s) : mpfr_zero_p(s) ? -(long)precision : 1;
    ref_release(mark);
    return e;
}
