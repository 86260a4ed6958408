/* SPDX-License-Identifier: MIT */
/* ensemble.h: many trajectories at once: dispersions, scans, sections of many initial conditions.
 *
 *     lie_ensemble *e;
 *     lie_ensemble_options opt = {.step = {.method = "sv", .retraction = "cay"}, .h = 0.01};
 *     size_t bytes = lie_ensemble_memsize(&sys, 1, count, &opt);
 *     lie_ensemble_init(&e, &sys, 1, count, &opt, malloc(bytes), bytes);
 *     for (i = 0; i < count; i++) lie_ensemble_set(e, i, &state[i]);
 *     lie_ensemble_run(e, 100000, NULL);
 *
 * Every trajectory has its own initial state, and may have its own system (inertia, parameters) and step. Each one is,
 * to the bit, what lie_run gives for it alone. For many methods and systems (docs/ENSEMBLES.md lists them) several are
 * stepped at once in the vector unit, as many as the processor at hand has lanes; all others one by one. Threads take
 * chunks of trajectories, as they get free.
 *
 * What the callbacks of a system read from its params may change between two runs, as for a stepper; inertias are read
 * once, by lie_ensemble_init.
 *
 * What is wanted of the trajectories is reduced on the way by a lie_reducer (mean and covariance, histogram, or the
 * user's own), at chosen times. The order of every sum is that of the trajectories, chunk by chunk, and the chunks
 * depend on the number of trajectories alone, so that neither threads nor lanes change a bit of the result.
 *
 * Threads: while a run goes on, several threads call at the same time the callbacks of the systems (force_lanes too),
 * the operations of the group, the linear solver of the options, `add` and `trail` of the reducers and with them
 * measures and what lie_points calls. They may read what nobody changes, and write what belongs to their chunk or
 * trajectory alone: the sum that they are given, an entry per trajectory. `clear` and `merge` are called by the thread
 * that calls lie_ensemble_run, while no other one is at work. The workspace of a matrix group serves one thread
 * (matgroup.h): threads = 1. An ensemble itself belongs to one thread at a time, but for lie_ensemble_run_chunk.
 *
 * A trajectory that fails keeps its last good state and its status; the others go on. Memory is the caller's and does
 * not grow with the number of steps. In liestep, not in liestep-core. docs/ENSEMBLES.md. */
#ifndef LIESTEP_ENSEMBLE_H
#define LIESTEP_ENSEMBLE_H

#include <liestep/stepper.h>

LIE_BEGIN_DECLS

typedef struct lie_ensemble_options {
    lie_options step;      /* method, retraction, ... as for a stepper */
    double h;              /* step of all trajectories */
    const double *h_of;    /* or the step of each, owned by the caller; null: h */
    const double *u_minus; /* controls of all trajectories, see lie_stepper_control */
    const double *u_plus;
    int lanes;   /* at most so many in a vector: 1 (one trajectory at a time), 2, 4, 8; 0: as many as there are */
    int threads; /* 0: as many as OpenMP would take; without OpenMP there is one */
} lie_ensemble_options;

/* What a reducer sees: one trajectory at one of the times of observation. */
typedef struct lie_sample {
    long long trajectory;
    long long observation; /* 0: the start of the run */
    const lie_system *system;
    double t;
    const double *g, *m;
} lie_sample;

/* A stretch of steps of several trajectories, as the vector unit leaves it: number r (0: t, then g, then m) of the
 * trajectory in column c after step k of the stretch is rows[(k * numbers + r) * width + c]. */
typedef struct lie_trail {
    const long long *trajectory; /* of every column; -1: the column is of no use */
    int columns, width;
    int steps, numbers;
    long long observation; /* of the first step */
    const double *rows;
} lie_trail;

/* How samples become a sum. A sum is `bytes` bytes, aligned for double, a multiple of its size. Functions of one chunk
 * are called by one thread at a time. add: samples of one observation come in the order of the trajectories; merge: all
 * that is in `next` comes after what is in `sum`. Who adds nothing up has 0 bytes: clear and merge are not called and
 * may be null, the sum is null. */
typedef struct lie_reducer lie_reducer;
struct lie_reducer {
    size_t bytes;
    const void *ctx;
    void (*clear)(const lie_reducer *r, void *sum);
    void (*add)(const lie_reducer *r, void *sum, const lie_sample *s);
    void (*merge)(const lie_reducer *r, void *sum, const void *next);
    /* May be null. For those who watch trajectories and add nothing up: where every step is observed and all reducers
     * have this, stretches of steps that were taken in lanes come whole, each trajectory's in the order of time, and
     * `add` is called for the other samples only. */
    void (*trail)(const lie_reducer *r, const lie_trail *t);
};

/* Observations: before the first step, after every `every` steps and after the last, each with a sum of every
 * reducer. `sums` has at least lie_ensemble_sums_bytes and is aligned for double; null where no reducer has any. */
typedef struct lie_observation {
    long long every;
    int reducers;
    const lie_reducer *reducer;
    void *sums;
    size_t bytes;
} lie_observation;

/* Lies wholly in its work memory. */
typedef struct lie_ensemble lie_ensemble;

/* Bytes of work memory for `count` trajectories of systems[0 .. system_count - 1], system_count being 1 or count; 0
 * where init would fail. All systems have the same group. */
LIE_API size_t lie_ensemble_memsize(const lie_system *systems, long long system_count, long long count,
                                    const lie_ensemble_options *opt);

/* Prepare: *e is an ensemble in `work` (aligned for double, at least memsize bytes). `work`, the systems, h_of and the
 * controls stay with the caller and must outlive it; `opt` is copied. The states are all 0 until they are set. On
 * failure *e is not touched. Status: that of lie_stepper_init for any of the systems; LIE_ERR_SIZE (count,
 * system_count, lanes, threads; systems on different groups), LIE_ERR_MEMORY, LIE_ERR_VERSION. */
#define lie_ensemble_init(...) lie_ensemble_init_as(LIE_COMPILED(lie_ensemble_options), __VA_ARGS__)
LIE_API lie_status lie_ensemble_init_as(unsigned long long compiled, lie_ensemble **e, const lie_system *systems,
                                        long long system_count, long long count, const lie_ensemble_options *opt,
                                        void *work, size_t bytes);

/* The same checks, and which part was refused: "systems", "system_count", "count", "options...", of a system
 * "system...", with its number in `key` as "systems[3]", or the memory. What only the preparation of a method finds has
 * no report. The report may be null. */
LIE_API lie_status lie_ensemble_explain(lie_report *report, const lie_system *systems, long long system_count,
                                        long long count, const lie_ensemble_options *opt, const void *work,
                                        size_t bytes);

/* What it was made for: trajectories; the system of trajectory i (null if there is none); their group; the options as
 * they were given. And how they are stepped: trajectories in a vector and in vectors side by side, both 1 where
 * there are no lanes for the method; threads. */
LIE_API long long lie_ensemble_count(const lie_ensemble *e);
LIE_API const lie_system *lie_ensemble_system(const lie_ensemble *e, long long i);
LIE_API const lie_ops *lie_ensemble_group(const lie_ensemble *e);
LIE_API const lie_ensemble_options *lie_ensemble_options_of(const lie_ensemble *e);
LIE_API int lie_ensemble_lanes(const lie_ensemble *e);
LIE_API int lie_ensemble_width(const lie_ensemble *e);
LIE_API int lie_ensemble_threads(const lie_ensemble *e);

/* The state of trajectory i, copied; its status is LIE_OK again and the memory of its stepper is cleared.
 * LIE_ERR_SIZE: there is no such trajectory, or no room for the body in s (state.h). */
LIE_API lie_status lie_ensemble_set(lie_ensemble *e, long long i, const lie_state *s);
#define lie_ensemble_get(e, i, s) lie_ensemble_get_in(e, i, LIE_STATE_IN(s))
LIE_API lie_status lie_ensemble_get_in(const lie_ensemble *e, long long i, lie_state *s, int room_g, int room_m);

/* What happened to trajectory i: LIE_OK, or why it stopped. Until it is set: LIE_ERR_INCOMPLETE. */
LIE_API lie_status lie_ensemble_status(const lie_ensemble *e, long long i);

/* How many trajectories have failed; *first: the first of them, if any; may be null. */
LIE_API long long lie_ensemble_failed(const lie_ensemble *e, long long *first);

/* n steps of every trajectory whose status is LIE_OK. The observation may be null. Status: LIE_ERR_SIZE (n, every),
 * LIE_ERR_MEMORY (sums), and nothing was done; otherwise that of the first trajectory that has failed, now or
 * before. */
LIE_API lie_status lie_ensemble_run(lie_ensemble *e, long long n, const lie_observation *obs);

/* How many observations a run of n steps has; bytes of all sums (0: none, or more than there can be); and the sum of
 * reducer r at one of them after the run, null if that one has no bytes. */
LIE_API long long lie_ensemble_observations(long long n, const lie_observation *obs);
LIE_API size_t lie_ensemble_sums_bytes(const lie_ensemble *e, long long n, const lie_observation *obs);
LIE_API const void *lie_ensemble_sum(const lie_observation *obs, long long observation, int r);

/* The parts of lie_ensemble_run, for those who share out the chunks themselves, among processes for example: clear, run
 * every chunk once (in any order; `worker`, 0 .. threads - 1, is a thread of its own), merge. The sums of a chunk are
 * lie_ensemble_chunk_bytes at lie_ensemble_chunk_sums, plain memory without pointers (as far as the reducers keep
 * none). A trajectory is lie_ensemble_record_bytes at lie_ensemble_record, plain memory too, its status aside. */
LIE_API long long lie_ensemble_chunks(const lie_ensemble *e);
LIE_API lie_status lie_ensemble_clear(const lie_ensemble *e, long long n, const lie_observation *obs);
LIE_API void lie_ensemble_run_chunk(lie_ensemble *e, long long chunk, int worker, long long n,
                                    const lie_observation *obs);
LIE_API void lie_ensemble_merge(const lie_ensemble *e, long long n, const lie_observation *obs);
LIE_API size_t lie_ensemble_chunk_bytes(long long n, const lie_observation *obs);
LIE_API void *lie_ensemble_chunk_sums(long long chunk, long long n, const lie_observation *obs);
LIE_API size_t lie_ensemble_record_bytes(const lie_ensemble *e);
LIE_API void *lie_ensemble_record(const lie_ensemble *e, long long i);
LIE_API void lie_ensemble_set_status(lie_ensemble *e, long long i, lie_status status);

/* Numbers of a sample, for the reducers below. */
typedef void lie_measure_fn(const void *ctx, double *values, const lie_sample *s);

/* Mean and covariance of `values` numbers (1 .. LIE_MOMENTS_MAX), updated sample by sample (Welford) and merged (Chan,
 * Golub & LeVeque 1983). The covariance is that of the sample, with count - 1; 0 for less than two. */
enum { LIE_MOMENTS_MAX = 64 };
typedef struct lie_moments {
    int values;
    lie_measure_fn *measure;
    const void *ctx;
} lie_moments;
LIE_API lie_status lie_moments_reducer(lie_reducer *out, const lie_moments *p); /* p must outlive it; LIE_ERR_SIZE */
LIE_API long long lie_moments_count(const void *sum);
LIE_API void lie_moments_mean(const lie_moments *p, double *mean, const void *sum);
LIE_API void lie_moments_covariance(const lie_moments *p, double *covariance, const void *sum);

/* How often one number lies in each of `bins` intervals of equal length from low to high, the upper end excluded. */
typedef struct lie_histogram {
    int bins;
    double low, high;
    lie_measure_fn *measure; /* of one value */
    const void *ctx;
} lie_histogram;
/* counts: bins numbers, then how many lay below, above, and were not finite. LIE_ERR_SIZE: bins < 1, or not low <
 * high */
LIE_API lie_status lie_histogram_reducer(lie_reducer *out, const lie_histogram *p);
LIE_API void lie_histogram_counts(const lie_histogram *p, long long *counts, const void *sum);

/* What the processor at hand runs: lanes of its widest vector that this library has a kernel for, 1 if none. */
LIE_API int lie_ensemble_lanes_max(void);

LIE_END_DECLS

#endif
