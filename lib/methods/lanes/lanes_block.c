/* SPDX-License-Identifier: MIT */
/* lanes_block.c: a block of steps of several trajectories, in the vectors of LIE_LANES doubles for which this file is
 * compiled (lib/meson.build). The steps are those of separable.c: kick, solve and move in one, kick; the kernels are
 * the same text (groups/maps/so3_cay.h, se3_cay.h, kick.h) over vectors.
 *
 * The usual step has no branch but one that says whether every lane has been served. Where one has not, Newton's method
 * goes on for it while the others stand by, out of line; where that is not enough either the lane is lost (lanes.h).
 * Two or three vectors take turns, so that one computes while another waits for a quotient.
 *
 * Cost per step and lane: that of the flops of so3_step.h and se3_step.h at the rate of the vector unit. */
#include "lib/methods/kick.h"
#include "lib/methods/lanes/lanes.h"
#include "lib/methods/lanes/lanes_rows.h"

/* Vectors in a tile: as many as help. */
enum { ATTITUDE_VECTORS = LIE_LANES == 4 ? 3 : 2, DMV_VECTORS = LIE_LANES == 8 ? 3 : 4, MOTION_VECTORS = 1 };
enum { VECTORS_MAX = 4 };

typedef struct lanes_kind {
    lanes_drift drift;
    lanes_force force;
    lanes_shape shape;
    int vectors;
    int is_diagonal; /* the inertias, on SE3 */
} lanes_kind;

enum { RING = 8 }; /* a power of two, not less than HISTORY */

/* One vector of trajectories. */
typedef struct bundle {
    lie_real t, low_t, h;
    lie_real g[12], low_g[12], m[6], low_m[6], F[6];
    lie_real memory[4];     /* of the drifts of SO3 and S3 */
    lie_real past[RING][6]; /* velocities on SE3: that of the step k at k mod RING */
    lie_mask late, lost;
    lie_real doubt; /* NaN where something was not finite */
    const lie_real *data, *params;
} bundle;

/* drifts on SO3 and S3 */

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

/* Every part of the step for all vectors before the next part: the processor looks ahead far enough to fill the waits
 * of one with the work of another. */
LIE_INLINE void attitude_drift(const lanes_kind *K, bundle *b, int cap)
{
    secular E[VECTORS_MAX];
    half_turn turn[VECTORS_MAX];
    lie_real sigma[VECTORS_MAX], s[VECTORS_MAX];
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
        if (K->drift == LANES_S3_CAY)
            s3_turn_by(&turn[v], b[v].g, b[v].low_g, b[v].m, b[v].low_m);
        else
            so3_turn_by(&turn[v], b[v].g, b[v].low_g, b[v].m, b[v].low_m);
    }
}

/* drifts of discrete Moser-Veselov, in principal axes */

/* Where the constant of the motion is missed, the lane is lost. */
LIE_COLD void dmv_check(lie_mask *lost, const lie_real *data, const lie_real *m)
{
    *lost |= mask_not(so3_dmv_holds((const so3_dmv_motion *)data, m));
}

LIE_INLINE void dmv_drift(const lanes_kind *K, bundle *b, const lanes_job *job, int k)
{
    lie_real N[VECTORS_MAX][3], D[VECTORS_MAX];
    dmv_turn turn[VECTORS_MAX];
    const so3_dmv_motion *M[VECTORS_MAX];
    if (((job->taken + k) & (job->check - 1)) == 0) {
        LIE_UNROLL
        for (int v = 0; v < K->vectors; v++) {
            lie_real m[3] = {b[v].m[0], b[v].m[1], b[v].m[2]};
            dmv_check(&b[v].lost, b[v].data, m);
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
        if (K->drift == LANES_S3_DMV)
            s3_dmv_move(&turn[v], M[v]->pi, b[v].g, b[v].low_g, b[v].m);
        else
            so3_dmv_move(&turn[v], M[v]->pi, b[v].g, b[v].low_g, b[v].m);
    }
}

/* drifts on SE3: a lane that was lost stays without a solution, and without motion */

LIE_INLINE void motion_drift(const lanes_kind *K, bundle *b, int k, int cap)
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
    } else if (K->force == LANES_WEIGHT && K->drift == LANES_SE3_CAY) {
        righting_force(b->F, b->params, b->params[3], b->g);
    } else if (K->force == LANES_WEIGHT) {
        lie_real up[3];
        seen_e3(up, K->shape.size, b->g);
        cross3(b->F, up, b->params);
    }
}

/* the block */

LIE_INLINE void advance_time(bundle *b)
{
    twofold next = sum_exact(b->t, b->h + b->low_t);
    b->late |= next.hi == b->t;
    b->t = next.hi, b->low_t = next.lo;
}

LIE_INLINE void step(const lanes_kind *K, bundle *b, const lanes_job *job, int k)
{
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        if (v == 0 || !job->same_time) advance_time(&b[v]);
        if (K->force != LANES_FREE && job->before != 0.0)
            kick(K->shape.dim, b[v].m, b[v].low_m, job->before * b[v].h, b[v].F);
    }
    if (lanes_is_dmv(K->drift))
        dmv_drift(K, b, job, k);
    else if (K->drift != LANES_SE3_CAY)
        attitude_drift(K, b, job->cap);
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        if (K->drift == LANES_SE3_CAY) motion_drift(K, &b[v], k, job->cap);
        force_on(K, &b[v], job->systems + v * LIE_LANES);
        if (K->force != LANES_FREE && job->after != 0.0)
            kick(K->shape.dim, b[v].m, b[v].low_m, job->after * b[v].h, b[v].F);
    }
}

/* Memory: the velocities are stored latest first. */
LIE_INLINE const lie_real *recall(const lanes_kind *K, bundle *b, const lie_real *row)
{
    if (lanes_is_dmv(K->drift)) return row;
    if (K->drift != LANES_SE3_CAY) return load(4, b->memory, row, K->vectors);
    for (int j = 0; j < HISTORY; j++) row = load(6, b->past[RING - 1 - j], row, K->vectors);
    return row;
}

LIE_INLINE void remember(const lanes_kind *K, const bundle *b, lie_real *row, int steps)
{
    if (lanes_is_dmv(K->drift)) return;
    if (K->drift != LANES_SE3_CAY)
        save(4, row, b->memory, K->vectors);
    else
        for (int j = 0; j < HISTORY; j++) row = save(6, row, b->past[(steps + RING - 1 - j) & (RING - 1)], K->vectors);
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

/* t, g and m */
LIE_INLINE void leave_trail(const lanes_kind *K, const bundle *b, lie_real *row)
{
    row = save(1, row, &b->t, K->vectors);
    row = save(K->shape.size, row, b->g, K->vectors);
    save(K->shape.dim, row, b->m, K->vectors);
}

LIE_INLINE unsigned lost_bits(const lanes_kind *K, const bundle *b)
{
    lie_mask lost = b->lost | b->late | mask_not(all_finite(K->shape.dim, b->m) & (b->doubt == 0.0));
    unsigned bits = 0;
    for (int l = 0; l < LIE_LANES; l++) bits |= lost[l] ? 1u << l : 0u;
    return bits;
}

LIE_INLINE unsigned run_block(const lanes_kind *K, const lanes_job *job)
{
    lie_real *tile = (lie_real *)job->tile, *trail = (lie_real *)job->trail, constants[VECTORS_MAX][SE3_DOUBLES + 4];
    const int trail_rows = 1 + K->shape.size + K->shape.dim;
    bundle b[VECTORS_MAX] = {{.lost = {0}}};
    unsigned bits = 0;
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        start(K, &b[v], tile + v, constants[v]);
        if (K->force != LANES_FREE && job->before != 0.0) force_on(K, &b[v], job->systems + v * LIE_LANES);
    }
    for (int k = 0; k < job->steps; k++) {
        step(K, b, job, k);
        if (!trail) continue;
        if (job->same_time) share_time(K, b);
        LIE_UNROLL
        for (int v = 0; v < K->vectors; v++) leave_trail(K, &b[v], trail + k * trail_rows * K->vectors + v);
    }
    if (job->same_time) share_time(K, b);
    LIE_UNROLL
    for (int v = 0; v < K->vectors; v++) {
        finish(K, &b[v], tile + v, job->steps);
        bits |= lost_bits(K, &b[v]) << (v * LIE_LANES);
    }
    return bits;
}

#define INSTANCE(name, drift, force, vectors)                                                                          \
    static unsigned name(const lanes_job *job)                                                                         \
    {                                                                                                                  \
        const lanes_kind dense = {drift, force, lanes_shape_of(drift), vectors, 0};                                    \
        const lanes_kind diagonal = {drift, force, lanes_shape_of(drift), vectors, 1};                                 \
        return drift == LANES_SE3_CAY && job->is_diagonal ? run_block(&diagonal, job) : run_block(&dense, job);        \
    }
INSTANCE(s3_free, LANES_S3_CAY, LANES_FREE, ATTITUDE_VECTORS)
INSTANCE(s3_weight, LANES_S3_CAY, LANES_WEIGHT, ATTITUDE_VECTORS)
INSTANCE(s3_callback, LANES_S3_CAY, LANES_CALLBACK, ATTITUDE_VECTORS)
INSTANCE(so3_free, LANES_SO3_CAY, LANES_FREE, ATTITUDE_VECTORS)
INSTANCE(so3_weight, LANES_SO3_CAY, LANES_WEIGHT, ATTITUDE_VECTORS)
INSTANCE(so3_callback, LANES_SO3_CAY, LANES_CALLBACK, ATTITUDE_VECTORS)
INSTANCE(se3_free, LANES_SE3_CAY, LANES_FREE, MOTION_VECTORS)
INSTANCE(se3_weight, LANES_SE3_CAY, LANES_WEIGHT, MOTION_VECTORS)
INSTANCE(se3_callback, LANES_SE3_CAY, LANES_CALLBACK, MOTION_VECTORS)
INSTANCE(s3_dmv, LANES_S3_DMV, LANES_FREE, DMV_VECTORS)
INSTANCE(so3_dmv, LANES_SO3_DMV, LANES_FREE, DMV_VECTORS)

#define JOINED(a, b) a##b
#define NAMED(lanes) JOINED(lie__lanes_, lanes)
extern const lanes_kernel NAMED(LIE_LANES);
const lanes_kernel NAMED(LIE_LANES) = {LIE_LANES,
                                       {ATTITUDE_VECTORS * LIE_LANES, ATTITUDE_VECTORS *LIE_LANES,
                                        MOTION_VECTORS *LIE_LANES, DMV_VECTORS *LIE_LANES, DMV_VECTORS *LIE_LANES},
                                       {{s3_free, s3_weight, s3_callback},
                                        {so3_free, so3_weight, so3_callback},
                                        {se3_free, se3_weight, se3_callback},
                                        {s3_dmv, 0, 0},
                                        {so3_dmv, 0, 0}}};
