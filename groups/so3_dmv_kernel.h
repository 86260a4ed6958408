/* SPDX-License-Identifier: MIT */
/* so3_dmv_kernel.h: the kernels of a step of discrete Moser-Veselov, over the numbers of real.h: one trajectory or one in
 * each lane. What they compute stands at the head of so3_dmv.h. Internal. */
#ifndef LIESTEP_GROUPS_SO3_DMV_KERNEL_H
#define LIESTEP_GROUPS_SO3_DMV_KERNEL_H

#include "so3_cay.h"

/* What the steps of one motion have in common. */
typedef struct so3_dmv_motion {
    lie_real S[9], T[9]; /* I - k, adj S + |P|^2 */
    lie_real det;        /* of S */
    lie_real half;       /* P = half m */
    lie_real k, slack;   /* c . P, and by how much it may be missed */
} so3_dmv_motion;

/* The turn from m on. Answers by how much c . P misses k; NaN if something is not finite. */
LIE_INLINE lie_real so3_dmv_turn(half_turn *t, const so3_dmv_motion *M, const lie_real m[3])
{
    lie_real P[3] = {M->half * m[0], M->half * m[1], M->half * m[2]}, s[3], a[3], b[3];
    mat3_vec(s, M->S, P);
    mat3_vec(a, M->T, P);
    cross3(b, s, P);
    lie_real N[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]}, D = M->det + dot3(P, s), u = 1.0 / D;
    lie_real NN = dot3(N, N), DD = D * D;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) t->c[i] = N[i] * u;
    t->beta = NN / (NN + DD);
    return real_abs(dot3(N, P) * u - M->k);
}

LIE_INLINE void s3_dmv_move(const half_turn *t, lie_real *q, lie_real *low_q, lie_real *m, lie_real *low_m)
{
    lie_real dq[4], dm[3], s = dot3(t->c, t->c), sigma = 1.0 + s, alpha = -s / (sigma + real_sqrt(sigma));
    cay_change(dm, t->beta, t->c, m);
    quat_change(dq, alpha, 1.0 + alpha, t->c, q);
    carry_n(3, m, low_m, dm);
    carry_n(4, q, low_q, dq);
}

#endif
