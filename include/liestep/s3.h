/* SPDX-License-Identifier: MIT */
/* s3.h: unit quaternions, S3, the double cover of the rotations.
 *
 *   element   double q[4] = (scalar, x, y, z), Hamilton product, |q| = 1; p -> q p q^-1 maps body to inertial vectors
 *   algebra   double w[3], rad, standing for the pure quaternion (0, w/2): exp(w) turns by |w| about w
 *   dual      double m[3], <m, w> = m . w
 *
 * Brackets, Ad and the tangents of exp, cay and skew act on the same R^3 as those of SO(3).
 * Every output may be one of the inputs. Void functions give NaN for NaN or infinite input; the others say
 * LIE_ERR_NOT_FINITE and leave the output alone. |w| must stay below 2^511. Conventions: docs/CONVENTIONS.md.
 *
 * Four retractions. Per tau: tau, taulog, dtau, dtaut, dtauinv, dtauinvt, dtau_matrix, dtauinv_matrix,
 * dtau_body_deriv, as in so3.h. */
#ifndef LIESTEP_S3_H
#define LIESTEP_S3_H

#include <liestep/group.h>

LIE_BEGIN_DECLS

/* How far |q|^2 may be from 1 before the inverse retractions say LIE_ERR_NOT_IN_GROUP. */
#define LIE_S3_TOL 1e-6

LIE_API void lie_s3_identity(double q[4]);                                    /* (1, 0, 0, 0) */
LIE_API void lie_s3_mul(double out[4], const double a[4], const double b[4]); /* Hamilton product a b */
LIE_API void lie_s3_inv(double out[4], const double q[4]);                    /* conjugate */
LIE_API void lie_s3_act(double out[3], const double q[4], const double p[3]); /* q p q^-1 = R(q) p */
LIE_API void lie_s3_hat(double x[4], const double w[3]);                      /* (0, w/2) */
LIE_API void lie_s3_vee(double w[3], const double x[4]);                      /* 2 (x1, x2, x3) */
LIE_API void lie_s3_Ad(double out[3], const double q[4], const double w[3]);  /* R(q) w */
LIE_API void lie_s3_Adt(double out[3], const double q[4], const double m[3]); /* R(q)^T m */
LIE_API void lie_s3_ad(double out[3], const double w[3], const double v[3]);  /* w x v */
LIE_API void lie_s3_adt(double out[3], const double w[3], const double m[3]); /* m x w */

/* q / |q|, safe against overflow and underflow of |q|^2. Status: LIE_ERR_NOT_FINITE; LIE_ERR_SINGULAR for q = 0. */
LIE_API lie_status lie_s3_project(double out[4], const double q[4]);

/* exp: q = (cos t/2, sin(t/2) w/t), t = |w|. Domain: all w.
 * log: the w of smallest norm with exp(w) = q, so |w| <= 2 pi and log(-q) != log(q). At q = -1 every direction is
 * right; (2 pi, 0, 0) is returned. The shortest rotation vector of an attitude is lie_quat_to_rotvec (convert.h).
 * Status: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP. dexpinv: |w| < 2 pi, else LIE_ERR_DOMAIN. */
LIE_API void lie_s3_exp(double q[4], const double w[3]);
LIE_API lie_status lie_s3_log(double w[3], const double q[4]);
LIE_API void lie_s3_dexp(double out[3], const double w[3], const double v[3]);
LIE_API void lie_s3_dexpt(double out[3], const double w[3], const double m[3]);
LIE_API lie_status lie_s3_dexpinv(double out[3], const double w[3], const double v[3]);
LIE_API lie_status lie_s3_dexpinvt(double out[3], const double w[3], const double m[3]);
LIE_API void lie_s3_dexp_matrix(double M[9], const double w[3]);
LIE_API lie_status lie_s3_dexpinv_matrix(double M[9], const double w[3]);
LIE_API void lie_s3_dexp_body_deriv(double M[9], const double w[3], const double psi[3]);

/* cay: the lift of SO(3)'s Cayley map, q = (2, w) / sqrt(4 + |w|^2); R(cay(w)) = lie_so3_cay(w), same tangents.
 * caylog: w = 2 (q1,q2,q3)/q0. Reaches turns below pi (q0 > 0); q0 <= 0 is LIE_ERR_DOMAIN. */
LIE_API void lie_s3_cay(double q[4], const double w[3]);
LIE_API lie_status lie_s3_caylog(double w[3], const double q[4]);
LIE_API void lie_s3_dcay(double out[3], const double w[3], const double v[3]);
LIE_API void lie_s3_dcayt(double out[3], const double w[3], const double m[3]);
LIE_API void lie_s3_dcayinv(double out[3], const double w[3], const double v[3]);
LIE_API void lie_s3_dcayinvt(double out[3], const double w[3], const double m[3]);
LIE_API void lie_s3_dcay_matrix(double M[9], const double w[3]);
LIE_API void lie_s3_dcayinv_matrix(double M[9], const double w[3]);
LIE_API void lie_s3_dcay_body_deriv(double M[9], const double w[3], const double psi[3]);

/* cayq: the Cayley map of the quaternion algebra itself, q = (1 - x/2)^-1 (1 + x/2), x = (0, w/2):
 * q = (1 - |w|^2/16, w/2) / (1 + |w|^2/16); |w| = 4 tan(t/4), reaches every q but -1.
 * dcayqinv = (1 - |w|^2/16) - hat(w)/2 + w w^T/8. The tangent dcayq is regular everywhere.
 * cayqlog: w = 4 (q1,q2,q3)/(1 + q0); LIE_ERR_DOMAIN at q = -1. */
LIE_API void lie_s3_cayq(double q[4], const double w[3]);
LIE_API lie_status lie_s3_cayqlog(double w[3], const double q[4]);
LIE_API void lie_s3_dcayq(double out[3], const double w[3], const double v[3]);
LIE_API void lie_s3_dcayqt(double out[3], const double w[3], const double m[3]);
LIE_API void lie_s3_dcayqinv(double out[3], const double w[3], const double v[3]);
LIE_API void lie_s3_dcayqinvt(double out[3], const double w[3], const double m[3]);
LIE_API void lie_s3_dcayq_matrix(double M[9], const double w[3]);
LIE_API void lie_s3_dcayqinv_matrix(double M[9], const double w[3]);
LIE_API void lie_s3_dcayq_body_deriv(double M[9], const double w[3], const double psi[3]);

/* skew: q = (sqrt(1 - |w|^2/4), w/2), |w| = 2 sin(t/2); the map behind Wendlandt & Marsden (1997), (55).
 * dskewinv = sqrt(1 - |w|^2/4) - hat(w)/2. Domain: |w| <= 2; dskew and dskew_body_deriv: |w| < 2. Else LIE_ERR_DOMAIN.
 * skewlog: w = 2 (q1,q2,q3); q0 >= 0, else LIE_ERR_DOMAIN. */
LIE_API lie_status lie_s3_skew(double q[4], const double w[3]);
LIE_API lie_status lie_s3_skewlog(double w[3], const double q[4]);
LIE_API lie_status lie_s3_dskew(double out[3], const double w[3], const double v[3]);
LIE_API lie_status lie_s3_dskewt(double out[3], const double w[3], const double m[3]);
LIE_API lie_status lie_s3_dskewinv(double out[3], const double w[3], const double v[3]);
LIE_API lie_status lie_s3_dskewinvt(double out[3], const double w[3], const double m[3]);
LIE_API lie_status lie_s3_dskew_matrix(double M[9], const double w[3]);
LIE_API lie_status lie_s3_dskewinv_matrix(double M[9], const double w[3]);
LIE_API lie_status lie_s3_dskew_body_deriv(double M[9], const double w[3], const double psi[3]);

LIE_API extern const lie_ops lie_s3_exp_ops;
LIE_API extern const lie_ops lie_s3_cay_ops;
LIE_API extern const lie_ops lie_s3_cayq_ops;
LIE_API extern const lie_ops lie_s3_skew_ops;

LIE_END_DECLS

#endif
