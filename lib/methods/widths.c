/* SPDX-License-Identifier: MIT */
/* widths.c: how many lanes the processor has; see widths.h. */
#include "lib/methods/widths.h"

int lie__width(int most)
{
#if defined(LIE_WITH_LANES_8)
    __builtin_cpu_init();
    if (most >= 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return 8;
#endif
#if defined(LIE_WITH_LANES_4)
    __builtin_cpu_init();
    if (most >= 4 && __builtin_cpu_supports("avx2")) return 4;
#endif
#if defined(LIE_WITH_LANES_2)
    if (most >= 2) return 2;
#endif
    (void)most;
    return 1;
}
