/* SPDX-License-Identifier: MIT */
/* control_ends.c: what is asked of the two ends of a manoeuvre: components that are fixed or free, and sets; see
 * control.h. Conditions at the target are functions of (g_N, nu_N), those at the start of (g_0, nu_0); first
 * derivatives are exact, the second ones of the target central differences of them. */
#include "lib/control/control.h"

#include <math.h>

#define DIFFERENCE 0x1p-13

/* Is component i free, of 2n: poses, then velocities? Wheels have any angle, and their momenta are asked for or not. */
static int is_free(const control_problem *P, int i, const int *pose, const int *velocity, const lie_control_states *set,
                   int any_wheel)
{
    int n = P->n, at = i % n, dim = n - P->wheels;
    const int *flags = i < n ? pose : velocity;
    if (at >= dim) return i < n || any_wheel;
    return flags ? flags[at] != 0 : set != 0;
}

void lie__control_list_ends(control_problem *P)
{
    const lie_control_problem *p = P->asked;
    int dim = P->n - P->wheels;
    P->ends.fixed = P->ends.starts = 0;
    for (int i = 0; i < 2 * P->n; i++) {
        if (!is_free(P, i, p->free_pose, p->free_velocity, p->target_set, !p->wheelsT))
            P->ends.row[P->ends.fixed++] = i;
        if (i % P->n < dim && is_free(P, i, p->free_start_pose, p->free_start_velocity, p->start_set, 0))
            P->ends.start[P->ends.starts++] = i;
    }
    P->ends.on_target = P->ends.fixed + (p->target_set ? p->target_set->count : 0);
    P->ends.rows = P->ends.on_target + (p->start_set ? p->start_set->count : 0);
}

void lie__control_velocity_row(const control_problem *P, double *row, int i)
{
    for (int j = 0; j < P->n; j++)
        row[j] = i < P->n - P->wheels ? P->inertia_inverse[i * P->n + j] : i == j ? 1.0 : 0.0;
}

/* The momentum of a unit of velocity i of the start, the wheels' being kept */
static double start_momentum(const control_problem *P, int i, int j)
{
    int dim = P->n - P->wheels;
    return j < dim ? P->actuation->base.inertia[j * dim + i] : 0.0;
}

void lie__control_begin(const control_problem *P, control_path *s)
{
    zero_n(P->n, s->x);
    copy_n(P->size, s->g, P->ends.g0);
    copy_n(P->n, s->b, P->ends.nu0);
}

lie_status lie__control_shift_start(const control_problem *P, control_path *s, const control_path *from,
                                    const double *v, double step)
{
    double g[LIE_SIZE_MAX];
    int n = P->n;
    copy_n(n, s->x, from->x);
    copy_n(n, s->b, from->b);
    copy_n(P->size, s->g, from->g);
    if (P->ends.starts == 0) return LIE_OK;
    for (int i = 0; i < P->ends.starts; i++) {
        int at = P->ends.start[i];
        if (at < n) s->x[at] += step * v[i];
        for (int j = 0; j < n && at >= n; j++) s->b[j] += step * v[i] * start_momentum(P, at - n, j);
    }
    lie_status status = P->line->tau(P->line, g, s->x);
    if (status == LIE_OK) P->G->mul(P->G, s->g, P->ends.g0, g);
    return status;
}

lie_status lie__control_start_columns(const lie_control *c, double *E)
{
    const control_problem *P = &c->problem;
    double minus[CONTROL_DIM], D[CONTROL_SQUARE];
    int n = P->n;
    for (int i = 0; i < n; i++) minus[i] = -c->iterate.now.x[i];
    lie_status status = lie_ops_tangent_matrix(P->line, P->line->dtau, D, minus);
    for (int j = 0; j < P->ends.starts; j++)
        for (int i = 0; i < 2 * n; i++) {
            int at = P->ends.start[j];
            E[i * P->ends.starts + j] =
                at < n ? (i < n ? D[i * n + at] : 0.0) : (i < n ? 0.0 : start_momentum(P, at - n, i - n));
        }
    return status;
}

static void velocity_of(const control_problem *P, double *xi, const double *nu)
{
    for (int i = 0; i < P->n; i++) {
        xi[i] = 0.0;
        for (int j = 0; j < P->n; j++) xi[i] += P->inertia_inverse[i * P->n + j] * nu[j];
    }
}

void lie__control_end_momentum(const control_problem *P, const control_path *s, double *nu)
{
    double B[CONTROL_DIM * CONTROL_INPUTS], F[CONTROL_DIM] = {0.0};
    const double *g = s->g + P->N * P->size, *u = s->u + P->N * P->m;
    lie__control_inputs(P, B, g);
    if (P->base->force) P->base->force(P->base, F, g);
    for (int i = 0; i < P->n; i++) {
        double sum = F[i];
        for (int j = 0; j < P->m; j++) sum += B[i * P->m + j] * u[j];
        nu[i] = s->b[P->N * P->n + i] + 0.5 * P->h * sum;
    }
}

/* line^-1(gT^-1 g) */
static lie_status pose_error(const control_problem *P, double *y, const double *g)
{
    double d[LIE_SIZE_MAX];
    P->G->inv(P->G, d, P->ends.aim);
    P->G->mul(P->G, d, d, g);
    return P->line->tauinv(P->line, y, d);
}

lie_status lie__control_conditions(const control_problem *P, control_path *s, const double *nu)
{
    const lie_control_problem *p = P->asked;
    const double *g = s->g + P->N * P->size;
    double pose[CONTROL_DIM], xi[CONTROL_DIM] = {0.0};
    lie_status status = pose_error(P, pose, g);
    if (status != LIE_OK) return status;
    velocity_of(P, xi, nu);
    for (int i = 0; i < P->ends.fixed; i++) {
        int at = P->ends.row[i], of = at - P->n, is_wheel = of >= P->n - P->wheels;
        s->y[i] = at < P->n ? pose[at] : (is_wheel ? nu[of] : xi[of]) - P->ends.xiT[of];
    }
    if (p->target_set) p->target_set->value(p->target_set->ctx, s->y + P->ends.fixed, 0, g, xi);
    if (!p->start_set) return LIE_OK;
    velocity_of(P, xi, s->b);
    p->start_set->value(p->start_set->ctx, s->y + P->ends.on_target, 0, s->g, xi);
    return LIE_OK;
}

/* The derivatives of a set in (g, xi) to those in (eta, nu) */
static void put_set(const control_problem *P, const lie_control_states *set, double *D, const double *g,
                    const double *nu)
{
    double xi[CONTROL_DIM] = {0.0}, c[CONTROL_STATE], d[CONTROL_STATE * CONTROL_STATE];
    int n = P->n, s = 2 * n;
    velocity_of(P, xi, nu);
    set->value(set->ctx, c, d, g, xi);
    for (int r = 0; r < set->count; r++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int a = 0; a < n; a++) sum += d[r * s + n + a] * P->inertia_inverse[a * n + j];
            D[r * s + j] = d[r * s + j];
            D[r * s + n + j] = sum;
        }
}

lie_status lie__control_target_slope(const control_problem *P, double *D, const double *g, const double *nu)
{
    const lie_control_states *set = P->asked->target_set;
    double y[CONTROL_DIM], pose[CONTROL_SQUARE];
    int n = P->n;
    lie_status status = pose_error(P, y, g);
    for (int i = 0; i < n && status == LIE_OK; i++) y[i] = -y[i];
    if (status == LIE_OK) status = lie_ops_tangent_matrix(P->line, P->line->dtauinv, pose, y);
    if (status != LIE_OK) return status;
    zero_n(P->ends.rows * 2 * n, D);
    for (int r = 0; r < P->ends.fixed; r++) {
        int at = P->ends.row[r];
        if (at < n)
            copy_n(n, D + r * 2 * n, pose + at * n);
        else
            lie__control_velocity_row(P, D + r * 2 * n + n, at - n);
    }
    if (set) put_set(P, set, D + P->ends.fixed * 2 * n, g, nu);
    return LIE_OK;
}

static lie_status start_slope_at(const control_problem *P, double *D, const double *g, const double *nu)
{
    const lie_control_states *set = P->asked->start_set;
    if (set) put_set(P, set, D, g, nu);
    return LIE_OK;
}

void lie__control_start_slope(const lie_control *c, double *D)
{
    const control_problem *P = &c->problem;
    start_slope_at(P, D, c->iterate.now.g, c->iterate.now.b);
}

typedef lie_status slope_at(const control_problem *P, double *D, const double *g, const double *nu);

/* H (2n x 2n) += second derivative in (eta, nu) of `rows` conditions, times lambda; in nu only if `wide` */
static lie_status add_curvature(const lie_control *c, slope_at *slope, int rows, const double *lambda, int wide,
                                double *H, const double *g, const double *nu)
{
    const control_problem *P = &c->problem;
    double x[CONTROL_STATE] = {0.0}, at[LIE_SIZE_MAX], moved[CONTROL_DIM], D[CONTROL_ROWS * CONTROL_STATE] = {0.0};
    double size = c->iterate.now.size_momentum;
    int n = P->n, s = 2 * n;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(nu[i]));
    for (int j = 0; j < (wide ? s : n); j++) {
        double d = j < n ? DIFFERENCE : DIFFERENCE * (size > 0.0 ? size : 1.0);
        for (int side = -1; side <= 1; side += 2) {
            x[j] = side * d;
            lie_status status = P->line->tau(P->line, at, x);
            P->G->mul(P->G, at, g, at);
            for (int i = 0; i < n; i++) moved[i] = nu[i] + x[n + i];
            if (status == LIE_OK) status = slope(P, D, at, moved);
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

lie_status lie__control_target_curvature(const lie_control *c, double *H, const double *g, const double *nu)
{
    const control_problem *P = &c->problem;
    return add_curvature(c, lie__control_target_slope, P->ends.on_target, c->iterate.lambda,
                         P->ends.on_target > P->ends.fixed, H, g, nu);
}

lie_status lie__control_start_curvature(const lie_control *c, double *H)
{
    const control_problem *P = &c->problem;
    int rows = P->ends.rows - P->ends.on_target;
    if (rows == 0) return LIE_OK;
    return add_curvature(c, start_slope_at, rows, c->iterate.lambda + P->ends.on_target, 1, H, c->iterate.now.g,
                         c->iterate.now.b);
}
