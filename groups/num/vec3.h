/* SPDX-License-Identifier: MIT */
/* vec3.h: the few operations on 3-vectors and small matrices that the groups are written in, over the numbers of
 * real.h. Internal.
 *
 * Outputs never alias inputs here: callers compute into locals and store at the end. */
#ifndef LIESTEP_GROUPS_VEC3_H
#define LIESTEP_GROUPS_VEC3_H

#include "groups/num/loops.h"

LIE_INLINE lie_real dot3(const lie_real a[3], const lie_real b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

LIE_INLINE void cross3(lie_real out[3], const lie_real a[3], const lie_real b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
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

#endif
