/* SPDX-License-Identifier: MIT */
/* stage_lanes.h: stages of a step in the lanes of a vector: vectors from and to memory, and what acts on a body whose
 * form is known (stages.h), over the numbers of real.h. For files that are compiled for every number of lanes
 * (lib/meson.build). Internal. */
#ifndef LIESTEP_LIB_STAGE_LANES_H
#define LIESTEP_LIB_STAGE_LANES_H

#include "groups/num/vec3.h"
#include "lib/methods/stages.h"

#ifdef LIE_LANES
enum { LANES = LIE_LANES };
#else
enum { LANES = 1 };
#endif

/* Loops over stages are unrolled, too; not in plain doubles where there are vectors to take their place
 * (lib/meson.build): code of that length takes a compiler long, and only tests run it. */
#ifdef LIE_SPARE
#define STAGE_UNROLL
#else
#define STAGE_UNROLL LIE_UNROLL
#endif

/* The name of the kernel that this file defines: <prefix>_<lanes>. */
#define STAGE_JOINED(a, b) a##_##b
#define STAGE_NAMED(prefix, lanes) STAGE_JOINED(prefix, lanes)
#ifdef LIE_LANES
#define STAGE_KERNEL(prefix) STAGE_NAMED(prefix, LIE_LANES)
#else
#define STAGE_KERNEL(prefix) STAGE_NAMED(prefix, 1)
#endif

LIE_INLINE lie_real load(const double *at)
{
    lie_real x;
    memcpy(&x, at, sizeof x);
    return x;
}

LIE_INLINE void save(double *at, lie_real x)
{
    memcpy(at, &x, sizeof x);
}

/* M a, M the same in all lanes */
LIE_INLINE void times3(lie_real out[3], const double M[9], const lie_real a[3])
{
    LIE_UNROLL
    for (int i = 0; i < 3; i++) out[i] = (M[3 * i] * a[0] + M[3 * i + 1] * a[1]) + M[3 * i + 2] * a[2];
}

/* (M a)_i, likewise */
LIE_INLINE lie_real times6_at(const double M[36], int i, const lie_real a[6])
{
    const double *row = M + 6 * i;
    return ((row[0] * a[0] + row[1] * a[1]) + (row[2] * a[2] + row[3] * a[3])) + (row[4] * a[4] + row[5] * a[5]);
}

LIE_INLINE void times6(lie_real out[6], const double M[36], const lie_real a[6])
{
    LIE_UNROLL
    for (int i = 0; i < 6; i++) out[i] = times6_at(M, i, a);
}

/* drag on a vessel that moves with xi */
LIE_INLINE void add_drag(lie_real f[6], const lie_real xi[6], const stage_form *form)
{
    LIE_UNROLL
    for (int i = 0; i < 6; i++) {
        f[i] -= times6_at(form->drag, i, xi);
        f[i] -= (form->quadratic[i] * real_abs(xi[i])) * xi[i];
    }
}

/* weight and buoyancy, up = R^T e3 */
LIE_INLINE void stage_weight(lie_real F[6], const lie_real up[3], const stage_form *form)
{
    lie_real arm[3];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) arm[i] = real_of(form->pull[i]);
    cross3(F, arm, up);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) F[3 + i] = form->pull[3] * up[i];
}

/* the torque k up x r on a top */
LIE_INLINE void stage_torque(lie_real F[3], const lie_real up[3], const stage_form *form)
{
    lie_real arm[3];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) arm[i] = real_of(form->pull[i]);
    cross3(F, up, arm);
}

#endif
