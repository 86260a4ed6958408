/* SPDX-License-Identifier: MIT */
/* section_orbit.c: the orbits of a section: their starts, their crossings, and an indicator of chaos if one is wanted.
 * The orbits of a group are stepped together, in the lanes of the vector unit where the method has them (points.h),
 * which changes no bit of any of them.
 *
 * A unit of work is a round of a group: so many steps of its orbits, from where the round before has left them
 * (section_carry.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/section_group.h"

enum { BLOCK = 512, BETWEEN_LOOKS_CHAOS = 256 };

/* rows */

static double *new_row(const section *s, orbit *o)
{
    size_t columns = (size_t)s->job.table.columns;
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

static void add_row(const group *a, orbit *o, long long point, const lie_state *at, int direction, double residual)
{
    const section *s = a->s;
    const section_plan *plan = a->p->plan;
    const lie_ops *G = s->job.table.group;
    double *row = new_row(s, o), energy;
    if (!row) return;
    row[AT_PANEL] = (double)(a->p - s->panel) + 1.0;
    row[AT_ORBIT] = (double)o->number + 1.0;
    row[AT_POINT] = (double)point;
    row[AT_STATUS] = point > 0 ? LIE_OK : o->status;
    row[AT_DIRECTION] = direction;
    row[AT_TIME] = at->t;
    row[AT_X] = expression_value(&plan->x, at->t, at->g, at->m);
    row[AT_Y] = expression_value(&plan->y, at->t, at->g, at->m);
    row[AT_RESIDUAL] = residual;
    for (int i = 0; i < 3 && plan->indicator != INDICATOR_NONE; i++) row[AT_CHAOS + i] = (double)NAN;
    memcpy(row + s->at_element, at->g, (size_t)G->size * sizeof *row);
    memcpy(row + s->at_momentum, at->m, (size_t)G->dim * sizeof *row);
    row[s->at_energy] = lie_state_energy(&a->p->s->system, &energy, at) == LIE_OK ? energy : (double)NAN;
    for (int i = 0; i < plan->fixed; i++)
        row[s->at_fixed + i] = expression_value(&plan->equation[i].left, at->t, at->g, at->m);
}

/* steps */

static int found(void *ctx, long long i, const lie_crossing *c)
{
    group *a = (group *)ctx;
    orbit *o = &a->orbit[i];
    add_row(a, o, ++o->points, c->state, c->direction, c->residual);
    return o->points >= a->p->plan->points || o->no_memory;
}

/* The last record of an orbit: the last state that its section has seen. */
static void end_orbit(group *a, int i, lie_status status)
{
    orbit *o = &a->orbit[i];
    const lie_section *sec = a->tools.section[i];
    o->status = status;
    o->ended = 1;
    a->watched[i] = 0;
    double value;
    const lie_state *latest = lie_section_latest(sec, &value);
    if (latest) add_row(a, o, -1, latest, 0, value);
}

/* Which orbits go on? */
static int count_living(group *a)
{
    lie_ensemble *e = a->tools.ensemble;
    int living = 0;
    for (int i = 0; i < a->count; i++) {
        lie_status status = lie_ensemble_status(e, i);
        if (!a->watched[i]) continue;
        if (status == LIE_OK) status = a->statuses[i];
        if (status != LIE_OK) end_orbit(a, i, status == LIE_STOPPED ? LIE_OK : status);
        if (status != LIE_OK) lie_ensemble_set_status(e, i, LIE_STOPPED);
        living += status == LIE_OK;
    }
    return living;
}

/* So many steps, or until all orbits have ended. */
static void advance(group *a, long long steps)
{
    team *t = &a->s->team;
    int number = expression_number(&a->p->plan->surface, a->s->job.table.group->size);
    const lie_points points = {.ensemble = a->tools.ensemble,
                               .sections = a->watched,
                               .statuses = a->statuses,
                               .component = number > 0 ? number : 0,
                               .found = found,
                               .ctx = a};
    lie_reducer watcher;
    if (lie_points_reducer(&watcher, &points) != LIE_OK) return;
    const lie_observation obs = {.every = 1, .reducers = 1, .reducer = &watcher};
    for (int living = count_living(a); steps > 0 && living > 0 && !team_is_stopped(t); steps -= BLOCK) {
        long long some = steps < BLOCK ? steps : BLOCK;
        lie_ensemble_run(a->tools.ensemble, some, &obs);
        living = count_living(a);
        atomic_fetch_add(&t->steps, some * a->count);
    }
    if (steps > 0) atomic_fetch_add(&t->steps, steps * a->count);
}

/* indicators */

/* Its steps up to the time t, or the step `last` at most. */
static void follow(group *a, int i, double t, long long last)
{
    orbit *o = &a->orbit[i];
    double h = a->p->s->step;
    while (o->has_indicator && o->at.steps < last && (h > 0.0 ? o->at.t < t : o->at.t > t)) {
        if (o->at.steps % BETWEEN_LOOKS_CHAOS == 0 && team_is_stopped(&a->s->team)) return;
        o->has_indicator = lie_chaos_run(a->tools.chaos[i], a->tools.runner[i], &o->at, h, 1) == LIE_OK;
    }
}

/* Every record gets what the indicators are there. */
static void measure_chaos(group *a, int i, long long last)
{
    const orbit *o = &a->orbit[i];
    const lie_chaos_numbers *c = lie_chaos_now(a->tools.chaos[i]);
    size_t columns = (size_t)a->s->job.table.columns;
    for (size_t k = 0; k < o->count; k++) {
        double *row = o->rows + k * columns;
        follow(a, i, row[AT_TIME], last);
        if (!o->has_indicator) return;
        row[AT_CHAOS] = c->fli, row[AT_CHAOS + 1] = c->sali, row[AT_CHAOS + 2] = c->exponents[0];
    }
    if (!o->ended) follow(a, i, a->p->s->step > 0.0 ? HUGE_VAL : -HUGE_VAL, last);
}

/* the unit */

static void begin_orbit(group *a, int i, long long number)
{
    orbit *o = &a->orbit[i];
    lie_state start;
    o->number = number;
    o->status = section_start(a->p, number, &start);
    if (o->status != LIE_OK) {
        o->ended = 1;
        if (o->status != LIE_STOPPED) add_row(a, o, 0, &a->p->s->start, 0, (double)NAN);
        return;
    }
    add_row(a, o, 0, &start, 0, a->p->event.value(a->p->event.ctx, &a->p->s->system, start.t, start.g, start.m));
    lie_ensemble_set(a->tools.ensemble, i, &start);
    o->at = start;
    if (a->p->plan->indicator == INDICATOR_NONE) return;
    o->has_indicator = lie_chaos_reset(a->tools.chaos[i], &start) == LIE_OK;
}

/* A method that cannot begin: every orbit has that status. */
static void refuse(group *a, long long first, lie_status status)
{
    for (int i = 0; i < a->count; i++) {
        orbit *o = &a->orbit[i];
        *o = (orbit){.number = first + i, .status = status, .ended = 1};
        add_row(a, o, 0, &a->p->s->start, 0, (double)NAN);
    }
}

static void work_on(group *a, long long first, long long round, const double *carried)
{
    const long long before = round * a->s->round, all = a->p->s->steps;
    const long long steps = all - before < a->s->round ? all - before : a->s->round;
    lie_status status = section_tools_open(&a->tools, a->p, a->count);
    if (status != LIE_OK) {
        if (!carried) refuse(a, first, status);
        a->orbit[0].no_memory |= carried != 0; /* what it needs was there in the first round */
        return;
    }
    for (int i = 0; i < a->count && !carried; i++) begin_orbit(a, i, first + i);
    if (carried) section_take_up(a, carried);
    for (int i = 0; i < a->count; i++) {
        a->orbit[i].number = first + i;
        a->watched[i] = a->orbit[i].ended ? 0 : a->tools.section[i];
    }
    if (steps > 0) advance(a, steps);
    for (int i = 0; i < a->count; i++)
        if (a->watched[i] && before + steps >= all) end_orbit(a, i, LIE_OK);
    for (int i = 0; i < a->count && a->p->plan->indicator != INDICATOR_NONE; i++) measure_chaos(a, i, before + steps);
}

/* What is handed on, and the rows of all orbits, one after the other; what is not wanted any more is freed. */
static void collect(group *a, team_result *out)
{
    size_t columns = (size_t)a->s->job.table.columns, carry = a->s->team.carry, count = carry;
    int no_memory = 0;
    for (int i = 0; i < a->count; i++) {
        count += a->orbit[i].count * columns;
        no_memory |= a->orbit[i].no_memory;
    }
    double *all = no_memory || count == 0 ? 0 : (double *)malloc(count * sizeof *all), *at = all ? all + carry : 0;
    if (all && carry > 0) section_hand_on(a, all);
    for (int i = 0; i < a->count; i++) {
        orbit *o = &a->orbit[i];
        if (all && o->count > 0) memcpy(at, o->rows, o->count * columns * sizeof *all);
        if (all) at += o->count * columns;
        free(o->rows);
    }
    *out = (team_result){all, no_memory ? 1 : count};
}

void section_orbits(team *t, long long unit, const double *carried, team_result *out)
{
    section *s = (section *)t->ctx;
    group *a = (group *)calloc(1, sizeof *a);
    *out = (team_result){0, 1};
    if (!a) return;
    a->s = s, a->p = section_panel_of(s, unit % t->groups);
    long long first = (unit % t->groups - a->p->first) * s->group, left = a->p->plan->orbits - first;
    a->count = left < s->group ? (int)left : s->group;
    work_on(a, first, unit / t->groups, carried);
    collect(a, out);
    section_tools_close(&a->tools);
    free(a);
}
