/* SPDX-License-Identifier: MIT */
/* summary.c: see summary.h.
 *
 * J' = Ad*_{g^-1}(F + f): a component of the spatial momentum J is conserved where no force acts along it (Noether).
 * So the forces are looked at in a few states around the start. Casimirs are functions of J and constant where all of
 * J is. Errors are over the records of a run. */
#include "cli/work/summary.h"

#include <math.h>
#include <string.h>

enum { PROBES = 5 };

/* Numbers in (-1, 1) without a pattern: multiples of the golden section, modulo 1. */
static double spread(int i)
{
    double x = 0.6180339887498949 * (double)(i + 1);
    return 2.0 * (x - floor(x)) - 1.0;
}

/* How far to move lengths: as far as the start is from the origin, and a metre. */
static double reach(const table *t)
{
    const double *g = t->from->start.g;
    double far = 0.0;
    for (int i = t->start[BLOCK_ELEMENT]; i < t->start[BLOCK_VELOCITY]; i++)
        if (strcmp(t->unit[i], "m") == 0) far = fmax(far, fabs(g[i - t->start[BLOCK_ELEMENT]]));
    return 1.0 + far;
}

/* A state around the start: attitude and velocity moved by up to one radian, radian per second, ... */
static int probe(const table *t, int k, double *g, double *xi, double *time)
{
    const scenario *s = t->from;
    const lie_ops *G = t->group;
    double x[LIE_DIM_MAX], step[LIE_SIZE_MAX];
    if (lie_state_velocity(&s->system, xi, &s->start) != LIE_OK) return 0;
    for (int i = 0; i < G->dim; i++) {
        int is_length = strcmp(t->unit[t->start[BLOCK_VELOCITY] + i], "m/s") == 0;
        x[i] = 0.9 * spread(G->dim * k + i) * (is_length ? reach(t) : 1.0);
        xi[i] += spread(G->dim * (k + PROBES) + i);
    }
    if (G->tau(G, step, x) != LIE_OK) return 0;
    G->mul(G, g, s->start.g, step);
    *time = s->start.t + 3.7 * k;
    return 1;
}

/* Clear the marks of what changes at one state. */
static void probe_forces(table *t, const double *g, const double *xi, double time)
{
    const scenario *s = t->from;
    const lie_ops *G = t->group;
    double F[LIE_DIM_MAX], f[LIE_DIM_MAX], rate[LIE_DIM_MAX] = {0.0}, size[LIE_DIM_MAX] = {0.0}, power = 0.0,
                                           scale = 0.0;
    int n = G->dim, *conserved = t->conserved + t->start[BLOCK_SPATIAL];
    lie_system_force(&s->system, F, g, xi);
    lie_system_external(&s->system, f, time, g, xi, s->u);
    for (int i = 0; i < n; i++) power += f[i] * xi[i], scale += fabs(f[i] * xi[i]);
    if (!(fabs(power) <= 1e-9 * scale)) t->conserved[t->start[BLOCK_ENERGY]] = 0;
    /* component by component, so that the size of what cancels is known */
    for (int j = 0; j < n; j++) {
        double one[LIE_DIM_MAX] = {0.0}, part[LIE_DIM_MAX];
        one[j] = F[j] + f[j];
        table_spatial(t, part, g, one);
        for (int i = 0; i < n; i++) rate[i] += part[i], size[i] += fabs(part[i]);
    }
    for (int i = 0; i < n; i++)
        if (!(fabs(rate[i]) <= 1e-9 * size[i])) conserved[i] = 0;
}

void summary_find_conserved(table *t)
{
    double g[LIE_SIZE_MAX], xi[LIE_DIM_MAX], time;
    int first = t->start[BLOCK_ENERGY];
    for (int i = first; i < t->columns; i++) t->conserved[i] = 1;
    for (int k = 0; k < PROBES; k++) {
        if (probe(t, k, g, xi, &time))
            probe_forces(t, g, xi, time);
        else
            for (int i = first; i < t->columns; i++) t->conserved[i] = 0;
    }
}

static int casimirs(const table *t)
{
    int n = t->group->casimir ? t->group->casimirs : 0;
    return n < LIE_DIM_MAX ? n : LIE_DIM_MAX;
}

int summary_watches(const table *t)
{
    return 1 + t->group->dim + casimirs(t);
}

void summary_watch(checkpoint *c, const table *t, const double *row, const lie_state *s)
{
    double value[CHECKPOINT_WATCHED], C[LIE_DIM_MAX] = {0};
    int n = 1 + t->group->dim;
    memcpy(value, row + t->start[BLOCK_ENERGY], (size_t)n * sizeof *value);
    if (casimirs(t) == t->group->casimirs) lie_state_casimirs(&t->from->system, C, s);
    for (int i = 0; i < casimirs(t); i++) value[n + i] = C[i];
    for (int i = 0; i < c->watches; i++) {
        watched *w = &c->watch[i];
        if (c->records == 0) *w = (watched){value[i], value[i], 0.0};
        w->last = value[i];
        double off = fabs(value[i] - w->first);
        if (!(off <= w->worst)) w->worst = off;
    }
}

/* The size of the values of column i and its like (spatial momentum of the same unit) at the start. */
static double scale_of(const checkpoint *c, const table *t, int i)
{
    int first = t->start[BLOCK_ENERGY];
    double sum = 0.0;
    if (i == 0 || i > t->group->dim) return fabs(c->watch[i].first);
    for (int k = 1; k <= t->group->dim; k++)
        if (strcmp(t->unit[first + k], t->unit[first + i]) == 0) sum += c->watch[k].first * c->watch[k].first;
    return sqrt(sum);
}

static void print_watch(const checkpoint *c, const table *t, int i, const char *name, const char *unit)
{
    const watched *w = &c->watch[i];
    double scale = scale_of(c, t, i);
    printf("  %-9s %-5s %24.16g  %9.2e  %10.2e", name, unit, w->first, w->worst, w->last - w->first);
    if (scale > 0.0)
        printf("  %9.2e\n", w->worst / scale);
    else
        printf("  %9s\n", "-");
}

/* "J1, J2" : those that the system does not conserve */
static void print_not_conserved(const table *t)
{
    int n = 0;
    for (int i = t->start[BLOCK_SPATIAL]; i < t->columns; i++) {
        if (t->conserved[i]) continue;
        printf("%s%s", n++ == 0 ? "  not conserved by this system: " : ", ", t->name[i]);
    }
    if (!t->conserved[t->start[BLOCK_ENERGY]])
        printf("%senergy (force)", n++ == 0 ? "  not conserved by this system: " : ", ");
    if (n > 0) putchar('\n');
}

static void print_conserved(const checkpoint *c, const table *t)
{
    char name[COLUMN_NAME];
    int first = t->start[BLOCK_ENERGY], all = 1;
    printf("  %-9s %-5s %24s  %9s  %10s  %9s\n", "conserved", "", "at the start", "error max", "final", "relative");
    for (int i = 0; i <= t->group->dim; i++) {
        all &= i == 0 || t->conserved[first + i];
        if (i > 0 && !t->conserved[first + i]) continue;
        print_watch(c, t, i, i == 0 && !t->conserved[first] ? "(energy)" : t->name[first + i], t->unit[first + i]);
    }
    for (int i = 0; i < casimirs(t) && all; i++) {
        snprintf(name, sizeof name, "Casimir%d", i + 1);
        print_watch(c, t, 1 + t->group->dim + i, name, "");
    }
    print_not_conserved(t);
}

static void print_duration(double seconds)
{
    if (seconds < 1e-6)
        printf("%.0f ns", 1e9 * seconds);
    else if (seconds < 1e-3)
        printf("%.2f us", 1e6 * seconds);
    else if (seconds < 1.0)
        printf("%.2f ms", 1e3 * seconds);
    else
        printf("%.1f s", seconds);
}

void summary_print(const checkpoint *c, const table *t, const lie_stepper *st)
{
    double steps = (double)c->state.steps;
    printf("%s\n", t->title);
    if (t->from->chosen) printf("  method   %s, taken by auto: %s\n", lie_stepper_method(st)->name, t->from->chosen);
    printf("  steps    %lld, t = %g to %g s, %lld records\n", c->state.steps, t->from->start.t, c->state.t, c->records);
    printf("  time     ");
    print_duration(c->seconds);
    if (steps > 0.0) {
        printf(", ");
        print_duration(c->seconds / steps);
        printf(" per step with its output\n");
    } else {
        putchar('\n');
    }
    if (c->iterations == 0)
        printf("  solver   no iterations needed\n");
    else
        printf("  solver   iterations per step: mean %.2f, max %d; largest residual %.1e\n",
               (double)c->iterations / steps, c->iterations_max, c->residual_max);
    print_conserved(c, t);
}
