/* SPDX-License-Identifier: MIT */
/* ref_free_body.c: see ref_free_body.h. */
#include "tests/support/ref_free_body.h"

#include <math.h>

enum { ORDER = 34, SHIFT = 90 };
#define TURN_PER_STEP 0.3 /* rad at most */

ref_motion ref_motion_of(const double inertia[9], const double m[3], double h)
{
    return (ref_motion){ref_from_double(inertia, 9), ref_from_double(m, 3), ref_from_double(&h, 1)};
}

/* out += sign sum_i a[i] b[n - i], series of stride 1 */
static void convolve(mpfr_ptr out, int sign, mpfr_srcptr a, mpfr_srcptr b, int n)
{
    int mark = ref_mark();
    mpfr_ptr t = ref_new(1);
    for (int i = 0; i <= n; i++) {
        mpfr_mul(t, a + i, b + n - i, MPFR_RNDN);
        if (sign > 0)
            mpfr_add(out, out, t, MPFR_RNDN);
        else
            mpfr_sub(out, out, t, MPFR_RNDN);
    }
    ref_release(mark);
}

/* The n-th coefficients of w = I^-1 m. */
static void velocity(mpfr_ptr *w, mpfr_ptr *m, ref_mat inverse, int n)
{
    int mark = ref_mark();
    mpfr_ptr t = ref_new(1);
    for (int i = 0; i < 3; i++) {
        mpfr_set_zero(w[i] + n, 1);
        for (int j = 0; j < 3; j++) {
            mpfr_mul(t, ref_at(inverse, i, j), m[j] + n, MPFR_RNDN);
            mpfr_add(w[i] + n, w[i] + n, t, MPFR_RNDN);
        }
    }
    ref_release(mark);
}

/* The coefficients n + 1 of q and m from those up to n. */
static void extend(mpfr_ptr *q, mpfr_ptr *m, mpfr_ptr *w, int n)
{
    static const int next[3] = {1, 2, 0}, last[3] = {2, 0, 1};
    for (int i = 0; i < 3; i++) {
        int j = next[i], k = last[i];
        mpfr_ptr dm = m[i] + n + 1, dq = q[1 + i] + n + 1;
        convolve(dm, 1, m[j], w[k], n);
        convolve(dm, -1, m[k], w[j], n);
        mpfr_div_ui(dm, dm, (unsigned long)n + 1, MPFR_RNDN);
        convolve(dq, 1, q[0], w[i], n);
        convolve(dq, 1, q[1 + j], w[k], n);
        convolve(dq, -1, q[1 + k], w[j], n);
        mpfr_div_ui(dq, dq, 2 * ((unsigned long)n + 1), MPFR_RNDN);
        convolve(q[0] + n + 1, -1, q[1 + i], w[i], n);
    }
    mpfr_div_ui(q[0] + n + 1, q[0] + n + 1, 2 * ((unsigned long)n + 1), MPFR_RNDN);
}

/* y (q and m) over one step of length h */
static void taylor_step(mpfr_ptr y, ref_mat inverse, mpfr_srcptr h)
{
    int mark = ref_mark();
    mpfr_ptr series[7], w[3];
    for (int i = 0; i < 7; i++) series[i] = ref_new(ORDER + 2), mpfr_set(series[i], y + i, MPFR_RNDN);
    for (int i = 0; i < 3; i++) w[i] = ref_new(ORDER + 2);
    for (int n = 0; n < ORDER; n++) {
        velocity(w, series + 4, inverse, n);
        extend(series, series + 4, w, n);
    }
    for (int i = 0; i < 7; i++) {
        mpfr_set(y + i, series[i] + ORDER, MPFR_RNDN);
        for (int n = ORDER - 1; n >= 0; n--) mpfr_fma(y + i, y + i, h, series[i] + n, MPFR_RNDN);
    }
    ref_release(mark);
}

void ref_free_flow(mpfr_ptr out, const ref_motion *c)
{
    int mark = ref_mark();
    ref_mat A = {3, 3, c->inertia}, inverse = ref_mat_new(3, 3);
    mpfr_ptr y = ref_new(7), size = ref_new(2);
    ref_inverse(inverse, A);
    ref_norm(size, inverse.a, 9);
    ref_norm(size + 1, c->m, 3);
    mpfr_mul(size, size, size + 1, MPFR_RNDN);
    mpfr_mul(size, size, c->h, MPFR_RNDN);
    long steps = (long)(fabs(mpfr_get_d(size, MPFR_RNDN)) / TURN_PER_STEP) + 1;
    mpfr_div_si(size, c->h, steps, MPFR_RNDN);
    mpfr_set_ui(y, 1, MPFR_RNDN);
    ref_copy(y + 4, c->m, 3);
    for (long k = 0; k < steps; k++) taylor_step(y, inverse, size);
    ref_copy(out, y, 7);
    ref_release(mark);
}

/* out = a b, quaternions */
static void product(mpfr_ptr out, mpfr_srcptr a, mpfr_srcptr b)
{
    static const int index[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const int sign[4][4] = {{1, -1, -1, -1}, {1, 1, 1, -1}, {1, -1, 1, 1}, {1, 1, -1, 1}};
    int mark = ref_mark();
    mpfr_ptr r = ref_new(4), t = ref_new(1);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            mpfr_mul(t, a + index[i][k], b + k, MPFR_RNDN);
            mpfr_mul_si(t, t, sign[i][index[i][k]], MPFR_RNDN);
            mpfr_add(r + i, r + i, t, MPFR_RNDN);
        }
    ref_copy(out, r, 4);
    ref_release(mark);
}

/* 4 K/l: l^2, l^2 k^2 = the larger and the smaller of (a1 - a2)(2T - a3 m^2) and (a2 - a3)(a1 m^2 - 2T), a = 1/I in
 * descending order (Landau & Lifshitz, Mechanics, section 37) */
static void period(mpfr_ptr out, const ref_motion *c)
{
    int mark = ref_mark();
    mpfr_ptr a = ref_new(3), e = ref_new(4), f = ref_new(2);
    for (int i = 0; i < 3; i++) mpfr_ui_div(a + i, 1, c->inertia + 4 * i, MPFR_RNDN);
    for (int i = 0; i < 3; i++) {
        mpfr_sqr(e + 2, c->m + i, MPFR_RNDN);
        mpfr_add(e, e, e + 2, MPFR_RNDN);
        mpfr_fma(e + 1, e + 2, a + i, e + 1, MPFR_RNDN);
    }
    if (mpfr_less_p(a, a + 1)) mpfr_swap(a, a + 1);
    if (mpfr_less_p(a + 1, a + 2)) mpfr_swap(a + 1, a + 2);
    if (mpfr_less_p(a, a + 1)) mpfr_swap(a, a + 1);
    for (int i = 0; i < 2; i++) { /* f_i = +-(2T - a_{2 - 2i} m^2) (a_i - a_{i+1}) */
        mpfr_mul(e + 2, e, a + 2 - 2 * i, MPFR_RNDN);
        mpfr_sub(e + 2, e + 1, e + 2, MPFR_RNDN);
        mpfr_sub(e + 3, a + i, a + i + 1, MPFR_RNDN);
        mpfr_mul(f + i, e + 2, e + 3, MPFR_RNDN);
        mpfr_abs(f + i, f + i, MPFR_RNDN);
    }
    if (mpfr_less_p(f, f + 1)) mpfr_swap(f, f + 1);
    mpfr_sub(f + 1, f, f + 1, MPFR_RNDN); /* agm(l, l k'), l k' = sqrt(f0 - f1) */
    mpfr_sqrt(f, f, MPFR_RNDN);
    mpfr_sqrt(f + 1, f + 1, MPFR_RNDN);
    mpfr_agm(f, f, f + 1, MPFR_RNDN);
    mpfr_const_pi(out, MPFR_RNDN);
    mpfr_mul_ui(out, out, 2, MPFR_RNDN);
    mpfr_div(out, out, f, MPFR_RNDN);
    ref_release(mark);
}

void ref_free_flow_long(mpfr_ptr out, const ref_motion *c)
{
    int mark = ref_mark();
    mpfr_ptr time = ref_new(2), turn = ref_new(7), power = ref_new(4), y = ref_new(7);
    period(time, c);
    mpfr_div(time + 1, c->h, time, MPFR_RNDN);
    mpfr_rint(time + 1, time + 1, MPFR_RNDN);
    long periods = mpfr_get_si(time + 1, MPFR_RNDN);
    ref_free_flow(turn, &(ref_motion){c->inertia, c->m, time});
    mpfr_mul(time, time, time + 1, MPFR_RNDN);
    mpfr_sub(time, c->h, time, MPFR_RNDN);
    ref_free_flow(y, &(ref_motion){c->inertia, c->m, time});
    if (periods < 0) {
        periods = -periods;
        for (int i = 1; i < 4; i++) mpfr_neg(turn + i, turn + i, MPFR_RNDN);
    }
    for (mpfr_set_ui(power, 1, MPFR_RNDN); periods > 0; periods /= 2) {
        if (periods % 2) product(power, power, turn);
        product(turn, turn, turn);
    }
    product(out, power, y);
    ref_copy(out + 4, y + 4, 3);
    ref_release(mark);
}

/* |a - b| of n numbers over |b| */
static double relative(mpfr_srcptr a, mpfr_srcptr b, int n)
{
    int mark = ref_mark();
    mpfr_ptr d = ref_new(n), size = ref_new(2);
    for (int i = 0; i < n; i++) mpfr_sub(d + i, a + i, b + i, MPFR_RNDN);
    ref_norm(size, d, n);
    ref_norm(size + 1, b, n);
    if (!mpfr_zero_p(size)) mpfr_div(size, size, size + 1, MPFR_RNDN);
    double result = mpfr_get_d(size, MPFR_RNDN);
    ref_release(mark);
    return result;
}

/* The change that a relative change 2^-SHIFT of `x` and of its mirror image makes, times 2^SHIFT. */
static double weight(const ref_motion *c, mpfr_srcptr y, mpfr_ptr x, mpfr_ptr mirror)
{
    if (mpfr_zero_p(x)) return 0.0;
    int mark = ref_mark();
    mpfr_ptr kept = ref_new(1), other = ref_new(7);
    mpfr_set(kept, x, MPFR_RNDN);
    mpfr_div_2si(x, x, SHIFT, MPFR_RNDN);
    mpfr_add(x, x, kept, MPFR_RNDN);
    mpfr_set(mirror, x, MPFR_RNDN);
    ref_free_flow(other, c);
    mpfr_set(x, kept, MPFR_RNDN);
    mpfr_set(mirror, x, MPFR_RNDN);
    double change = relative(other, y, 4) + relative(other + 4, y + 4, 3);
    ref_release(mark);
    return ldexp(change, SHIFT);
}

double ref_free_condition(const ref_motion *c)
{
    int mark = ref_mark();
    mpfr_ptr y = ref_new(7);
    double sum = 1.0;
    ref_free_flow(y, c);
    sum += weight(c, y, c->h, c->h);
    for (int i = 0; i < 3; i++) sum += weight(c, y, c->m + i, c->m + i);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) sum += weight(c, y, c->inertia + 3 * i + j, c->inertia + 3 * j + i);
    ref_release(mark);
    return sum;
}

double ref_distance(int n, const double *a, mpfr_srcptr b)
{
    int mark = ref_mark();
    mpfr_ptr d = ref_new(n), size = ref_new(1);
    for (int i = 0; i < n; i++) mpfr_sub_d(d + i, b + i, a[i], MPFR_RNDN);
    ref_norm(size, d, n);
    double result = mpfr_get_d(size, MPFR_RNDN);
    ref_release(mark);
    return result;
}
