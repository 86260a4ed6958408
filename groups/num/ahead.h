/* SPDX-License-Identifier: MIT */
/* ahead.h: what follows values at equal distances: extrapolation by polynomials, over the numbers of real.h.
 * Internal. */
#ifndef LIESTEP_GROUPS_AHEAD_H
#define LIESTEP_GROUPS_AHEAD_H

#include "groups/num/loops.h"

/* Velocities that are remembered for the next guess, where that is one of a vector. */
enum { HISTORY = 6 };

/* What follows n <= HISTORY values at equal distances, the latest first, on the polynomial through them: sum over j of
 * (-1)^j n!/((j + 1)! (n - 1 - j)!) v[j], Newton's backward differences */
LIE_INLINE lie_real ahead(int n, const lie_real *v)
{
    static const double weights[HISTORY][HISTORY] = {{1.0},
                                                     {2.0, 1.0},
                                                     {3.0, 3.0, 1.0},
                                                     {4.0, 6.0, 4.0, 1.0},
                                                     {5.0, 10.0, 10.0, 5.0, 1.0},
                                                     {6.0, 15.0, 20.0, 15.0, 6.0, 1.0}};
    lie_real sum[2] = {real_of(0.0), real_of(0.0)};
    LIE_UNROLL
    for (int j = 0; j < n; j++) sum[j % 2] += weights[n - 1][j] * v[j];
    return sum[0] - sum[1];
}

/* What follows a, b, c, d, the latest first, by cubic extrapolation */
LIE_INLINE lie_real cubic_ahead(lie_real a, lie_real b, lie_real c, lie_real d)
{
    return (4.0 * (a + c) - 6.0 * b) - d;
}

#endif
