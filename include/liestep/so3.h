/* SPDX-License-Identifier: MIT */
/* so3.h: rotations of space, SO(3).
 *
 *   element   double R[9], row-major, R maps body vectors to inertial ones
 *   algebra   double w[3], rad (or rad/s times s); hat(w) v = w x v
 *   dual      double m[3], <m, w> = m . w
 *
 * Every output may be one of the inputs. Void functions give NaN for NaN or infinite input; the others say
 * LIE_ERR_NOT_FINITE and leave the output alone. |w| must stay below 2^511, so that |w|^2 is finite.
 * Conventions: docs/CONVENTIONS.md. Accuracy: docs/ACCURACY.md.
 *
 * Per retraction tau in {exp, cay, skew}, with d<tau>_w the RIGHT-trivialised tangent (Bou-Rabee & Marsden 2009,
 * Def. 4.2):
 *   tau           R = tau(w)                      taulog (log, caylog, skewlog)   w = tau^-1(R)
 *   dtau          dtau_w v                        dtaut       (dtau_w)^T m
 *   dtauinv       dtau_w^-1 v                     dtauinvt    (dtau_w^-1)^T m
 *   dtau_matrix, dtauinv_matrix                   the same as 3x3 row-major matrices
 *   dtau_body_deriv                               M_ij = d/dw_j (dtau_{-w} psi)_i */
#ifndef LIESTEP_SO3_H
#define LIESTEP_SO3_H

#include <liestep/group.h>

LIE_BEGIN_DECLS

/* How far a matrix may be from its cofactor matrix (Frobenius norm; 0 for a rotation) before log, caylog and skewlog
 * say LIE_ERR_NOT_IN_GROUP. */
#define LIE_SO3_TOL 1e-6

LIE_API void lie_so3_identity(double R[9]);                                    /* R = 1 */
LIE_API void lie_so3_mul(double out[9], const double A[9], const double B[9]); /* A B */
LIE_API void lie_so3_inv(double out[9], const double R[9]);                    /* R^T */
LIE_API void lie_so3_act(double out[3], const double R[9], const double p[3]); /* R p */
LIE_API void lie_so3_hat(double M[9], const double w[3]);                      /* M v = w x v */
LIE_API void lie_so3_vee(double w[3], const double M[9]);                      /* of the antisymmetric part of M */
LIE_API void lie_so3_Ad(double out[3], const double R[9], const double w[3]);  /* R w */
LIE_API void lie_so3_Adt(double out[3], const double R[9], const double m[3]); /* R^T m */
LIE_API void lie_so3_ad(double out[3], const double w[3], const double v[3]);  /* w x v */
LIE_API void lie_so3_adt(double out[3], const double w[3], const double m[3]); /* m x w */

/* The rotation nearest to M in the Frobenius norm (its orthogonal polar factor).
 * Status: LIE_ERR_NOT_FINITE; LIE_ERR_SINGULAR if det M <= 0 or M is singular to working precision. */
LIE_API lie_status lie_so3_project(double out[9], const double M[9]);

/* exp: R = 1 + (sin t / t) hat(w) + ((1 - cos t) / t^2) hat(w)^2, t = |w| (Rodrigues). Domain: all w.
 * log: the w of smallest norm, |w| <= pi. At a half-turn both signs are right; the one returned has its component of
 * largest magnitude positive (the first of equals). Status: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP.
 * dexpinv: |w| < 2 pi, else LIE_ERR_DOMAIN. */
LIE_API void lie_so3_exp(double R[9], const double w[3]);
LIE_API lie_status lie_so3_log(double w[3], const double R[9]);
LIE_API void lie_so3_dexp(double out[3], const double w[3], const double v[3]);
LIE_API void lie_so3_dexpt(double out[3], const double w[3], const double m[3]);
LIE_API lie_status lie_so3_dexpinv(double out[3], const double w[3], const double v[3]);
LIE_API lie_status lie_so3_dexpinvt(double out[3], const double w[3], const double m[3]);
LIE_API void lie_so3_dexp_matrix(double M[9], const double w[3]);
LIE_API lie_status lie_so3_dexpinv_matrix(double M[9], const double w[3]);
LIE_API void lie_so3_dexp_body_deriv(double M[9], const double w[3], const double psi[3]);

/* cay: R = (1 - hat(w)/2)^-1 (1 + hat(w)/2) = 1 + 4/(4+|w|^2) (hat(w) + hat(w)^2/2) (Jimenez 2012, (6.39), (6.40)).
 * Domain: all w; |w| = 2 tan(t/2), so a half-turn is never reached.
 * caylog: LIE_ERR_DOMAIN at a half-turn (to working precision); LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP. */
LIE_API void lie_so3_cay(double R[9], const double w[3]);
LIE_API lie_status lie_so3_caylog(double w[3], const double R[9]);
LIE_API void lie_so3_dcay(double out[3], const double w[3], const double v[3]);
LIE_API void lie_so3_dcayt(double out[3], const double w[3], const double m[3]);
LIE_API void lie_so3_dcayinv(double out[3], const double w[3], const double v[3]);
LIE_API void lie_so3_dcayinvt(double out[3], const double w[3], const double m[3]);
LIE_API void lie_so3_dcay_matrix(double M[9], const double w[3]);
LIE_API void lie_so3_dcayinv_matrix(double M[9], const double w[3]);
LIE_API void lie_so3_dcay_body_deriv(double M[9], const double w[3], const double psi[3]);

/* skew: R = hat(w) + (1 + hat(w)^2)^(1/2), |w| = sin t (Bou-Rabee & Marsden 2009, (4.27)).
 * Domain: |w| <= 1; its tangent dskew and dskew_body_deriv: |w| < 1. Else LIE_ERR_DOMAIN (NaN, Inf:
 * LIE_ERR_NOT_FINITE). skewlog: vee of the antisymmetric part; turns t <= pi/2, else LIE_ERR_DOMAIN. */
LIE_API lie_status lie_so3_skew(double R[9], const double w[3]);
LIE_API lie_status lie_so3_skewlog(double w[3], const double R[9]);
LIE_API lie_status lie_so3_dskew(double out[3], const double w[3], const double v[3]);
LIE_API lie_status lie_so3_dskewt(double out[3], const double w[3], const double m[3]);
LIE_API lie_status lie_so3_dskewinv(double out[3], const double w[3], const double v[3]);
LIE_API lie_status lie_so3_dskewinvt(double out[3], const double w[3], const double m[3]);
LIE_API lie_status lie_so3_dskew_matrix(double M[9], const double w[3]);
LIE_API lie_status lie_so3_dskewinv_matrix(double M[9], const double w[3]);
LIE_API lie_status lie_so3_dskew_body_deriv(double M[9], const double w[3], const double psi[3]);

/* The same, described at run time. */
LIE_API extern const lie_ops lie_so3_exp_ops;
LIE_API extern const lie_ops lie_so3_cay_ops;
LIE_API extern const lie_ops lie_so3_skew_ops;

LIE_END_DECLS

#endif
