/* SPDX-License-Identifier: MIT */
/* contest.c: ladders of steps and tolerances: errors and evaluations; see contest.h. */
#include "contest.h"

#include <math.h>

#include "../bench.h"

static const double smallest_error = 1e-11;
static const double from_step = 256.0, from_tolerance = 1e-3, least_tolerance = 1e-14;

/* Without an error to go by, a few steps will do to compare invariants. */
enum { CHAOTIC_POINTS = 6 };

static const errors no_errors = {NOT_MEASURED, NOT_MEASURED, NOT_MEASURED, NOT_MEASURED};

/* The k-th value of the knob; 0 beyond the last. A step is a whole fraction of the first time. */
static double knob_of(const contest *c, const contender *by, int k)
{
    const contest_plan *plan = &c->plan;
    double t = c->reference.t[0], h;
    if (by->adaptive) {
        if (plan->tolerances > 0) return k < plan->tolerances ? plan->tolerance_list[k] : 0.0;
        double tolerance = from_tolerance * pow(10.0, -k);
        return tolerance > 0.99 * least_tolerance ? tolerance : 0.0;
    }
    if (plan->steps > 0)
        h = k < plan->steps ? plan->step_list[k] : 0.0;
    else /* so that the error falls by about 16 from step to step */
        h = from_step * plan->step * pow(2.0, -4.0 * k / (by->order > 1 ? by->order : 1));
    return h > 0.0 ? t / ceil(t / h * (1.0 - 1e-12)) : 0.0;
}

static double now(void)
{
    return 1e-9 * bench_now_ns(BENCH_CPU);
}

/* One run through all times, as far as it stays within the limit. */
static void measure_point(const contest *c, const contender *by, double limit, point *p)
{
    const reference *ref = &c->reference;
    lie_state s;
    double began = now(), last = 0.0;
    trial *r = trial_open(by, &c->problem, p->knob, NULL, &p->status);
    for (int k = 0; r && k < ref->times; k++) {
        if (k > 0 && p->seconds * ref->t[k] > limit) break;
        p->status = trial_advance(r, ref->t[k]);
        if (p->status != LIE_OK) break;
        last = ref->t[k];
        p->seconds = (now() - began) / last;
        trial_state(r, &s);
        p->at[k] = errors_of(&c->problem, ref, k, &s);
    }
    if (r) trial_close(r);
}

/* Evaluations per simulated second over the first 64 steps, or the first time. */
static void count_point(const contest *c, const contender *by, point *p)
{
    counts found;
    lie_status status;
    double t = c->reference.t[0];
    if (!by->adaptive && 64.0 * p->knob < t) t = 64.0 * p->knob;
    trial *r = trial_open(by, &c->problem, p->knob, &found, &status);
    if (!r) return;
    if (trial_advance(r, t) == LIE_OK) {
        p->forces = (double)found.forces / t;
        p->derivatives = (double)found.derivatives / t;
    }
    trial_close(r);
}

/* Best and worst of the errors that were measured and mean something. */
static int range_of_errors(const contest *c, const point *p, double *worst)
{
    int any = 0;
    *worst = 0.0;
    for (int k = 0; k < c->reference.times; k++) {
        double e = errors_main(&c->reference, &p->at[k]);
        if (isnan(e) || !c->reference.pointwise[k]) continue;
        any = 1;
        if (e > *worst) *worst = e;
    }
    return any;
}

/* Is there nothing to gain from a finer knob? Twice no better below 1e-7 is round-off. */
static int is_enough(const contest *c, const point *p, double *least, int *stuck)
{
    double worst;
    if (p->status != LIE_OK || !range_of_errors(c, p, &worst)) return 0;
    if (worst < 1e-7 && worst > 0.5 * *least)
        ++*stuck;
    else
        *stuck = 0;
    if (worst < *least) *least = worst;
    return worst < smallest_error || *stuck >= 2;
}

/* Is there any time at which the error of the state means something? */
static int is_known(const contest *c)
{
    for (int k = 0; k < c->reference.times; k++)
        if (c->reference.pointwise[k]) return 1;
    return 0;
}

/* Would the next run, to the first time, take longer than the limit? Judged by the last one. */
static int is_too_long(const contest *c, const contender *by, const point *last, double knob, double limit)
{
    if (!last || last->status != LIE_OK) return 0;
    return last->seconds * c->reference.t[0] * (by->adaptive ? 1.0 : last->knob / knob) > limit;
}

static void begin_point(point *p, double knob)
{
    *p = (point){.knob = knob, .forces = NOT_MEASURED, .derivatives = NOT_MEASURED};
    p->ns = p->lower = p->upper = NOT_MEASURED;
    for (int j = 0; j < TIMES_MAX; j++) p->at[j] = no_errors;
}

void contest_sweep(contest *c, int i)
{
    curve *to = &c->curve[i];
    const point *last = NULL;
    double least = HUGE_VAL, knob;
    int stuck = 0, given = to->by.adaptive ? c->plan.tolerances : c->plan.steps;
    double limit = given ? HUGE_VAL : c->plan.limit; /* steps that were asked for are taken */
    int most = given || c->plan.points == 0 ? POINTS_MAX : c->plan.points;
    if (!given && !is_known(c)) most = CHAOTIC_POINTS;
    to->points = 0;
    for (int k = 0; to->points < most && (knob = knob_of(c, &to->by, k)) > 0.0; k++) {
        if (last && knob == last->knob) continue;
        if (is_too_long(c, &to->by, last, knob, limit)) break;
        point *p = &to->point[to->points++];
        begin_point(p, knob);
        measure_point(c, &to->by, limit, p);
        if (p->status == LIE_OK) count_point(c, &to->by, p);
        last = p;
        if (is_enough(c, p, &least, &stuck) && !given) break;
    }
}
