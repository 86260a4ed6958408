/* SPDX-License-Identifier: MIT */
/* interrupt.c: see interrupt.h. */
#define _GNU_SOURCE

#include "cli/base/interrupt.h"

#include <signal.h>

static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
    caught = number;
}

void interrupt_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND}, old;
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    caught = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], 0, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(numbers[i], &action, 0);
    sigaction(SIGXFSZ, &ignore, 0);
}

int interrupt_caught(void)
{
    return caught;
}

cli_exit interrupt_code(void)
{
    int number = caught;
    return number == 0 ? EXIT_FINE : number == SIGINT ? EXIT_INTERRUPTED : EXIT_TERMINATED;
}
