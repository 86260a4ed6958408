/* SPDX-License-Identifier: MIT */
/* lanes_dmv.c: steps of discrete Moser-Veselov (dmv.c) for several free bodies in their principal axes, in the vectors
 * of LIE_LANES doubles for which this file is compiled; the text is the same (groups/step/so3_dmv_kernel.h) over
 * vectors. Compiled without LIE_LANES: their plan (lanes.h).
 *
 * The constants of a trajectory are its motion, behind that the step and the anchor from which it was made, a copy of
 * the first numbers of the memory (dmv_frame.h; 0 for h: of none), and the principal axes. Where the constant of the
 * motion is missed, the lane is lost. */
#include "groups/step/so3_dmv_kernel.h"
#include "lib/methods/families.h"
#include "lib/methods/lanes/lanes.h"

enum { MOTION = sizeof(so3_dmv_motion) / sizeof(lie_real) };

LIE_INLINE lanes_shape shape_on(lanes_group group)
{
    return (lanes_shape){group == LANES_S3 ? 4 : 9, 3, 0, MOTION, 0};
}

#ifdef LIE_LANES

#include "lib/methods/lanes/lanes_bundle.h"

/* Vectors in a tile: as many as help. */
enum { VECTORS = LIE_LANES == 8 ? 3 : 4 };

LIE_COLD void check(lie_mask *lost, const lie_real *data, const lie_real *m)
{
    *lost |= mask_not(so3_dmv_holds((const so3_dmv_motion *)data, m));
}

LIE_INLINE void step(const lanes_kind *K, bundle *b, const lanes_block *block, int k)
{
    lie_real N[LANES_VECTORS_MAX][3], D[LANES_VECTORS_MAX];
    dmv_turn turn[LANES_VECTORS_MAX];
    const so3_dmv_motion *M[LANES_VECTORS_MAX];
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++)
        if (v == 0 || !block->same_time) advance_time(&b[v]);
    if (((block->taken + k) & (block->period - 1)) == 0) {
        LIE_UNROLL
        for (int v = 0; v < K->vectors; v++) {
            lie_real m[3] = {b[v].m[0], b[v].m[1], b[v].m[2]};
            check(&b[v].lost, b[v].data, m);
        }
    }
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        M[v] = (const so3_dmv_motion *)b[v].data; /* which is made of lie_real alone */
        so3_dmv_solve(N[v], &D[v], M[v], b[v].m);
    }
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) so3_dmv_turn(&turn[v], N[v], D[v]);
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        if (K->group == LANES_S3)
            s3_dmv_move(&turn[v], M[v]->pi, b[v].g, b[v].low_g, b[v].m);
        else
            so3_dmv_move(&turn[v], M[v]->pi, b[v].g, b[v].low_g, b[v].m);
    }
}

/* There is no force. */
LIE_INLINE void begin(const lanes_kind *K, bundle *b, const lanes_block *block, int vector)
{
    (void)K, (void)b, (void)block, (void)vector;
}

/* And no memory but the state. */
LIE_INLINE const lie_real *recall(const lanes_kind *K, bundle *b, const lie_real *row)
{
    (void)K, (void)b;
    return row;
}

LIE_INLINE void remember(const lanes_kind *K, const bundle *b, lie_real *row, int steps)
{
    (void)K, (void)b, (void)row, (void)steps;
}

#define INSTANCE(name, group)                                                                                          \
    static unsigned name(const lanes_block *block)                                                                     \
    {                                                                                                                  \
        const lanes_kind K = {group, LANES_FREE, shape_on(group), VECTORS, 0};                                         \
        return run_block(&K, block);                                                                                   \
    }
INSTANCE(s3, LANES_S3)
INSTANCE(so3, LANES_SO3)

LANES_KERNEL(dmv) = {
    .lanes = LIE_LANES, .width = {VECTORS * LIE_LANES, VECTORS *LIE_LANES, 0}, .run = {{s3, 0, 0}, {so3, 0, 0}}};

#else

#include "lib/methods/free_body/dmv_frame.h"
#include "lib/methods/stepping.h"

enum { KEY = MOTION, KEY_DOUBLES = DMV_OWN, FRAME = KEY + KEY_DOUBLES };
_Static_assert(FRAME + DMV_FRAME_DOUBLES <= LANES_CONSTANTS_MAX, "room for a motion and its axes");

static int plan(lanes_plan *made, const lie_stepper *st, const lie_system *systems, long long count)
{
    if (!lie__lanes_force(&made->force, systems, count)) return 0;
    made->group = lie__lanes_group(st->group);
    made->shape = shape_on(made->group);
    made->period = SO3_DMV_CHECK;
    return 1;
}

static void constants(const lanes_plan *p, double *out, const lie_stepper *st)
{
    so3_dmv_motion M;
    (void)p;
    memcpy(out + KEY, st->memory, KEY_DOUBLES * sizeof *out);
    memcpy(out + FRAME, lie__dmv_frame(st), sizeof(dmv_frame));
    if (lie__dmv_motion(st, &M) == LIE_OK)
        memcpy(out, &M, sizeof M);
    else
        out[KEY + DMV_H] = 0.0;
}

static int known(const lanes_record *r)
{
    const double *key = r->constants + KEY;
    return key[DMV_H] != 0.0 && memcmp(key, r->memory, KEY_DOUBLES * sizeof *key) == 0;
}

static int ready(const lanes_plan *p, const lanes_record *r, double h)
{
    (void)p;
    return r->memory[DMV_H] == h && known(r);
}

/* The state in principal axes; what follows is zero. */
static void load_column(const lanes_plan *p, double *column, int width, const lanes_record *r)
{
    const double *own = r->memory + DMV_OWN;
    for (int k = 0; k < 2 * p->shape.size + p->shape.dim; k++) column[(LANES_STATE + k) * width] = own[k];
}

static const dmv_frame *axes_of(const lanes_record *r)
{
    return (const dmv_frame *)(const void *)(r->constants + FRAME);
}

/* The state from principal axes to those of the body; what the memory has is the former. As in dmv.c. */
static void store_column(const lanes_plan *p, const lanes_record *r, const double *column, int width)
{
    const int n = p->shape.size, d = p->shape.dim;
    double *g = r->state + LANES_STATE, *m = g + 2 * n, own[2 * 9 + 3] = {0.0};
    (void)column, (void)width;
    memcpy(own, g, (size_t)(2 * n + d) * sizeof *g);
    dmv_leave(axes_of(r), n, r->memory, g, m, own, own + n, own + 2 * n);
    memset(g + n, 0, (size_t)n * sizeof *g);
    memset(m + d, 0, (size_t)d * sizeof *m);
}

static void show(const lanes_plan *p, const lanes_record *r, double *column, int width, int steps)
{
    const int n = p->shape.size, d = p->shape.dim;
    double memory[DMV_MEMORY_MAX], own[9 + 3] = {0.0}, body[9 + 3], low[9] = {0.0};
    memcpy(memory, r->memory, (size_t)dmv_memory(n) * sizeof *memory);
    for (int j = 0; j < steps; j++) {
        double *at = column + (j * (1 + n + d) + 1) * width;
        for (int k = 0; k < n + d; k++) own[k] = at[k * width];
        dmv_leave(axes_of(r), n, memory, body, body + n, own, low, own + n);
        for (int k = 0; k < n + d; k++) at[k * width] = body[k];
    }
}

const lie_lanes lie__dmv_lanes = {.family = &lie__dmv,
                                  .kernels = LANES_KERNELS(dmv),
                                  .own_constants = 1,
                                  .plan = plan,
                                  .constants = constants,
                                  .known = known,
                                  .ready = ready,
                                  .load = load_column,
                                  .store = store_column,
                                  .show = show};

#endif
