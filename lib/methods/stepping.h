/* SPDX-License-Identifier: MIT */
/* stepping.h: all that a family of methods is written with. Internal. */
#ifndef LIESTEP_LIB_STEPPING_H
#define LIESTEP_LIB_STEPPING_H

#include "lib/methods/control_at.h"
#include "lib/methods/kick.h"
#include "lib/methods/legendre.h"
#include "lib/methods/loop.h"

#endif
