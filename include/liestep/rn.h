/* SPDX-License-Identifier: MIT */
/* rn.h: the translations of R^n. On it every method of this library is its flat counterpart (Marsden & West 2001).
 *
 *   element, algebra, dual   double[n]; mul is +, inv is -, Ad and d<tau> are the identity, ad is 0
 *
 * exp, cay and skew are one and the same identity map. Every output may be one of the inputs. n >= 1. Values pass
 * through unchanged, NaN and infinities too. Conventions: docs/CONVENTIONS.md. */
#ifndef LIESTEP_RN_H
#define LIESTEP_RN_H

#include <liestep/group.h>

LIE_BEGIN_DECLS

LIE_API void lie_rn_identity(int n, double *g);
LIE_API void lie_rn_mul(int n, double *out, const double *a, const double *b);
LIE_API void lie_rn_inv(int n, double *out, const double *a);
LIE_API void lie_rn_act(int n, double *out, const double *g, const double *p);
LIE_API void lie_rn_hat(int n, double *out, const double *x);
LIE_API void lie_rn_vee(int n, double *out, const double *x);
LIE_API void lie_rn_Ad(int n, double *out, const double *g, const double *x);
LIE_API void lie_rn_Adt(int n, double *out, const double *g, const double *m);
LIE_API void lie_rn_ad(int n, double *out, const double *x, const double *y);
LIE_API void lie_rn_adt(int n, double *out, const double *x, const double *m);
LIE_API void lie_rn_exp(int n, double *g, const double *x);
LIE_API void lie_rn_log(int n, double *x, const double *g);
LIE_API void lie_rn_dexp(int n, double *out, const double *x, const double *v);
LIE_API void lie_rn_dexpt(int n, double *out, const double *x, const double *m);
LIE_API void lie_rn_dexpinv(int n, double *out, const double *x, const double *v);
LIE_API void lie_rn_dexpinvt(int n, double *out, const double *x, const double *m);
LIE_API void lie_rn_dexp_matrix(int n, double *M, const double *x);
LIE_API void lie_rn_dexpinv_matrix(int n, double *M, const double *x);
LIE_API void lie_rn_dexp_body_deriv(int n, double *M, const double *x, const double *psi);
LIE_API void lie_rn_cay(int n, double *g, const double *x);
LIE_API void lie_rn_caylog(int n, double *x, const double *g);
LIE_API void lie_rn_dcay(int n, double *out, const double *x, const double *v);
LIE_API void lie_rn_dcayt(int n, double *out, const double *x, const double *m);
LIE_API void lie_rn_dcayinv(int n, double *out, const double *x, const double *v);
LIE_API void lie_rn_dcayinvt(int n, double *out, const double *x, const double *m);
LIE_API void lie_rn_dcay_matrix(int n, double *M, const double *x);
LIE_API void lie_rn_dcayinv_matrix(int n, double *M, const double *x);
LIE_API void lie_rn_dcay_body_deriv(int n, double *M, const double *x, const double *psi);

/* Every finite vector is in the group: copies. Status: LIE_ERR_NOT_FINITE. */
LIE_API lie_status lie_rn_project(int n, double *out, const double *g);

/* R^n at run time; *out needs no other memory. `retraction` is the name to show: "exp", "cay" or "skew".
 * Status: LIE_ERR_SIZE unless n >= 1; LIE_ERR_UNKNOWN_NAME. */
LIE_API lie_status lie_rn_ops(lie_ops *out, int n, const char *retraction);

LIE_END_DECLS

#endif
