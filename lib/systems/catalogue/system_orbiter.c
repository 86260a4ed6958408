/* SPDX-License-Identifier: MIT */
/* system_orbiter.c: a satellite around a point mass, orbit and attitude coupled, on SE3 or SO3 x R3; g = (R, x).
 *
 * Gravity to second order in the size of the body. With X = R^T x, r = |X|, J the inertia about the centre of mass:
 *     V = -GM m / r - GM/(2 r^3) (tr J - 3 X . J X / r^2),     grad V = p X + q J X
 *     p = GM/r^3 (m + 3/2 (tr J - 5 X . J X / r^2)/r^2),       q = 3 GM/r^5
 *     F = (X x grad V, -grad V) on SE3, where the velocity is seen from the body,
 *         (X x grad V, -R grad V) on SO3 x R3, where it is x'.
 *
 * Reference: Hughes, Spacecraft Attitude Dynamics, 1986, section 8.1. */
#include <liestep/rn.h>
#include <liestep/so3.h>
#include <liestep/systems.h>

#include <math.h>

#include "groups/num/vec3.h"
#include "lib/systems/catalogue/named_group.h"

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

/* grad V, seen from the body */
LIE_INLINE void gradient_of(double out[3], const field *f)
{
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = f->p * f->X[i] + f->q * f->JX[i];
}

/* X x grad V without its part along X, which is 0 and would leave only its rounding */
LIE_INLINE void torque_of(double out[3], const field *f)
{
    cross3(out, f->X, f->JX);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] *= f->q;
}

static void orbiter_force(const lie_system *sys, double *F, const double *g)
{
    field f = orbiter_field((const lie_orbiter *)sys->params, g);
    torque_of(F, &f);
    gradient_of(F + 3, &f);
    LIE_UNROLL
    for (int i = 3; i < 6; i++) F[i] = -F[i];
}

static void spacecraft_force(const lie_system *sys, double *F, const double *g)
{
    double push[3];
    orbiter_force(sys, F, g);
    mat3_vec(push, g, F + 3);
    copy_n(3, F + 3, push);
}

/* N = d torque/dX and H = -d grad V/dX */
static void field_deriv(const lie_orbiter *o, const field *f, double N[9], double H[9])
{
    double T[3], dp[3], X_hat[9], JX_hat[9], J[9], mass = o->inertia[21];
    double k = f->q / f->r2 * (-mass * f->r2 - 2.5 * f->trace + 17.5 * f->XJX / f->r2);
    cross3(T, f->X, f->JX);
    for (int i = 0; i < 3; i++) dp[i] = k * f->X[i] - 5.0 * f->q / f->r2 * f->JX[i];
    for (int i = 0; i < 9; i++) J[i] = o->inertia[6 * (i / 3) + i % 3];
    hat3(X_hat, f->X);
    hat3(JX_hat, f->JX);
    mat3_mul(N, X_hat, J);
    for (int i = 0; i < 9; i++) {
        int r = i / 3, c = i % 3;
        double along = 5.0 / f->r2 * f->X[c];
        N[i] = f->q * (N[i] - JX_hat[i] - T[r] * along);
        H[i] = -((r == c ? f->p : 0.0) + f->X[r] * dp[c] + f->q * (J[i] - f->JX[r] * along));
    }
}

/* d X = hat(X) eta_w + eta_v: [[N hat(X), N], [H hat(X), H]] */
static void orbiter_force_deriv(const lie_system *sys, double *D, const double *g)
{
    const lie_orbiter *o = (const lie_orbiter *)sys->params;
    field f = orbiter_field(o, g);
    double X_hat[9], N[9], H[9], M[9];
    field_deriv(o, &f, N, H);
    hat3(X_hat, f.X);
    mat3_mul(M, N, X_hat);
    put_block3(D, 6, 0, 0, M);
    put_block3(D, 6, 0, 3, N);
    mat3_mul(M, H, X_hat);
    put_block3(D, 6, 3, 0, M);
    put_block3(D, 6, 3, 3, H);
}

/* d X = hat(X) eta_w + R^T eta_x: [[N hat(X), N R^T], [R N^T, R H R^T]]; the mixed blocks are each other's transposes,
 * since V is a function on SO3 x R3. As R (hat(grad V) + H hat(X)) the weight, which does not depend on the attitude,
 * would leave its rounding there, and split4 an error of the attitude of 3e-10 rad in 600 s, whatever its step. */
static void spacecraft_force_deriv(const lie_system *sys, double *D, const double *g)
{
    const lie_orbiter *o = (const lie_orbiter *)sys->params;
    field f = orbiter_field(o, g);
    double X_hat[9], Rt[9], N[9], H[9], M[9], K[9];
    field_deriv(o, &f, N, H);
    hat3(X_hat, f.X);
    mat3_transpose(Rt, g);
    mat3_mul(M, N, X_hat);
    put_block3(D, 6, 0, 0, M);
    mat3_mul(M, N, Rt);
    put_block3(D, 6, 0, 3, M);
    mat3_transpose(K, M);
    put_block3(D, 6, 3, 0, K);
    mat3_mul(K, H, Rt);
    mat3_mul(M, g, K);
    put_block3(D, 6, 3, 3, M);
}

/* *out = sys if it is sound; both systems begin with a lie_orbiter */
static lie_status around(lie_system *out, lie_system sys, const lie_orbiter *p)
{
    sys.inertia = p->inertia;
    sys.params = p;
    sys.potential = orbiter_potential;
    if (!(p->gm > 0.0)) return LIE_ERR_DOMAIN;
    lie_status status = lie_system_check(&sys);
    if (status == LIE_OK) *out = sys;
    return status;
}

lie_status lie_orbiter_system(lie_system *out, const lie_orbiter *p, const char *group)
{
    static const char *const groups[] = {"SE3", 0};
    lie_system sys = {.name = "orbiter", .force = orbiter_force, .force_deriv = orbiter_force_deriv};
    lie_status status = lie__group_named(&sys.group, group, groups);
    return status == LIE_OK ? around(out, sys, p) : status;
}

lie_status lie_spacecraft_system(lie_system *out, lie_spacecraft *p, const char *group)
{
    static const char *const groups[] = {"SO3", 0};
    lie_system sys = {
        .name = "spacecraft", .group = &p->group, .force = spacecraft_force, .force_deriv = spacecraft_force_deriv};
    lie_status status = lie__group_named(&p->factor[0], group, groups);
    if (status == LIE_OK) status = lie_rn_ops(&p->space, 3, "exp");
    if (status != LIE_OK) return status;
    p->factor[1] = &p->space;
    p->product = (lie_product){2, p->factor};
    status = lie_product_ops(&p->group, &p->product);
    return status == LIE_OK ? around(out, sys, &p->body) : status;
}
