/* SPDX-License-Identifier: MIT */
/* rkmk_implicit.c: the stages of an implicit RKMK step.
 *
 * Unknown is x_i = (theta', (h/unit) m') at every stage; unit, the ratio of momentum and velocity at the node, makes
 * both halves velocities. The equations
 *
 *     x_i = R(h sum_j a_ij x_j),     R(y) = (theta', (h/unit) m') at theta = y_theta, m + unit/h y_m
 *
 * are solved by Newton's method with the Jacobian 1 - A (x) R' of the node, R' by differences: 2 n rates per step;
 * where that contracts slowly, with the one of the point itself. The residual of the result is certified (newton.h).
 *
 * Reference: Hairer & Wanner, Solving Ordinary Differential Equations II, 1996, section IV.8. */
#include "groups/num/finite.h"
#include "lib/methods/runge_kutta/rkmk_passes.h"

#include <math.h>

int lie__rkmk_solve_doubles(int s, int n)
{
    return 2 * s * n + 4 * n * n + lie__newton_doubles(2 * s * n);
}

/* R at y = sum_j a_j x_j, which is in the units of x */
static lie_status scaled_rate(const rkmk *w, double *out, double c, const double *y)
{
    double theta[LIE_DIM_MAX] = {0.0}, m[LIE_DIM_MAX], xi[LIE_DIM_MAX] = {0.0};
    int n = w->n;
    for (int k = 0; k < n; k++) {
        theta[k] = w->h * y[k];
        m[k] = w->at->m[k] + w->unit * y[n + k];
    }
    lie_status status = chart_rate(w->st, w->st->group, w->r.kind, w->length, out, xi, w->at, w->h, c, theta, m, 0);
    for (int k = n; status == LIE_OK && k < 2 * n; k++) out[k] *= w->h / w->unit;
    return status;
}

static lie_status residual(const newton *N, double *r, double *size, const double *x)
{
    const rkmk *w = (const rkmk *)N->problem;
    const lie_tableau *tab = w->st->tableau;
    double y[2 * LIE_DIM_MAX];
    int n2 = 2 * w->n;
    *size = w->terms;
    for (int i = 0; i < w->s; i++) {
        weighted_sum(n2, y, w->s, 1.0, tab->A + i * w->s, 0, x, n2);
        lie_status status = scaled_rate(w, r + i * n2, tab->c[i], y);
        if (status != LIE_OK) return status;
        for (int k = 0; k < n2; k++) {
            double rate = r[i * n2 + k];
            r[i * n2 + k] = x[i * n2 + k] - rate;
            if (fabs(rate) > *size) *size = fabs(rate);
        }
    }
    return all_finite(w->s * n2, r) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static double largest(int n, const double *a)
{
    double r = 0.0;
    for (int i = 0; i < n; i++) r = fabs(a[i]) > r ? fabs(a[i]) : r;
    return r;
}

/* D = R' at the node by forward differences, backward where forward is outside the domain */
static lie_status node_derivative(const newton *N, rkmk *w)
{
    double y[2 * LIE_DIM_MAX] = {0.0}, here[2 * LIE_DIM_MAX], there[2 * LIE_DIM_MAX], d = 0x1p-26 * N->step;
    int n2 = 2 * w->n;
    lie_status status = scaled_rate(w, here, 0.0, y);
    for (int j = 0; status == LIE_OK && j < n2; j++) {
        y[j] = d;
        status = scaled_rate(w, there, 0.0, y);
        if (status != LIE_OK) {
            y[j] = -d;
            status = scaled_rate(w, there, 0.0, y);
        }
        for (int i = 0; status == LIE_OK && i < n2; i++) w->D[i * n2 + j] = (there[i] - here[i]) / y[j];
        y[j] = 0.0;
    }
    double norm = 0.0;
    for (int i = 0; status == LIE_OK && i < n2; i++) {
        double row = 0.0;
        for (int j = w->n; j < n2; j++) row += fabs(w->D[i * n2 + j]);
        norm = row > norm ? row : norm;
    }
    w->terms = norm * largest(w->n, w->at->m) / w->unit;
    return status;
}

static lie_status jacobian(const newton *N, double *J, const double *x)
{
    rkmk *w = (rkmk *)N->problem;
    int n2 = 2 * w->n, s = w->s, rows = s * n2;
    (void)x;
    lie_status status = node_derivative(N, w);
    if (status != LIE_OK) return status;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            J[i * rows + j] = (i == j) - w->st->tableau->A[i / n2 * s + j / n2] * w->D[i % n2 * n2 + j % n2];
    return LIE_OK;
}

/* x_i from the rates at the node; sets the unit */
static lie_status first_guess(rkmk *w)
{
    static const double origin[LIE_DIM_MAX];
    double K[2 * LIE_DIM_MAX], xi[LIE_DIM_MAX] = {0.0};
    int n = w->n;
    lie_status status =
        chart_rate(w->st, w->st->group, w->r.kind, w->length, K, xi, w->at, w->h, 0.0, origin, w->at->m, 1);
    if (status != LIE_OK) return status;
    double ratio = largest(n, w->at->m) / largest(n, K);
    w->unit = ratio > 0.0 && ratio < HUGE_VAL ? ratio : 1.0;
    for (int i = 0; i < w->s; i++)
        for (int k = 0; k < 2 * n; k++) w->x[2 * i * n + k] = k < n ? K[k] : K[k] * (w->h / w->unit);
    return LIE_OK;
}

/* The rates at the node again, in the units of this h. */
static lie_status origin(const newton *N, double *x)
{
    (void)x;
    return first_guess((rkmk *)N->problem);
}

lie_status lie__rkmk_solve(lie_stepper *st, const lie_ops *G, const lie_place *at, double h, lie_solve *info)
{
    rkmk *w = rkmk_of(st);
    (void)G;
    w->st = st;
    w->at = at;
    w->h = h;
    w->terms = 0.0;
    lie_status status = first_guess(w);
    if (status != LIE_OK) return status;
    newton N = {.n = 2 * w->s * w->n,
                .residual = residual,
                .jacobian = jacobian,
                .origin = origin,
                .inexact = 1,
                .problem = w,
                .h = &w->h,
                .sign = 1,
                .grain = tangent_grain(st->group, 0),
                .step = 0x1p-7 / fabs(h),
                .linear = st->options.linear,
                .work = w->newton_work};
    status = lie__newton_solve(&N, w->x, info);
    for (int i = 0; status == LIE_OK && i < w->s; i++)
        for (int k = 0; k < 2 * w->n; k++) {
            int at_x = 2 * i * w->n + k;
            w->K[at_x] = k < w->n ? w->x[at_x] : w->x[at_x] * (w->unit / h);
        }
    return status;
}

/* Passes */

/* Are the nodes of the last `blocks` steps all different? */
static int has_polynomial(const lie_tableau *tab, int blocks)
{
    for (int i = 0; i < tab->stages; i++)
        for (int back = 0; back < blocks; back++)
            for (int j = 0; j < tab->stages; j++)
                if ((i != j || back > 0) && tab->c[i] == tab->c[j] - back) return 0;
    return 1;
}

int lie__rkmk_blocks(const lie_stepper *st)
{
    const lie_tableau *tab = st->tableau;
    int s = tab->stages, block = 2 * st->group->dim * s, is_stiff = 1;
    for (int j = 0; j < s; j++) is_stiff &= tab->A[(s - 1) * s + j] == tab->b[j];
    if (lie_tableau_is_explicit(tab) || is_stiff || !st->is.constant) return 0;
    for (int blocks = s <= 3 ? 2 : 1; blocks > 0; blocks--)
        if (RKMK_PAST + blocks * block <= LIE_MEMORY_MAX && has_polynomial(tab, blocks)) return blocks;
    return 0;
}

int lie__rkmk_passes_doubles(const lie_stepper *st)
{
    int blocks = lie__rkmk_blocks(st), s = st->tableau->stages;
    return blocks > 0 ? 2 * st->group->dim + s * blocks * s : 0;
}

/* next_ij = l_j(1 + c_i), with the nodes c_j of the last step and c_j - 1 of that before it */
void lie__rkmk_prepare_passes(rkmk *w, const lie_stepper *st)
{
    const lie_tableau *tab = st->tableau;
    int n = w->n, s = w->s, known = w->blocks * s;
    double nodes[2 * LIE_STAGES_MAX] = {0.0};
    for (int k = 0; k < n; k++) {
        w->weight[k] = st->system->inertia[k * n + k];
        w->weight[n + k] = 1.0 / w->weight[k];
    }
    for (int back = 0; back < w->blocks; back++)
        for (int j = 0; j < s; j++) nodes[back * s + j] = tab->c[j] - back;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < known; j++) {
            double product = 1.0;
            for (int k = 0; k < known; k++)
                if (k != j) product *= ((1.0 + tab->c[i]) - nodes[k]) / (nodes[j] - nodes[k]);
            w->next[i * known + j] = product;
        }
}
