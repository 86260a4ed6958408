/* SPDX-License-Identifier: MIT */
/* se3_step.h: what a time step needs of SE(3): the moves with cay and exp, and the inverse discrete Legendre transform
 * with cay (lie_ops.move and lie_legendre of group.h), as functions that a stepper can have inlined. Internal.
 *
 * Inertia [[J, C^T], [C, M]], momentum p = (p_w, p_v), velocity (w, v), k = h/2, c = k w, sigma = 1 + |c|^2. The linear
 * half of (dcay^-1)^T I xi = p gives everything in terms of w:
 *     P = (1 + hat(c))^-1 p_v = (p_v - c x p_v + (c . p_v) c)/sigma        the linear momentum I xi
 *     v = M^-1 P - N w,   m = A w + N^T P,      N = M^-1 C,   A = J - C^T M^-1 C
 * and the angular half, multiplied by (1 + hat(c) + c c^T)^-1 = (1 - hat(c))/sigma, is
 *     r(w) = sigma m - (X - c x X) = 0,         X = p_w - k v x p_v.
 * Newton's method with the exact derivative. Let j, u, n be norms of A^-1, M^-1, N and
 *     a = j n k |p_v|,   b^2 = j u k^2 |p_v|^2,   d = j k |p_w|.
 * From |m| <= |X| follows j k |X| <= (d + b^2 + a^2)/(1 - a) for a < 1, not only at solutions but in the whole ball of
 * w to which this confines them. B(c) = (1 - hat(c))/sigma is q0 (q0 - hat(q)) with the unit quaternion (q0, q) along
 * (1, c), whose length changes by at most q0 |dc|: so |dB| <= q0 (q0 + |q|) |dc| <= 1.21 |dc|, and in that ball the map
 * w = A^-1 (B(c) X - N^T P) contracts by at most s = 1.21 (d + b^2 + a^2)/(1 - a) + b^2 + 2 a. Where s < 3/4, for this
 * h and so for every shorter one, there is exactly one solution and it is the one that starts at xi = I^-1 p. Elsewhere
 * the branch is followed from h = 0 (se3_legendre.c). The second derivative in c is of the size of s, too, so that
 * after a change |k dw| <= 2^-27 the remaining error is at most s/(1 - s) < 3 times its square: round-off.
 *
 * Cost of a solve from a good guess: one iteration, about 430 flops, 290 where the inertia is diagonal; further ones
 * with the same derivative 170 and 110. Reference: Jimenez 2012, (5.55) to (5.59). */
#ifndef LIESTEP_GROUPS_SE3_STEP_H
#define LIESTEP_GROUPS_SE3_STEP_H

#include <liestep/se3.h>

#include "groups/maps/se3_cay.h"
#include "groups/num/finite.h"
#include "groups/num/vec3.h"
#include "groups/step/so3_step.h"

/* from any start, or along the branch; se3_legendre.c */
lie_status lie__se3_cay_follow(double xi[6], double h, const double *data, const double *p, lie_solve *info);

/* xi from the guess w of its angular part */
LIE_INLINE lie_status se3_cay_newton(double xi[6], const double guess[3], double h, const double *data, const double *p,
                                     lie_solve *info)
{
    double r[6] = {0.0};
    int passes, found = data[SE3_DIAGONAL] != 0.0 ? se3_newton(r, guess, 1, h, data, p, info->cap, &passes)
                                                  : se3_newton(r, guess, 0, h, data, p, info->cap, &passes);
    info->iterations += passes;
    if (!LIE_USUALLY(found)) return lie__se3_cay_follow(xi, h, data, p, info);
    if (info->residual < SO3_TOLERANCE) info->residual = SO3_TOLERANCE;
    return store(6, xi, r);
}

LIE_INLINE lie_status se3_cay_solve(const lie_ops *G, double *xi, double h, double *data, const double *p,
                                    lie_solve *info)
{
    (void)G;
    return se3_cay_newton(xi, xi, h, data, p, info);
}

/* w = A^-1 (p_w - N^T p_v), v = M^-1 p_v - N w */
LIE_INLINE void se3_cay_guess(const lie_ops *G, double *xi, const double *data, const double *p)
{
    double Np[3], x[3];
    (void)G;
    mat3_tvec(Np, data + SE3_N, p + 3);
    for (int i = 0; i < 3; i++) x[i] = p[i] - Np[i];
    mat3_vec(xi, data + SE3_A_INVERSE, x);
    se3_velocity(xi + 3, 0, data, xi, p + 3);
}

LIE_INLINE lie_status se3_cay_move(const lie_ops *G, double *g, double *low_g, double *m, double *low_m,
                                   const double *X)
{
    double dg[12], dm[6], witness = se3_cay_change(dg, dm, g, m, X);
    (void)G;
    return carry_both(witness, 12, g, low_g, dg, 6, m, low_m, dm);
}

LIE_INLINE lie_status se3_exp_move(const lie_ops *G, double *g, double *low_g, double *m, double *low_m,
                                   const double *X)
{
    double x = dot3(X, X), dg[12], dm[6], t[3], tP[3], Y[3], dPi[3], dP[3];
    turn T = turn_of(x);
    (void)G;
    iso3_apply(t, exp_d(x), X, X + 3);
    cross3(tP, t, m + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) Y[i] = m[i] - tP[i];
    exp_change(dPi, T.beta, T.gamma, X, Y);
    exp_change(dP, T.beta, T.gamma, X, m + 3);
    rotation_change(dg, 1.0 - T.beta, 0.5 - T.gamma, X, g);
    return carry_both(se3_change(dg, dm, g, t, tP, dPi, dP), 12, g, low_g, dg, 6, m, low_m, dm);
}

/* The element alone, as in so3_move.h */
LIE_INLINE lie_status se3_turned(double *g, double *low_g, double dg[12], const double t[3])
{
    mat3_vec(dg + 9, g, t);
    return carry_element((dg[9] + dg[10]) + dg[11], 12, g, low_g, dg);
}

LIE_INLINE lie_status se3_cay_turn(double *g, double *low_g, const double *X)
{
    double c[3] = {0.5 * X[0], 0.5 * X[1], 0.5 * X[2]}, s = dot3(c, c), u = 1.0 / (1.0 + s), t[3], dg[12];
    iso3_apply(t, (iso3){u, u, u}, c, X + 3);
    rotation_change(dg, 2.0 * u, 2.0 * u, c, g);
    return se3_turned(g, low_g, dg, t);
}

LIE_INLINE lie_status se3_exp_turn(double *g, double *low_g, const double *X)
{
    double x = dot3(X, X), t[3], dg[12];
    turn T = turn_of(x);
    iso3_apply(t, exp_d(x), X, X + 3);
    rotation_change(dg, 1.0 - T.beta, 0.5 - T.gamma, X, g);
    return se3_turned(g, low_g, dg, t);
}

/* Operations of lie_ops for a stepper that has them inlined, and for se3.c. What is not finite is found out by whoever
 * takes the result. */
LIE_INLINE void se3_mul(const lie_ops *G, double *out, const double *a, const double *b)
{
    double r[12];
    (void)G;
    mat3_mul(r, a, b);
    mat3_vec(r + 9, a, b + 9);
    LIE_UNROLL
    for (int i = 9; i < 12; i++) r[i] += a[i];
    copy_n(12, out, r);
}

LIE_INLINE void se3_adt(const lie_ops *G, double *out, const double *X, const double *m)
{
    double mw[3], pv[3], pw[3];
    (void)G;
    cross3(mw, m, X);
    cross3(pv, m + 3, X + 3);
    cross3(pw, m + 3, X);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = mw[i] + pv[i], out[3 + i] = pw[i];
}

LIE_INLINE lie_status se3_exp_tau(const lie_ops *G, double *g, const double *X)
{
    double r[12];
    (void)G;
    lie_se3_exp(r, X);
    return store(12, g, r);
}

LIE_INLINE lie_status se3_cay_tau(const lie_ops *G, double *g, const double *X)
{
    double r[12];
    (void)G;
    lie_se3_cay(r, X);
    return store(12, g, r);
}

LIE_INLINE lie_status se3_exp_dtauinv(const lie_ops *G, double *out, const double *X, const double *Y)
{
    (void)G;
    return lie_se3_dexpinv(out, X, Y);
}

/* of the translation of cay: B^-1 = 1 - hat(w)/2 */
#define CAY_TRANSLATION_INV ((iso3){1.0, -0.5, 0.0})

LIE_INLINE lie_status se3_cay_dtauinv(const lie_ops *G, double *out, const double *X, const double *Y)
{
    double r[6], s[3];
    (void)G;
    cross3(s, X + 3, Y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) s[i] = Y[3 + i] - 0.5 * s[i];
    iso3_apply(r, cay_dinv(0.0), X, Y);
    iso3_apply(r + 3, CAY_TRANSLATION_INV, X, s);
    copy_n(6, out, r);
    return LIE_OK;
}

LIE_INLINE void se3_settle(const lie_ops *G, double *g, double *low_g)
{
    so3_settle(G, g, low_g);
}

int lie__se3_legendre_doubles(const lie_ops *G);
lie_status lie__se3_legendre_prepare(const lie_ops *G, double *data, const double *inertia);

static const lie_legendre se3_cay_legendre = {.wants_guess = 1,
                                              .doubles = lie__se3_legendre_doubles,
                                              .prepare = lie__se3_legendre_prepare,
                                              .solve = se3_cay_solve,
                                              .guess = se3_cay_guess};

#endif
