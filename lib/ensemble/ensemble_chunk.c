/* SPDX-License-Identifier: MIT */
/* ensemble_chunk.c: the trajectories of one chunk of an ensemble, step by step: alone through lie_run, or in tiles
 * (lanes.h) with the same bits. A tile goes through all the steps of the run before the next one starts, so that its
 * numbers stay in the cache; every observation still sees the trajectories in their order.
 *
 * In a tile go trajectories that are in full swing: the first steps after a state or h was set are taken alone.
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
    lie_stepper_memory_set(w->st, learnt_of(e, i));
    lie__ensemble_state(e, i, state_unset(e->group, &w->state));
    return LIE_OK;
}

/* The constants of discrete Moser-Veselov are those of the motion in which the stepper is. */
static int is_motion_known(const run *r, long long i)
{
    const double *key = constants_of(r->e, i) + MOTION_KEY;
    return key[0] != 0.0 && memcmp(key, learnt_of(r->e, i), MOTION_KEY_DOUBLES * sizeof *key) == 0;
}

static void note_motion(const run *r, long long i)
{
    const plan *p = r->e->plan;
    if (!has_motions(p) || is_motion_known(r, i)) return;
    lie__lanes_constants(&p->lanes, constants_of(r->e, i), r->w->st);
    memcpy(constants_of(r->e, i) + MOTION_KEY, learnt_of(r->e, i), MOTION_KEY_DOUBLES * sizeof(double));
    memcpy(constants_of(r->e, i) + MOTION_FRAME, lie__dmv_frame(r->w->st), sizeof(dmv_frame));
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
    lie_stepper_memory_get(w->st, learnt_of(e, i));
    note_motion(r, i);
}

/* tiles */

/* Steps after which a stepper knows all that it remembers. */
static int start_of(const run *r)
{
    return r->e->plan->lanes.drift == LANES_SE3_CAY ? HISTORY : 1;
}

typedef struct tile {
    long long member[LANES_WIDTH_MAX]; /* trajectories, one in each lane */
    int count;
    int in_step; /* the tile holds what the records hold */
    int same_time;
    int check; /* discrete Moser-Veselov: SO3_DMV_CHECK, or 1 where not all have taken equally many steps */
    int block; /* steps of the next block, at most */
} tile;

/* In what a stepper has learnt (separable.c, dmv.c), h comes first, then the number of velocities, then the memory of a
 * tile; at its end, where the last step ended, g. With discrete Moser-Veselov: dmv_frame.h. The flat methods
 * (flat_rk.c) have 1 if they know their coordinates; the coordinates, which are the memory of a tile; g and m. */
enum { LEARNT_H = 0, LEARNT_COUNT = 1, LEARNT_MEMORY = 2, LEARNT_KNOWN = 0, LEARNT_COORDINATES = 1 };
enum { LEARNT_END = LEARNT_COORDINATES + LANES_FLAT_MEMORY, LEARNT_END_M = LEARNT_END + 12 };

static int memory_at(const run *r)
{
    return lanes_is_flat(r->e->plan->lanes.drift) ? LEARNT_COORDINATES : LEARNT_MEMORY;
}

/* Do the coordinates belong to the state? */
static int has_coordinates(const run *r, long long i)
{
    const lie_ops *G = r->e->group;
    const double *learnt = learnt_of(r->e, i), *g = record_of(r->e, i) + RECORD_STATE, *m = g + 2 * G->size;
    return learnt[LEARNT_KNOWN] != 0.0 && memcmp(learnt + LEARNT_END, g, (size_t)G->size * sizeof *g) == 0 &&
           memcmp(learnt + LEARNT_END_M, m, (size_t)G->dim * sizeof *m) == 0;
}

static int is_in_swing(const run *r, long long i)
{
    const double *learnt = learnt_of(r->e, i);
    if (lanes_is_flat(r->e->plan->lanes.drift)) return has_coordinates(r, i);
    if (lanes_is_gyrostat(r->e->plan->lanes.drift)) return 1;
    if (learnt[LEARNT_H] != step_of(r->e, i)) return 0;
    return r->e->plan->lanes.drift != LANES_SE3_CAY || learnt[LEARNT_COUNT] == HISTORY;
}

static void fill_column(const run *r, double *column, int width, long long i)
{
    const lanes_shape *S = &r->e->plan->lanes.shape;
    const double *p = record_of(r->e, i), *memory = learnt_of(r->e, i) + memory_at(r), *same = constants_of(r->e, i);
    int state = state_doubles(r->e), row = 0;
    for (int k = 0; k < state; k++, row++) column[row * width] = p[k];
    if (has_motions(r->e->plan)) { /* in principal axes; what follows is zero */
        const double *own = learnt_of(r->e, i) + DMV_OWN;
        for (int k = 0; k < 2 * S->size + S->dim; k++) column[(LANES_STATE + k) * width] = own[k];
    }
    column[LANES_H * width] = step_of(r->e, i);
    for (int k = 0; k < S->memory; k++, row++) column[row * width] = memory[k];
    for (int k = 0; k < S->data + S->params; k++, row++) column[row * width] = same[k];
}

static long long steps_taken(const run *r, const tile *T, int l)
{
    return (long long)record_of(r->e, T->member[l])[RECORD_STEPS];
}

/* Lanes without a trajectory follow the first. */
static void fill(const run *r, tile *T)
{
    const int width = r->e->width;
    double *at = r->w->tile;
    T->same_time = 1, T->check = SO3_DMV_CHECK;
    for (int l = 0; l < width; l++) {
        fill_column(r, at + l, width, T->member[l < T->count ? l : 0]);
        if (l < T->count && steps_taken(r, T, l) % SO3_DMV_CHECK != steps_taken(r, T, 0) % SO3_DMV_CHECK) T->check = 1;
        for (int row = LANES_T; row <= LANES_H; row++) T->same_time &= at[row * width + l] == at[row * width];
    }
    T->in_step = 1;
}

/* Where the last step ended, for what the stepper has learnt; g: of the record, with m behind it */
static void note_end(const lie_ensemble *e, double *learnt, const double *g)
{
    const lanes_shape *S = &e->plan->lanes.shape;
    const double *m = g + 2 * S->size;
    if (lanes_is_flat(e->plan->lanes.drift)) {
        memcpy(learnt + LEARNT_END, g, (size_t)S->size * sizeof *g);
        memcpy(learnt + LEARNT_END_M, m, (size_t)S->dim * sizeof *m);
    } else if (!lanes_is_gyrostat(e->plan->lanes.drift)) {
        memcpy(learnt + e->plan->learnt - S->size, g, (size_t)S->size * sizeof *g);
    }
}

static const dmv_frame *axes_of(const lie_ensemble *e, long long i)
{
    return (const dmv_frame *)(const void *)(constants_of(e, i) + MOTION_FRAME);
}

/* The state of a record, from principal axes to those of the body; what its stepper remembers is the former. As in
 * dmv.c. */
static void leave_axes(const lie_ensemble *e, long long i)
{
    const int n = e->group->size, d = e->group->dim;
    double *g = record_of(e, i) + RECORD_STATE, *m = g + 2 * n, own[2 * 9 + 3] = {0.0};
    memcpy(own, g, (size_t)(2 * n + d) * sizeof *g);
    dmv_leave(axes_of(e, i), n, learnt_of(e, i), g, m, own, own + n, own + 2 * n);
    memset(g + n, 0, (size_t)n * sizeof *g);
    memset(m + d, 0, (size_t)d * sizeof *m);
}

/* The same for the trail of lane l, before its record changes. */
static void leave_axes_of_trail(const run *r, const tile *T, int l, int steps)
{
    const lie_ensemble *e = r->e;
    const int n = e->group->size, d = e->group->dim, width = e->width;
    const double *learnt = learnt_of(e, T->member[l]);
    double memory[DMV_MEMORY_MAX], own[9 + 3] = {0.0}, body[9 + 3], low[9] = {0.0};
    memcpy(memory, learnt, (size_t)dmv_memory(n) * sizeof *memory);
    for (int j = 0; j < steps; j++) {
        double *at = r->w->trail + (j * (1 + n + d) + 1) * width + l;
        for (int k = 0; k < n + d; k++) own[k] = at[k * width];
        dmv_leave(axes_of(e, T->member[l]), n, memory, body, body + n, own, low, own + n);
        for (int k = 0; k < n + d; k++) at[k * width] = body[k];
    }
}

/* The column of lane l becomes the record of its trajectory, brought back to the group where that is due. 0 if it
 * cannot be, and the record is as it was. */
static int take_back(const run *r, tile *T, int l, int steps)
{
    const lie_ensemble *e = r->e;
    const lanes_shape *S = &e->plan->lanes.shape;
    const int width = e->width, state = state_doubles(e);
    const double *column = r->w->tile + l;
    double *p = record_of(e, T->member[l]), *learnt = p + state, g[12];
    double taken = p[RECORD_STEPS] + (double)steps;
    for (int k = 0; k < S->size; k++) g[k] = column[(LANES_STATE + k) * width];
    if ((long long)taken % PROJECT_CARRIED_EVERY == 0 && !lanes_is_flat(e->plan->lanes.drift)) {
        T->in_step = 0;
        if (e->group->project(e->group, g, g) != LIE_OK) return 0;
    }
    for (int k = 0; k < state; k++) p[k] = column[k * width];
    p[RECORD_STEPS] = taken;
    memcpy(p + RECORD_STATE, g, (size_t)S->size * sizeof *g);
    for (int k = 0; k < S->memory; k++) learnt[memory_at(r) + k] = column[(state + k) * width];
    if (has_motions(e->plan))
        leave_axes(e, T->member[l]);
    else
        note_end(e, learnt, p + RECORD_STATE);
    return 1;
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
    lanes_job job = {.tile = r->w->tile,
                     .systems = systems,
                     .before = p->lanes.before,
                     .after = p->lanes.after,
                     .steps = steps,
                     .cap = p->lanes.cap,
                     .same_time = T->same_time,
                     .is_diagonal = p->lanes.is_diagonal,
                     .taken = (int)(steps_taken(r, T, 0) % SO3_DMV_CHECK),
                     .check = T->check,
                     .trail = has_trail ? r->w->trail : 0};
    unsigned lost = p->lanes.run(&job);
    T->block = lost != 0 ? BLOCK_AFTER_LOSS : T->block < BLOCK ? 2 * T->block : BLOCK;
    for (int l = 0; l < T->count && has_trail && has_motions(p); l++)
        if (!(lost >> l & 1u)) leave_axes_of_trail(r, T, l, steps);
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

/* Leave out those that have failed. Are all others in full swing? */
static int gather(const run *r, tile *T)
{
    int kept = 0, in_swing = 1;
    for (int l = 0; l < T->count; l++) {
        if (r->e->statuses[T->member[l]] != LIE_OK) continue;
        T->member[kept++] = T->member[l];
        in_swing &= is_in_swing(r, T->member[kept - 1]);
    }
    T->count = kept;
    return in_swing;
}

/* A few trajectories are faster alone: a tile takes the time of about a fifth as many steps. */
static int is_worth_a_tile(const run *r, const tile *T)
{
    return r->e->width > 1 && 5 * T->count > r->e->width;
}

/* At the start of a run a record may have come from elsewhere. */
static void note_motions(const run *r, const tile *T)
{
    if (!has_motions(r->e->plan)) return;
    for (int l = 0; l < T->count; l++)
        if (!is_motion_known(r, T->member[l]) && get_ready(r, T->member[l]) == LIE_OK) note_motion(r, T->member[l]);
}

/* Nor need the parameters of its system be those of the last run. */
static void note_params(const run *r, const tile *T)
{
    const plan *p = r->e->plan;
    for (int l = 0; p->has_lanes && l < T->count; l++)
        lie__lanes_params(&p->lanes, constants_of(r->e, T->member[l]), system_of(r->e, T->member[l]));
}

static void run_tile(const run *r, tile *T)
{
    note_params(r, T);
    note_motions(r, T);
    for (long long done = 0; done < r->n;) {
        long long alone = r->n - done;
        int in_swing = gather(r, T);
        if (T->count == 0) return;
        if (is_worth_a_tile(r, T)) {
            if (in_swing) {
                done += run_block(r, T, done);
                continue;
            }
            if (alone > start_of(r)) alone = start_of(r);
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
