/* SPDX-License-Identifier: MIT */
/* so3_dmv_kernel.h: the kernels of a step of discrete Moser-Veselov, over the numbers of real.h: one trajectory or one
 * in each lane. What they compute stands at the head of so3_dmv.h. Internal.
 *
 * In the principal axes of the body S and T are diagonal. The turn is the unit quaternion (D, N)/L, L^2 = D^2 + |N|^2,
 * so that one root and one quotient serve: r = 1/(L (L + D)) gives 1/L = (L + D) r and 1 - D/L = |N|^2 r, without
 * cancellation; r is a factor of the whole change of a quaternion and is waited for last. The momentum in space, pi, is
 * constant; that in the body is pi as the new attitude sees it. Of a quaternion that is not quite of unit length this
 * is a multiple of a rotation, which does not disturb the energy. */
#ifndef LIESTEP_GROUPS_SO3_DMV_KERNEL_H
#define LIESTEP_GROUPS_SO3_DMV_KERNEL_H

#include "groups/maps/so3_cay.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"

/* What the steps of one motion have in common, in units that make N and D of m: with P = f m these are f^2 S, f T
 * (S = I - k, T = adj S + |P|^2), k/f and what c . m may miss it by. The sign is such that D > 0. */
typedef struct so3_dmv_motion {
    lie_real S[3], T[3];
    lie_real det; /* of S */
    lie_real k, slack;
    lie_real pi[3];
} so3_dmv_motion;

/* The quaternion (D, N)/L by N, |N|^2, L + D and r */
typedef struct dmv_turn {
    lie_real N[3], NN, sum, r;
} dmv_turn;

/* c = N/D */
LIE_INLINE void so3_dmv_solve(lie_real N[3], lie_real *D, const so3_dmv_motion *M, const lie_real m[3])
{
    lie_real s[3] = {M->S[0] * m[0], M->S[1] * m[1], M->S[2] * m[2]}, b[3];
    cross3(b, s, m);
    *D = M->det + dot3(m, s);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) N[i] = M->T[i] * m[i] + b[i];
}

/* Is m on the motion still, c . m = k? No where something is not finite. Rounding moves it away slowly: looking every
 * SO3_DMV_CHECK steps, counted from the first of all, is enough, and does not depend on how the steps are cut into
 * runs. */
enum { SO3_DMV_CHECK = 64 };
LIE_INLINE lie_mask so3_dmv_holds(const so3_dmv_motion *M, const lie_real m[3])
{
    lie_real N[3], D;
    so3_dmv_solve(N, &D, M, m);
    return real_abs(dot3(N, m) - M->k * D) <= M->slack * D;
}

LIE_INLINE void so3_dmv_turn(dmv_turn *t, const lie_real N[3], lie_real D)
{
    t->NN = dot3(N, N);
    lie_real L = real_sqrt(t->NN + D * D);
    t->sum = L + D;
    t->r = 1.0 / (L * t->sum);
    copy_n(3, t->N, N);
}

/* q <- q (D, N)/L = q + r ((L + D) q (0, N) - |N|^2 q), m <- |q|^2 R(q)^T pi */
LIE_INLINE void s3_dmv_move(const dmv_turn *t, const lie_real pi[3], lie_real *q, lie_real *low_q, lie_real *m)
{
    const lie_real *N = t->N, *x = q + 1;
    lie_real w[3], dq[4] = {-((q[1] * N[0] + q[2] * N[1]) + q[3] * N[2]), q[0] * N[0] + (q[2] * N[2] - q[3] * N[1]),
                            q[0] * N[1] + (q[3] * N[0] - q[1] * N[2]), q[0] * N[2] + (q[1] * N[1] - q[2] * N[0])};
    LIE_UNROLL
    for (int i = 0; i < 4; i++) dq[i] = t->r * (t->sum * dq[i] - t->NN * q[i]);
    carry_n(4, q, low_q, dq);
    cross3(w, x, pi);
    lie_real even = q[0] * q[0] - dot3(x, x), twice = q[0] + q[0], along = dot3(x, pi);
    along += along;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) m[i] = (even * pi[i] - twice * w[i]) + along * x[i];
}

/* R <- R + R (2 D/L hat(v) + 2 hat(v)^2), v = N/L, m <- R^T pi */
LIE_INLINE void so3_dmv_move(const dmv_turn *t, const lie_real pi[3], lie_real *R, lie_real *low_R, lie_real *m)
{
    lie_real dR[9], f = t->sum * t->r, less = t->NN * t->r, v[3];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) v[i] = t->N[i] * f;
    rotation_change(dR, 2.0 - 2.0 * less, real_of(2.0), v, R);
    carry_n(9, R, low_R, dR);
    mat3_tvec(m, R, pi);
}

#endif
