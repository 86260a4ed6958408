/* SPDX-License-Identifier: MIT */
/* expression.c: the text of an expression; see expression.h. A parser by recursive descent writes codes
 * (expression_codes.h). Types are known when the text is read, so that the codes need not look at them. */
#include "cli/base/expression.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/expression_codes.h"
#include "cli/base/expression_names.h"

typedef enum type { WRONG, SCALAR, VECTOR } type;

typedef struct parser {
    expression *e;
    const char *text, *at;
    expression_error *error;
    int depth, used; /* of the recursion; places on the stack */
} parser;

static type fail(parser *p, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static type fail(parser *p, const char *at, const char *format, ...)
{
    va_list arguments;
    if (p->error->at > 0) return WRONG;
    va_start(arguments, format);
    p->error->at = (int)(at - p->text) + 1;
    vsnprintf(p->error->text, sizeof p->error->text, format, arguments);
    va_end(arguments);
    return WRONG;
}

/* Append a code that makes the stack grow by `more`. */
static void put(parser *p, what w, expression_source source, int index, double number, int more)
{
    expression *e = p->e;
    if (e->count == EXPRESSION_CODES || p->used + more > EXPRESSION_STACK) {
        fail(p, p->at, "the expression is too long");
        return;
    }
    e->code[e->count++] = (expression_code){(unsigned char)w, (unsigned char)source, (unsigned char)index, number};
    p->used += more;
}

static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t') p->at++;
}

/* Is the next character this one? Then it is read. */
static int take(parser *p, char c)
{
    skip_blanks(p);
    if (*p->at != c) return 0;
    p->at++;
    return 1;
}

static type expect(parser *p, char c, type so_far)
{
    if (so_far == WRONG || take(p, c)) return so_far;
    if (*p->at) return fail(p, p->at, "expected '%c', found '%c'", c, *p->at);
    return fail(p, p->at, "expected '%c', found the end", c);
}

static const char *word_of(type t)
{
    return t == VECTOR ? "a vector" : "a number";
}

/* Expressions nest, and so do the functions that read them, 40 deep at most. */
/* NOLINTBEGIN(misc-no-recursion) */
static type sum(parser *p);

static type read_number(parser *p)
{
    char *end;
    double value = strtod(p->at, &end);
    if (!isfinite(value)) return fail(p, p->at, "the number is too large");
    p->at = end;
    put(p, NUMBER, FROM_TIME, 0, value, 1);
    return SCALAR;
}

/* Two vectors in brackets were read as the arguments of dot or cross. */
static type join_vectors(parser *p, const char *at, type a, type b, what w)
{
    if (a == WRONG || b == WRONG) return WRONG;
    if (a != VECTOR || b != VECTOR) return fail(p, at, "needs two vectors, like Pi and P");
    put(p, w, FROM_TIME, 0, 0.0, w == DOT ? -5 : -3);
    return w == DOT ? SCALAR : VECTOR;
}

static type call_of_two(parser *p, const char *at, const char *name)
{
    type a = expect(p, ',', sum(p)), b = a == WRONG ? WRONG : expect(p, ')', sum(p));
    if (strcmp(name, "dot") == 0) return join_vectors(p, at, a, b, DOT);
    if (strcmp(name, "cross") == 0) return join_vectors(p, at, a, b, CROSS);
    if (a == WRONG || b == WRONG) return WRONG;
    if (a == VECTOR || b == VECTOR) return fail(p, at, "atan2 needs two numbers");
    put(p, CALL2, FROM_TIME, 0, 0.0, -1);
    return SCALAR;
}

static type length_of(parser *p, type a)
{
    if (a == WRONG) return WRONG;
    if (a == VECTOR)
        put(p, LENGTH, FROM_TIME, 0, 0.0, -2);
    else
        put(p, CALL, FROM_TIME, 1, 0.0, 0);
    return SCALAR;
}

static type read_call(parser *p, const char *at, const char *name)
{
    if (strcmp(name, "atan2") == 0 || strcmp(name, "dot") == 0 || strcmp(name, "cross") == 0)
        return call_of_two(p, at, name);
    if (strcmp(name, "norm") == 0) return length_of(p, expect(p, ')', sum(p)));
    for (int i = 0; i < FUNCTIONS; i++) {
        if (strcmp(expression_functions[i].name, name) != 0) continue;
        type a = expect(p, ')', sum(p));
        if (a == VECTOR) return fail(p, at, "%s needs a number, not a vector", name);
        put(p, CALL, FROM_TIME, i, 0.0, 0);
        return a;
    }
    return fail(p, at,
                "there is no function '%s'; there are sqrt abs sin cos tan asin acos atan exp log atan2 dot "
                "cross norm",
                name);
}

static type read_name(parser *p)
{
    char name[24];
    const char *at = p->at;
    size_t n = 0;
    expression_name found;
    while ((*p->at >= 'a' && *p->at <= 'z') || (*p->at >= 'A' && *p->at <= 'Z') || (*p->at >= '0' && *p->at <= '9') ||
           *p->at == '_') {
        if (n + 1 < sizeof name) name[n++] = *p->at;
        p->at++;
    }
    name[n] = '\0';
    if (take(p, '(')) return read_call(p, at, name);
    if (strcmp(name, "pi") == 0) {
        put(p, NUMBER, FROM_TIME, 0, 3.14159265358979323846, 1);
        return SCALAR;
    }
    if (!expression_name_find(&found, name, p->e->group, p->e->system->group->dim)) {
        char names[120];
        expression_names_list(names, sizeof names, p->e->group, p->e->system->group->dim);
        return fail(p, at, "there is no '%s' here; there are %s", name, names);
    }
    p->e->needs |= 1u << found.source;
    put(p, found.size == 3 ? LOAD3 : LOAD, found.source, found.index, 0.0, found.size);
    return found.size == 3 ? VECTOR : SCALAR;
}

static type primary(parser *p)
{
    skip_blanks(p);
    const char c = *p->at;
    if ((c >= '0' && c <= '9') || (c == '.' && p->at[1] >= '0' && p->at[1] <= '9')) return read_number(p);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return read_name(p);
    if (take(p, '(')) return expect(p, ')', sum(p));
    if (take(p, '|')) return length_of(p, expect(p, '|', sum(p)));
    if (c) return fail(p, p->at, "expected a value, found '%c'", c);
    return fail(p, p->at, "expected a value, found the end");
}

/* a.b, a^b; the power binds to the right: 2^3^2 = 2^9, and -a^2 = -(a^2) */
static type factor(parser *p)
{
    if (++p->depth > 40) return fail(p, p->at, "too many brackets");
    if (take(p, '-')) {
        type a = factor(p);
        if (a != WRONG) put(p, a == VECTOR ? NEGATE3 : NEGATE, FROM_TIME, 0, 0.0, 0);
        p->depth--;
        return a;
    }
    type a = primary(p);
    const char *at = p->at;
    while (a == VECTOR && take(p, '.')) a = join_vectors(p, at, a, primary(p), DOT);
    if (a != WRONG && take(p, '^')) {
        type b = factor(p);
        if (b == WRONG) return WRONG;
        if (a == VECTOR || b == VECTOR) return fail(p, at, "'^' needs numbers; the square of a vector is a.a");
        put(p, POWER, FROM_TIME, 0, 0.0, -1);
    }
    p->depth--;
    return a;
}

static type multiply(parser *p, const char *at, type a, type b)
{
    if (a == VECTOR && b == VECTOR) return fail(p, at, "'*' of two vectors: write a.b or cross(a, b)");
    if (a == SCALAR && b == SCALAR)
        put(p, MULTIPLY, FROM_TIME, 0, 0.0, -1);
    else
        put(p, a == SCALAR ? SCALE : SCALED, FROM_TIME, 0, 0.0, -1);
    return a == SCALAR ? b : a;
}

static type divide(parser *p, const char *at, type a, type b)
{
    if (b == VECTOR) return fail(p, at, "cannot divide by a vector");
    put(p, a == VECTOR ? SHRINK : DIVIDE, FROM_TIME, 0, 0.0, -1);
    return a;
}

static type product(parser *p)
{
    type a = factor(p);
    while (a != WRONG) {
        skip_blanks(p);
        const char *at = p->at;
        int times = take(p, '*');
        if (!times && !take(p, '/')) break;
        type b = factor(p);
        if (b == WRONG) return WRONG;
        a = times ? multiply(p, at, a, b) : divide(p, at, a, b);
    }
    return a;
}

static type sum(parser *p)
{
    if (++p->depth > 40) return fail(p, p->at, "too many brackets");
    type a = product(p);
    while (a != WRONG) {
        skip_blanks(p);
        const char *at = p->at;
        int plus = take(p, '+');
        if (!plus && !take(p, '-')) break;
        type b = product(p);
        if (b == WRONG) return WRONG;
        if (a != b) return fail(p, at, "'%c' of %s and %s", *at, word_of(a), word_of(b));
        if (a == VECTOR)
            put(p, plus ? ADD3 : SUBTRACT3, FROM_TIME, 0, 0.0, -3);
        else
            put(p, plus ? ADD : SUBTRACT, FROM_TIME, 0, 0.0, -1);
    }
    p->depth--;
    return a;
}

/* NOLINTEND(misc-no-recursion) */

/* A number, up to the end of the text or to `end`. */
static int parse_until(parser *p, char end)
{
    type a = sum(p);
    skip_blanks(p);
    if (a == VECTOR) fail(p, p->text, "this is a vector; a number is needed: a component, a length or a dot product");
    if (a == SCALAR && *p->at != end) {
        if (*p->at)
            fail(p, p->at, "expected %s, found '%c'", end ? "'='" : "an operator or the end", *p->at);
        else
            fail(p, p->at, "expected '= ...', found the end");
    }
    return p->error->at == 0;
}

int expression_parse(expression *e, const char *text, const lie_system *sys, const char *group, expression_error *error)
{
    parser p = {.e = e, .text = text, .at = text, .error = error};
    e->system = sys, e->group = group, e->count = 0, e->needs = 0;
    error->at = 0;
    return parse_until(&p, '\0');
}

int equation_parse(equation *e, const char *text, const lie_system *sys, const char *group, expression_error *error)
{
    parser p = {.e = &e->left, .text = text, .at = text, .error = error};
    e->left.system = e->right.system = sys;
    e->left.group = e->right.group = group;
    e->left.count = e->right.count = 0;
    e->left.needs = e->right.needs = 0;
    error->at = 0;
    if (!parse_until(&p, '=')) return 0;
    p.e = &e->right, p.at++, p.used = 0, p.depth = 0;
    return parse_until(&p, '\0');
}

const char *expression_behind_label(const char *text)
{
    const char *colon = strstr(text, ": "), *equals = strchr(text, '=');
    if (!colon) return text;
    const char *behind = colon + 2 + strspn(colon + 2, " ");
    return !equals || equals > colon || behind[strcspn(behind, "=[{ ")] == '=' ? behind : text;
}

expression_title expression_label(const char *text)
{
    const char *behind = expression_behind_label(text);
    expression_title name;
    int n = behind > text ? (int)(strstr(text, ": ") - text) : (int)strlen(text);
    snprintf(name.text, sizeof name.text, "%.*s", n, text);
    for (char *c = name.text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
    return name;
}
