/* SPDX-License-Identifier: MIT */
/* groups.c: `liestep groups`: the groups with their retractions, from the list of the library, with what an element and
 * a velocity are in words. */
#include <string.h>

#include "cli/base/json.h"
#include "cli/commands/list.h"

/* The k-th line: the groups of the library, and those of the user; null beyond the last. */
static const lie_group_words *line_at(int k)
{
    static const lie_group_words own = {
        "own", "group.h", "your own", "by its bracket and a few operations", "what you like", "what you like"};
    const lie_group_words *d = lie_group_words_at(k);
    return d ? d : k > 0 && lie_group_words_at(k - 1) ? &own : NULL;
}

const char *group_title(const char *group)
{
    const lie_group_words *d = NULL;
    for (int i = 0; (d = line_at(i)) && strcmp(d->name, group) != 0;) i++;
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
    for (int i = 0; line_at(i); i++) {
        const lie_group_words *d = line_at(i);
        const lie_ops *G = first_of(d->name);
        char list[64] = "", dim[16] = "any";
        for (int k = 0; retraction_at(d->name, k); k++) {
            size_t n = strlen(list);
            snprintf(list + n, sizeof list - n, "%s%s", k ? " " : "", retraction_at(d->name, k));
        }
        if (G) snprintf(dim, sizeof dim, "%d", G->dim);
        printf("%-9s %-9s %3s  %-18s %-36s %s; %s\n", d->name, d->title, dim, list, d->what, d->element, d->velocity);
    }
}

static void group_json(json *j, const lie_group_words *d)
{
    const lie_ops *G = first_of(d->name);
    json_open(j, NULL, '{');
    json_text(j, "name", d->name);
    json_text(j, "title", d->title);
    json_text(j, "what", d->what);
    if (G) {
        json_integer(j, "dim", G->dim);
        json_integer(j, "size", G->size);
        json_integer(j, "casimirs", G->casimirs);
    }
    json_row(j, "retractions");
    for (int k = 0; retraction_at(d->name, k); k++) json_text(j, NULL, retraction_at(d->name, k));
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
    for (int i = 0; line_at(i); i++) {
        const lie_group_words *d = line_at(i);
        printf("| %s, %s | `%s` | [%s](../include/liestep/%s) | %s |", d->title, d->what, d->name, d->header, d->header,
               d->element);
        for (int k = 0; k < 4; k++) printf(" %s |", has_retraction(d->name, retractions[k]) ? "yes" : "");
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
        for (int i = 0; line_at(i); i++) group_json(&j, line_at(i));
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
