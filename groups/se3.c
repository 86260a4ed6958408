/* SPDX-License-Identifier: MIT */
/* se3.c: SE(3), the rigid motions of space. Formulas: se3.h.
 *
 * exp: a twist (w, v) is the dual vector w + eps v, and every function of w that commutes with rotations extends to it
 * by its derivative in the direction v. The tangents are therefore those of SO(3) (so3_maps.h) through the dual forms
 * of iso3.h: [[T, 0], [T', T]] with T = T(w) and T' = d/ds T(w + s v).
 *
 * cay: the Cayley map of 4x4 matrices (Jimenez 2012, (5.55)), which is not the dual one:
 *     dcay = [[C, 0], [hat(v) C / 2, B]],    C = dcay_w, B = (1 - hat(w)/2)^-1 = (4 + 2 hat(w) + w w^T)/(4 + |w|^2)
 *     dcay^-1 = [[C^-1, 0], [-(1 - hat(w)/2) hat(v)/2, 1 - hat(w)/2]]. */
#include <liestep/se3.h>
#include <liestep/so3.h>

#include "groups/num/finite.h"
#include "groups/num/vec3.h"
#include "groups/ops_adapters.h"
#include "groups/step/se3_step.h"

void lie_se3_identity(double g[12])
{
    lie_so3_identity(g);
    zero_n(3, g + 9);
}

void lie_se3_mul(double out[12], const double a[12], const double b[12])
{
    se3_mul(0, out, a, b);
}

void lie_se3_inv(double out[12], const double g[12])
{
    double x[3];
    mat3_tvec(x, g, g + 9);
    lie_so3_inv(out, g);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[9 + i] = -x[i];
}

void lie_se3_act(double out[3], const double g[12], const double p[3])
{
    double r[3];
    mat3_vec(r, g, p);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = r[i] + g[9 + i];
}

void lie_se3_hat(double M[16], const double X[6])
{
    const double w[3] = {X[0], X[1], X[2]}, v[3] = {X[3], X[4], X[5]};
    double W[9];
    hat3(W, w);
    zero_n(16, M);
    put_block3(M, 4, 0, 0, W);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) M[4 * i + 3] = v[i];
}

void lie_se3_vee(double X[6], const double M[16])
{
    const double r[6] = {0.5 * (M[9] - M[6]), 0.5 * (M[2] - M[8]), 0.5 * (M[4] - M[1]), M[3], M[7], M[11]};
    copy_n(6, X, r);
}

void lie_se3_Ad(double out[6], const double g[12], const double X[6])
{
    double w[3], v[3], xw[3];
    mat3_vec(w, g, X);
    mat3_vec(v, g, X + 3);
    cross3(xw, g + 9, w);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = w[i], out[3 + i] = xw[i] + v[i];
}

void lie_se3_Adt(double out[6], const double g[12], const double m[6])
{
    double xp[3], r[6];
    cross3(xp, g + 9, m + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) xp[i] = m[i] - xp[i];
    mat3_tvec(r, g, xp);
    mat3_tvec(r + 3, g, m + 3);
    copy_n(6, out, r);
}

void lie_se3_ad(double out[6], const double X[6], const double Y[6])
{
    double ww[3], vw[3], wv[3];
    cross3(ww, X, Y);
    cross3(vw, X + 3, Y);
    cross3(wv, X, Y + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = ww[i], out[3 + i] = vw[i] + wv[i];
}

void lie_se3_adt(double out[6], const double X[6], const double m[6])
{
    se3_adt(0, out, X, m);
}

lie_status lie_se3_project(double out[12], const double g[12])
{
    double r[12];
    lie_status status = lie_so3_project(r, g);
    if (status != LIE_OK) return status;
    copy_n(3, r + 9, g + 9);
    return store(12, out, r);
}

/* exp */

/* g = (1 + c_1 hat(w) + c_2 hat(w)^2, c_1 v + c_2 w x v + c_3 (w . v) w) */
LIE_INLINE void exp_from(double g[12], const lie__stumpff *k, const double X[6])
{
    double r[12];
    rodrigues(r, k->f[0], k->f[1], 1.0, 1.0, X);
    iso3_apply(r + 9, (iso3){k->f[0], k->f[1], k->f[2]}, X, X + 3);
    copy_n(12, g, r);
}

/* beyond a half-turn, apart from the usual case so that this one keeps to the registers */
LIE_COLD void exp_far(double g[12], const double X[6], double x)
{
    lie__stumpff k = lie__stumpff_far(x);
    exp_from(g, &k, X);
}

void lie_se3_exp(double g[12], const double X[6])
{
    double x = dot3(X, X);
    if (!(x <= LIE__PI_SQ)) {
        exp_far(g, X, x);
        return;
    }
    lie__stumpff k = lie__stumpff_near(x);
    exp_from(g, &k, X);
}

lie_status lie_se3_log(double X[6], const double g[12])
{
    double r[6];
    lie_status status = lie_so3_log(r, g);
    if (status != LIE_OK) return status;
    iso3_apply(r + 3, exp_dinv(dot3(r, r)), r, g + 9);
    return store(6, X, r);
}

/* (T wy, T vy + T' wy) and its transpose (T^t Pi + T'^t P, T^t P) */
LIE_INLINE void dual_map(double r[6], const iso3_jet *T, const double X[6], const double Y[6])
{
    double shear[3];
    iso3_apply(r, T->f, X, Y);
    iso3_apply(r + 3, T->f, X, Y + 3);
    iso3_dual_apply(shear, T, X, X + 3, Y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) r[3 + i] += shear[i];
}

LIE_INLINE void dual_tmap(double r[6], const iso3_jet *T, const double X[6], const double m[6])
{
    iso3_jet Tt = iso3_jet_transpose(*T);
    double shear[3];
    iso3_apply(r, Tt.f, X, m);
    iso3_apply(r + 3, Tt.f, X, m + 3);
    iso3_dual_apply(shear, &Tt, X, X + 3, m + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) r[i] += shear[i];
}

/* [[A, 0], [C, D]] */
LIE_INLINE void lower_blocks(double M[36], const double A[9], const double C[9], const double D[9])
{
    zero_n(36, M);
    put_block3(M, 6, 0, 0, A);
    put_block3(M, 6, 3, 0, C);
    put_block3(M, 6, 3, 3, D);
}

LIE_INLINE void dual_matrix(double M[36], const iso3_jet *T, const double X[6])
{
    double A[9], C[9];
    iso3_matrix(A, T->f, X);
    iso3_dual_matrix(C, T, X, X + 3);
    lower_blocks(M, A, C, A);
}

void lie_se3_dexp(double out[6], const double X[6], const double Y[6])
{
    double r[6];
    iso3_jet T = exp_jet(dot3(X, X));
    dual_map(r, &T, X, Y);
    copy_n(6, out, r);
}

void lie_se3_dexpt(double out[6], const double X[6], const double m[6])
{
    double r[6];
    iso3_jet T = exp_jet(dot3(X, X));
    dual_tmap(r, &T, X, m);
    copy_n(6, out, r);
}

/* The jet of dexp^-1 where it is defined. */
LIE_INLINE lie_status dexpinv_jet(iso3_jet *T, const double X[6])
{
    double x = dot3(X, X);
    lie_status status = check_domain(&below_2pi, x);
    if (status == LIE_OK) *T = exp_inv_jet(x);
    return status;
}

lie_status lie_se3_dexpinv(double out[6], const double X[6], const double Y[6])
{
    double r[6];
    iso3_jet T;
    lie_status status = dexpinv_jet(&T, X);
    if (status != LIE_OK) return status;
    dual_map(r, &T, X, Y);
    return store(6, out, r);
}

lie_status lie_se3_dexpinvt(double out[6], const double X[6], const double m[6])
{
    double r[6];
    iso3_jet T;
    lie_status status = dexpinv_jet(&T, X);
    if (status != LIE_OK) return status;
    dual_tmap(r, &T, X, m);
    return store(6, out, r);
}

void lie_se3_dexp_matrix(double M[36], const double X[6])
{
    iso3_jet T = exp_jet(dot3(X, X));
    dual_matrix(M, &T, X);
}

lie_status lie_se3_dexpinv_matrix(double M[36], const double X[6])
{
    double r[36];
    iso3_jet T;
    lie_status status = dexpinv_jet(&T, X);
    if (status != LIE_OK) return status;
    dual_matrix(r, &T, X);
    return store(36, M, r);
}

/* With T the body tangent of SO(3): rows (T pw, T pv + T' pw), so the derivative in (w, v) is
 * [[D(pw), 0], [D(pv) + D'(pw), D(pw)]], D(u) = d/dw (T u) and D' its derivative along v. */
void lie_se3_dexp_body_deriv(double M[36], const double X[6], const double psi[6])
{
    iso3_jet T = iso3_jet_transpose(exp_jet(dot3(X, X)));
    double A[9], C[9], E[9];
    iso3_deriv(A, &T, X, psi);
    iso3_deriv(C, &T, X, psi + 3);
    iso3_deriv_dual(E, &T, X, X + 3, psi);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) C[i] += E[i];
    lower_blocks(M, A, C, A);
}

/* cay */

/* B(x) = (4 + 2 hat(w) + w w^T)/(4 + x) and its derivative */
LIE_INLINE iso3_jet cay_translation(double x)
{
    double u = 1.0 / (4.0 + x), u2 = u * u;
    return (iso3_jet){{4.0 * u, 2.0 * u, u}, {-4.0 * u2, -2.0 * u2, -u2}, {0.0, 0.0, 0.0}};
}

void lie_se3_cay(double g[12], const double X[6])
{
    double r[12];
    lie_so3_cay(r, X);
    iso3_apply(r + 9, cay_translation(dot3(X, X)).f, X, X + 3);
    copy_n(12, g, r);
}

lie_status lie_se3_caylog(double X[6], const double g[12])
{
    double r[6];
    lie_status status = lie_so3_caylog(r, g);
    if (status != LIE_OK) return status;
    iso3_apply(r + 3, CAY_TRANSLATION_INV, r, g + 9);
    return store(6, X, r);
}

void lie_se3_dcay(double out[6], const double X[6], const double Y[6])
{
    double x = dot3(X, X), r[6], vr[3];
    iso3_apply(r, cay_d(x), X, Y);
    iso3_apply(r + 3, cay_translation(x).f, X, Y + 3);
    cross3(vr, X + 3, r);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) r[3 + i] += 0.5 * vr[i];
    copy_n(6, out, r);
}

/* (C^T (Pi - v x P / 2), B^T P) */
void lie_se3_dcayt(double out[6], const double X[6], const double m[6])
{
    double x = dot3(X, X), r[6], s[3];
    cross3(s, X + 3, m + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) s[i] = m[i] - 0.5 * s[i];
    iso3_apply(r, iso3_transpose(cay_d(x)), X, s);
    iso3_apply(r + 3, iso3_transpose(cay_translation(x).f), X, m + 3);
    copy_n(6, out, r);
}

/* (C^-1 wy, (1 - hat(w)/2)(vy - v x wy / 2)) */
void lie_se3_dcayinv(double out[6], const double X[6], const double Y[6])
{
    (void)se3_cay_dtauinv(0, out, X, Y);
}

/* with s = (1 + hat(w)/2) P: (C^-T Pi + v x s / 2, s) */
void lie_se3_dcayinvt(double out[6], const double X[6], const double m[6])
{
    double r[6], vs[3];
    iso3_apply(r, iso3_transpose(cay_dinv(0.0)), X, m);
    iso3_apply(r + 3, iso3_transpose(CAY_TRANSLATION_INV), X, m + 3);
    cross3(vs, X + 3, r + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) r[i] += 0.5 * vs[i];
    copy_n(6, out, r);
}

void lie_se3_dcay_matrix(double M[36], const double X[6])
{
    double x = dot3(X, X), V[9], A[9], C[9], D[9];
    iso3_matrix(A, cay_d(x), X);
    iso3_matrix(D, cay_translation(x).f, X);
    hat3(V, X + 3);
    mat3_mul(C, V, A);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) C[i] *= 0.5;
    lower_blocks(M, A, C, D);
}

void lie_se3_dcayinv_matrix(double M[36], const double X[6])
{
    double V[9], A[9], C[9], D[9];
    iso3_matrix(A, cay_dinv(0.0), X);
    iso3_matrix(D, CAY_TRANSLATION_INV, X);
    hat3(V, X + 3);
    mat3_mul(C, D, V);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) C[i] *= -0.5;
    lower_blocks(M, A, C, D);
}

/* dcay_{-X} psi = (a, B(-w) pv - v x a / 2) with a = dcay_{-w} pw */
void lie_se3_dcay_body_deriv(double M[36], const double X[6], const double psi[6])
{
    double x = dot3(X, X), a[3], A[9], C[9], D[9], V[9], VA[9];
    iso3_jet T = iso3_jet_transpose(cay_jet(x)), B = iso3_jet_transpose(cay_translation(x));
    iso3_apply(a, T.f, X, psi);
    iso3_deriv(A, &T, X, psi);
    iso3_deriv(C, &B, X, psi + 3);
    hat3(V, X + 3);
    mat3_mul(VA, V, A);
    hat3(D, a);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) C[i] -= 0.5 * VA[i], D[i] *= 0.5;
    lower_blocks(M, A, C, D);
}

OPS_GROUP(lie_se3)

OPS_TOTAL_1(op_exp, lie_se3_exp, 12)
OPS_PARTIAL_1(op_explog, lie_se3_log)
OPS_TOTAL_2(op_dexp, lie_se3_dexp, 6)
OPS_TOTAL_2(op_dexpt, lie_se3_dexpt, 6)
OPS_PARTIAL_2(op_dexpinv, lie_se3_dexpinv)
OPS_PARTIAL_2(op_dexpinvt, lie_se3_dexpinvt)
OPS_TOTAL_2(op_dexp_body_deriv, lie_se3_dexp_body_deriv, 36)

OPS_TOTAL_1(op_cay, lie_se3_cay, 12)
OPS_PARTIAL_1(op_caylog, lie_se3_caylog)
OPS_TOTAL_2(op_dcay, lie_se3_dcay, 6)
OPS_TOTAL_2(op_dcayt, lie_se3_dcayt, 6)
OPS_TOTAL_2(op_dcayinv, lie_se3_dcayinv, 6)
OPS_TOTAL_2(op_dcayinvt, lie_se3_dcayinvt, 6)
OPS_TOTAL_2(op_dcay_body_deriv, lie_se3_dcay_body_deriv, 36)

/* Pi . P and |P|^2 */
static void op_casimir(const lie_ops *G, double *C, const double *m)
{
    const double r[2] = {dot3(m, m + 3), dot3(m + 3, m + 3)};
    (void)G;
    copy_n(2, C, r);
}

#define CASIMIR .casimirs = 2, .casimir = op_casimir
const lie_ops lie_se3_exp_ops = OPS_TABLE("SE3", "exp", 6, 12, exp, CASIMIR, .move = se3_exp_move);
const lie_ops lie_se3_cay_ops =
    OPS_TABLE("SE3", "cay", 6, 12, cay, CASIMIR, .move = se3_cay_move, .legendre = &se3_cay_legendre);
