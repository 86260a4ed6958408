/* SPDX-License-Identifier: MIT */
/* well.h: potentials and gyroscopic terms of bodies on SO3 and S3 in two directions. Internal.
 *
 * A direction e fixed in the reference frame is seen from the body as a = R^T e, and d/ds a = a x eta along
 * R exp(s eta). Closed forms and the potentials of the catalogue are of one form in a = R^T e3 and c = R^T e1,
 *
 *     V = s/2 a . I a + l . a + s1/2 c . I c,
 *
 * their gyroscopic terms of the form A = rate I a + h. A form q(a) with gradient b and second derivative K has
 * F = a x b and dF = (hat(a) K - hat(b)) hat(a). These are written once here and compiled into each system's callbacks
 * with its zeros known: the force of the top is one cross product. */
#ifndef LIESTEP_LIB_WELL_H
#define LIESTEP_LIB_WELL_H

#include <liestep/system.h>

#include "groups/num/vec3.h"
#include "lib/systems/directions.h"

/* V = s/2 a . I a + l . a + s1/2 c . I c, a = R^T e3, c = R^T e1 */
typedef struct well {
    double s, l[3], s1;
} well;

/* b = s I a */
LIE_INLINE void scaled_inertia(double b[3], double s, const lie_system *sys, const double a[3])
{
    mat3_vec(b, sys->inertia, a);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) b[i] *= s;
}

LIE_INLINE double potential_in(const lie_system *sys, well q, const double *g)
{
    double a[3], b[3];
    seen_e3(a, sys->group->size, g);
    double V = dot3(q.l, a);
    if (q.s != 0.0) {
        scaled_inertia(b, 0.5 * q.s, sys, a);
        V += dot3(a, b);
    }
    if (q.s1 != 0.0) {
        seen_e1(a, sys->group->size, g);
        scaled_inertia(b, 0.5 * q.s1, sys, a);
        V += dot3(a, b);
    }
    return V;
}

/* F = a x b for each direction: with d/ds a = a x eta, -dV = -b . (a x eta) = eta . (a x b) */
LIE_INLINE void force_in(const lie_system *sys, well q, double *F, const double *g)
{
    double a[3], b[3];
    seen_e3(a, sys->group->size, g);
    if (q.s != 0.0) {
        scaled_inertia(b, q.s, sys, a);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) q.l[i] += b[i];
    }
    cross3(F, a, q.l);
    if (q.s1 != 0.0) {
        double f[3];
        seen_e1(a, sys->group->size, g);
        scaled_inertia(b, q.s1, sys, a);
        cross3(f, a, b);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) F[i] += f[i];
    }
}

/* D += d/ds (a x b), b = s I a + l, a' = hat(a) eta: (hat(a) s I - hat(b)) hat(a) */
LIE_INLINE void add_force_deriv(double *D, const lie_system *sys, double s, const double l[3], const double a[3])
{
    double b[3], a_hat[9], b_hat[9], M[9];
    scaled_inertia(b, s, sys, a);
    for (int i = 0; i < 3; i++) b[i] += l[i];
    hat3(a_hat, a);
    hat3(b_hat, b);
    mat3_mul(M, a_hat, sys->inertia);
    for (int i = 0; i < 9; i++) b_hat[i] -= s * M[i];
    mat3_mul(M, b_hat, a_hat);
    for (int i = 0; i < 9; i++) D[i] -= M[i];
}

LIE_INLINE void force_deriv_in(const lie_system *sys, well q, double *D, const double *g)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    double a[3];
    zero_n(9, D);
    seen_e3(a, sys->group->size, g);
    add_force_deriv(D, sys, q.s, q.l, a);
    if (q.s1 == 0.0) return;
    seen_e1(a, sys->group->size, g);
    add_force_deriv(D, sys, q.s1, none, a);
}

/* A = rate I R^T e3, dA = rate I hat(R^T e3) */
LIE_INLINE void spin(const lie_system *sys, double rate, double *A, const double *g)
{
    double a[3];
    seen_e3(a, sys->group->size, g);
    scaled_inertia(A, rate, sys, a);
}

LIE_INLINE void spin_deriv(const lie_system *sys, double rate, double *D, const double *g)
{
    double a[3], a_hat[9];
    seen_e3(a, sys->group->size, g);
    hat3(a_hat, a);
    mat3_mul(D, sys->inertia, a_hat);
    for (int i = 0; i < 9; i++) D[i] *= rate;
}

#endif
