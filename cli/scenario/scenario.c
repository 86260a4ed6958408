/* SPDX-License-Identifier: MIT */
/* scenario.c: read a scenario from a file or from memory. The way through the parts stands in scenario_reading.h.
 * Numbers are read and shown as in the C locale, whatever the locale of the thread. */
#define _POSIX_C_SOURCE 200809L
#include "cli/scenario/scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/scenario/scenario_reading.h"

enum { BYTES_MAX = 1 << 20 };

/* From values to what they mean. */
static bool build_from_values(reading *r)
{
    if (!values_check(r)) return false;
    values_settle(r);
    return system_build(r) && start_build(r) && method_build(r) && output_build(r) && section_build(r) &&
           ensemble_build(r) && target_build(r);
}

static bool build(reading *r, const char *text, size_t bytes, int overrides, char **override)
{
    if (bytes > BYTES_MAX) {
        cli_error("%s: has %zu bytes; a scenario has at most %d", r->name, bytes, BYTES_MAX);
        return false;
    }
    return values_read(r, text, bytes, overrides, override) && build_from_values(r);
}

static cli_exit parse(scenario *out, const char *name, const char *text, size_t bytes, int overrides, char **override,
                      char *problem)
{
    *out = (scenario){0};
    out->store = calloc(1, sizeof *out->store);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!out->store || plain == (locale_t)0 || !(out->store->name = strdup(name))) {
        cli_error("%s: out of memory", name);
        if (plain != (locale_t)0) freelocale(plain);
        scenario_free(out);
        return EXIT_SCENARIO;
    }
    locale_t before = uselocale(plain);
    reading r = {.name = name, .problem = problem, .system = -1, .out = out, .store = out->store};
    bool fine = build(&r, text, bytes, overrides, override);
    out->name = out->store->name;
    if (fine)
        out->fingerprint = scenario_hash(&r);
    else
        scenario_free(out);
    uselocale(before);
    freelocale(plain);
    return fine ? EXIT_FINE : EXIT_SCENARIO;
}

cli_exit scenario_parse(scenario *out, const char *name, const char *text, size_t bytes, int overrides, char **override)
{
    cli_exit code = parse(out, name, text, bytes, overrides, override, NULL);
    if (code != EXIT_FINE) return code;
    out->store->text = (char *)malloc(bytes + 1);
    if (out->store->text) {
        memcpy(out->store->text, text, bytes);
        out->store->bytes = bytes;
        return EXIT_FINE;
    }
    cli_error("%s: out of memory", name);
    scenario_free(out);
    return EXIT_SCENARIO;
}

cli_exit scenario_variant(scenario *out, const scenario *base, int overrides, char **override, char *problem)
{
    const struct scenario_store *from = base->store;
    if (problem) problem[0] = '\0';
    return parse(out, base->name, from->text, from->bytes, overrides, override, problem);
}

/* The values of base, those changed in memory of its own, without those that the changed ones exclude. */
static bool borrow_values(struct scenario_store *store, const struct scenario_store *base, int changes,
                          const scenario_change *change)
{
    size_t count = 1;
    unsigned taken = 0;
    for (int i = 0; i < changes; i++) count += (size_t)change[i].count, taken |= scenario_keys[change[i].key].one_of;
    double *next = store->varied = (double *)malloc(count * sizeof *next);
    if (!next) return false;
    store->values = base->values;
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].one_of & taken) store->values.of[k] = (key_value){0};
    for (int i = 0; i < changes; i++) {
        memcpy(next, change[i].number, (size_t)change[i].count * sizeof *next);
        store->values.of[change[i].key] = (key_value){.number = next, .count = (unsigned)change[i].count};
        next += change[i].count;
    }
    return true;
}

cli_exit scenario_vary(scenario *out, const scenario *base, int changes, const scenario_change *change)
{
    char problem[SCENARIO_PROBLEM] = "";
    *out = (scenario){.name = base->name};
    out->store = calloc(1, sizeof *out->store);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool fine = out->store && plain != (locale_t)0 && borrow_values(out->store, base->store, changes, change);
    if (fine) {
        locale_t before = uselocale(plain);
        reading r = {.name = base->name, .problem = problem, .system = -1, .out = out, .store = out->store};
        fine = build_from_values(&r);
        uselocale(before);
    }
    if (plain != (locale_t)0) freelocale(plain);
    if (!fine) scenario_free(out);
    return fine ? EXIT_FINE : EXIT_SCENARIO;
}

void scenario_free(scenario *s)
{
    if (s->store) {
        if (!s->store->varied) scenario_values_free(&s->store->values);
        free(s->store->varied);
        free(s->store->name);
        free(s->store->text);
        free(s->store);
    }
    *s = (scenario){0};
}

/* At most BYTES_MAX + 1 bytes, so that a longer file is noticed. Answers their number, or -1. */
static ssize_t read_all(int file, char *text)
{
    size_t n = 0;
    while (n <= BYTES_MAX) {
        ssize_t got = read(file, text + n, BYTES_MAX + 1 - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        n += (size_t)got;
    }
    return (ssize_t)n;
}

static cli_exit read_from(scenario *out, int file, const char *path, int overrides, char **override)
{
    char *text = malloc(BYTES_MAX + 1);
    ssize_t bytes = text ? read_all(file, text) : -1;
    cli_exit code = EXIT_SCENARIO;
    if (bytes < 0)
        cli_error("%s: cannot be read: %s", path, strerror(errno));
    else if (bytes > BYTES_MAX)
        cli_error("%s: has more than %d bytes; that is no scenario", path, BYTES_MAX);
    else
        code = scenario_parse(out, path, text, (size_t)bytes, overrides, override);
    free(text);
    return code;
}

cli_exit scenario_read(scenario *out, const char *path, int overrides, char **override)
{
    struct stat st;
    *out = (scenario){0};
    if (strcmp(path, "-") == 0) return read_from(out, STDIN_FILENO, path, overrides, override);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        cli_error("%s: cannot be opened: %s", path, strerror(errno));
        return EXIT_SCENARIO;
    }
    cli_exit code = EXIT_SCENARIO;
    if (fstat(file, &st) == 0 && S_ISDIR(st.st_mode))
        cli_error("%s: is a directory; name a scenario file in it", path);
    else
        code = read_from(out, file, path, overrides, override);
    close(file);
    return code;
}

cli_exit scenario_refuse_tolerance(const scenario *s, const char *command)
{
    if (s->tolerance == 0.0) return EXIT_FINE;
    cli_error("%s: tolerance: 'liestep %s' takes steps of one length; remove it, or override it with -s tolerance=",
              s->name, command);
    return EXIT_SCENARIO;
}
