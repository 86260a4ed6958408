/* SPDX-License-Identifier: MIT */
/* reference_rates.c: the equations of motion of the built-in systems in long double, from their parameters.
 *
 *   attitude   a = R^T e3, c = R^T e1, w = I^-1 (m - spin I a - wheels):
 *              m' = m x w + a x (s I a + l) + c x (s1 I c) + spin (I w) x a
 *              heavy top: l = m g0 r; turntable: also spin = W, s = -W^2; satellite: spin = n, s = -n^2, s1 = 3 n^2,
 *              l = -n h, wheels = h
 *   vehicle    up = R^T e3: torque (B b - W a) x up, force (B - W) up, drag and thrust
 *   orbiter    X = R^T x: grad V = p X + q J X, torque X x q J X, force -grad V
 *   spacecraft the same on SO(3) x R^3: x' = v, Pi' = Pi x w + torque, P' = -R grad V
 *   particle   F = -(2 (r - 1)^2 + 4 r (r - 1)) q for r = |q|^2, f = -c q'
 *
 * References: those of the bodies in lib/systems/catalogue. */
#include "reference.h"

#include <liestep/systems.h>

#include <math.h>
#include <string.h>

typedef long double real;

static void cross(real out[3], const real a[3], const real b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void add_cross(real out[3], real scale, const real a[3], const real b[3])
{
    real c[3];
    cross(c, a, b);
    for (int i = 0; i < 3; i++) out[i] += scale * c[i];
}

static void times(int n, real *out, const real *A, const real *x)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0.0L;
        for (int j = 0; j < n; j++) out[i] += A[n * i + j] * x[j];
    }
}

static real dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void rate_of_quaternion(real dq[4], const real q[4], const real w[3])
{
    dq[0] = -(q[1] * w[0] + q[2] * w[1] + q[3] * w[2]) / 2.0L;
    dq[1] = (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2.0L;
    dq[2] = (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2.0L;
    dq[3] = (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2.0L;
}

/* Rows of R(q) for a quaternion of any length */
static void rotation(real R[9], const real p[4])
{
    real n = sqrtl(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    real w = p[0] / n, x = p[1] / n, y = p[2] / n, z = p[3] / n;
    R[0] = w * w + x * x - y * y - z * z, R[1] = 2.0L * (x * y - w * z), R[2] = 2.0L * (x * z + w * y);
    R[3] = 2.0L * (x * y + w * z), R[4] = w * w - x * x + y * y - z * z, R[5] = 2.0L * (y * z - w * x);
    R[6] = 2.0L * (x * z - w * y), R[7] = 2.0L * (y * z + w * x), R[8] = w * w - x * x - y * y + z * z;
}

static void attitude_rate(const reference_model *r, real *dy, const real *y)
{
    real R[9], Ia[3], Ic[3], mu[3], w[3], Iw[3];
    const real *a = R + 6, *c = R, *m = y + 4;
    rotation(R, y);
    times(3, Ia, r->inertia, a);
    times(3, Ic, r->inertia, c);
    for (int i = 0; i < 3; i++) mu[i] = m[i] - r->spin * Ia[i] - r->wheels[i];
    times(3, w, r->inverse, mu);
    times(3, Iw, r->inertia, w);
    rate_of_quaternion(dy, y, w);
    cross(dy + 4, m, w);
    add_cross(dy + 4, r->well_s, a, Ia);
    add_cross(dy + 4, 1.0L, a, r->well_l);
    add_cross(dy + 4, r->well_c, c, Ic);
    add_cross(dy + 4, r->spin, Iw, a);
}

/* What every moving body has in common; xi = (w, v) is returned for its forces. */
static void motion_rate(const reference_model *r, real *dy, const real *y, real xi[6], real R[9])
{
    const real *m = y + 7;
    rotation(R, y);
    times(6, xi, r->inverse, m);
    rate_of_quaternion(dy, y, xi);
    for (int i = 0; i < 3; i++) dy[4 + i] = dot(R + 3 * i, xi + 3);
    cross(dy + 7, m, xi);
    add_cross(dy + 7, 1.0L, m + 3, xi + 3);
    cross(dy + 10, m + 3, xi);
}

static void vehicle_rate(const reference_model *r, real *dy, const real *y)
{
    const lie_vehicle *p = (const lie_vehicle *)r->sys->params;
    real xi[6], R[9], arm[3], at[3], along[3];
    motion_rate(r, dy, y, xi, R);
    for (int i = 0; i < 3; i++) {
        arm[i] = (real)p->buoyancy * p->buoyancy_at[i] - (real)p->weight * p->weight_at[i];
        dy[10 + i] += ((real)p->buoyancy - p->weight) * R[6 + i];
    }
    add_cross(dy + 7, 1.0L, arm, R + 6);
    for (int i = 0; i < 6; i++) {
        dy[7 + i] -= p->quadratic_drag[i] * fabsl(xi[i]) * xi[i];
        for (int j = 0; j < 6; j++) dy[7 + i] -= p->linear_drag[6 * i + j] * xi[j];
    }
    for (int k = 0; r->u && k < p->thrusters; k++) {
        for (int i = 0; i < 3; i++) at[i] = p->thruster_at[k][i], along[i] = p->thruster_along[k][i];
        add_cross(dy + 7, r->u[k], at, along);
        for (int i = 0; i < 3; i++) dy[10 + i] += r->u[k] * along[i];
    }
}

/* dy += torque (body frame); grad V in the body frame; R: the attitude of y */
static void attract(const reference_model *r, real *dy, real grad[3], const real *y, const real R[9])
{
    const lie_orbiter *o = (const lie_orbiter *)r->sys->params; /* a lie_spacecraft begins with one */
    real X[3] = {0}, JX[3], gm = o->gm, mass = o->inertia[21];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) X[i] += R[3 * j + i] * y[4 + j];
    for (int i = 0; i < 3; i++) JX[i] = dot(r->inertia + 6 * i, X);
    real trace = r->inertia[0] + r->inertia[7] + r->inertia[14], r2 = dot(X, X), r3 = r2 * sqrtl(r2);
    real p = gm / r3 * (mass + 1.5L * (trace - 5.0L * dot(X, JX) / r2) / r2), q = 3.0L * gm / (r3 * r2);
    for (int i = 0; i < 3; i++) grad[i] = p * X[i] + q * JX[i];
    add_cross(dy + 7, q, X, JX); /* not X x grad, where p X would leave the rounding of something large */
}

static void orbiter_rate(const reference_model *r, real *dy, const real *y)
{
    real xi[6], R[9], grad[3];
    motion_rate(r, dy, y, xi, R);
    attract(r, dy, grad, y, R);
    for (int i = 0; i < 3; i++) dy[10 + i] -= grad[i];
}

static void spacecraft_rate(const reference_model *r, real *dy, const real *y)
{
    real xi[6], R[9], grad[3];
    rotation(R, y);
    times(6, xi, r->inverse, y + 7);
    rate_of_quaternion(dy, y, xi);
    cross(dy + 7, y + 7, xi);
    attract(r, dy, grad, y, R);
    for (int i = 0; i < 3; i++) dy[4 + i] = xi[3 + i], dy[10 + i] = -dot(R + 3 * i, grad);
}

static void particle_rate(const reference_model *r, real *dy, const real *y)
{
    const lie_particle *p = (const lie_particle *)r->sys->params;
    real square = y[0] * y[0] + y[1] * y[1], d = square - 1.0L, slope = 2.0L * d * d + 4.0L * square * d;
    times(2, dy, r->inverse, y + 2);
    for (int i = 0; i < 2; i++) dy[2 + i] = -slope * y[i] - p->drag * dy[i];
}

/* I^-1 in long double by Gauss and Jordan; I positive definite */
static void invert(int n, real *inverse, const real *A)
{
    real M[36];
    memcpy(M, A, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n * n; i++) inverse[i] = i % (n + 1) == 0;
    for (int k = 0; k < n; k++) {
        real pivot = M[k * n + k];
        for (int j = 0; j < n; j++) M[k * n + j] /= pivot, inverse[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            real f = i == k ? 0.0L : M[i * n + k];
            for (int j = 0; j < n; j++) M[i * n + j] -= f * M[k * n + j], inverse[i * n + j] -= f * inverse[k * n + j];
        }
    }
}

static void set_top(reference_model *r, const lie_heavy_top *p)
{
    for (int i = 0; i < 3; i++) r->well_l[i] = (real)p->mass * p->gravity * p->centre[i];
}

static void set_turntable(reference_model *r, const lie_turntable *p)
{
    set_top(r, &p->top);
    r->spin = p->rate;
    r->well_s = -r->spin * r->spin;
}

static void set_satellite(reference_model *r, const lie_satellite *p)
{
    r->spin = p->orbit_rate;
    r->well_s = -r->spin * r->spin;
    r->well_c = 3.0L * r->spin * r->spin;
    for (int i = 0; i < 3; i++) {
        r->wheels[i] = p->wheels[i];
        r->well_l[i] = -r->spin * p->wheels[i];
    }
}

/* Its parameters; 0 if the name is that of no attitude system. */
static int set_attitude(reference_model *r, const char *name, const void *params)
{
    if (strcmp(name, "heavy_top") == 0)
        set_top(r, (const lie_heavy_top *)params);
    else if (strcmp(name, "turntable") == 0)
        set_turntable(r, (const lie_turntable *)params);
    else if (strcmp(name, "satellite") == 0)
        set_satellite(r, (const lie_satellite *)params);
    else if (strcmp(name, "free_body") != 0)
        return 0;
    r->rate = attitude_rate;
    return 1;
}

int reference_model_init(reference_model *r, const lie_system *sys, const double *u)
{
    const char *name = sys->name ? sys->name : "";
    int n = sys->group->dim;
    *r = (reference_model){.sys = sys, .u = u, .dim = n, .position = -1};
    if (set_attitude(r, name, sys->params))
        r->attitude = 1, r->length = 7;
    else if (strcmp(name, "vehicle") == 0)
        r->attitude = 1, r->length = 13, r->position = 4, r->rate = vehicle_rate;
    else if (strcmp(name, "orbiter") == 0)
        r->attitude = 1, r->length = 13, r->position = 4, r->rate = orbiter_rate;
    else if (strcmp(name, "spacecraft") == 0)
        r->attitude = 1, r->length = 13, r->position = 4, r->rate = spacecraft_rate;
    else if (strcmp(name, "particle") == 0)
        r->length = 4, r->position = 0, r->rate = particle_rate;
    else
        return -1;
    for (int i = 0; i < n * n; i++) r->inertia[i] = sys->inertia[i];
    invert(n, r->inverse, r->inertia);
    return 0;
}
