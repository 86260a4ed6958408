/* SPDX-License-Identifier: MIT */
/* matgroup_project.c: back to a quadratic matrix group, and whether a matrix is in it.
 *
 * Newton's iteration for the polar factor in the scalar product of J,
 *   X <- (mu X + J^-1 (mu X)^-T J) / 2,    mu = (|J^-1 X^-T J|_F / |X|_F)^(1/2).
 * Its fixed points are the elements of the group and it converges to them quadratically; mu, which tends to 1, helps
 * what starts far away. For J = 1 the limit is the orthogonal polar factor, which is the nearest orthogonal matrix.
 *
 * References: Higham, Computing the polar decomposition - with applications, SIAM J. Sci. Stat. Comput. 7 (1986) 1160;
 * Higham, Mackey, Mackey & Tisseur, Functions preserving matrix groups and iterations for the matrix square root, SIAM
 * J. Matrix Anal. Appl. 26 (2005) 849. */
#include "groups/matrix/matgroup_internal.h"

#include <math.h>

enum { MAX_ITERATIONS = 60 };

/* Largest entry of g^T J g - J in units of max|J| max(1, max|g|^2); infinity if that overflows. ws: 2 n^2. */
static double defect(const lie_matgroup *M, const double *g, double *ws)
{
    size_t nn = lie__mg_nn(M);
    double *Jg = lie__mg_take(&ws, nn);
    double gmax = lie__mg_max(nn, g);
    lie__mg_mul(M->n, Jg, M->J, g);
    lie__mg_mul_tn(M->n, ws, g, Jg);
    cblas_daxpy((int)nn, -1, M->J, 1, ws, 1);
    if (!lie__mg_finite(nn, ws)) return HUGE_VAL;
    return lie__mg_max(nn, ws) / M->Jmax / fmax(1, gmax * gmax);
}

/* Whether det g > 0. ws: n^2. */
static int preserves_orientation(const lie_matgroup *M, const double *g, double *ws)
{
    lie__mg_copy(lie__mg_nn(M), ws, g);
    return lie__mg_factor(M, M->n, ws) == LIE_OK && lie__mg_det_sign(M, M->n, ws) > 0;
}

lie_status lie__mg_check_member(const lie_matgroup *M, const double *g, double *ws)
{
    if (!lie__mg_in_range(lie__mg_nn(M), g)) return LIE_ERR_NOT_FINITE;
    if (!(defect(M, g, ws) <= LIE_MATGROUP_TOL)) return LIE_ERR_NOT_IN_GROUP;
    if (M->sigma < 0 && !preserves_orientation(M, g, ws)) return LIE_ERR_NOT_IN_GROUP;
    return LIE_OK;
}

/* X <- the next iterate, *step = size of the change relative to X. ws: 3 n^2 + 4 n. */
static lie_status newton_step(const lie_matgroup *M, double *X, double *step, double *ws)
{
    size_t nn = lie__mg_nn(M);
    double *Y = lie__mg_take(&ws, nn); /* X^-1 */
    double *Z = lie__mg_take(&ws, nn); /* J^-1 X^-T J */
    lie__mg_copy(nn, Y, X);
    lie_status status = lie__mg_invert(M, M->n, Y, ws + nn);
    if (status != LIE_OK) return status;
    lie__mg_mul_tn(M->n, ws, Y, M->J);
    lie__mg_mul(M->n, Z, M->Jinv, ws);
    double size = cblas_dnrm2((int)nn, X, 1);
    double mu = sqrt(cblas_dnrm2((int)nn, Z, 1) / size);
    for (size_t i = 0; i < nn; i++) Z[i] = 0.5 * (Z[i] / mu + mu * X[i]);
    if (!lie__mg_finite(nn, Z)) return LIE_ERR_SINGULAR;
    cblas_daxpy((int)nn, -1, Z, 1, X, 1);
    *step = cblas_dnrm2((int)nn, X, 1) / size;
    lie__mg_copy(nn, X, Z);
    return LIE_OK;
}

lie_status lie_matgroup_project(const lie_matgroup *M, double *out, const double *g)
{
    double *ws = M->scratch;
    double *X = lie__mg_take(&ws, lie__mg_nn(M));
    double step = HUGE_VAL;
    if (!lie__mg_in_range(lie__mg_nn(M), g)) return LIE_ERR_NOT_FINITE;
    if (M->sigma < 0 && !preserves_orientation(M, g, ws)) return LIE_ERR_SINGULAR;
    lie__mg_copy(lie__mg_nn(M), X, g);
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        double last = step;
        lie_status status = newton_step(M, X, &step, ws);
        if (status != LIE_OK) return status;
        /* at round-off, or no longer halved when already small */
        if (step <= M->n * DBL_EPSILON || (step < 1e-6 && step > 0.5 * last))
            return defect(M, X, ws) <= LIE_MATGROUP_TOL ? lie__mg_store(lie__mg_nn(M), out, X) : LIE_ERR_NO_CONVERGENCE;
    }
    return LIE_ERR_NO_CONVERGENCE;
}
