/* SPDX-License-Identifier: MIT */
/* factors.c: a walk over the factors of products in products; see factors.h. */
#include "lib/methods/factors.h"

#include <liestep/product.h>

#include <string.h>

static int is_product(const lie_ops *G)
{
    return strcmp(G->group, "product") == 0;
}

int lie__factors(const lie_ops *G, const lie_ops *list[LIE_DIM_MAX])
{
    enum { DEPTH = 4 };
    const lie_ops *of[DEPTH] = {G};
    int next[DEPTH] = {0}, depth = 0, count = 0;
    if (!is_product(G)) {
        list[0] = G;
        return 1;
    }
    while (depth >= 0) {
        const lie_product *product = (const lie_product *)of[depth]->ctx;
        if (next[depth] == product->count) {
            depth--;
            continue;
        }
        const lie_ops *F = product->factor[next[depth]++];
        if (is_product(F) ? depth == DEPTH - 1 : count == LIE_DIM_MAX) return 0;
        if (is_product(F))
            of[++depth] = F, next[depth] = 0;
        else
            list[count++] = F;
    }
    return count;
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
