/* SPDX-License-Identifier: MIT */
/* ensemble_group.c: a unit of work of `liestep ensemble`: a round of steps of trajectories that are neighbours,
 * stepped together by lie_ensemble, several in the lanes of a vector where the method has lanes (docs/ENSEMBLES.md).
 * The bits are those of each trajectory alone, so that nothing depends on how they are grouped, nor on the rounds:
 * what is handed on is the record that lie_ensemble has of each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/ensemble.h"
#include "cli/scenario/dispersion.h"

/* Steps of all between two looks whether somebody wants to stop. */
enum { BETWEEN_LOOKS = 512 };

/* Few trajectories: small groups, so that every thread gets one; many: a multiple of every width of lanes. All
 * processes must agree, so that only the number of trajectories counts. */
long long ensemble_group_size(long long trajectories)
{
    return trajectories < 32 ? 4 : trajectories < 96 ? 12 : trajectories < 384 ? 24 : 48;
}

typedef struct member {
    scenario own;
    int ended; /* it failed, or its values make no scenario */
    double *rows;
    long long made;
    const double *from; /* of the round before: has it ended, and its record; null in the first */
    double *to;         /* the same for the next; null if there is none */
} member;

typedef struct group {
    team *team;
    const ensemble *e;
    long long first; /* trajectory */
    int count;
    member *members;
    int *stepped; /* which of them go on, and their systems */
    lie_system *systems;
    int steps;
    long long begin, end; /* steps of the trajectories in this round */
} group;

static member *stepped(const group *G, long long i)
{
    return &G->members[G->stepped[i]];
}

static double *new_row(const group *G, member *m, double t)
{
    int columns = G->e->job.table.columns;
    double *row = m->rows + (size_t)m->made++ * (size_t)columns;
    row[AT_TRAJECTORY] = (double)(G->first + (m - G->members)) + 1.0;
    row[AT_ENSEMBLE_STATUS] = LIE_OK;
    row[AT_ENSEMBLE_TIME] = t;
    for (int i = AT_WATCHED; i < columns; i++) row[i] = (double)NAN;
    return row;
}

/* Its own expressions know its system. */
static void record(const group *G, member *m, double t, const double *g, const double *x)
{
    const ensemble_plan *p = m->own.ensemble;
    double *row = new_row(G, m, t);
    for (int i = 0; i < p->watched; i++) row[AT_WATCHED + i] = expression_value(&p->watch[i], t, g, x);
}

/* One more row, with the reason. */
static void end_member(const group *G, member *m, int status, double t)
{
    m->ended = 1;
    new_row(G, m, t)[AT_ENSEMBLE_STATUS] = status;
}

/* steps */

/* Trajectories that are stepped together. */
typedef struct batch {
    group *group;
    int first; /* of those that are stepped */
    lie_ensemble *ensemble;
} batch;

static void add_record(const lie_reducer *r, void *sum, const lie_sample *s)
{
    const batch *b = (const batch *)r->ctx;
    (void)sum;
    if (s->observation > 0) record(b->group, stepped(b->group, b->first + s->trajectory), s->t, s->g, s->m);
}

static void record_all(batch *b)
{
    lie_state at;
    for (int i = 0; i < lie_ensemble_count(b->ensemble); i++)
        if (lie_ensemble_status(b->ensemble, i) == LIE_OK && lie_ensemble_get(b->ensemble, i, &at) == LIE_OK)
            record(b->group, stepped(b->group, b->first + i), at.t, at.g, at.m);
}

static void tell_steps(const batch *b, long long steps)
{
    atomic_fetch_add(&b->group->team->steps, steps * lie_ensemble_count(b->ensemble));
}

/* Records that lie close: many in one run. */
static void run_close(batch *b)
{
    const group *G = b->group;
    const lie_reducer reducer = {.ctx = b, .add = add_record};
    const lie_observation obs = {.every = G->e->job.s->output.every, .reducers = 1, .reducer = &reducer};
    long long most = BETWEEN_LOOKS / obs.every * obs.every;
    for (long long at = G->begin; at < G->end && !team_is_stopped(G->team);) {
        long long n = G->end - at < most ? G->end - at : most;
        lie_ensemble_run(b->ensemble, n, &obs);
        tell_steps(b, n);
        at += n;
    }
}

/* Records that lie far apart: many runs between two. */
static void run_far(batch *b)
{
    const group *G = b->group;
    long long every = G->e->job.s->output.every, last = G->e->job.s->steps;
    for (long long at = G->begin; at < G->end && !team_is_stopped(G->team);) {
        long long next = (at / every + 1) * every, n = (next < G->end ? next : G->end) - at;
        if (n > BETWEEN_LOOKS) n = BETWEEN_LOOKS;
        lie_ensemble_run(b->ensemble, n, 0);
        tell_steps(b, n);
        at += n;
        if (at == next || at == last) record_all(b);
    }
}

/* From the start, which is a record, or from where the round before ended. */
static void set_members(batch *b)
{
    size_t bytes = lie_ensemble_record_bytes(b->ensemble);
    for (int i = 0; i < lie_ensemble_count(b->ensemble); i++) {
        member *m = stepped(b->group, b->first + i);
        lie_ensemble_set(b->ensemble, i, &m->own.start);
        if (m->from) memcpy(lie_ensemble_record(b->ensemble, i), m->from + 1, bytes);
    }
    if (b->group->begin == 0) record_all(b);
}

static void take_results(batch *b)
{
    size_t bytes = lie_ensemble_record_bytes(b->ensemble);
    for (int i = 0; i < lie_ensemble_count(b->ensemble); i++) {
        member *m = stepped(b->group, b->first + i);
        lie_status status = lie_ensemble_status(b->ensemble, i);
        lie_state at;
        if (status != LIE_OK && lie_ensemble_get(b->ensemble, i, &at) == LIE_OK)
            end_member(b->group, m, (int)status, at.t);
        if (m->to && !m->ended) memcpy(m->to + 1, lie_ensemble_record(b->ensemble, i), bytes);
    }
}

/* Some of those that are stepped. LIE_OK, or why they cannot be stepped together; nothing was done then. */
static lie_status follow(group *G, int first, int count)
{
    const scenario *s = &stepped(G, first)->own;
    const lie_ensemble_options opt = {.step = s->options, .h = s->step, .u_minus = s->u, .u_plus = s->u, .threads = 1};
    size_t bytes = lie_ensemble_memsize(G->systems + first, count, count, &opt);
    void *memory = bytes > 0 ? malloc(bytes) : 0;
    batch b = {.group = G, .first = first};
    lie_status status = lie_ensemble_init(&b.ensemble, G->systems + first, count, count, &opt, memory, bytes);
    if (status == LIE_OK) {
        set_members(&b);
        if (s->output.every <= BETWEEN_LOOKS)
            run_close(&b);
        else
            run_far(&b);
        take_results(&b);
    }
    free(memory);
    return status;
}

/* An ensemble has one control for all. */
static int is_control_common(const group *G)
{
    const scenario *s = &stepped(G, 0)->own;
    for (int i = 1; i < G->steps && s->u; i++)
        if (memcmp(s->u, stepped(G, i)->own.u, (size_t)s->system.controls * sizeof *s->u) != 0) return 0;
    return 1;
}

/* Together, or one by one if that cannot be. */
static void follow_all(group *G)
{
    if (G->steps == 0 || (is_control_common(G) && follow(G, 0, G->steps) == LIE_OK)) return;
    for (int i = 0; i < G->steps; i++) {
        lie_status status = follow(G, i, 1);
        if (status != LIE_OK) end_member(G, stepped(G, i), (int)status, stepped(G, i)->own.start.t);
    }
}

/* the unit */

/* The scenario of trajectory k. 0: its values make none. */
static int vary(const ensemble *e, long long k, scenario *out)
{
    dispersion_change change[ENSEMBLE_DISPERSED];
    scenario_change changes[ENSEMBLE_DISPERSED];
    int n = dispersion_changes(e->job.s, k, change);
    for (int i = 0; i < n; i++) changes[i] = (scenario_change){change[i].key, change[i].count, change[i].number};
    return scenario_vary(out, e->job.s, n, changes) == EXIT_FINE;
}

static void begin_member(group *G, member *m, long long k)
{
    m->ended = m->from && m->from[0] != 0.0;
    if (m->ended) {
        atomic_fetch_add(&G->team->steps, G->end - G->begin);
    } else if (vary(G->e, k, &m->own)) {
        G->systems[G->steps] = m->own.system;
        G->stepped[G->steps++] = (int)(m - G->members);
    } else {
        end_member(G, m, STATUS_REFUSED, G->e->job.s->start.t);
    }
}

size_t ensemble_carry(const ensemble *e)
{
    int most = 0;
    for (long long k = 0; k < e->trajectories; k++) {
        scenario own = {0};
        lie_stepper *st;
        size_t bytes = vary(e, k, &own) ? lie_stepper_memsize(&own.system, &own.options) : 0;
        void *work = bytes > 0 ? malloc(bytes) : 0;
        if (work && lie_stepper_init(&st, &own.system, &own.options, work, bytes) == LIE_OK &&
            lie_stepper_memory_count(st) > most)
            most = lie_stepper_memory_count(st);
        free(work);
        scenario_free(&own);
    }
    int numbers = 3 + 2 * e->job.table.group->size + 2 * e->job.table.group->dim + most;
    return 1 + (1 + (size_t)numbers) * (size_t)ensemble_group_size(e->trajectories);
}

/* What is handed on: has the group come to its end, and then each of its trajectories. */
static void hand_on(const group *G, double *to)
{
    to[0] = 1.0;
    for (int i = 0; i < G->count; i++) {
        const member *m = &G->members[i];
        m->to[0] = m->ended || G->end == G->e->job.s->steps;
        if (m->to[0] == 0.0) to[0] = 0.0;
    }
}

/* Rows without gaps. */
static size_t close_gaps(const group *G, double *rows)
{
    size_t columns = (size_t)G->e->job.table.columns, made = 0;
    for (int i = 0; i < G->count; i++) {
        size_t n = (size_t)G->members[i].made * columns;
        memmove(rows + made, G->members[i].rows, n * sizeof *rows);
        made += n;
    }
    return made;
}

static void work_on(group *G, const double *carried, size_t of_one, double *out)
{
    size_t carry = G->team->carry, each = carry > 0 ? (carry - 1) / (size_t)ensemble_group_size(G->e->trajectories) : 0;
    for (size_t i = 0; i < carry; i++) out[i] = 0.0;
    for (int i = 0; i < G->count; i++) {
        member *m = &G->members[i];
        m->rows = out + carry + (size_t)i * of_one;
        m->from = carried ? carried + 1 + (size_t)i * each : 0;
        m->to = carry > 0 ? out + 1 + (size_t)i * each : 0;
        begin_member(G, m, G->first + i);
    }
    follow_all(G);
    if (carry > 0) hand_on(G, out);
}

void ensemble_group(team *t, long long unit, const double *carried, team_result *out)
{
    const ensemble *e = (const ensemble *)t->ctx;
    long long size = ensemble_group_size(e->trajectories), first = unit % t->groups * size;
    long long left = e->trajectories - first, begin = unit / t->groups * e->round, steps = e->job.s->steps;
    group G = {.team = t, .e = e, .first = first, .count = (int)(left < size ? left : size), .begin = begin};
    G.end = steps - begin < e->round ? steps : begin + e->round;
    /* those of the round, the start, and why it ended */
    size_t n = (size_t)G.count,
           of_one = (size_t)(ensemble_times(e, unit / t->groups) + 2) * (size_t)e->job.table.columns;
    double *values = (double *)malloc((t->carry + n * of_one) * sizeof *values);
    G.members = (member *)calloc(n, sizeof *G.members);
    G.stepped = (int *)calloc(n, sizeof *G.stepped);
    G.systems = (lie_system *)calloc(n, sizeof *G.systems);
    *out = (team_result){0, 1};
    if (values && G.members && G.stepped && G.systems) {
        work_on(&G, carried, of_one, values);
        *out = (team_result){values, t->carry + close_gaps(&G, values + t->carry)};
        values = 0;
    }
    for (int i = 0; i < G.count && G.members; i++) scenario_free(&G.members[i].own);
    free(G.members);
    free(G.stepped);
    free(G.systems);
    free(values);
}
