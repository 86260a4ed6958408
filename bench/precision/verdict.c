/* SPDX-License-Identifier: MIT */
/* verdict.c: what an error costs each contender, who is best, and the order that is seen; see contest.h. */
#include <math.h>
#include <string.h>

#include "contest.h"

const double contest_levels[LEVELS] = {1e-4, 1e-6, 1e-8, 1e-10};

static double error_at(const contest *c, const point *p, int k)
{
    return p->status == LIE_OK ? errors_main(&c->reference, &p->at[k]) : NOT_MEASURED;
}

/* The cost between two points of a curve at this error, log-log; NaN if the error is not between them. */
static double between(double error, double e0, double ns0, double e1, double ns1)
{
    if (!(e0 > error && e1 <= error && e1 > 0.0 && ns0 > 0.0 && ns1 > 0.0)) return NOT_MEASURED;
    double part = log(error / e0) / log(e1 / e0);
    return exp(log(ns0) + part * log(ns1 / ns0));
}

double contest_cost(const contest *c, int i, int k, double error)
{
    const curve *of = &c->curve[i];
    double best = NOT_MEASURED;
    for (int j = 0; j < of->points; j++) {
        const point *p = &of->point[j];
        double e = error_at(c, p, k);
        if (e <= error) best = fmin(best, p->ns);
        if (j == 0) continue;
        best = fmin(best, between(error, error_at(c, p - 1, k), p[-1].ns, e, p->ns));
    }
    return best;
}

double contest_order(const contest *c, int i, int k)
{
    const curve *of = &c->curve[i];
    const point *fine = NULL, *coarse = NULL;
    for (int j = 0; j < of->points && !of->by.adaptive; j++) {
        double e = error_at(c, &of->point[j], k);
        if (!(e > 1e-9 && e < 0.1)) continue;
        coarse = fine;
        fine = &of->point[j];
    }
    if (!coarse) return NOT_MEASURED;
    return log(error_at(c, coarse, k) / error_at(c, fine, k)) / log(coarse->knob / fine->knob);
}

/* What is wanted of the ratio: a system without drag, at 30 s, at 3000 s. */
static double target_of(const contest *c, double t)
{
    static const struct target {
        const char *system;
        double soon, late;
    } targets[] = {{"free_body", 0.5, 0.2}, {"heavy_top", 1.0, 0.5}, {"satellite", 1.0, 0.5}, {"vehicle", 1.5, 0.7}};
    const lie_system *sys = &c->problem.sys;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (c->reference.conserves_energy && sys->name && strcmp(sys->name, targets[i].system) == 0)
            return t == 30.0 ? targets[i].soon : t == 3000.0 ? targets[i].late : 0.0;
    return 0.0;
}

verdict contest_verdict(const contest *c, int k, double error)
{
    verdict v = {.t = c->reference.t[k], .error = error, .ours = -1, .theirs = -1};
    v.our_ns = v.their_ns = v.ratio = NOT_MEASURED;
    v.target = c->reference.pointwise[k] ? target_of(c, v.t) : 0.0;
    for (int i = 0; i < c->curves && c->reference.pointwise[k]; i++) {
        double ns = contest_cost(c, i, k, error), *best = c->curve[i].by.rival ? &v.their_ns : &v.our_ns;
        if (isnan(ns) || ns >= *best) continue;
        *best = ns;
        *(c->curve[i].by.rival ? &v.theirs : &v.ours) = i;
    }
    if (v.ours >= 0 && v.theirs >= 0) v.ratio = v.our_ns / v.their_ns;
    return v;
}
