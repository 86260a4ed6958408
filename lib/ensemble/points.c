/* SPDX-License-Identifier: MIT */
/* points.c: crossings of the trajectories of an ensemble, found while they are stepped; see points.h. Samples are shown
 * to the section of their trajectory one by one, trails column by column: a value that is a component of the state is
 * read from the trail, any other called for a stretch of states, and the section asks for the states it wants. */
#include <liestep/points.h>

#include "lib/ensemble/ensemble_internal.h"

enum { STRETCH = 64 };

static int is_looked_at(const lie_points *p, long long i)
{
    return p->sections[i] && p->statuses[i] == LIE_OK;
}

/* The section has seen more, with this status: what it found is handed on. What comes after a stop does not count. */
static void hand_on(const lie_points *p, long long i, lie_status status)
{
    lie_crossing c;
    p->statuses[i] = status;
    while (p->statuses[i] != LIE_STOPPED && lie_section_take(p->sections[i], &c))
        if (p->found(p->ctx, i, &c) != 0) p->statuses[i] = LIE_STOPPED;
}

/* samples */

static void state_of_sample(const lie_ops *G, lie_state *s, const lie_sample *from)
{
    s->t = from->t, s->low_t = 0.0, s->steps = 0;
    const state_parts to = parts_of(s);
    copy_n(G->size, to.g, from->g);
    copy_n(G->dim, to.m, from->m);
    zero_n(G->size, to.low_g);
    zero_n(G->dim, to.low_m);
}

/* Is this the state that the section has seen last? */
static int is_latest(const lie_section *sec, const lie_ops *G, const lie_state *s)
{
    const lie_state *last = lie_section_latest(sec, 0);
    if (!last || last->t != s->t) return 0;
    const state_parts a = parts_of(last), b = parts_of(s);
    int same = 1;
    for (int k = 0; same && k < G->size; k++) same = a.g[k] == b.g[k];
    for (int k = 0; same && k < G->dim; k++) same = a.m[k] == b.m[k];
    return same;
}

/* The first state of a run: what was not taken before is handed on. Answers whether the state is to be seen. */
static int begin(const lie_points *p, long long i, const lie_state *s)
{
    hand_on(p, i, LIE_OK);
    if (p->statuses[i] != LIE_OK || is_latest(p->sections[i], lie_ensemble_group(p->ensemble), s)) return 0;
    lie_section_reset(p->sections[i]);
    return 1;
}

static void see(const lie_reducer *r, void *sum, const lie_sample *sample)
{
    const lie_points *p = (const lie_points *)r->ctx;
    const long long i = sample->trajectory;
    lie_large_state room;
    lie_state *s = state_unset(lie_ensemble_group(p->ensemble), &room);
    (void)sum;
    if (!is_looked_at(p, i)) return;
    state_of_sample(lie_ensemble_group(p->ensemble), s, sample);
    if (sample->observation == 0 && !begin(p, i, s)) return;
    hand_on(p, i, lie_section_see(p->sections[i], s, step_of(p->ensemble, i)));
}

/* trails */

/* One column of a trail, from one of its steps on. */
typedef struct column {
    const lie_trail *trail;
    const lie_ops *G;
    int c, first;
} column;

/* number r of the state after step k */
static const double *number_of_column(const column *from, int k, int r)
{
    const lie_trail *t = from->trail;
    return t->rows + ((size_t)(from->first + k) * (size_t)t->numbers + (size_t)r) * (size_t)t->width + from->c;
}

static void state_of_column(void *ctx, int k, lie_state *s)
{
    const column *from = (const column *)ctx;
    const int width = from->trail->width;
    const double *at = number_of_column(from, k, 0);
    const state_parts to = parts_of(s);
    s->t = at[0], at += width;
    for (int i = 0; i < from->G->size; i++, at += width) to.g[i] = *at;
    for (int i = 0; i < from->G->dim; i++, at += width) to.m[i] = *at;
}

/* The values of n states of a column, and their distance: where they lie if they are part of the state, else in
 * `out`. */
static const double *values_of_column(const lie_points *p, const lie_section *sec, column *from, int n, double *out,
                                      int *stride)
{
    const lie_event *event = lie_section_event(sec);
    lie_large_state room;
    lie_state *s = state_unset(from->G, &room);
    *stride = p->component > 0 ? from->trail->numbers * from->trail->width : 1;
    if (p->component > 0) return number_of_column(from, 0, p->component);
    for (int k = 0; k < n; k++) {
        state_of_column(from, k, s);
        out[k] = event->value(event->ctx, lie_section_stepper(sec)->system, s->t, lie_state_g(s), lie_state_m(s));
    }
    return out;
}

static void watch_stretch(const lie_points *p, long long i, column *from, int n)
{
    lie_section *sec = p->sections[i];
    double values[STRETCH];
    int seen = 0, stride;
    const double *f = values_of_column(p, sec, from, n, values, &stride);
    while (seen < n && p->statuses[i] == LIE_OK)
        hand_on(p, i, lie_section_watch(sec, f, stride, n, step_of(p->ensemble, i), state_of_column, from, &seen));
}

/* `see` for many steps at once */
static void watch(const lie_reducer *r, const lie_trail *t)
{
    const lie_points *p = (const lie_points *)r->ctx;
    for (int c = 0; c < t->columns; c++) {
        const long long i = t->trajectory[c];
        column from = {t, lie_ensemble_group(p->ensemble), c, 0};
        for (; i >= 0 && is_looked_at(p, i) && from.first < t->steps; from.first += STRETCH) {
            int left = t->steps - from.first;
            watch_stretch(p, i, &from, left < STRETCH ? left : STRETCH);
        }
    }
}

lie_status lie_points_reducer(lie_reducer *out, const lie_points *p)
{
    if (!p || !p->ensemble || !p->sections || !p->statuses || !p->found) return LIE_ERR_INCOMPLETE;
    const lie_ops *G = lie_ensemble_group(p->ensemble);
    if (p->component < 0 || p->component > G->size + G->dim) return LIE_ERR_SIZE;
    for (long long i = 0; i < lie_ensemble_count(p->ensemble); i++) {
        const lie_ops *other = p->sections[i] ? lie_section_stepper(p->sections[i])->group : G;
        if (other->size != G->size || other->dim != G->dim) return LIE_ERR_SIZE;
    }
    *out = (lie_reducer){.bytes = 0, .ctx = p, .add = see, .trail = watch};
    return LIE_OK;
}
