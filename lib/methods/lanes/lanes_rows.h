/* SPDX-License-Identifier: MIT */
/* lanes_rows.h: rows of a tile to and from the variables of one vector of trajectories; for the kernels that are
 * compiled for several lanes (lanes.h). Internal. */
#ifndef LIESTEP_LIB_LANES_ROWS_H
#define LIESTEP_LIB_LANES_ROWS_H

#include "groups/num/loops.h"
#include "lib/methods/lanes/lanes.h"

/* n rows, of which this vector has one in `vectors`; returns what follows them */
LIE_INLINE const lie_real *load(int n, lie_real *out, const lie_real *row, int vectors)
{
    LIE_UNROLL
    for (int i = 0; i < n; i++) out[i] = row[i * vectors];
    return row + n * vectors;
}

LIE_INLINE lie_real *save(int n, lie_real *row, const lie_real *a, int vectors)
{
    LIE_UNROLL
    for (int i = 0; i < n; i++) row[i * vectors] = a[i];
    return row + n * vectors;
}

/* What a trail keeps of a step: t, g and m */
LIE_INLINE void save_trail(const lanes_shape *S, lie_real *row, const lie_real *time, const lie_real *g,
                           const lie_real *m, int vectors)
{
    row = save(1, row, time, vectors);
    row = save(S->size, row, g, vectors);
    save(S->dim, row, m, vectors);
}

/* Bit l: lane l */
LIE_INLINE unsigned lane_bits(lie_mask mask)
{
    unsigned bits = 0;
    for (int l = 0; l < LIE_LANES; l++) bits |= mask[l] ? 1u << l : 0u;
    return bits;
}

#endif
