/* SPDX-License-Identifier: MIT */
/* coordinates.h: attitude and place in the coordinates in which equations of motion are usually written, and their
 * rates for a body velocity. Internal.
 *
 *     quaternion   q' = q (0, w)/2
 *     matrix       R' = R hat(w)
 *     MRP          4 s' = (1 - |s|^2) w + 2 s x w + 2 (s . w) s           the shadow -s/|s|^2 is the same attitude
 *     Euler zyx    phi' = w0 + t tan theta,  theta' = w1 cos phi - w2 sin phi,  psi' = t/cos theta,
 *                  t = w1 sin phi + w2 cos phi                             not at theta = +-pi/2
 *     place        x' = R v
 *
 * Quaternions and matrices need not be of unit length and orthogonal: nothing here makes them so but quat_normalise.
 *
 * References: Schaub & Junkins, Analytical Mechanics of Space Systems, 2018, sections 3.4 and 3.6; Fossen, Handbook of
 * Marine Craft Hydrodynamics and Motion Control, 2021, section 2.2. */
#ifndef LIESTEP_GROUPS_COORDINATES_H
#define LIESTEP_GROUPS_COORDINATES_H

#include "groups/num/vec3.h"

LIE_INLINE void quat_rate(lie_real dq[4], const lie_real q[4], const lie_real w[3])
{
    lie_real a = 0.5 * w[0], b = 0.5 * w[1], c = 0.5 * w[2];
    dq[0] = -((q[1] * a + q[2] * b) + q[3] * c);
    dq[1] = (q[0] * a + q[2] * c) - q[3] * b;
    dq[2] = (q[0] * b + q[3] * a) - q[1] * c;
    dq[3] = (q[0] * c + q[1] * b) - q[2] * a;
}

LIE_INLINE void quat_normalise(lie_real q[4])
{
    lie_real f = 1.0 / real_sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    LIE_UNROLL
    for (int i = 0; i < 4; i++) q[i] *= f;
}

/* R of a unit quaternion */
LIE_INLINE void quat_rotation(lie_real R[9], const lie_real q[4])
{
    lie_real x2 = q[1] + q[1], y2 = q[2] + q[2], z2 = q[3] + q[3];
    lie_real xx = q[1] * x2, yy = q[2] * y2, zz = q[3] * z2, xy = q[1] * y2, xz = q[1] * z2, yz = q[2] * z2;
    lie_real wx = q[0] * x2, wy = q[0] * y2, wz = q[0] * z2;
    R[0] = 1.0 - (yy + zz), R[1] = xy - wz, R[2] = xz + wy;
    R[3] = xy + wz, R[4] = 1.0 - (xx + zz), R[5] = yz - wx;
    R[6] = xz - wy, R[7] = yz + wx, R[8] = 1.0 - (xx + yy);
}

/* ad*_x m: m x w on SO(3), (Pi x w + P x v, P x w) on SE(3) */
LIE_INLINE void rotation_adt(lie_real out[3], const lie_real w[3], const lie_real m[3])
{
    cross3(out, m, w);
}

LIE_INLINE void motion_adt(lie_real out[6], const lie_real x[6], const lie_real m[6])
{
    lie_real a[3], b[3];
    cross3(a, m, x);
    cross3(b, m + 3, x + 3);
    cross3(out + 3, m + 3, x);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = a[i] + b[i];
}

/* What only plain doubles need */
#ifndef LIE_LANES

#include "groups/num/theta.h"

/* The unit quaternion of a rotation, up to its sign, from the row of 4 q q^T that is longest */
LIE_INLINE void quat_of_rotation(double q[4], const double R[9])
{
    double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    double wx = R[7] - R[5], wy = R[2] - R[6], wz = R[3] - R[1];
    const double diagonal[4] = {R[0] + R[4] + R[8], R[0], R[4], R[8]};
    const double row[4][4] = {{1.0 + (R[0] + R[4] + R[8]), wx, wy, wz},
                              {wx, 1.0 + (R[0] - (R[4] + R[8])), xy, xz},
                              {wy, xy, 1.0 + (R[4] - (R[0] + R[8])), yz},
                              {wz, xz, yz, 1.0 + (R[8] - (R[0] + R[4]))}};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (diagonal[i] > diagonal[k]) k = i;
    double n = sqrt((row[k][0] * row[k][0] + row[k][1] * row[k][1]) + (row[k][2] * row[k][2] + row[k][3] * row[k][3]));
    for (int i = 0; i < 4; i++) q[i] = row[k][i] / n;
}

LIE_INLINE void rotation_rate(double dR[9], const double R[9], const double w[3])
{
    LIE_UNROLL
    for (int i = 0; i < 9; i += 3) cross3(dR + i, R + i, w);
}

LIE_INLINE void mrp_rate(double ds[3], const double s[3], const double w[3])
{
    double turn[3], a = 0.25 * (1.0 - dot3(s, s)), b = 0.5 * dot3(s, w);
    cross3(turn, s, w);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) ds[i] = (a * w[i] + 0.5 * turn[i]) + b * s[i];
}

/* s of sign q, sign = 1 or -1 so that |s| <= 1 */
LIE_INLINE void mrp_of_quat(double s[3], double *sign, const double q[4])
{
    double norm = sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    *sign = q[0] < 0.0 ? -1.0 : 1.0;
    double f = *sign / (norm + fabs(q[0]));
    LIE_UNROLL
    for (int i = 0; i < 3; i++) s[i] = f * q[1 + i];
}

LIE_INLINE void mrp_quat(double q[4], const double s[3], double sign)
{
    double n = dot3(s, s), f = sign / (1.0 + n), g = f + f;
    q[0] = (1.0 - n) * f;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) q[1 + i] = g * s[i];
}

/* To the shadow where |s| > 1: the quaternion changes its sign. */
LIE_INLINE void mrp_switch(double s[3], double *sign)
{
    double n = dot3(s, s);
    if (!(n > 1.0)) return;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) s[i] = -s[i] / n;
    *sign = -*sign;
}

/* R = Rz(psi) Ry(theta) Rx(phi), e = (phi, theta, psi) */
LIE_INLINE void euler_rotation(double R[9], const double e[3])
{
    double s[3], c[3];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) lie__sincos(&s[i], &c[i], e[i]);
    double ss = s[1] * s[0], sc = s[1] * c[0];
    R[0] = c[2] * c[1], R[1] = c[2] * ss - s[2] * c[0], R[2] = c[2] * sc + s[2] * s[0];
    R[3] = s[2] * c[1], R[4] = s[2] * ss + c[2] * c[0], R[5] = s[2] * sc - c[2] * s[0];
    R[6] = -s[1], R[7] = c[1] * s[0], R[8] = c[1] * c[0];
}

/* The rates from the last row of R = (-sin theta, cos theta sin phi, cos theta cos phi), c = cos theta > 0 */
LIE_INLINE void euler_rate(double de[3], const double R[9], double c, const double w[3])
{
    double over = 1.0 / c, s = over * R[7], k = over * R[8];
    double yaw = over * (w[1] * s + w[2] * k);
    de[0] = w[0] - yaw * R[6];
    de[1] = w[1] * k - w[2] * s;
    de[2] = yaw;
}

/* a with |a| <= pi, one turn away where it is beyond */
LIE_INLINE double angle_wrapped(double a)
{
    return fabs(a) > LIE__PI ? a - copysign(2.0 * LIE__PI, a) : a;
}

#endif
#endif
