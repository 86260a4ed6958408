/* SPDX-License-Identifier: MIT */
/* system_heavy_top.c: a body with a fixed point under gravity, heavy top or 3D pendulum, on SO3 or S3.
 *
 *     V = k r . a,   a = R^T e3,   k = m g0;        F = k a x r,     dF = k ((a . r) 1 - a r^T)
 *
 * r in m from the fixed point to the centre of mass, I in kg m^2 about the fixed point, e3 up.
 * Reference: Marsden & Ratiu, Introduction to Mechanics and Symmetry, 1999, chapter 15. */
#include "lib/systems/catalogue/attitude.h"

static double top_potential(const lie_system *sys, const double *g)
{
    return potential_in(sys, weight_well((const lie_heavy_top *)sys->params), g);
}

static void top_force(const lie_system *sys, double *F, const double *g)
{
    force_in(sys, weight_well((const lie_heavy_top *)sys->params), F, g);
}

static void top_weight(const lie_system *sys, double *weight)
{
    copy_n(3, weight, weight_well((const lie_heavy_top *)sys->params).l);
}

static void top_force_deriv(const lie_system *sys, double *D, const double *g)
{
    force_deriv_in(sys, weight_well((const lie_heavy_top *)sys->params), D, g);
}

static const lie_form top_form = {.force = top_force, .weight = top_weight};

lie_status lie_heavy_top_system(lie_system *out, const lie_heavy_top *p, const char *group)
{
    return on_attitude_group(out,
                             (lie_system){.name = "heavy_top",
                                          .inertia = p->inertia,
                                          .params = p,
                                          .form = &top_form,
                                          .potential = top_potential,
                                          .force = top_force,
                                          .force_deriv = top_force_deriv},
                             group);
}
