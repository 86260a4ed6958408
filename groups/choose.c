/* SPDX-License-Identifier: MIT */
/* choose.c: a group with other retractions than it came with; of a product, those of its factors. Formulas: group.h.
 * The product chosen is flat: the arrays of products within products are one behind the other anyway. */
#include "groups/leaves.h"

#include <stdint.h>

enum { NAME = 32 };

/* The factors with the retractions chosen. rooms: where those that the factors describe themselves lie. */
typedef struct choice {
    const lie_ops *leaf[LIE_DIM_MAX];
    int count, described, changed;
} choice;

static int is_flat_name(const char *name)
{
    return strcmp(name, "exp") == 0 || strcmp(name, "cay") == 0 || strcmp(name, "skew") == 0;
}

/* *out = F with the retraction of that name, in *room where F describes it itself. All retractions of R^n are one. */
static lie_status choose_leaf(const lie_ops **out, lie_ops *room, const lie_ops *F, const char *name, int for_all)
{
    lie_status status = LIE_OK;
    *out = F;
    if (*name == 0 || strcmp(name, F->retraction) == 0) return LIE_OK;
    if (strcmp(F->group, "R") == 0) return for_all || is_flat_name(name) ? LIE_OK : LIE_ERR_UNKNOWN_NAME;
    if (F->choose)
        status = F->choose(F, room, name), *out = room;
    else
        status = lie_ops_find(out, F->group, name);
    if (status != LIE_OK || (*out)->dim != F->dim || (*out)->size != F->size) return LIE_ERR_UNKNOWN_NAME;
    return LIE_OK;
}

/* Letters up to the next comma or the end */
static size_t length_of(const char *names)
{
    size_t n = 0;
    while (names[n] && names[n] != ',') n++;
    return n;
}

/* The name at *at, up to the next comma or the end, and *at behind it. */
static lie_status next_name(char name[NAME], const char **at)
{
    size_t length = length_of(*at);
    if (length >= NAME) return LIE_ERR_UNKNOWN_NAME;
    memcpy(name, *at, length);
    name[length] = 0;
    *at += length;
    return LIE_OK;
}

/* rooms: null where nothing but their number is wanted. */
static lie_status choose_all(choice *c, const lie_ops *G, const char *names, lie_ops *rooms)
{
    leaves at = leaves_of(G);
    int for_all = names[length_of(names)] == 0;
    const lie_ops *F;
    char name[NAME];
    lie_status status = next_name(name, &names);
    *c = (choice){.count = 0};
    while (status == LIE_OK && (F = next_leaf(&at))) {
        lie_ops one;
        if (c->count > 0 && !for_all) status = *names++ == ',' ? next_name(name, &names) : LIE_ERR_UNKNOWN_NAME;
        if (status == LIE_OK)
            status = choose_leaf(&c->leaf[c->count], rooms ? rooms + c->described : &one, F, name, for_all);
        if (status != LIE_OK) return status;
        c->changed |= c->leaf[c->count] != F;
        c->described += c->leaf[c->count] == (rooms ? rooms + c->described : &one);
        c->count++;
    }
    if (status == LIE_OK && at.too_deep) status = LIE_ERR_SIZE;
    return status == LIE_OK && *names ? LIE_ERR_UNKNOWN_NAME : status;
}

/* Bytes for the product, its array of factors, and what describes itself. */
static size_t bytes_of(const choice *c, const lie_ops *G)
{
    size_t own = is_product(G) ? sizeof(lie_ops) + sizeof(lie_product) + (size_t)c->count * sizeof(lie_ops *) : 0;
    size_t doubles = (own + (size_t)c->described * sizeof(lie_ops) + sizeof(double) - 1) / sizeof(double);
    return c->changed ? doubles * sizeof(double) : 0;
}

size_t lie_ops_choose_memsize(const lie_ops *G, const char *names)
{
    choice c;
    return names && choose_all(&c, G, names, 0) == LIE_OK ? bytes_of(&c, G) : 0;
}

lie_status lie_ops_choose(const lie_ops **out, const lie_ops *G, const char *names, void *work, size_t bytes)
{
    choice c;
    lie_ops *ops = (lie_ops *)work;
    lie_status status = names ? choose_all(&c, G, names, 0) : LIE_OK;
    if (status != LIE_OK) return status;
    if (!names || !c.changed) {
        *out = G;
        return LIE_OK;
    }
    if (bytes_of(&c, G) == 0) {
        *out = c.leaf[0];
        return LIE_OK;
    }
    if (!work || (uintptr_t)work % sizeof(double) != 0 || bytes < bytes_of(&c, G)) return LIE_ERR_MEMORY;
    int own = is_product(G);
    status = choose_all(&c, G, names, ops + own);
    if (status == LIE_OK && own) {
        lie_product *product = (lie_product *)(void *)(ops + own + c.described);
        const lie_ops **factor = (const lie_ops **)(void *)(product + 1);
        memcpy(factor, c.leaf, (size_t)c.count * sizeof *factor);
        *product = (lie_product){c.count, factor};
        status = lie_product_ops(ops, product);
    }
    if (status == LIE_OK) *out = ops;
    return status;
}
