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
#include "lib/methods/embedded/embedded.h"

#include <string.h>

#include "lib/methods/embedded/embedded_flat.h"
#include "lib/methods/stage_lanes.h"
#include "lib/systems/directions.h"

enum { STAGES_MAX = EMBEDDED_STAGES_MAX, VECTORS_MAX = STAGES_MAX / LANES, LONGEST = EMBEDDED_LONGEST };
enum { P = EMBEDDED_P, PX = EMBEDDED_PX, X = EMBEDDED_X };

/* Loops over the vectors of the stages are unrolled where that does not make the code too long. */
#if defined(LIE_LANES) && LIE_LANES > 2
#define VECTOR_UNROLL LIE_UNROLL
#else
#define VECTOR_UNROLL
#endif
typedef embedded_per_stage per_stage;

/* What an instance knows when it is compiled. */
typedef struct shape {
    stage_kind kind;
    int stages, vectors, stride;
    int dim;       /* of the group */
    int rows;      /* of y */
    int length;    /* of what the passes work on: what does not matter to the others is left out */
    int is_pulled; /* the force is asked for, */
    int is_asked;  /* or velocity and force */
    int is_pair;   /* p and px have a tableau of their own */
} shape;

/* Which tableau a row of y has. */
LIE_INLINE int has_own(const shape *S, int c)
{
    return S->is_pair && c >= P && c < X;
}

/* All stages: values and slopes. */
typedef struct stages {
    lie_real Y[LONGEST][VECTORS_MAX], K[LONGEST][VECTORS_MAX], torque[3][VECTORS_MAX];
} stages;

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

/* one product of the sum: row k of A, see embedded_job */
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
    double sum = n == 1 ? t[0] : t[0] + t[1];
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

/* Rates. The quaternion of a stage need not be of unit length: what is made of its direction is divided by |q|^2. */

/* R a = vec(q a conj(q))/|q|^2 */
LIE_INLINE void turned_by(lie_real out[3], const lie_real q[4], lie_real over, const lie_real a[3])
{
    lie_real b[4];
    quat_times(b, q, a);
    out[0] = ((q[0] * b[1] - b[0] * q[1]) + (q[2] * b[3] - q[3] * b[2])) * over;
    out[1] = ((q[0] * b[2] - b[0] * q[2]) + (q[3] * b[1] - q[1] * b[3])) * over;
    out[2] = ((q[0] * b[3] - b[0] * q[3]) + (q[1] * b[2] - q[2] * b[1])) * over;
}

/* the torque of a satellite, and its velocity in the frame that turns: the force of the gyroscopic term is m x n e3 */
LIE_INLINE void satellite_force(lie_real F[3], lie_real w[3], const lie_real *y, lie_real over, const lie_real m[3],
                                const embedded_job *job)
{
    lie_real a[3], b[3], turn[3];
    seen_e1(a, 4, y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) a[i] *= over;
    times3(b, job->form.gradient, a);
    cross3(F, a, b);
    seen_e3(turn, 4, y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) turn[i] = job->form.rate * (turn[i] * over);
    cross3(b, m, turn);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) F[i] += b[i], w[i] -= 0.5 * turn[i];
}

LIE_INLINE void top_force(lie_real F[3], const lie_real *y, lie_real over, const embedded_job *job)
{
    lie_real up[3];
    seen_e3(up, 4, y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) up[i] *= over;
    stage_torque(F, up, &job->form);
}

/* xi, f: half the velocity and the force, where they were asked for; torque: R F, where it is wanted */
LIE_INLINE void turn_rates(const shape *S, lie_real *k, lie_real *torque, const lie_real *y, const embedded_job *job,
                           const lie_real *xi, const lie_real *f, int last)
{
    lie_real m[3], own[3], w[3], F[3];
    lie_real over = 1.0 / ((y[0] * y[0] + y[1] * y[1]) + (y[2] * y[2] + y[3] * y[3]));
    if (S->is_asked) {
        copy_n(3, w, xi);
    } else {
        momentum_of(m, y, y + P);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) own[i] = S->kind == STAGE_SATELLITE ? m[i] - job->form.store[i] : m[i];
        times3(w, job->inverse, own);
    }
    if (S->is_asked || S->is_pulled)
        copy_n(3, F, f);
    else if (S->kind == STAGE_SATELLITE)
        satellite_force(F, w, y, over, m, job);
    else
        top_force(F, y, over, job);
    flat_rates(k, y, over, w, F);
    if (last) turned_by(torque, y, over, F);
}

/* drag on a vessel; half: its velocity with half of that of rotation */
LIE_INLINE void add_half_drag(lie_real f[6], const lie_real half[6], const embedded_job *job)
{
    lie_real xi[6];
    LIE_UNROLL
    for (int i = 0; i < 6; i++) xi[i] = i < 3 ? half[i] + half[i] : half[i];
    add_drag(f, xi, &job->form);
}

/* the same on SE3; f: the thrust of a vessel, too. px' and x' where a pass wants them, and in the last. */
LIE_INLINE void motion_rates(const shape *S, lie_real *k, lie_real *torque, const lie_real *y, const embedded_job *job,
                             const lie_real *asked, const lie_real *f, int last)
{
    lie_real m[6], xi[6], F[6], R[9], arm[3];
    lie_real over = 1.0 / ((y[0] * y[0] + y[1] * y[1]) + (y[2] * y[2] + y[3] * y[3]));
    rotation_of(R, y, over);
    mat3_tvec(m + 3, R, y + PX);
    if (S->is_asked) {
        copy_n(6, xi, asked);
    } else {
        momentum_of(m, y, y + P);
        times6(xi, job->inverse, m);
    }
    if (S->is_asked || S->is_pulled)
        copy_n(6, F, f);
    else
        stage_weight(F, R + 6, &job->form);
    if (S->kind == STAGE_VESSEL) {
        LIE_UNROLL
        for (int i = 0; i < 6; i++) F[i] += f[i];
        add_half_drag(F, xi, job);
    }
    if (last) mat3_vec(torque, R, F);
    if (last || S->length > PX) mat3_vec(k + PX, R, F + 3);
    if (last || S->length > X) mat3_vec(k + X, R, xi + 3);
    cross3(arm, m + 3, xi + 3);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) F[i] += arm[i];
    flat_rates(k, y, over, xi, F);
}

/* The velocities and forces that are asked for, in the rows of the answer: xi (w halved), then F. */
LIE_INLINE int answers(const shape *S, per_stage *answer, lie_real Y[][VECTORS_MAX], const embedded_job *job)
{
    per_stage flat[LONGEST];
    for (int c = 0; c < S->rows; c++)
        for (int v = 0; v < S->vectors; v++) save(flat[c] + v * LANES, Y[c][v]);
    memset(answer, 0, 12 * sizeof *answer);
    if (!job->ask(job->context, answer, answer + 6, (const per_stage *)flat)) return 0;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < S->stages; i++) answer[c][i] *= 0.5;
    return 1;
}

/* K = f(Y) of vector v */
LIE_INLINE void vector_rates(const shape *S, stages *all, int v, const per_stage *answer, const embedded_job *job,
                             int last)
{
    lie_real y[LONGEST], k[LONGEST], torque[3], xi[6], f[6];
    const int known = S->dim == 3 ? P + 4 : PX + 3, found = last ? S->rows : S->length;
    LIE_UNROLL
    for (int c = 0; c < known; c++) y[c] = all->Y[c][v];
    LIE_UNROLL
    for (int i = 0; i < S->dim; i++) {
        if (S->is_asked) xi[i] = load(answer[i] + v * LANES);
        if (S->is_asked || S->is_pulled) f[i] = load(answer[6 + i] + v * LANES);
        if (S->kind == STAGE_VESSEL) f[i] = load(job->thrust + i * STAGES_MAX + v * LANES);
    }
    if (S->dim == 6)
        motion_rates(S, k, torque, y, job, xi, f, last);
    else
        turn_rates(S, k, torque, y, job, xi, f, last);
    LIE_UNROLL
    for (int c = 0; c < found; c++) all->K[c][v] = k[c];
    if (last) {
        LIE_UNROLL
        for (int c = 0; c < 3; c++) all->torque[c][v] = torque[c];
    }
}

/* K = f(Y); 0 where an answer was refused */
LIE_INLINE int rates(const shape *S, stages *all, const embedded_job *job, int last)
{
    per_stage answer[12];
    if ((S->is_asked || S->is_pulled) && !answers(S, answer, all->Y, job)) return 0;
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) vector_rates(S, all, v, (const per_stage *)answer, job, last);
    return 1;
}

/* The first guess. */

/* px of a vehicle does not depend on the stages: weight and buoyancy are along e3 */
LIE_INLINE void known_momentum(const shape *S, stages *all, const embedded_job *job)
{
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) {
        all->Y[PX][v] = real_of(job->y[PX]);
        all->Y[PX + 1][v] = real_of(job->y[PX + 1]);
        all->Y[PX + 2][v] = job->y[PX + 2] + load(job->hc + v * LANES) * job->form.pull[3];
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
LIE_INLINE void foretell(const shape *S, stages *all, const embedded_job *job, int c)
{
    lie_real change[VECTORS_MAX], more[VECTORS_MAX];
    continued(S, change, has_own(S, c) ? job->guess_p : job->guess, job->slopes, c);
    if (S->stages <= 2 && job->history > 1) {
        continued(S, more, job->guess_older, job->older, c);
        for (int v = 0; v < S->vectors; v++) change[v] += more[v];
    }
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) all->Y[c][v] = job->y[c] + change[v];
}

/* y + h c_i f(y) */
LIE_INLINE int started(const shape *S, stages *all, const embedded_job *job)
{
    for (int c = 0; c < S->rows; c++)
        for (int v = 0; v < S->vectors; v++) all->Y[c][v] = real_of(job->y[c]);
    if (!rates(S, all, job, 0)) return 0;
    for (int c = 0; c < S->length; c++)
        for (int v = 0; v < S->vectors; v++) all->Y[c][v] += load(job->hc + v * LANES) * all->K[c][v];
    return 1;
}

LIE_INLINE int guess(const shape *S, stages *all, const embedded_job *job)
{
    if (S->rows > PX) {
        for (int c = S->length; c < S->rows; c++)
            for (int v = 0; v < S->vectors; v++) all->Y[c][v] = real_of(job->y[c]);
    }
    if (LIE_USUALLY(job->history > 0)) {
        LIE_UNROLL
        for (int c = 0; c < S->length; c++) foretell(S, all, job, c);
    } else if (!started(S, all, job)) {
        return 0;
    }
    if (S->kind == STAGE_VEHICLE) known_momentum(S, all, job);
    return 1;
}

/* Passes */

/* Y = y + h A K */
LIE_INLINE void renew(const shape *S, stages *all, const embedded_job *job)
{
    LIE_UNROLL
    for (int c = 0; c < S->length; c++) {
        VECTOR_UNROLL
        for (int v = 0; v < S->vectors; v++)
            all->Y[c][v] = job->y[c] + weighted(S->stages, has_own(S, c) ? job->hA_p : job->hA, v, all->K[c]);
    }
}

/* Over the mean energy of the stages; of what does not move at all, a large number. */
LIE_INLINE double energy_inverse(const shape *S, const stages *all, const embedded_job *job)
{
    lie_real energy[VECTORS_MAX];
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) {
        lie_real p2 = real_of(0.0), px2 = real_of(0.0);
        LIE_UNROLL
        for (int c = P; c < PX; c++) p2 += all->Y[c][v] * all->Y[c][v];
        for (int c = PX; S->dim == 6 && c < X; c++) px2 += all->Y[c][v] * all->Y[c][v];
        energy[v] = job->size[0] * p2;
        if (S->dim == 6) energy[v] += job->size[1] * px2;
    }
    double sum = stage_sum(S, energy);
    return sum > 0.0 ? S->stages / sum : 1e300;
}

/* The same, and what it changes: |dq|^2 and |(dp, dpx, dx)|^2 in the units of an energy, which is that of the stages
 * where they are looked at for the first time. */
LIE_INLINE double renew_measured(const shape *S, stages *all, const embedded_job *job, double *over_energy)
{
    lie_real turn[VECTORS_MAX], rest[VECTORS_MAX], change[VECTORS_MAX];
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) {
        lie_real d2[4] = {real_of(0.0), real_of(0.0), real_of(0.0), real_of(0.0)};
        LIE_UNROLL
        for (int c = 0; c < S->length; c++) {
            const int part = c < P ? 0 : c < PX ? 1 : c < X ? 2 : 3;
            const per_stage *A = has_own(S, c) ? job->hA_p : job->hA;
            lie_real y = job->y[c] + weighted(S->stages, A, v, all->K[c]), d = y - all->Y[c][v];
            d2[part] += d * d;
            all->Y[c][v] = y;
        }
        turn[v] = d2[0], rest[v] = job->size[0] * d2[1];
        if (S->dim == 6) rest[v] += job->size[1] * d2[2] + job->size[2] * d2[3];
    }
    if (*over_energy == 0.0) *over_energy = energy_inverse(S, all, job);
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) change[v] = turn[v] + *over_energy * rest[v];
    return stage_sum(S, change);
}

/* R F_w + (x_i - x) x R F_v of vector v */
LIE_INLINE void add_lift(const shape *S, stages *all, const embedded_job *job, int v)
{
    lie_real arm[3], force[3], lift[3];
    LIE_UNROLL
    for (int c = 0; c < 3; c++) arm[c] = weighted(S->stages, job->hA, v, all->K[X + c]), force[c] = all->K[PX + c][v];
    cross3(lift, arm, force);
    LIE_UNROLL
    for (int c = 0; c < 3; c++) all->torque[c][v] += lift[c];
}

/* h sum_i b_i K_i of `count` rows */
LIE_INLINE void add_up(const shape *S, double *sum, const embedded_job *job, lie_real K[][VECTORS_MAX], int count)
{
    LIE_UNROLL
    for (int c = 0; c < count; c++) sum[c] = stage_total(S, job->hb, K[c]) + stage_total(S, job->hb_low, K[c]);
}

/* Slopes of the stages, and what they add up to */
LIE_INLINE void hand_over(const shape *S, stages *all, embedded_job *job)
{
    LIE_UNROLL
    for (int c = 0; c < S->rows; c++) {
        double *row = job->out + c * S->stride;
        VECTOR_UNROLL
        for (int v = 0; v < S->vectors; v++) save(row + v * LANES, all->K[c][v]);
        for (int i = S->stages; i < S->vectors * LANES; i++) row[i] = 0.0;
    }
    add_up(S, job->change.q, job, all->K, 4);
    if (S->dim == 6) {
        add_up(S, job->change.px, job, all->K + PX, 3);
        add_up(S, job->change.x, job, all->K + X, 3);
        for (int v = 0; v < S->vectors; v++) add_lift(S, all, job, v);
    }
    add_up(S, job->change.impulse, job, all->torque, 3);
}

/* Passes to the end (contraction.h). What is left: the last change times the contraction, or the change where it is
 * rounding; in the node another h |df/dy| less. */
LIE_INLINE lie_status find(const shape *S, stages *all, embedded_job *job)
{
    contraction_course now = CONTRACTION_START;
    double over_energy = 0.0;
    int n = 1;
    if (!guess(S, all, job)) return LIE_ERR_NOT_FINITE;
    for (; n < job->trend.expected - 2.0 && n < job->cap; n++) {
        if (!rates(S, all, job, 0)) return LIE_ERR_NOT_FINITE;
        renew(S, all, job);
    }
    for (;; n++) {
        if (!rates(S, all, job, 0)) return LIE_ERR_NOT_FINITE;
        double d2 = renew_measured(S, all, job, &over_energy);
        const int is_last = contraction_settles(&job->trend, &now, d2);
        job->passes = n + 1, job->left = d2 * job->trend.contraction2;
        if (is_last) break;
        if (n >= job->cap || !(d2 < 1e6)) return LIE_ERR_NO_CONVERGENCE;
    }
    job->trend.expected = n + 1.0;
    return LIE_OK;
}

LIE_INLINE void take_given(const shape *S, stages *all, const embedded_job *job)
{
    const int known = S->rows == PX ? PX : LONGEST;
    for (int c = 0; c < known; c++)
        for (int v = 0; v < S->vectors; v++) all->Y[c][v] = load(job->given[c] + v * LANES);
}

LIE_INLINE lie_status run_stages(const shape *S, embedded_job *job)
{
    _Alignas(64) stages all;
    lie_status status = LIE_OK;
    if (job->given)
        take_given(S, &all, job);
    else
        status = find(S, &all, job);
    if (status != LIE_OK) return status;
    if (!rates(S, &all, job, 1)) return LIE_ERR_NOT_FINITE;
    hand_over(S, &all, job);
    return LIE_OK;
}

LIE_INLINE lie_status run_kind(embedded_job *job, int count, stage_kind kind, int is_pair)
{
    const int is_pulled = kind == STAGE_PULLED_TURN || kind == STAGE_PULLED_MOTION;
    const int is_asked = kind == STAGE_TURN || kind == STAGE_MOTION;
    const int is_turn = kind == STAGE_TOP || kind == STAGE_SATELLITE || kind == STAGE_PULLED_TURN || kind == STAGE_TURN;
    const int vectors = (count + LANES - 1) / LANES, dim = is_turn ? 3 : 6, rows = is_turn ? PX : LONGEST;
    const shape S = {kind,      count,    vectors, embedded_stride(count), dim, rows, embedded_length(kind),
                     is_pulled, is_asked, is_pair};
    return run_stages(&S, job);
}

/* Instances: only for as many stages as fill more than half of a vector. Those of partitioned methods are PAIRs. */
#define INSTANCE(name, kind, count)                                                                                    \
    static lie_status name##_##count(embedded_job *job)                                                                \
    {                                                                                                                  \
        return run_kind(job, count, kind, 0);                                                                          \
    }
#define PAIR(name, kind, count)                                                                                        \
    static lie_status name##_##count##_pair(embedded_job *job)                                                         \
    {                                                                                                                  \
        return run_kind(job, count, kind, 1);                                                                          \
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
