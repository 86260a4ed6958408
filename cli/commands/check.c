/* SPDX-License-Identifier: MIT */
/* check.c: `liestep check METHOD...`: what a method claims beside what it does, here and now. */
#include <stdlib.h>
#include <string.h>

#include "cli/base/json.h"
#include "cli/work/claims.h"

typedef struct request {
    lie_ops group;        /* a copy: R^n and products have no static one */
    lie_ops factor[2];    /* of a product, */
    const lie_ops *of[2]; /* which takes pointers */
    lie_product product;
    char group_name[12];
    const lie_tableau *tableau;
    int as_json;
    int is_table;
    int is_all; /* methods that are not for the group are passed over */
} request;

static const char *verdict(const claim *c)
{
    return c->holds == CLAIM_BROKEN ? "  <-- does not hold" : "";
}

static void show_card(const request *r, const lie_method *m, const measurement *found, const claim *claims)
{
    int n = found->points;
    printf("%s%s%s on %s with %s%s%s: %s\n", cli_paint(stdout, CLI_BOLD), m->name, cli_paint(stdout, CLI_PLAIN),
           r->group_name, r->group.retraction, m->needs_tableau ? ", tableau " : "",
           m->needs_tableau ? r->tableau->name : "", m->doc);
    printf("  %-14s %-10s %s\n", "", "claimed", "measured");
    for (int k = 0; k < CLAIMS; k++) {
        const claim *c = &claims[k];
        printf("%s  %-14s %-10s %s%s%s\n", c->holds == CLAIM_BROKEN ? cli_paint(stdout, CLI_RED) : "", c->name,
               c->claimed, c->measured, verdict(c), c->holds == CLAIM_BROKEN ? cli_paint(stdout, CLI_PLAIN) : "");
        if (k == CLAIM_ORDER && n > 2)
            printf("  %-14s %-10s error %.1e at h = %.3g, %.1e at %.3g, %.1e at %.3g\n", "", "", found->error[n - 3],
                   found->h[n - 3], found->error[n - 2], found->h[n - 2], found->error[n - 1], found->h[n - 1]);
    }
    printf("  %-14s %-10s %.3g us free", "cost per step", "", 1e6 * found->free_seconds);
    if (!found->only_free) printf(", %.3g us with a potential", 1e6 * found->seconds);
    putchar('\n');
}

static void show_head(const request *r)
{
    printf("on %s with %s\n%s%-22s %-14s %-14s %-14s %-14s %-14s %-12s %s%s\n", r->group_name, r->group.retraction,
           cli_paint(stdout, CLI_BOLD), "method", "order", "symplectic", "momentum", "energy", "self-adjoint",
           "iterations", "us per step", cli_paint(stdout, CLI_PLAIN));
}

/* "measured (claimed)", and ! where the claim does not hold */
static const char *cell(char *buffer, size_t size, const claim *c)
{
    snprintf(buffer, size, "%s%s (%s)", c->holds == CLAIM_BROKEN ? "!" : "", c->number, c->claimed);
    return buffer;
}

static void show_row(const lie_method *m, const measurement *found, const claim *claims)
{
    static const int width[CLAIMS] = {14, 14, 14, 14, 14, 12};
    char text[64];
    int broken = claims_broken(claims);
    printf("%s%-22s", broken ? cli_paint(stdout, CLI_RED) : "", m->name);
    for (int k = 0; k < CLAIMS; k++) printf(" %-*s", width[k], cell(text, sizeof text, &claims[k]));
    printf(" %.3g%s\n", 1e6 * found->seconds, broken ? cli_paint(stdout, CLI_PLAIN) : "");
    fflush(stdout);
}

static void show_json(json *j, const request *r, const lie_method *m, const measurement *found, const claim *claims)
{
    json_open(j, NULL, '{');
    json_text(j, "method", m->name);
    json_text(j, "group", r->group_name);
    json_text(j, "retraction", r->group.retraction);
    json_text(j, "tableau", m->needs_tableau ? r->tableau->name : m->tableau);
    json_flag(j, "holds", !claims_broken(claims));
    json_open(j, "claims", '[');
    for (int k = 0; k < CLAIMS; k++) {
        json_open(j, NULL, '{');
        json_text(j, "name", claims[k].name);
        json_text(j, "claimed", claims[k].claimed);
        json_number(j, "measured", claims[k].value);
        json_flag(j, "judged", claims[k].holds != CLAIM_NONE);
        json_flag(j, "holds", claims[k].holds != CLAIM_BROKEN);
        json_close(j);
    }
    json_close(j);
    json_numbers(j, "h", found->points, found->h);
    json_numbers(j, "error", found->points, found->error);
    json_number(j, "seconds_per_step", found->seconds);
    json_number(j, "seconds_per_step_free", found->free_seconds);
    json_close(j);
}

static cli_exit check_method(const request *r, json *j, const lie_method *m)
{
    measurement found;
    claim claims[CLAIMS];
    char needs[CLI_NEEDS];
    lie_status status = measure_method(&found, &r->group, m, r->tableau);
    if (status == LIE_ERR_METHOD && r->is_all) return EXIT_FINE;
    if (status == LIE_ERR_METHOD) {
        cli_error("%s is not for %s: it needs %s", m->name, r->group_name, cli_method_needs(needs, sizeof needs, m));
        return EXIT_USAGE;
    }
    if (status != LIE_OK) {
        cli_error("%s on %s with %s: %s", m->name, r->group_name, r->group.retraction, lie_status_text(status));
        return EXIT_FAILED;
    }
    claims_judge(claims, m, &r->group, r->tableau, &found);
    if (r->as_json)
        show_json(j, r, m, &found, claims);
    else if (r->is_table)
        show_row(m, &found, claims);
    else
        show_card(r, m, &found, claims);
    return claims_broken(claims) ? EXIT_FAILED : EXIT_FINE;
}

/* All methods named, or all there are for "all". */
static cli_exit check_methods(const request *r, int count, const lie_method *const *list)
{
    json j = {.out = stdout};
    int broken = 0, refused = 0;
    if (r->as_json) json_open(&j, NULL, '[');
    if (r->is_table && !r->as_json) show_head(r);
    for (int i = 0; i < count; i++) {
        cli_exit code = check_method(r, &j, list[i]);
        broken += code == EXIT_FAILED;
        refused += code == EXIT_USAGE;
    }
    if (r->as_json) json_close(&j);
    if (!r->as_json && r->is_table) puts("claims in parentheses; order is judged within 5 %");
    if (broken)
        cli_error("%d of %d methods do not do what they claim", broken, count);
    else if (!r->as_json && !refused)
        printf("%sall claims hold%s\n", cli_paint(stdout, CLI_GREEN), cli_paint(stdout, CLI_PLAIN));
    return broken ? EXIT_FAILED : refused ? EXIT_USAGE : EXIT_FINE;
}

/* "exp cay" */
static const char *retractions_of(char *buffer, size_t size, const char *group)
{
    buffer[0] = '\0';
    for (int k = 0; k < lie_ops_builtin_count(); k++) {
        size_t n = strlen(buffer);
        if (strcmp(lie_ops_builtin(k)->group, group) == 0)
            snprintf(buffer + n, size - n, "%s%s", n ? " " : "", lie_ops_builtin(k)->retraction);
    }
    return buffer;
}

/* One group: "S3"; "R" for R^3, "R1" .. "R6". R^n as a factor takes any retraction. */
static cli_exit one_group(lie_ops *out, const char *group, const char *retraction, int is_factor)
{
    const lie_ops *G = NULL;
    char list[64];
    if (group[0] == 'R' && (!group[1] || (group[1] >= '1' && group[1] <= '6' && !group[2]))) {
        const char *wanted = is_factor ? "exp" : retraction;
        if (lie_rn_ops(out, group[1] ? group[1] - '0' : 3, wanted) == LIE_OK) return EXIT_FINE;
        cli_error("unknown retraction '%s' on %s; there are exp, cay and skew, all the same map", retraction, group);
        return EXIT_USAGE;
    }
    if (lie_ops_find(&G, group, retraction) == LIE_OK) {
        *out = *G;
        return EXIT_FINE;
    }
    if (retractions_of(list, sizeof list, group)[0])
        cli_error("unknown retraction '%s'; %s has: %s", retraction, group, list);
    else
        cli_unknown("group", group, cli_group_name, "'liestep groups' lists them");
    return EXIT_USAGE;
}

/* "S3", "R2", or a product of two, "SO3xR3" */
static cli_exit choose_group(request *r, const char *group, const char *retraction)
{
    const char *cross = strchr(group, 'x');
    char first[8];
    snprintf(r->group_name, sizeof r->group_name, "%s", strcmp(group, "R") == 0 ? "R3" : group);
    if (!cross || cross - group >= (int)sizeof first) return one_group(&r->group, group, retraction, 0);
    snprintf(first, sizeof first, "%.*s", (int)(cross - group), group);
    cli_exit code = one_group(&r->factor[0], first, retraction, 1);
    if (code == EXIT_FINE) code = one_group(&r->factor[1], cross + 1, retraction, 1);
    if (code != EXIT_FINE) return code;
    r->of[0] = &r->factor[0], r->of[1] = &r->factor[1];
    r->product = (lie_product){2, r->of};
    if (lie_product_ops(&r->group, &r->product) == LIE_OK && r->group.dim <= MODEL_DIM && r->group.size <= MODEL_SIZE) {
        r->group.retraction = retraction;
        return EXIT_FINE;
    }
    cli_error("%s is too large: %d dimensions and %d numbers at most", group, MODEL_DIM, MODEL_SIZE);
    return EXIT_USAGE;
}

enum { GROUP, RETRACTION, TABLEAU, JSON };
static const cli_option options[] = {
    [GROUP] = {"group", 'g', "NAME", "SO3, S3 (default), H, SE3, SE2, R1 to R6, or a product of two: SO3xR3"},
    [RETRACTION] = {"retraction", 'r', "NAME", "exp (default), cay, cayq or skew"},
    [TABLEAU] = {"tableau", 't', "NAME", "for vprk and vprk0; default gauss2"},
    [JSON] = {"json", 0, NULL, "write JSON"},
    {0},
};

enum { METHODS_MAX = 256 };

/* The methods named on the command line; how many, or -1 for a wrong name. */
static int read_method(const lie_method **list, int count, const char *name)
{
    if (strcmp(name, "all") == 0) {
        for (int i = 0; lie_method_builtin(i) && count < METHODS_MAX; i++) list[count++] = lie_method_builtin(i);
        return count;
    }
    if (count < METHODS_MAX && lie_method_find(&list[count], name) == LIE_OK) return count + 1;
    cli_unknown("method", name, cli_method_word, "'liestep methods --all' lists them");
    return -1;
}

static cli_exit run(int argc, char **argv)
{
    const char *value[] = {[GROUP] = "S3", [RETRACTION] = "exp", [TABLEAU] = "gauss2", [JSON] = NULL};
    const lie_method *list[METHODS_MAX];
    request r = {.as_json = 0};
    int count = 0;
    cli_arguments a = {argc, argv, .at = 1, .options = options};
    for (int k; (k = cli_next(&a)) != CLI_END;) {
        if (k == CLI_WRONG) return EXIT_USAGE;
        if (k == CLI_OPERAND) {
            count = read_method(list, count, a.value);
            r.is_all |= strcmp(a.value, "all") == 0;
        } else if (k == JSON)
            r.as_json = 1;
        else
            value[k] = a.value;
        if (count < 0) return EXIT_USAGE;
    }
    if (count == 0) {
        cli_error("which method? 'liestep check sv', 'liestep check all'; 'liestep methods --all' lists them");
        return EXIT_USAGE;
    }
    if (lie_tableau_find(&r.tableau, value[TABLEAU]) != LIE_OK) {
        cli_unknown("tableau", value[TABLEAU], cli_tableau_name, "'liestep methods vprk' lists them");
        return EXIT_USAGE;
    }
    r.is_table = count > 1;
    cli_exit code = choose_group(&r, value[GROUP], value[RETRACTION]);
    return code == EXIT_FINE ? check_methods(&r, count, list) : code;
}

const cli_command command_check = {
    .name = "check",
    .summary = "measure what a method does, beside what it claims",
    .help = "usage: liestep check METHOD... [--group NAME] [--retraction NAME]\n"
            "\n"
            "Measures on the spot, on a body with dense inertia in a nonlinear potential:\n"
            "  order         slope of the error against the true motion over the last factor 2 of h, within 5 %\n"
            "                (above order 10: of the error of one step, less 1)\n"
            "  symplectic    largest entry of D^T Omega D - Omega, D the derivative of one step, below 1e-9\n"
            "  momentum      error of the spatial momentum: free, along a symmetry, and under a push, below 1e-12\n"
            "  energy        largest relative error in 200 steps without external force, below 1e-12\n"
            "  self-adjoint  how far one step and the same step back lead away, below 1e-12\n"
            "  iterations    of the implicit equations, a step; none if the method is explicit\n"
            "and the time a step takes. Exit code 1 if one of these is not what the method claims. 'all' checks all "
            "methods\n"
            "that are for the group.\n",
    .run = run,
    .options = options,
    .examples = "  liestep check sv\n"
                "  liestep check sv gauss2 --retraction cay --group SE3\n"
                "  liestep check all --json >claims.json\n",
};
