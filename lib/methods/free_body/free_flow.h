/* SPDX-License-Identifier: MIT */
/* free_flow.h: the exact motion of the free rigid body over a time of any length. Internal.
 *
 *     g' = g w,   m' = m x w,   I w = m:      g(h) = g r,   m(h) = r^T m,   r in SO(3) or S3
 *
 * Exact means: to a few roundings, for every inertia, momentum and step (tests/methods/test_free_flow.c says how many). Energy
 * and spatial momentum come out to round-off whatever the error of the functions of time, because m(h) and r are
 * algebraic in them. A pure function: nothing is kept between calls. No heap, no libm beyond sqrt.
 *
 * With n = m/|m| in principal axes, t = half of h in the units of elliptic.h, s, c1, c3, theta at t, and u = n at half
 * time (the addition theorem, DLMF 22.8)
 *
 *     u = (n1 c3 - x s c1 n2 n3,  n2 c1 c3 + s n3 n1,  n3 c1 - y s c3 n1 n2)/(c1^2 + y s^2 n1^2)
 *     m(h) - m = 2 s |m| (-x c1 u2 u3,  u1 u3,  -y c3 u1 u2)/(c1^2 + y s^2 u1^2)
 *     r = (cos p + n sin p)(1 - n z)(1 + v)/| |,   v = (y s u1/c1, 0, -x s u3/c3),   z = n . v = s d/(c1 c3)
 *     p = h |m|/(2 I2) + theta
 *
 * as quaternions. 1 + v takes m(h) to m, and 1 - n z takes away its part along n: together they are the shortest turn
 * from m(h) to m. What is left is a turn about n by an angle 2 p. With n0, w0 at the start and n1, w1 at the end of the
 * step, 2 dp/dh = (n0 + n1) . w1/(1 + n0 . n1), and since n0 . w1 = n1 . w0 (I is symmetric) the same comes out if the
 * step is lengthened at its start: p depends on h and the invariants alone, not on where on its orbit the step starts,
 * and may be read off the one from -n2 to n2, where it is the angle above. So no inverse function is needed and no axis
 * is singled out; v, z and m(h) - m are products, small with h and to full relative precision.
 *
 * After an odd number of half periods m has turned by pi about the axis e that it circles, e1 for d > 0 and e3 for
 * d < 0, and r has the factor -sign(n . e) n e in front of (1 + v).
 *
 * Cost: about 250 flops with 9 divisions and 5 square roots for steps up to a twelfth of a period; up to four times as
 * much beyond. Not resolved: deviations from the middle axis below 1e-150 |m|, which count as none.
 * References: van Zon & Schofield, J. Comput. Phys. 225 (2007) 145; Celledoni, Fasso, Saefstroem & Zanna, SIAM J. Sci.
 * Comput. 30 (2008) 2084, for the same motion by theta functions and by quadrature. */
#ifndef LIESTEP_LIB_FREE_FLOW_H
#define LIESTEP_LIB_FREE_FLOW_H

#include <liestep/status.h>

/* What the flow needs to know of a body. */
typedef struct lie__free_body {
    double axes[9];     /* columns: principal axes, of the smallest moment first */
    double low[9];      /* twice what their rounding has lost: axes + low = axes^-T */
    double x, y;        /* (1/I2 - 1/I3)/(1/I1 - 1/I3) and 1 - x; a sphere has 1/2 */
    double spread, mid; /* 1/I1 - 1/I3, 1/I2 */
} lie__free_body;

/* Changes over a step: r = (1 + a, v), m(h) = m + (dm + low). Small with h, to full relative precision, so that a
 * caller can carry the rounding of its sums: q (a, v) is the change of q, R (2 (1 + a) hat(v) + 2 hat(v)^2) that of R.
 * low, below the last digit of dm, undoes the rounding of the axes, which would show in the energy after many steps; it
 * is 0 for a diagonal inertia and may be left out where nothing is carried. */
typedef struct lie__free_turn {
    double a, v[3], dm[3], low[3];
} lie__free_turn;

/* inertia: symmetric positive definite, row-major. Status: LIE_ERR_NOT_FINITE, LIE_ERR_INERTIA. */
lie_status lie__free_body_init(lie__free_body *body, const double inertia[9]);

/* m: body momentum; h: any sign and length. Status: LIE_ERR_NOT_FINITE, also where |m| h/I overflows. */
lie_status lie__free_flow(const lie__free_body *body, lie__free_turn *step, const double m[3], double h);

/* The same as a step of a state on S3 or SO(3) that carries the rounding of its sums (g + low_g, m + low_m), as the
 * moves of so3_step.h do. On failure the state is as it was. */
lie_status lie__free_step_s3(const lie__free_body *body, double q[4], double low_q[4], double m[3], double low_m[3],
                             double h);
lie_status lie__free_step_so3(const lie__free_body *body, double R[9], double low_R[9], double m[3], double low_m[3],
                              double h);

#endif
