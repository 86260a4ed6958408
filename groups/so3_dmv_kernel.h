/* SPDX-License-Identifier: MIT */
/* so3_dmv_kernel.h: the kernels of a step of discrete Moser-Veselov, over the numbers of real.h: one trajectory or one
 * in each lane. What they compute stands at the head of so3_dmv.h. Internal.
 *
 * The turn is the unit quaternion (D, N)/L, L^2 = D^2 + |N|^2, so that one root and one quotient serve momentum and
 * attitude: r = 1/(L (L + D)) gives 1/L = (L + D) r and 1 - D/L = |N|^2 r, without cancellation. */
#ifndef LIESTEP_GROUPS_SO3_DMV_KERNEL_H
#define LIESTEP_GROUPS_SO3_DMV_KERNEL_H

#include "so3_cay.h"

/* What the steps of one motion have in common, in units that make N and D of m: with P = f m these are f^2 S, f T
 * (S = I - k, T = adj S + |P|^2), k/f and what c . m may miss it by. The sign is such that D > 0. */
typedef struct so3_dmv_motion {
    lie_real S[9], T[9];
    lie_real det; /* of S */
    lie_real k, slack;
} so3_dmv_motion;

/* The quaternion (1 - less, v) */
typedef struct small_turn {
    lie_real v[3], less;
} small_turn;

/* c = N/D */
LIE_INLINE void so3_dmv_solve(lie_real N[3], lie_real *D, const so3_dmv_motion *M, const lie_real m[3])
{
    lie_real s[3], a[3], b[3];
    mat3_vec(s, M->S, m);
    cross3(b, s, m);
    *D = M->det + dot3(m, s);
    mat3_vec(a, M->T, m);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) N[i] = a[i] + b[i];
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

/* m <- turned back. As in cay_change no factor near 1 is rounded, so that |m| does not drift. */
LIE_INLINE void so3_dmv_turn_momentum(const small_turn *t, lie_real *m, lie_real *low_m)
{
    lie_real w[3], u[3], dm[3];
    cross3(w, t->v, m);
    cross3(u, t->v, w);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) {
        lie_real half = (u[i] - w[i]) + t->less * w[i];
        dm[i] = half + half;
    }
    carry_n(3, m, low_m, dm);
}

/* q <- q (1 - less, v) */
LIE_INLINE void s3_dmv_turn_attitude(const small_turn *t, lie_real *q, lie_real *low_q)
{
    const lie_real *v = t->v, a = t->less;
    lie_real dq[4] = {-((q[1] * v[0] + q[0] * a) + (q[2] * v[1] + q[3] * v[2])),
                      (q[0] * v[0] - q[1] * a) + (q[2] * v[2] - q[3] * v[1]),
                      (q[0] * v[1] - q[2] * a) + (q[3] * v[0] - q[1] * v[2]),
                      (q[0] * v[2] - q[3] * a) + (q[1] * v[1] - q[2] * v[0])};
    carry_n(4, q, low_q, dq);
}

/* R <- R + R (2 (1 - less) hat(v) + 2 hat(v)^2) */
LIE_INLINE void so3_dmv_turn_attitude(const small_turn *t, lie_real *R, lie_real *low_R)
{
    lie_real dR[9];
    rotation_change(dR, 2.0 - 2.0 * t->less, real_of(2.0), t->v, R);
    carry_n(9, R, low_R, dR);
}

#endif
