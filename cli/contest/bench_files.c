/* SPDX-License-Identifier: MIT */
/* bench_files.c: a bench as CSV and JSON; see bench.h. */
#define _GNU_SOURCE

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/json.h"
#include "cli/contest/bench.h"

/* ",1.5" or "," for what there is not */
static void csv_number(FILE *out, double x)
{
    char text[JSON_NUMBER];
    fprintf(out, ",%s", isfinite(x) ? json_shortest(text, x) : "");
}

static void csv_point(FILE *out, const contest *c, const curve *of, const point *p, int k)
{
    const errors *e = &p->at[k];
    int known = c->reference.pointwise[k];
    fprintf(out, "%s,%s,%s,%d,%s", of->by.name, of->by.library, of->by.rival ? "other" : "liestep", of->by.order,
            of->by.adaptive ? "tolerance" : "step");
    csv_number(out, p->knob);
    csv_number(out, c->reference.t[k]);
    csv_number(out, known ? e->attitude : NOT_MEASURED);
    csv_number(out, known ? e->position : NOT_MEASURED);
    csv_number(out, e->momentum);
    csv_number(out, e->energy);
    csv_number(out, p->ns);
    csv_number(out, p->lower);
    csv_number(out, p->upper);
    csv_number(out, p->forces);
    csv_number(out, p->derivatives);
    fprintf(out, ",%s\n", lie_status_name(p->status));
}

void bench_csv(FILE *out, const bench_report *r)
{
    const contest *c = r->contest;
    fputs("method,library,side,order,knob,value,t_s,attitude_error_rad,position_error_m,momentum_error,energy_error,"
          "ns_per_s,ns_per_s_lower_quartile,ns_per_s_upper_quartile,forces_per_s,derivatives_per_s,status\n",
          out);
    for (int i = 0; i < c->curves; i++)
        for (int j = 0; j < c->curve[i].points; j++)
            for (int k = 0; k < c->reference.times; k++) csv_point(out, c, &c->curve[i], &c->curve[i].point[j], k);
}

void bench_drift_csv(FILE *out, const bench_report *r)
{
    fputs("method,t_s,energy_error,momentum_error\n", out);
    for (int i = 0; r->drift && i < r->contest->curves; i++)
        for (int k = 0; k < r->drift[i].samples; k++) {
            fputs(r->contest->curve[i].by.name, out);
            csv_number(out, r->drift[i].t[k]);
            csv_number(out, r->drift[i].energy[k]);
            csv_number(out, r->drift[i].momentum[k]);
            fputc('\n', out);
        }
}

static void json_errors(json *j, const contest *c, const point *p)
{
    json_open(j, "errors", '[');
    for (int k = 0; k < c->reference.times; k++) {
        int known = c->reference.pointwise[k];
        json_open(j, NULL, '{');
        json_number(j, "t", c->reference.t[k]);
        json_number(j, "attitude", known ? p->at[k].attitude : NOT_MEASURED);
        json_number(j, "position", known ? p->at[k].position : NOT_MEASURED);
        json_number(j, "momentum", p->at[k].momentum);
        json_number(j, "energy", p->at[k].energy);
        json_close(j);
    }
    json_close(j);
}

static void json_point(json *j, const contest *c, const point *p)
{
    json_open(j, NULL, '{');
    json_number(j, "value", p->knob);
    json_text(j, "status", lie_status_name(p->status));
    json_errors(j, c, p);
    json_number(j, "ns_per_s", p->ns);
    json_number(j, "ns_per_s_lower_quartile", p->lower);
    json_number(j, "ns_per_s_upper_quartile", p->upper);
    json_number(j, "forces_per_s", p->forces);
    json_number(j, "derivatives_per_s", p->derivatives);
    json_close(j);
}

static const char *const verdict_names[] = {[DRIFT_HELD] = "held", [DRIFT_BROKEN] = "broken"};

static void json_drift(json *j, const bench_report *r, int i)
{
    const drift *d = &r->drift[i];
    const contender *by = &r->contest->curve[i].by;
    drift_claim claim = drift_judge(r->contest, by, d);
    json_open(j, "drift", '{');
    json_number(j, "step", d->step);
    json_integer(j, "steps", d->steps);
    json_text(j, "status", lie_status_name(d->status));
    json_number(j, "energy_max", d->energy_max);
    json_number(j, "energy_rise", d->energy_trend.rise);
    json_number(j, "energy_rise_error", d->energy_trend.error);
    json_number(j, "energy_round_off", d->energy_round_off);
    json_flag(j, "energy_drifts", d->measured && !isnan(d->energy_max) && drift_found(d));
    json_number(j, "momentum_max", d->momentum_max);
    json_number(j, "momentum_round_off", d->momentum_round_off);
    json_flag(j, "energy_exact", by->method && by->method->energy);
    json_text(j, "energy_claim", verdict_names[claim.energy]);
    json_text(j, "momentum_claim", verdict_names[claim.momentum]);
    json_close(j);
}

static void json_curve(json *j, const bench_report *r, int i)
{
    const contest *c = r->contest;
    const curve *of = &c->curve[i];
    json_open(j, NULL, '{');
    json_text(j, "method", of->by.name);
    json_text(j, "library", of->by.library);
    json_text(j, "doc", of->by.doc);
    json_text(j, "side", of->by.rival ? "other" : "liestep");
    json_integer(j, "order", of->by.order);
    json_text(j, "knob", of->by.adaptive ? "tolerance" : "step");
    json_row(j, "order_seen");
    for (int k = 0; k < c->reference.times; k++)
        json_number(j, NULL, c->reference.pointwise[k] ? contest_order(c, i, k) : NOT_MEASURED);
    json_close(j);
    json_open(j, "points", '[');
    for (int k = 0; k < of->points; k++) json_point(j, c, &of->point[k]);
    json_close(j);
    if (r->drift && !of->by.adaptive) json_drift(j, r, i);
    json_close(j);
}

static void json_reference(json *j, const reference *ref)
{
    json_open(j, "reference", '{');
    json_text(j, "method", "extrapolation of order 16 in long double");
    json_number(j, "step", ref->H);
    json_open(j, "times", '[');
    for (int k = 0; k < ref->times; k++) {
        json_open(j, NULL, '{');
        json_number(j, "t", ref->t[k]);
        json_number(j, "check", ref->check[k]);
        json_number(j, "growth", ref->growth[k]);
        json_flag(j, "pointwise", ref->pointwise[k]);
        json_close(j);
    }
    json_close(j);
    json_number(j, "growth_exponent", ref->exponent);
    json_flag(j, "conserves_energy", ref->conserves_energy);
    json_row(j, "conserves_momentum");
    for (int i = 0; i < ref->model.dim; i++) json_flag(j, NULL, ref->conserves_momentum[i]);
    json_close(j);
    json_close(j);
}

static void json_verdict(json *j, const contest *c, int k, double error)
{
    verdict v = contest_verdict(c, k, error);
    json_open(j, NULL, '{');
    json_number(j, "t", v.t);
    json_number(j, "error", v.error);
    json_text(j, "liestep", v.ours < 0 ? NULL : c->curve[v.ours].by.name);
    json_number(j, "liestep_ns_per_s", v.our_ns);
    json_text(j, "other", v.theirs < 0 ? NULL : c->curve[v.theirs].by.name);
    json_number(j, "other_ns_per_s", v.their_ns);
    json_number(j, "ratio", v.ratio);
    json_number(j, "target", v.target > 0.0 ? v.target : NOT_MEASURED);
    json_close(j);
}

static const char *name_of(const contest *c, int i)
{
    return i < 0 ? NULL : c->curve[i].by.name;
}

static void json_keeping(json *j, const contest *c, int k, double error)
{
    keeping v = contest_keeping(c, k, error);
    json_open(j, NULL, '{');
    json_number(j, "t", v.t);
    json_number(j, "error", v.error);
    json_text(j, "keeps", name_of(c, v.best));
    json_number(j, "keeps_ns_per_s", v.best_ns);
    json_text(j, "other", name_of(c, v.other));
    json_number(j, "other_ns_per_s", v.other_ns);
    json_number(j, "ratio", v.ratio);
    json_number(j, "target", v.target > 0.0 ? v.target : NOT_MEASURED);
    json_text(j, "former", name_of(c, v.former));
    json_number(j, "former_ns_per_s", v.former_ns);
    json_number(j, "ratio_former", v.ratio_former);
    json_number(j, "target_former", v.target_former > 0.0 ? v.target_former : NOT_MEASURED);
    json_close(j);
}

void bench_json(FILE *out, const bench_report *r)
{
    const contest *c = r->contest;
    json j = {.out = out};
    json_open(&j, NULL, '{');
    json_text(&j, "scenario", r->from->name);
    json_text(&j, "system", c->problem.sys.name);
    json_text(&j, "group", c->problem.sys.group->group);
    json_text(&j, "processor", r->cpu);
    json_text(&j, "peers_missing", r->peers);
    json_number(&j, "longest_run_s", c->plan.limit);
    json_reference(&j, &c->reference);
    json_open(&j, "equal_error", '[');
    for (int k = 0; k < c->reference.times; k++)
        for (int l = 0; l < LEVELS && c->reference.pointwise[k]; l++) json_verdict(&j, c, k, contest_levels[l]);
    json_close(&j);
    json_open(&j, "structure", '[');
    for (int k = 0; k < c->reference.times; k++)
        for (int l = 0; l < LEVELS && c->reference.pointwise[k]; l++) json_keeping(&j, c, k, contest_levels[l]);
    json_close(&j);
    json_open(&j, "methods", '[');
    for (int i = 0; i < c->curves; i++) json_curve(&j, r, i);
    json_close(&j);
    json_close(&j);
}

/* The text that `print` writes, as a file that is whole or not there. */
static cli_exit write_text(const folder *d, const char *name, void (*print)(FILE *, const bench_report *),
                           const bench_report *r)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    file *f = (file *)malloc(sizeof *f);
    cli_exit code = out && f ? EXIT_FINE : EXIT_OUTPUT;
    if (code != EXIT_FINE) cli_error("there is not enough memory to write %s/%s", d->path, name);
    if (out) {
        if (code == EXIT_FINE) print(out, r);
        fclose(out);
    }
    if (code == EXIT_FINE) code = folder_check_name(d, name);
    if (code == EXIT_FINE) code = file_create(f, d, name);
    if (code == EXIT_FINE) {
        code = file_append(f, text, bytes);
        if (code == EXIT_FINE) code = file_commit(f);
        file_close(f);
    }
    free(f);
    free(text);
    return code;
}

cli_exit bench_files(const bench_report *r, const char *prefix)
{
    static const struct {
        const char *end;
        void (*print)(FILE *, const bench_report *);
    } texts[] = {{".json", bench_json}, {"-precision.csv", bench_csv}, {"-drift.csv", bench_drift_csv}};
    char path[FILE_NAME] = ".", name[FILE_NAME];
    const char *slash = strrchr(prefix, '/'), *base = slash ? slash + 1 : prefix;
    folder d;
    if (slash) snprintf(path, sizeof path, "%.*s", slash == prefix ? 1 : (int)(slash - prefix), prefix);
    if (!*base || strlen(prefix) > FILE_NAME - 32) {
        cli_error("-o %s: a prefix of file names is expected, as in -o results/top", prefix);
        return EXIT_USAGE;
    }
    cli_exit code = folder_open(&d, path);
    if (code != EXIT_FINE) return code;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && code == EXIT_FINE; i++) {
        if (texts[i].print == bench_drift_csv && !r->drift) continue;
        snprintf(name, sizeof name, "%s%s", base, texts[i].end);
        code = write_text(&d, name, texts[i].print, r);
    }
    if (code == EXIT_FINE) code = bench_plots(r, &d, base);
    folder_close(&d);
    return code;
}
