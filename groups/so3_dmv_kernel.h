/* SPDX-License-Identifier: MIT */
/* so3_dmv_kernel.h: the kernels of a step of discrete Moser-Veselov, over the numbers of real.h: one trajectory or one
 * in each lane. What they compute stands at the head of so3_dmv.h. Internal.
 *
 * In the principal axes of the body S and T are diagonal. The turn is the unit quaternion (D, N)/L, L^2 = D^2 + |N|^2,
 * so that one root and one quotient serve: r = 1/(L (L + D)) gives 1/L = (L + D) r and 1 - D/L = |N|^2 r, without
 * cancellation. The momentum in space, pi, is constant; that in the body is pi as the new attitude sees it. Of a
 * quaternion that is not quite of unit length this is a multiple of a rotation, which does not disturb the energy. */
#ifndef LIESTEP_GROUPS_SO3_DMV_KERNEL_H
#define LIESTEP_GROUPS_SO3_DMV_KERNEL_H

#include "so3_cay.h"

/* What the steps of one motion have in common, in units that make N and D of m: with P = f m these are f^2 S, f T
 * (S = I - k, T = adj S + |P|^2), k/f and what c . m may miss it by. The sign is such that D > 0. */
typedef struct so3_dmv_motion {
    lie_real S[3], T[3];
    lie_real det; /* of S */
    lie_real k, slack;
    lie_real pi[3];
} so3_dmv_motion;

/* The quaternion (1 - less, v) */
typedef struct small_turn {
    lie_real v[3], less;
} small_turn;

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

LIE_INLINE void so3_dmv_turn(small_turn *t, const lie_real N[3], lie_real D)
{
    lie_real NN = dot3(N, N), L = real_sqrt(NN + D * D), sum = L + D, r = 1.0 / (L * sum), f = sum * r;
    t->less = NN * r;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) t->v[i] = N[i] * f;
}

/* q <- q (1 - less, v), m <- |q|^2 R(q)^T pi */
LIE_INLINE void s3_dmv_move(const small_turn *t, const lie_real pi[3], lie_real *q, lie_real *low_q, lie_real *m)
{
    const lie_real *v = t->v, a = t->less, *x = q + 1;
    lie_real w[3], dq[4] = {-((q[1] * v[0] + q[0] * a) + (q[2] * v[1] + q[3] * v[2])),
                            (q[0] * v[0] - q[1] * a) + (q[2] * v[2] - q[3] * v[1]),
                            (q[0] * v[1] - q[2] * a) + (q[3] * v[0] - q[1] * v[2]),
                            (q[0] * v[2] - q[3] * a) + (q[1] * v[1] - q[2] * v[0])};
    carry_n(4, q, low_q, dq);
    cross3(w, x, pi);
    lie_real even = q[0] * q[0] - dot3(x, x), twice = q[0] + q[0], along = dot3(x, pi);
    along += along;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) m[i] = (even * pi[i] - twice * w[i]) + along * x[i];
}

/* R <- R + R (2 (1 - less) hat(v) + 2 hat(v)^2), m <- R^T pi */
LIE_INLINE void so3_dmv_move(const small_turn *t, const lie_real pi[3], lie_real *R, lie_real *low_R, lie_real *m)
{
    lie_real dR[9];
    rotation_change(dR, 2.0 - 2.0 * t->less, real_of(2.0), t->v, R);
    carry_n(9, R, low_R, dR);
    mat3_tvec(m, R, pi);
}

#endif
