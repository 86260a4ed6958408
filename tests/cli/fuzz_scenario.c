/* SPDX-License-Identifier: MIT */
/* fuzz_scenario.c: the scenario reader on arbitrary bytes. What stands before the first byte 0xff is the scenario, each
 * piece between the following ones an override. A scenario that is accepted must have been made whole: a stepper can be
 * made of it, and takes a step or says why not. tools/fuzz.sh runs it with libFuzzer, fuzz_files.c without. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/scenario/scenario.h"

enum { OVERRIDES = 4 };

static void require(int condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "fuzz_scenario: %s\n", what);
    abort();
}

static void use(const scenario *s)
{
    lie_stepper *st;
    lie_state x = s->start;
    size_t bytes = lie_stepper_memsize(&s->system, &s->options);
    void *work = malloc(bytes);
    require(work != NULL, "an accepted scenario has no stepper");
    require(lie_stepper_init(&st, &s->system, &s->options, work, bytes) == LIE_OK, "an accepted scenario cannot start");
    require(s->steps >= 1 && s->output.every >= 1 && s->step != 0.0, "an accepted scenario has no steps");
    require(s->output.directory && s->name && s->options.method, "an accepted scenario lacks a name");
    require(!s->output.csv || !strchr(s->output.csv, '/'), "a file name leads elsewhere");
    if (s->u) lie_stepper_control(st, s->u, s->u);
    (void)lie_step(st, &x, s->step);
    free(work);
}

/* The piece that starts at *at and ends at 0xff or at the end, as a string; *at moves behind it. */
static char *next_piece(const uint8_t **at, const uint8_t *end, size_t *length)
{
    size_t n = 0;
    while (*at + n < end && (*at)[n] != 0xff) n++;
    char *text = malloc(n + 1);
    require(text != NULL, "out of memory");
    for (size_t i = 0; i < n; i++) text[i] = (char)(*at)[i];
    text[n] = '\0';
    *length = n;
    *at += *at + n < end ? n + 1 : n;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const uint8_t *at = data, *end = data + bytes;
    scenario s;
    char *override[OVERRIDES] = {NULL};
    int overrides = 0;
    size_t length, unused;
    char *text = next_piece(&at, end, &length);
    while (at < end && overrides < OVERRIDES) override[overrides++] = next_piece(&at, end, &unused);
    if (scenario_parse(&s, "fuzz", text, length, overrides, override) == EXIT_FINE) use(&s);
    scenario_free(&s);
    for (int i = 0; i < overrides; i++) free(override[i]);
    free(text);
    return 0;
}
