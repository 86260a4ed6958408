/* SPDX-License-Identifier: MIT */
/* A group of your own: the Heisenberg group, on which a charged particle in a magnetic field is a free body.
 *
 *     (x, y, z)(x', y', z') = (x + x', y + y', z + z' + x y'),      [u, v] = (0, 0, u0 v1 - u1 v0)
 *     l = 1/2 (u0^2 + u1^2 + u2^2) - k/2 (x^2 + y^2)
 *
 * The momentum along z is constant and plays the part of charge times field, B: with m = (p_x, p_y, B) the equations
 * are x' = p_x, y' = p_y, p_x' = -B p_y - k x, p_y' = B p_x - k y. So x + i y is a sum of two circles with the rates
 * B/2 +- sqrt(B^2/4 + k), which the table compares with. (z adds up the area that the particle goes around.)
 *
 * lie_ops_complete derives what is not given here: dual maps, tangents, their inverses. Then every method runs; below
 * Stoermer-Verlet and Gauss of order 4.
 *
 * Reference: Montgomery, A Tour of Subriemannian Geometries, 2002, chapter 1 (Heisenberg group and magnetic field). */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>

static const double stiffness = 0.3;

static void identity(const lie_ops *G, double *g)
{
    (void)G;
    g[0] = g[1] = g[2] = 0.0;
}

static void mul(const lie_ops *G, double *out, const double *a, const double *b)
{
    (void)G;
    out[2] = a[2] + b[2] + a[0] * b[1];
    out[0] = a[0] + b[0];
    out[1] = a[1] + b[1];
}

static void inv(const lie_ops *G, double *out, const double *a)
{
    (void)G;
    out[2] = a[0] * a[1] - a[2];
    out[0] = -a[0];
    out[1] = -a[1];
}

static void Ad(const lie_ops *G, double *out, const double *g, const double *u)
{
    (void)G;
    out[2] = u[2] + g[0] * u[1] - g[1] * u[0];
    out[0] = u[0];
    out[1] = u[1];
}

static void ad(const lie_ops *G, double *out, const double *u, const double *v)
{
    (void)G;
    out[2] = u[0] * v[1] - u[1] * v[0];
    out[0] = out[1] = 0.0;
}

static lie_status exponential(const lie_ops *G, double *g, const double *u)
{
    (void)G;
    g[2] = u[2] + 0.5 * u[0] * u[1];
    g[0] = u[0];
    g[1] = u[1];
    return LIE_OK;
}

static double potential(const lie_system *sys, const double *g)
{
    (void)sys;
    return 0.5 * stiffness * (g[0] * g[0] + g[1] * g[1]);
}

/* Along g exp(s u) x grows by u0 and y by u1, wherever g is. */
static void force(const lie_system *sys, double *F, const double *g)
{
    (void)sys;
    F[0] = -stiffness * g[0];
    F[1] = -stiffness * g[1];
    F[2] = 0.0;
}

/* (x, y) at the time t, from (1, 0) with momentum (0, p, B) */
static void exact(double at[2], double t, double p, double B)
{
    double a = 0.5 * B + sqrt(0.25 * B * B + stiffness), b = 0.5 * B - sqrt(0.25 * B * B + stiffness);
    double share = (p - b) / (a - b); /* of the circle with rate a */
    at[0] = share * cos(a * t) + (1.0 - share) * cos(b * t);
    at[1] = share * sin(a * t) + (1.0 - share) * sin(b * t);
}

static int run(const lie_system *sys, const char *method)
{
    const double m[3] = {0.0, 0.4, 1.5}, g[3] = {1.0, 0.0, 0.0}, h = 0.1;
    double work[1024], energy = 0.0, start = 0.0, at[2];
    lie_stepper *st;
    lie_state s;
    lie_status status = lie_stepper_init(&st, sys, &(lie_options){.method = method}, work, sizeof work);
    if (status == LIE_OK) status = lie_state_set_momentum(sys, &s, 0.0, g, m);
    if (status == LIE_OK) status = lie_state_energy(sys, &start, &s);
    for (int k = 0; k < 4 && status == LIE_OK; k++) {
        status = lie_run(st, &s, h, 250);
        if (status == LIE_OK) status = lie_state_energy(sys, &energy, &s);
        exact(at, s.t, m[1], m[2]);
        printf("  %-8s %5.0f   %9.5f %9.5f   %9.1e   %9.1e   %9.1e\n", method, s.t, s.g[0], s.g[1],
               hypot(s.g[0] - at[0], s.g[1] - at[1]), energy - start, s.m[2] - m[2]);
    }
    if (status != LIE_OK) printf("%s: %s\n", method, lie_status_text(status));
    return status != LIE_OK;
}

int main(void)
{
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u[3] = {0.3, -0.5, 0.2}, g[3] = {0.4, 0.7, -0.1};
    lie_ops G = {.group = "Heisenberg",
                 .retraction = "exp",
                 .dim = 3,
                 .size = 3,
                 .identity = identity,
                 .mul = mul,
                 .inv = inv,
                 .Ad = Ad,
                 .ad = ad,
                 .tau = exponential};
    lie_system sys = {.name = "particle", .group = &G, .inertia = unit, .potential = potential, .force = force};
    lie_system_report report;
    lie_status status = lie_ops_complete(&G);
    if (status == LIE_OK) status = lie_system_compare_derivatives(&sys, &report, 0.0, g, u, NULL);
    if (status != LIE_OK) return printf("%s\n", lie_status_text(status)), 1;
    printf("force against potential: %.1e\n\n", report.force);
    printf("  method    time   x         y           error       energy      momentum along z\n");
    return run(&sys, "sv") + run(&sys, "gauss2") == 0 ? 0 : 1;
}
