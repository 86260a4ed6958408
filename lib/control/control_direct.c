/* SPDX-License-Identifier: MIT */
/* control_direct.c: equations of one interval with their exact derivatives; see control_direct.h.
 *
 *     d g_k: zeta_k = dline_{-eta_k} d eta_k;   y = tau^-1(g_k^-1 g_{k+1}):
 *     dy = dtau^-1_{-y} (zeta_{k+1} - Ad_{tau(-y)} zeta_k);      dq/dh = (Q xi - q)/h, since q depends on h by h xi */
#include "lib/control/control_direct.h"

#include <math.h>

/* One end of the interval: pose, what acts there, and its derivatives in the pose, in xi and in u */
typedef struct end {
    double g[LIE_SIZE_MAX], zeta[CONTROL_SQUARE]; /* zeta: of eta */
    double force[CONTROL_DIM];                    /* F + f0 + B u */
    double rate[CONTROL_DIM];                     /* d f0/dt */
    double by_g[CONTROL_SQUARE], by_xi[CONTROL_SQUARE], B[CONTROL_DIM * CONTROL_INPUTS];
} end;

/* d f0/dt by central differences of order 4 over 2^-10 of T; 0 to the bit where the force does not change */
static void force_rate(const control_problem *P, double *rate, double t, const double *g, const double *xi)
{
    static const double shift[4] = {1.0, -1.0, 2.0, -2.0}, factor[4] = {8.0, -8.0, -1.0, 1.0};
    double f[CONTROL_DIM], d = 0x1p-10 * P->h * P->N;
    zero_n(P->n, rate);
    for (int i = 0; i < 4 && P->base->external; i++) {
        lie_system_external(P->base, f, t + shift[i] * d, g, xi, 0);
        for (int j = 0; j < P->n; j++) rate[j] += factor[i] * f[j];
    }
    for (int j = 0; j < P->n; j++) rate[j] /= 12.0 * d;
}

static lie_status make_end(const control_problem *P, end *at, int k, const double *reference, const double *eta,
                           const double *xi, const double *u, int derivatives)
{
    const lie_ops *L = P->line;
    double minus[CONTROL_DIM], F[CONTROL_DIM] = {0.0}, f[CONTROL_DIM];
    int n = P->n;
    for (int i = 0; i < n; i++) minus[i] = -eta[i];
    lie_status status = L->tau(L, at->g, eta);
    if (status != LIE_OK) return status;
    L->mul(L, at->g, reference + k * P->size, at->g);
    lie__control_inputs(P, at->B, at->g);
    if (P->base->force) P->base->force(P->base, F, at->g);
    lie__control_drag(P, f, k, at->g, xi);
    for (int i = 0; i < n; i++) {
        at->force[i] = F[i] + f[i];
        for (int j = 0; j < P->m; j++) at->force[i] += at->B[i * P->m + j] * u[j];
    }
    if (!derivatives) return LIE_OK;
    zero_n(n * n, at->by_g);
    zero_n(n * n, at->by_xi);
    if (P->base->force) lie_system_force_deriv(P->base, at->by_g, at->g, P->ends.nu0);
    if (P->inputs.spatial) lie__control_wrench_along(P, at->by_g, at->g, u);
    if (P->varies) lie__control_drag_along(P, at->by_g, 1.0, k, at->g, xi);
    if (P->base->external) lie_system_external_deriv(P->base, at->by_xi, k * P->h, at->g, xi, 0);
    force_rate(P, at->rate, k * P->h, at->g, xi);
    return lie_ops_tangent_matrix(L, L->dtau, at->zeta, minus);
}

/* out (n x n, in rows of `row`) += factor A B */
static void put_product(int n, double *out, int row, double factor, const double *A, const double *B)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
            out[i * row + j] += factor * sum;
        }
}

/* Momentum equation at one end: sign 1 the start, -1 the end of the interval. q = q(sign xi), Q its slope there. */
static void put_momentum(const control_problem *P, double *J, int sign, const end *at, double moment, const double *Q,
                         const double *q, const double *xi)
{
    int n = P->n, m = P->m, columns = direct_columns(P), late = sign < 0;
    int pose = late ? 3 * n + 2 * m : 0, input = 3 * n + (late ? m : 0);
    put_product(n, J + pose, columns, 0.5 * P->h, at->by_g, at->zeta);
    for (int i = 0; i < n; i++) {
        double slope = 0.0;
        J[i * columns + pose + n + i] = late ? -1.0 : 1.0;
        for (int j = 0; j < n; j++) {
            J[i * columns + 2 * n + j] += 0.5 * P->h * at->by_xi[i * n + j] - sign * Q[i * n + j];
            slope += sign * Q[i * n + j] * xi[j];
        }
        for (int j = 0; j < m; j++) J[i * columns + input + j] = 0.5 * P->h * at->B[i * m + j];
        J[i * columns + columns - 1] = (0.5 * (at->force[i] + moment * at->rate[i]) - (slope - q[i]) / P->h) / P->N;
    }
}

/* Late: r2 has -q(-xi): its derivative in xi is +Q(-xi), and d/dh of -q(-xi; h) = -(Q(-xi)(-xi) - q(-xi))/h. */
static lie_status momentum_slopes(const control_problem *P, int k, double *J, const end *a, const end *b,
                                  const double *xi, const double *q, const double *q_minus)
{
    double x[CONTROL_DIM], minus[CONTROL_DIM], Q[CONTROL_SQUARE];
    int n = P->n;
    for (int i = 0; i < n; i++) x[i] = P->h * xi[i], minus[i] = -x[i];
    lie_status status = lie__control_legendre_slope(P, Q, x, q);
    if (status != LIE_OK) return status;
    put_momentum(P, J, 1, a, k * P->h, Q, q, xi);
    status = lie__control_legendre_slope(P, Q, minus, q_minus);
    if (status == LIE_OK) put_momentum(P, J + n * direct_columns(P), -1, b, (k + 1) * P->h, Q, q_minus, xi);
    return status;
}

static lie_status kinematic_slopes(const control_problem *P, double *J, const end *a, const end *b, const double *y,
                                   const double *xi)
{
    const lie_ops *G = P->G;
    double minus[CONTROL_DIM], D[CONTROL_SQUARE], T[LIE_SIZE_MAX], Ad[CONTROL_SQUARE], DA[CONTROL_SQUARE] = {0.0};
    int n = P->n, columns = direct_columns(P);
    for (int i = 0; i < n; i++) minus[i] = -y[i];
    lie_status status = lie_ops_tangent_matrix(G, G->dtauinv, D, minus);
    if (status == LIE_OK) status = G->tau(G, T, minus);
    if (status == LIE_OK) status = lie_ops_linear_matrix(G, G->Ad, Ad, T);
    if (status != LIE_OK) return status;
    put_product(n, DA, n, 1.0, D, Ad);
    put_product(n, J, columns, -1.0, DA, a->zeta);
    put_product(n, J + 3 * n + 2 * P->m, columns, 1.0, D, b->zeta);
    for (int i = 0; i < n; i++) {
        J[i * columns + 2 * n + i] -= P->h;
        J[i * columns + columns - 1] = -xi[i] / P->N;
    }
    return LIE_OK;
}

lie_status lie__control_direct(control_problem *P, int k, const double *reference, const double *v, double *r,
                               double *J)
{
    const lie_ops *G = P->G;
    int n = P->n, m = P->m, columns = direct_columns(P), late = 3 * n + 2 * m;
    const double *xi = v + 2 * n;
    double x[CONTROL_DIM], mu[CONTROL_DIM], q[CONTROL_DIM], q_minus[CONTROL_DIM], y[CONTROL_DIM], T[LIE_SIZE_MAX];
    end a, b;
    P->h = v[columns - 1] / P->N;
    for (int i = 0; i < n; i++) {
        x[i] = P->h * xi[i], mu[i] = 0.0;
        for (int j = 0; j < n; j++) mu[i] += P->base->inertia[i * n + j] * xi[j];
    }
    lie_status status = make_end(P, &a, k, reference, v, xi, v + 3 * n, J != 0);
    if (status == LIE_OK) status = make_end(P, &b, k + 1, reference, v + late, xi, v + 3 * n + m, J != 0);
    if (status == LIE_OK) status = G->dtauinvt(G, q, x, mu);
    if (status == LIE_OK) status = G->tau(G, T, x);
    if (status != LIE_OK) return status;
    G->Adt(G, q_minus, T, q);
    G->inv(G, T, a.g);
    G->mul(G, T, T, b.g);
    status = G->tauinv(G, y, T);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n; i++) {
        r[i] = v[n + i] + 0.5 * P->h * a.force[i] - q[i];
        r[n + i] = q_minus[i] + 0.5 * P->h * b.force[i] - v[late + n + i];
        r[2 * n + i] = y[i] - x[i];
        q_minus[i] = -q_minus[i];
    }
    if (!J) return LIE_OK;
    zero_n(3 * n * columns, J);
    status = momentum_slopes(P, k, J, &a, &b, xi, q, q_minus);
    return status == LIE_OK ? kinematic_slopes(P, J + 2 * n * columns, &a, &b, y, xi) : status;
}
