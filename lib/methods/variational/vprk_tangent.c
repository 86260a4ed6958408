/* SPDX-License-Identifier: MIT */
/* vprk_tangent.c: the derivative of a step of vprk.c, through its equations r(psi; g, m) = 0.
 *
 * A variation (eta, nu) of the start moves the anchor of the chart by eta_a = Ad_{tau(-u)} eta in its body frame, u =
 * anchor theta the way there (0 from the start), and brings Ad*_{tau(u)} nu to it. At fixed psi, with the slopes along
 * the anchor of vprk_jacobian.c:
 *     dQ_i = Q_a eta_a,   dD_i = D_a eta_a,   dP = Ad*_{tau(u)} nu + h sum_i b_i P_a eta_a
 *                                                              (truncated: + h/2 f_g eta, f at the start)
 *     dp = anchor nu + (1 - anchor) dP
 * and psi follows: J dpsi = -dr, J the Jacobian. Then dtheta = h sum b_j dpsi_j, eta_a gets S dtheta, dP what psi adds,
 * and the end of the step is that of all methods (tangent.h) with the anchor for its start. */
#include "lib/methods/variational/tangent.h"
#include "lib/methods/variational/vprk.h"

/* In the work memory of a tangent. N unknowns, 2 n columns. */
typedef struct parts {
    double *J, *R, *dP, *dx, *from, *scratch; /* from: eta_a */
} parts;

int lie__vprk_tangent_doubles(const lie_stepper *st)
{
    int n = st->group->dim, N = st->tableau->stages * n;
    return N * N + 2 * N * n + 6 * n * n + 4 * n * n;
}

static parts divide(const vprk *w, double *work)
{
    int n = w->n, N = w->s * n;
    parts p;
    p.J = work;
    p.R = p.J + N * N;
    p.dP = p.R + 2 * N * n;
    p.dx = p.dP + 2 * n * n;
    p.from = p.dx + 2 * n * n;
    p.scratch = p.from + 2 * n * n;
    return p;
}

/* out (n x 2 n) += f A B, A n x n */
static void add_product(int n, double *out, double f, const double *A, const double *B)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++)
            for (int k = 0; k < n; k++) out[i * 2 * n + j] += f * A[i * n + k] * B[k * 2 * n + j];
}

/* What stage i does to the equations and to P, for psi fixed. */
static void add_stage(const vprk *w, const vprk_slopes *K, const parts *p, int i)
{
    const double *b = w->st->tableau->b;
    int n = w->n, s = w->s;
    add_product(n, p->dP, w->h * b[i], K->P_a, p->from);
    add_product(n, p->R + i * 2 * n * n, 1.0, K->Q_a, p->from);
    for (int j = 0; j < s; j++)
        add_product(n, p->R + j * 2 * n * n, w->h * b[i] * stage_weight(w, i, j) / b[j], K->D_a, p->from);
}

/* eta_a, and what of nu comes to the anchor in dP; from the start in truncated methods an external force */
static lie_status start_variation(const vprk *w, const vprk_slopes *K, const parts *p)
{
    const lie_ops *G = w->st->group;
    int n = w->n, has_node_force = !w->full && w->st->is.has_external;
    double T[LIE_SIZE_MAX], x[LIE_DIM_MAX], *turned = K->scratch, *brought = K->N;
    for (int i = 0; i < n; i++) x[i] = w->anchor * w->theta[i];
    lie_status status = G->tau(G, T, x);
    if (status == LIE_OK) status = lie_ops_linear_matrix(G, G->Adt, brought, T);
    G->inv(G, T, T);
    if (status == LIE_OK) status = lie_ops_linear_matrix(G, G->Ad, turned, T);
    for (int i = 0; i < 2 * n * n; i++) {
        int row = i / (2 * n), column = i % (2 * n);
        p->from[i] = column < n ? turned[row * n + column] : 0.0;
        p->dP[i] = column < n ? 0.0 : brought[row * n + column - n];
    }
    if (!has_node_force) return status;
    zero_n(n * n, K->scratch);
    for (int i = 0; i < n; i++) x[i] = w->theta[i] / w->h;
    lie__external_along(forcing_of(w), K->scratch, 0.0, w->at->g, x);
    add_product(n, p->dP, 0.5 * w->h, K->scratch, p->from);
    return status;
}

/* dr in R, and dP at fixed psi */
static lie_status equations_along(const vprk *w, const parts *p)
{
    int n = w->n, s = w->s;
    double *dp = p->scratch;
    vprk_slopes K = lie__vprk_split(w);
    zero_n(2 * s * n * n, p->R);
    lie_status status = start_variation(w, &K, p);
    for (int i = 0; i < s && status == LIE_OK; i++) {
        status = lie__vprk_stage_slopes(w, &K, i, w->psi);
        if (status == LIE_OK) add_stage(w, &K, p, i);
    }
    if (status == LIE_OK) status = lie_ops_tangent_matrix(w->st->group, w->st->group->dtaut, K.L, w->v);
    if (status != LIE_OK) return status;
    for (int i = 0; i < 2 * n * n; i++)
        dp[i] = (1.0 - w->anchor) * p->dP[i] + (i % (2 * n) == n + i / (2 * n) ? w->anchor : 0.0);
    for (int j = 0; j < s; j++) add_product(n, p->R + j * 2 * n * n, -1.0, K.L, dp);
    return LIE_OK;
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

/* dx = dtheta, and what dpsi adds to eta_a and dP */
static lie_status follow(const vprk *w, const parts *p)
{
    const double *b = w->st->tableau->b;
    int n = w->n, s = w->s;
    vprk_slopes K = lie__vprk_split(w);
    zero_n(2 * n * n, p->dx);
    for (int j = 0; j < s; j++)
        for (int k = 0; k < 2 * n * n; k++) p->dx[k] += w->h * b[j] * p->R[j * 2 * n * n + k];
    lie_status status = w->anchor != 0.0 ? lie__vprk_anchor_slopes(w, &K) : LIE_OK;
    for (int i = 0; i < s && status == LIE_OK; i++) {
        status = lie__vprk_stage_slopes(w, &K, i, w->psi);
        if (status != LIE_OK) return status;
        add_product(n, p->dP, w->h * b[i], K.P_psi, p->R + i * 2 * n * n);
        for (int j = 0; j < s; j++)
            add_product(n, p->dP, w->h * w->h * b[i] * stage_weight(w, i, j), K.P_theta, p->R + j * 2 * n * n);
        if (w->anchor == 0.0) continue;
        zero_n(2 * n * n, p->scratch);
        add_product(n, p->scratch, w->h * b[i], K.S, p->dx);
        add_product(n, p->dP, 1.0, K.P_a, p->scratch);
    }
    if (w->anchor == 0.0) return status;
    zero_n(2 * n * n, p->scratch);
    add_product(n, p->scratch, 1.0, K.S, p->dx);
    add_product(n, p->dP, 1.0, K.Z, p->scratch);
    for (int k = 0; k < 2 * n * n; k++) p->from[k] += p->scratch[k];
    for (int k = 0; k < 2 * n * n; k++) p->dx[k] *= 1.0 - w->anchor;
    return status;
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
    int n = w->n, has_node_force = !w->full && w->st->is.has_external;
    w->st = st, w->at = from, w->h = h, w->fine = 1;
    lie_status status = lie__vprk_evaluate(w);
    if (status == LIE_OK) status = equations_along(w, &p);
    if (status == LIE_OK) status = solve_all(w, &p);
    if (status == LIE_OK) status = follow(w, &p);
    w->fine = 0;
    if (status != LIE_OK) return status;
    if (has_node_force) add_node_force(w, &p, p.dP, 0.0, from->g);
    status = lie__tangent_end(st->group, T, w->v, w->P, w->anchor == 0.0 ? 0 : p.from, p.dx, p.dP, p.scratch);
    if (status != LIE_OK || !has_node_force) return status;
    double xi[LIE_DIM_MAX], *f_g = p.J;
    zero_n(n * n, f_g);
    for (int i = 0; i < n; i++) xi[i] = w->theta[i] / h;
    lie__external_along(forcing_of(w), f_g, 1.0, to->g, xi);
    lie__tangent_kick(n, T, 0.5 * h, f_g);
    add_node_force(w, &p, T + 2 * n * n, 1.0, to->g);
    return LIE_OK;
}
