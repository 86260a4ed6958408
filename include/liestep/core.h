/* SPDX-License-Identifier: MIT */
/* core.h: everything liestep-core offers: the groups and what works on any of them, with no need but <math.h>. */
#ifndef LIESTEP_CORE_H
#define LIESTEP_CORE_H

#include <liestep/actuation.h>
#include <liestep/adaptive.h>
#include <liestep/convert.h>
#include <liestep/discrete.h>
#include <liestep/estimate.h>
#include <liestep/family.h>
#include <liestep/feedback.h>
#include <liestep/form.h>
#include <liestep/free_flow.h>
#include <liestep/group.h>
#include <liestep/lagrange_top.h>
#include <liestep/product.h>
#include <liestep/quat.h>
#include <liestep/report.h>
#include <liestep/rn.h>
#include <liestep/s3.h>
#include <liestep/se2.h>
#include <liestep/se3.h>
#include <liestep/section.h>
#include <liestep/series.h>
#include <liestep/so3.h>
#include <liestep/solve.h>
#include <liestep/state.h>
#include <liestep/status.h>
#include <liestep/stepper.h>
#include <liestep/surface.h>
#include <liestep/system.h>
#include <liestep/systems.h>
#include <liestep/tableau.h>
#include <liestep/tangent.h>
#include <liestep/version.h>

#endif
