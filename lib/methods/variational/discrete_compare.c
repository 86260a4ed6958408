/* SPDX-License-Identifier: MIT */
/* discrete_compare.c: the derivatives that a discrete Lagrangian of a user's has, against differences of what they are
 * derivatives of; see groups/num/slopes.h. */
#include <liestep/discrete.h>

#include <math.h>

#include "groups/num/real.h"
#include "groups/num/slopes.h"

/* Which argument moves: g0 or g1 along e_i, or h. */
typedef enum argument { NODE_0, NODE_1, LENGTH } argument;

typedef struct place {
    const lie_discrete *L;
    const lie_ops *G;
    const double *g0, *g1;
    double t, h;
    argument moves;
    int i;
    int of_slopes; /* the function is D1, otherwise L_d */
} place;

static lie_status at_distance(const void *ctx, double s, double *v)
{
    const place *p = (const place *)ctx;
    double x[LIE_DIM_MAX] = {0.0}, g[LIE_SIZE_MAX], other[LIE_DIM_MAX];
    const double *g0 = p->moves == NODE_0 ? g : p->g0, *g1 = p->moves == NODE_1 ? g : p->g1;
    double h = p->moves == LENGTH ? p->h + s * p->h : p->h;
    if (p->moves != LENGTH) x[p->i] = s;
    lie_status status = p->G->tau(p->G, g, x);
    if (status != LIE_OK) return status;
    p->G->mul(p->G, g, p->moves == NODE_1 ? p->g1 : p->g0, g);
    return p->of_slopes ? p->L->slopes(p->L, v, other, p->t, g0, g1, h) : p->L->value(p->L, v, p->t, g0, g1, h);
}

/* The largest error of rows x columns numbers `given`, relative to the largest of them; column j is along e_j. */
static lie_status compare(double *error, place p, int rows, int columns, const double *given, double unit)
{
    double slope[LIE_DIM_MAX], open[LIE_DIM_MAX], size = 0.0;
    for (int k = 0; k < rows * columns; k++) size = fabs(given[k]) > size ? fabs(given[k]) : size;
    for (p.i = 0; p.i < columns; p.i++) {
        lie_status status = lie__find_slopes(at_distance, &p, rows, 1, slope, open);
        if (status != LIE_OK) return status;
        for (int k = 0; k < rows; k++) {
            double wrong = lie__slope_error(given[k * columns + p.i], slope[k] * unit, open[k] * fabs(unit), size);
            if (!(wrong <= *error)) *error = wrong;
        }
    }
    return LIE_OK;
}

lie_status lie_discrete_compare_derivatives(const lie_discrete *L, const lie_ops *G, lie_discrete_report *report,
                                            double t, const double *g0, const double *g1, double h)
{
    double D1[LIE_DIM_MAX], D2[LIE_DIM_MAX], M[LIE_DIM_MAX * LIE_DIM_MAX], Ed;
    place p = {.L = L, .G = G, .g0 = g0, .g1 = g1, .t = t, .h = h};
    lie_discrete_report r = {-1.0, -1.0, -1.0};
    lie_status status = L->value || L->slopes ? LIE_OK : LIE_ERR_INCOMPLETE;
    if (status == LIE_OK && !(h - h == 0.0 && h != 0.0)) status = LIE_ERR_STEP_SIZE;
    if (status == LIE_OK && L->slopes) status = L->slopes(L, D1, D2, t, g0, g1, h);
    if (status == LIE_OK && L->slopes && L->value) {
        r.slopes = 0.0;
        p.moves = NODE_0;
        status = compare(&r.slopes, p, 1, G->dim, D1, 1.0);
        p.moves = NODE_1;
        if (status == LIE_OK) status = compare(&r.slopes, p, 1, G->dim, D2, 1.0);
    }
    if (status == LIE_OK && L->mixed && L->slopes) {
        r.mixed = 0.0;
        p.moves = NODE_1, p.of_slopes = 1;
        status = L->mixed(L, M, t, g0, g1, h);
        if (status == LIE_OK) status = compare(&r.mixed, p, G->dim, G->dim, M, 1.0);
    }
    if (status == LIE_OK && L->energy && L->value) {
        r.energy = 0.0;
        p.moves = LENGTH, p.of_slopes = 0;
        status = L->energy(L, &Ed, t, g0, g1, h);
        if (status == LIE_OK) status = compare(&r.energy, p, 1, 1, &Ed, -1.0 / h);
    }
    if (status == LIE_OK) *report = r;
    return status;
}
