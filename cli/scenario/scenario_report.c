/* SPDX-License-Identifier: MIT */
/* scenario_report.c: messages about a scenario: where, which key, what is wrong. Text from outside is shown without its
 * control characters. After ten messages the rest is only counted. */
#include <stdarg.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

enum { MESSAGES_MAX = 10, WHERE_MAX = 400, SENTENCE_MAX = 1000 };

shown show(const char *text)
{
    shown s;
    size_t room = 40, n = strlen(text);
    size_t take = n <= room ? n : room - 3;
    for (size_t i = 0; i < take; i++) s.text[i] = (char)(text[i] < ' ' || text[i] > '~' ? '?' : text[i]);
    memcpy(s.text + take, n <= room ? "" : "...", n <= room ? 1 : 4);
    return s;
}

void list_add(listed *l, const char *format, ...)
{
    size_t used = strlen(l->text);
    va_list arguments;
    if (used > 0 && used + 3 < sizeof l->text) used += (size_t)snprintf(l->text + used, 3, ", ");
    va_start(arguments, format);
    vsnprintf(l->text + used, sizeof l->text - used, format, arguments);
    va_end(arguments);
}

/* "FILE:LINE: KEY" or "-s OVERRIDE: KEY" */
static void where(char out[WHERE_MAX], const reading *r, key_origin origin, const char *key)
{
    const char *colon = key ? ": " : "";
    if (!key) key = "";
    if (origin.override)
        snprintf(out, WHERE_MAX, "-s %s%s%s", show(origin.override).text, colon, show(key).text);
    else
        snprintf(out, WHERE_MAX, "%.300s:%d%s%s", r->name, origin.line > 0 ? origin.line : 1, colon, show(key).text);
}

/* Where the key was given, or else the mapping it would be in, or else the file. */
static key_origin origin_of(const reading *r, key_id key)
{
    key_id at = key;
    while (at != NO_KEY && r->origin[at].line == 0) at = scenario_keys[at].parent;
    return at != NO_KEY ? r->origin[at] : (key_origin){NULL, 1};
}

static void report(reading *r, const char *place, const char *format, va_list arguments)
{
    char sentence[SENTENCE_MAX];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    r->errors++;
    if (r->problem && r->errors == 1)
        snprintf(r->problem, SCENARIO_PROBLEM, "%.180s: %.400s", place, sentence);
    else if (r->problem)
        return;
    else if (r->errors <= MESSAGES_MAX)
        cli_error("%s: %s", place, sentence);
    else if (r->errors == MESSAGES_MAX + 1)
        cli_error("%.300s: there are more errors; mend these first", r->name);
}

void complain_at(reading *r, int line, const char *key, const char *format, ...)
{
    char place[WHERE_MAX];
    va_list arguments;
    where(place, r, (key_origin){r->override, line}, key);
    va_start(arguments, format);
    report(r, place, format, arguments);
    va_end(arguments);
}

void complain(reading *r, key_id key, const char *format, ...)
{
    char place[WHERE_MAX];
    va_list arguments;
    where(place, r, origin_of(r, key), scenario_keys[key].path);
    va_start(arguments, format);
    report(r, place, format, arguments);
    va_end(arguments);
}

void caution(reading *r, key_id key, const char *format, ...)
{
    char place[WHERE_MAX], sentence[SENTENCE_MAX];
    va_list arguments;
    where(place, r, origin_of(r, key), scenario_keys[key].path);
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!r->problem) cli_warning("%s: %s", place, sentence);
}
