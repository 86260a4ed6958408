/* SPDX-License-Identifier: MIT */
/* capture.h: what a function writes to stderr, as a string; and whole files. POSIX. */
#ifndef LIESTEP_TESTS_CAPTURE_H
#define LIESTEP_TESTS_CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unity.h"

typedef struct capture {
    FILE *file;
    int before; /* what stderr was */
    char text[8192];
} capture;

static inline void capture_begin(capture *c)
{
    fflush(stderr);
    c->text[0] = '\0';
    c->file = tmpfile();
    c->before = dup(STDERR_FILENO);
    TEST_ASSERT_TRUE(c->file && c->before >= 0 && dup2(fileno(c->file), STDERR_FILENO) >= 0);
}

static inline void capture_end(capture *c)
{
    fflush(stderr);
    dup2(c->before, STDERR_FILENO);
    close(c->before);
    rewind(c->file);
    size_t n = fread(c->text, 1, sizeof c->text - 1, c->file);
    c->text[n] = '\0';
    fclose(c->file);
}

/* All of a file from its start, with a NUL behind; to be freed. */
static inline char *read_whole(FILE *file, size_t *bytes)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(file, "a file cannot be opened");
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    char *text = malloc(size + 1);
    TEST_ASSERT_NOT_NULL(text);
    rewind(file);
    *bytes = fread(text, 1, size, file);
    text[*bytes] = '\0';
    return text;
}

#endif
