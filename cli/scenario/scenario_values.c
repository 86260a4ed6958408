/* SPDX-License-Identifier: MIT */
/* scenario_values.c: the values of a scenario: those of its text, replaced by those of the overrides, and how to get at
 * them. An override KEY=VALUE is a small YAML document of its own, checked like the file. It drops what excludes it
 * (steps drops end); an empty value drops the key itself. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

/* A mapping stays where the file has it, even if an override adds to it. */
static void note_origin(reading *r, const item *n)
{
    if (n->id == NO_KEY || (scenario_keys[n->id].kind == MAPPING && r->origin[n->id].line > 0)) return;
    r->origin[n->id] = (key_origin){r->override, n->line};
}

/* One document, the file or an override, to values; where its keys stand is noted. */
static bool read_document(reading *r, key_values *out, const char *text, size_t bytes)
{
    outline o;
    bool fine = outline_read(r, &o, text, bytes) && outline_check(r, &o);
    *out = (key_values){0};
    if (fine) {
        const char *problem = scenario_values_load(out, text, bytes);
        if (problem) complain_at(r, 1, NULL, "libcyaml cannot read this: %s", problem);
        fine = !problem;
    }
    for (int i = 1; fine && i < o.count; i++) note_origin(r, &o.item[i]);
    outline_free(&o);
    return fine;
}

static void drop(reading *r, key_id key)
{
    scenario_value_free(&r->store->values.of[key]);
    r->origin[key] = (key_origin){NULL, 0};
}

/* The values of an override take the place of those there are, and of those that exclude them. */
static void merge(reading *r, key_values *from)
{
    key_values *to = &r->store->values;
    unsigned taken = 0;
    for (int k = 0; k < KEYS; k++)
        if (from->of[k].any) taken |= scenario_keys[k].one_of;
    for (int k = 0; k < KEYS; k++) {
        if (from->of[k].any) {
            scenario_value_free(&to->of[k]);
            to->of[k] = from->of[k];
            from->of[k] = (key_value){0};
        } else if (scenario_keys[k].one_of & taken) {
            drop(r, (key_id)k);
        }
    }
}

/* The key KEY of KEY=VALUE; NO_KEY after a complaint. */
static key_id override_key(reading *r, const char *override, size_t length)
{
    char path[64];
    if (length >= sizeof path || override[length] != '=' || length == 0) {
        complain_at(r, 0, NULL, "expected key=value, like step=0.02 or start.angular_velocity=[1,2,3]");
        return NO_KEY;
    }
    memcpy(path, override, length);
    path[length] = '\0';
    for (int k = 0; k < KEYS; k++)
        if (strcmp(scenario_keys[k].path, path) == 0) return (key_id)k;
    char *dot = strchr(path, '.');
    if (dot) *dot = '\0';
    key_id parent = dot ? scenario_key_find(NO_KEY, path) : NO_KEY;
    key_id meant = dot && parent == NO_KEY ? NO_KEY : scenario_key_meant(parent, dot ? dot + 1 : path);
    if (dot) *dot = '.';
    if (meant != NO_KEY)
        complain_at(r, 0, path, "unknown key; did you mean '%s'?", scenario_keys[meant].path);
    else
        complain_at(r, 0, path, "unknown key; 'liestep run --print-defaults' shows all keys");
    return NO_KEY;
}

/* "start:\n  quaternion: VALUE\n" */
static char *override_document(const scenario_key *key, const char *value)
{
    const char *mapping = key->parent == NO_KEY ? "" : scenario_keys[key->parent].name;
    size_t room = strlen(mapping) + strlen(key->name) + strlen(value) + 16;
    char *text = malloc(room);
    if (text) snprintf(text, room, "%s%s%s: %s\n", mapping, key->parent == NO_KEY ? "" : ":\n  ", key->name, value);
    return text;
}

static void drop_with_inner(reading *r, key_id key)
{
    drop(r, key);
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == key) drop(r, (key_id)k);
}

static bool apply(reading *r, const char *override)
{
    size_t length = strcspn(override, "=");
    key_values values;
    r->override = override;
    key_id key = override_key(r, override, length);
    if (key == NO_KEY) return false;
    const char *value = override + length + 1;
    if (*value == '\0' || strcmp(value, "null") == 0) {
        drop_with_inner(r, key);
        return true;
    }
    if (strchr(value, '\n') || strchr(value, '\r')) {
        complain_at(r, 0, scenario_keys[key].path, "a value has no line breaks");
        return false;
    }
    char *text = override_document(&scenario_keys[key], value);
    if (!text) return false;
    bool fine = read_document(r, &values, text, strlen(text));
    if (fine) merge(r, &values);
    scenario_values_free(&values);
    free(text);
    return fine;
}

bool values_read(reading *r, const char *text, size_t bytes, int overrides, char **override)
{
    r->override = NULL;
    bool fine = read_document(r, &r->store->values, text, bytes);
    for (int i = 0; i < overrides; i++)
        if (!apply(r, override[i])) fine = false;
    r->override = NULL;
    return fine;
}

bool is_given(const reading *r, key_id key)
{
    return r->store->values.of[key].any != NULL;
}

double number_of(const reading *r, key_id key)
{
    return is_given(r, key) ? *r->store->values.of[key].number : strtod(scenario_keys[key].fallback, NULL);
}

const char *text_of(const reading *r, key_id key)
{
    const char *fallback = scenario_keys[key].fallback;
    if (is_given(r, key)) return r->store->values.of[key].text;
    return *fallback ? fallback : NULL;
}

bool flag_of(const reading *r, key_id key)
{
    return is_given(r, key) ? *r->store->values.of[key].flag : strcmp(scenario_keys[key].fallback, "true") == 0;
}

void numbers_of(const reading *r, key_id key, int n, double *out)
{
    const key_value *v = &r->store->values.of[key];
    for (int i = 0; i < n; i++) out[i] = v->any && i < (int)v->count ? v->number[i] : 0.0;
}

void matrix_of(const reading *r, key_id key, int n, double *A)
{
    const key_value *v = &r->store->values.of[key];
    int count = v->any ? (int)v->count : 0, at = 0;
    for (int i = 0; i < n * n; i++) A[i] = count == n * n ? v->number[i] : 0.0;
    if (count == n) lie_inertia_diagonal(n, A, v->number);
    if (count != n * (n + 1) / 2 || count == n) return;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) A[n * i + j] = A[n * j + i] = v->number[at++];
}

static void settle(const reading *r, key_id key)
{
    const key_home *home = &scenario_keys[key].home;
    void *const bases[] = {
        [IN_scenario] = r->out, [IN_section_plan] = &r->store->section, [IN_ensemble_plan] = &r->store->ensemble};
    void *at = (char *)bases[home->base] + home->at;
    bool is_flag = scenario_keys[key].kind == FLAG;
    switch (home->type) {
    case A_DOUBLE:
        *(double *)at = number_of(r, key);
        break;
    case A_LONG:
        *(long long *)at = (long long)number_of(r, key);
        break;
    case AN_INT:
        *(int *)at = is_flag ? flag_of(r, key) : (int)fmin(number_of(r, key), INT_MAX);
        break;
    case A_TEXT:
        *(const char **)at = text_of(r, key);
        break;
    }
}

void values_settle(reading *r)
{
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].home.base != BY_ITS_PART) settle(r, (key_id)k);
}
