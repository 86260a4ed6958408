/* SPDX-License-Identifier: MIT */
/* ensemble.c: many trajectories: memory, states, threads, and the sums over all chunks. The steps are taken in
 * ensemble_chunk.c.
 *
 * The sums of the chunks are merged in pairs, neighbours first: ((0 1) (2 3)) ((4 5) ...). What is added when depends
 * on the number of trajectories alone. */
#include "groups/num/refuse.h"
#include "lib/ensemble/ensemble_internal.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Trajectories in a chunk: few where there are few trajectories, so that every thread gets some; a multiple of every
 * width of a tile where there are many; at most some hundred chunks. */
enum { CHUNK_FEW = 12, CHUNK_MANY = 48, CHUNKS_WANTED = 256 };

static long long chunk_of(long long count)
{
    long long unit = count < 8 * CHUNK_MANY ? CHUNK_FEW : CHUNK_MANY, all = unit * CHUNKS_WANTED;
    return unit * ((count - 1) / all + 1);
}

static int threads_of(const lie_ensemble_options *opt)
{
#ifdef _OPENMP
    return opt->threads > 0 ? opt->threads : omp_get_max_threads();
#else
    (void)opt;
    return 1;
#endif
}

enum { ALIGNMENT = 64 };

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* a + n b, or 0 where that overflows */
static size_t sum_of(size_t a, size_t n, size_t b)
{
    return b > 0 && n > (SIZE_MAX - a) / b ? 0 : a + n * b;
}

static lie_status check(lie_report *r, const lie_system *systems, long long system_count, long long count,
                        const lie_ensemble_options *opt)
{
    const lie_status wrong = LIE_ERR_SIZE;
    if (!systems) return lie__refuse(r, LIE_ERR_INCOMPLETE, "systems", "must not be null");
    if (!opt) return lie__refuse(r, LIE_ERR_INCOMPLETE, "options", "must not be null");
    if (count < 1) return lie__refuse_entry(r, wrong, "count", -1, (double)count, 1.0, "must be 1 or more");
    if (system_count != 1 && system_count != count)
        return lie__refuse_entry(r, wrong, "system_count", -1, (double)system_count, (double)count,
                                 "must be 1 or count");
    if (opt->threads < 0)
        return lie__refuse_entry(r, wrong, "options.threads", -1, opt->threads, 0.0, "must not be negative");
    if (opt->lanes < 0)
        return lie__refuse_entry(r, wrong, "options.lanes", -1, opt->lanes, 0.0, "must not be negative");
    for (long long i = 0; i < system_count; i++)
        if (systems[i].group != systems[0].group)
            return lie__refuse_entry(r, wrong, "systems", i, 0.0, 0.0, "must have the group of the first");
    return LIE_OK;
}

/* "systems[3]", where the report has no name yet: which one it speaks of */
static void name_system(lie_report *r, long long i)
{
    char digits[24];
    int n = 0, at = 8;
    if (!r || r->key[0] != 0) return;
    do digits[n++] = (char)('0' + i % 10);
    while ((i /= 10) > 0);
    memcpy(r->key, "systems[", 8);
    while (n > 0) r->key[at++] = digits[--n];
    r->key[at++] = ']';
    r->key[at] = 0;
}

/* How large everything is: fills all of e but the pointers, and what of the plan can be known without a stepper. Where
 * there may be lanes, there is room for what they need. */
static lie_status measure(lie_report *r, lie_ensemble *e, plan *p, const lie_system *systems, long long system_count,
                          long long count, const lie_ensemble_options *opt)
{
    lie_status status = check(r, systems, system_count, count, opt);
    if (status != LIE_OK) return status;
    *e = (lie_ensemble){.systems = systems,
                        .own_systems = system_count > 1,
                        .count = count,
                        .chunk = chunk_of(count),
                        .lanes = 1,
                        .width = 1,
                        .threads = threads_of(opt),
                        .options = *opt,
                        .group = systems[0].group};
    int may_have_lanes = opt->lanes != 1 && e->group->size <= LANES_SIZE_MAX && e->group->dim <= LANES_DIM_MAX;
    *p = (plan){.constants = may_have_lanes ? LANES_CONSTANTS_MAX : 0, .own_constants = e->own_systems};
    for (long long i = 0; i < system_count; i++) {
        stepper_needs needs;
        status = lie__stepper_needs(&needs, r, &systems[i], &opt->step);
        if (status != LIE_OK) {
            name_system(r, i);
            return status;
        }
        const lie_lanes *lanes = lie__lanes_of(needs.family);
        p->work_bytes = needs.bytes > p->work_bytes ? needs.bytes : p->work_bytes;
        p->memory = needs.memory > p->memory ? needs.memory : p->memory;
        p->own_constants |= lanes && lanes->own_constants;
    }
    e->record = (size_t)state_doubles(e) + (size_t)p->memory + (size_t)(p->own_constants ? p->constants : 0);
    e->scratch_bytes = aligned(sizeof(worker)) + aligned(p->work_bytes) + TILE_BYTES + TRAIL_BYTES;
    return LIE_OK;
}

/* The work memory: room to align; the ensemble, plan, common constants, scratch of the threads; records; statuses. */
static size_t head_bytes(const lie_ensemble *e)
{
    return aligned(sizeof(lie_ensemble)) + aligned(sizeof(plan)) + aligned(LANES_CONSTANTS_MAX * sizeof(double)) +
           (size_t)e->threads * e->scratch_bytes;
}

/* 0: more than there can be */
static size_t bytes_of(const lie_ensemble *e)
{
    size_t records = sum_of(ALIGNMENT + head_bytes(e), (size_t)e->count, e->record * sizeof(double));
    return records == 0 ? 0 : sum_of(records, (size_t)e->count, sizeof(int));
}

size_t lie_ensemble_memsize(const lie_system *systems, long long system_count, long long count,
                            const lie_ensemble_options *opt)
{
    lie_ensemble e;
    plan p;
    return measure(0, &e, &p, systems, system_count, count, opt) == LIE_OK ? bytes_of(&e) : 0;
}

/* All checks of an init. */
static lie_status plan_all(lie_report *r, lie_ensemble *e, plan *p, const lie_system *systems, long long system_count,
                           long long count, const lie_ensemble_options *opt, const void *work, size_t bytes)
{
    lie_status status = measure(r, e, p, systems, system_count, count, opt);
    if (status != LIE_OK) return status;
    size_t needed = bytes_of(e);
    return lie__refuse_memory(r, work, bytes, needed > 0 ? needed : SIZE_MAX);
}

lie_status lie_ensemble_explain(lie_report *report, const lie_system *systems, long long system_count, long long count,
                                const lie_ensemble_options *opt, const void *work, size_t bytes)
{
    lie_ensemble e;
    plan p;
    lie_status status = plan_all(report, &e, &p, systems, system_count, count, opt, work, bytes);
    return status == LIE_OK ? lie__accept(report) : status;
}

static lie_ensemble *divide(const lie_ensemble *made, const plan *p, void *work)
{
    char *next = (char *)work + (ALIGNMENT - (uintptr_t)work % ALIGNMENT) % ALIGNMENT;
    lie_ensemble *e = (lie_ensemble *)(void *)next;
    *e = *made;
    next += aligned(sizeof(lie_ensemble));
    plan *own = (plan *)(void *)next;
    *own = *p;
    next += aligned(sizeof(plan));
    own->common = (double *)(void *)next;
    next += aligned(LANES_CONSTANTS_MAX * sizeof(double));
    e->plan = own;
    e->scratch = next;
    e->records = (double *)(void *)(next + (size_t)e->threads * e->scratch_bytes);
    e->statuses = (int *)(void *)(e->records + (size_t)e->count * e->record);
    for (int k = 0; k < e->threads; k++) {
        char *start = (char *)e->scratch + (size_t)k * e->scratch_bytes;
        worker *w = (worker *)(void *)start;
        *w = (worker){.work = (double *)(void *)(start + aligned(sizeof(worker)))};
        w->tile = (double *)(void *)((char *)w->work + aligned(p->work_bytes));
        w->trail = w->tile + TILE_BYTES / sizeof(double);
    }
    return e;
}

/* A stepper for every system: whether there can be one, whether there are lanes for all, and what those need. */
static lie_status prepare(lie_ensemble *e, long long system_count)
{
    plan *p = e->plan;
    worker *w = (worker *)e->scratch;
    const lie_family *family = 0;
    int has_external = 0;
    for (long long i = 0; i < system_count; i++) {
        lie_status status = lie_stepper_init(&w->st, &e->systems[i], &e->options.step, w->work, p->work_bytes);
        if (status != LIE_OK) return status;
        if (i == 0) p->has_lanes = lie__lanes_plan(&p->lanes, w->st, e->systems, system_count, e->options.lanes);
        if (i == 0) family = w->st->family, has_external = w->st->is.has_external;
        if (w->st->family != family || w->st->is.has_external != has_external)
            p->has_lanes = 0; /* drag or a gyroscopic term: its steps are other ones */
        const lie_lanes *by = p->lanes.by;
        if (p->has_lanes && !by->own_constants) by->constants(&p->lanes, constants_of(e, i), w->st);
    }
    if (p->has_lanes) e->lanes = p->lanes.lanes, e->width = p->lanes.width;
    return LIE_OK;
}

lie_status lie_ensemble_init_as(unsigned long long compiled, lie_ensemble **e, const lie_system *systems,
                                long long system_count, long long count, const lie_ensemble_options *opt, void *work,
                                size_t bytes)
{
    lie_ensemble made;
    plan p;
    if (compiled != LIE_COMPILED(lie_ensemble_options)) return LIE_ERR_VERSION;
    lie_status status = plan_all(0, &made, &p, systems, system_count, count, opt, work, bytes);
    if (status != LIE_OK) return status;
    lie_ensemble *to = divide(&made, &p, work);
    memset(to->records, 0, (size_t)count * to->record * sizeof *to->records); /* they are written to checkpoints */
    status = prepare(to, system_count);
    if (status != LIE_OK) return status;
    for (long long i = 0; i < count; i++) to->statuses[i] = LIE_ERR_INCOMPLETE;
    *e = to;
    return LIE_OK;
}

long long lie_ensemble_count(const lie_ensemble *e)
{
    return e->count;
}

const lie_system *lie_ensemble_system(const lie_ensemble *e, long long i)
{
    return i < 0 || i >= e->count ? 0 : system_of(e, i);
}

const lie_ops *lie_ensemble_group(const lie_ensemble *e)
{
    return e->group;
}

const lie_ensemble_options *lie_ensemble_options_of(const lie_ensemble *e)
{
    return &e->options;
}

int lie_ensemble_lanes(const lie_ensemble *e)
{
    return e->lanes;
}

int lie_ensemble_width(const lie_ensemble *e)
{
    return e->width;
}

int lie_ensemble_threads(const lie_ensemble *e)
{
    return e->threads;
}

/* states */

lie_status lie_ensemble_set(lie_ensemble *e, long long i, const lie_state *s)
{
    if (i < 0 || i >= e->count || !state_fits(e->group, s)) return LIE_ERR_SIZE;
    lie__ensemble_store(e, i, s);
    memset(memory_of(e, i), 0, (size_t)e->plan->memory * sizeof(double));
    e->statuses[i] = LIE_OK;
    return LIE_OK;
}

lie_status lie_ensemble_get_in(const lie_ensemble *e, long long i, lie_state *s, int room_g, int room_m)
{
    if (i < 0 || i >= e->count || room_g < e->group->size || room_m < e->group->dim) return LIE_ERR_SIZE;
    lie_status status = lie_state_clear_in(s, room_g, room_m);
    if (status != LIE_OK) return status;
    lie__ensemble_state(e, i, s);
    return LIE_OK;
}

lie_status lie_ensemble_status(const lie_ensemble *e, long long i)
{
    return i < 0 || i >= e->count ? LIE_ERR_SIZE : (lie_status)e->statuses[i];
}

void lie_ensemble_set_status(lie_ensemble *e, long long i, lie_status status)
{
    if (i >= 0 && i < e->count) e->statuses[i] = (int)status;
}

long long lie_ensemble_failed(const lie_ensemble *e, long long *first)
{
    long long failed = 0;
    for (long long i = e->count - 1; i >= 0; i--)
        if (e->statuses[i] != LIE_OK) {
            failed++;
            if (first) *first = i;
        }
    return failed;
}

size_t lie_ensemble_record_bytes(const lie_ensemble *e)
{
    return ((size_t)state_doubles(e) + (size_t)e->plan->memory) * sizeof(double);
}

void *lie_ensemble_record(const lie_ensemble *e, long long i)
{
    return i < 0 || i >= e->count ? 0 : record_of(e, i);
}

/* sums */

long long lie_ensemble_observations(long long n, const lie_observation *obs)
{
    return 1 + n / obs->every + (n % obs->every != 0);
}

/* of one observation */
static size_t sums_of_one(const lie_observation *obs)
{
    size_t bytes = 0;
    for (int r = 0; r < obs->reducers; r++) bytes += obs->reducer[r].bytes;
    return bytes;
}

size_t lie_ensemble_chunk_bytes(long long n, const lie_observation *obs)
{
    return sum_of(0, (size_t)lie_ensemble_observations(n, obs), sums_of_one(obs));
}

size_t lie_ensemble_sums_bytes(const lie_ensemble *e, long long n, const lie_observation *obs)
{
    return sum_of(0, (size_t)lie_ensemble_chunks(e), lie_ensemble_chunk_bytes(n, obs));
}

void *lie_ensemble_chunk_sums(long long chunk, long long n, const lie_observation *obs)
{
    return obs->sums ? (char *)obs->sums + (size_t)chunk * lie_ensemble_chunk_bytes(n, obs) : 0;
}

const void *lie_ensemble_sum(const lie_observation *obs, long long observation, int r)
{
    size_t at = (size_t)observation * sums_of_one(obs);
    for (int k = 0; k < r; k++) at += obs->reducer[k].bytes;
    return obs->reducer[r].bytes > 0 ? (const char *)obs->sums + at : 0;
}

lie_status lie_ensemble_clear(const lie_ensemble *e, long long n, const lie_observation *obs)
{
    if (n < 0 || (obs && obs->every < 1)) return LIE_ERR_SIZE;
    if (!obs || sums_of_one(obs) == 0) return LIE_OK;
    size_t bytes = lie_ensemble_sums_bytes(e, n, obs);
    if (bytes == 0 || obs->bytes < bytes || !obs->sums || (uintptr_t)obs->sums % sizeof(double) != 0)
        return LIE_ERR_MEMORY;
    char *at = (char *)obs->sums;
    while (at < (char *)obs->sums + bytes)
        for (int r = 0; r < obs->reducers; r++) {
            if (obs->reducer[r].bytes > 0) obs->reducer[r].clear(&obs->reducer[r], at);
            at += obs->reducer[r].bytes;
        }
    return LIE_OK;
}

static void merge_chunks(char *sum, const char *next, long long n, const lie_observation *obs)
{
    for (long long k = lie_ensemble_observations(n, obs); k > 0; k--)
        for (int r = 0; r < obs->reducers; r++) {
            if (obs->reducer[r].bytes > 0) obs->reducer[r].merge(&obs->reducer[r], sum, next);
            sum += obs->reducer[r].bytes;
            next += obs->reducer[r].bytes;
        }
}

void lie_ensemble_merge(const lie_ensemble *e, long long n, const lie_observation *obs)
{
    long long chunks = lie_ensemble_chunks(e);
    int has_sums = obs && sums_of_one(obs) > 0;
    for (long long apart = 1; has_sums && apart < chunks; apart *= 2)
        for (long long c = 0; c + apart < chunks; c += 2 * apart)
            merge_chunks((char *)lie_ensemble_chunk_sums(c, n, obs),
                         (const char *)lie_ensemble_chunk_sums(c + apart, n, obs), n, obs);
}

/* runs */

long long lie_ensemble_chunks(const lie_ensemble *e)
{
    return (e->count - 1) / e->chunk + 1;
}

lie_status lie_ensemble_run(lie_ensemble *e, long long n, const lie_observation *obs)
{
    long long chunks = lie_ensemble_chunks(e), first;
    lie_status status = lie_ensemble_clear(e, n, obs);
    if (status != LIE_OK) return status;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(e->threads)
    for (long long c = 0; c < chunks; c++) lie_ensemble_run_chunk(e, c, omp_get_thread_num(), n, obs);
#else
    for (long long c = 0; c < chunks; c++) lie_ensemble_run_chunk(e, c, 0, n, obs);
#endif
    lie_ensemble_merge(e, n, obs);
    return lie_ensemble_failed(e, &first) > 0 ? lie_ensemble_status(e, first) : LIE_OK;
}

int lie_ensemble_lanes_max(void)
{
    return lie__lanes_count(0);
}
