/* SPDX-License-Identifier: MIT */
/* discrete_vprk.c: the discrete Lagrangian of the variational Runge-Kutta methods of vprk.c, between two
 * configurations.
 *
 *     x = tau^-1(g0^-1 g1) = h sum_j b_j psi_j                   given: psi_s = (x/h - sum_{j<s} b_j psi_j)/b_s
 *     R_j = Q_j + h sum_i (b_i a_ij/b_j) D_i = lambda, all j     (s - 1) n equations R_j = R_s
 *     L_d = h sum_i b_i l(G_i, xi_i),    E_d = -d/dh L_d = sum_i b_i E(G_i, xi_i)
 *     p0  = (dtau^-1_x)^T lambda - h sum_i b_i Ad*_{tau(-theta_i)} F_i,    p1 = (dtau^-1_{-x})^T lambda
 *
 * Anchored in the middle, with a_ij - b_j/2 for a_ij and Phi = h sum_i b_i Ad*_{tau(-theta_i)} F_i at the anchor:
 *
 *     x = 2 v,   tau(v)^2 = g0^-1 g1,    (1 + Ad*_{tau(v)}) p0 = 2 (dtau^-1_v)^T lambda - Phi
 *     p1 = (dtau^-1_{-v})^T (2 lambda - dtau_v^T p0)
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
            for (int i = 0; i < s; i++) sum += w->h * tab->b[i] * stage_weight(w, i, j) / tab->b[j] * w->D[i * n + k];
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
    if (w->st->is.constant || w->s % 2 == 1) return sign;
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
static lie_status sums(const vprk *w, double *l, double *E)
{
    const lie_ops *G = w->st->group;
    const lie_system *sys = w->st->system;
    double theta[LIE_DIM_MAX], at[LIE_SIZE_MAX], xi[LIE_DIM_MAX], mu[LIE_DIM_MAX];
    *l = *E = 0.0;
    for (int i = 0; i < w->s; i++) {
        stage_coordinate(w, theta, i, w->psi);
        lie_status status = G->tau(G, at, theta);
        if (status != LIE_OK) return status;
        G->mul(G, at, w->a, at);
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

/* p0 from z = (dtau^-1_v)^T lambda: (anchor + (1 - anchor) Ad*_{tau(u)}) p0 = z - (1 - anchor) Phi, u the way from g0
 * to the anchor. P is Phi, as there is no m. */
static lie_status momentum_before(const vprk *w, double *p0, const double *z)
{
    const lie_ops *G = w->st->group;
    double T[LIE_SIZE_MAX], u[LIE_DIM_MAX], *A = w->M;
    int n = w->n, pivots[LIE_DIM_MAX];
    for (int k = 0; k < n; k++) p0[k] = z[k] - (1.0 - w->anchor) * w->P[k], u[k] = w->anchor * w->theta[k];
    if (w->anchor == 0.0) return LIE_OK;
    lie_status status = G->tau(G, T, u);
    if (status == LIE_OK) status = lie_ops_linear_matrix(G, G->Adt, A, T);
    if (status != LIE_OK) return status;
    for (int k = 0; k < n * n; k++) A[k] = (1.0 - w->anchor) * A[k] + (k % (n + 1) == 0 ? w->anchor : 0.0);
    if (lie__linear_plain.factor(n, A, pivots) == 0) return LIE_ERR_SINGULAR;
    lie__linear_plain.solve(n, A, pivots, p0);
    return LIE_OK;
}

/* p1 from (dtau_{-v})^T p1 = (lambda - anchor (dtau_u)^T p0)/(1 - anchor) */
static lie_status momentum_after(const vprk *w, double *p1, const double *p0, const double *lambda)
{
    const lie_ops *G = w->st->group;
    double minus[LIE_DIM_MAX], left[LIE_DIM_MAX] = {0.0};
    lie_status status = w->anchor == 0.0 ? LIE_OK : G->dtaut(G, left, w->v, p0);
    for (int k = 0; k < w->n; k++) {
        minus[k] = -w->v[k];
        left[k] = (lambda[k] - w->anchor * left[k]) / (1.0 - w->anchor);
    }
    return status == LIE_OK ? G->dtauinvt(G, p1, minus, left) : status;
}

/* p0 and p1; theta has the sign of x */
static lie_status momenta(const pair *p, lie_discrete_values *out, const double *g1)
{
    const vprk *w = p->w;
    const lie_ops *G = w->st->group;
    const lie_tableau *tab = w->st->tableau;
    double lambda[LIE_DIM_MAX] = {0.0}, z[LIE_DIM_MAX], f[LIE_DIM_MAX];
    int n = w->n;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < w->s; j++) lambda[k] += tab->b[j] * p->R[j * n + k];
    lie_status status = G->dtauinvt(G, z, w->v, lambda);
    if (status == LIE_OK) status = momentum_before(w, out->p0, z);
    if (status == LIE_OK) status = momentum_after(w, out->p1, out->p0, lambda);
    if (status != LIE_OK) return status;
    if (w->full || !w->st->is.has_external) return LIE_OK;
    external_at(forcing_of(w), f, 1.0, g1, p->mean);
    for (int k = 0; k < n; k++) out->p1[k] += 0.5 * w->h * f[k];
    return LIE_OK;
}

enum { PASSES = 40 };

/* x <- 2 v, tau(v)^2 = g0^-1 g1, from tau(x) = g0^-1 g1: Newton's method for the square root on the group. With
 * k = g0^-1 g1, e = tau^-1(tau(-v) k tau(-v)), (1 + Ad_{tau(v)}) d = e the next is tau(v) tau(d). */
static lie_status join_twice(const vprk *w, double *x, const double *g0, const double *g1)
{
    const lie_ops *G = w->st->group;
    double root[LIE_SIZE_MAX], back[LIE_SIZE_MAX], k[LIE_SIZE_MAX], d[LIE_DIM_MAX], before = HUGE_VAL, *A = w->M;
    int n = w->n, pivots[LIE_DIM_MAX];
    G->inv(G, k, g0);
    G->mul(G, k, k, g1);
    for (int i = 0; i < n; i++) d[i] = 0.5 * x[i];
    lie_status status = G->tau(G, root, d);
    for (int pass = 0; pass < PASSES && status == LIE_OK; pass++) {
        double size = 0.0;
        G->inv(G, back, root);
        status = lie_ops_linear_matrix(G, G->Ad, A, root);
        for (int i = 0; i < n; i++) A[i * (n + 1)] += 1.0;
        if (status == LIE_OK && lie__linear_plain.factor(n, A, pivots) == 0) status = LIE_ERR_SINGULAR;
        if (status != LIE_OK) return status;
        double rest[LIE_SIZE_MAX];
        G->mul(G, rest, back, k);
        G->mul(G, rest, rest, back);
        status = G->tauinv(G, d, rest);
        lie__linear_plain.solve(n, A, pivots, d);
        for (int i = 0; i < n; i++) size = fabs(d[i]) > size ? fabs(d[i]) : size;
        if (status == LIE_OK && size >= 0.5 * before) break;
        before = size;
        if (status == LIE_OK) status = G->tau(G, rest, d);
        G->mul(G, root, root, rest);
    }
    if (status == LIE_OK && !(before <= 0x1p-40)) return LIE_ERR_NO_CONVERGENCE;
    if (status == LIE_OK) status = G->tauinv(G, d, root);
    for (int i = 0; i < n && status == LIE_OK; i++) x[i] = 2.0 * d[i];
    return status;
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
    if (status == LIE_OK && w->anchor != 0.0) status = join_twice(w, p.mean, g0, g1);
    for (int k = 0; k < w->n; k++) p.mean[k] /= h;
    if (status == LIE_OK) status = solve(&p, g0, &out->solve);
    if (status == LIE_OK) status = momenta(&p, out, g1);
    if (status == LIE_OK) status = sums(w, &l, &out->energy);
    if (status == LIE_OK) out->lagrangian = h * l;
    return status;
}
