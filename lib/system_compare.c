/* SPDX-License-Identifier: MIT */
/* system_compare.c: the derivatives a system supplies, against differences of what they are derivatives of.
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
#include "system_field.h"

#include <float.h>
#include <math.h>

enum { FIRST = -30, LAST = -2, STRIDE = 4 };

static void potential_field(const place *at, double *out)
{
    out[0] = -at->sys->potential(at->sys, at->g);
}

static void force_field(const place *at, double *out)
{
    at->sys->force(at->sys, out, at->g);
}

static void gyro_field(const place *at, double *out)
{
    at->sys->gyro(at->sys, out, at->g);
}

static void lagrangian_field(const place *at, double *out)
{
    out[0] = at->sys->lagrangian(at->sys, at->g, at->xi);
}

static void momentum_field(const place *at, double *out)
{
    at->sys->momentum(at->sys, out, at->g, at->xi);
}

static void gradient_field(const place *at, double *out)
{
    at->sys->gradient(at->sys, out, at->g, at->xi);
}

static void external_field(const place *at, double *out)
{
    at->sys->external(at->sys, out, at->t, at->g, at->xi, at->u);
}

static void force_deriv_field(const place *at, double *out)
{
    at->sys->force_deriv(at->sys, out, at->g);
}

static void gyro_deriv_field(const place *at, double *out)
{
    at->sys->gyro_deriv(at->sys, out, at->g);
}

static void hessian_field(const place *at, double *out)
{
    at->sys->hessian(at->sys, out, at->g, at->xi);
}

static void mixed_field(const place *at, double *out)
{
    at->sys->mixed(at->sys, out, at->g, at->xi);
}

static void gradient_deriv_field(const place *at, double *out)
{
    at->sys->gradient_deriv(at->sys, out, at->g, at->xi);
}

static void external_deriv_field(const place *at, double *out)
{
    at->sys->external_deriv(at->sys, out, at->t, at->g, at->xi, at->u);
}

/* One callback that is the derivative of another. */
typedef struct item {
    const char *name;
    double *error;      /* its place in the report */
    const double *base; /* error of what it is compared with, if that is a derivative too */
    int present;
    int rows; /* of the field: 1 or dim */
    direction along;
    field_fn *field, *derivative;
} item;

/* v[m] = the field at -2 s, -s, s, 2 s along e_j; *size the largest entry */
static lie_status sample(const place *at, const item *it, int j, double s, double v[4][LIE_DIM_MAX], double *size)
{
    static const double node[4] = {-2.0, -1.0, 1.0, 2.0};
    *size = 0.0;
    for (int m = 0; m < 4; m++) {
        lie_status status = field_beside(at, it->field, it->along, j, node[m] * s, v[m]);
        if (status != LIE_OK) return status;
        for (int i = 0; i < it->rows; i++) *size = fabs(v[m][i]) > *size ? fabs(v[m][i]) : *size;
    }
    return LIE_OK;
}

/* Column j of slope and open, for d/ds field along e_j; open is infinite where the field is not finite. */
static lie_status find_slopes(const place *at, const item *it, int j, double *slope, double *open)
{
    double v[4][LIE_DIM_MAX] = {{0.0}};
    int n = at->sys->group->dim, found[LIE_DIM_MAX] = {0}, missing = it->rows;
    for (int i = 0; i < it->rows; i++) slope[i * n + j] = 0.0, open[i * n + j] = HUGE_VAL;
    for (int k = FIRST; k <= LAST && missing > 0; k += STRIDE) {
        double s = ldexp(1.0, k), size;
        lie_status status = sample(at, it, j, s, v, &size);
        if (status != LIE_OK) return k == FIRST ? status : LIE_OK;
        for (int i = 0; i < it->rows; i++) {
            double near = (v[2][i] - v[1][i]) / (2.0 * s), far = (v[3][i] - v[0][i]) / (4.0 * s);
            double now = fabs(near - far) + 4.0 * DBL_EPSILON * size / s;
            if (found[i]) continue;
            if (now < open[i * n + j])
                slope[i * n + j] = (4.0 * near - far) / 3.0, open[i * n + j] = now;
            else
                found[i] = 1, missing--;
        }
    }
    return LIE_OK;
}

/* Enter the error of row i, n entries, into the report. What is compared with a wrong callback is not to blame. */
static void enter_row(lie_system_report *report, const item *it, int i, int n, const double *given, const double *slope,
                      const double *open)
{
    double size = 0.0;
    int blame = !it->base || *it->base < 1e-6;
    for (int j = 0; j < n; j++) {
        size = fabs(given[j]) > size ? fabs(given[j]) : size;
        size = fabs(slope[j]) > size ? fabs(slope[j]) : size;
    }
    for (int j = 0; j < n; j++) {
        int finite = open[j] < HUGE_VAL && given[j] - given[j] == 0.0;
        double beyond = finite ? fabs(given[j] - slope[j]) - open[j] : HUGE_VAL;
        double now = !(beyond > 0.0) ? 0.0 : finite ? beyond / size : HUGE_VAL;
        if (now > *it->error) *it->error = now;
        if (!blame || !(now > report->error)) continue;
        report->worst = it->name, report->error = now;
        report->row = i, report->column = j;
        report->given = given[j], report->expected = slope[j];
    }
}

static lie_status compare(const place *at, lie_system_report *report, const item *it)
{
    double given[LIE_DIM_MAX * LIE_DIM_MAX], slope[LIE_DIM_MAX * LIE_DIM_MAX], open[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = at->sys->group->dim;
    if (!it->present) return LIE_OK;
    it->derivative(at, given);
    for (int j = 0; j < n; j++) {
        lie_status status = find_slopes(at, it, j, slope, open);
        if (status != LIE_OK) return status;
    }
    *it->error = 0.0;
    for (int i = 0; i < it->rows; i++) enter_row(report, it, i, n, given + i * n, slope + i * n, open + i * n);
    return LIE_OK;
}

lie_status lie_system_compare_derivatives(const lie_system *sys, lie_system_report *report, double t, const double *g,
                                          const double *xi, const double *u)
{
    lie_status status = lie_system_check(sys);
    if (status != LIE_OK) return status;
    lie_system_report r = {-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, "none", 0.0, 0, 0, 0.0, 0.0};
    const int n = sys->group->dim, is_general = sys->lagrangian != 0;
    const item items[] = {
        {"force", &r.force, 0, sys->force != 0, 1, ALONG_GROUP, potential_field, force_field},
        {"force_deriv", &r.force_deriv, &r.force, sys->force && sys->force_deriv, n, ALONG_GROUP, force_field,
         force_deriv_field},
        {"gyro_deriv", &r.gyro_deriv, 0, sys->gyro != 0, n, ALONG_GROUP, gyro_field, gyro_deriv_field},
        {"momentum", &r.momentum, 0, is_general, 1, ALONG_VELOCITY, lagrangian_field, momentum_field},
        {"gradient", &r.gradient, 0, is_general, 1, ALONG_GROUP, lagrangian_field, gradient_field},
        {"hessian", &r.hessian, &r.momentum, sys->hessian != 0, n, ALONG_VELOCITY, momentum_field, hessian_field},
        {"mixed", &r.mixed, &r.momentum, sys->mixed != 0, n, ALONG_GROUP, momentum_field, mixed_field},
        {"gradient_deriv", &r.gradient_deriv, &r.gradient, sys->gradient_deriv != 0, n, ALONG_GROUP, gradient_field,
         gradient_deriv_field},
        {"external_deriv", &r.external_deriv, 0, sys->external && sys->external_deriv, n, ALONG_VELOCITY,
         external_field, external_deriv_field},
    };
    enum { ITEMS = sizeof items / sizeof items[0] };
    place at = {sys, t, g, xi, u};
    for (int k = 0; k < ITEMS && status == LIE_OK; k++) status = compare(&at, &r, &items[k]);
    if (status == LIE_OK) *report = r;
    return status;
}
