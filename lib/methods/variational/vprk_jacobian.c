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
 * The anchor of the chart moves by S dtheta, S = anchor dtau_{-v}, where it is not the start of the step, and stage i
 * with it by A S dtheta, A = Ad_{tau(-theta_i)}. Of that (index a), per unit of the motion of the anchor:
 *
 *     mu      X A            Q  B^T mu_a         (truncated: mu_a)
 *     F       F_g A          D  M^T mu_a + B^T F_a   (truncated: B^T F_a)           impulse  A^T F_a
 *     P       sum_i h b_i A_i^T F_a,i + ad*_. n,     n = Ad*_{tau(v)} m     (Z)
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

/* N_aj = sum_k p_k d/dtheta_j (dtau_{-theta} e_a)_k, of p and, if N_2 is not null, of p_2 */
static lie_status contract(const vprk *w, double *N, double *N_2, double *scratch, const double *theta, const double *p,
                           const double *p_2)
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
            double sum = 0.0, sum_2 = 0.0;
            for (int k = 0; k < n; k++) sum += p[k] * scratch[k * n + j];
            for (int k = 0; k < n && N_2; k++) sum_2 += p_2[k] * scratch[k * n + j];
            N[a * n + j] = sum;
            if (N_2) N_2[a * n + j] = sum_2;
        }
    }
    return LIE_OK;
}

vprk_slopes lie__vprk_split(const vprk *w)
{
    double *next[MATRICES];
    for (int i = 0; i < MATRICES; i++) next[i] = w->M + i * w->n * w->n;
    return (vprk_slopes){next[0],  next[1],  next[2],  next[3],  next[4],  next[5],  next[6],  next[7],  next[8],
                         next[9],  next[10], next[11], next[12], next[13], next[14], next[15], next[16], next[17],
                         next[18], next[19], next[9],  next[10], next[8],  next[20], next[21], next[22]};
}

static int wants_anchor(const vprk *w)
{
    return w->anchor != 0.0 || w->fine;
}

/* Does mu depend on g? Else X = 0. */
static int has_mixed(const vprk *w)
{
    return !w->st->is.constant || w->st->is.has_gyro;
}

/* Is there a force at the stages? */
static int has_force(const vprk *w)
{
    return has_mixed(w) || w->st->is.has_force || (w->full && w->st->is.has_external);
}

/* F_psi, F_theta and F_a from X, B and M */
static void force_slopes(const vprk *w, const vprk_slopes *K, double c, const double *at, const double *xi)
{
    const lie_system *sys = w->st->system;
    int n = w->n, has_external = w->full && w->st->is.has_external;
    zero_n(n * n, K->F_psi);
    zero_n(n * n, K->F_theta);
    if (!has_force(w)) return;
    lie_system_force_deriv(sys, K->F_g, at, xi);
    if (w->fine && has_external) lie__external_along(forcing_of(w), K->F_g, c, at, xi);
    times(n, K->F_theta, K->F_g, K->B);
    if (wants_anchor(w)) times(n, K->F_a, K->F_g, K->A);
    if (!has_mixed(w) && !has_external) return;
    double *F_xi = K->F_g; /* X^T + E: what the force has of the velocity */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) F_xi[i * n + j] = K->X[j * n + i];
    if (has_external) {
        lie__external_deriv(forcing_of(w), K->scratch, c, at, xi);
        add(n, F_xi, 1.0, K->scratch);
    }
    if (!w->full) {
        copy_n(n * n, K->F_psi, F_xi);
        return;
    }
    times(n, K->F_psi, F_xi, K->B);
    times(n, K->scratch, F_xi, K->M);
    add(n, K->F_theta, 1.0, K->scratch);
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
    zero_n(n * n, K->X);
    zero_n(n * n, K->mu_theta);
    if (has_mixed(w)) {
        lie_system_mixed(sys, K->X, at, xi);
        times(n, K->mu_theta, K->X, K->B);
    }
    if (w->full) {
        times(n, K->mu_psi, K->H, K->B);
        times(n, K->scratch, K->H, K->M);
        add(n, K->mu_theta, 1.0, K->scratch);
    } else {
        copy_n(n * n, K->mu_psi, K->H);
    }
    force_slopes(w, K, c, at, xi);
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
    double *N_F = has_force(w) ? w->full ? K->N_F : K->N : 0, *N_mu = w->full ? K->N : 0;
    lie_status status = LIE_OK;
    zero_n(n * n, K->D_psi);
    zero_n(n * n, K->D_theta);
    if (N_F) {
        transposed_times(n, K->D_psi, K->B, K->F_psi);
        transposed_times(n, K->D_theta, K->B, K->F_theta);
        status = contract(w, N_F, N_mu, K->scratch, theta, F, mu);
        add(n, K->D_theta, 1.0, N_F);
    } else if (N_mu) {
        status = contract(w, N_mu, 0, K->scratch, theta, mu, 0);
    }
    if (status != LIE_OK) return status;
    if (!w->full) {
        copy_n(n * n, K->Q_psi, K->mu_psi);
        copy_n(n * n, K->Q_theta, K->mu_theta);
        return LIE_OK;
    }
    transposed_times(n, K->Q_psi, K->B, K->mu_psi);
    transposed_times(n, K->Q_theta, K->B, K->mu_theta);
    add(n, K->Q_theta, 1.0, N_mu);
    transposed_times(n, K->scratch, K->M, K->mu_psi);
    add(n, K->D_psi, 1.0, K->scratch);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) K->D_psi[i * n + j] += K->N[j * n + i];
    transposed_times(n, K->scratch, K->M, K->mu_theta);
    add(n, K->D_theta, 1.0, K->scratch);
    return add_curvature(w, K, theta, psi, mu);
}

/* out: eta -> ad*_eta p */
static void bracket_matrix(const vprk *w, double *out, const double *p)
{
    const lie_ops *G = w->st->group;
    double e[LIE_DIM_MAX] = {0.0}, column[LIE_DIM_MAX];
    int n = w->n;
    for (int j = 0; j < n; j++) {
        e[j] = 1.0;
        G->adt(G, column, e, p);
        e[j] = 0.0;
        for (int i = 0; i < n; i++) out[i * n + j] = column[i];
    }
}

/* of the impulse A^T F */
static void impulse_slopes(const vprk *w, const vprk_slopes *K, const double *F)
{
    int n = w->n;
    zero_n(n * n, K->P_psi);
    zero_n(n * n, K->P_theta);
    if (!has_force(w)) return;
    bracket_matrix(w, K->N, F);
    times(n, K->scratch, K->N, K->B);
    add(n, K->F_theta, -1.0, K->scratch);
    transposed_times(n, K->P_psi, K->A, K->F_psi);
    transposed_times(n, K->P_theta, K->A, K->F_theta);
}

/* Q_a, D_a, P_a. They take the places of X, F_g and H, in that order: so mu_a = X A is in H first. */
static void place_slopes(const vprk *w, const vprk_slopes *K)
{
    int n = w->n;
    double *mu_a = K->H;
    if (has_mixed(w)) times(n, mu_a, K->X, K->A);
    zero_n(n * n, K->D_a);
    zero_n(n * n, K->Q_a);
    if (has_force(w)) transposed_times(n, K->D_a, K->B, K->F_a);
    if (has_mixed(w) && w->full) {
        transposed_times(n, K->scratch, K->M, mu_a);
        add(n, K->D_a, 1.0, K->scratch);
        transposed_times(n, K->Q_a, K->B, mu_a);
    } else if (has_mixed(w)) {
        copy_n(n * n, K->Q_a, mu_a);
    }
    zero_n(n * n, K->P_a);
    if (has_force(w)) transposed_times(n, K->P_a, K->A, K->F_a);
}

/* A = Ad_{T^-1}, whose transpose is that of the impulses */
static lie_status change_frame(const vprk *w, const vprk_slopes *K, const double *T)
{
    const lie_ops *G = w->st->group;
    double inverse[LIE_SIZE_MAX];
    int n = w->n;
    G->inv(G, inverse, T);
    lie_status status = lie_ops_linear_matrix(G, G->Adt, K->N, inverse);
    for (int i = 0; i < n * n; i++) K->A[i % n * n + i / n] = K->N[i];
    return status;
}

lie_status lie__vprk_stage_slopes(const vprk *w, const vprk_slopes *K, int i, const double *psi)
{
    const lie_ops *G = w->st->group;
    const lie_system *sys = w->st->system;
    double theta[LIE_DIM_MAX] = {0.0}, T[LIE_SIZE_MAX], at[LIE_SIZE_MAX], xi[LIE_DIM_MAX], mu[LIE_DIM_MAX],
           F[LIE_DIM_MAX];
    double f[LIE_DIM_MAX], c = w->st->tableau->c[i];
    int n = w->n;
    stage_coordinate(w, theta, i, psi);
    lie_status status = G->tau(G, T, theta);
    if (status != LIE_OK) return status;
    G->mul(G, at, w->a, T);
    for (int k = 0; k < n; k++) xi[k] = -theta[k];
    if (w->full)
        status = G->dtau(G, xi, xi, psi + i * n);
    else
        copy_n(n, xi, psi + i * n);
    if (status == LIE_OK) status = change_frame(w, K, T);
    if (status != LIE_OK) return status;
    lie_system_momentum(sys, mu, at, xi);
    lie_system_force(sys, F, at, xi);
    if (w->full && w->st->is.has_external) {
        external_at(forcing_of(w), f, c, at, xi);
        for (int k = 0; k < n; k++) F[k] += f[k];
    }
    status = system_slopes(w, K, c, at, xi, theta, psi + i * n);
    if (status == LIE_OK) status = equation_slopes(w, K, theta, psi + i * n, mu, F);
    if (status != LIE_OK) return status;
    impulse_slopes(w, K, F);
    if (wants_anchor(w)) place_slopes(w, K);
    return LIE_OK;
}

lie_status lie__vprk_anchor_slopes(const vprk *w, const vprk_slopes *K)
{
    const lie_ops *G = w->st->group;
    double x[LIE_DIM_MAX] = {0.0}, p[LIE_DIM_MAX] = {0.0};
    int n = w->n;
    for (int i = 0; i < n; i++) x[i] = -w->anchor * w->theta[i], p[i] = w->P[i] - w->impulses[i];
    lie_status status = lie_ops_tangent_matrix(G, G->dtau, K->S, x);
    for (int i = 0; i < n * n; i++) K->S[i] *= w->anchor;
    bracket_matrix(w, K->Z, p);
    return status;
}

/* J_jk += block */
static void put(const vprk *w, double *J, int j, int k, double f, const double *block)
{
    int n = w->n, N = w->s * n;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) J[(j * n + a) * N + k * n + b] += f * block[a * n + b];
}

/* What the motion of the anchor does to the rows through stage i, before S: to all by Q and D, in W; to P, in Z */
static void add_motion(const vprk *w, const vprk_slopes *K, int i)
{
    const double *b = w->st->tableau->b, h = w->h;
    int n = w->n;
    if (!has_force(w)) return;
    add(n, w->W + i * n * n, 1.0, K->Q_a);
    for (int j = 0; j < w->s; j++) add(n, w->W + j * n * n, h * b[i] * stage_weight(w, i, j) / b[j], K->D_a);
    add(n, K->Z, h * b[i], K->P_a);
}

/* What stage i puts into every row j and column k */
static void put_stage(const vprk *w, double *J, const vprk_slopes *K, int i)
{
    const lie_tableau *tab = w->st->tableau;
    int n = w->n, s = w->s, has_impulse = has_force(w);
    if (has_impulse) {
        times(n, K->B, K->L, K->P_psi);
        times(n, K->M, K->L, K->P_theta);
    }
    put(w, J, i, i, 1.0, K->Q_psi);
    for (int k = 0; k < s; k++) put(w, J, i, k, w->h * stage_weight(w, i, k), K->Q_theta);
    for (int j = 0; j < s; j++) {
        double d = w->h * tab->b[i] * stage_weight(w, i, j) / tab->b[j], p = -w->h * tab->b[i] * (1.0 - w->anchor);
        put(w, J, j, i, d, K->D_psi);
        if (has_impulse) put(w, J, j, i, p, K->B);
        for (int k = 0; k < s; k++) {
            double h_a = w->h * stage_weight(w, i, k);
            put(w, J, j, k, d * h_a, K->D_theta);
            if (has_impulse) put(w, J, j, k, p * h_a, K->M);
        }
    }
}

/* What the end of the step puts there: d/dtheta ((dtau_v)^T p), with what the motion of the anchor does to P; and an
 * external force at the start of the step */
static lie_status put_end(const vprk *w, double *J, const vprk_slopes *K)
{
    double minus[LIE_DIM_MAX], xi[LIE_DIM_MAX], p[LIE_DIM_MAX] = {0.0};
    int n = w->n;
    for (int i = 0; i < n; i++) minus[i] = -w->v[i], xi[i] = w->theta[i] / w->h;
    mean_momentum(w, p);
    lie_status status = contract(w, K->N, 0, K->scratch, minus, p, 0);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n * n; i++) K->N[i] *= w->anchor - 1.0;
    if (!w->full && w->st->is.has_external) {
        lie__external_deriv(forcing_of(w), K->H, 0.0, w->at->g, xi);
        times(n, K->scratch, K->L, K->H);
        add(n, K->N, 0.5, K->scratch);
    }
    if (w->anchor != 0.0) times(n, K->M, K->L, K->Z);
    for (int j = 0; j < w->s; j++) {
        double *row = w->anchor != 0.0 ? K->B : K->N;
        if (w->anchor != 0.0) {
            add(n, w->W + j * n * n, w->anchor - 1.0, K->M);
            times(n, row, w->W + j * n * n, K->S);
            for (int i = 0; i < n * n; i++) row[i] = K->N[i] - row[i];
        }
        for (int k = 0; k < w->s; k++) put(w, J, j, k, -w->h * w->st->tableau->b[k], row);
    }
    return LIE_OK;
}

lie_status lie__vprk_jacobian(const newton *N, double *J, const double *psi)
{
    const vprk *w = (const vprk *)N->problem;
    const lie_ops *G = w->st->group;
    vprk_slopes K = lie__vprk_split(w);
    lie_status status = lie_ops_tangent_matrix(G, G->dtaut, K.L, w->v);
    zero_n(N->n * N->n, J);
    if (w->anchor != 0.0) zero_n(N->n * w->n, w->W);
    if (status == LIE_OK && w->anchor != 0.0) status = lie__vprk_anchor_slopes(w, &K);
    for (int i = 0; i < w->s && status == LIE_OK; i++) {
        status = lie__vprk_stage_slopes(w, &K, i, psi);
        if (status != LIE_OK) return status;
        put_stage(w, J, &K, i);
        if (w->anchor != 0.0) add_motion(w, &K, i);
    }
    if (status == LIE_OK) status = put_end(w, J, &K);
    return status;
}
