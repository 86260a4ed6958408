/* SPDX-License-Identifier: MIT */
/* discrete_read.c: the discrete Lagrangian of a stepper's method, read between two configurations, and the start from
 * two of them; see liestep/discrete.h. Here that of ep, ve_fwd, ve_bwd and sv on l = 1/2 <I xi, xi> - V(g),
 *
 *     x = tau^-1(g0^-1 g1),   xi = x/h,   mu = I xi
 *     L_d = h (1/2 <mu, xi> - a V(g0) - b V(g1)),    E_d = 1/2 <mu, xi> + a V(g0) + b V(g1)
 *     p0  = (dtau^-1_x)^T mu - a h F(g0) - (h/2) f(t, g0, xi, u-)
 *     p1  = (dtau^-1_{-x})^T mu + b h F(g1) + (h/2) f(t + h, g1, xi, u+)
 *
 * with a, b as in separable.c and f, if there is one, as in separable_forced.h. Reference: Bou-Rabee & Marsden 2009,
 * (4.14) to (4.21); Marsden & West 2001, (1.4.7). */
#include "groups/num/finite.h"
#include "lib/methods/variational/discrete.h"
#include "lib/methods/variational/separable.h"

/* the impulses of the external force */
static void add_external(lie_stepper *st, lie_discrete_values *out, double t, const double *g0, const double *g1,
                         const double *xi, double h)
{
    const lie_place at = {.t = t, .from = 0.0, .to = 1.0};
    const forcing W = {st, &at, h, forced_of(st)->u};
    double f[LIE_DIM_MAX];
    external_at(W, f, 0.0, g0, xi);
    for (int i = 0; i < st->group->dim; i++) out->p0[i] -= 0.5 * h * f[i];
    external_at(W, f, 1.0, g1, xi);
    for (int i = 0; i < st->group->dim; i++) out->p1[i] += 0.5 * h * f[i];
}

lie_status lie__separable_values(lie_stepper *st, lie_discrete_values *out, double t, const double *g0,
                                 const double *g1, double h)
{
    const lie_ops *G = st->group;
    const lie_system *sys = st->system;
    double x[LIE_DIM_MAX], minus[LIE_DIM_MAX], xi[LIE_DIM_MAX], F[LIE_DIM_MAX], a, b, twice_kinetic = 0.0, V = 0.0;
    int n = G->dim;
    lie__separable_weights(st, &a, &b);
    lie_status status = join(G, x, g0, g1);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n; i++) xi[i] = x[i] / h;
    lie_system_momentum(sys, out->p0, g0, xi);
    for (int i = 0; i < n; i++) twice_kinetic += out->p0[i] * xi[i];
    for (int i = 0; i < n; i++) minus[i] = -x[i];
    status = G->dtauinvt(G, out->p1, minus, out->p0);
    if (status == LIE_OK) status = G->dtauinvt(G, out->p0, x, out->p0);
    if (status != LIE_OK) return status;
    if (a != 0.0) {
        sys->force(sys, F, g0);
        V += a * sys->potential(sys, g0);
        for (int i = 0; i < n; i++) out->p0[i] -= a * h * F[i];
    }
    if (b != 0.0) {
        sys->force(sys, F, g1);
        V += b * sys->potential(sys, g1);
        for (int i = 0; i < n; i++) out->p1[i] += b * h * F[i];
    }
    if (st->is.has_external) add_external(st, out, t, g0, g1, xi, h);
    out->lagrangian = h * (0.5 * twice_kinetic - V);
    out->energy = 0.5 * twice_kinetic + V;
    return LIE_OK;
}

lie_status lie_discrete_read(lie_stepper *st, lie_discrete_values *out, double t, const double *g0, const double *g1,
                             double h)
{
    const lie_ops *G = st->group;
    lie_discrete_values made = {.solve = {st->options.max_iterations, 0, 0.0}};
    if (!st->family->values || st->composition) return LIE_ERR_METHOD;
    if (!(h - h == 0.0) || h == 0.0) return LIE_ERR_STEP_SIZE;
    if (!(t - t == 0.0) || !all_finite(G->size, g0) || !all_finite(G->size, g1)) return LIE_ERR_NOT_FINITE;
    lie_status status = st->family->values(st, &made, t, g0, g1, h);
    if (status != LIE_OK) return status;
    if (!all_finite(G->dim, made.p0) || !all_finite(G->dim, made.p1)) return LIE_ERR_NOT_FINITE;
    *out = made;
    return LIE_OK;
}

lie_status lie_state_from_pair_in(lie_stepper *st, lie_state *s, int room_g, int room_m, int end, double t,
                                  const double *g0, const double *g1, double h)
{
    lie_discrete_values v;
    if (end != 0 && end != 1) return LIE_ERR_SIZE;
    lie_status status = lie_discrete_read(st, &v, t, g0, g1, h);
    if (status != LIE_OK) return status;
    return lie_state_set_momentum_in(st->system, s, room_g, room_m, end ? t + h : t, end ? g1 : g0, end ? v.p1 : v.p0);
}
