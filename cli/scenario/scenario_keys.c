/* SPDX-License-Identifier: MIT */
/* scenario_keys.c: the table of keys, names that are nearly keys, and libcyaml's schema, made from the table.
 *
 * All values of a scenario lie in one flat array, key_values; every mapping of the schema is laid over the whole of it,
 * so that a key finds its value at the same offset in whichever mapping it stands. Every field is an optional pointer:
 * what is missing is noticed later, when overrides may have supplied it. */
#include "cli/scenario/scenario_keys.h"

#include <cyaml/cyaml.h>
#include <string.h>

#include "cli/scenario/scenario.h"

#define TYPE_OF(x)                                                                                                     \
    _Generic((x), double: A_DOUBLE, long long: A_LONG, unsigned long long: A_LONG, int: AN_INT, const char *: A_TEXT)
#define INTO(type, member)                                                                                             \
    {                                                                                                                  \
        IN_##type, TYPE_OF(((type *)0)->member), offsetof(type, member)                                                \
    }
#define BY_PART                                                                                                        \
    {                                                                                                                  \
        BY_ITS_PART, A_DOUBLE, 0                                                                                       \
    }

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

key_id scenario_key_meant(key_id parent, const char *name)
{
    const char *names[KEYS + 1];
    int count = 0;
    for (int k = 0; k < KEYS; k++) {
        if (strcmp(scenario_keys[k].name, name) == 0) return (key_id)k;
        if (scenario_keys[k].parent == parent) names[count++] = scenario_keys[k].name;
    }
    names[count] = NULL;
    const char *near = cli_nearest_of(name, names);
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

enum { GIVEN = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL };

typedef struct schema {
    cyaml_schema_field_t field[2 * KEYS + 1]; /* of every mapping, each with its end mark */
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
