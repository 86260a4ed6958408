/* SPDX-License-Identifier: MIT */
/* slopes.h: derivatives by differences whose step is found. Internal.
 *
 *     near = (v(s) - v(-s))/(2 s),   far = (v(2s) - v(-2s))/(4 s),   slope = (4 near - far)/3,
 *     open = |near - far| + 4 eps max|v| / s                         what this slope leaves open
 *
 * The step s grows from 2^-30 to 2^-2 by factors of 16 for as long as `open` falls: first rounding wanes, then
 * truncation sets in. So the step fits functions that vary over micrometres and over planetary distances, entry by
 * entry; longer steps would go around the circle. The slope is more accurate than `open` says, and what differs by more
 * is wrong.
 *
 * After Ridders, Accurate computation of F'(x) and F'(x) F''(x), Advances in Engineering Software 4, 1982. */
#ifndef LIESTEP_LIB_SLOPES_H
#define LIESTEP_LIB_SLOPES_H

#include <liestep/status.h>

enum { SLOPES_MAX = 64 };

/* v (rows) at the distance s */
typedef lie_status slope_fn(const void *ctx, double s, double *v);

/* slope[i * stride] and open[i * stride] of row i < rows, at most SLOPES_MAX; open is infinite where v is not. */
lie_status lie__find_slopes(slope_fn *value, const void *ctx, int rows, int stride, double *slope, double *open);

/* How far `given` is beyond what the differences leave open, relative to `size`; infinite where it is not finite. */
double lie__slope_error(double given, double slope, double open, double size);

#endif
