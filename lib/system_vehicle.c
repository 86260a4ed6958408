/* SPDX-License-Identifier: MIT */
/* system_vehicle.c: bodies that also move, on SE3, g = (R, x).
 *
 * Underwater vehicle: Kirchhoff's equations with weight W at a and buoyancy B at b. With up = R^T e3:
 *     V = W e3 . (R a + x) - B e3 . (R b + x)
 *     F = ( (B b - W a) x up,  (B - W) up ),     d/ds up = up x eta_w
 *     f = -D xi - (q_i |xi_i| xi_i) + sum u_k (p_k x d_k, d_k)
 * D linear and q quadratic drag, thruster k at p_k along d_k.
 *
 * Satellite around a point mass. With X = R^T x, r = |X|, J the inertia about the centre of mass:
 *     V = -GM m / r - GM/(2 r^3) (tr J - 3 X . J X / r^2),     F = (X x grad V, -grad V)
 *     grad V = GM m X/r^3 + 3 GM/(2 r^5) (tr J - 5 X . J X / r^2) X + 3 GM/r^5 J X
 *
 * References: Leonard, Stability of a bottom-heavy underwater vehicle, Automatica 1997; Fossen, Handbook of Marine
 * Craft Hydrodynamics and Motion Control, 2011; Hughes, Spacecraft Attitude Dynamics, 1986, section 8.1. */
#include <liestep/se3.h>
#include <liestep/so3.h>
#include <liestep/systems.h>

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* B b - W a: the arm of the righting torque */
static void righting_arm(double arm[3], const lie_vehicle *p)
{
    for (int i = 0; i < 3; i++) arm[i] = p->buoyancy * p->buoyancy_at[i] - p->weight * p->weight_at[i];
}

static double vehicle_potential(const lie_system *sys, const double *g)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double arm[3];
    righting_arm(arm, p);
    return (p->weight - p->buoyancy) * g[11] - dot(arm, g + 6);
}

static void vehicle_force(const lie_system *sys, double *F, const double *g)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double arm[3], up[3] = {g[6], g[7], g[8]};
    righting_arm(arm, p);
    lie_so3_ad(F, arm, up);
    for (int i = 0; i < 3; i++) F[3 + i] = (p->buoyancy - p->weight) * up[i];
}

/* d up = hat(up) eta_w: [[hat(arm) hat(up), 0], [(B - W) hat(up), 0]] */
static void vehicle_force_deriv(const lie_system *sys, double *D, const double *g)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double arm[3], arm_hat[9], up_hat[9], M[9];
    righting_arm(arm, p);
    lie_so3_hat(arm_hat, arm);
    lie_so3_hat(up_hat, g + 6);
    lie_so3_mul(M, arm_hat, up_hat);
    memset(D, 0, 36 * sizeof *D);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            D[6 * i + j] = M[3 * i + j];
            D[6 * (3 + i) + j] = (p->buoyancy - p->weight) * up_hat[3 * i + j];
        }
}

static void vehicle_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                             const double *u)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double torque[3];
    (void)t;
    (void)g;
    for (int i = 0; i < 6; i++) {
        f[i] = -p->quadratic_drag[i] * fabs(xi[i]) * xi[i];
        for (int j = 0; j < 6; j++) f[i] -= p->linear_drag[6 * i + j] * xi[j];
    }
    for (int k = 0; u && k < p->thrusters; k++) {
        lie_so3_ad(torque, p->thruster_at[k], p->thruster_along[k]);
        for (int i = 0; i < 3; i++) {
            f[i] += u[k] * torque[i];
            f[3 + i] += u[k] * p->thruster_along[k][i];
        }
    }
}

lie_status lie_vehicle_system(lie_system *out, const lie_vehicle *p)
{
    lie_system sys = {.name = "vehicle",
                      .group = &lie_se3_cay_ops,
                      .inertia = p->inertia,
                      .params = p,
                      .controls = p->thrusters,
                      .potential = vehicle_potential,
                      .force = vehicle_force,
                      .force_deriv = vehicle_force_deriv,
                      .external = vehicle_external};
    if (p->thrusters < 0 || p->thrusters > LIE_THRUSTERS_MAX) return LIE_ERR_SIZE;
    lie_status status = lie_system_check(&sys);
    if (status == LIE_OK) *out = sys;
    return status;
}

/* J x for the upper left block of the 6x6 inertia, and its trace */
static double tensor(double Jx[3], const lie_orbiter *p, const double x[3])
{
    for (int i = 0; i < 3; i++) Jx[i] = dot(p->inertia + 6 * i, x);
    return (p->inertia[0] + p->inertia[7]) + p->inertia[14];
}

static double orbiter_potential(const lie_system *sys, const double *g)
{
    const lie_orbiter *p = (const lie_orbiter *)sys->params;
    double X[3], JX[3];
    lie_so3_Adt(X, g, g + 9);
    double trace = tensor(JX, p, X), r2 = dot(X, X), r = sqrt(r2), mass = p->inertia[21];
    return -p->gm * (mass / r + (trace - 3.0 * dot(X, JX) / r2) / (2.0 * r2 * r));
}

static void orbiter_force(const lie_system *sys, double *F, const double *g)
{
    const lie_orbiter *p = (const lie_orbiter *)sys->params;
    double X[3], JX[3], grad[3];
    lie_so3_Adt(X, g, g + 9);
    double trace = tensor(JX, p, X), r2 = dot(X, X), r3 = r2 * sqrt(r2), mass = p->inertia[21];
    double along = mass + 1.5 * (trace - 5.0 * dot(X, JX) / r2) / r2;
    for (int i = 0; i < 3; i++) grad[i] = p->gm / r3 * (along * X[i] + 3.0 * JX[i] / r2);
    lie_so3_ad(F, X, grad);
    for (int i = 0; i < 3; i++) F[3 + i] = -grad[i];
}

lie_status lie_orbiter_system(lie_system *out, const lie_orbiter *p)
{
    lie_system sys = {.name = "orbiter",
                      .group = &lie_se3_cay_ops,
                      .inertia = p->inertia,
                      .params = p,
                      .potential = orbiter_potential,
                      .force = orbiter_force};
    if (!(p->gm > 0.0)) return LIE_ERR_DOMAIN;
    lie_status status = lie_system_check(&sys);
    if (status == LIE_OK) *out = sys;
    return status;
}
