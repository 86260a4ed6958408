/* SPDX-License-Identifier: MIT */
/* near.h: assertions on arrays: equal within a bound in eps = 2^-52, equal to the bit, untouched. */
#ifndef LIESTEP_TESTS_NEAR_H
#define LIESTEP_TESTS_NEAR_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unity.h"

#define NEAR_PI 3.14159265358979323846
#define KEEP 0.7771

/* |a - b| <= bound eps max(1, |b|), Euclidean norms */
static inline void near_at(int line, int n, const double *a, const double *b, double bound)
{
    double d = 0.0, s = 0.0;
    for (int i = 0; i < n; i++) d += (a[i] - b[i]) * (a[i] - b[i]), s += b[i] * b[i];
    double scale = sqrt(s) > 1.0 ? sqrt(s) : 1.0, error = sqrt(d) / (DBL_EPSILON * scale);
    char text[100];
    snprintf(text, sizeof text, "line %d: off by %.3g eps, bound %.3g", line, error, bound);
    TEST_ASSERT_TRUE_MESSAGE(error <= bound, text);
}

static inline void same_at(int line, int n, const double *a, const double *b)
{
    char text[100];
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "line %d: component %d is %.17g, not %.17g", line, i, a[i], b[i]);
        TEST_ASSERT_TRUE_MESSAGE(a[i] == b[i], text);
    }
}

/* Fill with a value that no map gives, and see that it is still there. */
static inline void keep_fill(int n, double *a)
{
    for (int i = 0; i < n; i++) a[i] = KEEP;
}

static inline void kept_at(int line, int n, const double *a)
{
    char text[60];
    snprintf(text, sizeof text, "line %d: the output was touched", line);
    for (int i = 0; i < n; i++) TEST_ASSERT_TRUE_MESSAGE(a[i] == KEEP, text);
}

#define NEAR(n, a, b, bound) near_at(__LINE__, n, a, b, bound)
#define SAME(n, a, b) same_at(__LINE__, n, a, b)

/* A call that must be refused with this status and leave its output of n doubles alone. `out` names the output. */
#define REFUSED(status, n, out, call)                                                                                  \
    do {                                                                                                               \
        keep_fill(n, out);                                                                                             \
        TEST_ASSERT_EQUAL(status, call);                                                                               \
        kept_at(__LINE__, n, out);                                                                                     \
    } while (0)

#endif
