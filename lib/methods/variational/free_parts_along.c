/* SPDX-License-Identifier: MIT */
/* free_parts_along.c: the derivatives of the flows of free_parts.h. All of them are g+ = g k(m), m+ = Ad*_k m; with
 * zeta = k^-1 dk a variation (eta, nu) becomes
 *
 *     eta+ = Ad_{k^-1} eta + zeta,      nu+ = Ad*_k nu + ad*_zeta m+
 *
 *     free body      zeta = W nu, k = r (free_flow.h)
 *     translation    zeta = (0, h M^-1 nu_P)
 *     R^n            zeta = h I^-1 nu
 *     line           zeta = h <nu, n> n
 *
 * Variations are the columns of V: n rows of eta, n of nu. Cost: of the free body three times its flow, for the others
 * some ten products of small matrices. */
#include "lib/methods/variational/free_parts.h"

#include <string.h>

#include "groups/num/vec3.h"
#include "lib/methods/factors.h"

/* One row of the variations of a piece. */
typedef struct rows {
    double *eta, *nu; /* of its first coordinate */
    int columns;
} rows;

/* Three rows: a <- R^T a */
static void turn_back_rows(const double R[9], double *a, int columns)
{
    double v[3 * 2 * LIE_DIM_MAX];
    memcpy(v, a, 3 * (size_t)columns * sizeof *v);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < columns; c++)
            a[i * columns + c] = (R[i] * v[c] + R[3 + i] * v[columns + c]) + R[6 + i] * v[2 * columns + c];
}

/* Three rows: out += m x zeta, other rows */
static void add_cross_rows(const double m[3], double *restrict out, const double *restrict zeta, int columns)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int c = 0; c < columns; c++)
            out[i * columns + c] += m[j] * zeta[k * columns + c] - m[k] * zeta[j * columns + c];
    }
}

/* out = M a, n rows each */
static void times_rows(int n, double *restrict out, const double *M, const double *restrict a, int columns)
{
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < columns; c++) out[i * columns + c] = M[i * n] * a[c];
        for (int k = 1; k < n; k++)
            for (int c = 0; c < columns; c++) out[i * columns + c] += M[i * n + k] * a[k * columns + c];
    }
}

static void add_rows(int n, double *out, const double *a, int columns)
{
    for (int i = 0; i < n * columns; i++) out[i] += a[i];
}

/* k = r, all three-vectors of the piece turn; zeta = W nu of the rotation. m: at the end */
static void turned(const rows *V, int dim, const double R[9], const double W[9], const double *m)
{
    double zeta[3 * 2 * LIE_DIM_MAX];
    const int N = V->columns;
    times_rows(3, zeta, W, V->nu, N);
    for (int i = 0; i < dim; i += 3) {
        turn_back_rows(R, V->eta + i * N, N);
        turn_back_rows(R, V->nu + i * N, N);
        add_cross_rows(m + i, V->nu + i * N, zeta, N);
    }
    add_rows(3, V->eta, zeta, N);
}

/* k = (1, d), d = h M^-1 P: eta_x += zeta - d x eta, nu_Pi += -d x nu_P + P x zeta */
static void shifted(const rows *V, const double shift[9], const double *m, double h)
{
    const int N = V->columns;
    double d[3], zeta[3 * 2 * LIE_DIM_MAX];
    mat3_vec(d, shift, m + 3);
    for (int i = 0; i < 3; i++) d[i] *= -h;
    times_rows(3, zeta, shift, V->nu + 3 * N, N);
    for (int i = 0; i < 3 * N; i++) zeta[i] *= h;
    add_cross_rows(d, V->eta + 3 * N, V->eta, N);
    add_rows(3, V->eta + 3 * N, zeta, N);
    add_cross_rows(d, V->nu, V->nu + 3 * N, N);
    add_cross_rows(m + 3, V->nu, zeta, N);
}

/* Ad_{k^-1} eta and Ad*_k nu, k = (R, x): (R^T w, R^T (v - x x w)) and (R^T (Pi - x x P), R^T P) */
static void seen_after_motion(const rows *V, const double *k)
{
    const int N = V->columns;
    const double minus[3] = {-k[9], -k[10], -k[11]};
    add_cross_rows(minus, V->eta + 3 * N, V->eta, N);
    add_cross_rows(minus, V->nu, V->nu + 3 * N, N);
    for (int i = 0; i < 6; i += 3) turn_back_rows(k, V->eta + i * N, N), turn_back_rows(k, V->nu + i * N, N);
}

/* The same in any group */
static void seen_after(const lie_ops *G, const rows *V, const double *k)
{
    const int N = V->columns, dim = G->dim;
    double inverse[LIE_SIZE_MAX], eta[LIE_DIM_MAX], nu[LIE_DIM_MAX];
    if (strcmp(G->group, "SE3") == 0) {
        seen_after_motion(V, k);
        return;
    }
    G->inv(G, inverse, k);
    for (int c = 0; c < N; c++) {
        for (int i = 0; i < dim; i++) eta[i] = V->eta[i * N + c], nu[i] = V->nu[i * N + c];
        G->Ad(G, eta, inverse, eta);
        G->Adt(G, nu, k, nu);
        for (int i = 0; i < dim; i++) V->eta[i * N + c] = eta[i], V->nu[i * N + c] = nu[i];
    }
}

/* k = tau(x), zeta = size n for each column; n null: zeta = 0. m: at the end */
static lie_status moved_along(const lie_ops *G, const rows *V, const double *x, const double *n, const double *size,
                              const double *m)
{
    const int N = V->columns;
    double k[LIE_SIZE_MAX], turn[LIE_DIM_MAX];
    lie_status status = G->tau(G, k, x);
    if (status != LIE_OK) return status;
    seen_after(G, V, k);
    if (!n) return LIE_OK;
    G->adt(G, turn, n, m);
    for (int i = 0; i < G->dim; i++)
        for (int c = 0; c < N; c++) V->eta[i * N + c] += size[c] * n[i], V->nu[i * N + c] += size[c] * turn[i];
    return LIE_OK;
}

/* x = h <before, n> n, and h <nu, n> of each column */
static void line_at(double *x, double *size, int dim, const rows *V, const double *n, const double *before, double h)
{
    double s = 0.0;
    for (int i = 0; i < dim; i++) s += before[i] * n[i];
    for (int i = 0; i < dim; i++) x[i] = h * s * n[i];
    for (int c = 0; c < V->columns; c++) {
        size[c] = 0.0;
        for (int i = 0; i < dim; i++) size[c] += h * (V->nu[i * V->columns + c] * n[i]);
    }
}

static lie_status body_along(const piece *p, const rows *V, int dim, const double *before, const double *after,
                             double h)
{
    double R[9], W[9];
    lie_status status = lie__free_flow_slope(&p->body, R, W, before, h);
    if (status == LIE_OK) turned(V, dim, R, W, after);
    return status;
}

/* eta += h I^-1 nu, with the block of I^-1 that the piece has */
static void flat_along(const free_parts *T, const piece *p, const rows *V, double h)
{
    const int N = V->columns;
    for (int i = 0; i < p->G->dim; i++)
        for (int k = 0; k < p->G->dim; k++) {
            double f = h * T->inverse[(p->m + i) * T->dim + p->m + k];
            for (int c = 0; c < N; c++) V->eta[i * N + c] += f * V->nu[k * N + c];
        }
}

/* Part i of a piece; before, after: its momenta */
static lie_status piece_along(const free_parts *T, const piece *p, int part, const rows *V, const double *before,
                              const double *after, double h)
{
    double x[LIE_DIM_MAX], size[2 * LIE_DIM_MAX];
    const int dim = p->G->dim;
    if (part >= p->parts) return LIE_OK;
    if (lie__is_flat(p->G)) {
        flat_along(T, p, V, h);
        return LIE_OK;
    }
    if (dim == 3) return body_along(p, V, 3, before, after, h);
    if (part == 0) {
        shifted(V, p->shift, before, h);
        return LIE_OK;
    }
    if (p->parts == 2) return body_along(p, V, 6, before, after, h);
    const double *n = p->lines + part * dim;
    line_at(x, size, dim, V, n, before, h);
    return moved_along(p->G, V, x, n, size, after);
}

static rows rows_of(const free_parts *T, const piece *p, double *V, int columns)
{
    return (rows){V + p->m * columns, V + (T->dim + p->m) * columns, columns};
}

/* k = tau(x) in all pieces */
static lie_status all_moved(const free_parts *T, const double *x, const double *n, const double *size,
                            const double *after, double *V, int columns)
{
    lie_status status = LIE_OK;
    for (int k = 0; k < T->count && status == LIE_OK; k++) {
        const piece *p = T->of + k;
        const rows own = rows_of(T, p, V, columns);
        status = moved_along(p->G, &own, x + p->m, n ? n + p->m : 0, size, after + p->m);
    }
    return status;
}

lie_status lie__parts_moved(const free_parts *T, const double *x, const double *after, double *V, int columns)
{
    return all_moved(T, x, 0, 0, after, V, columns);
}

lie_status lie__parts_along(const free_parts *T, int part, const double *before, const double *after, double h,
                            double *V, int columns)
{
    double x[LIE_DIM_MAX], size[2 * LIE_DIM_MAX];
    lie_status status = LIE_OK;
    if (T->is_lines) {
        const rows all = {V, V + T->dim * columns, columns};
        const double *n = T->lines + part * T->dim;
        line_at(x, size, T->dim, &all, n, before, h);
        return all_moved(T, x, n, size, after, V, columns);
    }
    for (int k = 0; k < T->count && status == LIE_OK; k++) {
        const piece *p = T->of + k;
        const rows own = rows_of(T, p, V, columns);
        status = piece_along(T, p, part, &own, before + p->m, after + p->m, h);
    }
    return status;
}
