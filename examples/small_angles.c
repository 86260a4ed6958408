/* SPDX-License-Identifier: MIT */
/* Where textbook formulas lose their digits.
 *
 *     dexp_w = 1 + (1 - cos t)/t^2 hat(w) + (t - sin t)/t^3 hat(w)^2,    t = |w|
 *
 * Written down as printed, both fractions subtract equal numbers for small t. The usual cure, a switch to the first
 * terms of the series below some angle, only moves the loss. This program measures the relative error of the tangent
 * map applied to a vector across, per angle, against the series in long double:
 *
 *     small_angles          a table
 *     small_angles --csv    many points, for docs/img/small_angles.svg (tools/plot_small_angles.py)
 *
 * Reference: any text on attitude or robotics; for the peers' figures see docs/ACCURACY.md. */
#include <liestep/so3.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* c_2 and c_3 by the formula, below `branch` by two terms of the series */
static void textbook(double out[3], const double w[3], const double v[3], double branch)
{
    double t = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), a[3], b[3];
    double c2 = t < branch ? 0.5 - t * t / 24 : (1 - cos(t)) / (t * t);
    double c3 = t < branch ? 1.0 / 6 - t * t / 120 : (t - sin(t)) / (t * t * t);
    lie_so3_ad(a, w, v);
    lie_so3_ad(b, w, a);
    for (int i = 0; i < 3; i++) out[i] = v[i] + c2 * a[i] + c3 * b[i];
}

/* sum ad_w^j v / (j+1)! in long double */
static void reference(long double out[3], const double w[3], const double v[3])
{
    long double term[3], factorial = 1;
    for (int i = 0; i < 3; i++) out[i] = term[i] = (long double)v[i];
    for (int j = 1; j < 60; j++) {
        const long double old[3] = {term[0], term[1], term[2]};
        factorial *= j + 1;
        for (int i = 0; i < 3; i++) {
            int k = (i + 1) % 3, l = (i + 2) % 3;
            term[i] = (long double)w[k] * old[l] - (long double)w[l] * old[k];
            out[i] += term[i] / factorial;
        }
    }
}

/* |out - exact| / |exact| in units of eps */
static double error(const double out[3], const long double exact[3])
{
    long double e = 0, s = 0;
    for (int i = 0; i < 3; i++) {
        long double d = (long double)out[i] - exact[i];
        e += d * d;
        s += exact[i] * exact[i];
    }
    return (double)sqrtl(e / s) / DBL_EPSILON;
}

int main(int argc, char **argv)
{
    int csv = argc > 1 && strcmp(argv[1], "--csv") == 0, per_decade = csv ? 24 : 1;
    const double n[3] = {0.36, -0.48, 0.8}, v[3] = {0.9, 0.3, -0.7};
    printf(csv ? "angle,printed,series below 1e-4,liestep\n"
               : "Error of the tangent map dexp in units of eps = 2.2e-16, by angle:\n\n"
                 "      angle   as printed   series below 1e-4   liestep\n");
    for (int k = -9 * per_decade; k < 0.48 * per_decade; k++) {
        double worst[3] = {0.0, 0.0, 0.0};
        for (int s = 0; s < 16; s++) { /* the worst of a few neighbouring angles */
            double t = pow(10.0, (k + s / 16.0) / per_decade), w[3], out[3];
            long double exact[3];
            if (t > 3.14159) continue;
            for (int i = 0; i < 3; i++) w[i] = t * n[i];
            reference(exact, w, v);
            textbook(out, w, v, 0.0);
            worst[0] = fmax(worst[0], error(out, exact));
            textbook(out, w, v, 1e-4);
            worst[1] = fmax(worst[1], error(out, exact));
            lie_so3_dexp(out, w, v);
            worst[2] = fmax(worst[2], error(out, exact));
        }
        printf(csv ? "%.6g,%.4g,%.4g,%.4g\n" : "  %9.1e   %10.3g   %17.3g   %7.3g\n", pow(10.0, (double)k / per_decade),
               worst[0], worst[1], worst[2]);
    }
    return 0;
}
