/* SPDX-License-Identifier: MIT */
/* finite.h: is it finite, and the one way out of functions that return a status. Internal. */
#ifndef LIESTEP_GROUPS_FINITE_H
#define LIESTEP_GROUPS_FINITE_H

#include <liestep/status.h>

#include "groups/num/loops.h"

/* 1 if all n values are finite. */
LIE_INLINE lie_mask all_finite(int n, const lie_real *a)
{
    lie_real sum = real_of(0.0);
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) sum += zero_if_finite(a[i]);
    } else {
        for (int i = 0; i < n; i++) sum += zero_if_finite(a[i]);
    }
    return sum == 0.0;
}

/* For plain doubles alone */
#ifndef LIE_LANES

/* Store a result only if it is finite: the one way out of every function that returns a status. */
LIE_INLINE lie_status store(int n, double *out, const double *result)
{
    if (!all_finite(n, result)) return LIE_ERR_NOT_FINITE;
    copy_n(n, out, result);
    return LIE_OK;
}

#endif

#endif
