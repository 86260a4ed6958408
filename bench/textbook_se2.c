/* SPDX-License-Identifier: MIT */
/* textbook_se2.c: SE(2) as textbooks write it; see textbook.h.
 *
 * V = (sin w/w) 1 + ((1 - cos w)/w) J for the translation of exp; ad^3 = -w^2 ad, so dexp and dexpinv are the
 * quadratics in ad that SO(3) has; Cayley as Jimenez 2012, App. B.B, its tangent by inverting dcayinv. */
#include "textbook.h"
#include "textbook_mat.h"

#include <math.h>

void tb_se2_mul(double out[4], const double a[4], const double b[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1];
    out[1] = a[1] * b[0] + a[0] * b[1];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2];
    out[3] = a[1] * b[2] + a[0] * b[3] + a[3];
}

void tb_se2_inv(double out[4], const double g[4])
{
    out[0] = g[0];
    out[1] = -g[1];
    out[2] = -(g[0] * g[2] + g[1] * g[3]);
    out[3] = g[1] * g[2] - g[0] * g[3];
}

void tb_se2_act(double out[2], const double g[4], const double p[2])
{
    out[0] = g[0] * p[0] - g[1] * p[1] + g[2];
    out[1] = g[1] * p[0] + g[0] * p[1] + g[3];
}

void tb_se2_hat(double M[9], const double X[3])
{
    for (int i = 0; i < 9; i++) {
        M[i] = 0.0;
    }
    M[1] = -X[0];
    M[2] = X[1];
    M[3] = X[0];
    M[5] = X[2];
}

void tb_se2_vee(double X[3], const double M[9])
{
    X[0] = 0.5 * (M[3] - M[1]);
    X[1] = M[2];
    X[2] = M[5];
}

void tb_se2_Ad(double out[3], const double g[4], const double X[3])
{
    out[0] = X[0];
    out[1] = g[0] * X[1] - g[1] * X[2] + X[0] * g[3];
    out[2] = g[1] * X[1] + g[0] * X[2] - X[0] * g[2];
}

void tb_se2_Adt(double out[3], const double g[4], const double m[3])
{
    out[0] = m[0] + m[1] * g[3] - m[2] * g[2];
    out[1] = g[0] * m[1] + g[1] * m[2];
    out[2] = g[0] * m[2] - g[1] * m[1];
}

void tb_se2_ad(double out[3], const double X[3], const double Y[3])
{
    out[0] = 0.0;
    out[1] = X[2] * Y[0] - X[0] * Y[2];
    out[2] = X[0] * Y[1] - X[1] * Y[0];
}

void tb_se2_adt(double out[3], const double X[3], const double m[3])
{
    out[0] = X[2] * m[1] - X[1] * m[2];
    out[1] = X[0] * m[2];
    out[2] = -X[0] * m[1];
}

void tb_se2_project(double out[4], const double g[4])
{
    double n = sqrt(g[0] * g[0] + g[1] * g[1]);
    out[0] = g[0] / n;
    out[1] = g[1] / n;
    out[2] = g[2];
    out[3] = g[3];
}

void tb_se2_exp(double g[4], const double X[3])
{
    double w = X[0], a, b;
    g[0] = cos(w);
    g[1] = sin(w);
    if (fabs(w) < TB_SMALL) {
        a = 1.0 - w * w / 6.0;
        b = 0.5 * w - w * w * w / 24.0;
    } else {
        a = g[1] / w;
        b = (1.0 - g[0]) / w;
    }
    g[2] = a * X[1] - b * X[2];
    g[3] = b * X[1] + a * X[2];
}

/* V^-1 = (w/2) (cot(w/2) 1 - J) */
void tb_se2_log(double X[3], const double g[4])
{
    double w = atan2(g[1], g[0]);
    double a = fabs(w) < TB_SMALL ? 1.0 - w * w / 12.0 : 0.5 * w / tan(0.5 * w);
    double b = 0.5 * w;
    X[0] = w;
    X[1] = a * g[2] + b * g[3];
    X[2] = a * g[3] - b * g[2];
}

static void ad_matrix(double A[9], const double X[3])
{
    A[0] = 0.0;
    A[1] = 0.0;
    A[2] = 0.0;
    A[3] = X[2];
    A[4] = 0.0;
    A[5] = -X[0];
    A[6] = -X[1];
    A[7] = X[0];
    A[8] = 0.0;
}

/* Y + a ad Y + b ad^2 Y */
static void apply_quadratic(double out[3], const double X[3], const double Y[3], double a, double b)
{
    double y1[3], y2[3];
    tb_se2_ad(y1, X, Y);
    tb_se2_ad(y2, X, y1);
    for (int i = 0; i < 3; i++) {
        out[i] = Y[i] + a * y1[i] + b * y2[i];
    }
}

static void apply_quadratic_t(double out[3], const double X[3], const double m[3], double a, double b)
{
    double m1[3], m2[3];
    tb_se2_adt(m1, X, m);
    tb_se2_adt(m2, X, m1);
    for (int i = 0; i < 3; i++) {
        out[i] = m[i] + a * m1[i] + b * m2[i];
    }
}

/* b = (1 - cos w)/w^2, c = (w - sin w)/w^3 */
static void dexp_coefficients(double *b, double *c, double w)
{
    if (fabs(w) < TB_SMALL) {
        *b = 0.5 - w * w / 24.0;
        *c = 1.0 / 6.0 - w * w / 120.0;
    } else {
        *b = (1.0 - cos(w)) / (w * w);
        *c = (w - sin(w)) / (w * w * w);
    }
}

static double dexpinv_coefficient(double w)
{
    return fabs(w) < TB_SMALL ? 1.0 / 12.0 + w * w / 720.0 : (1.0 - 0.5 * w / tan(0.5 * w)) / (w * w);
}

void tb_se2_dexp(double out[3], const double X[3], const double Y[3])
{
    double b, c;
    dexp_coefficients(&b, &c, X[0]);
    apply_quadratic(out, X, Y, b, c);
}

void tb_se2_dexpt(double out[3], const double X[3], const double m[3])
{
    double b, c;
    dexp_coefficients(&b, &c, X[0]);
    apply_quadratic_t(out, X, m, b, c);
}

void tb_se2_dexpinv(double out[3], const double X[3], const double Y[3])
{
    apply_quadratic(out, X, Y, -0.5, dexpinv_coefficient(X[0]));
}

void tb_se2_dexpinvt(double out[3], const double X[3], const double m[3])
{
    apply_quadratic_t(out, X, m, -0.5, dexpinv_coefficient(X[0]));
}

void tb_se2_dexp_matrix(double M[9], const double X[3])
{
    double b, c, A[9];
    dexp_coefficients(&b, &c, X[0]);
    ad_matrix(A, X);
    tb_quadratic(M, A, b, c);
}

void tb_se2_dexpinv_matrix(double M[9], const double X[3])
{
    double A[9];
    ad_matrix(A, X);
    tb_quadratic(M, A, -0.5, dexpinv_coefficient(X[0]));
}

/* f = (1 + b A + c A^2) psi, A = ad_{-X}, u1 = A psi, u2 = A u1. Since d(A) u = ad_u dX:
 * df = (b ad(psi) + c (ad(u1) + A ad(psi)) + (b' u1 + c' u2) e1^T) dX */
void tb_se2_dexp_body_deriv(double M[9], const double X[3], const double psi[3])
{
    double w = X[0], b, c, db, dc, A[9], P[9], U[9], AP[9], u1[3], u2[3], minus[3] = {-X[0], -X[1], -X[2]};
    dexp_coefficients(&b, &c, w);
    if (fabs(w) < 1e-3) {
        db = -w / 12.0 + w * w * w / 180.0;
        dc = -w / 60.0 + w * w * w / 1260.0;
    } else {
        db = (sin(w) / w - 2.0 * b) / w;
        dc = (b - 3.0 * c) / w;
    }
    tb_se2_ad(u1, minus, psi);
    tb_se2_ad(u2, minus, u1);
    ad_matrix(A, minus);
    ad_matrix(P, psi);
    ad_matrix(U, u1);
    tb_mat_mul(AP, A, P, 3);
    for (int i = 0; i < 9; i++) {
        M[i] = b * P[i] + c * (U[i] + AP[i]);
    }
    for (int i = 0; i < 3; i++) {
        M[3 * i] += db * u1[i] + dc * u2[i];
    }
}

/* (1 - w J/2)^-1 = (1 + w J/2)/(1 + w^2/4) */
void tb_se2_cay(double g[4], const double X[3])
{
    double h = 0.5 * X[0], f = 1.0 / (1.0 + h * h);
    g[0] = f * (1.0 - h * h);
    g[1] = f * 2.0 * h;
    g[2] = f * (X[1] - h * X[2]);
    g[3] = f * (X[2] + h * X[1]);
}

void tb_se2_caylog(double X[3], const double g[4])
{
    double h = g[1] / (1.0 + g[0]);
    X[0] = 2.0 * h;
    X[1] = g[2] + h * g[3];
    X[2] = g[3] - h * g[2];
}

void tb_se2_dcayinv_matrix(double M[9], const double X[3])
{
    ad_matrix(M, X);
    for (int i = 0; i < 9; i++) {
        M[i] = (i % 4 == 0 ? 1.0 : 0.0) - 0.5 * M[i] + (i % 3 == 0 ? 0.25 * X[0] * X[i / 3] : 0.0);
    }
}

void tb_se2_dcay_matrix(double M[9], const double X[3])
{
    double A[9];
    tb_se2_dcayinv_matrix(A, X);
    tb_inverse3(M, A);
}

void tb_se2_dcay(double out[3], const double X[3], const double Y[3])
{
    double M[9];
    tb_se2_dcay_matrix(M, X);
    tb_mat_vec(out, M, Y, 3);
}

void tb_se2_dcayt(double out[3], const double X[3], const double m[3])
{
    double M[9];
    tb_se2_dcay_matrix(M, X);
    tb_mat_tvec(out, M, m, 3);
}

void tb_se2_dcayinv(double out[3], const double X[3], const double Y[3])
{
    double y[3];
    tb_se2_ad(y, X, Y);
    for (int i = 0; i < 3; i++) {
        out[i] = Y[i] - 0.5 * y[i] + 0.25 * X[0] * X[i] * Y[0];
    }
}

void tb_se2_dcayinvt(double out[3], const double X[3], const double m[3])
{
    double y[3];
    tb_se2_adt(y, X, m);
    for (int i = 0; i < 3; i++) {
        out[i] = m[i] - 0.5 * y[i];
    }
    out[0] += 0.25 * X[0] * tb_dot3(X, m);
}

/* A = dcayinv_{-X} = 1 + ad_X/2 + w X e1^T/4, f = A^-1 psi, df = -A^-1 dA f, dA f = ad_dX f/2 + f1 (X e1^T + w) dX/4 */
void tb_se2_dcay_body_deriv(double M[9], const double X[3], const double psi[3])
{
    double minus[3] = {-X[0], -X[1], -X[2]}, B[9], f[3], D[9], F[9];
    tb_se2_dcay_matrix(B, minus);
    tb_mat_vec(f, B, psi, 3);
    ad_matrix(F, f);
    for (int i = 0; i < 9; i++) {
        double quarter = (i % 3 == 0 ? X[i / 3] : 0.0) + (i % 4 == 0 ? X[0] : 0.0);
        D[i] = 0.5 * F[i] - 0.25 * f[0] * quarter;
    }
    tb_mat_mul(M, B, D, 3);
}
