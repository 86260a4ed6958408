/* SPDX-License-Identifier: MIT */
/* control_target.c: the last node of the optimal control problem in the linear-quadratic one; see control_linear.h.
 * Conditions and terminal cost are functions of (g_N, nu_N), and nu_N = b_N + (h/2)(F(g_N) + B(g_N) u_N), whose second
 * derivatives go with the multiplier p_N. */
#include "lib/control/control.h"

#include <math.h>

/* V (2n x columns): (eta, nu_N) in (z, u, 1) */
static void end_columns(const control_problem *P, double *V, const double *pose, const double *B)
{
    int n = P->n, s = 2 * n, m = P->m, columns = s + m + 1;
    zero_n(s * columns, V);
    for (int i = 0; i < n; i++) {
        double *nu = V + (n + i) * columns;
        V[i * columns + i] = nu[n + i] = 1.0;
        copy_n(n, nu, pose + i * n);
        for (int j = 0; j < m; j++) nu[s + j] = 0.5 * P->h * B[i * m + j];
    }
}

/* How far p_N is from the multipliers of what is asked of nu_N, as a gradient in the velocity */
static void end_gradient(const lie_control *c, control_linear *out, const double *D)
{
    const control_problem *P = &c->problem;
    double left[CONTROL_DIM], size[CONTROL_DIM];
    int n = P->n, s = 2 * n;
    for (int j = 0; j < n; j++) {
        left[j] = c->iterate.p[P->N * n + j] + c->linear.end_slope[j], size[j] = fabs(c->iterate.p[P->N * n + j]);
        for (int r = 0; r < P->ends.on_target; r++) left[j] += c->iterate.lambda[r] * D[r * s + n + j];
    }
    out->gradient_xi = out->size_xi = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0, most = 0.0;
        for (int j = 0; j < n; j++) {
            sum += P->base->inertia[i * n + j] * left[j];
            most += fabs(P->base->inertia[i * n + j]) * size[j];
        }
        out->gradient_xi = fmax(out->gradient_xi, fabs(sum));
        out->size_xi = fmax(out->size_xi, most);
    }
}

lie_status lie__control_linearise_target(lie_control *c, control_linear *out)
{
    const control_problem *P = &c->problem;
    int n = P->n, s = 2 * n, m = P->m, N = P->N, columns = s + m + 1;
    double B[CONTROL_DIM * CONTROL_INPUTS], pose[CONTROL_SQUARE], ee[CONTROL_SQUARE], eu[CONTROL_DIM * CONTROL_INPUTS];
    double D[CONTROL_ROWS * CONTROL_STATE], H[CONTROL_STATE * CONTROL_STATE], V[CONTROL_STATE * CONTROL_COLUMNS];
    double nu[CONTROL_DIM], *hessian = out->hessian;
    const double *g = c->iterate.now.g + N * P->size;
    lie__control_node_slopes(c, N, B, pose, ee, eu);
    lie__control_end_momentum(P, &c->iterate.now, nu);
    end_columns(P, V, pose, B);
    zero_n(s * s, H);
    lie_status status = lie__control_target_slope(P, D, g, nu);
    if (status == LIE_OK && c->linear.curvature > 0.0) status = lie__control_target_curvature(c, H, g, nu);
    if (status != LIE_OK) return status;
    for (int i = 0; i < P->ends.rows * columns; i++) {
        double sum = i % columns == s + m ? c->iterate.now.y[i / columns] : 0.0;
        for (int a = 0; a < s; a++) sum += D[i / columns * s + a] * V[a * columns + i % columns];
        out->step[i] = sum;
    }
    zero_n(n * columns, out->dxi);
    for (int i = 0; i < s * s; i++) H[i] *= c->linear.curvature;
    lie__control_add_form(P, out, s, V, H, 0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) hessian[i * columns + j] += c->linear.curvature * ee[i * n + j];
        for (int j = 0; j < m; j++) {
            hessian[i * columns + s + j] += c->linear.curvature * eu[i * m + j];
            hessian[(s + j) * columns + i] += c->linear.curvature * eu[i * m + j];
        }
        c->linear.pi[N * n + i] = 0.0;
        for (int r = 0; r < P->ends.on_target; r++) c->linear.pi[N * n + i] -= c->iterate.lambda[r] * D[r * s + i];
    }
    zero_n(n, c->linear.end_slope);
    if (P->cost && P->cost->terminal && !lie__control_add_terminal(c, out, V)) return LIE_ERR_SINGULAR;
    end_gradient(c, out, D);
    lie__control_pose_multiplier(c, N, pose);
    return LIE_OK;
}
