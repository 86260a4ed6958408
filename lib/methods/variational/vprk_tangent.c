/* SPDX-License-Identifier: MIT */
/* vprk_tangent.c: the derivative of a step of vprk.c, through its equations r(psi; g, m) = 0.
 *
 * A variation (eta, nu) of the start moves stage i by A_i eta in its body frame, A_i = Ad_{tau(-theta_i)}, at fixed
 * psi:
 *     dmu_i = X A_i eta,    dF_i = (F_g + f_g) A_i eta
 *     dQ_i = B^T dmu_i,     dD_i = M^T dmu_i + B^T dF_i         (truncated: dmu_i; B^T dF_i)
 *     dP = nu + h sum_i b_i A_i^T dF_i                          (truncated: + h/2 f_g eta, f at the start)
 * and psi follows: J dpsi = -dr, J the Jacobian of vprk_jacobian.c. Then dtheta = h sum b_j dpsi_j, dP gets what
 * psi adds to the impulses, and the end of the step is that of all methods (tangent.h). */
#include "lib/methods/variational/tangent.h"
#include "lib/methods/variational/vprk.h"

/* In the work memory of a tangent. N unknowns, 2 n columns. */
typedef struct parts {
    double *J, *R, *dP, *dx, *scratch;
} parts;

int lie__vprk_tangent_doubles(const lie_stepper *st)
{
    int n = st->group->dim, N = st->tableau->stages * n;
    return N * N + 2 * N * n + 4 * n * n + 4 * n * n;
}

static parts divide(const vprk *w, double *work)
{
    int n = w->n, N = w->s * n;
    parts p;
    p.J = work;
    p.R = p.J + N * N;
    p.dP = p.R + 2 * N * n;
    p.dx = p.dP + 2 * n * n;
    p.scratch = p.dx + 2 * n * n;
    return p;
}

/* out (rows of `columns`) += f A B, A and B n x n */
static void add_product(int n, double *out, int columns, double f, const double *A, const double *B)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) out[i * columns + j] += f * A[i * n + k] * B[k * n + j];
}

/* the same with A^T */
static void add_transposed(int n, double *out, int columns, double f, const double *A, const double *B)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) out[i * columns + j] += f * A[k * n + i] * B[k * n + j];
}

/* dmu_i and dF_i of a stage as n x n matrices of eta, and A_i */
static lie_status stage_variation(const vprk *w, const vprk_slopes *K, int i, double *dmu, double *dF, double *A)
{
    const lie_ops *G = w->st->group;
    double theta[LIE_DIM_MAX], T[LIE_SIZE_MAX], at[LIE_SIZE_MAX], xi[LIE_DIM_MAX], *F_g = K->scratch;
    int n = w->n;
    stage_coordinate(w, theta, i, w->psi);
    lie_status status = G->tau(G, T, theta);
    if (status != LIE_OK) return status;
    G->mul(G, at, w->at->g, T);
    G->inv(G, T, T);
    for (int k = 0; k < n; k++) theta[k] = -theta[k];
    copy_n(n, xi, w->psi + i * n);
    if (w->full) status = G->dtau(G, xi, theta, w->psi + i * n);
    if (status == LIE_OK) status = lie_ops_linear_matrix(G, G->Ad, A, T);
    if (status != LIE_OK) return status;
    lie_system_force_deriv(w->st->system, F_g, at, xi);
    if (w->full && w->st->system->external) lie__external_along(forcing_of(w), F_g, w->st->tableau->c[i], at, xi);
    zero_n(n * n, dmu);
    zero_n(n * n, dF);
    add_product(n, dmu, n, 1.0, K->X, A);
    add_product(n, dF, n, 1.0, F_g, A);
    return LIE_OK;
}

/* What stage i does to the equations and to P, for psi fixed. */
static lie_status add_stage(const vprk *w, const vprk_slopes *K, const parts *p, int i)
{
    const lie_tableau *tab = w->st->tableau;
    int n = w->n, s = w->s;
    double *dmu = p->scratch, *dF = dmu + n * n, *A = dF + n * n, *dD = A + n * n;
    lie_status status = stage_variation(w, K, i, dmu, dF, A);
    if (status != LIE_OK) return status;
    add_transposed(n, p->dP, 2 * n, w->h * tab->b[i], A, dF);
    zero_n(n * n, dD);
    add_transposed(n, dD, n, 1.0, K->B, dF);
    if (w->full) add_transposed(n, dD, n, 1.0, K->M, dmu);
    double *row = p->R + i * n * 2 * n;
    if (w->full)
        add_transposed(n, row, 2 * n, 1.0, K->B, dmu);
    else
        for (int k = 0; k < n * n; k++) row[k / n * 2 * n + k % n] += dmu[k];
    for (int j = 0; j < s; j++) {
        double f = w->h * tab->b[i] * tab->A[i * s + j] / tab->b[j];
        for (int k = 0; k < n * n; k++) p->R[j * n * 2 * n + k / n * 2 * n + k % n] += f * dD[k];
    }
    return LIE_OK;
}

/* dr in R, and dP at fixed psi */
static lie_status equations_along(const vprk *w, const parts *p)
{
    int n = w->n, s = w->s;
    vprk_slopes K = lie__vprk_split(w);
    zero_n(2 * s * n * n, p->R);
    for (int i = 0; i < 2 * n * n; i++) p->dP[i] = i % (2 * n) == n + i / (2 * n) ? 1.0 : 0.0;
    if (!w->full && w->st->system->external) {
        double xi[LIE_DIM_MAX];
        zero_n(n * n, K.scratch);
        for (int i = 0; i < n; i++) xi[i] = w->theta[i] / w->h;
        lie__external_along(forcing_of(w), K.scratch, 0.0, w->at->g, xi);
        for (int i = 0; i < n * n; i++) p->dP[i / n * 2 * n + i % n] += 0.5 * w->h * K.scratch[i];
    }
    lie_status status = LIE_OK;
    for (int i = 0; i < s && status == LIE_OK; i++) {
        status = lie__vprk_stage_slopes(w, &K, i, w->psi);
        if (status == LIE_OK) status = add_stage(w, &K, p, i);
    }
    if (status == LIE_OK) status = lie_ops_tangent_matrix(w->st->group, w->st->group->dtaut, K.L, w->theta);
    for (int j = 0; j < s && status == LIE_OK; j++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < 2 * n; b++)
                for (int k = 0; k < n; k++) p->R[(j * n + a) * 2 * n + b] -= K.L[a * n + k] * p->dP[k * 2 * n + b];
    return status;
}

/* R <- dpsi = -J^-1 dr */
static lie_status solve_all(const vprk *w, const parts *p)
{
    const lie_linear *linear = w->st->options.linear;
    int n = w->n, N = w->s * n;
    newton problem = {.n = N, .problem = (void *)w};
    double column[LIE_STAGES_MAX * LIE_DIM_MAX];
    int pivots[LIE_STAGES_MAX * LIE_DIM_MAX];
    lie_status status = lie__vprk_jacobian(&problem, p->J, w->psi);
    if (status != LIE_OK) return status;
    if (linear->factor(N, p->J, pivots) == 0) return LIE_ERR_SINGULAR;
    for (int b = 0; b < 2 * n; b++) {
        for (int i = 0; i < N; i++) column[i] = -p->R[i * 2 * n + b];
        linear->solve(N, p->J, pivots, column);
        for (int i = 0; i < N; i++) p->R[i * 2 * n + b] = column[i];
    }
    return LIE_OK;
}

/* out (n x 2 n) += f A dpsi_j */
static void add_of_stage(const vprk *w, const parts *p, double *out, double f, const double *A, int j)
{
    int n = w->n;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < 2 * n; b++)
            for (int k = 0; k < n; k++) out[a * 2 * n + b] += f * A[a * n + k] * p->R[(j * n + k) * 2 * n + b];
}

/* dx = dtheta, and what dpsi adds to dP */
static lie_status follow(const vprk *w, const parts *p)
{
    const lie_tableau *tab = w->st->tableau;
    int n = w->n, s = w->s;
    vprk_slopes K = lie__vprk_split(w);
    zero_n(2 * n * n, p->dx);
    for (int j = 0; j < s; j++)
        for (int k = 0; k < 2 * n * n; k++) p->dx[k] += w->h * tab->b[j] * p->R[j * 2 * n * n + k];
    for (int i = 0; i < s; i++) {
        lie_status status = lie__vprk_stage_slopes(w, &K, i, w->psi);
        if (status != LIE_OK) return status;
        add_of_stage(w, p, p->dP, w->h * tab->b[i], K.P_psi, i);
        for (int j = 0; j < s; j++)
            add_of_stage(w, p, p->dP, w->h * w->h * tab->b[i] * tab->A[i * s + j], K.P_theta, j);
    }
    return LIE_OK;
}

/* nu += 1/2 E dtheta: what the velocity theta/h does to half an impulse h f */
static void add_by_velocity(int n, double *nu, const double *E, const double *dx)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < 2 * n; b++)
            for (int k = 0; k < n; k++) nu[a * 2 * n + b] += 0.5 * E[a * n + k] * dx[k * 2 * n + b];
}

/* Forces at the nodes: at the start (joins dP) or at the end (joins nu+). */
static void add_node_force(const vprk *w, const parts *p, double *nu, double c, const double *g)
{
    double xi[LIE_DIM_MAX], *E = p->scratch;
    for (int i = 0; i < w->n; i++) xi[i] = w->theta[i] / w->h;
    lie__external_deriv(forcing_of(w), E, c, g, xi);
    add_by_velocity(w->n, nu, E, p->dx);
}

lie_status lie__vprk_tangent(lie_stepper *st, const lie_place *from, const lie_place *to, double h, double *T,
                             double *work)
{
    vprk *w = (vprk *)st->work;
    parts p = divide(w, work);
    int n = w->n, has_node_force = !w->full && st->system->external;
    w->st = st, w->at = from, w->h = h, w->fine = 1;
    lie_status status = lie__vprk_evaluate(w);
    if (status == LIE_OK) status = equations_along(w, &p);
    if (status == LIE_OK) status = solve_all(w, &p);
    if (status == LIE_OK) status = follow(w, &p);
    w->fine = 0;
    if (status != LIE_OK) return status;
    if (has_node_force) add_node_force(w, &p, p.dP, 0.0, from->g);
    status = lie__tangent_end(st->group, T, w->theta, w->P, p.dx, p.dP, p.scratch);
    if (status != LIE_OK || !has_node_force) return status;
    double xi[LIE_DIM_MAX], *f_g = p.J;
    zero_n(n * n, f_g);
    for (int i = 0; i < n; i++) xi[i] = w->theta[i] / h;
    lie__external_along(forcing_of(w), f_g, 1.0, to->g, xi);
    lie__tangent_kick(n, T, 0.5 * h, f_g);
    add_node_force(w, &p, T + 2 * n * n, 1.0, to->g);
    return LIE_OK;
}
