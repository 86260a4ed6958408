/* SPDX-License-Identifier: MIT */
/* kick.h: what a step has between its moves, over the numbers of real.h: impulses that carry their rounding, and the
 * forces of weight and buoyancy. Internal. */
#ifndef LIESTEP_LIB_KICK_H
#define LIESTEP_LIB_KICK_H

#include <liestep/system.h>

#include "groups/num/vec3.h"

/* hi + low += d, exactly but for the rounding of low: |d| may exceed |hi| (Knuth's two-sum) */
LIE_INLINE void carry_add(lie_real *hi, lie_real *low, lie_real d)
{
    twofold s = sum_exact(*hi, d + *low);
    *hi = s.hi, *low = s.lo;
}

/* m += f F */
LIE_INLINE void kick(int n, lie_real *m, lie_real *low_m, lie_real f, const lie_real *F)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) carry_add(m + i, low_m + i, f * F[i]);
    } else {
        for (int i = 0; i < n; i++) carry_add(m + i, low_m + i, f * F[i]);
    }
}

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

/* Forces of the catalogue that lanes.c and pirk.c know, and what they are made of: the weight k r of a top; arm and
 * lift of a vehicle. */
void lie__top_force(const lie_system *sys, double *F, const double *g);
void lie__top_weight(const lie_system *sys, double *weight);
void lie__satellite_force(const lie_system *sys, double *F, const double *g);
void lie__vehicle_force(const lie_system *sys, double *F, const double *g);
void lie__vehicle_righting(const lie_system *sys, double *arm_and_lift);
void lie__vehicle_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                           const double *u);
void lie__vehicle_thrust(const lie_system *sys, double *wrench, const double *u);

#endif
