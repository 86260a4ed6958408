/* SPDX-License-Identifier: MIT */
/* quat.h: the group H* of all quaternions but zero; it is (R+) x S3.
 *
 *   element   double q[4] = (scalar, x, y, z), Hamilton product, q != 0
 *   algebra   double x[4] = (s, w): the quaternion s + w/2. s is the rate of log|q|, w the rotation vector (rad) of S3
 *   dual      double m[4], <m, x> = sum m_i x_i
 *
 * Every output may be one of the inputs. Void functions give NaN for NaN or infinite input; the others say
 * LIE_ERR_NOT_FINITE and leave the output alone. Conventions: docs/CONVENTIONS.md. */
#ifndef LIESTEP_QUAT_H
#define LIESTEP_QUAT_H

#include <liestep/group.h>

LIE_BEGIN_DECLS

LIE_API void lie_quat_identity(double q[4]);                                    /* (1, 0, 0, 0) */
LIE_API void lie_quat_mul(double out[4], const double a[4], const double b[4]); /* a b */
LIE_API void lie_quat_inv(double out[4], const double q[4]);                    /* conj(q)/|q|^2; infinite for q = 0 */
LIE_API void lie_quat_conj(double out[4], const double q[4]);                   /* (q0, -q1, -q2, -q3) */
LIE_API double lie_quat_norm(const double q[4]);                                /* |q| */
LIE_API void lie_quat_act(double out[3], const double q[4], const double p[3]); /* q p q^-1, a rotation of p */
LIE_API void lie_quat_hat(double out[4], const double x[4]);                    /* (s, w/2) */
LIE_API void lie_quat_vee(double out[4], const double x[4]);                    /* (x0, 2 x1, 2 x2, 2 x3) */
LIE_API void lie_quat_Ad(double out[4], const double q[4], const double x[4]);  /* (s, R(q) w) */
LIE_API void lie_quat_Adt(double out[4], const double q[4], const double m[4]); /* (m0, R(q)^T m) */
LIE_API void lie_quat_ad(double out[4], const double x[4], const double y[4]);  /* (0, wx x wy) */
LIE_API void lie_quat_adt(double out[4], const double x[4], const double m[4]); /* (0, m x wx) */

/* Every nonzero finite quaternion is in the group: copies. Status: LIE_ERR_NOT_FINITE, LIE_ERR_SINGULAR for q = 0. */
LIE_API lie_status lie_quat_project(double out[4], const double q[4]);

/* exp: q = e^s exp_S3(w). log: s = log|q|, |w| <= 2 pi as in s3.h. Status of log: LIE_ERR_NOT_FINITE, LIE_ERR_SINGULAR
 * for q = 0. dexp = diag(1, dexp_S3). dexpinv: |w| < 2 pi, else LIE_ERR_DOMAIN. */
LIE_API void lie_quat_exp(double q[4], const double x[4]);
LIE_API lie_status lie_quat_log(double x[4], const double q[4]);
LIE_API void lie_quat_dexp(double out[4], const double x[4], const double v[4]);
LIE_API void lie_quat_dexpt(double out[4], const double x[4], const double m[4]);
LIE_API lie_status lie_quat_dexpinv(double out[4], const double x[4], const double v[4]);
LIE_API lie_status lie_quat_dexpinvt(double out[4], const double x[4], const double m[4]);
LIE_API void lie_quat_dexp_matrix(double M[16], const double x[4]);
LIE_API lie_status lie_quat_dexpinv_matrix(double M[16], const double x[4]);
LIE_API void lie_quat_dexp_body_deriv(double M[16], const double x[4], const double psi[4]);

/* cay: q = (1 - X/2)^-1 (1 + X/2), X = s + w/2; on s = 0 it is lie_s3_cayq. Defined where 1 - X/2 != 0 and (to be in
 * the group) 1 + X/2 != 0, that is everywhere but s = +-2, w = 0: LIE_ERR_DOMAIN there.
 * dcay_X y = (1 - X/2)^-1 y (1 + X/2)^-1 (Bou-Rabee & Marsden 2009, (4.24), (4.25)). caylog: LIE_ERR_DOMAIN at
 * q = -1. */
LIE_API lie_status lie_quat_cay(double q[4], const double x[4]);
LIE_API lie_status lie_quat_caylog(double x[4], const double q[4]);
LIE_API lie_status lie_quat_dcay(double out[4], const double x[4], const double v[4]);
LIE_API lie_status lie_quat_dcayt(double out[4], const double x[4], const double m[4]);
LIE_API void lie_quat_dcayinv(double out[4], const double x[4], const double v[4]);
LIE_API void lie_quat_dcayinvt(double out[4], const double x[4], const double m[4]);
LIE_API lie_status lie_quat_dcay_matrix(double M[16], const double x[4]);
LIE_API void lie_quat_dcayinv_matrix(double M[16], const double x[4]);
LIE_API lie_status lie_quat_dcay_body_deriv(double M[16], const double x[4], const double psi[4]);

LIE_API extern const lie_ops lie_quat_exp_ops;
LIE_API extern const lie_ops lie_quat_cay_ops;

LIE_END_DECLS

#endif
