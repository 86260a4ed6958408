/* SPDX-License-Identifier: MIT */
/* lanes_flat.c: steps of several trajectories by the classical Runge-Kutta method on quaternions (rk4_q of flat_rk.c),
 * in the vectors of LIE_LANES doubles for which this file is compiled; the text is the same (flat_step.h) over vectors.
 * Compiled without LIE_LANES: their plan (lanes.h). Nothing branches: a lane whose numbers are not finite any more
 * stays so, and is found at the end of the block.
 *
 * Cost per step and lane: four right-hand sides at the rate of the vector unit. */
#include "groups/num/finite.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"
#include "lib/methods/families.h"
#include "lib/methods/kick.h"
#include "lib/methods/lanes/lanes.h"
#include "lib/methods/rivals/flat_step.h"
#include "lib/systems/directions.h"

LIE_INLINE lanes_shape shape_on(lanes_group group)
{
    if (group == LANES_SE3) return (lanes_shape){12, 6, FLAT_LONGEST, 36, 4};
    return (lanes_shape){4, 3, FLAT_LONGEST, 9, 3};
}

#ifdef LIE_LANES

#include "lib/methods/lanes/lanes_rows.h"

/* Vectors in a tile: as many as help. */
enum { ATTITUDE_VECTORS = 2, MOTION_VECTORS = 1, VECTORS_MAX = 2 };

typedef struct flat_kind {
    lanes_shape shape;
    lanes_force force;
    int is_diagonal; /* the inertia */
    int vectors;
} flat_kind;

/* One vector of trajectories. */
typedef struct flat_bundle {
    lie_real t, low_t, h, y[FLAT_LONGEST];
    lie_mask late;
    const lie_real *inverse, *params;
} flat_bundle;

typedef struct flat_problem {
    const flat_kind *K;
    const lie_real *inverse, *params;
} flat_problem;

LIE_INLINE lie_status rate(const void *of, lie_real *dy, const lie_real *y, flat_stage stage)
{
    const flat_problem *b = (const flat_problem *)of;
    const int dim = b->K->shape.dim, n = flat_q_count(dim);
    lie_real g[12], xi[6], F[6], up[3], *dm = dy + n;
    (void)stage;
    flat_element(dim, g, y);
    flat_free_rate(dim, xi, dm, b->inverse, b->K->is_diagonal, y + n);
    if (b->K->force == LANES_WEIGHT && dim == 6) {
        righting_force(F, b->params, b->params[3], g);
        flat_add(dim, dm, F);
    } else if (b->K->force == LANES_WEIGHT) {
        seen_e3(up, 4, g);
        cross3(F, up, b->params);
        flat_add(dim, dm, F);
    }
    flat_q_rate(dim, dy, y, g, xi);
    return LIE_OK;
}

LIE_INLINE void step(const flat_kind *K, flat_bundle *b)
{
    const int dim = K->shape.dim, n = flat_q_count(dim) + dim;
    const flat_problem p = {K, b->inverse, b->params};
    lie_real next[FLAT_LONGEST];
    twofold time = sum_exact(b->t, b->h + b->low_t);
    b->late |= time.hi == b->t;
    b->t = time.hi, b->low_t = time.lo;
    (void)flat_rk4(n, next, b->y, b->h, rate, &p);
    quat_normalise(next);
    copy_n(n, b->y, next);
}

/* row: of this vector; what stays the same is copied to where it lies without gaps */
LIE_INLINE void start(const flat_kind *K, flat_bundle *b, const lie_real *row, lie_real *constants)
{
    const lanes_shape *S = &K->shape;
    const int vectors = K->vectors;
    row = load(1, &b->t, row, vectors);
    row = load(1, &b->low_t, row, vectors);
    row = load(1, &b->h, row, vectors) + 2 * (S->size + S->dim) * vectors;
    row = load(flat_q_count(S->dim) + S->dim, b->y, row, vectors);
    row += (S->memory - (flat_q_count(S->dim) + S->dim)) * vectors;
    for (int i = 0; i < S->data + S->params; i++) constants[i] = row[i * vectors];
    b->inverse = constants, b->params = constants + S->data;
}

LIE_INLINE void finish(const flat_kind *K, const flat_bundle *b, lie_real *row)
{
    const lanes_shape *S = &K->shape;
    const int n = flat_q_count(S->dim), vectors = K->vectors;
    lie_real g[12], zeros[12];
    flat_element(S->dim, g, b->y);
    zero_n(12, zeros);
    row = save(1, row, &b->t, vectors);
    row = save(1, row, &b->low_t, vectors) + vectors;
    row = save(S->size, row, g, vectors);
    row = save(S->size, row, zeros, vectors);
    row = save(S->dim, row, b->y + n, vectors);
    row = save(S->dim, row, zeros, vectors);
    save(n + S->dim, row, b->y, vectors);
}

/* t, g and m */
LIE_INLINE void leave_trail(const flat_kind *K, const flat_bundle *b, lie_real *row)
{
    const lanes_shape *S = &K->shape;
    lie_real g[12];
    flat_element(S->dim, g, b->y);
    save_trail(S, row, &b->t, g, b->y + flat_q_count(S->dim), K->vectors);
}

LIE_INLINE unsigned lost_bits(const flat_kind *K, const flat_bundle *b)
{
    const int dim = K->shape.dim;
    return lane_bits(b->late | mask_not(all_finite(flat_q_count(dim) + dim, b->y)));
}

LIE_INLINE unsigned run_block(const flat_kind *K, const lanes_block *block)
{
    lie_real *tile = (lie_real *)block->tile, *trail = (lie_real *)block->trail, constants[VECTORS_MAX][36 + 4];
    const int rows = 1 + K->shape.size + K->shape.dim;
    flat_bundle b[VECTORS_MAX] = {{.late = {0}}};
    unsigned bits = 0;
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) start(K, &b[v], tile + v, constants[v]);
    for (int k = 0; k < block->steps; k++) {
        LIE_UNROLL
        for (int v = 0; v < K->vectors; v++) {
            step(K, &b[v]);
            if (trail) leave_trail(K, &b[v], trail + k * rows * K->vectors + v);
        }
    }
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        finish(K, &b[v], tile + v);
        bits |= lost_bits(K, &b[v]) << (v * LIE_LANES);
    }
    return bits;
}

#define INSTANCE(name, group, force, vectors)                                                                          \
    static unsigned name(const lanes_block *block)                                                                     \
    {                                                                                                                  \
        const flat_kind dense = {shape_on(group), force, 0, vectors};                                                  \
        const flat_kind diagonal = {shape_on(group), force, 1, vectors};                                               \
        return block->is_diagonal ? run_block(&diagonal, block) : run_block(&dense, block);                            \
    }
INSTANCE(s3_free, LANES_S3, LANES_FREE, ATTITUDE_VECTORS)
INSTANCE(s3_weight, LANES_S3, LANES_WEIGHT, ATTITUDE_VECTORS)
INSTANCE(se3_free, LANES_SE3, LANES_FREE, MOTION_VECTORS)
INSTANCE(se3_weight, LANES_SE3, LANES_WEIGHT, MOTION_VECTORS)

LANES_KERNEL(flat) = {.lanes = LIE_LANES,
                      .width = {[LANES_S3] = ATTITUDE_VECTORS * LIE_LANES, [LANES_SE3] = MOTION_VECTORS * LIE_LANES},
                      .run = {[LANES_S3] = {s3_free, s3_weight, 0}, [LANES_SE3] = {se3_free, se3_weight, 0}}};

#else

#include "lib/methods/rivals/flat_rk.h"

static int all_plain(const lie_system *systems, long long count)
{
    for (long long i = 0; i < count; i++)
        if (!systems[i].inertia || systems[i].gyro || systems[i].external) return 0;
    return 1;
}

static int plan(lanes_plan *made, const lie_stepper *st, const lie_system *systems, long long count)
{
    if (st->composition || !all_plain(systems, count) || !lie__lanes_force(&made->force, systems, count)) return 0;
    made->group = lie__lanes_group(st->group);
    made->shape = shape_on(made->group);
    made->is_diagonal = lie__lanes_are_diagonal(systems, count);
    return 1;
}

static void constants(const lanes_plan *p, double *out, const lie_stepper *st)
{
    copy_n(p->shape.data, out, lie__flat_inverse(st));
    lie__lanes_weight(p, out, st->system);
}

/* Do the coordinates belong to the state? */
static int ready(const lanes_plan *p, const lanes_record *r, double h)
{
    const double *g = r->state + LANES_STATE, *m = g + 2 * p->shape.size;
    (void)h;
    return r->memory[FLAT_KNOWN] != 0.0 && memcmp(r->memory + FLAT_END_G, g, (size_t)p->shape.size * sizeof *g) == 0 &&
           memcmp(r->memory + FLAT_END_M, m, (size_t)p->shape.dim * sizeof *m) == 0;
}

static void load_column(const lanes_plan *p, double *column, int width, const lanes_record *r)
{
    column += lanes_memory_row(p->shape) * width;
    for (int k = 0; k < FLAT_LONGEST; k++) column[k * width] = r->memory[FLAT_Y + k];
}

static void store_column(const lanes_plan *p, const lanes_record *r, const double *column, int width)
{
    const double *g = r->state + LANES_STATE;
    column += lanes_memory_row(p->shape) * width;
    for (int k = 0; k < FLAT_LONGEST; k++) r->memory[FLAT_Y + k] = column[k * width];
    copy_n(p->shape.size, r->memory + FLAT_END_G, g);
    copy_n(p->shape.dim, r->memory + FLAT_END_M, g + 2 * p->shape.size);
}

const lie_lanes lie__flat_lanes = {.family = &lie__rk4_q,
                                   .kernels = LANES_KERNELS(flat),
                                   .plan = plan,
                                   .constants = constants,
                                   .params = lie__lanes_weight,
                                   .ready = ready,
                                   .load = load_column,
                                   .store = store_column};

#endif
