/* SPDX-License-Identifier: MIT */
/* embedded_flat.h: quaternions of any length and what is conjugate to them, p = q m. Internal. */
#ifndef LIESTEP_LIB_EMBEDDED_FLAT_H
#define LIESTEP_LIB_EMBEDDED_FLAT_H

#include "groups/num/vec3.h"

/* m = vec(conj(q) p) */
LIE_INLINE void momentum_of(lie_real m[3], const lie_real q[4], const lie_real p[4])
{
    m[0] = (q[0] * p[1] - q[1] * p[0]) + (q[3] * p[2] - q[2] * p[3]);
    m[1] = (q[0] * p[2] - q[2] * p[0]) + (q[1] * p[3] - q[3] * p[1]);
    m[2] = (q[0] * p[3] - q[3] * p[0]) + (q[2] * p[1] - q[1] * p[2]);
}

/* out = q (0, a) */
LIE_INLINE void quat_times(lie_real out[4], const lie_real q[4], const lie_real a[3])
{
    out[0] = -((q[1] * a[0] + q[2] * a[1]) + q[3] * a[2]);
    out[1] = (q[0] * a[0] + q[2] * a[2]) - q[3] * a[1];
    out[2] = (q[0] * a[1] + q[3] * a[0]) - q[1] * a[2];
    out[3] = (q[0] * a[2] + q[1] * a[1]) - q[2] * a[0];
}

/* R of q/|q|, over = 1/|q|^2 */
LIE_INLINE void rotation_of(lie_real R[9], const lie_real q[4], lie_real over)
{
    lie_real x2 = (q[1] + q[1]) * over, y2 = (q[2] + q[2]) * over, z2 = (q[3] + q[3]) * over;
    lie_real xx = q[1] * x2, yy = q[2] * y2, zz = q[3] * z2, xy = q[1] * y2, xz = q[1] * z2, yz = q[2] * z2;
    lie_real wx = q[0] * x2, wy = q[0] * y2, wz = q[0] * z2;
    R[0] = 1.0 - (yy + zz), R[1] = xy - wz, R[2] = xz + wy;
    R[3] = xy + wz, R[4] = 1.0 - (xx + zz), R[5] = yz - wx;
    R[6] = xz - wy, R[7] = yz + wx, R[8] = 1.0 - (xx + yy);
}

/* q' = q w, p' = p w + q F/|q|^2 of y = (q, p, ..), w half the velocity, over = 1/|q|^2 */
LIE_INLINE void flat_rates(lie_real *k, const lie_real *y, lie_real over, const lie_real w[3], const lie_real F[3])
{
    lie_real f[3], pulled[4];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) f[i] = F[i] * over;
    quat_times(pulled, y, f);
    quat_times(k, y, w);
    quat_times(k + 4, y + 4, w);
    LIE_UNROLL
    for (int i = 0; i < 4; i++) k[4 + i] += pulled[i];
}

#endif
