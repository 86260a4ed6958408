/* SPDX-License-Identifier: MIT */
/* newton.h: Newton's method for the implicit equations of a step. Internal.
 *
 * r(x) = 0, with a Jacobian from the problem or, where it has none or one that is no good, by forward differences. The
 * Jacobian is kept as long as the updates shrink tenfold, an update is halved while it does not reduce the residual,
 * and the iteration ends when the residual is at round-off and the next update is predicted there too, or when both
 * stagnate.
 *
 * The answer is certified. LIE_OK means: the residual was evaluated at the x that is returned, and
 *     |r| <= 2^-44 of its terms,    or    |h J^-1 r| <= 2^-52 with the Jacobian of this x.
 * (2^-44 is multiplied by `grain`.) The second is for bodies near rest, where large forces cancel inside a callback and leave a rounding that the terms
 * seen here do not show. The determinant of every Jacobian on the way has the sign it has for h = 0, where the wanted
 * branch of solutions starts.
 *
 * Reference: Deuflhard, Newton Methods for Nonlinear Problems, 2011, section 2.1. */
#ifndef LIESTEP_LIB_NEWTON_H
#define LIESTEP_LIB_NEWTON_H

#include <liestep/solve.h>

typedef struct newton newton;

/* r (n) at x, and the size of the terms of which r is the small difference. May fail: x is then avoided. */
typedef lie_status newton_residual(const newton *N, double *r, double *size, const double *x);
/* J (n x n) at x, where the last residual was computed */
typedef lie_status newton_jacobian(const newton *N, double *J, const double *x);

/* x for h -> 0, where the branch begins */
typedef lie_status newton_origin(const newton *N, double *x);

struct newton {
    int n;
    newton_residual *residual;
    newton_jacobian *jacobian; /* null: differences */
    newton_origin *origin;     /* null: the first guess */
    int inexact;               /* the Jacobian leaves something out: where it contracts slowly, differences */
    void *problem;
    double *h;    /* the problem's step length */
    int sign;     /* of the determinant of the Jacobian on the wanted branch: 1 or -1 */
    double grain; /* how much coarser than rounding the residual is, 1 or more, where it holds differences; 0 means 1 */
    double step;  /* a size of x that matters, for the differences: they are taken over 2^-26 of it */
    const lie_linear *linear;
    double *work; /* lie__newton_doubles(n) */
};

/* where n is a constant; and else */
#define NEWTON_DOUBLES(n) ((n) * (n) + 8 * (n))
int lie__newton_doubles(int n);

/* x: the first guess on entry, the solution on LIE_OK, something else otherwise. The last call of residual before
 * LIE_OK is returned was at x. The solution is the one of the branch that starts at h = 0: where it lies so far from
 * the guess that it might be another one (h |x - guess| above a quarter), or none is found, the branch is followed from
 * h = 0. At most info->cap iterations; info is added to: iterations summed, residual the larger. */
lie_status lie__newton_solve(const newton *N, double *x, lie_solve *info);

extern const lie_linear lie__linear_plain;

#endif
