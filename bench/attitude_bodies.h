/* SPDX-License-Identifier: MIT */
/* attitude_bodies.h: three bodies on S3 that turn once in ten seconds, for the table of attitude errors in
 * docs/ACCURACY.md (bench_attitude.c) and the test that holds to it.
 *
 *   free      dense inertia, no forces
 *   top       inertia diag(1.1, 1.7, 2.3), 4 g at (0.1, -0.05, 0.2) m from the fixed point, g = 9.81 m/s^2
 *   forced    the inertia of free, a torque of time, attitude and rate,
 *             f = 2e-3 (cos 0.3 t, sin 0.2 t, cos(0.1 t)/2) + 4e-3 a x (1, 0, 0) - 5e-4 w,   a = R^T e3
 *
 * All start at q = 1, w = (0.12, 0.1, 0.6) rad/s. */
#ifndef LIESTEP_BENCH_ATTITUDE_BODIES_H
#define LIESTEP_BENCH_ATTITUDE_BODIES_H

#include <liestep/core.h>

#include <math.h>
#include <string.h>

enum { ATTITUDE_BODIES = 3 };
static const double attitude_time = 1000.0; /* s */

typedef struct attitude_body {
    const char *name;
    lie_system sys;
    lie_free_body body;
    lie_heavy_top top;
    lie_state start;
} attitude_body;

static inline void attitude_torque(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                                   const double *u)
{
    const double e3[3] = {0.0, 0.0, 1.0}, ahead[3] = {1.0, 0.0, 0.0};
    double a[3], couple[3], push[3] = {2e-3 * cos(0.3 * t), 2e-3 * sin(0.2 * t), 1e-3 * cos(0.1 * t)};
    (void)u;
    sys->group->Adt(sys->group, a, g, e3);
    lie_so3_ad(couple, a, ahead);
    for (int i = 0; i < 3; i++) f[i] = push[i] + 4e-3 * couple[i] - 5e-4 * xi[i];
}

static inline lie_status attitude_body_make(attitude_body *b, int which)
{
    static const char *const names[ATTITUDE_BODIES] = {"free", "top", "forced"};
    static const double dense[9] = {1.1, 0.2, -0.1, 0.2, 1.7, 0.15, -0.1, 0.15, 2.3};
    const double q[4] = {1.0, 0.0, 0.0, 0.0}, w[3] = {0.12, 0.1, 0.6};
    *b = (attitude_body){.name = names[which], .top = {.mass = 0.004, .centre = {0.1, -0.05, 0.2}, .gravity = 9.81}};
    memcpy(b->body.inertia, dense, sizeof dense);
    lie_inertia_diagonal(3, b->top.inertia, (double[3]){1.1, 1.7, 2.3});
    lie_status status =
        which == 1 ? lie_heavy_top_system(&b->sys, &b->top, "S3") : lie_free_body_system(&b->sys, &b->body, "S3");
    if (which == 2) b->sys.external = attitude_torque;
    return status == LIE_OK ? lie_state_set(&b->sys, &b->start, 0.0, q, w) : status;
}

/* The state after attitude_time at `rate` steps a second, in the memory given. */
static inline lie_status attitude_run(lie_state *end, const attitude_body *b, const char *method,
                                      const char *retraction, double rate, double *work, size_t bytes)
{
    lie_stepper *st;
    lie_options opt = {.method = method, .retraction = retraction};
    lie_status status = lie_stepper_init(&st, &b->sys, &opt, work, bytes);
    *end = b->start;
    return status == LIE_OK ? lie_run(st, end, 1.0 / rate, (long long)(attitude_time * rate)) : status;
}

/* The angle between two attitudes, rad; NaN if it cannot be told. */
static inline double attitude_error(const attitude_body *b, const lie_state *s, const lie_state *exact)
{
    double x[3], v[3];
    if (lie_state_difference(&b->sys, x, v, s, exact) != LIE_OK) return (double)NAN;
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

#endif
