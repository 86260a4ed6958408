/* SPDX-License-Identifier: MIT */
/* scenario_reading.h: what the parts of the scenario reader share. The way of a scenario:
 *
 *   text -> outline (libyaml events: lines, structure)        scenario_outline.c
 *        -> checked against the keys, each on its line        scenario_outline_check.c
 *        -> values (libcyaml)                                 scenario_keys.c
 *        -> overridden                                        scenario_values.c
 *        -> checked against each other                        scenario_check.c
 *        -> system, start, method, output, section            scenario_system.c, _start.c, _method.c, _output.c,
 * _section.c
 *
 * Each part complains about everything it finds; the next one starts only if there was nothing. */
#ifndef LIESTEP_CLI_SCENARIO_READING_H
#define LIESTEP_CLI_SCENARIO_READING_H

#include "cli/scenario/scenario.h"
#include "cli/scenario/scenario_keys.h"

/* Where a key was given: in an override, or on a line of the file; line 0: nowhere. */
typedef struct key_origin {
    const char *override;
    int line;
} key_origin;

/* What a scenario points to. */
struct scenario_store {
    key_values values;
    char *name;
    char group[12]; /* name */
    section_plan section;
    ensemble_plan ensemble;
    double newmark[2]; /* beta, gamma */
    char *text;        /* of the file */
    size_t bytes;
    double *varied; /* not null: a variation; only these of the values are its own */
    union {
#define SYSTEM(name, ...) lie_##name name;
#include "cli/scenario/systems.def"
#undef SYSTEM
    } parameters;
};

typedef struct reading {
    const char *name;     /* of the file */
    const char *override; /* the one being read, or null: the file */
    char *problem;        /* the first error goes here instead of being printed; null: all are printed */
    int errors;
    key_origin origin[KEYS];
    int system; /* system_id; -1 as long as it is not known */
    scenario *out;
    struct scenario_store *store;
} reading;

/* FILE:LINE: KEY: sentence, or -s OVERRIDE: KEY: sentence; counts an error. By line of what is being read (a null key
 * is left out), or by key: where it was given, or the mapping it should be in. */
void complain_at(reading *r, int line, const char *key, const char *format, ...) __attribute__((format(printf, 4, 5)));
void complain(reading *r, key_id key, const char *format, ...) __attribute__((format(printf, 3, 4)));
void caution(reading *r, key_id key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Text from outside, fit to be shown: printable, at most 40 characters. */
typedef struct shown {
    char text[48];
} shown;
shown show(const char *text);

/* Names or numbers, collected for a message: "a, b, c". */
typedef struct listed {
    char text[512];
} listed;
void list_add(listed *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The document as libyaml sees it. */
typedef enum item_kind { ITEM_SCALAR, ITEM_LIST, ITEM_MAP } item_kind;
typedef struct item {
    item_kind kind;
    int parent; /* index; -1: the root, which comes first */
    int line;   /* of its key, else its own */
    char *key;  /* in a mapping, else null */
    char *text; /* of a scalar, else null */
    bool plain; /* a scalar without quotes */
    int children;
    key_id id; /* which key it is; set by outline_check */
} item;
typedef struct outline {
    item *item;
    int count, room;
} outline;

/* Structure only: one document that is a mapping, no anchor, alias, tag, duplicate key, NUL, nor more depth or items
 * than a scenario can have. Free the outline in any case. */
bool outline_read(reading *r, outline *o, const char *text, size_t bytes);
void outline_free(outline *o);

/* Every key known, every value of the right type. */
bool outline_check(reading *r, outline *o);

/* All values of the text and the overrides, into r->store->values. */
bool values_read(reading *r, const char *text, size_t bytes, int overrides, char **override);

/* Value or default. A default is as keys.def has it; lists default to zeros. */
bool is_given(const reading *r, key_id key);
double number_of(const reading *r, key_id key);
const char *text_of(const reading *r, key_id key); /* null: neither given nor a default */
bool flag_of(const reading *r, key_id key);
/* n numbers, zeros if nothing is given */
void numbers_of(const reading *r, key_id key, int n, double *out);
/* A (n x n) from its diagonal, its upper triangle or all of it */
void matrix_of(const reading *r, key_id key, int n, double *A);

/* The values that have a home (keys.def), brought there. */
void values_settle(reading *r);

/* Keys against each other and against the system. */
bool values_check(reading *r);

/* An inertia matrix, n x n, must be symmetric and positive definite; the principal moments of its leading 3 x 3 block
 * (rows of length `stride`) obey the triangle inequality. */
void inertia_check(reading *r, key_id key, int n, const double *A);
void triangle_check(reading *r, key_id key, int stride, const double *A, bool only_warn);
/* Eigenvalues of a symmetric matrix, n <= 6, ascending. */
void symmetric_eigenvalues(int n, const double *A, double *w);

bool system_build(reading *r);
bool start_build(reading *r);
bool method_build(reading *r);
/* The name of the retraction asked for: what is given, else exp with the method auto and cay with others. */
const char *retraction_asked(const reading *r);
bool output_build(reading *r);
bool section_build(reading *r);
bool ensemble_build(reading *r);
/* An expression under a key, complained about if it is none. */
bool expression_build(reading *r, key_id key, const char *text, expression *out);
bool target_build(reading *r);

/* The fingerprint: of all that determines the result and the content of the output files. */
unsigned long long scenario_hash(const reading *r);

#endif
