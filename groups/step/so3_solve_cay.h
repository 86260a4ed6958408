/* SPDX-License-Identifier: MIT */
/* so3_solve_cay.h: the inverse discrete Legendre transform of SO(3) and S3 with cay (lie_legendre of group.h), as a
 * function that a stepper can have inlined, and the free step made of it. Internal.
 *
 * With k = h/2, c = k xi, sigma = 1 + |c|^2, P = k p the equation I xi + c x I xi + c (c . I xi) = p is
 *     (sigma I - hat(P)) c = P,      c(sigma) = (sigma^2 y + sigma n + f P)/(sigma (sigma^2 + T)),
 *     y = I^-1 P,   n = (I P) x P/det I,   f = |P|^2/det I,   T = P . I P/det I
 * since adj(S + hat(a)) = adj(S) + a a^T - hat(S a): one unknown, the root of sigma = 1 + |c(sigma)|^2. Multiplied out,
 * with s = sigma - 1,
 *     s (1+s)^2 ((1+s)^2 + T)^2 = s0 (1+s)^4 + 2 A (1+s)^3 + B (1+s)^2 + C
 *     s0 = |y|^2,   A = y . n,   B = |n|^2 + 2 f y . P,   C = f^2 |P|^2.
 * Where 4 s0 + 6 |A| + 2 B <= 1 the coefficients in s change sign once, for this h and every shorter one, so that there
 * is exactly one root (Descartes) and it is the one that starts at xi = I^-1 p. Beyond that the branch is followed from
 * h = 0 (so3_legendre.c); several roots were never met, but nothing says that there are none.
 *
 * A free step is solve and move in one: c and sigma need not be computed again from xi, and sigma is predicted from the
 * steps before.
 *
 * Flops: solve 120; free step 180 (S3), 240 (SO3). References: Bou-Rabee & Marsden 2009, (4.21), (4.23) and (4.26). */
#ifndef LIESTEP_GROUPS_SO3_SOLVE_CAY_H
#define LIESTEP_GROUPS_SO3_SOLVE_CAY_H

#include <liestep/group.h>

#include "groups/maps/so3_cay.h"
#include "groups/num/vec3.h"

/* The root s = sigma - 1 by its expansion in h, up to and with h^6 */
LIE_INLINE double secular_series(const secular *E, const double *data)
{
    double s = E->s0, T = E->T, ss = s * s, two = s + s, sum = s + T;
    double A = E->rest2 * dot3(E->y, E->n), B = secular_quartic(E, data);
    double six = ((ss * (7.0 * s + 12.0 * T) + (T * T) * (s + two)) + (E->f * E->f) * E->P2) - 12.0 * A * A;
    return (s - two * sum) + (B * (1.0 - 2.0 * (sum + two)) + (A * (2.0 - (10.0 * s + 4.0 * T)) + six));
}

/* The root from sigma, v(sigma) and s = |c(sigma)|^2 on by Newton's method, or along the branch; so3_legendre.c */
lie_status lie__so3_cay_newton(double v[3], double *sigma, double *s, const secular *E, double unit, double h,
                               const double *data, const double *p, lie_solve *info);

LIE_INLINE int secular_accept(const secular *E, double s, double sigma, const double *data, lie_solve *info)
{
    if (!LIE_USUALLY(secular_holds(E, s, sigma, data))) return 0;
    info->iterations++;
    if (info->residual < SO3_TOLERANCE) info->residual = SO3_TOLERANCE;
    return 1;
}

/* Newton's method from copies, so that what the usual case works with can stay in registers */
LIE_INLINE lie_status secular_improve(double v[3], double *sigma, double *s, const secular *E, double unit, double h,
                                      const double *data, const double *p, lie_solve *info)
{
    secular copy = *E;
    double root = *sigma, exact = *s, u[3] = {v[0], v[1], v[2]};
    lie_status status = lie__so3_cay_newton(u, &root, &exact, &copy, unit, h, data, p, info);
    if (status != LIE_OK) return status;
    copy_n(3, v, u);
    *sigma = root;
    *s = exact;
    return LIE_OK;
}

LIE_INLINE lie_status so3_cay_solve(const lie_ops *G, double *xi, double h, double *data, const double *p,
                                    lie_solve *info)
{
    secular E = secular_of(data, 1.0, 0.5 * h, p);
    double sigma = 1.0 + secular_series(&E, data), v[3], s = secular_at(v, &E, sigma);
    (void)G;
    if (!secular_accept(&E, s, sigma, data, info)) {
        lie_status status = secular_improve(v, &sigma, &s, &E, 1.0, h, data, p, info);
        if (status != LIE_OK) return status;
    }
    copy_n(3, xi, v);
    return LIE_OK;
}

/* Free steps: `memory` has s - s0 of the last four steps, latest first: small, and it changes slowly, so it is
 * extrapolated. On failure nothing is touched. */

LIE_INLINE lie_status so3_cay_half(half_turn *t, double h, const double *data, double *memory, const double *m,
                                   lie_solve *info)
{
    secular E = secular_of(data, 0.5 * h, 1.0, m);
    double sigma, s;
    half_turn_guess(t, &sigma, &s, &E, memory);
    if (!secular_accept(&E, s, sigma, data, info)) {
        lie_status status = secular_improve(t->c, &sigma, &s, &E, 0.5 * h, h, data, m, info);
        if (status != LIE_OK) return status;
        half_turn_exact(t, s, 1);
    }
    memory[3] = memory[2], memory[2] = memory[1], memory[1] = memory[0], memory[0] = s - E.s0;
    return LIE_OK;
}

LIE_INLINE lie_status s3_cay_free_step(const lie_ops *G, double *q, double *low_q, double *m, double *low_m, double h,
                                       double *data, double *memory, lie_solve *info)
{
    half_turn t;
    (void)G;
    lie_status status = so3_cay_half(&t, h, data, memory, m, info);
    if (status == LIE_OK) s3_turn_by(&t, q, low_q, m, low_m);
    return status;
}

LIE_INLINE lie_status so3_cay_free_step(const lie_ops *G, double *R, double *low_R, double *m, double *low_m, double h,
                                        double *data, double *memory, lie_solve *info)
{
    half_turn t;
    (void)G;
    lie_status status = so3_cay_half(&t, h, data, memory, m, info);
    if (status == LIE_OK) so3_turn_by(&t, R, low_R, m, low_m);
    return status;
}

#endif
