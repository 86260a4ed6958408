/* SPDX-License-Identifier: MIT */
/* section_object.h: what a lie_section is: the head of its work memory. Internal. */
#ifndef LIESTEP_LIB_SECTION_OBJECT_H
#define LIESTEP_LIB_SECTION_OBJECT_H

#include <liestep/section.h>

enum { SECTION_NODES = 3, SECTION_QUEUE = 2 };

struct lie_section {
    lie_event event;
    lie_stepper *stepper;
    lie_stepper *probe;                                 /* takes the shortened steps, so that the trajectory does
                                                               not notice */
    double *u;                                          /* its control at the end of a shortened step */
    lie_state *node[SECTION_NODES];                     /* the last steps, a ring: where searches start */
    double value[SECTION_NODES], length[SECTION_NODES]; /* f there, and the lengths of the steps that led there */
    int now;                                            /* which of them is the latest */
    long long known;                                    /* how many are valid; 0 before the first */
    int side;                                           /* sign of the last value that was not 0 */
    int waiting; /* 1: `on` lies on the surface, and the next value tells how it is crossed */
    lie_state *on;
    int first, queued; /* crossings found in the last step and not yet handed out, a ring */
    lie_crossing queue[SECTION_QUEUE];
    lie_state *crossed[SECTION_QUEUE]; /* their states */
    long long evaluations;             /* shortened steps taken so far */
};

#endif
