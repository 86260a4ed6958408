/* SPDX-License-Identifier: MIT */
/* scenario_system.c: how each system is made of its parameters. A new one is an entry in systems.def, its keys in
 * keys.def and a function make_<name> here. */
#include <math.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

/* The attitude inertia, the part that is the same for all bodies. */
static void fill_inertia(reading *r, double *A)
{
    matrix_of(r, parameters_inertia, 3, A);
    inertia_check(r, parameters_inertia, 3, A);
    if (r->errors == 0) triangle_check(r, parameters_inertia, 3, A, false);
}

static void fill_top(reading *r, lie_heavy_top *p)
{
    fill_inertia(r, p->inertia);
    p->mass = number_of(r, parameters_mass);
    p->gravity = number_of(r, parameters_gravity);
    numbers_of(r, parameters_centre, 3, p->centre);
}

static lie_status make_free_body(reading *r, const char *group)
{
    lie_free_body *p = &r->store->parameters.free_body;
    fill_inertia(r, p->inertia);
    return lie_free_body_system(&r->out->system, p, group);
}

static lie_status make_heavy_top(reading *r, const char *group)
{
    lie_heavy_top *p = &r->store->parameters.heavy_top;
    fill_top(r, p);
    return lie_heavy_top_system(&r->out->system, p, group);
}

static lie_status make_turntable(reading *r, const char *group)
{
    lie_turntable *p = &r->store->parameters.turntable;
    fill_top(r, &p->top);
    p->rate = number_of(r, parameters_rate);
    return lie_turntable_system(&r->out->system, p, group);
}

static lie_status make_satellite(reading *r, const char *group)
{
    lie_satellite *p = &r->store->parameters.satellite;
    fill_inertia(r, p->inertia);
    p->orbit_rate = number_of(r, parameters_orbit_rate);
    numbers_of(r, parameters_wheels, 3, p->wheels);
    return lie_satellite_system(&r->out->system, p, group);
}

/* I = diag(J, m 1) */
static void fill_orbiter(reading *r, lie_orbiter *p)
{
    double J[9], mass = number_of(r, parameters_mass);
    fill_inertia(r, J);
    lie_inertia_diagonal(6, p->inertia, (double[6]){0.0, 0.0, 0.0, mass, mass, mass});
    for (int i = 0; i < 9; i++) p->inertia[6 * (i / 3) + i % 3] = J[i];
    p->gm = number_of(r, parameters_gm);
}

static lie_status make_orbiter(reading *r, const char *group)
{
    lie_orbiter *p = &r->store->parameters.orbiter;
    (void)group;
    fill_orbiter(r, p);
    return lie_orbiter_system(&r->out->system, p);
}

/* An unknown retraction is complained about with the method. */
static lie_status make_spacecraft(reading *r, const char *group)
{
    lie_spacecraft *p = &r->store->parameters.spacecraft;
    (void)group;
    fill_orbiter(r, &p->body);
    lie_status status = lie_spacecraft_system(&r->out->system, p, retraction_asked(r));
    return status == LIE_ERR_UNKNOWN_NAME ? lie_spacecraft_system(&r->out->system, p, "cay") : status;
}

/* Drag that gives energy is no drag: the symmetric part of D must be positive semidefinite. */
static void fill_drag(reading *r, double *D)
{
    double w[6];
    matrix_of(r, parameters_linear_drag, 6, D);
    symmetric_eigenvalues(6, D, w);
    if (w[0] < -1e-12 * fabs(w[5]))
        complain(r, parameters_linear_drag, "feeds energy in: its symmetric part has the eigenvalue %.6g, below 0",
                 w[0]);
}

static void fill_thrusters(reading *r, lie_vehicle *p)
{
    const key_value *v = &r->store->values.of[parameters_thrusters];
    p->thrusters = v->any ? (int)v->count : 0;
    for (int k = 0; k < p->thrusters; k++) {
        const double *d = v->place[k].along;
        double length = hypot(hypot(d[0], d[1]), d[2]);
        memcpy(p->thruster_at[k], v->place[k].at, sizeof p->thruster_at[k]);
        memcpy(p->thruster_along[k], d, sizeof p->thruster_along[k]);
        if (length == 0.0)
            complain(r, parameters_thrusters, "entry %d: along is 0, which is no direction", k + 1);
        else if (fabs(length - 1.0) > 1e-6)
            caution(r, parameters_thrusters, "entry %d: along has length %.6g, not 1; thrust is scaled by it", k + 1,
                    length);
    }
}

static lie_status make_vehicle(reading *r, const char *group)
{
    lie_vehicle *p = &r->store->parameters.vehicle;
    (void)group;
    matrix_of(r, parameters_inertia, 6, p->inertia);
    inertia_check(r, parameters_inertia, 6, p->inertia);
    if (r->errors == 0) triangle_check(r, parameters_inertia, 6, p->inertia, true);
    p->weight = number_of(r, parameters_weight);
    p->buoyancy = number_of(r, parameters_buoyancy);
    numbers_of(r, parameters_weight_at, 3, p->weight_at);
    numbers_of(r, parameters_buoyancy_at, 3, p->buoyancy_at);
    fill_drag(r, p->linear_drag);
    numbers_of(r, parameters_quadratic_drag, 6, p->quadratic_drag);
    fill_thrusters(r, p);
    return lie_vehicle_system(&r->out->system, p);
}

static lie_status make_particle(reading *r, const char *group)
{
    lie_particle *p = &r->store->parameters.particle;
    (void)group;
    matrix_of(r, parameters_inertia, 2, p->inertia);
    inertia_check(r, parameters_inertia, 2, p->inertia);
    p->drag = number_of(r, parameters_drag);
    return lie_particle_system(&r->out->system, p);
}

static lie_status (*const make[SYSTEMS])(reading *r, const char *group) = {
#define SYSTEM(bit, name, ...) make_##name,
#include "cli/scenario/systems.def"
#undef SYSTEM
};

const scenario_system *scenario_system_at(int i)
{
    static const scenario_system all[SYSTEMS] = {
#define SYSTEM(bit, name, ...) {#name, __VA_ARGS__},
#include "cli/scenario/systems.def"
#undef SYSTEM
    };
    return i >= 0 && i < SYSTEMS ? &all[i] : NULL;
}

const char *scenario_system_name(int i)
{
    const scenario_system *s = scenario_system_at(i);
    return s ? s->name : NULL;
}

bool system_has(int system, key_id key)
{
    return (scenario_keys[key].systems >> system & 1u) != 0;
}

/* The group asked for, or the default; the name stays with the scenario. Null after a complaint. */
static const char *choose_group(reading *r)
{
    const scenario_system *sys = scenario_system_at(r->system);
    const char *asked = is_given(r, key_group) ? text_of(r, key_group) : NULL;
    char *name = r->store->group;
    for (const char *at = sys->groups; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL) {
        snprintf(name, sizeof r->store->group, "%.*s", (int)strcspn(at, " "), at);
        if (!asked || strcmp(name, asked) == 0) return name;
    }
    complain(r, key_group, "the system %s moves on one of: %s; not on '%s'", sys->name, sys->groups, show(asked).text);
    return NULL;
}

bool system_build(reading *r)
{
    r->out->group = choose_group(r);
    lie_status status = make[r->system](r, r->store->group);
    if (r->errors == 0 && status != LIE_OK) complain(r, parameters_inertia, "%s", lie_status_text(status));
    return r->errors == 0;
}
