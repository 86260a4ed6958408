/* SPDX-License-Identifier: MIT */
/* json.h: write JSON (RFC 8259) value by value.
 *
 *     json j = {.out = stdout};
 *     json_open(&j, NULL, '{');
 *     json_text(&j, "name", "sv");
 *     json_open(&j, "errors", '[');
 *     json_number(&j, NULL, 0.1);
 *     json_close(&j);
 *     json_close(&j);                  the outermost close ends the line
 *
 * A member of an object has a key, an entry of an array has none. Indented by two spaces; arrays of numbers opened with
 * json_row stay on one line. */
#ifndef LIESTEP_CLI_JSON_H
#define LIESTEP_CLI_JSON_H

#include <stdio.h>

enum { JSON_DEPTH_MAX = 16 };

typedef struct json {
    FILE *out;
    int depth;
    char bracket[JSON_DEPTH_MAX]; /* '{' or '[' of each level, '(' for a row */
    int filled[JSON_DEPTH_MAX];   /* the level has a value */
} json;

void json_open(json *j, const char *key, char bracket); /* '{' or '[' */
void json_row(json *j, const char *key);                /* an array on one line */
void json_close(json *j);

/* Text is UTF-8: what is not becomes U+FFFD. A null text is null. */
void json_text(json *j, const char *key, const char *text);
void json_integer(json *j, const char *key, long long value);
void json_flag(json *j, const char *key, int value); /* true or false */
/* With as many digits as it takes to read back the same double; null for NaN and infinities. */
void json_number(json *j, const char *key, double value);
void json_numbers(json *j, const char *key, int n, const double *values);

/* The shortest decimal of up to 17 digits that reads back as `value`; buffer of JSON_NUMBER chars. Answers buffer. */
enum { JSON_NUMBER = 32 };
char *json_shortest(char *buffer, double value);

#endif
