/* SPDX-License-Identifier: MIT */
/* pirk_stages.c: the stages of a parallel iterated Runge-Kutta step (pirk.c), in vectors of LIE_LANES stages for which
 * this file is compiled (lib/meson.build), or one after the other. Every lane does what a plain double would do, sums
 * over the stages are taken in their order: the bits are the same for any number of lanes.
 *
 * Lanes beyond the last stage have no weight and stay where the step begins. */
#include "groups/num/vec3.h"
#include "lib/methods/runge_kutta/pirk.h"
#include "lib/systems/directions.h"

#include "groups/attitude/coordinates.h"
#include "lib/methods/stage_lanes.h"

enum { VECTORS_MAX = PIRK_STAGES_MAX / LANES };

/* What an instance knows when it is compiled. */
typedef struct shape {
    stage_kind kind;
    int stages, vectors;
    int dim;       /* of the momentum */
    int length;    /* of what the passes work on: q and m, with x where it matters */
    int is_called; /* for all rates */
    int is_pulled; /* by a force that is called for */
} shape;

/* Rates: k = (q', m') at y = (q, m). The quaternion of a stage is of unit length but for the error of the stage. */

/* f: the force, where it was called for */
LIE_INLINE void attitude_rate(lie_real *k, const lie_real *y, const pirk_task *task, stage_kind kind, const lie_real *f)
{
    const lie_real *m = y + 4;
    lie_real w[3], a[3], b[3], F[3], own[3];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) own[i] = kind == STAGE_SATELLITE ? m[i] - task->form.store[i] : m[i];
    times3(w, task->inverse, own);
    cross3(k + 4, m, w);
    if (kind == STAGE_SATELLITE) {
        lie_real normal[3];
        seen_e3(normal, 4, y);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) w[i] -= task->form.rate * normal[i];
        seen_e1(a, 4, y);
        times3(b, task->form.gradient, a);
        cross3(F, a, b);
    } else if (kind == STAGE_TOP) {
        seen_e3(a, 4, y);
        stage_torque(F, a, &task->form);
    } else {
        copy_n(3, F, f);
    }
    LIE_UNROLL
    for (int i = 0; i < 3; i++) k[4 + i] += F[i];
    quat_rate(k, y, w);
}

/* weight and buoyancy */
LIE_INLINE void add_weight(lie_real f[6], const lie_real *y, const pirk_task *task)
{
    lie_real up[3], F[6];
    seen_e3(up, 4, y);
    stage_weight(F, up, &task->form);
    LIE_UNROLL
    for (int i = 0; i < 6; i++) f[i] += F[i];
}

/* f: the thrust of a vessel, or the force, where it was called for; and v = x', if it is wanted */
LIE_INLINE void motion_rate(lie_real *k, lie_real v[3], const lie_real *y, const pirk_task *task, stage_kind kind,
                            const lie_real *f, int with_place)
{
    const lie_real *m = y + 4;
    lie_real xi[6];
    times6(xi, task->inverse, m);
    motion_adt(k + 4, xi, m);
    if (kind != STAGE_PULLED_MOTION) add_weight(k + 4, y, task);
    if (kind != STAGE_VEHICLE) {
        LIE_UNROLL
        for (int i = 0; i < 6; i++) k[4 + i] += f[i];
    }
    if (kind == STAGE_VESSEL) add_drag(k + 4, xi, &task->form);
    quat_rate(k, y, xi);
    if (with_place) {
        lie_real R[9];
        quat_rotation(R, y);
        mat3_vec(v, R, xi + 3);
    }
}

typedef pirk_per_stage per_stage;

/* sum_j h a_ij K_j: even and odd j apart, so that one sum need not wait for the other */
LIE_INLINE lie_real weighted(int stages, const double *hA, const double *K)
{
    lie_real even = load(hA) * K[0], odd = load(hA + PIRK_STAGES_MAX) * K[1];
    STAGE_UNROLL
    for (int j = 2; j < stages; j += 2) {
        even += load(hA + j * PIRK_STAGES_MAX) * K[j];
        odd += load(hA + (j + 1) * PIRK_STAGES_MAX) * K[j + 1];
    }
    return even + odd;
}

/* Y_i = y + sum_j h a_ij K_j; where all K_j are the same, y + h c_i K_1 */
LIE_INLINE void stage_values(const shape *S, lie_real Y[][VECTORS_MAX], const per_stage *K, const pirk_task *task,
                             int all_same)
{
    STAGE_UNROLL
    for (int c = 0; c < S->length; c++) {
        STAGE_UNROLL
        for (int v = 0; v < S->vectors; v++) {
            const int at = v * LANES;
            lie_real change = all_same ? load(task->hc + at) * K[c][0] : weighted(S->stages, task->hA + at, K[c]);
            Y[c][v] = real_of(task->y[c]) + change;
        }
    }
}

/* K from the values y of the vector that begins with stage `at`, under the force f, if there is one. That of the place
 * only where it is wanted. */
LIE_INLINE void vector_rates(const shape *S, per_stage *K, const lie_real *y, const pirk_task *task, int at,
                             const lie_real *f, int with_place)
{
    lie_real k[PIRK_LONGEST];
    const int known = S->dim == 3 ? 7 : with_place ? 13 : 10;
    if (S->dim == 6)
        motion_rate(k, k + 10, y, task, S->kind, f, with_place);
    else
        attitude_rate(k, y, task, S->kind, f);
    LIE_UNROLL
    for (int c = 0; c < known; c++) save(K[c] + at, k[c]);
}

LIE_INLINE void flatten(const shape *S, per_stage *flat, lie_real Y[][VECTORS_MAX])
{
    STAGE_UNROLL
    for (int c = 0; c < S->length; c++) {
        STAGE_UNROLL
        for (int v = 0; v < S->vectors; v++) save(flat[c] + v * LANES, Y[c][v]);
    }
}

/* One stage after the other, through what the task brings along. False where that fails. */
LIE_INLINE int called_rates(const shape *S, per_stage *K, lie_real Y[][VECTORS_MAX], const pirk_task *task)
{
    per_stage flat[PIRK_LONGEST];
    double y[PIRK_LONGEST], k[PIRK_LONGEST];
    flatten(S, flat, Y);
    for (int i = 0; i < S->stages; i++) {
        for (int c = 0; c < S->length; c++) y[c] = flat[c][i];
        if (!task->call(task->context, i, k, y)) return 0;
        for (int c = 0; c < S->length; c++) K[c][i] = k[c];
    }
    return 1;
}

/* K_1 = f(y), for all stages */
LIE_INLINE int first_rates(const shape *S, per_stage *K, const pirk_task *task)
{
    lie_real y[PIRK_LONGEST], f[6];
    double k[PIRK_LONGEST];
    if (S->is_called) {
        if (!task->call(task->context, -1, k, task->y)) return 0;
        for (int c = 0; c < S->length; c++) K[c][0] = k[c];
        return 1;
    }
    if (S->is_pulled) {
        per_stage F[6], Y[PIRK_LONGEST];
        for (int c = 0; c < S->length; c++) Y[c][0] = task->y[c];
        task->force(task->context, 1, F, Y);
        LIE_UNROLL
        for (int i = 0; i < S->dim; i++) f[i] = real_of(F[i][0]);
    }
    if (S->kind == STAGE_VESSEL) {
        LIE_UNROLL
        for (int i = 0; i < 6; i++) f[i] = real_of(task->first_thrust[i]);
    }
    LIE_UNROLL
    for (int c = 0; c < S->length; c++) y[c] = real_of(task->y[c]);
    vector_rates(S, K, y, task, 0, f, S->length == 13);
    return 1;
}

LIE_INLINE int one_pass(const shape *S, per_stage *K, const pirk_task *task, int all_same, int last)
{
    lie_real Y[PIRK_LONGEST][VECTORS_MAX], y[PIRK_LONGEST], f[6];
    per_stage F[6] = {{0.0}};
    stage_values(S, Y, K, task, all_same);
    if (S->is_called) return called_rates(S, K, Y, task);
    if (S->is_pulled) {
        per_stage flat[PIRK_LONGEST];
        flatten(S, flat, Y);
        task->force(task->context, S->stages, F, flat);
    }
    STAGE_UNROLL
    for (int v = 0; v < S->vectors; v++) {
        const int at = v * LANES;
        LIE_UNROLL
        for (int c = 0; c < S->length; c++) y[c] = Y[c][v];
        LIE_UNROLL
        for (int i = 0; i < S->dim; i++) {
            if (S->is_pulled) f[i] = load(F[i] + at);
            if (S->kind == STAGE_VESSEL) f[i] = load(task->thrust + i * PIRK_STAGES_MAX + at);
        }
        vector_rates(S, K, y, task, at, f, last || S->length == 13);
    }
    return 1;
}

LIE_INLINE int run_stages(const shape *S, pirk_task *task)
{
    _Alignas(64) per_stage K[PIRK_LONGEST];
    if (!first_rates(S, K, task) || !one_pass(S, K, task, 1, 0)) return 0;
    for (int pass = 2; pass < task->passes; pass++)
        if (!one_pass(S, K, task, 0, 0)) return 0;
    if (!one_pass(S, K, task, 0, 1)) return 0;
    const int added = S->dim == 3 ? 7 : 13;
    LIE_UNROLL
    for (int c = 0; c < added; c++) {
        double sum = task->hb[0] * K[c][0];
        STAGE_UNROLL
        for (int j = 1; j < S->stages; j++) sum += task->hb[j] * K[c][j];
        task->dy[c] = sum;
    }
    return 1;
}

#define INSTANCE(name, kind, stages, dim, length, is_called, is_pulled)                                                \
    static int name##_##stages(pirk_task *task)                                                                        \
    {                                                                                                                  \
        const shape S = {kind, stages, (stages + LANES - 1) / LANES, dim, length, is_called, is_pulled};               \
        return run_stages(&S, task);                                                                                   \
    }
#define INSTANCES(stages)                                                                                              \
    INSTANCE(top, STAGE_TOP, stages, 3, 7, 0, 0)                                                                       \
    INSTANCE(satellite, STAGE_SATELLITE, stages, 3, 7, 0, 0)                                                           \
    INSTANCE(vehicle, STAGE_VEHICLE, stages, 6, 10, 0, 0)                                                              \
    INSTANCE(vessel, STAGE_VESSEL, stages, 6, 10, 0, 0)                                                                \
    INSTANCE(pulled_turn, STAGE_PULLED_TURN, stages, 3, 7, 0, 1)                                                       \
    INSTANCE(pulled_motion, STAGE_PULLED_MOTION, stages, 6, 13, 0, 1)                                                  \
    INSTANCE(turn, STAGE_TURN, stages, 3, 7, 1, 0)                                                                     \
    INSTANCE(motion, STAGE_MOTION, stages, 6, 13, 1, 0)
INSTANCES(4)
INSTANCES(6)
INSTANCES(8)

extern const pirk_kernel STAGE_KERNEL(lie__pirk);
const pirk_kernel STAGE_KERNEL(lie__pirk) = {
    {{top_4, satellite_4, vehicle_4, vessel_4, pulled_turn_4, pulled_motion_4, turn_4, motion_4},
     {top_6, satellite_6, vehicle_6, vessel_6, pulled_turn_6, pulled_motion_6, turn_6, motion_6},
     {top_8, satellite_8, vehicle_8, vessel_8, pulled_turn_8, pulled_motion_8, turn_8, motion_8}}};
