/* SPDX-License-Identifier: MIT */
/* ensemble_group.c: a unit of work of `liestep ensemble`: trajectories that are neighbours, stepped together by
 * lie_ensemble, several in the lanes of a vector where the method has lanes (docs/ENSEMBLES.md). The bits are those of
 * each trajectory alone, so that nothing depends on how they are grouped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dispersion.h"
#include "ensemble.h"

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
    int fine; /* its values make a scenario */
    lie_status status;
    double *rows;
    long long made;
} member;

typedef struct group {
    team *team;
    const ensemble *e;
    long long first;
    int count;
    member *members;
    int *stepped; /* which of them are fine, and their systems */
    lie_system *systems;
    int steps;
    int begun; /* the start has been recorded */
} group;

static member *stepped(const group *G, long long i)
{
    return &G->members[G->stepped[i]];
}

static void put_row(const group *G, member *m, double t)
{
    const ensemble_plan *p = G->e->job.s->ensemble;
    double *row = m->rows + (size_t)m->made++ * (size_t)G->e->job.table.columns;
    row[AT_TRAJECTORY] = (double)(G->first + (m - G->members)) + 1.0;
    row[AT_ENSEMBLE_TIME] = t;
    for (int i = 0; i < p->watched; i++) row[AT_WATCHED + i] = (double)NAN;
}

/* Its own expressions know its system. */
static void record(const group *G, member *m, double t, const double *g, const double *x)
{
    const ensemble_plan *p = m->own.ensemble;
    if (m->made == G->e->times) return;
    put_row(G, m, t);
    double *row = m->rows + (size_t)(m->made - 1) * (size_t)G->e->job.table.columns;
    for (int i = 0; i < p->watched; i++) row[AT_WATCHED + i] = expression_value(&p->watch[i], t, g, x);
}

/* one by one */

static void follow(const group *G, member *m)
{
    const scenario *s = &m->own;
    size_t bytes = lie_stepper_memsize(&s->system, &s->options);
    void *work = malloc(bytes);
    lie_stepper st;
    lie_state at = s->start;
    m->status = work ? lie_stepper_init(&st, &s->system, &s->options, work, bytes) : LIE_ERR_MEMORY;
    if (m->status == LIE_OK) lie_stepper_control(&st, s->u, s->u);
    while (m->status == LIE_OK && m->made < G->e->times && !team_is_stopped(G->team)) {
        record(G, m, at.t, at.g, at.m);
        long long n = m->made == G->e->times ? 0 : s->output.every;
        if (n > s->steps - at.steps) n = s->steps - at.steps;
        atomic_fetch_add(&G->team->steps, n);
        while (n > 0 && m->status == LIE_OK && !team_is_stopped(G->team)) {
            long long some = n < BETWEEN_LOOKS ? n : BETWEEN_LOOKS;
            m->status = lie_run(&st, &at, s->step, some);
            n -= some;
        }
    }
    free(work);
}

/* together */

typedef struct recorder {
    group *group;
} recorder;

static void clear_nothing(const lie_reducer *r, void *sum)
{
    (void)r, (void)sum;
}

static void merge_nothing(const lie_reducer *r, void *sum, const void *next)
{
    (void)r, (void)sum, (void)next;
}

/* The first observation of a run is the last one of the run before. */
static void add_record(const lie_reducer *r, void *sum, const lie_sample *s)
{
    const group *G = ((const recorder *)r->ctx)->group;
    (void)sum;
    if (s->observation > 0 || !G->begun) record(G, stepped(G, s->trajectory), s->t, s->g, s->m);
}

static void tell_steps(const group *G, long long steps)
{
    atomic_fetch_add(&G->team->steps, steps * G->steps);
}

/* Records that lie close: many in one run. */
static lie_status run_close(group *G, lie_ensemble *E)
{
    const scenario *s = G->e->job.s;
    recorder mine = {G};
    lie_reducer reducer = {
        .bytes = sizeof(double), .ctx = &mine, .clear = clear_nothing, .add = add_record, .merge = merge_nothing};
    lie_observation obs = {.every = s->output.every, .reducers = 1, .reducer = &reducer};
    long long most = BETWEEN_LOOKS / obs.every * obs.every, left = s->steps;
    obs.bytes = lie_ensemble_sums_bytes(E, most, &obs);
    obs.sums = malloc(obs.bytes);
    if (!obs.sums) return LIE_ERR_MEMORY;
    while (left > 0 && !team_is_stopped(G->team)) {
        long long n = left < most ? left : most;
        lie_ensemble_run(E, n, &obs);
        G->begun = 1;
        left -= n;
        tell_steps(G, n);
    }
    free(obs.sums);
    return LIE_OK;
}

static void record_all(const group *G, const lie_ensemble *E)
{
    lie_state at;
    for (int i = 0; i < G->steps; i++)
        if (lie_ensemble_status(E, i) == LIE_OK && lie_ensemble_get(E, i, &at) == LIE_OK)
            record(G, stepped(G, i), at.t, at.g, at.m);
}

/* Records that lie far apart: many runs between two. */
static void run_far(const group *G, lie_ensemble *E)
{
    const scenario *s = G->e->job.s;
    record_all(G, E);
    for (long long left = s->steps; left > 0 && !team_is_stopped(G->team);) {
        long long n = left < s->output.every ? left : s->output.every;
        left -= n;
        while (n > 0 && !team_is_stopped(G->team)) {
            long long some = n < BETWEEN_LOOKS ? n : BETWEEN_LOOKS;
            lie_ensemble_run(E, some, 0);
            tell_steps(G, some);
            n -= some;
        }
        record_all(G, E);
    }
}

/* 0: not possible, nothing was done */
static int follow_together(group *G)
{
    const scenario *s = &stepped(G, 0)->own;
    lie_ensemble_options opt = {.step = s->options, .h = s->step, .u_minus = s->u, .u_plus = s->u, .threads = 1};
    lie_ensemble E;
    size_t bytes = lie_ensemble_memsize(G->systems, G->steps, G->steps, &opt);
    void *memory = bytes > 0 ? malloc(bytes) : 0;
    lie_status status =
        memory ? lie_ensemble_init(&E, G->systems, G->steps, G->steps, &opt, memory, bytes) : LIE_ERR_MEMORY;
    for (int i = 0; i < G->steps && status == LIE_OK; i++) status = lie_ensemble_set(&E, i, &stepped(G, i)->own.start);
    int is_close = s->output.every <= BETWEEN_LOOKS;
    if (status == LIE_OK && is_close) status = run_close(G, &E);
    if (status == LIE_OK && !is_close) run_far(G, &E);
    for (int i = 0; i < G->steps && status == LIE_OK; i++) stepped(G, i)->status = lie_ensemble_status(&E, i);
    free(memory);
    return status == LIE_OK;
}

/* An ensemble has one control for all. */
static int is_control_common(const group *G)
{
    const scenario *s = &stepped(G, 0)->own;
    for (int i = 1; i < G->steps && s->u; i++)
        if (memcmp(s->u, stepped(G, i)->own.u, (size_t)s->system.controls * sizeof *s->u) != 0) return 0;
    return 1;
}

/* the unit */

static void vary(group *G, member *m, long long k)
{
    dispersion_change change[ENSEMBLE_DISPERSED];
    scenario_change changes[ENSEMBLE_DISPERSED];
    int n = dispersion_changes(G->e->job.s, k, change);
    for (int i = 0; i < n; i++) changes[i] = (scenario_change){change[i].key, change[i].count, change[i].number};
    m->fine = scenario_vary(&m->own, G->e->job.s, n, changes) == EXIT_FINE;
    if (!m->fine) return;
    G->systems[G->steps] = m->own.system;
    G->stepped[G->steps++] = (int)(m - G->members);
}

/* Rows without gaps; a trajectory that has none gets one with its status. */
static size_t close_gaps(const group *G, double *rows)
{
    size_t columns = (size_t)G->e->job.table.columns, made = 0;
    for (int i = 0; i < G->count; i++) {
        member *m = &G->members[i];
        if (m->made == 0) put_row(G, m, G->e->job.s->start.t);
        for (long long k = 0; k < m->made; k++)
            m->rows[(size_t)k * columns + AT_ENSEMBLE_STATUS] = m->fine ? (double)m->status : (double)STATUS_REFUSED;
        memmove(rows + made, m->rows, (size_t)m->made * columns * sizeof *rows);
        made += (size_t)m->made * columns;
    }
    return made;
}

void ensemble_group(team *t, long long unit, team_result *out)
{
    const ensemble *e = (const ensemble *)t->ctx;
    long long size = ensemble_group_size(e->job.total), first = unit * size;
    long long count = e->job.total - first < size ? e->job.total - first : size;
    size_t of_one = (size_t)e->times * (size_t)e->job.table.columns, n = (size_t)count;
    double *rows = (double *)malloc(n * of_one * sizeof *rows);
    group G = {.team = t, .e = e, .first = first, .count = (int)count};
    G.members = (member *)calloc(n, sizeof *G.members);
    G.stepped = (int *)calloc(n, sizeof *G.stepped);
    G.systems = (lie_system *)calloc(n, sizeof *G.systems);
    *out = (team_result){0, 1};
    if (rows && G.members && G.stepped && G.systems) {
        for (int i = 0; i < G.count; i++) {
            G.members[i].rows = rows + (size_t)i * of_one;
            vary(&G, &G.members[i], first + i);
        }
        if (G.steps > 0 && !(is_control_common(&G) && follow_together(&G)))
            for (int i = 0; i < G.steps; i++) follow(&G, stepped(&G, i));
        *out = (team_result){rows, close_gaps(&G, rows)};
        rows = 0;
    }
    for (int i = 0; i < G.count && G.members; i++) scenario_free(&G.members[i].own);
    free(G.members);
    free(G.stepped);
    free(G.systems);
    free(rows);
}
