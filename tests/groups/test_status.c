/* SPDX-License-Identifier: MIT */
/* The status list and the version: every code has its own name and sentence, and no value is left without an answer. */
#include <liestep/status.h>
#include <liestep/version.h>
#include <stdio.h>
#include <string.h>

#include "unity.h"

#define ENTRY(name, value, text) {name, value, #name},
static const struct {
    lie_status status;
    int value;
    const char *name;
} list[] = {LIE_STATUS_LIST(ENTRY)};
enum { COUNT = sizeof list / sizeof list[0] };

void test_status_values_are_0_to_n_without_a_gap(void)
{
    TEST_ASSERT_EQUAL_INT(0, LIE_OK);
    for (int i = 0; i < COUNT; i++) {
        TEST_ASSERT_EQUAL_INT(i, list[i].value);
        TEST_ASSERT_EQUAL_INT(i, list[i].status);
    }
}

void test_status_name_is_the_identifier(void)
{
    for (int i = 0; i < COUNT; i++) TEST_ASSERT_EQUAL_STRING(list[i].name, lie_status_name(list[i].status));
}

void test_status_texts_are_distinct_sentences(void)
{
    for (int i = 0; i < COUNT; i++) {
        const char *text = lie_status_text(list[i].status);
        TEST_ASSERT_GREATER_THAN_size_t(5, strlen(text));
        TEST_ASSERT_NULL(strchr(text, '\n'));
        for (int j = 0; j < i; j++) TEST_ASSERT_TRUE(strcmp(text, lie_status_text(list[j].status)) != 0);
    }
}

void test_status_of_no_status_is_named_too(void)
{
    const int foreign[] = {-1, COUNT, 12345};
    for (int i = 0; i < 3; i++) {
        const char *name = lie_status_name((lie_status)foreign[i]);
        const char *text = lie_status_text((lie_status)foreign[i]);
        TEST_ASSERT_EQUAL_STRING("LIE_UNKNOWN_STATUS", name);
        for (int j = 0; j < COUNT; j++) TEST_ASSERT_TRUE(strcmp(text, lie_status_text(list[j].status)) != 0);
    }
}

void test_version_of_library_headers_and_numbers_agree(void)
{
    char numbers[32];
    (void)snprintf(numbers, sizeof numbers, "%d.%d.%d", LIE_VERSION_MAJOR, LIE_VERSION_MINOR, LIE_VERSION_PATCH);
    TEST_ASSERT_EQUAL_STRING(numbers, LIE_VERSION_STRING);
    TEST_ASSERT_EQUAL_STRING(numbers, lie_version());
    TEST_ASSERT_EQUAL_INT(LIE_VERSION_NUMBER, lie_version_number());
    TEST_ASSERT_EQUAL_INT(LIE_VERSION_PATCH, LIE_VERSION_NUMBER % 100);
    TEST_ASSERT_EQUAL_INT(LIE_VERSION_MINOR, LIE_VERSION_NUMBER / 100 % 100);
}
