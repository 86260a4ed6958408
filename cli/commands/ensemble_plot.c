/* SPDX-License-Identifier: MIT */
/* ensemble_plot.c: the picture of an ensemble: for every expression the bands between its outer and its inner
 * percentiles over time, the median, and the mean. Colours: Okabe & Ito 2008. */
#include "cli/base/gnuplot.h"
#include "cli/commands/ensemble.h"

static void print_data(FILE *out, const ensemble *e, int i)
{
    fprintf(out, "$w%d << END\n", i + 1);
    for (int k = 0; k < e->shows; k++) {
        const distribution *d = &e->shown[k].of[i];
        fprintf(out, "%.9g %.7g", e->shown[k].time, d->mean);
        for (int p = 0; p < ENSEMBLE_PERCENTILES; p++) fprintf(out, " %.7g", d->percentile[p]);
        fputc('\n', out);
    }
    fputs("END\n", out);
}

static void print_panel(FILE *out, const ensemble *e, int i)
{
    const ensemble_plan *p = e->job.s->ensemble;
    fputs("set ylabel ", out);
    gnuplot_text(out, expression_label(p->watch_text[i]).text);
    fprintf(out, " noenhanced offset 1\n%s\n", i == 0 ? "set key on" : "set key off");
    fprintf(out,
            "plot $w%d using 1:3:7 with filledcurves fc rgb '#C6DDF0' title '%g to %g %%', "
            "$w%d using 1:4:6 with filledcurves fc rgb '#86B7DD' title '%g to %g %%', "
            "$w%d using 1:5 with lines lw 1.6 lc rgb '#0072B2' title '%g %%', "
            "$w%d using 1:2 with lines lw 1.3 dt 2 lc rgb '#D55E00' title 'mean'\n",
            i + 1, p->percentile[0], p->percentile[4], i + 1, p->percentile[1], p->percentile[3], i + 1,
            p->percentile[2], i + 1);
}

static cli_exit print_script(FILE *out, const char *name, void *ctx)
{
    const ensemble *e = (const ensemble *)ctx;
    int n = e->job.s->ensemble->watched, across = n > 1 ? 2 : 1, down = (n + across - 1) / across;
    for (int i = 0; i < n; i++) print_data(out, e, i);
    fprintf(out, "set terminal %s size %d,%d font 'sans,13' background rgb 'white'\n", gnuplot_terminal(name),
            across == 1 ? 1000 : 1400, 70 + (across == 1 ? 600 : 420) * down);
    fprintf(out, "set multiplot layout %d,%d title '%s' noenhanced\nset xlabel 't [s]'\n", down, across,
            e->job.table.title);
    fputs("set border lc rgb '#444444'\nset tics out nomirror\nset tmargin 2.6\nset xrange [*:*] noextend\n"
          "set key horizontal at graph 1, graph 1.1 right samplen 1.5 font ',10'\n",
          out);
    for (int i = 0; i < n; i++) print_panel(out, e, i);
    fputs("unset multiplot\n", out);
    return EXIT_FINE;
}

cli_exit ensemble_plot(void *ctx, const table *t, file *f, const output *rows, long long records, int *made)
{
    const ensemble *e = (const ensemble *)ctx;
    (void)t, (void)rows, (void)records;
    *made = 0;
    if (e->counted == 0) return EXIT_FINE;
    return gnuplot_draw(f, print_script, ctx, made);
}
