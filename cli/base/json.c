/* SPDX-License-Identifier: MIT */
/* json.c: a JSON writer; see json.h. */
#include "cli/base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int level(const json *j)
{
    return j->depth - 1;
}

static void new_line(json *j)
{
    fputc('\n', j->out);
    for (int i = 0; i < j->depth; i++) fputs("  ", j->out);
}

/* The length of the UTF-8 sequence at s (RFC 3629: shortest form, no surrogates, up to U+10FFFF), 0 if it is none. */
static int sequence(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    int n = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return n;
}

/* One character of a string; answers how many bytes it took. */
static int put_character(FILE *out, const unsigned char *s)
{
    static const char special[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    const char *found = strchr(special, s[0]);
    int n = sequence(s);
    if (found)
        fprintf(out, "\\%c", letter[found - special]);
    else if (s[0] < 0x20 || s[0] == 0x7f)
        fprintf(out, "\\u%04x", s[0]);
    else if (n == 0)
        fputs("\\ufffd", out);
    else
        fwrite(s, 1, (size_t)n, out);
    return n ? n : 1;
}

static void put_string(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', out);
    while (*s) s += put_character(out, s);
    fputc('"', out);
}

/* What stands before a value: the comma, the line, the key. */
static void begin(json *j, const char *key)
{
    if (j->depth > 0) {
        int row = j->bracket[level(j)] == '(';
        if (j->filled[level(j)]) fputs(row ? ", " : ",", j->out);
        if (!row) new_line(j);
        j->filled[level(j)] = 1;
    }
    if (!key) return;
    put_string(j->out, key);
    fputs(": ", j->out);
}

static void open_level(json *j, const char *key, char bracket)
{
    begin(j, key);
    fputc(bracket == '{' ? '{' : '[', j->out);
    if (j->depth == JSON_DEPTH_MAX) abort();
    j->bracket[j->depth] = bracket;
    j->filled[j->depth++] = 0;
}

void json_open(json *j, const char *key, char bracket)
{
    open_level(j, key, bracket);
}

void json_row(json *j, const char *key)
{
    open_level(j, key, '(');
}

void json_close(json *j)
{
    int at = --j->depth;
    if (j->filled[at] && j->bracket[at] != '(') new_line(j);
    fputc(j->bracket[at] == '{' ? '}' : ']', j->out);
    if (at == 0) fputc('\n', j->out);
}

void json_text(json *j, const char *key, const char *text)
{
    begin(j, key);
    if (text)
        put_string(j->out, text);
    else
        fputs("null", j->out);
}

void json_integer(json *j, const char *key, long long value)
{
    begin(j, key);
    fprintf(j->out, "%lld", value);
}

void json_flag(json *j, const char *key, int value)
{
    begin(j, key);
    fputs(value ? "true" : "false", j->out);
}

char *json_shortest(char *buffer, double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, JSON_NUMBER, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    return buffer;
}

void json_number(json *j, const char *key, double value)
{
    char buffer[JSON_NUMBER];
    begin(j, key);
    fputs(isfinite(value) ? json_shortest(buffer, value) : "null", j->out);
}

void json_numbers(json *j, const char *key, int n, const double *values)
{
    json_row(j, key);
    for (int i = 0; i < n; i++) json_number(j, NULL, values[i]);
    json_close(j);
}
