/* SPDX-License-Identifier: MIT */
/* flat_step.h: a step of the classical Runge-Kutta method, and the equations of motion of a body with a constant
 * inertia, over the numbers of real.h: flat_rk.c makes a method of them, lanes_flat.c steps of several trajectories.
 * Internal.
 *
 *     y+ = y + (h/6) (k1 + 2 k2 + 2 k3 + k4)
 *     xi = I^-1 m,  m' = ad*_xi m
 *
 * Reference: Kutta, Z. Math. Phys. 46 (1901). */
#ifndef LIESTEP_LIB_FLAT_STEP_H
#define LIESTEP_LIB_FLAT_STEP_H

#include "groups/attitude/coordinates.h"
#include "groups/num/vec3.h"

enum { FLAT_DIM = 6, FLAT_SIZE = 12, FLAT_COORDINATES = 12, FLAT_LONGEST = FLAT_COORDINATES + FLAT_DIM };

/* What a stage is: its time is that of the start, the middle or the end of the step. */
typedef enum flat_stage { FLAT_START, FLAT_MIDDLE, FLAT_END } flat_stage;

/* dy = f(y) at a stage */
typedef lie_status flat_rate(const void *problem, lie_real *dy, const lie_real *y, flat_stage stage);

/* y + h k of the next stage, and the sum of the k */
LIE_INLINE void flat_advance(int n, lie_real *next, lie_real *sum, const lie_real *y, lie_real h, const lie_real *k)
{
    LIE_UNROLL
    for (int i = 0; i < n; i++) {
        next[i] = y[i] + h * k[i];
        sum[i] += k[i] + k[i];
    }
}

/* out = y after a step of length h; n <= FLAT_LONGEST */
LIE_INLINE lie_status flat_rk4(int n, lie_real *out, const lie_real *y, lie_real h, flat_rate *rate,
                               const void *problem)
{
    lie_real k[FLAT_LONGEST], stage[FLAT_LONGEST], sum[FLAT_LONGEST], half = 0.5 * h, sixth = h / 6.0;
    lie_status status = rate(problem, sum, y, FLAT_START);
    if (status != LIE_OK) return status;
    LIE_UNROLL
    for (int i = 0; i < n; i++) stage[i] = y[i] + half * sum[i];
    status = rate(problem, k, stage, FLAT_MIDDLE);
    if (status != LIE_OK) return status;
    flat_advance(n, stage, sum, y, half, k);
    status = rate(problem, k, stage, FLAT_MIDDLE);
    if (status != LIE_OK) return status;
    flat_advance(n, stage, sum, y, h, k);
    status = rate(problem, k, stage, FLAT_END);
    if (status != LIE_OK) return status;
    LIE_UNROLL
    for (int i = 0; i < n; i++) out[i] = y[i] + sixth * (sum[i] + k[i]);
    return LIE_OK;
}

/* xi = I^-1 m and dm = ad*_xi m, on SO(3) or SE(3); of a diagonal inertia only the diagonal is looked at, which leaves
 * out sums with zeros */
LIE_INLINE void flat_free_rate(int dim, lie_real *xi, lie_real *dm, const lie_real *inverse, int is_diagonal,
                               const lie_real *m)
{
    LIE_UNROLL
    for (int i = 0; i < dim; i++) {
        xi[i] = real_of(0.0);
        LIE_UNROLL
        for (int j = 0; j < dim; j++)
            if (!is_diagonal || i == j) xi[i] += inverse[i * dim + j] * m[j];
    }
    if (dim == 3)
        rotation_adt(dm, xi, m);
    else
        motion_adt(dm, xi, m);
}

/* Quaternion and, on SE(3), place as coordinates: how many there are, the element they belong to, their rates */
LIE_INLINE int flat_q_count(int dim)
{
    return dim == 3 ? 4 : 7;
}

LIE_INLINE void flat_element(int dim, lie_real *g, const lie_real *y)
{
    if (dim == 3) {
        copy_n(4, g, y);
    } else {
        quat_rotation(g, y);
        copy_n(3, g + 9, y + 4);
    }
}

LIE_INLINE void flat_q_rate(int dim, lie_real *dy, const lie_real *y, const lie_real *g, const lie_real *xi)
{
    quat_rate(dy, y, xi);
    if (dim == 6) mat3_vec(dy + 4, g, xi + 3);
}

LIE_INLINE void flat_add(int n, lie_real *out, const lie_real *a)
{
    LIE_UNROLL
    for (int i = 0; i < n; i++) out[i] += a[i];
}

#endif
