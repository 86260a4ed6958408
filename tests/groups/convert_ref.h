/* SPDX-License-Identifier: MIT */
/* convert_ref.h: every form of an attitude that convert.h knows, by its definition, in long double; and the attitudes
 * to try them on: golden, random, tiny, near half-turns and near the locks of both sets of Euler angles. */
#ifndef LIESTEP_TESTS_CONVERT_REF_H
#define LIESTEP_TESTS_CONVERT_REF_H

/* doubles become long doubles here on purpose, in every line */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

#include <float.h>
#include <liestep/convert.h>
#include <math.h>
#include <string.h>

#include "tests/groups/golden_attitudes.h"
#include "tests/support/random.h"

#define PI 3.14159265358979323846
#define PI_L 3.14159265358979323846264338327950288L

typedef long double real;

/* Some machines, and valgrind on all, compute long double in 53 bits: no reference for what is right to a few eps. */
static int real_is_longer_than_double(void)
{
    volatile real one = 1, sum = one + (real)DBL_EPSILON / 1024;
    return LDBL_MANT_DIG >= 64 && sum != one;
}

static lie_random source = {20241116};

static double uniform(double low, double high)
{
    return low + (high - low) * (double)(random_bits(&source) >> 11) * 0x1p-53;
}

/* Every form by its definition, in long double: form -> quaternion. */

static void ref_mul(real out[4], const real a[4], const real b[4])
{
    const real r[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, r, sizeof r);
}

static void ref_turn(real q[4], int axis, real angle)
{
    q[0] = cosl(angle / 2), q[1] = q[2] = q[3] = 0;
    q[axis] = sinl(angle / 2);
}

static void ref_euler(real q[4], const double e[3], int middle, int last)
{
    real b[4], c[4];
    ref_turn(q, 3, e[0]), ref_turn(b, middle, e[1]), ref_turn(c, last, e[2]);
    ref_mul(q, q, b);
    ref_mul(q, q, c);
}

static void ref_zyx(real q[4], const double *e)
{
    ref_euler(q, e, 2, 1);
}

static void ref_zxz(real q[4], const double *e)
{
    ref_euler(q, e, 1, 3);
}

static void ref_rotvec(real q[4], const double *w)
{
    real n = hypotl(hypotl(w[0], w[1]), w[2]);
    q[0] = cosl(n / 2);
    for (int i = 0; i < 3; i++) q[i + 1] = n == 0 ? 0 : sinl(n / 2) * (w[i] / n);
}

static void ref_axis_angle(real q[4], const double *a)
{
    q[0] = cosl(a[3] / 2.0L);
    for (int i = 0; i < 3; i++) q[i + 1] = sinl(a[3] / 2.0L) * a[i];
}

static void ref_mrp(real q[4], const double *s)
{
    real n = (real)s[0] * s[0] + (real)s[1] * s[1] + (real)s[2] * s[2];
    q[0] = (1 - n) / (1 + n);
    for (int i = 0; i < 3; i++) q[i + 1] = 2 * s[i] / (1 + n);
}

static void ref_quat(real q[4], const double *p)
{
    for (int i = 0; i < 4; i++) q[i] = p[i];
}

/* q of R: the column sum_j of 4 q q^T with the largest diagonal entry, straight from R = R(q) */
static void ref_matrix(real q[4], const double *R)
{
    real K[4][4] = {{1 + (real)R[0] + R[4] + R[8], (real)R[7] - R[5], (real)R[2] - R[6], (real)R[3] - R[1]},
                    {0, 1 + (real)R[0] - R[4] - R[8], (real)R[1] + R[3], (real)R[2] + R[6]},
                    {0, 0, 1 - (real)R[0] + R[4] - R[8], (real)R[5] + R[7]},
                    {0, 0, 0, 1 - (real)R[0] - R[4] + R[8]}};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (K[i][i] > K[k][k]) k = i;
    for (int i = 0; i < 4; i++) q[i] = i < k ? K[i][k] : K[k][i];
}

/* R = ((w^2 - |v|^2) 1 + 2 v v^T + 2 w hat(v)) / |q|^2 */
static void ref_entries(real R[9], const double q[4])
{
    const real w = q[0], x = q[1], y = q[2], z = q[3], n = w * w + x * x + y * y + z * z, d = 2 * w * w - n;
    const real M[9] = {d + 2 * x * x,         2 * x * y - 2 * w * z, 2 * x * z + 2 * w * y,
                       2 * x * y + 2 * w * z, d + 2 * y * y,         2 * y * z - 2 * w * x,
                       2 * x * z - 2 * w * y, 2 * y * z + 2 * w * x, d + 2 * z * z};
    for (int i = 0; i < 9; i++) R[i] = M[i] / n;
}

/* angle of conj(a) b, both of any length */
static real distance(const real a[4], const real b[4])
{
    const real conj[4] = {a[0], -a[1], -a[2], -a[3]};
    real d[4];
    ref_mul(d, conj, b);
    return 2 * atan2l(hypotl(hypotl(d[1], d[2]), d[3]), fabsl(d[0]));
}

static double error_eps(const real truth[4], const real got[4], int relative)
{
    const real one[4] = {1, 0, 0, 0};
    real size = relative ? fminl(1, distance(one, truth)) : 1, d = distance(truth, got);
    return d == 0 ? 0 : (double)(d / fmaxl(size, DBL_MIN) / DBL_EPSILON);
}

/* Attitude number k of ATTITUDES, a unit quaternion of either sign. */

enum { RANDOM = 1000, NEAR = 24, ATTITUDES = GOLDEN_ATTITUDES + RANDOM + 5 * NEAR * 20 };

static void random_unit(double q[4])
{
    do
        for (int i = 0; i < 4; i++) q[i] = uniform(-1.0, 1.0);
    while (lie_quat_norm(q) < 0.1 || lie_quat_norm(q) > 1.0);
    (void)lie_s3_project(q, q);
}

/* A turn by d, or short of a half-turn by d, about the vector part of q. */
static void near_rotation(real r[4], const double q[4], double d, int half_turn)
{
    real angle = half_turn ? PI_L - d : (real)d, n = hypotl(hypotl(q[1], q[2]), q[3]);
    r[0] = cosl(angle / 2);
    for (int i = 1; i < 4; i++) r[i] = sinl(angle / 2) * (q[i] / n);
}

/* Euler angles whose middle angle is d away from the lock: zyx from +-pi/2, zxz from 0, zxz from pi. */
static void near_lock(real r[4], double d, int kind)
{
    const real lock[3] = {uniform(-1.0, 1.0) < 0.0 ? d - PI_L / 2 : PI_L / 2 - d, d, PI_L - d};
    real middle[4], last[4];
    ref_turn(r, 3, uniform(-PI, PI));
    ref_turn(middle, kind == 0 ? 2 : 1, lock[kind]);
    ref_turn(last, kind == 0 ? 1 : 3, uniform(-PI, PI));
    ref_mul(r, r, middle);
    ref_mul(r, r, last);
}

static void attitude(double q[4], int k)
{
    static const double small[NEAR] = {0.0,   5e-324, 1e-310, 1e-300, 1e-200, 1e-160, 1e-150, 1e-100,
                                       1e-50, 1e-30,  1e-20,  1e-17,  1e-16,  3e-16,  1e-15,  1e-14,
                                       1e-12, 1e-10,  1e-9,   1e-8,   1e-7,   1e-5,   1e-3,   1e-2};
    int near = k - GOLDEN_ATTITUDES - RANDOM, kind = near / NEAR % 5;
    real r[4];
    random_unit(q);
    ref_quat(r, k < GOLDEN_ATTITUDES ? golden_attitudes[k].q : q);
    if (near >= 0) {
        double d = small[near % NEAR] * (near % 2 ? 1.0 : uniform(0.5, 1.0));
        if (kind < 2)
            near_rotation(r, q, d, kind);
        else
            near_lock(r, d, kind - 2);
    }
    for (int i = 0; i < 4; i++) q[i] = (double)r[i];
}

#endif
