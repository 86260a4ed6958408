/* SPDX-License-Identifier: MIT */
/* system.c: momentum, velocity, forces and energy of a lie_system of either kind. Formulas: system.h. A general
 * Lagrangian is asked through its callbacks; its velocity is found in system_lagrangian.c. Cost of a quadratic one: the
 * product with the inertia and the callbacks that are there; the velocity a Cholesky factorisation. */
#include <liestep/system.h>

#include "groups/num/cholesky.h"
#include "groups/num/finite.h"
#include "lib/systems/system_lagrangian.h"

/* out = I xi */
static void inertia_times(const lie_system *sys, double *out, const double *xi)
{
    int n = sys->group->dim;
    for (int i = 0; i < n; i++) {
        const double *row = sys->inertia + i * n;
        double sum = row[0] * xi[0];
        for (int j = 1; j < n; j++) sum += row[j] * xi[j];
        out[i] = sum;
    }
}

void lie_system_momentum(const lie_system *sys, double *mu, const double *g, const double *xi)
{
    double r[LIE_DIM_MAX], A[LIE_DIM_MAX];
    int n = sys->group->dim;
    if (sys->momentum)
        sys->momentum(sys, r, g, xi);
    else
        inertia_times(sys, r, xi);
    if (sys->gyro) {
        sys->gyro(sys, A, g);
        for (int i = 0; i < n; i++) r[i] += A[i];
    }
    for (int i = 0; i < n; i++) mu[i] = r[i];
}

/* r <- I^-1 r; 0 if I is not positive definite */
static int divide_by_inertia(int n, const double *I, double *r)
{
    double L[LIE_DIM_MAX * LIE_DIM_MAX];
    int is_diagonal = 1;
    for (int i = 0; i < n && is_diagonal; i++)
        for (int j = 0; j < n; j++) is_diagonal &= i == j || I[i * n + j] == 0.0;
    if (!is_diagonal) {
        if (!cholesky_factor(n, L, I)) return 0;
        cholesky_solve(n, L, r);
        return 1;
    }
    for (int i = 0; i < n; i++) {
        double d = I[i * (n + 1)];
        if (!(d > 0.0 && d < HUGE_VAL)) return 0;
        r[i] /= d;
    }
    return 1;
}

lie_status lie_system_velocity(const lie_system *sys, double *xi, const double *g, const double *mu)
{
    if (sys->lagrangian) return lie__lagrangian_velocity(sys, xi, g, mu);
    double A[LIE_DIM_MAX], r[LIE_DIM_MAX];
    int n = sys->group->dim;
    for (int i = 0; i < n; i++) r[i] = mu[i];
    if (sys->gyro) {
        sys->gyro(sys, A, g);
        for (int i = 0; i < n; i++) r[i] -= A[i];
    }
    if (!divide_by_inertia(n, sys->inertia, r)) return LIE_ERR_INERTIA;
    return store(n, xi, r);
}

void lie_system_force(const lie_system *sys, double *F, const double *g, const double *xi)
{
    double D[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = sys->group->dim;
    if (sys->gradient) {
        sys->gradient(sys, F, g, xi);
        return;
    }
    if (sys->force)
        sys->force(sys, F, g);
    else
        for (int i = 0; i < n; i++) F[i] = 0.0;
    if (!sys->gyro) return;
    sys->gyro_deriv(sys, D, g);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) F[j] += D[i * n + j] * xi[i];
}

void lie_system_external(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    if (sys->external)
        sys->external(sys, f, t, g, xi, u);
    else
        for (int i = 0; i < sys->group->dim; i++) f[i] = 0.0;
}

void lie_system_momentum_rate(const lie_system *sys, double *rate, double t, const double *g, const double *xi,
                              const double *u)
{
    double mu[LIE_DIM_MAX], term[LIE_DIM_MAX];
    int n = sys->group->dim;
    lie_system_force(sys, rate, g, xi);
    lie_system_momentum(sys, mu, g, xi);
    sys->group->adt(sys->group, term, xi, mu);
    for (int i = 0; i < n; i++) rate[i] += term[i];
    if (!sys->external) return;
    sys->external(sys, term, t, g, xi, u);
    for (int i = 0; i < n; i++) rate[i] += term[i];
}

double lie_system_energy(const lie_system *sys, const double *g, const double *xi)
{
    double p[LIE_DIM_MAX], sum = 0.0;
    if (sys->lagrangian)
        sys->momentum(sys, p, g, xi);
    else
        inertia_times(sys, p, xi);
    for (int i = 0; i < sys->group->dim; i++) sum += p[i] * xi[i];
    if (sys->lagrangian) return sum - sys->lagrangian(sys, g, xi);
    return 0.5 * sum + (sys->potential ? sys->potential(sys, g) : 0.0);
}

void lie_system_spatial_momentum(const lie_system *sys, double *J, const double *g, const double *mu)
{
    double inverse[LIE_SIZE_MAX];
    sys->group->inv(sys->group, inverse, g);
    sys->group->Adt(sys->group, J, inverse, mu);
}
