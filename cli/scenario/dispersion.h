/* SPDX-License-Identifier: MIT */
/* dispersion.h: the values that vary from trajectory to trajectory, as changes of the scenario. */
#ifndef LIESTEP_CLI_DISPERSION_H
#define LIESTEP_CLI_DISPERSION_H

#include "cli/scenario/scenario.h"

enum { DISPERSION_TEXT = 1200, DISPERSION_NUMBERS = 36 }; /* numbers of a key: NUMBERS_MAX */

/* All numbers of one key (key_id). */
typedef struct dispersion_change {
    int key, count, is_list;
    double number[DISPERSION_NUMBERS];
} dispersion_change;

/* What changes for trajectory k, from 0, one per key; answers how many. The same k, the same values. */
int dispersion_changes(const scenario *s, long long k, dispersion_change out[ENSEMBLE_DISPERSED]);

/* As an override: "KEY=VALUE" or "KEY=[VALUE,VALUE,...]". */
void dispersion_print(char out[DISPERSION_TEXT], const dispersion_change *c);

/* A name for a dispersed value, "start.angular_velocity[2]", and the value that trajectory k has. */
double dispersion_value(const ensemble_plan *p, int i, long long k);

#endif
