/* SPDX-License-Identifier: MIT */
/* so3.c: SO(3), the rotations as 3x3 matrices. Tangents of the retractions: so3_maps.h; formulas: so3.h.
 *
 * exp and cay are built from the unit quaternion of the half turn, R = 1 + 2 q0 hat(q) + 2 hat(q)^2, so R^T R = 1 to
 * round-off for every angle. The inverse maps read the angle from the antisymmetric part up to a quarter turn and from
 * the largest column of the symmetric part beyond it (Shepperd, J. Guidance Control 1978), well conditioned everywhere. */
#include <liestep/so3.h>

#include "ops_adapters.h"
#include "so3_maps.h"

void lie_so3_identity(double R[9])
{
    static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    copy_n(9, R, one);
}

void lie_so3_mul(double out[9], const double A[9], const double B[9])
{
    double C[9];
    mat3_mul(C, A, B);
    copy_n(9, out, C);
}

void lie_so3_inv(double out[9], const double R[9])
{
    const double T[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
    copy_n(9, out, T);
}

void lie_so3_act(double out[3], const double R[9], const double p[3])
{
    double r[3];
    mat3_vec(r, R, p);
    copy_n(3, out, r);
}

void lie_so3_hat(double M[9], const double w[3])
{
    const double v[3] = {w[0], w[1], w[2]};
    hat3(M, v);
}

void lie_so3_vee(double w[3], const double M[9])
{
    const double r[3] = {0.5 * (M[7] - M[5]), 0.5 * (M[2] - M[6]), 0.5 * (M[3] - M[1])};
    copy_n(3, w, r);
}

void lie_so3_Ad(double out[3], const double R[9], const double w[3])
{
    lie_so3_act(out, R, w);
}

void lie_so3_Adt(double out[3], const double R[9], const double m[3])
{
    double r[3];
    mat3_tvec(r, R, m);
    copy_n(3, out, r);
}

void lie_so3_ad(double out[3], const double w[3], const double v[3])
{
    double r[3];
    cross3(r, w, v);
    copy_n(3, out, r);
}

void lie_so3_adt(double out[3], const double w[3], const double m[3])
{
    lie_so3_ad(out, m, w);
}

/* C = cofactor matrix of X = det(X) X^-T; returns det X */
static double cofactors(double C[9], const double X[9])
{
    cross3(C, X + 3, X + 6);
    cross3(C + 3, X + 6, X);
    cross3(C + 6, X, X + 3);
    return dot3(X, C);
}

static double norm_n(int n, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

/* X <- M / largest entry of M; returns that entry */
static double scaled_copy(double X[9], const double M[9])
{
    double big = 0.0;
    for (int i = 0; i < 9; i++) big = fabs(M[i]) > big ? fabs(M[i]) : big;
    for (int i = 0; i < 9; i++) X[i] = M[i] / big;
    return big;
}

/* Newton's iteration X <- (s X + X^-T / s)/2 for the polar factor, s = (|X^-T|/|X|)^(1/2) until it is nearly 1
 * (Higham, SIAM J. Sci. Stat. Comput. 1986). */
lie_status lie_so3_project(double out[9], const double M[9])
{
    enum { CAP = 40 };
    double X[9], C[9], change = 1.0;
    if (!all_finite(9, M)) return LIE_ERR_NOT_FINITE;
    if (scaled_copy(X, M) == 0.0) return LIE_ERR_SINGULAR;
    for (int k = 0; k < CAP; k++) {
        double det = cofactors(C, X), size = norm_n(9, X), cosize = norm_n(9, C);
        if (!(det > 8.0 * 0x1p-52 * size * cosize)) return LIE_ERR_SINGULAR;
        if (change < 0x1p-40) break;
        double s = change < 0x1p-8 ? 1.0 : sqrt(cosize / (det * size)), t = 1.0 / (s * det);
        change = 0.0;
        for (int i = 0; i < 9; i++) {
            double next = 0.5 * (s * X[i] + t * C[i]);
            change += fabs(next - X[i]);
            X[i] = next;
        }
    }
    return store(9, out, X);
}

/* R = 1 + b hat(w) + c hat(w)^2 */
LIE_INLINE void rodrigues(double R[9], double b, double c, const double w[3])
{
    double cw[3] = {c * w[0], c * w[1], c * w[2]}, bw[3] = {b * w[0], b * w[1], b * w[2]};
    double xx = cw[0] * w[0], yy = cw[1] * w[1], zz = cw[2] * w[2];
    double xy = cw[0] * w[1], xz = cw[0] * w[2], yz = cw[1] * w[2];
    R[0] = 1.0 - (yy + zz), R[1] = xy - bw[2], R[2] = xz + bw[1];
    R[3] = xy + bw[2], R[4] = 1.0 - (xx + zz), R[5] = yz - bw[0];
    R[6] = xz - bw[1], R[7] = yz + bw[0], R[8] = 1.0 - (xx + yy);
}

void lie_so3_exp(double R[9], const double w[3])
{
    lie__half h = lie__half_angle(dot3(w, w));
    rodrigues(R, h.s * h.c, 0.5 * h.s * h.s, (const double[3]){w[0], w[1], w[2]});
}

void lie_so3_cay(double R[9], const double w[3])
{
    double u = 1.0 / (4.0 + dot3(w, w));
    if (u == 0.0) u = LIE__NAN;
    rodrigues(R, 4.0 * u, 2.0 * u, (const double[3]){w[0], w[1], w[2]});
}

lie_status lie_so3_skew(double R[9], const double w[3])
{
    double x = dot3(w, w);
    lie_status status = check_below(x, AT_MOST(1.0));
    if (status == LIE_OK) rodrigues(R, 1.0, 1.0 / (1.0 + sqrt(1.0 - x)), (const double[3]){w[0], w[1], w[2]});
    return status;
}

/* A rotation is a finite matrix with orthonormal rows and determinant +1, each to LIE_SO3_TOL. */
static lie_status check_rotation(const double R[9])
{
    double C[9], defect = 0.0;
    if (!all_finite(9, R)) return LIE_ERR_NOT_FINITE;
    double det = cofactors(C, R);
    for (int i = 0; i < 9; i++) defect = fabs(R[i] - C[i]) > defect ? fabs(R[i] - C[i]) : defect;
    return defect <= LIE_SO3_TOL && fabs(det - 1.0) <= LIE_SO3_TOL ? LIE_OK : LIE_ERR_NOT_IN_GROUP;
}

/* 4 q_k (q0, q) for the quaternion (q0, q) of R, k the largest component of q: no division, no root.
 * The sign is that of q0 >= 0; at q0 = 0 the component k is positive. */
static double large_turn_quaternion(double V[3], const double R[9])
{
    int k = R[0] >= R[4] ? (R[0] >= R[8] ? 0 : 2) : (R[4] >= R[8] ? 1 : 2);
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double W = R[3 * j + i] - R[3 * i + j], sign = W < 0.0 ? -1.0 : 1.0;
    V[k] = sign * (((R[4 * k] - R[4 * i]) - R[4 * j]) + 1.0);
    V[i] = sign * (R[3 * i + k] + R[3 * k + i]);
    V[j] = sign * (R[3 * j + k] + R[3 * k + j]);
    return sign * W;
}

/* w = v t/sin t with t = 2 atan(T), T = tan(t/2) = |v|/(1 + cos t) up to a quarter turn;
 * beyond, w = V/|V| (pi - 2 atan(W/|V|)), (W, V) along the quaternion. */
lie_status lie_so3_log(double w[3], const double R[9])
{
    lie_status status = check_rotation(R);
    if (status != LIE_OK) return status;
    double v[3], trace = (R[0] + R[4]) + R[8], f;
    if (trace >= 1.0) {
        lie_so3_vee(v, R);
        double u = 2.0 / (1.0 + trace), t = u * sqrt(dot3(v, v));
        f = 2.0 * u * lie__atanc_unit(t);
    } else {
        double W = large_turn_quaternion(v, R), size = sqrt(dot3(v, v));
        f = (LIE__PI - (2.0 * lie__atan_unit(W / size) - LIE__PI_LO)) / size;
    }
    for (int i = 0; i < 3; i++) w[i] = f * v[i];
    return LIE_OK;
}

/* w = 2 tan(t/2) n = 4 v/(1 + trace), beyond a quarter turn 2 V/W. A half-turn is at W = 0; closer to it than rounding
 * can tell (4 eps) the map is not defined. */
lie_status lie_so3_caylog(double w[3], const double R[9])
{
    lie_status status = check_rotation(R);
    if (status != LIE_OK) return status;
    double v[3], trace = (R[0] + R[4]) + R[8], f;
    if (trace >= 1.0) {
        lie_so3_vee(v, R);
        f = 4.0 / (1.0 + trace);
    } else {
        double W = large_turn_quaternion(v, R);
        if (W <= 0x1p-50 * sqrt(dot3(v, v))) return LIE_ERR_DOMAIN;
        f = 2.0 / W;
    }
    for (int i = 0; i < 3; i++) w[i] = f * v[i];
    return LIE_OK;
}

lie_status lie_so3_skewlog(double w[3], const double R[9])
{
    lie_status status = check_rotation(R);
    if (status != LIE_OK) return status;
    if ((R[0] + R[4]) + R[8] < 1.0 - 16.0 * 0x1p-52) return LIE_ERR_DOMAIN;
    lie_so3_vee(w, R);
    return LIE_OK;
}

/* Tangents: T(w) of so3_maps.h. */

void lie_so3_dexp(double out[3], const double w[3], const double v[3])
{
    total_map(out, exp_d, w, v);
}

void lie_so3_dexpt(double out[3], const double w[3], const double m[3])
{
    total_tmap(out, exp_d, w, m);
}

lie_status lie_so3_dexpinv(double out[3], const double w[3], const double v[3])
{
    return partial_map(out, exp_dinv, LIE__4PI_SQ, w, v);
}

lie_status lie_so3_dexpinvt(double out[3], const double w[3], const double m[3])
{
    return partial_tmap(out, exp_dinv, LIE__4PI_SQ, w, m);
}

void lie_so3_dexp_matrix(double M[9], const double w[3])
{
    total_matrix(M, exp_d, w);
}

lie_status lie_so3_dexpinv_matrix(double M[9], const double w[3])
{
    return partial_matrix(M, exp_dinv, LIE__4PI_SQ, w);
}

void lie_so3_dexp_body_deriv(double M[9], const double w[3], const double psi[3])
{
    total_body_deriv(M, exp_jet, w, psi);
}

void lie_so3_dcay(double out[3], const double w[3], const double v[3])
{
    total_map(out, cay_d, w, v);
}

void lie_so3_dcayt(double out[3], const double w[3], const double m[3])
{
    total_tmap(out, cay_d, w, m);
}

void lie_so3_dcayinv(double out[3], const double w[3], const double v[3])
{
    total_map(out, cay_dinv, w, v);
}

void lie_so3_dcayinvt(double out[3], const double w[3], const double m[3])
{
    total_tmap(out, cay_dinv, w, m);
}

void lie_so3_dcay_matrix(double M[9], const double w[3])
{
    total_matrix(M, cay_d, w);
}

void lie_so3_dcayinv_matrix(double M[9], const double w[3])
{
    total_matrix(M, cay_dinv, w);
}

void lie_so3_dcay_body_deriv(double M[9], const double w[3], const double psi[3])
{
    total_body_deriv(M, cay_jet, w, psi);
}

lie_status lie_so3_dskew(double out[3], const double w[3], const double v[3])
{
    return partial_map(out, skew_d, 1.0, w, v);
}

lie_status lie_so3_dskewt(double out[3], const double w[3], const double m[3])
{
    return partial_tmap(out, skew_d, 1.0, w, m);
}

lie_status lie_so3_dskewinv(double out[3], const double w[3], const double v[3])
{
    return partial_map(out, skew_dinv, AT_MOST(1.0), w, v);
}

lie_status lie_so3_dskewinvt(double out[3], const double w[3], const double m[3])
{
    return partial_tmap(out, skew_dinv, AT_MOST(1.0), w, m);
}

lie_status lie_so3_dskew_matrix(double M[9], const double w[3])
{
    return partial_matrix(M, skew_d, 1.0, w);
}

lie_status lie_so3_dskewinv_matrix(double M[9], const double w[3])
{
    return partial_matrix(M, skew_dinv, AT_MOST(1.0), w);
}

lie_status lie_so3_dskew_body_deriv(double M[9], const double w[3], const double psi[3])
{
    return partial_body_deriv(M, skew_jet, 1.0, w, psi);
}

OPS_GROUP(lie_so3)

OPS_TOTAL_1(op_exp, lie_so3_exp, 9)
OPS_PARTIAL_1(op_explog, lie_so3_log)
OPS_TOTAL_2(op_dexp, lie_so3_dexp, 3)
OPS_TOTAL_2(op_dexpt, lie_so3_dexpt, 3)
OPS_PARTIAL_2(op_dexpinv, lie_so3_dexpinv)
OPS_PARTIAL_2(op_dexpinvt, lie_so3_dexpinvt)
OPS_TOTAL_2(op_dexp_body_deriv, lie_so3_dexp_body_deriv, 9)

OPS_TOTAL_1(op_cay, lie_so3_cay, 9)
OPS_PARTIAL_1(op_caylog, lie_so3_caylog)
OPS_TOTAL_2(op_dcay, lie_so3_dcay, 3)
OPS_TOTAL_2(op_dcayt, lie_so3_dcayt, 3)
OPS_TOTAL_2(op_dcayinv, lie_so3_dcayinv, 3)
OPS_TOTAL_2(op_dcayinvt, lie_so3_dcayinvt, 3)
OPS_TOTAL_2(op_dcay_body_deriv, lie_so3_dcay_body_deriv, 9)

OPS_PARTIAL_1(op_skew, lie_so3_skew)
OPS_PARTIAL_1(op_skewlog, lie_so3_skewlog)
OPS_PARTIAL_2(op_dskew, lie_so3_dskew)
OPS_PARTIAL_2(op_dskewt, lie_so3_dskewt)
OPS_PARTIAL_2(op_dskewinv, lie_so3_dskewinv)
OPS_PARTIAL_2(op_dskewinvt, lie_so3_dskewinvt)
OPS_PARTIAL_2(op_dskew_body_deriv, lie_so3_dskew_body_deriv)

const lie_ops lie_so3_exp_ops = OPS_TABLE("SO3", "exp", 3, 9, exp);
const lie_ops lie_so3_cay_ops = OPS_TABLE("SO3", "cay", 3, 9, cay);
const lie_ops lie_so3_skew_ops = OPS_TABLE("SO3", "skew", 3, 9, skew);
