/* SPDX-License-Identifier: MIT */
/* outputs.h: all files of a run together. Every function prints what went wrong and answers an exit code. */
#ifndef LIESTEP_CLI_OUTPUTS_H
#define LIESTEP_CLI_OUTPUTS_H

#include "checkpoint.h"
#include "output.h"

typedef enum stream { STREAM_CSV, STREAM_AEM, STREAM_ROWS } stream;
enum { STREAMS = 3 };

typedef struct outputs {
    const folder *in;
    const table *table;
    const char *hdf5, *plot; /* names, or null */
    char rows[FILE_NAME];    /* of the NPY file */
    int hidden;              /* the NPY file is for HDF5 and plot only, and removed in the end */
    int gone;                /* it has been removed already */
    int plotted;
    cli_exit (*read)(void *ctx, const output *rows, long long records); /* reads all rows in the end, or null */
    plot_maker *draw;                                                   /* plot_make, unless set otherwise */
    void *ctx;                                                          /* of both */
    output *stream[STREAMS];                                            /* or null */
} outputs;

/* Which files this scenario asks for; are names and contents possible? Nothing is written. With `always_rows` there
 * is a hidden file of rows whatever is asked for. */
cli_exit outputs_init(outputs *o, const table *t, const folder *d, int no_plot, int always_rows);
/* Begin them all. */
cli_exit outputs_create(outputs *o);
/* Go on with them as a checkpoint says. EXIT_FAILED: they are not as it says. */
cli_exit outputs_resume(outputs *o, const checkpoint *c);
cli_exit outputs_row(outputs *o, const double *row);
/* Wait until the disk has it all, and note how far it goes. */
cli_exit outputs_sync(outputs *o, checkpoint *c);
/* Their last bytes. */
cli_exit outputs_tail(outputs *o, long long records, double last);
/* Make HDF5 and plot, and give every file its name. */
cli_exit outputs_commit(outputs *o, long long records);
/* What is there: "  wrote    out/run.csv (1.2 MB)", or the .part files of a run that did not end. */
void outputs_print(const outputs *o);
void outputs_print_parts(const outputs *o);
/* Close what is open, remove the hidden file if it is of no use any more. */
void outputs_close(outputs *o, int remove_hidden);

#endif
