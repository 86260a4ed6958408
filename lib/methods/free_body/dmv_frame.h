/* SPDX-License-Identifier: MIT */
/* dmv_frame.h: discrete Moser-Veselov steps a body in its principal axes; this is the way there and back, and the
 * memory of its steppers. Internal. */
#ifndef LIESTEP_LIB_DMV_FRAME_H
#define LIESTEP_LIB_DMV_FRAME_H

#include "groups/maps/quat_maps.h"
#include "groups/num/vec3.h"
#include "groups/step/so3_dmv_kernel.h"
#include "lib/methods/stepping.h"

/* The axes, V + low as in principal.h, also as a quaternion. */
typedef struct dmv_frame {
    double V[9], low[9], r[4];
} dmv_frame;
enum { DMV_FRAME_DOUBLES = sizeof(dmv_frame) / sizeof(double) };

/* The memory of a stepper: h of the last step, 0 if there is none; the anchor; the momentum in space; attitude, its
 * low part and momentum in principal axes; and what of the attitude and the momentum was last given to the caller.
 * `size` is that of the attitude. */
enum { DMV_H = 0, DMV_ANCHOR = 1, DMV_PI = 4, DMV_OWN = 7, DMV_MEMORY_MAX = 13 + 3 * 9 };

LIE_INLINE int dmv_own_momentum(int size)
{
    return DMV_OWN + 2 * size;
}

LIE_INLINE int dmv_end(int size)
{
    return DMV_OWN + 2 * size + 3;
}

LIE_INLINE int dmv_memory(int size)
{
    return dmv_end(size) + size + 3;
}

/* What the steps have in common from where the memory of the stepper says, and the principal axes. */
lie_status lie__dmv_motion(const lie_stepper *st, so3_dmv_motion *out);
const dmv_frame *lie__dmv_frame(const lie_stepper *st);

/* From principal axes to those of the body: g V^T, V m */
LIE_INLINE void dmv_to_body(const dmv_frame *f, int size, double *g, double *m, const double *own_g,
                            const double *own_m)
{
    double a[9], b[9], R[9], n[3], back[4] = {f->r[0], -f->r[1], -f->r[2], -f->r[3]};
    mat3_vec(a, f->V, own_m);
    mat3_vec(b, f->low, own_m);
    for (int i = 0; i < 3; i++) n[i] = a[i] + b[i];
    if (size == 4) {
        quat_mul(R, own_g, back);
    } else {
        double VT[9], low[9];
        mat3_transpose(VT, f->V);
        mat3_transpose(low, f->low);
        mat3_mul(a, own_g, VT);
        mat3_mul(b, own_g, low);
        for (int i = 0; i < 9; i++) R[i] = a[i] + b[i];
    }
    copy_n(size, g, R);
    copy_n(3, m, n);
}

/* After steps that led to own_g, own_m: what the caller gets, and what the memory keeps of both. Where nothing moved
 * the caller's numbers stay as they are. */
LIE_INLINE void dmv_leave(const dmv_frame *f, int size, double *memory, double *g, double *m, const double *own_g,
                          const double *own_low, const double *own_m)
{
    double *own = memory + DMV_OWN, *momentum = memory + dmv_own_momentum(size), *end = memory + dmv_end(size);
    if (memcmp(own, own_g, (size_t)size * sizeof *own) == 0 && memcmp(momentum, own_m, 3 * sizeof *own) == 0) {
        copy_n(size, g, end);
        copy_n(3, m, end + size);
    } else {
        dmv_to_body(f, size, g, m, own_g, own_m);
    }
    copy_n(size, own, own_g);
    copy_n(size, own + size, own_low);
    copy_n(3, momentum, own_m);
    copy_n(size, end, g);
    copy_n(3, end + size, m);
}

/* And there: g V, V^T m */
LIE_INLINE void dmv_from_body(const dmv_frame *f, int size, double *own_g, double *own_m, const double *g,
                              const double *m)
{
    double a[9], b[9];
    mat3_tvec(a, f->V, m);
    mat3_tvec(b, f->low, m);
    for (int i = 0; i < 3; i++) own_m[i] = a[i] + b[i];
    if (size == 4) {
        quat_mul(own_g, g, f->r);
        return;
    }
    mat3_mul(a, g, f->V);
    mat3_mul(b, g, f->low);
    for (int i = 0; i < 9; i++) own_g[i] = a[i] + b[i];
}

#endif
