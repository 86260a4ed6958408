/* SPDX-License-Identifier: MIT */
/* lanes_rows.h: rows of a tile to and from the variables of one vector of trajectories; for the kernels that are
 * compiled for several lanes (lanes.h). Internal. */
#ifndef LIESTEP_LIB_LANES_ROWS_H
#define LIESTEP_LIB_LANES_ROWS_H

#include "groups/num/loops.h"

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

#endif
