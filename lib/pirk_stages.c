/* SPDX-License-Identifier: MIT */
/* pirk_stages.c: the stages of a parallel iterated Runge-Kutta step (pirk.c), in vectors of LIE_LANES stages for which
 * this file is compiled (lib/meson.build), or one after the other. Every lane does what a plain double would do, sums
 * over the stages are taken in their order: the bits are the same for any number of lanes.
 *
 * Lanes beyond the last stage have no weight and stay where the step begins. */
#include "pirk.h"

#include "../groups/coordinates.h"
#include "kick.h"

#ifdef LIE_LANES
enum { LANES = LIE_LANES };
#else
enum { LANES = 1 };
#endif
enum { VECTORS_MAX = PIRK_STAGES_MAX / LANES };

/* What an instance knows when it is compiled. */
typedef struct shape {
    pirk_kind kind;
    int stages, vectors;
    int dim;    /* of the momentum */
    int length; /* of what the passes work on: q and m, with x where it matters */
} shape;

/* Rates: k = (q', m') at y = (q, m). The quaternion of a stage is of unit length but for the error of the stage. */

/* M a, M the same in all lanes */
LIE_INLINE void times3(lie_real out[3], const double M[9], const lie_real a[3])
{
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = (M[3 * i] * a[0] + M[3 * i + 1] * a[1]) + M[3 * i + 2] * a[2];
}

LIE_INLINE void attitude_rate(lie_real *k, const lie_real *y, const pirk_job *job, pirk_kind kind)
{
    const lie_real *m = y + 4;
    lie_real w[3], a[3], b[3], F[3], own[3];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) own[i] = kind == PIRK_SATELLITE ? m[i] - job->store[i] : m[i];
    times3(w, job->inverse, own);
    cross3(k + 4, m, w);
    if (kind == PIRK_SATELLITE) {
        lie_real normal[3];
        seen_e3(normal, 4, y);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) w[i] -= job->rate * normal[i];
        seen_e1(a, 4, y);
        times3(b, job->gradient, a);
    } else {
        seen_e3(a, 4, y);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) b[i] = real_of(job->pull[i]);
    }
    cross3(F, a, b);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) k[4 + i] += F[i];
    quat_rate(k, y, w);
}

/* and v = x', if it is wanted */
LIE_INLINE void vehicle_rate(lie_real *k, lie_real v[3], const lie_real *y, const pirk_job *job, int with_place)
{
    const lie_real *m = y + 4;
    lie_real xi[6], up[3], F[3], arm[3];
    LIE_UNROLL
    for (int i = 0; i < 6; i++) {
        const double *row = job->inverse + 6 * i;
        xi[i] = ((row[0] * m[0] + row[1] * m[1]) + (row[2] * m[2] + row[3] * m[3])) + (row[4] * m[4] + row[5] * m[5]);
    }
    motion_adt(k + 4, xi, m);
    seen_e3(up, 4, y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) arm[i] = real_of(job->pull[i]);
    cross3(F, arm, up);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) k[4 + i] += F[i], k[7 + i] += job->pull[3] * up[i];
    quat_rate(k, y, xi);
    if (with_place) {
        lie_real R[9];
        quat_rotation(R, y);
        mat3_vec(v, R, xi + 3);
    }
}

/* Vectors from and to memory */

LIE_INLINE lie_real load(const double *at)
{
    lie_real x;
    memcpy(&x, at, sizeof x);
    return x;
}

LIE_INLINE void save(double *at, lie_real x)
{
    memcpy(at, &x, sizeof x);
}

typedef double per_stage[PIRK_STAGES_MAX];

/* Y_i = y + sum_j h a_ij K_j of every number and every stage; in the first pass y */
LIE_INLINE void stage_values(const shape *S, lie_real Y[][VECTORS_MAX], const per_stage *K, const pirk_job *job,
                             int first)
{
    LIE_UNROLL
    for (int c = 0; c < S->length; c++) {
        LIE_UNROLL
        for (int v = 0; v < S->vectors; v++) {
            lie_real y = real_of(job->y[c]);
            if (!first) {
                lie_real sum = load(job->hA + v * LANES) * K[c][0];
                LIE_UNROLL
                for (int j = 1; j < S->stages; j++)
                    sum += load(job->hA + j * PIRK_STAGES_MAX + v * LANES) * K[c][j];
                y += sum;
            }
            Y[c][v] = y;
        }
    }
}

/* K of all stages from Y */
LIE_INLINE void stage_rates(const shape *S, per_stage *K, lie_real Y[][VECTORS_MAX], const pirk_job *job, int last)
{
    LIE_UNROLL
    for (int v = 0; v < S->vectors; v++) {
        lie_real y[PIRK_LONGEST], k[PIRK_LONGEST];
        int known = S->kind == PIRK_VEHICLE && !last ? 10 : S->dim == 6 ? 13 : 7;
        LIE_UNROLL
        for (int c = 0; c < S->length; c++) y[c] = Y[c][v];
        if (S->kind == PIRK_VEHICLE)
            vehicle_rate(k, k + 10, y, job, last);
        else
            attitude_rate(k, y, job, S->kind);
        LIE_UNROLL
        for (int c = 0; c < known; c++) save(K[c] + v * LANES, k[c]);
    }
}

/* One stage after the other, through what the job brings along. */
LIE_INLINE int called_rates(const shape *S, per_stage *K, lie_real Y[][VECTORS_MAX], const pirk_job *job)
{
    per_stage flat[PIRK_LONGEST];
    double y[PIRK_LONGEST], k[PIRK_LONGEST];
    for (int c = 0; c < S->length; c++)
        for (int v = 0; v < S->vectors; v++) save(flat[c] + v * LANES, Y[c][v]);
    for (int i = 0; i < S->stages; i++) {
        for (int c = 0; c < S->length; c++) y[c] = flat[c][i];
        if (!job->call(job->context, i, k, y)) return 0;
        for (int c = 0; c < S->length; c++) K[c][i] = k[c];
    }
    return 1;
}

LIE_INLINE int one_pass(const shape *S, per_stage *K, const pirk_job *job, int first, int last)
{
    lie_real Y[PIRK_LONGEST][VECTORS_MAX];
    stage_values(S, Y, K, job, first);
    if (S->kind == PIRK_TURN || S->kind == PIRK_MOTION) return called_rates(S, K, Y, job);
    stage_rates(S, K, Y, job, last);
    return 1;
}

LIE_INLINE int run_stages(const shape *S, pirk_job *job)
{
    _Alignas(64) per_stage K[PIRK_LONGEST];
    int added = S->dim == 6 ? 13 : 7;
    if (!one_pass(S, K, job, 1, 0)) return 0;
    for (int pass = 2; pass < job->passes; pass++)
        if (!one_pass(S, K, job, 0, 0)) return 0;
    if (!one_pass(S, K, job, 0, 1)) return 0;
    LIE_UNROLL
    for (int c = 0; c < added; c++) {
        double sum = job->hb[0] * K[c][0];
        LIE_UNROLL
        for (int j = 1; j < S->stages; j++) sum += job->hb[j] * K[c][j];
        job->dy[c] = sum;
    }
    return 1;
}

#define INSTANCE(name, kind, stages, dim, length)                                                                      \
    static int name##_##stages(pirk_job *job)                                                                          \
    {                                                                                                                  \
        const shape S = {kind, stages, (stages + LANES - 1) / LANES, dim, length};                                     \
        return run_stages(&S, job);                                                                                    \
    }
#define INSTANCES(stages)                                                                                              \
    INSTANCE(top, PIRK_TOP, stages, 3, 7)                                                                              \
    INSTANCE(satellite, PIRK_SATELLITE, stages, 3, 7)                                                                            \
    INSTANCE(vehicle, PIRK_VEHICLE, stages, 6, 10)                                                                     \
    INSTANCE(turn, PIRK_TURN, stages, 3, 7)                                                                            \
    INSTANCE(motion, PIRK_MOTION, stages, 6, 13)
INSTANCES(4)
INSTANCES(6)
INSTANCES(8)

#define JOINED(a, b) a##b
#define NAMED(lanes) JOINED(lie__pirk_, lanes)
#ifdef LIE_LANES
#define KERNEL NAMED(LIE_LANES)
#else
#define KERNEL lie__pirk_1
#endif
extern const pirk_kernel KERNEL;
const pirk_kernel KERNEL = {{{top_4, satellite_4, vehicle_4, turn_4, motion_4},
                             {top_6, satellite_6, vehicle_6, turn_6, motion_6},
                             {top_8, satellite_8, vehicle_8, turn_8, motion_8}}};
