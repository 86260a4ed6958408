/* SPDX-License-Identifier: MIT */
/* embedded_midpoint.c: one stage in the embedding of S3 and SO3: Newton's method in three unknowns.
 *
 * The stage is the mean of the ends of the step. With u = h w/4, w its velocity, they are
 *
 *     q+ = q (1 - |u|^2, 2 u)/(1 + |u|^2),   Q = q (1, u)/(1 + |u|^2)
 *
 * and what its momentum mu and its force F, both in its own frame, must satisfy is
 *
 *     r(u) = (1 + |u|^2) mu - R_u^T m - h/2 (F + F x u) = 0,   R_u the rotation of (1, u)
 *
 * which follows from P = p + h/2 (P w/2 + Q F/|Q|^2), multiplied by conj(Q) and by (1, u). A change du of u turns the
 * stage by eta = B du, B = 2 (1 - hat u)/(1 + |u|^2), seen from the body, hence
 *
 *     r' = 2 mu u^T - h/2 hat F + (1 + |u|^2) mu_u - h/2 (1 - hat u) F_u
 *          + ((1 + |u|^2) mu_eta - hat(R_u^T m) - h/2 (1 - hat u) F_eta) B
 *
 * First guess: the polynomial through the last u. The matrix of the first point of a step serves all of the step where
 * the first change is small. What a change leaves is bounded by the ratio of two changes, which have been computed. A
 * step that turns far, or whose matrix has changed the sign of its determinant, is for the passes: it may be on another
 * branch of solutions.
 *
 * Cost: two or three evaluations of r, one of r'.
 *
 * Reference: Hairer, Lubich & Wanner 2006, section VIII.6, on the solution of implicit equations by Newton's method. */
#include <liestep/system.h>

#include "groups/maps/so3_cay.h"
#include "lib/methods/embedded/embedded_end.h"
#include "lib/methods/embedded/embedded_object.h"
#include "lib/systems/directions.h"

enum { MIDPOINT_CAP = 10 };

/* What does not change during a step. */
typedef struct midpoint_step {
    const lie_system *sys;
    const embedded_task *task;
    const double *g, *m;   /* the node */
    double h, per;         /* w = per u: 4/h */
    double up[3], side[3]; /* R^T e3 and, of a satellite, R^T e1 */
} midpoint_step;

/* The stage at u: over = 1/(1 + |u|^2), n = R_u^T m, and what its force is made of */
typedef struct midpoint_stage {
    double u[3], u2, over, n[3], mu[3], F[3], up[3], side[3], g[9];
} midpoint_stage;

/* R_u^T a */
LIE_INLINE void seen_from_stage(double out[3], const midpoint_stage *at, const double a[3])
{
    double x[3], twice = at->over + at->over, along = dot3(at->u, a);
    cross3(x, at->u, a);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = (twice - 1.0) * a[i] + twice * (along * at->u[i] - x[i]);
}

/* out = M hat(a): rows M_i x a */
LIE_INLINE void times_hat(double out[9], const double M[9], const double a[3])
{
    LIE_UNROLL
    for (int i = 0; i < 9; i += 3) cross3(out + i, M + i, a);
}

/* out = hat(a) M: columns a x M_j */
LIE_INLINE void hat_times(double out[9], const double a[3], const double M[9])
{
    LIE_UNROLL
    for (int j = 0; j < 3; j++) {
        out[j] = a[1] * M[6 + j] - a[2] * M[3 + j];
        out[3 + j] = a[2] * M[j] - a[0] * M[6 + j];
        out[6 + j] = a[0] * M[3 + j] - a[1] * M[j];
    }
}

/* The stage as a place, for a force that is asked for */
LIE_INLINE void stage_place(int size, midpoint_stage *at, const double *g)
{
    if (size == 4) {
        double f = sqrt(at->over), v[3] = {f * at->u[0], f * at->u[1], f * at->u[2]}, d[4];
        quat_change(d, f, 1.0, v, g);
        copy_n(4, at->g, d);
    } else {
        double d[9], twice = at->over + at->over;
        rotation_change(d, twice, twice, at->u, g);
        LIE_UNROLL
        for (int i = 0; i < 9; i++) at->g[i] = g[i] + d[i];
    }
}

/* mu and F of a satellite in its frame, see satellite_force in embedded_stages.c */
LIE_INLINE void satellite_at(const midpoint_step *S, midpoint_stage *at)
{
    const embedded_task *task = S->task;
    double turn[3], more[3], b[3], x[3];
    seen_from_stage(at->up, at, S->up);
    seen_from_stage(at->side, at, S->side);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) turn[i] = task->form.rate * at->up[i];
    mat3_vec(more, S->sys->inertia, turn);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) at->mu[i] += more[i] + task->form.store[i];
    mat3_vec(b, task->form.gradient, at->side);
    cross3(at->F, at->side, b);
    cross3(x, at->mu, turn);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) at->F[i] += x[i];
}

/* The stage at u */
LIE_INLINE void stage_at(int size, stage_kind kind, midpoint_stage *at, const midpoint_step *S)
{
    at->u2 = dot3(at->u, at->u), at->over = 1.0 / (1.0 + at->u2);
    double w[3] = {S->per * at->u[0], S->per * at->u[1], S->per * at->u[2]};
    mat3_vec(at->mu, S->sys->inertia, w);
    if (kind == STAGE_TOP) {
        seen_from_stage(at->up, at, S->up);
        cross3(at->F, at->up, S->task->form.pull);
    } else if (kind == STAGE_SATELLITE) {
        satellite_at(S, at);
    } else {
        stage_place(size, at, S->g);
        S->sys->force(S->sys, at->F, at->g);
    }
}

/* The stage at u, and r */
LIE_INLINE void midpoint_lack(int size, stage_kind kind, double r[3], midpoint_stage *at, const midpoint_step *S)
{
    double x[3], half = 0.5 * S->h;
    stage_at(size, kind, at, S);
    seen_from_stage(at->n, at, S->m);
    cross3(x, at->F, at->u);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) r[i] = ((at->mu[i] - half * (at->F[i] + x[i])) + at->u2 * at->mu[i]) - at->n[i];
}

/* F_eta of the weight, up x arm, between two matrices 1 - hat u:
 * (up . arm) (1 - |u|^2 - 2 hat u + u u^T) - (up - u x up) (arm - arm x u)^T */
LIE_INLINE void top_pulled(double W[9], const midpoint_stage *at, const double arm[3])
{
    double p[3], q[3], along = dot3(at->up, arm), v[3], twice[3];
    cross3(p, at->u, at->up);
    cross3(q, arm, at->u);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) {
        p[i] = at->up[i] - p[i], q[i] = arm[i] - q[i];
        v[i] = along * at->u[i], twice[i] = v[i] + v[i];
    }
    LIE_UNROLL
    for (int i = 0; i < 9; i++) W[i] = v[i / 3] * at->u[i % 3] - p[i / 3] * q[i % 3];
    LIE_UNROLL
    for (int i = 0; i < 9; i += 4) W[i] += along - along * at->u2;
    W[1] += twice[2], W[2] -= twice[1], W[5] += twice[0];
    W[3] -= twice[2], W[6] += twice[1], W[7] -= twice[0];
}

/* F_eta of a satellite, and what else its J has: 2 mu_eta (1 - hat u) - h/2 (1 - hat u) F_u. With a = R^T e1, K its
 * gradient and t = n R^T e3: F = a x K a + mu x t, mu = I (w + t) + ..., da = a x eta, dt = t x eta */
LIE_INLINE void satellite_deriv(double J[9], double F_eta[9], const midpoint_stage *at, const midpoint_step *S)
{
    const double *inertia = S->sys->inertia, half = 0.5 * S->h;
    double turn[3], b[3], A[9], B[9], mu_eta[9];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) turn[i] = S->task->form.rate * at->up[i];
    times_hat(mu_eta, inertia, turn);
    mat3_vec(b, S->task->form.gradient, at->side);
    times_hat(A, S->task->form.gradient, at->side);
    hat3(B, at->side);
    hat_times(F_eta, at->side, A);
    hat_times(A, b, B);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) F_eta[i] -= A[i];
    hat_times(A, turn, mu_eta);
    hat3(B, turn);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) F_eta[i] -= A[i];
    hat_times(A, at->mu, B);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) F_eta[i] += A[i];
    times_hat(B, mu_eta, at->u);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) J[i] += 2.0 * (mu_eta[i] - B[i]);
    hat_times(A, turn, inertia); /* - F_w */
    hat_times(B, at->u, A);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) J[i] += half * S->per * (A[i] - B[i]);
}

/* W = (1 - hat u) F_eta (1 - hat u), and what depends on the velocity in J */
LIE_INLINE void midpoint_pulled(stage_kind kind, double J[9], double W[9], const midpoint_stage *at,
                                const midpoint_step *S)
{
    double F_eta[9], X[9], Y[9];
    if (kind == STAGE_TOP) {
        top_pulled(W, at, S->task->form.pull);
        return;
    }
    if (kind == STAGE_SATELLITE)
        satellite_deriv(J, F_eta, at, S);
    else if (S->sys->force_deriv)
        S->sys->force_deriv(S->sys, F_eta, at->g);
    else
        zero_n(9, F_eta);
    hat_times(X, at->u, F_eta);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) X[i] = F_eta[i] - X[i];
    times_hat(Y, X, at->u);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) W[i] = X[i] - Y[i];
}

/* r', with hat(n) (1 - hat u) = hat n - u n^T + n . u. */
LIE_INLINE void midpoint_deriv(stage_kind kind, double J[9], const midpoint_stage *at, const midpoint_step *S)
{
    double W[9], a[3], b[3], z[3], twice = at->over + at->over, f = twice * (0.5 * S->h), half = 0.5 * S->h;
    double scale = S->per * (1.0 + at->u2);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) {
        a[i] = twice * at->n[i], b[i] = at->mu[i] + at->mu[i];
        z[i] = half * at->F[i] + a[i];
    }
    double along = dot3(a, at->u);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) J[i] = scale * S->sys->inertia[i] + (b[i / 3] * at->u[i % 3] + at->u[i / 3] * a[i % 3]);
    LIE_UNROLL
    for (int i = 0; i < 9; i += 4) J[i] -= along;
    J[1] += z[2], J[2] -= z[1], J[5] += z[0];
    J[3] -= z[2], J[6] += z[1], J[7] -= z[0];
    midpoint_pulled(kind, J, W, at, S);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) J[i] -= f * W[i];
}

/* J^-1, by its columns as rows; returns det J */
LIE_INLINE double inverse3(double C[9], const double J[9])
{
    cross3(C, J + 3, J + 6);
    cross3(C + 3, J + 6, J);
    cross3(C + 6, J, J + 3);
    double det = dot3(J, C), over = 1.0 / det;
    LIE_UNROLL
    for (int i = 0; i < 9; i++) C[i] *= over;
    return det;
}

/* How a solution went: evaluations, and the square of what the last change has left, relative. */
typedef struct midpoint_course {
    int passes;
    double left2;
} midpoint_course;

/* u from at->u on; false where this is not for three unknowns. The changes are relative to the larger one of u and of
 * what the momentum and an impulse would do. After a change d, which follows one of `before`, the matrix of the point
 * before leaves d (d/before), with a factor of two for a matrix of an older point; a factor of two more is for
 * safety. */
LIE_INLINE int midpoint_solve(int size, stage_kind kind, midpoint_stage *at, const midpoint_step *S, int cap,
                              midpoint_course *c)
{
    double r[3], J[9], inverse[9] = {0.0}, d2 = 1.0, before, scale2 = 0.0, det = 0.0;
    for (c->passes = 1; c->passes <= cap; c->passes++) {
        midpoint_lack(size, kind, r, at, S);
        if (c->passes == 1 || d2 > 0x1p-24) { /* at the first point, and again after a large change */
            midpoint_deriv(kind, J, at, S);
            det = inverse3(inverse, J);
        }
        if (c->passes == 1) {
            double f = 0.25 * S->h * S->task->size[0], k = 0.5 * S->h;
            scale2 = at->u2 + f * f * (dot3(S->m, S->m) + k * k * dot3(at->F, at->F));
        }
        double du[3];
        mat3_tvec(du, inverse, r);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) at->u[i] -= du[i];
        before = d2, d2 = dot3(du, du);
        if (!(det * S->h > 0.0) || !(d2 < 0.25)) return 0;
        if (c->passes == 1 && d2 > 0x1p-104 * scale2) continue;
        c->left2 = c->passes == 1 ? d2 : 16.0 * d2 * (d2 / before);
        int stagnates = d2 <= 0x1p-97 * scale2 && d2 >= 0.25 * before;
        if (c->left2 <= 0x1p-102 * scale2 || d2 <= 0x1p-104 * scale2 || stagnates) {
            c->left2 = scale2 > 0.0 ? c->left2 / scale2 : 0.0;
            return dot3(at->u, at->u) <= 1.0;
        }
    }
    return 0;
}

/* The first guess: from the last steps, or from the velocity of the node */
LIE_INLINE void midpoint_guess(double u[3], const midpoint_memory *known, const midpoint_step *S)
{
    if (LIE_USUALLY(known->known == MIDPOINT_KNOWN && known->h == S->h)) {
        LIE_UNROLL
        for (int i = 0; i < 3; i++) u[i] = ahead(MIDPOINT_KNOWN, known->u[i]);
    } else if (known->known > 0.0) {
        for (int i = 0; i < 3; i++)
            u[i] = known->h == S->h ? ahead((int)known->known, known->u[i]) : S->h / known->h * known->u[i][0];
    } else {
        for (int i = 0; i < 3; i++) u[i] = 0.5 * S->h * dot3(S->task->inverse + 3 * i, S->m);
    }
}

LIE_INLINE void midpoint_learn(midpoint_memory *known, const double u[3], double h)
{
    int n = known->h == h ? (int)known->known : 0;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) {
        LIE_UNROLL
        for (int j = MIDPOINT_KNOWN - 1; j > 0; j--) known->u[i][j] = known->u[i][j - 1];
        known->u[i][0] = u[i];
    }
    known->known = n < MIDPOINT_KNOWN ? n + 1 : MIDPOINT_KNOWN;
    known->h = h;
}

/* R_v^T - 1 of (w, v), twice = 2/|(w, v)|^2, applied to a */
LIE_INLINE void turned_change(double out[3], double twice, double w, const double v[3], const double a[3])
{
    double x[3], b[3];
    cross3(x, v, a);
    cross3(b, v, x);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = twice * (b[i] - w * x[i]);
}

/* The node moves on: by (w, v) = (1 - |u|^2, 2 u)/(1 + |u|^2). m+ = R_v^T m + h R_u^T F, F at u */
LIE_INLINE void midpoint_move(int size, stage_kind kind, midpoint_stage *at, const midpoint_step *S, lie_place *place)
{
    double v[3], d[9], body[3], change[3];
    stage_at(size, kind, at, S);
    double twice = at->over + at->over, less = -twice * at->u2, w = 1.0 + less;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) v[i] = twice * at->u[i];
    double n = 1.0 - (w * w + dot3(v, v)), both = 2.0 + 2.0 * n;
    seen_from_stage(body, at, at->F);
    turned_change(change, both, w, v, place->m);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) carry_add(place->m + i, place->low_m + i, change[i] + S->h * body[i]);
    if (size == 4) {
        double sum[4];
        quat_change(d, less, 1.0, v, place->g);
        LIE_UNROLL
        for (int i = 0; i < 4; i++) sum[i] = place->g[i] + d[i];
        n = 1.0 - ((sum[0] * sum[0] + sum[1] * sum[1]) + (sum[2] * sum[2] + sum[3] * sum[3]));
        LIE_UNROLL
        for (int i = 0; i < 4; i++) carry_add(place->g + i, place->low_g + i, d[i] + 0.5 * n * sum[i]);
    } else {
        rotation_change(d, both * w, both, v, place->g);
        LIE_UNROLL
        for (int i = 0; i < 9; i++) carry_add(place->g + i, place->low_g + i, d[i]);
    }
}

LIE_INLINE lie_status midpoint(int size, stage_kind kind, lie_stepper *st, const lie_ops *G, lie_place *place, double h,
                               lie_solve *info)
{
    embedded *w = embedded_of(st);
    midpoint_memory *known = w->midpoint;
    midpoint_step S;
    S.sys = st->system, S.task = &w->task, S.g = place->g, S.m = place->m, S.h = h, S.per = 4.0 / h;
    midpoint_stage at;
    midpoint_course course;
    if (kind != STAGE_PULLED_TURN) seen_e3(S.up, size, place->g);
    if (kind == STAGE_SATELLITE) seen_e1(S.side, size, place->g);
    midpoint_guess(at.u, known, &S);
    int is_found = midpoint_solve(size, kind, &at, &S, info->cap < MIDPOINT_CAP ? info->cap : MIDPOINT_CAP, &course);
    info->iterations += course.passes;
    if (!LIE_USUALLY(is_found)) {
        known->known = 0.0, w->memory->history = 0.0;
        return w->by_passes(st, G, place, h, info);
    }
    double left = sqrt(course.left2);
    if (left > info->residual) info->residual = left;
    midpoint_move(size, kind, &at, &S, place);
    midpoint_learn(known, at.u, h);
    return all_finite(3, place->m) && all_finite(size, place->g) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

#define MIDPOINT(name, size, kind)                                                                                     \
    static lie_status name(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)                \
    {                                                                                                                  \
        return midpoint(size, kind, st, G, at, h, info);                                                               \
    }
MIDPOINT(top_s3, 4, STAGE_TOP)
MIDPOINT(top_so3, 9, STAGE_TOP)
MIDPOINT(satellite_s3, 4, STAGE_SATELLITE)
MIDPOINT(satellite_so3, 9, STAGE_SATELLITE)
MIDPOINT(pulled_s3, 4, STAGE_PULLED_TURN)
MIDPOINT(pulled_so3, 9, STAGE_PULLED_TURN)

lie_substep_fn *lie__embedded_midpoint(const lie_stepper *st, stage_kind kind)
{
    const int size = st->group->size;
    if (st->tableau->stages != 1) return 0;
    if (kind == STAGE_TOP) return size == 4 ? top_s3 : top_so3;
    if (kind == STAGE_SATELLITE) return size == 4 ? satellite_s3 : satellite_so3;
    if (kind == STAGE_PULLED_TURN) return size == 4 ? pulled_s3 : pulled_so3;
    return 0;
}
