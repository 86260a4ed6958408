/* SPDX-License-Identifier: MIT */
/* quat_maps.h: quaternion arithmetic shared by S3, H* and the converters. Scalar first, Hamilton. Internal.
 * Outputs never alias inputs. */
#ifndef LIESTEP_GROUPS_QUAT_MAPS_H
#define LIESTEP_GROUPS_QUAT_MAPS_H

#include "theta.h"

LIE_INLINE void quat_mul(double out[4], const double a[4], const double b[4])
{
    out[0] = (a[0] * b[0] - a[1] * b[1]) - (a[2] * b[2] + a[3] * b[3]);
    out[1] = (a[0] * b[1] + a[1] * b[0]) + (a[2] * b[3] - a[3] * b[2]);
    out[2] = (a[0] * b[2] + a[2] * b[0]) + (a[3] * b[1] - a[1] * b[3]);
    out[3] = (a[0] * b[3] + a[3] * b[0]) + (a[1] * b[2] - a[2] * b[1]);
}

LIE_INLINE double quat_norm2(const double q[4])
{
    return (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
}

/* R(q) p = p + 2 s v x p + 2 v x (v x p) for the unit quaternion (s, v) */
LIE_INLINE void quat_rotate(double out[3], double s, const double v[3], const double p[3])
{
    double t[3], u[3];
    cross3(t, v, p);
    cross3(u, v, t);
    for (int i = 0; i < 3; i++) out[i] = p[i] + 2.0 * (s * t[i] + u[i]);
}

/* out = q / m, m = largest |q_i|; returns m. Products of the result neither overflow nor vanish. */
LIE_INLINE double quat_scale(double out[4], const double q[4])
{
    double m = 0.0;
    for (int i = 0; i < 4; i++) m = fabs(q[i]) > m ? fabs(q[i]) : m;
    for (int i = 0; i < 4; i++) out[i] = q[i] / m;
    return m;
}

/* |v| without the underflow of |v|^2 */
LIE_INLINE double norm3_safe(const double v[3])
{
    double x = dot3(v, v);
    if (x > 0x1p-900) return sqrt(x);
    const double u[3] = {0x1p+600 * v[0], 0x1p+600 * v[1], 0x1p+600 * v[2]};
    return 0x1p-600 * sqrt(dot3(u, u));
}

/* w = 2 v/|v| atan2(|v|, s), |w| <= 2 pi, for q = (s, v) of any length; q along -1 gives (2 pi, 0, 0).
 * Written so that no small |v| is divided by: for s >= |v|, w = (2/s) (atan t / t) v with t = |v|/s. */
LIE_INLINE void quat_log_vector(double w[3], const double q[4])
{
    double s = q[0], size = norm3_safe(q + 1), v[3] = {q[1], q[2], q[3]}, f;
    if (s > 0.0 && size <= s) {
        f = 2.0 * lie__atanc_unit(size / s) / s;
    } else {
        if (size < 0x1p-500) { /* a full turn: only the direction of v counts */
            for (int i = 0; i < 3; i++) v[i] *= 0x1p+600;
            if (size == 0.0) v[0] = 1.0;
            size = norm3_safe(v), s = -HUGE_VAL;
        }
        double a = size <= -s ? LIE__PI - (lie__atan_unit(-size / s) - LIE__PI_LO)
                              : 0.5 * LIE__PI - (copysign(lie__atan_unit(fabs(s) / size), s) - 0.5 * LIE__PI_LO);
        f = 2.0 * a / size;
    }
    for (int i = 0; i < 3; i++) w[i] = f * v[i];
}

#endif
