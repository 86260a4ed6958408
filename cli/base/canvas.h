/* SPDX-License-Identifier: MIT */
/* canvas.h: many dots in a picture. gnuplot takes five microseconds for each dot, which is longer than it takes to
 * compute one: it draws what is around them, and the dots are painted into its PNG. Needs libpng. */
#ifndef LIESTEP_CLI_CANVAS_H
#define LIESTEP_CLI_CANVAS_H

#include <stddef.h>

typedef struct canvas {
    int width, height;
    unsigned char *rgb; /* of every pixel, from the upper left, row by row downwards */
} canvas;

/* Part of it, pixels; from the upper left. */
typedef struct canvas_window {
    int left, top, width, height;
} canvas_window;

/* 0: the program was built without libpng. */
int canvas_is_there(void);

/* The pixels of a PNG. 0: it is none, or there is not enough memory. */
int canvas_read(canvas *c, const void *png, size_t bytes);
/* As a PNG, on the heap; null: there is not enough memory. */
void *canvas_png(const canvas *c, size_t *bytes);
void canvas_end(canvas *c);

/* A disc about (x, y), pixels from the lower left corner of the window, radius <= 2, colour 0xRRGGBB; pixels on its
 * edge are mixed with what is there. Dots that come later lie above. What lies outside the window is left out. */
void canvas_dot(canvas *c, const canvas_window *w, double x, double y, double radius, unsigned colour);

#endif
