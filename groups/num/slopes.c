/* SPDX-License-Identifier: MIT */
/* slopes.c: derivatives by differences whose step is found; see slopes.h. Cost: four values per step, eight steps at
 * most. */
#include "groups/num/slopes.h"

#include <float.h>
#include <math.h>

enum { FIRST = -30, LAST = -2, STRIDE = 4 };

/* v[m] = the values at -2 s, -s, s, 2 s; *size the largest entry */
static lie_status sample(slope_fn *value, const void *ctx, int rows, double s, double v[4][SLOPES_MAX], double *size)
{
    static const double node[4] = {-2.0, -1.0, 1.0, 2.0};
    *size = 0.0;
    for (int m = 0; m < 4; m++) {
        lie_status status = value(ctx, node[m] * s, v[m]);
        if (status != LIE_OK) return status;
        for (int i = 0; i < rows; i++) *size = fabs(v[m][i]) > *size ? fabs(v[m][i]) : *size;
    }
    return LIE_OK;
}

lie_status lie__find_slopes(slope_fn *value, const void *ctx, int rows, int stride, double *slope, double *open)
{
    double v[4][SLOPES_MAX] = {{0.0}};
    int found[SLOPES_MAX] = {0}, missing = rows;
    for (int i = 0; i < rows; i++) slope[i * stride] = 0.0, open[i * stride] = HUGE_VAL;
    for (int k = FIRST; k <= LAST && missing > 0; k += STRIDE) {
        double s = ldexp(1.0, k), size;
        lie_status status = sample(value, ctx, rows, s, v, &size);
        if (status != LIE_OK) return k == FIRST ? status : LIE_OK;
        for (int i = 0; i < rows; i++) {
            double near = (v[2][i] - v[1][i]) / (2.0 * s), far = (v[3][i] - v[0][i]) / (4.0 * s);
            double now = fabs(near - far) + 4.0 * DBL_EPSILON * size / s;
            if (found[i]) continue;
            if (now < open[i * stride])
                slope[i * stride] = (4.0 * near - far) / 3.0, open[i * stride] = now;
            else
                found[i] = 1, missing--;
        }
    }
    return LIE_OK;
}

double lie__slope_error(double given, double slope, double open, double size)
{
    int finite = open < HUGE_VAL && given - given == 0.0;
    double beyond = finite ? fabs(given - slope) - open : HUGE_VAL;
    return !(beyond > 0.0) ? 0.0 : finite ? beyond / size : HUGE_VAL;
}
