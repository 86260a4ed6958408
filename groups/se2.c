/* SPDX-License-Identifier: MIT */
/* se2.c: SE(2), the rigid motions of the plane. Formulas: se2.h; Jimenez 2012, App. B.B.
 *
 * With J the quarter turn, J(x, y) = (-y, x), every tangent here has the form
 *     L(X) (s, u) = ( k s,  a u + b w J u + s (p J v + q w v) ),      k, a, b, p, q functions of w^2:
 *                 k          a          b          p           q
 *   dexp          1          c_1        c_2        -c_2        c_3          (Stumpff functions of w^2)
 *   dexp^-1       1          1 - e w^2  -1/2       1/2         e
 *   dcay          K          K          K/2        -K/2        0            K = 4/(4 + w^2)
 *   dcay^-1       1 + w^2/4  1          -1/2       1/2         1/4
 * so that application, transpose, matrix and derivative are written once. */
#include <liestep/se2.h>

#include "groups/maps/so3_maps.h"
#include "groups/num/finite.h"
#include "groups/num/twofold.h"
#include "groups/ops_adapters.h"

typedef struct planar {
    double k, a, b, p, q;
} planar;

void lie_se2_identity(double g[4])
{
    g[0] = 1.0;
    zero_n(3, g + 1);
}

void lie_se2_mul(double out[4], const double a[4], const double b[4])
{
    const double r[4] = {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0], (a[0] * b[2] - a[1] * b[3]) + a[2],
                         (a[1] * b[2] + a[0] * b[3]) + a[3]};
    copy_n(4, out, r);
}

void lie_se2_inv(double out[4], const double g[4])
{
    const double r[4] = {g[0], -g[1], -(g[0] * g[2] + g[1] * g[3]), g[1] * g[2] - g[0] * g[3]};
    copy_n(4, out, r);
}

void lie_se2_act(double out[2], const double g[4], const double p[2])
{
    const double r[2] = {(g[0] * p[0] - g[1] * p[1]) + g[2], (g[1] * p[0] + g[0] * p[1]) + g[3]};
    copy_n(2, out, r);
}

void lie_se2_hat(double M[9], const double X[3])
{
    const double r[9] = {0.0, -X[0], X[1], X[0], 0.0, X[2], 0.0, 0.0, 0.0};
    copy_n(9, M, r);
}

void lie_se2_vee(double X[3], const double M[9])
{
    const double r[3] = {0.5 * (M[3] - M[1]), M[2], M[5]};
    copy_n(3, X, r);
}

void lie_se2_Ad(double out[3], const double g[4], const double X[3])
{
    const double r[3] = {X[0], (g[0] * X[1] - g[1] * X[2]) + X[0] * g[3], (g[1] * X[1] + g[0] * X[2]) - X[0] * g[2]};
    copy_n(3, out, r);
}

void lie_se2_Adt(double out[3], const double g[4], const double m[3])
{
    const double r[3] = {m[0] + (g[3] * m[1] - g[2] * m[2]), g[0] * m[1] + g[1] * m[2], g[0] * m[2] - g[1] * m[1]};
    copy_n(3, out, r);
}

/* (0, wx J vy - wy J vx) */
void lie_se2_ad(double out[3], const double X[3], const double Y[3])
{
    const double r[3] = {0.0, X[2] * Y[0] - X[0] * Y[2], X[0] * Y[1] - X[1] * Y[0]};
    copy_n(3, out, r);
}

void lie_se2_adt(double out[3], const double X[3], const double m[3])
{
    const double r[3] = {X[2] * m[1] - X[1] * m[2], X[0] * m[2], -X[0] * m[1]};
    copy_n(3, out, r);
}

lie_status lie_se2_project(double out[4], const double g[4])
{
    double big = fabs(g[0]) > fabs(g[1]) ? fabs(g[0]) : fabs(g[1]);
    if (!all_finite(4, g)) return LIE_ERR_NOT_FINITE;
    if (big == 0.0) return LIE_ERR_SINGULAR;
    double c = g[0] / big, s = g[1] / big, size = sqrt(c * c + s * s);
    const double r[4] = {c / size, s / size, g[2], g[3]};
    return store(4, out, r);
}

LIE_INLINE void planar_apply(double r[3], planar L, const double X[3], const double Y[3])
{
    double w = X[0], s = Y[0], bw = L.b * w, ps = L.p * s, qs = L.q * w * s;
    r[0] = L.k * s;
    r[1] = (L.a * Y[1] - bw * Y[2]) + (qs * X[1] - ps * X[2]);
    r[2] = (L.a * Y[2] + bw * Y[1]) + (qs * X[2] + ps * X[1]);
}

LIE_INLINE void planar_tapply(double r[3], planar L, const double X[3], const double m[3])
{
    double w = X[0], bw = L.b * w, qw = L.q * w;
    r[0] = L.k * m[0] + ((qw * X[1] - L.p * X[2]) * m[1] + (qw * X[2] + L.p * X[1]) * m[2]);
    r[1] = L.a * m[1] + bw * m[2];
    r[2] = L.a * m[2] - bw * m[1];
}

LIE_INLINE void planar_matrix(double M[9], planar L, const double X[3])
{
    double w = X[0], bw = L.b * w, qw = L.q * w;
    const double r[9] = {L.k, 0.0, 0.0, qw * X[1] - L.p * X[2], L.a, -bw, qw * X[2] + L.p * X[1], bw, L.a};
    copy_n(9, M, r);
}

/* d/dX of L(-X) psi = (k s, a u - b w J u + s (-p J v + q w v)), with D the derivatives of the coefficients in w^2 */
LIE_INLINE void planar_body_deriv(double M[9], planar L, planar D, const double X[3], const double psi[3])
{
    double w = X[0], x = w * w, s = psi[0], db = L.b + 2.0 * x * D.b, dq = L.q + 2.0 * x * D.q;
    double ps = L.p * s, qs = L.q * w * s;
    const double r[9] = {2.0 * w * D.k * s,
                         0.0,
                         0.0,
                         (2.0 * w * D.a * psi[1] + db * psi[2]) + s * (2.0 * w * D.p * X[2] + dq * X[1]),
                         qs,
                         ps,
                         (2.0 * w * D.a * psi[2] - db * psi[1]) + s * (-2.0 * w * D.p * X[1] + dq * X[2]),
                         -ps,
                         qs};
    copy_n(9, M, r);
}

/* The coefficients from those of SO(3): on the plane a + b w J, on the axis k. */
LIE_INLINE planar planar_of(iso3 T, double k)
{
    return (planar){k, T.a, T.b, -T.b, T.c};
}

LIE_INLINE planar cay_planar(double x)
{
    double K = 4.0 / (4.0 + x);
    return (planar){K, K, 0.5 * K, -0.5 * K, 0.0};
}

LIE_INLINE planar cay_planar_deriv(double x)
{
    double u = 1.0 / (4.0 + x), K = -4.0 * u * u;
    return (planar){K, K, 0.5 * K, -0.5 * K, 0.0};
}

LIE_INLINE planar cay_planar_inv(double x)
{
    return (planar){1.0 + 0.25 * x, 1.0, -0.5, 0.5, 0.25};
}

/* exp: cos w = c_0, sin w = w c_1, translation V v = c_1 v + c_2 w J v. The rounding of w^2 is undone to first
 * order: d/dx cos(t/2) = -s/4. */
void lie_se2_exp(double g[4], const double X[3])
{
    double w = X[0];
    twofold x = square_exact(w);
    lie__half h = lie__half_angle(x.hi);
    if (x.hi <= LIE__PI_SQ) h.c -= 0.25 * h.s * x.lo;
    lie__turn t = lie__turn_of_half(h, x.hi);
    double c1 = 2.0 * t.b, bw = t.k * t.c * w;
    const double r[4] = {t.c0, w * c1, c1 * X[1] - bw * X[2], c1 * X[2] + bw * X[1]};
    copy_n(4, g, r);
}

static lie_status check_se2(const double g[4])
{
    if (!all_finite(4, g)) return LIE_ERR_NOT_FINITE;
    return fabs((g[0] * g[0] + g[1] * g[1]) - 1.0) <= LIE_SE2_TOL ? LIE_OK : LIE_ERR_NOT_IN_GROUP;
}

lie_status lie_se2_log(double X[3], const double g[4])
{
    lie_status status = check_se2(g);
    if (status != LIE_OK) return status;
    double w = lie__atan2(g[1], g[0]);
    if (w == -LIE__PI) w = LIE__PI;
    double a = exp_dinv(w * w).a, bw = -0.5 * w;
    const double r[3] = {w, a * g[2] - bw * g[3], a * g[3] + bw * g[2]};
    return store(3, X, r);
}

void lie_se2_dexp(double out[3], const double X[3], const double Y[3])
{
    double r[3];
    planar_apply(r, planar_of(exp_d(X[0] * X[0]), 1.0), X, Y);
    copy_n(3, out, r);
}

void lie_se2_dexpt(double out[3], const double X[3], const double m[3])
{
    double r[3];
    planar_tapply(r, planar_of(exp_d(X[0] * X[0]), 1.0), X, m);
    copy_n(3, out, r);
}

lie_status lie_se2_dexpinv(double out[3], const double X[3], const double Y[3])
{
    double x = X[0] * X[0], r[3];
    lie_status status = check_domain(&below_2pi, x);
    if (status != LIE_OK) return status;
    planar_apply(r, planar_of(exp_dinv(x), 1.0), X, Y);
    return store(3, out, r);
}

lie_status lie_se2_dexpinvt(double out[3], const double X[3], const double m[3])
{
    double x = X[0] * X[0], r[3];
    lie_status status = check_domain(&below_2pi, x);
    if (status != LIE_OK) return status;
    planar_tapply(r, planar_of(exp_dinv(x), 1.0), X, m);
    return store(3, out, r);
}

void lie_se2_dexp_matrix(double M[9], const double X[3])
{
    planar_matrix(M, planar_of(exp_d(X[0] * X[0]), 1.0), X);
}

lie_status lie_se2_dexpinv_matrix(double M[9], const double X[3])
{
    double x = X[0] * X[0], r[9];
    lie_status status = check_domain(&below_2pi, x);
    if (status != LIE_OK) return status;
    planar_matrix(r, planar_of(exp_dinv(x), 1.0), X);
    return store(9, M, r);
}

void lie_se2_dexp_body_deriv(double M[9], const double X[3], const double psi[3])
{
    iso3_jet T = exp_jet(X[0] * X[0]);
    planar_body_deriv(M, planar_of(T.f, 1.0), planar_of(T.d, 0.0), X, psi);
}

/* cay: turn by 2 atan(w/2), translation K (v + w J v / 2) */
void lie_se2_cay(double g[4], const double X[3])
{
    double w = X[0], K = 4.0 / (4.0 + w * w), bw = 0.5 * K * w;
    if (K == 0.0) K = LIE__NAN;
    const double r[4] = {0.25 * K * ((2.0 - w) * (2.0 + w)), K * w, K * X[1] - bw * X[2], K * X[2] + bw * X[1]};
    copy_n(4, g, r);
}

/* w = 2 tan(t/2) = 2 s/(1 + c) = 2 (1 - c)/s, whichever does not cancel */
lie_status lie_se2_caylog(double X[3], const double g[4])
{
    lie_status status = check_se2(g);
    if (status != LIE_OK) return status;
    if (g[0] < 0.0 && fabs(g[1]) <= 0x1p-50) return LIE_ERR_DOMAIN;
    double w = g[0] >= 0.0 ? 2.0 * g[1] / (1.0 + g[0]) : 2.0 * (1.0 - g[0]) / g[1];
    const double r[3] = {w, g[2] + 0.5 * w * g[3], g[3] - 0.5 * w * g[2]};
    return store(3, X, r);
}

void lie_se2_dcay(double out[3], const double X[3], const double Y[3])
{
    double r[3];
    planar_apply(r, cay_planar(X[0] * X[0]), X, Y);
    copy_n(3, out, r);
}

void lie_se2_dcayt(double out[3], const double X[3], const double m[3])
{
    double r[3];
    planar_tapply(r, cay_planar(X[0] * X[0]), X, m);
    copy_n(3, out, r);
}

void lie_se2_dcayinv(double out[3], const double X[3], const double Y[3])
{
    double r[3];
    planar_apply(r, cay_planar_inv(X[0] * X[0]), X, Y);
    copy_n(3, out, r);
}

void lie_se2_dcayinvt(double out[3], const double X[3], const double m[3])
{
    double r[3];
    planar_tapply(r, cay_planar_inv(X[0] * X[0]), X, m);
    copy_n(3, out, r);
}

void lie_se2_dcay_matrix(double M[9], const double X[3])
{
    planar_matrix(M, cay_planar(X[0] * X[0]), X);
}

void lie_se2_dcayinv_matrix(double M[9], const double X[3])
{
    planar_matrix(M, cay_planar_inv(X[0] * X[0]), X);
}

void lie_se2_dcay_body_deriv(double M[9], const double X[3], const double psi[3])
{
    double x = X[0] * X[0];
    planar_body_deriv(M, cay_planar(x), cay_planar_deriv(x), X, psi);
}

OPS_GROUP(lie_se2)

OPS_TOTAL_1(op_exp, lie_se2_exp, 4)
OPS_PARTIAL_1(op_explog, lie_se2_log)
OPS_TOTAL_2(op_dexp, lie_se2_dexp, 3)
OPS_TOTAL_2(op_dexpt, lie_se2_dexpt, 3)
OPS_PARTIAL_2(op_dexpinv, lie_se2_dexpinv)
OPS_PARTIAL_2(op_dexpinvt, lie_se2_dexpinvt)
OPS_TOTAL_2(op_dexp_body_deriv, lie_se2_dexp_body_deriv, 9)

OPS_TOTAL_1(op_cay, lie_se2_cay, 4)
OPS_PARTIAL_1(op_caylog, lie_se2_caylog)
OPS_TOTAL_2(op_dcay, lie_se2_dcay, 3)
OPS_TOTAL_2(op_dcayt, lie_se2_dcayt, 3)
OPS_TOTAL_2(op_dcayinv, lie_se2_dcayinv, 3)
OPS_TOTAL_2(op_dcayinvt, lie_se2_dcayinvt, 3)
OPS_TOTAL_2(op_dcay_body_deriv, lie_se2_dcay_body_deriv, 9)

/* |P|^2 */
static void op_casimir(const lie_ops *G, double *C, const double *m)
{
    (void)G;
    C[0] = m[1] * m[1] + m[2] * m[2];
}

#define CASIMIR .casimirs = 1, .casimir = op_casimir
const lie_ops lie_se2_exp_ops = OPS_TABLE("SE2", "exp", 3, 4, exp, CASIMIR);
const lie_ops lie_se2_cay_ops = OPS_TABLE("SE2", "cay", 3, 4, cay, CASIMIR);
