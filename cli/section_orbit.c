/* SPDX-License-Identifier: MIT */
/* section_orbit.c: the orbits of a section: their starts, their crossings, and an indicator of chaos if one is wanted.
 * Some are stepped together, in the lanes of the vector unit where the method has them (ensemble.h), which changes no
 * bit of any of them; their crossings are located one by one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "section.h"

enum { BLOCK = 512, STRETCH = 64, BETWEEN_LOOKS_CHAOS = 256 };

typedef struct orbit {
    section *s;
    const section_panel *p;
    long long number; /* from 0 */
    lie_status status;
    double chaos[3];
    double *rows;
    size_t count, room; /* of rows */
    int no_memory, ended;
    lie_state at;
} orbit;

static double *new_row(orbit *o)
{
    size_t columns = (size_t)o->s->job.table.columns;
    if (o->count == o->room) {
        size_t room = 2 * o->room + 64;
        double *rows = (double *)realloc(o->rows, room * columns * sizeof *rows);
        if (!rows) {
            o->no_memory = 1;
            return 0;
        }
        o->rows = rows, o->room = room;
    }
    return o->rows + columns * o->count++;
}

static void add_row(orbit *o, const lie_state *at, int direction, double residual)
{
    const section *s = o->s;
    const section_plan *plan = o->p->plan;
    const lie_ops *G = s->job.table.group;
    double *row = new_row(o), energy;
    if (!row) return;
    row[AT_PANEL] = (double)(o->p - s->panel) + 1.0;
    row[AT_ORBIT] = (double)o->number + 1.0;
    row[AT_POINT] = (double)(o->count - 1);
    row[AT_DIRECTION] = direction;
    row[AT_TIME] = at->t;
    row[AT_X] = expression_value(&plan->x, at->t, at->g, at->m);
    row[AT_Y] = expression_value(&plan->y, at->t, at->g, at->m);
    row[AT_RESIDUAL] = residual;
    memcpy(row + s->at_element, at->g, (size_t)G->size * sizeof *row);
    memcpy(row + s->at_momentum, at->m, (size_t)G->dim * sizeof *row);
    row[s->at_energy] = lie_state_energy(&o->p->s->system, &energy, at) == LIE_OK ? energy : (double)NAN;
    for (int i = 0; i < plan->fixed; i++)
        row[s->at_fixed + i] = expression_value(&plan->equation[i].left, at->t, at->g, at->m);
}

static lie_stepper *new_stepper(const scenario *sc, lie_stepper *st, void **work, lie_status *status)
{
    size_t bytes = lie_stepper_memsize(&sc->system, &sc->options);
    *work = malloc(bytes);
    *status = *work ? lie_stepper_init(st, &sc->system, &sc->options, *work, bytes) : LIE_ERR_MEMORY;
    if (*status == LIE_OK) lie_stepper_control(st, sc->u, sc->u);
    return *status == LIE_OK ? st : 0;
}

/* A group of orbits that are stepped together, a block of steps at a time: the ensemble shows every state of it. */
typedef struct group {
    section *s;
    const section_panel *p;
    int count;
    orbit orbit[GROUP_MAX];
    lie_state start[GROUP_MAX];
    lie_section *crossing[GROUP_MAX]; /* null: the orbit has no start */
    lie_stepper stepper[GROUP_MAX];
    void *work[2 * GROUP_MAX];
    int which[GROUP_MAX]; /* orbit of each trajectory of the ensemble */
    double h;
} group;

static void end_orbit(orbit *o, lie_status status)
{
    o->status = status;
    o->ended = 1;
}

/* The crossings that were found become rows. */
static void take_crossings(group *a, orbit *o, lie_section *sec)
{
    lie_crossing c;
    while (lie_section_take(sec, &c) && (long long)o->count <= a->p->plan->points)
        add_row(o, &c.state, c.direction, c.residual);
    if ((long long)o->count > a->p->plan->points) o->ended = 1;
}

/* The observer of the ensemble: look for crossings. The first state of a block is the last one of the block before. */
static void see(const lie_reducer *r, void *sum, const lie_sample *sample)
{
    group *a = *(group *const *)r->ctx;
    orbit *o = &a->orbit[a->which[sample->trajectory]];
    lie_section *sec = a->crossing[o - a->orbit];
    const lie_ops *G = a->s->job.table.group;
    (void)sum;
    if (o->ended || (sample->observation == 0 && sec->known > 0)) return;
    o->at.t = sample->t;
    memcpy(o->at.g, sample->g, (size_t)G->size * sizeof *o->at.g);
    memcpy(o->at.m, sample->m, (size_t)G->dim * sizeof *o->at.m);
    lie_status status = lie_section_see(sec, &o->at, a->h);
    if (status != LIE_OK) end_orbit(o, status);
    take_crossings(a, o, sec);
}

/* One column of a trail, from one of its steps on. */
typedef struct column {
    const lie_trail *trail;
    const lie_ops *G;
    int c, first;
} column;

static void state_of_column(void *ctx, int k, lie_state *s)
{
    const column *from = (const column *)ctx;
    const lie_trail *t = from->trail;
    const double *at = t->rows + (size_t)(from->first + k) * (size_t)(t->numbers * t->width) + from->c;
    s->t = at[0], at += t->width;
    for (int i = 0; i < from->G->size; i++, at += t->width) s->g[i] = *at;
    for (int i = 0; i < from->G->dim; i++, at += t->width) s->m[i] = *at;
}

/* The values of the section's function in a column, and their distance: where they lie if they are part of the state,
 * else in `out`. */
static const double *values_of_column(const group *a, column *from, int n, double *out, int *stride)
{
    const lie_trail *t = from->trail;
    int number = expression_number(&a->p->plan->surface, from->G->size);
    lie_state s = {0};
    *stride = number < 0 ? 1 : t->numbers * t->width;
    if (number >= 0) return t->rows + (size_t)from->first * (size_t)*stride + number * t->width + from->c;
    for (int k = 0; k < n; k++) {
        state_of_column(from, k, &s);
        out[k] = a->p->event.value(a->p->event.ctx, &a->p->s->system, s.t, s.g, s.m);
    }
    return out;
}

static void watch_stretch(group *a, orbit *o, lie_section *sec, column *from)
{
    int left = from->trail->steps - from->first, n = left < STRETCH ? left : STRETCH, seen = 0, stride;
    double values[STRETCH];
    const double *f = values_of_column(a, from, n, values, &stride);
    while (seen < n && !o->ended) {
        lie_status status = lie_section_watch(sec, f, stride, n, a->h, state_of_column, from, &seen);
        if (status != LIE_OK) end_orbit(o, status);
        take_crossings(a, o, sec);
    }
}

/* `see` for many steps at once. */
static void watch(const lie_reducer *r, const lie_trail *t)
{
    group *a = *(group *const *)r->ctx;
    for (int c = 0; c < t->columns; c++) {
        if (t->trajectory[c] < 0) continue;
        orbit *o = &a->orbit[a->which[t->trajectory[c]]];
        lie_section *sec = a->crossing[o - a->orbit];
        column from = {t, a->s->job.table.group, c, 0};
        for (from.first = 0; from.first < t->steps && !o->ended; from.first += STRETCH) watch_stretch(a, o, sec, &from);
    }
}

static void nothing(const lie_reducer *r, void *sum)
{
    (void)r, (void)sum;
}

static void nothing_more(const lie_reducer *r, void *sum, const void *next)
{
    (void)r, (void)sum, (void)next;
}

/* Until the last step, or until all orbits have ended. */
static void advance(group *a, lie_ensemble *e)
{
    team *t = &a->s->team;
    group *const self = a;
    const lie_reducer watcher = {sizeof(double), &self, nothing, see, nothing_more, watch};
    double sums[(BLOCK + 1) * 2];
    lie_observation obs = {.every = 1, .reducers = 1, .reducer = &watcher, .sums = sums, .bytes = sizeof sums};
    int live = (int)e->count;
    long long left = a->p->s->steps;
    for (; left > 0 && live > 0 && !team_is_stopped(t); left -= BLOCK) {
        lie_ensemble_run(e, left < BLOCK ? left : BLOCK, &obs);
        live = 0;
        for (int i = 0; i < e->count; i++) {
            orbit *o = &a->orbit[a->which[i]];
            lie_status status = lie_ensemble_status(e, i);
            if (!o->ended && status != LIE_OK) end_orbit(o, status);
            if (o->ended) lie_ensemble_set_status(e, i, LIE_STOPPED);
            live += !o->ended;
        }
        atomic_fetch_add(&t->steps, (left < BLOCK ? left : BLOCK) * e->count);
    }
    if (left > 0) atomic_fetch_add(&t->steps, left * e->count);
}

/* A section for every orbit that has a start; they take the shortened steps. Answers the number of trajectories. */
static int prepare_crossings(group *a)
{
    int count = 0;
    for (int i = 0; i < a->count; i++) {
        orbit *o = &a->orbit[i];
        if (o->status != LIE_OK || !new_stepper(a->p->s, &a->stepper[i], &a->work[2 * i], &o->status)) continue;
        size_t bytes = lie_section_memsize(&a->stepper[i]);
        a->crossing[i] = (lie_section *)malloc(sizeof **a->crossing);
        a->work[2 * i + 1] = malloc(bytes);
        o->no_memory = !a->crossing[i] || !a->work[2 * i + 1];
        if (o->no_memory) continue;
        o->status = lie_section_init(a->crossing[i], &a->stepper[i], &a->p->event, a->work[2 * i + 1], bytes);
        if (o->status == LIE_OK) a->which[count++] = i;
    }
    return count;
}

static void follow(group *a)
{
    const scenario *sc = a->p->s;
    int count = prepare_crossings(a);
    lie_ensemble_options opt = {.step = sc->options, .h = sc->step, .u_minus = sc->u, .u_plus = sc->u, .threads = 1};
    lie_ensemble e;
    size_t bytes = count > 0 ? lie_ensemble_memsize(&sc->system, 1, count, &opt) : 0;
    void *memory = bytes > 0 ? malloc(bytes) : 0;
    lie_status status = memory ? lie_ensemble_init(&e, &sc->system, 1, count, &opt, memory, bytes) : LIE_ERR_MEMORY;
    a->h = sc->step;
    for (int i = 0; i < count && status == LIE_OK; i++) lie_ensemble_set(&e, i, &a->start[a->which[i]]);
    if (status == LIE_OK) advance(a, &e);
    for (int i = 0; i < count && status != LIE_OK; i++) end_orbit(&a->orbit[a->which[i]], status);
    free(memory);
    for (int i = 0; i < a->count; i++) free(a->crossing[i]);
    for (int i = 0; i < 2 * a->count; i++) free(a->work[i]);
}

/* The same orbit once more, with its variations. */
static void measure_chaos(orbit *o, lie_state *at)
{
    const scenario *sc = o->p->s;
    lie_stepper st;
    lie_chaos c;
    lie_status status;
    void *work;
    if (!new_stepper(sc, &st, &work, &status)) {
        free(work);
        return;
    }
    double *room = (double *)malloc(lie_chaos_doubles(&st, 1) * sizeof *room);
    status = room ? lie_chaos_init(&c, &st, at, 1, room) : LIE_ERR_MEMORY;
    for (long long left = sc->steps; left > 0 && status == LIE_OK && !team_is_stopped(&o->s->team);) {
        long long some = left < BETWEEN_LOOKS_CHAOS ? left : BETWEEN_LOOKS_CHAOS;
        status = lie_chaos_run(&c, &st, at, sc->step, some);
        left -= some;
    }
    if (status == LIE_OK) {
        o->chaos[0] = c.fli, o->chaos[1] = c.sali, o->chaos[2] = c.exponents[0];
    }
    free(room);
    free(work);
}

/* What is known only at the end goes into all rows. */
static void complete(orbit *o)
{
    size_t columns = (size_t)o->s->job.table.columns;
    for (size_t i = 0; i < o->count; i++) {
        double *row = o->rows + i * columns;
        row[AT_STATUS] = o->status;
        if (o->p->plan->indicator != INDICATOR_NONE) memcpy(row + AT_CHAOS, o->chaos, sizeof o->chaos);
    }
}

static void begin(group *a, int i, long long number)
{
    orbit *o = &a->orbit[i];
    lie_state *start = &a->start[i];
    *o = (orbit){.s = a->s, .p = a->p, .number = number, .chaos = {(double)NAN, (double)NAN, (double)NAN}};
    o->status = section_start(a->p, number, start);
    if (o->status == LIE_OK)
        add_row(o, start, 0, a->p->event.value(a->p->event.ctx, &a->p->s->system, start->t, start->g, start->m));
    else
        atomic_fetch_add(&a->s->team.steps, a->p->s->steps);
    if (o->status != LIE_OK && o->status != LIE_STOPPED) add_row(o, &a->p->s->start, 0, (double)NAN);
}

/* The rows of all orbits, one after the other; what is not wanted any more is freed. */
static void collect(group *a, team_result *out)
{
    size_t columns = (size_t)a->s->job.table.columns, rows = 0, at = 0;
    int no_memory = 0;
    for (int i = 0; i < a->count; i++) {
        rows += a->orbit[i].count;
        no_memory |= a->orbit[i].no_memory;
    }
    double *all = no_memory || rows == 0 ? 0 : (double *)malloc(rows * columns * sizeof *all);
    for (int i = 0; i < a->count; i++) {
        orbit *o = &a->orbit[i];
        complete(o);
        if (all && o->count > 0) memcpy(all + at * columns, o->rows, o->count * columns * sizeof *all);
        at += o->count;
        free(o->rows);
    }
    *out = (team_result){all, no_memory ? 1 : rows * columns};
}

void section_orbits(team *t, long long unit, team_result *out)
{
    section *s = (section *)t->ctx;
    group *a = (group *)calloc(1, sizeof *a);
    *out = (team_result){0, 1};
    if (!a) return;
    a->s = s, a->p = section_panel_of(s, unit);
    long long first = (unit - a->p->first) * s->group, left = a->p->plan->orbits - first;
    a->count = left < s->group ? (int)left : s->group;
    for (int i = 0; i < a->count; i++) begin(a, i, first + i);
    follow(a);
    for (int i = 0; i < a->count && a->p->plan->indicator != INDICATOR_NONE; i++)
        if (a->orbit[i].status == LIE_OK) measure_chaos(&a->orbit[i], &a->start[i]);
    collect(a, out);
    free(a);
}
