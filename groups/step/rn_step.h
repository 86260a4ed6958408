/* SPDX-License-Identifier: MIT */
/* rn_step.h: the free step on R^n, and on products of such. Internal. */
#ifndef LIESTEP_GROUPS_RN_STEP_H
#define LIESTEP_GROUPS_RN_STEP_H

#include <liestep/group.h>

/* dtau = 1, so that the equation I xi = (dtau_{h xi})^T p has nothing to solve: xi = I^-1 p. data: I^-1. One product with
 * a matrix, or with its diagonal. Status of prepare: LIE_ERR_SIZE beyond LIE_DIM_MAX dimensions, LIE_ERR_INERTIA. */
extern const lie_legendre lie__rn_legendre;

/* Its free step, which leaves `memory` and `info` alone. */
lie_status lie__rn_free_step(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, double h,
                             double *data, double *memory, lie_solve *info);

#endif
