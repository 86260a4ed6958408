/* SPDX-License-Identifier: MIT */
/* tableau_numbers.h: a tableau by its name, and its coefficients in long double, for the tests of tableaux and
 * compositions. */
#ifndef LIESTEP_TESTS_TABLEAU_NUMBERS_H
#define LIESTEP_TESTS_TABLEAU_NUMBERS_H

#include <liestep/tableau.h>

#include "tests/support/near.h"

static inline const lie_tableau *tableau_named(const char *name)
{
    const lie_tableau *t = NULL;
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_tableau_find(&t, name), name);
    return t;
}

static inline long double a_of(const lie_tableau *t, int i, int j)
{
    return (long double)t->A[i * t->stages + j];
}

static inline long double b_of(const lie_tableau *t, int i)
{
    return (long double)t->b[i];
}

static inline long double c_of(const lie_tableau *t, int i)
{
    return (long double)t->c[i];
}

#endif
