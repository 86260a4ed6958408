/* SPDX-License-Identifier: MIT */
/* gnuplot.h: pictures through gnuplot. It reads its script from a pipe, large data from a temporary file, and writes to
 * another one, which becomes the picture: no text of the user reaches a shell. It may be started early: then it has its
 * fonts when the data are there. */
#ifndef LIESTEP_CLI_GNUPLOT_H
#define LIESTEP_CLI_GNUPLOT_H

#include "cli/base/file.h"

/* Writes script and data for a picture of that name. */
typedef cli_exit gnuplot_script(FILE *out, const char *name, void *ctx);
/* Puts another picture, on the heap as well, in the place of the one that gnuplot made. EXIT_FAILED: it cannot. */
typedef cli_exit gnuplot_retouch(void *ctx, char **bytes, size_t *n);

/* "pngcairo" or "svg", by the end of the name. */
const char *gnuplot_terminal(const char *name);

/* A text in quotes, as gnuplot reads it. */
void gnuplot_text(FILE *out, const char *text);

/* A gnuplot that runs. All zero: none. */
typedef struct gnuplot {
    int pid, error; /* error: why there is none */
    int status;     /* with which it has ended, once pid is 0 */
    FILE *in, *out, *data;
} gnuplot;

/* The name under which scripts find `data`. */
#define GNUPLOT_DATA "/dev/fd/3"

/* Start it; `first`: commands to begin with, or null. If this fails, gnuplot_finish says why. */
void gnuplot_begin(gnuplot *g, const char *first);
/* Make the picture in a file that was claimed. The script may also write to g->data; `retouch` may be null. A picture
 * that gnuplot could not make is a warning, and *made = 0. */
cli_exit gnuplot_finish(gnuplot *g, file *f, gnuplot_script *script, gnuplot_retouch *retouch, void *ctx, int *made);
/* No picture is wanted any more. */
void gnuplot_abandon(gnuplot *g);

/* Begin and finish. */
cli_exit gnuplot_draw(file *f, gnuplot_script *script, void *ctx, int *made);
/* The picture NAME in a folder: claimed, drawn, and put in place. */
cli_exit gnuplot_picture(const folder *d, const char *name, gnuplot_script *script, void *ctx, int *made);

#endif
