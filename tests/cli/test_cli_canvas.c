/* SPDX-License-Identifier: MIT */
/* Dots painted into a PNG: where they are, what they cover, what they leave alone; and the PNG itself. */
#include "cli/base/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "unity.h"

enum { WIDTH = 40, HEIGHT = 30 };

static unsigned char pixels[3 * WIDTH * HEIGHT];
static const canvas_window window = {10, 5, 20, 15};

static canvas white(void)
{
    memset(pixels, 255, sizeof pixels);
    return (canvas){WIDTH, HEIGHT, pixels};
}

static unsigned at(int column, int line)
{
    const unsigned char *p = pixels + 3 * (line * WIDTH + column);
    return (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2];
}

static int coloured(void)
{
    int n = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) n += at(i % WIDTH, i / WIDTH) != 0xFFFFFF;
    return n;
}

/* the middle of the pixel that is 3 from the left and 4 from below */
void test_canvas_dot_is_counted_from_the_lower_left_of_the_window(void)
{
    canvas c = white();
    canvas_dot(&c, &window, 3.5, 4.5, 0.5, 0x123456);
    TEST_ASSERT_EQUAL_HEX(0x123456, at(10 + 3, 5 + 15 - 1 - 4));
    TEST_ASSERT_EQUAL_INT(1, coloured());
}

void test_canvas_edge_of_a_dot_is_mixed(void)
{
    canvas c = white();
    canvas_dot(&c, &window, 10.5, 7.5, 1.0, 0x000000);
    TEST_ASSERT_EQUAL_HEX(0x000000, at(20, 12));
    TEST_ASSERT_EQUAL_HEX(0x808080, at(21, 12)); /* half of it */
    TEST_ASSERT_EQUAL_HEX(at(19, 12), at(20, 13));
    TEST_ASSERT_EQUAL_INT(9, coloured());
    canvas_dot(&c, &window, 10.5, 7.5, 0.5, 0x00FF00);
    TEST_ASSERT_EQUAL_HEX(0x00FF00, at(20, 12));
}

void test_canvas_dots_stay_inside_the_window(void)
{
    canvas c = white();
    for (int i = -30; i < 500; i++)
        for (int j = -30; j < 500; j++) canvas_dot(&c, &window, 0.1 * i, 0.1 * j, 2.0, 0);
    TEST_ASSERT_EQUAL_INT(window.width * window.height, coloured());
    TEST_ASSERT_EQUAL_HEX(0, at(10, 5));
    TEST_ASSERT_EQUAL_HEX(0, at(29, 19));
}

void test_canvas_what_is_no_place_paints_nothing(void)
{
    static const double wrong[] = {-1e300, 1e300, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
    canvas c = white();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        canvas_dot(&c, &window, wrong[i], 5.0, 1.0, 0);
        canvas_dot(&c, &window, 5.0, wrong[i], 1.0, 0);
    }
    TEST_ASSERT_EQUAL_INT(0, coloured());
}

void test_canvas_png_reads_back_the_same(void)
{
    canvas c = white(), read;
    size_t n;
    if (!canvas_is_there()) TEST_IGNORE_MESSAGE("there is no libpng");
    for (int i = 0; i < WIDTH; i++) canvas_dot(&c, &window, 0.5 * i, 0.3 * i, 1.0, 0x010203u * (unsigned)i);
    void *png = canvas_png(&c, &n);
    TEST_ASSERT_NOT_NULL(png);
    TEST_ASSERT_TRUE(canvas_read(&read, png, n));
    TEST_ASSERT_EQUAL_INT(WIDTH, read.width);
    TEST_ASSERT_EQUAL_INT(HEIGHT, read.height);
    TEST_ASSERT_EQUAL_MEMORY(pixels, read.rgb, sizeof pixels);
    canvas_end(&read);
    free(png);
}

void test_canvas_what_is_no_png_is_refused(void)
{
    canvas c = white(), read;
    size_t n;
    if (!canvas_is_there()) TEST_IGNORE_MESSAGE("there is no libpng");
    unsigned char *png = (unsigned char *)canvas_png(&c, &n);
    TEST_ASSERT_NOT_NULL(png);
    TEST_ASSERT_FALSE(canvas_read(&read, "gnuplot: no", 11));
    TEST_ASSERT_NULL(read.rgb);
    TEST_ASSERT_FALSE(canvas_read(&read, png, n / 2));
    TEST_ASSERT_NULL(read.rgb);
    free(png);
}
