/* SPDX-License-Identifier: MIT */
/* outputs.h: all files of a run together. Every function prints what went wrong and answers an exit code. */
#ifndef LIESTEP_CLI_OUTPUTS_H
#define LIESTEP_CLI_OUTPUTS_H

#include "cli/output/checkpoint.h"
#include "cli/output/output.h"

/* Files that grow with the run, and those that are made of its rows at its end. */
typedef enum stream { STREAM_CSV, STREAM_AEM, STREAM_ROWS } stream;
typedef enum derived { MADE_HDF5, MADE_PLOT, MADE_STATISTICS, MADE_HISTOGRAM } derived;
enum { STREAMS = 3, DERIVED = 4 };

typedef struct outputs {
    const folder *in;
    const table *table;
    const char *derive[DERIVED]; /* names, or null */
    char rows[FILE_NAME];        /* of the NPY file */
    int hidden;                  /* the NPY file is for what is derived only, and removed in the end */
    int gone;                    /* it has been removed already: what was derived has its name */
    int begun;                   /* the streams are being written */
    int made[DERIVED];
    int passes;                                                         /* over the rows, by what is derived */
    cli_exit (*read)(void *ctx, const output *rows, long long records); /* reads all rows in the end, or null */
    plot_maker *draw;                                                   /* plot_make, unless set otherwise */
    void *ctx;                                                          /* of both */
    output *stream[STREAMS];                                            /* or null */
    file *derived[DERIVED];                                             /* or null */
} outputs;

/* Which files this scenario asks for; are names and contents possible? Nothing is written. With `always_rows` there
 * is a hidden file of rows whatever is asked for. */
cli_exit outputs_init(outputs *o, const table *t, const folder *d, int no_plot, int always_rows);
/* Take them all for this run: NAME.part of each is there and locked; nothing in them is changed. */
cli_exit outputs_claim(outputs *o);
/* A file that is there already and tells that there was a run; null: none. Of what was claimed. */
const char *outputs_trace(const outputs *o);
/* Begin them all. */
cli_exit outputs_create(outputs *o);
/* Are they as a checkpoint says? Nothing is changed. EXIT_FAILED: they are not. */
cli_exit outputs_check(outputs *o, const checkpoint *c);
/* Go on with them. */
cli_exit outputs_go_on(outputs *o);
cli_exit outputs_row(outputs *o, const double *row);
/* Wait until the disk has it all, and note how far it goes. */
cli_exit outputs_sync(outputs *o, checkpoint *c);
/* Their last bytes; what their heads could not know. */
cli_exit outputs_tail(outputs *o);
cli_exit outputs_patch(outputs *o, long long records, double last);
/* Make what is made of the rows. */
cli_exit outputs_derive(outputs *o, long long records);
/* The file of something that is made of the rows, to be begun; null: it is not wanted. */
file *outputs_file(outputs *o, derived which);
/* Read everything back: is it what was written? The files that have their names already, too. */
cli_exit outputs_seal(outputs *o);
/* Give every file its name, remove the hidden one. */
cli_exit outputs_put(outputs *o);
/* Does every name still lead to the file that was sealed? */
cli_exit outputs_check_placed(const outputs *o);
/* Are all files that grow with the run still there, as NAME.part or with their names, and hold what was written? */
int outputs_are_kept(const outputs *o);
/* How much there is to read for that, and to make what is derived. */
double outputs_bytes(const outputs *o);
/* Remove what was begun: there is nothing in it. */
void outputs_discard(outputs *o);
/* What is there: "  wrote    out/run.csv (1.2 MB)", or the .part files of a run that did not end. */
void outputs_print(const outputs *o);
void outputs_print_parts(const outputs *o);
/* Close what is open. Files that were claimed and not begun are as they were; the hidden one is removed if it is of no
 * use any more. */
void outputs_close(outputs *o, int remove_hidden);

#endif
