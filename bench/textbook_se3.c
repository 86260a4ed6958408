/* SPDX-License-Identifier: MIT */
/* textbook_se3.c: SE(3) as textbooks write it; see textbook.h.
 *
 * exp with V = dexp_w for the translation; dexp = [[D, 0], [Q, D]] with Q of Barfoot & Furgale 2014, (102),
 * multiplied out in hat matrices, and its inverse [[D^-1, 0], [-D^-1 Q D^-1, D^-1]]; the derivative of dexp from the
 * polynomial in ad of Bullo & Murray 1995 by the product rule; Cayley as Jimenez 2012, (5.55). */
#include "textbook.h"
#include "textbook_mat.h"

#include <math.h>

void tb_se3_mul(double out[12], const double a[12], const double b[12])
{
    tb_mat_mul(out, a, b, 3);
    tb_mat_vec(out + 9, a, b + 9, 3);
    for (int i = 0; i < 3; i++) {
        out[9 + i] += a[9 + i];
    }
}

void tb_se3_inv(double out[12], const double g[12])
{
    tb_so3_inv(out, g);
    tb_mat_vec(out + 9, out, g + 9, 3);
    for (int i = 0; i < 3; i++) {
        out[9 + i] = -out[9 + i];
    }
}

void tb_se3_act(double out[3], const double g[12], const double p[3])
{
    tb_mat_vec(out, g, p, 3);
    for (int i = 0; i < 3; i++) {
        out[i] += g[9 + i];
    }
}

void tb_se3_hat(double M[16], const double X[6])
{
    double K[9];
    tb_hat(K, X);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[4 * i + j] = K[3 * i + j];
        }
        M[4 * i + 3] = X[3 + i];
        M[12 + i] = 0.0;
    }
    M[15] = 0.0;
}

void tb_se3_vee(double X[6], const double M[16])
{
    X[0] = 0.5 * (M[9] - M[6]);
    X[1] = 0.5 * (M[2] - M[8]);
    X[2] = 0.5 * (M[4] - M[1]);
    X[3] = M[3];
    X[4] = M[7];
    X[5] = M[11];
}

void tb_se3_Ad(double out[6], const double g[12], const double X[6])
{
    double xRw[3], Rv[3];
    tb_mat_vec(out, g, X, 3);
    tb_cross(xRw, g + 9, out);
    tb_mat_vec(Rv, g, X + 3, 3);
    for (int i = 0; i < 3; i++) {
        out[3 + i] = xRw[i] + Rv[i];
    }
}

void tb_se3_Adt(double out[6], const double g[12], const double m[6])
{
    double u[3];
    tb_cross(u, g + 9, m + 3);
    for (int i = 0; i < 3; i++) {
        u[i] = m[i] - u[i];
    }
    tb_mat_tvec(out, g, u, 3);
    tb_mat_tvec(out + 3, g, m + 3, 3);
}

void tb_se3_ad(double out[6], const double X[6], const double Y[6])
{
    double a[3], b[3];
    tb_cross(out, X, Y);
    tb_cross(a, X + 3, Y);
    tb_cross(b, X, Y + 3);
    for (int i = 0; i < 3; i++) {
        out[3 + i] = a[i] + b[i];
    }
}

void tb_se3_adt(double out[6], const double X[6], const double m[6])
{
    double a[3], b[3];
    tb_cross(a, m, X);
    tb_cross(b, m + 3, X + 3);
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + b[i];
    }
    tb_cross(out + 3, m + 3, X);
}

void tb_se3_project(double out[12], const double g[12])
{
    tb_so3_project(out, g);
    for (int i = 9; i < 12; i++) {
        out[i] = g[i];
    }
}

void tb_se3_exp(double g[12], const double X[6])
{
    double t = sqrt(tb_dot3(X, X)), a, b, c, K[9], K2[9], V[9];
    if (t < TB_SMALL) {
        a = 1.0 - t * t / 6.0;
        b = 0.5 - t * t / 24.0;
        c = 1.0 / 6.0 - t * t / 120.0;
    } else {
        a = sin(t) / t;
        b = (1.0 - cos(t)) / (t * t);
        c = (t - sin(t)) / (t * t * t);
    }
    tb_hat(K, X);
    tb_mat_mul(K2, K, K, 3);
    for (int i = 0; i < 9; i++) {
        double unit = i % 4 == 0 ? 1.0 : 0.0;
        g[i] = unit + a * K[i] + b * K2[i];
        V[i] = unit + b * K[i] + c * K2[i];
    }
    tb_mat_vec(g + 9, V, X + 3, 3);
}

void tb_se3_log(double X[6], const double g[12])
{
    double Vinv[9];
    tb_so3_log(X, g);
    tb_so3_dexpinv_matrix(Vinv, X);
    tb_mat_vec(X + 3, Vinv, g + 9, 3);
}

/* Q of Barfoot & Furgale 2014, (102), with W = hat(w), U = hat(v); t = |w|, s = sin t, k = cos t */
static void barfoot_q(double Q[9], const double X[6], double t, double s, double k)
{
    double a, b, c;
    double W[9], U[9], WU[9], UW[9], WUW[9], WWU[9], UWW[9], WUWW[9], WWUW[9];
    if (t < TB_SMALL) {
        a = 1.0 / 6.0 - t * t / 120.0;
        b = 1.0 / 24.0 - t * t / 720.0;
        c = 1.0 / 120.0 - t * t / 2520.0;
    } else {
        double t2 = t * t;
        a = (t - s) / (t2 * t);
        b = (t2 + 2.0 * k - 2.0) / (2.0 * t2 * t2);
        c = (2.0 * t - 3.0 * s + t * k) / (2.0 * t2 * t2 * t);
    }
    tb_hat(W, X);
    tb_hat(U, X + 3);
    tb_mat_mul(WU, W, U, 3);
    tb_mat_mul(UW, U, W, 3);
    tb_mat_mul(WUW, WU, W, 3);
    tb_mat_mul(WWU, W, WU, 3);
    tb_mat_mul(UWW, UW, W, 3);
    tb_mat_mul(WUWW, WUW, W, 3);
    tb_mat_mul(WWUW, W, WUW, 3);
    for (int i = 0; i < 9; i++) {
        Q[i] =
            0.5 * U[i] + a * (WU[i] + UW[i] + WUW[i]) + b * (WWU[i] + UWW[i] - 3.0 * WUW[i]) + c * (WUWW[i] + WWUW[i]);
    }
}

/* y = [[A, 0], [B, A]] x, or its transpose */
static void apply_blocks(double y[6], const double A[9], const double B[9], const double x[6])
{
    double u[3];
    tb_mat_vec(y, A, x, 3);
    tb_mat_vec(u, B, x, 3);
    tb_mat_vec(y + 3, A, x + 3, 3);
    for (int i = 0; i < 3; i++) {
        y[3 + i] += u[i];
    }
}

static void apply_blocks_t(double y[6], const double A[9], const double B[9], const double x[6])
{
    double u[3];
    tb_mat_tvec(y, A, x, 3);
    tb_mat_tvec(u, B, x + 3, 3);
    tb_mat_tvec(y + 3, A, x + 3, 3);
    for (int i = 0; i < 3; i++) {
        y[i] += u[i];
    }
}

/* M = [[A, 0], [B, C]] */
static void matrix_of_blocks(double M[36], const double A[9], const double B[9], const double C[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[6 * i + j] = A[3 * i + j];
            M[6 * i + j + 3] = 0.0;
            M[6 * (i + 3) + j] = B[3 * i + j];
            M[6 * (i + 3) + j + 3] = C[3 * i + j];
        }
    }
}

static void dexp_blocks(double D[9], double Q[9], const double X[6])
{
    double t = sqrt(tb_dot3(X, X)), s = sin(t), k = cos(t), W[9];
    double b = t < TB_SMALL ? 0.5 - t * t / 24.0 : (1.0 - k) / (t * t);
    double c = t < TB_SMALL ? 1.0 / 6.0 - t * t / 120.0 : (t - s) / (t * t * t);
    tb_hat(W, X);
    tb_quadratic(D, W, b, c);
    barfoot_q(Q, X, t, s, k);
}

static void dexpinv_blocks(double D[9], double E[9], const double X[6])
{
    double t = sqrt(tb_dot3(X, X)), Q[9], DQ[9];
    tb_so3_dexpinv_matrix(D, X);
    barfoot_q(Q, X, t, sin(t), cos(t));
    tb_mat_mul(DQ, D, Q, 3);
    tb_mat_mul(E, DQ, D, 3);
    for (int i = 0; i < 9; i++) {
        E[i] = -E[i];
    }
}

void tb_se3_dexp(double out[6], const double X[6], const double Y[6])
{
    double D[9], Q[9];
    dexp_blocks(D, Q, X);
    apply_blocks(out, D, Q, Y);
}

void tb_se3_dexpt(double out[6], const double X[6], const double m[6])
{
    double D[9], Q[9];
    dexp_blocks(D, Q, X);
    apply_blocks_t(out, D, Q, m);
}

void tb_se3_dexpinv(double out[6], const double X[6], const double Y[6])
{
    double D[9], E[9];
    dexpinv_blocks(D, E, X);
    apply_blocks(out, D, E, Y);
}

void tb_se3_dexpinvt(double out[6], const double X[6], const double m[6])
{
    double D[9], E[9];
    dexpinv_blocks(D, E, X);
    apply_blocks_t(out, D, E, m);
}

void tb_se3_dexp_matrix(double M[36], const double X[6])
{
    double D[9], Q[9];
    dexp_blocks(D, Q, X);
    matrix_of_blocks(M, D, Q, D);
}

void tb_se3_dexpinv_matrix(double M[36], const double X[6])
{
    double D[9], E[9];
    dexpinv_blocks(D, E, X);
    matrix_of_blocks(M, D, E, D);
}

/* dexp = 1 + c1 ad + c2 ad^2 + c3 ad^3 + c4 ad^4; d[k] = (dc[k]/dt)/t */
static void ad_coefficients(double c[4], double d[4], double t)
{
    double t2 = t * t;
    if (t < 1e-3) {
        c[0] = 0.5 - t2 * t2 / 720.0;
        c[1] = 1.0 / 6.0 - t2 * t2 / 5040.0;
        c[2] = 1.0 / 24.0 - t2 / 360.0;
        c[3] = 1.0 / 120.0 - t2 / 2520.0;
        d[0] = -t2 / 180.0;
        d[1] = -t2 / 1260.0;
        d[2] = -1.0 / 180.0;
        d[3] = -1.0 / 1260.0;
        return;
    }
    double s = sin(t), k = cos(t);
    c[0] = (4.0 - t * s - 4.0 * k) / (2.0 * t2);
    c[1] = (4.0 * t - 5.0 * s + t * k) / (2.0 * t2 * t);
    c[2] = (2.0 - t * s - 2.0 * k) / (2.0 * t2 * t2);
    c[3] = (2.0 * t - 3.0 * s + t * k) / (2.0 * t2 * t2 * t);
    d[0] = (3.0 * s - t * k) / (2.0 * t2 * t) - 2.0 * c[0] / t2;
    d[1] = (4.0 - 4.0 * k - t * s) / (2.0 * t2 * t2) - 3.0 * c[1] / t2;
    d[2] = (s - t * k) / (2.0 * t2 * t2 * t) - 4.0 * c[2] / t2;
    d[3] = (2.0 - 2.0 * k - t * s) / (2.0 * t2 * t2 * t2) - 5.0 * c[3] / t2;
}

static void ad_matrix(double A[36], const double X[6])
{
    double W[9], U[9];
    tb_hat(W, X);
    tb_hat(U, X + 3);
    matrix_of_blocks(A, W, U, W);
}

/* f = sum_k c_k A^k psi with A = ad_{-X} and u_k = A^k psi. Since d(A) u = ad_u dX,
 * df = sum_k (d_k u_k w^T + c_k sum_{i<k} A^i ad(u_{k-1-i})) dX, summed by Horner's rule in A. */
void tb_se3_dexp_body_deriv(double M[36], const double X[6], const double psi[6])
{
    double c[4], d[4], u[5][6], adu[4][36], A[36], next[36], minus[6];
    ad_coefficients(c, d, sqrt(tb_dot3(X, X)));
    for (int i = 0; i < 6; i++) {
        minus[i] = -X[i];
        u[0][i] = psi[i];
    }
    ad_matrix(A, minus);
    for (int k = 0; k < 4; k++) {
        ad_matrix(adu[k], u[k]);
        tb_mat_vec(u[k + 1], A, u[k], 6);
    }
    for (int i = 0; i < 36; i++) {
        M[i] = c[3] * adu[0][i];
    }
    for (int power = 2; power >= 0; power--) {
        tb_mat_mul(next, A, M, 6);
        for (int i = 0; i < 36; i++) {
            M[i] = next[i];
            for (int k = power; k < 4; k++) {
                M[i] += c[k] * adu[k - power][i];
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 3; j++) {
            M[6 * i + j] += (d[0] * u[1][i] + d[1] * u[2][i] + d[2] * u[3][i] + d[3] * u[4][i]) * X[j];
        }
    }
}
