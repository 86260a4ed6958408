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
static int make_anchor(lie_control_work *w, const double *F, int first, int r)
{
    double L[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS], b[CONTROL_ROWS];
    int c = w->rows;
    if (!factor_gramian(r, L, d, F + first * c + first, c)) return 0;
    for (int j = 0; j < r; j++) {
        for (int i = 0; i < r; i++) b[i] = i == j ? d[i] : 0.0;
        cholesky_solve(r, L, b);
        for (int i = 0; i < r; i++) w->anchor[(first + i) * c + first + j] = ANCHOR * d[i] * b[i];
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
int lie__control_may_be_convex(const lie_control_work *w, const control_value *v)
{
    int row[CONTROL_ROWS], pair[CONTROL_ROWS];
    double S[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS];
    indefinite f;
    int found = factor_indefinite_gramian(w->on_target, &f, S, row, pair, d, v->F, w->rows);
    return found < 0 || found >= w->negative;
}

/* lambda = F^-1 phi where u was eliminated with negative eigenvalues: the problem is convex on the conditions where F
 * has as many. */
static lie_status solve_indefinite_target(lie_control_work *w, const double *F, const double *phi)
{
    int c = w->rows, row[CONTROL_ROWS], pair[CONTROL_ROWS];
    double S[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS], b[CONTROL_ROWS], y[CONTROL_ROWS];
    indefinite f;
    if (factor_indefinite_gramian(c, &f, S, row, pair, d, F, c) != w->negative) return LIE_ERR_SINGULAR;
    for (int i = 0; i < c; i++) b[i] = d[i] * phi[i];
    indefinite_solve(&f, b, y);
    for (int i = 0; i < c; i++) w->lambda_next[i] = d[i] * b[i];
    return LIE_OK;
}

/* lambda = F^-1 phi; the first time also R. The Gramian is scaled to a unit diagonal before its rank is judged. */
static lie_status solve_target(lie_control_work *w, const double *F, const double *phi)
{
    int c = w->rows;
    double L[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS], b[CONTROL_ROWS];
    if (w->negative > 0) return solve_indefinite_target(w, F, phi);
    if (!factor_gramian(c, L, d, F, c)) return LIE_ERR_UNREACHABLE;
    for (int i = 0; i < c; i++) b[i] = d[i] * phi[i];
    cholesky_solve(c, L, b);
    for (int i = 0; i < c; i++) w->lambda_next[i] = d[i] * b[i];
    if (w->anchored) return LIE_OK;
    zero_n(c * c, w->anchor);
    if (!make_anchor(w, F, 0, w->on_target) || !make_anchor(w, F, w->on_target, c - w->on_target))
        return LIE_ERR_UNREACHABLE;
    w->anchored = 1;
    return LIE_OK;
}

/* What the free start is made of: A v + a + PhiE^T lambda = 0, and lambda from PhiE v + phi = F lambda */
typedef struct start_block {
    double E[CONTROL_STATE * CONTROL_STATE];   /* 2n x starts */
    double PhiE[CONTROL_ROWS * CONTROL_STATE]; /* rows x starts */
    double A[CONTROL_STATE * CONTROL_STATE], a[CONTROL_STATE];
} start_block;

/* H (starts x starts): second derivatives of the conditions at the start, and of g_0 = g0 line(x), not linear in x */
static lie_status add_start_curvature(const lie_control_work *w, const double *E, double *H)
{
    double M[CONTROL_SQUARE], e[CONTROL_DIM] = {0.0}, D[CONTROL_STATE * CONTROL_STATE] = {0.0};
    double DE[CONTROL_STATE * CONTROL_STATE] = {0.0};
    int n = w->n, c = w->starts, s = 2 * n;
    if (lie__control_start_curvature(w, D) != LIE_OK) return LIE_ERR_GUESS;
    for (int i = 0; i < s * s; i++) D[i] *= w->curvature;
    add_product(s, s, c, DE, D, E);
    add_transposed_product(s, c, c, H, E, c, DE);
    for (int i = 0; i < c && w->start[i] < n; i++) {
        e[w->start[i]] = 1.0;
        lie_status status = w->line->dtau_body_deriv(w->line, M, w->now.x, e);
        e[w->start[i]] = 0.0;
        if (status != LIE_OK) return status;
        for (int j = 0; j < c && w->start[j] < n; j++)
            for (int a = 0; a < n; a++) {
                double half = 0.5 * w->curvature * w->pi[a] * M[a * n + w->start[j]];
                H[i * c + j] -= half;
                H[j * c + i] -= half;
            }
    }
    return LIE_OK;
}

/* The gradient in the free components of the start, with the conditions there; D: of its set */
static void measure_start(lie_control_work *w, const start_block *b, const double *D)
{
    int n = w->n, s = 2 * n;
    for (int j = 0; j < w->starts; j++) {
        double sum = 0.0, unit = w->start[j] < n ? w->h : 1.0;
        for (int i = 0; i < s; i++) {
            double slope = i < n ? -w->pi[i] : -w->p[i - n];
            for (int r = w->on_target; r < w->rows; r++) slope += w->lambda[r] * D[(r - w->on_target) * s + i];
            sum += slope * b->E[i * w->starts + j];
        }
        raise(&w->worst.xi, unit * fabs(sum));
    }
}

/* A, a and PhiE from the value of node 0 and the conditions at the start. The first time, without an anchor, the start
 * has a weight that makes it as dear as the inputs; later a small one, and damping, which change no solution. */
static lie_status make_start(lie_control_work *w, const control_value *v, start_block *b)
{
    double D[CONTROL_STATE * CONTROL_STATE];
    int s = 2 * w->n, c = w->starts, at_start = w->rows - w->on_target;
    lie_status status = lie__control_start_columns(w, b->E);
    zero_n(s * s, D);
    lie__control_start_slope(w, D);
    zero_n(w->rows * c, b->PhiE);
    add_product(w->rows, s, c, b->PhiE, v->Phi, b->E);
    add_product(at_start, s, c, b->PhiE + w->on_target * c, D, b->E);
    double PE[CONTROL_STATE * CONTROL_STATE] = {0.0}, RE[CONTROL_ROWS * CONTROL_STATE] = {0.0}, most = 0.0;
    add_product(s, s, c, PE, v->P, b->E);
    zero_n(c * c, b->A);
    add_transposed_product(s, c, c, b->A, b->E, c, PE);
    zero_n(c, b->a);
    add_transposed_product(s, c, 1, b->a, b->E, c, v->s);
    if (status == LIE_OK && w->curvature > 0.0) status = add_start_curvature(w, b->E, b->A);
    if (w->anchored) {
        const double *DE = b->PhiE + w->on_target * c;
        for (int r = 0; r < at_start; r++) {
            const double *R = w->anchor + (w->on_target + r) * w->rows + w->on_target;
            for (int j = 0; j < c; j++)
                for (int q = 0; q < at_start; q++) {
                    RE[r * c + j] += R[q] * DE[q * c + j];
                    b->a[j] += DE[r * c + j] * R[q] * w->now.y[w->on_target + q];
                }
        }
        add_transposed_product(at_start, c, c, b->A, DE, c, RE);
    }
    measure_start(w, b, D);
    for (int j = 0; j < c; j++) most = fmax(most, fabs(b->A[j * c + j]));
    for (int j = 0; j < c; j++) {
        double weight = 0.0;
        for (int r = 0; r < w->rows; r++)
            if (v->F[r * w->rows + r] > 0.0) weight += pow(b->PhiE[r * c + j], 2.0) / v->F[r * w->rows + r];
        if (!(weight > 0.0)) weight = 1.0;
        b->A[j * c + j] += w->anchored ? 1e-10 * most + w->damping / (1.0 + w->damping) * weight : weight;
    }
    return status;
}

lie_status lie__control_solve_ends(lie_control_work *w, const control_value *v)
{
    start_block b;
    indefinite f;
    double F[CONTROL_ROWS * CONTROL_ROWS], phi[CONTROL_ROWS], x[CONTROL_STATE], y[CONTROL_STATE];
    int c = w->starts, rows = w->rows, row[CONTROL_STATE], pair[CONTROL_STATE];
    zero_n(2 * w->n, w->z);
    copy_n(rows * rows, F, v->F);
    copy_n(rows, phi, v->phi);
    if (c == 0) return solve_target(w, F, phi);
    lie_status status = make_start(w, v, &b);
    if (status != LIE_OK) return status;
    int negative = indefinite_factor(&f, c, b.A, row, pair);
    if (negative < 0) return LIE_ERR_SINGULAR;
    w->negative += negative;
    for (int q = 0; q <= rows; q++) {
        copy_n(c, x, q < rows ? b.PhiE + q * c : b.a);
        indefinite_solve(&f, x, y);
        for (int r = 0; r < rows; r++)
            for (int j = 0; j < c; j++)
                *(q < rows ? &F[r * rows + q] : &phi[r]) += (q < rows ? x[j] : -x[j]) * b.PhiE[r * c + j];
    }
    status = solve_target(w, F, phi);
    for (int j = 0; j < c; j++) {
        x[j] = -b.a[j];
        for (int r = 0; r < rows; r++) x[j] -= b.PhiE[r * c + j] * w->lambda_next[r];
    }
    indefinite_solve(&f, x, y);
    copy_n(c, w->dstart, x);
    add_product(2 * w->n, c, 1, w->z, b.E, x);
    return status;
}
