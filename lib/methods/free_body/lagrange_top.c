/* SPDX-License-Identifier: MIT */
/* lagrange_top.c: the discrete Lagrange top of Bobenko & Suris 1999; equations and integrals: lagrange_top.h.
 *
 * m . a: the Cayley map of m+ leaves m+ alone, so m+ . a+ = m+ . a = m . a. m . p: p x a has no part along p. |a|: a
 * rotation. The fourth is |M|^2/(2 J) + <p, a> - h^2 |p x a|^2/(8 J) in the momentum at the node. */
#include <liestep/lagrange_top.h>

#include "groups/num/finite.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"
#include "groups/step/so3_step.h"

static lie_status check(const lie_lagrange_top *top)
{
    if (!all_finite(1, &top->inertia) || !all_finite(3, top->p)) return LIE_ERR_NOT_FINITE;
    return top->inertia > 0.0 ? LIE_OK : LIE_ERR_INERTIA;
}

lie_status lie_lagrange_top_start(const lie_lagrange_top *top, lie_lagrange_state *s, double h, const double M[3],
                                  const double a[3])
{
    lie_lagrange_state made = {.a = {a[0], a[1], a[2]}};
    double torque[3];
    lie_status status = check(top);
    if (status != LIE_OK) return status;
    cross3(torque, top->p, a);
    for (int i = 0; i < 3; i++) made.m[i] = M[i] - 0.5 * h * torque[i];
    if (!all_finite(3, made.m) || !all_finite(3, made.a)) return LIE_ERR_NOT_FINITE;
    *s = made;
    return LIE_OK;
}

/* m += h p x a, a += (cay(h m/J) - 1) a */
LIE_INLINE void step(const lie_lagrange_top *top, lie_lagrange_state *s, double h, double half)
{
    double change[3], c[3];
    cross3(change, top->p, s->a);
    for (int i = 0; i < 3; i++) change[i] *= h;
    carry_n(3, s->m, s->low_m, change);
    for (int i = 0; i < 3; i++) c[i] = -half * s->m[i];
    double square = dot3(c, c);
    cay_change(change, square / (1.0 + square), c, s->a);
    carry_n(3, s->a, s->low_a, change);
}

lie_status lie_lagrange_top_run(const lie_lagrange_top *top, lie_lagrange_state *s, double h, long long n)
{
    lie_lagrange_state at = *s;
    lie_status status = check(top);
    if (status != LIE_OK) return status;
    if (!(h - h == 0.0) || h == 0.0) return LIE_ERR_STEP_SIZE;
    double half = 0.5 * h / top->inertia;
    for (long long k = 0; k < n; k++) step(top, &at, h, half);
    if (!all_finite(3, at.m) || !all_finite(3, at.a)) return LIE_ERR_NOT_FINITE;
    *s = at;
    return LIE_OK;
}

void lie_lagrange_top_momentum(const lie_lagrange_top *top, double M[3], const lie_lagrange_state *s, double h)
{
    double torque[3];
    cross3(torque, top->p, s->a);
    for (int i = 0; i < 3; i++) M[i] = s->m[i] + 0.5 * h * torque[i];
}

void lie_lagrange_top_integrals(const lie_lagrange_top *top, double integrals[4], const lie_lagrange_state *s, double h)
{
    double across[3], J2 = 2.0 * top->inertia;
    cross3(across, s->a, top->p);
    integrals[0] = dot3(s->m, s->a);
    integrals[1] = dot3(s->m, top->p);
    integrals[2] = dot3(s->a, s->a);
    integrals[3] = (dot3(s->m, s->m) / J2 + dot3(top->p, s->a)) - h / J2 * dot3(s->m, across);
}
