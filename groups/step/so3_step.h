/* SPDX-License-Identifier: MIT */
/* so3_step.h: what a time step needs of SO(3) and S3 with cay and exp: the inverse discrete Legendre transform and the
 * move (lie_legendre and lie_ops.move of group.h), as functions that a stepper can have inlined. Internal.
 *
 * cay. With k = h/2, c = k xi, sigma = 1 + |c|^2, P = k p the equation I xi + c x I xi + c (c . I xi) = p is
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
 * exp. I xi = a p + b h p x xi + c h^2 (xi . p) xi with the Stumpff functions a, b, c of |h xi|^2 is
 *     (I - l - b h hat(p)) xi = a p,   l = c h^2 (xi . p):
 * two unknown scalars that converge by themselves. All solutions have xi . I xi = xi . p, hence |xi|^2 <= p . I^-1 p
 * |I^-1|; the map xi -> (dexp_{h xi})^T p turns by at most h |p|/2 per xi, so that for h |p| |I^-1| < 2 there is
 * exactly one.
 *
 * The moves add g (tau(x) - 1) to g and tau(x)^T m - m to m, both computed without cancellation, and carry the rounding
 * of the sums. A free step is solve and move in one, for cay: c and sigma need not be computed again from xi, and sigma is
 * predicted from the steps before.
 *
 * Flops: solve 120 (cay), 230 (exp); move 80 to 150; free step 180 (S3), 240 (SO3).
 * References: Bou-Rabee & Marsden 2009, (4.21), (4.23) and (4.26). */
#ifndef LIESTEP_GROUPS_SO3_STEP_H
#define LIESTEP_GROUPS_SO3_STEP_H

#include <liestep/group.h>
#include <liestep/s3.h>
#include <liestep/so3.h>

#include "groups/maps/quat_maps.h"
#include "groups/maps/so3_cay.h"
#include "groups/maps/so3_maps.h"
#include "groups/num/branch.h"

/* exp: c_2 hat(x)^2 v - c_1 x x v with c_1 = 1 - beta, c_2 = 1/2 - gamma */
LIE_INLINE void exp_change(double out[3], double beta, double gamma, const double x[3], const double v[3])
{
    double w[3], u[3];
    cross3(w, x, v);
    cross3(u, x, w);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = (0.5 * u[i] - w[i]) + (beta * w[i] - gamma * u[i]);
}

/* Add the changes dg and dm if `witness`, a sum into which every input goes, is finite. */
LIE_INLINE lie_status carry_both(double witness, int size, double *g, double *low_g, const double *dg, int dim,
                                 double *m, double *low_m, const double *dm)
{
    if (!(witness - witness == 0.0)) return LIE_ERR_NOT_FINITE;
    carry_n(dim, m, low_m, dm);
    carry_n(size, g, low_g, dg);
    return LIE_OK;
}

LIE_INLINE lie_status s3_carry(double *q, double *low_q, const double dq[4], double *m, double *low_m,
                               const double dm[3])
{
    double witness = ((dm[0] + dm[1]) + dm[2]) + ((dq[0] + dq[1]) + (dq[2] + dq[3]));
    return carry_both(witness, 4, q, low_q, dq, 3, m, low_m, dm);
}

/* a row of R goes into each entry of that row of dR */
LIE_INLINE lie_status so3_carry(double *R, double *low_R, const double dR[9], double *m, double *low_m,
                                const double dm[3])
{
    double witness = ((dm[0] + dm[1]) + dm[2]) + ((dR[0] + dR[4]) + dR[8]);
    return carry_both(witness, 9, R, low_R, dR, 3, m, low_m, dm);
}

/* cay(x) - 1 on S3, c = x/2, s = |c|^2, sigma = 1 + s: scalar part 1/sqrt(sigma) - 1, vector part c/sqrt(sigma) */
LIE_INLINE void s3_cay_change(double out[4], double s, double sigma, const double c[3], const double q[4])
{
    double a = -s / (sigma + sqrt(sigma));
    quat_change(out, a, 1.0 + a, c, q);
}

LIE_INLINE lie_status s3_cay_move(const lie_ops *G, double *q, double *low_q, double *m, double *low_m, const double *x)
{
    double c[3] = {0.5 * x[0], 0.5 * x[1], 0.5 * x[2]}, s = dot3(c, c), sigma = 1.0 + s, dq[4], dm[3];
    (void)G;
    cay_change(dm, s / sigma, c, m);
    s3_cay_change(dq, s, sigma, c, q);
    return s3_carry(q, low_q, dq, m, low_m, dm);
}

LIE_INLINE lie_status so3_cay_move(const lie_ops *G, double *R, double *low_R, double *m, double *low_m,
                                   const double *x)
{
    double c[3] = {0.5 * x[0], 0.5 * x[1], 0.5 * x[2]}, s = dot3(c, c), beta = s / (1.0 + s), dR[9], dm[3];
    (void)G;
    cay_change(dm, beta, c, m);
    rotation_change(dR, 2.0 / (1.0 + s), 2.0 / (1.0 + s), c, R);
    return so3_carry(R, low_R, dR, m, low_m, dm);
}

/* Functions of the angle t = sqrt(x) for exp: 1 - c_1 and 1/2 - c_2 (Stumpff), cos(t/2) - 1 and sin(t/2)/t */
typedef struct turn {
    double beta, gamma, half_cos, half_sin;
} turn;

LIE_INLINE turn turn_near(double x)
{
    double c6 = lie__poly(lie__stumpff6, 9, x), c7 = lie__poly(lie__stumpff7, 9, x);
    double c5 = 1.0 / 120.0 - x * c7, c4 = 1.0 / 24.0 - x * c6, c3 = 1.0 / 6.0 - x * c5;
    return (turn){x * c3, x * c4, x * (x * lie__poly(lie__cos_tail, 8, x) - 0.125),
                  0.5 + x * lie__poly(lie__sinc_tail, 8, x)};
}

/* x <= 1/4, the turn of most steps: their Taylor series, as far as they count there (2^-59); two thirds of the work,
 * and of the time that what follows has to wait */
LIE_INLINE turn turn_small(double x)
{
    static const double c3[6] = {-1.0 / 120.0,     1.0 / 5040.0,        -1.0 / 362880.0,
                                 1.0 / 39916800.0, -1.0 / 6227020800.0, 1.0 / 1307674368000.0};
    static const double c4[6] = {-1.0 / 720.0,      1.0 / 40320.0,        -1.0 / 3628800.0,
                                 1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
    static const double half_c[5] = {1.0 / 384.0, -1.0 / 46080.0, 1.0 / 10321920.0, -1.0 / 3715891200.0,
                                     1.0 / 1961990553600.0};
    static const double half_s[6] = {-1.0 / 48.0,       1.0 / 3840.0,         -1.0 / 645120.0,
                                     1.0 / 185794560.0, -1.0 / 81749606400.0, 1.0 / 51011754393600.0};
    return (turn){x * (1.0 / 6.0 + x * lie__poly(c3, 6, x)), x * (1.0 / 24.0 + x * lie__poly(c4, 6, x)),
                  x * (x * lie__poly(half_c, 5, x) - 0.125), 0.5 + x * lie__poly(half_s, 6, x)};
}

turn lie__turn_far(double x); /* x > pi^2 or not finite; so3_legendre.c */

LIE_INLINE turn turn_of(double x)
{
    if (LIE_USUALLY(x <= 0.25)) return turn_small(x);
    return x <= LIE__PI_SQ ? turn_near(x) : lie__turn_far(x);
}

LIE_INLINE lie_status s3_exp_move(const lie_ops *G, double *q, double *low_q, double *m, double *low_m, const double *x)
{
    turn t = turn_of(dot3(x, x));
    double dq[4], dm[3];
    (void)G;
    exp_change(dm, t.beta, t.gamma, x, m);
    quat_change(dq, t.half_cos, t.half_sin, x, q);
    return s3_carry(q, low_q, dq, m, low_m, dm);
}

LIE_INLINE lie_status so3_exp_move(const lie_ops *G, double *R, double *low_R, double *m, double *low_m,
                                   const double *x)
{
    turn t = turn_of(dot3(x, x));
    double dR[9], dm[3];
    (void)G;
    exp_change(dm, t.beta, t.gamma, x, m);
    rotation_change(dR, 1.0 - t.beta, 0.5 - t.gamma, x, R);
    return so3_carry(R, low_R, dR, m, low_m, dm);
}

/* The element alone, as the moves move it: to the bit, and with the same status for the same x */
LIE_INLINE lie_status carry_element(double witness, int size, double *g, double *low_g, const double *dg)
{
    if (!(witness - witness == 0.0)) return LIE_ERR_NOT_FINITE;
    carry_n(size, g, low_g, dg);
    return LIE_OK;
}

LIE_INLINE lie_status s3_exp_turn(double *q, double *low_q, const double *x)
{
    turn t = turn_of(dot3(x, x));
    double dq[4];
    quat_change(dq, t.half_cos, t.half_sin, x, q);
    return carry_element((dq[0] + dq[1]) + (dq[2] + dq[3]), 4, q, low_q, dq);
}

LIE_INLINE lie_status so3_exp_turn(double *R, double *low_R, const double *x)
{
    turn t = turn_of(dot3(x, x));
    double dR[9];
    rotation_change(dR, 1.0 - t.beta, 0.5 - t.gamma, x, R);
    return carry_element((dR[0] + dR[4]) + dR[8], 9, R, low_R, dR);
}

LIE_INLINE lie_status s3_cay_turn(double *q, double *low_q, const double *x)
{
    double c[3] = {0.5 * x[0], 0.5 * x[1], 0.5 * x[2]}, s = dot3(c, c), dq[4];
    s3_cay_change(dq, s, 1.0 + s, c, q);
    return carry_element((dq[0] + dq[1]) + (dq[2] + dq[3]), 4, q, low_q, dq);
}

LIE_INLINE lie_status so3_cay_turn(double *R, double *low_R, const double *x)
{
    double c[3] = {0.5 * x[0], 0.5 * x[1], 0.5 * x[2]}, s = dot3(c, c), dR[9];
    rotation_change(dR, 2.0 / (1.0 + s), 2.0 / (1.0 + s), c, R);
    return carry_element((dR[0] + dR[4]) + dR[8], 9, R, low_R, dR);
}

/* Operations of lie_ops for a stepper that has them inlined: those of so3.c and s3.c to the bit. */
LIE_INLINE void so3_adt(const lie_ops *G, double *out, const double *w, const double *m)
{
    double r[3];
    (void)G;
    cross3(r, m, w);
    copy_n(3, out, r);
}

/* What is not finite is found out by whoever takes the result. */
LIE_INLINE lie_status so3_exp_dtauinv(const lie_ops *G, double *out, const double *w, const double *v)
{
    double r[3], x = dot3(w, w);
    (void)G;
    lie_status status = check_domain(&below_2pi, x);
    if (status != LIE_OK) return status;
    iso3_apply(r, exp_dinv(x), w, v);
    copy_n(3, out, r);
    return LIE_OK;
}

LIE_INLINE lie_status so3_cay_dtauinv(const lie_ops *G, double *out, const double *w, const double *v)
{
    (void)G;
    total_map(out, cay_dinv, w, v);
    return LIE_OK;
}

LIE_INLINE lie_status s3_exp_tau(const lie_ops *G, double *q, const double *w)
{
    lie__half h = lie__half_angle(dot3(w, w));
    const double r[4] = {h.c, h.s * w[0], h.s * w[1], h.s * w[2]};
    (void)G;
    return store(4, q, r);
}

LIE_INLINE lie_status s3_cay_tau(const lie_ops *G, double *q, const double *w)
{
    double r[4];
    (void)G;
    lie_s3_cay(r, w);
    return store(4, q, r);
}

LIE_INLINE lie_status so3_exp_tau(const lie_ops *G, double *R, const double *w)
{
    double r[9];
    (void)G;
    lie_so3_exp(r, w);
    return store(9, R, r);
}

LIE_INLINE lie_status so3_cay_tau(const lie_ops *G, double *R, const double *w)
{
    double r[9];
    (void)G;
    lie_so3_cay(r, w);
    return store(9, R, r);
}

LIE_INLINE void s3_mul(const lie_ops *G, double *out, const double *a, const double *b)
{
    double r[4];
    (void)G;
    quat_mul(r, a, b);
    copy_n(4, out, r);
}

LIE_INLINE void so3_mul(const lie_ops *G, double *out, const double *A, const double *B)
{
    double r[9];
    (void)G;
    mat3_mul(r, A, B);
    copy_n(9, out, r);
}

/* Settling: g + low_g back to the group, by a first-order correction that is itself carried. A projection rounds every
 * entry of g instead, always the same way for the same entry, which turns g by 10^-18 or so each time: 10^-12 after
 * 10^8 steps. The corrections here only stretch: they do not turn g. */

/* q <- q + q (1 - |q|^2)/2 */
LIE_INLINE void s3_settle(const lie_ops *G, double *q, double *low_q)
{
    double low = (q[0] * low_q[0] + q[1] * low_q[1]) + (q[2] * low_q[2] + q[3] * low_q[3]);
    double e = 0.5 * ((((1.0 - q[0] * q[0]) - q[1] * q[1]) - q[2] * q[2]) - q[3] * q[3]) - low;
    const double dq[4] = {e * q[0], e * q[1], e * q[2], e * q[3]};
    (void)G;
    carry_n(4, q, low_q, dq);
}

/* R <- R + R (1 - R^T R)/2 */
LIE_INLINE void so3_settle(const lie_ops *G, double *R, double *low_R)
{
    double S[9], dR[9];
    (void)G;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double gap = i == j ? 1.0 : 0.0, low = 0.0;
            for (int k = 0; k < 9; k += 3) {
                gap -= R[k + i] * R[k + j];
                low += R[k + i] * low_R[k + j] + low_R[k + i] * R[k + j];
            }
            S[3 * i + j] = 0.5 * (gap - low);
        }
    mat3_mul(dR, R, S);
    carry_n(9, R, low_R, dR);
}

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

int lie__so3_legendre_doubles(const lie_ops *G);
lie_status lie__so3_legendre_prepare(const lie_ops *G, double *data, const double *inertia);

#define SO3_LEGENDRE .doubles = lie__so3_legendre_doubles, .prepare = lie__so3_legendre_prepare
static const lie_legendre so3_cay_legendre = {SO3_LEGENDRE, .solve = so3_cay_solve, .free_step = so3_cay_free_step};
static const lie_legendre s3_cay_legendre = {SO3_LEGENDRE, .solve = so3_cay_solve, .free_step = s3_cay_free_step};
static const lie_legendre so3_exp_legendre = {SO3_LEGENDRE, .solve = so3_exp_solve, .wants_guess = 1};
static const lie_legendre s3_exp_legendre = {SO3_LEGENDRE, .solve = so3_exp_solve, .wants_guess = 1};

#endif
