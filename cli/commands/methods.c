/* SPDX-License-Identifier: MIT */
/* methods.c: `liestep methods`: the methods as their descriptors tell them, as text, JSON or Markdown. The tables of
 * README.md and docs/METHODS.md are these (tools/generated.py). */
#include <string.h>

#include "cli/base/json.h"
#include "cli/commands/list.h"

static const char *yes(int flag)
{
    return flag ? "yes" : "no";
}

static const char *when(lie_when w)
{
    static const char *const texts[] = {"no", "with exp", "yes", "if the tableau is"};
    return texts[w];
}

/* "2"; "4, 3" with exp and without; "of the tableau" */
static const char *order_text(char *buffer, size_t size, const lie_method *m)
{
    if (m->order_exp == 0)
        snprintf(buffer, size, "tableau's");
    else if (m->order == m->order_exp)
        snprintf(buffer, size, "%d", m->order);
    else
        snprintf(buffer, size, "%d, %d", m->order_exp, m->order);
    return buffer;
}

/* What a method keeps to round-off on every group: S the symplectic form, J the momentum, E the energy; and where else
 * the form: "J E; S on R, SO3/skew". */
static const char *keeps_text(char *buffer, size_t size, const lie_method *m)
{
    static const char *const texts[8] = {"", "S", "J", "S J", "E", "S E", "J E", "S J E"};
    const char *always = texts[(m->symplectic != 0) | (m->momentum != 0) << 1 | (m->energy != 0) << 2];
    size_t n = (size_t)snprintf(buffer, size, "%s%s", always, m->symplectic_on ? *always ? "; S on " : "S on " : "");
    for (const char *c = m->symplectic_on; c && *c && n + 3 < size; c++)
        n += (size_t)snprintf(buffer + n, size - n, *c == ' ' ? ", " : "%c", *c);
    return buffer;
}

/* "yes", "no", or where: "R SO3/skew" */
static const char *symplectic_text(const lie_method *m)
{
    return !m->symplectic && m->symplectic_on ? m->symplectic_on : yes(m->symplectic);
}

/* "always", "no", "with exp", or where besides: "S3 SO3 SE3", "with exp; S3 SO3 SE3" */
static const char *self_adjoint_text(char *buffer, size_t size, const lie_method *m)
{
    int is_said = m->self_adjoint != LIE_NEVER || !m->self_adjoint_on;
    snprintf(buffer, size, "%s%s%s", is_said ? when(m->self_adjoint) : "", is_said && m->self_adjoint_on ? "; " : "",
             m->self_adjoint_on ? m->self_adjoint_on : "");
    return buffer;
}

static const struct lie_family *family_of(const char *method)
{
    const lie_method *m = NULL;
    return lie_method_find(&m, method) == LIE_OK ? m->family : NULL;
}

/* What one step costs, in implicit solves; "explicit" or "" for families that do not work by them. */
static const char *cost_text(char *buffer, size_t size, const lie_method *m)
{
    const lie_tableau *tab = NULL;
    const lie_composition *c = NULL;
    int stages = m->tableau && lie_tableau_find(&tab, m->tableau) == LIE_OK ? tab->stages : 0;
    int solves = m->family == family_of("sv") || m->family == family_of("vprk") || m->family == family_of("vprk0") ||
                 m->family == family_of("gauss1");
    char many[32] = "1 solve";
    snprintf(buffer, size, "%s", m->explicit_ ? "explicit" : "");
    if (m->explicit_ || !solves) return buffer;
    if (m->composition && lie_composition_find(&c, m->composition) == LIE_OK)
        snprintf(many, sizeof many, "%d solves", c->stages);
    if (m->family == family_of("sv") || stages == 1)
        snprintf(buffer, size, "%s, n unknowns", many);
    else if (stages)
        snprintf(buffer, size, "%s, %d n unknowns", many, stages);
    else
        snprintf(buffer, size, "%s, n unknowns a stage", many);
    return buffer;
}

static void methods_text(int count, const lie_method *const *list)
{
    char order[32], adjoint[48];
    printf("%s%-22s %-10s %-11s %-9s %-7s %-13s %s%s\n", cli_paint(stdout, CLI_BOLD), "method", "order", "symplectic",
           "momentum", "energy", "self-adjoint", "what it is", cli_paint(stdout, CLI_PLAIN));
    for (int i = 0; i < count; i++) {
        const lie_method *m = list[i];
        printf("%-22s %-10s %-11s %-9s %-7s %-13s %s%s%s%s\n", m->name, order_text(order, sizeof order, m),
               symplectic_text(m), yes(m->momentum), yes(m->energy), self_adjoint_text(adjoint, sizeof adjoint, m),
               m->doc, m->aliases ? " (" : "", m->aliases ? m->aliases : "", m->aliases ? ")" : "");
    }
    puts(
        "\norder \"4, 3\": 4 with exp, 3 with other retractions. symplectic \"R\": on R^n alone. momentum: changes by\n"
        "the impulses to round-off, on R^n with every method; energy: constant to round-off. (in parentheses: longer\n"
        "names that are the same)\n"
        "liestep methods auto tells what a scenario takes that names no method.\n"
        "liestep methods NAME tells more of one; liestep check NAME measures these claims.");
}

static void method_card(const lie_method *m)
{
    char text[CLI_NEEDS], adjoint[48];
    const lie_tableau *tab = NULL;
    const lie_composition *c = NULL;
    printf("%s%s%s: %s\n", cli_paint(stdout, CLI_BOLD), m->name, cli_paint(stdout, CLI_PLAIN), m->doc);
    if (m->aliases) printf("  also called   %s\n", m->aliases);
    printf("  order         %s%s\n", order_text(text, sizeof text, m),
           m->order == m->order_exp ? "" : " (with exp, with other retractions)");
    printf("  symplectic    %s\n  momentum      %s\n  energy        %s\n  self-adjoint  %s\n", symplectic_text(m),
           yes(m->momentum), yes(m->energy), self_adjoint_text(adjoint, sizeof adjoint, m));
    if (*cost_text(text, sizeof text, m)) printf("  per step      %s\n", text);
    if (*cli_method_needs(text, sizeof text, m)) printf("  needs         %s\n", text);
    if (m->no_retraction) puts("  retraction    changes nothing");
    if (m->no_retraction_on) printf("  retraction    changes nothing on %s\n", m->no_retraction_on);
    if (m->needs_tableau) {
        printf("  tableaux     ");
        for (int i = 0; cli_tableau_name(i); i++) printf(" %s", cli_tableau_name(i));
        putchar('\n');
    }
    if (m->tableau && lie_tableau_find(&tab, m->tableau) == LIE_OK)
        printf("  tableau       %s: %s\n", tab->name, tab->source);
    if (m->composition && lie_composition_find(&c, m->composition) == LIE_OK) {
        printf("  composition   %s: %s\n  substeps     ", c->name, c->source);
        for (int i = 0; i < c->stages; i++) printf(" %.6g", c->gamma[i]);
        putchar('\n');
    }
    printf("  reference     %s\n", m->reference);
}

/* What the name auto stands for. */
static void auto_card(void)
{
    const lie_method *m;
    const char *why;
    printf("%sauto%s: the first of these that takes the system, with exp where no retraction is named\n",
           cli_paint(stdout, CLI_BOLD), cli_paint(stdout, CLI_PLAIN));
    for (int i = 0; (m = lie_method_auto_choice(i, &why)); i++) printf("  %-13s %s\n", m->name, why);
}

static void methods_json(int count, const lie_method *const *list)
{
    json j = {.out = stdout};
    json_open(&j, NULL, '[');
    for (int i = 0; i < count; i++) {
        const lie_method *m = list[i];
        json_open(&j, NULL, '{');
        json_text(&j, "name", m->name);
        json_text(&j, "aliases", m->aliases ? m->aliases : "");
        json_text(&j, "doc", m->doc);
        json_integer(&j, "order", m->order);
        json_integer(&j, "order_exp", m->order_exp);
        json_flag(&j, "symplectic", m->symplectic);
        json_text(&j, "symplectic_on", m->symplectic_on ? m->symplectic_on : "");
        json_flag(&j, "momentum", m->momentum);
        json_flag(&j, "energy", m->energy);
        json_text(&j, "self_adjoint", when(m->self_adjoint));
        json_text(&j, "self_adjoint_on", m->self_adjoint_on ? m->self_adjoint_on : "");
        json_flag(&j, "explicit", m->explicit_);
        json_flag(&j, "needs_free", m->needs_free);
        json_flag(&j, "needs_quadratic", m->needs_quadratic);
        json_flag(&j, "takes_frames", m->takes_frames);
        json_flag(&j, "needs_unforced", m->needs_unforced);
        json_flag(&j, "needs_positional", m->needs_positional);
        json_flag(&j, "needs_tableau", m->needs_tableau);
        json_flag(&j, "no_retraction", m->no_retraction);
        json_text(&j, "no_retraction_on", m->no_retraction_on ? m->no_retraction_on : "");
        json_flag(&j, "needs_uncoupled", m->needs_uncoupled);
        json_text(&j, "groups", m->groups ? m->groups : "");
        json_text(&j, "tableau", m->tableau);
        json_text(&j, "composition", m->composition);
        json_text(&j, "reference", m->reference);
        json_close(&j);
    }
    json_close(&j);
}

/* Who found it, seen from docs/METHODS.md. */
static const char *source_of(const lie_method *m)
{
    const lie_composition *c = NULL;
    if (m->composition && lie_composition_find(&c, m->composition) == LIE_OK) return c->source;
    return strcmp(m->reference, "docs/METHODS.md") == 0 ? "below" : m->reference;
}

static void methods_markdown(int count, const lie_method *const *list)
{
    char order[48], cost[64], keeps[32], adjoint[48];
    puts("| method | order | keeps | self-adjoint | per step | what it is | reference |\n"
         "| --- | :-: | :-: | --- | --- | --- | --- |");
    for (int i = 0; i < count; i++) {
        const lie_method *m = list[i];
        if (m->order != m->order_exp)
            snprintf(order, sizeof order, "%d with exp, else %d", m->order_exp, m->order);
        else
            order_text(order, sizeof order, m);
        printf("| `%s`%s%s | %s | %s | %s | %s | %s | %s |\n", m->name, m->aliases ? " " : "",
               m->aliases ? m->aliases : "", order, keeps_text(keeps, sizeof keeps, m),
               self_adjoint_text(adjoint, sizeof adjoint, m), cost_text(cost, sizeof cost, m), m->doc, source_of(m));
    }
}

/* The matrix of groups and methods. */

/* Methods whose rows would be the same: equal claims, equal name up to the first digit or underscore. */
static int same_row(const lie_method *a, const lie_method *b)
{
    char keeps[2][32];
    size_t n = strcspn(a->name, "_0123456789");
    keeps_text(keeps[0], sizeof keeps[0], a);
    keeps_text(keeps[1], sizeof keeps[1], b);
    return strncmp(a->name, b->name, n) == 0 && strcspn(b->name, "_0123456789") == n && a->order == b->order &&
           a->order_exp == b->order_exp && a->self_adjoint == b->self_adjoint && a->family == b->family &&
           strcmp(keeps[0], keeps[1]) == 0 && !a->composition == !b->composition &&
           a->needs_tableau == b->needs_tableau;
}

/* Does the library take this method on this group with this retraction? Asked with the free body. */
static int is_taken(const lie_method *m, const lie_ops *G)
{
    double inertia[LIE_DIM_MAX * LIE_DIM_MAX], ones[LIE_DIM_MAX];
    const lie_tableau *tab = NULL;
    lie_tableau_find(&tab, "gauss2");
    for (int i = 0; i < G->dim; i++) ones[i] = 1.0;
    lie_inertia_diagonal(G->dim, inertia, ones);
    lie_system sys = {.name = "free", .group = G, .inertia = inertia};
    return lie_stepper_memsize(&sys, &(lie_options){.method = m->name, .tableau = tab}) > 0;
}

static void matrix_cell(const lie_method *m, const char *group)
{
    lie_ops flat;
    lie_claims claims;
    int exp_taken = 0, other_taken = 0, adjoint = 1, is_flat = strcmp(group, "R") == 0;
    for (int k = 0; k < lie_ops_builtin_count(); k++) {
        const lie_ops *G = lie_ops_builtin(k);
        if (strcmp(G->group, group) != 0 || !is_taken(m, G)) continue;
        *(strcmp(G->retraction, "exp") == 0 ? &exp_taken : &other_taken) = 1;
        lie_method_claims(&claims, m, G, NULL);
        adjoint = adjoint && claims.self_adjoint == 1;
    }
    if (is_flat) exp_taken = lie_rn_ops(&flat, 2, "exp") == LIE_OK && is_taken(m, &flat);
    if (exp_taken && is_flat) {
        lie_method_claims(&claims, m, &flat, NULL);
        adjoint = claims.self_adjoint == 1;
    }
    const char *mark = adjoint ? "**" : m->self_adjoint == LIE_NEVER ? "" : "*";
    if (!exp_taken)
        printf(" |");
    else if (m->needs_tableau)
        printf(" %s |", m->family == family_of("midpoint") && !is_flat ? "up to 2" : "tableau's");
    else if (other_taken && m->order != m->order_exp)
        printf(" %s%d%s (%d) |", mark, m->order_exp, mark, m->order);
    else
        printf(" %s%d%s |", mark, m->order_exp, mark);
}

static void matrix_row(int first)
{
    const lie_method *m = lie_method_builtin(first);
    char keeps[32];
    for (int i = 0; i < first; i++)
        if (same_row(m, lie_method_builtin(i))) return;
    putchar('|');
    for (int i = first; lie_method_builtin(i); i++)
        if (same_row(m, lie_method_builtin(i))) printf(" `%s`", lie_method_builtin(i)->name);
    printf(" | %s |", keeps_text(keeps, sizeof keeps, m));
    for (int g = 0; cli_group_name(g); g++) matrix_cell(m, cli_group_name(g));
    putchar('\n');
}

static void methods_matrix(void)
{
    printf("| order of | keeps |");
    for (int g = 0; cli_group_name(g); g++) printf(" %s |", group_title(cli_group_name(g)));
    printf("\n| --- | :-: |");
    for (int g = 0; cli_group_name(g); g++) printf(" :-: |");
    putchar('\n');
    for (int i = 0; lie_method_builtin(i); i++) matrix_row(i);
    puts("\nKeeps to round-off: S the symplectic form, J the momentum (on R^n every method does), E the energy. In "
         "parentheses: with other retractions\nthan exp. Bold: self-adjoint; italic: self-adjoint with exp. Where all "
         "groups are filled in, "
         "products "
         "of these\ngroups and your own are too.");
}

enum { ALL, JSON, MARKDOWN, MATRIX, GUIDE, LANES, NAMES, WORDS };
static const cli_option options[] = {
    [ALL] = {"all", 0, NULL, "list all methods: order, what they keep, what they are"},
    [JSON] = {"json", 0, NULL, "write JSON"},
    [MARKDOWN] = {"markdown", 0, NULL, "write the table of docs/METHODS.md"},
    [MATRIX] = {"matrix", 0, NULL, "write the matrix of groups and methods, in Markdown"},
    [GUIDE] = {"guide", 0, NULL, "write which one to take, in Markdown"},
    [LANES] = {"lanes", 0, NULL, "write which of them step ensembles in lanes, in Markdown"},
    [NAMES] = {"names", 0, NULL, "write the names alone, one a line"},
    [WORDS] = {"words", 0, NULL, "write all names and their aliases, one a line"},
    {0},
};

enum { MANY = 256 };

/* One more method, or auto; 0 after a complaint. */
static int take_name(const char *name, const lie_method *list[MANY], int *count, int *asks_auto)
{
    if (strcmp(name, "auto") == 0) return *asks_auto = 1;
    if (lie_method_find(&list[*count < MANY ? (*count)++ : 0], name) == LIE_OK) return 1;
    cli_unknown("method", name, cli_method_word, "'liestep methods --all' lists them");
    return 0;
}

/* The names and the last option (-1: none) of the command line; 0 after a complaint. */
static int take_arguments(int argc, char **argv, const lie_method *list[MANY], int *count, int *asks_auto, int *given)
{
    cli_arguments a = {argc, argv, .at = 1, .options = options};
    for (int k; (k = cli_next(&a)) != CLI_END;) {
        if (k == CLI_WRONG) return 0;
        if (k != CLI_OPERAND) {
            *given = k;
        } else if (!take_name(a.value, list, count, asks_auto)) {
            return 0;
        }
    }
    return 1;
}

static cli_exit run(int argc, char **argv)
{
    const lie_method *list[MANY];
    int given = -1, count = 0, asks_auto = 0;
    if (!take_arguments(argc, argv, list, &count, &asks_auto, &given)) return EXIT_USAGE;
    int cards = (count > 0 || asks_auto) && given < 0;
    if (asks_auto && given >= 0 && count == 0) {
        cli_error("auto is no method but a choice among them; 'liestep methods auto' tells which");
        return EXIT_USAGE;
    }
    if (asks_auto && cards) auto_card();
    if (count == 0 && !asks_auto)
        for (; count < MANY && lie_method_builtin(count); count++) list[count] = lie_method_builtin(count);
    for (int i = 0; cards && i < count; i++) method_card(list[i]);
    for (int i = 0; given == NAMES && i < count; i++) puts(list[i]->name);
    for (int i = 0; given == WORDS && cli_method_word(i); i++) puts(cli_method_word(i));
    if (given == JSON) methods_json(count, list);
    if (given == MARKDOWN) methods_markdown(count, list);
    if (given == MATRIX) methods_matrix();
    if (given == GUIDE) guide_markdown();
    if (given == LANES) list_lanes();
    if (given == ALL) methods_text(count, list);
    if (given < 0 && !cards) guide_text();
    return EXIT_FINE;
}

const cli_command command_methods = {
    .name = "methods",
    .summary = "the methods, their order and what they preserve",
    .help =
        "usage: liestep methods [OPTION] [NAME...]\n"
        "\n"
        "Says which method to take; with --all it lists all of them; of the methods that are named it tells all that\n"
        "is known. A method has a short name and longer aliases: stoermer_verlet is sv.\n",
    .run = run,
    .options = options,
    .examples = "  liestep methods\n"
                "  liestep methods --all\n"
                "  liestep methods sv gauss2\n"
                "  liestep methods auto\n"
                "  liestep methods --json\n",
};
