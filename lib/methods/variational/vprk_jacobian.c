/* SPDX-License-Identifier: MIT */
/* vprk_jacobian.c: the derivative of the equations of vprk.c in the unknown psi.
 *
 * Of each stage the derivatives in its own psi and theta, with M = d(B psi)/dtheta, H = d mu/d xi, X = d mu/dg,
 * E = d f/d xi, eta = B dtheta the variation of G_i in its body frame, N(p)_aj = sum_k p_k d B_ka / d theta_j:
 *
 *     xi      B dpsi + M dtheta                               (truncated: dpsi)
 *     mu      H dxi + X eta
 *     F       F_g eta + (X^T + E) dxi
 *     Q       B^T dmu + N(mu) dtheta                          (truncated: dmu)
 *     D       M^T dmu + N(mu)^T dpsi + C dtheta + B^T dF + N(F) dtheta   (truncated: B^T dF + N(F) dtheta)
 *     impulse Ad*_{tau(-theta)} (dF - ad*_eta F)
 *
 * C = d(M^T mu)/dtheta, the second derivative of B, is small, of size (h |xi|)^2/12, and by differences of M. The
 * derivative of an external force in g is left out: where that makes Newton's method slow, it takes differences of the
 * equations; a tangent (w->fine) has both to round-off. Reference: docs/METHODS.md. */
#include "lib/methods/variational/vprk.h"

#include <math.h>

/* out = A B or A^T B (n x n) */
LIE_INLINE void product(int n, double *out, const double *A, const double *B, int row, int column)
{
    for (int i = 0; i < n; i++) {
        double sum[LIE_DIM_MAX];
        for (int j = 0; j < n; j++) sum[j] = A[i * row] * B[j];
        for (int k = 1; k < n; k++)
            for (int j = 0; j < n; j++) sum[j] += A[i * row + k * column] * B[k * n + j];
        for (int j = 0; j < n; j++) out[i * n + j] = sum[j];
    }
}

/* Three and six are compiled for themselves. */
static void times(int n, double *out, const double *A, const double *B)
{
    if (n == 3)
        product(3, out, A, B, 3, 1);
    else if (n == 6)
        product(6, out, A, B, 6, 1);
    else
        product(n, out, A, B, n, 1);
}

static void transposed_times(int n, double *out, const double *A, const double *B)
{
    if (n == 3)
        product(3, out, A, B, 1, 3);
    else if (n == 6)
        product(6, out, A, B, 1, 6);
    else
        product(n, out, A, B, 1, n);
}

/* out += f A */
static void add(int n, double *out, double f, const double *A)
{
    for (int i = 0; i < n * n; i++) out[i] += f * A[i];
}

/* N_aj = sum_k p_k d/dtheta_j (dtau_{-theta} e_a)_k */
static lie_status contract(const vprk *w, double *N, double *scratch, const double *theta, const double *p)
{
    const lie_ops *G = w->st->group;
    double e[LIE_DIM_MAX] = {0.0};
    int n = w->n;
    for (int a = 0; a < n; a++) {
        e[a] = 1.0;
        lie_status status = G->dtau_body_deriv(G, scratch, theta, e);
        if (status != LIE_OK) return status;
        e[a] = 0.0;
        for (int j = 0; j < n; j++) {
            N[a * n + j] = 0.0;
            for (int k = 0; k < n; k++) N[a * n + j] += p[k] * scratch[k * n + j];
        }
    }
    return LIE_OK;
}

vprk_slopes lie__vprk_split(const vprk *w)
{
    double *next[MATRICES];
    for (int i = 0; i < MATRICES; i++) next[i] = w->M + i * w->n * w->n;
    return (vprk_slopes){next[0], next[1],  next[2],  next[3],  next[4],  next[5],  next[6],  next[7],  next[8],
                         next[9], next[10], next[11], next[12], next[13], next[14], next[15], next[16], next[17]};
}

/* Derivatives of the system at the stage: mu_psi, mu_theta, F_psi, F_theta; B, and M where it is needed. */
static lie_status system_slopes(const vprk *w, const vprk_slopes *K, double c, const double *at, const double *xi,
                                const double *theta, const double *psi)
{
    const lie_ops *G = w->st->group;
    const lie_system *sys = w->st->system;
    double minus[LIE_DIM_MAX];
    int n = w->n;
    for (int i = 0; i < n; i++) minus[i] = -theta[i];
    lie_status status = lie_ops_tangent_matrix(G, G->dtau, K->B, minus);
    if (status == LIE_OK && w->full) status = G->dtau_body_deriv(G, K->M, theta, psi);
    if (status != LIE_OK) return status;
    lie_system_hessian(sys, K->H, at, xi);
    lie_system_mixed(sys, K->X, at, xi);
    lie_system_force_deriv(sys, K->F_g, at, xi);
    if (w->fine && w->full && sys->external) lie__external_along(forcing_of(w), K->F_g, c, at, xi);
    times(n, K->mu_theta, K->X, K->B);
    times(n, K->F_theta, K->F_g, K->B);
    /* X <- X^T + E: what the force has of the velocity */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) K->F_g[i * n + j] = K->X[j * n + i];
    if (w->full && sys->external) {
        lie__external_deriv(forcing_of(w), K->scratch, c, at, xi);
        add(n, K->F_g, 1.0, K->scratch);
    }
    if (!w->full) {
        copy_n(n * n, K->mu_psi, K->H);
        copy_n(n * n, K->F_psi, K->F_g);
        return LIE_OK;
    }
    times(n, K->mu_psi, K->H, K->B);
    times(n, K->F_psi, K->F_g, K->B);
    times(n, K->scratch, K->H, K->M);
    add(n, K->mu_theta, 1.0, K->scratch);
    times(n, K->scratch, K->F_g, K->M);
    add(n, K->F_theta, 1.0, K->scratch);
    return LIE_OK;
}

/* C_aj += weight sum_k mu_k M_ka at theta + d e_j, added to D_theta */
static lie_status add_shifted(const vprk *w, const vprk_slopes *K, const double *theta, const double *psi,
                              const double *mu, int j, double d, double weight)
{
    const lie_ops *G = w->st->group;
    double at[LIE_DIM_MAX];
    int n = w->n;
    copy_n(n, at, theta);
    at[j] += d;
    lie_status status = G->dtau_body_deriv(G, K->scratch, at, psi);
    for (int a = 0; a < n && status == LIE_OK; a++)
        for (int k = 0; k < n; k++) K->D_theta[a * n + j] += weight * mu[k] * (K->scratch[k * n + a] - K->M[k * n + a]);
    return status;
}

/* C_aj = d/dtheta_j sum_k mu_k M_ka added to D_theta: for Newton's method one difference towards theta = 0, inside the
 * domain; for a tangent central differences of order 6, good to round-off. */
static lie_status add_curvature(const vprk *w, const vprk_slopes *K, const double *theta, const double *psi,
                                const double *mu)
{
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    lie_status status = LIE_OK;
    for (int j = 0; j < w->n && status == LIE_OK; j++) {
        double d = theta[j] > 0.0 ? -0x1p-20 : 0x1p-20;
        if (!w->fine) status = add_shifted(w, K, theta, psi, mu, j, d, 1.0 / d);
        for (int k = 0; w->fine && k < 6 && status == LIE_OK; k++) {
            int far = k / 2 + 1, sign = k % 2 ? -1 : 1;
            status = add_shifted(w, K, theta, psi, mu, j, sign * far * 0x1p-8, sign * weight[far - 1] * 0x1p8);
        }
    }
    return status;
}

/* Q and D from those of mu and F */
static lie_status equation_slopes(const vprk *w, const vprk_slopes *K, const double *theta, const double *psi,
                                  const double *mu, const double *F)
{
    int n = w->n;
    transposed_times(n, K->D_psi, K->B, K->F_psi);
    transposed_times(n, K->D_theta, K->B, K->F_theta);
    lie_status status = contract(w, K->N, K->scratch, theta, F);
    if (status != LIE_OK) return status;
    add(n, K->D_theta, 1.0, K->N);
    if (!w->full) {
        copy_n(n * n, K->Q_psi, K->mu_psi);
        copy_n(n * n, K->Q_theta, K->mu_theta);
        return LIE_OK;
    }
    transposed_times(n, K->Q_psi, K->B, K->mu_psi);
    transposed_times(n, K->Q_theta, K->B, K->mu_theta);
    status = contract(w, K->N, K->scratch, theta, mu);
    if (status != LIE_OK) return status;
    add(n, K->Q_theta, 1.0, K->N);
    transposed_times(n, K->scratch, K->M, K->mu_psi);
    add(n, K->D_psi, 1.0, K->scratch);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) K->D_psi[i * n + j] += K->N[j * n + i];
    transposed_times(n, K->scratch, K->M, K->mu_theta);
    add(n, K->D_theta, 1.0, K->scratch);
    return add_curvature(w, K, theta, psi, mu);
}

/* of the impulse Ad*_{T^-1} F */
static lie_status impulse_slopes(const vprk *w, const vprk_slopes *K, const double *T, const double *F)
{
    const lie_ops *G = w->st->group;
    double inverse[LIE_SIZE_MAX], e[LIE_DIM_MAX] = {0.0}, column[LIE_DIM_MAX];
    int n = w->n;
    for (int j = 0; j < n; j++) {
        e[j] = 1.0;
        G->adt(G, column, e, F);
        e[j] = 0.0;
        for (int i = 0; i < n; i++) K->N[i * n + j] = column[i];
    }
    times(n, K->scratch, K->N, K->B);
    add(n, K->F_theta, -1.0, K->scratch);
    G->inv(G, inverse, T);
    lie_status status = lie_ops_linear_matrix(G, G->Adt, K->N, inverse);
    if (status != LIE_OK) return status;
    times(n, K->P_psi, K->N, K->F_psi);
    times(n, K->P_theta, K->N, K->F_theta);
    return LIE_OK;
}

lie_status lie__vprk_stage_slopes(const vprk *w, const vprk_slopes *K, int i, const double *psi)
{
    const lie_ops *G = w->st->group;
    const lie_system *sys = w->st->system;
    double theta[LIE_DIM_MAX], T[LIE_SIZE_MAX], at[LIE_SIZE_MAX], xi[LIE_DIM_MAX], mu[LIE_DIM_MAX], F[LIE_DIM_MAX];
    double f[LIE_DIM_MAX], c = w->st->tableau->c[i];
    int n = w->n;
    stage_coordinate(w, theta, i, psi);
    lie_status status = G->tau(G, T, theta);
    if (status != LIE_OK) return status;
    G->mul(G, at, w->at->g, T);
    for (int k = 0; k < n; k++) xi[k] = -theta[k];
    if (w->full)
        status = G->dtau(G, xi, xi, psi + i * n);
    else
        copy_n(n, xi, psi + i * n);
    if (status != LIE_OK) return status;
    lie_system_momentum(sys, mu, at, xi);
    lie_system_force(sys, F, at, xi);
    if (w->full && sys->external) {
        external_at(forcing_of(w), f, c, at, xi);
        for (int k = 0; k < n; k++) F[k] += f[k];
    }
    status = system_slopes(w, K, c, at, xi, theta, psi + i * n);
    if (status == LIE_OK) status = equation_slopes(w, K, theta, psi + i * n, mu, F);
    return status == LIE_OK ? impulse_slopes(w, K, T, F) : status;
}

/* J_jk += block */
static void put(const vprk *w, double *J, int j, int k, double f, const double *block)
{
    int n = w->n, N = w->s * n;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) J[(j * n + a) * N + k * n + b] += f * block[a * n + b];
}

/* What stage i puts into every row j and column k */
static void put_stage(const vprk *w, double *J, const vprk_slopes *K, int i)
{
    const lie_tableau *tab = w->st->tableau;
    int n = w->n, s = w->s;
    times(n, K->B, K->L, K->P_psi);
    times(n, K->M, K->L, K->P_theta);
    put(w, J, i, i, 1.0, K->Q_psi);
    for (int k = 0; k < s; k++) put(w, J, i, k, w->h * tab->A[i * s + k], K->Q_theta);
    for (int j = 0; j < s; j++) {
        double d = w->h * tab->b[i] * tab->A[i * s + j] / tab->b[j], p = -w->h * tab->b[i];
        put(w, J, j, i, d, K->D_psi);
        put(w, J, j, i, p, K->B);
        for (int k = 0; k < s; k++) {
            double h_a = w->h * tab->A[i * s + k];
            put(w, J, j, k, d * h_a, K->D_theta);
            put(w, J, j, k, p * h_a, K->M);
        }
    }
}

/* What the end of the step puts there: d/dtheta ((dtau_theta)^T P), and an external force at the start of the step */
static lie_status put_end(const vprk *w, double *J, const vprk_slopes *K)
{
    const lie_system *sys = w->st->system;
    double minus[LIE_DIM_MAX], xi[LIE_DIM_MAX];
    int n = w->n;
    for (int i = 0; i < n; i++) minus[i] = -w->theta[i], xi[i] = w->theta[i] / w->h;
    lie_status status = contract(w, K->N, K->scratch, minus, w->P);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n * n; i++) K->N[i] = -K->N[i];
    if (!w->full && sys->external) {
        lie__external_deriv(forcing_of(w), K->H, 0.0, w->at->g, xi);
        times(n, K->scratch, K->L, K->H);
        add(n, K->N, 0.5, K->scratch);
    }
    for (int j = 0; j < w->s; j++)
        for (int k = 0; k < w->s; k++) put(w, J, j, k, -w->h * w->st->tableau->b[k], K->N);
    return LIE_OK;
}

lie_status lie__vprk_jacobian(const newton *N, double *J, const double *psi)
{
    const vprk *w = (const vprk *)N->problem;
    const lie_ops *G = w->st->group;
    vprk_slopes K = lie__vprk_split(w);
    lie_status status = lie_ops_tangent_matrix(G, G->dtaut, K.L, w->theta);
    for (int i = 0; i < N->n * N->n; i++) J[i] = 0.0;
    for (int i = 0; i < w->s && status == LIE_OK; i++) {
        status = lie__vprk_stage_slopes(w, &K, i, psi);
        if (status == LIE_OK) put_stage(w, J, &K, i);
    }
    if (status == LIE_OK) status = put_end(w, J, &K);
    return status;
}
