/* SPDX-License-Identifier: MIT */
/* control_ends.c: what is asked of the two ends of a manoeuvre: components that are fixed or free, and sets; see
 * control.h. Conditions at the target are functions of (g_N, nu_N), those at the start of (g_0, nu_0); first
 * derivatives are exact, the second ones of the target central differences of them. */
#include "lib/control/control.h"

#include <math.h>

#define DIFFERENCE 0x1p-13

/* Is component i free, of 2n: poses, then velocities? Wheels have any angle, and their momenta are asked for or not. */
static int is_free(const lie_control_work *w, int i, const int *pose, const int *velocity,
                   const lie_control_states *set, int any_wheel)
{
    int n = w->n, at = i % n, dim = n - w->wheels;
    const int *flags = i < n ? pose : velocity;
    if (at >= dim) return i < n || any_wheel;
    return flags ? flags[at] != 0 : set != 0;
}

void lie__control_list_ends(lie_control_work *w)
{
    const lie_control_problem *p = &w->c->problem;
    int dim = w->n - w->wheels;
    w->fixed = w->starts = 0;
    for (int i = 0; i < 2 * w->n; i++) {
        if (!is_free(w, i, p->free_pose, p->free_velocity, p->target_set, !p->wheelsT)) w->row[w->fixed++] = i;
        if (i % w->n < dim && is_free(w, i, p->free_start_pose, p->free_start_velocity, p->start_set, 0))
            w->start[w->starts++] = i;
    }
    w->on_target = w->fixed + (p->target_set ? p->target_set->count : 0);
    w->rows = w->on_target + (p->start_set ? p->start_set->count : 0);
}

void lie__control_velocity_row(const lie_control_work *w, double *row, int i)
{
    for (int j = 0; j < w->n; j++)
        row[j] = i < w->n - w->wheels ? w->inertia_inverse[i * w->n + j] : i == j ? 1.0 : 0.0;
}

/* The momentum of a unit of velocity i of the start, the wheels' being kept */
static double start_momentum(const lie_control_work *w, int i, int j)
{
    int dim = w->n - w->wheels;
    return j < dim ? w->actuation->base.inertia[j * dim + i] : 0.0;
}

void lie__control_begin(const lie_control_work *w, control_path *s)
{
    zero_n(w->n, s->x);
    copy_n(w->size, s->g, w->g0);
    copy_n(w->n, s->b, w->nu0);
}

lie_status lie__control_shift_start(const lie_control_work *w, control_path *s, const control_path *from,
                                    const double *v, double step)
{
    double g[LIE_SIZE_MAX];
    int n = w->n;
    copy_n(n, s->x, from->x);
    copy_n(n, s->b, from->b);
    copy_n(w->size, s->g, from->g);
    if (w->starts == 0) return LIE_OK;
    for (int i = 0; i < w->starts; i++) {
        int at = w->start[i];
        if (at < n) s->x[at] += step * v[i];
        for (int j = 0; j < n && at >= n; j++) s->b[j] += step * v[i] * start_momentum(w, at - n, j);
    }
    lie_status status = w->line->tau(w->line, g, s->x);
    if (status == LIE_OK) w->G->mul(w->G, s->g, w->g0, g);
    return status;
}

lie_status lie__control_start_columns(const lie_control_work *w, double *E)
{
    double minus[CONTROL_DIM], D[CONTROL_SQUARE];
    int n = w->n;
    for (int i = 0; i < n; i++) minus[i] = -w->now.x[i];
    lie_status status = lie_ops_tangent_matrix(w->line, w->line->dtau, D, minus);
    for (int j = 0; j < w->starts; j++)
        for (int i = 0; i < 2 * n; i++) {
            int at = w->start[j];
            E[i * w->starts + j] =
                at < n ? (i < n ? D[i * n + at] : 0.0) : (i < n ? 0.0 : start_momentum(w, at - n, i - n));
        }
    return status;
}

static void velocity_of(const lie_control_work *w, double *xi, const double *nu)
{
    for (int i = 0; i < w->n; i++) {
        xi[i] = 0.0;
        for (int j = 0; j < w->n; j++) xi[i] += w->inertia_inverse[i * w->n + j] * nu[j];
    }
}

void lie__control_end_momentum(const lie_control_work *w, const control_path *s, double *nu)
{
    double B[CONTROL_DIM * CONTROL_INPUTS], F[CONTROL_DIM] = {0.0};
    const double *g = s->g + w->N * w->size, *u = s->u + w->N * w->m;
    lie__control_inputs(w, B, g);
    if (w->base->force) w->base->force(w->base, F, g);
    for (int i = 0; i < w->n; i++) {
        double sum = F[i];
        for (int j = 0; j < w->m; j++) sum += B[i * w->m + j] * u[j];
        nu[i] = s->b[w->N * w->n + i] + 0.5 * w->h * sum;
    }
}

/* line^-1(gT^-1 g) */
static lie_status pose_error(const lie_control_work *w, double *y, const double *g)
{
    double d[LIE_SIZE_MAX];
    w->G->inv(w->G, d, w->gT);
    w->G->mul(w->G, d, d, g);
    return w->line->tauinv(w->line, y, d);
}

lie_status lie__control_conditions(const lie_control_work *w, control_path *s, const double *nu)
{
    const lie_control_problem *p = &w->c->problem;
    const double *g = s->g + w->N * w->size;
    double pose[CONTROL_DIM], xi[CONTROL_DIM] = {0.0};
    lie_status status = pose_error(w, pose, g);
    if (status != LIE_OK) return status;
    velocity_of(w, xi, nu);
    for (int i = 0; i < w->fixed; i++) {
        int at = w->row[i], of = at - w->n, is_wheel = of >= w->n - w->wheels;
        s->y[i] = at < w->n ? pose[at] : (is_wheel ? nu[of] : xi[of]) - w->xiT[of];
    }
    if (p->target_set) p->target_set->value(p->target_set->ctx, s->y + w->fixed, 0, g, xi);
    if (!p->start_set) return LIE_OK;
    velocity_of(w, xi, s->b);
    p->start_set->value(p->start_set->ctx, s->y + w->on_target, 0, s->g, xi);
    return LIE_OK;
}

/* The derivatives of a set in (g, xi) to those in (eta, nu) */
static void put_set(const lie_control_work *w, const lie_control_states *set, double *D, const double *g,
                    const double *nu)
{
    double xi[CONTROL_DIM] = {0.0}, c[CONTROL_STATE], d[CONTROL_STATE * CONTROL_STATE];
    int n = w->n, s = 2 * n;
    velocity_of(w, xi, nu);
    set->value(set->ctx, c, d, g, xi);
    for (int r = 0; r < set->count; r++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int a = 0; a < n; a++) sum += d[r * s + n + a] * w->inertia_inverse[a * n + j];
            D[r * s + j] = d[r * s + j];
            D[r * s + n + j] = sum;
        }
}

lie_status lie__control_target_slope(const lie_control_work *w, double *D, const double *g, const double *nu)
{
    const lie_control_states *set = w->c->problem.target_set;
    double y[CONTROL_DIM], pose[CONTROL_SQUARE];
    int n = w->n;
    lie_status status = pose_error(w, y, g);
    for (int i = 0; i < n && status == LIE_OK; i++) y[i] = -y[i];
    if (status == LIE_OK) status = lie_ops_tangent_matrix(w->line, w->line->dtauinv, pose, y);
    if (status != LIE_OK) return status;
    zero_n(w->rows * 2 * n, D);
    for (int r = 0; r < w->fixed; r++) {
        int at = w->row[r];
        if (at < n)
            copy_n(n, D + r * 2 * n, pose + at * n);
        else
            lie__control_velocity_row(w, D + r * 2 * n + n, at - n);
    }
    if (set) put_set(w, set, D + w->fixed * 2 * n, g, nu);
    return LIE_OK;
}

static lie_status start_slope_at(const lie_control_work *w, double *D, const double *g, const double *nu)
{
    const lie_control_states *set = w->c->problem.start_set;
    if (set) put_set(w, set, D, g, nu);
    return LIE_OK;
}

void lie__control_start_slope(const lie_control_work *w, double *D)
{
    start_slope_at(w, D, w->now.g, w->now.b);
}

typedef lie_status slope_at(const lie_control_work *w, double *D, const double *g, const double *nu);

/* H (2n x 2n) += second derivative in (eta, nu) of `rows` conditions, times lambda; in nu only if `wide` */
static lie_status add_curvature(const lie_control_work *w, slope_at *slope, int rows, const double *lambda, int wide,
                                double *H, const double *g, const double *nu)
{
    double x[CONTROL_STATE] = {0.0}, at[LIE_SIZE_MAX], moved[CONTROL_DIM], D[CONTROL_ROWS * CONTROL_STATE] = {0.0};
    double size = w->now.size_momentum;
    int n = w->n, s = 2 * n;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(nu[i]));
    for (int j = 0; j < (wide ? s : n); j++) {
        double d = j < n ? DIFFERENCE : DIFFERENCE * (size > 0.0 ? size : 1.0);
        for (int side = -1; side <= 1; side += 2) {
            x[j] = side * d;
            lie_status status = w->line->tau(w->line, at, x);
            w->G->mul(w->G, at, g, at);
            for (int i = 0; i < n; i++) moved[i] = nu[i] + x[n + i];
            if (status == LIE_OK) status = slope(w, D, at, moved);
            if (status != LIE_OK) return status;
            for (int i = 0; i < rows * s; i++) {
                double part = side * lambda[i / s] * D[i] / (4.0 * d);
                H[i % s * s + j] += part;
                H[j * s + i % s] += part;
            }
        }
        x[j] = 0.0;
    }
    return LIE_OK;
}

lie_status lie__control_target_curvature(const lie_control_work *w, double *H, const double *g, const double *nu)
{
    return add_curvature(w, lie__control_target_slope, w->on_target, w->lambda, w->on_target > w->fixed, H, g, nu);
}

lie_status lie__control_start_curvature(const lie_control_work *w, double *H)
{
    int rows = w->rows - w->on_target;
    if (rows == 0) return LIE_OK;
    return add_curvature(w, start_slope_at, rows, w->lambda + w->on_target, 1, H, w->now.g, w->now.b);
}
