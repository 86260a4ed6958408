/* SPDX-License-Identifier: MIT */
/* expression.h: functions of a state, written as text: "atan2(P2, P1)", "P3/|P|", "Pi.P - 2".
 *
 *   numbers    1.5e-3, pi
 *   scalars    t, energy, m1 .. m6, J1 .. J6 (momentum in space), q0 .. q3, R11 .. R33
 *   vectors    Pi and P (angular and linear momentum), w and v (angular and linear velocity), x (position), J (angular
 *              momentum in space), Gamma = R^T e3 (the vertical in the body); Pi2 is the second component of Pi
 *   operators  + - * / ^, |a| (absolute value, length), a.b (dot product)
 *   functions  sqrt abs sin cos tan asin acos atan exp log, atan2(y, x), dot(a, b), cross(a, b), norm(a)
 *
 * Which names there are depends on the group. A text becomes a short program for a stack; its value costs a few
 * nanoseconds, and velocities, attitude, energy are computed only where they are named. No allocation. */
#ifndef LIESTEP_CLI_EXPRESSION_H
#define LIESTEP_CLI_EXPRESSION_H

#include <liestep/liestep.h>

enum { EXPRESSION_CODES = 128, EXPRESSION_STACK = 48 };

/* Where a name finds its value. */
typedef enum expression_source {
    FROM_TIME,
    FROM_ELEMENT,
    FROM_MOMENTUM,
    FROM_VELOCITY,
    FROM_MATRIX,
    FROM_QUATERNION,
    FROM_VERTICAL,
    FROM_SPACE,
    FROM_ENERGY,
    EXPRESSION_SOURCES
} expression_source;

typedef struct expression_code {
    unsigned char what, source, index;
    double number;
} expression_code;

typedef struct expression {
    const lie_system *system;
    const char *group; /* "SO3", "S3", "SE3", "SO3xR3", "R2" */
    int count;
    unsigned needs; /* bits of expression_source */
    expression_code code[EXPRESSION_CODES];
} expression;

/* What is wrong, and with which character, from 1. */
typedef struct expression_error {
    int at;
    char text[160];
} expression_error;

/* "LABEL: EXPRESSION", "LABEL: KEY=VALUE ...", or without a label. Where the rest begins, and what to call it: the
 * label, or else the text itself, in one line. In "KEY=[{a: 1}]" there is no label: what has a '=' before the colon is
 * one only if a KEY=VALUE follows. */
const char *expression_behind_label(const char *text);
enum { EXPRESSION_LABEL = 120 };
typedef struct expression_title {
    char text[EXPRESSION_LABEL];
} expression_title;
expression_title expression_label(const char *text);

/* Read a text for states of this system on this group. 1, or 0 with the error. Both must outlive the expression. */
int expression_parse(expression *e, const char *text, const lie_system *sys, const char *group,
                     expression_error *error);

/* The value at a state; NaN where the state has none. */
double expression_value(const expression *e, double t, const double *g, const double *m);

/* If it is nothing but one of the numbers t, g, m, which of them, in this order (`size` numbers of g); otherwise -1. */
int expression_number(const expression *e, int size);

/* "LEFT = RIGHT"; its value is (LEFT - RIGHT)/(1 + |RIGHT|). */
typedef struct equation {
    expression left, right;
} equation;
int equation_parse(equation *e, const char *text, const lie_system *sys, const char *group, expression_error *error);

/* The same as values of a lie_event whose ctx is an expression, or an equation. */
double expression_event(const void *ctx, const lie_system *sys, double t, const double *g, const double *m);
double equation_event(const void *ctx, const lie_system *sys, double t, const double *g, const double *m);

/* Spatial momentum of a body momentum, Ad*_{g^-1} m; angular about the origin also where attitude and position are
 * factors of a product, (R m_1 + x x m_2, m_2). */
void expression_spatial(const lie_ops *G, const char *group, double *out, const double *g, const double *m);

#endif
