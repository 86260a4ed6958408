/* SPDX-License-Identifier: MIT */
/* moving_frame.h: a body seen from a moving frame, A(g) = I b + a, b = Ad_{g^-1} eta (lie_system.frame), in terms of
 * the body as seen from a frame at rest. Internal.
 *
 *     H = T(m) - <Ad*_{g^-1} m, eta> - <m, I^-1 a> + U(g),     T = 1/2 <m, I^-1 m>,  U = V + 1/2 <A, I^-1 A>
 *
 * T and U belong to a body without gyroscopic term, "the body at rest". The second term moves g from the left,
 * g <- exp(-h eta) g = g exp(-h b), and commutes with all that does not depend on g; the third, of wheels, is a
 * one-parameter subgroup, g <- g exp(x), m <- Ad*_{exp(x)} m, x = -h I^-1 a. The force of U is F - ad*_b A. */
#ifndef LIESTEP_LIB_MOVING_FRAME_H
#define LIESTEP_LIB_MOVING_FRAME_H

#include <liestep/system.h>

typedef struct moving_frame {
    const lie_ops *G;
    double *eta, *a, *idle; /* idle: I^-1 a */
    int is_read, has_wheels;
} moving_frame;

/* The frame as the parameters of the system have it now, on the three vectors; *is_new: not what was there. Status:
 * LIE_ERR_NOT_FINITE, LIE_ERR_INERTIA. */
lie_status lie__frame_read(moving_frame *f, const lie_system *sys, int *is_new);

/* b, the velocity of the frame as the body at g sees it */
void lie__frame_in_body(const moving_frame *f, double *b, const double *g);

/* F, which is 0 where the system has no force: F <- F - ad*_b A */
void lie__frame_add_force(const moving_frame *f, const lie_system *sys, double *F, const double *g);

/* What this adds to D^T y, D the derivative of the force along g exp(s e_j): out += ad*_b ad*_y A - A'^T [b, y] */
void lie__frame_add_gradient(const moving_frame *f, const lie_system *sys, double *out, const double *y,
                             const double *g);

#endif
