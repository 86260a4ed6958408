/* SPDX-License-Identifier: MIT */
/* embedded_rates.h: the equations of motion in the embedding (embedded.c), for vectors of stages. Internal.
 *
 *     q' = 1/2 q w,   p' = 1/2 p w + q F/|q|^2                                                               (S3, SO3)
 *     x' = R v,  px' = R F_v,   p' = 1/2 p w + q (P x v + F_w)/|q|^2                                             (SE3)
 *
 * A text over lie_real: a lane is a stage. Every lane does what a plain double would do. */
#ifndef LIESTEP_LIB_EMBEDDED_RATES_H
#define LIESTEP_LIB_EMBEDDED_RATES_H

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
                                const embedded_task *task)
{
    lie_real a[3], b[3], turn[3];
    seen_e1(a, 4, y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) a[i] *= over;
    times3(b, task->form.gradient, a);
    cross3(F, a, b);
    seen_e3(turn, 4, y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) turn[i] = task->form.rate * (turn[i] * over);
    cross3(b, m, turn);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) F[i] += b[i], w[i] -= 0.5 * turn[i];
}

LIE_INLINE void top_force(lie_real F[3], const lie_real *y, lie_real over, const embedded_task *task)
{
    lie_real up[3];
    seen_e3(up, 4, y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) up[i] *= over;
    stage_torque(F, up, &task->form);
}

/* xi, f: half the velocity and the force, where they were asked for; torque: R F, where it is wanted */
LIE_INLINE void turn_rates(const shape *S, lie_real *k, lie_real *torque, const lie_real *y, const embedded_task *task,
                           const lie_real *xi, const lie_real *f, int last)
{
    lie_real m[3], own[3], w[3], F[3];
    lie_real over = 1.0 / ((y[0] * y[0] + y[1] * y[1]) + (y[2] * y[2] + y[3] * y[3]));
    if (S->is_asked) {
        copy_n(3, w, xi);
    } else {
        momentum_of(m, y, y + P);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) own[i] = S->kind == STAGE_SATELLITE ? m[i] - task->form.store[i] : m[i];
        times3(w, task->inverse, own);
    }
    if (S->is_asked || S->is_pulled)
        copy_n(3, F, f);
    else if (S->kind == STAGE_SATELLITE)
        satellite_force(F, w, y, over, m, task);
    else
        top_force(F, y, over, task);
    flat_rates(k, y, over, w, F);
    if (last) turned_by(torque, y, over, F);
}

/* drag on a vessel; half: its velocity with half of that of rotation */
LIE_INLINE void add_half_drag(lie_real f[6], const lie_real half[6], const embedded_task *task)
{
    lie_real xi[6];
    LIE_UNROLL
    for (int i = 0; i < 6; i++) xi[i] = i < 3 ? half[i] + half[i] : half[i];
    add_drag(f, xi, &task->form);
}

/* the same on SE3; f: the thrust of a vessel, too. px' and x' where a pass wants them, and in the last. */
LIE_INLINE void motion_rates(const shape *S, lie_real *k, lie_real *torque, const lie_real *y,
                             const embedded_task *task, const lie_real *asked, const lie_real *f, int last)
{
    lie_real m[6], xi[6], F[6], R[9], arm[3];
    lie_real over = 1.0 / ((y[0] * y[0] + y[1] * y[1]) + (y[2] * y[2] + y[3] * y[3]));
    rotation_of(R, y, over);
    mat3_tvec(m + 3, R, y + PX);
    if (S->is_asked) {
        copy_n(6, xi, asked);
    } else {
        momentum_of(m, y, y + P);
        times6(xi, task->inverse, m);
    }
    if (S->is_asked || S->is_pulled)
        copy_n(6, F, f);
    else
        stage_weight(F, R + 6, &task->form);
    if (S->kind == STAGE_VESSEL) {
        LIE_UNROLL
        for (int i = 0; i < 6; i++) F[i] += f[i];
        add_half_drag(F, xi, task);
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
LIE_INLINE int answers(const shape *S, per_stage *answer, lie_real Y[][VECTORS_MAX], const embedded_task *task)
{
    per_stage flat[LONGEST];
    for (int c = 0; c < S->rows; c++)
        for (int v = 0; v < S->vectors; v++) save(flat[c] + v * LANES, Y[c][v]);
    memset(answer, 0, 12 * sizeof *answer);
    if (!task->ask(task->context, answer, answer + 6, (const per_stage *)flat)) return 0;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < S->stages; i++) answer[c][i] *= 0.5;
    return 1;
}

/* K = f(Y) of vector v */
LIE_INLINE void vector_rates(const shape *S, stages *all, int v, const per_stage *answer, const embedded_task *task,
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
        if (S->kind == STAGE_VESSEL) f[i] = load(task->thrust + i * STAGES_MAX + v * LANES);
    }
    if (S->dim == 6)
        motion_rates(S, k, torque, y, task, xi, f, last);
    else
        turn_rates(S, k, torque, y, task, xi, f, last);
    LIE_UNROLL
    for (int c = 0; c < found; c++) all->K[c][v] = k[c];
    if (last) {
        LIE_UNROLL
        for (int c = 0; c < 3; c++) all->torque[c][v] = torque[c];
    }
}

/* K = f(Y); 0 where an answer was refused */
LIE_INLINE int rates(const shape *S, stages *all, const embedded_task *task, int last)
{
    per_stage answer[12];
    if ((S->is_asked || S->is_pulled) && !answers(S, answer, all->Y, task)) return 0;
    VECTOR_UNROLL
    for (int v = 0; v < S->vectors; v++) vector_rates(S, all, v, (const per_stage *)answer, task, last);
    return 1;
}

#endif
