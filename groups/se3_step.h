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
 * From |m| <= |X| follows |X| <= 2 (|p_w| + k u |p_v|^2 + a n |p_v|) for a <= 1/2, and w = A^-1 ((1 - hat(c)) X/sigma -
 * N^T P) contracts by at most 3.1 (d + a^2) + 4.1 b^2 + 2 a: where this is below 1, for this h and every shorter one,
 * there is exactly one solution and it is the one that starts at xi = I^-1 p. Elsewhere the branch is followed from h =
 * 0 (se3_legendre.c). The same number bounds the second derivative in c, so that after a change |k dw| <= 2^-27 the
 * remaining error, its square, is below round-off.
 *
 * Cost of a solve from a good guess: one iteration, about 430 flops. Reference: Jimenez 2012, (5.55) to (5.59). */
#ifndef LIESTEP_GROUPS_SE3_STEP_H
#define LIESTEP_GROUPS_SE3_STEP_H

#include "so3_step.h"

/* What solve needs to know of the inertia. */
enum {
    SE3_A = 0,            /* A */
    SE3_M_INVERSE = 9,    /* M^-1 */
    SE3_N = 18,           /* N */
    SE3_A_INVERSE = 27,   /* A^-1 */
    SE3_CONTRACTION = 36, /* 3.1 j, 3.1 (j n)^2 + 4.1 j u, 2 j n */
    SE3_DOUBLES = 39
};

/* r(w), D = dr/dw, v and dv/dw */
typedef struct se3_equation {
    double r[3], D[9], v[3], dv[9];
    double size; /* of the terms of r */
} se3_equation;

/* (1 + hat(c))^-1 p_v, c and sigma */
LIE_INLINE void se3_linear(double P[3], double sigma, const double c[3], const double p_v[3])
{
    double cp[3], along = dot3(c, p_v), u = 1.0 / sigma;
    cross3(cp, c, p_v);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) P[i] = u * ((p_v[i] - cp[i]) + along * c[i]);
}

LIE_INLINE void se3_velocity(double v[3], const double *data, const double w[3], const double P[3])
{
    double a[3], b[3];
    mat3_vec(a, data + SE3_M_INVERSE, P);
    mat3_vec(b, data + SE3_N, w);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) v[i] = a[i] - b[i];
}

/* dP = k (1 + hat(c))^-1 hat(P), whose rows are (row of (1 + hat(c))^-1) x (k P) */
LIE_INLINE void se3_linear_deriv(double dP[9], double k, double sigma, const double c[3], const double P[3])
{
    double B[9], u = 1.0 / sigma;
    const double kP[3] = {k * P[0], k * P[1], k * P[2]};
    iso3_matrix(B, (iso3){u, -u, u}, c);
    LIE_UNROLL
    for (int i = 0; i < 9; i += 3) cross3(dP + i, B + i, kP);
}

LIE_INLINE void se3_equation_at(se3_equation *E, double k, const double *data, const double p[6], const double w[3])
{
    const double c[3] = {k * w[0], k * w[1], k * w[2]}, kp[3] = {k * p[3], k * p[4], k * p[5]};
    double sigma = 1.0 + dot3(c, c), P[3], Aw[3], NP[3], m[3], X[3], cX[3], dP[9], dm[9], S[9], T[9];
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
    const double *N = data + SE3_N, NT[9] = {N[0], N[3], N[6], N[1], N[4], N[7], N[2], N[5], N[8]};
    mat3_mul(dm, NT, dP);
    /* (1 - hat(c)) hat(kp) = hat(kp) - kp c^T + (c . kp) 1 */
    double along = dot3(c, kp);
    hat3(S, kp);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) S[i] = (i % 4 == 0 ? along : S[i]) - kp[i / 3] * c[i % 3];
    mat3_mul(T, S, E->dv);
    const double kX[3] = {k * X[0], k * X[1], k * X[2]}, km[3] = {2.0 * k * m[0], 2.0 * k * m[1], 2.0 * k * m[2]};
    hat3(S, kX);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) E->D[i] = (sigma * (data[SE3_A + i] + dm[i]) + km[i / 3] * c[i % 3]) - (S[i] + T[i]);
}

/* from any start, or along the branch; se3_legendre.c */
lie_status lie__se3_cay_follow(double xi[6], double h, const double *data, const double *p, lie_solve *info);

/* Is the solution unique for sure? Then a size that w does not exceed; otherwise 0. */
LIE_INLINE double se3_certain(double h, const double *data, const double p[6])
{
    double k = fabs(0.5 * h), pw = (fabs(p[0]) + fabs(p[1])) + fabs(p[2]), pv = (fabs(p[3]) + fabs(p[4])) + fabs(p[5]);
    const double *b = data + SE3_CONTRACTION;
    double size = b[0] * pw + b[2] * pv;
    return k * (size + b[1] * (k * pv) * pv) < 1.0 ? size : 0.0;
}

/* xi from the guess w of its angular part, by Newton's method */
LIE_INLINE lie_status se3_cay_newton(double xi[6], const double guess[3], double h, const double *data, const double *p,
                                     lie_solve *info)
{
    enum { PASSES = 6 };
    double k = 0.5 * h, w[3] = {guess[0], guess[1], guess[2]}, change[3], dv[3], C[9], last = 1.0;
    se3_equation E;
    double scale = se3_certain(h, data, p);
    for (int i = 0; i < PASSES && i < info->cap && scale > 0.0; i++) {
        se3_equation_at(&E, k, data, p, w);
        double det = cofactors3(C, E.D), u = 1.0 / det;
        mat3_tvec(change, C, E.r);
        LIE_UNROLL
        for (int j = 0; j < 3; j++) change[j] *= u, w[j] -= change[j];
        double step = dot3(change, change), size = k * k * step;
        info->iterations++;
        if (LIE_USUALLY(size <= 0x1p-54 && step <= scale * scale)) {
            mat3_vec(dv, E.dv, change);
            if (info->residual < SO3_TOLERANCE) info->residual = SO3_TOLERANCE;
            const double r[6] = {w[0], w[1], w[2], E.v[0] - dv[0], E.v[1] - dv[1], E.v[2] - dv[2]};
            return store(6, xi, r);
        }
        if (!(size < 0.0625 * last)) break;
        last = size;
    }
    return lie__se3_cay_follow(xi, h, data, p, info);
}

LIE_INLINE lie_status se3_cay_solve(const lie_ops *G, double *xi, double h, double *data, const double *p,
                                    lie_solve *info)
{
    (void)G;
    return se3_cay_newton(xi, xi, h, data, p, info);
}

/* moves: R by so3_step.h, x += R t, Pi -= t x P before the turn; t the translation of tau(X) */
LIE_INLINE lie_status se3_carry(double *g, double *low_g, double *m, double *low_m, const double dR[9],
                                const double t[3], const double tP[3], const double dPi[3], const double dP[3])
{
    double dg[12], dm[6];
    copy_n(9, dg, dR);
    mat3_vec(dg + 9, g, t);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) dm[i] = dPi[i] - tP[i], dm[3 + i] = dP[i];
    double witness = (((dm[0] + dm[1]) + dm[2]) + ((dm[3] + dm[4]) + dm[5])) + ((dg[9] + dg[10]) + dg[11]);
    return carry_both(witness, 12, g, low_g, dg, 6, m, low_m, dm);
}

LIE_INLINE lie_status se3_cay_move(const lie_ops *G, double *g, double *low_g, double *m, double *low_m,
                                   const double *X)
{
    double c[3] = {0.5 * X[0], 0.5 * X[1], 0.5 * X[2]}, s = dot3(c, c), u = 1.0 / (1.0 + s), beta = s * u;
    double dR[9], t[3], tP[3], Y[3], dPi[3], dP[3];
    (void)G;
    iso3_apply(t, (iso3){u, u, u}, c, X + 3);
    cross3(tP, t, m + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) Y[i] = m[i] - tP[i];
    cay_change(dPi, beta, c, Y);
    cay_change(dP, beta, c, m + 3);
    rotation_change(dR, 2.0 * u, 2.0 * u, c, g);
    return se3_carry(g, low_g, m, low_m, dR, t, tP, dPi, dP);
}

LIE_INLINE lie_status se3_exp_move(const lie_ops *G, double *g, double *low_g, double *m, double *low_m,
                                   const double *X)
{
    double x = dot3(X, X), dR[9], t[3], tP[3], Y[3], dPi[3], dP[3];
    turn T = turn_of(x);
    (void)G;
    iso3_apply(t, exp_d(x), X, X + 3);
    cross3(tP, t, m + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) Y[i] = m[i] - tP[i];
    exp_change(dPi, T.beta, T.gamma, X, Y);
    exp_change(dP, T.beta, T.gamma, X, m + 3);
    rotation_change(dR, 1.0 - T.beta, 0.5 - T.gamma, X, g);
    return se3_carry(g, low_g, m, low_m, dR, t, tP, dPi, dP);
}

/* Solve and move in one: `memory` has w of the last four steps, latest first, which is extrapolated. */
enum { SE3_MEMORY = 12 };

LIE_INLINE lie_status se3_cay_drift(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, double h,
                                    double *data, double *memory, lie_solve *info)
{
    double w[3], xi[6], X[6];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) w[i] = (4.0 * (memory[i] + memory[6 + i]) - 6.0 * memory[3 + i]) - memory[9 + i];
    lie_status status = se3_cay_newton(xi, w, h, data, m, info);
    if (status != LIE_OK) return status;
    LIE_UNROLL
    for (int i = 0; i < 6; i++) X[i] = h * xi[i];
    status = se3_cay_move(G, g, low_g, m, low_m, X);
    if (status != LIE_OK) return status;
    LIE_UNROLL
    for (int i = SE3_MEMORY - 1; i > 2; i--) memory[i] = memory[i - 3];
    copy_n(3, memory, xi);
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
                                              .drift = (int)LIE_DRIFT_MEMORY >= (int)SE3_MEMORY ? se3_cay_drift : 0};

#endif
