/* SPDX-License-Identifier: MIT */
/* se3_cay.h: the kernels of a step on SE(3) with cay, over the numbers of real.h: one trajectory or one in each lane.
 * What they compute stands at the head of se3_step.h, which makes operations of the group of them;
 * lib/methods/lanes/lanes_block.c makes steps of several trajectories. Internal. */
#ifndef LIESTEP_GROUPS_SE3_CAY_H
#define LIESTEP_GROUPS_SE3_CAY_H

#include "groups/maps/iso3.h"
#include "groups/maps/so3_cay.h"
#include "groups/num/branch.h"
#include "groups/num/vec3.h"

/* What solve needs to know of the inertia. */
enum {
    SE3_A = 0,            /* A */
    SE3_M_INVERSE = 9,    /* M^-1 */
    SE3_N = 18,           /* N */
    SE3_A_INVERSE = 27,   /* A^-1 */
    SE3_CONTRACTION = 36, /* j, j u, j n */
    SE3_DIAGONAL = 39,    /* 1 where all of them are diagonal and N = 0: half of the products are by zero then */
    SE3_DOUBLES = 40
};

/* out = M a, where M may be known to be diagonal */
LIE_INLINE void se3_product(lie_real out[3], int is_diagonal, const lie_real M[9], const lie_real a[3])
{
    if (!is_diagonal) {
        mat3_vec(out, M, a);
        return;
    }
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = M[4 * i] * a[i];
}

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

LIE_INLINE void se3_velocity(lie_real v[3], int is_diagonal, const lie_real *data, const lie_real w[3],
                             const lie_real P[3])
{
    lie_real a[3], b[3];
    se3_product(a, is_diagonal, data + SE3_M_INVERSE, P);
    if (is_diagonal) {
        copy_n(3, v, a);
        return;
    }
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

/* r(w) and v, and what its derivative is made of */
typedef struct se3_terms {
    lie_real c[3], kp[3], P[3], m[3], X[3], sigma;
} se3_terms;

LIE_INLINE void se3_residual_at(se3_equation *E, se3_terms *t, int is_diagonal, lie_real k, const lie_real *data,
                                const lie_real p[6], const lie_real w[3])
{
    lie_real Aw[3], NP[3], cX[3];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) t->c[i] = k * w[i], t->kp[i] = k * p[3 + i];
    t->sigma = 1.0 + dot3(t->c, t->c);
    se3_linear(t->P, t->sigma, t->c, p + 3);
    se3_velocity(E->v, is_diagonal, data, w, t->P);
    se3_product(Aw, is_diagonal, data + SE3_A, w);
    zero_n(3, NP);
    if (!is_diagonal) mat3_tvec(NP, data + SE3_N, t->P);
    cross3(t->X, t->kp, E->v);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) t->m[i] = is_diagonal ? Aw[i] : Aw[i] + NP[i], t->X[i] += p[i];
    cross3(cX, t->c, t->X);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) E->r[i] = t->sigma * t->m[i] - (t->X[i] - cX[i]);
    E->size = t->sigma * ((largest(3, Aw) + largest(3, NP)) + largest(3, t->X));
}

/* dv = M^-1 dP - N, dm = A + N^T dP */
LIE_INLINE void se3_momentum_deriv(lie_real dv[9], lie_real dm[9], int is_diagonal, const lie_real *data,
                                   const lie_real dP[9])
{
    const lie_real *N = data + SE3_N, NT[9] = {N[0], N[3], N[6], N[1], N[4], N[7], N[2], N[5], N[8]};
    if (is_diagonal) {
        LIE_UNROLL
        for (int i = 0; i < 9; i++) {
            dv[i] = data[SE3_M_INVERSE + 4 * (i / 3)] * dP[i];
            dm[i] = i % 4 == 0 ? data[SE3_A + i] : real_of(0.0);
        }
        return;
    }
    mat3_mul(dv, data + SE3_M_INVERSE, dP);
    mat3_mul(dm, NT, dP);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) dv[i] -= N[i], dm[i] += data[SE3_A + i];
}

/* D = sigma dm + 2 k m c^T - k hat(X) - (1 - hat(c)) k hat(p_v) dv */
LIE_INLINE void se3_derivative_at(se3_equation *E, const se3_terms *t, int is_diagonal, lie_real k,
                                  const lie_real *data)
{
    const lie_real *c = t->c, *kp = t->kp, *X = t->X, *m = t->m;
    lie_real dP[9], dm[9], S[9], T[9];
    se3_linear_deriv(dP, k, t->sigma, c, t->P);
    se3_momentum_deriv(E->dv, dm, is_diagonal, data, dP);
    /* (1 - hat(c)) hat(kp) = hat(kp) - kp c^T + (c . kp) 1 */
    lie_real along = dot3(c, kp);
    hat3(S, kp);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) S[i] = (i % 4 == 0 ? along : S[i]) - kp[i / 3] * c[i % 3];
    mat3_mul(T, S, E->dv);
    const lie_real kX[3] = {k * X[0], k * X[1], k * X[2]}, km[3] = {2.0 * k * m[0], 2.0 * k * m[1], 2.0 * k * m[2]};
    hat3(S, kX);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) {
        lie_real turned = km[i / 3] * c[i % 3];
        lie_real first = is_diagonal && i % 4 != 0 ? turned : t->sigma * dm[i] + turned;
        E->D[i] = first - (i % 4 == 0 ? T[i] : S[i] + T[i]);
    }
}

LIE_INLINE void se3_equation_at(se3_equation *E, lie_real k, const lie_real *data, const lie_real p[6],
                                const lie_real w[3])
{
    se3_terms t;
    se3_residual_at(E, &t, 0, k, data, p, w);
    se3_derivative_at(E, &t, 0, k, data);
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

/* Where Newton's method stands: w and its last change, v and dv/dw before it; the inverse C^T u of the derivative; the
 * squares of k times the change of w when the derivative was new, of the last one, and of the size of w, beyond which a
 * change tells nothing of the error; what is to be found. */
typedef struct se3_search {
    lie_real w[3], change[3], v[3], dv[9], C[9], u, first, last, reach;
    lie_mask todo;
} se3_search;

/* A pass. Returns where the error left is below round-off: after changes a, with a new derivative, and b, with the
 * same, it is of the order a b. */
LIE_INLINE lie_mask se3_pass(se3_search *s, int is_new, int is_diagonal, lie_real k, const lie_real *data,
                             const lie_real p[6])
{
    se3_equation E;
    se3_terms t;
    se3_residual_at(&E, &t, is_diagonal, k, data, p, s->w);
    if (is_new) {
        se3_derivative_at(&E, &t, is_diagonal, k, data);
        s->u = 1.0 / cofactors3(s->C, E.D);
        copy_n(9, s->dv, E.dv);
    }
    mat3_tvec(s->change, s->C, E.r);
    LIE_UNROLL
    for (int j = 0; j < 3; j++) s->change[j] *= s->u, s->w[j] -= s->change[j], s->v[j] = E.v[j];
    lie_real size = k * k * dot3(s->change, s->change);
    if (is_new) s->first = size;
    lie_mask done = s->todo & (s->first * size <= 0x1p-108) & (s->first <= s->reach);
    s->todo &= mask_not(done) & (size < 0.0625 * s->last);
    s->last = size;
    return done;
}

LIE_INLINE void se3_take(lie_real xi[6], const se3_search *s)
{
    lie_real dv[3];
    mat3_vec(dv, s->dv, s->change);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) xi[i] = s->w[i], xi[3 + i] = s->v[i] - dv[i];
}

/* After the first pass, which has found the solution where `found` says: some with the same derivative, which cost a
 * third, then with new ones. */
LIE_INLINE lie_mask se3_passes(lie_real xi[6], se3_search *s, lie_mask found, int is_diagonal, lie_real k,
                               const lie_real *data, const lie_real *p, int cap, int *passes)
{
    enum { PASSES = 12, CHORDS = 3 };
    lie_real now[6];
    se3_take(xi, s);
    for (; *passes < PASSES && *passes < cap && mask_any(s->todo); ++*passes) {
        lie_mask done = *passes % (1 + CHORDS) != 0 ? se3_pass(s, 0, is_diagonal, k, data, p)
                                                    : se3_pass(s, 1, is_diagonal, k, data, p);
        se3_take(now, s);
        LIE_UNROLL
        for (int i = 0; i < 6; i++) xi[i] = real_select(done, now[i], xi[i]);
        found |= done;
    }
    return found;
}

/* Out of line, so that what the usual case works with stays in registers. */
LIE_APART lie_mask se3_more(lie_real xi[6], se3_search *s, lie_mask found, lie_real k, const lie_real *data,
                            const lie_real *p, int cap, int *passes)
{
    return se3_passes(xi, s, found, 0, k, data, p, cap, passes);
}

LIE_APART lie_mask se3_more_diagonal(lie_real xi[6], se3_search *s, lie_mask found, lie_real k, const lie_real *data,
                                     const lie_real *p, int cap, int *passes)
{
    return se3_passes(xi, s, found, 1, k, data, p, cap, passes);
}

/* xi from the guess w of its angular part, by Newton's method; at most `cap` passes, counted. Returns where it was
 * found: elsewhere xi is of no use. */
LIE_INLINE lie_mask se3_newton(lie_real xi[6], const lie_real guess[3], int is_diagonal, lie_real h,
                               const lie_real *data, const lie_real *p, int cap, int *passes)
{
    lie_real k = 0.5 * h, scale = se3_certain(h, data, p);
    se3_search s = {.last = real_of(1.0), .reach = (k * scale) * (k * scale), .todo = scale > 0.0};
    lie_mask found = s.todo & mask_not(s.todo);
    *passes = 0;
    if (cap < 1 || !mask_any(s.todo)) return found;
    copy_n(3, s.w, guess);
    found = se3_pass(&s, 1, is_diagonal, k, data, p);
    *passes = 1;
    if (LIE_USUALLY(!mask_any(s.todo))) {
        se3_take(xi, &s);
        return found;
    }
    /* copied number by number: s itself stays in registers */
    se3_search more = {.u = s.u, .first = s.first, .last = s.last, .reach = s.reach, .todo = s.todo};
    lie_real out[6];
    copy_n(3, more.w, s.w);
    copy_n(3, more.change, s.change);
    copy_n(3, more.v, s.v);
    copy_n(9, more.dv, s.dv);
    copy_n(9, more.C, s.C);
    found = is_diagonal ? se3_more_diagonal(out, &more, found, k, data, p, cap, passes)
                        : se3_more(out, &more, found, k, data, p, cap, passes);
    copy_n(6, xi, out);
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
