/* SPDX-License-Identifier: MIT */
/* flat_systems.h: systems on R^n for the tests, where every method is its flat counterpart. Numbers without units.
 *
 *   oscillator        1/2 v.M v - 1/2 q.K q, M and K diagonal: solved exactly by flat_oscillator_at
 *   Henon-Heiles      1/2 |v|^2 - 1/2 |q|^2 - x^2 y + y^3/3 (Henon & Heiles 1964)
 *   charge            1/2 |v|^2 + A(q).v - U(q) in a field B = curl A that is nowhere uniform
 *   double pendulum   1/2 v.M(q) v - U(q), angles from the vertical, as a general Lagrangian
 *   fast particle     -m c^2 sqrt(1 - |v|^2/c^2) + k.q, a general Lagrangian, not quadratic, that ends at |v| = c */
#ifndef LIESTEP_TESTS_FLAT_SYSTEMS_H
#define LIESTEP_TESTS_FLAT_SYSTEMS_H

#include <liestep/rn.h>
#include <liestep/system.h>

#include <math.h>

static const double flat_oscillator_mass[4] = {1.3, 0.0, 0.0, 0.7}, flat_oscillator_stiffness[2] = {2.1, 3.4};

static inline double flat_oscillator_potential(const lie_system *sys, const double *q)
{
    (void)sys;
    return 0.5 * (flat_oscillator_stiffness[0] * q[0] * q[0] + flat_oscillator_stiffness[1] * q[1] * q[1]);
}

static inline void flat_oscillator_force(const lie_system *sys, double *F, const double *q)
{
    (void)sys;
    for (int i = 0; i < 2; i++) F[i] = -flat_oscillator_stiffness[i] * q[i];
}

static inline void flat_oscillator_force_deriv(const lie_system *sys, double *D, const double *q)
{
    (void)sys;
    (void)q;
    for (int i = 0; i < 4; i++) D[i] = i % 3 == 0 ? -flat_oscillator_stiffness[i / 3] : 0.0;
}

/* q and v at time t, in place */
static inline void flat_oscillator_at(double t, double q[2], double v[2])
{
    for (int i = 0; i < 2; i++) {
        double w = sqrt(flat_oscillator_stiffness[i] / flat_oscillator_mass[3 * i]), q0 = q[i];
        q[i] = q0 * cos(w * t) + v[i] / w * sin(w * t);
        v[i] = v[i] * cos(w * t) - w * q0 * sin(w * t);
    }
}

/* Each maker fills `space` with R^n, to which the system then points. */
static inline lie_system flat_oscillator(lie_ops *space)
{
    (void)lie_rn_ops(space, 2, "cay");
    return (lie_system){.name = "oscillator",
                        .group = space,
                        .inertia = flat_oscillator_mass,
                        .potential = flat_oscillator_potential,
                        .force = flat_oscillator_force,
                        .force_deriv = flat_oscillator_force_deriv};
}

static inline double henon_heiles_potential(const lie_system *sys, const double *q)
{
    (void)sys;
    return 0.5 * (q[0] * q[0] + q[1] * q[1]) + q[0] * q[0] * q[1] - q[1] * q[1] * q[1] / 3.0;
}

static inline void henon_heiles_force(const lie_system *sys, double *F, const double *q)
{
    (void)sys;
    F[0] = -q[0] - 2.0 * q[0] * q[1];
    F[1] = -q[1] - q[0] * q[0] + q[1] * q[1];
}

static inline void henon_heiles_force_deriv(const lie_system *sys, double *D, const double *q)
{
    (void)sys;
    D[0] = -1.0 - 2.0 * q[1];
    D[1] = D[2] = -2.0 * q[0];
    D[3] = -1.0 + 2.0 * q[1];
}

static inline lie_system henon_heiles(lie_ops *space)
{
    static const double unit[4] = {1.0, 0.0, 0.0, 1.0};
    (void)lie_rn_ops(space, 2, "cay");
    return (lie_system){.name = "henon_heiles",
                        .group = space,
                        .inertia = unit,
                        .potential = henon_heiles_potential,
                        .force = henon_heiles_force,
                        .force_deriv = henon_heiles_force_deriv};
}

/* A = (-y - x z, x + y z^2, x y)/2 */
static inline void charge_gyro(const lie_system *sys, double *A, const double *q)
{
    (void)sys;
    A[0] = 0.5 * (-q[1] - q[0] * q[2]);
    A[1] = 0.5 * (q[0] + q[1] * q[2] * q[2]);
    A[2] = 0.5 * q[0] * q[1];
}

static inline void charge_gyro_deriv(const lie_system *sys, double *D, const double *q)
{
    const double rows[9] = {-q[2], -1.0, -q[0], 1.0, q[2] * q[2], 2.0 * q[1] * q[2], q[1], q[0], 0.0};
    (void)sys;
    for (int i = 0; i < 9; i++) D[i] = 0.5 * rows[i];
}

/* B = curl A, for the tests of the Lorentz force */
static inline void charge_field(double B[3], const double *q)
{
    B[0] = 0.5 * (q[0] - 2.0 * q[1] * q[2]);
    B[1] = 0.5 * (-q[0] - q[1]);
    B[2] = 1.0;
}

/* U = (x^2 + 2 y^2 + 3 z^2)/2 + x^2 z/5 + y^4/4 */
static inline double charge_potential(const lie_system *sys, const double *q)
{
    double y2 = q[1] * q[1];
    (void)sys;
    return 0.5 * (q[0] * q[0] + 2.0 * y2 + 3.0 * q[2] * q[2]) + 0.2 * q[0] * q[0] * q[2] + 0.25 * y2 * y2;
}

static inline void charge_force(const lie_system *sys, double *F, const double *q)
{
    (void)sys;
    F[0] = -q[0] - 0.4 * q[0] * q[2];
    F[1] = -2.0 * q[1] - q[1] * q[1] * q[1];
    F[2] = -3.0 * q[2] - 0.2 * q[0] * q[0];
}

static inline void charge_force_deriv(const lie_system *sys, double *D, const double *q)
{
    (void)sys;
    for (int i = 0; i < 9; i++) D[i] = 0.0;
    D[0] = -1.0 - 0.4 * q[2];
    D[2] = D[6] = -0.4 * q[0];
    D[4] = -2.0 - 3.0 * q[1] * q[1];
    D[8] = -3.0;
}

static inline lie_system charge_in_field(lie_ops *space)
{
    static const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    (void)lie_rn_ops(space, 3, "cay");
    return (lie_system){.name = "charge",
                        .group = space,
                        .inertia = unit,
                        .potential = charge_potential,
                        .force = charge_force,
                        .force_deriv = charge_force_deriv,
                        .gyro = charge_gyro,
                        .gyro_deriv = charge_gyro_deriv};
}

/* M = [[a, k c], [k c, b]], c = cos(q0 - q1); U = -u0 cos q0 - u1 cos q1. Masses 1.2 and 0.7, rods 0.9 and 0.6. */
static const struct {
    double a, b, k, u[2];
} double_pendulum_is = {1.9 * 0.9 * 0.9, 0.7 * 0.6 * 0.6, 0.7 * 0.9 * 0.6, {1.9 * 9.81 * 0.9, 0.7 * 9.81 * 0.6}};

static inline double double_pendulum_lagrangian(const lie_system *sys, const double *q, const double *v)
{
    double kc = double_pendulum_is.k * cos(q[0] - q[1]);
    (void)sys;
    return 0.5 * double_pendulum_is.a * v[0] * v[0] + 0.5 * double_pendulum_is.b * v[1] * v[1] + kc * v[0] * v[1] +
           double_pendulum_is.u[0] * cos(q[0]) + double_pendulum_is.u[1] * cos(q[1]);
}

static inline void double_pendulum_hessian(const lie_system *sys, double *H, const double *q, const double *v)
{
    (void)sys;
    (void)v;
    H[0] = double_pendulum_is.a;
    H[1] = H[2] = double_pendulum_is.k * cos(q[0] - q[1]);
    H[3] = double_pendulum_is.b;
}

static inline void double_pendulum_momentum(const lie_system *sys, double *mu, const double *q, const double *v)
{
    double M[4];
    double_pendulum_hessian(sys, M, q, v);
    for (int i = 0; i < 2; i++) mu[i] = M[2 * i] * v[0] + M[2 * i + 1] * v[1];
}

static inline void double_pendulum_gradient(const lie_system *sys, double *F, const double *q, const double *v)
{
    double ks = double_pendulum_is.k * sin(q[0] - q[1]);
    (void)sys;
    F[0] = -ks * v[0] * v[1] - double_pendulum_is.u[0] * sin(q[0]);
    F[1] = ks * v[0] * v[1] - double_pendulum_is.u[1] * sin(q[1]);
}

static inline void double_pendulum_mixed(const lie_system *sys, double *D, const double *q, const double *v)
{
    double ks = double_pendulum_is.k * sin(q[0] - q[1]);
    (void)sys;
    for (int i = 0; i < 2; i++) D[2 * i] = -ks * v[1 - i], D[2 * i + 1] = ks * v[1 - i];
}

static inline void double_pendulum_gradient_deriv(const lie_system *sys, double *D, const double *q, const double *v)
{
    double kc = double_pendulum_is.k * cos(q[0] - q[1]) * v[0] * v[1];
    (void)sys;
    D[0] = -kc - double_pendulum_is.u[0] * cos(q[0]);
    D[1] = D[2] = kc;
    D[3] = -kc - double_pendulum_is.u[1] * cos(q[1]);
}

static inline lie_system double_pendulum(lie_ops *space)
{
    (void)lie_rn_ops(space, 2, "cay");
    return (lie_system){.name = "double_pendulum",
                        .group = space,
                        .lagrangian = double_pendulum_lagrangian,
                        .momentum = double_pendulum_momentum,
                        .gradient = double_pendulum_gradient,
                        .hessian = double_pendulum_hessian,
                        .mixed = double_pendulum_mixed,
                        .gradient_deriv = double_pendulum_gradient_deriv};
}

static const struct {
    double m, c, k[3];
} fast_particle_is = {1.7, 3.0, {0.4, -0.3, 0.9}};

/* sqrt(1 - |v|^2/c^2); not a number beyond c */
static inline double fast_particle_root(const double *v)
{
    double c = fast_particle_is.c;
    return sqrt(1.0 - (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / (c * c));
}

static inline double fast_particle_lagrangian(const lie_system *sys, const double *q, const double *v)
{
    const double *k = fast_particle_is.k;
    (void)sys;
    return -fast_particle_is.m * fast_particle_is.c * fast_particle_is.c * fast_particle_root(v) + k[0] * q[0] +
           k[1] * q[1] + k[2] * q[2];
}

static inline void fast_particle_momentum(const lie_system *sys, double *mu, const double *q, const double *v)
{
    (void)sys;
    (void)q;
    for (int i = 0; i < 3; i++) mu[i] = fast_particle_is.m * v[i] / fast_particle_root(v);
}

static inline void fast_particle_gradient(const lie_system *sys, double *F, const double *q, const double *v)
{
    (void)sys;
    (void)q;
    (void)v;
    for (int i = 0; i < 3; i++) F[i] = fast_particle_is.k[i];
}

static inline void fast_particle_hessian(const lie_system *sys, double *H, const double *q, const double *v)
{
    double root = fast_particle_root(v), c = fast_particle_is.c;
    (void)sys;
    (void)q;
    for (int i = 0; i < 9; i++)
        H[i] = fast_particle_is.m / root * ((i % 4 == 0 ? 1.0 : 0.0) + v[i / 3] * v[i % 3] / (c * c * root * root));
}

static inline void fast_particle_zero(const lie_system *sys, double *D, const double *q, const double *v)
{
    (void)sys;
    (void)q;
    (void)v;
    for (int i = 0; i < 9; i++) D[i] = 0.0;
}

static inline lie_system fast_particle(lie_ops *space)
{
    (void)lie_rn_ops(space, 3, "cay");
    return (lie_system){.name = "fast_particle",
                        .group = space,
                        .lagrangian = fast_particle_lagrangian,
                        .momentum = fast_particle_momentum,
                        .gradient = fast_particle_gradient,
                        .hessian = fast_particle_hessian,
                        .mixed = fast_particle_zero,
                        .gradient_deriv = fast_particle_zero};
}

#endif
