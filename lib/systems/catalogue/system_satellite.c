/* SPDX-License-Identifier: MIT */
/* system_satellite.c: a satellite on a circular orbit with gravity gradient and wheels (gyrostat), on SO3 or S3.
 *
 * Attitude relative to the orbit frame; the rate in space is w + n b, n the orbit rate in rad/s, b = R^T e3 the orbit
 * normal, c = R^T e1 the local vertical, h the momentum of the wheels in N m s:
 *     A = n I b + h,     V = 3/2 n^2 c . I c - n^2/2 b . I b - n h . b
 *
 * Reference: Hughes, Spacecraft Attitude Dynamics, 1986, chapters 9 and 11. */
#include "lib/systems/catalogue/attitude.h"

LIE_INLINE well satellite_well(const lie_satellite *p)
{
    double n = p->orbit_rate;
    return (well){-n * n, {-n * p->wheels[0], -n * p->wheels[1], -n * p->wheels[2]}, 3.0 * n * n};
}

static double satellite_potential(const lie_system *sys, const double *g)
{
    return potential_in(sys, satellite_well((const lie_satellite *)sys->params), g);
}

static void satellite_force(const lie_system *sys, double *F, const double *g)
{
    force_in(sys, satellite_well((const lie_satellite *)sys->params), F, g);
}

static void satellite_force_deriv(const lie_system *sys, double *D, const double *g)
{
    force_deriv_in(sys, satellite_well((const lie_satellite *)sys->params), D, g);
}

static void satellite_gyro(const lie_system *sys, double *A, const double *g)
{
    const lie_satellite *p = (const lie_satellite *)sys->params;
    spin(sys, p->orbit_rate, A, g);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) A[i] += p->wheels[i];
}

static void satellite_gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    spin_deriv(sys, ((const lie_satellite *)sys->params)->orbit_rate, D, g);
}

static void satellite_frame(const lie_system *sys, double *eta, double *a)
{
    const lie_satellite *p = (const lie_satellite *)sys->params;
    eta[0] = eta[1] = 0.0, eta[2] = p->orbit_rate;
    copy_n(3, a, p->wheels);
}

static void satellite_terms(const lie_system *sys, lie_form_frame_terms *out)
{
    const lie_satellite *p = (const lie_satellite *)sys->params;
    *out = (lie_form_frame_terms){p->orbit_rate, {p->wheels[0], p->wheels[1], p->wheels[2]}, 3.0};
}

static const lie_form satellite_form = {.force = satellite_force, .gyro = satellite_gyro, .frame = satellite_terms};

lie_status lie_satellite_system(lie_system *out, const lie_satellite *p, const char *group)
{
    return on_attitude_group(out,
                             (lie_system){.name = "satellite",
                                          .inertia = p->inertia,
                                          .params = p,
                                          .form = &satellite_form,
                                          .potential = satellite_potential,
                                          .force = satellite_force,
                                          .force_deriv = satellite_force_deriv,
                                          .gyro = satellite_gyro,
                                          .gyro_deriv = satellite_gyro_deriv,
                                          .frame = satellite_frame},
                             group);
}
