/* SPDX-License-Identifier: MIT */
/* ensemble_fixture.h: ensembles of every kind of system, dispersed, and the same trajectories alone, to compare
 * with. */
#ifndef LIESTEP_TESTS_ENSEMBLE_FIXTURE_H
#define LIESTEP_TESTS_ENSEMBLE_FIXTURE_H

#include <liestep/liestep.h>

#include <stdlib.h>
#include <string.h>

#include "tests/support/inertia.h"
#include "unity.h"

enum { CREW_MAX = 64, CREW_WORK = 4096 };

typedef enum crew_kind {
    CREW_FREE,
    CREW_TOP,
    CREW_SATELLITE,
    CREW_TURNTABLE,
    CREW_VEHICLE,
    CREW_CALLBACK,
    CREW_CALLBACK_LANES
} crew_kind;

/* The systems of an ensemble, each with parameters of its own, and its states. */
typedef struct crew {
    int count;
    union {
        lie_free_body body;
        lie_heavy_top top;
        lie_satellite satellite;
        lie_turntable turntable;
        lie_vehicle vehicle;
    } params[CREW_MAX];
    lie_system systems[CREW_MAX];
    lie_state start[CREW_MAX];
    double h[CREW_MAX];
    lie_ensemble *e;
    lie_ensemble_options options;
    void *memory;
} crew;

/* A force of the user: a spring to the identity on S3 or SO3 that turns into NaN where the first number of g falls
 * below params->gravity. */
static inline void spring_at(const lie_heavy_top *p, double *F, const double *g, int stride, int size)
{
    for (int i = 0; i < 3; i++)
        F[i * stride] = -p->mass * (size == 4 ? g[0] * g[(1 + i) * stride] : g[(3 + i) * stride]);
    if (g[0] < p->gravity) F[1 * stride] = (double)NAN;
}

static long spring_calls, spring_lane_calls;

static inline void spring(const lie_system *sys, double *F, const double *g)
{
    spring_calls++;
    spring_at((const lie_heavy_top *)sys->params, F, g, 1, sys->group->size);
}

static inline void spring_lanes(const lie_system *const *sys, int lanes, double *F, const double *g)
{
    spring_lane_calls++;
    for (int l = 0; l < lanes; l++)
        spring_at((const lie_heavy_top *)sys[l]->params, F + l, g + l, lanes, sys[l]->group->size);
}

static inline double spring_potential(const lie_system *sys, const double *g)
{
    (void)sys;
    return -g[0];
}

static inline void crew_system(crew *c, int i, crew_kind kind, const char *group, lie_random *rng)
{
    lie_system *sys = &c->systems[i];
    double J[36];
    random_inertia(rng, kind == CREW_VEHICLE ? 6 : 3, J, 1.0);
    lie_status status = LIE_OK;
    if (kind == CREW_FREE) {
        memcpy(c->params[i].body.inertia, J, 9 * sizeof *J);
        status = lie_free_body_system(sys, &c->params[i].body, group);
    } else if (kind == CREW_SATELLITE) {
        c->params[i].satellite =
            (lie_satellite){.orbit_rate = 0.3 + random_double(rng, 0.1), .wheels = {0.1, -0.2, 0.3}};
        memcpy(c->params[i].satellite.inertia, J, 9 * sizeof *J);
        status = lie_satellite_system(sys, &c->params[i].satellite, group);
    } else if (kind == CREW_TURNTABLE) {
        c->params[i].turntable = (lie_turntable){.top = {.mass = 1.1, .centre = {0.1, -0.2, 0.4}, .gravity = 3.7},
                                                 .rate = 0.5 + random_double(rng, 0.3)};
        memcpy(c->params[i].turntable.top.inertia, J, 9 * sizeof *J);
        status = lie_turntable_system(sys, &c->params[i].turntable, group);
    } else if (kind == CREW_VEHICLE) {
        lie_vehicle *v = &c->params[i].vehicle;
        *v = (lie_vehicle){.weight = 1.1, .buoyancy = 1.0 + random_double(rng, 0.3), .weight_at = {0.02, 0.01, -0.1}};
        memcpy(v->inertia, J, sizeof J);
        status = lie_vehicle_system(sys, v, NULL);
    } else {
        lie_heavy_top *t = &c->params[i].top;
        *t = (lie_heavy_top){.mass = 1.2 + random_double(rng, 0.3), .centre = {0.1, -0.2, 0.4}, .gravity = 3.7};
        memcpy(t->inertia, J, 9 * sizeof *J);
        status = lie_heavy_top_system(sys, t, group);
        if (kind != CREW_TOP) {
            t->gravity = -2.0;
            sys->force = spring, sys->potential = spring_potential, sys->force_deriv = 0;
            sys->force_lanes = kind == CREW_CALLBACK_LANES ? spring_lanes : 0;
        }
    }
    TEST_ASSERT_EQUAL(LIE_OK, status);
}

/* Systems and states; every third goes back in time. */
static inline void crew_make(crew *c, int count, crew_kind kind, const char *group, double h, double speed)
{
    lie_random rng = {77u};
    *c = (crew){.count = count};
    for (int i = 0; i < count; i++) {
        double x[6], xi[6], g[12];
        crew_system(c, i, kind, group, &rng);
        const lie_ops *G = c->systems[i].group;
        random_vector(&rng, G->dim, x, 0.5);
        random_vector(&rng, G->dim, xi, speed);
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&c->systems[i], &c->start[i], 0.25 * i, g, xi));
        c->h[i] = (i % 3 == 2 ? -h : h) * (1.0 + 0.125 * (i % 5));
    }
}

/* Set up the ensemble and its states. */
static inline void crew_enlist(crew *c, const char *method, const char *retraction, int lanes, int threads)
{
    c->options = (lie_ensemble_options){
        .step = {.method = method, .retraction = retraction}, .h_of = c->h, .lanes = lanes, .threads = threads};
    size_t bytes = lie_ensemble_memsize(c->systems, c->count, c->count, &c->options);
    TEST_ASSERT_TRUE(bytes > 0);
    c->memory = malloc(bytes);
    TEST_ASSERT_NOT_NULL(c->memory);
    lie_status status = lie_ensemble_init(&c->e, c->systems, c->count, c->count, &c->options, c->memory, bytes);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, status, method);
    for (int i = 0; i < c->count; i++) {
        TEST_ASSERT_EQUAL(LIE_ERR_INCOMPLETE, lie_ensemble_status(c->e, i));
        TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_set(c->e, i, &c->start[i]));
    }
}

static inline void crew_dismiss(crew *c)
{
    free(c->memory);
    c->memory = 0;
}

/* One trajectory by itself: where it ends, and what the stepper has learnt. */
typedef struct lone {
    lie_state state;
    lie_status status;
    int learnt;
    double memory[2 + 24 + 12 + 64];
} lone;

static inline void lone_run(lone *out, const lie_system *sys, const lie_options *opt, const lie_state *start, double h,
                            long long n)
{
    static double work[CREW_WORK];
    lie_stepper *st;
    out->state = *start;
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, sys, opt, work, sizeof work));
    out->status = lie_run(st, &out->state, h, n);
    out->learnt = lie_stepper_memory_count(st);
    TEST_ASSERT_TRUE(out->learnt <= (int)(sizeof out->memory / sizeof out->memory[0]));
    lie_stepper_memory_get(st, out->memory);
}

static inline int same_numbers(int n, const double *a, const double *b)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static inline int same_state(const lie_ops *G, const lie_state *a, const lie_state *b)
{
    return same_numbers(1, &a->t, &b->t) && same_numbers(1, &a->low_t, &b->low_t) && a->steps == b->steps &&
           same_numbers(G->size, a->g, b->g) && same_numbers(G->size, a->low_g, b->low_g) &&
           same_numbers(G->dim, a->m, b->m) && same_numbers(G->dim, a->low_m, b->low_m);
}

/* Is trajectory i of the ensemble what it is alone? State, status, and what was learnt. */
static inline void crew_expect(const crew *c, int i, const lone *alone, const char *text)
{
    lie_state s;
    const lie_ops *G = c->systems[i].group;
    char message[160];
    snprintf(message, sizeof message, "%s: lanes %d, trajectory %d", text, lie_ensemble_lanes(c->e), i);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ensemble_get(c->e, i, &s));
    TEST_ASSERT_EQUAL_MESSAGE(alone->status, lie_ensemble_status(c->e, i), message);
    TEST_ASSERT_TRUE_MESSAGE(same_state(G, &alone->state, &s), message);
    const double *record = (const double *)lie_ensemble_record(c->e, i);
    const int state = 3 + 2 * (G->size + G->dim), doubles = (int)(lie_ensemble_record_bytes(c->e) / sizeof(double));
    TEST_ASSERT_TRUE_MESSAGE(state + alone->learnt <= doubles, message); /* another one may learn more */
    TEST_ASSERT_TRUE_MESSAGE(same_numbers(alone->learnt, alone->memory, record + state), message);
}

#endif
