/* SPDX-License-Identifier: MIT */
/* scenario_print.c: what there is to write in a scenario, from the list of keys: as a scenario to start from, and as
 * the tables of docs/SCENARIOS.md. */
#include <string.h>

#include "cli/scenario/scenario_reading.h"

/* The systems that have a key: "" if all do, "all but particle", "heavy_top, turntable". */
static listed systems_of(key_id key)
{
    listed names = {""}, all_but = {""};
    int without = 0, with = 0;
    for (int i = 0; scenario_system_name(i); i++) {
        listed *list = system_has(i, key) ? &names : &all_but;
        *(list == &names ? &with : &without) += 1;
        list_add(list, "%s", scenario_system_name(i));
    }
    if (without > 1) return names;
    names.text[0] = '\0';
    if (without == 1) list_add(&names, "all but %s", all_but.text);
    return names;
}

/* "kg (heavy_top, turntable)", as far as there is something to say */
static listed unit_and_systems(key_id key)
{
    const char *unit = scenario_keys[key].unit;
    listed names = systems_of(key), text = {""};
    if (strncmp(names.text, "all but", 7) == 0) names.text[0] = '\0';
    snprintf(text.text, sizeof text.text, "%s%s%s%.400s%s", unit, *unit && *names.text ? " " : "",
             *names.text ? "(" : "", names.text, *names.text ? ")" : "");
    return text;
}

/* A comment behind a value, broken into lines of at most 118 columns. */
static void print_comment(FILE *out, int column, const char *first, const char *rest)
{
    char text[700];
    snprintf(text, sizeof text, "%s%s%s", first, *first && *rest ? ": " : "", rest);
    const char *word = text;
    int at = column;
    fputc('#', out);
    while (*word) {
        int length = (int)strcspn(word, " ");
        if (at + 2 + length > 118) {
            fprintf(out, "\n%*s#", column, "");
            at = column;
        }
        fprintf(out, " %.*s", length, word);
        at += 1 + length;
        word += length + (word[length] == ' ');
    }
    fputc('\n', out);
}

/* Is it written without a # in front? */
static bool is_live(const scenario_key *key)
{
    bool parent = key->parent == NO_KEY || (scenario_keys[key->parent].flags & SHOWN);
    return parent && (key->flags & SHOWN);
}

static void print_default(FILE *out, key_id id)
{
    const scenario_key *key = &scenario_keys[id];
    enum { COLUMN = 40 };
    char line[200];
    int n = snprintf(line, sizeof line, "%s%s%s: %s", is_live(key) ? "" : "# ", key->parent == NO_KEY ? "" : "  ",
                     key->name, key->example);
    fputs(line, out);
    if (n + 1 > COLUMN) {
        fputs("\n", out);
        n = 0;
    }
    fprintf(out, "%*s", COLUMN - n, "");
    print_comment(out, COLUMN, unit_and_systems(id).text, key->meaning);
}

void scenario_print_defaults(FILE *out)
{
    fputs(
        "# A scenario for liestep: `liestep run FILE`. Here a heavy top; all keys there are, those not in use behind "
        "a\n"
        "# '#': alternatives, or for other systems. Behind each value its unit, the systems that have the key if not\n"
        "# all do, and its meaning. SI units; the body frame unless it says otherwise.\n",
        out);
    bool before = false; /* was the last one inside a mapping? */
    for (int k = 0; k < KEYS; k++) {
        bool inside = scenario_keys[k].parent != NO_KEY;
        if (scenario_keys[k].kind == MAPPING || (before && !inside)) fputs("\n", out);
        print_default(out, (key_id)k);
        before = inside;
    }
}

static const char *type_of(const scenario_key *key, listed *room)
{
    switch (key->kind) {
    case MAPPING:
        return "mapping";
    case NUMBER:
        return "number";
    case COUNT:
        return "whole number";
    case FLAG:
        return "true or false";
    case TEXT:
        return "text";
    case TEXTS:
        return "list of texts";
    case ROWS:
        return "numbers";
    case PLACES:
        return "list of `{at: [x, y, z], along: [x, y, z]}`";
    case NUMBERS:
        break;
    }
    if (key->size <= 0) return "numbers";
    room->text[0] = '\0';
    list_add(room, "%d numbers", key->size);
    return room->text;
}

/* Cells of a Markdown table: '|' and '<' would end or hide something. */
static void print_cell(FILE *out, const char *text)
{
    fputc(' ', out);
    for (; *text; text++) {
        if (*text == '|' || *text == '<' || *text == '*' || *text == '_') fputc('\\', out);
        fputc(*text, out);
    }
    fputs(" |", out);
}

static void print_row(FILE *out, key_id id)
{
    const scenario_key *key = &scenario_keys[id];
    listed room;
    fprintf(out, "| `%s` | %s |", key->path, type_of(key, &room));
    print_cell(out, key->unit);
    print_cell(out, key->flags & REQUIRED ? "required" : key->fallback);
    print_cell(out, systems_of(id).text);
    print_cell(out, key->meaning);
    fputs("\n", out);
}

static void print_table(FILE *out, key_id parent, const char *title)
{
    fprintf(out,
            "%s## %s\n\n| key | type | unit | default | systems | meaning |\n| --- | --- | --- | --- | --- | --- |\n",
            parent == NO_KEY ? "" : "\n", title);
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == parent) print_row(out, (key_id)k);
}

void scenario_print_keys(FILE *out)
{
    print_table(out, NO_KEY, "Top level");
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].kind == MAPPING) {
            listed title = {""};
            list_add(&title, "%s: %s", scenario_keys[k].name, scenario_keys[k].meaning);
            print_table(out, (key_id)k, title.text);
        }
}
