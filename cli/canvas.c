/* SPDX-License-Identifier: MIT */
/* canvas.c: see canvas.h. The share of a pixel that a disc covers is taken to be linear in the distance of their
 * centres within half a pixel of the edge. */
#include "canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const canvas *c)
{
    return 3 * (size_t)c->width * (size_t)c->height;
}

void canvas_clear(canvas *c)
{
    memset(c->rgb, 255, bytes_of(c));
}

int canvas_begin(canvas *c, int width, int height)
{
    *c = (canvas){width, height, 0};
    c->rgb = (unsigned char *)malloc(bytes_of(c));
    if (!c->rgb) return 0;
    canvas_clear(c);
    return 1;
}

void canvas_end(canvas *c)
{
    free(c->rgb);
    c->rgb = 0;
}

static void mix(unsigned char *pixel, double share, unsigned colour)
{
    for (int i = 0; i < 3; i++) {
        double old = pixel[i], new = colour >> (16 - 8 * i) & 255;
        pixel[i] = (unsigned char)(old + share * (new - old) + 0.5);
    }
}

void canvas_dot(canvas *c, double x, double y, double radius, unsigned colour)
{
    if (!(x > -2.0 && x < c->width + 2.0 && y > -2.0 && y < c->height + 2.0)) return;
    int left = (int)floor(x - radius - 0.5), bottom = (int)floor(y - radius - 0.5);
    int right = (int)ceil(x + radius), top = (int)ceil(y + radius);
    for (int j = bottom < 0 ? 0 : bottom; j <= top && j < c->height; j++)
        for (int i = left < 0 ? 0 : left; i <= right && i < c->width; i++) {
            double dx = i + 0.5 - x, dy = j + 0.5 - y, share = radius + 0.5 - sqrt(dx * dx + dy * dy);
            if (share > 0.0) mix(c->rgb + 3 * ((size_t)j * (size_t)c->width + (size_t)i), fmin(share, 1.0), colour);
        }
}

int canvas_write(const canvas *c, FILE *to)
{
    return fwrite(c->rgb, 1, bytes_of(c), to) == bytes_of(c);
}
