/* SPDX-License-Identifier: MIT */
/* ops.c: the list of built-in groups and the defaults for groups defined by the user. See group.h. */
#include <liestep/group.h>
#include <liestep/series.h>

#include <limits.h>
#include <math.h>
#include <string.h>

#include "groups/differences.h"
#include "groups/num/finite.h"
#include "groups/num/refuse.h"

#define GROUP(...)
#define RETRACTION(name, tau) LIE_API extern const lie_ops lie_##name##_##tau##_ops;
#include "groups/groups.def"
#undef RETRACTION
#define RETRACTION(name, tau) &lie_##name##_##tau##_ops,
static const lie_ops *const builtin[] = {
#include "groups/groups.def"
};
#undef GROUP
#undef RETRACTION

#define GROUP(file, name, ...) {name, #file ".h", __VA_ARGS__},
#define RETRACTION(name, tau)
static const lie_group_words words[] = {
#include "groups/groups.def"
};

const lie_group_words *lie_group_words_at(int i)
{
    return i >= 0 && i < (int)(sizeof words / sizeof words[0]) ? &words[i] : 0;
}

int lie_ops_builtin_count(void)
{
    return (int)(sizeof builtin / sizeof builtin[0]);
}

const lie_ops *lie_ops_builtin(int i)
{
    return i >= 0 && i < lie_ops_builtin_count() ? builtin[i] : 0;
}

lie_status lie_ops_find(const lie_ops **out, const char *group, const char *retraction)
{
    if (!group || !retraction) return LIE_ERR_UNKNOWN_NAME;
    for (int i = 0; i < lie_ops_builtin_count(); i++)
        if (strcmp(builtin[i]->group, group) == 0 && strcmp(builtin[i]->retraction, retraction) == 0) {
            *out = builtin[i];
            return LIE_OK;
        }
    return LIE_ERR_UNKNOWN_NAME;
}

lie_status lie_ops_tangent_matrix(const lie_ops *G, lie_tangent_fn *op, double *M, const double *x)
{
    double e[LIE_DIM_MAX] = {0.0}, column[LIE_DIM_MAX], r[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = G->dim;
    if (n < 1 || n > LIE_DIM_MAX) return LIE_ERR_SIZE;
    for (int j = 0; j < n; j++) {
        e[j] = 1.0;
        lie_status status = op(G, column, x, e);
        if (status != LIE_OK) return status;
        e[j] = 0.0;
        for (int i = 0; i < n; i++) r[i * n + j] = column[i];
    }
    copy_n(n * n, M, r);
    return LIE_OK;
}

lie_status lie_ops_linear_matrix(const lie_ops *G, lie_linear_fn *op, double *M, const double *g)
{
    double e[LIE_DIM_MAX] = {0.0}, column[LIE_DIM_MAX], r[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = G->dim;
    if (n < 1 || n > LIE_DIM_MAX) return LIE_ERR_SIZE;
    for (int j = 0; j < n; j++) {
        e[j] = 1.0;
        op(G, column, g, e);
        e[j] = 0.0;
        for (int i = 0; i < n; i++) r[i * n + j] = column[i];
    }
    return store(n * n, M, r);
}

/* The transpose of a linear map, one basis vector at a time: (A^T m)_j = <m, A e_j>. */
static void transpose_linear(const lie_ops *G, lie_linear_fn *A, double *out, const double *g, const double *m)
{
    double e[LIE_DIM_MAX] = {0.0}, column[LIE_DIM_MAX], r[LIE_DIM_MAX];
    for (int j = 0; j < G->dim; j++) {
        e[j] = 1.0;
        A(G, column, g, e);
        e[j] = 0.0;
        r[j] = 0.0;
        for (int i = 0; i < G->dim; i++) r[j] += m[i] * column[i];
    }
    copy_n(G->dim, out, r);
}

static void default_Adt(const lie_ops *G, double *out, const double *g, const double *m)
{
    transpose_linear(G, G->Ad, out, g, m);
}

static void default_adt(const lie_ops *G, double *out, const double *x, const double *m)
{
    transpose_linear(G, G->ad, out, x, m);
}

/* With all LIE_SERIES_MAX terms the series of dexp is exact to round-off for ||ad_x|| up to about 2 pi. */
static lie_status default_dexp(const lie_ops *G, double *out, const double *x, const double *v)
{
    return lie_series_dexp(G, LIE_SERIES_MAX, out, x, v);
}

static lie_status default_dexp_body_deriv(const lie_ops *G, double *M, const double *x, const double *psi)
{
    return lie_series_dexp_body_deriv(G, LIE_SERIES_MAX, M, x, psi);
}

static lie_status default_dtaut(const lie_ops *G, double *out, const double *x, const double *m)
{
    double M[LIE_DIM_MAX * LIE_DIM_MAX], r[LIE_DIM_MAX];
    int n = G->dim;
    lie_status status = lie_ops_tangent_matrix(G, G->dtau, M, x);
    if (status != LIE_OK) return status;
    for (int j = 0; j < n; j++) {
        r[j] = 0.0;
        for (int i = 0; i < n; i++) r[j] += M[i * n + j] * m[i];
    }
    return store(n, out, r);
}

/* Swap rows so that the largest entry of column k stands on the diagonal; 0 if the column is zero to round-off. */
static int pivot(int n, double *M, double *b, int k, double scale)
{
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(M[i * n + k]) > fabs(M[best * n + k])) best = i;
    if (!(fabs(M[best * n + k]) > 0x1p-50 * scale)) return 0;
    for (int j = 0; j < n && best != k; j++) {
        double t = M[k * n + j];
        M[k * n + j] = M[best * n + j];
        M[best * n + j] = t;
    }
    double t = b[k];
    b[k] = b[best];
    b[best] = t;
    return 1;
}

/* Solve M x = b in place by Gaussian elimination with row pivoting. */
lie_status lie__ops_solve(int n, double *M, double *b)
{
    double scale = 0.0;
    for (int i = 0; i < n * n; i++) scale = fabs(M[i]) > scale ? fabs(M[i]) : scale;
    for (int k = 0; k < n; k++) {
        if (!pivot(n, M, b, k, scale)) return LIE_ERR_SINGULAR;
        for (int i = k + 1; i < n; i++) {
            double f = M[i * n + k] / M[k * n + k];
            for (int j = k; j < n; j++) M[i * n + j] -= f * M[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= M[i * n + j] * b[j];
        b[i] /= M[i * n + i];
    }
    return LIE_OK;
}

static lie_status solve_with(const lie_ops *G, lie_tangent_fn *A, double *out, const double *x, const double *v)
{
    double M[LIE_DIM_MAX * LIE_DIM_MAX], b[LIE_DIM_MAX];
    lie_status status = lie_ops_tangent_matrix(G, A, M, x);
    copy_n(G->dim, b, v);
    if (status == LIE_OK) status = lie__ops_solve(G->dim, M, b);
    return status == LIE_OK ? store(G->dim, out, b) : status;
}

static lie_status default_dtauinv(const lie_ops *G, double *out, const double *x, const double *v)
{
    return solve_with(G, G->dtau, out, x, v);
}

static lie_status default_dtauinvt(const lie_ops *G, double *out, const double *x, const double *m)
{
    return solve_with(G, G->dtaut, out, x, m);
}

static lie_status default_project(const lie_ops *G, double *out, const double *g)
{
    return store(G->size, out, g);
}

static int is_exp(const lie_ops *G)
{
    return strcmp(G->retraction, "exp") == 0;
}

/* What follows from tau alone: dtau by the series of exp or by differences, with its transpose and inverses. */
static void complete_dtau(lie_ops *G)
{
    G->dtau = is_exp(G) ? default_dexp : lie__difference_dtau;
    if (is_exp(G)) return;
    G->differences = LIE_DIFFERENCES_OF_TAU;
    if (!G->dtaut) G->dtaut = lie__difference_dtaut;
    if (!G->dtauinv) G->dtauinv = lie__difference_dtauinv;
    if (!G->dtauinvt) G->dtauinvt = lie__difference_dtauinvt;
}

static void complete_body_deriv(lie_ops *G)
{
    G->dtau_body_deriv = is_exp(G) ? default_dexp_body_deriv : lie__difference_body_deriv;
    if (!is_exp(G) && !G->differences) G->differences = LIE_DIFFERENCES_OF_DTAU;
}

lie_status lie_ops_explain(lie_report *r, const lie_ops *G)
{
    if (!G) return lie__refuse(r, LIE_ERR_INCOMPLETE, "group", "must not be null");
    int is_by_differences = !G->dtau && G->retraction && !is_exp(G);
    int size_max = is_by_differences ? LIE_SIZE_MAX : INT_MAX;
    if (G->dim < 1 || G->dim > LIE_DIM_MAX)
        return lie__refuse_entry(r, LIE_ERR_SIZE, "group.dim", -1, G->dim, LIE_DIM_MAX, "must be 1 .. LIE_DIM_MAX");
    if (G->size < 1 || G->size > size_max)
        return lie__refuse_entry(r, LIE_ERR_SIZE, "group.size", -1, G->size, size_max,
                                 "must be positive, and at most LIE_SIZE_MAX where dtau is by differences");
#define CHECK_FIELD(field)                                                                                             \
    if (!G->field) return lie__refuse(r, LIE_ERR_INCOMPLETE, "group." #field, "must not be null");
    CHECK_FIELD(group)
    CHECK_FIELD(retraction)
    CHECK_FIELD(identity)
    CHECK_FIELD(mul)
    CHECK_FIELD(inv)
    CHECK_FIELD(Ad)
    CHECK_FIELD(ad)
    CHECK_FIELD(tau)
#undef CHECK_FIELD
    return lie__accept(r);
}

lie_status lie_ops_complete(lie_ops *G)
{
    lie_status status = lie_ops_explain(0, G);
    if (status != LIE_OK) return status;
    if (!G->dtau) complete_dtau(G);
    if (!G->dtau_body_deriv) complete_body_deriv(G);
    if (!G->Adt) G->Adt = default_Adt;
    if (!G->adt) G->adt = default_adt;
    if (!G->dtaut) G->dtaut = default_dtaut;
    if (!G->dtauinv) G->dtauinv = default_dtauinv;
    if (!G->dtauinvt) G->dtauinvt = default_dtauinvt;
    if (!G->project) G->project = default_project;
    return LIE_OK;
}
