/* SPDX-License-Identifier: MIT */
/* convert.c: unit quaternion <-> matrix, rotation vector, axis and angle, modified Rodrigues parameters, Euler angles.
 *
 * Every form goes through the quaternion, because every singular place is harmless there:
 *   matrix      the row of 4 q q^T with the largest diagonal element, normalised (Shepperd 1978): never a small divisor
 *   MRP         always the set inside the unit ball
 *   Euler       the outer angles are arg(z+ z-) and arg(z+ conj z-), with two complex numbers z+-, linear in q, whose
 *               arguments are the half sum and half difference of the outer angles (Bernardes & Viollet 2022).
 *               Near gimbal lock one of them is small and its argument uncertain, but that error is common to both
 *               angles and does not turn the body; angles taken singly from the matrix would err independently.
 * Cost: at most three atan2 or three sincos.
 *
 * References: Shepperd, Quaternion from rotation matrix, J. Guidance and Control 1 (1978) 223; Bernardes & Viollet,
 * Quaternion to Euler angles conversion, PLoS ONE 17 (2022) e0276302; Schaub & Junkins, Analytical mechanics of space
 * systems, 4th ed. (2018), chapter 3. */
#include <liestep/convert.h>

#include "groups/attitude/coordinates.h"
#include "groups/maps/quat_maps.h"
#include "groups/num/finite.h"
#include "groups/num/vec3.h"

/* Below this fraction of |q| a complex number z+- is round-off, and its argument says nothing. */
#define LOCK 0x1p-50

/* w = 2^-k v with its largest component in [1/2, 1); returns k. NaN if v is not finite. */
static int scaled3(double w[3], const double v[3])
{
    double largest = 0.0;
    int k = 0, finite = all_finite(3, v);
    for (int i = 0; i < 3; i++) largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
    if (finite) (void)frexp(largest, &k);
    for (int i = 0; i < 3; i++) w[i] = finite ? ldexp(v[i], -k) : LIE__NAN;
    return k;
}

/* |v|, and u = v/|v| (0 for v = 0), free of overflow and underflow; NaN if v is not finite. u may be v. */
static double unit3(double u[3], const double v[3])
{
    double w[3] = {v[0], v[1], v[2]}, x = dot3(v, v);
    int ordinary = x > 0x1p-900 && x < 0x1p+900, k = ordinary ? 0 : scaled3(w, v);
    double n = ordinary ? sqrt(x) : sqrt(dot3(w, w));
    for (int i = 0; i < 3; i++) u[i] = n == 0.0 ? 0.0 : w[i] / n;
    return ordinary ? n : ldexp(n, k);
}

/* sqrt(x^2 + y^2), free of underflow; |x|, |y| at most 2 */
static double abs2(double x, double y)
{
    double s = x * x + y * y;
    return s > 0x1p-900 ? sqrt(s) : 0x1p-600 * sqrt(x * 0x1p600 * (x * 0x1p600) + y * 0x1p600 * (y * 0x1p600));
}

/* the argument of x + iy, in (-pi, pi] */
static double arg2(double x, double y)
{
    double a = lie__atan2(y, x);
    return a == -LIE__PI ? LIE__PI : a;
}

static lie_status check_quat(const double q[4])
{
    if (!all_finite(4, q)) return LIE_ERR_NOT_FINITE;
    return fabs(quat_norm2(q) - 1.0) <= LIE_S3_TOL ? LIE_OK : LIE_ERR_NOT_IN_GROUP;
}

/* R^T R = 1 within the tolerance, and the third column is the product of the first two and not its negative */
static lie_status check_matrix(const double R[9])
{
    if (!all_finite(9, R)) return LIE_ERR_NOT_FINITE;
    double column[3][3], third[3];
    for (int i = 0; i < 9; i++) column[i % 3][i / 3] = R[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            if (!(fabs(dot3(column[i], column[j]) - (i == j ? 1.0 : 0.0)) <= LIE_SO3_TOL)) return LIE_ERR_NOT_IN_GROUP;
    cross3(third, column[0], column[1]);
    return dot3(third, column[2]) > 0.0 ? LIE_OK : LIE_ERR_NOT_IN_GROUP;
}

/* (a - b)/2 for a + b = 2, from the smaller of the two: the relative error they share weighs least there */
static double half_difference(double a, double b)
{
    return a >= b ? 1.0 - b : a - 1.0;
}

void lie_quat_to_matrix(double R[9], const double q[4])
{
    double p[4], n = quat_norm2(q);
    copy_n(4, p, q);
    if (!(n > 0x1p-900 && n < 0x1p+900)) { /* |q|^2 may have lost its digits */
        (void)quat_scale(p, q);
        n = quat_norm2(p);
    }
    double s = 2.0 / n, x = s * p[1], y = s * p[2], z = s * p[3];
    double ww = s * p[0] * p[0], xx = p[1] * x, yy = p[2] * y, zz = p[3] * z;
    double xy = p[1] * y, xz = p[1] * z, yz = p[2] * z, wx = p[0] * x, wy = p[0] * y, wz = p[0] * z;
    R[0] = half_difference(ww + xx, yy + zz), R[1] = xy - wz, R[2] = xz + wy;
    R[3] = xy + wz, R[4] = half_difference(ww + yy, xx + zz), R[5] = yz - wx;
    R[6] = xz - wy, R[7] = yz + wx, R[8] = half_difference(ww + zz, xx + yy);
}

lie_status lie_matrix_to_quat(double q[4], const double R[9])
{
    lie_status status = check_matrix(R);
    if (status != LIE_OK) return status;
    quat_of_rotation(q, R);
    lie_quat_canonical(q, q);
    return LIE_OK;
}

void lie_quat_canonical(double out[4], const double q[4])
{
    int k = 1;
    for (int i = 2; i < 4; i++)
        if (fabs(q[i]) > fabs(q[k])) k = i;
    int negate = q[0] < 0.0 || (q[0] == 0.0 && q[k] < 0.0);
    for (int i = 0; i < 4; i++) out[i] = negate ? 0.0 - q[i] : 0.0 + q[i]; /* no zero keeps a minus sign */
}

void lie_quat_near(double out[4], const double q[4], const double previous[4])
{
    double d = (q[0] * previous[0] + q[1] * previous[1]) + (q[2] * previous[2] + q[3] * previous[3]);
    double sign = !all_finite(4, q) || !all_finite(4, previous) ? LIE__NAN : d < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++) out[i] = sign * q[i];
}

void lie_rotvec_to_quat(double q[4], const double w[3])
{
    lie_s3_exp(q, w);
    lie_quat_canonical(q, q);
}

lie_status lie_quat_to_rotvec(double w[3], const double q[4])
{
    double c[4];
    lie_quat_canonical(c, q);
    return lie_s3_log(w, c);
}

lie_status lie_axis_angle_to_quat(double q[4], const double axis[3], double angle)
{
    double u[3], s, c;
    if (!all_finite(3, axis) || !all_finite(1, &angle)) return LIE_ERR_NOT_FINITE;
    if (!(fabs(dot3(axis, axis) - 1.0) <= LIE_S3_TOL)) return LIE_ERR_NOT_IN_GROUP;
    (void)unit3(u, axis);
    lie__sincos(&s, &c, 0.5 * angle);
    const double turn[4] = {c, s * u[0], s * u[1], s * u[2]};
    lie_quat_canonical(q, turn);
    return LIE_OK;
}

lie_status lie_axis_angle_to_matrix(double R[9], const double axis[3], double angle)
{
    double q[4];
    lie_status status = lie_axis_angle_to_quat(q, axis, angle);
    if (status == LIE_OK) lie_quat_to_matrix(R, q);
    return status;
}

lie_status lie_quat_to_axis_angle(double axis[3], double *angle, const double q[4])
{
    lie_status status = check_quat(q);
    if (status != LIE_OK) return status;
    double c[4], u[3];
    lie_quat_canonical(c, q);
    double n = unit3(u, c + 1);
    if (n == 0.0) u[0] = 1.0;
    copy_n(3, axis, u);
    *angle = 2.0 * lie__atan2(n, c[0]);
    return LIE_OK;
}

lie_status lie_matrix_to_axis_angle(double axis[3], double *angle, const double R[9])
{
    double q[4];
    lie_status status = lie_matrix_to_quat(q, R);
    return status == LIE_OK ? lie_quat_to_axis_angle(axis, angle, q) : status;
}

/* -s/|s|^2; infinite for s = 0, NaN if s is not finite */
static void shadow(double out[3], const double s[3])
{
    double u[3], n = unit3(u, s);
    for (int i = 0; i < 3; i++) out[i] = -u[i] / n;
}

/* q = (1 - |s|^2, 2 s)/(1 + |s|^2), with the s inside the unit ball (Schaub & Junkins 2018, section 3.6) */
void lie_mrp_to_quat(double q[4], const double s[3])
{
    double in[3];
    lie_mrp_shortest(in, s);
    double n = dot3(in, in), f = 1.0 / (1.0 + n);
    const double turn[4] = {(1.0 - n) * f, 2.0 * in[0] * f, 2.0 * in[1] * f, 2.0 * in[2] * f};
    lie_quat_canonical(q, turn);
}

void lie_mrp_to_matrix(double R[9], const double s[3])
{
    double q[4];
    lie_mrp_to_quat(q, s);
    lie_quat_to_matrix(R, q);
}

lie_status lie_quat_to_mrp(double s[3], const double q[4])
{
    lie_status status = check_quat(q);
    if (status != LIE_OK) return status;
    double c[4];
    lie_quat_canonical(c, q);
    double d = sqrt(quat_norm2(c)) + c[0];
    for (int i = 0; i < 3; i++) s[i] = c[i + 1] / d;
    return LIE_OK;
}

lie_status lie_matrix_to_mrp(double s[3], const double R[9])
{
    double q[4];
    lie_status status = lie_matrix_to_quat(q, R);
    return status == LIE_OK ? lie_quat_to_mrp(s, q) : status;
}

lie_status lie_mrp_shadow(double out[3], const double s[3])
{
    if (!all_finite(3, s)) return LIE_ERR_NOT_FINITE;
    if (s[0] == 0.0 && s[1] == 0.0 && s[2] == 0.0) return LIE_ERR_DOMAIN;
    double other[3];
    shadow(other, s);
    return store(3, out, other) == LIE_OK ? LIE_OK : LIE_ERR_DOMAIN;
}

void lie_mrp_shortest(double out[3], const double s[3])
{
    if (dot3(s, s) > 1.0)
        shadow(out, s);
    else
        copy_n(3, out, s);
}

void lie_mrp_near(double out[3], const double s[3], const double previous[3])
{
    double other[3], to_s[3], to_other[3];
    if (s[0] == 0.0 && s[1] == 0.0 && s[2] == 0.0) { /* its shadow is infinitely far */
        for (int i = 0; i < 3; i++) out[i] = s[i] + (previous[i] - previous[i]);
        return;
    }
    shadow(other, s);
    for (int i = 0; i < 3; i++)
        to_s[i] = 0.5 * s[i] - 0.5 * previous[i], to_other[i] = 0.5 * other[i] - 0.5 * previous[i];
    double d_s = unit3(to_s, to_s), d_other = all_finite(3, other) ? unit3(to_other, to_other) : HUGE_VAL;
    for (int i = 0; i < 3; i++) out[i] = d_s <= d_other ? s[i] : d_s > d_other ? other[i] : LIE__NAN;
}

/* Outer angles from z+ = plus[0] + i plus[1], z- likewise: e[0] = arg(z+ z-), e[2] = arg(z+ conj z-). If one of them is
 * lost, e[2] = 0 and e[0] = arg of the square of the other. */
static void outer_angles(double e[3], const double plus[2], const double minus[2], int plus_lost, int minus_lost)
{
    double a = plus[0], b = plus[1], c = minus[0], d = minus[1];
    if (plus_lost) a = c, b = d;
    if (minus_lost) c = a, d = b;
    e[0] = arg2(a * c - b * d, b * c + a * d);
    e[2] = plus_lost || minus_lost ? 0.0 : arg2(a * c + b * d, b * c - a * d);
}

/* q = qz(e0) q_middle(e1) qz or qx(e2), as the product of the half-angle pairs */
void lie_euler_zyx_to_quat(double q[4], const double e[3])
{
    double s0, c0, s1, c1, s2, c2;
    lie__sincos(&s0, &c0, 0.5 * e[0]);
    lie__sincos(&s1, &c1, 0.5 * e[1]);
    lie__sincos(&s2, &c2, 0.5 * e[2]);
    double cc = c0 * c2, cs = c0 * s2, sc = s0 * c2, ss = s0 * s2;
    const double turn[4] = {c1 * cc + s1 * ss, c1 * cs - s1 * sc, s1 * cc + c1 * ss, c1 * sc - s1 * cs};
    lie_quat_canonical(q, turn);
}

void lie_euler_zyx_to_matrix(double R[9], const double e[3])
{
    double q[4];
    lie_euler_zyx_to_quat(q, e);
    lie_quat_to_matrix(R, q);
}

/* z+ = (cos - sin)(pitch/2) e^(i (yaw + roll)/2), z- = (cos + sin)(pitch/2) e^(i (yaw - roll)/2) */
lie_status lie_quat_to_euler_zyx(double e[3], const double q[4])
{
    lie_status status = check_quat(q);
    if (status != LIE_OK) return status;
    const double plus[2] = {q[0] - q[2], q[1] + q[3]}, minus[2] = {q[0] + q[2], q[3] - q[1]};
    double p = abs2(plus[0], plus[1]), m = abs2(minus[0], minus[1]);
    double sine = 2.0 * (q[0] * q[2] - q[1] * q[3]);
    outer_angles(e, plus, minus, p <= LOCK, m <= LOCK);
    e[1] = p <= LOCK ? 0.5 * LIE__PI : m <= LOCK ? -0.5 * LIE__PI : lie__atan2(sine, p * m);
    return LIE_OK;
}

lie_status lie_matrix_to_euler_zyx(double e[3], const double R[9])
{
    double q[4];
    lie_status status = lie_matrix_to_quat(q, R);
    return status == LIE_OK ? lie_quat_to_euler_zyx(e, q) : status;
}

void lie_euler_zxz_to_quat(double q[4], const double e[3])
{
    double s0, c0, s1, c1, s2, c2;
    lie__sincos(&s0, &c0, 0.5 * e[0]);
    lie__sincos(&s1, &c1, 0.5 * e[1]);
    lie__sincos(&s2, &c2, 0.5 * e[2]);
    double cc = c0 * c2, cs = c0 * s2, sc = s0 * c2, ss = s0 * s2;
    const double turn[4] = {c1 * (cc - ss), s1 * (cc + ss), s1 * (sc - cs), c1 * (sc + cs)};
    lie_quat_canonical(q, turn);
}

void lie_euler_zxz_to_matrix(double R[9], const double e[3])
{
    double q[4];
    lie_euler_zxz_to_quat(q, e);
    lie_quat_to_matrix(R, q);
}

/* z+ = cos(beta/2) e^(i (alpha + gamma)/2), z- = sin(beta/2) e^(i (alpha - gamma)/2). A small z- is lost only if it is
 * small beside the other vector component q3: in a small rotation it is not. */
lie_status lie_quat_to_euler_zxz(double e[3], const double q[4])
{
    lie_status status = check_quat(q);
    if (status != LIE_OK) return status;
    const double plus[2] = {q[0], q[3]}, minus[2] = {q[1], q[2]};
    double p = abs2(plus[0], plus[1]), m = abs2(minus[0], minus[1]);
    int flipped = p <= LOCK, flat = m <= LOCK * fabs(q[3]);
    outer_angles(e, plus, minus, flipped, flat);
    e[1] = flipped ? LIE__PI : flat ? 0.0 : 2.0 * lie__atan2(m, p);
    return LIE_OK;
}

lie_status lie_matrix_to_euler_zxz(double e[3], const double R[9])
{
    double q[4];
    lie_status status = lie_matrix_to_quat(q, R);
    return status == LIE_OK ? lie_quat_to_euler_zxz(e, q) : status;
}
