/* SPDX-License-Identifier: MIT */
/* control.c: the optimal control problem: what is asked, its memory, first guesses, and flying the answer; see
 * liestep/control.h and control.h. */
#include "lib/control/control.h"

#include <math.h>

#include "groups/num/cholesky.h"
#include "groups/num/work.h"
#include "lib/systems/actuation.h"

/* Weights of input i: of u^2 and of |u| */
static double weight_of(const lie_control_problem *p, int i)
{
    return p->weight ? p->weight[i] : p->fuel ? 0.0 : 1.0;
}

static double fuel_of(const lie_control_problem *p, int i)
{
    return p->fuel ? p->fuel[i] : 0.0;
}

static lie_status check_input(const lie_control_problem *p, int i)
{
    const lie_actuator *a = &p->actuation->actuator[i];
    double weight = weight_of(p, i), fuel = fuel_of(p, i);
    int own = p->cost && p->cost->running;
    if (!(a->min - a->min == 0.0) || !(a->max - a->max == 0.0)) return LIE_ERR_BOUNDS;
    if (is_limited(a) && !(a->min < a->max)) return LIE_ERR_BOUNDS;
    if (!(weight >= 0.0) || !(fuel >= 0.0) || (!own && !(weight + fuel > 0.0))) return LIE_ERR_COST;
    return weight + fuel < HUGE_VAL ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status check_inputs(const lie_control_problem *p)
{
    lie_actuation act = *p->actuation;
    lie_system unused;
    double B[6 * LIE_ACTUATORS_MAX];
    lie_status status = LIE_OK;
    if (act.count < 1) return LIE_ERR_INPUTS;
    if (act.count > LIE_ACTUATORS_MAX) return LIE_ERR_SIZE;
    for (int i = 0; i < act.count && status == LIE_OK; i++) status = check_input(p, i);
    if (status == LIE_OK) status = lie_actuated_system(&unused, &act);
    if (status != LIE_OK) return status;
    lie_actuation_matrix(&act, B, p->g0);
    for (int j = 0; j < act.count; j++) {
        double size = 0.0;
        for (int i = 0; i < act.base.group->dim; i++) size += fabs(B[i * act.count + j]);
        if (size == 0.0) return LIE_ERR_INPUTS;
        if (!(size < HUGE_VAL)) return LIE_ERR_NOT_FINITE;
    }
    return LIE_OK;
}

static lie_status check_states(const lie_control_problem *p)
{
    const lie_system *sys = &p->actuation->base;
    static const double zero[LIE_DIM_MAX] = {0.0};
    lie_state s;
    int wheels = 0;
    for (int i = 0; i < p->actuation->count; i++) wheels += p->actuation->actuator[i].kind == LIE_WHEEL;
    if ((p->wheels0 && !all_finite(wheels, p->wheels0)) || (p->wheelsT && !all_finite(wheels, p->wheelsT)))
        return LIE_ERR_NOT_FINITE;
    lie_status status = lie_state_set(sys, &s, 0.0, p->g0, p->xi0 ? p->xi0 : zero);
    return status == LIE_OK ? lie_state_set(sys, &s, 0.0, p->gT, p->xiT ? p->xiT : zero) : status;
}

/* Not more conditions at an end than it has components. Whether they agree is seen when they are solved. */
static lie_status check_ends(const lie_control_work *w)
{
    const lie_control_states *sets[2] = {w->c->problem.start_set, w->c->problem.target_set};
    for (int i = 0; i < 2; i++)
        if (sets[i] && (!sets[i]->value || sets[i]->count < 1 || sets[i]->count > 2 * w->n)) return LIE_ERR_BOUNDARY;
    return w->on_target <= 2 * w->n && w->rows - w->on_target <= w->starts ? LIE_OK : LIE_ERR_BOUNDARY;
}

static lie_status check(const lie_control_problem *p)
{
    if (!p->actuation || !p->g0 || !p->gT) return LIE_ERR_INCOMPLETE;
    const lie_system *sys = &p->actuation->base;
    lie_status status = lie_system_check(sys);
    if (status != LIE_OK) return status;
    if (sys->lagrangian) return LIE_ERR_LAGRANGIAN;
    if (!sys->group->tauinv) return LIE_ERR_INCOMPLETE;
    if (sys->group->dim > 6) return LIE_ERR_SIZE;
    if (!(p->T > 0.0) || !(p->T < HUGE_VAL)) return LIE_ERR_HORIZON;
    if (p->N < 2) return LIE_ERR_INTERVALS;
    status = check_states(p);
    return status == LIE_OK ? check_inputs(p) : status;
}

static double *take(double **next, size_t count)
{
    double *at = *next;
    if (at) *next += count;
    return at;
}

enum { SCRATCH = sizeof(control_user) / sizeof(double) };

/* Lay out the arrays from `base` on, which may be null: then only their number of doubles is wanted. */
static size_t lay_out(lie_control *c, double *base)
{
    lie_control_work *w = &c->work;
    lie_control_answer *a = &c->answer;
    size_t n = (size_t)w->n, m = (size_t)w->m, N = (size_t)w->N, size = (size_t)w->size, nodes = N + 1;
    size_t path = N * n + nodes * m + nodes * size + N * n + 2 * nodes * n + CONTROL_ROWS + n;
    size_t user = c->problem.cost ? nodes * 2 * n + N * n + nodes * m + SCRATCH : 0;
    size_t records = nodes * (size_t)lie__control_record_doubles(w);
    size_t all = 2 * path + 3 * nodes * n + 4 * nodes * m + nodes * 2 * n + nodes * m + N * n + records + user;
    size_t answer = N * n + nodes * (size_t)a->m + nodes * n + nodes * size + nodes * n;
    double *next = base;
    if (!base) return all + answer;
    for (int i = 0; i < 2; i++) {
        control_path *s = i == 0 ? &w->now : &w->trial;
        s->xi = take(&next, N * n), s->u = take(&next, nodes * m), s->g = take(&next, nodes * size);
        s->q = take(&next, N * n), s->b = take(&next, nodes * n), s->e = take(&next, nodes * n);
        s->y = take(&next, CONTROL_ROWS), s->x = take(&next, n);
    }
    w->p = take(&next, nodes * n), w->p_next = take(&next, nodes * n), w->pi = take(&next, nodes * n);
    w->low_z = take(&next, nodes * m), w->up_z = take(&next, nodes * m);
    w->low_z_next = take(&next, nodes * m), w->up_z_next = take(&next, nodes * m);
    w->z = take(&next, nodes * 2 * n), w->du = take(&next, nodes * m), w->dxi = take(&next, N * n);
    w->records = take(&next, records);
    if (user > 0) w->cost_z = take(&next, nodes * 2 * n), w->cost_xi = take(&next, N * n);
    if (user > 0) w->cost_u = take(&next, nodes * m), w->user = (control_user *)take(&next, SCRATCH);
    w->shown.xi = take(&next, N * n), w->shown.u = take(&next, nodes * (size_t)a->m);
    w->shown.p = take(&next, nodes * n), w->shown.g = take(&next, nodes * size), w->shown.nu = take(&next, nodes * n);
    a->xi = w->shown.xi, a->u = w->shown.u, a->p = w->shown.p, a->g = w->shown.g, a->nu = w->shown.nu;
    return all + answer;
}

enum { HEAD = (sizeof(lie_control) + sizeof(double) - 1) / sizeof(double) };

/* Does the external force of the base change with the pose? Judged at some poses and velocities. */
static int force_varies(const lie_control_work *w)
{
    double x[CONTROL_DIM], xi[CONTROL_DIM], g[LIE_SIZE_MAX], here[CONTROL_DIM], there[CONTROL_DIM];
    if (!w->base->external) return 0;
    for (int k = 1; k <= 8; k++) {
        for (int i = 0; i < w->n; i++) x[i] = 0.7 * sin(1.3 * k + 2.1 * i), xi[i] = cos(0.9 * k * (i + 1));
        if (w->G->tau(w->G, g, x) != LIE_OK) continue;
        w->G->mul(w->G, g, w->g0, g);
        lie__control_drag(w, here, 0, w->g0, xi);
        lie__control_drag(w, there, 0, g, xi);
        if (memcmp(here, there, (size_t)w->n * sizeof *here) != 0) return 1;
    }
    return 0;
}

/* Sizes and choices that need no memory */
static lie_status outline(lie_control *c, const lie_control_problem *p)
{
    lie_control_work *w = &c->work;
    const lie_actuation *act = p->actuation;
    lie_status status = check(p);
    if (status != LIE_OK) return status;
    memset(c, 0, sizeof *c);
    c->problem = *p;
    w->c = c, w->actuation = act, w->cost = p->cost, w->N = p->N, w->h = p->T / p->N;
    status = lie__control_extend(w, p->retraction);
    if (status != LIE_OK) return status;
    c->answer =
        (lie_control_answer){.problem = &c->problem, .group = w->G, .n = w->n, .m = act->count, .N = p->N, .h = w->h};
    for (int i = 0; p->fuel && i < act->count; i++) w->split |= p->fuel[i] > 0.0;
    w->m = w->split ? 2 * act->count : act->count;
    w->G->identity(w->G, w->g0);
    copy_n(act->base.group->size, w->g0, p->g0);
    w->varies = force_varies(w);
    lie__control_list_ends(w);
    return check_ends(w);
}

static size_t bytes_of(lie_control *c)
{
    return (HEAD + lay_out(c, 0)) * sizeof(double);
}

size_t lie_control_memsize(const lie_control_problem *p)
{
    lie_control c;
    return outline(&c, p) == LIE_OK ? bytes_of(&c) : 0;
}

/* Bounds of input j; where |u| costs, u = a - b with a, b >= 0 */
static void fill_input(lie_control_work *w, int j)
{
    int i = j % w->actuation->count, back = j >= w->actuation->count;
    const lie_actuator *a = &w->actuation->actuator[i];
    double low = is_limited(a) ? a->min : -HUGE_VAL, high = is_limited(a) ? a->max : HUGE_VAL;
    w->lower[j] = back ? -high : low;
    w->upper[j] = back ? -low : high;
    if (w->split && !(w->lower[j] > 0.0)) w->lower[j] = 0.0;
    w->idle[j] = w->split && w->upper[j] <= 0.0;
    if (w->idle[j]) w->upper[j] = HUGE_VAL;
    w->bounded |= w->lower[j] > -HUGE_VAL || w->upper[j] < HUGE_VAL;
    w->spatial |= a->kind == LIE_SPATIAL_WRENCH;
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

/* Of inputs that cost fuel alone and do what others do: the part of their cost that is a weight, so that they share */
#define SHARING 1e-6

void lie__control_weigh(lie_control_work *w, double s)
{
    const lie_control_problem *p = &w->c->problem;
    for (int j = 0; j < w->m; j++) {
        int i = j % w->actuation->count;
        double weight = weight_of(p, i), fuel = fuel_of(p, i);
        double effort = weight > 0.0 ? weight : fuel > 0.0 ? fuel / w->range[j] : 1.0;
        if (w->redundant && fuel > 0.0 && weight == 0.0) weight = SHARING * fuel / w->range[j];
        w->weight[j] = s * weight + (1.0 - s) * effort;
        w->fuel[j] = s * fuel;
    }
    w->part = s;
}

/* g0, gT, momentum and velocity of the ends, with the wheels */
static void fill_ends(lie_control_work *w, const lie_control_problem *p)
{
    const lie_system *user = &w->actuation->base;
    int dim = user->group->dim, size = user->group->size, wheel = 0;
    w->G->identity(w->G, w->asked);
    copy_n(size, w->asked, p->gT);
    copy_n(w->size, w->gT, w->asked);
    if (p->xiT) copy_n(dim, w->xiT, p->xiT);
    if (p->wheelsT) copy_n(w->wheels, w->xiT + dim, p->wheelsT);
    for (int i = 0; p->xi0 && i < dim * dim; i++) w->nu0[i / dim] += user->inertia[i] * p->xi0[i % dim];
    for (int i = 0; p->wheels0 && i < w->actuation->count; i++) {
        const lie_actuator *a = &w->actuation->actuator[i];
        if (a->kind != LIE_WHEEL) continue;
        for (int k = 0; k < 3; k++) w->nu0[k] += p->wheels0[wheel] * a->along[k];
        w->nu0[dim + wheel] = p->wheels0[wheel];
        wheel++;
    }
}

lie_status lie_control_init(lie_control **c, const lie_control_problem *p, void *work, size_t bytes)
{
    lie_control probe, *made = (lie_control *)work;
    lie_status status = outline(&probe, p);
    if (status != LIE_OK) return status;
    if (!work_fits(work, bytes, bytes_of(&probe))) return LIE_ERR_MEMORY;
    lie_control_work *w = &made->work;
    status = outline(made, p); /* again: it has pointers to itself */
    if (status != LIE_OK) return status;
    memset((double *)work + HEAD, 0, lay_out(made, 0) * sizeof(double)); /* a path may be saved before it is solved */
    lay_out(made, (double *)work + HEAD);
    status = invert_inertia(w);
    if (status != LIE_OK) return status;
    fill_ends(w, p);
    for (int j = 0; j < w->m; j++) fill_input(w, j), w->range[j] = 1.0;
    lie__control_weigh(w, 1.0);
    lie__control_fill_inputs(w, w->B, w->g0);
    lie_dependence dependence;
    lie_actuation_dependence(w->actuation, &dependence, w->g0);
    w->redundant = dependence.input >= 0;
    status = lie_control_line(made, 0);
    if (status == LIE_OK) *c = made;
    return status;
}

const lie_control_answer *lie_control_now(const lie_control *c)
{
    return &c->answer;
}

void lie__control_publish(lie_control *c)
{
    const lie_control_work *w = &c->work;
    const control_path *s = &w->now;
    double B[CONTROL_DIM * CONTROL_INPUTS], F[CONTROL_DIM] = {0.0};
    int n = w->n;
    copy_n(w->N * n, w->shown.xi, s->xi);
    copy_n((w->N + 1) * n, w->shown.p, w->p);
    copy_n((w->N + 1) * w->size, w->shown.g, s->g);
    for (int k = 0; k <= w->N; k++) {
        const double *u = s->u + k * w->m, *g = s->g + k * w->size;
        physical_inputs(w, w->shown.u + k * c->answer.m, u);
        lie__control_inputs(w, B, g);
        if (w->base->force) w->base->force(w->base, F, g);
        for (int i = 0; i < n; i++) {
            double sum = F[i];
            for (int j = 0; j < w->m; j++) sum += B[i * w->m + j] * u[j];
            w->shown.nu[k * n + i] = k == 0 ? s->b[i] : s->b[k * n + i] + 0.5 * w->h * sum;
        }
    }
    c->answer.h = w->h;
    c->answer.cost = s->cost + c->problem.time_weight * w->h * w->N;
    c->answer.last = w->progress;
}

/* The steps that the manoeuvre is made of */
static lie_options steps_of(const lie_control *c)
{
    return (lie_options){.method = "sv", .retraction = c->answer.group->retraction};
}

size_t lie_control_fly_memsize(const lie_control *c)
{
    const lie_options opt = steps_of(c);
    return lie_stepper_memsize(&c->work.own.system, &opt);
}

lie_status lie_control_fly_in(const lie_control *c, lie_state *end, int room_g, int room_m, void *work, size_t bytes)
{
    const lie_control_answer *a = &c->answer;
    const lie_options opt = steps_of(c);
    lie_system sys;
    lie_stepper *st;
    lie_large_state s;
    double xi[CONTROL_DIM];
    lie_control_system(c, &sys);
    lie_status status = lie_stepper_init(&st, &sys, &opt, work, bytes);
    if (status == LIE_OK) status = lie_system_velocity(&sys, xi, a->g, a->nu);
    if (status == LIE_OK) status = lie_state_set(&sys, &s, 0.0, a->g, xi);
    if (status == LIE_OK && (room_g < sys.group->size || room_m < sys.group->dim)) status = LIE_ERR_SIZE;
    if (status == LIE_OK) copy_n(a->n, s.m, a->nu);
    for (int k = 0; k < a->N && status == LIE_OK; k++) {
        lie_stepper_control(st, a->u + k * a->m, a->u + (k + 1) * a->m);
        status = lie_step(st, LIE_STATE(&s), a->h);
    }
    if (status == LIE_OK) status = lie_state_clear_in(end, room_g, room_m);
    return status == LIE_OK ? lie_state_copy(end, LIE_STATE(&s)) : status;
}
