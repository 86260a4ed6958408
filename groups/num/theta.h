/* SPDX-License-Identifier: MIT */
/* theta.h: every function of an angle that the groups need, from + - x / and sqrt only. Internal.
 *
 * libm's sin, cos, atan2, exp and log give other bits on other machines; these do not (with contraction off).
 * The tangents of exp are entire functions of x = t^2, the Stumpff functions
 *
 *     c_k(x) = 1/k! - x/(k+2)! + x^2/(k+4)! - ...      c_0 = cos t, c_1 = sin t / t, c_2 = (1 - cos t)/t^2,
 *     c_k = 1/k! - x c_{k+2},                           c_3 = (t - sin t)/t^3, ...
 *     d/dx c_k = (k c_{k+2} - c_{k+1}) / 2 = (c_{k-1} - k c_k) / 2x
 *
 * (Stumpff, Himmelsmechanik I, 1959). For t <= pi: c_6 and c_7 by polynomials and the rest downwards, which
 * loses nothing; c_0, c_1, c_2 of the whole angle from cos and sin of the half angle, so that the rotation built from
 * them is orthogonal to round-off. Beyond pi the half angle is reduced by multiples of pi (theta.c).
 * Coefficients: theta.sollya and theta_rational.py, best approximations with double coefficients, error below 0.8 x
 * 2^-53. */
#ifndef LIESTEP_GROUPS_THETA_H
#define LIESTEP_GROUPS_THETA_H

#include <math.h>

#include "groups/num/loops.h"

#define LIE__NAN ((double)NAN)
#define LIE__PI 0x1.921fb54442d18p+1 /* pi rounded, and what is missing */
#define LIE__PI_LO 0x1.1a62633145c07p-53
#define LIE__PI_SQ 0x1.3bd3cc9be45dep+3  /* pi^2 rounded */
#define LIE__4PI_SQ 0x1.3bd3cc9be45dep+5 /* 4 pi^2 rounded, and what is missing */
#define LIE__4PI_SQ_LO 0x1.692b71366cc04p-49

/* (cos(t/2) - 1 + x/8) / x^2 and (sin(t/2)/t - 1/2) / x, x = t^2 <= pi^2 */
static const double lie__cos_tail[8] = {
    0x1.5555555555555p-9,  -0x1.6c16c16c16b74p-16, 0x1.a01a01a00eb11p-24, -0x1.27e4fb71eecdcp-32,
    0x1.1eed8c1a17547p-41, -0x1.9395a4bdcc2d6p-51, 0x1.adfd759c9322p-61,  -0x1.54e7a7685649ap-71,
};
static const double lie__sinc_tail[8] = {
    -0x1.5555555555555p-6,  0x1.11111111110bap-12, -0x1.a01a01a013713p-20, 0x1.71de3a51d51edp-28,
    -0x1.ae645465ccb7fp-37, 0x1.6123ade119579p-46, -0x1.ae3abfc2d9531p-56, 0x1.8738b5276dfa6p-66,
};
/* c_6, c_7, x <= pi^2 */
static const double lie__stumpff6[9] = {
    0x1.6c16c16c16c17p-10,  -0x1.a01a01a01a04p-16,  0x1.27e4fb7789cp-22,
    -0x1.1eed8eff0c5bdp-29, 0x1.93974a2c0b5bep-37,  -0x1.ae7f1d1864c92p-45,
    0x1.682129e80afcfp-53,  -0x1.e3e3fda49b53cp-62, 0x1.f18e3118225efp-71,
};
static const double lie__stumpff7[9] = {
    0x1.a01a01a01a01ap-13,  -0x1.71de3a556c726p-19, 0x1.ae64567f530cep-26,
    -0x1.61246139d9e46p-33, 0x1.ae7f3e17921bep-41,  -0x1.952c5be55e993p-49,
    0x1.2f4500eaec467p-57,  -0x1.70c597a973f98p-66, 0x1.5b701e929dc98p-75,
};
/* e(x) - 2/(4 pi^2 - x) and its derivative, e = (1 - (t/2) cot(t/2))/t^2, x <= pi^2 */
static const double lie__cot_tail[9] = {
    0x1.0ba7b4887e38bp-5,  0x1.bb174664e16afp-14, 0x1.2ea76d5db829p-21,  0x1.cd66ed8ab395dp-29, 0x1.6ce9c931addedp-36,
    0x1.24b7752993734p-43, 0x1.d9b4fc257041ap-51, 0x1.6ea50aba8ea21p-58, 0x1.9c51fa03aeb4bp-65,
};
static const double lie__cot_tail_prime[10] = {
    0x1.bb174664e1d73p-14, 0x1.2ea76d5d10278p-20, 0x1.5a0d32b1c46fep-27, 0x1.6ce9984f1c5e6p-34, 0x1.6dee5336068a9p-41,
    0x1.625b4289fc21dp-48, 0x1.4e5719a076789p-55, 0x1.376a426494fc6p-62, 0x1.06bdc4d61b2c5p-69, 0x1.6b4876ba05aefp-76,
};
/* atan(t)/t in t^2 <= 1 */
static const double lie__atan_over_t[20] = {
    0x1p0,
    -0x1.555555555543fp-2,
    0x1.999999998357fp-3,
    -0x1.2492491f82b1ep-3,
    0x1.c71c70986d997p-4,
    -0x1.745d01dfeedcbp-4,
    0x1.3b12afded14c4p-4,
    -0x1.1108885ecb14dp-4,
    0x1.e17749a95c8fdp-5,
    -0x1.ad2fb9d1b6204p-5,
    0x1.7edb66d1be28p-5,
    -0x1.4f32588c3ea06p-5,
    0x1.16f6061e53004p-5,
    -0x1.a6d39bc860046p-6,
    0x1.15d9a13bdb42p-6,
    -0x1.2c7c746735615p-7,
    0x1.f863b43867b56p-9,
    -0x1.3066efa2e319p-10,
    0x1.d25b20af57572p-13,
    -0x1.52c165ea06e74p-16,
};

/* t/(2 sin t) = 1/2 + (4 - D) num(D)/den(D), D = 4 cos^2(t/2) >= 1; theta_rational.py */
static const double lie__half_turn_num[8] = {
    0x1.cab4dd37faf44p+1, 0x1.dd7113494eddap+5, 0x1.aa17f205ec34bp+7, 0x1.e60e33ce422cdp+7,
    0x1.8af38ff8472bdp+6, 0x1.b4bd6410aa21fp+3, 0x1.f0c0d4a46bf6cp-2, 0x1.823c2a70a5ae1p-14,
};
static const double lie__half_turn_den[8] = {
    0x1.a21953e6ded61p-1, 0x1.aa06c6716d2d8p+5, 0x1.b21158b0a6a37p+8, 0x1.fbd20f4274147p+9,
    0x1.ad930914b872ep+9, 0x1.162989718d0ebp+8, 0x1.01dd67837562ep+5, 0x1.0000000000000p+0,
};

/* sum c[i] x^i, i < n <= 32, by Estrin's scheme: pairs, pairs of pairs, ...; a latency of log2 n multiply-adds */
LIE_INLINE double lie__poly(const double *c, int n, double x)
{
    double t[16];
    LIE_UNROLL
    for (int i = 0; i < n / 2; i++) t[i] = c[2 * i] + c[2 * i + 1] * x;
    if (n & 1) t[n / 2] = c[n - 1];
    LIE_UNROLL
    for (int m = (n + 1) / 2; m > 1; m = (m + 1) / 2) {
        x *= x;
        LIE_UNROLL
        for (int i = 0; i < m / 2; i++) t[i] = t[2 * i] + t[2 * i + 1] * x;
        if (m & 1) t[m / 2] = t[m - 1];
    }
    return t[0];
}

/* Half of an angle t = sqrt(x): c = cos(t/2), s = sin(t/2)/t. NaN for x not finite. */
typedef struct lie__half {
    double c, s;
} lie__half;

lie__half lie__half_far(double x); /* x > pi^2; theta.c */

LIE_INLINE lie__half lie__half_near(double x)
{
    return (lie__half){(1.0 - 0.125 * x) + x * x * lie__poly(lie__cos_tail, 8, x),
                       0.5 + x * lie__poly(lie__sinc_tail, 8, x)};
}

LIE_INLINE lie__half lie__half_angle(double x)
{
    return x <= LIE__PI_SQ ? lie__half_near(x) : lie__half_far(x);
}

/* c_0 = cos t, c_1 = sin t/t and c_2 = (1 - cos t)/t^2 from the half angle: c_1 = 2 b, c_2 = k c, in factors because k
 * is known long before b and c. Beyond t = 2, c_0 and c_2 from cos(t/2), whose error no longer counts there; below,
 * from sin(t/2). */
typedef struct lie__turn {
    double b, c, k, c0;
} lie__turn;

LIE_INLINE lie__turn lie__turn_of_half(lie__half h, double x)
{
    int large = x > 4.0;
    double cc = h.c * h.c, ss = h.s * h.s;
    double over_x =
        2.0 / (x + 0x1p-1000); /* 2/x where it counts; at x = 0 no division by zero, whatever the compiler */
    return (lie__turn){h.s * h.c, large ? 1.0 - cc : ss, large ? over_x : 2.0,
                       large ? 2.0 * cc - 1.0 : 1.0 - 2.0 * ss * x};
}

/* Stumpff functions c_1, c_2, c_3 of x = t^2 with their first and second derivatives. NaN for x not finite. */
typedef struct lie__stumpff {
    double f[3], d[3], dd[3];
} lie__stumpff;

lie__stumpff lie__stumpff_far(double x); /* x > pi^2; theta.c */

LIE_INLINE lie__stumpff lie__stumpff_near(double x)
{
    lie__turn t = lie__turn_of_half(lie__half_near(x), x);
    double c7 = lie__poly(lie__stumpff7, 9, x), c6 = lie__poly(lie__stumpff6, 9, x);
    double c5 = 1.0 / 120.0 - x * c7, c4 = 1.0 / 24.0 - x * c6, c3 = 1.0 / 6.0 - x * c5, c2 = t.k * t.c;
    return (lie__stumpff){
        {2.0 * t.b, c2, c3},
        {-0.5 * (c2 - c3), -0.5 * (c3 - 2.0 * c4), -0.5 * (c4 - 3.0 * c5)},
        {0.25 * (c3 - 3.0 * c4 + 3.0 * c5), 0.25 * (c4 - 5.0 * c5 + 8.0 * c6), 0.25 * (c5 - 7.0 * c6 + 15.0 * c7)}};
}

LIE_INLINE lie__stumpff lie__stumpff_of(double x)
{
    return x <= LIE__PI_SQ ? lie__stumpff_near(x) : lie__stumpff_far(x);
}

/* e(x) = (1 - (t/2) cot(t/2))/t^2 = 2 sum_k 1/(4 k^2 pi^2 - x) and e'(x), for x < 4 pi^2: the pole nearest to the
 * origin by itself, the others by a polynomial (Mittag-Leffler). All terms are positive: no cancellation. */
typedef struct lie__cot {
    double e, d;
} lie__cot;

lie__cot lie__cot_far(double x); /* pi^2 < x < 4 pi^2; theta.c */

LIE_INLINE lie__cot lie__cot_of(double x)
{
    if (!(x <= LIE__PI_SQ)) return lie__cot_far(x);
    double pole = 1.0 / ((LIE__4PI_SQ - x) + LIE__4PI_SQ_LO);
    return (lie__cot){2.0 * pole + lie__poly(lie__cot_tail, 9, x),
                      2.0 * pole * pole + lie__poly(lie__cot_tail_prime, 10, x)};
}

/* atan(t)/t as a function of z = t^2, 0 <= z <= 1 */
LIE_INLINE double lie__atanc(double z)
{
    return lie__poly(lie__atan_over_t, 20, z);
}

/* t/(2 sin t) as a function of D = 4 cos^2(t/2), 1 <= D <= 4 (t up to a third of a turn): all coefficients are
 * positive, and D may be off by eps */
LIE_INLINE double lie__half_turn_over_sine(double D)
{
    return 0.5 + ((4.0 - D) * lie__poly(lie__half_turn_num, 8, D)) / lie__poly(lie__half_turn_den, 8, D);
}

/* atan2 in (-pi, pi], NaN if an argument is NaN; sin and cos of any finite angle; e^s (NaN unless s is
 * finite); log(hi + lo) for hi > 0. theta.c */
double lie__atan2(double y, double x);
void lie__sincos(double *s, double *c, double angle);
double lie__exp(double s);
double lie__log(double hi, double lo);

#endif
