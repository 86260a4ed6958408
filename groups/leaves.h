/* SPDX-License-Identifier: MIT */
/* leaves.h: the factors of a product from left to right, those of products within it in their place. Internal. */
#ifndef LIESTEP_GROUPS_LEAVES_H
#define LIESTEP_GROUPS_LEAVES_H

#include <liestep/product.h>

#include <string.h>

enum { LEAVES_DEPTH = 8 };

typedef struct leaves {
    const lie_ops *of[LEAVES_DEPTH];
    int next[LEAVES_DEPTH], depth;
    int too_deep; /* a product within LEAVES_DEPTH products was met: next_leaf has ended there */
} leaves;

static inline int is_product(const lie_ops *G)
{
    return strcmp(G->group, "product") == 0;
}

static inline leaves leaves_of(const lie_ops *G)
{
    return (leaves){.of = {G}};
}

/* The next factor that is no product; null after the last. Of a group that is no product, itself. */
static inline const lie_ops *next_leaf(leaves *at)
{
    while (at->depth >= 0) {
        const lie_ops *G = at->of[at->depth];
        const lie_product *product = is_product(G) ? (const lie_product *)G->ctx : 0;
        if (!product || at->next[at->depth] == product->count) {
            at->depth--;
            if (!product) return G;
            continue;
        }
        G = product->factor[at->next[at->depth]++];
        at->too_deep = at->depth == LEAVES_DEPTH - 1;
        if (at->too_deep) return 0;
        at->of[++at->depth] = G;
        at->next[at->depth] = 0;
    }
    return 0;
}

#endif
