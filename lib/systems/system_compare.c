/* SPDX-License-Identifier: MIT */
/* system_compare.c: the derivatives a system supplies, against differences of what they are derivatives of. See
 * slopes.h. */
#include "lib/systems/system_field.h"

#include <liestep/form.h>
#include <math.h>

#include "groups/num/slopes.h"

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

/* by the form */
static void stated_force_field(const place *at, double *out)
{
    lie_form_force(at->sys, out, at->g);
}

static void stated_gyro_field(const place *at, double *out)
{
    lie_form_gyro(at->sys, out, at->g);
}

static void stated_external_field(const place *at, double *out)
{
    lie_form_external(at->sys, out, at->t, at->g, at->xi, at->u);
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

/* The field beside a place, along e_j */
typedef struct ray {
    const place *at;
    const item *it;
    int j;
} ray;

static lie_status along_ray(const void *ctx, double s, double *v)
{
    const ray *r = (const ray *)ctx;
    return field_beside(r->at, r->it->field, r->it->along, r->j, s, v);
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
        double now = lie__slope_error(given[j], slope[j], open[j], size);
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
        ray along = {at, it, j};
        lie_status status = lie__find_slopes(along_ray, &along, it->rows, n, slope + j, open + j);
        if (status != LIE_OK) return status;
    }
    *it->error = 0.0;
    for (int i = 0; i < it->rows; i++) enter_row(report, it, i, n, given + i * n, slope + i * n, open + i * n);
    return LIE_OK;
}

/* What the form states, beside the callback: the derivative of nothing, row 0 of the report. */
static void compare_form(const place *at, lie_system_report *report, int part, field_fn *stated, field_fn *called)
{
    double given[LIE_DIM_MAX], expected[LIE_DIM_MAX], open[LIE_DIM_MAX], size = 0.0;
    const int n = at->sys->group->dim;
    const item it = {.name = "form", .error = &report->form};
    if (!(lie_form_states(at->sys) & part)) return;
    stated(at, given);
    called(at, expected);
    for (int i = 0; i < n; i++) {
        double larger = fabs(given[i]) > fabs(expected[i]) ? fabs(given[i]) : fabs(expected[i]);
        size = larger > size ? larger : size;
    }
    for (int i = 0; i < n; i++) open[i] = 1e-13 * size;
    if (report->form < 0.0) report->form = 0.0;
    enter_row(report, &it, 0, n, given, expected, open);
}

static void compare_forms(const place *at, lie_system_report *report)
{
    compare_form(at, report, LIE_FORM_FORCE, stated_force_field, force_field);
    compare_form(at, report, LIE_FORM_GYRO, stated_gyro_field, gyro_field);
    compare_form(at, report, LIE_FORM_EXTERNAL, stated_external_field, external_field);
}

lie_status lie_system_compare_derivatives(const lie_system *sys, lie_system_report *report, double t, const double *g,
                                          const double *xi, const double *u)
{
    lie_status status = lie_system_check(sys);
    if (status != LIE_OK) return status;
    lie_system_report r = {-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, "none", 0.0, 0, 0, 0.0, 0.0};
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
    if (status != LIE_OK) return status;
    compare_forms(&at, &r);
    *report = r;
    return status;
}
