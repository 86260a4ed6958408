/* SPDX-License-Identifier: MIT */
/* surface.h: momenta on a surface of given energy and Casimirs, and on a section: where the orbits of a Poincare
 * section start.
 *
 *     H(g, m) = energy,     C_k(m) = casimirs[k],     f(t, g, m) = 0,        g fixed, m wanted
 *
 * Fewer equations than unknowns: from a given m the nearest solution by Gauss-Newton steps of least length; from random
 * ones, many. The same seed and index give the same momentum on every machine. No allocation. A lie_surface is
 * what is asked: filled in by the caller, read only, so that several threads may use one. */
#ifndef LIESTEP_SURFACE_H
#define LIESTEP_SURFACE_H

#include <liestep/section.h>

LIE_BEGIN_DECLS

typedef struct lie_surface {
    const lie_system *system;
    int has_energy; /* 1: the energy is given */
    double energy;
    const double *casimirs; /* group->casimirs values, NaN: free; null: all free */
    const lie_event *event; /* its value shall be 0; null: none. The direction is not looked at. */
    const lie_event *more;  /* further ones, `count` of them; at most as many equations as unknowns in all */
    int count;
} lie_surface;

/* Move s->m to the surface. s is as it was on failure. Status: LIE_ERR_NO_CONVERGENCE (no point found from here: the
 * surface may be empty, or singular there), LIE_ERR_NOT_FINITE, LIE_ERR_SIZE (s has no room for the body). */
LIE_API lie_status lie_surface_move(const lie_surface *S, lie_state *s);

/* s->m = random on the surface, the index-th with this seed, in up to `tries` attempts. Where the energy is given, the
 * attempts have that energy to begin with. Status as before. */
LIE_API lie_status lie_surface_sample(const lie_surface *S, lie_state *s, unsigned long long seed,
                                      unsigned long long index, int tries);

LIE_END_DECLS

#endif
