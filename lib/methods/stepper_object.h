/* SPDX-License-Identifier: MIT */
/* stepper_object.h: what a lie_stepper is, the head of its work memory, and what the library may ask of it beyond the
 * public header. Internal. */
#ifndef LIESTEP_LIB_STEPPER_OBJECT_H
#define LIESTEP_LIB_STEPPER_OBJECT_H

#include <liestep/family.h>

#include "lib/systems/traits.h"

struct lie_stepper {
    const lie_system *system;
    const lie_ops *group; /* with the retraction chosen */
    const lie_method *method;
    const lie_family *family; /* of the method, or the general one where the system asks for it */
    const lie_tableau *tableau;
    const lie_composition *composition;
    lie_options options;
    const double *u_minus, *u_plus; /* control at the start and at the end of a step, or null for 0 */
    lie_statistics statistics;
    double *memory, *work; /* of the family */
    traits is;             /* what the system is, as it was at init */
    short memory_count;
    short unprojected; /* g is not brought back to the group from time to time: the method sees to it, or leaves it */
    lie_status (*run)(lie_stepper *st, lie_state *s, double h, long long n); /* the method's instance for this group */
    struct follower *follower; /* of the runs from now on, see loop.h; null: none */
};

enum { STEPPER_DOUBLES = (sizeof(struct lie_stepper) + sizeof(double) - 1) / sizeof(double) };

/* Doubles of the inverse of the inertia, which lies in front of the memory. */
static inline int lie__inverse_doubles(const lie_stepper *st)
{
    return st->family->inverse && st->is.constant ? st->group->dim * st->group->dim : 0;
}

/* What a stepper with these options would need, before there is one. Status: that of lie_stepper_init. */
typedef struct stepper_needs {
    size_t bytes; /* lie_stepper_memsize */
    int memory;   /* lie_stepper_memory_count */
    const lie_family *family;
} stepper_needs;
lie_status lie__stepper_needs(stepper_needs *out, lie_report *r, const lie_system *sys, const lie_options *opt);

/* The next step begins once more at s, where the last one began: like lie_stepper_reset, but what helps is kept. */
void lie__stepper_again(lie_stepper *st, const lie_state *s);

#endif
