/* SPDX-License-Identifier: MIT */
/* control.c: the optimal control problem: what is asked, its memory, first guesses, and flying the answer; see
 * liestep/control.h and control.h. */
#include "control.h"

#include <math.h>
#include <stdint.h>

#include "cholesky.h"

static int limited(const lie_actuator *a)
{
    return a->min != 0.0 || a->max != 0.0;
}

static lie_status check_inputs(const lie_control_problem *p)
{
    const lie_actuation *act = p->actuation;
    double B[CONTROL_DIM * LIE_ACTUATORS_MAX], size = 0.0;
    if (act->count < 1) return LIE_ERR_INPUTS;
    if (act->count > LIE_ACTUATORS_MAX) return LIE_ERR_SIZE;
    for (int i = 0; i < act->count; i++) {
        const lie_actuator *a = &act->actuator[i];
        double weight = p->weight ? p->weight[i] : p->fuel ? 0.0 : 1.0, fuel = p->fuel ? p->fuel[i] : 0.0;
        if (a->kind == LIE_WHEEL) return LIE_ERR_METHOD;
        if (limited(a) && !(a->min < a->max)) return LIE_ERR_BOUNDS;
        if (!(weight >= 0.0) || !(fuel >= 0.0) || !(weight + fuel > 0.0)) return LIE_ERR_COST;
        if (!(weight + fuel < HUGE_VAL)) return LIE_ERR_NOT_FINITE;
    }
    lie_actuation_matrix(act, B, p->g0);
    for (int i = 0; i < act->base.group->dim * act->count; i++) size += fabs(B[i]);
    if (size == 0.0) return LIE_ERR_INPUTS;
    return size < HUGE_VAL ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status check_states(const lie_control_problem *p)
{
    const lie_system *sys = &p->actuation->base;
    static const double zero[LIE_DIM_MAX] = {0.0};
    lie_state s;
    lie_status status = lie_state_set(sys, &s, 0.0, p->g0, p->xi0 ? p->xi0 : zero);
    return status == LIE_OK ? lie_state_set(sys, &s, 0.0, p->gT, p->xiT ? p->xiT : zero) : status;
}

static lie_status choose_group(const lie_ops **out, const lie_ops *G, const char *retraction)
{
    if (!retraction || strcmp(retraction, G->retraction) == 0) {
        *out = G;
        return LIE_OK;
    }
    return lie_ops_find(out, G->group, retraction);
}

static lie_status check(const lie_control_problem *p)
{
    const lie_ops *G;
    if (!p->actuation || !p->g0 || !p->gT) return LIE_ERR_INCOMPLETE;
    const lie_system *sys = &p->actuation->base;
    lie_status status = lie_system_check(sys);
    if (status != LIE_OK) return status;
    if (sys->gyro || sys->lagrangian) return LIE_ERR_METHOD;
    if (sys->group->dim > CONTROL_DIM) return LIE_ERR_SIZE;
    if (!sys->group->tauinv) return LIE_ERR_INCOMPLETE;
    if (!(p->T > 0.0) || !(p->T < HUGE_VAL)) return LIE_ERR_HORIZON;
    if (p->N < 2) return LIE_ERR_INTERVALS;
    status = choose_group(&G, sys->group, p->retraction);
    if (status == LIE_OK) status = check_inputs(p);
    return status == LIE_OK ? check_states(p) : status;
}

/* Components of the target that are asked for */
static int list_rows(const lie_control_problem *p, int n, int *row)
{
    int rows = 0;
    for (int i = 0; i < 2 * n; i++) {
        const int *is_free = i < n ? p->free_pose : p->free_velocity;
        if (!is_free || !is_free[i % n]) row[rows++] = i;
    }
    return rows;
}

static double *take(double **next, size_t count)
{
    double *at = *next;
    if (at) *next += count;
    return at;
}

/* Lay out the arrays from `base` on, which may be null: then only their number of doubles is wanted. */
static size_t lay_out(lie_control *c, lie_control_work *w, double *base)
{
    size_t n = (size_t)w->n, m = (size_t)w->m, N = (size_t)w->N, size = (size_t)w->size, nodes = N + 1;
    size_t path = N * n + nodes * m + nodes * size + N * n + 2 * nodes * n + 2 * n;
    size_t kept = nodes * (size_t)lie__control_kept_doubles(w);
    size_t all = 2 * path + 3 * nodes * n + 4 * nodes * m + nodes * 2 * n + nodes * m + N * n + kept;
    size_t answer = N * n + nodes * (size_t)c->m + nodes * n + nodes * size + nodes * n;
    double *next = base;
    if (!base) return all + answer;
    for (int i = 0; i < 2; i++) {
        control_path *s = i == 0 ? &w->now : &w->trial;
        s->xi = take(&next, N * n), s->u = take(&next, nodes * m), s->g = take(&next, nodes * size);
        s->q = take(&next, N * n), s->b = take(&next, nodes * n), s->e = take(&next, nodes * n);
        s->y = take(&next, 2 * n);
    }
    w->p = take(&next, nodes * n), w->p_next = take(&next, nodes * n), w->pi = take(&next, nodes * n);
    w->low_z = take(&next, nodes * m), w->up_z = take(&next, nodes * m);
    w->low_z_next = take(&next, nodes * m), w->up_z_next = take(&next, nodes * m);
    w->z = take(&next, nodes * 2 * n), w->du = take(&next, nodes * m), w->dxi = take(&next, N * n);
    w->kept = take(&next, kept);
    c->xi = take(&next, N * n), c->u = take(&next, nodes * (size_t)c->m), c->p = take(&next, nodes * n);
    c->g = take(&next, nodes * size), c->nu = take(&next, nodes * n);
    return all + answer;
}

enum { HEAD = (sizeof(lie_control_work) + sizeof(double) - 1) / sizeof(double) };

/* Sizes and choices that need no memory */
static void outline(lie_control *c, lie_control_work *w, const lie_control_problem *p)
{
    const lie_actuation *act = p->actuation;
    *c = (lie_control){.problem = *p, .n = act->base.group->dim, .m = act->count, .N = p->N, .h = p->T / p->N};
    choose_group(&c->group, act->base.group, p->retraction);
    memset(w, 0, sizeof *w);
    w->c = c, w->G = c->group, w->line = c->group, w->base = &act->base, w->actuation = act;
    if (lie_ops_find(&w->line, w->G->group, "exp") != LIE_OK) w->line = w->G;
    w->n = c->n, w->N = c->N, w->size = w->G->size, w->h = c->h;
    for (int i = 0; p->fuel && i < c->m; i++) w->split |= p->fuel[i] > 0.0;
    w->m = w->split ? 2 * c->m : c->m;
    w->rows = list_rows(p, w->n, w->row);
}

size_t lie_control_memsize(const lie_control_problem *p)
{
    lie_control c;
    lie_control_work w;
    if (check(p) != LIE_OK) return 0;
    outline(&c, &w, p);
    return (HEAD + lay_out(&c, &w, 0)) * sizeof(double);
}

/* Weight and bounds of input j; where |u| costs, u = a - b with a, b >= 0 */
static void fill_input(lie_control_work *w, int j)
{
    const lie_control_problem *p = &w->c->problem;
    int i = j % w->c->m, back = j >= w->c->m;
    const lie_actuator *a = &w->actuation->actuator[i];
    double low = limited(a) ? a->min : -HUGE_VAL, high = limited(a) ? a->max : HUGE_VAL;
    w->weight[j] = p->weight ? p->weight[i] : p->fuel ? 0.0 : 1.0;
    w->fuel[j] = p->fuel ? p->fuel[i] : 0.0;
    w->lower[j] = back ? -high : low;
    w->upper[j] = back ? -low : high;
    if (w->split && !(w->lower[j] > 0.0)) w->lower[j] = 0.0;
    w->idle[j] = w->split && w->upper[j] <= 0.0;
    if (w->idle[j]) w->upper[j] = HUGE_VAL;
    w->bounded |= w->lower[j] > -HUGE_VAL || w->upper[j] < HUGE_VAL;
    w->spatial |= a->kind == LIE_SPATIAL_WRENCH;
}

static void fill_inputs(lie_control_work *w)
{
    double body[CONTROL_DIM * LIE_ACTUATORS_MAX];
    int count = w->c->m;
    lie_actuation_matrix(w->actuation, body, w->c->problem.g0);
    for (int j = 0; j < w->m; j++) {
        double sign = j < count ? 1.0 : -1.0;
        fill_input(w, j);
        for (int k = 0; k < w->n; k++) w->B[k * w->m + j] = w->idle[j] ? 0.0 : sign * body[k * count + j % count];
    }
}

/* Sizes of the inputs that matter: the width between bounds, or what moves the system along the first guess. */
static void fill_ranges(lie_control_work *w)
{
    double B = 0.0, typical;
    for (int i = 0; i < w->n * w->m; i++) B = fmax(B, fabs(w->B[i]));
    typical = 4.0 * w->now.size_momentum / (B * w->N * w->h);
    for (int i = 0; i < w->m; i++) {
        double width = w->upper[i] - w->lower[i];
        w->range[i] = width < HUGE_VAL ? width : typical > 0.0 && typical < HUGE_VAL ? typical : 1.0;
    }
}

/* Does the external force of the base change with the pose? Judged at some poses and velocities. */
static int force_varies(const lie_control_work *w)
{
    double x[CONTROL_DIM], xi[CONTROL_DIM], g[LIE_SIZE_MAX], here[CONTROL_DIM], there[CONTROL_DIM];
    if (!w->base->external) return 0;
    for (int k = 1; k <= 8; k++) {
        for (int i = 0; i < w->n; i++) x[i] = 0.7 * sin(1.3 * k + 2.1 * i), xi[i] = cos(0.9 * k * (i + 1));
        if (w->G->tau(w->G, g, x) != LIE_OK) continue;
        w->G->mul(w->G, g, w->c->problem.g0, g);
        lie__control_drag(w, here, 0, w->c->problem.g0, xi);
        lie__control_drag(w, there, 0, g, xi);
        if (memcmp(here, there, (size_t)w->n * sizeof *here) != 0) return 1;
    }
    return 0;
}

static lie_status invert_inertia(lie_control_work *w)
{
    double L[CONTROL_SQUARE], column[CONTROL_DIM];
    int n = w->n;
    if (!cholesky_factor(n, L, w->base->inertia)) return LIE_ERR_INERTIA;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = i == j ? 1.0 : 0.0;
        cholesky_solve(n, L, column);
        for (int i = 0; i < n; i++) w->inertia_inverse[i * n + j] = column[i];
    }
    return LIE_OK;
}

lie_status lie_control_init(lie_control *c, const lie_control_problem *p, void *work, size_t bytes)
{
    lie_control made;
    lie_control_work *w = (lie_control_work *)work;
    lie_status status = check(p);
    if (status != LIE_OK) return status;
    if (!work || (uintptr_t)work % sizeof(double) != 0) return LIE_ERR_MEMORY;
    if (bytes < lie_control_memsize(p)) return LIE_ERR_MEMORY;
    outline(&made, w, p);
    lay_out(&made, w, (double *)work + HEAD);
    *c = made;
    c->work = w;
    w->c = c;
    status = invert_inertia(w);
    if (status != LIE_OK) return status;
    zero_n(w->n, w->nu0);
    for (int i = 0; p->xi0 && i < w->n * w->n; i++) w->nu0[i / w->n] += w->base->inertia[i] * p->xi0[i % w->n];
    copy_n(w->size, w->gT, p->gT);
    fill_inputs(w);
    w->varies = force_varies(w);
    return lie_control_line(c, 0);
}

/* The group that turns, of which the rotation comes first: its angle is the norm of this many numbers; 0: none. */
static int rotation_numbers(const lie_ops *G)
{
    while (strcmp(G->group, "product") == 0) G = ((const lie_product *)G->ctx)->factor[0];
    if (strcmp(G->group, "SE2") == 0) return 1;
    return strcmp(G->group, "SO3") == 0 || strcmp(G->group, "S3") == 0 || strcmp(G->group, "SE3") == 0 ? 3 : 0;
}

/* x <- the logarithm of the same element with the rotation the other way round. The translation t = dtau_(w,0) (0, v)
 * is that of the group; on S3 the end is the antipode. */
static lie_status turn_round(const lie_control_work *w, double *x)
{
    int r = rotation_numbers(w->line), n = w->n;
    double angle = 0.0, axis[CONTROL_DIM] = {0.0}, rest[CONTROL_DIM] = {0.0};
    for (int i = 0; i < r; i++) angle += x[i] * x[i];
    angle = sqrt(angle);
    if (r == 0 || !(angle > 1e-6)) return LIE_ERR_DOMAIN;
    for (int i = 0; i < n; i++) *(i < r ? &axis[i] : &rest[i]) = x[i];
    lie_status status = w->line->dtau(w->line, rest, axis, rest);
    for (int i = 0; i < r; i++) axis[i] *= 1.0 - 2.0 * acos(-1.0) / angle;
    if (status == LIE_OK) status = w->line->dtauinv(w->line, rest, axis, rest);
    for (int i = 0; i < n && status == LIE_OK; i++) x[i] = i < r ? axis[i] : rest[i];
    return status;
}

/* xi_k along exp(x s(t)), s = 3 t^2 - 2 t^3 */
static lie_status fill_line(lie_control_work *w, const double *x)
{
    double part[CONTROL_DIM], g[LIE_SIZE_MAX], before = 0.0;
    for (int k = 0; k < w->N; k++) {
        double t = (k + 1.0) / w->N, s = (3.0 - 2.0 * t) * t * t;
        for (int i = 0; i < w->n; i++) part[i] = (s - before) * x[i];
        lie_status status = w->line->tau(w->line, g, part);
        if (status == LIE_OK) status = w->G->tauinv(w->G, part, g);
        if (status != LIE_OK) return status;
        for (int i = 0; i < w->n; i++) w->now.xi[k * w->n + i] = part[i] / w->h;
        before = s;
    }
    return LIE_OK;
}

lie_status lie_control_line(lie_control *c, int turn)
{
    lie_control_work *w = c->work;
    const lie_ops *G = w->G;
    double d[LIE_SIZE_MAX], x[CONTROL_DIM];
    w->c = c;
    G->inv(G, d, c->problem.g0);
    G->mul(G, d, d, c->problem.gT);
    if (w->line->tauinv(w->line, x, d) != LIE_OK) return LIE_ERR_GUESS;
    if (turn && turn_round(w, x) != LIE_OK) return LIE_ERR_DOMAIN;
    if (fill_line(w, x) != LIE_OK) return LIE_ERR_GUESS;
    for (int i = 0; i < w->size; i++)
        w->gT[i] = strcmp(G->group, "S3") == 0 && turn ? -c->problem.gT[i] : c->problem.gT[i];
    zero_n((w->N + 1) * w->m, w->now.u);
    w->warm = 0;
    if (lie__control_evaluate(w, &w->now) != LIE_OK) return LIE_ERR_GUESS;
    fill_ranges(w);
    lie__control_publish(c);
    return LIE_OK;
}

lie_status lie_control_set(lie_control *c, const double *xi, const double *u)
{
    lie_control_work *w = c->work;
    w->c = c;
    if (!all_finite(c->N * c->n, xi) || (u && !all_finite((c->N + 1) * c->m, u))) return LIE_ERR_GUESS;
    copy_n(c->N * c->n, w->trial.xi, xi);
    for (int j = 0; j < (c->N + 1) * w->m; j++) {
        int i = j % w->m, back = i >= c->m;
        double value = u ? u[j / w->m * c->m + i % c->m] : 0.0;
        w->trial.u[j] = w->split ? fmax(back ? -value : value, 0.0) : value;
    }
    if (lie__control_evaluate(w, &w->trial) != LIE_OK) return LIE_ERR_GUESS;
    control_path held = w->now;
    w->now = w->trial, w->trial = held;
    w->warm = 0;
    lie__control_publish(c);
    return LIE_OK;
}

lie_status lie_control_bend(lie_control *c, double size, int seed)
{
    lie_control_work *w = c->work;
    double most = w->now.size_velocity > 0.0 ? w->now.size_velocity : 1.0;
    w->c = c;
    for (int k = 0; k < c->N; k++)
        for (int i = 0; i < c->n; i++) {
            double t = acos(-1.0) * (k + 0.5) / c->N, a = sin(12.9898 * seed + 78.233 * i),
                   b = sin(39.425 * seed + 11.135 * i);
            w->now.xi[k * c->n + i] += size * most * (a * sin(2.0 * t) + 0.5 * b * sin(4.0 * t));
        }
    w->warm = 0;
    lie_status status = lie__control_evaluate(w, &w->now) == LIE_OK ? LIE_OK : LIE_ERR_GUESS;
    lie__control_publish(c);
    return status;
}

void lie__control_publish(lie_control *c)
{
    const lie_control_work *w = c->work;
    const control_path *s = &w->now;
    double B[CONTROL_DIM * CONTROL_INPUTS], F[CONTROL_DIM] = {0.0};
    int n = c->n;
    copy_n(c->N * n, c->xi, s->xi);
    copy_n((c->N + 1) * n, c->p, w->p);
    copy_n((c->N + 1) * w->size, c->g, s->g);
    for (int k = 0; k <= c->N; k++) {
        const double *u = s->u + k * w->m, *g = s->g + k * w->size;
        for (int i = 0; i < c->m; i++)
            c->u[k * c->m + i] = (w->idle[i] ? 0.0 : u[i]) - (w->split && !w->idle[c->m + i] ? u[c->m + i] : 0.0);
        lie__control_inputs(w, B, g);
        if (w->base->force) w->base->force(w->base, F, g);
        for (int i = 0; i < n; i++) {
            double sum = F[i];
            for (int j = 0; j < w->m; j++) sum += B[i * w->m + j] * u[j];
            c->nu[k * n + i] = k == 0 ? w->nu0[i] : s->b[k * n + i] + 0.5 * w->h * sum;
        }
    }
    c->h = w->h;
    c->cost = s->cost + c->problem.time_weight * w->h * w->N;
    c->last = w->progress;
}

lie_status lie_control_fly(const lie_control *c, lie_state *end, void *work, size_t bytes)
{
    static const double zero[LIE_DIM_MAX] = {0.0};
    const lie_control_problem *p = &c->problem;
    lie_actuation act = *p->actuation;
    lie_system sys;
    lie_stepper st;
    lie_state s;
    double u[2][LIE_ACTUATORS_MAX + LIE_DIM_MAX] = {{0.0}};
    lie_status status = lie_actuated_system(&sys, &act);
    int own = act.base.controls;
    if (status == LIE_OK && own > LIE_DIM_MAX) status = LIE_ERR_SIZE;
    if (status == LIE_OK)
        status = lie_stepper_init(&st, &sys, &(lie_options){.method = "sv", .retraction = c->group->retraction}, work,
                                  bytes);
    if (status == LIE_OK) status = lie_state_set(&sys, &s, 0.0, p->g0, p->xi0 ? p->xi0 : zero);
    if (status != LIE_OK) return status;
    lie_stepper_control(&st, u[0], u[1]);
    for (int k = 0; k < c->N && status == LIE_OK; k++) {
        copy_n(c->m, u[0] + own, c->u + k * c->m);
        copy_n(c->m, u[1] + own, c->u + (k + 1) * c->m);
        status = lie_step(&st, &s, c->h);
    }
    if (status == LIE_OK) *end = s;
    return status;
}
