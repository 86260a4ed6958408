/* SPDX-License-Identifier: MIT */
/* so3_legendre.c: the inverse discrete Legendre transform of SO(3) and S3 where the short cuts of so3_solve_*.h end.
 *
 *   one root for sure   cay: Newton's method for sigma, kept between bounds; exp: Newton's method for xi
 *   otherwise           the branch that starts at xi = I^-1 p is followed from h = 0 (branch.h), in units in which p
 *                       and I have size one, so that nothing overflows */
#include "groups/num/finite.h"
#include "groups/num/vec3.h"
#include "groups/step/so3_step.h"

turn lie__turn_far(double x)
{
    lie__half h = lie__half_far(x);
    double cc = h.c * h.c, c2 = cc > 0.5 ? 2.0 * h.s * h.s : (1.0 - cc) * (2.0 / x);
    return (turn){1.0 - 2.0 * h.s * h.c, 0.5 - c2, h.c - 1.0, h.s};
}

/* preparation */

int lie__so3_legendre_doubles(const lie_ops *G)
{
    (void)G;
    return SO3_DOUBLES;
}

/* unit: the power of two nearest below the largest entry. Beyond 2^100 the short cuts are closed: REACH < 0. */
lie_status lie__so3_legendre_prepare(const lie_ops *G, double *data, const double *inertia)
{
    double A[9], J[9], r[SO3_DOUBLES], big = largest(9, inertia), norm2 = 0.0;
    int power;
    (void)G;
    if (!all_finite(9, inertia)) return LIE_ERR_INERTIA;
    frexp(big, &power);
    for (int i = 0; i < 9; i++) {
        int transposed = 3 * (i % 3) + i / 3;
        if (!(fabs(inertia[i] - inertia[transposed]) <= 1e-12 * big)) return LIE_ERR_INERTIA;
        A[i] = ldexp(0.5 * inertia[i] + 0.5 * inertia[transposed], -power);
    }
    double det = lie__spd3_inverse(J, A);
    if (det == 0.0) return LIE_ERR_INERTIA;
    double trace = (A[0] + A[4]) + A[8], minors = ((J[0] + J[4]) + J[8]) * det;
    for (int i = 0; i < 9; i++) {
        norm2 += J[i] * J[i];
        r[SO3_INVERSE + i] = ldexp(J[i], -power);
        r[SO3_OVER_DET + i] = ldexp(A[i] / det, -2 * power);
        r[SO3_INERTIA + i] = ldexp(A[i], power);
    }
    /* with q_j = P . I^j P: q_-1 = (det q_-2 + trace q_0 - q_1)/minors, q_2 = trace q_1 - minors q_0 + det q_-1 and
     * B = q_0 (q_2/det^2 + 2 q_-1/det) - (q_1/det)^2 */
    r[SO3_QUARTIC] = 3.0 / minors;
    r[SO3_QUARTIC + 1] = ldexp((3.0 * trace / minors - minors / det) / det, -4 * power);
    r[SO3_QUARTIC + 2] = ldexp(trace / det - 3.0 / minors, -2 * power);
    r[SO3_QUARTIC] = ldexp(r[SO3_QUARTIC], -2 * power);
    r[SO3_UNDET] = ldexp(1.0 / det, -3 * power);
    r[SO3_TRACE] = ldexp(trace / det, -2 * power);
    r[SO3_TRACE_INVERSE] = ldexp((J[0] + J[4]) + J[8], -power);
    r[SO3_NORM2] = ldexp(norm2, -2 * power);
    r[SO3_REACH] = ldexp(0.14 / (det * norm2), -power);
    if (power > 100 || power < -100) r[SO3_REACH] = -1.0, r[SO3_NORM2] = HUGE_VAL;
    copy_n(SO3_DOUBLES, data, r);
    return LIE_OK;
}

/* the branch */

typedef struct problem {
    iso3_jet_fn *T;
    double I[9], p[3];
} problem;

/* r = I xi - T(h xi)^T p */
static double equation(const void *of, double r[3], double D[9], double h, const double xi[3])
{
    const problem *q = (const problem *)of;
    const double w[3] = {h * xi[0], h * xi[1], h * xi[2]};
    double mu[3], t[3];
    iso3_jet T = iso3_jet_transpose(q->T(dot3(w, w)));
    mat3_vec(mu, q->I, xi);
    iso3_apply(t, T.f, w, q->p);
    iso3_deriv(D, &T, w, q->p);
    for (int i = 0; i < 3; i++) r[i] = mu[i] - t[i];
    for (int i = 0; i < 9; i++) D[i] = q->I[i] - h * D[i];
    double x = dot3(w, w), bound = (fabs(T.f.a) + fabs(T.f.b) * sqrt(x)) + fabs(T.f.c) * x;
    return largest(3, mu) + bound * largest(3, q->p);
}

/* xi = unit times the solution for p and I of size one, from the guess xi if `unique` */
static lie_status solve_far(iso3_jet_fn *T, double end, int unique, double xi[3], double h, const double *data,
                            const double p[3], lie_solve *info)
{
    const double *I = data + SO3_INERTIA;
    double p_size = largest(3, p), unit = p_size / largest(9, I), v[3], start[3], J[9];
    problem q = {.T = T};
    lie__branch B = {.equation = equation, .problem = &q, .end = end, .cap = info->cap};
    if (!all_finite(3, p) || !(h * unit - h * unit == 0.0)) return LIE_ERR_NOT_FINITE;
    if (unit == 0.0) {
        zero_n(3, xi);
        return LIE_OK;
    }
    for (int i = 0; i < 9; i++) q.I[i] = I[i] / largest(9, I);
    for (int i = 0; i < 3; i++) q.p[i] = p[i] / p_size, v[i] = xi[i] / unit;
    lie__spd3_inverse(J, q.I);
    mat3_vec(start, J, q.p);
    B.scale = sqrt(dot3(start, start));
    lie_status status = unique ? lie__branch_newton(&B, v, h * unit) : LIE_ERR_NO_CONVERGENCE;
    if (status == LIE_ERR_NO_CONVERGENCE) {
        copy_n(3, v, start);
        status = lie__branch_follow(&B, v, h * unit);
    }
    if (status != LIE_OK) return status;
    for (int i = 0; i < 3; i++) v[i] *= unit;
    info->iterations += B.iterations;
    if (B.residual > info->residual) info->residual = B.residual;
    return store(3, xi, v);
}

/* All solutions have |h xi|^2 <= x = h^2 p . I^-1 p |I^-1|. Up to |h xi| = 1 the part of (dexp_{h xi})^T p that is not
 * skew changes by at most h |h xi| |p|/2 per xi: where that is less than the smallest eigenvalue of I, the equation is
 * monotone and has one solution. */
lie_status lie__so3_exp_newton(double xi[3], double h, const double *data, const double *p, lie_solve *info)
{
    double y[3], L = h * h * dot3(p, p) * data[SO3_NORM2];
    mat3_vec(y, data + SO3_INVERSE, p);
    double x = h * h * dot3(p, y) * sqrt(data[SO3_NORM2]);
    return solve_far(exp_jet, 2.0 * LIE__PI, L < 4.0 || (x <= 1.0 && L * x < 4.0), xi, h, data, p, info);
}

/* the equation for sigma */

lie_status lie__so3_cay_newton(double v[3], double *sigma, double *s, const secular *E, double unit, double h,
                               const double *data, const double *p, lie_solve *info)
{
    lie_status status = LIE_OK;
    int passes;
    if (!secular_unique(E, data)) {
        status = solve_far(cay_jet, HUGE_VAL, 0, v, h, data, p, info);
        for (int i = 0; i < 3 && status == LIE_OK; i++) v[i] *= unit;
        *s = E->rest2 * dot3(v, v);
    } else {
        if (secular_newton(v, *sigma, s, E, 1, info->cap, &passes)) return LIE_ERR_NO_CONVERGENCE;
        info->iterations += passes + 1;
        if (info->residual < SO3_TOLERANCE) info->residual = SO3_TOLERANCE;
    }
    *sigma = 1.0 + *s;
    return status;
}
