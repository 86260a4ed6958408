/* SPDX-License-Identifier: MIT */
/* quat.c: H*, the quaternions without zero. Formulas: quat.h.
 *
 * exp splits into the length and the unit quaternion. The Cayley map and its tangents are products of quaternions from
 * the left and the right, y -> a y b (Bou-Rabee & Marsden 2009, (4.24), (4.25)); the transpose of such a product in the
 * coordinates (s, w) of s + w/2 is m -> hat(conj(a) vee(m) conj(b)), since conjugation transposes multiplication. */
#include <liestep/quat.h>
#include <liestep/s3.h>

#include "groups/maps/quat_maps.h"
#include "groups/num/finite.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"
#include "groups/ops_adapters.h"

void lie_quat_identity(double q[4])
{
    lie_s3_identity(q);
}

void lie_quat_mul(double out[4], const double a[4], const double b[4])
{
    lie_s3_mul(out, a, b);
}

void lie_quat_conj(double out[4], const double q[4])
{
    lie_s3_inv(out, q);
}

/* f conj(f q)/|f q|^2, with f from quat_scale */
void lie_quat_inv(double out[4], const double q[4])
{
    double r[4], f = quat_scale(r, q), size = quat_norm2(r);
    const double inv[4] = {r[0] / size * f, -r[1] / size * f, -r[2] / size * f, -r[3] / size * f};
    copy_n(4, out, inv);
}

double lie_quat_norm(const double q[4])
{
    double r[4], f = quat_scale(r, q);
    return sqrt(quat_norm2(r)) / f;
}

/* q p q^-1 for sign = 1 and q^-1 p q for sign = -1; the length of q cancels */
static void rotate(double out[3], const double q[4], double sign, const double p[3])
{
    double u[4], r[3];
    quat_scale(u, q);
    quat_rotate(r, 2.0 / quat_norm2(u), sign * u[0], u + 1, p);
    copy_n(3, out, r);
}

void lie_quat_act(double out[3], const double q[4], const double p[3])
{
    rotate(out, q, 1.0, p);
}

void lie_quat_hat(double out[4], const double x[4])
{
    const double r[4] = {x[0], 0.5 * x[1], 0.5 * x[2], 0.5 * x[3]};
    copy_n(4, out, r);
}

void lie_quat_vee(double out[4], const double x[4])
{
    const double r[4] = {x[0], 2.0 * x[1], 2.0 * x[2], 2.0 * x[3]};
    copy_n(4, out, r);
}

void lie_quat_Ad(double out[4], const double q[4], const double x[4])
{
    double s = x[0];
    rotate(out + 1, q, 1.0, x + 1);
    out[0] = s;
}

void lie_quat_Adt(double out[4], const double q[4], const double m[4])
{
    double s = m[0];
    rotate(out + 1, q, -1.0, m + 1);
    out[0] = s;
}

void lie_quat_ad(double out[4], const double x[4], const double y[4])
{
    double r[3];
    cross3(r, x + 1, y + 1);
    out[0] = 0.0;
    copy_n(3, out + 1, r);
}

void lie_quat_adt(double out[4], const double x[4], const double m[4])
{
    lie_quat_ad(out, m, x);
}

lie_status lie_quat_project(double out[4], const double q[4])
{
    if (!all_finite(4, q)) return LIE_ERR_NOT_FINITE;
    if (q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0) return LIE_ERR_SINGULAR;
    copy_n(4, out, q);
    return LIE_OK;
}

/* exp and log */

void lie_quat_exp(double q[4], const double x[4])
{
    double r[4], size = lie__exp(x[0]);
    lie_s3_exp(r, x + 1);
    for (int i = 0; i < 4; i++) q[i] = size * r[i];
}

/* log |r|^2, the sum of squares in twice the precision: near |r| = 1 the logarithm is as small as its rounding */
static double log_norm2(const double r[4])
{
    double hi = 0.0, lo = 0.0;
    for (int i = 0; i < 4; i++) {
        twofold p = square_exact(r[i]), sum = sum_exact(hi, p.hi);
        lo += sum.lo + p.lo;
        hi = sum.hi;
    }
    return lie__log(hi, lo);
}

lie_status lie_quat_log(double x[4], const double q[4])
{
    double r[4], f = quat_scale(r, q);
    if (!all_finite(4, q)) return LIE_ERR_NOT_FINITE;
    if (quat_norm2(r) == 0.0) return LIE_ERR_SINGULAR;
    double s = 0.5 * log_norm2(r);
    if (f != 1.0) s += copysign(600.0 * 0x1.62e42fefa39efp-1, 1.0 - f); /* log 2^600 */
    quat_log_vector(x + 1, r);
    x[0] = s;
    return LIE_OK;
}

/* dexp = diag(1, dexp_S3) */

void lie_quat_dexp(double out[4], const double x[4], const double v[4])
{
    double s = v[0];
    lie_s3_dexp(out + 1, x + 1, v + 1);
    out[0] = s;
}

void lie_quat_dexpt(double out[4], const double x[4], const double m[4])
{
    double s = m[0];
    lie_s3_dexpt(out + 1, x + 1, m + 1);
    out[0] = s;
}

lie_status lie_quat_dexpinv(double out[4], const double x[4], const double v[4])
{
    double r[4] = {v[0], 0.0, 0.0, 0.0};
    lie_status status = lie_s3_dexpinv(r + 1, x + 1, v + 1);
    return status == LIE_OK ? store(4, out, r) : status;
}

lie_status lie_quat_dexpinvt(double out[4], const double x[4], const double m[4])
{
    double r[4] = {m[0], 0.0, 0.0, 0.0};
    lie_status status = lie_s3_dexpinvt(r + 1, x + 1, m + 1);
    return status == LIE_OK ? store(4, out, r) : status;
}

/* diag(s, B) */
static void block_diagonal(double M[16], double s, const double B[9])
{
    zero_n(16, M);
    M[0] = s;
    put_block3(M, 4, 1, 1, B);
}

void lie_quat_dexp_matrix(double M[16], const double x[4])
{
    double B[9];
    lie_s3_dexp_matrix(B, x + 1);
    block_diagonal(M, 1.0, B);
}

lie_status lie_quat_dexpinv_matrix(double M[16], const double x[4])
{
    double B[9];
    lie_status status = lie_s3_dexpinv_matrix(B, x + 1);
    if (status == LIE_OK) block_diagonal(M, 1.0, B);
    return status;
}

void lie_quat_dexp_body_deriv(double M[16], const double x[4], const double psi[4])
{
    double B[9];
    lie_s3_dexp_body_deriv(B, x + 1, psi + 1);
    block_diagonal(M, 0.0, B);
}

/* Cayley */

/* minus = 1 - X/2, plus = 1 + X/2 for X = x[0] + x_v/2 */
LIE_INLINE void cay_factors(double minus[4], double plus[4], const double x[4])
{
    plus[0] = 1.0 + 0.5 * x[0];
    minus[0] = 1.0 - 0.5 * x[0];
    LIE_UNROLL
    for (int i = 1; i < 4; i++) plus[i] = 0.25 * x[i], minus[i] = -0.25 * x[i];
}

/* The inverses of both factors; LIE_ERR_DOMAIN where one of them is zero. */
LIE_INLINE lie_status cay_inverse_factors(double minus[4], double plus[4], const double x[4])
{
    cay_factors(minus, plus, x);
    if (!all_finite(4, x)) return LIE_ERR_NOT_FINITE;
    double m2 = quat_norm2(minus), p2 = quat_norm2(plus);
    if (m2 == 0.0 || p2 == 0.0) return LIE_ERR_DOMAIN;
    LIE_UNROLL
    for (int i = 0; i < 4; i++) minus[i] = (i ? -minus[i] : minus[i]) / m2, plus[i] = (i ? -plus[i] : plus[i]) / p2;
    return LIE_OK;
}

LIE_INLINE void sandwich(double out[4], const double a[4], const double y[4], const double b[4])
{
    double t[4];
    quat_mul(t, a, y);
    quat_mul(out, t, b);
}

LIE_INLINE void scale_vector(double out[4], double f, const double x[4])
{
    out[0] = x[0], out[1] = f * x[1], out[2] = f * x[2], out[3] = f * x[3];
}

/* r = vee(a hat(v) b), and its transpose r = hat(conj(a) vee(m) conj(b)) */
LIE_INLINE void product_map(double r[4], const double a[4], const double v[4], const double b[4])
{
    double y[4], z[4];
    scale_vector(y, 0.5, v);
    sandwich(z, a, y, b);
    scale_vector(r, 2.0, z);
}

LIE_INLINE void product_tmap(double r[4], const double a[4], const double m[4], const double b[4])
{
    double y[4], z[4], ac[4], bc[4];
    scale_vector(y, 2.0, m);
    scale_vector(ac, -1.0, a);
    scale_vector(bc, -1.0, b);
    sandwich(z, ac, y, bc);
    scale_vector(r, 0.5, z);
}

/* (1 - X/2)^-1 (1 + X/2) = (a b - |u|^2, 2 u)/(a^2 + |u|^2) with a = 1 - s/2, b = 1 + s/2, u = w/4 */
lie_status lie_quat_cay(double q[4], const double x[4])
{
    double minus[4], plus[4];
    if (!all_finite(4, x)) return LIE_ERR_NOT_FINITE;
    cay_factors(minus, plus, x);
    double u2 = dot3(plus + 1, plus + 1), D = minus[0] * minus[0] + u2;
    if (D == 0.0 || plus[0] * plus[0] + u2 == 0.0) return LIE_ERR_DOMAIN;
    const double r[4] = {(minus[0] * plus[0] - u2) / D, 2.0 * plus[1] / D, 2.0 * plus[2] / D, 2.0 * plus[3] / D};
    return store(4, q, r);
}

/* X = 2 (q - 1)(q + 1)^-1 = (2 ((q0 - 1)(q0 + 1) + |v|^2) + 4 v)/|q + 1|^2 */
lie_status lie_quat_caylog(double x[4], const double q[4])
{
    double up = q[0] + 1.0, v2 = dot3(q + 1, q + 1), N = up * up + v2;
    if (!all_finite(4, q)) return LIE_ERR_NOT_FINITE;
    if (N == 0.0) return LIE_ERR_DOMAIN;
    const double r[4] = {2.0 * ((q[0] - 1.0) * up + v2) / N, 8.0 * q[1] / N, 8.0 * q[2] / N, 8.0 * q[3] / N};
    return store(4, x, r);
}

lie_status lie_quat_dcay(double out[4], const double x[4], const double v[4])
{
    double minus[4], plus[4], r[4];
    lie_status status = cay_inverse_factors(minus, plus, x);
    if (status != LIE_OK) return status;
    product_map(r, minus, v, plus);
    return store(4, out, r);
}

lie_status lie_quat_dcayt(double out[4], const double x[4], const double m[4])
{
    double minus[4], plus[4], r[4];
    lie_status status = cay_inverse_factors(minus, plus, x);
    if (status != LIE_OK) return status;
    product_tmap(r, minus, m, plus);
    return store(4, out, r);
}

void lie_quat_dcayinv(double out[4], const double x[4], const double v[4])
{
    double minus[4], plus[4], r[4];
    cay_factors(minus, plus, x);
    product_map(r, minus, v, plus);
    copy_n(4, out, r);
}

void lie_quat_dcayinvt(double out[4], const double x[4], const double m[4])
{
    double minus[4], plus[4], r[4];
    cay_factors(minus, plus, x);
    product_tmap(r, minus, m, plus);
    copy_n(4, out, r);
}

/* The matrix of v -> vee(a hat(v) b). */
LIE_INLINE void product_matrix(double M[16], const double a[4], const double b[4])
{
    LIE_UNROLL
    for (int j = 0; j < 4; j++) {
        double e[4] = {0.0, 0.0, 0.0, 0.0}, r[4];
        e[j] = 1.0;
        product_map(r, a, e, b);
        for (int i = 0; i < 4; i++) M[4 * i + j] = r[i];
    }
}

lie_status lie_quat_dcay_matrix(double M[16], const double x[4])
{
    double minus[4], plus[4], r[16];
    lie_status status = cay_inverse_factors(minus, plus, x);
    if (status != LIE_OK) return status;
    product_matrix(r, minus, plus);
    return store(16, M, r);
}

void lie_quat_dcayinv_matrix(double M[16], const double x[4])
{
    double minus[4], plus[4];
    cay_factors(minus, plus, x);
    product_matrix(M, minus, plus);
}

/* dcay_{-X} psi = p psi m with p = (1 + X/2)^-1, m = (1 - X/2)^-1; along d: (p psi m d m - p d p psi m)/2 */
lie_status lie_quat_dcay_body_deriv(double M[16], const double x[4], const double psi[4])
{
    double minus[4], plus[4], y[4], body[4], left[16], right[16], r[16];
    lie_status status = cay_inverse_factors(minus, plus, x);
    if (status != LIE_OK) return status;
    lie_quat_hat(y, psi);
    sandwich(body, plus, y, minus);
    product_matrix(left, body, minus);
    product_matrix(right, plus, body);
    for (int i = 0; i < 16; i++) r[i] = 0.5 * (left[i] - right[i]);
    return store(16, M, r);
}

OPS_GROUP(lie_quat)

OPS_TOTAL_1(op_exp, lie_quat_exp, 4)
OPS_PARTIAL_1(op_explog, lie_quat_log)
OPS_TOTAL_2(op_dexp, lie_quat_dexp, 4)
OPS_TOTAL_2(op_dexpt, lie_quat_dexpt, 4)
OPS_PARTIAL_2(op_dexpinv, lie_quat_dexpinv)
OPS_PARTIAL_2(op_dexpinvt, lie_quat_dexpinvt)
OPS_TOTAL_2(op_dexp_body_deriv, lie_quat_dexp_body_deriv, 16)

OPS_PARTIAL_1(op_cay, lie_quat_cay)
OPS_PARTIAL_1(op_caylog, lie_quat_caylog)
OPS_PARTIAL_2(op_dcay, lie_quat_dcay)
OPS_PARTIAL_2(op_dcayt, lie_quat_dcayt)
OPS_TOTAL_2(op_dcayinv, lie_quat_dcayinv, 4)
OPS_TOTAL_2(op_dcayinvt, lie_quat_dcayinvt, 4)
OPS_PARTIAL_2(op_dcay_body_deriv, lie_quat_dcay_body_deriv)

/* the scalar part and the length of the vector part squared */
static void op_casimir(const lie_ops *G, double *C, const double *m)
{
    const double r[2] = {m[0], dot3(m + 1, m + 1)};
    (void)G;
    copy_n(2, C, r);
}

#define CASIMIR .casimirs = 2, .casimir = op_casimir
const lie_ops lie_quat_exp_ops = OPS_TABLE("H", "exp", 4, 4, exp, CASIMIR);
const lie_ops lie_quat_cay_ops = OPS_TABLE("H", "cay", 4, 4, cay, CASIMIR);
