/* SPDX-License-Identifier: MIT */
/* embedded_leaf.h: the groups around which a flat space is known, and the coordinates there. Internal.
 *
 *     S3, SO3    (q, p)            in T*R^4            embedded.c has the equations
 *     SE3        (q, p, px, x)     in T*(R^4 x R^3)
 *     SE2        (z, p, px, x)     in T*(C x R^2), z = exp(i t/2)
 *     R^n        (p, x)            in T*R^n
 *     g^T J g = J    (g, Z)        in T*R^(n x n)      embedded_matrix.c has the equations
 *
 * A group of embedded_general.c is a list of them. x is counted from where the step begins. */
#ifndef LIESTEP_LIB_EMBEDDED_LEAF_H
#define LIESTEP_LIB_EMBEDDED_LEAF_H

#include "lib/methods/embedded/embedded_end.h"
#include "lib/methods/stepping.h"

/* What a coordinate is: part of a direction, whose length is an invariant; a momentum; a place. Changes are measured
 * in parts: those of a direction by its length, of a momentum and of the place beside it by the momentum, with
 * `weight` for its square: that of an energy. */
typedef enum flat_role { FLAT_DIRECTION, FLAT_MOMENTUM, FLAT_PLACE } flat_role;
typedef struct flat_row {
    flat_role role;
    int part;
    double weight;
} flat_row;

/* The coordinates of a step as they are found. */
typedef struct flat_rows {
    flat_row *row;
    int rows, parts;
    const double *inverse; /* of the inertia, n x n, or null */
    int n;
} flat_rows;

/* What the end of a step is made of, stage after stage: values and slopes (rows of `rows`), elements (`size`), forces
 * (`dim`). */
typedef struct flat_step {
    int stages, rows, size, dim;
    const double *hb, *hb_low; /* h b_i, and what its rounding has lost */
    const double *y, *Y, *K, *g, *F;
} flat_step;

typedef struct embedded_leaf embedded_leaf;

typedef struct embedded_leaf_kind {
    int (*takes)(const lie_ops *G);
    int (*rows)(const lie_ops *G);
    int signs; /* so many coordinates say of which of two points y is, all of them change their sign together */
    void (*describe)(const embedded_leaf *L, flat_rows *to);
    /* y of the node; of two the one nearer to `end`, if there are signs */
    void (*begin)(const embedded_leaf *L, double *y, const lie_place *at, const double *end);
    /* element and momentum at y, in a step from `at` */
    lie_status (*seen)(const embedded_leaf *L, double *g, double *m, const double *y, const lie_place *at);
    /* y' with this velocity and force; g, m: those of y */
    lie_status (*rate)(const embedded_leaf *L, double *k, const double *y, const double *g, const double *m,
                       const double *xi, const double *F);
    /* The node moves on, the momentum by its impulses; false where the stages are not those of the equations. */
    int (*end)(const embedded_leaf *L, const flat_step *S, lie_place *at);
} embedded_leaf_kind;

/* One of them in a group: where its part of elements, of momenta and of y begins. */
struct embedded_leaf {
    const embedded_leaf_kind *kind;
    const lie_ops *G;
    int g, m, y;
};

/* Null where no flat space around this group is known. */
const embedded_leaf_kind *lie__embedded_leaf_of(const lie_ops *G);

extern const embedded_leaf_kind lie__embedded_matrix;

/* `count` coordinates of this role, those of the directions `from` to `to` of the algebra. A place comes after its
 * momentum; anything else begins a part. */
static inline void flat_describe(flat_rows *to, flat_role role, int count, int from, int end)
{
    double weight = 0.0;
    for (int i = from; i < end && to->inverse; i++) weight += to->inverse[i * to->n + i];
    if (role == FLAT_DIRECTION || !to->inverse) weight = 1.0;
    if (role != FLAT_PLACE) to->parts++;
    for (int i = 0; i < count; i++) to->row[to->rows++] = (flat_row){role, to->parts - 1, weight};
}

/* h sum_i b_i of a number of each stage, `stride` apart */
static inline double flat_sum(const flat_step *S, const double *values, int stride)
{
    double K[EMBEDDED_STAGES_MAX] = {0.0};
    for (int i = 0; i < S->stages; i++) K[i] = values[i * stride]; // NOLINT(clang-analyzer-core.*)
    return row_sum(S->stages, S->hb, K) + row_sum(S->stages, S->hb_low, K);
}

#endif
