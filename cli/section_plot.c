/* SPDX-License-Identifier: MIT */
/* section_plot.c: the picture of a section: one panel or several, a dot for every crossing, a colour for every orbit or
 * for the indicator of chaos.
 *
 * Hues go round by the golden angle, so that neighbours in number differ; the colours of an indicator run from dark to
 * light, evenly for the eye (viridis of Smith & van der Walt 2015, at five places).
 *
 * In a PNG with a colour for every orbit the dots of a panel are an image (canvas.h), whose pixels are those of the
 * picture; otherwise gnuplot draws them. */
#define _POSIX_C_SOURCE 200809L

#include "section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "json.h"

enum { DOTS_PNG = 1000000, DOTS_SVG = 60000, ROWS = 1024 };

/* Pixels: of one panel and the title; of what is around the axes of a panel. */
enum { PANEL_WIDTH = 800, PANEL_HEIGHT = 620, ALONE_WIDTH = 1100, ALONE_HEIGHT = 900, TITLE_HEIGHT = 60 };
enum { LEFT = 115, RIGHT = 40, ABOVE = 30, BELOW = 95 };

typedef struct picture {
    section *s;
    const output *rows;
    long long records, stride;
    double low[2], high[2]; /* of all panels */
    int across, down, width, height;
    int is_image;
    double size;                         /* of a dot */
    long long first[SECTION_PANELS + 1]; /* where the data of each panel begin, bytes */
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

/* Of the axes of a panel, pixels: size, and where they begin from the left and from above */
static int axes_width(const picture *p)
{
    return p->width / p->across - LEFT - RIGHT;
}

static int axes_height(const picture *p)
{
    return (p->height - TITLE_HEIGHT) / p->down - ABOVE - BELOW;
}

static void place(const picture *p, int k, int *left, int *top)
{
    *left = k % p->across * (p->width / p->across) + LEFT;
    *top = TITLE_HEIGHT + k / p->across * ((p->height - TITLE_HEIGHT) / p->down) + ABOVE;
}

static void add_dot(const picture *p, FILE *data, canvas *c, const double *row)
{
    if (!p->is_image) {
        int by_orbit = p->s->panel[0].plan->indicator == INDICATOR_NONE;
        double colour = by_orbit ? colour_of((long long)row[AT_ORBIT]) : colour_value(p->s, row);
        const float dot[3] = {(float)row[AT_X], (float)row[AT_Y], (float)colour};
        fwrite(dot, sizeof dot, 1, data);
        return;
    }
    double x = (row[AT_X] - p->low[0]) / (p->high[0] - p->low[0]) * c->width;
    double y = (row[AT_Y] - p->low[1]) / (p->high[1] - p->low[1]) * c->height;
    canvas_dot(c, x, y, 4.0 * p->size, colour_of((long long)row[AT_ORBIT]));
}

/* The panel `k` is complete: the next one begins. */
static void next_panel(picture *p, FILE *data, canvas *c, int k)
{
    if (p->is_image) {
        canvas_write(c, data);
        canvas_clear(c);
    }
    p->first[k + 1] = ftell(data);
}

/* The data of all panels. */
static cli_exit write_data(FILE *data, picture *p, canvas *c)
{
    size_t columns = (size_t)p->s->job.table.columns;
    double *values = (double *)malloc(ROWS * columns * sizeof *values);
    cli_exit code = values ? EXIT_FINE : EXIT_FAILED;
    int panel = 0;
    for (long long first = 0; first < p->records && code == EXIT_FINE; first += ROWS) {
        int n = p->records - first < ROWS ? (int)(p->records - first) : ROWS;
        code = output_npy_rows(p->rows, first, n, values);
        for (int i = 0; i < n && code == EXIT_FINE; i++) {
            const double *row = values + (size_t)i * columns;
            for (; panel + 1 < (int)row[AT_PANEL]; panel++) next_panel(p, data, c, panel);
            if (row[AT_POINT] > 0.0 && (p->is_image || (long long)row[AT_POINT] % p->stride == 0))
                add_dot(p, data, c, row);
        }
    }
    for (; panel < p->s->panels; panel++) next_panel(p, data, c, panel);
    free(values);
    return fflush(data) == 0 ? code : EXIT_FAILED;
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

/* "method rk4_q, step 0.05": what is special about a panel, from "method=rk4_q step=0.05"; without panels the
 * method. */
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

static void print_panel(FILE *out, const picture *p, int k)
{
    const section_panel *panel = &p->s->panel[k];
    int w = axes_width(p), h = axes_height(p), left, top;
    place(p, k, &left, &top);
    fprintf(out, "set lmargin at screen %.9g\nset rmargin at screen %.9g\n", (double)left / p->width,
            (double)(left + w) / p->width);
    fprintf(out, "set tmargin at screen %.9g\nset bmargin at screen %.9g\n", 1.0 - (double)top / p->height,
            1.0 - (double)(top + h) / p->height);
    fputs("set label 1 '", out);
    print_title(out, p->s, k);
    fputs("' at graph 0.5, graph 1.035 center noenhanced\n", out);
    if (p->s->summary[k].points == 0) {
        fputs("set label 2 'no crossing' at graph 0.5, graph 0.5 center\nplot NaN notitle\nunset label 2\n", out);
        return;
    }
    if (p->is_image) {
        double dx = (p->high[0] - p->low[0]) / w, dy = (p->high[1] - p->low[1]) / h;
        fprintf(out, "plot '" GNUPLOT_DATA "' binary array=(%d,%d) format='%%uchar' skip=%lld ", w, h, p->first[k]);
        fprintf(out, "origin=(%.9g,%.9g) dx=%.9g dy=%.9g with rgbimage notitle\n", p->low[0] + 0.5 * dx,
                p->low[1] + 0.5 * dy, dx, dy);
        return;
    }
    fprintf(out, "plot '" GNUPLOT_DATA "' binary format='%%float%%float%%float' skip=%lld record=%lld using 1:2:3 ",
            p->first[k], (p->first[k + 1] - p->first[k]) / (long long)(3 * sizeof(float)));
    fprintf(out, "with points pt 7 ps %g lc %s notitle\n", p->size,
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

static void choose_sizes(picture *p, const char *name)
{
    const section *s = p->s;
    long long most = strcmp(gnuplot_terminal(name), "svg") == 0 ? DOTS_SVG : DOTS_PNG;
    p->is_image = most == DOTS_PNG && s->panel[0].plan->indicator == INDICATOR_NONE;
    p->stride = 1 + (p->records - 1) / most;
    double points = (double)p->records / (double)(s->panels * (p->is_image ? 1 : p->stride));
    p->size = points < 2000 ? 0.4 : points > 20000 ? 0.16 : 0.25;
    p->across = (int)ceil(sqrt((double)s->panels));
    p->down = (s->panels + p->across - 1) / p->across;
    p->width = p->across == 1 ? ALONE_WIDTH : PANEL_WIDTH * p->across;
    p->height = TITLE_HEIGHT + (p->across == 1 ? ALONE_HEIGHT : PANEL_HEIGHT) * p->down;
}

static void print_terminal(FILE *out, const picture *p, const char *name)
{
    fprintf(out, "set terminal %s size %d,%d font 'sans,%d' background rgb 'white'\n", gnuplot_terminal(name), p->width,
            p->height, p->across == 1 ? 14 : 15);
}

static cli_exit print_script(FILE *out, const char *name, void *ctx)
{
    picture *p = (picture *)ctx;
    const section *s = p->s;
    const section_plan *plan = s->panel[0].plan;
    canvas c;
    if (!canvas_begin(&c, axes_width(p), axes_height(p))) return EXIT_FAILED;
    cli_exit code = write_data(s->gnuplot.data, p, &c);
    canvas_end(&c);
    if (code != EXIT_FINE) return code;
    print_terminal(out, p, name);
    fprintf(out, "set multiplot layout %d,%d title '%s' noenhanced\n", p->down, p->across, s->job.table.title);
    fprintf(out, "set xlabel '%s' noenhanced\nset ylabel '%s' noenhanced offset 1\n", plan->x_text, plan->y_text);
    fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", p->low[0], p->high[0], p->low[1], p->high[1]);
    fputs("set border front lc rgb '#444444'\nset tics out nomirror\nset key off\n", out);
    print_palette(out, s);
    for (int k = 0; k < s->panels; k++) print_panel(out, p, k);
    fputs("unset multiplot\n", out);
    return EXIT_FINE;
}

/* A picture that nobody sees, with text: fonts and all else are there then. */
void section_plot_begin(section *s, const char *name)
{
    picture p = {.s = s, .records = 1};
    char text[400] = "";
    choose_sizes(&p, name);
    FILE *out = fmemopen(text, sizeof text, "w");
    if (out) {
        print_terminal(out, &p, name);
        fputs("set output '/dev/null'\nset xlabel 'x'\nplot [0:1] [0:1] 2 notitle\nset output\n", out);
        fclose(out);
    }
    gnuplot_begin(&s->gnuplot, p.is_image ? text : 0);
}

cli_exit section_plot(void *ctx, const table *t, const folder *d, const char *name, const output *rows,
                      long long records, int *made)
{
    picture p = {.s = (section *)ctx, .rows = rows, .records = records};
    (void)t;
    choose_sizes(&p, name);
    choose_ranges(&p);
    return gnuplot_finish(&p.s->gnuplot, d, name, print_script, &p, made);
}
