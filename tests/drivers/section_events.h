/* SPDX-License-Identifier: MIT */
/* section_events.h: surfaces that tests of sections share. */
#ifndef LIESTEP_TESTS_SECTION_EVENTS_H
#define LIESTEP_TESTS_SECTION_EVENTS_H

#include <liestep/section.h>

/* f = m1 - level */
static inline double above(const void *ctx, const lie_system *s, double t, const double *g, const double *m)
{
    (void)s, (void)t, (void)g;
    return m[0] - *(const double *)ctx;
}

/* f = (m1 - level)^2: touches 0 where m1 crosses */
static inline double above_squared(const void *ctx, const lie_system *s, double t, const double *g, const double *m)
{
    double f = above(ctx, s, t, g, m);
    return f * f;
}

#endif
