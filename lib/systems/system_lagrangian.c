/* SPDX-License-Identifier: MIT */
/* system_lagrangian.c: the velocity that belongs to a momentum under a general Lagrangian.
 *
 *     r(xi) = mu - dl/dxi(g, xi) = 0,     xi <- xi + f H^-1 r,     H = d2l/dxi2,     from xi = 0
 *
 * f = 1, 1/2, 1/4, ... until the residual shrinks, which a Newton direction always allows; where dl/dxi is not defined
 * (not finite) the residual counts as infinite. The iteration ends when it stagnates; the answer is good if every
 * component of the residual is then at round-off of the terms it is the difference of. Converges quadratically; cost
 * of an iteration: one Hessian, one elimination, one momentum.
 *
 * Reference: Deuflhard, Newton Methods for Nonlinear Problems, 2011. */
#include "lib/systems/system_lagrangian.h"
#include "groups/num/finite.h"

#include <math.h>

#include "groups/num/newton.h"

enum { ITERATIONS = 100, HALVINGS = 60 };

typedef struct iterate {
    double xi[LIE_DIM_MAX], r[LIE_DIM_MAX];
    double norm;     /* max |r_i|; infinite where r is not finite */
    double relative; /* max |r_i| / size_i */
} iterate;

/* The size of the terms of r_i, |mu_i| + |(dl/dxi)_i| + sum_j |H_ij xi_j|; the largest of them stands for those that
 * are 0. */
typedef struct sizes {
    double of[LIE_DIM_MAX], largest;
} sizes;

static void find_sizes(int n, sizes *size, const iterate *at, const double *H, const double *mu)
{
    size->largest = 0.0;
    for (int i = 0; i < n; i++) {
        size->of[i] = fabs(mu[i]) + fabs(mu[i] - at->r[i]);
        for (int j = 0; j < n; j++) size->of[i] += fabs(H[i * n + j] * at->xi[j]);
        if (size->of[i] > size->largest) size->largest = size->of[i];
    }
    for (int i = 0; i < n; i++)
        if (size->of[i] == 0.0) size->of[i] = size->largest;
}

/* r and its norm at xi */
static void evaluate(const lie_system *sys, iterate *at, const double *g, const double *mu)
{
    int n = sys->group->dim;
    sys->momentum(sys, at->r, g, at->xi);
    for (int i = 0; i < n; i++) at->r[i] = mu[i] - at->r[i];
    at->norm = at->relative = all_finite(n, at->r) ? 0.0 : HUGE_VAL;
    for (int i = 0; i < n; i++)
        if (fabs(at->r[i]) > at->norm) at->norm = fabs(at->r[i]);
}

static void measure(int n, iterate *at, const sizes *size)
{
    for (int i = 0; i < n && at->norm < HUGE_VAL; i++) {
        double relative = fabs(at->r[i]) / size->of[i];
        if (i == 0 || relative > at->relative) at->relative = relative;
    }
}

/* Is `next`, reached with the fraction f of the update, better than `at`? Where the largest components are at round-off
 * the others decide: they may be in other units. */
static int better(const iterate *next, const iterate *at, double f, double largest)
{
    if (next->norm <= (1.0 - 0.25 * f) * at->norm) return 1;
    return next->norm <= 0x1p-44 * largest && next->relative <= 0.5 * at->relative;
}

static int is_solved(const iterate *at)
{
    return at->relative <= 0x1p-34;
}

/* One damped update of *at. 0: none was better. */
static int advance(const lie_system *sys, iterate *at, const double *g, const double *mu, const double *update,
                   const sizes *size)
{
    iterate next;
    int n = sys->group->dim, halvings = is_solved(at) ? 0 : HALVINGS; /* at round-off halving gains nothing */
    double f = 1.0;
    for (int k = 0; k <= halvings; k++) {
        for (int i = 0; i < n; i++) next.xi[i] = at->xi[i] + f * update[i];
        evaluate(sys, &next, g, mu);
        measure(n, &next, size);
        if (better(&next, at, f, size->largest)) {
            *at = next;
            return 1;
        }
        f *= 0.5;
    }
    return 0;
}

lie_status lie__lagrangian_velocity(const lie_system *sys, double *xi, const double *g, const double *mu)
{
    double H[LIE_DIM_MAX * LIE_DIM_MAX], update[LIE_DIM_MAX];
    int n = sys->group->dim, pivots[LIE_DIM_MAX];
    lie_status status = LIE_ERR_NO_CONVERGENCE;
    iterate at = {.xi = {0.0}};
    sizes size = {.largest = 0.0};
    evaluate(sys, &at, g, mu);
    if (!(at.norm < HUGE_VAL)) return LIE_ERR_NOT_FINITE;
    for (int it = 0; it < ITERATIONS && at.norm > 0.0; it++) {
        lie_system_hessian(sys, H, g, at.xi);
        find_sizes(n, &size, &at, H, mu);
        measure(n, &at, &size);
        copy_n(n, update, at.r);
        if (!all_finite(n * n, H) || !lie__linear_plain.factor(n, H, pivots)) status = LIE_ERR_SINGULAR;
        if (status == LIE_ERR_SINGULAR) break;
        lie__linear_plain.solve(n, H, pivots, update);
        if (!advance(sys, &at, g, mu, update, &size)) break;
    }
    if (!is_solved(&at)) return status;
    copy_n(n, xi, at.xi);
    return LIE_OK;
}
