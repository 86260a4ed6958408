/* SPDX-License-Identifier: MIT */
/* section_plot.c: the picture of a section: one panel or several, a dot for every crossing, a colour for every orbit or
 * for the indicator of chaos.
 *
 * Hues go round by the golden angle, so that neighbours in number differ; the colours of an indicator run from dark to
 * light, evenly for the eye (viridis of Smith & van der Walt 2015, at five places). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "json.h"
#include "section.h"

enum { DOTS_PNG = 1000000, DOTS_SVG = 60000, ROWS = 1024 };

typedef struct picture {
    const section *s;
    const output *rows;
    long long records, stride;
    double low[2], high[2]; /* of all panels */
} picture;

/* 0xRRGGBB of a hue in [0, 1), dark enough for white paper */
static unsigned colour_of(long long orbit)
{
    double hue = 6.0 * fmod(0.6180339887498949 * (double)orbit + 0.58, 1.0), value = orbit % 2 ? 0.55 : 0.80;
    unsigned rgb = 0;
    for (int i = 0; i < 3; i++) {
        double k = fmod(5.0 - 2.0 * i + hue, 6.0), dip = fmax(0.0, fmin(fmin(k, 4.0 - k), 1.0));
        rgb = rgb << 8 | (unsigned)(255.0 * value * (1.0 - 0.92 * dip) + 0.5);
    }
    return rgb;
}

static double colour_value(const section *s, const double *row)
{
    chaos_kind kind = s->panel[0].plan->indicator;
    return kind == INDICATOR_NONE ? 0.0 : row[AT_CHAOS + (int)kind - 1];
}

static void print_dot(FILE *out, const section *s, const double *row)
{
    if (s->panel[0].plan->indicator == INDICATOR_NONE)
        fprintf(out, "%.5g %.5g %u\n", row[AT_X], row[AT_Y], colour_of((long long)row[AT_ORBIT]));
    else
        fprintf(out, "%.5g %.5g %.5g\n", row[AT_X], row[AT_Y], colour_value(s, row));
}

/* The dots of all panels, each a block of data of its own. */
static cli_exit print_data(FILE *out, const picture *p)
{
    size_t columns = (size_t)p->s->job.table.columns;
    double *values = (double *)malloc(ROWS * columns * sizeof *values);
    cli_exit code = values ? EXIT_FINE : EXIT_FAILED;
    int open = 0;
    for (long long first = 0; first < p->records && code == EXIT_FINE; first += ROWS) {
        int n = p->records - first < ROWS ? (int)(p->records - first) : ROWS;
        code = output_npy_rows(p->rows, first, n, values);
        for (int i = 0; i < n && code == EXIT_FINE; i++) {
            const double *row = values + (size_t)i * columns;
            while (open < (int)row[AT_PANEL])
                fprintf(out, "%s$p%d << END\n", open > 0 ? "END\n" : "", open + 1), open++;
            if (row[AT_POINT] > 0.0 && (long long)row[AT_POINT] % p->stride == 0) print_dot(out, p->s, row);
        }
    }
    while (open < p->s->panels) fprintf(out, "%s$p%d << END\n", open > 0 ? "END\n" : "", open + 1), open++;
    fputs("END\n", out);
    free(values);
    return code;
}

static void print_palette(FILE *out, const section *s)
{
    static const char *const titles[] = {"", "FLI", "SALI", "largest Lyapunov exponent [1/s]"};
    chaos_kind kind = s->panel[0].plan->indicator;
    if (kind == INDICATOR_NONE) return;
    fputs("set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#e8d21d')\n", out);
    fprintf(out, "set cblabel '%s' noenhanced\nset colorbox\n", titles[kind]);
    if (kind != INDICATOR_LYAPUNOV) fputs("set logscale cb\nset format cb '10^{%L}'\n", out);
    if (kind == INDICATOR_FLI) fputs("set format cb '%g'\n", out);
}

/* "method rk4_q, step 0.05": what is special about a panel, from "method=rk4_q step=0.05"; without panels the method.
 * */
static void print_title(FILE *out, const section *s, int k)
{
    char h[JSON_NUMBER];
    if (s->panels == 1) {
        fprintf(out, "%s, h = %s s", s->panel[k].s->options.method, json_shortest(h, s->panel[k].s->step));
        return;
    }
    for (const char *c = s->job.s->section->panel[k]; *c; c++) {
        const char *point = strchr(c, '.');
        int is_first = c == s->job.s->section->panel[k] || c[-1] == ' ';
        if (is_first && point && point < c + strcspn(c, "= ")) c = point + 1; /* without the name of the mapping */
        fputs(*c == '=' ? " " : *c == ' ' ? ", " : *c == ',' ? ", " : *c == '\'' ? "\"" : (char[2]){*c, 0}, out);
    }
}

static void print_panel(FILE *out, const picture *p, int k, double size)
{
    const section_panel *panel = &p->s->panel[k];
    fputs("set label 1 '", out);
    print_title(out, p->s, k);
    fputs("' at graph 0.5, graph 1.035 center noenhanced\n", out);
    if (p->s->summary[k].points == 0) {
        fputs("set label 2 'no crossing' at graph 0.5, graph 0.5 center\nplot NaN notitle\nunset label 2\n", out);
        return;
    }
    fprintf(out, "plot $p%d using 1:2:3 with points pt 7 ps %g lc %s notitle\n", k + 1, size,
            panel->plan->indicator == INDICATOR_NONE ? "rgb variable" : "palette");
}

static void choose_ranges(picture *p)
{
    const section *s = p->s;
    const double *given[2] = {s->panel[0].plan->xrange, s->panel[0].plan->yrange};
    for (int i = 0; i < 2; i++) {
        p->low[i] = HUGE_VAL, p->high[i] = -HUGE_VAL;
        for (int k = 0; k < s->panels; k++) {
            p->low[i] = fmin(p->low[i], s->summary[k].low[i]);
            p->high[i] = fmax(p->high[i], s->summary[k].high[i]);
        }
        double margin = 0.03 * (p->high[i] - p->low[i]);
        if (!(p->high[i] >= p->low[i])) p->low[i] = 0.0, p->high[i] = 1.0, margin = 0.0;
        if (p->high[i] == p->low[i]) margin = 0.5 + 0.1 * fabs(p->low[i]);
        p->low[i] -= margin, p->high[i] += margin;
        if (given[i]) p->low[i] = given[i][0], p->high[i] = given[i][1];
    }
}

static cli_exit print_script(FILE *out, const char *name, void *ctx)
{
    const picture *p = (const picture *)ctx;
    const section *s = p->s;
    const section_plan *plan = s->panel[0].plan;
    int across = (int)ceil(sqrt((double)s->panels)), down = (s->panels + across - 1) / across;
    int width = across == 1 ? 1100 : 800 * across, height = 60 + (across == 1 ? 900 : 620) * down;
    double points = (double)p->records / (double)(s->panels * p->stride), size = points > 20000 ? 0.16 : 0.25;
    cli_exit code = print_data(out, p);
    if (code != EXIT_FINE) return code;
    fprintf(out, "set terminal %s size %d,%d font 'sans,%d' background rgb 'white'\n", gnuplot_terminal(name), width,
            height, across == 1 ? 14 : 15);
    fprintf(out, "set multiplot layout %d,%d title '%s' noenhanced\n", down, across, s->job.table.title);
    fprintf(out, "set xlabel '%s' noenhanced\nset ylabel '%s' noenhanced offset 1\n", plan->x_text, plan->y_text);
    fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", p->low[0], p->high[0], p->low[1], p->high[1]);
    fputs("set border lc rgb '#444444'\nset tics out nomirror\nset tmargin 2.6\nset key off\n", out);
    print_palette(out, s);
    for (int k = 0; k < s->panels; k++) print_panel(out, p, k, points < 2000 ? 0.4 : size);
    fputs("unset multiplot\n", out);
    return EXIT_FINE;
}

cli_exit section_plot(void *ctx, const table *t, const folder *d, const char *name, const output *rows,
                      long long records, int *made)
{
    picture p = {.s = (const section *)ctx, .rows = rows, .records = records};
    long long most = strcmp(gnuplot_terminal(name), "svg") == 0 ? DOTS_SVG : DOTS_PNG;
    (void)t;
    p.stride = 1 + (records - 1) / most;
    choose_ranges(&p);
    return gnuplot_draw(d, name, print_script, &p, made);
}
