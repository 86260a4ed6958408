/* SPDX-License-Identifier: MIT */
/* separable_step.h: what the substeps of separable.c have in common, with and without an external force: the first
 * guess from the velocities of the last steps, and the force of the potential. Internal. */
#ifndef LIESTEP_LIB_SEPARABLE_STEP_H
#define LIESTEP_LIB_SEPARABLE_STEP_H

#include "lib/methods/variational/separable.h"
#include "lib/systems/form.h"

/* xi <- the velocity of the next step, on the polynomial through the last ones; the first few times there are fewer */
LIE_INLINE void on_polynomial(int n, double *xi, const double *v, int count)
{
    double past[HISTORY];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < count; j++) past[j] = v[j * n + i];
        xi[i] = ahead(count, past);
    }
}

LIE_COLD void extrapolate_few(int n, double *xi, const double *memory)
{
    on_polynomial(n, xi, memory + SEPARABLE_PAST, (int)memory[SEPARABLE_COUNT]);
}

LIE_INLINE void extrapolate(int n, double *xi, const double *memory)
{
    if (LIE_USUALLY(memory[SEPARABLE_COUNT] == HISTORY))
        on_polynomial(n, xi, memory + SEPARABLE_PAST, HISTORY);
    else
        extrapolate_few(n, xi, memory);
}

/* Remember the velocity of a step of length h. One of another length still tells the velocity, but not its change. */
LIE_INLINE void remember(int n, double *memory, double h, const double *xi)
{
    double *v = memory + SEPARABLE_PAST;
    if (memory[SEPARABLE_H] != h) memory[SEPARABLE_H] = h, memory[SEPARABLE_COUNT] = 0.0;
    if (memory[SEPARABLE_COUNT] < HISTORY) memory[SEPARABLE_COUNT] += 1.0;
    for (int i = 0; i < n; i++) {
        LIE_UNROLL
        for (int j = HISTORY - 1; j > 0; j--) v[j * n + i] = v[(j - 1) * n + i];
        v[i] = xi[i];
    }
}

LIE_INLINE lie_status first_guess(lie_stepper *st, const lie_ops *G, const separable *w, double *xi, double h,
                                  const double *g, const double *P)
{
    if (st->memory[SEPARABLE_COUNT] == 0.0) {
        if (!G->legendre || !G->legendre->guess) return lie_system_velocity(st->system, xi, g, P);
        G->legendre->guess(G, xi, w->data, P);
        return LIE_OK;
    }
    if (st->memory[SEPARABLE_H] == h)
        extrapolate(G->dim, xi, st->memory);
    else
        copy_n(G->dim, xi, st->memory + SEPARABLE_PAST);
    return LIE_OK;
}

/* F(g), from the numbers of the form where there is one: as in lanes */
LIE_INLINE void own_force(const lie_stepper *st, const lie_ops *G, const double *g)
{
    separable *w = separable_of(st);
    if (st->is.is_weight)
        form_weight_force(st->system, G->size, w->F, g);
    else
        force_at(st, G, w->F, g);
}

#endif
