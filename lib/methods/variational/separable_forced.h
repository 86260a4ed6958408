/* SPDX-License-Identifier: MIT */
/* separable_forced.h: the substep of separable.c with an external force f (Lagrange-d'Alembert).
 *
 *     P = m + a h F(g) + (h/2) f(t, g, xi, u-),     (dtau^-1_{h xi})^T I xi = P
 *     g+ = g tau(h xi),     m+ = Ad*_{tau(h xi)} P + b h F(g+) + (h/2) f(t + h, g+, xi, u+)
 *
 * With f known, xi is one solve of the group: passes xi -> f -> xi from the extrapolated velocity contract by about
 * (h/2) |I^-1 df/dxi|. They end where f at the new xi changes P by at most 2^-51 of it: that is the residual of the
 * equations, computed, and P takes the new f. On SO(3) and S3, where p = (dtau^-1_{h xi})^T I xi and its derivative are
 * cheap, Newton's method takes their place, with a df/dxi that is kept as long as it serves.
 *
 * Where a pass does not reduce the change to a quarter (stiff drag, long steps), where it leaves the domain, or the
 * answer is so far from the guess that it may be on another branch, the step is solved with more care
 * (separable_newton.c). So it is on a group without a short cut for the solve. A force that does not depend on xi needs
 * one solve.
 *
 * The spatial momentum changes by the spatial impulses to round-off. Cost: a solve and a force per pass, 2 to 4 of them
 * on short steps; two forces on SO(3) and S3. Reference: Marsden & West 2001, section 3.2. Internal. */
#ifndef LIESTEP_LIB_SEPARABLE_FORCED_H
#define LIESTEP_LIB_SEPARABLE_FORCED_H

#include "groups/num/branch.h"
#include "lib/methods/contraction.h"
#include "lib/methods/variational/external.h"
#include "lib/methods/variational/separable_step.h"
#include "lib/systems/vessel.h"

enum { FORCED_PASSES = 16 };

/* Drag and thrust as they are now */
LIE_INLINE void vessel_now(const lie_stepper *st)
{
    double *vessel = forced_of(st)->vessel;
    const lie_form *form = st->system->form;
    if (!vessel) return;
    zero_n(VESSEL_DOUBLES, vessel);
    if (form->drag) form->drag(st->system, vessel, vessel + VESSEL_QUADRATIC);
}

/* f at the start (c = 0) or the end of the substep; `thrust`: of a vessel there */
LIE_INLINE void node_force(forcing W, const lie_ops *G, double *f, double c, const double *thrust, const double *xi)
{
    const double *vessel = forced_of(W.st)->vessel;
    double g[LIE_SIZE_MAX], v[LIE_DIM_MAX];
    if (vessel && G->dim == 6) {
        drag_force(f, vessel, vessel + VESSEL_QUADRATIC, xi);
        for (int i = 0; i < 6; i++) f[i] += thrust[i];
        return;
    }
    copy_n(G->size, g, W.at->g);
    copy_n(G->dim, v, xi);
    external_at(W, f, c, g, v);
}

LIE_INLINE void thrust_at(forcing W, const lie_ops *G, double c, double *thrust)
{
    const lie_system *sys = W.st->system;
    zero_n(6, thrust);
    if (G->dim == 6 && forced_of(W.st)->vessel && sys->form->thrust)
        sys->form->thrust(sys, thrust, control_in(W.st, W.at, W.u, c));
}

/* Is xi so near to the guess that no other branch lies between? As in newton.c. */
LIE_INLINE int is_near(int n, double h, const double *xi, const double *guess)
{
    int near = 1;
    for (int i = 0; i < n; i++) near &= fabs(h * (xi[i] - guess[i])) <= 0.25 * (1.0 + fabs(h * xi[i]));
    return near;
}

/* E = df/dxi at the start, as the system says or by forward differences from f */
LIE_INLINE void force_deriv(forcing W, const lie_ops *G, double *E, const double *f, const double *thrust,
                            const double *xi)
{
    const lie_system *sys = W.st->system;
    const double least = 0x1p-7 / fabs(W.h);
    double there[LIE_DIM_MAX], v[LIE_DIM_MAX], g[LIE_SIZE_MAX];
    int n = G->dim;
    copy_n(n, v, xi);
    if (sys->external_deriv) {
        copy_n(G->size, g, W.at->g);
        sys->external_deriv(sys, E, W.at->t, g, v, control_in(W.st, W.at, W.u, 0.0));
        return;
    }
    for (int j = 0; j < n; j++) {
        double size = fabs(xi[j]) > least ? fabs(xi[j]) : least;
        v[j] = xi[j] + 0x1p-26 * size;
        double over = 1.0 / (v[j] - xi[j]);
        node_force(W, G, there, 0.0, thrust, v);
        for (int i = 0; i < n; i++) E[i * n + j] = over * (there[i] - f[i]);
        v[j] = xi[j];
    }
}

/* The inverse of p'(xi) - (h/2) E, transposed, and p of the first guess; false where there is none */
LIE_INLINE int chord_at(forcing W, const lie_ops *G, double C[9], double p[3], const double E[9], const double xi[3])
{
    double J[9];
    if (G->legendre->momentum(G, p, J, xi, W.h, separable_of(W.st)->data) != LIE_OK) return 0;
    LIE_UNROLL
    for (int i = 0; i < 9; i++) J[i] -= 0.5 * W.h * E[i];
    double det = cofactors3(C, J), over = 1.0 / det;
    LIE_UNROLL
    for (int i = 0; i < 9; i++) C[i] *= over;
    return det > 0.0;
}

/* Three unknowns: p(xi) = m + impulse by Newton's method with dp/dxi at the guess, and df/dxi there or of an earlier
 * step, as long as that serves. The measured contraction ends it (contraction.h); the last change moves f to first
 * order, which may leave a part of it like that contraction. The impulse
 * a h F + (h/2) f of the start and the xi that belongs to it, from the guess xi. False: not in this way. */
LIE_INLINE int forced_chord(forcing W, const lie_ops *G, double impulse[3], double xi[3], lie_solve *info)
{
    const separable *w = separable_of(W.st);
    const double *inertia = W.st->system->inertia, half = 0.5 * W.h, *m = W.at->m, *low_m = W.at->low_m;
    double f[LIE_DIM_MAX], C[9], p[3], v[LIE_DIM_MAX], thrust[6], d[3], change[3];
    double *kept = W.st->memory + separable_end(3) + G->size, *E = kept + FORCED_DERIV;
    contraction_trend trend = {1.0, 0.0};
    contraction_course now = CONTRACTION_START;
    thrust_at(W, G, 0.0, thrust);
    copy_n(3, v, xi);
    node_force(W, G, f, 0.0, thrust, v);
    if (W.st->memory[SEPARABLE_COUNT] == 0.0 || kept[FORCED_KNOWN] == 0.0) force_deriv(W, G, E, f, thrust, v);
    kept[FORCED_KNOWN] = 0.0;
    if (!chord_at(W, G, C, p, E, v)) return 0;
    for (int k = 1;; k++) {
        double moved = 0.0, size = 0.0, before = now.before;
        LIE_UNROLL
        for (int i = 0; i < 3; i++) {
            impulse[i] = (w->before == 0.0 ? 0.0 : w->before * W.h * w->F[i]) + half * f[i];
            d[i] = p[i] - (m[i] + (impulse[i] + low_m[i]));
        }
        mat3_tvec(change, C, d);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) {
            moved += inertia[4 * i] * (change[i] * change[i]);
            size += inertia[4 * i] * (v[i] * v[i]) + forced_of(W.st)->weight[i] * (impulse[i] * impulse[i]);
            v[i] -= change[i];
        }
        info->iterations++;
        double d2 = moved == 0.0 ? 0.0 : moved / size;
        if (contraction_settles(&trend, &now, d2)) {
            double left = sqrt(d2 * trend.contraction2);
            if (left > info->residual) info->residual = left;
            mat3_vec(d, E, change);
            LIE_UNROLL
            for (int i = 0; i < 3; i++) impulse[i] -= half * d[i];
            int near = is_near(3, W.h, v, xi);
            copy_n(3, xi, v);
            kept[FORCED_KNOWN] = k <= 3;
            return near;
        }
        if (k >= FORCED_PASSES || k >= info->cap || !(d2 < 1e6)) return 0;
        if (k > 1 && d2 > 0x1p-88 && d2 > 0.0625 * before) return 0;
        node_force(W, G, f, 0.0, thrust, v);
        if (G->legendre->momentum(G, p, 0, v, W.h, w->data) != LIE_OK) return 0;
    }
}

/* The impulse a h F + (h/2) f of the start and the xi that belongs to it, from the guess xi. False: not by passes. */
LIE_INLINE int forced_passes(forcing W, const lie_ops *G, double *impulse, double *xi, lie_solve *info)
{
    const separable *w = separable_of(W.st);
    const double *weight = forced_of(W.st)->weight, half = 0.5 * W.h, *m = W.at->m, *low_m = W.at->low_m;
    double f[LIE_DIM_MAX], v[LIE_DIM_MAX], p[LIE_DIM_MAX], pull[LIE_DIM_MAX], thrust[6], before = HUGE_VAL;
    int n = G->dim, positional = W.st->is.positional;
    thrust_at(W, G, 0.0, thrust);
    node_force(W, G, f, 0.0, thrust, xi);
    copy_n(n, v, xi);
    for (int i = 0; i < n; i++) pull[i] = w->before == 0.0 ? 0.0 : w->before * W.h * w->F[i];
    for (int k = 0; k < FORCED_PASSES && k < info->cap; k++) {
        double moved = 0.0, size = 0.0;
        for (int i = 0; i < n; i++) p[i] = m[i] + ((pull[i] + half * f[i]) + low_m[i]);
        if (G->legendre->solve(G, v, W.h, w->data, p, info) != LIE_OK) return 0;
        if (!positional) {
            double next[LIE_DIM_MAX];
            node_force(W, G, next, 0.0, thrust, v);
            for (int i = 0; i < n; i++) {
                double d = half * (next[i] - f[i]), q = half * next[i];
                moved += weight[i] * (d * d);
                size += weight[i] * (p[i] * p[i] + q * q);
                f[i] = next[i];
            }
        }
        if (moved <= 0x1p-102 * size || (moved > 0.0625 * before && moved <= 0x1p-92 * size)) {
            double left = moved > 0.0 ? sqrt(moved / size) : 0.0;
            if (left > info->residual) info->residual = left;
            for (int i = 0; i < n; i++) impulse[i] = pull[i] + half * f[i];
            int near = is_near(n, W.h, v, xi);
            copy_n(n, xi, v);
            return near;
        }
        if (!(moved <= 0.0625 * before)) return 0;
        before = moved;
    }
    return 0;
}

LIE_INLINE lie_status forced_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    separable *w = separable_of(st);
    const forcing W = {st, at, h, forced_of(st)->u};
    double guess[LIE_DIM_MAX], xi[LIE_DIM_MAX], x[LIE_DIM_MAX], impulse[LIE_DIM_MAX], thrust[6];
    int n = G->dim;
    if (w->before != 0.0 && !w->known) own_force(st, G, at->g);
    w->known = 0;
    lie_status status = first_guess(st, G, w, guess, h, at->g, at->m);
    copy_n(n, xi, guess);
    int found = status == LIE_OK && G->legendre &&
                (is_chord(st, G) ? forced_chord(W, G, impulse, xi, info) : forced_passes(W, G, impulse, xi, info));
    if (status == LIE_OK && !found) {
        copy_n(n, xi, guess);
        status = lie__separable_newton(st, at, h, xi, impulse, info);
    }
    if (status != LIE_OK) return status;
    kick(n, at->m, at->low_m, 1.0, impulse);
    for (int i = 0; i < n; i++) x[i] = h * xi[i];
    status = move(G, at->g, at->low_g, at->m, at->low_m, x);
    if (status != LIE_OK) return status;
    remember(n, st->memory, h, xi);
    if (w->after != 0.0) {
        own_force(st, G, at->g);
        w->known = 1;
    }
    thrust_at(W, G, 1.0, thrust);
    node_force(W, G, x, 1.0, thrust, xi);
    for (int i = 0; i < n; i++) impulse[i] = (w->after == 0.0 ? 0.0 : w->after * h * w->F[i]) + 0.5 * h * x[i];
    kick(n, at->m, at->low_m, 1.0, impulse);
    return all_finite(n, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

#endif
