/* SPDX-License-Identifier: MIT */
/* systems.h: ready systems. Fill the parameters, get a lie_system that points to them (they must outlive it).
 *
 *     lie_<name>_system(&sys, &parameters, "S3/exp")
 *
 * The third argument names the group, with the retraction that steppers take if none is named in their options, or
 * without: then cay. Null: the first of the groups that the system says. Status: LIE_ERR_UNKNOWN_NAME for a group that
 * the system is not on, and for a retraction that the group does not have; that of lie_system_check; *out is left alone
 * then.
 *
 * SI units, radians; e3 is up in the inertial frame; every vector is in the body frame unless it says otherwise.
 * Equations and references stand at the head of lib/systems/catalogue/system_<name>.c. */
#ifndef LIESTEP_SYSTEMS_H
#define LIESTEP_SYSTEMS_H

#include <liestep/product.h>
#include <liestep/system.h>

LIE_BEGIN_DECLS

/* I = diag(d), n x n row-major. */
LIE_API void lie_inertia_diagonal(int n, double *inertia, const double *d);

/* Free rigid body on S3 or SO3: l = 1/2 w . I w. */
typedef struct lie_free_body {
    double inertia[9]; /* kg m^2, about the centre of mass */
} lie_free_body;
LIE_API lie_status lie_free_body_system(lie_system *out, const lie_free_body *p, const char *group);

/* Heavy top or 3D pendulum on S3 or SO3: a body with a fixed point under gravity, V = m g0 e3 . R r. */
typedef struct lie_heavy_top {
    double inertia[9]; /* kg m^2, about the fixed point */
    double mass;       /* kg */
    double centre[3];  /* m, from the fixed point to the centre of mass */
    double gravity;    /* m/s^2, along -e3 */
} lie_heavy_top;
LIE_API lie_status lie_heavy_top_system(lie_system *out, const lie_heavy_top *p, const char *group);

/* Heavy top on a turntable that turns about e3 at a constant rate, on S3 or SO3; attitude relative to the table. */
typedef struct lie_turntable {
    lie_heavy_top top;
    double rate; /* rad/s */
} lie_turntable;
LIE_API lie_status lie_turntable_system(lie_system *out, const lie_turntable *p, const char *group);

/* Satellite on a circular orbit, on S3 or SO3; attitude relative to the orbit frame: e1 radially outward, e2 along
 * the track, e3 along the orbit normal. Gravity gradient, and wheels with constant stored momentum. */
typedef struct lie_satellite {
    double inertia[9]; /* kg m^2 */
    double orbit_rate; /* rad/s */
    double wheels[3];  /* N m s, stored momentum of the wheels relative to the body */
} lie_satellite;
LIE_API lie_status lie_satellite_system(lie_system *out, const lie_satellite *p, const char *group);

/* Satellite on SE3, orbit and attitude coupled: gravity of a point mass at the origin to second order in the size.
 * For bodies that move slowly by their own size, such as a moonlet: retractions of SE3 tie the turn to the path, so
 * that a step must be shorter than the time in which the body moves by about its radius of gyration. A spacecraft in
 * low orbit, 7.5 km per second, wants the next system. */
typedef struct lie_orbiter {
    double inertia[36]; /* diag(J, m 1), kg m^2 and kg: angular then linear */
    double gm;          /* m^3/s^2, gravitational parameter of the central body */
} lie_orbiter;
LIE_API lie_status lie_orbiter_system(lie_system *out, const lie_orbiter *p, const char *group);

/* The same satellite on SO3 x R3, g = (R, x), xi = (w, x'): for paths much longer than the body, such as an orbit
 * around the Earth. The group that is named is that of the attitude. */
typedef struct lie_spacecraft {
    lie_orbiter body;
    lie_ops group, space; /* these are filled by lie_spacecraft_system */
    lie_product product;
    const lie_ops *factor[2];
} lie_spacecraft;
LIE_API lie_status lie_spacecraft_system(lie_system *out, lie_spacecraft *p, const char *group);

/* Kirchhoff's underwater vehicle on SE3: dense inertia with added mass, weight and buoyancy at two centres, linear and
 * quadratic drag, thrusters. Without drag and thrusters the system has no external force, without weight and buoyancy
 * no potential: what is 0 when the system is made must stay 0. */
enum { LIE_THRUSTERS_MAX = 16 };
typedef struct lie_vehicle {
    double inertia[36]; /* kg m^2, kg m, kg: rigid body plus added mass, angular then linear; Fossen's: convert.h */
    double weight, buoyancy;                     /* N */
    double weight_at[3], buoyancy_at[3];         /* m */
    double linear_drag[36];                      /* f = -D xi; D positive semidefinite */
    double quadratic_drag[6];                    /* f_i = -q_i |xi_i| xi_i, q_i >= 0 */
    int thrusters;                               /* length of u: thrust of each in N */
    double thruster_at[LIE_THRUSTERS_MAX][3];    /* m */
    double thruster_along[LIE_THRUSTERS_MAX][3]; /* directions of length 1 */
} lie_vehicle;
LIE_API lie_status lie_vehicle_system(lie_system *out, const lie_vehicle *p, const char *group);

/* Particle in the plane, on R2: V = |q|^2 (|q|^2 - 1)^2 in J for q in m, drag f = -c q'. Without
 * drag the system has no external force: then it must stay 0. Marsden & West 2001, Example 3.2.3. */
typedef struct lie_particle {
    lie_ops plane;     /* filled by lie_particle_system */
    double inertia[4]; /* kg, diagonal */
    double drag;       /* kg/s */
} lie_particle;
LIE_API lie_status lie_particle_system(lie_system *out, lie_particle *p, const char *group);

LIE_END_DECLS

#endif
