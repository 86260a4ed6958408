/* SPDX-License-Identifier: MIT */
/* discrete_vprk.c: the discrete Lagrangian of the variational Runge-Kutta methods of vprk.c, between two
 * configurations.
 *
 *     x = tau^-1(g0^-1 g1) = h sum_j b_j psi_j                   given: psi_s = (x/h - sum_{j<s} b_j psi_j)/b_s
 *     R_j = Q_j + h sum_i (b_i a_ij/b_j) D_i = lambda, all j     (s - 1) n equations R_j = R_s
 *     L_d = h sum_i b_i l(G_i, xi_i),    E_d = -d/dh L_d = sum_i b_i E(G_i, xi_i)
 *     p0  = (dtau^-1_x)^T lambda - h sum_i b_i Ad*_{tau(-theta_i)} F_i,    p1 = (dtau^-1_{-x})^T lambda
 *
 * The R_j = lambda say that the sum is stationary in the psi_j with their weighted sum held, lambda being the
 * multiplier; so only the explicit h counts in E_d, in which the terms with D_i cancel. Truncated methods have the
 * impulses of external forces at the nodes on top. Cost: Newton's method by differences, no step needs it.
 *
 * References: Marsden & West 2001, section 2.6; docs/METHODS.md. */
#include <math.h>

#include "groups/num/finite.h"
#include "lib/methods/variational/discrete.h"
#include "lib/methods/variational/vprk.h"

typedef struct pair {
    vprk *w;
    double mean[LIE_DIM_MAX]; /* x at full h, divided by it */
    double R[LIE_STAGES_MAX * LIE_DIM_MAX];
} pair;

/* psi of all stages, the first s - 1 given; then theta, P, Q, D of w, and R */
static lie_status evaluate(pair *p, const double *psi)
{
    vprk *w = p->w;
    const lie_tableau *tab = w->st->tableau;
    int n = w->n, s = w->s, last = (s - 1) * n;
    for (int k = 0; k < n; k++) {
        double sum = p->mean[k];
        for (int j = 0; j < s - 1; j++) w->psi[j * n + k] = psi[j * n + k], sum -= tab->b[j] * psi[j * n + k];
        w->psi[last + k] = sum / tab->b[s - 1];
    }
    lie_status status = lie__vprk_evaluate(w);
    if (status != LIE_OK) return status;
    for (int j = 0; j < s; j++)
        for (int k = 0; k < n; k++) {
            double sum = w->Q[j * n + k];
            for (int i = 0; i < s; i++) sum += w->h * tab->b[i] * tab->A[i * s + j] / tab->b[j] * w->D[i * n + k];
            p->R[j * n + k] = sum;
        }
    return all_finite(s * n, p->R) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status residual(const newton *N, double *r, double *size, const double *psi)
{
    pair *p = (pair *)N->problem;
    int n = p->w->n, last = (p->w->s - 1) * n;
    lie_status status = evaluate(p, psi);
    if (status != LIE_OK) return status;
    *size = 0.0;
    for (int i = 0; i < last + n; i++) *size = fabs(p->R[i]) > *size ? fabs(p->R[i]) : *size;
    for (int i = 0; i < last; i++) r[i] = p->R[i] - p->R[last + i % n];
    return LIE_OK;
}

static lie_status origin(const newton *N, double *psi)
{
    const pair *p = (const pair *)N->problem;
    for (int i = 0; i < N->n; i++) psi[i] = p->mean[i % p->w->n];
    return LIE_OK;
}

/* For h = 0 the Jacobian is (delta_jk + b_k/b_s) d mu/d xi, with determinant det(d mu/d xi)^(s - 1)/b_s. */
static int branch_sign(const pair *p, const double *g0)
{
    const vprk *w = p->w;
    int pivots[LIE_DIM_MAX], sign = w->st->tableau->b[w->s - 1] < 0.0 ? -1 : 1;
    if (!w->st->system->lagrangian || w->s % 2 == 1) return sign;
    lie_system_hessian(w->st->system, w->M, g0, p->mean);
    return sign * lie__linear_plain.factor(w->n, w->M, pivots);
}

/* The psi_j between g0 and g1, with theta, P, Q, D and R that belong to them. */
static lie_status solve(pair *p, const double *g0, lie_solve *info)
{
    vprk *w = p->w;
    double psi[LIE_STAGES_MAX * LIE_DIM_MAX] = {0.0};
    newton N = {.n = (w->s - 1) * w->n,
                .residual = residual,
                .origin = origin,
                .problem = p,
                .h = &w->h,
                .sign = branch_sign(p, g0),
                .step = 0x1p-7 / fabs(w->h),
                .linear = w->st->options.linear,
                .work = w->newton_work};
    lie_status status = origin(&N, psi);
    if (status != LIE_OK || N.n == 0) return status == LIE_OK ? evaluate(p, psi) : status;
    return lie__newton_solve(&N, psi, info);
}

/* sum_i b_i l(G_i, xi_i) and sum_i b_i E(G_i, xi_i), l = <mu, xi> - E */
static lie_status sums(const vprk *w, const double *g0, double *l, double *E)
{
    const lie_ops *G = w->st->group;
    const lie_system *sys = w->st->system;
    double theta[LIE_DIM_MAX], at[LIE_SIZE_MAX], xi[LIE_DIM_MAX], mu[LIE_DIM_MAX];
    *l = *E = 0.0;
    for (int i = 0; i < w->s; i++) {
        stage_coordinate(w, theta, i, w->psi);
        lie_status status = G->tau(G, at, theta);
        if (status != LIE_OK) return status;
        G->mul(G, at, g0, at);
        for (int k = 0; k < w->n; k++) theta[k] = -theta[k], xi[k] = w->psi[i * w->n + k];
        if (w->full) status = G->dtau(G, xi, theta, xi);
        if (status != LIE_OK) return status;
        lie_system_momentum(sys, mu, at, xi);
        double energy = lie_system_energy(sys, at, xi), action = -energy, b = w->st->tableau->b[i];
        for (int k = 0; k < w->n; k++) action += mu[k] * xi[k];
        *l += b * action;
        *E += b * energy;
    }
    return LIE_OK;
}

/* p0 and p1; theta has the sign of x */
static lie_status momenta(const pair *p, lie_discrete_values *out, const double *g1)
{
    const vprk *w = p->w;
    const lie_ops *G = w->st->group;
    const lie_tableau *tab = w->st->tableau;
    double lambda[LIE_DIM_MAX] = {0.0}, minus[LIE_DIM_MAX], f[LIE_DIM_MAX];
    int n = w->n;
    for (int k = 0; k < n; k++) {
        minus[k] = -w->theta[k];
        for (int j = 0; j < w->s; j++) lambda[k] += tab->b[j] * p->R[j * n + k];
    }
    lie_status status = G->dtauinvt(G, out->p0, w->theta, lambda);
    if (status == LIE_OK) status = G->dtauinvt(G, out->p1, minus, lambda);
    if (status != LIE_OK) return status;
    for (int k = 0; k < n; k++) out->p0[k] -= w->P[k];
    if (w->full || !w->st->system->external) return LIE_OK;
    external_at(forcing_of(w), f, 1.0, g1, p->mean);
    for (int k = 0; k < n; k++) out->p1[k] += 0.5 * w->h * f[k];
    return LIE_OK;
}

lie_status lie__vprk_values(lie_stepper *st, lie_discrete_values *out, double t, const double *g0, const double *g1,
                            double h)
{
    vprk *w = (vprk *)st->work;
    pair p = {.w = w};
    double g[LIE_SIZE_MAX], low_g[LIE_SIZE_MAX] = {0.0}, m[LIE_DIM_MAX] = {0.0}, low_m[LIE_DIM_MAX] = {0.0}, l;
    const lie_place at = {t, 0.0, 1.0, g, low_g, m, low_m};
    copy_n(st->group->size, g, g0);
    w->st = st, w->at = &at, w->h = h;
    lie_status status = join(st->group, p.mean, g0, g1);
    for (int k = 0; k < w->n; k++) p.mean[k] /= h;
    if (status == LIE_OK) status = solve(&p, g0, &out->solve);
    if (status == LIE_OK) status = momenta(&p, out, g1);
    if (status == LIE_OK) status = sums(w, g0, &l, &out->energy);
    if (status == LIE_OK) out->lagrangian = h * l;
    return status;
}
