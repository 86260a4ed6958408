/* SPDX-License-Identifier: MIT */
/* iso3.h: linear maps on R^3 that commute with rotations about w,
 *
 *     T(w) v = a v + b w x v + c (w . v) w,        a, b, c functions of x = |w|^2.
 *
 * The tangent of every retraction of SO(3) and S3, and its inverse, is of this form, so a retraction is two sets of
 * three scalar functions (so3_maps.h) and everything else is written once, here: application, transpose (b -> -b),
 * matrix, derivative in w, and, for SE(3), the extension to dual vectors w + eps v, which is the derivative of T(w) in
 * the direction v (principle of transference; Selig, Geometric Fundamentals of Robotics, 2005). Internal. */
#ifndef LIESTEP_GROUPS_ISO3_H
#define LIESTEP_GROUPS_ISO3_H

#include "groups/num/vec3.h"

typedef struct iso3 {
    lie_real a, b, c;
} iso3;

/* value and first derivative in x; the second only where SE(3) asks for it */
typedef struct iso3_jet {
    iso3 f, d, dd;
} iso3_jet;

LIE_INLINE iso3 iso3_transpose(iso3 T)
{
    return (iso3){T.a, -T.b, T.c};
}

LIE_INLINE iso3_jet iso3_jet_transpose(iso3_jet T)
{
    return (iso3_jet){iso3_transpose(T.f), iso3_transpose(T.d), iso3_transpose(T.dd)};
}

/* T(w) v */
LIE_INLINE void iso3_apply(lie_real out[3], iso3 T, const lie_real w[3], const lie_real v[3])
{
    lie_real wv[3];
    cross3(wv, w, v);
    lie_real s = T.c * dot3(w, v);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = (T.a * v[i] + T.b * wv[i]) + s * w[i];
}

/* The same without the axial term: a v + b w x v */
LIE_INLINE void iso3_apply_plane(lie_real out[3], lie_real a, lie_real b, const lie_real w[3], const lie_real v[3])
{
    lie_real wv[3];
    cross3(wv, w, v);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = a * v[i] + b * wv[i];
}

/* M = a 1 + b hat(w) + c w w^T */
LIE_INLINE void iso3_matrix(lie_real M[9], iso3 T, const lie_real w[3])
{
    lie_real cw[3] = {T.c * w[0], T.c * w[1], T.c * w[2]}, bw[3] = {T.b * w[0], T.b * w[1], T.b * w[2]};
    M[0] = T.a + cw[0] * w[0], M[1] = cw[0] * w[1] - bw[2], M[2] = cw[0] * w[2] + bw[1];
    M[3] = cw[1] * w[0] + bw[2], M[4] = T.a + cw[1] * w[1], M[5] = cw[1] * w[2] - bw[0];
    M[6] = cw[2] * w[0] - bw[1], M[7] = cw[2] * w[1] + bw[0], M[8] = T.a + cw[2] * w[2];
}

/* d/ds of the coefficients along w + s v: T' = 2 (w . v) dT/dx */
LIE_INLINE iso3 iso3_rate(iso3 d, lie_real wv)
{
    return (iso3){2.0 * wv * d.a, 2.0 * wv * d.b, 2.0 * wv * d.c};
}

/* (d/ds T(w + s v)) u = T' u + b v x u + c ((v . u) w + (w . u) v), T' the rate of the coefficients */
LIE_INLINE void iso3_dual_apply(lie_real out[3], const iso3_jet *T, const lie_real w[3], const lie_real v[3],
                                const lie_real u[3])
{
    lie_real vu[3];
    iso3_apply(out, iso3_rate(T->d, dot3(w, v)), w, u);
    cross3(vu, v, u);
    lie_real p = T->f.c * dot3(v, u), q = T->f.c * dot3(w, u);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] += T->f.b * vu[i] + (p * w[i] + q * v[i]);
}

/* the same as a matrix: T'(w) + b hat(v) + c (w v^T + v w^T) */
LIE_INLINE void iso3_dual_matrix(lie_real M[9], const iso3_jet *T, const lie_real w[3], const lie_real v[3])
{
    lie_real V[9];
    iso3_matrix(M, iso3_rate(T->d, dot3(w, v)), w);
    hat3(V, v);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) LIE_UNROLL
    for (int j = 0; j < 3; j++) M[3 * i + j] += T->f.b * V[3 * i + j] + T->f.c * (w[i] * v[j] + v[i] * w[j]);
}

/* M = d/dw (T(w) u) = k w^T - b hat(u) + c (w u^T + (w . u) 1),  k = 2 (a' u + b' w x u + c' (w . u) w) */
LIE_INLINE void iso3_deriv(lie_real M[9], const iso3_jet *T, const lie_real w[3], const lie_real u[3])
{
    lie_real k[3], U[9];
    lie_real wu = dot3(w, u);
    iso3_apply(k, T->d, w, u);
    hat3(U, u);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) LIE_UNROLL
    for (int j = 0; j < 3; j++)
        M[3 * i + j] =
            (2.0 * k[i] * w[j] + T->f.c * w[i] * u[j]) - T->f.b * U[3 * i + j] + (i == j ? T->f.c * wu : real_of(0.0));
}

/* M = d/ds d/dw (T(w + s v) u) at s = 0: the derivative of iso3_deriv along v */
LIE_INLINE void iso3_deriv_dual(lie_real M[9], const iso3_jet *T, const lie_real w[3], const lie_real v[3],
                                const lie_real u[3])
{
    lie_real k[3], kdot[3], vu[3], U[9];
    lie_real wu = dot3(w, u), vdu = dot3(v, u), wv = dot3(w, v);
    iso3 rate = iso3_rate(T->d, wv);
    iso3_apply(k, T->d, w, u);
    iso3_apply(kdot, iso3_rate(T->dd, wv), w, u);
    cross3(vu, v, u);
    hat3(U, u);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) kdot[i] += T->d.b * vu[i] + T->d.c * (vdu * w[i] + wu * v[i]);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) LIE_UNROLL
    for (int j = 0; j < 3; j++)
        M[3 * i + j] = 2.0 * (kdot[i] * w[j] + k[i] * v[j]) + (rate.c * w[i] + T->f.c * v[i]) * u[j] -
                       rate.b * U[3 * i + j] + (i == j ? rate.c * wu + T->f.c * vdu : real_of(0.0));
}

#endif
