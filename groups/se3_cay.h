/* SPDX-License-Identifier: MIT */
/* se3_cay.h: the kernels of a step on SE(3) with cay, over the numbers of real.h: one trajectory or one in each lane.
 * What they compute stands at the head of se3_step.h, which makes operations of the group of them; lib/lanes_block.c
 * makes steps of several trajectories. Internal. */
#ifndef LIESTEP_GROUPS_SE3_CAY_H
#define LIESTEP_GROUPS_SE3_CAY_H

#include "branch.h"
#include "iso3.h"
#include "so3_cay.h"

/* What solve needs to know of the inertia. */
enum {
    SE3_A = 0,            /* A */
    SE3_M_INVERSE = 9,    /* M^-1 */
    SE3_N = 18,           /* N */
    SE3_A_INVERSE = 27,   /* A^-1 */
    SE3_CONTRACTION = 36, /* j, j u, j n */
    SE3_DOUBLES = 39
};

/* r(w), D = dr/dw, v and dv/dw */
typedef struct se3_equation {
    lie_real r[3], D[9], v[3], dv[9];
    lie_real size; /* of the terms of r */
} se3_equation;

/* (1 + hat(c))^-1 p_v, c and sigma */
LIE_INLINE void se3_linear(lie_real P[3], lie_real sigma, const lie_real c[3], const lie_real p_v[3])
{
    lie_real cp[3], along = dot3(c, p_v), u = 1.0 / sigma;
    cross3(cp, c, p_v);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) P[i] = u * ((p_v[i] - cp[i]) + along * c[i]);
}

LIE_INLINE void se3_velocity(lie_real v[3], const lie_real *data, const lie_real w[3], const lie_real P[3])
{
    lie_real a[3], b[3];
    mat3_vec(a, data + SE3_M_INVERSE, P);
    mat3_vec(b, data + SE3_N, w);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) v[i] = a[i] - b[i];
}

/* dP = k (1 + hat(c))^-1 hat(P), whose rows are (row of (1 + hat(c))^-1) x (k P) */
LIE_INLINE void se3_linear_deriv(lie_real dP[9], lie_real k, lie_real sigma, const lie_real c[3], const lie_real P[3])
{
    lie_real B[9], u = 1.0 / sigma;
    const lie_real kP[3] = {k * P[0], k * P[1], k * P[2]};
    iso3_matrix(B, (iso3){u, -u, u}, c);
    LIE_UNROLL
    for (int i = 0; i < 9; i += 3) cross3(dP + i, B + i, kP);
}

LIE_INLINE void se3_equation_at(se3_equation *E, lie_real k, const lie_real *data, const lie_real p[6],
                                const lie_real w[3])
{
    const lie_real c[3] = {k * w[0], k * w[1], k * w[2]}, kp[3] = {k * p[3], k * p[4], k * p[5]};
    lie_real sigma = 1.0 + dot3(c, c), P[3], Aw[3], NP[3], m[3], X[3], cX[3], dP[9], dm[9], S[9], T[9];
    se3_linear(P, sigma, c, p + 3);
    se3_velocity(E->v, data, w, P);
    mat3_vec(Aw, data + SE3_A, w);
    mat3_tvec(NP, data + SE3_N, P);
    cross3(X, kp, E->v);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) m[i] = Aw[i] + NP[i], X[i] += p[i];
    cross3(cX, c, X);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) E->r[i] = sigma * m[i] - (X[i] - cX[i]);
    E->size = sigma * ((largest(3, Aw) + largest(3, NP)) + largest(3, X));
    /* D = sigma dm + 2 k m c^T - k hat(X) - (1 - hat(c)) k hat(p_v) dv,  dm = A + N^T dP,  dv = M^-1 dP - N */
    se3_linear_deriv(dP, k, sigma, c, P);
    mat3_mul(E->dv, data + SE3_M_INVERSE, dP);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) E->dv[i] -= data[SE3_N + i];
    const lie_real *N = data + SE3_N, NT[9] = {N[0], N[3], N[6], N[1], N[4], N[7], N[2], N[5], N[8]};
    mat3_mul(dm, NT, dP);
    /* (1 - hat(c)) hat(kp) = hat(kp) - kp c^T + (c . kp) 1 */
    lie_real along = dot3(c, kp);
    hat3(S, kp);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) S[i] = (i % 4 == 0 ? along : S[i]) - kp[i / 3] * c[i % 3];
    mat3_mul(T, S, E->dv);
    const lie_real kX[3] = {k * X[0], k * X[1], k * X[2]}, km[3] = {2.0 * k * m[0], 2.0 * k * m[1], 2.0 * k * m[2]};
    hat3(S, kX);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) E->D[i] = (sigma * (data[SE3_A + i] + dm[i]) + km[i / 3] * c[i % 3]) - (S[i] + T[i]);
}

/* Is the solution unique for sure? Then a size of w; otherwise 0. */
LIE_INLINE lie_real se3_certain(lie_real h, const lie_real *data, const lie_real p[6])
{
    lie_real k = real_abs(0.5 * h), pw = (real_abs(p[0]) + real_abs(p[1])) + real_abs(p[2]),
             pv = (real_abs(p[3]) + real_abs(p[4])) + real_abs(p[5]), kv = k * pv;
    const lie_real *j = data + SE3_CONTRACTION;
    lie_real a = j[2] * kv, b2 = j[1] * kv * kv, d = j[0] * (k * pw), left = 0.75 - (b2 + 2.0 * a);
    lie_mask contracts = (a < 0.375) & (1.21 * (d + (b2 + a * a)) < left * (1.0 - a));
    return real_select(contracts, j[0] * pw + (j[1] * kv + j[2]) * pv, real_of(0.0));
}

/* xi from the guess w of its angular part, by Newton's method; at most `cap` passes, counted. Returns where it was
 * found: elsewhere xi is not touched. */
LIE_INLINE lie_mask se3_newton(lie_real xi[6], const lie_real guess[3], lie_real h, const lie_real *data,
                               const lie_real *p, int cap, int *passes)
{
    enum { PASSES = 6 };
    lie_real k = 0.5 * h, w[3] = {guess[0], guess[1], guess[2]}, change[3], dv[3], C[9], last = real_of(1.0);
    lie_real scale = se3_certain(h, data, p);
    lie_mask todo = scale > 0.0, found = todo & mask_not(todo);
    se3_equation E;
    for (*passes = 0; *passes < PASSES && *passes < cap && mask_any(todo);) {
        se3_equation_at(&E, k, data, p, w);
        lie_real det = cofactors3(C, E.D), u = 1.0 / det;
        mat3_tvec(change, C, E.r);
        LIE_UNROLL
        for (int j = 0; j < 3; j++) change[j] *= u, w[j] -= change[j];
        lie_real step = dot3(change, change), size = k * k * step;
        lie_mask done = todo & (size <= 0x1p-54) & (step <= scale * scale);
        ++*passes;
        if (LIE_USUALLY(mask_any(done))) {
            mat3_vec(dv, E.dv, change);
            LIE_UNROLL
            for (int i = 0; i < 3; i++) {
                xi[i] = real_select(done, w[i], xi[i]);
                xi[3 + i] = real_select(done, E.v[i] - dv[i], xi[3 + i]);
            }
            found |= done;
            todo &= mask_not(done);
            if (LIE_USUALLY(!mask_any(todo))) break;
        }
        todo &= size < 0.0625 * last;
        last = size;
    }
    return found;
}

/* Changes of g and m in a move by X: R by so3_cay.h, x by R t, Pi by -t x P before the turn; t the translation of
 * cay(X). Returns a sum into which every input goes: if it is finite, everything is. */
LIE_INLINE lie_real se3_change(lie_real dg[12], lie_real dm[6], const lie_real *g, const lie_real t[3],
                               const lie_real tP[3], const lie_real dPi[3], const lie_real dP[3])
{
    mat3_vec(dg + 9, g, t);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) dm[i] = dPi[i] - tP[i], dm[3 + i] = dP[i];
    return (((dm[0] + dm[1]) + dm[2]) + ((dm[3] + dm[4]) + dm[5])) + ((dg[9] + dg[10]) + dg[11]);
}

LIE_INLINE lie_real se3_cay_change(lie_real dg[12], lie_real dm[6], const lie_real *g, const lie_real *m,
                                   const lie_real *X)
{
    lie_real c[3] = {0.5 * X[0], 0.5 * X[1], 0.5 * X[2]}, s = dot3(c, c), u = 1.0 / (1.0 + s), beta = s * u;
    lie_real t[3], tP[3], Y[3], dPi[3], dP[3];
    iso3_apply(t, (iso3){u, u, u}, c, X + 3);
    cross3(tP, t, m + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) Y[i] = m[i] - tP[i];
    cay_change(dPi, beta, c, Y);
    cay_change(dP, beta, c, m + 3);
    rotation_change(dg, 2.0 * u, 2.0 * u, c, g);
    return se3_change(dg, dm, g, t, tP, dPi, dP);
}

#endif
