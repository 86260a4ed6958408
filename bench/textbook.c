/* SPDX-License-Identifier: MIT */
/* textbook.c: SO(3) and R^n as textbooks write them; see textbook.h.
 *
 * Rodrigues' formula with hat(w) and hat(w)^2 multiplied out; log by acos of the trace, from the symmetric part near a
 * half-turn; dexp and dexpinv in cross products (Iserles et al. 2000, Appendix B); Cayley as Jimenez 2012, (6.39),
 * (6.40); skew as Bou-Rabee & Marsden 2009, (4.27), its tangent by inverting dskewinv = (tr(R) 1 - R)/2. */
#include "textbook.h"
#include "textbook_mat.h"

#include <math.h>

#define PI 3.14159265358979323846

void tb_so3_mul(double out[9], const double A[9], const double B[9])
{
    tb_mat_mul(out, A, B, 3);
}

void tb_so3_inv(double out[9], const double R[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = R[3 * j + i];
        }
    }
}

void tb_so3_act(double out[3], const double R[9], const double p[3])
{
    tb_mat_vec(out, R, p, 3);
}

void tb_so3_Adt(double out[3], const double R[9], const double m[3])
{
    tb_mat_tvec(out, R, m, 3);
}

void tb_so3_hat(double M[9], const double w[3])
{
    tb_hat(M, w);
}

void tb_so3_vee(double w[3], const double M[9])
{
    w[0] = 0.5 * (M[7] - M[5]);
    w[1] = 0.5 * (M[2] - M[6]);
    w[2] = 0.5 * (M[3] - M[1]);
}

void tb_so3_ad(double out[3], const double w[3], const double v[3])
{
    tb_cross(out, w, v);
}

void tb_so3_adt(double out[3], const double w[3], const double m[3])
{
    tb_cross(out, m, w);
}

/* Polar factor by Newton's iteration R <- (R + R^-T)/2 (Higham 1986). */
void tb_so3_project(double out[9], const double M[9])
{
    double change = 1.0;
    for (int i = 0; i < 9; i++) {
        out[i] = M[i];
    }
    for (int k = 0; k < 30 && change > 1e-15; k++) {
        double inverse[9];
        tb_inverse3(inverse, out);
        change = 0.0;
        for (int i = 0; i < 9; i++) {
            double next = 0.5 * (out[i] + inverse[3 * (i % 3) + i / 3]);
            change = fmax(change, fabs(next - out[i]));
            out[i] = next;
        }
    }
}

void tb_so3_exp(double R[9], const double w[3])
{
    double t = sqrt(tb_dot3(w, w)), a, b, K[9];
    if (t < TB_SMALL) {
        a = 1.0 - t * t / 6.0;
        b = 0.5 - t * t / 24.0;
    } else {
        a = sin(t) / t;
        b = (1.0 - cos(t)) / (t * t);
    }
    tb_hat(K, w);
    tb_quadratic(R, K, a, b);
}

/* a a^T = (sym(R) - cos t)/(1 - cos t) gives the axis where sin t is too small to divide by. */
static void log_near_half_turn(double w[3], const double R[9], double t, double c)
{
    int k = R[0] >= R[4] ? (R[0] >= R[8] ? 0 : 2) : (R[4] >= R[8] ? 1 : 2);
    double odd[3], axis[3];
    axis[k] = sqrt((R[4 * k] - c) / (1.0 - c));
    for (int j = 0; j < 3; j++) {
        if (j != k) {
            axis[j] = 0.5 * (R[3 * k + j] + R[3 * j + k]) / ((1.0 - c) * axis[k]);
        }
    }
    tb_so3_vee(odd, R);
    double sign = tb_dot3(odd, axis) < 0.0 ? -1.0 : 1.0;
    for (int j = 0; j < 3; j++) {
        w[j] = sign * t * axis[j];
    }
}

void tb_so3_log(double w[3], const double R[9])
{
    double c = 0.5 * (R[0] + R[4] + R[8] - 1.0);
    c = c > 1.0 ? 1.0 : c < -1.0 ? -1.0 : c;
    double t = acos(c);
    if (PI - t < 1e-3) {
        log_near_half_turn(w, R, t, c);
        return;
    }
    double f = t < TB_SMALL ? 1.0 + t * t / 6.0 : t / sin(t);
    tb_so3_vee(w, R);
    for (int i = 0; i < 3; i++) {
        w[i] *= f;
    }
}

/* b = (1 - cos t)/t^2, c = (t - sin t)/t^3 */
static void dexp_coefficients(double *b, double *c, const double w[3])
{
    double t = sqrt(tb_dot3(w, w));
    if (t < TB_SMALL) {
        *b = 0.5 - t * t / 24.0;
        *c = 1.0 / 6.0 - t * t / 120.0;
    } else {
        *b = (1.0 - cos(t)) / (t * t);
        *c = (t - sin(t)) / (t * t * t);
    }
}

/* (1 - (t/2) cot(t/2))/t^2 */
static double dexpinv_coefficient(const double w[3])
{
    double t = sqrt(tb_dot3(w, w));
    return t < TB_SMALL ? 1.0 / 12.0 + t * t / 720.0 : (1.0 - 0.5 * t / tan(0.5 * t)) / (t * t);
}

/* v + a w x v + b w x (w x v) */
static void apply_quadratic(double out[3], const double w[3], const double v[3], double a, double b)
{
    double wv[3], wwv[3];
    tb_cross(wv, w, v);
    tb_cross(wwv, w, wv);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + a * wv[i] + b * wwv[i];
    }
}

void tb_so3_dexp(double out[3], const double w[3], const double v[3])
{
    double b, c;
    dexp_coefficients(&b, &c, w);
    apply_quadratic(out, w, v, b, c);
}

void tb_so3_dexpt(double out[3], const double w[3], const double m[3])
{
    double b, c;
    dexp_coefficients(&b, &c, w);
    apply_quadratic(out, w, m, -b, c);
}

void tb_so3_dexpinv(double out[3], const double w[3], const double v[3])
{
    apply_quadratic(out, w, v, -0.5, dexpinv_coefficient(w));
}

void tb_so3_dexpinvt(double out[3], const double w[3], const double m[3])
{
    apply_quadratic(out, w, m, 0.5, dexpinv_coefficient(w));
}

void tb_so3_dexp_matrix(double M[9], const double w[3])
{
    double b, c, K[9];
    dexp_coefficients(&b, &c, w);
    tb_hat(K, w);
    tb_quadratic(M, K, b, c);
}

void tb_so3_dexpinv_matrix(double M[9], const double w[3])
{
    double K[9];
    tb_hat(K, w);
    tb_quadratic(M, K, -0.5, dexpinv_coefficient(w));
}

/* f = psi - b w x psi + c w x (w x psi): M = b hat(psi) + c ((w.psi) 1 + w psi^T - 2 psi w^T) + (-b' w x psi + c' w x
 * (w x psi)) w^T / t, by the product rule. */
void tb_so3_dexp_body_deriv(double M[9], const double w[3], const double psi[3])
{
    double t = sqrt(tb_dot3(w, w)), b, c, db, dc, P[9], u[3], uu[3];
    dexp_coefficients(&b, &c, w);
    if (t < 1e-3) {
        db = -1.0 / 12.0 + t * t / 180.0;
        dc = -1.0 / 60.0 + t * t / 1260.0;
    } else {
        db = (sin(t) / t - 2.0 * b) / (t * t);
        dc = (b - 3.0 * c) / (t * t);
    }
    tb_hat(P, psi);
    tb_cross(u, w, psi);
    tb_cross(uu, w, u);
    double wp = tb_dot3(w, psi);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double unit = i == j ? wp : 0.0;
            M[3 * i + j] =
                b * P[3 * i + j] + c * (unit + w[i] * psi[j] - 2.0 * psi[i] * w[j]) + (dc * uu[i] - db * u[i]) * w[j];
        }
    }
}

void tb_so3_cay(double R[9], const double w[3])
{
    double a = 4.0 / (4.0 + tb_dot3(w, w)), K[9];
    tb_hat(K, w);
    tb_quadratic(R, K, a, 0.5 * a);
}

void tb_so3_caylog(double w[3], const double R[9])
{
    double f = 4.0 / (1.0 + R[0] + R[4] + R[8]);
    tb_so3_vee(w, R);
    for (int i = 0; i < 3; i++) {
        w[i] *= f;
    }
}

/* 2/(4+|w|^2) (2 v + sign w x v) */
static void apply_dcay(double out[3], const double w[3], const double v[3], double sign)
{
    double a = 2.0 / (4.0 + tb_dot3(w, w)), u[3];
    tb_cross(u, w, v);
    for (int i = 0; i < 3; i++) {
        out[i] = a * (2.0 * v[i] + sign * u[i]);
    }
}

/* v - sign/2 w x v + w (w.v)/4 */
static void apply_dcayinv(double out[3], const double w[3], const double v[3], double sign)
{
    double wv = tb_dot3(w, v), u[3];
    tb_cross(u, w, v);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] - 0.5 * sign * u[i] + 0.25 * wv * w[i];
    }
}

void tb_so3_dcay(double out[3], const double w[3], const double v[3])
{
    apply_dcay(out, w, v, 1.0);
}

void tb_so3_dcayt(double out[3], const double w[3], const double m[3])
{
    apply_dcay(out, w, m, -1.0);
}

void tb_so3_dcayinv(double out[3], const double w[3], const double v[3])
{
    apply_dcayinv(out, w, v, 1.0);
}

void tb_so3_dcayinvt(double out[3], const double w[3], const double m[3])
{
    apply_dcayinv(out, w, m, -1.0);
}

void tb_so3_dcay_matrix(double M[9], const double w[3])
{
    double a = 2.0 / (4.0 + tb_dot3(w, w)), K[9];
    tb_hat(K, w);
    for (int i = 0; i < 9; i++) {
        M[i] = a * ((i % 4 == 0 ? 2.0 : 0.0) + K[i]);
    }
}

void tb_so3_dcayinv_matrix(double M[9], const double w[3])
{
    double K[9];
    tb_hat(K, w);
    for (int i = 0; i < 9; i++) {
        M[i] = (i % 4 == 0 ? 1.0 : 0.0) - 0.5 * K[i] + 0.25 * w[i / 3] * w[i % 3];
    }
}

/* f = a (2 psi - w x psi), a = 2/(4+|w|^2), a' = -a^2 w: M = a hat(psi) - a f w^T */
void tb_so3_dcay_body_deriv(double M[9], const double w[3], const double psi[3])
{
    double a = 2.0 / (4.0 + tb_dot3(w, w)), f[3], P[9];
    apply_dcay(f, w, psi, -1.0);
    tb_hat(P, psi);
    for (int i = 0; i < 9; i++) {
        M[i] = a * (P[i] - f[i / 3] * w[i % 3]);
    }
}

void tb_so3_skew(double R[9], const double w[3])
{
    double K[9];
    tb_hat(K, w);
    tb_quadratic(R, K, 1.0, 1.0 / (1.0 + sqrt(1.0 - tb_dot3(w, w))));
}

void tb_so3_skewlog(double w[3], const double R[9])
{
    tb_so3_vee(w, R);
}

void tb_so3_dskewinv_matrix(double M[9], const double w[3])
{
    double R[9];
    tb_so3_skew(R, w);
    double trace = R[0] + R[4] + R[8];
    for (int i = 0; i < 9; i++) {
        M[i] = 0.5 * ((i % 4 == 0 ? trace : 0.0) - R[i]);
    }
}

void tb_so3_dskew_matrix(double M[9], const double w[3])
{
    double A[9];
    tb_so3_dskewinv_matrix(A, w);
    tb_inverse3(M, A);
}

void tb_so3_dskew(double out[3], const double w[3], const double v[3])
{
    double M[9];
    tb_so3_dskew_matrix(M, w);
    tb_mat_vec(out, M, v, 3);
}

void tb_so3_dskewt(double out[3], const double w[3], const double m[3])
{
    double M[9];
    tb_so3_dskew_matrix(M, w);
    tb_mat_tvec(out, M, m, 3);
}

void tb_so3_dskewinv(double out[3], const double w[3], const double v[3])
{
    double M[9];
    tb_so3_dskewinv_matrix(M, w);
    tb_mat_vec(out, M, v, 3);
}

void tb_so3_dskewinvt(double out[3], const double w[3], const double m[3])
{
    double M[9];
    tb_so3_dskewinv_matrix(M, w);
    tb_mat_tvec(out, M, m, 3);
}

/* With A(w) = dskewinv_{-w} = s + K/2 - K^2/(2(1+s)), s = sqrt(1-|w|^2) and u = A^-1 psi:
 * d(A^-1 psi) = -A^-1 dA u, ds = -w.dw/s. */
void tb_so3_dskew_body_deriv(double M[9], const double w[3], const double psi[3])
{
    double minus[3] = {-w[0], -w[1], -w[2]}, B[9], u[3], wu[3], wwu[3], D[9], U[9];
    double s = sqrt(1.0 - tb_dot3(w, w)), r = 0.5 / (1.0 + s);
    tb_so3_dskew_matrix(B, minus);
    tb_mat_vec(u, B, psi, 3);
    tb_cross(wu, w, u);
    tb_cross(wwu, w, wu);
    tb_hat(U, u);
    double along = tb_dot3(w, u);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double turned = (i == j ? along : 0.0) + w[i] * u[j] - 2.0 * u[i] * w[j];
            double ds = -w[j] / s;
            D[3 * i + j] = ds * (u[i] + 2.0 * r * r * wwu[i]) - 0.5 * U[3 * i + j] - r * turned;
        }
    }
    tb_mat_mul(M, B, D, 3);
    for (int i = 0; i < 9; i++) {
        M[i] = -M[i];
    }
}

void tb_rn_mul(int n, double *out, const double *a, const double *b)
{
    for (int i = 0; i < n; i++) {
        out[i] = a[i] + b[i];
    }
}

void tb_rn_inv(int n, double *out, const double *a)
{
    for (int i = 0; i < n; i++) {
        out[i] = -a[i];
    }
}

void tb_rn_exp(int n, double *g, const double *x)
{
    for (int i = 0; i < n; i++) {
        g[i] = x[i];
    }
}

void tb_rn_dexp(int n, double *out, const double *x, const double *v)
{
    (void)x;
    for (int i = 0; i < n; i++) {
        out[i] = v[i];
    }
}

void tb_rn_dexp_matrix(int n, double *M, const double *x)
{
    (void)x;
    for (int i = 0; i < n * n; i++) {
        M[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
}
