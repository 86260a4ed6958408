/* SPDX-License-Identifier: MIT */
/* embedded_answer.h: velocity and force of any system at a stage. Internal. */
#ifndef LIESTEP_LIB_EMBEDDED_ANSWER_H
#define LIESTEP_LIB_EMBEDDED_ANSWER_H

#include "lib/methods/stepping.h"

/* What the system is asked with in a substep of length h from `at`. */
typedef struct embedded_call {
    const lie_stepper *st;
    const lie_place *at;
    double h;
    const double *inverse; /* of the inertia; null for a general Lagrangian */
    double *u;             /* the control at a stage */
    lie_status status;     /* of the last answer */
} embedded_call;

/* velocity and force of any system at the fraction `part` of the substep */
static inline lie_status embedded_answer(const embedded_call *c, double part, double *xi, double *F, const double *g,
                                         const double *m)
{
    const lie_stepper *st = c->st;
    const lie_system *sys = st->system;
    double term[LIE_DIM_MAX];
    int n = st->group->dim;
    if (!c->inverse) {
        lie_status status = lie_system_velocity(sys, xi, g, m);
        if (status != LIE_OK) return status;
    } else {
        zero_n(n, term);
        if (st->is.has_gyro) sys->gyro(sys, term, g);
        for (int i = 0; i < n; i++) term[i] = m[i] - term[i];
        for (int i = 0; i < n; i++) {
            xi[i] = c->inverse[i * n] * term[0];
            for (int j = 1; j < n; j++) xi[i] += c->inverse[i * n + j] * term[j];
        }
    }
    lie_system_force(sys, F, g, xi);
    if (!st->is.has_external) return LIE_OK;
    sys->external(sys, term, c->at->t + part * c->h, g, xi, control_in(st, c->at, c->u, part));
    for (int i = 0; i < n; i++) F[i] += term[i];
    return LIE_OK;
}

/* Why there was no answer: the equations of motion have none at the node or, by the clock, at a stage; or the step is
 * too long. */
static inline lie_status embedded_refusal(const embedded_call *c)
{
    const lie_tableau *tab = c->st->tableau;
    double xi[LIE_DIM_MAX], F[LIE_DIM_MAX];
    int n = c->st->group->dim;
    for (int i = -1; i < tab->stages; i++) {
        lie_status status = embedded_answer(c, i < 0 ? 0.0 : tab->c[i], xi, F, c->at->g, c->at->m);
        if (status != LIE_OK) return status;
        if (!all_finite(n, xi) || !all_finite(n, F)) return LIE_ERR_NOT_FINITE;
    }
    return LIE_ERR_NO_CONVERGENCE;
}

#endif
