/* SPDX-License-Identifier: MIT */
/* section_group.h: a group of orbits of a section, which are stepped together. */
#ifndef LIESTEP_CLI_SECTION_GROUP_H
#define LIESTEP_CLI_SECTION_GROUP_H

#include "cli/commands/section.h"

typedef struct orbit {
    long long number; /* from 0 */
    lie_status status;
    int ended;        /* it does not go on */
    long long points; /* crossings so far, those of earlier rounds included */
    double *rows;
    size_t count, room; /* of rows */
    int no_memory;
    lie_state at; /* of its indicator: a second run of the same steps, with variations */
    int has_indicator;
} orbit;

/* What orbits of a panel are computed with. */
typedef struct tools {
    lie_stepper *stepper; /* that the sections belong to */
    lie_section *section[GROUP_MAX];
    lie_ensemble *ensemble;
    lie_stepper *runner[GROUP_MAX]; /* of the indicators */
    lie_chaos *chaos[GROUP_MAX];
    void *memory[3 + 3 * GROUP_MAX];
    int memories;
} tools;

typedef struct group {
    section *s;
    const section_panel *p;
    int count;
    orbit orbit[GROUP_MAX];
    tools tools;
    lie_section *watched[GROUP_MAX]; /* null: that orbit does not go on */
    lie_status statuses[GROUP_MAX];  /* of lie_points */
} group;

/* What `count` orbits of a panel need, in memory of their own; to be closed also where that fails. */
lie_status section_tools_open(tools *T, const section_panel *p, int count);
void section_tools_close(tools *T);

/* The orbits as the round before has left them, and as this one does: section_carry() numbers, the first of which says
 * whether all have ended. */
void section_take_up(group *a, const double *carried);
void section_hand_on(group *a, double *out);

#endif
