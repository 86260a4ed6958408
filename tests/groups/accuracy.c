/* SPDX-License-Identifier: MIT */
/* accuracy.c: prints how far every map of every group is from the truth, in eps, per decade of the angle.
 *
 *   accuracy [--samples N] [--seed S] [--map NAME] [--strict] [--worst]
 *
 *   --samples N   points per decade (default 100)
 *   --seed S      another sample (default 1)
 *   --map NAME    only the maps whose name contains NAME
 *   --strict      without condition numbers
 *   --worst       the worst input of every row as well
 *
 * Exit status: 0 if every row keeps its bound, 1 if one does not, 2 for a wrong command line.
 * What the columns mean: docs/ACCURACY.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/groups/accuracy_cases.h"

static void print_head(void)
{
    printf("%-26s %7s", "map", "samples");
    for (int d = 0; d < ACC_DECADES; d++) printf(" %8s", acc_decade_name[d]);
    printf(" %8s %6s\n", "max", "bound");
}

static void print_number(double error)
{
    if (error < 0.0) {
        printf(" %8s", ".");
    } else {
        printf(error < 1e4 ? " %8.2f" : " %8.1e", error);
    }
}

static void print_row(const acc_row *row)
{
    printf("%-26s %7ld", row->name, row->samples);
    for (int d = 0; d < ACC_DECADES; d++) print_number(row->worst[d]);
    print_number(row->worst_all);
    printf(" %6.2f%s\n", row->bound, acc_within_bound(row) ? "" : "  BROKEN");
}

static void print_vector(const char *name, const double *v)
{
    printf("    %s =", name);
    for (int i = 0; i < REF_DIM_MAX; i++) printf(" %.17g", v[i]);
    printf("\n");
}

static void print_worst(const acc_row *row)
{
    printf("    in %s, |w| = %.17g\n", acc_decade_name[row->worst_decade], row->worst_input.radius);
    print_vector("x", row->worst_input.x);
    print_vector("v", row->worst_input.v);
    print_vector("m", row->worst_input.m);
    print_vector("p", row->worst_input.p);
}

static int usage(void)
{
    fputs("usage: accuracy [--samples N] [--seed S] [--map NAME] [--strict] [--worst]\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static acc_row rows[ACC_ROWS_MAX];
    acc_config config = {.samples = 100, .seed = 1};
    int worst = 0;
    int broken = 0;
    int shown = 0;
    for (int i = 1; i < argc; i++) {
        int more = i + 1 < argc;
        if (!strcmp(argv[i], "--samples") && more) {
            config.samples = (int)strtol(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--seed") && more) {
            config.seed = strtoull(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--map") && more) {
            config.filter = argv[++i];
        } else if (!strcmp(argv[i], "--strict")) {
            config.strict = 1;
        } else if (!strcmp(argv[i], "--worst")) {
            worst = 1;
        } else {
            return usage();
        }
    }
    if (config.samples < 1) return usage();
    int count = acc_measure(rows, &config);
    print_head();
    for (int i = 0; i < count; i++) {
        if (rows[i].samples == 0) continue;
        print_row(&rows[i]);
        if (worst) print_worst(&rows[i]);
        broken += !acc_within_bound(&rows[i]);
        shown++;
    }
    printf("%d maps, %d over their bound\n", shown, broken);
    ref_end();
    return shown > 0 ? broken > 0 : usage();
}
