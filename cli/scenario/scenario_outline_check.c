/* SPDX-License-Identifier: MIT */
/* scenario_outline_check.c: an outline against the list of keys: every key known, every value of its type, each
 * complaint on its own line. libcyaml alone would do less: it takes '1x' for 1, 'flase' for true, 0x10 and nan for
 * numbers, and names the line of the mapping for a key that it does not know. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *c)
{
    while (is_digit(*c)) c++;
    return c;
}

/* [+-] digits [. digits] [e [+-] digits], at least one digit before the e */
static bool is_decimal(const char *text)
{
    const char *c = text + (*text == '+' || *text == '-');
    const char *whole = c;
    c = skip_digits(c);
    bool some = c > whole;
    if (*c == '.') {
        const char *fraction = c + 1;
        c = skip_digits(fraction);
        some = some || c > fraction;
    }
    if (some && (*c == 'e' || *c == 'E')) {
        const char *digits = c + 1 + (c[1] == '+' || c[1] == '-');
        c = skip_digits(digits);
        some = c > digits;
    }
    return some && *c == '\0';
}

static bool means_not_finite(const char *text)
{
    static const char *const names[] = {"inf", "infinity", "nan"};
    char word[12] = "";
    const char *c = text + (*text == '+' || *text == '-');
    c += *c == '.';
    for (size_t i = 0; c[i] && i + 1 < sizeof word; i++) word[i] = (char)(c[i] | 32);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(word, names[i]) == 0) return true;
    return false;
}

static bool is_null(const item *n)
{
    static const char *const names[] = {"", "~", "null", "Null", "NULL"};
    for (size_t i = 0; n->kind == ITEM_SCALAR && n->plain && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(n->text, names[i]) == 0) return true;
    return false;
}

typedef struct found {
    char text[64];
} found;

/* What is there instead: 'abc', a list, a mapping */
static found what_is(const item *n)
{
    found f;
    if (n->kind == ITEM_SCALAR)
        snprintf(f.text, sizeof f.text, "%s'%s'", n->plain ? "" : "the text ", show(n->text).text);
    else
        snprintf(f.text, sizeof f.text, "%s", n->kind == ITEM_LIST ? "a list" : "a mapping");
    return f;
}

/* A place for messages: an item, and the key with an entry of its list, "entry 2: ", or nothing. */
typedef struct spot {
    const item *n;
    const char *path;
    char entry[24];
} spot;

static bool check_number(reading *r, const spot *s, double *value)
{
    const item *n = s->n;
    if (n->kind == ITEM_SCALAR && n->plain && means_not_finite(n->text)) {
        complain_at(r, n->line, s->path, "%sexpected a finite number, found %s", s->entry, what_is(n).text);
        return false;
    }
    if (n->kind != ITEM_SCALAR || !n->plain || !is_decimal(n->text)) {
        const char *hint = n->kind == ITEM_SCALAR && !n->plain ? "; remove the quotes" : "";
        complain_at(r, n->line, s->path, "%sexpected a number, found %s%s", s->entry, what_is(n).text, hint);
        return false;
    }
    *value = strtod(n->text, NULL);
    if (isfinite(*value)) return true;
    complain_at(r, n->line, s->path, "%s%s is too large: numbers go up to 1.8e308", s->entry, show(n->text).text);
    return false;
}

static bool check_count(reading *r, const spot *s)
{
    double value;
    if (!check_number(r, s, &value)) return false;
    if (value >= 1.0 && value <= COUNT_MAX && floor(value) == value) return true;
    complain_at(r, s->n->line, s->path, "expected a whole number from 1 to %.0f, found %s", COUNT_MAX,
                what_is(s->n).text);
    return false;
}

static bool check_flag(reading *r, const spot *s)
{
    const item *n = s->n;
    if (n->kind == ITEM_SCALAR && n->plain && (strcmp(n->text, "true") == 0 || strcmp(n->text, "false") == 0))
        return true;
    complain_at(r, n->line, s->path, "expected true or false, found %s", what_is(n).text);
    return false;
}

static bool check_text(reading *r, const spot *s)
{
    const item *n = s->n;
    if (n->kind != ITEM_SCALAR) {
        complain_at(r, n->line, s->path, "expected a name, found %s", what_is(n).text);
        return false;
    }
    size_t length = strlen(n->text);
    if (length == 0 || length > TEXT_MAX) {
        complain_at(r, n->line, s->path, "has %zu characters; expected 1 to %d", length, TEXT_MAX);
        return false;
    }
    for (const char *c = n->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) {
            complain_at(r, n->line, s->path, "has a control character in it: %s", what_is(n).text);
            return false;
        }
    return true;
}

/* The i-th child of an item, from 0; i is less than its number of children. */
static int child(const outline *o, int parent, int i)
{
    int at = parent;
    do at++;
    while (o->item[at].parent != parent || i-- > 0);
    return at;
}

/* A list of `size` numbers, of any number up to `most` if size is 0 */
static bool check_numbers(reading *r, const outline *o, int at, const spot *s, int size, int most)
{
    const item *n = &o->item[at];
    if (n->kind != ITEM_LIST) {
        complain_at(r, n->line, s->path, "%sexpected a list of numbers, like [1, 2, 3], found %s", s->entry,
                    what_is(n).text);
        return false;
    }
    if (n->children == 0 || n->children > most || (size > 0 && n->children != size)) {
        listed wanted = {""};
        if (size > 0)
            list_add(&wanted, "%d", size);
        else
            list_add(&wanted, "1 to %d", most);
        complain_at(r, n->line, s->path, "%shas %d number%s; expected %s", s->entry, n->children,
                    n->children == 1 ? "" : "s", wanted.text);
        return false;
    }
    bool fine = true;
    for (int i = 0; i < n->children; i++) {
        const item *entry = &o->item[child(o, at, i)];
        spot here = {.n = entry, .path = s->path};
        double value;
        snprintf(here.entry, sizeof here.entry, "entry %d: ", i + 1);
        if (entry->kind == ITEM_LIST) {
            complain_at(r, entry->line, s->path, "entry %d is a list; write a matrix as one list, row by row", i + 1);
            return false;
        }
        if (!check_number(r, &here, &value)) fine = false;
    }
    return fine;
}

/* {at: [..], along: [..]} */
static bool check_place(reading *r, const outline *o, int at, const char *path, int number)
{
    const item *n = &o->item[at];
    bool fine = n->kind == ITEM_MAP && n->children == 2;
    for (int i = 0; fine && i < 2; i++) {
        const char *key = o->item[child(o, at, i)].key;
        fine = strcmp(key, "at") == 0 || strcmp(key, "along") == 0;
    }
    if (!fine) {
        complain_at(r, n->line, path, "entry %d: expected {at: [x, y, z], along: [x, y, z]}", number);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        int inner = child(o, at, i);
        spot s = {.n = &o->item[inner], .path = path};
        snprintf(s.entry, sizeof s.entry, "entry %d: %s: ", number, o->item[inner].key);
        if (!check_numbers(r, o, inner, &s, 3, 3)) fine = false;
    }
    return fine;
}

static bool check_places(reading *r, const outline *o, int at, const char *path)
{
    const item *n = &o->item[at];
    if (n->kind != ITEM_LIST) {
        complain_at(r, n->line, path, "expected a list, like [{at: [0, 0, 0], along: [1, 0, 0]}], found %s",
                    what_is(n).text);
        return false;
    }
    if (n->children > PLACES_MAX) {
        complain_at(r, n->line, path, "has %d entries; at most %d are possible", n->children, PLACES_MAX);
        return false;
    }
    bool fine = true;
    for (int i = 0; i < n->children; i++)
        if (!check_place(r, o, child(o, at, i), path, i + 1)) fine = false;
    return fine;
}

static bool check_texts(reading *r, const outline *o, int at, const char *path)
{
    const item *n = &o->item[at];
    bool fine = n->kind == ITEM_LIST && n->children > 0 && n->children <= TEXTS_MAX;
    if (!fine) {
        complain_at(r, n->line, path, "expected a list of 1 to %d texts, like [\"a\", \"b\"]", TEXTS_MAX);
        return false;
    }
    for (int i = 0; i < n->children; i++) {
        const item *entry = &o->item[child(o, at, i)];
        spot s = {.n = entry, .path = path};
        if (!check_text(r, &s)) fine = false;
    }
    return fine;
}

static bool check_value(reading *r, const outline *o, int at)
{
    const item *n = &o->item[at];
    const scenario_key *key = &scenario_keys[n->id];
    spot s = {.n = n, .path = key->path};
    double value;
    if (is_null(n)) {
        complain_at(r, n->line, key->path, "has no value; give it one or remove the key");
        return false;
    }
    switch (key->kind) {
    case NUMBER:
        return check_number(r, &s, &value);
    case COUNT:
        return check_count(r, &s);
    case FLAG:
        return check_flag(r, &s);
    case TEXT:
        return check_text(r, &s);
    case NUMBERS:
        return check_numbers(r, o, at, &s, 0, NUMBERS_MAX);
    case ROWS:
        return check_numbers(r, o, at, &s, 0, ROWS_MAX);
    case TEXTS:
        return check_texts(r, o, at, key->path);
    case PLACES:
        return check_places(r, o, at, key->path);
    case MAPPING:
        break;
    }
    if (n->kind == ITEM_MAP) return true;
    complain_at(r, n->line, key->path, "expected keys of its own, indented below it, found %s", what_is(n).text);
    return false;
}

static void unknown_key(reading *r, const item *n, key_id parent)
{
    char path[100];
    key_id meant = scenario_key_meant(parent, n->key);
    listed names = {""};
    snprintf(path, sizeof path, "%s%s%.60s", parent == NO_KEY ? "" : scenario_keys[parent].path,
             parent == NO_KEY ? "" : ".", n->key);
    if (meant != NO_KEY) {
        complain_at(r, n->line, path, "unknown key; did you mean '%s'?",
                    scenario_keys[meant].parent == parent ? scenario_keys[meant].name : scenario_keys[meant].path);
        return;
    }
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == parent) list_add(&names, "%s", scenario_keys[k].name);
    complain_at(r, n->line, path, "unknown key; there are: %s", names.text);
}

bool outline_check(reading *r, outline *o)
{
    bool fine = true;
    for (int i = 1; i < o->count; i++) {
        item *n = &o->item[i];
        key_id parent = o->item[n->parent].id;
        bool in_mapping = n->parent == 0 || (parent != NO_KEY && scenario_keys[parent].kind == MAPPING);
        if (!in_mapping || o->item[n->parent].kind != ITEM_MAP) continue;
        n->id = scenario_key_find(parent, n->key);
        if (n->id == NO_KEY) unknown_key(r, n, parent);
        if (n->id == NO_KEY || !check_value(r, o, i)) fine = false;
    }
    return fine;
}
