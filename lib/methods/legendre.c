/* SPDX-License-Identifier: MIT */
/* legendre.c: the inverse discrete Legendre transform of any group with a retraction, by Newton's method.
 *
 *     r(xi) = I xi - (dtau_x)^T p,  x = h xi,     J = I - h d/dx (dtau_x)^T p
 *     d/dx_j ((dtau_x)^T p)_i = sum_k p_k d/dx_j (dtau_x e_i)_k = -sum_k p_k M_kj(-x, e_i),  M = dtau_body_deriv
 *
 * Cost: n body derivatives and one elimination per iteration. Reference: Bou-Rabee & Marsden 2009, (4.21). */
#include "lib/methods/legendre.h"

#include <math.h>

#include "groups/num/newton.h"
#include "lib/methods/stepping.h"

/* data: the inertia; for groups that are not small also scratch for M and for Newton, which small ones have on the
 * stack. */
typedef struct problem {
    const lie_ops *G;
    const double *inertia, *p;
    double *M;
    double h;
} problem;

enum { SMALL = 6, SMALL_DOUBLES = SMALL * SMALL + NEWTON_DOUBLES(SMALL) };

static int scratch_doubles(int n)
{
    return n * n + lie__newton_doubles(n);
}

static int newton_data(const lie_ops *G)
{
    return G->dim * G->dim + (G->dim > SMALL ? scratch_doubles(G->dim) : 0);
}

static lie_status prepare(const lie_ops *G, double *data, const double *inertia)
{
    memcpy(data, inertia, (size_t)(G->dim * G->dim) * sizeof *data);
    return LIE_OK;
}

lie_status lie__legendre_residual(const lie_ops *G, double *r, double *size, const double *inertia, double h,
                                  const double *xi, const double *p)
{
    double x[LIE_DIM_MAX] = {0.0};
    int n = G->dim;
    *size = 0.0;
    for (int i = 0; i < n; i++) x[i] = h * xi[i];
    lie_status status = G->dtaut(G, r, x, p);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n; i++) {
        double mu = 0.0;
        for (int j = 0; j < n; j++) mu += inertia[i * n + j] * xi[j];
        if (fabs(mu) > *size) *size = fabs(mu);
        if (fabs(r[i]) > *size) *size = fabs(r[i]);
        r[i] = mu - r[i];
    }
    return all_finite(n, r) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

lie_status lie__legendre_jacobian(const lie_ops *G, double *J, double *M, const double *inertia, double h,
                                  const double *xi, const double *p)
{
    double x[LIE_DIM_MAX] = {0.0}, e[LIE_DIM_MAX] = {0.0};
    int n = G->dim;
    for (int i = 0; i < n; i++) x[i] = -h * xi[i];
    for (int i = 0; i < n; i++) {
        e[i] = 1.0;
        lie_status status = G->dtau_body_deriv(G, M, x, e);
        if (status != LIE_OK) return status;
        e[i] = 0.0;
        for (int j = 0; j < n; j++) {
            double d = 0.0;
            for (int k = 0; k < n; k++) d += p[k] * M[k * n + j];
            J[i * n + j] = inertia[i * n + j] + h * d;
        }
    }
    return LIE_OK;
}

lie_status lie__legendre_inside(const lie_ops *G, double h, const double *xi)
{
    double x[LIE_DIM_MAX] = {0.0};
    for (int i = 0; i < G->dim; i++) x[i] = h * xi[i];
    return G->dtauinv(G, x, x, x);
}

static lie_status residual(const newton *N, double *r, double *size, const double *xi)
{
    const problem *q = (const problem *)N->problem;
    return lie__legendre_residual(q->G, r, size, q->inertia, q->h, xi, q->p);
}

static lie_status jacobian(const newton *N, double *J, const double *xi)
{
    const problem *q = (const problem *)N->problem;
    return lie__legendre_jacobian(q->G, J, q->M, q->inertia, q->h, xi, q->p);
}

/* I^-1 p */
static lie_status origin(const newton *N, double *xi)
{
    const problem *q = (const problem *)N->problem;
    int pivots[LIE_DIM_MAX];
    memcpy(q->M, q->inertia, (size_t)(N->n * N->n) * sizeof *q->M);
    if (!N->linear->factor(N->n, q->M, pivots)) return LIE_ERR_SINGULAR;
    copy_n(N->n, xi, q->p);
    N->linear->solve(N->n, q->M, pivots, xi);
    return LIE_OK;
}

static lie_status solve(const lie_ops *G, double *xi, double h, double *data, const double *p, lie_solve *info)
{
    int n = G->dim;
    double x[LIE_DIM_MAX], small[SMALL_DOUBLES], *scratch = n > SMALL ? data + n * n : small;
    problem q = {G, data, p, scratch, h};
    newton N = {.n = n,
                .residual = residual,
                .jacobian = jacobian,
                .origin = origin,
                .problem = &q,
                .h = &q.h,
                .sign = 1,
                .grain = tangent_grain(G, 0),
                .linear = &lie__linear_plain,
                .work = scratch + n * n};
    copy_n(n, x, xi);
    lie_status status = lie__newton_solve(&N, x, info);
    if (status == LIE_OK) status = lie__legendre_inside(G, h, x);
    if (status == LIE_OK) copy_n(n, xi, x);
    return status;
}

const lie_legendre lie__legendre_newton = {
    .wants_guess = 1, .doubles = newton_data, .prepare = prepare, .solve = solve};

const lie_legendre *lie_legendre_of(const lie_ops *G)
{
    return G->legendre ? G->legendre : &lie__legendre_newton;
}
