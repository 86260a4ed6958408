/* SPDX-License-Identifier: MIT */
/* groups.c: `liestep groups`: the groups with their retractions, from the list of the library, and in words what
 * an element and a velocity are. */
#include <string.h>

#include "cli/base/json.h"
#include "cli/commands/list.h"

typedef struct description {
    const char *group, *title, *what, *header, *element, *velocity;
} description;

static const description descriptions[] = {
    {"SO3", "SO(3)", "rotations", "so3.h", "3x3 matrix, row-major", "angular velocity, body frame"},
    {"S3", "S3", "unit quaternions", "s3.h", "quaternion, scalar first", "angular velocity, body frame"},
    {"H", "H*", "quaternions that are not 0", "quat.h", "quaternion, scalar first", "growth rate, angular velocity"},
    {"SE3", "SE(3)", "rigid motions", "se3.h", "3x3 matrix, then position",
     "angular, then linear velocity, body frame"},
    {"SE2", "SE(2)", "rigid motions of the plane", "se2.h", "cos, sin, x, y",
     "turn rate, then linear velocity, body frame"},
    {"R", "R^n", "translations", "rn.h", "n numbers", "their rates"},
    {"product", "products", "any of these side by side", "product.h", "one behind the other", "one behind the other"},
    {"own", "your own", "by its bracket and a few operations", "group.h", "what you like", "what you like"},
};
enum { DESCRIPTIONS = sizeof descriptions / sizeof descriptions[0] };

static const description *describe(const char *group)
{
    for (int i = 0; i < DESCRIPTIONS; i++)
        if (strcmp(descriptions[i].group, group) == 0) return &descriptions[i];
    return NULL;
}

const char *group_title(const char *group)
{
    const description *d = describe(group);
    return d ? d->title : group;
}

/* The k-th retraction of the group; null beyond the last. Those of R^n are one and the same map. */
static const char *retraction_at(const char *group, int k)
{
    static const char *const flat[] = {"exp", "cay", "skew", NULL};
    if (strcmp(group, "R") == 0) return k < 3 ? flat[k] : NULL;
    for (int i = 0; i < lie_ops_builtin_count(); i++)
        if (strcmp(lie_ops_builtin(i)->group, group) == 0 && k-- == 0) return lie_ops_builtin(i)->retraction;
    return NULL;
}

static const lie_ops *first_of(const char *group)
{
    const char *retraction = retraction_at(group, 0);
    const lie_ops *G = NULL;
    return retraction && lie_ops_find(&G, group, retraction) == LIE_OK ? G : NULL;
}

static void groups_text(void)
{
    printf("%s%-9s %-9s %3s  %-18s %-36s %s%s\n", cli_paint(stdout, CLI_BOLD), "group", "", "dim", "retractions",
           "what it is", "element; velocity", cli_paint(stdout, CLI_PLAIN));
    for (int i = 0; i < DESCRIPTIONS; i++) {
        const description *d = &descriptions[i];
        const lie_ops *G = first_of(d->group);
        char list[64] = "", dim[16] = "any";
        for (int k = 0; retraction_at(d->group, k); k++) {
            size_t n = strlen(list);
            snprintf(list + n, sizeof list - n, "%s%s", k ? " " : "", retraction_at(d->group, k));
        }
        if (G) snprintf(dim, sizeof dim, "%d", G->dim);
        printf("%-9s %-9s %3s  %-18s %-36s %s; %s\n", d->group, d->title, dim, list, d->what, d->element, d->velocity);
    }
}

static void group_json(json *j, const description *d)
{
    const lie_ops *G = first_of(d->group);
    json_open(j, NULL, '{');
    json_text(j, "name", d->group);
    json_text(j, "title", d->title);
    json_text(j, "what", d->what);
    if (G) {
        json_integer(j, "dim", G->dim);
        json_integer(j, "size", G->size);
        json_integer(j, "casimirs", G->casimirs);
    }
    json_row(j, "retractions");
    for (int k = 0; retraction_at(d->group, k); k++) json_text(j, NULL, retraction_at(d->group, k));
    json_close(j);
    json_text(j, "element", d->element);
    json_text(j, "velocity", d->velocity);
    json_text(j, "header", d->header);
    json_close(j);
}

static int has_retraction(const char *group, const char *retraction)
{
    for (int k = 0; retraction_at(group, k); k++)
        if (strcmp(retraction_at(group, k), retraction) == 0) return 1;
    return 0;
}

static void groups_markdown(void)
{
    static const char *const retractions[] = {"exp", "cay", "cayq", "skew"};
    puts("| group | name | header | element | exp | cay | cayq | skew |\n"
         "| --- | --- | --- | --- | :-: | :-: | :-: | :-: |");
    for (int i = 0; i < DESCRIPTIONS; i++) {
        const description *d = &descriptions[i];
        printf("| %s, %s | `%s` | [%s](include/liestep/%s) | %s |", d->title, d->what, d->group, d->header, d->header,
               d->element);
        for (int k = 0; k < 4; k++) printf(" %s |", has_retraction(d->group, retractions[k]) ? "yes" : "");
        putchar('\n');
    }
}

static cli_exit run(int argc, char **argv)
{
    int form = list_form(argc, argv);
    if (form == CLI_WRONG) return EXIT_USAGE;
    if (form == LIST_TEXT) groups_text();
    if (form == LIST_MARKDOWN) groups_markdown();
    if (form == LIST_JSON) {
        json j = {.out = stdout};
        json_open(&j, NULL, '[');
        for (int i = 0; i < DESCRIPTIONS; i++) group_json(&j, &descriptions[i]);
        json_close(&j);
    }
    return EXIT_FINE;
}

const cli_command command_groups = {
    .name = "groups",
    .summary = "the groups and their retractions",
    .help =
        "usage: liestep groups [--json | --markdown]\n"
        "\n"
        "Lists the groups a body may live on, their dimension, and the retractions, the maps that carry a velocity\n"
        "into a motion: exp turns as far as it says and has the smallest errors, cay is the cheapest.\n",
    .run = run,
    .options = list_options,
};
