/* SPDX-License-Identifier: MIT */
/* expression_value.c: the value of an expression that was read: its codes, one after the other, on a stack of numbers. */
#include <math.h>
#include <string.h>

#include "cli/base/expression.h"
#include "cli/base/expression_codes.h"
#include "cli/base/expression_names.h"

enum { BELOW = 6 }; /* places below the stack: no code may reach them, and if one did it would find zeros */

const expression_function expression_functions[FUNCTIONS] = {
    {"sqrt", sqrt}, {"abs", fabs},  {"sin", sin},   {"cos", cos}, {"tan", tan},
    {"asin", asin}, {"acos", acos}, {"atan", atan}, {"exp", exp}, {"log", log}};

/* One code that works on numbers alone; *top is the place above the last. */
static void do_scalar(const expression_code *c, double **top)
{
    double *s = *top;
    switch ((what)c->what) {
    case ADD:
        s[-2] += s[-1];
        break;
    case SUBTRACT:
        s[-2] -= s[-1];
        break;
    case MULTIPLY:
        s[-2] *= s[-1];
        break;
    case DIVIDE:
        s[-2] /= s[-1];
        break;
    case POWER:
        s[-2] = s[-1] == 2.0 ? s[-2] * s[-2] : pow(s[-2], s[-1]);
        break;
    case CALL2:
        s[-2] = atan2(s[-2], s[-1]);
        break;
    case NEGATE:
        s[-1] = -s[-1];
        return;
    case CALL:
        s[-1] = expression_functions[c->index].f(s[-1]);
        return;
    default:
        return;
    }
    --*top;
}

static void do_cross(double *a, const double *b)
{
    double c[3];
    for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    memcpy(a, c, sizeof c);
}

/* The same with vectors. Answers by how many places the stack shrinks. */
static int do_vector(const expression_code *c, double *s)
{
    double number;
    switch ((what)c->what) {
    case ADD3:
        for (int i = -3; i < 0; i++) s[i - 3] += s[i];
        return 3;
    case SUBTRACT3:
        for (int i = -3; i < 0; i++) s[i - 3] -= s[i];
        return 3;
    case SCALE:
        number = s[-4];
        for (int i = -4; i < -1; i++) s[i] = number * s[i + 1];
        return 1;
    case SCALED:
        for (int i = -4; i < -1; i++) s[i] *= s[-1];
        return 1;
    case SHRINK:
        for (int i = -4; i < -1; i++) s[i] /= s[-1];
        return 1;
    case NEGATE3:
        for (int i = -3; i < 0; i++) s[i] = -s[i];
        return 0;
    case DOT:
        s[-6] = s[-6] * s[-3] + s[-5] * s[-2] + s[-4] * s[-1];
        return 5;
    case CROSS:
        do_cross(s - 6, s - 3);
        return 3;
    case LENGTH:
        s[-3] = sqrt(s[-3] * s[-3] + s[-2] * s[-2] + s[-1] * s[-1]);
        return 2;
    default:
        return 0;
    }
}

double expression_value(const expression *e, double t, const double *g, const double *m)
{
    const double *source[EXPRESSION_SOURCES];
    double stack[BELOW + EXPRESSION_STACK] = {0.0}, *top = stack + BELOW;
    expression_room room;
    if (e->count == 1 && e->code[0].what == LOAD && e->code[0].source == FROM_MOMENTUM) return m[e->code[0].index];
    if (!expression_sources(source, &room, e, &t, g, m)) return (double)NAN;
    if (e->count == 1 && e->code[0].what == LOAD) return source[e->code[0].source][e->code[0].index];
    for (int i = 0; i < e->count; i++) {
        const expression_code *c = &e->code[i];
        if (c->what == NUMBER) {
            *top++ = c->number;
        } else if (c->what == LOAD || c->what == LOAD3) {
            const double *from = source[c->source] + c->index;
            for (int k = 0; k < (c->what == LOAD ? 1 : 3); k++) *top++ = from[k];
        } else if (c->what >= ADD3 && c->what <= LENGTH) {
            top -= do_vector(c, top);
        } else {
            do_scalar(c, &top);
        }
    }
    return stack[BELOW];
}

int expression_number(const expression *e, int size)
{
    const expression_code *c = &e->code[0];
    if (e->count != 1 || c->what != LOAD) return -1;
    if (c->source == FROM_TIME) return 0;
    if (c->source == FROM_ELEMENT) return 1 + c->index;
    return c->source == FROM_MOMENTUM ? 1 + size + c->index : -1;
}

double expression_event(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    (void)sys;
    return expression_value((const expression *)ctx, t, g, m);
}

double equation_event(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    const equation *e = (const equation *)ctx;
    (void)sys;
    double right = expression_value(&e->right, t, g, m);
    return (expression_value(&e->left, t, g, m) - right) / (1.0 + fabs(right));
}
