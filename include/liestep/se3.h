/* SPDX-License-Identifier: MIT */
/* se3.h: rigid motions of space, SE(3).
 *
 *   element   double g[12] = (R[9] row-major, x[3]); a body point p is at R p + x
 *   algebra   double X[6] = (w, v): angular velocity first, then linear velocity, both in the body frame
 *   dual      double m[6] = (Pi, P): angular then linear momentum, <m, X> = Pi . w + P . v
 *
 * Every output may be one of the inputs. Void functions give NaN for NaN or infinite input; the others say
 * LIE_ERR_NOT_FINITE and leave the output alone. |w| must stay below 2^511. Conventions: docs/CONVENTIONS.md.
 * (Fossen's order is linear first: convert.h has the swap.) */
#ifndef LIESTEP_SE3_H
#define LIESTEP_SE3_H

#include <liestep/group.h>

LIE_BEGIN_DECLS

LIE_API void lie_se3_identity(double g[12]);                                      /* (1, 0) */
LIE_API void lie_se3_mul(double out[12], const double a[12], const double b[12]); /* (Ra Rb, Ra xb + xa) */
LIE_API void lie_se3_inv(double out[12], const double g[12]);                     /* (R^T, -R^T x) */
LIE_API void lie_se3_act(double out[3], const double g[12], const double p[3]);   /* R p + x */
LIE_API void lie_se3_hat(double M[16], const double X[6]);                        /* [[hat(w), v], [0, 0]] */
LIE_API void lie_se3_vee(double X[6], const double M[16]);
LIE_API void lie_se3_Ad(double out[6], const double g[12], const double X[6]);  /* (R w, x x R w + R v) */
LIE_API void lie_se3_Adt(double out[6], const double g[12], const double m[6]); /* (R^T(Pi - x x P), R^T P) */
LIE_API void lie_se3_ad(double out[6], const double X[6], const double Y[6]);   /* (w x wy, v x wy + w x vy) */
LIE_API void lie_se3_adt(double out[6], const double X[6], const double m[6]);  /* (Pi x w + P x v, P x w) */

/* Nearest rotation, translation unchanged. Status as lie_so3_project. */
LIE_API lie_status lie_se3_project(double out[12], const double g[12]);

/* exp: (exp(w), dexp_w v). log: |w| <= pi, sign at a half-turn as lie_so3_log.
 * Status of log: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP. dexpinv: |w| < 2 pi, else LIE_ERR_DOMAIN.
 * The tangents are those of SO(3) on dual vectors w + eps v: dexp = [[D, 0], [D D[v], D]] (transference principle). */
LIE_API void lie_se3_exp(double g[12], const double X[6]);
LIE_API lie_status lie_se3_log(double X[6], const double g[12]);
LIE_API void lie_se3_dexp(double out[6], const double X[6], const double Y[6]);
LIE_API void lie_se3_dexpt(double out[6], const double X[6], const double m[6]);
LIE_API lie_status lie_se3_dexpinv(double out[6], const double X[6], const double Y[6]);
LIE_API lie_status lie_se3_dexpinvt(double out[6], const double X[6], const double m[6]);
LIE_API void lie_se3_dexp_matrix(double M[36], const double X[6]);
LIE_API lie_status lie_se3_dexpinv_matrix(double M[36], const double X[6]);
LIE_API void lie_se3_dexp_body_deriv(double M[36], const double X[6], const double psi[6]);

/* cay: (cay(w), (1 - hat(w)/2)^-1 v). (Jimenez 2012, App. B.C prints dcay_w v for the translation: that is not the
 * Cayley map of 4x4 matrices, and (5.55), used here, is not its tangent.) caylog: v = (1 - hat(w)/2) x; LIE_ERR_DOMAIN
 * at a half-turn. */
LIE_API void lie_se3_cay(double g[12], const double X[6]);
LIE_API lie_status lie_se3_caylog(double X[6], const double g[12]);
LIE_API void lie_se3_dcay(double out[6], const double X[6], const double Y[6]);
LIE_API void lie_se3_dcayt(double out[6], const double X[6], const double m[6]);
LIE_API void lie_se3_dcayinv(double out[6], const double X[6], const double Y[6]);
LIE_API void lie_se3_dcayinvt(double out[6], const double X[6], const double m[6]);
LIE_API void lie_se3_dcay_matrix(double M[36], const double X[6]);
LIE_API void lie_se3_dcayinv_matrix(double M[36], const double X[6]);
LIE_API void lie_se3_dcay_body_deriv(double M[36], const double X[6], const double psi[6]);

LIE_API extern const lie_ops lie_se3_exp_ops;
LIE_API extern const lie_ops lie_se3_cay_ops;

LIE_END_DECLS

#endif
