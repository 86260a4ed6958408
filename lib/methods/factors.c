/* SPDX-License-Identifier: MIT */
/* factors.c: a walk over the factors of products in products; see factors.h. */
#include "lib/methods/factors.h"

#include "groups/leaves.h"

int lie__factors(const lie_ops *G, const lie_ops *list[LIE_DIM_MAX])
{
    leaves at = leaves_of(G);
    int count = 0;
    for (const lie_ops *F = next_leaf(&at); F; F = next_leaf(&at)) {
        if (count == LIE_DIM_MAX) return 0;
        list[count++] = F;
    }
    return at.too_deep ? 0 : count;
}

int lie__is_flat(const lie_ops *G)
{
    const lie_ops *list[LIE_DIM_MAX];
    int count = lie__factors(G, list);
    for (int i = 0; i < count; i++)
        if (strcmp(list[i]->group, "R") != 0) return 0;
    return count > 0;
}

int lie__couples(const lie_ops *G, const double *inertia)
{
    const lie_ops *list[LIE_DIM_MAX];
    int n = G->dim, count = lie__factors(G, list), from = 0;
    for (int k = 0; k < count; from += list[k]->dim, k++)
        for (int i = from; i < from + list[k]->dim; i++)
            for (int j = 0; j < n; j++)
                if ((j < from || j >= from + list[k]->dim) && inertia[i * n + j] != 0.0) return 1;
    return 0;
}
