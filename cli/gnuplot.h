/* SPDX-License-Identifier: MIT */
/* gnuplot.h: a picture drawn by gnuplot, whole or not at all.
 *
 * gnuplot reads script and data from a pipe and writes the picture to the open file: no text of the user reaches a
 * shell. */
#ifndef LIESTEP_CLI_GNUPLOT_H
#define LIESTEP_CLI_GNUPLOT_H

#include "file.h"

/* "svg" or "pngcairo", by the name */
const char *gnuplot_terminal(const char *name);

/* Draw NAME in the folder; `script` writes the commands. *made: the picture is there. EXIT_FINE without one if gnuplot
 * is missing or fails: a warning says so. */
typedef cli_exit gnuplot_script(FILE *out, void *ctx, const char *name);
cli_exit gnuplot_draw(const folder *d, const char *name, gnuplot_script *script, void *ctx, int *made);

#endif
