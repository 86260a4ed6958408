/* SPDX-License-Identifier: MIT */
/* middle.h: the middle of a step, where the chart of untruncated variational methods with a symmetric tableau is
 * anchored: a = g tau(v), g+ = a tau(v). */
#ifndef LIESTEP_TESTS_MIDDLE_H
#define LIESTEP_TESTS_MIDDLE_H

#include <liestep/group.h>
#include <liestep/tableau.h>

#include <math.h>

#include "unity.h"

/* Stages and weights are their own mirror image. */
static inline int middle_of_tableau(const lie_tableau *tab)
{
    int s = tab->stages, last = s * s - 1;
    for (int k = 0; k <= last; k++)
        if (fabs(tab->A[k] + tab->A[last - k] - tab->b[k % s]) > 1e-12) return 0;
    return 1;
}

/* v with tau(v)^2 = g: the root is moved by half of what is left of g on both sides, until nothing is. Near the
 * identity that takes a few passes. */
static inline void middle_find(const lie_ops *G, double *v, const double *g)
{
    double root[LIE_SIZE_MAX], back[LIE_SIZE_MAX], rest[LIE_SIZE_MAX], T[LIE_SIZE_MAX], d[LIE_DIM_MAX], size = 1.0;
    G->identity(G, root);
    for (int pass = 0; pass < 200 && size > (pass < 10 ? 1e-15 : 4e-15); pass++) {
        size = 0.0;
        G->inv(G, back, root);
        G->mul(G, rest, back, g);
        G->mul(G, rest, rest, back);
        TEST_ASSERT_EQUAL(LIE_OK, G->tauinv(G, d, rest));
        for (int k = 0; k < G->dim; k++) size = fmax(size, fabs(d[k])), d[k] *= 0.5;
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, T, d));
        G->mul(G, root, root, T);
    }
    TEST_ASSERT_EQUAL(LIE_OK, G->tauinv(G, v, root));
}

#endif
