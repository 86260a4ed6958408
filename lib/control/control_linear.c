/* SPDX-License-Identifier: MIT */
/* control_linear.c: first and second derivatives of one interval of the optimal control problem; see control_linear.h.
 *
 * With x = h xi, w = dtau^-1_x p and M(x, psi) = d(dtau_{-x} psi)/dx, S(xi; p) = <p, q(xi)> = <w, I xi> has
 *     grad S = h M(-x, w)^T q(xi) + I w,
 * because d(dtau^-1_x p) = dtau^-1_x M(-x, w) dx. Its rows for p = e_a are those of Q = dq/dxi. Of the Lagrangian
 *     sum cost_k - sum <p_k, e_k> + <lambda, target>
 * the gradient in xi_k is, with pi the multiplier of the pose,
 *     grad S(xi_k; p_k) - grad S(-xi_k; p_{k+1}) - (h/2)(f0_xi^T p_k + f0_xi^T p_{k+1}) - h dtau_{-x}^T pi_{k+1},
 *     pi_k = Ad*_{tau(-x)} pi_{k+1} + (d e_k/dg_k)^T p_k.
 * These are exact. Second derivatives are central differences of them, over 2^-13 in x: exact for Cayley maps, for
 * which grad S is quadratic, and to 1e-8 otherwise; they decide about the speed of convergence only. Poses are varied
 * by g exp(eta), so that eta_{k+1} = Ad_{tau(-x)} eta_k + h dtau_{-x} dxi to first order, and to second order there is
 * half the bracket of the two terms, and (h^2/2) M(x, dxi) dxi. */
#include "lib/control/control.h"

#include <math.h>

#include "groups/num/newton.h"

#define DIFFERENCE 0x1p-13

/* out (r x c) += factor A (r x l) B (l x c), each with its own row length */
static void add_product(int r, int l, int c, double *out, int out_row, double factor, const double *A, int A_row,
                        const double *B, int B_row)
{
    for (int i = 0; i < r; i++)
        for (int k = 0; k < l; k++) {
            double a = factor * A[i * A_row + k]; // NOLINT(clang-analyzer-core.*): callbacks fill A
            for (int j = 0; j < c; j++) out[i * out_row + j] += a * B[k * B_row + j];
        }
}

/* out (n) += factor A^T v, A n x n */
static void add_transposed(int n, double *out, double factor, const double *A, const double *v)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[j] += factor * v[i] * A[i * n + j]; // NOLINT(clang-analyzer-core.*): callbacks fill A
}

/* out = I v */
static void inertia_times(const control_problem *P, double *out, const double *v)
{
    for (int i = 0; i < P->n; i++) {
        out[i] = 0.0;
        for (int j = 0; j < P->n; j++) out[i] += P->base->inertia[i * P->n + j] * v[j];
    }
}

/* out = grad S(xi; p) with x = h xi, q = q(xi) known */
static lie_status gradient_known(const control_problem *P, double *out, const double *x, const double *q,
                                 const double *p)
{
    const lie_ops *G = P->G;
    double v[CONTROL_DIM] = {0.0}, minus[CONTROL_DIM], M[CONTROL_SQUARE];
    int n = P->n;
    for (int i = 0; i < n; i++) minus[i] = -x[i];
    lie_status status = G->dtauinv(G, v, x, p);
    if (status == LIE_OK) status = G->dtau_body_deriv(G, M, minus, v);
    if (status != LIE_OK) return status;
    inertia_times(P, out, v);
    add_transposed(n, out, P->h, M, q);
    return LIE_OK;
}

/* Q_aj = d q_a/d xi_j at x = h xi */
lie_status lie__control_legendre_slope(const control_problem *P, double *Q, const double *x, const double *q)
{
    double e[CONTROL_DIM] = {0.0};
    lie_status status = LIE_OK;
    for (int a = 0; a < P->n && status == LIE_OK; a++) {
        e[a] = 1.0;
        status = gradient_known(P, Q + a * P->n, x, q, e);
        e[a] = 0.0;
    }
    return status;
}

static lie_status gradient(const control_problem *P, double *out, const double *x, const double *p)
{
    double xi[CONTROL_DIM], q[CONTROL_DIM];
    for (int i = 0; i < P->n; i++) xi[i] = x[i] / P->h;
    inertia_times(P, q, xi);
    lie_status status = P->G->dtauinvt(P->G, q, x, q);
    return status == LIE_OK ? gradient_known(P, out, x, q, p) : status;
}

/* H += d2 S/dxi2 (xi; p) at x = h xi */
static lie_status add_legendre_curvature(const control_problem *P, double *H, const double *x, const double *p)
{
    double at[CONTROL_DIM], plus[CONTROL_DIM] = {0.0}, minus[CONTROL_DIM] = {0.0};
    int n = P->n;
    lie_status status = LIE_OK;
    copy_n(n, at, x);
    for (int j = 0; j < n && status == LIE_OK; j++) {
        at[j] = x[j] + DIFFERENCE;
        status = gradient(P, plus, at, p);
        at[j] = x[j] - DIFFERENCE;
        if (status == LIE_OK) status = gradient(P, minus, at, p);
        at[j] = x[j];
        for (int i = 0; i < n; i++) H[i * n + j] += (plus[i] - minus[i]) * (0.5 * P->h / DIFFERENCE);
    }
    return status;
}

/* H -= (h/2) d2 <p, f0>/dxi2 */
static void add_drag_curvature(const control_problem *P, double *H, int k, const double *g, const double *xi,
                               const double *p)
{
    double at[CONTROL_DIM], D[CONTROL_SQUARE], size = 0.0;
    int n = P->n;
    copy_n(n, at, xi);
    for (int i = 0; i < n; i++) size = fabs(xi[i]) > size ? fabs(xi[i]) : size;
    double d = size > 0.0 ? size * DIFFERENCE : DIFFERENCE;
    for (int j = 0; j < n; j++) {
        for (int side = -1; side <= 1; side += 2) {
            double slope[CONTROL_DIM] = {0.0};
            at[j] = xi[j] + side * d;
            lie_system_external_deriv(P->base, D, k * P->h, g, at, 0);
            add_transposed(n, slope, 1.0, D, p);
            for (int i = 0; i < n; i++) H[i * n + j] -= 0.5 * P->h * side * slope[i] / (2.0 * d);
        }
        at[j] = xi[j];
    }
}

/* out = the wrench of u at g of the inputs that are fixed in space */
static void spatial_wrench(const control_problem *P, double *out, const double *g, const double *u)
{
    double B[CONTROL_DIM * CONTROL_INPUTS];
    lie__control_inputs(P, B, g);
    for (int i = 0; i < P->n; i++) {
        out[i] = 0.0;
        for (int j = 0; j < P->m; j++)
            if (P->actuation->actuator[j % P->actuation->count].kind == LIE_SPATIAL_WRENCH)
                out[i] += B[i * P->m + j] * u[j];
    }
}

void lie__control_wrench_along(const control_problem *P, double *D, const double *g, const double *u)
{
    double wrench[CONTROL_DIM], e[CONTROL_DIM] = {0.0}, column[CONTROL_DIM];
    spatial_wrench(P, wrench, g, u);
    for (int j = 0; j < P->n; j++) {
        e[j] = 1.0;
        P->G->adt(P->G, column, e, wrench);
        e[j] = 0.0;
        for (int i = 0; i < P->n; i++) D[i * P->n + j] += column[i];
    }
}

/* D = d/dg of what acts at node k and after it: h c (F + B u), and where it varies (h/2) f0 of the next interval; 0:
 * none. What (h/2) f0 of the interval before has of the pose is in the variation of b_k. */
static int pose_slope(const lie_control *c, double *D, int k)
{
    const control_problem *P = &c->problem;
    const control_path *s = &c->iterate.now;
    const double *g = s->g + k * P->size;
    int n = P->n;
    zero_n(n * n, D);
    if (!P->base->force && !P->inputs.spatial && !P->varies) return 0;
    if (P->base->force) lie_system_force_deriv(P->base, D, g, P->ends.nu0);
    if (P->inputs.spatial) lie__control_wrench_along(P, D, g, s->u + k * P->m);
    for (int i = 0; i < n * n; i++) D[i] *= node_weight(P, k);
    if (P->varies && k < P->N) lie__control_drag_along(P, D, 0.5 * P->h, k, g, s->xi + k * n);
    return 1;
}

/* pi_k += (d e_k/dg_k)^T p_k, `pose` being the part of pose_slope */
void lie__control_pose_multiplier(const lie_control *c, int k, const double *pose)
{
    const control_problem *P = &c->problem;
    double before[CONTROL_SQUARE] = {0.0};
    int n = P->n;
    add_transposed(n, c->linear.pi + k * n, 1.0, pose, c->iterate.p + k * n);
    if (!P->varies || k == 0) return;
    lie__control_drag_along(P, before, 0.5 * P->h, k, c->iterate.now.g + k * P->size, c->iterate.now.xi + (k - 1) * n);
    add_transposed(n, c->linear.pi + k * n, 1.0, before, c->iterate.p + k * n);
}

/* H (n x n) -= h c d2 <p, F + B u>/dg2, symmetric */
static void add_pose_curvature(const lie_control *c, double *H, int k)
{
    const control_problem *P = &c->problem;
    const double *g = c->iterate.now.g + k * P->size, *p = c->iterate.p + k * P->n;
    double D[CONTROL_SQUARE], at[LIE_SIZE_MAX], x[CONTROL_DIM] = {0.0}, raw[CONTROL_SQUARE] = {0.0};
    double wrench[CONTROL_DIM], first[CONTROL_DIM], second[CONTROL_DIM], ei[CONTROL_DIM] = {0.0};
    int n = P->n;
    for (int j = 0; j < n; j++) {
        for (int side = -1; side <= 1 && P->base->force; side += 2) {
            double slope[CONTROL_DIM] = {0.0};
            x[j] = side * DIFFERENCE;
            if (P->G->tau(P->G, at, x) != LIE_OK) continue;
            P->G->mul(P->G, at, g, at);
            lie_system_force_deriv(P->base, D, at, P->ends.nu0);
            add_transposed(n, slope, 1.0, D, p);
            for (int i = 0; i < n; i++) raw[i * n + j] += side * slope[i] / (2.0 * DIFFERENCE);
        }
        x[j] = 0.0;
        if (!P->inputs.spatial) continue;
        spatial_wrench(P, wrench, g, c->iterate.now.u + k * P->m);
        ei[j] = 1.0;
        P->G->adt(P->G, first, ei, wrench);
        ei[j] = 0.0;
        for (int i = 0; i < n; i++) {
            ei[i] = 1.0;
            P->G->adt(P->G, second, ei, first);
            ei[i] = 0.0;
            for (int a = 0; a < n; a++) raw[i * n + j] += p[a] * second[a];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) H[i * n + j] -= 0.5 * node_weight(P, k) * (raw[i * n + j] + raw[j * n + i]);
}

/* C (n x m) = -h c d2 <p, B u>/dg du */
static void mixed_curvature(const lie_control *c, double *C, int k, const double *B)
{
    const control_problem *P = &c->problem;
    double column[CONTROL_DIM], e[CONTROL_DIM] = {0.0}, turned[CONTROL_DIM];
    for (int j = 0; j < P->m; j++) {
        int turns = P->actuation->actuator[j % P->actuation->count].kind == LIE_SPATIAL_WRENCH;
        for (int i = 0; i < P->n; i++) column[i] = B[i * P->m + j];
        for (int i = 0; i < P->n; i++) {
            double sum = 0.0;
            e[i] = 1.0;
            P->G->adt(P->G, turned, e, column);
            e[i] = 0.0;
            for (int a = 0; a < P->n && turns; a++) sum += c->iterate.p[k * P->n + a] * turned[a];
            C[i * P->m + j] = -node_weight(P, k) * sum;
        }
    }
}

/* Curvature of the interval: xx in xi, ex between pose and xi (each n x n). */
static lie_status interval_curvature(const lie_control *c, int k, const double *x, const double *Ad, const double *Dt,
                                     double *xx, double *ex)
{
    const control_problem *P = &c->problem;
    const lie_ops *G = P->G;
    const double *pi = c->linear.pi + (k + 1) * P->n, *p = c->iterate.p + k * P->n, *xi = c->iterate.now.xi + k * P->n;
    double minus[CONTROL_DIM], M[CONTROL_SQUARE], e[CONTROL_DIM] = {0.0}, S[CONTROL_SQUARE] = {0.0}, SD[CONTROL_SQUARE];
    double column[CONTROL_DIM];
    int n = P->n;
    zero_n(n * n, xx);
    zero_n(n * n, ex);
    zero_n(n * n, SD);
    for (int i = 0; i < n; i++) minus[i] = -x[i];
    lie_status status = add_legendre_curvature(P, xx, x, p);
    if (status == LIE_OK) status = add_legendre_curvature(P, xx, minus, p + n);
    if (status != LIE_OK) return status;
    if (P->base->external) {
        add_drag_curvature(P, xx, k, c->iterate.now.g + k * P->size, xi, p);
        add_drag_curvature(P, xx, k + 1, c->iterate.now.g + (k + 1) * P->size, xi, p + n);
    }
    for (int i = 0; i < n; i++) {
        e[i] = 1.0;
        status = G->dtau_body_deriv(G, M, x, e);
        G->adt(G, column, e, pi); /* <pi, [e_i, e_j]> = (ad*_{e_i} pi)_j */
        e[i] = 0.0;
        if (status != LIE_OK) return status;
        copy_n(n, S + i * n, column);
        for (int j = 0; j < n; j++)
            for (int a = 0; a < n; a++) {
                double half = 0.5 * P->h * P->h * pi[a] * M[a * n + j];
                xx[i * n + j] -= half;
                xx[j * n + i] -= half;
            }
    }
    add_product(n, n, n, SD, n, 1.0, S, n, Dt, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int a = 0; a < n; a++) ex[i * n + j] -= 0.5 * P->h * Ad[a * n + i] * SD[a * n + j];
    return LIE_OK;
}

/* out->dxi = K^-1 (pose, 1, h c B, e), K = Q - (h/2) f0_xi */
static lie_status velocity_columns(const lie_control *c, int k, control_linear *out, double *K, const double *pose,
                                   const double *B)
{
    const control_problem *P = &c->problem;
    int n = P->n, columns = 2 * n + P->m + 1, pivots[CONTROL_DIM];
    double v[CONTROL_DIM], share = node_weight(P, k);
    if (lie__linear_plain.factor(n, K, pivots) == 0) return LIE_ERR_SINGULAR;
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < n; i++)
            v[i] = j < n              ? pose[i * n + j]
                   : j < 2 * n        ? (i == j - n ? 1.0 : 0.0)
                   : j < 2 * n + P->m ? share * B[i * P->m + j - 2 * n]
                                      : c->iterate.now.e[k * n + i];
        lie__linear_plain.solve(n, K, pivots, v);
        for (int i = 0; i < n; i++) out->dxi[i * columns + j] = v[i];
    }
    return LIE_OK;
}

/* out->hessian from the curvatures, poses and velocities carried to (z, u, 1) */
static void project_curvature(const lie_control *c, control_linear *out, const double *xx, const double *ex,
                              const double *ee, const double *eu)
{
    const control_problem *P = &c->problem;
    int n = P->n, s = 2 * n, m = P->m, columns = s + m + 1;
    double *H = out->hessian, Y[CONTROL_DIM * CONTROL_COLUMNS];
    if (c->linear.curvature == 0.0) return;
    zero_n(n * columns, Y);
    add_product(n, n, columns, Y, columns, 1.0, xx, n, out->dxi, columns);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) Y[i * columns + j] += ex[j * n + i];
    for (int a = 0; a < n; a++)
        for (int i = 0; i < s + m; i++) {
            double f = c->linear.curvature * out->dxi[a * columns + i];
            for (int j = 0; j < columns; j++) H[i * columns + j] += f * Y[a * columns + j];
        }
    add_product(n, n, columns, H, columns, c->linear.curvature, ex, n, out->dxi, columns);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) H[i * columns + j] += c->linear.curvature * ee[i * n + j];
        for (int j = 0; j < m; j++) {
            H[i * columns + s + j] += c->linear.curvature * eu[i * m + j];
            H[(s + j) * columns + i] += c->linear.curvature * eu[i * m + j];
        }
    }
}

/* Everything of a node that does not depend on what follows: inputs, slope in the pose, curvatures in pose and u */
int lie__control_node_slopes(const lie_control *c, int k, double *B, double *pose, double *ee, double *eu)
{
    const control_problem *P = &c->problem;
    lie__control_inputs(P, B, c->iterate.now.g + k * P->size);
    zero_n(P->n * P->n, ee);
    zero_n(P->n * P->m, eu);
    int moves = pose_slope(c, pose, k);
    if (moves && c->linear.curvature > 0.0) add_pose_curvature(c, ee, k);
    if (P->inputs.spatial) mixed_curvature(c, eu, k, B);
    return moves;
}

static double largest(int n, const double *a, double r)
{
    for (int i = 0; i < n; i++) r = fabs(a[i]) > r ? fabs(a[i]) : r;
    return r;
}

/* The gradient in xi_k and the size of its terms */
static void gradient_in_xi(const lie_control *c, int k, control_linear *out, const double *Q, const double *Qm,
                           const double *f_here, const double *f_next, const double *Dt)
{
    const control_problem *P = &c->problem;
    double here[CONTROL_DIM] = {0.0}, next[CONTROL_DIM] = {0.0}, turn[CONTROL_DIM] = {0.0}, sum[CONTROL_DIM];
    const double *p = c->iterate.p + k * P->n;
    int n = P->n;
    add_transposed(n, here, 1.0, Q, p);
    add_transposed(n, here, -0.5 * P->h, f_here, p);
    add_transposed(n, next, -1.0, Qm, p + n);
    add_transposed(n, next, -0.5 * P->h, f_next, p + n);
    add_transposed(n, turn, -P->h, Dt, c->linear.pi + (k + 1) * n);
    for (int i = 0; i < n; i++)
        sum[i] = here[i] + next[i] + turn[i] + (c->linear.cost_xi ? c->linear.cost_xi[k * n + i] : 0.0);
    out->size_xi = largest(n, here, largest(n, next, largest(n, turn, 0.0)));
    out->gradient_xi = largest(n, sum, 0.0);
}

/* -(h/2) second derivatives of <p, f0> in the pose and between pose and velocity, at both ends of the interval */
static void add_drag_pose_curvature(const lie_control *c, int k, control_linear *out)
{
    const control_problem *P = &c->problem;
    double V[CONTROL_STATE * CONTROL_COLUMNS], W[CONTROL_STATE * CONTROL_STATE];
    int s = 2 * P->n;
    for (int late = 0; late < 2; late++) {
        lie__control_drag_curvature(P, W, k + late, c->iterate.now.g + (k + late) * P->size,
                                    c->iterate.now.xi + k * P->n, c->iterate.p + (k + late) * P->n);
        for (int i = 0; i < s * s; i++) W[i] *= -0.5 * P->h * c->linear.curvature;
        lie__control_end_variation(P, V, out, late);
        lie__control_add_form(P, out, s, V, W, 0);
    }
}

static lie_status linearise_interval(lie_control *c, int k, control_linear *out)
{
    const control_problem *P = &c->problem;
    const lie_ops *G = P->G;
    const control_path *path = &c->iterate.now;
    int n = P->n, s = 2 * n, columns = s + P->m + 1;
    const double *xi = path->xi + k * n, *g = path->g + k * P->size;
    double B[CONTROL_DIM * CONTROL_INPUTS], pose[CONTROL_SQUARE], ee[CONTROL_SQUARE];
    double eu[CONTROL_DIM * CONTROL_INPUTS], f_here[CONTROL_SQUARE], f_next[CONTROL_SQUARE];
    double x[CONTROL_DIM] = {0.0}, minus[CONTROL_DIM] = {0.0}, q[CONTROL_DIM], T[LIE_SIZE_MAX], xx[CONTROL_SQUARE],
           ex[CONTROL_SQUARE];
    double Q[CONTROL_SQUARE], Qm[CONTROL_SQUARE], Ad[CONTROL_SQUARE], Dt[CONTROL_SQUARE], *eta = out->step,
                                                                                          *b = eta + n * columns;
    if (P->cost && P->cost->running && !lie__control_user_ends(c, k)) return LIE_ERR_SINGULAR;
    int moves = lie__control_node_slopes(c, k, B, pose, ee, eu);
    for (int i = 0; i < n; i++) x[i] = P->h * xi[i], minus[i] = -x[i];
    lie_status status = G->tau(G, T, minus);
    if (status == LIE_OK) status = lie_ops_linear_matrix(G, G->Ad, Ad, T);
    if (status == LIE_OK) status = lie_ops_tangent_matrix(G, G->dtau, Dt, minus);
    if (status == LIE_OK) status = lie__control_legendre_slope(P, Q, x, path->q + k * n);
    G->inv(G, T, T);
    G->Adt(G, q, T, path->q + k * n);
    for (int i = 0; i < n; i++) q[i] = -q[i]; /* q(-xi) */
    if (status == LIE_OK) status = lie__control_legendre_slope(P, Qm, minus, q);
    if (status != LIE_OK) return status;
    lie_system_external_deriv(P->base, f_here, k * P->h, g, xi, 0);
    lie_system_external_deriv(P->base, f_next, (k + 1) * P->h, g + P->size, xi, 0);
    gradient_in_xi(c, k, out, Q, Qm, f_here, f_next, Dt);
    if (c->linear.curvature > 0.0) status = interval_curvature(c, k, x, Ad, Dt, xx, ex);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n * n; i++) {    /* rows that lie__control_legendre_slope has filled */
        Q[i] -= 0.5 * P->h * f_here[i];  // NOLINT(clang-analyzer-core.*)
        Qm[i] += 0.5 * P->h * f_next[i]; // NOLINT(clang-analyzer-core.*)
    }
    status = velocity_columns(c, k, out, Q, pose, B);
    if (status != LIE_OK) return status;
    zero_n(s * columns, out->step);
    copy_n(n * n, out->Ad, Ad);
    copy_n(n * n, out->slope, Qm);
    for (int i = 0; i < n * n; i++) out->tangent[i] = P->h * Dt[i];
    add_product(n, n, columns, eta, columns, 1.0, out->tangent, n, out->dxi, columns);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) eta[i * columns + j] += Ad[i * n + j];
    add_product(n, n, columns, b, columns, 1.0, Qm, n, out->dxi, columns);
    if (P->varies) {
        zero_n(n * n, out->along);
        lie__control_drag_along(P, out->along, 0.5 * P->h, k + 1, g + P->size, xi);
        add_product(n, n, columns, b, columns, 1.0, out->along, n, eta, columns);
    }
    project_curvature(c, out, xx, ex, ee, eu);
    if (P->varies && c->linear.curvature > 0.0) add_drag_pose_curvature(c, k, out);
    zero_n(n, c->linear.pi + k * n);
    add_transposed(n, c->linear.pi + k * n, 1.0, Ad, c->linear.pi + (k + 1) * n);
    if (P->cost && P->cost->running) lie__control_add_user(c, k, out);
    if (moves) lie__control_pose_multiplier(c, k, pose);
    return LIE_OK;
}

lie_status lie__control_linearise(lie_control *c, int k, control_linear *out)
{
    const control_problem *P = &c->problem;
    int columns = 2 * P->n + P->m + 1;
    zero_n((columns - 1) * columns, out->hessian);
    return k < P->N ? linearise_interval(c, k, out) : lie__control_linearise_target(c, out);
}
