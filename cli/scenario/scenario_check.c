/* SPDX-License-Identifier: MIT */
/* scenario_check.c: the values of a scenario against each other: keys the system does not have, keys it needs, keys
 * that exclude each other, lengths of lists, signs. */
#include <string.h>

#include "cli/scenario/scenario_reading.h"

static bool find_system(reading *r)
{
    const char *name = text_of(r, key_system);
    listed names = {""};
    for (int i = 0; scenario_system_name(i); i++) list_add(&names, "%s", scenario_system_name(i));
    if (!name) {
        complain(r, key_system, "is missing; give one of %s", names.text);
        return false;
    }
    for (r->system = 0; scenario_system_name(r->system); r->system++)
        if (strcmp(scenario_system_name(r->system), name) == 0) return true;
    const char *near = cli_nearest(name, scenario_system_name);
    complain(r, key_system, "there is no system '%s'; %s%s%s%s", show(name).text, near ? "did you mean '" : "",
             near ? near : "", near ? "'? There are " : "there are ", names.text);
    return false;
}

/* The keys of this system in the mapping of `key`, which it does not have. */
static void complain_of_system(reading *r, key_id key)
{
    const char *system = scenario_system_name(r->system);
    key_id parent = scenario_keys[key].parent;
    listed names = {""};
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == parent && system_has(r->system, (key_id)k))
            list_add(&names, "%s", scenario_keys[k].name);
    if (key == key_control)
        complain(r, key, "the system %s has no controls; remove it", system);
    else
        complain(r, key, "the system %s has no such key; %s has %s", system,
                 parent == NO_KEY ? "it" : scenario_keys[parent].path, names.text);
}

static void check_systems(reading *r)
{
    for (int k = 0; k < KEYS; k++) {
        key_id key = (key_id)k;
        if (is_given(r, key) && !system_has(r->system, key)) complain_of_system(r, key);
        if (!is_given(r, key) && system_has(r->system, key) && (scenario_keys[k].flags & REQUIRED))
            complain(r, key, "is missing; the system %s needs it, for example %s: %s", scenario_system_name(r->system),
                     scenario_keys[k].name, scenario_keys[k].example);
    }
}

/* Of two keys that exclude each other the later one is complained about. */
static void check_exclusive(reading *r, key_id a, key_id b)
{
    if (!(scenario_keys[a].one_of & scenario_keys[b].one_of) || !is_given(r, a) || !is_given(r, b)) return;
    key_id late = r->origin[a].line >= r->origin[b].line ? a : b, early = late == a ? b : a;
    if (r->origin[early].override)
        complain(r, late, "excludes %s; give one of them", scenario_keys[early].path);
    else
        complain(r, late, "excludes %s (line %d); give one of them", scenario_keys[early].path, r->origin[early].line);
}

/* Lengths a list may have: up to three. */
typedef struct lengths {
    int n[3];
} lengths;

static lengths lengths_of(const reading *r, key_id key)
{
    const scenario_system *sys = scenario_system_at(r->system);
    int dim = sys->dim, n = sys->inertia_dim;
    switch (scenario_keys[key].size) {
    case OF_INERTIA:
        return (lengths){{n, n * (n + 1) / 2, n * n}};
    case OF_GROUP:
        return (lengths){{dim}};
    case OF_PLACE:
        return (lengths){{dim == 6 ? 3 : dim}};
    case OF_THRUSTERS:
        return (lengths){{(int)r->store->values.of[parameters_thrusters].count}};
    case ANY:
        return (lengths){{(int)r->store->values.of[key].count}};
    default:
        return (lengths){{scenario_keys[key].size}};
    }
}

static void check_length(reading *r, key_id key)
{
    int count = (int)r->store->values.of[key].count;
    lengths l = lengths_of(r, key);
    if (count == l.n[0] || (l.n[1] > 0 && (count == l.n[1] || count == l.n[2]))) return;
    const char *plural = count == 1 ? "" : "s";
    if (key == key_control)
        complain(r, key, "has %d number%s; there are %d thrusters", count, plural, l.n[0]);
    else if (l.n[1] > 0)
        complain(r, key, "has %d number%s; expected %d (diagonal), %d (upper triangle) or %d (all, row by row)", count,
                 plural, l.n[0], l.n[1], l.n[2]);
    else
        complain(r, key, "has %d number%s; expected %d", count, plural, l.n[0]);
}

/* Momenta, one orbit after the other. */
static void check_rows(reading *r, key_id key)
{
    int count = (int)r->store->values.of[key].count, dim = scenario_system_at(r->system)->dim;
    if (count % dim != 0)
        complain(r, key, "has %d numbers; expected %d for every orbit, so that their number is a multiple of it", count,
                 dim);
}

static void check_signs(reading *r, key_id key)
{
    const scenario_key *k = &scenario_keys[key];
    const key_value *v = &r->store->values.of[key];
    unsigned count = k->kind == NUMBERS ? v->count : 1;
    if (k->kind != NUMBER && k->kind != NUMBERS) return;
    for (unsigned i = 0; i < count; i++) {
        if ((k->flags & POSITIVE) && !(v->number[i] > 0.0)) complain(r, key, "is %g; it must be above 0", v->number[i]);
        if ((k->flags & NONNEGATIVE) && !(v->number[i] >= 0.0))
            complain(r, key, "is %g; it must not be below 0", v->number[i]);
    }
}

bool values_check(reading *r)
{
    if (!find_system(r)) return false;
    check_systems(r);
    for (int a = 0; a < KEYS; a++)
        for (int b = 0; b < a; b++) check_exclusive(r, (key_id)a, (key_id)b);
    for (int k = 0; k < KEYS; k++) {
        if (!is_given(r, (key_id)k) || !system_has(r->system, (key_id)k)) continue;
        if (scenario_keys[k].kind == ROWS) check_rows(r, (key_id)k);
        if (scenario_keys[k].kind == NUMBERS) check_length(r, (key_id)k);
        check_signs(r, (key_id)k);
    }
    if (is_given(r, key_steps) || is_given(r, key_end)) return r->errors == 0;
    complain(r, key_steps, "is missing; say how long: steps: 10000, or end: 100 (s)");
    return false;
}
