/* SPDX-License-Identifier: MIT */
/* section_orbit.c: the orbits of a section: their starts, their crossings, and an indicator of chaos if one is wanted.
 * The orbits of a group are stepped together, in the lanes of the vector unit where the method has them (points.h),
 * which changes no bit of any of them.
 *
 * A unit of work is a round of a group: so many steps of its orbits, from where the round before has left them. What is
 * handed on (`pass_orbit`) is all that an orbit, its section and its indicator know, so that rounds change no bit
 * either. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/section.h"

enum { BLOCK = 512, BETWEEN_LOOKS_CHAOS = 256 };

typedef struct orbit {
    long long number; /* from 0 */
    lie_status status;
    int ended;        /* it does not go on */
    long long points; /* crossings so far, those of earlier rounds included */
    double *rows;
    size_t count, room; /* of rows */
    int no_memory;
    lie_state at; /* of its indicator: a second run of the same steps, with variations */
    int has_indicator;
} orbit;

/* What orbits of a panel are computed with. */
typedef struct tools {
    lie_stepper *stepper; /* that the sections belong to */
    lie_section *section[GROUP_MAX];
    lie_ensemble *ensemble;
    lie_stepper *runner[GROUP_MAX]; /* of the indicators */
    lie_chaos *chaos[GROUP_MAX];
    void *memory[3 + 3 * GROUP_MAX];
    int memories;
} tools;

typedef struct group {
    section *s;
    const section_panel *p;
    int count;
    orbit orbit[GROUP_MAX];
    tools tools;
    lie_section *watched[GROUP_MAX]; /* null: that orbit does not go on */
    lie_status statuses[GROUP_MAX];  /* of lie_points */
} group;

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

/* tools */

static void *room_for(tools *T, size_t bytes)
{
    void *memory = bytes > 0 ? malloc(bytes) : 0;
    if (memory) T->memory[T->memories++] = memory;
    return memory;
}

static lie_status open_stepper(tools *T, const scenario *sc, lie_stepper **st)
{
    size_t bytes = lie_stepper_memsize(&sc->system, &sc->options);
    void *work = room_for(T, bytes);
    lie_status status = work ? lie_stepper_init(st, &sc->system, &sc->options, work, bytes) : LIE_ERR_MEMORY;
    if (status == LIE_OK) lie_stepper_control(*st, sc->u, sc->u);
    return status;
}

static lie_status open_ensemble(tools *T, const scenario *sc, int count)
{
    const lie_ensemble_options opt = {
        .step = sc->options, .h = sc->step, .u_minus = sc->u, .u_plus = sc->u, .threads = 1};
    size_t bytes = lie_ensemble_memsize(&sc->system, 1, count, &opt);
    return lie_ensemble_init(&T->ensemble, &sc->system, 1, count, &opt, room_for(T, bytes), bytes);
}

/* Of orbit i: its section and, if one is wanted, its indicator, which starts at a state that will do. */
static lie_status open_orbit(tools *T, const section_panel *p, int i)
{
    size_t bytes = lie_section_memsize(T->stepper);
    lie_status status = lie_section_init(&T->section[i], T->stepper, &p->event, room_for(T, bytes), bytes);
    if (status != LIE_OK || p->plan->indicator == INDICATOR_NONE) return status;
    status = open_stepper(T, p->s, &T->runner[i]);
    if (status != LIE_OK) return status;
    bytes = lie_chaos_memsize(T->runner[i], 1);
    return lie_chaos_init(&T->chaos[i], T->runner[i], &p->s->start, 1, room_for(T, bytes), bytes);
}

static lie_status open_tools(tools *T, const section_panel *p, int count)
{
    lie_status status = open_stepper(T, p->s, &T->stepper);
    if (status == LIE_OK) status = open_ensemble(T, p->s, count);
    for (int i = 0; i < count && status == LIE_OK; i++) status = open_orbit(T, p, i);
    return status;
}

static void close_tools(tools *T)
{
    for (int i = 0; i < T->memories; i++) free(T->memory[i]);
}

/* what is handed on */

/* A place among numbers that are written or read, so that the two cannot differ. Null: they are only counted. */
typedef struct numbers {
    double *out;
    const double *in;
    size_t count;
} numbers;

static void pass(numbers *at, double *x, size_t n)
{
    if (at->out) memcpy(at->out + at->count, x, n * sizeof *x);
    if (at->in) memcpy(x, at->in + at->count, n * sizeof *x);
    at->count += n;
}

static void pass_integer(numbers *at, long long *x)
{
    double value = (double)*x;
    pass(at, &value, 1);
    *x = (long long)value;
}

static void pass_flag(numbers *at, int *x)
{
    long long value = *x;
    pass_integer(at, &value);
    *x = (int)value;
}

static void pass_state(numbers *at, const lie_ops *G, lie_state *s)
{
    pass(at, &s->t, 1), pass(at, &s->low_t, 1), pass_integer(at, &s->steps);
    pass(at, s->g, (size_t)G->size), pass(at, s->low_g, (size_t)G->size);
    pass(at, s->m, (size_t)G->dim), pass(at, s->low_m, (size_t)G->dim);
}

static void pass_section(numbers *at, lie_section *sec)
{
    if (at->out) lie_section_memory_get(sec, at->out + at->count);
    if (at->in) lie_section_memory_set(sec, at->in + at->count);
    at->count += (size_t)lie_section_memory_count(sec);
}

static void pass_indicator(numbers *at, const lie_ops *G, orbit *o, lie_stepper *runner, lie_chaos *c)
{
    pass_flag(at, &o->has_indicator);
    pass_state(at, G, &o->at);
    if (at->out) lie_stepper_memory_get(runner, at->out + at->count);
    if (at->in) lie_stepper_memory_set(runner, at->in + at->count);
    at->count += (size_t)lie_stepper_memory_count(runner);
    if (at->out) lie_chaos_memory_get(c, at->out + at->count);
    if (at->in) lie_chaos_memory_set(c, at->in + at->count);
    at->count += (size_t)lie_chaos_memory_count(c);
}

static void pass_orbit(numbers *at, tools *T, const section_panel *p, orbit *o, int i)
{
    pass_flag(at, &o->ended);
    pass_integer(at, &o->points);
    if (o->ended) return;
    pass(at, (double *)lie_ensemble_record(T->ensemble, i), lie_ensemble_record_bytes(T->ensemble) / sizeof(double));
    pass_section(at, T->section[i]);
    if (p->plan->indicator != INDICATOR_NONE) pass_indicator(at, p->s->system.group, o, T->runner[i], T->chaos[i]);
}

size_t section_carry(const section *s)
{
    size_t most = 0;
    tools *T = (tools *)malloc(sizeof *T);
    for (int k = 0; k < s->panels && T; k++) {
        orbit one = {0};
        numbers at = {0};
        T->memories = 0;
        if (open_tools(T, &s->panel[k], 1) == LIE_OK)
            pass_orbit(&at, T, &s->panel[k], &one, 0);
        else
            at.count = 2;
        close_tools(T);
        if (at.count > most) most = at.count;
    }
    free(T);
    return 1 + (size_t)s->group * most;
}

/* The numbers of each orbit begin at a place of their own. */
static numbers place_of(const group *a, double *out, const double *in, int i)
{
    size_t each = (a->s->team.carry - 1) / (size_t)a->s->group, from = 1 + (size_t)i * each;
    return (numbers){out ? out + from : 0, in ? in + from : 0, 0};
}

/* The orbits as the round before has left them. */
static void take_up(group *a, const double *carried)
{
    for (int i = 0; i < a->count; i++) {
        numbers at = place_of(a, 0, carried, i);
        lie_ensemble_set(a->tools.ensemble, i, &a->p->s->start);
        pass_orbit(&at, &a->tools, a->p, &a->orbit[i], i);
        if (a->orbit[i].ended) lie_ensemble_set_status(a->tools.ensemble, i, LIE_STOPPED);
    }
}

static void hand_on(group *a, double *out)
{
    memset(out, 0, a->s->team.carry * sizeof *out);
    out[0] = 1.0;
    for (int i = 0; i < a->count; i++) {
        numbers at = place_of(a, out, 0, i);
        pass_orbit(&at, &a->tools, a->p, &a->orbit[i], i);
        if (!a->orbit[i].ended) out[0] = 0.0;
    }
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
    lie_status status = open_tools(&a->tools, a->p, a->count);
    if (status != LIE_OK) {
        if (!carried) refuse(a, first, status);
        a->orbit[0].no_memory |= carried != 0; /* what it needs was there in the first round */
        return;
    }
    for (int i = 0; i < a->count && !carried; i++) begin_orbit(a, i, first + i);
    if (carried) take_up(a, carried);
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
    if (all && carry > 0) hand_on(a, all);
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
    close_tools(&a->tools);
    free(a);
}
