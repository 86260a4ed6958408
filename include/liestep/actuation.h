/* SPDX-License-Identifier: MIT */
/* actuation.h: thrusters, torquers, wheels: inputs as data, added to any system, and what they can do.
 *
 *     f(t, g, xi, u) = f_system + sum_i sat(u_i) w_i(g) + (sum_j h_j a_j) x w
 *
 * w_i the wrench of unit input i in the body frame: fixed in the body, fixed in space (Ad*_g w), of a thruster at a
 * point along a direction (p x d, d; on SO3 and S3 its torque), or of a wheel about the axis a, which pushes the body
 * by -a and stores what it takes: its momentum h_j is an input too, behind the others. sat clips to [min, max].
 *
 * Methods take u- at the start and u+ at the end of a step (stepper.h), so controls may be piecewise constant (u- =
 * u+), piecewise linear, and jump at nodes; the momentum balance holds to round-off in any case: what is added to
 * the spatial momentum is the sum of the spatial impulses (Jimenez 2012, (5.32), (5.37) in node form). Reference:
 * Bullo & Lewis, Geometric Control of Mechanical Systems, 2005, sections 4.4 and 8.2. */
#ifndef LIESTEP_ACTUATION_H
#define LIESTEP_ACTUATION_H

#include <liestep/system.h>

LIE_BEGIN_DECLS

enum { LIE_ACTUATORS_MAX = 16 };

typedef enum lie_actuator_kind {
    LIE_BODY_WRENCH,    /* `wrench`: dim numbers, body frame */
    LIE_SPATIAL_WRENCH, /* `wrench`: dim numbers, inertial frame, about its origin */
    LIE_THRUSTER,       /* at, along: SO3, S3, SE3 */
    LIE_WHEEL           /* along, the axis, of length 1: SO3, S3, SE3 */
} lie_actuator_kind;

/* One input. No limit: min = max = 0. */
typedef struct lie_actuator {
    lie_actuator_kind kind;
    double wrench[6];
    double at[3], along[3];
    double min, max;
} lie_actuator;

typedef struct lie_actuation {
    lie_system base; /* what is actuated; its own controls, if any, come first in u */
    int count;
    lie_actuator actuator[LIE_ACTUATORS_MAX];
    int wheels; /* filled by lie_actuated_system */
} lie_actuation;

/* out = the system with its inputs: out->controls = those of the base, count, one stored momentum per wheel. `p` must
 * outlive it. Status: LIE_ERR_SIZE (count, or a group of more than 6 dimensions), LIE_ERR_NOT_FINITE, LIE_ERR_DOMAIN (a
 * direction that is not of length 1 to 1e-6, min > max), LIE_ERR_METHOD (thruster or wheel on a group that is not SO3,
 * S3, SE3), that of lie_system_check. */
LIE_API lie_status lie_actuated_system(lie_system *out, lie_actuation *p);

/* B (dim x count): column i is the wrench of unit input i at g, wheels by their torque on the body. */
LIE_API void lie_actuation_matrix(const lie_actuation *p, double *B, const double *g);

/* The momenta of the wheels after a step of length h with inputs from u_minus to u_plus (of the actuated system, limits
 * applied): h_j + h (u-_j + u+_j)/2, written where they stand in u_next. */
LIE_API void lie_actuation_store(const lie_actuation *p, double *u_next, double h, const double *u_minus,
                                 const double *u_plus);

/* Rows e_sigma that no input reaches: an orthonormal basis E (returned x dim) of the annihilator of the columns of B
 * (dim x count). Returns how many. */
LIE_API int lie_actuation_annihilator(int dim, int count, const double *B, double *E);

/* Inputs that do what others do. More inputs than directions is no mistake: a cost with weights says how they share.
 * But one that does nothing is, and is seen here. */
typedef struct lie_dependence {
    int rank;                     /* of B at g */
    int input;                    /* the first whose wrench is a sum of those before it; -1: none is */
    double of[LIE_ACTUATORS_MAX]; /* how much of each: w_input = sum_j of_j w_j; all 0 where it does nothing */
} lie_dependence;

/* By Gram-Schmidt with columns scaled to length 1; what is left below 2^-26 counts as nothing, so that wrenches that
 * differ by 1.5e-8 of their length or more are told apart. */
LIE_API void lie_actuation_dependence(const lie_actuation *p, lie_dependence *out, const double *g);

/* What a set of inputs can do near rest at g, from brackets of the vectors b_i = I^-1 w_i in the algebra. */
typedef struct lie_controllability {
    int dim;
    int actuated;   /* rank of the inputs: this many accelerations can be chosen freely */
    int reachable;  /* rank with symmetric products <x : y> = -I^-1 (ad*_x I y + ad*_y I x): velocities in reach */
    int accessible; /* rank with Lie brackets of those: configurations that can be reached */
    int symmetric_depth, lie_depth; /* of the products that were needed */
} lie_controllability;

/* The potential is left out of it, and drag: what they add is not counted. Quadratic Lagrangians only.
 * Status: LIE_ERR_METHOD (general Lagrangian), LIE_ERR_INERTIA. */
LIE_API lie_status lie_actuation_report(const lie_actuation *p, lie_controllability *out, const double *g);

LIE_END_DECLS

#endif
