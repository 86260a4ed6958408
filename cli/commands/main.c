/* SPDX-License-Identifier: MIT */
/* main.c: liestep COMMAND ...: which command of commands.def, and help. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>

#include "cli/base/cli.h"

#define COMMAND(name) extern const cli_command command_##name;
#include "cli/commands/commands.def"
#undef COMMAND

static const cli_command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands/commands.def"
#undef COMMAND
};

static const char *command_name(int i)
{
    return i < (int)(sizeof commands / sizeof commands[0]) ? commands[i]->name : NULL;
}

static const cli_command *find_command(const char *name)
{
    for (int i = 0; command_name(i); i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

static cli_exit show_version(void)
{
    printf("liestep %s\n", lie_version());
    return EXIT_FINE;
}

static void show_exit_codes(void)
{
    puts("\nExit codes");
#define SHOW(name, value, text) printf("  %3d  %s\n", value, text);
    CLI_EXIT_LIST(SHOW)
#undef SHOW
}

static cli_exit show_help(void)
{
    puts("usage: liestep COMMAND [ARGUMENTS]\n"
         "\n"
         "Moves rigid bodies, tops, spacecraft and underwater vehicles so that what physics conserves, the computer\n"
         "conserves: momentum to round-off, energy without drift, over any number of steps.\n"
         "\n"
         "Start here\n"
         "  liestep run --print-defaults >top.yaml     a commented scenario to edit\n"
         "  liestep run top.yaml                       one trajectory: files, plot, what was conserved\n"
         "  liestep run top.yaml -s method=gauss2      the same with another method\n"
         "\n"
         "Commands");
    for (int i = 0; command_name(i); i++) printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    puts("\n"
         "Look around\n"
         "  liestep methods                            which method to take; --all: every method and what it keeps\n"
         "  liestep check sv --retraction cay          measure these claims here and now\n"
         "  liestep convert --from quat --to euler_zyx_deg 0.5 0.5 0.5 0.5\n"
         "\n"
         "Options\n"
         "  --help     this text; liestep COMMAND --help explains a command\n"
         "  --version  the version\n"
         "\n"
         "Colours appear on a terminal only, and not if NO_COLOR is set. Manual: man liestep");
    show_exit_codes();
    return EXIT_FINE;
}

static void show_option(const cli_option *o)
{
    char left[64];
    int n = o->letter ? snprintf(left, sizeof left, "-%c, --%s", o->letter, o->name)
                      : snprintf(left, sizeof left, "--%s", o->name);
    if (o->value && n > 0 && (size_t)n < sizeof left) snprintf(left + n, sizeof left - (size_t)n, " %s", o->value);
    printf("  %-22s %s\n", left, o->summary);
}

static cli_exit show_command(const cli_command *c)
{
    fputs(c->help, stdout);
    if (c->options) {
        puts("\nOptions");
        for (const cli_option *o = c->options; o->name; o++) show_option(o);
        printf("  %-22s %s\n", "--help", "this text");
    }
    if (c->examples) printf("\nExamples\n%s", c->examples);
    return EXIT_FINE;
}

static cli_exit unknown_command(const char *name)
{
    if (name[0] == '-')
        cli_error("unknown option '%s'; a command comes first. 'liestep --help' lists them", name);
    else
        cli_unknown("command", name, command_name, "'liestep --help' lists the commands");
    return EXIT_USAGE;
}

static int asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
    return 0;
}

static cli_exit dispatch(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "--help";
    if (argc < 2) {
        show_help();
        return EXIT_USAGE;
    }
    if (strcmp(word, "--version") == 0) return show_version();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return show_help();
    if (strcmp(word, "help") == 0) {
        if (argc < 3) return show_help();
        word = argv[2];
    }
    const cli_command *c = find_command(word);
    if (!c) return unknown_command(word);
    if (word == argv[1] && !asks_for_help(argc - 1, argv + 1)) return c->run(argc - 1, argv + 1);
    return show_command(c);
}

int main(int argc, char **argv)
{
    cli_exit code = dispatch(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout)) return (int)code;
    cli_error("cannot write to standard output: %s", strerror(errno));
    return code == EXIT_FINE ? (int)EXIT_OUTPUT : (int)code;
}
