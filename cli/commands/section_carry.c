/* SPDX-License-Identifier: MIT */
/* section_carry.c: what the orbits of a group are computed with, and what one round of them hands on to the next: all
 * that an orbit, its section and its indicator know, so that rounds change no bit. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands/section_group.h"

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

lie_status section_tools_open(tools *T, const section_panel *p, int count)
{
    lie_status status = open_stepper(T, p->s, &T->stepper);
    if (status == LIE_OK) status = open_ensemble(T, p->s, count);
    for (int i = 0; i < count && status == LIE_OK; i++) status = open_orbit(T, p, i);
    return status;
}

void section_tools_close(tools *T)
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
        if (section_tools_open(T, &s->panel[k], 1) == LIE_OK)
            pass_orbit(&at, T, &s->panel[k], &one, 0);
        else
            at.count = 2;
        section_tools_close(T);
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
void section_take_up(group *a, const double *carried)
{
    for (int i = 0; i < a->count; i++) {
        numbers at = place_of(a, 0, carried, i);
        lie_ensemble_set(a->tools.ensemble, i, &a->p->s->start);
        pass_orbit(&at, &a->tools, a->p, &a->orbit[i], i);
        if (a->orbit[i].ended) lie_ensemble_set_status(a->tools.ensemble, i, LIE_STOPPED);
    }
}

void section_hand_on(group *a, double *out)
{
    memset(out, 0, a->s->team.carry * sizeof *out);
    out[0] = 1.0;
    for (int i = 0; i < a->count; i++) {
        numbers at = place_of(a, out, 0, i);
        pass_orbit(&at, &a->tools, a->p, &a->orbit[i], i);
        if (!a->orbit[i].ended) out[0] = 0.0;
    }
}
