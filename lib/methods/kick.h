/* SPDX-License-Identifier: MIT */
/* kick.h: what a step has between its moves, over the numbers of real.h: impulses that carry their rounding. Internal. */
#ifndef LIESTEP_LIB_KICK_H
#define LIESTEP_LIB_KICK_H

#include "groups/num/vec3.h"
#include "lib/systems/directions.h"

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

#endif
