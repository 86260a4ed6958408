/* SPDX-License-Identifier: MIT */
/* so3_dmv.h: the step of the discrete Moser-Veselov algorithm for a free body on SO(3) and S3. Internal.
 *
 * The body turns by the rotation with the Rodrigues vector c (tan of half the angle times the axis), m+ = cay(2c)^T m,
 *     (2/h) I c = m + m x c + (c . m) c.
 * With P = h m/2 and k = c . P this is linear in c,
 *     (I - k - hat(P)) c = P,      c = N/D,   N = (adj S + |P|^2) P + S P x P,   D = det S + P . S P,   S = I - k,
 * and c . P = k, multiplied out, is
 *     k^4 - e1 k^3 + (e2 + 2 |P|^2) k^2 - (e3 + e1 |P|^2) k + P . adj(I) P + |P|^4 = 0,
 * e1, e2, e3 the invariants of I: only |P| and the energy enter, which the step keeps. So k is found once and the steps
 * are explicit. The solution that starts at c = 0 for h = 0 is the smallest root. In z = e1/2 - k the roots are
 * +-a +-b +-c with an even number of minus signs (Euler's resolvent; a^2, b^2, c^2 the eigenvalues of Moser & Veselov's
 * factorisation), the wanted one is that with the largest real part, so by Gauss and Lucas no derivative of the quartic
 * vanishes below it: Newton's method from 0 climbs to it without ever passing it. Where there is none, about
 * h |w| > 1, the step does not exist.
 *
 * With I replaced by (alpha + beta I^-1)^-1, alpha and beta from so3_dmv.def, the same step is of order 4, 6, 8, 10 for
 * momentum and attitude. Its energy is still the true one, which is a combination of |m|^2 and m . I'^-1 m.
 *
 * Preserves: momentum, energy; without the replacement the symplectic form too. Flops: step 160 (S3), 220 (SO3).
 * References: Moser & Veselov, Comm. Math. Phys. 139 (1991); Hairer & Vilmart, J. Phys. A 39 (2006). */
#ifndef LIESTEP_GROUPS_SO3_DMV_H
#define LIESTEP_GROUPS_SO3_DMV_H

#include "so3_step.h"

/* k = 1 .. DMV_POWERS, j = 0 .. k in so3_dmv.def */
enum { DMV_POWERS = 4, DMV_TERMS = DMV_POWERS * (DMV_POWERS + 3) / 2 };

/* What is known of the inertia, in units of 2^power. */
typedef struct so3_dmv_body {
    double inverse[9], e1, e2, e3; /* I^-1 and its invariants */
    double alpha[DMV_TERMS], beta[DMV_TERMS];
    int terms; /* of these in use: 0 for order 2 */
    int power;
} so3_dmv_body;

/* What the steps of one motion have in common. */
typedef struct so3_dmv_motion {
    double S[9], T[9]; /* I - k, adj S + |P|^2 */
    double det;        /* of S */
    double half;       /* P = half m */
    double k, slack;   /* c . P, and by how much it may be missed */
} so3_dmv_motion;

/* Status: LIE_ERR_INERTIA. order: 2, 4, 6, 8 or 10 */
lie_status lie__so3_dmv_prepare(so3_dmv_body *body, const double inertia[9], int order);

/* The motion of steps h that goes through m. Status: LIE_ERR_NOT_FINITE, LIE_ERR_NO_CONVERGENCE (the cap), and
 * LIE_ERR_DOMAIN where the step does not exist. */
lie_status lie__so3_dmv_start(so3_dmv_motion *M, const so3_dmv_body *body, double h, const double m[3],
                              lie_solve *info);

/* The turn from m on. Answers by how much c . P misses k; NaN if something is not finite. */
LIE_INLINE double so3_dmv_turn(half_turn *t, const so3_dmv_motion *M, const double m[3])
{
    double P[3] = {M->half * m[0], M->half * m[1], M->half * m[2]}, s[3], a[3], b[3];
    mat3_vec(s, M->S, P);
    mat3_vec(a, M->T, P);
    cross3(b, s, P);
    double N[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]}, D = M->det + dot3(P, s), u = 1.0 / D;
    double NN = dot3(N, N), DD = D * D;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) t->c[i] = N[i] * u;
    t->beta = NN / (NN + DD);
    return fabs(dot3(N, P) * u - M->k);
}

LIE_INLINE void s3_dmv_move(const half_turn *t, double *q, double *low_q, double *m, double *low_m)
{
    double dq[4], dm[3], s = dot3(t->c, t->c), sigma = 1.0 + s, alpha = -s / (sigma + sqrt(sigma));
    cay_change(dm, t->beta, t->c, m);
    quat_change(dq, alpha, 1.0 + alpha, t->c, q);
    carry_n(3, m, low_m, dm);
    carry_n(4, q, low_q, dq);
}

LIE_INLINE void so3_dmv_move(const half_turn *t, double *R, double *low_R, double *m, double *low_m)
{
    double dR[9], dm[3];
    cay_change(dm, t->beta, t->c, m);
    rotation_change(dR, 2.0 - 2.0 * t->beta, 2.0 - 2.0 * t->beta, t->c, R);
    carry_n(3, m, low_m, dm);
    carry_n(9, R, low_R, dR);
}

#endif
