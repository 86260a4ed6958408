/* SPDX-License-Identifier: MIT */
/* theta.c: the rarely taken parts of theta.h (angles beyond pi) and the scalar functions sin, cos, atan2, exp, log that
 * SE(2), H* and the converters need. Same rule: + - x / sqrt, exact scaling and fmod, which is exact by definition. */
#include "groups/num/theta.h"

#include <float.h>

/* (e^r - 1 - r)/r^2 for |r| <= log(2)/2; (atanh(s)/s - 1)/s^2 in s^2 <= 0.0296 */
static const double exp_tail[11] = {
    0x1p-1,
    0x1.5555555555557p-3,
    0x1.5555555555552p-5,
    0x1.1111111110056p-7,
    0x1.6c16c16c18931p-10,
    0x1.a01a01ac1a723p-13,
    0x1.a01a0197bcfd8p-16,
    0x1.71de01b889c28p-19,
    0x1.27e500e0ac02p-22,
    0x1.af4eb2a1b7c51p-26,
    0x1.1f32ea9d772b7p-29,
};
static const double atanh_tail[8] = {
    0x1.5555555555555p-2, 0x1.9999999999d59p-3, 0x1.249249242ee3ep-3, 0x1.c71c725c5861ap-4,
    0x1.745cdb789e524p-4, 0x1.3b215857be234p-4, 0x1.0f4a2eb3df6cbp-4, 0x1.10229aa3bdfbfp-4,
};

/* pi in three parts; the first two have 33 significant bits, so that k x part is exact for |k| < 2^20 */
#define PI_1 0x1.921fb54400000p+1
#define PI_2 0x1.0b4611a600000p-33
#define PI_3 0x1.3198a2e037073p-68
/* log 2 in two parts, the first exact times any exponent; 1/log 2 */
#define LN2_1 0x1.62e42fefa2000p-1
#define LN2_2 0x1.9ef35793c7673p-41
#define LOG2E 0x1.71547652b82fep+0
#define ROUND_MAGIC 0x1.8p+52 /* adding and subtracting it rounds to the nearest integer */

/* angle = k pi + r, |r| <= pi/2; *odd = k mod 2. Cody & Waite (1980) up to 2^20; beyond, the angle is first reduced
 * by the double nearest to 2 pi, a relative change of the angle of less than 2^-54. */
static double reduce(double angle, int *odd)
{
    if (!(fabs(angle) < 0x1p+20)) angle = fmod(angle, 2.0 * LIE__PI);
    double k = (angle * (1.0 / LIE__PI) + ROUND_MAGIC) - ROUND_MAGIC;
    *odd = (int)k & 1;
    return ((angle - k * PI_1) - k * PI_2) - k * PI_3;
}

/* cos(angle) and sin(angle); angle finite */
static void sincos_reduced(double *s, double *c, double angle)
{
    int odd;
    double r = reduce(angle, &odd), sign = odd ? -1.0 : 1.0;
    lie__half h = lie__half_near(4.0 * r * r);
    *s = sign * r * (2.0 * h.s);
    *c = sign * h.c;
}

lie__half lie__half_far(double x)
{
    if (!(x <= DBL_MAX)) return (lie__half){LIE__NAN, LIE__NAN};
    double angle = sqrt(x), s, c;
    sincos_reduced(&s, &c, 0.5 * angle);
    return (lie__half){c, s / angle};
}

/* upwards, c_k' = (c_{k-1} - k c_k)/2x and c_k'' = (c_{k-1}' - (k+2) c_k')/2x: nothing cancels for t > pi.
 * c_2 = 2 sin^2(t/2)/x from the smaller of sine and cosine, which carries the smaller error. */
lie__stumpff lie__stumpff_far(double x)
{
    lie__half h = lie__half_far(x);
    double u = 0.5 / x, cc = h.c * h.c, c0 = 2.0 * cc - 1.0, c1 = 2.0 * h.s * h.c;
    double c2 = cc > 0.5 ? 2.0 * h.s * h.s : (1.0 - cc) * (2.0 / x), c3 = (1.0 - c1) / x;
    double d0 = -0.5 * c1, d1 = (c0 - c1) * u, d2 = (c1 - 2.0 * c2) * u, d3 = (c2 - 3.0 * c3) * u;
    return (lie__stumpff){{c1, c2, c3}, {d1, d2, d3}, {(d0 - 3.0 * d1) * u, (d1 - 4.0 * d2) * u, (d2 - 5.0 * d3) * u}};
}

/* e = (1 - u)/x, u = f cot f, f = t/2; x e' = -e - u', u' = (u - (f/sin f)^2) / (2 x) */
lie__cot lie__cot_far(double x)
{
    lie__half h = lie__half_far(x);
    double u = 0.5 * h.c / h.s, e = (1.0 - u) / x;
    return (lie__cot){e, ((0.25 / (h.s * h.s) - u) / (2.0 * x) - e) / x};
}

void lie__sincos(double *s, double *c, double angle)
{
    if (fabs(angle) <= DBL_MAX)
        sincos_reduced(s, c, angle);
    else
        *s = *c = LIE__NAN;
}

double lie__atan2(double y, double x)
{
    double ay = fabs(y), ax = fabs(x);
    if (!(ay <= DBL_MAX && ax <= DBL_MAX)) return LIE__NAN;
    if (ay == 0.0 && ax == 0.0) return x < 0.0 || 1.0 / x < 0.0 ? copysign(LIE__PI, y) : y;
    int steep = ay > ax;
    double t = steep ? ax / ay : ay / ax, a = t * lie__atanc(t * t);
    if (steep) a = 0.5 * LIE__PI - (a - 0.5 * LIE__PI_LO);
    if (x < 0.0) a = LIE__PI - (a - LIE__PI_LO);
    return copysign(a, y);
}

double lie__exp(double s)
{
    if (!(s - s == 0.0)) return LIE__NAN;
    if (s > 710.0) return HUGE_VAL;
    if (s < -746.0) return 0.0;
    double k = (s * LOG2E + ROUND_MAGIC) - ROUND_MAGIC;
    double r = (s - k * LN2_1) - k * LN2_2;
    double p = r * r * lie__poly(exp_tail, 11, r);
    return ldexp(1.0 + (r + p), (int)k);
}

double lie__log(double hi, double lo)
{
    int k;
    double m = frexp(hi, &k);
    if (m < 0x1.6a09e667f3bcdp-1) m *= 2.0, k--;
    double f = (m - 1.0) + ldexp(lo, -k), s = f / (2.0 + f), z = s * s;
    double tail = 2.0 * s * z * lie__poly(atanh_tail, 8, z);
    /* log(1+f) = 2 s + tail and 2 s = f - s f */
    return k * LN2_1 + ((f - (s * f - tail)) + k * LN2_2);
}
