/* SPDX-License-Identifier: MIT */
/* unset.h: one run of a driver with all memory filled with the same byte beforehand: work memory, the structures that
 * are initialised, the stack. What comes out is noted down, and runs with different bytes are compared. Under valgrind
 * that memory counts as not initialised, too. */
#ifndef LIESTEP_TESTS_UNSET_H
#define LIESTEP_TESTS_UNSET_H

#include <liestep/liestep.h>

#include <string.h>

#include "unity.h"

#if defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif
#endif
#ifndef VALGRIND_MAKE_MEM_UNDEFINED
#define VALGRIND_MAKE_MEM_UNDEFINED(at, bytes) (0)
#endif

enum { UNSET_NOTES = 20000, UNSET_BYTES = 1 << 22, UNSET_FILLINGS = 3 };

typedef struct unset_note {
    const char *what;
    size_t at, bytes;
} unset_note;

typedef struct unset_run {
    int byte;
    int count;
    size_t used;
    unset_note note[UNSET_NOTES];
    unsigned char data[UNSET_BYTES];
} unset_run;

/* What is behind `p` in this run */
static inline void unset_put(unset_run *r, const char *what, const void *p, size_t bytes)
{
    TEST_ASSERT_TRUE_MESSAGE(r->count < UNSET_NOTES && r->used + bytes <= UNSET_BYTES, "room for notes");
    r->note[r->count++] = (unset_note){what, r->used, bytes};
    memcpy(r->data + r->used, p, bytes);
    r->used += bytes;
}

static inline void unset_doubles(unset_run *r, const char *what, const double *p, int count)
{
    unset_put(r, what, p, (size_t)count * sizeof *p);
}

static inline void unset_double(unset_run *r, const char *what, double x)
{
    unset_put(r, what, &x, sizeof x);
}

static inline void unset_number(unset_run *r, const char *what, long long x)
{
    unset_put(r, what, &x, sizeof x);
}

static inline void unset_status(unset_run *r, const char *what, lie_status status)
{
    unset_number(r, what, (long long)status);
}

/* What of a state is its content */
static inline void unset_state(unset_run *r, const char *what, const lie_ops *G, const lie_state *s)
{
    unset_double(r, what, s->t), unset_double(r, what, s->low_t);
    unset_doubles(r, what, s->g, G->size), unset_doubles(r, what, s->low_g, G->size);
    unset_doubles(r, what, s->m, G->dim), unset_doubles(r, what, s->low_m, G->dim);
    unset_number(r, what, s->steps);
}

/* Leaves the byte on the stack, where the next call has its variables. */
static inline void unset_stain_stack(int byte)
{
    volatile unsigned char stack[200000];
    for (size_t i = 0; i < sizeof stack; i++) stack[i] = (unsigned char)byte;
}

static inline void unset_fill(const unset_run *r, void *at, size_t bytes)
{
    memset(at, r->byte, bytes);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(at, bytes);
    unset_stain_stack(r->byte);
}

#define UNSET_FILL(r, object) unset_fill(r, &(object), sizeof(object))

static unset_run unset_runs[UNSET_FILLINGS];

/* `drive` with three fillings, 0, NaN and a number near 0: the same notes */
static inline void unset_compare(void (*drive)(unset_run *r))
{
    static const int byte[UNSET_FILLINGS] = {0x00, 0xff, 0x3f};
    for (int i = 0; i < UNSET_FILLINGS; i++) {
        unset_run *r = &unset_runs[i], *first = &unset_runs[0];
        r->byte = byte[i], r->count = 0, r->used = 0;
        unset_stain_stack(byte[i]);
        drive(r);
        TEST_ASSERT_TRUE(r->count > 0);
        for (int k = 0; k < r->count && k < first->count; k++) {
            TEST_ASSERT_EQUAL_STRING(first->note[k].what, r->note[k].what);
            TEST_ASSERT_EQUAL_size_t(first->note[k].bytes, r->note[k].bytes);
            if (r->note[k].bytes == 0) continue;
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(first->data + first->note[k].at, r->data + r->note[k].at, r->note[k].bytes,
                                             r->note[k].what);
        }
        TEST_ASSERT_EQUAL_INT(first->count, r->count);
    }
}

#endif
