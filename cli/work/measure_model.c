/* SPDX-License-Identifier: MIT */
/* measure_model.c: the systems on which methods are measured, and their true motion; see measure.h. */
#include <math.h>
#include <string.h>

#include "cli/work/measure.h"

static const model *of(const lie_system *sys)
{
    return (const model *)sys->params;
}

/* numbers of no particular kind in (-1, 1), the same on every machine */
static double any_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return ldexp((double)(*seed >> 8), -23) - 1.0;
}

static int y_count(const model *M)
{
    return M->is_flat ? M->blocks : M->blocks * M->group->dim;
}

static void seen(const model *M, double *y, const double *g)
{
    const lie_ops *G = M->group;
    if (M->is_flat) {
        memcpy(y, g + M->first, (size_t)M->blocks * sizeof *y);
        return;
    }
    for (int b = 0; b < M->blocks; b++) {
        G->Adt(G, y + b * G->dim, g, M->p[b]);
        for (int i = 0; i < G->dim; i++)
            if (M->place[i]) y[b * G->dim + i] = g[M->place[i] - 1];
    }
}

/* y' along e: ad*_e y, and e itself where y is a place */
static void seen_along(const model *M, double *dy, const double *e, const double *y)
{
    const lie_ops *G = M->group;
    if (M->is_flat) memcpy(dy, e + M->first, (size_t)M->blocks * sizeof *dy);
    for (int b = 0; b < M->blocks && !M->is_flat; b++) {
        G->adt(G, dy + b * G->dim, e, y + b * G->dim);
        for (int i = 0; i < G->dim; i++)
            if (M->place[i]) dy[b * G->dim + i] = e[i];
    }
}

/* dV/dy = a + (1 + 2 c s) q y; answers s */
static double gradient(const model *M, double *dV, const double *y)
{
    double s = 0.0;
    for (int k = 0; k < y_count(M); k++) s += 0.5 * M->q[k] * y[k] * y[k];
    for (int k = 0; k < y_count(M); k++) dV[k] = M->a[k] + (1.0 + 2.0 * M->c * s) * M->q[k] * y[k];
    return s;
}

static double potential(const lie_system *sys, const double *g)
{
    const model *M = of(sys);
    double y[MODEL_Y] = {0.0}, dV[MODEL_Y];
    seen(M, y, g);
    double s = gradient(M, dV, y), V = s + M->c * s * s;
    for (int k = 0; k < y_count(M); k++) V += M->a[k] * y[k];
    return V;
}

/* F += ad*_v y, block by block; where y is a place F -= v */
static void add_force(const model *M, double *F, const double *v, const double *y)
{
    const lie_ops *G = M->group;
    double f[MODEL_DIM] = {0.0};
    if (M->is_flat)
        for (int k = 0; k < M->blocks; k++) F[M->first + k] -= v[k];
    for (int b = 0; b < M->blocks && !M->is_flat; b++) {
        G->adt(G, f, v + b * G->dim, y + b * G->dim);
        for (int i = 0; i < G->dim; i++) F[i] += M->place[i] ? -v[b * G->dim + i] : f[i];
    }
}

static void force(const lie_system *sys, double *F, const double *g)
{
    const model *M = of(sys);
    double y[MODEL_Y] = {0.0}, dV[MODEL_Y];
    seen(M, y, g);
    gradient(M, dV, y);
    memset(F, 0, (size_t)M->group->dim * sizeof *F);
    add_force(M, F, dV, y);
}

/* Along e: y' = ad*_e y, (dV/dy)' = (1 + 2 c s) q y' + 2 c (q y . y') q y */
static void force_along(const model *M, double *dF, const double *e, const double *y, const double *dV, double s)
{
    const lie_ops *G = M->group;
    double dy[MODEL_Y] = {0.0}, ddV[MODEL_Y], turn[MODEL_DIM] = {0.0}, ds = 0.0;
    seen_along(M, dy, e, y);
    for (int k = 0; k < y_count(M); k++) ds += M->q[k] * y[k] * dy[k];
    for (int k = 0; k < y_count(M); k++) ddV[k] = M->q[k] * ((1.0 + 2.0 * M->c * s) * dy[k] + 2.0 * M->c * ds * y[k]);
    memset(dF, 0, (size_t)G->dim * sizeof *dF);
    add_force(M, dF, ddV, y);
    for (int b = 0; b < M->blocks && !M->is_flat; b++) {
        G->adt(G, turn, dV + b * G->dim, dy + b * G->dim);
        for (int i = 0; i < G->dim; i++) dF[i] += M->place[i] ? 0.0 : turn[i];
    }
}

static void force_deriv(const lie_system *sys, double *D, const double *g)
{
    const model *M = of(sys);
    double y[MODEL_Y] = {0.0}, dV[MODEL_Y], e[MODEL_DIM] = {0.0}, dF[MODEL_DIM] = {0.0};
    int n = M->group->dim;
    seen(M, y, g);
    double s = gradient(M, dV, y);
    for (int j = 0; j < n; j++) {
        e[j] = 1.0;
        force_along(M, dF, e, y, dV, s);
        e[j] = 0.0;
        for (int i = 0; i < n; i++) D[i * n + j] = dF[i];
    }
}

static void push(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    const model *M = of(sys);
    (void)t, (void)xi, (void)u;
    M->group->Adt(M->group, f, g, M->u);
}

/* L L^T and a diagonal that is different in every direction */
static void fill_inertia(double *A, int n, unsigned *seed)
{
    double L[MODEL_DIM * MODEL_DIM] = {0.0};
    for (int i = 0; i < n * n; i++) L[i] = 0.35 * any_number(seed);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * n + j] = i == j ? 0.9 + 0.21 * i : 0.0;
            for (int k = 0; k < n; k++) A[i * n + j] += L[i * n + k] * L[j * n + k];
        }
}

/* Where the components along the factors R^n are. */
static void find_places(model *M)
{
    const lie_product *product = (const lie_product *)M->group->ctx;
    if (strcmp(M->group->group, "product") != 0) return;
    for (int k = 0, i = 0, at = 0; k < product->count; k++) {
        const lie_ops *F = product->factor[k];
        for (int j = 0; j < F->dim; j++) M->place[i + j] = strcmp(F->group, "R") == 0 ? at + j + 1 : 0;
        i += F->dim, at += F->size;
    }
}

lie_status model_make(model *out, const lie_ops *G, model_kind kind)
{
    unsigned seed = 2385u;
    int n = G->dim, is_symmetric = kind == MODEL_SYMMETRIC;
    if (n > MODEL_DIM || G->size > MODEL_SIZE) return LIE_ERR_SIZE;
    *out = (model){.group = G, .is_flat = strcmp(G->group, "R") == 0, .c = 0.19, .blocks = is_symmetric ? 1 : 2};
    find_places(out);
    fill_inertia(out->inertia, n, &seed);
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < n; i++) out->p[b][i] = 0.8 * any_number(&seed);
    for (int k = 0; k < MODEL_Y; k++) out->a[k] = 0.6 * any_number(&seed), out->q[k] = 0.7 + 0.4 * any_number(&seed);
    for (int i = 0; i < n; i++) out->u[i] = 0.5 * any_number(&seed);
    if (is_symmetric) /* p_1 along the last basis vector, whose stabiliser holds some of the others */
        for (int i = 0; i < n; i++) out->p[0][i] = i == n - 1 ? 1.1 : 0.0;
    if (out->is_flat) out->first = is_symmetric ? 1 : 0, out->blocks = n - out->first;
    out->system = (lie_system){.name = "model", .group = G, .inertia = out->inertia, .params = out};
    if (kind == MODEL_POTENTIAL || is_symmetric) {
        out->system.potential = potential;
        out->system.force = force;
        out->system.force_deriv = force_deriv;
    }
    if (kind == MODEL_PUSHED) out->system.external = push;
    return lie_system_check(&out->system);
}

void model_uncouple(model *M)
{
    const lie_product *product = (const lie_product *)M->group->ctx;
    int n = M->group->dim;
    if (strcmp(M->group->group, "product") != 0) return;
    for (int k = 0, from = 0; k < product->count; from += product->factor[k]->dim, k++)
        for (int i = from; i < from + product->factor[k]->dim; i++)
            for (int j = from + product->factor[k]->dim; j < n; j++)
                M->inertia[i * n + j] = M->inertia[j * n + i] = 0.0;
}

/* On H not from the states of the other groups: from there the part of the error of rkmk_dopri5 in h^6 is half as large
 * as that in h^5 even at h = 0.05, where both drown in round-off, and slopes do not come below 5.4. */
lie_status model_start(const model *M, lie_state *s, int start)
{
    const lie_ops *G = M->group;
    unsigned seed = (strcmp(G->group, "H") == 0 ? 47u : 41u) + (unsigned)start;
    double x[MODEL_DIM] = {0.0}, xi[MODEL_DIM] = {0.0}, g[MODEL_SIZE];
    double fast = strcmp(G->group, "product") == 0 ? 0.28 : 0.7; /* what drives one factor shakes the other */
    for (int i = 0; i < G->dim; i++) x[i] = 0.45 * any_number(&seed), xi[i] = fast * any_number(&seed);
    if (strcmp(G->group, "H") == 0) xi[0] *= 0.15; /* |q| grows exponentially with it */

    lie_status status = G->tau(G, g, x);
    return status == LIE_OK ? lie_state_set(&M->system, s, 0.0, g, xi) : status;
}

/* The equations in the chart g tau(theta), z = (theta, m): theta' = dtau^-1_{-theta} xi, m' = ad*_xi m + F + f. */
static lie_status chart_rate(const model *M, double *rate, const double *g0, const double *z)
{
    const lie_ops *G = M->group;
    double back[MODEL_DIM] = {0.0}, g[MODEL_SIZE], xi[MODEL_DIM];
    int n = G->dim;
    for (int i = 0; i < n; i++) back[i] = -z[i];
    lie_status status = G->tau(G, g, z);
    if (status != LIE_OK) return status;
    G->mul(G, g, g0, g);
    status = lie_system_velocity(&M->system, xi, g, z + n);
    if (status != LIE_OK) return status;
    lie_system_momentum_rate(&M->system, rate + n, 0.0, g, xi, NULL);
    return G->dtauinv(G, rate, back, xi);
}

/* The change of z over the time H by the modified midpoint rule with `steps` (even) steps, from z0. A change is small,
 * so that its rounding is. */
static lie_status midpoint_rule(const model *M, double *change, const double *g0, const double *z0, double H, int steps)
{
    double before[2 * MODEL_DIM] = {0.0}, now[2 * MODEL_DIM], z[2 * MODEL_DIM] = {0.0}, rate[2 * MODEL_DIM] = {0.0};
    double h = H / steps;
    int n = 2 * M->group->dim;
    lie_status status = chart_rate(M, rate, g0, z0);
    for (int i = 0; i < n; i++) now[i] = h * rate[i];
    for (int k = 1; k < steps && status == LIE_OK; k++) {
        for (int i = 0; i < n; i++) z[i] = z0[i] + now[i];
        status = chart_rate(M, rate, g0, z);
        for (int i = 0; i < n; i++) {
            double next = before[i] + 2.0 * h * rate[i];
            before[i] = now[i], now[i] = next;
        }
    }
    memcpy(change, now, (size_t)n * sizeof *change);
    return status;
}

/* m += change, with what rounding has lost so far */
static void add_momentum(lie_state *s, const double *change, int n)
{
    for (int i = 0; i < n; i++) {
        double part = change[i] + s->low_m[i], sum = s->m[i] + part;
        s->low_m[i] = part - (sum - s->m[i]);
        s->m[i] = sum;
    }
}

static lie_status extrapolate(const model *M, lie_state *s, double H)
{
    enum { COLUMNS = 6 };
    const lie_ops *G = M->group;
    double table[COLUMNS][2 * MODEL_DIM], z0[2 * MODEL_DIM] = {0.0}, move[MODEL_SIZE];
    int n = G->dim;
    lie_status status = LIE_OK;
    memcpy(z0 + n, s->m, (size_t)n * sizeof *z0);
    for (int j = 0; j < COLUMNS && status == LIE_OK; j++) {
        status = midpoint_rule(M, table[j], s->g, z0, H, 2 * (j + 1));
        for (int k = j; k > 0; k--) { /* Aitken & Neville in h^2 */
            double ratio = (double)(j + 1) / k;
            for (int i = 0; i < 2 * n; i++)
                table[k - 1][i] = table[k][i] + (table[k][i] - table[k - 1][i]) / (ratio * ratio - 1.0);
        }
    }
    if (status == LIE_OK) status = G->tau(G, move, table[0]);
    if (status != LIE_OK) return status;
    G->mul(G, s->g, s->g, move);
    add_momentum(s, table[0] + n, n);
    s->t += H;
    return LIE_OK;
}

lie_status model_true_motion(const model *M, lie_state *s, double T)
{
    const double longest = 1.0 / 16;
    int pieces = (int)ceil(fabs(T) / longest);
    lie_status status = LIE_OK;
    for (int k = 0; k < pieces && status == LIE_OK; k++) status = extrapolate(M, s, T / pieces);
    return status;
}
