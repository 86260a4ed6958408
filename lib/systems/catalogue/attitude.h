/* SPDX-License-Identifier: MIT */
/* attitude.h: what the systems of the catalogue on SO3 and S3 share. Internal. */
#ifndef LIESTEP_LIB_ATTITUDE_H
#define LIESTEP_LIB_ATTITUDE_H

#include <liestep/form.h>
#include <liestep/systems.h>

#include "lib/systems/catalogue/named_group.h"
#include "lib/systems/well.h"

/* the weight of a top */
LIE_INLINE well weight_well(const lie_heavy_top *p)
{
    double k = p->mass * p->gravity;
    return (well){0.0, {k * p->centre[0], k * p->centre[1], k * p->centre[2]}, 0.0};
}

/* *out = sys on that group, if it is a group of attitudes and the system is sound. */
LIE_INLINE lie_status on_attitude_group(lie_system *out, lie_system sys, const char *group)
{
    static const char *const groups[] = {"S3", "SO3", 0};
    lie_status status = lie__group_named(&sys.group, group, groups);
    if (status == LIE_OK) status = lie_system_check(&sys);
    if (status == LIE_OK) *out = sys;
    return status;
}

#endif
