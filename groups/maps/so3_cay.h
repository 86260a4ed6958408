/* SPDX-License-Identifier: MIT */
/* so3_cay.h: the kernels of a step on SO(3) and S3 with cay, over the numbers of real.h: one trajectory or one in each
 * lane. What they compute stands at the head of groups/step/so3_solve_cay.h, which makes operations of the group
 * of them; lib/methods/lanes/lanes_block.c makes steps of several trajectories. Internal. */
#ifndef LIESTEP_GROUPS_SO3_CAY_H
#define LIESTEP_GROUPS_SO3_CAY_H

#include "groups/num/ahead.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"

/* What solve needs to know of the inertia. */
enum {
    SO3_INVERSE = 0,  /* I^-1 */
    SO3_OVER_DET = 9, /* I/det I */
    SO3_UNDET = 18,   /* 1/det I */
    SO3_REACH = 19,   /* the condition of Descartes holds for f up to this */
    SO3_QUARTIC = 20, /* B = |P|^2 (q0 s0 + q1 |P|^2 + q2 T) - T^2, by Cayley and Hamilton for I */
    SO3_TRACE = 23,   /* of I, over det I */
    SO3_TRACE_INVERSE = 24,
    SO3_NORM2 = 25,   /* sum of squares of I^-1: not less than |I^-1|^2 */
    SO3_INERTIA = 26, /* I */
    SO3_DOUBLES = 35
};

/* Relative residual that a solution may have. */
#define SO3_TOLERANCE 0x1p-50

/* Changes: tau(x)^T v - v, the row of g (tau(x) - 1) or the change of m. In both the first bracket has no factor whose
 * rounding would be the same at every step, so that |v| does not drift. */

/* cay, c = x/2: with d = 2 (c x (c x v) - c x v) the change is d/sigma = d - beta d, beta = (sigma - 1)/sigma */
LIE_INLINE void cay_change(lie_real out[3], lie_real beta, const lie_real c[3], const lie_real v[3])
{
    lie_real w[3], u[3];
    cross3(w, c, v);
    cross3(u, c, w);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) {
        lie_real half = u[i] - w[i], d = half + half;
        out[i] = d - beta * d;
    }
}

/* q (a, b x), a quaternion times a small one */
LIE_INLINE void quat_change(lie_real out[4], lie_real a, lie_real b, const lie_real x[3], const lie_real q[4])
{
    lie_real v[3] = {b * x[0], b * x[1], b * x[2]};
    out[0] = (q[0] * a - q[1] * v[0]) - (q[2] * v[1] + q[3] * v[2]);
    out[1] = (q[0] * v[0] + q[1] * a) + (q[2] * v[2] - q[3] * v[1]);
    out[2] = (q[0] * v[1] + q[2] * a) + (q[3] * v[0] - q[1] * v[2]);
    out[3] = (q[0] * v[2] + q[3] * a) + (q[1] * v[1] - q[2] * v[0]);
}

/* R (b hat(x) + c hat(x)^2) */
LIE_INLINE void rotation_change(lie_real out[9], lie_real b, lie_real c, const lie_real x[3], const lie_real R[9])
{
    lie_real u[3] = {b * x[0], b * x[1], b * x[2]}, v[3] = {c * x[0], c * x[1], c * x[2]};
    lie_real xx = v[0] * x[0], yy = v[1] * x[1], zz = v[2] * x[2];
    lie_real xy = v[0] * x[1], xz = v[0] * x[2], yz = v[1] * x[2];
    lie_real E[9] = {-(yy + zz), xy - u[2], xz + u[1], xy + u[2], -(xx + zz),
                     yz - u[0],  xz - u[1], yz + u[0], -(xx + yy)};
    mat3_mul(out, R, E);
}

/* The equation for sigma */

/* The vectors and scalars of the file head for v = unit xi, Q = unit p; rest = k/unit. */
typedef struct secular {
    lie_real Q[3], y[3], n[3], f, T, s0, P2, rest2;
} secular;

LIE_INLINE secular secular_of(const lie_real *data, lie_real unit, lie_real rest, const lie_real p[3])
{
    secular E = {.Q = {unit * p[0], unit * p[1], unit * p[2]}, .rest2 = rest * rest};
    lie_real z[3];
    mat3_vec(z, data + SO3_OVER_DET, E.Q);
    mat3_vec(E.y, data + SO3_INVERSE, E.Q);
    cross3(E.n, z, E.Q);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) E.n[i] *= rest;
    E.P2 = E.rest2 * dot3(E.Q, E.Q);
    E.f = data[SO3_UNDET] * E.P2;
    E.T = E.rest2 * dot3(E.Q, z);
    E.s0 = E.rest2 * dot3(E.y, E.y);
    return E;
}

/* v(sigma), returns |c|^2 */
LIE_INLINE lie_real secular_at(lie_real v[3], const secular *E, lie_real sigma)
{
    lie_real square = sigma * sigma, D = 1.0 / (sigma * (square + E->T));
    LIE_UNROLL
    for (int i = 0; i < 3; i++) v[i] = ((square * E->y[i] + E->f * E->Q[i]) + sigma * E->n[i]) * D;
    return E->rest2 * dot3(v, v);
}

/* B of the file head */
LIE_INLINE lie_real secular_quartic(const secular *E, const lie_real *data)
{
    const lie_real *b = data + SO3_QUARTIC;
    return E->P2 * ((b[0] * E->s0 + b[1] * E->P2) + b[2] * E->T) - E->T * E->T;
}

/* Is sigma = 1 + s to round-off, and the only root for sure? */
LIE_INLINE lie_mask secular_holds(const secular *E, lie_real s, lie_real sigma, const lie_real *data)
{
    return (real_abs((1.0 + s) - sigma) <= SO3_TOLERANCE) & (E->f <= data[SO3_REACH]);
}

/* Is there one root for sure? By Descartes, or because |c(sigma)| decreases: its derivative in sigma is -z with
 * sigma z - I^-1 hat(P) z = c, so c . z >= 0 where the symmetric part Q of I^-1 hat(P) has no eigenvalue above 1 <=
 * sigma; Q has no trace, so its eigenvalues are at most (2/3)^(1/2) times its norm. */
LIE_INLINE lie_mask secular_unique(const secular *E, const lie_real *data)
{
    lie_mask near = E->f <= data[SO3_REACH];
    if (!mask_any(mask_not(near))) return near;
    lie_real A = E->rest2 * dot3(E->y, E->n), B = secular_quartic(E, data), Q[9], norm2 = real_of(0.0);
    LIE_UNROLL
    for (int i = 0; i < 9; i += 3) cross3(Q + i, data + SO3_INVERSE + i, E->Q);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) {
        lie_real entry = 0.5 * (Q[i] + Q[3 * (i % 3) + i / 3]);
        norm2 += entry * entry;
    }
    lie_mask one = (4.0 * E->s0 + 6.0 * real_abs(A) + 2.0 * B <= 1.0) | (E->rest2 * norm2 <= 1.5);
    return near | ((data[SO3_REACH] > 0.0) & one);
}

/* dv/dsigma; returns the slope of |c(sigma)|^2 */
LIE_INLINE lie_real secular_deriv(lie_real dv[3], const secular *E, lie_real sigma, const lie_real v[3])
{
    lie_real square = sigma * sigma, D = 1.0 / (sigma * (square + E->T)), a = (3.0 * square + E->T) * D;
    lie_real b = (sigma + sigma) * D;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) dv[i] = (b * E->y[i] + D * E->n[i]) - a * v[i];
    return 2.0 * E->rest2 * dot3(v, dv);
}

/* v and s = |c|^2 at sigma where `chosen` */
LIE_INLINE void secular_move(lie_real v[3], lie_real *s, const secular *E, lie_real sigma, lie_mask chosen)
{
    lie_real u[3], square = secular_at(u, E, sigma);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) v[i] = real_select(chosen, u[i], v[i]);
    *s = real_select(chosen, square, *s);
}

/* The only root, where `todo`, from sigma, v(sigma) and s = |c(sigma)|^2 on: Newton's method, kept between bounds. A
 * change of sigma by d <= 2^-27 is made to first order: the rest, d^2, is below round-off. Less than `cap` passes,
 * counted; returns where they were not enough. */
LIE_INLINE lie_mask secular_newton(lie_real v[3], lie_real sigma, lie_real *s, const secular *E, lie_mask todo, int cap,
                                   int *passes)
{
    lie_real low = real_of(1.0), high = real_of(HUGE_VAL), root = sigma, dv[3];
    lie_mask astray = todo & mask_not((root >= 1.0) & (root <= 1.0 + 4.0 * E->s0));
    if (mask_any(astray)) {
        root = real_select(astray, 1.0 + E->s0, root);
        secular_move(v, s, E, root, astray);
    }
    for (*passes = 1; *passes < cap; ++*passes) {
        lie_real gap = (1.0 + *s) - root, change = gap / (1.0 - secular_deriv(dv, E, root, v));
        lie_mask done = todo & (real_abs(change) <= 0x1p-27);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) v[i] = real_select(done, v[i] + change * dv[i], v[i]);
        *s = real_select(done, E->rest2 * dot3(v, v), *s);
        todo &= mask_not(done);
        if (!mask_any(todo)) break;
        low = real_select(gap > 0.0, root, low);
        high = real_select(gap > 0.0, high, root);
        root += change;
        lie_real inside = real_select(high < HUGE_VAL, 0.5 * (low + high), 2.0 * low);
        root = real_select((root >= low) & (root <= high), root, inside);
        secular_move(v, s, E, root, todo);
    }
    return todo;
}

/* The turn by cay(2 c): beta = s/sigma and alpha = 1/sqrt(sigma) - 1, s = |c|^2, sigma = 1 + s */
typedef struct half_turn {
    lie_real c[3], alpha, beta;
} half_turn;

/* The turn from the extrapolation of s - s0 in `memory`; sigma: the guess, s: what belongs to it. Where the guess is
 * right to round-off, alpha and beta are those of the guess, which is known before c, with a first-order correction:
 * the turn is that of c, however good the root, and nothing waits for it. */
LIE_INLINE void half_turn_guess(half_turn *t, lie_real *sigma, lie_real *s, const secular *E, const lie_real memory[4])
{
    lie_real guess = E->s0 + cubic_ahead(memory[0], memory[1], memory[2], memory[3]);
    lie_real u, alpha, more;
    *sigma = 1.0 + guess, u = 1.0 / *sigma, alpha = -guess / (*sigma + real_sqrt(*sigma));
    *s = secular_at(t->c, E, *sigma), more = (*s - guess) * u;
    t->alpha = alpha - more * (0.5 + 0.5 * alpha);
    t->beta = guess * u + more * u;
}

/* The turn by the root s, where `chosen` */
LIE_INLINE void half_turn_exact(half_turn *t, lie_real s, lie_mask chosen)
{
    t->alpha = real_select(chosen, -s / ((1.0 + s) + real_sqrt(1.0 + s)), t->alpha);
    t->beta = real_select(chosen, s / (1.0 + s), t->beta);
}

/* Free steps by a turn: q <- q cay(2 c), R <- R cay(2 c), m <- cay(2 c)^T m */
LIE_INLINE void s3_turn_by(const half_turn *t, lie_real *q, lie_real *low_q, lie_real *m, lie_real *low_m)
{
    lie_real dq[4], dm[3];
    cay_change(dm, t->beta, t->c, m);
    quat_change(dq, t->alpha, 1.0 + t->alpha, t->c, q);
    carry_n(3, m, low_m, dm);
    carry_n(4, q, low_q, dq);
}

LIE_INLINE void so3_turn_by(const half_turn *t, lie_real *R, lie_real *low_R, lie_real *m, lie_real *low_m)
{
    lie_real dR[9], dm[3], f = 2.0 - 2.0 * t->beta;
    cay_change(dm, t->beta, t->c, m);
    rotation_change(dR, f, f, t->c, R);
    carry_n(3, m, low_m, dm);
    carry_n(9, R, low_R, dR);
}

#endif
