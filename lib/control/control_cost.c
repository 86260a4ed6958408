/* SPDX-License-Identifier: MIT */
/* control_cost.c: a cost of the user's own in the optimal control problem; see liestep/control.h and control.h.
 *
 * The running cost C is taken at both ends of every interval, with weight h/2: at (g_k, xi_k, u_k) and at
 * (g_{k+1}, xi_k, u_{k+1}). In the linear-quadratic problem of node k, eta_k, u_k, xi_k and eta_{k+1} are known linear
 * functions of (z_k, u_k, 1), so that all second derivatives but those between xi and u have their place. Where the
 * curvature of the constraints is taken in part only, so are directions of negative curvature of C. */
#include "lib/control/control.h"

#include <lapacke.h>
#include <math.h>

/* Which of (pose, velocity, inputs of the actuators) variable i of the solver is, and with which sign; 0: it is idle */
static double source_of(const control_problem *P, int i, int *at)
{
    int from = 2 * P->n + P->actuation->count, back = i >= from;
    *at = back ? i - P->actuation->count : i;
    if (i >= 2 * P->n && P->inputs.idle[i - 2 * P->n]) return 0.0;
    return back ? -1.0 : 1.0;
}

double lie__control_end_cost(const control_problem *P, double *gradient, double *hessian, double t, const double *g,
                             const double *xi, const double *u)
{
    const lie_control_cost *cost = P->cost;
    double input[LIE_ACTUATORS_MAX], slope[CONTROL_USER + 1], H[CONTROL_USER * CONTROL_USER];
    int from = 2 * P->n + P->actuation->count, to = 2 * P->n + P->m, at, beside;
    physical_inputs(P, input, u);
    if (!gradient) return P->part * cost->running(cost->ctx, 0, 0, t, g, xi, input);
    double value = cost->running(cost->ctx, slope, hessian ? H : 0, t, g, xi, input);
    for (int i = 0; i < to; i++) {
        double sign = P->part * source_of(P, i, &at);
        gradient[i] = sign * slope[at];
        for (int j = 0; hessian && j < to; j++) {
            double both = sign * source_of(P, j, &beside);
            hessian[i * to + j] = both * H[at * from + beside];
        }
    }
    gradient[to] = P->part * slope[from];
    return P->part * value;
}

double lie__control_terminal_cost(const control_problem *P, double *gradient, double *hessian, double t,
                                  const double *g, const double *nu)
{
    const lie_control_cost *cost = P->cost;
    const double *J = P->inertia_inverse;
    double xi[CONTROL_DIM], slope[CONTROL_STATE + 1], H[CONTROL_STATE * CONTROL_STATE],
        M[CONTROL_STATE * CONTROL_STATE];
    int n = P->n, s = 2 * n;
    for (int i = 0; i < n; i++) {
        xi[i] = 0.0;
        for (int j = 0; j < n; j++) xi[i] += J[i * n + j] * nu[j];
    }
    if (!gradient) return P->part * cost->terminal(cost->ctx, 0, 0, t, g, xi, 0);
    double value = cost->terminal(cost->ctx, slope, hessian ? H : 0, t, g, xi, 0);
    for (int i = 0; i <= s; i++) slope[i] *= P->part;
    for (int i = 0; hessian && i < s * s; i++) H[i] *= P->part;
    copy_n(n, gradient, slope);
    gradient[s] = slope[s];
    for (int j = 0; j < n; j++) {
        gradient[n + j] = 0.0;
        for (int i = 0; i < n; i++) gradient[n + j] += slope[n + i] * J[i * n + j];
    }
    for (int i = 0; hessian && i < s * s; i++) { /* columns in xi to columns in nu, then rows */
        M[i] = i % s < n ? H[i] : 0.0;
        for (int a = 0; i % s >= n && a < n; a++) M[i] += H[i / s * s + n + a] * J[a * n + i % s - n];
    }
    for (int i = 0; hessian && i < s * s; i++) {
        hessian[i] = i / s < n ? M[i] : 0.0;
        for (int a = 0; i / s >= n && a < n; a++) hessian[i] += J[a * n + i / s - n] * M[(n + a) * s + i % s];
    }
    return P->part * value;
}

double lie__control_user_cost(const control_problem *P, const control_path *s)
{
    double sum = 0.0, nu[CONTROL_DIM];
    for (int k = 0; k < P->N && P->cost->running; k++)
        for (int late = 0; late < 2; late++) {
            int at = k + late;
            sum += 0.5 * P->h *
                   lie__control_end_cost(P, 0, 0, at * P->h, s->g + at * P->size, s->xi + k * P->n, s->u + at * P->m);
        }
    if (!P->cost->terminal) return sum;
    lie__control_end_momentum(P, s, nu);
    return sum + lie__control_terminal_cost(P, 0, 0, P->N * P->h, s->g + P->N * P->size, nu);
}

/* W (r x r, symmetric) with its negative part taken by `part` only; 0: LAPACK failed */
static int convexify(int r, double *W, double part)
{
    double Q[CONTROL_USER * CONTROL_USER], value[CONTROL_USER], work[8 * CONTROL_USER];
    if (part >= 1.0) return 1;
    copy_n(r * r, Q, W);
    if (LAPACKE_dsyev_work(LAPACK_ROW_MAJOR, 'V', 'U', r, Q, r, value, work, 8 * CONTROL_USER) != 0) return 0;
    for (int k = 0; k < r && value[k] < 0.0; k++)
        for (int i = 0; i < r; i++)
            for (int j = 0; j < r; j++) W[i * r + j] -= (1.0 - part) * value[k] * Q[i * r + k] * Q[j * r + k];
    return 1;
}

void lie__control_add_form(const control_problem *P, control_linear *out, int r, const double *V, const double *W,
                           const double *v)
{
    int inner = 2 * P->n + P->m, columns = inner + 1;
    double row[CONTROL_COLUMNS];
    for (int a = 0; a < r; a++) {
        zero_n(columns, row);
        for (int b = 0; b < r; b++) {
            double f = W[a * r + b];
            for (int j = 0; f != 0.0 && j < columns; j++) row[j] += f * V[b * columns + j];
        }
        if (v) row[inner] += v[a];
        for (int i = 0; i < inner; i++) {
            double f = V[a * columns + i];
            for (int j = 0; f != 0.0 && j < columns; j++) out->hessian[i * columns + j] += f * row[j];
        }
    }
}

/* Gradient and second derivatives at one end, times h/2; those between xi and u are left out */
static int end_form(const lie_control *c, double *gradient, double *W, int node, int interval)
{
    const control_problem *P = &c->problem;
    int s = 2 * P->n, n = P->n, r = s + P->m;
    const control_path *path = &c->iterate.now;
    lie__control_end_cost(P, gradient, W, node * P->h, path->g + node * P->size, path->xi + interval * n,
                          path->u + node * P->m);
    for (int i = 0; i <= r; i++) gradient[i] *= 0.5 * P->h;
    for (int i = 0; i < r; i++)
        for (int j = 0; j <= i; j++) {
            int apart = i >= s && j >= n && j < s;
            W[i * r + j] = W[j * r + i] = apart ? 0.0 : 0.25 * P->h * (W[i * r + j] + W[j * r + i]);
        }
    return convexify(r, W, c->linear.curvature);
}

/* The part of a form in (eta, xi) */
static void state_part(const control_problem *P, double *out, const double *W)
{
    int s = 2 * P->n, r = s + P->m;
    for (int i = 0; i < s; i++) copy_n(s, out + i * s, W + i * r);
}

void lie__control_end_variation(const control_problem *P, double *V, const control_linear *at, int late)
{
    int n = P->n, columns = 2 * n + P->m + 1;
    for (int i = 0; i < n * columns; i++) V[i] = late ? at->step[i] : i / columns == i % columns ? 1.0 : 0.0;
    copy_n(n * columns, V + n * columns, at->dxi);
}

/* The inputs of node k, from the interval before or after it */
static void add_inputs(lie_control *c, int k, control_linear *out, const double *gradient, const double *W)
{
    const control_problem *P = &c->problem;
    int n = P->n, s = 2 * n, m = P->m, r = s + m, columns = r + 1;
    for (int i = 0; i < m; i++) {
        double *row = out->hessian + (s + i) * columns;
        c->linear.cost_u[k * m + i] += gradient[s + i];
        row[r] += gradient[s + i];
        for (int j = 0; j < m; j++) row[s + j] += W[(s + i) * r + s + j];
        for (int j = 0; j < n; j++) {
            row[j] += W[(s + i) * r + j];
            out->hessian[j * columns + s + i] += W[(s + i) * r + j];
        }
    }
}

int lie__control_user_ends(lie_control *c, int k)
{
    const control_problem *P = &c->problem;
    control_user *user = c->linear.user;
    int n = P->n;
    for (int late = 0; late < 2; late++) {
        const double *gradient = user->gradient[late];
        if (!end_form(c, user->gradient[late], user->W[late], k + late, k)) return 0;
        for (int i = 0; i < n; i++) {
            c->linear.pi[(k + late) * n + i] -= late ? gradient[i] : 0.0;
            c->linear.cost_z[(k + late) * 2 * n + i] += gradient[i];
            c->linear.cost_xi[k * n + i] += gradient[n + i];
        }
    }
    return 1;
}

void lie__control_add_user(lie_control *c, int k, control_linear *out)
{
    const control_problem *P = &c->problem;
    const control_user *user = c->linear.user;
    double V[CONTROL_STATE * CONTROL_COLUMNS], inner[CONTROL_STATE * CONTROL_STATE];
    for (int late = 0; late < 2; late++) {
        state_part(P, inner, user->W[late]);
        lie__control_end_variation(P, V, out, late);
        lie__control_add_form(P, out, 2 * P->n, V, inner, user->gradient[late]);
    }
    add_inputs(c, k, out, user->gradient[0], user->W[0]);
    for (int i = 0; i < P->n; i++) c->linear.pi[k * P->n + i] -= user->gradient[0][i];
}

int lie__control_add_user_inputs(lie_control *c, int k, control_linear *out)
{
    double W[CONTROL_USER * CONTROL_USER], gradient[CONTROL_USER + 1];
    if (!end_form(c, gradient, W, k, k - 1)) return 0;
    add_inputs(c, k, out, gradient, W);
    return 1;
}

int lie__control_add_terminal(lie_control *c, control_linear *out, const double *V)
{
    const control_problem *P = &c->problem;
    double H[CONTROL_STATE * CONTROL_STATE], gradient[CONTROL_STATE + 1], nu[CONTROL_DIM];
    int n = P->n, s = 2 * n, m = P->m, columns = s + m + 1, N = P->N;
    lie__control_end_momentum(P, &c->iterate.now, nu);
    lie__control_terminal_cost(P, gradient, H, N * P->h, c->iterate.now.g + N * P->size, nu);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < i; j++) H[i * s + j] = H[j * s + i] = 0.5 * (H[i * s + j] + H[j * s + i]);
    if (!convexify(s, H, c->linear.curvature)) return 0;
    lie__control_add_form(P, out, s, V, H, gradient);
    copy_n(n, c->linear.end_slope, gradient + n);
    zero_n(m, c->linear.end_u);
    for (int i = 0; i < n; i++) c->linear.pi[N * n + i] -= gradient[i];
    for (int a = 0; a < s; a++) {
        for (int i = 0; i < s; i++) c->linear.cost_z[N * s + i] += gradient[a] * V[a * columns + i];
        for (int i = 0; i < m; i++) c->linear.end_u[i] += gradient[a] * V[a * columns + s + i];
    }
    return 1;
}
