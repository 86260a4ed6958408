/* SPDX-License-Identifier: MIT */
/* ensemble_chunk.c: the trajectories of one chunk of an ensemble, step by step: alone through lie_run, or in tiles
 * (lanes.h) with the same bits. A tile goes through all the steps of the run before the next one starts, so that its
 * numbers stay in the cache; every observation still sees the trajectories in their order.
 *
 * In a tile go trajectories whose memory is ready for it: the first steps after a state or h was set are taken alone.
 * Where a lane was lost in a block, its record still has the state before the block, and lie_run goes on from there. */
#include "lib/ensemble/ensemble_internal.h"

/* The run that a thread is in. */
typedef struct run {
    const lie_ensemble *e;
    worker *w;
    long long n, chunk;
    const lie_observation *obs;
    char *sums;   /* of the chunk */
    size_t one;   /* bytes of the sums of one observation */
    int by_trail; /* reducers are shown trails */
} run;

/* records */

/* p to the numbers of s in the order of a record, or back */
void lie__ensemble_store(const lie_ensemble *e, long long i, const lie_state *s)
{
    double *p = record_of(e, i);
    const state_parts from = parts_of(s);
    const int n = e->group->size, d = e->group->dim;
    p[RECORD_T] = s->t, p[RECORD_LOW_T] = s->low_t, p[RECORD_STEPS] = (double)s->steps;
    p += RECORD_STATE;
    memcpy(p, from.g, (size_t)n * sizeof *p), p += n;
    memcpy(p, from.low_g, (size_t)n * sizeof *p), p += n;
    memcpy(p, from.m, (size_t)d * sizeof *p), p += d;
    memcpy(p, from.low_m, (size_t)d * sizeof *p);
}

void lie__ensemble_state(const lie_ensemble *e, long long i, lie_state *s)
{
    const double *p = record_of(e, i);
    const state_parts to = parts_of(s);
    const int n = e->group->size, d = e->group->dim;
    s->t = p[RECORD_T], s->low_t = p[RECORD_LOW_T], s->steps = (long long)p[RECORD_STEPS];
    p += RECORD_STATE;
    memcpy(to.g, p, (size_t)n * sizeof *p), p += n;
    memcpy(to.low_g, p, (size_t)n * sizeof *p), p += n;
    memcpy(to.m, p, (size_t)d * sizeof *p), p += d;
    memcpy(to.low_m, p, (size_t)d * sizeof *p);
}

/* observations */

/* After `done` steps, is there an observation? Its index, or -1. */
static long long observation_at(const run *r, long long done)
{
    if (!r->obs) return -1;
    if (done % r->obs->every == 0) return done / r->obs->every;
    return done == r->n ? done / r->obs->every + 1 : -1;
}

/* Steps from `done` to the next observation, or the end. */
static long long until_observation(const run *r, long long done)
{
    long long left = r->n - done;
    if (!r->obs) return left;
    long long next = r->obs->every - done % r->obs->every;
    return next < left ? next : left;
}

static void observe(const run *r, long long i, long long k, double t, const double *g, const double *m)
{
    lie_sample sample = {i, k, system_of(r->e, i), t, g, m};
    size_t at = (size_t)k * r->one;
    for (int j = 0; j < r->obs->reducers; j++) {
        const lie_reducer *reducer = &r->obs->reducer[j];
        reducer->add(reducer, reducer->bytes > 0 ? r->sums + at : 0, &sample);
        at += reducer->bytes;
    }
}

/* as it is in its record */
static void observe_record(const run *r, long long i, long long k)
{
    const double *p = record_of(r->e, i), *g = p + RECORD_STATE;
    observe(r, i, k, p[RECORD_T], g, g + 2 * r->e->group->size);
}

/* one trajectory alone */

static lie_status get_ready(const run *r, long long i)
{
    const lie_ensemble *e = r->e;
    worker *w = r->w;
    const lie_system *sys = system_of(e, i);
    if (w->ready != sys) {
        lie_status status = lie_stepper_init(&w->st, sys, &e->options.step, w->work, e->plan->work_bytes);
        if (status != LIE_OK) return status;
        w->ready = sys;
        lie_stepper_control(w->st, e->options.u_minus, e->options.u_plus);
    }
    lie_stepper_memory_set(w->st, memory_of(e, i));
    lie__ensemble_state(e, i, state_unset(e->group, &w->state));
    return LIE_OK;
}

/* Own constants of a trajectory follow its memory. */
static int are_constants_known(const run *r, long long i)
{
    const plan *p = r->e->plan;
    if (!p->has_lanes || !p->lanes.by->known) return 1;
    const lanes_record record = parts_of_record(r->e, i);
    return p->lanes.by->known(&record);
}

/* From the stepper of the worker, which has the memory of the trajectory. */
static void note_constants(const run *r, long long i)
{
    const plan *p = r->e->plan;
    if (!are_constants_known(r, i)) p->lanes.by->constants(&p->lanes, constants_of(r->e, i), r->w->st);
}

/* Steps of trajectory i after `done` of the run. */
static void run_alone(const run *r, long long i, long long done, long long steps)
{
    const lie_ensemble *e = r->e;
    worker *w = r->w;
    lie_status status = get_ready(r, i);
    while (steps > 0 && status == LIE_OK) {
        long long piece = until_observation(r, done);
        if (piece > steps) piece = steps;
        status = lie_run(w->st, LIE_STATE(&w->state), step_of(e, i), piece);
        done += piece, steps -= piece;
        long long k = status == LIE_OK ? observation_at(r, done) : -1;
        if (k >= 0) observe(r, i, k, w->state.t, lie_state_g(LIE_STATE(&w->state)), lie_state_m(LIE_STATE(&w->state)));
    }
    e->statuses[i] = (int)status;
    lie__ensemble_store(e, i, LIE_STATE(&w->state));
    lie_stepper_memory_get(w->st, memory_of(e, i));
    note_constants(r, i);
}

/* tiles */

typedef struct tile {
    long long member[LANES_WIDTH_MAX]; /* trajectories, one in each lane */
    int count;
    int in_step; /* the tile holds what the records hold */
    int same_time;
    int period; /* that of the plan, or 1 where not all have taken equally many steps of it */
    int block;  /* steps of the next block, at most */
} tile;

/* Can its next step be taken in a tile? */
static int is_ready(const run *r, long long i)
{
    const lanes_plan *p = &r->e->plan->lanes;
    if (!r->e->plan->has_lanes || !p->by->ready) return 1;
    const lanes_record record = parts_of_record(r->e, i);
    return p->by->ready(p, &record, step_of(r->e, i));
}

static void fill_column(const run *r, double *column, int width, long long i)
{
    const lanes_plan *p = &r->e->plan->lanes;
    const lanes_record record = parts_of_record(r->e, i);
    double *data = column + lanes_data_row(p->shape) * width;
    for (int k = 0; k < lanes_memory_row(p->shape); k++) column[k * width] = record.state[k];
    column[LANES_H * width] = step_of(r->e, i);
    for (int k = 0; k < p->shape.data + p->shape.params; k++) data[k * width] = record.constants[k];
    if (p->by->load) p->by->load(p, column, width, &record);
}

static long long steps_taken(const run *r, const tile *T, int l)
{
    return (long long)record_of(r->e, T->member[l])[RECORD_STEPS];
}

/* Lanes without a trajectory follow the first. */
static void fill(const run *r, tile *T)
{
    const int width = r->e->width, period = r->e->plan->lanes.period;
    double *at = r->w->tile;
    T->same_time = 1, T->period = period;
    for (int l = 0; l < width; l++) {
        fill_column(r, at + l, width, T->member[l < T->count ? l : 0]);
        if (l < T->count && steps_taken(r, T, l) % period != steps_taken(r, T, 0) % period) T->period = 1;
        for (int row = LANES_T; row <= LANES_H; row++) T->same_time &= at[row * width + l] == at[row * width];
    }
    T->in_step = 1;
}

/* The column of lane l becomes the record of its trajectory, brought back to the group where that is due. 0 if it
 * cannot be, and the record is as it was. */
static int take_back(const run *r, tile *T, int l, int steps)
{
    const lie_ensemble *e = r->e;
    const lanes_plan *how = &e->plan->lanes;
    const int width = e->width, size = how->shape.size;
    const double *column = r->w->tile + l;
    const lanes_record record = parts_of_record(e, T->member[l]);
    double *p = record.state, g[LANES_SIZE_MAX], taken = p[RECORD_STEPS] + (double)steps;
    for (int k = 0; k < size; k++) g[k] = column[(LANES_STATE + k) * width];
    if ((long long)taken % PROJECT_CARRIED_EVERY == 0 && !how->unprojected) {
        T->in_step = 0;
        if (e->group->project(e->group, g, g) != LIE_OK) return 0;
    }
    for (int k = 0; k < lanes_memory_row(how->shape); k++) p[k] = column[k * width];
    p[RECORD_STEPS] = taken;
    memcpy(p + RECORD_STATE, g, (size_t)size * sizeof *g);
    if (how->by->store) how->by->store(how, &record, column, width);
    return 1;
}

/* The trail of lane l, before its record changes. */
static void show_lane(const run *r, const tile *T, int l, int steps)
{
    const lanes_plan *p = &r->e->plan->lanes;
    const lanes_record record = parts_of_record(r->e, T->member[l]);
    if (p->by->show) p->by->show(p, &record, r->w->trail + l, r->e->width, steps);
}

/* The observations of lane l in the steps after `done`: from the trail, but the last from the record. */
static void observe_lane(const run *r, const tile *T, int l, long long done, int steps, int has_trail)
{
    const lanes_shape *S = &r->e->plan->lanes.shape;
    const int width = r->e->width, rows = 1 + S->size + S->dim;
    double at[1 + 12 + 6] = {0.0};
    for (int j = 0; has_trail && j < steps - 1; j++) {
        long long k = observation_at(r, done + j + 1);
        if (k < 0) continue;
        for (int row = 0; row < rows; row++) at[row] = r->w->trail[(j * rows + row) * width + l];
        observe(r, T->member[l], k, at[0], at + 1, at + 1 + S->size);
    }
    long long k = observation_at(r, done + steps);
    if (k >= 0) observe_record(r, T->member[l], k);
}

/* The steps of a block for reducers that want them whole; lost: lanes that were taken alone. */
static void show_trail(const run *r, const tile *T, long long done, int steps, unsigned lost)
{
    const lanes_shape *S = &r->e->plan->lanes.shape;
    const int width = r->e->width, numbers = 1 + S->size + S->dim;
    long long member[LANES_WIDTH_MAX];
    double *last = r->w->trail + (steps - 1) * numbers * width;
    for (int l = 0; l < T->count; l++) {
        member[l] = lost >> l & 1u ? -1 : T->member[l];
        const double *g =
            record_of(r->e, T->member[l]) + RECORD_STATE; /* which may have been brought back to the group */
        for (int k = 0; k < S->size; k++) last[(1 + k) * width + l] = g[k];
    }
    const lie_trail trail = {member, T->count, width, steps, numbers, done + 1, r->w->trail};
    for (int j = 0; j < r->obs->reducers; j++) r->obs->reducer[j].trail(&r->obs->reducer[j], &trail);
}

/* Up to the next projection of one of the trajectories, and not beyond an observation unless there is a trail. */
static int block_length(const run *r, const tile *T, long long done, int has_trail)
{
    long long steps = has_trail ? TRAIL_BLOCK : T->block, left = has_trail ? r->n - done : until_observation(r, done);
    if (left < steps) steps = left;
    for (int l = 0; l < T->count; l++) {
        long long free = PROJECT_CARRIED_EVERY - steps_taken(r, T, l) % PROJECT_CARRIED_EVERY;
        if (free < steps) steps = free;
    }
    return (int)steps;
}

/* One block of the tile after `done` steps; returns its length. */
static int run_block(const run *r, tile *T, long long done)
{
    const plan *p = r->e->plan;
    const lie_system *systems[LANES_WIDTH_MAX];
    int has_trail = r->obs && r->obs->every < TRAIL_BLOCK, steps = block_length(r, T, done, has_trail);
    for (int l = 0; l < r->e->width; l++) systems[l] = system_of(r->e, T->member[l < T->count ? l : 0]);
    if (!T->in_step) fill(r, T);
    lanes_block block = {.tile = r->w->tile,
                         .systems = systems,
                         .before = p->lanes.before,
                         .after = p->lanes.after,
                         .steps = steps,
                         .cap = p->lanes.cap,
                         .same_time = T->same_time,
                         .is_diagonal = p->lanes.is_diagonal,
                         .taken = (int)(steps_taken(r, T, 0) % p->lanes.period),
                         .period = T->period,
                         .trail = has_trail ? r->w->trail : 0};
    unsigned lost = p->lanes.run(&block);
    T->block = lost != 0 ? BLOCK_AFTER_LOSS : T->block < BLOCK ? 2 * T->block : BLOCK;
    for (int l = 0; l < T->count && has_trail; l++)
        if (!(lost >> l & 1u)) show_lane(r, T, l, steps);
    for (int l = 0; l < T->count; l++) {
        if (!(lost >> l & 1u) && take_back(r, T, l, steps)) {
            if (r->obs && !r->by_trail) observe_lane(r, T, l, done, steps, has_trail);
        } else {
            T->in_step = 0;
            lost |= 1u << l;
            run_alone(r, T->member[l], done, steps);
        }
    }
    if (r->by_trail) show_trail(r, T, done, steps, lost);
    return steps;
}

/* Leave out those that have failed. Are all others ready for a tile? */
static int gather(const run *r, tile *T)
{
    int left = 0, ready = 1;
    for (int l = 0; l < T->count; l++) {
        if (r->e->statuses[T->member[l]] != LIE_OK) continue;
        T->member[left++] = T->member[l];
        ready &= is_ready(r, T->member[left - 1]);
    }
    T->count = left;
    return ready;
}

/* A few trajectories are faster alone: a tile takes the time of about a fifth as many steps. */
static int is_worth_a_tile(const run *r, const tile *T)
{
    return r->e->width > 1 && 5 * T->count > r->e->width;
}

/* At the start of a run: the parameters of a system need not be those of the last run, and a record may have come from
 * elsewhere. */
static void prepare_tile(const run *r, const tile *T)
{
    const plan *p = r->e->plan;
    for (int l = 0; p->has_lanes && l < T->count; l++) {
        long long i = T->member[l];
        if (p->lanes.by->params) p->lanes.by->params(&p->lanes, constants_of(r->e, i), system_of(r->e, i));
        if (!are_constants_known(r, i) && get_ready(r, i) == LIE_OK) note_constants(r, i);
    }
}

static void run_tile(const run *r, tile *T)
{
    prepare_tile(r, T);
    for (long long done = 0; done < r->n;) {
        long long alone = r->n - done;
        int ready = gather(r, T);
        if (T->count == 0) return;
        if (is_worth_a_tile(r, T)) {
            if (ready) {
                done += run_block(r, T, done);
                continue;
            }
            if (alone > r->e->plan->lanes.start) alone = r->e->plan->lanes.start;
        }
        T->in_step = 0;
        for (int l = 0; l < T->count; l++) run_alone(r, T->member[l], done, alone);
        done += alone;
    }
}

void lie_ensemble_run_chunk(lie_ensemble *e, long long chunk, int worker_index, long long n, const lie_observation *obs)
{
    run r = {.e = e, .n = n, .chunk = chunk, .obs = obs};
    long long first = chunk * e->chunk, end = first + e->chunk < e->count ? first + e->chunk : e->count;
    r.w = (worker *)(void *)((char *)e->scratch + (size_t)worker_index * e->scratch_bytes);
    if (obs) {
        r.sums = (char *)lie_ensemble_chunk_sums(chunk, n, obs);
        r.by_trail = obs->every == 1 && obs->reducers > 0;
        for (int j = 0; j < obs->reducers; j++) r.by_trail &= obs->reducer[j].trail != 0;
        r.one = lie_ensemble_chunk_bytes(n, obs) / (size_t)lie_ensemble_observations(n, obs);
        for (long long i = first; i < end; i++)
            if (e->statuses[i] == LIE_OK) observe_record(&r, i, 0);
    }
    for (long long i = first; i < end;) {
        tile T = {.block = BLOCK};
        for (; i < end && T.count < e->width; i++)
            if (e->statuses[i] == LIE_OK) T.member[T.count++] = i;
        run_tile(&r, &T);
    }
}
