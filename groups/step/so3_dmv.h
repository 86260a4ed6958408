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
 * Preserves: momentum, energy; without the replacement the symplectic form too. Flops: step 122 (S3), 164 (SO3).
 * References: Moser & Veselov, Comm. Math. Phys. 139 (1991); Hairer & Vilmart, J. Phys. A 39 (2006). */
#ifndef LIESTEP_GROUPS_SO3_DMV_H
#define LIESTEP_GROUPS_SO3_DMV_H

#include "groups/step/so3_dmv_kernel.h"
#include "groups/step/so3_step.h"

/* k = 1 .. DMV_POWERS, j = 0 .. k in so3_dmv.def */
enum { DMV_POWERS = 4, DMV_TERMS = DMV_POWERS * (DMV_POWERS + 3) / 2 };

/* What is known of the inertia, in units of 2^power. */
typedef struct so3_dmv_body {
    double inverse[9], e1, e2, e3; /* I^-1 and its invariants */
    double alpha[DMV_TERMS], beta[DMV_TERMS];
    int terms; /* of these in use: 0 for order 2 */
    int power;
} so3_dmv_body;

/* inertia: diagonal. Status: LIE_ERR_INERTIA. order: 2, 4, 6, 8 or 10 */
lie_status lie__so3_dmv_prepare(so3_dmv_body *body, const double inertia[9], int order);

/* The motion of steps h that goes through m, in principal axes; pi is left zero. Status: LIE_ERR_NOT_FINITE,
 * LIE_ERR_NO_CONVERGENCE (the cap), and LIE_ERR_DOMAIN where the step does not exist. */
lie_status lie__so3_dmv_start(so3_dmv_motion *M, const so3_dmv_body *body, double h, const double m[3],
                              lie_solve *info);

#endif
