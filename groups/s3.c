/* SPDX-License-Identifier: MIT */
/* s3.c: S3, the unit quaternions. Tangents of the retractions: so3_maps.h; formulas: s3.h. */
#include <liestep/s3.h>

#include "groups/maps/quat_maps.h"
#include "groups/num/finite.h"
#include "groups/num/vec3.h"
#include "groups/ops_adapters.h"
#include "groups/step/so3_step.h"

void lie_s3_identity(double q[4])
{
    q[0] = 1.0;
    zero_n(3, q + 1);
}

void lie_s3_mul(double out[4], const double a[4], const double b[4])
{
    double r[4];
    quat_mul(r, a, b);
    copy_n(4, out, r);
}

void lie_s3_inv(double out[4], const double q[4])
{
    const double r[4] = {q[0], -q[1], -q[2], -q[3]};
    copy_n(4, out, r);
}

void lie_s3_act(double out[3], const double q[4], const double p[3])
{
    double r[3];
    quat_rotate(r, 2.0, q[0], q + 1, p);
    copy_n(3, out, r);
}

void lie_s3_hat(double x[4], const double w[3])
{
    const double r[4] = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
    copy_n(4, x, r);
}

void lie_s3_vee(double w[3], const double x[4])
{
    const double r[3] = {2.0 * x[1], 2.0 * x[2], 2.0 * x[3]};
    copy_n(3, w, r);
}

void lie_s3_Ad(double out[3], const double q[4], const double w[3])
{
    lie_s3_act(out, q, w);
}

void lie_s3_Adt(double out[3], const double q[4], const double m[3])
{
    double r[3];
    quat_rotate(r, 2.0, -q[0], q + 1, m);
    copy_n(3, out, r);
}

void lie_s3_ad(double out[3], const double w[3], const double v[3])
{
    double r[3];
    cross3(r, w, v);
    copy_n(3, out, r);
}

void lie_s3_adt(double out[3], const double w[3], const double m[3])
{
    lie_s3_ad(out, m, w);
}

lie_status lie_s3_project(double out[4], const double q[4])
{
    double r[4];
    if (!all_finite(4, q)) return LIE_ERR_NOT_FINITE;
    quat_scale(r, q);
    double size = sqrt(quat_norm2(r));
    if (size == 0.0) return LIE_ERR_SINGULAR;
    for (int i = 0; i < 4; i++) out[i] = r[i] / size;
    return LIE_OK;
}

/* q = (scalar, f w) */
LIE_INLINE void make_quat(double q[4], double scalar, double f, const double w[3])
{
    const double r[4] = {scalar, f * w[0], f * w[1], f * w[2]};
    copy_n(4, q, r);
}

void lie_s3_exp(double q[4], const double w[3])
{
    lie__half h = lie__half_angle(dot3(w, w));
    make_quat(q, h.c, h.s, w);
}

void lie_s3_cay(double q[4], const double w[3])
{
    double u = 1.0 / sqrt(4.0 + dot3(w, w));
    if (u == 0.0) u = LIE__NAN;
    make_quat(q, 2.0 * u, u, w);
}

void lie_s3_cayq(double q[4], const double w[3])
{
    double x = 0.0625 * dot3(w, w), u = 1.0 / (1.0 + x);
    if (u == 0.0) u = LIE__NAN;
    make_quat(q, (1.0 - x) * u, 0.5 * u, w);
}

lie_status lie_s3_skew(double q[4], const double w[3])
{
    double gap = gap4(w);
    lie_status status = check_domain(&s3_skew_closed, gap);
    if (status == LIE_OK) make_quat(q, 0.5 * sqrt(gap), 0.5, w);
    return status;
}

lie_status lie_s3_log(double w[3], const double q[4])
{
    lie_status status = check_unit(q);
    if (status == LIE_OK) quat_log_vector(w, q);
    return status;
}

/* w = (top/bottom) (q1, q2, q3); bottom > 0 is the domain */
LIE_INLINE lie_status vector_part(double w[3], double top, double bottom, const double q[4])
{
    lie_status status = check_unit(q);
    if (status != LIE_OK) return status;
    if (!(bottom > 0.0)) return LIE_ERR_DOMAIN;
    double f = top / bottom;
    const double r[3] = {f * q[1], f * q[2], f * q[3]};
    return store(3, w, r);
}

lie_status lie_s3_caylog(double w[3], const double q[4])
{
    return vector_part(w, 2.0, q[0], q);
}

/* 1 + q0 = |q_v|^2/(1 - q0) keeps its digits near q = -1 */
lie_status lie_s3_cayqlog(double w[3], const double q[4])
{
    return vector_part(w, 4.0, q[0] > 0.0 ? 1.0 + q[0] : dot3(q + 1, q + 1) / (1.0 - q[0]), q);
}

lie_status lie_s3_skewlog(double w[3], const double q[4])
{
    return vector_part(w, 2.0, q[0] >= 0.0 ? 1.0 : 0.0, q);
}

/* Tangents: T(w) of so3_maps.h. */

void lie_s3_dexp(double out[3], const double w[3], const double v[3])
{
    total_map(out, exp_d, w, v);
}

void lie_s3_dexpt(double out[3], const double w[3], const double m[3])
{
    total_tmap(out, exp_d, w, m);
}

lie_status lie_s3_dexpinv(double out[3], const double w[3], const double v[3])
{
    return partial_map(out, exp_dinv, &below_2pi, w, v);
}

lie_status lie_s3_dexpinvt(double out[3], const double w[3], const double m[3])
{
    return partial_tmap(out, exp_dinv, &below_2pi, w, m);
}

void lie_s3_dexp_matrix(double M[9], const double w[3])
{
    total_matrix(M, exp_d, w);
}

lie_status lie_s3_dexpinv_matrix(double M[9], const double w[3])
{
    return partial_matrix(M, exp_dinv, &below_2pi, w);
}

void lie_s3_dexp_body_deriv(double M[9], const double w[3], const double psi[3])
{
    total_body_deriv(M, exp_jet, w, psi);
}

void lie_s3_dcay(double out[3], const double w[3], const double v[3])
{
    cay_map(out, 1.0, w, v);
}

void lie_s3_dcayt(double out[3], const double w[3], const double m[3])
{
    cay_map(out, -1.0, w, m);
}

void lie_s3_dcayinv(double out[3], const double w[3], const double v[3])
{
    total_map(out, cay_dinv, w, v);
}

void lie_s3_dcayinvt(double out[3], const double w[3], const double m[3])
{
    total_tmap(out, cay_dinv, w, m);
}

void lie_s3_dcay_matrix(double M[9], const double w[3])
{
    total_matrix(M, cay_d, w);
}

void lie_s3_dcayinv_matrix(double M[9], const double w[3])
{
    total_matrix(M, cay_dinv, w);
}

void lie_s3_dcay_body_deriv(double M[9], const double w[3], const double psi[3])
{
    total_body_deriv(M, cay_jet, w, psi);
}

void lie_s3_dcayq(double out[3], const double w[3], const double v[3])
{
    total_map(out, cayq_d, w, v);
}

void lie_s3_dcayqt(double out[3], const double w[3], const double m[3])
{
    total_tmap(out, cayq_d, w, m);
}

void lie_s3_dcayqinv(double out[3], const double w[3], const double v[3])
{
    total_map(out, cayq_dinv, w, v);
}

void lie_s3_dcayqinvt(double out[3], const double w[3], const double m[3])
{
    total_tmap(out, cayq_dinv, w, m);
}

void lie_s3_dcayq_matrix(double M[9], const double w[3])
{
    total_matrix(M, cayq_d, w);
}

void lie_s3_dcayqinv_matrix(double M[9], const double w[3])
{
    total_matrix(M, cayq_dinv, w);
}

void lie_s3_dcayq_body_deriv(double M[9], const double w[3], const double psi[3])
{
    total_body_deriv(M, cayq_jet, w, psi);
}

lie_status lie_s3_dskew(double out[3], const double w[3], const double v[3])
{
    return partial_map(out, s3_skew_d, &s3_skew_open, w, v);
}

lie_status lie_s3_dskewt(double out[3], const double w[3], const double m[3])
{
    return partial_tmap(out, s3_skew_d, &s3_skew_open, w, m);
}

lie_status lie_s3_dskewinv(double out[3], const double w[3], const double v[3])
{
    return partial_map(out, s3_skew_dinv, &s3_skew_closed, w, v);
}

lie_status lie_s3_dskewinvt(double out[3], const double w[3], const double m[3])
{
    return partial_tmap(out, s3_skew_dinv, &s3_skew_closed, w, m);
}

lie_status lie_s3_dskew_matrix(double M[9], const double w[3])
{
    return partial_matrix(M, s3_skew_d, &s3_skew_open, w);
}

lie_status lie_s3_dskewinv_matrix(double M[9], const double w[3])
{
    return partial_matrix(M, s3_skew_dinv, &s3_skew_closed, w);
}

lie_status lie_s3_dskew_body_deriv(double M[9], const double w[3], const double psi[3])
{
    return partial_body_deriv(M, s3_skew_jet, &s3_skew_open, w, psi);
}

OPS_GROUP(lie_s3)

OPS_TOTAL_1(op_exp, lie_s3_exp, 4)
OPS_PARTIAL_1(op_explog, lie_s3_log)
OPS_TOTAL_2(op_dexp, lie_s3_dexp, 3)
OPS_TOTAL_2(op_dexpt, lie_s3_dexpt, 3)
OPS_PARTIAL_2(op_dexpinv, lie_s3_dexpinv)
OPS_PARTIAL_2(op_dexpinvt, lie_s3_dexpinvt)
OPS_TOTAL_2(op_dexp_body_deriv, lie_s3_dexp_body_deriv, 9)

OPS_TOTAL_1(op_cay, lie_s3_cay, 4)
OPS_PARTIAL_1(op_caylog, lie_s3_caylog)
OPS_TOTAL_2(op_dcay, lie_s3_dcay, 3)
OPS_TOTAL_2(op_dcayt, lie_s3_dcayt, 3)
OPS_TOTAL_2(op_dcayinv, lie_s3_dcayinv, 3)
OPS_TOTAL_2(op_dcayinvt, lie_s3_dcayinvt, 3)
OPS_TOTAL_2(op_dcay_body_deriv, lie_s3_dcay_body_deriv, 9)

OPS_TOTAL_1(op_cayq, lie_s3_cayq, 4)
OPS_PARTIAL_1(op_cayqlog, lie_s3_cayqlog)
OPS_TOTAL_2(op_dcayq, lie_s3_dcayq, 3)
OPS_TOTAL_2(op_dcayqt, lie_s3_dcayqt, 3)
OPS_TOTAL_2(op_dcayqinv, lie_s3_dcayqinv, 3)
OPS_TOTAL_2(op_dcayqinvt, lie_s3_dcayqinvt, 3)
OPS_TOTAL_2(op_dcayq_body_deriv, lie_s3_dcayq_body_deriv, 9)

OPS_PARTIAL_1(op_skew, lie_s3_skew)
OPS_PARTIAL_1(op_skewlog, lie_s3_skewlog)
OPS_PARTIAL_2(op_dskew, lie_s3_dskew)
OPS_PARTIAL_2(op_dskewt, lie_s3_dskewt)
OPS_PARTIAL_2(op_dskewinv, lie_s3_dskewinv)
OPS_PARTIAL_2(op_dskewinvt, lie_s3_dskewinvt)
OPS_PARTIAL_2(op_dskew_body_deriv, lie_s3_dskew_body_deriv)

static void op_casimir(const lie_ops *G, double *C, const double *m)
{
    (void)G;
    C[0] = dot3(m, m);
}

#define CASIMIR .casimirs = 1, .casimir = op_casimir
const lie_ops lie_s3_exp_ops =
    OPS_TABLE("S3", "exp", 3, 4, exp, CASIMIR, .move = s3_exp_move, .legendre = &s3_exp_legendre);
const lie_ops lie_s3_cay_ops =
    OPS_TABLE("S3", "cay", 3, 4, cay, CASIMIR, .move = s3_cay_move, .legendre = &s3_cay_legendre);
const lie_ops lie_s3_cayq_ops = OPS_TABLE("S3", "cayq", 3, 4, cayq, CASIMIR);
const lie_ops lie_s3_skew_ops = OPS_TABLE("S3", "skew", 3, 4, skew, CASIMIR);
