/* SPDX-License-Identifier: MIT */
/* se2.h: rigid motions of the plane, SE(2).
 *
 *   element   double g[4] = (cos t, sin t, x, y); a body point p is at R(t) p + (x, y)
 *   algebra   double X[3] = (w, vx, vy): turn rate, then linear velocity in the body frame
 *   dual      double m[3], <m, X> = sum m_i X_i
 *
 * Every output may be one of the inputs. Void functions give NaN for NaN or infinite input; the others say
 * LIE_ERR_NOT_FINITE and leave the output alone. |w| must stay below 2^511. Conventions: docs/CONVENTIONS.md.
 * Reference: Jimenez 2012, App. B.B. */
#ifndef LIESTEP_SE2_H
#define LIESTEP_SE2_H

#include <liestep/group.h>

LIE_BEGIN_DECLS

LIE_API void lie_se2_identity(double g[4]);                                    /* (1, 0, 0, 0) */
LIE_API void lie_se2_mul(double out[4], const double a[4], const double b[4]); /* a b */
LIE_API void lie_se2_inv(double out[4], const double g[4]);                    /* g^-1 */
LIE_API void lie_se2_act(double out[2], const double g[4], const double p[2]); /* R p + (x, y) */
LIE_API void lie_se2_hat(double M[9], const double X[3]);                      /* [[0,-w,vx],[w,0,vy],[0,0,0]] */
LIE_API void lie_se2_vee(double X[3], const double M[9]);
LIE_API void lie_se2_Ad(double out[3], const double g[4], const double X[3]); /* (w, R v + w (y, -x)) */
LIE_API void lie_se2_Adt(double out[3], const double g[4], const double m[3]);
LIE_API void lie_se2_ad(double out[3], const double X[3], const double Y[3]); /* [X, Y] */
LIE_API void lie_se2_adt(double out[3], const double X[3], const double m[3]);

/* (c, s) / |(c, s)|, translation unchanged. Status: LIE_ERR_NOT_FINITE; LIE_ERR_SINGULAR for c = s = 0. */
LIE_API lie_status lie_se2_project(double out[4], const double g[4]);

/* exp: (R(w), V(w) v), V = (sin w / w) 1 + ((1 - cos w) / w) J. log: -pi < w <= pi (a half-turn gives +pi).
 * Status of log: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP (|(c,s)|^2 off 1 by more than LIE_SE2_TOL).
 * dexpinv: |w| < 2 pi, else LIE_ERR_DOMAIN. */
#define LIE_SE2_TOL 1e-6
LIE_API void lie_se2_exp(double g[4], const double X[3]);
LIE_API lie_status lie_se2_log(double X[3], const double g[4]);
LIE_API void lie_se2_dexp(double out[3], const double X[3], const double Y[3]);
LIE_API void lie_se2_dexpt(double out[3], const double X[3], const double m[3]);
LIE_API lie_status lie_se2_dexpinv(double out[3], const double X[3], const double Y[3]);
LIE_API lie_status lie_se2_dexpinvt(double out[3], const double X[3], const double m[3]);
LIE_API void lie_se2_dexp_matrix(double M[9], const double X[3]);
LIE_API lie_status lie_se2_dexpinv_matrix(double M[9], const double X[3]);
LIE_API void lie_se2_dexp_body_deriv(double M[9], const double X[3], const double psi[3]);

/* cay: (cay(w), (1 - w J/2)^-1 v). dcayinv_X = 1 - ad_X/2 + (w/4) X e1^T. caylog: LIE_ERR_DOMAIN at a half-turn. */
LIE_API void lie_se2_cay(double g[4], const double X[3]);
LIE_API lie_status lie_se2_caylog(double X[3], const double g[4]);
LIE_API void lie_se2_dcay(double out[3], const double X[3], const double Y[3]);
LIE_API void lie_se2_dcayt(double out[3], const double X[3], const double m[3]);
LIE_API void lie_se2_dcayinv(double out[3], const double X[3], const double Y[3]);
LIE_API void lie_se2_dcayinvt(double out[3], const double X[3], const double m[3]);
LIE_API void lie_se2_dcay_matrix(double M[9], const double X[3]);
LIE_API void lie_se2_dcayinv_matrix(double M[9], const double X[3]);
LIE_API void lie_se2_dcay_body_deriv(double M[9], const double X[3], const double psi[3]);

LIE_API extern const lie_ops lie_se2_exp_ops;
LIE_API extern const lie_ops lie_se2_cay_ops;

LIE_END_DECLS

#endif
