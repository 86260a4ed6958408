/* SPDX-License-Identifier: MIT */
/* stages.c: what stages in lanes know of a system; see stages.h. */
#include "lib/methods/stages.h"

#include "lib/methods/stepper_object.h"
#include "lib/methods/widths.h"
#include "lib/systems/form.h"

stage_kind lie__stage_kind(const lie_stepper *st)
{
    const traits is = st->is;
    const int is_motion = st->group->dim == 6;
    if (is.is_vessel) return STAGE_VESSEL;
    if (is.is_satellite) return STAGE_SATELLITE;
    if (!is.separable) return is_motion ? STAGE_MOTION : STAGE_TURN;
    if (is.free || is.is_weight) return is_motion ? STAGE_VEHICLE : STAGE_TOP;
    return is_motion ? STAGE_PULLED_MOTION : STAGE_PULLED_TURN;
}

/* n, what is stored, and k n^2 I of a satellite */
static void satellite_terms(stage_form *out, const lie_system *sys)
{
    lie_form_frame_terms frame;
    sys->form->frame(sys, &frame);
    out->rate = frame.rate;
    for (int i = 0; i < 3; i++) out->store[i] = frame.stored[i];
    for (int i = 0; i < 9; i++) out->gradient[i] = frame.gradient * (frame.rate * frame.rate) * sys->inertia[i];
}

void lie__stage_form(stage_form *out, stage_kind kind, const lie_stepper *st)
{
    const lie_system *sys = st->system;
    int has_weight = kind == STAGE_TOP || kind == STAGE_VEHICLE || kind == STAGE_VESSEL;
    if (has_weight && st->is.has_force) sys->form->weight(sys, out->pull);
    if (kind == STAGE_SATELLITE) satellite_terms(out, sys);
    if (kind == STAGE_VESSEL && sys->form->drag) sys->form->drag(sys, out->drag, out->quadratic);
}

int lie__stage_width(int stages)
{
    return width_index(lie__width(stages > 4 ? 8 : stages > 2 ? 4 : 2));
}
