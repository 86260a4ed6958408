/* SPDX-License-Identifier: MIT */
/* systems.c: `liestep systems`: the ready systems (systems.def) and their parameters, which are the keys of a
 * scenario (keys.def). */
#include "cli/base/json.h"
#include "cli/commands/list.h"
#include "cli/scenario/scenario.h"
#include "cli/scenario/scenario_keys.h"

/* The next parameter of system i after key k; KEYS if there is none. */
static int next_parameter(int i, int k)
{
    for (k++; k < KEYS; k++)
        if (scenario_keys[k].parent == key_parameters && system_has(i, (key_id)k)) return k;
    return KEYS;
}

/* What a parameter is; of the inertia only what concerns this system. */
static const char *meaning(const scenario_system *s, int k)
{
    return k == parameters_inertia ? s->inertia : scenario_keys[k].meaning;
}

static const char *fallback(const scenario_key *key)
{
    return key->flags & REQUIRED ? "required" : key->fallback;
}

static void systems_text(void)
{
    for (int i = 0; scenario_system_name(i); i++) {
        const scenario_system *s = scenario_system_at(i);
        printf("%s%s%s%s: %s\n", i ? "\n" : "", cli_paint(stdout, CLI_BOLD), s->name, cli_paint(stdout, CLI_PLAIN),
               s->what);
        printf("  on %s; %s\n", s->groups, s->equation);
        for (int k = next_parameter(i, -1); k < KEYS; k = next_parameter(i, k))
            printf("  %-15s %-10s %-19s %s\n", scenario_keys[k].name, scenario_keys[k].unit,
                   fallback(&scenario_keys[k]), meaning(s, k));
    }
}

static void systems_json(void)
{
    json j = {.out = stdout};
    json_open(&j, NULL, '[');
    for (int i = 0; scenario_system_name(i); i++) {
        const scenario_system *s = scenario_system_at(i);
        json_open(&j, NULL, '{');
        json_text(&j, "name", s->name);
        json_text(&j, "what", s->what);
        json_text(&j, "groups", s->groups);
        json_text(&j, "equation", s->equation);
        json_open(&j, "parameters", '[');
        for (int k = next_parameter(i, -1); k < KEYS; k = next_parameter(i, k)) {
            json_open(&j, NULL, '{');
            json_text(&j, "name", scenario_keys[k].name);
            json_text(&j, "unit", scenario_keys[k].unit);
            json_flag(&j, "required", (scenario_keys[k].flags & REQUIRED) != 0);
            json_text(&j, "default", scenario_keys[k].fallback);
            json_text(&j, "what", meaning(s, k));
            json_close(&j);
        }
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
}

static void systems_markdown(void)
{
    puts("| system | on | what it is | parameters |\n| --- | --- | --- | --- |");
    for (int i = 0; scenario_system_name(i); i++) {
        const scenario_system *s = scenario_system_at(i);
        printf("| `%s` | %s | %s |", s->name, s->groups, s->what);
        for (int k = next_parameter(i, -1); k < KEYS; k = next_parameter(i, k)) printf(" `%s`", scenario_keys[k].name);
        puts(" |");
    }
}

static cli_exit run(int argc, char **argv)
{
    int form = list_form(argc, argv);
    if (form == CLI_WRONG) return EXIT_USAGE;
    if (form == LIST_TEXT) systems_text();
    if (form == LIST_JSON) systems_json();
    if (form == LIST_MARKDOWN) systems_markdown();
    return EXIT_FINE;
}

const cli_command command_systems = {
    .name = "systems",
    .summary = "the ready systems and their parameters",
    .help = "usage: liestep systems [--json | --markdown]\n"
            "\n"
            "Lists the systems a scenario can name, with the parameters of each, their unit and default.\n",
    .run = run,
    .options = list_options,
};
