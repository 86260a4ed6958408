/* SPDX-License-Identifier: MIT */
/* The JSON writer of the program: escapes, numbers that read back the same, nesting. */
#include "cli/base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unity.h"

static char written[4096];

static json begin(void)
{
    FILE *file = tmpfile();
    TEST_ASSERT_NOT_NULL(file);
    return (json){.out = file};
}

static const char *end(json *j)
{
    rewind(j->out);
    size_t n = fread(written, 1, sizeof written - 1, j->out);
    written[n] = '\0';
    fclose(j->out);
    TEST_ASSERT_EQUAL_INT(0, j->depth);
    return written;
}

static const char *text(const char *value)
{
    json j = begin();
    json_text(&j, NULL, value);
    return end(&j);
}

void test_json_nests_with_commas_and_indentation(void)
{
    json j = begin();
    json_open(&j, NULL, '{');
    json_text(&j, "name", "sv");
    json_open(&j, "list", '[');
    json_integer(&j, NULL, -3);
    json_open(&j, NULL, '{');
    json_close(&j);
    json_close(&j);
    json_numbers(&j, "row", 3, (double[]){1.0, -0.5, 1e300});
    json_flag(&j, "yes", 2);
    json_flag(&j, "no", 0);
    json_close(&j);
    TEST_ASSERT_EQUAL_STRING("{\n  \"name\": \"sv\",\n  \"list\": [\n    -3,\n    {}\n  ],\n"
                             "  \"row\": [1, -0.5, 1e+300],\n  \"yes\": true,\n  \"no\": false\n}\n",
                             end(&j));
}

void test_json_text_escapes_what_json_must(void)
{
    TEST_ASSERT_EQUAL_STRING("\"a\\\"b\\\\c/d\"", text("a\"b\\c/d"));
    TEST_ASSERT_EQUAL_STRING("\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"", text("\b\f\n\r\t\x01\x1f\x7f"));
    TEST_ASSERT_EQUAL_STRING("\"\"", text(""));
    TEST_ASSERT_EQUAL_STRING("null", text(NULL));
}

void test_json_text_passes_utf8_and_mends_the_rest(void)
{
    TEST_ASSERT_EQUAL_STRING("\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
                             text("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"));
    TEST_ASSERT_EQUAL_STRING("\"\\ufffdx\"", text("\xffx"));
    TEST_ASSERT_EQUAL_STRING("\"\\ufffd\"", text("\xc3"));                                  /* cut off */
    TEST_ASSERT_EQUAL_STRING("\"\\ufffd\\ufffd\"", text("\xc0\x80"));                       /* overlong */
    TEST_ASSERT_EQUAL_STRING("\"\\ufffd\\ufffd\\ufffd\"", text("\xe0\x9f\xbf"));            /* overlong */
    TEST_ASSERT_EQUAL_STRING("\"\\ufffd\\ufffd\\ufffd\"", text("\xed\xa0\x80"));            /* surrogate */
    TEST_ASSERT_EQUAL_STRING("\"\\ufffd\\ufffd\\ufffd\\ufffd\"", text("\xf4\x90\x80\x80")); /* beyond U+10FFFF */
}

void test_json_numbers_read_back_the_same(void)
{
    static const double values[] = {0.1,    1.0 / 3.0, 2.5e-310, 1.7976931348623157e308, 5e-324,
                                    -123.0, 1e22,      1e23,     0.30000000000000004,    4503599627370497.5};
    char buffer[JSON_NUMBER];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        TEST_ASSERT_TRUE(strtod(json_shortest(buffer, values[i]), NULL) == values[i]);
    TEST_ASSERT_EQUAL_STRING("0.1", json_shortest(buffer, 0.1));
    TEST_ASSERT_EQUAL_STRING("0.30000000000000004", json_shortest(buffer, 0.1 + 0.2));
}

void test_json_has_no_word_for_nan(void)
{
    json j = begin();
    json_numbers(&j, NULL, 3, (double[]){(double)NAN, HUGE_VAL, -HUGE_VAL});
    TEST_ASSERT_EQUAL_STRING("[null, null, null]\n", end(&j));
}
