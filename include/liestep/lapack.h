/* SPDX-License-Identifier: MIT */
/* lapack.h: the linear systems of a step through LAPACK. In liestep, not in liestep-core. */
#ifndef LIESTEP_LAPACK_H
#define LIESTEP_LAPACK_H

#include <liestep/solve.h>

LIE_BEGIN_DECLS

/* dgetrf and dgetrs of LAPACK, for lie_options.linear. Worth it for many unknowns (stages x dimension; see
 * docs/BENCHMARKS.md); OpenBLAS chooses its kernels by processor, so the last bits of a run then depend on it. */
LIE_API extern const lie_linear lie_linear_lapack;

LIE_END_DECLS

#endif
