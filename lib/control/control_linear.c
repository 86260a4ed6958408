/* SPDX-License-Identifier: MIT */
/* control_linear.c: first and second derivatives of one interval of the optimal control problem; see control.h.
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
static void inertia_times(const lie_control_work *w, double *out, const double *v)
{
    for (int i = 0; i < w->n; i++) {
        out[i] = 0.0;
        for (int j = 0; j < w->n; j++) out[i] += w->base->inertia[i * w->n + j] * v[j];
    }
}

/* out = grad S(xi; p) with x = h xi, q = q(xi) known */
static lie_status gradient_known(const lie_control_work *w, double *out, const double *x, const double *q,
                                 const double *p)
{
    const lie_ops *G = w->G;
    double v[CONTROL_DIM] = {0.0}, minus[CONTROL_DIM], M[CONTROL_SQUARE];
    int n = w->n;
    for (int i = 0; i < n; i++) minus[i] = -x[i];
    lie_status status = G->dtauinv(G, v, x, p);
    if (status == LIE_OK) status = G->dtau_body_deriv(G, M, minus, v);
    if (status != LIE_OK) return status;
    inertia_times(w, out, v);
    add_transposed(n, out, w->h, M, q);
    return LIE_OK;
}

/* Q_aj = d q_a/d xi_j at x = h xi */
lie_status lie__control_legendre_slope(const lie_control_work *w, double *Q, const double *x, const double *q)
{
    double e[CONTROL_DIM] = {0.0};
    lie_status status = LIE_OK;
    for (int a = 0; a < w->n && status == LIE_OK; a++) {
        e[a] = 1.0;
        status = gradient_known(w, Q + a * w->n, x, q, e);
        e[a] = 0.0;
    }
    return status;
}

static lie_status gradient(const lie_control_work *w, double *out, const double *x, const double *p)
{
    double xi[CONTROL_DIM], q[CONTROL_DIM];
    for (int i = 0; i < w->n; i++) xi[i] = x[i] / w->h;
    inertia_times(w, q, xi);
    lie_status status = w->G->dtauinvt(w->G, q, x, q);
    return status == LIE_OK ? gradient_known(w, out, x, q, p) : status;
}

/* H += d2 S/dxi2 (xi; p) at x = h xi */
static lie_status add_legendre_curvature(const lie_control_work *w, double *H, const double *x, const double *p)
{
    double at[CONTROL_DIM], plus[CONTROL_DIM] = {0.0}, minus[CONTROL_DIM] = {0.0};
    int n = w->n;
    lie_status status = LIE_OK;
    copy_n(n, at, x);
    for (int j = 0; j < n && status == LIE_OK; j++) {
        at[j] = x[j] + DIFFERENCE;
        status = gradient(w, plus, at, p);
        at[j] = x[j] - DIFFERENCE;
        if (status == LIE_OK) status = gradient(w, minus, at, p);
        at[j] = x[j];
        for (int i = 0; i < n; i++) H[i * n + j] += (plus[i] - minus[i]) * (0.5 * w->h / DIFFERENCE);
    }
    return status;
}

/* H -= (h/2) d2 <p, f0>/dxi2 */
static void add_drag_curvature(const lie_control_work *w, double *H, int k, const double *g, const double *xi,
                               const double *p)
{
    double at[CONTROL_DIM], D[CONTROL_SQUARE], size = 0.0;
    int n = w->n;
    copy_n(n, at, xi);
    for (int i = 0; i < n; i++) size = fabs(xi[i]) > size ? fabs(xi[i]) : size;
    double d = size > 0.0 ? size * DIFFERENCE : DIFFERENCE;
    for (int j = 0; j < n; j++) {
        for (int side = -1; side <= 1; side += 2) {
            double slope[CONTROL_DIM] = {0.0};
            at[j] = xi[j] + side * d;
            lie_system_external_deriv(w->base, D, k * w->h, g, at, 0);
            add_transposed(n, slope, 1.0, D, p);
            for (int i = 0; i < n; i++) H[i * n + j] -= 0.5 * w->h * side * slope[i] / (2.0 * d);
        }
        at[j] = xi[j];
    }
}

/* out = the wrench of u at g of the inputs that are fixed in space */
static void spatial_wrench(const lie_control_work *w, double *out, const double *g, const double *u)
{
    double B[CONTROL_DIM * CONTROL_INPUTS];
    lie__control_inputs(w, B, g);
    for (int i = 0; i < w->n; i++) {
        out[i] = 0.0;
        for (int j = 0; j < w->m; j++)
            if (w->actuation->actuator[j % w->actuation->count].kind == LIE_SPATIAL_WRENCH)
                out[i] += B[i * w->m + j] * u[j];
    }
}

void lie__control_wrench_along(const lie_control_work *w, double *D, const double *g, const double *u)
{
    double wrench[CONTROL_DIM], e[CONTROL_DIM] = {0.0}, column[CONTROL_DIM];
    spatial_wrench(w, wrench, g, u);
    for (int j = 0; j < w->n; j++) {
        e[j] = 1.0;
        w->G->adt(w->G, column, e, wrench);
        e[j] = 0.0;
        for (int i = 0; i < w->n; i++) D[i * w->n + j] += column[i];
    }
}

/* D = d/dg of what acts at node k and after it: h c (F + B u), and where it varies (h/2) f0 of the next interval; 0:
 * none. What (h/2) f0 of the interval before has of the pose is in the variation of b_k. */
static int pose_slope(const lie_control_work *w, double *D, int k)
{
    const control_path *s = &w->now;
    const double *g = s->g + k * w->size;
    int n = w->n;
    zero_n(n * n, D);
    if (!w->base->force && !w->spatial && !w->varies) return 0;
    if (w->base->force) lie_system_force_deriv(w->base, D, g, w->nu0);
    if (w->spatial) lie__control_wrench_along(w, D, g, s->u + k * w->m);
    for (int i = 0; i < n * n; i++) D[i] *= node_weight(w, k);
    if (w->varies && k < w->N) lie__control_drag_along(w, D, 0.5 * w->h, k, g, s->xi + k * n);
    return 1;
}

/* pi_k += (d e_k/dg_k)^T p_k, `pose` being the part of pose_slope */
void lie__control_pose_multiplier(const lie_control_work *w, int k, const double *pose)
{
    double before[CONTROL_SQUARE] = {0.0};
    int n = w->n;
    add_transposed(n, w->pi + k * n, 1.0, pose, w->p + k * n);
    if (!w->varies || k == 0) return;
    lie__control_drag_along(w, before, 0.5 * w->h, k, w->now.g + k * w->size, w->now.xi + (k - 1) * n);
    add_transposed(n, w->pi + k * n, 1.0, before, w->p + k * n);
}

/* H (n x n) -= h c d2 <p, F + B u>/dg2, symmetric */
static void add_pose_curvature(const lie_control_work *w, double *H, int k)
{
    const double *g = w->now.g + k * w->size, *p = w->p + k * w->n;
    double D[CONTROL_SQUARE], at[LIE_SIZE_MAX], x[CONTROL_DIM] = {0.0}, raw[CONTROL_SQUARE] = {0.0};
    double wrench[CONTROL_DIM], first[CONTROL_DIM], second[CONTROL_DIM], ei[CONTROL_DIM] = {0.0};
    int n = w->n;
    for (int j = 0; j < n; j++) {
        for (int side = -1; side <= 1 && w->base->force; side += 2) {
            double slope[CONTROL_DIM] = {0.0};
            x[j] = side * DIFFERENCE;
            if (w->G->tau(w->G, at, x) != LIE_OK) continue;
            w->G->mul(w->G, at, g, at);
            lie_system_force_deriv(w->base, D, at, w->nu0);
            add_transposed(n, slope, 1.0, D, p);
            for (int i = 0; i < n; i++) raw[i * n + j] += side * slope[i] / (2.0 * DIFFERENCE);
        }
        x[j] = 0.0;
        if (!w->spatial) continue;
        spatial_wrench(w, wrench, g, w->now.u + k * w->m);
        ei[j] = 1.0;
        w->G->adt(w->G, first, ei, wrench);
        ei[j] = 0.0;
        for (int i = 0; i < n; i++) {
            ei[i] = 1.0;
            w->G->adt(w->G, second, ei, first);
            ei[i] = 0.0;
            for (int a = 0; a < n; a++) raw[i * n + j] += p[a] * second[a];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) H[i * n + j] -= 0.5 * node_weight(w, k) * (raw[i * n + j] + raw[j * n + i]);
}

/* C (n x m) = -h c d2 <p, B u>/dg du */
static void mixed_curvature(const lie_control_work *w, double *C, int k, const double *B)
{
    double column[CONTROL_DIM], e[CONTROL_DIM] = {0.0}, turned[CONTROL_DIM];
    for (int j = 0; j < w->m; j++) {
        int turns = w->actuation->actuator[j % w->actuation->count].kind == LIE_SPATIAL_WRENCH;
        for (int i = 0; i < w->n; i++) column[i] = B[i * w->m + j];
        for (int i = 0; i < w->n; i++) {
            double sum = 0.0;
            e[i] = 1.0;
            w->G->adt(w->G, turned, e, column);
            e[i] = 0.0;
            for (int a = 0; a < w->n && turns; a++) sum += w->p[k * w->n + a] * turned[a];
            C[i * w->m + j] = -node_weight(w, k) * sum;
        }
    }
}

/* Curvature of the interval: xx in xi, ex between pose and xi (each n x n). */
static lie_status interval_curvature(const lie_control_work *w, int k, const double *x, const double *Ad,
                                     const double *Dt, double *xx, double *ex)
{
    const lie_ops *G = w->G;
    const double *pi = w->pi + (k + 1) * w->n, *p = w->p + k * w->n, *xi = w->now.xi + k * w->n;
    double minus[CONTROL_DIM], M[CONTROL_SQUARE], e[CONTROL_DIM] = {0.0}, S[CONTROL_SQUARE] = {0.0}, SD[CONTROL_SQUARE];
    double column[CONTROL_DIM];
    int n = w->n;
    zero_n(n * n, xx);
    zero_n(n * n, ex);
    zero_n(n * n, SD);
    for (int i = 0; i < n; i++) minus[i] = -x[i];
    lie_status status = add_legendre_curvature(w, xx, x, p);
    if (status == LIE_OK) status = add_legendre_curvature(w, xx, minus, p + n);
    if (status != LIE_OK) return status;
    if (w->base->external) {
        add_drag_curvature(w, xx, k, w->now.g + k * w->size, xi, p);
        add_drag_curvature(w, xx, k + 1, w->now.g + (k + 1) * w->size, xi, p + n);
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
                double half = 0.5 * w->h * w->h * pi[a] * M[a * n + j];
                xx[i * n + j] -= half;
                xx[j * n + i] -= half;
            }
    }
    add_product(n, n, n, SD, n, 1.0, S, n, Dt, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int a = 0; a < n; a++) ex[i * n + j] -= 0.5 * w->h * Ad[a * n + i] * SD[a * n + j];
    return LIE_OK;
}

/* out->dxi = K^-1 (pose, 1, h c B, e), K = Q - (h/2) f0_xi */
static lie_status velocity_columns(const lie_control_work *w, int k, control_linear *out, double *K, const double *pose,
                                   const double *B)
{
    int n = w->n, columns = 2 * n + w->m + 1, pivots[CONTROL_DIM];
    double v[CONTROL_DIM], c = node_weight(w, k);
    if (lie__linear_plain.factor(n, K, pivots) == 0) return LIE_ERR_SINGULAR;
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < n; i++)
            v[i] = j < n              ? pose[i * n + j]
                   : j < 2 * n        ? (i == j - n ? 1.0 : 0.0)
                   : j < 2 * n + w->m ? c * B[i * w->m + j - 2 * n]
                                      : w->now.e[k * n + i];
        lie__linear_plain.solve(n, K, pivots, v);
        for (int i = 0; i < n; i++) out->dxi[i * columns + j] = v[i];
    }
    return LIE_OK;
}

/* out->hessian from the curvatures, poses and velocities carried to (z, u, 1) */
static void project_curvature(const lie_control_work *w, control_linear *out, const double *xx, const double *ex,
                              const double *ee, const double *eu)
{
    int n = w->n, s = 2 * n, m = w->m, columns = s + m + 1;
    double *H = out->hessian, Y[CONTROL_DIM * CONTROL_COLUMNS];
    if (w->curvature == 0.0) return;
    zero_n(n * columns, Y);
    add_product(n, n, columns, Y, columns, 1.0, xx, n, out->dxi, columns);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) Y[i * columns + j] += ex[j * n + i];
    for (int a = 0; a < n; a++)
        for (int i = 0; i < s + m; i++) {
            double f = w->curvature * out->dxi[a * columns + i];
            for (int j = 0; j < columns; j++) H[i * columns + j] += f * Y[a * columns + j];
        }
    add_product(n, n, columns, H, columns, w->curvature, ex, n, out->dxi, columns);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) H[i * columns + j] += w->curvature * ee[i * n + j];
        for (int j = 0; j < m; j++) {
            H[i * columns + s + j] += w->curvature * eu[i * m + j];
            H[(s + j) * columns + i] += w->curvature * eu[i * m + j];
        }
    }
}

/* Everything of a node that does not depend on what follows: inputs, slope in the pose, curvatures in pose and u */
int lie__control_node_slopes(const lie_control_work *w, int k, double *B, double *pose, double *ee, double *eu)
{
    lie__control_inputs(w, B, w->now.g + k * w->size);
    zero_n(w->n * w->n, ee);
    zero_n(w->n * w->m, eu);
    int moves = pose_slope(w, pose, k);
    if (moves && w->curvature > 0.0) add_pose_curvature(w, ee, k);
    if (w->spatial) mixed_curvature(w, eu, k, B);
    return moves;
}

static double largest(int n, const double *a, double r)
{
    for (int i = 0; i < n; i++) r = fabs(a[i]) > r ? fabs(a[i]) : r;
    return r;
}

/* The gradient in xi_k and the size of its terms */
static void gradient_in_xi(const lie_control_work *w, int k, control_linear *out, const double *Q, const double *Qm,
                           const double *f_here, const double *f_next, const double *Dt)
{
    double here[CONTROL_DIM] = {0.0}, next[CONTROL_DIM] = {0.0}, turn[CONTROL_DIM] = {0.0}, sum[CONTROL_DIM];
    const double *p = w->p + k * w->n;
    int n = w->n;
    add_transposed(n, here, 1.0, Q, p);
    add_transposed(n, here, -0.5 * w->h, f_here, p);
    add_transposed(n, next, -1.0, Qm, p + n);
    add_transposed(n, next, -0.5 * w->h, f_next, p + n);
    add_transposed(n, turn, -w->h, Dt, w->pi + (k + 1) * n);
    for (int i = 0; i < n; i++) sum[i] = here[i] + next[i] + turn[i] + (w->cost_xi ? w->cost_xi[k * n + i] : 0.0);
    out->size_xi = largest(n, here, largest(n, next, largest(n, turn, 0.0)));
    out->gradient_xi = largest(n, sum, 0.0);
}

/* -(h/2) second derivatives of <p, f0> in the pose and between pose and velocity, at both ends of the interval */
static void add_drag_pose_curvature(const lie_control_work *w, int k, control_linear *out)
{
    double V[CONTROL_STATE * CONTROL_COLUMNS], W[CONTROL_STATE * CONTROL_STATE];
    int s = 2 * w->n;
    for (int late = 0; late < 2; late++) {
        lie__control_drag_curvature(w, W, k + late, w->now.g + (k + late) * w->size, w->now.xi + k * w->n,
                                    w->p + (k + late) * w->n);
        for (int i = 0; i < s * s; i++) W[i] *= -0.5 * w->h * w->curvature;
        lie__control_end_variation(w, V, out, late);
        lie__control_add_form(w, out, s, V, W, 0);
    }
}

static lie_status linearise_interval(lie_control_work *w, int k, control_linear *out)
{
    const lie_ops *G = w->G;
    const control_path *path = &w->now;
    int n = w->n, s = 2 * n, columns = s + w->m + 1;
    const double *xi = path->xi + k * n, *g = path->g + k * w->size;
    double B[CONTROL_DIM * CONTROL_INPUTS], pose[CONTROL_SQUARE], ee[CONTROL_SQUARE];
    double eu[CONTROL_DIM * CONTROL_INPUTS], f_here[CONTROL_SQUARE], f_next[CONTROL_SQUARE];
    double x[CONTROL_DIM] = {0.0}, minus[CONTROL_DIM] = {0.0}, q[CONTROL_DIM], T[LIE_SIZE_MAX], xx[CONTROL_SQUARE],
           ex[CONTROL_SQUARE];
    double Q[CONTROL_SQUARE], Qm[CONTROL_SQUARE], Ad[CONTROL_SQUARE], Dt[CONTROL_SQUARE], *eta = out->step,
                                                                                          *b = eta + n * columns;
    if (w->cost && w->cost->running && !lie__control_user_ends(w, k)) return LIE_ERR_SINGULAR;
    int moves = lie__control_node_slopes(w, k, B, pose, ee, eu);
    for (int i = 0; i < n; i++) x[i] = w->h * xi[i], minus[i] = -x[i];
    lie_status status = G->tau(G, T, minus);
    if (status == LIE_OK) status = lie_ops_linear_matrix(G, G->Ad, Ad, T);
    if (status == LIE_OK) status = lie_ops_tangent_matrix(G, G->dtau, Dt, minus);
    if (status == LIE_OK) status = lie__control_legendre_slope(w, Q, x, path->q + k * n);
    G->inv(G, T, T);
    G->Adt(G, q, T, path->q + k * n);
    for (int i = 0; i < n; i++) q[i] = -q[i]; /* q(-xi) */
    if (status == LIE_OK) status = lie__control_legendre_slope(w, Qm, minus, q);
    if (status != LIE_OK) return status;
    lie_system_external_deriv(w->base, f_here, k * w->h, g, xi, 0);
    lie_system_external_deriv(w->base, f_next, (k + 1) * w->h, g + w->size, xi, 0);
    gradient_in_xi(w, k, out, Q, Qm, f_here, f_next, Dt);
    if (w->curvature > 0.0) status = interval_curvature(w, k, x, Ad, Dt, xx, ex);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n * n; i++) {    /* rows that lie__control_legendre_slope has filled */
        Q[i] -= 0.5 * w->h * f_here[i];  // NOLINT(clang-analyzer-core.*)
        Qm[i] += 0.5 * w->h * f_next[i]; // NOLINT(clang-analyzer-core.*)
    }
    status = velocity_columns(w, k, out, Q, pose, B);
    if (status != LIE_OK) return status;
    zero_n(s * columns, out->step);
    copy_n(n * n, out->Ad, Ad);
    copy_n(n * n, out->slope, Qm);
    for (int i = 0; i < n * n; i++) out->tangent[i] = w->h * Dt[i];
    add_product(n, n, columns, eta, columns, 1.0, out->tangent, n, out->dxi, columns);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) eta[i * columns + j] += Ad[i * n + j];
    add_product(n, n, columns, b, columns, 1.0, Qm, n, out->dxi, columns);
    if (w->varies) {
        zero_n(n * n, out->along);
        lie__control_drag_along(w, out->along, 0.5 * w->h, k + 1, g + w->size, xi);
        add_product(n, n, columns, b, columns, 1.0, out->along, n, eta, columns);
    }
    project_curvature(w, out, xx, ex, ee, eu);
    if (w->varies && w->curvature > 0.0) add_drag_pose_curvature(w, k, out);
    zero_n(n, w->pi + k * n);
    add_transposed(n, w->pi + k * n, 1.0, Ad, w->pi + (k + 1) * n);
    if (w->cost && w->cost->running) lie__control_add_user(w, k, out);
    if (moves) lie__control_pose_multiplier(w, k, pose);
    return LIE_OK;
}

lie_status lie__control_linearise(lie_control_work *w, int k, control_linear *out)
{
    int columns = 2 * w->n + w->m + 1;
    zero_n((columns - 1) * columns, out->hessian);
    return k < w->N ? linearise_interval(w, k, out) : lie__control_linearise_target(w, out);
}
