/* SPDX-License-Identifier: MIT */
/* contender.c: runs with methods of liestep and with peers behind one interface; see contender.h. Evaluations are
 * counted by a system that wraps the callbacks of the real one. */
#include "contender.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A system that counts and asks the real one. */
typedef struct counting {
    lie_system outer;
    const lie_system *inner;
    long long force, gyro, external, derivatives;
} counting;

struct trial {
    const contender *by;
    const problem *problem;
    double knob, t;
    lie_stepper *stepper;
    lie_adaptive *control;
    void *control_work;
    lie_state state;
    void *work;
    void *peer;
    rate_problem rates; /* a copy, so that it may count */
    counting *counter;
    counts *count;
};

static counting *counter_of(const lie_system *sys)
{
    return (counting *)sys->params;
}

static double count_potential(const lie_system *sys, const double *g)
{
    const counting *c = counter_of(sys);
    return c->inner->potential(c->inner, g);
}

static void count_force(const lie_system *sys, double *F, const double *g)
{
    counting *c = counter_of(sys);
    c->force++;
    c->inner->force(c->inner, F, g);
}

static void count_force_deriv(const lie_system *sys, double *D, const double *g)
{
    counting *c = counter_of(sys);
    c->derivatives++;
    c->inner->force_deriv(c->inner, D, g);
}

static void count_gyro(const lie_system *sys, double *A, const double *g)
{
    counting *c = counter_of(sys);
    c->gyro++;
    c->inner->gyro(c->inner, A, g);
}

static void count_gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    const counting *c = counter_of(sys);
    c->inner->gyro_deriv(c->inner, D, g);
}

static void count_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                           const double *u)
{
    counting *c = counter_of(sys);
    c->external++;
    c->inner->external(c->inner, f, t, g, xi, u);
}

static void count_external_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                                 const double *u)
{
    const counting *c = counter_of(sys);
    c->inner->external_deriv(c->inner, D, t, g, xi, u);
}

static counting *counting_new(const lie_system *sys)
{
    counting *c = (counting *)calloc(1, sizeof *c);
    if (!c) return NULL;
    c->inner = sys;
    c->outer = *sys;
    c->outer.params = c;
    if (sys->potential) c->outer.potential = count_potential;
    if (sys->force) c->outer.force = count_force;
    if (sys->force_deriv) c->outer.force_deriv = count_force_deriv;
    if (sys->gyro) c->outer.gyro = count_gyro;
    if (sys->gyro_deriv) c->outer.gyro_deriv = count_gyro_deriv;
    if (sys->external) c->outer.external = count_external;
    if (sys->external_deriv) c->outer.external_deriv = count_external_deriv;
    return c;
}

enum { PROBES = 7 };

/* A state near the start: numbers in (-1, 1) without a pattern, multiples of the golden section modulo 1. */
static void probe(const problem *p, int k, double *g, double *xi)
{
    const lie_ops *G = p->sys.group;
    double x[LIE_DIM_MAX], step[LIE_SIZE_MAX];
    for (int i = 0; i < G->dim; i++) {
        double a = 0.6180339887498949 * (G->dim * k + i + 1), b = 0.7548776662466927 * (G->dim * k + i + 1);
        x[i] = 1.8 * (a - floor(a)) - 0.9;
        xi[i] = 2.0 * (b - floor(b)) - 1.0;
    }
    memcpy(g, p->start.g, (size_t)G->size * sizeof *g);
    if (G->tau(G, step, x) == LIE_OK) G->mul(G, g, p->start.g, step);
}

static int is_zero(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 0.0) return 0;
    return 1;
}

void problem_init(problem *out, const lie_system *sys, const double *u, const lie_state *start)
{
    double g[LIE_SIZE_MAX], xi[LIE_DIM_MAX], F[LIE_DIM_MAX];
    int n = sys->group->dim, still = 1, unforced = 1, plain = 1;
    *out = (problem){.sys = *sys, .u = u, .start = *start};
    for (int k = 0; k < PROBES; k++) {
        probe(out, k, g, xi);
        if (sys->force) sys->force(sys, F, g), still &= is_zero(n, F);
        if (sys->gyro) sys->gyro(sys, F, g), plain &= is_zero(n, F);
        if (sys->external) sys->external(sys, F, 1.7 * k, g, xi, u), unforced &= is_zero(n, F);
    }
    if (still) out->sys.force = NULL, out->sys.force_deriv = NULL, out->sys.potential = NULL;
    if (plain) out->sys.gyro = NULL, out->sys.gyro_deriv = NULL;
    if (unforced) out->sys.external = NULL, out->sys.external_deriv = NULL;
    out->has_rates = rate_problem_init(&out->rates, &out->sys, u) == 0;
}

/* cay where it costs no order, else exp; on groups that have neither, what the system has. */
static const char *best_retraction(const problem *p, const lie_method *m)
{
    const lie_ops *G;
    const char *wanted = m->order == m->order_exp ? "cay" : "exp";
    return lie_ops_find(&G, p->sys.group->group, wanted) == LIE_OK ? wanted : p->sys.group->retraction;
}

lie_status contender_of_method(contender *out, const problem *p, const lie_method *m, const char *retraction)
{
    const lie_ops *G;
    lie_status status = lie_method_takes(m, &p->sys);
    if (status == LIE_OK && m->needs_tableau) status = LIE_ERR_TABLEAU;
    if (status == LIE_OK && retraction && p->sys.group->group[0] != 'R')
        status = lie_ops_find(&G, p->sys.group->group, retraction);
    if (status != LIE_OK) return status;
    const char *tau = retraction ? retraction : best_retraction(p, m);
    *out = (contender){.library = "liestep", .doc = m->doc, .method = m};
    snprintf(out->retraction, sizeof out->retraction, "%s", tau);
    int no_choice = m->no_retraction || p->sys.group->group[0] == 'R' || strcmp(p->sys.group->group, "product") == 0;
    snprintf(out->name, sizeof out->name, "%s%s%s", m->name, no_choice ? "" : "/", no_choice ? "" : tau);
    out->order = strcmp(tau, "exp") == 0 || p->sys.group->group[0] == 'R' ? m->order_exp : m->order;
    out->rival = strncmp(m->name, "rk4", 3) == 0;
    return LIE_OK;
}

lie_status contender_with_control(contender *out, const contender *fixed)
{
    const lie_method *m = fixed->method;
    const lie_tableau *tab;
    if (!m || strncmp(m->name, "rkmk", 4) != 0 || !m->explicit_ || !m->tableau) return LIE_ERR_METHOD;
    if (lie_tableau_find(&tab, m->tableau) != LIE_OK || !tab->embedded) return LIE_ERR_METHOD;
    *out = *fixed;
    out->adaptive = 1;
    snprintf(out->name, sizeof out->name, "%s_adaptive%s", m->name, fixed->name + strlen(m->name));
    return LIE_OK;
}

lie_status contender_of_peer(contender *out, const problem *p, const peer *other)
{
    if (!p->has_rates || (other->takes && !other->takes(&p->rates))) return LIE_ERR_METHOD;
    *out = (contender){.library = other->library,
                       .doc = other->doc,
                       .order = other->order,
                       .rival = 1,
                       .adaptive = other->adaptive,
                       .other = other};
    snprintf(out->name, sizeof out->name, "%s", other->name);
    return LIE_OK;
}

static lie_status begin_control(trial *r)
{
    lie_tolerance tolerance = {.absolute = r->knob, .relative = r->knob};
    if (!r->by->adaptive) return LIE_OK;
    size_t bytes = lie_adaptive_memsize(r->stepper);
    if (!r->control_work) r->control_work = malloc(bytes);
    return lie_adaptive_init(&r->control, r->stepper, &tolerance, r->control_work, bytes);
}

static lie_status open_method(trial *r)
{
    const contender *c = r->by;
    const problem *p = r->problem;
    const lie_system *sys = r->counter ? &r->counter->outer : &p->sys;
    lie_options options = {.method = c->method->name, .retraction = c->retraction};
    size_t bytes = lie_stepper_memsize(sys, &options);
    r->work = calloc(1, bytes ? bytes : 1);
    lie_status status = r->work ? lie_stepper_init(&r->stepper, sys, &options, r->work, bytes) : LIE_ERR_MEMORY;
    if (status == LIE_OK) lie_stepper_control(r->stepper, p->u, p->u);
    if (status == LIE_OK) status = begin_control(r);
    r->state = p->start;
    return status;
}

static lie_status open_peer(trial *r)
{
    double y[RATE_SIZE];
    r->rates = r->problem->rates;
    if (r->count) r->rates.calls = &r->count->forces;
    rate_pack(&r->rates, y, r->problem->start.g, r->problem->start.m);
    r->peer = r->by->other->open(&r->rates, y, r->knob);
    return r->peer ? LIE_OK : LIE_ERR_MEMORY;
}

trial *trial_open(const contender *c, const problem *p, double knob, counts *count, lie_status *why)
{
    trial *r = (trial *)calloc(1, sizeof *r);
    *why = LIE_ERR_MEMORY;
    if (!r) return NULL;
    r->by = c, r->problem = p, r->knob = knob, r->count = count;
    if (count) *count = (counts){0, 0};
    if (count && c->method) r->counter = counting_new(&p->sys);
    if (!count || !c->method || r->counter) *why = c->method ? open_method(r) : open_peer(r);
    if (*why == LIE_OK) return r;
    trial_close(r);
    return NULL;
}

lie_status trial_restart(trial *r)
{
    r->t = 0.0;
    if (r->by->method) {
        r->state = r->problem->start;
        lie_stepper_reset(r->stepper);
        return begin_control(r);
    }
    r->by->other->close(r->peer);
    return open_peer(r);
}

static long long larger(long long a, long long b)
{
    return a > b ? a : b;
}

lie_status trial_advance(trial *r, double t)
{
    lie_status status = LIE_OK;
    if (r->by->method && r->by->adaptive)
        status = lie_adaptive_run(r->control, &r->state, r->problem->start.t + t);
    else if (r->by->method)
        status = lie_run(r->stepper, &r->state, r->knob, llround((t - r->t) / r->knob));
    else if (r->by->other->advance(r->peer, t) != 0)
        status = LIE_ERR_NO_CONVERGENCE;
    r->t = t;
    if (r->counter)
        *r->count = (counts){larger(r->counter->force, larger(r->counter->gyro, r->counter->external)),
                             r->counter->derivatives};
    return status;
}

void trial_state(const trial *r, lie_state *out)
{
    double y[RATE_SIZE];
    *out = r->state;
    if (r->peer) {
        r->by->other->state(r->peer, y);
        *out = r->problem->start;
        rate_unpack(&r->rates, out->g, out->m, y);
    }
    out->t = r->problem->start.t + r->t;
}

double trial_time(const trial *r)
{
    return r->t;
}

const lie_stepper *trial_stepper(const trial *r)
{
    return r->by->method ? r->stepper : NULL;
}

void trial_close(trial *r)
{
    if (r->peer) r->by->other->close(r->peer);
    free(r->counter);
    free(r->control_work);
    free(r->work);
    free(r);
}
