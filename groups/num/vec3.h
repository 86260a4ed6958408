/* SPDX-License-Identifier: MIT */
/* vec3.h: the few operations on 3-vectors and small matrices that the groups are written in, over the numbers of
 * real.h. Internal.
 *
 * Outputs never alias inputs here: callers compute into locals and store at the end. */
#ifndef LIESTEP_GROUPS_VEC3_H
#define LIESTEP_GROUPS_VEC3_H

#include <liestep/status.h>

#include <stdint.h>
#include <string.h>

#include "groups/num/real.h"

/* gcc 12 turns pairs a*b + c, a*b - c into one fused instruction when it vectorises straight-line code for a processor
 * with FMA, -ffp-contract=off or not (vfmaddsub). That changes bits, so it must not there; elsewhere it may. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__FMA__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

/* Small loops over locals are unrolled before anything else, so that the locals live in registers. */
#if defined(__clang__)
#define LIE_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define LIE_UNROLL _Pragma("GCC unroll 64")
#else
#define LIE_UNROLL
#endif

LIE_INLINE lie_real dot3(const lie_real a[3], const lie_real b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* A value as an unevaluated sum hi + lo, |lo| <= ulp(hi)/2: twice the precision where a map needs it. */
typedef struct twofold {
    lie_real hi, lo;
} twofold;

/* a + b = sum + error exactly (Knuth) */
LIE_INLINE twofold sum_exact(lie_real a, lie_real b)
{
    lie_real s = a + b, z = s - a;
    return (twofold){s, (a - (s - z)) + (b - z)};
}

LIE_INLINE void cross3(lie_real out[3], const lie_real a[3], const lie_real b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Is the length of a loop known when this is compiled? Only then it is worth unrolling. */
#if defined(__GNUC__)
#define LIE_IS_FIXED(n) __builtin_constant_p(n)
#else
#define LIE_IS_FIXED(n) 0
#endif

LIE_INLINE void copy_n(int n, lie_real *out, const lie_real *a)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) out[i] = a[i];
    } else {
        memmove(out, a, (size_t)n * sizeof *out);
    }
}

LIE_INLINE void zero_n(int n, lie_real *out)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) out[i] = real_of(0.0);
    } else {
        memset(out, 0, (size_t)n * sizeof *out);
    }
}

/* Velocities that are remembered for the next guess, where that is one of a vector. */
enum { HISTORY = 6 };

/* What follows n <= HISTORY values at equal distances, the latest first, on the polynomial through them: sum over j of
 * (-1)^j n!/((j + 1)! (n - 1 - j)!) v[j], Newton's backward differences */
LIE_INLINE lie_real ahead(int n, const lie_real *v)
{
    static const double weights[HISTORY][HISTORY] = {{1.0},
                                                     {2.0, 1.0},
                                                     {3.0, 3.0, 1.0},
                                                     {4.0, 6.0, 4.0, 1.0},
                                                     {5.0, 10.0, 10.0, 5.0, 1.0},
                                                     {6.0, 15.0, 20.0, 15.0, 6.0, 1.0}};
    lie_real sum[2] = {real_of(0.0), real_of(0.0)};
    LIE_UNROLL
    for (int j = 0; j < n; j++) sum[j % 2] += weights[n - 1][j] * v[j];
    return sum[0] - sum[1];
}

/* What follows a, b, c, d, the latest first, by cubic extrapolation */
LIE_INLINE lie_real cubic_ahead(lie_real a, lie_real b, lie_real c, lie_real d)
{
    return (4.0 * (a + c) - 6.0 * b) - d;
}

/* out = M a, out = M^T a (3x3 row-major) */
LIE_INLINE void mat3_vec(lie_real out[3], const lie_real M[9], const lie_real a[3])
{
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = (M[3 * i] * a[0] + M[3 * i + 1] * a[1]) + M[3 * i + 2] * a[2];
}

LIE_INLINE void mat3_tvec(lie_real out[3], const lie_real M[9], const lie_real a[3])
{
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = (M[i] * a[0] + M[3 + i] * a[1]) + M[6 + i] * a[2];
}

LIE_INLINE void mat3_transpose(lie_real out[9], const lie_real M[9])
{
    LIE_UNROLL
    for (int i = 0; i < 9; i++) out[i] = M[3 * (i % 3) + i / 3];
}

LIE_INLINE void mat3_mul(lie_real out[9], const lie_real A[9], const lie_real B[9])
{
    LIE_UNROLL
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = (A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j]) + A[3 * i + 2] * B[6 + j];
}

/* M v = w x v */
LIE_INLINE void hat3(lie_real M[9], const lie_real w[3])
{
    M[0] = real_of(0.0), M[1] = -w[2], M[2] = w[1];
    M[3] = w[2], M[4] = real_of(0.0), M[5] = -w[0];
    M[6] = -w[1], M[7] = w[0], M[8] = real_of(0.0);
}

/* Copy a 3x3 block into row r, column c of a row-major matrix with `stride` columns. */
LIE_INLINE void put_block3(lie_real *M, int stride, int r, int c, const lie_real B[9])
{
    LIE_UNROLL
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) M[(r + i) * stride + c + j] = B[3 * i + j];
}

/* 1 if all n values are finite. */
LIE_INLINE lie_mask all_finite(int n, const lie_real *a)
{
    lie_real sum = real_of(0.0);
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) sum += zero_if_finite(a[i]);
    } else {
        for (int i = 0; i < n; i++) sum += zero_if_finite(a[i]);
    }
    return sum == 0.0;
}

/* What only plain doubles need */
#ifndef LIE_LANES

/* a with its lower 27 bits cleared: the product of two such numbers is exact */
LIE_INLINE double upper_half(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= ~(uint64_t)0x7ffffff;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* a^2 = hi + lo exactly: with a = h + l, h^2 and 2 h l are exact */
LIE_INLINE twofold square_exact(double a)
{
    double h = upper_half(a), l = a - h, hi = a * a;
    return (twofold){hi, ((h * h - hi) + 2.0 * h * l) + l * l};
}

/* |w|^2 = hi + lo, to about 2^-100 */
LIE_INLINE twofold norm2_exact3(const double w[3])
{
    twofold a = square_exact(w[0]), b = square_exact(w[1]), c = square_exact(w[2]);
    twofold p = sum_exact(a.hi, b.hi), q = sum_exact(p.hi, c.hi);
    twofold lo = sum_exact(p.lo + q.lo, (a.lo + b.lo) + c.lo);
    double hi = q.hi + lo.hi;
    return (twofold){hi, ((q.hi - hi) + lo.hi) + lo.lo};
}

/* Store a result only if it is finite: the one way out of every function that returns a status. */
LIE_INLINE lie_status store(int n, double *out, const double *result)
{
    if (!all_finite(n, result)) return LIE_ERR_NOT_FINITE;
    copy_n(n, out, result);
    return LIE_OK;
}

#endif

#endif
