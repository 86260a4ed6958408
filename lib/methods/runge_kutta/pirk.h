/* SPDX-License-Identifier: MIT */
/* pirk.h: the stages of a parallel iterated Runge-Kutta step (pirk.c), one in each lane of a vector. Internal.
 *
 * The state is flat: y = (q, m, x), the unit quaternion of the attitude, the body momentum and, on SE(3), the place.
 * lib/methods/runge_kutta/pirk_stages.c computes what a step adds to it; it is compiled for plain doubles and once for
 * every instruction set (lib/meson.build), with the same bits. */
#ifndef LIESTEP_LIB_PIRK_H
#define LIESTEP_LIB_PIRK_H

#include <liestep/system.h>

#include "lib/methods/stages.h"

enum { PIRK_STAGES_MAX = 8, PIRK_LONGEST = 13 };

/* k = y' at stage i, or at the start of the step for i = -1, of a system that is called: y = (q, m) or (q, m, x); false
 * where there is none */
typedef int pirk_call(void *context, int i, double *k, const double *y);

/* the forces on the first stages, component k of stage i at F[k][i], from their values */
typedef double pirk_per_stage[PIRK_STAGES_MAX];
typedef void pirk_force(void *context, int stages, pirk_per_stage *F, const pirk_per_stage *Y);

typedef struct pirk_task {
    int passes;                                   /* after the rate at the start of the step */
    double hA[PIRK_STAGES_MAX * PIRK_STAGES_MAX]; /* h a_ij at [8 j + i]; 0 beyond the last stage */
    double hb[PIRK_STAGES_MAX], hc[PIRK_STAGES_MAX];
    double y[PIRK_LONGEST], dy[PIRK_LONGEST]; /* before the step, and what it adds */
    double inverse[36];                       /* of the inertia */
    stage_form form;
    double thrust[6 * PIRK_STAGES_MAX]; /* a vessel's thrusters' wrench at [8 k + i] in stage i, */
    double first_thrust[6];             /* and at the start of the step */
    pirk_force *force;
    pirk_call *call;
    void *context;
} pirk_task;

/* False where a call has failed. */
typedef int pirk_fn(pirk_task *task);

/* Instances for 4, 6 and 8 stages. */
typedef struct pirk_kernel {
    pirk_fn *run[3][STAGE_KINDS];
} pirk_kernel;

#endif
