/* SPDX-License-Identifier: MIT */
/* textbook_se3_cay.c: the Cayley map of SE(3) as textbooks write it; see textbook.h.
 *
 * With A = (1 - hat(w)/2)^-1 = 2/(4+|w|^2) (2 + hat(w) + w w^T/2) and D = dcay_w of SO(3):
 * cay = (cay_w, A v), dcay = [[D, 0], [hat(v) D/2, A]], dcayinv = [[D^-1, 0], [-A^-1 hat(v)/2, A^-1]]
 * (Jimenez 2012, (5.55)). */
#include "textbook.h"
#include "textbook_mat.h"

/* A of the file head */
static void half_inverse(double A[9], const double w[3])
{
    double f = 2.0 / (4.0 + tb_dot3(w, w)), K[9];
    tb_hat(K, w);
    for (int i = 0; i < 9; i++) {
        A[i] = f * ((i % 4 == 0 ? 2.0 : 0.0) + K[i] + 0.5 * w[i / 3] * w[i % 3]);
    }
}

/* A^-1 = 1 - hat(w)/2 */
static void half_minus(double A[9], const double w[3])
{
    double K[9];
    tb_hat(K, w);
    for (int i = 0; i < 9; i++) {
        A[i] = (i % 4 == 0 ? 1.0 : 0.0) - 0.5 * K[i];
    }
}

void tb_se3_cay(double g[12], const double X[6])
{
    double A[9];
    tb_so3_cay(g, X);
    half_inverse(A, X);
    tb_mat_vec(g + 9, A, X + 3, 3);
}

void tb_se3_caylog(double X[6], const double g[12])
{
    double A[9];
    tb_so3_caylog(X, g);
    half_minus(A, X);
    tb_mat_vec(X + 3, A, g + 9, 3);
}

/* the three blocks of [[A, 0], [B, C]] */
static void dcay_blocks(double A[9], double B[9], double C[9], const double X[6])
{
    double U[9];
    tb_so3_dcay_matrix(A, X);
    tb_hat(U, X + 3);
    tb_mat_mul(B, U, A, 3);
    for (int i = 0; i < 9; i++) {
        B[i] *= 0.5;
    }
    half_inverse(C, X);
}

static void dcayinv_blocks(double A[9], double B[9], double C[9], const double X[6])
{
    double U[9];
    tb_so3_dcayinv_matrix(A, X);
    half_minus(C, X);
    tb_hat(U, X + 3);
    tb_mat_mul(B, C, U, 3);
    for (int i = 0; i < 9; i++) {
        B[i] *= -0.5;
    }
}

static void apply(double y[6], const double A[9], const double B[9], const double C[9], const double x[6])
{
    double u[3];
    tb_mat_vec(y, A, x, 3);
    tb_mat_vec(u, B, x, 3);
    tb_mat_vec(y + 3, C, x + 3, 3);
    for (int i = 0; i < 3; i++) {
        y[3 + i] += u[i];
    }
}

static void apply_t(double y[6], const double A[9], const double B[9], const double C[9], const double x[6])
{
    double u[3];
    tb_mat_tvec(y, A, x, 3);
    tb_mat_tvec(u, B, x + 3, 3);
    tb_mat_tvec(y + 3, C, x + 3, 3);
    for (int i = 0; i < 3; i++) {
        y[i] += u[i];
    }
}

static void assemble(double M[36], const double A[9], const double B[9], const double C[9])
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

void tb_se3_dcay(double out[6], const double X[6], const double Y[6])
{
    double A[9], B[9], C[9];
    dcay_blocks(A, B, C, X);
    apply(out, A, B, C, Y);
}

void tb_se3_dcayt(double out[6], const double X[6], const double m[6])
{
    double A[9], B[9], C[9];
    dcay_blocks(A, B, C, X);
    apply_t(out, A, B, C, m);
}

void tb_se3_dcayinv(double out[6], const double X[6], const double Y[6])
{
    double A[9], B[9], C[9];
    dcayinv_blocks(A, B, C, X);
    apply(out, A, B, C, Y);
}

void tb_se3_dcayinvt(double out[6], const double X[6], const double m[6])
{
    double A[9], B[9], C[9];
    dcayinv_blocks(A, B, C, X);
    apply_t(out, A, B, C, m);
}

void tb_se3_dcay_matrix(double M[36], const double X[6])
{
    double A[9], B[9], C[9];
    dcay_blocks(A, B, C, X);
    assemble(M, A, B, C);
}

void tb_se3_dcayinv_matrix(double M[36], const double X[6])
{
    double A[9], B[9], C[9];
    dcayinv_blocks(A, B, C, X);
    assemble(M, A, B, C);
}

/* d/dw of r = (1 + hat(w)/2)^-1 p = f (2 p - w x p + w (w.p)/2), f = 2/(4+|w|^2), f' = -f^2 w:
 * f (hat(p) + ((w.p) 1 + w p^T)/2 - r w^T) */
static void half_inverse_deriv(double E[9], const double w[3], const double p[3])
{
    double minus[3] = {-w[0], -w[1], -w[2]}, A[9], P[9], r[3];
    double f = 2.0 / (4.0 + tb_dot3(w, w)), wp = tb_dot3(w, p);
    half_inverse(A, minus);
    tb_mat_vec(r, A, p, 3);
    tb_hat(P, p);
    for (int i = 0; i < 9; i++) {
        double even = (i % 4 == 0 ? wp : 0.0) + w[i / 3] * p[i % 3];
        E[i] = f * (P[i] + 0.5 * even - r[i / 3] * w[i % 3]);
    }
}

/* dcay_{-X} psi = (u, -v x u/2 + (1 + hat(w)/2)^-1 psi_v) with u = dcay_{-w} psi_w, differentiated by blocks. */
void tb_se3_dcay_body_deriv(double M[36], const double X[6], const double psi[6])
{
    double D[9], E[9], U[9], UD[9], V[9], u[3];
    tb_so3_dcay_body_deriv(D, X, psi);
    tb_so3_dcayt(u, X, psi);
    half_inverse_deriv(E, X, psi + 3);
    tb_hat(U, X + 3);
    tb_mat_mul(UD, U, D, 3);
    tb_hat(V, u);
    for (int i = 0; i < 9; i++) {
        E[i] -= 0.5 * UD[i];
        V[i] *= 0.5;
    }
    assemble(M, D, E, V);
}
