/* SPDX-License-Identifier: MIT */
/* lanes_bundle.h: a block of steps of several vectors of trajectories that take turns, so that one computes while
 * another waits for a quotient; for the kernels that are compiled for several lanes (lanes.h). The file that includes
 * this says how a step goes. Internal. */
#ifndef LIESTEP_LIB_LANES_BUNDLE_H
#define LIESTEP_LIB_LANES_BUNDLE_H

#include "groups/num/finite.h"
#include "groups/num/twofold.h"
#include "lib/methods/lanes/lanes.h"
#include "lib/methods/lanes/lanes_rows.h"

enum { LANES_VECTORS_MAX = 4 };
enum { RING = 8 }; /* a power of two, not less than HISTORY */

/* One vector of trajectories. */
typedef struct bundle {
    lie_real t, low_t, h;
    lie_real g[LANES_SIZE_MAX], low_g[LANES_SIZE_MAX], m[LANES_DIM_MAX], low_m[LANES_DIM_MAX], F[LANES_DIM_MAX];
    lie_real memory[4];     /* of the free steps of SO3 and S3 */
    lie_real past[RING][6]; /* velocities on SE3: that of the step k at k mod RING */
    lie_mask late, lost;
    lie_real doubt; /* NaN where something was not finite */
    const lie_real *data, *params;
} bundle;

/* What a kernel is compiled for. */
typedef struct lanes_kind {
    lanes_group group;
    lanes_force force;
    lanes_shape shape;
    int vectors;
    int is_diagonal; /* the inertias, on SE3 */
} lanes_kind;

/* The parts that the file has of its own: what comes before the first step of a block, for one vector; a step, for all
 * vectors; the memory from and to the rows of a tile. */
LIE_INLINE void begin(const lanes_kind *K, bundle *b, const lanes_block *block, int vector);
LIE_INLINE void step(const lanes_kind *K, bundle *b, const lanes_block *block, int k);
LIE_INLINE const lie_real *recall(const lanes_kind *K, bundle *b, const lie_real *row);
LIE_INLINE void remember(const lanes_kind *K, const bundle *b, lie_real *row, int steps);

/* A lane at rest goes on without trouble. */
LIE_INLINE void put_to_rest(int dim, bundle *b, lie_mask lost)
{
    LIE_UNROLL
    for (int i = 0; i < dim; i++) {
        b->m[i] = real_select(lost, real_of(0.0), b->m[i]);
        b->low_m[i] = real_select(lost, real_of(0.0), b->low_m[i]);
    }
    LIE_UNROLL
    for (int i = 0; i < 4; i++) b->memory[i] = real_select(lost, real_of(0.0), b->memory[i]);
    b->lost |= lost;
}

LIE_INLINE void advance_time(bundle *b)
{
    twofold next = sum_exact(b->t, b->h + b->low_t);
    b->late |= next.hi == b->t;
    b->t = next.hi, b->low_t = next.lo;
}

/* b: all zero; row: of this vector; data and params are copied to where they lie without gaps */
LIE_INLINE void start(const lanes_kind *K, bundle *b, const lie_real *row, lie_real *constants)
{
    const int n = K->shape.size, d = K->shape.dim, vectors = K->vectors;
    row = load(1, &b->t, row, vectors);
    row = load(1, &b->low_t, row, vectors);
    row = load(1, &b->h, row, vectors);
    row = load(n, b->g, row, vectors);
    row = load(n, b->low_g, row, vectors);
    row = load(d, b->m, row, vectors);
    row = load(d, b->low_m, row, vectors);
    row = recall(K, b, row);
    for (int i = 0; i < K->shape.data + K->shape.params; i++) constants[i] = row[i * vectors];
    b->data = constants, b->params = constants + K->shape.data;
}

LIE_INLINE void finish(const lanes_kind *K, const bundle *b, lie_real *row, int steps)
{
    const int n = K->shape.size, d = K->shape.dim, vectors = K->vectors;
    row = save(1, row, &b->t, vectors);
    row = save(1, row, &b->low_t, vectors);
    row = save(1, row, &b->h, vectors);
    row = save(n, row, b->g, vectors);
    row = save(n, row, b->low_g, vectors);
    row = save(d, row, b->m, vectors);
    row = save(d, row, b->low_m, vectors);
    remember(K, b, row, steps);
}

/* Where all lanes have the same time, the first vector has it. */
LIE_INLINE void share_time(const lanes_kind *K, bundle *b)
{
    LIE_UNROLL
    for (int v = 1; v < K->vectors; v++) b[v].t = b[0].t, b[v].low_t = b[0].low_t, b[v].late = b[0].late;
}

LIE_INLINE unsigned lost_bits(const lanes_kind *K, const bundle *b)
{
    return lane_bits(b->lost | b->late | mask_not(all_finite(K->shape.dim, b->m) & (b->doubt == 0.0)));
}

LIE_INLINE unsigned run_block(const lanes_kind *K, const lanes_block *block)
{
    lie_real *tile = (lie_real *)block->tile, *trail = (lie_real *)block->trail;
    lie_real constants[LANES_VECTORS_MAX][LANES_DATA_MAX + LANES_PARAMS_MAX];
    const int trail_rows = 1 + K->shape.size + K->shape.dim;
    bundle b[LANES_VECTORS_MAX] = {{.lost = {0}}};
    unsigned bits = 0;
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        start(K, &b[v], tile + v, constants[v]);
        begin(K, &b[v], block, v);
    }
    for (int k = 0; k < block->steps; k++) {
        step(K, b, block, k);
        if (!trail) continue;
        if (block->same_time) share_time(K, b);
        LIE_UNROLL
        for (int v = 0; v < K->vectors; v++)
            save_trail(&K->shape, trail + k * trail_rows * K->vectors + v, &b[v].t, b[v].g, b[v].m, K->vectors);
    }
    if (block->same_time) share_time(K, b);
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        finish(K, &b[v], tile + v, block->steps);
        bits |= lost_bits(K, &b[v]) << (v * LIE_LANES);
    }
    return bits;
}

#endif
