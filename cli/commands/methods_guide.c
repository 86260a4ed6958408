/* SPDX-License-Identifier: MIT */
/* methods_guide.c: which method to take, by what the user has: what `liestep methods` says first, and the table of
 * README. The reasons are measured: docs/METHODS.md and docs/BENCHMARKS.md have the figures. */
#include <stdio.h>

#include "cli/base/cli.h"
#include "cli/commands/list.h"

static const struct advice {
    const char *have, *take, *why;
} advice[] = {
    {"a free body", "dmv10", "explicit, order 10, momentum and energy exact; cheaper than a step of RK4"},
    {"a potential: top, satellite, vehicle without drag", "split6", "explicit, order 6: nothing to solve"},
    {"drag, thrusters, torques that depend on the velocity", "gauss3", "order 6 with every force and group"},
    {"steps so long that RK4 is lost", "gauss8", "order 16, symplectic; a status where a step has no solution"},
    {"a short arc with an error of 1e-10", "pirk16", "the cheapest at that error; keeps nothing in the long run"},
    {"a million steps where energy and momentum count", "sv", "the cheapest step without drift; take cay with it"},
    {"a flight computer", "split4", "no heap, no iteration: every step costs the same"},
    {"sections and ensembles of many orbits", "sv", "steps in SIMD lanes; take cay with it"},
};
enum { ROWS = sizeof advice / sizeof *advice };

void guide_text(void)
{
    printf("%s%-54s %-8s %s%s\n", cli_paint(stdout, CLI_BOLD), "you have", "take", "because",
           cli_paint(stdout, CLI_PLAIN));
    for (int i = 0; i < ROWS; i++) printf("%-54s %-8s %s\n", advice[i].have, advice[i].take, advice[i].why);
    puts(
        "\nNo method named, or auto: the system decides (liestep methods auto). All of these but pirk16 are symplectic "
        "or\n"
        "keep the energy, and change the momentum by the impulses alone.\n"
        "liestep methods --all lists all methods; liestep methods NAME tells more of one; liestep check NAME measures\n"
        "what it claims.");
}

void guide_markdown(void)
{
    puts("| you have | take | because |\n| --- | --- | --- |");
    for (int i = 0; i < ROWS; i++) printf("| %s | `%s` | %s |\n", advice[i].have, advice[i].take, advice[i].why);
}
