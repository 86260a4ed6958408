/* SPDX-License-Identifier: MIT */
/* scenario_outline.c: a YAML document as a flat list of items with their lines, from the events of libyaml, which come
 * one at a time: a hostile document is left at the first event that no scenario has. Nothing is converted here. */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "cli/scenario/scenario_reading.h"

enum { DEPTH_MAX = 6, ITEMS_MAX = 2000 };

typedef struct builder {
    reading *r;
    outline *o;
    int stack[DEPTH_MAX], depth; /* the lists and mappings we are in */
    char *key;                   /* read, its value is still to come */
    int key_line;
    int documents;
} builder;

static char *copy(const yaml_char_t *text, size_t length)
{
    char *c = malloc(length + 1);
    if (c) {
        memcpy(c, text, length);
        c[length] = '\0';
    }
    return c;
}

/* "start.quaternion" for the item a key would have here; what does not fit is left out */
static const char *path_here(const builder *b, const char *key, listed *out)
{
    out->text[0] = '\0';
    for (int i = 1; i < b->depth; i++) {
        const item *n = &b->o->item[b->stack[i]];
        size_t used = strlen(out->text);
        if (n->key) snprintf(out->text + used, sizeof out->text - used, "%.40s.", n->key);
    }
    size_t used = strlen(out->text);
    snprintf(out->text + used, sizeof out->text - used, "%.40s", key ? key : "");
    used = strlen(out->text);
    if (!key && used > 0) out->text[used - 1] = '\0';
    return out->text;
}

static bool refuse(builder *b, int line, const char *key, const char *sentence)
{
    listed path;
    const char *shown_key = path_here(b, key, &path);
    complain_at(b->r, line, *shown_key ? shown_key : NULL, "%s", sentence);
    return false;
}

/* The item, owner of text from now on. */
static bool add_item(builder *b, item_kind kind, int line, char *text, bool plain)
{
    outline *o = b->o;
    if (o->count >= ITEMS_MAX) {
        free(text);
        return refuse(b, line, NULL, "there are more values here than any scenario has");
    }
    if (o->count == o->room) {
        int room = o->room ? 2 * o->room : 64;
        item *more = realloc(o->item, (size_t)room * sizeof *more);
        if (!more) {
            free(text);
            return refuse(b, line, NULL, "out of memory");
        }
        o->item = more;
        o->room = room;
    }
    item made = {.kind = kind, .parent = -1, .line = line, .text = text, .plain = plain, .id = NO_KEY};
    if (b->depth > 0) made.parent = b->stack[b->depth - 1];
    if (b->key) made.key = b->key, made.line = b->key_line;
    b->key = NULL;
    if (made.parent >= 0) o->item[made.parent].children++;
    o->item[o->count++] = made;
    return true;
}

/* In a mapping, between its pairs? */
static bool awaits_key(const builder *b)
{
    return b->depth > 0 && b->o->item[b->stack[b->depth - 1]].kind == ITEM_MAP && !b->key;
}

static bool take_key(builder *b, int line, char *key, size_t length)
{
    int here = b->stack[b->depth - 1];
    bool fine = strlen(key) == length && length > 0;
    if (!fine) refuse(b, line, NULL, "a key here is empty or contains a NUL");
    for (int i = here + 1; fine && i < b->o->count; i++) {
        const item *n = &b->o->item[i];
        if (n->parent != here || strcmp(n->key, key) != 0) continue;
        listed path;
        complain_at(b->r, line, path_here(b, key, &path), "is given twice, first on line %d; remove one", n->line);
        fine = false;
    }
    if (!fine) {
        free(key);
        return false;
    }
    b->key = key;
    b->key_line = line;
    return true;
}

static bool take_scalar(builder *b, const yaml_event_t *e, int line)
{
    size_t length = e->data.scalar.length;
    char *text = copy(e->data.scalar.value, length);
    if (!text) return refuse(b, line, b->key, "out of memory");
    if (awaits_key(b)) return take_key(b, line, text, length);
    if (strlen(text) != length) {
        free(text);
        return refuse(b, line, b->key, "contains a NUL character");
    }
    return add_item(b, ITEM_SCALAR, line, text, e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE);
}

static bool enter(builder *b, item_kind kind, int line)
{
    if (awaits_key(b)) return refuse(b, line, NULL, "a list or mapping stands where a key should be (key: value)");
    if (b->depth == DEPTH_MAX)
        return refuse(b, line, b->key, "lists and mappings are nested deeper than any key needs");
    if (!add_item(b, kind, line, NULL, false)) return false;
    b->stack[b->depth++] = b->o->count - 1;
    return true;
}

static const yaml_char_t *anchor_or_tag(const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_ALIAS_EVENT:
        return e->data.alias.anchor;
    case YAML_SCALAR_EVENT:
        return e->data.scalar.anchor ? e->data.scalar.anchor : e->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return e->data.sequence_start.anchor ? e->data.sequence_start.anchor : e->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return e->data.mapping_start.anchor ? e->data.mapping_start.anchor : e->data.mapping_start.tag;
    default:
        return NULL;
    }
}

static bool take_event(builder *b, const yaml_event_t *e)
{
    int line = (int)e->start_mark.line + 1;
    if (anchor_or_tag(e)) return refuse(b, line, b->key, "anchors, aliases and tags (&, *, !) have no place here");
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->documents++ == 0) return true;
        return refuse(b, line, NULL, "a second document starts here; a scenario is one");
    case YAML_SCALAR_EVENT:
        return take_scalar(b, e, line);
    case YAML_SEQUENCE_START_EVENT:
        return enter(b, ITEM_LIST, line);
    case YAML_MAPPING_START_EVENT:
        return enter(b, ITEM_MAP, line);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return true;
    default:
        return true;
    }
}

/* libyaml's own complaint: bytes that are not UTF-8 are told by offset, all else by line. */
static bool refuse_yaml(builder *b, const yaml_parser_t *p, const char *text, size_t bytes)
{
    int line = (int)p->problem_mark.line + 1;
    const char *problem = p->problem ? p->problem : "out of memory", *hint = "";
    if (p->error == YAML_READER_ERROR) {
        line = 1;
        for (size_t i = 0; i < bytes && i < p->problem_offset; i++) line += text[i] == '\n';
        hint = "; write the file as UTF-8 text";
    } else if (strstr(problem, "cannot start any token")) {
        hint = "; is there a tab? Indent with spaces";
    }
    complain_at(b->r, line, NULL, "this is not YAML: %s%s%s%s", p->context ? p->context : "", p->context ? ", " : "",
                problem, hint);
    return false;
}

static bool take_all(builder *b, const char *text, size_t bytes)
{
    yaml_parser_t parser;
    bool fine = true, done = false;
    if (!yaml_parser_initialize(&parser)) return refuse(b, 1, NULL, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    while (fine && !done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            fine = refuse_yaml(b, &parser, text, bytes);
            break;
        }
        done = event.type == YAML_STREAM_END_EVENT;
        fine = take_event(b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return fine;
}

bool outline_read(reading *r, outline *o, const char *text, size_t bytes)
{
    builder b = {.r = r, .o = o};
    const char *nul = memchr(text, '\0', bytes);
    *o = (outline){0};
    if (nul) {
        int line = 1;
        for (const char *c = text; c < nul; c++) line += *c == '\n';
        return refuse(&b, line, NULL, "there is a NUL byte: this is not a text file");
    }
    bool fine = take_all(&b, text, bytes);
    free(b.key);
    if (!fine) return false;
    if (o->count == 0 || (o->count == 1 && o->item[0].kind == ITEM_SCALAR && !*o->item[0].text))
        return refuse(&b, 1, NULL, "the scenario is empty; 'liestep run --print-defaults' writes one to start from");
    if (o->item[0].kind == ITEM_MAP) return true;
    return refuse(&b, o->item[0].line, NULL, "a scenario is a mapping, lines of the form 'key: value'");
}

void outline_free(outline *o)
{
    for (int i = 0; i < o->count; i++) {
        free(o->item[i].key);
        free(o->item[i].text);
    }
    free(o->item);
    *o = (outline){0};
}
