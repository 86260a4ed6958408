/* SPDX-License-Identifier: MIT */
/* expression_codes.h: what an expression is once it was read: codes for a stack of numbers, on which a vector takes three
 * places. Written by expression.c, carried out by expression_value.c. */
#ifndef LIESTEP_CLI_EXPRESSION_CODES_H
#define LIESTEP_CLI_EXPRESSION_CODES_H

typedef enum what {
    NUMBER,
    LOAD,
    LOAD3,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    NEGATE,
    ADD3,
    SUBTRACT3,
    SCALE,  /* number, vector */
    SCALED, /* vector, number */
    SHRINK, /* vector / number */
    NEGATE3,
    DOT,
    CROSS,
    LENGTH,
    CALL, /* index: of the function */
    CALL2
} what;

typedef struct expression_function {
    const char *name;
    double (*f)(double);
} expression_function;
enum { FUNCTIONS = 10 };
extern const expression_function expression_functions[FUNCTIONS];

#endif
