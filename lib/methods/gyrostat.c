/* SPDX-License-Identifier: MIT */
/* gyrostat.c: which systems are a gyrostat; see gyrostat.h. */
#include "lib/methods/gyrostat.h"

#include "groups/step/so3_step.h"
#include "lib/systems/form.h"

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
    const int both = LIE_FORM_FORCE | LIE_FORM_GYRO;
    if (sys->external || (lie_form_states(sys) & both) != both) return 0;
    lie__gyrostat_now(out, sys);
    copy_n(9, out->I, sys->inertia);
    return lie__spd3_inverse(out->inverse, out->I) != 0.0;
}
