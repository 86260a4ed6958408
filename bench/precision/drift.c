/* SPDX-License-Identifier: MIT */
/* drift.c: energy and momentum over a long run; see contest.h.
 *
 * A method that conserves only up to an oscillation is not one that drifts: the drift is the change of the mean from
 * the first to the last fifth of the run, beside the largest error. */
#include <math.h>

#include "../bench.h"
#include "contest.h"

/* Fewer steps say nothing about a drift of the mean. */
enum { DRIFT_ENOUGH = 30000 };

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

/* The worst conserved component, relative to |J| of its kind at the start; NaN without one. */
static double momentum_error(const contest *c, const watch *first, const watch *w)
{
    double worst = NOT_MEASURED;
    for (int i = 0; i < c->problem.sys.group->dim; i++) {
        if (!c->reference.conserves_momentum[i]) continue;
        double size = sqrt(first->size[i / 3 % 2]), e = fabs(w->J[i] - first->J[i]) / (size > 0.0 ? size : 1.0);
        worst = isnan(e) ? HUGE_VAL : fmax(worst, e);
    }
    return worst;
}

static void note(const contest *c, drift *d, const watch *first, const lie_state *s, double t)
{
    watch w = watch_of(c, s);
    int k = d->samples++;
    d->t[k] = t;
    d->energy[k] = c->reference.conserves_energy ? (w.energy - first->energy) / first->kinetic : NOT_MEASURED;
    d->momentum[k] = momentum_error(c, first, &w);
}

/* Mean of x over the last fifth less that over the first fifth; the largest |x|. */
static void summarise(const double *x, int n, double *change, double *largest)
{
    int part = n / 5 > 0 ? n / 5 : 1;
    double first = 0.0, last = 0.0;
    *largest = isnan(x[0]) ? NOT_MEASURED : 0.0;
    for (int i = 0; i < part; i++) first += x[i] / part, last += x[n - 1 - i] / part;
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) > *largest) *largest = fabs(x[i]);
    *change = last - first;
}

void contest_drift(const contest *c, int i, long long steps, double limit, drift *out)
{
    const contender *by = &c->curve[i].by;
    lie_state s;
    long long chunk = steps / DRIFT_SAMPLES > 0 ? steps / DRIFT_SAMPLES : 1;
    double began = bench_now_ns(BENCH_CPU), h = c->plan.step;
    watch first = watch_of(c, &c->problem.start);
    *out = (drift){.step = h};
    if (by->adaptive) return;
    trial *r = trial_open(by, &c->problem, h, NULL, &out->status);
    while (r && out->samples < DRIFT_SAMPLES && out->steps < steps) {
        out->status = trial_advance(r, h * (double)(out->steps + chunk));
        if (out->status != LIE_OK) break;
        out->steps += chunk;
        trial_state(r, &s);
        note(c, out, &first, &s, h * (double)out->steps);
        if (1e-9 * (bench_now_ns(BENCH_CPU) - began) > limit) break;
    }
    if (r) trial_close(r);
    out->measured = out->samples > 0;
    if (!out->measured) return;
    summarise(out->energy, out->samples, &out->energy_drift, &out->energy_max);
    summarise(out->momentum, out->samples, &out->momentum_drift, &out->momentum_max);
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
