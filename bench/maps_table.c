/* SPDX-License-Identifier: MIT */
/* maps_table.c: every map that bench_maps times, one line each; see maps.h.
 *
 * A line names the map, its textbook version, its Eigen version if there is one, the length of the output, the
 * arguments and the largest angle drawn. R^n is timed with n = 6, products with SO(3) (Cayley) x R^3, both through one
 * more call that fixes the first argument; textbook versions are reached in the same way. */
#include "maps_table.h"
#include "maps.h"
#include "textbook.h"

#ifdef LIE_BENCH_EIGEN
#include "eigen_maps.h"
#define EIGEN(f) FN(eig_##f)
#else
#define EIGEN(f) NO_EIGEN
#endif

#include <liestep/quat.h>
#include <liestep/s3.h>
#include <liestep/se2.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

/* clang-format off */
#define NO_EIGEN {MAP_NONE, 0}
#define KIND(f) _Generic(&(f), map_v1 *: MAP_V1, map_s1 *: MAP_S1, map_v2 *: MAP_V2, map_s2 *: MAP_S2)
#define FN(f) {KIND(f), (map_any *)(f)}
#define ROW(group, map, textbook, eigen, out, a, b, angle) \
    {#group "_" #map, FN(lie_##group##_##map), FN(tb_##textbook), eigen, out, a, b, angle}
#define ROW_OF(name, fn, textbook, out, a, b) {name, FN(fn), FN(textbook), NO_EIGEN, out, a, b, TURN}
/* clang-format on */

/* Angles up to just short of a half-turn, and the domains of the inverse Cayley and skew maps. */
#define TURN 3.1415
#define CAY_TURN 3.0
#define SKEW_TURN 1.5

const map_row map_table[] = {
    /* SO(3) */
    ROW(so3, mul, so3_mul, EIGEN(so3_mul), 9, IN_SO3, IN_SO3, TURN),
    ROW(so3, inv, so3_inv, EIGEN(so3_inv), 9, IN_SO3, IN_NONE, TURN),
    ROW(so3, act, so3_act, EIGEN(so3_act), 3, IN_SO3, IN_VEC3, TURN),
    ROW(so3, hat, so3_hat, NO_EIGEN, 9, IN_VEC3, IN_NONE, TURN),
    ROW(so3, vee, so3_vee, NO_EIGEN, 3, IN_SO3_HAT, IN_NONE, TURN),
    ROW(so3, Ad, so3_act, EIGEN(so3_act), 3, IN_SO3, IN_VEC3, TURN),
    ROW(so3, Adt, so3_Adt, EIGEN(so3_Adt), 3, IN_SO3, IN_VEC3, TURN),
    ROW(so3, ad, so3_ad, EIGEN(so3_ad), 3, IN_VEC3, IN_VEC3, TURN),
    ROW(so3, adt, so3_adt, EIGEN(so3_adt), 3, IN_VEC3, IN_VEC3, TURN),
    ROW(so3, project, so3_project, EIGEN(so3_project), 9, IN_SO3_NEAR, IN_NONE, TURN),
    ROW(so3, exp, so3_exp, EIGEN(so3_exp), 9, IN_W, IN_NONE, TURN),
    ROW(so3, log, so3_log, EIGEN(so3_log), 3, IN_SO3, IN_NONE, TURN),
    ROW(so3, dexp, so3_dexp, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(so3, dexpt, so3_dexpt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(so3, dexpinv, so3_dexpinv, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(so3, dexpinvt, so3_dexpinvt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(so3, dexp_matrix, so3_dexp_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(so3, dexpinv_matrix, so3_dexpinv_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(so3, dexp_body_deriv, so3_dexp_body_deriv, NO_EIGEN, 9, IN_W, IN_VEC3, TURN),
    ROW(so3, cay, so3_cay, EIGEN(so3_cay), 9, IN_W, IN_NONE, TURN),
    ROW(so3, caylog, so3_caylog, NO_EIGEN, 3, IN_SO3, IN_NONE, CAY_TURN),
    ROW(so3, dcay, so3_dcay, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(so3, dcayt, so3_dcayt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(so3, dcayinv, so3_dcayinv, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(so3, dcayinvt, so3_dcayinvt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(so3, dcay_matrix, so3_dcay_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(so3, dcayinv_matrix, so3_dcayinv_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(so3, dcay_body_deriv, so3_dcay_body_deriv, NO_EIGEN, 9, IN_W, IN_VEC3, TURN),
    ROW(so3, skew, so3_skew, NO_EIGEN, 9, IN_W, IN_NONE, 0.95),
    ROW(so3, skewlog, so3_skewlog, NO_EIGEN, 3, IN_SO3, IN_NONE, SKEW_TURN),
    ROW(so3, dskew, so3_dskew, NO_EIGEN, 3, IN_W, IN_VEC3, 0.95),
    ROW(so3, dskewt, so3_dskewt, NO_EIGEN, 3, IN_W, IN_VEC3, 0.95),
    ROW(so3, dskewinv, so3_dskewinv, NO_EIGEN, 3, IN_W, IN_VEC3, 0.95),
    ROW(so3, dskewinvt, so3_dskewinvt, NO_EIGEN, 3, IN_W, IN_VEC3, 0.95),
    ROW(so3, dskew_matrix, so3_dskew_matrix, NO_EIGEN, 9, IN_W, IN_NONE, 0.95),
    ROW(so3, dskewinv_matrix, so3_dskewinv_matrix, NO_EIGEN, 9, IN_W, IN_NONE, 0.95),
    ROW(so3, dskew_body_deriv, so3_dskew_body_deriv, NO_EIGEN, 9, IN_W, IN_VEC3, 0.95),
    /* S3 */
    ROW(s3, mul, quat_mul, EIGEN(s3_mul), 4, IN_S3, IN_S3, TURN),
    ROW(s3, inv, s3_inv, EIGEN(s3_inv), 4, IN_S3, IN_NONE, TURN),
    ROW(s3, act, s3_act, EIGEN(s3_act), 3, IN_S3, IN_VEC3, TURN),
    ROW(s3, hat, s3_hat, NO_EIGEN, 4, IN_VEC3, IN_NONE, TURN),
    ROW(s3, vee, s3_vee, NO_EIGEN, 3, IN_VEC4, IN_NONE, TURN),
    ROW(s3, Ad, s3_act, EIGEN(s3_act), 3, IN_S3, IN_VEC3, TURN),
    ROW(s3, Adt, s3_Adt, EIGEN(s3_Adt), 3, IN_S3, IN_VEC3, TURN),
    ROW(s3, ad, so3_ad, EIGEN(so3_ad), 3, IN_VEC3, IN_VEC3, TURN),
    ROW(s3, adt, so3_adt, EIGEN(so3_adt), 3, IN_VEC3, IN_VEC3, TURN),
    ROW(s3, project, s3_project, EIGEN(s3_project), 4, IN_S3_NEAR, IN_NONE, TURN),
    ROW(s3, exp, s3_exp, EIGEN(s3_exp), 4, IN_W, IN_NONE, TURN),
    ROW(s3, log, s3_log, EIGEN(s3_log), 3, IN_S3, IN_NONE, TURN),
    ROW(s3, dexp, so3_dexp, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dexpt, so3_dexpt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dexpinv, so3_dexpinv, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dexpinvt, so3_dexpinvt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dexp_matrix, so3_dexp_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(s3, dexpinv_matrix, so3_dexpinv_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(s3, dexp_body_deriv, so3_dexp_body_deriv, NO_EIGEN, 9, IN_W, IN_VEC3, TURN),
    ROW(s3, cay, s3_cay, NO_EIGEN, 4, IN_W, IN_NONE, TURN),
    ROW(s3, caylog, s3_caylog, NO_EIGEN, 3, IN_S3, IN_NONE, CAY_TURN),
    ROW(s3, dcay, so3_dcay, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dcayt, so3_dcayt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dcayinv, so3_dcayinv, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dcayinvt, so3_dcayinvt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dcay_matrix, so3_dcay_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(s3, dcayinv_matrix, so3_dcayinv_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(s3, dcay_body_deriv, so3_dcay_body_deriv, NO_EIGEN, 9, IN_W, IN_VEC3, TURN),
    ROW(s3, cayq, s3_cayq, NO_EIGEN, 4, IN_W, IN_NONE, TURN),
    ROW(s3, cayqlog, s3_cayqlog, NO_EIGEN, 3, IN_S3, IN_NONE, TURN),
    ROW(s3, dcayq, s3_dcayq, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dcayqt, s3_dcayqt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dcayqinv, s3_dcayqinv, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dcayqinvt, s3_dcayqinvt, NO_EIGEN, 3, IN_W, IN_VEC3, TURN),
    ROW(s3, dcayq_matrix, s3_dcayq_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(s3, dcayqinv_matrix, s3_dcayqinv_matrix, NO_EIGEN, 9, IN_W, IN_NONE, TURN),
    ROW(s3, dcayq_body_deriv, s3_dcayq_body_deriv, NO_EIGEN, 9, IN_W, IN_VEC3, TURN),
    ROW(s3, skew, s3_skew, NO_EIGEN, 4, IN_W, IN_NONE, 1.9),
    ROW(s3, skewlog, s3_skewlog, NO_EIGEN, 3, IN_S3, IN_NONE, SKEW_TURN),
    ROW(s3, dskew, s3_dskew, NO_EIGEN, 3, IN_W, IN_VEC3, 1.9),
    ROW(s3, dskewt, s3_dskewt, NO_EIGEN, 3, IN_W, IN_VEC3, 1.9),
    ROW(s3, dskewinv, s3_dskewinv, NO_EIGEN, 3, IN_W, IN_VEC3, 1.9),
    ROW(s3, dskewinvt, s3_dskewinvt, NO_EIGEN, 3, IN_W, IN_VEC3, 1.9),
    ROW(s3, dskew_matrix, s3_dskew_matrix, NO_EIGEN, 9, IN_W, IN_NONE, 1.9),
    ROW(s3, dskewinv_matrix, s3_dskewinv_matrix, NO_EIGEN, 9, IN_W, IN_NONE, 1.9),
    ROW(s3, dskew_body_deriv, s3_dskew_body_deriv, NO_EIGEN, 9, IN_W, IN_VEC3, 1.9),
    /* H* */
    ROW(quat, mul, quat_mul, EIGEN(s3_mul), 4, IN_H, IN_H, TURN),
    ROW(quat, inv, quat_inv, EIGEN(quat_inv), 4, IN_H, IN_NONE, TURN),
    ROW(quat, conj, quat_conj, EIGEN(s3_inv), 4, IN_H, IN_NONE, TURN),
    ROW_OF("quat_norm", quat_norm, tb_quat_norm, 1, IN_H, IN_NONE),
    ROW(quat, project, quat_project, NO_EIGEN, 4, IN_H, IN_NONE, TURN),
    ROW(quat, act, quat_act, NO_EIGEN, 3, IN_H, IN_VEC3, TURN),
    ROW(quat, hat, quat_hat, NO_EIGEN, 4, IN_VEC4, IN_NONE, TURN),
    ROW(quat, vee, quat_vee, NO_EIGEN, 4, IN_VEC4, IN_NONE, TURN),
    ROW(quat, Ad, quat_Ad, NO_EIGEN, 4, IN_H, IN_VEC4, TURN),
    ROW(quat, Adt, quat_Adt, NO_EIGEN, 4, IN_H, IN_VEC4, TURN),
    ROW(quat, ad, quat_ad, NO_EIGEN, 4, IN_VEC4, IN_VEC4, TURN),
    ROW(quat, adt, quat_adt, NO_EIGEN, 4, IN_VEC4, IN_VEC4, TURN),
    ROW(quat, exp, quat_exp, NO_EIGEN, 4, IN_H_ALG, IN_NONE, TURN),
    ROW(quat, log, quat_log, NO_EIGEN, 4, IN_H, IN_NONE, TURN),
    ROW(quat, dexp, quat_dexp, NO_EIGEN, 4, IN_H_ALG, IN_VEC4, TURN),
    ROW(quat, dexpt, quat_dexpt, NO_EIGEN, 4, IN_H_ALG, IN_VEC4, TURN),
    ROW(quat, dexpinv, quat_dexpinv, NO_EIGEN, 4, IN_H_ALG, IN_VEC4, TURN),
    ROW(quat, dexpinvt, quat_dexpinvt, NO_EIGEN, 4, IN_H_ALG, IN_VEC4, TURN),
    ROW(quat, dexp_matrix, quat_dexp_matrix, NO_EIGEN, 16, IN_H_ALG, IN_NONE, TURN),
    ROW(quat, dexpinv_matrix, quat_dexpinv_matrix, NO_EIGEN, 16, IN_H_ALG, IN_NONE, TURN),
    ROW(quat, dexp_body_deriv, quat_dexp_body_deriv, NO_EIGEN, 16, IN_H_ALG, IN_VEC4, TURN),
    ROW(quat, cay, quat_cay, NO_EIGEN, 4, IN_H_ALG, IN_NONE, TURN),
    ROW(quat, caylog, quat_caylog, NO_EIGEN, 4, IN_H, IN_NONE, TURN),
    ROW(quat, dcay, quat_dcay, NO_EIGEN, 4, IN_H_ALG, IN_VEC4, TURN),
    ROW(quat, dcayt, quat_dcayt, NO_EIGEN, 4, IN_H_ALG, IN_VEC4, TURN),
    ROW(quat, dcayinv, quat_dcayinv, NO_EIGEN, 4, IN_H_ALG, IN_VEC4, TURN),
    ROW(quat, dcayinvt, quat_dcayinvt, NO_EIGEN, 4, IN_H_ALG, IN_VEC4, TURN),
    ROW(quat, dcay_matrix, quat_dcay_matrix, NO_EIGEN, 16, IN_H_ALG, IN_NONE, TURN),
    ROW(quat, dcayinv_matrix, quat_dcayinv_matrix, NO_EIGEN, 16, IN_H_ALG, IN_NONE, TURN),
    ROW(quat, dcay_body_deriv, quat_dcay_body_deriv, NO_EIGEN, 16, IN_H_ALG, IN_VEC4, TURN),
    /* SE(3) */
    ROW(se3, mul, se3_mul, EIGEN(se3_mul), 12, IN_SE3, IN_SE3, TURN),
    ROW(se3, inv, se3_inv, EIGEN(se3_inv), 12, IN_SE3, IN_NONE, TURN),
    ROW(se3, act, se3_act, EIGEN(se3_act), 3, IN_SE3, IN_VEC3, TURN),
    ROW(se3, hat, se3_hat, NO_EIGEN, 16, IN_VEC6, IN_NONE, TURN),
    ROW(se3, vee, se3_vee, NO_EIGEN, 6, IN_SE3_HAT, IN_NONE, TURN),
    ROW(se3, Ad, se3_Ad, EIGEN(se3_Ad), 6, IN_SE3, IN_VEC6, TURN),
    ROW(se3, Adt, se3_Adt, EIGEN(se3_Adt), 6, IN_SE3, IN_VEC6, TURN),
    ROW(se3, ad, se3_ad, NO_EIGEN, 6, IN_VEC6, IN_VEC6, TURN),
    ROW(se3, adt, se3_adt, NO_EIGEN, 6, IN_VEC6, IN_VEC6, TURN),
    ROW(se3, project, se3_project, NO_EIGEN, 12, IN_SE3_NEAR, IN_NONE, TURN),
    ROW(se3, exp, se3_exp, EIGEN(se3_exp), 12, IN_SE3_ALG, IN_NONE, TURN),
    ROW(se3, log, se3_log, EIGEN(se3_log), 6, IN_SE3, IN_NONE, TURN),
    ROW(se3, dexp, se3_dexp, EIGEN(se3_dexp), 6, IN_SE3_ALG, IN_VEC6, TURN),
    ROW(se3, dexpt, se3_dexpt, NO_EIGEN, 6, IN_SE3_ALG, IN_VEC6, TURN),
    ROW(se3, dexpinv, se3_dexpinv, NO_EIGEN, 6, IN_SE3_ALG, IN_VEC6, TURN),
    ROW(se3, dexpinvt, se3_dexpinvt, NO_EIGEN, 6, IN_SE3_ALG, IN_VEC6, TURN),
    ROW(se3, dexp_matrix, se3_dexp_matrix, NO_EIGEN, 36, IN_SE3_ALG, IN_NONE, TURN),
    ROW(se3, dexpinv_matrix, se3_dexpinv_matrix, NO_EIGEN, 36, IN_SE3_ALG, IN_NONE, TURN),
    ROW(se3, dexp_body_deriv, se3_dexp_body_deriv, NO_EIGEN, 36, IN_SE3_ALG, IN_VEC6, TURN),
    ROW(se3, cay, se3_cay, EIGEN(se3_cay), 12, IN_SE3_ALG, IN_NONE, TURN),
    ROW(se3, caylog, se3_caylog, NO_EIGEN, 6, IN_SE3, IN_NONE, CAY_TURN),
    ROW(se3, dcay, se3_dcay, NO_EIGEN, 6, IN_SE3_ALG, IN_VEC6, TURN),
    ROW(se3, dcayt, se3_dcayt, NO_EIGEN, 6, IN_SE3_ALG, IN_VEC6, TURN),
    ROW(se3, dcayinv, se3_dcayinv, NO_EIGEN, 6, IN_SE3_ALG, IN_VEC6, TURN),
    ROW(se3, dcayinvt, se3_dcayinvt, NO_EIGEN, 6, IN_SE3_ALG, IN_VEC6, TURN),
    ROW(se3, dcay_matrix, se3_dcay_matrix, NO_EIGEN, 36, IN_SE3_ALG, IN_NONE, TURN),
    ROW(se3, dcayinv_matrix, se3_dcayinv_matrix, NO_EIGEN, 36, IN_SE3_ALG, IN_NONE, TURN),
    ROW(se3, dcay_body_deriv, se3_dcay_body_deriv, NO_EIGEN, 36, IN_SE3_ALG, IN_VEC6, TURN),
    /* SE(2) */
    ROW(se2, mul, se2_mul, EIGEN(se2_mul), 4, IN_SE2, IN_SE2, TURN),
    ROW(se2, inv, se2_inv, EIGEN(se2_inv), 4, IN_SE2, IN_NONE, TURN),
    ROW(se2, act, se2_act, EIGEN(se2_act), 2, IN_SE2, IN_VEC2, TURN),
    ROW(se2, hat, se2_hat, NO_EIGEN, 9, IN_VEC3, IN_NONE, TURN),
    ROW(se2, vee, se2_vee, NO_EIGEN, 3, IN_SE2_HAT, IN_NONE, TURN),
    ROW(se2, Ad, se2_Ad, NO_EIGEN, 3, IN_SE2, IN_VEC3, TURN),
    ROW(se2, Adt, se2_Adt, NO_EIGEN, 3, IN_SE2, IN_VEC3, TURN),
    ROW(se2, ad, se2_ad, NO_EIGEN, 3, IN_VEC3, IN_VEC3, TURN),
    ROW(se2, adt, se2_adt, NO_EIGEN, 3, IN_VEC3, IN_VEC3, TURN),
    ROW(se2, project, se2_project, NO_EIGEN, 4, IN_SE2_NEAR, IN_NONE, TURN),
    ROW(se2, exp, se2_exp, NO_EIGEN, 4, IN_SE2_ALG, IN_NONE, TURN),
    ROW(se2, log, se2_log, NO_EIGEN, 3, IN_SE2, IN_NONE, TURN),
    ROW(se2, dexp, se2_dexp, NO_EIGEN, 3, IN_SE2_ALG, IN_VEC3, TURN),
    ROW(se2, dexpt, se2_dexpt, NO_EIGEN, 3, IN_SE2_ALG, IN_VEC3, TURN),
    ROW(se2, dexpinv, se2_dexpinv, NO_EIGEN, 3, IN_SE2_ALG, IN_VEC3, TURN),
    ROW(se2, dexpinvt, se2_dexpinvt, NO_EIGEN, 3, IN_SE2_ALG, IN_VEC3, TURN),
    ROW(se2, dexp_matrix, se2_dexp_matrix, NO_EIGEN, 9, IN_SE2_ALG, IN_NONE, TURN),
    ROW(se2, dexpinv_matrix, se2_dexpinv_matrix, NO_EIGEN, 9, IN_SE2_ALG, IN_NONE, TURN),
    ROW(se2, dexp_body_deriv, se2_dexp_body_deriv, NO_EIGEN, 9, IN_SE2_ALG, IN_VEC3, TURN),
    ROW(se2, cay, se2_cay, NO_EIGEN, 4, IN_SE2_ALG, IN_NONE, TURN),
    ROW(se2, caylog, se2_caylog, NO_EIGEN, 3, IN_SE2, IN_NONE, CAY_TURN),
    ROW(se2, dcay, se2_dcay, NO_EIGEN, 3, IN_SE2_ALG, IN_VEC3, TURN),
    ROW(se2, dcayt, se2_dcayt, NO_EIGEN, 3, IN_SE2_ALG, IN_VEC3, TURN),
    ROW(se2, dcayinv, se2_dcayinv, NO_EIGEN, 3, IN_SE2_ALG, IN_VEC3, TURN),
    ROW(se2, dcayinvt, se2_dcayinvt, NO_EIGEN, 3, IN_SE2_ALG, IN_VEC3, TURN),
    ROW(se2, dcay_matrix, se2_dcay_matrix, NO_EIGEN, 9, IN_SE2_ALG, IN_NONE, TURN),
    ROW(se2, dcayinv_matrix, se2_dcayinv_matrix, NO_EIGEN, 9, IN_SE2_ALG, IN_NONE, TURN),
    ROW(se2, dcay_body_deriv, se2_dcay_body_deriv, NO_EIGEN, 9, IN_SE2_ALG, IN_VEC3, TURN),
    /* R^6 and SO(3) x R^3 */
    ROW_OF("rn_mul", rn6_mul, tb_rn6_mul, 6, IN_VEC6, IN_VEC6),
    ROW_OF("rn_inv", rn6_inv, tb_rn6_inv, 6, IN_VEC6, IN_NONE),
    ROW_OF("rn_exp", rn6_exp, tb_rn6_exp, 6, IN_VEC6, IN_NONE),
    ROW_OF("rn_log", rn6_log, tb_rn6_exp, 6, IN_VEC6, IN_NONE),
    ROW_OF("rn_dexp", rn6_dexp, tb_rn6_dexp, 6, IN_VEC6, IN_VEC6),
    ROW_OF("rn_dexp_matrix", rn6_dexp_matrix, tb_rn6_dexp_matrix, 36, IN_VEC6, IN_NONE),
    ROW_OF("product_mul", product_mul, tb_product_mul, 12, IN_SO3_R3, IN_SO3_R3),
    ROW_OF("product_inv", product_inv, tb_product_inv, 12, IN_SO3_R3, IN_NONE),
    ROW_OF("product_tau", product_tau, tb_product_tau, 12, IN_SO3_R3_ALG, IN_NONE),
    ROW_OF("product_dtau", product_dtau, tb_product_dtau, 6, IN_SO3_R3_ALG, IN_VEC6),
    ROW_OF("product_dtauinvt", product_dtauinvt, tb_product_dtauinvt, 6, IN_SO3_R3_ALG, IN_VEC6),
};

const int map_table_count = (int)(sizeof map_table / sizeof map_table[0]);

static void empty(double *out, const double *a)
{
    (void)out;
    (void)a;
}

static void copy(double *out, const double *a)
{
    out[0] = a[0];
}

const map_row map_empty_row = {"empty call", FN(empty), NO_EIGEN, NO_EIGEN, 1, IN_VEC3, IN_NONE, 0.0};
const map_row map_copy_row = {"copy of one double", FN(copy), NO_EIGEN, NO_EIGEN, 1, IN_VEC3, IN_NONE, 0.0};
