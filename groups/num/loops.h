/* SPDX-License-Identifier: MIT */
/* loops.h: short loops over numbers of real.h, unrolled where their length is known, and what a compiler must be told
 * so that the bits are the same everywhere: every header here includes it. Internal. */
#ifndef LIESTEP_GROUPS_LOOPS_H
#define LIESTEP_GROUPS_LOOPS_H

#include <string.h>

#include "groups/num/real.h"

/* gcc 12 turns pairs a*b + c, a*b - c into one fused instruction when it vectorises straight-line code for a processor
 * with FMA, -ffp-contract=off or not (vfmaddsub). That changes bits, so it must not there; elsewhere it may. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__FMA__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

/* Small loops over locals are unrolled before anything else, so that the locals live in registers. */
#if defined(__clang__)
#define LIE_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define LIE_UNROLL _Pragma("GCC unroll 64")
#else
#define LIE_UNROLL
#endif

/* Is the length of a loop known when this is compiled? Only then it is worth unrolling. */
#if defined(__GNUC__)
#define LIE_IS_FIXED(n) __builtin_constant_p(n)
#else
#define LIE_IS_FIXED(n) 0
#endif

LIE_INLINE void copy_n(int n, lie_real *out, const lie_real *a)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) out[i] = a[i];
    } else {
        memmove(out, a, (size_t)n * sizeof *out);
    }
}

LIE_INLINE void zero_n(int n, lie_real *out)
{
    if (LIE_IS_FIXED(n)) {
        LIE_UNROLL
        for (int i = 0; i < n; i++) out[i] = real_of(0.0);
    } else {
        memset(out, 0, (size_t)n * sizeof *out);
    }
}

#endif
