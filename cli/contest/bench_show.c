/* SPDX-License-Identifier: MIT */
/* bench_show.c: the tables of `liestep bench`; see bench.h. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/contest/bench.h"

static void show_head(const bench_report *r)
{
    const contest *c = r->contest;
    const reference *ref = &c->reference;
    printf("%s%s%s: %s on %s; %s\n", cli_paint(stdout, CLI_BOLD), r->from->name, cli_paint(stdout, CLI_PLAIN),
           c->problem.sys.name, c->problem.sys.group->group, r->cpu);
    printf("reference  order 16 in long double, H = %.3g s; with 2 H it differs by", ref->H);
    for (int k = 0; k < ref->times; k++) printf("%s %.1e at %g s", k ? "," : "", ref->check[k], ref->t[k]);
    printf("\norbit      %s: a small error of the start has grown",
           ref->pointwise[ref->times - 1] ? "regular" : "CHAOTIC");
    for (int k = 0; k < ref->times; k++) printf("%s %.3g times by %g s", k ? "," : "", ref->growth[k], ref->t[k]);
    if (isfinite(ref->exponent))
        printf(", at last like t^%.2f\n", ref->exponent);
    else
        puts(", faster than any power of t");
    for (int k = 0; k < ref->times; k++)
        if (!ref->pointwise[k])
            printf("           at %g s the state itself means nothing: only energy and momentum are compared\n",
                   ref->t[k]);
    printf("conserved  by the true motion:%s", ref->conserves_energy ? " energy" : "");
    for (int i = 0; i < ref->model.dim; i++)
        if (ref->conserves_momentum[i]) printf(" J%d", i + 1);
    putchar('\n');
    if (r->peers) printf("peers      %s\n", r->peers);
}

/* A number, or a dash */
static void show_number(const char *format, const char *dash, double x)
{
    if (isnan(x))
        printf("%s", dash);
    else
        printf(format, x);
}

static void show_point(const contest *c, const curve *of, const point *p, int k)
{
    const errors *e = &p->at[k];
    if (k == 0)
        printf("%-26s %-4s %9.3g", of->by.name, of->by.adaptive ? "tol" : "h", p->knob);
    else
        printf("%-26s %-4s %9s", "", "", "");
    printf(" %7g", c->reference.t[k]);
    if (p->status != LIE_OK && isnan(errors_main(&c->reference, e))) {
        printf("  %s\n", lie_status_text(p->status));
        return;
    }
    show_number(" %9.2e", "         -", c->reference.pointwise[k] ? e->attitude : NOT_MEASURED);
    show_number(" %9.2e", "         -", c->reference.pointwise[k] ? e->position : NOT_MEASURED);
    show_number(" %9.2e", "         -", e->momentum);
    show_number(" %9.2e", "         -", e->energy);
    show_number(" %10.4g", "          -", p->ns / 1e3);
    show_number(" %9.4g", "         -", p->forces);
    show_number(" %9.4g", "         -", p->derivatives);
    putchar('\n');
}

static void show_points(const bench_report *r)
{
    const contest *c = r->contest;
    printf("\n%s%-26s %-4s %9s %7s %9s %9s %9s %9s %10s %9s %9s%s\n", cli_paint(stdout, CLI_BOLD), "method", "", "",
           "t [s]", "att [rad]", "pos [m]", "momentum", "energy", "[us/s]", "forces/s", "derivs/s",
           cli_paint(stdout, CLI_PLAIN));
    for (int i = 0; i < c->curves; i++)
        for (int j = 0; j < c->curve[i].points; j++)
            for (int k = 0; k < c->reference.times; k++) show_point(c, &c->curve[i], &c->curve[i].point[j], k);
}

/* Curves by what the error 1e-8 (or the largest that is reached) costs at time k, cheapest first. */
static void sort_curves(const contest *c, int k, int *order)
{
    double key[CONTENDERS_MAX];
    for (int i = 0; i < c->curves; i++) {
        int level = 2, at = i;
        double cost = contest_cost(c, i, k, contest_levels[level]);
        while (isnan(cost) && level > 0) cost = 1e6 * contest_cost(c, i, k, contest_levels[--level]);
        if (isnan(cost)) cost = HUGE_VAL;
        for (; at > 0 && key[at - 1] > cost; at--) key[at] = key[at - 1], order[at] = order[at - 1];
        key[at] = cost, order[at] = i;
    }
}

/* Spread of the times: the median of half the distance of the quartiles, relative */
static double noise_of(const contest *c)
{
    static double spread[CONTENDERS_MAX * POINTS_MAX];
    int n = 0;
    for (int i = 0; i < c->curves; i++)
        for (int j = 0; j < c->curve[i].points; j++) {
            const point *p = &c->curve[i].point[j];
            if (p->ns > 0.0) spread[n++] = 0.5 * (p->upper - p->lower) / p->ns;
        }
    return n > 0 ? bench_quantile(spread, n, 0.5) : NOT_MEASURED;
}

static void show_costs(const contest *c, int k)
{
    int order[CONTENDERS_MAX];
    sort_curves(c, k, order);
    printf("\n%swhat an error of the %s at t = %g s costs: us per simulated second%s\n", cli_paint(stdout, CLI_BOLD),
           c->reference.model.attitude ? "attitude" : "position", c->reference.t[k], cli_paint(stdout, CLI_PLAIN));
    printf("%-26s %-18s %5s %6s", "method", "library", "order", "seen");
    for (int l = 0; l < LEVELS; l++) printf(" %9.0e", contest_levels[l]);
    putchar('\n');
    for (int n = 0; n < c->curves; n++) {
        const contender *by = &c->curve[order[n]].by;
        printf("%-26s %-18s %5d", by->name, by->library, by->order);
        show_number(" %6.2f", "      -", contest_order(c, order[n], k));
        for (int l = 0; l < LEVELS; l++)
            show_number(" %9.4g", "         -", contest_cost(c, order[n], k, contest_levels[l]) / 1e3);
        putchar('\n');
    }
}

/* <= target, met or MISSED; a ratio that is not there is met if only we got so far, and missed if only they did */
static void show_target(double ratio, double target, int ours, int theirs)
{
    int met = ratio <= target || (ours >= 0 && theirs < 0), nobody = ours < 0 && theirs < 0;
    if (target == 0.0) return;
    printf("  <= %-4g %s%s%s", target, nobody ? "" : cli_paint(stdout, met ? CLI_GREEN : CLI_RED),
           nobody ? ""
           : met  ? "met"
                  : "MISSED",
           nobody ? "" : cli_paint(stdout, CLI_PLAIN));
}

/* A contender and its price */
static void show_side(const contest *c, int i, double ns)
{
    printf("  %-26s", i < 0 ? "nobody" : c->curve[i].by.name);
    show_number(" %10.4g", "          -", ns / 1e3);
}

static void show_verdicts(const contest *c)
{
    printf("\n%sbest of liestep over best of the others at equal error%s\n%8s %7s  %-26s %10s  %-26s %10s %7s\n",
           cli_paint(stdout, CLI_BOLD), cli_paint(stdout, CLI_PLAIN), "t [s]", "error", "liestep", "us/s", "others",
           "us/s", "ratio");
    for (int k = 0; k < c->reference.times; k++)
        for (int l = 0; l < LEVELS && c->reference.pointwise[k]; l++) {
            verdict v = contest_verdict(c, k, contest_levels[l]);
            printf("%8g %7.0e", v.t, v.error);
            show_side(c, v.ours, v.our_ns);
            show_side(c, v.theirs, v.their_ns);
            show_number(" %7.3f", "       -", v.ratio);
            show_target(v.ratio, v.target, v.ours, v.theirs);
            putchar('\n');
        }
    printf("noise: a time's quartiles lie %.0f %% off its median; a dash: not reached in a run of %g s\n",
           100.0 * noise_of(c), c->plan.limit);
}

/* What it costs to be symplectic and to keep momentum. */
static void show_structure(const contest *c)
{
    printf("\n%sbest of those that are symplectic and keep momentum: over the best of all others, and over the best of "
           "sv_kahanli8, split4, split6%s\n",
           cli_paint(stdout, CLI_BOLD), cli_paint(stdout, CLI_PLAIN));
    for (int k = 0; k < c->reference.times; k++)
        for (int l = 0; l < LEVELS && c->reference.pointwise[k]; l++) {
            keeping v = contest_keeping(c, k, contest_levels[l]);
            printf("%8g %7.0e", v.t, v.error);
            show_side(c, v.best, v.best_ns);
            show_side(c, v.other, v.other_ns);
            show_number(" %7.3f", "       -", v.ratio);
            show_target(v.ratio, v.target, v.best, v.other);
            show_side(c, v.former, v.former_ns);
            show_number(" %7.3f", "       -", v.ratio_former);
            show_target(v.ratio_former, v.target_former, v.best, v.former);
            putchar('\n');
        }
}

static void show_drift(const bench_report *r)
{
    const contest *c = r->contest;
    printf("\n%sover %lld steps of %g s: largest relative error; rise of the line through 100 means, and 4 times its "
           "standard error%s\n",
           cli_paint(stdout, CLI_BOLD), r->drift_steps, c->plan.step, cli_paint(stdout, CLI_PLAIN));
    printf("%-26s %9s %9s %10s %9s %9s  %s\n", "method", "steps", "energy", "rise", "+-", "momentum", "claims");
    for (int i = 0; i < c->curves; i++) {
        const drift *d = &r->drift[i];
        const contender *by = &c->curve[i].by;
        if (by->adaptive) continue;
        printf("%-26s %9lld", by->name, d->steps);
        if (d->status != LIE_OK) {
            printf(" %s\n", lie_status_text(d->status));
            continue;
        }
        show_number(" %9.1e", "         -", d->energy_max);
        show_number(" %10.1e", "          -", d->energy_trend.rise);
        show_number(" %9.1e", "         -", DRIFT_SIGNIFICANT * d->energy_trend.error);
        show_number(" %9.1e", "         -", d->momentum_max);
        drift_claim claim = drift_judge(c, by, d);
        int broken = claim.energy == DRIFT_BROKEN || claim.momentum == DRIFT_BROKEN;
        printf("  %s%s%s%s%s\n", broken ? cli_paint(stdout, CLI_RED) : "",
               claim.energy                              ? "energy "
               : !isnan(d->energy_max) && drift_found(d) ? "drifts "
                                                         : "",
               claim.momentum ? "momentum " : "", broken ? "BROKEN" : "", broken ? cli_paint(stdout, CLI_PLAIN) : "");
    }
}

void bench_show(const bench_report *r)
{
    const contest *c = r->contest;
    int known = 0;
    show_head(r);
    if (r->points || !c->reference.pointwise[0]) show_points(r);
    for (int k = 0; k < c->reference.times; k++) {
        if (c->reference.pointwise[k]) show_costs(c, k);
        known |= c->reference.pointwise[k];
    }
    if (known) show_verdicts(c);
    if (known) show_structure(c);
    if (r->drift) show_drift(r);
}
