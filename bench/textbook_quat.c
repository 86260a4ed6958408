/* SPDX-License-Identifier: MIT */
/* textbook_quat.c: the quaternion group H* as textbooks write it; see textbook.h.
 *
 * Quaternion products throughout: R(q) p as q (0,p) q^-1, the Cayley map and its tangent as
 * dcay_x y = (1 - x/2)^-1 y (1 + x/2)^-1 (Bou-Rabee & Marsden 2009, (4.24), (4.25)). The transpose of y -> a y b is
 * y -> conj(a) y conj(b). An algebra vector (s, w) stands for the quaternion (s, w/2). */
#include "textbook.h"
#include "textbook_mat.h"

#include <math.h>

static double norm2(const double q[4])
{
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

void tb_quat_mul(double out[4], const double a[4], const double b[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

void tb_quat_conj(double out[4], const double q[4])
{
    out[0] = q[0];
    out[1] = -q[1];
    out[2] = -q[2];
    out[3] = -q[3];
}

/* Every quaternion but 0 is in the group. */
void tb_quat_project(double out[4], const double q[4])
{
    for (int i = 0; i < 4; i++) {
        out[i] = q[i];
    }
}

void tb_quat_inv(double out[4], const double q[4])
{
    double f = 1.0 / norm2(q);
    out[0] = f * q[0];
    out[1] = -f * q[1];
    out[2] = -f * q[2];
    out[3] = -f * q[3];
}

/* a y b */
static void sandwich(double out[4], const double a[4], const double y[4], const double b[4])
{
    double ay[4];
    tb_quat_mul(ay, a, y);
    tb_quat_mul(out, ay, b);
}

/* out = vector part of a (0, p) b */
static void sandwich_vector(double out[3], const double a[4], const double p[3], const double b[4])
{
    double y[4] = {0.0, p[0], p[1], p[2]}, r[4];
    sandwich(r, a, y, b);
    out[0] = r[1];
    out[1] = r[2];
    out[2] = r[3];
}

void tb_quat_act(double out[3], const double q[4], const double p[3])
{
    double inverse[4];
    tb_quat_inv(inverse, q);
    sandwich_vector(out, q, p, inverse);
}

void tb_quat_hat(double out[4], const double x[4])
{
    out[0] = x[0];
    out[1] = 0.5 * x[1];
    out[2] = 0.5 * x[2];
    out[3] = 0.5 * x[3];
}

void tb_quat_vee(double out[4], const double x[4])
{
    out[0] = x[0];
    out[1] = 2.0 * x[1];
    out[2] = 2.0 * x[2];
    out[3] = 2.0 * x[3];
}

void tb_quat_Ad(double out[4], const double q[4], const double x[4])
{
    out[0] = x[0];
    tb_quat_act(out + 1, q, x + 1);
}

void tb_quat_Adt(double out[4], const double q[4], const double m[4])
{
    double inverse[4];
    tb_quat_inv(inverse, q);
    out[0] = m[0];
    sandwich_vector(out + 1, inverse, m + 1, q);
}

void tb_quat_ad(double out[4], const double x[4], const double y[4])
{
    out[0] = 0.0;
    tb_cross(out + 1, x + 1, y + 1);
}

void tb_quat_adt(double out[4], const double x[4], const double m[4])
{
    out[0] = 0.0;
    tb_cross(out + 1, m + 1, x + 1);
}

void tb_quat_exp(double q[4], const double x[4])
{
    double scale = exp(x[0]);
    tb_s3_exp(q, x + 1);
    for (int i = 0; i < 4; i++) {
        q[i] *= scale;
    }
}

void tb_quat_log(double x[4], const double q[4])
{
    x[0] = 0.5 * log(norm2(q));
    tb_s3_log(x + 1, q);
}

void tb_quat_dexp(double out[4], const double x[4], const double v[4])
{
    out[0] = v[0];
    tb_so3_dexp(out + 1, x + 1, v + 1);
}

void tb_quat_dexpt(double out[4], const double x[4], const double m[4])
{
    out[0] = m[0];
    tb_so3_dexpt(out + 1, x + 1, m + 1);
}

void tb_quat_dexpinv(double out[4], const double x[4], const double v[4])
{
    out[0] = v[0];
    tb_so3_dexpinv(out + 1, x + 1, v + 1);
}

void tb_quat_dexpinvt(double out[4], const double x[4], const double m[4])
{
    out[0] = m[0];
    tb_so3_dexpinvt(out + 1, x + 1, m + 1);
}

/* M = diag(corner, B) */
static void block_diagonal(double M[16], double corner, const double B[9])
{
    for (int i = 0; i < 16; i++) {
        M[i] = 0.0;
    }
    M[0] = corner;
    for (int i = 0; i < 9; i++) {
        M[4 * (i / 3 + 1) + i % 3 + 1] = B[i];
    }
}

void tb_quat_dexp_matrix(double M[16], const double x[4])
{
    double B[9];
    tb_so3_dexp_matrix(B, x + 1);
    block_diagonal(M, 1.0, B);
}

void tb_quat_dexpinv_matrix(double M[16], const double x[4])
{
    double B[9];
    tb_so3_dexpinv_matrix(B, x + 1);
    block_diagonal(M, 1.0, B);
}

void tb_quat_dexp_body_deriv(double M[16], const double x[4], const double psi[4])
{
    double B[9];
    tb_so3_dexp_body_deriv(B, x + 1, psi + 1);
    block_diagonal(M, 0.0, B);
}

/* minus = 1 - X/2, plus = 1 + X/2, X = (s, w/2) */
static void cayley_factors(double minus[4], double plus[4], const double x[4])
{
    minus[0] = 1.0 - 0.5 * x[0];
    plus[0] = 1.0 + 0.5 * x[0];
    for (int i = 1; i < 4; i++) {
        plus[i] = 0.25 * x[i];
        minus[i] = -plus[i];
    }
}

void tb_quat_cay(double q[4], const double x[4])
{
    double minus[4], plus[4], inverse[4];
    cayley_factors(minus, plus, x);
    tb_quat_inv(inverse, minus);
    tb_quat_mul(q, inverse, plus);
}

/* X = 2 (q - 1)(q + 1)^-1 */
void tb_quat_caylog(double x[4], const double q[4])
{
    double below[4] = {q[0] - 1.0, q[1], q[2], q[3]}, above[4] = {q[0] + 1.0, q[1], q[2], q[3]}, inverse[4], half[4];
    tb_quat_inv(inverse, above);
    tb_quat_mul(half, below, inverse);
    x[0] = 2.0 * half[0];
    for (int i = 1; i < 4; i++) {
        x[i] = 4.0 * half[i];
    }
}

/* out = vee(a hat(v) b) */
static void apply_two_sided(double out[4], const double a[4], const double v[4], const double b[4])
{
    double y[4], r[4];
    tb_quat_hat(y, v);
    sandwich(r, a, y, b);
    tb_quat_vee(out, r);
}

/* The transpose of apply_two_sided. */
static void apply_two_sided_t(double out[4], const double a[4], const double m[4], const double b[4])
{
    double y[4], r[4], ac[4], bc[4];
    tb_quat_conj(ac, a);
    tb_quat_conj(bc, b);
    tb_quat_vee(y, m);
    sandwich(r, ac, y, bc);
    tb_quat_hat(out, r);
}

static void inverse_factors(double a[4], double b[4], const double x[4])
{
    double minus[4], plus[4];
    cayley_factors(minus, plus, x);
    tb_quat_inv(a, minus);
    tb_quat_inv(b, plus);
}

void tb_quat_dcay(double out[4], const double x[4], const double v[4])
{
    double a[4], b[4];
    inverse_factors(a, b, x);
    apply_two_sided(out, a, v, b);
}

void tb_quat_dcayt(double out[4], const double x[4], const double m[4])
{
    double a[4], b[4];
    inverse_factors(a, b, x);
    apply_two_sided_t(out, a, m, b);
}

void tb_quat_dcayinv(double out[4], const double x[4], const double v[4])
{
    double a[4], b[4];
    cayley_factors(a, b, x);
    apply_two_sided(out, a, v, b);
}

void tb_quat_dcayinvt(double out[4], const double x[4], const double m[4])
{
    double a[4], b[4];
    cayley_factors(a, b, x);
    apply_two_sided_t(out, a, m, b);
}

/* Column j is the image of the j-th unit vector. */
static void matrix_of_two_sided(double M[16], const double a[4], const double b[4])
{
    for (int j = 0; j < 4; j++) {
        double unit[4] = {0.0, 0.0, 0.0, 0.0}, column[4];
        unit[j] = 1.0;
        apply_two_sided(column, a, unit, b);
        for (int i = 0; i < 4; i++) {
            M[4 * i + j] = column[i];
        }
    }
}

void tb_quat_dcay_matrix(double M[16], const double x[4])
{
    double a[4], b[4];
    inverse_factors(a, b, x);
    matrix_of_two_sided(M, a, b);
}

void tb_quat_dcayinv_matrix(double M[16], const double x[4])
{
    double a[4], b[4];
    cayley_factors(a, b, x);
    matrix_of_two_sided(M, a, b);
}

/* f = a y b, a = (1 + X/2)^-1, b = (1 - X/2)^-1: df = -a (dX/2) f + f (dX/2) b */
void tb_quat_dcay_body_deriv(double M[16], const double x[4], const double psi[4])
{
    double a[4], b[4], y[4], f[4];
    inverse_factors(b, a, x);
    tb_quat_hat(y, psi);
    sandwich(f, a, y, b);
    for (int j = 0; j < 4; j++) {
        double half[4] = {0.0, 0.0, 0.0, 0.0}, left[4], right[4], column[4];
        half[j] = j == 0 ? 0.5 : 0.25;
        sandwich(left, a, half, f);
        sandwich(right, f, half, b);
        for (int i = 0; i < 4; i++) {
            right[i] -= left[i];
        }
        tb_quat_vee(column, right);
        for (int i = 0; i < 4; i++) {
            M[4 * i + j] = column[i];
        }
    }
}
