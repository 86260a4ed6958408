/* SPDX-License-Identifier: MIT */
/* quat_maps.h: quaternion arithmetic shared by S3, H* and the converters. Scalar first, Hamilton. Internal.
 * Outputs never alias inputs. */
#ifndef LIESTEP_GROUPS_QUAT_MAPS_H
#define LIESTEP_GROUPS_QUAT_MAPS_H

#include <liestep/s3.h>

#include "groups/num/finite.h"
#include "groups/num/theta.h"
#include "groups/num/vec3.h"

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

/* Is q a unit quaternion, to LIE_S3_TOL? */
LIE_INLINE lie_status check_unit(const double q[4])
{
    if (!all_finite(4, q)) return LIE_ERR_NOT_FINITE;
    return fabs(quat_norm2(q) - 1.0) <= LIE_S3_TOL ? LIE_OK : LIE_ERR_NOT_IN_GROUP;
}

/* q p q^-1 = p + f (s v x p + v x (v x p)), f = 2/|q|^2, for the quaternion (s, v) */
LIE_INLINE void quat_rotate(double out[3], double f, double s, const double v[3], const double p[3])
{
    double t[3], u[3];
    cross3(t, v, p);
    cross3(u, v, t);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = p[i] + f * (s * t[i] + u[i]);
}

/* out = f q, f = 1 unless squares of q overflow or vanish: then a power of two that prevents it. Returns f. */
LIE_INLINE double quat_scale(double out[4], const double q[4])
{
    double n2 = quat_norm2(q), f = 1.0;
    if (!(n2 > 0x1p-800)) f = 0x1p+600;
    if (!(n2 < 0x1p+800)) f = 0x1p-600;
    LIE_UNROLL
    for (int i = 0; i < 4; i++) out[i] = f * q[i];
    return f;
}

/* w = 2 v/|v| atan2(|v|, s), |w| <= 2 pi, for q = (s, v) of any length; q along -1 gives (2 pi, 0, 0).
 * With atanc(t^2) = atan(t)/t: for |v| <= |s|  w = (2/s) atanc(|v|^2/s^2) v, plus a turn 2 pi v/|v| if s < 0;
 * otherwise w = (pi - 2 t atanc(t^2))/|v| v with t = s/|v|. A small |v| is divided by only where the turn needs it. */
LIE_INLINE void quat_log_vector(double w[3], const double q[4])
{
    double s = q[0], x = dot3(q + 1, q + 1), v[3] = {q[1], q[2], q[3]}, f;
    if (x > s * s) {
        double size = sqrt(x), t = s / size;
        f = (LIE__PI - (2.0 * t * lie__atanc(t * t) - LIE__PI_LO)) / size;
    } else if (s > 0.0) {
        f = (2.0 / s) * lie__atanc(x / (s * s));
    } else {
        double scale = x < 0x1p-900 ? 0x1p+600 : 1.0;
        v[0] *= scale, v[1] *= scale, v[2] *= scale;
        if (v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0) v[0] = 1.0;
        f = 2.0 * LIE__PI / sqrt(dot3(v, v)) + (2.0 / (scale * s)) * lie__atanc(x / (s * s));
    }
    w[0] = f * v[0], w[1] = f * v[1], w[2] = f * v[2];
}

#endif
