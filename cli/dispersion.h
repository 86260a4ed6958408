/* SPDX-License-Identifier: MIT */
/* dispersion.h: the values that vary from trajectory to trajectory, as overrides of the scenario. */
#ifndef LIESTEP_CLI_DISPERSION_H
#define LIESTEP_CLI_DISPERSION_H

#include "scenario.h"

enum { DISPERSION_TEXT = 1200 };

/* The overrides "KEY=VALUE" of trajectory k, from 0, one per key; answers how many. The same k, the same values. */
int dispersion_overrides(const scenario *s, long long k, char out[ENSEMBLE_DISPERSED][DISPERSION_TEXT]);

/* A name for a dispersed value, "start.angular_velocity[2]", and the value that trajectory k has. */
double dispersion_value(const ensemble_plan *p, int i, long long k);

#endif
