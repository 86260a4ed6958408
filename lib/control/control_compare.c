/* SPDX-License-Identifier: MIT */
/* control_compare.c: costs and sets of the user's, their derivatives against differences; see liestep/control.h and
 * slopes.h. The derivative along e_j of the gradient in the pose is not symmetric, its symmetric part is the second
 * derivative along g exp(s eta): both sides are compared so. */
#include "lib/control/control.h"

#include <math.h>

#include "groups/num/slopes.h"

/* A function of (g, xi, u, t), and where it is looked at */
typedef struct function {
    const control_problem *P;
    lie_control_cost_fn *cost; /* either */
    const lie_control_states *set;
    void *ctx;
    int inputs, wants_gradient;
    double t;
    const double *g, *xi, *u;
    int along; /* variable: pose, velocity, inputs, time */
} function;

/* v at the distance s along a variable */
static lie_status beside(const void *ctx, double s, double *v)
{
    const function *f = (const function *)ctx;
    const control_problem *P = f->P;
    int n = P->n;
    double x[CONTROL_DIM] = {0.0}, g[LIE_SIZE_MAX], xi[CONTROL_DIM], u[LIE_ACTUATORS_MAX] = {0.0}, t = f->t, value;
    copy_n(n, xi, f->xi);
    if (f->inputs > 0) copy_n(f->inputs, u, f->u);
    if (f->along < n)
        x[f->along] = s;
    else if (f->along < 2 * n)
        xi[f->along - n] += s;
    else if (f->along < 2 * n + f->inputs)
        u[f->along - 2 * n] += s;
    else
        t += s;
    lie_status status = P->line->tau(P->line, g, x);
    if (status != LIE_OK) return status;
    P->G->mul(P->G, g, f->g, g);
    if (f->set) {
        f->set->value(f->ctx, v, 0, g, xi);
        return LIE_OK;
    }
    value = f->cost(f->ctx, f->wants_gradient ? v : 0, 0, t, g, xi, f->inputs > 0 ? u : 0);
    if (!f->wants_gradient) v[0] = value;
    return LIE_OK;
}

static void enter(lie_control_report *report, const char *name, double *error, int rows, int columns,
                  const double *given, const double *slope, const double *open)
{
    *error = 0.0;
    for (int i = 0; i < rows; i++) {
        double size = 0.0;
        for (int j = 0; j < columns; j++)
            size = fmax(size, fmax(fabs(given[i * columns + j]), fabs(slope[i * columns + j])));
        for (int j = 0; j < columns; j++) {
            int at = i * columns + j;
            double now = lie__slope_error(given[at], slope[at], open[at], size);
            *error = fmax(*error, now);
            if (!(now > report->error)) continue;
            report->worst = name, report->error = now, report->row = i, report->column = j;
            report->given = given[at], report->expected = slope[at];
        }
    }
}

/* slope (rows x columns) and open */
static lie_status differentiate(function *f, int rows, int columns, double *slope, double *open)
{
    lie_status status = LIE_OK;
    for (f->along = 0; f->along < columns && status == LIE_OK; f->along++)
        status = lie__find_slopes(beside, f, rows, columns, slope + f->along, open + f->along);
    return status;
}

static lie_status compare_cost(function *f, lie_control_report *report, const char *const *names, double *gradient,
                               double *hessian)
{
    double given[CONTROL_USER + 1], H[CONTROL_USER * CONTROL_USER];
    double slope[CONTROL_USER * CONTROL_USER], open[CONTROL_USER * CONTROL_USER];
    int columns = 2 * f->P->n + f->inputs;
    if (!f->cost) return LIE_OK;
    f->cost(f->ctx, given, H, f->t, f->g, f->xi, f->inputs > 0 ? f->u : 0);
    f->wants_gradient = 0;
    lie_status status = differentiate(f, 1, columns + 1, slope, open);
    if (status != LIE_OK) return status;
    enter(report, names[0], gradient, 1, columns + 1, given, slope, open);
    f->wants_gradient = 1;
    status = differentiate(f, columns, columns, slope, open);
    if (status != LIE_OK) return status;
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < i; j++) {
            int a = i * columns + j, b = j * columns + i;
            slope[a] = slope[b] = 0.5 * (slope[a] + slope[b]);
            open[a] = open[b] = 0.5 * (open[a] + open[b]);
        }
    enter(report, names[1], hessian, columns, columns, H, slope, open);
    return LIE_OK;
}

static lie_status compare_set(function *f, lie_control_report *report, const char *name, double *error)
{
    double c[CONTROL_STATE], D[CONTROL_STATE * CONTROL_STATE];
    double slope[CONTROL_STATE * CONTROL_STATE], open[CONTROL_STATE * CONTROL_STATE];
    int columns = 2 * f->P->n;
    if (!f->set) return LIE_OK;
    f->ctx = f->set->ctx;
    f->set->value(f->ctx, c, D, f->g, f->xi);
    lie_status status = differentiate(f, f->set->count, columns, slope, open);
    if (status == LIE_OK) enter(report, name, error, f->set->count, columns, D, slope, open);
    return status;
}

lie_status lie_control_compare_derivatives(const lie_control *c, lie_control_report *report, int k)
{
    const control_problem *P = &c->problem;
    static const char *const running[2] = {"running_gradient", "running_hessian"};
    static const char *const terminal[2] = {"terminal_gradient", "terminal_hessian"};
    const lie_control_cost *cost = c->asked.cost;
    if (k < 0 || k >= P->N) return LIE_ERR_SIZE;
    lie_control_report r = {-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, "none", 0.0, 0, 0, 0.0, 0.0};
    const function base = {.P = P,
                           .ctx = cost ? cost->ctx : 0,
                           .t = k * P->h,
                           .g = c->answer.g + k * P->size,
                           .xi = c->answer.xi + k * P->n,
                           .u = c->answer.u + k * P->actuation->count};
    function f = base;
    f.cost = cost ? cost->running : 0, f.inputs = P->actuation->count;
    lie_status status = compare_cost(&f, &r, running, &r.running_gradient, &r.running_hessian);
    f = base, f.cost = cost ? cost->terminal : 0;
    if (status == LIE_OK) status = compare_cost(&f, &r, terminal, &r.terminal_gradient, &r.terminal_hessian);
    f = base, f.set = c->asked.target_set;
    if (status == LIE_OK) status = compare_set(&f, &r, "target_set", &r.target_set);
    f = base, f.set = c->asked.start_set;
    if (status == LIE_OK) status = compare_set(&f, &r, "start_set", &r.start_set);
    if (status == LIE_OK) *report = r;
    return status;
}
