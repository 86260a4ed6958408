/* SPDX-License-Identifier: MIT */
/* embedded_end.h: the end of a step in the embedding. Internal.
 *
 *     q+ = q + h sum_i b_i q_i',   x+ = x + h sum_i b_i x_i',   px+ = px + h sum_i b_i R_i F_v,i
 *     R+ Pi+ = R Pi + h sum_i b_i (R_i F_w,i + (x_i - x) x R_i F_v,i) - (x+ - x) x px+
 *
 * so that the spatial momentum changes by the spatial impulses alone, whatever the passes have left. |q+| is 1 but for
 * what they have left and for rounding, which is taken away. All sums carry their rounding; the weights h b_i are known
 * beyond a double: rounded ones let the energy drift.
 *
 * Reference: Hairer, Lubich & Wanner 2006, section VIII.5, on rounding in Gauss methods. */
#ifndef LIESTEP_LIB_EMBEDDED_END_H
#define LIESTEP_LIB_EMBEDDED_END_H

#include "groups/maps/so3_cay.h"
#include "lib/methods/embedded/embedded.h"
#include "lib/methods/embedded/embedded_flat.h"
#include "lib/methods/stepping.h"

/* g and the momentum (mu, P) of a stage of a step from `at` */
LIE_INLINE void stage_of(const lie_ops *G, const lie_place *at, double *g, double *m, const double *y)
{
    double R[9], n = (y[0] * y[0] + y[1] * y[1]) + (y[2] * y[2] + y[3] * y[3]);
    momentum_of(m, y, y + EMBEDDED_P);
    if (G->size == 4) {
        double f = 1.0 / sqrt(n);
        for (int k = 0; k < 4; k++) g[k] = f * y[k];
        return;
    }
    rotation_of(R, y, 1.0 / n);
    copy_n(9, g, R);
    if (G->dim == 3) return;
    mat3_tvec(m + 3, R, y + EMBEDDED_PX);
    for (int k = 0; k < 3; k++) g[9 + k] = at->g[9 + k] + (at->low_g[9 + k] + y[EMBEDDED_X + k]);
}

/* h b_i, what its rounding has lost, and the slopes of the stages. */
typedef struct embedded_sums {
    int stages, stride;
    const double *hb, *hb_low, *slopes;
} embedded_sums;

/* sum_i b_i K_i of one row: even and odd terms apart */
LIE_INLINE double row_sum(int stages, const double *b, const double *K)
{
    double even = b[0] * K[0], odd = 0.0; // NOLINT(clang-analyzer-core.*): there are as many as stages
    for (int j = 1; j + 1 < stages; j += 2) {
        odd += b[j] * K[j];
        even += b[j + 1] * K[j + 1];
    }
    return (stages & 1) == 0 ? even + (odd + b[stages - 1] * K[stages - 1]) : even + odd;
}

/* row c of the slopes */
LIE_INLINE double increment(const embedded_sums *S, int c)
{
    const double *K = S->slopes + c * S->stride;
    return row_sum(S->stages, S->hb, K) + row_sum(S->stages, S->hb_low, K);
}

/* a in the body frame: R^T a, of g = q or (R[, x]) */
LIE_INLINE void seen_from_body(int size, double *out, const double *g, const double a[3])
{
    double x[3], b[3];
    if (size != 4) {
        mat3_tvec(out, g, a);
        return;
    }
    cross3(x, g + 1, a);
    cross3(b, g + 1, x);
    for (int i = 0; i < 3; i++) out[i] = a[i] + 2.0 * (b[i] - g[0] * x[i]);
}

/* m <- R(r)^T m, r = (w, v) and twice = 2/|r|^2 */
LIE_INLINE void turn_back(double *m, double *low_m, double twice, double w, const double v[3])
{
    double x[3], b[3];
    cross3(x, v, m);
    cross3(b, v, x);
    for (int i = 0; i < 3; i++) carry_add(m + i, low_m + i, twice * (b[i] - w * x[i]));
}

/* How an attitude changes: d, what is to be added to the quaternion; conj(q) (q + d) = (w, v); twice = 2/|q + d|^2 */
typedef struct embedded_turn {
    double d[4], w, v[3], twice;
} embedded_turn;

/* Of the change d. False where the length of q + d says that the stages are not those of the equations; partitioned
 * methods do not keep it. */
LIE_INLINE int turn_of(embedded_turn *t, int is_pair, const double d[4], const double q[4])
{
    double sum[4], x[3];
    LIE_UNROLL
    for (int c = 0; c < 4; c++) sum[c] = q[c] + d[c];
    double n = 1.0 - ((sum[0] * sum[0] + sum[1] * sum[1]) + (sum[2] * sum[2] + sum[3] * sum[3]));
    double longer = n * (0.5 + 0.375 * n);
    t->twice = 2.0 + 2.0 * n;
    if (is_pair) {
        double length = sqrt(1.0 - n);
        if (!(length > 0.25 && length < 4.0)) return 0;
        longer = n / (length * (1.0 + length));
        t->twice = 2.0 / (1.0 - n);
    } else if (!(fabs(n) < 0x1p-30)) {
        return 0;
    }
    t->w = 1.0 + ((q[0] * d[0] + q[1] * d[1]) + (q[2] * d[2] + q[3] * d[3]));
    cross3(x, q + 1, d + 1);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) t->v[i] = (q[0] * d[1 + i] - d[0] * q[1 + i]) - x[i];
    LIE_UNROLL
    for (int c = 0; c < 4; c++) t->d[c] = d[c] + longer * sum[c];
    return 1;
}

/* Pi <- Pi + R^T (impulse - dx x px+), P <- P + R^T dpx */
LIE_INLINE void motion_impulses(const embedded_change *change, lie_place *at)
{
    double body[3], lift[3];
    seen_from_body(12, body, at->g, change->px);
    for (int i = 0; i < 3; i++) carry_add(at->m + 3 + i, at->low_m + 3 + i, body[i]);
    seen_from_body(12, body, at->g, change->x);
    cross3(lift, body, at->m + 3);
    seen_from_body(12, body, at->g, change->impulse);
    for (int i = 0; i < 3; i++) carry_add(at->m + i, at->low_m + i, body[i] - lift[i]);
}

/* The node moves on. q: the quaternion that the step began with. */
LIE_INLINE int node_moves(int size, int is_pair, const embedded_change *change, const double q[4], lie_place *at)
{
    embedded_turn t;
    double body[3], dR[9];
    if (!turn_of(&t, is_pair, change->q, q)) return 0;
    if (size == 12) {
        motion_impulses(change, at);
        turn_back(at->m + 3, at->low_m + 3, t.twice, t.w, t.v);
    } else {
        seen_from_body(4, body, q, change->impulse);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) carry_add(at->m + i, at->low_m + i, body[i]);
    }
    turn_back(at->m, at->low_m, t.twice, t.w, t.v);
    if (size == 4) {
        LIE_UNROLL
        for (int i = 0; i < 4; i++) carry_add(at->g + i, at->low_g + i, t.d[i]);
        return 1;
    }
    rotation_change(dR, t.twice * t.w, t.twice, t.v, at->g);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) carry_add(at->g + i, at->low_g + i, dR[i]);
    if (size == 12) {
        LIE_UNROLL
        for (int i = 0; i < 3; i++) carry_add(at->g + 9 + i, at->low_g + 9 + i, change->x[i]);
    }
    return 1;
}

/* The change by stages one after the other; torque: R F_w, and arm: x_i - x */
static inline void change_by_stages(int size, embedded_change *change, const embedded_sums *S,
                                    const embedded_per_stage *torque, const embedded_per_stage *arm)
{
    double here[3], lift[3], force[3];
    for (int c = 0; c < 4; c++) change->q[c] = increment(S, c);
    for (int c = 0; c < 3; c++) change->impulse[c] = row_sum(S->stages, S->hb, torque[c]);
    if (size != 12) return;
    for (int c = 0; c < 3; c++) change->px[c] = increment(S, EMBEDDED_PX + c);
    for (int c = 0; c < 3; c++) change->x[c] = increment(S, EMBEDDED_X + c);
    for (int i = 0; i < S->stages; i++) {
        for (int c = 0; c < 3; c++) {
            here[c] = arm[c][i];
            force[c] = S->hb[i] * S->slopes[(EMBEDDED_PX + c) * S->stride + i];
        }
        cross3(lift, here, force);
        for (int c = 0; c < 3; c++) change->impulse[c] += lift[c];
    }
}

/* The end of a step whose stages are not in lanes. */
LIE_INLINE int end_step(int size, const embedded_sums *S, const double q[4], const embedded_per_stage *torque,
                        const embedded_per_stage *arm, lie_place *at)
{
    embedded_change change;
    change_by_stages(size, &change, S, torque, arm);
    return node_moves(size, 0, &change, q, at);
}

#endif
