/* SPDX-License-Identifier: MIT */
/* rn_legendre.c: the free step on R^n: g <- g + h I^-1 m, m <- m. The momentum does not change, and the sum carries its
 * rounding. Explicit: no iteration, no residual. With kicks it is the Stoermer-Verlet method as everyone writes it
 * (Hairer, Lubich & Wanner 2006, (I.1.17)). Cost: n^2 products, n for a diagonal inertia. */
#include "groups/num/finite.h"
#include "groups/num/twofold.h"
#include "groups/step/rn_step.h"

#include "groups/num/cholesky.h"

/* data: whether I is diagonal, and I^-1 or its diagonal */
static int data_doubles(const lie_ops *G)
{
    return 1 + G->dim * G->dim;
}

static int is_diagonal(int n, const double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && A[i * n + j] != 0.0) return 0;
    return 1;
}

static lie_status prepare(const lie_ops *G, double *data, const double *inertia)
{
    double L[LIE_DIM_MAX * LIE_DIM_MAX], *inverse = data + 1;
    int n = G->dim;
    if (n > LIE_DIM_MAX) return LIE_ERR_SIZE;
    if (!cholesky_factor(n, L, inertia)) return LIE_ERR_INERTIA;
    data[0] = is_diagonal(n, inertia);
    zero_n(n * n, inverse);
    for (int i = 0; i < n; i++) {
        if (data[0] != 0.0) {
            inverse[i] = 1.0 / inertia[i * (n + 1)];
        } else {
            inverse[i * (n + 1)] = 1.0;
            cholesky_solve(n, L, inverse + i * n);
        }
    }
    return LIE_OK;
}

/* I^-1 p */
static void velocity(const lie_ops *G, double *xi, const double *data, const double *p)
{
    const double *inverse = data + 1;
    int n = G->dim;
    if (data[0] != 0.0) {
        for (int i = 0; i < n; i++) xi[i] = inverse[i] * p[i];
        return;
    }
    for (int i = 0; i < n; i++) {
        double sum = inverse[i * n] * p[0];
        for (int j = 1; j < n; j++) sum += inverse[i * n + j] * p[j];
        xi[i] = sum;
    }
}

static lie_status solve(const lie_ops *G, double *xi, double h, double *data, const double *p, lie_solve *info)
{
    double x[LIE_DIM_MAX];
    (void)h, (void)info;
    velocity(G, x, data, p);
    return store(G->dim, xi, x);
}

lie_status lie__rn_free_step(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, double h,
                             double *data, double *memory, lie_solve *info)
{
    double x[LIE_DIM_MAX];
    int n = G->dim;
    (void)low_m, (void)memory, (void)info;
    velocity(G, x, data, m);
    for (int i = 0; i < n; i++) x[i] *= h;
    if (!all_finite(n, x)) return LIE_ERR_NOT_FINITE;
    for (int i = 0; i < n; i++) {
        twofold s = sum_exact(g[i], x[i] + low_g[i]);
        g[i] = s.hi, low_g[i] = s.lo;
    }
    return LIE_OK;
}

const lie_legendre lie__rn_legendre = {
    .doubles = data_doubles, .prepare = prepare, .solve = solve, .free_step = lie__rn_free_step, .guess = velocity};
