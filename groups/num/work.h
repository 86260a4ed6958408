/* SPDX-License-Identifier: MIT */
/* work.h: is what a caller gives as work memory good for an object of `needed` bytes? Not null, aligned for double,
 * large enough; nothing is, where 0 bytes are needed because the object cannot be made. Internal. */
#ifndef LIESTEP_GROUPS_WORK_H
#define LIESTEP_GROUPS_WORK_H

#include <stddef.h>
#include <stdint.h>

static inline int work_fits(const void *work, size_t bytes, size_t needed)
{
    return work && (uintptr_t)work % sizeof(double) == 0 && needed > 0 && bytes >= needed;
}

#endif
