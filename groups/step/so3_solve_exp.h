/* SPDX-License-Identifier: MIT */
/* so3_solve_exp.h: the inverse discrete Legendre transform of SO(3) and S3 with exp (lie_legendre of group.h), as a
 * function that a stepper can have inlined. Internal.
 *
 * I xi = a p + b h p x xi + c h^2 (xi . p) xi with the Stumpff functions a, b, c of |h xi|^2 is
 *     (I - l - b h hat(p)) xi = a p,   l = c h^2 (xi . p):
 * two unknown scalars. All solutions have xi . I xi = xi . p, hence |xi|^2 <= p . I^-1 p
 * |I^-1|; the map xi -> (dexp_{h xi})^T p turns by at most h |p|/2 per xi, so that for h |p| |I^-1| < 2 there is
 * exactly one.
 *
 * Flops: 230 per pass, of which there are one or two. References: Bou-Rabee & Marsden 2009, (4.21) and (4.23). */
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

/* Stumpff functions: their Taylor series as far as they count for x <= 1/4, the turn of most steps */
LIE_INLINE lie__stumpff axial_functions(double x)
{
    static const double tail4[6] = {1.0 / 24.0,       -1.0 / 720.0,      1.0 / 40320.0,
                                    -1.0 / 3628800.0, 1.0 / 479001600.0, -1.0 / 87178291200.0};
    static const double tail5[6] = {1.0 / 120.0,       -1.0 / 5040.0,      1.0 / 362880.0,
                                    -1.0 / 39916800.0, 1.0 / 6227020800.0, -1.0 / 1307674368000.0};
    if (!LIE_USUALLY(x <= 0.25)) return lie__stumpff_near(x);
    double c4 = lie__poly(tail4, 6, x), c5 = lie__poly(tail5, 6, x), c3 = 1.0 / 6.0 - x * c5, c2 = 0.5 - x * c4;
    return (lie__stumpff){.f = {1.0 - x * c3, c2, c3},
                          .d = {-0.5 * (c2 - c3), -0.5 * (c3 - 2.0 * c4), -0.5 * (c4 - 3.0 * c5)}};
}

/* v = a (I - l - b h hat(p))^-1 p = a u N, l = c e, u the inverse of the determinant, and its parts */
typedef struct axial_point {
    double v[3], N[3], l, b, inner, u;
} axial_point;

LIE_INLINE void axial_at(axial_point *P, const axial *E, const double c[3], double e, double h, const double *data,
                         const double p[3])
{
    double l = c[2] * e, b = c[1] * h, bb = b * b, over = data[SO3_UNDET], trace = data[SO3_TRACE];
    double inner = E->zp - l * over * E->p2;
    double det = (1.0 - l * (data[SO3_TRACE_INVERSE] - l * (trace - l * over))) + bb * inner;
    double along = over * (bb * E->p2 + l * l) - l * trace, u = 1.0 / det, a = c[0] * u;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) {
        P->N[i] = (E->y[i] + along * p[i]) + (l * E->z[i] + b * E->n[i]);
        P->v[i] = a * P->N[i];
    }
    P->l = l, P->b = b, P->inner = inner, P->u = u;
}

/* dv/dx and dv/de; c and d: the functions at x, and their derivatives */
LIE_INLINE void axial_deriv(double v_x[3], double v_e[3], const axial_point *P, const axial *E, const double c[3],
                            const double d[3], double e, double h, const double *data, const double p[3])
{
    double over = data[SO3_UNDET], trace = data[SO3_TRACE], l_over = P->l * over, bb = P->b * P->b, u = P->u;
    double along_l = 2.0 * l_over - trace, along_b = 2.0 * P->b * over * E->p2, a = c[0] * u, a_x = d[0] * u;
    double det_l = (P->l * (2.0 * trace - 3.0 * l_over) - data[SO3_TRACE_INVERSE]) - bb * over * E->p2;
    double part_l = det_l * u, part_b = 2.0 * P->b * P->inner * u, l_x = d[2] * e, b_x = d[1] * h;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) {
        double v_l = a * (E->z[i] + along_l * p[i]) - part_l * P->v[i];
        double v_b = a * (E->n[i] + along_b * p[i]) - part_b * P->v[i];
        v_x[i] = (a_x * P->N[i] + l_x * v_l) + b_x * v_b, v_e[i] = c[2] * v_l;
    }
}

LIE_INLINE lie_status axial_accept(double xi[3], const double v[3], lie_solve *info)
{
    if (info->residual < SO3_TOLERANCE) info->residual = SO3_TOLERANCE;
    copy_n(3, xi, v);
    return LIE_OK;
}

/* Newton's method for x = h^2 |v|^2, e = h^2 v . p. Where they miss by 2^-49, v is good to round-off. A change of x and
 * e by 2^-27 is made to first order in v: the rest, its square, is below round-off. */
LIE_INLINE lie_status so3_exp_solve(const lie_ops *G, double *xi, double h, double *data, const double *p,
                                    lie_solve *info)
{
    enum { PASSES = 6 };
    double v_x[3], v_e[3], hh = h * h, x = hh * dot3(xi, xi), e = hh * dot3(xi, p), last = 1.0;
    const double size = data[SO3_TRACE_INVERSE], two = hh + hh;
    axial E = axial_of(data, p);
    (void)G;
    if (!(hh * E.p2 * data[SO3_NORM2] < 4.0 && x <= LIE__PI_SQ)) return lie__so3_exp_newton(xi, h, data, p, info);
    for (int k = 0; k < PASSES && k < info->cap; k++) {
        axial_point P;
        lie__stumpff c = axial_functions(x);
        axial_at(&P, &E, c.f, e, h, data, p);
        double r = hh * dot3(P.v, P.v) - x, s = hh * dot3(P.v, p) - e;
        info->iterations++;
        if (fabs(r) + fabs(s) * size <= 0x1p-49) return axial_accept(xi, P.v, info);
        axial_deriv(v_x, v_e, &P, &E, c.f, c.d, e, h, data, p);
        double A = 1.0 - two * dot3(P.v, v_x), B = -two * dot3(P.v, v_e), C = -hh * dot3(p, v_x),
               D = 1.0 - hh * dot3(p, v_e);
        double over = 1.0 / (A * D - B * C), dx = over * (D * r - B * s), de = over * (A * s - C * r);
        double change = fabs(dx) + fabs(de) * size;
        if (change <= 0x1p-27) {
            LIE_UNROLL
            for (int i = 0; i < 3; i++) P.v[i] += dx * v_x[i] + de * v_e[i];
            return axial_accept(xi, P.v, info);
        }
        x += dx, e += de;
        if (!(change < 0.5 * last && x >= 0.0 && x <= LIE__PI_SQ)) break;
        last = change;
    }
    return lie__so3_exp_newton(xi, h, data, p, info);
}

#endif
