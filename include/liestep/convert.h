/* SPDX-License-Identifier: MIT */
/* convert.h: one attitude in the forms and conventions of other people and other codes.
 *
 * The two forms of this library, into and out of which everything is converted:
 *   q[4]   unit quaternion, Hamilton product, scalar first; p -> q p q^-1 maps body to inertial vectors
 *   R[9]   rotation matrix, row-major, maps body to inertial vectors; R = R(q)
 * All frames are right-handed, all angles are in radians and positive by the right-hand rule.
 *
 * The inverse direction (inertial to body) is lie_quat_conj (quat.h) and lie_so3_inv (so3.h); rotation vector <->
 * matrix is lie_so3_exp and lie_so3_log. Input whose length or orthogonality is off by more than the tolerances
 * LIE_S3_TOL and LIE_SO3_TOL is refused; lie_s3_project and lie_so3_project bring it back.
 *
 * Sign: q and -q are one attitude. Every function <form>_to_quat returns the one with scalar part > 0; at a half-turn
 * (scalar part 0) the one whose component of largest magnitude, the first of equals, is positive. Functions that start
 * from a quaternion give the same result for q and -q, unless they only reorder.
 *
 * Every output may be one of the inputs. Functions that return a status say LIE_ERR_NOT_FINITE for NaN
 * and infinities and LIE_ERR_NOT_IN_GROUP for what is no rotation, and then leave their outputs alone; void functions
 * give NaN for NaN or infinite input, except those marked "pass through", which move values and change signs only.
 * Errors are a few units of round-off of the attitude everywhere, the singular places included; rotations down to the
 * smallest doubles keep the relative accuracy of their vector part. Golden vectors: docs/CONVERT.md; conventions:
 * docs/CONVENTIONS.md. */
#ifndef LIESTEP_CONVERT_H
#define LIESTEP_CONVERT_H

#include <liestep/quat.h>
#include <liestep/s3.h>
#include <liestep/so3.h>

LIE_BEGIN_DECLS

/* Quaternion <-> matrix. */

/* R = R(q): R p = q p q^-1. Any q but 0: its length does not matter, so that R is orthogonal to round-off. */
LIE_API void lie_quat_to_matrix(double R[9], const double q[4]);
/* The unit quaternion of R (Shepperd 1978: from the largest of trace and diagonal).
 * Status: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP (|R^T R - 1| > LIE_SO3_TOL, or a reflection). */
LIE_API lie_status lie_matrix_to_quat(double q[4], const double R[9]);

/* Which of q and -q. Both pass through: they change signs only. */

/* That of q and -q which obeys the sign rule above. */
LIE_API void lie_quat_canonical(double out[4], const double q[4]);
/* That of q and -q which is nearer to `previous` (q itself if both are equally near): keeps a time series continuous.
 * NaN if an input is not finite. */
LIE_API void lie_quat_near(double out[4], const double q[4], const double previous[4]);

/* Rotation vector w = angle x unit axis (rad). */

/* q = (cos t/2, sin(t/2) w/t), t = |w|, then the sign rule. Domain: |w| < 2^511. */
LIE_API void lie_rotvec_to_quat(double q[4], const double w[3]);
/* The shortest rotation vector, |w| <= pi. At a half-turn the sign is that of lie_so3_log.
 * Status: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP. */
LIE_API lie_status lie_quat_to_rotvec(double w[3], const double q[4]);

/* Unit axis and angle (rad).
 * to: any finite angle. The axis must have length 1 within LIE_S3_TOL, else LIE_ERR_NOT_IN_GROUP.
 * from: angle in [0, pi], axis of length 1; axis (1, 0, 0) for the identity; at a half-turn the sign rule above.
 * Status: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP. */
LIE_API lie_status lie_axis_angle_to_quat(double q[4], const double axis[3], double angle);
LIE_API lie_status lie_axis_angle_to_matrix(double R[9], const double axis[3], double angle);
LIE_API lie_status lie_quat_to_axis_angle(double axis[3], double *angle, const double q[4]);
LIE_API lie_status lie_matrix_to_axis_angle(double axis[3], double *angle, const double R[9]);

/* Modified Rodrigues parameters s = q_v/(1 + q_0) = tan(angle/4) x axis (Schaub & Junkins 2018, section 3.6).
 * s and its shadow -s/|s|^2 are one attitude (those of q and -q). */

/* Domain: all finite s, inside and outside the unit ball. */
LIE_API void lie_mrp_to_quat(double q[4], const double s[3]);
LIE_API void lie_mrp_to_matrix(double R[9], const double s[3]);
/* Always the set with |s| <= 1 (to round-off at a half-turn, where the sign rule decides).
 * Status: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP. */
LIE_API lie_status lie_quat_to_mrp(double s[3], const double q[4]);
LIE_API lie_status lie_matrix_to_mrp(double s[3], const double R[9]);
/* -s/|s|^2. Status: LIE_ERR_NOT_FINITE; LIE_ERR_DOMAIN at s = 0 (and |s| < 1e-308), whose shadow is infinite. */
LIE_API lie_status lie_mrp_shadow(double out[3], const double s[3]);
/* s if |s| <= 1, else its shadow. */
LIE_API void lie_mrp_shortest(double out[3], const double s[3]);
/* That of s and its shadow which is nearer to `previous` (s if equally near): keeps a time series continuous. */
LIE_API void lie_mrp_near(double out[3], const double s[3], const double previous[3]);

/* Euler angles, intrinsic (each turn about an axis of the frame already turned).
 *   zyx   e = (yaw, pitch, roll), the aerospace 3-2-1:  R = Rz(e0) Ry(e1) Rx(e2)
 *         from: yaw, roll in (-pi, pi], pitch in [-pi/2, pi/2]. Gimbal lock, pitch = +-pi/2: roll = 0, yaw has it all
 *   zxz   e = (alpha, beta, gamma), the classical 3-1-3: R = Rz(e0) Rx(e1) Rz(e2)
 *         from: alpha, gamma in (-pi, pi], beta in [0, pi]. beta = 0 or pi: gamma = 0, alpha has it all
 * "Lock" means within round-off (2^-50 of the quaternion's length): the two angles are then not defined by the data.
 * Any finite angles are accepted. Half sums and half differences of the outer angles are the arguments of two complex
 * numbers linear in q (Bernardes & Viollet 2022); taking products of those two keeps the attitude to round-off near the
 * lock as well. Status: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP. */
LIE_API void lie_euler_zyx_to_quat(double q[4], const double e[3]);
LIE_API void lie_euler_zyx_to_matrix(double R[9], const double e[3]);
LIE_API lie_status lie_quat_to_euler_zyx(double e[3], const double q[4]);
LIE_API lie_status lie_matrix_to_euler_zyx(double e[3], const double R[9]);
LIE_API void lie_euler_zxz_to_quat(double q[4], const double e[3]);
LIE_API void lie_euler_zxz_to_matrix(double R[9], const double e[3]);
LIE_API lie_status lie_quat_to_euler_zxz(double e[3], const double q[4]);
LIE_API lie_status lie_matrix_to_euler_zxz(double e[3], const double R[9]);

/* Order of the components: (scalar, x, y, z) <-> (x, y, z, scalar); same rotation, same direction. Pass through. */
LIE_API void lie_quat_to_scalar_last(double xyzs[4], const double q[4]);
LIE_API void lie_quat_from_scalar_last(double q[4], const double xyzs[4]);

/* Fossen (Handbook of Marine Craft Hydrodynamics and Motion Control, 2021, ch. 2): linear parts first.
 *   nu  = (u, v, w, p, q, r): linear, then angular velocity, both in the body frame
 *   eta = (x, y, z, phi, theta, psi): position, then roll, pitch, yaw; R = Rz(psi) Ry(theta) Rx(phi), body to inertial
 * Here: twist X = (angular, linear), element g[12] = (R, x) of SE(3) (se3.h). */

/* (w, v) <-> (v, w). Also for momenta and forces, (Pi, P) <-> (P, Pi). Pass through. */
LIE_API void lie_twist_to_fossen(double nu[6], const double X[6]);
LIE_API void lie_twist_from_fossen(double X[6], const double nu[6]);
/* The same exchange of both rows and columns of a 6x6 row-major matrix: inertia, added mass, damping. Pass through. */
LIE_API void lie_inertia_to_fossen(double fossen[36], const double inertia[36]);
LIE_API void lie_inertia_from_fossen(double inertia[36], const double fossen[36]);
/* eta <-> (R, x). Gimbal lock as above: phi = 0. Position passes through (a NaN in it is LIE_ERR_NOT_FINITE in `from`).
 * Status: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP. */
LIE_API lie_status lie_se3_to_fossen(double eta[6], const double g[12]);
LIE_API void lie_se3_from_fossen(double g[12], const double eta[6]);

/* The attitude of other codes. from: their array to our q; to: our q to their array. Reordering and signs only, nothing
 * is rounded; q and -q stay apart. Status of from: LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP (single precision and text
 * with seven decimals pass; lie_s3_project then makes them unit to round-off). to: pass through. */

/* 42 (NASA): SC[].B[].qn, scalar LAST, Hamilton, called "N to B"; its matrix CN is inertial to body, R^T. The numbers
 * are those of our body-to-inertial q: (x, y, z, scalar). */
LIE_API lie_status lie_quat_from_42(double q[4], const double qn[4]);
LIE_API void lie_quat_to_42(double qn[4], const double q[4]);

/* Basilisk: Euler parameters beta_BN, scalar FIRST, Hamilton; its matrix [BN] is inertial to body, R^T. The numbers are
 * those of our body-to-inertial q. MRP sigma_BN: those of lie_quat_to_mrp, shadow set beyond |sigma| = 1. */
LIE_API lie_status lie_quat_from_basilisk_ep(double q[4], const double beta_BN[4]);
LIE_API void lie_quat_to_basilisk_ep(double beta_BN[4], const double q[4]);
/* As lie_mrp_to_quat and lie_quat_to_mrp. Status of both: LIE_ERR_NOT_FINITE; of `to` also LIE_ERR_NOT_IN_GROUP. */
LIE_API lie_status lie_quat_from_basilisk_mrp(double q[4], const double sigma_BN[3]);
LIE_API lie_status lie_quat_to_basilisk_mrp(double sigma_BN[3], const double q[4]);

/* Trick er7_utils (and JEOD's Q_parent_this): LEFT transformation quaternion, parent to body, scalar FIRST, Hamilton:
 * v_body = Q v_parent Q^-1. It is the conjugate of our body-to-inertial q. */
LIE_API lie_status lie_quat_from_trick(double q[4], const double Q[4]);
LIE_API void lie_quat_to_trick(double Q[4], const double q[4]);

/* PX4: vehicle_attitude.q, scalar FIRST, Hamilton, body (forward-right-down) to world (north-east-down): the same
 * numbers as our q, whose body and inertial frame then are those two. */
LIE_API lie_status lie_quat_from_px4(double q[4], const double q_px4[4]);
LIE_API void lie_quat_to_px4(double q_px4[4], const double q[4]);

/* CCSDS AEM 1.0 (504.0-B-1): QUATERNION_TYPE places the scalar QC, ATTITUDE_DIR says from which frame to which. The
 * components are QC = cos(angle/2), Q1..3 = axis sin(angle/2) of the turn that carries the first frame into the second.
 * Here REF_FRAME_A is the inertial and REF_FRAME_B the body frame: A2B then has the numbers of our body-to-inertial q,
 * B2A those of its conjugate. If the file names the frames the other way round, exchange A2B and B2A.
 * AEM 2.0 has no such keywords: it is LAST, A2B. The standard recommends QC >= 0: lie_quat_canonical first.
 * Status of both: LIE_ERR_DOMAIN for a type or direction that is none; LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP. */
typedef enum lie_ccsds_type { LIE_CCSDS_FIRST, LIE_CCSDS_LAST } lie_ccsds_type;
typedef enum lie_ccsds_dir { LIE_CCSDS_A2B, LIE_CCSDS_B2A } lie_ccsds_dir;
LIE_API lie_status lie_quat_from_ccsds(double q[4], const double aem[4], lie_ccsds_type type, lie_ccsds_dir dir);
LIE_API lie_status lie_quat_to_ccsds(double aem[4], const double q[4], lie_ccsds_type type, lie_ccsds_dir dir);

LIE_END_DECLS

#endif
