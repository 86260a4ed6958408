/* SPDX-License-Identifier: MIT */
/* separable_newton.c: the implicit equation of a forced step (separable_forced.h) by Newton's method,
 *
 *     r(xi) = I xi - (dtau_x)^T P(xi),     P = m + a h F(g) + (h/2) f(t, g, xi, u-),     x = h xi
 *     J = I - h d/dx (dtau_x)^T P - (h/2) (dtau_x)^T df/dxi
 *
 * where passes do not contract. The answer is certified (newton.h). */
#include "groups/num/newton.h"
#include "lib/methods/legendre.h"
#include "lib/methods/variational/external.h"
#include "lib/methods/variational/separable.h"

typedef struct problem {
    forcing W;
    const double *F; /* of the potential; null: none */
    double before;
    double *scratch;             /* 2 n x n */
    double P[LIE_DIM_MAX], *out; /* P and the impulse of the last evaluation */
} problem;

int lie__separable_newton_doubles(int n)
{
    return 2 * n * n + lie__newton_doubles(n);
}

static lie_status residual(const newton *N, double *r, double *size, const double *xi)
{
    problem *q = (problem *)N->problem;
    const lie_place *at = q->W.at;
    double f[LIE_DIM_MAX];
    external_at(q->W, f, 0.0, at->g, xi);
    for (int i = 0; i < N->n; i++) {
        q->out[i] = (q->F ? q->before * q->W.h * q->F[i] : 0.0) + 0.5 * q->W.h * f[i];
        q->P[i] = at->m[i] + (q->out[i] + at->low_m[i]);
    }
    return lie__legendre_residual(q->W.st->group, r, size, q->W.st->system->inertia, q->W.h, xi, q->P);
}

lie_status lie__separable_jacobian(const forcing *W, double *J, double *scratch, const double *xi, const double *P)
{
    const lie_ops *G = W->st->group;
    int n = G->dim;
    double x[LIE_DIM_MAX], *M = scratch, *E = M + n * n;
    lie_status status = lie__legendre_jacobian(G, J, M, W->st->system->inertia, W->h, xi, P);
    if (status != LIE_OK || !W->st->is.has_external) return status;
    for (int i = 0; i < n; i++) x[i] = W->h * xi[i];
    status = lie_ops_tangent_matrix(G, G->dtaut, M, x);
    if (status != LIE_OK) return status;
    lie__external_deriv(*W, E, 0.0, W->at->g, xi);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += M[i * n + k] * E[k * n + j];
            J[i * n + j] -= 0.5 * W->h * sum;
        }
    return LIE_OK;
}

static lie_status jacobian(const newton *N, double *J, const double *xi)
{
    const problem *q = (const problem *)N->problem;
    return lie__separable_jacobian(&q->W, J, q->scratch, xi, q->P);
}

static lie_status origin(const newton *N, double *xi)
{
    const problem *q = (const problem *)N->problem;
    return lie_system_velocity(q->W.st->system, xi, q->W.at->g, q->W.at->m);
}

lie_status lie__separable_newton(lie_stepper *st, const lie_place *at, double h, double *xi, double *impulse,
                                 lie_solve *info)
{
    const separable *w = separable_of(st);
    const forced_parts *forced = forced_of(st);
    int n = st->group->dim;
    problem q = {{st, at, h, forced->u}, w->before != 0.0 ? w->F : 0, w->before, forced->newton, {0.0}, impulse};
    newton N = {.n = n,
                .residual = residual,
                .jacobian = jacobian,
                .origin = origin,
                .inexact = 1,
                .problem = &q,
                .h = &q.W.h,
                .sign = 1,
                .grain = tangent_grain(st->group, 0),
                .step = 0x1p-7 / fabs(h),
                .linear = st->options.linear,
                .work = forced->newton + 2 * n * n};
    lie_status status = lie__newton_solve(&N, xi, info);
    return status == LIE_OK ? lie__legendre_inside(st->group, h, xi) : status;
}
