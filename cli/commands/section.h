/* SPDX-License-Identifier: MIT */
/* section.h: what the parts of `liestep section` share.
 *
 *     section.c          the command: panels, columns, files
 *     section_start.c    where the orbits start
 *     section_orbit.c    orbits and their crossings
 *     section_records.c  the records, read back
 *     section_summary.c  figures of merit, orbits that failed
 *     section_plot.c     the picture
 *
 * A record is the start of an orbit (point 0), a crossing (1, 2, ...) or its last state (-1). Orbits are numbered
 * from 1 in each panel; the unit of work is a round of a group of orbits, panel after panel. So the records of a long
 * orbit lie apart, round by round. All that is said in the end is read from the records. */
#ifndef LIESTEP_CLI_SECTION_H
#define LIESTEP_CLI_SECTION_H

#include "cli/base/canvas.h"
#include "cli/base/gnuplot.h"
#include "cli/work/many.h"

enum { AT_PANEL, AT_ORBIT, AT_POINT, AT_STATUS, AT_DIRECTION, AT_TIME, AT_X, AT_Y, AT_RESIDUAL, AT_CHAOS };
enum { GROUP_MAX = 12 };

typedef struct section_panel {
    scenario own; /* with the overrides of the panel; zeros if there are no panels */
    const scenario *s;
    const section_plan *plan;
    long long first;  /* its first group */
    long long before; /* orbits of the panels before it */
    lie_event event;
    lie_event fixed[SECTION_FIXED];
} section_panel;

typedef struct section {
    job job; /* first: a job is a section */
    team team;
    int panels;
    long long orbits;       /* of all panels */
    int group;              /* orbits in a unit, which are stepped together */
    long long round;        /* steps of a unit */
    double *final;          /* of every orbit: the indicator that colours it */
    unsigned char *regular; /* of every orbit: it stays on a curve */
    section_panel panel[SECTION_PANELS];
    int at_element, at_momentum, at_energy, at_fixed, fixed; /* columns */
    struct section_summary *summary;                         /* by panel */
    gnuplot gnuplot;                                         /* runs from the beginning on */
    canvas canvas;                                           /* what it has drawn */
} section;

/* The panel of a group. */
const section_panel *section_panel_of(const section *s, long long group);

/* Where an orbit (from 0) starts. LIE_STOPPED: nowhere, the grid has a point there that is off the surface. */
lie_status section_start(const section_panel *p, long long orbit, lie_state *out);
/* A sentence on why there is no start at all, "" if there is one. The points of a grid are tried side by side, on the
 * threads of the section. EXIT_FINE, or the exit code of a signal that has come. */
cli_exit section_start_problem(const section *s, const section_panel *p, char *out, size_t n);

/* The records of a unit, behind what it hands on to the next round; and how many numbers that is. */
void section_orbits(team *t, long long unit, const double *carried, team_result *out);
size_t section_carry(const section *s);

/* The records of a panel, group by group; those of an orbit in the order of time. */
cli_exit section_read(const section *s, const output *rows, int panel, many_see *see, void *ctx);

/* Figures of one panel. */
typedef struct section_summary {
    long long orbits, points, failed, empty; /* orbits with a start; crossings; failed orbits; without a crossing */
    double energy, fixed[SECTION_FIXED];     /* largest relative distance from the start of the orbit */
    long long regular, still; /* orbits on a curve; and of them those on a curve in the last panel, too */
    long long chaotic;        /* orbits whose SALI is all but 0, if there is an indicator */
    long long not_finite;     /* points where x, y or a fixed quantity has no finite value */
    double residual;          /* largest */
    double low[2], high[2];   /* of x and y */
} section_summary;

/* Read all records and find the figures; one per panel. Orbits that failed are named. */
cli_exit section_summarise(section *s, const output *rows, section_summary *out);
void section_print(const section *s, const section_summary *summary);

/* The quantity of "|P| = 4": how many characters its name has. */
int section_name_length(const char *fixed);

/* Start gnuplot while the orbits are computed. */
void section_plot_begin(section *s, const char *name);
plot_maker section_plot;

#endif
