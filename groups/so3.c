/* SPDX-License-Identifier: MIT */
/* so3.c: SO(3), the rotations as 3x3 matrices. Tangents of the retractions: so3_maps.h; formulas: so3.h.
 *
 * exp takes sine and cosine of the half angle from theta.h and is orthogonal to round-off for every angle. The inverse
 * maps read the axis from the antisymmetric part for small turns and from the largest column of the symmetric part for
 * large ones (Shepperd, J. Guidance Control 1978), well conditioned everywhere. */
#include <liestep/so3.h>

#include "groups/num/finite.h"
#include "groups/num/vec3.h"
#include "groups/ops_adapters.h"
#include "groups/step/so3_step.h"

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

/* beyond a half-turn, apart from the usual case so that this one keeps to the registers */
LIE_COLD void exp_far(double R[9], const double w[3], double x)
{
    lie__turn t = lie__turn_of_half(lie__half_far(x), x);
    rodrigues(R, t.b, t.c, 2.0, t.k, w);
}

void lie_so3_exp(double R[9], const double w[3])
{
    double x = dot3(w, w);
    if (!(x <= LIE__PI_SQ)) {
        exp_far(R, w, x);
        return;
    }
    lie__turn t = lie__turn_of_half(lie__half_near(x), x);
    rodrigues(R, t.b, t.c, 2.0, t.k, w);
}

/* cos t = (4 - x)/(4 + x), sin t/|w| = 4/(4 + x) */
void lie_so3_cay(double R[9], const double w[3])
{
    double x = dot3(w, w), u = 1.0 / (4.0 + x), cos_t = (4.0 - x) * u, b = 4.0 * u, c = 2.0 * u;
    double xx = c * (w[0] * w[0]), yy = c * (w[1] * w[1]), zz = c * (w[2] * w[2]);
    double xy = c * (w[0] * w[1]), xz = c * (w[0] * w[2]), yz = c * (w[1] * w[2]);
    double bx = b * w[0], by = b * w[1], bz = b * w[2];
    R[0] = cos_t + xx, R[1] = xy - bz, R[2] = xz + by;
    R[3] = xy + bz, R[4] = cos_t + yy, R[5] = yz - bx;
    R[6] = xz - by, R[7] = yz + bx, R[8] = cos_t + zz;
}

lie_status lie_so3_skew(double R[9], const double w[3])
{
    double gap = gap1(w);
    lie_status status = check_domain(&skew_closed, gap);
    if (status == LIE_OK) rodrigues(R, 1.0, 1.0 / (1.0 + sqrt(gap)), 1.0, 1.0, w);
    return status;
}

/* Rows r0, r1, r2 of a rotation: r0 and r1 orthonormal, r2 = r0 x r1. NaN and infinities fail the comparison. */
LIE_INLINE int is_rotation(const double R[9])
{
    double c[3], a = dot3(R, R) - 1.0, b = dot3(R + 3, R + 3) - 1.0, ab = dot3(R, R + 3);
    cross3(c, R, R + 3);
    double d0 = c[0] - R[6], d1 = c[1] - R[7], d2 = c[2] - R[8];
    return ((a * a + b * b) + ab * ab) + ((d0 * d0 + d1 * d1) + d2 * d2) <= LIE_SO3_TOL * LIE_SO3_TOL;
}

LIE_COLD lie_status why_no_rotation(const double R[9])
{
    return all_finite(9, R) ? LIE_ERR_NOT_IN_GROUP : LIE_ERR_NOT_FINITE;
}

/* 4 q0 q for the quaternion (q0, q) of R; 4 q0^2 is 1 + trace R */
LIE_INLINE void small_turn_vector(double V[3], const double R[9])
{
    V[0] = R[7] - R[5], V[1] = R[2] - R[6], V[2] = R[3] - R[1];
}

/* 4 q_k (q0, q) for the quaternion (q0, q) of R, k the largest component of q: no division, no root. Returns
 * 4 q_k q0 >= 0 and *square = 4 q_k^2; at q0 = 0 the component k is positive. */
LIE_INLINE double large_turn_quaternion(double V[3], double *square, const double R[9])
{
    int k = R[4] > R[0];
    k = R[8] > R[4 * k] ? 2 : k;
    int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    double W = (R[3 * j + i] - R[3 * i + j]) + 0.0, sign = copysign(1.0, W); /* -0 counts as 0 */
    *square = ((R[4 * k] - R[4 * i]) - R[4 * j]) + 1.0;
    V[k] = sign * *square;
    V[i] = sign * (R[3 * i + k] + R[3 * k + i]);
    V[j] = sign * (R[3 * j + k] + R[3 * k + j]);
    return sign * W;
}

/* Beyond a third of a turn: w = V/|V| (pi - 2 atan(W/|V|)), (W, V) along the quaternion. */
static lie_status log_large(double w[3], const double R[9])
{
    double V[3], square, W = large_turn_quaternion(V, &square, R), x = dot3(V, V), inverse = 1.0 / sqrt(x);
    double f = inverse * (LIE__PI - (2.0 * (W * inverse) * lie__atanc(W * W / x) - LIE__PI_LO));
    if (!is_rotation(R)) return why_no_rotation(R);
    w[0] = f * V[0], w[1] = f * V[1], w[2] = f * V[2];
    return LIE_OK;
}

/* w = t/(2 sin t) (R - R^T)^vee with t/(2 sin t) from D = 1 + trace R = 4 cos^2(t/2): no root, and nothing to be
 * careful about at small angles. The check comes last because the processor then does it while it divides. */
lie_status lie_so3_log(double w[3], const double R[9])
{
    double V[3], D = ((R[0] + R[4]) + R[8]) + 1.0;
    if (!(D >= 1.0)) return log_large(w, R);
    double f = lie__half_turn_over_sine(D);
    small_turn_vector(V, R);
    if (!is_rotation(R)) return why_no_rotation(R);
    w[0] = f * V[0], w[1] = f * V[1], w[2] = f * V[2];
    return LIE_OK;
}

/* w = 2 tan(t/2) n = 2 V/W. A half-turn is at W = 0; closer to it than rounding can tell (4 eps) the map is not
 * defined. */
lie_status lie_so3_caylog(double w[3], const double R[9])
{
    if (!is_rotation(R)) return why_no_rotation(R);
    double V[3], square, W = 1.0 + ((R[0] + R[4]) + R[8]);
    if (W >= 2.0) {
        small_turn_vector(V, R);
    } else {
        W = large_turn_quaternion(V, &square, R);
        if (W <= 0x1p-50 * sqrt(dot3(V, V))) return LIE_ERR_DOMAIN;
    }
    double f = 2.0 / W;
    w[0] = f * V[0], w[1] = f * V[1], w[2] = f * V[2];
    return LIE_OK;
}

lie_status lie_so3_skewlog(double w[3], const double R[9])
{
    if (!is_rotation(R)) return why_no_rotation(R);
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
    return partial_map(out, exp_dinv, &below_2pi, w, v);
}

lie_status lie_so3_dexpinvt(double out[3], const double w[3], const double m[3])
{
    return partial_tmap(out, exp_dinv, &below_2pi, w, m);
}

void lie_so3_dexp_matrix(double M[9], const double w[3])
{
    total_matrix(M, exp_d, w);
}

lie_status lie_so3_dexpinv_matrix(double M[9], const double w[3])
{
    return partial_matrix(M, exp_dinv, &below_2pi, w);
}

void lie_so3_dexp_body_deriv(double M[9], const double w[3], const double psi[3])
{
    total_body_deriv(M, exp_jet, w, psi);
}

void lie_so3_dcay(double out[3], const double w[3], const double v[3])
{
    cay_map(out, 1.0, w, v);
}

void lie_so3_dcayt(double out[3], const double w[3], const double m[3])
{
    cay_map(out, -1.0, w, m);
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
    return partial_map(out, skew_d, &skew_open, w, v);
}

lie_status lie_so3_dskewt(double out[3], const double w[3], const double m[3])
{
    return partial_tmap(out, skew_d, &skew_open, w, m);
}

lie_status lie_so3_dskewinv(double out[3], const double w[3], const double v[3])
{
    return partial_map(out, skew_dinv, &skew_closed, w, v);
}

lie_status lie_so3_dskewinvt(double out[3], const double w[3], const double m[3])
{
    return partial_tmap(out, skew_dinv, &skew_closed, w, m);
}

lie_status lie_so3_dskew_matrix(double M[9], const double w[3])
{
    return partial_matrix(M, skew_d, &skew_open, w);
}

lie_status lie_so3_dskewinv_matrix(double M[9], const double w[3])
{
    return partial_matrix(M, skew_dinv, &skew_closed, w);
}

lie_status lie_so3_dskew_body_deriv(double M[9], const double w[3], const double psi[3])
{
    return partial_body_deriv(M, skew_jet, &skew_open, w, psi);
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

static void op_casimir(const lie_ops *G, double *C, const double *m)
{
    (void)G;
    C[0] = dot3(m, m);
}

#define CASIMIR .casimirs = 1, .casimir = op_casimir
const lie_ops lie_so3_exp_ops =
    OPS_TABLE("SO3", "exp", 3, 9, exp, CASIMIR, .move = so3_exp_move, .legendre = &so3_exp_legendre);
const lie_ops lie_so3_cay_ops =
    OPS_TABLE("SO3", "cay", 3, 9, cay, CASIMIR, .move = so3_cay_move, .legendre = &so3_cay_legendre);
const lie_ops lie_so3_skew_ops = OPS_TABLE("SO3", "skew", 3, 9, skew, CASIMIR);
