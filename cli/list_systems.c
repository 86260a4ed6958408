/* SPDX-License-Identifier: MIT */
/* list_systems.c: `liestep systems`: the ready systems (systems.h) and their parameters, which are those of a scenario
 * (keys.def). */
#include <string.h>

#include "json.h"
#include "list.h"
#include "scenario.h"
#include "scenario_keys.h"

typedef struct description {
    const char *name, *what, *groups, *equation, *inertia;
} description;

static const description descriptions[] = {
    {"free_body", "a rigid body on which nothing acts", "SO3, S3", "l = 1/2 w.Iw", "3x3, about the centre of mass"},
    {"heavy_top", "heavy top or 3D pendulum: a body with a fixed point under gravity", "SO3, S3", "V = m g0 e3.Rr",
     "3x3, about the fixed point"},
    {"turntable", "heavy top on a table that turns; not reversible", "SO3, S3",
     "A = rate I R^T e3, V = m g0 e3.Rr - rate^2/2 e3.R I R^T e3", "3x3, about the fixed point"},
    {"satellite", "satellite on a circular orbit: gravity gradient, wheels", "SO3, S3",
     "A = n I b + h, V = 3/2 n^2 c.Ic - n^2/2 b.Ib - n h.b; c vertical, b orbit normal",
     "3x3, about the centre of mass"},
    {"orbiter", "satellite whose orbit and attitude are coupled", "SE3", "gravity of a point mass to second order",
     "3x3, about the centre of mass"},
    {"vehicle", "Kirchhoff's underwater vehicle: added mass, buoyancy, drag, thrusters", "SE3",
     "V = e3.R (weight weight_at - buoyancy buoyancy_at) + (weight - buoyancy) x3",
     "6x6 with added mass, angular then linear"},
    {"particle", "particle in the plane, with drag (Marsden & West 2001)", "R2", "V = |q|^2 (|q|^2 - 1)^2",
     "2x2, in kg"},
};

/* The i-th system of the scenarios; one without a description has its name alone. */
static description describe(int i)
{
    const char *name = scenario_system_name(i);
    for (size_t k = 0; k < sizeof descriptions / sizeof descriptions[0]; k++)
        if (strcmp(descriptions[k].name, name) == 0) return descriptions[k];
    return (description){name, "", "", "", ""};
}

/* The next parameter of system i after key k; KEYS if there is none. */
static int next_parameter(int i, int k)
{
    for (k++; k < KEYS; k++)
        if (scenario_keys[k].parent == key_parameters && (scenario_keys[k].systems >> i & 1u)) return k;
    return KEYS;
}

/* What a parameter is; of the inertia only what concerns this system. */
static const char *meaning(const description *d, int k)
{
    return k == parameters_inertia && *d->inertia ? d->inertia : scenario_keys[k].meaning;
}

static const char *fallback(const scenario_key *key)
{
    return key->flags & REQUIRED ? "required" : key->fallback;
}

static void systems_text(void)
{
    for (int i = 0; scenario_system_name(i); i++) {
        description d = describe(i);
        printf("%s%s%s%s: %s\n", i ? "\n" : "", cli_paint(stdout, CLI_BOLD), d.name, cli_paint(stdout, CLI_PLAIN),
               d.what);
        printf("  on %s; %s\n", d.groups, d.equation);
        for (int k = next_parameter(i, -1); k < KEYS; k = next_parameter(i, k))
            printf("  %-15s %-10s %-19s %s\n", scenario_keys[k].name, scenario_keys[k].unit,
                   fallback(&scenario_keys[k]), meaning(&d, k));
    }
}

static void systems_json(void)
{
    json j = {.out = stdout};
    json_open(&j, NULL, '[');
    for (int i = 0; scenario_system_name(i); i++) {
        description d = describe(i);
        json_open(&j, NULL, '{');
        json_text(&j, "name", d.name);
        json_text(&j, "what", d.what);
        json_text(&j, "groups", d.groups);
        json_text(&j, "equation", d.equation);
        json_open(&j, "parameters", '[');
        for (int k = next_parameter(i, -1); k < KEYS; k = next_parameter(i, k)) {
            json_open(&j, NULL, '{');
            json_text(&j, "name", scenario_keys[k].name);
            json_text(&j, "unit", scenario_keys[k].unit);
            json_flag(&j, "required", (scenario_keys[k].flags & REQUIRED) != 0);
            json_text(&j, "default", scenario_keys[k].fallback);
            json_text(&j, "what", meaning(&d, k));
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
        description d = describe(i);
        printf("| `%s` | %s | %s |", d.name, d.groups, d.what);
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
