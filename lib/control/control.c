/* SPDX-License-Identifier: MIT */
/* control.c: the optimal control problem: what is asked, its memory, first guesses, and flying the answer; see
 * liestep/control.h and control.h. */
#include "lib/control/control.h"

#include <math.h>

#include "groups/num/cholesky.h"
#include "groups/num/refuse.h"
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
static lie_status check_ends(const control_problem *P)
{
    const lie_control_states *sets[2] = {P->asked->start_set, P->asked->target_set};
    for (int i = 0; i < 2; i++)
        if (sets[i] && (!sets[i]->value || sets[i]->count < 1 || sets[i]->count > 2 * P->n)) return LIE_ERR_BOUNDARY;
    return P->ends.on_target <= 2 * P->n && P->ends.rows - P->ends.on_target <= P->ends.starts ? LIE_OK
                                                                                               : LIE_ERR_BOUNDARY;
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

/* Memory that is shared out; base null: only counted */
typedef struct room {
    double *base;
    size_t used;
} room;

static double *take(room *r, size_t count)
{
    double *at = r->base ? r->base + r->used : 0;
    r->used += count;
    return at;
}

enum { SCRATCH = sizeof(control_user) / sizeof(double) };

static void take_path(const control_problem *P, control_path *s, room *r)
{
    size_t n = (size_t)P->n, N = (size_t)P->N, nodes = N + 1;
    s->xi = take(r, N * n), s->u = take(r, nodes * (size_t)P->m), s->g = take(r, nodes * (size_t)P->size);
    s->q = take(r, N * n), s->b = take(r, nodes * n), s->e = take(r, nodes * n);
    s->y = take(r, CONTROL_ROWS), s->x = take(r, n);
}

/* The arrays of all parts; how many doubles they are. */
static size_t lay_out(lie_control *c, double *base)
{
    const control_problem *P = &c->problem;
    lie_control_answer *a = &c->answer;
    size_t n = (size_t)P->n, m = (size_t)P->m, N = (size_t)P->N, nodes = N + 1;
    room r = {base, 0};
    take_path(P, &c->iterate.now, &r);
    take_path(P, &c->iterate.trial, &r);
    c->iterate.p = take(&r, nodes * n);
    c->linear.pi = take(&r, nodes * n);
    if (P->cost) {
        c->linear.cost_z = take(&r, nodes * 2 * n), c->linear.cost_xi = take(&r, N * n);
        c->linear.cost_u = take(&r, nodes * m), c->linear.user = (control_user *)take(&r, SCRATCH);
    }
    c->step.z = take(&r, nodes * 2 * n), c->step.du = take(&r, nodes * m), c->step.dxi = take(&r, N * n);
    c->step.p_next = take(&r, nodes * n);
    c->step.records = take(&r, nodes * (size_t)lie__control_record_doubles(P));
    c->barrier.low_z = take(&r, nodes * m), c->barrier.up_z = take(&r, nodes * m);
    c->barrier.low_z_next = take(&r, nodes * m), c->barrier.up_z_next = take(&r, nodes * m);
    a->xi = c->shown.xi = take(&r, N * n);
    a->u = c->shown.u = take(&r, nodes * (size_t)a->m);
    a->p = c->shown.p = take(&r, nodes * n);
    a->g = c->shown.g = take(&r, nodes * (size_t)P->size);
    a->nu = c->shown.nu = take(&r, nodes * n);
    return r.used;
}

enum { HEAD = (sizeof(lie_control) + sizeof(double) - 1) / sizeof(double) };

/* Does the external force of the base change with the pose? Judged at some poses and velocities. */
static int force_varies(const control_problem *P)
{
    double x[CONTROL_DIM], xi[CONTROL_DIM], g[LIE_SIZE_MAX], here[CONTROL_DIM], there[CONTROL_DIM];
    if (!P->base->external) return 0;
    for (int k = 1; k <= 8; k++) {
        for (int i = 0; i < P->n; i++) x[i] = 0.7 * sin(1.3 * k + 2.1 * i), xi[i] = cos(0.9 * k * (i + 1));
        if (P->G->tau(P->G, g, x) != LIE_OK) continue;
        P->G->mul(P->G, g, P->ends.g0, g);
        lie__control_drag(P, here, 0, P->ends.g0, xi);
        lie__control_drag(P, there, 0, g, xi);
        if (memcmp(here, there, (size_t)P->n * sizeof *here) != 0) return 1;
    }
    return 0;
}

/* Sizes and choices that need no memory */
static lie_status outline(lie_control *c, const lie_control_problem *p)
{
    control_problem *P = &c->problem;
    const lie_actuation *act = p->actuation;
    lie_status status = check(p);
    if (status != LIE_OK) return status;
    memset(c, 0, sizeof *c);
    c->asked = *p;
    P->asked = &c->asked, P->actuation = act, P->cost = p->cost, P->N = p->N, P->h = p->T / p->N;
    status = lie__control_extend(P, p->retraction);
    if (status != LIE_OK) return status;
    c->answer =
        (lie_control_answer){.problem = &c->asked, .group = P->G, .n = P->n, .m = act->count, .N = p->N, .h = P->h};
    for (int i = 0; p->fuel && i < act->count; i++) P->inputs.split |= p->fuel[i] > 0.0;
    P->m = P->inputs.split ? 2 * act->count : act->count;
    P->G->identity(P->G, P->ends.g0);
    copy_n(act->base.group->size, P->ends.g0, p->g0);
    P->varies = force_varies(P);
    lie__control_list_ends(P);
    return check_ends(P);
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
static void fill_input(control_problem *P, int j)
{
    int i = j % P->actuation->count, back = j >= P->actuation->count;
    const lie_actuator *a = &P->actuation->actuator[i];
    double low = is_limited(a) ? a->min : -HUGE_VAL, high = is_limited(a) ? a->max : HUGE_VAL;
    P->inputs.lower[j] = back ? -high : low;
    P->inputs.upper[j] = back ? -low : high;
    if (P->inputs.split && !(P->inputs.lower[j] > 0.0)) P->inputs.lower[j] = 0.0;
    P->inputs.idle[j] = P->inputs.split && P->inputs.upper[j] <= 0.0;
    if (P->inputs.idle[j]) P->inputs.upper[j] = HUGE_VAL;
    P->inputs.bounded |= P->inputs.lower[j] > -HUGE_VAL || P->inputs.upper[j] < HUGE_VAL;
    P->inputs.spatial |= a->kind == LIE_SPATIAL_WRENCH;
}

static lie_status invert_inertia(control_problem *P)
{
    double L[CONTROL_SQUARE], column[CONTROL_DIM];
    int n = P->n;
    if (!cholesky_factor(n, L, P->base->inertia)) return LIE_ERR_INERTIA;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = i == j ? 1.0 : 0.0;
        cholesky_solve(n, L, column);
        for (int i = 0; i < n; i++) P->inertia_inverse[i * n + j] = column[i];
    }
    return LIE_OK;
}

/* Of inputs that cost fuel alone and do what others do: the part of their cost that is a weight, so that they share */
#define SHARING 1e-6

void lie__control_weigh(control_problem *P, double s)
{
    const lie_control_problem *p = P->asked;
    for (int j = 0; j < P->m; j++) {
        int i = j % P->actuation->count;
        double weight = weight_of(p, i), fuel = fuel_of(p, i);
        double effort = weight > 0.0 ? weight : fuel > 0.0 ? fuel / P->inputs.range[j] : 1.0;
        if (P->inputs.redundant && fuel > 0.0 && weight == 0.0) weight = SHARING * fuel / P->inputs.range[j];
        P->inputs.weight[j] = s * weight + (1.0 - s) * effort;
        P->inputs.fuel[j] = s * fuel;
    }
    P->part = s;
}

/* g0, gT, momentum and velocity of the ends, with the wheels */
static void fill_ends(control_problem *P, const lie_control_problem *p)
{
    const lie_system *user = &P->actuation->base;
    int dim = user->group->dim, size = user->group->size, wheel = 0;
    P->G->identity(P->G, P->ends.target);
    copy_n(size, P->ends.target, p->gT);
    copy_n(P->size, P->ends.aim, P->ends.target);
    if (p->xiT) copy_n(dim, P->ends.xiT, p->xiT);
    if (p->wheelsT) copy_n(P->wheels, P->ends.xiT + dim, p->wheelsT);
    for (int i = 0; p->xi0 && i < dim * dim; i++) P->ends.nu0[i / dim] += user->inertia[i] * p->xi0[i % dim];
    for (int i = 0; p->wheels0 && i < P->actuation->count; i++) {
        const lie_actuator *a = &P->actuation->actuator[i];
        if (a->kind != LIE_WHEEL) continue;
        for (int k = 0; k < 3; k++) P->ends.nu0[k] += p->wheels0[wheel] * a->along[k];
        P->ends.nu0[dim + wheel] = p->wheels0[wheel];
        wheel++;
    }
}

lie_status lie_control_init_as(unsigned long long compiled, lie_control **c, const lie_control_problem *p, void *work,
                               size_t bytes)
{
    lie_control probe, *made = (lie_control *)work;
    if (compiled != LIE_COMPILED(lie_control_problem)) return LIE_ERR_VERSION;
    lie_status status = outline(&probe, p);
    if (status != LIE_OK) return status;
    if (lie__refuse_memory(0, work, bytes, bytes_of(&probe)) != LIE_OK) return LIE_ERR_MEMORY;
    control_problem *P = &made->problem;
    status = outline(made, p); /* again: it has pointers to itself */
    if (status != LIE_OK) return status;
    size_t doubles = lay_out(made, (double *)work + HEAD);
    memset((double *)work + HEAD, 0, doubles * sizeof(double)); /* a path may be saved before it is solved */
    status = invert_inertia(P);
    if (status != LIE_OK) return status;
    fill_ends(P, p);
    for (int j = 0; j < P->m; j++) fill_input(P, j), P->inputs.range[j] = 1.0;
    lie__control_weigh(P, 1.0);
    lie__control_fill_inputs(P, P->inputs.B, P->ends.g0);
    lie_dependence dependence;
    lie_actuation_dependence(P->actuation, &dependence, P->ends.g0);
    P->inputs.redundant = dependence.input >= 0;
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
    const control_problem *P = &c->problem;
    const control_path *s = &c->iterate.now;
    double B[CONTROL_DIM * CONTROL_INPUTS], F[CONTROL_DIM] = {0.0};
    int n = P->n;
    copy_n(P->N * n, c->shown.xi, s->xi);
    copy_n((P->N + 1) * n, c->shown.p, c->iterate.p);
    copy_n((P->N + 1) * P->size, c->shown.g, s->g);
    for (int k = 0; k <= P->N; k++) {
        const double *u = s->u + k * P->m, *g = s->g + k * P->size;
        physical_inputs(P, c->shown.u + k * c->answer.m, u);
        lie__control_inputs(P, B, g);
        if (P->base->force) P->base->force(P->base, F, g);
        for (int i = 0; i < n; i++) {
            double sum = F[i];
            for (int j = 0; j < P->m; j++) sum += B[i * P->m + j] * u[j];
            c->shown.nu[k * n + i] = k == 0 ? s->b[i] : s->b[k * n + i] + 0.5 * P->h * sum;
        }
    }
    c->answer.h = P->h;
    c->answer.cost = s->cost + c->asked.time_weight * P->h * P->N;
    c->answer.last = c->iterate.progress;
}

/* The steps that the manoeuvre is made of */
static lie_options steps_of(const lie_control *c)
{
    return (lie_options){.method = "sv", .retraction = c->answer.group->retraction};
}

size_t lie_control_fly_memsize(const lie_control *c)
{
    const lie_options opt = steps_of(c);
    return lie_stepper_memsize(&c->problem.own.system, &opt);
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
