/* SPDX-License-Identifier: MIT */
/* classical.h: RK4 in plain C (rk4.h) as a contender on the bodies that the benchmarks of steps have in common: dense
 * inertias, a rate of 1 rad/s. Internal to the benchmarks. */
#ifndef LIESTEP_BENCH_CLASSICAL_H
#define LIESTEP_BENCH_CLASSICAL_H

#include <string.h>

#include "rk4.h"

static const double body_inertia[9] = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9};
static const double vehicle_inertia[36] = {
    1.31, 0.04,  -0.02, 0.03, 0.25, -0.08, 0.04, 1.62, 0.05,  -0.31, 0.02, 0.11, -0.02, 0.05, 1.94, 0.09,  -0.14, 0.01,
    0.03, -0.31, 0.09,  4.10, 0.12, -0.05, 0.25, 0.02, -0.14, 0.12,  5.20, 0.07, -0.08, 0.11, 0.01, -0.05, 0.07,  5.90};
static const double twist[6] = {0.5, 0.7, -0.51, 0.4, 0.3, -0.2}; /* rad/s, m/s; the first three for bodies */

typedef enum problem_kind { FREE, TOP, VEHICLE, SATELLITE } problem_kind;
static const char *const problem_name[] = {"free body", "heavy top", "vehicle", "satellite"};

typedef struct classical {
    problem_kind kind;
    rk4_attitude body;
    rk4_motion motion;
    lie_system sys;
    double inverse[36], h;
} classical;

static inline void classical_run(classical *c, long steps)
{
    if (c->kind == VEHICLE)
        rk4_vehicle(&c->motion, &c->sys, c->inverse, c->h, steps, RK4_NORMALISED);
    else if (c->kind == SATELLITE)
        rk4_satellite(&c->body, &c->sys, c->inverse, c->h, steps, RK4_NORMALISED);
    else if (c->kind == TOP)
        rk4_body(&c->body, &c->sys, c->inverse, c->h, steps, RK4_NORMALISED);
    else
        rk4_free_body(&c->body, body_inertia, c->inverse, c->h, steps, RK4_NORMALISED);
}

/* A^-1 by Gauss and Jordan; n <= 6, A positive definite */
static inline void invert(int n, double *inverse, const double *A)
{
    double M[36];
    memcpy(M, A, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n * n; i++) inverse[i] = i % (n + 1) == 0;
    for (int k = 0; k < n; k++) {
        double pivot = M[k * n + k];
        for (int j = 0; j < n; j++) M[k * n + j] /= pivot, inverse[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            double f = i == k ? 0.0 : M[i * n + k];
            for (int j = 0; j < n; j++) M[i * n + j] -= f * M[k * n + j], inverse[i * n + j] -= f * inverse[k * n + j];
        }
    }
}

/* At rest in place and upright, with the common twist. */
static inline void classical_start(classical *c, problem_kind kind, const lie_system *sys, double h)
{
    *c = (classical){.kind = kind, .sys = *sys, .h = h};
    c->body.q[0] = c->motion.q[0] = 1.0;
    memcpy(c->body.w, twist, sizeof c->body.w);
    memcpy(c->motion.nu, twist, sizeof twist);
    invert(sys->group->dim, c->inverse, sys->inertia);
}

#endif
