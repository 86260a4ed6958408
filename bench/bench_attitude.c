/* SPDX-License-Identifier: MIT */
/* bench_attitude.c: the error of the attitude after 1000 s at 1, 10 and 100 steps a second, by method and retraction,
 * for the bodies of attitude_bodies.h: the table in docs/ACCURACY.md.
 *
 *     ninja -C build bench/bench_attitude && build/bench/bench_attitude
 *
 * The reference is rkmk_dopri8 at 400 steps a second; pirk16 at 50 agrees as far as the last line tells. The figures
 * are the same on every machine. */
#include <stdio.h>

#include "attitude_bodies.h"

static double work[8000];

static const struct row {
    const char *method, *retraction;
} rows[] = {
    {"auto", NULL},        {"dmv10", "exp"},       {"split4", "exp"},      {"split6", "exp"},   {"ep", "cay"},
    {"ep", "exp"},         {"sv", "cay"},          {"sv", "exp"},          {"midpoint", "exp"}, {"sv_suzuki4", "cay"},
    {"sv_suzuki4", "exp"}, {"gauss2", "exp"},      {"sv_kahanli6", "exp"}, {"gauss3", "exp"},   {"rk4_q", "exp"},
    {"rkmk4", "exp"},      {"rkmk_dopri8", "exp"}, {"pirk16", "exp"},
};

static void print_cell(const attitude_body *b, const struct row *r, double rate, const lie_state *exact)
{
    lie_state s;
    lie_status status = attitude_run(&s, b, r->method, r->retraction, rate, work, sizeof work);
    if (status == LIE_ERR_METHOD)
        printf(" |");
    else if (status != LIE_OK)
        printf(" refused |");
    else
        printf(" %.0e |", attitude_error(b, &s, exact));
    fflush(stdout);
}

int main(void)
{
    attitude_body b[ATTITUDE_BODIES];
    lie_state exact[ATTITUDE_BODIES], other;
    double doubt[ATTITUDE_BODIES];
    for (int i = 0; i < ATTITUDE_BODIES; i++) {
        if (attitude_body_make(&b[i], i) != LIE_OK) return 1;
        if (attitude_run(&exact[i], &b[i], "rkmk_dopri8", "exp", 400.0, work, sizeof work) != LIE_OK) return 1;
        if (attitude_run(&other, &b[i], "pirk16", "exp", 50.0, work, sizeof work) != LIE_OK) return 1;
        doubt[i] = attitude_error(&b[i], &other, &exact[i]);
    }
    puts("| method | retraction | free, 1 Hz | 10 Hz | 100 Hz | top, 1 Hz | 10 Hz | 100 Hz | forced, 1 Hz | 10 Hz | "
         "100 Hz |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const lie_method *m = NULL;
        int plain = lie_method_find(&m, rows[k].method) != LIE_OK || !(m->no_retraction || m->no_retraction_on);
        printf("| `%s` | %s |", rows[k].method, !plain ? "any" : rows[k].retraction ? rows[k].retraction : "");
        for (int i = 0; i < ATTITUDE_BODIES; i++)
            for (int rate = 1; rate <= 100; rate *= 10) print_cell(&b[i], &rows[k], rate, &exact[i]);
        putchar('\n');
    }
    fprintf(stderr, "the two references differ by %.0e, %.0e, %.0e rad\n", doubt[0], doubt[1], doubt[2]);
    return 0;
}
