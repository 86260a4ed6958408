/* SPDX-License-Identifier: MIT */
/* rk4.h: the classical Runge-Kutta method for bodies in plain C, written for speed: what liestep's steppers are
 * measured against. State: unit quaternion (body to inertial) and body velocity. Internal to the benchmarks. */
#ifndef LIESTEP_BENCH_RK4_H
#define LIESTEP_BENCH_RK4_H

#include <liestep/system.h>

/* Whether the quaternion is brought back to unit length after every step. */
typedef enum rk4_norm { RK4_FREE, RK4_NORMALISED } rk4_norm;

typedef struct rk4_attitude {
    double q[4], w[3];
} rk4_attitude;

/* I w' = I w x w, with the full inertia and its inverse, row-major; or with the diagonals. */
void rk4_free_body(rk4_attitude *s, const double I[9], const double inverse[9], double h, long steps, rk4_norm norm);
void rk4_free_body_diagonal(rk4_attitude *s, const double I[3], double h, long steps, rk4_norm norm);

/* I w' = I w x w + F(q), F = sys->force, called four times a step */
void rk4_body(rk4_attitude *s, const lie_system *sys, const double inverse[9], double h, long steps, rk4_norm norm);

/* A body that also moves: position and twist (w, v). */
typedef struct rk4_motion {
    double q[4], x[3], nu[6];
} rk4_motion;

/* The same of a satellite of systems.h, relative to the orbit frame; w is the rate in space. */
void rk4_satellite(rk4_attitude *s, const lie_system *sys, const double inverse[9], double h, long steps,
                   rk4_norm norm);

/* I nu' = ad*_nu I nu + F(g), I = sys->inertia, F = sys->force of g = (R, x), called four times a step */
void rk4_vehicle(rk4_motion *s, const lie_system *sys, const double inverse[36], double h, long steps, rk4_norm norm);

/* The same without a force and with a diagonal inertia, in body momenta: the leanest loop that still tells where the
 * body is; and Kirchhoff's equations for the momenta m = (Pi, P) alone, without attitude and position. */
void rk4_neutral(rk4_motion *s, const double inertia[6], double h, long steps);
void rk4_kirchhoff(double m[6], const double inertia[6], double h, long steps);

#endif
