/* SPDX-License-Identifier: MIT */
/* drift.c: energy and momentum over a long run; see contest.h.
 *
 * A method that conserves only up to an oscillation is not one that drifts: the drift is the change of the mean from
 * the first to the last fifth of the run, beside the largest error. */
#include <math.h>

#include "../bench.h"
#include "contest.h"

/* Looks into a part of the run; fewer steps than the other say nothing about a drift of the mean. */
enum { LOOKS = 20, DRIFT_ENOUGH = 30000 };

/* Energy and the conserved components of the spatial momentum; what they are compared with. */
typedef struct watch {
    double energy, J[LIE_DIM_MAX], kinetic, size[2];
} watch;

static watch watch_of(const contest *c, const lie_state *s)
{
    const lie_system *sys = &c->problem.sys;
    watch w = {.energy = NOT_MEASURED};
    double xi[LIE_DIM_MAX] = {0};
    (void)lie_state_energy(sys, &w.energy, s);
    (void)lie_state_velocity(sys, xi, s);
    lie_state_spatial_momentum(sys, w.J, s);
    for (int i = 0; i < sys->group->dim; i++) {
        for (int j = 0; j < sys->group->dim; j++)
            w.kinetic += 0.5 * xi[i] * sys->inertia[sys->group->dim * i + j] * xi[j];
        w.size[i / 3 % 2] += w.J[i] * w.J[i];
    }
    return w;
}

/* |x||P|: what the angular momentum about the origin is the rounding of, where there is a position */
static double lever(const contest *c, const watch *w, const lie_state *s)
{
    const double *x = s->g + 9;
    if (c->problem.sys.group->size != 12) return 0.0;
    return sqrt((x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) * w->size[1]);
}

/* The worst conserved component, relative to |J| of its kind at the start; NOT_MEASURED without one. */
static double momentum_error(const contest *c, const watch *first, const watch *w, const lie_state *s)
{
    double worst = NOT_MEASURED;
    for (int i = 0; i < c->problem.sys.group->dim; i++) {
        if (!c->reference.conserves_momentum[i]) continue;
        int kind = i / 3 % 2;
        double size = sqrt(first->size[kind]) + (kind == 0 ? lever(c, w, s) : 0.0);
        double e = fabs(w->J[i] - first->J[i]) / (size > 0.0 ? size : 1.0);
        worst = isnan(e) ? HUGE_VAL : fmax(worst, e);
    }
    return worst;
}

/* One look into part k of the run. */
static void look(const contest *c, drift *d, int k, const watch *first, const lie_state *s)
{
    watch w = watch_of(c, s);
    double e = c->reference.conserves_energy ? (w.energy - first->energy) / first->kinetic : NOT_MEASURED;
    d->energy_mean[k] += e / LOOKS;
    d->energy[k] = isnan(e) ? NOT_MEASURED : fmax(d->energy[k], fabs(e));
    d->momentum[k] = fmax(d->momentum[k], momentum_error(c, first, &w, s));
    if (isnan(momentum_error(c, first, &w, s))) d->momentum[k] = NOT_MEASURED;
}

/* Part k of a run, `chunk` steps from step `from` on: looked at in the middle of nowhere, by the golden section. */
static lie_status run_part(const contest *c, trial *r, drift *d, const watch *first, long long chunk)
{
    lie_state s;
    int k = d->samples;
    for (int j = 0; j < LOOKS; j++) {
        double jump = 0.6180339887498949 * (LOOKS * k + j + 1), at = (j + jump - floor(jump)) / LOOKS;
        long long step = j == LOOKS - 1 ? chunk : (long long)ceil(at * (double)chunk);
        lie_status status = trial_advance(r, d->step * (double)(d->steps + step));
        if (status != LIE_OK) return status;
        trial_state(r, &s);
        look(c, d, k, first, &s);
    }
    d->steps += chunk;
    d->t[k] = d->step * (double)d->steps;
    d->samples++;
    return LIE_OK;
}

/* Mean of x over the last fifth less that over the first fifth */
static double change_of(const double *x, int n)
{
    int part = n / 5 > 0 ? n / 5 : 1;
    double first = 0.0, last = 0.0;
    for (int i = 0; i < part; i++) first += x[i] / part, last += x[n - 1 - i] / part;
    return last - first;
}

static double largest_of(const double *x, int n)
{
    double largest = x[0];
    for (int i = 1; i < n; i++) largest = fmax(largest, x[i]);
    return largest;
}

void contest_drift(const contest *c, int i, long long steps, double limit, drift *out)
{
    const contender *by = &c->curve[i].by;
    long long chunk = steps / DRIFT_SAMPLES > 0 ? steps / DRIFT_SAMPLES : 1;
    double began = bench_now_ns(BENCH_CPU);
    watch first = watch_of(c, &c->problem.start);
    *out = (drift){.step = c->plan.step};
    if (by->adaptive) return;
    trial *r = trial_open(by, &c->problem, out->step, NULL, &out->status);
    while (r && out->status == LIE_OK && out->samples < DRIFT_SAMPLES && out->steps < steps) {
        out->status = run_part(c, r, out, &first, chunk);
        if (1e-9 * (bench_now_ns(BENCH_CPU) - began) > limit) break;
    }
    if (r) trial_close(r);
    out->measured = out->samples > 0;
    if (!out->measured) return;
    out->energy_drift = change_of(out->energy_mean, out->samples);
    out->energy_max = largest_of(out->energy, out->samples);
    out->momentum_drift = change_of(out->momentum, out->samples);
    out->momentum_max = largest_of(out->momentum, out->samples);
}

drift_claim drift_judge(const contest *c, const contender *by, const drift *d)
{
    drift_claim claim = {DRIFT_NO_CLAIM, DRIFT_NO_CLAIM};
    if (!by->method || !d->measured) return claim;
    int drifts = !(d->energy_max < 1e-11 || fabs(d->energy_drift) < 0.4 * d->energy_max);
    if ((by->method->symplectic || by->method->energy) && c->reference.conserves_energy && d->steps >= DRIFT_ENOUGH)
        claim.energy = drifts ? DRIFT_BROKEN : DRIFT_HELD;
    if (by->method->momentum && !isnan(d->momentum_max))
        claim.momentum = d->momentum_max < 1e-11 ? DRIFT_HELD : DRIFT_BROKEN;
    return claim;
}
