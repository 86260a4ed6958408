/* SPDX-License-Identifier: MIT */
/* elliptic.h: the functions of time in the motion of the free rigid body, from + - x / and sqrt only. Internal.
 *
 * In principal axes, per unit of momentum and in the time t = (1/I1 - 1/I3) |m| x seconds, Euler's equations have one
 * number of the body in them, x = (1/I2 - 1/I3)/(1/I1 - 1/I3), y = 1 - x, I1 <= I2 <= I3:
 *
 *     n1' = -x n2 n3,   n2' = n3 n1,   n3' = -y n1 n2,   |n| = 1
 *
 * With the invariants q1 = n1^2 + x n2^2, q3 = n3^2 + y n2^2 (q1 + q3 = 1), a = y q1, b = x q3, d = a - b = y n1^2 -
 * x n3^2, none of which but d cancels, the motion is made of
 *
 *     s'^2 = (1 - a s^2)(1 - b s^2), s(0) = 0, s'(0) = 1;   c1^2 = 1 - a s^2,   c3^2 = 1 - b s^2
 *     theta = d int_0^t dt/(1 - q1 q3 s^2)
 *
 * s is sn(l t)/l, c1 and c3 are cn and dn for d >= 0, dn and cn for d <= 0, l^2 = max(a, b), k^2 = min/max,
 * k'^2 = |d|/l^2 (DLMF 22.2); theta is an incomplete integral of the third kind (DLMF 19.2.7), in the circular case
 * always, since q1 q3 lies between a and b. All are entire in x, q1, q3 for small t: symmetric bodies, principal axes
 * and the separatrix d = 0 are points like others.
 *
 * Near: Taylor series in t^2. Beyond: halved until near, then doubled. The formulas for the double time are sums of
 * positive terms, but for the one of c1, c3 that has a zero:
 *
 *     D = c1^2 + a s^2 c3^2,  s(2t) = 2 s c1 c3/D,  c1(2t) = (c1^2 c3^2 - d s^2)/D,  c3(2t) = (c1^2 c3^2 + d s^2)/D
 *     theta(2t) = 2 theta(t) + arctan(q1 q3 d s^3/((c1 + c3)(q1 c3 (1 + c3) + q3 c1 (1 + c1)))),  s, c1, c3 at 2t
 *
 * (DLMF 22.6.5 to 22.6.7; the last is the area of the triangle n(-2t), n(0), n(2t), which ties theta(2t) to theta(t).)
 * Times beyond half of the quarter period K/l are first reduced by multiples of it: K by the arithmetic-geometric mean
 * (DLMF 19.8.5), theta(K/l) by doubling. */
#ifndef LIESTEP_LIB_ELLIPTIC_H
#define LIESTEP_LIB_ELLIPTIC_H

#include <math.h>

#include "groups/num/loops.h"

/* The invariants of a motion. */
typedef struct lie__orbit {
    double q1, q3, a, b, d;
} lie__orbit;

/* The functions of a time t. In the far case the time is t = t_r + N K/l with the N that makes |t_r| least: s, c1, c3
 * are of t_r, theta is of t, odd = N mod 2. */
typedef struct lie__clock {
    double s, c1, c3, theta;
    int odd;
} lie__clock;

/* Where the series are used: a t^2, b t^2 up to NEAR; up to CLOSE with fewer terms. The poles of s lie at |l t| >=
 * pi/2: the first term left out of W is below (n + 1) (4 x/pi^2)^n, x = NEAR, CLOSE: 2^-55, 2^-59. */
#define LIE__CLOCK_NEAR 0x1p-6
#define LIE__CLOCK_CLOSE 0x1p-11
enum { LIE__NEAR_TERMS = 8, LIE__CLOSE_TERMS = 5 };

/* W = (s/t)^2 = sum W_n and j = theta/(d t) - 1: from W'' = 2 + ..., with e = (a + b) t^2, f = a b t^4, g = q1 q3 t^2,
 *     (2n+2)(2n+1) W_n = -4 e W_{n-1} + 6 f sum W_i W_{n-2-i},    U_n = g sum W_i U_{n-1-i},   j = sum U_n/(2n+1) */
LIE_INLINE void lie__clock_series(int terms, double *W, double *j, double e, double f, double g)
{
    static const double linear[8] = {0.0, 4.0 / 12, 4.0 / 30, 4.0 / 56, 4.0 / 90, 4.0 / 132, 4.0 / 182, 4.0 / 240};
    static const double square[8] = {0.0, 0.0, 6.0 / 30, 6.0 / 56, 6.0 / 90, 6.0 / 132, 6.0 / 182, 6.0 / 240};
    static const double odd[8] = {1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15};
    double w[8] = {1.0}, u[8] = {1.0};
    LIE_UNROLL
    for (int n = 1; n < terms; n++) {
        double ww = 0.0, wu = 0.0;
        LIE_UNROLL
        for (int i = 0; i < n - 1; i++) ww += w[i] * w[n - 2 - i];
        LIE_UNROLL
        for (int i = 0; i < n; i++) wu += w[i] * u[n - 1 - i];
        w[n] = square[n] * (f * ww) - linear[n] * (e * w[n - 1]);
        u[n] = g * wu;
    }
    *W = 0.0, *j = 0.0;
    LIE_UNROLL
    for (int n = terms - 1; n > 0; n--) *W += w[n], *j += odd[n] * u[n];
    *W += 1.0;
}

/* |a t^2|, |b t^2| <= NEAR */
LIE_INLINE lie__clock lie__clock_near(const lie__orbit *o, double t)
{
    double tt = t * t, a = o->a * tt, b = o->b * tt, W, j;
    if ((a > b ? a : b) <= LIE__CLOCK_CLOSE)
        lie__clock_series(LIE__CLOSE_TERMS, &W, &j, a + b, a * b, o->q1 * o->q3 * tt);
    else
        lie__clock_series(LIE__NEAR_TERMS, &W, &j, a + b, a * b, o->q1 * o->q3 * tt);
    double dt = o->d * t, c1 = sqrt(1.0 - a * W), c3 = sqrt(1.0 - b * W);
    return (lie__clock){t * sqrt(W), c1, c3, dt + dt * j, 0};
}

/* W_q and j_q, the derivatives of the series by q1, along which e, f and g have the derivatives de, df and dg */
LIE_INLINE void lie__clock_series_slope(double *W, double *dW, double *j, double *dj, const double efg[3],
                                        const double d[3], int terms)
{
    static const double linear[8] = {0.0, 4.0 / 12, 4.0 / 30, 4.0 / 56, 4.0 / 90, 4.0 / 132, 4.0 / 182, 4.0 / 240};
    static const double square[8] = {0.0, 0.0, 6.0 / 30, 6.0 / 56, 6.0 / 90, 6.0 / 132, 6.0 / 182, 6.0 / 240};
    static const double odd[8] = {1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15};
    double w[8] = {1.0}, u[8] = {1.0}, v[8] = {0.0}, z[8] = {0.0}; /* v, z: derivatives of w, u */
    *W = 1.0, *dW = *j = *dj = 0.0;
    LIE_UNROLL
    for (int n = 1; n < terms; n++) {
        double ww = 0.0, wv = 0.0, wu = 0.0, wz = 0.0;
        LIE_UNROLL
        for (int i = 0; i < n - 1; i++) ww += w[i] * w[n - 2 - i], wv += w[i] * v[n - 2 - i];
        LIE_UNROLL
        for (int i = 0; i < n; i++) wu += w[i] * u[n - 1 - i], wz += w[i] * z[n - 1 - i] + v[i] * u[n - 1 - i];
        w[n] = square[n] * (efg[1] * ww) - linear[n] * (efg[0] * w[n - 1]);
        v[n] = square[n] * (d[1] * ww + 2.0 * (efg[1] * wv)) - linear[n] * (d[0] * w[n - 1] + efg[0] * v[n - 1]);
        u[n] = efg[2] * wu, z[n] = d[2] * wu + efg[2] * wz;
        *W += w[n], *dW += v[n], *j += odd[n] * u[n], *dj += odd[n] * z[n];
    }
}

/* d s/d q1 and d theta/d q1 at the time t, |a t^2|, |b t^2| <= NEAR, q1 + q3 = 1 and x + y = 1: a_q = y, b_q = -x, d_q
 * = 1 */
LIE_INLINE void lie__clock_near_slope(const lie__orbit *o, double x, double y, double t, double *s_q, double *theta_q)
{
    double tt = t * t, a = o->a * tt, b = o->b * tt, W, W_q, j, j_q;
    const double efg[3] = {a + b, a * b, o->q1 * o->q3 * tt};
    const double d[3] = {(y - x) * tt, (y * b - x * a) * tt, (o->q3 - o->q1) * tt};
    if ((a > b ? a : b) <= LIE__CLOCK_CLOSE)
        lie__clock_series_slope(&W, &W_q, &j, &j_q, efg, d, LIE__CLOSE_TERMS);
    else
        lie__clock_series_slope(&W, &W_q, &j, &j_q, efg, d, LIE__NEAR_TERMS);
    *s_q = 0.5 * t * W_q / sqrt(W);
    *theta_q = (t + t * j) + o->d * t * j_q;
}

/* Any finite t; elliptic.c */
lie__clock lie__clock_far(const lie__orbit *o, double t);

#endif
