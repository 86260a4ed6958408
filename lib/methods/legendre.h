/* SPDX-License-Identifier: MIT */
/* legendre.h: the inverse discrete Legendre transform of groups that have none of their own. Internal. */
#ifndef LIESTEP_LIB_LEGENDRE_H
#define LIESTEP_LIB_LEGENDRE_H

#include <liestep/group.h>

/* The default of lie_ops.legendre: Newton's method with the analytic Jacobian. */
extern const lie_legendre lie__legendre_newton;

/* How much coarser than rounding a residual is that holds the tangent of G, and its derivative, where these are
 * differences (lie_ops.differences; accuracy: groups/differences.c) */
static inline double tangent_grain(const lie_ops *G, int with_derivative)
{
    return G->differences == LIE_EXACT                                   ? 1.0
           : G->differences == LIE_DIFFERENCES_OF_TAU && with_derivative ? 256.0
                                                                         : 8.0;
}

#endif
