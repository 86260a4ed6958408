/* SPDX-License-Identifier: MIT */
/* so3_step.h: what a time step needs of SO(3) and S3 with cay and exp, as functions that a stepper can have inlined:
 * the move, the inverse discrete Legendre transform of each retraction, the free step and a few verbs; and the
 * descriptors lie_legendre of them. Internal. */
#ifndef LIESTEP_GROUPS_SO3_STEP_H
#define LIESTEP_GROUPS_SO3_STEP_H

#include "groups/step/so3_move.h"
#include "groups/step/so3_solve_cay.h"
#include "groups/step/so3_solve_exp.h"
#include "groups/step/so3_verbs.h"

int lie__so3_legendre_doubles(const lie_ops *G);
lie_status lie__so3_legendre_prepare(const lie_ops *G, double *data, const double *inertia);

#define SO3_LEGENDRE .doubles = lie__so3_legendre_doubles, .prepare = lie__so3_legendre_prepare
static const lie_legendre so3_cay_legendre = {SO3_LEGENDRE, .solve = so3_cay_solve, .free_step = so3_cay_free_step};
static const lie_legendre s3_cay_legendre = {SO3_LEGENDRE, .solve = so3_cay_solve, .free_step = s3_cay_free_step};
static const lie_legendre so3_exp_legendre = {SO3_LEGENDRE, .solve = so3_exp_solve, .wants_guess = 1};
static const lie_legendre s3_exp_legendre = {SO3_LEGENDRE, .solve = so3_exp_solve, .wants_guess = 1};

#endif
