/* SPDX-License-Identifier: MIT */
/* elliptic.c: long times of elliptic.h: reduced by periods, then by halving and doubling. */
#include "groups/num/elliptic.h"

#include "groups/num/theta.h"

/* On the separatrix there is no period; beyond this many time constants n stands still on the middle axis. */
#define STILL 170.0

/* Back to c1^2 = 1 - a s^2, c3^2 = 1 - b s^2 after a doubling, which would double what is missing there. The one that
 * is cn shares the correction with s; dn^2 = k'^2 + k^2 cn^2. */
static void settle(const lie__orbit *o, lie__clock *c)
{
    int first = o->d >= 0.0;
    double l2 = first ? o->a : o->b, k2 = (first ? o->b : o->a) / l2, cn = first ? c->c1 : c->c3;
    double f = 1.0 + 0.5 * ((1.0 - l2 * c->s * c->s) - cn * cn);
    c->s *= f;
    cn *= f;
    double dn = sqrt(fabs(o->d) / l2 + k2 * cn * cn);
    c->c1 = first ? cn : dn;
    c->c3 = first ? dn : cn;
}

static void double_time(const lie__orbit *o, lie__clock *c)
{
    double ss = c->s * c->s, g = c->c1 * c->c3, gg = g * g, ds = o->d * ss;
    double D = 1.0 / (c->c1 * c->c1 + o->a * ss * (c->c3 * c->c3));
    c->s = 2.0 * c->s * g * D;
    c->c1 = (gg - ds) * D;
    c->c3 = (gg + ds) * D;
    settle(o, c);
    double s = c->s, c1 = c->c1, c3 = c->c3;
    double area = o->q1 * o->q3 * o->d * (s * s) * s;
    c->theta = 2.0 * c->theta + lie__atan2(area, (c1 + c3) * (o->q1 * c3 * (1.0 + c3) + o->q3 * c1 * (1.0 + c1)));
}

/* |t| up to the quarter period */
static lie__clock halve_and_double(const lie__orbit *o, double l2, double t)
{
    int doublings = 0;
    while (l2 * t * t > LIE__CLOCK_NEAR) t *= 0.5, doublings++;
    lie__clock c = lie__clock_near(o, t);
    while (doublings-- > 0) double_time(o, &c);
    return c;
}

/* pi/(2 K) = agm(1, k') */
static double mean(double kp)
{
    double a = 1.0, b = kp;
    while (a - b > 0x1p-27 * a) {
        double next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
    }
    return 0.5 * (a + b);
}

lie__clock lie__clock_far(const lie__orbit *o, double t)
{
    double l2 = o->a > o->b ? o->a : o->b, l = sqrt(l2), v = l * fabs(t);
    if (o->d == 0.0) return halve_and_double(o, l2, v > STILL ? copysign(STILL / l, t) : t);
    if (v <= 0.25 * LIE__PI) return halve_and_double(o, l2, t); /* K >= pi/2 */
    double quarter = 0.5 * LIE__PI / (l * mean(sqrt(fabs(o->d) / l2)));
    double N = floor(t / quarter + 0.5);
    lie__clock c = halve_and_double(o, l2, t - N * quarter);
    if (N == 0.0) return c;
    c.theta += N * halve_and_double(o, l2, quarter).theta;
    c.odd = fmod(N, 2.0) != 0.0;
    return c;
}
