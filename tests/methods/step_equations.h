/* SPDX-License-Identifier: MIT */
/* step_equations.h: the implicit equations of a step, written from docs/METHODS.md, to judge steps that were taken.
 * They share the maps of the groups with the steppers, and nothing else. */
#ifndef LIESTEP_TESTS_STEP_EQUATIONS_H
#define LIESTEP_TESTS_STEP_EQUATIONS_H

#include <liestep/stepper.h>

enum { EQUATIONS_MAX = LIE_STAGES_MAX * 6 };

/* The equations for the velocities x of a step h from s: residual r, size of its terms, and where the step leads. */
typedef struct step_equations {
    const lie_stepper *st;
    const lie_system *sys;
    const lie_state *from;
    double h;
    int count; /* of unknowns and equations */
    lie_status (*residual)(const struct step_equations *E, double *r, double *size, double *g, double *m,
                           const double *x);
} step_equations;

/* Those of ep, ve, sv in one velocity, and those of the variational Runge-Kutta methods in the chart velocities of all
 * stages. 0: the method is another one. */
int step_equations_of(step_equations *E, const lie_stepper *st, const lie_state *from, double h);

/* How far the step that `st` has just taken without a composition is from true: the largest residual of its equations
 * and of what follows from them, over the size of the terms. -1: the method solves no equation. */
double step_equations_error(const lie_stepper *st, const lie_state *from, const lie_state *to, double h);

#endif
