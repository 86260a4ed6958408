/* SPDX-License-Identifier: MIT */
/* contraction.h: when passes x <- f(x) have come to their end: a certificate from the contraction that was measured.
 * Internal.
 *
 * What is left after a change d is about d rho, with rho the ratio of two changes. Where rho is not small the ratios
 * fluctuate, hence the bound d rho sqrt(1 + (16 rho)^4) <= 2^-51 of the size of x. Squares are compared, so that no
 * root is needed. */
#ifndef LIESTEP_LIB_CONTRACTION_H
#define LIESTEP_LIB_CONTRACTION_H

#include "groups/num/real.h"

/* What is known of the convergence, from step to step. */
typedef struct contraction_trend {
    double contraction2; /* of the squares of two changes */
    double expected;     /* passes of the last step; 0: unknown */
} contraction_trend;

/* Where the passes of a step stand. */
typedef struct contraction_course {
    double before, best; /* squares of changes: of the last pass, and the least */
    int idle;            /* passes since the least one was found */
} contraction_course;

#define CONTRACTION_START                                                                                              \
    {                                                                                                                  \
        0.0, 1e300, 0                                                                                                  \
    }

/* Is the next evaluation the last? d2: the square of the last change, relative to the size of x. rho is that of this
 * step or, when it is looked at for the first time, of the step before. It is taken from changes above rounding alone
 * and never trusted below 2^-12: after one change that is 0 by luck every later step would be called converged. Changes
 * that stay where they are, at rounding, end the passes, too: close to that of the numbers at once, at that of a force
 * which is less accurate after a while. */
LIE_INLINE int contraction_settles(contraction_trend *trend, contraction_course *now, double d2)
{
    const double before = now->before;
    int stagnates = before > 0.0 && d2 <= 0x1p-97 && d2 >= 0.25 * before;
    if (before > 0x1p-94) {
        double ratio = d2 / before;
        trend->contraction2 = ratio < 0x1p-24 ? 0x1p-24 : ratio > 1.0 ? 1.0 : ratio;
    }
    now->before = d2;
    if (d2 < 0.5 * now->best)
        now->best = d2, now->idle = 0;
    else
        now->idle++;
    double rho2 = trend->contraction2, left = d2 * rho2 * (1.0 + 0x1p16 * (rho2 * rho2));
    return left <= 0x1p-102 || d2 <= 0x1p-101 || stagnates || (now->idle >= 8 && d2 <= 0x1p-76);
}

#endif
