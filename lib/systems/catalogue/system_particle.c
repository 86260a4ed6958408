/* SPDX-License-Identifier: MIT */
/* system_particle.c: a particle in the plane, R2, in a ring-shaped well with weak drag, s = |q|^2:
 *
 *     V = s (s - 1)^2,   F = -2 (s - 1)(3 s - 1) q,   dF = -2 (s - 1)(3 s - 1) 1 - 8 (3 s - 2) q q^T,   f = -c q'
 *
 * Reference: Marsden & West 2001, Example 3.2.3 and Figure 2 (unit mass, c = 1e-3). */
#include <liestep/rn.h>
#include <liestep/systems.h>

#include "lib/systems/catalogue/named_group.h"

void lie_inertia_diagonal(int n, double *inertia, const double *d)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inertia[i * n + j] = i == j ? d[i] : 0.0;
}

static double particle_potential(const lie_system *sys, const double *q)
{
    double s = q[0] * q[0] + q[1] * q[1];
    (void)sys;
    return s * (s - 1.0) * (s - 1.0);
}

static void particle_force(const lie_system *sys, double *F, const double *q)
{
    double s = q[0] * q[0] + q[1] * q[1], k = -2.0 * (s - 1.0) * (3.0 * s - 1.0);
    (void)sys;
    F[0] = k * q[0];
    F[1] = k * q[1];
}

static void particle_force_deriv(const lie_system *sys, double *D, const double *q)
{
    double s = q[0] * q[0] + q[1] * q[1], k = -2.0 * (s - 1.0) * (3.0 * s - 1.0), c = -8.0 * (3.0 * s - 2.0);
    (void)sys;
    D[0] = k + c * q[0] * q[0];
    D[1] = D[2] = c * q[0] * q[1];
    D[3] = k + c * q[1] * q[1];
}

static void particle_external(const lie_system *sys, double *f, double t, const double *q, const double *v,
                              const double *u)
{
    double c = ((const lie_particle *)sys->params)->drag;
    (void)t;
    (void)q;
    (void)u;
    f[0] = -c * v[0];
    f[1] = -c * v[1];
}

static void particle_external_deriv(const lie_system *sys, double *D, double t, const double *q, const double *v,
                                    const double *u)
{
    double c = ((const lie_particle *)sys->params)->drag;
    (void)t;
    (void)q;
    (void)v;
    (void)u;
    D[0] = D[3] = -c;
    D[1] = D[2] = 0.0;
}

/* Without drag nothing acts from outside: methods for that take it. */
lie_status lie_particle_system(lie_system *out, lie_particle *p, const char *group)
{
    static const char *const groups[] = {"R2", 0};
    group_name name;
    int is_slowed = p->drag != 0.0;
    lie_status status = lie__group_name_read(&name, group, groups);
    if (status == LIE_OK) status = lie_rn_ops(&p->plane, 2, name.retraction);
    lie_system sys = {.name = "particle",
                      .group = &p->plane,
                      .inertia = p->inertia,
                      .params = p,
                      .potential = particle_potential,
                      .force = particle_force,
                      .force_deriv = particle_force_deriv,
                      .external = is_slowed ? particle_external : 0,
                      .external_deriv = is_slowed ? particle_external_deriv : 0};
    if (status == LIE_OK) status = lie_system_check(&sys);
    if (status == LIE_OK) *out = sys;
    return status;
}
