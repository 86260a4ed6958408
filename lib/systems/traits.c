/* SPDX-License-Identifier: MIT */
/* traits.c: see traits.h. */
#include "lib/systems/traits.h"

#include <liestep/form.h>

/* What the form states. A weight in a frame is none that a kick could be made of. */
static void add_form(traits *t, const lie_system *sys)
{
    const int states = lie_form_states(sys), dim = sys->group->dim;
    const int has_force = (states & LIE_FORM_FORCE) != 0, has_gyro = (states & LIE_FORM_GYRO) != 0;
    if (states == 0) return;
    t->is_weight = has_force && (dim == 6 || !sys->form->frame);
    t->is_gyrostat = has_force && has_gyro && !t->has_external;
    t->is_satellite = t->is_gyrostat && !sys->form->weight;
    t->is_vessel = (states & LIE_FORM_EXTERNAL) != 0 && !t->has_gyro && (!t->has_force || t->is_weight);
}

traits lie__traits_of(const lie_system *sys)
{
    traits t = {.has_force = sys->force != 0,
                .has_gyro = sys->gyro != 0,
                .has_frame = sys->frame != 0,
                .has_external = sys->external != 0,
                .constant = !sys->lagrangian};
    t.positional = !t.has_external || sys->external_is_positional;
    t.quadratic = t.constant && !t.has_gyro;
    t.separable = t.quadratic && !t.has_external;
    t.free = t.separable && !t.has_force;
    add_form(&t, sys);
    return t;
}
