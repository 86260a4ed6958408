/* SPDX-License-Identifier: MIT */
/* discrete.h: what a family answers about its discrete Lagrangian. Internal. */
#ifndef LIESTEP_LIB_VARIATIONAL_DISCRETE_H
#define LIESTEP_LIB_VARIATIONAL_DISCRETE_H

#include <liestep/discrete.h>

#include "lib/methods/stepping.h"

/* lie_family.values */
typedef lie_status values_fn(lie_stepper *st, lie_discrete_values *out, double t, const double *g0, const double *g1,
                             double h);
values_fn lie__separable_values, lie__vprk_values;

/* x = tau^-1(g0^-1 g1) */
LIE_INLINE lie_status join(const lie_ops *G, double *x, const double *g0, const double *g1)
{
    double between[LIE_SIZE_MAX];
    if (!G->tauinv) return LIE_ERR_INCOMPLETE;
    G->inv(G, between, g0);
    G->mul(G, between, between, g1);
    return G->tauinv(G, x, between);
}

#endif
