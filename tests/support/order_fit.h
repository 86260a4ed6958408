/* SPDX-License-Identifier: MIT */
/* order_fit.h: the order of a method from errors with several step sizes, for the tests of the order. */
#ifndef LIESTEP_TESTS_ORDER_FIT_H
#define LIESTEP_TESTS_ORDER_FIT_H

#include <math.h>

enum { FIT_POINTS_MAX = 10 };

/* v without its part along d */
static inline void remove_part(int n, double *v, const double *d)
{
    double vd = 0.0, dd = 0.0;
    for (int k = 0; k < n; k++) vd += v[k] * d[k], dd += d[k] * d[k];
    for (int k = 0; k < n; k++) v[k] -= vd / dd * d[k];
}

static inline double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

typedef struct fit {
    double slope; /* p */
    double open;  /* what is open about it */
} fit;

/* log e = c + p x + a z by least squares: p is the slope of log e on x when 1 and z are taken out of both. The unit of
 * h is the duration. */
static inline fit fit_law(int n, const int *steps, const double *error)
{
    double one[FIT_POINTS_MAX], x[FIT_POINTS_MAX], y[FIT_POINTS_MAX], z[FIT_POINTS_MAX];
    for (int k = 0; k < n; k++) {
        double h = 1.0 / steps[k];
        one[k] = 1.0, x[k] = log(h), y[k] = log(error[k]), z[k] = h * h;
    }
    remove_part(n, x, one), remove_part(n, y, one), remove_part(n, z, one);
    double plain = dot(n, x, y) / dot(n, x, x);
    remove_part(n, x, z), remove_part(n, y, z);
    double slope = dot(n, x, y) / dot(n, x, x);
    remove_part(n, y, x);
    double deviation = sqrt(dot(n, y, y) / (n - 3) / dot(n, x, x));
    return (fit){slope, 3.0 * deviation + 0.5 * fabs(slope - plain)};
}

#endif
