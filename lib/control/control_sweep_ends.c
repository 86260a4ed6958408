/* SPDX-License-Identifier: MIT */
/* control_sweep_ends.c: the two ends of the elimination of control_sweep.c: the multipliers lambda of the conditions
 * from F lambda = phi, and the start, z_0 = 0, or where it is free in part z_0 = E v with v eliminated like an
 * input.
 *
 * F is the Gramian of the linearised steps: singular where they cannot reach the target. The problem is strictly
 * convex on the conditions exactly where F has as many negative eigenvalues as the elimination has met
 * (control_sweep.c).
 *
 * Adding 1/2 <R y, y> of the linearised conditions y to the last value changes no solution, because y = 0, and no
 * inertia, but keeps the pivots of the elimination positive in most problems that are convex on the conditions, and
 * so well apart from 0 and Cholesky's: R is a multiple of the inverse Gramian of the first iterate. */
#include "lib/control/control_sweep.h"

#include <math.h>

#include "groups/num/cholesky.h"
#include "groups/num/indefinite.h"

#define ANCHOR 1e5

/* L of a Gramian (r x r) scaled to a unit diagonal by d; 0: singular */
static int factor_gramian(int r, double *L, double *d, const double *F, int row)
{
    double S[CONTROL_ROWS * CONTROL_ROWS];
    for (int i = 0; i < r; i++) {
        if (!(F[i * row + i] > 0.0)) return 0;
        d[i] = 1.0 / sqrt(F[i * row + i]);
    }
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) S[i * r + j] = 0.5 * (F[i * row + j] + F[j * row + i]) * d[i] * d[j];
    if (!cholesky_factor(r, L, S)) return 0;
    for (int i = 0; i < r; i++)
        if (L[i * r + i] < 0x1p-22) return 0;
    return 1;
}

/* R = ANCHOR F^-1 of conditions first .. first + r - 1 */
static int make_anchor(lie_control *c, const double *F, int first, int r)
{
    const control_problem *P = &c->problem;
    double L[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS], b[CONTROL_ROWS];
    int rows = P->ends.rows;
    if (!factor_gramian(r, L, d, F + first * rows + first, rows)) return 0;
    for (int j = 0; j < r; j++) {
        for (int i = 0; i < r; i++) b[i] = i == j ? d[i] : 0.0;
        cholesky_solve(r, L, b);
        for (int i = 0; i < r; i++) c->step.anchor[(first + i) * rows + first + j] = ANCHOR * d[i] * b[i];
    }
    return 1;
}

/* The factors of the first c conditions of F, scaled by d; the number of negative eigenvalues, or -1: singular */
static int factor_indefinite_gramian(int c, indefinite *f, double *S, int *row, int *pair, double *d, const double *F,
                                     int rows)
{
    for (int i = 0; i < c; i++) {
        double most = 0.0;
        for (int j = 0; j < c; j++) most = fmax(most, fabs(F[i * rows + j]));
        if (!(most > 0.0)) return -1;
        d[i] = 1.0 / sqrt(most);
    }
    for (int i = 0; i < c; i++)
        for (int j = 0; j < c; j++) S[i * c + j] = 0.5 * (F[i * rows + j] + F[j * rows + i]) * d[i] * d[j];
    return indefinite_factor(f, c, S, row, pair);
}

/* What is convex from the start is so from every node, with z = 0 there: 0 where the conditions have their full rank
 * and too few negative eigenvalues already. */
int lie__control_may_be_convex(const lie_control *c, const control_value *v)
{
    const control_problem *P = &c->problem;
    int row[CONTROL_ROWS], pair[CONTROL_ROWS];
    double S[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS];
    indefinite f;
    int found = factor_indefinite_gramian(P->ends.on_target, &f, S, row, pair, d, v->F, P->ends.rows);
    return found < 0 || found >= c->step.negative;
}

/* lambda = F^-1 phi where u was eliminated with negative eigenvalues: the problem is convex on the conditions where F
 * has as many. */
static lie_status solve_indefinite_target(lie_control *c, const double *F, const double *phi)
{
    const control_problem *P = &c->problem;
    int rows = P->ends.rows, row[CONTROL_ROWS], pair[CONTROL_ROWS];
    double S[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS], b[CONTROL_ROWS], y[CONTROL_ROWS];
    indefinite f;
    if (factor_indefinite_gramian(rows, &f, S, row, pair, d, F, rows) != c->step.negative) return LIE_ERR_SINGULAR;
    for (int i = 0; i < rows; i++) b[i] = d[i] * phi[i];
    indefinite_solve(&f, b, y);
    for (int i = 0; i < rows; i++) c->step.lambda_next[i] = d[i] * b[i];
    return LIE_OK;
}

/* lambda = F^-1 phi; the first time also R. The Gramian is scaled to a unit diagonal before its rank is judged. */
static lie_status solve_target(lie_control *c, const double *F, const double *phi)
{
    const control_problem *P = &c->problem;
    int rows = P->ends.rows;
    double L[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS], b[CONTROL_ROWS];
    if (c->step.negative > 0) return solve_indefinite_target(c, F, phi);
    if (!factor_gramian(rows, L, d, F, rows)) return LIE_ERR_UNREACHABLE;
    for (int i = 0; i < rows; i++) b[i] = d[i] * phi[i];
    cholesky_solve(rows, L, b);
    for (int i = 0; i < rows; i++) c->step.lambda_next[i] = d[i] * b[i];
    if (c->step.anchored) return LIE_OK;
    zero_n(rows * rows, c->step.anchor);
    if (!make_anchor(c, F, 0, P->ends.on_target) || !make_anchor(c, F, P->ends.on_target, rows - P->ends.on_target))
        return LIE_ERR_UNREACHABLE;
    c->step.anchored = 1;
    return LIE_OK;
}

/* What the free start is made of: A v + a + PhiE^T lambda = 0, and lambda from PhiE v + phi = F lambda */
typedef struct start_block {
    double E[CONTROL_STATE * CONTROL_STATE];   /* 2n x starts */
    double PhiE[CONTROL_ROWS * CONTROL_STATE]; /* rows x starts */
    double A[CONTROL_STATE * CONTROL_STATE], a[CONTROL_STATE];
} start_block;

/* H (starts x starts): second derivatives of the conditions at the start, and of g_0 = g0 line(x), not linear in x */
static lie_status add_start_curvature(const lie_control *c, const double *E, double *H)
{
    const control_problem *P = &c->problem;
    double M[CONTROL_SQUARE], e[CONTROL_DIM] = {0.0}, D[CONTROL_STATE * CONTROL_STATE] = {0.0};
    double DE[CONTROL_STATE * CONTROL_STATE] = {0.0};
    int n = P->n, count = P->ends.starts, s = 2 * n;
    if (lie__control_start_curvature(c, D) != LIE_OK) return LIE_ERR_GUESS;
    for (int i = 0; i < s * s; i++) D[i] *= c->linear.curvature;
    add_product(s, s, count, DE, D, E);
    add_transposed_product(s, count, count, H, E, count, DE);
    for (int i = 0; i < count && P->ends.start[i] < n; i++) {
        e[P->ends.start[i]] = 1.0;
        lie_status status = P->line->dtau_body_deriv(P->line, M, c->iterate.now.x, e);
        e[P->ends.start[i]] = 0.0;
        if (status != LIE_OK) return status;
        for (int j = 0; j < count && P->ends.start[j] < n; j++)
            for (int a = 0; a < n; a++) {
                double half = 0.5 * c->linear.curvature * c->linear.pi[a] * M[a * n + P->ends.start[j]];
                H[i * count + j] -= half;
                H[j * count + i] -= half;
            }
    }
    return LIE_OK;
}

/* The gradient in the free components of the start, with the conditions there; D: of its set */
static void measure_start(lie_control *c, const start_block *b, const double *D)
{
    const control_problem *P = &c->problem;
    int n = P->n, s = 2 * n;
    for (int j = 0; j < P->ends.starts; j++) {
        double sum = 0.0, unit = P->ends.start[j] < n ? P->h : 1.0;
        for (int i = 0; i < s; i++) {
            double slope = i < n ? -c->linear.pi[i] : -c->iterate.p[i - n];
            for (int r = P->ends.on_target; r < P->ends.rows; r++)
                slope += c->iterate.lambda[r] * D[(r - P->ends.on_target) * s + i];
            sum += slope * b->E[i * P->ends.starts + j];
        }
        raise(&c->step.worst.xi, unit * fabs(sum));
    }
}

/* A, a and PhiE from the value of node 0 and the conditions at the start. The first time, without an anchor, the start
 * has a weight that makes it as dear as the inputs; later a small one, and damping, which change no solution. */
static lie_status make_start(lie_control *c, const control_value *v, start_block *b)
{
    const control_problem *P = &c->problem;
    double D[CONTROL_STATE * CONTROL_STATE];
    int s = 2 * P->n, count = P->ends.starts, at_start = P->ends.rows - P->ends.on_target;
    lie_status status = lie__control_start_columns(c, b->E);
    zero_n(s * s, D);
    lie__control_start_slope(c, D);
    zero_n(P->ends.rows * count, b->PhiE);
    add_product(P->ends.rows, s, count, b->PhiE, v->Phi, b->E);
    add_product(at_start, s, count, b->PhiE + P->ends.on_target * count, D, b->E);
    double PE[CONTROL_STATE * CONTROL_STATE] = {0.0}, RE[CONTROL_ROWS * CONTROL_STATE] = {0.0}, most = 0.0;
    add_product(s, s, count, PE, v->P, b->E);
    zero_n(count * count, b->A);
    add_transposed_product(s, count, count, b->A, b->E, count, PE);
    zero_n(count, b->a);
    add_transposed_product(s, count, 1, b->a, b->E, count, v->s);
    if (status == LIE_OK && c->linear.curvature > 0.0) status = add_start_curvature(c, b->E, b->A);
    if (c->step.anchored) {
        const double *DE = b->PhiE + P->ends.on_target * count;
        for (int r = 0; r < at_start; r++) {
            const double *R = c->step.anchor + (P->ends.on_target + r) * P->ends.rows + P->ends.on_target;
            for (int j = 0; j < count; j++)
                for (int q = 0; q < at_start; q++) {
                    RE[r * count + j] += R[q] * DE[q * count + j];
                    b->a[j] += DE[r * count + j] * R[q] * c->iterate.now.y[P->ends.on_target + q];
                }
        }
        add_transposed_product(at_start, count, count, b->A, DE, count, RE);
    }
    measure_start(c, b, D);
    for (int j = 0; j < count; j++) most = fmax(most, fabs(b->A[j * count + j]));
    for (int j = 0; j < count; j++) {
        double weight = 0.0;
        for (int r = 0; r < P->ends.rows; r++)
            if (v->F[r * P->ends.rows + r] > 0.0)
                weight += pow(b->PhiE[r * count + j], 2.0) / v->F[r * P->ends.rows + r];
        if (!(weight > 0.0)) weight = 1.0;
        b->A[j * count + j] +=
            c->step.anchored ? 1e-10 * most + c->step.damping / (1.0 + c->step.damping) * weight : weight;
    }
    return status;
}

lie_status lie__control_solve_ends(lie_control *c, const control_value *v)
{
    const control_problem *P = &c->problem;
    start_block b;
    indefinite f;
    double F[CONTROL_ROWS * CONTROL_ROWS], phi[CONTROL_ROWS], x[CONTROL_STATE], y[CONTROL_STATE];
    int count = P->ends.starts, rows = P->ends.rows, row[CONTROL_STATE], pair[CONTROL_STATE];
    zero_n(2 * P->n, c->step.z);
    copy_n(rows * rows, F, v->F);
    copy_n(rows, phi, v->phi);
    if (count == 0) return solve_target(c, F, phi);
    lie_status status = make_start(c, v, &b);
    if (status != LIE_OK) return status;
    int negative = indefinite_factor(&f, count, b.A, row, pair);
    if (negative < 0) return LIE_ERR_SINGULAR;
    c->step.negative += negative;
    for (int q = 0; q <= rows; q++) {
        copy_n(count, x, q < rows ? b.PhiE + q * count : b.a);
        indefinite_solve(&f, x, y);
        for (int r = 0; r < rows; r++)
            for (int j = 0; j < count; j++)
                *(q < rows ? &F[r * rows + q] : &phi[r]) += (q < rows ? x[j] : -x[j]) * b.PhiE[r * count + j];
    }
    status = solve_target(c, F, phi);
    for (int j = 0; j < count; j++) {
        x[j] = -b.a[j];
        for (int r = 0; r < rows; r++) x[j] -= b.PhiE[r * count + j] * c->step.lambda_next[r];
    }
    indefinite_solve(&f, x, y);
    copy_n(count, c->step.dstart, x);
    add_product(2 * P->n, count, 1, c->step.z, b.E, x);
    return status;
}
