/* SPDX-License-Identifier: MIT */
/* auto_cases.h: the ready systems with and without what they may have, and random starts on each, for what is measured
 * of method "auto" and of estimates. SI units. */
#ifndef LIESTEP_TESTS_AUTO_CASES_H
#define LIESTEP_TESTS_AUTO_CASES_H

#include <liestep/core.h>

#include <math.h>
#include <string.h>

#include "tests/support/random.h"

enum { AUTO_STARTS = 10, AUTO_WORK = 8000 };

/* One system, its numbers, and what its starts are like. */
typedef struct auto_case {
    const char *name;
    lie_system sys;
    union {
        lie_free_body body;
        lie_heavy_top top;
        lie_turntable table;
        lie_satellite satellite;
        lie_orbiter orbiter;
        lie_spacecraft craft;
        lie_vehicle vehicle;
        lie_particle particle;
    } p;
    double omega, speed;     /* sizes of the velocities */
    double radius, circular; /* of an orbit and its speed; 0: the body starts near the origin */
    double u[3];
} auto_case;

static const double auto_dense[9] = {1.1, 0.2, -0.1, 0.2, 1.7, 0.15, -0.1, 0.15, 2.3};

static inline lie_status auto_body(auto_case *c, const char *group)
{
    memcpy(c->p.body.inertia, auto_dense, sizeof auto_dense);
    c->omega = 0.7;
    return lie_free_body_system(&c->sys, &c->p.body, group);
}

static inline lie_status auto_top(auto_case *c, const char *group)
{
    c->p.top = (lie_heavy_top){.mass = 1.3, .centre = {0.3, -0.2, 0.9}, .gravity = 9.81};
    memcpy(c->p.top.inertia, auto_dense, sizeof auto_dense);
    c->omega = 5.0;
    return lie_heavy_top_system(&c->sys, &c->p.top, group);
}

static inline lie_status auto_table(auto_case *c, const char *group)
{
    lie_heavy_top top = {.mass = 0.4, .centre = {0.1, -0.2, 0.5}, .gravity = 9.81};
    memcpy(top.inertia, auto_dense, sizeof auto_dense);
    c->p.table = (lie_turntable){.top = top, .rate = 0.8};
    c->omega = 2.0;
    return lie_turntable_system(&c->sys, &c->p.table, group);
}

static inline lie_status auto_satellite(auto_case *c, const char *group)
{
    c->p.satellite = (lie_satellite){.orbit_rate = 1.1e-3, .wheels = {0.002, -0.001, 0.003}};
    memcpy(c->p.satellite.inertia, auto_dense, sizeof auto_dense);
    c->omega = 0.004;
    return lie_satellite_system(&c->sys, &c->p.satellite, group);
}

static inline void auto_orbiter_inertia(double I[36], double mass)
{
    memset(I, 0, 36 * sizeof *I);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) I[6 * i + j] = auto_dense[3 * i + j];
        I[7 * (3 + i)] = mass;
    }
}

/* A moonlet: it moves by its own size while it turns. */
static inline lie_status auto_orbiter(auto_case *c, const char *group)
{
    (void)group;
    auto_orbiter_inertia(c->p.orbiter.inertia, 2.0);
    c->p.orbiter.gm = 64.0;
    c->omega = 0.5, c->radius = 16.0, c->circular = 2.0;
    return lie_orbiter_system(&c->sys, &c->p.orbiter, NULL);
}

static inline lie_status auto_spacecraft(auto_case *c, const char *group)
{
    (void)group;
    auto_orbiter_inertia(c->p.craft.body.inertia, 12.0);
    c->p.craft.body.gm = 3.986004418e14;
    c->omega = 0.05, c->radius = 7e6, c->circular = 7546.0;
    return lie_spacecraft_system(&c->sys, &c->p.craft, "SO3/exp");
}

/* letters of `has`: d dense inertia, w weight and buoyancy, f drag, t thrusters */
static inline lie_status auto_vehicle(auto_case *c, const char *has)
{
    lie_vehicle *v = &c->p.vehicle;
    static const double coupled[9] = {0.1, 0.3, -0.2, -0.25, 0.15, 0.1, 0.2, -0.1, 0.05};
    lie_inertia_diagonal(6, v->inertia, (double[6]){1.1, 1.7, 2.3, 3.0, 4.0, 5.0});
    for (int i = 0; i < 9 && strchr(has, 'd'); i++)
        v->inertia[6 * (i / 3) + 3 + i % 3] = v->inertia[6 * (3 + i % 3) + i / 3] = coupled[i];
    if (strchr(has, 'w')) {
        v->weight = 20.0, v->buoyancy = 19.5;
        memcpy(v->buoyancy_at, (double[3]){0.01, 0.0, 0.2}, sizeof v->buoyancy_at);
    }
    if (strchr(has, 'f')) {
        lie_inertia_diagonal(6, v->linear_drag, (double[6]){0.02, 0.03, 0.04, 0.1, 0.2, 0.3});
        memcpy(v->quadratic_drag, (double[6]){0.01, 0.02, 0.03, 0.1, 0.2, 0.3}, sizeof v->quadratic_drag);
    }
    if (strchr(has, 't')) {
        v->thrusters = 2;
        memcpy(v->thruster_at, (double[2][3]){{-1.0, 0.3, 0.0}, {-1.0, -0.3, 0.1}}, 6 * sizeof(double));
        memcpy(v->thruster_along, (double[2][3]){{1.0, 0.0, 0.0}, {0.8, 0.0, 0.6}}, 6 * sizeof(double));
        c->u[0] = 0.4, c->u[1] = -0.3;
    }
    c->omega = 1.0, c->speed = 0.5;
    return lie_vehicle_system(&c->sys, v, NULL);
}

static inline lie_status auto_particle(auto_case *c, const char *has)
{
    memcpy(c->p.particle.inertia, (double[4]){1.0, 0.0, 0.0, 1.4}, sizeof c->p.particle.inertia);
    c->p.particle.drag = strchr(has, 'f') ? 0.05 : 0.0;
    c->speed = 0.6;
    return lie_particle_system(&c->sys, &c->p.particle, NULL);
}

static const struct auto_row {
    const char *name;
    lie_status (*make)(auto_case *c, const char *with);
    const char *with;
} auto_rows[] = {
    {"free body S3", auto_body, "S3"},
    {"free body SO3", auto_body, "SO3"},
    {"heavy top S3", auto_top, "S3"},
    {"heavy top SO3", auto_top, "SO3"},
    {"turntable S3", auto_table, "S3"},
    {"turntable SO3", auto_table, "SO3"},
    {"satellite S3", auto_satellite, "S3"},
    {"satellite SO3", auto_satellite, "SO3"},
    {"orbiter", auto_orbiter, ""},
    {"spacecraft", auto_spacecraft, ""},
    {"vehicle, diagonal", auto_vehicle, ""},
    {"vehicle, dense", auto_vehicle, "d"},
    {"vehicle, weight", auto_vehicle, "w"},
    {"vehicle, dense, weight", auto_vehicle, "dw"},
    {"vehicle, dense, drag", auto_vehicle, "dwf"},
    {"vehicle, thrusters", auto_vehicle, "dwft"},
    {"particle", auto_particle, ""},
    {"particle, drag", auto_particle, "f"},
};
enum { AUTO_CASES = sizeof auto_rows / sizeof *auto_rows };

static inline lie_status auto_make(auto_case *c, int i)
{
    memset(c, 0, sizeof *c);
    c->name = auto_rows[i].name;
    return auto_rows[i].make(c, auto_rows[i].with);
}

/* How many numbers of the algebra are turns; the rest are lengths. */
static inline int auto_turns(const lie_ops *G)
{
    return strcmp(G->group, "R") == 0 ? 0 : 3;
}

/* The start number `which`: any attitude, velocities of the sizes of the case. An orbit starts near a circle. */
static inline lie_status auto_start(const auto_case *c, lie_state *s, int which)
{
    const lie_ops *G = c->sys.group;
    lie_random r = {(uint64_t)which * 7919 + (uint64_t)c->name[0] * 131 + (uint64_t)G->size};
    double x[LIE_DIM_MAX] = {0.0}, g[LIE_SIZE_MAX], xi[LIE_DIM_MAX];
    int turns = auto_turns(G), n = G->dim;
    random_vector(&r, n, x, turns ? 2.0 : 0.8);
    lie_status status = G->tau(G, g, x);
    if (status != LIE_OK) return status;
    random_vector(&r, n, xi, 1.0);
    for (int i = 0; i < n; i++) xi[i] *= i < turns ? c->omega : c->speed;
    if (c->radius > 0.0) {
        double e[3] = {c->radius * (1.0 + random_double(&r, 0.05)), 0.0, 0.0}, v[3] = {0.0, c->circular, 0.0};
        v[0] = c->circular * random_double(&r, 0.1), v[2] = c->circular * random_double(&r, 0.3);
        memcpy(g + 9, e, sizeof e);
        if (strcmp(G->group, "SE3") == 0)
            for (int i = 0; i < 3; i++) xi[3 + i] = g[i] * v[0] + g[3 + i] * v[1] + g[6 + i] * v[2];
        else
            memcpy(xi + 3, v, sizeof v);
    }
    return lie_state_set(&c->sys, s, 0.0, g, xi);
}

/* The size of a difference of places: radians, and lengths relative to where the body is, if that is more than 1 m. */
static inline double auto_size(const auto_case *c, const double *x)
{
    int turns = auto_turns(c->sys.group);
    double sum = 0.0, far = c->radius > 1.0 ? c->radius : 1.0;
    for (int i = 0; i < c->sys.group->dim; i++) sum += i < turns ? x[i] * x[i] : x[i] * x[i] / (far * far);
    return sqrt(sum);
}

#endif
