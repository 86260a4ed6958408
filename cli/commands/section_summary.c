/* SPDX-License-Identifier: MIT */
/* section_summary.c: what a section is worth: how far energy and the other fixed quantities have spread over its
 * points, and how many of its orbits are regular.
 *
 * A regular orbit draws curves, and draws them again and again: its points of the second half lie on the curves of the
 * first half. So for every point of the second half a line is laid through the nearest points of the first half, by
 * least squares, and the distance from it taken. Its median over all points, in units of the picture's width and
 * height, is of the order of the curvature times the square of the distance of neighbours on a curve, hardly 1e-5; it
 * is about 1e-2 where the orbit fills an area; and if the orbit drifts, it is the drift. An orbit counts as regular
 * if it is below 1/5000: so a method may lose regular orbits by drift without chaos (docs/SECTIONS.md). What is chaos
 * the indicator tells, where one is asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/section.h"

enum { NAMED = 10, LEAST = 20, NEAR = 8, LINES = 1000, CLOUD = 1 << 16 };

/* SALI goes to 0 exponentially where two variations align, and stays of order one where they do not (Skokos 2001). */
#define CHAOS_SALI 1e-4

/* The points of one orbit; if there are very many, one of `stride`. */
typedef struct cloud {
    double (*point)[2];
    size_t count, room, stride, passed;
    double (*early)[2];
    double *distance;
} cloud;

/* What is gathered while the records of a panel go by, group by group. */
typedef struct pass {
    const section *s;
    int panel;
    section_summary *out;        /* of this panel */
    const section_summary *unit; /* the panel whose ranges are the units of length */
    struct {
        double first[1 + SECTION_FIXED]; /* at the start: energy, fixed quantities */
        long long points;
        cloud cloud;
    } orbit[GROUP_MAX];     /* of the group */
    unsigned char *regular; /* by orbit */
    int no_memory;
    int named; /* orbits that failed, in all panels */
} pass;

static int by_x(const void *a, const void *b)
{
    const double *p = (const double *)a, *q = (const double *)b;
    return (p[0] > q[0]) - (p[0] < q[0]);
}

static int by_size(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The nearest points found so far, by their square distance. */
typedef struct neighbours {
    size_t index[NEAR];
    double square[NEAR];
} neighbours;

static void consider(neighbours *near, size_t index, double square)
{
    int k = NEAR - 1;
    if (!(square < near->square[k])) return;
    for (; k > 0 && near->square[k - 1] > square; k--) {
        near->square[k] = near->square[k - 1];
        near->index[k] = near->index[k - 1];
    }
    near->square[k] = square;
    near->index[k] = index;
}

static double square_of(const double a[2], const double b[2])
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

/* The nearest of n >= NEAR points that are sorted by x. */
static void find_neighbours(neighbours *near, const double at[2], size_t n, double (*point)[2])
{
    size_t low = 0, high = n;
    for (int k = 0; k < NEAR; k++) near->square[k] = HUGE_VAL;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (point[middle][0] < at[0])
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < n && (point[i][0] - at[0]) * (point[i][0] - at[0]) < near->square[NEAR - 1]; i++)
        consider(near, i, square_of(at, point[i]));
    for (size_t i = low; i-- > 0 && (at[0] - point[i][0]) * (at[0] - point[i][0]) < near->square[NEAR - 1];)
        consider(near, i, square_of(at, point[i]));
}

/* The distance of a point from the line through its neighbours: their centre, and the long axis of their scatter. */
static double distance_from_line(const double at[2], const neighbours *near, double (*point)[2])
{
    double c[2] = {0.0, 0.0}, xx = 0.0, xy = 0.0, yy = 0.0;
    for (int k = 0; k < NEAR; k++)
        for (int i = 0; i < 2; i++) c[i] += point[near->index[k]][i] / NEAR;
    for (int k = 0; k < NEAR; k++) {
        const double x = point[near->index[k]][0] - c[0], y = point[near->index[k]][1] - c[1];
        xx += x * x, xy += x * y, yy += y * y;
    }
    double angle = 0.5 * atan2(2.0 * xy, xx - yy);
    return fabs((at[1] - c[1]) * cos(angle) - (at[0] - c[0]) * sin(angle));
}

static int is_regular(cloud *c)
{
    size_t n = c->count / 2, stride = 1 + (c->count - n) / LINES, used = 0;
    neighbours near;
    if (n < LEAST) return 0;
    memcpy(c->early, c->point, n * sizeof *c->early);
    qsort(c->early, n, sizeof *c->early, by_x);
    for (size_t i = n; i < c->count; i += stride) {
        find_neighbours(&near, c->point[i], n, c->early);
        c->distance[used++] = distance_from_line(c->point[i], &near, c->early);
    }
    qsort(c->distance, used, sizeof *c->distance, by_size);
    return c->distance[used / 2] < 1.0 / 5000.0;
}

static int make_room(cloud *c)
{
    size_t room = 2 * c->room + 1024;
    double(*point)[2] = (double(*)[2])realloc(c->point, room * sizeof *point);
    if (point) c->point = point;
    double(*early)[2] = (double(*)[2])realloc(c->early, room * sizeof *early);
    if (early) c->early = early;
    double *distance = (double *)realloc(c->distance, room * sizeof *distance);
    if (distance) c->distance = distance;
    if (!point || !early || !distance) return 0;
    c->room = room;
    return 1;
}

/* Every second point goes, and of those to come. */
static void thin(cloud *c)
{
    for (size_t i = 0; 2 * i < c->count; i++) memcpy(c->point[i], c->point[2 * i], sizeof *c->point);
    c->count = (c->count + 1) / 2;
    c->stride *= 2;
}

static int add_point(cloud *c, double x, double y)
{
    if (c->stride == 0 || c->passed++ % c->stride != 0) return 1;
    if (c->count == c->room && !make_room(c)) return 0;
    c->point[c->count][0] = x;
    c->point[c->count++][1] = y;
    if (c->count == CLOUD) thin(c);
    return 1;
}

static void free_cloud(cloud *c)
{
    free(c->point);
    free(c->early);
    free(c->distance);
}

/* Third pass, only if there is one to name. */
static void name_failure(void *ctx, const double *row)
{
    pass *p = (pass *)ctx;
    char panel[TITLE] = "";
    if (row[AT_STATUS] == LIE_OK) return;
    if (p->named++ == NAMED) cli_error("and more orbits");
    if (p->named > NAMED) return;
    if (p->s->panels > 1) snprintf(panel, sizeof panel, " of panel %d", (int)row[AT_PANEL]);
    cli_error("orbit %.0f%s failed: %s; the others are complete", row[AT_ORBIT], panel,
              lie_status_text((lie_status)(int)row[AT_STATUS]));
}

static void spread(double *worst, double now, double first)
{
    double off = fabs(now - first) / fmax(fabs(first), 1e-300);
    if (!(off <= *worst)) *worst = off;
}

static int slot_of(const pass *p, const double *row)
{
    return (int)(((long long)row[AT_ORBIT] - 1) % p->s->group);
}

/* The last record of an orbit. */
static void count_end(pass *p, const double *row)
{
    chaos_kind kind = p->s->panel[0].plan->indicator;
    p->out->empty += p->orbit[slot_of(p, row)].points == 0;
    if (kind == INDICATOR_NONE) return;
    p->out->chaotic += row[AT_CHAOS + 1] < CHAOS_SALI;
    p->s->final[p->s->panel[p->panel].before + (long long)row[AT_ORBIT] - 1] = row[AT_CHAOS + (int)kind - 1];
}

static void count_point(pass *p, const double *row)
{
    const section *s = p->s;
    section_summary *a = p->out;
    const double *values = row + s->at_energy, *first = p->orbit[slot_of(p, row)].first;
    p->orbit[slot_of(p, row)].points++;
    a->points++;
    int is_finite = isfinite(row[AT_X]) && isfinite(row[AT_Y]);
    for (int i = 0; i < s->fixed; i++) is_finite &= isfinite(row[s->at_fixed + i]) != 0;
    a->not_finite += !is_finite;
    spread(&a->energy, values[0], first[0]);
    for (int i = 0; i < s->fixed; i++) spread(&a->fixed[i], values[1 + i], first[1 + i]);
    a->residual = fmax(a->residual, fabs(row[AT_RESIDUAL]));
    for (int i = 0; i < 2; i++) {
        a->low[i] = fmin(a->low[i], row[AT_X + i]);
        a->high[i] = fmax(a->high[i], row[AT_X + i]);
    }
}

/* First pass: counts, ranges, spreads. */
static void count_row(void *ctx, const double *row)
{
    pass *p = (pass *)ctx;
    int i = slot_of(p, row);
    p->out->failed += row[AT_STATUS] != LIE_OK;
    if (row[AT_POINT] == 0.0) {
        memcpy(p->orbit[i].first, row + p->s->at_energy, (size_t)(1 + p->s->fixed) * sizeof *row);
        p->orbit[i].points = 0;
        p->out->orbits++;
    } else if (row[AT_POINT] < 0.0) {
        count_end(p, row);
    } else {
        count_point(p, row);
    }
}

static void end_orbit(pass *p, const double *row)
{
    long long orbit = (long long)row[AT_ORBIT] - 1;
    p->regular[orbit] = row[AT_STATUS] == LIE_OK && is_regular(&p->orbit[slot_of(p, row)].cloud) ? 1 : 0;
    p->out->regular += p->regular[orbit];
}

/* Second pass: which orbits are regular. */
static void place_row(void *ctx, const double *row)
{
    pass *p = (pass *)ctx;
    const section_summary *a = p->unit;
    cloud *c = &p->orbit[slot_of(p, row)].cloud;
    double at[2];
    if (row[AT_POINT] == 0.0) c->count = c->passed = 0, c->stride = 1;
    if (row[AT_POINT] < 0.0) end_orbit(p, row);
    if (row[AT_POINT] <= 0.0) return;
    for (int i = 0; i < 2; i++)
        at[i] = a->high[i] > a->low[i] ? (row[AT_X + i] - a->low[i]) / (a->high[i] - a->low[i]) : 0.0;
    if (at[0] - at[0] == 0.0 && at[1] - at[1] == 0.0) p->no_memory |= !add_point(c, at[0], at[1]);
}

/* Orbits that are regular in the last panel: how many are in each? */
static void compare(const section *s, section_summary *out)
{
    const section_panel *last = &s->panel[s->panels - 1];
    for (int k = 0; k < s->panels; k++)
        for (long long i = 0; i < s->panel[k].plan->orbits && i < last->plan->orbits; i++)
            out[k].still += s->regular[s->panel[k].before + i] & s->regular[last->before + i];
}

/* A pass over all panels, side by side. */
typedef struct passes {
    pass *panel;
    const output *rows;
    many_see *see;
} passes;

static cli_exit read_panel(void *ctx, int k)
{
    const passes *all = (const passes *)ctx;
    return section_read(all->panel[k].s, all->rows, k, all->see, &all->panel[k]);
}

static cli_exit summarise(const section *s, const output *rows, pass *p, section_summary *out)
{
    pass *naming = &p[s->panels];
    long long failed = 0;
    int no_memory = 0;
    for (int k = 0; k < s->panels; k++) {
        out[k] = (section_summary){.low = {HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL}};
        p[k].s = s, p[k].panel = k, p[k].out = &out[k], p[k].unit = &out[s->panels - 1];
        p[k].regular = s->regular + s->panel[k].before;
    }
    naming->s = s;
    passes all = {p, rows, count_row};
    cli_exit code = team_each(&s->team, s->panels, read_panel, &all);
    all.see = place_row;
    if (code == EXIT_FINE) code = team_each(&s->team, s->panels, read_panel, &all);
    for (int k = 0; k < s->panels; k++) {
        no_memory |= p[k].no_memory;
        failed += out[k].failed;
        for (int i = 0; i < GROUP_MAX; i++) free_cloud(&p[k].orbit[i].cloud);
    }
    for (int k = 0; k < s->panels && code == EXIT_FINE && failed > 0; k++)
        code = section_read(s, rows, k, name_failure, naming);
    if (code == EXIT_FINE && no_memory) cli_warning("there was not enough memory to look at all orbits");
    if (code == EXIT_FINE) compare(s, out);
    return code;
}

cli_exit section_summarise(section *s, const output *rows, section_summary *out)
{
    pass *p = (pass *)calloc((size_t)s->panels + 1, sizeof *p);
    s->final = (double *)malloc((size_t)s->orbits * sizeof *s->final);
    s->regular = (unsigned char *)calloc((size_t)s->orbits, 1);
    for (long long i = 0; i < s->orbits && s->final; i++) s->final[i] = (double)NAN;
    cli_exit code = s->regular && p && s->final ? summarise(s, rows, p, out) : many_no_memory();
    free(p);
    return code;
}

static void print_panel(const section *s, int k, const section_summary *a)
{
    const section_panel *p = &s->panel[k];
    long long reference = s->summary[s->panels - 1].regular;
    printf("  %5d  %-14s %8g %8lld %9lld   %8.1e", k + 1, p->s->options.method, p->s->step, a->orbits, a->points,
           a->energy);
    for (int i = 0; i < s->fixed; i++) printf(" %*.1e", 11, a->fixed[i]);
    printf("   %7lld", a->regular);
    if (p->plan->indicator != INDICATOR_NONE) printf(" %7lld", a->chaotic);
    if (s->panels > 1)
        printf("   %4lld of %-5lld  %s", a->still, reference, expression_label(s->job.s->section->panel[k]).text);
    putchar('\n');
}

int section_name_length(const char *fixed)
{
    int n = (int)strcspn(fixed, "=");
    while (n > 0 && fixed[n - 1] == ' ') n--;
    return n;
}

void section_print(const section *s, const section_summary *summary)
{
    const section_plan *plan = s->panel[0].plan;
    double residual = 0.0;
    long long empty = 0;
    printf("%s\n  spread: the largest relative distance from the start of the orbit, over all points\n",
           s->job.table.title);
    printf("  %5s  %-14s %8s %8s %9s   %8s", "panel", "method", "step s", "orbits", "points", "energy");
    for (int i = 0; i < s->fixed; i++) {
        int n = section_name_length(plan->fixed_text[i]);
        printf(" %11.*s", n > 11 ? 11 : n, plan->fixed_text[i]);
    }
    printf("   %7s%s%s\n", "regular", plan->indicator != INDICATOR_NONE ? " chaotic" : "",
           s->panels > 1 ? "   still, of the last's" : "");
    for (int k = 0; k < s->panels; k++) {
        print_panel(s, k, &summary[k]);
        residual = fmax(residual, summary[k].residual);
        empty += summary[k].empty;
    }
    printf("  largest residual of a crossing %.1e; %.1f s\n", residual, s->job.now.seconds);
    if (empty > 0) printf("  %lld orbits never crossed the surface\n", empty);
}
