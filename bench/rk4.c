/* SPDX-License-Identifier: MIT */
/* rk4.c: see rk4.h. Everything a step needs is inlined into one loop and kept in locals; the force is the only call.
 * Reference: Kutta, Z. Math. Phys. 1901; Euler's equations on (q, w) as in any textbook, e.g. Diebel 2006, section
 * 5. */
#include "rk4.h"

#include <liestep/systems.h>

#include <math.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

INLINE void cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

INLINE void times3(double out[3], const double A[9], const double x[3])
{
    for (int i = 0; i < 3; i++) out[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

INLINE void times6(double out[6], const double A[36], const double x[6])
{
    for (int i = 0; i < 6; i++)
        out[i] = (A[6 * i] * x[0] + A[6 * i + 1] * x[1] + A[6 * i + 2] * x[2]) +
                 (A[6 * i + 3] * x[3] + A[6 * i + 4] * x[4] + A[6 * i + 5] * x[5]);
}

/* q' = q (0, w)/2 */
INLINE void quaternion_rate(double dq[4], const double q[4], const double w[3])
{
    double a = 0.5 * w[0], b = 0.5 * w[1], c = 0.5 * w[2];
    dq[0] = -(q[1] * a + q[2] * b + q[3] * c);
    dq[1] = q[0] * a + q[2] * c - q[3] * b;
    dq[2] = q[0] * b + q[3] * a - q[1] * c;
    dq[3] = q[0] * c + q[1] * b - q[2] * a;
}

INLINE void normalise(double q[4])
{
    double f = 1.0 / sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    for (int i = 0; i < 4; i++) q[i] *= f;
}

INLINE void rotation(double R[9], const double q[4])
{
    double x2 = q[1] + q[1], y2 = q[2] + q[2], z2 = q[3] + q[3];
    double xx = q[1] * x2, yy = q[2] * y2, zz = q[3] * z2, xy = q[1] * y2, xz = q[1] * z2, yz = q[2] * z2;
    double wx = q[0] * x2, wy = q[0] * y2, wz = q[0] * z2;
    R[0] = 1.0 - (yy + zz), R[1] = xy - wz, R[2] = xz + wy;
    R[3] = xy + wz, R[4] = 1.0 - (xx + zz), R[5] = yz - wx;
    R[6] = xz - wy, R[7] = yz + wx, R[8] = 1.0 - (xx + yy);
}

/* The right-hand side of one problem: dy = f(y). y = (q, w) or (q, x, w, v), the quaternion first. */
typedef struct problem {
    const double *I, *inverse;
    const lie_system *sys;
} problem;

typedef void rate_fn(double *dy, const double *y, const problem *p);

INLINE void free_rate(double *dy, const double *y, const problem *p)
{
    double L[3], torque[3];
    quaternion_rate(dy, y, y + 4);
    times3(L, p->I, y + 4);
    cross(torque, L, y + 4);
    times3(dy + 4, p->inverse, torque);
}

INLINE void diagonal_rate(double *dy, const double *y, const problem *p)
{
    double L[3], torque[3];
    quaternion_rate(dy, y, y + 4);
    for (int i = 0; i < 3; i++) L[i] = p->I[i] * y[4 + i];
    cross(torque, L, y + 4);
    for (int i = 0; i < 3; i++) dy[4 + i] = p->inverse[i] * torque[i];
}

INLINE void body_rate(double *dy, const double *y, const problem *p)
{
    double L[3], torque[3], F[3];
    p->sys->force(p->sys, F, y);
    quaternion_rate(dy, y, y + 4);
    times3(L, p->I, y + 4);
    cross(torque, L, y + 4);
    for (int i = 0; i < 3; i++) torque[i] += F[i];
    times3(dy + 4, p->inverse, torque);
}

INLINE void vehicle_rate(double *dy, const double *y, const problem *p)
{
    const double *w = y + 7, *v = y + 10;
    double g[12] = {[9] = y[4], [10] = y[5], [11] = y[6]}, F[6], m[6], a[3], b[3], c[3];
    rotation(g, y);
    p->sys->force(p->sys, F, g);
    quaternion_rate(dy, y, w);
    times3(dy + 4, g, v);
    times6(m, p->I, y + 7);
    cross(a, m, w);
    cross(b, m + 3, v);
    cross(c, m + 3, w);
    for (int i = 0; i < 3; i++) F[i] += a[i] + b[i], F[3 + i] += c[i];
    times6(dy + 7, p->inverse, F);
}

/* Kirchhoff's equations of a body whose weight is carried and whose inertia is diagonal, in momenta:
 * y = (q, x, Pi, P), or (Pi, P) alone; p->inverse has the diagonal */
INLINE void kirchhoff_rate(double *dy, const double *y, const problem *p)
{
    const double *I = p->inverse;
    double w[3] = {I[0] * y[0], I[1] * y[1], I[2] * y[2]}, v[3] = {I[3] * y[3], I[4] * y[4], I[5] * y[5]}, a[3], b[3];
    cross(a, y, w);
    cross(b, y + 3, v);
    cross(dy + 3, y + 3, w);
    for (int i = 0; i < 3; i++) dy[i] = a[i] + b[i];
}

INLINE void neutral_rate(double *dy, const double *y, const problem *p)
{
    const double *I = p->inverse, *m = y + 7;
    double w[3] = {I[0] * m[0], I[1] * m[1], I[2] * m[2]}, v[3] = {I[3] * m[3], I[4] * m[4], I[5] * m[5]}, R[9];
    rotation(R, y);
    quaternion_rate(dy, y, w);
    times3(dy + 4, R, v);
    kirchhoff_rate(dy + 7, m, p);
}

/* Relative to the orbit frame: y = (q, w), w the rate in space; q' = q (0, w - n b)/2, b the orbit normal; gravity
 * gradient 3 n^2 c x I c, c the vertical; I w' = (I w + wheels) x w + torque */
INLINE void satellite_rate(double *dy, const double *y, const problem *p)
{
    const lie_satellite *s = (const lie_satellite *)p->sys->params;
    double R[9], n = s->orbit_rate, f = 3.0 * n * n, L[3], Ic[3], pull[3], torque[3], v[3];
    rotation(R, y);
    for (int i = 0; i < 3; i++) v[i] = y[4 + i] - n * R[6 + i];
    quaternion_rate(dy, y, v);
    times3(L, p->I, y + 4);
    times3(Ic, p->I, R);
    for (int i = 0; i < 3; i++) L[i] += s->wheels[i];
    cross(torque, L, y + 4);
    cross(pull, R, Ic);
    for (int i = 0; i < 3; i++) torque[i] += f * pull[i];
    times3(dy + 4, p->inverse, torque);
}

enum { LONGEST = 13 };

/* u = y + h k and sum += weight k */
INLINE void stage(int n, double *u, double *sum, const double *y, double h, const double *k)
{
    for (int i = 0; i < n; i++) {
        u[i] = y[i] + h * k[i];
        sum[i] += k[i] + k[i];
    }
}

INLINE void run(int n, double *state, rate_fn *rate, const problem *p, double h, long steps, rk4_norm norm)
{
    double y[LONGEST], k[LONGEST], u[LONGEST], sum[LONGEST];
    memcpy(y, state, (size_t)n * sizeof *y);
    for (long s = 0; s < steps; s++) {
        rate(sum, y, p);
        for (int i = 0; i < n; i++) u[i] = y[i] + 0.5 * h * sum[i];
        rate(k, u, p);
        stage(n, u, sum, y, 0.5 * h, k);
        rate(k, u, p);
        stage(n, u, sum, y, h, k);
        rate(k, u, p);
        for (int i = 0; i < n; i++) y[i] += (h / 6.0) * (sum[i] + k[i]);
        if (norm == RK4_NORMALISED) normalise(y);
    }
    memcpy(state, y, (size_t)n * sizeof *y);
}

void rk4_free_body(rk4_attitude *s, const double I[9], const double inverse[9], double h, long steps, rk4_norm norm)
{
    problem p = {I, inverse, 0};
    double y[7] = {s->q[0], s->q[1], s->q[2], s->q[3], s->w[0], s->w[1], s->w[2]};
    if (norm == RK4_NORMALISED)
        run(7, y, free_rate, &p, h, steps, RK4_NORMALISED);
    else
        run(7, y, free_rate, &p, h, steps, RK4_FREE);
    memcpy(s->q, y, sizeof s->q);
    memcpy(s->w, y + 4, sizeof s->w);
}

void rk4_free_body_diagonal(rk4_attitude *s, const double I[3], double h, long steps, rk4_norm norm)
{
    const double inverse[3] = {1.0 / I[0], 1.0 / I[1], 1.0 / I[2]};
    problem p = {I, inverse, 0};
    double y[7] = {s->q[0], s->q[1], s->q[2], s->q[3], s->w[0], s->w[1], s->w[2]};
    if (norm == RK4_NORMALISED)
        run(7, y, diagonal_rate, &p, h, steps, RK4_NORMALISED);
    else
        run(7, y, diagonal_rate, &p, h, steps, RK4_FREE);
    memcpy(s->q, y, sizeof s->q);
    memcpy(s->w, y + 4, sizeof s->w);
}

void rk4_body(rk4_attitude *s, const lie_system *sys, const double inverse[9], double h, long steps, rk4_norm norm)
{
    problem p = {sys->inertia, inverse, sys};
    double y[7] = {s->q[0], s->q[1], s->q[2], s->q[3], s->w[0], s->w[1], s->w[2]};
    run(7, y, body_rate, &p, h, steps, norm);
    memcpy(s->q, y, sizeof s->q);
    memcpy(s->w, y + 4, sizeof s->w);
}

void rk4_satellite(rk4_attitude *s, const lie_system *sys, const double inverse[9], double h, long steps, rk4_norm norm)
{
    problem p = {sys->inertia, inverse, sys};
    double y[7] = {s->q[0], s->q[1], s->q[2], s->q[3], s->w[0], s->w[1], s->w[2]};
    run(7, y, satellite_rate, &p, h, steps, norm);
    memcpy(s->q, y, sizeof s->q);
    memcpy(s->w, y + 4, sizeof s->w);
}

void rk4_vehicle(rk4_motion *s, const lie_system *sys, const double inverse[36], double h, long steps, rk4_norm norm)
{
    problem p = {sys->inertia, inverse, sys};
    double y[13];
    memcpy(y, s->q, sizeof s->q);
    memcpy(y + 4, s->x, sizeof s->x);
    memcpy(y + 7, s->nu, sizeof s->nu);
    run(13, y, vehicle_rate, &p, h, steps, norm);
    memcpy(s->q, y, sizeof s->q);
    memcpy(s->x, y + 4, sizeof s->x);
    memcpy(s->nu, y + 7, sizeof s->nu);
}

void rk4_neutral(rk4_motion *s, const double inertia[6], double h, long steps)
{
    double inverse[6], y[13];
    problem p = {0, inverse, 0};
    for (int i = 0; i < 6; i++) inverse[i] = 1.0 / inertia[i];
    memcpy(y, s->q, sizeof s->q);
    memcpy(y + 4, s->x, sizeof s->x);
    for (int i = 0; i < 6; i++) y[7 + i] = inertia[i] * s->nu[i];
    run(13, y, neutral_rate, &p, h, steps, RK4_NORMALISED);
    memcpy(s->q, y, sizeof s->q);
    memcpy(s->x, y + 4, sizeof s->x);
    for (int i = 0; i < 6; i++) s->nu[i] = inverse[i] * y[7 + i];
}

void rk4_kirchhoff(double m[6], const double inertia[6], double h, long steps)
{
    double inverse[6];
    problem p = {0, inverse, 0};
    for (int i = 0; i < 6; i++) inverse[i] = 1.0 / inertia[i];
    run(6, m, kirchhoff_rate, &p, h, steps, RK4_FREE);
}
