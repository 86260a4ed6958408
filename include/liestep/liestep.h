/* SPDX-License-Identifier: MIT */
/* liestep.h: everything liestep offers: the core, and the matrix groups of any size, which need BLAS and LAPACK. */
#ifndef LIESTEP_LIESTEP_H
#define LIESTEP_LIESTEP_H

#include <liestep/chaos.h>
#include <liestep/control.h>
#include <liestep/core.h>
#include <liestep/ensemble.h>
#include <liestep/lapack.h>
#include <liestep/matgroup.h>
#include <liestep/points.h>

#endif
