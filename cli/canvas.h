/* SPDX-License-Identifier: MIT */
/* canvas.h: many dots as pixels. gnuplot takes five microseconds for each dot, which is longer than it takes to compute
 * one; an image of them it takes in one piece. */
#ifndef LIESTEP_CLI_CANVAS_H
#define LIESTEP_CLI_CANVAS_H

#include <stdio.h>

typedef struct canvas {
    int width, height;
    unsigned char *rgb; /* of every pixel, from the lower left, row by row upwards */
} canvas;

/* White. 0: there is not enough memory. */
int canvas_begin(canvas *c, int width, int height);
void canvas_clear(canvas *c);
void canvas_end(canvas *c);

/* A disc about (x, y), pixels from the lower left corner, radius <= 2, colour 0xRRGGBB; pixels on its edge are mixed
 * with what is there. Dots that come later lie above. What lies outside is left out. */
void canvas_dot(canvas *c, double x, double y, double radius, unsigned colour);

/* All its bytes. 0: they cannot be written. */
int canvas_write(const canvas *c, FILE *to);

#endif
