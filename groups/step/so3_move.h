/* SPDX-License-Identifier: MIT */
/* so3_move.h: the moves of SO(3) and S3 with cay and exp, as functions that a stepper can have inlined: g tau(x) and
 * Ad*_tau(x) m (lie_ops.move), the element alone, and the way back to the group. Internal.
 *
 * The moves add g (tau(x) - 1) to g and tau(x)^T m - m to m, both computed without cancellation, and carry the rounding
 * of the sums. 80 to 150 flops.
 * References: Bou-Rabee & Marsden 2009, (4.21), (4.23) and (4.26). */
#ifndef LIESTEP_GROUPS_SO3_MOVE_H
#define LIESTEP_GROUPS_SO3_MOVE_H

#include <liestep/group.h>

#include "groups/maps/quat_maps.h"
#include "groups/maps/so3_cay.h"
#include "groups/maps/so3_maps.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"

/* exp: c_2 hat(x)^2 v - c_1 x x v with c_1 = 1 - beta, c_2 = 1/2 - gamma */
LIE_INLINE void exp_change(double out[3], double beta, double gamma, const double x[3], const double v[3])
{
    double w[3], u[3];
    cross3(w, x, v);
    cross3(u, x, w);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = (0.5 * u[i] - w[i]) + (beta * w[i] - gamma * u[i]);
}

/* Add the changes dg and dm if `witness`, a sum into which every input goes, is finite. */
LIE_INLINE lie_status carry_both(double witness, int size, double *g, double *low_g, const double *dg, int dim,
                                 double *m, double *low_m, const double *dm)
{
    if (!(witness - witness == 0.0)) return LIE_ERR_NOT_FINITE;
    carry_n(dim, m, low_m, dm);
    carry_n(size, g, low_g, dg);
    return LIE_OK;
}

LIE_INLINE lie_status s3_carry(double *q, double *low_q, const double dq[4], double *m, double *low_m,
                               const double dm[3])
{
    double witness = ((dm[0] + dm[1]) + dm[2]) + ((dq[0] + dq[1]) + (dq[2] + dq[3]));
    return carry_both(witness, 4, q, low_q, dq, 3, m, low_m, dm);
}

/* a row of R goes into each entry of that row of dR */
LIE_INLINE lie_status so3_carry(double *R, double *low_R, const double dR[9], double *m, double *low_m,
                                const double dm[3])
{
    double witness = ((dm[0] + dm[1]) + dm[2]) + ((dR[0] + dR[4]) + dR[8]);
    return carry_both(witness, 9, R, low_R, dR, 3, m, low_m, dm);
}

/* cay(x) - 1 on S3, c = x/2, s = |c|^2, sigma = 1 + s: scalar part 1/sqrt(sigma) - 1, vector part c/sqrt(sigma) */
LIE_INLINE void s3_cay_change(double out[4], double s, double sigma, const double c[3], const double q[4])
{
    double a = -s / (sigma + sqrt(sigma));
    quat_change(out, a, 1.0 + a, c, q);
}

LIE_INLINE lie_status s3_cay_move(const lie_ops *G, double *q, double *low_q, double *m, double *low_m, const double *x)
{
    double c[3] = {0.5 * x[0], 0.5 * x[1], 0.5 * x[2]}, s = dot3(c, c), sigma = 1.0 + s, dq[4], dm[3];
    (void)G;
    cay_change(dm, s / sigma, c, m);
    s3_cay_change(dq, s, sigma, c, q);
    return s3_carry(q, low_q, dq, m, low_m, dm);
}

LIE_INLINE lie_status so3_cay_move(const lie_ops *G, double *R, double *low_R, double *m, double *low_m,
                                   const double *x)
{
    double c[3] = {0.5 * x[0], 0.5 * x[1], 0.5 * x[2]}, s = dot3(c, c), beta = s / (1.0 + s), dR[9], dm[3];
    (void)G;
    cay_change(dm, beta, c, m);
    rotation_change(dR, 2.0 / (1.0 + s), 2.0 / (1.0 + s), c, R);
    return so3_carry(R, low_R, dR, m, low_m, dm);
}

/* Functions of the angle t = sqrt(x) for exp: 1 - c_1 and 1/2 - c_2 (Stumpff), cos(t/2) - 1 and sin(t/2)/t */
typedef struct turn {
    double beta, gamma, half_cos, half_sin;
} turn;

LIE_INLINE turn turn_near(double x)
{
    double c6 = lie__poly(lie__stumpff6, 9, x), c7 = lie__poly(lie__stumpff7, 9, x);
    double c5 = 1.0 / 120.0 - x * c7, c4 = 1.0 / 24.0 - x * c6, c3 = 1.0 / 6.0 - x * c5;
    return (turn){x * c3, x * c4, x * (x * lie__poly(lie__cos_tail, 8, x) - 0.125),
                  0.5 + x * lie__poly(lie__sinc_tail, 8, x)};
}

/* x <= 1/4, the turn of most steps: their Taylor series, as far as they count there (2^-59); two thirds of the work,
 * and of the time that what follows has to wait */
LIE_INLINE turn turn_small(double x)
{
    static const double c3[6] = {-1.0 / 120.0,     1.0 / 5040.0,        -1.0 / 362880.0,
                                 1.0 / 39916800.0, -1.0 / 6227020800.0, 1.0 / 1307674368000.0};
    static const double c4[6] = {-1.0 / 720.0,      1.0 / 40320.0,        -1.0 / 3628800.0,
                                 1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
    static const double half_c[5] = {1.0 / 384.0, -1.0 / 46080.0, 1.0 / 10321920.0, -1.0 / 3715891200.0,
                                     1.0 / 1961990553600.0};
    static const double half_s[6] = {-1.0 / 48.0,       1.0 / 3840.0,         -1.0 / 645120.0,
                                     1.0 / 185794560.0, -1.0 / 81749606400.0, 1.0 / 51011754393600.0};
    return (turn){x * (1.0 / 6.0 + x * lie__poly(c3, 6, x)), x * (1.0 / 24.0 + x * lie__poly(c4, 6, x)),
                  x * (x * lie__poly(half_c, 5, x) - 0.125), 0.5 + x * lie__poly(half_s, 6, x)};
}

turn lie__turn_far(double x); /* x > pi^2 or not finite; so3_legendre.c */

LIE_INLINE turn turn_of(double x)
{
    if (LIE_USUALLY(x <= 0.25)) return turn_small(x);
    return x <= LIE__PI_SQ ? turn_near(x) : lie__turn_far(x);
}

LIE_INLINE lie_status s3_exp_move(const lie_ops *G, double *q, double *low_q, double *m, double *low_m, const double *x)
{
    turn t = turn_of(dot3(x, x));
    double dq[4], dm[3];
    (void)G;
    exp_change(dm, t.beta, t.gamma, x, m);
    quat_change(dq, t.half_cos, t.half_sin, x, q);
    return s3_carry(q, low_q, dq, m, low_m, dm);
}

LIE_INLINE lie_status so3_exp_move(const lie_ops *G, double *R, double *low_R, double *m, double *low_m,
                                   const double *x)
{
    turn t = turn_of(dot3(x, x));
    double dR[9], dm[3];
    (void)G;
    exp_change(dm, t.beta, t.gamma, x, m);
    rotation_change(dR, 1.0 - t.beta, 0.5 - t.gamma, x, R);
    return so3_carry(R, low_R, dR, m, low_m, dm);
}

/* The element alone, as the moves move it: to the bit, and with the same status for the same x */
LIE_INLINE lie_status carry_element(double witness, int size, double *g, double *low_g, const double *dg)
{
    if (!(witness - witness == 0.0)) return LIE_ERR_NOT_FINITE;
    carry_n(size, g, low_g, dg);
    return LIE_OK;
}

LIE_INLINE lie_status s3_exp_turn(double *q, double *low_q, const double *x)
{
    turn t = turn_of(dot3(x, x));
    double dq[4];
    quat_change(dq, t.half_cos, t.half_sin, x, q);
    return carry_element((dq[0] + dq[1]) + (dq[2] + dq[3]), 4, q, low_q, dq);
}

LIE_INLINE lie_status so3_exp_turn(double *R, double *low_R, const double *x)
{
    turn t = turn_of(dot3(x, x));
    double dR[9];
    rotation_change(dR, 1.0 - t.beta, 0.5 - t.gamma, x, R);
    return carry_element((dR[0] + dR[4]) + dR[8], 9, R, low_R, dR);
}

LIE_INLINE lie_status s3_cay_turn(double *q, double *low_q, const double *x)
{
    double c[3] = {0.5 * x[0], 0.5 * x[1], 0.5 * x[2]}, s = dot3(c, c), dq[4];
    s3_cay_change(dq, s, 1.0 + s, c, q);
    return carry_element((dq[0] + dq[1]) + (dq[2] + dq[3]), 4, q, low_q, dq);
}

LIE_INLINE lie_status so3_cay_turn(double *R, double *low_R, const double *x)
{
    double c[3] = {0.5 * x[0], 0.5 * x[1], 0.5 * x[2]}, s = dot3(c, c), dR[9];
    rotation_change(dR, 2.0 / (1.0 + s), 2.0 / (1.0 + s), c, R);
    return carry_element((dR[0] + dR[4]) + dR[8], 9, R, low_R, dR);
}

/* Settling: g + low_g back to the group, by a first-order correction that is itself carried. A projection rounds every
 * entry of g instead, always the same way for the same entry, which turns g by 10^-18 or so each time: 10^-12 after
 * 10^8 steps. The corrections here only stretch: they do not turn g. */

/* q <- q + q (1 - |q|^2)/2 */
LIE_INLINE void s3_settle(const lie_ops *G, double *q, double *low_q)
{
    double low = (q[0] * low_q[0] + q[1] * low_q[1]) + (q[2] * low_q[2] + q[3] * low_q[3]);
    double e = 0.5 * ((((1.0 - q[0] * q[0]) - q[1] * q[1]) - q[2] * q[2]) - q[3] * q[3]) - low;
    const double dq[4] = {e * q[0], e * q[1], e * q[2], e * q[3]};
    (void)G;
    carry_n(4, q, low_q, dq);
}

/* R <- R + R (1 - R^T R)/2 */
LIE_INLINE void so3_settle(const lie_ops *G, double *R, double *low_R)
{
    double S[9], dR[9];
    (void)G;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double gap = i == j ? 1.0 : 0.0, low = 0.0;
            for (int k = 0; k < 9; k += 3) {
                gap -= R[k + i] * R[k + j];
                low += R[k + i] * low_R[k + j] + low_R[k + i] * R[k + j];
            }
            S[3 * i + j] = 0.5 * (gap - low);
        }
    mat3_mul(dR, R, S);
    carry_n(9, R, low_R, dR);
}

#endif
