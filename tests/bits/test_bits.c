/* SPDX-License-Identifier: MIT */
/* The same input gives the same bits: the hash of all maps equals the reference that every compiler and machine must
 * reproduce (tests/bits/bits_reference.txt; `make bits` compares compilers and options). */
#include <inttypes.h>
#include <stdio.h>

#include "tests/bits/bits.h"
#include "tests/bits/bits_steps.h"
#include "unity.h"

void test_bits_equal_the_reference(void)
{
    char expected[32] = "", found[32];
    FILE *file = fopen(BITS_REFERENCE, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, BITS_REFERENCE);
    TEST_ASSERT_EQUAL_INT(1, fscanf(file, "%31s", expected));
    fclose(file);
    snprintf(found, sizeof found, "%016" PRIx64, bits_hash_all());
    TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, found,
                                     "run build/tests/bits_hash --list on both versions to see which map");
}

void test_bits_hash_sees_one_ulp(void)
{
    TEST_ASSERT_TRUE(bits_add_double(1u, 1.0) != bits_add_double(1u, 1.0 + 0x1p-52));
    TEST_ASSERT_TRUE(bits_add_double(1u, 0.0) != bits_add_double(1u, -0.0));
}

static int is_in_table(const char *name)
{
    int found = 0;
    for (int k = 0; k < map_count; k++) found += strcmp(map_table[k].name, name) == 0;
    return found == 1;
}

/* The generator of the table leaves out what it takes for no map: none may be lost by that. */
void test_bits_table_has_lost_no_map(void)
{
    TEST_ASSERT_GREATER_OR_EQUAL(253, map_count);
    TEST_ASSERT_TRUE(is_in_table("lie_series_dexpinv") && is_in_table("lie_quat_to_matrix"));
}

/* Every group with every retraction, by the verbs that all have. */
void test_bits_table_holds_the_maps_of_all_groups(void)
{
#define GROUP(file, name, ...) {name, #file},
#define RETRACTION(...)
    static const char *const prefixes[][2] = {
#include "groups/groups.def"
    };
    static const char *const verbs[] = {"identity", "mul", "inv", "act", "hat", "vee", "Ad", "Adt", "ad", "adt"};
    static const char *const tangents[] = {"%s",      "d%s",        "d%st",          "d%sinv",
                                           "d%sinvt", "d%s_matrix", "d%sinv_matrix", "d%s_body_deriv"};
    for (int i = 0; i < lie_ops_builtin_count(); i++) {
        const lie_ops *G = lie_ops_builtin(i);
        const char *prefix = NULL;
        char verb[32], name[64];
        for (size_t k = 0; k < sizeof prefixes / sizeof prefixes[0]; k++)
            if (strcmp(prefixes[k][0], G->group) == 0) prefix = prefixes[k][1];
        TEST_ASSERT_NOT_NULL_MESSAGE(prefix, G->group);
        for (size_t k = 0; k < sizeof verbs / sizeof verbs[0] + sizeof tangents / sizeof tangents[0]; k++) {
            size_t own = sizeof verbs / sizeof verbs[0];
            snprintf(verb, sizeof verb, k < own ? verbs[k] : tangents[k - own], G->retraction);
            snprintf(name, sizeof name, "lie_%s_%s", prefix, verb);
            TEST_ASSERT_TRUE_MESSAGE(is_in_table(name), name);
        }
    }
}

/* The hash of steps forgets no method, and no group with a retraction. */
void test_bits_steps_cover_all_methods_and_groups(void)
{
    int methods[128] = {0}, groups[64] = {0}, subject = 0, method = 0;
    bits_pair p;
    TEST_ASSERT_TRUE(lie_method_builtin_count() <= 128 && lie_ops_builtin_count() <= 64);
    while (bits_pair_next(&p, &subject, &method)) {
        for (int i = 0; i < lie_method_builtin_count(); i++) methods[i] += lie_method_builtin(i) == p.method;
        for (int i = 0; i < lie_ops_builtin_count(); i++) groups[i] += lie_ops_builtin(i) == p.subject->sys.group;
    }
    for (int i = 0; i < lie_method_builtin_count(); i++)
        TEST_ASSERT_TRUE_MESSAGE(methods[i] > 0, lie_method_builtin(i)->name);
    for (int i = 0; i < lie_ops_builtin_count(); i++)
        TEST_ASSERT_TRUE_MESSAGE(groups[i] > 0, lie_ops_builtin(i)->group);
}

/* Nor a ready system. */
void test_bits_steps_cover_all_systems(void)
{
#define SYSTEM(name, ...) #name,
    static const char *const names[] = {
#include "cli/scenario/systems.def"
    };
#undef SYSTEM
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        int found = 0;
        for (int i = 0; bits_subject_at(i); i++) found += strcmp(bits_subject_at(i)->sys.name, names[k]) == 0;
        TEST_ASSERT_TRUE_MESSAGE(found > 0, names[k]);
    }
}
