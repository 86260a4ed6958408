/* SPDX-License-Identifier: MIT */
/* so3_dmv.c: discrete Moser-Veselov: the inertia, and what the steps of a motion have in common. See so3_dmv.h. */
#include "groups/step/so3_dmv.h"
#include "groups/num/finite.h"
#include "groups/num/vec3.h"

enum { ALPHA, BETA };

static const struct {
    int of, k, j, i1, i2, i3;
    double p, q;
} terms[] = {
#define TERM(of, k, j, i1, i2, i3, p, q) {of, k, j, i1, i2, i3, p, q},
#include "groups/step/so3_dmv.def"
#undef TERM
};
enum { TERMS = sizeof terms / sizeof terms[0] };

static double power_of(double x, int n)
{
    double y = 1.0;
    while (n-- > 0) y *= x;
    return y;
}

/* Where the coefficient of (h^2 E)^j (h^2 M)^(k-j) stands. */
static int place_of(int k, int j)
{
    return k * (k + 1) / 2 - 1 + j;
}

lie_status lie__so3_dmv_prepare(so3_dmv_body *body, const double inertia[9], int order)
{
    so3_dmv_body made = {.terms = order / 2 - 1};
    double A[9], C[9];
    if (!all_finite(9, inertia)) return LIE_ERR_INERTIA;
    frexp(largest(9, inertia), &made.power);
    for (int i = 0; i < 9; i++) A[i] = ldexp(0.5 * inertia[i] + 0.5 * inertia[3 * (i % 3) + i / 3], -made.power);
    if (lie__spd3_inverse(made.inverse, A) == 0.0) return LIE_ERR_INERTIA;
    made.e1 = (made.inverse[0] + made.inverse[4]) + made.inverse[8];
    made.e3 = cofactors3(C, made.inverse);
    made.e2 = (C[0] + C[4]) + C[8];
    for (int i = 0; i < TERMS; i++) {
        double e = power_of(made.e1, terms[i].i1) * power_of(made.e2, terms[i].i2) * power_of(made.e3, terms[i].i3);
        double *to = terms[i].of == ALPHA ? made.alpha : made.beta;
        to[place_of(terms[i].k, terms[i].j)] += terms[i].p / terms[i].q * e;
    }
    *body = made;
    return LIE_OK;
}

/* sum over k = 1 .. count and j of f_kj E^j M^(k-j) */
static double series(const double *f, int count, double E, double M)
{
    double sum = 0.0;
    for (int k = count; k > 0; k--) {
        double part = 0.0, factor = 1.0;
        for (int j = k; j >= 0; j--) {
            part += f[place_of(k, j)] * (factor * power_of(E, j));
            factor *= M;
        }
        sum += part;
    }
    return sum;
}

/* The smallest root of k^4 - a[3] k^3 + a[2] k^2 - a[1] k + a[0], by Newton's method from 0. The error that a step
 * leaves is half the second derivative over the first times the square of the step. */
static lie_status smallest_root(double *root, const double a[4], lie_solve *info)
{
    double k = 0.0;
    for (int i = 0; i < info->cap; i++) {
        double f = (((k - a[3]) * k + a[2]) * k - a[1]) * k + a[0];
        double slope = ((4.0 * k - 3.0 * a[3]) * k + 2.0 * a[2]) * k - a[1];
        double bend = (6.0 * k - 3.0 * a[3]) * k + a[2];
        if (!(slope < 0.0)) return slope >= 0.0 ? LIE_ERR_DOMAIN : LIE_ERR_NOT_FINITE;
        double step = -f / slope;
        info->iterations++;
        k += step;
        if (fabs(bend * step * step) <= -0x1p-54 * slope * k || step <= 0x1p-52 * k) {
            *root = k;
            return LIE_OK;
        }
    }
    return LIE_ERR_NO_CONVERGENCE;
}

lie_status lie__so3_dmv_start(so3_dmv_motion *M, const so3_dmv_body *body, double h, const double m[3], lie_solve *info)
{
    so3_dmv_motion made = {.pi = {0.0, 0.0, 0.0}};
    double half = ldexp(0.5 * h, -body->power);
    double P[3] = {half * m[0], half * m[1], half * m[2]}, y[3], B[9], C[9], k;
    mat3_vec(y, body->inverse, P);
    double PP = dot3(P, P), Py = dot3(P, y), E = 4.0 * Py, MM = 4.0 * PP;
    double alpha = series(body->alpha, body->terms, E, MM), beta = 1.0 + series(body->beta, body->terms, E, MM);
    if (!(PP * PP - PP * PP == 0.0 && alpha - alpha == 0.0 && beta - beta == 0.0)) return LIE_ERR_NOT_FINITE;
    for (int i = 0; i < 9; i++) B[i] = beta * body->inverse[i] + (i % 4 == 0 ? alpha : 0.0);
    /* invariants of B = I'^-1, all positive if and only if its eigenvalues are, then those of I' */
    double b1 = 3.0 * alpha + beta * body->e1, det = cofactors3(C, B), b2 = (C[0] + C[4]) + C[8];
    if (!(b1 > 0.0 && b2 > 0.0 && det > 0.0)) return LIE_ERR_DOMAIN;
    double e1 = b2 / det, e2 = b1 / det, e3 = 1.0 / det;
    const double quartic[4] = {e3 * (alpha * PP + beta * Py) + PP * PP, e3 + e1 * PP, e2 + 2.0 * PP, e1};
    lie_status status = smallest_root(&k, quartic, info);
    if (status != LIE_OK) return status;
    double S[3], T[3], along = 0.0;
    for (int i = 0; i < 3; i++) {
        double A = C[4 * i] * e3;
        S[i] = A - k;
        T[i] = (B[4 * i] * e3 + k * A) + (k * (k - e1) + PP);
        along += P[i] * (S[i] * P[i]);
    }
    made.det = e3 - k * (e2 - k * (e1 - k));
    /* D does not vanish along the motion, on which c stays finite */
    double sign = made.det + along < 0.0 ? -half : half;
    for (int i = 0; i < 3; i++) made.S[i] = sign * half * S[i], made.T[i] = sign * T[i];
    made.det *= sign / half;
    made.k = k / half;
    made.slack = 0x1p-48 * (PP * b1) / fabs(half);
    *M = made;
    return LIE_OK;
}
