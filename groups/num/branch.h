/* SPDX-License-Identifier: MIT */
/* branch.h: three equations r(h, u) = 0 in three unknowns, on the branch of solutions that starts at a known u for
 * h = 0. Internal.
 *
 * What the inverse Legendre transforms of so3_legendre.c and se3_legendre.c fall back on where more than one solution
 * may exist: the branch is followed from h = 0 in steps that grow and shrink with the success of Newton's method.
 * Where it ends (a fold, the determinant of dr/du vanishes) or is lost, the answer is LIE_ERR_NO_CONVERGENCE, never
 * another branch. Reference: Deuflhard, Newton Methods for Nonlinear Problems, 2011, chapter 5. */
#ifndef LIESTEP_GROUPS_BRANCH_H
#define LIESTEP_GROUPS_BRANCH_H

#include <liestep/status.h>

#include "groups/num/vec3.h"

typedef struct lie__branch {
    /* r and D = dr/du at (h, u), D with a positive determinant at h = 0; returns the size of the terms of r */
    double (*equation)(const void *problem, double r[3], double D[9], double h, const double u[3]);
    const void *problem;
    double scale; /* of the terms of which u is the sum at h = 0 */
    double end;   /* |h u| must stay below this */
    int cap;      /* iterations of one Newton solve */
    int iterations;
    double residual; /* at the solution, relative to the size of the terms */
} lie__branch;

/* Newton's method at h from u on. LIE_ERR_NO_CONVERGENCE, or LIE_ERR_DOMAIN at the end of the branch; u is lost
 * then. */
lie_status lie__branch_newton(lie__branch *B, double u[3], double h);

/* The same, but from the solution u at h = 0. */
lie_status lie__branch_follow(lie__branch *B, double u[3], double h);

/* A^-1 of a symmetric matrix, returns det A; 0 if A is not positive definite, and nothing is done. */
double lie__spd3_inverse(double inverse[9], const double A[9]);

/* C = cofactors of A, returns det A: A^-1 = C^T/det A */
LIE_INLINE lie_real cofactors3(lie_real C[9], const lie_real A[9])
{
    cross3(C, A + 3, A + 6);
    cross3(C + 3, A + 6, A);
    cross3(C + 6, A, A + 3);
    return dot3(A, C);
}

/* The largest magnitude in a. */
LIE_INLINE lie_real largest(int n, const lie_real *a)
{
    lie_real big = real_of(0.0);
    for (int i = 0; i < n; i++) big = real_select(a[i] > big, a[i], real_select(-a[i] > big, -a[i], big));
    return big;
}

#endif
