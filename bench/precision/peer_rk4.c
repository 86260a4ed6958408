/* SPDX-License-Identifier: MIT */
/* peer_rk4.c: RK4 in plain C, written for speed, as peers that are always there: on quaternion and momentum (rates.c),
 * with and without normalisation of the quaternion, and on quaternion and velocity (bench/rk4.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../rk4.h"
#include "contender.h"

typedef struct runner {
    const rate_problem *problem;
    double t, h;
    double y[RATE_SIZE];
} runner;

static void *open_runner(const rate_problem *p, const double *y, double h)
{
    runner *r = (runner *)calloc(1, sizeof *r);
    if (!r) return NULL;
    r->problem = p;
    r->h = h;
    memcpy(r->y, y, (size_t)p->length * sizeof *y);
    return r;
}

/* How many steps lead to time t. */
static long long steps_to(runner *r, double t)
{
    long long n = llround((t - r->t) / r->h);
    r->t = t;
    return n;
}

static int advance_normalised(void *self, double t)
{
    runner *r = (runner *)self;
    rate_rk4(r->problem, r->y, r->h, steps_to(r, t), 1);
    return 0;
}

static int advance_plain(void *self, double t)
{
    runner *r = (runner *)self;
    rate_rk4(r->problem, r->y, r->h, steps_to(r, t), 0);
    return 0;
}

/* xi = A m */
static void times(int n, double *xi, const double *A, const double *m)
{
    for (int i = 0; i < n; i++) {
        xi[i] = 0.0;
        for (int j = 0; j < n; j++) xi[i] += A[n * i + j] * m[j];
    }
}

static void advance_attitude(runner *r, long long n)
{
    const rate_problem *p = r->problem;
    const double *I = p->sys->inertia, diagonal[3] = {I[0], I[4], I[8]};
    rk4_attitude s;
    memcpy(s.q, r->y, sizeof s.q);
    times(3, s.w, p->inverse, r->y + 4);
    if (p->sys->force)
        rk4_body(&s, p->sys, p->inverse, r->h, (long)n, RK4_NORMALISED);
    else if (p->kind == RATE_free_diagonal)
        rk4_free_body_diagonal(&s, diagonal, r->h, (long)n, RK4_NORMALISED);
    else
        rk4_free_body(&s, I, p->inverse, r->h, (long)n, RK4_NORMALISED);
    memcpy(r->y, s.q, sizeof s.q);
    times(3, r->y + 4, I, s.w);
}

static int advance_velocity(void *self, double t)
{
    runner *r = (runner *)self;
    const rate_problem *p = r->problem;
    long long n = steps_to(r, t);
    if (p->calls) *p->calls += 4 * n;
    if (p->shape == RATE_ATTITUDE) {
        advance_attitude(r, n);
        return 0;
    }
    rk4_motion s;
    memcpy(s.q, r->y, sizeof s.q);
    memcpy(s.x, r->y + 4, sizeof s.x);
    times(6, s.nu, p->inverse, r->y + 7);
    rk4_vehicle(&s, p->sys, p->inverse, r->h, (long)n, RK4_NORMALISED);
    memcpy(r->y, s.q, sizeof s.q);
    memcpy(r->y + 4, s.x, sizeof s.x);
    times(6, r->y + 7, p->sys->inertia, s.nu);
    return 0;
}

static void state(const void *self, double *y)
{
    const runner *r = (const runner *)self;
    memcpy(y, r->y, (size_t)r->problem->length * sizeof *y);
}

static int has_quaternion(const rate_problem *p)
{
    return p->shape != RATE_FLAT;
}

/* bench/rk4.c: no gyroscopic term, no external force; on SO3 its force would want a matrix. */
static int has_velocity_form(const rate_problem *p)
{
    const lie_system *sys = p->sys;
    if (sys->gyro || sys->external) return 0;
    return (p->shape == RATE_ATTITUDE && (sys->group->size == 4 || !sys->force)) ||
           (p->shape == RATE_MOTION && sys->force);
}

static const peer rk4 = {
    "rk4", "plain C", "classical Runge-Kutta on quaternion and momentum", 4, 0, NULL, open_runner, advance_plain,
    state, free};
static const peer rk4_normalised = {"rk4_normalised",
                                    "plain C",
                                    "the same, quaternion normalised after every step",
                                    4,
                                    0,
                                    has_quaternion,
                                    open_runner,
                                    advance_normalised,
                                    state,
                                    free};
static const peer rk4_velocity = {"rk4_velocity",
                                  "plain C",
                                  "classical Runge-Kutta on quaternion and velocity, normalised",
                                  4,
                                  0,
                                  has_velocity_form,
                                  open_runner,
                                  advance_velocity,
                                  state,
                                  free};

const peer *const peers_plain[] = {&rk4, &rk4_normalised, &rk4_velocity, NULL};
