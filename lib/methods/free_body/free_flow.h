/* SPDX-License-Identifier: MIT */
/* free_flow.h: the functions of liestep/free_flow.h for callers inside the library: the same code, without the detour
 * of what a shared library exports, and without the checks that a stepper makes for itself. Internal. */
#ifndef LIESTEP_LIB_FREE_FLOW_H
#define LIESTEP_LIB_FREE_FLOW_H

#include <liestep/free_flow.h>

lie_status lie__free_flow_turn(const lie_free_flow *flow, lie_free_turn *step, const double m[3], double h);

/* The derivative of the turn r from m over the time h: r^-1 dr = W dm, and r as a matrix R; in the body frame.
 * free_flow_slope.c. Status: LIE_ERR_NOT_FINITE; LIE_ERR_DOMAIN (some 1e5 periods at once). */
lie_status lie__free_flow_slope(const lie_free_flow *flow, double R[9], double W[9], const double m[3], double h);

/* low_q, low_m, low_R: not null */
lie_status lie__free_flow_s3(const lie_free_flow *flow, double q[4], double low_q[4], double m[3], double low_m[3],
                             double h);
lie_status lie__free_flow_so3(const lie_free_flow *flow, double R[9], double low_R[9], double m[3], double low_m[3],
                              double h);

#endif
