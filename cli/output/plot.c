/* SPDX-License-Identifier: MIT */
/* plot.c: a picture of a run through gnuplot: attitude, body rates, error of energy and of momentum; with positions
 * also position and velocity.
 *
 * Of long runs some thousand records are drawn, evenly spaced. Colours: Okabe & Ito 2008, which people with
 * colour-blindness can tell apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/gnuplot.h"
#include "cli/base/phase.h"
#include "cli/output/output.h"

enum { POINTS = 4000, CURVES = 8, PANELS = 6 };

typedef struct panel {
    const char *title;
    char label[40];     /* of the vertical axis */
    int count;          /* of its curves */
    int column[CURVES]; /* of a row; negative: that component of the attitude, from -1 */
    int is_error;       /* drawn as difference from the first row */
} panel;

typedef struct picture {
    const table *table;
    const output *rows;
    long long records;
    int panels;
    panel panel[PANELS];
    double first[COLUMNS_MAX]; /* row */
    double q[4];               /* the last attitude: the next one is chosen near to it */
    const char *unit;          /* of time, for tick labels that are short */
    double seconds;            /* in it */
    double width;              /* of the lines: thin ones where there are many points, or they run together */
} picture;

/* Seconds, or what else makes a number of few digits of the length of the run. */
static void choose_time_unit(picture *p, double length)
{
    static const struct {
        const char *name;
        double seconds, from;
    } units[] = {{"years", 31557600.0, 1e8}, {"days", 86400.0, 1e6}, {"h", 3600.0, 3e4}, {"s", 1.0, 0.1},
                 {"ms", 1e-3, 1e-4},         {"us", 1e-6, 0.0}};
    int k = 0;
    while (!(fabs(length) >= units[k].from) && units[k].from > 0.0) k++;
    p->unit = units[k].name;
    p->seconds = units[k].seconds;
}

static panel *new_panel(picture *p, const char *title, const char *label)
{
    panel *made = &p->panel[p->panels++];
    *made = (panel){.title = title};
    snprintf(made->label, sizeof made->label, "%s", label);
    return made;
}

static void add_curve(panel *to, int column)
{
    if (to->count < CURVES) to->column[to->count++] = column;
}

/* The columns of a block with this unit, as a panel if there are any. */
static void add_block(picture *p, const char *title, const char *label, block b, const char *unit)
{
    const table *t = p->table;
    panel *made = 0;
    for (int i = t->start[b]; i < t->start[b + 1]; i++) {
        if (strcmp(t->unit[i], unit) != 0) continue;
        if (!made) made = new_panel(p, title, label);
        add_curve(made, i);
    }
}

static void add_momentum(picture *p)
{
    const table *t = p->table;
    int any = 0, kinds = 0;
    const char *unit = "";
    for (int i = t->start[BLOCK_SPATIAL]; i < t->start[BLOCK_SPATIAL + 1]; i++) any |= t->conserved[i];
    panel *made = new_panel(p, any ? "momentum error" : "momentum change", "");
    made->is_error = 1;
    for (int i = t->start[BLOCK_SPATIAL]; i < t->start[BLOCK_SPATIAL + 1]; i++) {
        if (any && !t->conserved[i]) continue;
        add_curve(made, i);
        if (kinds == 0 || strcmp(unit, t->unit[i]) != 0) kinds++;
        unit = t->unit[i];
    }
    snprintf(made->label, sizeof made->label, "%s", kinds > 1 ? "N m s, N s" : unit);
}

static void choose_panels(picture *p)
{
    const table *t = p->table;
    double q[4];
    int energy = t->start[BLOCK_ENERGY];
    if (table_attitude(t, q, p->first)) {
        panel *attitude = new_panel(p, "attitude (quaternion)", "");
        for (int i = 1; i <= 4; i++) add_curve(attitude, -i);
        add_block(p, "body angular velocity", "rad/s", BLOCK_VELOCITY, "rad/s");
        add_block(p, "position", "m", BLOCK_ELEMENT, "m");
        add_block(p, strcmp(t->from->group, "SE3") == 0 ? "body linear velocity" : "velocity", "m/s", BLOCK_VELOCITY,
                  "m/s");
    } else {
        panel *where = new_panel(p, "configuration", t->unit[t->start[BLOCK_ELEMENT + 1] - 1]);
        panel *rates = new_panel(p, "velocity", t->unit[t->start[BLOCK_VELOCITY + 1] - 1]);
        for (int i = t->start[BLOCK_ELEMENT]; i < t->start[BLOCK_ELEMENT + 1]; i++) add_curve(where, i);
        for (int i = t->start[BLOCK_VELOCITY]; i < t->start[BLOCK_VELOCITY + 1]; i++) add_curve(rates, i);
    }
    panel *e = new_panel(p, t->conserved[energy] ? "energy error" : "energy change", "J");
    e->is_error = 1;
    add_curve(e, energy);
    add_momentum(p);
}

/* One line of data: t and the value of every curve. */
static void print_row(FILE *out, picture *p, const double *row)
{
    double q[4] = {0, 0, 0, 0};
    if (table_attitude(p->table, q, row)) {
        lie_quat_near(q, q, p->q);
        memcpy(p->q, q, sizeof q);
    }
    fprintf(out, "%.9g", row[0] / p->seconds);
    for (int k = 0; k < p->panels; k++)
        for (int i = 0; i < p->panel[k].count; i++) {
            int c = p->panel[k].column[i];
            fprintf(out, " %.6g", c < 0 ? q[-c - 1] : p->panel[k].is_error ? row[c] - p->first[c] : row[c]);
        }
    fputc('\n', out);
}

static cli_exit print_data(FILE *out, picture *p, const output *rows, long long records)
{
    double row[COLUMNS_MAX];
    long long stride = 1 + (records - 1) / POINTS;
    memcpy(p->q, (double[4]){1, 0, 0, 0}, sizeof p->q);
    fputs("$run << END\n", out);
    for (long long i = 0; i < records; i = i < records - 1 && i + stride >= records ? records - 1 : i + stride) {
        cli_exit code = output_npy_rows(rows, i, 1, row);
        if (code == EXIT_FINE) code = phase_add(0.0);
        if (code != EXIT_FINE) return code;
        print_row(out, p, row);
    }
    fputs("END\n", out);
    return EXIT_FINE;
}

static void print_panel(FILE *out, const picture *p, const panel *which, int first)
{
    static const char *const colours[CURVES] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                "#E69F00", "#56B4E9", "#000000", "#999999"};
    char name[COLUMN_NAME];
    fprintf(out, "set label 1 '%s' at graph 0, graph 1.06 left noenhanced\nset ylabel '%s' noenhanced\n%s\nplot ",
            which->title, which->label,
            which->column[0] == p->table->start[BLOCK_ENERGY] ? "set key off" : "set key on");
    for (int i = 0; i < which->count; i++) {
        if (which->column[i] < 0)
            snprintf(name, sizeof name, "q%d", -which->column[i] - 1);
        else
            snprintf(name, sizeof name, "%s", p->table->name[which->column[i]]);
        fprintf(out, "%s$run using 1:%d with lines lw %g lc rgb '%s' title '%s'", i > 0 ? ", " : "", first + i,
                p->width, colours[i], name);
    }
    fputc('\n', out);
}

static cli_exit print_script(FILE *out, picture *p, const output *rows, long long records, const char *name)
{
    int rows_of_panels = (p->panels + 1) / 2, column = 2;
    cli_exit code = print_data(out, p, rows, records);
    if (code != EXIT_FINE) return code;
    fprintf(out, "set terminal %s size 1200,%d font 'sans,12' background rgb 'white'\n", gnuplot_terminal(name),
            60 + 400 * rows_of_panels);
    fprintf(out, "set multiplot layout %d,2 title '%s' noenhanced\n", rows_of_panels, p->table->title);
    fprintf(out, "set xlabel 't [%s]'\n", p->unit);
    fputs("set grid lc rgb '#DDDDDD' lt 1\nset border lc rgb '#444444'\n"
          "set lmargin 13\nset rmargin 3\nset tmargin 3\nset xrange [*:*] noextend\n"
          "set key horizontal at graph 1, graph 1.1 right noenhanced reverse Left samplen 1 font ',10'\n",
          out);
    for (int k = 0; k < p->panels; k++) {
        print_panel(out, p, &p->panel[k], column);
        column += p->panel[k].count;
    }
    fputs("unset multiplot\n", out);
    return EXIT_FINE;
}

static cli_exit print_picture(FILE *out, const char *name, void *ctx)
{
    picture *p = (picture *)ctx;
    return print_script(out, p, p->rows, p->records, name);
}

cli_exit plot_make(void *ctx, const table *t, file *f, const output *rows, long long records, int *made)
{
    (void)ctx;
    picture *p = (picture *)calloc(1, sizeof *p);
    *made = 0;
    if (!p) {
        cli_error("there is not enough memory to draw %s/%s", f->in->path, f->name);
        return EXIT_OUTPUT;
    }
    p->table = t, p->rows = rows, p->records = records;
    cli_exit code = output_npy_rows(rows, 0, 1, p->first);
    if (code == EXIT_FINE) {
        choose_panels(p);
        p->width = records > 1000 ? 0.8 : 1.5;
        choose_time_unit(p, t->from->step * (double)t->from->steps);
        code = gnuplot_draw(f, print_picture, p, made);
    }
    free(p);
    return code;
}
