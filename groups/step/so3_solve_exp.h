/* SPDX-License-Identifier: MIT */
/* so3_solve_exp.h: the inverse discrete Legendre transform of SO(3) and S3 with exp (lie_legendre of group.h), as a
 * function that a stepper can have inlined. Internal.
 *
 * I xi = a p + b h p x xi + c h^2 (xi . p) xi with the Stumpff functions a, b, c of |h xi|^2 is
 *     (I - l - b h hat(p)) xi = a p,   l = c h^2 (xi . p):
 * two unknown scalars that converge by themselves. All solutions have xi . I xi = xi . p, hence |xi|^2 <= p . I^-1 p
 * |I^-1|; the map xi -> (dexp_{h xi})^T p turns by at most h |p|/2 per xi, so that for h |p| |I^-1| < 2 there is
 * exactly one.
 *
 * Flops: 230. References: Bou-Rabee & Marsden 2009, (4.21) and (4.23). */
#ifndef LIESTEP_GROUPS_SO3_SOLVE_EXP_H
#define LIESTEP_GROUPS_SO3_SOLVE_EXP_H

#include <liestep/group.h>

#include "groups/maps/so3_cay.h"
#include "groups/num/theta.h"
#include "groups/num/vec3.h"

/* exp: the two scalars x = |h xi|^2 and e = h^2 xi . p */

lie_status lie__so3_exp_newton(double xi[3], double h, const double *data, const double *p, lie_solve *info);

/* What v(x, e) is made of. */
typedef struct axial {
    double y[3], z[3], n[3], p2, zp;
} axial;

LIE_INLINE axial axial_of(const double *data, const double p[3])
{
    axial E;
    mat3_vec(E.y, data + SO3_INVERSE, p);
    mat3_vec(E.z, data + SO3_OVER_DET, p);
    cross3(E.n, E.z, p);
    E.p2 = dot3(p, p);
    E.zp = dot3(E.z, p);
    return E;
}

/* v = a (I - l - b h hat(p))^-1 p, l = c e; c: the Stumpff functions at x */
LIE_INLINE void axial_at(double v[3], const axial *E, const lie__stumpff *c, double e, double h, const double *data,
                         const double p[3])
{
    double l = c->f[2] * e, b = c->f[1] * h, bb = b * b, over = data[SO3_UNDET], trace = data[SO3_TRACE];
    double det = (1.0 - l * (data[SO3_TRACE_INVERSE] - l * (trace - l * over))) + bb * (E->zp - l * over * E->p2);
    double along = over * (bb * E->p2 + l * l) - l * trace, a = c->f[0] / det;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) v[i] = a * ((E->y[i] + along * p[i]) + (l * E->z[i] + b * E->n[i]));
}

/* Each pass multiplies the error by about |x|/3. Close to the end the functions of x are corrected by their derivative
 * instead of computed again. A change of x and e by 2^-49 no longer changes v beyond round-off. */
LIE_INLINE lie_status so3_exp_solve(const lie_ops *G, double *xi, double h, double *data, const double *p,
                                    lie_solve *info)
{
    enum { PASSES = 6 };
    double v[3], hh = h * h, x = hh * dot3(xi, xi), e = hh * dot3(xi, p), last = 1.0;
    axial E = axial_of(data, p);
    (void)G;
    if (!(hh * E.p2 * data[SO3_NORM2] < 4.0 && x <= LIE__PI_SQ)) return lie__so3_exp_newton(xi, h, data, p, info);
    lie__stumpff c = lie__stumpff_near(x);
    for (int k = 0; k < PASSES && k < info->cap; k++) {
        axial_at(v, &E, &c, e, h, data, p);
        double x_new = hh * dot3(v, v), e_new = hh * dot3(v, p), dx = x_new - x;
        double change = fabs(dx) + fabs(e_new - e) * data[SO3_TRACE_INVERSE];
        x = x_new, e = e_new;
        info->iterations++;
        if (change <= 0x1p-49) {
            if (info->residual < SO3_TOLERANCE) info->residual = SO3_TOLERANCE;
            copy_n(3, xi, v);
            return LIE_OK;
        }
        if (!(change < 0.125 * last && x <= LIE__PI_SQ)) break;
        last = change;
        if (fabs(dx) > 0x1p-27)
            c = lie__stumpff_near(x);
        else
            for (int i = 0; i < 3; i++) c.f[i] += c.d[i] * dx;
    }
    return lie__so3_exp_newton(xi, h, data, p, info);
}

#endif
