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
 *     V = -GM m / r - GM/(2 r^3) (tr J - 3 X . J X / r^2),     F = (X x grad V, -grad V),     grad V = p X + q J X
 *     p = GM/r^3 (m + 3/2 (tr J - 5 X . J X / r^2)/r^2),       q = 3 GM/r^5
 *
 * References: Leonard, Stability of a bottom-heavy underwater vehicle, Automatica 1997; Fossen, Handbook of Marine
 * Craft Hydrodynamics and Motion Control, 2011; Hughes, Spacecraft Attitude Dynamics, 1986, section 8.1. */
#include <liestep/se3.h>
#include <liestep/systems.h>

#include <math.h>

#include "../groups/vec3.h"

/* B b - W a: the arm of the righting torque */
LIE_INLINE void righting_arm(double arm[3], const lie_vehicle *p)
{
    LIE_UNROLL
    for (int i = 0; i < 3; i++) arm[i] = p->buoyancy * p->buoyancy_at[i] - p->weight * p->weight_at[i];
}

static double vehicle_potential(const lie_system *sys, const double *g)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double arm[3];
    righting_arm(arm, p);
    return (p->weight - p->buoyancy) * g[11] - dot3(arm, g + 6);
}

static void vehicle_force(const lie_system *sys, double *F, const double *g)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double arm[3], lift = p->buoyancy - p->weight;
    righting_arm(arm, p);
    cross3(F, arm, g + 6);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) F[3 + i] = lift * g[6 + i];
}

/* d up = hat(up) eta_w: [[hat(arm) hat(up), 0], [(B - W) hat(up), 0]] */
static void vehicle_force_deriv(const lie_system *sys, double *D, const double *g)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double arm[3], arm_hat[9], up_hat[9], M[9];
    righting_arm(arm, p);
    hat3(arm_hat, arm);
    hat3(up_hat, g + 6);
    mat3_mul(M, arm_hat, up_hat);
    for (int i = 0; i < 9; i++) up_hat[i] *= p->buoyancy - p->weight;
    zero_n(36, D);
    put_block3(D, 6, 0, 0, M);
    put_block3(D, 6, 3, 0, up_hat);
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
        cross3(torque, p->thruster_at[k], p->thruster_along[k]);
        for (int i = 0; i < 3; i++) {
            f[i] += u[k] * torque[i];
            f[3 + i] += u[k] * p->thruster_along[k][i];
        }
    }
}

static void vehicle_external_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                                   const double *u)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    (void)t;
    (void)g;
    (void)u;
    for (int i = 0; i < 36; i++) D[i] = -p->linear_drag[i];
    for (int i = 0; i < 6; i++) D[7 * i] -= 2.0 * p->quadratic_drag[i] * fabs(xi[i]);
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
                      .external = vehicle_external,
                      .external_deriv = vehicle_external_deriv};
    if (p->thrusters < 0 || p->thrusters > LIE_THRUSTERS_MAX) return LIE_ERR_SIZE;
    lie_status status = lie_system_check(&sys);
    if (status == LIE_OK) *out = sys;
    return status;
}

/* What the orbiter's functions have in common: V' = p X + q J X */
typedef struct field {
    double X[3], JX[3], trace, XJX, r2, p, q;
} field;

LIE_INLINE field orbiter_field(const lie_orbiter *o, const double *g)
{
    field f;
    double mass = o->inertia[21];
    mat3_tvec(f.X, g, g + 9);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) f.JX[i] = dot3(o->inertia + 6 * i, f.X);
    f.trace = (o->inertia[0] + o->inertia[7]) + o->inertia[14];
    f.XJX = dot3(f.X, f.JX);
    f.r2 = dot3(f.X, f.X);
    double by_r3 = o->gm / (f.r2 * sqrt(f.r2));
    f.p = by_r3 * (mass + 1.5 * (f.trace - 5.0 * f.XJX / f.r2) / f.r2);
    f.q = 3.0 * by_r3 / f.r2;
    return f;
}

static double orbiter_potential(const lie_system *sys, const double *g)
{
    const lie_orbiter *o = (const lie_orbiter *)sys->params;
    field f = orbiter_field(o, g);
    double r = sqrt(f.r2), mass = o->inertia[21];
    return -o->gm * (mass / r + (f.trace - 3.0 * f.XJX / f.r2) / (2.0 * f.r2 * r));
}

/* the torque X x grad V without its part along X, which is 0 and would leave only its rounding */
static void orbiter_force(const lie_system *sys, double *F, const double *g)
{
    field f = orbiter_field((const lie_orbiter *)sys->params, g);
    cross3(F, f.X, f.JX);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) F[i] *= f.q;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) F[3 + i] = -(f.p * f.X[i] + f.q * f.JX[i]);
}

/* N = d torque/dX and H = d grad V/dX; then d X = hat(X) eta_w + eta_v: [[N hat(X), N], [-H hat(X), -H]] */
static void orbiter_force_deriv(const lie_system *sys, double *D, const double *g)
{
    const lie_orbiter *o = (const lie_orbiter *)sys->params;
    field f = orbiter_field(o, g);
    double T[3], dp[3], X_hat[9], JX_hat[9], J[9], N[9], H[9], M[9], mass = o->inertia[21];
    double k = f.q / f.r2 * (-mass * f.r2 - 2.5 * f.trace + 17.5 * f.XJX / f.r2);
    cross3(T, f.X, f.JX);
    for (int i = 0; i < 3; i++) dp[i] = k * f.X[i] - 5.0 * f.q / f.r2 * f.JX[i];
    for (int i = 0; i < 9; i++) J[i] = o->inertia[6 * (i / 3) + i % 3];
    hat3(X_hat, f.X);
    hat3(JX_hat, f.JX);
    mat3_mul(N, X_hat, J);
    for (int i = 0; i < 9; i++) {
        int r = i / 3, c = i % 3;
        double along = 5.0 / f.r2 * f.X[c];
        N[i] = f.q * (N[i] - JX_hat[i] - T[r] * along);
        H[i] = -((r == c ? f.p : 0.0) + f.X[r] * dp[c] + f.q * (J[i] - f.JX[r] * along));
    }
    mat3_mul(M, N, X_hat);
    put_block3(D, 6, 0, 0, M);
    put_block3(D, 6, 0, 3, N);
    mat3_mul(M, H, X_hat);
    put_block3(D, 6, 3, 0, M);
    put_block3(D, 6, 3, 3, H);
}

lie_status lie_orbiter_system(lie_system *out, const lie_orbiter *p)
{
    lie_system sys = {.name = "orbiter",
                      .group = &lie_se3_cay_ops,
                      .inertia = p->inertia,
                      .params = p,
                      .potential = orbiter_potential,
                      .force = orbiter_force,
                      .force_deriv = orbiter_force_deriv};
    if (!(p->gm > 0.0)) return LIE_ERR_DOMAIN;
    lie_status status = lie_system_check(&sys);
    if (status == LIE_OK) *out = sys;
    return status;
}
