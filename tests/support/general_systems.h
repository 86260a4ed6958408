/* SPDX-License-Identifier: MIT */
/* general_systems.h: general Lagrangians on curved groups for the tests. Numbers without units.
 *
 *   quartic body   on SO3 or S3, l = 1/2 w.I w + eps/4 |w|^4 - V, V = k.a + 1/2 a.K a, a = R^T e3: not quadratic in w
 *   wall vehicle   on SE3, l = 1/2 xi.(M + phi(z) N) xi - W z, z the height, phi = 1/(1 + z^2): the inertia depends on
 *                  g, as added mass does near a wall; M and N dense. dz = a.eta_v, da = a x eta_w. */
#ifndef LIESTEP_TESTS_GENERAL_SYSTEMS_H
#define LIESTEP_TESTS_GENERAL_SYSTEMS_H

#include <liestep/se3.h>
#include <liestep/so3.h>
#include <liestep/system.h>

#include "tests/support/random.h"

typedef struct quartic_body {
    double inertia[9], eps, k[3], K[9]; /* inertia and K symmetric */
} quartic_body;

static inline double general_dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* a = R^T e3 and b = dV/da = k + K a */
static inline void quartic_direction(const lie_system *sys, double a[3], double b[3], const double *g)
{
    const quartic_body *p = (const quartic_body *)sys->params;
    const double e3[3] = {0.0, 0.0, 1.0};
    sys->group->Adt(sys->group, a, g, e3);
    for (int i = 0; i < 3; i++) b[i] = p->k[i] + general_dot(3, p->K + 3 * i, a);
}

static inline void quartic_momentum(const lie_system *sys, double *mu, const double *g, const double *w)
{
    const quartic_body *p = (const quartic_body *)sys->params;
    (void)g;
    for (int i = 0; i < 3; i++) mu[i] = general_dot(3, p->inertia + 3 * i, w) + p->eps * general_dot(3, w, w) * w[i];
}

static inline double quartic_lagrangian(const lie_system *sys, const double *g, const double *w)
{
    const quartic_body *p = (const quartic_body *)sys->params;
    double a[3], b[3], mu[3], w2 = general_dot(3, w, w);
    quartic_direction(sys, a, b, g);
    quartic_momentum(sys, mu, g, w);
    return 0.5 * general_dot(3, mu, w) - 0.25 * p->eps * w2 * w2 -
           0.5 * (general_dot(3, a, p->k) + general_dot(3, a, b));
}

static inline void quartic_gradient(const lie_system *sys, double *F, const double *g, const double *w)
{
    double a[3], b[3];
    (void)w;
    quartic_direction(sys, a, b, g);
    lie_so3_ad(F, a, b);
}

static inline void quartic_hessian(const lie_system *sys, double *H, const double *g, const double *w)
{
    const quartic_body *p = (const quartic_body *)sys->params;
    double w2 = general_dot(3, w, w);
    (void)g;
    for (int i = 0; i < 9; i++) H[i] = p->inertia[i] + p->eps * ((i % 4 == 0 ? w2 : 0.0) + 2.0 * w[i / 3] * w[i % 3]);
}

static inline void quartic_mixed(const lie_system *sys, double *D, const double *g, const double *w)
{
    (void)sys;
    (void)g;
    (void)w;
    for (int i = 0; i < 9; i++) D[i] = 0.0;
}

/* (hat(a) K - hat(b)) hat(a) */
static inline void quartic_gradient_deriv(const lie_system *sys, double *D, const double *g, const double *w)
{
    const quartic_body *p = (const quartic_body *)sys->params;
    double a[3], b[3], a_hat[9], b_hat[9], M[9];
    (void)w;
    quartic_direction(sys, a, b, g);
    lie_so3_hat(a_hat, a);
    lie_so3_hat(b_hat, b);
    lie_so3_mul(M, a_hat, p->K);
    for (int i = 0; i < 9; i++) M[i] -= b_hat[i];
    lie_so3_mul(D, M, a_hat);
}

static inline lie_system quartic_body_system(const quartic_body *p, const lie_ops *group)
{
    return (lie_system){.name = "quartic_body",
                        .group = group,
                        .params = p,
                        .lagrangian = quartic_lagrangian,
                        .momentum = quartic_momentum,
                        .gradient = quartic_gradient,
                        .hessian = quartic_hessian,
                        .mixed = quartic_mixed,
                        .gradient_deriv = quartic_gradient_deriv};
}

/* An asymmetric body in a potential that is not linear. */
static const quartic_body quartic_example = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9},
                                             0.35,
                                             {0.9, -0.4, 2.1},
                                             {1.3, 0.2, -0.3, 0.2, -0.7, 0.4, -0.3, 0.4, 0.5}};

typedef struct wall_vehicle {
    double M[36], N[36], weight;
} wall_vehicle;

/* phi and its first two derivatives at height z */
static inline void wall_profile(double phi[3], double z)
{
    double u = 1.0 / (1.0 + z * z);
    phi[0] = u;
    phi[1] = -2.0 * z * u * u;
    phi[2] = (6.0 * z * z - 2.0) * u * u * u;
}

/* N xi and xi.N xi */
static inline double wall_form(const lie_system *sys, double *Nxi, const double *xi)
{
    const wall_vehicle *p = (const wall_vehicle *)sys->params;
    for (int i = 0; i < 6; i++) Nxi[i] = general_dot(6, p->N + 6 * i, xi);
    return general_dot(6, Nxi, xi);
}

static inline void wall_hessian(const lie_system *sys, double *H, const double *g, const double *xi)
{
    const wall_vehicle *p = (const wall_vehicle *)sys->params;
    double phi[3];
    (void)xi;
    wall_profile(phi, g[11]);
    for (int i = 0; i < 36; i++) H[i] = p->M[i] + phi[0] * p->N[i];
}

static inline void wall_momentum(const lie_system *sys, double *mu, const double *g, const double *xi)
{
    double H[36];
    wall_hessian(sys, H, g, xi);
    for (int i = 0; i < 6; i++) mu[i] = general_dot(6, H + 6 * i, xi);
}

static inline double wall_lagrangian(const lie_system *sys, const double *g, const double *xi)
{
    const wall_vehicle *p = (const wall_vehicle *)sys->params;
    double mu[6];
    wall_momentum(sys, mu, g, xi);
    return 0.5 * general_dot(6, mu, xi) - p->weight * g[11];
}

static inline void wall_gradient(const lie_system *sys, double *F, const double *g, const double *xi)
{
    const wall_vehicle *p = (const wall_vehicle *)sys->params;
    double phi[3], Nxi[6], form = wall_form(sys, Nxi, xi);
    wall_profile(phi, g[11]);
    for (int i = 0; i < 3; i++) F[i] = 0.0, F[3 + i] = (0.5 * phi[1] * form - p->weight) * g[6 + i];
}

static inline void wall_mixed(const lie_system *sys, double *D, const double *g, const double *xi)
{
    double phi[3], Nxi[6];
    (void)wall_form(sys, Nxi, xi);
    wall_profile(phi, g[11]);
    for (int i = 0; i < 36; i++) D[i] = i % 6 < 3 ? 0.0 : phi[1] * Nxi[i / 6] * g[3 + i % 6];
}

static inline void wall_gradient_deriv(const lie_system *sys, double *D, const double *g, const double *xi)
{
    const wall_vehicle *p = (const wall_vehicle *)sys->params;
    double phi[3], Nxi[6], up_hat[9], form = wall_form(sys, Nxi, xi);
    wall_profile(phi, g[11]);
    lie_so3_hat(up_hat, g + 6);
    for (int i = 0; i < 18; i++) D[i] = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            D[6 * (3 + i) + j] = (0.5 * phi[1] * form - p->weight) * up_hat[3 * i + j];
            D[6 * (3 + i) + 3 + j] = 0.5 * phi[2] * form * g[6 + i] * g[6 + j];
        }
}

/* Fills *p with dense M and N: L L^T plus a diagonal, and N = L L^T of another L. */
static inline lie_system wall_vehicle_system(wall_vehicle *p)
{
    lie_random rng = {91u};
    double L[36], K[36];
    random_vector(&rng, 36, L, 0.4);
    random_vector(&rng, 36, K, 0.3);
    p->weight = 0.8;
    for (int i = 0; i < 36; i++) {
        p->M[i] = general_dot(6, L + 6 * (i / 6), L + 6 * (i % 6)) + (i % 7 == 0 ? 1.0 + 0.05 * i : 0.0);
        p->N[i] = general_dot(6, K + 6 * (i / 6), K + 6 * (i % 6));
    }
    return (lie_system){.name = "wall_vehicle",
                        .group = &lie_se3_cay_ops,
                        .params = p,
                        .lagrangian = wall_lagrangian,
                        .momentum = wall_momentum,
                        .gradient = wall_gradient,
                        .hessian = wall_hessian,
                        .mixed = wall_mixed,
                        .gradient_deriv = wall_gradient_deriv};
}

#endif
