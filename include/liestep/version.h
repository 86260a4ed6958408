/* SPDX-License-Identifier: MIT */
/* version.h: the version of these headers, and of the library that was linked. */
#ifndef LIESTEP_VERSION_H
#define LIESTEP_VERSION_H

#include <liestep/status.h>

LIE_BEGIN_DECLS

#define LIE_VERSION_MAJOR 0
#define LIE_VERSION_MINOR 1
#define LIE_VERSION_PATCH 0
#define LIE_VERSION_STRING "0.1.0"

/* Grows with every version, for #if: MAJOR * 10000 + MINOR * 100 + PATCH. */
#define LIE_VERSION_NUMBER (LIE_VERSION_MAJOR * 10000 + LIE_VERSION_MINOR * 100 + LIE_VERSION_PATCH)

/* "MAJOR.MINOR.PATCH" of the library itself; differs from LIE_VERSION_STRING if headers and library do not match.
 * Static storage. */
LIE_API const char *lie_version(void);

/* LIE_VERSION_NUMBER of the library itself. */
LIE_API int lie_version_number(void);

LIE_END_DECLS

#endif
