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

static int keeps(const contender *by)
{
    return by->method && by->method->symplectic && by->method->momentum;
}

static int is_former(const contender *by)
{
    static const char *const names[] = {"sv_kahanli8", "split4", "split6"};
    for (size_t i = 0; by->method && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(by->method->name, names[i]) == 0) return 1;
    return 0;
}

/* The cheapest is noted. */
static void compare(int *best, double *best_ns, int i, double ns)
{
    if (isnan(ns) || ns >= *best_ns) return; /* false where there is none yet */
    *best = i;
    *best_ns = ns;
}

/* Tops, satellites and vehicles without drag, at 30 and at 3000 s, errors 1e-8 and 1e-10 */
static void set_targets(const contest *c, keeping *out)
{
    static const char *const systems[] = {"heavy_top", "satellite", "vehicle"};
    const char *name = c->problem.sys.name;
    for (size_t i = 0; i < sizeof systems / sizeof systems[0] && name && c->reference.conserves_energy; i++) {
        if (strcmp(name, systems[i]) != 0 || out->error > 1.5e-8) continue;
        out->target = out->t == 30.0 ? 3.0 : out->t == 3000.0 ? 2.0 : 0.0;
        out->target_former = out->target > 0.0 ? 0.25 : 0.0;
    }
}

keeping contest_keeping(const contest *c, int k, double error)
{
    keeping out = {.t = c->reference.t[k], .error = error, .best = -1, .other = -1, .former = -1};
    out.best_ns = out.other_ns = out.former_ns = out.ratio = out.ratio_former = NOT_MEASURED;
    if (!c->reference.pointwise[k]) return out;
    for (int i = 0; i < c->curves; i++) {
        const contender *by = &c->curve[i].by;
        double ns = contest_cost(c, i, k, error);
        if (keeps(by))
            compare(&out.best, &out.best_ns, i, ns);
        else
            compare(&out.other, &out.other_ns, i, ns);
        if (is_former(by)) compare(&out.former, &out.former_ns, i, ns);
    }
    if (out.best >= 0 && out.other >= 0) out.ratio = out.best_ns / out.other_ns;
    if (out.best >= 0 && out.former >= 0) out.ratio_former = out.best_ns / out.former_ns;
    set_targets(c, &out);
    return out;
}
