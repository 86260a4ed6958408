/* SPDX-License-Identifier: MIT */
/* bits_crew.c: the hash of an ensemble of steps of one method on one system; see bits_steps.h. */
#include "tests/bits/bits_steps.h"

#include <liestep/ensemble.h>

#include <stdlib.h>
#include <string.h>

#include "tests/bits/bits.h"

enum { CREW = 11 };

static void all_of_it(const void *ctx, double *values, const lie_sample *s)
{
    const lie_ops *G = s->system->group;
    (void)ctx;
    memcpy(values, s->g, (size_t)G->size * sizeof *values);
    memcpy(values + G->size, s->m, (size_t)G->dim * sizeof *values);
}

/* Trajectory i: momenta and times a little apart. */
static void disperse(lie_state *out, const bits_subject *of, int i)
{
    *out = of->start;
    out->t += 0.125 * i;
    for (int k = 0; k < of->sys.group->dim; k++) out->m[k] *= 1.0 + 0.03125 * (double)((i * (k + 3)) % 7);
}

/* State, status and sums after n steps. */
static uint64_t hash_of(lie_ensemble *e, const lie_moments *moments, const lie_observation *obs, long long n)
{
    double mean[LIE_MOMENTS_MAX], covariance[LIE_MOMENTS_MAX * LIE_MOMENTS_MAX];
    uint64_t hash = bits_add(0xcbf29ce484222325u, (uint64_t)lie_ensemble_run(e, n, obs));
    for (int i = 0; i < CREW; i++) {
        lie_state s;
        if (lie_ensemble_get(e, i, &s) != LIE_OK) return 0;
        hash = bits_add(bits_add_double(hash, s.t), (uint64_t)lie_ensemble_status(e, i));
        for (int k = 0; k < lie_ensemble_group(e)->size; k++)
            hash = bits_add_double(bits_add_double(hash, s.g[k]), s.low_g[k]);
        for (int k = 0; k < lie_ensemble_group(e)->dim; k++)
            hash = bits_add_double(bits_add_double(hash, s.m[k]), s.low_m[k]);
    }
    for (long long o = 0; o < lie_ensemble_observations(n, obs); o++) {
        lie_moments_mean(moments, mean, lie_ensemble_sum(obs, o, 0));
        lie_moments_covariance(moments, covariance, lie_ensemble_sum(obs, o, 0));
        for (int k = 0; k < moments->values; k++) hash = bits_add_double(hash, mean[k]);
        for (int k = 0; k < moments->values * moments->values; k++) hash = bits_add_double(hash, covariance[k]);
    }
    return hash;
}

/* The ensemble with at most so many lanes; *got: as many as it has. 0: it cannot be made. */
static uint64_t with_lanes(const bits_pair *p, long long n, int lanes, int *got)
{
    const bits_subject *of = p->subject;
    const lie_ensemble_options opt = {.step = {.method = p->method->name, .tableau = p->tableau},
                                      .h = of->h,
                                      .u_minus = of->sys.controls > 0 ? of->u_minus : NULL,
                                      .u_plus = of->sys.controls > 0 ? of->u_plus : NULL,
                                      .lanes = lanes,
                                      .threads = lanes == 2 ? 2 : 1};
    const lie_moments moments = {.values = of->sys.group->size + of->sys.group->dim, .measure = all_of_it};
    size_t bytes = lie_ensemble_memsize(&of->sys, 1, CREW, &opt);
    void *memory = malloc(bytes);
    lie_ensemble *e;
    lie_reducer reducer;
    uint64_t hash = 0;
    *got = 1;
    if (memory && lie_moments_reducer(&reducer, &moments) == LIE_OK &&
        lie_ensemble_init(&e, &of->sys, 1, CREW, &opt, memory, bytes) == LIE_OK) {
        lie_observation obs = {.every = (n + 3) / 4, .reducers = 1, .reducer = &reducer};
        obs.bytes = lie_ensemble_sums_bytes(e, n, &obs);
        obs.sums = malloc(obs.bytes);
        for (int i = 0; i < CREW; i++) {
            lie_state s;
            disperse(&s, of, i);
            lie_ensemble_set(e, i, &s);
        }
        *got = lie_ensemble_lanes(e);
        if (obs.sums) hash = hash_of(e, &moments, &obs, n);
        free(obs.sums);
    }
    free(memory);
    return hash;
}

uint64_t bits_hash_crew(const bits_pair *p, long long n, int *lanes, const char **complaint)
{
    int got;
    uint64_t alone = with_lanes(p, n, 1, &got);
    *lanes = 1;
    if (alone == 0) *complaint = "an ensemble cannot be made";
    for (int wanted = 2; wanted <= 8 && alone != 0; wanted *= 2) {
        uint64_t hash = with_lanes(p, n, wanted, &got);
        if (hash != alone) *complaint = "lanes or threads give other bits than trajectories alone";
        if (got < wanted) break;
        *lanes = got;
    }
    return alone;
}
