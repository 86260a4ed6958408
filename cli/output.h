/* SPDX-License-Identifier: MIT */
/* output.h: what a run records, and the files made of it.
 *
 * A record is one row of doubles, the same for every output:
 *     t | g (size) | xi, body velocity (dim) | m, body momentum (dim) | energy | J, spatial momentum (dim)
 * Rows are written every `every` steps, the first and the last state included. CSV, AEM and NPY grow with the run; HDF5
 * and the plot are made at its end from the rows of the NPY file (or of a hidden one of the same form), so that all of
 * them come out the same to the byte whether or not the run was interrupted. */
#ifndef LIESTEP_CLI_OUTPUT_H
#define LIESTEP_CLI_OUTPUT_H

#include "file.h"
#include "scenario.h"

/* The blocks of a row. */
typedef enum block { BLOCK_TIME, BLOCK_ELEMENT, BLOCK_VELOCITY, BLOCK_MOMENTUM, BLOCK_ENERGY, BLOCK_SPATIAL } block;
enum { BLOCKS = 6, COLUMNS_MAX = 2 + LIE_SIZE_MAX + 3 * LIE_DIM_MAX, COLUMN_NAME = 16 };

typedef struct table {
    const scenario *from;
    const lie_ops *group; /* with the retraction of the run */
    const char *method;   /* its name */
    long long every;      /* steps between records */
    long long records;    /* of the whole run */
    int columns;
    int start[BLOCKS + 1];      /* of each block; the last one is the number of columns */
    int conserved[COLUMNS_MAX]; /* by column: 1 where the system conserves it (energy and J) */
} table;

/* Sizes and names; the stepper tells group and method. */
void table_init(table *t, const scenario *s, const lie_stepper *st);
const char *table_block_name(block b); /* "t", "g", "velocity", "momentum", "energy", "spatial_momentum" */
int table_block_size(const table *t, block b);
/* The name of a column, "q0", "w1", "J3", and its unit, "rad/s" ("1" for a pure number, "" if it is not known). */
void table_name(char out[COLUMN_NAME], const table *t, int column);
const char *table_unit(const table *t, int column);
/* Spatial momentum of a body momentum, Ad*_{g^-1} m; angular about the origin also where attitude and position are
 * factors of a product, (R m_1 + x x m_2, m_2). The same for a force. */
void table_spatial(const table *t, double *out, const double *g, const double *m);
/* Fill a row. Status: that of lie_state_velocity. */
lie_status table_row(const table *t, double *row, const lie_state *s);
/* Where the attitude of a row is, as a unit quaternion; 0 if the group has none. */
int table_attitude(const table *t, double q[4], const double *row);
/* "heavy_top on S3, sv with cay, h = 0.01 s": what was computed, in words that come from the library */
void table_title(const table *t, char *out, size_t n);

/* An output that grows with the run. */
typedef struct output output;
typedef struct output_kind {
    const char *name;                  /* "csv" */
    cli_exit (*check)(const table *t); /* can this run be written so? null: always */
    cli_exit (*head)(output *o);       /* at the start */
    cli_exit (*row)(output *o, const double *row);
    cli_exit (*tail)(output *o, long long records, double last); /* at the end: how many there were, time of the last */
} output_kind;
struct output {
    const output_kind *kind;
    const table *table;
    file file;
};
extern const output_kind output_csv, output_npy, output_aem;

/* Rows first, first + 1, ... of an NPY output, which must be flushed. */
cli_exit output_npy_rows(const output *o, long long first, int rows, double *values);

/* Outputs made at the end from `records` rows of an NPY output. */
cli_exit output_hdf5_check(const table *t);
cli_exit output_hdf5_make(const table *t, const folder *d, const char *name, const output *rows, long long records);
/* A picture that gnuplot could not make is a warning, and *made = 0. plot_draw: from a script that is written into
 * gnuplot's input; its terminal goes by the end of the file name. */
typedef cli_exit plot_script(FILE *in, void *ctx, const char *name);
cli_exit plot_draw(const folder *d, const char *name, plot_script *script, void *ctx, int *made);
cli_exit plot_make(const table *t, const folder *d, const char *name, const output *rows, long long records, int *made);

#endif
