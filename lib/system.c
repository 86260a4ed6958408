/* SPDX-License-Identifier: MIT */
/* system.c: momentum, velocity, forces and energy of a lie_system, and the comparison of its derivatives with
 * differences. Formulas: system.h. */
#include <liestep/system.h>

#include <math.h>

#include "cholesky.h"

static int finite_n(int n, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] - a[i];
    return sum == 0.0;
}

static int group_is_complete(const lie_ops *G)
{
    return G && G->identity && G->mul && G->inv && G->Ad && G->Adt && G->ad && G->adt && G->tau && G->dtau &&
           G->dtaut && G->dtauinv && G->dtauinvt && G->dtau_body_deriv;
}

lie_status lie_system_check(const lie_system *sys)
{
    double L[LIE_DIM_MAX * LIE_DIM_MAX];
    if (!sys || !group_is_complete(sys->group) || !sys->inertia) return LIE_ERR_INCOMPLETE;
    if (!sys->potential != !sys->force || (sys->gyro && !sys->gyro_deriv)) return LIE_ERR_INCOMPLETE;
    int n = sys->group->dim;
    const double *A = sys->inertia;
    if (n < 1 || n > LIE_DIM_MAX || sys->controls < 0) return LIE_ERR_SIZE;
    if (!finite_n(n * n, A)) return LIE_ERR_NOT_FINITE;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(A[i * n + j] - A[j * n + i]) > 1e-12 * (fabs(A[i * n + i]) + fabs(A[j * n + j])))
                return LIE_ERR_INERTIA;
    return cholesky_factor(n, L, A) ? LIE_OK : LIE_ERR_INERTIA;
}

/* out = M v */
static void times(int n, double *out, const double *M, const double *v)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0.0;
        for (int j = 0; j < n; j++) out[i] += M[i * n + j] * v[j];
    }
}

void lie_system_momentum(const lie_system *sys, double *mu, const double *g, const double *xi)
{
    double r[LIE_DIM_MAX], A[LIE_DIM_MAX] = {0.0};
    int n = sys->group->dim;
    times(n, r, sys->inertia, xi);
    if (sys->gyro) sys->gyro(sys, A, g);
    for (int i = 0; i < n; i++) mu[i] = r[i] + A[i];
}

lie_status lie_system_velocity(const lie_system *sys, double *xi, const double *g, const double *mu)
{
    double L[LIE_DIM_MAX * LIE_DIM_MAX], A[LIE_DIM_MAX] = {0.0}, r[LIE_DIM_MAX] = {0.0};
    int n = sys->group->dim;
    if (!cholesky_factor(n, L, sys->inertia)) return LIE_ERR_INERTIA;
    if (sys->gyro) sys->gyro(sys, A, g);
    for (int i = 0; i < n; i++) r[i] = mu[i] - A[i];
    cholesky_solve(n, L, r);
    if (!finite_n(n, r)) return LIE_ERR_NOT_FINITE;
    for (int i = 0; i < n; i++) xi[i] = r[i];
    return LIE_OK;
}

void lie_system_force(const lie_system *sys, double *F, const double *g, const double *xi)
{
    double r[LIE_DIM_MAX] = {0.0}, D[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = sys->group->dim;
    if (sys->force) sys->force(sys, r, g);
    if (sys->gyro) {
        sys->gyro_deriv(sys, D, g);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) r[j] += D[i * n + j] * xi[i];
    }
    for (int i = 0; i < n; i++) F[i] = r[i];
}

void lie_system_external(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    double r[LIE_DIM_MAX] = {0.0};
    if (sys->external) sys->external(sys, r, t, g, xi, u);
    for (int i = 0; i < sys->group->dim; i++) f[i] = r[i];
}

void lie_system_momentum_rate(const lie_system *sys, double *rate, double t, const double *g, const double *xi,
                              const double *u)
{
    double mu[LIE_DIM_MAX], F[LIE_DIM_MAX] = {0.0}, f[LIE_DIM_MAX] = {0.0}, r[LIE_DIM_MAX];
    lie_system_momentum(sys, mu, g, xi);
    lie_system_force(sys, F, g, xi);
    lie_system_external(sys, f, t, g, xi, u);
    sys->group->adt(sys->group, r, xi, mu);
    for (int i = 0; i < sys->group->dim; i++) rate[i] = (r[i] + F[i]) + f[i];
}

double lie_system_energy(const lie_system *sys, const double *g, const double *xi)
{
    double p[LIE_DIM_MAX], twice = 0.0;
    times(sys->group->dim, p, sys->inertia, xi);
    for (int i = 0; i < sys->group->dim; i++) twice += p[i] * xi[i];
    return 0.5 * twice + (sys->potential ? sys->potential(sys, g) : 0.0);
}

void lie_system_spatial_momentum(const lie_system *sys, double *J, const double *g, const double *mu)
{
    double inverse[4 * LIE_DIM_MAX];
    sys->group->inv(sys->group, inverse, g);
    sys->group->Adt(sys->group, J, inverse, mu);
}

/* A vector-valued function of g, to be differentiated. */
typedef void field_fn(const lie_system *sys, double *out, const double *g);

static void potential_field(const lie_system *sys, double *out, const double *g)
{
    out[0] = -sys->potential(sys, g);
}

static void force_field(const lie_system *sys, double *out, const double *g)
{
    sys->force(sys, out, g);
}

static void gyro_field(const lie_system *sys, double *out, const double *g)
{
    sys->gyro(sys, out, g);
}

/* d/ds field(g tau(s e_j)) by fourth-order central differences */
static lie_status difference(const lie_system *sys, field_fn *field, int rows, int j, double *out, const double *g)
{
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    const lie_ops *G = sys->group;
    double step = 0x1p-10, x[LIE_DIM_MAX] = {0.0}, h[4 * LIE_DIM_MAX], value[LIE_DIM_MAX];
    for (int i = 0; i < rows; i++) out[i] = 0.0;
    for (int k = 0; k < 4; k++) {
        x[j] = at[k] * step;
        lie_status status = G->tau(G, h, x);
        if (status != LIE_OK) return status;
        G->mul(G, h, g, h);
        field(sys, value, h);
        for (int i = 0; i < rows; i++) out[i] += weight[k] * value[i] / step;
    }
    return LIE_OK;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Largest difference of the rows x dim matrix D from the derivative of the field, relative to its largest entry or
 * 1. */
static lie_status compare(const lie_system *sys, field_fn *field, int rows, const double *D, const double *g,
                          double *error)
{
    double column[LIE_DIM_MAX], worst = 0.0, scale = 1.0;
    int n = sys->group->dim;
    for (int j = 0; j < n; j++) {
        lie_status status = difference(sys, field, rows, j, column, g);
        if (status != LIE_OK) return status;
        for (int i = 0; i < rows; i++) {
            worst = larger(worst, fabs(column[i] - D[i * n + j]));
            scale = larger(scale, fabs(column[i]));
        }
    }
    *error = worst / scale;
    return LIE_OK;
}

lie_status lie_system_compare_derivatives(const lie_system *sys, lie_system_report *report, const double *g)
{
    double D[LIE_DIM_MAX * LIE_DIM_MAX];
    lie_system_report r = {-1.0, -1.0, -1.0, "none"};
    lie_status status = lie_system_check(sys);
    if (status == LIE_OK && sys->force) {
        sys->force(sys, D, g);
        status = compare(sys, potential_field, 1, D, g, &r.force);
    }
    if (status == LIE_OK && sys->force_deriv) {
        sys->force_deriv(sys, D, g);
        status = compare(sys, force_field, sys->group->dim, D, g, &r.force_deriv);
    }
    if (status == LIE_OK && sys->gyro) {
        sys->gyro_deriv(sys, D, g);
        status = compare(sys, gyro_field, sys->group->dim, D, g, &r.gyro_deriv);
    }
    if (status != LIE_OK) return status;
    double worst = larger(r.force, larger(r.force_deriv, r.gyro_deriv));
    if (worst >= 0.0) r.worst = worst == r.force ? "force" : worst == r.force_deriv ? "force_deriv" : "gyro_deriv";
    *report = r;
    return LIE_OK;
}
