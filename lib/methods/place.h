/* SPDX-License-Identifier: MIT */
/* place.h: what is done to the place (g, m) of a step: move it, copy it, bring it back to the group, ask for the force
 * there. Internal. */
#ifndef LIESTEP_LIB_PLACE_H
#define LIESTEP_LIB_PLACE_H

#include "groups/num/finite.h"
#include "lib/methods/stepper_object.h"

/* The group is projected back to itself every so many steps: a power of two. Its elements are then never further from
 * it than the rounding of that many products. Where the group's own move carries the rounding there is less to mend,
 * and the rounding of the projection itself, which has a bias, should come less often. */
enum { PROJECT_EVERY = 32, PROJECT_CARRIED_EVERY = 1024 };

/* g <- g tau(x), m <- Ad*_{tau(x)} m through the group's own move or from its parts */
LIE_INLINE lie_status move(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, const double *x)
{
    if (G->move) return G->move(G, g, low_g, m, low_m, x);
    double T[LIE_SIZE_MAX];
    lie_status status = G->tau(G, T, x);
    if (status != LIE_OK) return status;
    G->mul(G, g, g, T);
    for (int i = 0; i < G->dim; i++) m[i] += low_m[i], low_m[i] = 0.0;
    G->Adt(G, m, T, m);
    return all_finite(G->dim, m) && all_finite(G->size, g) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* The numbers that make up a state. */
LIE_INLINE void place_copy(const lie_ops *G, double *g, double *low_g, double *m, double *low_m, const double *from_g,
                           const double *from_low_g, const double *from_m, const double *from_low_m)
{
    copy_n(G->size, g, from_g);
    copy_n(G->size, low_g, from_low_g);
    copy_n(G->dim, m, from_m);
    copy_n(G->dim, low_m, from_low_m);
}

/* Bring g back to the group, and the force there. Both work on copies, so that the address of g stays known here and g
 * can live in registers. */
LIE_INLINE lie_status project(const lie_stepper *st, const lie_ops *G, double *g)
{
    double near[LIE_SIZE_MAX];
    copy_n(G->size, near, g);
    lie_status status = st->group->project(st->group, near, near);
    if (status == LIE_OK) copy_n(G->size, g, near);
    return status;
}

LIE_INLINE void force_at(const lie_stepper *st, const lie_ops *G, double *F, const double *g)
{
    double at[LIE_SIZE_MAX];
    copy_n(G->size, at, g);
    st->system->force(st->system, F, at);
}

/* The bits of g have changed. */
LIE_INLINE void tell_moved(lie_stepper *st)
{
    if (st->family->moved) st->family->moved(st);
}

#endif
