/* SPDX-License-Identifier: MIT */
/* free_turn.h: what the turn of a free body and its derivative share; formulas: liestep/free_flow.h. Internal. */
#ifndef LIESTEP_LIB_FREE_TURN_H
#define LIESTEP_LIB_FREE_TURN_H

#include "groups/num/elliptic.h"
#include "groups/num/theta.h"
#include "groups/num/vec3.h"
#include "lib/methods/free_body/free_flow.h"

LIE_INLINE lie__orbit orbit_of(const lie_free_flow *B, const double n[3])
{
    double n11 = n[0] * n[0], n22 = n[1] * n[1], n33 = n[2] * n[2];
    double q1 = n11 + B->x * n22, q3 = n33 + B->y * n22;
    return (lie__orbit){q1, q3, B->y * q1, B->x * q3, B->y * n11 - B->x * n33};
}

/* cos p and sin p */
LIE_INLINE void cos_sin(double *c, double *s, double p)
{
    double x = 4.0 * p * p;
    if (x <= LIE__PI_SQ) {
        lie__half h = lie__half_near(x);
        *c = h.c, *s = p * (h.s + h.s);
    } else {
        lie__sincos(s, c, p);
    }
}

/* (cos p + n sin p)(1 - n z) Q, not normalised */
LIE_INLINE void turn_about(double r[4], const double n[3], double p, double z, const double Q[4])
{
    double C, S, w[3];
    cos_sin(&C, &S, p);
    double A = C + z * S, D = S - z * C;
    cross3(w, n, Q + 1);
    r[0] = A * Q[0] - D * dot3(n, Q + 1);
    for (int i = 0; i < 3; i++) r[i + 1] = A * Q[i + 1] + D * (Q[0] * n[i] + w[i]);
}

#endif
