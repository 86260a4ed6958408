/* SPDX-License-Identifier: MIT */
/* discrete.c: a discrete Lagrangian of the user's as a method; see liestep/discrete.h.
 *
 *     r(xi) = -D1 L_d(g0, g1) - f-(g0, g1) - p0 = 0,    g1 = g0 tau(h xi)        n equations
 *     J     = -h M dtau_{-h xi},  M_ij = d/ds (D1 L_d)_i (g0, g1 exp(s e_j))     without M: differences of r
 *     p1    = Ad*_{tau(h xi)} p0 + (D2 L_d + f+ - Ad*_{tau(h xi)} (-D1 L_d - f-)) at this g1
 *
 * which is D2 L_d + f+ where r = 0. In this form the rounding of g1, which divided by h is in r, in D1 and in D2,
 * cancels: the momentum of a step is good to some eps, however short the step, and that of a symmetry of L_d is kept to
 * round-off. r itself cannot be told from 0 below eps |g| |d D1/d g1|: that belongs to the size of its terms.
 * Symplectic. Cost: one evaluation of the slopes to learn that size, as many as Newton's method takes, n more for each
 * Jacobian where M is not given; where D1 and D2 are differences, 6 n values of L_d for each.
 *
 * paper symbol -> name: L_d -> value, F^- L_d = -D1 L_d -> p_minus, F^+ L_d -> p_plus (Marsden & West 2001, 1.4.7). */
#include <liestep/discrete.h>

#include <math.h>

#include "groups/num/finite.h"
#include "groups/num/newton.h"
#include "groups/num/refuse.h"
#include "lib/methods/families.h"
#include "lib/methods/variational/discrete.h"

/* In the work memory, followed by what the pointers point to. */
typedef struct discrete {
    lie_stepper *st;
    const lie_discrete *L;
    int n;
    double *xi, *D1, *D2, *theta; /* -D1 - f- and D2 + f+ */
    double *g1;
    double *M; /* n x n */
    double *newton_work;
    /* the step being solved */
    double t, h, p0[LIE_DIM_MAX];
    const double *g0;
    double size; /* |g| |d D1/d g1| |h| */
} discrete;

enum { HEAD = (sizeof(discrete) + sizeof(double) - 1) / sizeof(double) };

static discrete *of(const lie_stepper *st)
{
    return (discrete *)st->work;
}

static int doubles(const lie_stepper *st)
{
    const lie_ops *G = st->group;
    int n = G->dim;
    return HEAD + 4 * n + G->size + n * n + lie__newton_doubles(n);
}

/* Derivatives. */

/* L_d with g0 or g1 moved along e_i. */
typedef struct direction {
    const lie_stepper *st;
    const lie_discrete *L;
    const double *g0, *g1;
    double t, h;
    int at_end, i;
} direction;

/* L_d at the distance s */
typedef lie_status along_fn(const direction *d, double s, double *v);

/* Central differences of order 6. *terms: the size of what they are the small difference of, if it is larger. */
static lie_status difference(along_fn *along, const direction *d, double *slope, double *terms)
{
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0}, s = 0x1p-8;
    double sum = 0.0;
    for (int k = 0; k < 6; k++) {
        double v = 0.0, at = (k < 3 ? k + 1 : 2 - k) * s;
        lie_status status = along(d, at, &v);
        if (status != LIE_OK) return status;
        sum += k < 3 ? weight[k] * v : -weight[k - 3] * v;
        if (fabs(v) / s > *terms) *terms = fabs(v) / s;
    }
    *slope = sum / s;
    return LIE_OK;
}

static lie_status value_along(const direction *d, double s, double *v)
{
    const lie_ops *G = d->st->group;
    double x[LIE_DIM_MAX] = {0.0}, g[LIE_SIZE_MAX];
    x[d->i] = s;
    lie_status status = G->tau(G, g, x);
    if (status != LIE_OK) return status;
    G->mul(G, g, d->at_end ? d->g1 : d->g0, g);
    return d->L->value(d->L, v, d->t, d->at_end ? d->g0 : g, d->at_end ? g : d->g1, d->h);
}

static lie_status differences(double *D, double *terms, direction d)
{
    lie_status status = LIE_OK;
    for (d.i = 0; d.i < d.st->group->dim && status == LIE_OK; d.i++)
        status = difference(value_along, &d, D + d.i, terms);
    return status;
}

/* D1 and D2 of L_d; terms: the size of what they are differences of, 0 for slopes of the user's. */
static lie_status slopes(const lie_stepper *st, double *D1, double *D2, double *terms, double t, const double *g0,
                         const double *g1, double h)
{
    const lie_discrete *L = st->options.discrete;
    *terms = 0.0;
    if (L->slopes) return L->slopes(L, D1, D2, t, g0, g1, h);
    lie_status status = differences(D1, terms, (direction){st, L, g0, g1, t, h, 0, 0});
    return status == LIE_OK ? differences(D2, terms, (direction){st, L, g0, g1, t, h, 1, 0}) : status;
}

/* p0 = -D1 - f-, p1 = D2 + f+ */
static lie_status momenta(const lie_stepper *st, double *p0, double *p1, double *terms, double t, const double *g0,
                          const double *g1, double h)
{
    const lie_discrete *L = st->options.discrete;
    double f_minus[LIE_DIM_MAX] = {0.0}, f_plus[LIE_DIM_MAX] = {0.0};
    int n = st->group->dim;
    lie_status status = slopes(st, p0, p1, terms, t, g0, g1, h);
    if (status == LIE_OK && L->forces) status = L->forces(L, f_minus, f_plus, t, g0, g1, h, st->u_minus, st->u_plus);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n; i++) p0[i] = -p0[i] - f_minus[i], p1[i] += f_plus[i];
    return all_finite(n, p0) && all_finite(n, p1) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* Steps. */

/* g1 = g0 tau(theta), theta = h xi */
static lie_status end_of(discrete *w, const double *xi)
{
    const lie_ops *G = w->st->group;
    for (int i = 0; i < w->n; i++) w->theta[i] = w->h * xi[i];
    lie_status status = G->tau(G, w->g1, w->theta);
    if (status == LIE_OK) G->mul(G, w->g1, w->g0, w->g1);
    return status;
}

/* Leaves g1 and p1 (in D2) of its last evaluation behind. */
static lie_status residual(const newton *N, double *r, double *size, const double *xi)
{
    discrete *w = (discrete *)N->problem;
    double terms;
    lie_status status = end_of(w, xi);
    if (status == LIE_OK) status = momenta(w->st, w->D1, w->D2, &terms, w->t, w->g0, w->g1, w->h);
    if (status != LIE_OK) return status;
    *size = w->size / fabs(w->h) > terms ? w->size / fabs(w->h) : terms;
    for (int i = 0; i < w->n; i++) {
        if (fabs(w->p0[i]) > *size) *size = fabs(w->p0[i]);
        if (fabs(w->D1[i]) > *size) *size = fabs(w->D1[i]);
        r[i] = w->D1[i] - w->p0[i];
    }
    return LIE_OK;
}

static lie_status jacobian(const newton *N, double *J, const double *xi)
{
    discrete *w = (discrete *)N->problem;
    const lie_ops *G = w->st->group;
    double minus[LIE_DIM_MAX], e[LIE_DIM_MAX] = {0.0}, B[LIE_DIM_MAX];
    int n = w->n;
    lie_status status = end_of(w, xi);
    if (status == LIE_OK) status = w->L->mixed(w->L, w->M, w->t, w->g0, w->g1, w->h);
    for (int i = 0; i < n; i++) minus[i] = -w->theta[i];
    for (int j = 0; j < n && status == LIE_OK; j++) {
        e[j] = 1.0;
        status = G->dtau(G, B, minus, e);
        e[j] = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += w->M[i * n + k] * B[k];
            J[i * n + j] = -w->h * sum;
        }
    }
    return status;
}

/* The velocity of the system; of the middle of the step, as far as the rate at its start tells. */
static lie_status first_guess(const discrete *w, double *xi, double h)
{
    const lie_system *sys = w->st->system;
    double rate[LIE_DIM_MAX], m[LIE_DIM_MAX];
    lie_status status = lie_system_velocity(sys, xi, w->g0, w->p0);
    if (status != LIE_OK || h == 0.0) return status;
    lie_system_momentum_rate(sys, rate, w->t, w->g0, xi, w->st->u_minus);
    for (int i = 0; i < w->n; i++) m[i] = w->p0[i] + 0.5 * h * rate[i];
    return lie_system_velocity(sys, xi, w->g0, m);
}

static lie_status origin(const newton *N, double *xi)
{
    return first_guess((const discrete *)N->problem, xi, 0.0);
}

/* The sign of the determinant of the equations for h = 0, where J is d mu/d xi. */
static int branch_sign(const discrete *w)
{
    const lie_system *sys = w->st->system;
    int pivots[LIE_DIM_MAX];
    if (!sys->lagrangian) return 1;
    lie_system_hessian(sys, w->M, w->g0, w->xi);
    return lie__linear_plain.factor(w->n, w->M, pivots);
}

/* How much -D1 changes from the guess to a place close to it, per distance. */
static lie_status find_size(discrete *w)
{
    const double d = 0x1p-13;
    double near[LIE_DIM_MAX], at[LIE_DIM_MAX] = {0.0}, there[LIE_DIM_MAX] = {0.0}, size, steep = 0.0, g = 1.0;
    const newton N = {.problem = w};
    for (int i = 0; i < w->n; i++) near[i] = w->xi[i] + d / w->h;
    w->size = 0.0;
    lie_status status = residual(&N, there, &size, near);
    if (status == LIE_OK) status = residual(&N, at, &size, w->xi);
    if (status != LIE_OK) return status;
    for (int i = 0; i < w->n; i++) steep = fabs(there[i] - at[i]) > steep ? fabs(there[i] - at[i]) : steep;
    for (int i = 0; i < w->st->group->size; i++) g = fabs(w->g1[i]) > g ? fabs(w->g1[i]) : g;
    w->size = g * steep / d * fabs(w->h);
    return LIE_OK;
}

/* The same; where the guess is out of the domain of L_d, at a part of it. */
static lie_status learn_size(discrete *w)
{
    const double h = w->h;
    lie_status status = find_size(w);
    for (int k = 1; status == LIE_ERR_DOMAIN && k < 4; k++) {
        w->h = ldexp(h, -4 * k);
        status = find_size(w);
    }
    w->h = h;
    return status;
}

static lie_status solve(discrete *w, lie_solve *info)
{
    const lie_discrete *L = w->L;
    lie_status status = first_guess(w, w->xi, w->h);
    if (status != LIE_OK) return status;
    if (learn_size(w) == LIE_ERR_NOT_FINITE) return LIE_ERR_NOT_FINITE;
    newton N = {.n = w->n,
                .residual = residual,
                .jacobian = L->mixed && L->slopes ? jacobian : 0,
                .origin = origin,
                .inexact = L->forces != 0,
                .problem = w,
                .h = &w->h,
                .sign = branch_sign(w),
                .step = (L->slopes ? 0x1p-7 : 0x1p+14) / fabs(w->h),
                .linear = w->st->options.linear,
                .work = w->newton_work};
    status = lie__newton_solve(&N, w->xi, info);
    if (status != LIE_OK) return status;
    double inside[LIE_DIM_MAX];
    return w->st->group->dtauinv(w->st->group, inside, w->theta, w->theta);
}

/* D2 - Ad*_{tau(theta)} D1: what the step adds to the momentum */
static lie_status impulse(const discrete *w, double *out)
{
    const lie_ops *G = w->st->group;
    double T[LIE_SIZE_MAX];
    lie_status status = G->tau(G, T, w->theta);
    if (status != LIE_OK) return status;
    G->Adt(G, out, T, w->D1);
    for (int i = 0; i < w->n; i++) out[i] = w->D2[i] - out[i];
    return LIE_OK;
}

static lie_status discrete_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    discrete *w = of(st);
    double more[LIE_DIM_MAX];
    w->st = st;
    w->t = at->t, w->h = h, w->g0 = at->g;
    for (int i = 0; i < w->n; i++) w->p0[i] = at->m[i] + at->low_m[i];
    lie_status status = solve(w, info);
    if (status == LIE_OK) status = impulse(w, more);
    if (status == LIE_OK) status = move(G, at->g, at->low_g, at->m, at->low_m, w->theta);
    if (status != LIE_OK) return status;
    kick(w->n, at->m, at->low_m, 1.0, more);
    return all_finite(w->n, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status check(lie_report *r, const lie_stepper *st)
{
    const lie_discrete *L = st->options.discrete;
    if (!L) return lie__refuse(r, LIE_ERR_INCOMPLETE, "options.discrete", "must not be null");
    if (!L->value && !L->slopes)
        return lie__refuse(r, LIE_ERR_INCOMPLETE, "options.discrete.slopes", "must be there, or value");
    if (st->is.has_external && !L->forces)
        return lie__refuse(r, LIE_ERR_METHOD, "options.discrete.forces", "must be there with an external force");
    return LIE_OK;
}

static lie_status prepare(lie_stepper *st)
{
    discrete *w = of(st);
    const lie_discrete *L = st->options.discrete;
    int n = st->group->dim;
    double *next = st->work + HEAD;
    *w = (discrete){.st = st, .L = L, .n = n};
    w->xi = next, next += n;
    w->D1 = next, next += n;
    w->D2 = next, next += n;
    w->theta = next, next += n;
    w->g1 = next, next += st->group->size;
    w->M = next, next += n * n;
    w->newton_work = next;
    return LIE_OK;
}

/* Reading. */

/* L_d at h (1 + s) */
static lie_status value_at_length(const direction *d, double s, double *v)
{
    return d->L->value(d->L, v, d->t, d->g0, d->g1, d->h + s * d->h);
}

/* E_d = -d/dh L_d; NaN where nothing tells */
static lie_status energy(const lie_stepper *st, double *Ed, double t, const double *g0, const double *g1, double h)
{
    const lie_discrete *L = st->options.discrete;
    direction d = {st, L, g0, g1, t, h, 0, 0};
    double slope = 0.0, terms = 0.0;
    *Ed = (double)NAN;
    if (L->energy) return L->energy(L, Ed, t, g0, g1, h);
    if (!L->value) return LIE_OK;
    lie_status status = difference(value_at_length, &d, &slope, &terms);
    if (status == LIE_OK) *Ed = -slope / h;
    return status;
}

static lie_status values(lie_stepper *st, lie_discrete_values *out, double t, const double *g0, const double *g1,
                         double h)
{
    const lie_discrete *L = st->options.discrete;
    double terms;
    out->lagrangian = (double)NAN;
    lie_status status = momenta(st, out->p0, out->p1, &terms, t, g0, g1, h);
    if (status == LIE_OK && L->value) status = L->value(L, &out->lagrangian, t, g0, g1, h);
    return status == LIE_OK ? energy(st, &out->energy, t, g0, g1, h) : status;
}

const lie_method lie__method_discrete = {.name = "discrete",
                                         .doc = "a discrete Lagrangian of your own",
                                         .reference = "Marsden & West 2001, section 1.5",
                                         .symplectic = 1,
                                         .family = &lie__discrete};

const lie_family lie__discrete = {
    .substep = discrete_substep, .check = check, .doubles = doubles, .prepare = prepare, .values = values};
