/* SPDX-License-Identifier: MIT */
/* control_path.c: an iterate of the optimal control solver: poses, momenta, defects, cost; see control.h. Cost: one
 * retraction and one tangent per interval. */
#include "control.h"

#include <math.h>

void lie__control_inputs(const lie_control_work *w, double *B, const double *g)
{
    int n = w->n, count = w->actuation->count;
    double body[CONTROL_DIM * LIE_ACTUATORS_MAX];
    if (!w->spatial) {
        copy_n(n * w->m, B, w->B);
        return;
    }
    lie_actuation_matrix(w->actuation, body, g);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < w->m; j++)
            B[i * w->m + j] = w->idle[j] ? 0.0 : j < count ? body[i * count + j] : -body[i * count + j - count];
}

void lie__control_drag(const lie_control_work *w, double *f, int k, const double *g, const double *xi)
{
    lie_system_external(w->base, f, k * w->h, g, xi, 0);
}

/* D += weight d f0/dg by central differences of order 4 along g tau(s e_j) */
void lie__control_drag_along(const lie_control_work *w, double *D, double weight, int k, const double *g,
                             const double *xi)
{
    static const double shift[4] = {0x1p-10, -0x1p-10, 0x1p-9, -0x1p-9}, factor[4] = {8.0, -8.0, -1.0, 1.0};
    double x[CONTROL_DIM] = {0.0}, at[LIE_SIZE_MAX], f[CONTROL_DIM];
    int n = w->n;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < 4; i++) {
            x[j] = shift[i];
            int inside = w->G->tau(w->G, at, x) == LIE_OK;
            w->G->mul(w->G, at, g, at);
            lie__control_drag(w, f, k, at, xi);
            for (int a = 0; a < n; a++)
                D[a * n + j] += inside ? weight * factor[i] * f[a] / (12.0 * 0x1p-10) : (double)NAN;
        }
        x[j] = 0.0;
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double largest(int n, const double *a)
{
    double r = 0.0;
    for (int i = 0; i < n; i++) r = larger(r, fabs(a[i]));
    return r;
}

static double cost_of(const lie_control_work *w, int k, const double *u)
{
    double sum = 0.0;
    for (int i = 0; i < w->m; i++) sum += (0.5 * w->weight[i] * u[i] + w->fuel[i]) * u[i];
    return node_weight(w, k) * sum;
}

/* out = weight (F(g) + B u) */
static void node_impulse(const lie_control_work *w, double *out, double weight, const double *g, const double *u)
{
    double B[CONTROL_DIM * CONTROL_INPUTS], F[CONTROL_DIM] = {0.0};
    lie__control_inputs(w, B, g);
    if (w->base->force) w->base->force(w->base, F, g);
    for (int i = 0; i < w->n; i++) {
        double sum = F[i];
        for (int j = 0; j < w->m; j++) sum += B[i * w->m + j] * u[j];
        out[i] = weight * sum;
    }
}

/* The interval after node k: q_k, g_{k+1}, b_{k+1} and e_k, which b_k has begun */
static lie_status advance(const lie_control_work *w, control_path *s, int k)
{
    const lie_ops *G = w->G;
    int n = w->n;
    const double *xi = s->xi + k * n, *inertia = w->base->inertia, *g = s->g + k * w->size;
    double x[CONTROL_DIM], mu[CONTROL_DIM], T[LIE_SIZE_MAX], impulse[CONTROL_DIM], f[CONTROL_DIM];
    double *q = s->q + k * n, *b = s->b + (k + 1) * n, *e = s->e + k * n, *next = s->g + (k + 1) * w->size;
    for (int i = 0; i < n; i++) {
        x[i] = w->h * xi[i];
        mu[i] = 0.0;
        for (int j = 0; j < n; j++) mu[i] += inertia[i * n + j] * xi[j];
    }
    lie_status status = G->tau(G, T, x);
    if (status == LIE_OK) status = G->dtauinvt(G, q, x, mu);
    if (status != LIE_OK) return status;
    G->mul(G, next, g, T);
    G->Adt(G, b, T, q);
    node_impulse(w, impulse, node_weight(w, k), g, s->u + k * w->m);
    for (int i = 0; i < n; i++) e[i] = s->b[k * n + i] + impulse[i] - q[i];
    if (w->base->external) {
        lie__control_drag(w, f, k, g, xi);
        for (int i = 0; i < n; i++) e[i] += 0.5 * w->h * f[i];
        lie__control_drag(w, f, k + 1, next, xi);
        for (int i = 0; i < n; i++) b[i] += 0.5 * w->h * f[i];
    }
    s->size_momentum = larger(s->size_momentum, largest(n, q));
    s->size_velocity = larger(s->size_velocity, largest(n, xi));
    return LIE_OK;
}

/* y = the components of tau^-1(gT^-1 g_N) and of the velocity error that shall be 0 */
static lie_status miss(const lie_control_work *w, control_path *s)
{
    const lie_ops *G = w->G;
    int n = w->n, N = w->N;
    double d[LIE_SIZE_MAX], pose[CONTROL_DIM], nu[CONTROL_DIM], xi[CONTROL_DIM];
    G->inv(G, d, w->gT);
    G->mul(G, d, d, s->g + N * w->size);
    lie_status status = w->line->tauinv(w->line, pose, d);
    if (status != LIE_OK) return status;
    node_impulse(w, nu, 0.5 * w->h, s->g + N * w->size, s->u + N * w->m);
    for (int i = 0; i < n; i++) nu[i] += s->b[N * n + i];
    for (int i = 0; i < n; i++) {
        xi[i] = w->c->problem.xiT ? -w->c->problem.xiT[i] : 0.0;
        for (int j = 0; j < n; j++) xi[i] += w->inertia_inverse[i * n + j] * nu[j];
    }
    for (int i = 0; i < w->rows; i++) s->y[i] = w->row[i] < n ? pose[w->row[i]] : xi[w->row[i] - n];
    return LIE_OK;
}

lie_status lie__control_evaluate(const lie_control_work *w, control_path *s)
{
    lie_status status = LIE_OK;
    copy_n(w->size, s->g, w->c->problem.g0);
    copy_n(w->n, s->b, w->nu0);
    s->cost = 0.0, s->size_momentum = largest(w->n, w->nu0), s->size_velocity = 0.0;
    for (int k = 0; k < w->N && status == LIE_OK; k++) status = advance(w, s, k);
    if (status == LIE_OK) status = miss(w, s);
    for (int k = 0; k <= w->N; k++) s->cost += cost_of(w, k, s->u + k * w->m);
    if (status == LIE_OK && !(all_finite(w->rows, s->y) && all_finite(w->N * w->n, s->e))) status = LIE_ERR_NOT_FINITE;
    return status;
}
