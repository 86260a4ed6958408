/* SPDX-License-Identifier: MIT */
/* gyrostat.c: which systems are a gyrostat; see gyrostat.h. */
#include "lib/systems/catalogue/gyrostat.h"

#include "groups/step/so3_step.h"

int lie__gyrostat_now(gyrostat *body, const lie_system *sys)
{
    gyrostat now;
    if (!lie__satellite_gyrostat(&now, sys) && !lie__turntable_gyrostat(&now, sys)) return 0;
    copy_n(9, now.I, body->I);
    copy_n(9, now.inverse, body->inverse);
    *body = now;
    return 1;
}

int lie__gyrostat_of(gyrostat *out, const lie_system *sys)
{
    if (sys->lagrangian || sys->external) return 0;
    if (!lie__satellite_gyrostat(out, sys) && !lie__turntable_gyrostat(out, sys)) return 0;
    copy_n(9, out->I, sys->inertia);
    return lie__spd3_inverse(out->inverse, out->I) != 0.0;
}
