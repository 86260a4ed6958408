/* SPDX-License-Identifier: MIT */
/* free_flow.h: the exact motion of the free rigid body over a time of any length, on S3 and SO(3).
 *
 *     g' = g w,   m' = m x w,   I w = m:      g(h) = g r,   m(h) = r^T m,   r in SO(3) or S3
 *
 * For a host that evaluates its forces once a step: kick and exact flow, of order 2, symplectic for a force from a
 * potential, whatever the inertia and however fast the body turns.
 *
 *     lie_free_flow flow;                                        once per inertia
 *     lie_free_flow_init(&flow, inertia);
 *     for (;;) {
 *         torque of the environment at (t, q);                   body frame
 *         m += h torque;                                         the kicks of two half steps, h/2 before and h/2 after
 *         lie_free_flow_s3(&flow, q, NULL, m, NULL, h);
 *     }
 *
 * Exact means: to a few roundings for every inertia (spherical and symmetric ones included), every momentum (also on
 * and near the separatrix) and every h, of any sign and up to millions of periods. Energy and spatial momentum stay to
 * round-off. A pure function of m and h: nothing is kept between calls, nothing is iterated, h may change from call to
 * call; several threads may share one lie_free_flow. The bits are those of the methods split2, split4 and split6 on S3
 * and SO3, which call the same code.
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
 * much beyond. No heap, no libm beyond sqrt. Not resolved: deviations from the middle axis below 1e-150 |m|, which
 * count as none.
 * References: van Zon & Schofield, J. Comput. Phys. 225 (2007) 145; Celledoni, Fasso, Saefstroem & Zanna, SIAM J. Sci.
 * Comput. 30 (2008) 2084, for the same motion by theta functions and by quadrature. Conventions: docs/CONVENTIONS.md. */
#ifndef LIESTEP_FREE_FLOW_H
#define LIESTEP_FREE_FLOW_H

#include <liestep/status.h>

LIE_BEGIN_DECLS

/* What the flow needs to know of a body: set by lie_free_flow_init, copied by `=`, to be read only. */
typedef struct lie_free_flow {
    double axes[9];     /* columns: principal axes, of the smallest moment first */
    double low[9];      /* twice what their rounding has lost: axes + low = axes^-T */
    double x, y;        /* (1/I2 - 1/I3)/(1/I1 - 1/I3) and 1 - x; a sphere has 1/2 */
    double spread, mid; /* 1/I1 - 1/I3, 1/I2 */
} lie_free_flow;

/* inertia: symmetric (to 1e-12) and positive definite, row-major; the condition I1 > 2^-50 I3 is the only one on its
 * moments. Status: LIE_ERR_NOT_FINITE, LIE_ERR_INERTIA. */
LIE_API lie_status lie_free_flow_init(lie_free_flow *flow, const double inertia[9]);

/* (q, m) and (R, m) over the time h, in place. q: body to inertial, scalar first, of any length, which stays; R:
 * row-major; m: body momentum, m = I w. q and m are what a lie_state of these groups has.
 * low_q and low_m (null, or as long as q and m; zero at the start): what the rounding of the sums has lost, carried
 * along, as steppers do: q + low_q and m + low_m are the better values. Over a million steps the momentum then drifts
 * by some 1e-15 instead of 1e-13. Once in a while, such as every 1000 steps, bring q or R back to the group
 * (lie_s3_project, lie_so3_project).
 * Status: LIE_ERR_NOT_FINITE (also where |m| h/I overflows); q and m are then as they were. */
LIE_API lie_status lie_free_flow_s3(const lie_free_flow *flow, double q[4], double *low_q, double m[3], double *low_m,
                                    double h);
LIE_API lie_status lie_free_flow_so3(const lie_free_flow *flow, double R[9], double *low_R, double m[3], double *low_m,
                                     double h);

/* The step by itself: r = (1 + a, v) as a unit quaternion, m(h) = m + (dm + low). All four are small with h and to full
 * relative precision, so that a caller can carry the rounding of its sums: q (a, v) is the change of q, R (2 (1 + a)
 * hat(v) + 2 hat(v)^2) that of R. low, below the last digit of dm, undoes the rounding of the axes, which would show in
 * the energy after many steps; it is 0 for a diagonal inertia and may be left out where nothing is carried. */
typedef struct lie_free_turn {
    double a, v[3], dm[3], low[3];
} lie_free_turn;

/* out: the turn from m over the time h. Status: LIE_ERR_NOT_FINITE, also where |m| h/I overflows. */
LIE_API lie_status lie_free_flow_turn(const lie_free_flow *flow, lie_free_turn *out, const double m[3], double h);

LIE_END_DECLS

#endif
