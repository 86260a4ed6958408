/* SPDX-License-Identifier: MIT */
/* scenario.h: a scenario file, read through libcyaml, overridden, checked, and turned into something that runs.
 * All keys stand in keys.def; docs/SCENARIOS.md explains them. */
#ifndef LIESTEP_CLI_SCENARIO_H
#define LIESTEP_CLI_SCENARIO_H

#include <stddef.h>

#include "cli.h"

/* Everything a run needs, with all defaults filled in. All it points to belongs to `store`. */
typedef struct scenario {
    lie_system system;
    const char *group;      /* its name, as systems.def has it */
    const char *retraction; /* its name; of a product: that of the attitude */
    lie_state start;
    lie_options options; /* method, retraction and tableau are set; pass them on as they are */
    double step;         /* h, s; not 0, negative to go back in time */
    long long steps;     /* how many, at least 1 */
    const double *u;     /* constant control, system.controls values, or null */
    struct {
        const char *directory;                     /* "." */
        long long every;                           /* steps between records, at least 1 */
        const char *csv, *npy, *hdf5, *aem, *plot; /* file names inside the directory, or null */
        const char *object, *epoch;                /* for aem, never null then: OBJECT_NAME, start epoch (UTC) */
    } output;
    struct {
        int given;
        double g[LIE_SIZE_MAX], xi[LIE_DIM_MAX];
        int any_velocity, starts;
        lie_actuation inputs; /* of the system: base is set */
        double weight[LIE_ACTUATORS_MAX], fuel[LIE_ACTUATORS_MAX];
        int has_weight, has_fuel;
    } target;                  /* for liestep control */
    double checkpoint_seconds; /* wall time between checkpoints; 0: none but at the end of an interrupted run */
    const char *checkpoint;    /* file name inside the directory; null: none */
    /* Of all that determines the result and what is in the output files, not of the directory and the checkpoint: a
     * checkpoint of another scenario is refused. */
    unsigned long long fingerprint;
    const char *name; /* of the file, as given; "-" if it came from stdin */
    struct scenario_store *store;
} scenario;

/* Read `path` ("-": stdin), apply the overrides ("key=value"), check everything. All errors are printed, up to ten:
 *     liestep: FILE:LINE: KEY: what is wrong, what was expected
 *     liestep: -s OVERRIDE: KEY: ...
 * EXIT_FINE or EXIT_SCENARIO; then `out` is empty. */
cli_exit scenario_read(scenario *out, const char *path, int overrides, char **override);

/* The same from memory (for tests and the fuzzer). */
cli_exit scenario_parse(scenario *out, const char *name, const char *text, size_t bytes, int overrides,
                        char **override);
/* Also of one that could not be read, or of zeros. */
void scenario_free(scenario *s);

/* A system that a scenario may name, as systems.def tells. */
typedef struct scenario_system {
    const char *name, *groups;
    int dim, inertia_dim;
    const char *what, *equation, *inertia;
} scenario_system;
/* The i-th one and its name; null beyond the last. */
const scenario_system *scenario_system_at(int i);
const char *scenario_system_name(int i);

/* A commented scenario with all keys, their defaults and units, for `liestep run --print-defaults`; and all keys as
 * Markdown tables for docs/SCENARIOS.md. Both come from the one list of keys. */
void scenario_print_defaults(FILE *out);
void scenario_print_keys(FILE *out);

#endif
