/* SPDX-License-Identifier: MIT */
/* expression_names.h: the names of an expression, and where their values come from; for expression.c alone. */
#ifndef LIESTEP_CLI_EXPRESSION_NAMES_H
#define LIESTEP_CLI_EXPRESSION_NAMES_H

#include <stddef.h>

#include "cli/base/expression.h"

typedef struct expression_name {
    expression_source source;
    int index, size; /* size 1 or 3 */
} expression_name;

/* What a name means on this group; 0 if nothing. */
int expression_name_find(expression_name *out, const char *name, const char *group, int dim);
/* "t, energy, m1..m6, ...": those there are. */
void expression_names_list(char *out, size_t n, const char *group, int dim);

/* Room for what is computed from (g, m). */
typedef struct expression_room {
    double velocity[LIE_DIM_MAX], matrix[9], quaternion[4], vertical[3], space[LIE_DIM_MAX], energy;
} expression_room;

/* source[k] = where the numbers of source k are, as far as the expression needs them. 0: the state has none. */
int expression_sources(const double **source, expression_room *room, const expression *e, const double *t,
                       const double *g, const double *m);

/* The names, for the help of commands that take expressions. */
#define EXPRESSION_HELP                                                                                                \
    "Expressions know t, energy, Pi (angular momentum), w (angular velocity), J (angular momentum in space), Gamma "   \
    "=\n"                                                                                                              \
    "R^T e3, with positions P, v and x, each with its components Pi1 .. Pi3; m1 .. m6, J1 .. J6, q0 .. q3, R11 .. "    \
    "R33;\n"                                                                                                           \
    "+ - * / ^ |a| a.b, sqrt abs sin cos tan asin acos atan exp log, atan2(y, x), dot, cross, norm, pi.\n"

#endif
