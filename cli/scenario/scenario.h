/* SPDX-License-Identifier: MIT */
/* scenario.h: a scenario file, read through libcyaml, overridden, checked, and turned into something that runs.
 * All keys stand in keys.def; docs/SCENARIOS.md explains them. */
#ifndef LIESTEP_CLI_SCENARIO_H
#define LIESTEP_CLI_SCENARIO_H

#include <stddef.h>

#include "cli/base/cli.h"
#include "cli/base/expression.h"

/* What is asked of `liestep section`: the mapping `section`, read. */
typedef enum chaos_kind { INDICATOR_NONE, INDICATOR_FLI, INDICATOR_SALI, INDICATOR_LYAPUNOV } chaos_kind;
enum { SECTION_FIXED = 8, SECTION_PANELS = 16 };
typedef struct section_plan {
    const char *surface_text, *x_text, *y_text; /* null: not given; `liestep section` needs them */
    expression surface, x, y;
    int direction; /* as in lie_event */
    long long orbits, points;
    unsigned long long seed;
    int has_energy;
    double energy;
    int fixed;
    const char *fixed_text[SECTION_FIXED];
    equation equation[SECTION_FIXED];
    int random_attitudes;
    int columns, rows;     /* of the grid; 0: there is none */
    double grid[4];        /* range of x, range of y */
    const double *momenta; /* of the orbits, or null */
    chaos_kind indicator;
    int panels;
    const char *panel[SECTION_PANELS]; /* overrides, separated by blanks */
    const double *xrange, *yrange;     /* 2 numbers, or null */
} section_plan;

/* What is asked of `liestep ensemble`: the mapping `ensemble`, read. */
enum { ENSEMBLE_DISPERSED = 16, ENSEMBLE_WATCHED = 12, ENSEMBLE_PERCENTILES = 5 };
typedef enum dispersion_kind { DISPERSION_NORMAL, DISPERSION_UNIFORM, DISPERSION_LIST } dispersion_kind;
typedef struct dispersion {
    int key, index; /* of the list, from 0; -1: the key is a number */
    dispersion_kind kind;
    double a, b;      /* mean and deviation, or low and high */
    const char *list; /* numbers separated by blanks */
    int count;
} dispersion;
typedef struct ensemble_plan {
    long long trajectories;
    unsigned long long seed;
    int dispersed;
    dispersion dispersion[ENSEMBLE_DISPERSED];
    int watched; /* 0: none is given; `liestep ensemble` needs some, and some dispersed values */
    const char *watch_text[ENSEMBLE_WATCHED];
    expression watch[ENSEMBLE_WATCHED];
    double percentile[ENSEMBLE_PERCENTILES]; /* ascending */
    int bins;
    const char *statistics, *histogram; /* file names, or null */
} ensemble_plan;

/* Everything a run needs, with all defaults filled in. All it points to belongs to `store`. */
typedef struct scenario {
    lie_system system;
    const char *group;      /* its name, as systems.def has it */
    const char *retraction; /* its name; of a product: that of the attitude */
    lie_state start;
    lie_options options; /* method, retraction and tableau are set; pass them on as they are */
    const char *chosen;  /* why `auto` has taken the method; null: it was named */
    double step;         /* h, s; not 0, negative to go back in time */
    double tolerance;    /* of step control between the states, which are `step` apart; 0: steps of that length */
    long long steps;     /* how many, at least 1 */
    const double *u;     /* constant control, system.controls values, or null */
    struct {
        const char *directory;                     /* "." */
        long long every;                           /* steps between records, at least 1 */
        const char *csv, *npy, *hdf5, *aem, *plot; /* file names inside the directory, or null */
        const char *object, *epoch;                /* for aem, never null then: OBJECT_NAME, start epoch (UTC) */
    } output;
    double checkpoint_seconds;   /* wall time between checkpoints; 0: none but at the end of an interrupted run */
    const char *checkpoint;      /* file name inside the directory; null: none */
    const section_plan *section; /* null: the scenario has no such mapping */
    const ensemble_plan *ensemble;
    struct {
        int given;
        double g[LIE_SIZE_MAX], xi[LIE_DIM_MAX];
        int starts;
        int free_pose[LIE_DIM_MAX], free_velocity[LIE_DIM_MAX];             /* flags of the end */
        int free_start_pose[LIE_DIM_MAX], free_start_velocity[LIE_DIM_MAX]; /* and of the start */
        lie_actuation inputs;                                               /* of the system: base is set */
        int wheels, empties; /* how many; their momenta at the end are given */
        int wants_wheels;    /* momenta of wheels are given: `control` then wants axes */
        double stored[LIE_CONTROL_WHEELS], left[LIE_CONTROL_WHEELS];
        double shortest, longest, time_weight; /* 0: the duration is given */
        double weight[LIE_ACTUATORS_MAX], fuel[LIE_ACTUATORS_MAX];
        int has_weight, has_fuel;
    } target; /* for liestep control */
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
/* The same file with other overrides. With `problem` (SCENARIO_PROBLEM bytes) nothing is printed and the first error
 * goes there; then it may be called by several threads at once. */
enum { SCENARIO_PROBLEM = 600 };
cli_exit scenario_variant(scenario *out, const scenario *base, int overrides, char **override, char *problem);
/* For commands that know steps of one length only: EXIT_SCENARIO, and said, where the scenario has a tolerance. */
cli_exit scenario_refuse_tolerance(const scenario *s, const char *command);
/* `base` with other numbers, without reading the file again: each change is all numbers of one key (key_id). What it
 * makes is what scenario_variant makes of "KEY=[...]"; it needs base as long as it lives. EXIT_SCENARIO where the
 * numbers make no scenario, nothing is printed. May be called by several threads at once. */
typedef struct scenario_change {
    int key, count;
    const double *number;
} scenario_change;
cli_exit scenario_vary(scenario *out, const scenario *base, int changes, const scenario_change *change);
/* Also of one that could not be read, or of zeros. */
void scenario_free(scenario *s);

/* A system that a scenario may name, as systems.def tells. */
typedef struct scenario_system {
    const char *name, *groups;
    int dim, inertia_dim;
    const char *what, *equation, *inertia;
    const struct scenario_parameter *parameters; /* behind the last a key NO_KEY */
} scenario_system;
/* The i-th one and its name; null beyond the last. */
const scenario_system *scenario_system_at(int i);
const char *scenario_system_name(int i);

/* A commented scenario with all keys, their defaults and units, for `liestep run --print-defaults`; and all keys as
 * Markdown tables for docs/SCENARIOS.md. Both come from the one list of keys. */
void scenario_print_defaults(FILE *out);
void scenario_print_keys(FILE *out);

#endif
