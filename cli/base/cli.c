/* SPDX-License-Identifier: MIT */
/* cli.c: messages, colours, command lines and near misses; see cli.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/base/cli.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *cli_paint(FILE *out, cli_colour colour)
{
    static const char *const sequence[] = {"\033[0m", "\033[1m", "\033[31m", "\033[32m", "\033[33m"};
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if ((no && *no) || !term || strcmp(term, "dumb") == 0 || !isatty(fileno(out))) return "";
    return sequence[colour];
}

/* What was found so far stands before the message. */
static void begin_message(cli_colour colour)
{
    fflush(stdout);
    fprintf(stderr, "%sliestep:%s ", cli_paint(stderr, colour), cli_paint(stderr, CLI_PLAIN));
}

void cli_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin_message(CLI_RED);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void cli_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin_message(CLI_YELLOW);
    fputs("warning: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

/* Upper and lower case are the same letter. */
static int same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

enum { WORD_MAX = 64 };

/* How many letters must be changed, added, dropped or exchanged with their neighbour to get from a to b (optimal string
 * alignment distance). d[i][j] is that of the first i letters of a and the first j of b. */
static size_t distance(const char *a, const char *b)
{
    size_t d[WORD_MAX + 1][WORD_MAX + 1], m = strlen(a), n = strlen(b);
    if (m > WORD_MAX || n > WORD_MAX) return m + n;
    for (size_t i = 0; i <= m; i++) d[i][0] = i;
    for (size_t j = 0; j <= n; j++) d[0][j] = j;
    for (size_t i = 1; i <= m; i++)
        for (size_t j = 1; j <= n; j++) {
            size_t changed = d[i - 1][j - 1] + !same_letter(a[i - 1], b[j - 1]);
            d[i][j] = least(changed, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[m][n];
}

/* How far a name may be from the word to be meant. */
static size_t farthest(const char *word)
{
    size_t length = strlen(word);
    return length < 3 ? 2 : length / 3 + 2;
}

/* The name instead of the nearest so far, if it is nearer than `best`. */
static void see_name(const char *word, const char *name, const char **nearest, size_t *best)
{
    size_t length = strlen(word);
    size_t d = length > 2 && strncmp(word, name, length) == 0 ? 1 : distance(word, name);
    if (d < *best) *best = d, *nearest = name;
}

const char *cli_nearest(const char *word, const char *(*name)(int i))
{
    const char *nearest = NULL;
    size_t best = farthest(word);
    for (int i = 0; name(i); i++) see_name(word, name(i), &nearest, &best);
    return nearest;
}

const char *cli_nearest_of(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    size_t best = farthest(word);
    for (; *names; names++) see_name(word, *names, &nearest, &best);
    return nearest;
}

void cli_unknown(const char *what, const char *word, const char *(*name)(int i), const char *where)
{
    const char *nearest = cli_nearest(word, name);
    if (nearest)
        cli_error("unknown %s '%s'; did you mean '%s'? %s", what, word, nearest, where);
    else
        cli_error("unknown %s '%s'. %s", what, word, where);
}

const char *cli_method_name(int i)
{
    const lie_method *m = lie_method_builtin(i);
    return m ? m->name : NULL;
}

/* The i-th of all aliases of all methods, in a place of its own. */
static const char *method_alias(int i)
{
    enum { MANY = 256, LENGTH = 64 };
    static char alias[MANY][LENGTH];
    const lie_method *m;
    int before = 0;
    for (int k = 0; i < MANY && (m = lie_method_builtin(k)); k++)
        for (const char *at = m->aliases; at && *at; at += strcspn(at, " "), at += *at == ' ')
            if (before++ == i) {
                snprintf(alias[i], LENGTH, "%.*s", (int)strcspn(at, " "), at);
                return alias[i];
            }
    return NULL;
}

const char *cli_method_word(int i)
{
    int names = lie_method_builtin_count();
    return i < names ? cli_method_name(i) : method_alias(i - names);
}

const char *cli_tableau_name(int i)
{
    const lie_tableau *t = lie_tableau_builtin(i);
    return t ? t->name : NULL;
}

/* The groups in the order of the built-in list, each once, and R^n. */
const char *cli_group_name(int i)
{
    const char *last = "";
    for (int k = 0; k < lie_ops_builtin_count(); k++) {
        const lie_ops *G = lie_ops_builtin(k);
        if (strcmp(G->group, last) != 0 && i-- == 0) return G->group;
        last = G->group;
    }
    return i == 0 ? "R" : NULL;
}

static int is_number(const char *word)
{
    char *end;
    strtod(word, &end);
    return end != word && *end == '\0';
}

/* The value of options[k]: `given`, or the next word. */
static int take_value(cli_arguments *a, int k, const char *given)
{
    const cli_option *o = &a->options[k];
    a->value = given;
    if (!o->value && given) {
        cli_error("--%s takes no value, but '%s' was given", o->name, given);
        return CLI_WRONG;
    }
    if (!o->value || given) return k;
    if (a->at >= a->argc) {
        cli_error("--%s needs a value: --%s %s", o->name, o->name, o->value);
        return CLI_WRONG;
    }
    a->value = a->argv[a->at++];
    return k;
}

static int unknown_option(const cli_arguments *a, const char *word)
{
    const char *nearest = NULL;
    size_t length = strcspn(word, "="), best = 3;
    for (int k = 0; length > 3 && a->options[k].name; k++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(length - 2), word + 2);
        size_t d = distance(name, a->options[k].name);
        if (d < best) best = d, nearest = a->options[k].name;
    }
    if (nearest)
        cli_error("unknown option '%.*s'; did you mean '--%s'?", (int)length, word, nearest);
    else
        cli_error("unknown option '%.*s'; 'liestep %s --help' lists the options", (int)length, word, a->argv[0]);
    return CLI_WRONG;
}

static int long_option(cli_arguments *a, const char *word)
{
    size_t length = strcspn(word + 2, "=");
    for (int k = 0; a->options[k].name; k++)
        if (strncmp(a->options[k].name, word + 2, length) == 0 && a->options[k].name[length] == '\0')
            return take_value(a, k, word[2 + length] ? word + 2 + length + 1 : NULL);
    return unknown_option(a, word);
}

int cli_next(cli_arguments *a)
{
    if (a->at < a->argc && !a->only_operands && strcmp(a->argv[a->at], "--") == 0) {
        a->only_operands = 1;
        a->at++;
    }
    if (a->at >= a->argc) return CLI_END;
    const char *word = a->argv[a->at++];
    a->value = word;
    if (a->only_operands || word[0] != '-' || word[1] == '\0' || is_number(word)) return CLI_OPERAND;
    if (word[1] == '-') return long_option(a, word);
    for (int k = 0; a->options[k].name; k++)
        if (a->options[k].letter && a->options[k].letter == word[1]) return take_value(a, k, word[2] ? word + 2 : NULL);
    return unknown_option(a, word);
}
