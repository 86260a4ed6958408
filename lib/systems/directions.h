/* SPDX-License-Identifier: MIT */
/* directions.h: directions fixed in space as a body sees them, and the forces of weight and buoyancy, which are made of
 * them; over the numbers of real.h. Internal. */
#ifndef LIESTEP_LIB_DIRECTIONS_H
#define LIESTEP_LIB_DIRECTIONS_H

#include "groups/num/vec3.h"

/* R^T e3, the up or normal direction seen from the body: the third row of R, of a matrix of `size` 9 or of a unit
 * quaternion */
LIE_INLINE void seen_e3(lie_real a[3], int size, const lie_real *g)
{
    if (size == 9) {
        copy_n(3, a, g + 6);
        return;
    }
    lie_real w = g[0], x = g[1], y = g[2], z = g[3];
    a[0] = 2.0 * (x * z - w * y);
    a[1] = 2.0 * (y * z + w * x);
    a[2] = (w * w + z * z) - (x * x + y * y);
}

/* R^T e1, likewise */
LIE_INLINE void seen_e1(lie_real c[3], int size, const lie_real *g)
{
    if (size == 9) {
        copy_n(3, c, g);
        return;
    }
    lie_real w = g[0], x = g[1], y = g[2], z = g[3];
    c[0] = (w * w + x * x) - (y * y + z * z);
    c[1] = 2.0 * (x * y - w * z);
    c[2] = 2.0 * (x * z + w * y);
}

/* F = (arm x up, lift up), up = R^T e3: weight and buoyancy on g = (R, x) */
LIE_INLINE void righting_force(lie_real *F, const lie_real arm[3], lie_real lift, const lie_real *g)
{
    cross3(F, arm, g + 6);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) F[3 + i] = lift * g[6 + i];
}

/* The same of either: a x w, w the gradient of V = w . a, on an attitude of `size` 4 or 9; w has arm and lift on SE3. */
LIE_INLINE void weight_force(int size, lie_real *F, const lie_real *w, const lie_real *g)
{
    lie_real up[3];
    if (size == 12) {
        righting_force(F, w, w[3], g);
        return;
    }
    seen_e3(up, size, g);
    cross3(F, up, w);
}

#endif
