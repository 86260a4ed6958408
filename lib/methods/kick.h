/* SPDX-License-Identifier: MIT */
/* kick.h: what a step has between its moves, over the numbers of real.h: impulses that carry their rounding.
 * Internal. */
#ifndef LIESTEP_LIB_KICK_H
#define LIESTEP_LIB_KICK_H

#include "groups/num/twofold.h"

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
