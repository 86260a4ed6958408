/* SPDX-License-Identifier: MIT */
/* step_terms.h: what the equations of a step are written with (step_equations.c), and the errors in those of the
 * rivals. */
#ifndef LIESTEP_TESTS_STEP_TERMS_H
#define LIESTEP_TESTS_STEP_TERMS_H

#include <liestep/stepper.h>

#include <math.h>

enum { DIM = 6, SIZE = 12 };

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* max(so_far, |a_i|); infinite where something is not finite */
static inline double reach(int n, const double *a, double so_far)
{
    for (int i = 0; i < n; i++) so_far = a[i] - a[i] == 0.0 ? larger(fabs(a[i]), so_far) : HUGE_VAL;
    return so_far;
}

static inline double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static inline void add(int n, double *out, double f, const double *a)
{
    for (int i = 0; i < n; i++) out[i] += f * a[i];
}

static inline void node_momentum(const lie_state *s, int n, double *m)
{
    for (int i = 0; i < n; i++) m[i] = s->m[i] + s->low_m[i];
}

/* out += f times the external force */
static inline void add_external(const lie_system *sys, double *out, double f, double t, const double *g,
                                const double *xi)
{
    double force[DIM] = {0.0};
    lie_system_external(sys, force, t, g, xi, 0);
    add(sys->group->dim, out, f, force);
}

/* g tau(x) and Ad*_{tau(x)} P */
static inline lie_status moved_by(const lie_ops *G, double *g, double *m, const double *from, const double *x,
                                  const double *P)
{
    double T[SIZE];
    lie_status status = G->tau(G, T, x);
    if (status != LIE_OK) return status;
    G->mul(G, g, from, T);
    G->Adt(G, m, T, P);
    return LIE_OK;
}

/* |g - g'| over |g|, |m - m'| over size */
static inline double far(const lie_ops *G, const double *g, const double *m, const lie_state *to, double size)
{
    double most = 0.0, place = reach(G->size, g, 1.0), end[DIM];
    node_momentum(to, G->dim, end);
    for (int i = 0; i < G->size; i++) most = larger(most, fabs(g[i] - to->g[i]) / place);
    for (int i = 0; i < G->dim; i++)
        if (size > 0.0) most = larger(most, fabs(m[i] - end[i]) / reach(G->dim, m, size));
    return most - most == 0.0 ? most : HUGE_VAL;
}

/* step_equations_error of the families coadjoint and akw, with the retraction of G, and newmark */
double coadjoint_error(const lie_stepper *st, const lie_ops *G, const lie_state *from, const lie_state *to, double h);
double newmark_error(const lie_stepper *st, const lie_state *from, const lie_state *to, double h);

#endif
