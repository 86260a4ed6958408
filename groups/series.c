/* SPDX-License-Identifier: MIT */
/* series.c: dexp and dexp^-1 as truncated series in ad. Formulas: series.h. Cost: q brackets. */
#include <liestep/series.h>

#include "groups/num/finite.h"

typedef void bracket_fn(const lie_ops *G, double *out, const double *x, const double *y);

/* B_j / j! for j = 0 .. LIE_SERIES_MAX. For even j: B_j/j! = (-1)^(j/2+1) 2 zeta(j) / (2 pi)^j. */
static const double bernoulli_over_factorial[LIE_SERIES_MAX + 1] = {
    0x1.0000000000000p+0,    -0x1.0000000000000p-1,
    0x1.5555555555555p-4,    0.0,
    -0x1.6c16c16c16c17p-10,  0.0,
    0x1.1566abc011567p-15,   0.0,
    -0x1.bbd779334ef0bp-21,  0.0,
    0x1.66a8f2bf70ebep-26,   0.0,
    -0x1.22805d644267fp-31,  0.0,
    0x1.d6db2c4e09162p-37,   0.0,
    -0x1.7da4e1f79955cp-42,  0.0,
    0x1.355871d652e9ep-47,   0.0,
    -0x1.f57d968caacf1p-53,  0.0,
    0x1.967e1f09c376fp-58,   0.0,
    -0x1.497d9033a2b5cp-63,  0.0,
    0x1.0b132d7c6ad06p-68,   0.0,
    -0x1.b0f72d59f1c16p-74,  0.0,
    0x1.5ef2da4cca26dp-79,   0.0,
    -0x1.1c77df96de38bp-84,  0.0,
    0x1.cd299de521b62p-90,   0.0,
    -0x1.75cde656574a7p-95,  0.0,
    0x1.2efe8db3b4adfp-100,  0.0,
    -0x1.eb322904761ffp-106,
};

static lie_status check_inputs(const lie_ops *G, int q, const double *x, const double *v)
{
    if (q < 0 || q > LIE_SERIES_MAX || G->dim < 1 || G->dim > LIE_DIM_MAX) return LIE_ERR_SIZE;
    return all_finite(G->dim, x) && all_finite(G->dim, v) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* sum_{j=0}^{q} coefficient_j A^j v with A = ad_x or its transpose; coefficient_j from the table, or 1/(j+1)!
 * without */
static lie_status sum_powers(const lie_ops *G, bracket_fn *A, const double *table, int q, double *out, const double *x,
                             const double *v)
{
    double term[LIE_DIM_MAX], sum[LIE_DIM_MAX], inverse_factorial = 1.0;
    int n = G->dim;
    lie_status status = check_inputs(G, q, x, v);
    if (status != LIE_OK) return status;
    copy_n(n, term, v);
    copy_n(n, sum, v);
    for (int j = 1; j <= q; j++) {
        A(G, term, x, term);
        inverse_factorial /= j + 1;
        double c = table ? table[j] : inverse_factorial;
        for (int i = 0; i < n; i++) sum[i] += c * term[i];
    }
    return store(n, out, sum);
}

lie_status lie_series_dexp(const lie_ops *G, int q, double *out, const double *x, const double *v)
{
    return sum_powers(G, G->ad, 0, q, out, x, v);
}

lie_status lie_series_dexpt(const lie_ops *G, int q, double *out, const double *x, const double *m)
{
    return sum_powers(G, G->adt, 0, q, out, x, m);
}

lie_status lie_series_dexpinv(const lie_ops *G, int q, double *out, const double *x, const double *v)
{
    return sum_powers(G, G->ad, bernoulli_over_factorial, q, out, x, v);
}

lie_status lie_series_dexpinvt(const lie_ops *G, int q, double *out, const double *x, const double *m)
{
    return sum_powers(G, G->adt, bernoulli_over_factorial, q, out, x, m);
}

/* Column k: with t_0 = psi, d_0 = 0 and t_j = -ad_x t_{j-1}, d_j = -ad_{e_k} t_{j-1} - ad_x d_{j-1}, sum d_j/(j+1)! */
static void body_deriv_column(const lie_ops *G, int q, int k, double *column, const double *x, const double *psi)
{
    double t[LIE_DIM_MAX], d[LIE_DIM_MAX], kick[LIE_DIM_MAX], e[LIE_DIM_MAX] = {0.0}, c = 1.0;
    int n = G->dim;
    e[k] = 1.0;
    copy_n(n, t, psi);
    zero_n(n, d);
    zero_n(n, column);
    for (int j = 1; j <= q; j++) {
        G->ad(G, kick, e, t);
        G->ad(G, d, x, d);
        G->ad(G, t, x, t);
        c /= j + 1;
        for (int i = 0; i < n; i++) {
            d[i] = -(kick[i] + d[i]);
            t[i] = -t[i];
            column[i] += c * d[i];
        }
    }
}

lie_status lie_series_dexp_body_deriv(const lie_ops *G, int q, double *M, const double *x, const double *psi)
{
    double column[LIE_DIM_MAX], r[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = G->dim;
    lie_status status = check_inputs(G, q, x, psi);
    if (status != LIE_OK) return status;
    for (int k = 0; k < n; k++) {
        body_deriv_column(G, q, k, column, x, psi);
        for (int i = 0; i < n; i++) r[i * n + k] = column[i];
    }
    return store(n * n, M, r);
}
