/* SPDX-License-Identifier: MIT */
/* gyrostat.c: which systems are a gyrostat; see gyrostat.h. */
#include "lib/methods/gyrostat.h"

#include "groups/step/so3_step.h"
#include "lib/systems/form.h"
#include "lib/systems/traits.h"

void lie__gyrostat_now(gyrostat *body, const lie_system *sys)
{
    lie_form_frame_terms frame;
    well q = form_well(sys, &frame);
    body->s = q.s, body->s1 = q.s1, body->n = frame.rate;
    copy_n(3, body->l, q.l);
    copy_n(3, body->r, frame.stored);
}

int lie__gyrostat_of(gyrostat *out, const lie_system *sys)
{
    if (!lie__traits_of(sys).is_gyrostat) return 0;
    lie__gyrostat_now(out, sys);
    copy_n(9, out->I, sys->inertia);
    return lie__spd3_inverse(out->inverse, out->I) != 0.0;
}
