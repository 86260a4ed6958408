/* SPDX-License-Identifier: MIT */
/* section_orbit.c: one orbit of a section: its start, its crossings, and an indicator of chaos if one is wanted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "section.h"

enum { BETWEEN_LOOKS = 4096, BETWEEN_LOOKS_CHAOS = 256 };

typedef struct orbit {
    section *s;
    const section_panel *p;
    long long number; /* from 0 */
    lie_status status;
    double chaos[3];
    double *rows;
    size_t count, room; /* of rows */
    int no_memory;
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

/* All crossings, up to the last step or to as many points as are wanted. */
static void cross(orbit *o, lie_section *sec, lie_state *at)
{
    const scenario *sc = o->p->s;
    team *t = &o->s->team;
    lie_crossing c = {.found = 0};
    long long left = sc->steps;
    while (left > 0 && (long long)o->count <= o->p->plan->points && !team_is_stopped(t) && !o->no_memory) {
        long long some = left < BETWEEN_LOOKS ? left : BETWEEN_LOOKS, before = some;
        o->status = lie_section_next(sec, at, sc->step, &some, &c);
        left -= before - some;
        atomic_fetch_add(&t->steps, before - some);
        if (o->status != LIE_OK) break;
        if (c.found) add_row(o, &c.state, c.direction, c.residual);
    }
    atomic_fetch_add(&t->steps, left);
}

static void follow(orbit *o, lie_state *at)
{
    lie_stepper st;
    lie_section *sec = (lie_section *)malloc(sizeof *sec);
    void *work = 0, *more = 0;
    if (sec && new_stepper(o->p->s, &st, &work, &o->status)) {
        size_t bytes = lie_section_memsize(&st);
        more = malloc(bytes);
        o->status = more ? lie_section_init(sec, &st, &o->p->event, more, bytes) : LIE_ERR_MEMORY;
        if (o->status == LIE_OK) cross(o, sec, at);
    }
    o->no_memory |= o->status == LIE_ERR_MEMORY || !sec;
    free(more);
    free(work);
    free(sec);
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

void section_orbit(team *t, long long unit, team_result *out)
{
    section *s = (section *)t->ctx;
    orbit o = {.s = s, .p = section_panel_of(s, unit), .chaos = {(double)NAN, (double)NAN, (double)NAN}};
    lie_state start, at;
    o.number = unit - o.p->first;
    o.status = section_start(o.p, o.number, &start);
    if (o.status == LIE_OK) {
        add_row(&o, &start, 0, o.p->event.value(o.p->event.ctx, &o.p->s->system, start.t, start.g, start.m));
        at = start;
        follow(&o, &at);
        if (o.p->plan->indicator != INDICATOR_NONE && o.status == LIE_OK) measure_chaos(&o, &start);
    } else {
        atomic_fetch_add(&t->steps, o.p->s->steps);
        if (o.status != LIE_STOPPED) add_row(&o, &o.p->s->start, 0, (double)NAN);
    }
    complete(&o);
    *out = (team_result){o.rows, o.count * (size_t)s->job.table.columns};
    if (!o.no_memory) return;
    free(o.rows);
    *out = (team_result){0, 1};
}
