/* SPDX-License-Identifier: MIT */
/* drift.c: energy and momentum over a long run; see contest.h.
 *
 * A method that conserves only up to an oscillation is not one that drifts. So the run is cut into 100 blocks of the
 * same length, the error of the energy is averaged over each, and a straight line is fitted to the means: its rise over
 * the run is the drift. Its standard error comes from what is left beside the line. A slow beat makes neighbouring
 * means alike, which the usual formula takes for many independent measurements; it is corrected by their correlation r,
 * as of n (1 - r)/(1 + r) means (Santer et al., J. Geophys. Res. 105 (2000) 7337). Where in a block the state is looked
 * at is drawn at random, once in each of 200 equal parts: at equal distances a period of the motion could hide. A rise
 * that is not straight has a large standard error; if it is beyond all oscillation within blocks it is a drift all the
 * same. A chaotic orbit stays near one island or another for times of any length (Karney, Physica D 8 (1983) 360), and
 * with it the mean of the error, longer than the correlation of neighbours tells: where a rise is less than the
 * oscillation the run goes on for as long again, and only what rises there, too, is a drift.
 *
 * Round-off makes a random walk of what a method conserves exactly, eps sqrt(N) times what is rounded (Brouwer, Astron.
 * J. 46 (1937) 149). That is no drift of the method. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../bench.h"
#include "contest.h"

/* Looks into a block; steps of the trial by which the pace is found. */
enum { LOOKS = 200, PILOT = 500 };

/* A rise by so many standard errors is one, and more than so many standard deviations of a random walk is no round-off:
 * among some hundred runs that do not drift none should be accused. */
static const double significant = DRIFT_SIGNIFICANT, walks = DRIFT_SIGNIFICANT;

/* Energy and the conserved components of the spatial momentum; what they are compared with. */
typedef struct watch {
    double energy, J[LIE_DIM_MAX], kinetic, size[2];
    double rounded; /* the energy is the sum of terms of this size */
} watch;

/* 1/2 a . I b */
static double half_product(const lie_system *sys, const double *a, const double *b)
{
    double sum = 0.0;
    int n = sys->group->dim;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += 0.5 * a[i] * sys->inertia[n * i + j] * b[j];
    return sum;
}

static watch watch_of(const contest *c, const lie_state *s)
{
    const lie_system *sys = &c->problem.sys;
    watch w = {.energy = NOT_MEASURED};
    double xi[LIE_DIM_MAX] = {0}, A[LIE_DIM_MAX] = {0};
    (void)lie_state_energy(sys, &w.energy, s);
    (void)lie_state_velocity(sys, xi, s);
    lie_state_spatial_momentum(sys, w.J, s);
    for (int i = 0; i < sys->group->dim; i++) w.size[i / 3 % 2] += w.J[i] * w.J[i];
    w.kinetic = half_product(sys, xi, xi);
    w.rounded = w.kinetic + (sys->potential ? fabs(sys->potential(sys, s->g)) : 0.0);
    if (sys->gyro) sys->gyro(sys, A, s->g);
    for (int i = 0; i < sys->group->dim; i++) w.rounded += fabs(A[i] * xi[i]);
    return w;
}

/* |x||P|: what the angular momentum about the origin is the rounding of, where there is a position */
static double lever(const contest *c, const watch *w, const lie_state *s)
{
    const double *x = s->g + 9;
    if (strcmp(c->problem.sys.group->group, "SE3") != 0) return 0.0;
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

/* One look into block k of the run; range: of the energy in it. */
static void look(const contest *c, drift *d, int k, double range[2], const watch *first, const lie_state *s)
{
    watch w = watch_of(c, s);
    double unit = first->kinetic > 0.0 ? first->kinetic : 1.0, momentum = momentum_error(c, first, &w, s);
    double e = c->reference.conserves_energy ? (w.energy - first->energy) / unit : NOT_MEASURED;
    d->energy_mean[k] += e / LOOKS;
    d->energy[k] = isnan(e) ? NOT_MEASURED : fmax(d->energy[k], fabs(e));
    range[0] = fmin(range[0], e), range[1] = fmax(range[1], e);
    d->energy_rounded = fmax(d->energy_rounded, w.rounded / unit);
    d->momentum[k] = isnan(momentum) ? NOT_MEASURED : fmax(d->momentum[k], momentum);
}

/* Uniform in [0, 1), the same for the same n (Steele, Lea & Flood 2014: splitmix64) */
static double random_part(int n)
{
    uint64_t z = ((uint64_t)n + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* The next block of a run, `chunk` steps. */
static lie_status run_block(const contest *c, trial *r, drift *d, const watch *first, long long chunk)
{
    lie_state s;
    double range[2] = {HUGE_VAL, -HUGE_VAL};
    int k = d->samples;
    for (int j = 0; j < LOOKS; j++) {
        double at = (j + random_part(LOOKS * k + j)) / LOOKS;
        lie_status status = trial_advance(r, d->step * (double)(d->steps + (long long)ceil(at * (double)chunk)));
        if (status != LIE_OK) return status;
        trial_state(r, &s);
        look(c, d, k, range, first, &s);
    }
    d->energy_range = fmax(d->energy_range, range[1] - range[0]);
    d->steps += chunk;
    d->t[k] = d->step * (double)d->steps;
    d->samples++;
    return trial_advance(r, d->t[k]);
}

/* As many of `steps` steps as take no longer than `limit` seconds, but a tenth of them at least: 1, 2 or 5 times a
 * power of ten where it is fewer. */
static long long affordable(trial *r, double step, long long steps, double limit)
{
    long long pilot = steps < PILOT ? steps : PILOT, n = steps;
    double began = bench_now_ns(BENCH_CPU);
    if (trial_advance(r, step * (double)pilot) != LIE_OK) return steps;
    double pace = 1e-9 * (bench_now_ns(BENCH_CPU) - began) / (double)pilot;
    if (pace * (double)steps <= limit) return steps;
    double most = pow(10.0, floor(log10(limit / pace))), times = limit / pace / most;
    n = (long long)((times >= 5.0 ? 5.0 : times >= 2.0 ? 2.0 : 1.0) * most);
    return n > steps / 10 ? n : steps / 10;
}

drift_trend drift_trend_of(const double *x, int n)
{
    drift_trend line = {0.0, HUGE_VAL};
    double mean = 0.0, across = 0.0, spread = 0.0, left = 0.0, along = 0.0, before = 0.0;
    for (int i = 0; i < n; i++) mean += x[i] / n;
    for (int i = 0; i < n; i++) {
        double t = (i + 0.5) / n - 0.5;
        across += t * (x[i] - mean), spread += t * t;
    }
    line.rise = across / spread;
    for (int i = 0; i < n; i++) {
        double e = (x[i] - mean) - line.rise * ((i + 0.5) / n - 0.5);
        left += e * e, along += e * before;
        before = e;
    }
    double r = left > 0.0 ? fmin(fmax(along / left, 0.0), 0.99) : 0.0, count = n * (1.0 - r) / (1.0 + r);
    if (n > 4) line.error = sqrt(left / spread / fmax(count - 2.0, 1.0));
    return line;
}

static double largest_of(const double *x, int n)
{
    double largest = x[0];
    for (int i = 1; i < n; i++) largest = fmax(largest, x[i]);
    return largest;
}

/* Every substep of a composition rounds. */
static double round_off(const drift *d, const lie_stepper *st)
{
    int substeps = st && lie_stepper_composition(st) ? lie_stepper_composition(st)->stages : 1;
    return walks * DBL_EPSILON * sqrt((double)d->steps * substeps);
}

/* All blocks of a run of at most `steps` more steps. */
static void run_blocks(const contest *c, trial *r, drift *d, const watch *first, long long chunk, long long steps)
{
    long long end = d->steps + steps;
    while (d->status == LIE_OK && d->samples < DRIFT_SAMPLES && d->steps < end)
        d->status = run_block(c, r, d, first, chunk);
}

static int is_significant(const drift_trend *line)
{
    return fabs(line->rise) > significant * line->error;
}

/* Does what looks like a drift go on? */
static void look_again(const contest *c, trial *r, drift *d, const watch *first, long long chunk, long long steps)
{
    drift more = {.step = d->step, .steps = d->steps};
    run_blocks(c, r, &more, first, chunk, steps);
    d->is_doubtful = more.samples == DRIFT_SAMPLES;
    if (d->is_doubtful) d->energy_again = drift_trend_of(more.energy_mean, more.samples);
}

void contest_drift(const contest *c, int i, long long steps, double limit, drift *out)
{
    const contender *by = &c->curve[i].by;
    watch first = watch_of(c, &c->problem.start);
    *out = (drift){.step = c->plan.step};
    if (by->adaptive) return;
    trial *r = trial_open(by, &c->problem, out->step, NULL, &out->status);
    if (!r) return;
    long long chunk = affordable(r, out->step, steps, limit) / DRIFT_SAMPLES;
    if (chunk < 1) chunk = 1;
    out->status = trial_restart(r);
    run_blocks(c, r, out, &first, chunk, steps);
    out->momentum_round_off = round_off(out, trial_stepper(r));
    out->energy_round_off = out->momentum_round_off * out->energy_rounded;
    out->measured = out->samples > 0;
    if (out->measured) {
        out->energy_trend = drift_trend_of(out->energy_mean, out->samples);
        out->energy_max = largest_of(out->energy, out->samples);
        out->momentum_max = largest_of(out->momentum, out->samples);
        if (drift_found(out) && fabs(out->energy_trend.rise) <= out->energy_range)
            look_again(c, r, out, &first, chunk, steps);
    }
    trial_close(r);
}

int drift_found(const drift *d)
{
    double rise = fabs(d->energy_trend.rise);
    int goes_on =
        !d->is_doubtful || (is_significant(&d->energy_again) && d->energy_again.rise * d->energy_trend.rise > 0.0);
    return rise > d->energy_round_off && (rise > d->energy_range || (is_significant(&d->energy_trend) && goes_on));
}

drift_claim drift_judge(const contest *c, const contender *by, const drift *d)
{
    drift_claim claim = {DRIFT_NO_CLAIM, DRIFT_NO_CLAIM};
    if (!by->method || !d->measured) return claim;
    if (by->method->symplectic && c->reference.conserves_energy && d->samples == DRIFT_SAMPLES)
        claim.energy = drift_found(d) ? DRIFT_BROKEN : DRIFT_HELD;
    if (by->method->energy && c->reference.conserves_energy)
        claim.energy = d->energy_max <= d->energy_round_off ? DRIFT_HELD : DRIFT_BROKEN;
    if (by->method->momentum && !isnan(d->momentum_max))
        claim.momentum = d->momentum_max <= d->momentum_round_off ? DRIFT_HELD : DRIFT_BROKEN;
    return claim;
}
