/* SPDX-License-Identifier: MIT */
/* embedded_stages.c: the equations of the stages of a Gauss method in the embedding (embedded.c), solved in vectors of
 * LIE_LANES stages for which this file is compiled (lib/meson.build), or one after the other. Every lane does what a
 * plain double would do, sums over stages are taken in an order that does not depend on the lanes: the bits are the
 * same for any number of them.
 *
 *     Y_i = y + h sum_j a_ij f(Y_j)
 *
 * by passes Y <- y + h A f(Y) over all stages at once, from the polynomial of the last step continued. Changes of two
 * passes are looked at only when the last step says that the end is near. Lanes beyond the last stage have no weight
 * and stay where the step begins. */
#include "lib/methods/embedded/embedded_rates.h"

/* Sums over the stages */

#ifdef LIE_LANES
/* lane i of the result is lane i xor e of x */
LIE_INLINE lie_real lanes_turned(lie_real x, int e)
{
#if defined(__clang__)
    lie_real out;
    LIE_UNROLL
    for (int i = 0; i < LANES; i++) out[i] = x[i ^ e];
    return out;
#else
    static const long long counted[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    lie_mask at;
    memcpy(&at, counted, sizeof at);
    return __builtin_shuffle(x, at ^ e);
#endif
}

/* stage j in all lanes */
LIE_INLINE lie_real stage_alone(const lie_real *x, int j)
{
    return real_of(x[j / LANES][j % LANES]);
}
#else
LIE_INLINE lie_real lanes_turned(lie_real x, int e)
{
    (void)e;
    return x;
}

LIE_INLINE lie_real stage_alone(const lie_real *x, int j)
{
    return x[j];
}
#endif

/* one product of the sum: row k of A, see embedded_task */
LIE_INLINE lie_real weighted_once(int count, const double *row, int v, const lie_real *K, int k)
{
    const int is_power = (count & (count - 1)) == 0;
    lie_real x = is_power ? lanes_turned(K[v ^ (k / LANES)], k % LANES) : stage_alone(K, k);
    return load(row + v * LANES) * x;
}

/* vector v of sum_j a_ij K_j: even and odd terms apart, so that one sum need not wait for the other */
LIE_INLINE lie_real weighted(int count, const per_stage *A, int v, const lie_real *K)
{
    lie_real even = weighted_once(count, A[0], v, K, 0);
    if (count == 1) return even;
    lie_real odd = weighted_once(count, A[1], v, K, 1);
    STAGE_UNROLL
    for (int k = 2; k + 1 < count; k += 2) {
        even += weighted_once(count, A[k], v, K, k);
        odd += weighted_once(count, A[k + 1], v, K, k + 1);
    }
    if (count & 1) even += weighted_once(count, A[count - 1], v, K, count - 1);
    return even + odd;
}

/* sum over the stages, pairs first. Unlike a largest value it keeps a NaN. */
LIE_INLINE double stage_sum(const shape *S, const lie_real *x)
{
    const int n = S->stages;
    per_stage t;
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) save(t + v * LANES, x[v]);
    double sum = n == 1 ? t[0] : t[0] + t[1]; // NOLINT(clang-analyzer-core.*): S->vectors of LANES
    if (n > 2) sum += n == 3 ? t[2] : t[2] + t[3];
    if (n > 4) sum += n == 6 ? t[4] + t[5] : (t[4] + t[5]) + (t[6] + t[7]);
    return sum;
}

/* sum_i b_i K_i */
LIE_INLINE double stage_total(const shape *S, const double *b, const lie_real *K)
{
    lie_real x[VECTORS_MAX];
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) x[v] = load(b + v * LANES) * K[v];
    return stage_sum(S, x);
}

/* The first guess. */

/* px of a vehicle does not depend on the stages: weight and buoyancy are along e3 */
LIE_INLINE void known_momentum(const shape *S, stages *all, const embedded_task *task)
{
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) {
        all->Y[PX][v] = real_of(task->y[PX]);
        all->Y[PX + 1][v] = real_of(task->y[PX + 1]);
        all->Y[PX + 2][v] = task->y[PX + 2] + load(task->hc + v * LANES) * task->form.pull[3];
    }
}

/* the polynomial of a step where this one goes: row c of its slopes */
LIE_INLINE void continued(const shape *S, lie_real *change, const per_stage *weights, const double *slopes, int c)
{
    lie_real K[VECTORS_MAX];
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) K[v] = load(slopes + c * S->stride + v * LANES);
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) change[v] = weighted(S->stages, weights, v, K);
}

/* y and what the last step, or the last two, say of the change */
LIE_INLINE void foretell(const shape *S, stages *all, const embedded_task *task, int c)
{
    lie_real change[VECTORS_MAX], more[VECTORS_MAX];
    continued(S, change, has_own(S, c) ? task->guess_p : task->guess, task->slopes, c);
    if (S->stages <= 2 && task->history > 1) {
        continued(S, more, task->guess_older, task->older, c);
        for (int v = 0; v < S->vectors; v++) change[v] += more[v];
    }
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) all->Y[c][v] = task->y[c] + change[v];
}

/* y + h c_i f(y) */
LIE_INLINE int started(const shape *S, stages *all, const embedded_task *task)
{
    for (int c = 0; c < S->rows; c++)
        for (int v = 0; v < S->vectors; v++) all->Y[c][v] = real_of(task->y[c]);
    if (!rates(S, all, task, 0)) return 0;
    for (int c = 0; c < S->length; c++)
        for (int v = 0; v < S->vectors; v++) all->Y[c][v] += load(task->hc + v * LANES) * all->K[c][v];
    return 1;
}

LIE_INLINE int guess(const shape *S, stages *all, const embedded_task *task)
{
    if (S->rows > PX) {
        for (int c = S->length; c < S->rows; c++)
            for (int v = 0; v < S->vectors; v++) all->Y[c][v] = real_of(task->y[c]);
    }
    if (LIE_USUALLY(task->history > 0)) {
        LIE_UNROLL
        for (int c = 0; c < S->length; c++) foretell(S, all, task, c);
    } else if (!started(S, all, task)) {
        return 0;
    }
    if (S->kind == STAGE_VEHICLE) known_momentum(S, all, task);
    return 1;
}

/* Passes */

/* Y = y + h A K */
LIE_INLINE void renew(const shape *S, stages *all, const embedded_task *task)
{
    LIE_UNROLL
    for (int c = 0; c < S->length; c++) {
        VECTOR_UNROLL
        for (int v = 0; v < S->vectors; v++)
            all->Y[c][v] = task->y[c] + weighted(S->stages, has_own(S, c) ? task->hA_p : task->hA, v, all->K[c]);
    }
}

/* Over the mean energy of the stages; of what does not move at all, a large number. */
LIE_INLINE double energy_inverse(const shape *S, const stages *all, const embedded_task *task)
{
    lie_real energy[VECTORS_MAX];
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) {
        lie_real p2 = real_of(0.0), px2 = real_of(0.0);
        LIE_UNROLL
        for (int c = P; c < PX; c++) p2 += all->Y[c][v] * all->Y[c][v];
        for (int c = PX; S->dim == 6 && c < X; c++) px2 += all->Y[c][v] * all->Y[c][v];
        energy[v] = task->size[0] * p2;
        if (S->dim == 6) energy[v] += task->size[1] * px2;
    }
    double sum = stage_sum(S, energy);
    return sum > 0.0 ? S->stages / sum : 1e300;
}

/* The same, and what it changes: |dq|^2 and |(dp, dpx, dx)|^2 in the units of an energy, which is that of the stages
 * where they are looked at for the first time. */
LIE_INLINE double renew_measured(const shape *S, stages *all, const embedded_task *task, double *over_energy)
{
    lie_real turn[VECTORS_MAX], rest[VECTORS_MAX], change[VECTORS_MAX];
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) {
        lie_real d2[4] = {real_of(0.0), real_of(0.0), real_of(0.0), real_of(0.0)};
        LIE_UNROLL
        for (int c = 0; c < S->length; c++) {
            const int part = c < P ? 0 : c < PX ? 1 : c < X ? 2 : 3;
            const per_stage *A = has_own(S, c) ? task->hA_p : task->hA;
            lie_real y = task->y[c] + weighted(S->stages, A, v, all->K[c]), d = y - all->Y[c][v];
            d2[part] += d * d;
            all->Y[c][v] = y;
        }
        turn[v] = d2[0], rest[v] = task->size[0] * d2[1];
        if (S->dim == 6) rest[v] += task->size[1] * d2[2] + task->size[2] * d2[3];
    }
    if (*over_energy == 0.0) *over_energy = energy_inverse(S, all, task);
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) change[v] = turn[v] + *over_energy * rest[v]; // NOLINT(clang-analyzer-core.*)
    return stage_sum(S, change);
}

/* R F_w + (x_i - x) x R F_v of vector v */
LIE_INLINE void add_lift(const shape *S, stages *all, const embedded_task *task, int v)
{
    lie_real arm[3], force[3], lift[3];
    LIE_UNROLL
    for (int c = 0; c < 3; c++) arm[c] = weighted(S->stages, task->hA, v, all->K[X + c]), force[c] = all->K[PX + c][v];
    cross3(lift, arm, force);
    LIE_UNROLL
    for (int c = 0; c < 3; c++) all->torque[c][v] += lift[c];
}

/* h sum_i b_i K_i of `count` rows */
LIE_INLINE void add_up(const shape *S, double *sum, const embedded_task *task, lie_real K[][VECTORS_MAX], int count)
{
    LIE_UNROLL
    for (int c = 0; c < count; c++) sum[c] = stage_total(S, task->hb, K[c]) + stage_total(S, task->hb_low, K[c]);
}

/* Slopes of the stages, and what they add up to */
LIE_INLINE void hand_over(const shape *S, stages *all, embedded_task *task)
{
    LIE_UNROLL
    for (int c = 0; c < S->rows; c++) {
        double *row = task->out + c * S->stride;
        VECTOR_UNROLL
        for (int v = 0; v < S->vectors; v++) save(row + v * LANES, all->K[c][v]);
        for (int i = S->stages; i < S->vectors * LANES; i++) row[i] = 0.0;
    }
    add_up(S, task->change.q, task, all->K, 4);
    if (S->dim == 6) {
        add_up(S, task->change.px, task, all->K + PX, 3);
        add_up(S, task->change.x, task, all->K + X, 3);
        for (int v = 0; v < S->vectors; v++) add_lift(S, all, task, v);
    }
    add_up(S, task->change.impulse, task, all->torque, 3);
}

/* Passes to the end (contraction.h). What is left: the last change times the contraction, or the change where it is
 * rounding; in the node another h |df/dy| less. */
LIE_INLINE lie_status find(const shape *S, stages *all, embedded_task *task)
{
    contraction_course now = CONTRACTION_START;
    double over_energy = 0.0;
    int n = 1;
    if (!guess(S, all, task)) return LIE_ERR_NOT_FINITE;
    for (; n < task->trend.expected - 2.0 && n < task->cap; n++) {
        if (!rates(S, all, task, 0)) return LIE_ERR_NOT_FINITE;
        renew(S, all, task);
    }
    for (;; n++) {
        if (!rates(S, all, task, 0)) return LIE_ERR_NOT_FINITE;
        double d2 = renew_measured(S, all, task, &over_energy);
        const int is_last = contraction_settles(&task->trend, &now, d2);
        task->passes = n + 1, task->left = d2 * task->trend.contraction2;
        if (is_last) break;
        if (n >= task->cap || !(d2 < 1e6)) return LIE_ERR_NO_CONVERGENCE;
    }
    task->trend.expected = n + 1.0;
    return LIE_OK;
}

LIE_INLINE void take_given(const shape *S, stages *all, const embedded_task *task)
{
    const int known = S->rows == PX ? PX : LONGEST;
    for (int c = 0; c < known; c++)
        for (int v = 0; v < S->vectors; v++) all->Y[c][v] = load(task->given[c] + v * LANES);
}

LIE_INLINE lie_status run_stages(const shape *S, embedded_task *task)
{
    _Alignas(64) stages all;
    lie_status status = LIE_OK;
    if (task->given)
        take_given(S, &all, task);
    else
        status = find(S, &all, task);
    if (status != LIE_OK) return status;
    if (!rates(S, &all, task, 1)) return LIE_ERR_NOT_FINITE;
    hand_over(S, &all, task);
    return LIE_OK;
}

LIE_INLINE lie_status run_kind(embedded_task *task, int count, stage_kind kind, int is_pair)
{
    const int is_pulled = kind == STAGE_PULLED_TURN || kind == STAGE_PULLED_MOTION;
    const int is_asked = kind == STAGE_TURN || kind == STAGE_MOTION;
    const int is_turn = kind == STAGE_TOP || kind == STAGE_SATELLITE || kind == STAGE_PULLED_TURN || kind == STAGE_TURN;
    const int vectors = (count + LANES - 1) / LANES, dim = is_turn ? 3 : 6, rows = is_turn ? PX : LONGEST;
    const shape S = {kind,      count,    vectors, embedded_stride(count), dim, rows, embedded_length(kind),
                     is_pulled, is_asked, is_pair};
    return run_stages(&S, task);
}

/* Instances: only for as many stages as fill more than half of a vector. Those of partitioned methods are PAIRs. */
#define INSTANCE(name, kind, count)                                                                                    \
    static lie_status name##_##count(embedded_task *task)                                                              \
    {                                                                                                                  \
        return run_kind(task, count, kind, 0);                                                                         \
    }
#define PAIR(name, kind, count)                                                                                        \
    static lie_status name##_##count##_pair(embedded_task *task)                                                       \
    {                                                                                                                  \
        return run_kind(task, count, kind, 1);                                                                         \
    }
#define ALL_KINDS(INSTANCE, count)                                                                                     \
    INSTANCE(top, STAGE_TOP, count)                                                                                    \
    INSTANCE(satellite, STAGE_SATELLITE, count)                                                                        \
    INSTANCE(vehicle, STAGE_VEHICLE, count)                                                                            \
    INSTANCE(vessel, STAGE_VESSEL, count)                                                                              \
    INSTANCE(pulled_turn, STAGE_PULLED_TURN, count)                                                                    \
    INSTANCE(pulled_motion, STAGE_PULLED_MOTION, count)                                                                \
    INSTANCE(turn, STAGE_TURN, count)                                                                                  \
    INSTANCE(motion, STAGE_MOTION, count)
#define ROW(n)                                                                                                         \
    {                                                                                                                  \
        top_##n, satellite_##n, vehicle_##n, vessel_##n, pulled_turn_##n, pulled_motion_##n, turn_##n, motion_##n      \
    }
#define NO_ROW                                                                                                         \
    {                                                                                                                  \
        0                                                                                                              \
    }

#if !defined(LIE_LANES) || LIE_LANES <= 2
ALL_KINDS(INSTANCE, 1)
ALL_KINDS(INSTANCE, 2)
#define ROW_1 ROW(1)
#define ROW_2 ROW(2)
#else
#define ROW_1 NO_ROW
#define ROW_2 NO_ROW
#endif
#if !defined(LIE_LANES) || LIE_LANES <= 4
ALL_KINDS(INSTANCE, 3)
ALL_KINDS(INSTANCE, 4)
ALL_KINDS(PAIR, 3)
ALL_KINDS(PAIR, 4)
#define ROW_3 ROW(3)
#define ROW_4 ROW(4)
#define PAIR_3 ROW(3_pair)
#define PAIR_4 ROW(4_pair)
#else
#define ROW_3 NO_ROW
#define ROW_4 NO_ROW
#define PAIR_3 NO_ROW
#define PAIR_4 NO_ROW
#endif
ALL_KINDS(INSTANCE, 6)
ALL_KINDS(INSTANCE, 8)

extern const embedded_kernel STAGE_KERNEL(lie__embedded);
const embedded_kernel STAGE_KERNEL(lie__embedded) = {{ROW_1, ROW_2, ROW_3, ROW_4, ROW(6), ROW(8), PAIR_3, PAIR_4}};
