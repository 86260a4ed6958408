/* SPDX-License-Identifier: MIT */
/* family.c: what the substep of a family of one's own works with, and the run made of it; see liestep/family.h. */
#include "lib/methods/stepping.h"

double *lie_stepper_work(const lie_stepper *st)
{
    return st->work;
}

const double *lie_stepper_inverse(const lie_stepper *st)
{
    int doubles = lie__inverse_doubles(st);
    return doubles > 0 ? st->memory - doubles : 0;
}

double *lie_stepper_memory(const lie_stepper *st)
{
    return st->memory;
}

void lie_place_kick(const lie_ops *G, lie_place *at, double f, const double *F)
{
    kick(G->dim, at->m, at->low_m, f, F);
}

lie_status lie_place_move(const lie_ops *G, lie_place *at, const double *x)
{
    return move(G, at->g, at->low_g, at->m, at->low_m, x);
}

const double *lie_place_control(const lie_stepper *st, const lie_place *at, double *u, double c)
{
    return control_in(st, at, u, c);
}

lie_status lie__family_run(lie_stepper *st, lie_state *s, double h, long long n)
{
    const lie_family *by = st->family;
    lie_status status = by->begin ? by->begin(st, s, h) : LIE_OK;
    if (status != LIE_OK) return status;
    status = run_or_follow(st, st->group, take_steps, by->substep, s, h, n);
    if (by->end) by->end(st, s);
    return status;
}
