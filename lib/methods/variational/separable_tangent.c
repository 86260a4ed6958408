/* SPDX-License-Identifier: MIT */
/* separable_tangent.c: the derivative of a step of separable.c.
 *
 *     P = m + a h F(g),     I xi = (dtau_x)^T P,  x = h xi,     g+ = g tau(x),     m+ = Ad*_{tau(x)} P + b h F(g+)
 *     dP = nu + a h F_g eta,      J dxi = (dtau_x)^T dP,      J = I - h d/dx (dtau_x)^T P
 *
 * With an external force (separable_forced.h) P has (h/2) f, dP the terms (h/2) f_g eta + (h/2) f_xi dxi, of which the
 * second is in J, and m+ the same at its end.
 *
 * x comes from the two ends of the step, by tau^-1 or from the velocity, and is polished by Newton's method with the
 * same J. Exact but for rounding if the system has force_deriv. */

#include <math.h>

#include "groups/num/newton.h"
#include "lib/methods/legendre.h"
#include "lib/methods/variational/separable.h"
#include "lib/methods/variational/tangent.h"

int lie__separable_tangent_doubles(const lie_stepper *st)
{
    int n = st->group->dim;
    return 10 * n * n;
}

/* The substep being differentiated: P without and with the external force, which depends on xi */
typedef struct substep {
    forcing W;
    double base[LIE_DIM_MAX], P[LIE_DIM_MAX];
} substep;

/* J and r = I xi - (dtau_x)^T P at xi; scratch: 2 n x n */
static lie_status equation(substep *S, const double *xi, double *J, double *r, double *scratch)
{
    const lie_stepper *st = S->W.st;
    int n = st->group->dim;
    double size, f[LIE_DIM_MAX] = {0.0};
    if (st->is.has_external) external_at(S->W, f, 0.0, S->W.at->g, xi);
    for (int i = 0; i < n; i++) S->P[i] = S->base[i] + 0.5 * S->W.h * f[i];
    lie_status status = lie__legendre_residual(st->group, r, &size, st->system->inertia, S->W.h, xi, S->P);
    return status == LIE_OK ? lie__separable_jacobian(&S->W, J, scratch, xi, S->P) : status;
}

/* xi of the step, and J there, factored. */
static lie_status velocity_of_step(substep *S, const lie_place *to, double *xi, double *J, int *pivots, double *scratch)
{
    const lie_stepper *st = S->W.st;
    const lie_ops *G = st->group;
    double g[LIE_SIZE_MAX], r[LIE_DIM_MAX], last = HUGE_VAL;
    int n = G->dim;
    lie_status status;
    if (G->tauinv) {
        G->inv(G, g, S->W.at->g);
        G->mul(G, g, g, to->g);
        status = G->tauinv(G, xi, g);
        for (int i = 0; i < n; i++) xi[i] /= S->W.h;
    } else {
        status = lie_system_velocity(st->system, xi, S->W.at->g, S->base);
    }
    for (int k = 0; k < 20 && status == LIE_OK; k++) {
        double change = 0.0;
        status = equation(S, xi, J, r, scratch);
        if (status != LIE_OK) return status;
        if (lie__linear_plain.factor(n, J, pivots) == 0) return LIE_ERR_SINGULAR;
        lie__linear_plain.solve(n, J, pivots, r);
        for (int i = 0; i < n; i++) change = fabs(r[i]) > change ? fabs(r[i]) : change;
        if (change >= 0.5 * last || change == 0.0) return LIE_OK;
        for (int i = 0; i < n; i++) xi[i] -= r[i];
        last = change;
    }
    return status == LIE_OK ? LIE_ERR_NO_CONVERGENCE : status;
}

/* P of the potential, and what eta and nu make of it */
static void start_variation(substep *S, double *dP, double *F_g)
{
    const lie_stepper *st = S->W.st;
    const lie_place *from = S->W.at;
    const double h = S->W.h;
    double F[LIE_DIM_MAX], before, after;
    int n = st->group->dim, N = 2 * n;
    lie__separable_weights(st, &before, &after);
    for (int i = 0; i < n; i++) S->base[i] = from->m[i] + from->low_m[i];
    for (int i = 0; i < n * N; i++) dP[i] = i % N == n + i / N ? 1.0 : 0.0;
    if (before == 0.0) return;
    st->system->force(st->system, F, from->g);
    lie_system_force_deriv(st->system, F_g, from->g, from->m);
    for (int i = 0; i < n; i++) S->base[i] += before * h * F[i];
    for (int i = 0; i < n * n; i++) dP[i / n * N + i % n] = before * h * F_g[i];
}

/* out (n x 2 n) += 1/2 E dx, E = df/dxi at the fraction c of the substep: what the velocity x/h does to (h/2) f */
static void add_by_velocity(const substep *S, double *out, double c, const double *g, const double *xi,
                            const double *dx, double *E)
{
    int n = S->W.st->group->dim;
    lie__external_deriv(S->W, E, c, g, xi);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < 2 * n; b++)
            for (int k = 0; k < n; k++) out[a * 2 * n + b] += 0.5 * E[a * n + k] * dx[k * 2 * n + b];
}

/* (eta, nu)+ from dx and dP: the end of all methods, and the kicks there */
static lie_status end_variation(const substep *S, const lie_place *to, double *T, const double *xi, const double *dx,
                                const double *dP, double *scratch)
{
    const lie_stepper *st = S->W.st;
    const double h = S->W.h;
    double x[LIE_DIM_MAX], before, after;
    int n = st->group->dim;
    lie__separable_weights(st, &before, &after);
    for (int i = 0; i < n; i++) x[i] = h * xi[i];
    lie_status status = lie__tangent_end(st->group, T, x, S->P, 0, dx, dP, scratch);
    if (status != LIE_OK) return status;
    if (after != 0.0) {
        lie_system_force_deriv(st->system, scratch, to->g, to->m);
        lie__tangent_kick(n, T, after * h, scratch);
    }
    if (!st->is.has_external) return LIE_OK;
    zero_n(n * n, scratch);
    lie__external_along(S->W, scratch, 1.0, to->g, xi);
    lie__tangent_kick(n, T, 0.5 * h, scratch);
    add_by_velocity(S, T + 2 * n * n, 1.0, to->g, xi, dx, scratch);
    return LIE_OK;
}

lie_status lie__separable_tangent(lie_stepper *st, const lie_place *from, const lie_place *to, double h, double *T,
                                  double *work)
{
    const lie_ops *G = st->group;
    substep S = {.W = {st, from, h, st->is.has_external ? forced_of(st)->u : 0}};
    int n = G->dim, N = 2 * n, pivots[LIE_DIM_MAX], forced = st->is.has_external;
    double *J = work, *F_g = J + n * n, *dP = F_g + n * n, *dx = dP + n * N, *scratch = dx + n * N;
    double xi[LIE_DIM_MAX], x[LIE_DIM_MAX], column[LIE_DIM_MAX];
    start_variation(&S, dP, F_g);
    lie_status status = velocity_of_step(&S, to, xi, J, pivots, scratch);
    if (status != LIE_OK) return status;
    if (forced) {
        zero_n(n * n, F_g);
        lie__external_along(S.W, F_g, 0.0, from->g, xi);
        for (int i = 0; i < n * n; i++) dP[i / n * N + i % n] += 0.5 * h * F_g[i];
    }
    for (int i = 0; i < n; i++) x[i] = h * xi[i];
    for (int j = 0; j < N && status == LIE_OK; j++) {
        for (int i = 0; i < n; i++) column[i] = dP[i * N + j];
        status = G->dtaut(G, column, x, column);
        lie__linear_plain.solve(n, J, pivots, column);
        for (int i = 0; i < n; i++) dx[i * N + j] = h * column[i];
    }
    if (status != LIE_OK) return status;
    if (forced) add_by_velocity(&S, dP, 0.0, from->g, xi, dx, F_g);
    return end_variation(&S, to, T, xi, dx, dP, scratch);
}
