/* SPDX-License-Identifier: MIT */
/* separable_forced.h: the substep of separable.c with an external force f (Lagrange-d'Alembert).
 *
 *     P = m + a h F(g) + (h/2) f(t, g, xi, u-),     (dtau^-1_{h xi})^T I xi = P
 *     g+ = g tau(h xi),     m+ = Ad*_{tau(h xi)} P + b h F(g+) + (h/2) f(t + h, g+, xi, u+)
 *
 * With f known, xi is one solve of the group: passes xi -> f -> xi from the extrapolated velocity contract by about
 * (h/2) |I^-1 df/dxi|. They end where f at the new xi changes P by at most 2^-51 of it: that is the residual of the
 * equations, computed, and P takes the new f. Where a pass does not reduce the change to a quarter (stiff drag, long
 * steps), where a pass leaves the domain, or the answer is so far from the guess that it may be on another branch,
 * Newton's method solves for xi with all of the force in it (separable_newton.c). So it does for a group without a
 * short cut for the solve. A force that does not depend on xi needs one solve.
 *
 * The spatial momentum changes by the spatial impulses to round-off. Cost: a solve and a force per pass, 2 to 4 of them
 * on short steps. Reference: Marsden & West 2001, section 3.2. Internal. */
#ifndef LIESTEP_LIB_SEPARABLE_FORCED_H
#define LIESTEP_LIB_SEPARABLE_FORCED_H

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
    if (vessel) {
        drag_force(f, vessel, vessel + VESSEL_QUADRATIC, xi);
        for (int i = 0; i < 6; i++) f[i] += thrust[i];
        return;
    }
    copy_n(G->size, g, W.at->g);
    copy_n(G->dim, v, xi);
    external_at(W, f, c, g, v);
}

LIE_INLINE void thrust_at(forcing W, double c, double *thrust)
{
    const lie_system *sys = W.st->system;
    zero_n(6, thrust);
    if (forced_of(W.st)->vessel && sys->form->thrust) sys->form->thrust(sys, thrust, control_in(W.st, W.at, W.u, c));
}

/* Is xi so near to the guess that no other branch lies between? As in newton.c. */
LIE_INLINE int is_near(int n, double h, const double *xi, const double *guess)
{
    int near = 1;
    for (int i = 0; i < n; i++) near &= fabs(h * (xi[i] - guess[i])) <= 0.25 * (1.0 + fabs(h * xi[i]));
    return near;
}

/* The impulse a h F + (h/2) f of the start and the xi that belongs to it, from the guess xi. False: not by passes. */
LIE_INLINE int forced_passes(forcing W, const lie_ops *G, double *impulse, double *xi, lie_solve *info)
{
    const separable *w = separable_of(W.st);
    const double *weight = forced_of(W.st)->weight, half = 0.5 * W.h, *m = W.at->m, *low_m = W.at->low_m;
    double f[LIE_DIM_MAX], v[LIE_DIM_MAX], p[LIE_DIM_MAX], pull[LIE_DIM_MAX], thrust[6], before = HUGE_VAL;
    int n = G->dim, positional = W.st->is.positional;
    thrust_at(W, 0.0, thrust);
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
    if (status == LIE_OK && !(G->legendre && forced_passes(W, G, impulse, xi, info))) {
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
    thrust_at(W, 1.0, thrust);
    node_force(W, G, x, 1.0, thrust, xi);
    for (int i = 0; i < n; i++) impulse[i] = (w->after == 0.0 ? 0.0 : w->after * h * w->F[i]) + 0.5 * h * x[i];
    kick(n, at->m, at->low_m, 1.0, impulse);
    return all_finite(n, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

#endif
