/* SPDX-License-Identifier: MIT */
/* rates.h: the equations of motion at a point, for the families that see nothing but them (rkmk.c, commfree.c):
 *
 *     g' = g xi,   xi the velocity that has the momentum m at g,   m' = ad*_xi m + F(g, xi) + f(t, g, xi, u).
 *
 * For a quadratic Lagrangian xi = I^-1 (m - A(g)) with I^-1 computed once. Where nothing depends on g (a free body) the
 * stages of a step need no group element at all. Internal. */
#ifndef LIESTEP_LIB_RATES_H
#define LIESTEP_LIB_RATES_H

#include "lib/methods/stepping.h"

/* What there is beside the kinetic energy: nothing, a potential, anything. The first two are worth loops of their own:
 * functions that take a kind are meant to see a constant there. */
typedef enum rate_kind { RATES_FREE, RATES_POTENTIAL, RATES_ANY } rate_kind;

typedef struct rates {
    rate_kind kind;
    const double *inverse; /* I^-1, n x n; null for a general Lagrangian */
    double *u;             /* the control at a stage */
} rates;

static inline int rates_doubles(const lie_stepper *st)
{
    return st->system->controls;
}

/* `next`: rates_doubles of memory */
static inline void rates_prepare(rates *r, const lie_stepper *st, double *next)
{
    *r = (rates){.kind = st->is.free ? RATES_FREE : st->is.separable ? RATES_POTENTIAL : RATES_ANY};
    r->inverse = lie_stepper_inverse(st);
    r->u = next;
}

/* out = M a */
LIE_INLINE void times_n(int n, double *out, const double *M, const double *a)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) {
            double sum = M[i * n] * a[0];
            LIE_UNROLL
            for (int j = 1; j < n; j++) sum += M[i * n + j] * a[j];
            out[i] = sum;
        }
    } else {
        for (int i = 0; i < n; i++) {
            double sum = M[i * n] * a[0];
            for (int j = 1; j < n; j++) sum += M[i * n + j] * a[j];
            out[i] = sum;
        }
    }
}

/* a += b */
LIE_INLINE void add_n(int n, double *a, const double *b)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) a[i] += b[i];
    } else {
        for (int i = 0; i < n; i++) a[i] += b[i];
    }
}

/* xi and m' of any system at the fraction c of the substep from `at` */
LIE_INLINE lie_status rate_of_any(const lie_stepper *st, const lie_ops *G, const rates *r, double *xi, double *rate,
                                  const lie_place *at, double h, double c, const double *g, const double *m)
{
    const lie_system *sys = st->system;
    double term[LIE_DIM_MAX];
    int n = G->dim;
    if (st->is.has_gyro) {
        sys->gyro(sys, term, g);
        for (int i = 0; i < n; i++) term[i] = m[i] - term[i];
    }
    lie_status status = LIE_OK;
    if (r->inverse)
        times_n(n, xi, r->inverse, st->is.has_gyro ? term : m);
    else
        status = lie_system_velocity(sys, xi, g, m);
    if (status != LIE_OK) return status;
    G->adt(G, rate, xi, m);
    lie_system_force(sys, term, g, xi);
    add_n(n, rate, term);
    if (!st->is.has_external) return LIE_OK;
    sys->external(sys, term, at->t + c * h, g, xi, control_in(st, at, r->u, c));
    add_n(n, rate, term);
    return LIE_OK;
}

/* The same for a system of this kind; g is not looked at for a free one. xi, rate and m do not leave this function
 * unless the kind is RATES_ANY, so that they can live in registers. */
LIE_INLINE lie_status rate_at(const lie_stepper *st, const lie_ops *G, rate_kind kind, const rates *r, double *xi,
                              double *rate, const lie_place *at, double h, double c, const double *g, const double *m)
{
    double F[LIE_DIM_MAX];
    if (kind == RATES_ANY) return rate_of_any(st, G, r, xi, rate, at, h, c, g, m);
    times_n(G->dim, xi, r->inverse, m);
    G->adt(G, rate, xi, m);
    if (kind == RATES_FREE) return LIE_OK;
    st->system->force(st->system, F, g);
    add_n(G->dim, rate, F);
    return LIE_OK;
}

#endif
