/* SPDX-License-Identifier: MIT */
/* gnuplot.h: pictures through gnuplot. It reads script and data from a pipe and writes the picture to the open file: no
 * text of the user reaches a shell. */
#ifndef LIESTEP_CLI_GNUPLOT_H
#define LIESTEP_CLI_GNUPLOT_H

#include "file.h"

/* Writes script and data for a picture of that name. */
typedef cli_exit gnuplot_script(FILE *out, const char *name, void *ctx);

/* "pngcairo" or "svg", by the end of the name. */
const char *gnuplot_terminal(const char *name);

/* Make the picture NAME in a folder. One that gnuplot could not make is a warning, and *made = 0. */
cli_exit gnuplot_draw(const folder *d, const char *name, gnuplot_script *script, void *ctx, int *made);

#endif
