/* SPDX-License-Identifier: MIT */
/* differences.h: the tangent of a retraction that was given without one, by differences. Internal. */
#ifndef LIESTEP_GROUPS_DIFFERENCES_H
#define LIESTEP_GROUPS_DIFFERENCES_H

#include <liestep/group.h>

/* Operations of a lie_ops of which identity, mul, inv and tau are given; size <= LIE_SIZE_MAX. */
lie_status lie__difference_dtau(const lie_ops *G, double *out, const double *x, const double *v);
lie_status lie__difference_dtaut(const lie_ops *G, double *out, const double *x, const double *m);
lie_status lie__difference_dtauinv(const lie_ops *G, double *out, const double *x, const double *v);
lie_status lie__difference_dtauinvt(const lie_ops *G, double *out, const double *x, const double *m);
/* Of dtau, where that is lie__difference_dtau or the user's. */
lie_status lie__difference_body_deriv(const lie_ops *G, double *M, const double *x, const double *psi);

/* ops.c: b <- M^-1 b by Gaussian elimination; M (n x n) is lost. LIE_ERR_SINGULAR. */
lie_status lie__ops_solve(int n, double *M, double *b);

#endif
