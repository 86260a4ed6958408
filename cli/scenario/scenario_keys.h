/* SPDX-License-Identifier: MIT */
/* scenario_keys.h: the keys of a scenario (keys.def) as a table, and the values given for them. */
#ifndef LIESTEP_CLI_SCENARIO_KEYS_H
#define LIESTEP_CLI_SCENARIO_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* Systems by number, in the order of systems.def. */
typedef enum system_id {
#define SYSTEM(name, ...) system_##name,
#include "cli/scenario/systems.def"
#undef SYSTEM
    SYSTEMS
} system_id;

/* Which systems have a key. */
typedef enum key_systems { ALL, NAMED, ATTITUDE, POSITION, THRUST } key_systems;

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

/* How many NUMBERS there are where the system decides. */
enum key_size {
    ANY = 0,          /* its part of the reader looks at them */
    OF_INERTIA = -1,  /* a matrix like the inertia: its diagonal, its upper triangle, or all of it */
    OF_GROUP = -2,    /* one for every dimension */
    OF_PLACE = -3,    /* a position */
    OF_THRUSTERS = -4 /* one for every thruster */
};

enum { REQUIRED = 1, POSITIVE = 2, NONNEGATIVE = 4, SHOWN = 8, RESULT = 16 };
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

/* Where the value of a key goes. */
typedef enum key_base { BY_ITS_PART, IN_scenario, IN_section_plan, IN_ensemble_plan } key_base;
typedef enum key_type { A_DOUBLE, A_LONG, AN_INT, A_TEXT } key_type;
typedef struct key_home {
    key_base base;
    key_type type;
    size_t at; /* bytes from the base */
} key_home;

typedef struct scenario_key {
    key_id parent; /* the mapping it is in, or NO_KEY */
    key_kind kind;
    const char *path, *name;
    int size; /* above 0, or a key_size */
    key_systems systems;
    unsigned one_of, flags;
    key_home home;
    const char *unit, *fallback, *example, *meaning;
} scenario_key;

extern const scenario_key scenario_keys[KEYS];

/* A key of a system, and where its value goes in the parameters of the library. */
#define BY_HAND_AT ((size_t)-1) /* scenario_system.c knows */
typedef struct scenario_parameter {
    key_id key; /* NO_KEY behind the last */
    size_t at;  /* bytes */
} scenario_parameter;

/* Does the system have this key? */
bool system_has(int system, key_id key);

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
