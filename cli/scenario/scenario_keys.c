/* SPDX-License-Identifier: MIT */
/* scenario_keys.c: the table of keys, names that are nearly keys, and libcyaml's schema, made from the table.
 *
 * All values of a scenario lie in one flat array, key_values; every mapping of the schema is laid over the whole of it,
 * so that a key finds its value at the same offset in whichever mapping it stands. Every field is an optional pointer:
 * what is missing is noticed later, when overrides may have supplied it. */
#include "cli/scenario/scenario_keys.h"

#include <cyaml/cyaml.h>
#include <string.h>

#include "cli/base/cli.h"

const scenario_key scenario_keys[KEYS] = {
#define TOP(name_, kind_, ...) {NO_KEY, kind_, #name_, #name_, __VA_ARGS__},
#define KEY(mapping_, name_, kind_, ...) {key_##mapping_, kind_, #mapping_ "." #name_, #name_, __VA_ARGS__},
#include "cli/scenario/keys.def"
#undef TOP
#undef KEY
};

key_id scenario_key_find(key_id parent, const char *name)
{
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == parent && strcmp(scenario_keys[k].name, name) == 0) return (key_id)k;
    return NO_KEY;
}

static const char *name_in(key_id parent, int i)
{
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == parent && i-- == 0) return scenario_keys[k].name;
    return NULL;
}

/* The names in each mapping, in the form cli_nearest asks for. */
static const char *top_name(int i)
{
    return name_in(NO_KEY, i);
}

static const char *parameters_name(int i)
{
    return name_in(key_parameters, i);
}

static const char *start_name(int i)
{
    return name_in(key_start, i);
}

static const char *target_name(int i)
{
    return name_in(key_target, i);
}

static const char *output_name(int i)
{
    return name_in(key_output, i);
}

static const char *checkpoint_name(int i)
{
    return name_in(key_checkpoint, i);
}

static const char *section_name(int i)
{
    return name_in(key_section, i);
}

static const char *newmark_name(int i)
{
    return name_in(key_newmark, i);
}

static const char *ensemble_name(int i)
{
    return name_in(key_ensemble, i);
}

/* The names of the keys in a mapping, one after the other. */
typedef const char *names_fn(int i);

static names_fn *names_of(key_id parent)
{
    static const struct {
        key_id parent;
        names_fn *names;
    } mappings[] = {{key_parameters, parameters_name}, {key_start, start_name},       {key_target, target_name},
                    {key_output, output_name},         {key_ensemble, ensemble_name}, {key_section, section_name},
                    {key_checkpoint, checkpoint_name}, {key_newmark, newmark_name}};
    for (size_t i = 0; i < sizeof mappings / sizeof mappings[0]; i++)
        if (mappings[i].parent == parent) return mappings[i].names;
    return top_name;
}

key_id scenario_key_meant(key_id parent, const char *name)
{
    for (int k = 0; k < KEYS; k++)
        if (strcmp(scenario_keys[k].name, name) == 0) return (key_id)k;
    const char *near = cli_nearest(name, names_of(parent));
    return near ? scenario_key_find(parent, near) : NO_KEY;
}

static const cyaml_schema_value_t a_number = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_field_t place_fields[] = {
    {.key = "at",
     .data_offset = offsetof(placed, at),
     .value = {CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, double, &a_number, 3)}},
    {.key = "along",
     .data_offset = offsetof(placed, along),
     .value = {CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, double, &a_number, 3)}},
    CYAML_FIELD_END};
static const cyaml_schema_value_t a_place = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, placed, place_fields)};

static const cyaml_schema_value_t a_text = {CYAML_VALUE_STRING(CYAML_FLAG_DEFAULT, key_text, 0, TEXT_MAX)};

enum { MAPPINGS = 9, GIVEN = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL };

typedef struct schema {
    cyaml_schema_field_t field[KEYS + MAPPINGS]; /* of every mapping, each with its end mark */
    int fields;
} schema;

static cyaml_schema_value_t value_schema(key_kind kind)
{
    switch (kind) {
    case NUMBER:
    case COUNT:
        return (cyaml_schema_value_t){CYAML_VALUE_FLOAT(GIVEN, double)};
    case FLAG:
        return (cyaml_schema_value_t){CYAML_VALUE_BOOL(GIVEN, bool)};
    case TEXT:
        return (cyaml_schema_value_t){CYAML_VALUE_STRING(GIVEN, char *, 1, TEXT_MAX)};
    case NUMBERS:
        return (cyaml_schema_value_t){CYAML_VALUE_SEQUENCE(GIVEN, double, &a_number, 0, NUMBERS_MAX)};
    case ROWS:
        return (cyaml_schema_value_t){CYAML_VALUE_SEQUENCE(GIVEN, double, &a_number, 0, ROWS_MAX)};
    case TEXTS:
        return (cyaml_schema_value_t){CYAML_VALUE_SEQUENCE(GIVEN, key_text, &a_text, 0, TEXTS_MAX)};
    case PLACES:
        return (cyaml_schema_value_t){CYAML_VALUE_SEQUENCE(GIVEN, placed, &a_place, 0, PLACES_MAX)};
    case MAPPING:
        break;
    }
    return (cyaml_schema_value_t){CYAML_VALUE_MAPPING(CYAML_FLAG_OPTIONAL, key_values, NULL)};
}

/* Add the fields of a mapping; those of the mappings in it have been added before. Answers the first. */
static cyaml_schema_field_t *add_fields(schema *s, key_id parent, cyaml_schema_field_t *const inner[KEYS])
{
    cyaml_schema_field_t *first = &s->field[s->fields];
    for (int k = 0; k < KEYS; k++) {
        const scenario_key *key = &scenario_keys[k];
        if (key->parent != parent) continue;
        cyaml_schema_field_t field = {.key = key->name, .value = value_schema(key->kind)};
        if (key->kind == MAPPING) {
            field.value.mapping.fields = inner[k];
        } else {
            field.data_offset = (uint32_t)((size_t)k * sizeof(key_value));
            field.count_offset = (uint32_t)((size_t)k * sizeof(key_value) + offsetof(key_value, count));
            field.count_size = sizeof(unsigned);
        }
        s->field[s->fields++] = field;
    }
    s->field[s->fields++] = (cyaml_schema_field_t)CYAML_FIELD_END;
    return first;
}

static cyaml_schema_value_t make_schema(schema *s)
{
    cyaml_schema_field_t *inner[KEYS] = {NULL};
    s->fields = 0;
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].kind == MAPPING) inner[k] = add_fields(s, (key_id)k, inner);
    cyaml_schema_field_t *top = add_fields(s, NO_KEY, inner);
    return (cyaml_schema_value_t){CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, key_values, top)};
}

const char *scenario_values_load(key_values *out, const char *text, size_t bytes)
{
    schema fields;
    cyaml_config_t config = {.mem_fn = cyaml_mem, .flags = CYAML_CFG_NO_ALIAS};
    cyaml_schema_value_t top = make_schema(&fields);
    cyaml_data_t *data = NULL;
    cyaml_err_t error = cyaml_load_data((const uint8_t *)text, bytes, &config, &top, &data, NULL);
    *out = (key_values){0};
    if (error != CYAML_OK) return cyaml_strerror(error);
    if (data) memcpy(out, data, sizeof *out);
    cyaml_mem(NULL, data, 0);
    return NULL;
}

void scenario_value_free(key_value *v)
{
    cyaml_mem(NULL, v->any, 0);
    *v = (key_value){0};
}

void scenario_values_free(key_values *v)
{
    for (int k = 0; k < KEYS; k++) scenario_value_free(&v->of[k]);
}
