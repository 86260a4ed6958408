/* SPDX-License-Identifier: MIT */
/* vessel.h: what acts on a body in water on SE3, beside its weight (directions.h): derivatives, drag. Internal. */
#ifndef LIESTEP_LIB_VESSEL_H
#define LIESTEP_LIB_VESSEL_H

#include <math.h>

#include "groups/num/vec3.h"
#include "lib/systems/directions.h"

/* of (arm x up, lift up), d up = hat(up) eta_w: [[hat(arm) hat(up), 0], [lift hat(up), 0]] */
LIE_INLINE void righting_force_deriv(double *D, const double arm[3], double lift, const double *g)
{
    double arm_hat[9], up_hat[9], M[9];
    hat3(arm_hat, arm);
    hat3(up_hat, g + 6);
    mat3_mul(M, arm_hat, up_hat);
    for (int i = 0; i < 9; i++) up_hat[i] *= lift;
    zero_n(36, D);
    put_block3(D, 6, 0, 0, M);
    put_block3(D, 6, 3, 0, up_hat);
}

/* f = -D xi - (q_i |xi_i| xi_i), and its derivative */
LIE_INLINE void drag_force(double *f, const double linear[36], const double quadratic[6], const double *xi)
{
    for (int i = 0; i < 6; i++) {
        f[i] = -quadratic[i] * fabs(xi[i]) * xi[i];
        for (int j = 0; j < 6; j++) f[i] -= linear[6 * i + j] * xi[j];
    }
}

LIE_INLINE void drag_force_deriv(double *D, const double linear[36], const double quadratic[6], const double *xi)
{
    for (int i = 0; i < 36; i++) D[i] = -linear[i];
    for (int i = 0; i < 6; i++) D[7 * i] -= 2.0 * quadratic[i] * fabs(xi[i]);
}

#endif
