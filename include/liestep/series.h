/* SPDX-License-Identifier: MIT */
/* series.h: dexp and its inverse as truncated series in ad, for any group that has a bracket.
 *
 *   dexp_x    = sum_{j=0}^{q} ad_x^j / (j+1)!
 *   dexpinv_x = sum_{j=0}^{q} B_j ad_x^j / j!          B_1 = -1/2
 *
 * (Bou-Rabee & Marsden 2009, (4.22)). q = 0 is the identity. Only G->ad, G->adt and G->dim are used; the t forms
 * replace ad by its transpose. The series of dexpinv converges for ||ad_x|| < 2 pi only. Outputs may alias inputs.
 * Status: LIE_ERR_SIZE unless 0 <= q <= LIE_SERIES_MAX and 1 <= dim <= LIE_DIM_MAX; LIE_ERR_NOT_FINITE. Conventions:
 * docs/CONVENTIONS.md. */
#ifndef LIESTEP_SERIES_H
#define LIESTEP_SERIES_H

#include <liestep/group.h>

LIE_BEGIN_DECLS

#define LIE_SERIES_MAX 40

LIE_API lie_status lie_series_dexp(const lie_ops *G, int q, double *out, const double *x, const double *v);
LIE_API lie_status lie_series_dexpt(const lie_ops *G, int q, double *out, const double *x, const double *m);
LIE_API lie_status lie_series_dexpinv(const lie_ops *G, int q, double *out, const double *x, const double *v);
LIE_API lie_status lie_series_dexpinvt(const lie_ops *G, int q, double *out, const double *x, const double *m);

/* M (dim x dim, row-major) = d/dx (dexp_{-x} psi), the derivative of the truncated series, term by term. */
LIE_API lie_status lie_series_dexp_body_deriv(const lie_ops *G, int q, double *M, const double *x, const double *psi);

LIE_END_DECLS

#endif
