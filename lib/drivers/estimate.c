/* SPDX-License-Identifier: MIT */
/* estimate.c: how far two states are from each other, and the error of a run by two others; see estimate.h. */
#include <liestep/estimate.h>
#include <liestep/product.h>

#include <limits.h>
#include <math.h>
#include <string.h>

#include "groups/num/loops.h"
#include "lib/methods/stepping.h"

/* exp of this group where the list has it, which measures turns in radians; else what there is */
static const lie_ops *measuring(const lie_ops *G)
{
    const lie_ops *found;
    if (lie_ops_find(&found, G->group, "exp") == LIE_OK && found->dim == G->dim && found->size == G->size) return found;
    return G;
}

/* x = tau^-1(b^-1 a), factor by factor on a product */
// NOLINTNEXTLINE(misc-no-recursion): the factors of a product may be products
static lie_status place_difference(const lie_ops *G, double *x, const double *a, const double *b)
{
    double d[LIE_SIZE_MAX];
    if (strcmp(G->group, "product") == 0) {
        const lie_product *p = (const lie_product *)G->ctx;
        lie_status status = LIE_OK;
        for (int k = 0, i = 0, at = 0; k < p->count && status == LIE_OK; k++) {
            status = place_difference(p->factor[k], x + i, a + at, b + at);
            i += p->factor[k]->dim, at += p->factor[k]->size;
        }
        return status;
    }
    const lie_ops *M = measuring(G);
    if (!M->tauinv) return LIE_ERR_INCOMPLETE;
    M->inv(M, d, b);
    M->mul(M, d, d, a);
    if (strcmp(M->group, "S3") == 0 && d[0] < 0.0)
        for (int i = 0; i < 4; i++) d[i] = -d[i];
    return M->tauinv(M, x, d);
}

lie_status lie_state_difference(const lie_system *sys, double *place, double *velocity, const lie_state *a,
                                const lie_state *b)
{
    double x[LIE_DIM_MAX], v[LIE_DIM_MAX], w[LIE_DIM_MAX];
    int n = sys->group->dim;
    lie_status status = place_difference(sys->group, x, lie_state_g(a), lie_state_g(b));
    if (status == LIE_OK) status = lie_state_velocity(sys, v, a);
    if (status == LIE_OK) status = lie_state_velocity(sys, w, b);
    if (status != LIE_OK) return status;
    copy_n(n, place, x);
    for (int i = 0; i < n; i++) velocity[i] = v[i] - w[i];
    return LIE_OK;
}

/* n steps of h from start */
static lie_status run_from(lie_large_state *room, lie_stepper *st, const lie_state *start, double h, long long n)
{
    lie_state *out = state_in(st->group, room, start);
    out->steps = 0;
    lie_stepper_reset(st);
    return lie_run(st, out, h, n);
}

static double norm(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* log2 to 2^-20: the exponent, then one binary digit per squaring */
static double log_2(double x)
{
    int e;
    double m = 2.0 * frexp(x, &e), digit = 0.5, sum = e - 1;
    for (int k = 0; k < 20; k++) {
        m *= m;
        if (m >= 2.0) m *= 0.5, sum += digit;
        digit *= 0.5;
    }
    return sum;
}

/* What rounding does to a place: the last bit of the largest number, and an angle that grows with the path. */
static double rounding(const lie_stepper *st, const lie_state *s, double h, long long n)
{
    lie_step_report r;
    double size = 1.0, path = 0.0;
    const double *g = lie_state_g(s);
    for (int i = 0; i < st->group->size; i++)
        if (fabs(g[i]) > size) size = fabs(g[i]);
    if (lie_step_advice(&r, st->system, s, st->u_minus, h) == LIE_OK) path = r.rate * fabs(h) * (double)n;
    return 0x1p-49 * size * (1.0 + path);
}

/* How far d1 may be believed, and the factor that makes an error of it. */
static double judge(lie_estimate *e, double d1, double d2, int order)
{
    double most = ldexp(1.0, order > 0 ? order : 1), r = d1 > 0.0 ? d2 / d1 : 0.0;
    e->order = r > 0.0 ? log_2(r) : 0.0;
    if (d1 <= e->rounding) {
        e->trust = LIE_TRUST_ROUNDING;
        return 1.0;
    }
    if (r < 2.0) {
        e->trust = LIE_TRUST_NONE;
        return 2.0;
    }
    int as_promised = order == 0 || (e->order > order - 1 && e->order < order + 2);
    e->trust = as_promised ? LIE_TRUST_ORDER : LIE_TRUST_SLOW;
    if (order > 0 && r > most) r = most;
    return r / (r - 1.0);
}

size_t lie_estimate_memsize(const lie_system *sys, const lie_options *opt)
{
    return lie_stepper_memsize(sys, opt);
}

lie_status lie_estimate_from(lie_estimate *out, const lie_stepper *st, double h, long long n, const lie_state *end,
                             const lie_state *fine, const lie_state *coarse)
{
    const lie_system *sys = st->system;
    lie_estimate e = {.trust = LIE_TRUST_UNCHECKED, .rounding = rounding(st, end, h, n)};
    double place[LIE_DIM_MAX], velocity[LIE_DIM_MAX];
    int dim = sys->group->dim, order = lie_stepper_order(st);
    lie_status status = lie_state_difference(sys, e.place, e.velocity, end, fine);
    if (status != LIE_OK) return status;
    double factor = order > 0 ? 1.0 / (1.0 - ldexp(1.0, -order)) : 2.0;
    if (coarse && lie_state_difference(sys, place, velocity, coarse, end) == LIE_OK)
        factor = judge(&e, norm(dim, e.place), norm(dim, place), order);
    for (int i = 0; i < dim; i++) e.place[i] *= factor, e.velocity[i] *= factor;
    *out = e;
    return LIE_OK;
}

lie_status lie_estimate_error(lie_estimate *out, const lie_system *sys, const lie_options *opt, const lie_state *start,
                              double h, long long n, const lie_state *end, const double *u, void *work, size_t bytes)
{
    lie_large_state middle, fine, coarse;
    lie_stepper *st;
    lie_status status = n < 1 || n > LLONG_MAX / 2 ? LIE_ERR_SIZE : lie_stepper_init(&st, sys, opt, work, bytes);
    if (status == LIE_OK && !state_fits(st->group, start)) status = LIE_ERR_SIZE;
    if (status != LIE_OK) return status;
    lie_stepper_control(st, u, u);
    if (!end) status = run_from(&middle, st, start, h, n);
    if (status == LIE_OK) status = run_from(&fine, st, start, 0.5 * h, 2 * n);
    if (status != LIE_OK) return status;
    int has_coarse = n % 2 == 0 && run_from(&coarse, st, start, 2.0 * h, n / 2) == LIE_OK;
    return lie_estimate_from(out, st, h, n, end ? end : LIE_STATE(&middle), LIE_STATE(&fine),
                             has_coarse ? LIE_STATE(&coarse) : 0);
}
