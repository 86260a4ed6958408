/* SPDX-License-Identifier: MIT */
/* canvas.c: see canvas.h. The share of a pixel that a disc covers is taken to be linear in the distance of their
 * centres within half a pixel of the edge.
 *
 * Dots on white paper are runs of equal bytes: zlib's strategy for those makes a file as small as its default does, in
 * a third of the time. */
#include "cli/base/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef LIE_HAVE_PNG
#include <png.h>
#include <zlib.h>
#endif

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

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

void canvas_dot(canvas *c, const canvas_window *w, double x, double y, double radius, unsigned colour)
{
    if (!(x > -2.0 && x < w->width + 2.0 && y > -2.0 && y < w->height + 2.0)) return;
    double reach = radius + 0.5;
    x += w->left;
    y = w->top + w->height - y;
    int left = larger((int)floor(x - reach), w->left), right = smaller((int)ceil(x + reach), w->left + w->width);
    int top = larger((int)floor(y - reach), w->top), bottom = smaller((int)ceil(y + reach), w->top + w->height);
    for (int j = top; j < bottom; j++)
        for (int i = left; i < right; i++) {
            double dx = i + 0.5 - x, dy = j + 0.5 - y, square = dx * dx + dy * dy;
            if (square >= reach * reach) continue;
            mix(c->rgb + 3 * ((size_t)j * (size_t)c->width + (size_t)i), fmin(reach - sqrt(square), 1.0), colour);
        }
}

#ifdef LIE_HAVE_PNG
int canvas_is_there(void)
{
    return 1;
}

int canvas_read(canvas *c, const void *png, size_t bytes)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    *c = (canvas){0, 0, 0};
    if (!png_image_begin_read_from_memory(&image, png, bytes)) return 0;
    image.format = PNG_FORMAT_RGB;
    c->rgb = (unsigned char *)malloc(PNG_IMAGE_SIZE(image));
    if (!c->rgb || !png_image_finish_read(&image, 0, c->rgb, 0, 0)) {
        png_image_free(&image);
        canvas_end(c);
        return 0;
    }
    c->width = (int)image.width, c->height = (int)image.height;
    return 1;
}

/* A PNG that grows. */
typedef struct growing {
    unsigned char *bytes;
    size_t count, room;
} growing;

static void append(png_structp png, png_bytep bytes, size_t n)
{
    growing *g = (growing *)png_get_io_ptr(png);
    if (n > g->room - g->count) {
        size_t room = 2 * g->room + n + 65536;
        unsigned char *more = (unsigned char *)realloc(g->bytes, room);
        if (!more) png_error(png, "there is not enough memory");
        g->bytes = more, g->room = room;
    }
    memcpy(g->bytes + g->count, bytes, n);
    g->count += n;
}

static void no_flush(png_structp png)
{
    (void)png;
}

static void no_words(png_structp png, png_const_charp words)
{
    (void)png, (void)words;
}

/* Answers 0 if there is not enough memory: libpng jumps back then. */
static int write_png(const canvas *c, growing *to)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, 0, 0, no_words);
    png_infop info = png ? png_create_info_struct(png) : 0;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    png_set_write_fn(png, to, append, no_flush);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_strategy(png, Z_RLE);
    png_set_IHDR(png, info, (png_uint_32)c->width, (png_uint_32)c->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int j = 0; j < c->height; j++) png_write_row(png, c->rgb + 3 * (size_t)j * (size_t)c->width);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return 1;
}

void *canvas_png(const canvas *c, size_t *bytes)
{
    growing to = {0, 0, 0};
    int is_whole = write_png(c, &to);
    *bytes = to.count;
    if (is_whole) return to.bytes;
    free(to.bytes);
    return 0;
}
#else
int canvas_is_there(void)
{
    return 0;
}

int canvas_read(canvas *c, const void *png, size_t bytes)
{
    (void)c, (void)png, (void)bytes;
    return 0;
}

void *canvas_png(const canvas *c, size_t *bytes)
{
    (void)c, (void)bytes;
    return 0;
}
#endif
