/* SPDX-License-Identifier: MIT */
/* cli.h: what the parts of the liestep program share. The program uses of the library only what include/ declares.
 *
 * Results go to stdout, messages to stderr. Nothing calls setlocale: numbers are read and written as in C. */
#ifndef LIESTEP_CLI_H
#define LIESTEP_CLI_H

#include <stdio.h>

#include <liestep/liestep.h>

/* Exit codes: name, number, meaning. Shown by `liestep --help`; the man page has the same. */
#define CLI_EXIT_LIST(X)                                                                                               \
    X(EXIT_FINE, 0, "success")                                                                                         \
    X(EXIT_FAILED, 1, "the computation failed: no convergence, a result not finite, a false claim")                    \
    X(EXIT_USAGE, 2, "wrong command line")                                                                             \
    X(EXIT_SCENARIO, 3, "a scenario or another input is wrong")                                                        \
    X(EXIT_OUTPUT, 4, "output could not be written: disk full, no permission, used by another run")                    \
    X(EXIT_INTERRUPTED, 130, "Ctrl-C; a run that writes checkpoints left one")                                         \
    X(EXIT_TERMINATED, 143, "SIGTERM; a run that writes checkpoints left one")

typedef enum cli_exit {
#define CLI_EXIT_ENUM(name, value, text) name = (value),
    CLI_EXIT_LIST(CLI_EXIT_ENUM)
#undef CLI_EXIT_ENUM
} cli_exit;

/* An option of a command, --name or --name VALUE. A list of them ends with a null name. */
typedef struct cli_option {
    const char *name;    /* "retraction" */
    char letter;         /* 'r' for -r, or 0 */
    const char *value;   /* what stands for the value in the help, "NAME"; null: the option has none */
    const char *summary; /* one line */
} cli_option;

/* One command: liestep NAME ARGUMENTS. main answers --help itself: help, then the options, then the examples.
 * One that is called NAME in cli/commands/commands.def is the object command_NAME of a file NAME.c. */
typedef struct cli_command {
    const char *name;
    const char *summary;                    /* one line for the list in --help */
    const char *help;                       /* usage and explanation */
    cli_exit (*run)(int argc, char **argv); /* argv[0] is NAME */
    const cli_option *options;              /* or null */
    const char *examples;                   /* or null */
} cli_command;

/* The command line of a command, one word after the other.
 *
 *     cli_arguments a = {argc, argv, .at = 1, .options = options};
 *     for (int k; (k = cli_next(&a)) != CLI_END;) {
 *         if (k == CLI_WRONG) return EXIT_USAGE;         the message has been printed
 *         if (k == CLI_OPERAND) ... a.value ...
 *         else ... options[k], a.value ...
 *     }
 * Understood are --name VALUE, --name=VALUE, -n VALUE, -nVALUE and -- (operands follow); - and negative numbers are
 * operands. */
typedef struct cli_arguments {
    int argc;
    char **argv;
    int at;                    /* the next word */
    const cli_option *options; /* ends with a null name */
    const char *value;         /* of the option or operand just read */
    int only_operands;         /* "--" was read */
} cli_arguments;
enum { CLI_END = -1, CLI_OPERAND = -2, CLI_WRONG = -3 };
int cli_next(cli_arguments *a);

/* "liestep: " text "\n" and "liestep: warning: " text "\n" on stderr */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The escape sequence of a colour if `out` is a terminal that has colours and NO_COLOR is not set, else "". */
typedef enum cli_colour { CLI_PLAIN, CLI_BOLD, CLI_RED, CLI_GREEN, CLI_YELLOW } cli_colour;
const char *cli_paint(FILE *out, cli_colour colour);

/* The name, of name(0), name(1), ... up to a null, that is nearest to `word`; null if none is near enough to be meant.
 */
const char *cli_nearest(const char *word, const char *(*name)(int i));
/* The same of a list that ends with a null. */
const char *cli_nearest_of(const char *word, const char *const *names);

/* cli_error("unknown WHAT 'WORD'; did you mean 'NEAREST'? WHERE") */
void cli_unknown(const char *what, const char *word, const char *(*name)(int i), const char *where);

/* The i-th method, tableau and group name; null beyond the last. For cli_nearest. */
const char *cli_method_name(int i);
const char *cli_method_word(int i); /* the names of the methods, then their aliases */
const char *cli_tableau_name(int i);
const char *cli_group_name(int i);

/* What a method needs of a system, in words; "" if it takes every one. Returns text. */
enum { CLI_NEEDS = 240 };
const char *cli_method_needs(char *text, size_t size, const lie_method *m);

#endif
