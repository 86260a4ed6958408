/* SPDX-License-Identifier: MIT */
/* section_plot.c: the picture of a section: one panel or several, a dot for every crossing.
 *
 * An orbit that is regular, in its own panel or in the last one, has a colour, the same in all panels; the others are
 * grey and lie below. So a method that loses curves shows it: what is a line in the last panel is a cloud in its own.
 * The colours are told apart by people who are blind to one (Okabe & Ito 2008; Tol 2021). With an indicator of chaos
 * the dots have its colour, from dark to light, evenly for the eye (viridis of Smith & van der Walt 2015, at five
 * places).
 *
 * In a PNG with colours by orbit gnuplot draws what is around the dots, and the dots are painted (canvas.h): gnuplot
 * takes five microseconds for each. Otherwise gnuplot draws them, too. It is started while the orbits are computed. */
#define _POSIX_C_SOURCE 200809L

#include "cli/commands/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of indicators on a logarithmic scale: two variations may become one to the last bit. */
#define LEAST_SHOWN 1e-16

enum { FONT = 16, FONT_FIGURES = 13 };
enum { DOTS_PNG = 1000000, DOTS_SVG = 60000 };

/* Pixels: of one panel and the title; of what is around the axes of a panel. */
enum { PANEL_WIDTH = 860, PANEL_HEIGHT = 720, ALONE_WIDTH = 1100, ALONE_HEIGHT = 900, TITLE_HEIGHT = 80 };
enum { LEFT = 115, RIGHT = 40, RIGHT_COLOURS = 175, ABOVE = 65, BELOW = 95 };

#define GREY 0xB4B4B4u

typedef struct picture {
    section *s;
    const output *rows;
    long long records, stride;
    double low[2], high[2]; /* of all panels */
    int across, down, width, height;
    int is_painted;
    int is_above;                        /* the dots that are written now: the coloured ones, above the grey ones */
    double size;                         /* of a dot */
    long long bytes[SECTION_PANELS + 1]; /* where the data of each panel begin, if gnuplot draws the dots */
} picture;

/* Does the orbit (from 1) of panel k stay on a curve there, or in the last panel? */
static int is_coloured(const section *s, int k, long long orbit)
{
    const section_panel *last = &s->panel[s->panels - 1];
    if (!s->regular) return 0;
    return s->regular[s->panel[k].before + orbit - 1] ||
           (orbit <= last->plan->orbits && s->regular[last->before + orbit - 1]);
}

/* 0xRRGGBB */
static unsigned colour_of(const section *s, int k, long long orbit)
{
    static const unsigned colours[] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0x332288, 0xE69F00, 0x56B4E9, 0x882255};
    return is_coloured(s, k, orbit) ? colours[(size_t)orbit % (sizeof colours / sizeof colours[0])] : GREY;
}

/* Of the axes of a panel, pixels: size, and where they begin from the left and from above */
static int axes_width(const picture *p)
{
    int has_colours = p->s->panel[0].plan->indicator != INDICATOR_NONE;
    return p->width / p->across - LEFT - (has_colours ? RIGHT_COLOURS : RIGHT);
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

/* Inside the lines around it. */
static canvas_window window_of(const picture *p, int k)
{
    canvas_window w = {.width = axes_width(p), .height = axes_height(p)};
    place(p, k, &w.left, &w.top);
    return (canvas_window){w.left + 1, w.top + 1, w.width - 2, w.height - 2};
}

static void paint_dot(void *ctx, const double *row)
{
    picture *p = (picture *)ctx;
    const int k = (int)row[AT_PANEL] - 1;
    canvas_window w = window_of(p, k);
    double x = (row[AT_X] - p->low[0]) / (p->high[0] - p->low[0]) * (w.width + 2) - 1.0;
    double y = (row[AT_Y] - p->low[1]) / (p->high[1] - p->low[1]) * (w.height + 2) - 1.0;
    unsigned colour = colour_of(p->s, k, (long long)row[AT_ORBIT]);
    if (row[AT_POINT] > 0.0 && (colour != GREY) == p->is_above)
        canvas_dot(&p->s->canvas, &w, x, y, 4.0 * p->size, colour);
}

static cli_exit paint_panel(void *ctx, int k)
{
    picture *p = (picture *)ctx;
    return section_read(p->s, p->rows, k, paint_dot, p);
}

/* The grey dots, then those with a colour. */
static cli_exit paint_layers(picture *p)
{
    cli_exit code = EXIT_FINE;
    for (p->is_above = 0; p->is_above < 2 && code == EXIT_FINE; p->is_above++)
        code = team_each(&p->s->team, p->s->panels, paint_panel, p);
    return code;
}

/* Paint the dots into gnuplot's picture. */
static cli_exit paint(void *ctx, char **bytes, size_t *n)
{
    picture *p = (picture *)ctx;
    canvas *c = &p->s->canvas;
    char *png = 0;
    cli_exit code = EXIT_FAILED;
    if (canvas_read(c, *bytes, *n) && c->width == p->width && c->height == p->height) {
        code = paint_layers(p);
        if (code == EXIT_FINE) png = (char *)canvas_png(c, n);
    }
    canvas_end(c);
    if (png) {
        free(*bytes);
        *bytes = png;
    }
    if (!png && (code == EXIT_FINE || code == EXIT_FAILED))
        cli_warning("no plot was made: there is not enough memory to paint it");
    return png ? EXIT_FINE : code == EXIT_FINE ? EXIT_FAILED : code;
}

static void add_dot(void *ctx, const double *row)
{
    const picture *p = (const picture *)ctx;
    const section *s = p->s;
    const int k = (int)row[AT_PANEL] - 1;
    const long long orbit = (long long)row[AT_ORBIT];
    chaos_kind kind = s->panel[0].plan->indicator;
    double colour = kind == INDICATOR_NONE ? colour_of(s, k, orbit) : s->final[s->panel[k].before + orbit - 1];
    if (kind == INDICATOR_NONE && (colour != GREY) != p->is_above) return;
    if ((kind == INDICATOR_FLI || kind == INDICATOR_SALI) && colour < LEAST_SHOWN) colour = LEAST_SHOWN;
    const float dot[3] = {(float)row[AT_X], (float)row[AT_Y], (float)colour};
    if (row[AT_POINT] > 0.0 && (long long)row[AT_POINT] % p->stride == 0)
        fwrite(dot, sizeof dot, 1, p->s->gnuplot.data);
}

/* The dots of all panels, for gnuplot. */
static cli_exit write_dots(picture *p)
{
    FILE *data = p->s->gnuplot.data;
    const int layers = p->s->panel[0].plan->indicator == INDICATOR_NONE ? 2 : 1;
    cli_exit code = EXIT_FINE;
    for (int k = 0; k < p->s->panels && code == EXIT_FINE; k++) {
        for (p->is_above = 0; p->is_above < layers && code == EXIT_FINE; p->is_above++)
            code = section_read(p->s, p->rows, k, add_dot, p);
        p->bytes[k + 1] = ftell(data);
    }
    return code != EXIT_FINE || fflush(data) == 0 ? code : EXIT_FAILED;
}

/* The same colours in all panels. */
static void print_colour_range(FILE *out, const section *s, int is_logarithmic)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (long long i = 0; i < s->orbits && s->final; i++) {
        double value = is_logarithmic ? fmax(s->final[i], LEAST_SHOWN) : s->final[i];
        if (s->final[i] - s->final[i] == 0.0) low = fmin(low, value), high = fmax(high, value);
    }
    if (high > low) fprintf(out, "set cbrange [%.9g:%.9g]\n", low, high);
}

static void print_palette(FILE *out, const section *s)
{
    static const char *const titles[] = {"", "FLI", "SALI", "largest Lyapunov exponent [1/s]"};
    chaos_kind kind = s->panel[0].plan->indicator;
    if (kind == INDICATOR_NONE) return;
    fputs("set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#e8d21d')\n", out);
    fprintf(out, "set cblabel '%s' noenhanced offset 1.5\nset colorbox\n", titles[kind]);
    print_colour_range(out, s, kind != INDICATOR_LYAPUNOV);
    if (kind != INDICATOR_LYAPUNOV) fputs("set logscale cb\nset format cb '10^{%L}'\n", out);
    if (kind == INDICATOR_FLI) fputs("set format cb '%g'\n", out);
}

/* Its label, or "method rk4_q, step 0.05": what is special about a panel, from "method=rk4_q step=0.05"; of one alone
 * nothing. */
static void print_title(FILE *out, const section *s, int k)
{
    const char *text = s->panels > 1 ? s->job.s->section->panel[k] : "";
    char title[4 * EXPRESSION_LABEL] = "";
    size_t n = 0;
    for (const char *c = text; *c && n + 2 < sizeof title; c++) {
        const char *point = strchr(c, '.');
        int is_first = c == text || c[-1] == ' ';
        if (is_first && point && point < c + strcspn(c, "= ")) c = point + 1; /* without the name of the mapping */
        title[n] = *c;
        if (*c == '=') title[n] = ' ';
        if (*c == ' ') title[n] = ',';
        if (title[n++] == ',') title[n++] = ' ';
    }
    gnuplot_text(out, expression_behind_label(text) > text ? expression_label(text).text : title);
}

/* "energy 37 %", "|P| 2e-14": a largest relative distance */
static void print_spread(FILE *out, const char *before, const char *name, int length, double spread)
{
    fprintf(out, spread >= 1e-5 ? "%s%.*s %.2g %%" : "%s%.*s %.0e", before, length, name,
            spread >= 1e-5 ? 100.0 * spread : spread);
}

/* How far what should be constant was off, and how many orbits are regular, as in the table. */
static void print_figures(FILE *out, const section *s, int k)
{
    const section_summary *a = &s->summary[k];
    char *text = 0;
    size_t n = 0;
    FILE *line = open_memstream(&text, &n);
    if (!line) return;
    print_spread(line, "off by: ", "energy", 6, a->energy);
    for (int i = 0; i < s->fixed; i++) {
        const char *name = s->panel[k].plan->fixed_text[i];
        print_spread(line, ", ", name, section_name_length(name), a->fixed[i]);
    }
    fprintf(line, "; %lld of %lld orbits stay on curves", a->regular, a->orbits);
    fclose(line);
    gnuplot_text(out, text);
    free(text);
}

/* All orbits are known, and none of them has crossed. */
static int is_empty(const section *s, int k)
{
    return s->summary[k].orbits > 0 && s->summary[k].points == 0;
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
    fputs("set label 1 ", out);
    print_title(out, p->s, k);
    fprintf(out, " at graph 0.5, graph %.9g center noenhanced\n", 1.0 + 44.0 / h);
    fputs("set label 3 ", out);
    print_figures(out, p->s, k);
    fprintf(out, " at graph 0.5, graph %.9g center noenhanced font ',%d' tc rgb '#555555'\n", 1.0 + 18.0 / h,
            FONT_FIGURES);
    if (is_empty(p->s, k)) {
        fputs("set label 2 'no crossing' at graph 0.5, graph 0.5 center\nplot NaN notitle\nunset label 2\n", out);
        return;
    }
    if (p->is_painted) {
        fputs("plot NaN notitle\n", out);
        return;
    }
    fprintf(out, "plot '" GNUPLOT_DATA "' binary format='%%float%%float%%float' skip=%lld record=%lld using 1:2:3 ",
            p->bytes[k], (p->bytes[k + 1] - p->bytes[k]) / (long long)(3 * sizeof(float)));
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
    p->is_painted = most == DOTS_PNG && s->panel[0].plan->indicator == INDICATOR_NONE && canvas_is_there();
    p->stride = 1 + (p->records - 1) / most;
    double points = (double)p->records / (double)(s->panels * (p->is_painted ? 1 : p->stride));
    p->size = points < 2000 ? 0.4 : points > 20000 ? 0.16 : 0.25;
    p->across = (int)ceil(sqrt((double)s->panels));
    p->down = (s->panels + p->across - 1) / p->across;
    p->width = p->across == 1 ? ALONE_WIDTH : PANEL_WIDTH * p->across;
    p->height = TITLE_HEIGHT + (p->across == 1 ? ALONE_HEIGHT : PANEL_HEIGHT) * p->down;
}

static void print_terminal(FILE *out, const picture *p, const char *name)
{
    fprintf(out, "set terminal %s size %d,%d font 'sans,%d' background rgb 'white'\n", gnuplot_terminal(name), p->width,
            p->height, FONT);
}

static const char *in_the_last(const section *s)
{
    return s->panels > 1 ? ", here or in the last panel" : "";
}

/* The title, and what the colours mean. */
static void print_head(FILE *out, const picture *p)
{
    const section *s = p->s;
    fprintf(out, "set multiplot title '%s' noenhanced\n", s->job.table.title);
    if (s->panel[0].plan->indicator != INDICATOR_NONE) return;
    fprintf(out, "set label 4 'in colour: orbits that stay on curves%s; grey: all others'", in_the_last(s));
    fprintf(out, " at screen 0.5, screen %.9g center font ',%d' tc rgb '#555555'\n", 1.0 - 50.0 / p->height,
            FONT_FIGURES);
}

static cli_exit print_script(FILE *out, const char *name, void *ctx)
{
    picture *p = (picture *)ctx;
    const section *s = p->s;
    const section_plan *plan = s->panel[0].plan;
    cli_exit code = p->is_painted ? EXIT_FINE : write_dots(p);
    if (code != EXIT_FINE) return code;
    print_terminal(out, p, name);
    print_head(out, p);
    fputs("set xlabel ", out);
    gnuplot_text(out, expression_label(plan->x_text).text);
    fputs(" noenhanced\nset ylabel ", out);
    gnuplot_text(out, expression_label(plan->y_text).text);
    fputs(" noenhanced offset 1\n", out);
    fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", p->low[0], p->high[0], p->low[1], p->high[1]);
    fputs("set border front lc rgb '#444444'\nset tics out nomirror\nset key off\n", out);
    print_palette(out, s);
    for (int k = 0; k < s->panels; k++) {
        print_panel(out, p, k);
        fputs("unset label 4\n", out);
    }
    fputs("unset multiplot\n", out);
    return EXIT_FINE;
}

/* A picture that nobody sees, with text: gnuplot has its fonts then. */
void section_plot_begin(section *s, const char *name)
{
    picture p = {.s = s, .records = 1};
    char *text = 0;
    size_t n = 0;
    choose_sizes(&p, name);
    FILE *out = open_memstream(&text, &n);
    if (out) {
        print_terminal(out, &p, name);
        fputs("set output '/dev/null'\nset xlabel 'x'\nplot [0:1] [0:1] 2 notitle\nset output\n", out);
        fclose(out);
    }
    gnuplot_begin(&s->gnuplot, text);
    free(text);
}

cli_exit section_plot(void *ctx, const table *t, file *f, const output *rows, long long records, int *made)
{
    picture p = {.s = (section *)ctx, .rows = rows, .records = records};
    (void)t;
    choose_sizes(&p, f->name);
    choose_ranges(&p);
    return gnuplot_finish(&p.s->gnuplot, f, print_script, p.is_painted ? paint : 0, &p, made);
}
