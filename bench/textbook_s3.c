/* SPDX-License-Identifier: MIT */
/* textbook_s3.c: S3 as textbooks write it; see textbook.h.
 *
 * The tangents of exp and of the lifted Cayley map are those of SO(3) in textbook.c; cayq is the Cayley map of the
 * quaternions, skew is Wendlandt & Marsden 1997, (55). */
#include "textbook.h"
#include "textbook_mat.h"

#include <math.h>

void tb_s3_inv(double out[4], const double q[4])
{
    tb_quat_conj(out, q);
}

/* q (0, p) conj(q) */
void tb_s3_act(double out[3], const double q[4], const double p[3])
{
    double y[4] = {0.0, p[0], p[1], p[2]}, c[4], qy[4], r[4];
    tb_quat_conj(c, q);
    tb_quat_mul(qy, q, y);
    tb_quat_mul(r, qy, c);
    out[0] = r[1];
    out[1] = r[2];
    out[2] = r[3];
}

void tb_s3_Adt(double out[3], const double q[4], const double m[3])
{
    double c[4];
    tb_quat_conj(c, q);
    tb_s3_act(out, c, m);
}

void tb_s3_hat(double x[4], const double w[3])
{
    x[0] = 0.0;
    x[1] = 0.5 * w[0];
    x[2] = 0.5 * w[1];
    x[3] = 0.5 * w[2];
}

void tb_s3_vee(double w[3], const double x[4])
{
    w[0] = 2.0 * x[1];
    w[1] = 2.0 * x[2];
    w[2] = 2.0 * x[3];
}

void tb_s3_project(double out[4], const double q[4])
{
    double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) {
        out[i] = q[i] / n;
    }
}

void tb_s3_exp(double q[4], const double w[3])
{
    double t = sqrt(tb_dot3(w, w));
    double f = t < TB_SMALL ? 0.5 - t * t / 48.0 : sin(0.5 * t) / t;
    q[0] = cos(0.5 * t);
    q[1] = f * w[0];
    q[2] = f * w[1];
    q[3] = f * w[2];
}

void tb_s3_log(double w[3], const double q[4])
{
    double n = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double f = n < TB_SMALL && q[0] > 0.0 ? 2.0 / q[0] * (1.0 - n * n / (3.0 * q[0] * q[0])) : 2.0 * atan2(n, q[0]) / n;
    w[0] = f * q[1];
    w[1] = f * q[2];
    w[2] = f * q[3];
}

void tb_s3_cay(double q[4], const double w[3])
{
    double f = 1.0 / sqrt(4.0 + tb_dot3(w, w));
    q[0] = 2.0 * f;
    q[1] = f * w[0];
    q[2] = f * w[1];
    q[3] = f * w[2];
}

void tb_s3_caylog(double w[3], const double q[4])
{
    for (int i = 0; i < 3; i++) {
        w[i] = 2.0 * q[i + 1] / q[0];
    }
}

void tb_s3_cayq(double q[4], const double w[3])
{
    double n = tb_dot3(w, w) / 16.0, f = 1.0 / (1.0 + n);
    q[0] = f * (1.0 - n);
    q[1] = 0.5 * f * w[0];
    q[2] = 0.5 * f * w[1];
    q[3] = 0.5 * f * w[2];
}

void tb_s3_cayqlog(double w[3], const double q[4])
{
    for (int i = 0; i < 3; i++) {
        w[i] = 4.0 * q[i + 1] / (1.0 + q[0]);
    }
}

/* p (0, v) conj(p) / N^2 with p = (1, sign w/4), N = |p|^2 */
static void apply_dcayq(double out[3], const double w[3], const double v[3], double sign)
{
    double p[4] = {1.0, 0.25 * sign * w[0], 0.25 * sign * w[1], 0.25 * sign * w[2]};
    double n = 1.0 + tb_dot3(w, w) / 16.0;
    tb_s3_act(out, p, v);
    for (int i = 0; i < 3; i++) {
        out[i] /= n * n;
    }
}

void tb_s3_dcayq(double out[3], const double w[3], const double v[3])
{
    apply_dcayq(out, w, v, 1.0);
}

void tb_s3_dcayqt(double out[3], const double w[3], const double m[3])
{
    apply_dcayq(out, w, m, -1.0);
}

/* (1 - |w|^2/16) v - sign/2 w x v + w (w.v)/8 */
static void apply_dcayqinv(double out[3], const double w[3], const double v[3], double sign)
{
    double a = 1.0 - tb_dot3(w, w) / 16.0, wv = tb_dot3(w, v), u[3];
    tb_cross(u, w, v);
    for (int i = 0; i < 3; i++) {
        out[i] = a * v[i] - 0.5 * sign * u[i] + 0.125 * wv * w[i];
    }
}

void tb_s3_dcayqinv(double out[3], const double w[3], const double v[3])
{
    apply_dcayqinv(out, w, v, 1.0);
}

void tb_s3_dcayqinvt(double out[3], const double w[3], const double m[3])
{
    apply_dcayqinv(out, w, m, -1.0);
}

void tb_s3_dcayqinv_matrix(double M[9], const double w[3])
{
    double a = 1.0 - tb_dot3(w, w) / 16.0, K[9];
    tb_hat(K, w);
    for (int i = 0; i < 9; i++) {
        M[i] = (i % 4 == 0 ? a : 0.0) - 0.5 * K[i] + 0.125 * w[i / 3] * w[i % 3];
    }
}

void tb_s3_dcayq_matrix(double M[9], const double w[3])
{
    double A[9];
    tb_s3_dcayqinv_matrix(A, w);
    tb_inverse3(M, A);
}

/* f = dcayq_{-w} psi. With A = dcayqinv_{-w} = (1 - |w|^2/16) + hat(w)/2 + w w^T/8: df = -A^-1 dA f. */
void tb_s3_dcayq_body_deriv(double M[9], const double w[3], const double psi[3])
{
    double minus[3] = {-w[0], -w[1], -w[2]}, B[9], f[3], D[9], F[9];
    tb_s3_dcayq_matrix(B, minus);
    tb_mat_vec(f, B, psi, 3);
    tb_hat(F, f);
    double wf = tb_dot3(w, f);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double even = (i == j ? wf : 0.0) + w[i] * f[j] - f[i] * w[j];
            D[3 * i + j] = 0.5 * F[3 * i + j] - 0.125 * even;
        }
    }
    tb_mat_mul(M, B, D, 3);
}

void tb_s3_skew(double q[4], const double w[3])
{
    q[0] = sqrt(1.0 - 0.25 * tb_dot3(w, w));
    q[1] = 0.5 * w[0];
    q[2] = 0.5 * w[1];
    q[3] = 0.5 * w[2];
}

void tb_s3_skewlog(double w[3], const double q[4])
{
    tb_s3_vee(w, q);
}

void tb_s3_dskewinv_matrix(double M[9], const double w[3])
{
    double s = sqrt(1.0 - 0.25 * tb_dot3(w, w)), K[9];
    tb_hat(K, w);
    for (int i = 0; i < 9; i++) {
        M[i] = (i % 4 == 0 ? s : 0.0) - 0.5 * K[i];
    }
}

void tb_s3_dskew_matrix(double M[9], const double w[3])
{
    double A[9];
    tb_s3_dskewinv_matrix(A, w);
    tb_inverse3(M, A);
}

void tb_s3_dskew(double out[3], const double w[3], const double v[3])
{
    double M[9];
    tb_s3_dskew_matrix(M, w);
    tb_mat_vec(out, M, v, 3);
}

void tb_s3_dskewt(double out[3], const double w[3], const double m[3])
{
    double M[9];
    tb_s3_dskew_matrix(M, w);
    tb_mat_tvec(out, M, m, 3);
}

/* s v - sign/2 w x v */
static void apply_dskewinv(double out[3], const double w[3], const double v[3], double sign)
{
    double s = sqrt(1.0 - 0.25 * tb_dot3(w, w)), u[3];
    tb_cross(u, w, v);
    for (int i = 0; i < 3; i++) {
        out[i] = s * v[i] - 0.5 * sign * u[i];
    }
}

void tb_s3_dskewinv(double out[3], const double w[3], const double v[3])
{
    apply_dskewinv(out, w, v, 1.0);
}

void tb_s3_dskewinvt(double out[3], const double w[3], const double m[3])
{
    apply_dskewinv(out, w, m, -1.0);
}

/* A = dskewinv_{-w} = s + hat(w)/2, f = A^-1 psi, ds = -w.dw/(4 s): df = -A^-1 (ds f + dw x f/2) */
void tb_s3_dskew_body_deriv(double M[9], const double w[3], const double psi[3])
{
    double minus[3] = {-w[0], -w[1], -w[2]}, B[9], f[3], D[9], F[9];
    double s = sqrt(1.0 - 0.25 * tb_dot3(w, w));
    tb_s3_dskew_matrix(B, minus);
    tb_mat_vec(f, B, psi, 3);
    tb_hat(F, f);
    for (int i = 0; i < 9; i++) {
        D[i] = 0.5 * F[i] + 0.25 / s * f[i / 3] * w[i % 3];
    }
    tb_mat_mul(M, B, D, 3);
}
