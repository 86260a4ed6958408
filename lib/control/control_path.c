/* SPDX-License-Identifier: MIT */
/* control_path.c: an iterate of the optimal control solver: poses, momenta, defects, cost; see control_iterate.h. Cost:
 * one retraction and one tangent per interval. */
#include "groups/num/finite.h"
#include "lib/control/control_iterate.h"

#include <math.h>

/* B (n x m); a wheel is pushed against the body */
void lie__control_fill_inputs(const control_problem *P, double *B, const double *g)
{
    const lie_actuation *act = P->actuation;
    double body[6 * LIE_ACTUATORS_MAX];
    int count = act->count, dim = P->n - P->wheels, wheel = dim;
    lie_actuation_matrix(act, body, g);
    zero_n(P->n * P->m, B);
    for (int j = 0; j < count; j++) {
        int row = act->actuator[j].kind == LIE_WHEEL ? wheel++ : 0;
        for (int half = 0; half < P->m / count; half++) {
            int column = half * count + j;
            double sign = P->inputs.idle[column] ? 0.0 : half ? -1.0 : 1.0;
            for (int i = 0; i < dim && row == 0; i++) B[i * P->m + column] = sign * body[i * count + j];
            if (row > 0) B[row * P->m + column] = sign;
        }
    }
}

void lie__control_inputs(const control_problem *P, double *B, const double *g)
{
    if (P->inputs.spatial)
        lie__control_fill_inputs(P, B, g);
    else
        copy_n(P->n * P->m, B, P->inputs.B);
}

void lie__control_drag(const control_problem *P, double *f, int k, const double *g, const double *xi)
{
    lie_system_external(P->base, f, k * P->h, g, xi, 0);
}

/* D += weight d f0/dg by central differences of order 4 along g tau(s e_j) */
void lie__control_drag_along(const control_problem *P, double *D, double weight, int k, const double *g,
                             const double *xi)
{
    static const double shift[4] = {0x1p-10, -0x1p-10, 0x1p-9, -0x1p-9}, factor[4] = {8.0, -8.0, -1.0, 1.0};
    double x[CONTROL_DIM] = {0.0}, at[LIE_SIZE_MAX], f[CONTROL_DIM];
    int n = P->n;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < 4; i++) {
            x[j] = shift[i];
            int inside = P->G->tau(P->G, at, x) == LIE_OK;
            P->G->mul(P->G, at, g, at);
            lie__control_drag(P, f, k, at, xi);
            for (int a = 0; a < n; a++)
                D[a * n + j] += inside ? weight * factor[i] * f[a] / (12.0 * 0x1p-10) : (double)NAN;
        }
        x[j] = 0.0;
    }
}

/* <p, f0> at g tau(x) */
static double drag_along(const control_problem *P, int k, const double *g, const double *x, const double *xi,
                         const double *p)
{
    double at[LIE_SIZE_MAX], f[CONTROL_DIM], sum = 0.0;
    if (P->line->tau(P->line, at, x) != LIE_OK) return (double)NAN;
    P->G->mul(P->G, at, g, at);
    lie__control_drag(P, f, k, at, xi);
    for (int i = 0; i < P->n; i++) sum += p[i] * f[i];
    return sum;
}

/* d2 <p, f0> along e_i and e_j, by central differences of the values over 2^-10 */
static double pose_curvature(const control_problem *P, int k, const double *g, const double *xi, const double *p, int i,
                             int j)
{
    static const double side[4][2] = {{1.0, 1.0}, {-1.0, 1.0}, {1.0, -1.0}, {-1.0, -1.0}};
    double x[CONTROL_DIM] = {0.0}, sum = 0.0;
    for (int s = 0; s < 4; s++) {
        x[i] += 0x1p-10 * side[s][0];
        x[j] += 0x1p-10 * side[s][1];
        sum += side[s][0] * side[s][1] * drag_along(P, k, g, x, xi, p);
        x[i] = x[j] = 0.0;
    }
    return sum * 0x1p18;
}

/* out (n) = d/ds of the gradient of <p, f0> in xi along e_j */
static void mixed_curvature(const control_problem *P, double *out, int k, const double *g, const double *xi,
                            const double *p, int j)
{
    double x[CONTROL_DIM] = {0.0}, at[LIE_SIZE_MAX], D[CONTROL_SQUARE] = {0.0};
    int n = P->n;
    zero_n(n, out);
    for (int side = -1; side <= 1; side += 2) {
        x[j] = side * 0x1p-10;
        int inside = P->line->tau(P->line, at, x) == LIE_OK;
        P->G->mul(P->G, at, g, at);
        lie_system_external_deriv(P->base, D, k * P->h, at, xi, 0);
        for (int a = 0; a < n * n; a++) out[a % n] += inside ? side * 0x1p9 * p[a / n] * D[a] : (double)NAN;
    }
}

void lie__control_drag_curvature(const control_problem *P, double *H, int k, const double *g, const double *xi,
                                 const double *p)
{
    double mixed[CONTROL_DIM];
    int n = P->n, s = 2 * n;
    zero_n(s * s, H);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) H[i * s + j] = H[j * s + i] = pose_curvature(P, k, g, xi, p, i, j);
        mixed_curvature(P, mixed, k, g, xi, p, i);
        for (int j = 0; j < n; j++) H[i * s + n + j] = H[(n + j) * s + i] = mixed[j];
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

static double cost_of(const control_problem *P, int k, const double *u)
{
    double sum = 0.0;
    for (int i = 0; i < P->m; i++) sum += (0.5 * P->inputs.weight[i] * u[i] + P->inputs.fuel[i]) * u[i];
    return node_weight(P, k) * sum;
}

/* out = weight (F(g) + B u) */
static void node_impulse(const control_problem *P, double *out, double weight, const double *g, const double *u)
{
    double B[CONTROL_DIM * CONTROL_INPUTS], F[CONTROL_DIM] = {0.0};
    lie__control_inputs(P, B, g);
    if (P->base->force) P->base->force(P->base, F, g);
    for (int i = 0; i < P->n; i++) {
        double sum = F[i];
        for (int j = 0; j < P->m; j++) sum += B[i * P->m + j] * u[j];
        out[i] = weight * sum;
    }
}

/* The interval after node k: q_k, g_{k+1}, b_{k+1} and e_k, which b_k has begun */
static lie_status advance(const control_problem *P, control_path *s, int k)
{
    const lie_ops *G = P->G;
    int n = P->n;
    const double *xi = s->xi + k * n, *inertia = P->base->inertia, *g = s->g + k * P->size;
    double x[CONTROL_DIM], mu[CONTROL_DIM], T[LIE_SIZE_MAX], impulse[CONTROL_DIM], f[CONTROL_DIM];
    double *q = s->q + k * n, *b = s->b + (k + 1) * n, *e = s->e + k * n, *next = s->g + (k + 1) * P->size;
    for (int i = 0; i < n; i++) {
        x[i] = P->h * xi[i];
        mu[i] = 0.0;
        for (int j = 0; j < n; j++) mu[i] += inertia[i * n + j] * xi[j];
    }
    lie_status status = G->tau(G, T, x);
    if (status == LIE_OK) status = G->dtauinvt(G, q, x, mu);
    if (status != LIE_OK) return status;
    G->mul(G, next, g, T);
    G->Adt(G, b, T, q);
    node_impulse(P, impulse, node_weight(P, k), g, s->u + k * P->m);
    for (int i = 0; i < n; i++) e[i] = s->b[k * n + i] + impulse[i] - q[i];
    if (P->base->external) {
        lie__control_drag(P, f, k, g, xi);
        for (int i = 0; i < n; i++) e[i] += 0.5 * P->h * f[i];
        lie__control_drag(P, f, k + 1, next, xi);
        for (int i = 0; i < n; i++) b[i] += 0.5 * P->h * f[i];
    }
    s->size_momentum = larger(s->size_momentum, largest(n, q));
    s->size_velocity = larger(s->size_velocity, largest(n, xi));
    return LIE_OK;
}

lie_status lie__control_evaluate(const control_problem *P, control_path *s)
{
    double nu[CONTROL_DIM];
    lie_status status = LIE_OK;
    s->cost = 0.0, s->size_momentum = largest(P->n, s->b), s->size_velocity = 0.0;
    for (int k = 0; k < P->N && status == LIE_OK; k++) status = advance(P, s, k);
    if (status != LIE_OK) return status;
    lie__control_end_momentum(P, s, nu);
    status = lie__control_conditions(P, s, nu);
    for (int k = 0; k <= P->N; k++) s->cost += cost_of(P, k, s->u + k * P->m);
    if (status == LIE_OK && P->cost) s->cost += lie__control_user_cost(P, s);
    if (status == LIE_OK &&
        !(all_finite(P->ends.rows, s->y) && all_finite(P->N * P->n, s->e) && all_finite(1, &s->cost)))
        status = LIE_ERR_NOT_FINITE;
    return status;
}
