/* SPDX-License-Identifier: MIT */
/* scenario_print.c: what there is to write in a scenario, from the list of keys: as a scenario to start from, and as
 * the reference docs/SCENARIOS.md. */
#include <string.h>

#include "scenario_reading.h"

/* "kg (heavy_top, turntable)", as far as there is something to say */
static listed unit_and_systems(const scenario_key *key)
{
    listed names = {""}, text = {""};
    for (int i = 0; key->systems != ALL && key->systems != BODIES && scenario_system_name(i); i++)
        if (key->systems >> i & 1u) list_add(&names, "%s", scenario_system_name(i));
    snprintf(text.text, sizeof text.text, "%s%s%s%.400s%s", key->unit, *key->unit && *names.text ? " " : "",
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

static void print_default(FILE *out, const scenario_key *key)
{
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
    print_comment(out, COLUMN, unit_and_systems(key).text, key->meaning);
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
        print_default(out, &scenario_keys[k]);
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
    case PLACES:
        return "list of `{at: [x, y, z], along: [x, y, z]}`";
    case NUMBERS:
        break;
    }
    if (key->size == 0) return "numbers";
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

static void print_systems_of(FILE *out, unsigned systems)
{
    listed names = {""};
    for (int i = 0; scenario_system_name(i); i++)
        if (systems >> i & 1u) list_add(&names, "%s", scenario_system_name(i));
    print_cell(out, systems == ALL ? "" : systems == BODIES ? "all but particle" : names.text);
}

static void print_row(FILE *out, const scenario_key *key)
{
    listed room;
    fprintf(out, "| `%s` | %s |", key->path, type_of(key, &room));
    print_cell(out, key->unit);
    print_cell(out, key->flags & REQUIRED ? "required" : key->fallback);
    print_systems_of(out, key->systems);
    print_cell(out, key->meaning);
    fputs("\n", out);
}

static void print_table(FILE *out, key_id parent, const char *title)
{
    fprintf(out,
            "\n## %s\n\n| key | type | unit | default | systems | meaning |\n| --- | --- | --- | --- | --- | --- |\n",
            title);
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == parent) print_row(out, &scenario_keys[k]);
}

static void print_systems(FILE *out)
{
    fputs("\n## Systems\n\n| system | groups | what it is | parameters |\n| --- | --- | --- | --- |\n", out);
    for (int i = 0; scenario_system_name(i); i++) {
        listed names = {""};
        for (int k = 0; k < KEYS; k++)
            if (scenario_keys[k].parent == key_parameters && system_has(i, (key_id)k))
                list_add(&names, "`%s`", scenario_keys[k].name);
        fprintf(out, "| `%s` | %s |", scenario_system_name(i), scenario_system_groups(i));
        print_cell(out, scenario_system_doc(i));
        fprintf(out, " %s |\n", names.text);
    }
}

static const char intro[] =
    "# Scenarios\n"
    "\n"
    "A scenario says what moves, how it starts, how it is integrated and what is written. `liestep run FILE` runs it;\n"
    "`liestep run --print-defaults` writes one with all keys to start from; ready ones are in "
    "[scenarios](../scenarios).\n"
    "This page is generated from the list of keys, [cli/keys.def](../cli/keys.def).\n"
    "\n"
    "```yaml\n"
    "system: heavy_top\n"
    "parameters:\n"
    "  inertia: [1, 2, 2.5]       # kg m^2: diagonal, upper triangle or whole matrix\n"
    "  mass: 1.5                  # kg\n"
    "  centre: [0.3, -0.2, 1]     # m\n"
    "start:\n"
    "  euler_zyx_deg: [30, 20, 0] # yaw, pitch, roll\n"
    "  angular_velocity: [0.7, 0.9, -0.6]\n"
    "method: sv\n"
    "order: 6                     # the member of the family sv that has order 6\n"
    "step: 0.01                   # s\n"
    "end: 100                     # s\n"
    "output:\n"
    "  csv: top.csv\n"
    "```\n"
    "\n"
    "**Overrides.** `-s KEY=VALUE` on the command line replaces any key: `-s step=0.02 -s start.mrp=[0,0.1,0]`. What\n"
    "excludes the key is dropped: `-s steps=10` drops `end`. An empty value, `-s output.csv=`, drops the key itself.\n"
    "\n"
    "**Errors** name file, line and key, and what was expected; unknown keys are errors. Numbers are decimal and\n"
    "finite; whole numbers may be written `1e6`. A file has at most 1 MB, one document, no anchors and no tags.\n"
    "\n"
    "**Inertia** must be symmetric and positive definite; a principal moment above the sum of the other two is an\n"
    "error, for the vehicle a warning, because added mass may do that. A quaternion or matrix that is no rotation to\n"
    "1e-9 is refused, unless `start.normalize` is true.\n"
    "\n"
    "**Order.** `method` and `order` together choose a member of a family: `sv` and 6 give `sv_kahanli6`, `gauss` and\n"
    "6 `gauss3`, `lobatto3a` and 4 `lobatto3a3`; `midpoint` and 4 `midpoint_suzuki4`, with the retraction exp, which\n"
    "its order needs. Of several it is the composition of most substeps.\n";

void scenario_print_reference(FILE *out)
{
    fputs(intro, out);
    print_systems(out);
    print_table(out, NO_KEY, "Top level");
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].kind == MAPPING) {
            listed title = {""};
            list_add(&title, "%s: %s", scenario_keys[k].name, scenario_keys[k].meaning);
            print_table(out, (key_id)k, title.text);
        }
}
