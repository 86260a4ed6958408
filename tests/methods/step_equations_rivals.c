/* SPDX-License-Identifier: MIT */
/* step_equations_rivals.c: the equations of energy-momentum methods and of Newmark's; see step_equations.h. */
#include "tests/methods/step_terms.h"

#include <string.h>

/* P - m where it is one of the potential: sum_k h w_k Ad*_{tau(-c_k h x)} F_k, w_k = b_k kappa_k + lambda <F_k, h x>
 * with the one lambda that fits best; what is left over. */
static double potential_impulse(const lie_system *sys, const lie_ops *G, const lie_state *from, double h,
                                const double *x, double *impulse)
{
    const lie_tableau *tab;
    double slope[DIM] = {0.0};
    int n = G->dim;
    if (lie_tableau_find(&tab, "gauss3") != LIE_OK) return HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double theta[DIM], part[DIM], minus[DIM], T[SIZE], at[SIZE], F[DIM], seen[DIM];
        for (int i = 0; i < n; i++) theta[i] = h * x[i], part[i] = tab->c[k] * theta[i], minus[i] = -part[i];
        if (G->tau(G, T, part) != LIE_OK || G->dtau(G, minus, minus, theta) != LIE_OK) return HUGE_VAL;
        G->mul(G, at, from->g, T);
        lie_system_force(sys, F, at, x);
        G->inv(G, T, T);
        G->Adt(G, seen, T, F);
        double length2 = dot(n, theta, theta), kappa = length2 > 0.0 ? dot(n, minus, theta) / length2 : 1.0;
        add(n, impulse, -h * tab->b[k] * kappa, seen);
        add(n, slope, h * dot(n, F, theta), seen);
    }
    double square = dot(n, slope, slope);
    if (square > 0.0) add(n, impulse, -dot(n, impulse, slope) / square, slope);
    return reach(n, impulse, 0.0);
}

/* x = I^-1 (m + m+)/2,  g+ = g tau(h x),  m+ = Ad*_{tau(h x)} P + (h/2) f+,  P = m + (h/2) f- or of the potential */
double coadjoint_error(const lie_stepper *st, const lie_ops *G, const lie_state *from, const lie_state *to, double h)
{
    const lie_system *sys = lie_stepper_system(st);
    double mean[DIM] = {0.0}, x[DIM], theta[DIM], m[DIM], end[DIM], P[DIM], T[SIZE], g[SIZE], E0, E1;
    int n = G->dim;
    node_momentum(from, n, m);
    node_momentum(to, n, end);
    for (int i = 0; i < n; i++) mean[i] = 0.5 * (m[i] + end[i]);
    if (lie_system_velocity(sys, x, from->g, mean) != LIE_OK) return HUGE_VAL;
    for (int i = 0; i < n; i++) theta[i] = h * x[i];
    double size = reach(n, m, reach(n, end, 0.0)) * (1.0 + reach(n, theta, 0.0));
    memcpy(P, end, sizeof P);
    add_external(sys, P, -0.5 * h, from->t + h, to->g, x);
    if (G->tau(G, T, theta) != LIE_OK) return HUGE_VAL;
    G->mul(G, g, from->g, T);
    G->inv(G, T, T);
    G->Adt(G, P, T, P);
    add(n, P, -1.0, m);
    double error = far(G, g, end, to, size);
    if (!sys->force) {
        add_external(sys, P, -0.5 * h, from->t, from->g, x);
        return larger(error, reach(n, P, 0.0) / size);
    }
    error = larger(error, potential_impulse(sys, G, from, h, x, P) / size);
    if (lie_state_energy(sys, &E0, from) != LIE_OK || lie_state_energy(sys, &E1, to) != LIE_OK) return HUGE_VAL;
    return larger(error, fabs(E1 - E0) / (fabs(E0) + fabs(sys->potential(sys, from->g)) + dot(n, m, x)));
}

/* theta = h xi + h^2 (1/4) (a + a+),  I xi+ = I xi + (h/2) (I a + I a+) */
double newmark_error(const lie_stepper *st, const lie_state *from, const lie_state *to, double h)
{
    const lie_ops *G = lie_stepper_group(st);
    const lie_system *sys = lie_stepper_system(st);
    double m[DIM], end[DIM], xi[2][DIM], rate[2][DIM] = {{0.0}}, a[2][DIM], theta[DIM], T[SIZE], g[SIZE];
    int n = G->dim;
    node_momentum(from, n, m);
    node_momentum(to, n, end);
    for (int k = 0; k < 2; k++) {
        const lie_state *s = k == 0 ? from : to;
        if (lie_system_velocity(sys, xi[k], s->g, k == 0 ? m : end) != LIE_OK) return HUGE_VAL;
        lie_system_momentum_rate(sys, rate[k], from->t + k * h, s->g, xi[k], 0);
        if (lie_system_velocity(sys, a[k], s->g, rate[k]) != LIE_OK) return HUGE_VAL;
    }
    for (int i = 0; i < n; i++) theta[i] = h * xi[0][i] + 0.25 * h * h * (a[0][i] + a[1][i]);
    if (G->tau(G, T, theta) != LIE_OK) return HUGE_VAL;
    G->mul(G, g, from->g, T);
    double size = reach(n, m, reach(n, end, h * reach(n, rate[0], reach(n, rate[1], 0.0))));
    for (int i = 0; i < n; i++) m[i] += 0.5 * h * (rate[0][i] + rate[1][i]);
    return far(G, g, m, to, size) / (1.0 + reach(n, theta, 0.0) + h * h * reach(n, a[1], 0.0));
}
