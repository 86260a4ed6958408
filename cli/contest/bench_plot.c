/* SPDX-License-Identifier: MIT */
/* bench_plot.c: pictures of a bench: what precision costs, and what drifts; see bench.h.
 *
 * Ours are solid lines with filled markers, the others dashed with open ones, so that a grey print can be read; colours
 * of Okabe & Ito 2008. Drawn are the methods that are the cheapest somewhere, and the best two of each library. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <string.h>

#include "cli/base/gnuplot.h"
#include "cli/contest/bench.h"

enum { MOST = 6, PANELS = 3, WIDTH = 560, LEGEND = 250, HEIGHT = 520 };

typedef struct picture {
    const bench_report *report;
    int count, curve[2 * MOST];
} picture;

/* How many of this library are in the list already? */
static int of_library(const contest *c, const char *library, int n, const int *list)
{
    int found = 0;
    for (int i = 0; i < n; i++) found += strcmp(c->curve[list[i]].by.library, library) == 0;
    return found;
}

static int is_in(int wanted, int n, const int *list)
{
    for (int i = 0; i < n; i++)
        if (list[i] == wanted) return 1;
    return 0;
}

/* The cheapest of one side at an error and time that is not in the list and may be; -1: none. */
static int cheapest(const contest *c, int rival, int k, double error, int n, const int *list)
{
    double best = HUGE_VAL;
    int found = -1;
    for (int i = 0; i < c->curves; i++) {
        if (c->curve[i].by.rival != rival || is_in(i, n, list)) continue;
        if (rival && of_library(c, c->curve[i].by.library, n, list) >= 2) continue;
        double ns = contest_cost(c, i, k, error);
        if (ns < best) best = ns, found = i;
    }
    return found;
}

int bench_choose(const contest *c, int rival, int most, int *list)
{
    int n = 0, before = -1;
    while (n < most && n != before) {
        before = n;
        for (int l = LEVELS - 1; l >= 0; l--)
            for (int k = 0; k < c->reference.times && n < most; k++) {
                int found = c->reference.pointwise[k] ? cheapest(c, rival, k, contest_levels[l], n, list) : -1;
                if (found >= 0) list[n++] = found;
            }
    }
    return n;
}

/* "with linespoints ..." of the i-th curve drawn; `own` counts those of its side. */
static void print_style(FILE *out, const contender *by, int own, int lines)
{
    static const char *const colours[2][MOST] = {{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"},
                                                 {"#000000", "#777777", "#882255", "#117733", "#332288", "#AA4499"}};
    static const int filled[MOST] = {7, 5, 9, 11, 13, 15}, open[MOST] = {6, 4, 8, 10, 12, 14};
    fprintf(out, "with linespoints lc rgb '%s' lw 1.6 dt %d pt %d ps 0.9%s title '%s' noenhanced",
            colours[by->rival][own % MOST], by->rival ? 2 + own % 4 : 1,
            by->rival ? open[own % MOST] : filled[own % MOST], lines ? " pointinterval 9" : "", by->name);
}

/* Panel k of n: where it stands, and a letter with what it shows. The legend is right of the last one. */
static void print_frame(FILE *out, int k, int n, const char *what)
{
    double whole = n * WIDTH + LEGEND, left = (k * WIDTH + 85.0) / whole, right = ((k + 1) * WIDTH - 12.0) / whole;
    fprintf(out,
            "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset bmargin at screen 0.13\n"
            "set tmargin at screen 0.93\nset label 1 '(%c) %s' at graph 0, graph 1.035 left noenhanced\n",
            left, right, 'a' + k, what);
    if (k == n - 1)
        fprintf(out,
                "set key at screen %.4f, screen 0.94 left top vertical Left reverse samplen 3 spacing 1.15 width -2\n",
                right + 0.012);
    else
        fputs("set key off\n", out);
}

static void print_head(FILE *out, const char *name, int panels)
{
    fprintf(out, "set encoding utf8\nset terminal %s size %d,%d font 'sans,12' background rgb 'white'\nset multiplot\n",
            gnuplot_terminal(name), panels * WIDTH + LEGEND, HEIGHT);
    fputs("set logscale xy\nset format xy '10^{%L}'\nset grid lc rgb '#DDDDDD' lt 1\nset border lc rgb '#444444'\n",
          out);
}

static void print_points(FILE *out, const contest *c, const curve *of, int i, int k)
{
    fprintf(out, "$c%d_%d << END\n", k, i);
    for (int j = 0; j < of->points; j++) {
        const point *p = &of->point[j];
        double e = errors_main(&c->reference, &p->at[k]);
        if (p->status == LIE_OK && e > 1e-13 && e < 1.0 && p->ns > 0.0) fprintf(out, "%.6g %.6g\n", e, p->ns / 1e3);
    }
    fputs("1e-30 1e-30\nEND\n", out); /* out of sight, so that no block is empty */
}

/* One panel per time: processor time against error. */
static cli_exit precision_script(FILE *out, const char *name, void *ctx)
{
    const picture *p = (const picture *)ctx;
    const contest *c = p->report->contest;
    int shown[PANELS], panels = 0;
    char what[64];
    for (int k = 0; k < c->reference.times && panels < PANELS; k++)
        if (c->reference.pointwise[k]) shown[panels++] = k;
    for (int k = 0; k < panels; k++)
        for (int i = 0; i < p->count; i++) print_points(out, c, &c->curve[p->curve[i]], i, shown[k]);
    print_head(out, name, panels);
    fprintf(out, "set xlabel '%s'\nset ylabel 'processor time per simulated second [\302\265s/s]'\n",
            c->reference.model.attitude ? "error of the attitude [rad]" : "error of the position [m]");
    fputs("set xrange [1e-13:1]\nset yrange [1e-3<*:*]\n", out);
    for (int k = 0; k < panels; k++) {
        int own[2] = {0, 0};
        snprintf(what, sizeof what, "t = %g s", c->reference.t[shown[k]]);
        print_frame(out, k, panels, what);
        fputs("plot ", out);
        for (int i = 0; i < p->count; i++) {
            const contender *by = &c->curve[p->curve[i]].by;
            fprintf(out, "%s$c%d_%d using ($1 > 1e-20 ? $1 : NaN):2 ", i ? ", " : "", shown[k], i);
            print_style(out, by, own[by->rival]++, 0);
        }
        fputc('\n', out);
    }
    fputs("unset multiplot\n", out);
    return EXIT_FINE;
}

/* Largest error so far, of energy and of momentum. */
static void print_drift(FILE *out, const drift *d, int i)
{
    double energy = 1e-18, momentum = 1e-18;
    fprintf(out, "$d%d << END\n", i);
    for (int k = 0; k < d->samples; k++) {
        energy = fmax(energy, fabs(d->energy[k]));
        momentum = fmax(momentum, fabs(d->momentum[k]));
        fprintf(out, "%.6g %.6g %.6g\n", d->t[k], energy, momentum);
    }
    fputs("END\n", out);
}

static cli_exit drift_script(FILE *out, const char *name, void *ctx)
{
    const picture *p = (const picture *)ctx;
    const contest *c = p->report->contest;
    int momentum = 0;
    for (int i = 0; i < c->reference.model.dim; i++) momentum |= c->reference.conserves_momentum[i];
    int energy = c->reference.conserves_energy, panels = energy + momentum;
    for (int i = 0; i < p->count; i++) print_drift(out, &p->report->drift[p->curve[i]], i);
    print_head(out, name, panels);
    fputs("set xlabel 'time [s]'\nunset logscale x\nset format x '%.0s%c'\nset xrange [0:*] noextend\nset yrange "
          "[1e-17:*]\n",
          out);
    for (int k = 0; k < panels; k++) {
        int own[2] = {0, 0}, is_energy = energy && k == 0;
        fprintf(out, "set ylabel 'largest relative error so far'\n");
        print_frame(out, k, panels, is_energy ? "energy" : "momentum, what of it is conserved");
        fputs("plot ", out);
        for (int i = 0; i < p->count; i++) {
            const contender *by = &c->curve[p->curve[i]].by;
            fprintf(out, "%s$d%d using 1:%d ", i ? ", " : "", i, is_energy ? 2 : 3);
            print_style(out, by, own[by->rival]++, 1);
        }
        fputc('\n', out);
    }
    fputs("unset multiplot\n", out);
    return EXIT_FINE;
}

/* Is it unlike those in the list? One of each library and order is enough. */
static int is_news(const contest *c, int at, int n, const int *list)
{
    const contender *by = &c->curve[at].by;
    for (int i = 0; i < n; i++) {
        const contender *other = &c->curve[list[i]].by;
        if (other->order == by->order && strcmp(other->library, by->library) == 0) return 0;
    }
    return 1;
}

/* Those of one side that made the long run: the chosen ones first, then those that came to its end. */
static int choose_drift(const bench_report *r, int rival, int most, int *list)
{
    const contest *c = r->contest;
    int all[CONTENDERS_MAX], n = 0, chosen = bench_choose(c, rival, CONTENDERS_MAX, all);
    for (int i = 0; i < chosen && n < most; i++)
        if (r->drift[all[i]].samples > 1 && (!rival || is_news(c, all[i], n, list))) list[n++] = all[i];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < c->curves && n < most; i++) {
            int whole = r->drift[i].steps >= r->drift_steps;
            if (c->curve[i].by.rival != rival || r->drift[i].samples < 2 || !(whole || pass > 0)) continue;
            if (is_news(c, i, n, list)) list[n++] = i;
        }
    return n;
}

static cli_exit draw_both(const folder *d, const char *prefix, const char *what, gnuplot_script *script, picture *p)
{
    static const char *const ends[2] = {"svg", "png"};
    cli_exit code = EXIT_FINE;
    int made = 1;
    for (int i = 0; i < 2 && code == EXIT_FINE && made; i++) {
        char name[FILE_NAME];
        snprintf(name, sizeof name, "%s-%s.%s", prefix, what, ends[i]);
        code = gnuplot_picture(d, name, script, p, &made);
    }
    return code;
}

cli_exit bench_plots(const bench_report *r, const folder *d, const char *prefix)
{
    const reference *ref = &r->contest->reference;
    picture p = {.report = r};
    cli_exit code = EXIT_FINE;
    int conserved = ref->conserves_energy;
    for (int i = 0; i < ref->model.dim; i++) conserved |= ref->conserves_momentum[i];
    p.count = bench_choose(r->contest, 0, MOST, p.curve);
    p.count += bench_choose(r->contest, 1, MOST, p.curve + p.count);
    if (p.count > 0) code = draw_both(d, prefix, "precision", precision_script, &p);
    if (code != EXIT_FINE || !r->drift || !conserved) return code;
    p.count = choose_drift(r, 0, MOST, p.curve);
    p.count += choose_drift(r, 1, MOST, p.curve + p.count);
    return p.count > 0 ? draw_both(d, prefix, "drift", drift_script, &p) : EXIT_FINE;
}
