/* SPDX-License-Identifier: MIT */
/* twofold.h: sums and squares without rounding error, as two numbers, and sums that carry what rounding lost; over the
 * numbers of real.h. Internal. References: Dekker 1971; Knuth, The Art of Computer Programming 2, 4.2.2. */
#ifndef LIESTEP_GROUPS_TWOFOLD_H
#define LIESTEP_GROUPS_TWOFOLD_H

#include <stdint.h>

#include "groups/num/loops.h"

/* A value as an unevaluated sum hi + lo, |lo| <= ulp(hi)/2: twice the precision where a map needs it. */
typedef struct twofold {
    lie_real hi, lo;
} twofold;

/* a + b = sum + error exactly (Knuth) */
LIE_INLINE twofold sum_exact(lie_real a, lie_real b)
{
    lie_real s = a + b, z = s - a;
    return (twofold){s, (a - (s - z)) + (b - z)};
}

/* hi + low += d, exactly but for the rounding of low: |d| may exceed |hi| (Knuth's two-sum) */
LIE_INLINE void carry_add(lie_real *hi, lie_real *low, lie_real d)
{
    twofold s = sum_exact(*hi, d + *low);
    *hi = s.hi, *low = s.lo;
}

/* hi + low += d, |d| small: Dekker's sum, wrong by no more than the rounding of d where |d| > |hi| */
LIE_INLINE void carry_n(int n, lie_real *hi, lie_real *low, const lie_real *d)
{
    LIE_UNROLL
    for (int i = 0; i < n; i++) {
        lie_real b = d[i] + low[i], s = hi[i] + b;
        low[i] = b - (s - hi[i]);
        hi[i] = s;
    }
}

/* For plain doubles alone */
#ifndef LIE_LANES

/* a with its lower 27 bits cleared: the product of two such numbers is exact */
LIE_INLINE double upper_half(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= ~(uint64_t)0x7ffffff;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* a^2 = hi + lo exactly: with a = h + l, h^2 and 2 h l are exact */
LIE_INLINE twofold square_exact(double a)
{
    double h = upper_half(a), l = a - h, hi = a * a;
    return (twofold){hi, ((h * h - hi) + 2.0 * h * l) + l * l};
}

/* |w|^2 = hi + lo, to about 2^-100 */
LIE_INLINE twofold norm2_exact3(const double w[3])
{
    twofold a = square_exact(w[0]), b = square_exact(w[1]), c = square_exact(w[2]);
    twofold p = sum_exact(a.hi, b.hi), q = sum_exact(p.hi, c.hi);
    twofold lo = sum_exact(p.lo + q.lo, (a.lo + b.lo) + c.lo);
    double hi = q.hi + lo.hi;
    return (twofold){hi, ((q.hi - hi) + lo.hi) + lo.lo};
}

#endif

#endif
