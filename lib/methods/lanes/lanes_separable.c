/* SPDX-License-Identifier: MIT */
/* lanes_separable.c: steps of separable.c (ep, ve, sv with cay) for several trajectories, in the vectors of LIE_LANES
 * doubles for which this file is compiled: kick, solve and move in one, kick; the text is the same
 * (groups/maps/so3_cay.h, se3_cay.h, kick.h) over vectors. Compiled without LIE_LANES: their plan (lanes.h).
 *
 * The usual step has no branch but one that says whether every lane has been served. Where one has not, Newton's method
 * goes on for it while the others stand by, out of line; where that is not enough either the lane is lost (lanes.h).
 *
 * Cost per step and lane: that of the flops of groups/step at the rate of the vector unit. */
#include "groups/maps/se3_cay.h"
#include "groups/maps/so3_cay.h"
#include "groups/num/ahead.h"
#include "groups/num/finite.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"
#include "lib/methods/families.h"
#include "lib/methods/kick.h"
#include "lib/methods/lanes/lanes.h"
#include "lib/systems/directions.h"

LIE_INLINE lanes_shape shape_on(lanes_group group)
{
    if (group == LANES_SE3) return (lanes_shape){12, 6, 6 * HISTORY, SE3_DOUBLES, 4};
    return (lanes_shape){group == LANES_S3 ? 4 : 9, 3, 4, SO3_DOUBLES, 3};
}

_Static_assert((int)SE3_DOUBLES <= (int)LANES_DATA_MAX && (int)SO3_DOUBLES <= (int)LANES_DATA_MAX, "room for the data");
_Static_assert(6 * HISTORY <= (int)LANES_MEMORY_MAX, "room for the memory");

#ifdef LIE_LANES

#include "lib/methods/lanes/lanes_bundle.h"

/* Vectors in a tile: as many as help. */
enum { ATTITUDE_VECTORS = LIE_LANES == 4 ? 3 : 2, MOTION_VECTORS = 1 };

/* free steps on SO3 and S3 */

/* What Newton's method works on: copies, so that what the usual case works with stays in registers. */
typedef struct rescue {
    secular E;
    half_turn turn;
    lie_real sigma, s;
    lie_mask wanting, lost;
} rescue;

/* The turn of the lanes that want one; those for which there is none stand still. */
LIE_COLD void improve(rescue *r, const lie_real *data, int cap)
{
    lie_real c[3], s = r->s;
    int passes;
    copy_n(3, c, r->turn.c);
    lie_mask unique = secular_unique(&r->E, data);
    lie_mask left = secular_newton(c, r->sigma, &s, &r->E, r->wanting & unique, cap, &passes);
    r->lost = r->wanting & (mask_not(unique) | left);
    half_turn_exact(&r->turn, s, r->wanting);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) r->turn.c[i] = real_select(r->lost, real_of(0.0), c[i]);
    r->turn.alpha = real_select(r->lost, real_of(0.0), r->turn.alpha);
    r->turn.beta = real_select(r->lost, real_of(0.0), r->turn.beta);
    r->s = real_select(r->lost, r->E.s0, s);
}

/* Every part of the step for all vectors before the next part: the processor looks ahead far enough to fill the waits
 * of one with the work of another. */
LIE_INLINE void attitude_step(const lanes_kind *K, bundle *b, int cap)
{
    secular E[LANES_VECTORS_MAX];
    half_turn turn[LANES_VECTORS_MAX];
    lie_real sigma[LANES_VECTORS_MAX], s[LANES_VECTORS_MAX];
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) E[v] = secular_of(b[v].data, 0.5 * b[v].h, real_of(1.0), b[v].m);
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) half_turn_guess(&turn[v], &sigma[v], &s[v], &E[v], b[v].memory);
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        lie_mask holds = secular_holds(&E[v], s[v], sigma[v], b[v].data);
        if (!LIE_USUALLY(mask_all(holds))) {
            rescue r = {E[v], turn[v], sigma[v], s[v], mask_not(holds), holds};
            improve(&r, b[v].data, cap);
            turn[v] = r.turn, s[v] = r.s;
            put_to_rest(3, &b[v], r.lost);
        }
        lie_real *past = b[v].memory;
        past[3] = past[2], past[2] = past[1], past[1] = past[0], past[0] = s[v] - E[v].s0;
    }
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        if (K->group == LANES_S3)
            s3_turn_by(&turn[v], b[v].g, b[v].low_g, b[v].m, b[v].low_m);
        else
            so3_turn_by(&turn[v], b[v].g, b[v].low_g, b[v].m, b[v].low_m);
    }
}

/* free steps on SE3: a lane that was lost stays without a solution, and without motion */

LIE_INLINE void motion_step(const lanes_kind *K, bundle *b, int k, int cap)
{
    lie_real past[HISTORY], w[3], xi[6], X[6], dg[12], dm[6];
    int passes;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) {
        LIE_UNROLL
        for (int j = 0; j < HISTORY; j++) past[j] = b->past[(k + RING - 1 - j) & (RING - 1)][i];
        w[i] = ahead(HISTORY, past);
    }
    zero_n(6, xi);
    lie_mask found = se3_newton(xi, w, K->is_diagonal, b->h, b->data, b->m, cap, &passes) & all_finite(6, xi);
    if (!LIE_USUALLY(mask_all(found))) {
        put_to_rest(6, b, mask_not(found));
        LIE_UNROLL
        for (int i = 0; i < 6; i++) xi[i] = real_select(found, xi[i], real_of(0.0));
    }
    LIE_UNROLL
    for (int i = 0; i < 6; i++) X[i] = b->h * xi[i], b->past[k & (RING - 1)][i] = xi[i];
    lie_real witness = se3_cay_change(dg, dm, b->g, b->m, X);
    b->doubt += zero_if_finite(witness);
    carry_n(6, b->m, b->low_m, dm);
    carry_n(12, b->g, b->low_g, dg);
}

/* forces */

/* Through the system's own function for lanes, or for one lane after the other. */
LIE_INLINE void call(lie_real *F, const lie_real *g, int size, int dim, const lie_system *const *systems)
{
    void (*force_lanes)(const lie_system *const *, int, double *, const double *) = systems[0]->force_lanes;
    double at[LIE_LANES * 12], f[LIE_LANES * 6], one_at[12], one[6];
    int same = 1;
    for (int l = 1; l < LIE_LANES; l++) same &= systems[l]->force_lanes == force_lanes;
    memcpy(at, g, (size_t)size * sizeof *g);
    if (force_lanes && same) {
        force_lanes(systems, LIE_LANES, f, at);
    } else {
        for (int l = 0; l < LIE_LANES; l++) {
            for (int i = 0; i < size; i++) one_at[i] = at[i * LIE_LANES + l];
            systems[l]->force(systems[l], one, one_at);
            for (int i = 0; i < dim; i++) f[i * LIE_LANES + l] = one[i];
        }
    }
    memcpy(F, f, (size_t)dim * sizeof *F);
}

LIE_INLINE void force_on(const lanes_kind *K, bundle *b, const lie_system *const *systems)
{
    if (K->force == LANES_CALLBACK) {
        lie_real F[6], g[12];
        copy_n(K->shape.size, g, b->g);
        call(F, g, K->shape.size, K->shape.dim, systems);
        copy_n(K->shape.dim, b->F, F);
    } else if (K->force == LANES_WEIGHT && K->group == LANES_SE3) {
        righting_force(b->F, b->params, b->params[3], b->g);
    } else if (K->force == LANES_WEIGHT) {
        lie_real up[3];
        seen_e3(up, K->shape.size, b->g);
        cross3(b->F, up, b->params);
    }
}

/* the block */

LIE_INLINE void begin(const lanes_kind *K, bundle *b, const lanes_block *block, int vector)
{
    if (K->force != LANES_FREE && block->before != 0.0) force_on(K, b, block->systems + vector * LIE_LANES);
}

LIE_INLINE void step(const lanes_kind *K, bundle *b, const lanes_block *block, int k)
{
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        if (v == 0 || !block->same_time) advance_time(&b[v]);
        if (K->force != LANES_FREE && block->before != 0.0)
            kick(K->shape.dim, b[v].m, b[v].low_m, block->before * b[v].h, b[v].F);
    }
    if (K->group != LANES_SE3) attitude_step(K, b, block->cap);
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        if (K->group == LANES_SE3) motion_step(K, &b[v], k, block->cap);
        force_on(K, &b[v], block->systems + v * LIE_LANES);
        if (K->force != LANES_FREE && block->after != 0.0)
            kick(K->shape.dim, b[v].m, b[v].low_m, block->after * b[v].h, b[v].F);
    }
}

/* Memory: the velocities are stored latest first. */
LIE_INLINE const lie_real *recall(const lanes_kind *K, bundle *b, const lie_real *row)
{
    if (K->group != LANES_SE3) return load(4, b->memory, row, K->vectors);
    for (int j = 0; j < HISTORY; j++) row = load(6, b->past[RING - 1 - j], row, K->vectors);
    return row;
}

LIE_INLINE void remember(const lanes_kind *K, const bundle *b, lie_real *row, int steps)
{
    if (K->group != LANES_SE3)
        save(4, row, b->memory, K->vectors);
    else
        for (int j = 0; j < HISTORY; j++) row = save(6, row, b->past[(steps + RING - 1 - j) & (RING - 1)], K->vectors);
}

#define INSTANCE(name, group, force, vectors)                                                                          \
    static unsigned name(const lanes_block *block)                                                                     \
    {                                                                                                                  \
        const lanes_kind dense = {group, force, shape_on(group), vectors, 0};                                          \
        const lanes_kind diagonal = {group, force, shape_on(group), vectors, 1};                                       \
        return group == LANES_SE3 && block->is_diagonal ? run_block(&diagonal, block) : run_block(&dense, block);      \
    }
INSTANCE(s3_free, LANES_S3, LANES_FREE, ATTITUDE_VECTORS)
INSTANCE(s3_weight, LANES_S3, LANES_WEIGHT, ATTITUDE_VECTORS)
INSTANCE(s3_callback, LANES_S3, LANES_CALLBACK, ATTITUDE_VECTORS)
INSTANCE(so3_free, LANES_SO3, LANES_FREE, ATTITUDE_VECTORS)
INSTANCE(so3_weight, LANES_SO3, LANES_WEIGHT, ATTITUDE_VECTORS)
INSTANCE(so3_callback, LANES_SO3, LANES_CALLBACK, ATTITUDE_VECTORS)
INSTANCE(se3_free, LANES_SE3, LANES_FREE, MOTION_VECTORS)
INSTANCE(se3_weight, LANES_SE3, LANES_WEIGHT, MOTION_VECTORS)
INSTANCE(se3_callback, LANES_SE3, LANES_CALLBACK, MOTION_VECTORS)

LANES_KERNEL(separable) = {
    .lanes = LIE_LANES,
    .width = {ATTITUDE_VECTORS * LIE_LANES, ATTITUDE_VECTORS *LIE_LANES, MOTION_VECTORS *LIE_LANES},
    .run = {
        {s3_free, s3_weight, s3_callback}, {so3_free, so3_weight, so3_callback}, {se3_free, se3_weight, se3_callback}}};

#else

#include <liestep/s3.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

#include "lib/methods/variational/separable.h"

static lanes_group group_of(const lie_ops *G)
{
    if (G == &lie_s3_cay_ops) return LANES_S3;
    if (G == &lie_so3_cay_ops) return LANES_SO3;
    return G == &lie_se3_cay_ops ? LANES_SE3 : LANES_GROUPS;
}

static int plan(lanes_plan *made, const lie_stepper *st, const lie_system *systems, long long count)
{
    made->group = st->composition || st->is.has_external ? LANES_GROUPS : group_of(st->group);
    if (made->group == LANES_GROUPS || !lie__lanes_force(&made->force, systems, count)) return 0;
    made->shape = shape_on(made->group);
    made->is_diagonal = made->group == LANES_SE3 && lie__lanes_are_diagonal(systems, count);
    made->start = made->group == LANES_SE3 ? HISTORY : 1;
    lie__separable_weights(st, &made->before, &made->after);
    return 1;
}

static void constants(const lanes_plan *p, double *out, const lie_stepper *st)
{
    copy_n(p->shape.data, out, lie__separable_data(st));
    lie__lanes_weight(p, out, st->system);
}

/* The step before had the same length; on SE3 as many as the guess is made of. */
static int ready(const lanes_plan *p, const lanes_record *r, double h)
{
    return r->memory[SEPARABLE_H] == h && (p->group != LANES_SE3 || r->memory[SEPARABLE_COUNT] == HISTORY);
}

static void load_column(const lanes_plan *p, double *column, int width, const lanes_record *r)
{
    column += lanes_memory_row(p->shape) * width;
    for (int k = 0; k < p->shape.memory; k++) column[k * width] = r->memory[SEPARABLE_PAST + k];
}

static void store_column(const lanes_plan *p, const lanes_record *r, const double *column, int width)
{
    column += lanes_memory_row(p->shape) * width;
    for (int k = 0; k < p->shape.memory; k++) r->memory[SEPARABLE_PAST + k] = column[k * width];
    copy_n(p->shape.size, r->memory + separable_end(p->shape.dim), r->state + LANES_STATE);
}

const lie_lanes lie__separable_lanes = {.family = &lie__separable,
                                        .kernels = LANES_KERNELS(separable),
                                        .plan = plan,
                                        .constants = constants,
                                        .params = lie__lanes_weight,
                                        .ready = ready,
                                        .load = load_column,
                                        .store = store_column};

#endif
