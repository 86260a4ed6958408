/* SPDX-License-Identifier: MIT */
/* legendre.h: the inverse discrete Legendre transform of groups that have none of their own, its equation and the
 * derivative of that; see legendre.c. Internal. */
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

/* r = I xi - (dtau_{h xi})^T p, and the size of its terms. Status: that of dtaut; LIE_ERR_NOT_FINITE. */
lie_status lie__legendre_residual(const lie_ops *G, double *r, double *size, const double *inertia, double h,
                                  const double *xi, const double *p);

/* J = I - h d/dx (dtau_x)^T p at x = h xi; M: n x n scratch. Status: that of dtau_body_deriv. */
lie_status lie__legendre_jacobian(const lie_ops *G, double *J, double *M, const double *inertia, double h,
                                  const double *xi, const double *p);

/* Where dtau^-1 does not exist, with exp beyond a turn of 2 pi, what solves the equation above is no step. */
lie_status lie__legendre_inside(const lie_ops *G, double h, const double *xi);

#endif
