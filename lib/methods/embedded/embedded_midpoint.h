/* SPDX-License-Identifier: MIT */
/* embedded_midpoint.h: one stage in the embedding of S3 and SO3 by Newton's method in three unknowns. Internal. */
#ifndef LIESTEP_LIB_EMBEDDED_MIDPOINT_H
#define LIESTEP_LIB_EMBEDDED_MIDPOINT_H

#include "lib/methods/embedded/embedded.h"
#include "lib/methods/stepping.h"

enum { MIDPOINT_KNOWN = 6 };

/* In the stepper's memory: how many u are known, of steps of length h, the latest first. */
typedef struct midpoint_memory {
    double known, h, u[3][MIDPOINT_KNOWN];
} midpoint_memory;

enum { MIDPOINT_MEMORY = sizeof(midpoint_memory) / sizeof(double) };

/* The substep, or null where there is none for this tableau and kind: steps by passes then. */
lie_substep_fn *lie__embedded_midpoint(const lie_stepper *st, stage_kind kind);

#endif
