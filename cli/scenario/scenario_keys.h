/* SPDX-License-Identifier: MIT */
/* scenario_keys.h: the keys of a scenario (keys.def) as a table, and the values given for them. */
#ifndef LIESTEP_CLI_SCENARIO_KEYS_H
#define LIESTEP_CLI_SCENARIO_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* Systems by number, in the order of systems.def, and as bits: FREE_BODY = 1u << system_free_body. */
typedef enum system_id {
#define SYSTEM(bit, name, ...) system_##name,
#include "cli/scenario/systems.def"
#undef SYSTEM
    SYSTEMS
} system_id;

enum {
#define SYSTEM(bit, name, ...) bit = 1 << system_##name,
#include "cli/scenario/systems.def"
#undef SYSTEM
    TOPS = HEAVY_TOP | TURNTABLE,
    TURNERS = FREE_BODY | TOPS | SATELLITE, /* attitude only */
    ORBITERS = ORBITER | SPACECRAFT,
    MOVERS = ORBITERS | VEHICLE, /* attitude and position */
    BODIES = TURNERS | MOVERS,
    ALL = BODIES | PARTICLE
};

typedef enum key_kind {
    MAPPING, /* keys of its own */
    NUMBER,  /* finite */
    COUNT,   /* whole, 1 .. COUNT_MAX, kept as a double */
    FLAG,    /* true or false */
    TEXT,    /* 1 .. TEXT_MAX printable characters */
    NUMBERS, /* a list of up to NUMBERS_MAX */
    ROWS,    /* a list of up to ROWS_MAX */
    TEXTS,   /* a list of up to TEXTS_MAX texts */
    PLACES   /* a list of up to PLACES_MAX of {at: 3 numbers, along: 3 numbers} */
} key_kind;

enum { TEXT_MAX = 200, NUMBERS_MAX = 36, ROWS_MAX = 1536, TEXTS_MAX = 16, PLACES_MAX = 16 };
#define COUNT_MAX 9007199254740991.0 /* 2^53 - 1: no other whole number is rounded to it or to a smaller one */

enum { REQUIRED = 1, POSITIVE = 2, NONNEGATIVE = 4, SHOWN = 8 };
enum { ONE_ATTITUDE = 1, ONE_RATE = 2, ONE_SPEED = 4, ONE_LENGTH = 8, ONE_TARGET = 16 };

/* key_NAME and MAPPING_NAME, in the order of keys.def */
typedef enum key_id {
    NO_KEY = -1,
#define TOP(name, ...) key_##name,
#define KEY(mapping, name, ...) mapping##_##name,
#include "cli/scenario/keys.def"
#undef TOP
#undef KEY
    KEYS
} key_id;

typedef struct scenario_key {
    key_id parent; /* the mapping it is in, or NO_KEY */
    key_kind kind;
    const char *path, *name;
    int size;
    unsigned systems, one_of, flags;
    const char *unit, *fallback, *example, *meaning;
} scenario_key;

extern const scenario_key scenario_keys[KEYS];

/* The key of that name in a mapping, or NO_KEY. */
key_id scenario_key_find(key_id parent, const char *name);

/* The key that `name` in that mapping was perhaps meant to be: a near miss, one that belongs elsewhere, or NO_KEY. */
key_id scenario_key_meant(key_id parent, const char *name);

/* Thruster k: where, and the direction of its thrust. */
typedef struct placed {
    double at[3], along[3];
} placed;

typedef struct key_text {
    char text[TEXT_MAX + 1];
} key_text;

/* What is given for a key; a null pointer: nothing. Memory of libcyaml's. */
typedef struct key_value {
    union {
        void *any;
        double *number; /* also of COUNT */
        bool *flag;
        char *text;
        placed *place;
        key_text *texts;
    };
    unsigned count; /* of NUMBERS, ROWS, TEXTS and PLACES */
} key_value;

typedef struct key_values {
    key_value of[KEYS];
} key_values;

/* YAML that has passed scenario_outline_check to values, through libcyaml. Answers null, or libcyaml's complaint. */
const char *scenario_values_load(key_values *out, const char *text, size_t bytes);
void scenario_value_free(key_value *v);
void scenario_values_free(key_values *v);

#endif
