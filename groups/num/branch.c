/* SPDX-License-Identifier: MIT */
/* branch.c: Newton's method for three equations, and how to follow a branch of solutions; see branch.h. */
#include "groups/num/branch.h"
#include "groups/num/vec3.h"

#include <math.h>

#define ROUND_OFF 0x1p-49

/* pivots as in Cholesky's elimination */
double lie__spd3_inverse(double inverse[9], const double A[9])
{
    double C[9], det = cofactors3(C, A), q = A[5] - A[1] * A[2] / A[0];
    double p1 = A[4] - A[1] * A[1] / A[0], p2 = (A[8] - A[2] * A[2] / A[0]) - q * q / p1;
    if (!(A[0] > 0.0 && p1 > 0x1p-50 * A[4] && p2 > 0x1p-50 * A[8] && det > 0.0)) return 0.0;
    for (int i = 0; i < 9; i++) inverse[i] = C[i] / det;
    return det;
}

/* |u|; where u is nearly 0, a size that matters: that of the terms of which it is the difference, but not more than a
 * turn of a sixteenth */
static double size_of(const lie__branch *B, const double u[3], double h)
{
    double size = sqrt(dot3(u, u)), least = B->scale * fabs(h) < 0.0625 ? B->scale : 0.0625 / fabs(h);
    return size > least ? size : least;
}

/* Until a change is at most `last_change` times the size of u. 0 if the first one is more than `trust` times that size,
 * if the determinant is not positive, or if the changes do not halve until they, or the residual, are at round-off: of
 * a needle the changes never are. */
static int newton(lie__branch *B, double u[3], double h, double trust, double last_change)
{
    double r[3], D[9], C[9], change[3], last = 0.0;
    for (int k = 0; k < B->cap; k++) {
        double terms = B->equation(B->problem, r, D, h, u), det = cofactors3(C, D), size = size_of(B, u, h);
        B->iterations++;
        if (!(det > 0.0)) return 0;
        mat3_tvec(change, C, r);
        for (int i = 0; i < 3; i++) {
            change[i] /= det;
            u[i] -= change[i];
        }
        double step = sqrt(dot3(change, change));
        if (k == 0 && !(step <= trust * size)) return 0;
        if (step <= last_change * size) return 1;
        if (k > 0 && !(step <= 0.5 * last)) return last <= 0x1p-36 * size || largest(3, r) <= ROUND_OFF * terms;
        last = step;
    }
    return 0;
}

/* Is u a solution to round-off, and inside? */
static lie_status judge(lie__branch *B, const double u[3], double h)
{
    double r[3], D[9], size = B->equation(B->problem, r, D, h, u);
    if (!(fabs(h) * sqrt(dot3(u, u)) < B->end)) return LIE_ERR_DOMAIN;
    B->residual = size > 0.0 ? largest(3, r) / size : 0.0;
    return B->residual <= 0x1p-44 ? LIE_OK : LIE_ERR_NO_CONVERGENCE;
}

lie_status lie__branch_newton(lie__branch *B, double u[3], double h)
{
    return newton(B, u, h, 1.0, ROUND_OFF) ? judge(B, u, h) : LIE_ERR_NO_CONVERGENCE;
}

/* out = u + ahead (u - old) */
static void extrapolate(double out[3], const double u[3], const double old[3], double ahead)
{
    for (int i = 0; i < 3; i++) out[i] = u[i] + ahead * (u[i] - old[i]);
}

lie_status lie__branch_follow(lie__branch *B, double u[3], double h)
{
    enum { STEPS = 400 };
    double old[3] = {u[0], u[1], u[2]}, guess[3], at = 0.0, before = 0.0, goal = fabs(h), growth = 0.5;
    double next = 0.25 / B->scale; /* for a needle the first step may have to be very short */
    for (int k = 0; k < STEPS && growth > 0x1p-12 && next * B->scale > 0x1p-80; k++) {
        next = next < goal ? next : goal;
        extrapolate(guess, u, old, at > before ? (next - at) / (at - before) : 0.0);
        if (newton(B, guess, copysign(next, h), at > 0.0 ? 0.125 : 0.5, next < goal ? 0x1p-16 : ROUND_OFF)) {
            copy_n(3, old, u);
            copy_n(3, u, guess);
            before = at, at = next;
            if (!(at * sqrt(dot3(u, u)) < B->end)) return LIE_ERR_DOMAIN;
            if (at == goal) return judge(B, u, h);
            growth = growth < 0.5 ? 2.0 * growth : 1.0;
        } else if (at > 0.0) {
            growth *= 0.25;
        }
        next = at > 0.0 ? at * (1.0 + growth) : 0.25 * next;
    }
    return LIE_ERR_NO_CONVERGENCE;
}
