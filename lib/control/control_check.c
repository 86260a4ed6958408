/* SPDX-License-Identifier: MIT */
/* control_check.c: can this problem be asked? The checks of lie_control_init, which can say what is wrong
 * (report.h). */
#include <math.h>

#include "groups/num/refuse.h"
#include "lib/control/control_problem.h"
#include "lib/systems/actuation.h"

double lie__control_weight(const lie_control_problem *p, int i)
{
    return p->weight ? p->weight[i] : p->fuel ? 0.0 : 1.0;
}

double lie__control_fuel(const lie_control_problem *p, int i)
{
    return p->fuel ? p->fuel[i] : 0.0;
}

/* Bounds of actuator i: an interval, or none. */
static lie_status check_bounds(lie_report *r, const lie_actuator *a, int i)
{
    const char *const what = "problem.actuation.actuator", *const finite = "must have finite min and max";
    const lie_status wrong = LIE_ERR_BOUNDS;
    if (!(a->min - a->min == 0.0)) return lie__refuse_entry(r, wrong, what, i, a->min, 0.0, finite);
    if (!(a->max - a->max == 0.0)) return lie__refuse_entry(r, wrong, what, i, a->max, 0.0, finite);
    if (!is_limited(a) || a->min < a->max) return LIE_OK;
    return lie__refuse_entry(r, wrong, what, i, a->min, a->max, "must have min below max");
}

static lie_status check_price(lie_report *r, const lie_control_problem *p, int i)
{
    double weight = lie__control_weight(p, i), fuel = lie__control_fuel(p, i);
    int is_own = p->cost && p->cost->running;
    if (!(weight >= 0.0))
        return lie__refuse_entry(r, LIE_ERR_COST, "problem.weight", i, weight, 0.0, "must not be negative");
    if (!(fuel >= 0.0)) return lie__refuse_entry(r, LIE_ERR_COST, "problem.fuel", i, fuel, 0.0, "must not be negative");
    if (!is_own && !(weight + fuel > 0.0))
        return lie__refuse_entry(r, LIE_ERR_COST, "problem.weight", i, weight, 0.0,
                                 "must be positive where neither fuel nor a running cost is given");
    if (weight + fuel < HUGE_VAL) return LIE_OK;
    return lie__refuse_entry(r, LIE_ERR_NOT_FINITE, weight < HUGE_VAL ? "problem.fuel" : "problem.weight", i,
                             weight < HUGE_VAL ? fuel : weight, 0.0, "must be finite");
}

/* Every input must do something at the start. */
static lie_status check_effects(lie_report *r, const lie_control_problem *p)
{
    const lie_actuation *act = p->actuation;
    double B[6 * LIE_ACTUATORS_MAX];
    lie_actuation_matrix(act, B, p->g0);
    for (int j = 0; j < act->count; j++) {
        double size = 0.0;
        for (int i = 0; i < act->base.group->dim; i++) size += fabs(B[i * act->count + j]);
        if (size == 0.0)
            return lie__refuse_entry(r, LIE_ERR_INPUTS, "problem.actuation.actuator", j, 0.0, 0.0,
                                     "must act: its wrench is 0");
        if (!(size < HUGE_VAL))
            return lie__refuse_entry(r, LIE_ERR_NOT_FINITE, "problem.actuation.actuator", j, size, 0.0,
                                     "must have a finite wrench");
    }
    return LIE_OK;
}

static lie_status check_inputs(lie_report *r, const lie_control_problem *p)
{
    lie_actuation act = *p->actuation;
    lie_system unused;
    lie_status status = LIE_OK;
    if (act.count < 1) return lie__refuse(r, LIE_ERR_INPUTS, "problem.actuation.count", "must be 1 or more");
    if (act.count > LIE_ACTUATORS_MAX)
        return lie__refuse_entry(r, LIE_ERR_SIZE, "problem.actuation.count", -1, act.count, LIE_ACTUATORS_MAX,
                                 "must be at most LIE_ACTUATORS_MAX");
    for (int i = 0; i < act.count && status == LIE_OK; i++) {
        status = check_bounds(r, &act.actuator[i], i);
        if (status == LIE_OK) status = check_price(r, p, i);
    }
    if (status != LIE_OK) return status;
    status = lie_actuated_system(&unused, &act);
    if (status == LIE_OK) return check_effects(r, p);
    return lie__refuse(r, status, "problem.actuation", "must be what lie_actuated_system takes");
}

/* The state at one end. */
static lie_status check_state(lie_report *r, const lie_system *sys, const double *g, const double *xi,
                              const char *what_g, const char *what_xi)
{
    static const double zero[LIE_DIM_MAX] = {0.0};
    lie_state s;
    lie_status status = lie_state_explain(r, sys, &s, 0.0, g, xi ? xi : zero);
    if (r && status != LIE_OK) r->what = r->what[0] == 'g' ? what_g : what_xi;
    return status;
}

static lie_status check_states(lie_report *r, const lie_control_problem *p)
{
    const lie_system *sys = &p->actuation->base;
    int wheels = 0;
    for (int i = 0; i < p->actuation->count; i++) wheels += p->actuation->actuator[i].kind == LIE_WHEEL;
    lie_status status = p->wheels0 ? lie__refuse_not_finite(r, "problem.wheels0", wheels, p->wheels0) : LIE_OK;
    if (status == LIE_OK && p->wheelsT) status = lie__refuse_not_finite(r, "problem.wheelsT", wheels, p->wheelsT);
    if (status == LIE_OK) status = check_state(r, sys, p->g0, p->xi0, "problem.g0", "problem.xi0");
    return status == LIE_OK ? check_state(r, sys, p->gT, p->xiT, "problem.gT", "problem.xiT") : status;
}

static lie_status check_set(lie_report *r, const lie_control_states *set, int most, const char *what)
{
    if (!set) return LIE_OK;
    if (!set->value) return lie__refuse(r, LIE_ERR_BOUNDARY, what, "must have a function `value`");
    if (set->count >= 1 && set->count <= most) return LIE_OK;
    return lie__refuse_entry(r, LIE_ERR_BOUNDARY, what, -1, set->count, most, "must have 1 .. 2 n conditions");
}

/* Not more conditions at an end than it has components. Whether they agree is seen when they are solved. */
lie_status lie__control_check_ends(lie_report *r, const control_problem *P)
{
    const control_ends *ends = &P->ends;
    lie_status status = check_set(r, P->asked->start_set, 2 * P->n, "problem.start_set");
    if (status == LIE_OK) status = check_set(r, P->asked->target_set, 2 * P->n, "problem.target_set");
    if (status != LIE_OK) return status;
    if (ends->on_target > 2 * P->n)
        return lie__refuse_entry(r, LIE_ERR_BOUNDARY, "problem.target_set", -1, ends->on_target, 2.0 * P->n,
                                 "must leave as many components of the target free as it has conditions");
    if (ends->rows - ends->on_target <= ends->starts) return LIE_OK;
    return lie__refuse_entry(r, LIE_ERR_BOUNDARY, "problem.start_set", -1, ends->rows - ends->on_target, ends->starts,
                             "must leave as many components of the start free as it has conditions");
}

lie_status lie__control_check(lie_report *r, const lie_control_problem *p)
{
    const char *missing = !p->actuation ? "problem.actuation" : !p->g0 ? "problem.g0" : !p->gT ? "problem.gT" : 0;
    if (missing) return lie__refuse(r, LIE_ERR_INCOMPLETE, missing, "must not be null");
    const lie_system *sys = &p->actuation->base;
    lie_status status = lie_system_explain(r, sys);
    if (status != LIE_OK) return status;
    if (sys->lagrangian)
        return lie__refuse(r, LIE_ERR_LAGRANGIAN, "system.lagrangian", "must be null: an inertia matrix is needed");
    if (!sys->group->tauinv) return lie__refuse(r, LIE_ERR_INCOMPLETE, "system.group.tauinv", "must not be null");
    if (sys->group->dim > 6)
        return lie__refuse_entry(r, LIE_ERR_SIZE, "system.group.dim", -1, sys->group->dim, 6.0, "must be at most 6");
    if (!(p->T > 0.0) || !(p->T < HUGE_VAL))
        return lie__refuse_entry(r, LIE_ERR_HORIZON, "problem.T", -1, p->T, 0.0, "must be positive and finite");
    if (p->N < 2) return lie__refuse_entry(r, LIE_ERR_INTERVALS, "problem.N", -1, p->N, 2.0, "must be 2 or more");
    status = check_states(r, p);
    return status == LIE_OK ? check_inputs(r, p) : status;
}
