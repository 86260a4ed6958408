/* SPDX-License-Identifier: MIT */
/* The same input gives the same bits: the hash of all maps equals the reference that every compiler and machine must
 * reproduce (tests/bits_reference.txt; `make bits` compares compilers and options). */
#include <inttypes.h>
#include <stdio.h>

#include "bits.h"
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
                                     "run build/tests/bits_hash --maps on both versions to see which map");
}

void test_bits_hash_sees_one_ulp(void)
{
    TEST_ASSERT_TRUE(bits_add_double(1u, 1.0) != bits_add_double(1u, 1.0 + 0x1p-52));
    TEST_ASSERT_TRUE(bits_add_double(1u, 0.0) != bits_add_double(1u, -0.0));
}

void test_bits_table_holds_the_maps_of_all_headers(void)
{
    static const char *const some[] = {"lie_so3_exp", "lie_s3_cayqlog", "lie_quat_dcayt",     "lie_se3_dexp_body_deriv",
                                       "lie_se2_Adt", "lie_rn_mul",     "lie_series_dexpinv", "lie_quat_to_matrix"};
    TEST_ASSERT_GREATER_THAN(200, map_count);
    for (int i = 0; i < (int)(sizeof some / sizeof some[0]); i++) {
        int found = 0;
        for (int k = 0; k < map_count; k++) found += strcmp(map_table[k].name, some[i]) == 0;
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, found, some[i]);
    }
}
