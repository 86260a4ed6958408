/* SPDX-License-Identifier: MIT */
/* system_turntable.c: a heavy top on a turntable that turns about e3, on SO3 or S3. Not reversible.
 *
 * Attitude relative to the table; the rate in space is w + W a, a = R^T e3, W the rate of the table in rad/s:
 *     A = W I a,     V = k r . a - W^2/2 a . I a
 *
 * Reference: Bou-Rabee & Marsden 2009, section 5. */
#include "lib/systems/catalogue/attitude.h"

LIE_INLINE well turntable_well(const lie_turntable *p)
{
    well q = weight_well(&p->top);
    q.s = -p->rate * p->rate;
    return q;
}

static double turntable_potential(const lie_system *sys, const double *g)
{
    return potential_in(sys, turntable_well((const lie_turntable *)sys->params), g);
}

static void turntable_force(const lie_system *sys, double *F, const double *g)
{
    force_in(sys, turntable_well((const lie_turntable *)sys->params), F, g);
}

static void turntable_force_deriv(const lie_system *sys, double *D, const double *g)
{
    force_deriv_in(sys, turntable_well((const lie_turntable *)sys->params), D, g);
}

static void turntable_gyro(const lie_system *sys, double *A, const double *g)
{
    spin(sys, ((const lie_turntable *)sys->params)->rate, A, g);
}

static void turntable_gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    spin_deriv(sys, ((const lie_turntable *)sys->params)->rate, D, g);
}

static void turntable_frame(const lie_system *sys, double *eta, double *a)
{
    eta[0] = eta[1] = 0.0, eta[2] = ((const lie_turntable *)sys->params)->rate;
    zero_n(3, a);
}

static void turntable_weight(const lie_system *sys, double *weight)
{
    copy_n(3, weight, weight_well(&((const lie_turntable *)sys->params)->top).l);
}

static void turntable_terms(const lie_system *sys, lie_form_frame_terms *out)
{
    *out = (lie_form_frame_terms){.rate = ((const lie_turntable *)sys->params)->rate};
}

static const lie_form turntable_form = {
    .force = turntable_force, .gyro = turntable_gyro, .weight = turntable_weight, .frame = turntable_terms};

lie_status lie_turntable_system(lie_system *out, const lie_turntable *p, const char *group)
{
    return on_attitude_group(out,
                             (lie_system){.name = "turntable",
                                          .inertia = p->top.inertia,
                                          .params = p,
                                          .form = &turntable_form,
                                          .potential = turntable_potential,
                                          .force = turntable_force,
                                          .force_deriv = turntable_force_deriv,
                                          .gyro = turntable_gyro,
                                          .gyro_deriv = turntable_gyro_deriv,
                                          .frame = turntable_frame},
                             group);
}
