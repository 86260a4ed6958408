/* SPDX-License-Identifier: MIT */
/* bits_hash.c: prints the hashes that must be the same for every compiler, level and processor.
 *
 *   bits_hash              all lines of tests/bits/bits_reference.txt, which it can be redirected to
 *   bits_hash --short      those of maps, and of steps with few steps each
 *   bits_hash --list       before each line one for every map, or every method on every system, to find what differs
 *
 * A promise that this build breaks by itself (a restart or lanes with other bits) is told and the exit code is 1. */
#ifdef BITS_WITH_ENSEMBLES
#include <liestep/ensemble.h>
#endif

#include <inttypes.h>
#include <stdio.h>

#include "tests/bits/bits.h"
#include "tests/bits/bits_steps.h"
#include "unity.h"

enum { SHORT_STEPS = 40, STEPS = 1000 };

static int is_list, broken;

static void tell(uint64_t hash, const char *what)
{
    printf("%016" PRIx64 " %s\n", hash, what);
}

static uint64_t add_pair(uint64_t before, uint64_t found, const bits_pair *p, const char *kind, const char *complaint)
{
    char text[160];
    snprintf(text, sizeof text, "%s: %s", kind, p->name);
    if (is_list) tell(found, text);
    if (complaint) {
        fprintf(stderr, "%s: %s\n", text, complaint);
        broken = 1;
    }
    return bits_add(before, found);
}

static void steps(long long n, const char *title)
{
    bits_pair p;
    uint64_t all = 0xcbf29ce484222325u;
    for (int subject = 0, method = 0; bits_pair_next(&p, &subject, &method);) {
        const char *complaint = NULL;
        uint64_t hash = bits_hash_pair(&p, bits_pair_steps(&p, n), &complaint);
        all = add_pair(all, hash, &p, "steps", complaint);
    }
    tell(all, title);
}

#ifdef BITS_WITH_ENSEMBLES
static void ensembles(long long n, const char *title)
{
    bits_pair p;
    uint64_t all = 0xcbf29ce484222325u;
    int widest = 1;
    for (int subject = 0, method = 0; bits_pair_next(&p, &subject, &method);) {
        const char *complaint = NULL;
        int lanes = 1;
        if (!p.subject->has_crew) continue;
        uint64_t hash = bits_hash_crew(&p, bits_pair_steps(&p, n) / 10, &lanes, &complaint);
        all = add_pair(all, hash, &p, "ensembles", complaint);
        if (lanes > widest) widest = lanes;
    }
    if (widest < lie_ensemble_lanes_max()) {
        fprintf(stderr, "no system had as many lanes as this processor, %d\n", lie_ensemble_lanes_max());
        broken = 1;
    }
    tell(all, title);
}
#else
static void ensembles(long long n, const char *title)
{
    (void)n, (void)title;
}
#endif

static void maps(void)
{
    for (int k = 0; is_list && k < map_count; k++)
        tell(bits_hash_map(&map_table[k], 0xcbf29ce484222325u), map_table[k].name);
    tell(bits_hash_all(), "maps");
}

/* The systems are made with Unity's assertions. */
void setUp(void)
{
}

void tearDown(void)
{
}

static int are_systems_made(void)
{
    UNITY_BEGIN();
    if (!TEST_PROTECT()) return 0;
    return bits_subject_at(0) != NULL;
}

int main(int argc, char **argv)
{
    int is_short = 0;
    for (int i = 1; i < argc; i++) {
        is_list |= strcmp(argv[i], "--list") == 0;
        is_short |= strcmp(argv[i], "--short") == 0;
    }
    if (!are_systems_made()) {
        fprintf(stderr, "the systems of tests/bits/bits_subjects.c cannot be made\n");
        return 1;
    }
    maps();
    steps(SHORT_STEPS, "short steps");
    ensembles(SHORT_STEPS, "short ensembles");
    if (!is_short) steps(STEPS, "steps");
    if (!is_short) ensembles(STEPS, "ensembles");
    return broken;
}
