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

#include "cli/base/file.h"
#include "cli/scenario/scenario.h"

/* The blocks of a row of a run; other tables have blocks of their own. */
typedef enum block { BLOCK_TIME, BLOCK_ELEMENT, BLOCK_VELOCITY, BLOCK_MOMENTUM, BLOCK_ENERGY, BLOCK_SPATIAL } block;
enum { BLOCKS = 6, BLOCKS_MAX = 16, COLUMNS_MAX = 32 + LIE_SIZE_MAX + 3 * LIE_DIM_MAX, COLUMN_NAME = 16, TITLE = 256 };

typedef struct table {
    const scenario *from;
    const lie_ops *group; /* with the retraction of the run */
    const char *method;   /* its name */
    long long every;      /* steps between records */
    long long records;    /* of the whole run */
    char title[TITLE];    /* "heavy_top on S3, sv with cay, h = 0.01 s": what was computed */
    int columns, blocks;
    int start[BLOCKS_MAX + 1];           /* of each block; the last one is the number of columns */
    const char *block_name[BLOCKS_MAX];  /* "t", "g", "velocity", ... */
    int is_list[BLOCKS_MAX];             /* 0: a block of one number */
    char name[COLUMNS_MAX][COLUMN_NAME]; /* of each column, "q0", "w1", "J3" */
    const char *unit[COLUMNS_MAX];       /* "rad/s"; "1" for a pure number, "" if it is not known */
    int conserved[COLUMNS_MAX];          /* by column: 1 where the system conserves it (energy and J) */
} table;

/* Sizes and names; the stepper tells group and method. */
void table_init(table *t, const scenario *s, const lie_stepper *st);
int table_block_size(const table *t, int b);
/* Append a block without columns, then columns to it, each with its name and unit; for other tables than that of a
 * run. */
void table_add_block(table *t, const char *name, int is_list);
void table_add_column(table *t, const char *name, const char *unit);
/* Append the numbers of a group element, or of a body momentum. */
void table_add_element(table *t);
void table_add_momentum(table *t);
/* Spatial momentum of a body momentum, Ad*_{g^-1} m; angular about the origin also where attitude and position are
 * factors of a product, (R m_1 + x x m_2, m_2). The same for a force. */
void table_spatial(const table *t, double *out, const double *g, const double *m);
/* Fill a row. Status: that of lie_state_velocity. */
lie_status table_row(const table *t, double *row, const lie_state *s);
/* Where the attitude of a row is, as a unit quaternion; 0 if the group has none. */
int table_attitude(const table *t, double q[4], const double *row);

/* An output that grows with the run. */
typedef struct output output;
typedef struct output_kind {
    const char *name;                  /* "csv" */
    cli_exit (*check)(const table *t); /* can this run be written so? null: always */
    cli_exit (*head)(output *o);       /* at the start */
    cli_exit (*row)(output *o, const double *row);
    cli_exit (*tail)(output *o); /* the last bytes; null: none */
    /* at the end, what the head could not know: how many records there were, time of the last; null: nothing */
    cli_exit (*patch)(output *o, long long records, double last);
} output_kind;
struct output {
    const output_kind *kind;
    const table *table;
    file file;
};
extern const output_kind output_csv, output_npy, output_aem;

/* Rows first, first + 1, ... of an NPY output, which must be flushed. */
cli_exit output_npy_rows(const output *o, long long first, int rows, double *values);

/* Outputs made at the end from `records` rows of an NPY output, in a file that was claimed. */
cli_exit output_hdf5_check(const table *t);
cli_exit output_hdf5_make(const table *t, file *f, const output *rows, long long records);
/* A picture that gnuplot could not make is a warning, and *made = 0. */
typedef cli_exit plot_maker(void *ctx, const table *t, file *f, const output *rows, long long records, int *made);
plot_maker plot_make;

#endif
