/* SPDX-License-Identifier: MIT */
/* widths.h: kernels that are compiled for several numbers of lanes, and which of them this processor can run. meson
 * defines LIE_WITH_LANES_<n> for those that there are. Internal. */
#ifndef LIESTEP_LIB_WIDTHS_H
#define LIESTEP_LIB_WIDTHS_H

/* The kernels <prefix>_8, <prefix>_4, <prefix>_2, the widest first; 0 for those that there are not. */
#define WIDTHS(prefix) WIDTHS_8(prefix), WIDTHS_4(prefix), WIDTHS_2(prefix)
#if defined(LIE_WITH_LANES_8)
#define WIDTHS_8(prefix) &prefix##_8
#else
#define WIDTHS_8(prefix) 0
#endif
#if defined(LIE_WITH_LANES_4)
#define WIDTHS_4(prefix) &prefix##_4
#else
#define WIDTHS_4(prefix) 0
#endif
#if defined(LIE_WITH_LANES_2)
#define WIDTHS_2(prefix) &prefix##_2
#else
#define WIDTHS_2(prefix) 0
#endif

/* As many lanes as there are kernels for, the processor has, and `most` allows: 8, 4, 2 or 1. */
int lie__width(int most);

/* Where the kernel for so many lanes stands in {WIDTHS(prefix), &prefix_1}. */
static inline int width_index(int lanes)
{
    return lanes == 8 ? 0 : lanes == 4 ? 1 : lanes == 2 ? 2 : 3;
}

#endif
