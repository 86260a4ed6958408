/* SPDX-License-Identifier: MIT */
/* free_parts.c: the parts of the kinetic energy and their flows; see free_parts.h. Every flow is exact to round-off and
 * carries the rounding of its sums. Cost: the free body some 300 flops, R^n a product with I^-1, a line a dot product
 * and a move. References: splitting.c. */
#include "lib/methods/variational/free_parts.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"

#include "groups/num/cholesky.h"
#include "groups/num/principal.h"
#include "groups/step/rn_step.h"
#include "groups/step/se3_step.h"
#include "lib/methods/factors.h"

enum { PIECE = (sizeof(piece) + sizeof(double) - 1) / sizeof(double) };

int lie__parts_doubles(const lie_ops *G)
{
    const lie_ops *list[LIE_DIM_MAX];
    int count = lie__factors(G, list);
    return count > 0 ? count * (PIECE + 1) + 2 * G->dim * G->dim : 0;
}

/* Flows. */

static lie_status s3_flow(const piece *p, int part, const lie_place *at, double h)
{
    (void)part;
    return lie__free_flow_s3(&p->body, at->g, at->low_g, at->m, at->low_m, h);
}

static lie_status so3_flow(const piece *p, int part, const lie_place *at, double h)
{
    (void)part;
    return lie__free_flow_so3(&p->body, at->g, at->low_g, at->m, at->low_m, h);
}

static lie_status rn_flow(const piece *p, int part, const lie_place *at, double h)
{
    (void)part;
    return lie__rn_free_step(p->G, at->g, at->low_g, at->m, at->low_m, h, p->lines, 0, 0);
}

/* The body turns about its origin: P <- r^T P */
static lie_status se3_turn(const piece *p, int part, const lie_place *at, double h)
{
    lie_free_turn r;
    double dR[9], dP[3], a[3], b[3];
    (void)part;
    lie_status status = lie__free_flow_turn(&p->body, &r, at->m, h);
    if (status != LIE_OK) return status;
    rotation_change(dR, 2.0 + 2.0 * r.a, 2.0, r.v, at->g);
    cross3(a, r.v, at->m + 3);
    cross3(b, r.v, a);
    for (int i = 0; i < 3; i++) dP[i] = 2.0 * (b[i] - a[i]) - 2.0 * r.a * a[i], at->low_m[i] += r.low[i];
    carry_n(9, at->g, at->low_g, dR);
    carry_n(3, at->m, at->low_m, r.dm);
    carry_n(3, at->m + 3, at->low_m + 3, dP);
    return LIE_OK;
}

/* v = M^-1 P is constant: x <- x + h R v, Pi <- Pi + h P x v */
static lie_status se3_shift(const piece *p, int part, const lie_place *at, double h)
{
    double v[3], dx[3], dPi[3];
    (void)part;
    mat3_vec(v, p->shift, at->m + 3);
    for (int i = 0; i < 3; i++) v[i] *= h;
    mat3_vec(dx, at->g, v);
    cross3(dPi, at->m + 3, v);
    kick(3, at->g + 9, at->low_g + 9, 1.0, dx);
    kick(3, at->m, at->low_m, 1.0, dPi);
    return LIE_OK;
}

/* x = h <m, n> n */
LIE_INLINE void along_line(int dim, double *x, const double *n, const double *m, double h)
{
    double s = 0.0;
    for (int i = 0; i < dim; i++) s += m[i] * n[i];
    for (int i = 0; i < dim; i++) x[i] = h * s * n[i];
}

LIE_INLINE lie_status line_by(int dim, const piece *p, int part, const lie_place *at, double h)
{
    double x[LIE_DIM_MAX];
    along_line(dim, x, p->lines + part * dim, at->m, h);
    return move(p->G, at->g, at->low_g, at->m, at->low_m, x);
}

static lie_status line_flow_3(const piece *p, int part, const lie_place *at, double h)
{
    return line_by(3, p, part, at, h);
}

static lie_status line_flow_6(const piece *p, int part, const lie_place *at, double h)
{
    return line_by(6, p, part, at, h);
}

static lie_status line_flow(const piece *p, int part, const lie_place *at, double h)
{
    return line_by(p->G->dim, p, part, at, h);
}

/* The numbers of a piece. */
static lie_place place_of(const piece *p, const lie_place *at)
{
    lie_place part = *at;
    part.g += p->g, part.low_g += p->g, part.m += p->m, part.low_m += p->m;
    return part;
}

lie_status lie__parts_move(const free_parts *T, const lie_place *at, double *m, double *low_m, const double *x)
{
    lie_status status = LIE_OK;
    for (int k = 0; k < T->count && status == LIE_OK; k++) {
        const piece *p = T->of + k;
        status = move(p->G, at->g + p->g, at->low_g + p->g, m + p->m, low_m + p->m, x + p->m);
    }
    return status;
}

lie_status lie__parts_product(const free_parts *T, int part, const lie_place *at, double h)
{
    lie_status status = LIE_OK;
    double x[LIE_DIM_MAX];
    if (T->is_lines) {
        along_line(T->dim, x, T->lines + part * T->dim, at->m, h);
        return lie__parts_move(T, at, at->m, at->low_m, x);
    }
    for (int k = 0; k < T->count && status == LIE_OK; k++) {
        const piece *p = T->of + k;
        const lie_place own = place_of(p, at);
        if (part < p->parts) status = (part == 0 ? p->first : p->rest)(p, part, &own, h);
    }
    return status;
}

/* Preparation. */

/* The pieces with exp, and I^-1. */
static lie_status divide(free_parts *T, const lie_ops *G, const double *inertia, double *work)
{
    const lie_ops *list[LIE_DIM_MAX];
    double L[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = G->dim, count = lie__factors(G, list), g = 0, m = 0;
    if (lie__is_flat(G)) list[0] = G, count = 1;
    *T = (free_parts){.count = count, .dim = n, .of = (piece *)work};
    T->lines = work + (size_t)count * PIECE;
    T->inverse = T->lines + (size_t)(n * n + count);
    for (int k = 0; k < count; k++) {
        T->of[k] = (piece){.G = list[k], .g = g, .m = m, .parts = 1};
        g += list[k]->size, m += list[k]->dim;
        if (!lie__is_flat(list[k]) && lie_ops_find(&T->of[k].G, list[k]->group, "exp") != LIE_OK) return LIE_ERR_METHOD;
    }
    if (!cholesky_factor(n, L, inertia)) return LIE_ERR_INERTIA;
    zero_n(n * n, T->inverse);
    for (int i = 0; i < n; i++) {
        T->inverse[i * n + i] = 1.0;
        cholesky_solve(n, L, T->inverse + (size_t)(i * n));
    }
    return LIE_OK;
}

/* n_i of T_i = 1/2 <m, n_i>^2: rows of L^-1, I = L^T L, from the last coordinate to the first: on SE(3) the first three
 * are then translations. */
lie_status lie__parts_lines(free_parts *T, const lie_ops *G, const double *inertia, double *work)
{
    double A[LIE_DIM_MAX * LIE_DIM_MAX], L[LIE_DIM_MAX * LIE_DIM_MAX];
    lie_status status = divide(T, G, inertia, work);
    if (status != LIE_OK) return status;
    int n = T->parts = T->dim;
    T->is_lines = 1;
    T->of->lines = T->lines;
    T->of->first = T->of->rest = n == 3 ? line_flow_3 : n == 6 ? line_flow_6 : line_flow;
    for (int i = 0; i < n * n; i++) A[i] = inertia[n * n - 1 - i];
    if (!cholesky_factor(n, L, A)) return LIE_ERR_INERTIA;
    for (int i = 0; i < n; i++)
        for (int j = i; j >= 0; j--) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = j + 1; k <= i; k++) sum -= T->lines[i * n + n - 1 - k] * L[k * n + j];
            T->lines[i * n + n - 1 - j] = sum / L[j * n + j];
        }
    return LIE_OK;
}

/* The translation, and the rotation in one part or as three screws (n_i, -N n_i)/sqrt(moment) */
static lie_status prepare_vehicle(piece *p, double *lines, const double *inertia)
{
    double data[SE3_DOUBLES], moment[3], V[9], low[9];
    lie_status status = lie__se3_legendre_prepare(p->G, data, inertia);
    if (status != LIE_OK) return status;
    copy_n(9, p->shift, data + SE3_M_INVERSE);
    p->first = se3_shift;
    if (largest(9, data + SE3_N) == 0.0) {
        p->parts = 2;
        p->rest = se3_turn;
        return lie_free_flow_init(&p->body, data + SE3_A);
    }
    p->parts = 4;
    p->rest = line_flow_6;
    p->lines = lines;
    lie__principal(moment, V, low, data + SE3_A);
    for (int i = 0; i < 3; i++) {
        double *n = lines + (size_t)(i + 1) * 6, f = 1.0 / sqrt(moment[i]);
        for (int k = 0; k < 3; k++) n[k] = f * V[3 * k + i];
        mat3_vec(n + 3, data + SE3_N, n);
        for (int k = 3; k < 6; k++) n[k] = -n[k];
    }
    return LIE_OK;
}

/* With the inertia of the piece alone; lines: 1 + dim^2 numbers of its own */
static lie_status prepare_piece(piece *p, double *lines, const double *inertia)
{
    if (lie__is_flat(p->G)) {
        p->lines = lines;
        p->first = rn_flow;
        return lie__rn_legendre.prepare(p->G, lines, inertia);
    }
    if (p->G->dim == 6) return prepare_vehicle(p, lines, inertia);
    p->first = p->G->size == 4 ? s3_flow : so3_flow;
    return lie_free_flow_init(&p->body, inertia);
}

/* The block of a piece, on the diagonal of A */
static void block_of(const piece *p, double *block, int n, const double *A)
{
    int k = p->G->dim;
    for (int i = 0; i < k; i++) copy_n(k, block + (size_t)(i * k), A + (size_t)((p->m + i) * n + p->m));
}

lie_status lie__parts_exact(free_parts *T, const lie_ops *G, const double *inertia, double *work)
{
    double own[LIE_DIM_MAX * LIE_DIM_MAX];
    lie_status status = divide(T, G, inertia, work);
    double *lines = T->lines;
    for (int k = 0; k < T->count && status == LIE_OK; k++) {
        piece *p = T->of + k;
        block_of(p, own, T->dim, inertia);
        status = prepare_piece(p, lines, own);
        lines += 1 + p->G->dim * p->G->dim;
        if (p->parts > T->parts) T->parts = p->parts;
    }
    return status;
}
