/* SPDX-License-Identifier: MIT */
/* separable_tangent.c: the derivative of a step of separable.c.
 *
 *     P = m + a h F(g),     I xi = (dtau_x)^T P,  x = h xi,     g+ = g tau(x),     m+ = Ad*_{tau(x)} P + b h F(g+)
 *     dP = nu + a h F_g eta,      J dxi = (dtau_x)^T dP,      J = I - h d/dx (dtau_x)^T P
 *
 * x comes from the two ends of the step, by tau^-1 or from the velocity, and is polished by Newton's method with the
 * same J. Exact but for rounding if the system has force_deriv. */

#include <math.h>

#include "groups/num/newton.h"
#include "lib/methods/variational/separable.h"
#include "lib/methods/variational/tangent.h"

int lie__separable_tangent_doubles(const lie_stepper *st)
{
    int n = st->group->dim;
    return 10 * n * n;
}

/* J and r = I xi - (dtau_x)^T P at xi */
static lie_status equation(const lie_stepper *st, double h, const double *xi, const double *P, double *J, double *r,
                           double *M)
{
    const lie_ops *G = st->group;
    double x[LIE_DIM_MAX], e[LIE_DIM_MAX] = {0.0};
    int n = G->dim;
    for (int i = 0; i < n; i++) x[i] = h * xi[i];
    lie_status status = G->dtaut(G, r, x, P);
    for (int i = 0; i < n && status == LIE_OK; i++) {
        double mu = 0.0;
        for (int j = 0; j < n; j++) mu += st->system->inertia[i * n + j] * xi[j];
        r[i] = mu - r[i];
        x[i] = -x[i];
    }
    for (int i = 0; i < n && status == LIE_OK; i++) {
        e[i] = 1.0;
        status = G->dtau_body_deriv(G, M, x, e);
        e[i] = 0.0;
        for (int j = 0; j < n; j++) {
            double d = 0.0;
            for (int k = 0; k < n; k++) d += P[k] * M[k * n + j];
            J[i * n + j] = st->system->inertia[i * n + j] + h * d;
        }
    }
    return status;
}

/* xi of the step, and J there, factored. */
static lie_status velocity_of_step(const lie_stepper *st, const lie_place *from, const lie_place *to, double h,
                                   double *xi, const double *P, double *J, int *pivots, double *M)
{
    const lie_ops *G = st->group;
    double g[LIE_SIZE_MAX], r[LIE_DIM_MAX], last = HUGE_VAL;
    int n = G->dim;
    lie_status status;
    if (G->tauinv) {
        G->inv(G, g, from->g);
        G->mul(G, g, g, to->g);
        status = G->tauinv(G, xi, g);
        for (int i = 0; i < n; i++) xi[i] /= h;
    } else {
        status = lie_system_velocity(st->system, xi, from->g, P);
    }
    for (int k = 0; k < 20 && status == LIE_OK; k++) {
        double change = 0.0;
        status = equation(st, h, xi, P, J, r, M);
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

lie_status lie__separable_tangent(lie_stepper *st, const lie_place *from, const lie_place *to, double h, double *T,
                                  double *work)
{
    const lie_ops *G = st->group;
    int n = G->dim, N = 2 * n, pivots[LIE_DIM_MAX];
    double *J = work, *F_g = J + n * n, *dP = F_g + n * n, *dx = dP + n * N, *scratch = dx + n * N;
    double P[LIE_DIM_MAX], F[LIE_DIM_MAX], xi[LIE_DIM_MAX], x[LIE_DIM_MAX], column[LIE_DIM_MAX], before, after;
    lie__separable_weights(st, &before, &after);
    for (int i = 0; i < n; i++) P[i] = from->m[i] + from->low_m[i];
    for (int i = 0; i < n * N; i++) dP[i] = i % N == n + i / N ? 1.0 : 0.0;
    if (before != 0.0) {
        st->system->force(st->system, F, from->g);
        lie_system_force_deriv(st->system, F_g, from->g, from->m);
        for (int i = 0; i < n; i++) P[i] += before * h * F[i];
        for (int i = 0; i < n * n; i++) dP[i / n * N + i % n] = before * h * F_g[i];
    }
    lie_status status = velocity_of_step(st, from, to, h, xi, P, J, pivots, scratch);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n; i++) x[i] = h * xi[i];
    for (int j = 0; j < N && status == LIE_OK; j++) {
        for (int i = 0; i < n; i++) column[i] = dP[i * N + j];
        status = G->dtaut(G, column, x, column);
        lie__linear_plain.solve(n, J, pivots, column);
        for (int i = 0; i < n; i++) dx[i * N + j] = h * column[i];
    }
    if (status == LIE_OK) status = lie__tangent_end(G, T, x, P, dx, dP, scratch);
    if (status != LIE_OK || after == 0.0) return status;
    lie_system_force_deriv(st->system, F_g, to->g, to->m);
    lie__tangent_kick(n, T, after * h, F_g);
    return LIE_OK;
}
