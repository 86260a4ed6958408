/* SPDX-License-Identifier: MIT */
/* scenario_system.c: the system of a scenario, made of its parameters. Most values go where systems.def says; what is
 * read by hand or looked at first is the care of make_<name>. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

/* make_<name> of the systems that need no care */
#define AS_IT_IS(name)                                                                                                 \
    static lie_status make_##name(reading *r, const char *group)                                                       \
    {                                                                                                                  \
        return lie_##name##_system(&r->out->system, &r->store->parameters.name, group);                                \
    }
#define WITH_CARE(name)
#define SYSTEM(name, made, ...) made(name)
#include "cli/scenario/systems.def"
#undef SYSTEM

/* I = diag(J, m 1) */
static void fill_orbiter(const reading *r, lie_orbiter *p)
{
    double J[9], mass = number_of(r, parameters_mass);
    matrix_of(r, parameters_inertia, 3, J);
    lie_inertia_diagonal(6, p->inertia, (double[6]){0.0, 0.0, 0.0, mass, mass, mass});
    for (int i = 0; i < 9; i++) p->inertia[6 * (i / 3) + i % 3] = J[i];
}

static lie_status make_orbiter(reading *r, const char *group)
{
    lie_orbiter *p = &r->store->parameters.orbiter;
    fill_orbiter(r, p);
    return lie_orbiter_system(&r->out->system, p, group);
}

/* An unknown retraction is complained about with the method. */
static lie_status make_spacecraft(reading *r, const char *group)
{
    lie_spacecraft *p = &r->store->parameters.spacecraft;
    (void)group;
    fill_orbiter(r, &p->body);
    char attitude[32];
    snprintf(attitude, sizeof attitude, "SO3/%s", retraction_asked(r));
    lie_status status = lie_spacecraft_system(&r->out->system, p, attitude);
    return status == LIE_ERR_UNKNOWN_NAME ? lie_spacecraft_system(&r->out->system, p, "SO3/cay") : status;
}

/* Drag that gives energy is no drag: the symmetric part of D must be positive semidefinite. */
static void check_drag(reading *r, const double *D)
{
    double w[6];
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
    check_drag(r, p->linear_drag);
    fill_thrusters(r, p);
    return lie_vehicle_system(&r->out->system, p, group);
}

static lie_status (*const make[SYSTEMS])(reading *r, const char *group) = {
#define SYSTEM(name, ...) make_##name,
#include "cli/scenario/systems.def"
#undef SYSTEM
};

#define HAS(key, type, member) {parameters_##key, offsetof(type, member)},
#define BY_HAND(key) {parameters_##key, BY_HAND_AT},
#define SYSTEM(name, made, groups, dim, inertia_dim, what, equation, inertia, parameters)                              \
    static const scenario_parameter name##_parameters[] = {parameters{NO_KEY, 0}};
#include "cli/scenario/systems.def"
#undef SYSTEM

const scenario_system *scenario_system_at(int i)
{
    static const scenario_system all[SYSTEMS] = {
#define SYSTEM(name, made, groups, dim, inertia_dim, what, equation, inertia, parameters)                              \
    {#name, groups, dim, inertia_dim, what, equation, inertia, name##_parameters},
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

static bool names_parameter(const scenario_system *s, key_id key)
{
    for (const scenario_parameter *p = s->parameters; p->key != NO_KEY; p++)
        if (p->key == key) return true;
    return false;
}

static bool has_attitude(const scenario_system *s)
{
    return s->dim == 3 || s->dim == 6;
}

bool system_has(int system, key_id key)
{
    const scenario_system *s = scenario_system_at(system);
    switch (scenario_keys[key].systems) {
    case NAMED:
        return names_parameter(s, key);
    case ATTITUDE:
        return has_attitude(s);
    case POSITION:
        return s->dim != 3;
    case THRUST:
        return names_parameter(s, parameters_thrusters);
    case ALL:
        break;
    }
    return true;
}

/* An inertia as it is given: of bodies in space the moments must be those of a body. */
static void check_inertia(reading *r, const scenario_system *s)
{
    double A[36];
    matrix_of(r, parameters_inertia, s->inertia_dim, A);
    inertia_check(r, parameters_inertia, s->inertia_dim, A);
    if (r->errors == 0 && has_attitude(s)) triangle_check(r, parameters_inertia, s->inertia_dim, A, s->inertia_dim > 3);
}

/* The values that go into the parameters of the library as they are. */
static void fill(const reading *r, const scenario_system *s)
{
    for (const scenario_parameter *p = s->parameters; p->key != NO_KEY; p++) {
        if (p->at == BY_HAND_AT) continue;
        double *out = (double *)(void *)((char *)&r->store->parameters + p->at);
        const scenario_key *key = &scenario_keys[p->key];
        if (key->kind == NUMBER)
            *out = number_of(r, p->key);
        else if (key->size > 0)
            numbers_of(r, p->key, key->size, out);
        else
            matrix_of(r, p->key, s->inertia_dim, out);
    }
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
    const scenario_system *s = scenario_system_at(r->system);
    r->out->group = choose_group(r);
    check_inertia(r, s);
    fill(r, s);
    lie_status status = make[r->system](r, r->store->group);
    if (r->errors == 0 && status != LIE_OK) complain(r, parameters_inertia, "%s", lie_status_text(status));
    return r->errors == 0;
}
