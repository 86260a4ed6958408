/* SPDX-License-Identifier: MIT */
/* differences.c: the tangent of a retraction of which nothing but tau is given.
 *
 *   dtau_x v = d/ds c(s) at 0,   c(s) = tau(x + s v) tau(x)^-1,   a curve through e,
 * as a vector of the embedding, the doubles of an element. To read it as an element of the algebra, its coordinates in
 * the tangent vectors E_j = d/ds tau(s e_j) of the coordinate axes are found by least squares, (E^T E) y = E^T c'.
 * That takes dtau_0 = 1, which every retraction fulfils, and elements near e that depend smoothly on the group (no
 * angle that wraps there); tau^-1 is not needed.
 *
 * Derivatives are central differences of order 10 with the step 2^-6, and with steps of a quarter each while order 8
 * and order 10 disagree and a shorter step brings them closer, as near the end of the domain of tau. The rounding is
 * some 2^-47 of what is differentiated; the derivative of the tangent, differences of differences, has 2^-40.
 *
 * Cost: dtau 10 (dim + 1) retractions, the matrices of it 20 dim, dtau_body_deriv 100 dim; some 60 kB of stack.
 *
 * Reference for the definition: Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups I, 2009, Definition
 * 4.2; for the differences: Fornberg, Mathematics of Computation 51 (1988) 699, table 1. */
#include "groups/differences.h"
#include "groups/num/finite.h"

#include <math.h>

#include "groups/num/cholesky.h"

enum { HALF = 5, LEVELS = 6 };

static const double order10[HALF] = {5.0 / 6.0, -5.0 / 21.0, 5.0 / 84.0, -5.0 / 504.0, 1.0 / 1260.0};
static const double order8[HALF] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0, 0.0};

/* v at the distance s along some curve */
typedef lie_status curve_fn(const void *ctx, double s, double *v);

/* slope = dv/ds at 0 with step s; *open = what order 8 has otherwise, relative to the largest entry. */
static lie_status slope_with(curve_fn *curve, const void *ctx, int rows, double s, double *slope, double *open)
{
    double ahead_v[LIE_SIZE_MAX], behind[LIE_SIZE_MAX], lower[LIE_SIZE_MAX] = {0.0}, size = 0.0;
    zero_n(rows, slope);
    for (int k = HALF; k >= 1; k--) {
        lie_status status = curve(ctx, k * s, ahead_v);
        if (status == LIE_OK) status = curve(ctx, -k * s, behind);
        if (status != LIE_OK) return status;
        for (int i = 0; i < rows; i++) {
            double change = (ahead_v[i] - behind[i]) / s;
            slope[i] += order10[k - 1] * change;
            lower[i] += order8[k - 1] * change;
        }
    }
    *open = 0.0;
    for (int i = 0; i < rows; i++) {
        double differ = fabs(slope[i] - lower[i]);
        if (!(differ <= *open)) *open = differ;
        if (fabs(slope[i]) > size) size = fabs(slope[i]);
    }
    if (size > 0.0) *open /= size;
    return LIE_OK;
}

/* slope = dv/ds at 0, with the step at which the two orders agree. */
static lie_status slope_of(curve_fn *curve, const void *ctx, int rows, double *slope)
{
    double now[LIE_SIZE_MAX], open = HUGE_VAL, open_now;
    lie_status status = LIE_OK;
    for (int k = 0; k < LEVELS && open > 0x1p-40; k++) {
        const double s = ldexp(0x1p-6, -2 * k);
        status = slope_with(curve, ctx, rows, s, now, &open_now);
        if (status == LIE_ERR_DOMAIN) continue;
        if (status != LIE_OK) return status;
        if (!(open_now < 0.5 * open)) break;
        copy_n(rows, slope, now);
        open = open_now;
    }
    return open < HUGE_VAL ? LIE_OK : status == LIE_OK ? LIE_ERR_NOT_FINITE : status;
}

/* tau along the line x + s v, from tau(x) on if inverse = tau(x)^-1 is given. */
typedef struct line {
    const lie_ops *G;
    const double *x, *v, *inverse;
} line;

static lie_status tau_on_line(const void *ctx, double s, double *c)
{
    const line *l = ctx;
    double y[LIE_DIM_MAX], g[LIE_SIZE_MAX];
    for (int i = 0; i < l->G->dim; i++) y[i] = l->x[i] + s * l->v[i];
    lie_status status = l->G->tau(l->G, g, y);
    if (status != LIE_OK) return status;
    if (l->inverse)
        l->G->mul(l->G, c, g, l->inverse);
    else
        copy_n(l->G->size, c, g);
    return LIE_OK;
}

/* From the embedding to the algebra: row j of E is E_j, L L^T = E E^T. */
typedef struct reader {
    const lie_ops *G;
    double E[LIE_DIM_MAX * LIE_SIZE_MAX], L[LIE_DIM_MAX * LIE_DIM_MAX];
} reader;

static double inner(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i]; // NOLINT(clang-analyzer-core.*): slope_of has filled them
    return sum;
}

static lie_status reader_init(reader *R, const lie_ops *G)
{
    double zero[LIE_DIM_MAX] = {0.0}, e[LIE_DIM_MAX] = {0.0}, EE[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = G->dim, size = G->size;
    const line axis = {G, zero, e, 0};
    R->G = G;
    for (int j = 0; j < n; j++) {
        e[j] = 1.0;
        lie_status status = slope_of(tau_on_line, &axis, size, R->E + j * size);
        e[j] = 0.0;
        if (status != LIE_OK) return status;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) EE[i * n + j] = EE[j * n + i] = inner(size, R->E + i * size, R->E + j * size);
    return cholesky_factor(n, R->L, EE) ? LIE_OK : LIE_ERR_SINGULAR;
}

/* dtau_x v, the line scaled so that its largest entry moves by s. */
static lie_status read_dtau(const reader *R, double *out, const double *x, const double *v)
{
    const lie_ops *G = R->G;
    double g[LIE_SIZE_MAX], slope[LIE_SIZE_MAX], unit[LIE_DIM_MAX], y[LIE_DIM_MAX], scale = 0.0;
    lie_status status = G->tau(G, g, x);
    if (status != LIE_OK) return status;
    G->inv(G, g, g);
    for (int i = 0; i < G->dim; i++)
        if (!(fabs(v[i]) <= scale)) scale = fabs(v[i]);
    for (int i = 0; i < G->dim; i++) unit[i] = scale > 0.0 ? v[i] / scale : v[i];
    status = slope_of(tau_on_line, &(line){G, x, unit, g}, G->size, slope);
    if (status != LIE_OK) return status;
    for (int i = 0; i < G->dim; i++) y[i] = scale * inner(G->size, R->E + i * G->size, slope);
    cholesky_solve(G->dim, R->L, y);
    return store(G->dim, out, y);
}

lie_status lie__difference_dtau(const lie_ops *G, double *out, const double *x, const double *v)
{
    reader R;
    lie_status status = reader_init(&R, G);
    return status == LIE_OK ? read_dtau(&R, out, x, v) : status;
}

/* M = the matrix of dtau_x, or its transpose. */
static lie_status matrix(const lie_ops *G, double *M, const double *x, int transposed)
{
    reader R;
    double e[LIE_DIM_MAX] = {0.0}, column[LIE_DIM_MAX];
    int n = G->dim;
    lie_status status = reader_init(&R, G);
    for (int j = 0; j < n && status == LIE_OK; j++) {
        e[j] = 1.0;
        status = read_dtau(&R, column, x, e);
        e[j] = 0.0;
        for (int i = 0; i < n && status == LIE_OK; i++) M[transposed ? j * n + i : i * n + j] = column[i];
    }
    return status;
}

lie_status lie__difference_dtaut(const lie_ops *G, double *out, const double *x, const double *m)
{
    double M[LIE_DIM_MAX * LIE_DIM_MAX], r[LIE_DIM_MAX];
    lie_status status = matrix(G, M, x, 1);
    if (status != LIE_OK) return status;
    for (int i = 0; i < G->dim; i++) r[i] = inner(G->dim, M + i * G->dim, m);
    return store(G->dim, out, r);
}

static lie_status solve(const lie_ops *G, double *out, const double *x, const double *v, int transposed)
{
    double M[LIE_DIM_MAX * LIE_DIM_MAX], r[LIE_DIM_MAX];
    lie_status status = matrix(G, M, x, transposed);
    copy_n(G->dim, r, v);
    if (status == LIE_OK) status = lie__ops_solve(G->dim, M, r);
    return status == LIE_OK ? store(G->dim, out, r) : status;
}

lie_status lie__difference_dtauinv(const lie_ops *G, double *out, const double *x, const double *v)
{
    return solve(G, out, x, v, 0);
}

lie_status lie__difference_dtauinvt(const lie_ops *G, double *out, const double *x, const double *m)
{
    return solve(G, out, x, m, 1);
}

/* dtau_{-x} psi along the axis j of x; R: null if dtau is the user's. */
typedef struct body_line {
    const lie_ops *G;
    const reader *R;
    const double *x, *psi;
    int j;
} body_line;

static lie_status body_on_line(const void *ctx, double s, double *out)
{
    const body_line *l = ctx;
    double minus[LIE_DIM_MAX];
    for (int i = 0; i < l->G->dim; i++) minus[i] = i == l->j ? -(l->x[i] + s) : -l->x[i];
    return l->R ? read_dtau(l->R, out, minus, l->psi) : l->G->dtau(l->G, out, minus, l->psi);
}

lie_status lie__difference_body_deriv(const lie_ops *G, double *M, const double *x, const double *psi)
{
    reader R;
    double column[LIE_SIZE_MAX] = {0.0}, r[LIE_DIM_MAX * LIE_DIM_MAX] = {0.0};
    int n = G->dim, is_given = G->dtau != lie__difference_dtau;
    lie_status status = is_given ? LIE_OK : reader_init(&R, G);
    for (int j = 0; j < n && status == LIE_OK; j++) {
        status = slope_of(body_on_line, &(body_line){G, is_given ? 0 : &R, x, psi, j}, n, column);
        for (int i = 0; i < n && status == LIE_OK; i++) r[i * n + j] = column[i];
    }
    return status == LIE_OK ? store(n * n, M, r) : status;
}
